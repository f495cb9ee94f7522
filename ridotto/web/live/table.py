"""A table in memory: its match, its state, and those who are connected to it."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, field
from typing import Final

from ridotto.core.match import Match
from ridotto.engine.fields import Seat
from ridotto.web.live.state import TableState
from ridotto.web.storage.tables import TableInfo

LATEST: Final = 8
"""States that a slow subscriber is behind at the most; older ones are left out."""


@dataclass(eq=False)
class Subscriber:
    """A live connection: it is sent every state, unless it is too slow."""

    person: str
    waiting: deque[TableState] = field(default_factory=lambda: deque(maxlen=LATEST))
    bell: asyncio.Event = field(default_factory=asyncio.Event)

    def send(self, state: TableState) -> None:
        self.waiting.append(state)
        self.bell.set()

    async def next(self, seconds: float) -> TableState | None:
        """The next state, or None if there is none within so many seconds."""
        if not self.waiting:
            self.bell.clear()
            try:
                await asyncio.wait_for(self.bell.wait(), seconds)
            except TimeoutError:
                return None
        return self.waiting.popleft() if self.waiting else None


@dataclass(eq=False)
class Table:
    """A match with people and bots around it."""

    info: TableInfo
    match: Match
    head: str
    """The hash of the last entry."""
    state: TableState
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    subscribers: set[Subscriber] = field(default_factory=set)
    away_since: dict[str, int] = field(default_factory=dict)
    """Since when those who play are away, in milliseconds."""
    thinking: dict[Seat, asyncio.Task[None]] = field(default_factory=dict)
    """The tasks of bots that are thinking."""

    @property
    def id(self) -> str:
        return self.info.id

    @property
    def is_idle(self) -> bool:
        """Whether nobody is connected and nothing is under way."""
        return not (self.subscribers or self.thinking or self.lock.locked())

    def connected(self) -> frozenset[str]:
        """The people who are connected to this server."""
        return frozenset(one.person for one in self.subscribers)

    def note_absences(self, here: frozenset[str], now: int) -> None:
        """Note since when those who play and are not here have been away."""
        players = {person for person, seat in self.info.keys.items() if seat is not None}
        self.away_since = {person: self.away_since.get(person, now) for person in players - here}

    def away_longer_than(self, milliseconds: float, now: int) -> frozenset[str]:
        """Those who play and have been away for so long."""
        return frozenset(person for person, since in self.away_since.items() if since <= now - milliseconds)
