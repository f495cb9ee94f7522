"""The judgement of a good player of Turandot: the worth of each card to each seat, who is likely to want it, and its cost.

Worth is counted in parts of a point, likelihood in parts of 256. Spare words hold the sums (see `scratch.py`). Nothing
hidden is read: of what others have laid, only how many cards.
"""

from __future__ import annotations

from math import exp
from typing import Any

from ridotto.engine.build import Build, compiled, constants
from ridotto.engine.dice import draw, is_legal, ones
from ridotto.engine.fields import HIDDEN, Dice, Events, Mask, Row, Seat
from ridotto.games.turandot.ai.casting import assign, best_casting, best_column, next_to_cast
from ridotto.games.turandot.ai.scratch import CHANCES, GAIN, WANT, WORTH
from ridotto.games.turandot.ai.worth import POINT, outlook, prospects, weigh_cards
from ridotto.games.turandot.components import DIRECTOR_ROUND, DIRECTORS, TROUPE
from ridotto.games.turandot.rules import (
    AUDITION,
    CAST,
    MOST,
    NAME,
    NONE,
    ROUNDS,
    STRIKE,
    UNDERSTUDY,
    A,
    F,
    cards_in,
    helpers,
    left_of,
    legal,
    money_in,
    next_lacking,
    position_of,
    slot_of,
    stars,
    total,
)

SURE = 256
"""A certain event."""
PLAIN_CHOICES = 25
"""The choices in an audition, without the bluff card."""


# The audition.

LAST = 160
ROUGH = constants([round(4096 * exp(-i / 14)) for i in range(LAST)] + [0])
CALM = constants([round(4096 * exp(-i / 2)) for i in range(LAST)] + [0])
"""The weight of a choice that is worth so much less than the best: as one thinks of others, and for oneself."""

COST = constants([14, 15, 16, 17, 18, 18, 0])
"""The worth of a money card, by round: after the last, nothing (§8.4)."""

RAISED = constants([SURE, 110, 45, 15])
"""The chance that a bid has so many money cards or more, when nothing is known of it."""

ALL_IN = 240
"""The same in the last round, as far as a purse goes."""

STRAY = 40
"""The chance that a seat lays money alone."""

FEIGN = 100
"""The chance that the bluff card is added."""

SPITE = 280
"""The worth between two of keeping a card from the other, in parts of 256 of what the other would miss."""


@compiled
def fallback(s: Row, seat: Seat, x: Row) -> int:
    """The worth of an understudy: the best card that nobody bids for to Puccini's holder, nearly the worst to others."""
    cards: int = s[F.seats] + 1
    at = WORTH + seat * 6
    holder = seat == s[F.puccini]
    # From the best card down, or from the worst up: the first that is still there.
    total = 0
    expected = 0
    missing = SURE
    worth = 0
    done = 0
    for _ in range(cards):
        following = -1
        for position in range(cards):
            if not done >> position & 1:
                if following < 0 or (x[at + position] > x[at + following]) == holder:
                    following = position
        done |= 1 << following
        worth = x[at + following]
        there = missing * chance_to_win(s, seat, following, 0, x) // SURE
        total += worth
        expected += worth * there
        missing -= there
    expected = (expected + worth * missing) // SURE
    if holder:
        return expected
    return expected + (total // cards - expected) // 8


@compiled
def weigh_wants(s: Row, x: Row) -> None:
    """Fill WANT: the chance that each seat bids for each card, if all shun a little what the others want."""
    cards = s[F.seats] + 1
    for i in range(MOST * 6):
        x[WANT + i] = 0
    for _ in range(2):
        for seat in range(s[F.seats]):
            second = fallback(s, seat, x)
            money = s[F.money + seat] if s[F.round] == ROUNDS else 0
            best = -32000
            for position in range(cards):
                alone = chance_to_win(s, seat, position, money, x)
                worth = second + (x[WORTH + seat * 6 + position] - second) * alone // SURE
                x[CHANCES + position] = worth
                best = max(best, worth)
            total = 0
            for position in range(cards):
                x[CHANCES + position] = ROUGH[min(best - x[CHANCES + position], LAST)]
                total += x[CHANCES + position]
            for position in range(cards):
                x[WANT + seat * 6 + position] = x[CHANCES + position] * (SURE - STRAY) // total


@compiled
def chance_to_win(s: Row, seat: Seat, position: int, money: int, x: Row) -> int:
    """The chance that nobody else bids as much for a card."""
    chance = SURE
    for other in range(s[F.seats]):
        if other != seat:
            rival = x[WANT + other * 6 + position] * chance_raised(s, other, money) // SURE
            chance = chance * (SURE - rival) // SURE
    return chance


@compiled
def chance_raised(s: Row, seat: Seat, money: int) -> int:
    """The chance that a seat's bid has so many money cards or more, by the cards it has laid if they are seen."""
    if money > s[F.money + seat]:
        return 0
    laid = s[F.laid + seat]
    if laid == 0:
        return ALL_IN if money > 0 and s[F.round] == ROUNDS else RAISED[money]
    if laid - 2 >= money:
        return SURE
    if laid - 1 < money:
        return 0
    if money > 0 and s[F.round] == ROUNDS:
        return ALL_IN
    # It is so if the last card is not the bluff card.
    return SURE if laid == 1 or laid - 1 > s[F.money + seat] else SURE // 2


@compiled
def chance_to_hire(s: Row, seat: Seat) -> int:
    """The chance that money laid alone hires somebody."""
    if s[F.round] == DIRECTOR_ROUND or seat == s[F.puccini]:
        return 0
    before = 0
    other = left_of(s, s[F.puccini])
    while other != seat:
        if s[F.money + other] > 0 and s[F.laid + other] <= 2:
            before += 1
        other = left_of(s, other)
    if before < helpers(s):
        return SURE
    return SURE - STRAY * (before - helpers(s) + 1)


@compiled
def spite(s: Row, seat: Seat, position: int, x: Row) -> int:
    """Between two: what the other would miss by a card, as far as the other is likely to bid for it, is a gain too."""
    if s[F.seats] != 2:
        return 0
    other = WORTH + left_of(s, seat) * 6
    mean = (x[other] + x[other + 1] + x[other + 2]) // 3
    missed = (x[other + position] - mean) * x[other - WORTH + WANT + position] // SURE
    return missed * SPITE // SURE


@compiled
def weigh_choices(s: Row, seat: Seat, mask: Mask, x: Row) -> int:
    """Fill CHANCES with the worth of each choice without the bluff card, 24 bids and money alone; return the best."""
    weigh_cards(s, x)
    weigh_wants(s, x)
    second = fallback(s, seat, x)
    cost = COST[s[F.round] - 1]
    # The choices without the bluff card have even numbers.
    best = -32000
    for i in range(PLAIN_CHOICES):
        worth = -32000
        if is_legal(mask, 2 * i):
            if 2 * i == A.money:
                # Where money hires nobody, a number brings a card at least as good.
                hire = chance_to_hire(s, seat)
                if hire > 0:
                    worth = second + hire * (POINT - cost) // SURE
            elif s[F.round] < ROUNDS or money_in(2 * i) == s[F.money + seat]:
                # In the last round money is of no use any more but now.
                position = position_of(2 * i)
                money = money_in(2 * i)
                chance = chance_to_win(s, seat, position, money, x)
                gain = x[WORTH + seat * 6 + position] + spite(s, seat, position, x) - second - money * cost
                worth = second + gain * chance // SURE
        x[CHANCES + i] = worth
        best = max(best, worth)
    return best


@compiled
def audition(s: Row, seat: Seat, mask: Mask, dice: Dice, x: Row) -> int:
    """A number with a sum, or money alone: the better, the likelier."""
    best = weigh_choices(s, seat, mask, x)
    total = 0
    for i in range(PLAIN_CHOICES):
        x[CHANCES + i] = CALM[min(best - x[CHANCES + i], LAST)]
        total += x[CHANCES + i]
    pick = draw(dice, total)
    i = 0
    while pick >= x[CHANCES + i]:
        pick -= x[CHANCES + i]
        i += 1
    # Nobody is deceived where cards are not counted, when all the others have laid, or by an empty purse; a small box may
    # have no bluff card.
    believed = s[F.blind] == 0 and left_of(s, seat) != s[F.puccini] and s[F.money + seat] > 0
    if believed and is_legal(mask, 2 * i + 1) and draw(dice, SURE) < FEIGN:
        return 2 * i + 1
    return 2 * i


# Understudies.


@compiled
def understudy(s: Row, seat: Seat, x: Row) -> int:
    """The position of the card to give: the best for oneself, the least for the others."""
    weigh_cards(s, x)
    there = 0
    for position in range(6):
        if s[F.offer + position] != NONE:
            there |= 1 << position
    # One row for each seat that lacks a card, in their order, and a last one for the card left over.
    width = ones(there)
    row = 0
    taker = next_lacking(s)
    for _ in range(s[F.seats]):
        if s[F.lacking] >> taker & 1:
            column = 0
            for position in range(6):
                if there >> position & 1:
                    worth = x[WORTH + taker * 6 + position]
                    x[GAIN + row * 6 + column] = 2 * worth if taker == seat else -worth
                    column += 1
            row += 1
        taker = left_of(s, taker)
    for column in range(width):
        x[GAIN + row * 6 + column] = 0
    assign(x, width)
    column = best_column(x, (1 << width) - 1, 0)
    for position in range(6):
        if there >> position & 1:
            if column == 0:
                return position
            column -= 1
    return NONE


# Directors.


@compiled
def likes(s: Row, seat: Seat, director: int) -> int:
    """The points that a director is expected to bring to a seat."""
    return outlook(s, F.troupe + seat * TROUPE, director, TROUPE - s[F.round])


@compiled
def best_strike(s: Row, seat: Seat) -> int:
    """The director who would do most for the others and least for oneself."""
    struck = 0
    best = -32000
    for director in range(DIRECTORS):
        if s[F.pool] >> director & 1:
            harm = -likes(s, seat, director) * (s[F.seats] - 1)
            for other in range(s[F.seats]):
                if other != seat:
                    harm += likes(s, other, director)
            if harm > best:
                best = harm
                struck = director
    return struck


@compiled
def best_to_name(s: Row, seat: Seat, dice: Dice) -> int:
    """The opponent who is likely to strike what one would miss least."""
    named = NONE
    least = 32000
    other = seat
    for _ in range(draw(dice, s[F.seats])):
        other = left_of(s, other)
    for _ in range(s[F.seats]):
        other = left_of(s, other)
        if other != seat:
            loss = likes(s, seat, best_strike(s, other))
            if loss < least:
                least = loss
                named = other
    return named


@compiled
def policy(s: Row, seat: Seat, mask: Mask, dice: Dice, events: Events, scratch: Row) -> int:
    """The action of a sensible player."""
    asked = s[F.asked]
    action: int
    if asked == AUDITION:
        action = audition(s, seat, mask, dice, scratch)
    elif asked == UNDERSTUDY:
        action = A.give + understudy(s, seat, scratch)
    elif asked == NAME:
        action = A.name + best_to_name(s, seat, dice)
    elif asked == STRIKE:
        action = A.strike + best_strike(s, seat)
    else:
        action = A.cast + next_to_cast(s, seat, scratch)
    return action


# Judging a match between rounds, and worlds by what was seen.

# All fitted to matches of the bot against itself, by round: the part that comes true of what a troupe and its director
# promise, in sixteenths; the worth of a money card in hand; the lead at which one seat wins e times as often, at the end too.
TROUPE_TRUE = constants([13, 13, 13, 13, 14, 15, 15])
DIRECTOR_TRUE = constants([3, 3, 4, 3, 11, 13, 14])
PURSE = constants([14, 14, 14, 13, 13, 11, 8])
SPREAD = (60, 52, 50, 48, 48, 40, 30, 24)
HOPE = constants([round(4096 * exp(-i / spread)) for spread in SPREAD for i in range(256)])
END_PAGE = 7


@compiled
def standing(s: Row, seat: Seat, x: Row) -> int:
    """The points that a seat may expect in the end."""
    at: int = F.troupe + seat * TROUPE
    page = s[F.round] - 1
    to_come = TROUPE - slot_of(s[F.round])
    worth: int = POINT * (stars(s, at) + best_casting(s, at, x)) * TROUPE_TRUE[page]
    if s[F.director + seat] != NONE:
        worth += outlook(s, at, s[F.director + seat], to_come) * DIRECTOR_TRUE[page]
    elif s[F.pool] != 0:
        worth += prospects(s, at, s[F.pool], to_come) * DIRECTOR_TRUE[page]
    worth = worth // 16 + POINT * s[F.elements + seat] + PURSE[page] * s[F.money + seat]
    # Of two players, the one who will have Puccini in the last round loses a point.
    if s[F.seats] == 2 and (s[F.puccini] == seat) == (s[F.round] & 1 == 1):
        worth -= POINT
    return worth


@compiled
def value(s: Row, values: Row, scratch: Row) -> bool:
    """Before an audition troupes, directors and money say how things stand; at the end the scores do."""
    seats = s[F.seats]
    page = END_PAGE
    if s[F.ending] == 0:
        if s[F.asked] != AUDITION or ones(s[F.owing]) != (seats if s[F.blind] else 1):
            return False
        page = s[F.round] - 1
        for seat in range(seats):
            if s[F.laid + seat] != 0:
                return False
    best = -32000
    for seat in range(seats):
        worth = POINT * total(s, seat) if page == END_PAGE else standing(s, seat, scratch)
        values[seat] = worth
        best = max(best, worth)
    everybody = 0
    for seat in range(seats):
        values[seat] = HOPE[page * 256 + min(best - values[seat], 255)]
        everybody += values[seat]
    for seat in range(seats):
        values[seat] = values[seat] * 10_000 // everybody
    return True


@compiled
def recall(s: Row, seat: Seat) -> None:
    """Blind auditions and castings that are not shown are made again."""
    for other in range(s[F.seats]):
        if other == seat:
            continue
        if s[F.blind] and s[F.asked] == AUDITION and s[F.pending + other] == HIDDEN:
            s[F.pending + other] = NONE
            s[F.owing] = s[F.owing] | 1 << other
        if s[F.asked] == CAST and s[F.casting + other * TROUPE] == HIDDEN:
            for role in range(other * TROUPE, other * TROUPE + TROUPE):
                s[F.casting + role] = NONE
            s[F.assigned + other] = 0
            s[F.owing] = s[F.owing] | 1 << other


CHOICES = A.give
"""The number of things that can be laid."""
DRAWS = 96
"""Samples of what somebody else might have laid."""
SCALE, FLOOR = 256, 6


@compiled
def plausible(s: Row, belief: Row) -> int:
    """As all that lies face down is."""
    likely = SCALE
    if s[F.asked] == AUDITION:
        for seat in range(s[F.seats]):
            if s[F.pending + seat] != NONE:
                likely = likely * belief[seat * CHOICES + s[F.pending + seat]] // SCALE
    return likely


def believe(build: Build, view: Any) -> list[int]:
    """The plausibility of each choice of each seat: how often the bot itself would lay it there, among so many cards."""
    belief = [SCALE] * (MOST * CHOICES)
    if view is None or view.row[F.asked] != AUDITION or view.row[F.blind]:
        return belief
    row, mask, spare, muted = build.copy(view.row), build.mask(), build.scratch(), build.events(muted=True)
    dice = build.generator(0)
    # From the last who laid back to the first: each saw the cards of those before.
    other = left_of(row, row[F.puccini])
    order = [int(row[F.puccini])]
    while other != order[0]:
        order.append(int(other))
        other = left_of(row, other)
    for other in reversed([seat for seat in order if row[F.laid + seat]]):
        cards = int(row[F.laid + other])
        row[F.laid + other], row[F.pending + other], row[F.owing] = 0, NONE, 1 << other
        legal(row, other, mask)
        counts = [0] * CHOICES
        for _ in range(DRAWS):
            choice = int(policy(row, other, mask, dice, muted, spare))
            counts[choice] += int(cards_in(choice) == cards)
        if most := max(counts):
            belief[other * CHOICES : (other + 1) * CHOICES] = [max(FLOOR, SCALE * count // most) for count in counts]
    return belief
