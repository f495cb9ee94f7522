"""The deal of a table, as far as everybody may know it; the shares of those who play; and where anybody can verify a match."""

from __future__ import annotations

from functools import partial

from starlette.responses import JSONResponse, Response

from ridotto.core.fair import BadDeal
from ridotto.present.narrator import mark
from ridotto.web.errors import Forbidden, RequestError
from ridotto.web.live.dealing import Dealing
from ridotto.web.pages import site as pages
from ridotto.web.server.requests import Context, Endpoint


class DealRoutes:
    def __init__(self, dealing: Dealing) -> None:
        self.dealing = dealing

    def endpoints(self) -> list[Endpoint]:
        return [
            Endpoint("/t/{id}/deal", self.show),
            Endpoint("/t/{id}/share", self.take_share, "POST"),
            Endpoint("/verify", self.verify),
        ]

    async def show(self, context: Context) -> Response:
        """The inputs of the draws, without the secret; whether shares are wanted now; and the hash of the latest entry."""
        table = await context.table()
        match, fair = table.match, table.match.fair
        told = {
            "deal": None if fair is None else fair.with_secret(None).json(),
            "wanted": fair is not None and table.info.is_full and not match.is_dealt,
            "head": {"ply": match.ply - 1, "hash": table.head} if match.is_dealt else None,
        }
        return JSONResponse(told, headers={"cache-control": "no-store"})

    async def take_share(self, context: Context) -> Response:
        """A browser shows the share that it has committed to."""
        data = await context.form()
        table = await context.table()
        seat = table.info.keys.get(context.person)
        if seat is None:
            raise Forbidden(mark("you have no seat at this table"))
        try:
            await self.dealing.add_share(table, seat, str(data.get("share", "")))
        except BadDeal as error:
            raise RequestError(mark("this is not the share that your browser has committed to")) from error
        return Response(status_code=204)

    async def verify(self, context: Context) -> Response:
        return await context.page(partial(pages.verify, context.reader))
