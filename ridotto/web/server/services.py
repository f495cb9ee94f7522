"""The services of a server: made together, opened and closed together."""

from __future__ import annotations

import asyncio
import logging
from functools import partial

from ridotto import __version__
from ridotto.core.match import Match
from ridotto.engine.errors import RidottoError
from ridotto.games import GAMES
from ridotto.present.ui import english, ui
from ridotto.web.identity import load_keys
from ridotto.web.live.addresses import Addresses
from ridotto.web.live.background import BackgroundTasks
from ridotto.web.live.bot_runner import BotRunner
from ridotto.web.live.clocks import ClockService
from ridotto.web.live.dealing import Dealing
from ridotto.web.live.loop_watch import LoopWatch
from ridotto.web.live.matchmaking import Matchmaker
from ridotto.web.live.metrics import Metrics
from ridotto.web.live.metrics_report import MetricsReport
from ridotto.web.live.moderation import ModerationService
from ridotto.web.live.notifications import Notifier
from ridotto.web.live.places import LivePlaces
from ridotto.web.live.presence import Presence
from ridotto.web.live.publisher import Publisher
from ridotto.web.live.pubsub import PubSub
from ridotto.web.live.records import RecordWriter
from ridotto.web.live.review_queue import ReviewQueue
from ridotto.web.live.scoring import Scorer
from ridotto.web.live.seating import Seating
from ridotto.web.live.table_cache import TableCache
from ridotto.web.live.table_writer import TableWriter
from ridotto.web.live.workers import BotWorkers
from ridotto.web.server.hosts import Hosts
from ridotto.web.server.rate_limits import RateLimits
from ridotto.web.settings import Settings
from ridotto.web.storage import Storage
from ridotto.web.storage.turns import PATIENCE

log = logging.getLogger("ridotto.web")


class Services:
    """Everything that a server is made of besides its routes. Each is given the others that it needs, and no more."""

    def __init__(self, settings: Settings, workers: BotWorkers | None = None, storage: Storage | None = None) -> None:
        settings.data.mkdir(parents=True, exist_ok=True)
        self.settings = settings
        self.games = GAMES
        self.keys = load_keys(settings.data)
        self.hosts = Hosts(settings)
        self.limits = RateLimits(settings)
        self.metrics = Metrics()
        self.places = LivePlaces(settings)
        self.addresses = Addresses()
        self.background = BackgroundTasks()
        self.watch = LoopWatch(self.metrics, self.background)
        self.workers = workers or BotWorkers(settings.workers, settings.patience, settings.warm)
        self.storage = storage = storage or Storage(settings.url, settings.clock, PATIENCE)
        self.pubsub = pubsub = PubSub(storage.database)
        pubsub.on_person_changed.append(storage.people.drop)
        pubsub.on_reconnected.append(partial(storage.people.drop, None))
        self.publisher = publisher = Publisher(settings, storage, pubsub)
        self.tables = tables = TableCache(settings, storage, pubsub, publisher, self.background, self.keys, self.games)
        self.writer = writer = TableWriter(settings, storage, tables, publisher, self.metrics, self.background)
        self.presence = Presence(settings, storage.people, tables, publisher, pubsub, self.background)
        self.dealing = Dealing(settings, storage, tables, publisher, self.background, self.keys)
        self.seating = Seating(storage, tables, writer, self.dealing, publisher, self.metrics)
        self.matchmaker = Matchmaker(settings, storage, tables, self.seating, self.presence, self.background)
        self.clocks = ClockService(settings, storage, tables, writer, self.background)
        self.bots = BotRunner(
            settings, storage, tables, writer, publisher, self.workers, pubsub, self.metrics, self.background, self.addresses
        )
        self.moderation = ModerationService(settings, storage, tables, self.background)
        self.notifier = Notifier(settings, storage, tables, self.background)
        self.reviews = ReviewQueue(settings, storage.reviews, tables, publisher, self.workers, pubsub, self.background)
        self.records = RecordWriter(storage.tables, self.games)
        self.scorer = Scorer(storage.results, tables, publisher, self.background, self.games)
        self.report = MetricsReport(settings, self.metrics, tables, self.workers, self.places, self.background)
        self.failure: RidottoError | None = None
        """The error that kept the server from starting."""

    async def open(self) -> None:
        """Connect to the database, start the workers, and go on wherever a bot owes a decision or a clock runs."""
        if self.settings.watch_loop:
            self.watch.open()
        try:
            self.storage.database.become_server()
            await self.storage.open()
        except RidottoError as error:
            self.failure = error
            raise
        self.workers.start()
        await self.pubsub.open()
        await self.clocks.open()
        self.notifier.open()
        self.presence.open()
        self.bots.open()
        self.reviews.open()
        self.scorer.open()
        self.matchmaker.open()
        self.report.open()
        self.moderation.open()
        if self.settings.draw_ahead:
            self.background.start(asyncio.to_thread(self._draw_ahead))
        log.info("ready", extra={"facts": {"version": __version__}})

    def _draw_ahead(self) -> None:
        """Draw every game once, so that nobody waits for what is loaded at the first time."""
        for game in self.games.values():
            if not self.background.stopping.is_set():
                ui(game).panels(Match(game).view(), english(game))

    def stop(self) -> None:
        """Begin nothing new, and let live connections end."""
        self.background.stopping.set()
        self.tables.wake_subscribers()

    async def close(self) -> None:
        """Stop thinking, finish what is being written, and leave the database."""
        self.stop()
        await asyncio.to_thread(self.workers.stop)
        await self.background.close()
        await self.pubsub.close()
        await self.tables.finish_writing()
        await self.storage.close()
        if self.settings.watch_loop:
            self.watch.close()
        log.info("stopped")
