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
from ridotto.games.opera.ui.picture.marks import EDGE, FACT, arch, coin, medallion
from ridotto.games.opera.ui.words import Words
from ridotto.present.kit import drawing, halo, path, rect
from ridotto.present.narrator import opening
from ridotto.present.scene import Item
from ridotto.present.svg import group, seat_mark, tag, write

WIDTH: Final = 297
INNER: Final = WIDTH - 2 * EDGE
TOP: Final = 52
"""The top of the houses of a city, below its head."""
GABLE, BASE = 11, 5
"""The height of what is above the halls of a house, and below them."""
FIRST: Final = 62
"""Where the first hall begins: beside it are the mark of the seat and the income."""


# Where houses stand.


class Lot(NamedTuple):
    """The place of a seat's house."""

    x: float
    y: float
    wide: float
    tall: float


@drawing
def street(seats: int, end: float) -> tuple[Lot, ...]:
    """The lots of a city by seat: one below the other, in a panel that is so tall."""
    tall = min(MOST, (end - TOP - 4) / seats)
    first = TOP + (end - TOP - 4 - seats * tall) / 2
    return tuple(Lot(EDGE, first + seat * tall, INNER, tall) for seat in range(seats))


MOST: Final = 92
"""The most that a house is high."""


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
        return (5 if tall > 36 else 3) if self.great else 1.5


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


def halls_drawn(city: int, built: int, great: int, side: int, tall: float) -> list[Hall]:
    """The halls of a house that is so high, where its façade has them."""
    most = sum(HALLS[city * 4 : city * 4 + 4])
    pitch = min(hall_size(tall) * 1.02, (INNER - FIRST - 12) / most)
    return halls_in(city, built, great, side, FIRST, pitch)


def hall_size(tall: float) -> float:
    """The height of the halls of a house."""
    return tall - GABLE - BASE


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
def items(words: Words, seats: int, reader: Seat | None, end: float, state: City) -> Sequence[Item]:
    """Everybody's house in a city; for a reader their own one, and of the others only where they stand."""
    drawn: list[Item] = []
    for seat, lot in enumerate(street(seats, end)):
        house = _house(
            words,
            seat,
            state.city,
            lot.tall,
            state.built[seat],
            state.great[seat],
            state.side[seat],
            state.before[seat],
            state.has_maestro,
            state.is_over,
            state.asked if seat == state.turn else rules.NOTHING,
            state.filling if seat == state.turn else rules.NONE,
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
    tall: float,
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
    look = facade(seat, letters(words, seat), city, built, tall)
    action = A.score if asked == rules.SCORE else -1
    items = [Item(key, f"city-{name}", look, cls="" if built else "faint", action=action)]
    if pieces and not is_over:
        x, y, radius = 46, tall / 2 + 3, 12
        income = income_of_house(partial_row(figure=city if has_maestro else rules.NONE), city, pieces.bit_count())
        title = words.say("earns {ducats} each round", ducats=words.ducats(income))
        items.append(Item(f"income-{seat}-{name}", key, coin(str(income), radius), x, y, title=title))
    halls = [one for one in halls_drawn(city, built, great, side, tall) if one.built]
    top, tall = GABLE, hall_size(tall)
    # Pieces in their own order: so those that stay keep their places in the drawing when others come and go.
    for one in sorted(halls, key=lambda one: one.piece):
        if one.piece == rules.NONE:
            continue
        piece = piece_key(seat, one.piece, before >> 4 * one.piece & 15)
        action = -1
        if asked == rules.SELL and one.piece != rules.HOUSE:
            action = A.sell + one.piece * rules.SOURCES + city + 1
        size = min(one.wide - 2 * one.inset(tall) + 3, tall - 3, 50)
        look = _performed(one.piece, size, one.wide, tall, seat if one.piece == rules.HOUSE else 0)
        middle, height, title = one.x + one.wide / 2, top + tall - size / 2 - 1.5, opening(words.piece(one.piece))
        items.append(Item(piece, key, look, middle, height, 1, "inside", title, action, action >= 0))
    for at, one in enumerate(halls):
        hall = f"hall-{seat}-{name}-{at}"
        if asked == rules.STAGE and at == filling:
            items.append(Item(hall, key, hall_to_fill(one.wide, tall), one.x, top, action=A.empty))
        elif one.piece == rules.NONE:
            title = words.say("an empty hall costs 1 point at a count")
            items.append(Item(hall, key, empty_hall(one.wide, tall, not is_over), one.x, top, 1, "inside", title))
    return items


def trace(view: View, seat: Seat, city: int, end: float) -> Item:
    """A line around a house."""
    lot = street(view.seats, end)[seat]
    house = f"{seat}-{rules.CITY.names[city]}"
    halls = halls_drawn(city, 0, rules.NONE, 0, lot.tall)
    wide = halls[-1].x + halls[-1].wide - halls[0].x + 6
    look = tag("rect", cls="trace", width=wide, height=lot.tall - 2, rx=4)
    return Item(f"trace-{house}", f"house-{house}", look, halls[0].x - 3)


def plots(view: View, ends: Sequence[float]) -> Iterator[Item]:
    """The parts that the reader may build, as ghosts on their own plots, each with its price."""
    seat = view.seat
    assert seat is not None
    for action in view.legal:
        if A.build <= action < A.build + 24:
            city, part = divmod(action - A.build, 4)
            built, lot = view.row[F.built + seat * 6 + city], street(view.seats, ends[city])[seat]
            name = rules.CITY.names[city]
            look = ghost(seat, city, part, built, lot.tall)
            yield Item(f"plot-{name}-{rules.PART.names[part]}", f"city-{name}", look, lot.x, lot.y, action=action)


# Looks.


@drawing
def facade(seat: Seat, letters: str, city: int, built: int, tall: float) -> str:
    """A house without its pieces: the great hall with red columns, then the other halls; lots where nothing stands yet."""
    high = hall_size(tall)
    halls = halls_drawn(city, built, rules.NONE, 0, tall)
    lots = [arch(one.x + 2, GABLE + 2, one.wide - 4, high - 2, "lot") for one in halls if not one.built]
    marked = seat_mark(seat, 15, tall / 2 + 3, 26, letters)
    back = rect(0, 1, INNER, tall - 2, "street", 6)
    if not built:
        return "".join((back, marked, *lots))
    parts = [back, halo(0, 0, INNER, tall, 6), marked, *_walls(seat, halls, GABLE, high), *lots]
    for one in halls:
        if not one.built:
            continue
        inset = one.inset(high)
        parts.append(arch(one.x + inset, GABLE + 2, one.wide - 2 * inset, high - 2, "hall great" if one.great else "hall"))
        if one.great:
            parts += [
                tag("rect", cls="column", x=x, y=GABLE + 3, width=inset - 1, height=high - 3)
                for x in (one.x + 0.5, one.x + one.wide - inset + 0.5)
            ]
    return "".join(parts)


@drawing
def own(tall: float) -> str:
    """The edge of the reader's own house."""
    return rect(0, 1, INNER, tall - 2, "own", 6)


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
def ghost(seat: Seat, city: int, part: int, built: int, tall: float) -> str:
    """A part that could be built, where it would stand, with its price."""
    high = hall_size(tall)
    mine = [one._replace(built=True) for one in halls_drawn(city, built, rules.NONE, 0, tall) if one.part == part]
    left, right = mine[0].x, mine[-1].x + mine[-1].wide
    price = coin(str(rules.A_HALL * HALLS[city * 4 + part]), 13, (left + right) / 2, GABLE + high / 2)
    light = halo(left, 2, right - left, tall - 4, 4)
    return group([*_walls(seat, mine, GABLE, high)], cls="ghost") + light + price


@drawing
def _performed(piece: int, size: float, wide: float, tall: float, seat: Seat) -> str:
    """A piece in its hall, which is lit."""
    top = size / 2 + 2 - tall
    light = arch(2 - wide / 2, top + 2, wide - 4, tall - 2.5, "lamp")
    return "".join((halo(-wide / 2, top, wide, tall, 4), light, medallion(piece, round(size), seat)))


@drawing
def empty_hall(wide: float, tall: float, has_cost: bool) -> str:
    """A hall without a piece, and what that costs."""
    return halo(0, 0, wide, tall, 4) + (write("−1", wide / 2, tall / 2 + 7, FACT, cls="cost bold") if has_cost else "")


@drawing
def hall_to_fill(wide: float, tall: float) -> str:
    """The hall that is being filled."""
    return halo(0, 0, wide, tall, 4) + write("?", wide / 2, tall * 0.68, 20, cls="gilt bold")
