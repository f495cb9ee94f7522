"""Foresight: rows and lines without "?" come true in every world that the seat holds possible, and for every draw."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest
from turn_orders import COMPOUND

from ridotto.core import drafts
from ridotto.core.match import Match
from ridotto.core.view import read_events, seen_by
from ridotto.engine.fields import HIDDEN, Row, Seat
from ridotto.games import GAMES
from ridotto.present.kit.foresight import blend, foresee, lines, with_early
from ridotto.present.ui import ui

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


def worlds(match: Match, seat: Seat, do: str, count: int) -> Iterator[tuple[Row, list[str]]]:
    """The rows and the lines of the log that the seat would read after an action, in random worlds."""
    build, view, words = match.build, match.view(seat, since=match.ply), ui(match.game).english
    for world in range(count):
        row, dice, events = list(view.row), build.generator(world, 99), build.events()
        build.rules.redeal(row, seat, dice)
        build.rules.apply(row, seat, match.game.action(do), dice, events)
        yield row, [words.event(one) for one in seen_by(seat, read_events(match.rules, events, view.ply))]


def preview(match: Match, seat: Seat, do: str) -> list[str]:
    return lines(match.view(seat), match.game.action(do), ui(match.game).english)


def false_lines(match: Match, seat: Seat, do: str) -> list[str]:
    """The lines of a preview that are not true in every world."""
    previewed, outcomes = preview(match, seat, do), [lines for _, lines in worlds(match, seat, do, WORLDS)]
    assert previewed or not any(outcomes)
    return [
        line
        for at, line in enumerate(previewed)
        if "?" not in line and any(line not in outcome[at : at + 1] for outcome in outcomes)
    ]


@pytest.mark.parametrize("game", COMPOUND)
@pytest.mark.parametrize("matches", [2, pytest.param(60, marks=pytest.mark.soak)])
def test_a_line_of_a_preview_is_true_in_every_world(game: str, matches: int) -> None:
    kinds: Counter[str] = Counter()
    for number, (match, seat, do) in enumerate(questions(game, matches)):
        if number % 3 == 0:
            assert [] == false_lines(match, seat, do), do
            kinds["open" if any("?" in line for line in preview(match, seat, do)) else "certain"] += 1
    assert kinds["open"] and kinds["certain"], kinds


def test_a_guess_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """If what six random worlds have in common were taken for certain, lines would be false."""

    def guessed(match: Match, seat: Seat, do: str) -> list[str]:
        return blend([lines for _, lines in worlds(match, seat, do, 6)])

    monkeypatch.setitem(globals(), "preview", guessed)
    assert any(false_lines(match, seat, do) for match, seat, do in questions("fantome", 4))


@pytest.mark.parametrize("game", COMPOUND)
def test_a_row_that_is_foreseen_is_so_in_every_world(game: str) -> None:
    """An action that is foreseen as a whole leaves all that is not hidden like that."""
    kinds: Counter[bool] = Counter()
    for match, seat, do in questions(game, 2):
        foreseen = foresee(match.view(seat), match.game.action(do))
        kinds[foreseen.is_whole] += 1
        if foreseen.is_whole:
            for row, _ in worlds(match, seat, do, 10):
                known = zip(foreseen.row, row, strict=True)
                assert all(word in (HIDDEN, in_world) for word, in_world in known)
    assert kinds[True] and kinds[False], kinds


def test_early_decisions_are_drawn_where_the_turn_leaves_them() -> None:
    """Le Fantôme: whoever is moved early, or brought into the dark, is so at the end of the turn, whatever else is answered."""
    verbs: Counter[str] = Counter()
    for match, seat, _ in questions("fantome", 12):
        view = match.view(seat)
        for early in random.Random(match.ply).sample(list(view.early), min(4, len(view.early))):
            drawn = with_early(drafts.drafted(match, seat, [early.text]).view(seat), ("place", "dark")).row
            changed = [at for at, word in enumerate(drawn) if word != view.row[at]]
            assert 1 == len(changed)
            draft, answers = drafts.drafted(match, seat, [early.text]), [early.text]
            while draft.waiting:
                chosen = random.Random(f"{match.ply} {answers}").choice(draft.view(seat).legal)
                answers.append(match.rules.ACTIONS.notation(chosen))
                draft = drafts.drafted(match, seat, answers)
            after = with_early(draft.view(seat), ("place", "dark")).row
            assert drawn[changed[0]] == after[changed[0]], (early, answers)
            verbs[early.text.split()[0]] += 1
    assert verbs.keys() == {"move", "dark", "send"}, verbs
