"""Seats: invitations, sitting down, and the private links to a seat or a table.

Looking at a link changes nothing, since messengers look at whatever is sent to see what it is: it is used by pressing a button.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from starlette.responses import RedirectResponse, Response

from ridotto.present.narrator import mark
from ridotto.web.errors import Forbidden, NotNow, RequestError
from ridotto.web.identity import Keys, is_same_token, parse_name
from ridotto.web.live.seating import Seating
from ridotto.web.live.table import Table
from ridotto.web.live.view_models import table_model
from ridotto.web.pages import site as pages
from ridotto.web.server.requests import Context, Endpoint
from ridotto.web.server.table_form import parse_commitment
from ridotto.web.storage.table_info import Chair


class SeatRoutes:
    def __init__(self, seating: Seating, keys: Keys) -> None:
        self.seating, self.keys = seating, keys

    def endpoints(self) -> list[Endpoint]:
        return [
            Endpoint("/t/{id}/sit/{token}", self.show_invitation),
            Endpoint("/t/{id}/sit/{token}", self.accept_invitation, "POST"),
            Endpoint("/t/{id}/sit", self.sit, "POST"),
            Endpoint("/t/{id}/me/{token}", self.show_own_seat),
            Endpoint("/t/{id}/me/{token}", self.enter, "POST"),
            Endpoint("/t/{id}/watch/{token}", self.show_watching),
            Endpoint("/t/{id}/watch/{token}", self.watch, "POST"),
            Endpoint("/t/{id}/links", self.renew, "POST"),
        ]

    async def show_invitation(self, context: Context) -> Response:
        table = await context.any_table()
        chair = self._invited(context, table)
        if isinstance(chair, Response):
            return chair
        model = await table_model(table.state, context.reader, context.audience(table.state))
        return await context.page(partial(pages.join, model, model.seats[chair.seat]))

    async def accept_invitation(self, context: Context) -> Response:
        form = await context.form()
        table = await context.any_table()
        chair = self._invited(context, table)
        if isinstance(chair, Response):
            return chair
        return await self._sit_down(context, table, chair, form)

    def _invited(self, context: Context, table: Table) -> Chair | Response:
        """The chair that an invitation is for; the way to the table, if the visitor sits there already."""
        chair = self._chair(context, table, lambda chair: self.keys.token("sit", table.id, chair.seat, chair.salt))
        if table.info.keys.get(context.person) == chair.seat:
            return RedirectResponse(f"/t/{table.id}", 303)
        if chair.kind != "free":
            raise RequestError(mark("somebody sits there already"), status=410)
        return chair

    def _chair(self, context: Context, table: Table, token: Callable[[Chair], str]) -> Chair:
        """The chair that the token in a link is for."""
        for chair in table.info.chairs:
            if is_same_token(token(chair), context.path["token"]):
                return chair
        raise context.not_found()

    async def _sit_down(self, context: Context, table: Table, chair: Chair, form: dict[str, Any]) -> Response:
        if table.info.rated and context.reader.membership != "member":
            raise Forbidden(mark("this table is rated: sign in to sit down here, or become a member"))
        name, commitment = parse_name(str(form.get("name", ""))), parse_commitment(form)
        changes: dict[str, Any] = {"name": name} if name else {}
        person = await context.save_visitor(**changes)
        await self.seating.sit(table, chair.seat, person.id, commitment)
        return context.redirect(f"/t/{table.id}")

    async def sit(self, context: Context) -> Response:
        """Take an open seat."""
        form = await context.form()
        table = await context.table()
        chairs = {str(chair.seat): chair for chair in table.info.chairs}
        chair = chairs.get(str(form.get("seat", "")))
        if chair is None:
            raise RequestError(mark("there is no such seat"))
        if chair.kind != "free":
            raise NotNow(mark("somebody sits there already"))
        if not chair.open and context.person not in (chair.person, table.info.host):
            raise Forbidden(mark("only somebody with the link can sit there"))
        return await self._sit_down(context, table, chair, form)

    async def show_own_seat(self, context: Context) -> Response:
        """The private link to one's own seat, for another device."""
        table = await context.any_table()
        chair = self._own_chair(context, table)
        if table.info.keys.get(context.person) == chair.seat:
            return context.redirect(f"/t/{table.id}")
        return await context.page(partial(pages.private_link, context.reader, table.state.game, chair.seat))

    async def enter(self, context: Context) -> Response:
        """Play for one's own seat on another device."""
        await context.form()
        table = await context.any_table()
        chair = self._own_chair(context, table)
        if table.info.rated:
            raise Forbidden(mark("at a rated table a member plays on another device by signing in there"))
        person = await context.save_visitor(claims_name=False, **({} if context.reader.name else {"name": chair.name}))
        await self.seating.give_key(table, person.id, chair.seat)
        return context.redirect(f"/t/{table.id}")

    def _own_chair(self, context: Context, table: Table) -> Chair:
        """The chair that a private link is for."""
        chair = self._chair(context, table, lambda chair: self.keys.token("me", table.id, chair.seat, chair.salt))
        if chair.kind != "person":
            raise context.not_found()
        return chair

    async def renew(self, context: Context) -> Response:
        """A new private link to one's own seat: the old one, and the devices that came by it, are shut out."""
        await context.form()
        table = await context.table()
        await self.seating.renew_links(table, context.own_seat(table), context.person)
        return context.done(table)

    async def show_watching(self, context: Context) -> Response:
        """The link by which somebody may watch a private table."""
        table = await self._watched_table(context)
        if table.info.may_see(context.person):
            return context.redirect(f"/t/{table.id}")
        return await context.page(partial(pages.private_link, context.reader, table.state.game, None))

    async def watch(self, context: Context) -> Response:
        """Watch a private table from now on."""
        await context.form()
        table = await self._watched_table(context)
        if not table.info.may_see(context.person):
            person = await context.save_visitor()
            await self.seating.give_key(table, person.id, None)
        return context.redirect(f"/t/{table.id}")

    async def _watched_table(self, context: Context) -> Table:
        """The table that a link to watch is for."""
        table = await context.any_table()
        if not is_same_token(self.keys.token("watch", table.id, -1, table.info.salt), context.path["token"]):
            raise context.not_found()
        return table
