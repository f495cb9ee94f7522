"""Ridotto: three tabletop games about opera, played exactly by their rulebooks."""

from ridotto.core import (
    BadNotation,
    BadPosition,
    Game,
    IllegalAction,
    Match,
    Outcome,
    UnknownGame,
    View,
)
from ridotto.games import GAMES, find
from ridotto.kernel import RidottoError
from ridotto.record import BadRecord

__version__ = "0.1.0"

__all__ = [
    "GAMES",
    "BadNotation",
    "BadPosition",
    "BadRecord",
    "Game",
    "IllegalAction",
    "Match",
    "Outcome",
    "RidottoError",
    "UnknownGame",
    "View",
    "find",
]
