"""Arrays that belong together, as named tuples: what the compiled functions of learners are handed, besides the engine's."""

from __future__ import annotations

from typing import NamedTuple

from ridotto.engine.fields import Row


class Encoding(NamedTuple):
    """How a masked row becomes numbers, word by word; the first index is that of the viewer. Made by `Tensors.encoding`."""

    steps: list[list[Row]]
    """Each word: its place in the row, what it becomes, where its line of `places` begins, the element for "hidden" (or -1)."""
    places: list[Row]
    """A line holds the element for each value from -1 on, or for each bit, or the one element of a number."""
    scales: list[float]
    """What each element is multiplied by."""


class Elements(NamedTuple):
    """The same element by element, for a GPU, where neighbouring threads work out neighbouring elements."""

    words: list[Row]
    """The place of the word, by viewer and element."""
    ops: Row
    """What each element says of its word."""
    arguments: list[Row]
    """The value or the bit it asks about, by viewer and element."""
    scales: list[float]


class Learning(NamedTuple):
    """Many rows as learners need them, besides the arrays of a batch."""

    learners: Row
    """The seats that learn in each row, as a set."""
    bot_seats: Row
    """The seats that the game's own bot plays, as a set."""
    masked: list[Row]
    """Each row as the seat to act may know it."""
    seen: list[list[float]]
    """The same as numbers."""
    allowed: list[Row]
    """What that seat may do, one number an action."""
    lasts: list[Row]
    """The last row of a match that has ended, as the seat that moved may know it."""
