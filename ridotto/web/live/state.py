"""The state of a table at one time. Nothing in it changes any more.

Pages and live messages are drawn from such states, so that drawing needs no lock and is done once for all who see the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Final, TypeVar

from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.core.view import MatchEvent
from ridotto.engine.build import folder
from ridotto.engine.fields import Seat
from ridotto.present.ui import ui
from ridotto.present.words import Words
from ridotto.web.live.cache import AsyncCache
from ridotto.web.live.drawing import in_turn
from ridotto.web.pages import models
from ridotto.web.storage.table_info import Extras, TableInfo

FIRST_MESSAGES: Final = 8
SHOWN_BITS: Final = 33
THERE_BITS: Final = 20
"""Of the number of a state: 53 in all, which is exact in a browser."""
DRAWN_BY: Final = (".py", ".html", ".mo", ".toml", ".svg")
"""Files that pages depend on."""
NEW_LINES: Final = 8
"""Entries of which the log is made at once; for more it takes a thread."""
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
    """Results that depend on the match and the chairs alone; shared by the states that have them in common."""
    extras: Extras = field(default_factory=Extras)
    gone: frozenset[str] = frozenset()
    """The people who have been away for long."""
    serial: int = 0
    """A number for what is shown, but for the chat: the same whenever and by whatever server the same is shown. Its last bits
    are for who is there; a page that was open when a server was started again differs in these alone."""
    degraded: Mapping[Seat, str] = field(default_factory=dict)
    """The reason why bots think less than they would: their game is "warming" up, or the server is "busy"."""
    history: tuple[MatchEvent, ...] = ()
    """The events of the match that this one goes on from."""
    head: str = ""
    """The hash of the last entry of the match."""
    drawn: int = 0
    """The version at which the table last changed in more than its chat; 0: the present one."""
    messages: AsyncCache = field(default_factory=AsyncCache)
    """Results that depend on this very state: its snapshots, and the messages that lead to it."""
    first_messages: AsyncCache = field(default_factory=lambda: AsyncCache(FIRST_MESSAGES))
    """Messages for pages that come with an earlier ply, which may be any."""

    def __post_init__(self) -> None:
        if not self.drawn:
            object.__setattr__(self, "drawn", self.info.version)
        if not self.serial:
            shown = pages_version(self.game), self.info.id, self.drawn, self.head, len(self.history)
            there = sorted(self.here), sorted(self.gone), sorted(self.degraded.items())
            object.__setattr__(self, "serial", _bits(shown, SHOWN_BITS) << THERE_BITS | _bits(there, THERE_BITS))

    @property
    def ply(self) -> int:
        return self.match.ply

    def shows_same(self, serial: int) -> bool:
        """Whether the state of that number differs in nothing but who is there, and the chat."""
        return serial >> THERE_BITS == self.serial >> THERE_BITS

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The display names by seat; "" for whoever has none."""
        return models.display_names(self.info.chairs)

    def words(self, language: str, reader: Seat | None) -> Words:
        """The game's words in a language, with the names at the table, for one reader."""
        return _words(self.game, language, self.names, reader, self.late)

    @cached_property
    def late(self) -> frozenset[Seat]:
        """The seats whose players have left because their time was up. At a table of version 0.1, only a note says so."""
        late = {seat for seat, how in self.info.settings.left.items() if how == "time"}
        if self.info.state == "over":
            late |= {line.seat for line in self.extras.chat if line.kind == "flag" and line.seat is not None}
        return frozenset(late)

    def seat_of(self, person: str) -> Seat | None:
        """The seat that somebody may see and act for now."""
        if person != self.info.host or not self.info.settings.shared_seats:
            return self.info.keys.get(person)
        return None if self.handover(person) is not None else self.info.settings.device_holder

    def handover(self, person: str) -> Seat | None:
        """The seat that a shared device should be handed to, if it is another one."""
        if person != self.info.host:
            return None
        info, last = self.info, self.info.settings.device_holder
        due = [seat for seat in info.settings.shared_seats if seat in self.match.to_act and info.chairs[seat].bot is None]
        if not due or last in due:
            return None
        return min(due, key=lambda seat: (seat - (-1 if last is None else last) - 1) % info.seats)

    def is_new_to(self, seat: Seat | None, language: str) -> bool:
        """Whether so much of the log has still to be put into words for a seat that everybody else would wait for it."""
        names, ply, _ = self.logs.get((seat, language), (self.names, 0, ()))
        return self.ply - (ply if names == self.names else 0) > NEW_LINES

    def is_gone(self, seat: Seat) -> bool:
        """Whether everybody who may act for a seat has been away for long."""
        return all(person in self.gone for person in self.info.holders(seat))

    async def once(self, key: tuple[Hashable, ...], make: Callable[[], Result]) -> Result:
        """The result of `make`, computed in a thread once for all who ask with the same key."""
        return await self.cache.get(key, lambda: in_turn(make))


def _bits(value: object, count: int) -> int:
    """A hash of plain data, of so many bits; never 0."""
    return int.from_bytes(hashlib.sha256(repr(value).encode()).digest()[:8]) >> (64 - count) or 1


@cache
def pages_version(game: Game) -> str:
    """The version of everything that draws pages of a game: pages of other versions are drawn again."""
    return " ".join((game.build().box, _version_of(folder("ridotto")), _version_of(game.folder)))


@cache
def _version_of(where: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(path for path in where.rglob("*") if path.suffix in DRAWN_BY):
        about = path.stat()
        digest.update(f"{path.name} {about.st_size} {about.st_mtime_ns}".encode())
    return digest.hexdigest()


@lru_cache(8192)
def _words(game: Game, language: str, names: tuple[str, ...], reader: Seat | None, late: frozenset[Seat]) -> Words:
    return ui(game).words(ui(game).narrator(language, names, reader, late))
