"""Results that are worked out once for all who ask for them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Any, Final, TypeVar

Result = TypeVar("Result")
NOT_YET: Final = object()


class AsyncCache:
    """Results by key. Whoever asks while one is being worked out waits for it; one that failed is not kept.

    >>> async def ask() -> None:
    ...     cache, tries = AsyncCache(), []
    ...     async def work() -> int:
    ...         tries.append(1)
    ...         return 1 // (len(tries) - 1)
    ...     for _ in range(3):
    ...         try:
    ...             print(await cache.get("key", work))
    ...         except ZeroDivisionError:
    ...             print("failed")
    >>> asyncio.run(ask())
    failed
    1
    1
    """

    def __init__(self) -> None:
        self._futures: dict[Hashable, asyncio.Future[Any]] = {}
        self._results: dict[Hashable, Any] = {}

    def now(self, key: Hashable, work: Callable[[], Result]) -> Result:
        """The result of a key that is worked out at once, if nobody has asked for it yet."""
        known = self._results.get(key, NOT_YET)
        if known is NOT_YET:
            known = self._results[key] = work()
        found: Result = known
        return found

    async def get(self, key: Hashable, work: Callable[[], Awaitable[Result]]) -> Result:
        """The result of a key; `work` is done if nobody has asked for it yet."""
        future = self._futures.get(key)
        if future is None:
            future = self._futures[key] = asyncio.ensure_future(work())
            future.add_done_callback(lambda done: self._forget_failure(key, done))
        found: Result = await asyncio.shield(future)  # the others wait on when one of them gives up
        return found

    def forget(self, key: Hashable) -> None:
        """Work it out again when somebody asks."""
        self._futures.pop(key, None)

    def _forget_failure(self, key: Hashable, done: asyncio.Future[Any]) -> None:
        if done.cancelled() or done.exception() is not None:
            self.forget(key)
