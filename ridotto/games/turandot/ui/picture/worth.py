"""What cards and directors are worth to a troupe: the rules count, and the bot casts in the best way."""

from __future__ import annotations

from collections.abc import Sequence

from ridotto.engine.build import LEAST_SCRATCH
from ridotto.engine.fields import Seat
from ridotto.games.turandot.ai.casting import FIT, best_casting, best_part, next_to_cast, weigh_newcomer
from ridotto.games.turandot.components import TROUPE
from ridotto.games.turandot.rules import FIELDS, NONE, F, director_points, stars
from ridotto.present.kit import drawing

Troupe = tuple[int, ...]
"""Six places for singers; NONE where nobody stands."""


def troupe_of(s: Sequence[int], seat: Seat) -> Troupe:
    """The troupe of a seat."""
    return tuple(s[F.troupe + seat * TROUPE : F.troupe + (seat + 1) * TROUPE])


def offer_of(s: Sequence[int]) -> tuple[int, ...]:
    """The cards under the roles, one more than there are seats."""
    return tuple(s[F.offer : F.offer + s[F.seats] + 1])


def fit(singer: int, role: int) -> int:
    """What a singer adds in a role, besides the stars."""
    return FIT[singer * TROUPE + role]


@drawing
def starred(troupe: Troupe) -> int:
    """The stars of a troupe."""
    return stars(list(troupe), 0)


@drawing
def best_roles(troupe: Troupe) -> int:
    """Favourite roles less wrong sexes in the best casting of a troupe."""
    return best_casting(list(troupe), 0, [0] * LEAST_SCRATCH)


@drawing
def brings(troupe: Troupe, director: int) -> int:
    """What a director gives or takes for a troupe as it stands."""
    return director_points(list(troupe), 0, director)


@drawing
def gains(troupe: Troupe, director: int, singers: tuple[int, ...]) -> tuple[int, ...]:
    """What each of these singers would add to the points of a troupe, with the roles cast in the best way."""
    place, scratch, before = troupe.index(NONE), [0] * LEAST_SCRATCH, _total(troupe, director, best_roles(troupe))
    weigh_newcomer(list(troupe), 0, place, scratch)
    grown = {one: (*troupe[:place], one, *troupe[place + 1 :]) for one in singers}
    return tuple(_total(grown[one], director, best_part(one, scratch)) - before for one in singers)


def _total(troupe: Troupe, director: int, roles: int) -> int:
    return starred(troupe) + roles + brings(troupe, director)


@drawing
def best_for_next_role(troupe: Troupe, cast: tuple[int, ...]) -> int:
    """The singer for the next role in a best casting that keeps the roles that are cast already."""
    s = [NONE] * FIELDS.width
    s[F.troupe : F.troupe + TROUPE] = troupe
    s[F.casting : F.casting + len(cast)] = cast
    s[F.assigned] = len(cast)
    return next_to_cast(s, 0, [0] * LEAST_SCRATCH)
