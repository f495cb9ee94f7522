"""Work that goes on beside requests, until it or the server ends."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from contextvars import copy_context
from typing import Any, Final

from ridotto.web.live.usage import USAGE

PATIENCE: Final = 5.0
"""Seconds that tasks have to end when the server stops."""


class BackgroundTasks:
    """The tasks of a server."""

    def __init__(self) -> None:
        self.stopping = asyncio.Event()
        """Set when the server is told to stop: nothing new is begun then."""
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[None]:
        """Let something go on beside."""
        context = copy_context()
        context.run(USAGE.set, None)  # it outlives the request that has begun it
        task: asyncio.Task[None] = asyncio.create_task(work, context=context)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def pause(self, seconds: float) -> None:
        """Wait for so many seconds, or until the server stops."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.stopping.wait(), seconds)

    async def close(self) -> None:
        """Wait for the tasks to end, and cancel those that take too long."""
        self.stopping.set()
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=PATIENCE)
            for task in late:
                task.cancel()
