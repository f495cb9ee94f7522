"""Two coins need no box."""

from __future__ import annotations

from typing import Any

from ridotto.engine.build import box

BOX: dict[str, Any] = box(__file__)
