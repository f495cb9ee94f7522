"""The exceptions of the engine, and the base class of all of ours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Self


class RidottoError(Exception):
    """The base class of all exceptions of Ridotto. The message is for the user."""


class NoDevice(RidottoError, RuntimeError):
    """There is no usable GPU for the target `cuda`."""


class BadBox(RidottoError, ValueError):
    """A file of components with which the rules cannot be played."""

    faults: Sequence[BoxFault] = ()
    """Everything that is wrong with what is in the box, where it could be read."""

    @classmethod
    def because_of(cls, faults: Sequence[BoxFault]) -> Self:
        """The error for a box that was read, with everything that is wrong with it."""
        error = cls("this box cannot be played: " + "; ".join(faults))
        error.faults = faults
        return error


def mark(message: str) -> str:
    """Mark a message for the extractor: it is translated later, where it is shown."""
    return message


class BoxFault(str):
    """One thing that is wrong with a box: an English sentence, which can be said in other languages too.

    >>> BoxFault("{city}: standing must be 1 or 2, not {value}", city="wien", value=3)
    'wien: standing must be 1 or 2, not 3'
    """

    message: str
    values: dict[str, object]

    def __new__(cls, message: str, **values: object) -> Self:
        self = super().__new__(cls, message.format(**values))
        self.message, self.values = message, values
        return self

    def translated(self, say: Callable[..., str]) -> str:
        """The sentence in the language of a narrator, whose `say` it takes."""
        values = {name: value.translated(say) if isinstance(value, BoxFault) else value for name, value in self.values.items()}
        return say(self.message, **values)


class BadDeclaration(RidottoError, ValueError):
    """An invalid declaration of a field, an action or an event."""


class NoModule(RidottoError):
    """A module of WebAssembly that cannot be made, or is not there."""
