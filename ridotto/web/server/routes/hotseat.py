"""Hot-seat: several people share one device, which shows one seat at a time."""

from __future__ import annotations

from dataclasses import replace

from starlette.responses import Response

from ridotto.present.narrator import mark
from ridotto.web.errors import NotNow
from ridotto.web.live.table_writer import TableWriter
from ridotto.web.server.requests import Context, Endpoint
from ridotto.web.storage.tables import set_settings


class HotseatRoutes:
    def __init__(self, writer: TableWriter) -> None:
        self.writer = writer

    def endpoints(self) -> list[Endpoint]:
        return [Endpoint("/t/{id}/hand", self.hand_over, "POST")]

    async def hand_over(self, context: Context) -> Response:
        """The device has been handed to the next player, who says so."""
        form = await context.form()
        table = await context.table()
        seat = table.state.handover(context.person)
        if seat is None or str(form.get("seat", "")) != str(seat):
            raise NotNow(mark("there is no need to hand the device on now: refresh the page"))
        if table.info.settings.device_holder != seat:
            await self.writer.change(table, [set_settings(table.id, replace(table.info.settings, device_holder=seat))])
        return context.done(table)
