"""Routes that the log knows by their pattern, and the files that do not change while the server runs."""

from __future__ import annotations

from typing import Any, Final

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Message, Receive, Scope, Send

from ridotto.web.pages import assets
from ridotto.web.server.middleware import ROUTE

FONTS: Final = ("font_source_sans_pro", "font_source_serif_pro")


class LoggedRoute(Route):
    """A route whose pattern the log may have, where the address has tokens in it."""

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope[ROUTE] = self.path
        await super().handle(scope, receive, send)


class LoggedFiles(StaticFiles):
    """Files by one pattern of the log, with how long a browser may keep them."""

    def __init__(self, pattern: str, cache_control: str, **given: Any) -> None:
        super().__init__(**given)
        self.pattern, self.cache_control = pattern, cache_control

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope[ROUTE] = self.pattern

        async def add(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)["cache-control"] = self.cache_control
            await send(message)

        await super().__call__(scope, receive, add)


async def styles(request: Request) -> Response:
    """The styles of the pages and of all boards."""
    headers = {"cache-control": "public, max-age=31536000, immutable" if request.url.query else "no-cache"}
    return Response(assets.css(), 200, headers, "text/css")


def static_routes() -> list[BaseRoute]:
    """Styles, scripts and fonts."""
    fonts = [(name, "files") for name in FONTS]
    return [
        LoggedRoute("/static/boards.css", styles),
        Mount("/static", LoggedFiles("/static", "no-cache", directory=assets.STATIC)),
        Mount("/fonts", LoggedFiles("/fonts", "public, max-age=31536000", packages=fonts)),
    ]
