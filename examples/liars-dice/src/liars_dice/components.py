"""The dice as constants that the rules look up."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any

from ridotto.engine.build import box, constants
from ridotto.engine.errors import BadBox

BOX: dict[str, Any] = box(__file__)


def faults_of(data: dict[str, Any]) -> list[str]:
    """Everything that keeps a box from being played with these rules."""
    bounds = {"dice": range(1, 6), "sides": range(2, 7)}
    return [
        f"{name} must be a whole number {numbers[0]} to {numbers[-1]}"
        for name, numbers in bounds.items()
        if type(data.get(name)) is not int or data[name] not in numbers
    ]


if faults := faults_of(BOX):
    raise BadBox("this box cannot be played: " + "; ".join(faults))

DICE: int = BOX["dice"]
SIDES: int = BOX["sides"]

_hands = [hand for size in range(DICE + 1) for hand in combinations_with_replacement(range(SIDES), size)]
_number = {hand: number for number, hand in enumerate(_hands)}

HANDS: tuple[str, ...] = tuple("".join(str(face + 1) for face in hand) or "none" for hand in _hands)
"""Everything that can lie under a cup, lowest die first: "none", "1", …, "1146", …"""
ADDED = constants([_number.get(tuple(sorted((*hand, face))), 0) for hand in _hands for face in range(SIDES)])
"""The hand with one more die: index hand * SIDES + face."""
