"""Records: that of a table to take away, and one that somebody brings."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from functools import partial
from typing import Final

from starlette.responses import Response

from ridotto.core import record
from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import Seat
from ridotto.present.narrator import clean_name, mark
from ridotto.web.errors import RequestError
from ridotto.web.identity import Person, new_id
from ridotto.web.live.drawing import in_thread
from ridotto.web.live.records import RecordWriter
from ridotto.web.live.seating import Seating
from ridotto.web.live.table_writer import LONGEST_MATCH
from ridotto.web.pages import replay as replay_pages
from ridotto.web.pages.models import Reader
from ridotto.web.server.requests import Context, Endpoint
from ridotto.web.server.table_form import BOTS, new_chair
from ridotto.web.storage import Storage
from ridotto.web.storage.table_info import Chair

LARGEST: Final = 2 * 1024 * 1024
"""Bytes of a record that somebody brings, as it is sent."""


class RecordRoutes:
    def __init__(self, storage: Storage, seating: Seating, records: RecordWriter, games: Mapping[str, Game]) -> None:
        self.storage, self.seating, self.records, self.games = storage, seating, records, games

    def endpoints(self) -> list[Endpoint]:
        return [
            Endpoint("/t/{id}/record", self.download),
            Endpoint("/records", self.ask),
            Endpoint("/records", self.upload, "POST"),
        ]

    async def download(self, context: Context) -> Response:
        """The record of a match, as the asker may have it: whole when it is over."""
        table = await context.dealt_table()
        words, seat = context.words(table.state), table.state.seat_of(context.person)
        names = self.records.names(table, words)

        async def draw(_: Reader) -> str:
            return await self.records.record(table, context.person, words)

        disposition = f'attachment; filename="{table.info.game}-{table.id}.json"'
        key = "record", table.id, table.info.version, seat, names
        return await context.kept(key, draw, "application/json", **{"content-disposition": disposition})

    async def ask(self, context: Context) -> Response:
        return await context.page(partial(replay_pages.records, context.reader))

    async def upload(self, context: Context) -> Response:
        """A record becomes a table that is over, for whoever brought it and whom they give the link."""
        text = str((await context.stored_form(LARGEST)).get("record", ""))
        try:
            match, names = await in_thread(self._verify, text)
        except RidottoError as error:
            message = error.text(context.narrator) if isinstance(error, RequestError) else str(error)
            return await context.page(partial(replay_pages.records, context.reader, message), 400)
        person = await context.save_visitor()
        language = person.language or context.reader.language
        table = await self.seating.create(
            match,
            [await self._chair(seat, name, language) for seat, name in enumerate(names)],
            host=person.id,
            private=True,
            language=language,
            origin={"kind": "record", "record": match.origin},
        )
        return context.redirect(f"/t/{table.id}/replay")

    def _verify(self, text: str) -> tuple[Match, list[str]]:
        """The match of a record, if every check holds and it is over, and the names in it."""
        if not text.strip():
            raise RequestError(mark("there is no record: choose a file, or put its text in"))
        document = record.parse(text)
        if isinstance(document, dict) and isinstance(given := document.get("entries"), list) and len(given) > LONGEST_MATCH:
            raise RequestError(
                mark("a record that is opened here has {most} entries at most, not {count}"),
                most=LONGEST_MATCH,
                count=len(given),
            )
        match, names = record.read(document, self.games)
        if match.to_act:
            raise RequestError(mark("this match is not over: only a finished one can be opened here"))
        return match, [*names, *[""] * match.seats][: match.seats]

    async def _chair(self, seat: Seat, name: str, language: str) -> Chair:
        """The chair of somebody who is only known by a record."""
        if f"bot:{name}" in BOTS:
            return new_chair(seat, f"bot:{name}", "")
        shown = "" if name in (f"seat {seat}", "you") else clean_name(name)
        person = Person(new_id(), shown, language)
        await self.storage.people.save(person)
        return Chair(seat, "person", False, person.id, person.name, None, secrets.token_hex(16))
