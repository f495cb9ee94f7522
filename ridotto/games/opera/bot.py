"""What a good player of Opera looks at.

Everything is weighed in hundredths of a point: what a house earns and scores as it stands, what it could with the
pieces at hand, what a ducat or a budget level will still buy. A role is hired, joined or left by what it would change.
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

# Where things lie on the spare row: pieces in hand, a plan of great and side halls, halls, and what things are worth.
HAND, GREATS, SIDES, ROOMS, WORTH, STAKES, CHOICE, COIN, LEVEL, WAGE = 0, 7, 13, 19, 25, 32, 38, 39, 40, 41

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
    weigh(s, seat, scratch)
    appraise(s, scratch)
    if asked == REARRANGE or asked == STAGE:
        return next_piece(s, seat, mask, scratch)
    if asked == HIRE:
        return role_to_hire(s, seat, mask, scratch)
    if asked == BUY:
        return piece_to_buy(s, seat, mask, scratch)
    if asked == BUILD:
        return part_to_build(s, seat, mask, scratch)
    if asked == SELL:
        return piece_to_sell(s, seat, mask, scratch)
    if asked == PAY:
        return A.take + (0 if 2 * scratch[COIN] >= 100 else 1)
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
    return DUCAT[left] * plenty // max(plenty, s[F.ducats + seat])


@compiled
def weigh(s: Row, seat: Seat, scratch: Row) -> None:
    """What a ducat is worth to a seat, a level, and a ducat of income in every round until the halls are likely to change."""
    left = rounds_left(s)
    scratch[COIN] = ducat(s, seat, left)
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
            there = house(s, seat, city)
            for composer in range(6):
                performed += (there >> composer & 1) << 5 * composer
    most = 1
    for composer in range(6):
        most = max(most, performed >> 5 * composer & 31)
    near = NEAR[to_count(s)]
    sure = sureness(s)
    for composer in range(6):
        fame = 100 * s[F.fame + composer]
        if performed >> 5 * composer & 31 == most:
            if fame < 600:
                fame += 60
        else:
            for other in range(6):
                if s[F.fame + other] == s[F.fame + composer] - 1 and performed >> 5 * other & 31 == most:
                    fame -= 60
        worth = fame * sure // 100
        for count in range(s[F.counts], 3):
            if s[F.century + count] == composer:
                worth += (count + 1) * (near if count == s[F.counts] else LATER)
        scratch[WORTH + composer] = worth
    scratch[WORTH + HOUSE] = 0


@compiled
def spare(s: Row, piece: int, scratch: Row) -> int:
    """What a piece behind the screen is worth: a later hall, or a sale."""
    if piece == HOUSE:
        return 0
    if rounds_left(s) == 0:
        # It is worth its price, and a little more: no rival has it.
        return s[F.fame + piece] * scratch[COIN] + 1
    return SPARE * s[F.fame + piece] * scratch[COIN] // 100


# What stands, and what could stand.


@compiled
def look(s: Row, seat: Seat, scratch: Row) -> None:
    """Lay a seat's houses and pieces out on the spare row."""
    for piece in range(7):
        scratch[HAND + piece] = s[F.screen + seat * 7 + piece]
    for city in range(6):
        scratch[ROOMS + city] = s[F.halls + seat * 6 + city]
        scratch[GREATS + city] = s[F.great + seat * 6 + city]
        scratch[SIDES + city] = s[F.side + seat * 6 + city]


@compiled
def worth_of_halls(s: Row, scratch: Row) -> int:
    """Income, great halls, empty halls and spare pieces of what lies on the spare row."""
    wages = scratch[WAGE]
    sure = sureness(s)
    total = 0
    for city in range(6):
        rooms = scratch[ROOMS + city]
        if rooms == 0:
            continue
        great = scratch[GREATS + city]
        filled = ones(scratch[SIDES + city])
        if great != NONE:
            filled += 1
            total += scratch[WORTH + great]
        income = INCOME[filled] * wages
        if s[F.figure] == city:
            income += income * 3 // 4
        total += income - (rooms - filled) * sure
    for piece in range(6):
        if scratch[HAND + piece] > 0:
            total += scratch[HAND + piece] * spare(s, piece, scratch)
    return total


@compiled
def gather(scratch: Row) -> None:
    """Take all pieces on the spare row up."""
    for city in range(6):
        great = scratch[GREATS + city]
        pieces = scratch[SIDES + city] | (1 << great if great != NONE else 0)
        for piece in range(7):
            if pieces >> piece & 1:
                scratch[HAND + piece] += 1
        scratch[GREATS + city] = NONE
        scratch[SIDES + city] = 0


@compiled
def plan(s: Row, scratch: Row, first: int) -> int:
    """Fill the empty halls from a city on as well as may be; what everything is worth then."""
    # Great halls first: the best piece goes to the largest house that can take it.
    while True:
        best = NONE
        for piece in range(6):
            if scratch[HAND + piece] > 0 and (best == NONE or scratch[WORTH + piece] > scratch[WORTH + best]):
                if room_for_great(scratch, piece, first) != NONE:
                    best = piece
        if best == NONE:
            break
        scratch[GREATS + room_for_great(scratch, best, first)] = best
        scratch[HAND + best] -= 1
    # Then one piece after another where it adds the most income.
    while fill_one(s, scratch, first):
        pass
    return worth_of_halls(s, scratch)


@compiled
def room_for_great(scratch: Row, piece: int, first: int) -> int:
    """The largest house whose great hall can take a piece."""
    found = NONE
    for city in range(first, 6):
        if scratch[ROOMS + city] > 0 and scratch[GREATS + city] == NONE and not scratch[SIDES + city] >> piece & 1:
            if found == NONE or scratch[ROOMS + city] > scratch[ROOMS + found]:
                found = city
    return found


@compiled
def fill_one(s: Row, scratch: Row, first: int) -> bool:
    """Put one piece where it adds the most income, the one there are most of; whether there was any."""
    best_gain = -1
    best_city = NONE
    best_piece = NONE
    for city in range(first, 6):
        rooms = scratch[ROOMS + city]
        if rooms == 0:
            continue
        side = scratch[SIDES + city]
        great = scratch[GREATS + city]
        filled = ones(side) + (1 if great != NONE else 0)
        if filled >= rooms:
            continue
        gain = INCOME[filled + 1] - INCOME[filled]
        if s[F.figure] == city:
            gain += gain
        # Larger houses have the larger steps still to come.
        gain = gain * 8 + rooms
        if gain <= best_gain:
            continue
        taken = side | (1 << great if great != NONE else 0)
        found = NONE
        for piece in range(7):
            if scratch[HAND + piece] > 0 and not taken >> piece & 1:
                if found == NONE or scratch[HAND + piece] > scratch[HAND + found]:
                    found = piece
        if found != NONE:
            best_gain = gain
            best_city = city
            best_piece = found
    if best_city == NONE:
        return False
    scratch[HAND + best_piece] -= 1
    if scratch[GREATS + best_city] == NONE:
        scratch[GREATS + best_city] = best_piece
    else:
        scratch[SIDES + best_city] |= 1 << best_piece
    return True


@compiled
def planned(s: Row, seat: Seat, scratch: Row, piece: int, second: int, site: int) -> int:
    """What a seat's halls are worth, well arranged, with up to two more pieces and one more part."""
    look(s, seat, scratch)
    gather(scratch)
    if piece != NONE:
        scratch[HAND + piece] += 1
    if second != NONE:
        scratch[HAND + second] += 1
    if site != NONE:
        scratch[ROOMS + (site >> 2)] += HALLS[site]
    return plan(s, scratch, 0)


@compiled
def next_piece(s: Row, seat: Seat, mask: Mask, scratch: Row) -> int:
    """The piece that the plan has for the hall being filled."""
    look(s, seat, scratch)
    city = s[F.city]
    if s[F.asked] == REARRANGE:
        before = worth_of_halls(s, scratch)
        gather(scratch)
        if plan(s, scratch, 0) <= before:
            return A.keep
    else:
        # In side halls only pieces later in the order can follow: the others are out of this house.
        plan(s, scratch, city)
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
        purse = s[F.ducats + seat]
        gain = project(s, seat, purse, NONE, scratch)
        site = scratch[CHOICE]
        if site != NONE:
            gain += project(s, seat, purse - A_HALL * HALLS[site], site, scratch)
        return gain
    if role == SIGNORA:
        return sale(s, seat, scratch)
    return journey(s, seat, role, scratch)


@compiled
def standing(s: Row, seat: Seat, scratch: Row) -> int:
    """What a seat's halls are worth as they are."""
    look(s, seat, scratch)
    return worth_of_halls(s, scratch)


# §5.1 The Impresario.


@compiled
def purchase(s: Row, seat: Seat, along: bool, scratch: Row) -> int:
    """What the halls are worth after the best purchase, less its price; the piece to begin with becomes the choice."""
    begun = s[F.first] != NONE
    purse = s[F.ducats + seat]
    levels = s[F.level + seat]
    first_fee = fee_along(s) if along else 0
    price = scratch[COIN]
    most = planned(s, seat, scratch, NONE, NONE, NONE)
    if along and not begun:
        most -= budget(price_of_rearranging(s), scratch)
    choice = NONE
    offered = for_sale(s, purse) if first_fee <= levels else 0
    for piece in range(6):
        if offered >> piece & 1:
            value = planned(s, seat, scratch, piece, NONE, NONE) - price * s[F.fame + piece] - budget(first_fee, scratch)
            if value > most:
                most = value
                choice = piece
    if choice != NONE and not begun and (not along or levels > first_fee):
        one = choice
        for piece in range(6):
            cost = s[F.fame + one] + s[F.fame + piece]
            if offered >> piece & 1 and cost <= purse and (piece != one or s[F.offer + piece] > 1):
                value = planned(s, seat, scratch, one, piece, NONE) - price * cost
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
def project(s: Row, seat: Seat, purse: int, but: int, scratch: Row) -> int:
    """What the best part but one would bring; it becomes the choice, none if it brings nothing."""
    parts = sites(s, seat, purse)
    if but != NONE:
        parts &= ~(1 << but)
    choice = NONE
    most = 0
    if parts:
        before = planned(s, seat, scratch, NONE, NONE, NONE)
        for site in range(24):
            if parts >> site & 1:
                value = worth_of_part(s, seat, site, before, scratch)
                if value > most:
                    most = value
                    choice = site
    scratch[CHOICE] = choice
    return most


@compiled
def worth_of_part(s: Row, seat: Seat, site: int, before: int, scratch: Row) -> int:
    """Its points, less its ducats; what it adds with the pieces at hand, and the promise of halls to fill later."""
    halls = HALLS[site]
    value = A_HALL * halls * (100 - scratch[COIN])
    value += (planned(s, seat, scratch, NONE, NONE, site) - before) * AT_HAND // 100
    if rounds_left(s) > 0:
        value += halls * (sureness(s) + scratch[WAGE]) * PROMISE // 100
        if site & 3 == 0:
            value += NEW_STAGE * sureness(s) // 100
    return value


@compiled
def part_to_build(s: Row, seat: Seat, mask: Mask, scratch: Row) -> int:
    """The best part, or no more of them."""
    along = s[F.hirer] != seat
    fee = budget(fee_along(s), scratch) if along else 0
    value = project(s, seat, s[F.ducats + seat], NONE, scratch) - fee
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
    before = standing(s, seat, scratch)
    for ware in range(6 * SOURCES):
        if wares >> ware & 1:
            piece = ware // SOURCES
            source = ware % SOURCES
            look(s, seat, scratch)
            if source == 0:
                scratch[HAND + piece] -= 1
            else:
                strike(scratch, source - 1, piece)
            value = s[F.fame + piece] * max(2 * scratch[COIN], 100) + worth_of_halls(s, scratch) - before
            if value > most:
                most = value
                choice = ware
    scratch[CHOICE] = choice
    return most


@compiled
def strike(scratch: Row, city: int, piece: int) -> None:
    """Take a piece out of a house on the spare row."""
    if scratch[GREATS + city] == piece:
        scratch[GREATS + city] = NONE
    else:
        scratch[SIDES + city] &= ~(1 << piece)


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
    for city in range(6):
        if cities >> city & 1:
            value = visit(s, seat, role, city, scratch)
            if value > most:
                most = value
                choice = city
    scratch[CHOICE] = choice
    return most


@compiled
def visit(s: Row, seat: Seat, role: int, city: int, scratch: Row) -> int:
    """What a figure would bring in a city."""
    if role == MAESTRO:
        value = applause(s, seat, city, scratch)
        if s[F.figure] != NONE:
            value -= applause(s, seat, s[F.figure], scratch)
        return value
    if role == CRITICO:
        return review(s, seat, city, scratch)
    value = expertise_of(s, seat, city, scratch)
    hurt = 0
    for rival in range(s[F.seats]):
        if rival != seat:
            hurt += max(0, expertise_of(s, rival, city, scratch))
    return value - hurt * RIVAL // (100 * (s[F.seats] - 1))


@compiled
def applause(s: Row, seat: Seat, city: int, scratch: Row) -> int:
    """What the Maestro's doubling is worth in a city, with what it gives to rivals taken off."""
    rivals = 0
    for rival in range(s[F.seats]):
        if rival != seat:
            rivals += INCOME[ones(house(s, rival, city))]
    mine = INCOME[ones(house(s, seat, city))]
    return (mine - rivals * RIVAL // (100 * (s[F.seats] - 1))) * scratch[WAGE] * 2 // 3


@compiled
def review(s: Row, seat: Seat, city: int, scratch: Row) -> int:
    """What the best verdict in a city would bring; its action becomes the choice."""
    for composer in range(6):
        scratch[STAKES + composer] = interest(s, seat, composer)
    cast = performed_in(s, city)
    most = 0
    choice = A.withhold
    for composer in range(6):
        if not cast >> composer & 1:
            continue
        for steps in (-2, -1, 1, 2):
            start = s[F.fame + composer]
            goal = start + steps
            if goal < 1 or goal > 6:
                continue
            value = steps * scratch[STAKES + composer]
            for other in range(6):
                fame = s[F.fame + other]
                if fame > start and fame <= goal:
                    value -= scratch[STAKES + other]
                elif fame < start and fame >= goal:
                    value += scratch[STAKES + other]
            if value > most:
                most = value
                choice = A.praise + 2 * composer + steps - 1 if steps > 0 else A.scorn + 2 * composer - steps - 1
    scratch[CHOICE] = choice
    return most


@compiled
def interest(s: Row, seat: Seat, composer: int) -> int:
    """What one step of fame for a composer is worth to a seat: in great halls, in other halls, against rivals."""
    sure = sureness(s)
    value = 0
    for one in range(s[F.seats]):
        stake = 0
        for city in range(6):
            if s[F.great + one * 6 + city] == composer:
                stake += sure
            elif s[F.side + one * 6 + city] >> composer & 1:
                stake += ASIDE
        if one == seat:
            value += stake + ASIDE * s[F.screen + seat * 7 + composer]
        else:
            value -= stake * RIVAL // (100 * (s[F.seats] - 1))
    return value


@compiled
def expertise_of(s: Row, seat: Seat, city: int, scratch: Row) -> int:
    """What the Esperto would bring a seat in a city: points, less what the best piece is worth where it is."""
    there = house(s, seat, city) & FAMOUS
    if there == 0:
        return 0
    points = 0
    best = NONE
    for composer in range(6):
        if there >> composer & 1:
            points += s[F.fame + composer]
            if best == NONE or s[F.fame + composer] > s[F.fame + best]:
                best = composer
    before = standing(s, seat, scratch)
    strike(scratch, city, best)
    return 100 * points + worth_of_halls(s, scratch) - before


@compiled
def city_to_visit(s: Row, seat: Seat, scratch: Row) -> int:
    """The best city for the figure being moved."""
    journey(s, seat, s[F.role], scratch)
    return scratch[CHOICE]


@compiled
def verdict(s: Row, seat: Seat, scratch: Row) -> int:
    """The best verdict in the Critico's city."""
    review(s, seat, s[F.figure + CRITICO - MAESTRO], scratch)
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
