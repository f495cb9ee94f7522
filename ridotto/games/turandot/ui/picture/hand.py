"""The panel of the reader's cards; in the audition, each of them can be chosen."""

from __future__ import annotations

from typing import Final, NamedTuple

from ridotto.core.view import View
from ridotto.games.turandot.components import MONEY
from ridotto.games.turandot.rules import F, bluff_in, is_bid, money_in, position_of
from ridotto.games.turandot.ui.picture.audition import lays
from ridotto.games.turandot.ui.picture.cards import BLUFF_CARD, MONEY_CARD, NUMBER_CARDS
from ridotto.games.turandot.ui.picture.frames import frame, heading
from ridotto.games.turandot.ui.picture.offers import number_part
from ridotto.games.turandot.ui.picture.plan import SIZES
from ridotto.games.turandot.ui.picture.worth import offer_of
from ridotto.games.turandot.ui.words import Words
from ridotto.present.kit import EDGE, INNER, WIDE, drawing, halo, panel, placed, rect
from ridotto.present.scene import Item, Layer
from ridotto.present.svg import group

NO_MONEY: Final = rect(-8, -12, 16, 24, "spent", 3)


def hand(view: View, words: Words) -> Layer:
    """The reader's hand: each card keeps its place, whether it can be laid now or not."""
    s, seat = view.row, view.seat
    assert seat is not None
    tall = SIZES[view.seats].hand
    if lays(s, seat):
        items = cards_to_lay(words.nameless(), tall, s[F.money + seat], offer_of(s))
    else:
        choice = max(s[F.pending + seat], s[F.shown + seat])
        out = money_in(choice) if s[F.pending + seat] >= 0 else 0
        items = cards_in_hand(tall, view.seats, s[F.money + seat], choice, out)
    is_own = words.spoken_to(seat) == seat  # in a review a reader looks at the cards of others, too
    title = words.say("Your hand") if is_own else words.player(seat)
    question = words.say("What will you lay?") if is_own and lays(s, seat) else title
    head = Item("hand-heading", "hand", hand_heading(words, question, s[F.money + seat]))
    return Layer([panel("hand", title, WIDE, tall)], [frame("hand", tall), head, *items])


def hand_heading(words: Words, title: str, money: int) -> str:
    """Whose hand it is, and the money in it."""
    return heading(title, words.say("money cards: {n}", n=money))


class Shelf(NamedTuple):
    """The places of the cards: the middles of the numbers and of what lies below them."""

    numbers: tuple[float, ...]
    upper: float
    coins: tuple[float, ...]
    bluff: float
    lower: float
    tall: float
    """The height of a place."""
    wide: float
    """The width of a number's place."""


COIN_WIDE, BLUFF_WIDE = 66, 96


@drawing
def shelf(tall: float, numbers: int) -> Shelf:
    """The places on a panel so tall: the numbers, and below them the money and the bluff card."""
    each = (tall - 34 - 8) / 2
    wide = INNER / numbers
    middles = tuple(EDGE + wide * (number + 0.5) for number in range(numbers))
    coins = tuple(EDGE + (COIN_WIDE + 4) * (i + 0.5) for i in range(MONEY))
    return Shelf(middles, 34 + each / 2, coins, WIDE - EDGE - BLUFF_WIDE / 2, 38 + each * 1.5, each, wide - 4)


@drawing
def cards_in_hand(tall: float, seats: int, money: int, choice: int, out: int) -> tuple[Item, ...]:
    """Number cards, money and the bluff card; what is laid, as much money as `out` of it, is pale."""
    at = shelf(tall, seats + 1)
    items = []
    for number, x in enumerate(at.numbers):
        cls = "dim" if is_bid(choice) and position_of(choice) == number else ""
        items.append(Item(f"number-{number}", "hand", _card(NUMBER_CARDS[number], at, at.wide), x, at.upper, cls=cls))
    for i, x in enumerate(at.coins):
        cls = "dim" if money - out <= i < money else ""
        items.append(
            Item(f"coin-{i}", "hand", _card(MONEY_CARD if i < money else NO_MONEY, at, COIN_WIDE), x, at.lower, cls=cls)
        )
    bluff = "dim" if choice >= 0 and bluff_in(choice) else ""
    return *items, Item("bluff", "hand", _card(BLUFF_CARD, at, BLUFF_WIDE), at.bluff, at.lower, cls=bluff)


@drawing
def cards_to_lay(words: Words, tall: float, money: int, offer: tuple[int, ...]) -> tuple[Item, ...]:
    """A number card for each singer, the money and the bluff card, each as large as a finger: together they are a bid."""
    at = shelf(tall, len(offer))
    items = []
    for number, (card, x) in enumerate(zip(offer, at.numbers, strict=True)):
        label = words.say("number {number}: {card}", number=number + 1, card=words.card(card))
        look = _card(NUMBER_CARDS[number], at, at.wide)
        items.append(Item(f"number-{number}", "hand", look, x, at.upper, part=number_part(number + 1), label=label))
    for i, x in enumerate(at.coins):
        item = Item(f"coin-{i}", "hand", _card(MONEY_CARD if i < money else NO_MONEY, at, COIN_WIDE), x, at.lower)
        if i < money:
            label = words.count("{n} money card", "{n} money cards", i + 1, n=i + 1)
            item = item._replace(part=f"money={i + 1}", label=label)
        items.append(item)
    look, label = _card(BLUFF_CARD, at, BLUFF_WIDE), words.say("the bluff card")
    return *items, Item("bluff", "hand", look, at.bluff, at.lower, part="bluff=bluff", label=label)


@drawing
def _card(card: str, at: Shelf, wide: float) -> str:
    """A card in its place, with the light for when it can be chosen."""
    tall = 26 if card in (MONEY_CARD, NO_MONEY) else 38
    scale = round(min(at.tall * 0.88 / tall, (wide - 6) / 27), 2)
    return group([halo(-wide / 2, -at.tall / 2, wide, at.tall, 8), placed([card], 0, 0, scale)])
