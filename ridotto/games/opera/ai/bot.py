"""The judgement of a good player of Opera.

Everything is weighed in hundredths of a point: what a house earns and scores as it stands, what it could with the
pieces at hand, what a ducat or a budget level will still buy. A role is hired, joined or left by what it would change. The
valuations that every decision calls are in `worth.py`.
"""

# mypy: no-warn-return-any
# (a code out of a namedtuple of numbers is an int, which no annotation can say)

from __future__ import annotations

from math import exp
from typing import Any

from ridotto.engine.build import Build, compiled, constants
from ridotto.engine.dice import count_legal, draw, is_legal, nth_legal, ones
from ridotto.engine.fields import HIDDEN, Dice, Events, Mask, Row, Seat
from ridotto.games.opera.ai.worth import (
    CHOICE,
    COIN,
    EACH,
    FIELD,
    GAINS,
    GREATS,
    LADDER,
    ONE,
    PARTS,
    SIDES,
    SPARES,
    STEPS,
    SURE,
    VERDICTS,
    WAGE,
    appraise,
    behind_screen,
    budget,
    gathered,
    houses_from,
    loss_without,
    plan,
    planned,
    rounds_left,
    standing,
    weigh,
)
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
    performed_in,
    price_of_rearranging,
    sites,
    wares_of,
)

RIVAL = 60
"""The loss by a rival's gain, in hundredths of it, shared among all rivals."""
AT_HAND = 60
"""The share that counts of what a new part would bring with the pieces at hand, in hundredths."""
PROMISE = 50
"""The share that counts of what a new hall would bring once it is filled, in hundredths."""
NEW_STAGE = 250
"""The promise of a new great hall, in hundredths of a point at each count."""
SAVING = 45
"""The share of the purse that is never bid, in hundredths."""
ASIDE = 10
"""The worth of a step of fame to a piece outside the great halls."""


@compiled
def policy(s: Row, seat: Seat, mask: Mask, dice: Dice, events: Events, scratch: Row) -> int:
    """The action of a sensible player, who goes by what that seat may know alone."""
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


# Arranging houses.


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
    """The gain by hiring a role."""
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
    """The worth of the halls after the best purchase, less its price; the piece to begin with becomes the choice."""
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
    """The gain by the best part; it becomes the choice, none if it brings nothing."""
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
    """The gain by the best of the parts that were judged; it becomes the choice, none if it brings nothing."""
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
    """The gain by the best sale, less the worth of the piece where it lies; composer and source become the choice."""
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
    """The gain by going to the best city, which becomes the choice."""
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
    """The gain by a figure's visit to a city."""
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
    """The loss by rivals' gains."""
    # A division by a number that the compiler knows is much faster.
    if s[F.seats] == 2:
        return gain * RIVAL // 100
    return gain * RIVAL // 200 if s[F.seats] == 3 else gain * RIVAL // 300


@compiled
def applause(s: Row, seat: Seat, city: int, scratch: Row) -> int:
    """The worth of the Maestro's doubling in a city, less its gain to rivals."""
    rivals = 0
    for rival in range(s[F.seats]):
        if rival != seat:
            rivals += INCOME[ones(house(s, rival, city))]
    mine = INCOME[ones(house(s, seat, city))]
    return (mine - hurts(s, rivals)) * scratch[WAGE] * 2 // 3


@compiled
def weigh_verdicts(s: Row, seat: Seat, scratch: Row) -> None:
    """Set the gain by the best verdict on each composer, and its action."""
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
    """Set the worth to a seat of one step of fame for each composer: in great halls, in other halls, against rivals."""
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
    """The gain by the best verdict in a city; its action becomes the choice."""
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
    """The gain of a seat by the Esperto in a city: points, less the worth of the best piece where it is."""
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
"""The lead in hundredths of a point that makes a win likely, by the rounds to come; the first for the end. Guessed."""
HOPE = constants([round(4096 * exp(-16 * i / spread)) for spread in SPREAD for i in range(512)])


@compiled
def value(s: Row, values: Row, scratch: Row) -> bool:
    """Judge the start of a round by points, halls, ducats and levels, and the end by points."""
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
