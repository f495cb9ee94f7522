"""Results that are worked out once for all who ask for them; as many as there is room for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from threading import Lock
from typing import Any, Final, TypeVar

Result = TypeVar("Result")
NOT_YET: Final = object()
MOST: Final = 256
"""Results that are kept: a table has about a hundred audiences at the most, by seat, language and address."""


class AsyncCache:
    """Results by key, `most` of them: the one that was not asked for longest goes first.

    Whoever asks while one is being worked out waits for it; one that failed is not kept.

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

    def __init__(self, most: int = MOST) -> None:
        self.most = most
        self._futures: dict[Hashable, asyncio.Future[Any]] = {}
        """Results that are being computed."""
        self._results: dict[Hashable, Any] = {}
        """By when they were last asked for, the latest at the end."""
        self._lock = Lock()
        """Held while the results change: pages are drawn in threads."""

    def __len__(self) -> int:
        return len(self._results)

    def now(self, key: Hashable, work: Callable[[], Result]) -> Result:
        """The result of a key that is worked out at once, if nobody has asked for it yet."""
        result = self._recall(key)
        if result is NOT_YET:
            result = work()
            self._keep(key, result)
        known: Result = result
        return known

    async def get(self, key: Hashable, work: Callable[[], Awaitable[Result]]) -> Result:
        """The result of a key; `work` is done if nobody has asked for it yet."""
        result = self._recall(key)
        if result is NOT_YET:
            future = self._futures.get(key)
            if future is None:
                future = self._futures[key] = asyncio.ensure_future(work())
                future.add_done_callback(lambda done: self._finish(key, done))
            result = await asyncio.shield(future)  # the others wait on when one of them gives up
        known: Result = result
        return known

    def forget(self, key: Hashable) -> None:
        """Work it out again when somebody asks."""
        with self._lock:
            self._results.pop(key, None)

    def _recall(self, key: Hashable) -> Any:
        with self._lock:
            result = self._results.pop(key, NOT_YET)
            if result is not NOT_YET:
                self._results[key] = result
        return result

    def _keep(self, key: Hashable, result: Any) -> None:
        with self._lock:
            self._results.pop(key, None)
            self._results[key] = result
            if len(self._results) > self.most:
                del self._results[next(iter(self._results))]

    def _finish(self, key: Hashable, done: asyncio.Future[Any]) -> None:
        del self._futures[key]
        if not done.cancelled() and done.exception() is None:
            self._keep(key, done.result())
