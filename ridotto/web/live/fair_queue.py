"""A queue in which nobody waits for somebody who asks for much: turns go to whoever has used least."""

from __future__ import annotations

import asyncio
import math
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final, NamedTuple

MEMORY: Final = 60.0
"""Seconds after which about a third of what somebody has used still counts."""
LATE: Final = 0.4
"""Seconds of waiting from which on there is more to do than time for it."""
MOST: Final = 20_000
"""People and addresses whose use is remembered."""

PLAYING, BESIDE, ALONE, UNASKED = range(4)
"""Who goes first: bots that people wait for, work beside a match such as a review, tables of bots alone, and what nobody has
asked for."""


class Asker(NamedTuple):
    """For whom something is done."""

    person: str = ""
    address: str = ""
    """The network address that they come from; "" if it is not known."""
    rank: int = PLAYING


NOBODY: Final = Asker()
"""Whoever is not known."""


@dataclass(eq=False)
class Turn:
    """What somebody waits for, and then has."""

    asker: Asker
    asked: float
    granted: asyncio.Future[None]
    used: float = 0.0
    """Seconds of CPU time; whoever has the turn fills them in."""


@dataclass
class Use:
    """What everybody has used lately, in seconds; it fades."""

    clock: Callable[[], float]
    _used: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict)
    """How much, and when that was so."""

    def of(self, key: str) -> float:
        used, then = self._used.get(key, (0.0, 0.0))
        return used * math.exp((then - self.clock()) / MEMORY)

    def add(self, key: str, seconds: float) -> None:
        self._used[key] = self.of(key) + seconds, self.clock()
        self._used.move_to_end(key)
        if len(self._used) > MOST:
            self._used.popitem(last=False)


class FairQueue:
    """Gives `slots` turns at a time: by rank, then to the address, then to the person that has used the least CPU time lately.

    Those for whom nobody waits never have all the slots, if there is more than one.
    """

    def __init__(self, slots: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.slots, self.clock = slots, clock
        self.busy: set[Turn] = set()
        self._waiting: dict[Asker, deque[Turn]] = {}
        self._use = Use(clock)
        self._late_until = 0.0

    @property
    def is_late(self) -> bool:
        """Whether those who play wait longer than they should for others, or did a moment ago.

        Somebody whose own bots have much to think about may wait for them: that is what they asked for.
        """
        now = self.clock()
        people = {turn.asker.person for turn in self.busy} | {asker.person for asker in self._waiting}
        if len(people) > 1 and any(a.rank == PLAYING and now - turns[0].asked > LATE for a, turns in self._waiting.items()):
            self._late_until = now + 2.0
        return now < self._late_until

    @property
    def waiting(self) -> int:
        return sum(map(len, self._waiting.values()))

    def waiting_at(self, address: str) -> int:
        """How many turns those of one address wait for."""
        return sum(len(turns) for asker, turns in self._waiting.items() if asker.address == address)

    @asynccontextmanager
    async def turn(self, asker: Asker) -> AsyncIterator[Turn]:
        """Wait for a turn, and have it."""
        turn = Turn(asker, self.clock(), asyncio.get_running_loop().create_future())
        self._waiting.setdefault(asker, deque()).append(turn)
        self._grant()
        try:
            await turn.granted
            yield turn
        finally:
            if turn in self.busy:
                self.busy.discard(turn)
                self._use.add(f"person {asker.person}", turn.used)
                self._use.add(f"address {asker.address}", turn.used)
            else:
                self._leave(turn)
            self._grant()

    def _leave(self, turn: Turn) -> None:
        turns = self._waiting.get(turn.asker)
        if turns is not None and turn in turns:
            turns.remove(turn)
            if not turns:
                del self._waiting[turn.asker]

    def _grant(self) -> None:
        """Give the free slots away."""
        while len(self.busy) < self.slots and (asker := self._next()) is not None:
            turn = self._waiting[asker][0]
            self._leave(turn)
            if turn.granted.done():  # whoever asked has gone
                continue
            self.busy.add(turn)
            turn.granted.set_result(None)

    def _next(self) -> Asker | None:
        """Whose turn it is."""
        alone = sum(turn.asker.rank >= ALONE for turn in self.busy)
        is_full = alone >= max(1, self.slots - 1)
        askers = [asker for asker in self._waiting if asker.rank < ALONE or not is_full]
        return min(askers, key=self._order, default=None)

    def _order(self, asker: Asker) -> tuple[float, ...]:
        at_work = sum(turn.asker.person == asker.person for turn in self.busy)
        use = self._use.of
        return (
            asker.rank,
            at_work,
            use(f"address {asker.address}"),
            use(f"person {asker.person}"),
            self._waiting[asker][0].asked,
        )
