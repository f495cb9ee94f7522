"""What the game's own bot would do, at many tables at once: for learners that begin by imitating it."""

from __future__ import annotations

from ridotto.engine.build import compiled
from ridotto.engine.contract import policy
from ridotto.engine.fields import Dice, Events, Mask, Row


@compiled
def advise_tables(
    masked: list[Row],
    acting: Row,
    masks: list[Mask],
    dice: list[Dice],
    events: Events,
    scratch: Row,
    out: Row,
    first: int,
    last: int,
) -> None:
    """The bot's choice for the seat to act at the tables `first` to `last` - 1, by what that seat may know."""
    for i in range(first, last):
        out[i] = policy(masked[i], acting[i], masks[i], dice[i], events, scratch)
