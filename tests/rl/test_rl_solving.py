"""Exact solutions: a game whose equilibrium everybody knows, the tiny box, late positions, and OpenSpiel's word on them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from random import Random

import pennies
import pytest
from open_spiel.python import policy
from open_spiel.python.algorithms import exploitability, get_all_states

from ridotto import Match
from ridotto.core.errors import BadSetup
from ridotto.core.view import View
from ridotto.games import GAMES, find
from ridotto.rl import endgames, openspiel
from ridotto.rl.solving import CFR_PLUS, DCFR, TooLarge, Tree, regret_matching, sample_regrets, solve_exactly

WITH_ENDGAMES = ("fantome", "opera", "turandot")
"""The games with endgames: fifty each."""


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


@dataclass(frozen=True)
class Mini:
    """A small box, its information sets and its value for seat 0, as docs/minis.md says."""

    game: str
    information_sets: tuple[int, int]
    value: float

    @cached_property
    def tree(self) -> Tree:
        return Tree.of(self.game, "tiny")


MINIS = (Mini("fantome", (2189, 1806), 1 / 4), Mini("turandot", (8003, 11360), 7 / 12))


SMALL = {"fantome": (89920, 1417019), "turandot": (449489, 645627)}
"""The information sets of each seat in the larger boxes, as docs/minis.md says."""


@pytest.mark.parametrize("mini", MINIS, ids=lambda one: one.game)
def test_the_tiny_boxes_by_two_algorithms(mini: Mini) -> None:
    """Linear programming and CFR+ find the same value, to three digits and more; random play is far from it."""
    tree = mini.tree
    assert mini.information_sets == tree.information_sets
    value, *exact = solve_exactly(tree)
    assert pytest.approx(mini.value, abs=1e-6) == value
    near_value, *near = regret_matching(tree, 200)
    assert pytest.approx(value, abs=5e-4) == near_value
    assert 0 == pytest.approx(tree.exploitability(*exact), abs=1e-6)
    assert tree.exploitability(*near) < 2e-3
    uniform = [side.uniform for side in tree.sides]
    assert tree.exploitability(*uniform) > 0.2


def leaning(view: View) -> dict[int, float]:
    """A policy of one's own: one action for sure, or two of them, by what is seen."""
    chance = Random(f"{view.row} {len(view.seen)}")
    some = chance.sample(view.legal, min(len(view.legal), chance.choice((1, 1, 2))))
    return dict.fromkeys(some, 1 / len(some))


@pytest.mark.parametrize("mini", MINIS, ids=lambda one: one.game)
def test_a_part_of_the_tree_says_how_far_a_policy_is_exploited(mini: Mini) -> None:
    """As far as in the whole tree, though the policy is asked only where its own choices lead."""

    def everywhere(view: View) -> dict[int, float]:
        """The same policy in half of the cases, any action in the others: so it is asked in the whole tree."""
        said = leaning(view)
        return {action: (said.get(action, 0) + 1 / len(view.legal)) / 2 for action in view.legal}

    part, whole = (Tree.of(mini.game, "tiny", choose=choose) for choose in (leaning, everywhere))
    assert mini.tree.nodes == whole.nodes
    policies = [2 * half - side.uniform for half, side in zip(whole.policies, whole.sides, strict=True)]
    assert pytest.approx(whole.value(*policies)) == part.value(*part.policies)
    assert pytest.approx(whole.exploitability(*policies)) == part.exploitability(*part.policies)
    choices = sum(size > 1 for side in whole.sides for size in side.sizes)
    assert part.asked < choices / 2 and part.nodes < whole.nodes / 2
    with pytest.raises(BadSetup, match="policies are those of a `choose`"):
        _ = mini.tree.policies
    with pytest.raises(BadSetup, match="compiled code walks whole trees"):
        Tree.of(mini.game, "tiny", is_compiled=True, choose=leaning)


@pytest.mark.soak
@pytest.mark.parametrize("mini", MINIS, ids=lambda one: one.game)
def test_compiled_code_walks_the_same_tree(mini: Mini) -> None:
    """It counts the same nodes and information sets, and random play is worth and loses as much there."""
    compiled = Tree.of(mini.game, "tiny", is_compiled=True, most_nodes=100_000)
    for count in ("nodes", "leaves", "decisions", "chance_nodes", "information_sets"):
        assert getattr(mini.tree, count) == getattr(compiled, count)
    ours, theirs = ([side.uniform for side in tree.sides] for tree in (mini.tree, compiled))
    assert pytest.approx(mini.tree.value(*ours)) == compiled.value(*theirs)
    assert pytest.approx(mini.tree.exploitability(*ours)) == compiled.exploitability(*theirs)
    for discounts in (CFR_PLUS, DCFR):
        value, *near = regret_matching(compiled, 300, discounts=discounts)
        assert pytest.approx(mini.value, abs=1e-3) == value and compiled.exploitability(*near) < 2e-3


@pytest.mark.soak
@pytest.mark.parametrize("mini", MINIS, ids=lambda one: one.game)
def test_sampled_matches_lead_to_the_equilibrium(mini: Mini) -> None:
    """External and outcome sampling come nearer to it, the one faster than the other; the same seed gives the same policy."""
    tree = Tree.of(mini.game, "tiny", is_compiled=True, most_nodes=100_000)
    for is_external, iterations, gap in ((True, 2000, 0.04), (False, 200_000, 0.04)):
        value, *near = sample_regrets(tree, iterations, is_external=is_external)
        assert pytest.approx(mini.value, abs=0.03) == value and tree.exploitability(*near) < gap
        early = [tree.exploitability(*sample_regrets(tree, 64, is_external=is_external)[1:]) for _ in range(2)]
        assert early[0] == early[1] > 3 * tree.exploitability(*near)
    with pytest.raises(BadSetup, match="trees that compiled code has walked"):
        sample_regrets(mini.tree, 1)


@pytest.mark.soak
@pytest.mark.parametrize(("name", "information_sets"), SMALL.items())
def test_the_small_boxes_have_about_a_million_information_sets(name: str, information_sets: tuple[int, int]) -> None:
    """As many as docs/minis.md says; a tree that has no room is told."""
    assert information_sets == Tree.of(name, "small", is_compiled=True).information_sets
    with pytest.raises(TooLarge, match="more than 100,000 leaves"):
        Tree.of(name, "small", is_compiled=True, most_nodes=100_000)


@pytest.mark.soak
@pytest.mark.parametrize("mini", MINIS, ids=lambda one: one.game)
def test_the_tiny_boxes_by_openspiel(mini: Mini) -> None:
    """OpenSpiel counts as many information sets, and finds that best replies gain as much against random play."""
    # TabularPolicy keeps a tensor of every information set, in Python: with 1,000 events in each it takes 20 GB.
    game = openspiel.load(mini.game, 2, box="tiny", history=1)
    table = policy.TabularPolicy(game)
    assert mini.information_sets == tuple(map(len, table.states_per_player))
    ours = mini.tree.exploitability(*(side.uniform for side in mini.tree.sides))
    assert pytest.approx(exploitability.exploitability(game, table)) == ours


@pytest.mark.parametrize("name", WITH_ENDGAMES)
def test_endgames_have_the_values_they_say(name: str) -> None:
    """All different, with the rules and the box of today; some of them are solved again."""
    found = endgames.load(name)
    assert endgames.NUMBER == len(found) == len({json.dumps(one.position, sort_keys=True) for one in found})
    kept = json.loads((GAMES[name].folder / "endgames.json").read_text("utf-8"))
    assert (GAMES[name].version, GAMES[name].build().box) == (kept["rules"], kept["box"])
    for endgame in sorted(found, key=lambda one: one.nodes)[:2]:
        tree = endgame.tree()
        assert (endgame.nodes, endgame.information_sets) == (tree.nodes, tree.information_sets)
        assert pytest.approx(endgame.value, abs=1e-6) == solve_exactly(tree)[0]
        assert tree.exploitability(*(side.uniform for side in tree.sides)) >= endgames.LEAST_AT_STAKE


@pytest.mark.soak
@pytest.mark.parametrize("name", WITH_ENDGAMES)
def test_all_endgames_by_openspiel(name: str) -> None:
    """They are solved again; OpenSpiel counts the same information sets, and finds best replies to random play as good."""
    for endgame in endgames.load(name):
        tree = endgame.tree()
        value, *_ = solve_exactly(tree)
        assert pytest.approx(endgame.value, abs=1e-6) == value
        game = openspiel.load(name, 2, position=endgame.position)
        uniform = policy.TabularPolicy(game)
        assert endgame.information_sets == tuple(map(len, uniform.states_per_player))
        ours = tree.exploitability(*(side.uniform for side in tree.sides))
        assert pytest.approx(exploitability.exploitability(game, uniform)) == ours


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
