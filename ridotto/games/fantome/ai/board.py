"""The board in one integer, four bits each: the eight characters' rooms, the dark room, the padlock, who is being played."""

from __future__ import annotations

from ridotto.engine.build import compiled, constants
from ridotto.engine.dice import ones
from ridotto.engine.fields import Row
from ridotto.games.fantome.components import CORRIDOR_NAMES, CROWD, DISTANCE, NEXT, REACH, REACH_OF_MEG, ROOMS
from ridotto.games.fantome.rules import EVERYBODY, GIRY, MEG, PEOPLE, PERSAN, F

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
    """The place of a piece."""
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
    """The rooms to which the blackout may go: each crowded room, and one of the others, which are all alike."""
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
