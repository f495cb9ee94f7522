"""A view of Le Fantôme drawn: as text for a terminal."""

from __future__ import annotations

from ridotto.core import View


def text(view: View) -> str:
    """The house, the track and the cards."""
    return str(view.position)
