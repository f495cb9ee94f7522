"""A view drawn as SVG: the panels of the table. Everything is worked out from the view's own row."""

from __future__ import annotations

from typing import Final

from ridotto.core.drawing import Panel
from ridotto.core.view import View

STYLE: Final = ""
"""The classes of this game's drawing; see drawing.py."""

COLUMNS: Final[tuple[tuple[str, ...], ...]] = ()
"""The panels of a wide picture, column by column."""


def panels(view: View) -> list[Panel]:
    """The parts of the table, the most important first: the order on a phone."""
    return []
