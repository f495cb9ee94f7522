"""Who can be hired, and the pile: beside the cards on offer."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from ridotto.games.turandot.components import SINGERS
from ridotto.games.turandot.rules import F, helpers
from ridotto.games.turandot.ui.messages import HELPERS
from ridotto.games.turandot.ui.picture.cards import HELPER_KEYS, TALL, helper_token
from ridotto.games.turandot.ui.picture.plan import CARDS_ON_OFFER, HEAD, ROW, SIZES, WINGS_TALL, has_row_of_wings, panel_of
from ridotto.games.turandot.ui.picture.signs import scaled
from ridotto.games.turandot.ui.words import Words
from ridotto.present.kit import EDGE, INNER, WIDE, drawing, lines, rect
from ridotto.present.scene import Item
from ridotto.present.svg import group, tag, wrap, write


class Wing(NamedTuple):
    """A place in the wings: where something stands, and where a word about it is written."""

    panel: str
    x: float
    y: float
    scale: float
    text_x: float
    text_y: float
    """The middle of its lines, or the first one where they are written below."""
    text_width: float
    is_below: bool


@drawing
def wing_places(seats: int, number: int) -> tuple[Wing, ...]:
    """Beside the cards, where no card lies; if there is no such place, in a row below the round."""
    if has_row_of_wings(seats):
        y, each = SIZES[seats].head - WINGS_TALL / 2 - 2, INNER / number
        starts = [EDGE + each * i for i in range(number)]
        return tuple(Wing("audition", x + 22, y, 0.8, x + 42, y + 4, each - 44, False) for x in starts)
    name, (x, _) = panel_of(seats + 1), CARDS_ON_OFFER.place((seats + 1) % ROW)
    wide = WIDE - EDGE - x
    if wide > 150:
        middles = (x + wide * (i + 0.5) / number for i in range(number))
        return tuple(Wing(name, middle, HEAD + 50, 1.25, middle, HEAD + 96, wide / number - 8, True) for middle in middles)
    middles = (HEAD + TALL / number * (i + 0.5) for i in range(number))
    return tuple(Wing(name, x + 22, middle, 0.85, x + 42, middle + 4, wide - 46, False) for middle in middles)


def places_of(s: Sequence[int]) -> tuple[Wing, ...]:
    """The places of those who can be hired, and last that of the pile."""
    return wing_places(s[F.seats], helpers(list(s)) + 1)


def wings(words: Words, s: Sequence[int], hired: Collection[int]) -> list[Item]:
    """Who can be hired, and the pile; those who are hired stand with whoever has hired them."""
    places = places_of(s)
    items = [Item("wings", places[0].panel, _room(words.nameless(), s[F.seats], places, tuple(sorted(hired))))]
    for number, place in enumerate(places[:-1]):
        if number not in hired:
            items.append(helper(words, number, *place[:4]))
    left = sum(s[F.pile : F.pile + SINGERS])
    name, x, y, scale = places[-1][:4]
    return [*items, Item("pile", name, pile(left), x, y, scale)]


def helper(words: Words, number: int, parent: str, x: float, y: float, scale: float) -> Item:
    """The dressmaker or the carpenter."""
    return Item(HELPER_KEYS[number], parent, helper_token(number), x, y, scale, title=words.say(HELPERS[number]))


@drawing
def _room(words: Words, seats: int, places: tuple[Wing, ...], hired: tuple[int, ...]) -> str:
    """The room, a word for each who stands there, and the places of those who are hired."""
    if has_row_of_wings(seats):
        room = rect(EDGE, SIZES[seats].head - WINGS_TALL - 2, INNER, WINGS_TALL - 4, "pit", 8)
    else:
        x, _ = CARDS_ON_OFFER.place((seats + 1) % ROW)
        room = rect(x, HEAD + 2, WIDE - EDGE - x, TALL, "pit", 8)
    parts = [room, *(scaled([tag("circle", r=19, cls="spent")], *places[number][1:4]) for number in hired)]
    texts = [words.say(HELPERS[number]) for number in range(len(places) - 1)]
    for place, text in zip(places, [*texts, words.say("singers in the pile")], strict=True):
        size, step = 16.2, 16
        wrapped = wrap(text, place.text_width, size)
        first = place.text_y if place.is_below else place.text_y - step * (len(wrapped) - 1) / 2
        anchor = "middle" if place.is_below else "start"
        parts += lines(wrapped, place.text_x, first, size, step, cls="quiet", anchor=anchor, within=place.text_width)
    return group(parts)


@drawing
def pile(left: int) -> str:
    """The pile, with the number of its cards."""
    parts = [rect(-15 + 2 * i, -19 + 2 * i, 26, 36, "back", 4) for i in range(2 if left else 0)]
    parts.append(rect(-11, -15, 26, 36, "back" if left else "spent", 4))
    return group([*parts, write(str(left), 2, 10, 20, cls="name ivory bold" if left else "name quiet bold")])
