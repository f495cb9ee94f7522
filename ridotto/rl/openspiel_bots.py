"""Bots of OpenSpiel as bots of ours: `openspiel:ismcts:1000`, `openspiel:mccfr:100ms`."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from ridotto import bots
from ridotto.core import position
from ridotto.core.view import View
from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import Dice
from ridotto.rl.openspiel import MOST_DECISIONS, SpielGame, SpielState, load
from ridotto.rl.openspiel_states import NOT_INSTALLED, returns_of

try:
    from open_spiel.python.algorithms import ismcts, mcts, outcome_sampling_mccfr
except ModuleNotFoundError as error:
    raise RidottoError(f"{NOT_INSTALLED} ({error})") from error


class CompiledRollouts(mcts.Evaluator):  # type: ignore[misc]
    """An evaluator for OpenSpiel's searches: one random playout, compiled, instead of one in Python."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._dice: Dice | None = None

    def evaluate(self, state: SpielState) -> Any:
        import numpy

        setup = state.node.setup
        if self._dice is None:
            self._dice = setup.build.generator(self._seed)
        row = state.node.row.copy()
        setup.build.driver.play_on(row, setup.build.mask(), self._dice, setup.build.events(muted=True), MOST_DECISIONS)
        return numpy.array(returns_of(int(setup.build.rules.winners(row)), setup.seats))

    def prior(self, state: SpielState) -> list[tuple[int, float]]:
        actions = state.legal_actions(state.current_player())
        return [(action, 1 / len(actions)) for action in actions]


class _TimeUp(Exception):
    """The time for a decision is spent."""


class _Ismcts(ismcts.ISMCTSBot):  # type: ignore[misc]
    """OpenSpiel's ISMCTS, which also stops when its time is up."""

    until: float | None = None

    def sample_root_state(self, state: SpielState) -> SpielState:
        if self.until is not None and time.perf_counter() > self.until and self._root_node.total_visits > 0:
            raise _TimeUp
        sample: SpielState = super().sample_root_state(state)
        return sample

    def run_search(self, state: SpielState) -> Any:
        try:
            return super().run_search(state)
        except _TimeUp:
            return self.get_final_policy(state, self._root_node)


class _DecisionSolver(outcome_sampling_mccfr.OutcomeSamplingSolver):  # type: ignore[misc]
    """OpenSpiel's outcome-sampling MCCFR, started at a decision instead of the deal, in worlds possible for its seat."""

    def __init__(self, game: SpielGame, worlds: Iterator[SpielState]) -> None:
        super().__init__(game)
        self._worlds = worlds

    def iteration(self) -> None:
        for player in range(self._num_players):
            self._episode(next(self._worlds), player, 1.0, 1.0, 1.0)


@dataclass(frozen=True)
class OpenSpielBot:
    """A bot of OpenSpiel as one of ours: it gets a state that is made from the view alone."""

    name: str
    kind: str
    playouts: int | None
    seconds: float | None

    @property
    def is_repeatable(self) -> bool:
        return self.seconds is None

    def sit(self) -> bots.Bot:
        return self

    def opinion(self, view: View, budget: bots.Budget) -> bots.Opinion | None:
        return None

    def choose(self, view: View, budget: bots.Budget) -> int:
        import numpy

        if len(view.legal) == 1:
            return view.legal[0]
        began = time.perf_counter()
        limits = [limit for limit in (self.seconds, budget.seconds) if limit is not None]
        until = began + min(limits) if limits else None
        box = str(view.game.box_file or "")
        options: dict[str, Any] = dict(position.options_of(view.game, view.row))
        game = load(view.game.name, view.seats, box=box, **options)
        state = game.state(view)
        dice = numpy.random.RandomState(budget.seed & 0xFFFFFFFF)
        search = self._mccfr if self.kind == "mccfr" else self._ismcts
        return int(search(game, state, dice, until))

    def _ismcts(self, game: SpielGame, state: SpielState, dice: Any, until: float | None) -> int:
        if self.kind == "ismcts":
            evaluator = mcts.RandomRolloutEvaluator(1, dice)
        else:
            evaluator = CompiledRollouts(int(dice.randint(1 << 31)))
        playouts = self.playouts if self.playouts is not None else 1 << 30
        bot = _Ismcts(game, evaluator, uct_c=1.0, max_simulations=playouts, random_state=dice)
        bot.set_resampler(lambda state, player: state.resample_from_infostate(player, dice.random_sample))
        bot.until = until
        return int(bot.step(state))

    def _mccfr(self, game: SpielGame, state: SpielState, dice: Any, until: float | None) -> int:
        import numpy

        seat = state.current_player()
        worlds = (state.resample_from_infostate(seat, dice.random_sample) for _ in iter(int, 1))
        solver = _DecisionSolver(game, worlds)
        left = self.playouts
        random_state = numpy.random.get_state()  # the solver draws from the generator that everybody shares
        numpy.random.seed(int(dice.randint(1 << 31)))
        try:
            while left is None or left > 0:
                solver.iteration()
                left = None if left is None else left - game.num_players()
                if until is not None and time.perf_counter() > until:
                    break
        finally:
            numpy.random.set_state(random_state)
        chances = solver.average_policy().action_probabilities(state, seat)
        return int(dice.choice(list(chances), p=list(chances.values())))


KINDS: Final = ("ismcts", "ismcts-compiled", "mccfr")
"""OpenSpiel's ISMCTS, the same with compiled playouts, and outcome-sampling MCCFR started at the decision."""


def find(name: str) -> OpenSpielBot:
    """The bot that `openspiel:KIND:PLAYOUTS` or `openspiel:KIND:TIME` names."""
    named = re.fullmatch(r"openspiel:([a-z-]+):(?:([1-9][0-9]{0,8})|([0-9]{1,6}(?:[.][0-9]{1,3})?)(ms|s))", name)
    if named and named[1] in KINDS:
        seconds = float(named[3]) * (0.001 if named[4] == "ms" else 1) if named[3] else None
        if seconds is None or 0 < seconds <= 3600:
            return OpenSpielBot(name, named[1], int(named[2]) if named[2] else None, seconds)
    known = ", ".join(f"openspiel:{kind}:1000" for kind in KINDS)
    raise bots.UnknownBot(f"unknown bot {name!r}; there are: {known}, or a time such as 100ms instead of the number")
