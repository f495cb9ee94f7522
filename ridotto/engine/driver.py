"""The compiled machinery around one game: random play, many tables at once, counting. Loaded once per game and target."""

from __future__ import annotations

from ridotto.engine.build import compiled, constants
from ridotto.engine.contract import ACTIONS, FIELDS, apply, deal, ending, legal, policy, score, to_act, winners
from ridotto.engine.dice import count_legal, draw, is_legal, lowest, nth_legal, ones, start
from ridotto.engine.fields import HIDDEN, Dice, Events, Mask, Row, Seat

WIDTH = FIELDS.width
ACTION_COUNT = ACTIONS.size
WORDS = ACTIONS.words
READERS = constants([sum(1 << seat for seat in range(8) if at not in FIELDS.hidden(seat)) for at in range(WIDTH)])
"""For each word of a row the seats that may know it, one bit each."""

# The words of a tally.
DECISIONS, FORCED, SHORTEST, LONGEST, WINS, ENDS = 0, 1, 2, 3, 4, 12
TALLY_SIZE = 28
SHARE = 60
"""One win, in parts that two to five winners can share."""


@compiled
def random_action(mask: Mask, dice: Dice) -> int:
    """One of the legal actions, each as likely."""
    return nth_legal(mask, draw(dice, count_legal(mask)))


@compiled
def play_on(s: Row, mask: Mask, dice: Dice, events: Events, limit: int) -> int:
    """Random play from here to the end, or for `limit` decisions; how many there were."""
    decisions = 0
    while decisions < limit:
        waiting = to_act(s)
        if waiting == 0:
            break
        seat = lowest(waiting)
        legal(s, seat, mask)
        apply(s, seat, random_action(mask, dice), dice, events)
        decisions += 1
    return decisions


@compiled
def begin(s: Row, options: Row, dice: Dice, events: Events, seats: int, seed: int, stream: int) -> None:
    """Deal a new match, with dice that depend on the seed and the stream alone."""
    start(dice, seed & 0xFFFFFFFF, seed >> 32 & 0xFFFFFFFF, stream & 0xFFFFFFFF, stream >> 32 & 0xFFFFFFFF)
    for word in range(WIDTH):
        s[word] = 0
    deal(s, seats, options, dice, events)


@compiled
def simulate(
    s: Row, options: Row, mask: Mask, dice: Dice, events: Events, seats: int, seed: int, first: int, games: int, tally: Row
) -> None:
    """Deal and play whole matches at random, number `first` onwards; each depends on the seed and its number alone."""
    for game in range(first, first + games):
        begin(s, options, dice, events, seats, seed, game)
        decisions = 0
        while True:
            waiting = to_act(s)
            if waiting == 0:
                break
            seat = lowest(waiting)
            legal(s, seat, mask)
            choices = count_legal(mask)
            if choices == 1:
                tally[FORCED] += 1
            apply(s, seat, nth_legal(mask, draw(dice, choices)), dice, events)
            decisions += 1
        tally[DECISIONS] += decisions
        tally[SHORTEST] = min(tally[SHORTEST], decisions)
        tally[LONGEST] = max(tally[LONGEST], decisions)
        tally[ENDS + ending(s)] += 1
        won = winners(s)
        for seat in range(seats):
            if won >> seat & 1:
                tally[WINS + seat] += SHARE // ones(won)


# Many tables at once. A table goes on for ever: where a match ends, the next is dealt at once, and what it draws depends on
# the seed, the number of the table and the number of the match alone.


@compiled
def advance(
    s: Row,
    mask: Mask,
    dice: Dice,
    events: Events,
    scratch: Row,
    options: Row,
    seats: int,
    seed: int,
    number: int,
    match: int,
    decisions: int,
    thinkers: int | None,
    action: int,
    rewards: list[float],
) -> int:
    """Make decisions at one table and add up the shares of the matches won; the number of the match it is at then.

    The first decision is `action`, if that is one (not -1). For the others, the seats in the set `thinkers` use the
    game's own bot, the rest choose at random; with None there is no trace of the bot in the machine code. The mask is left
    with what is legal next.
    """
    waiting = to_act(s)
    for _ in range(decisions):
        seat = lowest(waiting)
        if action < 0:
            legal(s, seat, mask)
            if thinkers is None:
                action = random_action(mask, dice)
            elif thinkers >> seat & 1:
                action = policy(s, seat, mask, dice, events, scratch)
            else:
                action = random_action(mask, dice)
        apply(s, seat, action, dice, events)
        action = -1
        waiting = to_act(s)
        if waiting == 0:
            credit(s, seats, rewards)
            match += 1
            begin(s, options, dice, events, seats, seed, number + (match << 32))
            waiting = to_act(s)
    legal(s, lowest(waiting), mask)
    return match


@compiled
def credit(s: Row, seats: int, rewards: list[float]) -> None:
    """Give each seat its share of a match that is over."""
    won = winners(s)
    for seat in range(seats):
        if won >> seat & 1:
            rewards[seat] += 1.0 / ones(won)


@compiled
def hide(s: Row, seat: Seat, masked: Row) -> None:
    """Copy a row as that seat may know it."""
    for word in range(WIDTH):
        masked[word] = s[word] if READERS[word] >> seat & 1 else HIDDEN


@compiled
def deal_tables(
    rows: list[Row],
    dice: list[Dice],
    acting: Row,
    masks: list[Mask],
    options: Row,
    events: Events,
    seats: int,
    seed: int,
    first: int,
    last: int,
) -> None:
    """Deal the first match at the tables `first` to `last` - 1."""
    for i in range(first, last):
        begin(rows[i], options, dice[i], events, seats, seed, i)
        acting[i] = lowest(to_act(rows[i]))
        legal(rows[i], acting[i], masks[i])


@compiled
def advance_tables(
    rows: list[Row],
    dice: list[Dice],
    matches: Row,
    acting: Row,
    masks: list[Mask],
    rewards: list[list[float]],
    ended: Row,
    actions: Row,
    options: Row,
    events: Events,
    scratch: Row,
    seats: int,
    seed: int,
    decisions: int,
    thinkers: int | None,
    first: int,
    last: int,
) -> int:
    """Make decisions at the tables `first` to `last` - 1, the first of them as `actions` say.

    A table whose action is not legal is left alone; the first of those is given back, or -1.
    """
    fault = -1
    for i in range(first, last):
        action = actions[i]
        if action >= ACTION_COUNT or action < -1 or (action >= 0 and not is_legal(masks[i], action)):
            fault = i if fault < 0 else fault
            continue
        for seat in range(seats):
            rewards[i][seat] = 0.0
        match = advance(
            rows[i],
            masks[i],
            dice[i],
            events,
            scratch,
            options,
            seats,
            seed,
            i,
            matches[i],
            decisions,
            thinkers,
            action,
            rewards[i],
        )
        ended[i] = match - matches[i]
        matches[i] = match
        acting[i] = lowest(to_act(rows[i]))
    return fault


@compiled
def observe_tables(rows: list[Row], acting: Row, masked: list[Row], first: int, last: int) -> None:
    """The rows of the tables `first` to `last` - 1 as the seat to act may know them."""
    for i in range(first, last):
        hide(rows[i], acting[i], masked[i])


@compiled
def list_tables(masks: list[Mask], counts: Row, ids: list[Row], first: int, last: int) -> None:
    """The legal actions at the tables `first` to `last` - 1, in ascending order; -1 where there are no more."""
    for i in range(first, last):
        counts[i] = 0
        for action in range(ACTION_COUNT):
            ids[i][action] = -1
        for action in range(ACTION_COUNT):
            if is_legal(masks[i], action):
                ids[i][counts[i]] = action
                counts[i] += 1


@compiled
def contest(
    s: Row,
    scratch: Row,
    options: Row,
    parts: Row,
    mask: Mask,
    dice: Dice,
    events: Events,
    seats: int,
    thinkers: int,
    seed: int,
    first: int,
    games: int,
    rows: list[Row],
    lows: list[Row],
    highs: list[Row],
    chosen: list[Row],
    results: list[Row],
) -> None:
    """Whole matches between the game's own bot (the seats in `thinkers`) and random play, told in full.

    For each match: the last row, the lowest and highest value of every word, how often each seat chose each action
    (index seat * actions + action), and its results (the winners as a set, then the score of each seat).
    """
    for i in range(games):
        begin(s, options, dice, events, seats, seed, first + i)
        for word in range(WIDTH):
            lows[i][word] = s[word]
            highs[i][word] = s[word]
        while True:
            waiting = to_act(s)
            if waiting == 0:
                break
            seat = lowest(waiting)
            legal(s, seat, mask)
            if thinkers >> seat & 1:
                action = policy(s, seat, mask, dice, events, scratch)
            else:
                action = random_action(mask, dice)
            chosen[i][seat * ACTION_COUNT + action] += 1
            apply(s, seat, action, dice, events)
            for word in range(WIDTH):
                lows[i][word] = min(lows[i][word], s[word])
                highs[i][word] = max(highs[i][word], s[word])
        for word in range(WIDTH):
            rows[i][word] = s[word]
        results[i][0] = winners(s)
        for seat in range(seats):
            results[i][1 + seat] = score(s, seat, parts)


@compiled
def count(rows: list[Row], masks: list[Mask], next_action: Row, dice: Dice, events: Events, depth: int) -> int:
    """How many sequences of `depth` actions lead on from rows[0]; a finished match counts once.

    Draws come from the generator, begun anew before each action, so that the count is of actions alone.
    """
    total = 0
    level = 0
    next_action[0] = -1
    while level >= 0:
        s = rows[level]
        waiting = to_act(s)
        if level == depth or waiting == 0:
            total += 1
            level -= 1
            continue
        seat = lowest(waiting)
        if next_action[level] < 0:
            legal(s, seat, masks[level])
            next_action[level] = 0
        action = next_action[level]
        while action < ACTION_COUNT and not is_legal(masks[level], action):
            action += 1
        if action == ACTION_COUNT:
            level -= 1
            continue
        next_action[level] = action + 1
        after = rows[level + 1]
        for word in range(WIDTH):
            after[word] = s[word]
        start(dice, 0, 0, 0, 0)
        apply(after, seat, action, dice, events)
        level += 1
        next_action[level] = -1
    return total
