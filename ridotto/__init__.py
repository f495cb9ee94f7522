"""Ridotto: tabletop games, played exactly by their rulebooks, by people, bots and learners."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ridotto.core.errors import BadNotation, BadPosition, IllegalAction, UnknownGame
    from ridotto.core.game import Game
    from ridotto.core.match import Match
    from ridotto.core.record import BadRecord
    from ridotto.core.view import Outcome, View
    from ridotto.engine.errors import RidottoError
    from ridotto.games import GAMES, find

__version__ = "0.2.0"

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

_MODULES = {
    "GAMES": "games",
    "BadNotation": "core.errors",
    "BadPosition": "core.errors",
    "BadRecord": "core.record",
    "Game": "core.game",
    "IllegalAction": "core.errors",
    "Match": "core.match",
    "Outcome": "core.view",
    "RidottoError": "engine.errors",
    "UnknownGame": "core.errors",
    "View": "core.view",
    "find": "games",
}
"""The module that defines each name. It is imported when it is first asked for, so that `ridotto --help` is quick."""


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
