"""What a network is shown besides the row, for a game without a `ai/features.py`: nothing."""

from __future__ import annotations

from ridotto.engine.build import compiled
from ridotto.engine.fields import Mask, Row, Seat

COUNT = 0
"""How many numbers there are."""


@compiled
def look(s: Row, seat: Seat, mask: Mask, scratch: Row, out: list[float], at: int) -> None:
    """Nothing is worked out."""
