"""Liar's Dice drawn as SVG: the cups with their dice, and every bid there is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from liars_dice.components import SIDES
from liars_dice.rules import A, F, on_table
from liars_dice.ui.words import Words
from ridotto.core.view import Seen, View
from ridotto.engine.fields import HIDDEN, Seat
from ridotto.present.scene import Item, Layer, Move
from ridotto.present.svg import Panel, group, seat_mark, tag, write

STYLE: Final = """
.die { fill: $paper; stroke: $brass; } .pip { fill: $pen; }
.covered { fill: $curtain; stroke: $brass; } .lost { fill: none; stroke: $brass; stroke-dasharray: 2 2; }
.felt { fill: $plush; stroke: $brass; } .row { fill: $wood; } .mine { stroke: $glow; stroke-width: 2; }
.past { opacity: 0.35; } .standing { fill: none; stroke: $gilt; stroke-width: 3; }
"""
"""The classes of this game's drawing; see drawing.py."""
COLUMNS: Final = (("cups",), ("bids",))
"""The panels of a wide picture, column by column."""

WIDTH: Final = 360
EDGE: Final = 10
DIE: Final = 30
ROW_TALL: Final = 50
LINE_TALL: Final = 30
LOST: Final = tag("rect", cls="lost", width=DIE, height=DIE, rx=6)
"""The place of a die that was lost."""
PIPS: Final = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
"""Where the pips of a face lie, counted from the middle."""


def board(view: View, words: Words) -> dict[str, str]:
    """Nothing: the panels shrink as dice are lost."""
    return {}


def shared(view: View, words: Words) -> Layer:
    """The cups, and while the match goes on the bids."""
    cups = _cups(view, words)
    if view.outcome is not None:
        return cups
    bids = _bids(view, words)
    return Layer([*cups.panels, *bids.panels], [*cups.items, *bids.items])


def own(view: View, words: Words) -> Layer:
    """The dice under the reader's own cup."""
    assert view.seat is not None
    return Layer((), _dice(view, words, view.seat))


def moves(view: View, seen: Sequence[Seen]) -> list[Move]:
    """Nothing: dice are thrown anew where they lie."""
    return []


def preview(view: View, words: Words, action: int) -> dict[str, Sequence[Item]]:
    """Nothing: a bid changes nothing but what is said, and what a challenge brings nobody knows."""
    return {}


def vignette(words: Words) -> tuple[list[str], str]:
    """A throw of dice, one of them still under a cup."""
    cup = tag("path", cls="covered", d="M470 60H620L650 300H440Z")
    dice = [(4, 90, 150, -12), (6, 190, 230, 8), (2, 290, 130, 20), (6, 360, 260, -6)]
    thrown = [
        tag("g", die(face), transform=f"translate({x} {y}) rotate({turn}) scale(3) translate({-DIE / 2:g} {-DIE / 2:g})")
        for face, x, y, turn in dice
    ]
    return [tag("rect", cls="felt", width=720, height=360), *thrown, cup], "0 0 720 360"


@cache
def die(face: int) -> str:
    """A die that shows a face; 0 for one that is covered."""
    if face == 0:
        return tag("rect", cls="covered", width=DIE, height=DIE, rx=6)
    pips = (tag("circle", cls="pip", cx=DIE / 2 + 8 * x, cy=DIE / 2 + 8 * y, r=2.8) for x, y in PIPS[face])
    return group([tag("rect", cls="die", width=DIE, height=DIE, rx=6), *pips])


def _cups(view: View, words: Words) -> Layer:
    """A row for each seat: who it is, how many dice are left, and what they show if everybody may know."""
    height = EDGE + view.seats * ROW_TALL - 6 + EDGE
    items = [_frame("cups", height)]
    for seat in range(view.seats):
        y = EDGE + seat * ROW_TALL
        acting = "row mine" if seat in view.to_act else "row"
        items.append(Item(f"cup-{seat}", "cups", _cup(acting), 0, y))
        mark = seat_mark(seat, EDGE + 22, 22, 24, words.letter(seat))
        name = write(words.player(seat), EDGE + 42, 27, 14, anchor="start", within=WIDTH - 240, cls="name")
        items.append(Item(f"player-{seat}", "cups", group([mark, name]), 0, y))
        items += _dice(view, words, seat)
    return Layer([Panel("cups", words.say("The cups"), WIDTH, height)], items)


def _dice(view: View, words: Words, seat: Seat) -> list[Item]:
    """The dice of a seat, face up if the reader may know them, and the places of those that are lost."""
    row, items = view.row, []
    faces = row[F.cup + seat * SIDES : F.cup + (seat + 1) * SIDES]
    if HIDDEN in faces:
        shown = [0] * row[F.left + seat]
    else:
        shown = [face + 1 for face, number in enumerate(faces) for _ in range(number)]
    for slot in range(row[F.dice]):
        x, y = WIDTH - EDGE - 4 - (row[F.dice] - slot) * (DIE + 4), EDGE + seat * ROW_TALL + 7
        look, title = LOST, ""
        if slot < len(shown):
            look, title = die(shown[slot]), str(shown[slot]) if shown[slot] else words.say("a covered die")
        items.append(Item(f"die-{seat}-{slot}", "cups", look, x, y, title=title))
    return items


def _bids(view: View, words: Words) -> Layer:
    """A line for each quantity, a cell for each face; the standing bid is framed, and higher ones can be pointed at."""
    row = view.row
    wide = (WIDTH - 2 * EDGE - 40) / row[F.sides]
    height = 2 * EDGE + on_table(list(row)) * LINE_TALL
    items = [_frame("bids", height)]
    for quantity in range(1, on_table(list(row)) + 1):
        y = EDGE + (quantity - 1) * LINE_TALL
        items.append(Item(f"quantity-{quantity}", "bids", write(f"{quantity} ×", EDGE + 30, 20, 14, anchor="end"), 0, y))
        for face in range(row[F.sides]):
            bid = quantity, face
            look = _cell(face, wide, bid <= (row[F.quantity], row[F.face]), bid == (row[F.quantity], row[F.face]))
            action = A.bid + (quantity - 1) * SIDES + face
            items.append(Item(f"bid-{quantity}-{face}", "bids", look, EDGE + 40 + face * wide, y, action=action, ask=True))
    return Layer([Panel("bids", words.say("The bids"), WIDTH, height)], items)


@cache
def _cup(cls: str) -> str:
    return tag("rect", cls=cls, x=EDGE, width=WIDTH - 2 * EDGE, height=44, rx=8)


@cache
def _cell(face: int, wide: float, is_past: bool, is_standing: bool) -> str:
    """A bid that can be chosen: pale if a higher one stands, framed if it stands itself."""
    shown = tag("g", die(face + 1), transform="scale(0.8)")
    parts = [
        tag("rect", cls="halo", x=1, y=1, width=wide - 2, height=LINE_TALL - 2, rx=6),
        group([shown], at=(wide / 2 - 12, 3), cls="past" if is_past else ""),
    ]
    if is_standing:
        parts.append(tag("rect", cls="standing", x=2, y=2, width=wide - 4, height=LINE_TALL - 4, rx=6))
    return "".join(parts)


def _frame(panel: str, height: int) -> Item:
    """The edge of a panel."""
    return Item(f"{panel}-frame", panel, tag("rect", cls="panel", x=0.5, y=0.5, width=WIDTH - 1, height=height - 1, rx=10))
