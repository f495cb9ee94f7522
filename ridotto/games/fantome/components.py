"""The box of Le Fantôme as tables the rules can index: ways through the house, with the padlock on each corridor."""

from __future__ import annotations

from typing import Any

from ridotto.engine.build import box, constants
from ridotto.engine.errors import BadBox

BOX: dict[str, Any] = box(__file__)

CHARACTERS = ("raoul", "meg", "giry", "buquet", "christine", "moncharmin", "richard", "persan")
ROOMS = 10


def faults_of(data: dict[str, Any]) -> list[str]:
    """Everything that keeps a box from being played with these rules."""
    try:
        house, track, alibis = data["house"], data["track"], data["alibis"]
        corridors = [ends(way) for way in house["corridors"]]
        passages = [ends(way) for way in house["passages"]]
        clockwise = list(house["clockwise"])
        numbers = (track["spaces"], track["centre"], track["handicap"], alibis["phantoms"], *clockwise)
        faults = [f"{number!r} is not a whole number" for number in numbers if type(number) is not int]
        if tuple(data["characters"]) != CHARACTERS:
            faults.append(f"characters must be {', '.join(CHARACTERS)}: each has a § of its own")
        if house["rooms"] != ROOMS:
            faults.append(f"house.rooms must be {ROOMS}")
        for name, ways in (("corridors", corridors), ("passages", passages)):
            if not all(0 <= a < b < ROOMS for a, b in ways) or len(set(ways)) != len(ways):
                faults.append(f"house.{name} must be different pairs 'a-b' of rooms 0 to {ROOMS - 1}, smaller first")
        if not 2 <= len(corridors) <= 14:
            faults.append("house.corridors must be 2 to 14, so that the padlock can move and sets fit a word")
        if sorted(clockwise) != sorted(set(clockwise) & set(range(ROOMS))) or len(clockwise) != len(CHARACTERS):
            faults.append(f"house.clockwise must list {len(CHARACTERS)} different rooms")
        for room, after in zip(clockwise, clockwise[1:] + clockwise[:1], strict=True):
            if (min(room, after), max(room, after)) not in corridors:
                faults.append(f"house.clockwise: no corridor joins {room} and {after}, so the padlock could not start there")
        for locked in range(len(corridors)) if not faults else ():
            if any(d < 0 for d in _distances(_neighbours(corridors, locked))):
                faults.append(f"the padlock on {house['corridors'][locked]} would cut a room off")
        if not 0 <= track["handicap"] <= track["centre"] or not track["centre"] + track["handicap"] < track["spaces"] - 1:
            faults.append("track: every start must be a space before the exit")
        if not 0 <= alibis["phantoms"] <= 20:
            faults.append("alibis.phantoms must be 0 to 20")
        if not 2 <= track["spaces"] <= 1000:
            faults.append("track.spaces must be 2 to 1000")
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        return [f"the box lacks or misspells something: {type(error).__name__} {error}"]
    return faults


def ends(way: str) -> tuple[int, int]:
    """The two rooms a way "a-b" joins."""
    a, b = way.split("-")
    return int(a), int(b)


def _neighbours(ways: list[tuple[int, int]], locked: int = -1) -> list[int]:
    """The rooms next to each room, as a set of bits, without the locked way."""
    beside = [0] * ROOMS
    for i, (a, b) in enumerate(ways):
        if i != locked:
            beside[a] |= 1 << b
            beside[b] |= 1 << a
    return beside


def _distances(beside: list[int]) -> list[int]:
    """The number of ways between every two rooms, -1 where there is none."""
    result = []
    for start in range(ROOMS):
        seen, edge, distance = 1 << start, 1 << start, [-1] * ROOMS
        for steps in range(ROOMS):
            for room in range(ROOMS):
                if edge >> room & 1:
                    distance[room] = steps
            wider = 0
            for room in range(ROOMS):
                if edge >> room & 1:
                    wider |= beside[room]
            edge, seen = wider & ~seen, seen | wider
        result += distance
    return result


if faults := faults_of(BOX):
    raise BadBox("this box cannot be played: " + "; ".join(faults))

CORRIDOR_NAMES: tuple[str, ...] = tuple(BOX["house"]["corridors"])
PHANTOM_CARDS: int = BOX["alibis"]["phantoms"]
EXIT: int = BOX["track"]["spaces"] - 1
CENTRE: int = BOX["track"]["centre"]
HANDICAP: int = BOX["track"]["handicap"]

_corridors = [ends(way) for way in BOX["house"]["corridors"]]
_passages = [ends(way) for way in BOX["house"]["passages"]]
_clockwise: list[int] = BOX["house"]["clockwise"]

CROWD = len(CHARACTERS) + 1
"""People in a room: 0 to 8."""

OUTER: int = sum(1 << room for room in _clockwise)


def _lock_after(room: int) -> int:
    """The corridor from an outer room to the next one clockwise; 0 for the others."""
    if room not in _clockwise:
        return 0
    after = _clockwise[(_clockwise.index(room) + 1) % len(_clockwise)]
    return _corridors.index((min(room, after), max(room, after)))


CLOCKWISE_LOCK = constants([_lock_after(room) for room in range(ROOMS)])


def _by_padlock(ways: list[tuple[int, int]]) -> list[list[int]]:
    return [_neighbours(ways, locked) for locked in range(len(_corridors))]


def _reach(beside_by_padlock: list[list[int]]) -> list[int]:
    """The rooms 1 to n ways off, flat by padlock, room and n."""
    flat = []
    for beside in beside_by_padlock:
        distance = _distances(beside)
        for room in range(ROOMS):
            for n in range(CROWD):
                flat.append(sum(1 << to for to in range(ROOMS) if 1 <= distance[room * ROOMS + to] <= n))
    return flat


NEXT = constants([bits for beside in _by_padlock(_corridors) for bits in beside])
"""The rooms joined to a room by an open corridor: index padlock * 10 + room."""
DISTANCE = constants([d for beside in _by_padlock(_corridors) for d in _distances(beside)])
"""Ways between rooms: index (padlock * 10 + from) * 10 + to."""
REACH = constants(_reach(_by_padlock(_corridors)))
"""The rooms 1 to n corridors off: index (padlock * 10 + room) * 9 + n."""
REACH_OF_MEG = constants(_reach(_by_padlock(_corridors + _passages)))
"""The same with the secret passages."""
