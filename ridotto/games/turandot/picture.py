"""A view of Turandot drawn as SVG: the panels of the table. Everything is worked out from the view's own row.

A singer's portrait is drawn after the traits on the card, so that the singers of another box have faces, too: the
costume and the colour behind it tell the category, the light around the head the stars.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from math import cos, pi, sin
from typing import Final

from ridotto.core.drawing import SIDES, Panel, group, measure, piece, seat_mark, shape, tag, target, wrap, write
from ridotto.core.view import View
from ridotto.engine.fields import Seat
from ridotto.games.turandot.bot import FIT, best_casting, best_column, weigh_casting
from ridotto.games.turandot.components import (
    AT_LEAST,
    CATEGORIES,
    CATEGORY,
    CATEGORY_IDS,
    DIRECTOR_IDS,
    DIRECTORS,
    FAVOURITE,
    FEWER_THAN,
    FIRST_TERM,
    ROLE_SEX,
    SEX,
    SEXES,
    SINGER_IDS,
    SINGERS,
    STARS,
    STATISTICS,
    TERMS,
    TROUPE,
    Filter,
    Term,
)
from ridotto.games.turandot.components import ROLES as ROLE_IDS
from ridotto.games.turandot.rules import (
    AUDITION,
    CAST,
    DIRECTOR_ROUND,
    ENDINGS,
    FEMALE,
    MONEY,
    NONE,
    NOTHING,
    PARTS,
    ROUNDS,
    UNDERSTUDY,
    UNDETERMINED,
    A,
    F,
    bluff_in,
    director_points,
    favourites,
    fictitious_total,
    helpers,
    is_bid,
    left_of,
    money_in,
    next_lacking,
    position_of,
    stars,
    term_number,
    wrong_sexes,
)
from ridotto.games.turandot.words import HELPERS, ROLES, Words, points

STYLE: Final = """
.drape { fill: $curtain; }
.fold { fill: $shade; fill-opacity: 0.28; }
.fringe { fill: none; stroke: #e6c274; stroke-width: 2.5; stroke-dasharray: 1.5 2; }
.rule { stroke: $brass; stroke-width: 1; }
.gold { fill: $gilt; } .goldline { fill: none; stroke: $gilt; stroke-width: 1.5; }
.plate { fill: $wood; } .room { fill: $velvet; }
.pit { fill: $velvet; fill-opacity: 0.7; stroke: $brass; stroke-opacity: 0.45; }
.beam { fill: $glow; fill-opacity: 0.1; }
.lit { fill: $ink; } .litline { fill: none; stroke: $ink; stroke-width: 1.8; stroke-linecap: round; }
.dim { opacity: 0.5; }
.bold { font-weight: 700; }
.strong { stroke: $gilt; stroke-width: 2.5; }
.back { fill: $curtain; stroke: #e6c274; }
.coin { fill: $gilt; stroke: $velvet; stroke-width: 0.8; } .oncoin { fill: $velvet; }
.spent { fill: none; stroke: $brass; stroke-dasharray: 2 2; }
.cloth { fill: $rose; stroke: $velvet; stroke-width: 0.8; }
.pen { fill: $pen; } .penline { fill: none; stroke: $pen; stroke-width: 1.8; stroke-linecap: round; }
.blood { fill: #b3261e; }
.capsule { fill: $velvet; fill-opacity: 0.55; stroke: $brass; stroke-opacity: 0.6; }
.here { fill: none; stroke: $glow; stroke-width: 2; }
.gone { stroke: $bad; stroke-width: 2; }
.clash { fill: none; stroke: $bad; stroke-width: 2.5; }
.glory { fill: none; stroke: $glow; stroke-width: 2.5; }
.hint { fill: none; stroke: none; }
.cat0 { fill: #23395d; } .cat1 { fill: #4d6a2c; } .cat2 { fill: #85541c; }
.cat3 { fill: #682a76; } .cat4 { fill: #a83c24; } .cat5 { fill: #2b2733; }
.ivory { fill: #f6e7cd; } .ivoryline { fill: none; stroke: #f6e7cd; stroke-width: 1.6; stroke-linecap: round; }
.night { fill: #1a0e16; } .nightline { fill: none; stroke: #1a0e16; stroke-width: 1.5; stroke-linecap: round; }
.gleam { fill: #e6c274; } .gleamline { fill: none; stroke: #e6c274; stroke-width: 1.4; }
.ray { fill: #e6c274; fill-opacity: 0.34; }
.robe { fill: #f6e7cd; fill-opacity: 0.3; }
"""
"""The classes of this game's drawing; see drawing.py. What is printed on a card keeps its colours in either theme."""

COLUMNS: Final[tuple[tuple[str, ...], ...]] = (("score", "audition"), ("casting", "hand"), ("troupes",), ("directors",))
"""The panels of a wide picture, column by column."""

WIDTH: Final = 360
EDGE: Final = 10
INNER: Final = WIDTH - 2 * EDGE
SHOWN: Final = (4, 13, 1, 19, 22)
"""The singers on the card of the game in the lobby."""


def panels(view: View, words: Words) -> list[Panel]:
    """The parts of the table, the most important first: the order on a phone."""
    asked = view.row[F.asked]
    if view.outcome is not None and asked == NOTHING:
        return [_score(view, words), _casting(view, words), _directors(view, words)]
    if asked == CAST:
        found = [_casting(view, words), _troupes(view, words), _directors(view, words)]
    else:
        found = [_audition(view, words)]
        if view.seat is not None and view.outcome is None:
            found.append(_hand(view, words))
        found.append(_troupes(view, words))
        if view.row[F.round] != DIRECTOR_ROUND:
            found.append(_directors(view, words))
    return [_score(view, words), *found] if view.outcome is not None else found


def preview(view: View, words: Words, action: int | str) -> list[Panel]:
    """Nothing: what becomes of cards that are laid depends on the others."""
    return []


def vignette(words: Words) -> tuple[list[str], str]:
    """Singers at an audition, fanned out under the curtain."""
    parts = [
        tag("rect", cls="room", width=720, height=420),
        tag("path", cls="beam", d="M300 0H420L640 420H80Z"),
        tag("path", cls="beam", d="M240 0H330L500 420H40Z"),
        tag("path", cls="beam", d="M390 0H480L680 420H220Z"),
    ]
    for at, number in enumerate(SHOWN):
        turn = (at - (len(SHOWN) - 1) / 2) * 11
        x, y = 360 + (at - (len(SHOWN) - 1) / 2) * 122, 74 + abs(turn) * 1.5
        card = _singer_card(words.nameless(), number)
        parts.append(tag("g", card, transform=f"translate({x:g} {y:g}) rotate({turn:g} 0 280) scale(1.5) translate(-55 0)"))
    return [*parts, tag("g", _curtain(360), transform="scale(2)")], "0 0 720 360"


# What follows from a row.


@cache
def _best_roles(troupe: tuple[int, ...]) -> int:
    """Favourite roles less wrong sexes in the best casting of a troupe."""
    return best_casting(list(troupe), 0, [0] * 192)


def _troupe(s: Sequence[int], seat: Seat) -> tuple[int, ...]:
    """The six places of a seat's troupe."""
    return tuple(s[F.troupe + seat * TROUPE : F.troupe + (seat + 1) * TROUPE])


def _brings(troupe: Sequence[int], number: int) -> int:
    """What a director gives or takes for a troupe as it stands."""
    return director_points(list(troupe), 0, number)


def _adds(s: Sequence[int], seat: Seat, card: int) -> int:
    """What a card under a role would add to a seat's points, with the roles cast in the best way."""
    troupe = _troupe(s, seat)
    if card >= SINGERS:
        return _brings(troupe, card - SINGERS)
    grown = list(troupe)
    grown[troupe.index(NONE)] = card
    more = STARS[card] + _best_roles(tuple(grown)) - _best_roles(troupe)
    return more + _brings(grown, s[F.director + seat]) - _brings(troupe, s[F.director + seat])


def best_cast(s: Sequence[int], seat: Seat) -> list[int]:
    """A best casting, role by role, that keeps the roles a seat has cast already; for whoever asks for a hint."""
    row, x = list(s), [0] * 192
    at = F.troupe + seat * TROUPE
    weigh_casting(row, at, x)
    found = [row[F.casting + seat * TROUPE + role] for role in range(row[F.assigned + seat])]
    free = sum(1 << slot for slot in range(TROUPE) if row[at + slot] not in found)
    for role in range(len(found), TROUPE):
        slot = best_column(x, free, role)
        free &= ~(1 << slot)
        found.append(row[at + slot])
    return found


WINS, OUTBID, TIED, IN_VAIN, HIRES = range(5)
"""What becomes of what a seat has laid; HIRES and one more for the carpenter."""


def audition_results(s: Sequence[int], choices: dict[Seat, int], first: Seat, directing: bool) -> dict[Seat, int]:
    """What becomes of each seat's cards once they are turned up; `first` has Puccini."""
    found: dict[Seat, int] = {}
    for seat, choice in choices.items():
        if is_bid(choice):
            rivals = [other for other in choices.values() if is_bid(other) and position_of(other) == position_of(choice)]
            sums = sorted(money_in(other) for other in rivals)
            alone = len(sums) == 1 or sums[-1] > sums[-2]
            found[seat] = TIED if not alone else WINS if money_in(choice) == sums[-1] else OUTBID
    served = 0
    seat = left_of(list(s), first)
    while len(found) < len(choices):
        if seat not in found:
            hired = seat != first and not directing and served < helpers(list(s))
            found[seat] = HIRES + served if hired else IN_VAIN
            served += hired
        seat = left_of(list(s), seat)
    return found


def _last_reveal(view: View) -> tuple[dict[Seat, int], Seat] | None:
    """What was laid in the last audition and who had Puccini, if the reader has seen it."""
    ply = next((one.ply for one in reversed(view.seen) if one.event.name == "reveals"), None)
    if ply is None:
        return None
    told = [one.values for one in view.seen if one.ply == ply and one.event.name == "reveals"]
    return {values["seat"]: values["choice"] for values in told}, told[0]["seat"]


def _moved(view: View) -> set[tuple[str, int]]:
    """What the last move touched: cards, directors and seats, for the traces."""
    found: set[tuple[str, int]] = set()
    for one in reversed(view.seen):
        if one.ply != view.ply - 1:
            break
        name, values = one.event.name, one.values
        if "card" in values and name not in ("presents", "offers"):
            found.add(("card", values["card"]))
        elif name == "strikes":
            found.add(("card", SINGERS + values["director"]))
        elif name == "lays":
            found.add(("laid", values["seat"]))
        elif name == "names":
            found.add(("named", values["other"]))
    return found


# Small signs, drawn around the middle of a square of 16.


def _placed(inside: Iterable[str], x: float, y: float, scale: float = 1.0, **attributes: object) -> str:
    at = f"translate({x:g} {y:g})" + ("" if scale == 1 else f" scale({scale:g})")
    return tag("g", *inside, transform=at, **attributes)


EMBLEMS: Final = (
    "M-7 -5.5L-1.5 -1.5H1.5L7 -5.5V5.5L1.5 1.5H-1.5L-7 5.5Z",
    "M0 -7.6a2.7 2.7 0 0 1 2.4 4 2.7 2.7 0 0 1 4.4 1.6 2.7 2.7 0 0 1 -2.2 3.6 2.7 2.7 0 0 1 -.1 4.8 2.7 2.7 0 0 1 -4.5 -1.4"
    " 2.7 2.7 0 0 1 -4.5 1.4 2.7 2.7 0 0 1 -.1 -4.8 2.7 2.7 0 0 1 -2.2 -3.6 2.7 2.7 0 0 1 4.4 -1.6 2.7 2.7 0 0 1 2.4 -4Z"
    "M0 -2.3a2.3 2.3 0 1 0 .01 0Z",
    "M-7 -7.5H7V-4.5H-7ZM-7 4.5H7V7.5H-7ZM-5 -3.5H-2.6V3.5H-5ZM-1.2 -3.5H1.2V3.5H-1.2ZM2.6 -3.5H5V3.5H2.6Z",
    "M2.5 -8L-5.5 1.2H-.8L-2.5 8L5.5 -1.8H.8Z",
    "M-7 -6.5Q0 -8.5 7 -6.5Q8.5 4 0 8Q-8.5 4 -7 -6.5ZM-4.8 -2.6a1.7 1.2 0 1 0 3.4 0a1.7 1.2 0 1 0 -3.4 0Z"
    "M1.4 -2.6a1.7 1.2 0 1 0 3.4 0a1.7 1.2 0 1 0 -3.4 0ZM-4 1.4Q0 3.4 4 1.4Q2.6 5.6 0 5.6Q-2.6 5.6 -4 1.4Z",
    "M2.6 -7.7A7.8 7.8 0 1 0 7.7 2.6A6.4 6.4 0 0 1 2.6 -7.7Z",
)
"""The sign of each category: a bow tie, a flower, a column, a flash, a laughing mask, a moon."""

SEX_SHAPES: Final = (
    "M0 1.4a4 4 0 1 1 .01 0ZM0 1.4V7.4M-2.8 4.4H2.8",
    "M-1.8 6a4 4 0 1 1 .01 0ZM1.2 -1L6 -6M2 -6.2H6.2V-2",
    "M-.8 3.2a3.4 3.4 0 1 1 .01 0ZM-.8 3.2V7.8M-3 5.6H1.4M1.8 -2.6L6 -6.8M2.8 -7H6.2V-3.6",
)
HEART: Final = "M0 6.2C-8 .6 -7 -6 -3.4 -6C-1.4 -6 0 -4.2 0 -3.2C0 -4.2 1.4 -6 3.4 -6C7 -6 8 .6 0 6.2Z"
STAR: Final = " ".join(
    f"{(7.6 if i % 2 == 0 else 3.2) * sin(pi * i / 5):.2f},{-(7.6 if i % 2 == 0 else 3.2) * cos(pi * i / 5):.2f}"
    for i in range(10)
)
MASK: Final = (
    "M-8 -3Q-4 -6 0 -3.4Q4 -6 8 -3Q8.4 3.6 4 4.4Q1.4 4.4 0 1.6Q-1.4 4.4 -4 4.4Q-8.4 3.6 -8 -3Z"
    "M-6 -.8Q-3.8 -2.6 -2 -.4Q-3.8 1.6 -6 -.8ZM6 -.8Q3.8 -2.6 2 -.4Q3.8 1.6 6 -.8Z"
)
QUILL: Final = "M7 -8Q-3 -7 -5 3L-8 8L-3.4 4.6Q6 3 7 -8ZM-5 5Q-1 -2 4 -5Q-.4 -1.6 -5 5Z"
DRESS: Final = "M-2.6 -8Q0 -5.6 2.6 -8L3.2 -4L2 -1.4L7 8H-7L-2 -1.4L-3.2 -4Z"
HAMMER: Final = "M-8 -7H3Q7 -7 8 -3L4.6 -2.4V-1H1.4V8H-2.2V-1H-8Z"
MEGAPHONE: Final = "M-8 -2.6H-3.4L6.4 -7.6V7L-3.4 2.4H-8ZM-6 3.4H-2.6L-1.6 8H-5Z"
HELPER_SHAPES: Final = (DRESS, HAMMER)


def _emblem(number: int, x: float, y: float, scale: float = 1.0, cls: str = "pen") -> str:
    return tag("path", d=EMBLEMS[number], transform=_at(x, y, scale), cls=cls, fill_rule="evenodd")


def _sex(number: int, x: float, y: float, scale: float = 1.0, cls: str = "penline") -> str:
    return tag("path", d=SEX_SHAPES[number], transform=_at(x, y, scale), cls=cls)


def _heart(x: float, y: float, scale: float = 1.0, cls: str = "blood") -> str:
    return tag("path", d=HEART, transform=_at(x, y, scale), cls=cls)


def _star(x: float, y: float, scale: float = 1.0, cls: str = "gold") -> str:
    return tag("polygon", points=STAR, transform=_at(x, y, scale), cls=cls)


def _mask(x: float, y: float, scale: float = 1.0, cls: str = "pen") -> str:
    return tag("path", d=MASK, transform=_at(x, y, scale), cls=cls, fill_rule="evenodd")


def _at(x: float, y: float, scale: float) -> str:
    return f"translate({x:g} {y:g})" + ("" if scale == 1 else f" scale({scale:g})")


def _line(x: float, y: float, to_x: float, to_y: float, cls: str = "rule") -> str:
    return tag("line", x1=x, y1=y, x2=to_x, y2=to_y, cls=cls)


def _box(x: float, y: float, width: float, height: float, cls: str, round_: float = 6) -> str:
    return tag("rect", x=x, y=y, width=width, height=height, rx=round_, cls=cls)


def _light(x: float, y: float, width: float, height: float) -> str:
    """The light around something that can be done: behind it, so that what is written there keeps its contrast."""
    return _box(x - 1, y - 1, width + 2, height + 2, "halo", 9)


# Portraits, in a field 100 wide and 66 high.

WOMEN_HAIR: Final = (
    ("M33 52Q28 9 50 8Q72 9 67 52Q60 56 50 54Q40 56 33 52Z", "M38 25Q39 12 50 12Q61 12 62 25Q56 16 47 17Q42 18 38 25Z"),
    ("M43 8a7 7 0 1 1 14 0a7 7 0 1 1 -14 0Z", "M37.5 28Q35 10 50 10Q65 10 62.5 28Q60 17 50 16.5Q40 17 37.5 28Z"),
    (
        "M35 44a7 7 0 0 1 -2 -12a7 7 0 0 1 3 -12a8 8 0 0 1 9 -10a8 8 0 0 1 11 0a8 8 0 0 1 9 10a7 7 0 0 1 3 12a7 7 0 0 1 -2 12Z",
        "M38.5 24Q41 13 50 13Q59 13 61.5 24Q50 18 38.5 24Z",
    ),
)
MEN_HAIR: Final = (
    "M37.5 25Q35 9 50 9Q65 9 62.5 25Q61 18 56 16Q46 19 40 17Q38 20 37.5 25Z",
    "M37.5 25Q35 8 52 9Q66 10 62.5 25Q60 15 44 17Q39 19 37.5 25Z"
    "M42 32.4Q46 29.6 50 31.4Q54 29.6 58 32.4Q54 34 50 32.8Q46 34 42 32.4Z",
    "M37.5 25Q36 10 50 10Q64 10 62.5 25Q58 16.5 50 16.5Q42 16.5 37.5 25Z"
    "M37.6 27Q38 47 50 47Q62 47 62.4 27Q60 33 50 31.4Q40 33 37.6 27Z",
    "M37.4 30Q33 22 38 19Q38 24 37.4 30ZM62.6 30Q67 22 62 19Q62 24 62.6 30Z"
    "M41 32.6Q46 30 50 31.6Q54 30 59 32.6Q60 29.4 61 30Q58 35 50 33Q42 35 39 30Q40 29.4 41 32.6Z",
)
OTHER_HAIR: Final = (
    "M50 11Q65 11 63.5 28Q60 33 50 31Z",
    "M36 34Q30 10 50 8Q70 10 64 34Q63 18 50 15Q37 18 36 34Z",
)


@cache
def _portrait(number: int, half: float = 50) -> str:
    """A singer at the top of a note, in a field that reaches so far to either side of the middle."""
    group_of, sex, stars_ = CATEGORY[number], SEX[number], STARS[number]
    which = sum(CATEGORY[other] == group_of for other in range(number))
    parts = [_box(50 - half, 0, 2 * half, 66, f"cat{group_of}", 5)]
    if stars_ == 3:
        parts.append(tag("path", cls="ray", d=_rays(half)))
    if stars_ >= 2:
        parts.append(tag("circle", cls="ray", cx=50, cy=27, r=25))
    parts += _costume(group_of, sex)
    hair = WOMEN_HAIR[which % 3] if sex == FEMALE else ("", "")
    if hair[0]:
        parts.append(tag("path", d=hair[0], cls="night"))
    if group_of == 5 and sex != FEMALE:
        parts.append(tag("path", d="M30 52Q26 6 50 4Q74 6 70 52Q66 40 62 34Q60 14 50 13Q40 14 38 34Q34 40 30 52Z", cls="night"))
    parts += [
        _box(45.5, 36, 9, 12, "ivory", 3),
        tag("ellipse", cx=50, cy=26.5, rx=12, ry=14.5, cls="ivory"),
        tag("path", d="M42.5 25.5q2.6 2.2 5.2 0M52.3 25.5q2.6 2.2 5.2 0", cls="nightline"),
        tag("ellipse", cx=50, cy=35, rx=2.7, ry=3.6, cls="night"),
    ]
    if sex == FEMALE:
        parts.append(tag("path", d=hair[1], cls="night"))
    elif sex == UNDETERMINED:
        parts.append(tag("path", d=OTHER_HAIR[which % 2], cls="gleam" if which % 2 == 0 else "night"))
    else:
        parts.append(tag("path", d=MEN_HAIR[which % 4], cls="night"))
    parts += _headgear(group_of, which)
    return group(parts)


def _rays(half: float) -> str:
    """Beams from behind the head to the edge of the field."""
    found = []
    for i in range(11):
        angle = -pi / 2 + pi * i / 10
        corners = []
        for side in (angle - 0.075, angle + 0.075):
            reach = min(half / max(abs(sin(side)), 1e-6), (27 if cos(side) > 0 else 39) / max(abs(cos(side)), 1e-6))
            corners.append(f"{50 + reach * sin(side):.1f} {27 - reach * cos(side):.1f}")
        found.append(f"M50 27L{corners[0]}L{corners[1]}Z")
    return "".join(found)


def _costume(group_of: int, sex: int) -> list[str]:
    """What tells a category at a glance: tails, a scarf, a toga, a studded jacket, a ruff, a high collar."""
    body = tag("path", d="M14 66Q17 49 40 46H60Q83 49 86 66Z", cls="night" if group_of in (0, 3) else "robe")
    if group_of == 0:
        if sex == FEMALE:
            pearls = [tag("circle", cx=50 + 9 * sin(a / 4), cy=46 + 6 * cos(a / 4), r=1.7, cls="ivory") for a in range(-6, 7)]
            return [body, *pearls]
        return [body, tag("path", d="M41 46L50 64L59 46Z", cls="ivory"), _emblem(0, 50, 50, 0.7, "night")]
    if group_of == 1:
        scarf = tag("path", d="M36 45Q50 39 64 45L63 52Q50 57 37 52ZM55 53L66 64L58 66L51 54Z", cls="gleam")
        return [body, scarf]
    if group_of == 2:
        return [
            body,
            tag("path", d="M26 66Q30 50 42 46Q58 56 80 56L84 66Z", cls="ivory"),
            tag("circle", cx=41, cy=48, r=3, cls="gleam"),
        ]
    if group_of == 3:
        studs = [tag("circle", cx=22 + 6 * i, cy=60 - 3 * min(i, 9 - i), r=1.6, cls="gleam") for i in (0, 1, 2, 7, 8, 9)]
        return [body, tag("path", d="M40 46L50 58L60 46L66 50L50 66L34 50Z", cls="robe"), *studs]
    if group_of == 4:
        ruff = [tag("circle", cx=32 + 6 * i, cy=48 + abs(i - 3) * 0.6, r=5, cls="ivory") for i in range(7)]
        return [body, *ruff, tag("circle", cx=50, cy=61, r=2.6, cls="gleam")]
    return [
        tag("path", d="M20 66L31 34L44 48H56L69 34L80 66Z", cls="night"),
        tag("path", d="M31 34L44 48L47 66M69 34L56 48L53 66", cls="gleamline"),
    ]


def _headgear(group_of: int, which: int) -> list[str]:
    if group_of == 1 and which % 2:
        return [
            tag("path", d="M34 16Q34 3 52 3Q68 4 67 14Q50 8 34 16Z", cls="gleam"),
            tag("circle", cx=51, cy=3, r=2.2, cls="gleam"),
        ]
    if group_of == 2:
        leaves = [
            tag(
                "ellipse",
                cx=0,
                cy=0,
                rx=5,
                ry=2.2,
                cls="gleam",
                transform=f"translate({50 + side * dx} {y}) rotate({side * turn})",
            )
            for side in (-1, 1)
            for dx, y, turn in ((13, 21, -70), (11.5, 15.5, -50), (7, 11, -28))
        ]
        return leaves
    if group_of == 3:
        return [tag("path", d="M42 14L41 3L46 8L48 -0L51 7L55 0L56 8L61 3L58 14Q50 9 42 14Z", cls="gleam")]
    if group_of == 4 and which % 2 == 0:
        return [tag("path", d="M39 14Q50 6 61 14L53 1Z", cls="gleam"), tag("circle", cx=53, cy=2.4, r=2.4, cls="ivory")]
    return []


# Cards.


def _told(words: Words, number: int) -> str:
    """A singer's card in words."""
    return f"{words.singer(number)}, {words.traits(number)}"


def _favourite(number: int, x: float, y: float) -> list[str]:
    """A heart and the number of the favourite role."""
    if FAVOURITE[number] < 0:
        return []
    return [_heart(x, y - 4.6, 0.8), write(str(FAVOURITE[number] + 1), x + 10.5, y, 13, cls="oncard bold")]


CARD, TALL = 110, 148


@cache
def _singer_card(words: Words, number: int) -> str:
    """A singer's card as it lies under a role; by words without names, so that there is one for each language."""
    parts = [
        _box(0, 0, CARD, TALL, "card strong" if STARS[number] == 3 else "card", 8),
        _placed([_portrait(number)], 5, 5),
        *(_star(14 + 14 * i, 14, 0.85, "gleam") for i in range(STARS[number])),
        tag("circle", cx=95, cy=15, r=9.5, cls="ivory"),
        _sex(SEX[number], 95, 15, 0.85),
    ]
    first, *rest = wrap(words.singer(number), 100, 14)
    names = [first, " ".join(rest)] if rest else [first]
    for i, name in enumerate(names):
        parts.append(write(name, CARD / 2, (86 if len(names) > 1 else 93) + 15 * i, 14, cls="name oncard", within=102))
    parts += [
        _box(5, 108, 100, 17, f"cat{CATEGORY[number]}", 4),
        _emblem(CATEGORY[number], 15, 116.5, 0.75, "ivory"),
        write(words.category(CATEGORY[number]), 26, 121, 12.5, cls="ivory", anchor="start", within=78),
    ]
    if FAVOURITE[number] >= 0:
        name = f"{FAVOURITE[number] + 1} {ROLES[FAVOURITE[number]]}"
        parts += [_heart(14, 136, 0.85), write(name, 24, 141, 13, cls="oncard", anchor="start")]
    return group(parts)


MINI, SHORT = 46, 60


@cache
def _small_singer(number: int) -> str:
    """A singer's card in a troupe: no name, but all that counts."""
    return group(
        [
            _box(0, 0, MINI, SHORT, "card strong" if STARS[number] == 3 else "card", 5),
            _placed([_portrait(number, 36.2)], MINI / 2 - 29, 2, 0.58),
            *(_star(7.5, 8 + 9 * i, 0.56, "gleam") for i in range(STARS[number])),
            _emblem(CATEGORY[number], 38, 9, 0.6, "ivory"),
            _sex(SEX[number], 11, 49.5, 0.8),
            *_favourite(number, 27, 54),
        ]
    )


@cache
def _medallion(number: int, size: float) -> str:
    """A director's sign: the category they like, or what they count."""
    first = TERMS[number][0]
    parts = [tag("circle", cx=0, cy=0, r=20, cls="back"), tag("circle", cx=0, cy=0, r=17, cls="gleamline")]
    parts.append(_counted(first, 0, 0, 1.3, "gleam", "gleamline"))
    return _placed(parts, 0, 0, size / 40)


def _counted(term: Term, x: float, y: float, scale: float, cls: str, line: str) -> str:
    """The sign of what a term goes by."""
    if term.which is None:
        if STATISTICS[term.statistic] == "women":
            return _sex(FEMALE, x, y, scale, line)
        if STATISTICS[term.statistic] == "max_same_category":
            blocks = ((-6.5, 1), (0.5, 1), (-3, -6))
            return _placed([tag("rect", x=a, y=b, width=6, height=6, cls=cls) for a, b in blocks], x, y, scale)
        dots = [
            tag("circle", cx=-5, cy=-4, r=2.6, cls=cls),
            tag("rect", x=-2.2, y=-6.4, width=4.6, height=4.6, cls=cls),
            tag("path", d="M5.4 -7L8.2 -1.8H2.6Z", cls=cls),
            tag("path", d="M-5 .8L-2 4L-5 7.2L-8 4Z", cls=cls),
            tag("path", d="M-1 1.4H1V3H2.6V5H1V6.6H-1V5H-2.6V3H-1Z", cls=cls),
            tag("path", d="M4.2 1.4H6.8L8 4L6.8 6.6H4.2L3 4Z", cls=cls),
        ]
        return _placed(dots, x, y, scale)
    return _filter_sign(term.which, x, y, scale, cls, line)[0]


def _filter_sign(which: Filter, x: float, y: float, scale: float, cls: str, line: str) -> tuple[str, float]:
    """The sign of the singers a term counts, its middle at `x` if it is a single one; and how wide it is."""
    parts: list[str] = []
    wide = 0.0
    for value in which.values:
        if which.trait == "category":
            parts.append(_emblem(CATEGORY_IDS.index(value), x + wide, y, scale, cls))
            wide += 17 * scale
        elif which.trait == "sex":
            parts.append(_sex(SEXES.index(value), x + wide, y, scale, line))
            wide += 16 * scale
        elif which.trait == "stars":
            parts += [_star(x + wide + 10 * scale * i, y, scale * 0.68, cls) for i in range(int(value))]
            wide += 10 * scale * int(value) + 4
    if which.trait == "favourite":
        parts.append(_heart(x, y, scale * 0.85, "bad" if cls == "lit" else cls))
        wide = 14 * scale
        if which.values == ("none",):
            parts.append(_line(x - 7, y + 7, x + 7, y - 7, "gone"))
        elif which.values != ("any",):
            text = "".join(str(ROLE_IDS.index(value) + 1) for value in which.values)
            parts.append(write(text, x + 8 * scale, y + 4.6, 13, cls="bold", anchor="start"))
            wide += 7.6 * len(text)
    return group(parts), wide


TERMS_WIDTH: Final = INNER - 54


@cache
def _drawn_terms(number: int, stands: tuple[int, ...]) -> str:
    """What a director gives and takes, drawn in a line 22 high; `stands` says where in its tables a troupe is."""
    parts: list[str] = []
    x = 0.0
    for term, stand in zip(TERMS[number], stands, strict=True):
        if term.which is None:
            parts += _drawn_table(term, TERMS_WIDTH, stand)
            continue
        sum_ = points(term.points)
        inside = [write(sum_, 6, 16, 14, cls=f"bold {'good' if term.points > 0 else 'bad'}", anchor="start")]
        at = 9 + 8.2 * len(sum_)
        crossed = term.kind == FEWER_THAN and term.n == 1
        if term.kind in (AT_LEAST, FEWER_THAN) and not crossed:
            text = f"{'≥' if term.kind == AT_LEAST else '<'}{term.n}"
            inside.append(write(text, at, 16, 13, anchor="start"))
            at += 8 * len(text) + 1
        sign, long = _filter_sign(term.which, at + 8, 11, 0.88, "lit", "litline")
        inside.append(sign)
        if crossed:
            inside.append(_line(at, 18, at + 15, 4, "gone"))
        at += long + 4
        parts.append(_placed([_box(0, 0, at, 22, "capsule", 11), *inside], x, 0))
        x += at + 4
    return group(parts)


def _drawn_table(term: Term, width: float, stands: int) -> list[str]:
    """A table as a row of steps: the number in small, the points it gives."""
    runs: list[list[int]] = []
    for number in range(0 if STATISTICS[term.statistic] == "women" else 1, TROUPE + 1):
        if runs and term.values[runs[-1][0]] == term.values[number]:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts = []
    each = width / len(runs)
    for i, run in enumerate(runs):
        at = each * i
        value = term.values[run[0]]
        span = str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}"
        cls = "good" if value > 0 else "bad"
        mid, long = at + (each - 3) / 2, 6.7 * len(span) + 4 + 8.2 * len(points(value))
        parts += [
            _box(at, 0, each - 3, 22, "capsule", 4),
            write(span, mid - long / 2, 16, 12, cls="quiet", anchor="start"),
            write(points(value), mid + long / 2, 16, 14, cls=f"bold {cls}", anchor="end"),
        ]
        if stands in run:
            parts.append(_box(at, 0, each - 3, 22, "here", 4))
    return parts


def _number_card(number: int, x: float, y: float, scale: float = 1.0) -> str:
    parts = [_box(-12, -17, 24, 34, "card", 4), write(str(number), 0, 8, 22, cls="name oncard bold")]
    return _placed(parts, x, y, scale)


def _money_card(x: float, y: float, scale: float = 1.0) -> str:
    parts = [_box(-8, -11, 16, 22, "coin", 3), _star(0, 0, 0.78, "oncoin")]
    return _placed(parts, x, y, scale)


def _bluff_card(x: float, y: float, scale: float = 1.0) -> str:
    return _placed([_box(-11, -14, 22, 28, "card", 4), _mask(0, 0, 1.05)], x, y, scale)


def _card_back(seat: Seat, x: float, y: float) -> str:
    inside = [
        _box(-12, -17, 24, 34, "back", 4),
        _box(-9, -14, 18, 28, "gleamline", 2),
        tag("circle", cx=0, cy=0, r=8, cls="room"),
        shape(SIDES[seat], 0, 0, 9, cls=f"seat{seat}"),
    ]
    return _placed(inside, x, y)


@cache
def laid_cards(choice: int, x: float, y: float) -> str:
    """What a seat has laid, face up, about its middle."""
    money, bluff, bid = money_in(choice), bluff_in(choice), is_bid(choice)
    wide = (24 if bid else 0) + 9 * money + (7 if money else 0) + (14 if bluff else 0)
    at = -wide / 2
    parts = []
    if bluff:
        parts.append(_bluff_card(wide / 2 - 9, -4, 0.9))
    for i in reversed(range(money)):
        parts.append(_money_card(at + (24 if bid else 0) + 8 + 9 * i, 5))
    if bid:
        parts.append(_number_card(position_of(choice) + 1, at + 12, 0))
    return _placed(parts, x, y)


# The audition.


@cache
def _curtain(width: int) -> str:
    """The valance over the stage."""
    swags = 6
    each = width / swags
    edge = "".join(f"q{each / 2:g} 22 {each:g} 0" for _ in range(swags))
    folds = [
        tag(
            "path",
            d=f"M{each * i:g} 0q{each * 0.1:g} 14 {each * 0.28:g} 21q{-each * 0.05:g} -12 {-each * 0.04:g} -21Z",
            cls="fold",
        )
        for i in range(1, swags)
    ]
    folds += [
        tag(
            "path",
            d=f"M{each * i:g} 0q{-each * 0.1:g} 14 {-each * 0.28:g} 21q{each * 0.05:g} -12 {each * 0.04:g} -21Z",
            cls="fold",
        )
        for i in range(1, swags)
    ]
    tassels = [tag("path", d=f"M{each * i - 4:g} 10h8l-1.4 12h-5.2Z", cls="gleam") for i in range(1, swags)]
    return group(
        [
            tag(
                "path",
                d=f"M0 12V10A10 10 0 0 1 10 0H{width - 10}A10 10 0 0 1 {width} 10V12"
                + "".join(f"q{-each / 2:g} 22 {-each:g} 0" for _ in range(swags))
                + "Z",
                cls="drape",
            ),
            *folds,
            tag("path", d=f"M0 12{edge}", cls="fringe"),
            *tassels,
        ]
    )


def _frame(height: float) -> str:
    return _box(0.5, 0.5, WIDTH - 1, height - 1, "panel", 10)


def _heading(text: str, note: str = "") -> list[str]:
    """The title of a panel, and a quiet word on the right."""
    free = INNER - measure(text, 18) - 12
    parts = [write(text, EDGE + 2, 27, 18, cls="title", anchor="start", within=INNER)]
    if note:
        parts.append(write(note, WIDTH - EDGE - 2, 26, 13, cls="quiet", anchor="end", within=free))
    return [*parts, _line(EDGE, 37, WIDTH - EDGE, 37)]


def _audition(view: View, words: Words) -> Panel:
    """The cards under the roles, who can be hired, and what lies before each seat."""
    s = view.row
    directing = s[F.round] == DIRECTOR_ROUND
    body: list[str] = [_curtain(WIDTH), *_rounds(words, s)]
    y = 64.0
    if directing:
        body += _value_heads(view, words, EDGE + 24, y + 8)
        y += 22
        for position in range(s[F.seats] + 1):
            body.append(_director_on_offer(view, words, position, y))
            y += 56
        y += 4
    else:
        for position in range(s[F.seats] + 1):
            body.append(
                _singer_on_offer(view, words, position, EDGE + position % 3 * (CARD + 5), y + position // 3 * (TALL + 32))
            )
        rows, last = divmod(s[F.seats] + 1, 3)
        if last:
            body += _wings_beside(view, words, EDGE + last * (CARD + 5), y + rows * (TALL + 32) + 24)
        y += (rows + bool(last)) * (TALL + 32)
        if not last:
            body += _wings_below(view, words, y)
            y += 46
    body += _places(view, words, y)
    y += 112
    taker = _taker(view)
    if not directing and taker is not None:
        sample = _box(EDGE + 2, y - 5, 28, 16, f"seat{taker}", 8)
        body += [
            sample,
            write(_adding(view, words, taker), EDGE + 37, y + 7.5, 13, cls="quiet", anchor="start", within=INNER - 40),
        ]
        body.append(write("+", EDGE + 16, y + 8, 14, cls="onseat"))
        y += 18
    if s[F.blind]:
        text = words.say("blind auditions")
        body += [_mask(EDGE + 16, y + 3, 1, "quiet")]
        body += [write(text, EDGE + 37, y + 7.5, 13, cls="quiet", anchor="start", within=INNER - 40)]
        y += 18
    height = round(y)
    return Panel("audition", words.say("The audition"), WIDTH, height, group([_frame(height), *body]))


def _rounds(words: Words, s: Sequence[int]) -> list[str]:
    """Which round it is, and a light for each."""
    text = words.say("Round {round} of {last}", round=s[F.round], last=ROUNDS)
    parts = [write(text, EDGE + 2, 52, 19, cls="title", anchor="start", within=150)]
    for number in range(1, ROUNDS + 1):
        x, y = WIDTH - EDGE - 8 - 18 * (ROUNDS - number), 46
        cls = "gold" if number <= s[F.round] else "goldline"
        parts.append(shape(-4 if number == DIRECTOR_ROUND else 0, x, y, 12 if number == DIRECTOR_ROUND else 9, cls=cls))
        if number == s[F.round]:
            parts.append(tag("circle", cx=x, cy=y, r=8.5, cls="glory"))
    return parts


def _singer_on_offer(view: View, words: Words, position: int, x: float, y: float) -> str:
    """A role with its number, and the singer under it."""
    s = view.row
    card = s[F.offer + position]
    parts = [
        tag("circle", cx=12, cy=11, r=11, cls="gold"),
        write(str(position + 1), 12, 17, 17, cls="name oncoin bold"),
        write(ROLES[position], 28, 16.5, 14, cls="name quiet", anchor="start"),
    ]
    if card == NONE:
        return group([*parts, _box(0, 24, CARD, TALL, "pit", 8), *_taken(view, words, position, CARD / 2, 98, 36)], at=(x, y))
    inside = [_singer_card(words.nameless(), card)]
    taker = _taker(view)
    if taker is not None:
        inside.append(_pill(view, words, taker, card, CARD - 22, 62))
    shown = piece(f"singer-{SINGER_IDS[card]}", *inside, title=_told(words, card), transform="translate(0 24)")
    return target(
        view, words, f"give {position + 1}", *parts, _light(0, 24, CARD, TALL), shown, ask=True, transform=_at(x, y, 1)
    )


def _taken(view: View, words: Words, position: int, x: float, y: float, size: float) -> list[str]:
    """Whoever got the card of this round that lay here, if the reader has seen it."""
    for one in reversed(view.seen):
        if one.event.name == "opens":
            break
        if one.event.name in ("recruits", "overbids", "gives") and one.values["position"] == position:
            seat = one.values["seat"]
            return [group([seat_mark(seat, x, y, size, words.letter(seat))], cls="dim")]
    return []


def _taker(view: View) -> Seat | None:
    """For whom the cards under the roles are weighed: the reader, or whoever is given one of them now."""
    asked = view.row[F.asked]
    if asked == UNDERSTUDY:
        return next_lacking(list(view.row))
    return view.seat if asked == AUDITION else None


def _adding(view: View, words: Words, seat: Seat) -> str:
    if seat == view.seat:
        return words.say("what the card would add to your points now")
    return words.say("what the card would add for {who} now", who=words.player(seat))


def _pill(view: View, words: Words, seat: Seat, card: int, x: float, y: float) -> str:
    """What a card would add to a seat's points."""
    value = points(_adds(view.row, seat, card))
    parts = [_box(x - 17, y - 10, 34, 20, f"seat{seat}", 10), write(value, x, y + 5.5, 15, cls="onseat")]
    return tag("g", tag("title", _adding(view, words, seat)), *parts)


def _director_on_offer(view: View, words: Words, position: int, y: float) -> str:
    """In the fourth round a director lies under each number."""
    s = view.row
    card = s[F.offer + position]
    badge = [
        tag("circle", cx=EDGE + 9, cy=y + 10, r=11, cls="gold"),
        write(str(position + 1), EDGE + 9, y + 16, 17, cls="name oncoin bold"),
    ]
    if card == NONE:
        return group([_box(EDGE, y, INNER, 52, "pit", 8), *_taken(view, words, position, WIDTH / 2, y + 26, 26), *badge])
    number = card - SINGERS
    inside = _director_line(view, words, number, y)
    shown = piece(f"director-{DIRECTOR_IDS[number]}", *inside, title=_directed(words, number))
    return target(view, words, f"give {position + 1}", _light(EDGE, y, INNER, 52), shown, *badge, ask=True)


def _wings_beside(view: View, words: Words, x: float, y: float) -> list[str]:
    """Dressmaker, carpenter and pile in the places where no card lies."""
    wide = WIDTH - EDGE - x
    columns = 2 if wide > 150 else 1
    parts = [_box(x, y, wide, TALL, "pit", 8)]
    items = _wings(view, words)
    for i, (drawn, text) in enumerate(items):
        if columns == 2:
            at_x, at_y = x + wide * (0.27 if i % 2 == 0 else 0.73), y + 44
            parts += [_placed([drawn], at_x, at_y, 1.25)]
            lines = wrap(text, wide / 2 - 10, 13)
            parts += [write(line, at_x, at_y + 42 + 15 * k, 13, cls="quiet") for k, line in enumerate(lines)]
        else:
            step = TALL / len(items)
            at_y = y + step * (i + 0.5)
            parts.append(_placed([drawn], x + 22, at_y, 0.85))
            lines = wrap(text, wide - 46, 12)
            parts += [
                write(line, x + 42, at_y + 4 + 14 * (k - (len(lines) - 1) / 2), 12, cls="quiet", anchor="start")
                for k, line in enumerate(lines)
            ]
    return parts


def _wings_below(view: View, words: Words, y: float) -> list[str]:
    """The same in a row of their own."""
    items = _wings(view, words)
    each = INNER / len(items)
    parts = [_box(EDGE, y - 2, INNER, 40, "pit", 8)]
    for i, (drawn, text) in enumerate(items):
        x = EDGE + each * i
        lines = wrap(text, each - 44, 12)
        parts.append(_placed([drawn], x + 22, y + 18, 0.8))
        parts += [
            write(line, x + 42, y + 22 + 14 * (k - (len(lines) - 1) / 2), 12, cls="quiet", anchor="start")
            for k, line in enumerate(lines)
        ]
    return parts


def _wings(view: View, words: Words) -> list[tuple[str, str]]:
    """Who can be hired, and the pile: a drawing and a word for each."""
    s = view.row
    hired = _hired(words, s)
    items = []
    for number in range(helpers(list(s))):
        token = [tag("circle", cx=0, cy=0, r=19, cls="spent")] if number in hired else [_helper(words, number)]
        items.append((group(token), words.say(HELPERS[number])))
    left = sum(s[F.pile + number] for number in range(SINGERS))
    pile = [_box(-15 + 2 * i, -19 + 2 * i, 26, 36, "back", 4) for i in range(2 if left else 0)]
    pile.append(_box(-11, -15, 26, 36, "back" if left else "spent", 4))
    pile.append(write(str(left), 2, 9, 17, cls="name ivory bold" if left else "name quiet bold"))
    return [*items, (group(pile), words.say("singers in the pile"))]


def _helper(words: Words, number: int) -> str:
    """The dressmaker or the carpenter."""
    token = [
        tag("circle", cx=0, cy=0, r=19, cls="plate strong"),
        tag("path", d=HELPER_SHAPES[number], cls="gold", transform="scale(1.25)"),
    ]
    return piece(("dressmaker", "carpenter")[number], *token, title=words.say(HELPERS[number]))


def _hired(words: Words, s: Sequence[int]) -> dict[int, Seat]:
    """Who has hired whom in this round."""
    choices = {seat: s[F.shown + seat] for seat in range(s[F.seats]) if s[F.shown + seat] >= 0}
    if not choices:
        return {}
    results = audition_results(s, choices, s[F.puccini], s[F.round] == DIRECTOR_ROUND)
    return {result - HIRES: seat for seat, result in results.items() if result >= HIRES}


def _places(view: View, words: Words, y: float) -> list[str]:
    """What lies before each seat, in the order in which they lay: from Puccini's holder on."""
    s = view.row
    shown = {seat: s[F.shown + seat] for seat in range(s[F.seats]) if s[F.shown + seat] >= 0}
    before: dict[Seat, int] = {}
    first, directing = s[F.puccini], s[F.round] == DIRECTOR_ROUND
    if not shown and (last := _last_reveal(view)) is not None:
        before, first = last
        directing = s[F.round] == DIRECTOR_ROUND + 1
    results = audition_results(s, shown or before, first, directing) if shown or before else {}
    wide = INNER / s[F.seats]
    parts = []
    seat = s[F.puccini]
    for i in range(s[F.seats]):
        parts.append(_place(view, words, seat, EDGE + wide * i, y, wide - 4, results.get(seat, NONE), before.get(seat, NONE)))
        seat = left_of(list(s), seat)
    return parts


def _place(view: View, words: Words, seat: Seat, x: float, y: float, wide: float, result: int, before: int) -> str:
    """A seat with its cards face down, or turned up with what became of them; or pale, those of the last audition."""
    s = view.row
    owes, mid = bool(s[F.owing] >> seat & 1), wide / 2
    name = words.player(seat)
    long = min(20 + measure(name, 13), wide - 6)
    parts = [_box(0, 0, wide, 102, "raised", 8), tag("title", name)]
    if words.narrator.name(seat, "") or measure(name, 12) <= long - 20:
        parts.append(seat_mark(seat, mid - long / 2 + 8, 14, 14))
        cls = "bold" if seat == view.seat else ""
        parts.append(write(name, mid - long / 2 + 20, 18.5, 13, anchor="start", cls=cls, within=long - 20))
    else:
        parts.append(seat_mark(seat, mid, 15, 22, words.letter(seat)))
    status, cls = "", "quiet"
    if s[F.shown + seat] >= 0:
        at = mid - 14 if result >= HIRES else mid
        parts.append(piece(f"laid-{seat}", laid_cards(s[F.shown + seat], at, 50), title=words.laid(s[F.shown + seat])))
        status, cls = result_text(words, result)
    elif s[F.pending + seat] >= 0:
        parts.append(piece(f"laid-{seat}", laid_cards(s[F.pending + seat], mid, 50), title=words.laid(s[F.pending + seat])))
        status = words.say("face down")
    elif s[F.laid + seat] > 0:
        n = s[F.laid + seat]
        step = min(14.0, (wide - 30) / max(1, n - 1))
        backs = [_card_back(seat, mid + step * (k - (n - 1) / 2), 50) for k in range(n)]
        parts.append(piece(f"laid-{seat}", *backs, title=words.say("cards face down: {n}", n=n)))
        status, cls = (words.say("one card") if n == 1 else words.say("{n} cards", n=n)), "bold"
    elif s[F.asked] == AUDITION and s[F.blind] and not owes:
        parts.append(
            piece(f"laid-{seat}", _card_back(seat, mid - 4, 52), _card_back(seat, mid + 4, 50), title=words.say("has laid"))
        )
        status = words.say("has laid")
    else:
        if before >= 0:
            past = words.say("last round: {cards}", cards=words.laid(before))
            parts.append(tag("g", tag("title", past), laid_cards(before, mid, 50), cls="dim"))
            status, cls = result_text(words, result)[0], "quiet dim"
        else:
            parts.append(_box(mid - 12, 33, 24, 34, "spent", 4))
        if owes and s[F.asked] == AUDITION:
            status, cls = words.say("to lay"), "gold bold"
    if result >= HIRES and s[F.shown + seat] >= 0:
        parts.append(_placed([_helper(words, result - HIRES)], mid + 15, 50, 0.72))
    parts.append(write(status, mid, 93, 13, cls=cls, within=wide - 4))
    if s[F.puccini] == seat:
        parts.append(
            _placed(
                [tag("circle", cx=0, cy=0, r=9, cls="gold"), tag("path", d=QUILL, cls="oncoin", transform="scale(0.72)")],
                wide - 8,
                -1,
            )
        )
    if result == TIED and s[F.shown + seat] >= 0:
        parts.append(_box(1, 1, wide - 2, 100, "clash", 8))
    elif (owes and s[F.asked] == AUDITION) or (s[F.asked] == UNDERSTUDY and seat == next_lacking(list(s))):
        parts.append(_box(1, 1, wide - 2, 100, "glory", 8))
    elif ("laid", seat) in _moved(view):
        parts.append(_box(1, 1, wide - 2, 100, "trace", 8))
    return group(parts, at=(x + 2, y))


def result_text(words: Words, result: int) -> tuple[str, str]:
    """What became of a seat's cards, in a word."""
    if result == WINS:
        return words.say("wins it"), "good bold"
    if result == OUTBID:
        return words.say("outbid"), "bad"
    if result == TIED:
        return words.say("tie"), "bad bold"
    if result == IN_VAIN:
        return words.say("in vain"), "quiet"
    return words.say("hires"), "good bold"


# The hand.


def _hand(view: View, words: Words) -> Panel:
    """The reader's cards; in the audition, everything that can be laid, a button for each."""
    s, seat = view.row, view.seat
    assert seat is not None
    laying = s[F.asked] == AUDITION and bool(s[F.owing] >> seat & 1)
    body, height = _choices(view, words, seat) if laying else _cards_in_hand(s, seat)
    note = words.say("money cards: {n}", n=s[F.money + seat])
    heading = _heading(words.say("What will you lay?") if laying else words.say("Your hand"), note)
    return Panel("hand", words.say("Your hand"), WIDTH, height, group([_frame(height), *heading, *body]))


def _cards_in_hand(s: Sequence[int], seat: Seat) -> tuple[list[str], int]:
    """Number cards, money and the bluff card; what is laid stands out of the row."""
    choice = max(s[F.pending + seat], s[F.shown + seat])
    numbers, money = s[F.seats] + 1, s[F.money + seat]
    out = money_in(choice) if s[F.pending + seat] >= 0 else 0
    width = 32 * numbers + 20 * MONEY + 34
    x = WIDTH / 2 - width / 2
    parts = []
    for number in range(numbers):
        lifted = is_bid(choice) and position_of(choice) == number
        card = _number_card(number + 1, x + 16, 72, 1.1)
        parts.append(tag("g", card, cls="dim" if lifted else ""))
        x += 32
    x += 6
    for i in range(MONEY):
        drawn = _money_card(x + 10, 72, 1.1) if i < money else _box(x + 2, 60, 16, 24, "spent", 3)
        parts.append(tag("g", drawn, cls="dim" if money - out <= i < money else ""))
        x += 20
    parts.append(tag("g", _bluff_card(x + 18, 72, 1.1), cls="dim" if choice >= 0 and bluff_in(choice) else ""))
    return parts, 106


def _choices(view: View, words: Words, seat: Seat) -> tuple[list[str], int]:
    """A column for each number, a row for each sum; first without the bluff card, then with it."""
    s = view.row
    numbers, money = s[F.seats] + 1, s[F.money + seat]
    wide = INNER / numbers
    parts = []
    y = 44.0
    for number in range(numbers):
        x = EDGE + wide * (number + 0.5)
        card = s[F.offer + number]
        if card >= SINGERS:
            parts.append(_placed([_medallion(card - SINGERS, 36)], x, y + 19))
        elif card != NONE:
            parts.append(
                _placed(
                    [_portrait(card), *(_star(12 + 19 * i, 12, 1.15, "gleam") for i in range(STARS[card]))], x - 25, y + 4, 0.5
                )
            )
            parts.append(_sex(SEX[card], x + 18, y + 12, 0.7, "ivoryline"))
        parts += [write(str(number + 1), x, y + 52, 15, cls="title bold")]
    y += 62
    for bluff in (0, 1):
        text = words.say("with the bluff card") if bluff else words.say("without the bluff card")
        parts.append(write(text, EDGE + 2, y + 11, 13, cls="quiet", anchor="start", within=INNER))
        y += 17
        for sum_ in range(money + 1):
            for number in range(numbers):
                parts.append(_button(view, words, A.bid + number * 8 + sum_ * 2 + bluff, EDGE + wide * number, y, wide))
            y += 48
        y += 4
    if money:
        hiring = s[F.round] != DIRECTOR_ROUND and seat != s[F.puccini]
        text = words.say("to hire: one money card alone") if hiring else words.say("one money card alone")
        parts.append(write(text, EDGE + 2, y + 11, 13, cls="quiet", anchor="start", within=INNER))
        y += 17
        for bluff in (0, 1):
            parts.append(_button(view, words, A.money + bluff, EDGE + INNER / 2 * bluff, y, INNER / 2))
        y += 48
    return parts, round(y + 8)


def _button(view: View, words: Words, choice: int, x: float, y: float, wide: float) -> str:
    """One thing that can be laid."""
    under = [_box(x + 1.5, y + 1, wide - 3, 45, cls, 7) for cls in ("raised", "halo")]
    return target(view, words, choice, *under, _choice_small(choice, x + wide / 2, y + 23.5), ask=True)


@cache
def _choice_small(choice: int, x: float, y: float) -> str:
    """The cards of a choice, small: the number, its money, the mask of the bluff card."""
    money = money_in(choice)
    parts = []
    if is_bid(choice):
        at = -11 if money or bluff_in(choice) else 0
        parts.append(_number_card(position_of(choice) + 1, at, 0, 0.92))
        for i in range(money):
            parts.append(_money_card(8 + 5 * i, 7 if bluff_in(choice) else 0, 0.78))
        if bluff_in(choice):
            parts.append(_mask(11, -12 if money else 0, 0.95, "lit"))
    else:
        parts.append(_money_card(-12 if bluff_in(choice) else 0, 0, 1.2))
        if bluff_in(choice):
            parts.append(_mask(14, 0, 1.2, "lit"))
    return _placed(parts, x, y)


# The troupes.


def _troupes(view: View, words: Words) -> Panel:
    """Every troupe with its cards and what it is worth so far; the reader's first."""
    s = view.row
    first = view.seat or 0
    y, parts = 44, []
    for i in range(s[F.seats]):
        parts.append(_troupe_block(view, words, (first + i) % s[F.seats], y))
        y += BLOCK + 6
    if s[F.seats] == 2:
        parts.append(_fictitious_block(view, words, y))
        y += BLOCK + 6
    heading = _heading(words.say("The troupes"), words.say("points as they stand"))
    return Panel("troupes", words.say("The troupes"), WIDTH, y + 4, group([_frame(y + 4), *heading, *parts]))


BLOCK: Final = 112


def _troupe_block(view: View, words: Words, seat: Seat, y: float) -> str:
    """One seat: what it owns, its singers and director, and the sum."""
    s = view.row
    own = s[F.asked] == CAST and seat == view.seat
    troupe = _troupe(s, seat)
    x = EDGE
    parts = [
        _box(x, y, INNER, BLOCK, "raised", 8),
        seat_mark(seat, x + 15, y + 14, 17),
        *_owner(view, words, seat, x + 30, y + 19),
        *_purse(words, s, seat, x + INNER - 12, y + 14),
        *_row_of_cards(view, words, troupe, s[F.director + seat], x + 3, y + 27, moves=not own),
        *_categories(words, troupe, x + 8, y + 101),
        _sum(words, s, seat, x + INNER - 8, y + 105),
    ]
    if ("named", seat) in _moved(view):
        parts.append(_box(x, y, INNER, BLOCK, "trace", 8))
    return target(view, words, f"name {seat}", _light(x, y, INNER, BLOCK), *parts, ask=True)


def _owner(view: View, words: Words, seat: Seat, x: float, y: float) -> list[str]:
    s = view.row
    name = words.say("{who} (you)", who=words.player(seat)) if seat == view.seat else words.player(seat)
    room = INNER - 190 if s[F.puccini] == seat else INNER - 110
    parts = [write(name, x, y, 15, cls="name bold", anchor="start", within=room)]
    x += min(measure(name, 15), room) + 10
    if s[F.puccini] == seat:
        inside = [tag("circle", cx=0, cy=0, r=9, cls="gold"), tag("path", d=QUILL, cls="oncoin", transform="scale(0.72)")]
        parts.append(piece("puccini", *inside, title="Puccini", transform=_at(x + 6, y - 5, 1)))
        parts.append(write("Puccini", x + 19, y - 0.5, 13, cls="gold", anchor="start"))
    return parts


def _purse(words: Words, s: Sequence[int], seat: Seat, right: float, y: float) -> list[str]:
    """Stage elements first, then money in hand, then money spent: three cards in all."""
    money, elements = s[F.money + seat], s[F.elements + seat]
    parts = []
    for i in range(MONEY):
        x = right - 18 * i
        if i < elements:
            shown = [
                _box(x - 8, y - 11, 16, 22, "cloth", 3),
                tag("path", d=HELPER_SHAPES[0], cls="oncoin", transform=_at(x, y, 0.7)),
            ]
            parts.append(piece(f"money-{seat}-{i}", *shown, title=words.say("a stage element")))
        elif i >= MONEY - money:
            parts.append(piece(f"money-{seat}-{i}", _money_card(x, y), title=words.say("a money card")))
        else:
            parts.append(_box(x - 8, y - 11, 16, 22, "spent", 3))
    return parts


def _row_of_cards(
    view: View, words: Words, troupe: Sequence[int], number: int, x: float, y: float, *, moves: bool = True
) -> list[str]:
    """Six places for singers and one for the director."""
    moved = _moved(view)
    parts = []
    for slot, one in enumerate(troupe):
        at = x + slot * (MINI + 2)
        if one == NONE:
            parts.append(_box(at, y, MINI, SHORT, "spent", 5))
            continue
        shown = _small_singer(one)
        place = _at(at, y, 1)
        if moves:
            parts.append(piece(f"singer-{SINGER_IDS[one]}", shown, title=_told(words, one), transform=place))
        else:
            parts.append(tag("g", tag("title", _told(words, one)), shown, transform=place))
        if ("card", one) in moved:
            parts.append(_box(at - 1, y - 1, MINI + 2, SHORT + 2, "trace", 6))
    at = x + TROUPE * (MINI + 2) + 1
    if number == NONE:
        parts.append(_placed([tag("circle", cx=0, cy=0, r=20, cls="spent")], at + 22, y + 30))
    else:
        parts.append(
            piece(
                f"director-{DIRECTOR_IDS[number]}",
                _placed([_medallion(number, 43)], at + 22, y + 30),
                title=_directed(words, number),
            )
        )
        if ("card", SINGERS + number) in moved:
            parts.append(tag("circle", cx=at + 22, cy=y + 30, r=23.5, cls="trace"))
    return parts


def _categories(words: Words, troupe: Sequence[int], x: float, y: float) -> list[str]:
    """How many singers of each category."""
    parts = []
    for number in range(CATEGORIES):
        count = sum(one != NONE and CATEGORY[one] == number for one in troupe)
        inside = [
            tag("title", words.category(number)),
            _emblem(number, x + 5, y, 0.68, "lit"),
            write(str(count), x + 17, y + 4.6, 13, cls="bold"),
        ]
        parts.append(tag("g", *inside, cls="" if count else "dim"))
        x += 26
    return parts


def _sum(words: Words, s: Sequence[int], seat: Seat, right: float, y: float) -> str:
    """Stars, best casting, stage elements, director, and what they come to."""
    troupe = _troupe(s, seat)
    values = (
        sum(STARS[one] for one in troupe if one != NONE),
        _best_roles(troupe),
        s[F.elements + seat],
        _brings(troupe, s[F.director + seat]),
    )
    phrase = words.say(
        "stars {stars}, favourite roles and wrong sexes at best {roles}, stage elements {elements}, director {director}",
        stars=values[0],
        roles=points(values[1]),
        elements=values[2],
        director=points(values[3]),
    )
    return _sum_line(values, phrase, right, y)


def _sum_line(values: Sequence[int], phrase: str, right: float, y: float) -> str:
    parts = [tag("title", phrase), write(str(sum(values)), right, y + 2, 19, cls="title bold", anchor="end")]
    x = right - 30
    for i, text in enumerate((points(values[3]), str(values[2]), points(values[1]), str(values[0]))):
        parts.append(write(text, x, y, 13, anchor="end"))
        x -= measure(text, 13) + 7
        if i < 2:
            parts.append(tag("path", d=(MEGAPHONE, DRESS)[i], cls="lit", transform=_at(x, y - 5, 0.61)))
        else:
            parts.append(_heart(x, y - 4.6, 0.75, "bad") if i == 2 else _star(x, y - 5, 0.72))
        x -= 11
    return tag("g", *parts)


def _fictitious_block(view: View, words: Words, y: float) -> str:
    """The troupe of nobody, with the roles it already sings."""
    s = view.row
    at = F.fictitious
    row = list(s)
    troupe = s[at : at + TROUPE]
    values = (stars(row, at), favourites(row, at) + wrong_sexes(row, at), 0, director_points(row, at, s[F.fictitious_director]))
    phrase = words.say(
        "stars {stars}, favourite roles and wrong sexes {roles}, director {director}",
        stars=values[0],
        roles=points(values[1]),
        director=points(values[3]),
    )
    return group(
        [
            _box(EDGE, y, INNER, BLOCK, "raised", 8),
            _mask(EDGE + 16, y + 15, 1.1, "gold"),
            write(words.say("Fictitious troupe"), EDGE + 30, y + 19, 15, cls="name bold", anchor="start"),
            *_row_of_cards(view, words, troupe, s[F.fictitious_director], EDGE + 3, y + 27),
            *_categories(words, troupe, EDGE + 8, y + 101),
            _sum_line(values, phrase, EDGE + INNER - 8, y + 105),
        ]
    )


# The directors.


def _directed(words: Words, number: int) -> str:
    """A director's card in words."""
    return words.say("{card}: {cards}", card=words.director(number), cards="; ".join(words.terms(number)))


def _directors(view: View, words: Words) -> Panel:
    """The directors in play, their terms drawn, and what each would bring to every troupe as it stands."""
    s = view.row
    hired = {s[F.director + seat]: seat for seat in range(s[F.seats]) if s[F.director + seat] != NONE}
    early = s[F.round] < DIRECTOR_ROUND
    if early:
        numbers = list(range(DIRECTORS))
    else:
        numbers = sorted(hired, key=lambda one: hired[one]) + (
            [s[F.fictitious_director]] if s[F.fictitious_director] != NONE else []
        )
    parts = _value_heads(view, words, EDGE + 24, 52)
    y = 67
    for number in numbers:
        parts.append(_director_row(view, words, number, y, hired))
        y += 56
    note = words.say("in the stack: {n}", n=sum(s[F.pool] >> one & 1 for one in range(DIRECTORS))) if early else ""
    height = y + 6
    return Panel(
        "directors",
        words.say("Directors"),
        WIDTH,
        height,
        group([_frame(height), *_heading(words.say("Directors"), note), *parts]),
    )


def _director_row(view: View, words: Words, number: int, y: float, hired: dict[int, Seat]) -> str:
    s = view.row
    early = s[F.round] < DIRECTOR_ROUND
    struck = early and not s[F.pool] >> number & 1
    inside = _director_line(view, words, number, y, struck=struck)
    if early and not struck:
        inside = [piece(f"director-{DIRECTOR_IDS[number]}", *inside, title=_directed(words, number))]
    else:
        inside = [tag("g", tag("title", _directed(words, number)), *inside, cls="dim" if struck else "")]
    if number in hired:
        inside.append(seat_mark(hired[number], EDGE + 37, y + 40, 21.6, words.letter(hired[number])))
    if ("card", SINGERS + number) in _moved(view):
        inside.append(_box(EDGE, y, INNER, 52, "trace", 8))
    return target(view, words, f"strike {DIRECTOR_IDS[number]}", _light(EDGE, y, INNER, 52), *inside, ask=True)


VALUE: Final = 25
"""How wide a column of the directors' points is."""


def _value_heads(view: View, words: Words, x: float, y: float) -> list[str]:
    """A seat's mark over each column."""
    seats = view.row[F.seats]
    left = WIDTH - EDGE - 6 - VALUE * seats
    parts = [write(words.say("would bring"), left - 6, y + 5, 12, cls="quiet", anchor="end", within=left - x)]
    return parts + [seat_mark(seat, left + VALUE * (seat + 0.5), y, 21.6, words.letter(seat)) for seat in range(seats)]


def _director_line(view: View, words: Words, number: int, y: float, *, struck: bool = False) -> list[str]:
    """A director: the sign, the name, what it would bring to each troupe, and the terms."""
    s, x, width = view.row, EDGE, INNER
    left = x + width - 6 - VALUE * s[F.seats]
    parts = [
        _box(x, y, width, 52, "raised", 8),
        _placed([_medallion(number, 42)], x + 24, y + 26),
        write(words.director(number), x + 50, y + 19, 14.5, cls="name", anchor="start", within=left - x - 54),
    ]
    for seat in range(s[F.seats]):
        value = _brings(_troupe(s, seat), number)
        cls = "good" if value > 0 else "bad" if value < 0 else "quiet"
        parts.append(write(points(value), left + VALUE * (seat + 0.5), y + 19, 14.5, cls=f"bold {cls}"))
    first, last = FIRST_TERM[number], FIRST_TERM[number + 1]
    stands = (NONE,) * (last - first)
    if view.seat is not None and not struck:
        own = list(_troupe(s, view.seat))
        stands = tuple(term_number(own, 0, term) for term in range(first, last))
    parts.append(_placed([_drawn_terms(number, stands)], x + 50, y + 26))
    if struck:
        parts.append(_line(x + 8, y + 26, x + width - 8, y + 26, "gone"))
    return parts


# The casting.


def _casting(view: View, words: Words) -> Panel:
    """A stage with six places; in the end, every troupe's casting."""
    s = view.row
    if s[F.asked] == NOTHING:
        return _castings(view, words)
    parts: list[str] = [
        *_drapes(310),
        _curtain(WIDTH),
        write(words.say("The roles are being cast."), EDGE + 16, 52, 18, cls="title", anchor="start", within=INNER - 30),
    ]
    y = 62
    best = [NONE] * TROUPE if view.seat is None else best_cast(s, view.seat)
    for role in range(TROUPE):
        parts.append(_stage_place(view, words, role, best[role], EDGE + 10 + role % 3 * 107, y + role // 3 * 122))
    y += 252
    if view.seat is not None:
        parts += _bench(view, words, view.seat, best, y)
        y += 244
    parts += _progress(view, words, y)
    height = y + 30
    return Panel("casting", words.say("Casting"), WIDTH, height, group([_frame(height), *parts]))


@cache
def _drapes(height: int) -> tuple[str, ...]:
    """The curtain drawn aside on either side of a stage."""
    left = f"M0 10H22Q12 {height * 0.5:g} 16 {height * 0.68:g}Q8 {height * 0.9:g} 18 {height}H0Z"
    fold = f"M8 10Q2 {height * 0.5:g} 8 {height * 0.68:g}Q2 {height * 0.9:g} 8 {height}H4Q0 {height * 0.6:g} 3 10Z"
    one = [
        tag("path", d=left, cls="drape"),
        tag("path", d=fold, cls="fold"),
        tag("path", d=f"M-.5 {height * 0.66:g}h18v7h-18Z", cls="gleam"),
    ]
    return group(one), tag("g", *one, transform=f"translate({WIDTH} 0) scale(-1 1)")


def _stage_place(view: View, words: Words, role: int, best: int, x: float, y: float) -> str:
    """A role with its light, and the reader's singer in it."""
    s, seat = view.row, view.seat
    one = s[F.casting + seat * TROUPE + role] if seat is not None else NONE
    parts = [
        tag("path", d="M44 0H68L104 112H8Z", cls="beam"),
        tag("ellipse", cx=56, cy=104, rx=46, ry=10, cls="beam"),
        write(f"{role + 1} {ROLES[role]}", 47, 14, 14, cls="name bold"),
        _sex(ROLE_SEX[role], 93, 9, 0.75, "litline"),
    ]
    if one != NONE:
        parts.append(
            piece(f"singer-{SINGER_IDS[one]}", _small_singer(one), title=_told(words, one), transform=_at(27, 22, 1.25))
        )
        parts.append(write(_surname(words, one), 56, 111, 12.5, cls="name", within=108))
        parts.append(_worth(one, role, 98, 40))
    else:
        parts.append(_box(27, 22, MINI * 1.25, SHORT * 1.25, "spent", 6))
        if seat is not None and role == s[F.assigned + seat]:
            parts.append(_box(25, 20, MINI * 1.25 + 4, SHORT * 1.25 + 4, "glory", 7))
            parts.append(write("?", 56, 70, 30, cls="title"))
    return group(parts, at=(x, y), data_hint=SINGER_IDS[best] if best != NONE else "")


def _surname(words: Words, number: int) -> str:
    """A name, or its last word where there is too little room."""
    name = words.singer(number).partition(" (")[0]
    return name.split()[-1] if measure(name, 12.5) > 104 else name


def _fit(one: int, role: int) -> int:
    """What a singer adds in a role, besides the stars."""
    return FIT[one * TROUPE + role]


def _worth(one: int, role: int, x: float, y: float) -> str:
    """What a singer's role brings, besides the stars."""
    value = _fit(one, role)
    cls = "good" if value > 0 else "bad" if value < 0 else "quiet"
    return group([_box(x - 13, y - 12, 26, 20, "capsule", 10), write(points(value), x, y + 3, 14, cls=f"bold {cls}")])


def _bench(view: View, words: Words, seat: Seat, best: Sequence[int], y: float) -> list[str]:
    """The reader's singers who have no role yet: each can be given the next one."""
    s = view.row
    role = s[F.assigned + seat]
    text = words.say("Who sings {role}?", role=ROLES[role]) if role < TROUPE else words.say("All your roles are cast.")
    cast = best[:role]
    now = stars(list(s), F.troupe + seat * TROUPE) + sum(_fit(one, i) for i, one in enumerate(cast))
    parts = [
        _line(EDGE, y, WIDTH - EDGE, y),
        write(text, EDGE + 2, y + 21, 16, cls="title", anchor="start", within=220),
        write(words.say("stars and roles: {n}", n=now), WIDTH - EDGE - 2, y + 21, 13, cls="bold", anchor="end", within=116),
    ]
    for slot, one in enumerate(_troupe(s, seat)):
        x, top = EDGE + slot % 3 * 114, y + 30 + slot // 3 * 106
        if one in cast:
            parts.append(_box(x + 1, top, 110, 102, "spent", 8))
            continue
        inside = [
            _light(x + 1, top, 110, 102),
            _box(x + 1, top, 110, 102, "raised", 8),
            piece(
                f"singer-{SINGER_IDS[one]}", _small_singer(one), title=_told(words, one), transform=_at(x + 27, top + 6, 1.25)
            ),
            write(_surname(words, one), x + 56, top + 96, 12.5, cls="name", within=106),
            _worth(one, role, x + 98, top + 24),
            _box(x + 4, top + 3, 104, 96, "hint", 6),
        ]
        parts.append(
            target(view, words, f"cast {SINGER_IDS[one]}", *inside, ask=True, data_hint="best" if one == best[role] else "")
        )
    return parts


def _progress(view: View, words: Words, y: float) -> list[str]:
    """How many roles each seat has cast."""
    s = view.row
    wide = INNER / s[F.seats]
    parts = []
    for seat in range(s[F.seats]):
        x = EDGE + wide * seat + wide / 2
        parts.append(seat_mark(seat, x - 20, y + 10, 21.6, words.letter(seat)))
        parts.append(write(f"{s[F.assigned + seat]} / {TROUPE}", x + 12, y + 15, 14, cls="bold"))
    return parts


def _castings(view: View, words: Words) -> Panel:
    """Every troupe in its roles, with what each role brought."""
    s, outcome = view.row, view.outcome
    assert outcome is not None
    y = 44
    parts: list[str] = _heading(words.say("Casting"))
    order = sorted(range(s[F.seats]), key=lambda seat: (seat not in outcome.winners, -outcome.scores[seat], seat))
    for seat in order:
        at = F.cast + seat * TROUPE
        mark = seat_mark(seat, EDGE + 15, y + 14, 17)
        parts.append(
            _cast_block(
                view,
                words,
                s[at : at + TROUPE],
                s[F.director + seat],
                y,
                mark,
                _owner(view, words, seat, EDGE + 30, y + 19),
                outcome.scores[seat],
            )
        )
        y += 130
    if s[F.seats] == 2:
        name = write(words.say("Fictitious troupe"), EDGE + 30, y + 19, 15, cls="name bold", anchor="start")
        mark = _mask(EDGE + 16, y + 15, 1.1, "gold")
        parts.append(
            _cast_block(
                view,
                words,
                s[F.fictitious : F.fictitious + TROUPE],
                s[F.fictitious_director],
                y,
                mark,
                [name],
                fictitious_total(list(s)),
            )
        )
        y += 130
    return Panel("casting", words.say("Casting"), WIDTH, y + 2, group([_frame(y + 2), *parts]))


def _cast_block(
    view: View, words: Words, cast: Sequence[int], number: int, y: float, mark: str, owner: list[str], total: int
) -> str:
    parts = [
        _box(EDGE, y, INNER, 124, "raised", 8),
        mark,
        *owner,
        write(str(total), EDGE + INNER - 10, y + 21, 20, cls="title bold", anchor="end"),
        *_row_of_cards(view, words, cast, number, EDGE + 3, y + 42),
        write(points(_brings(cast, number)), EDGE + INNER - 25, y + 118, 14, cls="bold"),
    ]
    for role, one in enumerate(cast):
        x = EDGE + 3 + role * (MINI + 2) + MINI / 2
        parts.append(write(ROLES[role], x, y + 38, 12, cls="quiet"))
        if one != NONE and _fit(one, role):
            value = _fit(one, role)
            parts.append(write(points(value), x, y + 118, 14, cls=f"bold {'good' if value > 0 else 'bad'}"))
    return group(parts)


# The score.


def _score(view: View, words: Words) -> Panel:
    """Who won, and every part of every score."""
    s, outcome = view.row, view.outcome
    assert outcome is not None
    seats = s[F.seats]
    fictitious = seats == 2 and s[F.asked] == NOTHING
    winners = words.listed([words.player(seat) for seat in outcome.winners])
    title = words.say("Won by: {who}.", who=winners) if winners else words.say("Nobody wins.")
    parts: list[str] = [_curtain(WIDTH), write(title, WIDTH / 2, 56, 20, cls="title bold", within=INNER)]
    y = 64.0
    for line in (wrap(words.say(line.meaning), INNER - 20, 13) for line in ENDINGS if line.name == outcome.ending):
        for text in line:
            y += 15
            parts.append(write(text, WIDTH / 2, y, 13, cls="quiet"))
    y += 14
    columns = seats + fictitious
    label = 122
    wide = (INNER - label) / columns
    for seat in range(seats):
        x = EDGE + label + wide * (seat + 0.5)
        if seat in outcome.winners:
            parts += _laurel(x, y + 18)
        parts.append(seat_mark(seat, x, y + 18, 22, words.letter(seat)))
    if fictitious:
        parts.append(_mask(EDGE + label + wide * (seats + 0.5), y + 18, 1.5, "gold"))
    y += 44
    rows = [
        (_part_name(words, name), [part[name] for part in outcome.parts], [extra])
        for name, extra in _parts(words, s, fictitious)
    ]
    for i, (text, values, extra) in enumerate(rows):
        if i % 2 == 0:
            parts.append(_box(EDGE, y, INNER, 26, "plate", 5))
        parts.append(write(text, EDGE + 6, y + 18, 14, anchor="start", within=label - 8))
        for column, value in enumerate([*values, *(extra if fictitious else [])]):
            text = "" if value is None else str(value) if i == 0 else points(value)
            cls = "bad" if value is not None and value < 0 else ""
            parts.append(write(text, EDGE + label + wide * (column + 0.5), y + 18, 15, cls=cls))
        y += 26
    parts.append(_line(EDGE, y + 2, WIDTH - EDGE, y + 2, "goldline"))
    parts.append(write(words.say("the total"), EDGE + 6, y + 28, 16, cls="title bold", anchor="start"))
    totals = [*outcome.scores, *([fictitious_total(list(s))] if fictitious else [])]
    for column, value in enumerate(totals):
        parts.append(write(str(value), EDGE + label + wide * (column + 0.5), y + 30, 22, cls="title bold"))
    height = round(y + 46)
    return Panel("score", words.say("The score"), WIDTH, height, group([_frame(height), *parts]))


def _laurel(x: float, y: float) -> list[str]:
    """A wreath around a winner's mark."""
    return [
        tag(
            "ellipse",
            cx=0,
            cy=0,
            rx=5.5,
            ry=2.4,
            cls="gold",
            transform=f"translate({x + side * 19 * sin(a):.1f} {y - 19 * cos(a):.1f}) rotate({side * (a * 180 / pi + 20):.0f})",
        )
        for side in (-1, 1)
        for a in (0.75, 1.2, 1.65, 2.1, 2.55)
    ]


def _parts(words: Words, s: Sequence[int], fictitious: bool) -> list[tuple[str, int | None]]:
    """The parts of a score that can occur, each with the fictitious troupe's."""
    found = words.rivals(s)[0].parts if fictitious else {}
    return [(part.name, found.get(part.name)) for part in PARTS if part.seats in (0, s[F.seats])]


def _part_name(words: Words, name: str) -> str:
    names = {
        "stars": words.say("stars"),
        "favourites": words.say("favourite roles"),
        "wrong": words.say("wrong sexes"),
        "elements": words.say("stage elements"),
        "director": words.say("director"),
        "puccini": "Puccini",
    }
    return names[name]
