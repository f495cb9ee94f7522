"""For whoever runs the server: health and metrics. They know no visitors, and are plain functions of a request."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from ridotto import __version__
from ridotto.web.live.metrics_report import MetricsReport
from ridotto.web.storage.database import Database


class OperationRoutes:
    def __init__(self, database: Database, report: MetricsReport) -> None:
        self.database, self.report = database, report

    async def health(self, request: Request) -> Response:
        await self.database.ping()
        return JSONResponse({"status": "ok", "version": __version__}, headers={"cache-control": "no-store"})

    async def metrics(self, request: Request) -> Response:
        return Response(await self.report.text(), media_type="text/plain; version=0.0.4")
