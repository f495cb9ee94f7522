"""The box of Opera as tables the rules can index: building parts, standing places, fees, the income table."""

from __future__ import annotations

from typing import Any, NamedTuple

from ridotto.engine.build import box, constants
from ridotto.engine.errors import BadBox, BoxFault, mark

BOX: dict[str, Any] = box(__file__)

COMPOSERS = ("monteverdi", "handel", "beethoven", "mozart", "wagner", "verdi")
CITIES = ("venezia", "wien", "berlin", "london", "paris", "milano")
PART_NAMES = ("main", "wing", "wing2", "wing3")
ROLES = ("impresario", "architetto", "signora", "maestro", "critico", "esperto")
MOST_HALLS = 6
PARTS_IN_ALL = 38

CERTAIN: dict[str, Any] = {
    "composers": list(COMPOSERS),
    "pieces": 14,
    "coins": {"fives": 30, "ones": 24},
    "income": [1, 3, 5, 8, 11, 15],
    "fees": {"impresario": 3, "architetto": 2, "signora": 2, "maestro": 2, "critico": 3, "esperto": 4},
}
"""The facts that the rulebooks print: the same in every box."""


class Printed(NamedTuple):
    """The facts of a city that the rulebooks print, in their text or in their example of play."""

    after: int
    """The counts before it opens."""
    main: range
    """Halls of its main."""
    halls: range
    """Halls of a whole house."""
    wing: int
    """Halls that one of its wings has; 0 if none is printed."""
    mains: int
    """Copies of the main with three players, at the least."""
    wings: int
    """Copies of each wing with three players, at the least."""


def _exactly(number: int) -> range:
    return range(number, number + 1)


PRINTED = {
    "venezia": Printed(0, _exactly(1), _exactly(3), 1, 3, 1),
    "wien": Printed(0, _exactly(2), _exactly(4), 0, 2, 1),
    "berlin": Printed(0, _exactly(1), range(3, 5), 0, 2, 0),
    "london": Printed(1, range(1, 3), range(2, 5), 0, 1, 0),
    "paris": Printed(1, range(1, 4), _exactly(5), 2, 2, 2),
    "milano": Printed(2, range(1, MOST_HALLS + 1), _exactly(MOST_HALLS), 0, 0, 0),
}
"""Whatever lies within these bounds no source tells, so an owner of the box may enter it."""


def faults_of(data: dict[str, Any]) -> list[BoxFault]:
    """Everything that keeps a box from being played with these rules."""
    known = [*CERTAIN, "house_composers", "cities"]
    faults = [BoxFault("unknown entry {key!r}", key=key) for key in data if key not in known]
    faults += [BoxFault("{key!r} is missing", key=key) for key in known if key not in data]
    faults += [
        BoxFault("{key} must be {wanted}, not {value}", key=key, wanted=wanted, value=data[key])
        for key, wanted in CERTAIN.items()
        if key in data and not _same(data[key], wanted)
    ]
    names = data.get("house_composers", ["", "", "", ""])
    if not isinstance(names, list) or len(names) != 4 or not all(isinstance(name, str) for name in names):
        faults.append(BoxFault("house_composers must be 4 texts, not {value!r}", value=names))
    if "cities" not in data:
        return faults
    return faults + _city_faults(data["cities"])


def _city_faults(cities: Any) -> list[BoxFault]:
    """The faults of the cities and their parts."""
    if not isinstance(cities, list) or [_name(city) for city in cities] != list(CITIES):
        return [BoxFault("cities must be {names}, in this order, each with a name", names=", ".join(CITIES))]
    faults = []
    for city in cities:
        name, printed = city["name"], PRINTED[city["name"]]
        if extra := sorted(set(city) ^ {"name", "after", "standing", "parts"}):
            faults.append(BoxFault("{where}: {keys} unknown or missing", where=name, keys=", ".join(extra)))
        if "after" in city and not _whole(city["after"], printed.after, printed.after):
            after = mark("{where}: after must be {wanted}, the counts before it opens, not {value!r}")
            faults.append(BoxFault(after, where=name, wanted=printed.after, value=city["after"]))
        if "standing" in city and not _whole(city["standing"], 1, 2):
            faults.append(BoxFault("{where}: standing must be 1 or 2, not {value!r}", where=name, value=city["standing"]))
        faults += _parts_faults(name, city["parts"]) if "parts" in city else []
    copies = [_copies(part) for city in cities for part in _tables(city.get("parts"))]
    if all(copies) and (total := sum(numbers[2] for numbers in copies)) != PARTS_IN_ALL:
        faults.append(BoxFault("there must be {wanted} parts with 4 players, not {total}", wanted=PARTS_IN_ALL, total=total))
    return faults


def _parts_faults(city: str, parts: Any) -> list[BoxFault]:
    """The faults of the parts of a city."""
    if not isinstance(parts, list) or [_name(part) for part in parts] != list(PART_NAMES[: len(parts)]) or not parts:
        wanted = mark("{where}: parts must be a main, with its great hall, and then up to 3 wings: {names}")
        return [BoxFault(wanted, where=city, names=", ".join(PART_NAMES))]
    faults: list[BoxFault] = []
    printed = PRINTED[city]
    for part in parts:
        where = f"{city} {part['name']}"
        if extra := sorted(set(part) ^ {"name", "halls", "copies"}):
            faults.append(BoxFault("{where}: {keys} unknown or missing", where=where, keys=", ".join(extra)))
        most = printed.main if part is parts[0] else range(1, printed.halls[-1])
        if "halls" in part and not _whole(part["halls"], most[0], most[-1]):
            faults.append(
                BoxFault("{where}: halls must be {wanted}, not {value!r}", where=where, wanted=_span(most), value=part["halls"])
            )
        if "copies" not in part:
            continue
        least = printed.mains if part is parts[0] else printed.wings
        if not _copies(part):
            wanted = mark("{where}: copies must be 3 whole numbers 0 to 4, none below the one before, not {value!r}")
            faults.append(BoxFault(wanted, where=where, value=part["copies"]))
        elif where == "venezia main" and part["copies"] != [2, 3, 4]:
            wanted = mark("{where}: copies must be 2, 3, 4, one for each player, not {value!r}")
            faults.append(BoxFault(wanted, where=where, value=part["copies"]))
        elif part["copies"][1] < least:
            wanted = mark("{where}: with 3 players there must be at least {least}, not {value}")
            faults.append(BoxFault(wanted, where=where, least=least, value=part["copies"][1]))
    halls = [part.get("halls") for part in parts]
    if all(type(number) is int for number in halls):
        if sum(halls) not in printed.halls:
            wanted = mark("{where}: a whole house must have {wanted} halls, not {value}")
            faults.append(BoxFault(wanted, where=city, wanted=_span(printed.halls), value=sum(halls)))
        if printed.wing and printed.wing not in halls[1:]:
            many = mark("{where}: one of the wings must have {wanted} halls")
            faults.append(
                BoxFault(
                    many if printed.wing > 1 else mark("{where}: one of the wings must have 1 hall"),
                    where=city,
                    wanted=printed.wing,
                )
            )
        if city == "london" and halls[0] == 1 and 1 not in halls[1:]:
            faults.append(BoxFault("{where}: it must be possible to have 2 halls there", where=city))
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


def _tables(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _copies(part: dict[str, Any]) -> list[int]:
    """The copies of a part with 2, 3 and 4 players; empty if they are no such numbers."""
    copies = part.get("copies")
    if not isinstance(copies, list) or len(copies) != 3 or not all(_whole(number, 0, 4) for number in copies):
        return []
    return copies if sorted(copies) == copies else []


def _span(numbers: range) -> str:
    if len(numbers) == 1:
        return str(numbers[0])
    return BoxFault(mark("{low} or {high}") if len(numbers) == 2 else mark("{low} to {high}"), low=numbers[0], high=numbers[-1])


if faults := faults_of(BOX):
    raise BadBox.because_of(faults)

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
