"""Opera: the rulebook in order, as functions over one row."""

from __future__ import annotations

from ridotto.engine.build import compiled
from ridotto.engine.dice import allow, clear, draw, draw_from, emit, ones
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
from ridotto.games.opera.components import (
    CITIES,
    COMPOSERS,
    COPIES,
    DUCATS,
    FEE,
    HALLS,
    INCOME,
    MOST_HALLS,
    OPENS_AFTER,
    PART_NAMES,
    PIECES,
    ROLES,
    STANDING,
)

VERSION = 2
"""Version 1: of two pieces the dearer was bought first, of two parts the earlier in the order of the cities built first."""
SEATS = (2, 4)
MOST_SEATS = 4
NONE = -1
IMPRESARIO, ARCHITETTO, SIGNORA, MAESTRO, CRITICO, ESPERTO = range(6)
HOUSE = 6
"""The piece of the house composer, after the pieces 0 to 5 of the composers."""
FAMOUS = 0x3F
"""The pieces that have fame, as a set."""
ROUNDS, SHORT_ROUNDS = 9, 7
TOP_LEVEL = 10
TOP_FAME = 6
START_DUCATS = 20
A_HALL = 2
"""Ducats that a hall costs, and points that it brings."""
ALL_ROLES = 0x3F
"""The six role cards, as a set."""
ENDLESS = 30000
"""A purse that never stands in the way: for what everybody can see of a seat."""
BUILDING, SALES, EXPERTISE, GREAT, CENTURY, EMPTY = range(6)
"""The sources of points."""

ALL_ENDED, ALL_TAKEN, TOO_LOW = range(3)
"""The ends of an action phase: pass discs on all markers, all roles taken, the highest marker too low for one that is left."""

# What can be asked of a player.
BID, HIRE, BUY, BUILD, SELL, PAY, MOVE, REVIEW, SCORE, REARRANGE, STAGE, NOTHING = range(12)

SEAT = seats_kind(MOST_SEATS)
COMPANY = set_of(SEAT)
COMPOSER = Kind("composer", COMPOSERS)
CAST = set_of(COMPOSER)
PIECE = Kind("piece", (*COMPOSERS, "house"))
PROGRAMME = set_of(PIECE)
CITY = Kind("city", CITIES)
PART = Kind("part", PART_NAMES)
SITE = set_of(PART)
ROLE = Kind("role", ROLES)
CARDS = set_of(ROLE)
FIGURE = Kind("figure", ("maestro", "critico", "esperto"))
SOURCE = Kind("source", ("screen", *CITIES))
PLACE = Kind("place", ("1", "2", "3", "4"))
COUNT = Kind("count", ("1", "2", "3"))
STEPS = Kind("steps", ("1", "2"))
STAKE = Kind("stake", tuple(str(ducats) for ducats in range(TOP_LEVEL + 1)))
PAYMENT = Kind("payment", ("ducats", "points"))
CLOSING = Kind("closing", ("all_ended", "all_taken", "too_low"))
ASKED = Kind(
    "question", ("bid", "hire", "buy", "build", "sell", "pay", "move", "review", "score", "rearrange", "stage", "nothing")
)

OPTIONS = (
    Option("screens", "11.1", "0: ducats and pieces behind a screen are shown to their owner alone; 1: to everybody"),
    Option("seven_rounds", "11.2", "seven rounds instead of nine, with counts after rounds 3, 5 and 7"),
    Option("dutch_esperto", "11.3", "when the last in points hires the Esperto, the piece leaves the game"),
    Option("literal_rearranging", "11.4", "with two players, playing along to rearrange only costs a level"),
)

ENDINGS = Codes.of(
    "Endings",
    Named("last_count", "9.1", "the third count is over, after nine rounds"),
    Named("short_count", "11.2", "the third count is over, after seven rounds"),
)
END = ENDINGS.codes

PARTS = Codes.of(
    "Parts",
    Named("building", "5.2", "halls built"),
    Named("signora", "5.3", "pieces sold to the Palazzo for points"),
    Named("esperto", "5.6", "pieces in the Esperto's city"),
    Named("great", "8.2", "fame in great halls"),
    Named("century", "8.3", "Composers of the Century in great halls"),
    Named("empty", "8.4", "empty halls"),
)
ORIGIN = Kind("origin", tuple(part.name for part in PARTS))

FIELDS = Fields.of(
    VERSION,
    SEATS,
    OPTIONS,
    Field("round", NUMBER, "round being played, or the last one", low=1, high=ROUNDS),
    Field("counts", NUMBER, "counting rounds held", high=3),
    Field("asked", ASKED, "what must be decided"),
    Field("turn", SEAT, "seat that must decide; none while bids are made", low=NONE),
    Field("role", ROLE, "role being played", low=NONE),
    Field("hirer", SEAT, "seat that hired it", low=NONE),
    Field("flipped", COMPANY, "seats that are done with this role: their markers show the cross"),
    Field("passed", COMPANY, "seats that have ended their performance: pass discs"),
    Field("taken", CARDS, "role cards taken in this round"),
    Field("hired", NUMBER, "roles hired by each seat in this round", of=(SEAT,), high=4),
    Field(
        "order",
        SEAT,
        "the budget table read from top to bottom and from left to right",
        of=(PLACE,),
        low=NONE,
        live=lambda seats: seats,
    ),
    Field("level", NUMBER, "budget level of each seat", of=(SEAT,), high=TOP_LEVEL),
    Field("has_bid", COMPANY, "seats whose bid is in"),
    Field("bid", NUMBER, "bid of each seat, -1 for none", of=(SEAT,), low=NONE, high=TOP_LEVEL, audience="owner", live=0),
    Field("points", NUMBER, "victory points of each seat", of=(SEAT,), low=-999, high=999),
    Field("earned", NUMBER, "those points by their origin", of=(SEAT, ORIGIN), low=-999, high=999),
    Field("ducats", NUMBER, "purse of each seat", of=(SEAT,), high=9999, audience="remembered"),
    Field("bank", NUMBER, "ducats of the box that nobody has; below zero when more are needed", low=-9999, high=DUCATS),
    Field("fame", NUMBER, "step of each composer on the fame ladder", of=(COMPOSER,), low=1, high=TOP_FAME),
    Field("century", COMPOSER, "the Composers of the Century", of=(COUNT,)),
    Field("deck", NUMBER, "pieces still to be drawn", of=(COMPOSER,), high=PIECES),
    Field("discard", NUMBER, "pieces on the discard pile", of=(COMPOSER,), high=PIECES),
    Field("offer", NUMBER, "pieces for sale", of=(COMPOSER,), high=3),
    Field("lost", NUMBER, "pieces that have left the game", of=(COMPOSER,), high=PIECES),
    Field("palazzo", CAST, "pieces performed at the Palazzo, one of a composer at most"),
    Field("figure", CITY, "city of each figure; none before its first move", of=(FIGURE,), low=NONE),
    Field("supply", NUMBER, "building parts left beside the board", of=(CITY, PART), high=MOST_SEATS),
    Field("built", SITE, "building parts of each seat", of=(SEAT, CITY)),
    Field("halls", NUMBER, "halls of each house", of=(SEAT, CITY), high=MOST_HALLS),
    Field("great", PIECE, "piece in the great hall of each house", of=(SEAT, CITY), low=NONE),
    Field("side", PROGRAMME, "pieces in its other halls", of=(SEAT, CITY)),
    Field("screen", NUMBER, "pieces behind each seat's screen", of=(SEAT, PIECE), high=PIECES, audience="remembered"),
    Field("first", NUMBER, "price of the piece or number of the part this seat took first; -1 for none", low=NONE, high=23),
    Field("sold", COMPOSER, "piece just sold to the Palazzo and not paid for", low=NONE),
    Field("city", CITY, "house being filled", low=NONE),
    Field("hall", NUMBER, "hall being filled there, 0 is the great hall", high=MOST_HALLS - 1),
    Field("ending", NUMBER, "how the match ended, 0 while it goes on", high=len(ENDINGS), live=0),
)
F = FIELDS.F
QUESTION, ROUND = F.asked, F.round

ACTIONS = Actions.of(
    Action("bid", "3.1", "bid ducats for budget levels", (STAKE,), audience="owner"),
    Action("hire", "4.2", "hire a role", (ROLE,)),
    Action("end", "4.5", "end the performance: no more roles and no playing along in this round"),
    Action("decline", "4.4", "do not play along, or do not score with the Esperto"),
    Action("stop", "5.1", "buy or build no more"),
    Action("buy", "5.1", "buy a piece", (COMPOSER,)),
    Action("keep", "5.7", "keep every piece where it is"),
    Action("empty", "5.7", "leave the great hall empty, or this and all further halls of the house"),
    Action("place", "5.7", "put a piece into the hall being filled", (PIECE,)),
    Action("build", "5.2", "build a part", (CITY, PART)),
    Action("sell", "5.3", "sell a piece from behind the screen or out of a house", (COMPOSER, SOURCE)),
    Action("take", "5.3", "be paid in ducats or in points", (PAYMENT,)),
    Action("move", "5.8", "move the figure to a city", (CITY,)),
    Action("withhold", "5.5", "leave the fame ladder as it is"),
    Action("praise", "5.5", "raise a composer by steps", (COMPOSER, STEPS)),
    Action("scorn", "5.5", "lower a composer by steps", (COMPOSER, STEPS)),
    Action("score", "5.6", "score in the Esperto's city and give up the best piece there"),
)
A = ACTIONS.A
# A family ends where the next begins: `apply`, `refuses` and `legal` go by this order.
assert " ".join(A._fields[:9]) == "bid hire end decline stop buy keep empty place"
assert " ".join(A._fields[9:]) == "build sell take move withhold praise scorn score"
# These are allowed together, in one number.
assert (A.empty, A.place) == (A.keep + 1, A.keep + 2)
assert (A.praise, A.scorn) == (A.withhold + 1, A.withhold + 13)
SOURCES = len(SOURCE)

EVENTS = EventCodes.of(
    Event("stands", "2.3", "a composer starts on the fame ladder", (Arg("composer", COMPOSER), Arg("fame", NUMBER))),
    Event(
        "lays_out",
        "2.4",
        "pieces drawn for the first offer, and those set aside beyond the most of a composer",
        (Arg("composer", COMPOSER), Arg("pieces", NUMBER), Arg("aside", NUMBER)),
    ),
    Event("century", "2.5", "a Composer of the Century is drawn", (Arg("count", NUMBER), Arg("composer", COMPOSER))),
    Event("repeats", "2.5", "a composer drawn before goes to the discard pile", (Arg("composer", COMPOSER),)),
    Event("starts", "2.7", "the start player is drawn by lot", (Arg("seat", SEAT),)),
    Event("funded", "2.6", "a seat gets its first ducats", (Arg("seat", SEAT), Arg("ducats", NUMBER))),
    Event("opens", "3.1", "a round begins", (Arg("round", NUMBER),)),
    Event("bids", "3.1", "a bid is shown", (Arg("seat", SEAT), Arg("ducats", NUMBER), Arg("level", NUMBER))),
    Event("hires", "4.2", "a role is hired", (Arg("seat", SEAT), Arg("role", ROLE), Arg("level", NUMBER))),
    Event(
        "joins",
        "4.3",
        "a seat plays along, and pays a fee for the piece, the part or the rearranging",
        (Arg("seat", SEAT), Arg("role", ROLE), Arg("fee", NUMBER), Arg("level", NUMBER)),
    ),
    Event("declines", "4.4", "a seat does not play along", (Arg("seat", SEAT), Arg("role", ROLE))),
    Event("ends", "4.5", "a seat ends its performance", (Arg("seat", SEAT),)),
    Event("spent", "4.5", "a seat that has hired all it may ends its performance", (Arg("seat", SEAT), Arg("roles", NUMBER))),
    Event("forced", "4.5", "a seat to which no role is of use ends its performance", (Arg("seat", SEAT),)),
    Event("closes", "4.6", "the action phase ends", (Arg("why", CLOSING),)),
    Event("buys", "5.1", "a piece is bought", (Arg("seat", SEAT), Arg("composer", COMPOSER), Arg("ducats", NUMBER))),
    Event("rearranges", "5.1", "a seat that plays along buys nothing", (Arg("seat", SEAT),)),
    Event(
        "builds",
        "5.2",
        "a part is built",
        (Arg("seat", SEAT), Arg("city", CITY), Arg("part", PART), Arg("halls", NUMBER)),
    ),
    Event(
        "sells",
        "5.3",
        "a piece goes to the Palazzo",
        (Arg("seat", SEAT), Arg("composer", COMPOSER), Arg("source", SOURCE)),
    ),
    Event("paid", "5.3", "it is paid in ducats", (Arg("seat", SEAT), Arg("composer", COMPOSER), Arg("ducats", NUMBER))),
    Event("honoured", "5.3", "it is paid in points", (Arg("seat", SEAT), Arg("composer", COMPOSER), Arg("points", NUMBER))),
    Event("judges", "5.5", "the Critico moves a composer", (Arg("seat", SEAT), Arg("composer", COMPOSER), Arg("fame", NUMBER))),
    Event("shifts", "5.5", "a composer is passed on the ladder", (Arg("composer", COMPOSER), Arg("fame", NUMBER))),
    Event("withholds", "5.5", "the Critico leaves the ladder as it is", (Arg("seat", SEAT),)),
    Event("scores", "5.6", "pieces in the Esperto's city score", (Arg("seat", SEAT), Arg("city", CITY), Arg("points", NUMBER))),
    Event(
        "gives",
        "5.6",
        "the best piece goes behind another screen",
        (Arg("seat", SEAT), Arg("composer", COMPOSER), Arg("receiver", SEAT)),
    ),
    Event("discards", "5.6", "the best piece goes to the discard pile", (Arg("seat", SEAT), Arg("composer", COMPOSER))),
    Event("abstains", "5.6", "a seat does not score with the Esperto", (Arg("seat", SEAT),)),
    Event("loses", "11.3", "the best piece leaves the game", (Arg("seat", SEAT), Arg("composer", COMPOSER))),
    Event("keeps", "5.7", "every piece stays where it is", (Arg("seat", SEAT),)),
    Event(
        "stages",
        "5.7",
        "a house has its new programme",
        (Arg("seat", SEAT), Arg("city", CITY), Arg("great", PIECE), Arg("side", PROGRAMME)),
    ),
    Event("moves", "5.8", "a figure goes to a city", (Arg("seat", SEAT), Arg("figure", FIGURE), Arg("city", CITY))),
    Event(
        "earns",
        "6.1",
        "income by the table, for so many pieces",
        (Arg("seat", SEAT), Arg("pieces", NUMBER), Arg("ducats", NUMBER)),
    ),
    Event(
        "doubles",
        "6.2",
        "the Maestro's city pays twice",
        (Arg("seat", SEAT), Arg("city", CITY), Arg("ducats", NUMBER)),
    ),
    Event("most", "7.1", "the composers performed most", (Arg("composers", CAST), Arg("times", NUMBER))),
    Event("climbs", "7.1", "a composer rises or falls", (Arg("composer", COMPOSER), Arg("fame", NUMBER))),
    Event("unsold", "7.2", "pieces nobody bought are discarded", (Arg("composer", COMPOSER), Arg("pieces", NUMBER))),
    Event(
        "offers",
        "7.2",
        "pieces drawn for the new offer, and those set aside",
        (Arg("composer", COMPOSER), Arg("pieces", NUMBER), Arg("aside", NUMBER)),
    ),
    Event("reshuffles", "7.2", "the discard pile is shuffled and becomes the deck", (Arg("pieces", NUMBER),)),
    Event(
        "adds",
        "7.2",
        "pieces drawn for the new offer after that, and those set aside",
        (Arg("composer", COMPOSER), Arg("pieces", NUMBER), Arg("aside", NUMBER)),
    ),
    Event("empties", "7.4", "a full Palazzo is emptied", (Arg("composers", CAST),)),
    Event("bonus", "7.5", "a ducat for a marker on level 0", (Arg("seat", SEAT),)),
    Event("counting", "8.1", "a counting round is held", (Arg("count", NUMBER), Arg("composer", COMPOSER))),
    Event("counts", "8.2", "points for great halls", (Arg("seat", SEAT), Arg("points", NUMBER), Arg("total", NUMBER))),
    Event(
        "celebrates",
        "8.3",
        "points for the Composer of the Century in great halls",
        (Arg("seat", SEAT), Arg("points", NUMBER), Arg("total", NUMBER)),
    ),
    Event("forfeits", "8.4", "points lost for empty halls", (Arg("seat", SEAT), Arg("points", NUMBER), Arg("total", NUMBER))),
    Event("clears", "8.5", "the Palazzo is emptied after a count", (Arg("composers", CAST),)),
    Event("reveals", "8.5", "a city opens", (Arg("city", CITY),)),
    Event("wins", "9.2", "the match is over", (Arg("seat", SEAT), Arg("points", NUMBER))),
)
E = EVENTS.E

REASONS = Codes.of(
    "Reasons",
    Named("over", "9"),
    Named("wait", "4.1"),
    Named("not_asked", "4.1"),
    Named("too_much", "3.1"),
    Named("too_high", "3.1"),
    Named("role_taken", "4.2"),
    Named("no_budget", "4.2"),
    Named("no_site", "5.2"),
    Named("no_part", "5.2"),
    Named("palazzo_full", "5.3"),
    Named("nothing_to_sell", "5.3"),
    Named("no_level", "4.3"),
    Named("hirer", "4.4"),
    Named("begun", "4.4"),
    Named("not_offered", "5.1"),
    Named("dearer_first", "5.1"),
    Named("too_dear", "5.1"),
    Named("must_build", "5.2"),
    Named("city_closed", "5.2"),
    Named("no_copy", "5.2"),
    Named("built_already", "5.2"),
    Named("no_main", "5.2"),
    Named("earlier_part", "5.2"),
    Named("part_dear", "5.2"),
    Named("at_palazzo", "5.3"),
    Named("not_there", "5.3"),
    Named("not_performed", "5.5"),
    Named("ladder_end", "5.5"),
    Named("begun_placing", "5.7"),
    Named("not_in_hand", "5.7"),
    Named("twice", "5.7"),
    Named("earlier_piece", "5.7"),
    Named("same_city", "5.8"),
    Named("no_place", "5.8"),
)
R = REASONS.codes

FAULTS = Codes.of(
    "Faults",
    Named("question", "4.1", "what is asked does not fit the role, the seats and the round"),
    Named("round", "7.6", "round, counts and ending do not fit each other"),
    Named("order", "3.2", "the budget table does not show each seat once, from high to low"),
    Named("bids", "3.1", "a bid is missing, too many, or more than its seat may bid"),
    Named("roles", "4.2", "the role cards taken do not fit the roles hired"),
    Named("points", "9.2", "a seat's points are not the sum of where they come from"),
    Named("ducats", "2.6", "the ducats of the players and the bank do not add up to the box"),
    Named("ladder", "2.3", "two composers stand on one step of the fame ladder"),
    Named("century", "2.5", "the Composers of the Century are not three"),
    Named("pieces", "2.4", "a composer has not as many pieces as the box, or a house piece is missing or lies twice"),
    Named("offer", "7.2", "the offer is larger than the number of seats allows"),
    Named("palazzo", "5.3", "the Palazzo holds more pieces than the number of seats allows"),
    Named("figures", "5.8", "more figures stand in a city than it has places"),
    Named("supply", "2.2", "the parts built and those left do not add up to the box"),
    Named("houses", "5.2", "a wing stands without its main, or a house in a closed city, or its halls are wrong"),
    Named("halls", "5.7", "a house has more pieces than halls, or two of one composer"),
    Named("empty_seats", "2.1", "a seat nobody sits on has something"),
)
BROKEN = FAULTS.codes


# The table of contents.


@compiled
def apply(s: Row, seat: Seat, action: int, dice: Dice, events: Events) -> None:
    """Do a legal action; when a seat is done, the next one is asked."""
    done = False
    if action < A.hire:
        done = bid(s, seat, action - A.bid, events)
    elif action < A.end:
        hire(s, seat, action - A.hire, events)
    elif action == A.end:
        done = end_performance(s, seat, events)
    elif action == A.decline:
        done = decline(s, seat, events)
    elif action == A.stop:
        done = stop(s, seat, events)
    elif action < A.keep:
        buy(s, seat, action - A.buy, events)
    elif action == A.keep:
        done = keep(s, seat, events)
    elif action == A.empty:
        done = leave_empty(s, seat, events)
    elif action < A.build:
        done = place(s, seat, action - A.place, events)
    elif action < A.sell:
        done = build(s, seat, action - A.build, events)
    elif action < A.take:
        sell(s, seat, (action - A.sell) // SOURCES, (action - A.sell) % SOURCES, events)
    elif action < A.move:
        done = take(s, seat, action - A.take, events)
    elif action < A.withhold:
        done = move(s, seat, action - A.move, events)
    elif action == A.withhold:
        done = withhold(s, seat, events)
    elif action < A.scorn:
        done = judge(s, seat, (action - A.praise) >> 1, ((action - A.praise) & 1) + 1, events)
    elif action < A.score:
        done = judge(s, seat, (action - A.scorn) >> 1, -((action - A.scorn) & 1) - 1, events)
    else:
        done = join_esperto(s, seat, events)
    if done and not ask_next(s, seat):
        take_initiative(s, dice, events)


@compiled
def refuses(s: Row, seat: Seat, action: int) -> int:
    """The reason why an action is not allowed, or 0."""
    if s[F.ending] != 0:
        return R.over
    if not to_act(s) >> seat & 1:
        return R.wait
    if action < A.hire:
        return may_bid(s, seat, action - A.bid)
    if action < A.end:
        return may_hire(s, seat, action - A.hire)
    if action == A.end:
        return may_end(s)
    if action == A.decline:
        return may_decline(s, seat)
    if action == A.stop:
        return may_stop(s, seat)
    if action < A.keep:
        return may_buy(s, seat, action - A.buy)
    if action == A.keep:
        return may_keep(s)
    if action == A.empty:
        return may_leave_empty(s)
    if action < A.build:
        return may_place(s, seat, action - A.place)
    if action < A.sell:
        return may_build(s, seat, action - A.build)
    if action < A.take:
        return may_sell(s, seat, (action - A.sell) // SOURCES, (action - A.sell) % SOURCES)
    if action < A.move:
        return may_take(s)
    if action < A.withhold:
        return may_move(s, action - A.move)
    if action == A.withhold:
        return may_withhold(s)
    if action < A.scorn:
        return may_judge(s, (action - A.praise) >> 1, ((action - A.praise) & 1) + 1)
    if action < A.score:
        return may_judge(s, (action - A.scorn) >> 1, -((action - A.scorn) & 1) - 1)
    return may_score(s)


@compiled
def legal(s: Row, seat: Seat, mask: Mask) -> None:
    """All that a seat may do now."""
    clear(mask)
    if not to_act(s) >> seat & 1:
        return
    asked = s[F.asked]
    if asked == STAGE:
        allow(mask, A.empty, 1 | placeable(s, seat) << 1)
    elif asked == REARRANGE:
        allow(mask, A.keep, 3 | pieces_of(s, seat) << 2)
    elif asked == BID:
        allow(mask, A.bid, (2 << most_bid(s, seat)) - 1)
    elif asked == HIRE:
        allow(mask, A.hire, hireable(s, seat) | 1 << (A.end - A.hire))
    elif asked == BUY:
        begun = s[F.first] != NONE
        along = s[F.hirer] != seat
        allow(mask, A.buy, for_sale(s, s[F.ducats + seat]))
        if begun or not along or s[F.level + seat] >= price_of_rearranging(s):
            allow(mask, A.stop, 1)
        if along and not begun:
            allow(mask, A.decline, 1)
    elif asked == BUILD:
        allow(mask, A.build, sites(s, seat, s[F.ducats + seat]))
        if s[F.first] != NONE:
            allow(mask, A.stop, 1)
        elif s[F.hirer] != seat:
            allow(mask, A.decline, 1)
    elif asked == SELL:
        wares = wares_of(s, seat)
        allow(mask, A.sell, wares & 0xFFFFFFF)
        allow(mask, A.sell + 28, wares >> 28)
        if s[F.hirer] != seat:
            allow(mask, A.decline, 1)
    elif asked == PAY:
        allow(mask, A.take, 3)
    elif asked == MOVE:
        allow(mask, A.move, destinations(s, s[F.role] - MAESTRO))
    elif asked == REVIEW:
        cast = performed_in(s, s[F.figure + CRITICO - MAESTRO])
        up = 0
        down = 0
        for composer in range(6):
            if cast >> composer & 1:
                fame = s[F.fame + composer]
                up |= min(3, (1 << (TOP_FAME - fame)) - 1) << 2 * composer
                down |= min(3, (1 << (fame - 1)) - 1) << 2 * composer
        allow(mask, A.withhold, 1 | up << 1 | down << 13)
    else:
        allow(mask, A.decline, 1)
        allow(mask, A.score, 1)


# §2 Setting up.


@compiled
def deal(s: Row, seats: int, options: Row, dice: Dice, events: Events) -> None:
    """Lay out the table, in the order of the rulebook."""
    # §2.1 Seats and colours. Red, blue, yellow, green, clockwise.
    if s[F.version] == 0:
        s[F.version] = VERSION
    s[F.seats] = seats
    s[F.screens] = options[0]
    s[F.seven_rounds] = options[1]
    s[F.dutch_esperto] = options[2]
    s[F.literal_rearranging] = options[3]
    s[F.turn] = NONE
    s[F.role] = NONE
    s[F.hirer] = NONE
    s[F.first] = NONE
    s[F.sold] = NONE
    s[F.city] = NONE
    for seat in range(MOST_SEATS):
        s[F.order + seat] = NONE
        s[F.bid + seat] = NONE
        for city in range(6):
            s[F.great + seat * 6 + city] = NONE

    # §2.2 The building parts. As many as the number of players allows; Venezia, Wien and Berlin are open.
    for site in range(24):
        s[F.supply + site] = COPIES[(seats - 2) * 24 + site]

    # §2.3 The fame ladder. The composers stand on its steps by chance.
    left = FAMOUS
    for step in range(6):
        composer = draw_from(dice, left)
        left &= ~(1 << composer)
        s[F.fame + composer] = TOP_FAME - step
        emit(events, E.stands, composer, TOP_FAME - step)

    # §2.4 The first offer. It is drawn like any later one.
    for composer in range(6):
        s[F.deck + composer] = PIECES
    fill_offer(s, E.lays_out, dice, events)

    # §2.5 The Composers of the Century. Three different ones from the same deck; repeats are discarded.
    total = 0
    for composer in range(6):
        total += s[F.deck + composer]
    chosen = 0
    count = 0
    while count < 3:
        composer = draw_piece(s, total, dice)
        total -= 1
        if chosen >> composer & 1:
            s[F.discard + composer] = s[F.discard + composer] + 1
            emit(events, E.repeats, composer)
        else:
            chosen |= 1 << composer
            s[F.century + count] = composer
            count += 1
            emit(events, E.century, count, composer)

    # §2.6 Ducats and points. Twenty for everybody, and up to three more in the order of play; no points.
    # §2.7 The start player. By lot; the markers start on level 0, clockwise from left to right.
    start = draw(dice, seats)
    emit(events, E.starts, start)
    s[F.bank] = DUCATS
    for place in range(seats):
        seat = (start + place) % seats
        s[F.order + place] = seat
        receive(s, seat, START_DUCATS + place)
        emit(events, E.funded, seat, START_DUCATS + place)

    # §2.8 The first opera house. Everybody has the main of Venezia, with their house piece in its great hall.
    for seat in range(seats):
        erect(s, seat, 0)
        s[F.great + seat * 6] = HOUSE

    # §2.9 The figures. They wait at their portraits, in no city.
    for figure in range(3):
        s[F.figure + figure] = NONE

    s[F.round] = 1
    open_round(s, events)


@compiled
def receive(s: Row, seat: Seat, ducats: int) -> None:
    """Ducats go from the bank to a seat, or back if there are less than none of them."""
    # Ruling (§2.6): the bank never runs out; below zero it owes coins that the box does not have.
    s[F.ducats + seat] = s[F.ducats + seat] + ducats
    s[F.bank] = s[F.bank] - ducats


@compiled
def gain(s: Row, seat: Seat, origin: int, points: int) -> None:
    """A seat's point marker moves."""
    s[F.points + seat] = s[F.points + seat] + points
    s[F.earned + seat * 6 + origin] = s[F.earned + seat * 6 + origin] + points


# §3 The budget phase.


@compiled
def open_round(s: Row, events: Events) -> None:
    """A round begins with bids."""
    s[F.asked] = BID
    s[F.turn] = NONE
    emit(events, E.opens, s[F.round])


@compiled
def to_act(s: Row) -> int:
    """Everybody who owes a bid; in the action phase the one seat whose turn it is."""
    if s[F.ending] != 0:
        return 0
    if s[F.asked] == BID:
        return ((1 << s[F.seats]) - 1) & ~s[F.has_bid]
    return 1 << s[F.turn]


# §3.1 Bids.


@compiled
def most_bid(s: Row, seat: Seat) -> int:
    """Nobody may bid more than they have, nor above level 10."""
    return min(s[F.ducats + seat], TOP_LEVEL - s[F.level + seat])


@compiled
def may_bid(s: Row, seat: Seat, ducats: int) -> int:
    """Everybody bids once, in secret; nothing is a bid too."""
    if s[F.asked] != BID:
        return R.not_asked
    if ducats > s[F.ducats + seat]:
        return R.too_much
    if ducats > TOP_LEVEL - s[F.level + seat]:
        return R.too_high
    return 0


@compiled
def bid(s: Row, seat: Seat, ducats: int, events: Events) -> bool:
    """A bid stays hidden until the last one is in; then all are shown and paid, and the markers move."""
    s[F.bid + seat] = ducats
    s[F.has_bid] = s[F.has_bid] | 1 << seat
    if to_act(s) != 0:
        return False
    raise_markers(s, events)
    s[F.has_bid] = 0
    for one in range(s[F.seats]):
        s[F.bid + one] = NONE
    return True


# §3.2 The budget table.


@compiled
def raise_markers(s: Row, events: Events) -> None:
    """In the order of the table each marker goes up by its bid."""
    waiting = (1 << s[F.seats]) - 1
    # A marker that moved stays above or beside its old place, so the next is the first one that has not moved.
    while waiting:
        at = 0
        while not waiting >> s[F.order + at] & 1:
            at += 1
        seat = s[F.order + at]
        waiting &= ~(1 << seat)
        ducats = s[F.bid + seat]
        receive(s, seat, -ducats)
        level = set_level(s, seat, s[F.level + seat] + ducats)
        emit(events, E.bids, seat, ducats, level)


@compiled
def set_level(s: Row, seat: Seat, level: int) -> int:
    """A marker goes to another level, to the right of those already there; the others close up."""
    # Ruling: each level is a list without gaps, so that the order of the table never turns round.
    if level == s[F.level + seat]:
        return level
    last = s[F.seats] - 1
    at = 0
    while s[F.order + at] != seat:
        at += 1
    while at < last:
        s[F.order + at] = s[F.order + at + 1]
        at += 1
    while at > 0 and s[F.level + s[F.order + at - 1]] < level:
        s[F.order + at] = s[F.order + at - 1]
        at -= 1
    s[F.order + at] = seat
    s[F.level + seat] = level
    return level


# §4 The action phase.

# §4.1 The initiative.


@compiled
def take_initiative(s: Row, dice: Dice, events: Events) -> None:
    """The highest seat in the table that has not ended its performance hires the next role."""
    while True:
        at = 0
        while at < s[F.seats] and s[F.passed] >> s[F.order + at] & 1:
            at += 1
        seat = s[F.order + at] if at < s[F.seats] else NONE
        if seat == NONE or is_closing(s, seat):
            close_actions(s, seat, dice, events)
            return
        if s[F.hired + seat] < most_roles(s) and openings(s, seat) != 0:
            s[F.turn] = seat
            s[F.asked] = HIRE
            return
        # With no role left to hire, a performance ends by itself (§4.5).
        s[F.passed] = s[F.passed] | 1 << seat
        if s[F.hired + seat] == most_roles(s):
            emit(events, E.spent, seat, s[F.hired + seat])
        else:
            emit(events, E.forced, seat)


# §4.2 Hiring a role.


@compiled
def openings(s: Row, seat: Seat) -> int:
    """The roles that a seat could hire for all that everybody can see."""
    # Ruling: a seat is passed over only for what everybody sees, never for its purse or its screen.
    roles = 0
    for role in range(6):
        if not s[F.taken] >> role & 1 and FEE[role] <= s[F.level + seat]:
            roles |= 1 << role
    if roles >> ARCHITETTO & 1 and sites(s, seat, ENDLESS) == 0:
        roles &= ~(1 << ARCHITETTO)
    if roles >> SIGNORA & 1 and is_palazzo_full(s):
        roles &= ~(1 << SIGNORA)
    return roles


@compiled
def hireable(s: Row, seat: Seat) -> int:
    """The roles that a seat can hire: with the Architetto it must build, with the Signora it must sell."""
    roles = openings(s, seat)
    if roles >> ARCHITETTO & 1 and sites(s, seat, s[F.ducats + seat]) == 0:
        roles &= ~(1 << ARCHITETTO)
    if roles >> SIGNORA & 1 and not has_wares(s, seat):
        roles &= ~(1 << SIGNORA)
    return roles


@compiled
def may_hire(s: Row, seat: Seat, role: int) -> int:
    """Each role is hired once a round, by a marker high enough for its fee."""
    if s[F.asked] != HIRE:
        return R.not_asked
    if s[F.taken] >> role & 1:
        return R.role_taken
    if FEE[role] > s[F.level + seat]:
        return R.no_budget
    if role == ARCHITETTO:
        if sites(s, seat, ENDLESS) == 0:
            return R.no_site
        if sites(s, seat, s[F.ducats + seat]) == 0:
            return R.no_part
    if role == SIGNORA:
        if is_palazzo_full(s):
            return R.palazzo_full
        if not has_wares(s, seat):
            return R.nothing_to_sell
    return 0


@compiled
def hire(s: Row, seat: Seat, role: int, events: Events) -> None:
    """The marker goes down by the fee; the card leaves the board, and its role is played."""
    s[F.taken] = s[F.taken] | 1 << role
    s[F.hired + seat] = s[F.hired + seat] + 1
    s[F.role] = role
    s[F.hirer] = seat
    s[F.flipped] = 1 << seat
    level = set_level(s, seat, s[F.level + seat] - FEE[role])
    emit(events, E.hires, seat, role, level)
    if role == IMPRESARIO:
        ask_to_buy(s)
    elif role == ARCHITETTO:
        s[F.asked] = BUILD
    elif role == SIGNORA:
        s[F.asked] = SELL
    else:
        s[F.asked] = MOVE


# §4.3 Playing along.


@compiled
def fee_along(s: Row) -> int:
    """The first piece or part costs a level (nothing with two players, §10.2); the second always does."""
    if s[F.first] == NONE and s[F.seats] == 2:
        return 0
    return 1


@compiled
def pay_along(s: Row, seat: Seat, fee: int, events: Events) -> None:
    """The marker of a seat that plays along goes down by its fee."""
    emit(events, E.joins, seat, s[F.role], fee, set_level(s, seat, s[F.level + seat] - fee))


@compiled
def can_join(s: Row, seat: Seat) -> bool:
    """Whether a seat could play along for all that everybody can see."""
    if s[F.passed] >> seat & 1:
        return False
    level = s[F.level + seat]
    if s[F.role] == IMPRESARIO:
        if level >= price_of_rearranging(s):
            return True
        return level >= fee_along(s) and for_sale(s, ENDLESS) != 0
    if level < fee_along(s):
        return False
    if s[F.role] == ARCHITETTO:
        return sites(s, seat, ENDLESS) != 0
    return not is_palazzo_full(s)


@compiled
def ask_next(s: Row, seat: Seat) -> bool:
    """Done with a role, a seat turns its marker; the next in the table may play along, or score with the Esperto."""
    role = s[F.role]
    if role == NONE:
        return False
    s[F.flipped] = s[F.flipped] | 1 << seat
    s[F.first] = NONE
    for at in range(s[F.seats]):
        other = s[F.order + at]
        if s[F.flipped] >> other & 1:
            continue
        if role <= SIGNORA and can_join(s, other):
            s[F.asked] = BUY if role == IMPRESARIO else BUILD if role == ARCHITETTO else SELL
            s[F.turn] = other
            return True
        if role == ESPERTO and house(s, other, s[F.figure + ESPERTO - MAESTRO]) & FAMOUS:
            s[F.asked] = SCORE
            s[F.turn] = other
            return True
    s[F.flipped] = 0
    s[F.role] = NONE
    s[F.hirer] = NONE
    return False


# §4.4 Intermezzo.


@compiled
def may_decline(s: Row, seat: Seat) -> int:
    """The others than the hirer need not play along, nor score with the Esperto."""
    asked = s[F.asked]
    if asked not in (BUY, BUILD, SELL, SCORE):
        return R.not_asked
    if s[F.hirer] == seat:
        return R.hirer
    if s[F.first] != NONE:
        return R.begun
    return 0


@compiled
def decline(s: Row, seat: Seat, events: Events) -> bool:
    """The marker is turned over and stays where it is."""
    if s[F.asked] == SCORE:
        # Nobody plays along with a figure: this is not to score (§5.6).
        emit(events, E.abstains, seat)
    else:
        emit(events, E.declines, seat, s[F.role])
    return True


# §4.5 End of performance.


@compiled
def may_end(s: Row) -> int:
    """The player with the initiative may end their performance."""
    if s[F.asked] != HIRE:
        return R.not_asked
    return 0


@compiled
def end_performance(s: Row, seat: Seat, events: Events) -> bool:
    """A pass disc on the marker: no more roles, and no playing along in this round."""
    s[F.passed] = s[F.passed] | 1 << seat
    emit(events, E.ends, seat)
    return True


@compiled
def most_roles(s: Row) -> int:
    """Three roles a round; §10.1: four with two players. Playing along does not count."""
    return 4 if s[F.seats] == 2 else 3


# §4.6 The end of the action phase.


@compiled
def is_closing(s: Row, seat: Seat) -> bool:
    """All roles are taken, or the highest marker is too low for any that is left."""
    for role in range(6):
        if not s[F.taken] >> role & 1 and FEE[role] <= s[F.level + seat]:
            return False
    return True


@compiled
def close_actions(s: Row, seat: Seat, dice: Dice, events: Events) -> None:
    """Nobody goes on, or nobody but a seat that cannot; then come income, the end phase, and perhaps a count."""
    emit(events, E.closes, ALL_ENDED if seat == NONE else ALL_TAKEN if s[F.taken] == ALL_ROLES else TOO_LOW)
    s[F.turn] = NONE
    collect_income(s, events)
    end_phase(s, dice, events)


# §5 The six roles.

# §5.1 The Impresario.


@compiled
def for_sale(s: Row, purse: int) -> int:
    """The composers with a piece on offer for a purse."""
    # In version 1 a second piece is not dearer than the first.
    most = min(purse, s[F.first]) if s[F.version] == 1 and s[F.first] != NONE else purse
    cast = 0
    for composer in range(6):
        if s[F.offer + composer] > 0 and s[F.fame + composer] <= most:
            cast |= 1 << composer
    return cast


@compiled
def ask_to_buy(s: Row) -> None:
    """Up to two pieces may be bought, if there are any; then all pieces may be rearranged."""
    if for_sale(s, ENDLESS) != 0:
        s[F.asked] = BUY
    else:
        ask_to_rearrange(s)


@compiled
def price_of_rearranging(s: Row) -> int:
    """Levels for playing along without buying: one."""
    # With two players it is the free first action (§10.2), unless the literal price is chosen (§11.4).
    if s[F.seats] == 2 and s[F.literal_rearranging] == 0:
        return 0
    return 1


@compiled
def may_buy(s: Row, seat: Seat, composer: int) -> int:
    """A piece costs as many ducats as its composer has fame."""
    if s[F.asked] != BUY:
        return R.not_asked
    if s[F.offer + composer] == 0:
        return R.not_offered
    if s[F.version] == 1 and s[F.first] != NONE and s[F.fame + composer] > s[F.first]:
        return R.dearer_first
    if s[F.fame + composer] > s[F.ducats + seat]:
        return R.too_dear
    return 0


@compiled
def buy(s: Row, seat: Seat, composer: int, events: Events) -> None:
    """The piece goes behind the screen; after the second, or when no second can follow, the halls are rearranged."""
    price = s[F.fame + composer]
    second = s[F.first] != NONE
    along = s[F.hirer] != seat
    if along:
        pay_along(s, seat, fee_along(s), events)
    s[F.offer + composer] = s[F.offer + composer] - 1
    s[F.screen + seat * 7 + composer] = s[F.screen + seat * 7 + composer] + 1
    receive(s, seat, -price)
    emit(events, E.buys, seat, composer, price)
    s[F.first] = price
    # Ruling: a second piece is asked for unless everybody can see that there is none, or no level to pay for it.
    if second or (along and s[F.level + seat] < 1):
        ask_to_rearrange(s)
    else:
        ask_to_buy(s)


@compiled
def may_stop(s: Row, seat: Seat) -> int:
    """Nobody must buy; whoever builds, builds one part at least. Along, rearranging only has its price."""
    if s[F.asked] == BUILD:
        return R.must_build if s[F.first] == NONE else 0
    if s[F.asked] != BUY:
        return R.not_asked
    if s[F.first] == NONE and s[F.hirer] != seat and s[F.level + seat] < price_of_rearranging(s):
        return R.no_level
    return 0


@compiled
def stop(s: Row, seat: Seat, events: Events) -> bool:
    """No more pieces: the halls are rearranged. No more parts: the seat is done."""
    if s[F.asked] == BUILD:
        return True
    if s[F.first] == NONE and s[F.hirer] != seat:
        pay_along(s, seat, price_of_rearranging(s), events)
        emit(events, E.rearranges, seat)
    ask_to_rearrange(s)
    return False


# §5.2 The Architetto.


@compiled
def sites(s: Row, seat: Seat, purse: int) -> int:
    """The parts a seat may build with a purse: left in an open city, not built yet, wings beside their main."""
    # In version 1 the second of two parts comes later in the order of the cities.
    after = s[F.first] if s[F.version] == 1 else NONE
    parts = 0
    for city in range(6):
        if OPENS_AFTER[city] > s[F.counts]:
            continue
        built = s[F.built + seat * 6 + city]
        for part in range(4 if built & 1 else 1):
            site = city * 4 + part
            if site > after and s[F.supply + site] > 0 and not built >> part & 1 and A_HALL * HALLS[site] <= purse:
                parts |= 1 << site
    return parts


@compiled
def may_build(s: Row, seat: Seat, site: int) -> int:
    """A part needs an open city, a copy, its main, and two ducats a hall; each seat has a part once."""
    if s[F.asked] != BUILD:
        return R.not_asked
    city = site >> 2
    built = s[F.built + seat * 6 + city]
    if OPENS_AFTER[city] > s[F.counts]:
        return R.city_closed
    if built >> (site & 3) & 1:
        return R.built_already
    if s[F.supply + site] == 0:
        return R.no_copy
    if site & 3 and not built & 1:
        return R.no_main
    if s[F.version] == 1 and site < s[F.first]:
        return R.earlier_part
    if A_HALL * HALLS[site] > s[F.ducats + seat]:
        return R.part_dear
    return 0


@compiled
def build(s: Row, seat: Seat, site: int, events: Events) -> bool:
    """Two ducats and two points a hall, one or two parts."""
    second = s[F.first] != NONE
    along = s[F.hirer] != seat
    if along:
        pay_along(s, seat, fee_along(s), events)
    halls = HALLS[site]
    erect(s, seat, site)
    receive(s, seat, -A_HALL * halls)
    gain(s, seat, BUILDING, A_HALL * halls)
    emit(events, E.builds, seat, site >> 2, site & 3, halls)
    s[F.first] = site
    return second or (along and s[F.level + seat] < 1) or sites(s, seat, ENDLESS) == 0


@compiled
def erect(s: Row, seat: Seat, site: int) -> None:
    """A part leaves the supply, and its halls stand empty."""
    at = seat * 6 + (site >> 2)
    s[F.supply + site] = s[F.supply + site] - 1
    s[F.built + at] = s[F.built + at] | 1 << (site & 3)
    s[F.halls + at] = s[F.halls + at] + HALLS[site]


# §5.3 The Signora.


@compiled
def is_palazzo_full(s: Row) -> bool:
    """Three pieces with two or three players, four with four."""
    return ones(s[F.palazzo]) >= max(3, s[F.seats])


@compiled
def house(s: Row, seat: Seat, city: int) -> int:
    """The pieces performed in a seat's house."""
    great = s[F.great + seat * 6 + city]
    return s[F.side + seat * 6 + city] | (1 << great if great != NONE else 0)


@compiled
def pieces_of(s: Row, seat: Seat) -> int:
    """The pieces a seat has anywhere."""
    pieces = in_hand(s, seat)
    for city in range(6):
        pieces |= house(s, seat, city)
    return pieces


@compiled
def has_wares(s: Row, seat: Seat) -> bool:
    """Whether a seat has a piece that the Palazzo would take: never the house piece, one of a composer at most."""
    return pieces_of(s, seat) & FAMOUS & ~s[F.palazzo] != 0


@compiled
def wares_of(s: Row, seat: Seat) -> int:
    """The pieces a seat may sell, each with where it lies: bit composer * 7 + source."""
    wares = 0
    for source in range(SOURCES):
        there = (house(s, seat, source - 1) if source else in_hand(s, seat)) & FAMOUS & ~s[F.palazzo]
        for composer in range(6):
            wares |= (there >> composer & 1) << (composer * SOURCES + source)
    return wares


@compiled
def may_sell(s: Row, seat: Seat, composer: int, source: int) -> int:
    """One piece, from behind the screen or out of a hall, of a composer not at the Palazzo."""
    if s[F.asked] != SELL:
        return R.not_asked
    if s[F.palazzo] >> composer & 1:
        return R.at_palazzo
    there = house(s, seat, source - 1) if source else in_hand(s, seat)
    if not there >> composer & 1:
        return R.not_there
    return 0


@compiled
def sell(s: Row, seat: Seat, composer: int, source: int, events: Events) -> None:
    """The piece goes to the Palazzo; a hall it leaves stays empty."""
    if s[F.hirer] != seat:
        pay_along(s, seat, fee_along(s), events)
    if source:
        remove(s, seat, source - 1, composer)
    else:
        s[F.screen + seat * 7 + composer] = s[F.screen + seat * 7 + composer] - 1
    s[F.palazzo] = s[F.palazzo] | 1 << composer
    s[F.sold] = composer
    s[F.asked] = PAY
    emit(events, E.sells, seat, composer, source)


@compiled
def remove(s: Row, seat: Seat, city: int, piece: int) -> None:
    """A piece leaves a house."""
    at = seat * 6 + city
    if s[F.great + at] == piece:
        s[F.great + at] = NONE
    else:
        s[F.side + at] = s[F.side + at] & ~(1 << piece)


@compiled
def may_take(s: Row) -> int:
    """Ducats or points, as the seller likes."""
    if s[F.asked] != PAY:
        return R.not_asked
    return 0


@compiled
def take(s: Row, seat: Seat, payment: int, events: Events) -> bool:
    """Twice the fame in ducats, or the fame in points."""
    composer = s[F.sold]
    fame = s[F.fame + composer]
    s[F.sold] = NONE
    if payment == 0:
        receive(s, seat, 2 * fame)
        emit(events, E.paid, seat, composer, 2 * fame)
    else:
        gain(s, seat, SALES, fame)
        emit(events, E.honoured, seat, composer, fame)
    return True


# §5.4 The Maestro. He only moves (§5.8); what he is worth shows in the income phase (§6.2).


# §5.5 The Critico.


@compiled
def performed_in(s: Row, city: int) -> int:
    """The composers performed in a city, in anybody's house; house composers have no fame to move."""
    cast = 0
    for seat in range(s[F.seats]):
        cast |= house(s, seat, city)
    return cast & FAMOUS


@compiled
def may_judge(s: Row, composer: int, steps: int) -> int:
    """A composer performed there goes up or down by one or two steps, within the ladder."""
    # Ruling: steps beyond the end of the ladder are not offered; they would equal fewer.
    if s[F.asked] != REVIEW:
        return R.not_asked
    if not performed_in(s, s[F.figure + CRITICO - MAESTRO]) >> composer & 1:
        return R.not_performed
    fame = s[F.fame + composer] + steps
    if fame < 1 or fame > TOP_FAME:
        return R.ladder_end
    return 0


@compiled
def judge(s: Row, seat: Seat, composer: int, steps: int, events: Events) -> bool:
    """A composer who is passed shifts by one, the other way."""
    start = s[F.fame + composer]
    goal = start + steps
    s[F.fame + composer] = goal
    emit(events, E.judges, seat, composer, goal)
    for other in range(6):
        fame = s[F.fame + other]
        if other != composer and ((fame > start and fame <= goal) or (fame < start and fame >= goal)):
            fame += -1 if steps > 0 else 1
            s[F.fame + other] = fame
            emit(events, E.shifts, other, fame)
    return True


@compiled
def may_withhold(s: Row) -> int:
    """Nobody need be moved."""
    if s[F.asked] != REVIEW:
        return R.not_asked
    return 0


@compiled
def withhold(s: Row, seat: Seat, events: Events) -> bool:
    """The ladder stays as it is."""
    emit(events, E.withholds, seat)
    return True


# §5.6 The Esperto.


@compiled
def expertise(s: Row, seat: Seat, city: int, events: Events) -> int:
    """Every piece of a seat in the city scores its fame, without any bonus; the best of them, or none, is given up."""
    there = house(s, seat, city) & FAMOUS
    points = 0
    best = NONE
    for composer in range(6):
        if there >> composer & 1:
            points += s[F.fame + composer]
            if best == NONE or s[F.fame + composer] > s[F.fame + best]:
                best = composer
    gain(s, seat, EXPERTISE, points)
    emit(events, E.scores, seat, city, points)
    if best != NONE:
        remove(s, seat, city, best)
    return best


@compiled
def poorest_rival(s: Row, seat: Seat) -> int:
    """The seat with the fewest points, of several the last in the table; none if the hirer has as few."""
    fewest = s[F.points + seat]
    for other in range(s[F.seats]):
        fewest = min(fewest, s[F.points + other])
    if s[F.points + seat] == fewest:
        return NONE
    at = s[F.seats] - 1
    while s[F.points + s[F.order + at]] != fewest:
        at -= 1
    return s[F.order + at]


@compiled
def visit_esperto(s: Row, seat: Seat, city: int, events: Events) -> None:
    """The hirer scores, and the best piece goes to whoever had the fewest points before that."""
    receiver = poorest_rival(s, seat)
    best = expertise(s, seat, city, events)
    if best == NONE:
        return
    if receiver != NONE:
        s[F.screen + receiver * 7 + best] = s[F.screen + receiver * 7 + best] + 1
        emit(events, E.gives, seat, best, receiver)
    elif s[F.dutch_esperto]:
        # The Dutch reading (§11.3).
        s[F.lost + best] = s[F.lost + best] + 1
        emit(events, E.loses, seat, best)
    else:
        discard(s, seat, best, events)


@compiled
def discard(s: Row, seat: Seat, composer: int, events: Events) -> None:
    """A piece given up goes to the discard pile."""
    s[F.discard + composer] = s[F.discard + composer] + 1
    emit(events, E.discards, seat, composer)


@compiled
def may_score(s: Row) -> int:
    """Everybody else with a famous piece there may score too, without a fee."""
    # Ruling: also a seat that has ended its performance; this is not playing along.
    if s[F.asked] != SCORE:
        return R.not_asked
    return 0


@compiled
def join_esperto(s: Row, seat: Seat, events: Events) -> bool:
    """Their best piece always goes to the discard pile."""
    best = expertise(s, seat, s[F.figure + ESPERTO - MAESTRO], events)
    discard(s, seat, best, events)
    return True


# §5.7 Rearranging.


@compiled
def in_hand(s: Row, seat: Seat) -> int:
    """The pieces behind a seat's screen."""
    pieces = 0
    for piece in range(7):
        if s[F.screen + seat * 7 + piece] > 0:
            pieces |= 1 << piece
    return pieces


@compiled
def placeable(s: Row, seat: Seat) -> int:
    """The pieces in hand that the house does not have yet; side halls are filled in the order of the pieces."""
    # Side halls have no order of their own, so there is one way to each programme; people hand in a whole one (`arrange`).
    city = s[F.city]
    pieces = in_hand(s, seat) & ~house(s, seat, city)
    if s[F.hall] > 0:
        below = s[F.side + seat * 6 + city]
        below |= below >> 1
        below |= below >> 2
        below |= below >> 4
        pieces &= ~below
    return pieces


@compiled
def ask_to_rearrange(s: Row) -> None:
    """Everything may stay, or all pieces are taken up and the halls filled one by one, city by city."""
    s[F.asked] = REARRANGE
    s[F.first] = NONE
    s[F.city] = 0
    s[F.hall] = 0


@compiled
def may_keep(s: Row) -> int:
    """Everything may stay as it is, before the first hall is filled."""
    if s[F.asked] == STAGE:
        return R.begun_placing
    if s[F.asked] != REARRANGE:
        return R.not_asked
    return 0


@compiled
def keep(s: Row, seat: Seat, events: Events) -> bool:
    """No piece moves."""
    s[F.city] = NONE
    emit(events, E.keeps, seat)
    return True


@compiled
def may_leave_empty(s: Row) -> int:
    """A hall may stay empty."""
    if s[F.asked] not in (REARRANGE, STAGE):
        return R.not_asked
    return 0


@compiled
def may_place(s: Row, seat: Seat, piece: int) -> int:
    """One piece a hall, one of a composer in a house; a house composer counts as a composer of their own."""
    if s[F.asked] == REARRANGE:
        return 0 if pieces_of(s, seat) >> piece & 1 else R.not_in_hand
    if s[F.asked] != STAGE:
        return R.not_asked
    if house(s, seat, s[F.city]) >> piece & 1:
        return R.twice
    if s[F.screen + seat * 7 + piece] == 0:
        return R.not_in_hand
    if s[F.hall] > 0 and s[F.side + seat * 6 + s[F.city]] >> piece:
        return R.earlier_piece
    return 0


@compiled
def take_up(s: Row, seat: Seat) -> None:
    """All pieces of a seat go behind its screen, before the first hall is filled."""
    if s[F.asked] == STAGE:
        return
    for city in range(6):
        pieces = house(s, seat, city)
        for piece in range(7):
            s[F.screen + seat * 7 + piece] = s[F.screen + seat * 7 + piece] + (pieces >> piece & 1)
        s[F.great + seat * 6 + city] = NONE
        s[F.side + seat * 6 + city] = 0
    s[F.asked] = STAGE


@compiled
def place(s: Row, seat: Seat, piece: int, events: Events) -> bool:
    """A piece goes from behind the screen into the hall."""
    take_up(s, seat)
    at = seat * 6 + s[F.city]
    s[F.screen + seat * 7 + piece] = s[F.screen + seat * 7 + piece] - 1
    if s[F.hall] == 0:
        s[F.great + at] = piece
    else:
        s[F.side + at] = s[F.side + at] | 1 << piece
    return next_hall(s, seat, s[F.hall] + 1, events)


@compiled
def leave_empty(s: Row, seat: Seat, events: Events) -> bool:
    """The great hall stays empty; or, once it was passed, all that is left of the house."""
    take_up(s, seat)
    return next_hall(s, seat, 1 if s[F.hall] == 0 else MOST_HALLS, events)


@compiled
def next_hall(s: Row, seat: Seat, hall: int, events: Events) -> bool:
    """The next hall of the house, or the great hall of the next one; after the last all is done."""
    city = s[F.city]
    if hall < s[F.halls + seat * 6 + city]:
        s[F.hall] = hall
        return False
    emit(events, E.stages, seat, city, s[F.great + seat * 6 + city], s[F.side + seat * 6 + city])
    city += 1
    while city < 6 and s[F.halls + seat * 6 + city] == 0:
        city += 1
    s[F.hall] = 0
    if city < 6:
        s[F.city] = city
        return False
    s[F.city] = NONE
    return True


# §5.8 Moving a figure.


@compiled
def destinations(s: Row, figure: int) -> int:
    """Another city with a free standing place, open or not; a figure may not go back to its portrait."""
    cities = 0
    for city in range(6):
        free = STANDING[city]
        for other in range(3):
            if s[F.figure + other] == city:
                free -= 1
        if free > 0 and s[F.figure + figure] != city:
            cities |= 1 << city
    return cities


@compiled
def may_move(s: Row, city: int) -> int:
    """A figure that was hired must go to another city, where there is room."""
    if s[F.asked] != MOVE:
        return R.not_asked
    figure = s[F.role] - MAESTRO
    if s[F.figure + figure] == city:
        return R.same_city
    if not destinations(s, figure) >> city & 1:
        return R.no_place
    return 0


@compiled
def move(s: Row, seat: Seat, city: int, events: Events) -> bool:
    """The figure goes there; then comes what its § says."""
    role = s[F.role]
    s[F.figure + role - MAESTRO] = city
    emit(events, E.moves, seat, role - MAESTRO, city)
    if role == CRITICO and performed_in(s, city) != 0:
        s[F.asked] = REVIEW
        return False
    if role == ESPERTO:
        visit_esperto(s, seat, city, events)
    return True


# §6 The income phase.

# §6.1 The income table.


@compiled
def collect_income(s: Row, events: Events) -> None:
    """Each house brings ducats by the number of its pieces, house pieces included."""
    for seat in range(s[F.seats]):
        pieces = 0
        ducats = 0
        extra = 0
        for city in range(6):
            there = ones(house(s, seat, city))
            pieces += there
            ducats += INCOME[there]
            extra += doubled(s, city, INCOME[there])
        receive(s, seat, ducats + extra)
        emit(events, E.earns, seat, pieces, ducats)
        if extra > 0:
            emit(events, E.doubles, seat, s[F.figure], extra)


# §6.2 The Maestro's city.


@compiled
def doubled(s: Row, city: int, ducats: int) -> int:
    """In the Maestro's city everybody's income comes twice, whether he was hired in this round or not."""
    return ducats if s[F.figure] == city else 0


# §7 The end phase.


@compiled
def end_phase(s: Row, dice: Dice, events: Events) -> None:
    """Six steps, in this order."""
    update_fame(s, events)
    renew_offer(s, dice, events)
    return_cards(s)
    close_palazzo(s, events)
    settle_markers(s, events)
    turn_round(s, events)


# §7.1 Fame.


@compiled
def update_fame(s: Row, events: Events) -> None:
    """The composers performed most in the houses rise one step, all at once and as far as they can."""
    # How often each composer is performed, five bits each: there are at most 24 houses.
    performed = 0
    for seat in range(s[F.seats]):
        for city in range(6):
            there = house(s, seat, city)
            for composer in range(6):
                performed += (there >> composer & 1) << 5 * composer
    times = 0
    for composer in range(6):
        times = max(times, performed >> 5 * composer & 31)
    if times == 0:
        return
    risers = 0
    for composer in range(6):
        if performed >> 5 * composer & 31 == times:
            risers |= 1 << composer
    emit(events, E.most, risers, times)

    # From the top down, a riser changes places with the composer above unless that one rises too.
    # Ruling: so a riser at the top stays, and with it any risers directly below.
    before = 0
    for composer in range(6):
        before |= s[F.fame + composer] << 3 * composer
    for step in range(TOP_FAME - 1, 0, -1):
        low = on_step(s, step)
        high = on_step(s, step + 1)
        if risers >> low & 1 and not risers >> high & 1:
            s[F.fame + low] = step + 1
            s[F.fame + high] = step
    for composer in range(6):
        if before >> 3 * composer & 7 != s[F.fame + composer]:
            emit(events, E.climbs, composer, s[F.fame + composer])


@compiled
def on_step(s: Row, step: int) -> int:
    """The composer on a step of the fame ladder."""
    composer = 0
    while s[F.fame + composer] != step:
        composer += 1
    return composer


# §7.2 The new offer.


@compiled
def renew_offer(s: Row, dice: Dice, events: Events) -> None:
    """Unsold pieces are discarded and new ones drawn; after the last round none."""
    for composer in range(6):
        pieces = s[F.offer + composer]
        if pieces > 0:
            s[F.discard + composer] = s[F.discard + composer] + pieces
            s[F.offer + composer] = 0
            emit(events, E.unsold, composer, pieces)
    if s[F.round] < last_round(s):
        fill_offer(s, E.offers, dice, events)


@compiled
def offer_size(s: Row) -> int:
    """Five pieces with two players, seven with three, nine with four."""
    return 2 * s[F.seats] + 1


@compiled
def most_of_one(s: Row) -> int:
    """Three pieces of a composer at most; §10.3: two with two players."""
    return 2 if s[F.seats] == 2 else 3


@compiled
def draw_piece(s: Row, total: int, dice: Dice) -> int:
    """One of the pieces in the deck, each as likely."""
    n = draw(dice, total)
    composer = 0
    while n >= s[F.deck + composer]:
        n -= s[F.deck + composer]
        composer += 1
    s[F.deck + composer] = s[F.deck + composer] - 1
    return composer


@compiled
def fill_offer(s: Row, told_as: int, dice: Dice, events: Events) -> None:
    """Pieces are drawn until the offer is full; one too many of a composer is set aside and discarded in the end."""
    # Ruling: an empty deck is made anew from the discard pile, once; if that does not do, less is offered.
    # What was drawn and what was set aside, five bits a composer.
    drawn = 0
    aside = 0
    announced = 0
    left = offer_size(s)
    cap = most_of_one(s)
    total = 0
    for composer in range(6):
        total += s[F.deck + composer]
    fresh = True
    while left > 0:
        if total == 0:
            for composer in range(6):
                total += s[F.discard + composer]
            if total == 0 or not fresh:
                break
            fresh = False
            tell_offer(told_as, drawn, aside, events)
            told_as = E.adds
            drawn = 0
            announced = aside
            for composer in range(6):
                s[F.deck + composer] = s[F.discard + composer]
                s[F.discard + composer] = 0
            emit(events, E.reshuffles, total)
        composer = draw_piece(s, total, dice)
        total -= 1
        if s[F.offer + composer] < cap:
            s[F.offer + composer] = s[F.offer + composer] + 1
            drawn += 1 << 5 * composer
            left -= 1
        else:
            aside += 1 << 5 * composer
    tell_offer(told_as, drawn, aside - announced, events)
    for composer in range(6):
        s[F.discard + composer] = s[F.discard + composer] + (aside >> 5 * composer & 31)


@compiled
def tell_offer(told_as: int, drawn: int, aside: int, events: Events) -> None:
    """The composers drawn, one by one, as an event of that code."""
    for composer in range(6):
        pieces = drawn >> 5 * composer & 31
        excess = aside >> 5 * composer & 31
        if pieces + excess > 0:
            emit(events, told_as, composer, pieces, excess)


# §7.3 The role cards.


@compiled
def return_cards(s: Row) -> None:
    """They go back to the board; the figures stay where they are."""
    s[F.taken] = 0
    for seat in range(s[F.seats]):
        s[F.hired + seat] = 0


# §7.4 The Palazzo.


@compiled
def close_palazzo(s: Row, events: Events) -> None:
    """A full Palazzo is emptied."""
    if is_palazzo_full(s):
        emit(events, E.empties, s[F.palazzo])
        empty_palazzo(s)


@compiled
def empty_palazzo(s: Row) -> None:
    """Its pieces go to the discard pile."""
    for composer in range(6):
        s[F.discard + composer] = s[F.discard + composer] + (s[F.palazzo] >> composer & 1)
    s[F.palazzo] = 0


# §7.5 The budget markers.


@compiled
def settle_markers(s: Row, events: Events) -> None:
    """Pass discs come off, markers keep their level, and each one on level 0 brings its owner a ducat."""
    s[F.passed] = 0
    for seat in range(s[F.seats]):
        if s[F.level + seat] == 0:
            receive(s, seat, 1)
            emit(events, E.bonus, seat)


# §7.6 The next round.


@compiled
def turn_round(s: Row, events: Events) -> None:
    """The round marker moves on: to a count, or to the next round."""
    if is_counted(s):
        hold_count(s, events)
        if s[F.counts] == 3:
            finish(s, events)
            return
        open_cities(s, events)
    s[F.round] = s[F.round] + 1
    open_round(s, events)


@compiled
def last_round(s: Row) -> int:
    """Nine rounds; §11.2: or seven."""
    return SHORT_ROUNDS if s[F.seven_rounds] else ROUNDS


# §8 Counting rounds.

# §8.1 When it is counted.


@compiled
def is_counted(s: Row) -> bool:
    """After rounds 3, 6 and 9; §11.2: after 3, 5 and 7."""
    if s[F.seven_rounds]:
        return s[F.round] in (3, 5, 7)
    return s[F.round] in (3, 6, 9)


@compiled
def hold_count(s: Row, events: Events) -> None:
    """Great halls bring points, with a bonus for the Composer of the Century; empty halls cost some."""
    count = s[F.counts]
    century = s[F.century + count]
    emit(events, E.counting, count + 1, century)
    for seat in range(s[F.seats]):
        great = 0
        bonus = 0
        empty = 0
        for city in range(6):
            at = seat * 6 + city
            piece = s[F.great + at]
            great += value_of_great_hall(s, piece)
            bonus += bonus_of_century(piece, century, count)
            empty += empty_halls(s, seat, city)
        gain(s, seat, GREAT, great)
        emit(events, E.counts, seat, great, s[F.points + seat])
        if bonus > 0:
            gain(s, seat, CENTURY, bonus)
            emit(events, E.celebrates, seat, bonus, s[F.points + seat])
        if empty > 0:
            gain(s, seat, EMPTY, -empty)
            emit(events, E.forfeits, seat, empty, s[F.points + seat])
    s[F.counts] = count + 1
    # The Palazzo is emptied, full or not (§8.5).
    if s[F.palazzo]:
        emit(events, E.clears, s[F.palazzo])
        empty_palazzo(s)


# §8.2 Great halls.


@compiled
def value_of_great_hall(s: Row, piece: int) -> int:
    """The piece in it is worth its composer's fame, a house piece nothing."""
    if piece in (NONE, HOUSE):
        return 0
    return s[F.fame + piece]


# §8.3 The Composer of the Century.


@compiled
def bonus_of_century(piece: int, century: int, count: int) -> int:
    """One more in the first count, two in the second, three in the third."""
    return count + 1 if piece == century else 0


# §8.4 Empty halls.


@compiled
def empty_halls(s: Row, seat: Seat, city: int) -> int:
    """Each costs a point."""
    return s[F.halls + seat * 6 + city] - ones(house(s, seat, city))


# §8.5 After a count.


@compiled
def open_cities(s: Row, events: Events) -> None:
    """New cities open: London and Paris after the first count, Milano after the second."""
    for city in range(6):
        if OPENS_AFTER[city] == s[F.counts]:
            emit(events, E.reveals, city)


# §9 The end of the match.

# §9.1 The last count.


@compiled
def finish(s: Row, events: Events) -> None:
    """The third count ends the match."""
    s[F.asked] = NOTHING
    s[F.ending] = END.short_count if s[F.seven_rounds] else END.last_count
    best = leader(s)
    emit(events, E.wins, best, s[F.points + best])


@compiled
def ending(s: Row) -> int:
    """The way the match ended."""
    return s[F.ending]


# §9.2 The winner.


@compiled
def leader(s: Row) -> int:
    """The seat with the most points, of several the one that stands first in the budget table."""
    best = s[F.order]
    for at in range(1, s[F.seats]):
        other = s[F.order + at]
        if s[F.points + other] > s[F.points + best]:
            best = other
    return best


@compiled
def winners(s: Row) -> int:
    """Nobody yet, or one seat."""
    if s[F.ending] == 0:
        return 0
    return 1 << leader(s)


@compiled
def score(s: Row, seat: Seat, parts: Row) -> int:
    """The points, and where they come from."""
    for origin in range(6):
        parts[origin] = s[F.earned + seat * 6 + origin]
    return s[F.points + seat]


# §9.3 Resigning. A matter of the match, not of the row: see core.Match.resign.

# §10 Two players.

# §10.1 Four roles. See `most_roles` (§4.5).

# §10.2 Playing along with two. See `fee_along` (§4.3) and `price_of_rearranging` (§5.1).

# §10.3 The offer with two. See `most_of_one` (§7.2).

# §11 Options.

# §11.1 Screens. A matter of what is shown: open or closed, nothing in the rules depends on it.

# §11.2 Seven rounds. See `last_round` (§7.6) and `is_counted` (§8.1).

# §11.3 The Dutch Esperto. See `visit_esperto` (§5.6).

# §11.4 The literal price of rearranging. See `price_of_rearranging` (§5.1).


# What a seat cannot know, and what must always hold.


@compiled
def redeal(s: Row, seat: Seat, dice: Dice) -> None:
    """Others' bids are drawn from all that they may bid; nothing else is secret."""
    for other in range(MOST_SEATS):
        if s[F.bid + other] == HIDDEN:
            if s[F.has_bid] >> other & 1:
                s[F.bid + other] = draw(dice, most_bid(s, other) + 1)
            else:
                s[F.bid + other] = NONE


@compiled
def check(s: Row) -> int:
    """Every broken invariant, one bit each."""
    faults = 0
    if not is_question_sound(s):
        faults |= 1 << BROKEN.question

    # Counts are held after fixed rounds, and the third ends the match.
    held = 0
    if s[F.round] > 3:
        held = 1
    if s[F.round] > (5 if s[F.seven_rounds] else 6):
        held = 2
    over = s[F.ending] != 0
    how = END.short_count if s[F.seven_rounds] else END.last_count
    if over:
        fits = s[F.ending] == how and s[F.counts] == 3 and s[F.round] == last_round(s)
    else:
        fits = s[F.counts] == held and s[F.round] <= last_round(s)
    if not fits:
        faults |= 1 << BROKEN.round

    # The budget table, the bids, the role cards, points and ducats.
    everybody = (1 << s[F.seats]) - 1
    seen = 0
    above = TOP_LEVEL
    hired = 0
    purses = s[F.bank]
    for at in range(s[F.seats]):
        seat = s[F.order + at]
        if seat == NONE or s[F.level + seat] > above:
            faults |= 1 << BROKEN.order
        else:
            seen |= 1 << seat
            above = s[F.level + seat]
        has_bid = s[F.has_bid] >> at & 1
        if has_bid != (s[F.bid + at] != NONE) or s[F.bid + at] > most_bid(s, at):
            faults |= 1 << BROKEN.bids
        hired += s[F.hired + at]
        if s[F.hired + at] > most_roles(s):
            faults |= 1 << BROKEN.roles
        points = 0
        for origin in range(6):
            points += s[F.earned + at * 6 + origin]
        if points != s[F.points + at]:
            faults |= 1 << BROKEN.points
        purses += s[F.ducats + at]
    if seen != everybody:
        faults |= 1 << BROKEN.order
    if s[F.has_bid] != 0 and (s[F.asked] != BID or s[F.has_bid] == everybody):
        faults |= 1 << BROKEN.bids
    if hired != ones(s[F.taken]):
        faults |= 1 << BROKEN.roles
    if purses != DUCATS:
        faults |= 1 << BROKEN.ducats

    # The ladder, the Composers of the Century, every piece.
    steps = 0
    offered = 0
    for composer in range(6):
        steps |= 1 << s[F.fame + composer]
        offered += s[F.offer + composer]
        pieces = s[F.deck + composer] + s[F.discard + composer] + s[F.offer + composer] + s[F.lost + composer]
        pieces += s[F.palazzo] >> composer & 1
        for count in range(3):
            if s[F.century + count] == composer:
                pieces += 1
        for seat in range(s[F.seats]):
            pieces += copies_of(s, seat, composer)
        if pieces != PIECES:
            faults |= 1 << BROKEN.pieces
        if s[F.offer + composer] > most_of_one(s):
            faults |= 1 << BROKEN.offer
        if s[F.lost + composer] > 0 and not s[F.dutch_esperto]:
            faults |= 1 << BROKEN.pieces
    for seat in range(s[F.seats]):
        if copies_of(s, seat, HOUSE) != 1:
            faults |= 1 << BROKEN.pieces
    if steps != 0x7E:
        faults |= 1 << BROKEN.ladder
    if ones(1 << s[F.century] | 1 << s[F.century + 1] | 1 << s[F.century + 2]) != 3:
        faults |= 1 << BROKEN.century
    if offered > offer_size(s):
        faults |= 1 << BROKEN.offer
    if ones(s[F.palazzo]) > max(3, s[F.seats]):
        faults |= 1 << BROKEN.palazzo

    # The cities: figures, parts, houses, halls.
    for city in range(6):
        standing = 0
        for figure in range(3):
            if s[F.figure + figure] == city:
                standing += 1
        if standing > STANDING[city]:
            faults |= 1 << BROKEN.figures
        for part in range(4):
            site = city * 4 + part
            copies = s[F.supply + site]
            for seat in range(s[F.seats]):
                copies += s[F.built + seat * 6 + city] >> part & 1
            if copies != COPIES[(s[F.seats] - 2) * 24 + site]:
                faults |= 1 << BROKEN.supply
        for seat in range(s[F.seats]):
            built = s[F.built + seat * 6 + city]
            halls = 0
            for part in range(4):
                if built >> part & 1:
                    halls += HALLS[city * 4 + part]
            amiss = OPENS_AFTER[city] > s[F.counts] or not built & 1
            if (amiss and built != 0) or (city == 0 and built == 0) or halls != s[F.halls + seat * 6 + city]:
                faults |= 1 << BROKEN.houses
            great = s[F.great + seat * 6 + city]
            side = s[F.side + seat * 6 + city]
            if great != NONE and (halls == 0 or side >> great & 1):
                faults |= 1 << BROKEN.halls
            if ones(side) > max(halls - 1, 0):
                faults |= 1 << BROKEN.halls

    # Seats that nobody sits on.
    sets = s[F.flipped] | s[F.passed] | s[F.has_bid]
    if sets & ~everybody or s[F.turn] >= s[F.seats] or s[F.hirer] >= s[F.seats]:
        faults |= 1 << BROKEN.empty_seats
    for seat in range(s[F.seats], MOST_SEATS):
        used = s[F.hired + seat] | s[F.level + seat] | s[F.points + seat] | s[F.ducats + seat]
        used |= (s[F.order + seat] + 1) | (s[F.bid + seat] + 1)
        for i in range(6):
            used |= s[F.earned + seat * 6 + i] | s[F.built + seat * 6 + i] | s[F.halls + seat * 6 + i]
            used |= s[F.side + seat * 6 + i] | (s[F.great + seat * 6 + i] + 1)
        for piece in range(7):
            used |= s[F.screen + seat * 7 + piece]
        if used != 0:
            faults |= 1 << BROKEN.empty_seats
    return faults


@compiled
def copies_of(s: Row, seat: Seat, piece: int) -> int:
    """The number of a piece that a seat has, behind its screen and in its halls."""
    copies = s[F.screen + seat * 7 + piece]
    for city in range(6):
        copies += house(s, seat, city) >> piece & 1
    return copies


@compiled
def is_question_sound(s: Row) -> bool:
    """Whether what is asked fits the role being played, who plays it, and what they can do."""
    asked = s[F.asked]
    role = s[F.role]
    seat = s[F.turn]
    between = role == NONE and s[F.hirer] == NONE and s[F.flipped] == 0
    idle = s[F.first] == NONE and s[F.sold] == NONE and s[F.city] == NONE and s[F.hall] == 0
    if s[F.ending] != 0 or asked in (NOTHING, BID):
        still = seat == NONE and s[F.taken] == 0 and s[F.passed] == 0
        return between and idle and still and (s[F.ending] != 0) == (asked == NOTHING)
    if seat == NONE or seat >= s[F.seats]:
        return False
    if asked == HIRE:
        at = 0
        while at < s[F.seats] and (s[F.order + at] == NONE or s[F.passed] >> s[F.order + at] & 1):
            at += 1
        if at == s[F.seats] or s[F.order + at] != seat:
            return False
        return between and idle and s[F.hired + seat] < most_roles(s) and openings(s, seat) != 0

    # A role is being played: by its hirer first, by the others after them.
    hirer = s[F.hirer]
    if role == NONE or hirer == NONE or not s[F.taken] >> role & 1 or not s[F.flipped] >> hirer & 1:
        return False
    along = seat != hirer
    if (s[F.flipped] >> seat & 1) == along or (not along and s[F.flipped] != 1 << seat):
        return False
    if (along and asked != SCORE and s[F.passed] >> seat & 1) or s[F.passed] >> hirer & 1 or s[F.hired + hirer] == 0:
        return False
    if (s[F.sold] != NONE) != (asked == PAY):
        return False
    filling = asked in (REARRANGE, STAGE)
    if (s[F.city] != NONE) != filling or (s[F.hall] != 0 and asked != STAGE):
        return False
    if asked in (BUY, BUILD):
        if role != (IMPRESARIO if asked == BUY else ARCHITETTO):
            return False
        if along and s[F.first] == NONE:
            return can_join(s, seat)
        if along and s[F.level + seat] < 1:
            return False
        if asked == BUY:
            return for_sale(s, ENDLESS) != 0
        return sites(s, seat, s[F.ducats + seat] if s[F.first] == NONE else ENDLESS) != 0
    if s[F.first] != NONE:
        return False
    if filling:
        return role == IMPRESARIO and is_stage_sound(s, seat)
    if asked == SELL:
        return role == SIGNORA and (can_join(s, seat) if along else has_wares(s, seat) and not is_palazzo_full(s))
    if asked == PAY:
        return role == SIGNORA and s[F.palazzo] >> s[F.sold] & 1 != 0
    if asked == MOVE:
        return role >= MAESTRO and not along
    if asked == REVIEW:
        city = s[F.figure + CRITICO - MAESTRO]
        return role == CRITICO and not along and city != NONE and performed_in(s, city) != 0
    city = s[F.figure + ESPERTO - MAESTRO]
    return role == ESPERTO and along and city != NONE and house(s, seat, city) & FAMOUS != 0


@compiled
def is_stage_sound(s: Row, seat: Seat) -> bool:
    """While halls are filled, those still to come are empty."""
    if s[F.asked] == REARRANGE:
        return s[F.city] == 0
    at = seat * 6 + s[F.city]
    if s[F.hall] >= s[F.halls + at]:
        return False
    if ones(s[F.side + at]) != max(s[F.hall] - 1, 0) or (s[F.hall] == 0 and s[F.great + at] != NONE):
        return False
    for city in range(s[F.city] + 1, 6):
        if house(s, seat, city) != 0:
            return False
    return s[F.city] > 0 or s[F.hall] > 0
