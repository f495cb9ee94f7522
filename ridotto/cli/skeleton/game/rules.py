"""The rules, in the order of the rulebook, as functions over one row of small integers.

A row `s` is a list of numbers. What they mean is declared below, once; `s[F.total]` is the number called `total`. The functions
are compiled for bots and learners, so they keep to integers, and never raise, slice or make lists.
"""

# mypy: no-warn-return-any

from __future__ import annotations

from ridotto.engine.build import compiled
from ridotto.engine.dice import allow, clear, draw, emit
from ridotto.engine.fields import (
    NUMBER,
    Action,
    Actions,
    Arg,
    Codes,
    Dice,
    Event,
    EventCodes,
    Events,
    Field,
    Fields,
    Kind,
    Mask,
    Named,
    Option,
    Row,
    Seat,
    seats_kind,
)

from .components import GOAL, STEP

VERSION = 1
SEATS = (2, 2)

# Kinds: what a number can stand for.
SEAT = seats_kind(2)
NUMBERS = Kind("step", tuple(str(number + 1) for number in range(STEP)))

# What can be agreed before the match: name, §, meaning, lowest, highest, default.
OPTIONS = (Option("goal", "2.1", "the number to be reached", STEP + 1, 100, GOAL),)

# How a match can end.
ENDINGS = Codes.of("Endings", Named("reached", "4.1", "the goal was reached"))
END = ENDINGS.codes

# The row: the options come first by themselves, then these. A field that not everybody may know has an `audience`.
FIELDS = Fields.of(
    VERSION,
    SEATS,
    OPTIONS,
    Field("turn", SEAT, "seat to act"),
    Field("total", NUMBER, "the number counted to", high=100),
    Field("ending", NUMBER, "how the match ended, 0 while it goes on", high=len(ENDINGS)),
)
F = FIELDS.F
QUESTION, ROUND = -1, -1

# What can be done, what can happen, why not, what counts, and what must never be.
ACTIONS = Actions.of(Action("add", "3.1", "add a number to the total", (NUMBERS,)))
A = ACTIONS.A
EVENTS = EventCodes.of(
    Event("begins", "2.2", "a seat begins", (Arg("seat", SEAT),)),
    Event("adds", "3.1", "a seat adds a number", (Arg("seat", SEAT), Arg("number", NUMBER), Arg("total", NUMBER))),
)
E = EVENTS.E
REASONS = Codes.of("Reasons", Named("over", "4.1"), Named("wait", "3.1"), Named("too_far", "3.1"))
R = REASONS.codes
PARTS = Codes.of("Parts", Named("win", "4.1", "1 for the winner"))
FAULTS = Codes.of("Faults", Named("total", "3.1", "the total is beyond the goal, or the match should be over"))
BROKEN = FAULTS.codes


# The table of contents.


@compiled
def apply(s: Row, seat: Seat, action: int, dice: Dice, events: Events) -> None:
    """Do a legal action."""
    add(s, seat, action - A.add + 1, events)


@compiled
def refuses(s: Row, seat: Seat, action: int) -> int:
    """The reason why an action is refused, or 0."""
    if s[F.ending] != 0:
        return R.over
    if s[F.turn] != seat:
        return R.wait
    return may_add(s, action - A.add + 1)


@compiled
def legal(s: Row, seat: Seat, mask: Mask) -> None:
    """All that a seat may do now: exactly what `refuses` lets through, written on its own because it is asked so often."""
    clear(mask)
    if to_act(s) == 1 << seat:
        allow(mask, A.add, (1 << min(STEP, s[F.goal] - s[F.total])) - 1)


# §2.1 The goal.


@compiled
def deal(s: Row, seats: int, options: Row, dice: Dice, events: Events) -> None:
    """The count begins at 0; the goal was agreed."""
    s[F.version] = VERSION
    s[F.seats] = seats
    s[F.goal] = options[0]

    # §2.2 Who begins. Chance decides.
    s[F.turn] = draw(dice, 2)
    emit(events, E.begins, s[F.turn])


# §3.1 Adding.


@compiled
def to_act(s: Row) -> int:
    """The seats that owe a decision, one bit each."""
    if s[F.ending] != 0:
        return 0
    return 1 << s[F.turn]


@compiled
def may_add(s: Row, number: int) -> int:
    """Nobody may go beyond the goal."""
    if s[F.total] + number > s[F.goal]:
        return R.too_far
    return 0


@compiled
def add(s: Row, seat: Seat, number: int, events: Events) -> None:
    """The total grows, and it is the other's turn."""
    s[F.total] = s[F.total] + number
    emit(events, E.adds, seat, number, s[F.total])
    if s[F.total] == s[F.goal]:
        s[F.ending] = END.reached
    else:
        s[F.turn] = 1 - seat


# §4.1 The winner.


@compiled
def ending(s: Row) -> int:
    """The ending, or 0 while the match goes on."""
    return s[F.ending]


@compiled
def winners(s: Row) -> int:
    """The seats that have reached the goal, one bit each."""
    if s[F.ending] == 0:
        return 0
    return 1 << s[F.turn]


@compiled
def score(s: Row, seat: Seat, parts: Row) -> int:
    """1 for the winner."""
    parts[0] = winners(s) >> seat & 1
    return parts[0]


# §4.2 Giving up. Anybody may, at any time; the other has won. The referee sees to it.


# What a seat cannot know, and what must always hold.


@compiled
def redeal(s: Row, seat: Seat, dice: Dice) -> None:
    """Nothing is hidden here. A game with secrets draws by chance whatever is HIDDEN in the row."""


@compiled
def check(s: Row) -> int:
    """Every broken invariant, one bit each: tests and `ridotto check` ask after every step."""
    if s[F.total] > s[F.goal] or (s[F.total] == s[F.goal]) != (s[F.ending] != 0):
        return 1 << BROKEN.total
    return 0
