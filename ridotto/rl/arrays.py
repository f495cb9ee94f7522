"""Arrays that belong together, as named tuples: additional arguments of compiled functions for learners."""

from __future__ import annotations

from typing import NamedTuple

from ridotto.engine.fields import Row


class Encoding(NamedTuple):
    """How a masked row becomes numbers, word by word; the first index is that of the viewer. Made by `Tensors.encoding`."""

    steps: list[list[Row]]
    """For each word: its place in the row, the kind of its elements, the start of its line in `places`, the element for
    "hidden" (or -1)."""
    places: list[Row]
    """A line holds the element for each value from -1 on, or for each bit, or the one element of a number."""
    scales: list[float]
    """The factor of each element."""


class Elements(NamedTuple):
    """The same encoding element by element, for a GPU, where neighbouring threads compute neighbouring elements."""

    words: list[Row]
    """The place of the word, by viewer and element."""
    ops: Row
    """The kind of each element: what it says about its word."""
    arguments: list[Row]
    """The value or the bit that it tests, by viewer and element."""
    scales: list[float]


class Learning(NamedTuple):
    """Additional arrays for learners, one line for each row of a batch."""

    learners: Row
    """The seats that learn in each row, as a set."""
    bot_seats: Row
    """The seats that the game's own bot plays, as a set."""
    masked: list[Row]
    """Each row as the seat to act may know it."""
    seen: list[list[float]]
    """The same row encoded as numbers."""
    allowed: list[Row]
    """The legal actions of that seat, one number for each action."""
    lasts: list[Row]
    """The last row of a match that has ended, as the seat that moved may know it."""
