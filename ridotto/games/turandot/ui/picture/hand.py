"""The panel of the reader's cards; in the audition, each of them can be chosen."""

from __future__ import annotations

from typing import Final

from ridotto.core.view import View
from ridotto.games.turandot.components import MONEY
from ridotto.games.turandot.rules import F, bluff_in, is_bid, money_in, position_of
from ridotto.games.turandot.ui.picture.audition import lays
from ridotto.games.turandot.ui.picture.cards import BLUFF_CARD, MONEY_CARD, NUMBER_CARDS
from ridotto.games.turandot.ui.picture.frames import frame, heading
from ridotto.games.turandot.ui.picture.offers import number_part
from ridotto.games.turandot.ui.picture.worth import offer_of
from ridotto.games.turandot.ui.words import Words
from ridotto.present.kit import EDGE, INNER, WIDE, drawing, halo, panel, placed, rect
from ridotto.present.scene import Item, Layer
from ridotto.present.svg import group

NO_MONEY: Final = rect(-8, -12, 16, 24, "spent", 3)


def hand(view: View, words: Words) -> Layer:
    """The reader's hand."""
    s, seat = view.row, view.seat
    assert seat is not None
    if lays(s, seat):
        tall, items = 194, cards_to_lay(words.nameless(), s[F.money + seat], offer_of(s))
    else:
        choice = max(s[F.pending + seat], s[F.shown + seat])
        out = money_in(choice) if s[F.pending + seat] >= 0 else 0
        tall, items = 106, cards_in_hand(view.seats, s[F.money + seat], choice, out)
    is_own = words.spoken_to(seat) == seat  # in a review a reader looks at the cards of others, too
    title = words.say("Your hand") if is_own else words.player(seat)
    question = words.say("What will you lay?") if is_own and lays(s, seat) else title
    head = Item("hand-heading", "hand", hand_heading(words, question, s[F.money + seat]))
    return Layer([panel("hand", title, WIDE, tall)], [frame("hand", tall), head, *items])


def hand_heading(words: Words, title: str, money: int) -> str:
    """Whose hand it is, and the money in it."""
    return heading(title, words.say("money cards: {n}", n=money))


@drawing
def cards_in_hand(seats: int, money: int, choice: int, out: int) -> tuple[Item, ...]:
    """Number cards, money and the bluff card; what is laid, as much money as `out` of it, is pale."""
    x = WIDE / 2 - (32 * (seats + 1) + 20 * MONEY + 34) / 2
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
    bluff = "dim" if choice >= 0 and bluff_in(choice) else ""
    return *items, Item("bluff", "hand", BLUFF_CARD, x + 18, 72, 1.1, bluff)


@drawing
def cards_to_lay(words: Words, money: int, offer: tuple[int, ...]) -> tuple[Item, ...]:
    """A number card for each singer, the money and the bluff card, each as large as a finger: together they are a bid."""
    items = []
    wide = INNER / len(offer)
    for number, card in enumerate(offer):
        look = _pickable(NUMBER_CARDS[number], wide - 4, 1.5)
        label = words.say("number {number}: {card}", number=number + 1, card=words.card(card))
        part = number_part(number + 1)
        items.append(Item(f"number-{number}", "hand", look, EDGE + wide * (number + 0.5), 77, part=part, label=label))
    for i in range(MONEY):
        x = EDGE + 29 + 58 * i
        if i < money:
            label = words.count("{n} money card", "{n} money cards", i + 1, n=i + 1)
            items.append(Item(f"coin-{i}", "hand", _pickable(MONEY_CARD, 54, 2), x, 149, part=f"money={i + 1}", label=label))
        else:
            items.append(Item(f"coin-{i}", "hand", NO_MONEY, x, 149, 1.8))
    look, label = _pickable(BLUFF_CARD, 84, 1.7), words.say("the bluff card")
    return *items, Item("bluff", "hand", look, WIDE - EDGE - 44, 149, part="bluff=bluff", label=label)


def _pickable(card: str, wide: float, scale: float, tall: float = 62) -> str:
    """A card that can be chosen, with its light."""
    return group([halo(-wide / 2, -tall / 2, wide, tall, 8), placed([card], 0, 0, scale)])
