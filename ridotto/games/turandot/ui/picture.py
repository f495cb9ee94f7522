"""A view of Turandot drawn as SVG: the panels of the table and what lies on them, from the view's own row.

A singer's portrait is drawn after the traits on the card, so that the singers of another box have faces, too: the
costume and the colour behind it tell the category, the light around the head the stars.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from math import cos, pi, sin
from typing import Final, NamedTuple

from ridotto.core.view import Seen, View
from ridotto.engine.fields import Seat
from ridotto.games.turandot.ai.bot import FIT, best_column, weigh_casting
from ridotto.games.turandot.components import (
    AT_LEAST,
    CATEGORIES,
    CATEGORY,
    CATEGORY_IDS,
    DIRECTOR_IDS,
    DIRECTOR_ROUND,
    DIRECTORS,
    FAVOURITE,
    FEWER_THAN,
    FIRST_TERM,
    MONEY,
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
    ENDINGS,
    FEMALE,
    NONE,
    NOTHING,
    PARTS,
    ROUNDS,
    SEATS,
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
from ridotto.games.turandot.ui.words import HELPERS, ROLES, Words, points
from ridotto.present.narrator import mark
from ridotto.present.scene import Item, Layer, Move
from ridotto.present.svg import SIDES, Panel, group, measure, seat_mark, shape, tag, wrap, write

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


_panel: Final = lru_cache(maxsize=1024)(Panel)
"""The same panel comes with every action."""


# The layers of the picture. The order of the panels is their order on a phone, the most important first.


def board(view: View, words: Words) -> dict[str, str]:
    """The frame and the heading of the troupes. The other panels change their height, and what lies on them their frame."""
    heading = _heading(words.say("The troupes"), words.say("points as they stand"))
    return {"troupes": group([_frame_of(_troupes_height(view.seats)), heading])}


def kept_looks(words: Words) -> list[str]:
    """What comes again and again: cards, what is laid and what became of it, and the numbers beside them."""
    found = [look for number in range(SINGERS) for look in (_singer_card(words, number), _small_singer(number))]
    found += [_category("", number, count, "").look for number in range(CATEGORIES) for count in range(TROUPE + 1)]
    found += [_laid(choice) for choice in range(A.give)]
    found += [_role_on_offer(position, has_card).look for position in range(TROUPE) for has_card in (False, True)]
    found += [helper_token(number) for number in range(len(HELPER_KEYS))]
    found += [_rounds(_round_text(words, number), number) for number in range(1, ROUNDS + 1)]
    found += [_pile(left) for left in range(SINGERS + 1)]
    for seats in range(SEATS[0], SEATS[1] + 1):
        hands = *_cards_in_hand(seats, MONEY, NONE, 0), *_cards_to_lay(words, seats, MONEY, (0,) * (seats + 1))
        found += [item.look for item in hands]
        wide, results = _place_wide(seats), [result_text(words, result) for result in (WINS, OUTBID, TIED, IN_VAIN, HIRES)]
        states = [*results, *((text, "quiet dim") for text, _ in results), _owes_text(words), _face_down_text(words)]
        found += [_status_look(text, cls, wide) for text, cls in states]
        found += [_edge(wide, cls) for cls in ("clash", "glory", "trace")]
    for seat, person in enumerate(_people(words, SEATS[1])):
        found.append(_mark(seat, 36, person.letter))
        found += [pill(seat, value) for value in range(-TROUPE, 2 * TROUPE + 1)]
    titles = words.say("Your hand"), words.say("What will you lay?")
    return found + [_hand_heading(words, title, money) for title in titles for money in range(MONEY + 1)]


def shared(view: View, words: Words) -> Layer:
    """The panels of this phase of the match."""
    asked, moved = view.row[F.asked], _moved(view)
    layers = [_score(view, words)] if view.is_played_out else []
    if asked == NOTHING:
        layers.append(_castings(view, words))
    else:
        layers.append(_casting(view, words) if asked == CAST else _audition(view, words, moved))
        layers.append(_troupes(view, words, moved))
    if asked >= CAST or view.row[F.round] != DIRECTOR_ROUND:
        layers.append(_directors(view, words, moved))
    return Layer([panel for layer in layers for panel in layer.panels], [item for layer in layers for item in layer.items])


def own(view: View, words: Words) -> Layer:
    """The reader's hand, cards face down and casting, what cards and directors mean to the reader, and who "you" are."""
    asked = view.row[F.asked]
    panels: list[Panel] = []
    items = _standings(view)
    if asked == CAST:
        casting = _own_casting(view, words)
        panels += casting.panels
        items += casting.items
    elif asked != NOTHING:
        audition = _own_audition(view, words)
        panels += audition.panels
        items += audition.items
        if view.outcome is None:
            hand = _hand(view, words)
            panels += hand.panels
            items += hand.items
    return Layer(panels, items + _own_troupe(view, words))


def moves(view: View, seen: Sequence[Seen]) -> list[Move]:
    """Singers come from the pile, the reader's cards from the hand, and a money card becomes a stage element."""
    found: list[Move] = []
    for one in seen:
        name, values = one.event.name, one.values
        if name == "undone":
            found.clear()
        elif name == "presents":
            found.append(Move("pile", f"singer-{SINGER_IDS[values['card']]}"))
        elif name == "lays" and values["seat"] == view.seat:
            found.append(Move(_laid_from(values["choice"]), f"laid-{view.seat}"))
        elif name == "hires":
            seat = values["seat"]
            start, end = MONEY - view.row[F.money + seat] - 1, view.row[F.elements + seat] - 1
            if start != end:
                found.append(Move(f"money-{seat}-{start}", f"money-{seat}-{end}"))
    return found


def _laid_from(choice: int) -> str:
    """The card of the hand from whose place a choice is laid."""
    return f"number-{position_of(choice)}" if is_bid(choice) else "coin-0"


def preview(view: View, words: Words, action: int) -> dict[str, Sequence[Item]]:
    """Nothing: what becomes of cards that are laid depends on the others."""
    return {}


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


# What is written in one language, and who sits where.


@dataclass(frozen=True, eq=False)
class Texts:
    """What the cards are in words, in one language. There is one for each, so that it serves as a key of what is cached."""

    words: Words
    """Without names of players."""
    singers: tuple[str, ...]
    directors: tuple[str, ...]
    cards: tuple[str, ...]
    """The singers' cards, drawn."""
    director_names: tuple[str, ...]
    categories: tuple[str, ...]
    money: tuple[str, str]
    """A money card, and a stage element."""


@lru_cache(maxsize=4096)
def _texts(words: Words) -> Texts:
    return _texts_of(words.nameless())


@cache
def _texts_of(words: Words) -> Texts:
    directors = [
        words.say("{card}: {cards}", card=words.director(number), cards="; ".join(words.terms(number)))
        for number in range(DIRECTORS)
    ]
    return Texts(
        words,
        tuple(f"{words.singer(number)}, {words.traits(number)}" for number in range(SINGERS)),
        tuple(directors),
        tuple(_singer_card(words, number) for number in range(SINGERS)),
        tuple(words.director(number) for number in range(DIRECTORS)),
        tuple(words.category(number) for number in range(CATEGORIES)),
        (words.say("a money card"), words.say("a stage element")),
    )


class Person(NamedTuple):
    """A player: as a drawing calls them."""

    name: str
    letter: str
    is_named: bool
    """Whether the name is their own, not what the game calls the seat."""


@lru_cache(maxsize=4096)
def _people(words: Words, seats: int) -> tuple[Person, ...]:
    return tuple(Person(words.player(seat), words.letter(seat), bool(words.narrator.name(seat, ""))) for seat in range(seats))


# What follows from a row.


def _troupe(s: Sequence[int], seat: Seat) -> tuple[int, ...]:
    """The six places of a seat's troupe."""
    return tuple(s[F.troupe + seat * TROUPE : F.troupe + (seat + 1) * TROUPE])


@lru_cache(maxsize=16384)
def _best_sums(troupe: tuple[int, ...]) -> dict[int, int]:
    """Favourite roles less wrong sexes for every set of roles that the singers of a troupe can sing, cast in the best way.

    A troupe grows at its end: what was worked out for the others is used again. (The bot's `best_casting` is written to be
    compiled; interpreted it takes several times as long.)
    """
    if not troupe:
        return {0: 0}
    *others, one = troupe
    before = _best_sums(tuple(others))
    if one == NONE:
        return before
    found: dict[int, int] = {}
    for role, more in enumerate(FIT[one * TROUPE : (one + 1) * TROUPE]):
        bit = 1 << role
        for roles, sum_ in before.items():
            if not roles & bit and sum_ + more > found.get(roles | bit, -TROUPE - 1):
                found[roles | bit] = sum_ + more
    return found


@lru_cache(maxsize=16384)
def _best_roles(troupe: tuple[int, ...]) -> int:
    """Favourite roles less wrong sexes in the best casting of a troupe."""
    return max(_best_sums(troupe).values())


@lru_cache(maxsize=16384)
def _brings(troupe: tuple[int, ...], number: int) -> int:
    """What a director gives or takes for a troupe as it stands."""
    return director_points(list(troupe), 0, number)


def _adds(troupe: tuple[int, ...], director: int, card: int) -> int:
    """What a singer would add to the points of a troupe, with the roles cast in the best way."""
    place = troupe.index(NONE)
    grown = (*troupe[:place], card, *troupe[place + 1 :])
    more = STARS[card] + _best_roles(grown) - _best_roles(troupe)
    return more + _brings(grown, director) - _brings(troupe, director)


def best_cast(s: Sequence[int], seat: Seat) -> tuple[int, ...]:
    """A best casting, role by role, that keeps the roles a seat has cast already; for whoever asks for a hint."""
    at = F.casting + seat * TROUPE
    return _best_cast(_troupe(s, seat), tuple(s[at : at + s[F.assigned + seat]]))


@lru_cache(maxsize=4096)
def _best_cast(troupe: tuple[int, ...], cast: tuple[int, ...]) -> tuple[int, ...]:
    x = [0] * 192
    weigh_casting(list(troupe), 0, x)
    found = [*cast]
    free = sum(1 << slot for slot in range(TROUPE) if troupe[slot] not in cast)
    for role in range(len(cast), TROUPE):
        slot = best_column(x, free, role)
        free &= ~(1 << slot)
        found.append(troupe[slot])
    return tuple(found)


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


def _in_effect(view: View) -> Iterator[Seen]:
    """What the reader has seen, the latest first, without what was taken back."""
    last = view.ply
    for one in reversed(view.seen):
        if one.ply <= last:
            if one.event.name == "undone":
                last = one.values["ply"]
            else:
                yield one


def _last_reveal(view: View) -> tuple[dict[Seat, int], Seat] | None:
    """What was laid in the last audition and who had Puccini, if the reader has seen it."""
    choices: dict[Seat, int] = {}
    ply = first = NONE
    for one in _in_effect(view):
        if choices and one.ply != ply:
            break
        if one.event.name == "reveals":
            ply, first = one.ply, one.values["seat"]
            choices[first] = one.values["choice"]
    return (choices, first) if choices else None


def _takers(view: View) -> dict[int, Seat]:
    """Who got the cards of this round, by the positions where they lay, as far as the reader has seen it."""
    found: dict[int, Seat] = {}
    for one in _in_effect(view):
        if one.event.name == "opens":
            break
        if one.event.name in ("recruits", "overbids", "gives"):
            found[one.values["position"]] = one.values["seat"]
    return found


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
    if first.which is not None and first.which.trait == "favourite":
        first = replace(first, which=Filter("favourite", ("any",)))
    parts = [tag("circle", cx=0, cy=0, r=20, cls="back"), tag("circle", cx=0, cy=0, r=17, cls="gleamline")]
    sign, wide = _counted(first, 0, 0, 1.3, "gleam", "gleamline")
    more = max(0, wide - 23)  # What comes after the first sign, where a term counts several kinds.
    scale = 30 / wide if more else 1
    parts.append(_placed([sign], -more / 2 * scale, 0, scale) if more else sign)
    return _placed(parts, 0, 0, size / 40)


def _counted(term: Term, x: float, y: float, scale: float, cls: str, line: str) -> tuple[str, float]:
    """The sign of what a term goes by, and how wide it is."""
    if term.which is not None:
        return _filter_sign(term.which, x, y, scale, cls, line)
    return _table_sign(term, x, y, scale, cls, line), 17 * scale


def _table_sign(term: Term, x: float, y: float, scale: float, cls: str, line: str) -> str:
    """The sign of the number that a table goes by."""
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


TERMS_WIDTH: Final = INNER - 57


@cache
def _drawn_terms(number: int) -> str:
    """What a director gives and takes, drawn in a line 22 high."""
    widths, scale = _term_widths(number)
    parts, x = [], 0.0
    for term, wide in zip(TERMS[number], widths, strict=True):
        drawn = _drawn_table(term, wide) if term.which is None else _drawn_term(term)[0]
        parts.append(_placed(drawn, x, 0))
        x += wide + 4
    return _fitted(parts, scale)


@cache
def _term_widths(number: int) -> tuple[list[float], float]:
    """How wide each term of a director is drawn, and by how much all of them are made smaller where the line is too short."""
    alone = len(TERMS[number]) == 1
    widths = [
        _drawn_term(term)[1] if term.which is not None else TERMS_WIDTH if alone else 44.0 * len(_runs(term))
        for term in TERMS[number]
    ]
    return widths, min(1, TERMS_WIDTH / (sum(widths) + 4 * len(widths) - 4))


def _fitted(parts: list[str], scale: float) -> str:
    """The terms of a director, made smaller about the middle of their line where they would not fit."""
    return group(parts) if scale == 1 else _placed(parts, 0, 11 - 11 * scale, scale)


@cache
def _drawn_term(term: Term) -> tuple[list[str], float]:
    """What a term gives or takes for the singers that it counts, and how wide it is."""
    assert term.which is not None
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
    return [_box(0, 0, at, 22, "capsule", 11), *inside], at


def _runs(term: Term) -> list[list[int]]:
    """The numbers of a table, those of equal points together."""
    runs: list[list[int]] = []
    for number in range(0 if STATISTICS[term.statistic] == "women" else 1, TROUPE + 1):
        if runs and term.values[runs[-1][0]] == term.values[number]:
            runs[-1].append(number)
        else:
            runs.append([number])
    return runs


def _drawn_table(term: Term, wide: float) -> list[str]:
    """A table as a row of steps: the number in small, the points it gives."""
    parts = []
    runs = _runs(term)
    each = (wide + 3) / len(runs)
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
    return parts


@cache
def _here(number: int, stands: tuple[int, ...]) -> str:
    """Where a troupe stands in a director's tables; "" if the director has none, or the troupe is nowhere in them."""
    widths, scale = _term_widths(number)
    parts, x = [], 0.0
    for term, wide, stand in zip(TERMS[number], widths, stands, strict=True):
        runs = _runs(term) if term.which is None else []
        each = (wide + 3) / max(1, len(runs))
        parts += [_box(x + each * i, 0, each - 3, 22, "here", 4) for i, run in enumerate(runs) if stand in run]
        x += wide + 4
    return _fitted(parts, scale) if parts else ""


def _number_card(number: int, x: float, y: float, scale: float = 1.0) -> str:
    parts = [_box(-12, -17, 24, 34, "card", 4), write(str(number), 0, 8, 22, cls="name oncard bold")]
    return _placed(parts, x, y, scale)


def _money_card(x: float, y: float, scale: float = 1.0) -> str:
    parts = [_box(-8, -11, 16, 22, "coin", 3), _star(0, 0, 0.78, "oncoin")]
    return _placed(parts, x, y, scale)


def _bluff_card(x: float, y: float, scale: float = 1.0) -> str:
    return _placed([_box(-11, -14, 22, 28, "card", 4), _mask(0, 0, 1.05)], x, y, scale)


def card_back(seat: Seat, x: float, y: float) -> str:
    inside = [
        _box(-12, -17, 24, 34, "back", 4),
        _box(-9, -14, 18, 28, "gleamline", 2),
        tag("circle", cx=0, cy=0, r=8, cls="room"),
        shape(SIDES[seat], 0, 0, 9, cls=f"seat{seat}"),
    ]
    return _placed(inside, x, y)


@cache
def _laid(choice: int) -> str:
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
    return group(parts)


def laid_cards(choice: int, x: float, y: float) -> str:
    """What a seat has laid, face up, its middle at a place."""
    return _placed([_laid(choice)], x, y)


@lru_cache(maxsize=4096)
def _mark(seat: Seat, size: float, letter: str = "") -> str:
    return seat_mark(seat, 0, 0, size, letter)


# What every panel has.


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


CURTAIN: Final = _curtain(WIDTH)


def _frame_of(height: int) -> str:
    return _box(0.5, 0.5, WIDTH - 1, height - 1, "panel", 10)


@cache
def _frame(panel: str, height: int) -> Item:
    """The edge of a panel whose height changes."""
    return Item(f"{panel}-frame", panel, _frame_of(height))


@lru_cache(maxsize=1024)
def _heading(text: str, note: str = "") -> str:
    """The title of a panel, and a quiet word on the right."""
    free = INNER - measure(text, 18) - 12
    parts = [write(text, EDGE + 2, 27, 18, cls="title", anchor="start", within=INNER)]
    if note:
        parts.append(write(note, WIDTH - EDGE - 2, 26, 14, cls="quiet", anchor="end", within=free))
    return group([*parts, _line(EDGE, 37, WIDTH - EDGE, 37)])


# The audition.


def _audition(view: View, words: Words, moved: Set[tuple[str, int]]) -> Layer:
    """The cards under the roles, who can be hired, and what lies before each seat."""
    s = view.row
    shown = {seat: s[F.shown + seat] for seat in range(view.seats) if s[F.shown + seat] >= 0}
    before: dict[Seat, int] = {}
    first, directing = s[F.puccini], s[F.round] == DIRECTOR_ROUND
    if not shown and (last := _last_reveal(view)) is not None:
        before, first = last
        directing = s[F.round] == DIRECTOR_ROUND + 1
    results = audition_results(s, shown or before, first, directing) if shown or before else {}
    items = [
        _frame("audition", _audition_height(s, weighs=_weighs(s))),
        Item("curtain", "audition", CURTAIN),
        Item("round", "audition", _rounds(_round_text(words, s[F.round]), s[F.round])),
    ]
    if s[F.round] == DIRECTOR_ROUND:
        items += _directors_on_offer(view, words)
    else:
        items += _singers_on_offer(view, words)
        items += _wings(words, s, [result - HIRES for result in results.values() if shown and result >= HIRES])
    if _weighs(s):
        items += _weighing(view, words, next_lacking(list(s)))
    people = _people(words, view.seats)
    for seat in range(view.seats):
        items += _place(
            view, words, seat, people[seat], results.get(seat, NONE), before.get(seat, NONE), ("laid", seat) in moved
        )
    if s[F.blind]:
        items.append(_blind(s, words, weighs=_weighs(s)))
    return Layer([_audition_panel(s, words, weighs=_weighs(s))], items)


def _own_audition(view: View, words: Words) -> Layer:
    """What the cards would add for the reader, and what the reader has laid."""
    s, seat = view.row, view.seat
    assert seat is not None
    weighs = s[F.round] != DIRECTOR_ROUND and s[F.asked] == AUDITION
    gives, lacks = gives_several(view), s[F.lacking] >> seat & 1
    items = [] if gives and lacks else [_place_item(s, seat, _people(words, view.seats)[seat], is_reader=True)]
    if weighs:
        items.append(_frame("audition", _audition_height(s, weighs=True)))
        if s[F.blind]:
            items.append(_blind(s, words, weighs=True))
    weighs = weighs or _weighs(s)
    if weighs and (s[F.asked] == AUDITION or next_lacking(list(s)) == seat):
        items += _weighing(view, words, seat)
    if s[F.pending + seat] >= 0:
        items += _face_down(s, words, seat)
    if _lays(s, seat):
        items += _parts_on_offer(view, words)
    elif gives:
        items += _parts_to_give(view, words)
    return Layer([_audition_panel(s, words, weighs=weighs)], items)


def gives_several(view: View) -> bool:
    """Whether the reader gives cards to several, in whatever order."""
    return bool(view.legal and view.row[F.asked] == UNDERSTUDY and view.row[F.lacking].bit_count() > 1)


def _parts_to_give(view: View, words: Words) -> Iterator[Item]:
    """Those who lack a card, and the cards: either is touched first. A card that is promised has its taker's mark."""
    s, people, directing = view.row, _people(words, view.seats), view.row[F.round] == DIRECTOR_ROUND
    promised = {int(one.split()[2]) - 1: int(one.split()[1]) for one in view.noted}
    for seat in range(view.seats):
        if s[F.lacking] >> seat & 1:
            place = _place_item(s, seat, people[seat], is_reader=seat == view.seat)
            light = _light(0, 0, _place_wide(view.seats), 102)
            label = words.say("you") if seat == words.spoken_to(view.seat) else people[seat].name
            yield place._replace(look=light + place.look, part=f"about={seat}", label=label)
    for position in range(view.seats + 1):
        card = s[F.offer + position]
        if position in promised:
            taker = promised[position]
            x, y = (WIDTH / 2 - EDGE, 26) if directing else (CARD / 2, 98)
            yield Item(f"taken-{position}", f"offer-{position}", _mark(taker, 36, people[taker].letter), x, y)
        elif card != NONE:
            item = _number_on_offer(position, True) if directing else _role_on_offer(position, True)
            yield item._replace(action=-1, ask=False, part=f"choice={position + 1}", label=words.card(card))


def _parts_on_offer(view: View, words: Words) -> tuple[Item, ...]:
    """The cards on offer, for whoever bids for one; whoever can be hired, for money alone."""
    s, directing = view.row, view.row[F.round] == DIRECTOR_ROUND
    may_hire = not directing and any(action >= A.money for action in view.legal)
    return _parts_of_bid(words.nameless(), tuple(s[F.offer : F.offer + view.seats + 1]), directing, may_hire)


@lru_cache(maxsize=1024)
def _parts_of_bid(words: Words, offer: tuple[int, ...], directing: bool, may_hire: bool) -> tuple[Item, ...]:
    items = []
    for position, card in enumerate(offer):
        item = _number_on_offer(position, True) if directing else _role_on_offer(position, True)
        label = words.say("number {number}: {card}", number=position + 1, card=words.card(card))
        items.append(item._replace(action=-1, ask=False, part=part(position + 1), label=label))
    for number, place in enumerate(_wing_places(len(offer) - 1)[:-1] if may_hire else ()):
        helper = _helper(words, number, "audition", *place[:3])
        light = tag("circle", r=22, cls="halo")
        items.append(helper._replace(look=light + helper.look, part=part(0), label=words.say("money alone")))
    return tuple(items)


def _weighs(s: Sequence[int]) -> bool:
    """Whether everybody sees what the cards would add for whoever is given one now."""
    return bool(s[F.asked] == UNDERSTUDY and s[F.round] != DIRECTOR_ROUND)


def _audition_panel(s: Sequence[int], words: Words, *, weighs: bool) -> Panel:
    return _panel("audition", words.say("The audition"), WIDTH, _audition_height(s, weighs=weighs))


def _audition_height(s: Sequence[int], *, weighs: bool) -> int:
    return _places_y(s) + 112 + 18 * weighs + (18 if s[F.blind] else 0)


def _places_y(s: Sequence[int]) -> int:
    """Where the places of the seats begin, below what is on offer."""
    cards: int = s[F.seats] + 1
    if s[F.round] == DIRECTOR_ROUND:
        return 90 + 56 * cards
    return 64 + (cards + 2) // 3 * (TALL + 32) + (46 if cards % 3 == 0 else 0)


def _round_text(words: Words, number: int) -> str:
    return words.say("Round {round} of {last}", round=number, last=ROUNDS)


@lru_cache(maxsize=64)
def _rounds(text: str, round_: int) -> str:
    """Which round it is, and a light for each."""
    parts = [write(text, EDGE + 2, 52, 19, cls="title", anchor="start", within=150)]
    for number in range(1, ROUNDS + 1):
        x, y = WIDTH - EDGE - 8 - 18 * (ROUNDS - number), 46
        cls = "gold" if number <= round_ else "goldline"
        parts.append(shape(-4 if number == DIRECTOR_ROUND else 0, x, y, 12 if number == DIRECTOR_ROUND else 9, cls=cls))
        if number == round_:
            parts.append(tag("circle", cx=x, cy=y, r=8.5, cls="glory"))
    return group(parts)


def _blind(s: Sequence[int], words: Words, *, weighs: bool) -> Item:
    y = _places_y(s) + 112 + 18 * weighs
    return Item("blind", "audition", _blind_note(words.say("blind auditions")), EDGE, y)


@cache
def _blind_note(text: str) -> str:
    note = write(text, 37, 7.5, 13, cls="quiet", anchor="start", within=INNER - 40)
    return group([_mask(16, 3, 1, "quiet"), note])


# The cards under the roles.


def _singers_on_offer(view: View, words: Words) -> list[Item]:
    """The roles with their numbers, and a singer under each."""
    s, texts = view.row, _texts(words)
    takers = _takers(view) if NONE in s[F.offer : F.offer + view.seats + 1] else {}
    items = []
    for position in range(view.seats + 1):
        card = s[F.offer + position]
        items.append(_role_on_offer(position, card != NONE))
        if card != NONE:
            items.append(_singer_on_offer(position, card, texts.cards[card], texts.singers[card]))
        elif position in takers:
            taker = takers[position]
            mark = _mark(taker, 36, _people(words, view.seats)[taker].letter)
            items.append(Item(f"taken-{position}", f"offer-{position}", mark, CARD / 2, 98, cls="dim"))
    return items


@cache
def _role_on_offer(position: int, has_card: bool) -> Item:
    """A role with its number, and the place for a card."""
    parts = [
        tag("circle", cx=12, cy=11, r=11, cls="gold"),
        write(str(position + 1), 12, 17, 17, cls="name oncoin bold"),
        write(ROLES[position], 28, 16.5, 14, cls="name quiet", anchor="start"),
        _light(0, 24, CARD, TALL) if has_card else _box(0, 24, CARD, TALL, "pit", 8),
    ]
    x, y = EDGE + position % 3 * (CARD + 5), 64 + position // 3 * (TALL + 32)
    return Item(f"offer-{position}", "audition", group(parts), x, y, action=A.give + position if has_card else -1, ask=has_card)


@cache
def _singer_on_offer(position: int, card: int, look: str, title: str) -> Item:
    return Item(f"singer-{SINGER_IDS[card]}", f"offer-{position}", look, 0, 24, title=title)


def _weighing(view: View, words: Words, taker: Seat) -> tuple[Item, ...]:
    """What each card would add to the points of a seat, and a line that says so."""
    s = view.row
    if taker == words.spoken_to(view.seat):
        text = words.say("what the card would add to your points now")
    else:
        text = words.say("what the card would add for {who} now", who=words.player(taker))
    whose = "" if _weighs(s) else "own-"  # what everybody sees and what one seat sees are not the same thing
    offer = tuple(s[F.offer : F.offer + view.seats + 1])
    return _weighed(whose, taker, text, offer, _troupe(s, taker), s[F.director + taker], _places_y(s) + 112)


@lru_cache(maxsize=4096)
def _weighed(
    whose: str, taker: Seat, text: str, offer: tuple[int, ...], troupe: tuple[int, ...], director: int, y: int
) -> tuple[Item, ...]:
    items = [Item(f"{whose}legend", "audition", _legend(taker, text), EDGE, y)]
    for position, card in enumerate(offer):
        if card != NONE:
            look = pill(taker, _adds(troupe, director, card))
            items.append(Item(f"{whose}pill-{position}", f"singer-{SINGER_IDS[card]}", look, CARD - 22, 62, title=text))
    return tuple(items)


@lru_cache(maxsize=1024)
def _legend(taker: Seat, text: str) -> str:
    parts = [
        _box(2, -5, 28, 16, f"seat{taker}", 8),
        write(text, 37, 7.5, 13, cls="quiet", anchor="start", within=INNER - 40),
        write("+", 16, 8, 14, cls="onseat"),
    ]
    return group(parts)


@cache
def pill(seat: Seat, value: int) -> str:
    """What a card would add to a seat's points."""
    return group([_box(-17, -10, 34, 20, f"seat{seat}", 10), write(points(value), 0, 5.5, 15, cls="onseat")])


def _directors_on_offer(view: View, words: Words) -> list[Item]:
    """In the fourth round a director lies under each number."""
    s = view.row
    texts, people = _texts(words), _people(words, view.seats)
    takers = _takers(view) if NONE in s[F.offer : F.offer + view.seats + 1] else {}
    items = [_value_heads(words, view.seats, "audition", 72)]
    there = []
    for position in range(view.seats + 1):
        number = s[F.offer + position] - SINGERS
        items.append(_number_on_offer(position, number >= 0))
        if number >= 0:
            there.append(number)
            items.append(_director_line(texts, "director", number, f"offer-{position}", view.seats))
        elif position in takers:
            taker = takers[position]
            mark = _mark(taker, 26, people[taker].letter)
            items.append(Item(f"taken-{position}", f"offer-{position}", mark, WIDTH / 2 - EDGE, 26, cls="dim"))
        items.append(_badge(position))
    return items + _values(s, "director", there)


@cache
def _number_on_offer(position: int, has_card: bool) -> Item:
    """The place for a director."""
    look = _light(0, 0, INNER, 52) if has_card else _box(0, 0, INNER, 52, "pit", 8)
    action = A.give + position if has_card else -1
    return Item(f"offer-{position}", "audition", look, EDGE, 86 + 56 * position, action=action, ask=has_card)


@cache
def _badge(position: int) -> Item:
    parts = [tag("circle", cx=9, cy=10, r=11, cls="gold"), write(str(position + 1), 9, 16, 17, cls="name oncoin bold")]
    return Item(f"badge-{position}", f"offer-{position}", group(parts))


# Who can be hired, and the pile.

HELPER_KEYS: Final = ("dressmaker", "carpenter")


class Wing(NamedTuple):
    """A place in the wings: where something stands, and where a word about it is written."""

    x: float
    y: float
    scale: float
    text_x: float
    text_y: float
    """The middle of its lines, or the first one where they are written below."""
    text_width: float
    is_below: bool


@cache
def _wing_places(seats: int) -> tuple[Wing, ...]:
    """Beside the cards, where no card lies; if there is no such place, in a row of their own."""
    number = (1 if seats <= 3 else 2) + 1
    rows, last = divmod(seats + 1, 3)
    x, y = EDGE + last * (CARD + 5), 64 + rows * (TALL + 32) + (24 if last else 0)
    wide = WIDTH - EDGE - x
    if not last:
        each = INNER / number
        return tuple(Wing(x + each * i + 22, y + 18, 0.8, x + each * i + 42, y + 22, each - 44, False) for i in range(number))
    if wide > 150:
        middles = (x + wide * (0.27 if i % 2 == 0 else 0.73) for i in range(number))
        return tuple(Wing(middle, y + 44, 1.25, middle, y + 86, wide / 2 - 10, True) for middle in middles)
    middles = (y + TALL / number * (i + 0.5) for i in range(number))
    return tuple(Wing(x + 22, middle, 0.85, x + 42, middle + 4, wide - 46, False) for middle in middles)


@cache
def _wings_look(words: Words, seats: int, hired: tuple[int, ...]) -> str:
    """The room, a word for each who stands there, and the places of those who are hired."""
    rows, last = divmod(seats + 1, 3)
    x, y = EDGE + last * (CARD + 5), 64 + rows * (TALL + 32)
    room = _box(x, y + 24, WIDTH - EDGE - x, TALL, "pit", 8) if last else _box(EDGE, y - 2, INNER, 40, "pit", 8)
    places = _wing_places(seats)
    parts = [room, *(_placed([tag("circle", r=19, cls="spent")], *places[number][:3]) for number in hired)]
    texts = [words.say(HELPERS[number]) for number in range(len(places) - 1)]
    for place, text in zip(places, [*texts, words.say("singers in the pile")], strict=True):
        size, step = (13, 15) if place.is_below else (12, 14)
        lines = wrap(text, place.text_width, size)
        first = place.text_y if place.is_below else place.text_y - step * (len(lines) - 1) / 2
        anchor = "middle" if place.is_below else "start"
        for k, line in enumerate(lines):
            parts.append(write(line, place.text_x, first + step * k, size, cls="quiet", anchor=anchor))
    return group(parts)


def _wings(words: Words, s: Sequence[int], hired: Sequence[int]) -> list[Item]:
    """Who can be hired, and the pile; those who are hired stand with whoever has hired them."""
    seats = s[F.seats]
    places = _wing_places(seats)
    items = [Item("wings", "audition", _wings_look(_texts(words).words, seats, tuple(sorted(hired))))]
    for number in range(len(places) - 1):
        if number not in hired:
            items.append(_helper(words, number, "audition", *places[number][:3]))
    items.append(Item("pile", "audition", _pile(sum(s[F.pile : F.pile + SINGERS])), *places[-1][:3]))
    return items


@cache
def _pile(left: int) -> str:
    """The pile, with the number of its cards."""
    parts = [_box(-15 + 2 * i, -19 + 2 * i, 26, 36, "back", 4) for i in range(2 if left else 0)]
    parts.append(_box(-11, -15, 26, 36, "back" if left else "spent", 4))
    return group([*parts, write(str(left), 2, 9, 17, cls="name ivory bold" if left else "name quiet bold")])


def _helper(words: Words, number: int, parent: str, x: float, y: float, scale: float) -> Item:
    """The dressmaker or the carpenter."""
    return Item(HELPER_KEYS[number], parent, helper_token(number), x, y, scale, title=words.say(HELPERS[number]))


@cache
def helper_token(number: int) -> str:
    token = [
        tag("circle", cx=0, cy=0, r=19, cls="plate strong"),
        tag("path", d=HELPER_SHAPES[number], cls="gold", transform="scale(1.25)"),
    ]
    return group(token)


# What lies before each seat.

QUILL_TOKEN: Final = group(
    [tag("circle", cx=0, cy=0, r=9, cls="gold"), tag("path", d=QUILL, cls="oncoin", transform="scale(0.72)")]
)
NO_CARDS: Final = _box(-12, -17, 24, 34, "spent", 4)
HOLDER: Final = mark("Puccini: whoever has it lays first, and gives away what nobody won.")


def _place_wide(seats: int) -> float:
    return INNER / seats - 4


def _place(view: View, words: Words, seat: Seat, person: Person, result: int, before: int, is_traced: bool) -> list[Item]:
    """A seat with its cards face down, or turned up with what became of them; or pale, those of the last audition."""
    s, key, wide = view.row, f"place-{seat}", _place_wide(view.seats)
    mid, owes = wide / 2, s[F.asked] == AUDITION and bool(s[F.owing] >> seat & 1)
    items = [_place_item(s, seat, person, is_reader=False)]
    status, cls = "", "quiet"
    if s[F.shown + seat] >= 0:
        is_hiring = result >= HIRES
        title = words.laid(s[F.shown + seat])
        items.append(Item(f"laid-{seat}", key, _laid(s[F.shown + seat]), mid - 14 if is_hiring else mid, 50, title=title))
        if is_hiring:
            items.append(_helper(words, result - HIRES, key, mid + 15, 50, 0.72))
        status, cls = result_text(words, result)
    elif s[F.pending + seat] >= 0:
        items += _face_down(s, words, seat)
    elif (n := s[F.laid + seat]) > 0:
        look = _backs(seat, n, min(14.0, (wide - 30) / max(1, n - 1)))
        items.append(Item(f"laid-{seat}", key, look, mid, 50, title=words.say("cards face down: {n}", n=n)))
        status, cls = (words.say("one card") if n == 1 else words.say("{n} cards", n=n)), "bold"
    elif s[F.asked] == AUDITION and s[F.blind] and not owes:
        status = words.say("laid")
        items.append(Item(f"laid-{seat}", key, _two_backs(seat), mid, 50, title=status))
    else:
        if before >= 0:
            past = words.say("last round: {cards}", cards=words.laid(before))
            items.append(Item(f"laid-{seat}", key, _laid(before), mid, 50, cls="dim", title=past))
            status, cls = result_text(words, result)[0], "quiet dim"
        else:
            items.append(Item(f"laid-{seat}", key, NO_CARDS, mid, 50))
        if owes:
            status, cls = _owes_text(words)
    if status:
        items.append(_status(seat, status, cls, wide))
    if s[F.puccini] == seat:
        items.append(Item("quill", key, QUILL_TOKEN, wide - 8, -1, title=words.say(HOLDER)))
    edge = ""
    if result == TIED and s[F.shown + seat] >= 0:
        edge = "clash"
    elif owes or (s[F.asked] == UNDERSTUDY and seat == next_lacking(list(s))):
        edge = "glory"
    elif is_traced:
        edge = "trace"
    if edge:
        items.append(Item(f"edge-{seat}", key, _edge(wide, edge)))
    return items


def _place_item(s: Sequence[int], seat: Seat, person: Person, *, is_reader: bool) -> Item:
    """The place of a seat: they stand in the order in which they lay, from Puccini's holder on."""
    seats = s[F.seats]
    x = EDGE + INNER / seats * ((seat - s[F.puccini]) % seats) + 2
    look = _place_look(seat, person, _place_wide(seats), is_reader)
    return Item(f"place-{seat}", "audition", look, x, _places_y(s), title=person.name)


@lru_cache(maxsize=4096)
def _place_look(seat: Seat, person: Person, wide: float, is_reader: bool) -> str:
    mid = wide / 2
    long = min(20 + measure(person.name, 13), wide - 6)
    parts = [_box(0, 0, wide, 102, "raised", 8)]
    if person.is_named or measure(person.name, 12) <= long - 20:
        cls = "bold" if is_reader else ""
        parts.append(seat_mark(seat, mid - long / 2 + 8, 14, 14))
        parts.append(write(person.name, mid - long / 2 + 20, 18.5, 13, anchor="start", cls=cls, within=long - 20))
    else:
        parts.append(seat_mark(seat, mid, 15, 22, person.letter))
    return group(parts)


def _face_down(s: Sequence[int], words: Words, seat: Seat) -> list[Item]:
    """The cards that a seat has laid, for whoever may know them."""
    wide, choice = _place_wide(s[F.seats]), s[F.pending + seat]
    return [
        Item(f"laid-{seat}", f"place-{seat}", _laid(choice), wide / 2, 50, title=words.laid(choice)),
        _status(seat, *_face_down_text(words), wide),
    ]


def _status(seat: Seat, text: str, cls: str, wide: float) -> Item:
    return Item(f"status-{seat}", f"place-{seat}", _status_look(text, cls, wide), wide / 2, 93)


@lru_cache(maxsize=1024)
def _status_look(text: str, cls: str, wide: float) -> str:
    return write(text, 0, 0, 13, cls=cls, within=wide - 4)


@cache
def _backs(seat: Seat, number: int, step: float) -> str:
    return group([card_back(seat, step * (k - (number - 1) / 2), 0) for k in range(number)])


@cache
def _two_backs(seat: Seat) -> str:
    """Cards that cannot be counted."""
    return group([card_back(seat, -4, 2), card_back(seat, 4, 0)])


@cache
def _edge(wide: float, cls: str) -> str:
    return _box(1, 1, wide - 2, 100, cls, 8)


def _owes_text(words: Words) -> tuple[str, str]:
    return words.say("to lay"), "gold bold"


def _face_down_text(words: Words) -> tuple[str, str]:
    return words.say("face down"), "quiet"


def result_text(words: Words, result: int) -> tuple[str, str]:
    """What became of a seat's cards, in a word."""
    if result == WINS:
        return words.say("won"), "good bold"
    if result == OUTBID:
        return words.say("outbid"), "bad"
    if result == TIED:
        return words.say("tie"), "bad bold"
    if result == IN_VAIN:
        return words.say("in vain"), "quiet"
    return words.say("hired"), "good bold"


# The hand.


def _hand(view: View, words: Words) -> Layer:
    """The reader's cards; in the audition, each of them can be chosen."""
    s, seat = view.row, view.seat
    assert seat is not None
    if _lays(s, seat):
        height = 194
        items = _cards_to_lay(words.nameless(), view.seats, s[F.money + seat], tuple(s[F.offer : F.offer + view.seats + 1]))
    else:
        choice = max(s[F.pending + seat], s[F.shown + seat])
        out = money_in(choice) if s[F.pending + seat] >= 0 else 0
        height = 106
        items = _cards_in_hand(view.seats, s[F.money + seat], choice, out)
    is_own = words.spoken_to(seat) == seat  # in a review a reader looks at the cards of others, too
    title = words.say("Your hand") if is_own else words.player(seat)
    question = words.say("What will you lay?") if is_own and _lays(s, seat) else title
    heading = _hand_heading(words, question, s[F.money + seat])
    return Layer(
        [_panel("hand", title, WIDTH, height)],
        [_frame("hand", height), Item("hand-heading", "hand", heading), *items],
    )


def _hand_heading(words: Words, title: str, money: int) -> str:
    return _heading(title, words.say("money cards: {n}", n=money))


def _lays(s: Sequence[int], seat: Seat) -> bool:
    """Whether a seat is to lay cards now."""
    return bool(s[F.asked] == AUDITION and s[F.owing] >> seat & 1)


NUMBER_CARDS: Final = tuple(_number_card(number, 0, 0) for number in range(1, 7))
MONEY_CARD: Final = _money_card(0, 0)
BLUFF_CARD: Final = _bluff_card(0, 0)
NO_MONEY: Final = _box(-8, -12, 16, 24, "spent", 3)


@cache
def _cards_in_hand(seats: int, money: int, choice: int, out: int) -> tuple[Item, ...]:
    """Number cards, money and the bluff card; what is laid, as much money as `out` of it, is pale."""
    x = WIDTH / 2 - (32 * (seats + 1) + 20 * MONEY + 34) / 2
    items = []
    for number in range(seats + 1):
        cls = "dim" if is_bid(choice) and position_of(choice) == number else ""
        items.append(Item(f"number-{number}", "hand", NUMBER_CARDS[number], x + 16, 72, 1.1, cls))
        x += 32
    x += 6
    for i in range(MONEY):
        look, scale = (MONEY_CARD, 1.1) if i < money else (NO_MONEY, 1)
        items.append(Item(f"coin-{i}", "hand", look, x + 10, 72, scale, "dim" if money - out <= i < money else ""))
        x += 20
    items.append(Item("bluff", "hand", BLUFF_CARD, x + 18, 72, 1.1, "dim" if choice >= 0 and bluff_in(choice) else ""))
    return tuple(items)


@lru_cache(1024)
def _cards_to_lay(words: Words, seats: int, money: int, offer: tuple[int, ...]) -> tuple[Item, ...]:
    """A number card for each singer, the money and the bluff card, each as large as a finger: together they are a bid."""
    wide = INNER / (seats + 1)
    items = []
    for number in range(seats + 1):
        look = _pickable(NUMBER_CARDS[number], wide - 4, 62, 1.5)
        label = words.say("number {number}: {card}", number=number + 1, card=words.card(offer[number]))
        items.append(
            Item(f"number-{number}", "hand", look, EDGE + wide * (number + 0.5), 77, part=part(number + 1), label=label)
        )
    for i in range(MONEY):
        x = EDGE + 29 + 58 * i
        if i < money:
            label = words.count("{n} money card", "{n} money cards", i + 1, n=i + 1)
            look = _pickable(MONEY_CARD, 54, 62, 2)
            items.append(Item(f"coin-{i}", "hand", look, x, 149, part=f"money={i + 1}", label=label))
        else:
            items.append(Item(f"coin-{i}", "hand", NO_MONEY, x, 149, 1.8))
    look, label = _pickable(BLUFF_CARD, 84, 62, 1.7), words.say("the bluff card")
    return *items, Item("bluff", "hand", look, WIDTH - EDGE - 44, 149, part="bluff=bluff", label=label)


def part(number: int) -> str:
    """The part of a bid that a number is; 0 is money alone."""
    return f"number={number}"


def _pickable(card: str, wide: float, tall: float, scale: float) -> str:
    """A card that can be chosen, with its light."""
    return group([_box(-wide / 2, -tall / 2, wide, tall, "halo", 8), _placed([card], 0, 0, scale)])


# The troupes.

BLOCK: Final = 112
FICTITIOUS: Final = "fictitious"


def _troupes_height(seats: int) -> int:
    return _troupe_y(seats + (seats == 2)) + 4


def _troupe_y(place: int) -> int:
    return 44 + (BLOCK + 6) * place


def _troupes(view: View, words: Words, moved: Set[tuple[str, int]]) -> Layer:
    """Every troupe with its cards and what it is worth so far."""
    s, texts, people = view.row, _texts(words), _people(words, view.seats)
    items: list[Item] = []
    for seat in range(view.seats):
        purse, name = (s[F.money + seat], s[F.elements + seat]), people[seat].name
        items += _troupe_of(texts, seat, name, s[F.puccini] == seat, purse, _troupe(s, seat), s[F.director + seat])
        if ("named", seat) in moved:
            items.append(Item(f"trace-troupe-{seat}", f"troupe-{seat}", BLOCK_TRACE))
    if view.seats == 2:
        items += _fictitious_block(view, words)
    items += _traces(view, moved)
    return Layer([_panel("troupes", words.say("The troupes"), WIDTH, _troupes_height(view.seats))], items)


@lru_cache(maxsize=4096)
def _troupe_of(
    texts: Texts, seat: Seat, name: str, has_puccini: bool, purse: tuple[int, int], troupe: tuple[int, ...], director: int
) -> tuple[Item, ...]:
    """The troupe of a seat: whose it is, money cards and stage elements, the cards, and what they come to."""
    money, elements = purse
    values = (_stars(troupe), _best_roles(troupe), elements, _brings(troupe, director))
    return (
        _troupe_block(seat, _troupe_y(seat)),
        *_owner(seat, name, has_puccini),
        *_purse(texts, seat, money, elements),
        *_row_of_cards(texts, str(seat), troupe, director, 27),
        *_categories(texts, str(seat), troupe),
        _sum(texts, str(seat), values),
    )


def _own_troupe(view: View, words: Words) -> list[Item]:
    """The reader's troupe stands first, and is called "you"."""
    s, seat = view.row, view.seat
    assert seat is not None
    items = []
    if s[F.asked] != NOTHING and seat > 0:
        items = [_troupe_block(one, _troupe_y((one - seat) % view.seats)) for one in range(view.seats)]
    name = _people(words, view.seats)[seat].name
    if seat == words.spoken_to(seat):
        name = words.say("{who} (you)", who=name)
    return [*items, *_owner(seat, name, s[F.puccini] == seat)]


BLOCK_TRACE: Final = _box(0, 0, INNER, BLOCK, "trace", 8)


@cache
def _troupe_block(seat: Seat, y: int) -> Item:
    """The ground of a troupe, and the mark of its seat."""
    look = group([_light(0, 0, INNER, BLOCK), _box(0, 0, INNER, BLOCK, "raised", 8), seat_mark(seat, 15, 14, 17)])
    return Item(f"troupe-{seat}", "troupes", look, EDGE, y, action=A.name + seat, ask=True)


PUCCINI: Final = group([QUILL_TOKEN, write("Puccini", 13, 4.5, 13, cls="gold", anchor="start")])


@lru_cache(maxsize=4096)
def _owner(seat: Seat, name: str, has_puccini: bool) -> tuple[Item, ...]:
    """Whose troupe it is, and whether they have Puccini."""
    room = INNER - 190 if has_puccini else INNER - 110
    owner = Item(f"owner-{seat}", f"troupe-{seat}", _owner_name(name, room), 30, 19)
    if not has_puccini:
        return (owner,)
    return owner, Item("puccini", f"troupe-{seat}", PUCCINI, 46 + min(measure(name, 15), room), 14, title="Puccini")


@lru_cache(maxsize=4096)
def _owner_name(name: str, room: int) -> str:
    return write(name, 0, 0, 15, cls="name bold", anchor="start", within=room)


STAGE_ELEMENT: Final = group(
    [_box(-8, -11, 16, 22, "cloth", 3), tag("path", d=HELPER_SHAPES[0], cls="oncoin", transform="scale(0.7)")]
)
MONEY_SPENT: Final = _box(-8, -11, 16, 22, "spent", 3)


def _purse(texts: Texts, seat: Seat, money: int, elements: int) -> list[Item]:
    """Stage elements first, then money in hand, then money spent: three cards in all."""
    items = []
    for i in range(MONEY):
        if i < elements:
            items.append(_money_of(seat, i, STAGE_ELEMENT, texts.money[1]))
        elif i >= MONEY - money:
            items.append(_money_of(seat, i, MONEY_CARD, texts.money[0]))
        else:
            items.append(_money_of(seat, i, MONEY_SPENT, ""))
    return items


@cache
def _money_of(seat: Seat, place: int, look: str, title: str) -> Item:
    return Item(f"money-{seat}-{place}", f"troupe-{seat}", look, INNER - 12 - 18 * place, 14, title=title)


CARD_TRACE: Final = _box(-1, -1, MINI + 2, SHORT + 2, "trace", 6)
DIRECTOR_TRACE: Final = tag("circle", cx=0, cy=0, r=23.5, cls="trace")


@lru_cache(maxsize=8192)
def _row_of_cards(texts: Texts, troupe: str, singers: tuple[int, ...], director: int, y: int) -> tuple[Item, ...]:
    """Six places for singers and one for the director."""
    items = []
    if NONE in singers or director == NONE:
        look = _empty_places(tuple(slot for slot, one in enumerate(singers) if one == NONE), director == NONE)
        items.append(Item(f"empty-{troupe}", f"troupe-{troupe}", look, 3, y))
    items += [_singer_in_troupe(troupe, slot, one, y, texts.singers[one]) for slot, one in enumerate(singers) if one != NONE]
    if director != NONE:
        items.append(_director_of_troupe(troupe, director, y, texts.directors[director]))
    return tuple(items)


def _traces(view: View, moved: Set[tuple[str, int]]) -> list[Item]:
    """A line around each card that has just come to a troupe."""
    s, items = view.row, []
    singers = (*s[F.troupe : F.troupe + view.seats * TROUPE], *s[F.fictitious : F.fictitious + TROUPE])
    directors = (*s[F.director : F.director + view.seats], s[F.fictitious_director])
    for kind, card in sorted(moved):
        if kind == "card" and card in singers:
            items.append(Item(f"trace-{SINGER_IDS[card]}", f"singer-{SINGER_IDS[card]}", CARD_TRACE))
        elif kind == "card" and card >= SINGERS and card - SINGERS in directors:
            one = DIRECTOR_IDS[card - SINGERS]
            items.append(Item(f"trace-{one}", f"director-{one}", DIRECTOR_TRACE))
    return items


@cache
def _empty_places(slots: tuple[int, ...], lacks_director: bool) -> str:
    parts = [_box(slot * (MINI + 2), 0, MINI, SHORT, "spent", 5) for slot in slots]
    if lacks_director:
        parts.append(tag("circle", cx=TROUPE * (MINI + 2) + 23, cy=30, r=20, cls="spent"))
    return group(parts)


@cache
def _singer_in_troupe(troupe: str, slot: int, number: int, y: int, title: str) -> Item:
    x = 3 + slot * (MINI + 2)
    return Item(f"singer-{SINGER_IDS[number]}", f"troupe-{troupe}", _small_singer(number), x, y, title=title)


@cache
def _director_of_troupe(troupe: str, number: int, y: int, title: str) -> Item:
    x = 3 + TROUPE * (MINI + 2) + 23
    return Item(f"director-{DIRECTOR_IDS[number]}", f"troupe-{troupe}", _medallion(number, 43), x, y + 30, title=title)


@lru_cache(maxsize=8192)
def _categories(texts: Texts, troupe: str, singers: tuple[int, ...]) -> tuple[Item, ...]:
    """How many singers of each category."""
    counts = [0] * CATEGORIES
    for one in singers:
        if one != NONE:
            counts[CATEGORY[one]] += 1
    return tuple(_category(troupe, number, count, texts.categories[number]) for number, count in enumerate(counts))


@cache
def _category(troupe: str, number: int, count: int, title: str) -> Item:
    look = group([_emblem(number, 5, 0, 0.68, "lit"), write(str(count), 17, 4.6, 13, cls="bold")])
    cls = "" if count else "dim"
    return Item(f"category-{troupe}-{number}", f"troupe-{troupe}", look, 8 + 26 * number, 101, cls=cls, title=title)


def _stars(troupe: Sequence[int]) -> int:
    return sum(STARS[one] for one in troupe if one != NONE)


@lru_cache(maxsize=4096)
def _sum(texts: Texts, troupe: str, values: tuple[int, int, int, int]) -> Item:
    """Stars, favourite roles and wrong sexes, stage elements, director, and what they come to."""
    if troupe == FICTITIOUS:
        phrase = texts.words.say(
            "stars {stars}, favourite roles and wrong sexes {roles}, director {director}",
            stars=values[0],
            roles=points(values[1]),
            director=points(values[3]),
        )
    else:
        phrase = texts.words.say(
            "stars {stars}, favourite roles and wrong sexes at best {roles}, stage elements {elements}, director {director}",
            stars=values[0],
            roles=points(values[1]),
            elements=values[2],
            director=points(values[3]),
        )
    return Item(f"sum-{troupe}", f"troupe-{troupe}", _sum_line(values), INNER - 8, 105, title=phrase)


@lru_cache(maxsize=16384)
def _sum_line(values: tuple[int, int, int, int]) -> str:
    parts = [write(str(sum(values)), 0, 2, 19, cls="title bold", anchor="end")]
    x = -30.0
    for i, text in enumerate((points(values[3]), str(values[2]), points(values[1]), str(values[0]))):
        parts.append(write(text, x, 0, 13, anchor="end"))
        x -= measure(text, 13) + 7
        if i < 2:
            parts.append(tag("path", d=(MEGAPHONE, DRESS)[i], cls="lit", transform=_at(x, -5, 0.61)))
        else:
            parts.append(_heart(x, -4.6, 0.75, "bad") if i == 2 else _star(x, -5, 0.72))
        x -= 11
    return group(parts)


def _fictitious_block(view: View, words: Words) -> list[Item]:
    """The troupe of nobody, with the roles it already sings."""
    texts, row, at = _texts(words), list(view.row), F.fictitious
    troupe, director = tuple(row[at : at + TROUPE]), row[F.fictitious_director]
    values = (stars(row, at), favourites(row, at) + wrong_sexes(row, at), 0, director_points(row, at, director))
    key, ground = f"troupe-{FICTITIOUS}", _fictitious_ground(words.say("Fictitious troupe"), BLOCK)
    return [
        Item(key, "troupes", ground, EDGE, _troupe_y(view.seats)),
        *_row_of_cards(texts, FICTITIOUS, troupe, director, 27),
        *_categories(texts, FICTITIOUS, troupe),
        _sum(texts, FICTITIOUS, values),
    ]


@cache
def _fictitious_ground(name: str, height: int) -> str:
    shown = write(name, 30, 19, 15, cls="name bold", anchor="start")
    return group([_box(0, 0, INNER, height, "raised", 8), _mask(16, 15, 1.1, "gold"), shown])


# The directors.

VALUE: Final = 25
"""How wide a column of the directors' points is."""
ROW_LIGHT: Final = _light(0, 0, INNER, 52)
ROW_TRACE: Final = _box(0, 0, INNER, 52, "trace", 8)
STRUCK: Final = _line(8, 26, INNER - 8, 26, "gone")


def _directors_shown(s: Sequence[int]) -> list[int]:
    """The directors in play: all of them, and from the fourth round on those of the troupes."""
    if s[F.round] < DIRECTOR_ROUND:
        return list(range(DIRECTORS))
    return [one for one in (*s[F.director : F.director + s[F.seats]], s[F.fictitious_director]) if one != NONE]


def _directors(view: View, words: Words, moved: Set[tuple[str, int]]) -> Layer:
    """The directors in play, their terms drawn, and what each would bring to every troupe as it stands."""
    s, early = view.row, view.row[F.round] < DIRECTOR_ROUND
    numbers = _directors_shown(s)
    height = 67 + 56 * len(numbers) + 6
    title = words.say("Directors")
    note = words.say("in the stack: {n}", n=s[F.pool].bit_count()) if early else ""
    items = [
        _frame("directors", height),
        Item("directors-heading", "directors", _heading(title, note)),
        _value_heads(words, view.seats, "directors", 52),
    ]
    texts, people = _texts(words), _people(words, view.seats)
    kind = "director" if early else "line"
    for place, number in enumerate(numbers):
        row, is_struck = _director_row(place, number), early and not s[F.pool] >> number & 1
        items += [row, _director_line(texts, kind, number, row.key, view.seats, is_struck)]
    items += _values(s, kind, numbers)
    hired = {s[F.director + seat]: seat for seat in range(view.seats)}
    for number in numbers:
        one = DIRECTOR_IDS[number]
        if early and not s[F.pool] >> number & 1:
            items.append(Item(f"struck-{one}", f"director-{one}", STRUCK))
        if number in hired:
            mark = _mark(hired[number], 21.6, people[hired[number]].letter)
            items.append(Item(f"hirer-{one}", f"row-{one}", mark, 37, 40))
        if ("card", SINGERS + number) in moved:
            items.append(Item(f"trace-row-{one}", f"row-{one}", ROW_TRACE))
    return Layer([_panel("directors", title, WIDTH, height)], items)


@cache
def _director_row(place: int, number: int) -> Item:
    """A director's place in the list."""
    key, action = f"row-{DIRECTOR_IDS[number]}", A.strike + number
    return Item(key, "directors", ROW_LIGHT, EDGE, 67 + 56 * place, action=action, ask=True)


def _value_heads(words: Words, seats: int, panel: str, y: int) -> Item:
    """A seat's mark over each column."""
    letters = tuple(person.letter for person in _people(words, seats))
    return Item("heads", panel, _heads_look(words.say("would bring"), letters), 0, y)


def _values_x(seats: int) -> int:
    """Where the columns of points begin, from the left edge of a row."""
    return INNER - 6 - VALUE * seats


@lru_cache(maxsize=1024)
def _heads_look(text: str, letters: tuple[str, ...]) -> str:
    left = EDGE + _values_x(len(letters))
    parts = [write(text, left - 6, 5, 12, cls="quiet", anchor="end", within=left - EDGE - 24)]
    parts += [seat_mark(seat, left + VALUE * (seat + 0.5), 0, 21.6, letter) for seat, letter in enumerate(letters)]
    return group(parts)


@cache
def _director_line(texts: Texts, kind: str, number: int, parent: str, seats: int, is_struck: bool = False) -> Item:
    """A director: the sign, the name and the terms. Its kind is "line" if the director's card lies with a troupe."""
    look = _director_look(texts.director_names[number], number, seats)
    cls, title = "dim" if is_struck else "", texts.directors[number]
    return Item(f"{kind}-{DIRECTOR_IDS[number]}", parent, look, cls=cls, title=title)


@cache
def _director_look(name: str, number: int, seats: int) -> str:
    parts = [
        _box(0, 0, INNER, 52, "raised", 8),
        _placed([_medallion(number, 42)], 24, 26),
        write(name, 50, 19, 14.5, cls="name", anchor="start", within=_values_x(seats) - 54),
        _placed([_drawn_terms(number)], 50, 26),
    ]
    return group(parts)


def _values(s: Sequence[int], kind: str, numbers: Sequence[int]) -> list[Item]:
    """What each director would bring to each troupe."""
    seats, directors = s[F.seats], tuple(numbers)
    return [item for seat in range(seats) for item in _values_for(kind, directors, seats, seat, _troupe(s, seat))]


@lru_cache(maxsize=8192)
def _values_for(kind: str, numbers: tuple[int, ...], seats: int, seat: Seat, troupe: tuple[int, ...]) -> tuple[Item, ...]:
    return tuple(_value(kind, number, seats, seat, _brings(troupe, number)) for number in numbers)


@cache
def _value(kind: str, number: int, seats: int, seat: Seat, value: int) -> Item:
    cls = "good" if value > 0 else "bad" if value < 0 else "quiet"
    look = write(points(value), 0, 0, 14.5, cls=f"bold {cls}")
    one, x = DIRECTOR_IDS[number], _values_x(seats) + VALUE * (seat + 0.5)
    return Item(f"brings-{one}-{seat}", f"{kind}-{one}", look, x, 19)


def _standings(view: View) -> list[Item]:
    """Where the reader's troupe stands in the tables of the directors who are drawn."""
    s, seat = view.row, view.seat
    assert seat is not None
    kind, numbers = "line", _directors_shown(s)
    if s[F.round] < DIRECTOR_ROUND:
        kind, numbers = "director", [number for number in numbers if s[F.pool] >> number & 1]
    elif s[F.round] == DIRECTOR_ROUND:
        kind, numbers = "director", [card - SINGERS for card in s[F.offer : F.offer + view.seats + 1] if card != NONE]
    troupe = _troupe(s, seat)
    return [item for number in numbers if (item := _standing(kind, number, troupe)) is not None]


@lru_cache(maxsize=16384)
def _standing(kind: str, number: int, troupe: tuple[int, ...]) -> Item | None:
    terms = range(FIRST_TERM[number], FIRST_TERM[number + 1])
    look = _here(number, tuple(term_number(list(troupe), 0, term) for term in terms))
    one = DIRECTOR_IDS[number]
    return Item(f"here-{one}", f"{kind}-{one}", look, 50, 26) if look else None


# The casting.

BENCH: Final = 244
"""How high the reader's bench is, below the stage."""
STAGE: Final = 314
"""Where the stage ends."""


def _casting(view: View, words: Words) -> Layer:
    """A stage with six places, and how many roles each seat has cast."""
    items = [
        _frame("casting", STAGE + 30),
        Item("stage", "casting", _stage(words.say("The roles are being cast."))),
        *(_role(role, "empty") for role in range(TROUPE)),
        *_progress(view, words, STAGE),
    ]
    return Layer([Panel("casting", words.say("Casting"), WIDTH, STAGE + 30)], items)


def _own_casting(view: View, words: Words) -> Layer:
    """The reader's singers in their roles, and those who have none on a bench: each can be given the next one."""
    s, seat = view.row, view.seat
    assert seat is not None
    best, height, now = best_cast(s, seat), STAGE + BENCH + 30, s[F.assigned + seat]
    promised = (one.split()[1:] for one in view.noted if one.count(" ") == 2)
    cast = {role: best[role] for role in range(now)} | {ROLE_IDS.index(role): SINGER_IDS.index(one) for role, one in promised}
    items = [_frame("casting", height), *_progress(view, words, STAGE + BENCH)]
    items += _own_stage(_texts(words), _troupe(s, seat), best, now, tuple(cast.items()), casts_several(view))
    return Layer([Panel("casting", words.say("Casting"), WIDTH, height)], items)


@lru_cache(maxsize=2048)
def _own_stage(
    texts: Texts, troupe: tuple[int, ...], best: tuple[int, ...], now: int, cast: tuple[tuple[int, int], ...], is_free: bool
) -> tuple[Item, ...]:
    """The roles and the bench: they stay as they are while others cast."""
    items, singer_of = [], dict(cast)
    for role in range(TROUPE):
        item = _role(role, "cast" if role in singer_of else "next" if role == now else "empty")
        if is_free and role >= now:
            light = _light(8, -2, 96, 118)
            item = item._replace(look=light + item.look, part=f"about={ROLE_IDS[role]}", label=ROLES[role])
        items.append(item)
        if role in singer_of:
            one = singer_of[role]
            items.append(_actor(one, f"role-{role}", 22, texts.singers[one]))
            items.append(Item(f"sung-{role}", f"role-{role}", _sung(_surname(texts.words, one), _fit(one, role))))
    return (*items, *_bench(texts, troupe, now, best, frozenset(singer_of.values()), is_free))


def casts_several(view: View) -> bool:
    """Whether the reader casts several roles, in whatever order."""
    return bool(view.legal and view.row[F.asked] == CAST and len(view.legal) > 1)


@cache
def _stage(text: str) -> str:
    title = write(text, EDGE + 16, 52, 18, cls="title", anchor="start", within=INNER - 30)
    return group([*_drapes(310), CURTAIN, title])


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


@cache
def _role(role: int, state: str) -> Item:
    """A role with its light: empty, the next to be cast, or cast."""
    parts = [
        tag("path", d="M44 0H68L104 112H8Z", cls="beam"),
        tag("ellipse", cx=56, cy=104, rx=46, ry=10, cls="beam"),
        write(f"{role + 1} {ROLES[role]}", 47, 14, 14, cls="name bold"),
        _sex(ROLE_SEX[role], 93, 9, 0.75, "litline"),
    ]
    if state != "cast":
        parts.append(_box(27, 22, MINI * 1.25, SHORT * 1.25, "spent", 6))
    if state == "next":
        parts.append(_box(25, 20, MINI * 1.25 + 4, SHORT * 1.25 + 4, "glory", 7))
        parts.append(write("?", 56, 70, 30, cls="title"))
    return Item(f"role-{role}", "casting", group(parts), EDGE + 10 + role % 3 * 107, 62 + role // 3 * 122)


@cache
def _actor(number: int, parent: str, y: int, title: str) -> Item:
    """A singer of the reader on the stage or the bench."""
    return Item(f"actor-{SINGER_IDS[number]}", parent, _small_singer(number), 27, y, 1.25, title=title)


@cache
def _sung(name: str, value: int) -> str:
    """Who sings a role, and what that brings besides the stars."""
    return group([write(name, 56, 111, 12.5, cls="name", within=108), _worth(value, 98, 40)])


def _surname(words: Words, number: int) -> str:
    """A name, or its last word where there is too little room."""
    name = words.singer(number).partition(" (")[0]
    return name.split()[-1] if measure(name, 12.5, "serif") > 104 else name


def _fit(one: int, role: int) -> int:
    """What a singer adds in a role, besides the stars."""
    return FIT[one * TROUPE + role]


@cache
def _worth(value: int, x: float, y: float) -> str:
    """What a singer's role brings, besides the stars."""
    cls = "good" if value > 0 else "bad" if value < 0 else "quiet"
    return group([_box(x - 13, y - 12, 26, 20, "capsule", 10), write(points(value), x, y + 3, 14, cls=f"bold {cls}")])


def _bench(
    texts: Texts, troupe: tuple[int, ...], role: int, best: Sequence[int], cast: frozenset[int], is_free: bool
) -> list[Item]:
    """The reader's singers who have no role yet: each may be given the next one or, where it `is_free`, any."""
    words = texts.words
    text = words.say("Who sings {role}?", role=ROLES[role]) if role < TROUPE else words.say("All your roles are cast.")
    now = _stars(troupe) + sum(_fit(one, i) for i, one in enumerate(best[:role]))
    items = [Item("bench", "casting", _bench_heading(text, words.say("stars and roles: {n}", n=now)), 0, STAGE)]
    for slot, one in enumerate(troupe):
        if one in cast:
            items.append(_bench_place(slot, "", -1))
            continue
        key, place = f"bench-{slot}", _bench_place(slot, _surname(words, one), A.cast + one)
        if is_free:
            place = place._replace(action=-1, ask=False, part=f"choice={SINGER_IDS[one]}", label=words.singer(one))
        items += [
            place,
            _actor(one, key, 6, texts.singers[one]),
            Item(f"worth-{slot}", key, _worth(_fit(one, role), 98, 24)),
        ]
        if role < TROUPE and one == best[role]:
            items.append(Item("hint", key, HINT))
    return items


HINT: Final = _box(4, 3, 104, 96, "hint", 6)
"""What a page lights around a singer who is best for the role, if it is asked to."""


@lru_cache(maxsize=1024)
def _bench_heading(text: str, note: str) -> str:
    parts = [
        _line(EDGE, 0, WIDTH - EDGE, 0),
        write(text, EDGE + 2, 21, 16, cls="title", anchor="start", within=220),
        write(note, WIDTH - EDGE - 2, 21, 13, cls="bold", anchor="end", within=116),
    ]
    return group(parts)


@cache
def _bench_place(slot: int, name: str, action: int) -> Item:
    """A place on the bench, with the name of a singer who can be cast; without a name, nobody is there any more."""
    look = _box(1, 0, 110, 102, "spent", 8)
    if name:
        shown = write(name, 56, 96, 12.5, cls="name", within=106)
        look = group([_light(1, 0, 110, 102), _box(1, 0, 110, 102, "raised", 8), shown])
    x, y = EDGE + slot % 3 * 114, STAGE + 30 + slot // 3 * 106
    return Item(f"bench-{slot}", "casting", look, x, y, action=action, ask=bool(name))


def _progress(view: View, words: Words, y: int) -> list[Item]:
    """How many roles each seat has cast."""
    wide, people = INNER / view.seats, _people(words, view.seats)
    return [
        Item(
            f"progress-{seat}",
            "casting",
            _progress_look(seat, people[seat].letter, view.row[F.assigned + seat]),
            EDGE + wide * (seat + 0.5),
            y,
        )
        for seat in range(view.seats)
    ]


@lru_cache(maxsize=1024)
def _progress_look(seat: Seat, letter: str, assigned: int) -> str:
    return group([seat_mark(seat, -20, 10, 21.6, letter), write(f"{assigned} / {TROUPE}", 12, 15, 14, cls="bold")])


def _castings(view: View, words: Words) -> Layer:
    """Every troupe in its roles, with what each role brought."""
    s, outcome, texts, people = view.row, view.outcome, _texts(words), _people(words, view.seats)
    assert outcome is not None
    order = sorted(range(view.seats), key=lambda seat: (seat not in outcome.winners, -outcome.scores[seat], seat))
    height = 46 + 130 * (view.seats + (view.seats == 2))
    items = [_frame("casting", height), Item("casting-heading", "casting", _heading(words.say("Casting")))]
    for place, seat in enumerate(order):
        cast, director = tuple(s[F.cast + seat * TROUPE : F.cast + (seat + 1) * TROUPE]), s[F.director + seat]
        ground = group([_box(0, 0, INNER, 124, "raised", 8), seat_mark(seat, 15, 14, 17)])
        items.append(Item(f"troupe-{seat}", "casting", ground, EDGE, 44 + 130 * place))
        items += _owner(seat, people[seat].name, s[F.puccini] == seat)
        items += _row_of_cards(texts, str(seat), cast, director, 42)
        items.append(Item(f"result-{seat}", f"troupe-{seat}", _cast_result(cast, director, outcome.scores[seat])))
    if view.seats == 2:
        cast, director = tuple(s[F.fictitious : F.fictitious + TROUPE]), s[F.fictitious_director]
        key, ground = f"troupe-{FICTITIOUS}", _fictitious_ground(words.say("Fictitious troupe"), 124)
        items.append(Item(key, "casting", ground, EDGE, 44 + 130 * view.seats))
        items += _row_of_cards(texts, FICTITIOUS, cast, director, 42)
        items.append(Item(f"result-{FICTITIOUS}", key, _cast_result(cast, director, fictitious_total(list(s)))))
    return Layer([Panel("casting", words.say("Casting"), WIDTH, height)], items)


def _cast_result(cast: tuple[int, ...], director: int, total: int) -> str:
    """The total of a troupe, its roles, and what each role and the director brought."""
    parts = [
        write(str(total), INNER - 10, 21, 20, cls="title bold", anchor="end"),
        write(points(_brings(cast, director)), INNER - 25, 118, 14, cls="bold"),
    ]
    for role, one in enumerate(cast):
        x = 3 + role * (MINI + 2) + MINI / 2
        parts.append(write(ROLES[role], x, 38, 12, cls="quiet"))
        if one != NONE and (value := _fit(one, role)):
            parts.append(write(points(value), x, 118, 14, cls=f"bold {'good' if value > 0 else 'bad'}"))
    return group(parts)


# The score.

LABEL: Final = 122
"""How wide the names of the parts are."""


def _score(view: View, words: Words) -> Layer:
    """Who won, and every part of every score. The winner may be the reader, so no sentence names one."""
    s, outcome = view.row, view.outcome
    assert outcome is not None
    fictitious = view.seats == 2 and s[F.asked] == NOTHING
    title = words.say("The score") if outcome.winners else words.say("Nobody wins.")  # a laurel marks who won
    heading = [CURTAIN, write(title, WIDTH / 2, 56, 20, cls="title bold", within=INNER)]
    top = 64
    for line in ENDINGS:
        for text in wrap(words.say(line.meaning), INNER - 20, 13) if line.name == outcome.ending else ():
            top += 15
            heading.append(write(text, WIDTH / 2, top, 13, cls="quiet"))
    top += 14

    # The names of the parts on the left, a column for each seat.
    parts = _parts(words, s, fictitious)
    end = 44 + 26 * len(parts)
    labels = []
    for i, (name, _) in enumerate(parts):
        if i % 2 == 0:
            labels.append(_box(EDGE, 44 + 26 * i, INNER, 26, "plate", 5))
        labels.append(write(_part_name(words, name), EDGE + 6, 62 + 26 * i, 14, anchor="start", within=LABEL - 8))
    labels.append(_line(EDGE, end + 2, WIDTH - EDGE, end + 2, "goldline"))
    labels.append(write(words.say("the total"), EDGE + 6, end + 28, 16, cls="title bold", anchor="start"))
    height = top + end + 46
    items = [
        _frame("score", height),
        Item("score-heading", "score", group(heading)),
        Item("score-parts", "score", group(labels), 0, top),
    ]
    wide = (INNER - LABEL) / (view.seats + fictitious)
    for seat in range(view.seats):
        wreath = [*(laurel(0, 18) if seat in outcome.winners else ())]
        wreath.append(seat_mark(seat, 0, 18, 22, _people(words, view.seats)[seat].letter))
        column = _score_column(wreath, [outcome.parts[seat][name] for name, _ in parts], outcome.scores[seat])
        items.append(Item(f"score-{seat}", "score", column, EDGE + LABEL + wide * (seat + 0.5), top))
    if fictitious:
        column = _score_column([_mask(0, 18, 1.5, "gold")], [value for _, value in parts], fictitious_total(list(s)))
        items.append(Item(f"score-{FICTITIOUS}", "score", column, EDGE + LABEL + wide * (view.seats + 0.5), top))
    return Layer([Panel("score", words.say("The score"), WIDTH, height)], items)


def _score_column(mark: Sequence[str], values: Sequence[int | None], total: int) -> str:
    """Whose points they are, the points part by part, and the total."""
    column = [*mark]
    for i, value in enumerate(values):
        text = "" if value is None else str(value) if i == 0 else points(value)
        column.append(write(text, 0, 62 + 26 * i, 15, cls="bad" if value is not None and value < 0 else ""))
    return group([*column, write(str(total), 0, 74 + 26 * len(values), 22, cls="title bold")])


def laurel(x: float, y: float) -> list[str]:
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
