"""Opponents for people: five levels, from beginner to full strength. The game's tuning has the settings of each level."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

from ridotto.bots.bot import Bot, Budget, Opinion
from ridotto.bots.search import Search, SearchMemory
from ridotto.core.game import Game
from ridotto.core.view import View


@dataclass(frozen=True)
class Level:
    """An opponent for people. Each game has its own settings for the levels, so that they are evenly spaced in strength."""

    level: int
    memory: SearchMemory | None = field(default=None, repr=False, compare=False)
    is_repeatable: ClassVar[bool] = True

    @property
    def name(self) -> str:
        return f"level:{self.level}"

    def search(self, game: Game) -> Search:
        """The search of this level for a game."""
        level = game.tuning.levels[self.level - 1]
        return Search(level.playouts, None, self.name, level.temperature, settings=level.search, memory=self.memory)

    def choose(self, view: View, budget: Budget) -> int:
        return self.search(view.game).choose(view, budget)

    def opinion(self, view: View, budget: Budget) -> Opinion:
        return self.search(view.game).opinion(view, budget)

    def sit(self) -> Bot:
        return replace(self, memory=SearchMemory())
