"""A request that cannot be answered as asked, and why."""

from __future__ import annotations


class Fault(Exception):
    """A request that cannot be answered as asked."""

    def __init__(self, status: int, message: str, section: str = "", wait: float = 0) -> None:
        super().__init__(message)
        self.status, self.message, self.section, self.wait = status, message, section, wait
