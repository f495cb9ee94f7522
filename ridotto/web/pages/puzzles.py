"""The page of a puzzle: the table as one seat sees it, what may be done, and what there is to say about an answer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ridotto.bots.puzzles import Puzzle
from ridotto.bots.reasons import boards as small_boards
from ridotto.core.game import Game
from ridotto.core.view import View
from ridotto.present import views
from ridotto.present.html import Html
from ridotto.present.narrator import opening, percent
from ridotto.present.ui import ui
from ridotto.present.words import Words
from ridotto.web.pages import site, table_panels
from ridotto.web.pages.models import Reader


@dataclass(frozen=True)
class PuzzlePage:
    """Which puzzle it is, and the answer that somebody has given."""

    game: Game
    puzzle: Puzzle
    number: int
    of: int
    today: int
    """The number of the puzzle of the day."""
    answer: str
    """In notation; "" before there is one."""


class Answer(NamedTuple):
    """Something that may be done."""

    notation: str
    label: str
    chance: str
    is_best: bool
    is_given: bool


class Solved(NamedTuple):
    """The verdict on an answer."""

    is_right: bool
    verdict: str
    reasons: list[str]
    boards: list[tuple[str, list[Html]]]


def page(reader: Reader, shown: PuzzlePage) -> str:
    """The whole page."""
    game, puzzle = shown.game, shown.puzzle
    words = ui(game).words(ui(game).narrator(reader.language, reader=puzzle.seat))
    view = puzzle.view(game)
    labels = {action["notation"]: action["label"] for action in views.actions(view, words)}
    answers = [
        Answer(name, labels[name], percent(round(100 * puzzle.values[name])), name == puzzle.best, name == shown.answer)
        for name in labels
    ]
    if shown.answer:
        answers.sort(key=lambda one: -puzzle.values[one.notation])
    panels = ui(game).panels(replace(view, legal=()), words)
    values: dict[str, Any] = {
        "shown": shown,
        "game": game,
        "answers": answers,
        "question": views.question(view, words),
        "you": opening(ui(game).role(puzzle.seat, words)),
        "seat": puzzle.seat,
        "panels": [table_panels.framed(panel) for panel in panels],
        "solved": _solved(shown, view, words, labels) if shown.answer else None,
    }
    return site.page("puzzle.html", reader, reader.narrator, **values)


def _solved(shown: PuzzlePage, view: View, words: Words, labels: dict[str, str]) -> Solved:
    puzzle, say = shown.puzzle, words.say
    best, given = puzzle.values[puzzle.best], puzzle.values[shown.answer]
    is_right = shown.answer == puzzle.best
    if is_right:
        verdict = say("Right: wins about {percent}.", percent=percent(round(100 * best)))
    else:
        verdict = say(
            "Not the best: wins about {percent}. Better: {better}, about {best}.",
            percent=percent(round(100 * given)),
            better=labels[puzzle.best],
            best=percent(round(100 * best)),
        )
    compared = puzzle.comparison()
    reasons = compared.reasons(words)
    reasons.append(say("A bot that only glances at the table plays: {action}.", action=labels[puzzle.glance]))
    drawn = small_boards(view, words, compared)
    titles = [say("Before"), labels[puzzle.glance], labels[puzzle.best]]
    boards = [(title, [table_panels.framed(panel) for panel in panels]) for title, panels in zip(titles, drawn, strict=False)]
    return Solved(is_right, verdict, reasons, boards if len(boards) > 1 else [])
