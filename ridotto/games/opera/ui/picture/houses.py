"""Everybody's house in a city: a façade with its halls, the pieces in them, and what the house earns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ridotto.core.view import View
from ridotto.engine.fields import Seat
from ridotto.games.opera import rules
from ridotto.games.opera.ai.programme import income_of_house
from ridotto.games.opera.components import HALLS
from ridotto.games.opera.rules import A, F
from ridotto.games.opera.ui.picture.facts import Halls, letters, partial_row, piece_key, pieces_in
from ridotto.games.opera.ui.picture.marks import arch, coin, medallion
from ridotto.games.opera.ui.words import Words
from ridotto.present.kit import EDGE, INNER, Column, Grid, drawing, halo, path
from ridotto.present.narrator import opening
from ridotto.present.scene import Item
from ridotto.present.svg import group, seat_mark, tag, write

TOP: Final = 65
"""The top of the houses of a city, below its head."""
LARGE, SMALL = 75, 55
"""The height of a house that is drawn large, and of a small one."""


# Where houses stand.


class Lot(NamedTuple):
    """The place of a seat's house, which may be drawn large."""

    x: float
    y: float
    is_large: bool


class Street(NamedTuple):
    """The lots of a city by seat, and the end of them."""

    lots: tuple[Lot, ...]
    end: float


@drawing
def street(seats: int, reader: Seat | None) -> Street:
    """Two houses are large. Of more, the reader's own is large and in front, the others small, two by two."""
    order = sorted(range(seats), key=lambda seat: seat != reader)
    large = [seat for seat in order if seats == 2 or seat == reader]
    small = [seat for seat in order if seat not in large]
    column = Column(TOP)
    lots = {seat: Lot(EDGE, column.add(LARGE), True) for seat in large}
    grid = Grid(2, 166, SMALL, gap=8, x=EDGE, y=column.end)
    lots |= {seat: Lot(*grid.place(at), False) for at, seat in enumerate(small)}
    return Street(tuple(lots[seat] for seat in range(seats)), column.end + grid.height(len(small)))


# Halls.


class Hall(NamedTuple):
    """A hall of a house as it is drawn, with its part of the house and the piece in it (NONE for none)."""

    x: float
    wide: float
    part: int
    built: bool
    great: bool
    piece: int

    def inset(self, tall: float) -> float:
        """The distance of its opening from both sides."""
        return (5 if tall > 40 else 3) if self.great else 1.5


def halls_in(city: int, built: int, great: int, side: int, x: float = 0, pitch: float = 1) -> list[Hall]:
    """The halls of a house from left to right, part by part; the pieces of side halls fill them from the left."""
    pieces = iter([number for number in range(7) if side >> number & 1])
    halls = []
    for part in range(4):
        for hall in range(HALLS[city * 4 + part]):
            is_great = part == 0 and hall == 0
            wide = pitch + (6 if is_great else 0)
            stands = bool(built >> part & 1)
            inside = rules.NONE
            if stands:
                inside = great if is_great else next(pieces, rules.NONE)
            halls.append(Hall(x, wide, part, stands, is_great, inside))
            x += wide
        x += 2
    return halls


def halls_drawn(city: int, built: int, great: int, side: int, is_large: bool) -> list[Hall]:
    """The halls of a house where its façade has them."""
    most = sum(HALLS[city * 4 : city * 4 + 4])
    room = INNER - 44 if is_large else 140
    return halls_in(city, built, great, side, 40 if is_large else 30, min(54.0 if is_large else 36.0, (room - 10) / most))


def hall_size(is_large: bool) -> tuple[int, int]:
    """The top of the halls of a house, and their height."""
    return (15, 54) if is_large else (12, 38)


# Items.


class City(NamedTuple):
    """A city as its houses are drawn: the parts and pieces by seat, and the seat that is asked about them."""

    city: int
    built: tuple[int, ...]
    great: tuple[int, ...]
    side: tuple[int, ...]
    before: tuple[int, ...]
    has_maestro: bool
    is_over: bool
    asked: int
    """SELL, SCORE or STAGE, if that is asked about a house of this city; otherwise NOTHING."""
    turn: Seat
    filling: int
    """The hall that is being filled."""


def city_of(view: View, city: int, halls: Halls) -> City:
    """A city of a view."""
    s = view.row
    asked, turn, filling = s[F.asked], s[F.turn], rules.NONE
    if asked == rules.STAGE and view.seat == turn and s[F.city] == city:
        filling = s[F.hall]
    elif asked != rules.SELL and not (asked == rules.SCORE and s[F.figure + rules.ESPERTO - rules.MAESTRO] == city):
        asked, turn = rules.NOTHING, rules.NONE
    built, great, side = (s[field + city : field + 24 : 6] for field in (F.built, F.great, F.side))
    maestro = s[F.figure] == city
    return City(city, built, great, side, halls.before[city], maestro, view.is_played_out, asked, turn, filling)


@drawing
def items(words: Words, seats: int, reader: Seat | None, state: City) -> Sequence[Item]:
    """Everybody's house in a city; for a reader all of their own one, and of the others only where they stand."""
    drawn: list[Item] = []
    for seat, lot in enumerate(street(seats, reader).lots):
        house = _house(
            words,
            seat,
            state.city,
            lot.is_large,
            state.built[seat],
            state.great[seat],
            state.side[seat],
            state.before[seat],
            state.has_maestro,
            state.is_over,
            state.asked if seat == state.turn else rules.NOTHING,
            state.filling,
        )
        drawn.append(house[0]._replace(x=lot.x, y=lot.y))
        if reader is None or seat == reader:
            drawn += house[1:]
    return drawn


@drawing
def _house(
    words: Words,
    seat: Seat,
    city: int,
    is_large: bool,
    built: int,
    great: int,
    side: int,
    before: int,
    has_maestro: bool,
    is_over: bool,
    asked: int,
    filling: int,
) -> Sequence[Item]:
    """A house as a façade, its income, the pieces in its halls, and the halls that are empty."""
    name = rules.CITY.names[city]
    key, pieces = f"house-{seat}-{name}", pieces_in(great, side)
    look = facade(seat, letters(words, seat), city, built, is_large)
    action = A.score if asked == rules.SCORE else -1
    items = [Item(key, f"city-{name}", look, cls="" if built else "faint", action=action)]
    if pieces and not is_over:
        x, y, radius = (14, 58, 11) if is_large else (12, 42, 10)
        income = income_of_house(partial_row(figure=city if has_maestro else rules.NONE), city, pieces.bit_count())
        title = words.say("earns {ducats} each round", ducats=words.ducats(income))
        items.append(Item(f"income-{seat}-{name}", key, coin(str(income), radius), x, y, title=title))
    halls = [one for one in halls_drawn(city, built, great, side, is_large) if one.built]
    top, tall = hall_size(is_large)
    # Pieces in their own order: so those that stay keep their places in the drawing when others come and go.
    for one in sorted(halls, key=lambda one: one.piece):
        if one.piece == rules.NONE:
            continue
        piece = piece_key(seat, one.piece, before >> 4 * one.piece & 15)
        action = -1
        if asked == rules.SELL and one.piece != rules.HOUSE:
            action = A.sell + one.piece * rules.SOURCES + city + 1
        size = min(one.wide - 2 * one.inset(tall) + 3, tall - 4, 44)
        look = _performed(one.piece, size, one.wide, tall, seat if one.piece == rules.HOUSE else 0)
        middle, height, title = one.x + one.wide / 2, top + tall - size / 2 - 2, opening(words.piece(one.piece))
        items.append(Item(piece, key, look, middle, height, 1, "inside", title, action, action >= 0))
    for at, one in enumerate(halls):
        hall = f"hall-{seat}-{name}-{at}"
        if asked == rules.STAGE and at == filling:
            items.append(Item(hall, key, hall_to_fill(one.wide, tall), one.x, top, action=A.empty))
        elif one.piece == rules.NONE:
            title = words.say("an empty hall costs 1 point at a count")
            items.append(Item(hall, key, empty_hall(one.wide, tall, not is_over), one.x, top, 1, "inside", title))
    return items


def trace(view: View, seat: Seat, city: int) -> Item:
    """A line around a house."""
    lot = street(view.seats, view.seat).lots[seat]
    house = f"{seat}-{rules.CITY.names[city]}"
    halls = halls_drawn(city, 0, rules.NONE, 0, lot.is_large)
    wide = halls[-1].x + halls[-1].wide - halls[0].x + 6
    look = tag("rect", cls="trace", width=wide, height=72 if lot.is_large else 53, rx=4)
    return Item(f"trace-{house}", f"house-{house}", look, halls[0].x - 3)


def plots(view: View) -> Iterator[Item]:
    """The parts that the reader may build, as ghosts on their own plots, each with its price."""
    seat = view.seat
    assert seat is not None
    lot = street(view.seats, seat).lots[seat]
    for action in view.legal:
        if A.build <= action < A.build + 24:
            city, part = divmod(action - A.build, 4)
            built = view.row[F.built + seat * 6 + city]
            name = rules.CITY.names[city]
            look = ghost(seat, city, part, built, lot.is_large)
            yield Item(f"plot-{name}-{rules.PART.names[part]}", f"city-{name}", look, lot.x, lot.y, action=action)


# Looks.


@drawing
def facade(seat: Seat, letters: str, city: int, built: int, is_large: bool) -> str:
    """A house without its pieces: the great hall with red columns, then the other halls; lots where nothing stands yet."""
    top, tall = hall_size(is_large)
    halls = halls_drawn(city, built, rules.NONE, 0, is_large)
    marked = seat_mark(seat, 14 if is_large else 12, 28 if is_large else 18, 26, letters)
    lots = {one: arch(one.x + 2, top + 2, one.wide - 4, tall - 2, "lot") for one in halls}
    if not built:
        return "".join((marked, *(lots.values() if is_large else ())))
    parts = [halo(-4, 0, INNER + 8, LARGE - 4)] if is_large else []
    parts += [marked, *_walls(seat, halls, top, tall)]
    for one in halls:
        if not one.built:
            parts.append(lots[one])
            continue
        inset = one.inset(tall)
        parts.append(arch(one.x + inset, top + 2, one.wide - 2 * inset, tall - 2, "hall great" if one.great else "hall"))
        if one.great:
            parts += [
                tag("rect", cls="column", x=x, y=top + 3, width=inset - 1, height=tall - 3)
                for x in (one.x + 0.5, one.x + one.wide - inset + 0.5)
            ]
    return "".join(parts)


def _walls(seat: Seat, halls: list[Hall], top: float, tall: float) -> list[str]:
    """The walls behind the halls: a gable over the main part, a cornice over a wing, in the colour of the seat."""
    parts = []
    for part in range(4):
        mine = [one for one in halls if one.part == part and one.built]
        if not mine:
            continue
        left, right = mine[0].x, mine[-1].x + mine[-1].wide
        parts.append(tag("rect", cls="wall", x=left, y=top, width=right - left, height=tall + 1))
        if part == 0:
            gable = f"M{left - 2:.1f} {top:.1f}L{(left + right) / 2:.1f} {top - 11:.1f}L{right + 2:.1f} {top:.1f}Z"
            parts.append(path(gable, f"seat{seat} roof"))
        else:
            parts.append(tag("rect", cls=f"seat{seat} roof", x=left - 1, y=top - 4, width=right - left + 2, height=4))
        parts.append(tag("rect", cls="coin", x=left - 2, y=top + tall, width=right - left + 4, height=3))
    return parts


@drawing
def ghost(seat: Seat, city: int, part: int, built: int, is_large: bool) -> str:
    """A part that could be built, where it would stand, with its price."""
    top, tall = hall_size(is_large)
    mine = [one._replace(built=True) for one in halls_drawn(city, built, rules.NONE, 0, is_large) if one.part == part]
    left, right = mine[0].x, mine[-1].x + mine[-1].wide
    price = coin(str(rules.A_HALL * HALLS[city * 4 + part]), 14, (left + right) / 2, top + tall / 2)
    light = halo(left, top - 8, right - left, tall + 12, 4)
    return group([*_walls(seat, mine, top, tall)], cls="ghost") + light + price


@drawing
def _performed(piece: int, size: float, wide: float, tall: float, seat: Seat) -> str:
    """A piece in its hall."""
    return halo(-wide / 2, size / 2 + 2 - tall, wide, tall, 4) + medallion(piece, round(size), seat)


@drawing
def empty_hall(wide: float, tall: float, has_cost: bool) -> str:
    """A hall without a piece, and what that costs."""
    size = 15 if tall > 40 else 14.5
    return halo(0, 0, wide, tall, 4) + (write("−1", wide / 2, tall * 0.66, size, cls="cost bold") if has_cost else "")


@drawing
def hall_to_fill(wide: float, tall: float) -> str:
    """The hall that is being filled."""
    return halo(0, 0, wide, tall, 4) + write("?", wide / 2, tall * 0.68, 20, cls="gilt bold")
