"""When the server looks for garbage.

Nearly everything is freed at once, since almost nothing here refers to itself in a circle; but Python's collector looks at all
objects that are new since it last looked, and nothing else happens meanwhile. It counts objects made less objects freed, so
under load, where each action replaces as many old objects as it makes, it looks seldom and then for a tenth of a second and
longer. We look by the clock instead, often and briefly; at everything there is only in a quiet hour, or once a day.
"""

from __future__ import annotations

import gc
import time
from dataclasses import dataclass, field
from typing import Final

QUIET: Final = 0.002
"""Looking at what is new takes less than these seconds while next to nothing happens."""
CALM: Final = 300
"""So many quiet looks one after another are a quiet time: half a minute at ten a second."""
SELDOM, DAILY = 3600.0, 24 * 3600.0
"""Seconds between two looks at everything: at least, in a quiet time, and at most."""


@dataclass
class Collector:
    """Python's collector, told when to look; `look` is called some ten times a second."""

    calm: int = 0
    """How many looks in a row were quiet."""
    whole: float = field(default_factory=time.monotonic)
    """When everything was last looked at."""

    def start(self) -> None:
        """From now on nothing is looked at but by `look`. What is there now stays for good, and is left out."""
        gc.collect()
        gc.freeze()
        gc.disable()

    def look(self) -> None:
        """Free what refers to itself in a circle, among what is new since the last time."""
        began = time.monotonic()
        gc.collect(0)
        now = time.monotonic()
        self.calm = self.calm + 1 if now - began < QUIET else 0
        if now - self.whole > (SELDOM if self.calm >= CALM else DAILY):
            gc.collect()
            self.whole, self.calm = time.monotonic(), 0
