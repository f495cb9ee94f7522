"""An independent proof of our information sets: Liar's Dice against OpenSpiel's own game of that name, through our adapter.

OpenSpiel's game has two seats and one round, the highest face wild, and bids in the order that it calls `reset-face`. With one
die each ours is the same game; with more dice it is by the option `single`. Our utilities are shares of the win less an even
one, ±½, theirs are ±1.
"""

from __future__ import annotations

from typing import Any

import pyspiel
import pytest
from open_spiel.python import policy
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability

from ridotto.games import GAMES
from ridotto.rl import openspiel

SIDES = 6
LIAR = GAMES["liars_dice"].rules.ACTIONS.size - 1


def both(dice: int, sides: int) -> tuple[Any, Any]:
    """OpenSpiel's game and ours."""
    ours = openspiel.load("liars_dice", 2, dice=dice, sides=sides, single=int(dice > 1), history=40)
    return pyspiel.load_game(f"liars_dice(numdice={dice},dice_sides={sides})"), ours


def translated(action: int, dice: int, sides: int) -> int:
    """One of OpenSpiel's actions as ours: they count as many faces as the dice have, we always six."""
    return LIAR if action == 2 * dice * sides else action // sides * SIDES + action % sides


@pytest.mark.parametrize(("dice", "sides"), [(1, 2), (1, 3), (2, 2)])
def test_the_two_games_have_one_tree(dice: int, sides: int) -> None:
    """At every node of the whole tree: who is to act, what is legal, and at the end who wins."""
    theirs, ours = both(dice, sides)
    ends = []

    def walk(one: Any, other: Any) -> None:
        assert one.current_player() == other.current_player()
        if one.is_terminal():
            assert one.returns() == [2 * value for value in other.returns()]
            ends.append(one.returns()[0])
        elif one.is_chance_node():
            assert one.chance_outcomes() == other.chance_outcomes()
            for outcome, _ in one.chance_outcomes():
                walk(one.child(outcome), other.child(outcome))
        else:
            legal = one.legal_actions()
            assert [translated(action, dice, sides) for action in legal] == other.legal_actions()
            for action in legal:
                walk(one.child(action), other.child(translated(action, dice, sides)))

    walk(theirs.new_initial_state(), ours.new_initial_state())
    # Whatever was rolled, any rising series of one bid or more may be challenged.
    assert sides ** (2 * dice) * (2 ** (2 * dice * sides) - 1) == len(ends)
    assert {-1.0, 1.0} == set(ends)


def information_sets(game: Any) -> set[str]:
    """What either seat may know when it is to act."""
    return set(policy.TabularPolicy(game).state_lookup)


@pytest.mark.parametrize(("sides", "sets"), [(2, 32), (3, 192), pytest.param(6, 24_576, marks=pytest.mark.soak)])
def test_information_sets_are_as_many(sides: int, sets: int) -> None:
    """As many as OpenSpiel's game has: with one die each, its face and any rising series of bids."""
    theirs, ours = both(1, sides)
    assert sides * 2 ** (2 * sides) == sets == len(information_sets(theirs)) == len(information_sets(ours))


def test_a_leak_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a seat were told what the other rolled, it would have more information sets."""
    rules = GAMES["liars_dice"].rules
    rolls = next(event for event in rules.EVENTS if event.name == "rolls")
    assert not rolls.is_open
    monkeypatch.setitem(vars(rolls), "is_open", True)
    _, ours = both(1, 2)
    assert 32 < len(information_sets(ours))


def test_cfr_solves_both_alike() -> None:
    """OpenSpiel's CFR+ finds the same value at every step, and can be exploited less and less."""
    found = []
    for game, scale in zip(both(1, 3), (1, 2), strict=True):
        solver = cfr.CFRPlusSolver(game)
        steps = []
        for step in range(1, 13):
            solver.evaluate_and_update_policy()
            if step % 4 == 0:
                average = solver.average_policy()
                value = expected_game_score.policy_value(game.new_initial_state(), [average, average])[0]
                steps.append((scale * value, scale * exploitability.exploitability(game, average)))
        found.append(steps)
    theirs, ours = found
    for one, other in zip(theirs, ours, strict=True):
        assert pytest.approx(one) == other
    worst = [worst for _, worst in ours]
    assert sorted(worst, reverse=True) == worst and worst[-1] < worst[0] / 3 < 0.1
    # The first seat is worth 1/9 in the long run: twelve steps come this near.
    assert abs(ours[-1][0] - 1 / 9) < 0.05


@pytest.mark.soak
def test_cfr_comes_to_the_value() -> None:
    """After two hundred steps nobody can gain a thousandth, and the first seat has its ninth."""
    _, game = both(1, 3)
    solver = cfr.CFRPlusSolver(game)
    for _ in range(200):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    assert 2 * exploitability.exploitability(game, average) < 0.001
    value = expected_game_score.policy_value(game.new_initial_state(), [average, average])[0]
    assert abs(2 * value - 1 / 9) < 0.001
