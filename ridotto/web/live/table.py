"""A table in memory: its match, its state, and those who are connected to it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from ridotto.core.match import Match
from ridotto.engine.fields import Seat
from ridotto.web.live.state import TableState
from ridotto.web.storage.table_info import TableInfo

LATEST: Final = 8
"""States that a slow subscriber is behind at the most; older ones are left out."""


@dataclass(eq=False)
class Subscriber:
    """A live connection: it is sent every state, unless it is too slow."""

    person: str
    generation: int = 0
    """That of the cookie by which it was opened."""
    waiting: deque[TableState] = field(default_factory=lambda: deque(maxlen=LATEST))
    is_over: bool = False
    """Whether there is nothing to be connected to any more."""
    _woken: asyncio.Future[None] | None = None
    """Done when there is something to do, while somebody waits for it."""
    _until: float = 0.0
    """The time when they have waited long enough, by the clock of the event loop."""
    _timer: asyncio.TimerHandle | None = None

    def send(self, state: TableState) -> None:
        self.waiting.append(state)
        self.wake()

    def end(self) -> None:
        """Let the connection end."""
        self.is_over = True
        self.wake()

    def wake(self) -> None:
        """Let whoever waits for a state look."""
        if self._woken is not None and not self._woken.done():
            self._woken.set_result(None)

    async def next(self, seconds: float) -> TableState | None:
        """The next state, or None if there is none within so many seconds, or the connection is to end."""
        if not self.waiting:
            loop = asyncio.get_running_loop()
            self._woken, self._until = loop.create_future(), loop.time() + seconds
            if self._timer is None:
                self._timer = loop.call_at(self._until, self._check_time)
            try:
                await self._woken
            except BaseException:  # the connection ends
                self._stop_timer()
                raise
            finally:
                self._woken = None
        return self.newest(self.waiting.popleft()) if self.waiting and not self.is_over else None

    def newest(self, state: TableState) -> TableState:
        """A state, or a later one that waits and differs in nothing but who is there."""
        while self.waiting and self.waiting[0] is not state and self.waiting[0].shows_same(state.serial):
            state = self.waiting.popleft()
        return state

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _check_time(self) -> None:
        """Wake whoever waits if it has been long enough, else look again then: states come more often than time runs out."""
        self._timer, loop = None, asyncio.get_running_loop()
        if self._woken is not None and loop.time() < self._until:
            self._timer = loop.call_at(self._until, self._check_time)
        else:
            self.wake()


@dataclass(eq=False)
class Table:
    """A match with people and bots around it."""

    info: TableInfo
    match: Match
    head: str
    """The hash of the last entry."""
    state: TableState
    heard: int = 0
    """The latest version that we have heard of."""
    is_current: bool = False
    """Whether this server would have heard of a later version."""
    used: int = 0
    """The time when somebody last asked for it, in milliseconds."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    subscribers: set[Subscriber] = field(default_factory=set)
    away_since: dict[str, int] = field(default_factory=dict)
    """Since when those who play are away, in milliseconds."""
    degraded: Mapping[Seat, str] = field(default_factory=dict)
    """The reason why bots think less than they would, by seat: see `ridotto.web.live.workers`."""
    begun: dict[Seat, int] = field(default_factory=dict)
    """The seats that are drafting a turn, as far as this server knows, with the ply at which they began."""
    thinking: dict[Seat, asyncio.Task[None]] = field(default_factory=dict)
    """The tasks of bots that are thinking."""

    @property
    def id(self) -> str:
        return self.info.id

    @property
    def is_behind(self) -> bool:
        """Whether the database has something newer, or may have."""
        return not self.is_current or self.heard > self.info.version

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
