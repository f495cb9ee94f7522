"""Exact solutions: a game whose equilibrium everybody knows, the tiny box, late positions, and OpenSpiel's word on them."""

from __future__ import annotations

import pennies
import pytest
from open_spiel.python import policy
from open_spiel.python.algorithms import exploitability, get_all_states

from ridotto import Match
from ridotto.core.errors import BadSetup
from ridotto.games import GAMES, find
from ridotto.rl import openspiel
from ridotto.rl.solving import TooLarge, Tree, regret_matching, solve_exactly


def test_matching_pennies() -> None:
    """One information set each, two choices, value one half; always heads loses the other half to whoever knows it."""
    tree = Tree(pennies.game)
    assert (1, 1) == tree.information_sets and 4 == tree.leaves
    value, first, second = solve_exactly(tree)
    assert pytest.approx(0.5) == value
    assert pytest.approx([0.5] * 4) == [*first[1:], *second[1:]]
    heads = first.copy()
    heads[1:] = 1, 0
    assert 0 == pytest.approx(tree.exploitability(first, second), abs=1e-9)
    assert pytest.approx(0.25) == tree.exploitability(heads, second), "the mean of one half and nothing"
    assert pytest.approx(0.5) == tree.value(heads, second)


@pytest.fixture(scope="module")
def tiny() -> Tree:
    """Le Fantôme with the tiny box."""
    return Tree.of("fantome", "tiny")


@pytest.mark.compiles
def test_the_tiny_box_by_two_algorithms(tiny: Tree) -> None:
    """Linear programming and CFR+ find the same value, to three digits and more; random play is far from it."""
    assert (2189, 1806) == tiny.information_sets
    value, *exact = solve_exactly(tiny)
    near_value, *near = regret_matching(tiny, 200)
    assert pytest.approx(value, abs=5e-4) == near_value
    assert 0 == pytest.approx(tiny.exploitability(*exact), abs=1e-6)
    assert tiny.exploitability(*near) < 1e-3
    uniform = [side.uniform for side in tiny.sides]
    assert tiny.exploitability(*uniform) > 0.2


@pytest.fixture(scope="module")
def endgame() -> Match:
    """Le Fantôme with the tiny box, when the inspector has picked the first card."""
    match = Match(find("fantome", "tiny"), seed=5)
    match.play(match.legal()[0])
    return match


def test_endgames_by_openspiel(endgame: Match) -> None:
    """From a position as a spectator sees it: as many information sets as OpenSpiel counts, and the value that it finds."""
    position = endgame.view(None).position
    tree = Tree(find("fantome", "tiny"), position=position)
    game = openspiel.load("fantome", box="tiny", position=position)
    states = get_all_states.get_all_states(game, include_terminals=False, include_chance_states=False)
    sets = [{s.information_state_string() for s in states.values() if s.current_player() == seat} for seat in (0, 1)]
    assert tree.information_sets == tuple(map(len, sets))
    value, *_ = solve_exactly(tree)
    uniform = policy.UniformRandomPolicy(game)
    ours = tree.exploitability(*(side.uniform for side in tree.sides))
    assert pytest.approx(exploitability.exploitability(game, uniform)) == ours
    assert 0 <= value <= 1


def test_what_cannot_be_solved_is_said() -> None:
    """Three seats, and a tree that is too large."""
    with pytest.raises(BadSetup, match="for two seats, not for 3"):
        Tree(GAMES["turandot"], position=Match(GAMES["turandot"], 3, seed=1).position())
    with pytest.raises(TooLarge, match="more than 100 nodes"):
        Tree(GAMES["fantome"], position=Match(GAMES["fantome"], seed=1).position(), most_nodes=100)
