"""The lobby: the start page with its lists of tables, and new tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from starlette.responses import Response

from ridotto.core.game import Game
from ridotto.engine.errors import RidottoError
from ridotto.present.narrator import LANGUAGES, Narrator, mark
from ridotto.present.ui import ui
from ridotto.web.errors import RequestError, TooMany
from ridotto.web.identity import parse_name
from ridotto.web.live.dealing import NewMatch
from ridotto.web.live.matchmaking import Matchmaker
from ridotto.web.live.presence import Presence
from ridotto.web.live.seating import Seating
from ridotto.web.pages import models
from ridotto.web.pages import site as pages
from ridotto.web.pages.around import clock_text
from ridotto.web.server.requests import Context, Endpoint
from ridotto.web.server.table_form import (
    PEOPLE,
    check_rated,
    create_guests,
    is_on,
    new_chair,
    parse_commitment,
    parse_options,
    parse_settings,
    parse_sitters,
    shared_seats,
)
from ridotto.web.settings import Settings
from ridotto.web.storage import Storage
from ridotto.web.storage.table_info import TableInfo

LONGEST_LIST = 20
"""Tables in a list."""


class LobbyRoutes:
    def __init__(
        self,
        settings: Settings,
        storage: Storage,
        seating: Seating,
        matchmaker: Matchmaker,
        presence: Presence,
        games: Mapping[str, Game],
    ) -> None:
        self.settings, self.storage, self.seating, self.games = settings, storage, seating, games
        self.matchmaker, self.presence = matchmaker, presence

    def endpoints(self) -> list[Endpoint]:
        return [Endpoint("/", self.show), Endpoint("/tables", self.create, "POST"), Endpoint("/find", self.find, "POST")]

    async def find(self, context: Context) -> Response:
        """An opponent near in strength, or a table to wait for one."""
        form = await context.form()
        game, rated = self.games.get(str(form.get("game"))), is_on(form, "rated")
        if game is None:
            return await self._page(context, context.narrator.say("there is no such game here"), 400)
        try:
            if rated:
                check_rated(game, ["me", "open"], context.reader.membership == "member")
            await context.check_new_table()
        except TooMany:
            raise
        except RequestError as error:
            return await self._page(context, error.text(context.narrator), 400)
        person = await context.save_visitor()
        language = person.language or context.reader.language
        return context.redirect(f"/t/{await self.matchmaker.find(person, game, rated=rated, language=language)}")

    async def show(self, context: Context) -> Response:
        return await self._page(context)

    async def _page(self, context: Context, error: str = "", status: int = 200) -> Response:
        yours, free, over = await self.storage.tables.lobby(context.person, LONGEST_LIST)
        free = [info for info in free if self.presence.is_anybody_here(info)]  # others would wait there in vain
        now = await self.storage.tables.played_now(LONGEST_LIST)
        lines = (tuple(self._line(info, context.person, context.narrator) for info in one) for one in (yours, free, over, now))
        yours_lines, free_lines, over_lines, now_lines = lines
        mine = {line.id for line in yours_lines}
        games = tuple(pages.game_card(game, context.reader.language) for game in self.games.values())
        model = models.LobbyPage(
            context.reader,
            games,
            yours_lines,
            tuple(line for line in free_lines if line.id not in mine),
            over_lines,
            error,
            tuple(line for line in now_lines if line.id not in mine),
            await self._friends(context),
            self.settings.seek_seconds,
        )
        return await context.page(partial(pages.lobby, model), status)

    async def _friends(self, context: Context) -> tuple[models.Friend, ...]:
        """The reader's friends, and which of them are at a table now."""
        if not self.settings.club or context.visitor.is_new:
            return ()
        here = self.presence.at_tables()
        found = [models.Friend(name, person in here) for person, name in await self.storage.members.friends(context.person)]
        return tuple(sorted(found, key=lambda one: not one.here))

    def _line(self, info: TableInfo, person: str, narrator: Narrator) -> models.TableLine:
        """A table as a line of a list."""
        game = self.games[info.game]
        words = ui(game).words(narrator)
        seats = tuple(
            models.SeatView(
                chair.seat,
                ui(game).role(chair.seat, words),
                chair.kind,
                chair.name,
                you=(chair.person == person and chair.kind != "free")
                or (info.host == person and chair.seat in info.settings.shared_seats),
                owing=bool(info.to_act >> chair.seat & 1),
                open=chair.kind == "free" and chair.open,
                standing=chair.standing,
            )
            for chair in info.chairs
        )
        result = ""
        if info.result is not None:
            winners = [seats[seat].display_name for seat in info.result["winners"]]
            who = narrator.listed(winners)
            result = narrator.say("Nobody wins.")
            if winners:
                result = narrator.count("{who} wins.", "{who} share the win.", len(winners), who=who)
        return models.TableLine(
            id=info.id,
            title=game.title,
            seats=seats,
            state=info.state,
            yours=any(one.you for one in seats),
            offered=info.reserved_for(person) is not None,
            your_turn=info.state == "playing" and any(one.you and one.owing for one in seats),
            is_challenge=(info.origin or {}).get("kind") == "challenge",
            rated=info.rated,
            watching=len(self.presence.here(info.id) - {chair.person for chair in info.chairs}),
            private=info.private,
            age=max(0, self.storage.now - info.changed),
            result=result,
            terms=clock_text(info.settings.clock, narrator) if info.settings.clock is not None else "",
            language=info.language if info.language in LANGUAGES else "en",
        )

    async def create(self, context: Context) -> Response:
        """A new table, by the form of the lobby."""
        form = await context.form()
        try:
            game = self.games.get(str(form.get("game")))
            if game is None:
                raise RequestError(mark("there is no such game here"))
            sitters, options, settings = parse_sitters(form, game), parse_options(form, game), parse_settings(form)
            await context.check_new_table(bots_alone=all(who not in PEOPLE for who in sitters))
            commitment = parse_commitment(form)
            rated = is_on(form, "rated")
            if rated:
                check_rated(game, sitters, context.reader.membership == "member")
                settings = replace(settings, takebacks="never", hints="none", guide=False)
        except TooMany:
            raise
        except RequestError as error:
            return await self._page(context, error.text(context.narrator), 400)
        except RidottoError as error:
            return await self._page(context, str(error), 400)
        language = str(form.get("language", ""))
        changes: dict[str, Any] = {"language": language} if language in LANGUAGES else {}
        if name := parse_name(str(form.get("name", ""))):
            changes["name"] = name
        person = await context.save_visitor(**changes)
        shared = shared_seats(sitters)
        try:
            guests = await create_guests(self.storage.people, str(form.get("names", "")), shared[1:], person.language)
        except RequestError as error:
            return await self._page(context, error.text(context.narrator), 400)
        table = await self.seating.create(
            NewMatch(game, options),
            [new_chair(seat, who, guests.get(seat, person.id)) for seat, who in enumerate(sitters)],
            commitment=commitment,
            host=person.id,
            private=is_on(form, "private") or "bots" in form,  # practice is nobody else's business
            language=person.language or context.reader.language,
            settings=replace(settings, shared_seats=shared),
            rated=rated,
        )
        return context.redirect(f"/t/{table.id}")
