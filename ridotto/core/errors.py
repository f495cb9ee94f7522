"""What a game or a match refuses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ridotto.engine.errors import RidottoError

if TYPE_CHECKING:
    from ridotto.core.narrator import Narrator
    from ridotto.core.view import Refusal


class IllegalAction(RidottoError, ValueError):
    """An action that the rules do not allow now. Its own text is English, for developers."""

    def __init__(self, message: str, refusal: Refusal | None = None) -> None:
        super().__init__(message)
        self.refusal = refusal
        """Why, for any reader; None where many tables are played at once, and only that much is known."""


class BadSeries(RidottoError, ValueError):
    """A text that stands for a series of actions (`arrange …`) and cannot be followed; said by the words that read it."""

    def __init__(self, message: str, section: str) -> None:
        super().__init__(f"{message} (§{section})")
        self.message, self.section = message, section


class BadNotation(RidottoError, ValueError):
    """A text or number that names no action."""


class BadPosition(RidottoError, ValueError):
    """A position that no match could reach, with everything that is wrong with it."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("this position is not possible: " + "; ".join(faults))
        self.faults = tuple(faults)


class BadDraws(RidottoError, ValueError):
    """Recorded draws that do not fit the actions they are given for."""


class BadSetup(RidottoError, ValueError):
    """Seats or options that the game does not have."""


class Unavailable(BadSetup):
    """Something that this match does not offer at this moment."""

    def text(self, narrator: Narrator) -> str:
        """Why, for a reader; the error's own text is English."""
        return narrator.say(str(self))


class UnknownGame(RidottoError, LookupError):
    """A game that Ridotto does not have."""
