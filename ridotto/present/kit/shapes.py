"""The shapes of every table, as SVG: basic shapes and the light on them, lines of text, badges, marks of seats, frames."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from ridotto.engine.fields import Seat
from ridotto.present.kit.cache import drawing
from ridotto.present.svg import Panel, group, number, seat_mark, tag, write

WIDE: Final = 360
"""The width of a panel."""
EDGE: Final = 10
"""The margin that a panel leaves free at its sides."""
INNER: Final = WIDE - 2 * EDGE


@drawing
def panel(name: str, title: str, wide: float, tall: float, private: bool = False) -> Panel:
    """A panel without its drawing. The same one comes with every action."""
    return Panel(name, title, round(wide), round(tall), private=private)


def rect(x: float, y: float, wide: float, tall: float, cls: str, rx: float | None = 6) -> str:
    """A rectangle, with round corners unless `rx` is None."""
    return tag("rect", x=x, y=y, width=wide, height=tall, rx=rx, cls=cls)


def blank(wide: float, tall: float, cls: str, rx: float | None = None) -> str:
    """A rectangle from the origin on, such as a card or a room without what is on it."""
    return tag("rect", width=wide, height=tall, rx=rx, cls=cls)


def path(d: str, cls: str) -> str:
    """A path."""
    return tag("path", d=d, cls=cls)


def circle(x: float, y: float, radius: float, cls: str) -> str:
    """A circle about a middle."""
    return tag("circle", cx=x, cy=y, r=radius, cls=cls)


def halo(x: float, y: float, wide: float, tall: float, rx: float = 7) -> str:
    """The light on a thing that stands for an action."""
    return rect(x, y, wide, tall, "halo", rx)


@drawing
def frame(tall: float, wide: float = WIDE) -> str:
    """The background of a panel, with its edge."""
    return rect(0.5, 0.5, wide - 1, tall - 1, "panel", 10)


@drawing
def line(text: str, size: float, cls: str = "", anchor: str = "middle", within: float = 0) -> str:
    """A line of text at the origin of an item."""
    return write(text, 0, 0, size, cls=cls, anchor=anchor, within=within)


def lines(texts: Iterable[str], x: float, y: float, size: float, step: float, **more: Any) -> list[str]:
    """Lines of text below one another; see `wrap` and `write`."""
    return [write(text, x, y + step * at, size, **more) for at, text in enumerate(texts)]


def badge(text: str, x: float, y: float, radius: float, size: float, cls: str, text_cls: str) -> list[str]:
    """A number on a disc."""
    return [circle(x, y, radius, cls), write(text, x, y + round(size * 0.35), size, cls=text_cls)]


@drawing
def token(seat: Seat, size: float, letters: str = "") -> str:
    """The mark of a seat around its middle, with the letters that tell it from the others."""
    return seat_mark(seat, 0, 0, size, letters)


def placed(parts: Iterable[str], x: float, y: float, scale: float = 1, **attributes: object) -> str:
    """Several elements as one, moved to a place, larger or smaller."""
    return tag("g", *parts, transform=place(x, y, scale), **attributes)


def place(x: float, y: float, scale: float = 1) -> str:
    """A place as a transform."""
    return f"translate({number(x)} {number(y)})" + ("" if scale == 1 else f" scale({scale:g})")


def mirrored(parts: Iterable[str], wide: float) -> str:
    """Several elements on the other side of a thing that is so wide."""
    return tag("g", group(parts), transform=f"translate({number(wide)} 0) scale(-1 1)")
