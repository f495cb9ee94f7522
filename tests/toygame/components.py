"""The box of the raffle as tables the rules can index."""

from __future__ import annotations

from typing import Any

from ridotto.engine.build import box, constants
from ridotto.engine.errors import BadBox

BOX: dict[str, Any] = box(__file__)


def faults_of(data: dict[str, Any]) -> list[str]:
    """Everything that keeps a box from being played with these rules."""
    faults = []
    cards, tokens = data.get("cards"), data.get("tokens")
    if not isinstance(cards, list) or not 7 <= len(cards) <= 15 or not all(type(c) is int and 1 <= c <= 99 for c in cards):
        faults.append("cards must be 7 to 15 whole numbers 1 to 99")
    if type(tokens) is not int or not 3 <= tokens <= 8:
        faults.append("tokens must be a whole number 3 to 8")
    return faults


if faults := faults_of(BOX):
    raise BadBox("this box cannot be played: " + "; ".join(faults))

CARDS: int = len(BOX["cards"])
TOKENS: int = BOX["tokens"]
TOTAL: int = sum(BOX["cards"])
WORTH = constants(BOX["cards"])
