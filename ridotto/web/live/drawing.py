"""Work that a request has done in a thread: drawing a page, verifying a record.

A few at a time, so that clicks at tables get through, and in turns: whoever asks for many costly pages waits for the others.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, Final, NamedTuple, TypeVar

from ridotto.present.narrator import mark
from ridotto.web.errors import TooMany
from ridotto.web.live.fair_queue import Asker, FairQueue
from ridotto.web.live.usage import USAGE

Result = TypeVar("Result")
SLOTS: Final = 2
"""Threads that draw at a time."""


class Drawing(NamedTuple):
    """For whom a request is worked on, where, and how much may wait there for one address."""

    queue: FairQueue
    asker: Asker
    most: int


DRAWING: Final[ContextVar[Drawing | None]] = ContextVar("drawing", default=None)
"""Set for each request."""


async def in_thread(work: Callable[..., Result], *given: Any) -> Result:
    """The result of `work`, computed in a thread by the fair queue; raises TooMany if too much waits for one address."""
    drawing = DRAWING.get()
    if drawing is not None and drawing.queue.waiting_at(drawing.asker.address) >= drawing.most:
        raise TooMany(mark("too many requests: wait a moment"), wait=2)
    return await in_turn(work, *given)


async def in_turn(work: Callable[..., Result], *given: Any) -> Result:
    """The same, however much waits: for what others may wait for as well, who should not be refused with whoever came first."""
    drawing = DRAWING.get()
    if drawing is None:
        return await asyncio.to_thread(work, *given)
    async with drawing.queue.turn(drawing.asker) as turn:

        def timed() -> Result:
            began = time.thread_time()
            try:
                return work(*given)
            finally:
                turn.used = time.thread_time() - began

        try:
            return await asyncio.to_thread(timed)
        finally:
            if (usage := USAGE.get()) is not None:
                usage.in_threads += turn.used
