"""Random play, many matches at once, counting: compiled code around the rules of one game. Loaded once per game and target."""

from __future__ import annotations

from ridotto.engine.arrays import ContestArrays, Deal, Rows, Workspace
from ridotto.engine.build import compiled, constants
from ridotto.engine.contract import bot, rules
from ridotto.engine.dice import count_legal, draw, is_legal, lowest, nth_legal, ones, start
from ridotto.engine.fields import HIDDEN, Dice, Events, Mask, Row, Seat

WIDTH = rules.FIELDS.width
ACTION_COUNT = rules.ACTIONS.size
WORDS = rules.ACTIONS.words
READERS = constants([sum(1 << seat for seat in range(8) if at not in rules.FIELDS.hidden(seat)) for at in range(WIDTH)])
"""For each word of a row the seats that may know it, one bit each."""

# The words of a tally.
DECISIONS, FORCED, SHORTEST, LONGEST, WINS, ENDS = 0, 1, 2, 3, 4, 12
TALLY_SIZE = 28
SHARE = 60
"""One win, as a number that two to five winners can share without a remainder."""
ADLER = 65521
"""The largest prime below 2 to the power of 16."""


@compiled
def random_action(mask: Mask, dice: Dice) -> int:
    """A random legal action, each with the same probability."""
    return nth_legal(mask, draw(dice, count_legal(mask)))


@compiled
def play_on(s: Row, mask: Mask, dice: Dice, events: Events, limit: int) -> int:
    """Play at random to the end, or for `limit` decisions; returns how many decisions there were."""
    decisions = 0
    while decisions < limit:
        waiting = rules.to_act(s)
        if waiting == 0:
            break
        seat = lowest(waiting)
        rules.legal(s, seat, mask)
        rules.apply(s, seat, random_action(mask, dice), dice, events)
        decisions += 1
    return decisions


@compiled
def begin(s: Row, dice: Dice, events: Events, deal: Deal, number: int) -> None:
    """Deal a new match, with dice that depend on the seed and the number of the match alone."""
    seed = deal.seed
    start(dice, seed & 0xFFFFFFFF, seed >> 32 & 0xFFFFFFFF, number & 0xFFFFFFFF, number >> 32 & 0xFFFFFFFF)
    for word in range(WIDTH):
        s[word] = 0
    rules.deal(s, deal.seats, deal.options, dice, events)


@compiled
def simulate(work: Workspace, deal: Deal, first: int, games: int, tally: Row) -> None:
    """Deal and play whole matches at random, number `first` onwards, and add them to a tally."""
    s = work.row
    mask = work.mask
    dice = work.dice
    events = work.events
    for game in range(first, first + games):
        begin(s, dice, events, deal, game)
        decisions = 0
        while True:
            waiting = rules.to_act(s)
            if waiting == 0:
                break
            seat = lowest(waiting)
            rules.legal(s, seat, mask)
            choices = count_legal(mask)
            if choices == 1:
                tally[FORCED] += 1
            rules.apply(s, seat, nth_legal(mask, draw(dice, choices)), dice, events)
            decisions += 1
        tally[DECISIONS] += decisions
        tally[SHORTEST] = min(tally[SHORTEST], decisions)
        tally[LONGEST] = max(tally[LONGEST], decisions)
        tally[ENDS + rules.ending(s)] += 1
        won = rules.winners(s)
        for seat in range(deal.seats):
            if won >> seat & 1:
                tally[WINS + seat] += SHARE // ones(won)


@compiled
def hash_row(s: Row, total: int) -> int:
    """The Adler-32 checksum of a row's words, two bytes each, that goes on from the one before."""
    low = total & 0xFFFF
    high = total >> 16
    for word in range(WIDTH):
        bits = s[word] & 0xFFFF
        low += bits & 0xFF
        high += low
        low += bits >> 8
        high += low
    return (high % ADLER) << 16 | low % ADLER


@compiled
def trace(work: Workspace, deal: Deal, first: int, hashes: Row) -> None:
    """Play whole matches at random, number `first` onwards, and write a hash of all the rows of each."""
    s = work.row
    for game in range(len(hashes)):
        begin(s, work.dice, work.events, deal, first + game)
        total = hash_row(s, 1)
        while play_on(s, work.mask, work.dice, work.events, 1) == 1:
            total = hash_row(s, total)
        hashes[game] = total


# Many matches at once, one in each row of a batch. Where a match ends, the next one is dealt at once; what it draws depends on
# the seed, the number of the row and the number of the match alone.


@compiled
def advance(batch: Rows, work: Workspace, deal: Deal, i: int, action: int, decisions: int, bot_seats: int | None) -> None:
    """Make decisions in row `i`, and add up the shares of the matches won.

    The first decision is `action`, unless that is -1. In all other decisions the game's own bot chooses for the seats in the
    set `bot_seats`, and the other seats choose at random; with None the bot is not even compiled.
    """
    s = batch.rows[i]
    mask = batch.masks[i]
    dice = batch.dice[i]
    events = work.events
    match = batch.matches[i]
    waiting = rules.to_act(s)
    for _ in range(decisions):
        seat = lowest(waiting)
        if action < 0:
            rules.legal(s, seat, mask)
            if bot_seats is None:
                action = random_action(mask, dice)
            elif bot_seats >> seat & 1:
                action = bot.policy(s, seat, mask, dice, events, work.scratch)
            else:
                action = random_action(mask, dice)
        rules.apply(s, seat, action, dice, events)
        action = -1
        waiting = rules.to_act(s)
        if waiting == 0:
            credit(s, deal.seats, batch.rewards[i])
            if len(batch.scores) > 0:
                for seat in range(deal.seats):
                    batch.scores[i][seat] += rules.score(s, seat, work.parts)
            match += 1
            begin(s, dice, events, deal, i + (match << 32))
            waiting = rules.to_act(s)
    rules.legal(s, lowest(waiting), mask)
    batch.ended[i] = match - batch.matches[i]
    batch.matches[i] = match
    batch.acting[i] = lowest(waiting)


@compiled
def credit(s: Row, seats: int, rewards: list[float]) -> None:
    """Give each seat its share of a match that is over."""
    won = rules.winners(s)
    for seat in range(seats):
        if won >> seat & 1:
            rewards[seat] += 1.0 / ones(won)


@compiled
def mask_row(s: Row, seat: Seat, masked: Row) -> None:
    """Copy a row into `masked`, with HIDDEN for every word that the seat may not know."""
    for word in range(WIDTH):
        masked[word] = s[word] if READERS[word] >> seat & 1 else HIDDEN


@compiled
def deal_rows(batch: Rows, work: Workspace, deal: Deal, first: int, last: int) -> None:
    """Deal the first match in the rows `first` to `last` - 1."""
    for i in range(first, last):
        begin(batch.rows[i], batch.dice[i], work.events, deal, i)
        batch.acting[i] = lowest(rules.to_act(batch.rows[i]))
        rules.legal(batch.rows[i], batch.acting[i], batch.masks[i])


@compiled
def advance_rows(
    batch: Rows,
    work: Workspace,
    deal: Deal,
    actions: Row,
    decisions: int,
    bot_seats: int | None,
    first: int,
    last: int,
) -> int:
    """Make decisions in the rows `first` to `last` - 1, beginning with `actions`.

    A row whose action is not legal is not changed; returns the first such row, or -1.
    """
    fault = -1
    for i in range(first, last):
        action = actions[i]
        if action >= ACTION_COUNT or action < -1 or (action >= 0 and not is_legal(batch.masks[i], action)):
            fault = i if fault < 0 else fault
            continue
        for seat in range(deal.seats):
            batch.rewards[i][seat] = 0.0
            if len(batch.scores) > 0:
                batch.scores[i][seat] = 0
        advance(batch, work, deal, i, action, decisions, bot_seats)
    return fault


@compiled
def mask_rows(batch: Rows, masked: list[Row], first: int, last: int) -> None:
    """The rows `first` to `last` - 1 as the seat to act may know them."""
    for i in range(first, last):
        mask_row(batch.rows[i], batch.acting[i], masked[i])


@compiled
def list_legal(batch: Rows, counts: Row, ids: list[Row], first: int, last: int) -> None:
    """The legal actions in the rows `first` to `last` - 1, in ascending order; -1 where there are no more."""
    for i in range(first, last):
        counts[i] = 0
        for action in range(ACTION_COUNT):
            ids[i][action] = -1
        for action in range(ACTION_COUNT):
            if is_legal(batch.masks[i], action):
                ids[i][counts[i]] = action
                counts[i] += 1


@compiled
def contest(work: Workspace, deal: Deal, bot_seats: int, first: int, games: int, out: ContestArrays) -> None:
    """Play whole matches between the game's own bot (at the seats in `bot_seats`) and random play, and record each of them."""
    s = work.row
    mask = work.mask
    dice = work.dice
    events = work.events
    for i in range(games):
        begin(s, dice, events, deal, first + i)
        lows = out.lows[i]
        highs = out.highs[i]
        for word in range(WIDTH):
            lows[word] = s[word]
            highs[word] = s[word]
        while True:
            waiting = rules.to_act(s)
            if waiting == 0:
                break
            seat = lowest(waiting)
            rules.legal(s, seat, mask)
            if bot_seats >> seat & 1:
                action = bot.policy(s, seat, mask, dice, events, work.scratch)
            else:
                action = random_action(mask, dice)
            out.chosen[i][seat * ACTION_COUNT + action] += 1
            rules.apply(s, seat, action, dice, events)
            for word in range(WIDTH):
                lows[word] = min(lows[word], s[word])
                highs[word] = max(highs[word], s[word])
        for word in range(WIDTH):
            out.rows[i][word] = s[word]
        out.results[i][0] = rules.winners(s)
        for seat in range(deal.seats):
            out.results[i][1 + seat] = rules.score(s, seat, work.parts)


@compiled
def count(rows: list[Row], masks: list[Mask], next_action: Row, dice: Dice, events: Events, depth: int) -> int:
    """The number of sequences of `depth` actions that begin at rows[0]; a finished match counts once (perft).

    The generator is restarted before each action, so that only actions are counted, not draws.
    """
    total = 0
    level = 0
    next_action[0] = -1
    while level >= 0:
        s = rows[level]
        waiting = rules.to_act(s)
        if level == depth or waiting == 0:
            total += 1
            level -= 1
            continue
        seat = lowest(waiting)
        if next_action[level] < 0:
            rules.legal(s, seat, masks[level])
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
        rules.apply(after, seat, action, dice, events)
        level += 1
        next_action[level] = -1
    return total
