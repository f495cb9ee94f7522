"""A request that cannot be answered as asked, and why."""

from __future__ import annotations

from ridotto.core.errors import IllegalAction
from ridotto.core.protocols import Words


class Fault(Exception):
    """A request that cannot be answered as asked."""

    def __init__(self, status: int, message: str, section: str = "", wait: float = 0) -> None:
        super().__init__(message)
        self.status, self.message, self.section, self.wait = status, message, section, wait


def refused(error: IllegalAction, words: Words) -> Fault:
    """An action that the rules do not allow, with the reason for whoever tried it."""
    if error.refusal is None:
        return Fault(409, str(error))
    return Fault(409, error.refusal.text(words), error.refusal.section)
