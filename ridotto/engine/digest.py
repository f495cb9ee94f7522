"""Hashes of plain data, and the bytes that are hashed."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Final

ENCODER: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest(value: Any) -> str:
    """A SHA-256 of plain data, the same however its text was laid out."""
    return hashlib.sha256(canonical(value)).hexdigest()


def canonical(value: Any) -> bytes:
    """Plain data as the one sequence of bytes that is hashed."""
    return ENCODER.encode(value).encode()
