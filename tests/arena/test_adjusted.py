"""Results without luck: the same matches, the same mean, and less scatter."""

from __future__ import annotations

import random
from statistics import correlation, mean, variance
from typing import Any

import pytest

from ridotto.arena.board import Board
from ridotto.arena.ledger import Ledger, Result
from ridotto.arena.schedule import Pairing, TournamentSettings
from ridotto.arena.standings import standings
from ridotto.arena.tournament import PairingProgress
from ridotto.core.luck import Judge
from ridotto.core.match import Match
from ridotto.games import GAMES

PAIRING = Pairing("greedy", "random", (0, 1))


def test_a_board_that_counts_luck_plays_the_same_match() -> None:
    """Draw for draw; and what it counts is what a judge finds in the record of that match."""
    game, judge = GAMES["fantome"], Judge(GAMES["fantome"], 2, playouts=1, target="python")
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
