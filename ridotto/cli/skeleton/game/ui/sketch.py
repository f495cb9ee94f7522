"""The table in a terminal, in Rich's markup."""

from __future__ import annotations

from ridotto.core.view import View

from ..rules import F
from .words import Words


def text(view: View, words: Words) -> str:
    """A bar as long as the count, and the goal."""
    total, goal = view.row[F.total], view.row[F.goal]
    return f"[yellow]{'█' * total}[/][dim]{'░' * (goal - total)}[/]  [bold]{total}[/] / {goal}"
