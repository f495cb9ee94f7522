"""What a good player of Turandot looks at: what each card is worth to whom, who is likely to want it, and what it costs.

Worth is counted in parts of a point, likelihood in parts of 256. Spare words hold the sums (see the places in the
scratch row below). Nothing hidden is read: of what others have laid, only how many cards.
"""

from __future__ import annotations

from math import exp
from typing import Any

from ridotto.engine.build import Build, compiled, constants
from ridotto.engine.dice import draw, is_legal, ones
from ridotto.engine.fields import HIDDEN, Dice, Events, Mask, Row, Seat
from ridotto.games.turandot.components import (
    AT_LEAST,
    BY_NUMBER,
    CATEGORIES,
    DIRECTOR_ROUND,
    DIRECTORS,
    FAVOURITE,
    FEWER_THAN,
    FIRST_TERM,
    PER,
    ROLE_SEX,
    SEX,
    SINGERS,
    TERM_KIND,
    TERM_MATCHES,
    TERM_N,
    TERM_POINTS,
    TERM_STATISTIC,
    TERM_VALUES,
    TROUPE,
)
from ridotto.games.turandot.rules import (
    AUDITION,
    CAST,
    DISTINCT_CATEGORIES,
    FEMALE,
    MOST,
    NAME,
    NONE,
    ROUNDS,
    STRIKE,
    UNDERSTUDY,
    UNDETERMINED,
    WOMEN,
    A,
    F,
    already_cast,
    cards_in,
    helpers,
    left_of,
    legal,
    money_in,
    next_lacking,
    position_of,
    slot_of,
    stars,
    term_number,
    total,
)

POINT = 32
SURE = 256
LIMIT = 2500
"""No card is thought to be worth more, whatever the box says, so that six of them still fit a word."""

# Places in the scratch row.
BEST = 0
"""64 words: the best sum for each set of cards (see `assign`)."""
GAIN = 64
"""36 words: what it is worth to give the card of a column to the taker of a row (see `assign`)."""
WORTH = 100
"""30 words: what each card under a role is worth to each seat."""
WANT = 130
"""30 words: how likely each seat is to bid for each card."""
TRIAL = 160
"""6 words: a troupe with a card added."""
KNOWN = 166
"""2 words: what WORTH was filled for."""
CHANCES = BEST
"""25 words: how likely a seat is to make each choice; in an audition nothing is assigned any more."""
PLAIN_CHOICES = 25
"""How many choices there are in an audition, without the bluff card."""


# Giving cards out in the best way: the roles to singers, or the understudies to seats.


@compiled
def assign(x: Row, width: int) -> None:
    """For every set of the first `width` columns, the best sum of GAIN when they go to that many last rows, one each."""
    x[BEST] = 0
    for bits in range(1, 1 << width):
        row = width - ones(bits)
        best = -32000
        for column in range(width):
            if bits >> column & 1:
                best = max(best, x[GAIN + row * 6 + column] + x[BEST + (bits & ~(1 << column))])
        x[BEST + bits] = best


@compiled
def best_column(x: Row, free: int, row: int) -> int:
    """After `assign`, the column out of the free ones that the taker of a row should get."""
    best = -1
    for column in range(6):
        if free >> column & 1:
            if best < 0 or sum_with(x, free, row, column) > sum_with(x, free, row, best):
                best = column
    return best


@compiled
def sum_with(x: Row, free: int, row: int, column: int) -> int:
    """The best sum if the taker of a row gets this column."""
    return x[GAIN + row * 6 + column] + x[BEST + (free & ~(1 << column))]


def _fit(singer: int, role: int) -> int:
    """What a singer adds in a role: a point for the favourite one, a point less for one of the other sex."""
    wrong = SEX[singer] != UNDETERMINED and SEX[singer] != ROLE_SEX[role]
    return int(FAVOURITE[singer] == role) - int(wrong)


FIT = constants([_fit(singer, role) for singer in range(SINGERS) for role in range(TROUPE)])
"""What a singer adds in a role: index singer * 6 + role."""


@compiled
def weigh_casting(s: Row, at: int, x: Row) -> None:
    """Fill `x` for the troupe that stands in `s` from `at` on; a place still empty adds nothing in any role."""
    for slot in range(TROUPE):
        singer = s[at + slot]
        for role in range(TROUPE):
            x[GAIN + role * 6 + slot] = 0 if singer == NONE else FIT[singer * TROUPE + role]
    assign(x, TROUPE)


@compiled
def best_casting(s: Row, at: int, x: Row) -> int:
    """Favourite roles less wrong sexes in the best casting of a troupe."""
    weigh_casting(s, at, x)
    return x[BEST + (1 << TROUPE) - 1]


@compiled
def weigh_newcomer(s: Row, at: int, joins: int, x: Row) -> None:
    """Fill `x` so that `best_part` can say what anybody would add who joins a troupe at this place."""
    row = 1
    for slot in range(TROUPE):
        if slot != joins:
            singer = s[at + slot]
            for role in range(TROUPE):
                x[GAIN + row * 6 + role] = 0 if singer == NONE else FIT[singer * TROUPE + role]
            row += 1
    for role in range(TROUPE):
        x[GAIN + role] = 0
    assign(x, TROUPE)


@compiled
def best_part(singer: int, x: Row) -> int:
    """After `weigh_newcomer`, favourite roles less wrong sexes in the best casting with this singer."""
    best = -32000
    for role in range(TROUPE):
        best = max(best, FIT[singer * TROUPE + role] + x[BEST + ((1 << TROUPE) - 1 & ~(1 << role))])
    return best


# What directors may bring to a troupe that is still growing.

SEEK, SHUN = 1.5, 0.7
"""How much likelier a singer who helps the director is to join than by chance, and one who harms."""


def _term_points(term: int, number: int) -> int:
    """What a term gives at the end."""
    if TERM_KIND[term] == PER:
        return TERM_POINTS[term] * number
    if TERM_KIND[term] == AT_LEAST:
        return TERM_POINTS[term] * (number >= TERM_N[term])
    if TERM_KIND[term] == FEWER_THAN:
        return TERM_POINTS[term] * (number < TERM_N[term])
    return TERM_VALUES[term * (TROUPE + 1) + number]


def _likely(term: int, number: int) -> float:
    """How likely a singer taken by chance is to raise the number that a term goes by."""
    if TERM_KIND[term] != BY_NUMBER:
        return sum(TERM_MATCHES[term * SINGERS + singer] for singer in range(SINGERS)) / SINGERS
    if TERM_STATISTIC[term] == WOMEN:
        return sum(SEX[singer] == FEMALE for singer in range(SINGERS)) / SINGERS
    if TERM_STATISTIC[term] == DISTINCT_CATEGORIES:
        return (CATEGORIES - number) / CATEGORIES
    return 1 / CATEGORIES if number else 1.0


def _outlook(term: int) -> list[int]:
    """What a term is expected to give, by its number now and the singers to come."""
    now = [float(_term_points(term, number)) for number in range(TROUPE + 1)]
    columns = [now]
    for _ in range(TROUPE):
        after = columns[-1]
        column = []
        for number in range(TROUPE):
            raised = min(1.0, _likely(term, number) * (SEEK if after[number + 1] > after[number] else SHUN))
            column.append(raised * after[number + 1] + (1 - raised) * after[number])
        columns.append([*column, after[TROUPE]])
    return [round(POINT * columns[left][number]) for number in range(TROUPE + 1) for left in range(TROUPE + 1)]


OUTLOOK = constants([value for term in range(FIRST_TERM[DIRECTORS]) for value in _outlook(term)])
"""What a term is expected to give: index (term * 7 + number now) * 7 + singers to come."""


@compiled
def outlook(s: Row, at: int, director: int, to_come: int) -> int:
    """What a director is expected to bring to a troupe that gets so many singers more."""
    worth = 0
    for term in range(FIRST_TERM[director], FIRST_TERM[director + 1]):
        worth += OUTLOOK[(term * (TROUPE + 1) + term_number(s, at, term)) * (TROUPE + 1) + to_come]
    return worth


@compiled
def prospects(s: Row, at: int, pool: int, to_come: int) -> int:
    """The same while no director is hired: between the average of those in the stack and the best."""
    total = 0
    best = -32000
    for director in range(DIRECTORS):
        if pool >> director & 1:
            worth = outlook(s, at, director, to_come)
            total += worth
            best = max(best, worth)
    return (total // ones(pool) + best) // 2


# What each card under a role is worth to each seat.


@compiled
def weigh_cards(s: Row, x: Row) -> None:
    """Fill WORTH: what a troupe would be worth with the card. Whoever asks next in the same audition finds it done."""
    mark = fingerprint(s)
    if x[KNOWN] == mark >> 15 and x[KNOWN + 1] == mark & 0x7FFF:
        return
    x[KNOWN] = mark >> 15
    x[KNOWN + 1] = mark & 0x7FFF
    to_come = TROUPE - slot_of(s[F.round])
    joins = slot_of(s[F.round])
    for seat in range(s[F.seats]):
        at = F.troupe + seat * TROUPE
        weigh_newcomer(s, at, joins, x)
        for position in range(6):
            card = s[F.offer + position]
            worth = 0
            if card >= SINGERS:
                worth = outlook(s, at, card - SINGERS, to_come)
            elif card != NONE:
                for slot in range(TROUPE):
                    x[TRIAL + slot] = s[at + slot]
                x[TRIAL + joins] = card
                worth = POINT * (stars(x, TRIAL) + best_part(card, x))
                if s[F.round] < DIRECTOR_ROUND:
                    worth += prospects(x, TRIAL, s[F.pool], to_come - 1)
                else:
                    worth += outlook(x, TRIAL, s[F.director + seat], to_come - 1)
            x[WORTH + seat * 6 + position] = max(-LIMIT, min(LIMIT, worth))


@compiled
def fingerprint(s: Row) -> int:
    """A number for all that WORTH rests on, of 30 bits, and hardly ever the same for anything else."""
    mark: int = s[F.round] * 8 + s[F.seats]
    for at in range(F.offer, F.offer + 6):
        mark = (mark * 1103515245 + s[at]) & 0x3FFFFFFF
    for at in range(F.troupe, F.troupe + MOST * TROUPE):
        mark = (mark * 1103515245 + s[at]) & 0x3FFFFFFF
    for at in range(F.director, F.director + MOST):
        mark = (mark * 1103515245 + s[at]) & 0x3FFFFFFF
    mark = (mark * 1103515245 + s[F.pool]) & 0x3FFFFFFF
    return mark


# The audition.

LAST = 160
ROUGH = constants([round(4096 * exp(-i / 14)) for i in range(LAST)] + [0])
CALM = constants([round(4096 * exp(-i / 2)) for i in range(LAST)] + [0])
"""How much less likely a choice is that is worth so much less: as one thinks of others, and for oneself."""

COST = constants([14, 15, 16, 17, 18, 18, 0])
"""What a money card may still be worth, by round: after the last, nothing (§8.4)."""

RAISED = constants([SURE, 110, 45, 15])
"""How likely a bid is to have so many money cards or more, when nothing is known of it."""

ALL_IN = 240
"""The same in the last round, as far as a purse goes."""

STRAY = 40
"""How likely a seat is to lay money alone."""

FEIGN = 100
"""How likely the bluff card is to be added."""

SPITE = 280
"""How much it is worth between two to keep a card from the other, in parts of 256 of what the other would miss."""


@compiled
def fallback(s: Row, seat: Seat, x: Row) -> int:
    """What an understudy is worth: the best card that nobody bids for to Puccini's holder, nearly the worst to others."""
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
    """Fill WANT: how likely each seat is to bid for each card, if all shun a little what the others want."""
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
    """How likely nobody else is to bid as much for a card."""
    chance = SURE
    for other in range(s[F.seats]):
        if other != seat:
            rival = x[WANT + other * 6 + position] * chance_raised(s, other, money) // SURE
            chance = chance * (SURE - rival) // SURE
    return chance


@compiled
def chance_raised(s: Row, seat: Seat, money: int) -> int:
    """How likely a seat's bid is to have so many money cards or more, by the cards it has laid if they are seen."""
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
    """How likely money laid alone is to find somebody to hire."""
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
    """Fill CHANCES with what each choice without the bluff card is worth: 24 bids and money alone; returns the best."""
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
    """What a director is expected to bring to a seat."""
    return outlook(s, F.troupe + seat * TROUPE, director, TROUPE - s[F.round])


@compiled
def best_strike(s: Row, seat: Seat) -> int:
    """The director who would do most for the others and least for oneself."""
    found = 0
    best = -32000
    for director in range(DIRECTORS):
        if s[F.pool] >> director & 1:
            harm = -likes(s, seat, director) * (s[F.seats] - 1)
            for other in range(s[F.seats]):
                if other != seat:
                    harm += likes(s, other, director)
            if harm > best:
                best = harm
                found = director
    return found


@compiled
def best_to_name(s: Row, seat: Seat, dice: Dice) -> int:
    """The opponent who is likely to strike what one would miss least."""
    found = NONE
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
                found = other
    return found


# Casting.


@compiled
def next_to_cast(s: Row, seat: Seat, x: Row) -> int:
    """The singer for the next role in a best casting of those who have none."""
    at: int = F.troupe + seat * TROUPE
    weigh_casting(s, at, x)
    used = already_cast(s, seat)
    free = 0
    for slot in range(TROUPE):
        if not used >> s[at + slot] & 1:
            free |= 1 << slot
    return s[at + best_column(x, free, s[F.assigned + seat])]


@compiled
def policy(s: Row, seat: Seat, mask: Mask, dice: Dice, events: Events, scratch: Row) -> int:
    """What a sensible player does."""
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

# All found in matches of the bot against itself, by round: how much of what a troupe and its director promise comes true,
# in sixteenths; what a money card in hand is worth; how far apart two seats are when one wins e times as often, at the end too.
TROUPE_TRUE = constants([13, 13, 13, 13, 14, 15, 15])
DIRECTOR_TRUE = constants([3, 3, 4, 3, 11, 13, 14])
PURSE = constants([14, 14, 14, 13, 13, 11, 8])
SPREAD = (60, 52, 50, 48, 48, 40, 30, 24)
HOPE = constants([round(4096 * exp(-i / spread)) for spread in SPREAD for i in range(256)])
END_PAGE = 7


@compiled
def standing(s: Row, seat: Seat, x: Row) -> int:
    """What a seat may expect to have in the end."""
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
"""How many things can be laid."""
DRAWS = 96
"""How often one asks oneself what somebody else might have laid."""
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
    """How plausible each choice of each seat is: what the bot itself would lay in its place, and so many cards."""
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
