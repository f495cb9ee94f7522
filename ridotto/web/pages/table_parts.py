"""Small parts that stand in several places of a table's page.

The parts carry no nonce and nothing of the reader but the seat and the language, so that all who see the same are sent
the same bytes; the script adds the nonce to whatever is sent back.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from ridotto.present.html import Html, el
from ridotto.present.narrator import Narrator, opening
from ridotto.web.pages.models import SeatView, TablePage

READERS: Final = 20_000
"""For how many readers a part that does not change during a match is kept: four or five at each of thousands of tables."""
NOTHING: Final = Html("")


@lru_cache(10_000)
def rule_link(language: str, game: str, section: str) -> Html:
    """A link to a § of the rulebook."""
    if not section:
        return NOTHING
    where = f"/rules/{language}/{game}#s-{section.replace('.', '-')}"
    return el("a", f"§{section}", cls="para", href=where, target="_blank", rel="noopener")


def rank(narrator: Narrator, place: SeatView) -> list[str]:
    """The role of a seat, and the strength of a bot, or of a member at a rated table."""
    found = opening(place.role)
    if place.standing is not None:
        return [found, rating_text(place.standing.points, place.standing.error)]
    return [found, narrator.rank(place.name)] if place.kind == "bot" else [found]


def rating_text(points: float, error: float) -> str:
    """A rating with its standard error.

    >>> rating_text(1239.6, 88.2)
    '1240 ± 88'
    """
    return f"{round(points)} ± {round(error)}"


def change_text(change: float) -> str:
    """The change of a rating.

    >>> change_text(8), change_text(-3), change_text(0)
    ('+8', '−3', '±0')
    """
    return f"+{round(change)}" if round(change) > 0 else f"−{-round(change)}" if round(change) < 0 else "±0"


def is_seated(table: TablePage) -> bool:
    """Whether the reader plays."""
    return table.rights.is_seated or any(place.you for place in table.seats)
