"""The plan of the house: the place of each room in its panel."""

from __future__ import annotations

from typing import Final

from ridotto.games.fantome.ui.sketch import AT
from ridotto.present import kit

WIDE: Final = 2 * kit.WIDE
"""The width of the house and the track."""
HOUSE_TALL: Final = 500
ROOM_WIDE, ROOM_TALL = 167, 128
LEFT: Final = (14, 189, 364, 539)
"""The left side of each column of rooms."""
TOP: Final = (58, 208, 358)
"""The ceiling of each floor."""
WALL, SLAB = 8, 22


def corner(room: int) -> tuple[int, int]:
    """The upper left corner of a room."""
    column, floor = AT[room]
    return LEFT[column], TOP[floor]


def middle(room: int) -> tuple[float, float]:
    """The middle of a room."""
    x, y = corner(room)
    return x + ROOM_WIDE / 2, y + ROOM_TALL / 2
