"""Cards and what else lies on the table, about their middles or from their corners, by nothing but what they are."""

from __future__ import annotations

from typing import Final

from ridotto.engine.fields import Seat
from ridotto.games.turandot.components import CATEGORY, FAVOURITE, SEX, STARS
from ridotto.games.turandot.rules import bluff_in, is_bid, money_in, position_of
from ridotto.games.turandot.ui.messages import ROLES
from ridotto.games.turandot.ui.picture.portraits import portrait
from ridotto.games.turandot.ui.picture.signs import (
    DRESS,
    HEART,
    HELPER_SHAPES,
    QUILL,
    SEX_SHAPES,
    emblem,
    mask,
    sign,
    star,
)
from ridotto.games.turandot.ui.picture.terms import medallion
from ridotto.games.turandot.ui.words import Words
from ridotto.present.kit import circle, drawing, lines, placed, rect
from ridotto.present.narrator import mark
from ridotto.present.svg import SIDES, group, shape, tag, wrap, write

# Singers.

CARD, TALL = 110, 148
"""A card that says everything."""
MINI, SHORT = 46, 60
"""A card in a troupe."""


@drawing
def singer_card(words: Words, number: int) -> str:
    """A singer's card as it lies under a role, by words without names."""
    first, *rest = wrap(words.singer(number), 104, 16, "serif")
    names = [first, " ".join(rest)] if rest else [first]
    parts = [
        rect(0, 0, CARD, TALL, _edge(number), 8),
        placed([portrait(number)], 5, 5),
        *(star(14 + 14 * i, 14, 0.85, "gleam") for i in range(STARS[number])),
        circle(95, 15, 9.5, "ivory"),
        sign(SEX_SHAPES[SEX[number]], 95, 15, 0.85, "penline"),
        *lines(names, CARD / 2, 86 if rest else 94, 16, 16, cls="name oncard", within=106),
        rect(5, 107, 100, 18, f"cat{CATEGORY[number]}", 4),
        emblem(CATEGORY[number], 15, 116, 0.75, "ivory"),
        write(words.category(CATEGORY[number]), 25, 121.5, 16.2, cls="ivory", anchor="start", within=79),
    ]
    if FAVOURITE[number] >= 0:
        name = f"{FAVOURITE[number] + 1} {ROLES[FAVOURITE[number]]}"
        parts += [sign(HEART, 14, 136, 0.85, "blood"), write(name, 24, 141, 15.5, cls="oncard", anchor="start", within=84)]
    return group(parts)


@drawing
def small_singer(number: int) -> str:
    """A singer's card in a troupe: no name, but all that counts."""
    parts = [
        rect(0, 0, MINI, SHORT, _edge(number), 5),
        placed([portrait(number, 36.2)], MINI / 2 - 29, 2, 0.58),
        *(star(7.5, 8 + 9 * i, 0.56, "gleam") for i in range(STARS[number])),
        emblem(CATEGORY[number], 38, 9, 0.6, "ivory"),
        sign(SEX_SHAPES[SEX[number]], 11, 49.5, 0.8, "penline"),
    ]
    if FAVOURITE[number] >= 0:
        parts += [sign(HEART, 27, 49.4, 0.8, "blood"), write(str(FAVOURITE[number] + 1), 38, 54.8, 15.5, cls="oncard bold")]
    return group(parts)


def _edge(number: int) -> str:
    """The class of a singer's card."""
    return "card strong" if STARS[number] == 3 else "card"


@drawing
def singer_title(words: Words, number: int) -> str:
    """A singer in words."""
    return f"{words.singer(number)}, {words.traits(number)}"


@drawing
def director_card(words: Words, number: int) -> str:
    """A director's card as it lies under a number."""
    names = wrap(words.director(number), 104, 16, "serif")[:2]
    parts = [
        rect(0, 0, CARD, TALL, "raised strong", 8),
        placed([medallion(number, 78)], CARD / 2, 54),
        *lines(names, CARD / 2, 116 if len(names) > 1 else 124, 16, 17, cls="name", within=106),
    ]
    return group(parts)


# What is laid in an audition.


def _number_card(number: int, x: float = 0) -> str:
    return placed([rect(-12, -17, 24, 34, "card", 4), write(str(number), 0, 8, 22, cls="name oncard bold")], x, 0)


def _money_card(x: float = 0, y: float = 0) -> str:
    return placed([rect(-8, -11, 16, 22, "coin", 3), star(0, 0, 0.78, "oncoin")], x, y)


def _bluff_card(x: float = 0, y: float = 0, scale: float = 1) -> str:
    return placed([rect(-11, -14, 22, 28, "card", 4), mask(0, 0, 1.05)], x, y, scale)


NUMBER_CARDS: Final = tuple(_number_card(number) for number in range(1, 7))
MONEY_CARD: Final = _money_card()
BLUFF_CARD: Final = _bluff_card()
NO_CARDS: Final = rect(-12, -17, 24, 34, "spent", 4)


@drawing
def laid_cards(choice: int) -> str:
    """What a seat has laid, face up."""
    money, bluff, bid = money_in(choice), bluff_in(choice), is_bid(choice)
    wide = (24 if bid else 0) + 9 * money + (7 if money else 0) + (14 if bluff else 0)
    left = -wide / 2
    parts = [_bluff_card(wide / 2 - 9, -4, 0.9)] if bluff else []
    parts += [_money_card(left + (24 if bid else 0) + 8 + 9 * i, 5) for i in reversed(range(money))]
    if bid:
        parts.append(_number_card(position_of(choice) + 1, left + 12))
    return group(parts)


def card_back(seat: Seat, x: float, y: float) -> str:
    """A card of a seat, face down."""
    inside = [
        rect(-12, -17, 24, 34, "back", 4),
        rect(-9, -14, 18, 28, "gleamline", 2),
        circle(0, 0, 8, "room"),
        shape(SIDES[seat], 0, 0, 9, cls=f"seat{seat}"),
    ]
    return placed(inside, x, y)


# Who can be hired, and Puccini.

HELPER_KEYS: Final = ("dressmaker", "carpenter")
STAGE_ELEMENT: Final = group(
    [rect(-8, -11, 16, 22, "cloth", 3), tag("path", d=DRESS, cls="oncoin", transform="scale(0.7)")],
)
QUILL_TOKEN: Final = group([circle(0, 0, 9, "gold"), tag("path", d=QUILL, cls="oncoin", transform="scale(0.72)")])
HOLDER: Final = mark("Puccini: whoever has it lays first, and gives away what nobody won.")


@drawing
def helper_token(number: int) -> str:
    """The dressmaker or the carpenter."""
    shape = tag("path", d=HELPER_SHAPES[number], cls="gold", transform="scale(1.25)")
    return group([circle(0, 0, 19, "plate strong"), shape])
