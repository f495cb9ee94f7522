"""Plays Le Fantôme by solving the rest of the round; see `ridotto.core.protocols.Solver`.

What the inspector believes follows from what everybody has seen: the match is played again, and at each turn of the phantom the
round is solved as it stood then; how likely each suspect was to do what was done is the new belief. So the same view leads to
the same choice, whether earlier solutions are still in the memory or not.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from hashlib import blake2b
from math import gcd, inf
from pathlib import Path
from typing import Any, NamedTuple

import numpy

from ridotto.core.tuning import SearchSettings
from ridotto.engine.arrays import SearchRequest
from ridotto.engine.build import Build
from ridotto.engine.dice import count_legal
from ridotto.engine.fields import HIDDEN, Row, Seat
from ridotto.games.fantome.bot import board_of, replay, tell, unwatched
from ridotto.games.fantome.components import EXIT
from ridotto.games.fantome.rules import EVERYBODY, NOBODY, PEOPLE, PHANTOM, PICK, RAOUL, A, F, apply, legal, to_act
from ridotto.games.fantome.solver_duel import Duel
from ridotto.games.fantome.solver_tree import (
    CARDS_AT,
    CHANCES,
    CLOSED,
    MEDIUM,
    MOST_FINALS,
    PIECES,
    VALUES,
    Choices,
    Plan,
    Room,
    Solution,
    finish_card,
    place_board,
    squeeze,
)

DOUBT = 0.15
"""The share of the phantom's choices that may not be those of this solver: then they are as good as they look."""
SHARP = 0.04
"""How much better a choice has to be, as a share of the win, for such a phantom to choose it e times as often."""
PLAIN = 0.5
"""How much the game's own policy counts when the phantom's choices are judged, beside the solver's strategy."""
SEARCHED, SEARCH_SLOTS = 200, 1024
"""The playouts of the search that tells what a phantom without a mixed strategy would do, and the size of its tree."""
SEARCH_POWER, SEARCH_DOUBT = 0.6, 0.1
"""An action is as likely as this power of how often the search tries it, but for this share of choices that tell nothing."""
BY_SEARCH = 0.6
"""How much that search counts when the inspector judges the phantom's choices, beside the solver's strategy and the policy."""
FLOOR = 0.06
"""The least that a suspect is believed to be the phantom, as a fraction of the likeliest: no choice clears anybody for good."""
LEAST, SLACK = 0.2, 0.02
"""A choice is not made if it is less likely than this fraction of the likeliest, or worse by so much than the best of the
others: it is left over from early iterations."""
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
    """The same by a small search for each of them."""


def _history(build: Build, view: Any, memory: dict[bytes, Any]) -> list[Activation]:
    """The cards played so far and the one being played; only the latter if the view does not tell the whole match."""
    found: list[Activation] = []
    mask = build.mask()
    likely: Any = numpy.ones(PEOPLE)
    told: Any = numpy.ones(PEOPLE)
    searches: dict[bytes, Any] = memory.setdefault(SEARCHES, {})

    def begin(row: Row, seat: Seat, card: int) -> None:
        """Note an activation by what everybody knows, so that its digest does not change when more is known later."""
        public = build.copy(row)
        public[F.identity] = public[F.held] = 0
        if found:
            found[-1].final = _final(found[-1], public)
        before = found[-1].key if found else b""
        key = blake2b(before + _bytes(public), digest_size=16).digest()
        found.append(Activation(public, seat, card, key=key, tells=numpy.ones(PEOPLE), searched=numpy.ones(PEOPLE)))

    def on_action(row: Row, seat: Seat, action: int) -> None:
        if row[F.asked] == PICK:
            begin(row, seat, action - A.pick)
        if seat == PHANTOM:
            likely[:] = 1
            legal(row, seat, mask)
            tell(row, mask, action, likely)
            found[-1].tells *= likely
            if view.seat != PHANTOM and int(row[F.suspects]).bit_count() > 2 and count_legal(mask) > 1:
                key = _bytes(row[: F.identity]) + bytes([action])
                if key not in searches:
                    searches[key] = searched(build, row, action, told)
                found[-1].searched *= searches[key]
            told[:] = told * likely

    if not replay(build, view, on_action):
        found.clear()
    if view.row[F.asked] == PICK or not found:
        begin(build.copy(view.row), view.seat, -1)
    return found


def searched(build: Build, row: Row, action: int, told: Any) -> Any:
    """How likely each suspect was to choose an action, if the phantom searches: by how often a small search tries it.

    `told` is how likely each was to do what was done before, by the game's own policy: what that search thinks is believed.
    """
    search, likely = build.search, numpy.ones(PEOPLE)
    plausible = build.copy([max(1, round(256 * one)) for one in told / told.max()], "int64")
    settings = build.copy(SearchSettings().numbers, "int64")
    for who in range(PEOPLE):
        if not row[F.suspects] >> who & 1:
            continue
        dice, world = build.generator(1, who), build.copy(row)
        world[F.identity], world[F.held] = who, HIDDEN
        build.rules.redeal(world, PHANTOM, dice)
        public = build.copy(build.rules.FIELDS.masked([int(word) for word in world], None))
        tree = build.tree(SEARCH_SLOTS, 8 * SEARCH_SLOTS)
        request = SearchRequest(world, public, PHANTOM, plausible, settings)
        root = int(search.search(request, SEARCHED, tree, build.workspace(dice)))
        first, count = int(tree.nodes[root + search.FIRST]), int(tree.nodes[root + search.COUNT])
        edges = numpy.reshape(tree.edges[first * search.EDGE : (first + count) * search.EDGE], (count, search.EDGE))
        tried = (edges[:, search.VISITS] + edges[:, search.PRIOR]) ** SEARCH_POWER
        chosen = edges[:, search.ACTION] == action
        likely[who] = (1 - SEARCH_DOUBT) * tried[chosen].sum() / tried.sum() + SEARCH_DOUBT / count
    return likely


def _bytes(row: Row) -> bytes:
    return numpy.array(row, numpy.int16).tobytes()


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
    history = _history(build, view, memory)
    last = len(history) - 1
    is_begun = clock.deadline is not None and view.row[F.asked] != PICK
    if is_begun and view.seat != PHANTOM:
        history[last] = _from_here(build, history[last], view)
    needed = [i for i, one in enumerate(history) if (one.seat == PHANTOM or i == last) and _is_new_turn(history, i)]
    clock.missing = sum(history[i].key not in memory for i in needed)
    is_judged = _can_be_judged(history[last].row, is_begun)
    room: Room | None = None
    belief = numpy.full(PEOPLE, 1 / PEOPLE)
    plan: Plan | None = None
    node = 0
    for i, one in enumerate(history):
        belief = _among(belief, int(one.row[F.suspects]))
        if one.seat != PHANTOM and i < last:
            continue
        if i == last and is_judged:
            plan, node = _judged_plan(build, one, belief, found[0], memory, clock), 0
        elif plan is None or node < 0 or _is_new_turn(history, i):
            if one.key not in memory:
                room = room or Room(build)
                solution = Solution(build, one.row, belief, found[0], room)
                clock.run(solution)
                memory[one.key] = solution.plan()
            plan, node = memory[one.key], 0
        if i < last:
            likely, node = likelihood(plan, node, one)
            plain, by_search = one.tells[plan.suspects], one.searched[plan.suspects]
            likely = (1 - PLAIN) * likely / likely.mean() + PLAIN * plain / plain.mean()
            if view.seat != PHANTOM:
                likely = (1 - BY_SEARCH) * likely + BY_SEARCH * by_search / by_search.mean()
            after = belief.copy()
            for suspect, chance in zip(plan.suspects, likely, strict=True):
                after[suspect] *= chance
            belief = _among(numpy.maximum(after, FLOOR * after.max()), int(one.row[F.suspects]))
    assert plan is not None
    return Thought(plan, node, history[last], belief)


def _from_here(build: Build, now: Activation, view: Any) -> Activation:
    """The rest of an activation as it stands in a view, by what everybody knows; Raoul's is left as it began, since his alibi
    may be drawn already."""
    if view.row[F.active] == RAOUL:
        return now
    public = build.copy(view.row)
    public[F.identity] = public[F.held] = 0
    key = blake2b(now.key + _bytes(public), digest_size=16).digest()
    return replace(now, row=public, key=key)


def _judged_plan(build: Build, now: Activation, belief: Any, table: Any, memory: dict[bytes, Any], clock: Clock) -> Plan:
    """A plan with looks into the next round, from the memory or worked out; if time is limited, decisions go on with it."""
    key = now.key + b"+"
    if clock.deadline is None:
        if key not in memory:
            memory[key] = Judgement(build, now.row, belief, table, memory).go_on(clock)
        plan: Plan = memory[key]
        return plan
    before, judgement = memory.get(GOING_ON, (b"", None))
    if before != key:
        judgement = Judgement(build, now.row, belief, table, memory)
        memory[GOING_ON] = key, judgement
    assert isinstance(judgement, Judgement)
    return judgement.go_on(clock)


def _among(belief: Any, suspects: int) -> Any:
    """A belief without those who are not suspected any more."""
    left = numpy.array([belief[who] * (suspects >> who & 1) for who in range(PEOPLE)])
    if left.sum() <= 0:
        left = numpy.array([float(suspects >> who & 1) for who in range(PEOPLE)])
    return left / left.sum()


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
    if choices.is_last and clock.deadline is not None:
        activation = _from_here(build, activation, view)
    kept = _best_end(build, plan, choices, worth, activation, me, memory, clock) if choices.is_last else None
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


# Where the pieces stand when the next round begins.

JUDGED = 8
"""How many ends of a round are looked into, two or three cards before it is over, if there is no limit of time."""
JUDGED_CARDS, JUDGED_LATER = (2, 3), (2, 3, 4)
"""How many cards are left when this is done: when a card is chosen, and in later decisions about it if time is limited."""
JUDGED_ROUNDS = (0, 1)
"""Whether it is done in even rounds, and in odd ones."""
LOOK = 0.1
"""How many seconds one of them is thought to take, before the first has shown it."""
FIRST_PART = 0.3
"""The part of the time for the solution by the table alone."""
LIKE = ((3.0, 2.5), (0.18, 0.54))
"""How far boards with the same suspects differ, beside how far the table is off: in even rounds, when the next cards are not
known, and in odd ones; with two suspects left, and with more. Variances."""
NEXT_CARDS = (0b01011010, 0b10100101, 0b00110011, 0b11001100, 0b01101001, 0b10010110)
"""Cards that may come after an even round, for all ends alike."""
SETS = 2
"""How many of these are tried for each board when the last card is played."""
CANDIDATES = 12
"""How many boards at the end of a round are compared."""
NEAR = 0.15
"""How much worse than the best an end of the round may be by the table to be among them."""
NEXT_ITERATIONS = 12
"""Iterations of the next round for each of them."""
PAIRS_AT_ONCE, PAIR_BOARDS = 12, 5
"""How many ends with two suspects are looked into before the round is solved again, and on how many boards each."""
QUICK = 0.1
"""How long it takes to look into an end that leaves two suspects, beside others."""


GOING_ON, ENDS, LOOKS, SEARCHES = b"going on", b"ends", b"looks", b"searches"
"""Where the memory has the judgement of the card being played, what ends of its round are worth to its player, what was found
of beginnings of rounds, and what small searches told of the phantom's choices."""


def _can_be_judged(row: Row, is_begun: bool = False) -> bool:
    """Whether it is worth looking into the ends of this round; `is_begun` is whether its next card is chosen already."""
    cards = int(row[F.offered]).bit_count() + (row[F.active] != NOBODY)
    return int(row[F.round]) & 1 in JUDGED_ROUNDS and cards in (JUDGED_LATER if is_begun else JUDGED_CARDS)


class NextRounds:
    """What beginnings of rounds are worth: exactly with two suspects, else by a few iterations."""

    def __init__(self, build: Build, table: Any, memory: dict[bytes, Any]) -> None:
        self.build, self.table = build, table
        self.room, self.duel = Room(build), Duel(build)
        self.known: dict[bytes, Any] = memory.setdefault(LOOKS, {})

    def pair(self, row: Row) -> float:
        """What a round with two suspects is worth to the phantom."""
        key = _bytes(row)
        if key not in self.known:
            self.known[key] = self.duel.value(row, self.table)
        value: float = self.known[key]
        return value

    def values(self, row: Row, belief: Any) -> Any:
        """What each suspect may expect as the phantom."""
        if int(row[F.suspects]).bit_count() == 2:
            return numpy.full(2, self.pair(row))
        key = _bytes(row) + belief.tobytes()
        if key not in self.known:
            solution = Solution(self.build, row, belief, self.table, self.room, sizes=MEDIUM)
            solution.run(NEXT_ITERATIONS)
            self.known[key] = solution.values
        return self.known[key]

    def by_table(self, row: Row, prior: Any) -> float:
        """What the table says of it, on the average of this belief."""
        line = self.table[int(row[F.round]) & 1, len(prior), EXIT - int(row[F.carlotta]), 0, 0, :, 0]
        return float(prior @ numpy.interp(prior**0.5 * (CHANCES - 1), range(CHANCES), line))

    def worst(self, row: Row, boards: list[int], pair: list[int], can: int) -> float:
        """What the worst of some boards with two suspects is worth to the phantom."""
        least = 1.0
        for final in boards:
            least = min(least, self.pair(_next_row(self.build, row, final, pair, can, 0)))
            if least == 0:
                break
        return least


class Judgement:
    """The rest of a round, solved with looks into the next one from the ends that are likely to be reached."""

    def __init__(self, build: Build, row: Row, belief: Any, table: Any, memory: dict[bytes, Any]) -> None:
        self.row, self.rounds = row, NextRounds(build, table, memory)
        self.solution = Solution(build, row, belief, table, self.rounds.room)
        self.n = len(self.solution.suspects)
        self.last = numpy.flatnonzero(self.solution.tree.children == CLOSED)
        closes = self.solution.tree.closes[self.last].astype(numpy.int64)
        self.groups = closes ^ (1 << self.n) - 1, closes
        """Who is left after each end: by whether the phantom can manifest."""
        self.found: dict[tuple[int, int], list[tuple[float, float]]] = {}
        """What ends that leave the same suspects are worth, and what the table says of them."""
        self.looked_at: set[tuple[int, int, int]] = set()
        """The boards with more than two suspects that were looked at; whether the phantom can manifest; the cards to come."""
        self.known_pairs: set[tuple[int, int]] = set()
        self.iterations = 0
        """How many were made by the table alone."""

    def go_on(self, clock: Clock) -> Plan:
        """Solve it, or look into more of its ends if that is done."""
        solution, until, began = self.solution, clock.deadline, clock.now()
        if self.iterations == 0:
            first = None if until is None else began + (until - began) * FIRST_PART
            Clock(clock.iterations, first, now=clock.now).run(solution)
            self.iterations = solution.iterations
            self.each = (clock.now() - began) / max(1, self.iterations)
        again = max(8, min(24, self.iterations))
        for _ in range(JUDGED if until is None else 1000):
            if not clock.can_look(more=again * self.each):
                break
            began = clock.now()
            likely = solution.ways()[self.last]
            if not self._look(likely, clock, again * self.each):
                break
            clock.looked(began)
            solution.begin_again()
            solution.run(again)
        if until is None:
            solution.run(max(0, self.iterations - solution.iterations))
        elif self.iterations > solution.iterations:
            Clock(self.iterations, until, now=clock.now).run(solution)
        return solution.plan()

    def _look(self, likely: Any, clock: Clock, more: float) -> bool:
        """Look into ends with two suspects, and into one with more; False if there is none that matters."""
        pairs = self._pairs(likely)
        for can, at in pairs:
            if not clock.can_look(more=more):
                break
            self._look_into_pair(can, at)
        if not clock.can_look(more=more):
            return bool(pairs)
        for can, group in self._groups(likely):
            final = self._fresh_board(can, group, likely)
            if final is not None:
                self._look_into_group(can, group, final)
                return True
        return bool(pairs)

    def _pairs(self, likely: Any) -> list[tuple[int, int]]:
        """The likeliest ends with two suspects that were not looked into yet, and whether the phantom can manifest there."""
        ends = sorted(
            ((-float(likely[at, can]), can, int(at)) for can in range(2) for at in numpy.flatnonzero(likely[:, can] > 0.003)),
        )
        goes_on = [(can, at) for _, can, at in ends if self.row[F.carlotta] + 2 + can < EXIT]
        fresh = [(can, at) for can, at in goes_on if (at, can) not in self.known_pairs]
        return [(can, at) for can, at in fresh if self.groups[can][at].bit_count() == 2][:PAIRS_AT_ONCE]

    def _look_into_pair(self, can: int, at: int) -> None:
        self.known_pairs.add((at, can))
        row, rounds, edge, group = self.row, self.rounds, int(self.last[at]), int(self.groups[can][at])
        pair, boards = self._remaining(group), self.solution.boards(edge, rounds.room)
        some = [boards[_spread(i, len(boards))] for i in range(min(len(boards), PAIR_BOARDS))]
        afters = [_next_row(rounds.build, row, final, pair, can, number) for number, final in enumerate(some)]
        plain = rounds.by_table(afters[0], numpy.full(2, 0.5))
        if row[F.round] & 1:
            # The inspector closes the round, knows the next cards, and takes the best board.
            worth = rounds.worst(row, some, pair, can)
            self.solution.exact[edge, can] = worth
            self._note(can, group, worth, plain)
        else:
            for after in afters:
                self._note(can, group, rounds.pair(after), plain)

    def _groups(self, likely: Any) -> list[tuple[int, int]]:
        """The suspects, more than two, whom an end may leave, and whether the phantom can manifest; first those of whom another
        look tells most."""
        found: list[tuple[float, int, int]] = []
        off = LIKE[int(self.row[F.round]) & 1][1]
        for can in range(2):
            weights = numpy.bincount(self.groups[can], likely[:, can], 1 << self.n)
            for group in numpy.flatnonzero(weights > 0.005).tolist():
                left = group.bit_count()
                if left > 2 and self.row[F.carlotta] + left + can < EXIT:
                    score = float(weights[group]) * off / (off + len(self.found.get((can, group), ())))
                    found.append((-score, can, group))
        return [(can, group) for score, can, group in sorted(found) if score <= -0.003]

    def _fresh_board(self, can: int, group: int, likely: Any) -> int | None:
        """The likeliest board on which these suspects are left and that was not looked at yet, with its next cards."""
        order = numpy.argsort(-numpy.where(self.groups[can] == group, likely[:, can], -1), kind="stable")
        boards = [int(self.solution.tree.finals[self.last[at]]) for at in order[:8] if self.groups[can][at] == group]
        number = self._cards(can, group)
        return next((final for final in boards if (final, can, number) not in self.looked_at), None)

    def _cards(self, can: int, group: int) -> int:
        """Which of the cards that may come are tried next; after an odd round they are known."""
        return 0 if self.row[F.round] & 1 else len(self.found.get((can, group), ())) % len(NEXT_CARDS)

    def _look_into_group(self, can: int, group: int, final: int) -> None:
        """Look at a board that leaves these suspects."""
        solution, rounds, number = self.solution, self.rounds, self._cards(can, group)
        self.looked_at.add((final, can, number))
        left = self._remaining(group)
        after = _next_row(rounds.build, self.row, final, left, can, number)
        shares = numpy.zeros(PEOPLE)
        shares[left] = [solution.prior[i] for i in range(self.n) if group >> i & 1]
        prior = shares[left] / shares.sum()
        self._note(can, group, float(prior @ rounds.values(after, shares)), rounds.by_table(after, prior))

    def _note(self, can: int, group: int, worth: float, by_table: float) -> None:
        """What was found of an end says something of all that leave the same suspects."""
        seen = self.found.setdefault((can, group), [])
        seen.append((worth, by_table))
        worths, tables = numpy.mean(seen, axis=0)
        like = LIKE[int(self.row[F.round]) & 1][group.bit_count() > 2]
        shift = (_logit(worths) - _logit(tables)) * len(seen) / (len(seen) + like)
        self.solution.odds[can, group] = numpy.exp(shift)

    def _remaining(self, group: int) -> list[int]:
        return [self.solution.suspects[i] for i in range(self.n) if group >> i & 1]


def _logit(chance: Any) -> Any:
    bounded = numpy.clip(chance, 0.02, 0.98)
    return numpy.log(bounded / (1 - bounded))


def _best_end(
    build: Build,
    plan: Plan,
    choices: Choices,
    worth: Any,
    now: Activation,
    me: int | None,
    memory: dict[bytes, Any],
    clock: Clock,
) -> tuple[int, int]:
    """At the last card: the end of the round, and the board, from which the next round is best.

    If time is limited, each decision about the card goes on with the boards that can still be reached.
    """
    key = now.key + bytes([255 if me is None else me])
    if clock.deadline is None and key in memory:
        found: tuple[int, int] = memory[key]
        return found
    turn = int(now.row[F.round]), int(now.row[F.played])
    if clock.deadline is None or memory.get(ENDS, (turn,))[0] != turn:
        memory.pop(ENDS, None)
    values: dict[int, float] = memory.setdefault(ENDS, (turn, {}))[1]
    found_values = _values()
    assert found_values is not None
    rounds, out = NextRounds(build, found_values[0], memory), numpy.empty(MOST_FINALS, numpy.int64)
    finals = sorted(set(out[: finish_card(now.row, rounds.room.stack, *rounds.room.rest, out)].tolist()))
    suspects = int(now.row[F.suspects]) & EVERYBODY
    alike: dict[int, list[int]] = {}
    bests: dict[int, tuple[float, int]] = {}
    for final in finals:
        choice = _choice(choices, final, suspects)
        if choice is not None:
            fresh = alike.setdefault(choice, [])
            if final not in values:
                fresh.append(final)
            elif choice not in bests or values[final] > bests[choice][0]:
                bests[choice] = values[final], final
    near = max(worth[choice] for choice in alike) - NEAR
    order = sorted((choice for choice in alike if worth[choice] >= near), key=lambda choice: (-worth[choice], choice))
    tried: dict[int, int] = dict.fromkeys(order, 0)
    looks = (2 if me is None else 1) * (1 if now.row[F.round] & 1 else SETS)
    left = CANDIDATES if clock.deadline is None else inf
    while left > 0:
        # Each end once, then more boards of the best ones.
        open_ends = [choice for choice in order if tried[choice] < len(alike[choice])]
        if not open_ends:
            break
        choice = next((one for one in open_ends if one not in bests), -1)
        if choice < 0:
            choice = max(open_ends, key=lambda one: (bests[one][0] - MORE * tried[one], -one))
        boards = alike[choice]
        final = boards[_spread(tried[choice], len(boards))]
        alone = int(unwatched(final)) & suspects
        cost = QUICK if max(alone.bit_count(), (suspects & ~alone).bit_count()) < 3 else 1.0
        if not clock.can_look(cost * looks):
            break
        left -= cost
        tried[choice] += 1
        belief = plan.prior * (choices.shares[choice] if choices.shares.shape[1] > 1 else 1)
        began = clock.now()
        value = _next_value(plan, now.row, final, belief, me, rounds)
        clock.looked(began, looks if cost == 1 else 1)
        value = -value if me is None else value
        values[final] = value
        if choice not in bests or value > bests[choice][0]:
            bests[choice] = value, final
        if value >= (0.0 if me is None else 1.0):
            break
    # Without time for a single look, the best end by the table.
    chosen = max(bests, key=lambda one: (bests[one][0], -one)) if bests else order[0]
    memory[key] = chosen, bests[chosen][1] if bests else alike[chosen][0]
    return chosen, memory[key][1]


MORE = 0.01
"""How much an end loses in the eyes of the last player with each of its boards that was looked into."""


def _spread(i: int, count: int) -> int:
    """The i-th of `count` things, in an order that soon comes around: every one once."""
    step = next(step for step in range(max(1, round(count * 0.382)), 2 * count + 2) if gcd(step, count) == 1)
    return i * step % count


def _next_row(build: Build, row: Row, final: int, suspects: list[int], can: int, number: int) -> Row:
    """The beginning of the next round, after an end of this one; with these of the cards that may come."""
    after = build.copy(row)
    place_board(after, final)
    after[F.suspects] = sum(1 << who for who in suspects)
    after[F.carlotta] = int(row[F.carlotta]) + len(suspects) + can
    after[F.round], after[F.played] = row[F.round] + 1, 0
    if row[F.round] & 1:
        after[F.offered], after[F.pile] = row[F.pile], 0
    else:
        after[F.offered] = NEXT_CARDS[number % len(NEXT_CARDS)]
        after[F.pile] = EVERYBODY & ~int(after[F.offered])
    return after


def _next_value(plan: Plan, row: Row, final: int, belief: Any, me: int | None, rounds: NextRounds) -> float:
    """The phantom's chance to win from a board on which the round ends; for one suspect as the phantom, or for all of them."""
    alone = int(unwatched(final))
    total = 0.0
    for can in range(2):
        group = [i for i, who in enumerate(plan.suspects) if alone >> who & 1 == can]
        weight = float(sum(belief[i] for i in group))
        if not group or (me not in group if me is not None else weight <= 0):
            continue
        if len(group) == 1:
            value = 0.0
        elif row[F.carlotta] + len(group) + can >= EXIT:
            value = 1.0
        else:
            suspects = [plan.suspects[i] for i in group]
            shares = numpy.zeros(PEOPLE)
            shares[suspects] = [belief[i] for i in group]
            sets = 1 if row[F.round] & 1 else SETS if len(group) > 2 else len(NEXT_CARDS)
            value = 0.0
            for number in range(sets):
                values = rounds.values(_next_row(rounds.build, row, final, suspects, can, number), shares)
                value += float(values @ shares[suspects] / weight if me is None else values[group.index(me)]) / sets
        total += value if me is not None else weight * value
    return total
