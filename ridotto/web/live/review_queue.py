"""The queue of reviews: they wait in the database, and whichever server is free makes the next.

How far each is stands there too, so that any server can tell. What a server was making when it died is begun anew by another
one, or by the next. Matches that have just ended are reviewed unasked, so that their tables can tell where they turned: when
nobody waits for anything else, and with compiled rules alone, since the others take long.
"""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress
from typing import Final

from ridotto.bots import judging, review
from ridotto.bots.judging import Judgement
from ridotto.core.match import Match
from ridotto.web.errors import NoTable
from ridotto.web.live.background import BackgroundTasks
from ridotto.web.live.fair_queue import BESIDE, UNASKED, Asker
from ridotto.web.live.publisher import Publisher
from ridotto.web.live.pubsub import PubSub
from ridotto.web.live.table import Table
from ridotto.web.live.table_cache import TableCache
from ridotto.web.live.workers import BotWorkers
from ridotto.web.settings import Settings
from ridotto.web.storage.faults import DatabaseUnavailable
from ridotto.web.storage.reviews import ReviewStorage

BOT: Final = judging.BOT
"""The bot that judges: the same as in the terminal."""
SLOW_BOT: Final = "search:400"
"""The bot that judges with interpreted rules, before a game is compiled."""
TOGETHER: Final = 2
"""Decisions that are judged at a time."""
OFTEN: Final = 0.5
"""Seconds between notes on how far a review is."""

log = logging.getLogger("ridotto.web")


class ReviewQueue:
    """One server's part in the making of reviews."""

    def __init__(
        self,
        settings: Settings,
        reviews: ReviewStorage,
        tables: TableCache,
        publisher: Publisher,
        workers: BotWorkers,
        pubsub: PubSub,
        background: BackgroundTasks,
    ) -> None:
        self.settings, self.reviews, self.tables = settings, reviews, tables
        self.workers, self.pubsub, self.background = workers, pubsub, background
        self._working = {True: asyncio.Lock(), False: asyncio.Lock()}
        """One review at a time that somebody has asked for, and one that nobody has: bots that play should not wait for it."""
        self._making: set[str] = set()
        """The tables whose reviews are being made here."""
        publisher.on_change.append(self._changed)

    def open(self) -> None:
        for is_asked in self._working:
            self.background.start(self._watch(is_asked))

    async def add(self, id: str, match: Match) -> None:
        """Have a review made for somebody who asks; once, however often it is asked for."""
        await self.reviews.add_job(id, len(await asyncio.to_thread(review.decisions, match)))
        await self.tables.load(id)
        self.background.start(self.work(is_asked=True))

    def _changed(self, table: Table) -> None:
        """A table has changed: perhaps its match is over now, and is to be reviewed."""
        if table.state.extras.is_reviewing and not self._working[False].locked():
            self.background.start(self.work(is_asked=False))

    async def _watch(self, is_asked: bool) -> None:
        """Now and at intervals: take up what others have left."""
        while not self.background.stopping.is_set():
            await self.work(is_asked)
            await self.background.pause(self.settings.sweep)

    async def work(self, is_asked: bool = True) -> None:
        """Make one review after another, until there is none left that no other server makes."""
        if self._working[is_asked].locked():
            return
        async with self._working[is_asked]:
            try:
                while not self.background.stopping.is_set() and (table := await self._claim(is_asked)):
                    self._making.add(table)
                    try:
                        await self._make(table)
                    finally:
                        self._making.discard(table)
                        await self.pubsub.release(f"review {table}")
            except DatabaseUnavailable as error:
                log.warning("no review taken up", extra={"facts": {"error": str(error)}})

    async def _claim(self, is_asked: bool) -> str | None:
        """The next table whose review is ours to make."""
        for table, game in await (self.reviews.asked() if is_asked else self.reviews.unasked()):
            if table in self._making or (not is_asked and game in (*self.workers.to_compile, *self.workers.to_review)):
                continue
            if await self.pubsub.claim(f"review {table}"):
                if (job := await self.reviews.job(table)) and not job.failed:  # else somebody has just made it
                    return table
                await self.pubsub.release(f"review {table}")
        return None

    async def _make(self, id: str) -> None:
        """Have every decision judged by the workers, a few at a time, and keep what they say."""
        try:
            match = (await self.tables.load(id)).match
            judgements: list[Judgement] = []
            bot = SLOW_BOT if match.game.name in self.workers.to_compile else BOT
            plies, noted, asker = await asyncio.to_thread(review.decisions, match), 0.0, Asker(rank=BESIDE)
            for start in range(0, len(plies), TOGETHER):
                if time.monotonic() - noted >= OFTEN:
                    await self.reviews.update_job(id, done=len(judgements))
                    asker = await self._asker(id)
                    noted = time.monotonic()
                judgements += await asyncio.gather(
                    *(self._judge(bot, match, ply, asker) for ply in plies[start : start + TOGETHER])
                )
            luck = await self.workers.luck(match, await self._asker(id))
            await self.reviews.save(id, review.assemble_review(match, bot, judgements, luck))
        except DatabaseUnavailable:
            raise  # to be begun anew
        except Exception as error:  # whatever it is: the next review must not wait for it
            if self.background.stopping.is_set():
                return
            log.error("a review was given up", exc_info=error, extra={"facts": {"table": id}})
            await self.reviews.give_up(id)
        with suppress(NoTable):  # somebody may have deleted it meanwhile
            await self.tables.load(id)

    async def _asker(self, id: str) -> Asker:
        """For whom a review is made: somebody may have asked for it meanwhile."""
        job = await self.reviews.job(id)
        return Asker(rank=BESIDE if job is not None and job.is_asked else UNASKED)

    async def _judge(self, bot: str, match: Match, ply: int, asker: Asker) -> Judgement:
        view = await asyncio.to_thread(review.view_at, match, ply)
        action = match.game.action(match.entries[ply].do)
        return await self.workers.judge(bot, view, ply, action, asker)
