"""Opponents for people: five levels, from a friendly beginner to full strength."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Final

from ridotto.bots.bot import Bot, Budget, Opinion
from ridotto.bots.search import Search, _Memory
from ridotto.core.view import View

BEGINNER: Final = (("random", 1000),)
"""Somebody who cannot tell yet where a position leads."""
LEVELS: Final[dict[str, tuple[dict[str, Any], ...]]] = {
    "fantome": (
        {"playouts": 30, "temperature": 0.2, "knobs": BEGINNER},
        {"playouts": 30, "temperature": 0.125},
        {"playouts": 60, "temperature": 0.06},
        {"playouts": 300, "temperature": 0.015},
        {"playouts": 10_000},
    ),
    "opera": (
        {"playouts": 30, "temperature": 0.2, "knobs": BEGINNER},
        {"playouts": 60, "temperature": 0.09},
        {"playouts": 80, "temperature": 0.033},
        {"playouts": 200},
        {"playouts": 10_000},
    ),
    "turandot": (
        {"playouts": 30, "temperature": 0.35, "knobs": BEGINNER},
        {"playouts": 30, "temperature": 0.18},
        {"playouts": 100, "temperature": 0.048},
        {"playouts": 200, "temperature": 0.018},
        {"playouts": 10_000},
    ),
}
"""How the opponents for people think, from a friendly beginner to full strength: evenly spaced, as docs/strength.md shows."""


@dataclass(frozen=True)
class Level:
    """An opponent for people. What a level means was found for each game, so that they are evenly spaced in strength."""

    level: int
    memory: _Memory | None = field(default=None, repr=False, compare=False)

    @property
    def name(self) -> str:
        return f"level:{self.level}"

    def search(self, game: str) -> Search:
        """How it thinks about a game."""
        return Search(name=self.name, memory=self.memory, **LEVELS.get(game, LEVELS["fantome"])[self.level - 1])

    def choose(self, view: View, budget: Budget) -> int:
        return self.search(view.game.name).choose(view, budget)

    def opinion(self, view: View, budget: Budget) -> Opinion:
        return self.search(view.game.name).opinion(view, budget)

    def sit(self) -> Bot:
        return replace(self, memory=_Memory())
