"""Liar's Dice drawn as SVG: the cups with their dice, and every bid there is."""

from __future__ import annotations

from typing import Final

from liars_dice.components import SIDES
from liars_dice.rules import A, F, on_table
from liars_dice.words import Words
from ridotto.core.drawing import Panel, group, piece, seat_mark, tag, target, write
from ridotto.core.view import View
from ridotto.engine.fields import HIDDEN

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
PIPS: Final = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
"""Where the pips of a face lie, counted from the middle."""


def panels(view: View, words: Words) -> list[Panel]:
    """The cups, and while the match goes on the bids."""
    return [_cups(view, words), *([_bids(view, words)] if view.outcome is None else [])]


def preview(view: View, words: Words, action: int) -> list[Panel]:
    """Nothing: a bid changes nothing but what is said, and what a challenge brings nobody knows."""
    return []


def vignette(words: Words) -> tuple[list[str], str]:
    """A throw of dice, one of them still under a cup."""
    cup = tag("path", cls="covered", d="M470 60H620L650 300H440Z")
    dice = [(4, 90, 150, -12), (6, 190, 230, 8), (2, 290, 130, 20), (6, 360, 260, -6)]
    thrown = [
        tag("g", die(face), transform=f"translate({x} {y}) rotate({turn}) scale(3) translate({-DIE / 2:g} {-DIE / 2:g})")
        for face, x, y, turn in dice
    ]
    return [tag("rect", cls="felt", width=720, height=360), *thrown, cup], "0 0 720 360"


def die(face: int) -> str:
    """A die that shows a face; 0 for one that is covered."""
    if face == 0:
        return tag("rect", cls="covered", width=DIE, height=DIE, rx=6)
    pips = (tag("circle", cls="pip", cx=DIE / 2 + 8 * x, cy=DIE / 2 + 8 * y, r=2.8) for x, y in PIPS[face])
    return group([tag("rect", cls="die", width=DIE, height=DIE, rx=6), *pips])


def _cups(view: View, words: Words) -> Panel:
    """A row for each seat: who it is, how many dice are left, and what they show if the reader may know."""
    row, parts, y = view.row, [], EDGE
    for seat in range(view.seats):
        acting = "row mine" if seat in view.to_act else "row"
        parts.append(tag("rect", cls=acting, x=EDGE, y=y, width=WIDTH - 2 * EDGE, height=44, rx=8))
        parts.append(seat_mark(seat, EDGE + 22, y + 22, 24, words.letter(seat)))
        parts.append(write(words.player(seat), EDGE + 42, y + 27, 14, anchor="start", within=WIDTH - 240, cls="name"))
        faces = row[F.cup + seat * SIDES : F.cup + (seat + 1) * SIDES]
        if HIDDEN in faces:
            shown = [0] * row[F.left + seat]
        else:
            shown = [face + 1 for face, number in enumerate(faces) for _ in range(number)]
        for slot in range(row[F.dice]):
            at = (WIDTH - EDGE - 4 - (row[F.dice] - slot) * (DIE + 4), y + 7)
            if slot < len(shown):
                title = str(shown[slot]) if shown[slot] else words.say("a covered die")
                parts.append(group([piece(f"die-{seat}-{slot}", die(shown[slot]), title=title)], at=at))
            else:
                parts.append(group([tag("rect", cls="lost", width=DIE, height=DIE, rx=6)], at=at))
        y += 50
    height = y - 6 + EDGE
    frame = tag("rect", cls="panel", x=0.5, y=0.5, width=WIDTH - 1, height=height - 1, rx=10)
    return Panel("cups", words.say("The cups"), WIDTH, height, group([frame, *parts]))


def _bids(view: View, words: Words) -> Panel:
    """A line for each quantity, a cell for each face; the standing bid is framed, and higher ones can be pointed at."""
    row, parts = view.row, []
    wide, tall = (WIDTH - 2 * EDGE - 40) / row[F.sides], 30
    for quantity in range(1, on_table(list(row)) + 1):
        y = EDGE + (quantity - 1) * tall
        parts.append(write(f"{quantity} ×", EDGE + 30, y + 20, 14, anchor="end"))
        for face in range(row[F.sides]):
            x = EDGE + 40 + face * wide
            action = A.bid + (quantity - 1) * SIDES + face
            is_past = (quantity, face) <= (row[F.quantity], row[F.face])
            cell = group([tag("g", die(face + 1), transform="scale(0.8)")], at=(x + wide / 2 - 12, y + 3))
            halo = tag("rect", cls="halo", x=x + 1, y=y + 1, width=wide - 2, height=tall - 2, rx=6)
            inside = [halo, group([cell], cls="past" if is_past else "")]
            if (quantity, face) == (row[F.quantity], row[F.face]):
                inside.append(tag("rect", cls="standing", x=x + 2, y=y + 2, width=wide - 4, height=tall - 4, rx=6))
            parts.append(target(view, words, action, *inside, ask=True))
    height = 2 * EDGE + on_table(list(row)) * tall
    frame = tag("rect", cls="panel", x=0.5, y=0.5, width=WIDTH - 1, height=height - 1, rx=10)
    return Panel("bids", words.say("The bids"), WIDTH, height, group([frame, *parts]))
