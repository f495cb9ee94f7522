"""The result: every part of everybody's points, and the winner."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from ridotto.core.view import View
from ridotto.engine.fields import Seat
from ridotto.games.opera import rules
from ridotto.games.opera.rules import F
from ridotto.games.opera.ui.picture.budget import HEIGHT
from ridotto.games.opera.ui.picture.facts import letters
from ridotto.games.opera.ui.picture.marks import BOLD, EDGE, TEXT, head, unit
from ridotto.games.opera.ui.words import Words
from ridotto.present.kit import Column, drawing, frame, line, lines, path, token
from ridotto.present.narrator import opening
from ridotto.present.scene import Item
from ridotto.present.svg import group, wrap, write

WIDTH: Final = 270
LEADING: Final = 17
"""From one line of text to the next."""


class Part(NamedTuple):
    """A part of the points in words, and where it begins."""

    y: float
    texts: list[str]


class Layout(NamedTuple):
    """The places of the parts of the points, and of their sum."""

    parts: tuple[Part, ...]
    total: float


@drawing
def _layout(words: Words, seats: int) -> Layout:
    column, parts = Column(92, gap=12), []
    for part in rules.PARTS:
        texts = wrap(words.say(part.meaning), _column(seats, 0) - EDGE - 20, TEXT)
        parts.append(Part(column.add(LEADING * len(texts)), texts))
    return Layout(tuple(parts), column.add(0))


def _column(seats: int, seat: Seat) -> int:
    """The x of a seat's numbers."""
    return WIDTH - EDGE - 14 - 34 * (seats - 1 - seat)


def board(words: Words, seats: int) -> str:
    """The result without its numbers."""
    layout = _layout(words, seats)
    board = [frame(HEIGHT, WIDTH), head(words.say("Result"), WIDTH)]
    for seat in range(seats):
        board.append(group([token(seat, 27, letters(words, seat))], at=(_column(seats, seat), 58)))
    for part in layout.parts:
        board += lines(part.texts, EDGE + 2, part.y, TEXT, LEADING, cls="quiet", anchor="start")
    board.append(path(f"M{EDGE + 2} {layout.total - 14}H{WIDTH - EDGE - 2}", "rule"))
    board.append(write(opening(unit(words.points(2))), EDGE + 2, layout.total + 10, BOLD, cls="name bold", anchor="start"))
    return "".join(board)


def items(view: View, words: Words) -> Iterator[Item]:
    """Every part of everybody's points, and the winner."""
    assert view.outcome is not None
    layout = _layout(words, view.seats)
    for seat in range(view.seats):
        x = _column(view.seats, seat)
        for number, part in enumerate(rules.PARTS):
            points = view.row[F.earned + seat * 6 + number]
            look = line(_signed(points), BOLD, "bad" if points < 0 else "")
            yield Item(f"score-{seat}-{part.name}", "score", look, x, layout.parts[number].y)
        look = _total(_signed(view.row[F.points + seat]), seat in view.outcome.winners)
        yield Item(f"total-{seat}", "score", look, x, layout.total)


def _signed(points: int) -> str:
    return str(points).replace("-", "−")


@drawing
def _total(points: str, has_won: bool) -> str:
    """The points of a player in the end; a crown for the winner."""
    crown = path("M-10 30l-3-12 7 5 6-9 6 9 7-5-3 12Z", "gilt") if has_won else ""
    return write(points, 0, 11, 20, cls="title bold" if has_won else "bold") + crown
