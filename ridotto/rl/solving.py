"""Exact solutions of small games for two: the game tree in sequence form, its equilibrium, and how far a policy is from it.

A *sequence* of a player is an information set and an action there, with all its own actions before; number 0 is the empty one.
The payoff matrix has the expected share of the win of the first player for each pair of sequences. What is small enough: the
boxes `tiny` and `small` of a game, and late positions of any game. Games for two are constant-sum here: the shares of both
seats are 1 together, where nobody wins one half each, so that a value is the first seat's share of the win.

    tree = Tree.of(game, box="tiny")
    value, first, second = solve_exactly(tree)
    tree.exploitability(first, second)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from math import inf, isinf
from typing import Any, Final

import numpy

from ridotto.core import position as positions
from ridotto.core.errors import BadSetup
from ridotto.core.game import Game
from ridotto.core.state import State
from ridotto.core.view import View, read_events, seen_by
from ridotto.engine.fields import EVENT_WIDTH, Row, Seat
from ridotto.games import find
from ridotto.rl.tensors import Tensors

MOST_NODES: Final = 20_000_000
ROOM: Final = 1 << 16
"""Nodes that wait to be visited, and draws that wait to be tried, in compiled code."""
CFR_PLUS: Final = (inf, -inf, 1.0)
DCFR: Final = (1.5, 0.0, 2.0)
"""The discounting of regrets; see `regret_matching`."""
EMPTY: Final = 0
"""The sequence without an action."""


class TooLarge(BadSetup):
    """A game tree with more nodes than there may be."""


@dataclass
class Side:
    """The information sets and sequences of one seat."""

    keys: dict[bytes, int] = field(default_factory=dict)
    """Information sets by what the seat has seen and done."""
    first: list[int] = field(default_factory=list)
    """The first sequence of each information set; those of its other actions follow."""
    sizes: list[int] = field(default_factory=list)
    """The number of legal actions of each information set."""
    actions: list[tuple[int, ...]] = field(default_factory=list)
    """The legal actions in each information set; none if compiled code has walked the tree."""
    parents: list[int] = field(default_factory=list)
    """The sequence that leads to each information set."""
    depths: list[int] = field(default_factory=list)
    """The number of decisions of the seat before each information set."""
    sequence_depths: list[int] = field(default_factory=lambda: [0])

    @property
    def sequences(self) -> int:
        return len(self.sequence_depths)

    def information_set(self, key: bytes, parent: int, legal: tuple[int, ...]) -> int:
        """The number of an information set, which is new or known."""
        number = self.keys.get(key)
        if number is None:
            number = self.keys[key] = len(self.first)
            depth = self.sequence_depths[parent]
            self.first.append(self.sequences)
            self.sizes.append(len(legal))
            self.actions.append(legal)
            self.parents.append(parent)
            self.depths.append(depth)
            self.sequence_depths += [depth + 1] * len(legal)
        return number

    @cached_property
    def levels(self) -> list[tuple[Any, Any, Any, Any]]:
        """From the last decisions to the first: information sets, their parents, their sequences, and whose these are."""
        depths, first = numpy.array(self.depths), numpy.array(self.first)
        sizes, parents = numpy.array(self.sizes), numpy.array(self.parents)
        levels = []
        for depth in range(max(self.depths, default=-1), -1, -1):
            (sets,) = (depths == depth).nonzero()
            owners = numpy.repeat(numpy.arange(len(sets)), sizes[sets])
            starts = numpy.cumsum(sizes[sets]) - sizes[sets]
            sequences = numpy.repeat(first[sets] - starts, sizes[sets]) + numpy.arange(len(owners))
            levels.append((sets, parents[sets], sequences, owners))
        return levels

    @cached_property
    def uniform(self) -> Any:
        """The policy that chooses every legal action with the same probability, by sequence."""
        sizes = numpy.array(self.sizes, "int64")
        return numpy.concatenate([[1.0], numpy.repeat(1 / sizes, sizes)])

    def plan(self, policy: Any) -> Any:
        """The probability with which a seat makes all its choices of a sequence, if it goes by a policy."""
        plan = policy.copy()
        plan[EMPTY] = 1.0
        for _, parents, sequences, owners in reversed(self.levels):
            plan[sequences] *= plan[parents][owners]
        return plan

    def best(self, gains: Any) -> float:
        """The most that a seat can get where each sequence gains so much."""
        gains = gains.copy()
        for sets, parents, sequences, owners in self.levels:
            most = numpy.full(len(sets), -numpy.inf)
            numpy.maximum.at(most, owners, gains[sequences])
            numpy.add.at(gains, parents, most)
        return float(gains[EMPTY])


class Tree:
    """The whole tree of a game for two, from the deal or from a position, in sequence form.

    With `is_compiled`, compiled code walks it, a hundred times faster (`ridotto.rl.walk`), and notes no more than is needed to
    solve the game.

    With `choose`, which says how likely each action is in a view, it is the part of the tree that can come if one of both seats
    goes by that, whatever the other does: all that tells how far it is exploited (`policies`). It is asked once in every
    information set that its own choices do not rule out, which is why that part is small.
    """

    def __init__(
        self,
        game: Game,
        options: Mapping[str, int] | None = None,
        position: Mapping[str, Any] | None = None,
        *,
        most_nodes: int = MOST_NODES,
        is_compiled: bool = False,
        choose: Callable[[View], Mapping[int, float]] | None = None,
    ) -> None:
        self.game, self.build, self.options = game, game.build(), game.settle(options)
        self.position = position
        self.start = None if position is None else positions.read_masked(game, position)
        self.seats = game.seat_count(None if self.start is None else positions.seats_of(game, self.start[0]))
        if self.seats != 2:
            raise BadSetup(f"a tree is worked out for two seats, not for {self.seats}")
        self.sides = Side(), Side()
        self.nodes = self.decisions = self.chance_nodes = self.leaves = 0
        self._most, self._choose = most_nodes, choose
        self._chosen_by: tuple[list[float], list[float]] = ([1.0], [1.0])
        """By seat and sequence: what `choose` has said."""
        self.asked = 0
        """The number of calls of `choose`."""
        self._walked: Any = None
        """The results of compiled code, for `sample_regrets`."""
        self._texts: dict[tuple[Seat, tuple[int, ...]], bytes] = {}
        self._pairs: Any = []
        self._shares: Any = []
        self._chosen = self.build.copy(list(self.options.values()))
        if not is_compiled:
            self._walk()
        elif position is not None or choose is not None:
            raise BadSetup("compiled code walks whole trees from the deal")
        else:
            self._walk_compiled()

    @classmethod
    def of(cls, game: Game | str, box: str | None = None, **more: Any) -> Tree:
        """The tree of a game by its name, with one of its boxes."""
        return cls(find(game, box) if isinstance(game, str) else game, **more)

    @property
    def information_sets(self) -> tuple[int, int]:
        """The number of information sets of each seat."""
        return len(self.sides[0].first), len(self.sides[1].first)

    @property
    def policies(self) -> tuple[Any, Any]:
        """The policies given by `choose` for each seat, by sequence; uniform where it was not called."""
        if self._choose is None:
            raise BadSetup("policies are those of a `choose`: Tree(…, choose=…)")
        return numpy.array(self._chosen_by[0]), numpy.array(self._chosen_by[1])

    @cached_property
    def payoffs(self) -> Any:
        """The expected share of the win of seat 0, less one half, for each pair of sequences."""
        from scipy.sparse import csr_matrix

        pairs = numpy.asarray(self._pairs)
        shape = self.sides[0].sequences, self.sides[1].sequences
        return csr_matrix((numpy.asarray(self._shares), (pairs[:, 0], pairs[:, 1])), shape=shape)

    # Walking the tree.

    def _walk(self) -> None:
        """Visit every node once, and note its information set or its outcome."""
        keeps_past = self._choose is not None
        reached = [True], [True]  # by seat and sequence: whether `choose` makes all its choices
        for row, events, chance in self._outcomes(self.build.row(), ()):
            keys = tuple(self._next_key(self._first_key(row, seat), seat, events, None) for seat in (0, 1))
            stack = [(row, keys, (EMPTY, EMPTY), chance, (events,) if keeps_past else ())]
            while stack:
                row, keys, sequences, chance, past = stack.pop()
                self.nodes += 1
                if self.nodes > self._most:
                    raise TooLarge(f"the tree has more than {self._most:,} nodes")
                state = State(self.game, self.build, 2, row)
                if not state.to_act:
                    self._note(state, sequences, chance)
                    continue
                self.decisions += 1
                seat = state.to_act[0]
                side, legal = self.sides[seat], state.legal(seat)
                number = side.information_set(keys[seat], sequences[seat], legal)
                assert side.actions[number] == legal, "an information set with different legal actions"
                first = side.first[number]
                if self._choose is not None and first == len(reached[seat]):
                    comes = reached[seat][sequences[seat]]
                    shares = self._ask(state, seat, legal, past) if comes else [1 / len(legal)] * len(legal)
                    self._chosen_by[seat].extend(shares)
                    reached[seat].extend(comes and share > 0 for share in shares)
                for i, action in enumerate(legal):
                    mine = first + i
                    later = (mine, sequences[1]) if seat == 0 else (sequences[0], mine)
                    if self._choose is not None and not (reached[0][later[0]] or reached[1][later[1]]):
                        continue
                    for after, events, share in self._outcomes(row, ((seat, action),)):
                        seen = tuple(self._next_key(keys[one], one, events, action if one == seat else None) for one in (0, 1))
                        stack.append((after, seen, later, chance * share, (*past, events) if keeps_past else ()))

    def _ask(self, state: State, seat: Seat, legal: tuple[int, ...], past: tuple[Any, ...]) -> list[float]:
        """The probability by `choose` of each legal action after these events."""
        assert self._choose is not None
        if len(legal) == 1:
            return [1.0]
        self.asked += 1
        events = [one for ply, numbers in enumerate(past) for one in read_events(self.game.rules, numbers, ply)]
        chances = self._choose(state.view(seat, len(past), seen_by(seat, events)))
        return [chances.get(action, 0.0) for action in legal]

    def _outcomes(self, row: Row, step: tuple[tuple[Seat, int], ...]) -> Iterator[tuple[Any, list[int], float]]:
        """The possible results of a step: the row, its events and its probability."""
        waiting: list[tuple[tuple[int, ...], float]] = [((), 1.0)]
        while waiting:
            draws, chance = waiting.pop()
            after, dice, events = self.build.copy(row), self.build.tape(draws), self.build.events()
            if step:
                for seat, action in step:
                    self.build.rules.apply(after, seat, action, dice, events)
            elif self.start is None:
                self.build.rules.deal(after, self.seats, self._chosen, dice, events)
            else:
                after[:] = self.start[0]
                if self.start[1] != positions.EVERYTHING:
                    self.build.rules.redeal(after, self.start[1], dice)
            missing = int(dice[3])
            if missing:
                self.chance_nodes += 1
                waiting += [((*draws, outcome), chance / missing) for outcome in range(missing)]
            else:
                yield after, events[: 1 + int(events[0]) * EVENT_WIDTH], chance

    def _first_key(self, row: Row, seat: Seat) -> bytes:
        """The key of a seat's knowledge at the start: nothing of a deal, its view of a position."""
        if self.start is None:
            return b""
        return repr(State(self.game, self.build, 2, row).masked(seat)).encode()

    def _next_key(self, key: bytes, seat: Seat, events: list[int], action: int | None) -> bytes:
        """The key of a seat's history: a digest of the key before, its own action, and the events that it saw."""
        digest = blake2b(b"%d " % len(key) + key, digest_size=16)
        if action is not None:
            digest.update(b"%d!" % action)
        digest.update(self._told(seat, tuple(events)))
        return digest.digest()

    def _told(self, seat: Seat, events: tuple[int, ...]) -> bytes:
        """The events of a step as a seat sees them, cached, since the same ones recur often."""
        text = self._texts.get((seat, events))
        if text is None:
            seen = seen_by(seat, read_events(self.game.rules, events, 0))
            text = self._texts[seat, events] = "".join(f"{one.event.name}{list(one.values.values())}" for one in seen).encode()
        return text

    def _note(self, state: State, sequences: tuple[int, int], chance: float) -> None:
        self.leaves += 1
        outcome = state.outcome
        assert outcome is not None
        share = (0 in outcome.winners) / len(outcome.winners) if outcome.winners else 0.5
        self._pairs.append(sequences)
        self._shares.append(chance * (share - 0.5))

    def _walk_compiled(self) -> None:
        """The same by compiled code."""
        from ridotto.rl import walk

        build = self.game.build("cpu")
        width, room = build.rules.FIELDS.width, self._most // 4 + 1000
        arrays: Any = numpy.zeros, numpy.full
        zeros, full = arrays
        stack = walk.Stack(zeros((ROOM, width), "int16"), zeros((ROOM, 2), "int64"), zeros((ROOM, 2), "int32"), zeros(ROOM))
        work = walk.Bench(
            build.mask(),
            zeros(4 + walk.MOST_DRAWS, "int64"),
            build.events(),
            zeros((ROOM, 1 + walk.MOST_DRAWS), "int64"),
            zeros(ROOM),
            build.row(),
        )
        counts = zeros(walk.COUNTS, "int64")
        counts[walk.SEQUENCES : walk.SEQUENCES + 2] = 1
        firsts, parents, sizes = (zeros((2, room), "int32") for _ in range(3))
        slots = full(1 << (4 * room).bit_length(), -1, "int32")
        results = walk.WalkResults(
            slots,
            zeros(2 * room, "int64"),
            zeros(2 * room, "int32"),
            firsts,
            parents,
            sizes,
            zeros((self._most, 2), "int32"),
            zeros(self._most),
            counts,
        )
        table: Any = numpy.array(Tensors(self.game, 2).event_lines.table, "int32")
        options = build.copy(list(self.options.values()))
        if walk.load(build).walk(stack, work, options, results, table):
            raise TooLarge(f"the tree has more than {self._most:,} leaves, or {room:,} information sets of a seat")
        self.nodes, self.leaves, self.chance_nodes = (int(counts[at]) for at in (walk.NODES, walk.LEAVES, walk.DRAWS))
        self.decisions = self.nodes - self.leaves
        self._pairs, self._shares = results.pairs[: self.leaves], results.payoffs[: self.leaves]
        self._walked = build, options, results, table
        for seat, side in enumerate(self.sides):
            number = int(counts[walk.SETS + seat])
            side.first, side.parents, side.sizes = (array[seat, :number].tolist() for array in (firsts, parents, sizes))
            for parent, size in zip(side.parents, side.sizes, strict=True):
                depth = side.sequence_depths[parent]
                side.depths.append(depth)
                side.sequence_depths += [depth + 1] * size

    # What policies are worth.

    def value(self, first: Any, second: Any) -> float:
        """The share of the win of seat 0, if the seats go by these policies (by sequence)."""
        return 0.5 + float(self.sides[0].plan(first) @ (self.payoffs @ self.sides[1].plan(second)))

    def exploitability(self, first: Any, second: Any) -> float:
        """The gain of best replies against these policies, on the average of both seats; 0 in an equilibrium."""
        against_second = self.sides[0].best(self.payoffs @ self.sides[1].plan(second))
        against_first = self.sides[1].best(-(self.payoffs.T @ self.sides[0].plan(first)))
        return (against_second + against_first) / 2


# Equilibria.


def solve_exactly(tree: Tree) -> tuple[float, Any, Any]:
    """The value for seat 0 and an equilibrium, by linear programming in sequence form (Koller, Megiddo and von Stengel)."""
    first, value = _best_plan(tree, 0)
    second, other = _best_plan(tree, 1)
    assert abs(value + other) < 1e-6, "the two programs do not agree"
    return 0.5 + value, first, second


def _best_plan(tree: Tree, seat: Seat) -> tuple[Any, float]:
    """The policy of a seat that gets most against the best reply, and how much that is."""
    from scipy.optimize import linprog
    from scipy.sparse import bmat

    payoffs = tree.payoffs if seat == 0 else -tree.payoffs.T
    own, other = _constraints(tree.sides[seat]), _constraints(tree.sides[1 - seat])
    sequences, sets = own.shape[1], other.shape[0]
    # The most of q[0], with E x = e, x >= 0, and F' q <= A' x.
    cost = numpy.zeros(sequences + sets)
    cost[sequences] = -1.0
    right = numpy.zeros(own.shape[0])
    right[0] = 1.0
    solution = linprog(
        cost,
        A_ub=bmat([[-payoffs.T, other.T]], format="csr"),
        b_ub=numpy.zeros(other.shape[1]),
        A_eq=bmat([[own, numpy.zeros((own.shape[0], sets))]], format="csr"),
        b_eq=right,
        bounds=[(0, None)] * sequences + [(None, None)] * sets,
        method="highs",
    )
    assert solution.status == 0, solution.message
    return _policy(tree.sides[seat], solution.x[:sequences]), -float(solution.fun)


def _constraints(side: Side) -> Any:
    """The constraints on a realization plan: 1 for the empty sequence; the actions of an information set share its weight."""
    from scipy.sparse import csr_matrix

    rows, columns, values = [0], [EMPTY], [1.0]
    for number, (first, size) in enumerate(zip(side.first, side.sizes, strict=True), 1):
        rows += [number] * (size + 1)
        columns += [side.parents[number - 1], *range(first, first + size)]
        values += [-1.0, *[1.0] * size]
    return csr_matrix((values, (rows, columns)), shape=(len(side.first) + 1, side.sequences))


def _policy(side: Side, plan: Any) -> Any:
    """The policy that a plan stands for; where it never comes, every action alike."""
    policy = side.uniform.copy()
    for _, _, sequences, owners in side.levels:
        totals = numpy.zeros(int(owners[-1]) + 1)
        numpy.add.at(totals, owners, numpy.maximum(0, plan[sequences]))
        reached = totals[owners] > 1e-12
        policy[sequences[reached]] = numpy.maximum(0, plan[sequences[reached]]) / totals[owners[reached]]
    return policy


def _kept(iteration: int, power: float) -> float:
    """The discount of a regret after an iteration."""
    return float(power > 0) if isinf(power) else 1 / (1 + float(iteration) ** -power)


def regret_matching(
    tree: Tree,
    iterations: int,
    on_iteration: Callable[[int, Any, Any], None] | None = None,
    discounts: tuple[float, float, float] = CFR_PLUS,
) -> tuple[float, Any, Any]:
    """The value for seat 0 and a pair of policies near an equilibrium: the average policies of CFR+ (Tammelin), or of DCFR.

    `discounts` say how fast regrets above 0, regrets below 0 and early policies are forgotten (Brown and Sandholm): CFR+
    forgets nothing of the first, all of the second. `on_iteration` is told the number of the iteration and both average
    policies, after each power of two and at the end.
    """
    gained, lost, early = discounts
    policies = [side.uniform.copy() for side in tree.sides]
    regrets, totals = ([numpy.zeros(side.sequences) for side in tree.sides] for _ in range(2))
    for iteration in range(1, iterations + 1):
        keeps_gained, keeps_lost = (_kept(iteration, power) for power in (gained, lost))
        for seat, side in enumerate(tree.sides):
            other = tree.sides[1 - seat].plan(policies[1 - seat])
            gains = tree.payoffs @ other if seat == 0 else -(tree.payoffs.T @ other)
            policy = policies[seat]
            for sets, parents, sequences, owners in side.levels:
                expected = numpy.bincount(owners, policy[sequences] * gains[sequences], len(sets))
                regret = regrets[seat][sequences] + gains[sequences] - expected[owners]
                regrets[seat][sequences] = regret * numpy.where(regret > 0, keeps_gained, keeps_lost)
                above = numpy.maximum(0, regret)
                positive = numpy.bincount(owners, above, len(sets))[owners]
                sizes = numpy.bincount(owners, minlength=len(sets))[owners]
                policy[sequences] = numpy.where(positive > 0, above / numpy.where(positive > 0, positive, 1), 1 / sizes)
                numpy.add.at(gains, parents, expected)
            totals[seat] += iteration**early * side.plan(policy)
        if on_iteration is not None and (iteration & iteration - 1 == 0 or iteration == iterations):
            on_iteration(iteration, *(_policy(side, total) for side, total in zip(tree.sides, totals, strict=True)))
    first, second = (_policy(side, total) for side, total in zip(tree.sides, totals, strict=True))
    return tree.value(first, second), first, second


def sample_regrets(
    tree: Tree,
    iterations: int,
    on_iteration: Callable[[int, Any, Any], bool | None] | None = None,
    *,
    is_external: bool = True,
    seed: int = 1,
) -> tuple[float, Any, Any]:
    """The same by Monte Carlo CFR: external sampling, or outcome sampling, of a tree that compiled code has walked.

    `on_iteration` is told as above, and ends it by returning True.
    """
    from ridotto.rl import sampling

    if tree._walked is None:
        raise BadSetup("matches are sampled in trees that compiled code has walked: Tree(…, is_compiled=True)")
    build, options, results, table = tree._walked
    zeros: Any = numpy.zeros
    actions, depth, room = build.rules.ACTIONS.size, sampling.MOST_DEPTH, max(side.sequences for side in tree.sides)
    walker = sampling.Walker(
        zeros((depth, build.rules.FIELDS.width), "int16"),
        zeros((depth, 2), "int64"),
        zeros((depth, actions + 1), "int32"),
        zeros((depth, actions)),
        zeros((depth, actions)),
        zeros(depth, "int32"),
        zeros(depth, "int32"),
        zeros((2, room)),
        zeros((2, room)),
        build.mask(),
        build.events(),
        build.generator(seed),
    )
    code = sampling.load(build)

    def policies() -> tuple[Any, Any]:
        first, second = (_policy(side, walker.totals[seat][: side.sequences]) for seat, side in enumerate(tree.sides))
        return first, second

    done, step = 0, 1
    while done < iterations:
        code.sample(walker, results, options, is_external, min(step, iterations) - done, table)
        done, step = min(step, iterations), 2 * step
        if on_iteration is not None and on_iteration(done, *policies()):
            break
    return tree.value(*policies()), *policies()
