"""What the house knows of somebody: to take with them, or to be forgotten.

Names stand outside the chain of a match, so that its record still verifies when a player has been forgotten.
"""

from __future__ import annotations

import json
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from ridotto.core.errors import IllegalAction
from ridotto.core.narrator import say
from ridotto.web import identity as people
from ridotto.web.errors import Fault
from ridotto.web.live.tables import shared
from ridotto.web.pages import site as pages
from ridotto.web.pages.models import Reader

if TYPE_CHECKING:
    from ridotto.web.server.app import Answer, Office


def routes(office: Office) -> list[tuple[str, Answer, str]]:
    """The addresses of this module, what answers there, and the method."""
    belongings = Belongings(office)
    return [
        ("/me/export", belongings.export, "GET"),
        ("/me/delete", belongings.ask, "GET"),
        ("/me/delete", belongings.forget, "POST"),
    ]


class Belongings:
    """The functions behind the routes."""

    def __init__(self, office: Office) -> None:
        self.office = office

    async def export(self, request: Request) -> Response:
        """Everything about the asker, as JSON."""
        self.office.check_origin(request)
        visitor = await self.office.visitor(request)
        if wait := self.office.by_person.take(visitor.id):
            raise Fault(429, say("too many requests: wait a moment"), wait=wait)
        known = await self.office.store.export(visitor.id)
        headers = {"content-disposition": 'attachment; filename="ridotto.json"'}
        text = json.dumps(known, ensure_ascii=False, indent=1)
        return Response(text, 200, headers, "application/json")

    async def ask(self, request: Request) -> Response:
        """What is known, and whether to forget it."""
        visitor = await self.office.visitor(request)
        seats = len(await self.office.store.tables_of(visitor.id))
        return await self.office.page(request, visitor, partial(pages.account, visitor.reader, seats))

    async def forget(self, request: Request) -> Response:
        """Resign what is being played, and delete everything that says who it was."""
        visitor, form = await self.office.sent(request)
        if form.get("sure") != "1":
            raise Fault(400, say("tick the box if you are sure"))
        house, store = self.office.house, self.office.store
        gone = {visitor.id}
        for one in await store.tables_of(visitor.id):
            table = await house.table(one)
            if table.facts.host == visitor.id:  # those who play on the same device are known by it alone
                gone |= {place.person for place in table.facts.places if place.person and place.seat in shared(table.facts)}
            for place in table.facts.places:
                if place.person == visitor.id and table.match.to_act:
                    with suppress(IllegalAction):  # somebody else has just ended it
                        await house.resign(table, place.seat)
        for person in gone:
            for one in await store.forget(person):
                await house.table(one)
        response = await self.office.page(request, visitor, partial(pages.farewell, Reader("", visitor.reader.language)))
        response.delete_cookie(people.COOKIE, httponly=True, samesite="lax")
        return response
