"""The raffle, a game for testing: two or three seats bid in secret for a few prizes, one after the other.

It has what Le Fantôme has not: choices made at once, a pile that nobody may look into, a card that nobody ever sees,
a hand for each seat, a purse to be remembered, more than two seats, shared wins, and matches that nobody wins.
"""

# mypy: no-warn-return-any

from __future__ import annotations

from ridotto.engine.build import compiled
from ridotto.engine.dice import allow, clear, draw_from, emit, ones
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
from toygame.components import CARDS, TOKENS, TOTAL, WORTH

VERSION = 1
SEATS = (2, 3)
MOST = 3
NONE = -1
EVERY_CARD = (1 << CARDS) - 1
EVERY_TOKEN = (1 << TOKENS) - 1
HAND_COUNTS = 1
"""How often the card in the hand counts at the end."""

SEAT = seats_kind(MOST)
CARD = Kind("card", tuple(f"card{card}" for card in range(CARDS)))
TOKEN = Kind("token", tuple(str(token) for token in range(TOKENS)))

OPTIONS = (Option("rounds", "1", "prizes to be won", 1, 3, 2),)

ENDINGS = Codes.of(
    "Endings",
    Named("alone", "4", "one seat has the most"),
    Named("shared", "4", "several seats have the most"),
    Named("nobody", "4", "no prize was taken"),
)
END = ENDINGS.codes

FIELDS = Fields.of(
    VERSION,
    SEATS,
    OPTIONS,
    Field("round", NUMBER, "prize being bid for", low=1, high=3),
    Field("owes", set_of(SEAT), "seats that still owe a bid"),
    Field("winner", SEAT, "seat that may take the prize", low=NONE),
    Field("prize", CARD, "prize being bid for"),
    Field("gone", set_of(CARD), "prizes turned up so far"),
    Field("spent", set_of(TOKEN), "tokens each seat has played", of=(SEAT,)),
    Field("purse", NUMBER, "worth of the prizes each seat has taken", of=(SEAT,), high=TOTAL, audience="remembered"),
    Field("ending", NUMBER, "how the match ended, 0 while it goes on", high=len(ENDINGS)),
    Field("bid", TOKEN, "token each seat has chosen", of=(SEAT,), low=NONE, audience="owner"),
    Field("hand", CARD, "card each seat was dealt", of=(SEAT,), low=NONE, audience="owner"),
    Field("aside", CARD, "card laid aside unseen", audience="nobody"),
    Field("pile", set_of(CARD), "cards not drawn", audience="nobody"),
)
F = FIELDS.F
QUESTION, ROUND = -1, F.round

ACTIONS = Actions.of(
    Action("bid", "2", "choose a token", (TOKEN,), audience="owner"),
    Action("take", "3", "take the prize"),
    Action("leave", "3", "leave the prize"),
)
A = ACTIONS.A
# A family ends where the next begins: `apply`, `refuses` and `legal` go by this order.
assert " ".join(A._fields) == "bid take leave"

EVENTS = EventCodes.of(
    Event("aside", "1", "a card is laid aside", (Arg("card", CARD, "nobody"),)),
    Event("dealt", "1", "a seat is dealt a card", (Arg("seat", SEAT), Arg("card", CARD, "owner"))),
    Event("prize", "2", "a prize is turned up", (Arg("round", NUMBER), Arg("card", CARD))),
    Event("bids", "2", "a bid is shown", (Arg("seat", SEAT), Arg("token", TOKEN))),
    Event("tied", "2", "nobody bid more than all others"),
    Event("takes", "3", "a seat takes the prize", (Arg("seat", SEAT), Arg("card", CARD))),
    Event("leaves", "3", "a seat leaves the prize", (Arg("seat", SEAT),)),
    Event("shows", "4", "a hand is shown", (Arg("seat", SEAT), Arg("card", CARD))),
)
E = EVENTS.E

REASONS = Codes.of("Reasons", Named("over", "4"), Named("wait", "2"), Named("not_asked", "3"), Named("spent", "2"))
R = REASONS.codes

PARTS = Codes.of("Parts", Named("prizes", "4", "worth of the prizes"), Named("hand", "4", "worth of the hand"))

FAULTS = Codes.of(
    "Faults",
    Named("cards", "1", "a card lies in two places, or in none"),
    Named("seats", "1", "someone who does not sit here has something"),
    Named("bids", "2", "bids do not fit who still owes one"),
    Named("spent", "2", "tokens played do not fit the round"),
    Named("ending", "4", "the ending does not fit the prizes"),
)
BROKEN = FAULTS.codes


@compiled
def apply(s: Row, seat: Seat, action: int, dice: Dice, events: Events) -> None:
    """Do a legal action."""
    if action < A.take:
        bid(s, seat, action - A.bid, dice, events)
    elif action == A.take:
        take(s, seat, dice, events)
    else:
        leave(s, seat, dice, events)


@compiled
def refuses(s: Row, seat: Seat, action: int) -> int:
    """Why an action is not allowed, or 0."""
    if s[F.ending] != 0:
        return R.over
    if not to_act(s) >> seat & 1:
        return R.wait
    if action < A.take:
        return may_bid(s, seat, action - A.bid)
    return may_choose(s)


@compiled
def legal(s: Row, seat: Seat, mask: Mask) -> None:
    """All that a seat may do now."""
    clear(mask)
    if not to_act(s) >> seat & 1:
        return
    if s[F.winner] == NONE:
        allow(mask, A.bid, EVERY_TOKEN & ~s[F.spent + seat])
    else:
        allow(mask, A.take, 3)


# §1 Setting up.


@compiled
def deal(s: Row, seats: int, options: Row, dice: Dice, events: Events) -> None:
    """A card is laid aside, each seat gets one, and the first prize is turned up."""
    s[F.version] = VERSION
    s[F.seats] = seats
    s[F.rounds] = options[0]
    s[F.pile] = EVERY_CARD
    s[F.winner] = NONE
    s[F.aside] = draw_card(s, dice)
    emit(events, E.aside, s[F.aside])
    for seat in range(MOST):
        s[F.bid + seat] = NONE
        s[F.hand + seat] = NONE
        if seat < seats:
            s[F.hand + seat] = draw_card(s, dice)
            emit(events, E.dealt, seat, s[F.hand + seat])
    s[F.round] = 1
    open_round(s, dice, events)


@compiled
def draw_card(s: Row, dice: Dice) -> int:
    """A card leaves the pile."""
    card = draw_from(dice, s[F.pile])
    s[F.pile] = s[F.pile] & ~(1 << card)
    return card


# §2 Bidding.


@compiled
def open_round(s: Row, dice: Dice, events: Events) -> None:
    """A prize is turned up, and everybody owes a bid."""
    s[F.prize] = draw_card(s, dice)
    s[F.gone] = s[F.gone] | 1 << s[F.prize]
    s[F.owes] = (1 << s[F.seats]) - 1
    emit(events, E.prize, s[F.round], s[F.prize])


@compiled
def to_act(s: Row) -> int:
    """Everybody who owes a bid, then the one who bid most."""
    if s[F.ending] != 0:
        return 0
    if s[F.winner] != NONE:
        return 1 << s[F.winner]
    return s[F.owes]


@compiled
def may_bid(s: Row, seat: Seat, token: int) -> int:
    """A token is played once in a match."""
    if s[F.winner] != NONE:
        return R.not_asked
    if s[F.spent + seat] >> token & 1:
        return R.spent
    return 0


@compiled
def bid(s: Row, seat: Seat, token: int, dice: Dice, events: Events) -> None:
    """Bids stay hidden until the last one is in."""
    s[F.bid + seat] = token
    s[F.owes] = s[F.owes] & ~(1 << seat)
    if s[F.owes] == 0:
        reveal(s, dice, events)


@compiled
def reveal(s: Row, dice: Dice, events: Events) -> None:
    """Whoever bid more than all others may take the prize."""
    most = NONE
    for seat in range(s[F.seats]):
        token = s[F.bid + seat]
        emit(events, E.bids, seat, token)
        s[F.spent + seat] = s[F.spent + seat] | 1 << token
        s[F.bid + seat] = NONE
        if token > most:
            most = token
            s[F.winner] = seat
        elif token == most:
            s[F.winner] = NONE
    if s[F.winner] == NONE:
        emit(events, E.tied)
        close_round(s, dice, events)


# §3 The prize.


@compiled
def may_choose(s: Row) -> int:
    """The one who bid most is asked."""
    if s[F.winner] == NONE:
        return R.not_asked
    return 0


@compiled
def take(s: Row, seat: Seat, dice: Dice, events: Events) -> None:
    """The prize is worth what it says."""
    s[F.purse + seat] = s[F.purse + seat] + WORTH[s[F.prize]]
    emit(events, E.takes, seat, s[F.prize])
    close_round(s, dice, events)


@compiled
def leave(s: Row, seat: Seat, dice: Dice, events: Events) -> None:
    """Nobody gets it."""
    emit(events, E.leaves, seat)
    close_round(s, dice, events)


@compiled
def close_round(s: Row, dice: Dice, events: Events) -> None:
    """The next prize, or the end."""
    s[F.winner] = NONE
    if s[F.round] == s[F.rounds]:
        end(s, events)
    else:
        s[F.round] = s[F.round] + 1
        open_round(s, dice, events)


# §4 The end.


@compiled
def end(s: Row, events: Events) -> None:
    """Hands are shown and count; the most wins, if any prize was taken at all."""
    for seat in range(s[F.seats]):
        emit(events, E.shows, seat, s[F.hand + seat])
    s[F.ending] = verdict(s)


@compiled
def verdict(s: Row) -> int:
    """How a match with these prizes ends."""
    sharing = ones(richest(s))
    if sharing == 0:
        return END.nobody
    return END.alone if sharing == 1 else END.shared


@compiled
def total(s: Row, seat: Seat) -> int:
    """Prizes and hand."""
    return s[F.purse + seat] + HAND_COUNTS * WORTH[s[F.hand + seat]]


@compiled
def richest(s: Row) -> int:
    """The seats with the most, none if no prize was taken."""
    best = 0
    taken = 0
    who = 0
    for seat in range(s[F.seats]):
        taken += s[F.purse + seat]
        if total(s, seat) > best:
            best = total(s, seat)
            who = 0
        if total(s, seat) == best:
            who |= 1 << seat
    return who if taken > 0 else 0


@compiled
def ending(s: Row) -> int:
    """How the match ended."""
    return s[F.ending]


@compiled
def winners(s: Row) -> int:
    """The richest, once the match is over."""
    return richest(s) if s[F.ending] != 0 else 0


@compiled
def score(s: Row, seat: Seat, parts: Row) -> int:
    """Prizes and hand."""
    parts[0] = s[F.purse + seat]
    parts[1] = HAND_COUNTS * WORTH[s[F.hand + seat]]
    return parts[0] + parts[1]


# What a seat cannot know, and what must always hold.


@compiled
def redeal(s: Row, seat: Seat, dice: Dice) -> None:
    """Cards that were not seen may lie anywhere; who has bid may have chosen any token left."""
    unseen = EVERY_CARD & ~s[F.gone]
    for other in range(MOST):
        if s[F.hand + other] >= 0:
            unseen &= ~(1 << s[F.hand + other])
    for other in range(MOST):
        if s[F.hand + other] == HIDDEN:
            s[F.hand + other] = NONE
            if other < s[F.seats]:
                s[F.hand + other] = draw_from(dice, unseen)
                unseen &= ~(1 << s[F.hand + other])
        if s[F.bid + other] == HIDDEN:
            s[F.bid + other] = NONE
            if has_bid(s, other):
                s[F.bid + other] = draw_from(dice, EVERY_TOKEN & ~s[F.spent + other])
    if s[F.aside] == HIDDEN:
        s[F.aside] = draw_from(dice, unseen)
    if s[F.pile] == HIDDEN:
        s[F.pile] = unseen & ~(1 << s[F.aside])


@compiled
def has_bid(s: Row, seat: Seat) -> bool:
    """Whether a seat's bid lies hidden on the table."""
    return seat < s[F.seats] and s[F.ending] == 0 and s[F.winner] == NONE and not s[F.owes] >> seat & 1


@compiled
def check(s: Row) -> int:
    """Every broken invariant, one bit each."""
    faults = 0
    seats = s[F.seats]
    seen = s[F.gone] | s[F.pile] | 1 << s[F.aside]
    places = ones(s[F.gone]) + ones(s[F.pile]) + 1
    for seat in range(seats):
        if s[F.hand + seat] != NONE:
            seen |= 1 << s[F.hand + seat]
            places += 1
    if seen != EVERY_CARD or places != CARDS or not s[F.gone] >> s[F.prize] & 1 or ones(s[F.gone]) != s[F.round]:
        faults |= 1 << BROKEN.cards

    for seat in range(MOST):
        here = seat < seats
        if not here and (s[F.hand + seat] != NONE or s[F.purse + seat] != 0 or s[F.spent + seat] != 0):
            faults |= 1 << BROKEN.seats
        if not here and (s[F.owes] >> seat & 1 or s[F.winner] == seat):
            faults |= 1 << BROKEN.seats
        if (s[F.bid + seat] != NONE) != has_bid(s, seat) or (here and s[F.hand + seat] == NONE):
            faults |= 1 << BROKEN.bids
        if s[F.bid + seat] != NONE and s[F.spent + seat] >> s[F.bid + seat] & 1:
            faults |= 1 << BROKEN.bids
        if here and ones(s[F.spent + seat]) != s[F.round] - (1 if s[F.owes] != 0 else 0):
            faults |= 1 << BROKEN.spent

    over = s[F.ending] != 0
    if (s[F.owes] == 0 and s[F.winner] == NONE and not over) or (over and (s[F.owes] != 0 or s[F.winner] != NONE)):
        faults |= 1 << BROKEN.bids
    if (s[F.winner] != NONE and s[F.owes] != 0) or s[F.round] > s[F.rounds]:
        faults |= 1 << BROKEN.bids
    if over and (faults != 0 or s[F.ending] != verdict(s) or s[F.round] != s[F.rounds]):
        faults |= 1 << BROKEN.ending
    return faults
