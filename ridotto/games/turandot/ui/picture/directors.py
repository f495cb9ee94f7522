"""The panel of the directors in play: their terms drawn, and what each would bring to every troupe as it stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ridotto.core.view import View
from ridotto.engine.fields import Seat
from ridotto.games.turandot.components import DIRECTOR_IDS, DIRECTOR_ROUND, DIRECTORS, FIRST_TERM, SINGERS
from ridotto.games.turandot.rules import NONE, A, F, term_number
from ridotto.games.turandot.ui.messages import points
from ridotto.games.turandot.ui.picture.frames import frame, heading
from ridotto.games.turandot.ui.picture.people import Touched, people
from ridotto.games.turandot.ui.picture.signs import light, stroke, tone
from ridotto.games.turandot.ui.picture.terms import director_title, drawn_terms, medallion, place_in_tables
from ridotto.games.turandot.ui.picture.worth import Troupe, brings, offer_of, troupe_of
from ridotto.games.turandot.ui.words import Words
from ridotto.present.kit import EDGE, INNER, WIDE, Grid, drawing, line, panel, placed, rect, token
from ridotto.present.scene import Item, Layer
from ridotto.present.svg import group, seat_mark, write

LINES: Final = Grid(1, INNER, 52, row_gap=4, x=EDGE, y=67)
VALUE: Final = 25
"""How wide a column of points is."""
LINE_LIGHT: Final = light(LINES.wide, LINES.tall)
LINE_TRACE: Final = rect(0, 0, LINES.wide, LINES.tall, "trace", 8)
STRUCK: Final = stroke(8, 26, INNER - 8, 26, "gone")


def directors(view: View, words: Words, touched: Touched) -> Layer:
    """What everybody sees of them."""
    s, early = view.row, _is_early(view.row)
    numbers, kind, players = in_play(s), "director" if early else "line", people(words, view.seats)
    struck = [number for number in numbers if early and not s[F.pool] >> number & 1]
    tall = LINES.y + LINES.height(len(numbers)) + EDGE
    title = words.say("Directors")
    note = words.say("in the stack: {n}", n=s[F.pool].bit_count()) if early else ""
    items = [
        frame("directors", tall),
        Item("directors-heading", "directors", heading(title, note)),
        value_heads(words, view.seats, "directors", 52),
    ]
    for place, number in enumerate(numbers):
        ground = _ground(place, number)
        items += [ground, director_line(words.nameless(), kind, number, ground.key, view.seats, number in struck)]
    items += values(s, kind, numbers)
    hirers = {s[F.director + seat]: seat for seat in range(view.seats)}
    for number in numbers:
        one = DIRECTOR_IDS[number]
        if number in struck:
            items.append(Item(f"struck-{one}", f"director-{one}", STRUCK))
        if number in hirers:
            mark = token(hirers[number], 21.6, players[hirers[number]].letter)
            items.append(Item(f"hirer-{one}", f"row-{one}", mark, 37, 40))
        if ("card", SINGERS + number) in touched:
            items.append(Item(f"trace-row-{one}", f"row-{one}", LINE_TRACE))
    return Layer([panel("directors", title, WIDE, tall)], items)


def in_play(s: Sequence[int]) -> tuple[int, ...]:
    """The directors in play: all of them, and from the fourth round on those of the troupes."""
    if _is_early(s):
        return tuple(range(DIRECTORS))
    hired = (*s[F.director : F.director + s[F.seats]], s[F.fictitious_director])
    return tuple(number for number in hired if number != NONE)


def _is_early(s: Sequence[int]) -> bool:
    """Whether directors can still be struck."""
    return bool(s[F.round] < DIRECTOR_ROUND)


def own_standings(view: View) -> Iterator[Item]:
    """Where the reader's troupe stands in the tables of the directors who are drawn."""
    s, seat = view.row, view.seat
    assert seat is not None
    kind, numbers = "line", in_play(s)
    if _is_early(s):
        kind, numbers = "director", tuple(number for number in numbers if s[F.pool] >> number & 1)
    elif s[F.round] == DIRECTOR_ROUND:
        kind, numbers = "director", tuple(card - SINGERS for card in offer_of(s) if card != NONE)
    troupe = troupe_of(s, seat)
    for number in numbers:
        look, one = place_in_tables(number, _stands(troupe, number)), DIRECTOR_IDS[number]
        if look:
            yield Item(f"here-{one}", f"{kind}-{one}", look, 50, 26)


@drawing
def _stands(troupe: Troupe, number: int) -> tuple[int, ...]:
    """What each term of a director goes by for a troupe."""
    return tuple(term_number(list(troupe), 0, term) for term in range(FIRST_TERM[number], FIRST_TERM[number + 1]))


# A director.


@drawing
def _ground(place: int, number: int) -> Item:
    """A director's place in the list."""
    key, action = f"row-{DIRECTOR_IDS[number]}", A.strike + number
    return Item(key, "directors", LINE_LIGHT, *LINES.place(place), action=action, ask=True)


@drawing
def director_line(words: Words, kind: str, number: int, parent: str, seats: int, is_struck: bool = False) -> Item:
    """A director: the sign, the name and the terms. Its kind is "line" if the director's card lies with a troupe."""
    parts = [
        rect(0, 0, INNER, 52, "raised", 8),
        placed([medallion(number, 42)], 24, 26),
        write(words.director(number), 50, 19, 14.5, cls="name", anchor="start", within=_values_x(seats) - 54),
        placed([drawn_terms(number)], 50, 26),
    ]
    cls, title = "dim" if is_struck else "", director_title(words, number)
    return Item(f"{kind}-{DIRECTOR_IDS[number]}", parent, group(parts), cls=cls, title=title)


# The points that they would bring.


def _values_x(seats: int) -> int:
    """Where the columns of points begin, from the left edge of a row."""
    return INNER - 6 - VALUE * seats


def value_heads(words: Words, seats: int, panel: str, y: float) -> Item:
    """A seat's mark over each column."""
    letters = tuple(person.letter for person in people(words, seats))
    return Item("heads", panel, _heads(words.say("would bring"), letters), 0, y)


@drawing
def _heads(text: str, letters: tuple[str, ...]) -> str:
    left = EDGE + _values_x(len(letters))
    parts = [write(text, left - 6, 5, 12, cls="quiet", anchor="end", within=left - EDGE - 24)]
    for seat, letter in enumerate(letters):
        parts.append(seat_mark(seat, left + VALUE * (seat + 0.5), 0, 21.6, letter))
    return group(parts)


def values(s: Sequence[int], kind: str, numbers: tuple[int, ...]) -> Iterator[Item]:
    """What each director would bring to each troupe."""
    for seat in range(s[F.seats]):
        yield from _values(kind, numbers, s[F.seats], seat, troupe_of(s, seat))


@drawing
def _values(kind: str, numbers: tuple[int, ...], seats: int, seat: Seat, troupe: Troupe) -> tuple[Item, ...]:
    items, x = [], _values_x(seats) + VALUE * (seat + 0.5)
    for number in numbers:
        value, one = brings(troupe, number), DIRECTOR_IDS[number]
        look = line(points(value), 14.5, f"bold {tone(value)}")
        items.append(Item(f"brings-{one}-{seat}", f"{kind}-{one}", look, x, 19))
    return tuple(items)
