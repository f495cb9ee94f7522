"""What chance did to each seat, draw by draw: compiled code around the rules of one game. Loaded once per game and target.

A position is worth what the game's own bot expects from it: the mean over some playouts, whose dice are the same for every
position. So it is a fixed number, whatever happens later. The luck of a draw is the worth of what was drawn, less the mean
worth of all that could have been drawn, each with its exact probability. Whatever positions are worth, that has the mean zero,
so it may be subtracted from a result without a bias (a control variate, as in AIVAT: Burch and others, 2018).
"""

from __future__ import annotations

from math import exp, log

from ridotto.engine.arrays import Judge, Network, Step, Workspace
from ridotto.engine.build import compiled
from ridotto.engine.contract import bot, rules
from ridotto.engine.dice import count_legal, lowest, next_bits, nth_legal, ones, start
from ridotto.engine.fields import Dice, Events, Row
from ridotto.engine.network import evaluate, shares
from ridotto.engine.search import IS_HIDDEN, MOST_DECISIONS, SURE, finish_playout

WIDTH = rules.FIELDS.width
DEAL, REDEAL, APPLY = 0, 1, 2
"""The kinds of a step."""
MOST_DRAWS = 500
"""Of a step."""
MOST_SEATS = 8
"""Places that each handicap has among shares of the win."""
TAPE = 4
"""Where the outcomes of a tape begin."""


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
    """How many outcomes the draw has that comes after the first `length` of a tape; 0 if nothing else is drawn."""
    tape[0] = 1
    tape[1] = 0
    tape[2] = length
    tape[3] = 0
    run_step(s, step, tape, events)
    return tape[3]


@compiled
def ask_network(s: Row, judge: Judge, work: Workspace, network: Network) -> None:
    """Play on to the next decision between several actions that nobody has begun to make, and ask a network about it."""
    mask = work.mask
    for _ in range(MOST_DECISIONS):
        waiting = rules.to_act(s)
        if waiting == 0:
            won = rules.winners(s)
            for seat in range(judge.seats):
                judge.values[seat] = SURE // ones(won) if won >> seat & 1 else 0
            return
        seat = lowest(waiting)
        rules.legal(s, seat, mask)
        action = nth_legal(mask, 0)
        if count_legal(mask) > 1:
            if ones(waiting) == judge.seats or not IS_HIDDEN[action]:
                evaluate(s, seat, network)
                shares(seat, network, SURE, judge.values)
                return
            action = bot.policy(s, seat, mask, work.dice, work.events, work.scratch)
        rules.apply(s, seat, action, work.dice, work.events)


@compiled
def add_shares(judge: Judge, shared: list[float]) -> None:
    """Add every seat's share of the win by the judge's values, once with each handicap.

    A handicap is added to the logarithm of a seat's odds.
    """
    total = 0
    for seat in range(judge.seats):
        total += judge.values[seat]
    if total == 0:
        return
    for seat in range(judge.seats):
        share = judge.values[seat] / total
        for number in range(len(judge.handicaps)):
            given = judge.handicaps[number]
            one = share
            if given != 0.0 and share > 0.0 and share < 1.0:
                odds = exp(log(share / (1.0 - share)) + given)
                one = odds / (1.0 + odds)
            shared[number * MOST_SEATS + seat] += one / judge.playouts


@compiled
def add_playout(
    s: Row, judge: Judge, number: int, shared: list[float], work: Workspace, network: Network | None = None
) -> bool:
    """Add what each seat has at the end of one playout from a row: its share of the win, as the judge sees it.

    Where the match is over it is the share of the win itself. Returns whether other dice may come to another end.
    """
    has_drawn = False
    if rules.to_act(s) == 0:
        won = rules.winners(s)
        for seat in range(judge.seats):
            judge.values[seat] = SURE // ones(won) if won >> seat & 1 else 0
    else:
        start(work.dice, judge.seed, 0, number, 1)
        drawn = work.dice[4]
        for word in range(WIDTH):
            work.row[word] = s[word]
        if network is None:
            finish_playout(work.row, judge.ahead, 0, judge.values, work)
        else:
            ask_network(work.row, judge, work, network)
        has_drawn = work.dice[4] != drawn
    add_shares(judge, shared)
    return has_drawn


@compiled
def worth(s: Row, judge: Judge, shared: list[float], work: Workspace, network: Network | None = None) -> None:
    """Every seat's share of the win: as it is, where the match is over, and else as the judge expects it."""
    for place in range(len(shared)):
        shared[place] = 0.0
    for number in range(judge.playouts):
        add_playout(s, judge, number, shared, work, network)


@compiled
def draw_the_rest(step: Step, judge: Judge, length: int, number: int, events: Events) -> bool:
    """Finish a step of which the first `length` draws are on the judge's tape, by dice of its own; whether any were missing."""
    start(judge.later, judge.seed, 1, number, 2)
    first = length
    missing = missing_outcomes(judge.row, step, judge.tape, length, events)
    while missing > 0 and length < MOST_DRAWS:
        judge.tape[TAPE + length] = (next_bits(judge.later) * missing) >> 32
        length += 1
        missing = missing_outcomes(judge.row, step, judge.tape, length, events)
    return length > first


@compiled
def worth_of_outcome(step: Step, judge: Judge, length: int, work: Workspace, network: Network | None = None) -> None:
    """What a step is worth of which the first `length` draws are on the judge's tape, over what may be drawn after them."""
    for place in range(len(judge.shares)):
        judge.shares[place] = 0.0
    for number in range(judge.playouts):
        has_drawn = draw_the_rest(step, judge, length, number, work.events)
        has_drawn |= add_playout(judge.row, judge, number, judge.shares, work, network)
        if not has_drawn:
            # Every other playout is the same.
            for place in range(len(judge.shares)):
                judge.shares[place] *= judge.playouts / (number + 1)
            return


@compiled
def is_as_before(judge: Judge) -> bool:
    """Whether the judge's row is the one that was looked at before."""
    same = True
    for word in range(WIDTH):
        same &= judge.row[word] == judge.before[word]
    return same


@compiled
def luck_of(
    step: Step,
    draws: Row,
    count: int,
    judge: Judge,
    counts: Row,
    luck: list[list[float]],
    work: Workspace,
    network: Network | None = None,
) -> None:
    """For each of the draws of a step: how many outcomes it had, and what it brought each seat."""
    tape = judge.tape
    shared = judge.shares
    for at in range(count):
        for place in range(len(shared)):
            luck[at][place] = 0.0
        for before in range(at):
            tape[TAPE + before] = draws[before]
        counts[at] = missing_outcomes(judge.row, step, tape, at, work.events)
        if counts[at] < 2:
            continue
        for number in range(judge.playouts):
            for outcome in range(counts[at]):
                tape[TAPE + at] = outcome
                draw_the_rest(step, judge, at + 1, number, work.events)
                # Two cards of a kind come to the same row, and a playout from it with the same dice to the same end.
                if outcome == 0 or not is_as_before(judge):
                    for place in range(len(shared)):
                        shared[place] = 0.0
                    for word in range(WIDTH):
                        judge.before[word] = judge.row[word]
                    add_playout(judge.row, judge, number, shared, work, network)
                for place in range(len(shared)):
                    luck[at][place] -= shared[place] / counts[at]
                    if outcome == draws[at]:
                        luck[at][place] += shared[place]


@compiled
def luck_of_choice(
    step: Step,
    actions: Row,
    chances: list[float],
    judge: Judge,
    luck: list[float],
    work: Workspace,
    network: Network | None = None,
) -> None:
    """What a bot's own dice brought each seat: what its action is worth, less the mean over all that it could have chosen."""
    shared = judge.shares
    for place in range(len(shared)):
        luck[place] = 0.0
    for i in range(len(actions)):
        if chances[i] <= 0.0 and actions[i] != step.action:
            continue
        one = Step(step.before, step.kind, step.seat, actions[i], step.options, step.seats)
        worth_of_outcome(one, judge, 0, work, network)
        for place in range(len(shared)):
            luck[place] -= chances[i] * shared[place]
            if actions[i] == step.action:
                luck[place] += shared[place]
