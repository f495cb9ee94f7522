"""The state of a table at one time. Nothing in it changes any more.

Pages and live messages are drawn from such states, so that drawing needs no lock and is done once for all who see the same.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TypeVar

from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.core.protocols import Words
from ridotto.core.view import MatchEvent
from ridotto.engine.fields import Seat
from ridotto.web.live.cache import AsyncCache
from ridotto.web.live.drawing import in_thread
from ridotto.web.pages import models
from ridotto.web.storage.tables import Extras, TableInfo

Result = TypeVar("Result")
Logs = dict[tuple[Seat | None, str], tuple[tuple[str, ...], int, tuple[models.LogLine, ...]]]


@dataclass(frozen=True, eq=False)
class TableState:
    """A table as it stood at one time."""

    info: TableInfo
    game: Game
    match: Match
    here: frozenset[str]
    """The people who have the page open."""
    logs: Logs
    """The log by seat and language, with the names in it, up to a ply; shared by the states of a table, since the past does
    not change."""
    cache: AsyncCache = field(default_factory=AsyncCache)
    """What was worked out from the match and the chairs; shared by the states that have them in common."""
    extras: Extras = field(default_factory=Extras)
    gone: frozenset[str] = frozenset()
    """The people who have been away for long."""
    serial: int = field(default_factory=lambda: time.time_ns() // 1000)
    """Grows with every state that differs in more than its chat. No number stands for two states."""
    short: Mapping[Seat, str] = field(default_factory=dict)
    """Why bots think less than they would: their game is "warming" up, or the server is "busy"."""
    history: tuple[MatchEvent, ...] = ()
    """What had happened in the match that this one goes on from."""
    head: str = ""
    """The hash of the last entry of the match."""
    messages: AsyncCache = field(default_factory=AsyncCache)
    """What was worked out from this very state: snapshots of it, and messages that lead to it."""

    @property
    def ply(self) -> int:
        return self.match.ply

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The display names by seat; "" for whoever has none."""
        return models.display_names(self.info.chairs)

    def words(self, language: str, reader: Seat | None) -> Words:
        """What puts the numbers of the game into words, with the names of those at the table, for whoever has a seat."""
        return _words(self.game, language, self.names, reader)

    def seat_of(self, person: str) -> Seat | None:
        """The seat that somebody may see and act for now."""
        if person != self.info.host or not self.info.shared_seats:
            return self.info.keys.get(person)
        return None if self.handover(person) is not None else self.info.device_holder

    def handover(self, person: str) -> Seat | None:
        """Where several share a device: the seat of whoever should have it next, if that is somebody else."""
        if person != self.info.host:
            return None
        info, last = self.info, self.info.device_holder
        due = [seat for seat in info.shared_seats if seat in self.match.to_act and info.chairs[seat].bot is None]
        if not due or last in due:
            return None
        return min(due, key=lambda seat: (seat - (-1 if last is None else last) - 1) % info.seats)

    def is_gone(self, seat: Seat) -> bool:
        """Whether everybody who may act for a seat has been away for long."""
        return all(person in self.gone for person in self.info.holders(seat))

    async def once(self, key: tuple[Hashable, ...], make: Callable[[], Result]) -> Result:
        """What `make` gives, worked out in a thread once for all who ask with the same key."""
        return await self.cache.get(key, lambda: in_thread(make))


@lru_cache(8192)
def _words(game: Game, language: str, names: tuple[str, ...], reader: Seat | None) -> Words:
    return game.words(game.narrator(language, names, reader))
