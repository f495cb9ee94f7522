"""Live connections: everything that changes at a table, as it changes (Server-Sent Events).

A browser has six connections to a host for all its tabs, and a live one takes one of them for as long as the page is open. So a
hidden tab gives its own back and asks for the status now and then; only when something has changed does it look again.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from dataclasses import replace
from typing import Final

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from ridotto.present.narrator import mark
from ridotto.web.errors import TooMany
from ridotto.web.live.background import BackgroundTasks
from ridotto.web.live.messages import HEAD, message, message_of_people, pack, snapshot
from ridotto.web.live.metrics import Metrics
from ridotto.web.live.places import LivePlaces
from ridotto.web.live.presence import Presence
from ridotto.web.live.state import TableState
from ridotto.web.live.table import Table
from ridotto.web.live.view_models import audience_of, chat_model
from ridotto.web.pages import around as around_pages
from ridotto.web.server.requests import Context, Endpoint
from ridotto.web.settings import Settings
from ridotto.web.storage import Storage
from ridotto.web.storage.faults import DatabaseUnavailable

SIGN: Final = b": here\n\n"
"""A sign of life."""
PACKED_SIGN: Final = pack(SIGN)


class LiveResponse(StreamingResponse):
    """A stream that ends when the browser has gone.

    Starlette's own waits in a task group, whose exception refers to itself with all that the stream had: a closed stream would
    stay in memory until the garbage collector comes by.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        sending = asyncio.current_task()
        assert sending is not None and isinstance(self.body_iterator, AsyncGenerator)
        leaving = asyncio.create_task(_wait_for_end(receive, sending.cancel))
        try:
            await self.stream_response(send)
        except asyncio.CancelledError:
            if not leaving.done():
                raise
            sending.uncancel()
        finally:
            leaving.cancel()
            await self.body_iterator.aclose()


async def _wait_for_end(receive: Receive, end: Callable[[], object]) -> None:
    """Call `end` when the browser has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
    end()


class LiveRoutes:
    def __init__(
        self,
        settings: Settings,
        storage: Storage,
        presence: Presence,
        background: BackgroundTasks,
        metrics: Metrics,
        places: LivePlaces,
    ) -> None:
        self.settings, self.storage, self.presence = settings, storage, presence
        self.background, self.metrics = background, metrics
        self.places = places
        self._coming = asyncio.Lock()
        """Held for a moment by each page that comes."""

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
        if not self.places.has_room(person, context.address):
            self.metrics.refused.labels("live").inc()
            raise TooMany(mark("too many pages are open"), wait=5)
        ply, shown = _number(context.query.get("ply", "")), _number(context.query.get("state", ""))
        since = table.state.ply if ply is None else min(ply, table.state.ply)
        is_packed = "gzip" in request.headers.get("accept-encoding", "")
        stream = self._stream(table, context, since, shown, is_packed)
        headers = {"cache-control": "no-store", "x-accel-buffering": "no", "vary": "Accept-Encoding"}
        if is_packed:
            headers["content-encoding"] = "gzip"
        return context.with_cookie(LiveResponse(stream, 200, headers, "text/event-stream"))

    async def _stream(
        self, table: Table, context: Context, ply: int, shown: int | None, is_packed: bool
    ) -> AsyncGenerator[bytes, None]:
        """Everything that changes, for a page that shows the state `shown`, at a ply; compressed if `is_packed`."""
        if not self.places.has_room(context.person, context.address):  # many asked at the same time
            return
        with self.places.taken(context.person, context.address):
            async for sent in self._events(table, context, ply, shown, is_packed):
                yield sent

    async def _events(
        self, table: Table, context: Context, ply: int, shown: int | None, is_packed: bool
    ) -> AsyncGenerator[bytes, None]:
        person, language, links = context.person, context.reader.language, context.links
        state: TableState | None = table.state
        assert state is not None
        audience = audience_of(state, person, language, links)
        last = await snapshot(state, audience, self.storage.milliseconds) if shown == state.serial else None
        back = state if last is None and shown is not None and state.shows_same(shown) else None
        """The state that a page shows which was open before a restart, but for who is there, as long as that holds."""
        subscriber = self.presence.connect(table, person, context.visitor.person.generation)
        before: TableState | None = None
        serial = shown
        encode = pack if is_packed else bytes
        try:
            yield (HEAD if is_packed else b"") + encode(b"retry: 1000\n\n")
            with suppress(DatabaseUnavailable):
                while not self.background.stopping.is_set() and not subscriber.is_over:
                    state = await subscriber.next(self.settings.heartbeat)
                    if state is None:
                        yield PACKED_SIGN if is_packed else SIGN
                        continue
                    if not state.info.may_see(person):
                        return
                    if last is None:
                        await self._pace()
                        state = subscriber.newest(state)
                    if state.serial != serial or (last is None and back is None):
                        now, now_for = self.storage.milliseconds, audience_of(state, person, language, links)
                        if now_for != audience:
                            last = back = None
                        if back is not None and serial is not None:
                            if state.shows_same(serial) and now_for.handover is None:
                                sent = await message_of_people(state, now_for, serial, now)
                            else:
                                last, back = replace(await snapshot(back, audience, now), number=serial), None
                        if back is None:
                            last, sent = await message(state, now_for, last, now, ply)
                        audience, serial, ply = now_for, state.serial, max(ply, state.ply)
                        back = state if back is not None else None
                        yield sent.packed if is_packed else sent.plain
                    elif before is None:
                        yield PACKED_SIGN if is_packed else SIGN  # it shows the table as it is
                    # A page that has just been opened may have missed a line; where nobody has said anything there is none.
                    if state.extras.chat if before is None else state is before or state.extras.chat != before.extras.chat:
                        data = await self._chat_message(state, context)
                        yield encode(f"event: talk\ndata: {data}\n\n".encode())
                    before = state
            # Not all at the same time, when there is a server, or a database, again.
            yield encode(f"retry: {random.randint(500, 3000)}\nevent: back\ndata: {{}}\n\n".encode())
        finally:
            self.presence.disconnect(table, subscriber)

    async def _pace(self) -> None:
        """Let pages that come draw what they miss one after another: when all come at once, others get through between them."""
        async with self._coming:
            await asyncio.sleep(0)

    async def _chat_message(self, state: TableState, context: Context) -> str:
        """The chat, as this reader sees it."""
        muted = await self.storage.chat.muted(context.person)
        chat = chat_model(state, context.person, muted, context.reader.language)
        html = around_pages.chat_lines(state.info.id, chat, context.person == state.info.host, context.narrator)
        return json.dumps({"html": html, "last": chat[-1].number if chat else 0}, ensure_ascii=False)


def _number(text: str) -> int | None:
    """A number in an address; None if it is none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 20 else None
