"""Where the variance of a result comes from, for `greedy` against `level:3`: `python -m bench.luck parts GAME`.

The variance of a result is the sum, over all draws and all choices of a match, of the variance of what each changes in the
expected result. The part of the draws is the most that any judge of draws can take out. Each is estimated without bias: it is
done again a few times, each outcome is played on by the two bots several times, and from the variance between outcomes the
part is subtracted that continuations alone make.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean, stdev, variance
from typing import Any, Final

from ridotto.bots.networks import HIDDEN_TEMPERATURE, network_of
from ridotto.bots.setup import MatchSetup, derived_seed
from ridotto.core.luck import LuckJudge
from ridotto.engine.arrays import Step

OUTCOMES: Final = 6
"""How often a draw, or a choice, is made again."""
CONTINUATIONS: Final = 12
"""Of each outcome."""


def between(found: Any) -> float:
    """The variance between outcomes, from the results of some continuations of each; it may be below zero."""
    inside = found.var(axis=1, ddof=1).mean() / found.shape[1]
    return float(found.mean(axis=1).var(ddof=1) - inside)


class Variances:
    """The parts of the variance that one match shows."""

    def __init__(self, setup: MatchSetup, at: int, seed: int) -> None:
        """With `greedy` at one seat."""
        import numpy

        game, seats = setup.game, setup.players
        self.at, self.chance = at, random.Random(seed)
        self.build = build = game.build("cpu")
        self.pair: Any = build.extend("bench.pair")
        level, trained = game.tuning.levels_for(seats)[2], network_of(game)
        assert level.network is not None and not level.network.playouts and trained is not None
        errs = self.pair.Level(float(level.network.temperature), HIDDEN_TEMPERATURE, float(level.network.overlook))
        self.bots = 1 << 1 - at, errs
        self.network, self.judge = trained.for_seats(game, seats), LuckJudge(game, seats)
        self.work, self.spare, self.tape = build.workspace(), build.row(), build.array(600, "int64")
        self.found = numpy.zeros((OUTCOMES, CONTINUATIONS))
        self.parts = {"draws": 0.0, "greedy": 0.0, "level": 0.0}

    def look(self, part: str, step: Step, likely: float) -> None:
        """Look at the draws or the choice of a step, now and then."""
        if self.chance.random() < likely:
            seed = self.chance.getrandbits(31)
            given = self.at, seed, self.spare, self.found, self.network, self.work
            self.pair.results(step, part != "draws", *self.bots, *given)
            self.parts[part] += between(self.found) / likely

    def play(self, seed: int, draws: float, choices: float) -> dict[str, float]:
        """A match."""
        build = self.build
        play, row = build.workspace(build.generator(seed)), build.row()
        step = self.judge.deal(row)
        self.look("draws", step, draws)
        build.luck.run_step(row, step, play.dice, play.events)
        while waiting := int(build.rules.to_act(row)):
            seat = int(build.dice.lowest(waiting))
            build.rules.legal(row, seat, play.mask)
            if build.dice.count_legal(play.mask) > 1:
                self.look("greedy" if seat == self.at else "level", self.judge.action(row, seat, 0), choices)
            action = int(self.pair.choose(row, seat, *self.bots, self.network, play))
            step = self.judge.action(row, seat, action)
            if build.luck.missing_outcomes(self.spare, step, self.tape, 0, self.work.events):
                self.look("draws", step, draws)
            build.rules.apply(row, seat, action, play.dice, play.events)
        return self.parts | {"result": float(self.pair.share(row, self.at))}


@dataclass(frozen=True)
class Parts:
    """Matches of `greedy` against `level:3`, where that is a network alone: the parts of the variance of the result."""

    setup: MatchSetup
    first: int
    count: int
    draws: float
    """The part of the draws that is looked at."""
    choices: float

    def run(self, until: float | None) -> list[dict[str, float]]:
        found = []
        for number in range(self.first, self.first + self.count):
            if until is not None and time.monotonic() > until:
                break
            seed = derived_seed("parts", self.setup.seed, number)
            found.append(Variances(self.setup, number % 2, seed).play(seed, self.draws, self.choices))
        return found


def parts_report(found: Sequence[dict[str, float]]) -> dict[str, Any]:
    """Each part of the variance with its error, as a part of all of it."""
    results = [one["result"] for one in found]
    spread = variance(results)
    said: dict[str, Any] = {"matches": len(found), "share": round(mean(results), 4), "variance": round(spread, 4)}
    for part in ("draws", "greedy", "level"):
        values = [one[part] for one in found]
        said[part] = [round(mean(values), 5), round(stdev(values) / len(values) ** 0.5, 5)]
        said[f"{part}_of_all"] = round(mean(values) / spread, 4) if spread else None
    return said
