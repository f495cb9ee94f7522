"""Results without luck: the same matches, the same mean, and less scatter."""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import product
from math import prod
from statistics import correlation, mean, variance
from typing import Any

import pytest

from ridotto.arena import standings as figures
from ridotto.arena import tournament
from ridotto.arena.board import Board
from ridotto.arena.ledger import Ledger, Result
from ridotto.arena.schedule import Pairing, TournamentSettings
from ridotto.arena.standings import standings, without_luck
from ridotto.arena.tournament import PairingProgress, play_match
from ridotto.core.luck import LuckJudge
from ridotto.core.match import Match
from ridotto.engine.arrays import Step
from ridotto.games import GAMES

PAIRING = Pairing("greedy", "random", (0, 1))


def test_a_board_that_counts_luck_plays_the_same_match() -> None:
    """Draw for draw; and what it counts is what a judge finds in the record of that match."""
    game, judge = GAMES["fantome"], LuckJudge(GAMES["fantome"], 2, playouts=1, target="python")
    board, plain = Board(game, 2, game.settle(), 5, judge), Board(game, 2, game.settle(), 5)
    match, chance = Match(game, 2, seed=5), random.Random(1)
    for _ in range(14):
        (seat,) = board.to_act
        action = chance.choice(list(match.legal(seat)))
        for one in (board, plain):
            one.play(seat, match.game.action(action))
        match.play(action, seat)
    assert list(board.state.row) == list(plain.state.row) == match.row
    assert board.view(0) == plain.view(0)
    found = [one.luck for ply in range(match.ply) for one in judge.draws_of(match, ply)]
    assert board.luck == pytest.approx([sum(one[seat] for one in found) for seat in (0, 1)]) and any(board.luck)
    assert plain.luck == [0.0, 0.0]


def adjusted(results: list[tuple[float, float]]) -> dict[str, Any]:
    """The standings of matches with these shares of the win and this luck, two to a deal."""
    settings = TournamentSettings("fantome", 2, {"handicap": 0}, is_adjusted=True)
    ledger, progress = Ledger(settings), PairingProgress.of(PAIRING, len(results))
    for number, (share, luck) in enumerate(results):
        at = number % 2
        winners = [at] if share else [1 - at]
        brought = [luck, -luck] if at == 0 else [-luck, luck]
        result = Result("greedy", "random", number // 2, at, 0, "x", winners, [0, 0], 1, "", [[], []], luck=brought)
        ledger.add([result])
    progress.update(ledger)
    found: dict[str, Any] = standings(ledger, [progress])["pairings"][0]["adjusted"]
    return found


def test_luck_that_explains_much_is_taken_out() -> None:
    """Where the result is mostly luck, little is left; the mean is the same within its error, and the interval smaller."""
    chance = random.Random(3)
    lucks = [chance.gauss(0, 0.5) for _ in range(2000)]
    shares = [1.0 if 0.1 + luck + chance.gauss(0, 0.2) > 0 else 0.0 for luck in lucks]
    found = adjusted(list(zip(shares, lucks, strict=True)))
    explained = 1 - correlation(lucks, shares) ** 2
    assert found["variance_ratio"] == pytest.approx(explained, abs=0.03) and explained < 0.5
    low, high = found["interval"]
    assert abs(found["share"] - mean(shares)) < 0.04 and high - low < 0.75 * 2 * 1.96 * (variance(shares) / 2000) ** 0.5
    assert found["luck"] == pytest.approx(mean(lucks))


def test_luck_that_explains_nothing_changes_nothing() -> None:
    """Even if its numbers are large: how much is taken out is found from the other half of the deals."""
    chance = random.Random(4)
    results = [(float(chance.random() < 0.6), chance.gauss(0, 3)) for _ in range(2000)]
    found = adjusted(results)
    assert found["variance_ratio"] == pytest.approx(1, abs=0.02)
    assert found["share"] == pytest.approx(mean(share for share, _ in results), abs=0.01)
    assert adjusted(results[:4])["variance_ratio"] is None


def one_match(number: int, share: float, luck: float, choices: float) -> Result:
    """A match, two to a deal, of which this was the luck of the first bot."""
    at = number % 2
    both = [[one, -one] if at == 0 else [-one, one] for one in (luck, choices)]
    winners = [at] if share else [1 - at]
    return Result("greedy", "random", number // 2, at, 0, "x", winners, [0, 0], 1, "", [[], []], luck=both[0], choices=both[1])


def test_luck_of_choices_is_taken_out_by_a_coefficient_of_its_own() -> None:
    """Where the judge makes too little of choices and too much of draws, each is set right."""
    chance = random.Random(5)
    given = [(chance.gauss(0, 0.3), chance.gauss(0, 0.3)) for _ in range(3000)]
    shares = [float(0.5 + draw + choice + chance.gauss(0, 0.1) > 0.5) for draw, choice in given]
    found = without_luck(
        [
            one_match(at, share, 2 * draw, choice / 2)
            for at, (share, (draw, choice)) in enumerate(zip(shares, given, strict=True))
        ]
    )
    draws, choices = (mean(found["coefficients"][kind]) for kind in ("draws", "choices"))
    assert choices == pytest.approx(4 * draws, rel=0.1)
    assert found["choices"] == pytest.approx(mean(choice / 2 for _, choice in given))
    assert abs(found["choices"]) < 4 * found["choices_error"]
    alone = without_luck(
        [one_match(at, share, 2 * draw, 0) for at, (share, (draw, _)) in enumerate(zip(shares, given, strict=True))]
    )
    assert found["variance_ratio"] < 0.6 * alone["variance_ratio"] and alone["coefficients"]["choices"] == [0.0, 0.0]


def test_without_luck_the_mean_is_the_same_over_everything_that_can_happen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A match of one draw and one choice, by a judge that errs: over all outcomes of four matches, the mean is exact."""
    monkeypatch.setattr(figures, "LEAST_ADJUSTED", 4)
    likely = {0: (0.2, 0.8), 1: (0.7, 0.3)}  # the chances of the choice, after each draw
    wins = {(0, 0): 0.0, (0, 1): 1.0, (1, 0): 1.0, (1, 1): 0.0}
    judged = {(0, 0): 0.3, (0, 1): 0.9, (1, 0): 0.8, (1, 1): -0.4}
    worth = {0: 0.1, 1: 0.6}
    ways = []
    for draw, choice in wins:
        expected = sum(chance * judged[draw, other] for other, chance in enumerate(likely[draw]))
        luck = worth[draw] - mean(worth.values()), judged[draw, choice] - expected
        ways.append((likely[draw][choice] / 2, wins[draw, choice], *luck))
    plain = sum(chance * share for chance, share, *_ in ways)
    total, differs = 0.0, False
    for four in product(ways, repeat=4):
        found = without_luck([one_match(number, *match[1:]) for number, match in enumerate(four)])
        total += prod(match[0] for match in four) * found["share"]
        differs |= abs(found["share"] - mean(match[1] for match in four)) > 0.1
    assert total == pytest.approx(plain, abs=1e-12) and differs


class Quarters(LuckJudge):
    """A judge to whom each choice brings the first seat a quarter, and no draw anything."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given, target="python")

    def luck(self, step: Step, draws: Any) -> list[tuple[int, tuple[float, ...]]]:
        return []

    def luck_of_choice(self, step: Step, chances: Mapping[int, float]) -> tuple[float, ...]:
        assert step.action in chances and sum(chances.values()) == pytest.approx(1)
        return 0.25, -0.25


def test_the_choices_are_looked_at_of_bots_that_state_their_chances(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of `random` every one that is a choice, of `greedy` none; and the match is the same."""
    monkeypatch.setattr(tournament, "LuckJudge", Quarters)
    settings = TournamentSettings("fantome", 2, {"handicap": 0}, is_adjusted=True)
    result = play_match(settings, PAIRING, 1, 0)
    plain = play_match(TournamentSettings("fantome", 2, {"handicap": 0}), PAIRING, 1, 0)
    assert result.moves == plain.moves and plain.choices is None
    assert result.choices is not None and result.choices[0] == -result.choices[1]
    assert 0 < 4 * result.choices[0] <= len(result.micros[1])
