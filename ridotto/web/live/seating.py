"""Seats people at tables: new tables, free chairs, private links, and rematches."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from ridotto.core.match import Match
from ridotto.engine.fields import Seat
from ridotto.present.narrator import mark
from ridotto.web.errors import NotNow, SeatTaken
from ridotto.web.identity import new_id
from ridotto.web.live.dealing import Dealing, NewMatch
from ridotto.web.live.drawing import in_thread
from ridotto.web.live.metrics import Metrics
from ridotto.web.live.publisher import Publisher
from ridotto.web.live.table import Table
from ridotto.web.live.table_cache import TableCache
from ridotto.web.live.table_writer import TableWriter
from ridotto.web.storage import Storage
from ridotto.web.storage.chat import add_line
from ridotto.web.storage.table_info import Chair, NewTable
from ridotto.web.storage.table_settings import TableSettings

DEFAULTS: Final = TableSettings()


class Seating:
    """Creates tables, and gives their seats away."""

    def __init__(
        self,
        storage: Storage,
        tables: TableCache,
        writer: TableWriter,
        dealing: Dealing,
        publisher: Publisher,
        metrics: Metrics,
    ) -> None:
        self.storage, self.tables, self.writer, self.dealing = storage, tables, writer, dealing
        self.publisher, self.metrics = publisher, metrics

    async def create(
        self,
        match: Match | NewMatch,
        chairs: Sequence[Chair],
        *,
        commitment: str | None = None,
        host: str | None,
        private: bool = False,
        language: str = "en",
        settings: TableSettings = DEFAULTS,
        origin: Mapping[str, Any] | None = None,
        rated: bool = False,
    ) -> Table:
        """A new table around a match.

        A new match is dealt when everybody sits, if the browser of whoever sets it up has committed to a share; else at once.
        """
        keys: dict[str, Seat | None] = {
            chair.person: chair.seat if chair.kind == "person" else None  # a chair may be kept for somebody
            for chair in chairs
            if chair.person and chair.seat not in settings.shared_seats[1:]
        }
        if host is not None:
            keys.setdefault(host, None)
        table_id, salt = new_id(), secrets.token_hex(16)
        own = keys.get(host or "")
        given = {} if own is None else {own: commitment}
        match = await in_thread(self.dealing.begin, table_id, salt, match, len(chairs), given)
        new = NewTable(table_id, match, private, host, language, salt, tuple(chairs), keys, settings, origin, rated)
        await self.storage.tables.create(new)
        self.metrics.tables.labels(match.game.name).inc()
        table = await self.tables.load(new.id)
        self.publisher.notify(table)
        return table

    async def sit(self, table: Table, seat: Seat, person: str, commitment: str | None = None) -> None:
        """Take a free chair; `commitment` is what the browser gives to the deal."""
        if table.info.is_player(person):
            raise SeatTaken(mark("you sit at this table already"))
        if not await self.storage.tables.sit(table.id, seat, person, commitment):
            raise SeatTaken(mark("somebody sits there already"))
        await self.tables.load(table.id)

    async def give_key(self, table: Table, person: str, seat: Seat | None) -> None:
        """Let somebody who came by a private link act for a seat, or watch."""
        if not await self.storage.tables.give_key(table.id, person, seat):
            raise SeatTaken(mark("you sit at this table already"))
        await self.tables.load(table.id)

    async def renew_links(self, table: Table, seat: Seat, person: str) -> None:
        """Replace the private links to a seat, so that the old ones and the devices that came by them are shut out."""
        await self.storage.tables.new_salt(table.id, seat, person)
        await self.tables.load(table.id)

    async def rematch(self, table: Table, person: str, commitment: str | None = None) -> str:
        """The table of the rematch: whoever asks first offers it, whoever asks then accepts it, and sits down there."""
        own, again = table.info.keys.get(person), table.info.rematch or await self._offer_rematch(table, person, commitment)
        new = await self.tables.load(again)
        if own is not None and not new.info.is_player(person):
            chair = new.info.chairs[(own + 1) % new.info.seats]
            if chair.kind == "free" and chair.person is not None:
                with suppress(SeatTaken):  # whoever clicks twice sits there already
                    await self.sit(new, chair.seat, person, commitment)
        return again

    async def decline_rematch(self, table: Table, person: str) -> None:
        """Leave the chair that is kept for somebody at a rematch to others."""
        seat, old = table.info.reserved_for(person), (table.info.origin or {}).get("table")
        if seat is None or not await self.storage.tables.release(table.id, seat):
            raise NotNow(mark("nobody offers you a rematch"))
        now = self.storage.now
        await self.writer.change(table, [add_line(table.id, now, "declines", seat=seat)])
        if old is not None:
            before = await self.tables.load(old)
            await self.writer.change(before, [add_line(old, now, "declines", seat=(seat - 1) % table.info.seats)])

    async def _offer_rematch(self, table: Table, person: str, commitment: str | None) -> str:
        """A new table with the same people and bots, each one seat further on.

        Whoever offers it, the bots, and those who share a device with its holder sit there already. A free chair is kept for
        everybody else until they accept, so that no clock runs for somebody who does not know of it.
        """
        info = table.info
        moved = {chair.seat: (chair.seat + 1) % info.seats for chair in info.chairs}
        guests = info.settings.shared_seats[1:]

        by = info.keys.get(person)

        def is_kept(chair: Chair) -> bool:
            return chair.kind == "person" and chair.seat != by and chair.seat not in guests

        chairs = [
            replace(
                chair,
                seat=moved[chair.seat],
                kind="free" if is_kept(chair) else chair.kind,
                salt=secrets.token_hex(16),
                bot=chair.bot if chair.kind == "bot" else None,
            )
            for chair in info.chairs
        ]
        chairs.sort(key=lambda chair: chair.seat)
        sits = {moved[chair.seat] for chair in info.chairs if not is_kept(chair)}
        keys = {one: moved[seat] if seat is not None and moved[seat] in sits else None for one, seat in info.keys.items()}
        shared = tuple(moved[seat] for seat in info.settings.shared_seats)
        settings = replace(info.settings, shared_seats=shared, device_holder=None, left={}, seeks_until=None)
        table_id, salt = new_id(), secrets.token_hex(16)
        origin = {"kind": "rematch", "table": info.id}
        given = {} if by is None else {moved[by]: commitment}
        match = await in_thread(self.dealing.begin, table_id, salt, NewMatch(table.match.game, info.options), info.seats, given)
        who = tuple(chairs), keys
        new = NewTable(table_id, match, info.private, info.host, info.language, salt, *who, settings, origin, info.rated)
        note = add_line(info.id, self.storage.now, "rematch", seat=by) if by is not None and new.state == "open" else None
        again = await self.storage.tables.create_rematch(info.id, new, note)
        await self.tables.load(info.id)
        self.publisher.notify(await self.tables.load(again))
        return again
