"""The sizes of the panels for a number of seats, and where things lie on those of the audition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from ridotto.engine.fields import Seat
from ridotto.games.turandot.components import DIRECTOR_ROUND
from ridotto.games.turandot.rules import UNDERSTUDY, F
from ridotto.games.turandot.ui.picture.cards import CARD, TALL
from ridotto.present.kit import EDGE, INNER, Grid, drawing

HEAD: Final = 24
"""Over a singer's card stands the role."""
ROW: Final = 3
"""The number of cards on a panel of singers."""
OFFER_TALL: Final = 176
"""The height of a panel of singers."""
CARDS_ON_OFFER: Final = Grid(ROW, CARD, HEAD + TALL, gap=5, x=EDGE, y=2)
WINGS_TALL: Final = 42
"""The height of the row of those who can be hired, where there is no room for them beside the cards."""
LEGEND: Final = 9
"""The line about the numbers on the cards, from the lower edge of the panel of the places."""


class Sizes(NamedTuple):
    """The heights of panels."""

    head: int
    """The round, and in some games who can be hired."""
    places: int
    """What lies before each seat."""
    hand: int
    troupe: int
    """One troupe."""


SIZES: Final = {
    2: Sizes(106, 64, 226, 226),
    3: Sizes(62, 140, 242, 149),
    4: Sizes(62, 94, 139, 149),
    5: Sizes(100, 94, 136, 110),
}
"""The sizes by the number of seats: the fewer troupes and number cards there are, the larger they are."""


class Spot(NamedTuple):
    """A place in the panel of the places."""

    x: float
    wide: float
    tall: float
    is_flat: bool
    """Whether what is laid lies beside the name, not below it."""


@drawing
def spot(seats: int, place: int) -> Spot:
    """One of the places, from the left."""
    wide, tall = INNER / seats, SIZES[seats].places - 2 * LEGEND - 6
    return Spot(EDGE + wide * place + 2, wide - 4, tall, seats == 2)


def spot_of(s: Sequence[int], seat: Seat) -> Spot:
    """The place of a seat: they stand in the order in which they lay, from Puccini's holder on."""
    place = spot(s[F.seats], (seat - s[F.puccini]) % s[F.seats])
    return place


def panel_of(position: int) -> str:
    """The panel on which a card lies."""
    return f"singers-{position // ROW + 1}"


def has_row_of_wings(seats: int) -> bool:
    """Whether those who can be hired stand in a row of their own: there is no room beside the cards."""
    return (seats + 1) % ROW == 0 or seats == 2


def is_directing(s: Sequence[int]) -> bool:
    """Whether directors are on offer in this round."""
    return bool(s[F.round] == DIRECTOR_ROUND)


def weighs_for_all(s: Sequence[int]) -> bool:
    """Whether everybody sees what the cards would add for whoever is given one now."""
    return bool(s[F.asked] == UNDERSTUDY and not is_directing(s))
