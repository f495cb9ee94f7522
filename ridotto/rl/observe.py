"""Compiled code for learners: views as numbers, many rows stepped at once, the bot's advice. Loaded into a build by `extend`.

Learners choose the actions of their seats in each row; the other seats choose at random or by the game's own bot, until a
learner has to act again. Where a match ends the next is dealt at once, with the same dice as in `ridotto.core.batch`.
"""

from __future__ import annotations

from types import ModuleType
from typing import Protocol, cast

from ridotto.engine.arrays import Deal, Rows, Workspace
from ridotto.engine.build import Build, compiled
from ridotto.engine.contract import bot, rules
from ridotto.engine.dice import is_legal, lowest
from ridotto.engine.driver import begin, credit, mask_row, random_action
from ridotto.engine.fields import HIDDEN, Dice, Mask, Row
from ridotto.rl.arrays import Encoding, Learning

ACTION_COUNT = rules.ACTIONS.size

IS, BIT, NUMBER = 0, 1, 2
"""What an element of a tensor says about a word: that it has a value, that it has a bit, or how large it is."""
WORD, OP, AT, HIDDEN_AT = 0, 1, 2, 3
"""The columns of `Encoding.steps`: the place of the word, the kind of its elements, the start of its line in `places`, and the
element that says it is hidden (-1: it never is)."""


@compiled
def element(word: int, op: int, argument: int, scale: float) -> float:
    """One element of a tensor, where each element is computed on its own; a hidden word has no bits and no size."""
    if op == IS:
        return 1.0 if word == argument else 0.0
    if word == HIDDEN:
        return 0.0
    if op == BIT:
        return 1.0 if word >> argument & 1 else 0.0
    return word * scale


@compiled
def encode(masked: Row, steps: list[Row], places: Row, scales: list[float], out: list[float]) -> None:
    """Encode a masked row as numbers, word by word; only numbers other than 0 are written. See `Encoding`."""
    for at in range(len(out)):
        out[at] = 0.0
    for step in range(len(steps)):
        word = int(masked[steps[step][WORD]])
        at = steps[step][AT]
        if word == HIDDEN:
            out[steps[step][HIDDEN_AT]] = 1.0
        elif steps[step][OP] == IS:
            place = places[at + 1 + word]
            if place >= 0:
                out[place] = 1.0
        elif steps[step][OP] == BIT:
            while word != 0:
                if word & 1 and places[at] >= 0:
                    out[places[at]] = 1.0
                word >>= 1
                at += 1
        else:
            out[places[at]] = word * scales[places[at]]


@compiled
def encode_rows(masked: list[Row], viewers: Row, encoding: Encoding, out: list[list[float]], first: int, last: int) -> None:
    """The masked rows `first` to `last` - 1 as numbers, each as its viewer sees it."""
    for i in range(first, last):
        encode(masked[i], encoding.steps[viewers[i]], encoding.places[viewers[i]], encoding.scales, out[i])


@compiled
def spread(mask: Mask, allowed: Row) -> None:
    """Write a mask of legal actions as one number for each action."""
    for action in range(ACTION_COUNT):
        allowed[action] = 1 if is_legal(mask, action) else 0


@compiled
def settle(batch: Rows, learning: Learning, work: Workspace, deal: Deal, i: int, mover: int, is_scored: bool) -> None:
    """Let others decide in row `i` until a learner has to act, if need be in the next match.

    Where a match ends, the rewards are added up, and the last row is kept as the seat `mover` sees it (-1: it is not kept).
    """
    s = batch.rows[i]
    mask = batch.masks[i]
    dice = batch.dice[i]
    events = work.events
    match = batch.matches[i]
    while True:
        waiting = rules.to_act(s)
        if waiting == 0:
            if is_scored:
                for seat in range(deal.seats):
                    batch.rewards[i][seat] += rules.score(s, seat, work.parts)
            else:
                credit(s, deal.seats, batch.rewards[i])
            if mover >= 0:
                mask_row(s, mover, learning.lasts[i])
            match += 1
            begin(s, dice, events, deal, i + (match << 32))
            continue
        seat = lowest(waiting)
        rules.legal(s, seat, mask)
        if learning.learners[i] >> seat & 1:
            break
        if learning.bot_seats[i] >> seat & 1:
            action = bot.policy(s, seat, mask, dice, events, work.scratch)
        else:
            action = random_action(mask, dice)
        rules.apply(s, seat, action, dice, events)
    batch.ended[i] = match - batch.matches[i]
    batch.matches[i] = match
    batch.acting[i] = lowest(rules.to_act(s))


@compiled
def step_rows(
    batch: Rows,
    learning: Learning,
    encoding: Encoding,
    work: Workspace,
    deal: Deal,
    actions: Row,
    is_scored: bool,
    is_start: bool,
    first: int,
    last: int,
) -> int:
    """Do one action in the rows `first` to `last` - 1 (none at the start), and write the next observation of a learner.

    A row whose action is not legal is not changed; returns the first such row, or -1.
    """
    fault = -1
    for i in range(first, last):
        mover = -1
        if not is_start:
            action = actions[i]
            if action < 0 or action >= ACTION_COUNT or not is_legal(batch.masks[i], action):
                fault = i if fault < 0 else fault
                continue
            mover = batch.acting[i]
        for seat in range(deal.seats):
            batch.rewards[i][seat] = 0.0
        if not is_start:
            rules.apply(batch.rows[i], mover, actions[i], batch.dice[i], work.events)
        settle(batch, learning, work, deal, i, mover, is_scored)
        viewer = batch.acting[i]
        masked = learning.masked[i]
        mask_row(batch.rows[i], viewer, masked)
        encode(masked, encoding.steps[viewer], encoding.places[viewer], encoding.scales, learning.seen[i])
        spread(batch.masks[i], learning.allowed[i])
    return fault


@compiled
def advise_rows(batch: Rows, masked: list[Row], dice: list[Dice], work: Workspace, out: Row, first: int, last: int) -> None:
    """What the game's own bot would do in the rows `first` to `last` - 1, by what the seat to act may know."""
    for i in range(first, last):
        out[i] = bot.policy(masked[i], batch.acting[i], batch.masks[i], dice[i], work.events, work.scratch)


# This module in a build.


class Observe(Protocol):
    """The functions of this module in a build."""

    def encode_rows(
        self, masked: list[Row], viewers: Row, encoding: Encoding, out: list[list[float]], first: int, last: int, /
    ) -> None: ...
    def step_rows(
        self,
        batch: Rows,
        learning: Learning,
        encoding: Encoding,
        work: Workspace,
        deal: Deal,
        actions: Row,
        is_scored: bool,
        is_start: bool,
        first: int,
        last: int,
        /,
    ) -> int: ...
    def advise_rows(
        self, batch: Rows, masked: list[Row], dice: list[Dice], work: Workspace, out: Row, first: int, last: int, /
    ) -> None: ...


def load(build: Build) -> Observe:
    """This module for one build."""
    return cast(Observe, build.extend(__name__))


def load_kernels(build: Build) -> ModuleType:
    """`ridotto.rl.kernels` for a build on a GPU."""
    load(build)
    return build.extend("ridotto.rl.kernels")
