"""The box of Turandot as tables the rules can index: the singers, and the directors' terms made ready to be counted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ridotto.engine.build import box, constants
from ridotto.engine.errors import BadBox

BOX: dict[str, Any] = box(__file__)

ROLES = ("turandot", "calaf", "liu", "ping", "pong", "pang")
ROLE_SEXES = ("F", "M", "F", "M", "M", "M")
SEXES = ("F", "M", "U")
STATISTICS = ("distinct_categories", "max_same_category", "women")
LANGUAGES = ("en", "fr", "nl")
SINGERS, DIRECTORS, CATEGORIES, TROUPE = 36, 9, 6, 6

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


def faults_of(data: dict[str, Any]) -> list[str]:
    """Everything that keeps a box from being played with these rules."""
    faults = _unknown("the box", data, ("singers", "categories", "directors"))
    categories = data.get("categories")
    if not isinstance(categories, dict) or len(categories) != CATEGORIES:
        faults.append(f"categories must be a table of {CATEGORIES} ids with their names")
        categories = categories if isinstance(categories, dict) else {}
    for key, name in categories.items():
        faults += _id_faults(f"category {key!r}", key) + _name_faults(f"category {key!r}", name)
    faults += _cards_faults(data, "singers", SINGERS) + _cards_faults(data, "directors", DIRECTORS)
    for i, singer in enumerate(_tables(data.get("singers")), 1):
        faults += _singer_faults(_called("singer", i, singer), singer, list(categories))
    for i, director in enumerate(_tables(data.get("directors")), 1):
        faults += _director_faults(_called("director", i, director), director, list(categories))
    ids = [str(card["id"]) for name in ("singers", "directors") for card in _tables(data.get(name)) if "id" in card]
    faults += [f"the id {one!r} is given to {ids.count(one)} cards" for one in dict.fromkeys(ids) if ids.count(one) > 1]
    of = [str(singer.get("category")) for singer in _tables(data.get("singers"))]
    for key in categories:
        if of.count(key) != SINGERS // CATEGORIES:
            faults.append(f"category {key!r} has {of.count(key)} singers, not {SINGERS // CATEGORIES}")
    return faults


def _tables(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _cards_faults(data: dict[str, Any], name: str, number: int) -> list[str]:
    value = data.get(name)
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        return [f"{name} must be a list of {number} tables"]
    return [] if len(value) == number else [f"{name} must be {number}, not {len(value)}"]


def _called(what: str, number: int, card: dict[str, Any]) -> str:
    return f"{what} {card['id']!r}" if isinstance(card.get("id"), str) else f"{what} number {number}"


def _unknown(where: str, card: dict[str, Any], known: Sequence[str]) -> list[str]:
    return [f"{where} has no key {key!r}; it has: {', '.join(known)}" for key in card if key not in known]


def _id_faults(where: str, value: Any) -> list[str]:
    if isinstance(value, str) and re.fullmatch(r"[a-z0-9]+", value):
        return []
    return [f"{where}: an id is a word of small letters and digits, not {value!r}"]


def _name_faults(where: str, value: Any) -> list[str]:
    if isinstance(value, str) and value.strip():
        return []
    if isinstance(value, dict) and set(value) == set(LANGUAGES):
        if all(isinstance(one, str) and one.strip() for one in value.values()):
            return []
    return [f"{where}: a name is a text, or a text for each of {', '.join(LANGUAGES)}, not {value!r}"]


def _is_number(value: Any, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


def _singer_faults(where: str, singer: dict[str, Any], categories: list[str]) -> list[str]:
    faults = _unknown(where, singer, ("id", "name", "category", "stars", "sex", "favourite"))
    faults += _id_faults(where, singer.get("id")) + _name_faults(where, singer.get("name"))
    if singer.get("category") not in categories:
        faults.append(f"{where}: category must be one of {', '.join(categories)}, not {singer.get('category')!r}")
    if not _is_number(singer.get("stars"), 1, 3):
        faults.append(f"{where}: stars must be 1, 2 or 3, not {singer.get('stars')!r}")
    if singer.get("sex") not in SEXES:
        faults.append(f"{where}: sex must be one of {', '.join(SEXES)}, not {singer.get('sex')!r}")
    if "favourite" in singer and singer["favourite"] not in ROLES:
        faults.append(f"{where}: favourite must be one of {', '.join(ROLES)}, or left out, not {singer['favourite']!r}")
    return faults


def _director_faults(where: str, director: dict[str, Any], categories: list[str]) -> list[str]:
    faults = _unknown(where, director, ("id", "name", "terms"))
    faults += _id_faults(where, director.get("id")) + _name_faults(where, director.get("name"))
    terms = director.get("terms")
    if not isinstance(terms, list) or not 1 <= len(terms) <= 8 or not all(isinstance(one, dict) for one in terms):
        return [*faults, f"{where}: terms must be a list of 1 to 8 tables"]
    for i, term in enumerate(terms, 1):
        faults += _term_faults(f"{where}, term {i}", term, categories)
    return faults


def _term_faults(where: str, term: dict[str, Any], categories: list[str]) -> list[str]:
    kinds = [key for key in (*COUNTS, "table") if key in term]
    if len(kinds) != 1:
        return [f"{where} must have exactly one of {', '.join(COUNTS)} and table"]
    kind = kinds[0]
    if kind == "table":
        faults = _unknown(where, term, ("table", "values"))
        if term["table"] not in STATISTICS:
            faults.append(f"{where}: table must be one of {', '.join(STATISTICS)}, not {term['table']!r}")
        values = term.get("values")
        if not isinstance(values, list) or len(values) != TROUPE + 1 or not all(_is_number(one, -20, 20) for one in values):
            faults.append(f"{where}: values must be {TROUPE + 1} whole numbers from -20 to 20, not {values!r}")
        return faults
    faults = _unknown(where, term, (kind, "points") if kind == "per" else (kind, "n", "points"))
    if not _is_number(term.get("points"), -20, 20) or term["points"] == 0:
        faults.append(f"{where}: points must be a whole number from -20 to 20 other than 0, not {term.get('points')!r}")
    if kind != "per" and not _is_number(term.get("n"), 1, TROUPE):
        faults.append(f"{where}: n must be 1 to {TROUPE}, not {term.get('n')!r}")
    return faults + _filter_faults(where, kind, term[kind], categories)


def _filter_faults(where: str, kind: str, value: Any, categories: list[str]) -> list[str]:
    allowed = {"category": categories, "sex": SEXES, "stars": ("1", "2", "3"), "favourite": ROLES}
    trait, colon, rest = value.partition(":") if isinstance(value, str) else ("", "", "")
    if not colon or trait not in allowed:
        return [f"{where}: {kind} must be a text like {', '.join(f'{one}:…' for one in allowed)}, not {value!r}"]
    values = rest.split("|")
    if trait == "favourite" and values in (["any"], ["none"]):
        return []
    if not all(one in allowed[trait] for one in values) or len(set(values)) != len(values):
        return [f"{where}: {trait} takes different ones of {', '.join(allowed[trait])}, joined by a bar, not {rest!r}"]
    return []


if faults := faults_of(BOX):
    raise BadBox("this box cannot be played: " + "; ".join(faults))


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
"""Whether a term counts a singer: index term * 36 + singer."""
