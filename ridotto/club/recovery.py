"""Recovery codes: each lets somebody in once, who has lost the device with the passkey.

A code has 100 bits, so that its hash alone, in a backup for example, lets nobody find it.
"""

from __future__ import annotations

import secrets
from hashlib import sha256
from typing import Final

LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789a"[:31]
"""Those that nobody takes for another one when they read a code from paper."""
GROUPS: Final = 4
GROUP: Final = 5
COUNT: Final = 10
"""The codes that somebody is given at a time."""


def new_codes() -> list[str]:
    """Codes to be written down.

    >>> codes = new_codes()
    >>> len(codes), len(set(codes)), len(codes[0])
    (10, 10, 23)
    """
    return ["-".join("".join(secrets.choice(LETTERS) for _ in range(GROUP)) for _ in range(GROUPS)) for _ in range(COUNT)]


def code_hash(code: str) -> str:
    """The hash by which a code is stored: however it is typed, it is the same.

    >>> code_hash("abcde-fghjk-mnpqr-stuvw") == code_hash(" ABCDE fghjk mnpqrstuvw ")
    True
    """
    plain = "".join(letter for letter in code.casefold()[:100] if letter.isalnum())
    return sha256(f"ridotto recovery {plain}".encode()).hexdigest()
