"""Questions to an owner of Opera, about the box: its parts, its places for figures, its house composers."""

from __future__ import annotations

from typing import Any

from ridotto.games.opera.components import BOX, PART_NAMES, faults_of
from ridotto.present.narrator import mark
from ridotto.present.owner import TEXT, Form, Question, Section, number

__all__ = ["SECTIONS", "faults_of"]

COLOURS = (mark("red"), mark("blue"), mark("yellow"), mark("green"))


def show_parts(parts: list[dict[str, Any]]) -> str:
    """The parts of a city as a text.

    >>> show_parts([{"name": "main", "halls": 2, "copies": [2, 2, 3]}, {"name": "wing", "halls": 2, "copies": [1, 2, 3]}])
    '2: 2 2 3; 2: 1 2 3'
    """
    return "; ".join(f"{part['halls']}: {' '.join(map(str, part['copies']))}" for part in parts)


def read_parts(text: str, _: Any) -> list[dict[str, Any]]:
    """The parts of a city from a text, the main first.

    >>> read_parts("1: 2 3 4", None)
    [{'name': 'main', 'halls': 1, 'copies': [2, 3, 4]}]
    """
    parts = []
    for name, part in zip(PART_NAMES, text.split(";"), strict=False):
        halls, copies = part.split(":")
        two, three, four = map(int, copies.split())
        parts.append({"name": name, "halls": int(halls), "copies": [two, three, four]})
    if len(parts) != len(text.split(";")):
        raise ValueError(text)
    return parts


PARTS = Form(
    mark("for each part, the main first, its halls and the copies with 2, 3 and 4 players"),
    show_parts,
    read_parts,
    "2: 2 2 3; 2: 1 2 3",
)

SECTIONS = (
    Section(
        mark("The building parts"),
        mark("The pawns on the back of a part say how many players it needs. There are 38 parts in all."),
        tuple(
            Question(mark("Parts of {city}"), ("cities", i, "parts"), PARTS, {"city": city["name"].capitalize()})
            for i, city in enumerate(BOX["cities"])
        ),
    ),
    Section(
        mark("The places for figures"),
        mark("Each city on the board has one place or two where the Maestro, the Critico and the Esperto can stand."),
        tuple(
            Question(mark("Places in {city}"), ("cities", i, "standing"), number(1, 2), {"city": city["name"].capitalize()})
            for i, city in enumerate(BOX["cities"])
        ),
    ),
    Section(
        mark("The house composers"),
        mark("Each player has one piece by a composer of their own. Their names are on these four pieces."),
        tuple(
            Question(mark("House composer of {colour}"), ("house_composers", i), TEXT, {"colour": colour})
            for i, colour in enumerate(COLOURS)
        ),
    ),
)
