"""Plays Le Fantôme by solving the rest of the round; see `ridotto.present.protocols.Solver`.

What the inspector believes follows from what everybody has seen: the match is played again, and at each turn of the phantom the
round is solved as it stood then; how likely each suspect was to do what was done is the new belief. So the same view leads to
the same choice, whether earlier solutions are still in the memory or not.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from functools import cache
from math import gcd
from pathlib import Path
from typing import Any, NamedTuple

import numpy

from ridotto.engine.build import Build
from ridotto.engine.fields import Row
from ridotto.games.fantome.ai.board import board_of, unwatched
from ridotto.games.fantome.ai.solving.boards import CARDS_AT, PIECES, finish_card, place_board, squeeze
from ridotto.games.fantome.ai.solving.clock import Clock
from ridotto.games.fantome.ai.solving.duel import EvenRounds, TwoRounds
from ridotto.games.fantome.ai.solving.ends import CHANCES
from ridotto.games.fantome.ai.solving.history import Activation, history_of
from ridotto.games.fantome.ai.solving.solution import MEDIUM, VALUES, Choices, Plan, Room, Solution, next_row
from ridotto.games.fantome.ai.solving.tree import CLOSED, INSPECTOR_DRAWS, MOST_FINALS, NO_DRAW
from ridotto.games.fantome.components import EXIT
from ridotto.games.fantome.rules import EVERYBODY, PEOPLE, PHANTOM, RAOUL, F, apply, to_act

DOUBT = 0.15
"""The share of the phantom's choices that may not be those of this solver: then they are as good as they look."""
SHARP = 0.04
"""The difference, as a share of the win, for which such a phantom makes a choice e times as often."""
BY_STRATEGY, BY_POLICY = 0.5, 0.35
"""The powers to which likelihoods of the phantom's choices are raised, and then multiplied: those by the solver's strategy, and
those by the game's own policy."""
BY_SEARCH = 0.35, 0.2, 0.3
"""The same where a small search was asked as well: by strategy, policy and search."""
FLOOR = 0.02
"""The least that a suspect is believed to be the phantom, as a fraction of the likeliest: no choice clears anybody for good."""
LEAST, SLACK = 0.2, 0.02
"""A choice is not made if it is less likely than this fraction of the likeliest, or worse by so much than the best of the
others: it is left over from early iterations."""
ROUNDS_PART = 0.8
"""The part of the time for working out two rounds with two suspects."""
LOOKS, COMPARED, MANY = 20, 150, 1_000_000
"""The number of boards looked at then for each iteration, that to compare what can be forced alike; and as many as there is
time for."""


# The table of values.


@cache
def _values() -> tuple[Any, dict[str, Any]] | None:
    path = Path(__file__).parent / VALUES
    if not path.exists():
        return None
    with numpy.load(path, allow_pickle=False) as file:
        return file["table"].astype(numpy.float32) / 65535, json.loads(file["facts"].tobytes())


def reason_against(build: Build) -> str | None:
    """The reason that the solver cannot play with these components; None if it can."""
    values = _values()
    if values is None:
        return "there is no table of values"
    return None if values[1]["box"] == build.box else "the table of values was made with another box"


# Deciding.


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
    values = _values()
    assert values is not None
    table, _ = values
    history = history_of(build, view, memory, clock)
    last = len(history) - 1
    worked_out = _two_rounds(build, history[last], table, memory, clock)
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
                memory[key] = judge(build, one.row, belief, table, memory, clock)
            plan, node = memory[key], 0
        elif plan is None or node < 0 or _is_new_turn(history, i):
            if one.key not in memory:
                room = room or Room(build)
                solution = Solution(build, one.row, belief, table, room, sizes=clock.sizes)
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
    """The likelihood of something for each suspect, pooled from all that was asked."""
    if by_search is None:
        return by_strategy**BY_STRATEGY * by_policy**BY_POLICY
    return by_strategy ** BY_SEARCH[0] * by_policy ** BY_SEARCH[1] * by_search[suspects] ** BY_SEARCH[2]


def likelihood(plan: Plan, node: int, one: Activation) -> tuple[Any, int]:
    """The likelihood that each suspect, as the phantom, brings about a board; and the node there, -1 if not in the plan."""
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
    """The chance of each choice, made by one suspect as the phantom or by the inspector, and its worth to them."""
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
    """The seat's chance to do each legal action, each seat's share of the win, and the iterations made."""
    clock = Clock(iterations, None if seconds is None else now() + seconds, now=now)
    plan, node, activation, _ = think(build, view, memory, clock)
    choices = plan.nodes[node]
    me = plan.suspects.index(view.row[F.identity]) if view.seat == PHANTOM else None
    win = float(plan.values @ plan.prior if me is None else plan.values[me])
    chances, worth = intended(plan, choices, me)
    is_end = choices.is_last and me is None
    end = _best_end(build, plan, choices, worth, activation, memory, clock) if is_end else None
    if end is not None:
        chances = numpy.where(numpy.arange(len(worth)) == end[0], 1.0, 0.0)
    reached = _reached(build, view, choices, None if end is None else end[1])
    total = {action: sum(chances[choice] * part for choice, part in parts.items()) for action, parts in reached.items()}
    weight = sum(total.values())
    if weight <= 0:
        # It has not come here by itself: it takes the best that is left, or what comes first if nothing is known of it.
        best = max((float(worth[choice]), -action) for action, parts in reached.items() for choice in parts or {0: 0.0})
        total, weight = {-best[1]: 1.0}, 1.0
    return {action: float(share / weight) for action, share in total.items()}, (1 - win, win), plan.iterations


def _reached(build: Build, view: Any, choices: Choices, best: int | None) -> dict[int, dict[int, float]]:
    """The choices that each legal action can still lead to, and its part of each: all ways there are equally likely.

    Of the boards that end the round alike, only the best one counts, if an action can still lead to it.
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
                # The best board counts for all others of its kind.
                weight = 1.0 if best is None or final == best else 1e-9
                counts[action][choice] = counts[action].get(choice, 0) + weight
                totals[choice] = totals.get(choice, 0) + weight
    return {
        action: {choice: count / totals[choice] for choice, count in by_choice.items()} for action, by_choice in counts.items()
    }


# Where the pieces stand when the next round begins. It is looked into after odd rounds, when the next cards are known: after
# even ones nearly everything depends on cards that nobody knows yet.

JUDGED, JUDGED_FIRST = 8, 2
"""The looks into ends of the round, if there is no limit of time; and after each opening card that is compared."""
JUDGED_CARDS = (2, 3)
"""The numbers of cards left at which this is done for the whole rest of the round."""
OPENINGS, OPENING_SUSPECTS = 6, 5
"""The number of the inspector's opening cards that are compared by looking further; with so many suspects at most."""
FIRST_PART = 0.3
"""The part of the time for the solution by the table alone."""
LIKE = 0.18, 0.54
"""The variance of boards with the same suspects, beside that of the table: with two suspects left, and with more."""
CANDIDATES = 12
"""The number of boards at the end of a round that are compared."""
NEAR = 0.15
"""The most by which an opening card, or an end of the round, may be worse than the best by the table to be compared."""
NEXT_ITERATIONS = 12
"""Iterations of the next round for each of them."""
PAIRS_AT_ONCE = 40
"""The number of ends with two suspects that are looked into before the round is solved again."""
QUICK = 0.04
"""The time to look into an end that leaves two suspects, beside others."""


class NextRounds:
    """The worth of beginnings of the next round, after an odd one: exactly with two suspects, else by a few iterations."""

    def __init__(self, build: Build, row: Row, table: Any, memory: dict[bytes, Any]) -> None:
        self.build, self.row, self.table = build, row, table
        self.room, self.even = Room(build), EvenRounds.of(build, row, table, memory)

    def values(self, final: int, can: int, belief: Any) -> Any:
        """The expectation of each suspect as the phantom on a board, with those left who are believed to be it."""
        suspects = numpy.flatnonzero(belief > 0).tolist()
        if len(suspects) == 2:
            return numpy.full(2, self.even.value(final, can, sum(1 << who for who in suspects)))
        after = next_row(self.build, self.row, final, suspects, can, 0)
        solution = Solution(self.build, after, belief, self.table, self.room, sizes=MEDIUM)
        solution.run(NEXT_ITERATIONS)
        return solution.values

    def by_table(self, can: int, prior: Any) -> float:
        """The value in the table, on the average of this belief."""
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
    looked_into: dict[int, float] = {}
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
        looked_into[choice] = float(reply.values @ reply.prior)
    if not looked_into:
        return plan
    best = min(looked_into, key=lambda one: (looked_into[one], one))
    gains = choices.gains.copy()
    for choice, value in looked_into.items():
        gains[choice] += value - worth[choice]
    shares = (numpy.arange(len(gains)) == best)[:, None].astype(numpy.float64)
    values = plan.values + looked_into[best] - plan.values @ plan.prior
    return plan._replace(values=values, nodes={0: choices._replace(shares=shares, gains=gains)})


Judge = Callable[[Build, Row, Any, Any, dict[bytes, Any], Clock], Plan]


def _judge_for(row: Row) -> Judge | None:
    """The function that looks into the ends of this round before a card is chosen; None if they are not looked into."""
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
    looks: dict[tuple[int, int], list[tuple[float, float]]] = {}
    """The worth of ends that leave the same suspects, and their values in the table."""
    done: set[tuple[int, int]] = set()
    known_pairs: set[tuple[int, int]] = set()
    iterations = solution.iterations
    again = max(8, min(24, iterations))
    each = (clock.now() - began) / max(1, iterations)

    def note(can: int, group: int, worth: float, by_table: float) -> None:
        """Take the worth of an end as evidence of all that leave the same suspects."""
        seen = looks.setdefault((can, group), [])
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
                score = float(weights[group]) * LIKE[1] / (LIKE[1] + len(looks.get((can, group), ())))
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
        remembered: tuple[int, int] = memory[key]
        return remembered
    values = _values()
    assert values is not None
    rounds, out = NextRounds(build, now.row, values[0], memory), numpy.empty(MOST_FINALS, numpy.int64)
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
"""The loss of an end in the eyes of the last player with each of its boards that was looked into."""


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
