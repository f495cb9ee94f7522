"""The places of the panels: the singers are the largest; below them the audition, the hand and the troupes; the directors.

While roles are cast, and after the end, a stage stands where the singers were, and one panel where the hand was.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Final, TypeAlias

from ridotto.core.view import View
from ridotto.games.turandot.rules import CAST, NOTHING, F
from ridotto.games.turandot.ui.picture.casting import FREE
from ridotto.games.turandot.ui.picture.directors import DIRECTORS_TALL
from ridotto.games.turandot.ui.picture.plan import OFFER_TALL, ROW, SIZES
from ridotto.games.turandot.ui.picture.troupes import panel_of
from ridotto.present.composition import PHONE, Composition, Compositions, Place, end
from ridotto.present.kit import WIDE, drawing

GAP: Final = 10
LARGE: Final = 1160
"""The width of a large canvas."""
SMALL: Final = 770
"""The width of a small canvas."""
SIDE: Final = 400
"""The width of the directors on a large canvas."""
TOP: Final = {CAST: ("stage", "bench"), NOTHING: ("finale-1", "finale-2")}
Panels: TypeAlias = Sequence[tuple[str, float]]
"""Panels below one another, by their names and heights."""
DIRECTORS: Final[Panels] = [("directors", DIRECTORS_TALL)]


def compositions(view: View) -> Compositions:
    """The places of the panels in this phase."""
    asked = view.row[F.asked]
    return _compositions(view.seats, asked if asked in TOP else -1)


@drawing
def _compositions(seats: int, phase: int) -> Compositions:
    head, places, hand, troupe = SIZES[seats]
    offered = TOP.get(phase) or tuple(f"singers-{number + 1}" for number in range(1 + seats // ROW))
    top: list[Panels] = [[(name, OFFER_TALL)] for name in offered]
    troupes: Panels = [(panel_of(place), troupe) for place in range(seats + (seats == 2))]
    heads: Panels = [("audition", head), ("places", places)]
    free: Panels = [("hand", hand)]
    if phase in TOP:
        heads, free = heads[:1], [("standing" if phase == CAST else "score", FREE[seats])]
    phone: list[Panels] = [heads[:1], *top, heads[1:], free, troupes, DIRECTORS]
    if seats == 2:
        top, heads = [*top, heads] if phase not in TOP else top, []
        phone = phone if phase not in TOP else phone[1:]
    small = heads, free
    if phase == CAST:  # what has to be read is the larger for it
        small = [], []
    if phase == NOTHING:
        phone = [free, *(panels for panels in phone if panels is not free)]
    return Compositions(_large(top, _columns(seats, heads, free, troupes)), _small(top, *small, troupes), _phone(phone))


def _columns(seats: int, heads: Panels, free: Panels, troupes: Panels) -> tuple[Panels, Panels]:
    """What stands below the singers on a large canvas, left of the directors."""
    if seats == 2:
        return [*troupes[:1], *free], troupes[1:]
    if seats == 3:
        return [*heads, *free], troupes
    return [*heads, *free, *troupes[:1]], troupes[1:]


def _tall(panels: Panels) -> float:
    return sum(tall for _, tall in panels)


def _stack(panels: Panels, x: float, y: float, wide: float, bottom: float = 0) -> dict[str, Place]:
    """Panels below one another, as wide as this; down to a bottom, if there is one."""
    scale = wide / WIDE
    gap = (bottom - y - _tall(panels) * scale) / (len(panels) - 1) if bottom and len(panels) > 1 else GAP
    found = {}
    for name, tall in panels:
        found[name] = Place(round(x, 1), round(y, 1), round(wide, 1), round(tall * scale, 1))
        y += tall * scale + gap
    return found


def _beside(columns: Sequence[Panels], y: float, wide: float, bottom: float = 0) -> dict[str, Place]:
    """Columns of panels side by side, equally wide."""
    each = (wide - GAP * (len(columns) - 1)) / len(columns)
    found: dict[str, Place] = {}
    for number, panels in enumerate(columns):
        found |= _stack(panels, number * (each + GAP), y, each, bottom)
    return found


def _large(top: Sequence[Panels], columns: tuple[Panels, Panels]) -> Composition:
    """The singers over the whole width; below them two columns, and the directors."""
    places = _beside(top, 0, LARGE)
    y = end(places) + GAP
    directors = _stack(DIRECTORS, LARGE - SIDE, y, SIDE)
    places |= directors | _beside(columns, y, LARGE - SIDE - GAP, end(directors))
    return Composition(LARGE, round(end(places)), places)


def _small(top: Sequence[Panels], heads: Panels, free: Panels, troupes: Panels) -> Composition:
    """The singers over the whole width; below them two columns, as equal as may be."""
    panels = [*DIRECTORS, *free, *heads[1:], *heads[:1], *troupes]
    splits = (
        [[one for one, side in zip(panels, sides, strict=True) if side == left] for left in (0, 1)]
        for sides in product((0, 1), repeat=len(panels))
    )
    columns = min(splits, key=lambda split: max(_tall(column) + GAP * len(column) for column in split))
    places = _beside(top, 0, SMALL)
    y, left = end(places) + GAP, (SMALL - GAP) / 2 - WIDE
    bottom = max(end(_stack(column, 0, y, WIDE)) for column in columns)
    for number, column in enumerate(columns):
        places |= _stack(column, left + number * (WIDE + GAP), y, WIDE, bottom)
    return Composition(SMALL, round(end(places)), places)


def _phone(columns: Sequence[Panels]) -> Composition:
    places = _stack([one for panels in columns for one in panels], 0, 0, PHONE)
    return Composition(PHONE, round(end(places)), places)
