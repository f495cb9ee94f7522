"""For whoever runs the server: health and metrics. They know no visitors, and are plain functions of a request."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import time
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from ridotto import __version__
from ridotto.web.live.loop_watch import LoopWatch
from ridotto.web.live.metrics_report import MetricsReport
from ridotto.web.server.middleware import plain_response
from ridotto.web.settings import Settings
from ridotto.web.storage import Storage
from ridotto.web.storage.faults import DatabaseUnavailable

OFTEN: Final = 1.0
"""Seconds for which a check of the health holds: it writes to the disk."""

log = logging.getLogger("ridotto.web")


class OperationRoutes:
    def __init__(self, settings: Settings, storage: Storage, report: MetricsReport, watch: LoopWatch) -> None:
        self.storage, self.report, self.watch = storage, report, watch
        self.networks = [ipaddress.ip_network(one) for one in settings.metrics_for]
        self._why, self._until = "", 0.0
        self._checking = asyncio.Lock()

    async def health(self, request: Request) -> Response:
        """Whether something can be written, and if not, why; and the longest that somebody waited for the event loop lately."""
        async with self._checking:
            if time.monotonic() >= self._until:
                self._why = await self._try_to_write()
                self._until = time.monotonic() + OFTEN
        headers, lag = {"cache-control": "no-store"}, round(1000 * self.watch.lag)
        if self._why:
            return JSONResponse({"status": "ill", "why": self._why, "version": __version__, "lag_ms": lag}, 503, headers)
        return JSONResponse({"status": "ok", "version": __version__, "lag_ms": lag}, headers=headers)

    async def _try_to_write(self) -> str:
        try:
            await self.storage.database.check()
        except DatabaseUnavailable as error:
            log.error("the database cannot be written", extra={"facts": {"error": str(error.__cause__ or error)}})
            fault = await asyncio.to_thread(self.storage.database.disk_fault)
            return fault or str(getattr(error.__cause__, "orig", None) or error.__cause__ or error)[:200] or str(error)
        return ""

    async def metrics(self, request: Request) -> Response:
        """For those of the networks that they are meant for; for others there is nothing here."""
        try:
            number = ipaddress.ip_address(request.client.host.partition("%")[0] if request.client else "")
        except ValueError:
            number = ipaddress.ip_address("0.0.0.0")
        if not any(number in network for network in self.networks):
            return plain_response(404, "there is nothing here")
        return Response(await self.report.text(), media_type="text/plain; version=0.0.4")
