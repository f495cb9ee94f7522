"""What a player of the raffle looks at: nothing, but who has won."""

from __future__ import annotations

from typing import Any

from ridotto.engine.build import Build, compiled
from ridotto.engine.dice import count_legal, draw, nth_legal, ones
from ridotto.engine.fields import HIDDEN, Dice, Events, Mask, Row, Seat
from toygame.rules import NONE, F, winners


@compiled
def policy(s: Row, seat: Seat, mask: Mask, dice: Dice, events: Events, scratch: Row) -> int:
    """Any legal action."""
    return nth_legal(mask, draw(dice, count_legal(mask)))


@compiled
def value(s: Row, values: Row, scratch: Row) -> bool:
    """Only the end is judged, by who has won."""
    won = winners(s)
    for seat in range(s[F.seats]):
        values[seat] = 10_000 // ones(won) if won >> seat & 1 else 0
    over: bool = s[F.ending] != 0
    return over


@compiled
def recall(s: Row, seat: Seat) -> None:
    """Bids that are in and not shown are made again."""
    for other in range(s[F.seats]):
        if other != seat and s[F.bid + other] == HIDDEN:
            s[F.bid + other] = NONE
            if s[F.winner] == NONE:
                s[F.owes] = s[F.owes] | 1 << other


@compiled
def plausible(s: Row, belief: Row) -> int:
    """Any world, for everybody plays at random."""
    return 256


def believe(build: Build, view: Any) -> list[int]:
    """Nothing is learnt from random play."""
    return []
