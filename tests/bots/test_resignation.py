"""A resignation in a review: with the chance that there was."""

from __future__ import annotations

from ridotto.bots import review, review_words
from ridotto.bots.bot import Ranked
from ridotto.bots.judging import Judgement
from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.present.ui import ui


def judged(match: Match, ply: int, value: float) -> Judgement:
    view = review.view_at(match, ply)
    assert view.seat is not None
    action = match.game.action(match.entries[ply].do)
    values = tuple(value if seat == view.seat else 1 - value for seat in range(match.seats))
    return Judgement(ply, view.seat, action, values, (Ranked(action, 400, 0.5, 1.0),), 400)


def test_a_resignation_has_its_chance() -> None:
    """It is that of the last decision of whoever resigned, not of anybody else; nothing is said where nobody resigned."""
    match = Match(GAMES["fantome"], seed=7)
    while match.ply < 8:
        match.play(match.legal()[0])
    seats = {entry.seat for entry in match.entries[1:]}
    assert {0, 1} == seats
    plies = review.decisions(match)
    chances = {ply: (20 + at) / 100 for at, ply in enumerate(plies)}
    made = review.assemble_review(match, "search:400", [judged(match, ply, chances[ply]) for ply in plies])
    words = ui(match.game).words(ui(match.game).narrator("en", ("Ada", "Boris"), 0))
    assert "" == review_words.resignation(match, words, made)
    match.resign(1)
    last = max(ply for ply in plies if match.entries[ply].seat == 1)
    told = review_words.summary(match, words, made)[0]
    assert f"Boris resigned at {round(100 * chances[last])}\N{NO-BREAK SPACE}%" in told
