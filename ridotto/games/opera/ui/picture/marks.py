"""Drawings that several panels have: their heads, medallions, coins, arches and buttons."""

from __future__ import annotations

from ridotto.engine.fields import Seat
from ridotto.games.opera import rules
from ridotto.games.opera.ui.sketch import CHIPS
from ridotto.present.kit import EDGE, WIDE, circle, drawing, halo, lines, path
from ridotto.present.svg import group, measure, tag, wrap, write


def head(title: str) -> str:
    """The title of a panel over a gilt line."""
    return group([valance(34), write(title, EDGE + 4, 23, 18, cls="title oncloth bold", anchor="start", within=210)])


@drawing
def note(text: str, title: str) -> str:
    """A note on the right of a panel's title."""
    room = WIDE - 50 - min(measure(title, 18), 210)
    return write(text, WIDE - EDGE - 4, 22, 13, cls="oncloth", anchor="end", within=room)


@drawing
def valance(tall: int) -> str:
    """The red cloth behind the head of a panel, with a gilt hem in scallops."""
    hem = "".join(f"a{WIDE / 24:.2f} 7 0 0 1{-WIDE / 12:.2f} 0" for _ in range(12))
    cloth = f"M0.5 {tall - 4}V10A10 10 0 0 1 10.5 0.5H{WIDE - 10.5}A10 10 0 0 1 {WIDE - 0.5} 10V{tall - 4}{hem}Z"
    return group([path(cloth, "cloth"), path(f"M{WIDE} {tall - 4}{hem}", "hem")])


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
    monogram = write(CHIPS[piece], 0, size * 0.17 + 0.5, max(14.5, round(size * 0.46)), cls="monogram name" + dark)
    return group([tag("circle", cls=f"composer{piece}", r=half - 1), *ring, rim, monogram])


@drawing
def coin(text: str, radius: float = 9, x: float = 0, y: float = 0) -> str:
    """An amount of ducats as a coin."""
    size = max(14.5, radius * (1.5 if len(text) < 2 else 1.25))
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
    size = 14.0
    while len(texts := wrap(label, wide - 14, size)) * size * 1.2 > tall - 4 and size > 12:
        size -= 0.5
    first = tall / 2 - (len(texts) - 1) * size * 0.6 + size * 0.35
    back = tag("rect", cls="raised", width=wide, height=tall, rx=8)
    return "".join((back, halo(0, 0, wide, tall, 8), *lines(texts, wide / 2, first, size, size * 1.2, cls="bold")))


@drawing
def copies(number: int) -> str:
    """The number of copies of a thing, on a small plate."""
    plate = tag("rect", cls="card", x=-9, y=-9, width=20, height=17, rx=5)
    return plate + write(f"×{number}", 1, 4.5, 13, cls="oncard bold")


def unit(amount: str) -> str:
    """The unit of an amount: "3 points" without its number."""
    return amount.lstrip("-0123456789 ")
