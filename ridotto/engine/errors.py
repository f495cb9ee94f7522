"""What the engine refuses."""

from __future__ import annotations


class RidottoError(Exception):
    """Anything Ridotto refuses, with a message for the person who asked."""


class NoDevice(RidottoError, RuntimeError):
    """A GPU was asked for and there is none to be used."""


class BadBox(RidottoError, ValueError):
    """A file of components that does not describe a box the rules can be played with."""


class BadDeclaration(RidottoError, ValueError):
    """A field, an action or an event of a game that is declared as none can be."""
