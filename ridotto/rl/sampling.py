"""Monte Carlo CFR in compiled code (Lanctot et al. 2009), for trees that compiled code has walked: `solving.sample_regrets`.

A match is played by the rules themselves, so its draws are drawn and not enumerated; policies are those of regret matching.
Loaded into a build for the CPU by `extend`, as `ridotto.rl.walk` is.
"""

from __future__ import annotations

from typing import Final, NamedTuple, Protocol, cast

from ridotto.engine.build import Build, compiled
from ridotto.engine.contract import rules
from ridotto.engine.dice import draw, is_legal, lowest, ones
from ridotto.engine.fields import Dice, Events, Mask, Row
from ridotto.rl.walk import WalkResults, find_set, heard

ACTION_COUNT = rules.ACTIONS.size
WIDTH = rules.FIELDS.width
MOST_DEPTH: Final = 512
"""Decisions in a match at most."""
PARTS: Final = 1 << 24
"""The resolution of a random choice of an action."""
EPSILON: Final = 0.6
"""The exploration of outcome sampling: how often the traverser draws any action, as in OpenSpiel."""


class Walker(NamedTuple):
    """The arrays of a match, by how many decisions came before, and what is learnt, by seat and sequence."""

    rows: list[Row]
    keys: list[Row]
    actions: list[Row]
    policies: list[list[float]]
    values: list[list[float]]
    at: Row
    first: Row
    regrets: list[list[float]]
    totals: list[list[float]]
    mask: Mask
    events: Events
    dice: Dice


@compiled
def enter(depth: int, walker: Walker, results: WalkResults, seat: int) -> int:
    """The first sequence of the information set here; its actions and their policy go into the arrays of this depth."""
    rules.legal(walker.rows[depth], seat, walker.mask)
    actions, policy = walker.actions[depth], walker.policies[depth]
    size = 0
    for action in range(ACTION_COUNT):
        if is_legal(walker.mask, action):
            actions[size] = action
            size += 1
    actions[ACTION_COUNT] = size
    number = find_set(results, seat, walker.keys[depth][seat], 0, size)
    first = results.first[seat][number]
    total = 0.0
    for i in range(size):
        policy[i] = max(0.0, walker.regrets[seat][first + i])
        total += policy[i]
    for i in range(size):
        policy[i] = policy[i] / total if total > 0 else 1.0 / size
    return first


@compiled
def follow(depth: int, walker: Walker, seat: int, i: int, table: list[list[Row]]) -> None:
    """Do an action of this depth; what comes of it stands at the next one."""
    row, after = walker.rows[depth], walker.rows[depth + 1]
    action = walker.actions[depth][i]
    for word in range(WIDTH):
        after[word] = row[word]
    walker.events[0] = 0
    rules.apply(after, seat, action, walker.dice, walker.events)
    for one in range(2):
        walker.keys[depth + 1][one] = heard(walker.keys[depth][one], one, action if one == seat else -1, walker.events, table)


@compiled
def worth(row: Row, seat: int) -> float:
    """The share of the win of a seat, less one half."""
    won = rules.winners(row)
    return ((won >> seat) & 1) / ones(won) - 0.5 if won != 0 else 0.0


@compiled
def drawn(chances: list[float], size: int, epsilon: float, dice: Dice) -> int:
    """A random place, by its probability mixed with a uniform part `epsilon`."""
    point = draw(dice, PARTS) / PARTS
    for i in range(size - 1):
        point -= epsilon / size + (1.0 - epsilon) * chances[i]
        if point < 0:
            return i
    return size - 1


@compiled
def external(walker: Walker, results: WalkResults, traverser: int, table: list[list[Row]]) -> None:
    """External sampling: all actions of the traverser, one of the other.

    `walker.at` has the place of the action that is looked at, -1 where one was drawn. There is no recursion: compiled functions
    that call themselves cannot be kept for the next process.
    """
    depth, value = 0, 0.0
    while True:
        # Down to the end of a match: the first actions of the traverser, drawn ones of the other.
        waiting = rules.to_act(walker.rows[depth])
        while waiting != 0:
            seat = lowest(waiting)
            first = enter(depth, walker, results, seat)
            size, policy = walker.actions[depth][ACTION_COUNT], walker.policies[depth]
            walker.first[depth], walker.at[depth] = first, 0 if seat == traverser else -1
            place = 0
            if seat != traverser:
                for i in range(size):
                    walker.totals[seat][first + i] += policy[i]
                place = drawn(policy, size, 0.0, walker.dice)
            follow(depth, walker, seat, place, table)
            depth += 1
            waiting = rules.to_act(walker.rows[depth])
        value = worth(walker.rows[depth], traverser)
        # Up again, to where the traverser has another action.
        goes_down = False
        while depth > 0 and not goes_down:
            depth -= 1
            place = walker.at[depth]
            if place < 0:
                continue
            size, policy, values = walker.actions[depth][ACTION_COUNT], walker.policies[depth], walker.values[depth]
            values[place] = value
            if place + 1 < size:
                walker.at[depth] = place + 1
                follow(depth, walker, traverser, place + 1, table)
                depth += 1
                goes_down = True
            else:
                value = 0.0
                for i in range(size):
                    value += policy[i] * values[i]
                for i in range(size):
                    walker.regrets[traverser][walker.first[depth] + i] += values[i] - value
        if not goes_down:
            return


@compiled
def outcome(walker: Walker, results: WalkResults, traverser: int, table: list[list[Row]]) -> None:
    """Outcome sampling: one match with one action for each decision, and an update on the way back.

    The other goes by its policy, so how likely it came here cancels out, and so do draws: only how likely the traverser was to
    try its own actions is corrected. `walker.values` has, of its decisions, that up to here and that of the action itself.

    The policy of the other is added up, not the traverser's. The traverser tries everything, so every information set of the
    other is weighed by its own policy alone. Those of the traverser are met only where the policy of the other leads now, which
    would weigh its policies by what the other happens to do, iteration by iteration, and their average is then none.
    """
    depth, tried = 0, 1.0
    waiting = rules.to_act(walker.rows[0])
    while waiting != 0:
        seat = lowest(waiting)
        first = enter(depth, walker, results, seat)
        size, policy, kept = walker.actions[depth][ACTION_COUNT], walker.policies[depth], walker.values[depth]
        epsilon = EPSILON if seat == traverser else 0.0
        place = drawn(policy, size, epsilon, walker.dice)
        walker.first[depth], walker.at[depth] = first, place if seat == traverser else -1
        if seat == traverser:
            kept[0], kept[1] = tried, epsilon / size + (1.0 - epsilon) * policy[place]
            tried *= kept[1]
        else:
            for i in range(size):
                walker.totals[seat][first + i] += policy[i] / tried
        follow(depth, walker, seat, place, table)
        depth += 1
        waiting = rules.to_act(walker.rows[depth])
    value = worth(walker.rows[depth], traverser)
    while depth > 0:
        depth -= 1
        place = walker.at[depth]
        if place < 0:  # drawn by the policy itself: nothing to correct
            continue
        size, policy, kept = walker.actions[depth][ACTION_COUNT], walker.policies[depth], walker.values[depth]
        value /= kept[1]
        expected = policy[place] * value
        for i in range(size):
            gain = (value if i == place else 0.0) - expected
            walker.regrets[traverser][walker.first[depth] + i] += gain / kept[0]
        value = expected


@compiled
def sample(
    walker: Walker, results: WalkResults, options: Row, is_external: bool, iterations: int, table: list[list[Row]]
) -> None:
    """So many iterations, each with one match for either seat as the traverser."""
    for _ in range(iterations):
        for traverser in range(2):
            row = walker.rows[0]
            for word in range(WIDTH):
                row[word] = 0
            walker.events[0] = 0
            rules.deal(row, 2, options, walker.dice, walker.events)
            for one in range(2):
                walker.keys[0][one] = heard(1, one, -1, walker.events, table)
            if is_external:
                external(walker, results, traverser, table)
            else:
                outcome(walker, results, traverser, table)


class Sampling(Protocol):
    """The functions of this module in a build."""

    def sample(
        self, walker: Walker, results: WalkResults, options: Row, is_external: bool, iterations: int, table: list[list[Row]], /
    ) -> None: ...


def load(build: Build) -> Sampling:
    """This module for one build."""
    for name in ("ridotto.rl.observe", "ridotto.rl.walk"):
        build.extend(name)
    return cast(Sampling, build.extend(__name__))
