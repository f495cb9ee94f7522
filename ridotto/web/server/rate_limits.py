"""Rate limits: a token bucket for each key, refilled at a steady rate."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from ridotto.web.settings import Rate, Settings

MOST: Final = 20_000
"""Buckets kept; those that were not used for longest go first, and would be full again by then."""


class RateLimit:
    """A bucket for each key.

    >>> now = [0.0]
    >>> limit = RateLimit(Rate(2, 0.5), clock=lambda: now[0])
    >>> [limit.take("a"), limit.take("a"), limit.take("a"), limit.take("b")]
    [0.0, 0.0, 2.0, 0.0]
    >>> now[0] = 2.0
    >>> limit.take("a")
    0.0
    """

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate = rate
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """The tokens left in each bucket, with the time."""

    def take(self, key: str) -> float:
        """Take a token: 0, or the seconds until there is one."""
        now = self._clock()
        left = self._left(key, now)
        self._keep(key, left - 1 if left >= 1 else left, now)
        return 0.0 if left >= 1 else (1 - left) / self.rate.each_second

    def wait(self, key: str) -> float:
        """The seconds until there is a token, without taking it."""
        left = self._left(key, self._clock())
        return 0.0 if left >= 1 else (1 - left) / self.rate.each_second

    def _left(self, key: str, now: float) -> float:
        left, then = self._buckets.get(key, (float(self.rate.burst), now))
        return min(float(self.rate.burst), left + (now - then) * self.rate.each_second)

    def _keep(self, key: str, left: float, now: float) -> None:
        self._buckets[key] = (left, now)
        self._buckets.move_to_end(key)
        if len(self._buckets) > MOST:
            self._buckets.popitem(last=False)


class RateLimits:
    """Everything whose rate is limited."""

    def __init__(self, settings: Settings) -> None:
        self.by_address = RateLimit(settings.by_address)
        self.by_person = RateLimit(settings.by_person)
        self.guesses = RateLimit(settings.guesses)
        self.names = RateLimit(settings.names)
        self.chat = RateLimit(settings.chat)
        self.exports = RateLimit(settings.exports)
        self.sign_ins = RateLimit(settings.sign_ins)
