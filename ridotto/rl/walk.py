"""The tree of a small game for two, walked by compiled code: what `solving.Tree` does, for trees with millions of nodes.

An information set goes by a number of 64 bits made of everything that its seat has done and seen, as `ridotto.rl.events` says
who sees what. Loaded into a build for the CPU by `extend`.
"""

from __future__ import annotations

from typing import Final, NamedTuple, Protocol, cast

from ridotto.engine.build import Build, compiled
from ridotto.engine.contract import rules
from ridotto.engine.dice import is_legal, lowest, ones
from ridotto.engine.fields import EVENT_WIDTH, Dice, Events, Mask, Row
from ridotto.rl.observe import AUDIENCE, FIRST, knows

ACTION_COUNT = rules.ACTIONS.size
WIDTH = rules.FIELDS.width
FACTOR: Final = 6364136223846793005
"""Knuth's multiplier of a linear congruential generator of 64 bits."""
MOST_DRAWS: Final = 64
"""Draws of one step at most."""
NODES, LEAVES, SETS, SEQUENCES, DRAWS = 0, 1, 2, 4, 6
"""The offsets of the counts: of nodes, of leaves, of the information sets and the sequences of both seats, of chance nodes."""
COUNTS: Final = 7


class Stack(NamedTuple):
    """Nodes that wait to be visited: row, what each seat has seen, its sequence, and how likely chance makes the node."""

    rows: list[Row]
    keys: list[Row]
    sequences: list[Row]
    chances: list[float]


class WalkResults(NamedTuple):
    """The results of a walk, in arrays that are large enough or are reported as too small."""

    slots: Row
    """By a hash of the key: which information set is there, -1 for none."""
    keys: Row
    """Of each information set, seats in turn: what its seat has done and seen."""
    numbers: Row
    """Its number among those of its seat, twice, plus the seat."""
    first: list[Row]
    """By seat: the first sequence of each information set."""
    parents: list[Row]
    sizes: list[Row]
    pairs: list[Row]
    """Of each leaf: the sequence of either seat."""
    payoffs: list[float]
    """Of each leaf: the share of the win of seat 0 less one half, times how likely chance makes it."""
    counts: Row


class Bench(NamedTuple):
    """Arrays to work with."""

    mask: Mask
    dice: Dice
    events: Events
    tapes: list[Row]
    likely: list[float]
    row: Row


@compiled
def mixed(key: int, word: int) -> int:
    """A key with one more word."""
    key = (key ^ (word + 32768)) * FACTOR
    key ^= key >> 29
    return key * FACTOR + 1442695040888963407


@compiled
def heard(key: int, seat: int, action: int, events: Events, table: list[list[Row]]) -> int:
    """A digest of a seat's history after a step: its own action (-1: none), and the events that it may know of."""
    key = mixed(key, action)
    for number in range(events[0]):
        at = 1 + number * EVENT_WIDTH
        code = events[at]
        entry = table[code]
        owner = events[at + entry[0][FIRST]] if entry[0][FIRST] > 0 else -1
        if knows(entry[0][AUDIENCE], owner, seat):
            key = mixed(key, code + 1000)
            for argument in range(1, EVENT_WIDTH):
                if entry[argument][FIRST] >= 0 and knows(entry[argument][AUDIENCE], owner, seat):
                    key = mixed(key, events[at + argument])
    return key


@compiled
def find_set(results: WalkResults, seat: int, key: int, parent: int, size: int) -> int:
    """The number of an information set of a seat, which is new or known; -1 if there is no room for it."""
    slots, keys = results.slots, results.keys
    slot = (key >> 7) & (len(slots) - 1)
    while slots[slot] >= 0:
        if keys[slots[slot]] == key and results.numbers[slots[slot]] & 1 == seat:
            return results.numbers[slots[slot]] >> 1
        slot = (slot + 1) & (len(slots) - 1)
    counts = results.counts
    here, number = counts[SETS] + counts[SETS + 1], counts[SETS + seat]
    if here >= len(keys) or number >= len(results.first[seat]):
        return -1
    slots[slot], keys[here], results.numbers[here] = here, key, 2 * number + seat
    results.first[seat][number] = counts[SEQUENCES + seat]
    results.parents[seat][number] = parent
    results.sizes[seat][number] = size
    counts[SETS + seat] += 1
    counts[SEQUENCES + seat] += size
    return number


@compiled
def push_outcomes(
    stack: Stack,
    top: int,
    work: Bench,
    options: Row,
    seat: int,
    action: int,
    at: int,
    results: WalkResults,
    table: list[list[Row]],
) -> int:
    """Push everything that an action may lead to (-1: the deal), from the row in `work`; returns the new top, or -1."""
    tapes, likely, dice, events = work.tapes, work.likely, work.dice, work.events
    tapes[0][0] = 0
    likely[0] = stack.chances[at]
    key0, key1 = stack.keys[at][0], stack.keys[at][1]
    sequence0, sequence1 = stack.sequences[at][0], stack.sequences[at][1]
    waiting = 1
    while waiting > 0:
        waiting -= 1
        length, chance = tapes[waiting][0], likely[waiting]
        if top >= len(stack.rows) or length >= MOST_DRAWS:
            return -1
        dice[0], dice[1], dice[2], dice[3] = 1, 0, length, 0
        for draw in range(length):
            dice[4 + draw] = tapes[waiting][1 + draw]
        events[0] = 0
        row = stack.rows[top]
        for word in range(WIDTH):
            row[word] = work.row[word]
        if action >= 0:
            rules.apply(row, seat, action, dice, events)
        else:
            rules.deal(row, 2, options, dice, events)
        missing = dice[3]
        if missing > 0:
            results.counts[DRAWS] += 1
            if waiting + missing > len(tapes):
                return -1
            for outcome in range(missing):
                tape = tapes[waiting + outcome]
                for draw in range(length):
                    tape[1 + draw] = dice[4 + draw]
                tape[0], tape[1 + length] = length + 1, outcome
                likely[waiting + outcome] = chance / missing
            waiting += missing
        else:
            stack.keys[top][0] = heard(key0, 0, action if seat == 0 else -1, events, table)
            stack.keys[top][1] = heard(key1, 1, action if seat == 1 else -1, events, table)
            stack.sequences[top][0], stack.sequences[top][1] = sequence0, sequence1
            stack.chances[top] = chance
            top += 1
    return top


@compiled
def walk(stack: Stack, work: Bench, options: Row, results: WalkResults, table: list[list[Row]]) -> int:
    """Visit every node once; returns 0, or 1 if the tree is larger than the arrays."""
    # The first line of the stack is what the deal, and later each node, comes from.
    stack.keys[0][0] = stack.keys[0][1] = 1
    stack.sequences[0][0] = stack.sequences[0][1] = 0
    stack.chances[0] = 1.0
    top = push_outcomes(stack, 1, work, options, -1, -1, 0, results, table)
    if top < 0:
        return 1
    counts, mask = results.counts, work.mask
    while top > 1:
        top -= 1
        counts[NODES] += 1
        row = stack.rows[top]
        waiting = rules.to_act(row)
        if waiting == 0:
            leaf = counts[LEAVES]
            if leaf >= len(results.payoffs):
                return 1
            won = rules.winners(row)
            share = (won & 1) / ones(won) if won != 0 else 0.5
            results.pairs[leaf][0], results.pairs[leaf][1] = stack.sequences[top][0], stack.sequences[top][1]
            results.payoffs[leaf] = stack.chances[top] * (share - 0.5)
            counts[LEAVES] += 1
            continue
        seat = lowest(waiting)
        rules.legal(row, seat, mask)
        size = 0
        for action in range(ACTION_COUNT):
            if is_legal(mask, action):
                size += 1
        number = find_set(results, seat, stack.keys[top][seat], stack.sequences[top][seat], size)
        if number < 0 or results.sizes[seat][number] != size:
            return 1
        for word in range(WIDTH):
            work.row[word] = row[word]
        stack.keys[0][0], stack.keys[0][1] = stack.keys[top][0], stack.keys[top][1]
        stack.sequences[0][0], stack.sequences[0][1] = stack.sequences[top][0], stack.sequences[top][1]
        stack.chances[0] = stack.chances[top]
        nth = 0
        for action in range(ACTION_COUNT):
            if is_legal(mask, action):
                stack.sequences[0][seat] = results.first[seat][number] + nth
                nth += 1
                top = push_outcomes(stack, top, work, options, seat, action, 0, results, table)
                if top < 0:
                    return 1
    return 0


class Walk(Protocol):
    """The functions of this module in a build."""

    def walk(self, stack: Stack, work: Bench, options: Row, results: WalkResults, table: list[list[Row]], /) -> int: ...


def load(build: Build) -> Walk:
    """This module for one build."""
    build.extend("ridotto.rl.observe")
    return cast(Walk, build.extend(__name__))
