"""The worth of things to a seat of Opera: ducats, levels, composers, and houses as they stand or as they could be arranged.

Everything is counted in hundredths of a point. Values that several decisions need stand on the spare row.
"""

# mypy: no-warn-return-any
# (a code out of a namedtuple of numbers is an int, which no annotation can say)

from __future__ import annotations

from ridotto.engine.build import compiled, constants
from ridotto.engine.dice import ones
from ridotto.engine.fields import Row, Seat
from ridotto.games.opera.components import INCOME
from ridotto.games.opera.rules import FAMOUS, HOUSE, NONE, TOP_FAME, F, house, last_round

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
"""The worth of a ducat, by the rounds still to come after this one."""
PLENTY, SPENDING = 2, 2
"""A purse whose every ducat counts: so much in the last round, and so much more for each round before it."""
HORIZON = 2
"""Rounds of income that halls are thought to bring before they change again."""
NEAR = constants([100, 60, 40])
"""The part of a great hall's points that is sure, by the rounds before the next count."""
LATER = 12
"""The same for each count after the next."""
SPARE = 45
"""The worth of a piece without a hall, in hundredths of the ducats it cost."""


# The worth of things.


@compiled
def rounds_left(s: Row) -> int:
    """Rounds still to come after this one."""
    return last_round(s) - s[F.round]


@compiled
def ducat(s: Row, seat: Seat, left: int) -> int:
    """The worth of a ducat with so many rounds to come: less in a purse that will hardly be emptied by then."""
    plenty = PLENTY + SPENDING * rounds_left(s)
    purse = s[F.ducats + seat]
    return DUCAT[left] if purse <= plenty else DUCAT[left] * plenty // purse


@compiled
def weigh(s: Row, seat: Seat, scratch: Row) -> None:
    """Set the worth of a ducat, a spare piece and a level to a seat; and of income, until halls are likely to change."""
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
    """The worth of levels: they carry over to the next round, where each saves a ducat."""
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
    """The worth of one point in every count still to come."""
    return NEAR[to_count(s)] + LATER * (2 - s[F.counts])


@compiled
def appraise(s: Row, scratch: Row) -> None:
    """Set the worth of each composer in a great hall: fame with its trend, and the bonus of the century."""
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
    """The worth of a composer's piece behind the screen: a later hall, or a sale."""
    if rounds_left(s) == 0:
        # It is worth its price, and a little more: no rival has it.
        return s[F.fame + piece] * coin + 1
    return SPARE * s[F.fame + piece] * coin // 100


# Houses as they stand, and as they could be arranged.


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
    """The worth of a seat's halls and spare pieces as they are."""
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
    """The loss of a house without one of its pieces."""
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
    """The worth of houses, well arranged, with all pieces in hand."""
    for city in range(6):
        scratch[GREATS + city] = NONE
        scratch[SIDES + city] = 0
    return plan(s, hand, houses, NONE, scratch)


@compiled
def plan(s: Row, hand: int, houses: int, asked: int, scratch: Row) -> int:
    """Fill the empty halls of houses on the spare row as well as possible; the worth of houses and hand then.

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
