"""Matching pennies in words: nobody reads them."""

from __future__ import annotations

from ridotto.core import protocols


class Words(protocols.Words):
    """No sentences."""
