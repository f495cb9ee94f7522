"""The panel of the score: who won, and every part of every score."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin
from typing import Final

from ridotto.core.view import View
from ridotto.games.turandot.rules import ENDINGS, PARTS
from ridotto.games.turandot.ui.messages import points
from ridotto.games.turandot.ui.picture.casting import FREE
from ridotto.games.turandot.ui.picture.frames import CURTAIN, frame
from ridotto.games.turandot.ui.picture.people import people
from ridotto.games.turandot.ui.picture.signs import mask, stroke
from ridotto.games.turandot.ui.picture.troupes import FICTITIOUS
from ridotto.games.turandot.ui.words import Words
from ridotto.present.kit import EDGE, INNER, WIDE, lines, panel, rect
from ridotto.present.narrator import mark
from ridotto.present.scene import Item, Layer
from ridotto.present.svg import group, seat_mark, tag, wrap, write

LOW: Final = 300
"""The height from which on there is room for a curtain."""
LABEL: Final = 122
"""How wide the names of the parts are."""
FIRST: Final = 36
"""Where the first part begins, below the marks of the seats."""
PART_NAMES: Final = {
    "stars": mark("stars"),
    "favourites": mark("favourite roles"),
    "wrong": mark("wrong sexes"),
    "elements": mark("stage elements"),
    "director": mark("director"),
    "puccini": "Puccini",
}


def score(view: View, words: Words) -> Layer:
    """The score. The winner may be the reader, so no sentence names one."""
    outcome, rivals = view.outcome, words.rivals(view.row)
    assert outcome is not None
    names = [part.name for part in PARTS if part.seats in (0, view.seats)]
    ending = next(one.meaning for one in ENDINGS if one.name == outcome.ending)
    reason = wrap(words.say(ending), INNER - 20, 15)
    title = words.say("The score") if outcome.winners else words.say("Nobody wins.")  # a laurel marks who won
    tall = FREE[view.seats]
    top = 0 if tall < LOW else 22  # of the curtain
    heading = [
        write(title, WIDE / 2, top + 26, 20, cls="title bold", within=INNER),
        *lines(reason, WIDE / 2, top + 45, 15.5, 16, cls="quiet"),
    ]
    if top:
        heading.insert(0, CURTAIN)
    top += 38 + 16 * len(reason)
    step = min(38, round((tall - top - FIRST - 34) / len(names), 1))
    items = [
        frame("score", tall),
        Item("score-heading", "score", group(heading)),
        Item("score-parts", "score", _names(words, names, step), 0, top),
    ]
    wide = (INNER - LABEL) / (view.seats + len(rivals))
    for seat, person in enumerate(people(words, view.seats)):
        mark = [*(laurel(0, 18) if seat in outcome.winners else ()), seat_mark(seat, 0, 18, 28, person.letter)]
        column = _column(mark, [outcome.parts[seat][name] for name in names], outcome.scores[seat], step)
        items.append(Item(f"score-{seat}", "score", column, EDGE + LABEL + wide * (seat + 0.5), top))
    for rival in rivals:
        column = _column([mask(0, 18, 1.5, "gold")], [rival.parts.get(name) for name in names], rival.score, step)
        items.append(Item(f"score-{FICTITIOUS}", "score", column, EDGE + LABEL + wide * (view.seats + 0.5), top))
    return Layer([panel("score", words.say("The score"), WIDE, tall)], items)


def _names(words: Words, names: Sequence[str], step: float) -> str:
    """The names of the parts, one below the other, and below a line that of the total."""
    parts, end = [], FIRST + step * len(names)
    for i, name in enumerate(names):
        if i % 2 == 0:
            parts.append(rect(EDGE, FIRST + step * i, INNER, step, "plate", 5))
        text = words.say(PART_NAMES[name])
        parts.append(write(text, EDGE + 6, FIRST + step / 2 + 5 + step * i, 15.5, anchor="start", within=LABEL - 8))
    parts.append(stroke(EDGE, end + 2, WIDE - EDGE, end + 2, "goldline"))
    parts.append(write(words.say("the total"), EDGE + 6, end + 25, 17, cls="title bold", anchor="start"))
    return group(parts)


def _column(mark: Sequence[str], values: Sequence[int | None], total: int, step: float) -> str:
    """Whose points they are, the points part by part, and the total."""
    column = [*mark]
    for i, value in enumerate(values):
        text = "" if value is None else str(value) if i == 0 else points(value)
        cls = "bad" if value is not None and value < 0 else ""
        column.append(write(text, 0, FIRST + step / 2 + 5 + step * i, 16, cls=cls))
    total_y = FIRST + step * len(values) + 26
    return group([*column, write(str(total), 0, total_y, 22, cls="title bold")])


def laurel(x: float, y: float) -> list[str]:
    """A wreath around a winner's mark."""
    leaves = []
    for side in (-1, 1):
        for angle in (0.75, 1.2, 1.65, 2.1, 2.55):
            place = f"translate({x + side * 19 * sin(angle):.1f} {y - 19 * cos(angle):.1f})"
            turn = f"rotate({side * (angle * 180 / pi + 20):.0f})"
            leaves.append(tag("ellipse", cx=0, cy=0, rx=5.5, ry=2.4, cls="gold", transform=f"{place} {turn}"))
    return leaves
