"""The raffle drawn as text."""

from __future__ import annotations

from ridotto.core.view import View


def text(view: View) -> str:
    """The table as text."""
    return f"prize {view.position['prize']}"
