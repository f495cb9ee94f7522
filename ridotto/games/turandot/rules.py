"""Turandot: the rulebook in order, as functions over one row."""

from __future__ import annotations

from ridotto.engine.build import compiled
from ridotto.engine.dice import allow, clear, draw, draw_from, emit, lowest, ones
from ridotto.engine.fields import (
    FLAG,
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
from ridotto.games.turandot.components import (
    AT_LEAST,
    BY_NUMBER,
    CATEGORIES,
    CATEGORY,
    DIRECTOR_IDS,
    DIRECTOR_ROUND,
    DIRECTORS,
    FAVOURITE,
    FEWER_THAN,
    FIRST_PUCCINI,
    FIRST_TERM,
    HAS_BLUFF,
    IS_DRAWN,
    IS_SMALLER,
    MONEY,
    PER,
    ROLE_SEX,
    ROLES,
    SEX,
    SINGER_IDS,
    SINGERS,
    STARS,
    TERM_KIND,
    TERM_MATCHES,
    TERM_N,
    TERM_POINTS,
    TERM_STATISTIC,
    TERM_VALUES,
    TROUPE,
)

VERSION = 1
SEATS = (2, 2 if IS_SMALLER else 5)
MOST = 5
ROUNDS = TROUPE + 1
NONE = -1
FEMALE, MALE, UNDETERMINED = range(3)
DISTINCT_CATEGORIES, MAX_SAME_CATEGORY, WOMEN = range(3)
DRESSMAKER, CARPENTER = range(2)

# What can be asked of a player.
AUDITION, UNDERSTUDY, NAME, STRIKE, CAST, NOTHING = range(6)

# Why money laid alone hires nobody.
BY_PUCCINI, BY_TAKEN = range(2)

SEAT = seats_kind(MOST)
PLAYERS = set_of(SEAT)
POSITION = Kind("position", tuple(str(position) for position in range(1, 7)))
PLACE = Kind("position", POSITION.names[:TROUPE])
ROLE = Kind("role", ROLES[:TROUPE])
SINGER = Kind("singer", SINGER_IDS)
DIRECTOR = Kind("director", DIRECTOR_IDS)
CARD = Kind("card", SINGER_IDS + DIRECTOR_IDS)
PURSE = Kind("purse", ("0", "1", "2", "3"))
BLUFF = Kind("bluff", ("plain", "bluff"))
HELPER = Kind("helper", ("dressmaker", "carpenter"))
HINDRANCE = Kind("hindrance", ("puccini", "taken"))
ASKED = Kind("question", ("audition", "understudy", "name", "strike", "cast", "nothing"))
CHOICE = Kind(
    "choice",
    tuple(f"bid {position} {purse} {bluff}" for position in POSITION.names for purse in PURSE.names for bluff in BLUFF.names)
    + tuple(f"money {bluff}" for bluff in BLUFF.names),
)
"""A choice in an audition: the same numbers as the actions `bid` and `money`."""

OPTIONS = (Option("blind", "10.1", "all lay their cards at once, and nobody sees how many cards the others lay"),)

ENDINGS = Codes.of(
    "Endings",
    Named("finished", "8.6", "the castings are scored"),
    Named("fictitious", "9.4", "the fictitious troupe beats both players"),
    Named("tied", "8.7", "equal totals: the stars decide, or the victory is shared"),
)
END = ENDINGS.codes

FIELDS = Fields.of(
    VERSION,
    SEATS,
    OPTIONS,
    Field("round", NUMBER, "round being played", low=1, high=ROUNDS),
    Field("asked", ASKED, "what must be decided"),
    Field("owing", PLAYERS, "seats that owe a decision"),
    Field("puccini", SEAT, "who has Puccini"),
    Field(
        "offer", CARD, "singer, or in round 4 director, under each role", of=(POSITION,), low=NONE, live=lambda seats: seats + 1
    ),
    Field("pile", FLAG, "whether each singer is still in the pile", of=(SINGER,)),
    Field("pool", set_of(DIRECTOR), "directors in the stack beside the roles"),
    Field("troupe", SINGER, "singers of each seat in the order they were recruited", of=(SEAT, PLACE), low=NONE),
    Field("director", DIRECTOR, "director of each seat", of=(SEAT,), low=NONE),
    Field(
        "fictitious",
        SINGER,
        "singers of the fictitious troupe, by the role they sing",
        of=(PLACE,),
        low=NONE,
        live=lambda seats: TROUPE if seats == 2 else 0,
    ),
    Field("fictitious_director", DIRECTOR, "director of the fictitious troupe", low=NONE, live=lambda seats: int(seats == 2)),
    Field("money", NUMBER, "money cards of each seat, in hand or laid in this audition", of=(SEAT,), high=MONEY),
    Field("spent", NUMBER, "money cards each seat has discarded", of=(SEAT,), high=MONEY),
    Field("elements", NUMBER, "stage elements of each seat", of=(SEAT,), high=MONEY),
    Field("laid", NUMBER, "cards lying face down before each seat, as far as they may be counted", of=(SEAT,), high=5),
    Field("pending", CHOICE, "what lies face down before each seat", of=(SEAT,), low=NONE, audience="owner", live=0),
    Field("shown", CHOICE, "what each seat has laid in this round, once it is face up", of=(SEAT,), low=NONE),
    Field("lacking", PLAYERS, "seats that still get an understudy in this round"),
    Field("named", SEAT, "opponent named to strike a director", low=NONE),
    Field("assigned", NUMBER, "how many roles each seat has cast", of=(SEAT,), high=TROUPE),
    Field("casting", SINGER, "roles cast and not yet shown", of=(SEAT, ROLE), low=NONE, audience="owner", live=TROUPE - 1),
    Field("cast", SINGER, "who sings each role in the end", of=(SEAT, ROLE), low=NONE, live=0),
    Field("ending", NUMBER, "how the match ended, 0 while it goes on", high=len(ENDINGS), live=0),
)
F = FIELDS.F
QUESTION, ROUND = F.asked, F.round

ACTIONS = Actions.of(
    Action("bid", "4.2", "lay a number with so many money cards, and the bluff card or not", (POSITION, PURSE, BLUFF), "owner"),
    Action("money", "4.2", "lay one money card without a number, and the bluff card or not", (BLUFF,), "owner"),
    Action("give", "5.5", "give the card under this role to the next seat that lacks one", (POSITION,)),
    Action("name", "6.1", "name the opponent who strikes a director", (SEAT,)),
    Action("strike", "6.2", "strike a director", (DIRECTOR,)),
    Action("cast", "7.1", "give this singer the next role", (SINGER,), "owner"),
)
A = ACTIONS.A
# A family ends where the next begins: `apply`, `refuses` and `legal` go by this order.
assert " ".join(A._fields) == "bid money give name strike cast"
# What lies face down has the number of the action.
assert (A.bid, A.give) == (0, len(CHOICE))

EVENTS = EventCodes.of(
    Event("blind", "10.1", "this match has blind auditions"),
    Event("starts", "2.6", "the first to have Puccini", (Arg("seat", SEAT),)),
    Event("opens", "3.1", "a round begins", (Arg("round", NUMBER), Arg("seat", SEAT))),
    Event("presents", "4.1", "a singer is laid under a role", (Arg("position", POSITION), Arg("card", CARD))),
    Event("offers", "6.3", "a director is laid under a role", (Arg("position", POSITION), Arg("card", CARD))),
    Event("removed", "6.3", "a director is not laid out and leaves the game", (Arg("director", DIRECTOR),)),
    Event(
        "lays",
        "4.4",
        "a player lays cards face down",
        (Arg("seat", SEAT), Arg("cards", NUMBER), Arg("choice", CHOICE, "owner")),
    ),
    Event("reveals", "4.5", "a player's cards are turned up", (Arg("seat", SEAT), Arg("choice", CHOICE))),
    Event(
        "recruits",
        "5.1",
        "a player alone on a number wins it and pays",
        (Arg("seat", SEAT), Arg("card", CARD), Arg("position", POSITION), Arg("paid", NUMBER)),
    ),
    Event(
        "overbids",
        "5.2",
        "a player bids more than others for a number, wins it and pays",
        (Arg("seat", SEAT), Arg("card", CARD), Arg("position", POSITION), Arg("paid", NUMBER)),
    ),
    Event(
        "outbid",
        "5.2",
        "a player loses a number and takes the money back",
        (Arg("seat", SEAT), Arg("position", POSITION), Arg("back", NUMBER)),
    ),
    Event(
        "tied",
        "5.3",
        "several share the highest bid for a number and nobody wins it, all money goes back",
        (Arg("position", POSITION), Arg("seats", PLAYERS), Arg("money", NUMBER)),
    ),
    Event("hires", "5.4", "a money card becomes a stage element", (Arg("seat", SEAT), Arg("helper", HELPER))),
    Event("refused", "5.4", "money laid alone hires nobody and goes back", (Arg("seat", SEAT), Arg("why", HINDRANCE))),
    Event("retrieves", "6.3", "money laid alone in the fourth round goes back", (Arg("seat", SEAT),)),
    Event("gives", "5.5", "a player gets an understudy", (Arg("seat", SEAT), Arg("card", CARD), Arg("position", POSITION))),
    Event("names", "6.1", "Puccini's holder names an opponent", (Arg("seat", SEAT), Arg("other", SEAT))),
    Event("strikes", "6.2", "a director is struck", (Arg("seat", SEAT), Arg("director", DIRECTOR))),
    Event("leaves", "5.6", "the card left over leaves the game", (Arg("card", CARD),)),
    Event("joins", "9.1", "the card left over joins the fictitious troupe", (Arg("card", CARD),)),
    Event(
        "leads",
        "7.2",
        "the first three roles of a player",
        (Arg("seat", SEAT), Arg("turandot", SINGER), Arg("calaf", SINGER), Arg("liu", SINGER)),
    ),
    Event(
        "trio",
        "7.2",
        "the last three roles of a player",
        (Arg("seat", SEAT), Arg("ping", SINGER), Arg("pong", SINGER), Arg("pang", SINGER)),
    ),
    Event(
        "sings",
        "8.1",
        "what a player's singers are worth",
        (Arg("seat", SEAT), Arg("stars", NUMBER), Arg("favourites", NUMBER), Arg("wrong", NUMBER)),
    ),
    Event(
        "counts",
        "8.5",
        "what else counts for a player, and the total",
        (Arg("seat", SEAT), Arg("elements", NUMBER), Arg("director", NUMBER), Arg("puccini", NUMBER), Arg("total", NUMBER)),
    ),
    Event(
        "fictitious",
        "9.3",
        "what the fictitious troupe is worth",
        (
            Arg("stars", NUMBER),
            Arg("favourites", NUMBER),
            Arg("wrong", NUMBER),
            Arg("director", NUMBER),
            Arg("total", NUMBER),
        ),
    ),
    Event("wins", "8.6", "who has the highest total, and so has won", (Arg("seat", SEAT),)),
    Event(
        "settles",
        "8.7",
        "of several with the highest total the one with the most stars wins",
        (Arg("seat", SEAT), Arg("stars", NUMBER), Arg("seats", PLAYERS), Arg("total", NUMBER)),
    ),
    Event(
        "shares",
        "8.7",
        "several with the highest total have the most stars too, and share the victory",
        (Arg("winners", PLAYERS), Arg("stars", NUMBER), Arg("seats", PLAYERS), Arg("total", NUMBER)),
    ),
    Event("lost", "9.4", "the fictitious troupe beats both players"),
)
E = EVENTS.E

REASONS = Codes.of(
    "Reasons",
    Named("over", "8.6"),
    Named("wait", "3.1"),
    Named("not_asked", "3.1"),
    Named("no_number", "2.4"),
    Named("no_money", "4.2"),
    Named("no_card", "5.5"),
    Named("yourself", "6.1"),
    Named("nobody_there", "6.1"),
    Named("struck", "6.2"),
    Named("not_yours", "7.1"),
    Named("cast_already", "7.1"),
)
R = REASONS.codes

PARTS = Codes.of(
    "Parts",
    Named("stars", "8.1", "a point for each star"),
    Named("favourites", "8.2", "a point for each singer in the favourite role"),
    Named("wrong", "8.3", "a point less for each singer in a role of the other sex"),
    Named("elements", "8.4", "a point for each stage element"),
    Named("director", "8.5", "what the director gives or takes"),
    Named("puccini", "9.2", "Puccini's lost point", seats=2),
)

FAULTS = Codes.of(
    "Faults",
    Named("singers", "2.5", "a singer is in two places, or the pile does not fit the round"),
    Named("directors", "2.5", "a director is in two places, or their number does not fit the round"),
    Named("absent", "2.1", "a seat where nobody plays has something"),
    Named("troupes", "3.1", "a troupe does not fit the round"),
    Named("offer", "4.1", "the cards under the roles do not fit the way the match stands"),
    Named("money", "2.4", "a player's money cards are not three in all"),
    Named("laid", "4.4", "the cards laid do not fit who owes a decision, or could not be laid"),
    Named("shown", "4.5", "the cards turned up do not fit the way the match stands"),
    Named("owing", "3.1", "who owes a decision does not fit what is asked"),
    Named("question", "3.1", "what is asked does not fit the round"),
    Named("casting", "7.1", "a casting does not fit the troupe or the way the match stands"),
    Named("fictitious", "9.1", "the fictitious troupe does not fit the seats and the round"),
    Named("ending", "8.6", "the ending does not fit the scores"),
)
BROKEN = FAULTS.codes


# The table of contents.


@compiled
def apply(s: Row, seat: Seat, action: int, dice: Dice, events: Events) -> None:
    """Do a legal action."""
    if action < A.give:
        lay(s, seat, action, dice, events)
    elif action < A.name:
        give(s, action - A.give, dice, events)
    elif action < A.strike:
        name(s, seat, action - A.name, events)
    elif action < A.cast:
        strike(s, seat, action - A.strike, dice, events)
    else:
        cast(s, seat, action - A.cast, events)


@compiled
def refuses(s: Row, seat: Seat, action: int) -> int:
    """The reason why an action is not allowed, or 0."""
    if s[F.ending] != 0:
        return R.over
    if not s[F.owing] >> seat & 1:
        return R.wait
    if action < A.money:
        return may_bid(s, seat, action)
    if action < A.give:
        return may_lay_money(s, seat, action)
    if action < A.name:
        return may_give(s, action - A.give)
    if action < A.strike:
        return may_name(s, seat, action - A.name)
    if action < A.cast:
        return may_strike(s, action - A.strike)
    return may_cast(s, seat, action - A.cast)


@compiled
def legal(s: Row, seat: Seat, mask: Mask) -> None:
    """All that a seat may do now."""
    clear(mask)
    if not s[F.owing] >> seat & 1:
        return
    asked = s[F.asked]
    if asked == AUDITION:
        # Each number takes eight actions: two for each sum the seat can afford, without the bluff card and with it.
        money = s[F.money + seat]
        each = ((1 << 2 * (money + 1)) - 1) & (0xFF if HAS_BLUFF else 0x55)
        numbers = s[F.seats] + 1
        allow(mask, A.bid, each * 0x01010101 & ((1 << 8 * min(numbers, 4)) - 1))
        if numbers > 4:
            allow(mask, A.bid + 32, each * 0x0101 & ((1 << 8 * (numbers - 4)) - 1))
        if money > 0:
            allow(mask, A.money, 3 if HAS_BLUFF else 1)
    elif asked == UNDERSTUDY:
        there = 0
        for position in range(6):
            if s[F.offer + position] != NONE:
                there |= 1 << position
        allow(mask, A.give, there)
    elif asked == NAME:
        allow(mask, A.name, everybody(s) & ~(1 << seat))
    elif asked == STRIKE:
        allow(mask, A.strike, s[F.pool])
    else:
        used = already_cast(s, seat)
        for slot in range(TROUPE):
            singer = s[F.troupe + seat * TROUPE + slot]
            if not used >> singer & 1:
                allow(mask, A.cast + singer, 1)


@compiled
def to_act(s: Row) -> int:
    """The seats that owe a decision."""
    return s[F.owing]


@compiled
def everybody(s: Row) -> int:
    """All seats at this table, as a set."""
    return (1 << s[F.seats]) - 1


@compiled
def left_of(s: Row, seat: Seat) -> int:
    """The next seat clockwise."""
    return 0 if seat == s[F.seats] - 1 else seat + 1


# §2 Setting up.


@compiled
def deal(s: Row, seats: int, options: Row, dice: Dice, events: Events) -> None:
    """Lay out the table, in the order of the rulebook."""
    # §2.1 Who sits where. Seats are numbered clockwise; those beyond the players hold nothing.
    s[F.version] = VERSION
    s[F.seats] = seats
    s[F.blind] = options[0]
    if s[F.blind]:
        emit(events, E.blind)
    for seat in range(MOST):
        s[F.director + seat] = NONE
        s[F.pending + seat] = NONE
        s[F.shown + seat] = NONE
    for i in range(MOST * TROUPE):
        s[F.troupe + i] = NONE
        s[F.casting + i] = NONE
        s[F.cast + i] = NONE
    s[F.fictitious_director] = NONE
    s[F.named] = NONE

    # §2.2 The roles. Six positions in a row, where nothing lies yet.
    for position in range(6):
        s[F.offer + position] = NONE
    for role in range(TROUPE):
        s[F.fictitious + role] = NONE

    # §2.3 Dressmaker and carpenter. The carpenter plays with four or five: see `helpers`.

    # §2.4 Each player's cards. Numbers 1 to one more than the players, three money cards, the bluff card.
    for seat in range(seats):
        s[F.money + seat] = MONEY

    # §2.5 Singers and directors. The singers are a pile face down, the directors a stack face up.
    for singer in range(SINGERS):
        s[F.pile + singer] = 1
    s[F.pool] = (1 << DIRECTORS) - 1

    # §2.6 The first Puccini.
    # Ruling: chance decides who sings best.
    s[F.puccini] = draw(dice, seats) if FIRST_PUCCINI < 0 else FIRST_PUCCINI
    emit(events, E.starts, s[F.puccini])

    s[F.round] = 1
    open_round(s, dice, events)


@compiled
def helpers(s: Row) -> int:
    """The helpers that can be hired in a round: the dressmaker, and with four or five players the carpenter."""
    return 1 if s[F.seats] <= 3 else 2


# §3 A round.

# §3.1 Seven rounds.


@compiled
def open_round(s: Row, dice: Dice, events: Events) -> None:
    """Six rounds bring singers, the fourth directors; each begins with an audition."""
    emit(events, E.opens, s[F.round], s[F.puccini])
    if s[F.round] == DIRECTOR_ROUND:
        present_directors(s, dice, events)
    else:
        present_singers(s, dice, events)
    s[F.asked] = AUDITION
    open_audition(s)


@compiled
def slot_of(round: int) -> int:
    """The number of singers in a troupe before this round, and so the place that the next one takes."""
    return round - 1 if round <= DIRECTOR_ROUND else round - 2


@compiled
def close_recruiting(s: Row, dice: Dice, events: Events) -> None:
    """The first three rounds go on with the directors; the others are over."""
    if s[F.round] < DIRECTOR_ROUND:
        s[F.asked] = NAME
        s[F.owing] = 1 << s[F.puccini]
    else:
        close_round(s, dice, events)


@compiled
def close_round(s: Row, dice: Dice, events: Events) -> None:
    """The card left over goes, cards are taken back, and the next round begins or the roles are cast."""
    clear_away(s, events)
    for seat in range(s[F.seats]):
        s[F.shown + seat] = NONE
    if s[F.round] == ROUNDS:
        open_casting(s)
    else:
        pass_puccini(s)
        s[F.round] = s[F.round] + 1
        open_round(s, dice, events)


# §3.2 Passing Puccini.


@compiled
def pass_puccini(s: Row) -> None:
    """Puccini goes to the left after each round but the last."""
    # Ruling: Puccini is passed after the fourth round too, and not after the seventh.
    s[F.puccini] = left_of(s, s[F.puccini])


# §3.3 Open and hidden. Cards face down and castings not yet shown are hidden, and so is what the pile will bring; all
# else is open to everybody: see the audiences of FIELDS.
# Ruling: money is open, for every card laid gets turned up, and money spent is discarded face up.


# §4 The audition.

# §4.1 The singers come on.


@compiled
def present_singers(s: Row, dice: Dice, events: Events) -> None:
    """One more singer than there are players, each under a role, from the first."""
    size = SINGERS - slot_of(s[F.round]) * (s[F.seats] + 1)
    for position in range(s[F.seats] + 1):
        left = draw(dice, size) if IS_DRAWN else 0
        singer = 0
        while left > 0 or s[F.pile + singer] == 0:
            left -= s[F.pile + singer]
            singer += 1
        s[F.pile + singer] = 0
        size -= 1
        s[F.offer + position] = singer
        emit(events, E.presents, position, singer)


# §4.2 What may be laid.


@compiled
def may_bid(s: Row, seat: Seat, choice: int) -> int:
    """A number in play, with as much money as one has, or without."""
    if s[F.asked] != AUDITION:
        return R.not_asked
    if position_of(choice) > s[F.seats] or (bluff_in(choice) and not HAS_BLUFF):
        return R.no_number
    if money_in(choice) > s[F.money + seat]:
        return R.no_money
    return 0


@compiled
def may_lay_money(s: Row, seat: Seat, choice: int) -> int:
    """One money card without a number."""
    # Ruling: Puccini's holder may lay it too, and so may anyone in the round of the directors, though it hires nobody.
    if s[F.asked] != AUDITION:
        return R.not_asked
    if bluff_in(choice) and not HAS_BLUFF:
        return R.no_number
    if s[F.money + seat] == 0:
        return R.no_money
    return 0


@compiled
def is_bid(choice: int) -> bool:
    """Whether a choice has a number."""
    return choice >= 0 and choice < A.money


@compiled
def position_of(choice: int) -> int:
    """The position that a bid is for, from 0."""
    return choice >> 3


@compiled
def money_in(choice: int) -> int:
    """The number of money cards in a choice."""
    return choice >> 1 & 3 if choice < A.money else 1


# §4.3 The bluff card.


@compiled
def bluff_in(choice: int) -> int:
    """The bluff card may be added to any choice: it is counted while it lies face down, and never afterwards."""
    return choice & 1


@compiled
def cards_in(choice: int) -> int:
    """The number of cards in a choice."""
    return (1 if choice < A.money else 0) + money_in(choice) + bluff_in(choice)


# §4.4 Laying in turn.


@compiled
def open_audition(s: Row) -> None:
    """Puccini's holder lays first, the others follow clockwise; with the option `blind`, all at once (§10.1)."""
    # Ruling: everybody lays in turn, for the bluff card makes sense only if cards can be counted before the reveal.
    s[F.owing] = everybody(s) if s[F.blind] else 1 << s[F.puccini]


@compiled
def lay(s: Row, seat: Seat, choice: int, dice: Dice, events: Events) -> None:
    """Cards are laid face down for good; how many they are is seen at once, what they are is not."""
    s[F.pending + seat] = choice
    if s[F.blind]:
        lay_blind(s, seat)
    else:
        s[F.laid + seat] = cards_in(choice)
        emit(events, E.lays, seat, s[F.laid + seat], choice)
        after = left_of(s, seat)
        s[F.owing] = 0 if after == s[F.puccini] else 1 << after
    if s[F.owing] == 0:
        reveal(s, events)
        recruit(s, dice, events)


# §4.5 The reveal.


@compiled
def reveal(s: Row, events: Events) -> None:
    """After all have laid, all cards are turned up."""
    seat = s[F.puccini]
    for _ in range(s[F.seats]):
        s[F.shown + seat] = s[F.pending + seat]
        s[F.pending + seat] = NONE
        s[F.laid + seat] = 0
        emit(events, E.reveals, seat, s[F.shown + seat])
        seat = left_of(s, seat)


# §5 Recruiting.


@compiled
def recruit(s: Row, dice: Dice, events: Events) -> None:
    """First the numbers, then dressmaker and carpenter, then the understudies."""
    s[F.lacking] = everybody(s)
    for position in range(s[F.seats] + 1):
        award(s, position, events)
    hire(s, events)
    open_understudies(s, dice, events)


@compiled
def award(s: Row, position: int, events: Events) -> None:
    """The highest bid for a number gets the card, unless others bid as much."""
    bidders = 0
    highest = 0
    best = NONE
    for seat in range(s[F.seats]):
        choice = s[F.shown + seat]
        if is_bid(choice) and position_of(choice) == position:
            bidders |= 1 << seat
            if money_in(choice) > best:
                best = money_in(choice)
                highest = 1 << seat
            elif money_in(choice) == best:
                highest |= 1 << seat
    if bidders == 0:
        return
    if ones(highest) > 1:
        tie(position, highest, best, events)
    elif highest == bidders:
        win_alone(s, lowest(bidders), position, best, events)
    else:
        outbid(s, lowest(highest), position, best, bidders, events)


@compiled
def take(s: Row, seat: Seat, position: int) -> int:
    """A seat gets the card under a role, its one card of the round."""
    card = s[F.offer + position]
    s[F.offer + position] = NONE
    if card < SINGERS:
        s[F.troupe + seat * TROUPE + slot_of(s[F.round])] = card
    else:
        s[F.director + seat] = card - SINGERS
    s[F.lacking] = s[F.lacking] & ~(1 << seat)
    return card


# §5.1 Alone on a number.


@compiled
def win_alone(s: Row, seat: Seat, position: int, money: int, events: Events) -> None:
    """A player alone on a number takes the card."""
    pay(s, seat, money)
    emit(events, E.recruits, seat, take(s, seat, position), position, money)


@compiled
def pay(s: Row, seat: Seat, money: int) -> None:
    """A winner discards all the money laid with the number, needed or not."""
    s[F.money + seat] = s[F.money + seat] - money
    s[F.spent + seat] = s[F.spent + seat] + money


# §5.2 The highest bid.


@compiled
def outbid(s: Row, winner: Seat, position: int, money: int, bidders: int, events: Events) -> None:
    """A player who bids more than each of the others takes the card; they take their money back and get understudies."""
    pay(s, winner, money)
    emit(events, E.overbids, winner, take(s, winner, position), position, money)
    for seat in range(s[F.seats]):
        if seat != winner and bidders >> seat & 1:
            emit(events, E.outbid, seat, position, money_in(s[F.shown + seat]))


# §5.3 A tie.


@compiled
def tie(position: int, highest: int, money: int, events: Events) -> None:
    """If several have bid most, or all nothing, nobody wins the number, not even who bid less; all money goes back."""
    emit(events, E.tied, position, highest, money)


# §5.4 Hiring the dressmaker or the carpenter.


@compiled
def hire(s: Row, events: Events) -> None:
    """Money laid alone becomes a stage element, clockwise from Puccini's left, while there is someone to hire."""
    # Ruling: Puccini's holder, who may not hire, does not count among those who try.
    # Ruling: whoever can hire, hires: it cannot be declined.
    hired = 0
    seat = s[F.puccini]
    for _ in range(s[F.seats]):
        seat = left_of(s, seat)
        if s[F.shown + seat] >= A.money:
            if s[F.round] == DIRECTOR_ROUND:
                emit(events, E.retrieves, seat)
            elif seat == s[F.puccini]:
                emit(events, E.refused, seat, BY_PUCCINI)
            elif hired == helpers(s):
                emit(events, E.refused, seat, BY_TAKEN)
            else:
                s[F.money + seat] = s[F.money + seat] - 1
                s[F.elements + seat] = s[F.elements + seat] + 1
                emit(events, E.hires, seat, hired)
                hired += 1


# §5.5 Understudies.


@compiled
def open_understudies(s: Row, dice: Dice, events: Events) -> None:
    """A player who has no card of this round yet gets one of those left, as Puccini's holder chooses."""
    if s[F.lacking] == 0:
        close_recruiting(s, dice, events)
    else:
        s[F.asked] = UNDERSTUDY
        s[F.owing] = 1 << s[F.puccini]


@compiled
def next_lacking(s: Row) -> int:
    """The seat that is given a card now."""
    # They are asked about one by one, clockwise from the holder's left, the holder last; people may answer in any order.
    seat = left_of(s, s[F.puccini])
    while not s[F.lacking] >> seat & 1:
        seat = left_of(s, seat)
    return seat


@compiled
def may_give(s: Row, position: int) -> int:
    """Any card still under a role may be given."""
    if s[F.asked] != UNDERSTUDY:
        return R.not_asked
    if s[F.offer + position] == NONE:
        return R.no_card
    return 0


@compiled
def give(s: Row, position: int, dice: Dice, events: Events) -> None:
    """The holder gives a card, and whoever gets it must take it."""
    seat = next_lacking(s)
    emit(events, E.gives, seat, take(s, seat, position), position)
    if s[F.lacking] == 0:
        close_recruiting(s, dice, events)


# §5.6 The card left over.


@compiled
def clear_away(s: Row, events: Events) -> None:
    """One card is always left; when the round ends it leaves the game, or joins the fictitious troupe (§9.1)."""
    # Ruling: the card left over stays under its role until the round ends.
    position = 0
    while s[F.offer + position] == NONE:
        position += 1
    card = s[F.offer + position]
    s[F.offer + position] = NONE
    if s[F.seats] == 2:
        join_fictitious(s, card, events)
    else:
        emit(events, E.leaves, card)


# §6 The directors.

# §6.1 Naming an opponent.


@compiled
def may_name(s: Row, seat: Seat, other: Seat) -> int:
    """Puccini's holder names anybody else, the same one again if they like."""
    if s[F.asked] != NAME:
        return R.not_asked
    if other == seat:
        return R.yourself
    if other >= s[F.seats]:
        return R.nobody_there
    return 0


@compiled
def name(s: Row, seat: Seat, other: Seat, events: Events) -> None:
    """The one who is named will strike a director."""
    s[F.named] = other
    s[F.asked] = STRIKE
    s[F.owing] = 1 << other
    emit(events, E.names, seat, other)


# §6.2 Striking a director.


@compiled
def may_strike(s: Row, director: int) -> int:
    """Any director of the stack."""
    if s[F.asked] != STRIKE:
        return R.not_asked
    if not s[F.pool] >> director & 1:
        return R.struck
    return 0


@compiled
def strike(s: Row, seat: Seat, director: int, dice: Dice, events: Events) -> None:
    """That director leaves the game, and the round is over."""
    s[F.pool] = s[F.pool] & ~(1 << director)
    s[F.named] = NONE
    emit(events, E.strikes, seat, director)
    close_round(s, dice, events)


# §6.3 The fourth round.


@compiled
def present_directors(s: Row, dice: Dice, events: Events) -> None:
    """Of the six directors left, one more than there are players is laid out, and the rest leave the game."""
    # Dressmaker and carpenter are not to be hired in this round: see `hire`.
    pool = s[F.pool]
    for position in range(s[F.seats] + 1):
        director = draw_from(dice, pool) if IS_DRAWN else lowest(pool)
        pool &= ~(1 << director)
        s[F.offer + position] = SINGERS + director
        emit(events, E.offers, position, SINGERS + director)
    s[F.pool] = 0
    while pool != 0:
        emit(events, E.removed, lowest(pool))
        pool &= pool - 1


# §7 Casting.

# §7.1 One singer for each role.


@compiled
def open_casting(s: Row) -> None:
    """After the seventh round every player gives each role to a singer of the troupe."""
    s[F.asked] = CAST
    s[F.owing] = everybody(s)


@compiled
def already_cast(s: Row, seat: Seat) -> int:
    """The singers to whom a seat has given a role, as a set."""
    used = 0
    for role in range(s[F.assigned + seat]):
        used |= 1 << s[F.casting + seat * TROUPE + role]
    return used


@compiled
def may_cast(s: Row, seat: Seat, singer: int) -> int:
    """Each singer of one's own sings one role."""
    if s[F.asked] != CAST:
        return R.not_asked
    if not is_own(s, seat, singer):
        return R.not_yours
    if already_cast(s, seat) >> singer & 1:
        return R.cast_already
    return 0


@compiled
def is_own(s: Row, seat: Seat, singer: int) -> bool:
    """Whether a singer is in a seat's troupe."""
    for slot in range(TROUPE):
        if s[F.troupe + seat * TROUPE + slot] == singer:
            return True
    return False


@compiled
def cast(s: Row, seat: Seat, singer: int, events: Events) -> None:
    """The roles are given in their order, from Turandot to Pang."""
    # They are asked for one by one; people may answer in any order.
    role = s[F.assigned + seat]
    s[F.casting + seat * TROUPE + role] = singer
    s[F.assigned + seat] = role + 1
    if role + 1 == TROUPE:
        s[F.owing] = s[F.owing] & ~(1 << seat)
        if s[F.owing] == 0:
            show_castings(s, events)
            finish(s, events)


# §7.2 Casting in secret.


@compiled
def show_castings(s: Row, events: Events) -> None:
    """Castings are shown together, when the last one is complete."""
    # Ruling: everybody casts in any order, and nothing is shown before all are complete.
    for seat in range(s[F.seats]):
        for role in range(seat * TROUPE, seat * TROUPE + TROUPE):
            s[F.cast + role] = s[F.casting + role]
            s[F.casting + role] = NONE
        at = F.cast + seat * TROUPE
        emit(events, E.leads, seat, s[at], s[at + 1] if TROUPE > 1 else NONE, s[at + 2] if TROUPE > 2 else NONE)
        if TROUPE == 6:
            emit(events, E.trio, seat, s[at + 3], s[at + 4], s[at + 5])


# §8 Scoring and the end.


@compiled
def finish(s: Row, events: Events) -> None:
    """Every score is told, and who has won."""
    s[F.asked] = NOTHING
    s[F.ending] = END.finished
    if s[F.seats] == 2 and is_beaten_by_fictitious(s):
        s[F.ending] = END.fictitious
    elif ones(highest_totals(s)) > 1:
        s[F.ending] = END.tied
    for seat in range(s[F.seats]):
        at = F.cast + seat * TROUPE
        emit(events, E.sings, seat, stars(s, at), favourites(s, at), wrong_sexes(s, at))
        emit(events, E.counts, seat, s[F.elements + seat], directed(s, seat), lost_point(s, seat), total(s, seat))
    if s[F.seats] == 2:
        at = F.fictitious
        points = director_points(s, at, s[F.fictitious_director])
        emit(events, E.fictitious, stars(s, at), favourites(s, at), wrong_sexes(s, at), points, fictitious_total(s))
    if s[F.ending] == END.fictitious:
        emit(events, E.lost)
    elif s[F.ending] == END.tied:
        tell_tie(s, events)
    else:
        emit(events, E.wins, lowest(winners(s)))


@compiled
def ending(s: Row) -> int:
    """The way the match ended."""
    return s[F.ending]


@compiled
def score(s: Row, seat: Seat, parts: Row) -> int:
    """The points of a seat on the table, part by part; roles count once they are shown."""
    parts[0] = stars(s, F.troupe + seat * TROUPE)
    parts[1] = favourites(s, F.cast + seat * TROUPE)
    parts[2] = wrong_sexes(s, F.cast + seat * TROUPE)
    parts[3] = s[F.elements + seat]
    parts[4] = directed(s, seat)
    parts[5] = lost_point(s, seat)
    return total(s, seat)


@compiled
def total(s: Row, seat: Seat) -> int:
    """The sum of the parts."""
    at = F.cast + seat * TROUPE
    sung = stars(s, F.troupe + seat * TROUPE) + favourites(s, at) + wrong_sexes(s, at)
    return sung + s[F.elements + seat] + directed(s, seat) + lost_point(s, seat)


# §8.1 Stars. The six singers of a troupe stand in the row from `at` on; where nobody stands, nothing counts.


@compiled
def stars(s: Row, at: int) -> int:
    """A point for each star."""
    points = 0
    for i in range(at, at + TROUPE):
        if s[i] != NONE:
            points += STARS[s[i]]
    return points


# §8.2 Favourite roles.


@compiled
def favourites(s: Row, at: int) -> int:
    """A point for each singer who sings the favourite role."""
    points = 0
    for role in range(TROUPE):
        if s[at + role] != NONE and FAVOURITE[s[at + role]] == role:
            points += 1
    return points


# §8.3 Wrong sexes.


@compiled
def wrong_sexes(s: Row, at: int) -> int:
    """A point less for each woman in a man's role and each man in a woman's; never for the undetermined."""
    # Ruling: a favourite role of the other sex counts both ways, and so for nothing.
    points = 0
    for role in range(TROUPE):
        if s[at + role] != NONE and SEX[s[at + role]] != UNDETERMINED and SEX[s[at + role]] != ROLE_SEX[role]:
            points -= 1
    return points


# §8.4 Stage elements. A point each: the field holds their number. Money left in the hand is worth nothing.


# §8.5 The director's points.


@compiled
def directed(s: Row, seat: Seat) -> int:
    """The points that the seat's director gives or takes for its troupe."""
    # Ruling: directors look at who is in the troupe, never at who sings which role.
    return director_points(s, F.troupe + seat * TROUPE, s[F.director + seat])


@compiled
def director_points(s: Row, at: int, director: int) -> int:
    """The sum of a director's terms."""
    if director == NONE:
        return 0
    points = 0
    for term in range(FIRST_TERM[director], FIRST_TERM[director + 1]):
        kind = TERM_KIND[term]
        number = term_number(s, at, term)
        if kind == PER:
            points += TERM_POINTS[term] * number
        elif kind == AT_LEAST:
            if number >= TERM_N[term]:
                points += TERM_POINTS[term]
        elif kind == FEWER_THAN:
            if number < TERM_N[term]:
                points += TERM_POINTS[term]
        else:
            points += TERM_VALUES[term * (TROUPE + 1) + number]
    return points


@compiled
def term_number(s: Row, at: int, term: int) -> int:
    """The number that a term goes by: how many singers it counts, or the number its table is read at."""
    number = 0
    if TERM_KIND[term] != BY_NUMBER:
        for i in range(at, at + TROUPE):
            if s[i] != NONE:
                number += TERM_MATCHES[term * SINGERS + s[i]]
    elif TERM_STATISTIC[term] == WOMEN:
        for i in range(at, at + TROUPE):
            if s[i] != NONE and SEX[s[i]] == FEMALE:
                number += 1
    else:
        # How many singers each category has, three bits each.
        counts = 0
        for i in range(at, at + TROUPE):
            if s[i] != NONE:
                counts += 1 << 3 * CATEGORY[s[i]]
        for category in range(CATEGORIES):
            same = counts >> 3 * category & 7
            if TERM_STATISTIC[term] == MAX_SAME_CATEGORY:
                number = max(number, same)
            elif same > 0:
                number += 1
    return number


# §8.6 Who wins.


@compiled
def winners(s: Row) -> int:
    """The players with most points; nobody if the fictitious troupe has beaten both players (§9.4)."""
    # Ruling: a total may be below zero.
    if s[F.ending] == 0 or s[F.ending] == END.fictitious:
        return 0
    best = highest_totals(s)
    return best if ones(best) == 1 else break_tie(s, best)


@compiled
def highest_totals(s: Row) -> int:
    """The seats that nobody has more points than."""
    best = 0
    most = 0
    for seat in range(s[F.seats]):
        points = total(s, seat)
        if best == 0 or points > most:
            best = 1 << seat
            most = points
        elif points == most:
            best |= 1 << seat
    return best


# §8.7 Ties.


@compiled
def break_tie(s: Row, tied: int) -> int:
    """Among equals the stars alone decide; who is equal in these too shares the victory."""
    # Ruling: favourite roles, wrong sexes, stage elements, director and Puccini's lost point do not count here.
    best = 0
    most = 0
    for seat in range(s[F.seats]):
        if tied >> seat & 1:
            points = stars(s, F.troupe + seat * TROUPE)
            if points > most:
                best = 1 << seat
                most = points
            elif points == most:
                best |= 1 << seat
    return best


@compiled
def tell_tie(s: Row, events: Events) -> None:
    """An event that says how a tie was broken, or that it was not."""
    tied = highest_totals(s)
    best = break_tie(s, tied)
    points = total(s, lowest(best))
    most = stars(s, F.troupe + lowest(best) * TROUPE)
    if ones(best) == 1:
        emit(events, E.settles, lowest(best), most, tied, points)
    else:
        emit(events, E.shares, best, most, tied, points)


# §8.8 Resigning. A matter of the match, not of the row: see core.Match.resign.


# §9 Two players.

# §9.1 The fictitious troupe.


@compiled
def join_fictitious(s: Row, card: int, events: Events) -> None:
    """The singers left over sing the six roles in the order they came; the director left over directs them."""
    if card < SINGERS:
        s[F.fictitious + slot_of(s[F.round])] = card
    else:
        s[F.fictitious_director] = card - SINGERS
    emit(events, E.joins, card)


# §9.2 Puccini's lost point.


@compiled
def lost_point(s: Row, seat: Seat) -> int:
    """Of two players, the one who has Puccini at the end loses a point."""
    # Ruling: that is the holder of the seventh round, for Puccini is not passed after it.
    return -1 if s[F.seats] == 2 and s[F.ending] != 0 and s[F.puccini] == seat else 0


# §9.3 The fictitious troupe's score.


@compiled
def fictitious_total(s: Row) -> int:
    """Stars, favourite roles, wrong sexes and director count as for anybody; it has no stage elements."""
    at = F.fictitious
    sung = stars(s, at) + favourites(s, at) + wrong_sexes(s, at)
    return sung + director_points(s, at, s[F.fictitious_director])


# §9.4 When both players lose.


@compiled
def is_beaten_by_fictitious(s: Row) -> bool:
    """The fictitious troupe wins if it has more points than each of the two players; asked when the match has ended."""
    # Ruling: it must have strictly more than both, after Puccini's lost point.
    return fictitious_total(s) > max(total(s, 0), total(s, 1))


# §10 Options.

# §10.1 Blind auditions.


@compiled
def lay_blind(s: Row, seat: Seat) -> None:
    """All lay at once and nothing is seen until the last is in, but who still owes."""
    # Ruling: the bluff card may still be laid, but it does nothing.
    s[F.owing] = s[F.owing] & ~(1 << seat)


# What a seat cannot know, and what must always hold.


@compiled
def redeal(s: Row, seat: Seat, dice: Dice) -> None:
    """Other seats have laid any choice that looks the same, and have cast any of their singers."""
    for other in range(MOST):
        if s[F.pending + other] == HIDDEN:
            s[F.pending + other] = NONE
            if s[F.asked] == AUDITION and other < s[F.seats]:
                if s[F.blind]:
                    if not s[F.owing] >> other & 1:
                        s[F.pending + other] = any_choice(s, other, dice)
                elif s[F.laid + other] > 0:
                    s[F.pending + other] = any_choice_of(s, other, s[F.laid + other], dice)
        at = other * TROUPE
        if s[F.casting + at] == HIDDEN:
            for role in range(TROUPE):
                s[F.casting + at + role] = NONE
            if s[F.asked] == CAST and other < s[F.seats]:
                free = (1 << TROUPE) - 1
                for role in range(s[F.assigned + other]):
                    slot = draw_from(dice, free)
                    free &= ~(1 << slot)
                    s[F.casting + at + role] = s[F.troupe + at + slot]


@compiled
def any_choice(s: Row, seat: Seat, dice: Dice) -> int:
    """One of all the choices that a seat has, each as likely."""
    sums = s[F.money + seat] + 1
    ways = 2 if HAS_BLUFF else 1
    bids = (s[F.seats] + 1) * sums * ways
    n = draw(dice, bids + (ways if sums > 1 else 0))
    if n >= bids:
        return A.money + n - bids
    return A.bid + n // (ways * sums) * 8 + n % (ways * sums) * (3 - ways)


@compiled
def any_choice_of(s: Row, seat: Seat, cards: int, dice: Dice) -> int:
    """One of the choices that a seat has with so many cards, each as likely."""
    money = s[F.money + seat]
    numbers = s[F.seats] + 1
    plain = numbers if cards - 1 <= money else 0
    bluffed = numbers if HAS_BLUFF and cards >= 2 and cards - 2 <= money else 0
    alone = 1 if cards <= (2 if HAS_BLUFF else 1) and money > 0 else 0
    n = draw(dice, plain + bluffed + alone)
    if n < plain:
        return A.bid + n * 8 + (cards - 1) * 2
    if n < plain + bluffed:
        return A.bid + (n - plain) * 8 + (cards - 2) * 2 + 1
    return A.money + cards - 1


@compiled
def check(s: Row) -> int:
    """Every broken invariant, one bit each."""
    faults = 0
    seats = s[F.seats]
    asked = s[F.asked]
    singing = s[F.round] != DIRECTOR_ROUND
    recruiting = asked < CAST

    # The question fits the round; every troupe has so many singers from the rounds before.
    before = slot_of(s[F.round])
    fits = True
    if not recruiting:
        fits = s[F.round] == ROUNDS
        before = TROUPE
    elif asked > UNDERSTUDY:
        fits = s[F.round] < DIRECTOR_ROUND
    if not fits or (s[F.ending] != 0) != (asked == NOTHING):
        faults |= 1 << BROKEN.question

    # Who owes a decision.
    named = s[F.named] != NONE
    if s[F.puccini] >= seats or (s[F.owing] | s[F.lacking]) & ~everybody(s) or named != (asked == STRIKE):
        fits = False
    elif asked == AUDITION:
        fits = s[F.owing] != 0 and (s[F.blind] != 0 or ones(s[F.owing]) == 1)
    elif asked == STRIKE:
        fits = s[F.owing] == 1 << s[F.named] and s[F.named] != s[F.puccini]
    elif recruiting:
        fits = s[F.owing] == 1 << s[F.puccini]
    else:
        fits = (s[F.owing] != 0) == (asked == CAST)
    if not fits or (s[F.lacking] != 0) != (asked == UNDERSTUDY):
        faults |= 1 << BROKEN.owing

    # Singers: each in one place at most, and the pile and the lost ones as many as the rounds make them.
    seen = 0
    twice = False
    pile = 0
    for singer in range(SINGERS):
        if s[F.pile + singer]:
            seen |= 1 << singer
            pile += 1
    for i in range(6 + (MOST + 1) * TROUPE):
        if i < 6:
            card = s[F.offer + i]
        elif i < 6 + TROUPE:
            card = s[F.fictitious + i - 6]
        else:
            card = s[F.troupe + i - 6 - TROUPE]
        if card != NONE and card < SINGERS:
            twice = twice or seen >> card & 1 != 0
            seen |= 1 << card
    dealt = before + 1 if singing and before < TROUPE else before
    if twice or pile != SINGERS - dealt * (seats + 1):
        faults |= 1 << BROKEN.singers

    # Directors: the same; one is struck at the end of each of the first three rounds.
    hired = 0
    twice = False
    for i in range(MOST + 7):
        if i < MOST:
            director = s[F.director + i]
        elif i == MOST:
            director = s[F.fictitious_director]
        else:
            director = s[F.offer + i - MOST - 1] - SINGERS
        if director >= 0:
            twice = twice or (hired | s[F.pool]) >> director & 1 != 0
            hired |= 1 << director
    if twice or ones(s[F.pool]) != (DIRECTORS + 1 - s[F.round] if s[F.round] < DIRECTOR_ROUND else 0):
        faults |= 1 << BROKEN.directors

    # What lies under the roles: as many cards as seats that lack one, and one more; in an audition from the first role on.
    cards = 0
    fits = True
    for position in range(6):
        card = s[F.offer + position]
        if card != NONE:
            cards += 1
            fits = fits and (card < SINGERS) == singing and position <= seats
        elif asked == AUDITION and position <= seats:
            fits = False
    if asked == AUDITION:
        expected = seats + 1
    elif recruiting:
        expected = ones(s[F.lacking]) + 1
    else:
        expected = 0
    if not fits or cards != expected:
        faults |= 1 << BROKEN.offer

    # Troupes: a singer from each singers' round, a director from round 4 on, unless this round's card is still to come.
    fits = True
    for seat in range(seats):
        has = asked != AUDITION and not s[F.lacking] >> seat & 1
        for slot in range(TROUPE):
            full = slot < before or (slot == before and singing and has)
            fits = fits and (s[F.troupe + seat * TROUPE + slot] != NONE) == full
        fits = fits and (s[F.director + seat] != NONE) == (s[F.round] > DIRECTOR_ROUND or (not singing and has))
    if not fits:
        faults |= 1 << BROKEN.troupes

    # The fictitious troupe has a card from every finished round.
    fits = True
    for slot in range(TROUPE):
        fits = fits and (s[F.fictitious + slot] != NONE) == (seats == 2 and slot < before)
    if not fits or (s[F.fictitious_director] != NONE) != (seats == 2 and (s[F.round] > DIRECTOR_ROUND or not recruiting)):
        faults |= 1 << BROKEN.fictitious

    # Money, cards laid and shown, castings, seat by seat.
    shows = recruiting and asked != AUDITION
    waiting = False
    seat = s[F.puccini]
    for _ in range(seats):
        if s[F.money + seat] + s[F.spent + seat] + s[F.elements + seat] != MONEY:
            faults |= 1 << BROKEN.money
        pending = s[F.pending + seat]
        owes = s[F.owing] >> seat & 1 != 0
        waiting = waiting or (asked == AUDITION and owes and not s[F.blind])
        if asked != AUDITION or owes or waiting:
            fits = pending == NONE and s[F.laid + seat] == 0
        else:
            fits = pending != NONE and s[F.laid + seat] == (0 if s[F.blind] else cards_in(pending))
            fits = fits and money_in(pending) <= s[F.money + seat] and (not is_bid(pending) or position_of(pending) <= seats)
        if not fits:
            faults |= 1 << BROKEN.laid
        shown = s[F.shown + seat]
        if (shown != NONE) != shows or (is_bid(shown) and position_of(shown) > seats):
            faults |= 1 << BROKEN.shown
        if not is_well_cast(s, seat):
            faults |= 1 << BROKEN.casting
        seat = left_of(s, seat) if seat < seats else 0

    for seat in range(seats, MOST):
        empty = s[F.money + seat] == 0 and s[F.spent + seat] == 0 and s[F.elements + seat] == 0
        empty = empty and s[F.laid + seat] == 0 and s[F.assigned + seat] == 0 and s[F.director + seat] == NONE
        empty = empty and s[F.pending + seat] == NONE and s[F.shown + seat] == NONE
        for i in range(seat * TROUPE, seat * TROUPE + TROUPE):
            empty = empty and s[F.troupe + i] == NONE and s[F.casting + i] == NONE and s[F.cast + i] == NONE
        if not empty:
            faults |= 1 << BROKEN.absent

    if faults == 0 and asked == NOTHING:
        right = END.finished
        if seats == 2 and is_beaten_by_fictitious(s):
            right = END.fictitious
        elif ones(highest_totals(s)) > 1:
            right = END.tied
        if s[F.ending] != right:
            faults |= 1 << BROKEN.ending
    return faults


@compiled
def is_well_cast(s: Row, seat: Seat) -> bool:
    """Whether a seat's roles, cast so far and shown in the end, go to different singers of its troupe."""
    asked = s[F.asked]
    assigned = s[F.assigned + seat]
    if asked == CAST:
        if (assigned < TROUPE) != (s[F.owing] >> seat & 1 != 0):
            return False
    elif assigned != (TROUPE if asked == NOTHING else 0):
        return False
    used = 0
    for role in range(TROUPE):
        pending = s[F.casting + seat * TROUPE + role]
        shown = s[F.cast + seat * TROUPE + role]
        if (pending != NONE) != (asked == CAST and role < assigned) or (shown != NONE) != (asked == NOTHING):
            return False
        singer = max(pending, shown)
        if singer != NONE:
            if not is_own(s, seat, singer) or used >> singer & 1:
                return False
            used |= 1 << singer
    return True
