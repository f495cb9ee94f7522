"""The composition of the board: cities in the middle, budget and roles at the left, fame and players at the right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import ridotto.games.opera.ui.picture.budget as budget
import ridotto.games.opera.ui.picture.cities as cities
import ridotto.games.opera.ui.picture.ladder as ladder
import ridotto.games.opera.ui.picture.palazzo as palazzo
import ridotto.games.opera.ui.picture.players as players
import ridotto.games.opera.ui.picture.rounds as rounds
from ridotto.core.view import View
from ridotto.engine.fields import Seat
from ridotto.present.composition import PHONE, Composition, Compositions, Place, end, stacked
from ridotto.present.kit import drawing

GAP: Final = 10
BETWEEN: Final = 12
"""The space between columns."""
MIDDLE: Final = rounds.WIDTH
TALL: Final = rounds.HEIGHT + GAP + cities.TALL
"""The height of the rounds and the cities below them."""


def compositions(view: View) -> Compositions:
    """The board for a large window, a small one and a phone: they change only when cities open."""
    return _compositions(view.seats, view.seat, cities.grounds(view))


@drawing
def _compositions(seats: int, reader: Seat | None, grounds: tuple[cities.Ground, ...]) -> Compositions:
    order = sorted(range(seats), key=lambda seat: seat != reader)
    return Compositions(_large(order, grounds), _small(order, grounds), _phone(order, grounds))


def _large(order: Sequence[Seat], grounds: Sequence[cities.Ground]) -> Composition:
    """Three columns."""
    left, right = 300, 250
    x = left + BETWEEN
    places = _left(left, [("budget", budget.HEIGHT / budget.WIDTH), ("palazzo", palazzo.HEIGHT / palazzo.WIDTH)])
    places |= _middle(x, grounds)
    x += MIDDLE + BETWEEN
    high = right * ladder.HEIGHT / ladder.WIDTH
    shape = right * players.height(len(order)) / players.WIDTH
    each = min((TALL - high - GAP * len(order)) / len(order), shape)
    places |= stacked([("ladder", high), *((players.PANELS[seat], each) for seat in order)], x, 0, right, GAP)
    return _whole(x + right, places)


def _small(order: Sequence[Seat], grounds: Sequence[cities.Ground]) -> Composition:
    """Two columns: fame stands between budget and Palazzo, and the players stand below the cities, two by two."""
    left = budget.WIDTH
    x, y = left + BETWEEN, TALL + GAP
    wide = (MIDDLE - BETWEEN) / 2
    tall = wide * players.height(len(order)) / players.WIDTH * (0.92 if len(order) > 2 else 1)
    shapes = [("budget", budget.HEIGHT / budget.WIDTH), ("ladder", ladder.HEIGHT / ladder.WIDTH)]
    places = _left(left, [*shapes, ("palazzo", palazzo.HEIGHT / palazzo.WIDTH)])
    places |= _middle(x, grounds)
    for at, seat in enumerate(order):
        down, across = divmod(at, 2)
        places[players.PANELS[seat]] = Place(x + across * (wide + BETWEEN), y + down * (tall + GAP), wide, tall)
    return _whole(x + MIDDLE, places)


def _phone(order: Sequence[Seat], grounds: Sequence[cities.Ground]) -> Composition:
    """One column, with what is decided most often on top; other players and closed cities stand two by two."""
    half = (PHONE - GAP) / 2
    tallest = max(ground.tall for ground in grounds)
    opened = [city for city in range(6) if grounds[city].tall == tallest]
    seats = len(order)
    own = 300 * players.height(seats) / players.WIDTH
    places = stacked([("rounds", PHONE * rounds.HEIGHT / MIDDLE)], 0, 0, PHONE, GAP)
    places |= stacked([("budget", budget.HEIGHT)], (PHONE - budget.WIDTH) / 2, end(places) + GAP, budget.WIDTH, GAP)
    places |= stacked(
        [("ladder", 300 * ladder.HEIGHT / ladder.WIDTH), (players.PANELS[order[0]], own)], 30, end(places) + GAP, 300, GAP
    )
    tall = PHONE * tallest / cities.WIDTH
    places |= stacked([(cities.PANELS[city], tall) for city in opened], 0, end(places) + GAP, PHONE, GAP)
    places |= stacked([("palazzo", 300 * palazzo.HEIGHT / palazzo.WIDTH)], 30, end(places) + GAP, 300, GAP)
    small = [(players.PANELS[seat], half * players.height(seats) / players.WIDTH) for seat in order[1:]]
    small += [(cities.PANELS[city], half * grounds[city].tall / cities.WIDTH) for city in range(6) if city not in opened]
    y = end(places) + GAP
    for at in range(0, len(small), 2):
        for across, (name, tall) in enumerate(small[at : at + 2]):
            places[name] = Place(across * (half + GAP), y, half, tall)
        y = end(places) + GAP
    return _whole(PHONE, places)


def _left(wide: float, shapes: Sequence[tuple[str, float]]) -> dict[str, Place]:
    """Panels below one another, given by their heights for a width of one."""
    return stacked([(name, wide * ratio) for name, ratio in shapes], 0, 0, wide, GAP)


def _middle(x: float, grounds: Sequence[cities.Ground]) -> dict[str, Place]:
    """The rounds, and the cities below them."""
    top = rounds.HEIGHT + GAP
    places = {"rounds": Place(x, 0, MIDDLE, rounds.HEIGHT)}
    for name, ground in zip(cities.PANELS, grounds, strict=True):
        places[name] = Place(x + ground.x, top + ground.y, ground.wide, ground.tall)
    return places


def _whole(wide: float, places: dict[str, Place]) -> Composition:
    """A canvas; after the end, the result stands in the place of budget and roles."""
    return Composition(wide, end(places), {**places, "score": places["budget"]})
