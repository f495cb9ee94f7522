"""The luck of each seat, draw by draw: compiled code around the rules of one game. Loaded once per game and target.

A position is worth what the game's own bot expects from it: the mean over some playouts, whose dice are the same for every
position. So it is a fixed number, whatever happens later. The luck of a draw is the worth of what was drawn, less the mean
worth of all that could have been drawn, each with its exact probability. Whatever positions are worth, that has the mean zero,
so it may be subtracted from a result without a bias (a control variate, as in AIVAT: Burch and others, 2018).
"""

from __future__ import annotations

from ridotto.engine.arrays import Judge, Step, Workspace
from ridotto.engine.build import compiled
from ridotto.engine.contract import rules
from ridotto.engine.dice import LOW32, next_bits, ones, start
from ridotto.engine.fields import Dice, Events, Row
from ridotto.engine.search import finish_playout

WIDTH = rules.FIELDS.width
DEAL, REDEAL, APPLY = 0, 1, 2
"""The kinds of a step."""
MOST_DRAWS = 500
"""The most draws in a step."""
TAPE = 4
"""The offset of the outcomes of a tape."""
KEPT = 512
"""The number of playouts that a judge remembers: a power of two."""


@compiled
def run_step(s: Row, step: Step, dice: Dice, events: Events) -> None:
    """Do a step from where it begins."""
    for word in range(WIDTH):
        s[word] = step.before[word]
    if step.kind == DEAL:
        rules.deal(s, step.seats, step.options, dice, events)
    elif step.kind == REDEAL:
        rules.redeal(s, -1, dice)
    else:
        rules.apply(s, step.seat, step.action, dice, events)


@compiled
def missing_outcomes(s: Row, step: Step, tape: Dice, length: int, events: Events) -> int:
    """The number of outcomes of the draw after the first `length` of a tape; 0 if nothing else is drawn."""
    tape[0] = 1
    tape[1] = 0
    tape[2] = length
    tape[3] = 0
    run_step(s, step, tape, events)
    return tape[3]


@compiled
def add_playout(s: Row, judge: Judge, number: int, shares: list[float], work: Workspace) -> None:
    """Add each seat's share of the win at the end of one playout from a row, as the game's own `value` judges it.

    In a finished match, it is the share of the win itself.
    """
    if rules.to_act(s) == 0:
        won = rules.winners(s)
        for seat in range(judge.seats):
            if won >> seat & 1:
                shares[seat] += 1.0 / ones(won) / judge.playouts
        return
    start(work.dice, judge.seed, 0, number, 1)
    for word in range(WIDTH):
        work.row[word] = s[word]
    finish_playout(work.row, judge.ahead, 0, judge.values, work)
    total = 0
    for seat in range(judge.seats):
        total += judge.values[seat]
    if total > 0:
        for seat in range(judge.seats):
            shares[seat] += judge.values[seat] / total / judge.playouts


@compiled
def worth(s: Row, judge: Judge, shares: list[float], work: Workspace) -> None:
    """Every seat's share of the win: its expected share by the game's own bot until the match is over."""
    for seat in range(judge.seats):
        shares[seat] = 0.0
    for number in range(judge.playouts):
        add_playout(s, judge, number, shares, work)


@compiled
def draw_the_rest(step: Step, judge: Judge, length: int, number: int, events: Events) -> None:
    """Finish a step of which the first `length` draws are on the judge's tape, by dice of its own."""
    start(judge.later, judge.seed, 1, number, 2)
    missing = missing_outcomes(judge.row, step, judge.tape, length, events)
    while missing > 0 and length < MOST_DRAWS:
        judge.tape[TAPE + length] = (next_bits(judge.later) * missing) >> 32
        length += 1
        missing = missing_outcomes(judge.row, step, judge.tape, length, events)


@compiled
def worth_of_outcome(step: Step, judge: Judge, length: int, work: Workspace) -> None:
    """Each seat's expected share after a step whose first `length` draws are on the judge's tape."""
    for seat in range(judge.seats):
        judge.shares[seat] = 0.0
    for number in range(judge.playouts):
        draw_the_rest(step, judge, length, number, work.events)
        add_playout(judge.row, judge, number, judge.shares, work)


@compiled
def remembered_playout(judge: Judge, number: int, work: Workspace) -> int:
    """The place in the judge's memory of a playout from its row; a playout that is missing is made first.

    A playout from the same row with the same dice comes to the same end: two cards of a kind make one row, and so do many
    draws in another order.
    """
    memory = judge.memory
    key = number
    for word in range(WIDTH):
        key = (key * 0x01000193 ^ judge.row[word] & 0xFFFF) & LOW32
    slot = (key ^ key >> 16) & KEPT - 1
    known = memory.numbers[slot] == number + 1
    for word in range(WIDTH):
        if not known:
            break
        known = memory.rows[slot * WIDTH + word] == judge.row[word]
    if not known:
        memory.numbers[slot] = number + 1
        for word in range(WIDTH):
            memory.rows[slot * WIDTH + word] = judge.row[word]
        for seat in range(judge.seats):
            judge.shares[seat] = 0.0
        add_playout(judge.row, judge, number, judge.shares, work)
        for seat in range(judge.seats):
            memory.shares[slot * 8 + seat] = judge.shares[seat]
    return slot * 8


@compiled
def luck_of(step: Step, draws: Row, at: int, judge: Judge, luck: list[float], work: Workspace) -> int:
    """Compute the luck of each seat in one draw of a step; returns the draw's number of outcomes."""
    tape = judge.tape
    shares = judge.memory.shares
    for seat in range(judge.seats):
        luck[seat] = 0.0
    for before in range(at):
        tape[TAPE + before] = draws[before]
    count = missing_outcomes(judge.row, step, tape, at, work.events)
    if count < 2:
        return count
    for number in range(judge.playouts):
        for outcome in range(count):
            tape[TAPE + at] = outcome
            draw_the_rest(step, judge, at + 1, number, work.events)
            first = remembered_playout(judge, number, work)
            for seat in range(judge.seats):
                luck[seat] -= shares[first + seat] / count
                if outcome == draws[at]:
                    luck[seat] += shares[first + seat]
    return count


# Choices that a bot draws at random, with known chances.


@compiled
def playout_after(step: Step, action: int, judge: Judge, number: int, work: Workspace) -> int:
    """The place in the judge's memory of a playout after an action with random draws; see `remembered_playout`."""
    for word in range(WIDTH):
        judge.row[word] = step.before[word]
    start(judge.later, judge.seed, 1, number, 2)
    rules.apply(judge.row, step.seat, action, judge.later, work.events)
    return remembered_playout(judge, number, work)


@compiled
def add_choice(step: Step, chosen: int, chances: list[float], judge: Judge, luck: list[float], work: Workspace) -> None:
    """Add each seat's luck in a random choice of an action, given the chance of each."""
    shares = judge.memory.shares
    for number in range(judge.playouts):
        for action in range(len(chances)):
            if chances[action] > 0.0:
                first = playout_after(step, action, judge, number, work)
                for seat in range(judge.seats):
                    luck[seat] -= shares[first + seat] * chances[action]
                    if action == chosen:
                        luck[seat] += shares[first + seat]
