"""The page of whoever runs the server, behind a key that stands in the data folder.

The key is typed into a form. It is in no address, since those are kept by histories and proxies. The browser gets a cookie
instead that is signed, ends by itself, and is good only beside the cookie of the person who gave the key.
"""

from __future__ import annotations

import logging
from functools import partial
from typing import Any

from starlette.responses import RedirectResponse, Response

from ridotto.engine.errors import RidottoError
from ridotto.present.narrator import mark
from ridotto.web.errors import Forbidden, RequestError, TooMany
from ridotto.web.identity import HOST_COOKIE, HOST_SECONDS, Keys, is_same_token, load_host_key
from ridotto.web.live.moderation import ModerationService
from ridotto.web.pages import site as pages
from ridotto.web.server.requests import Context, Endpoint
from ridotto.web.settings import Settings
from ridotto.web.storage import Storage
from ridotto.web.storage.faults import DatabaseUnavailable

log = logging.getLogger("ridotto.web")


class HostRoutes:
    def __init__(self, settings: Settings, storage: Storage, keys: Keys, moderation: ModerationService) -> None:
        self.settings, self.storage, self.keys, self.moderation = settings, storage, keys, moderation

    def endpoints(self) -> list[Endpoint]:
        return [
            Endpoint("/host", self.show),
            Endpoint("/host", self.act, "POST"),
            Endpoint("/host/enter", self.enter, "POST"),
            Endpoint("/host/leave", self.leave, "POST"),
        ]

    def _has_entered(self, context: Context) -> bool:
        """Whether the visitor has given the key, in this browser and not long ago."""
        cookie = context.request.cookies.get(HOST_COOKIE, "")
        key = load_host_key(self.settings.data)
        return self.keys.is_host_cookie(cookie, key, context.visitor.person, self.storage.now)

    async def enter(self, context: Context) -> Response:
        """Give the key: the browser is let in for a while, and the key is kept nowhere in it."""
        form = await context.form()
        context.check_guesses()
        key = load_host_key(self.settings.data)
        if not is_same_token(key, str(form.get("key", "")).strip()):
            error = context.guess(Forbidden(mark("that is not the key of this server")))
            if isinstance(error, TooMany):
                raise error
            log.warning("a wrong key for the host's page")
            return await context.page(partial(pages.host_key, context.reader, error.text(context.narrator)), error.status)
        until = self.storage.now + HOST_SECONDS
        response = RedirectResponse("/host", 303)
        response.set_cookie(
            HOST_COOKIE,
            self.keys.host_cookie(key, context.visitor.person, until),
            max_age=HOST_SECONDS,
            path="/host",
            httponly=True,
            samesite="strict",
            secure=context.is_secure,
        )
        log.info("the host has come in")
        return response

    async def leave(self, context: Context) -> Response:
        await context.form()
        response = RedirectResponse("/host", 303)
        response.delete_cookie(HOST_COOKIE, path="/host", httponly=True, samesite="strict", secure=context.is_secure)
        return response

    async def show(self, context: Context) -> Response:
        if not self._has_entered(context):
            return await context.page(partial(pages.host_key, context.reader))
        admin = self.storage.admin
        lists = {"reports": await admin.reports(), "tables": await admin.tables(), "people": await admin.people()}
        lists["flags"] = await self.storage.results.flags()
        return await context.page(partial(pages.host, context.reader, lists))

    async def act(self, context: Context) -> Response:
        """Do what a button says."""
        form = await context.form()
        if not self._has_entered(context):
            raise Forbidden(mark("enter the key of this server first"))
        admin = self.storage.admin
        table, person, line = (str(form.get(name, "")) for name in ("table", "person", "line"))
        actions: dict[str, Any] = {
            "end": partial(admin.end, table),
            "delete": partial(admin.delete_table, table),
            "close": partial(admin.close_report, table, int(line) if line.isdecimal() and len(line) < 9 else 0),
            "ban": partial(admin.ban, person, "ban"),
            "unban": partial(admin.ban, person, "ban", False),
            "mute": partial(admin.ban, person, "mute"),
            "unmute": partial(admin.ban, person, "mute", False),
        }
        what = str(form.get("do", ""))
        if what not in actions:
            raise RequestError("there is no such button")
        try:
            await actions[what]()
        except DatabaseUnavailable:
            raise
        except RidottoError as error:  # what the button was for is gone, or over, by now
            raise RequestError("{reason}", reason=str(error), status=409) from error
        log.info("the host decided", extra={"facts": {"do": what, "table": table}})
        await self.moderation.look()
        return RedirectResponse("/host", 303)
