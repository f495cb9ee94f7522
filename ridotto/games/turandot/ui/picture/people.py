"""Who sits at the table, as a picture calls them, and the marks of the last move."""

from __future__ import annotations

from collections.abc import Set
from typing import NamedTuple, TypeAlias

from ridotto.core.view import View
from ridotto.games.turandot.components import SINGERS
from ridotto.games.turandot.ui.words import Words
from ridotto.present.kit import drawing


class Person(NamedTuple):
    """A player, as a picture calls them."""

    name: str
    letter: str
    is_named: bool
    """Whether the name is their own, not what the game calls the seat."""


@drawing
def people(words: Words, seats: int) -> tuple[Person, ...]:
    """The players of all seats."""
    return tuple(Person(words.player(seat), words.letter(seat), bool(words.narrator.name(seat, ""))) for seat in range(seats))


Touched: TypeAlias = Set[tuple[str, int]]
"""Cards, directors and seats, each after what was done with it."""


def touched(view: View) -> Touched:
    """What the last move touched, to be traced."""
    touched: set[tuple[str, int]] = set()
    for one in view.latest():
        name, values = one.event.name, one.values
        if "card" in values and name not in ("presents", "offers"):
            touched.add(("card", values["card"]))
        elif name == "strikes":
            touched.add(("card", SINGERS + values["director"]))
        elif name == "lays":
            touched.add(("laid", values["seat"]))
        elif name == "names":
            touched.add(("named", values["other"]))
    return touched
