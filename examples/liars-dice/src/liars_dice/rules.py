"""Liar's Dice: the rulebook in order, as functions over one row."""

# mypy: no-warn-return-any

from __future__ import annotations

from liars_dice.components import ADDED, DICE, HANDS, SIDES
from ridotto.engine.build import compiled
from ridotto.engine.dice import allow, clear, draw, emit, ones
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
SEATS = (2, 6)
MOST = 6
NONE = -1

SEAT = seats_kind(MOST)
FACE = Kind("face", tuple(str(face + 1) for face in range(SIDES)))
QUANTITY = Kind("quantity", tuple(str(quantity + 1) for quantity in range(MOST * DICE)))
HAND = Kind("hand", HANDS)

OPTIONS = (
    Option("dice", "2.1", "dice that everybody begins with", 1, DICE, DICE),
    Option("sides", "2.1", "sides of a die; the highest is wild", 2, SIDES, SIDES),
    Option("single", "4.1", "the first challenge decides the match"),
)

ENDINGS = Codes.of(
    "Endings",
    Named("last", "4.2", "one player has dice left"),
    Named("decided", "4.1", "the only challenge of the match was lost"),
)
END = ENDINGS.codes

FIELDS = Fields.of(
    VERSION,
    SEATS,
    OPTIONS,
    Field("round", NUMBER, "round being played", low=1, high=MOST * DICE - 1),
    Field("turn", SEAT, "seat to act"),
    Field("left", NUMBER, "dice that each seat has left", of=(SEAT,), high=DICE),
    Field("quantity", NUMBER, "how many dice the standing bid names, 0 before the first bid", high=MOST * DICE),
    Field("face", FACE, "face that the standing bid names", low=NONE),
    Field("bidder", SEAT, "seat that made the standing bid", low=NONE),
    Field("ending", NUMBER, "how the match ended, 0 while it goes on", high=len(ENDINGS), live=0),
    Field("cup", NUMBER, "dice of each face under each seat's cup", of=(SEAT, FACE), high=DICE, audience="owner"),
)
F = FIELDS.F
QUESTION, ROUND = -1, F.round

ACTIONS = Actions.of(
    Action("bid", "3.3", "say that at least so many dice show a face", (QUANTITY, FACE)),
    Action("liar", "3.4", "challenge the standing bid"),
)
A = ACTIONS.A

EVENTS = EventCodes.of(
    Event("opens", "3.1", "a round begins", (Arg("round", NUMBER), Arg("dice", NUMBER))),
    Event("rolls", "3.1", "a seat rolls its dice", (Arg("seat", SEAT), Arg("hand", HAND, "owner"))),
    Event("bids", "3.3", "a seat bids", (Arg("seat", SEAT), Arg("quantity", NUMBER), Arg("face", FACE))),
    Event("challenges", "3.4", "a seat calls another a liar", (Arg("seat", SEAT), Arg("bidder", SEAT))),
    Event("shows", "3.4", "a seat lifts its cup", (Arg("seat", SEAT), Arg("hand", HAND))),
    Event("counts", "3.5", "the dice are counted", (Arg("face", FACE), Arg("found", NUMBER), Arg("quantity", NUMBER))),
    Event("loses", "4.1", "a seat loses a die", (Arg("seat", SEAT), Arg("left", NUMBER))),
    Event("ends", "4.2", "the match is over", (Arg("winners", set_of(SEAT)),)),
)
E = EVENTS.E

REASONS = Codes.of(
    "Reasons",
    Named("over", "4"),
    Named("wait", "3.2"),
    Named("no_face", "2.1"),
    Named("too_many", "3.3"),
    Named("not_higher", "3.3"),
    Named("no_bid", "3.4"),
)
R = REASONS.codes

PARTS = Codes.of("Parts", Named("dice", "4.2", "dice left"))

FAULTS = Codes.of(
    "Faults",
    Named("seats", "2.1", "somebody who does not sit here has dice, or somebody has too many"),
    Named("cups", "3.1", "the dice under a cup are not those that its seat has"),
    Named("turn", "3.2", "a seat without dice is to act, or has made the standing bid"),
    Named("bid", "3.3", "the standing bid could not have been made"),
    Named("round", "4.1", "the rounds do not fit the dice that were lost"),
    Named("ending", "4.2", "the match is over too early, or should be"),
)
BROKEN = FAULTS.codes


# The table of contents.


@compiled
def apply(s: Row, seat: Seat, action: int, dice: Dice, events: Events) -> None:
    """Do a legal action."""
    if action == A.liar:
        challenge(s, seat, dice, events)
    else:
        bid(s, seat, action - A.bid, events)


@compiled
def refuses(s: Row, seat: Seat, action: int) -> int:
    """Why an action is not allowed, or 0."""
    if s[F.ending] != 0:
        return R.over
    if s[F.turn] != seat:
        return R.wait
    if action == A.liar:
        return may_challenge(s)
    return may_bid(s, action - A.bid)


@compiled
def legal(s: Row, seat: Seat, mask: Mask) -> None:
    """All that a seat may do now."""
    clear(mask)
    if to_act(s) != 1 << seat:
        return
    faces = (1 << s[F.sides]) - 1
    for quantity in range(max(1, s[F.quantity]), on_table(s) + 1):
        higher = faces & -(2 << s[F.face]) if quantity == s[F.quantity] else faces
        allow(mask, A.bid + (quantity - 1) * SIDES, higher)
    if s[F.quantity] > 0:
        allow(mask, A.liar, 1)


# §2.1 The dice.


@compiled
def deal(s: Row, seats: int, options: Row, dice: Dice, events: Events) -> None:
    """Everybody takes as many dice, with as many sides, as was agreed."""
    s[F.version] = VERSION
    s[F.seats] = seats
    s[F.dice] = options[0]
    s[F.sides] = options[1]
    s[F.single] = options[2]
    for seat in range(seats):
        s[F.left + seat] = s[F.dice]
    s[F.round] = 1

    # §2.2 Who begins. The first seat begins the first round.
    open_round(s, 0, dice, events)


@compiled
def on_table(s: Row) -> int:
    """All dice that are left."""
    total = 0
    for seat in range(MOST):
        total += s[F.left + seat]
    return total


# §3.1 Rolling.


@compiled
def open_round(s: Row, first: Seat, dice: Dice, events: Events) -> None:
    """All who have dice roll them under their cups, and look at their own."""
    emit(events, E.opens, s[F.round], on_table(s))
    for seat in range(s[F.seats]):
        roll(s, seat, dice)
        if s[F.left + seat] > 0:
            emit(events, E.rolls, seat, hand(s, seat))
    s[F.quantity] = 0
    s[F.face] = NONE
    s[F.bidder] = NONE
    s[F.turn] = first


@compiled
def roll(s: Row, seat: Seat, dice: Dice) -> None:
    """Every die shows one of its sides, each as likely."""
    cup = F.cup + seat * SIDES
    for face in range(SIDES):
        s[cup + face] = 0
    for _ in range(s[F.left + seat]):
        face = draw(dice, s[F.sides])
        s[cup + face] = s[cup + face] + 1


@compiled
def hand(s: Row, seat: Seat) -> int:
    """What lies under a cup, as one number."""
    number = 0
    for face in range(SIDES):
        for _ in range(s[F.cup + seat * SIDES + face]):
            number = ADDED[number * SIDES + face]
    return number


# §3.2 Whose turn it is.


@compiled
def to_act(s: Row) -> int:
    """One seat at a time."""
    if s[F.ending] != 0:
        return 0
    return 1 << s[F.turn]


@compiled
def after(s: Row, seat: Seat) -> Seat:
    """The next one round the table who has dice."""
    seat = (seat + 1) % s[F.seats]
    while s[F.left + seat] == 0:
        seat = (seat + 1) % s[F.seats]
    return seat


# §3.3 Bidding.


@compiled
def may_bid(s: Row, number: int) -> int:
    """A bid names more dice than the one before, of any face, or as many of a higher face; never more than there are."""
    if number % SIDES >= s[F.sides]:
        return R.no_face
    if number // SIDES >= on_table(s):
        return R.too_many
    if number <= (s[F.quantity] - 1) * SIDES + s[F.face]:
        return R.not_higher
    return 0


@compiled
def bid(s: Row, seat: Seat, number: int, events: Events) -> None:
    """The bid stands until somebody raises or challenges it."""
    s[F.quantity] = number // SIDES + 1
    s[F.face] = number % SIDES
    s[F.bidder] = seat
    s[F.turn] = after(s, seat)
    emit(events, E.bids, seat, s[F.quantity], s[F.face])


# §3.4 Calling a liar.


@compiled
def may_challenge(s: Row) -> int:
    """Only a bid can be challenged."""
    if s[F.quantity] == 0:
        return R.no_bid
    return 0


@compiled
def challenge(s: Row, seat: Seat, dice: Dice, events: Events) -> None:
    """All cups are lifted: if there are fewer dice than were bid, the bidder has lied, otherwise the challenger is wrong."""
    emit(events, E.challenges, seat, s[F.bidder])
    for other in range(s[F.seats]):
        if s[F.left + other] > 0:
            emit(events, E.shows, other, hand(s, other))
    found = count(s, s[F.face])
    emit(events, E.counts, s[F.face], found, s[F.quantity])
    lose(s, s[F.bidder] if found < s[F.quantity] else seat, dice, events)


# §3.5 Counting, and the wild face.


@compiled
def count(s: Row, face: int) -> int:
    """Dice that show the face, and wild ones, which stand for any."""
    # Ruling: a bid on the wild face itself counts the wild dice alone.
    wild = s[F.sides] - 1
    total = 0
    for seat in range(s[F.seats]):
        total += s[F.cup + seat * SIDES + face]
        if face != wild:
            total += s[F.cup + seat * SIDES + wild]
    return total


# §4.1 Losing a die.


@compiled
def lose(s: Row, loser: Seat, dice: Dice, events: Events) -> None:
    """Whoever was wrong puts a die away and begins the next round; if it was the last one, the next seat begins."""
    s[F.left + loser] = s[F.left + loser] - 1
    emit(events, E.loses, loser, s[F.left + loser])
    if s[F.single] == 1:
        end(s, END.decided, events)
    elif ones(holding(s)) == 1:
        end(s, END.last, events)
    else:
        s[F.round] = s[F.round] + 1
        open_round(s, loser if s[F.left + loser] > 0 else after(s, loser), dice, events)


# §4.2 The winner.


@compiled
def holding(s: Row) -> int:
    """The seats that have dice."""
    seats = 0
    for seat in range(s[F.seats]):
        if s[F.left + seat] > 0:
            seats |= 1 << seat
    return seats


@compiled
def end(s: Row, how: int, events: Events) -> None:
    """The cups stay up."""
    s[F.ending] = how
    emit(events, E.ends, winners(s))


@compiled
def ending(s: Row) -> int:
    """How the match ended."""
    return s[F.ending]


@compiled
def winners(s: Row) -> int:
    """The last player with dice; where one challenge decides, everybody but its loser."""
    if s[F.ending] == END.last:
        return holding(s)
    if s[F.ending] == END.decided:
        full = 0
        for seat in range(s[F.seats]):
            if s[F.left + seat] == s[F.dice]:
                full |= 1 << seat
        return full
    return 0


@compiled
def score(s: Row, seat: Seat, parts: Row) -> int:
    """The dice that are left."""
    parts[0] = s[F.left + seat]
    return parts[0]


# §4.3 Giving up. Anybody may, at any time; the others have won. The referee sees to it.


# What a seat cannot know, and what must always hold.


@compiled
def redeal(s: Row, seat: Seat, dice: Dice) -> None:
    """The others may have rolled anything."""
    for other in range(MOST):
        if s[F.cup + other * SIDES] == HIDDEN:
            roll(s, other, dice)


@compiled
def check(s: Row) -> int:
    """Every broken invariant, one bit each."""
    faults = 0
    over = s[F.ending] != 0
    seats = s[F.seats]
    lost = seats * s[F.dice] - on_table(s)
    surplus = 0
    for seat in range(MOST):
        left = s[F.left + seat]
        if left > s[F.dice] or (seat >= seats and left > 0):
            faults |= 1 << BROKEN.seats
        under = 0
        for face in range(SIDES):
            under += s[F.cup + seat * SIDES + face]
            if face >= s[F.sides] and s[F.cup + seat * SIDES + face] > 0:
                faults |= 1 << BROKEN.cups
        if under < left:
            faults |= 1 << BROKEN.cups
        surplus += under - left
    # At the end the die that was lost last still lies where it was shown.
    if surplus != (1 if over else 0):
        faults |= 1 << BROKEN.cups

    bidder = s[F.bidder]
    if s[F.turn] >= seats or bidder >= seats or bidder == s[F.turn]:
        faults |= 1 << BROKEN.turn
    elif not over and (s[F.left + s[F.turn]] == 0 or (bidder != NONE and after(s, bidder) != s[F.turn])):
        faults |= 1 << BROKEN.turn
    if (s[F.quantity] == 0) != (bidder == NONE) or (s[F.quantity] == 0) != (s[F.face] == NONE):
        faults |= 1 << BROKEN.bid
    if s[F.quantity] > on_table(s) + (1 if over else 0) or s[F.face] >= s[F.sides] or (over and bidder == NONE):
        faults |= 1 << BROKEN.bid
    if s[F.round] != lost + (0 if over else 1) or (s[F.single] == 1 and s[F.round] != 1):
        faults |= 1 << BROKEN.round
    if (s[F.ending] == END.decided) != (over and s[F.single] == 1):
        faults |= 1 << BROKEN.ending
    if s[F.single] == 0 and over != (ones(holding(s)) == 1):
        faults |= 1 << BROKEN.ending
    return faults
