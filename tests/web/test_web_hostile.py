"""Those who mean harm, over real sockets: each attack is refused with the proper status, and the server is unharmed."""

from __future__ import annotations

import asyncio
import json
import random
import re
import socket
import string
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from itsdangerous import Signer
from visitors import Process, Visitor, eventually, serving

from ridotto.core.match import Match
from ridotto.web.identity import COOKIE
from ridotto.web.server.app import create_app
from ridotto.web.server.routing import LoggedRoute
from ridotto.web.settings import Settings
from ridotto.web.storage import Storage
from ridotto.web.storage.entries import read_match

HASTE = 0.6
"""Seconds that this server gives the slow."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """One server for all, as strict about slowness as it can be tested; its log has no mistake of ours at the end."""
    data = tmp_path_factory.mktemp("hostile")
    with serving(data, request_timeout=HASTE, max_streams_each=40) as process:
        yield process
    assert "a mistake of ours" not in (data / "server.log").read_text("utf-8")


def meeting(server: Process, count: int, visit: Callable[..., Awaitable[None]]) -> None:
    """Let so many people visit; afterwards the server is as well as before."""

    async def run() -> None:
        people = [await Visitor(base=server.base).__aenter__() for _ in range(count)]
        try:
            await visit(*people)
            assert 200 == (await people[0].get("/health")).status_code
        finally:
            for one in people:
                await one.http.aclose()

    asyncio.run(run())


async def table_of(one: Visitor, two: Visitor, game: str = "fantome", **form: str) -> str:
    """A table at which both sit."""
    table = await one.create(game, "me", "open", **form)
    assert 303 == (await two.post(f"/t/{table}/sit", {"seat": "1"})).status_code
    return table


async def first(one: Visitor, table: str) -> tuple[str, int]:
    """Something that can be done now, and the ply of the page."""
    page = (await one.get(f"/t/{table}")).text
    do, ply = re.search(r'data-do="([^"]+)"', page), re.search(r'data-ply="([0-9]+)"', page)
    assert do and ply, page
    return do[1], int(ply[1])


async def raw(server: Process, sent: bytes, seconds: float = 3) -> bytes:
    """What a server answers to bytes, until it ends the connection, or says nothing more for a while."""
    host, _, port = server.base.removeprefix("http://").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        with suppress(ConnectionError):
            writer.write(sent)
            await writer.drain()
        got = b""
        with suppress(ConnectionError, TimeoutError):
            while piece := await asyncio.wait_for(reader.read(65536), seconds):
                got += piece
        return got
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


def head(server: Process, line: str, *headers: str) -> bytes:
    host = server.base.removeprefix("http://")
    return "\r\n".join([line, f"Host: {host}", *headers, "", ""]).encode()


# Who somebody is.


def test_forged_cookies(server: Process) -> None:
    """Somebody else's id without our signature, with another's, or with one made of another secret: a stranger's, 403."""

    async def visit(one: Visitor, two: Visitor, thief: Visitor) -> None:
        table = await table_of(one, two)
        do, ply = await first(one, table)
        other = Signer(b"0" * 64, salt="ridotto.person", key_derivation="hmac")
        for cookie in (
            one.id,
            f"{one.id}.",
            f"{one.id}.{'A' * 43}",
            f"{one.id}.{thief.cookie.partition('.')[2]}",
            other.sign(one.id).decode(),
            one.cookie[:-1] + ("A" if one.cookie[-1] != "A" else "B") + "x",
            one.cookie * 9,
            "%00",
            '"',
        ):
            forger = httpx.AsyncClient(base_url=server.base, headers={"origin": server.base, "cookie": f"{COOKIE}={cookie}"})
            async with forger:
                body = {"do": do, "ply": ply, "nonce": one.nonce}
                assert 403 == (await forger.post(f"/t/{table}/act", json=body)).status_code, cookie
        assert ply == (await first(one, table))[1]

    meeting(server, 3, visit)


def test_stolen_cookies(server: Process) -> None:
    """Whoever has only the cookie, as another site would, cannot act; and it is worth nothing when its owner has gone."""

    async def visit(one: Visitor, two: Visitor) -> None:
        table = await table_of(one, two)
        do, ply = await first(one, table)
        stolen = {"cookie": f"{COOKIE}={one.cookie}"}
        async with httpx.AsyncClient(base_url=server.base) as new:
            set_by = (await new.get("/")).headers["set-cookie"].lower()
        assert "httponly" in set_by and "samesite=lax" in set_by
        async with httpx.AsyncClient(base_url=server.base, headers=stolen) as thief:
            body: dict[str, Any] = {"do": do, "ply": ply}
            assert 403 == (await thief.post(f"/t/{table}/act", json=body)).status_code
            own = {"origin": server.base}
            assert 403 == (await thief.post(f"/t/{table}/act", json=body, headers=own)).status_code
            assert 403 == (await thief.post(f"/t/{table}/act", json={**body, "nonce": two.nonce}, headers=own)).status_code
            assert ply == (await first(one, table))[1]
            nonce = one.nonce
            assert 200 == (await one.post("/me/delete", {"sure": "1"})).status_code
            answer = await thief.post(f"/t/{table}/act", json={**body, "nonce": nonce}, headers=own)
            assert 403 == answer.status_code
            assert 403 == (await thief.post(f"/t/{table}/rematch", data={"nonce": nonce}, headers=own)).status_code

    meeting(server, 2, visit)


def test_foreign_origins(server: Process) -> None:
    """Another site's form, script, stream or socket: 403, whatever it brings; a host name that is not ours: 421."""

    async def visit(one: Visitor, two: Visitor) -> None:
        table = await table_of(one, two)
        do, ply = await first(one, table)
        foreign: list[dict[str, str]] = [
            {"origin": "https://evil.example"},
            {"origin": "null"},
            {"origin": server.base + ".evil.example"},
            {"origin": server.base, "sec-fetch-site": "cross-site"},
        ]
        for headers in foreign:
            assert 403 == (await one.act(table, do, ply, headers=headers)).status_code
            for path in ("/me", "/tables", "/me/delete", f"/t/{table}/talk", f"/t/{table}/resign", "/records"):
                form = {"name": "Eve", "text": "Eve", "sure": "1", "game": "fantome", "seat0": "me", "seat1": "friend"}
                assert 403 == (await one.post(path, form, headers=headers)).status_code, path
            for path in (f"/t/{table}/live", "/me/export"):
                assert 403 == (await one.get(path, headers=headers)).status_code, path
        # A socket that is to become something else stays what it is.
        upgrade = ("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAA")
        sent = head(server, f"GET /t/{table}/live HTTP/1.1", *upgrade, "Origin: https://evil.example", f"Cookie: {COOKIE}=x")
        assert b" 101 " not in (await raw(server, sent.replace(b"Upgrade\r\n", b"Upgrade, close\r\n", 1), 5))[:20]
        assert (await raw(server, b"GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")).startswith(
            b"HTTP/1.1 421 "
        )
        assert ply == (await first(one, table))[1]

    meeting(server, 2, visit)


# What is not theirs.


def test_other_peoples_seats(server: Process) -> None:
    """Nobody plays, resigns, takes back, reads or leads away from a seat that is not theirs."""

    async def visit(one: Visitor, two: Visitor, stranger: Visitor) -> None:
        table = await table_of(one, two)
        do, ply = await first(one, table)
        assert 409 == (await two.act(table, do, ply)).status_code  # not their decision
        assert 403 == (await stranger.act(table, do, ply)).status_code
        for path in ("resign", "rematch", "takeback", "agree", "standin", "return", "hand"):
            answer = await stranger.post(f"/t/{table}/{path}", {"seat": "0"})
            assert answer.status_code in (403, 409), (path, answer.status_code)
        for path in ("why?do=x", "preview?do=x", "hint"):
            assert 403 == (await stranger.get(f"/t/{table}/{path}")).status_code, path
        assert 409 == (await stranger.post(f"/t/{table}/sit", {"seat": "0"})).status_code
        page = (await stranger.get(f"/t/{table}")).text
        assert not re.search(r"/(?:sit|me)/[0-9a-f]{32}", page)
        # A link with a token that is one bit off, and the token of one seat for another.
        links = re.findall(rf"/t/{table}/me/([0-9a-f]{{32}})", (await one.get(f"/t/{table}")).text)
        wrong = f"{int(links[0], 16) ^ 1:032x}"
        assert 404 == (await stranger.get(f"/t/{table}/me/{wrong}")).status_code
        assert 404 == (await stranger.get(f"/t/{table}/sit/{links[0]}")).status_code
        assert 404 == (await stranger.get(f"/t/{table}/watch/{links[0]}")).status_code
        hidden = await one.create("opera", "me", "open", private="1")
        for path in ("", "/live", "/record", "/replay", "/review", "/glance", "/qr.svg"):
            assert 404 == (await stranger.get(f"/t/{hidden}{path}")).status_code, path
        for path in ("act", "resign", "sit", "talk", "takeback", "onward", "review", "notices"):
            assert 404 == (await stranger.post(f"/t/{hidden}/{path}", {"seat": "1", "text": "hello"})).status_code, path
        assert ply == (await first(one, table))[1]

    meeting(server, 3, visit)


def test_replayed_and_out_of_order(server: Process) -> None:
    """What was sent once is done once; what comes too late or too early is 409, and changes nothing."""

    async def visit(one: Visitor, two: Visitor) -> None:
        table = await table_of(one, two)
        do, ply = await first(one, table)
        assert 409 == (await one.act(table, do, ply + 1)).status_code
        assert 409 == (await one.post(f"/t/{table}/rematch")).status_code
        answers = await asyncio.gather(*(one.act(table, do, ply) for _ in range(10)))
        assert [204] + [409] * 9 == sorted(answer.status_code for answer in answers)
        _, later = await first(one, table)
        assert ply + 1 == later
        assert 409 == (await one.act(table, do, ply)).status_code
        assert 409 == (await one.act(table, do, 0)).status_code
        assert 409 == (await two.post(f"/t/{table}/sit", {"seat": "1"})).status_code
        assert 303 == (await one.post(f"/t/{table}/resign")).status_code
        assert 409 == (await one.post(f"/t/{table}/resign")).status_code
        assert 409 == (await one.act(table, do, later)).status_code
        again = await asyncio.gather(*(person.post(f"/t/{table}/rematch") for person in (one, two, one, two)))
        assert [303] * 4 == [answer.status_code for answer in again], [answer.text for answer in again]
        assert 1 == len({answer.headers["location"] for answer in again})

    meeting(server, 2, visit)


# Too much, too slowly.


def test_oversized(server: Process) -> None:
    """Large bodies, said or not, long lines, long headers, many of them: 413 or 400, and the connection ends."""

    async def visit(one: Visitor) -> None:
        post = "POST /me HTTP/1.1"
        cookie = (f"Cookie: {COOKIE}={one.cookie}", f"Origin: {server.base}", "Connection: close")
        for sent, statuses in (
            (head(server, post, *cookie, "Content-Length: 99999999"), {413}),
            (head(server, post, *cookie, "Content-Length: 9" + "9" * 4000), {400, 413}),
            (head(server, post, *cookie, "Content-Length: -1"), {400}),
            (head(server, post, *cookie, "Content-Length: 5", "Content-Length: 6"), {400}),
            (head(server, post, *cookie, "Transfer-Encoding: chunked") + b"4000\r\n" + b"x" * 0x4000 + b"\r\n", {408, 413}),
            (head(server, post, *cookie, "Transfer-Encoding: chunked") + 9 * (b"4000\r\n" + b"x" * 0x4000 + b"\r\n"), {413}),
            (
                head(server, post, *cookie, "Transfer-Encoding: chunked", "Content-Length: 3") + b"3\r\nabc\r\n0\r\n\r\n",
                {400, 403},
            ),
            (head(server, "GET /" + "a" * 100_000 + " HTTP/1.1", "Connection: close"), {400, 431}),
            (head(server, "GET / HTTP/1.1", "X-Long: " + "a" * 100_000), {400, 431}),
            (head(server, "GET / HTTP/1.1", *(f"X-{i}: 1" for i in range(10_000))), {400, 431}),
            (head(server, "GET /t/%00%ff HTTP/1.1", "Connection: close"), {404}),
            (head(server, "GET / HTTP/9.9", "Connection: close"), {200, 400}),
            (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(100), {400}),
        ):
            answer = await raw(server, sent)
            # A connection that is cut while we still send is an answer too.
            assert not answer or int(answer.split(b" ", 2)[1]) in statuses, (sent[:80], answer[:80])

    meeting(server, 1, visit)


def test_slow_clients(server: Process) -> None:
    """Who takes for ever to ask, to send or to read is cut off; others do not notice."""

    async def dribble(sent: bytes, *more: bytes) -> float:
        """Send something, then a byte now and then; the seconds until the server has had enough."""
        host, _, port = server.base.removeprefix("http://").partition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        began = time.monotonic()
        ended = asyncio.create_task(reader.read())
        with suppress(ConnectionError):
            writer.write(sent)
            while not ended.done() and time.monotonic() < began + 20:
                writer.write(b"x")
                await asyncio.wait([ended], timeout=HASTE / 4)
        with suppress(ConnectionError):
            await ended
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()
        return time.monotonic() - began

    async def visit(one: Visitor) -> None:
        host = server.base.removeprefix("http://")
        begun = f"GET / HTTP/1.1\r\nHost: {host}\r\nX-Slow: ".encode()
        again = head(server, "GET /health HTTP/1.1") + begun
        cookie = (f"Cookie: {COOKIE}={one.cookie}", f"Origin: {server.base}", "Connection: close")
        body = head(server, "POST /me HTTP/1.1", *cookie, "Content-Length: 60000")
        spent = await asyncio.gather(*(dribble(sent) for sent in (b"", begun, again, body) for _ in range(5)))
        assert max(spent) < 15, spent
        assert b" 408 " in (await raw(server, body + b"nonce="))[:20]

    meeting(server, 1, visit)


def test_a_reader_who_does_not_read(server: Process) -> None:
    """Live connections that take nothing are ended; whoever plays at the table does not wait for them."""

    async def visit(one: Visitor, two: Visitor) -> None:
        table = await table_of(one, two, "opera")
        host, _, port = server.base.removeprefix("http://").partition(":")
        writers = []
        for _ in range(3):
            link = socket.socket()
            link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)  # so that it is soon full
            link.connect((host, int(port)))
            _, writer = await asyncio.open_connection(sock=link, limit=1)
            writer.transport.pause_reading()  # type: ignore[attr-defined]
            writer.write(head(server, f"GET /t/{table}/live HTTP/1.1", f"Cookie: {COOKIE}={two.cookie}"))
            writers.append(writer)

        async def ended() -> float:
            """How many live connections have come to their end."""
            text = (await one.get("/metrics")).text
            found = re.findall(r'^ridotto_requests_total{[^}]*route="/t/{id}/live"[^}]*} ([0-9.]+)$', text, re.M)
            return sum(map(float, found))

        async def all_gone() -> bool:
            # Every new name is a message to all of them, and none is read.
            await one.post("/me", {"name": "".join(random.choices(string.ascii_letters, k=30))})
            return await ended() >= before + len(writers)

        before = await ended()
        began = time.monotonic()
        do, ply = await first(one, table)
        assert 204 == (await one.act(table, do, ply)).status_code
        assert time.monotonic() - began < 10
        await eventually(all_gone, 120)
        for writer in writers:
            writer.transport.abort()

    meeting(server, 2, visit)


# Markup.

NAME = '<script>alert(1)</script>"&{name}%s'
MARKUP = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&{{7*7}}{name}%s"


def test_markup_in_names_and_talk(server: Process) -> None:
    """Whatever somebody calls themselves or says is text, on every page and in every message, in every language."""

    async def visit(one: Visitor, two: Visitor) -> None:
        table = await table_of(one, two, name=NAME)
        assert 303 == (await two.post("/me", {"name": f"{NAME}2"})).status_code
        await one.post(f"/t/{table}/talk", {"text": MARKUP})
        await two.post(f"/t/{table}/talk", {"text": "]]><!--" + MARKUP})
        seen = []
        for spoken in ("en", "fr", "nl"):
            await one.post("/me", {"language": spoken})
            for path in (f"/t/{table}", "/", "/me/delete", f"/t/{table}/replay", "/about"):
                seen.append((await one.get(path)).text)
        async with one.http.stream("GET", f"/t/{table}/live") as stream:
            text = ""
            async for piece in stream.aiter_text():
                text += piece
                if "\n\n" in text.partition("data: ")[2]:
                    break
        message = json.loads(text.partition("data: ")[2].partition("\n\n")[0])
        seen += [*message["parts"].values(), message["heading"], *message["scene"]["looks"].values()]
        await one.post(f"/t/{table}/resign")
        seen += [(await one.get(path)).text for path in (f"/t/{table}", "/", f"/t/{table}/review")]
        assert any("&lt;script&gt;" in text for text in seen)
        for text in seen:
            assert "<script>" not in text and "<img src=x" not in text and "<!--" not in text
        document = (await one.get(f"/t/{table}/record")).json()
        assert [NAME, f"{NAME}2"] == document["names"]

    meeting(server, 2, visit)


# Whatever comes.


PARTS = (
    *("", "0", "-1", "1", "7", "99999999999999999999", "1e9", "NaN", "me", "friend", "open", "bot:level:1", "bot:level:9"),
    *("en", "fr", "nl", "xx", "fantome", "opera", "turandot", "chess", "bid 1", "pick meg", "move 3", "pass", "resign"),
    *(
        "\x00",
        "\ud7ff",
        "\U0001f600",
        "\u202e",
        "%",
        "{",
        "}",
        "{0}",
        "{seat}",
        "'",
        '"',
        "<b>",
        "../..",
        "/",
        "\\",
        "\r\n",
        "a" * 5000,
    ),
    *(
        "on",
        "off",
        "dark",
        "match:600",
        "move:86400",
        "match:1",
        "http://127.0.0.1/",
        "https://example.org/",
        "[]",
        "{}",
        "null",
    ),
)
NAMES = (
    *(
        "do",
        "ply",
        "nonce",
        "name",
        "language",
        "theme",
        "motion",
        "back",
        "seat",
        "seat0",
        "seat1",
        "seat2",
        "game",
        "text",
        "line",
    ),
    *("option.handicap", "option.blind", "private", "clock", "added", "flag", "hushed", "anew", "url", "sure", "record", "off"),
    *("names", "hints", "rest", "moves", "bot", "kind", "at", "to"),
)
BREAKING = (b"\r\n", b"\n", b"\x00", b"\xff", b" ", b":", b"HTTP/1.1", b"chunked", b"Content-Length: 7\r\n", b"%", b"\r\n\r\n")


class Mischief:
    """Requests that nobody in their right mind would send."""

    def __init__(self, server: Process, people: list[Visitor], tables: list[str], seed: int, data: Path) -> None:
        self.server, self.people, self.tables = server, people, tables
        self.dice = random.Random(seed)
        self.routes = [
            (route.path, sorted(route.methods or ()))
            for route in create_app(Settings(data=data)).routes
            if isinstance(route, LoggedRoute)
        ]
        self.statuses: Counter[int] = Counter()

    def path(self, pattern: str) -> str:
        """An address, with something in its gaps."""

        def fill(gap: re.Match[str]) -> str:
            kind = gap[1]
            if kind == "id" and self.dice.random() < 0.9:
                return self.dice.choice(self.tables)
            if kind == "step:int":
                return str(self.dice.choice((0, 1, 2, 5, 10**9)))
            if kind in ("game", "lang") and self.dice.random() < 0.8:
                return self.dice.choice(("fantome", "opera", "turandot") if kind == "game" else ("en", "fr", "nl"))
            return self.dice.choice(("x", "0" * 32, "%00", "%ff", "%2e%2e", "A" * 22, "-1", "%F0%9F%98%80"))

        return re.sub(r"\{([a-z:]+)\}", fill, pattern)

    def form(self) -> dict[str, str]:
        return {name: self.dice.choice(PARTS) for name in self.dice.sample(NAMES, self.dice.randint(0, 8))}

    async def ask(self) -> None:
        """A request that is well formed, to somewhere, with anything in it."""
        visitor = self.dice.choice(self.people)
        pattern, methods = self.dice.choice(self.routes)
        if pattern in ("/t/{id}/live", "/t/{id}/resign", "/me/delete", "/me/leave", "/me/signout"):
            return  # the first stays, the others would end the fun
        method = self.dice.choice(methods) if self.dice.random() < 0.95 else self.dice.choice(("PUT", "DELETE", "OPTIONS"))
        given: dict[str, Any] = {}
        if method == "GET":
            given["params"] = self.form()
        elif self.dice.random() < 0.5:
            given["data"] = self.form() | ({"nonce": visitor.nonce} if self.dice.random() < 0.9 else {})
        elif self.dice.random() < 0.9:
            odd: list[Any] = [*PARTS, 1, -1, None, [], {}, 10**30, 0.5, True]
            body = {name: self.dice.choice(odd) for name in self.dice.sample(NAMES, self.dice.randint(0, 5))}
            given["content"] = json.dumps(body | {"nonce": visitor.nonce})
            given["headers"] = {"content-type": "application/json"}
        else:
            given["content"] = self.dice.randbytes(self.dice.randint(0, 300))
            given["headers"] = {"content-type": self.dice.choice(("application/json", "text/plain", "multipart/form-data", ""))}
        answer = await visitor.http.request(method, self.path(pattern), **given)
        self.statuses[answer.status_code] += 1
        assert answer.status_code < 500, (method, pattern, given, answer.status_code, answer.text[:200])

    async def babble(self) -> None:
        """Bytes that were a request once."""
        pattern, methods = self.dice.choice(self.routes)
        visitor = self.dice.choice(self.people)
        body = json.dumps({"do": "pick meg", "ply": 1, "nonce": visitor.nonce}).encode()
        line = f"{self.dice.choice(methods)} {self.path(pattern)} HTTP/1.1"
        cookie = (f"Cookie: {COOKIE}={visitor.cookie}", f"Origin: {self.server.base}")
        kind = ("Content-Type: application/json", f"Content-Length: {len(body)}", "Connection: close")
        sent = bytearray(head(self.server, line, *cookie, *kind) + body)
        for _ in range(self.dice.randint(1, 6)):
            at = self.dice.randrange(len(sent))
            choice = self.dice.random()
            if choice < 0.3:
                sent[at] = self.dice.randrange(256)
            elif choice < 0.6:
                del sent[at : at + self.dice.randint(1, 20)]
            elif choice < 0.9:
                sent[at:at] = self.dice.choice(BREAKING)
            else:
                sent += bytes(sent)
            sent = sent or bytearray(b"\x00")
        answer = await raw(self.server, bytes(sent), 0.3)
        if answer.startswith(b"HTTP/1.1 "):
            status = int(answer[9:12])
            self.statuses[status] += 1
            assert status < 500, (bytes(sent), answer[:200])

    async def go_on(self, end: float) -> None:
        while time.monotonic() < end:
            await (self.ask() if self.dice.random() < 0.7 else self.babble())


@asynccontextmanager
async def crowd(base: str, count: int) -> AsyncIterator[list[Visitor]]:
    people = [await Visitor(base=base).__aenter__() for _ in range(count)]
    try:
        yield people
    finally:
        for one in people:
            await one.http.aclose()


@pytest.mark.parametrize("seconds", [1.5, pytest.param(300, marks=pytest.mark.soak)])
def test_whatever_comes(seconds: float, database: str, tmp_path: Path) -> None:
    """Forms and sockets of nonsense: never a mistake of ours, no process dies, and the tables are what they were."""
    seed = random.SystemRandom().randrange(10**6) if seconds > 10 else 1

    async def visit(server: Process) -> list[str]:
        async with crowd(server.base, 4) as people:
            one, two, *strangers = people
            tables = [await table_of(one, two, game) for game in ("fantome", "opera", "turandot")]
            kept = await table_of(one, two)
            do, ply = await first(one, kept)
            mischief = [Mischief(server, people[1:], tables, seed + i, tmp_path) for i in range(3)]
            mischief += [Mischief(server, strangers, [*tables, kept], seed + 7, tmp_path)]
            end = time.monotonic() + seconds
            await asyncio.gather(*(one.go_on(end) for one in mischief))
            told = sum((one.statuses for one in mischief), Counter())
            assert told[200] > 0 and told[400] > 0 and told[403] > 0 and told[404] > 0, told
            # Nobody but strangers came near this one.
            assert ply == (await first(one, kept))[1]
            assert 204 == (await one.act(kept, do, ply)).status_code
            return [*tables, kept]

    with serving(tmp_path, database=database, request_timeout=5.0) as server:
        tables = asyncio.run(visit(server))
        assert server.process.poll() is None
    log = (tmp_path / "server.log").read_text("utf-8")
    assert "a mistake of ours" not in log and "Traceback" not in log, (seed, log[log.find("Traceback") - 500 :][:5000])

    async def verify() -> list[Match]:
        storage = Storage(Settings(database=database).url)
        try:
            return [read_match(await storage.tables.document(table))[0] for table in tables]
        finally:
            await storage.close()

    assert len(tables) == len(asyncio.run(verify()))
