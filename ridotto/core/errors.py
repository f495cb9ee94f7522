"""What a game or a match refuses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ridotto.engine.errors import RidottoError

if TYPE_CHECKING:
    from ridotto.core.view import Refusal


class IllegalAction(RidottoError, ValueError):
    """An action that the rules do not allow now."""

    def __init__(self, message: str, refusal: Refusal) -> None:
        super().__init__(message)
        self.refusal = refusal


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


class UnknownGame(RidottoError, LookupError):
    """A game that Ridotto does not have."""
