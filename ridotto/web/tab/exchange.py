"""Requests to the web table without a network: the program that answers them runs in the same process."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import unquote, urljoin, urlsplit

from starlette.types import ASGIApp, Message

REDIRECTS: Final = (301, 302, 303, 307)
MOST_REDIRECTS: Final = 5


def as_bytes(value: Any) -> bytes:
    """Bytes that Python has, or an array that JavaScript has."""
    return bytes(value.to_bytes() if hasattr(value, "to_bytes") else value)


class Answer(NamedTuple):
    """The answer to a request."""

    address: str
    """Its own, or the one that it led to."""
    status: int
    headers: dict[str, str]
    body: bytes


class Exchange:
    """One request, and what comes back as it comes."""

    def __init__(self, method: str, address: str, headers: Mapping[str, str], body: bytes = b"") -> None:
        parts = urlsplit(address)
        self.scope: dict[str, Any] = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": unquote(parts.path),
            "raw_path": parts.path.encode(),
            "query_string": parts.query.encode(),
            "root_path": "",
            "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
            "client": ("127.0.0.1", 1),
            "server": ("localhost", 80),
        }
        self._body: bytes | None = body
        self._ended = asyncio.Event()

    def end(self) -> None:
        """The browser has gone."""
        self._ended.set()

    async def receive(self) -> Message:
        if self._body is not None:
            body, self._body = self._body, None
            return {"type": "http.request", "body": body, "more_body": False}
        await self._ended.wait()
        return {"type": "http.disconnect"}


class Client:
    """Sends requests to an application as a browser does: with its cookies, following redirects."""

    def __init__(self, app: ASGIApp, origin: str, cookies: Mapping[str, str], keep: Callable[[dict[str, str]], None]) -> None:
        """`keep` is called with the cookies whenever they change."""
        self.app, self.origin, self.cookies, self._keep = app, origin, dict(cookies), keep

    async def ask(
        self, method: str, address: str, headers: Mapping[str, str] | None = None, body: bytes = b"", *, follow: bool = False
    ) -> Answer:
        """The answer to a request; with `follow`, to the one that it leads to."""
        given = dict(headers or {})
        for _ in range(MOST_REDIRECTS):
            answer = await self._ask(Exchange(method, address, self._headers(method, given), body), address)
            if not follow or answer.status not in REDIRECTS:
                break
            address, method, body = urljoin(address, answer.headers["location"]), "GET", b""
            given.pop("content-type", None)
        return answer

    async def _ask(self, exchange: Exchange, address: str) -> Answer:
        status, headers, read = 500, dict[str, str](), bytearray()

        async def take(message: Message) -> None:
            nonlocal status, headers
            if message["type"] == "http.response.start":
                status, headers = message["status"], self._read_headers(message)
            else:
                read.extend(message.get("body", b""))

        await self.app(exchange.scope, exchange.receive, take)
        return Answer(address, status, headers, bytes(read))

    async def stream(self, exchange: Exchange, take: Callable[[str], Awaitable[None]]) -> int:
        """Pass on what comes back for a request, as text, until it ends; its status."""
        status = 500

        async def send(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            elif status == 200 and message.get("body"):
                await take(message["body"].decode())

        await self.app(exchange.scope, exchange.receive, send)
        return status

    def live(self, address: str) -> Exchange:
        """The request for a live connection, to be passed to `stream`."""
        return Exchange("GET", address, self._headers("GET", {"accept": "text/event-stream"}))

    def _headers(self, method: str, given: Mapping[str, str]) -> dict[str, str]:
        headers = {"host": urlsplit(self.origin).netloc or "localhost", **given}
        if method == "POST":
            headers["origin"] = self.origin
        if self.cookies:
            headers["cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return headers

    def _read_headers(self, message: Message) -> dict[str, str]:
        told = {}
        for name, value in ((one.decode("latin-1"), other.decode("latin-1")) for one, other in message["headers"]):
            if name == "set-cookie":
                self._take_cookie(value)
            else:
                told[name] = value
        return told

    def _take_cookie(self, text: str) -> None:
        first, *rest = text.split(";")
        name, _, value = first.strip().partition("=")
        before = dict(self.cookies)
        if any(one.strip().lower() == "max-age=0" for one in rest):
            self.cookies.pop(name, None)
        else:
            self.cookies[name] = value.strip('"')
        if self.cookies != before:
            self._keep(dict(self.cookies))
