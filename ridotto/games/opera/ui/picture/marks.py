"""Drawings that several panels have: their heads, medallions, coins, arches and buttons."""

from __future__ import annotations

from typing import Any, Final

from ridotto.engine.fields import Seat
from ridotto.games.opera import rules
from ridotto.games.opera.ui.sketch import CHIPS
from ridotto.present.kit import circle, drawing, halo, path
from ridotto.present.svg import group, measure, tag, write

EDGE: Final = 8
"""What a panel leaves free at its sides."""
TEXT: Final = 15.5
"""The height of a quiet text: on a window of 1280 × 720 it is 12 pixels high."""
FACT: Final = 17.5
"""The height of what a decision needs: on a window of 1024 × 768 it is 12 pixels high."""
BOLD: Final = 18
"""The height of a name or a number."""
TITLE: Final = 19


def head(title: str, wide: float) -> str:
    """The title of a panel over a gilt line."""
    text = write(title, EDGE + 2, 23, TITLE, cls="title oncloth bold", anchor="start", within=wide - 2 * EDGE)
    return group([valance(34, wide), text])


@drawing
def note(text: str, title: str, wide: float) -> str:
    """A note on the right of a panel's title, if there is room for it."""
    room = wide - 5 * EDGE - measure(title, TITLE, "serif-bold")
    return write(text, wide - EDGE - 2, 22.5, FACT, cls="oncloth", anchor="end") if measure(text, FACT) <= room else ""


@drawing
def valance(tall: float, wide: float) -> str:
    """The red cloth behind the head of a panel, with a gilt hem in scallops."""
    count = max(4, round(wide / 30))
    hem = "".join(f"a{wide / count / 2:.2f} 7 0 0 1{-wide / count:.2f} 0" for _ in range(count))
    cloth = f"M0.5 {tall - 4}V10A10 10 0 0 1 10.5 0.5H{wide - 10.5}A10 10 0 0 1 {wide - 0.5} 10V{tall - 4}{hem}Z"
    return group([path(cloth, "cloth"), path(f"M{wide} {tall - 4}{hem}", "hem")])


@drawing
def medallion(piece: int, size: float, seat: Seat = 0) -> str:
    """A piece or a composer as a medallion with a monogram; the house piece is a small house in its seat's colour."""
    half = size / 2
    rim = tag("circle", cls="rim", r=half - 1)
    if piece == rules.HOUSE:
        roof = f"M{-half * 0.62:.1f} {-half * 0.05:.1f}L0 {-half * 0.66:.1f}L{half * 0.62:.1f} {-half * 0.05:.1f}Z"
        walls = f"M{-half * 0.44:.1f} {half * 0.04:.1f}H{half * 0.44:.1f}V{half * 0.55:.1f}H{-half * 0.44:.1f}Z"
        return group([tag("circle", cls="card", r=half - 1), path(roof + walls, f"seat{seat} outlined"), rim])
    dark = " dark" if piece in (0, 2) else ""
    ring = () if size < 28 else (tag("circle", cls="groove", r=half - 3.5),)
    high = max(FACT, round(size * 0.48))
    narrow: dict[str, Any] = {"textLength": f"{size - 6:g}", "lengthAdjust": "spacingAndGlyphs"} if size < 30 else {}
    monogram = write(CHIPS[piece], 0, high * 0.34, high, cls="monogram name" + dark, **narrow)
    return group([tag("circle", cls=f"composer{piece}", r=half - 1), *ring, rim, monogram])


@drawing
def coin(text: str, radius: float = 9, x: float = 0, y: float = 0) -> str:
    """An amount of ducats as a coin."""
    size = max(FACT, radius * (1.5 if len(text) < 2 else 1.25))
    amount = write(text, x, y + size * 0.34, size, cls="oncoin", within=2 * radius - 2)
    return group([circle(x, y, radius, "coin"), amount])


def arch(x: float, y: float, wide: float, tall: float, cls: str) -> str:
    """An arched opening."""
    half = wide / 2
    top = y + half
    curve = f"M{x:.1f} {y + tall:.1f}V{top:.1f}A{half:.1f} {half:.1f} 0 0 1 {x + wide:.1f} {top:.1f}V{y + tall:.1f}Z"
    return path(curve, cls)


@drawing
def button(label: str, wide: float, tall: float) -> str:
    """An action without a thing on the table: a button with its words."""
    back = tag("rect", cls="raised", width=wide, height=tall, rx=8)
    text = write(label, wide / 2, tall / 2 + 6, TEXT + 1, cls="bold", within=wide - 12)
    return "".join((back, halo(0, 0, wide, tall, 8), text))


@drawing
def copies(number: int) -> str:
    """The number of copies of a thing, on a small plate."""
    plate = tag("rect", cls="card", x=-11, y=-11, width=27, height=21, rx=5)
    return plate + write(f"×{number}", 2, 5.5, FACT, cls="oncard bold")


def unit(amount: str) -> str:
    """The unit of an amount: "3 points" without its number."""
    return amount.lstrip("-0123456789 ")
