"""Running clocks: a heartbeat while they run, and what happens when one has run down. The model is `ridotto.web.clocks`."""

from __future__ import annotations

import logging
from typing import Final

from ridotto.web.live.background import BackgroundTasks
from ridotto.web.live.table_cache import TableCache
from ridotto.web.live.table_writer import TableWriter
from ridotto.web.settings import Settings
from ridotto.web.storage import Storage
from ridotto.web.storage.clocks import SILENCE
from ridotto.web.storage.faults import DatabaseUnavailable

HEARTBEAT: Final = 3_000
"""Milliseconds between heartbeats while clocks run."""

log = logging.getLogger("ridotto.web")


class ClockService:
    """Looks at the clocks of all tables."""

    def __init__(
        self, settings: Settings, storage: Storage, tables: TableCache, writer: TableWriter, background: BackgroundTasks
    ) -> None:
        self.settings, self.storage, self.tables, self.writer = settings, storage, tables, writer
        self.background = background
        self._last_heartbeat = 0

    async def open(self) -> None:
        """Charge nobody for the time in which no server was up, and begin to look."""
        self._last_heartbeat = self.storage.milliseconds
        await self.storage.clocks.beat(self._last_heartbeat, 2 * HEARTBEAT if self.storage.database.is_shared else 0)
        self.background.start(self._run())

    async def _run(self) -> None:
        while not self.background.stopping.is_set():
            try:
                await self.tick()
            except DatabaseUnavailable as error:
                log.warning("nobody looked at the clocks", extra={"facts": {"error": str(error)}})
            await self.background.pause(self.settings.tick)

    async def tick(self) -> None:
        """Write a heartbeat if one is due, and end clocks that have run down; called every second."""
        now = self.storage.milliseconds
        if now - self._last_heartbeat >= HEARTBEAT:
            self._last_heartbeat = now
            if lost := await self.storage.clocks.beat(now, SILENCE):
                log.warning("no clock ran for a while", extra={"facts": {"seconds": lost // 1000}})
                for table in [table for table in self.tables.in_memory if table.state.extras.clocks]:
                    await self.tables.load(table.id)
        for expired, seat in await self.storage.clocks.expired(now):
            await self.writer.expire(expired, seat)
