"""The panel of the directors in play: their terms drawn, and what each would bring to every troupe as it stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ridotto.core.view import View
from ridotto.engine.fields import Seat
from ridotto.games.turandot.components import DIRECTOR_IDS, DIRECTOR_ROUND, DIRECTORS, FIRST_TERM, SINGERS
from ridotto.games.turandot.rules import CAST, NONE, A, F, term_number
from ridotto.games.turandot.ui.messages import points
from ridotto.games.turandot.ui.picture.people import Touched, people
from ridotto.games.turandot.ui.picture.signs import light, stroke, tone
from ridotto.games.turandot.ui.picture.terms import director_title, drawn_terms, medallion, place_in_tables
from ridotto.games.turandot.ui.picture.worth import Troupe, brings, offer_of, troupe_of
from ridotto.games.turandot.ui.words import Words
from ridotto.present.kit import EDGE, INNER, WIDE, Grid, badge, drawing, frame, line, lines, panel, placed, rect, token
from ridotto.present.scene import Item, Layer
from ridotto.present.svg import group, seat_mark, wrap, write

DIRECTORS_TALL: Final = 447
LINES: Final = Grid(1, INNER, 41, row_gap=2.4, x=EDGE, y=54)
"""All directors; from the fourth round on there are fewer, and each has more room."""
VALUE: Final = 28
"""How wide a column of points is."""
LINE_LIGHT: Final = light(LINES.wide, LINES.tall)
STRUCK: Final = stroke(8, LINES.tall / 2, INNER - 8, LINES.tall / 2, "gone")
MARK: Final = 37, 33
"""The mark of whoever has a director, or its number on offer, on its line."""


def directors(view: View, words: Words, touched: Touched) -> Layer:
    """What everybody sees of them."""
    s, early = view.row, _is_early(view.row)
    numbers, kind, players = in_play(s), "director" if early else "line", people(words, view.seats)
    struck = [number for number in numbers if early and not s[F.pool] >> number & 1]
    title = words.say("Directors")
    note = words.say("in the stack: {n}", n=s[F.pool].bit_count()) if early else ""
    letters = tuple(person.letter for person in players)
    items = [Item("directors-heading", "directors", _heading(title, note, words.say("would bring"), letters))]
    lines = LINES if early else _fewer(len(numbers))
    for place, number in enumerate(numbers):
        ground = _ground(number, lines.tall)._replace(x=lines.x, y=lines.place(place)[1])
        row = director_line(words.nameless(), kind, number, ground.key, view.seats, lines.tall)
        items += [ground, row._replace(cls="dim") if number in struck else row]
    items += values(s, kind, numbers)
    hirers = {s[F.director + seat]: seat for seat in range(view.seats)}
    offered = {card - SINGERS: position for position, card in enumerate(offer_of(s))} if _is_on_offer(s) else {}
    for number in numbers:
        one = DIRECTOR_IDS[number]
        if number in struck:
            items.append(Item(f"struck-{one}", f"director-{one}", STRUCK))
        if number in hirers:
            mark = token(hirers[number], 28, players[hirers[number]].letter)
            items.append(Item(f"hirer-{one}", f"row-{one}", mark, *MARK))
        elif number in offered:
            mark = group(badge(str(offered[number] + 1), 0, 0, 10, 16, "gold", "name oncoin bold"))
            items.append(Item(f"hirer-{one}", f"row-{one}", mark, *MARK))
        if ("card", SINGERS + number) in touched:
            trace = rect(0, 0, lines.wide, lines.tall, "trace", 8)
            items.append(Item(f"trace-row-{one}", f"row-{one}", trace))
    return Layer([panel("directors", title, WIDE, DIRECTORS_TALL)], items)


@drawing
def _fewer(count: int) -> Grid:
    """The lines of fewer directors than all."""
    tall = (DIRECTORS_TALL - 6 - LINES.y - 6 * (max(count, 1) - 1)) / max(count, 1)
    return Grid(1, INNER, round(min(tall, 130), 1), row_gap=6, x=EDGE, y=LINES.y)


def in_play(s: Sequence[int]) -> tuple[int, ...]:
    """The directors in play: all of them, those on offer in the fourth round, and later those of the troupes."""
    if _is_early(s):
        return tuple(range(DIRECTORS))
    if _is_on_offer(s):
        offer = (card - SINGERS for card in offer_of(s) if card != NONE)
        return tuple(sorted({*offer, *_hired(s)}))
    return _hired(s)


def _hired(s: Sequence[int]) -> tuple[int, ...]:
    """The directors of the troupes."""
    hired = (*s[F.director : F.director + s[F.seats]], s[F.fictitious_director])
    return tuple(number for number in hired if number != NONE)


def _is_on_offer(s: Sequence[int]) -> bool:
    """Whether directors are on offer."""
    return bool(s[F.round] == DIRECTOR_ROUND and s[F.asked] < CAST)


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
    troupe = troupe_of(s, seat)
    for number in numbers:
        look, one = place_in_tables(number, _stands(troupe, number)), DIRECTOR_IDS[number]
        if look:
            yield Item(f"here-{one}", f"{kind}-{one}", look, TERMS_X, TERMS_Y)


@drawing
def _stands(troupe: Troupe, number: int) -> tuple[int, ...]:
    """What each term of a director goes by for a troupe."""
    return tuple(term_number(list(troupe), 0, term) for term in range(FIRST_TERM[number], FIRST_TERM[number + 1]))


# A director.


TERMS_X, TERMS_Y = 50, 18


@drawing
def _ground(number: int, tall: float) -> Item:
    """A director's place in the list."""
    return Item(f"row-{DIRECTOR_IDS[number]}", "directors", light(INNER, tall), action=A.strike + number, ask=True)


@drawing
def director_line(words: Words, kind: str, number: int, parent: str, seats: int, tall: float) -> Item:
    """A director: the sign, the name and the terms, also in words where there is room.

    Its kind is "line" if the director's card lies elsewhere.
    """
    parts = [
        rect(0, 0, INNER, tall, "raised", 8),
        placed([medallion(number, 38)], 23, 20.5),
        write(words.director(number), TERMS_X, 15, 17.2, cls="name", anchor="start", within=_values_x(seats) - TERMS_X - 4),
        placed([drawn_terms(number)], TERMS_X, TERMS_Y),
    ]
    said = wrap("; ".join(words.terms(number)), INNER - 20, 15.5)
    if LINES.tall + 17.5 * len(said) <= tall:
        parts += lines(said, 10, LINES.tall + 13, 15.5, 17.5, cls="quiet", anchor="start")
    return Item(f"{kind}-{DIRECTOR_IDS[number]}", parent, group(parts), title=director_title(words, number))


# The points that they would bring.


def _values_x(seats: int) -> int:
    """Where the columns of points begin, from the left edge of a row."""
    return INNER - 2 - VALUE * seats


@drawing
def _heading(title: str, note: str, text: str, letters: tuple[str, ...]) -> str:
    """The title, and a seat's mark over each column."""
    left = EDGE + _values_x(len(letters))
    parts = [
        frame(DIRECTORS_TALL),
        write(title, EDGE + 2, 24, 18, cls="title", anchor="start", within=200),
        write(note, EDGE + 2, 45, 15.5, cls="quiet", anchor="start", within=left - EDGE - 92),
        write(text, left - 7, 45, 17.2, cls="quiet", anchor="end", within=84),
    ]
    for seat, letter in enumerate(letters):
        parts.append(seat_mark(seat, left + VALUE * (seat + 0.5), 39, 28, letter))
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
        look = line(points(value), 16, f"bold {tone(value)}")
        items.append(Item(f"brings-{one}-{seat}", f"{kind}-{one}", look, x, 15.5))
    return tuple(items)
