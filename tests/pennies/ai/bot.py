"""Random play; a choice that is in and not shown is made anew."""

from __future__ import annotations

from typing import Any

from pennies.rules import NONE, F, winners
from ridotto.engine.build import Build, compiled
from ridotto.engine.dice import count_legal, draw, nth_legal
from ridotto.engine.fields import HIDDEN, Dice, Events, Mask, Row, Seat


@compiled
def policy(s: Row, seat: Seat, mask: Mask, dice: Dice, events: Events, scratch: Row) -> int:
    """Any legal action."""
    return nth_legal(mask, draw(dice, count_legal(mask)))


@compiled
def value(s: Row, values: Row, scratch: Row) -> bool:
    """Only the end is judged."""
    for seat in range(2):
        values[seat] = 10_000 * (winners(s) >> seat & 1)
    over: bool = s[F.ending] != 0
    return over


@compiled
def recall(s: Row, seat: Seat) -> None:
    """Others choose again."""
    for other in range(2):
        if other != seat and s[F.coin + other] == HIDDEN and s[F.ending] == 0:
            s[F.coin + other] = NONE
            s[F.owes] = s[F.owes] | 1 << other


@compiled
def plausible(s: Row, belief: Row) -> int:
    """Any world."""
    return 256


def believe(build: Build, view: Any) -> list[int]:
    """Nothing is learnt."""
    return []
