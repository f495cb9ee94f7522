"""Arrays that belong together, as named tuples: the arguments of a build's compiled functions.

For the target `python` the arrays are lists. A named tuple costs compiled code nothing: its fields are passed one by one.
"""

from __future__ import annotations

from typing import NamedTuple

from ridotto.engine.fields import Dice, Events, Mask, Row, Seat


class Deal(NamedTuple):
    """The options, the seats and the seed of a run. The draws of a match depend on the seed and its number alone."""

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
    """Receives the parts of a score."""


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
    """The number of matches that ended in the last call."""
    scores: list[Row]
    """The scores of each seat in these matches, added up; empty if not needed."""


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
    """The number of times that each seat chose each action, at seat * actions + action."""
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
    """The conclusions of `believe`, of the game's bot, from the actions of others."""
    settings: Row
    """The settings of the search; see `ridotto.engine.search`."""


class Step(NamedTuple):
    """A step of a match, to be done again with other dice; see `ridotto.engine.luck`."""

    before: Row
    """The row that it begins with."""
    kind: int
    seat: Seat
    action: int
    options: Row
    seats: int


class Playouts(NamedTuple):
    """A judge's memory of its playouts: the row and the dice of each, and its result for each seat."""

    rows: Row
    """One row after another."""
    numbers: Row
    """Of the dice, counted from 1; 0 where there is no playout."""
    shares: list[float]
    """Eight for each playout."""


class Judge(NamedTuple):
    """The settings of the judge of positions, and arrays to work in; see `ridotto.engine.luck`."""

    seats: int
    playouts: int
    ahead: int
    """The number of positions that the game's own `value` could judge which a playout passes before it ends."""
    seed: int
    row: Row
    values: Row
    shares: list[float]
    tape: Dice
    later: Dice
    """A generator for the draws after the one being judged."""
    memory: Playouts


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


class Encoding(NamedTuple):
    """The encoding of a masked row as numbers, word by word, first by viewer. See `ridotto.core.tensors`."""

    steps: list[list[Row]]
    """For each word: its place in the row, the kind of its elements, the start of its line in `places` (of a number its
    element), the element for "hidden" (or -1); each of these in a line of its own. Names come first, then sets, then numbers
    that may be hidden, then the others."""
    places: list[Row]
    """The element for each value of a name from -1 on, or for each bit of a set."""
    scales: list[float]
    """The factor of each element."""


class Elements(NamedTuple):
    """The same encoding element by element, for a GPU, where neighbouring threads compute neighbouring elements."""

    words: list[Row]
    """The place of the word, by viewer and element."""
    ops: Row
    """The kind of each element; see `ridotto.engine.encoding`."""
    arguments: list[Row]
    """The value or the bit that it tests, by viewer and element."""
    scales: list[float]


class Network(NamedTuple):
    """A trained network for tables of one size, and arrays to work in; see `ridotto.engine.network`."""

    encoding: Encoding
    first: list[list[float]]
    """The weights of the first layer: a line for each element of the encoding."""
    layers: list[list[list[float]]]
    """The weights of the other layers: a line for each number that comes in."""
    biases: list[list[float]]
    """The biases of each layer."""
    last: list[list[float]]
    """The weights of the output: a line for each number that comes in."""
    last_bias: list[float]
    seats: int
    is_symmetric: bool
    """Whether it counts seats from the viewer."""
    masked: Row
    legal: Mask
    scratch: Row
    seen: list[float]
    hidden: list[float]
    sums: list[float]
    used: Row
    """Seven arrays to work in."""
    chances: list[float]
    """The probability of each legal action; see `likelihoods`."""
    answers: list[float]
    """Its output: a number for each action, then the share of the win for each seat."""
