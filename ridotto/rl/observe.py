"""The compiled machinery of learners: a view as numbers, and many tables stepped at once. Loaded once per game and target.

A table is stepped by whoever learns there; other seats decide by themselves, at random or by the game's own bot, until a
learner is asked again. Where a match ends the next is dealt at once, from the same dice as in `ridotto.batch`.
"""

from __future__ import annotations

from ridotto.engine.build import compiled
from ridotto.engine.contract import ACTIONS, apply, legal, policy, score, to_act
from ridotto.engine.dice import is_legal, lowest
from ridotto.engine.driver import begin, credit, hide, random_action
from ridotto.engine.fields import HIDDEN, Dice, Events, Mask, Row, Seat

ACTION_COUNT = ACTIONS.size

IS, BIT, NUMBER = 0, 1, 2
"""What an element of a tensor says of a word: that it has a value, that it has a bit, or how large it is."""
WORD, OP, AT, HIDDEN_AT = 0, 1, 2, 3
"""What is known of a word that becomes elements: its place, of what sort they are, where its line of `places` begins, and the
element that says it is hidden (-1: it never is)."""


@compiled
def element(word: int, op: int, argument: int, scale: float) -> float:
    """One element of a tensor; what is hidden has no bits and no size. For where each element is worked out on its own."""
    if op == IS:
        return 1.0 if word == argument else 0.0
    if word == HIDDEN:
        return 0.0
    if op == BIT:
        return 1.0 if word >> argument & 1 else 0.0
    return word * scale


@compiled
def encode(masked: Row, steps: list[Row], places: Row, scales: list[float], out: list[float]) -> None:
    """A masked row as numbers, word by word: only what is not 0 is written.

    A line of `places` holds the element for each value from -1 on, or for each bit, or the one element of a number.
    """
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
def encode_tables(
    masked: list[Row],
    viewers: Row,
    steps: list[list[Row]],
    places: list[Row],
    scales: list[float],
    out: list[list[float]],
    first: int,
    last: int,
) -> None:
    """The masked rows `first` to `last` - 1 as numbers, each as its viewer would."""
    for i in range(first, last):
        encode(masked[i], steps[viewers[i]], places[viewers[i]], scales, out[i])


@compiled
def spread(mask: Mask, allowed: Row) -> None:
    """A mask of legal actions as one number an action."""
    for action in range(ACTION_COUNT):
        allowed[action] = 1 if is_legal(mask, action) else 0


@compiled
def settle(
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
    learners: int,
    thinkers: int,
    mover: Seat,
    rewards: list[float],
    parts: Row,
    is_scored: bool,
    last_row: Row,
) -> int:
    """Let others decide until a learner is asked, through the end of a match; the number of the match it is at then.

    The mask is left with what is legal. Where a match ends, `rewards` are added up and `last_row` is how the seat `mover`
    sees it.
    """
    while True:
        waiting = to_act(s)
        if waiting == 0:
            if is_scored:
                for seat in range(seats):
                    rewards[seat] += score(s, seat, parts)
            else:
                credit(s, seats, rewards)
            if mover >= 0:
                hide(s, mover, last_row)
            match += 1
            begin(s, options, dice, events, seats, seed, number + (match << 32))
            continue
        seat = lowest(waiting)
        legal(s, seat, mask)
        if learners >> seat & 1:
            return match
        if thinkers >> seat & 1:
            action = policy(s, seat, mask, dice, events, scratch)
        else:
            action = random_action(mask, dice)
        apply(s, seat, action, dice, events)


@compiled
def step_tables(
    rows: list[Row],
    dice: list[Dice],
    matches: Row,
    acting: Row,
    masks: list[Mask],
    learners: Row,
    thinkers: Row,
    actions: Row,
    rewards: list[list[float]],
    ended: Row,
    masked: list[Row],
    lasts: list[Row],
    options: Row,
    events: Events,
    scratch: Row,
    parts: Row,
    seats: int,
    seed: int,
    is_scored: bool,
    is_start: bool,
    steps: list[list[Row]],
    places: list[Row],
    scales: list[float],
    out: list[list[float]],
    allowed: list[Row],
    first: int,
    last: int,
) -> int:
    """Do one action at the tables `first` to `last` - 1 (or none, at the start) and say what a learner sees next.

    A table whose action is not legal is left alone; the first of those is given back, or -1.
    """
    fault = -1
    for i in range(first, last):
        mover = -1
        if not is_start:
            action = actions[i]
            if action < 0 or action >= ACTION_COUNT or not is_legal(masks[i], action):
                fault = i if fault < 0 else fault
                continue
            mover = acting[i]
        for seat in range(seats):
            rewards[i][seat] = 0.0
        if not is_start:
            apply(rows[i], mover, actions[i], dice[i], events)
        match = settle(
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
            learners[i],
            thinkers[i],
            mover,
            rewards[i],
            parts,
            is_scored,
            lasts[i],
        )
        ended[i] = match - matches[i]
        matches[i] = match
        acting[i] = lowest(to_act(rows[i]))
        hide(rows[i], acting[i], masked[i])
        encode(masked[i], steps[acting[i]], places[acting[i]], scales, out[i])
        spread(masks[i], allowed[i])
    return fault
