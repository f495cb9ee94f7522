"""The solver of Le Fantôme: against exact solutions, for what it sees, and for what it does elsewhere."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

from ridotto.core import position
from ridotto.engine.fields import HIDDEN
from ridotto.games import find
from ridotto.games.fantome import rules
from ridotto.games.fantome.rules import EXIT, PICK, RAOUL, F
from ridotto.rl.solving import Tree, solve_exactly

GAME = find("fantome")
BUILD = GAME.build("cpu")
SOLVER: Any = BUILD.extend("ridotto.games.fantome.solver_tree")


def late_rows(played: int, odd: int, suspects: range, seed: int = 1) -> Any:
    """Rows of greedy matches before a card of a round, without Raoul's card, with La Carlotta just before the exit."""
    dice, muted, mask, scratch, row = BUILD.generator(seed), BUILD.events(muted=True), BUILD.mask(), BUILD.row(), BUILD.row()
    while True:
        row[:] = 0  # type: ignore[call-overload]
        BUILD.rules.deal(row, 2, BUILD.copy([0]), dice, muted)
        while waiting := BUILD.rules.to_act(row):
            fits = row[F.asked] == PICK and row[F.played] == played and row[F.round] & 1 == odd
            if fits and int(row[F.suspects]).bit_count() in suspects and not row[F.offered] >> RAOUL & 1:
                late = BUILD.copy(row)
                late[F.carlotta] = EXIT - 1
                yield late
            seat = BUILD.dice.lowest(waiting)
            BUILD.rules.legal(row, seat, mask)
            BUILD.rules.apply(row, seat, BUILD.bot.policy(row, seat, mask, dice, muted, scratch), dice, muted)


@pytest.mark.parametrize(("odd", "played"), [(1, 2), (0, 2), (1, 3), (0, 3)])
def test_the_end_of_a_match_has_its_exact_value(odd: int, played: int) -> None:
    """With the exit in reach of the round, the solver's value is that of the sequence form, solved by linear programming."""
    rows = late_rows(played, odd, range(3, 6))
    differences = []
    for _ in range(2 if played == 2 else 4):
        row = next(rows)
        masked = list(GAME.rules.FIELDS.masked(row.tolist(), None))
        assert masked[F.identity] == HIDDEN
        value, _, _ = solve_exactly(Tree(GAME, position=position.write(GAME, masked)))
        solution = SOLVER.Solution(BUILD, row, numpy.ones(8), numpy.full(SOLVER.SHAPE, numpy.nan, numpy.float32))
        solution.run(400)
        differences.append(float(solution.values @ solution.prior) - (1 - value))
    assert max(abs(one) for one in differences) < 0.005, differences
    assert rules.PEOPLE == 8
