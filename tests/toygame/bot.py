"""What a player of the raffle looks at: nothing."""

from __future__ import annotations

from ridotto.dice import count_legal, draw, nth_legal
from ridotto.kernel import Dice, Events, Mask, Row, Seat, compiled


@compiled
def policy(s: Row, seat: Seat, mask: Mask, dice: Dice, events: Events, scratch: Row) -> int:
    """Any legal action."""
    return nth_legal(mask, draw(dice, count_legal(mask)))
