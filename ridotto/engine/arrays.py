"""Arrays that belong together, as named tuples: the arguments of a build's compiled functions.

For the target `python` the arrays are lists. A named tuple costs compiled code nothing: its fields are passed one by one.
"""

from __future__ import annotations

from typing import NamedTuple

from ridotto.engine.fields import Dice, Events, Mask, Row, Seat


class Deal(NamedTuple):
    """How the matches of a run are dealt. The draws of a match depend on the seed and its number alone."""

    options: Row
    seats: int
    seed: int


class Workspace(NamedTuple):
    """The arrays with which one thread plays a match; see `Build.workspace`."""

    row: Row
    mask: Mask
    dice: Dice
    events: Events
    """A muted list, for where events are not needed."""
    scratch: Row
    """A spare row, for a bot to try things on."""
    parts: Row
    """Where the parts of a score are written."""


class Rows(NamedTuple):
    """Many matches at once, one in each row of these arrays; see `ridotto.core.batch`."""

    rows: list[Row]
    dice: list[Dice]
    matches: Row
    """The number of the match being played."""
    acting: Row
    """The seat to act; of several that owe a simultaneous choice, the first."""
    masks: list[Mask]
    """The legal actions of that seat."""
    rewards: list[list[float]]
    """The rewards of each seat for the matches that ended in the last call."""
    ended: Row
    """How many matches ended in the last call."""


class Grouping(NamedTuple):
    """Additional arrays for a GPU: the action chosen in each row, the kind of that action, and a row with an illegal action."""

    chosen: Row
    kinds: Row
    fault: Row


class ContestArrays(NamedTuple):
    """The record of whole matches, one line each."""

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


class SearchRequest(NamedTuple):
    """A decision to be searched: who decides, what that seat knows, and the settings of the search."""

    masked: Row
    """The row as the seat may know it."""
    public: Row
    """The row as a spectator may know it."""
    seat: Seat
    belief: Row
    """What `believe` of the game's bot concluded from the actions of others."""
    settings: Row
    """The settings of the search; see `ridotto.engine.search`."""


class Tree(NamedTuple):
    """A search tree, and the arrays for a walk down the tree."""

    nodes: Row
    edges: list[float]
    counters: Row
    """Totals over all playouts; see `ridotto.engine.search`."""
    path: Row
    """The edges of one playout, each with the seat that chose it."""
    values: Row
    """The value of one playout for each seat."""
