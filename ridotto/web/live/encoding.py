"""JSON as messages have it: by a fast package, or by Python's own where there is none, as in a browser."""

from __future__ import annotations

import json
from typing import Any

try:
    import orjson
except ModuleNotFoundError:
    orjson = None  # type: ignore[assignment, unused-ignore]


def encode(data: Any) -> bytes:
    """Plain data as JSON.

    >>> encode({"à": [1, None]}).decode()
    '{"à":[1,null]}'
    """
    if orjson is not None:
        return orjson.dumps(data)
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
