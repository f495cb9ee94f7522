"""Finds opponents: whoever waits and is nearest in strength, else a table of one's own, and a bot if nobody comes."""

from __future__ import annotations

import logging
import secrets
from contextlib import suppress
from dataclasses import replace
from typing import Final

from ridotto.club.ratings import PRIOR_POINTS
from ridotto.club.scoring import nearest_level, rated_role
from ridotto.core.game import Game
from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import Seat
from ridotto.web.errors import NoTable, SeatTaken
from ridotto.web.identity import Person
from ridotto.web.live.background import BackgroundTasks
from ridotto.web.live.dealing import NewMatch
from ridotto.web.live.presence import Presence
from ridotto.web.live.seating import Seating
from ridotto.web.live.table_cache import TableCache
from ridotto.web.settings import Settings
from ridotto.web.storage import Storage
from ridotto.web.storage.faults import DatabaseUnavailable
from ridotto.web.storage.table_info import Chair, TableInfo
from ridotto.web.storage.table_settings import TableSettings

CLOSE: Final = 300.0
"""Points of rating within which two are paired at once."""
PATIENT: Final = 0.5
"""The part of the time before a bot sits down after which anybody will do."""
MOST_WAITING: Final = 100
"""Open tables that are looked at."""
AGAIN: Final = 15.0
"""Seconds after which it is looked again whether whoever waits for an opponent is at the table."""
GIVEN_UP: Final = 3600
"""Seconds after which nobody is looked for any more."""

log = logging.getLogger("ridotto.web")


class Matchmaker:
    """Seats those who look for an opponent."""

    def __init__(
        self,
        settings: Settings,
        storage: Storage,
        tables: TableCache,
        seating: Seating,
        presence: Presence,
        background: BackgroundTasks,
    ) -> None:
        self.settings, self.storage, self.tables, self.seating = settings, storage, tables, seating
        self.presence, self.background = presence, background

    def open(self) -> None:
        self.background.start(self._go_on())

    async def _go_on(self) -> None:
        """Take up those who waited when a server ended."""
        with suppress(DatabaseUnavailable):
            for table, until in await self.storage.tables.seeking():
                self.background.start(self._fill_later(table, until))

    async def find(self, person: Person, game: Game, *, rated: bool, language: str) -> str:
        """The table at which somebody has an opponent, or waits for one."""
        points = {one.role: one.points for one in await self.storage.results.ratings(person.id) if one.game == game.name}
        for info, seat in await self._waiting(person.id, game, rated, points):
            table = await self.tables.load(info.id)
            with suppress(SeatTaken):  # somebody else was faster
                await self.seating.sit(table, seat, person.id)
                return info.id
        return await self._wait(person, game, rated, language)

    async def _waiting(self, person: str, game: Game, rated: bool, points: dict[str, float]) -> list[tuple[TableInfo, Seat]]:
        """Where somebody may sit down now, the opponent nearest in strength first."""
        now, found = self.storage.now, []
        for info in await self.storage.tables.open_tables(game.name, game.seats[0], rated, MOST_WAITING):
            free = [chair.seat for chair in info.chairs if chair.kind == "free" and chair.open]
            sits = [chair for chair in info.chairs if chair.kind == "person"]
            is_usual = info.settings.clock is None and dict(info.options) == game.settle({}) and info.origin is None
            is_own = info.host == person or any(chair.person == person for chair in sits)
            if not free or not sits or not is_usual or is_own or not self.presence.is_anybody_here(info):
                continue
            mine = points.get(rated_role(game, free[0]), PRIOR_POINTS)
            apart = min(abs(mine - (chair.standing.points if chair.standing else PRIOR_POINTS)) for chair in sits)
            if apart <= CLOSE or now - info.created >= PATIENT * self.settings.seek_seconds:
                found.append((apart, info.created, info, free[0]))
        return [(info, seat) for _, _, info, seat in sorted(found, key=lambda one: one[:2])]

    async def _wait(self, person: Person, game: Game, rated: bool, language: str) -> str:
        """A table with a chair for whoever comes."""
        seats, own = game.seats[0], secrets.randbelow(game.seats[0])
        chairs = [
            Chair(seat, "person", False, person.id, "", None, secrets.token_hex(16))
            if seat == own
            else Chair(seat, "free", True, None, "", None, secrets.token_hex(16))
            for seat in range(seats)
        ]
        until = int(self.storage.now + self.settings.seek_seconds)
        settings = TableSettings(seeks_until=until)
        if rated:
            settings = replace(settings, takebacks="never", hints="none")
        table = await self.seating.create(
            NewMatch(game, game.settle({})), chairs, host=person.id, language=language, settings=settings, rated=rated
        )
        self.background.start(self._fill_later(table.id, until))
        return table.id

    async def _fill_later(self, id: str, until: int) -> None:
        """Let bots sit down at a table when it is time, if whoever waits is there."""
        try:
            await self.background.pause(max(0.0, until - self.storage.now))
            while not self.background.stopping.is_set() and self.storage.now < until + GIVEN_UP:
                table = await self.tables.load(id)
                if table.info.is_full:
                    return
                if self.presence.is_anybody_here(table.info):
                    return await self._fill(table.info, table.match.game)
                await self.background.pause(AGAIN)
        except (NoTable, DatabaseUnavailable):
            return
        except RidottoError as error:
            log.error("no bot sat down", extra={"facts": {"table": id, "error": str(error)}})

    async def _fill(self, info: TableInfo, game: Game) -> None:
        """Let bots of the strength of whoever waits sit down."""
        sits = next(chair for chair in info.chairs if chair.kind == "person")
        level = nearest_level(game, info.seats, sits.standing.points if sits.standing else PRIOR_POINTS)
        if await self.storage.tables.fill(info.id, f"level:{level}"):
            await self.tables.load(info.id)
