"""The time that a request has used, on the event loop and in threads."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final


@dataclass(slots=True)
class Usage:
    """The CPU time of one request."""

    route: str = "-"
    """The pattern of its route; it may have none."""
    on_loop: float = 0.0
    """Seconds for which it had the event loop, in its steps that have ended."""
    in_threads: float = 0.0
    """Seconds of CPU time in threads."""


USAGE: Final[ContextVar[Usage | None]] = ContextVar("usage", default=None)
"""Set for each request, and for the tasks that it waits for."""
