"""Turns at a database: only so many at a time, and nobody waits for long at one that does not answer."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

from ridotto.web.storage.faults import DatabaseUnavailable

PATIENCE: Final = 2.0
"""Seconds that a server waits for an answer of the database, before a request is answered with 503."""
REST: Final = 1.0
"""Seconds for which nothing is tried after the database has not answered."""
TICK: Final = 0.1
"""Seconds between looks at whether it has answered."""


@asynccontextmanager
async def answered_within(seconds: float | None) -> AsyncIterator[None]:
    """Raise TimeoutError if this takes longer; None: it may take as long as it takes.

    Only time in which the event loop came round as it should is counted: where this process has too much to do, or gets no
    processor, an answer may be there that nobody has looked at.
    """
    if seconds is None:
        yield
        return
    loop, left = asyncio.get_running_loop(), seconds
    timer: asyncio.TimerHandle
    async with asyncio.timeout(None) as timeout:

        def count() -> None:
            nonlocal left, timer
            now = loop.time()
            if now - timer.when() < TICK / 2:
                left -= TICK
            if left > 0:
                timer = loop.call_at(now + TICK, count)
            else:
                timeout.reschedule(now)

        timer = loop.call_later(TICK, count)
        try:
            yield
        finally:
            timer.cancel()


class Turns:
    """Gives `count` turns at a time, in the order in which they were asked for.

    However many wait, they wait on as long as those who have a turn are answered. When somebody has waited in vain, all others
    are refused at once, for a moment: the database hangs, and they would not be answered either.
    """

    def __init__(self, count: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._room = asyncio.Semaphore(count)
        self._answered = self._failed = -math.inf

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a turn, and have it; raises DatabaseUnavailable, as whoever has it does if there is no answer."""
        self._check()
        async with self._room:
            self._check()
            try:
                yield
            except DatabaseUnavailable:
                self._failed = self.clock()
                raise
            self._answered = self.clock()

    def _check(self) -> None:
        """Refuse at once if somebody has just waited in vain."""
        if self._failed >= self._answered and self.clock() - self._failed < REST:
            raise DatabaseUnavailable("the database does not answer")
