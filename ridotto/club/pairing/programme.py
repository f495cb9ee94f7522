"""The integer programme: players into tables, exactly, with a proof.

Each possible table is a column that is taken or not. Every player is in exactly one; there are as many tables of each size, and
as many byes, as the rules say. There are too many columns to give to the solver (635,376 tables of four among 64), so:

1. The linear relaxation is solved over a few columns and priced over all of them, until none improves it. Its value is a lower
   bound.
2. The integer programme over the columns of the smallest reduced cost gives a pairing.
3. A column can only belong to a better pairing if its reduced cost is less than what separates the pairing from the bound.
   While some of those are left out, the programme is solved again with more columns. In the end nothing better is left.

Where even listing all columns takes too long, tables of players far apart in the line are left out. The distance that they cost
puts a bound to their reduced cost; those that it does not rule out are priced one by one. If that leaves any, the certificate
says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from math import comb
from time import monotonic, process_time
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, linprog, milp
from scipy.sparse import csc_matrix

from ridotto.club.pairing.certificate import Certificate, Status

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]

MOST_COLUMNS: Final = 1_000_000
FIRST_RANGE: Final = 5
"""The linear programme begins with tables whose players are at most this much farther apart than neighbours."""
NEW_COLUMNS: Final = 3_000
"""At most this many columns enter the linear programme at once."""
PROMISING: Final = 8
"""The first integer programme has this many columns for each player, each later one four times as many."""
MOST_PROMISING: Final = 50_000
"""No integer programme has more columns than this."""
TOLERANCE: Final = 1e-4
"""Reduced costs are this exact; costs are whole numbers."""
INFEASIBLE: Final = 2
"""How SciPy says that a programme has no solution."""


@dataclass(frozen=True)
class Problem:
    """The players in line, and what their being together costs."""

    positions: Ints
    """In the line, ascending."""
    met: Ints
    """How often two have met, by place in the line."""
    sizes: tuple[int, ...]
    """The sizes of the tables."""
    byes: int
    eligible: NDArray[np.bool_]
    """Who may have a bye."""
    limit_s: float

    def weights(self) -> tuple[int, int]:
        """The costs of a repeat and of a bye one place higher: each more than everything that comes after it in the rules."""
        extent = int(self.positions[-1])
        bye = 1 + sum(size * size // 4 for size in self.sizes) * extent * extent
        return bye * (1 + self.byes * len(self.positions)), bye

    def certificate(self, tables: Sequence[Sequence[int]], byes: Sequence[int], status: Status) -> Certificate:
        """The figures of a pairing, counted anew."""
        pairs = [pair for table in tables for pair in combinations(table, 2)]
        repeats = sum(int(self.met[pair]) for pair in pairs)
        places = sum(len(self.positions) - 1 - place for place in byes)
        distance = sum(int(self.positions[a] - self.positions[b]) ** 2 for a, b in pairs)
        repeat_weight, bye_weight = self.weights()
        return Certificate(status, repeats, places, distance, repeats * repeat_weight + places * bye_weight + distance)


@dataclass(frozen=True)
class Pairing:
    """Who sits together, and who has a bye, as places in the line."""

    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...]
    certificate: Certificate


@lru_cache(maxsize=8)
def all_groups(players: int, size: int, reach: int) -> NDArray[np.int16]:
    """Every group of this size whose last player stands at most `reach` places after the first."""
    following = np.array(list(combinations(range(1, min(reach, players - 1) + 1), size - 1)), dtype=np.int16)
    following = following.reshape(-1, size - 1)
    following = following[np.argsort(following[:, -1] if size > 1 else [0], kind="stable")]
    last = following[:, -1] if size > 1 else np.zeros(1, dtype=np.int16)
    blocks = []
    for first in range(players - size + 1):
        rest = following[: np.searchsorted(last, players - first, side="left")]
        blocks.append(np.column_stack([np.full(len(rest), first, dtype=np.int16), rest + np.int16(first)]))
    return np.concatenate(blocks)


@lru_cache(maxsize=256)
def all_between(players: int, size: int) -> NDArray[np.int64]:
    """Every group of this size of those who stand between two others, counted from the first of the two."""
    return np.array(list(combinations(range(1, players + 1), size)), dtype=np.int64).reshape(-1, size)


def reach_of(players: int, size: int) -> int:
    """How far apart the players of a table may stand, so that there are not too many tables."""
    reach = players - 1
    while reach > 3 * size and players * comb(reach, size - 1) > size * MOST_COLUMNS:
        reach -= 1
    return reach


class Columns:
    """All tables of one size, or all byes: who is in them, what they cost, and which are in the linear programme."""

    def __init__(self, problem: Problem, size: int) -> None:
        self.size = size
        self.positions = problem.positions
        players = len(problem.positions)
        repeat_weight, bye_weight = problem.weights()
        if size == 1:
            self.reach = players - 1
            self.groups = np.flatnonzero(problem.eligible).astype(np.int16)[:, None]
            self.cost = (players - 1 - self.groups[:, 0].astype(np.int64)) * bye_weight
            self.is_in = np.ones(len(self.groups), dtype=bool)
            return
        self.reach = reach_of(players, size)
        self.groups = all_groups(players, size, self.reach)
        self.pair_costs: Ints = problem.met * repeat_weight + (problem.positions[:, None] - problem.positions[None, :]) ** 2
        self.cost = self.costs_of(self.groups)
        self.is_in = self.groups[:, -1] - self.groups[:, 0] < size + FIRST_RANGE

    def costs_of(self, groups: NDArray[np.integer]) -> Ints:
        """What tables cost: the sum over their pairs."""
        costs = np.zeros(len(groups), dtype=np.int64)
        for a, b in combinations(range(self.size), 2):
            costs += self.pair_costs[groups[:, a], groups[:, b]]
        return costs

    def add(self, groups: Sequence[Sequence[int]]) -> None:
        """Put some groups into the linear programme, whatever they cost."""
        for group in groups:
            self.is_in |= (self.groups == np.array(group, dtype=np.int16)).all(axis=1)

    def reduced(self, prices: Floats, price: float) -> Floats:
        """The reduced costs, given the prices of players and of a table."""
        costs: Floats = self.cost.astype(np.float64) - price
        for a in range(self.size):
            costs -= prices[self.groups[:, a]]
        return costs

    def least_unlisted(self, prices: Floats, price: float, most: float) -> float:
        """A lower bound of the reduced costs of the tables that are not listed; those that may be at most `most` are priced."""
        players = len(prices)
        if self.reach >= players - 1 or self.size == 1:
            return float("inf")
        # By the first and the last player alone: distances are smallest if all others stand halfway between them.
        first, last = np.triu_indices(players, self.reach + 1)
        apart = (self.positions[last] - self.positions[first]).astype(np.float64)
        others = float(np.sort(prices)[players - (self.size - 2) :].sum())
        bounds = self.size * apart**2 / 2 - prices[first] - prices[last] - others - price
        doubtful = np.flatnonzero(bounds <= most)
        if sum(comb(int(last[at] - first[at]) - 1, self.size - 2) for at in doubtful) > MOST_COLUMNS * self.size:
            return float(bounds.min())

        # One by one, for those whom that does not rule out.
        for at in doubtful:
            between = all_between(int(last[at] - first[at]) - 1, self.size - 2) + first[at]
            ends = np.broadcast_to(np.array([first[at], last[at]]), (len(between), 2))
            groups = np.column_stack([between, ends])
            bounds[at] = (self.costs_of(groups) - prices[groups].sum(axis=1) - price).min()
        return float(bounds.min())


@dataclass(frozen=True)
class Relaxation:
    """What the linear programme says about every column that is listed."""

    bound: float
    """No pairing of listed columns costs less."""
    reduced: Floats
    """The reduced costs: taking a column makes a pairing cost at least this much more than the bound."""
    prices: Floats
    """Of players, then of a table of each size."""
    is_priced: bool
    """Whether no column would improve it any more; if not, time has run out."""


class Programme:
    """The programme over all tables of each size, then all byes."""

    def __init__(self, problem: Problem, first: Pairing) -> None:
        self.problem = problem
        self.players = len(problem.positions)
        numbers = Counter(problem.sizes)
        if problem.byes:
            numbers[1] = problem.byes
        self.kinds = [Columns(problem, size) for size in numbers]
        self.right: Floats = np.array([1.0] * self.players + [float(number) for number in numbers.values()])
        self.groups = sum(numbers.values())
        self.ends = np.cumsum([len(columns.groups) for columns in self.kinds])
        for columns in self.kinds:
            columns.add([group for group in [*first.tables, *((place,) for place in first.byes)] if len(group) == columns.size])

    def matrix(self, chosen: Sequence[Ints]) -> tuple[Floats, csc_matrix]:
        """The costs and the constraints of chosen columns, given as indices for each size."""
        rows, lengths, costs = [], [], []
        for number, (columns, taken) in enumerate(zip(self.kinds, chosen, strict=True)):
            kind = np.full((len(taken), 1), self.players + number, dtype=np.int64)
            rows.append(np.hstack([columns.groups[taken].astype(np.int64), kind]).ravel())
            lengths += [columns.size + 1] * len(taken)
            costs.append(columns.cost[taken].astype(np.float64))
        indices = np.concatenate(rows)
        pointers = np.concatenate([[0], np.cumsum(lengths)])
        shape = (len(self.right), len(lengths))
        return np.concatenate(costs), csc_matrix((np.ones(len(indices)), indices, pointers), shape=shape)

    def relax(self, deadline: float) -> Relaxation:
        """Solve the linear programme, adding columns until none improves it or time has run out."""
        while True:
            costs, matrix = self.matrix([np.flatnonzero(columns.is_in) for columns in self.kinds])
            answer = linprog(costs, A_eq=matrix, b_eq=self.right, method="highs")
            if answer.status != 0:
                raise RuntimeError(f"the linear programme has no answer: {answer.message}")
            prices = np.asarray(answer.eqlin.marginals, dtype=np.float64)
            of_players, of_kinds = prices[: self.players], prices[self.players :]
            reduced = [columns.reduced(of_players, price) for columns, price in zip(self.kinds, of_kinds, strict=True)]
            least = min(float(one.min()) for one in reduced)
            is_priced = least > -TOLERANCE
            if is_priced or monotonic() > deadline:
                bound = float(prices @ self.right) + self.groups * min(least, 0.0)
                return Relaxation(bound, np.concatenate(reduced), prices, is_priced)
            for columns, one in zip(self.kinds, reduced, strict=True):
                columns.is_in |= smallest(np.where(columns.is_in, np.inf, one), NEW_COLUMNS, -TOLERANCE)

    def least_unlisted(self, prices: Floats, most: float) -> float:
        """A lower bound of the reduced cost of every column that is not listed."""
        of_players, of_kinds = prices[: self.players], prices[self.players :]
        return min(kind.least_unlisted(of_players, price, most) for kind, price in zip(self.kinds, of_kinds, strict=True))

    def best_of(self, columns: NDArray[np.bool_], seconds: float) -> tuple[Pairing | None, bool]:
        """The best pairing of these columns, or None, and whether the solver has proven that."""
        chosen = [np.flatnonzero(part) for part in np.split(columns, self.ends[:-1])]
        costs, matrix = self.matrix(chosen)
        answer = milp(
            costs,
            constraints=LinearConstraint(matrix, self.right, self.right),
            integrality=np.ones(len(costs)),
            bounds=Bounds(0, 1),
            options={"time_limit": max(seconds, 0.01), "mip_rel_gap": 0.0},
        )
        if answer.x is None:
            return None, answer.status == INFEASIBLE
        groups: list[tuple[int, ...]] = []
        start = 0
        for kind, taken in zip(self.kinds, chosen, strict=True):
            rows = taken[answer.x[start : start + len(taken)] > 0.5]
            groups += [tuple(int(place) for place in group) for group in kind.groups[rows]]
            start += len(taken)
        tables = tuple(sorted(group for group in groups if len(group) > 1))
        byes = tuple(sorted(group[0] for group in groups if len(group) == 1))
        return Pairing(tables, byes, self.problem.certificate(tables, byes, "optimal")), answer.status == 0


def smallest(values: Floats, number: int, most: float) -> NDArray[np.bool_]:
    """Which values are at most `most`, but no more than a number of them, the smallest ones."""
    is_small: NDArray[np.bool_] = values <= most
    if is_small.sum() > number:
        is_small[:] = False
        is_small[np.argpartition(values, number)[:number]] = True
    return is_small


def solve(problem: Problem, first: Pairing) -> Pairing:
    """The best pairing there is, from any pairing to begin with."""
    begun, deadline = process_time(), monotonic() + problem.limit_s
    programme = Programme(problem, first)
    relaxation = programme.relax(deadline)
    best = first

    # All costs are whole numbers: a better pairing costs at least 1 less, and has no column of more than this reduced cost.
    def most_reduced() -> float:
        return best.certificate.objective - 1 - relaxation.bound + TOLERANCE * programme.groups

    is_proven, number = most_reduced() < 0, PROMISING * programme.players
    while not is_proven and number <= MOST_PROMISING and monotonic() < deadline:
        columns = smallest(relaxation.reduced, number, most_reduced())
        made, is_best = programme.best_of(columns, deadline - monotonic())
        if made is not None and made.certificate.objective < best.certificate.objective:
            best = made
        is_proven = is_best and not (relaxation.reduced[~columns] <= most_reduced()).any()
        number *= 4

    bound = relaxation.bound
    status: Status = "time limit"
    unlisted = programme.least_unlisted(relaxation.prices, most_reduced())
    if unlisted <= most_reduced():
        bound, status = bound + programme.groups * min(unlisted, 0.0), "window"
    elif is_proven and relaxation.is_priced:
        bound, status = float(best.certificate.objective), "optimal"
    certificate = replace(
        best.certificate,
        status=status,
        bound=max(bound, 0.0),
        columns=len(relaxation.reduced),
        seconds=round(process_time() - begun, 3),
    )
    return replace(best, certificate=certificate)
