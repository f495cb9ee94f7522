"""Routes that the log knows by their pattern, and the files that do not change while the server runs."""

from __future__ import annotations

import gzip
from functools import lru_cache
from typing import Any, Final

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Message, Receive, Scope, Send

from ridotto.games import GAMES
from ridotto.present.narrator import LANGUAGES
from ridotto.web.pages import assets
from ridotto.web.pages.boards import find_board
from ridotto.web.server.middleware import name_route

KEEP: Final = "public, max-age=31536000, immutable"
"""For what has another address when it changes."""
BOARD_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"
"""A board brings its own styles, and nothing else."""
FONTS: Final = ("font_source_sans_pro", "font_source_serif_pro")


class LoggedRoute(Route):
    """A route whose pattern the log may have, where the address has tokens in it."""

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        name_route(scope, self.path)
        await super().handle(scope, receive, send)


class LoggedFiles(StaticFiles):
    """Files by one pattern of the log, with how long a browser may keep them."""

    def __init__(self, pattern: str, cache_control: str, **given: Any) -> None:
        super().__init__(**given)
        self.pattern, self.cache_control = pattern, cache_control

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        name_route(scope, self.pattern)

        async def add(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)["cache-control"] = self.cache_control
            await send(message)

        await super().__call__(scope, receive, add)


async def styles(request: Request) -> Response:
    """The styles of the pages and of all boards."""
    return _kept_file(request, assets.css(), "text/css", {"cache-control": KEEP if request.url.query else "no-cache"})


async def boards(request: Request) -> Response:
    """The parts of a table's picture that do not change during a match."""
    path = request.path_params
    game = GAMES.get(path["game"])
    found = find_board(game, path["language"], path["setup"]) if game is not None and path["language"] in LANGUAGES else None
    if found is None:
        return Response("there is no such board\n", 404, media_type="text/plain")
    is_current = found.address.endswith(f"?{request.url.query}")
    headers = {"cache-control": KEEP if is_current else "no-cache", "content-security-policy": BOARD_POLICY}
    return _kept_file(request, found.text, "image/svg+xml", headers)


async def script(request: Request) -> Response:
    """A module of the pages' script, in the version that this server has."""
    version, name = request.path_params["version"], request.path_params["name"]
    if name not in assets.SCRIPTS:
        return Response("there is no such script\n", 404, media_type="text/plain")
    headers = {"cache-control": KEEP if version == assets.script_version() else "no-cache"}
    return _kept_file(request, assets.script(name), "text/javascript", headers)


def _kept_file(request: Request, text: str, kind: str, headers: dict[str, str]) -> Response:
    """A file that is compressed once for all who ask for it."""
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(text, 200, headers, kind)
    return Response(_packed(text), 200, {**headers, "content-encoding": "gzip", "vary": "Accept-Encoding"}, kind)


@lru_cache(200)
def _packed(text: str) -> bytes:
    return gzip.compress(text.encode(), 9, mtime=0)


def static_routes() -> list[BaseRoute]:
    """Styles, boards, scripts and fonts."""
    fonts = [(name, "files") for name in FONTS]
    return [
        LoggedRoute("/static/boards.css", styles),
        LoggedRoute("/static/{version}/{name}", script),
        LoggedRoute("/boards/{game}/{language}/{setup}.svg", boards),
        Mount("/static", LoggedFiles("/static", "no-cache", directory=assets.STATIC)),
        Mount("/fonts", LoggedFiles("/fonts", "public, max-age=31536000", packages=fonts)),
    ]
