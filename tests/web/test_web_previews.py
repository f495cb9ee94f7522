"""Previews say only what is certain: a line without "?" comes true in every world that the seat holds possible."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest
from turn_orders import COMPOUND

from ridotto.core.match import Match
from ridotto.core.view import read_events, seen_by
from ridotto.engine.fields import Seat
from ridotto.games import GAMES
from ridotto.present.ui import ui
from ridotto.web.live import previews
from ridotto.web.live.previews import preview

WORLDS = 150
"""Worlds, drawn by chance alone, against which a preview is held."""


def questions(game: str, matches: int) -> Iterator[tuple[Match, Seat, str]]:
    """Decisions out of random matches."""
    for seed in range(matches):
        chooser = random.Random(f"{game} {seed}")
        match = Match(GAMES[game], chooser.choice(GAMES[game].seats), seed=seed)
        while match.to_act:
            seat = chooser.choice(match.to_act)
            do = chooser.choice(list(match.legal(seat)))
            yield match, seat, do
            match.play(do, seat)


def outcomes(match: Match, seat: Seat, do: str) -> list[list[str]]:
    """The lines of the log that the seat would read in random worlds."""
    build, view, words = match.build, match.view(seat, since=match.ply), ui(match.game).english
    lines = []
    for world in range(WORLDS):
        row, dice, events = list(view.row), build.generator(world, 99), build.events()
        build.rules.redeal(row, seat, dice)
        build.rules.apply(row, seat, match.game.action(do), dice, events)
        lines.append([words.event(one) for one in seen_by(seat, read_events(match.rules, events, view.ply))])
    return lines


def false_lines(match: Match, seat: Seat, do: str) -> list[str]:
    """The lines of a preview that are not true in every world."""
    shown, worlds = preview(match, seat, do, ui(match.game).english), outcomes(match, seat, do)
    assert shown or not any(worlds)
    return [
        line for at, line in enumerate(shown) if "?" not in line and any(line not in world[at : at + 1] for world in worlds)
    ]


@pytest.mark.parametrize("game", COMPOUND)
@pytest.mark.parametrize("matches", [2, pytest.param(60, marks=pytest.mark.soak)])
def test_a_line_of_a_preview_is_true_in_every_world(game: str, matches: int) -> None:
    kinds: Counter[str] = Counter()
    for number, (match, seat, do) in enumerate(questions(game, matches)):
        if number % 3 == 0:
            assert [] == false_lines(match, seat, do), do
            kinds["open" if any("?" in line for line in preview(match, seat, do, ui(match.game).english)) else "certain"] += 1
    assert kinds["open"] and kinds["certain"], kinds


def test_a_guess_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """If what six random worlds have in common were taken for certain, lines would be false."""

    def guessed(match: Match, seat: Seat, do: str, words: object) -> list[str]:
        return previews.blend(outcomes(match, seat, do)[:6])

    monkeypatch.setitem(globals(), "preview", guessed)
    assert any(false_lines(match, seat, do) for match, seat, do in questions("fantome", 4))
