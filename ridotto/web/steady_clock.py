"""A clock that nobody can set: it goes on from when it was made, whatever is done to the clock of the machine."""

from __future__ import annotations

import time
from dataclasses import dataclass, field


@dataclass(frozen=True)
class SteadyClock:
    """Seconds since 1970 by the machine's clock at one moment, and by what has passed since.

    A player has neither more nor less time because the machine's clock was set. Where several servers share a database they all
    take the moment from there.
    """

    at: float = field(default_factory=time.time)
    since: float = field(default_factory=lambda: _passed())

    def __call__(self) -> float:
        return self.at + _passed() - self.since


def _passed() -> float:
    """Seconds since some moment; with those in which the machine slept, where the system counts them."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()
