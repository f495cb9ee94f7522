"""The page of whoever runs the server, behind a key that stands in the data folder."""

from __future__ import annotations

import logging
from functools import partial
from typing import Any

from starlette.responses import RedirectResponse, Response

from ridotto.engine.errors import RidottoError
from ridotto.web.errors import RequestError
from ridotto.web.identity import is_same_token, load_host_key
from ridotto.web.live.moderation import ModerationService
from ridotto.web.pages import site as pages
from ridotto.web.server.requests import Context, Endpoint
from ridotto.web.settings import Settings
from ridotto.web.storage import Storage
from ridotto.web.storage.database import DatabaseUnavailable

log = logging.getLogger("ridotto.web")


class HostRoutes:
    def __init__(self, settings: Settings, storage: Storage, moderation: ModerationService) -> None:
        self.settings, self.storage, self.moderation = settings, storage, moderation

    def endpoints(self) -> list[Endpoint]:
        return [Endpoint("/host/{key}", self.show), Endpoint("/host/{key}", self.act, "POST")]

    def _check(self, context: Context) -> str:
        key: str = context.path["key"]
        if not is_same_token(load_host_key(self.settings.data), key):
            raise context.not_found()
        return key

    async def show(self, context: Context) -> Response:
        key, admin = self._check(context), self.storage.admin
        lists = {"reports": await admin.reports(), "tables": await admin.tables(), "people": await admin.people()}
        return await context.page(partial(pages.host, context.reader, key, lists))

    async def act(self, context: Context) -> Response:
        """Do what a button says."""
        form = await context.form()
        key, admin = self._check(context), self.storage.admin
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
        return RedirectResponse(f"/host/{key}", 303)
