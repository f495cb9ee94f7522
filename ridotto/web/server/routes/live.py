"""Live connections: everything that changes at a table, as it changes (Server-Sent Events).

A browser has six connections to a host for all its tabs, and a live one takes one of them for as long as the page is open. So a
hidden tab gives its own back and asks for the status now and then; only when something has changed does it look again.
"""

from __future__ import annotations

import asyncio
import json
import random
import zlib
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from dataclasses import replace
from functools import partial
from typing import Final

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response, StreamingResponse

from ridotto.core.narrator import mark
from ridotto.web.errors import TooMany
from ridotto.web.live.background import BackgroundTasks
from ridotto.web.live.metrics import Metrics
from ridotto.web.live.presence import Presence
from ridotto.web.live.state import TableState
from ridotto.web.live.table import Table
from ridotto.web.live.view_models import chat_model, table_model
from ridotto.web.pages import around as around_pages
from ridotto.web.pages import site as pages
from ridotto.web.server.requests import Context, Endpoint
from ridotto.web.settings import Settings
from ridotto.web.storage import Storage
from ridotto.web.storage.database import DatabaseUnavailable

LARGE: Final = 4096
"""Bytes worth a thread to compress them."""


class LiveRoutes:
    def __init__(
        self,
        settings: Settings,
        storage: Storage,
        presence: Presence,
        background: BackgroundTasks,
        metrics: Metrics,
        connections: Counter[str],
    ) -> None:
        self.settings, self.storage, self.presence = settings, storage, presence
        self.background, self.metrics = background, metrics
        self.connections = connections
        """Live connections by person."""

    def endpoints(self) -> list[Endpoint]:
        return [Endpoint("/t/{id}/live", self.connect), Endpoint("/t/{id}/glance", self.status)]

    async def status(self, context: Context) -> Response:
        """For a hidden tab: a number that differs when the table does."""
        table = await context.table()
        if table.info.is_player(context.person):
            self.presence.keep_for_a_while(table, context.person)
        return JSONResponse({"version": table.info.version})

    async def connect(self, context: Context) -> Response:
        request, person = context.request, context.person
        if request.method == "HEAD":
            raise HTTPException(405, headers={"allow": "GET"})
        context.check_origin()
        table = await context.table()
        if self.connections[person] >= self.settings.max_streams_each or self.connections.total() >= self.settings.max_streams:
            self.metrics.refused.labels("live").inc()
            raise TooMany(mark("too many pages are open"), wait=5)
        since = request.headers.get("last-event-id", context.query.get("ply", ""))
        ply = int(since) if since.isdecimal() and len(since) < 7 else table.state.ply
        stream = self._stream(table, context, ply)
        headers = {"cache-control": "no-store", "x-accel-buffering": "no", "vary": "Accept-Encoding"}
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers["content-encoding"] = "gzip"
            stream = compress(stream)
        return context.with_cookie(StreamingResponse(stream, 200, headers, "text/event-stream"))

    async def _stream(self, table: Table, context: Context, ply: int) -> AsyncGenerator[bytes, None]:
        """Everything that changes, for a page that shows the table at a ply."""
        person = context.person
        self.connections[person] += 1
        subscriber = self.presence.connect(table, person)
        last: TableState | None = None
        try:
            yield b"retry: 1000\n\n"
            with suppress(DatabaseUnavailable):
                while not self.background.stopping.is_set():
                    state = await subscriber.next(self.settings.heartbeat)
                    if state is None:
                        yield b": here\n\n"
                        continue
                    if not state.info.may_see(person):
                        return
                    if last is None or state.serial != last.serial:
                        data = await self._table_message(state, context, ply)
                        ply, now = max(ply, state.ply), self.storage.milliseconds
                        yield f'id: {state.ply}\nevent: table\ndata: {{"now": {now}, {data[1:]}\n\n'.encode()
                    if last is None or state is last or state.extras.chat != last.extras.chat:
                        data = await self._chat_message(state, context)
                        yield f"event: talk\ndata: {data}\n\n".encode()
                    last = state
            # Not all at the same time, when there is a server, or a database, again.
            yield f"retry: {random.randint(500, 3000)}\nevent: back\ndata: {{}}\n\n".encode()
        finally:
            self.presence.disconnect(table, subscriber)
            self.connections[person] -= 1
            self.connections += Counter()  # forget those at zero

    async def _table_message(self, state: TableState, context: Context, ply: int) -> str:
        """The parts of the page that change, whole, as this reader sees them."""
        model = await table_model(state, context.reader, context.person, context.links)

        def draw() -> str:
            later = replace(model, since=ply)
            now = replace(model, now=self.storage.milliseconds)
            data = {
                "ply": state.ply,
                "parts": pages.fragments(now),
                "heading": pages.heading(model),
                "announcement": pages.announcement(later) if ply < state.ply else "",
                "turn": any(one.you and one.owing and not one.stand_in for one in model.seats),
            }
            return json.dumps(data, ensure_ascii=False)

        return await asyncio.to_thread(draw)  # not kept: hardly anybody else is sent the same

    async def _chat_message(self, state: TableState, context: Context) -> str:
        """The chat, as this reader sees it."""
        muted = await self.storage.chat.muted(context.person)
        chat = chat_model(state, context.person, muted, context.reader.language)
        html = around_pages.chat_lines(state.info.id, chat, context.person == state.info.host, context.narrator)
        return json.dumps({"html": html, "last": chat[-1].number if chat else 0}, ensure_ascii=False)


async def compress(stream: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    """A stream compressed piece by piece, each sent at once: a message has much in common with the one before."""
    packer = zlib.compressobj(3, zlib.DEFLATED, 31, 5)  # 144 KiB a connection instead of 256
    async with aclosing(stream):
        async for piece in stream:
            pack = partial(packer.compress, piece)
            packed = await asyncio.to_thread(pack) if len(piece) > LARGE else pack()
            yield packed + packer.flush(zlib.Z_SYNC_FLUSH)
    yield packer.flush()
