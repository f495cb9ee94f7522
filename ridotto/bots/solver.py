"""The solving bot: it draws from a mixed strategy of the game's own `ai/solver.py`.

Not every game has a solver, and a solver knows one box: elsewhere the search plays, with one line in the log.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Final, cast

from ridotto.bots.bot import Bot, Budget, Opinion, Ranked
from ridotto.bots.networks import compiled_target
from ridotto.bots.search import DRAW_PARTS, Search
from ridotto.core.game import Game
from ridotto.core.view import View
from ridotto.engine.copies import source
from ridotto.engine.fields import Target
from ridotto.present.protocols import Solver as GameSolver

SUBSTITUTE: Final = 10_000
"""The playouts of the search that plays where there is no solver."""

log = logging.getLogger(__name__)


@cache
def solver_of(game: Game, target: Target = "cpu") -> GameSolver | None:
    """The solver of a game, which is compiled in any case; None if it has none."""
    name = f"{game.package}.ai.solver"
    return cast(GameSolver, game.build(target).extend(name)) if source(name) else None


def reason_against(game: Game, target: Target = "cpu") -> str | None:
    """The reason why a game has no solution here; None if it has one."""
    solver = solver_of(game, target)
    return f"{game.name} has no solver" if solver is None else solver.reason_against(game.build(target))


@cache
def _say_once(why: str) -> None:
    log.warning("%s: the search plays instead", why)


@dataclass(frozen=True)
class Solver:
    """Plays by a game's solver, with a number of iterations or a time for each decision."""

    iterations: int | None = 100
    seconds: float | None = None
    name: str = "solver"
    clock: Callable[[], float] = field(default=time.perf_counter, repr=False)
    memory: dict[bytes, object] | None = field(default=None, repr=False, compare=False)
    """Earlier solutions of the same match."""

    @property
    def is_repeatable(self) -> bool:
        return self.seconds is None

    def sit(self) -> Bot:
        return replace(self, memory={})

    def choose(self, view: View, budget: Budget) -> int:
        if len(view.legal) == 1:
            return view.legal[0]
        opinion = self.opinion(view, budget)
        if opinion is None:
            return self._substitute().choose(view, budget)
        build = view.game.build(compiled_target(budget.target))
        point = build.dice.draw(build.generator(budget.seed, 1), DRAW_PARTS) / DRAW_PARTS
        for one in opinion.ranked:
            point -= one.share
            if point < 0:
                return one.action
        return opinion.ranked[0].action

    def opinion(self, view: View, budget: Budget) -> Opinion | None:
        target = compiled_target(budget.target)
        why = reason_against(view.game, target)
        if why is not None:
            _say_once(why)
            return self._substitute().opinion(view, budget)
        solver = solver_of(view.game, target)
        assert solver is not None
        limits = [limit for limit in (self.seconds, budget.seconds) if limit is not None]
        memory = {} if self.memory is None else self.memory
        build, seconds = view.game.build(target), min(limits) if limits else None
        shares, values, iterations = solver.mixture(build, view, memory, self.iterations, seconds, self.clock)
        assert view.seat is not None
        value = values[view.seat]
        ranked = [Ranked(action, iterations, value, share) for action, share in shares.items()]
        ranked.sort(key=lambda one: (-one.share, one.action))
        return Opinion(values, tuple(ranked), iterations)

    def _substitute(self) -> Search:
        """The search that plays where there is no solver."""
        return Search(None if self.iterations is None else SUBSTITUTE, self.seconds, clock=self.clock)
