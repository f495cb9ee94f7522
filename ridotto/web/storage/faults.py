"""Faults of the database, as everybody who writes to it or reads it knows them."""

from __future__ import annotations

from ridotto.engine.errors import RidottoError


class Conflict(Exception):
    """Another writer was first."""


class BadDatabase(RidottoError, OSError):
    """A database that cannot be used."""


class DatabaseUnavailable(RidottoError, OSError):
    """A database that does not answer just now."""
