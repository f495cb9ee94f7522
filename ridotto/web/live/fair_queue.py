"""A queue in which nobody waits for somebody who asks for much: turns go to whoever has used least."""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final, NamedTuple

MEMORY: Final = 60.0
"""Seconds after which about a third of what somebody has used still counts."""
LATE: Final = 0.4
"""Seconds of waiting from which on there is more to do than time for it."""
CALM: Final = 3.0
"""Seconds since somebody last waited for a bot after which work begins that nobody has asked for."""
MOST: Final = 20_000
"""People and addresses whose use is remembered."""

PLAYING, BESIDE, ALONE, UNASKED = range(4)
"""Ranks, the first served first: bots that people wait for, work beside a match such as a review, tables of bots alone,
and work that nobody has asked for."""


class Asker(NamedTuple):
    """For whom something is done."""

    person: str = ""
    address: str = ""
    """The network address that they come from; "" if it is not known."""
    rank: int = PLAYING


NOBODY: Final = Asker()
"""An unknown asker."""


@dataclass(eq=False)
class Turn:
    """A place in the queue, and then a slot."""

    asker: Asker
    asked: float
    granted: asyncio.Future[None]
    used: float = 0.0
    """Seconds of CPU time; whoever has the turn fills them in."""


@dataclass
class Use:
    """CPU time lately used by each, in seconds; it fades."""

    clock: Callable[[], float]
    _used: OrderedDict[str, float] = field(default_factory=OrderedDict)
    """The logarithm of what it would be at the clock's zero: since all fades alike, it need not be worked out to compare."""

    def order(self, key: str) -> float:
        """Greater for those who have used more."""
        return self._used.get(key, -math.inf)

    def of(self, key: str) -> float:
        return math.exp(self.order(key) - self.clock() / MEMORY)

    def add(self, key: str, seconds: float) -> None:
        if (used := self.of(key) + seconds) > 0:
            self._used[key] = math.log(used) + self.clock() / MEMORY
            self._used.move_to_end(key)
        if len(self._used) > MOST:
            self._used.popitem(last=False)


class FairQueue:
    """Gives `slots` turns at a time: by rank, then to the address, then to the person that has used the least CPU time lately.

    Work beside the playing never has all the slots, if there is more than one; and what nobody has asked for waits until nobody
    has waited for a bot for a while. So it is to be asked for in short pieces.
    """

    def __init__(self, slots: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.slots, self.clock = slots, clock
        self.busy: set[Turn] = set()
        self._waiting: dict[Asker, deque[Turn]] = {}
        self._by_person, self._by_address = Use(clock), Use(clock)
        self._late_until = 0.0
        self._played = -math.inf
        """The time when somebody last waited for a bot."""
        self._timer: asyncio.TimerHandle | None = None

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
        """The number of turns that wait for one address."""
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
                self._by_person.add(asker.person, turn.used)
                self._by_address.add(asker.address, turn.used)
                if asker.rank == PLAYING:
                    self._played = self.clock()
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
        """The asker whose turn it is."""
        beside = sum(turn.asker.rank > PLAYING for turn in self.busy)
        is_full = beside >= max(1, self.slots - 1)
        at_work, waiting = Counter(turn.asker.person for turn in self.busy), self._waiting
        by_person, by_address = self._by_person.order, self._by_address.order

        def order(asker: Asker) -> tuple[float, ...]:
            person, address, rank = asker
            return rank, at_work.get(person, 0), by_address(address), by_person(person), waiting[asker][0].asked

        asker = min((one for one in waiting if one.rank == PLAYING or not is_full), key=order, default=None)
        return asker if asker is None or asker.rank < UNASKED or self._is_calm() else None

    def _is_calm(self) -> bool:
        """Whether nobody waits for a bot, nor did a moment ago; if not, look again later."""
        if any(turn.asker.rank == PLAYING for turn in self.busy):
            return False
        left = self._played + CALM - self.clock()
        if left > 0 and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(left, self._look_again)
        return left <= 0

    def _look_again(self) -> None:
        self._timer = None
        self._grant()
