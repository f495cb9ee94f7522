"""A request that cannot be answered as asked, and why."""

from __future__ import annotations

from ridotto.core.errors import Refusal
from ridotto.engine.errors import RidottoError
from ridotto.present.narrator import Narrator
from ridotto.present.words import Words


class RequestError(RidottoError):
    """Something that somebody asked for and cannot have; `message` is said to them in their own language.

    >>> error = RequestError("a name has {most} characters at most", most=40)
    >>> error.status, str(error), error.text(Narrator("nl"))
    (400, 'a name has 40 characters at most', 'een naam heeft hoogstens 40 tekens')
    """

    status = 400
    section = ""
    """The § of the rulebook that it rests on."""

    def __init__(self, message: str, *, status: int | None = None, wait: float = 0, **values: object) -> None:
        super().__init__(message.format(**values))
        self.message, self.values = message, values
        self.status = status or self.status
        self.wait = wait
        """Seconds after which it may be tried again; 0: that would not help."""

    def text(self, narrator: Narrator) -> str:
        """The message to whoever asked."""
        return narrator.say(self.message, **self.values)


class Forbidden(RequestError):
    """Something that is not for whoever asks."""

    status = 403


class NotFound(RequestError):
    """Something that is not there, or not for whoever asks to know of."""

    status = 404


class NotNow(RequestError):
    """Something that is not possible as things stand."""

    status = 409


class Stale(RequestError):
    """An action chosen from a page that does not show the table as it is any more."""

    status = 409


class SeatTaken(RequestError):
    """A chair that is not free."""

    status = 409


class NameTaken(RequestError):
    """A name that is somebody else's, or taken for somebody else's; `proposal` is one that is free."""

    status = 409

    def __init__(self, message: str, name: str, proposal: str) -> None:
        super().__init__(message, name=name, proposal=proposal)
        self.proposal = proposal


class NoTable(RidottoError, LookupError):
    """A table that does not exist."""


class ActionRefused(NotNow):
    """An action that the rules do not allow, with the reason in the words of whoever tried it."""

    def __init__(self, refusal: Refusal, words: Words) -> None:
        super().__init__("{reason}", reason=words.refusal(refusal))
        self.section = refusal.section


class TooMany(RequestError):
    """Something that was asked for too often; `wait` says when to try again."""

    status = 429
