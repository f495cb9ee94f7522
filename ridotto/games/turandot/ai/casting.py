"""The best casting of a troupe, and giving cards out in the best way."""

from __future__ import annotations

from ridotto.engine.build import compiled, constants
from ridotto.engine.dice import ones
from ridotto.engine.fields import Row, Seat
from ridotto.games.turandot.ai.scratch import BEST, GAIN
from ridotto.games.turandot.components import FAVOURITE, ROLE_SEX, SEX, SINGERS, TROUPE
from ridotto.games.turandot.rules import NONE, UNDETERMINED, F, already_cast


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
    """The points of a singer in a role: one for the favourite role, one less for a role of the other sex."""
    wrong = SEX[singer] != UNDETERMINED and SEX[singer] != ROLE_SEX[role]
    return int(FAVOURITE[singer] == role) - int(wrong)


FIT = constants([_fit(singer, role) for singer in range(SINGERS) for role in range(TROUPE)])
"""The points of a singer in a role: index singer * 6 + role."""


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
