"""The account: a person's own settings, the data stored of them, and their deletion.

Names stand outside the chain of a match, so that its record still verifies when a player has been forgotten.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from starlette.responses import RedirectResponse, Response

from ridotto.core.errors import IllegalAction
from ridotto.present.narrator import LANGUAGES, mark
from ridotto.web import identity
from ridotto.web.errors import RequestError, Stale, TooMany
from ridotto.web.identity import parse_name
from ridotto.web.live.drawing import in_thread
from ridotto.web.live.table_cache import TableCache
from ridotto.web.live.table_writer import TableWriter
from ridotto.web.pages import site as pages
from ridotto.web.pages.models import Reader
from ridotto.web.server.rate_limits import RateLimit
from ridotto.web.server.requests import Context, Endpoint
from ridotto.web.server.table_form import is_on
from ridotto.web.storage.people import PeopleStorage


class AccountRoutes:
    def __init__(self, people: PeopleStorage, tables: TableCache, writer: TableWriter, names: RateLimit) -> None:
        self.people, self.tables, self.writer, self.names = people, tables, writer, names

    def endpoints(self) -> list[Endpoint]:
        return [
            Endpoint("/me", self.change, "POST"),
            Endpoint("/me/export", self.export),
            Endpoint("/me/signout", self.sign_out, "POST"),
            Endpoint("/me/delete", self.ask),
            Endpoint("/me/delete", self.forget, "POST"),
        ]

    async def change(self, context: Context) -> Response:
        """Language, theme, movement, name."""
        form = await context.form()
        changes: dict[str, Any] = {}
        if form.get("language") in LANGUAGES:
            changes["language"] = form["language"]
        if form.get("theme") in identity.THEMES:
            changes["theme"] = form["theme"]
        if "motion" in form:
            changes["motion"] = form["motion"] not in ("", "0", "off", "false")
        if "hidden" in form:
            changes["is_hidden"] = is_on(form, "hidden")
        if "name" in form:
            changes["name"] = parse_name(str(form["name"]))
            if changes["name"] != context.reader.name and (wait := self.names.take(context.person)):
                raise TooMany(mark("too many requests: wait a moment"), wait=wait)
        await context.save_visitor(**changes)
        return RedirectResponse(local_path(str(form.get("back", ""))), 303)

    async def export(self, context: Context) -> Response:
        """Everything about the asker, as JSON."""
        context.check_origin()
        context.check_rate()
        known = await self.people.export(context.person)
        headers = {"content-disposition": 'attachment; filename="ridotto.json"'}
        text = await in_thread(partial(json.dumps, known, ensure_ascii=False, indent=1))
        return Response(text, 200, headers, "application/json")

    async def ask(self, context: Context) -> Response:
        """The page with the stored data, and the way to delete it."""
        seats = len(await self.people.tables(context.person))
        return await context.page(partial(pages.account, context.reader, seats))

    async def sign_out(self, context: Context) -> Response:
        """Sign out on every device but this one: without a password, nobody could come back to what nobody is signed in to."""
        await context.form()
        person = await context.save_visitor()
        generation = await self.people.sign_out(person.id)
        await self.tables.refresh_tables_of(person.id)
        reader = replace(context.reader, nonce=context.nonce(generation))
        seats = len(await self.people.tables(person.id))
        page = await context.page(partial(pages.account, reader, seats, is_signed_out=True))
        return context.set_cookie(page, generation)

    async def forget(self, context: Context) -> Response:
        """Resign what is being played, and delete everything that says who it was."""
        form = await context.form()
        if form.get("sure") != "1":
            raise RequestError(mark("tick the box if you are sure"))
        gone = {context.person}
        for seated_at in await self.people.tables(context.person):
            table = await self.tables.load(seated_at)
            if table.info.host == context.person:  # those who play on the same device are known by it alone
                shared = table.info.settings.shared_seats
                gone |= {chair.person for chair in table.info.chairs if chair.person and chair.seat in shared}
            for chair in table.info.chairs:
                if chair.person == context.person and table.match.to_act:
                    with suppress(IllegalAction, Stale):  # somebody else has just ended it, or a bot plays there already
                        await self.writer.leave(table, chair.seat)
        for person in gone:
            for changed in await self.people.forget(person):
                await self.tables.load(changed)
        response = await context.page(partial(pages.farewell, Reader("", context.reader.language)))
        response.delete_cookie(identity.COOKIE, httponly=True, samesite="lax")
        response.delete_cookie(identity.BROWSER_COOKIE, httponly=True, samesite="lax")
        return response


def local_path(back: str) -> str:
    """A way back within this server.

    >>> local_path("/t/abc"), local_path("//elsewhere.example"), local_path("/\\\\elsewhere.example")
    ('/t/abc', '/', '/')
    """
    fine = back.startswith("/") and not back.startswith("//") and "\\" not in back and back.isprintable() and len(back) < 300
    return back if fine else "/"
