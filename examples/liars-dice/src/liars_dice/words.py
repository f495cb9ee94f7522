"""The raffle in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from liars_dice import rules
from ridotto.engine.fields import HIDDEN, Seat


def label(row: Sequence[int], seat: Seat, action: int) -> str:
    """An action as a button would name it."""
    return str(rules.ACTIONS.notation(action))


def sentence(name: str, seen: Mapping[str, int]) -> str:
    """An event as a line of the log."""
    return " ".join([name, *("?" if value == HIDDEN else str(value) for value in seen.values())])


def because(name: str, row: Sequence[int], seat: Seat, action: int) -> str:
    """A reason as a sentence."""
    sentences = {
        "over": "the match is over",
        "wait": "another seat is to act",
        "not_asked": "something else is asked",
        "spent": "the token was played before",
    }
    return sentences[name]


def question(row: Sequence[int], seat: Seat) -> str:
    """What is wanted of a seat."""
    return "Bid a token." if row[rules.F.winner] == rules.NONE else "Take the prize or leave it."
