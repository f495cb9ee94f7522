"""Players: their pages, challenges and friends; and one's own matches, with their records as one file."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final
from urllib.parse import quote

from starlette.responses import RedirectResponse, Response

from ridotto.core.game import Game
from ridotto.present.narrator import mark
from ridotto.web.errors import Forbidden, NotNow, RequestError, TooMany
from ridotto.web.identity import Person
from ridotto.web.live.dealing import NewMatch
from ridotto.web.live.drawing import in_thread
from ridotto.web.live.records import RecordWriter
from ridotto.web.live.seating import Seating
from ridotto.web.live.table_cache import TableCache
from ridotto.web.pages import players as pages
from ridotto.web.pages.players import PAGE_LINES, Filter
from ridotto.web.server.rate_limits import RateLimit
from ridotto.web.server.requests import Context, Endpoint
from ridotto.web.server.table_form import check_rated, is_on, new_chair
from ridotto.web.settings import Settings
from ridotto.web.storage import Storage
from ridotto.web.storage.table_settings import TableSettings

MOST_CHALLENGES: Final = 10
"""Challenges of one person that wait for an answer."""


class PlayerRoutes:
    def __init__(
        self,
        settings: Settings,
        storage: Storage,
        tables: TableCache,
        seating: Seating,
        records: RecordWriter,
        exports: RateLimit,
        games: Mapping[str, Game],
    ) -> None:
        self.settings, self.storage, self.tables, self.seating = settings, storage, tables, seating
        self.records, self.exports, self.games = records, exports, games

    def endpoints(self) -> list[Endpoint]:
        own = [Endpoint("/matches", self.matches), Endpoint("/matches/records.zip", self.export)]
        if not self.settings.club:
            return own
        return [
            *own,
            Endpoint("/p/{name}", self.show),
            Endpoint("/p/{name}/friend", self.befriend, "POST"),
            Endpoint("/p/{name}/challenge", self.challenge, "POST"),
            Endpoint("/ratings", self.rules),
        ]

    # Pages of players.

    async def show(self, context: Context) -> Response:
        """The page of a member, if the reader may see it."""
        person = await self._member(context)
        address = f"/p/{quote(person.name, safe='')}"
        if context.path["name"] != person.name:
            return RedirectResponse(address, 303)
        is_own = person.id == context.person
        shown = pages.PlayerPage(
            name=person.name,
            is_own=is_own,
            is_hidden=person.is_hidden,
            is_friend=not is_own and person.id in await self.storage.members.friend_ids(context.person),
            may_challenge=not is_own,
            ratings=await self.storage.results.ratings(person.id),
            lines=await self.storage.results.lines(person.id, with_private=is_own),
            filter=Filter.read(context.query),
            number=_page_number(context),
        )
        return await context.page(partial(pages.player, context.reader, shown))

    async def _member(self, context: Context) -> Person:
        """The member that the address names; one who keeps their page to themselves is not there for others."""
        person = await self.storage.people.find_member(context.path["name"][:200])
        if person is None or (person.is_hidden and person.id != context.person):
            raise context.not_found()
        return person

    async def befriend(self, context: Context) -> Response:
        """Make somebody a friend, or no friend any more: they are not told, and need not agree."""
        form = await context.form()
        friend = await self._member(context)
        if friend.id == context.person:
            raise NotNow(mark("that is you"))
        person = await context.save_visitor()
        if not await self.storage.members.set_friend(person.id, friend.id, is_on(form, "on")):
            raise NotNow(mark("that are more friends than there is room for"))
        return RedirectResponse(f"/p/{quote(friend.name, safe='')}", 303)

    async def challenge(self, context: Context) -> Response:
        """A table for two at which a chair is kept for somebody, who is asked on their start page, whenever they come."""
        form = await context.form()
        game = self.games.get(str(form.get("game")))
        if game is None:
            raise RequestError(mark("there is no such game here"))
        other = await self._member(context)
        if other.id == context.person:
            raise NotNow(mark("that is you"))
        rated, seats = is_on(form, "rated"), game.seats[0]
        sitters = ["me", "friend", *["bot:level:3"] * (seats - 2)]
        settings = TableSettings()
        if rated:
            check_rated(game, sitters, context.reader.membership == "member")
            settings = replace(settings, takebacks="never", hints="none")
        await context.check_new_table()
        if await self.storage.members.open_challenges(context.person) >= MOST_CHALLENGES:
            raise NotNow(mark("{most} of your challenges wait for an answer: that is enough"), most=MOST_CHALLENGES)
        person = await context.save_visitor()
        chairs = [new_chair(seat, who, person.id) for seat, who in enumerate(sitters)]
        chairs[1] = replace(chairs[1], person=other.id)
        table = await self.seating.create(
            NewMatch(game, game.settle({})),
            chairs,
            host=person.id,
            private=not rated,
            language=person.language or context.reader.language,
            settings=settings,
            origin={"kind": "challenge"},
            rated=rated,
        )
        return context.redirect(f"/t/{table.id}")

    async def rules(self, context: Context) -> Response:
        return await context.page(partial(pages.rules_of_ratings, context.reader))

    # One's own matches.

    async def matches(self, context: Context) -> Response:
        """The finished matches of the reader, guest or member."""
        lines, chosen, number = await self._own(context)
        return await context.page(partial(pages.matches, context.reader, lines, chosen, number))

    async def _own(self, context: Context) -> tuple[Any, Filter, int]:
        lines = await self.storage.results.lines(context.person, with_private=True)
        return lines, Filter.read(context.query), _page_number(context)

    async def export(self, context: Context) -> Response:
        """The records of one page of one's matches, as the reader may have each, in one file."""
        context.check_origin()
        if wait := self.exports.take(context.person):
            raise TooMany(mark("too many requests: wait a moment"), wait=wait)
        lines, chosen, number = await self._own(context)
        taken = [line for line in lines if chosen.takes(line)][PAGE_LINES * (number - 1) : PAGE_LINES * number]
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
            for line in taken:
                table = await self.tables.load(line.table)
                if not table.info.may_see(context.person):
                    raise Forbidden(mark("you have no seat at this table"))
                text = await self.records.record(table, context.person, context.words(table.state))
                await in_thread(file.writestr, f"{line.game}-{line.table}.json", text)
        headers = {"content-disposition": 'attachment; filename="ridotto-matches.zip"'}
        return Response(packed.getvalue(), 200, headers, "application/zip")


def _page_number(context: Context) -> int:
    """The part of a list that is asked for, from 1 on."""
    number = context.query.get("page", "1")
    return int(number) if number.isascii() and number.isdecimal() and len(number) < 4 else 1
