"""The exceptions of games and matches."""

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
        """Why, for any reader; None in a batch of many matches, where the reason is not worked out."""


class BadSeries(RidottoError, ValueError):
    """A text that stands for a series of actions (`arrange …`) and is wrong. The message is in the reader's language."""

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


class BadAnswer(RidottoError, ValueError):
    """An answer about a box that cannot be read."""


class BadDraws(RidottoError, ValueError):
    """Recorded draws that do not fit the actions they are given for."""


class BadSetup(RidottoError, ValueError):
    """Seats or options that the game does not have."""


class Unavailable(BadSetup):
    """Something that this match does not offer at this moment."""

    def text(self, narrator: Narrator) -> str:
        """Why, in the language of a reader; the exception's own text is English."""
        message = str(self)
        return narrator.say(message)


class UnknownGame(RidottoError, LookupError):
    """A game that Ridotto does not have."""
