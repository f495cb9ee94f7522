"""The page of a table, and what somebody does there: act, look ahead, resign, ask for a rematch."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import segno
from starlette.responses import JSONResponse, RedirectResponse, Response

from ridotto.core import turns
from ridotto.core.errors import IllegalAction
from ridotto.core.match import Match
from ridotto.present.kit import foresight
from ridotto.present.narrator import mark
from ridotto.present.ui import ui
from ridotto.present.words import Words
from ridotto.web.errors import ActionRefused, Forbidden, NotNow, RequestError
from ridotto.web.live.drafts import drafted_table
from ridotto.web.live.drawing import in_thread
from ridotto.web.live.metrics import Metrics
from ridotto.web.live.seating import Seating
from ridotto.web.live.state import TableState
from ridotto.web.live.table_writer import TableWriter
from ridotto.web.live.view_models import chat_model, table_model
from ridotto.web.pages import site as pages
from ridotto.web.pages.models import Reader, TablePage
from ridotto.web.server.requests import LONGEST_ACTION, Context, Endpoint
from ridotto.web.server.table_form import is_on, parse_commitment
from ridotto.web.settings import Settings
from ridotto.web.storage import Storage
from ridotto.web.storage.tables import set_settings


class TableRoutes:
    def __init__(self, settings: Settings, storage: Storage, writer: TableWriter, seating: Seating, metrics: Metrics) -> None:
        self.settings, self.storage, self.metrics = settings, storage, metrics
        self.writer, self.seating = writer, seating

    def endpoints(self) -> list[Endpoint]:
        return [
            Endpoint("/t/{id}", self.show),
            Endpoint("/t/{id}/act", self.act, "POST"),
            Endpoint("/t/{id}/draft", self.draft, "POST"),
            Endpoint("/t/{id}/preview", self.preview),
            Endpoint("/t/{id}/compose", self.compose, "POST"),
            Endpoint("/t/{id}/resign", self.resign, "POST"),
            Endpoint("/t/{id}/rematch", self.rematch, "POST"),
            Endpoint("/t/{id}/decline", self.decline_rematch, "POST"),
            Endpoint("/t/{id}/guide", self.switch_guide, "POST"),
            Endpoint("/t/{id}/qr.svg", self.qr),
        ]

    async def show(self, context: Context) -> Response:
        table = await context.table()
        state, person, audience = table.state, context.person, context.audience(table.state)
        chat = chat_model(state, person, await self.storage.chat.muted(person), context.reader.language)
        webhook = await self.storage.webhooks.url(table.id, person) if self.settings.webhooks else None
        now = self.storage.milliseconds

        async def draw(reader: Reader) -> str:
            began = time.perf_counter()
            model = await table_model(state, reader, audience)
            model = replace(model, chat=chat, webhook=webhook, now=now, number=state.serial)
            page = await in_thread(pages.table, model)
            self.metrics.drawing.labels(table.info.game).observe(time.perf_counter() - began)
            return page

        if state.info.settings.shared_seats:  # whoever has the device next is not to go back to what another one saw
            return context.with_cookie(Response(await draw(context.reader), media_type="text/html"))
        is_ticking = any(clock.until is not None for clock in state.extras.clocks.values())
        key = "table", table.id, state.serial, audience, chat, webhook, now if is_ticking else 0
        return await context.kept(key, draw)

    async def act(self, context: Context) -> Response:
        data = await context.form()
        table = await context.table()
        seat = context.own_seat(table)
        do, ply = data.get("do"), data.get("ply")
        if not isinstance(do, str) or len(do) > LONGEST_ACTION or type(ply) is not int:
            raise RequestError("an action needs do, a text, and ply, a number")
        try:
            await self.writer.act(table, seat, do, ply)
        except IllegalAction as error:
            raise _refused(error, context.words(table.state)) from error
        return Response(status_code=204, headers={"ply": str(table.match.ply)})  # from where on the page shows it

    async def draft(self, context: Context) -> Response:
        """A turn that somebody puts together: the table with it, until they confirm it."""
        data = await context.form()
        table = await context.table()
        state, do = table.state, data.get("do")
        seat = context.own_seat(table)
        if not isinstance(do, str) or len(do) > LONGEST_ACTION:
            raise RequestError("a draft needs do, a text")
        model = await table_model(state, context.reader, context.audience(state))
        _, drafted = await self._drafted(model, state, do)
        table.begun[seat] = state.ply
        return JSONResponse(await in_thread(pages.draft, model, drafted))

    async def _drafted(self, model: TablePage, state: TableState, draft: str) -> tuple[Match, TablePage]:
        """The match and the table as somebody plans them; as they are, if there is no draft."""
        try:
            return await in_thread(drafted_table, state.match, model, draft) if draft else (state.match, model)
        except IllegalAction as error:
            raise _refused(error, model.words) from error

    async def preview(self, context: Context) -> Response:
        """The effect of an action, as lines of the log and as drawings; with a draft, its effect after that."""
        context.check_rate()
        table = await context.table()
        state, seat, words = table.state, context.own_seat(table), context.words(table.state)
        do, draft = (context.query.get(name, "")[:LONGEST_ACTION] for name in ("do", "draft"))
        if state.game.inputs.is_series(do) or turns.SEPARATOR in do:
            return JSONResponse({"lines": []})
        action = state.game.action(do)
        do = state.game.rules.ACTIONS.notation(action)
        model = await table_model(state, context.reader, context.audience(state))
        if draft:
            _, model = await self._drafted(model, state, draft)

        def work() -> dict[str, Any]:
            return {"lines": foresight.lines(model.view, action, words), **pages.preview(model, do)}

        key = ("preview", seat, words.narrator.language, do)
        return JSONResponse(await (in_thread(work) if draft else state.once(key, work)))

    async def compose(self, context: Context) -> Response:
        """The effect of a series of actions that is being composed; with a draft, after that."""
        data = await context.form()
        table = await context.table()
        seat = context.own_seat(table)
        text, draft = (str(data.get(name, context.query.get(name, "")))[:LONGEST_ACTION] for name in ("text", "draft"))
        model = await table_model(table.state, context.reader, context.audience(table.state))
        match, _ = await self._drafted(model, table.state, draft)
        view = await in_thread(match.view, seat)
        composed = await in_thread(ui(view.game).page.compose, view, model.words, text)
        if composed is None:
            raise context.not_found()
        return JSONResponse(composed)

    async def resign(self, context: Context) -> Response:
        await context.form()
        table = await context.table()
        try:
            await self.writer.leave(table, context.own_seat(table))
        except IllegalAction as error:
            raise _refused(error, context.words(table.state)) from error
        return RedirectResponse(f"/t/{table.id}", 303)

    async def switch_guide(self, context: Context) -> Response:
        """Have each question explained, or not any more: whoever has set up the table decides that for themselves."""
        form = await context.form()
        table = await context.table()
        if context.person != table.info.host:
            raise Forbidden(mark("only the host of a table may do that"))
        await self.writer.change(table, [set_settings(table.id, replace(table.info.settings, guide=is_on(form, "on")))])
        return context.done(table)

    async def rematch(self, context: Context) -> Response:
        """Offer a rematch, or accept one."""
        commitment = parse_commitment(await context.form())
        table = await context.table()
        if context.person != table.info.host and not table.info.is_player(context.person):
            raise Forbidden(mark("you have no seat at this table"))
        if table.info.state != "over":
            raise NotNow(mark("the match is not over yet"))
        await context.check_new_table(bots_alone=not table.info.has_people)
        return context.redirect(f"/t/{await self.seating.rematch(table, context.person, commitment)}")

    async def decline_rematch(self, context: Context) -> Response:
        await context.form()
        table = await context.table()
        old = (table.info.origin or {}).get("table", table.id)
        await self.seating.decline_rematch(table, context.person)
        return RedirectResponse(f"/t/{old}", 303)

    async def qr(self, context: Context) -> Response:
        """A link as a picture: to the table, with ?me to one's own seat, with ?seat=N to a free one."""
        table = await context.table()
        model = await table_model(table.state, context.reader, context.audience(table.state))
        link, query = model.links.table, context.query
        if "me" in query:
            link = model.links.own_seat
        elif query.get("seat", "").isdecimal():
            link = "".join(one.link for one in model.seats if one.seat == int(query["seat"][:3]))
        if not link:
            raise context.not_found()
        return Response(await in_thread(_draw_code, link), media_type="image/svg+xml")


def _draw_code(link: str) -> str:
    """A link as a picture for cameras."""
    drawn = segno.make(link, micro=False).svg_inline(scale=6, border=2, dark="#160b12", light="#ffffff", omitsize=True)
    return drawn.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)


def _refused(error: IllegalAction, words: Words) -> ActionRefused:
    """The error for an action that the rules do not allow."""
    assert error.refusal is not None
    return ActionRefused(error.refusal, words)
