"""What a good player of Le Fantôme looks at.

A round closes with some suspects watched and the others not. Their numbers, and the side the phantom is on, say who is
cleared and how far La Carlotta walks. So the bot tries all that the card in hand can do, and asks what the cards still
to come could make of it.

It works on plain integers. The phantom's character is read in one place, and only for the phantom.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import comb, exp
from typing import Any, TypeAlias

from ridotto.engine.build import Build, compiled, constants
from ridotto.engine.dice import count_legal, draw, lowest, nth_legal, ones
from ridotto.engine.fields import Dice, Events, Mask, Row, Seat
from ridotto.games.fantome.components import (
    CENTRE,
    CORRIDOR_NAMES,
    CROWD,
    DISTANCE,
    EXIT,
    NEXT,
    PHANTOM_CARDS,
    REACH,
    REACH_OF_MEG,
    ROOMS,
)
from ridotto.games.fantome.rules import (
    BUQUET,
    CHRISTINE,
    EVERYBODY,
    GIRY,
    INSPECTOR,
    MEG,
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

# How good it is for the phantom to close a round. What is estimated here was found in matches of the bot against itself.

SURE = 10_000
"""A certain win."""
STAYING = (0.45, 0.7)
"""How likely another suspect is to end a round on the phantom's side: an even round, an odd one."""
SHOWN, KEPT = 1_000, 2_500
"""What Raoul's alibi is worth to the inspector, and to the phantom."""

UNWATCHED, AVERAGE, PAGE = 9, 18, 36
"""A *close* is the number of suspects who are not watched, plus UNWATCHED if the phantom is known to be one of them."""


def _chances() -> list[list[list[float]]]:
    """The phantom's chance to win when a round begins: by its parity, the number of suspects, La Carlotta's space."""
    spaces = EXIT + 10
    chance = [[[float(n > 1 and space >= EXIT) for space in range(spaces)] for n in range(9)] for _ in range(2)]
    for space in range(EXIT - 1, -1, -1):
        for n in range(2, 9):
            for odd in range(2):
                then, p = chance[1 - odd], STAYING[odd]
                for k in range(1, n + 1):
                    likely = comb(n - 1, k - 1) * p ** (k - 1) * (1 - p) ** (n - k)
                    chance[odd][n][space] += likely * (then[k][space + k] + then[k][space + k + 1]) / 2
    return chance


def _prospects() -> list[int]:
    """The phantom's chance after each close, then the average over the suspects, on a page for each state of a round."""
    chance = _chances()
    pages = []
    for odd in range(2):
        then = chance[1 - odd]
        for space in range(EXIT + 1):
            for n in range(9):
                seen = [then[max(n - u, 0)][space + max(n - u, 0)] for u in range(9)]
                unseen = [then[u][space + u + 1] for u in range(9)]
                average = [(max(n - u, 0) * seen[u] + u * unseen[u]) / max(n, 1) for u in range(9)]
                pages += [round(SURE * value) for value in seen + unseen + average + average]
    return pages


PROSPECT = constants(_prospects())


# The board in one integer. Four bits each: the eight characters' rooms, the dark room, the padlock, who is being played.

DARK, LOCK, ACTIVE, COMPANION = 8, 9, 10, 11
NOWHERE = 15


@compiled
def board_of(s: Row) -> int:
    """The pieces of a row as they stand."""
    board: int = s[F.dark] << 4 * DARK | s[F.padlock] << 4 * LOCK
    board |= (s[F.active] & 15) << 4 * ACTIVE | (s[F.companion] & 15) << 4 * COMPANION
    for who in range(PEOPLE):
        board |= s[F.place + who] << 4 * who
    return board


@compiled
def where(board: int, piece: int) -> int:
    """Where a piece is."""
    return board >> 4 * piece & 15


@compiled
def put(board: int, piece: int, to: int) -> int:
    """The board with a piece elsewhere."""
    return board & ~(15 << 4 * piece) | to << 4 * piece


@compiled
def gather(board: int, group: int, room: int) -> int:
    """The board with a set of characters in one room."""
    for who in range(PEOPLE):
        if group >> who & 1:
            board = put(board, who, room)
    return board


@compiled
def inside(board: int, rooms: int) -> int:
    """The characters in a set of rooms."""
    here = 0
    for who in range(PEOPLE):
        here |= (rooms >> where(board, who) & 1) << who
    return here


@compiled
def company(board: int, who: int) -> int:
    """Everybody else in a character's room."""
    return inside(board, 1 << where(board, who)) & ~(1 << who)


@compiled
def crowded(board: int) -> int:
    """The rooms with two people or more."""
    once = 0
    twice = 0
    for who in range(PEOPLE):
        room = 1 << where(board, who)
        twice |= once & room
        once |= room
    return twice


@compiled
def unwatched(board: int) -> int:
    """The characters who are alone or in the dark."""
    return EVERYBODY & ~inside(board, crowded(board) & ~(1 << where(board, DARK)))


@compiled
def nights(full: int, dark: int) -> int:
    """Where the blackout may go: each crowded room, and one of the others, which are all alike."""
    others = ~(full | 1 << dark)
    return full & ~(1 << dark) | others & -others


@compiled
def beside(board: int, room: int) -> int:
    """The rooms joined to a room by an open corridor."""
    return NEXT[where(board, LOCK) * ROOMS + room]


def _reach_of_giry() -> list[int]:
    """The rooms 1 to n corridors off, wherever the padlock has to go for it: by room and n."""
    rooms = [0] * (ROOMS * CROWD)
    for lock in range(len(CORRIDOR_NAMES)):
        for at in range(ROOMS * CROWD):
            rooms[at] |= int(REACH[lock * ROOMS * CROWD + at])
    return rooms


REACH_OF_GIRY = constants(_reach_of_giry())


@compiled
def reach(board: int, who: int, steps: int) -> int:
    """The rooms a character may walk to with so many steps."""
    at = where(board, who) * CROWD + steps
    if who == GIRY:
        return REACH_OF_GIRY[at]
    at += where(board, LOCK) * ROOMS * CROWD
    if who == MEG:
        return REACH_OF_MEG[at]
    return REACH[at]


@compiled
def range_of(board: int, who: int) -> int:
    """The rooms a character may walk to with the company it has."""
    return reach(board, who, ones(company(board, who)) + 1)


@compiled
def onward(board: int, room: int) -> int:
    """The rooms where the Persian may end when he leaves his companion in a room."""
    home = where(board, PERSAN)
    at = where(board, LOCK) * ROOMS
    steps = ones(company(board, PERSAN)) + 1 - DISTANCE[(at + home) * ROOMS + room]
    return (REACH[(at + room) * CROWD + steps] | 1 << room) & ~(1 << home)


# Trying the card in hand. Each function gives the best that the seat can make of it.

Look: TypeAlias = tuple[int, int, int, int]
"""What stays the same meanwhile: the phantom's character or NOBODY, the page of PROSPECT, the suspects, the cards to come."""


@compiled
def policy(s: Row, seat: Seat, mask: Mask, dice: Dice, events: Events, scratch: Row) -> int:
    """The action with the best outlook, by chance among equals."""
    me = NOBODY
    if seat == PHANTOM:
        me = s[F.identity]
    page = (((s[F.round] & 1) * (EXIT + 1) + s[F.carlotta]) * 9 + ones(s[F.suspects])) * PAGE
    look = (me, page, s[F.suspects] & EVERYBODY, s[F.offered] & EVERYBODY)
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
            value = worth(look, board, expelled, action)
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
def worth(look: Look, board: int, expelled: int, action: int) -> int:
    """What an action leads to if the rest of the card is played well."""
    if action < A.move:
        return by_card(look, board, action - A.pick)
    if action < A.lock:
        return by_step(look, board, where(board, ACTIVE), action - A.move)
    if action < A.use:
        return by_lock(look, board, action - A.lock)
    if action == A.use:
        if where(board, ACTIVE) == CHRISTINE:
            return by_pull(look, board)
        return by_send(look, board, company(board, MONCHARMIN))
    if action == A.decline:
        return outlook(look, board)
    if action == A.alone:
        return by_walk(look, board, PERSAN, range_of(board, PERSAN))
    if action < A.send:
        return outlook(look, put(board, DARK, action - A.dark))
    if action < A.leave:
        return by_send(look, put(board, lowest(expelled), action - A.send), expelled & expelled - 1)
    if action < A.swap:
        return by_leave(look, board, where(board, COMPANION), action - A.leave)
    if action < A.take:
        return by_swap(look, board, action - A.swap)
    return by_take(look, board, action - A.take)


@compiled
def by_card(look: Look, board: int, who: int) -> int:
    """Play a character."""
    me, page, suspects, cards = look
    if cards == 1 << who:
        return 0
    look = (me, page, suspects, cards & ~(1 << who))
    value = by_walk(look, board, who, range_of(board, who))
    if who == RAOUL:
        value += SHOWN if me == NOBODY else KEPT
    elif who == RICHARD:
        for other in range(PEOPLE):
            if other != RICHARD:
                value = max(value, by_swap(look, board, other))
    elif who == PERSAN:
        others = company(board, PERSAN)
        while others:
            value = max(value, by_take(look, board, lowest(others)))
            others &= others - 1
    return value


@compiled
def by_walk(look: Look, board: int, who: int, rooms: int) -> int:
    """Go to one of these rooms."""
    best = WORST
    while rooms:
        best = max(best, by_step(look, board, who, lowest(rooms)))
        rooms &= rooms - 1
    return best


@compiled
def by_step(look: Look, board: int, who: int, room: int) -> int:
    """Go to a room, and use the power there or not."""
    board = put(board, who, room)
    if who == BUQUET:
        return by_dark(look, board)
    value = outlook(look, board)
    if who == CHRISTINE:
        value = max(value, by_pull(look, board))
    elif who == MONCHARMIN:
        value = max(value, by_send(look, board, company(board, MONCHARMIN)))
    return value


@compiled
def by_lock(look: Look, board: int, corridor: int) -> int:
    """Move the padlock, and walk under the old one or the new one."""
    steps = ones(company(board, GIRY)) + 1
    at = where(board, GIRY) * CROWD + steps
    rooms = REACH[where(board, LOCK) * ROOMS * CROWD + at] | REACH[corridor * ROOMS * CROWD + at]
    return by_walk(look, put(board, LOCK, corridor), GIRY, rooms)


@compiled
def by_dark(look: Look, board: int) -> int:
    """Move the blackout."""
    rooms = nights(crowded(board), where(board, DARK))
    best = WORST
    while rooms:
        best = max(best, outlook(look, put(board, DARK, lowest(rooms))))
        rooms &= rooms - 1
    return best


@compiled
def by_pull(look: Look, board: int) -> int:
    """Pull everybody beside Christine."""
    room = where(board, CHRISTINE)
    return outlook(look, gather(board, inside(board, beside(board, room)), room))


@compiled
def by_send(look: Look, board: int, expelled: int) -> int:
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
            gain = outlook(look, trial)
            if gain > value:
                value = gain
                chosen = trial
        board = chosen
    if value == WORST:
        return outlook(look, board)
    return value


@compiled
def by_swap(look: Look, board: int, who: int) -> int:
    """Change places with Richard."""
    there = where(board, who)
    return outlook(look, put(put(board, who, where(board, RICHARD)), RICHARD, there))


@compiled
def by_take(look: Look, board: int, companion: int) -> int:
    """Take a companion along."""
    rooms = range_of(board, PERSAN)
    best = WORST
    while rooms:
        best = max(best, by_leave(look, board, companion, lowest(rooms)))
        rooms &= rooms - 1
    return best


@compiled
def by_leave(look: Look, board: int, companion: int, room: int) -> int:
    """Leave the companion in a room and go on."""
    return by_walk(look, put(board, companion, room), PERSAN, onward(board, room))


# Looking ahead, when a card has been played to its end.

House: TypeAlias = tuple[int, int, int, int, int]
"""The rooms with anybody, with two people or more, with a suspect; people and suspects in each room, four bits a room."""


@compiled
def outlook(look: Look, board: int) -> int:
    """What a position is worth to the seat: the phantom's chance to win, or minus that chance."""
    me, page, suspects, cards = look
    if cards == 0:
        close = close_of(unwatched(board), suspects, me)
        if me == NOBODY:
            return -PROSPECT[page + AVERAGE + close]
        return PROSPECT[page + close]

    # For each card to come: what is left if the other closes the round with it, and how much more one could make of it.
    left = ones(cards)
    house = survey(board, suspects)
    total = 0
    most = 0
    least = SURE
    while cards:
        closes = closes_of(board, lowest(cards), house, suspects, me, left)
        cards &= cards - 1
        low = SURE
        high = 0
        if me == NOBODY:
            while closes:
                average = PROSPECT[page + AVERAGE + lowest(closes)]
                closes &= closes - 1
                low = min(low, average)
                high = max(high, average)
            total -= high
        else:
            # The inspector goes by the average; where that leaves a choice, the phantom fears the worst.
            choice = SURE + 1 << 16
            while closes:
                close = lowest(closes)
                closes &= closes - 1
                chance = PROSPECT[page + close]
                high = max(high, chance)
                choice = min(choice, PROSPECT[page + AVERAGE + close] << 16 | chance)
            low = choice & 0xFFFF
            total += low
        most = max(most, high - low)
        least = min(least, high - low)

    # Of two cards the seat plays one, and takes the better; of three it gets the one that the other leaves.
    if left == 2:
        total += most
    elif left == 3:
        total += least
    return total // left


@compiled
def close_of(alone: int, suspects: int, me: int) -> int:
    """The close with these characters unwatched."""
    close = ones(suspects & alone)
    if me != NOBODY and alone >> me & 1:
        close += UNWATCHED
    return close


@compiled
def closes_of(board: int, who: int, house: House, suspects: int, me: int, left: int) -> int:
    """The closes that a character could bring about, as a set."""
    rooms = reach(board, who, house[3] >> 4 * where(board, who) & 15)
    suspect = suspects >> who & 1
    itself = UNWATCHED if me == who else 0
    mine = lair(board, who, me)
    house = without(house, where(board, who), suspect)
    if who == BUQUET:
        closes = 0
        dark = nights(house[1], where(board, DARK))
        while dark:
            closes |= landings(house, rooms, lowest(dark), suspect, itself, mine)
            dark &= dark - 1
        return closes
    closes = landings(house, rooms, where(board, DARK), suspect, itself, mine)
    # With three cards to come the other powers are not worth the time.
    if left == 3:
        return closes
    if who == CHRISTINE:
        closes |= pulls(board, rooms, suspects, me)
    elif who == MONCHARMIN:
        closes |= sends(board, rooms, suspects, me)
    elif who == RICHARD:
        closes |= swaps(board, suspects, me)
    elif who == PERSAN:
        closes |= leads(board, rooms, house, suspects, me)
    return closes


@compiled
def survey(board: int, suspects: int) -> House:
    """The house as it stands."""
    house = (0, 0, 0, 0, 0)
    for who in range(PEOPLE):
        house = within(house, where(board, who), suspects >> who & 1)
    return house


@compiled
def within(house: House, at: int, suspect: int) -> House:
    """The house when somebody has come into a room."""
    once, twice, some, people, guilt = house
    twice |= once & 1 << at
    once |= 1 << at
    some |= suspect << at
    people += 1 << 4 * at
    guilt += suspect << 4 * at
    return once, twice, some, people, guilt


@compiled
def without(house: House, at: int, suspect: int) -> House:
    """The house when somebody has left a room."""
    once, twice, some, people, guilt = house
    people -= 1 << 4 * at
    guilt -= suspect << 4 * at
    if people >> 4 * at & 15 < 2:
        twice &= ~(1 << at)
    if people >> 4 * at & 15 == 0:
        once &= ~(1 << at)
    if guilt >> 4 * at & 15 == 0:
        some &= ~(1 << at)
    return once, twice, some, people, guilt


@compiled
def lair(board: int, who: int, me: int) -> int:
    """The phantom's room as a set; empty if the seat does not know, or if it is the phantom who walks."""
    if me == NOBODY or me == who:
        return 0
    return 1 << where(board, me)


@compiled
def landings(house: House, rooms: int, dark: int, suspect: int, itself: int, mine: int) -> int:
    """The closes if somebody goes to one of these rooms, in a house without them."""
    once, twice, some, _, guilt = house
    night = 1 << dark
    lone = once & ~twice & ~night
    loner = lone & some
    free = ~once | night
    close = ones(loner) + (guilt >> 4 * dark & 15)
    if mine & (lone | night):
        close += UNWATCHED
    closes = 0
    # Alone, or in the dark.
    if rooms & free:
        closes |= 1 << close + suspect + itself
    # Where everybody is watched, or with a lone innocent.
    if rooms & ~(free | loner):
        closes |= 1 << close
    # With a lone suspect, and with one who is the phantom.
    if rooms & loner & ~mine:
        closes |= 1 << close - 1
    if rooms & loner & mine:
        closes |= 1 << close - 1 - UNWATCHED
    return closes


@compiled
def pulls(board: int, rooms: int, suspects: int, me: int) -> int:
    """The closes if Christine goes to one of these rooms and pulls."""
    board = put(board, CHRISTINE, NOWHERE)
    alone = unwatched(board) & ~(1 << CHRISTINE)
    closes = 0
    while rooms:
        room = lowest(rooms)
        rooms &= rooms - 1
        group = inside(board, beside(board, room) | 1 << room)
        if room == where(board, DARK):
            closes |= 1 << close_of(alone | group | 1 << CHRISTINE, suspects, me)
        elif group:
            closes |= 1 << close_of(alone & ~group, suspects, me)
    return closes


@compiled
def sends(board: int, rooms: int, suspects: int, me: int) -> int:
    """The closes if Moncharmin goes to one of these rooms and sends one person anywhere, the others all one way."""
    closes = 0
    while rooms:
        room = lowest(rooms)
        rooms &= rooms - 1
        group = inside(board, 1 << room)
        if group:
            who = lowest(group)
            group &= group - 1
            suspect = suspects >> who & 1
            itself = UNWATCHED if me == who else 0
            around = beside(board, room)
            ways = around if group else 1 << room
            while ways:
                after = gather(put(board, MONCHARMIN, room), group, lowest(ways))
                ways &= ways - 1
                house = without(survey(after, suspects), room, suspect)
                closes |= landings(house, around, where(board, DARK), suspect, itself, lair(after, who, me))
    return closes


@compiled
def swaps(board: int, suspects: int, me: int) -> int:
    """The closes if Richard changes places: the two exchange whether they are watched."""
    alone = unwatched(board)
    closes = 1 << close_of(alone, suspects, me)
    for other in range(PEOPLE):
        if (alone >> other ^ alone >> RICHARD) & 1:
            closes |= 1 << close_of(alone ^ (1 << other | 1 << RICHARD), suspects, me)
    return closes


@compiled
def leads(board: int, rooms: int, house: House, suspects: int, me: int) -> int:
    """The closes if the Persian leads somebody to one of these rooms and stays there, in a house without him."""
    group = company(board, PERSAN)
    itself = UNWATCHED if me == PERSAN else 0
    closes = 0
    while group:
        who = lowest(group)
        group &= group - 1
        suspect = suspects >> who & 1
        rest = without(house, where(board, PERSAN), suspect)
        ends = rooms
        while ends:
            room = lowest(ends)
            ends &= ends - 1
            mine = lair(put(board, who, room), PERSAN, me)
            closes |= landings(within(rest, room, suspect), 1 << room, where(board, DARK), suspects >> PERSAN & 1, itself, mine)
    return closes


# Judging a match between rounds, and worlds by what was seen.

SPACES = EXIT + 10
CHANCE = constants([round(SURE * chance) for odd in _chances() for n in odd for chance in n])
"""The phantom's chance to win when a round begins: index (odd * 9 + suspects) * SPACES + La Carlotta's space."""


@compiled
def value(s: Row, values: Row, scratch: Row) -> bool:
    """When a round begins the suspects and La Carlotta say how things stand; at the end there is a winner."""
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
"""How much better an action has to look for the phantom to choose it e times as often."""
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
            look = (who, page, s[F.suspects] & EVERYBODY, s[F.offered] & EVERYBODY)
            chosen = worth(look, board, expelled, action)
            total = 0.0
            for i in range(choices):
                total += exp(min(20.0, (worth(look, board, expelled, nth_legal(mask, i)) - chosen) / SHARP))
            likely[who] *= BLIND / choices + (1 - BLIND) / total


def believe(build: Build, view: Any) -> list[int]:
    """How plausible each character is as the phantom, in parts of 256, by all the phantom was seen to do."""
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
    seen = list(_in_effect(view.seen))
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


def _in_effect(seen: Sequence[Any]) -> list[Any]:
    """What was seen and not taken back."""
    kept: list[Any] = []
    for one in seen:
        if one.event.name == "undone":
            kept = [other for other in kept if other.ply <= one.values["ply"]]
        else:
            kept.append(one)
    return kept


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
