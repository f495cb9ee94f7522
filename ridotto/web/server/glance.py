"""A glance at a table, for a tab that nobody looks at: whether anything has changed.

A browser has six connections to a host for all its tabs, and a live one takes one of them for as long as the page is open. So a
tab that is not seen gives its own back and asks here now and then; only when something has changed does it look again.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from ridotto.web.live.tables import Reader, Table

if TYPE_CHECKING:
    from ridotto.web.server.app import Office

STAYS: Final = 90.0
"""Seconds that somebody counts as here after a glance: browsers let a hidden tab act once a minute."""


class Glances:
    """Those who look at their tables now and then."""

    def __init__(self, office: Office) -> None:
        self.office = office
        self.staying: dict[tuple[str, str], tuple[Reader, asyncio.TimerHandle]] = {}

    async def glance(self, request: Request) -> Response:
        """A number that differs when the table does."""
        visitor = await self.office.visitor(request)
        table = await self.office.table(request, visitor)
        if table.facts.keys.get(visitor.id) is not None:
            self.stay(table, visitor.id)
        return JSONResponse({"version": table.facts.version})

    def stay(self, table: Table, person: str) -> None:
        """Count somebody as here for a while."""
        key = table.id, person
        if key in self.staying:
            reader, timer = self.staying[key]
            timer.cancel()
        else:
            reader = self.office.house.look(table, person)
        self.staying[key] = reader, asyncio.get_running_loop().call_later(STAYS, self.go, table, person)

    def go(self, table: Table, person: str) -> None:
        """Count them so no longer."""
        reader, _ = self.staying.pop((table.id, person))
        self.office.house.leave(table, reader)
