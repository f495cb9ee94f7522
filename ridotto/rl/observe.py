"""Compiled code for learners: views as numbers, many rows stepped at once, the bot's advice. Loaded into a build by `extend`.

Learners choose the actions of their seats in each row; the other seats choose at random or by the game's own bot, until a
learner has to act again. Where a match ends the next begins at once, with the same dice as in `ridotto.core.batch`.
"""

from __future__ import annotations

from types import ModuleType
from typing import Protocol, cast

from ridotto.engine.arrays import Deal, Encoding, Rows, Workspace
from ridotto.engine.build import Build, compiled
from ridotto.engine.contract import bot, features, rules
from ridotto.engine.dice import is_legal, lowest, ones, start
from ridotto.engine.driver import begin, mask_row, random_action
from ridotto.engine.encoding import AT, BIT, HIDDEN_AT, IS, NUMBER, OP, WORD, encode
from ridotto.engine.fields import EVENT_WIDTH, HIDDEN, Dice, Events, Mask, Row, Seat
from ridotto.rl.arrays import Learning, Memory, Packing

ACTION_COUNT = rules.ACTIONS.size
WIDTH = rules.FIELDS.width

LEAVE, START = -2, -3
"""Instead of an action: leave the row as it is, or begin its match."""
SHARE, ZERO_SUM, SCORE = range(3)
"""The kinds of reward: the share of the win, less an equal share; the same, but 0 if nobody wins; the score, less the mean."""
FLOATS, BYTES, BITS, ROW = range(4)
"""The forms of a row: as numbers, mostly from 0 to 1; as whole numbers up to 255; as bits, eight in a byte; not at all."""
ALL, OWNER, NOBODY = range(3)
"""The audiences of an event or an argument: everybody, the seat that the event is about, or nobody."""
FIRST, KIND, MARK, AUDIENCE, IS_SEAT = range(5)
"""The columns of the table of events, for an argument: its first element in a line (-1: there is no such argument), the kind of
its elements, the element that says it is hidden (-1: it never is), who may know it, and whether it is a seat or a set of seats.
For the event itself: which argument is its owner (0: none), and who may know of it."""


@compiled
def encode_bytes(masked: Row, steps: list[Row], places: Row, lows: Row, out: Row) -> None:
    """Encode a masked row as whole numbers from 0 to 255; a number that is larger becomes 255."""
    words, ops, starts, marks = steps[WORD], steps[OP], steps[AT], steps[HIDDEN_AT]
    for at in range(len(out)):
        out[at] = 0
    for step in range(len(words)):
        word = int(masked[words[step]])
        at = starts[step]
        if word == HIDDEN:
            if marks[step] >= 0:
                out[marks[step]] = 1
        elif ops[step] == IS:
            if places[at + 1 + word] >= 0:
                out[places[at + 1 + word]] = 1
        elif ops[step] == BIT:
            while word != 0:
                if word & 1 and places[at] >= 0:
                    out[places[at]] = 1
                word >>= 1
                at += 1
        else:
            out[at] = min(255, word - lows[at])


@compiled
def set_bit(out: Row, bit: int) -> None:
    """Set a bit, counted from the highest one of the first byte."""
    out[bit >> 3] = int(out[bit >> 3]) | 128 >> (bit & 7)


@compiled
def encode_bits(masked: Row, steps: list[Row], places: Row, packing: Packing, out: Row) -> None:
    """Encode a masked row as bits; a number has as many as its range needs, the highest first."""
    words, ops, starts, marks = steps[WORD], steps[OP], steps[AT], steps[HIDDEN_AT]
    bits = packing.starts
    for at in range(len(out)):
        out[at] = 0
    for step in range(len(words)):
        word = int(masked[words[step]])
        at = starts[step]
        if word == HIDDEN:
            if marks[step] >= 0:
                set_bit(out, bits[marks[step]])
        elif ops[step] == IS:
            if places[at + 1 + word] >= 0:
                set_bit(out, bits[places[at + 1 + word]])
        elif ops[step] == BIT:
            while word != 0:
                if word & 1 and places[at] >= 0:
                    set_bit(out, bits[places[at]])
                word >>= 1
                at += 1
        else:
            number = word - packing.lows[at]
            for bit in range(packing.widths[at]):
                if number >> (packing.widths[at] - 1 - bit) & 1:
                    set_bit(out, bits[at] + bit)


@compiled
def write(masked: Row, viewer: Seat, form: int, encoding: Encoding, packing: Packing, out: list[float]) -> None:
    """Encode a masked row in one of the forms."""
    if form == FLOATS:
        encode(masked, encoding.steps[viewer], encoding.places[viewer], encoding.scales, out)
    elif form == BYTES:
        encode_bytes(masked, encoding.steps[viewer], encoding.places[viewer], packing.lows, out)  # type: ignore[arg-type]
    elif form == BITS:
        encode_bits(masked, encoding.steps[viewer], encoding.places[viewer], packing, out)  # type: ignore[arg-type]
    else:
        for word in range(WIDTH):
            out[word] = masked[word]


@compiled
def encode_rows(
    masked: list[Row],
    viewers: Row,
    encoding: Encoding,
    form: int,
    packing: Packing,
    out: list[list[float]],
    first: int,
    last: int,
) -> None:
    """The masked rows `first` to `last` - 1 as numbers, each as its viewer sees it."""
    for i in range(first, last):
        write(masked[i], viewers[i], form, encoding, packing, out[i])


@compiled
def exchange_names(named: list[float], starts: Row, targets: Row, weights: list[float], out: list[float]) -> None:
    """Write traits instead of names: every element that is not 0 adds to its targets."""
    for at in range(len(out)):
        out[at] = 0.0
    for at in range(len(named)):
        if named[at] != 0.0:
            for i in range(starts[at], starts[at + 1]):
                out[targets[i]] += named[at] * weights[i]


# What has happened.


@compiled
def knows(audience: int, owner: Seat, seat: Seat) -> bool:
    """Whether a seat may know what has that audience."""
    return audience == ALL or (audience == OWNER and seat == owner)


@compiled
def remember(events: Events, memory: Memory, seats: int, i: int) -> None:
    """Add what has just happened in row `i` to what each seat has seen, as it may know it."""
    table, last = memory.table, len(memory.lines[i][0])
    for number in range(events[0]):
        at = 1 + number * EVENT_WIDTH
        code = events[at]
        owner = events[at + table[code][0][FIRST]] if table[code][0][FIRST] > 0 else -1
        for seat in range(seats):
            if not knows(table[code][0][AUDIENCE], owner, seat):
                continue
            line = memory.lines[i][seat][memory.counts[i][seat] % last]
            line[0] = code
            for argument in range(1, EVENT_WIDTH):
                line[argument] = events[at + argument] if knows(table[code][argument][AUDIENCE], owner, seat) else HIDDEN
            memory.counts[i][seat] += 1
    if events[0] > 0 and not memory.is_read:
        events[0] = 0


@compiled
def show_event(line: Row, table: list[list[Row]], rotation: Seat, seats: int, out: list[float]) -> None:
    """Write one event into a line of zeros; seats are counted from the seat `rotation`."""
    code = line[0]
    out[code] = 1.0
    for argument in range(1, EVENT_WIDTH):
        entry = table[code][argument]
        at = entry[FIRST]
        word = int(line[argument])
        if at < 0:
            continue
        if word == HIDDEN:
            out[entry[MARK]] = 1.0
        elif entry[KIND] == NUMBER:
            out[at] = word * 0.01
        elif entry[KIND] == IS:
            if word >= 0:
                out[at + ((word - rotation + seats) % seats if entry[IS_SEAT] else word)] = 1.0
        else:
            member = 0
            while word != 0:
                if word & 1:
                    out[at + ((member - rotation + seats) % seats if entry[IS_SEAT] else member)] = 1.0
                word >>= 1
                member += 1


@compiled
def show_memory(memory: Memory, seats: int, i: int, viewer: Seat, out: list[list[float]]) -> None:
    """Write the last events that a seat has seen in row `i`, oldest first; lines of 0 where there were fewer."""
    last, count = len(out), memory.counts[i][viewer]
    there = min(last, count)
    for at in range(last):
        for element in range(len(out[at])):
            out[at][element] = 0.0
        if at >= last - there:
            line = memory.lines[i][viewer][(count - last + at) % last]
            show_event(line, memory.table, viewer if memory.is_symmetric else 0, seats, out[at])


@compiled
def forget(memory: Memory, i: int) -> None:
    """Nobody has seen anything yet, in row `i`."""
    for seat in range(len(memory.counts[i])):
        memory.counts[i][seat] = 0


@compiled
def spread(mask: Mask, allowed: Row) -> None:
    """Write a mask of legal actions as one number for each action."""
    for word in range(len(mask)):
        bits = mask[word]
        for bit in range(min(32, ACTION_COUNT - 32 * word)):
            allowed[32 * word + bit] = bits >> bit & 1


@compiled
def begin_match(s: Row, dice: Dice, events: Events, deal: Deal, learning: Learning, number: int) -> None:
    """Deal a new match, or begin it with the given row; what that hides is dealt by chance."""
    if len(learning.start) == 0:
        begin(s, dice, events, deal, number)
        return
    seed = deal.seed
    start(dice, seed & 0xFFFFFFFF, seed >> 32 & 0xFFFFFFFF, number & 0xFFFFFFFF, number >> 32 & 0xFFFFFFFF)
    for word in range(WIDTH):
        s[word] = learning.start[0][word]
    if learning.reader >= -1:
        rules.redeal(s, learning.reader, dice)


@compiled
def pay(s: Row, seats: int, reward: int, parts: Row, rewards: list[float]) -> None:
    """Add the reward of each seat for a match that is over."""
    won = rules.winners(s)
    if reward == SCORE:
        total = 0
        for seat in range(seats):
            total += rules.score(s, seat, parts)
        for seat in range(seats):
            rewards[seat] += rules.score(s, seat, parts) - total / seats
    elif won != 0 or reward == SHARE:
        for seat in range(seats):
            rewards[seat] += (1.0 / ones(won) if won >> seat & 1 else 0.0) - 1.0 / seats


@compiled
def settle(
    batch: Rows, learning: Learning, bot_seats: Row | None, events: Events, scratch: Row, parts: Row, deal: Deal, i: int
) -> None:
    """Let others decide in row `i` until a learner has to act, if need be in the next match.

    The game's own bot has the seats in the set `bot_seats[i]`; with None it is not even compiled. Where a match ends, the
    rewards are added up, and the last row is kept as the learner that moved sees it.
    """
    s = batch.rows[i]
    mask = batch.masks[i]
    dice = batch.dice[i]
    while True:
        waiting = rules.to_act(s)
        if waiting == 0:
            pay(s, deal.seats, learning.reward, parts, batch.rewards[i])
            if learning.movers[i] >= 0 and batch.ended[i] == 0:
                mask_row(s, learning.movers[i], learning.lasts[i])
                if len(learning.memory.lasts) > 0:
                    show_memory(learning.memory, deal.seats, i, learning.movers[i], learning.memory.lasts[i])
            batch.ended[i] += 1
            batch.matches[i] += 1
            if events[0] > 0:
                events[0] = 0
            begin_match(s, dice, events, deal, learning, i + (batch.matches[i] << 32))
            if len(learning.memory.lines) > 0:
                forget(learning.memory, i)
                remember(events, learning.memory, deal.seats, i)
            continue
        seat = lowest(waiting)
        rules.legal(s, seat, mask)
        if learning.learners[i] >> seat & 1:
            break
        if bot_seats is None:
            action = random_action(mask, dice)
        elif bot_seats[i] >> seat & 1:
            action = bot.policy(s, seat, mask, dice, events, scratch)
        else:
            action = random_action(mask, dice)
        rules.apply(s, seat, action, dice, events)
        if len(learning.memory.lines) > 0:
            remember(events, learning.memory, deal.seats, i)
    batch.acting[i] = lowest(rules.to_act(s))


@compiled
def next_learner(s: Row, mask: Mask, learners: int) -> Seat:
    """The seat to act, if a learner has it, with its legal actions; else -1."""
    waiting = rules.to_act(s)
    if waiting == 0 or not learners >> lowest(waiting) & 1:
        return -1
    rules.legal(s, lowest(waiting), mask)
    return lowest(waiting)


@compiled
def take_step(
    batch: Rows,
    learning: Learning,
    bot_seats: Row | None,
    events: Events,
    scratch: Row,
    parts: Row,
    deal: Deal,
    action: int,
    is_learners: bool,
    i: int,
) -> None:
    """Do a legal action in row `i`, or begin its match, and go on until the next decision of a learner.

    Rewards are those since the last decision of the learner itself.
    """
    if is_learners:
        batch.ended[i] = 0
        learning.movers[i] = batch.acting[i] if action >= 0 else -1
        for seat in range(deal.seats):
            batch.rewards[i][seat] = 0.0
    if action >= 0:
        rules.apply(batch.rows[i], batch.acting[i], action, batch.dice[i], events)
    else:
        begin_match(batch.rows[i], batch.dice[i], events, deal, learning, i + (batch.matches[i] << 32))
    if len(learning.memory.lines) > 0:
        if action < 0:
            forget(learning.memory, i)
        remember(events, learning.memory, deal.seats, i)
    settle(batch, learning, bot_seats, events, scratch, parts, deal, i)


@compiled
def step_rows(
    batch: Rows,
    learning: Learning,
    encoding: Encoding,
    work: Workspace,
    deal: Deal,
    actions: Row,
    is_learners: bool,
    first: int,
    last: int,
) -> int:
    """Do one action in the rows `first` to `last` - 1 (or LEAVE, or START), and write the next observation.

    A row whose action is not legal is not changed; returns the first such row, or -1.
    """
    # Tuples of arrays are handed on only where there is no other way: every call counts the references to each of them.
    rows, masks, all_dice, acting, ended, rewards = (
        batch.rows,
        batch.masks,
        batch.dice,
        batch.acting,
        batch.ended,
        batch.rewards,
    )
    learners, movers, all_masked, seen, allowed = (
        learning.learners,
        learning.movers,
        learning.masked,
        learning.seen,
        learning.allowed,
    )
    steps, places, scales, form = encoding.steps, encoding.places, encoding.scales, learning.form
    has_traits, remembers = len(learning.exchange.named) > 0, len(learning.memory.lines) > 0
    seats = deal.seats
    fault = -1
    for i in range(first, last):
        action = actions[i]
        if action == LEAVE:
            continue
        if action != START and (action < 0 or action >= ACTION_COUNT or not is_legal(masks[i], action)):
            fault = i if fault < 0 else fault
            continue
        events = learning.events[i] if len(learning.events) > 0 else work.events
        if action == START or not is_learners:
            take_step(batch, learning, learning.bot_seats, events, work.scratch, work.parts, deal, action, is_learners, i)
        else:
            ended[i] = 0
            movers[i] = acting[i]
            for seat in range(seats):
                rewards[i][seat] = 0.0
            rules.apply(rows[i], acting[i], action, all_dice[i], events)
            if remembers:
                remember(events, learning.memory, seats, i)
            acting[i] = next_learner(rows[i], masks[i], learners[i])
            if acting[i] < 0:
                settle(batch, learning, learning.bot_seats, events, work.scratch, work.parts, deal, i)
        viewer = acting[i]
        mask_row(rows[i], viewer, all_masked[i])
        if has_traits:
            exchange = learning.exchange
            encode(all_masked[i], steps[viewer], places[viewer], scales, exchange.named[i])
            exchange_names(exchange.named[i], exchange.starts, exchange.targets, exchange.weights, seen[i])
        elif form == FLOATS:
            encode(all_masked[i], steps[viewer], places[viewer], scales, seen[i])
        else:
            write(all_masked[i], viewer, form, encoding, learning.packing, seen[i])
        spread(masks[i], allowed[i])
        if remembers:
            show_memory(learning.memory, seats, i, viewer, learning.memory.shown[i])
    return fault


@compiled
def recall_rows(masked: list[Row], viewers: Row, first: int, last: int) -> None:
    """Take back simultaneous choices of others in the masked rows `first` to `last` - 1."""
    for i in range(first, last):
        bot.recall(masked[i], viewers[i])


@compiled
def show_features(s: Row, seat: Seat, mask: Mask, scratch: Row, out: list[float], at: int) -> None:
    """Write the features of a row, from `out[at]` on to the end."""
    for i in range(at, len(out)):
        out[i] = 0.0
    features.compute(s, seat, mask, scratch, out, at)


@compiled
def feature_rows(
    batch: Rows, masked: list[Row], work: Workspace, out: list[list[float]], at: int, first: int, last: int
) -> None:
    """The same for the seats to act in the rows `first` to `last` - 1, by what they may know."""
    for i in range(first, last):
        show_features(masked[i], batch.acting[i], batch.masks[i], work.scratch, out[i], at)


@compiled
def advise_rows(batch: Rows, masked: list[Row], dice: list[Dice], work: Workspace, out: Row, first: int, last: int) -> None:
    """The choices of the game's own bot in the rows `first` to `last` - 1, by the view of the seat to act."""
    for i in range(first, last):
        out[i] = bot.policy(masked[i], batch.acting[i], batch.masks[i], dice[i], work.events, work.scratch)


# This module in a build.


class Observe(Protocol):
    """The functions of this module in a build."""

    def encode_rows(
        self,
        masked: list[Row],
        viewers: Row,
        encoding: Encoding,
        form: int,
        packing: Packing,
        out: list[list[float]],
        first: int,
        last: int,
        /,
    ) -> None: ...
    def step_rows(
        self,
        batch: Rows,
        learning: Learning,
        encoding: Encoding,
        work: Workspace,
        deal: Deal,
        actions: Row,
        is_learners: bool,
        first: int,
        last: int,
        /,
    ) -> int: ...
    def show_event(self, line: Row, table: list[list[Row]], rotation: Seat, seats: int, out: list[float], /) -> None: ...
    def recall_rows(self, masked: list[Row], viewers: Row, first: int, last: int, /) -> None: ...
    def feature_rows(
        self, batch: Rows, masked: list[Row], work: Workspace, out: list[list[float]], at: int, first: int, last: int, /
    ) -> None: ...
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
