"""Talk at the table: what may be said, and how it is cleaned."""

from __future__ import annotations

import unicodedata
from typing import Final

LONGEST: Final = 300
MARKS: Final = 4
"""Signs that may stand over one letter: some names need several, a tower of them is a prank."""


def clean(text: str) -> str:
    """A text as it may be shown: one line, nothing invisible, no towers of accents, not too long.

    >>> clean("  Brava,\\n \\u202e Tosca! ")
    'Brava, Tosca!'
    >>> len(clean("e" + "\\u0301" * 50))
    5
    """
    kept: list[str] = []
    marks = 0
    for c in unicodedata.normalize("NFC", text[: 10 * LONGEST]):
        kind = unicodedata.category(c)
        marks = marks + 1 if kind[0] == "M" else 0
        if marks <= MARKS:
            # Emoji are joined by what is invisible otherwise.
            kept.append(c if kind[0] not in "CZ" or c == "\u200d" else " " if c.isspace() else "")
    return " ".join("".join(kept).split())[:LONGEST].rstrip()
