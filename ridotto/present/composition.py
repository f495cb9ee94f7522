"""The composition of a board: where each panel of a picture lies, on a canvas of its own units.

A game composes its board for a `large` window, a `small` one and a `phone`; see `Page.compositions`. A page scales a canvas
to the room there is, and fits each panel into its place, so that nothing moves from one question to the next. A text that a
decision needs is at least 15 units high on a large canvas of 1160 × 800 and on a small one of 860 × 850, and 12 on a phone's,
360 wide: so it can be read on a window of 1280 × 720, of 1024 × 768, and on a phone.

A game without compositions gets `standard` ones, made of its panels and their columns.

>>> panels = [Panel("cups", "Cups", 360, 200), Panel("bids", "Bids", 360, 300)]
>>> made = standard((("cups",), ("bids",)), panels)
>>> made.large.wide, made.large.tall, made.large.places["bids"], made.phone.places["bids"]
(736, 300, Place(x=376, y=0, wide=360, tall=300), Place(x=0, y=210, wide=360, tall=300))
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from ridotto.present.svg import Panel

GAP: Final = 16
"""The space between the columns of a standard composition, and between the panels of one."""
PHONE_GAP: Final = 10
PHONE: Final = 360
"""The width of a phone's canvas."""
LARGE: Final = (1160, 800)
SMALL: Final = (860, 850)
"""The rooms of a large window and of a small one, in their shape."""
ENOUGH: Final = 0.8
"""The part of the largest size at which the columns of a game stay as it gives them."""


class Place(NamedTuple):
    """The place of a panel on a canvas. A panel of another shape is centred in it."""

    x: float
    y: float
    wide: float
    tall: float


class Composition(NamedTuple):
    """A canvas with the places of the panels, by their names. A panel without a place is not shown."""

    wide: float
    tall: float
    places: Mapping[str, Place]


class Compositions(NamedTuple):
    """A board composed three times."""

    large: Composition
    """For a window from 1280 × 720 on: about 1160 × 800, beside a column of 280 to 340 pixels."""
    small: Composition
    """For a window from 700 pixels on, such as 1024 × 768: about 860 × 850."""
    phone: Composition
    """For a phone: 360 wide, and as tall as it gets, with the most important panels on top."""

    @property
    def data(self) -> dict[str, Any]:
        """The same as plain data, as a page is sent it."""
        return {
            window: {"wide": one.wide, "tall": one.tall, "places": {name: list(place) for name, place in one.places.items()}}
            for window, one in self._asdict().items()
        }


def stacked(panels: Iterable[tuple[str, float]], x: float, y: float, wide: float, gap: float) -> dict[str, Place]:
    """The places of panels below one another, each given by its name and its height.

    >>> stacked([("a", 40), ("b", 20)], 10, 0, 100, 5)
    {'a': Place(x=10, y=0, wide=100, tall=40), 'b': Place(x=10, y=45, wide=100, tall=20)}
    """
    places = {}
    for name, tall in panels:
        places[name] = Place(x, y, wide, tall)
        y += tall + gap
    return places


def end(places: Mapping[str, Place]) -> float:
    """The lower end of the lowest place."""
    return max((place.y + place.tall for place in places.values()), default=0)


def one_column(panels: Sequence[Panel]) -> Composition:
    """Panels below one another."""
    return standard([[panel.name for panel in panels]], panels).large


# The standard compositions.


class Shape(NamedTuple):
    """A panel by its name and size."""

    name: str
    wide: int
    tall: int


def standard(columns: Sequence[Sequence[str]], panels: Sequence[Panel]) -> Compositions:
    """The compositions of a game that declares none: its own columns, or as many as fill a window better; one on a phone."""
    shapes = tuple(Shape(panel.name, panel.width, panel.height) for panel in panels)
    return _standard(tuple(map(tuple, columns)), shapes)


@lru_cache(256)
def _standard(columns: tuple[tuple[str, ...], ...], shapes: tuple[Shape, ...]) -> Compositions:
    by_name = {one.name: one for one in shapes}
    known = [[by_name[name] for name in column if name in by_name] for column in columns]
    ways = [_in_columns([column for column in known if column])]
    ways += [_in_columns(_dealt(shapes, count)) for count in range(1, len(shapes) + 1)]
    phone = stacked(((one.name, round(one.tall * PHONE / one.wide)) for one in shapes), 0, 0, PHONE, PHONE_GAP)
    return Compositions(_largest(ways, LARGE), _largest(ways, SMALL), Composition(PHONE, end(phone), phone))


def _largest(ways: Sequence[Composition], room: tuple[int, int]) -> Composition:
    """The composition that is largest in a room; the first one, if another is hardly larger."""
    sizes = [min(room[0] / one.wide, room[1] / one.tall) for one in ways]
    return ways[0] if sizes[0] > ENOUGH * max(sizes) else ways[sizes.index(max(sizes))]


def _in_columns(columns: Sequence[Sequence[Shape]]) -> Composition:
    """Columns of panels side by side, each as wide as its widest panel."""
    x, places = 0, dict[str, Place]()
    for column in columns:
        wide = max(one.wide for one in column)
        places |= stacked(((one.name, round(one.tall * wide / one.wide)) for one in column), x, 0, wide, GAP)
        x += wide + GAP
    return Composition(max(1, x - GAP), max(1, end(places)), places)


def _dealt(shapes: Sequence[Shape], count: int) -> list[list[Shape]]:
    """The panels in so many columns at most, in their order, none much taller than the others."""
    fair = sum(one.tall / one.wide for one in shapes) / count
    columns, tall = [list[Shape]()], 0.0
    for one in shapes:
        ratio = one.tall / one.wide
        if columns[-1] and tall + ratio / 2 > fair * len(columns) and len(columns) < count:
            columns.append([])
        columns[-1].append(one)
        tall += ratio
    return [column for column in columns if column]
