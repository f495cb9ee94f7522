"""The Palazzo, with the deck and the discard pile beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ridotto.core.view import View
from ridotto.games.opera import rules
from ridotto.games.opera.rules import A, F
from ridotto.games.opera.ui.picture.facts import asks
from ridotto.games.opera.ui.picture.marks import EDGE, TEXT, arch, button, head, medallion, note
from ridotto.games.opera.ui.words import Words
from ridotto.present.kit import Grid, Span, drawing, frame, path, rect, row
from ridotto.present.narrator import opening
from ridotto.present.scene import Item
from ridotto.present.svg import write

WIDTH: Final = 270
HEIGHT: Final = 134
NICHES: Final = Grid(6, 42, 52, gap=4, x=EDGE + 2, y=38)
"""The places for pieces."""
BESIDE: Final = 99
"""The top of what lies below the Palazzo."""


def _places(seats: int) -> int:
    return max(3, seats)


def board(words: Words, seats: int) -> str:
    """The Palazzo without pieces."""
    niches = [arch(*NICHES.place(at), NICHES.wide, NICHES.tall, "hall great") for at in range(_places(seats))]
    floor = path(f"M{EDGE} 90H{EDGE + 2 + _places(seats) * 46}V94H{EDGE}Z", "gilt")
    return "".join((frame(HEIGHT, WIDTH), head(words.say("Palazzo"), WIDTH), *niches, floor))


def items(view: View, words: Words) -> Sequence[Item]:
    """The pieces at the Palazzo, the deck, face down, and the discard pile with what lies there in its title."""
    s = view.row
    return _items(words, view.seats, s[F.palazzo], sum(s[F.deck : F.deck + 6]), s[F.discard : F.discard + 6])


@drawing
def _items(words: Words, seats: int, cast: int, deck: int, discard: tuple[int, ...]) -> Sequence[Item]:
    there = [Item("performing", "palazzo", note(f"{cast.bit_count()}/{_places(seats)}", words.say("Palazzo"), WIDTH))]
    for at, one in enumerate(one for one in range(6) if cast >> one & 1):
        x, y = NICHES.place(at)
        there.append(Item(f"palazzo-{one}", "palazzo", medallion(one, 38), x + 21, y + 31, title=words.composer(one)))
    deck_span, discard_span = _beside()
    there.append(_pile("deck", deck, words.say("deck"), deck_span, ""))
    names = ", ".join(f"{words.composer(one)} {discard[one]}" for one in range(6) if discard[one])
    there.append(_pile("discard", sum(discard), words.say("discard pile"), discard_span, names))
    return there


def _pile(key: str, number: int, name: str, span: Span, inside: str) -> Item:
    title, cls = f"{name}: {inside or number}", "" if number else "faint"
    return Item(key, "palazzo", pile(key == "deck", number, name, span.wide), span.x, BESIDE, 1, cls, title)


def _beside() -> list[Span]:
    """The two places below the Palazzo."""
    return row(2, WIDTH - 2 * EDGE, EDGE, 6)


def payments(view: View, words: Words) -> Iterator[Item]:
    """Buttons for the two ways of being paid for a piece just sold, in the place of the piles."""
    if not asks(view, rules.PAY):
        return
    assert view.seat is not None
    yield from (Item("deck", "palazzo"), Item("discard", "palazzo"))
    for at, (how, span) in enumerate(zip(rules.PAYMENT.names, _beside(), strict=True)):
        label = words.label(view.row, view.seat, A.take + at)
        look = button(opening(label), span.wide, 31)
        yield Item(f"take-{how}", "palazzo", look, span.x, BESIDE, action=A.take + at, label=label)


def trace(view: View, composer: int) -> Item:
    """A line around a piece at the Palazzo."""
    at = (view.row[F.palazzo] & (1 << composer) - 1).bit_count()
    x, y = NICHES.place(at)
    return Item(f"trace-palazzo-{composer}", "palazzo", arch(0, 0, 36, 46, "trace"), x + 3, y + 3)


@drawing
def pile(is_deck: bool, number: int, name: str, wide: float) -> str:
    """The deck, face down, or the discard pile, with its number and its name."""
    back = "back" if is_deck else "card"
    stack = [rect(2 + i, 2 - i, 34, 27, back, 4) for i in range(min(3, 1 + number // 10))]
    count = write(str(number), 20, 22, 18, cls="onfigure" if is_deck else "oncard bold")
    return "".join((*stack, count, write(name, 44, 21, TEXT, cls="quiet", anchor="start", within=wide - 46)))
