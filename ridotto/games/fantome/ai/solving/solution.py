"""The rest of a round as a game of its own, solved.

What follows the round is a value of what all then know, see `ends`. Two things are simplified, in what is looked ahead at and
nowhere else: Raoul's alibi is drawn at the end of the round, and the phantom does not use that they know which alibis they
kept.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy

from ridotto.engine.build import Build
from ridotto.engine.fields import Row
from ridotto.games.fantome.ai.solving.boards import place_board
from ridotto.games.fantome.ai.solving.cfr import foresee, iterate, respond
from ridotto.games.fantome.ai.solving.ends import LEAF_SHAPE, prepare_leaves
from ridotto.games.fantome.ai.solving.tree import CLOSED, MOST_FINALS, MOST_NODES, NO_DRAW, grow
from ridotto.games.fantome.rules import EVERYBODY, INSPECTOR, PEOPLE, PHANTOM, F

STACK = 512
SIZES = ((80_000, MOST_FINALS), (80_000, 24), (80_000, 12), (MOST_NODES, 6))
"""The most nodes of a tree, and the most boards of a card that it looks at: the first size that fits is taken."""
VALUES = "values.npz"
"""The file of the table of values, beside `solver.py`."""
MEDIUM = ((20_000, 24), (20_000, 12), (MOST_NODES, 5))
"""The same for a round that is judged, not played."""


def next_row(build: Build, row: Row, final: int, suspects: list[int], can: int, cards: int) -> Row:
    """The beginning of the next round, after an end of this one; after an even round with these cards."""
    after = build.copy(row)
    place_board(after, final)
    after[F.suspects] = sum(1 << who for who in suspects)
    after[F.carlotta] = int(row[F.carlotta]) + len(suspects) + can
    after[F.round], after[F.played] = row[F.round] + 1, 0
    after[F.offered] = row[F.pile] if row[F.round] & 1 else cards
    after[F.pile] = 0 if row[F.round] & 1 else EVERYBODY & ~cards
    return after


class Room:
    """The arrays in which trees are grown: one for each thread."""

    def __init__(self, build: Build) -> None:
        self.stack = numpy.zeros((STACK, build.rules.FIELDS.width), numpy.int16)
        self.rest = build.row(), build.mask(), build.generator(0), build.events(muted=True)


class Solution:
    """The rest of a round, solved for one belief: strategies at every board, and what each suspect may expect."""

    def __init__(
        self,
        build: Build,
        row: Row,
        belief: Any,
        table: Any,
        room: Room | None = None,
        drawn_before: int = NO_DRAW,
        sizes: tuple[tuple[int, int], ...] = SIZES,
    ) -> None:
        """Grow the tree; `belief` is how likely each character is to be the phantom.

        `drawn_before` is who has played Raoul in this round, if his alibi is still to be drawn.
        """
        room = room or Room(build)
        self.row = build.copy(row)
        suspects = int(row[F.suspects]) & EVERYBODY
        self.suspects = [who for who in range(PEOPLE) if suspects >> who & 1]
        prior = numpy.array([max(0.0, belief[who]) for who in self.suspects], numpy.float64)
        self.prior = prior / prior.sum() if prior.sum() > 0 else numpy.full(len(prior), 1 / len(prior))
        for size in sizes:
            self.tree = grow(self.row, drawn_before, *size, room.stack, *room.rest)
            if len(self.tree.keys):
                break
        nodes, edges, n = len(self.tree.keys), len(self.tree.children), len(prior)
        self.leaves = numpy.empty(LEAF_SHAPE, numpy.float32)
        prepare_leaves(self.row, table, self.leaves)
        self.odds = numpy.ones((2, 1 << len(self.suspects)), numpy.float32)
        """The odds after an end as a multiple of those by the table: by whether the phantom can manifest, and who is left."""
        self.exact = numpy.full((edges, 2), -1, numpy.float32)
        """The exact value of an end, by whether the phantom can manifest; less than 0 if it is not known."""
        shapes = (int(self.tree.slots[-1]), int(self.tree.slots[-1]), nodes * n, edges * n, nodes * n, (nodes, n), nodes)
        self.arrays = tuple(numpy.zeros(shape, numpy.float32) for shape in shapes)
        self.totals = numpy.zeros(nodes * n)
        self.iterations = 0

    def run(self, iterations: int) -> None:
        """So many iterations more."""
        arrays = self.odds, self.exact, self.arrays, self.totals
        iterate(self.tree, self.row, self.prior, self.leaves, *arrays, self.iterations, iterations)
        self.iterations += iterations

    def begin_again(self) -> None:
        """Forget the averages and keep the regrets: the ends of the round are worth something else from now on."""
        for one in (self.arrays[1], self.arrays[5], self.totals):
            one[...] = 0
        self.iterations = 0

    def ways(self) -> Any:
        """The chance of each end of the round: by edge, and by whether the phantom can manifest."""
        likely = numpy.zeros((len(self.tree.children), 2))
        foresee(self.tree, self.prior, self.arrays, likely)
        return likely

    @property
    def means(self) -> Any:
        """The worth of each node to each suspect as the phantom, on the average of the iterations."""
        weight = max(1, self.iterations * (self.iterations + 1) * (2 * self.iterations + 1) / 6)
        return self.totals.reshape(-1, len(self.prior)) / weight

    @property
    def values(self) -> Any:
        """The expectation of each suspect as the phantom: a share of the win."""
        return self.means[0]

    def responses(self, best: int) -> Any:
        """The worth of each node to each suspect if one player makes the best of the other's average strategy."""
        values = numpy.zeros(len(self.tree.keys) * len(self.prior))
        respond(self.tree, self.prior, best, self.arrays, values)
        return values.reshape(-1, len(self.prior))

    @property
    def exploitability(self) -> float:
        """The gain of best replies within the round against the average strategies, on the average of both seats."""
        above, below = (float(self.responses(best)[0] @ self.prior) for best in (PHANTOM, INSPECTOR))
        return (above - below) / 2

    def choices(self, node: int = 0) -> Choices:
        """The choices at a node, and the average strategy."""
        tree, n = self.tree, len(self.prior)
        _, sums, _, ends, *_ = self.arrays
        begin, end = int(tree.first[node]), int(tree.first[node + 1])
        width = n if tree.owners[node] == PHANTOM else 1
        shares = sums[int(tree.slots[begin]) : int(tree.slots[end])].reshape(end - begin, width).astype(numpy.float64)
        total = shares.sum(axis=0)
        shares = numpy.where(total > 0, shares / numpy.where(total > 0, total, 1), 1 / (end - begin))
        children = tree.children[begin:end].copy()
        is_last = bool(children[0] == CLOSED)
        gains = ends[begin * n : end * n].reshape(-1, n) if is_last else self.means[children]
        keys = tree.closes[begin:end].tolist() if is_last else tree.finals[begin:end].tolist()
        return Choices({key: i for i, key in enumerate(keys)}, is_last, children, shares, gains.astype(numpy.float64))

    def plan(self) -> Plan:
        """The part that the player at the root needs for this turn."""
        tree = self.tree
        nodes = {0: self.choices(0)}
        for child in nodes[0].children:
            if child >= 0 and tree.owners[child] == tree.owners[0] == PHANTOM:
                nodes[int(child)] = self.choices(int(child))
        return Plan(self.suspects, self.prior, self.values, self.iterations, nodes)


class Choices(NamedTuple):
    """The choices at one node: boards, or ways to end the round."""

    keys: dict[int, int]
    """The number of each choice, by its board, or by who is unwatched if it ends the round."""
    is_last: bool
    children: Any
    shares: Any
    """The chance of each choice: by choice, and by suspect if the phantom chooses."""
    gains: Any
    """The worth of each choice to each suspect as the phantom, on the average of the iterations."""


class Plan(NamedTuple):
    """A solution without its tree: what is needed for one turn."""

    suspects: list[int]
    prior: Any
    values: Any
    """The expectation of each suspect as the phantom: a share of the win."""
    iterations: int
    nodes: dict[int, Choices]
