"""Reviews: a planted mistake is found, by what a seat could know; chances are calibrated; and all is put into words."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ridotto.bots import Budget, Ranked, calibration, find, judging, review, review_page, review_words
from ridotto.bots.calibration import Prediction
from ridotto.bots.judging import Judgement
from ridotto.cli import cli
from ridotto.core import record
from ridotto.core.match import Match
from ridotto.engine.fields import HIDDEN
from ridotto.games import GAMES
from ridotto.present.narrator import LANGUAGES
from ridotto.present.ui import ui


def played(name: str, seats: int, seed: int, bot: str = "greedy") -> Match:
    """A match between equal bots."""
    match, player = Match(GAMES[name], seats, seed=seed), find(bot)
    while match.to_act:
        seat = match.to_act[0]
        match.play(player.choose(match.view(seat), Budget(match.ply)), seat)
    return match


def judged(ply: int, loss: float, visits: int = 400) -> Judgement:
    """A judgement that gives so much away."""
    ranked = (Ranked(0, 1600, 0.7, 1.0), Ranked(1, visits, 0.7 - loss, 0.0))
    return Judgement(ply, 0, 1, (0.6, 0.4), ranked, 2000)


# Finding mistakes.


@pytest.mark.compiles
def test_a_planted_mistake_is_found() -> None:
    """A phantom who gives a won match away with one move: the review names that decision first, and says what was better."""
    match = played("fantome", 2, 3, "search:150")
    # Where somebody can win at once, they do something else instead.
    for ply in reversed(review.decisions(match)):
        before = match.after(ply)
        seat = match.entries[ply].seat
        assert seat is not None
        thought = find("search:400").opinion(before.view(seat), Budget(1))
        assert thought is not None
        worst = min(thought.ranked, key=lambda one: one.value)
        if thought.ranked[0].value - worst.value > 0.5 and worst.visits >= 4:
            break
    else:
        pytest.fail("no decision of this match matters")
    before.play(worst.action, seat)
    player = find("greedy")
    while before.to_act:
        acting = before.to_act[0]
        before.play(player.choose(before.view(acting), Budget(before.ply)), acting)
    made = review.review(before, "search:300", seat)
    first = made.costliest[0]
    assert (ply, seat, worst.action) == (first.ply, first.seat, first.action)
    assert first.loss > 0.3
    lesson = review_words.explain(before, ui(before.game).english, first)
    assert lesson.better
    assert "cost about" in lesson.cost


def test_the_search_sees_one_seat_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every decision is judged from the view of the seat that made it, as it was before the decision."""
    match = played("fantome", 2, 5)
    views = []

    def judge(view: Any, ply: int, action: int, bot: str, seed: int, target: str) -> Judgement:
        views.append((view, ply))
        return replace(judged(ply, 0), seat=view.seat, action=0)

    monkeypatch.setattr(review, "judge", judge)
    monkeypatch.setattr(review, "luck_of", lambda *_: None)
    review.review(match)
    identity = match.rules.FIELDS.F.identity
    assert len(views) == len(review.decisions(match)) > 20
    for view, ply in views:
        assert (match.entries[ply].seat, ply) == (view.seat, view.ply)
        assert (view.row[identity] == HIDDEN) == (view.seat == 0)
        assert max(one.ply for one in view.seen) < ply


def test_only_decisions_in_effect_count() -> None:
    """What was taken back, what was forced, deals and resignations are no decisions to judge."""
    match = Match(GAMES["fantome"], seed=1)
    match.play(match.legal()[0])
    match.undo()
    match.play(match.legal()[1])
    match.resign(0)
    assert [3] == review.decisions(match)
    assert [] == review.decisions(match, 1)


def test_costliest_first() -> None:
    """The decisions that surely cost most stand first; a loss that may be chance does not count."""
    match = Match(GAMES["fantome"], seed=1)
    found = [judged(1, 0.1), judged(2, 0.35, visits=2), judged(3, 0.4), judged(4, 0.01), judged(5, 0.25)]
    made = review.assemble_review(match, "search", found)
    assert [3, 5, 1] == [one.ply for one in made.costliest]  # a move that was tried twice proves nothing
    assert pytest.approx(0.222) == made.mean_loss(0)


def test_a_bot_without_opinion_cannot_judge() -> None:
    """A bot that does not search is refused, with one that does."""
    view = Match(GAMES["fantome"], seed=1).view(0)
    with pytest.raises(
        judging.NoReview, match=r"^greedy has no opinion; a review needs one that searches, such as search:2000$"
    ):
        judging.judge(view, 1, view.legal[0], "greedy")


@pytest.mark.compiles
def test_kept_reviews_read_back() -> None:
    """A review that was kept as JSON is the same when read; what is no review is refused."""
    match = played("turandot", 2, 1)
    made = review.review(match, "search:20", 0)
    assert made == review.read(json.loads(json.dumps(made.json())))
    with pytest.raises(judging.NoReview, match="not a review"):
        review.read({"format": "something"})


# Words and pictures.


@pytest.mark.parametrize("spoken", LANGUAGES)
def test_pages_are_whole(spoken: str) -> None:
    """The page of a review has the picture, the costliest decisions and every decision, in each language."""
    match = played("turandot", 3, 2)
    made = review.review(match, "search:20", 1)
    made = replace(made, judgements=(_worse(made.judgements[0]), *made.judgements[1:]))
    words = ui(match.game).words(ui(match.game).narrator(spoken))
    page = review_page.page(match, words, made)
    first = review_words.explain(match, words, made.costliest[0])
    assert f'<html lang="{spoken}">' in page
    assert len(made.judgements) + 1 == page.count("<tr>")
    assert 1 == page.count("<article>")
    assert first.better in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")


def test_a_review_speaks_of_whoever_decided() -> None:
    """Its reader need not be the one: what a seat would have done next is told of it by name."""
    match = played("fantome", 2, 3)
    made = review.review(match, "search:50")
    words, judged = ui(match.game).english, [one for one in made.judgements if one.reply and one.reply.seat == one.seat]
    found = [review_words.explain(match, words, one).reasons for one in judged]
    assert found
    for reasons in found:
        assert 1 == sum(reason.startswith("Then: ") for reason in reasons)
        assert not re.search(r"\byou\b", " ".join(reasons), re.I)


def _worse(one: Judgement) -> Judgement:
    """The same decision, as if it had cost half the match."""
    other = next(ranked for ranked in one.ranked if ranked.action != one.action)
    ranked = (replace(other, value=0.9, visits=900), replace(one.played, value=0.4, visits=900))
    return replace(one, ranked=ranked)


def test_the_picture_shows_each_seat_as_it_could_judge() -> None:
    """A line for each seat that decided, one number for each costly decision with its link, and where the reader is."""
    match = played("fantome", 2, 3)
    found = [replace(judged(ply, 0.2 if ply == 5 else 0.0), seat=ply % 2) for ply in range(1, 20)]
    made = review.assemble_review(match, "search", found)
    for narrow in (False, True):
        drawn = review_page.picture(match, ui(match.game).english, made, lambda ply: f"/at/{ply}", 9, narrow)
        assert 2 == drawn.body.count("chance chance")
        assert 1 == drawn.body.count('href="/at/5"')
        assert 1 == drawn.body.count('class="here"')


def test_the_command(tmp_path: Path) -> None:
    """`ridotto review` tells in words or JSON what was found, and writes the page."""
    match = played("fantome", 2, 4)
    path, page = tmp_path / "match.json", tmp_path / "review.html"
    record.save(match, path, ["Ada", "level:3"])
    run = CliRunner().invoke(cli, ["review", str(path), "--bot", "search:20", "--lang", "en", "--html", str(page)])
    assert 0 == run.exit_code, run.output
    assert "Ada: " in run.output and "Rosina: " in run.output and "level:3" not in run.output
    assert f"written: {page}" in run.output.replace("\n", "")
    assert "<title>Le Fantôme de l&#x27;Opéra: review</title>" in page.read_text("utf-8")
    run = CliRunner().invoke(cli, ["review", str(path), "--bot", "search:20", "--json", "--seat", "1"])
    told = json.loads(run.output)
    assert review.decisions(match, 1) == [one["ply"] for one in told["decisions"]]
    assert match.entries[told["decisions"][0]["ply"]].do == told["decisions"][0]["played"]
    run = CliRunner().invoke(cli, ["review", str(path), "--bot", "greedy"])
    assert (2, "ridotto: greedy has no opinion; a review needs one that searches, such as search:2000\n") == (
        run.exit_code,
        run.output,
    )


# Calibration.


def test_curves_rise() -> None:
    """The curve of every game rises from no chance to certainty, and chances of all seats together stay what they were."""
    curves = {name: curve for name, game in GAMES.items() if (curve := game.tuning.calibration.curve)}
    assert {"opera", "turandot"} == set(curves)
    for name, curve in curves.items():
        assert sorted(curve) == list(curve)
        assert 0 <= curve[0] < 0.1 and 0.9 < curve[-1] <= 1
        assert pytest.approx(1) == sum(judging.chances(GAMES[name], (0.2, 0.5, 0.3)))
    assert (0.0, 0.0) == judging.chances(GAMES["opera"], (0.0, 0.0))
    assert (0.3, 0.7) == pytest.approx(judging.chances(GAMES["fantome"], (0.3, 0.7)))


def test_a_fitted_curve_is_the_best_rising_one() -> None:
    """Of all rising curves through a few points none has a smaller square error: tried against many by chance."""
    dice = random.Random(1)
    given = [Prediction(i, i / 20, float(dice.random() < (i / 20) ** 2)) for i in range(21)]
    curve = calibration.fit(given)
    assert sorted(curve) == list(curve)

    def error(tried: Sequence[float]) -> float:
        return sum((tried[i] - one.result) ** 2 for i, one in enumerate(given))

    # At the points themselves the curve may lie between two steps: a little slack.
    steps = [min(error(sorted(dice.random() for _ in given)) for _ in range(200)) for _ in range(20)]
    assert error(curve) <= min(steps) + 0.5


def test_calibrating_mends_what_is_off() -> None:
    """Chances that are too timid by a known rule come out right on the other half of the matches."""
    dice = random.Random(7)
    given = []
    for match in range(20_000):
        true = dice.random()
        timid = 0.5 + (true - 0.5) / 2
        given.append(Prediction(match, timid, float(dice.random() < true)))
    finding = calibration.Finding(GAMES["fantome"], 20_000, "search:200", 1, given)
    before, after = finding.validation
    assert calibration.mean_error(before) > 0.08
    assert calibration.mean_error(after) < 0.03
    assert calibration.brier(after) < calibration.brier(before)


def test_the_calibration_command(tmp_path: Path) -> None:
    """`ridotto calibrate` plays, asks, and writes a page and a picture that say how it was made."""
    out = tmp_path / "calibration.md"
    run = CliRunner().invoke(cli, ["calibrate", "fantome", "--games", "20", "--bot", "search:10", "--out", str(out)])
    assert 0 == run.exit_code, run.output
    page = out.read_text("utf-8")
    assert "`ridotto calibrate fantome --games 20 --bot search:10 --seed 1`" in page
    assert "| Le Fantôme de l'Opéra | 20 |" in page
    assert (tmp_path / "pictures" / "calibration.svg").read_text("utf-8").startswith("<svg")


def test_forecasts_are_what_the_bot_said() -> None:
    """Each chance belongs to a seat of a match and comes with that seat's share of the win: together they sum to the whole."""
    found = calibration.forecasts(GAMES["turandot"], 6, "search:10", 1)
    assert set(range(6)) == {one.match for one in found} or len(found) > 10
    assert all(0 <= one.chance <= 1 and 0 <= one.result <= 1 for one in found)
    # Two processes find the same.
    assert found == calibration.forecasts(GAMES["turandot"], 6, "search:10", 1, processes=2)
    with pytest.raises(judging.NoReview, match="gives no chances"):
        calibration.forecasts(GAMES["turandot"], 6, "greedy", 1)
