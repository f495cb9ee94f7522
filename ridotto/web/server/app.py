"""The web table as an ASGI application.

A request passes the middleware (log, headers, host, limits) and reaches a route, which is given a `Context`: who asks, what
they may see, and how to answer.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import BaseRoute

from ridotto.web.live.workers import BotWorkers
from ridotto.web.pages import home
from ridotto.web.server.error_pages import ErrorPages
from ridotto.web.server.middleware import DefaultHeaders, Gatekeeper, RequestLog
from ridotto.web.server.requests import ContextFactory, Endpoint
from ridotto.web.server.routes.account import AccountRoutes
from ridotto.web.server.routes.boxes import BoxRoutes
from ridotto.web.server.routes.chat import ChatRoutes
from ridotto.web.server.routes.deals import DealRoutes
from ridotto.web.server.routes.hints import HintRoutes
from ridotto.web.server.routes.host import HostRoutes
from ridotto.web.server.routes.hotseat import HotseatRoutes
from ridotto.web.server.routes.information import InformationRoutes
from ridotto.web.server.routes.lessons import LessonRoutes
from ridotto.web.server.routes.live import LiveRoutes
from ridotto.web.server.routes.lobby import LobbyRoutes
from ridotto.web.server.routes.members import MemberRoutes
from ridotto.web.server.routes.notifications import NotificationRoutes
from ridotto.web.server.routes.offers import OfferRoutes
from ridotto.web.server.routes.operations import OperationRoutes
from ridotto.web.server.routes.players import PlayerRoutes
from ridotto.web.server.routes.puzzles import PuzzleRoutes
from ridotto.web.server.routes.records import RecordRoutes
from ridotto.web.server.routes.replays import ReplayRoutes
from ridotto.web.server.routes.reviews import ReviewRoutes
from ridotto.web.server.routes.seats import SeatRoutes
from ridotto.web.server.routes.table import TableRoutes
from ridotto.web.server.routing import LoggedRoute, static_routes
from ridotto.web.server.services import Services
from ridotto.web.settings import Settings
from ridotto.web.storage import Storage


def create_app(
    settings: Settings | None = None, workers: BotWorkers | None = None, storage: Storage | None = None
) -> Starlette:
    """The web table; its services are in `app.state.services`."""
    services = Services(settings or Settings(), workers, storage)
    limits, metrics, hosts = services.limits, services.metrics, services.hosts
    people, tables = services.storage.people, services.tables
    addresses, shares, moderation = services.addresses, services.storage.token_buckets, services.moderation
    contexts = ContextFactory(
        services.settings, hosts, services.keys, people, tables, services.pubsub, limits, metrics, addresses, shares, moderation
    )
    errors = ErrorPages(contexts)
    operations = OperationRoutes(services.settings, services.storage, services.report, services.watch)
    routes: list[BaseRoute] = [
        *(LoggedRoute(one.path, contexts.answer(one.handler), methods=[one.method]) for one in endpoints(services)),
        LoggedRoute("/health", operations.health),
        LoggedRoute("/metrics", operations.metrics),
        *([] if home.tab() else static_routes()),
    ]
    handlers: dict[Any, Any] = {**dict.fromkeys(ErrorPages.HANDLED, errors.known), Exception: errors.unknown}

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        try:
            await services.open()
            yield
        finally:
            await services.close()

    app = Starlette(
        routes=routes,
        middleware=[
            Middleware(RequestLog, metrics=metrics, watch=services.watch, has_addresses=services.settings.log_addresses),
            Middleware(DefaultHeaders, is_secure=services.settings.address.startswith("https:")),
            Middleware(Gatekeeper, settings=services.settings, hosts=hosts, by_address=limits.by_address, metrics=metrics),
            Middleware(GZipMiddleware, minimum_size=1000, compresslevel=6),
        ],
        exception_handlers=handlers,
        lifespan=lifespan,
    )
    app.state.services = services
    return app


def endpoints(services: Services) -> list[Endpoint]:
    """Every address at which a visitor is answered, with what answers there."""
    settings, storage, metrics, games = services.settings, services.storage, services.metrics, services.games
    tables, writer, seating = services.tables, services.writer, services.seating
    live = LiveRoutes(settings, storage, services.presence, services.background, metrics, services.places)
    return [
        *LobbyRoutes(settings, storage, seating, services.matchmaker, services.presence, games).endpoints(),
        *TableRoutes(settings, storage, writer, seating, metrics).endpoints(),
        *SeatRoutes(seating, services.keys).endpoints(),
        *DealRoutes(services.dealing).endpoints(),
        *live.endpoints(),
        *OfferRoutes(storage, writer).endpoints(),
        *HotseatRoutes(writer).endpoints(),
        *ChatRoutes(storage, writer, services.limits.chat, metrics, services.moderation).endpoints(),
        *NotificationRoutes(settings, storage.webhooks).endpoints(),
        *HintRoutes(services.workers).endpoints(),
        *ReplayRoutes(seating, storage.reviews).endpoints(),
        *ReviewRoutes(storage.reviews, services.reviews).endpoints(),
        *RecordRoutes(storage, seating, services.records, games).endpoints(),
        *LessonRoutes(games).endpoints(),
        *PuzzleRoutes(games).endpoints(),
        *InformationRoutes(settings, games).endpoints(),
        *BoxRoutes(games).endpoints(),
        *AccountRoutes(storage.people, tables, writer, services.limits.names).endpoints(),
        *PlayerRoutes(settings, storage, tables, seating, services.records, services.limits.exports, games).endpoints(),
        *MemberRoutes(settings, storage, tables, services.keys, services.limits).endpoints(),
        *HostRoutes(settings, storage, services.keys, services.moderation).endpoints(),
    ]
