"""Small signs, drawn around the middle of a square of 16: what stands on cards, and beside points."""

from __future__ import annotations

from collections.abc import Iterable
from math import cos, pi, sin
from typing import Final

from ridotto.present.kit import halo
from ridotto.present.svg import tag

EMBLEMS: Final = (
    "M-7 -5.5L-1.5 -1.5H1.5L7 -5.5V5.5L1.5 1.5H-1.5L-7 5.5Z",
    "M0 -7.6a2.7 2.7 0 0 1 2.4 4 2.7 2.7 0 0 1 4.4 1.6 2.7 2.7 0 0 1 -2.2 3.6 2.7 2.7 0 0 1 -.1 4.8 2.7 2.7 0 0 1 -4.5 -1.4"
    " 2.7 2.7 0 0 1 -4.5 1.4 2.7 2.7 0 0 1 -.1 -4.8 2.7 2.7 0 0 1 -2.2 -3.6 2.7 2.7 0 0 1 4.4 -1.6 2.7 2.7 0 0 1 2.4 -4Z"
    "M0 -2.3a2.3 2.3 0 1 0 .01 0Z",
    "M-7 -7.5H7V-4.5H-7ZM-7 4.5H7V7.5H-7ZM-5 -3.5H-2.6V3.5H-5ZM-1.2 -3.5H1.2V3.5H-1.2ZM2.6 -3.5H5V3.5H2.6Z",
    "M2.5 -8L-5.5 1.2H-.8L-2.5 8L5.5 -1.8H.8Z",
    "M-7 -6.5Q0 -8.5 7 -6.5Q8.5 4 0 8Q-8.5 4 -7 -6.5ZM-4.8 -2.6a1.7 1.2 0 1 0 3.4 0a1.7 1.2 0 1 0 -3.4 0Z"
    "M1.4 -2.6a1.7 1.2 0 1 0 3.4 0a1.7 1.2 0 1 0 -3.4 0ZM-4 1.4Q0 3.4 4 1.4Q2.6 5.6 0 5.6Q-2.6 5.6 -4 1.4Z",
    "M2.6 -7.7A7.8 7.8 0 1 0 7.7 2.6A6.4 6.4 0 0 1 2.6 -7.7Z",
)
"""The sign of each category: a bow tie, a flower, a column, a flash, a laughing mask, a moon."""

SEX_SHAPES: Final = (
    "M0 1.4a4 4 0 1 1 .01 0ZM0 1.4V7.4M-2.8 4.4H2.8",
    "M-1.8 6a4 4 0 1 1 .01 0ZM1.2 -1L6 -6M2 -6.2H6.2V-2",
    "M-.8 3.2a3.4 3.4 0 1 1 .01 0ZM-.8 3.2V7.8M-3 5.6H1.4M1.8 -2.6L6 -6.8M2.8 -7H6.2V-3.6",
)
HEART: Final = "M0 6.2C-8 .6 -7 -6 -3.4 -6C-1.4 -6 0 -4.2 0 -3.2C0 -4.2 1.4 -6 3.4 -6C7 -6 8 .6 0 6.2Z"
STAR: Final = " ".join(
    f"{(7.6 if i % 2 == 0 else 3.2) * sin(pi * i / 5):.2f},{-(7.6 if i % 2 == 0 else 3.2) * cos(pi * i / 5):.2f}"
    for i in range(10)
)
MASK: Final = (
    "M-8 -3Q-4 -6 0 -3.4Q4 -6 8 -3Q8.4 3.6 4 4.4Q1.4 4.4 0 1.6Q-1.4 4.4 -4 4.4Q-8.4 3.6 -8 -3Z"
    "M-6 -.8Q-3.8 -2.6 -2 -.4Q-3.8 1.6 -6 -.8ZM6 -.8Q3.8 -2.6 2 -.4Q3.8 1.6 6 -.8Z"
)
QUILL: Final = "M7 -8Q-3 -7 -5 3L-8 8L-3.4 4.6Q6 3 7 -8ZM-5 5Q-1 -2 4 -5Q-.4 -1.6 -5 5Z"
DRESS: Final = "M-2.6 -8Q0 -5.6 2.6 -8L3.2 -4L2 -1.4L7 8H-7L-2 -1.4L-3.2 -4Z"
HAMMER: Final = "M-8 -7H3Q7 -7 8 -3L4.6 -2.4V-1H1.4V8H-2.2V-1H-8Z"
MEGAPHONE: Final = "M-8 -2.6H-3.4L6.4 -7.6V7L-3.4 2.4H-8ZM-6 3.4H-2.6L-1.6 8H-5Z"
HELPER_SHAPES: Final = (DRESS, HAMMER)

"""What the dressmaker and the carpenter work at."""


def at(x: float, y: float, scale: float = 1) -> str:
    """A place as a transform, with the thousandths that a text before it takes."""
    return f"translate({x:g} {y:g})" + ("" if scale == 1 else f" scale({scale:g})")


def sign(shape: str, x: float, y: float, scale: float = 1, cls: str = "pen", **more: object) -> str:
    """A sign with its middle at a place."""
    return tag("path", d=shape, transform=at(x, y, scale), **more, cls=cls)


def emblem(category: int, x: float, y: float, scale: float = 1, cls: str = "pen") -> str:
    """The sign of a category."""
    return sign(EMBLEMS[category], x, y, scale, cls, fill_rule="evenodd")


def mask(x: float, y: float, scale: float = 1, cls: str = "pen") -> str:
    """The mask, for the bluff card and for the troupe of nobody."""
    return sign(MASK, x, y, scale, cls, fill_rule="evenodd")


def star(x: float, y: float, scale: float = 1, cls: str = "gold") -> str:
    """A singer's star."""
    return tag("polygon", points=STAR, transform=at(x, y, scale), cls=cls)


def scaled(parts: Iterable[str], x: float, y: float, scale: float) -> str:
    """Several elements as one, made so much smaller that they fit."""
    return tag("g", *parts, transform=at(x, y, scale))


def stroke(x: float, y: float, to_x: float, to_y: float, cls: str = "rule") -> str:
    """A straight line."""
    return tag("line", x1=x, y1=y, x2=to_x, y2=to_y, cls=cls)


def light(wide: float, tall: float, x: float = 0, y: float = 0) -> str:
    """The light around something that can be done: behind it, so that what is written there keeps its contrast."""
    return halo(x - 1, y - 1, wide + 2, tall + 2, 9)


def tone(value: int) -> str:
    """The class of a number of points: whether they are won or lost."""
    return "good" if value > 0 else "bad" if value < 0 else "quiet"
