"""Luck: what a draw brought is what it was worth less the mean of what it could have been, and on average it is nothing."""

from __future__ import annotations

import json
import random
from functools import partial
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import pytest
from click.testing import CliRunner

from ridotto.bots import account
from ridotto.bots import review as reviews
from ridotto.cli import cli
from ridotto.core import record
from ridotto.core.draws import outcome_counts
from ridotto.core.luck import Draw, LuckJudge, MatchLuck
from ridotto.core.match import Match
from ridotto.games import GAMES


def played(name: str, seats: int, seed: int, plies: int = 60) -> Match:
    match, chance = Match(GAMES[name], seats, seed=seed), random.Random(seed)
    while match.to_act and match.ply < plies:
        seat = chance.choice(match.to_act)
        match.play(chance.choice(list(match.legal(seat))), seat)
    return match


QUICK = ("fantome", "turandot")
"""Games of which few outcomes have to be tried, so that the interpreted rules can do it."""


@pytest.mark.parametrize("name", QUICK)
def test_draws_are_looked_at_one_by_one(name: str) -> None:
    """Each has as many outcomes as the rules say; together all seats gain nothing; a draw of one outcome brings nothing."""
    match = played(name, 2, 3, 12)
    judge = LuckJudge(match.game, match.seats, playouts=1, target="python")
    plies = [ply for ply, entry in enumerate(match.entries) if entry.draws and sum(outcome_counts(match, ply)) < 120][:2]
    for ply in plies:
        found = judge.draws_of(match, ply)
        assert [one.outcomes for one in found] == list(outcome_counts(match, ply))
        assert [one.outcome for one in found] == list(match.entries[ply].draws)
        for one in found:
            assert sum(one.luck) == pytest.approx(0, abs=1e-9)
            assert one.outcomes > 1 or not any(one.luck)
    assert plies


@pytest.mark.parametrize("name", QUICK)
def test_luck_is_nothing_on_average_over_the_outcomes(name: str) -> None:
    """Whatever was drawn before: over all outcomes of a draw, luck adds up to nothing, to rounding."""
    match = played(name, 2, 5, 1)
    judge = LuckJudge(match.game, match.seats, playouts=1, target="python")
    draws = match.entries[0].draws
    step, counts = judge.step_of(match, 0), outcome_counts(match, 0)
    at = next(number for number, count in enumerate(counts) if count > 1)
    lucks = [judge.luck(step, [*draws[:at], outcome])[at][1] for outcome in range(counts[at])]
    assert any(any(one) for one in lucks)
    for seat in range(match.seats):
        assert sum(one[seat] for one in lucks) == pytest.approx(0, abs=1e-9)


def test_the_worth_of_a_position_is_fixed_and_of_an_end_exact() -> None:
    """It is the same whenever and by whomever it is asked for; a match that is over is worth what everybody has won."""
    match = played("fantome", 2, 1, 10)
    worth = LuckJudge(match.game, 2, playouts=3, target="python").worth(match.row)
    assert worth == LuckJudge(match.game, 2, playouts=3, target="python").worth(match.row)
    assert sum(worth) == pytest.approx(1) and min(worth) >= 0
    over = played("turandot", 3, 2, 10_000)
    assert over.outcome is not None
    winners = over.outcome.winners
    judge = LuckJudge(over.game, 3, playouts=1, target="python")
    assert judge.worth(over.row) == pytest.approx([(seat in winners) / len(winners) for seat in range(3)])
    assert sum(judge.start()) == pytest.approx(1)


@pytest.mark.soak
@pytest.mark.parametrize(("name", "seats"), [(name, seats) for name, game in GAMES.items() for seats in game.seats])
def test_nobody_is_lucky_on_average(name: str, seats: int) -> None:
    """Over ten thousand matches of equal quick bots, the mean luck of every seat is nothing within its error."""
    from ridotto.arena.board import Board

    game = GAMES[name]
    build, judge = game.build("cpu"), LuckJudge(game, seats, playouts=4)
    found: list[list[float]] = []
    for seed in range(10_000):
        board, dice = Board(game, seats, game.settle(), seed, judge), build.generator(seed, 9)
        mask, scratch, events = build.mask(), build.row(), build.events(muted=True)
        while waiting := board.to_act:
            build.rules.legal(board.state.row, waiting[0], mask)
            action = build.bot.policy(board.state.row, waiting[0], mask, dice, events, scratch)
            board.play(waiting[0], int(action))
        found.append(board.luck)
    for seat in range(seats):
        lucks = [one[seat] for one in found]
        assert abs(mean(lucks)) < 4 * stdev(lucks) / len(lucks) ** 0.5, (name, seats, seat)


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It lists every draw in effect, what a seat gained in all is the sum, and the account adds up from start to result."""
    match = played("fantome", 2, 4, 12)
    match.undo()
    match.resign(1)
    record.save(match, tmp_path / "match.json", ["Ada", "Bruno"])
    monkeypatch.setattr(reviews, "review", partial(reviews.review, target="python"))
    asked = ["luck", str(tmp_path / "match.json"), "--playouts", "1", "--bot", "search:20"]
    found = json.loads(CliRunner().invoke(cli, [*asked, "--json"]).output)
    assert len(found["draws"]) == sum(len(match.entries[ply].draws) for ply in match.line)
    assert found["luck"] == pytest.approx([sum(one["luck"][seat] for one in found["draws"]) for seat in (0, 1)])
    for seat, one in enumerate(found["account"]):
        assert one["luck"] == pytest.approx(found["luck"][seat]) and one["result"] == (1.0, 0.0)[seat]
        decided = sum(decision["brought"][seat] for decision in found["decisions"])
        assert one["own_decisions"] + one["others_decisions"] == pytest.approx(decided)
        assert one["start"] + one["luck"] + decided + one["rest"] == pytest.approx(one["result"])
        assert one["own_decisions"] <= 0 <= one["others_decisions"]
    result = CliRunner().invoke(cli, asked)
    assert 0 == result.exit_code and "Ada" in result.output and "the rest" in result.output


def test_the_luckiest_entries_come_first() -> None:
    """The draws of one entry count together, for the seat to which they brought most."""
    draws = Draw(3, 0, 2, 0, (0.1, -0.1)), Draw(3, 1, 2, 0, (0.1, -0.1)), Draw(5, 0, 2, 1, (-0.15, 0.15))
    made = reviews.Review("fantome", 2, 9, "none", (), (1.0, 0.0), MatchLuck((0.5, 0.5), draws))
    assert [(seat, ply, round(gain, 6)) for seat, ply, gain in account.luckiest(made)] == [(0, 3, 0.2), (1, 5, 0.15)]
    assert reviews.read(json.loads(json.dumps(made.json()))) == made


def test_the_numbers_add_up_as_they_are_read() -> None:
    """Rounded to hundredths, start and parts still give the result."""
    one = account.SeatAccount(0.554, 0.0849, -0.1249, 0.3349, 1.0)
    start, *parts, result = (int(text.replace("−", "-")) for text in account.numbers(one))
    assert (start, result) == (55, 100) and start + sum(parts) == result


def test_what_is_remembered_is_what_would_be_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """A judge that remembers no playout says the same, to the last bit; one that remembers makes fewer."""
    match = played("fantome", 2, 5, 1)
    draws = match.entries[0].draws[:2]
    judge = LuckJudge(match.game, match.seats, playouts=1, target="python")
    luck: Any = match.game.build("python").luck
    made: list[int] = []
    remembered, add_playout = luck.remembered_playout, luck.add_playout

    def forgetful(given: Any, number: int, work: Any) -> int:
        given.memory.numbers[:] = [0] * luck.KEPT
        return int(remembered(given, number, work))

    def counted(*given: Any) -> None:
        made.append(1)
        add_playout(*given)

    monkeypatch.setattr(luck, "add_playout", counted)
    step = judge.step_of(match, 0)
    found = judge.luck(step, draws)
    few = len(made)
    assert judge.luck(step, draws) == found and len(made) < 2 * few, "what it has looked at it knows"
    before = len(made)
    monkeypatch.setattr(luck, "remembered_playout", forgetful)
    assert judge.luck(step, draws) == found and len(made) - before >= few


def test_choices_that_are_drawn_bring_nothing_on_average() -> None:
    """Over all actions, each as likely as it is, what a choice brings adds up to nothing; what is sure brings nothing."""
    match = played("fantome", 2, 5, 1)
    judge = LuckJudge(match.game, match.seats, playouts=1, target="python")
    seat = match.to_act[0]
    legal = match.view(seat).legal
    chances = {action: (at + 1) / sum(range(len(legal) + 1)) for at, action in enumerate(legal)}
    lucks = {action: judge.luck_of_choice(judge.action(match.row, seat, action), chances) for action in legal}
    assert any(any(one) for one in lucks.values())
    for one in range(match.seats):
        assert sum(chance * lucks[action][one] for action, chance in chances.items()) == pytest.approx(0, abs=1e-9)
    assert not any(judge.luck_of_choice(judge.action(match.row, seat, legal[0]), {legal[0]: 1.0}))


def test_the_mean_over_every_tape_is_nothing() -> None:
    """All that a first draw and the draw after it can bring, over every pair of outcomes: nothing, to rounding."""
    match = played("fantome", 2, 5, 1)
    judge = LuckJudge(match.game, match.seats, playouts=1, target="python")
    step, counts = judge.step_of(match, 0), outcome_counts(match, 0)
    total, weight = [0.0, 0.0], 1 / (counts[0] * counts[1])
    for first in range(counts[0]):
        for second in range(counts[1]):
            for outcomes, brought in judge.luck(step, [first, second]):
                assert outcomes in counts[:2]
                total = [one + more * weight for one, more in zip(total, brought, strict=True)]
    assert total == pytest.approx([0, 0], abs=1e-9)
