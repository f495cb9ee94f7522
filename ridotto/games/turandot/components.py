"""The box of Turandot as tables the rules can index: the singers, and the directors' terms made ready to be counted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ridotto.engine.build import box, constants
from ridotto.engine.errors import BadBox, BoxFault, mark

BOX: dict[str, Any] = box(__file__)

ROLES = ("turandot", "calaf", "liu", "ping", "pong", "pang")
ROLE_SEXES = ("F", "M", "F", "M", "M", "M")
SEXES = ("F", "M", "U")
STATISTICS = ("distinct_categories", "max_same_category", "women")
LANGUAGES = ("en", "fr", "nl")
STANDARD = {"singers": 36, "directors": 9, "categories": 6, "roles": 6, "director_round": 4, "money": 3}
SMALLER = (*STANDARD, "bluff", "puccini", "drawn")
"""The table `smaller` of a small box: as many of each, in which round directors come, whether there are bluff cards,
who has Puccini first, and whether cards are drawn, or come in the order of the box."""

# The kinds of terms, as the rules count them.
PER, AT_LEAST, FEWER_THAN, BY_NUMBER = range(4)
COUNTS = ("per", "at_least", "fewer_than")


@dataclass(frozen=True)
class Filter:
    """Which singers a term counts: those whose `trait` is one of `values`."""

    trait: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Term:
    """One term of a director: points by a count of singers, or by a number that a troupe has."""

    kind: int
    which: Filter | None = None
    n: int = 0
    points: int = 0
    statistic: int = 0
    values: tuple[int, ...] = ()


# What a box must be. Every fault is found, so that a file can be mended in one go.


def faults_of(data: dict[str, Any]) -> list[BoxFault]:
    """Everything that keeps a box from being played with these rules."""
    known = ("singers", "categories", "directors")
    faults = _unknown(BoxFault("the box"), data, (*known, "smaller") if "smaller" in data else known)
    smaller = data.get("smaller", STANDARD)
    if _smaller_faults(smaller):
        return [*faults, BoxFault("smaller must have {names}, as docs/minis.md says", names=", ".join(SMALLER))]
    number = {name: smaller[name] for name in STANDARD}
    categories = data.get("categories")
    if not isinstance(categories, dict) or len(categories) != number["categories"]:
        faults.append(BoxFault("categories must be a table of {number} ids with their names", number=number["categories"]))
        categories = categories if isinstance(categories, dict) else {}
    for key, name in categories.items():
        where = BoxFault("category {key!r}", key=key)
        faults += _id_faults(where, key) + _name_faults(where, name)
    faults += _cards_faults(data, "singers", number["singers"]) + _cards_faults(data, "directors", number["directors"])
    for i, singer in enumerate(_tables(data.get("singers")), 1):
        faults += _singer_faults(_called("singer", i, singer), singer, list(categories))
    for i, director in enumerate(_tables(data.get("directors")), 1):
        faults += _director_faults(_called("director", i, director), director, list(categories), number["roles"])
    ids = [str(card["id"]) for name in ("singers", "directors") for card in _tables(data.get(name)) if "id" in card]
    faults += [
        BoxFault("the id {id!r} is given to {number} cards", id=one, number=ids.count(one))
        for one in dict.fromkeys(ids)
        if ids.count(one) > 1
    ]
    of = [str(singer.get("category")) for singer in _tables(data.get("singers"))]
    for key in categories:
        if of.count(key) != number["singers"] // number["categories"]:
            wanted = mark("category {key!r} has {number} singers, not {wanted}")
            each = number["singers"] // number["categories"]
            faults.append(BoxFault(wanted, key=key, number=of.count(key), wanted=each))
    return faults


def _smaller_faults(smaller: Any) -> bool:
    """Whether a box cannot be played with these numbers: by two, with cards for every round."""
    if smaller is STANDARD:
        return False
    if not isinstance(smaller, dict) or sorted(smaller) != sorted(SMALLER):
        return True
    least = {"roles": 1, "director_round": 1, "money": 0, "categories": 1, "singers": 3, "directors": 3, "puccini": 0}
    most = STANDARD | {"puccini": 1}
    if any(not _is_number(smaller[name], low, most[name]) for name, low in least.items()):
        return True
    if type(smaller["bluff"]) is not bool or type(smaller["drawn"]) is not bool:
        return True
    if smaller["director_round"] > smaller["roles"] + 1 or smaller["singers"] % smaller["categories"]:
        return True
    return bool(smaller["singers"] < 3 * smaller["roles"] or smaller["directors"] < smaller["director_round"] + 2)


def _tables(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _cards_faults(data: dict[str, Any], name: str, number: int) -> list[BoxFault]:
    value = data.get(name)
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        return [BoxFault("{name} must be a list of {number} tables", name=name, number=number)]
    if len(value) == number:
        return []
    return [BoxFault("{name} must be {number}, not {value}", name=name, number=number, value=len(value))]


def _called(what: str, number: int, card: dict[str, Any]) -> BoxFault:
    if what == "singer":
        known, other = mark("singer {id!r}"), mark("singer number {number}")
    else:
        known, other = mark("director {id!r}"), mark("director number {number}")
    return BoxFault(known, id=card["id"]) if isinstance(card.get("id"), str) else BoxFault(other, number=number)


def _unknown(where: BoxFault, card: dict[str, Any], known: Sequence[str]) -> list[BoxFault]:
    unknown = mark("{where} has no key {key!r}; it has: {known}")
    return [BoxFault(unknown, where=where, key=key, known=", ".join(known)) for key in card if key not in known]


def _id_faults(where: BoxFault, value: Any) -> list[BoxFault]:
    if isinstance(value, str) and re.fullmatch(r"[a-z0-9]+", value):
        return []
    return [BoxFault("{where}: an id is a word of small letters and digits, not {value!r}", where=where, value=value)]


def _name_faults(where: BoxFault, value: Any) -> list[BoxFault]:
    if isinstance(value, str) and value.strip():
        return []
    if isinstance(value, dict) and set(value) == set(LANGUAGES):
        if all(isinstance(one, str) and one.strip() for one in value.values()):
            return []
    wanted = mark("{where}: a name is a text, or a text for each of {languages}, not {value!r}")
    return [BoxFault(wanted, where=where, languages=", ".join(LANGUAGES), value=value)]


def _one_of(where: BoxFault, key: str, names: Sequence[str], value: Any) -> BoxFault:
    return BoxFault(
        "{where}: {key} must be one of {names}, not {value!r}", where=where, key=key, names=", ".join(names), value=value
    )


def _is_number(value: Any, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


def _singer_faults(where: BoxFault, singer: dict[str, Any], categories: list[str]) -> list[BoxFault]:
    faults = _unknown(where, singer, ("id", "name", "category", "stars", "sex", "favourite"))
    faults += _id_faults(where, singer.get("id")) + _name_faults(where, singer.get("name"))
    if singer.get("category") not in categories:
        faults.append(_one_of(where, "category", categories, singer.get("category")))
    if not _is_number(singer.get("stars"), 1, 3):
        faults.append(BoxFault("{where}: stars must be 1, 2 or 3, not {value!r}", where=where, value=singer.get("stars")))
    if singer.get("sex") not in SEXES:
        faults.append(_one_of(where, "sex", SEXES, singer.get("sex")))
    if "favourite" in singer and singer["favourite"] not in ROLES:
        wanted = mark("{where}: favourite must be one of {names}, or left out, not {value!r}")
        faults.append(BoxFault(wanted, where=where, names=", ".join(ROLES), value=singer["favourite"]))
    return faults


def _director_faults(where: BoxFault, director: dict[str, Any], categories: list[str], troupe: int) -> list[BoxFault]:
    faults = _unknown(where, director, ("id", "name", "terms"))
    faults += _id_faults(where, director.get("id")) + _name_faults(where, director.get("name"))
    terms = director.get("terms")
    if not isinstance(terms, list) or not 1 <= len(terms) <= 8 or not all(isinstance(one, dict) for one in terms):
        return [*faults, BoxFault("{where}: terms must be a list of 1 to 8 tables", where=where)]
    for i, term in enumerate(terms, 1):
        faults += _term_faults(BoxFault("{where}, term {number}", where=where, number=i), term, categories, troupe)
    return faults


def _term_faults(where: BoxFault, term: dict[str, Any], categories: list[str], troupe: int) -> list[BoxFault]:
    kinds = [key for key in (*COUNTS, "table") if key in term]
    if len(kinds) != 1:
        return [BoxFault("{where} must have exactly one of {names} and table", where=where, names=", ".join(COUNTS))]
    kind = kinds[0]
    if kind == "table":
        faults = _unknown(where, term, ("table", "values"))
        if term["table"] not in STATISTICS:
            faults.append(_one_of(where, "table", STATISTICS, term["table"]))
        values = term.get("values")
        if not isinstance(values, list) or len(values) != troupe + 1 or not all(_is_number(one, -20, 20) for one in values):
            wanted = mark("{where}: values must be {number} whole numbers from -20 to 20, not {value!r}")
            faults.append(BoxFault(wanted, where=where, number=troupe + 1, value=values))
        return faults
    faults = _unknown(where, term, (kind, "points") if kind == "per" else (kind, "n", "points"))
    if not _is_number(term.get("points"), -20, 20) or term["points"] == 0:
        wanted = mark("{where}: points must be a whole number from -20 to 20 other than 0, not {value!r}")
        faults.append(BoxFault(wanted, where=where, value=term.get("points")))
    if kind != "per" and not _is_number(term.get("n"), 1, troupe):
        faults.append(BoxFault("{where}: n must be 1 to {most}, not {value!r}", where=where, most=troupe, value=term.get("n")))
    return faults + _filter_faults(where, kind, term[kind], categories)


def _filter_faults(where: BoxFault, kind: str, value: Any, categories: list[str]) -> list[BoxFault]:
    allowed = {"category": categories, "sex": SEXES, "stars": ("1", "2", "3"), "favourite": ROLES}
    trait, colon, rest = value.partition(":") if isinstance(value, str) else ("", "", "")
    if not colon or trait not in allowed:
        examples = ", ".join(f"{one}:…" for one in allowed)
        wanted = mark("{where}: {kind} must be a text like {examples}, not {value!r}")
        return [BoxFault(wanted, where=where, kind=kind, examples=examples, value=value)]
    values = rest.split("|")
    if trait == "favourite" and values in (["any"], ["none"]):
        return []
    if not all(one in allowed[trait] for one in values) or len(set(values)) != len(values):
        wanted = mark("{where}: {trait} takes different ones of {names}, joined by a bar, not {value!r}")
        return [BoxFault(wanted, where=where, trait=trait, names=", ".join(allowed[trait]), value=rest)]
    return []


if faults := faults_of(BOX):
    raise BadBox.because_of(faults)


# How many there are of everything.

_numbers: dict[str, Any] = BOX.get("smaller", STANDARD)
SINGERS: int = _numbers["singers"]
DIRECTORS: int = _numbers["directors"]
CATEGORIES: int = _numbers["categories"]
TROUPE: int = _numbers["roles"]
DIRECTOR_ROUND: int = _numbers["director_round"]
MONEY: int = _numbers["money"]
IS_SMALLER = "smaller" in BOX
HAS_BLUFF: bool = _numbers.get("bluff", True)
FIRST_PUCCINI: int = _numbers.get("puccini", -1)
"""The first holder of Puccini; -1 if that is drawn."""
IS_DRAWN: bool = _numbers.get("drawn", True)
"""Whether singers and directors are drawn; else they come in the order of the box."""


# The cards.

CATEGORY_IDS: tuple[str, ...] = tuple(BOX["categories"])
SINGER_IDS: tuple[str, ...] = tuple(singer["id"] for singer in BOX["singers"])
DIRECTOR_IDS: tuple[str, ...] = tuple(director["id"] for director in BOX["directors"])
CATEGORY_NAMES: tuple[Any, ...] = tuple(BOX["categories"].values())
SINGER_NAMES: tuple[Any, ...] = tuple(singer["name"] for singer in BOX["singers"])
DIRECTOR_NAMES: tuple[Any, ...] = tuple(director["name"] for director in BOX["directors"])
"""Names are one text, or a text by language."""

STARS = constants([singer["stars"] for singer in BOX["singers"]])
CATEGORY = constants([CATEGORY_IDS.index(singer["category"]) for singer in BOX["singers"]])
SEX = constants([SEXES.index(singer["sex"]) for singer in BOX["singers"]])
FAVOURITE = constants([ROLES.index(singer["favourite"]) if "favourite" in singer else -1 for singer in BOX["singers"]])
"""The favourite role of each singer, -1 for none."""
ROLE_SEX = constants([SEXES.index(sex) for sex in ROLE_SEXES])


# The directors' terms, flat: those of director d are number FIRST_TERM[d] up to FIRST_TERM[d + 1].


def _term(source: dict[str, Any]) -> Term:
    if "table" in source:
        return Term(BY_NUMBER, statistic=STATISTICS.index(source["table"]), values=tuple(source["values"]))
    kind = next(i for i, name in enumerate(COUNTS) if name in source)
    trait, _, values = source[COUNTS[kind]].partition(":")
    return Term(kind, Filter(trait, tuple(values.split("|"))), source.get("n", 0), source["points"])


def _matches(which: Filter | None, singer: dict[str, Any]) -> bool:
    if which is None:
        return False
    value = str(singer.get(which.trait, "none"))
    return value in which.values or (which.values == ("any",) and value != "none")


TERMS: tuple[tuple[Term, ...], ...] = tuple(
    tuple(_term(source) for source in director["terms"]) for director in BOX["directors"]
)
_flat = [term for terms in TERMS for term in terms]

FIRST_TERM = constants([sum(len(terms) for terms in TERMS[:d]) for d in range(DIRECTORS + 1)])
TERM_KIND = constants([term.kind for term in _flat])
TERM_N = constants([term.n for term in _flat])
TERM_POINTS = constants([term.points for term in _flat])
TERM_STATISTIC = constants([term.statistic for term in _flat])
TERM_VALUES = constants([value for term in _flat for value in (term.values or (0,) * (TROUPE + 1))])
"""The points of a table by its number: index term * 7 + number."""
TERM_MATCHES = constants([int(_matches(term.which, singer)) for term in _flat for singer in BOX["singers"]])
"""Whether a term counts a singer: index term * SINGERS + singer."""
