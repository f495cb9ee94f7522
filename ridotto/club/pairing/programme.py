"""The integer programme: players into tables, exactly, with a proof.

Each possible table is a column that is taken or not. Every player is in exactly one; there are as many tables of each size, and
as many byes, as the rules say. There are too many columns to give to the solver (635,376 tables of four among 64), so:

1. The linear relaxation is solved over a few columns and priced over all of them, until none improves it. Its value is a lower
   bound.
2. Exchanging players gives a good pairing.
3. A column can only belong to a better pairing if its reduced cost is less than what separates the pairing from the bound. Over
   those alone, cuts raise the bound, which rules out more of them.
4. The integer programme over what is left, with more and more columns, ends with the proof that nothing is better.

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
from random import Random
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
PROMISING: Final = 4
"""The first integer programme has this many columns for each player,"""
NEXT: Final = 8
"""each later one so many times as many."""
MOST_PROMISING: Final = 50_000
"""No integer programme has more columns than this."""
KICKS: Final = 800
"""How often exchanging goes on after random exchanges,"""
EXCHANGES_OF_A_KICK: Final = 2
"""of so many pairs of players"""
KICK: Final = 6
"""at most so many places apart."""
MOST_CUT_COLUMNS: Final = 10_000
"""Cuts are made where at most this many columns could be in a better pairing,"""
NEW_CUTS: Final = 40
"""so many at once,"""
MOST_CUTS: Final = 400
"""so many in all,"""
LEAST_VIOLATION: Final = 0.05
"""and none that changes less than this."""
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

    def pair_costs(self) -> Ints:
        """What it costs that two sit at the same table."""
        apart = self.positions[:, None] - self.positions[None, :]
        return np.asarray(self.met * self.weights()[0] + apart * apart, dtype=np.int64)

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
        if size == 1:
            self.reach = players - 1
            self.groups = np.flatnonzero(problem.eligible).astype(np.int16)[:, None]
            self.cost = (players - 1 - self.groups[:, 0].astype(np.int64)) * problem.weights()[1]
            self.is_in = np.ones(len(self.groups), dtype=bool)
            return
        self.reach = reach_of(players, size)
        self.groups = all_groups(players, size, self.reach)
        self.pair_costs = problem.pair_costs()
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

    def tighten(self, columns: NDArray[np.bool_], deadline: float) -> Relaxation:
        """The linear programme over these columns, with cuts: of three players, two meet once at most (M. Jepsen, 2008)."""
        chosen = self.split(columns)
        costs, matrix = self.matrix(chosen)
        members = matrix[: self.players].toarray()
        cuts = np.zeros((0, len(costs)))
        while True:
            upper = {"A_ub": csc_matrix(cuts), "b_ub": np.ones(len(cuts))} if len(cuts) else {}
            answer = linprog(costs, A_eq=matrix, b_eq=self.right, method="highs", **upper)
            if answer.status == INFEASIBLE:
                return Relaxation(np.inf, np.full(len(columns), np.inf), self.right, True)
            if answer.status != 0:
                raise RuntimeError(f"the linear programme has no answer: {answer.message}")
            prices = np.asarray(answer.eqlin.marginals, dtype=np.float64)
            of_cuts = np.asarray(answer.ineqlin.marginals, dtype=np.float64) if len(cuts) else np.zeros(0)
            reduced = costs - matrix.T @ prices - of_cuts @ cuts
            added = new_cuts(members, answer.x) if len(cuts) < MOST_CUTS and monotonic() < deadline else []
            if not added:
                bound = float(prices @ self.right + of_cuts.sum()) + self.groups * min(float(reduced.min()), 0.0)
                whole = np.full(len(columns), np.inf)
                whole[columns] = reduced
                return Relaxation(bound, whole, prices, True)
            cuts = np.vstack([cuts, *(members[list(three)].sum(axis=0) >= 2 for three in added)])

    def split(self, columns: NDArray[np.bool_]) -> list[Ints]:
        """The indices of chosen columns for each size."""
        return [np.flatnonzero(part) for part in np.split(columns, self.ends[:-1])]

    def best_of(self, columns: NDArray[np.bool_], seconds: float) -> tuple[Pairing | None, bool]:
        """The best pairing of these columns, or None, and whether the solver has proven that."""
        chosen = self.split(columns)
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


def new_cuts(members: Floats, taken: Floats) -> list[tuple[int, int, int]]:
    """Threes of players of whom two sit together at more than one table in all, the worst ones."""
    is_taken = taken > 1e-6
    if (taken[is_taken] > 1 - 1e-6).all():
        return []
    who, parts = members[:, is_taken], taken[is_taken]
    players = len(who)
    pairs = (who * parts) @ who.T
    threes = ((who * parts)[:, None, :] * who[None, :, :]).reshape(players * players, -1) @ who.T
    threes = threes.reshape(players, players, players)
    sums = pairs[:, :, None] + pairs[:, None, :] + pairs[None, :, :] - 2 * threes
    first, second, third = (sums > 1 + LEAST_VIOLATION).nonzero()
    is_ordered = (first < second) & (second < third)
    cuts = list(zip(first[is_ordered].tolist(), second[is_ordered].tolist(), third[is_ordered].tolist(), strict=True))
    return sorted(cuts, key=lambda cut: -float(sums[cut]))[:NEW_CUTS]


def smallest(values: Floats, number: int, most: float) -> NDArray[np.bool_]:
    """Which values are at most `most`, but no more than a number of them, the smallest ones."""
    is_small: NDArray[np.bool_] = values <= most
    if is_small.sum() > number:
        is_small[:] = False
        is_small[np.argpartition(values, number)[:number]] = True
    return is_small


def exchanged(problem: Problem, pairing: Pairing) -> Pairing:
    """A better pairing by exchanging players of two tables, the best exchange first, with random ones wherever none is left."""
    costs = problem.pair_costs().astype(np.float64)
    np.fill_diagonal(costs, 0.0)
    places = np.array(sorted(place for table in pairing.tables for place in table))
    costs = costs[np.ix_(places, places)]
    at_table = {place: at for at, table in enumerate(pairing.tables) for place in table}
    best = np.array([at_table[int(place)] for place in places])
    dice, least = Random(0), np.inf
    for _ in range(KICKS if len(pairing.tables) > 1 else 0):
        table_of = best.copy()
        for _ in range(EXCHANGES_OF_A_KICK if least < np.inf else 0):
            one = dice.randrange(len(places))
            other = min(one + dice.randint(1, KICK), len(places) - 1)
            table_of[[one, other]] = table_of[[other, one]]
        while True:
            to_tables = costs @ (table_of[:, None] == np.arange(len(pairing.tables)))
            own = to_tables[np.arange(len(places)), table_of]
            moved = to_tables[:, table_of] - own[:, None]
            gains = np.where(table_of[:, None] == table_of, 0.0, moved + moved.T - 2 * costs)
            one, other = divmod(int(gains.argmin()), len(places))
            if gains[one, other] > -0.5:
                break
            table_of[[one, other]] = table_of[[other, one]]
        if own.sum() < least:
            best, least = table_of, float(own.sum())
    tables = tuple(tuple(sorted(int(place) for place in places[best == at])) for at in range(len(pairing.tables)))
    made = replace(pairing, tables=tables, certificate=problem.certificate(tables, pairing.byes, "greedy"))
    return min(pairing, made, key=lambda one: one.certificate.objective)


def solve(problem: Problem, first: Pairing) -> Pairing:
    """The best pairing there is, from any pairing to begin with."""
    begun, deadline = process_time(), monotonic() + problem.limit_s
    programme = Programme(problem, first)
    relaxation = programme.relax(deadline)
    best = exchanged(problem, first) if len(relaxation.reduced) > MOST_CUT_COLUMNS else first

    def most_reduced(by: Relaxation) -> float:
        """No column of a better pairing has a larger reduced cost: costs are whole numbers, so it costs 1 less at least."""
        return best.certificate.objective - 1 - by.bound + TOLERANCE * programme.groups

    def better_of(columns: NDArray[np.bool_]) -> bool:
        """Take a better pairing of these columns if there is one; whether that is certain."""
        nonlocal best
        made, is_best = programme.best_of(columns, deadline - monotonic())
        if made is not None and made.certificate.objective < best.certificate.objective:
            best = made
        return is_best

    # A better pairing from few columns; then a better bound, where few columns are left that could improve the pairing.
    number = PROMISING * programme.players
    if most_reduced(relaxation) >= 0:
        better_of(smallest(relaxation.reduced, number, most_reduced(relaxation)))
    tight = relaxation
    while (
        (needed := tight.reduced <= most_reduced(tight)).any() and needed.sum() <= MOST_CUT_COLUMNS and monotonic() < deadline
    ):
        before, tight = tight, programme.tighten(needed, deadline)
        if tight.bound < before.bound + 1:
            break

    # Whatever is left to the integer programme, with more and more columns.
    is_proven = not needed.any() or most_reduced(tight) < 0
    while not is_proven and number <= MOST_PROMISING and monotonic() < deadline:
        number *= NEXT
        columns = smallest(tight.reduced, min(number, MOST_PROMISING), most_reduced(tight))
        is_best = better_of(columns)
        is_proven = is_best and not (tight.reduced[~columns] <= most_reduced(tight)).any()

    bound = min(tight.bound, best.certificate.objective)
    status: Status = "time limit"
    unlisted = programme.least_unlisted(relaxation.prices, most_reduced(relaxation))
    if unlisted <= most_reduced(relaxation):
        bound, status = min(bound, relaxation.bound + programme.groups * min(unlisted, 0.0)), "window"
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
