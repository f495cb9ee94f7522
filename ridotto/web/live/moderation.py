"""Decisions of the host: bans, deleted tables, and the rules of clearing."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Final

from ridotto.web.live.background import BackgroundTasks
from ridotto.web.live.table_cache import TableCache
from ridotto.web.settings import Settings
from ridotto.web.storage import Storage
from ridotto.web.storage.admin import DAY, BanKind, RetentionRules
from ridotto.web.storage.faults import DatabaseUnavailable

NOBODY: Final[Mapping[BanKind, frozenset[str]]] = {"ban": frozenset(), "mute": frozenset()}
log = logging.getLogger("ridotto.web")


class ModerationService:
    """Bans and mutes, and the rules by which old tables and people are cleared."""

    def __init__(self, settings: Settings, storage: Storage, tables: TableCache, background: BackgroundTasks) -> None:
        self.settings, self.storage, self.tables, self.background = settings, storage, tables, background
        self.bans = NOBODY
        self._cleared = 0

    @property
    def rules(self) -> RetentionRules:
        return RetentionRules(self.settings.keep_over, self.settings.keep_open, self.settings.keep_people)

    def may_act(self, person: str) -> bool:
        return person not in self.bans["ban"]

    def may_talk(self, person: str) -> bool:
        return person not in self.bans["mute"]

    def open(self) -> None:
        self.background.start(self._watch())

    async def _watch(self) -> None:
        """At intervals: look what was decided, here, at another server or by `ridotto admin`."""
        while not self.background.stopping.is_set():
            try:
                await self.look()
            except DatabaseUnavailable as error:
                log.warning("what the host decided was not read", extra={"facts": {"error": str(error)}})
            await self.background.pause(self.settings.sweep)

    async def look(self) -> None:
        """Read the bans, let go of tables that are gone, and clear once a day."""
        self.bans = await self.storage.admin.bans()
        await self.tables.check_versions()
        if self.storage.now - self._cleared > DAY:
            self._cleared = self.storage.now
            cleared = await self.storage.admin.clear(self.rules)
            if any(cleared.values()):
                log.info("cleared", extra={"facts": cleared})
                await self.tables.check_versions()
