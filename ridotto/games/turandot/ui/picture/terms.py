"""Directors: the signs of what they count, and their terms drawn in a line 22 high."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ridotto.games.turandot.components import (
    AT_LEAST,
    CATEGORY_IDS,
    FEWER_THAN,
    SEXES,
    STATISTICS,
    TERMS,
    Filter,
    Term,
)
from ridotto.games.turandot.components import ROLES as ROLE_IDS
from ridotto.games.turandot.rules import FEMALE
from ridotto.games.turandot.ui.messages import points
from ridotto.games.turandot.ui.picture.signs import HEART, SEX_SHAPES, emblem, scaled, sign, star, stroke, tone
from ridotto.games.turandot.ui.words import Words, runs, span
from ridotto.present.kit import INNER, Span, circle, drawing, path, placed, rect, row
from ridotto.present.svg import group, tag, write

ROOM: Final = INNER - 57
"""How wide the line is."""
GAP: Final = 4
"""Between two terms."""
TALL: Final = 22


@drawing
def medallion(number: int, size: float) -> str:
    """A director's sign: the category they like, or what they count."""
    first = TERMS[number][0]
    if first.which is not None and first.which.trait == "favourite":
        first = replace(first, which=Filter("favourite", ("any",)))
    if first.which is None:
        drawn, wide = _table_sign(first), 17 * 1.3
    else:
        drawn, wide = _filter_sign(first.which, 0, 0, 1.3, "gleam", "gleamline")
    more = max(0, wide - 23)  # What comes after the first sign, where a term counts several kinds.
    scale = 30 / wide if more else 1
    shape = scaled([drawn], -more / 2 * scale, 0, scale) if more else drawn
    return placed([circle(0, 0, 20, "back"), circle(0, 0, 17, "gleamline"), shape], 0, 0, size / 40)


def _table_sign(term: Term) -> str:
    """The sign of the number that a table goes by, on a medallion."""
    if STATISTICS[term.statistic] == "women":
        return sign(SEX_SHAPES[FEMALE], 0, 0, 1.3, "gleamline")
    if STATISTICS[term.statistic] == "max_same_category":
        parts = [tag("rect", x=x, y=y, width=6, height=6, cls="gleam") for x, y in ((-6.5, 1), (0.5, 1), (-3, -6))]
    else:
        parts = [
            circle(-5, -4, 2.6, "gleam"),
            tag("rect", x=-2.2, y=-6.4, width=4.6, height=4.6, cls="gleam"),
            *(path(shape, "gleam") for shape in SUITS),
        ]
    return placed(parts, 0, 0, 1.3)


SUITS: Final = (
    "M5.4 -7L8.2 -1.8H2.6Z",
    "M-5 .8L-2 4L-5 7.2L-8 4Z",
    "M-1 1.4H1V3H2.6V5H1V6.6H-1V5H-2.6V3H-1Z",
    "M4.2 1.4H6.8L8 4L6.8 6.6H4.2L3 4Z",
)
"""With a disc and a square, the sign of different categories."""


def _filter_sign(which: Filter, x: float, y: float, scale: float, cls: str, line: str) -> tuple[str, float]:
    """The sign of the singers a term counts, its middle at `x` if it is a single one; and how wide it is."""
    parts: list[str] = []
    wide = 0.0
    if which.trait == "favourite":
        parts.append(sign(HEART, x, y, scale * 0.85, "bad" if cls == "lit" else cls))
        wide = 14 * scale
        if which.values == ("none",):
            parts.append(stroke(x - 7, y + 7, x + 7, y - 7, "gone"))
        elif which.values != ("any",):
            text = "".join(str(ROLE_IDS.index(value) + 1) for value in which.values)
            parts.append(write(text, x + 8 * scale, y + 5, 15.6, cls="bold", anchor="start"))
            wide += 8.4 * len(text)
        return group(parts), wide
    for value in which.values:
        if which.trait == "category":
            parts.append(emblem(CATEGORY_IDS.index(value), x + wide, y, scale, cls))
            wide += 17 * scale
        elif which.trait == "sex":
            parts.append(sign(SEX_SHAPES[SEXES.index(value)], x + wide, y, scale, line))
            wide += 16 * scale
        else:
            parts += [star(x + wide + 10 * scale * i, y, scale * 0.68, cls) for i in range(int(value))]
            wide += 10 * scale * int(value) + 4
    return group(parts), wide


# The line.


@drawing
def drawn_terms(number: int) -> str:
    """What a director gives and takes."""
    widths, scale = _widths(number)
    parts, x = [], 0.0
    for term, wide in zip(TERMS[number], widths, strict=True):
        parts.append(placed(_table(term, wide) if term.which is None else _term(term, term.which)[0], x, 0))
        x += wide + GAP
    return _fitted(parts, scale)


@drawing
def place_in_tables(number: int, stands: tuple[int, ...]) -> str:
    """Where a troupe stands in a director's tables; "" if the director has none, or the troupe is nowhere in them."""
    widths, scale = _widths(number)
    parts, x = [], 0.0
    for term, wide, stand in zip(TERMS[number], widths, stands, strict=True):
        steps = _steps(term, wide, x) if term.which is None else ()
        parts += [rect(step.x, 0, step.wide, TALL, "here", 4) for step, run in steps if stand in run]
        x += wide + GAP
    return _fitted(parts, scale) if parts else ""


@drawing
def _widths(number: int) -> tuple[tuple[float, ...], float]:
    """How wide each term of a director is drawn, and by how much all of them are made smaller where the line is too short."""
    alone = len(TERMS[number]) == 1
    widths = [
        _term(term, term.which)[1] if term.which is not None else ROOM if alone else 44.0 * len(runs(term))
        for term in TERMS[number]
    ]
    return tuple(widths), min(1, ROOM / (sum(widths) + GAP * len(widths) - GAP))


def _fitted(parts: Sequence[str], scale: float) -> str:
    """The terms of a director, made smaller about the middle of their line where they would not fit."""
    return group(parts) if scale == 1 else scaled(parts, 0, 11 - 11 * scale, scale)


def _term(term: Term, which: Filter) -> tuple[list[str], float]:
    """What a term gives or takes for the singers that it counts, and how wide it is."""
    text = points(term.points)
    inside = [write(text, 5, 16.4, 15.6, cls=f"bold {tone(term.points)}", anchor="start")]
    x = 7 + 8.7 * len(text)
    crossed = term.kind == FEWER_THAN and term.n == 1
    if term.kind in (AT_LEAST, FEWER_THAN) and not crossed:
        text = f"{'≥' if term.kind == AT_LEAST else '<'}{term.n}"
        inside.append(write(text, x, 16.4, 15.6, anchor="start"))
        x += 8.6 * len(text) + 1
    drawn, wide = _filter_sign(which, x + 8, 11, 0.88, "lit", "litline")
    inside.append(drawn)
    if crossed:
        inside.append(stroke(x, 18, x + 15, 4, "gone"))
    return [rect(0, 0, x + wide + 4, TALL, "capsule", 11), *inside], x + wide + 4


def _table(term: Term, wide: float) -> list[str]:
    """A table as a row of steps: the number in small, the points it gives."""
    parts = []
    for step, run in _steps(term, wide):
        value = term.values[run[0]]
        cls = f"bold {'good' if value > 0 else 'bad'}"
        long = 7.6 * len(span(run)) + 3 + 8.2 * len(points(value))
        parts += [
            rect(step.x, 0, step.wide, TALL, "capsule", 4),
            write(span(run), step.middle - long / 2, 16.4, 15.6, cls="quiet", anchor="start"),
            write(points(value), step.middle + long / 2, 16.4, 15.6, cls=cls, anchor="end"),
        ]
    return parts


def _steps(term: Term, wide: float, x: float = 0) -> list[tuple[Span, list[int]]]:
    """The places of the numbers of a table."""
    numbers = runs(term)
    return list(zip(row(len(numbers), wide, x, gap=3), numbers, strict=True))


@drawing
def director_title(words: Words, number: int) -> str:
    """A director and all terms in words."""
    return words.say("{card}: {cards}", card=words.director(number), cards="; ".join(words.terms(number)))
