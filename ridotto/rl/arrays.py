"""Arrays that belong together, as named tuples: additional arguments of compiled functions for learners."""

from __future__ import annotations

from typing import NamedTuple

from ridotto.engine.fields import Events, Row, Seat


class Packing(NamedTuple):
    """How the elements of an array are written as whole numbers and as bits; see `Tensors.packing`."""

    lows: Row
    """The least that each element stands for."""
    starts: Row
    """The first bit of each element."""
    widths: Row
    """How many bits each element has."""


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
    """Whose view that row is; see `ridotto.core.position`."""
    reward: int
    """What is rewarded; see `ridotto.rl.observe`."""
    form: int
    """How a row is encoded; see `ridotto.rl.observe`."""
    packing: Packing
