"""Opponents for people: five levels, from a friendly beginner to full strength. How each thinks, a game's tuning says."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

from ridotto.bots.bot import Bot, Budget, Opinion
from ridotto.bots.search import Search, SearchMemory
from ridotto.core.game import Game
from ridotto.core.view import View


@dataclass(frozen=True)
class Level:
    """An opponent for people. What a level means was found for each game, so that they are evenly spaced in strength."""

    level: int
    memory: SearchMemory | None = field(default=None, repr=False, compare=False)
    is_repeatable: ClassVar[bool] = True

    @property
    def name(self) -> str:
        return f"level:{self.level}"

    def search(self, game: Game) -> Search:
        """How it thinks about a game."""
        given = game.tuning.levels[self.level - 1]
        return Search(given.playouts, None, self.name, given.temperature, settings=given.search, memory=self.memory)

    def choose(self, view: View, budget: Budget) -> int:
        return self.search(view.game).choose(view, budget)

    def opinion(self, view: View, budget: Budget) -> Opinion:
        return self.search(view.game).opinion(view, budget)

    def sit(self) -> Bot:
        return replace(self, memory=SearchMemory())
