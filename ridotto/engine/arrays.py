"""Arrays that belong together, as named tuples: what the compiled functions of a build are handed.

For the target `python` the arrays are lists. A named tuple costs compiled code nothing: its fields are passed one by one.
"""

from __future__ import annotations

from typing import NamedTuple

from ridotto.engine.fields import Dice, Events, Mask, Row, Seat


class Deal(NamedTuple):
    """How the matches of a run are dealt. What a match draws depends on the seed and its number alone."""

    options: Row
    seats: int
    seed: int


class Workspace(NamedTuple):
    """What one thread plays a match with; see `Build.workspace`."""

    row: Row
    mask: Mask
    dice: Dice
    events: Events
    """A muted list, to hand to the rules where nobody listens."""
    scratch: Row
    """A spare row, for a bot to try things on."""
    parts: Row
    """Room for the parts of a score."""


class Rows(NamedTuple):
    """Many matches at once, one in each row of these arrays; see `ridotto.core.batch`."""

    rows: list[Row]
    dice: list[Dice]
    matches: Row
    """The number of the match being played."""
    acting: Row
    """The seat that is asked; of several that owe a simultaneous choice, the first."""
    masks: list[Mask]
    """What that seat may do."""
    rewards: list[list[float]]
    """What each seat has got from the matches that ended in the last call."""
    ended: Row
    """How many matches ended in the last call."""


class Grouping(NamedTuple):
    """What a GPU needs besides: the action chosen in each row, what kind of work that is, and a row with a wrong action."""

    chosen: Row
    kinds: Row
    fault: Row


class ContestArrays(NamedTuple):
    """What is noted of whole matches, one line each."""

    rows: list[Row]
    """The last row."""
    lows: list[Row]
    """The lowest value of every word."""
    highs: list[Row]
    """The highest value of every word."""
    chosen: list[Row]
    """How often each seat chose each action, at seat * actions + action."""
    results: list[Row]
    """The winners as a set, then the score of each seat."""


class Asked(NamedTuple):
    """A decision to be searched."""

    masked: Row
    """What the seat sees."""
    public: Row
    """What a spectator sees."""
    seat: Seat
    belief: Row
    """What `believe` of the game's bot made of what others were seen to do."""
    settings: Row
    """How the search is set; see `ridotto.engine.search`."""


class Tree(NamedTuple):
    """A search tree, and what a walk down the tree needs."""

    nodes: Row
    edges: list[float]
    ledger: Row
    """What is counted in all; see `ridotto.engine.search`."""
    path: Row
    """The edges of one playout, each with the seat that chose it."""
    values: Row
    """What each seat gets from one playout."""
