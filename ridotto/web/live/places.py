"""Live places: how many connections are open, and whose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from ridotto.web.settings import Settings


class LivePlaces:
    """The live connections of a server, by person and by address."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._people: Counter[str] = Counter()
        self._addresses: Counter[str] = Counter()

    def __len__(self) -> int:
        return self._people.total()

    def of(self, person: str) -> int:
        return self._people[person]

    def has_room(self, person: str, address: str) -> bool:
        """Whether somebody may have one more."""
        most = self.settings
        return (
            self._people[person] < most.max_streams_each
            and self._addresses[address] < most.max_streams_address
            and len(self) < most.max_streams
        )

    @contextmanager
    def taken(self, person: str, address: str) -> Iterator[None]:
        """Have one."""
        self._people[person] += 1
        self._addresses[address] += 1
        try:
            yield
        finally:
            for counter, key in ((self._people, person), (self._addresses, address)):
                counter[key] -= 1
                if not counter[key]:
                    del counter[key]
