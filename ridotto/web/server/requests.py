"""Requests: who asks, what they send, which table they mean.

A visitor is known by a cookie that we signed. Whatever changes something must come from a page of our own: by its origin, and
by a nonce that is made for this person.
"""

from __future__ import annotations

import asyncio
import secrets
import urllib.parse
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from typing import Any, Final, NamedTuple

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from ridotto.club.names import is_reserved, is_visible, proposals
from ridotto.core import record
from ridotto.engine.fields import Seat
from ridotto.present.narrator import Narrator, mark
from ridotto.present.words import Words
from ridotto.web import identity
from ridotto.web.errors import Forbidden, NameTaken, NoTable, NotFound, NotNow, RequestError, TooMany
from ridotto.web.identity import Keys, Person, Session, new_id
from ridotto.web.live.addresses import Addresses
from ridotto.web.live.drawing import DRAWING, SLOTS, Drawing, in_thread
from ridotto.web.live.fair_queue import Asker, FairQueue
from ridotto.web.live.links import Links
from ridotto.web.live.metrics import Metrics
from ridotto.web.live.moderation import ModerationService
from ridotto.web.live.page_cache import PageCache
from ridotto.web.live.pubsub import PubSub
from ridotto.web.live.state import TableState
from ridotto.web.live.table import Table
from ridotto.web.live.table_cache import TableCache
from ridotto.web.live.view_models import Audience, audience_of
from ridotto.web.pages.models import Membership, Reader
from ridotto.web.server.hosts import LOOPBACK, Hosts
from ridotto.web.server.middleware import ACT, ADDRESS, ROUTE
from ridotto.web.server.rate_limits import RateLimits
from ridotto.web.settings import Settings
from ridotto.web.storage.people import PeopleStorage
from ridotto.web.storage.token_buckets import TokenBucketStorage

PLACEHOLDER: Final = secrets.token_hex(16)
"""Stands for a reader's nonce in a page that is kept. It is never sent, so nobody can write it into a name or a message."""
SMALL: Final = 16 * 1024
"""Bytes of a body that are taken apart at once."""
LONGEST_ACTION: Final = 1000
"""Characters of an action, or of a series of them."""


@dataclass(frozen=True)
class Visitor:
    """The sender of a request."""

    person: Person
    reader: Reader
    is_new: bool

    @property
    def id(self) -> str:
        return self.person.id


class ContextFactory:
    """Makes the context of a request: finds out who sends it, and checks what they send."""

    def __init__(
        self,
        settings: Settings,
        hosts: Hosts,
        keys: Keys,
        people: PeopleStorage,
        tables: TableCache,
        pubsub: PubSub,
        limits: RateLimits,
        metrics: Metrics,
        addresses: Addresses,
        shares: TokenBucketStorage,
        moderation: ModerationService,
    ) -> None:
        self.settings, self.hosts, self.keys, self.people = settings, hosts, keys, people
        self.tables, self.limits, self.metrics, self.addresses, self.shares = tables, limits, metrics, addresses, shares
        self.pubsub, self.moderation = pubsub, moderation
        self.pages = PageCache()
        self.drawing = FairQueue(SLOTS)

    async def context(self, request: Request) -> Context:
        """The context of a request; who asks is found out once.

        The request keeps who that is and not the context, which would make a cycle of the two: what requests leave behind
        would then have to be looked for by the garbage collector, while everybody waits.
        """
        visitor: Visitor | None = getattr(request.state, "visitor", None)
        if visitor is None:
            visitor = request.state.visitor = await self._visitor(request)
        context = Context(self, request, visitor)
        DRAWING.set(Drawing(self.drawing, context.asker, self.settings.max_drawings_address))
        return context

    def answer(self, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
        """An endpoint of Starlette that calls a handler with a context."""

        async def answer(request: Request) -> Response:
            return await handler(await self.context(request))

        return answer

    async def _visitor(self, request: Request) -> Visitor:
        """The visitor of a signed cookie, or a new one."""
        session = self.keys.session(request.cookies.get(identity.COOKIE))
        known = await self._known(request, session) if session else None
        person = known or Person(new_id())
        spoken = person.language or identity.preferred_language(request.headers.get("accept-language", ""))
        return Visitor(person, self.reader(person, spoken), known is None)

    def reader(self, person: Person, language: str) -> Reader:
        """Somebody, as pages know them."""
        nonce = self.keys.nonce(person.id, person.generation)
        membership: Membership = "" if not self.settings.club else "member" if person.is_member else "guest"
        return Reader(person.name, language, person.theme, person.motion, nonce, membership)

    async def _known(self, request: Request, session: Session) -> Person | None:
        """Somebody with a cookie of ours; None if they have signed out everywhere since they got it.

        Where there are several servers, a page must not be drawn for whom they were.
        """
        pubsub, nobody = self.pubsub, Person(session.person)
        if pubsub.is_listening and (request.method == "POST" or not pubsub.is_shared):
            person = await self.people.recent(session.person) or nobody
            if person.generation == session.generation:
                return person
        person = await self.people.load(session.person) or nobody
        return person if person.generation == session.generation else None

    def check_origin(self, request: Request) -> None:
        """Refuse what another site has sent. Browsers say where a form or script comes from, and cannot be made to lie."""
        given = request.headers.get("origin")
        where = request.headers.get("sec-fetch-site", "same-origin")
        is_missing = given is None and request.method == "POST"
        if is_missing or given not in (None, self.hosts.origin(request)) or where not in ("same-origin", "none"):
            raise Forbidden(mark("this came from another site"))

    def length(self, request: Request, most: int) -> int:
        """The bytes that the body of a request may have, by what is said of it."""
        length = request.headers.get("content-length", "0" if "transfer-encoding" not in request.headers else str(most))
        if not length.isdecimal() or int(length) > most:
            raise RequestError(f"more than {most} bytes", status=413)
        return int(length)

    async def body(self, request: Request, most: int) -> bytes:
        """The body of a request, if it is not too large and does not take too long."""
        self.length(request, most)
        read = bytearray()
        try:
            async with asyncio.timeout(self.settings.request_timeout):
                async for part in request.stream():
                    read += part
                    if len(read) > most:
                        raise RequestError(f"more than {most} bytes", status=413)
        except TimeoutError as error:
            raise RequestError("too slow", status=408) from error
        return bytes(read)


class Context:
    """One request, as a route works with it."""

    def __init__(self, factory: ContextFactory, request: Request, visitor: Visitor) -> None:
        self._factory = factory
        self.request, self.visitor = request, visitor
        self.narrator = Narrator(visitor.reader.language)
        """Makes sentences for whoever asks."""

    @property
    def reader(self) -> Reader:
        """The visitor, as pages know them."""
        return self.visitor.reader

    @property
    def person(self) -> str:
        """The id of whoever asks."""
        return self.visitor.id

    @property
    def address(self) -> str:
        """The network address from which the request comes."""
        return str(self.request.scope[ADDRESS])

    @property
    def asker(self) -> Asker:
        """The visitor's identity in fair queues."""
        return Asker(self.person, self.address)

    @cached_property
    def links(self) -> Links:
        return self._factory.hosts.links(self.request, self._factory.keys)

    @property
    def path(self) -> dict[str, Any]:
        """The parameters in the path."""
        return self.request.path_params

    @property
    def query(self) -> dict[str, str]:
        """The parameters after the question mark."""
        return dict(self.request.query_params)

    # What was sent.

    def check_origin(self) -> None:
        """Refuse what another site has sent."""
        self._factory.check_origin(self.request)

    async def form(self, most: int | None = None) -> dict[str, Any]:
        """The form that was sent, checked for its origin, its nonce, its size and the rate of requests."""
        factory, request = self._factory, self.request
        factory.check_origin(request)
        if wait := factory.limits.by_person.take(self.person):
            factory.metrics.refused.labels("person").inc()
            raise TooMany(mark("too many requests: wait a moment"), wait=wait)
        body, kind = await factory.body(request, most or factory.settings.max_body), request.headers.get("content-type", "")
        # Everybody would wait while a large one is taken apart.
        data = parse_body(body, kind) if len(body) <= SMALL else await in_thread(parse_body, body, kind)
        if self.visitor.is_new or not factory.keys.is_nonce(self.visitor.person, data.get("nonce")):
            raise Forbidden(mark("this page is out of date: reload it"))
        if not factory.moderation.may_act(self.person):
            raise Forbidden(mark("whoever runs this server has excluded you"))
        factory.addresses.note(self.person, self.address)
        return data

    async def stored_form(self, most: int) -> dict[str, Any]:
        """The form that becomes a table, as `form`; taken from the sender's shares before it is read."""
        self.check_origin()
        if self.visitor.is_new:
            raise Forbidden(mark("this page is out of date: reload it"))
        await self.check_new_table(stored=self._factory.length(self.request, most))
        return await self.form(most)

    def check_rate(self) -> None:
        """Refuse somebody who asks too often."""
        if wait := self._factory.limits.by_person.take(self.person):
            raise TooMany(mark("too many requests: wait a moment"), wait=wait)

    async def check_new_table(self, *, stored: int = 0, bots_alone: bool = False) -> None:
        """Refuse somebody who creates too many tables, brings too much to store, or lets too many bots play by themselves."""
        factory, settings = self._factory, self._factory.settings
        person, address = f"person {self.person}", f"address {factory.keys.anonymous(self.address)}"
        shares = {f"tables {person}": settings.new_tables_each, f"tables {address}": settings.new_tables}
        wait = await factory.shares.take(shares)
        if not wait and stored:
            wait = await factory.shares.take({f"bytes {person}": settings.stored, f"bytes {address}": settings.stored}, stored)
        if not wait and bots_alone:
            wait = await factory.shares.take({f"bots {person}": settings.bot_tables, f"bots {address}": settings.bot_tables})
        if wait:
            factory.metrics.refused.labels("founding").inc()
            raise TooMany(mark("too many new tables: wait a moment"), wait=wait)

    # What it is about.

    async def table(self) -> Table:
        """The table that is asked for, if the visitor may know of it: a private one is not there for strangers."""
        table = await self.any_table()
        if not table.info.may_see(self.person):
            raise self.not_found()
        return table

    async def dealt_table(self) -> Table:
        """The table that is asked for, if its match has begun."""
        table = await self.table()
        if not table.match.is_dealt:
            raise NotNow(mark("it is dealt when everybody sits"))
        return table

    @property
    def _is_action(self) -> bool:
        """Whether it is an action that is sent, which is checked once more when it is written."""
        return str(self.request.scope[ROUTE]).endswith(ACT)

    async def any_table(self) -> Table:
        """The table that is asked for, whoever asks: there will be a token to check."""
        load, which = self._factory.tables.load, self.path["id"]
        try:
            table = await load(which, recent=self._is_action)
            if self._is_action and table.state.seat_of(self.person) is None:
                table = await load(which)  # before they are told that they have none
            return table
        except NoTable as error:
            raise self.not_found() from error

    def own_seat(self, table: Table) -> Seat:
        """The seat for which the visitor acts now."""
        seat = table.state.seat_of(self.person)
        if seat is None:
            raise Forbidden(mark("you have no seat at this table"))
        return seat

    def audience(self, state: TableState) -> Audience:
        """The audience of a table that the visitor belongs to."""
        return audience_of(state, self.person, self.reader.language, self.links)

    def words(self, state: TableState) -> Words:
        """The words of a game for the visitor, as they sit at a table."""
        return state.words(self.narrator.language, state.seat_of(self.person))

    def not_found(self) -> RequestError:
        """There is nothing here; whoever keeps guessing waits."""
        return self.guess(NotFound(mark("there is no such page here, or it is not for you: check the link")))

    def guess(self, answer: RequestError) -> RequestError:
        """The answer to a link or a key that is wrong; whoever keeps guessing waits."""
        wait = self._factory.limits.guesses.take(self.address)
        return self._too_many_guesses(wait) if wait else answer

    def check_guesses(self) -> None:
        """Refuse somebody who has guessed too often, whatever they have to say now."""
        if wait := self._factory.limits.guesses.wait(self.address):
            raise self._too_many_guesses(wait)

    def _too_many_guesses(self, wait: float) -> TooMany:
        self._factory.metrics.refused.labels("guessing").inc()
        return TooMany(mark("too many requests: wait a moment"), wait=wait)

    # Who asks.

    async def save_visitor(self, *, claims_name: bool = True, **changes: Any) -> Person:
        """Keep the visitor in the database, with what they have said of themselves; raises NameTaken.

        A new name is theirs alone from then on, unless they only take over the one that they have on another device.
        """
        before = self.visitor.person
        if changes and before.known:
            before = await self._factory.people.load(self.person) or before
        person = replace(before, **changes)
        claims_name = claims_name and person.name != before.name
        if claims_name:
            await self._check_name(person)
        if not person.known:
            await self._check_new_person()
        if not person.known or person != before:
            if not await self._factory.people.save(person, claims_name=claims_name):
                raise await self.name_taken(person.name)
            if person.name != before.name:
                await self._factory.tables.refresh_tables_of(person.id)
        return replace(person, known=True)

    async def _check_name(self, person: Person) -> None:
        """Refuse a name that nobody could tell from a bot's or the house's, or not see at all."""
        if not person.name and person.is_member:
            raise RequestError(mark("a member has a name: by it others find them"))
        if person.name and not is_visible(person.name):
            raise RequestError(mark("nothing of this name could be seen"))
        if is_reserved(person.name):
            raise await self.name_taken(person.name)

    async def name_taken(self, name: str) -> NameTaken:
        """The refusal of a name, with one like it that is free."""
        free = list(proposals(name))
        taken = await self._factory.people.taken(free, self.person)
        proposal = next((one for one in free if one not in taken), f"N. N. {secrets.randbelow(10**6)}")
        if is_reserved(name):
            message = mark("{name} could be taken for a bot or for the house. What is free: {proposal}")
        else:
            message = mark("somebody here is called {name}, or nearly so. What is free: {proposal}")
        return NameTaken(message, name, proposal)

    async def _check_new_person(self) -> None:
        """Refuse an address from which too many new people come."""
        factory = self._factory
        share = {f"people address {factory.keys.anonymous(self.address)}": factory.settings.new_people}
        if wait := await factory.shares.take(share):
            factory.metrics.refused.labels("people").inc()
            raise TooMany(mark("too many requests: wait a moment"), wait=wait)

    # The answer.

    @property
    def wants_page(self) -> bool:
        """Whether a browser asks for a page, not a script for data."""
        return "text/html" in self.request.headers.get("accept", "")

    async def page(self, draw: Callable[[], str], status: int = 200) -> Response:
        """A page, drawn in a thread."""
        return self.with_cookie(Response(await in_thread(draw), status, media_type="text/html"))

    async def kept(
        self, key: tuple[Hashable, ...], draw: Callable[[Reader], Awaitable[str]], kind: str = "text/html", **headers: str
    ) -> Response:
        """A page that is drawn from everything in the key and cached; a browser that has it gets a 304.

        It is drawn for a reader without a nonce; into a page it is put afterwards, and nothing else has forms that need it.
        """
        tag = f'"{sha256(repr((key, self.reader)).encode()).hexdigest()[:24]}"'
        headers |= {"etag": tag, "cache-control": "private, no-cache", "vary": "Cookie, Accept-Language"}
        if tag in self.request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        is_page = kind == "text/html"
        reader = replace(self.reader, nonce=PLACEHOLDER if is_page else "")
        text = await self._factory.pages.get((key, reader), lambda: draw(reader))
        if is_page:
            text = text.replace(PLACEHOLDER, self.reader.nonce)
        return self.with_cookie(Response(text, 200, headers, kind))

    def redirect(self, path: str) -> Response:
        """The way to another page; a script that has something to do there first is told of it."""
        if self.request.headers.get("accept", "") == "application/json":
            return self.with_cookie(JSONResponse({"to": path}))
        return self.with_cookie(RedirectResponse(path, 303))

    def done(self, table: Table) -> Response:
        """The way back to the table; for the script, which is sent what changes, nothing."""
        return RedirectResponse(f"/t/{table.id}", 303) if self.wants_page else Response(status_code=204)

    def with_cookie(self, response: Response) -> Response:
        """Let a new person's browser keep who they are."""
        return self.set_cookie(response) if self.visitor.is_new else response

    def set_cookie(self, response: Response, generation: int = 0, person: str = "") -> Response:
        """Let a browser keep who somebody is: the visitor, or whom they have signed in as."""
        response.set_cookie(
            identity.COOKIE,
            self._factory.keys.cookie(person or self.person, generation),
            max_age=identity.COOKIE_SECONDS,
            httponly=True,
            samesite="lax",
            secure=self.is_secure,
        )
        return response

    def nonce(self, generation: int) -> str:
        """The nonce of whoever asks, in a generation of their cookies."""
        return self._factory.keys.nonce(self.person, generation)

    @property
    def origin(self) -> str:
        """Our own address, as the visitor's browser knows it."""
        return self._factory.hosts.origin(self.request)

    @property
    def local_address(self) -> str:
        """The address by which the visitor's browser would have passkeys, if it is on this very machine; else "". What was
        sent by a form has no page of its own: the account's has the same."""
        url = self.request.url
        path = url.path if self.request.method == "GET" else "/me"
        is_local = url.hostname in LOOPBACK and url.hostname != "localhost"
        return f"{url.scheme}://localhost:{url.port or 80}{path}" if is_local else ""

    def after_change(self, person: Person) -> Context:
        """The same request, as it is when something about the visitor has changed."""
        visitor = replace(self.visitor, person=person, reader=self._factory.reader(person, self.reader.language), is_new=False)
        return Context(self._factory, self.request, visitor)

    @property
    def is_secure(self) -> bool:
        """Whether the visitor's browser reaches us by https."""
        return self._factory.hosts.origin(self.request).startswith("https:")


Handler = Callable[[Context], Awaitable[Response]]
"""Answers a request."""


class Endpoint(NamedTuple):
    """An address, what answers there, and the method."""

    path: str
    handler: Handler
    method: str = "GET"


def parse_body(body: bytes, content_type: str) -> dict[str, Any]:
    """The data of a body: a JSON object of texts and numbers, or the fields of a form."""
    if content_type.partition(";")[0].strip() == "application/json":
        try:
            data = record.parse_json(body or b"{}")
        except record.BadJson as error:
            raise RequestError("{reason}", reason=str(error)) from error
        if not isinstance(data, dict) or any(isinstance(value, dict | list) for value in data.values()):
            raise RequestError("not a JSON object of texts and numbers")
        return data
    try:
        return dict(urllib.parse.parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=100))
    except (UnicodeDecodeError, ValueError) as error:
        raise RequestError("not a form") from error
