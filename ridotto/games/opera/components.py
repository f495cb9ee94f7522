"""The box of Opera as tables the rules can index: building parts, standing places, fees, the income table."""

from __future__ import annotations

from typing import Any

from ridotto.engine.build import box, constants
from ridotto.engine.errors import BadBox

BOX: dict[str, Any] = box(__file__)

COMPOSERS = ("monteverdi", "handel", "beethoven", "mozart", "wagner", "verdi")
CITIES = ("venezia", "wien", "berlin", "london", "paris", "milano")
PART_NAMES = ("main", "wing", "wing2", "wing3")
ROLES = ("impresario", "architetto", "signora", "maestro", "critico", "esperto")
MOST_HALLS = 6
LARGEST = (4, 5, 6)
"""Halls of the largest house that can stand before the first count, before the second, and after it."""
PARTS_IN_ALL = 38

CERTAIN: dict[str, Any] = {
    "composers": list(COMPOSERS),
    "pieces": 14,
    "coins": {"fives": 30, "ones": 24},
    "income": [1, 3, 5, 8, 11, 15],
    "fees": {"impresario": 3, "architetto": 2, "signora": 2, "maestro": 2, "critico": 3, "esperto": 4},
}
"""What the rulebooks print: the same in every box."""


def faults_of(data: dict[str, Any]) -> list[str]:
    """Everything that keeps a box from being played with these rules."""
    known = [*CERTAIN, "house_composers", "cities"]
    faults = [f"unknown entry {key!r}" for key in data if key not in known]
    faults += [f"{key!r} is missing" for key in known if key not in data]
    faults += [f"{k} must be {value}, not {data[k]}" for k, value in CERTAIN.items() if k in data and not _same(data[k], value)]
    names = data.get("house_composers", ["", "", "", ""])
    if not isinstance(names, list) or len(names) != 4 or not all(isinstance(name, str) for name in names):
        faults.append(f"house_composers must be 4 texts, not {names!r}")
    if "cities" not in data:
        return faults
    return faults + _city_faults(data["cities"])


def _city_faults(cities: Any) -> list[str]:
    """What is wrong with the cities and their parts."""
    if not isinstance(cities, list) or [_name(city) for city in cities] != list(CITIES):
        return [f"cities must be {', '.join(CITIES)}, in this order, each with a name"]
    faults = []
    for city in cities:
        name = city["name"]
        if extra := sorted(set(city) ^ {"name", "after", "standing", "parts"}):
            faults.append(f"{name}: {', '.join(extra)} unknown or missing")
            continue
        if not _whole(city["after"], 0, 2) or (name == "venezia" and city["after"] != 0):
            faults.append(f"{name}: after must be {'0' if name == 'venezia' else '0, 1 or 2'}, not {city['after']!r}")
        if not _whole(city["standing"], 1, 2):
            faults.append(f"{name}: standing must be 1 or 2, not {city['standing']!r}")
        parts = city["parts"]
        if not isinstance(parts, list) or [_name(part) for part in parts] != list(PART_NAMES[: len(parts)]) or not parts:
            faults.append(f"{name}: parts must be a main, with its great hall, and then up to 3 wings: {', '.join(PART_NAMES)}")
            continue
        for part in parts:
            where = f"{name} {part['name']}"
            if extra := sorted(set(part) ^ {"name", "halls", "copies"}):
                faults.append(f"{where}: {', '.join(extra)} unknown or missing")
                continue
            if not _whole(part["halls"], 1, MOST_HALLS):
                faults.append(f"{where}: halls must be 1 to {MOST_HALLS}, not {part['halls']!r}")
            copies = part["copies"]
            if not _numbers(copies, 3, 0, 4) or sorted(copies) != copies:
                faults.append(f"{where}: copies must be 3 whole numbers 0 to 4, none below the one before, not {copies!r}")
            elif where == "venezia main" and copies != [2, 3, 4]:
                faults.append(f"{where}: copies must be 2, 3, 4, one for each player, not {copies!r}")
    if faults:
        return faults
    every = [(city, part) for city in cities for part in city["parts"]]
    if (total := sum(part["copies"][2] for _, part in every)) != PARTS_IN_ALL:
        faults.append(f"there must be {PARTS_IN_ALL} parts with 4 players, not {total}")
    for counts, largest in enumerate(LARGEST):
        sizes = [sum(part["halls"] for part in city["parts"]) for city in cities if city["after"] <= counts]
        if max(sizes) != largest:
            faults.append(f"the largest house after {counts} counts must have {largest} halls, not {max(sizes)}")
    return faults


def _same(value: Any, wanted: Any) -> bool:
    """Whether two values are equal, numbers being whole in both."""
    if isinstance(wanted, dict):
        return isinstance(value, dict) and set(value) == set(wanted) and all(_same(value[key], wanted[key]) for key in wanted)
    if isinstance(wanted, list):
        return isinstance(value, list) and len(value) == len(wanted) and all(map(_same, value, wanted))
    return type(value) is type(wanted) and bool(value == wanted)


def _name(entry: Any) -> Any:
    return entry.get("name") if isinstance(entry, dict) else None


def _whole(value: Any, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


def _numbers(values: Any, length: int, low: int, high: int) -> bool:
    return isinstance(values, list) and len(values) == length and all(_whole(value, low, high) for value in values)


if faults := faults_of(BOX):
    raise BadBox("this box cannot be played: " + "; ".join(faults))

PIECES: int = BOX["pieces"]
DUCATS: int = 5 * BOX["coins"]["fives"] + BOX["coins"]["ones"]
HOUSE_COMPOSERS: tuple[str, ...] = tuple(BOX["house_composers"])

FEE = constants([BOX["fees"][role] for role in ROLES])
INCOME = constants([0, *BOX["income"]])
"""Ducats by the number of pieces in a house."""
OPENS_AFTER = constants([city["after"] for city in BOX["cities"]])
STANDING = constants([city["standing"] for city in BOX["cities"]])


def _by_part(city: dict[str, Any], key: str) -> list[Any]:
    """A value for each of the four parts a city may have; None where it has fewer."""
    return [part[key] for part in city["parts"]] + [None] * (len(PART_NAMES) - len(city["parts"]))


HALLS = constants([halls or 0 for city in BOX["cities"] for halls in _by_part(city, "halls")])
"""Halls of a part: index city * 4 + part; 0 where there is no such part."""
COPIES = constants(
    [copies[seats - 2] if copies else 0 for seats in (2, 3, 4) for c in BOX["cities"] for copies in _by_part(c, "copies")]
)
"""Parts in play: index ((seats - 2) * 6 + city) * 4 + part."""
