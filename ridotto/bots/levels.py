"""Opponents for people: six levels, from beginner to full strength. The game's tuning has the settings of each level."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

from ridotto.bots.bot import Bot, Budget, Opinion, chances_of
from ridotto.bots.networks import Net, NetSearch, reason_against, say_once
from ridotto.bots.search import Search, SearchMemory
from ridotto.core import position
from ridotto.core.game import Game
from ridotto.core.tuning import LevelSettings
from ridotto.core.view import View
from ridotto.engine.fields import Target


@dataclass(frozen=True)
class Level:
    """An opponent for people. Each game has its own settings for the levels, so that they are evenly spaced in strength.

    They may differ with the number of seats. The strongest search with the game's network, where that can play.
    """

    level: int
    memory: SearchMemory | None = field(default=None, repr=False, compare=False)
    is_repeatable: ClassVar[bool] = True

    @property
    def name(self) -> str:
        return f"level:{self.level}"

    def settings(self, game: Game, seats: int) -> LevelSettings:
        """The settings of this level at a table of this size."""
        return game.tuning.levels_for(seats)[self.level - 1]

    def bot(self, view: View, target: Target = "cpu") -> Bot:
        """The bot that plays at this level. A network is played by compiled code alone."""
        from ridotto.bots.registry import find  # which finds levels, too

        level, game = self.settings(view.game, view.seats), view.game
        if level.bot and target != "python":
            return find(level.bot)
        if level.network is not None and target != "python":
            why = reason_against(game, view.seats, position.options_of(game, view.row))
            if why is None:
                playouts, temperature = level.network.playouts, level.network.temperature
                if not playouts:
                    return Net(self.name, temperature=temperature, overlook=level.network.overlook)
                return NetSearch(playouts, None, self.name, temperature, memory=self.memory)
            say_once(why)
        return self.search(view.game, view.seats)

    def search(self, game: Game, seats: int) -> Search:
        """The search of this level without a network."""
        level = self.settings(game, seats)
        return Search(level.playouts, None, self.name, level.temperature, settings=level.search, memory=self.memory)

    def choose(self, view: View, budget: Budget) -> int:
        return self.bot(view, budget.target).choose(view, budget)

    def chances(self, view: View) -> dict[int, float] | None:
        """The probability of each action, where it plays by a network alone; see `StatesChances`."""
        return chances_of(self.bot(view), view)

    def opinion(self, view: View, budget: Budget) -> Opinion:
        bot = self.bot(view, budget.target)
        return (bot if isinstance(bot, Search) else self.search(view.game, view.seats)).opinion(view, budget)

    def sit(self) -> Bot:
        return replace(self, memory=SearchMemory())
