"""Parts of stages: sentences, drawings, lists that appear player by player, and tables in which sums grow.

>>> tally([Tally("Nobody wins number 3.")])
'<ol class="tally"><li><span>Nobody wins number 3.</span></li></ol>'
>>> signed(3), signed(-2)
('+3', '−2')
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from ridotto.engine.fields import Seat
from ridotto.present.html import Html, el, seat_badge
from ridotto.present.svg import Svg, tag


class Tally(NamedTuple):
    """A line of a list that appears line by line."""

    text: str
    seat: Seat | None = None
    number: str = ""
    """The highlighted part."""
    is_bad: bool = False


def sentence(text: str) -> Html:
    """A sentence, large."""
    return el("p", text, cls="told-large")


def heading(text: str) -> Html:
    """The heading of the next part."""
    return el("h3", text)


def tally(lines: Iterable[Tally]) -> Html:
    """A list, each line with the mark of its seat and its number."""
    return el("ol", *(_line(one) for one in lines), cls="tally")


def _line(one: Tally) -> Html:
    badge = Html("") if one.seat is None else seat_badge(one.seat)
    number = el("b", one.number, cls="bad" if one.is_bad else "") if one.number else Html("")
    return el("li", badge, el("span", one.text), number, cls="" if one.seat is None else f"seat-{one.seat}")


class Point(NamedTuple):
    """Something that counts: a page lights up the item of this key, and lets the number fly from there to its owner."""

    number: int
    key: str


class SumRow(NamedTuple):
    """A row of a table of sums: somebody, their numbers by source (None: nothing can come from there), and their sum."""

    name: str
    seat: Seat | None
    cells: Sequence[Sequence[Point] | int | None]
    total: int


def sums(titles: Sequence[str], rows: Sequence[SumRow], total: str, *, is_signed: bool = True) -> Html:
    """A table of players and sources with everybody's sum, which appears number by number."""
    write = signed if is_signed else score
    head = el("tr", el("td"), *(el("th", title, scope="col") for title in (*titles, total)))
    return el("table", el("thead", head), el("tbody", *(_row(row, write) for row in rows)), cls="sums")


def _row(row: SumRow, write: Callable[[int], str]) -> Html:
    badge = Html("") if row.seat is None else seat_badge(row.seat)
    cells = [_cell(cell, row.seat, write) for cell in row.cells]
    last = el("td", write(row.total), cls="sum")
    return el("tr", el("th", badge, el("span", row.name), scope="row"), *cells, last)


def _cell(cell: Sequence[Point] | int | None, seat: Seat | None, write: Callable[[int], str]) -> Html:
    if cell is None:
        return el("td", "–")
    points = () if isinstance(cell, int) else cell
    number = cell if isinstance(cell, int) else sum(one.number for one in points)
    flights = "|".join(f"{one.key} {write(one.number)}" for one in points)
    return el("td", write(number), cls="bad" if number < 0 else "", data_points=flights, data_seat=seat)


def drawing(look: str, box: str, cls: str) -> Html:
    """A look of the game's picture, for those who see; what it shows is said beside it."""
    return Html(tag("svg", Svg(look), viewBox=box, cls=f"drawing {cls}", aria_hidden="true"))


def score(number: int) -> str:
    """A number as a score: "3", "−2"."""
    return str(number).replace("-", "−")


def signed(number: int) -> str:
    """A number that is added: "+3", "−2", "0"."""
    return f"+{number}" if number > 0 else str(number).replace("-", "−")
