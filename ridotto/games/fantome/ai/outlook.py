"""The worth of a position to a seat when a card has been played to its end: what the cards to come could make of it.

The estimates come from matches of the bot against itself.
"""

from __future__ import annotations

from math import comb
from typing import TypeAlias

from ridotto.engine.build import compiled, constants
from ridotto.engine.dice import lowest, ones
from ridotto.games.fantome.ai.board import (
    DARK,
    NOWHERE,
    beside,
    company,
    gather,
    inside,
    nights,
    put,
    reach,
    unwatched,
    where,
)
from ridotto.games.fantome.components import EXIT
from ridotto.games.fantome.rules import BUQUET, CHRISTINE, MONCHARMIN, NOBODY, PEOPLE, PERSAN, RICHARD

SURE = 10_000
"""A certain win."""
STAYING = (0.45, 0.7)
"""The chance that another suspect ends a round on the phantom's side: an even round, an odd one."""

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
SPACES = EXIT + 10
CHANCE = constants([round(SURE * chance) for odd in _chances() for n in odd for chance in n])
"""The phantom's chance to win when a round begins: index (odd * 9 + suspects) * SPACES + La Carlotta's space."""


# Looking ahead.

Context: TypeAlias = tuple[int, int, int, int]
"""The facts that stay the same: the phantom's character or NOBODY, the page of PROSPECT, the suspects, the cards to come."""

House: TypeAlias = tuple[int, int, int, int, int]
"""The rooms with anybody, with two people or more, with a suspect; people and suspects in each room, four bits a room."""


@compiled
def outlook(context: Context, board: int) -> int:
    """The worth of a position to the seat: the phantom's chance to win, or minus that chance."""
    me, page, suspects, cards = context
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
