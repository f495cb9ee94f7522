"""Lets bots decide: asks a worker for every decision that a bot owes, at one server for each table."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress
from functools import partial
from typing import Final

from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import Seat
from ridotto.web.errors import NoTable, Stale
from ridotto.web.live.addresses import Addresses
from ridotto.web.live.background import BackgroundTasks
from ridotto.web.live.fair_queue import ALONE, PLAYING, Asker
from ridotto.web.live.metrics import Metrics
from ridotto.web.live.publisher import Publisher
from ridotto.web.live.pubsub import PubSub
from ridotto.web.live.table import Table
from ridotto.web.live.table_cache import TableCache
from ridotto.web.live.table_writer import TableWriter
from ridotto.web.live.workers import BotWorkerFailed, BotWorkers, Shortage
from ridotto.web.settings import Settings
from ridotto.web.storage import Storage
from ridotto.web.storage.faults import DatabaseUnavailable

TOGETHER: Final = 8
"""Tables that a server takes up at a time: another one may be about to take up the next."""

log = logging.getLogger("ridotto.web")


class BotRunner:
    """The bots of all tables, as far as this server lets them decide."""

    def __init__(
        self,
        settings: Settings,
        storage: Storage,
        tables: TableCache,
        writer: TableWriter,
        publisher: Publisher,
        workers: BotWorkers,
        pubsub: PubSub,
        metrics: Metrics,
        background: BackgroundTasks,
        addresses: Addresses,
    ) -> None:
        self.settings, self.storage, self.tables, self.workers = settings, storage, tables, workers
        self.writer, self.publisher = writer, publisher
        self.pubsub, self.metrics, self.background = pubsub, metrics, background
        self.addresses = addresses
        publisher.on_change.append(self.wake)
        workers.on_compiled.append(self._compiled)

    def open(self) -> None:
        self.background.start(self._watch())

    async def _watch(self) -> None:
        """Now and at intervals: go on wherever a bot owes a decision and no server lets it think."""
        while not self.background.stopping.is_set():
            try:
                await self._take_up()
            except DatabaseUnavailable as error:
                log.warning("nothing taken up", extra={"facts": {"error": str(error)}})
            await self.background.pause(self.settings.sweep)

    async def _take_up(self) -> None:
        waiting = [one for one in await self.storage.tables.waiting_for_bots() if not self._is_thinking(one)]
        for start in range(0, len(waiting), TOGETHER):
            for table in await self.pubsub.claim_many(waiting[start : start + TOGETHER]):
                try:
                    if not self.background.stopping.is_set():
                        self.wake(await self.tables.load(table))
                except (RidottoError, LookupError) as error:
                    log.error("a table cannot go on", extra={"facts": {"table": table, "error": str(error)}})
                finally:
                    self.background.start(self.pubsub.release(table))

    def _is_thinking(self, id: str) -> bool:
        table = self.tables.cached(id)
        return table is not None and bool(table.thinking)

    def wake(self, table: Table) -> None:
        """Let every bot that owes a decision think about it."""
        if table.match.to_act and any(chair.bot for chair in table.info.chairs):
            self.workers.want(table.info.game)
        for seat in table.match.to_act:
            bot = table.info.chairs[seat].bot
            if bot and seat not in table.thinking and not self.background.stopping.is_set():
                task = self.background.start(self._think(table, seat, bot))
                table.thinking[seat] = task
                task.add_done_callback(partial(self._finish, table, seat))

    def _finish(self, table: Table, seat: Seat, task: asyncio.Task[None]) -> None:
        if table.thinking.get(seat) is task:
            del table.thinking[seat]
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a bot gave up", exc_info=error, extra={"facts": {"table": table.id, "seat": seat}})

    async def _think(self, table: Table, seat: Seat, bot: str) -> None:
        """Decide as long as decisions are owed, if no other server does so."""
        if not await self.pubsub.claim(table.id):
            return
        try:
            if self.pubsub.is_shared:  # whoever had the claim before us may just have decided
                await self.tables.load(table.id)
            await self._decide(table, seat, bot)
        finally:
            table.thinking.pop(seat, None)  # whoever wakes this seat from here on wakes it anew
            await self.pubsub.release(table.id)
        if self.pubsub.is_shared and not self.background.stopping.is_set():
            # Somebody may have written elsewhere while our claim kept that server from thinking.
            with suppress(DatabaseUnavailable, NoTable):
                await self.tables.load(table.id)

    def _note_shortage(self, table: Table, seat: Seat, shortage: Shortage) -> None:
        if table.degraded.get(seat, "") != shortage:
            others = {one: why for one, why in table.degraded.items() if one != seat}
            table.degraded = others | ({seat: shortage} if shortage else {})
            self.publisher.publish(table)

    def _compiled(self, game: str) -> None:
        """A game is ready: its bots have come to their strength."""
        for table in self.tables.in_memory:
            if table.info.game == game and "warming" in table.degraded.values():
                table.degraded = {}
                self.publisher.publish(table)

    def _asker(self, table: Table) -> Asker:
        """For whom the bots of a table think: whoever set it up."""
        host = table.info.host or ""
        return Asker(host, self.addresses.of(host), PLAYING if table.info.has_people else ALONE)

    async def _decide(self, table: Table, seat: Seat, bot: str) -> None:
        stopping = self.background.stopping
        while seat in table.match.to_act and table.info.chairs[seat].bot == bot and not stopping.is_set():
            match = table.match
            view = match.view(seat)
            began = time.perf_counter()
            try:
                told = partial(self._note_shortage, table, seat)
                action = await self.workers.choose(bot, view, self._asker(table), told)
            except (BotWorkerFailed, RidottoError, ValueError, ArithmeticError, LookupError) as error:
                if stopping.is_set():
                    return
                # People should not have to wait for ever for a bot that is at fault.
                log.error("a bot is at fault", exc_info=error, extra={"facts": {"bot": bot, "table": table.id}})
                action = await self.workers.choose("random", view)
            self.metrics.thinking.labels(table.info.game, bot).observe(time.perf_counter() - began)
            with suppress(Stale):
                await self.writer.act(table, seat, action, match.ply, "bot")
