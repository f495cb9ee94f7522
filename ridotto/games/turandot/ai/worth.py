"""The worth of singers and directors to a troupe of Turandot that is still growing."""

from __future__ import annotations

from ridotto.engine.build import compiled, constants
from ridotto.engine.dice import ones
from ridotto.engine.fields import Row
from ridotto.games.turandot.ai.casting import best_part, weigh_newcomer
from ridotto.games.turandot.ai.scratch import KNOWN, TRIAL, WORTH
from ridotto.games.turandot.components import (
    AT_LEAST,
    BY_NUMBER,
    CATEGORIES,
    DIRECTOR_ROUND,
    DIRECTORS,
    FEWER_THAN,
    FIRST_TERM,
    PER,
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
from ridotto.games.turandot.rules import DISTINCT_CATEGORIES, FEMALE, MOST, NONE, WOMEN, F, slot_of, stars, term_number

POINT = 32
"""A point: worth is counted in parts of it."""
LIMIT = 2500
"""No card is thought to be worth more, whatever the box says, so that six of them still fit a word."""

# Directors, and a troupe that is still growing.

SEEK, SHUN = 1.5, 0.7
"""The likelihood that a singer joins who helps the director, and one who harms: as a multiple of chance."""


def _term_points(term: int, number: int) -> int:
    """The points of a term at the end."""
    if TERM_KIND[term] == PER:
        return TERM_POINTS[term] * number
    if TERM_KIND[term] == AT_LEAST:
        return TERM_POINTS[term] * (number >= TERM_N[term])
    if TERM_KIND[term] == FEWER_THAN:
        return TERM_POINTS[term] * (number < TERM_N[term])
    return TERM_VALUES[term * (TROUPE + 1) + number]


def _likely(term: int, number: int) -> float:
    """The chance that a singer taken at random raises the number that a term goes by."""
    if TERM_KIND[term] != BY_NUMBER:
        return sum(TERM_MATCHES[term * SINGERS + singer] for singer in range(SINGERS)) / SINGERS
    if TERM_STATISTIC[term] == WOMEN:
        return sum(SEX[singer] == FEMALE for singer in range(SINGERS)) / SINGERS
    if TERM_STATISTIC[term] == DISTINCT_CATEGORIES:
        return (CATEGORIES - number) / CATEGORIES
    return 1 / CATEGORIES if number else 1.0


def _outlook(term: int) -> list[int]:
    """The expected points of a term, by its number now and the singers to come."""
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
"""The expected points of a term: index (term * 7 + number now) * 7 + singers to come."""


@compiled
def outlook(s: Row, at: int, director: int, to_come: int) -> int:
    """The points that a director is expected to bring to a troupe that gets so many singers more."""
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


# Each card under a role, and each seat.


@compiled
def weigh_cards(s: Row, x: Row) -> None:
    """Fill WORTH: the worth of each troupe with each card. It is done once in an audition."""
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
