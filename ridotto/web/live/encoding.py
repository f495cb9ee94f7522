"""JSON as messages have it: by a fast package, or by Python's own where there is none, as in a browser."""

from __future__ import annotations

import json
from typing import Any

try:
    from orjson import dumps as encode
except ModuleNotFoundError:

    def encode(data: Any) -> bytes:  # type: ignore[misc, unused-ignore]
        """Plain data as JSON."""
        return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()


__all__ = ["encode"]
