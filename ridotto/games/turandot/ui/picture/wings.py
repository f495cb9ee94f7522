"""Who can be hired, and the pile: beside the cards on offer."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from ridotto.games.turandot.components import SINGERS
from ridotto.games.turandot.rules import F, helpers
from ridotto.games.turandot.ui.messages import HELPERS
from ridotto.games.turandot.ui.picture.cards import HELPER_KEYS, TALL, helper_token
from ridotto.games.turandot.ui.picture.plan import HEAD, SINGERS_ON_OFFER
from ridotto.games.turandot.ui.picture.signs import scaled
from ridotto.games.turandot.ui.words import Words
from ridotto.present.kit import EDGE, INNER, WIDE, drawing, lines, rect
from ridotto.present.scene import Item
from ridotto.present.svg import group, tag, wrap, write


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


@drawing
def wing_places(cards: int, number: int) -> tuple[Wing, ...]:
    """Beside the cards, where no card lies; if there is no such place, in a row of their own."""
    x, y = SINGERS_ON_OFFER.place(cards)
    wide = WIDE - EDGE - x
    if cards % SINGERS_ON_OFFER.across == 0:
        each = INNER / number
        return tuple(Wing(x + each * i + 22, y + 18, 0.8, x + each * i + 42, y + 22, each - 44, False) for i in range(number))
    y += HEAD
    if wide > 150:
        middles = (x + wide * (0.27 if i % 2 == 0 else 0.73) for i in range(number))
        return tuple(Wing(middle, y + 44, 1.25, middle, y + 86, wide / 2 - 10, True) for middle in middles)
    middles = (y + TALL / number * (i + 0.5) for i in range(number))
    return tuple(Wing(x + 22, middle, 0.85, x + 42, middle + 4, wide - 46, False) for middle in middles)


def places_of(s: Sequence[int]) -> tuple[Wing, ...]:
    """The places of those who can be hired, and last that of the pile."""
    return wing_places(s[F.seats] + 1, helpers(list(s)) + 1)


def wings(words: Words, s: Sequence[int], hired: Collection[int]) -> list[Item]:
    """Who can be hired, and the pile; those who are hired stand with whoever has hired them."""
    places = places_of(s)
    items = [Item("wings", "audition", _room(words.nameless(), s[F.seats] + 1, places, tuple(sorted(hired))))]
    for number, place in enumerate(places[:-1]):
        if number not in hired:
            items.append(helper(words, number, "audition", *place[:3]))
    left = sum(s[F.pile : F.pile + SINGERS])
    return [*items, Item("pile", "audition", pile(left), *places[-1][:3])]


def helper(words: Words, number: int, parent: str, x: float, y: float, scale: float) -> Item:
    """The dressmaker or the carpenter."""
    return Item(HELPER_KEYS[number], parent, helper_token(number), x, y, scale, title=words.say(HELPERS[number]))


@drawing
def _room(words: Words, cards: int, places: tuple[Wing, ...], hired: tuple[int, ...]) -> str:
    """The room, a word for each who stands there, and the places of those who are hired."""
    x, y = SINGERS_ON_OFFER.place(cards)
    is_beside = cards % SINGERS_ON_OFFER.across != 0
    room = rect(x, y + HEAD, WIDE - EDGE - x, TALL, "pit", 8) if is_beside else rect(EDGE, y - 2, INNER, 40, "pit", 8)
    parts = [room, *(scaled([tag("circle", r=19, cls="spent")], *places[number][:3]) for number in hired)]
    texts = [words.say(HELPERS[number]) for number in range(len(places) - 1)]
    for place, text in zip(places, [*texts, words.say("singers in the pile")], strict=True):
        size, step = (13, 15) if place.is_below else (12, 14)
        wrapped = wrap(text, place.text_width, size)
        first = place.text_y if place.is_below else place.text_y - step * (len(wrapped) - 1) / 2
        parts += lines(wrapped, place.text_x, first, size, step, cls="quiet", anchor="middle" if place.is_below else "start")
    return group(parts)


@drawing
def pile(left: int) -> str:
    """The pile, with the number of its cards."""
    parts = [rect(-15 + 2 * i, -19 + 2 * i, 26, 36, "back", 4) for i in range(2 if left else 0)]
    parts.append(rect(-11, -15, 26, 36, "back" if left else "spent", 4))
    return group([*parts, write(str(left), 2, 9, 17, cls="name ivory bold" if left else "name quiet bold")])
