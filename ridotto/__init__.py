"""Ridotto: three tabletop games about opera, played exactly by their rulebooks."""

from ridotto.core.errors import BadNotation, BadPosition, IllegalAction, UnknownGame
from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.core.record import BadRecord
from ridotto.core.view import Outcome, View
from ridotto.engine.errors import RidottoError
from ridotto.games import GAMES, find

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
