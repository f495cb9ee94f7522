"""The web table: routes, and what every request goes through.

A request passes the `Door` (known host, not too often, not too large; headers, log and figures on the way out) and reaches a
function here, which finds out who asks, what they may see, and has the page drawn from their scene.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import logging
import random
import socket
import time
import urllib.parse
import zlib
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

import segno
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ridotto import __version__
from ridotto.core import record
from ridotto.core.errors import BadNotation, IllegalAction
from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.core.narrator import LANGUAGES, language, say, seated
from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import Seat
from ridotto.web import identity as people
from ridotto.web.errors import Fault, refused
from ridotto.web.identity import Person, Ring, given_name, new_id, same
from ridotto.web.live import tables
from ridotto.web.live.bot_runner import LEVELS, Thinkers
from ridotto.web.live.metrics import Board, Figures
from ridotto.web.live.review_queue import Judges
from ridotto.web.live.tables import LISTED, House, Links, Moment, NoTable, Stale, Table, Taken
from ridotto.web.pages import aids, assets, models
from ridotto.web.pages import around as around_pages
from ridotto.web.pages import site as pages
from ridotto.web.pages.models import Reader
from ridotto.web.pages.rulebook import rulebook
from ridotto.web.pages.table import called
from ridotto.web.server import account as belongings
from ridotto.web.server import company, learning, lookback
from ridotto.web.server.company import Company
from ridotto.web.server.glance import Glances
from ridotto.web.server.limits import Limit
from ridotto.web.settings import Settings
from ridotto.web.storage import around
from ridotto.web.storage.store import Away, Facts, Place, Store

POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS: Final = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
LONGEST_HEAD: Final = 32 * 1024
LONGEST_ACTION: Final = 1000
LARGE: Final = 4096
"""Bytes worth a thread to compress them."""
FONTS: Final = ("font_source_sans_pro", "font_source_serif_pro")
BOTS: Final = frozenset(f"level:{level}" for level in LEVELS)

Answer = Callable[[Request], Awaitable[Response]]
log = logging.getLogger("ridotto.web")


# The door.


class Door:
    """What every request goes through."""

    def __init__(self, app: ASGIApp, office: Office) -> None:
        self.app, self.office = app, office
        self.busy = 0
        """Requests that are being worked on."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, sent = time.perf_counter(), {"status": 500, "bytes": 0}
        headers = Headers(scope=scope)
        scope["ridotto.address"] = address = scope["client"][0] if scope.get("client") else ""

        async def leave(message: Message) -> None:
            if message["type"] == "http.response.start":
                sent["status"] = message["status"]
                out = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    out.setdefault(name, value)
                out.setdefault("cache-control", "no-store")
            elif message["type"] == "http.response.body":
                sent["bytes"] += len(message.get("body", b""))
            await send(message)

        try:
            if sum(len(name) + len(value) for name, value in headers.raw) + len(scope.get("raw_path") or b"") > LONGEST_HEAD:
                await plain(431, f"more than {LONGEST_HEAD} bytes before the body")(scope, receive, leave)
            elif not self.office.is_our_host(headers.get("host", "")):
                await plain(421, "this server does not go by that name: start it with --address and the one it has")(
                    scope, receive, leave
                )
            elif wait := self.office.by_address.take(address):
                self.office.figures.refused.labels("address").inc()
                await plain(429, "too many requests", wait)(scope, receive, leave)
            elif scope["path"].endswith("/live"):  # these stay, and have a limit of their own
                await self.app(scope, receive, leave)
            elif self.busy >= self.office.settings.busy:
                self.office.figures.refused.labels("busy").inc()
                await plain(503, "the server has too much to do: try again in a moment", 1)(scope, receive, leave)
            else:
                self.busy += 1
                try:
                    await self.app(scope, receive, leave)
                finally:
                    self.busy -= 1
        finally:
            self._note(scope, sent, time.perf_counter() - began)

    def _note(self, scope: Scope, sent: Mapping[str, int], seconds: float) -> None:
        pattern = scope.get("ridotto.route", "-")
        figures, method = self.office.figures, scope["method"] if scope["method"] in ("GET", "HEAD", "POST") else "other"
        figures.requests.labels(pattern, method, str(sent["status"])).inc()
        if pattern != "/t/{id}/live":
            figures.seconds.labels(pattern).observe(seconds)
        facts = {"method": method, "route": pattern, **sent, "ms": round(1000 * seconds, 1)}
        log.info("request", extra={"facts": facts | {"address": scope["ridotto.address"]}})


def plain(status: int, message: str, wait: float = 0) -> Response:
    """An answer for those who get no page."""
    headers = {"retry-after": str(max(1, round(wait + 0.5)))} if wait else {}
    return Response(message + "\n", status, headers, "text/plain")


# Who asks.


@dataclass(frozen=True)
class Visitor:
    """Whoever sent a request."""

    person: Person
    reader: Reader
    is_new: bool

    @property
    def id(self) -> str:
        return self.person.id


class Office:
    """The server's own things, and the functions behind the routes."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.figures, self.board = Figures(), Board(settings.data, settings.number)
        self.by_address, self.by_person = Limit(settings.by_address), Limit(settings.by_person)
        self.founding, self.guessing = Limit(settings.founding), Limit(settings.guessing)
        self.live: Counter[str] = Counter()
        self.failed: RidottoError | None = None
        """Why the server could not start."""
        self.ring: Ring
        self.store: Store
        self.house: House
        self.judges: Judges
        address = urllib.parse.urlsplit(settings.address)
        self.names = {"localhost", socket.gethostname().lower(), f"{socket.gethostname().lower()}.local"}
        self.names |= {address.hostname} if address.hostname else set()
        self.network = local_addresses()

    @asynccontextmanager
    async def lifespan(self, _: Starlette) -> AsyncIterator[None]:
        """What lives as long as the server."""
        self.settings.data.mkdir(parents=True, exist_ok=True)
        try:
            self.ring = people.ring(self.settings.data)
            self.store = Store(self.settings.url, self.settings.clock)
            await self.store.open()
        except RidottoError as error:
            self.failed = error
            raise
        thinkers = Thinkers(self.settings.workers, self.settings.patience, self.settings.warm)
        self.house = House(self.settings, self.store, self.ring, thinkers, self.figures)
        self.judges = Judges(self.house)
        try:
            await self.house.open()
            self.house.later(self.judges.watch())
            log.info("ready", extra={"facts": {"version": __version__}})
            hanging = asyncio.create_task(self.hang_up()) if self.settings.number else None
            yield
            if hanging is not None:
                hanging.cancel()
        finally:
            await self.house.close()
            await self.store.close()
            log.info("stopped")

    # Where a request comes from.

    def is_our_host(self, host: str) -> bool:
        """Whether we go by that name: any number, this machine's own names, and the one we were told. No site can borrow it."""
        try:
            name = urllib.parse.urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return name in self.names or name.endswith(".localhost")
        return True

    def origin(self, request: Request) -> str:
        """Our own address, as the sender's browser knows it."""
        if self.settings.address and request.url.hostname == urllib.parse.urlsplit(self.settings.address).hostname:
            return self.settings.address.rstrip("/")
        return f"{request.url.scheme}://{request.headers.get('host', '')}"

    def check_origin(self, request: Request) -> None:
        """Refuse what another site has sent. Browsers say where a form or script comes from, and cannot be made to lie."""
        given = request.headers.get("origin")
        where = request.headers.get("sec-fetch-site", "same-origin")
        must_tell = request.method == "POST"
        if (given is None and must_tell) or given not in (None, self.origin(request)) or where not in ("same-origin", "none"):
            raise Fault(403, say("this came from another site"))

    def links(self, request: Request) -> Links:
        """Links for this reader. Where they came in by a door that nobody else can use, by one that others can."""
        base = self.origin(request)
        name = request.url.hostname or ""
        wide = "world" if self.settings.address else reach_of(name)
        if wide == "machine" and self.settings.host not in ("127.0.0.1", "localhost", "::1") and self.network:
            base, wide = f"{request.url.scheme}://{self.network[0]}:{request.url.port or 80}", "network"
        return Links(self.ring, base, wide)

    async def visitor(self, request: Request) -> Visitor:
        """Who asks: by a cookie that we signed, or somebody new."""
        found: Visitor | None = getattr(request.state, "visitor", None)
        if found is None:
            signed = self.ring.person(request.cookies.get(people.COOKIE))
            person = (await self.store.person(signed) if signed else None) or Person(signed or new_id())
            spoken = person.language or people.preferred(request.headers.get("accept-language", ""))
            reader = Reader(person.name, spoken, person.theme, person.motion, self.ring.nonce(person.id))
            found = request.state.visitor = Visitor(person, reader, signed is None)
        return found

    def spoken(self, answer: Answer) -> Answer:
        """An answer in the language of whoever asks, faults included."""

        async def answer_in_language(request: Request) -> Response:
            visitor = await self.visitor(request)
            with language(visitor.reader.language):
                return await answer(request)

        return answer_in_language

    def with_cookie(self, request: Request, visitor: Visitor, response: Response) -> Response:
        """Let a new person's browser keep who they are."""
        if visitor.is_new:
            secure = self.origin(request).startswith("https:")
            response.set_cookie(
                people.COOKIE,
                self.ring.cookie(visitor.id),
                max_age=people.COOKIE_SECONDS,
                httponly=True,
                samesite="lax",
                secure=secure,
            )
        return response

    async def page(self, request: Request, visitor: Visitor, draw: Callable[[], str], status: int = 200) -> Response:
        html = await asyncio.to_thread(draw)
        return self.with_cookie(request, visitor, Response(html, status, media_type="text/html"))

    async def sent(self, request: Request, most: int | None = None) -> tuple[Visitor, dict[str, Any]]:
        """Who sends what: checked to come from our own page, by the person it was made for, not too often, not too large."""
        self.check_origin(request)
        visitor = await self.visitor(request)
        if wait := self.by_person.take(visitor.id):
            self.figures.refused.labels("person").inc()
            raise Fault(429, say("too many requests: wait a moment"), wait=wait)
        body = await self.body(request, most or self.settings.largest)
        if request.headers.get("content-type", "").partition(";")[0].strip() == "application/json":
            try:
                data = record.plain(body or b"{}")
            except record.BadJson as error:
                raise Fault(400, str(error)) from error
            if not isinstance(data, dict) or any(isinstance(value, dict | list) for value in data.values()):
                raise Fault(400, "not a JSON object of texts and numbers")
        else:
            try:
                data = dict(urllib.parse.parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=100))
            except (UnicodeDecodeError, ValueError) as error:
                raise Fault(400, "not a form") from error
        if visitor.is_new or not self.ring.is_nonce(visitor.id, data.get("nonce")):
            raise Fault(403, say("this page is too old, or was not made for you: load it again"))
        return visitor, data

    async def body(self, request: Request, most: int) -> bytes:
        """The body of a request, if it is not too large and does not take too long."""
        length = request.headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > most:
            raise Fault(413, f"more than {most} bytes")
        read = bytearray()
        try:
            async with asyncio.timeout(self.settings.slowest):
                async for part in request.stream():
                    read += part
                    if len(read) > most:
                        raise Fault(413, f"more than {most} bytes")
        except TimeoutError as error:
            raise Fault(408, "too slow") from error
        return bytes(read)

    # Finding a table.

    async def table(self, request: Request, visitor: Visitor) -> Table:
        """The table that is asked for, if the visitor may know of it: a private one is not there for strangers."""
        table = await self.any_table(request)
        if table.facts.private and visitor.id not in table.facts.keys:
            raise self.nothing(request)
        return table

    async def any_table(self, request: Request) -> Table:
        """The table that is asked for, whoever asks: there will be a token to check."""
        try:
            return await self.house.table(request.path_params["id"])
        except NoTable as error:
            raise self.nothing(request) from error

    def nothing(self, request: Request) -> Fault:
        """There is nothing here; whoever keeps guessing waits."""
        address = request.scope["ridotto.address"]
        if wait := self.guessing.take(address):
            self.figures.refused.labels("guessing").inc()
            return Fault(429, say("too many requests: wait a moment"), wait=wait)
        return Fault(404, say("there is nothing here"))

    def own_seat(self, table: Table, visitor: Visitor) -> Seat:
        seat = table.moment.seat_of(visitor.id)
        if seat is None:
            raise Fault(403, say("you have no seat at this table"))
        return seat

    async def known(self, visitor: Visitor, **changes: Any) -> Person:
        """The visitor written down, with what they have said of themselves."""
        person = replace(visitor.person, **changes)
        if not person.known or person != visitor.person:
            await self.store.keep(person)
            if person.name != visitor.person.name:
                await self.house.renamed(person.id)
        return replace(person, known=True)

    # The lobby.

    async def lobby(self, request: Request) -> Response:
        visitor = await self.visitor(request)
        return await self.lobby_page(request, visitor)

    async def lobby_page(self, request: Request, visitor: Visitor, fault: str = "", status: int = 200) -> Response:
        lists = await self.store.lobby(visitor.id, LISTED)
        yours, free, over = (tuple(self.line(facts, visitor) for facts in part) for part in lists)
        games = tuple(pages.game_card(game, visitor.reader.language) for game in self.house.games.values())
        shown = models.LobbyPage(visitor.reader, games, yours, free, over, fault)
        return await self.page(request, visitor, partial(pages.lobby, shown), status)

    def line(self, facts: Facts, visitor: Visitor) -> models.TableLine:
        """A table as a line of a list."""
        game = self.house.games[facts.game]
        seats = tuple(
            models.SeatView(
                place.seat,
                game.role(place.seat, game.words_now()),
                place.kind,
                place.name,
                you=place.person == visitor.id or (facts.host == visitor.id and place.seat in tables.shared(facts)),
                owing=bool(facts.owing >> place.seat & 1),
                open=place.kind == "free" and place.open,
            )
            for place in facts.places
        )
        result = ""
        if facts.result is not None:
            winners = [called(seats[seat]) for seat in facts.result["winners"]]
            result = say("Won by: {who}.", who=", ".join(winners)) if winners else say("Nobody wins.")
        return models.TableLine(
            id=facts.id,
            title=game.title,
            seats=seats,
            state=facts.state,
            yours=any(place.you for place in seats),
            your_turn=any(place.you and place.owing for place in seats),
            private=facts.private,
            age=max(0, self.store.now - facts.changed),
            result=result,
        )

    async def found(self, request: Request) -> Response:
        """A new table, by the form of the lobby."""
        visitor, form = await self.sent(request)
        if wait := self.founding.take(request.scope["ridotto.address"]):
            self.figures.refused.labels("founding").inc()
            raise Fault(429, say("too many new tables: wait a moment"), wait=wait)
        try:
            game, sitters, options = self.setting(form)
            agreed = company.settings(form)
            match = await asyncio.to_thread(Match, game, len(sitters), options)
        except RidottoError as error:
            return await self.lobby_page(request, visitor, str(error), 400)
        spoken = str(form.get("language", ""))
        changes = {"language": spoken} if spoken in LANGUAGES else {}
        if name := given_name(str(form.get("name", ""))):
            changes["name"] = name
        person = await self.known(visitor, **changes)
        beside = company.beside(sitters)
        if beside:
            agreed["shared"] = beside
        guests = await company.guests_of(self.store, str(form.get("names", "")), beside[1:], person.language)
        places = [lookback.placed(seat, who, guests.get(seat, person.id)) for seat, who in enumerate(sitters)]
        private = str(form.get("private", "")) not in ("", "0")
        table = await self.house.found(
            match,
            places,
            host=person.id,
            private=private,
            spoken=person.language or visitor.reader.language,
            settings=aids.settings(form) | agreed,
        )
        return self.with_cookie(request, visitor, RedirectResponse(f"/t/{table.id}", 303))

    def setting(self, form: Mapping[str, Any]) -> tuple[Game, list[str], dict[str, int]]:
        """The game, who sits where, and the options of a form; raises RidottoError."""
        game = self.house.games.get(str(form.get("game")))
        if game is None:
            raise RidottoError(say("there is no such game here"))
        given = [str(form.get(f"seat{seat}", "")) for seat in range(10)]
        sitters = [who for who in given if who not in ("", "none")]
        game.seat_count(len(sitters))
        for who in sitters:
            if who not in ("me", "here", "friend", "open") and who.removeprefix("bot:") not in BOTS:
                raise RidottoError(say("nobody is called {name}", name=repr(who[:40])))
        options = {}
        for name, value in form.items():
            if name.startswith("option."):
                text = str(value).strip()
                if not text.removeprefix("-").isdecimal() or len(text) > 6:
                    raise RidottoError(say("an option takes a number, not {value}", value=repr(text[:20])))
                options[name.removeprefix("option.")] = int(text)
        return game, sitters, game.settle(options)

    # The table.

    async def show(self, request: Request) -> Response:
        visitor = await self.visitor(request)
        table = await self.table(request, visitor)
        moment = table.moment
        began = time.perf_counter()
        shown = await moment.shown_to(visitor.reader, visitor.id, self.links(request))
        heard = moment.talk_for(visitor.id, await around.muted(self.store, visitor.id), visitor.reader.language)
        hook = await around.hook(self.store, table.id, visitor.id) if self.settings.webhooks else None
        shown = replace(shown, chat=heard, webhook=hook, now=self.store.milliseconds)
        response = await self.page(request, visitor, partial(pages.table, shown))
        self.figures.drawing.labels(table.facts.game).observe(time.perf_counter() - began)
        return response

    async def live_stream(self, request: Request) -> Response:
        """Everything that changes, as it changes: Server-Sent Events."""
        if request.method == "HEAD":
            raise HTTPException(405, headers={"allow": "GET"})
        self.check_origin(request)
        visitor = await self.visitor(request)
        table = await self.table(request, visitor)
        if self.live[visitor.id] >= self.settings.live_each or self.live.total() >= self.settings.live:
            self.figures.refused.labels("live").inc()
            raise Fault(429, say("too many pages are open"), wait=5)
        since = request.headers.get("last-event-id", request.query_params.get("ply", ""))
        told = int(since) if since.isdecimal() and len(since) < 7 else table.moment.ply
        stream = self.tell(table, visitor, self.links(request), told)
        headers = {"cache-control": "no-store", "x-accel-buffering": "no", "vary": "Accept-Encoding"}
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers["content-encoding"] = "gzip"
            stream = squeezed(stream)
        return self.with_cookie(request, visitor, StreamingResponse(stream, 200, headers, "text/event-stream"))

    async def tell(self, table: Table, visitor: Visitor, links: Links, told: int) -> AsyncGenerator[bytes, None]:
        house = self.house
        self.live[visitor.id] += 1
        reader = house.look(table, visitor.id)
        last: Moment | None = None
        try:
            yield b"retry: 1000\n\n"
            with suppress(Away):
                while not house.stopping.is_set():
                    moment = await reader.next(self.settings.heartbeat)
                    if moment is None:
                        yield b": here\n\n"
                        continue
                    if moment.facts.private and visitor.id not in moment.facts.keys:
                        return
                    if last is None or moment.serial != last.serial:
                        data = await self.message(moment, visitor, links, told)
                        told, now = max(told, moment.ply), self.store.milliseconds
                        yield f'id: {moment.ply}\nevent: table\ndata: {{"now": {now}, {data[1:]}\n\n'.encode()
                    if last is None or moment is last or moment.around.lines != last.around.lines:
                        data = await self.talk(moment, visitor)
                        yield f"event: talk\ndata: {data}\n\n".encode()
                    last = moment
            # Not all at the same time, when there is a server, or a database, again.
            yield f"retry: {random.randint(500, 3000)}\nevent: back\ndata: {{}}\n\n".encode()
        finally:
            house.leave(table, reader)
            self.live[visitor.id] -= 1
            self.live += Counter()  # forget those at zero

    async def talk(self, moment: Moment, visitor: Visitor) -> str:
        """What was said, as this reader hears it."""
        spoken = visitor.reader.language
        heard = moment.talk_for(visitor.id, await around.muted(self.store, visitor.id), spoken)
        html = around_pages.chat_lines(moment.facts.id, heard, visitor.id == moment.facts.host, visitor.reader.narrator)
        return json.dumps({"html": html, "last": heard[-1].number if heard else 0}, ensure_ascii=False)

    async def message(self, moment: Moment, visitor: Visitor, links: Links, told: int) -> str:
        """A live message: the parts of the page that change, whole, as this reader sees them."""
        shown = await moment.shown_to(visitor.reader, visitor.id, links)

        def draw() -> str:
            later = replace(shown, since=told)
            now = replace(shown, now=self.store.milliseconds)
            data = {
                "ply": moment.ply,
                "parts": pages.fragments(now),
                "heading": pages.heading(shown),
                "announcement": pages.announcement(later) if told < moment.ply else "",
                "turn": any(place.you and place.owing and not place.stand_in for place in shown.seats),
            }
            return json.dumps(data, ensure_ascii=False)

        return await asyncio.to_thread(draw)  # not kept: hardly anybody else is sent the same

    async def act(self, request: Request) -> Response:
        visitor, data = await self.sent(request)
        table = await self.table(request, visitor)
        seat = self.own_seat(table, visitor)
        do, ply = data.get("do"), data.get("ply")
        if not isinstance(do, str) or len(do) > LONGEST_ACTION or type(ply) is not int:
            raise Fault(400, "an action needs do, a text, and ply, a number")
        try:
            await self.house.act(table, seat, do, ply)
        except IllegalAction as error:
            with seated(table.moment.names):
                raise refused(error, table.moment.game.words_now()) from error
        return Response(status_code=204)

    async def resign(self, request: Request) -> Response:
        visitor, _ = await self.sent(request)
        table = await self.table(request, visitor)
        try:
            await self.house.resign(table, self.own_seat(table, visitor))
        except IllegalAction as error:
            raise refused(error, table.moment.game.words_now()) from error
        return RedirectResponse(f"/t/{table.id}", 303)

    async def rematch(self, request: Request) -> Response:
        visitor, _ = await self.sent(request)
        table = await self.table(request, visitor)
        if visitor.id != table.facts.host:
            self.own_seat(table, visitor)
        if table.facts.state != "over":
            raise Fault(409, say("the match is not over yet"))
        if wait := self.founding.take(request.scope["ridotto.address"]):
            raise Fault(429, say("too many new tables: wait a moment"), wait=wait)
        again = await self.house.rematch(table)
        return RedirectResponse(f"/t/{again}", 303)

    async def ask(self, request: Request) -> tuple[Visitor, Moment, Seat, str]:
        """Somebody at the table asks about an action."""
        visitor = await self.visitor(request)
        if wait := self.by_person.take(visitor.id):
            raise Fault(429, say("too many requests: wait a moment"), wait=wait)
        table = await self.table(request, visitor)
        do = request.query_params.get("do", "")[:LONGEST_ACTION]
        return visitor, table.moment, self.own_seat(table, visitor), do

    async def preview(self, request: Request) -> Response:
        visitor, moment, seat, do = await self.ask(request)
        if moment.game.words_now().series_of(do):
            return JSONResponse({"lines": []})
        do = moment.game.rules.ACTIONS.notation(moment.game.action(do))
        key = ("preview", seat, visitor.reader.language, do)
        with seated(moment.names):
            lines = await moment.once(key, partial(tables.preview, moment.match, seat, do))
        shown = await moment.shown_to(visitor.reader, visitor.id, self.links(request))
        panels = await moment.once(("panels", *key), partial(pages.preview, shown, do))
        return JSONResponse({"lines": lines, "panels": panels})

    async def compose(self, request: Request) -> Response:
        """What a series of actions would bring that somebody is composing."""
        visitor, data = await self.sent(request)
        table = await self.table(request, visitor)
        seat = self.own_seat(table, visitor)
        text = str(data.get("text", request.query_params.get("text", "")))[:LONGEST_ACTION]
        view = await asyncio.to_thread(table.moment.match.view, seat)
        with seated(table.moment.names):
            found = await asyncio.to_thread(view.game.page.compose, view, view.game.words_now(), text)
        if found is None:
            raise self.nothing(request)
        return JSONResponse(found)

    async def record(self, request: Request) -> Response:
        """The record of a match, as the asker may have it: whole when it is over."""
        visitor = await self.visitor(request)
        table = await self.table(request, visitor)
        names = [place.name or place.role for place in self.line(table.facts, visitor).seats]
        document = await self.store.document(table.id)
        seat = table.moment.seat_of(visitor.id)
        text = await asyncio.to_thread(tables.redacted, document, seat, names)
        name = f"{table.facts.game}-{table.id}.json"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(text, 200, headers, "application/json")

    async def qr(self, request: Request) -> Response:
        """A link as a picture: to the table, with ?me to one's own seat, with ?seat=N to a free one."""
        visitor = await self.visitor(request)
        table = await self.table(request, visitor)
        links, asked = self.links(request), request.query_params
        shown = await table.moment.shown_to(visitor.reader, visitor.id, links)
        link = shown.table_link
        if "me" in asked:
            link = shown.seat_link
        elif asked.get("seat", "").isdecimal():
            link = "".join(place.link for place in shown.seats if place.seat == int(asked["seat"][:3]))
        if not link:
            raise self.nothing(request)
        drawn = segno.make(link, micro=False).svg_inline(scale=6, border=2, dark="#160b12", light="#ffffff", omitsize=True)
        drawn = drawn.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
        return Response(drawn, media_type="image/svg+xml")

    # Links.

    async def invitation(self, request: Request) -> Response:
        """A friend's invitation: shown, or, when sent back with a name, taken."""
        if request.method == "POST":
            visitor, form = await self.sent(request)
        else:
            visitor, form = await self.visitor(request), {}
        table = await self.any_table(request)
        place = self.invited(request, table)
        here = RedirectResponse(f"/t/{table.id}", 303)
        if table.facts.keys.get(visitor.id) == place.seat:
            return here
        if place.kind != "free":
            raise Fault(410, say("this seat is taken"))
        if request.method == "POST":
            name = given_name(str(form.get("name", "")))
            person = await self.known(visitor, **({"name": name} if name else {}))
            await self.house.sit(table, place.seat, person.id)
            return here
        shown = await table.moment.shown_to(visitor.reader, visitor.id, self.links(request))
        return await self.page(request, visitor, partial(pages.join, shown, shown.seats[place.seat]))

    def invited(self, request: Request, table: Table) -> Place:
        """The seat that the token in a link is for."""
        given, facts = request.path_params["token"], table.facts
        found = [p for p in facts.places if same(self.ring.token("sit", facts.id, p.seat, p.salt), given)]
        if not found:
            raise self.nothing(request)
        return found[0]

    async def enter(self, request: Request) -> Response:
        """The private link to one's own seat, for another device."""
        visitor = await self.visitor(request)
        table = await self.any_table(request)
        given, facts = request.path_params["token"], table.facts
        found = [p for p in facts.places if same(self.ring.token("me", facts.id, p.seat, p.salt), given)]
        if not found or found[0].kind != "person":
            raise self.nothing(request)
        person = await self.known(visitor, **({} if visitor.reader.name else {"name": found[0].name}))
        await self.house.let_in(table, person.id, found[0].seat)
        return self.with_cookie(request, visitor, RedirectResponse(f"/t/{table.id}", 303))

    async def watch(self, request: Request) -> Response:
        """The link by which somebody may watch a private table."""
        visitor = await self.visitor(request)
        table = await self.any_table(request)
        facts = table.facts
        if not same(self.ring.token("watch", facts.id, -1, facts.salt), request.path_params["token"]):
            raise self.nothing(request)
        if facts.private and visitor.id not in facts.keys:
            person = await self.known(visitor)
            await self.house.let_in(table, person.id, None)
        return self.with_cookie(request, visitor, RedirectResponse(f"/t/{table.id}", 303))

    async def sit(self, request: Request) -> Response:
        """Take an open seat."""
        visitor, form = await self.sent(request)
        table = await self.table(request, visitor)
        seat = str(form.get("seat", ""))
        places = {str(place.seat): place for place in table.facts.places}
        if seat not in places:
            raise Fault(400, "there is no such seat")
        if places[seat].kind != "free":
            raise Fault(409, say("this seat is taken"))
        if not places[seat].open and visitor.id != table.facts.host:
            raise Fault(403, say("this seat is kept for somebody who has its link"))
        name = given_name(str(form.get("name", "")))
        person = await self.known(visitor, **({"name": name} if name else {}))
        await self.house.sit(table, int(seat), person.id)
        return RedirectResponse(f"/t/{table.id}", 303)

    # The rest.

    async def me(self, request: Request) -> Response:
        """What somebody says of themselves."""
        visitor, form = await self.sent(request)
        changes: dict[str, Any] = {}
        if form.get("language") in LANGUAGES:
            changes["language"] = form["language"]
        if form.get("theme") in people.THEMES:
            changes["theme"] = form["theme"]
        if "motion" in form:
            changes["motion"] = form["motion"] not in ("", "0", "off", "false")
        if "name" in form:
            changes["name"] = given_name(str(form["name"]))
        await self.known(visitor, **changes)
        return RedirectResponse(local(str(form.get("back", ""))), 303)

    async def rules(self, request: Request) -> Response:
        visitor = await self.visitor(request)
        spoken, game = request.path_params["lang"], self.house.games.get(request.path_params["game"])
        if spoken not in LANGUAGES or game is None:
            raise self.nothing(request)
        reader = replace(visitor.reader, language=spoken)
        return await self.page(request, visitor, lambda: pages.rules(reader, game, rulebook(game, spoken)))

    async def about(self, request: Request) -> Response:
        visitor = await self.visitor(request)
        return await self.page(request, visitor, partial(pages.about, visitor.reader))

    async def css(self, request: Request) -> Response:
        """The styles of the house and of all boards."""
        headers = {"cache-control": "public, max-age=31536000, immutable" if request.url.query else "no-cache"}
        return Response(assets.css(), 200, headers, "text/css")

    async def health(self, request: Request) -> Response:
        await self.store.ping()
        return JSONResponse({"status": "ok", "version": __version__}, headers={"cache-control": "no-store"})

    async def metrics(self, request: Request) -> Response:
        text = self.counted()
        if self.settings.number:
            await asyncio.to_thread(self.board.hang, text)
            text = await asyncio.to_thread(self.board.all)
        return Response(text, media_type="text/plain; version=0.0.4")

    def counted(self) -> bytes:
        """The figures of this server."""
        self.figures.live.set(self.live.total())
        self.figures.cached.set(len(self.house))
        self.figures.replaced.set(self.house.thinkers.replaced)
        return self.figures.text()

    async def hang_up(self) -> None:
        """Let the other servers behind this port know our figures, now and then."""
        while True:
            with suppress(OSError):
                await asyncio.to_thread(self.board.hang, self.counted())
            await asyncio.sleep(self.settings.sweep)

    # What goes wrong.

    async def fault(self, request: Request, error: Exception) -> Response:
        """Every fault as a page, or as JSON for the script."""
        if isinstance(error, Away):  # then we cannot even know who asks
            return plain(503, "the database does not answer: try again in a moment", 2)
        status, message, section, wait = 500, "", "", 0.0
        visitor = await self.visitor(request)
        with language(visitor.reader.language):
            if isinstance(error, Fault):
                status, message, section, wait = error.status, error.message, error.section, error.wait
            elif isinstance(error, IllegalAction):
                status, message = 409, str(error)
            elif isinstance(error, Stale | Taken):
                status, message = 409, str(error)
            elif isinstance(error, BadNotation):
                status, message = 400, str(error)
            elif isinstance(error, record.BadRecord):
                status, message = 410, say("this table was played with other rules or another box and cannot be opened here")
            elif isinstance(error, HTTPException):
                status = error.status_code
                message = say("there is nothing here") if status == 404 else error.detail.lower()
            elif isinstance(error, ClientDisconnect):
                status, message = 400, "gone"
            headers = {"retry-after": str(max(1, round(wait + 0.5)))} if wait else {}
            if status == 405 and isinstance(error, HTTPException):
                headers |= dict(error.headers or {})
            wants_page = "text/html" in request.headers.get("accept", "")
            if not wants_page or request.headers.get("content-type", "").startswith("application/json"):
                return JSONResponse({"message": message, "section": section}, status, headers)
            draw = partial(pages.fault, visitor.reader, status, message)
            response = await self.page(request, visitor, draw, status)
            response.headers.update(headers)
            return response

    async def accident(self, request: Request, error: Exception) -> Response:
        """Our own mistake: logged, and nothing of it shown."""
        log.error("a mistake of ours", exc_info=error)
        with language("en"):
            return plain(500, say("something went wrong here; it has been noted"))


def local(back: str) -> str:
    """A way back within this server.

    >>> local("/t/abc"), local("//elsewhere.example"), local("https://elsewhere.example"), local("/\\\\elsewhere.example")
    ('/t/abc', '/', '/', '/')
    """
    fine = back.startswith("/") and not back.startswith("//") and "\\" not in back and back.isprintable() and len(back) < 300
    return back if fine else "/"


async def squeezed(stream: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    """A stream compressed piece by piece, each sent at once: a message has much in common with the one before."""
    packer = zlib.compressobj(3, zlib.DEFLATED, 31, 5)  # 144 KiB a connection instead of 256
    async with aclosing(stream):
        async for piece in stream:
            squeeze = partial(packer.compress, piece)
            packed = await asyncio.to_thread(squeeze) if len(piece) > LARGE else squeeze()
            yield packed + packer.flush(zlib.Z_SYNC_FLUSH)
    yield packer.flush()


# Where this machine is.


def reach_of(host: str) -> str:
    """How far an address reaches: "machine", "network" or "world".

    >>> reach_of("127.0.0.1"), reach_of("192.168.1.7"), reach_of("table.example")
    ('machine', 'network', 'world')
    """
    if host == "localhost" or host.endswith(".localhost"):
        return "machine"
    try:
        number = ipaddress.ip_address(host)
    except ValueError:
        return "network" if "." not in host or host.endswith(".local") else "world"
    return "machine" if number.is_loopback else "network" if number.is_private or number.is_link_local else "world"


def local_addresses() -> list[str]:
    """The numbers by which others in the same network reach this machine, the likeliest first."""
    found: list[str] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # nothing is sent: it only asks which way it would go
        found.append(probe.getsockname()[0])
    with suppress(OSError):
        found += [str(one[4][0]) for one in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return [one for one in dict.fromkeys(found) if not ipaddress.ip_address(one).is_loopback]


# The application.


class Noted(Route):
    """A route whose pattern the log may have, where the address has tokens in it."""

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["ridotto.route"] = self.path
        await super().handle(scope, receive, send)


class Files(StaticFiles):
    """Files that do not change under the same name and mark."""

    def __init__(self, pattern: str, cached: str, **given: Any) -> None:
        super().__init__(**given)
        self.pattern, self.cached = pattern, cached

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["ridotto.route"] = self.pattern

        async def leave(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)["cache-control"] = self.cached
            await send(message)

        await super().__call__(scope, receive, leave)


def app(settings: Settings | None = None) -> Starlette:
    """The web table as an ASGI application; its state is in `app.state.office`."""
    office = Office(settings or Settings())

    def route(path: str, answer: Answer, method: str = "GET") -> Noted:
        return Noted(path, office.spoken(answer), methods=[method])

    routes = [
        route("/", office.lobby),
        route("/tables", office.found, "POST"),
        route("/t/{id}", office.show),
        route("/t/{id}/sit/{token}", office.invitation),
        route("/t/{id}/sit/{token}", office.invitation, "POST"),
        route("/t/{id}/sit", office.sit, "POST"),
        route("/t/{id}/me/{token}", office.enter),
        route("/t/{id}/watch/{token}", office.watch),
        route("/t/{id}/act", office.act, "POST"),
        route("/t/{id}/preview", office.preview),
        route("/t/{id}/compose", office.compose, "POST"),
        route("/t/{id}/resign", office.resign, "POST"),
        route("/t/{id}/rematch", office.rematch, "POST"),
        route("/t/{id}/live", office.live_stream),
        route("/t/{id}/glance", Glances(office).glance),
        route("/t/{id}/record", office.record),
        route("/t/{id}/qr.svg", office.qr),
        *(route(*one) for one in Company(office).routes()),
        route("/rules/{lang}/{game}", office.rules),
        route("/about", office.about),
        route("/me", office.me, "POST"),
        *(route(*one) for one in learning.routes(office)),
        *(route(*one) for one in belongings.routes(office)),
        *(route(*one) for one in lookback.routes(office)),
        Noted("/health", office.health),
        Noted("/metrics", office.metrics),
        Noted("/static/boards.css", office.css),
        Mount("/static", Files("/static", "no-cache", directory=assets.STATIC)),
        Mount("/fonts", Files("/fonts", "public, max-age=31536000", packages=[(name, "files") for name in FONTS])),
    ]
    faults: dict[Any, Any] = dict.fromkeys((Fault, RidottoError, HTTPException, ClientDisconnect), office.fault)
    built = Starlette(
        routes=routes,
        middleware=[Middleware(Door, office=office), Middleware(GZipMiddleware, minimum_size=1000, compresslevel=6)],
        exception_handlers=faults | {Exception: office.accident},
        lifespan=office.lifespan,
    )
    built.state.office = office
    return built
