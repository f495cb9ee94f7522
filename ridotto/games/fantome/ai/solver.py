"""Plays Le Fantôme by solving the rest of the round; see `ridotto.present.protocols.Solver`.

What the inspector believes follows from what everybody has seen: the match is played again, and at each turn of the phantom the
round is solved as it stood then; how likely each suspect was to do what was done is the new belief. So the same view leads to
the same choice, whether earlier solutions are still in the memory or not.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from math import gcd
from pathlib import Path
from typing import Any, NamedTuple

import numpy

from ridotto.core.tuning import SearchSettings
from ridotto.engine.arrays import SearchRequest
from ridotto.engine.build import Build
from ridotto.engine.dice import count_legal
from ridotto.engine.fields import HIDDEN, Row, Seat
from ridotto.games.fantome.ai.bot import board_of, replay, tell, unwatched
from ridotto.games.fantome.ai.solving.duel import EvenRounds, TwoRounds
from ridotto.games.fantome.ai.solving.tree import (
    CARDS_AT,
    CHANCES,
    CLOSED,
    INSPECTOR_DRAWS,
    MEDIUM,
    MOST_FINALS,
    NO_DRAW,
    PIECES,
    SIZES,
    VALUES,
    Choices,
    Plan,
    Room,
    Solution,
    finish_card,
    next_row,
    place_board,
    squeeze,
)
from ridotto.games.fantome.components import EXIT
from ridotto.games.fantome.rules import EVERYBODY, PEOPLE, PHANTOM, PICK, RAOUL, A, F, apply, legal, to_act

DOUBT = 0.15
"""The share of the phantom's choices that may not be those of this solver: then they are as good as they look."""
SHARP = 0.04
"""How much better a choice has to be, as a share of the win, for such a phantom to choose it e times as often."""
BY_STRATEGY, BY_POLICY = 0.5, 0.35
"""The powers to which likelihoods of the phantom's choices are raised, and then multiplied: those by the solver's strategy, and
those by the game's own policy."""
BY_SEARCH = 0.35, 0.2, 0.3
"""The same where a small search was asked as well: by strategy, policy and search."""
SEARCHED, SEARCH_SLOTS, SEARCH_DOUBT = 4_000, 2_048, 0.1
"""The playouts of these searches, for all suspects together; the size of their trees; the share of choices that tell nothing.
"""
SEARCH_PART = 0.5
"""The part of the time that they may take."""
FLOOR = 0.02
"""The least that a suspect is believed to be the phantom, as a fraction of the likeliest: no choice clears anybody for good."""
LEAST, SLACK = 0.2, 0.02
"""A choice is not made if it is less likely than this fraction of the likeliest, or worse by so much than the best of the
others: it is left over from early iterations."""
ROUNDS_PART = 0.8
"""The part of the time for working out two rounds with two suspects."""
LOOKS, COMPARED, MANY = 20, 150, 1_000_000
"""How many boards are looked at then for each iteration, how many to compare what can be forced alike; and as many as there is
time for."""
GROWING = 0.2
"""How many seconds there must be for a solution with a large tree."""
FIRST_BATCH = 4
ENOUGH, ENOUGH_AT_LAST = 400, 100
"""The most iterations that are made however long it may take: of a solution, and of one of the last card."""


# The table of values.


@cache
def _values() -> tuple[Any, dict[str, Any]] | None:
    path = Path(__file__).parent / VALUES
    if not path.exists():
        return None
    with numpy.load(path, allow_pickle=False) as file:
        return file["table"].astype(numpy.float32) / 65535, json.loads(file["facts"].tobytes())


def reason_against(build: Build) -> str | None:
    """Why the solver cannot play with these components; None if it can."""
    found = _values()
    if found is None:
        return "there is no table of values"
    return None if found[1]["box"] == build.box else "the table of values was made with another box"


# What was seen.


@dataclass
class Activation:
    """A card that was played, or is being played: the row before it was chosen, by whom, and what came of it."""

    row: Row
    seat: Seat
    card: int = -1
    final: int = -1
    """The board after it, with the cards still to come; -1 if it is not finished."""
    key: bytes = b""
    """A digest of everything up to here."""
    tells: Any = None
    """How likely each character, as the phantom, was to play it so, by the game's own policy."""
    searched: Any = None
    """The same by a small search in the place of each; None if none was asked."""


def _history(build: Build, view: Any, memory: dict[bytes, Any], clock: Clock) -> list[Activation]:
    """The cards played so far and the one being played; only the latter if the view does not tell the whole match."""
    found: list[Activation] = []
    mask = build.mask()
    likely: Any = numpy.ones(PEOPLE)
    told: Any = numpy.ones(PEOPLE)
    until = clock.part(SEARCH_PART).deadline

    def begin(row: Row, seat: Seat, card: int) -> None:
        """Note an activation by what everybody knows, so that its digest does not change when more is known later."""
        public = _public(build, row)
        if found:
            found[-1].final = _final(found[-1], public)
        before = found[-1].key if found else b""
        key = blake2b(before + numpy.array(public, numpy.int16).tobytes(), digest_size=16).digest()
        found.append(Activation(public, seat, card, key=key, tells=numpy.ones(PEOPLE)))

    def on_action(row: Row, seat: Seat, action: int) -> None:
        if row[F.asked] == PICK:
            begin(row, seat, action - A.pick)
        if seat == PHANTOM:
            likely[:] = 1
            legal(row, seat, mask)
            tell(row, mask, action, likely)
            found[-1].tells *= likely
            if view.seat != PHANTOM and int(row[F.suspects]).bit_count() > 2 and count_legal(mask) > 1:
                public = _public(build, row)
                key = b"searched" + numpy.array([*public, action], numpy.int16).tobytes()
                if key not in memory and (until is None or clock.now() < until):
                    memory[key] = searched(build, public, action, told)
                if key in memory:
                    before = 1 if found[-1].searched is None else found[-1].searched
                    found[-1].searched = before * memory[key]
            told[:] = told * likely

    if not replay(build, view, on_action):
        found.clear()
    if view.row[F.asked] == PICK or not found:
        begin(build.copy(view.row), view.seat, -1)
    return found


def _public(build: Build, row: Row) -> Row:
    """What everybody knows of a row."""
    public = build.copy(row)
    public[F.identity] = public[F.held] = 0
    return public


def searched(build: Build, row: Row, action: int, told: Any) -> Any:
    """How likely each suspect was to choose an action if the phantom searches: by how often a small search tries it.

    `told` is how likely each was to do what was done before, by the game's own policy: what that search thinks is believed.
    """
    search, likely = build.search, numpy.ones(PEOPLE)
    suspects = [who for who in range(PEOPLE) if row[F.suspects] >> who & 1]
    believed = build.copy([max(1, round(256 * one)) for one in told / told[suspects].max()], "int64")
    settings = build.copy(SearchSettings().numbers, "int64")
    for who in suspects:
        dice, world = build.generator(1, who), build.copy(row)
        world[F.identity], world[F.held] = who, HIDDEN
        build.rules.redeal(world, PHANTOM, dice)
        masked = build.copy(build.rules.FIELDS.masked([int(word) for word in world], None))
        tree: Any = build.tree(SEARCH_SLOTS, 8 * SEARCH_SLOTS)
        request = SearchRequest(world, masked, PHANTOM, believed, settings)
        root = int(search.search(request, SEARCHED // len(suspects), tree, build.workspace(dice)))
        first, count = int(tree.nodes[root + search.FIRST]), int(tree.nodes[root + search.COUNT])
        edges = tree.edges[first * search.EDGE : (first + count) * search.EDGE].reshape(count, search.EDGE)
        tried = edges[:, search.VISITS] + edges[:, search.PRIOR]
        chosen = edges[:, search.ACTION] == action
        likely[who] = (1 - SEARCH_DOUBT) * tried[chosen].sum() / tried.sum() + SEARCH_DOUBT / count
    return likely


def _final(before: Activation, after: Row) -> int:
    return int(board_of(after)) & PIECES | (int(before.row[F.offered]) & ~(1 << before.card)) << CARDS_AT


# Deciding.


@dataclass
class Clock:
    """How long to think: a number of iterations for each solution, or until a deadline for all that are still missing."""

    iterations: int | None
    deadline: float | None
    missing: int = 1
    now: Callable[[], float] = time.perf_counter
    look: float = 0.0
    """The longest that a look into the next round has taken; 0 before the first."""

    def can_look(self, looks: float = 1, more: float = 0.0) -> bool:
        """Whether there is time for so many looks into the next round, and for so many seconds more."""
        return self.deadline is None or self.now() + looks * (self.look or LOOK) + more < self.deadline

    @property
    def sizes(self) -> tuple[tuple[int, int], ...]:
        """How large a tree there is time for."""
        is_short = self.deadline is not None and self.deadline - self.now() < GROWING * max(1, self.missing)
        return MEDIUM if is_short else SIZES

    def part(self, share: float) -> Clock:
        """A clock for a share of the time that is left."""
        until = None if self.deadline is None else self.now() + share * (self.deadline - self.now())
        return Clock(self.iterations, until, now=self.now, look=self.look)

    def looked(self, began: float, looks: int = 1) -> None:
        """Note that so many looks have been taken since then."""
        self.look = max(self.look, (self.now() - began) / looks)

    def run(self, solution: Solution) -> None:
        if self.deadline is None:
            assert self.iterations is not None
            solution.run(self.iterations)
            return
        until = self.now() + (self.deadline - self.now()) / max(1, self.missing)
        enough = self.iterations or (ENOUGH if len(solution.tree.keys) > 1 else ENOUGH_AT_LAST)
        batch = FIRST_BATCH
        while True:
            began = self.now()
            solution.run(min(batch, enough - solution.iterations))
            now = self.now()
            if solution.iterations == enough:
                break
            # As many as take a quarter of what is left, so that the time is kept.
            batch = int((until - now) / max(1e-6, now - began) * batch / 4)
            if batch < 1:
                if now + (now - began) / FIRST_BATCH > until:
                    break
                batch = 1
            batch = min(batch, 64)
        self.missing -= 1


class Thought(NamedTuple):
    """A plan, the node of it that a decision is at, the activation that the decision belongs to, and what is believed."""

    plan: Plan
    node: int
    now: Activation
    belief: Any


def _is_new_turn(history: list[Activation], i: int) -> bool:
    """Whether an activation begins a turn, or follows a draw: then the round is solved anew. The inspector, who has no
    secrets, always solves anew."""
    if i == 0 or history[i].seat != PHANTOM:
        return True
    before = history[i - 1]
    return before.seat != PHANTOM or before.row[F.round] != history[i].row[F.round] or before.card == RAOUL


def think(build: Build, view: Any, memory: dict[bytes, Any], clock: Clock) -> Thought:
    """Solve what is needed to decide in a view, with what is still in the memory."""
    found = _values()
    assert found is not None
    history = _history(build, view, memory, clock)
    last = len(history) - 1
    worked_out = _two_rounds(build, history[last], found[0], memory, clock)
    if worked_out is not None:
        return Thought(worked_out, 0, history[last], _among(numpy.ones(PEOPLE), int(history[last].row[F.suspects])))
    needed = [i for i, one in enumerate(history) if (one.seat == PHANTOM or i == last) and _is_new_turn(history, i)]
    clock.missing = sum(history[i].key not in memory for i in needed)
    judge = _judge_for(history[last].row)
    room: Room | None = None
    belief = numpy.full(PEOPLE, 1 / PEOPLE)
    plan: Plan | None = None
    node = 0
    for i, one in enumerate(history):
        belief = _among(belief, int(one.row[F.suspects]))
        if one.seat != PHANTOM and i < last:
            continue
        if i == last and judge is not None:
            key = one.key + b"+"
            if key not in memory:
                memory[key] = judge(build, one.row, belief, found[0], memory, clock)
            plan, node = memory[key], 0
        elif plan is None or node < 0 or _is_new_turn(history, i):
            if one.key not in memory:
                room = room or Room(build)
                solution = Solution(build, one.row, belief, found[0], room, sizes=clock.sizes)
                clock.run(solution)
                memory[one.key] = solution.plan()
            plan, node = memory[one.key], 0
        if i < last:
            likely, node = likelihood(plan, node, one)
            after = belief.copy()
            after[plan.suspects] *= _pooled(likely, one.tells[plan.suspects], one.searched, plan.suspects)
            belief = _among(numpy.maximum(after, FLOOR * after.max()), int(one.row[F.suspects]))
    assert plan is not None
    return Thought(plan, node, history[last], belief)


def _two_rounds(build: Build, now: Activation, table: Any, memory: dict[bytes, Any], clock: Clock) -> Plan | None:
    """In an odd round with two suspects: what to do by working out this round and the next; None if that does not say it."""
    row = now.row
    if int(row[F.suspects]).bit_count() != 2 or not row[F.round] & 1 or int(row[F.offered]).bit_count() < 2:
        return None
    key = now.key + b"2"
    if key not in memory:
        even = EvenRounds.of(build, row, table, memory)
        rounds = TwoRounds(build, row, table, even)
        is_enough = _limit(clock.part(ROUNDS_PART), even, LOOKS * (clock.iterations or MANY))
        while not rounds.is_done and not is_enough():
            rounds.run(LOOKS)
        if now.seat == PHANTOM:
            rounds.compare(_limit(clock.part(ROUNDS_PART), even, COMPARED))
        memory[key] = rounds.plan()
    plan: Plan | None = memory[key]
    return plan


def _limit(clock: Clock, even: EvenRounds, looks: int) -> Callable[[], bool]:
    """Tells whether the time is over, or so many boards more have been looked at."""
    most = even.looks + looks
    return lambda: even.looks >= most or (clock.deadline is not None and clock.now() > clock.deadline)


def _among(belief: Any, suspects: int) -> Any:
    """A belief without those who are not suspected any more."""
    left = numpy.array([belief[who] * (suspects >> who & 1) for who in range(PEOPLE)])
    if left.sum() <= 0:
        left = numpy.array([float(suspects >> who & 1) for who in range(PEOPLE)])
    return left / left.sum()


def _pooled(by_strategy: Any, by_policy: Any, by_search: Any, suspects: list[int]) -> Any:
    """How likely each suspect was to do something, by all that was asked."""
    if by_search is None:
        return by_strategy**BY_STRATEGY * by_policy**BY_POLICY
    return by_strategy ** BY_SEARCH[0] * by_policy ** BY_SEARCH[1] * by_search[suspects] ** BY_SEARCH[2]


def likelihood(plan: Plan, node: int, one: Activation) -> tuple[Any, int]:
    """How likely each suspect, as the phantom, was to bring about a board; and the node there, -1 if it is not in the plan."""
    choices = plan.nodes[node]
    choice = _choice(choices, one.final, int(one.row[F.suspects]) & EVERYBODY)
    if choice is None:
        return numpy.ones(len(plan.suspects)), -1
    looks = numpy.exp((choices.gains - choices.gains.max(axis=0)) / SHARP)
    mixed = (1 - DOUBT) * choices.shares + DOUBT * looks / looks.sum(axis=0)
    return mixed[choice], int(choices.children[choice])


def _choice(choices: Choices, final: int, suspects: int) -> int | None:
    """The number of the choice that leads to a board; None if there is none."""
    return choices.keys.get(int(squeeze(unwatched(final), suspects)) if choices.is_last else final)


def intended(plan: Plan, choices: Choices, me: int | None) -> tuple[Any, Any]:
    """How likely each choice is to be made, by one suspect as the phantom or by the inspector, and what it is worth to them."""
    chances = choices.shares[:, me or 0].copy()
    worth = -(choices.gains @ plan.prior) if me is None else choices.gains[:, me]
    chances[chances < LEAST * chances.max()] = 0
    chances[worth < worth[chances > 0].max() - SLACK] = 0
    if me is None:
        # Without secrets there is nothing to mix for.
        best = numpy.where(chances > 0, worth, -numpy.inf).argmax()
        chances = numpy.where(numpy.arange(len(worth)) == best, 1.0, 0.0)
    return chances / chances.sum(), worth


def mixture(
    build: Build,
    view: Any,
    memory: dict[bytes, Any],
    iterations: int | None,
    seconds: float | None,
    now: Callable[[], float] = time.perf_counter,
) -> tuple[dict[int, float], tuple[float, float], int]:
    """How likely the seat is to do each legal action, each seat's share of the win, and the iterations made."""
    clock = Clock(iterations, None if seconds is None else now() + seconds, now=now)
    plan, node, activation, _ = think(build, view, memory, clock)
    choices = plan.nodes[node]
    me = plan.suspects.index(view.row[F.identity]) if view.seat == PHANTOM else None
    win = float(plan.values @ plan.prior if me is None else plan.values[me])
    chances, worth = intended(plan, choices, me)
    is_kept = choices.is_last and me is None
    kept = _best_end(build, plan, choices, worth, activation, memory, clock) if is_kept else None
    if kept is not None:
        chances = numpy.where(numpy.arange(len(worth)) == kept[0], 1.0, 0.0)
    reached = _reached(build, view, choices, None if kept is None else kept[1])
    total = {action: sum(chances[choice] * part for choice, part in found.items()) for action, found in reached.items()}
    weight = sum(total.values())
    if weight <= 0:
        # It has not come here by itself: it takes the best that is left, or what comes first if nothing is known of it.
        best = max((float(worth[choice]), -action) for action, found in reached.items() for choice in found or {0: 0.0})
        total, weight = {-best[1]: 1.0}, 1.0
    return {action: float(share / weight) for action, share in total.items()}, (1 - win, win), plan.iterations


def _reached(build: Build, view: Any, choices: Choices, kept: int | None) -> dict[int, dict[int, float]]:
    """The choices that each legal action can still lead to, and its part of each: all ways there are equally likely.

    Of the boards that end the round alike, only the one that is kept counts, if an action can still lead to it.
    """
    suspects = int(view.row[F.suspects]) & EVERYBODY
    room, out = Room(build), numpy.empty(MOST_FINALS, numpy.int64)
    counts: dict[int, dict[int, float]] = {}
    totals: dict[int, float] = {}
    for action in view.legal:
        row = build.copy(view.row)
        row[F.played] = row[F.ghosts] = row[F.identity] = row[F.held] = 0
        row[F.shown] = EVERYBODY
        apply(row, int(to_act(row)) >> 1, action, *room.rest[2:])
        if row[F.played] == 1:
            finals = [int(board_of(row)) & PIECES | int(row[F.offered]) << CARDS_AT]
        else:
            finals = out[: finish_card(row, room.stack, *room.rest, out)].tolist()
        counts[action] = {}
        for final in finals:
            choice = _choice(choices, final, suspects)
            if choice is not None:
                # A board that is kept counts for all others of its kind.
                weight = 1.0 if kept is None or final == kept else 1e-9
                counts[action][choice] = counts[action].get(choice, 0) + weight
                totals[choice] = totals.get(choice, 0) + weight
    return {action: {choice: count / totals[choice] for choice, count in found.items()} for action, found in counts.items()}


# Where the pieces stand when the next round begins. It is looked into after odd rounds, when the next cards are known: after
# even ones nearly everything depends on cards that nobody knows yet.

JUDGED, JUDGED_FIRST = 8, 2
"""How often ends of the round are looked into, if there is no limit of time; and after each opening card that is compared."""
JUDGED_CARDS = (2, 3)
"""How many cards are left when this is done for the whole rest of the round."""
OPENINGS, OPENING_SUSPECTS = 6, 5
"""How many of the inspector's opening cards are compared by looking further; and with how many suspects at most."""
LOOK = 0.1
"""How many seconds a look is thought to take, before the first has shown it."""
FIRST_PART = 0.3
"""The part of the time for the solution by the table alone."""
LIKE = 0.18, 0.54
"""How far boards with the same suspects differ, beside how far the table is off: with two suspects left, and with more.
Variances."""
CANDIDATES = 12
"""How many boards at the end of a round are compared."""
NEAR = 0.15
"""How much worse than the best an opening card, or an end of the round, may be by the table to be compared."""
NEXT_ITERATIONS = 12
"""Iterations of the next round for each of them."""
PAIRS_AT_ONCE = 40
"""How many ends with two suspects are looked into before the round is solved again."""
QUICK = 0.04
"""How long it takes to look into an end that leaves two suspects, beside others."""


class NextRounds:
    """What beginnings of the next round are worth, after an odd one: exactly with two suspects, else by a few iterations."""

    def __init__(self, build: Build, row: Row, table: Any, memory: dict[bytes, Any]) -> None:
        self.build, self.row, self.table = build, row, table
        self.room, self.even = Room(build), EvenRounds.of(build, row, table, memory)

    def values(self, final: int, can: int, belief: Any) -> Any:
        """What each suspect may expect as the phantom on a board, with those left who are believed to be it."""
        suspects = numpy.flatnonzero(belief > 0).tolist()
        if len(suspects) == 2:
            return numpy.full(2, self.even.value(final, can, sum(1 << who for who in suspects)))
        after = next_row(self.build, self.row, final, suspects, can, 0)
        solution = Solution(self.build, after, belief, self.table, self.room, sizes=MEDIUM)
        solution.run(NEXT_ITERATIONS)
        return solution.values

    def by_table(self, can: int, prior: Any) -> float:
        """What the table says of it, on the average of this belief."""
        way = EXIT - int(self.row[F.carlotta]) - len(prior) - can
        line = self.table[0, len(prior), way, 0, 0, :, 0]
        return float(prior @ numpy.interp(prior**0.5 * (CHANCES - 1), range(CHANCES), line))


def _judged(build: Build, row: Row, belief: Any, table: Any, memory: dict[bytes, Any], clock: Clock) -> Plan:
    """The rest of a round, solved with a look into the next one from the ends that are likely to be reached."""
    solution = Solution(build, row, belief, table, Room(build))
    _look_ahead(solution, NextRounds(build, row, table, memory), clock, JUDGED)
    return solution.plan()


def _opening(build: Build, row: Row, belief: Any, table: Any, memory: dict[bytes, Any], clock: Clock) -> Plan:
    """The inspector's first card of an odd round: the best ones by the table are compared by looking further after each."""
    solution = Solution(build, row, belief, table, Room(build), sizes=clock.sizes)
    rounds = NextRounds(build, row, table, memory)
    began = clock.now()
    clock.part(FIRST_PART).run(solution)
    plan = solution.plan()
    choices = plan.nodes[0]
    worth = choices.gains @ plan.prior
    some = [int(one) for one in numpy.argsort(worth, kind="stable")[:OPENINGS] if worth[one] <= worth.min() + NEAR]
    finals = list(choices.keys)
    found: dict[int, float] = {}
    for number, choice in enumerate(some):
        part = clock.part(1 / (len(some) - number))
        if part.deadline is not None and clock.now() + (clock.now() - began) / 8 > part.deadline:
            break
        after = build.copy(row)
        place_board(after, finals[choice])
        after[F.played] += 1
        draws = INSPECTOR_DRAWS if int(row[F.offered]) & ~int(after[F.offered]) & 1 << RAOUL else NO_DRAW
        reply = Solution(build, after, belief, table, rounds.room, draws)
        _look_ahead(reply, rounds, part, JUDGED_FIRST)
        found[choice] = float(reply.values @ reply.prior)
    if not found:
        return plan
    best = min(found, key=lambda one: (found[one], one))
    gains = choices.gains.copy()
    for choice, value in found.items():
        gains[choice] += value - worth[choice]
    shares = (numpy.arange(len(gains)) == best)[:, None].astype(numpy.float64)
    values = plan.values + found[best] - plan.values @ plan.prior
    return plan._replace(values=values, nodes={0: choices._replace(shares=shares, gains=gains)})


Judge = Callable[[Build, Row, Any, Any, dict[bytes, Any], Clock], Plan]


def _judge_for(row: Row) -> Judge | None:
    """How the ends of this round are looked into before a card is chosen; None if they are not."""
    if not row[F.round] & 1:
        return None
    if int(row[F.offered]).bit_count() in JUDGED_CARDS:
        return _judged
    return _opening if row[F.played] == 0 and int(row[F.suspects]).bit_count() <= OPENING_SUSPECTS else None


def _look_ahead(solution: Solution, rounds: NextRounds, clock: Clock, passes: int) -> None:
    """Solve a round by the table, then look into the ends that are likely to be reached, and solve it again, until the time is
    over, or so many times."""
    row, until = solution.row, clock.deadline
    began = clock.now()
    clock.part(FIRST_PART).run(solution)
    n = len(solution.suspects)
    last = numpy.flatnonzero(solution.tree.children == CLOSED)
    nodes = numpy.searchsorted(solution.tree.first, last, side="right") - 1
    closes = solution.tree.closes[last].astype(numpy.int64)
    groups = closes ^ (1 << n) - 1, closes
    found: dict[tuple[int, int], list[tuple[float, float]]] = {}
    """What ends that leave the same suspects are worth, and what the table says of them."""
    done: set[tuple[int, int]] = set()
    known_pairs: set[tuple[int, int]] = set()
    iterations = solution.iterations
    again = max(8, min(24, iterations))
    each = (clock.now() - began) / max(1, iterations)

    def note(can: int, group: int, worth: float, by_table: float) -> None:
        """What was found of an end says something of all that leave the same suspects."""
        seen = found.setdefault((can, group), [])
        seen.append((worth, by_table))
        worths, tables = numpy.mean(seen, axis=0)
        shift = (_logit(worths) - _logit(tables)) * len(seen) / (len(seen) + LIKE[group.bit_count() > 2])
        solution.odds[can, group] = numpy.exp(shift)

    def remaining(group: int) -> list[int]:
        return [solution.suspects[i] for i in range(n) if group >> i & 1]

    for _ in range(passes if until is None else 1000):
        if not clock.can_look(more=again * each):
            break
        began = clock.now()
        likely = solution.ways()[last]
        ends = sorted(
            ((-float(likely[at, can]), can, int(at)) for can in range(2) for at in numpy.flatnonzero(likely[:, can] > 0.001)),
        )
        pairs = [
            (can, at)
            for _, can, at in ends
            if groups[can][at].bit_count() == 2 and (at, can) not in known_pairs and row[F.carlotta] + 2 + can < EXIT
        ][:PAIRS_AT_ONCE]
        for can, at in pairs:
            if not clock.can_look(QUICK, again * each):
                break
            # The inspector closes the round, knows the next cards, and takes the best board.
            known_pairs.add((at, can))
            group, node = int(groups[can][at]), int(nodes[at])
            board = int(solution.tree.keys[node]) if node > 0 else -1
            worth = rounds.even.worst(row, board, int(closes[at]), can, sum(1 << who for who in remaining(group)))
            solution.exact[last[at], can] = worth
            note(can, group, worth, rounds.by_table(can, numpy.full(2, 0.5)))
        best: tuple[float, int, int] | None = None
        for can in range(2):
            weights = numpy.bincount(groups[can], likely[:, can], 1 << n)
            for group in numpy.flatnonzero(weights > 0.005).tolist():
                left = group.bit_count()
                if left < 3 or row[F.carlotta] + left + can >= EXIT:
                    continue
                score = float(weights[group]) * LIKE[1] / (LIKE[1] + len(found.get((can, group), ())))
                if best is None or score > best[0]:
                    best = score, can, group
        if best is not None and best[0] >= 0.003 and clock.can_look(more=again * each):
            can, group = best[1:]
            order = numpy.argsort(-numpy.where(groups[can] == group, likely[:, can], -1), kind="stable")
            fresh = [int(solution.tree.finals[last[at]]) for at in order[:8] if groups[can][at] == group]
            final = next((one for one in fresh if (one, can) not in done), fresh[0])
            done.add((final, can))
            shares = numpy.zeros(PEOPLE)
            shares[remaining(group)] = [max(1e-9, solution.prior[i]) for i in range(n) if group >> i & 1]
            prior = shares[remaining(group)] / shares.sum()
            looking = clock.now()
            note(can, group, float(prior @ rounds.values(final, can, shares)), rounds.by_table(can, prior))
            clock.looked(looking)
        elif not pairs:
            break
        solution.begin_again()
        solution.run(again)
    if until is None:
        solution.run(max(0, iterations - solution.iterations))
    elif iterations > solution.iterations:
        Clock(iterations, until, now=clock.now).run(solution)


def _logit(chance: Any) -> Any:
    bounded = numpy.clip(chance, 0.02, 0.98)
    return numpy.log(bounded / (1 - bounded))


def _best_end(
    build: Build, plan: Plan, choices: Choices, worth: Any, now: Activation, memory: dict[bytes, Any], clock: Clock
) -> tuple[int, int]:
    """At the last card of an odd round: the end of the round, and the board, from which the next one is best."""
    key = now.key + b"end"
    if key in memory:
        found: tuple[int, int] = memory[key]
        return found
    found_values = _values()
    assert found_values is not None
    rounds, out = NextRounds(build, now.row, found_values[0], memory), numpy.empty(MOST_FINALS, numpy.int64)
    finals = sorted(set(out[: finish_card(now.row, rounds.room.stack, *rounds.room.rest, out)].tolist()))
    suspects = int(now.row[F.suspects]) & EVERYBODY
    alike: dict[int, list[int]] = {}
    for final in finals:
        choice = _choice(choices, final, suspects)
        if choice is not None:
            alike.setdefault(choice, []).append(final)
    order = sorted(
        (choice for choice in alike if worth[choice] >= worth.max() - NEAR), key=lambda choice: (-worth[choice], choice)
    )
    tried: dict[int, int] = dict.fromkeys(order, 0)
    bests: dict[int, tuple[float, int]] = {}
    left = float(CANDIDATES)
    while left > 0:
        # Each end once, then more boards of the best ones.
        open_ends = [choice for choice in order if tried[choice] < len(alike[choice])]
        if not open_ends:
            break
        choice = next((one for one in open_ends if one not in bests), -1)
        if choice < 0:
            choice = min(open_ends, key=lambda one: (bests[one][0] + MORE * tried[one], one))
        boards = alike[choice]
        final = boards[_spread(tried[choice], len(boards))]
        alone = int(unwatched(final)) & suspects
        cost = QUICK if max(alone.bit_count(), (suspects & ~alone).bit_count()) < 3 else 1.0
        if not clock.can_look(2 * cost):
            break
        left -= cost
        tried[choice] += 1
        began = clock.now()
        value = _next_value(plan, final, rounds)
        clock.looked(began, 2 if cost == 1 else 1)
        if choice not in bests or value < bests[choice][0]:
            bests[choice] = value, final
        if value <= 0:
            break
    # Without time for a single look, the best end by the table.
    chosen = min(bests, key=lambda one: (bests[one][0], one)) if bests else order[0]
    memory[key] = chosen, bests[chosen][1] if bests else alike[chosen][0]
    return chosen, memory[key][1]


MORE = 0.01
"""How much an end loses in the eyes of the last player with each of its boards that was looked into."""


def _spread(i: int, count: int) -> int:
    """The i-th of `count` things, in an order that soon comes around: every one once."""
    step = next(step for step in range(max(1, round(count * 0.382)), 2 * count + 2) if gcd(step, count) == 1)
    return i * step % count


def _next_value(plan: Plan, final: int, rounds: NextRounds) -> float:
    """The phantom's chance to win from a board on which an odd round ends, by what is believed."""
    alone = int(unwatched(final))
    total = 0.0
    for can in range(2):
        shares = numpy.zeros(PEOPLE)
        for who, share in zip(plan.suspects, plan.prior, strict=True):
            if alone >> who & 1 == can:
                shares[who] = max(1e-9, share)
        left = numpy.flatnonzero(shares)
        if len(left) < 2:
            continue
        value = 1.0
        if rounds.row[F.carlotta] + len(left) + can < EXIT:
            value = float(rounds.values(final, can, shares) @ shares[left] / shares.sum())
        total += shares.sum() * value
    return total
