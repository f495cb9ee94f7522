"""Facts of a view that several panels need: whose pieces are where, what is open, what the reader is asked."""

from __future__ import annotations

from typing import Final, NamedTuple

import ridotto.games.opera.ui.sketch as sketch
from ridotto.core.view import View
from ridotto.engine.fields import Row, Seat
from ridotto.games.opera import rules
from ridotto.games.opera.components import OPENS_AFTER
from ridotto.games.opera.rules import F
from ridotto.games.opera.ui.messages import COUNTED
from ridotto.games.opera.ui.words import Words
from ridotto.present.kit import drawing


def asks(view: View, *questions: int) -> bool:
    """Whether the reader is asked one of these questions now."""
    return view.seat in view.to_act and view.row[F.asked] in questions


def is_open(view: View, seat: Seat) -> bool:
    """Whether what lies behind a screen is drawn."""
    return bool(view.row[F.screens]) or view.outcome is not None or view.seat == seat


def opens_after(view: View, city: int) -> int:
    """The round after which a closed city opens; -1 for an open one."""
    row = view.row
    return COUNTED[row[F.seven_rounds]][OPENS_AFTER[city] - 1] if OPENS_AFTER[city] > row[F.counts] else -1


def letters(words: Words, seat: Seat) -> str:
    """As many letters of a seat's colour as tell it from the others."""
    return _all_letters(words)[seat]


@drawing
def _all_letters(words: Words) -> tuple[str, ...]:
    return tuple(sketch.letters(words, seat) for seat in range(rules.MOST_SEATS))


# The rules, asked about a part of a table.

MUTED: Final = [-1]
"""A list of events that stays empty."""


def partial_row(**fields: int | tuple[int, ...]) -> Row:
    """A row with these fields and nothing else, for functions of the rules that read no other."""
    row = [0] * rules.FIELDS.width
    for name, value in fields.items():
        at, words = getattr(F, name), value if isinstance(value, tuple) else (value,)
        row[at : at + len(words)] = words
    return row


# Pieces.


class Halls(NamedTuple):
    """The pieces in all halls, by city and seat. Numbers of copies have four bits for each piece."""

    before: tuple[tuple[int, ...], ...]
    """For the pieces in a house, their copies in the same seat's houses before it."""
    copies: tuple[int, ...]
    """The copies in the halls of each seat."""
    times: tuple[int, ...]
    """The number of performances of each piece."""


SPREAD: Final = tuple(sum((bits >> piece & 1) << 4 * piece for piece in range(7)) for bits in range(128))
"""A set of pieces as numbers of copies."""


def halls_of(view: View) -> Halls:
    """The pieces in all halls of a view."""
    return _halls(view.row[F.great : F.great + 24], view.row[F.side : F.side + 24])


@drawing
def _halls(great: tuple[int, ...], side: tuple[int, ...]) -> Halls:
    copies, before = [0] * rules.MOST_SEATS, []
    for city in range(6):
        before.append([0] * rules.MOST_SEATS)
        for seat in range(rules.MOST_SEATS):
            there = SPREAD[pieces_in(great[seat * 6 + city], side[seat * 6 + city])]
            before[city][seat] = copies[seat] & there * 15
            copies[seat] += there
    times = tuple(sum(held >> 4 * piece & 15 for held in copies) for piece in range(7))
    return Halls(tuple(map(tuple, before)), tuple(copies), times)


def pieces_in(great: int, side: int) -> int:
    """The pieces in a house, as a set."""
    return side | (1 << great if great != rules.NONE else 0)


@drawing
def piece_key(seat: Seat, piece: int, copy: int) -> str:
    """The key of one of a seat's pieces. Copies are alike: they are counted through the halls and then behind the screen."""
    return f"{seat}-{rules.PIECE.names[piece]}-{copy}"
