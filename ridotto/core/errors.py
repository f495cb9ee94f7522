"""The exceptions of games and matches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ridotto.engine.errors import RidottoError

if TYPE_CHECKING:
    from ridotto.core.game import Game
    from ridotto.core.view import Refusal


def reason_name(game: Game, refusal: Refusal) -> str:
    """The reason of a refusal by its name."""
    return refusal.reason.replace("_", " ")


explain: Callable[[Game, Refusal], str] = reason_name
"""Says in English why an action is refused, for developers: by the name of the reason, until `ridotto.present` is there."""


class IllegalAction(RidottoError, ValueError):
    """An action that the rules do not allow now. Its own text is English, for developers."""

    def __init__(self, message: str, refusal: Refusal | None = None) -> None:
        super().__init__(message)
        self.refusal = refusal
        """Why, for any reader; None in a batch of many matches, where the reason is not worked out."""


class BadSeries(RidottoError, ValueError):
    """A text that stands for a series of actions (`arrange …`) and is wrong: a reason with its values, for `Words.fault`."""

    def __init__(self, reason: str, section: str, **values: int | str) -> None:
        super().__init__(f"{reason} {values or ''}".strip() + f" (§{section})")
        self.reason, self.section, self.values = reason, section, values


class BadNotation(RidottoError, ValueError):
    """A text or number that names no action."""


class BadPosition(RidottoError, ValueError):
    """A position that no match could reach, with everything that is wrong with it."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("this position is not possible: " + "; ".join(faults))
        self.faults = tuple(faults)


class BadAnswer(RidottoError, ValueError):
    """An answer about a box that cannot be read."""


class BadDraws(RidottoError, ValueError):
    """Recorded draws that do not fit the actions they are given for."""


class BadSetup(RidottoError, ValueError):
    """Seats or options that the game does not have."""


class Unavailable(BadSetup):
    """Something that this match does not offer at this moment. The message is marked for translation."""


class UnknownGame(RidottoError, LookupError):
    """A game that Ridotto does not have."""
