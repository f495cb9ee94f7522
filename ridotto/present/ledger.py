"""Ledgers: rounds and players of a match as a table, each cell with the entry in which it happened.

A game's `ui/ledger.py` has a subclass of `Ledger` with this name. It uses the events that the reader has seen, nothing else.

>>> listed([Mark("Verdi", 12), Mark("Mozart", 14)])
Mark(text='Verdi, Mozart', ply=12)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from ridotto.core.view import Seen
from ridotto.present.words import Words

if TYPE_CHECKING:
    from ridotto.core.view import View

WordsT = TypeVar("WordsT", bound=Words)


class Mark(NamedTuple):
    """What stands in a cell, and the entry to which it leads; -1 for none."""

    text: str
    ply: int = -1


class Line(NamedTuple):
    """A line of a round: its title, and a cell for each player; a single cell is about all of them."""

    title: str
    cells: Sequence[Mark]


class Chapter(NamedTuple):
    """A round, or something about the whole match."""

    title: str
    lines: Sequence[Line]


class Ledger(Generic[WordsT]):
    """`ui/ledger.py`: the rounds of a match as a table."""

    def chapters(self, view: View, words: WordsT) -> Sequence[Chapter]:
        """The rounds, the first one first, and what can be said about the whole match; none: there is no ledger."""
        return ()


def by_round(view: View, words: Words) -> list[tuple[str, list[Seen]]]:
    """The events that were not taken back by rounds, each with its title; those before the first round are left out."""
    rounds: list[tuple[str, list[Seen]]] = []
    for one in [*view.in_effect()][::-1]:
        if one.event.begins_round:
            rounds.append((words.say("Round {round}", round=one.values["round"]), []))
        if rounds:
            rounds[-1][1].append(one)
    return rounds


def listed(marks: Sequence[Mark]) -> Mark:
    """Several marks as one, which leads to the first of them."""
    return Mark(", ".join(one.text for one in marks), marks[0].ply) if marks else Mark("")
