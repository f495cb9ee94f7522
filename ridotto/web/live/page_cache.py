"""Pages that are kept, so that whoever asks for the same gets it without its being drawn again.

A page is kept by a key that names everything it was drawn from. Nothing has to be forgotten when a table changes: its page has
another key then.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Iterator
from typing import Final

from ridotto.web.live.cache import AsyncCache

MOST_BYTES: Final = 48 * 1024 * 1024


class PageCache:
    """Texts by key, those used last; together no larger than `most` bytes.

    >>> import asyncio
    >>> async def draw() -> str:
    ...     return "12345"
    >>> pages = PageCache(10)
    >>> [asyncio.run(pages.get(key, draw)) for key in "abc"] and sorted(pages)
    ['b', 'c']
    """

    def __init__(self, most: int = MOST_BYTES) -> None:
        self.most, self.bytes = most, 0
        self._pages: OrderedDict[Hashable, str] = OrderedDict()
        self._drawing = AsyncCache(0)
        """Those that are being drawn; kept they are here, by their size."""

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._pages)

    async def get(self, key: Hashable, draw: Callable[[], Awaitable[str]]) -> str:
        """The page of a key; drawn if it is not kept."""
        found = self._pages.get(key)
        if found is not None:
            self._pages.move_to_end(key)
            return found
        page = await self._drawing.get(key, draw)
        if key not in self._pages:
            self._pages[key] = page
            self.bytes += len(page)
            while self.bytes > self.most:
                self.bytes -= len(self._pages.popitem(last=False)[1])
        return page
