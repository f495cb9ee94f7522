"""The Palazzo, with the deck and the discard pile beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ridotto.core.view import View
from ridotto.games.opera import rules
from ridotto.games.opera.rules import A, F
from ridotto.games.opera.ui.picture.facts import asks
from ridotto.games.opera.ui.picture.marks import arch, button, head, medallion, note
from ridotto.games.opera.ui.words import Words
from ridotto.present.kit import EDGE, WIDE, Grid, Span, drawing, frame, path, rect, row
from ridotto.present.narrator import opening
from ridotto.present.scene import Item
from ridotto.present.svg import write

HEIGHT: Final = 114
NICHES: Final = Grid(6, 45, 56, gap=5, x=EDGE + 4, y=44)
"""The places for pieces."""


def _places(seats: int) -> int:
    return max(3, seats)


def board(words: Words, seats: int) -> str:
    """The Palazzo without pieces."""
    niches = [arch(*NICHES.place(at), 45, 56, "hall great") for at in range(_places(seats))]
    floor = path(f"M{EDGE + 1} 100H{EDGE + 2 + _places(seats) * 50}V104H{EDGE + 1}Z", "gilt")
    return "".join((frame(HEIGHT), head(words.say("Palazzo")), *niches, floor))


def items(view: View, words: Words) -> Sequence[Item]:
    """The pieces at the Palazzo, the deck, face down, and the discard pile with what lies there in its title."""
    s = view.row
    return _items(words, view.seats, s[F.palazzo], sum(s[F.deck : F.deck + 6]), s[F.discard : F.discard + 6])


@drawing
def _items(words: Words, seats: int, cast: int, deck: int, discard: tuple[int, ...]) -> Sequence[Item]:
    there = [Item("performing", "palazzo", note(f"{cast.bit_count()}/{_places(seats)}", words.say("Palazzo")))]
    for at, one in enumerate(one for one in range(6) if cast >> one & 1):
        x, _ = NICHES.place(at)
        there.append(Item(f"palazzo-{one}", "palazzo", medallion(one, 38), x + 22.5, 77, title=words.composer(one)))
    deck_span, discard_span = _beside(seats)
    there.append(_pile("deck", deck, words.say("deck"), deck_span, ""))
    names = ", ".join(f"{words.composer(one)} {discard[one]}" for one in range(6) if discard[one])
    there.append(_pile("discard", sum(discard), words.say("discard pile"), discard_span, names))
    return there


def _pile(key: str, number: int, name: str, span: Span, inside: str) -> Item:
    title, cls = f"{name}: {inside or number}", "" if number else "faint"
    return Item(key, "palazzo", pile(key == "deck", number, name, span.wide), span.middle, 0, 1, cls, title)


def _beside(seats: int, gap: float = 0) -> list[Span]:
    """The two places beside the Palazzo."""
    left = EDGE + 8 + _places(seats) * 50
    return row(2, WIDE - EDGE - left, left, gap)


def payments(view: View, words: Words) -> Iterator[Item]:
    """Buttons for the two ways of being paid for a piece just sold, in the place of the piles."""
    if not asks(view, rules.PAY):
        return
    assert view.seat is not None
    yield from (Item("deck", "palazzo"), Item("discard", "palazzo"))
    for at, (how, span) in enumerate(zip(rules.PAYMENT.names, _beside(view.seats, 6), strict=True)):
        label = words.label(view.row, view.seat, A.take + at)
        look = button(opening(label), span.wide, 60)
        yield Item(f"take-{how}", "palazzo", look, span.x, 44, action=A.take + at, label=label)


def trace(view: View, composer: int) -> Item:
    """A line around a piece at the Palazzo."""
    at = (view.row[F.palazzo] & (1 << composer) - 1).bit_count()
    x, _ = NICHES.place(at)
    return Item(f"trace-palazzo-{composer}", "palazzo", arch(0, 0, 39, 50, "trace"), x + 3, 47)


@drawing
def pile(is_deck: bool, number: int, name: str, wide: float) -> str:
    """The deck, face down, or the discard pile."""
    back = "back" if is_deck else "card"
    stack = [rect(-15 - i, 48 - i, 30, 36, back, 4) for i in range(min(3, 1 + number // 10))]
    count = write(str(number), -1, 72, 17, cls="onfigure" if is_deck else "oncard bold")
    return "".join((*stack, count, write(name, 0, 102, 13, cls="quiet", within=wide - 2)))
