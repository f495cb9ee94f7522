"""The questions to an owner of Turandot: the cards that no source shows."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from ridotto.games.turandot.components import BOX, CATEGORIES, COUNTS, SINGERS, faults_of
from ridotto.present.narrator import mark
from ridotto.present.owner import Form, Question, Section

__all__ = ["SECTIONS", "faults_of"]


def show_name(name: Any) -> str:
    """A name as one text; of several languages, the English one."""
    return str(name["en"]) if isinstance(name, dict) else str(name)


def read_name(text: str, before: Any) -> Any:
    """A name; the one before, in all its languages, if its text is the same."""
    if not text:
        raise ValueError(text)
    return before if text == show_name(before) else text


def id_of(name: Any, before: dict[str, Any]) -> str:
    """The word for a card in the notation: the one before, or for a new name its letters and digits.

    >>> id_of("Éva d'Aubrac", {"id": "eva", "name": "Eva"})
    'evadaubrac'
    """
    if name == before["name"]:
        return str(before["id"])
    plain = unicodedata.normalize("NFKD", show_name(name)).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]", "", plain)


def show_singer(singer: dict[str, Any]) -> str:
    """A singer as a text.

    >>> show_singer({"id": "opale", "name": "Opale", "category": "alt", "stars": 2, "sex": "U"})
    'Opale; alt; 2; U; -'
    """
    parts = (show_name(singer["name"]), singer["category"], singer["stars"], singer["sex"], singer.get("favourite", "-"))
    return "; ".join(map(str, parts))


def read_singer(text: str, before: dict[str, Any]) -> dict[str, Any]:
    """A singer from a text."""
    words, category, stars, sex, favourite = (part.strip() for part in text.split(";"))
    name = read_name(words, before["name"])
    singer = {"id": id_of(name, before), "name": name, "category": category, "stars": int(stars), "sex": sex.upper()}
    return singer if favourite == "-" else singer | {"favourite": favourite.lower()}


def show_term(term: dict[str, Any]) -> str:
    """A line of a director's card as a text.

    >>> show_term({"at_least": "sex:U", "n": 2, "points": 3}), show_term({"table": "women", "values": [-3, 0, 0, 4, 5, 5, 5]})
    ('+3 at_least 2 sex:U', 'table women -3 0 0 4 5 5 5')
    """
    if "table" in term:
        return f"table {term['table']} {' '.join(map(str, term['values']))}"
    kind = next(one for one in COUNTS if one in term)
    return " ".join([f"{term['points']:+d}", kind, *([] if kind == "per" else [str(term["n"])]), term[kind]])


def read_term(text: str) -> dict[str, Any]:
    """A line of a director's card from a text."""
    words = text.split()
    if words[0] == "table":
        return {"table": words[1], "values": [int(word) for word in words[2:]]}
    points, kind, *number, which = words
    if kind not in COUNTS or len(number) != (kind != "per"):
        raise ValueError(text)
    return {kind: which, **({"n": int(number[0])} if number else {}), "points": int(points)}


def show_director(director: dict[str, Any]) -> str:
    """A director as a text: the name, and the lines of the card."""
    return "; ".join([show_name(director["name"]), *map(show_term, director["terms"])])


def read_director(text: str, before: dict[str, Any]) -> dict[str, Any]:
    """A director from a text."""
    words, *terms = (part.strip() for part in text.split(";"))
    name = read_name(words, before["name"])
    return {"id": id_of(name, before), "name": name, "terms": [read_term(term) for term in terms]}


NAME = Form(mark("a name"), show_name, read_name)
SINGER = Form(
    mark("name, category, stars, sex (F, M or U for undetermined) and favourite role or -"),
    show_singer,
    read_singer,
    "Opale; alt; 2; U; -",
)
DIRECTOR = Form(
    mark("name, then the lines of the card, which count singers by category, sex, stars or favourite role"),
    show_director,
    read_director,
    "The Baker; +1 per category:cla; -2 at_least 3 stars:1; -4 fewer_than 1 sex:U; table women -3 -2 -1 4 5 5 5",
)
EACH = SINGERS // CATEGORIES

SECTIONS = (
    Section(
        mark("The categories"),
        mark("The six signs on the singers' cards. The short word before each is how the other answers call it."),
        tuple(Question(mark("Category {id}"), ("categories", key), NAME, {"id": key}) for key in BOX["categories"]),
    ),
    *(
        Section(
            mark("Six singers"),
            mark("Any six cards of one category. Each category has six singers."),
            tuple(
                Question(mark("Singer {number}"), ("singers", i), SINGER, {"number": i + 1}) for i in range(first, first + EACH)
            ),
        )
        for first in range(0, SINGERS, EACH)
    ),
    Section(
        mark("The directors"),
        mark("The nine directors' cards, each with its points."),
        tuple(
            Question(mark("Director {number}"), ("directors", i), DIRECTOR, {"number": i + 1})
            for i in range(len(BOX["directors"]))
        ),
    ),
)
