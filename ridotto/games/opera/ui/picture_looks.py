"""What the things on Opera's table look like: SVG around an origin of their own, drawn once and kept."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final, NamedTuple

from ridotto.engine.fields import Seat
from ridotto.games.opera import rules
from ridotto.games.opera.components import FEE, HALLS, STANDING
from ridotto.games.opera.ui.sketch import CHIPS, ROMAN
from ridotto.present.svg import group, measure, seat_mark, shape, tag, wrap, write

STYLE: Final = """
.bold { font-weight: 700; }
.gilt { fill: $gilt; }
.dim { opacity: 0.45; } .faint { opacity: 0.6; } .ghost { opacity: 0.5; }
.rule { fill: none; stroke: $brass; stroke-width: 1; }
.turn, .playing .spotlight { fill: none; stroke: $gilt; stroke-width: 3; }
.spotlight { fill: none; } .taken .face { opacity: 0.45; }
.cloth { fill: $curtain; } .oncloth { fill: #fbe6bd; }
.hem { fill: none; stroke: $gilt; stroke-width: 1.2; stroke-opacity: 0.7; }
.drape { fill: $curtain; } .fold { fill: $shade; fill-opacity: 0.28; }
.composer0 { fill: #f0913a; } .composer1 { fill: #a3203a; } .composer2 { fill: #f3d24e; }
.composer3 { fill: #22529c; } .composer4 { fill: #1f6b3c; } .composer5 { fill: #63348c; }
.rim { fill: none; stroke: $gilt; stroke-width: 1.5; }
.groove { fill: none; stroke: #fff6e6; stroke-opacity: 0.55; stroke-width: 1; }
.monogram { font-weight: 700; fill: #fff6e6; } .dark { fill: #2a1720; }
.outlined { stroke: #2a1720; stroke-width: 0.8; }
.coin { fill: $gilt; stroke: $brass; stroke-width: 1; }
.oncoin { fill: $velvet; font-weight: 700; } .lit { fill: $velvet; }
.wall { fill: $wood; stroke: $brass; stroke-width: 1; }
.roof { stroke: $brass; stroke-width: 0.8; }
.column { fill: $curtain; stroke: $gilt; stroke-width: 0.6; }
.hall { fill: #1c0e17; stroke: $brass; stroke-width: 1; } .cost { fill: #ffb7a6; }
.great { stroke: $gilt; stroke-width: 1.5; }
.lot { fill: none; stroke: $brass; stroke-width: 1; stroke-dasharray: 3 3; stroke-opacity: 0.75; }
.sky { fill: $brass; fill-opacity: 0.2; } .night .sky { fill-opacity: 0.42; }
.place { fill: $shade; fill-opacity: 0.35; stroke: $brass; stroke-width: 1; }
.figure0 { fill: #2c7a4b; stroke: $gilt; } .figure1 { fill: #17131a; stroke: $gilt; }
.figure2 { fill: #5d2f86; stroke: $gilt; } .onfigure { fill: #fff3e0; font-weight: 700; }
.portrait { fill: $curtain; } .features { fill: $paper; fill-opacity: 0.9; }
.shadow { fill: none; stroke: #1c0e17; stroke-width: 4; stroke-linejoin: round; stroke-linecap: round; }
.prop { fill: none; stroke: #f0cd82; stroke-width: 1.6; stroke-linejoin: round; } .filled { fill: #1c0e17; }
.screen { fill: $curtain; stroke: $gilt; stroke-width: 1; }
.level { fill: $wood; fill-opacity: 0.55; } .even { fill-opacity: 0.95; }
.between { stroke: $brass; stroke-opacity: 0.4; stroke-width: 1; }
.cross { fill: none; stroke: $velvet; stroke-width: 2.5; }
.disc { fill: #1c0e17; stroke: #d8c9bb; stroke-width: 2; }
.ondisc { fill: none; stroke: #fff3e0; stroke-width: 2; }
.ghost { fill: none; stroke: $glow; stroke-width: 2; stroke-dasharray: 4 3; }
.back { fill: $curtain; stroke: $brass; }
.can .inside .halo { fill: none; stroke: none; }
"""
"""The classes of this game's drawing; see drawing.py."""

WIDE: Final = 360
"""The width of every panel."""
EDGE: Final = 10
"""What a panel leaves free at its sides."""

# Panels, and what is drawn in several places.


@cache
def frame(height: int) -> str:
    """The background of a panel."""
    return tag("rect", cls="panel", x=0.5, y=0.5, width=WIDE - 1, height=height - 1, rx=10)


@cache
def turn_edge(height: int) -> str:
    """The gilt edge of a panel that is somebody's turn."""
    return tag("rect", cls="turn", x=1.5, y=1.5, width=WIDE - 3, height=height - 3, rx=9)


def head(title: str) -> str:
    """The title of a panel over a gilt line."""
    return group([valance(34), write(title, EDGE + 4, 23, 18, cls="title oncloth bold", anchor="start", within=210)])


@cache
def note(text: str, title: str) -> str:
    """A note on the right of a panel's title."""
    room = WIDE - 50 - min(measure(title, 18), 210)
    return write(text, WIDE - EDGE - 4, 22, 13, cls="oncloth", anchor="end", within=room)


@cache
def valance(tall: int) -> str:
    """The red cloth behind the head of a panel, with a gilt hem in scallops."""
    hem = "".join(f"a{WIDE / 24:.2f} 7 0 0 1{-WIDE / 12:.2f} 0" for _ in range(12))
    cloth = f"M0.5 {tall - 4}V10A10 10 0 0 1 10.5 0.5H{WIDE - 10.5}A10 10 0 0 1 {WIDE - 0.5} 10V{tall - 4}{hem}Z"
    return group([tag("path", cls="cloth", d=cloth), tag("path", cls="hem", d=f"M{WIDE} {tall - 4}{hem}")])


@cache
def token(number: int, size: float, seat: Seat = 0) -> str:
    """A piece or a composer as a medallion with a monogram; the house piece is a small house in its seat's colour."""
    half = size / 2
    if number == rules.HOUSE:
        roof = f"M{-half * 0.62:.1f} {-half * 0.05:.1f}L0 {-half * 0.66:.1f}L{half * 0.62:.1f} {-half * 0.05:.1f}Z"
        walls = f"M{-half * 0.44:.1f} {half * 0.04:.1f}H{half * 0.44:.1f}V{half * 0.55:.1f}H{-half * 0.44:.1f}Z"
        ink = [tag("circle", cls="card", r=half - 1), tag("path", cls=f"seat{seat} outlined", d=roof + walls)]
        return group([*ink, tag("circle", cls="rim", r=half - 1)])
    dark = " dark" if number in (0, 2) else ""
    ring = () if size < 28 else (tag("circle", cls="groove", r=half - 3.5),)
    letters = write(CHIPS[number], 0, size * 0.17 + 0.5, max(14.5, round(size * 0.46)), cls="monogram name" + dark)
    disc = tag("circle", cls=f"composer{number}", r=half - 1)
    return group([disc, *ring, tag("circle", cls="rim", r=half - 1), letters])


@cache
def seat_sign(seat: Seat, letters: str, size: float) -> str:
    """The mark of a seat, with as many letters of its colour as tell it from the others."""
    return seat_mark(seat, 0, 0, size, letters)


@lru_cache(1024)
def coin(text: str, radius: float = 9, x: float = 0, y: float = 0) -> str:
    """An amount of ducats as a coin."""
    size = max(14.5, radius * (1.5 if len(text) < 2 else 1.25))
    amount = write(text, x, y + size * 0.34, size, cls="oncoin", within=2 * radius - 2)
    return group([tag("circle", cls="coin", cx=x, cy=y, r=radius), amount])


def arch(x: float, y: float, wide: float, tall: float, cls: str) -> str:
    """An arched opening."""
    half = wide / 2
    top = y + half
    curve = f"M{x:.1f} {y + tall:.1f}V{top:.1f}A{half:.1f} {half:.1f} 0 0 1 {x + wide:.1f} {top:.1f}V{y + tall:.1f}Z"
    return tag("path", cls=cls, d=curve)


@cache
def halo(x: float, y: float, wide: float, tall: float, rx: float = 7) -> str:
    """The light on what can be done, around a thing."""
    return tag("rect", cls="halo", x=x, y=y, width=wide, height=tall, rx=rx)


@lru_cache(1024)
def line(text: str, size: float, cls: str = "", anchor: str = "middle", within: float = 0) -> str:
    """A line of text."""
    return write(text, 0, 0, size, cls=cls, anchor=anchor, within=within)


@lru_cache(1024)
def button(label: str, wide: float, tall: float) -> str:
    """An action without a thing on the table: a button with its words."""
    size = 14.0
    lines = wrap(label, wide - 14, size)
    while len(lines) * size * 1.2 > tall - 4 and size > 12:
        size -= 0.5
        lines = wrap(label, wide - 14, size)
    first = tall / 2 - (len(lines) - 1) * size * 0.6 + size * 0.35
    texts = [write(one, wide / 2, first + i * size * 1.2, size, cls="bold") for i, one in enumerate(lines)]
    back = tag("rect", cls="raised", width=wide, height=tall, rx=8)
    return "".join((back, halo(0, 0, wide, tall, 8), *texts))


@cache
def trace(wide: float, tall: float, rx: float) -> str:
    """A line around what the last move touched."""
    return tag("rect", cls="trace", width=wide, height=tall, rx=rx)


# The rounds.


@cache
def round_box(number: int, wide: float, is_now: bool) -> str:
    """A round of the track."""
    box = tag("rect", cls="coin" if is_now else "raised", x=1, width=wide - 2, height=30, rx=4)
    return box + write(ROMAN[number - 1], wide / 2, 20, 12.5, cls="lit name" if is_now else "name")


@cache
def medal(composer: int, points: int) -> str:
    """A Composer of the Century, with the points it brings."""
    return shape(-4, 0, 0, 42, cls="raised") + token(composer, 30) + write(f"+{points}", 0, 35, 13, cls="gilt bold")


# Budget and roles.

LEVEL: Final = 44
LEVELS_WIDE: Final = 190
PITCH: Final = 30
"""How tall a level of the budget table is, how wide, and how far apart its columns are."""


@cache
def levels() -> str:
    """The empty budget table."""
    parts = []
    for level in range(11):
        y = 42 + (10 - level) * LEVEL
        cls = "level" if level % 2 else "level even"
        parts.append(tag("rect", cls=cls, x=EDGE, y=y, width=LEVELS_WIDE, height=LEVEL))
        parts.append(write(str(level), EDGE + 14, y + LEVEL / 2 + 6, 17, cls="title bold"))
    lines = "".join(f"M{EDGE + 28 + PITCH * i} 42V{42 + 11 * LEVEL}" for i in range(5))
    parts.append(tag("path", cls="between", d=lines))
    parts.append(tag("rect", cls="rule", x=EDGE, y=42, width=LEVELS_WIDE, height=11 * LEVEL))
    return group(parts)


@cache
def level(ducats: int, place: str) -> str:
    """A level to bid for: the ducats it takes, and the place after it."""
    return "".join(
        (
            halo(0, 0, LEVELS_WIDE, LEVEL, 5),
            write(f"+{ducats}", 48 + 4 * PITCH, 20, 16, cls="bold"),
            write(place, 48 + 4 * PITCH, 37, 14, cls="quiet"),
        )
    )


@cache
def bid(ducats: int) -> str:
    """A bid that was made, on the level it leads to."""
    ghost = tag("rect", cls="ghost", x=2, y=3, width=LEVELS_WIDE - 4, height=LEVEL - 6, rx=5)
    return ghost + write(f"+{ducats}", LEVELS_WIDE - 22, LEVEL / 2 + 5, 15, cls="bold")


IDLE, PASSED, FLIPPED, HAS_BID = range(4)
"""What a budget marker shows besides its seat."""


@cache
def marker(seat: Seat, letters: str, state: int) -> str:
    """A budget marker: with a cross when its seat is done with a role, under a pass disc when its performance is over."""
    size = 30
    arm = size * 0.36
    parts = [seat_sign(seat, letters, size * 0.86)]
    if state == PASSED:
        parts.append(tag("circle", cls="disc", cx=size * 0.3, cy=size * 0.3, r=size * 0.26))
        parts.append(tag("path", cls="ondisc", d=f"M{size * 0.17:.1f} {size * 0.3:.1f}h{size * 0.26:.1f}"))
    elif state == FLIPPED:
        saltire = f"M{-arm:.1f} {-arm:.1f}L{arm:.1f} {arm:.1f}M{-arm:.1f} {arm:.1f}L{arm:.1f} {-arm:.1f}"
        parts.append(tag("path", cls="cross", d=saltire))
    elif state == HAS_BID:
        parts.append(tag("circle", cls="disc", cx=size * 0.3, cy=size * 0.3, r=size * 0.3))
        parts.append(tag("path", cls="ondisc", d=f"M{arm * 0.2:.1f} {arm * 0.9:.1f}l3.5 4 6-8"))
    return "".join(parts)


CARD: Final = (146, 77)
"""The width and the height of a role card."""


@cache
def card(role: int, purpose: str) -> str:
    """A role card: its portrait, its fee, what it is for; around it the frame of the role being played."""
    name = rules.ROLE.names[role].title()
    wide, tall = CARD
    parts = [tag("rect", cls="raised", width=wide, height=tall, rx=7)]
    parts.append(group([_portrait(role)], at=(27, 29)))
    parts.append(write(name, 53, 22, 16, cls="name bold", anchor="start", within=78))
    parts += [shape(-4, 58 + 12 * i, 39, 9, cls="gilt") for i in range(FEE[role])]
    parts.append(write(str(FEE[role]), 60 + 12 * FEE[role], 44, 15, cls="gilt bold"))
    parts.append(write(purpose, 73, 68, 14, cls="quiet", within=140))
    spotlight = tag("rect", cls="spotlight", width=wide, height=tall, rx=7)
    return "".join((group(parts, cls="face"), halo(0, 0, wide, tall), spotlight))


STRUCK: Final = tag("path", cls="rule", d=f"M8 8L{CARD[0] - 8} {CARD[1] - 8}")
"""A line through a role that is taken, nobody knows by whom."""
PROPS: Final = (
    "M-11-10H11M-7-10V-20H7V-10Z",  # a top hat
    "M9-13L15 9M9-13L3 9M5.5 0H12.5",  # a pair of compasses
    "M5 15L17 5M5 15L14-1M5 15L8-3M5 15L1-2M17 5C17 0 12-5 1-2",  # a fan
    "M4 13L16-12",  # a baton
    "M4 15C5 5 9-4 16-11C17-3 13 6 4 15",  # a quill
    "M-4-6A3.6 3.6 0 1 0 3.2-6A3.6 3.6 0 1 0-4-6M3-4C6 0 6 6 4 12",  # an eyeglass on a ribbon
)
"""What each role is known by, as a path around its portrait."""


def _portrait(role: int) -> str:
    """A bust in an oval frame, with what the role is known by."""
    oval = tag("ellipse", cls="portrait", rx=20, ry=24)
    bust = tag("path", cls="features", d="M-14 17C-13 8-7 7-3 6V1.5A7 8 0 1 1 3 1.5V6C7 7 13 8 14 17A20 24 0 0 1-14 17Z")
    prop = [tag("path", cls=cls, d=PROPS[role]) for cls in ("shadow", "prop filled" if role in (0, 4) else "prop")]
    return group([oval, bust, *prop, tag("ellipse", cls="rim", rx=20, ry=24)])


@cache
def figure(number: int) -> str:
    """One of the three figures, a pawn with its letter, each with a head of its own."""
    name = rules.FIGURE.names[number].title()
    body = tag("path", cls=f"figure{number}", d="M-12 16C-12 6-6 2-5-6H5C6 2 12 6 12 16Z")
    sides, size = ((0, 13), (4, 11), (3, 13))[number]
    return "".join((body, shape(sides, 0, -11, size, f"figure{number}"), write(name[0], 0, 14, 16, cls="onfigure name")))


# The fame ladder.

LADDER, STEP = 51, 48
"""From one step of the ladder to the next, and how high a step is."""


@cache
def step(fame: int) -> str:
    """A step of the ladder: its number, which is the price."""
    return halo(0, 0, WIDE - 2 * EDGE, STEP, 6) + coin(str(fame), 16, 24, STEP / 2)


@cache
def composer(number: int, name: str, room: int) -> str:
    """A composer on a step."""
    return token(number, 38) + write(name, 26, -2, 17, cls="name bold", anchor="start", within=room)


@lru_cache(1024)
def facts(times: int, fame: int, later: int, bonus: tuple[int, ...]) -> str:
    """How often a composer is performed, the fame after this round, and the points of the centuries still to come."""
    parts = [tag("path", cls="quiet", d="M4-2a3.2 2.6 0 1 1-1-2V-12h1.8c0 3 3.5 3 3.5 6c-1-2-2.5-2-3.5-2Z")]
    parts.append(write(str(times), 11, 0, 14.5, cls="quiet", anchor="start"))
    if later != fame:
        cls, arrow = ("good", "M32-1l5-8 5 8Z") if later > fame else ("bad", "M32-9l5 8 5-8Z")
        parts.append(tag("path", cls=cls, d=arrow))
        parts.append(write(str(later), 45, 0, 14.5, cls=f"{cls} bold", anchor="start"))
    for points in bonus:
        parts.append(shape(-4, 67, -5, 9, cls="gilt"))
        parts.append(write(f"+{points}", 74, 0, 14.5, cls="gilt bold", anchor="start"))
    return "".join(parts)


@cache
def verdict(steps: int, fame: int) -> str:
    """A verdict of the Critico: arrows for the steps up or down, and the fame they lead to."""
    up, size = steps > 0, abs(steps)
    tips = [25 - 7 * size + 11 * i if up else 20 + 7 * size - 11 * i for i in range(size)]
    arrows = "".join(f"M7 {tip + 5}l6-8 6+8Z" if up else f"M7 {tip - 5}l6+8 6-8Z" for tip in tips)
    arrow = tag("path", cls="good" if up else "bad", d=arrows)
    return "".join((halo(0, 0, 44, 44, 6), arrow, write(str(fame), 31, 29, 18, cls="bold")))


# The Palazzo.


@lru_cache(1024)
def pile(is_deck: bool, number: int, name: str, wide: float) -> str:
    """The deck, face down, or the discard pile."""
    back = "back" if is_deck else "card"
    stack = [tag("rect", cls=back, x=-15 - i, y=48 - i, width=30, height=36, rx=4) for i in range(min(3, 1 + number // 10))]
    shown = write(str(number), -1, 72, 17, cls="onfigure" if is_deck else "oncard bold")
    return "".join((*stack, shown, write(name, 0, 102, 13, cls="quiet", within=wide - 2)))


# The cities.

HEAD: Final = 62
"""How tall the head of a city is."""


class Heading(NamedTuple):
    """Where things lie in the head of a city: its building parts in the supply, and its places for figures."""

    sites: tuple[int, ...]
    start: float
    wide: float
    first: float


@cache
def heading(city: int) -> Heading:
    """The head of a city."""
    places = STANDING[city]
    sites = tuple(city * 4 + part for part in range(4) if HALLS[city * 4 + part])
    wide = min(72.0, (WIDE - 2 * EDGE - 92 - 44 * max(places, 1)) / len(sites))
    first = WIDE - EDGE - 40 * places
    return Heading(sites, first - 6 - wide * len(sites), wide, first)


@cache
def city_back(city: int, height: int, opens: str) -> str:
    """A city against the sky behind its cloth; a closed one behind curtains that say when it opens."""
    parts = [frame(height), group([_skyline(city)], at=(0, height - 100), cls="night" if opens else "")]
    if opens:
        parts += [drapes(height), write(opens, 180, 64 + (height - 64) * 0.36, 15, cls="name")]
    return "".join((*parts, valance(HEAD)))


@cache
def visit(city: int, name: str, size: str) -> str:
    """The name of a city, how many halls it has, and its places for figures."""
    _, start, _, first = heading(city)
    places = STANDING[city]
    title = write(name, EDGE + 4, 31, 21, cls="title oncloth bold", anchor="start", within=start - EDGE - 8)
    below = write(size, EDGE + 4, 48, 14.5, cls="oncloth", anchor="start", within=start - EDGE - 8)
    spots = [tag("ellipse", cls="place", cx=first + 20 + 40 * at, cy=46, rx=17, ry=7) for at in range(places)]
    return "".join((halo(4, 8, start - 8, 48), halo(first - 2, 8, 40 * places + 4, 48), title, below, *spots))


@cache
def tile(site: int) -> str:
    """A building part in the supply: its halls and its price."""
    wide, halls = heading(site >> 2).wide - 4, HALLS[site]
    is_main = site & 3 == 0
    pitch = min(13.0, (wide - 14) / halls)
    begin = wide / 2 - pitch * halls / 2
    parts = [tag("rect", cls="raised", width=wide, height=44, rx=5), halo(0, 0, wide, 44, 5)]
    for at in range(halls):
        parts.append(arch(begin + at * pitch + 1, 5, pitch - 2, 15, "hall great" if is_main and at == 0 else "hall"))
    if is_main:
        parts += [tag("rect", cls="column", x=begin + shift, y=6, width=2.6, height=14) for shift in (-1.6, pitch - 1)]
    radius = min(10, wide / 4.6)  # A box may have four parts in a city, and then they are narrow.
    return "".join((*parts, coin(str(rules.A_HALL * halls), radius, wide / 2 - 2 - radius, 32)))


LARGE, SMALL = 75, 55
"""The height of a house that is drawn large, and of a small one."""


class Hall(NamedTuple):
    """A hall of a house as it is drawn: where, how wide, of which part, built or not, and the piece in it or none."""

    x: float
    wide: float
    part: int
    built: bool
    great: bool
    piece: int


def halls_of(city: int, built: int, great: int, side: int, x: float, pitch: float) -> list[Hall]:
    """The halls of a house from left to right, part by part; the pieces of side halls fill them from the left."""
    pieces = iter([number for number in range(7) if side >> number & 1])
    found = []
    for part in range(4):
        for hall in range(HALLS[city * 4 + part]):
            is_great = part == 0 and hall == 0
            wide = pitch + (6 if is_great else 0)
            stands = bool(built >> part & 1)
            inside = rules.NONE
            if stands:
                inside = great if is_great else next(pieces, rules.NONE)
            found.append(Hall(x, wide, part, stands, is_great, inside))
            x += wide
        x += 2
    return found


def halls_drawn(city: int, built: int, great: int, side: int, large: bool) -> list[Hall]:
    """The halls of a house where its façade has them."""
    most = sum(HALLS[city * 4 : city * 4 + 4])
    room = WIDE - 2 * EDGE - 44 if large else 140
    return halls_of(city, built, great, side, 40 if large else 30, min(54.0 if large else 36.0, (room - 10) / most))


def hall_size(large: bool) -> tuple[int, int]:
    """Where the halls of a house begin from its top, and how tall they are."""
    return (15, 54) if large else (12, 38)


def _inset(one: Hall, tall: float) -> float:
    return (5 if tall > 40 else 3) if one.great else 1.5


@cache
def facade(seat: Seat, letters: str, city: int, built: int, large: bool) -> str:
    """A house without its pieces: the great hall with red columns, then the other halls; lots where nothing stands yet."""
    top, tall = hall_size(large)
    halls = halls_drawn(city, built, rules.NONE, 0, large)
    marked = seat_mark(seat, 14 if large else 12, 28 if large else 18, 26, letters)
    lots = {one: arch(one.x + 2, top + 2, one.wide - 4, tall - 2, "lot") for one in halls}
    if not built:
        return "".join((marked, *(lots.values() if large else ())))
    parts = [halo(-4, 0, WIDE - 2 * EDGE + 8, LARGE - 4)] if large else []
    parts += [marked, *_walls(seat, halls, top, tall)]
    for one in halls:
        if not one.built:
            parts.append(lots[one])
            continue
        inset = _inset(one, tall)
        cls = "hall great" if one.great else "hall"
        parts.append(arch(one.x + inset, top + 2, one.wide - 2 * inset, tall - 2, cls))
        if one.great:
            parts += [
                tag("rect", cls="column", x=at, y=top + 3, width=inset - 1, height=tall - 3)
                for at in (one.x + 0.5, one.x + one.wide - inset + 0.5)
            ]
    return "".join(parts)


@cache
def ghost(seat: Seat, city: int, part: int, built: int, large: bool) -> str:
    """A part that could be built, where it would stand, with its price."""
    top, tall = hall_size(large)
    mine = [one._replace(built=True) for one in halls_drawn(city, built, rules.NONE, 0, large) if one.part == part]
    left, right = mine[0].x, mine[-1].x + mine[-1].wide
    price = coin(str(rules.A_HALL * HALLS[city * 4 + part]), 14, (left + right) / 2, top + tall / 2)
    light = halo(left, top - 8, right - left, tall + 12, 4)
    return group([*_walls(seat, mine, top, tall)], cls="ghost") + light + price


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
            parts.append(tag("path", cls=f"seat{seat} roof", d=gable))
        else:
            parts.append(tag("rect", cls=f"seat{seat} roof", x=left - 1, y=top - 4, width=right - left + 2, height=4))
        parts.append(tag("rect", cls="coin", x=left - 2, y=top + tall, width=right - left + 4, height=3))
    return parts


class Performed(NamedTuple):
    """A piece in a hall: how it looks, and where its middle is."""

    look: str
    x: float
    y: float


def performed(one: Hall, seat: Seat, large: bool) -> Performed:
    """A piece in its hall."""
    top, tall = hall_size(large)
    size = min(one.wide - 2 * _inset(one, tall) + 3, tall - 4, 44)
    return Performed(_performed(one.piece, size, one.wide, tall, seat), one.x + one.wide / 2, top + tall - size / 2 - 2)


@cache
def _performed(piece: int, size: float, wide: float, tall: float, seat: Seat) -> str:
    return halo(-wide / 2, size / 2 + 2 - tall, wide, tall, 4) + token(piece, round(size), seat)


@cache
def empty_hall(wide: float, tall: float, cost: bool) -> str:
    """A hall without a piece, and what that costs."""
    size = 15 if tall > 40 else 14.5
    return halo(0, 0, wide, tall, 4) + (write("−1", wide / 2, tall * 0.66, size, cls="cost bold") if cost else "")


@cache
def hall_to_fill(wide: float, tall: float) -> str:
    """The hall that is being filled."""
    return halo(0, 0, wide, tall, 4) + write("?", wide / 2, tall * 0.68, 20, cls="gilt bold")


SKYLINES: Final = (
    # Venezia: the Salute, the campanile, a bridge over the canal.
    "M0 100V84H30V62H40V84H58V58C58 34 92 34 92 58V84H108V70H124V30L130 12L136 30V84H170C182 62 232 62 244 84H262V60H300V84"
    "H318V68H360V100Z",
    # Wien: roofs, the great spire, a wheel.
    "M0 100V76L24 58L48 76H70V56H84V40L92 4L100 40V56H150V72H176V60H206V76H236A32 32 0 1 1 300 76H322V64H360V100Z",
    # Berlin: the gate with its columns and the quadriga.
    "M0 100V80H70V58H84V46H150V38H158L164 28H196L202 38H210V46H276V58H290V80H360V100Z"
    "M98 92V58H118V92ZM134 92V58H154V92ZM170 92V58H190V92ZM206 92V58H226V92ZM242 92V58H262V92Z",
    # London: the clock tower, a dome, a bridge.
    "M0 100V82H36V32L43 20L50 6L57 20L64 32V82H110V70H132V60C132 38 176 38 176 60V70H198V82H226V50H238V82H290V50H302V82"
    "H360V100Z",
    # Paris: the opera house with its dome, and the tower.
    "M0 100V76H40V60H68C70 36 122 36 124 60H152V76H210C236 76 244 52 250 6H256C262 52 270 76 296 76H320V66H360V100Z",
    # Milano: the cathedral and its pinnacles.
    "M0 100V84H60V66L68 46L76 66L86 50L96 34L106 50L114 40L124 26L134 40L146 24L158 4L170 24L182 40L192 26L202 40L210 34"
    "L220 50L230 66L238 46L246 66V84H360V100Z",
)
"""The cities against the sky, as paths 360 wide and 100 high."""


@cache
def drapes(tall: int) -> str:
    """The curtain of a city that is still closed, drawn aside a little on both sides."""
    low, knee, hip = tall - 1.5, round(tall * 0.6), round(tall * 0.4)
    half = f"M1 54V{low}H58C70 {knee + 20} 40 {knee} 70 {hip + 10}C92 {hip - 10} 108 80 112 54Z"
    folds = ""
    for x in (12, 34, 56, 78):
        foot = round(x * 0.55)
        folds += f"M{x} 54C{x + 2} {hip} {foot + 4} {knee} {foot} {low}h9C{foot + 14} {knee} {x + 10} {hip} {x + 9} 54Z"
    side = [tag("path", cls="drape", d=half), tag("path", cls="fold", d=folds)]
    return group([group(side), tag("g", *side, transform=f"translate({WIDE} 0) scale(-1 1)")], cls="faint")


@cache
def _skyline(city: int) -> str:
    return tag("path", cls="sky", d=SKYLINES[city], fill_rule="evenodd", transform="translate(6 2) scale(0.967 0.93)")


# The players.

NAME: Final = 120
"""The room for a name; what is longer is made smaller, then cut short."""
SHELF: Final = tag("path", cls="rule", d=f"M{EDGE + 4} 2H{WIDE - EDGE - 4}")


@lru_cache(512)
def player(seat: Seat, letters: str, name: str) -> str:
    """A player's mark and name."""
    shown = write(name, EDGE + 38, 30, 20, cls="name bold", anchor="start", within=NAME)
    return group([seat_sign(seat, letters, 27)], at=(EDGE + 16, 24)) + shown


@lru_cache(512)
def notes(text: str, name: str, has_won: bool) -> str:
    """What there is to say beside a name; a crown for the winner."""
    start = EDGE + 48 + min(1.1 * measure(name, 20), NAME)
    shown = write(text, start, 30, 14, cls="quiet", anchor="start", within=WIDE - 84 - start)
    return shown + (tag("path", cls="gilt", d=f"M{WIDE - 112} 30l-4-16 9 7 6-11 6 11 9-7-4 16Z") if has_won else "")


@lru_cache(1024)
def points(number: int, noun: str) -> str:
    """A player's points."""
    return write(str(number), 0, 32, 28, cls="title bold", anchor="end") + write(noun, 0, 46, 14, cls="quiet", anchor="end")


@lru_cache(512)
def purse(ducats: int, noun: str) -> str:
    """A player's ducats."""
    return coin(str(ducats), 15, 0, 1) + write(noun, 0, 28, 14, cls="quiet")


@cache
def closed_purse(text: str) -> str:
    """A closed screen."""
    return paravent() + write(text, 0, 28, 14, cls="quiet", within=94)


@lru_cache(1024)
def prospect(number: str, label: str, cls: str) -> str:
    """What a player's halls would bring of one kind."""
    return write(number, 0, 70, 19, cls=cls) + write(label, 0, 89, 14, cls="quiet", within=86)


@cache
def paravent() -> str:
    """A closed screen of three leaves."""
    leaves = [
        tag("path", cls="screen", d=f"M{x} {-11 + lift}l14 {-3 + 6 * (at % 2)}v22l-14 {3 - 6 * (at % 2)}Z")
        for at, (x, lift) in enumerate(((-21, 0), (-7, -3), (7, 0)))
    ]
    return group(leaves)


@cache
def copies(number: int) -> str:
    """How many of a thing there are, on a small plate."""
    plate = tag("rect", cls="card", x=-9, y=-9, width=20, height=17, rx=5)
    return plate + write(f"×{number}", 1, 4.5, 13, cls="oncard bold")


# The result.


@lru_cache(512)
def total(points: str, has_won: bool) -> str:
    """The points of a player in the end; a crown for the winner."""
    crown = tag("path", cls="gilt", d="M-10 30l-3-12 7 5 6-9 6 9 7-5-3 12Z") if has_won else ""
    return write(points, 0, 11, 20, cls="title bold" if has_won else "bold") + crown


# The card of the game.


def opera_house() -> tuple[list[str], str]:
    """An opera house whose halls are full of composers, as its parts and its viewBox."""
    parts = [
        tag("rect", cls="sky", width=720, height=420),
        *(
            tag("circle", cls="gilt", cx=x, cy=y, r=1.8)
            for x, y in ((60, 50), (140, 96), (590, 60), (660, 120), (520, 34), (230, 40))
        ),
        tag("rect", cls="wall", x=40, y=196, width=640, height=190),
        tag("rect", cls="wall", x=214, y=150, width=292, height=236),
        tag("path", cls="seat0 roof", d="M196 152L360 62L524 152Z"),
        tag("circle", cls="hall great", cx=360, cy=120, r=22),
        tag("path", cls="seat0 roof", d="M30 198H212V182H44ZM508 198H690L676 182H508Z"),
    ]
    parts += [tag("rect", cls="column", x=x, y=172, width=14, height=196) for x in (226, 300, 406, 480)]
    for at, (x, number) in enumerate(((360, 2), (92, 0), (164, 1), (556, 3), (628, 4))):
        great = at == 0
        wide, top = (72, 204) if great else (58, 250)
        curve = f"M{x - wide / 2:g} 372V{top}A{wide / 2:g} {wide / 2:g} 0 0 1 {x + wide / 2:g} {top}V372Z"
        parts.append(tag("path", cls="hall great" if great else "hall", d=curve))
        parts.append(group([token(number, 62 if great else 48)], at=(x, 282 if great else 306)))
    for x, number in ((268, 5), (452, 4)):
        parts.append(tag("path", cls="hall", d=f"M{x - 22} 372V264A22 22 0 0 1 {x + 22} 264V372Z"))
        parts.append(group([token(number, 38)], at=(x, 310)))
    parts += [
        tag("rect", cls="wall", x=20, y=384, width=680, height=12),
        tag("rect", cls="wall", x=0, y=396, width=720, height=24),
    ]
    return parts, "0 44 720 360"
