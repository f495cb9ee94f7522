"""Times at which the server collects garbage.

Nearly everything is freed at once, since almost nothing here refers to itself in a circle; but Python's collector looks at all
objects that are new since it last looked, and nothing else happens meanwhile. It counts objects made less objects freed, so
under load, where each action replaces as many old objects as it makes, it looks seldom and then for a tenth of a second and
longer. We look by the clock instead, often and briefly; at everything there is only in a quiet hour, or once a day.

Beside Python's own rhythm with `gc.freeze` after the start, both in one run on a busy machine of two cores: at 200 tables
there is no difference (7.1 and 6.8 ms of CPU an action, 99 of 100 actions seen within 61 and 60 ms); at 600 tables it is 35
and 203 ms for half of the actions, 0.7 and 2.8 s for 99 of 100, 5.8 and 6.7 ms of CPU (`python -m bench.load --quick --stages
tables --setups sqlite --tables 600 --playing 30 --beside CHECKOUT`). A closed connection leaves nothing to look for;
pages leave some, since Jinja and SQLAlchemy make circles. What is of the last seconds is looked at once a second, which costs
too little to see.
"""

from __future__ import annotations

import gc
import time
from dataclasses import dataclass, field
from typing import Final

QUIET: Final = 0.002
"""Looking at what is new takes less than these seconds while next to nothing happens."""
OLDER: Final = 10
"""Each look of so many is at what is a few seconds old as well: what was in use at the look before."""
CALM: Final = 300
"""So many quiet looks one after another are a quiet time: half a minute at ten a second."""
SELDOM, DAILY = 3600.0, 24 * 3600.0
"""Seconds between two looks at everything: at least, in a quiet time, and at most."""


@dataclass
class Collector:
    """Python's collector, told when to look; `look` is called some ten times a second."""

    calm: int = 0
    """Quiet looks in a row."""
    collections: int = 0
    whole: float = field(default_factory=time.monotonic)
    """The time of the last full collection."""

    def start(self) -> None:
        """From now on nothing is looked at but by `collect`. What is there now stays for good, and is left out."""
        gc.collect()
        gc.freeze()
        gc.disable()

    def collect(self) -> None:
        """Free what refers to itself in a circle, among what is new since the last time."""
        began = time.monotonic()
        self.collections += 1
        gc.collect(0 if self.collections % OLDER else 1)
        now = time.monotonic()
        self.calm = self.calm + 1 if now - began < QUIET else 0
        if now - self.whole > (SELDOM if self.calm >= CALM else DAILY):
            gc.collect()
            self.whole, self.calm = time.monotonic(), 0
