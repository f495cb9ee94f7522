"""Matching pennies: both choose heads or tails at once; equal coins are seat 0's, different ones seat 1's."""

# mypy: no-warn-return-any

from __future__ import annotations

from ridotto.engine.build import compiled
from ridotto.engine.dice import allow, clear, draw, emit
from ridotto.engine.fields import (
    HIDDEN,
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
    set_of,
)

VERSION = 1
SEATS = (2, 2)
NONE = -1
SEAT = seats_kind(2)
COIN = Kind("coin", ("heads", "tails"))
OPTIONS: tuple[Option, ...] = ()

ENDINGS = Codes.of("Endings", Named("shown", "1", "both coins are shown"))
FIELDS = Fields.of(
    VERSION,
    SEATS,
    OPTIONS,
    Field("owes", set_of(SEAT), "seats that still owe a choice"),
    Field("ending", NUMBER, "how the match ended, 0 while it goes on", high=len(ENDINGS)),
    Field("coin", COIN, "what each seat has chosen", of=(SEAT,), low=NONE, audience="owner"),
)
F = FIELDS.F
QUESTION, ROUND = -1, -1
ACTIONS = Actions.of(Action("choose", "1", "choose a side", (COIN,), audience="owner"))
A = ACTIONS.A
EVENTS = EventCodes.of(Event("shows", "1", "a coin is shown", (Arg("seat", SEAT), Arg("coin", COIN))))
E = EVENTS.E
REASONS = Codes.of("Reasons", Named("over", "1"), Named("wait", "1"))
R = REASONS.codes
PARTS = Codes.of("Parts", Named("win", "1", "1 for the winner"))
FAULTS = Codes.of("Faults", Named("coins", "1", "a coin was chosen twice, or not at all"))


@compiled
def deal(s: Row, seats: int, options: Row, dice: Dice, events: Events) -> None:
    """Nobody has chosen."""
    s[F.version] = VERSION
    s[F.seats] = seats
    s[F.owes] = 3
    s[F.coin] = NONE
    s[F.coin + 1] = NONE


@compiled
def to_act(s: Row) -> int:
    """Everybody who has not chosen."""
    return s[F.owes]


@compiled
def legal(s: Row, seat: Seat, mask: Mask) -> None:
    """Heads and tails."""
    clear(mask)
    if s[F.owes] >> seat & 1:
        allow(mask, A.choose, 3)


@compiled
def refuses(s: Row, seat: Seat, action: int) -> int:
    """Why a choice is not allowed, or 0."""
    if s[F.ending] != 0:
        return R.over
    return 0 if s[F.owes] >> seat & 1 else R.wait


@compiled
def apply(s: Row, seat: Seat, action: int, dice: Dice, events: Events) -> None:
    """The choice stays hidden until both are in."""
    s[F.coin + seat] = action
    s[F.owes] = s[F.owes] & ~(1 << seat)
    if s[F.owes] == 0:
        emit(events, E.shows, 0, s[F.coin])
        emit(events, E.shows, 1, s[F.coin + 1])
        s[F.ending] = 1


@compiled
def ending(s: Row) -> int:
    """How the match ended."""
    return s[F.ending]


@compiled
def winners(s: Row) -> int:
    """Equal coins are seat 0's."""
    if s[F.ending] == 0:
        return 0
    return 1 if s[F.coin] == s[F.coin + 1] else 2


@compiled
def score(s: Row, seat: Seat, parts: Row) -> int:
    """One for the winner."""
    parts[0] = winners(s) >> seat & 1
    return parts[0]


@compiled
def redeal(s: Row, seat: Seat, dice: Dice) -> None:
    """Whoever has chosen may have chosen either."""
    for other in range(2):
        if s[F.coin + other] == HIDDEN:
            s[F.coin + other] = NONE if s[F.owes] >> other & 1 else draw(dice, 2)


@compiled
def check(s: Row) -> int:
    """A coin for everybody who owes none."""
    for seat in range(2):
        if (s[F.coin + seat] == NONE) != (s[F.owes] >> seat & 1 == 1):
            return 2
    return 0
