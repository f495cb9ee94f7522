"""The box of Le Fantôme as tables the rules can index: ways through the house, with the padlock on each corridor."""

from __future__ import annotations

import re
from typing import Any

from ridotto.engine.build import box, constants
from ridotto.engine.errors import BadBox

BOX: dict[str, Any] = box(__file__)

EVERYBODY = ("raoul", "meg", "giry", "buquet", "christine", "moncharmin", "richard", "persan")
FEWEST = 4
"""A smaller box has the first four or six characters: the blackout and the padlock start with Buquet and Madame Giry."""
MOST_ROOMS = 10
TABLES = {
    "house": ("rooms", "corridors", "passages", "clockwise"),
    "track": ("spaces", "centre", "handicap"),
    "alibis": ("phantoms",),
}
"""The tables of a box and their entries."""


def faults_of(data: dict[str, Any]) -> list[str]:
    """Everything that keeps a box from being played with these rules."""
    faults = _keys_faults("", data, ("characters", *TABLES))
    house, track, alibis = (_table(data, name) for name in TABLES)
    for name, keys in TABLES.items():
        faults += _keys_faults(f"{name}.", _table(data, name), keys, ("start",) if name == "house" else ())
    people = data.get("characters", list(EVERYBODY))
    if people not in [list(EVERYBODY[:number]) for number in range(FEWEST, len(EVERYBODY) + 1, 2)]:
        faults.append(f"characters must be {', '.join(EVERYBODY)}, or the first four or six of them: each has a § of its own")
        people = list(EVERYBODY)
    rooms = house.get("rooms", MOST_ROOMS)
    rooms = rooms if type(rooms) is int and len(people) <= rooms <= MOST_ROOMS else MOST_ROOMS
    for where, value, low, high in (
        ("house.rooms", house.get("rooms", rooms), len(people), MOST_ROOMS),
        ("track.spaces", track.get("spaces", 2), 2, 1000),
        ("track.centre", track.get("centre", 0), 0, 1000),
        ("track.handicap", track.get("handicap", 0), 0, 1000),
        ("alibis.phantoms", alibis.get("phantoms", 0), 0, 20),
    ):
        if type(value) is not int or not low <= value <= high:
            faults.append(f"{where} must be {low if low == high else f'a whole number {low} to {high}'}, not {value!r}")
    for name in ("corridors", "passages"):
        if name in house and not _are_ways(house[name], rooms):
            faults.append(f"house.{name} must be different pairs 'a-b' of rooms 0 to {rooms - 1}, smaller first")
        elif name == "corridors" and name in house and not 2 <= len(house[name]) <= 14:
            faults.append("house.corridors must be 2 to 14, so that the padlock can move and sets fit a word")
    clockwise = house.get("clockwise", [])
    if "clockwise" in house and not _are_rooms(clockwise, rooms, len(people)):
        faults.append(f"house.clockwise must list {len(people)} different rooms 0 to {rooms - 1}")
    elif "start" in house and (not _are_rooms(house["start"], rooms, len(people)) or set(house["start"]) != set(clockwise)):
        faults.append("house.start must list the rooms of house.clockwise, one for each character")
    elif _are_ways(house.get("corridors"), rooms):
        corridors = [ends(way) for way in house["corridors"]]
        for room, after in zip(clockwise, clockwise[1:] + clockwise[:1], strict=True):
            if (min(room, after), max(room, after)) not in corridors:
                faults.append(f"house.clockwise: no corridor joins {room} and {after}, so the padlock could not start there")
        for locked in range(len(corridors)) if not faults else ():
            if any(d < 0 for d in _distances(_neighbours(corridors, rooms, locked))):
                faults.append(f"the padlock on {house['corridors'][locked]} would cut a room off")
    spaces, centre, handicap = (track.get(key) for key in TABLES["track"])
    if type(spaces) is type(centre) is type(handicap) is int:
        if not handicap <= centre or not centre + handicap < spaces - 1:
            faults.append("track: every start must be a space before the exit")
    return faults


def _table(data: dict[str, Any], name: str) -> dict[str, Any]:
    value = data.get(name)
    return value if isinstance(value, dict) else {}


def _keys_faults(where: str, table: dict[str, Any], keys: tuple[str, ...], optional: tuple[str, ...] = ()) -> list[str]:
    unknown = [f"unknown entry '{where}{key}'" for key in table if key not in (*keys, *optional)]
    return unknown + [f"'{where}{key}' is missing" for key in keys if key not in table]


def _are_ways(ways: Any, rooms: int) -> bool:
    if not isinstance(ways, list) or not all(isinstance(way, str) and re.fullmatch(r"[0-9]-[0-9]", way) for way in ways):
        return False
    return all(a < b < rooms for a, b in map(ends, ways)) and len(set(ways)) == len(ways)


def _are_rooms(listed: Any, rooms: int, people: int) -> bool:
    if not isinstance(listed, list) or not all(type(room) is int and 0 <= room < rooms for room in listed):
        return False
    return len(set(listed)) == len(listed) == people


def ends(way: str) -> tuple[int, int]:
    """The two rooms a way "a-b" joins."""
    a, b = way.split("-")
    return int(a), int(b)


def _neighbours(ways: list[tuple[int, int]], rooms: int, locked: int = -1) -> list[int]:
    """The rooms next to each room, as a set of bits, without the locked way."""
    beside = [0] * rooms
    for i, (a, b) in enumerate(ways):
        if i != locked:
            beside[a] |= 1 << b
            beside[b] |= 1 << a
    return beside


def _distances(beside: list[int]) -> list[int]:
    """The number of ways between every two rooms, -1 where there is none."""
    result, rooms = [], len(beside)
    for start in range(rooms):
        seen, edge, distance = 1 << start, 1 << start, [-1] * rooms
        for steps in range(rooms):
            for room in range(rooms):
                if edge >> room & 1:
                    distance[room] = steps
            wider = 0
            for room in range(rooms):
                if edge >> room & 1:
                    wider |= beside[room]
            edge, seen = wider & ~seen, seen | wider
        result += distance
    return result


if faults := faults_of(BOX):
    raise BadBox("this box cannot be played: " + "; ".join(faults))

CHARACTERS: tuple[str, ...] = tuple(BOX["characters"])
ROOMS: int = BOX["house"]["rooms"]
CORRIDOR_NAMES: tuple[str, ...] = tuple(BOX["house"]["corridors"])
PHANTOM_CARDS: int = BOX["alibis"]["phantoms"]
EXIT: int = BOX["track"]["spaces"] - 1
CENTRE: int = BOX["track"]["centre"]
HANDICAP: int = BOX["track"]["handicap"]

_corridors = [ends(way) for way in BOX["house"]["corridors"]]
_passages = [ends(way) for way in BOX["house"]["passages"]]
_clockwise: list[int] = BOX["house"]["clockwise"]

CROWD = len(CHARACTERS) + 1
"""People in a room: 0 to all of them."""

OUTER: int = sum(1 << room for room in _clockwise)
START = constants(BOX["house"].get("start", [-1] * len(CHARACTERS)))
"""The room in which each character starts, if the box says so; -1 if it is drawn."""


def _lock_after(room: int) -> int:
    """The corridor from an outer room to the next one clockwise; 0 for the others."""
    if room not in _clockwise:
        return 0
    after = _clockwise[(_clockwise.index(room) + 1) % len(_clockwise)]
    return _corridors.index((min(room, after), max(room, after)))


CLOCKWISE_LOCK = constants([_lock_after(room) for room in range(ROOMS)])


def _by_padlock(ways: list[tuple[int, int]]) -> list[list[int]]:
    return [_neighbours(ways, ROOMS, locked) for locked in range(len(_corridors))]


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
"""The rooms joined to a room by an open corridor: index padlock * ROOMS + room."""
DISTANCE = constants([d for beside in _by_padlock(_corridors) for d in _distances(beside)])
"""Ways between rooms: index (padlock * ROOMS + from) * ROOMS + to."""
REACH = constants(_reach(_by_padlock(_corridors)))
"""The rooms 1 to n corridors off: index (padlock * ROOMS + room) * CROWD + n."""
REACH_OF_MEG = constants(_reach(_by_padlock(_corridors + _passages)))
"""The same with the secret passages."""
