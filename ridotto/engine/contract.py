"""The contract of a game: the functions that every `rules.py` has, over a row of small integers.

The machinery imports these names. In a build they are the functions of that build's own game; here they only say
what must hold. Nothing in them allocates, raises, slices, recurses, or knows of people, text or time.
"""

from __future__ import annotations

from typing import Any, NoReturn

from ridotto.engine.build import Build
from ridotto.engine.fields import Actions, Dice, Events, Fields, Mask, Row, Seat


def deal(s: Row, seats: int, options: Row, dice: Dice, events: Events) -> None:
    """Lay out the table in an empty row."""
    _unbuilt()


def to_act(s: Row) -> int:
    """Which seats owe a decision now, one bit each; several where choices are simultaneous; 0 when the match is over."""
    _unbuilt()


def legal(s: Row, seat: Seat, mask: Mask) -> None:
    """Fill the mask with that seat's legal actions: exactly those that `refuses` lets through."""
    _unbuilt()


def refuses(s: Row, seat: Seat, action: int) -> int:
    """0 if the action is allowed, else the number of a reason."""
    _unbuilt()


def apply(s: Row, seat: Seat, action: int, dice: Dice, events: Events) -> None:
    """Do a legal action. Trusts its caller. A simultaneous choice tells nothing until the last one is in."""
    _unbuilt()


def ending(s: Row) -> int:
    """0 while the match goes on, else the number of the ending."""
    _unbuilt()


def score(s: Row, seat: Seat, parts: Row) -> int:
    """A seat's score; its parts go into `parts`."""
    _unbuilt()


def winners(s: Row) -> int:
    """Who has won, one bit a seat; several share a victory, and nobody may win."""
    _unbuilt()


def redeal(s: Row, seat: Seat, dice: Dice) -> None:
    """Fill a masked row (seat -1: a spectator's): what the seat cannot know is drawn by chance alone, given what it saw."""
    _unbuilt()


def check(s: Row) -> int:
    """Every broken invariant at once, one bit a fault."""
    _unbuilt()


def policy(s: Row, seat: Seat, mask: Mask, dice: Dice, events: Events, scratch: Row) -> int:
    """In `bot.py`: what a sensible player would do out of the legal `mask`, going by what that seat may know alone.

    The row may be masked. `scratch` is a spare row to try things on, `events` a muted list to hand on.
    """
    _unbuilt()


def value(s: Row, values: Row, scratch: Row) -> bool:
    """In `bot.py`: whether this is a place to judge a match at, such as the start of a round; what each seat may hope for.

    The hopes go into `values`, in parts of 10,000 that are a certain win. The row is not masked. A match that is over
    is judged as well: by its scores, where a narrow win is worth less than a high one.
    """
    _unbuilt()


def recall(s: Row, seat: Seat) -> None:
    """In `bot.py`: take back, in a masked row, what others have chosen at the same time as `seat` (-1: all) and not shown.

    Whose choice came in first tells nothing: so a search lets them choose anew, rather than guess.
    """
    _unbuilt()


def plausible(s: Row, belief: Row) -> int:
    """In `bot.py`: how well a world fits what others were seen to do, in parts of 256, by what `believe` made of that."""
    _unbuilt()


def believe(build: Build, view: Any) -> list[int]:
    """In `bot.py`, not compiled: what others were seen to do, by a View's `row` and `seen` alone, made ready for `plausible`.

    None instead of a view: nothing is made of it.
    """
    _unbuilt()


FIELDS = Fields.of(1, (1, 1), ())
ACTIONS = Actions.of()
QUESTION = -1
"""Where in a row stands what is being asked; -1 if the game has no such field. A GPU groups its rows by it."""
ROUND = -1
"""Where in a row stands the round being played; -1 if the game has none. Replays and reviews are divided by it."""


def _unbuilt() -> NoReturn:
    raise RuntimeError("the contract is filled in by a build: ridotto.engine.build.build(PACKAGE)")
