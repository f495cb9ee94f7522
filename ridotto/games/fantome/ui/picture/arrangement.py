"""The places of the panels: the house is the largest, the cards and the deduction stand beside it."""

from __future__ import annotations

from typing import Final, TypeAlias

from ridotto.core.view import View
from ridotto.games.fantome.ui.picture.alibis import ALIBIS_TALL, ALIBIS_WIDE
from ridotto.games.fantome.ui.picture.cards import CARDS_TALL
from ridotto.games.fantome.ui.picture.deduction import TALL
from ridotto.games.fantome.ui.picture.notebook import NOTEBOOK_TALL, NOTEBOOK_WIDE
from ridotto.games.fantome.ui.picture.plan import HOUSE_TALL
from ridotto.games.fantome.ui.picture.plan import WIDE as HOUSE_WIDE
from ridotto.games.fantome.ui.picture.secret import SECRET_TALL, SECRET_WIDE, knows_secret
from ridotto.games.fantome.ui.picture.track import TRACK_TALL
from ridotto.present.composition import PHONE, Composition, Compositions, Place, end
from ridotto.present.kit import WIDE

SHAPES: Final = {
    "house": (HOUSE_WIDE, HOUSE_TALL),
    "track": (HOUSE_WIDE, TRACK_TALL),
    "cards": (WIDE, CARDS_TALL),
    "deduction": (WIDE, TALL),
    "alibis": (ALIBIS_WIDE, ALIBIS_TALL),
    "notebook": (NOTEBOOK_WIDE, NOTEBOOK_TALL),
    "masked": (SECRET_WIDE, SECRET_TALL),
}
GAP: Final = 10
Rows: TypeAlias = tuple[tuple[str, ...], ...]
"""The names of panels side by side, row by row."""


def _row(names: tuple[str, ...], x: float, y: float, wide: float) -> dict[str, Place]:
    """Panels side by side, equally tall, that fill so much of a width."""
    ratios = [SHAPES[name][0] / SHAPES[name][1] for name in names]
    tall = (wide - GAP * (len(names) - 1)) / sum(ratios)
    places = {}
    for name, ratio in zip(names, ratios, strict=True):
        places[name] = Place(round(x, 1), round(y, 1), round(ratio * tall, 1), round(tall, 1))
        x += ratio * tall + GAP
    return places


def _rows(rows: Rows, x: float, wide: float) -> dict[str, Place]:
    """Rows of panels below one another."""
    places: dict[str, Place] = {}
    for names in rows:
        places |= _row(names, x, end(places) + GAP if places else 0, wide)
    return places


def _composed(wide: float, left: float, lefts: Rows, rights: Rows = ()) -> Composition:
    """Two columns of rows, the left one of a width; or one that is as wide as the canvas."""
    places = _rows(lefts, 0, left) | _rows(rights, left + GAP, wide - left - GAP)
    return Composition(wide, round(end(places)), places)


OUTSIDE: Final = Compositions(
    _composed(1160, 757, (("house",), ("track",), ("alibis", "notebook", "masked")), (("cards",), ("deduction",))),
    _composed(860, 500, (("house",), ("track",), ("notebook",), ("alibis", "masked")), (("cards",), ("deduction",))),
    _composed(PHONE, PHONE, (("house",), ("track",), ("cards",), ("deduction",), ("alibis", "masked"), ("notebook",))),
)
"""For whoever does not know the phantom."""


def _inside(composition: Composition) -> Composition:
    """The same with the phantom's secret in the place of the mask."""
    places = {"secret" if name == "masked" else name: place for name, place in composition.places.items()}
    return composition._replace(places=places)


INSIDE: Final = Compositions(*map(_inside, OUTSIDE))


def compositions(view: View) -> Compositions:
    """The places of the panels for a reader."""
    return INSIDE if knows_secret(view) else OUTSIDE
