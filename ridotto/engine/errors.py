"""The exceptions of the engine, and the base class of all of ours."""

from __future__ import annotations


class RidottoError(Exception):
    """The base class of all exceptions of Ridotto. The message is for the user."""


class NoDevice(RidottoError, RuntimeError):
    """There is no usable GPU for the target `cuda`."""


class BadBox(RidottoError, ValueError):
    """A file of components with which the rules cannot be played."""


class BadDeclaration(RidottoError, ValueError):
    """A field, an action or an event of a game that is declared as none can be."""
