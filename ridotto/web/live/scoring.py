"""Scores finished tables: beside whatever goes on, so that no action waits for it; what a dead server left as well."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import Final

from ridotto.core.game import Game
from ridotto.web.errors import NoTable
from ridotto.web.live.background import BackgroundTasks
from ridotto.web.live.publisher import Publisher
from ridotto.web.live.table import Table
from ridotto.web.live.table_cache import TableCache
from ridotto.web.storage.faults import DatabaseUnavailable
from ridotto.web.storage.results import ResultStorage

TOGETHER: Final = 50
"""Tables that are looked for at a time."""
OFTEN: Final = 60.0
"""Seconds between looks for tables that ended without anybody here noticing."""

log = logging.getLogger("ridotto.web")


class Scorer:
    """One server's part in the scoring of tables."""

    def __init__(
        self,
        results: ResultStorage,
        tables: TableCache,
        publisher: Publisher,
        background: BackgroundTasks,
        games: Mapping[str, Game],
    ) -> None:
        self.results, self.tables, self.background, self.games = results, tables, background, games
        self._lock = asyncio.Lock()
        """One table at a time: ratings follow one another."""
        publisher.on_change.append(self._changed)

    def open(self) -> None:
        self.background.start(self._watch())

    def _changed(self, table: Table) -> None:
        """A table has changed: perhaps its match is over now."""
        if table.info.state == "over" and not table.info.scored and not self._lock.locked():
            self.background.start(self.catch_up())

    async def _watch(self) -> None:
        while not self.background.stopping.is_set():
            await self.catch_up()
            await self.background.pause(OFTEN)

    async def catch_up(self) -> None:
        """Score every finished table that has no results yet, in the order in which they ended."""
        async with self._lock:
            try:
                while not self.background.stopping.is_set() and (waiting := await self.results.unscored(TOGETHER)):
                    for table, game in waiting:
                        if await self.results.score(table, self.games.get(game)) and self.tables.cached(table) is not None:
                            await self.tables.load(table)
            except DatabaseUnavailable as error:
                log.warning("tables were not scored", extra={"facts": {"error": str(error)}})
            except NoTable:
                pass  # it was deleted meanwhile
