"""Arrays that belong together, as named tuples: additional arguments of compiled functions for learners."""

from __future__ import annotations

from typing import NamedTuple

from ridotto.engine.fields import Events, Row, Seat


class Packing(NamedTuple):
    """The packing of the elements of an array as whole numbers and as bits; see `Tensors.packing`."""

    lows: Row
    """The least that each element stands for."""
    starts: Row
    """The first bit of each element."""
    widths: Row
    """The number of bits of each element."""


class Exchange(NamedTuple):
    """The conversion of names to traits: each element of an array adds to some of another; see `ridotto.rl.traits`."""

    named: list[list[float]]
    """The arrays with names, one line for each row of a batch; no lines if names stay."""
    starts: Row
    """The first target of each element."""
    targets: Row
    weights: list[float]


class Memory(NamedTuple):
    """The last events that each seat has seen, in each row of a batch; no lines if nobody wants them."""

    lines: list[list[list[Row]]]
    """By row and seat: a ring of events as that seat may know them."""
    counts: list[Row]
    """By row and seat: how many events it has seen in this match."""
    table: list[list[Row]]
    """The encoding and the audience of each event; see `ridotto.rl.events`."""
    is_symmetric: bool
    """Whether seats are counted from the viewer."""
    is_read: bool
    """Whether the caller reads the list of events after each step, and clears it."""
    shown: list[list[list[float]]]
    """The lines of the seat to act as numbers, oldest first."""
    lasts: list[list[list[float]]]
    """The same of the last match that has ended, for the seat that moved."""


class Learning(NamedTuple):
    """Additional arrays for learners, one line for each row of a batch, and the settings of an environment."""

    learners: Row
    """The seats at which compiled code stops, in each row, as a set: those that learn, and those that outside bots play."""
    bot_seats: Row
    """The seats that the game's own bot plays, as a set."""
    movers: Row
    """The seat that made the learner's last decision; -1 before the first."""
    masked: list[Row]
    """Each row as the seat to act may know it."""
    seen: list[list[float]]
    """The same row encoded as numbers."""
    allowed: list[Row]
    """The legal actions of that seat, one number for each action."""
    lasts: list[Row]
    """The last row of a match that has ended, as the seat that moved may know it."""
    events: list[Events]
    """The events of each row since they were last read; no lines if nobody reads them."""
    start: list[Row]
    """The row with which every match begins; no lines if matches are dealt."""
    reader: Seat
    """The seat whose view that row is; see `ridotto.core.position`."""
    reward: int
    """The kind of reward; see `ridotto.rl.observe`."""
    form: int
    """The form of a row; see `ridotto.rl.observe`."""
    packing: Packing
    exchange: Exchange
    memory: Memory
