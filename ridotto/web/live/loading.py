"""Reads tables from the database and replays their matches: a few at a time, those first that somebody waits for."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.web.live.drawing import DRAWING
from ridotto.web.live.fair_queue import ALONE, Asker, FairQueue
from ridotto.web.storage.entries import read_match
from ridotto.web.storage.table_info import Extras, TableInfo
from ridotto.web.storage.tables import TableStorage

SLOTS: Final = 2
"""Tables that are loaded at a time: one is read while another one is replayed."""
UNWANTED: Final = Asker(rank=ALONE)
"""The asker for tables that no person waits for: bots that owe a decision, reviews."""


def asker() -> Asker:
    """For whom this task works: whoever has sent the request, or nobody."""
    drawing = DRAWING.get()
    return UNWANTED if drawing is None else drawing.asker


class LoadedTable(NamedTuple):
    """A table as it was read."""

    info: TableInfo
    extras: Extras
    match: Match
    head: str
    is_current: bool
    """Whether nobody has told of a change since."""


@dataclass(eq=False)
class Reading:
    """A table that is being read."""

    id: str
    is_current: bool = True
    """Whether nobody has told of a change since it began."""


class TableLoader:
    """The queue of those who wait for a table: after a restart everybody comes at once."""

    def __init__(self, tables: TableStorage, games: Mapping[str, Game]) -> None:
        self._tables, self._games = tables, games
        self._queue = FairQueue(SLOTS)
        self._readings: set[Reading] = set()

    async def load(self, id: str) -> LoadedTable | None:
        """A table, in the order of the queue; None if there is none."""
        async with self._queue.turn(asker()) as turn:
            loaded, turn.used = await self._load(id)
            return loaded

    async def load_at_once(self, id: str) -> LoadedTable | None:
        """The same for whoever has a turn already."""
        return (await self._load(id))[0]

    def note_changes(self, ids: Collection[str]) -> None:
        """Somebody has told that tables have changed."""
        for one in self._readings:
            one.is_current = one.is_current and one.id not in ids

    async def _load(self, id: str) -> tuple[LoadedTable | None, float]:
        """The table, and the seconds of CPU time that its match has taken."""
        reading = Reading(id)
        self._readings.add(reading)
        try:
            if (found := await self._tables.load(id)) is None:
                return None, 0.0
            info, extras, document = found
            match, head, seconds = await asyncio.to_thread(self._replay, document)
            return LoadedTable(info, extras, match, head, reading.is_current), seconds
        finally:
            self._readings.discard(reading)

    def _replay(self, document: dict[str, Any]) -> tuple[Match, str, float]:
        began = time.thread_time()
        match, head = read_match(document, self._games)
        return match, head, time.thread_time() - began
