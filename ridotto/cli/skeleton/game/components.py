"""The components as numbers that the rules can use."""

from __future__ import annotations

from typing import Any

from ridotto.engine.build import box

BOX: dict[str, Any] = box(__file__)
GOAL: int = BOX["goal"]
STEP: int = BOX["step"]
