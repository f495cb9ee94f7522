"""What a report on balance says about Turandot alone, from arrays made by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy
import pytest

from ridotto.games.turandot import findings, game

RULES: Any = game.rules
F = RULES.F


def held(winners: list[set[int]], seats: int, **words: list[Any]) -> SimpleNamespace:
    """A contest of one line a match: who won it, and what some words of its last row were."""
    rows = numpy.zeros((len(winners), RULES.FIELDS.width), "int16")
    for name, values in words.items():
        at = getattr(F, name)
        for match, value in enumerate(values):
            rows[match, at : at + (len(value) if isinstance(value, list) else 1)] = value
    won = numpy.array([[(seat in each) / max(len(each), 1) for seat in range(seats)] for each in winners])
    chosen = numpy.zeros((len(winners), seats, RULES.ACTIONS.size), "int16")
    return SimpleNamespace(game=game, seats=seats, rows=rows, won=won, chosen=chosen)


def found(contest: SimpleNamespace, beginning: str) -> str:
    """The one finding that begins so."""
    (sentence,) = (one for one in findings.of(contest) if one.startswith(beginning))
    return sentence


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_first_holder(seats: int) -> None:
    """Six passings of Puccini lie between the first holder and the last: in four matches the first wins one and shares one."""
    first = [0, 1, 0, 1]
    last = [(seat + 6) % seats for seat in first]
    winners = [{0}, {0, 1}, {1}, set[int]()]
    expected = f"The first to hold Puccini wins 37.5% of the matches (parity {1 / seats:.1%})."
    assert expected == found(held(winners, seats, puccini=last), "The first")


def test_wins_by_number() -> None:
    """Forty matches: who has two elements always wins, and three are held too seldom to be told."""
    winners = [{0}] * 40
    contest = held(winners, 2, elements=[[2, 0]] * 39 + [[3, 0]], spent=[[1, 1]] * 20 + [[1, 0]] * 20)
    expected = "Wins by stage elements: with 0, 0.0% (50.0% of the seats); with 2, 100.0% (48.8% of the seats)."
    assert expected == found(contest, "Wins by stage elements")
    # One card paid: the forty winners, and twenty of the losers. None paid: the other twenty, too few.
    expected = "Wins by money cards paid for numbers: with 1, 66.7% (75.0% of the seats)."
    assert expected == found(contest, "Wins by money cards paid")


def test_numbers_too_few_are_not_told() -> None:
    """Of ten matches nothing is said by number."""
    assert [] == [one for one in findings.of(held([{0}] * 10, 2)) if one.startswith("Wins by")]


def test_bluffs() -> None:
    """The bluff card lies in a bid or with money alone, never in what is plain, and is counted by winners and losers."""
    contest = held([{0}, {0}], 2)
    for notation, seat, times in (
        ("bid 1 0 plain", 0, 5),
        ("bid 2 3 bluff", 0, 1),
        ("money bluff", 0, 1),
        ("money plain", 1, 6),
        ("bid 6 0 bluff", 1, 1),
    ):
        contest.chosen[:, seat, RULES.ACTIONS.parse(notation)] = times
    # Two of seven auditions by the winner, one of seven by the loser.
    expected = "The bluff card is laid in 21.4% of a seat's auditions: by winners in 28.6%, by the others in 14.3%."
    assert expected == found(contest, "The bluff card")


def test_bluffs_where_all_win() -> None:
    """Where nobody lost, nothing is said of losers."""
    assert found(held([{0, 1}], 2), "The bluff card").endswith("by winners in 0.0%, by the others in none.")


def test_fictitious_troupe() -> None:
    """How often it wins is told with two seats, and with two only."""
    endings = [RULES.END.finished, RULES.END.fictitious, RULES.END.tied, RULES.END.finished]
    contest = held([{0}, set(), {0, 1}, {1}], 2, ending=endings)
    assert "The fictitious troupe wins 25.0% of the matches." == findings.of(contest)[-1]
    assert not any("fictitious" in one for one in findings.of(held([{0}], 3)))
