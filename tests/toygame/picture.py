"""A view drawn as SVG: the panels of the table. Everything is worked out from the view's own row."""

from __future__ import annotations

from typing import Final

from ridotto.core.drawing import Panel
from ridotto.core.view import View
from toygame.words import Words

STYLE: Final = ""
"""The classes of this game's drawing; see drawing.py."""

COLUMNS: Final[tuple[tuple[str, ...], ...]] = ()
"""The panels of a wide picture, column by column."""


def panels(view: View, words: Words) -> list[Panel]:
    """The parts of the table, the most important first: the order on a phone."""
    return []


def preview(view: View, words: Words, action: int) -> list[Panel]:
    """Nothing is drawn."""
    return []


def vignette(words: Words) -> tuple[list[str], str]:
    """A blank card."""
    return [], "0 0 2 1"
