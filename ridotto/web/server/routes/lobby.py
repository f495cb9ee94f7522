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
from ridotto.web.live.seating import Seating
from ridotto.web.pages import models
from ridotto.web.pages import site as pages
from ridotto.web.pages.around import clock_text
from ridotto.web.server.requests import Context, Endpoint
from ridotto.web.server.table_form import (
    PEOPLE,
    create_guests,
    is_on,
    new_chair,
    parse_commitment,
    parse_options,
    parse_settings,
    parse_sitters,
    shared_seats,
)
from ridotto.web.storage import Storage
from ridotto.web.storage.table_info import TableInfo

LONGEST_LIST = 20
"""Tables in a list."""


class LobbyRoutes:
    def __init__(self, storage: Storage, seating: Seating, games: Mapping[str, Game]) -> None:
        self.storage, self.seating, self.games = storage, seating, games

    def endpoints(self) -> list[Endpoint]:
        return [Endpoint("/", self.show), Endpoint("/tables", self.create, "POST")]

    async def show(self, context: Context) -> Response:
        return await self._page(context)

    async def _page(self, context: Context, error: str = "", status: int = 200) -> Response:
        lists = await self.storage.tables.lobby(context.person, LONGEST_LIST)
        lists = lists[0], [info for info in lists[1] if self._is_attended(info)], lists[2]
        yours, free, over = (tuple(self._line(info, context.person, context.narrator) for info in part) for part in lists)
        games = tuple(pages.game_card(game, context.reader.language) for game in self.games.values())
        model = models.LobbyPage(context.reader, games, yours, free, over, error)
        return await context.page(partial(pages.lobby, model), status)

    def _is_attended(self, info: TableInfo) -> bool:
        """Whether somebody who plays at a table has its page open: others would wait there in vain."""
        table = self.seating.tables.cached(info.id)
        here = table.state.here if table is not None else self.seating.tables.pubsub.elsewhere(info.id)
        return any(info.is_player(person) for person in here)

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
        )
        return context.redirect(f"/t/{table.id}")
