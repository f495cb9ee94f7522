"""Bots that do not search: `random` plays any legal action, `greedy` by the policy of the game's `ai/bot.py`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ridotto.bots.bot import Bot, Budget, Opinion
from ridotto.core.view import View


@dataclass(frozen=True)
class Random:
    """Plays any legal action, each with the same probability."""

    name: str = "random"
    is_repeatable: ClassVar[bool] = True

    def choose(self, view: View, budget: Budget) -> int:
        build = view.game.build()
        return int(view.legal[build.dice.draw(build.generator(budget.seed), len(view.legal))])

    def chances(self, view: View) -> dict[int, float]:
        """Equal probabilities; see `StatesChances`."""
        return dict.fromkeys(view.legal, 1 / len(view.legal))

    def opinion(self, view: View, budget: Budget) -> Opinion | None:
        return None

    def sit(self) -> Bot:
        return self


@dataclass(frozen=True)
class Greedy:
    """Plays by the policy of the game's `ai/bot.py`, without a search."""

    name: str = "greedy"
    is_repeatable: ClassVar[bool] = True

    def choose(self, view: View, budget: Budget) -> int:
        assert view.seat is not None
        build = view.game.build(budget.target)
        row, mask = build.copy(view.row), build.mask()
        build.rules.legal(row, view.seat, mask)
        dice, events = build.generator(budget.seed), build.events(muted=True)
        return int(build.bot.policy(row, view.seat, mask, dice, events, build.scratch()))

    def opinion(self, view: View, budget: Budget) -> Opinion | None:
        return None

    def sit(self) -> Bot:
        return self
