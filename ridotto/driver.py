"""The compiled machinery around one game: random play, counting, whole runs. Loaded once per game and target."""

from __future__ import annotations

from ridotto.contract import ACTIONS, FIELDS, apply, deal, ending, legal, policy, score, to_act, winners
from ridotto.dice import count_legal, draw, is_legal, lowest, nth_legal, start
from ridotto.kernel import Dice, Events, Mask, Row, compiled

WIDTH = FIELDS.width
ACTION_COUNT = ACTIONS.size

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
def simulate(
    s: Row, options: Row, mask: Mask, dice: Dice, events: Events, seats: int, seed: int, first: int, games: int, tally: Row
) -> None:
    """Deal and play whole matches at random, number `first` onwards; each depends on the seed and its number alone."""
    for game in range(first, first + games):
        start(dice, seed & 0xFFFFFFFF, seed >> 32 & 0xFFFFFFFF, game & 0xFFFFFFFF, game >> 32 & 0xFFFFFFFF)
        for word in range(WIDTH):
            s[word] = 0
        deal(s, seats, options, dice, events)
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
        sharing = 0
        for seat in range(seats):
            sharing += won >> seat & 1
        for seat in range(seats):
            if won >> seat & 1:
                tally[WINS + seat] += SHARE // sharing


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
        game = first + i
        start(dice, seed & 0xFFFFFFFF, seed >> 32 & 0xFFFFFFFF, game & 0xFFFFFFFF, game >> 32 & 0xFFFFFFFF)
        for word in range(WIDTH):
            s[word] = 0
        deal(s, seats, options, dice, events)
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
