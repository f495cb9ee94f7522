"""The page of a table, and what somebody does there: act, look ahead, resign, ask for a rematch."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from functools import partial

import segno
from starlette.responses import JSONResponse, RedirectResponse, Response

from ridotto.core.errors import IllegalAction
from ridotto.core.narrator import mark
from ridotto.core.protocols import Words
from ridotto.web.errors import ActionRefused, NotNow, RequestError
from ridotto.web.live.metrics import Metrics
from ridotto.web.live.previews import preview
from ridotto.web.live.tables import TableService
from ridotto.web.live.view_models import chat_model, table_model
from ridotto.web.pages import site as pages
from ridotto.web.server.requests import LONGEST_ACTION, Context, Endpoint
from ridotto.web.settings import Settings
from ridotto.web.storage import Storage


class TableRoutes:
    def __init__(self, settings: Settings, storage: Storage, tables: TableService, metrics: Metrics) -> None:
        self.settings, self.storage, self.tables, self.metrics = settings, storage, tables, metrics

    def endpoints(self) -> list[Endpoint]:
        return [
            Endpoint("/t/{id}", self.show),
            Endpoint("/t/{id}/act", self.act, "POST"),
            Endpoint("/t/{id}/preview", self.preview),
            Endpoint("/t/{id}/compose", self.compose, "POST"),
            Endpoint("/t/{id}/resign", self.resign, "POST"),
            Endpoint("/t/{id}/rematch", self.rematch, "POST"),
            Endpoint("/t/{id}/qr.svg", self.qr),
        ]

    async def show(self, context: Context) -> Response:
        table = await context.table()
        state, person = table.state, context.person
        began = time.perf_counter()
        model = await table_model(state, context.reader, person, context.links)
        chat = chat_model(state, person, await self.storage.chat.muted(person), context.reader.language)
        webhook = await self.storage.webhooks.url(table.id, person) if self.settings.webhooks else None
        model = replace(model, chat=chat, webhook=webhook, now=self.storage.milliseconds)
        response = await context.page(partial(pages.table, model))
        self.metrics.drawing.labels(table.info.game).observe(time.perf_counter() - began)
        return response

    async def act(self, context: Context) -> Response:
        data = await context.form()
        table = await context.table()
        seat = context.own_seat(table)
        do, ply = data.get("do"), data.get("ply")
        if not isinstance(do, str) or len(do) > LONGEST_ACTION or type(ply) is not int:
            raise RequestError("an action needs do, a text, and ply, a number")
        try:
            await self.tables.act(table, seat, do, ply)
        except IllegalAction as error:
            raise _refused(error, context.words(table.state)) from error
        return Response(status_code=204)

    async def preview(self, context: Context) -> Response:
        """What an action would do, as lines of the log and as drawings."""
        context.check_rate()
        table = await context.table()
        state, seat, words = table.state, context.own_seat(table), context.words(table.state)
        do = context.query.get("do", "")[:LONGEST_ACTION]
        if words.series_of(do):
            return JSONResponse({"lines": []})
        do = state.game.rules.ACTIONS.notation(state.game.action(do))
        key = ("preview", seat, words.narrator.language, do)
        lines = await state.once(key, partial(preview, state.match, seat, do, words))
        model = await table_model(state, context.reader, context.person, context.links)
        panels = await state.once(("panels", *key), partial(pages.preview, model, do))
        return JSONResponse({"lines": lines, "panels": panels})

    async def compose(self, context: Context) -> Response:
        """What a series of actions would bring that somebody is composing."""
        data = await context.form()
        table = await context.table()
        seat = context.own_seat(table)
        text = str(data.get("text", context.query.get("text", "")))[:LONGEST_ACTION]
        view = await asyncio.to_thread(table.state.match.view, seat)
        composed = await asyncio.to_thread(view.game.page.compose, view, context.words(table.state), text)
        if composed is None:
            raise context.not_found()
        return JSONResponse(composed)

    async def resign(self, context: Context) -> Response:
        await context.form()
        table = await context.table()
        try:
            await self.tables.resign(table, context.own_seat(table))
        except IllegalAction as error:
            raise _refused(error, context.words(table.state)) from error
        return RedirectResponse(f"/t/{table.id}", 303)

    async def rematch(self, context: Context) -> Response:
        await context.form()
        table = await context.table()
        if context.person != table.info.host:
            context.own_seat(table)
        if table.info.state != "over":
            raise NotNow(mark("the match is not over yet"))
        context.check_new_table()
        return RedirectResponse(f"/t/{await self.tables.rematch(table)}", 303)

    async def qr(self, context: Context) -> Response:
        """A link as a picture: to the table, with ?me to one's own seat, with ?seat=N to a free one."""
        table = await context.table()
        model = await table_model(table.state, context.reader, context.person, context.links)
        link, query = model.table_link, context.query
        if "me" in query:
            link = model.seat_link
        elif query.get("seat", "").isdecimal():
            link = "".join(one.link for one in model.seats if one.seat == int(query["seat"][:3]))
        if not link:
            raise context.not_found()
        drawn = segno.make(link, micro=False).svg_inline(scale=6, border=2, dark="#160b12", light="#ffffff", omitsize=True)
        drawn = drawn.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
        return Response(drawn, media_type="image/svg+xml")


def _refused(error: IllegalAction, words: Words) -> ActionRefused:
    """What is said to somebody whose action the rules do not allow."""
    assert error.refusal is not None
    return ActionRefused(error.refusal, words)
