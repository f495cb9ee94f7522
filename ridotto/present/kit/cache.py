"""The one cache of everything that is drawn: by the arguments of the function that draws it."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, ParamSpec, TypeVar, cast
from weakref import WeakSet

P = ParamSpec("P")
T = TypeVar("T")

LIMIT: Final = 4096
"""The number of results of a function that are cached; those that were not used for longest go first."""

_CACHES: Final[WeakSet[Any]] = WeakSet()


def drawing(function: Callable[P, T]) -> Callable[P, T]:
    """Decorate a function that reads nothing but its arguments: what it returned is cached by them.

    The result comes again and again, so nobody may change it: return text, an item or a tuple, or leave a list alone. The
    arguments must be hashable, and should be few and small: the numbers that show, rather than a whole row.

    >>> @drawing
    ... def lamp(lit: bool) -> str:
    ...     return f"a lamp that is {'lit' if lit else 'dark'}"
    >>> lamp(True) is lamp(True)
    True
    """
    cached = lru_cache(LIMIT)(function)
    _CACHES.add(cached)
    return cast(Callable[P, T], cached)


def forget() -> None:
    """Forget everything that was drawn, for tests."""
    for cached in _CACHES:
        cached.cache_clear()
