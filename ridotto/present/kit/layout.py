"""Layouts: columns, rows and grids, fanned out or centred; each knows how much room it takes."""

from __future__ import annotations

from typing import NamedTuple


class Column:
    """Things below one another, from `top` on. What is added takes its height, and the column grows.

    >>> column = Column(40, gap=4)
    >>> [column.add(52) for _ in range(3)], column.end
    ([40, 96, 152], 204)
    """

    def __init__(self, top: float = 0, gap: float = 0) -> None:
        self.end = top
        """The end of the last thing."""
        self.gap = gap
        self._is_empty = True

    def add(self, tall: float) -> float:
        """Add something of this height: where it begins."""
        begin = self.end if self._is_empty else self.end + self.gap
        self._is_empty = False
        self.end = begin + tall
        return begin


class Span(NamedTuple):
    """A part of a row."""

    x: float
    wide: float

    @property
    def middle(self) -> float:
        """The middle."""
        return self.x + self.wide / 2


def row(count: int, wide: float, x: float = 0, gap: float = 0) -> list[Span]:
    """Equal parts of a row, side by side.

    >>> row(3, 100, x=10, gap=5)
    [Span(x=10.0, wide=30.0), Span(x=45.0, wide=30.0), Span(x=80.0, wide=30.0)]
    """
    each = (wide - gap * (count - 1)) / count
    return [Span(x + number * (each + gap), each) for number in range(count)]


class Grid(NamedTuple):
    """Places of equal size, so many `across`, row by row.

    >>> cards = Grid(3, 110, 148, gap=5, row_gap=32, x=10, y=64)
    >>> cards.place(4), cards.height(5)
    ((125, 244), 328)
    """

    across: int
    wide: float
    tall: float
    gap: float = 0
    row_gap: float = 0
    x: float = 0
    y: float = 0

    def place(self, number: int) -> tuple[float, float]:
        """The beginning of one of them."""
        down, right = divmod(number, self.across)
        return self.x + right * (self.wide + self.gap), self.y + down * (self.tall + self.row_gap)

    def height(self, count: int) -> float:
        """The height of so many of them together."""
        rows = -(-count // self.across)
        return rows * self.tall + max(0, rows - 1) * self.row_gap


def across(room: float, wide: float, gap: float = 0) -> int:
    """The number of things of a width that fit side by side, at least one: a grid for a wide window, or for a phone.

    >>> across(720, 110, 5), across(360, 110, 5)
    (6, 3)
    """
    return max(1, int((room + gap) // (wide + gap)))


def fan(count: int, pitch: float, room: float) -> list[float]:
    """The beginnings of things that lie side by side, so far apart; closer, over one another, where there is too little room.

    >>> fan(3, 34, 300), fan(5, 34, 100)
    ([0, 34, 68], [0.0, 20.0, 40.0, 60.0, 80.0])
    """
    step = min(pitch, room / max(1, count))
    return [number * step for number in range(count)]


def centred(count: int, pitch: float, middle: float = 0) -> list[float]:
    """The middles of things side by side, so far apart.

    >>> centred(3, 20, middle=100)
    [80.0, 100.0, 120.0]
    """
    return [middle + (number - (count - 1) / 2) * pitch for number in range(count)]
