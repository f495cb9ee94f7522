"""A bot that judges positions of Le Fantôme as a good player would.

A round closes with some suspects watched and the others not. Their numbers, and the side the phantom is on, say who is
cleared and how far La Carlotta walks. So the bot tries all that the card in hand can do, and asks what the cards still
to come could make of it.

It works on plain integers. The phantom's character is read in one place, and only for the phantom.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ridotto.engine.build import Build, compiled
from ridotto.engine.dice import count_legal, draw, lowest, nth_legal, ones
from ridotto.engine.exponential import exp
from ridotto.engine.fields import Dice, Events, Mask, Row, Seat
from ridotto.games.fantome.ai.board import (
    ACTIVE,
    COMPANION,
    DARK,
    LOCK,
    beside,
    board_of,
    company,
    crowded,
    gather,
    inside,
    nights,
    onward,
    put,
    range_of,
    where,
)
from ridotto.games.fantome.ai.outlook import CHANCE, PAGE, SPACES, SURE, Context, outlook
from ridotto.games.fantome.components import CENTRE, CROWD, EXIT, PHANTOM_CARDS, REACH, ROOMS
from ridotto.games.fantome.rules import (
    BUQUET,
    CHRISTINE,
    EVERYBODY,
    GIRY,
    INSPECTOR,
    MONCHARMIN,
    NOBODY,
    NOTHING,
    PEOPLE,
    PERSAN,
    PHANTOM,
    PICK,
    POWER,
    RAOUL,
    RICHARD,
    A,
    F,
    apply,
    legal,
    to_act,
    winners,
)
from ridotto.games.fantome.rules import COMPANION as ASKS_COMPANION
from ridotto.games.fantome.rules import DARK as ASKS_DARK
from ridotto.games.fantome.rules import LOCK as ASKS_LOCK
from ridotto.games.fantome.rules import MOVE as ASKS_MOVE
from ridotto.games.fantome.rules import SEND as ASKS_SEND

LOW32 = 0xFFFFFFFF
WORST = -1 << 30
SHOWN, KEPT = 1_000, 2_500
"""The worth of Raoul's alibi to the inspector, and to the phantom, as `outlook` counts it."""


# Trying the card in hand. Each function gives the best that the seat can make of it.


@compiled
def policy(s: Row, seat: Seat, mask: Mask, dice: Dice, events: Events, scratch: Row) -> int:
    """The action with the best outlook, by chance among equals."""
    me = NOBODY
    if seat == PHANTOM:
        me = s[F.identity]
    page = (((s[F.round] & 1) * (EXIT + 1) + s[F.carlotta]) * 9 + ones(s[F.suspects])) * PAGE
    context = (me, page, s[F.suspects] & EVERYBODY, s[F.offered] & EVERYBODY)
    board = board_of(s)
    expelled = s[F.expelled] & EVERYBODY
    best = WORST
    equals = 0
    choice = -1
    for word in range(len(mask)):
        bits = mask[word] & LOW32
        while bits:
            action = (word << 5) + lowest(bits)
            bits &= bits - 1
            value = worth(context, board, expelled, action)
            if value > best:
                best = value
                equals = 1
                choice = action
            elif value == best:
                equals += 1
                if draw(dice, equals) == 0:
                    choice = action
    return choice


@compiled
def worth(context: Context, board: int, expelled: int, action: int) -> int:
    """The worth of an action if the rest of the card is played well."""
    if action < A.move:
        return by_card(context, board, action - A.pick)
    if action < A.lock:
        return by_step(context, board, where(board, ACTIVE), action - A.move)
    if action < A.use:
        return by_lock(context, board, action - A.lock)
    if action == A.use:
        if where(board, ACTIVE) == CHRISTINE:
            return by_pull(context, board)
        return by_send(context, board, company(board, MONCHARMIN))
    if action == A.decline:
        return outlook(context, board)
    if action == A.alone:
        return by_walk(context, board, PERSAN, range_of(board, PERSAN))
    if action < A.send:
        return outlook(context, put(board, DARK, action - A.dark))
    if action < A.leave:
        return by_send(context, put(board, lowest(expelled), action - A.send), expelled & expelled - 1)
    if action < A.swap:
        return by_leave(context, board, where(board, COMPANION), action - A.leave)
    if action < A.take:
        return by_swap(context, board, action - A.swap)
    return by_take(context, board, action - A.take)


@compiled
def by_card(context: Context, board: int, who: int) -> int:
    """Play a character."""
    me, page, suspects, cards = context
    if cards == 1 << who:
        return 0
    context = (me, page, suspects, cards & ~(1 << who))
    value = by_walk(context, board, who, range_of(board, who))
    if who == RAOUL:
        value += SHOWN if me == NOBODY else KEPT
    elif who == RICHARD:
        for other in range(PEOPLE):
            if other != RICHARD:
                value = max(value, by_swap(context, board, other))
    elif who == PERSAN:
        others = company(board, PERSAN)
        while others:
            value = max(value, by_take(context, board, lowest(others)))
            others &= others - 1
    return value


@compiled
def by_walk(context: Context, board: int, who: int, rooms: int) -> int:
    """Go to one of these rooms."""
    best = WORST
    while rooms:
        best = max(best, by_step(context, board, who, lowest(rooms)))
        rooms &= rooms - 1
    return best


@compiled
def by_step(context: Context, board: int, who: int, room: int) -> int:
    """Go to a room, and use the power there or not."""
    board = put(board, who, room)
    if who == BUQUET:
        return by_dark(context, board)
    value = outlook(context, board)
    if who == CHRISTINE:
        value = max(value, by_pull(context, board))
    elif who == MONCHARMIN:
        value = max(value, by_send(context, board, company(board, MONCHARMIN)))
    return value


@compiled
def by_lock(context: Context, board: int, corridor: int) -> int:
    """Move the padlock, and walk under the old one or the new one."""
    steps = ones(company(board, GIRY)) + 1
    at = where(board, GIRY) * CROWD + steps
    rooms = REACH[where(board, LOCK) * ROOMS * CROWD + at] | REACH[corridor * ROOMS * CROWD + at]
    return by_walk(context, put(board, LOCK, corridor), GIRY, rooms)


@compiled
def by_dark(context: Context, board: int) -> int:
    """Move the blackout."""
    rooms = nights(crowded(board), where(board, DARK))
    best = WORST
    while rooms:
        best = max(best, outlook(context, put(board, DARK, lowest(rooms))))
        rooms &= rooms - 1
    return best


@compiled
def by_pull(context: Context, board: int) -> int:
    """Pull everybody beside Christine."""
    room = where(board, CHRISTINE)
    return outlook(context, gather(board, inside(board, beside(board, room)), room))


@compiled
def by_send(context: Context, board: int, expelled: int) -> int:
    """Send them away, each where it is best at that moment."""
    around = beside(board, where(board, MONCHARMIN))
    value = WORST
    while expelled:
        who = lowest(expelled)
        expelled &= expelled - 1
        rooms = around
        value = WORST
        chosen = board
        while rooms:
            trial = put(board, who, lowest(rooms))
            rooms &= rooms - 1
            gain = outlook(context, trial)
            if gain > value:
                value = gain
                chosen = trial
        board = chosen
    if value == WORST:
        return outlook(context, board)
    return value


@compiled
def by_swap(context: Context, board: int, who: int) -> int:
    """Change places with Richard."""
    there = where(board, who)
    return outlook(context, put(put(board, who, where(board, RICHARD)), RICHARD, there))


@compiled
def by_take(context: Context, board: int, companion: int) -> int:
    """Take a companion along."""
    rooms = range_of(board, PERSAN)
    best = WORST
    while rooms:
        best = max(best, by_leave(context, board, companion, lowest(rooms)))
        rooms &= rooms - 1
    return best


@compiled
def by_leave(context: Context, board: int, companion: int, room: int) -> int:
    """Leave the companion in a room and go on."""
    return by_walk(context, put(board, companion, room), PERSAN, onward(board, room))


# Judging a match between rounds, and worlds by what was seen.


@compiled
def value(s: Row, values: Row, scratch: Row) -> bool:
    """Judge the start of a round by the suspects and La Carlotta; at the end there is a winner."""
    won = winners(s)
    if won:
        values[INSPECTOR] = SURE * (won >> INSPECTOR & 1)
        values[PHANTOM] = SURE * (won >> PHANTOM & 1)
        return True
    if s[F.asked] != PICK or s[F.played] != 0:
        return False
    values[PHANTOM] = CHANCE[((s[F.round] & 1) * 9 + ones(s[F.suspects])) * SPACES + s[F.carlotta]]
    values[INSPECTOR] = SURE - values[PHANTOM]
    return True


@compiled
def recall(s: Row, seat: Seat) -> None:
    """Nothing is ever chosen at the same time."""


@compiled
def plausible(s: Row, belief: Row) -> int:
    """As the phantom's character is."""
    likely: int = belief[s[F.identity]]
    return likely


# What the phantom's choices tell of who they are.

SHARP = 400
"""The difference in worth for which the phantom chooses an action e times as often."""
BLIND = 0.3
"""The share of the phantom's choices that is thought to tell nothing."""
SCALE = 256
FLOOR = 16
"""The least a suspect's plausibility can be, out of 256, so that a bluff cannot hide the phantom for good."""


@compiled
def tell(s: Row, mask: Mask, action: int, likely: list[float]) -> None:
    """For each suspect, how likely the phantom would have chosen an action if they were that one."""
    page = (((s[F.round] & 1) * (EXIT + 1) + s[F.carlotta]) * 9 + ones(s[F.suspects])) * PAGE
    board = board_of(s)
    expelled = s[F.expelled] & EVERYBODY
    choices = count_legal(mask)
    for who in range(PEOPLE):
        if s[F.suspects] >> who & 1:
            context = (who, page, s[F.suspects] & EVERYBODY, s[F.offered] & EVERYBODY)
            chosen = worth(context, board, expelled, action)
            total = 0.0
            for i in range(choices):
                total += exp(min(20.0, (worth(context, board, expelled, nth_legal(mask, i)) - chosen) / SHARP))
            likely[who] *= BLIND / choices + (1 - BLIND) / total


def believe(build: Build, view: Any) -> list[int]:
    """The plausibility of each character as the phantom, in parts of 256, by all the phantom was seen to do."""
    likely: list[float] = build.array(PEOPLE, "float64")  # type: ignore[assignment]
    for who in range(PEOPLE):
        likely[who] = 1
    if view is not None and not _retell(build, view, likely):
        return [SCALE] * PEOPLE
    most = max(likely)
    return [max(FLOOR, round(SCALE * one / most)) for one in likely]


def _retell(build: Build, view: Any, likely: list[float]) -> bool:
    """Play a match again as far as anybody could follow it, telling what the phantom did; whether it comes out right."""
    mask = build.mask()

    def on_action(row: Row, seat: Seat, action: int) -> None:
        if seat == PHANTOM:
            legal(row, seat, mask)
            tell(row, mask, action, likely)

    return replay(build, view, on_action)


def replay(build: Build, view: Any, on_action: Callable[[Row, Seat, int], None]) -> bool:
    """Play a match again by what everybody has seen of it, and pass on each action before it is done; whether that comes out
    right. The row has no secrets: whoever is still suspected serves as the phantom."""
    seen = list(view.in_effect())[::-1]
    if not seen or seen[0].event.name != "placed" or any(one.event.name == "redealt" for one in seen):
        return False
    row, dice, muted = build.row(), build.generator(0), build.events(muted=True)
    row[F.version], row[F.seats], row[F.handicap] = view.row[F.version], view.row[F.seats], view.row[F.handicap]
    row[F.suspects], row[F.ghosts], row[F.carlotta] = EVERYBODY, PHANTOM_CARDS, CENTRE + row[F.handicap]
    row[F.active] = row[F.unlocked] = row[F.companion] = NOBODY
    row[F.asked], row[F.round] = NOTHING, 1
    # Whoever is still suspected would have made the same announcements.
    row[F.identity] = lowest(view.row[F.suspects])

    def do(action: int) -> None:
        seat = lowest(to_act(row))
        on_action(row, seat, action)
        # Alibis are not drawn here: what came of them is told.
        shown, ghosts = row[F.shown], row[F.ghosts]
        row[F.shown], row[F.ghosts] = EVERYBODY, 0
        apply(row, seat, action, dice, muted)
        row[F.shown], row[F.ghosts] = shown, ghosts

    for one in seen:
        for action in _actions(row, one.event.name, one.values):
            do(action)
        _note(row, one.event.name, one.values)
    # The last action may be one that tells nothing.
    if row[F.asked] == ASKS_COMPANION and view.row[F.asked] == ASKS_MOVE:
        do(A.alone)
    elif row[F.asked] == POWER and view.row[F.asked] == ASKS_SEND:
        do(A.use)
    hidden = {F.identity, F.held}
    return all(int(row[word]) == view.row[word] for word in range(len(view.row)) if word not in hidden)


def _actions(row: Row, name: str, values: Mapping[str, int]) -> list[int]:
    """The actions that an event tells of; two of them tell nothing themselves and are known by the next event."""
    if name == "picks":
        return [A.pick + values["who"]]
    if name == "moves":
        return [A.alone] * int(row[F.asked] == ASKS_COMPANION) + [A.move + values["room"]]
    if name == "locked" and row[F.asked] == ASKS_LOCK:
        return [A.lock + values["corridor"]]
    if name == "darkened" and row[F.asked] == ASKS_DARK:
        return [A.dark + values["room"]]
    if name == "sent":
        return [A.use] * int(row[F.asked] == POWER) + [A.send + values["room"]]
    if name == "pulled":
        return [A.use]
    if name == "declines":
        return [A.decline]
    if name == "swaps":
        return [A.swap + values["who"]]
    if name == "joins":
        return [A.take + values["who"]]
    if name == "left":
        return [A.leave + values["room"]]
    return []


def _note(row: Row, name: str, values: Mapping[str, int]) -> None:
    """Take over what chance decided, or the deal."""
    if name == "placed":
        row[F.place + values["who"]] = values["room"]
    elif name == "locked":
        row[F.padlock] = values["corridor"]
    elif name == "darkened":
        row[F.dark] = values["room"]
    elif name == "offers":
        row[F.offered], row[F.asked] = values["cards"], PICK
        row[F.pile] = EVERYBODY & ~values["cards"] if values["round"] & 1 else 0
    elif name == "shows":
        row[F.shown] |= 1 << values["who"]
        row[F.suspects] &= ~(1 << values["who"])
    elif name == "keeps":
        row[F.kept] += 1
    elif name == "ghost":
        row[F.ghosts] -= 1
        row[F.carlotta] = values["space"]
    elif name == "steps":
        row[F.carlotta] = values["space"]
