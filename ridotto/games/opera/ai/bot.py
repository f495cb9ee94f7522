"""The judgement of a good player of Opera.

Everything is weighed in hundredths of a point: what a house earns and scores as it stands, what it could with the
pieces at hand, what a ducat or a budget level will still buy. A role is hired, joined or left by what it would change. All of
it is one file since every decision calls the same few valuations, and what calls each other is compiled together.
"""

# mypy: no-warn-return-any
# (a code out of a namedtuple of numbers is an int, which no annotation can say)

from __future__ import annotations

from math import exp
from typing import Any

from ridotto.engine.build import Build, compiled, constants
from ridotto.engine.dice import count_legal, draw, is_legal, nth_legal, ones
from ridotto.engine.fields import HIDDEN, Dice, Events, Mask, Row, Seat
from ridotto.games.opera.components import FEE, HALLS, INCOME
from ridotto.games.opera.rules import (
    A_HALL,
    ARCHITETTO,
    BID,
    BUILD,
    BUY,
    CRITICO,
    ENDLESS,
    ESPERTO,
    FAMOUS,
    HIRE,
    HOUSE,
    IMPRESARIO,
    MAESTRO,
    MOVE,
    NONE,
    PAY,
    REARRANGE,
    REVIEW,
    SELL,
    SIGNORA,
    SOURCES,
    STAGE,
    TOP_FAME,
    TOP_LEVEL,
    A,
    F,
    destinations,
    fee_along,
    for_sale,
    house,
    last_round,
    performed_in,
    price_of_rearranging,
    sites,
    wares_of,
)

# Where things lie on the spare row: a plan of great and side halls; what pieces are worth in a great hall, the best first, what
# they are worth in hand; what steps of fame, verdicts and parts would bring; and what else holds for a whole decision.
GREATS, SIDES, WORTH, RANKING, SPARES, STEPS, LADDER, GAINS, VERDICTS, PARTS = 0, 6, 12, 19, 25, 31, 37, 44, 50, 56
CHOICE, COIN, LEVEL, WAGE, SURE = 80, 81, 82, 83, 84

# Pieces in hand, or the halls of houses, are kept in one number, which is quickly copied and changed: a field of nine bits for
# each piece or city. A field is eight times how many there are, plus 7 less the piece or city itself. So the highest field is
# that of which there are most, of several the first.
FIELD, FULL, ONE, NO_MORE = 9, 0x1FF, 8, 7
EMPTY_HAND = sum(7 - piece << FIELD * piece for piece in range(7))
NO_HOUSES = sum(7 - city << FIELD * city for city in range(6))

EACH = constants([sum((cast >> composer & 1) << 5 * composer for composer in range(6)) for cast in range(64)])
"""A set of composers as numbers of five bits, each 0 or 1: added up, they say in how many sets each composer is."""
assert all(INCOME[i] - INCOME[i - 1] <= INCOME[i + 1] - INCOME[i] for i in range(1, 6)), "plan goes by this"

DUCAT = constants([45, 60, 68, 72, 75, 78, 80, 80, 80])
"""What a ducat is worth, by the rounds still to come after this one."""
PLENTY, SPENDING = 2, 2
"""A purse whose every ducat counts: so much in the last round, and so much more for each round before it."""
HORIZON = 2
"""Rounds of income that halls are thought to bring before they change again."""
NEAR = constants([100, 60, 40])
"""How much of a great hall's points is sure, by the rounds before the next count."""
LATER = 12
"""The same for each count after the next."""
SPARE = 45
"""What a piece without a hall is worth, in hundredths of the ducats it cost."""
RIVAL = 60
"""How much a rival's gain hurts, in hundredths, shared among all rivals."""
AT_HAND = 60
"""How much counts of what a new part would do with the pieces at hand, in hundredths."""
PROMISE = 50
"""How much counts of what a new hall would bring once it is filled, in hundredths."""
NEW_STAGE = 250
"""What a new great hall promises, in hundredths of a point at each count."""
SAVING = 45
"""How much of the purse is never bid, in hundredths."""
ASIDE = 10
"""What a step of fame is worth for a piece outside the great halls."""


@compiled
def policy(s: Row, seat: Seat, mask: Mask, dice: Dice, events: Events, scratch: Row) -> int:
    """What a sensible player would do, going by what that seat may know alone."""
    if count_legal(mask) == 1:
        return nth_legal(mask, 0)
    asked = s[F.asked]
    if asked == BID:
        return A.bid + stake(s, seat, dice)
    if asked == STAGE:
        appraise(s, scratch)
        return next_piece(s, seat, mask, scratch)
    weigh(s, seat, scratch)
    if asked == PAY:
        return A.take + (0 if 2 * scratch[COIN] >= 100 else 1)
    appraise(s, scratch)
    if asked == REARRANGE:
        return piece_to_begin_with(s, seat, scratch)
    if asked == HIRE:
        return role_to_hire(s, seat, mask, scratch)
    if asked == BUY:
        return piece_to_buy(s, seat, mask, scratch)
    if asked == BUILD:
        return part_to_build(s, seat, mask, scratch)
    if asked == SELL:
        return piece_to_sell(s, seat, mask, scratch)
    if asked == MOVE:
        return A.move + city_to_visit(s, seat, scratch)
    if asked == REVIEW:
        return verdict(s, seat, scratch)
    return A.score if expertise_of(s, seat, s[F.figure + ESPERTO - MAESTRO], scratch) > 0 else A.decline


# What things are worth.


@compiled
def rounds_left(s: Row) -> int:
    """Rounds still to come after this one."""
    return last_round(s) - s[F.round]


@compiled
def ducat(s: Row, seat: Seat, left: int) -> int:
    """What a ducat will be worth with so many rounds to come: less in a purse that will hardly be emptied by then."""
    plenty = PLENTY + SPENDING * rounds_left(s)
    purse = s[F.ducats + seat]
    return DUCAT[left] if purse <= plenty else DUCAT[left] * plenty // purse


@compiled
def weigh(s: Row, seat: Seat, scratch: Row) -> None:
    """What a ducat, a spare piece and a level are worth to a seat; and a ducat of income, until halls are likely to change."""
    left = rounds_left(s)
    coin = ducat(s, seat, left)
    scratch[COIN] = coin
    for piece in range(6):
        scratch[SPARES + piece] = spare(s, piece, coin)
    scratch[LEVEL] = 2
    scratch[WAGE] = 0
    if left > 0:
        later = ducat(s, seat, left - 1)
        scratch[LEVEL] = max(2, later - 4)
        scratch[WAGE] = min(left, HORIZON) * later


@compiled
def budget(levels: int, scratch: Row) -> int:
    """What levels are worth: they carry over to the next round, where each saves a ducat."""
    return levels * scratch[LEVEL]


@compiled
def to_count(s: Row) -> int:
    """Rounds before the one that ends with the next count."""
    count = s[F.counts]
    if count == 0:
        return 3 - s[F.round]
    if s[F.seven_rounds]:
        return 3 + 2 * count - s[F.round]
    return 3 + 3 * count - s[F.round]


@compiled
def sureness(s: Row) -> int:
    """What one point in every count still to come is worth."""
    return NEAR[to_count(s)] + LATER * (2 - s[F.counts])


@compiled
def appraise(s: Row, scratch: Row) -> None:
    """What each composer is worth in a great hall: fame with its trend, and the bonus of the century."""
    # The composers performed most will rise, and push those right above them down.
    performed = 0
    for seat in range(s[F.seats]):
        for city in range(6):
            performed += EACH[house(s, seat, city) & FAMOUS]
    most = 1
    for composer in range(6):
        most = max(most, performed >> 5 * composer & 31)
    rising = 0
    for composer in range(6):
        if performed >> 5 * composer & 31 == most:
            rising |= 1 << s[F.fame + composer]
    near = NEAR[to_count(s)]
    sure = sureness(s)
    scratch[SURE] = sure
    for composer in range(6):
        step = s[F.fame + composer]
        fame = 100 * step
        if rising >> step & 1:
            if step < TOP_FAME:
                fame += 60
        elif rising >> (step - 1) & 1:
            fame -= 60
        scratch[WORTH + composer] = fame * sure // 100
    for count in range(s[F.counts], 3):
        scratch[WORTH + s[F.century + count]] += (count + 1) * (near if count == s[F.counts] else LATER)
    scratch[WORTH + HOUSE] = 0
    # Each composer's rank is the number of those that are worth more, or as much and come first.
    for composer in range(6):
        worth = scratch[WORTH + composer]
        rank = 0
        for other in range(6):
            if scratch[WORTH + other] + (1 if other < composer else 0) > worth:
                rank += 1
        scratch[RANKING + rank] = composer


@compiled
def spare(s: Row, piece: int, coin: int) -> int:
    """What a composer's piece behind the screen is worth: a later hall, or a sale."""
    if rounds_left(s) == 0:
        # It is worth its price, and a little more: no rival has it.
        return s[F.fame + piece] * coin + 1
    return SPARE * s[F.fame + piece] * coin // 100


# What stands, and what could stand.


@compiled
def worth_of_house(s: Row, city: int, rooms: int, filled: int, great: int, scratch: Row) -> int:
    """Income, great hall and empty halls of a house."""
    income = INCOME[filled] * scratch[WAGE]
    if s[F.figure] == city:
        income += income * 3 // 4
    worth = income - (rooms - filled) * scratch[SURE]
    return worth + scratch[WORTH + great] if great != NONE else worth


@compiled
def standing(s: Row, seat: Seat, scratch: Row) -> int:
    """What a seat's halls and spare pieces are worth as they are."""
    total = 0
    for city in range(6):
        rooms = s[F.halls + seat * 6 + city]
        if rooms > 0:
            total += worth_of_house(s, city, rooms, ones(house(s, seat, city)), s[F.great + seat * 6 + city], scratch)
    for piece in range(6):
        total += s[F.screen + seat * 7 + piece] * scratch[SPARES + piece]
    return total


@compiled
def loss_without(s: Row, seat: Seat, city: int, piece: int, scratch: Row) -> int:
    """What a house would be worth less without one of its pieces."""
    rooms = s[F.halls + seat * 6 + city]
    great = s[F.great + seat * 6 + city]
    filled = ones(house(s, seat, city))
    left = NONE if great == piece else great
    return worth_of_house(s, city, rooms, filled, great, scratch) - worth_of_house(s, city, rooms, filled - 1, left, scratch)


@compiled
def behind_screen(s: Row, seat: Seat) -> int:
    """The pieces behind a seat's screen, in one number."""
    hand = EMPTY_HAND
    for piece in range(7):
        hand += s[F.screen + seat * 7 + piece] * ONE << FIELD * piece
    return hand


@compiled
def gathered(s: Row, seat: Seat) -> int:
    """All pieces of a seat, in one number."""
    hand = behind_screen(s, seat)
    for city in range(6):
        pieces = house(s, seat, city)
        for piece in range(7):
            hand += (pieces >> piece & 1) * ONE << FIELD * piece
    return hand


@compiled
def houses_from(s: Row, seat: Seat, first: int) -> int:
    """The halls of a seat's houses from a city on, in one number."""
    houses = NO_HOUSES
    for city in range(first, 6):
        houses += s[F.halls + seat * 6 + city] * ONE << FIELD * city
    return houses


@compiled
def highest(fields: int) -> int:
    """The highest of seven fields in one number."""
    most = fields & FULL
    for at in range(1, 7):
        most = max(most, fields >> FIELD * at & FULL)
    return most


@compiled
def planned(s: Row, hand: int, houses: int, scratch: Row) -> int:
    """What houses are worth, well arranged, with all pieces in hand."""
    for city in range(6):
        scratch[GREATS + city] = NONE
        scratch[SIDES + city] = 0
    return plan(s, hand, houses, NONE, scratch)


@compiled
def plan(s: Row, hand: int, houses: int, asked: int, scratch: Row) -> int:
    """Fill the empty halls of houses on the spare row as well as may be; what houses and hand are worth then.

    It stops when the house that is asked for is filled, if there is any.
    """
    total = 0
    # Great halls first: the largest house has the best piece that it can take.
    urgent = 0
    largest = highest(houses)
    while largest > NO_MORE:
        city = 7 - (largest & 7)
        rooms = largest >> 3
        houses &= ~(FULL << FIELD * city)
        side = scratch[SIDES + city]
        filled = ones(side)
        if scratch[GREATS + city] == NONE:
            for rank in range(6):
                piece = scratch[RANKING + rank]
                if hand >> FIELD * piece & FULL > NO_MORE and not side >> piece & 1:
                    scratch[GREATS + city] = piece
                    hand -= ONE << FIELD * piece
                    break
        if scratch[GREATS + city] != NONE:
            filled += 1
        if filled < rooms:
            # Where the next piece adds the most income comes first; larger houses have the larger steps still to come.
            gain = INCOME[filled + 1] - INCOME[filled]
            if s[F.figure] == city:
                gain += gain
            urgent |= ((gain - 1) * 8 + rooms) * ONE + 7 - city << FIELD * city
        else:
            if city == asked:
                return total
            total += worth_of_house(s, city, rooms, filled, scratch[GREATS + city], scratch)
        largest = highest(houses)
    # Then one house after another: no piece adds less income than the one before it in the same house. Of the pieces that a
    # house does not have yet it gets those of which there are most.
    most_urgent = highest(urgent)
    while most_urgent > NO_MORE:
        city = 7 - (most_urgent & 7)
        rooms = most_urgent >> 3 & 7
        urgent &= ~(FULL << FIELD * city)
        side = scratch[SIDES + city]
        great = scratch[GREATS + city]
        filled = ones(side)
        free = hand
        if side:
            for piece in range(7):
                if side >> piece & 1:
                    free &= ~(FULL << FIELD * piece)
        if great != NONE:
            filled += 1
            free &= ~(FULL << FIELD * great)
        while filled < rooms:
            most = highest(free)
            if most <= NO_MORE:
                break
            piece = 7 - (most & 7)
            free &= ~(FULL << FIELD * piece)
            hand -= ONE << FIELD * piece
            filled += 1
            if great == NONE:
                great = piece
            else:
                side |= 1 << piece
        scratch[SIDES + city] = side
        scratch[GREATS + city] = great
        if city == asked:
            return total
        total += worth_of_house(s, city, rooms, filled, great, scratch)
        most_urgent = highest(urgent)
    for piece in range(6):
        total += (hand >> FIELD * piece & FULL) // ONE * scratch[SPARES + piece]
    return total


@compiled
def piece_to_begin_with(s: Row, seat: Seat, scratch: Row) -> int:
    """The piece that the plan has for the first great hall, unless all may as well stay where it is."""
    if planned(s, gathered(s, seat), houses_from(s, seat, 0), scratch) <= standing(s, seat, scratch):
        return A.keep
    piece = scratch[GREATS]
    return A.empty if piece == NONE else A.place + piece


@compiled
def next_piece(s: Row, seat: Seat, mask: Mask, scratch: Row) -> int:
    """The piece that the plan has for the hall being filled."""
    for city in range(6):
        scratch[GREATS + city] = s[F.great + seat * 6 + city]
        scratch[SIDES + city] = s[F.side + seat * 6 + city]
    # In side halls only pieces later in the order can follow: the others are out of this house.
    city = s[F.city]
    plan(s, behind_screen(s, seat), houses_from(s, seat, city), city, scratch)
    if s[F.hall] == 0:
        piece = scratch[GREATS + city]
        return A.empty if piece == NONE else A.place + piece
    wanted = scratch[SIDES + city] & ~s[F.side + seat * 6 + city]
    for piece in range(7):
        if wanted >> piece & 1 and is_legal(mask, A.place + piece):
            return A.place + piece
    return A.empty


# Bids.


@compiled
def stake(s: Row, seat: Seat, dice: Dice) -> int:
    """High in the table, now more and now less, but no higher than rivals can reach, and not for the whole purse."""
    level = s[F.level + seat]
    purse = s[F.ducats + seat]
    wish = TOP_LEVEL - draw(dice, 3 if s[F.seats] == 2 else 2)
    reach = 0
    ahead = False
    for at in range(s[F.seats]):
        rival = s[F.order + at]
        if rival == seat:
            ahead = True
        else:
            # On the same level whoever stood first in the table still does.
            reach = max(reach, s[F.level + rival] + s[F.ducats + rival] + (0 if ahead else 1))
    wish = min(wish, reach)
    return max(0, min(min(wish - level, purse - purse * SAVING // 100), TOP_LEVEL - level))


# Roles.


@compiled
def role_to_hire(s: Row, seat: Seat, mask: Mask, scratch: Row) -> int:
    """The role that changes most for its fee, or the end of the performance."""
    best = A.end
    most = 0
    for role in range(6):
        if is_legal(mask, A.hire + role):
            gain = gain_of_role(s, seat, role, scratch) - budget(FEE[role], scratch)
            if gain > most:
                most = gain
                best = A.hire + role
    return best


@compiled
def gain_of_role(s: Row, seat: Seat, role: int, scratch: Row) -> int:
    """What hiring a role would change."""
    if role == IMPRESARIO:
        return purchase(s, seat, False, scratch) - standing(s, seat, scratch)
    if role == ARCHITETTO:
        gain = project(s, seat, scratch)
        site = scratch[CHOICE]
        if site != NONE:
            rest = sites(s, seat, s[F.ducats + seat] - A_HALL * HALLS[site]) & ~(1 << site)
            gain += best_part(rest, scratch)
        return gain
    if role == SIGNORA:
        return sale(s, seat, scratch)
    return journey(s, seat, role, scratch)


# §5.1 The Impresario.


@compiled
def purchase(s: Row, seat: Seat, along: bool, scratch: Row) -> int:
    """What the halls are worth after the best purchase, less its price; the piece to begin with becomes the choice."""
    begun = s[F.first] != NONE
    purse = s[F.ducats + seat]
    levels = s[F.level + seat]
    first_fee = fee_along(s) if along else 0
    price = scratch[COIN]
    hand = gathered(s, seat)
    houses = houses_from(s, seat, 0)
    most = planned(s, hand, houses, scratch)
    if along and not begun:
        most -= budget(price_of_rearranging(s), scratch)
    choice = NONE
    offered = for_sale(s, purse) if first_fee <= levels else 0
    for piece in range(6):
        if offered >> piece & 1:
            value = planned(s, hand + (ONE << FIELD * piece), houses, scratch)
            value -= price * s[F.fame + piece] + budget(first_fee, scratch)
            if value > most:
                most = value
                choice = piece
    if choice != NONE and not begun and (not along or levels > first_fee):
        one = choice
        hand += ONE << FIELD * one
        for piece in range(6):
            cost = s[F.fame + one] + s[F.fame + piece]
            if offered >> piece & 1 and cost <= purse and (piece != one or s[F.offer + piece] > 1):
                value = planned(s, hand + (ONE << FIELD * piece), houses, scratch) - price * cost
                if along:
                    value -= budget(first_fee + 1, scratch)
                if value > most:
                    most = value
                    choice = piece if s[F.fame + piece] > s[F.fame + one] else one
    scratch[CHOICE] = choice
    return most


@compiled
def piece_to_buy(s: Row, seat: Seat, mask: Mask, scratch: Row) -> int:
    """The best purchase, or none."""
    along = s[F.hirer] != seat
    value = purchase(s, seat, along, scratch)
    choice = scratch[CHOICE]
    if is_legal(mask, A.decline) and value <= standing(s, seat, scratch):
        return A.decline
    if choice != NONE:
        return A.buy + choice
    return A.stop if is_legal(mask, A.stop) else A.decline


# §5.2 The Architetto.


@compiled
def project(s: Row, seat: Seat, scratch: Row) -> int:
    """What the best part would bring; it becomes the choice, none if it brings nothing."""
    parts = sites(s, seat, s[F.ducats + seat])
    if parts:
        hand = gathered(s, seat)
        houses = houses_from(s, seat, 0)
        before = planned(s, hand, houses, scratch)
        for site in range(24):
            if parts >> site & 1:
                scratch[PARTS + site] = worth_of_part(s, site, hand, houses, before, scratch)
    return best_part(parts, scratch)


@compiled
def best_part(parts: int, scratch: Row) -> int:
    """What the best of the parts that were judged would bring; it becomes the choice, none if it brings nothing."""
    choice = NONE
    most = 0
    for site in range(24):
        if parts >> site & 1 and scratch[PARTS + site] > most:
            most = scratch[PARTS + site]
            choice = site
    scratch[CHOICE] = choice
    return most


@compiled
def worth_of_part(s: Row, site: int, hand: int, houses: int, before: int, scratch: Row) -> int:
    """Its points, less its ducats; what it adds with the pieces at hand, and the promise of halls to fill later."""
    halls = HALLS[site]
    value = A_HALL * halls * (100 - scratch[COIN])
    after = planned(s, hand, houses + (halls * ONE << FIELD * (site >> 2)), scratch)
    value += (after - before) * AT_HAND // 100
    if rounds_left(s) > 0:
        value += halls * (scratch[SURE] + scratch[WAGE]) * PROMISE // 100
        if site & 3 == 0:
            value += NEW_STAGE * scratch[SURE] // 100
    return value


@compiled
def part_to_build(s: Row, seat: Seat, mask: Mask, scratch: Row) -> int:
    """The best part, or no more of them."""
    along = s[F.hirer] != seat
    fee = budget(fee_along(s), scratch) if along else 0
    value = project(s, seat, scratch) - fee
    site = scratch[CHOICE]
    if s[F.first] != NONE:
        return A.build + site if site != NONE and value > 0 else A.stop
    if along and (site == NONE or value <= 0):
        return A.decline
    return A.build + (site if site != NONE else first_legal(mask, A.build, 24))


@compiled
def first_legal(mask: Mask, first: int, count: int) -> int:
    """The first of some actions that is legal, counted from the first."""
    for i in range(count):
        if is_legal(mask, first + i):
            return i
    return NONE


# §5.3 The Signora.


@compiled
def sale(s: Row, seat: Seat, scratch: Row) -> int:
    """What the best sale brings, less what the piece is worth where it lies; composer and source become the choice."""
    wares = wares_of(s, seat)
    most = -ENDLESS
    choice = NONE
    for piece in range(6):
        for source in range(SOURCES):
            ware = piece * SOURCES + source
            if wares >> ware & 1:
                loss = loss_without(s, seat, source - 1, piece, scratch) if source else scratch[SPARES + piece]
                value = s[F.fame + piece] * max(2 * scratch[COIN], 100) - loss
                if value > most:
                    most = value
                    choice = ware
    scratch[CHOICE] = choice
    return most


@compiled
def piece_to_sell(s: Row, seat: Seat, mask: Mask, scratch: Row) -> int:
    """The best sale, unless it loses and may be declined."""
    value = sale(s, seat, scratch)
    if is_legal(mask, A.decline) and (scratch[CHOICE] == NONE or value <= budget(fee_along(s), scratch)):
        return A.decline
    return A.sell + scratch[CHOICE]


# §5.4 to §5.6 The figures.


@compiled
def journey(s: Row, seat: Seat, role: int, scratch: Row) -> int:
    """What the best city would bring; it becomes the choice."""
    cities = destinations(s, role - MAESTRO)
    most = -ENDLESS
    choice = NONE
    if role == CRITICO:
        weigh_verdicts(s, seat, scratch)
    for city in range(6):
        if cities >> city & 1:
            value = visit(s, seat, role, city, scratch)
            if value > most:
                most = value
                choice = city
    scratch[CHOICE] = choice
    if role == MAESTRO and s[F.figure] != NONE:
        most -= applause(s, seat, s[F.figure], scratch)
    return most


@compiled
def visit(s: Row, seat: Seat, role: int, city: int, scratch: Row) -> int:
    """What a figure would bring in a city."""
    if role == MAESTRO:
        return applause(s, seat, city, scratch)
    if role == CRITICO:
        return review(s, city, scratch)
    value = expertise_of(s, seat, city, scratch)
    hurt = 0
    for rival in range(s[F.seats]):
        if rival != seat:
            hurt += max(0, expertise_of(s, rival, city, scratch))
    return value - hurts(s, hurt)


@compiled
def hurts(s: Row, gain: int) -> int:
    """How much rivals' gains hurt."""
    # A division by a number that the compiler knows is much faster.
    if s[F.seats] == 2:
        return gain * RIVAL // 100
    return gain * RIVAL // 200 if s[F.seats] == 3 else gain * RIVAL // 300


@compiled
def applause(s: Row, seat: Seat, city: int, scratch: Row) -> int:
    """What the Maestro's doubling is worth in a city, with what it gives to rivals taken off."""
    rivals = 0
    for rival in range(s[F.seats]):
        if rival != seat:
            rivals += INCOME[ones(house(s, rival, city))]
    mine = INCOME[ones(house(s, seat, city))]
    return (mine - hurts(s, rivals)) * scratch[WAGE] * 2 // 3


@compiled
def weigh_verdicts(s: Row, seat: Seat, scratch: Row) -> None:
    """What the best verdict on each composer would bring, and its action."""
    weigh_steps(s, seat, scratch)
    for composer in range(6):
        scratch[LADDER + s[F.fame + composer]] = scratch[STEPS + composer]
    for composer in range(6):
        fame = s[F.fame + composer]
        most = 0
        choice = A.withhold
        for steps in (-2, -1, 1, 2):
            goal = fame + steps
            if goal < 1 or goal > TOP_FAME:
                continue
            # Whoever is passed moves by one step, the other way.
            way = 1 if steps > 0 else -1
            value = steps * scratch[STEPS + composer] - way * scratch[LADDER + goal]
            if goal != fame + way:
                value -= way * scratch[LADDER + fame + way]
            if value > most:
                most = value
                choice = A.praise + 2 * composer + steps - 1 if steps > 0 else A.scorn + 2 * composer - steps - 1
        scratch[GAINS + composer] = most
        scratch[VERDICTS + composer] = choice


@compiled
def weigh_steps(s: Row, seat: Seat, scratch: Row) -> None:
    """What one step of fame for each composer is worth to a seat: in great halls, in other halls, against rivals."""
    for composer in range(6):
        scratch[STEPS + composer] = ASIDE * s[F.screen + seat * 7 + composer]
    for one in range(s[F.seats]):
        great = 0
        side = 0
        for city in range(6):
            piece = s[F.great + one * 6 + city]
            if piece != NONE and piece != HOUSE:
                great += 1 << 5 * piece
            side += EACH[s[F.side + one * 6 + city] & FAMOUS]
        for composer in range(6):
            stake = scratch[SURE] * (great >> 5 * composer & 31) + ASIDE * (side >> 5 * composer & 31)
            scratch[STEPS + composer] += stake if one == seat else -hurts(s, stake)


@compiled
def review(s: Row, city: int, scratch: Row) -> int:
    """What the best verdict in a city would bring; its action becomes the choice."""
    cast = performed_in(s, city)
    most = 0
    choice = A.withhold
    for composer in range(6):
        if cast >> composer & 1 and scratch[GAINS + composer] > most:
            most = scratch[GAINS + composer]
            choice = scratch[VERDICTS + composer]
    scratch[CHOICE] = choice
    return most


@compiled
def expertise_of(s: Row, seat: Seat, city: int, scratch: Row) -> int:
    """What the Esperto would bring a seat in a city: points, less what the best piece is worth where it is."""
    there = house(s, seat, city) & FAMOUS
    if there == 0:
        return 0
    # Without branches: which composers are there is hard to guess.
    points = 0
    most = 0
    for composer in range(6):
        fame = s[F.fame + composer] * (there >> composer & 1)
        points += fame
        most = max(most, fame * 8 + composer)
    return 100 * points - loss_without(s, seat, city, most & 7, scratch)


@compiled
def city_to_visit(s: Row, seat: Seat, scratch: Row) -> int:
    """The best city for the figure being moved."""
    journey(s, seat, s[F.role], scratch)
    return scratch[CHOICE]


@compiled
def verdict(s: Row, seat: Seat, scratch: Row) -> int:
    """The best verdict in the Critico's city."""
    weigh_verdicts(s, seat, scratch)
    review(s, s[F.figure + CRITICO - MAESTRO], scratch)
    return scratch[CHOICE]


# Judging a match between rounds, and worlds by what was seen.

SPREAD = (1500.0, 1500.0, 1400.0, 1300.0, 1200.0, 1100.0, 1000.0, 900.0, 700.0)
"""How far apart two seats must be for one to be likely to win, by the rounds to come; the first for the end. Guessed."""
HOPE = constants([round(4096 * exp(-16 * i / spread)) for spread in SPREAD for i in range(512)])


@compiled
def value(s: Row, values: Row, scratch: Row) -> bool:
    """When a round begins points, halls, ducats and levels say how things stand; at the end the points do."""
    seats = s[F.seats]
    page = 0
    if s[F.ending] == 0:
        if s[F.asked] != BID or s[F.has_bid] != 0:
            return False
        page = min(8, rounds_left(s))
        appraise(s, scratch)
    best = -ENDLESS
    for seat in range(seats):
        worth = 100 * s[F.points + seat]
        if s[F.ending] == 0:
            weigh(s, seat, scratch)
            worth += standing(s, seat, scratch) + s[F.ducats + seat] * scratch[COIN] + budget(s[F.level + seat], scratch)
        values[seat] = worth
        best = max(best, worth)
    total = 0
    for seat in range(seats):
        values[seat] = HOPE[page * 512 + min(best - values[seat] >> 4, 511)]
        total += values[seat]
    for seat in range(seats):
        values[seat] = values[seat] * 10_000 // total
    return True


@compiled
def recall(s: Row, seat: Seat) -> None:
    """Bids that are in and not shown are made again."""
    for other in range(s[F.seats]):
        if other != seat and s[F.bid + other] == HIDDEN:
            s[F.bid + other] = NONE
            s[F.has_bid] = s[F.has_bid] & ~(1 << other)


@compiled
def plausible(s: Row, belief: Row) -> int:
    """As any other: there are no secrets but bids, and those are made again."""
    return 256


def believe(build: Build, view: Any) -> list[int]:
    """There are no secrets but bids, which nothing tells of."""
    return []
