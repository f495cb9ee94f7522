"""The features of a game without an `ai/features.py`: none."""

from __future__ import annotations

from ridotto.engine.build import compiled
from ridotto.engine.fields import Mask, Row, Seat

COUNT = 0
"""The number of inputs."""


@compiled
def compute(s: Row, seat: Seat, mask: Mask, scratch: Row, out: list[float], at: int) -> None:
    """Compute nothing."""
