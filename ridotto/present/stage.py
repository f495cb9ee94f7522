"""Parts of stages: sentences, drawings, and lists that appear player by player.

>>> tally([Tally("Nobody wins number 3.")])
'<ol class="tally"><li><span>Nobody wins number 3.</span></li></ol>'
>>> signed(3), signed(-2)
('+3', '−2')
"""

from __future__ import annotations

from collections.abc import Iterable
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


def drawing(look: str, box: str, cls: str) -> Html:
    """A look of the game's picture, for those who see; what it shows is said beside it."""
    return Html(tag("svg", Svg(look), viewBox=box, cls=f"drawing {cls}", aria_hidden="true"))


def signed(number: int) -> str:
    """A number that is added: "+3", "−2", "0"."""
    return f"+{number}" if number > 0 else str(number).replace("-", "−")
