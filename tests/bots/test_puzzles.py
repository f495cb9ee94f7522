"""Puzzles: those that come with a game are what they claim to be, and what is not clear is none."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from ridotto.bots import Opinion, Ranked, puzzles
from ridotto.games import GAMES
from ridotto.present.ui import ui

WITH_PUZZLES = [name for name, game in GAMES.items() if puzzles.load(game)]


@pytest.mark.parametrize("name", WITH_PUZZLES)
def test_the_puzzles_of_a_game(name: str) -> None:
    """There are fifty; each can be read and decided, is clear, is missed at a glance, differs from the others, and says why."""
    game = GAMES[name]
    found = puzzles.load(game)
    assert len(found) >= 50
    assert len({repr(sorted(puzzle.position.items())) for puzzle in found}) == len(found)
    for number, puzzle in enumerate(found):
        view = puzzle.view(game)
        assert [game.rules.ACTIONS.notation(action) for action in view.legal] == sorted(puzzle.values, key=game.action), number
        assert puzzle.best == max(puzzle.values, key=lambda action: puzzle.values[action]) != puzzle.glance
        assert puzzle.lead >= puzzles.LEAST_LEAD - 0.001 and len(puzzle.values) >= puzzles.LEAST_CHOICES
        compared = puzzle.comparison()
        for language in ("en", "fr", "nl"):
            compared.reasons(ui(game).words(ui(game).narrator(language, reader=puzzle.seat)))
    assert puzzles.read(puzzles.document(game, found)) == found


def test_one_for_each_day() -> None:
    """Every day another one, and all of them in turn."""
    some = [puzzles.Puzzle(2, 0, {}, "a", "b", {"a": 1.0, "b": float(n)}, {}) for n in range(7)]
    days = [puzzles.of_the_day(some, date(2026, 1, 1) + timedelta(day)) for day in range(14)]
    assert sorted(days[:7]) == list(range(7)) and days[:7] == days[7:]


@pytest.mark.parametrize(
    ("first", "second", "visits", "is_clear"),
    [(0.7, 0.5, 1000, True), (0.6, 0.5, 1000, False), (0.7, 0.5, 20, False), (0.5, 0.7, 1000, False)],
)
def test_what_is_clear(first: float, second: float, visits: int, is_clear: bool) -> None:
    """Fifteen in a hundred, more than can be doubted, and every decision looked at."""
    found = Opinion((0.5, 0.5), (Ranked(1, 3000, first, 1.0), Ranked(2, visits, second, 0.0)), 4000)
    assert puzzles._is_clear(GAMES["fantome"], found, 1, puzzles.LEAST_VISITS) is is_clear


def test_what_are_no_puzzles() -> None:
    """A file of something else is refused in plain words."""
    with pytest.raises(puzzles.BadPuzzles, match="not puzzles"):
        puzzles.read({"format": "ridotto record"})
