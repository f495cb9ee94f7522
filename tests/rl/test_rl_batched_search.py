"""A search with an evaluator of one's own: what it is shown, what it may answer, and that searches leave each other alone."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy
import pytest

from ridotto import Match
from ridotto.bots import Budget
from ridotto.core.errors import BadSetup
from ridotto.games import GAMES
from ridotto.rl import Tensors
from ridotto.rl.batched_search import BatchedSearch
from ridotto.rl.environment import features

EXAMPLE = Path(__file__).parents[2] / "examples" / "neural_search.py"


def knows_nothing(seen: dict[str, Any]) -> tuple[Any, Any]:
    """All actions alike, an even share for everybody."""
    return numpy.zeros(seen["action_mask"].shape), numpy.full(len(seen["observation"]), 0.5)


def matches(game: str, seats: int, number: int, decisions: int) -> list[Match]:
    """Matches some decisions on, each with a choice to make."""
    found = [Match(GAMES[game], seats, seed=seed) for seed in range(number)]
    for match in found:
        while match.ply < decisions or len(match.legal(match.to_act[0])) == 1:
            seat = match.to_act[0]
            match.play(match.legal(seat)[0], seat)
    return found


@pytest.mark.compiles
@pytest.mark.parametrize(("game", "seats"), [("fantome", 2), ("turandot", 3), ("opera", 2)])
def test_the_evaluator_is_shown_what_the_seat_may_know(game: str, seats: int) -> None:
    """The first leaves are the views themselves, as environments show them; the shares it answers are counted from the seat."""
    views = [match.view(match.to_act[0]) for match in matches(game, seats, 4, 7)]
    tensors, shown = Tensors(game, seats), []

    def first_wins(seen: dict[str, Any]) -> tuple[Any, Any]:
        shown.append(seen)
        return numpy.zeros(seen["action_mask"].shape), numpy.eye(seats)[[0] * len(seen["observation"])]

    has_features = bool(GAMES[game].build().features.COUNT)
    opinions = BatchedSearch(first_wins, 1, has_features=has_features).opinions(views)
    (seen,) = shown
    for line, (view, opinion) in enumerate(zip(views, opinions, strict=True)):
        assert view.seat is not None
        assert numpy.allclose(tensors.encode(view.row, view.seat), seen["observation"][line])
        assert set(view.legal) == set(seen["action_mask"][line].nonzero()[0].tolist())
        assert [float(seat == view.seat) for seat in range(seats)] == list(opinion.values)
        if has_features:
            assert numpy.allclose(features(view.game, list(view.row), view.seat), seen["features"][line])


@pytest.mark.compiles
def test_searches_at_once_are_those_alone() -> None:
    """The same view and seed give the same opinion, whatever is searched beside it; all playouts are counted."""
    views = [match.view(match.to_act[0]) for match in matches("fantome", 2, 5, 9)]
    search = BatchedSearch(knows_nothing, 40)
    together = search.opinions(views, range(5))
    assert together == [search.opinion(view, Budget(seed)) for seed, view in enumerate(views)]
    assert all(40 == one.playouts and sum(ranked.visits for ranked in one.ranked) == 39 for one in together)
    several = BatchedSearch(knows_nothing, 40, at_once=8).opinions(views, range(5))
    assert all(40 == one.playouts and sum(ranked.visits for ranked in one.ranked) == 39 for one in several)


@pytest.mark.compiles
def test_it_finds_what_wins() -> None:
    """With an evaluator that knows nothing it wins from the rules alone, as inspector against the first legal action."""
    tables, search = matches("fantome", 2, 8, 0), BatchedSearch(knows_nothing, 24)
    while asked := [match for match in tables if match.to_act]:
        for match, action in zip(asked, search.choose_many([match.view(match.to_act[0]) for match in asked]), strict=True):
            seat = match.to_act[0]
            match.play(action if seat == 0 else match.legal(seat)[0], seat)
    assert sum(match.outcome is not None and 0 in match.outcome.winners for match in tables) >= 6


def test_answers_of_another_shape_are_refused() -> None:
    """What an evaluator has to give is said with the sizes of what it gave."""
    (match,) = matches("fantome", 2, 1, 3)
    view = match.view(match.to_act[0])
    with pytest.raises(BadSetup, match=r"arrays of \(1, 5\) and \(1,\) for 1 lines; wanted: \(1, 78\), and \(1,\) or \(1, 2\)"):
        BatchedSearch(lambda seen: (numpy.zeros((1, 5)), numpy.zeros(1))).opinions([view])
    other = Match(GAMES["turandot"], 2, seed=1)
    with pytest.raises(BadSetup, match="those of one game and number of seats"):
        BatchedSearch(knows_nothing).opinions([view, other.view(other.to_act[0])])


@pytest.mark.compiles
def test_the_example_learns_and_searches() -> None:
    """`examples/neural_search.py` in short: a better evaluator than none comes out of a few matches."""
    spec = importlib.util.spec_from_file_location("neural_search", EXAMPLE)
    assert spec is not None and spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    evaluate = example.learn("fantome", tables=60, steps=80, rounds=40)
    assert example.share_won("fantome", BatchedSearch(evaluate, 4), 6, opponent="random") >= 0.5
