"""Refusals, and the exceptions of games and matches. Their texts are English, for developers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import Seat

OVER: Final = "over"
"""The reason for refusing any action after a seat has resigned."""
LATER: Final = "later"
"""The reason for refusing a turn with a decision after a draw or a reveal."""
CLASH: Final = "clash"
"""The reason for refusing a decision that is incompatible with others of the same turn."""


class BadSeries(RidottoError, ValueError):
    """A text that stands for a series of actions (`arrange …`) and is wrong: a reason with its values, for `Words.fault`."""

    def __init__(self, reason: str, section: str, **values: int | str) -> None:
        super().__init__(f"{reason} {values or ''}".strip() + f" (§{section})")
        self.reason, self.section, self.values = reason, section, values


@dataclass(frozen=True)
class Refusal:
    """The reason why an action is not allowed, its §, and everything that is needed to put it into words for any reader.

    The reason is a name in the rules' REASONS; or OVER, LATER or CLASH; or "series", for a text that stands for a series of
    actions.
    """

    reason: str
    section: str
    seat: Seat
    action: int | str
    """The action that was refused, or the text of a series."""
    row: tuple[int, ...] = field(repr=False)
    """The row as the seat may know it."""
    fault: BadSeries | None = field(default=None, compare=False, repr=False)
    """The fault in the text of a series."""


def reason_name(game: Any, refusal: Refusal) -> str:
    """The reason of a refusal by its name."""
    return refusal.reason.replace("_", " ")


explain: Callable[[Any, Refusal], str] = reason_name
"""The English text of a refusal in a game, for developers; a sentence, once `ridotto.present` is loaded."""


class IllegalAction(RidottoError, ValueError):
    """An action that the rules do not allow now."""

    def __init__(self, message: str, refusal: Refusal | None = None) -> None:
        super().__init__(message)
        self.refusal = refusal
        """The reason, for any reader; None in a batch of many matches."""


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
    """Recorded draws that do not fit their actions."""


class BadSetup(RidottoError, ValueError):
    """Seats or options that the game does not have."""


class Unavailable(BadSetup):
    """An operation that is not available now, with a reason such as "match_has_gone_on"."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason.replace("_", " "))
        self.reason = reason


class UnknownGame(RidottoError, LookupError):
    """A game that Ridotto does not have."""
