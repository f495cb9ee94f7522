"""The raffle drawn as text."""

from __future__ import annotations

from ridotto.core.view import View
from toygame.words import Words


def text(view: View, words: Words) -> str:
    """The table as text."""
    return f"prize {view.position['prize']}"
