"""The middleware of all requests: log and metrics, headers, the check of the host, limits."""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Mapping
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ridotto.web.live.addresses import share_of
from ridotto.web.live.loop_watch import LoopWatch
from ridotto.web.live.metrics import Metrics
from ridotto.web.live.usage import USAGE, Usage
from ridotto.web.server.hosts import Hosts
from ridotto.web.server.rate_limits import RateLimit
from ridotto.web.settings import Settings

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
    "cache-control": "no-store",
}
"""The default headers of answers."""
LONGEST_HEAD: Final = 32 * 1024
ADDRESS: Final = "ridotto.address"
"""The key of the sender's address in the scope of a request."""
ROUTE: Final = "ridotto.route"
"""The key of the route's pattern in the scope, for the log: the address itself may have a token in it."""
ACT: Final = "/act"
"""The end of the paths to which actions are sent."""
LIVE: Final = "/live"
"""The end of the paths of live connections."""

log = logging.getLogger("ridotto.web")


def name_route(scope: Scope, pattern: str) -> None:
    """Say which route a request has reached."""
    scope[ROUTE] = pattern
    if (usage := USAGE.get()) is not None:
        usage.route = pattern


def plain_response(status: int, message: str, wait: float = 0) -> Response:
    """A short answer for those who get no page."""
    return Response(message + "\n", status, retry_after(wait), "text/plain")


def too_many_response(message: str, wait: float) -> Response:
    """For an address that asks for too much: its connection ends, with whatever else was asked for in it."""
    response = plain_response(429, message, wait)
    response.headers["connection"] = "close"
    return response


def retry_after(wait: float) -> dict[str, str]:
    """The header that says after how many seconds to try again; none for 0."""
    return {"retry-after": str(max(1, round(wait + 0.5)))} if wait else {}


class RequestLog:
    """Writes every request to the log, and counts it in the metrics."""

    def __init__(self, app: ASGIApp, metrics: Metrics, watch: LoopWatch, has_addresses: bool = True) -> None:
        self.app, self.metrics, self.watch, self.has_addresses = app, metrics, watch, has_addresses

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, sent, usage = time.perf_counter(), {"status": 500, "bytes": 0}, Usage()
        USAGE.set(usage)  # for good: the last step of the task is not over when this is
        scope[ADDRESS] = share_of(scope["client"][0]) if scope.get("client") else ""

        async def count(message: Message) -> None:
            if message["type"] == "http.response.start":
                sent["status"] = message["status"]
            elif message["type"] == "http.response.body":
                sent["bytes"] += len(message.get("body", b""))
            await send(message)

        try:
            await self.app(scope, receive, count)
        finally:
            self._write(scope, sent, time.perf_counter() - began, usage)

    def _write(self, scope: Scope, sent: Mapping[str, int], seconds: float, usage: Usage) -> None:
        route = scope.get(ROUTE, "-")
        method = scope["method"] if scope["method"] in ("GET", "HEAD", "POST") else "other"
        self.metrics.requests.labels(route, method, str(sent["status"])).inc()
        if not route.endswith(LIVE):
            self.metrics.seconds.labels(route).observe(seconds)
        if usage.in_threads:
            self.metrics.thread_seconds.labels(route).inc(usage.in_threads)
        facts = {"method": method, "route": route, **sent, "ms": round(1000 * seconds, 1)}
        facts |= {"loop_ms": round(1000 * self.watch.on_loop(usage), 1), "thread_ms": round(1000 * usage.in_threads, 1)}
        if self.has_addresses:
            facts["address"] = scope[ADDRESS]
        log.info("request", extra={"facts": facts})


class DefaultHeaders:
    """Adds the headers that every answer has."""

    def __init__(self, app: ASGIApp, is_secure: bool = False) -> None:
        self.app = app
        self.headers = HEADERS | ({"strict-transport-security": "max-age=31536000"} if is_secure else {})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def add(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self.headers.items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, add if scope["type"] == "http" else send)


class Gatekeeper:
    """Refuses what is too large, meant for another host, or too much."""

    def __init__(self, app: ASGIApp, settings: Settings, hosts: Hosts, by_address: RateLimit, metrics: Metrics) -> None:
        self.app, self.settings, self.hosts, self.by_address, self.metrics = app, settings, hosts, by_address, metrics
        self.busy: Counter[str] = Counter()
        """Requests that are being worked on, by address."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
        elif refusal := self._refusal(scope):
            await refusal(scope, receive, send)
        elif scope["path"].endswith(LIVE):  # these stay, and have a limit of their own
            await self.app(scope, receive, send)
        elif self.busy.total() >= self.settings.max_requests:
            self.metrics.refused.labels("busy").inc()
            await plain_response(503, "the server has too much to do: try again in a moment", 1)(scope, receive, send)
        elif self.busy[address := scope[ADDRESS]] >= self.settings.max_requests_address:
            self.metrics.refused.labels("address").inc()
            await too_many_response("too many requests at a time", 1)(scope, receive, send)
        else:
            self.busy[address] += 1
            try:
                await self.app(scope, receive, send)
            finally:
                self.busy[address] -= 1
                if not self.busy[address]:
                    del self.busy[address]

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if sum(len(name) + len(value) for name, value in headers.raw) + len(scope.get("raw_path") or b"") > LONGEST_HEAD:
            return plain_response(431, f"more than {LONGEST_HEAD} bytes before the body")
        if not self.hosts.is_ours(headers.get("host", "")):
            return plain_response(421, "this server does not go by that name: start it with --address and the one it has")
        if wait := self.by_address.take(scope[ADDRESS]):
            self.metrics.refused.labels("address").inc()
            return too_many_response("too many requests", wait)
        return None
