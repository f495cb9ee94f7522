"""Where things lie on the panel of the audition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from ridotto.engine.fields import Seat
from ridotto.games.turandot.components import DIRECTOR_ROUND
from ridotto.games.turandot.rules import UNDERSTUDY, F
from ridotto.games.turandot.ui.picture.cards import CARD, TALL
from ridotto.present.kit import EDGE, INNER, Column, Grid, drawing

HEAD: Final = 24
"""Over a singer's card stands the role."""
SINGERS_ON_OFFER: Final = Grid(3, CARD, HEAD + TALL, gap=5, row_gap=8, x=EDGE, y=64)
DIRECTORS_ON_OFFER: Final = Grid(1, INNER, 52, row_gap=4, x=EDGE, y=86)
PLACE: Final = 102
"""How high the place of a seat is."""


class Plan(NamedTuple):
    """How far down things lie below the cards on offer."""

    places: float
    """What lies before each seat."""
    legend: float
    """What the numbers on the cards are, if they have any."""
    blind: float
    """That the auditions are blind, if they are."""
    height: float


def plan(s: Sequence[int], weighs: bool) -> Plan:
    """The plan of a state; `weighs` says whether there are numbers on the cards."""
    return _plan(s[F.seats] + 1, is_directing(s), weighs, bool(s[F.blind]))


@drawing
def _plan(cards: int, is_directing: bool, weighs: bool, is_blind: bool) -> Plan:
    offer = DIRECTORS_ON_OFFER if is_directing else SINGERS_ON_OFFER
    column = Column(offer.y)
    column.add(offer.height(cards) + 8)
    if not is_directing and cards % offer.across == 0:
        column.add(46)  # who can be hired, for whom there is no room beside the cards
    places = column.add(PLACE + 10)
    legend = column.add(18 if weighs else 0)
    blind = column.add(18 if is_blind else 0)
    return Plan(places, legend, blind, column.end)


def place_wide(seats: int) -> float:
    """How wide the place of a seat is."""
    return INNER / seats - 4


def place_x(s: Sequence[int], seat: Seat) -> float:
    """Where the place of a seat begins: they stand in the order in which they lay, from Puccini's holder on."""
    seats, place = s[F.seats], (seat - s[F.puccini]) % s[F.seats]
    x: float = EDGE + INNER / seats * place + 2
    return x


def is_directing(s: Sequence[int]) -> bool:
    """Whether directors are on offer in this round."""
    return bool(s[F.round] == DIRECTOR_ROUND)


def weighs_for_all(s: Sequence[int]) -> bool:
    """Whether everybody sees what the cards would add for whoever is given one now."""
    return bool(s[F.asked] == UNDERSTUDY and not is_directing(s))
