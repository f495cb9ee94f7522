"""The bot of a game that has no `ai/bot.py`: it chooses at random, and judges a match by who has won.

A search with it is sound but weak: every playout goes to the end of the match. A game with hidden simultaneous choices gains
more from an `ai/bot.py` of its own: `recall` here cannot know which fields hold such a choice and does nothing, so that the
search assumes that rivals who have already chosen did so at random.

A `ai/bot.py` has all five functions. One that has only some of them to say anything about takes the others from here:
`from ridotto.engine.plain_bot import value, recall, plausible, believe`.
"""

from __future__ import annotations

from typing import Any

from ridotto.engine.build import Build, compiled
from ridotto.engine.contract import rules
from ridotto.engine.dice import count_legal, draw, nth_legal, ones
from ridotto.engine.fields import Dice, Events, Mask, Row, Seat

MOST_SEATS = rules.FIELDS[1].top
"""The most seats."""
SURE = 10_000
"""A certain win."""
LIKELY = 256
"""The plausibility of one."""


@compiled
def policy(s: Row, seat: Seat, mask: Mask, dice: Dice, events: Events, scratch: Row) -> int:
    """Choose any legal action, each with the same probability."""
    return nth_legal(mask, draw(dice, count_legal(mask)))


@compiled
def value(s: Row, values: Row, scratch: Row) -> bool:
    """Judge a match when it is over: the winners share the win."""
    if rules.ending(s) == 0:
        return False
    won = rules.winners(s)
    for seat in range(MOST_SEATS):
        values[seat] = SURE // ones(won) if won >> seat & 1 else 0
    return True


@compiled
def recall(s: Row, seat: Seat) -> None:
    """Take nothing back."""


@compiled
def plausible(s: Row, belief: Row) -> int:
    """All worlds are equally plausible."""
    return LIKELY


def believe(build: Build, view: Any) -> list[int]:
    """No conclusions from the actions of others."""
    return []
