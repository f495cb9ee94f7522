"""The queue of reviews: those asked for wait in the database, and whichever server is free makes the next.

How far each is stands there too, so that any server can tell. What a server was making when it died is begun anew by another
one, or by the next.
"""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Final

from ridotto.bots import review
from ridotto.bots.review import Judgement
from ridotto.core.match import Match
from ridotto.web.live.background import BackgroundTasks
from ridotto.web.live.fair_queue import BESIDE, Asker
from ridotto.web.live.pubsub import PubSub
from ridotto.web.live.tables import TableService
from ridotto.web.live.workers import WorkerPool
from ridotto.web.settings import Settings
from ridotto.web.storage.database import DatabaseUnavailable
from ridotto.web.storage.reviews import ReviewStorage

BOT: Final = review.BOT
"""Who judges: the same as in the terminal."""
SLOW_BOT: Final = "search:400"
"""Who judges with interpreted rules, before a game is compiled."""
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
        tables: TableService,
        workers: WorkerPool,
        pubsub: PubSub,
        background: BackgroundTasks,
    ) -> None:
        self.settings, self.reviews, self.tables = settings, reviews, tables
        self.workers, self.pubsub, self.background = workers, pubsub, background
        self._working = asyncio.Lock()
        """One review at a time: bots that play should not wait for it."""

    def open(self) -> None:
        self.background.start(self._watch())

    async def add(self, id: str, match: Match) -> None:
        """Have a review made; once, however often it is asked for."""
        await self.reviews.add_job(id, len(await asyncio.to_thread(review.decisions, match)))
        self.background.start(self.work())

    async def _watch(self) -> None:
        """Now and at intervals: take up what others have left."""
        while not self.background.stopping.is_set():
            await self.work()
            await self.background.pause(self.settings.sweep)

    async def work(self) -> None:
        """Make one review after another, until there is none left that no other server makes."""
        if self._working.locked():
            return
        async with self._working:
            try:
                while not self.background.stopping.is_set() and (table := await self._claim()):
                    try:
                        await self._make(table)
                    finally:
                        await self.pubsub.release(f"review {table}")
            except DatabaseUnavailable as error:
                log.warning("no review taken up", extra={"facts": {"error": str(error)}})

    async def _claim(self) -> str | None:
        """The next table whose review is ours to make."""
        for table in await self.reviews.jobs():
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
            plies, noted = await asyncio.to_thread(review.decisions, match), 0.0
            for start in range(0, len(plies), TOGETHER):
                if time.monotonic() - noted >= OFTEN:
                    await self.reviews.update_job(id, done=len(judgements))
                    noted = time.monotonic()
                judgements += await asyncio.gather(*(self._judge(bot, match, ply) for ply in plies[start : start + TOGETHER]))
            luck = await self.workers.luck(match, Asker(rank=BESIDE))
            await self.reviews.save(id, review.assemble_review(match, bot, judgements, luck))
        except DatabaseUnavailable:
            raise  # to be begun anew
        except Exception as error:  # whatever it is: the next review must not wait for it
            if not self.background.stopping.is_set():
                log.error("a review was given up", exc_info=error, extra={"facts": {"table": id}})
                await self.reviews.update_job(id, failed=True)

    async def _judge(self, bot: str, match: Match, ply: int) -> Judgement:
        view = await asyncio.to_thread(review.view_at, match, ply)
        action = match.game.action(match.entries[ply].do)
        return await self.workers.judge(bot, view, ply, action, Asker(rank=BESIDE))
