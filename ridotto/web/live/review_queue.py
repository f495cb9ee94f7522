"""Reviews being made: those asked for wait in the store, and whichever server is free takes the next.

How far each is stands there too, so that any server can tell. What a server was making when it died is begun anew by another
one, or by the next.
"""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from ridotto.bots import review
from ridotto.bots.review import Judgement, Review
from ridotto.core.match import Match
from ridotto.web.live.tables import House
from ridotto.web.storage.store import Away, Store, judging, reviews

BOT: Final = "search:400"
"""Who judges."""
TOGETHER: Final = 2
"""Decisions that are judged at a time."""
OFTEN: Final = 0.5
"""Seconds between notes on how far a review is."""

log = logging.getLogger("ridotto.web")


@dataclass(frozen=True)
class Job:
    """A review that was asked for, and how far it is."""

    total: int
    done: int = 0
    failed: bool = False


async def kept(keeper: Store, id: str) -> Review | None:
    """The review of a table, if there is one."""
    chosen = sa.select(reviews.c.document).where(reviews.c.table == id)
    async with keeper.reading() as connection:
        document = (await connection.execute(chosen)).scalar_one_or_none()
    return None if document is None else review.read(document)


async def keep(keeper: Store, id: str, made: Review) -> None:
    """Keep a review in the place of the one there was; it is being made no more."""
    new = {"table": id, "bot": made.bot, "ply": made.plies, "made": keeper.now, "document": made.json()}
    async with keeper.writing() as connection:
        await connection.execute(sa.delete(judging).where(judging.c.table == id))
        await connection.execute(sa.delete(reviews).where(reviews.c.table == id))
        await connection.execute(sa.insert(reviews).values(**new))


async def job(keeper: Store, id: str) -> Job | None:
    """How far the review of a table is, if one was asked for."""
    async with keeper.reading() as connection:
        row = (await connection.execute(sa.select(judging).where(judging.c.table == id))).one_or_none()
    return None if row is None else Job(row.total, row.done, row.failed)


async def waiting(keeper: Store) -> list[str]:
    """The tables whose reviews are being made or wait to be, in the order in which they were asked for."""
    chosen = sa.select(judging.c.table).where(judging.c.failed.is_(False)).order_by(judging.c.asked, judging.c.table)
    async with keeper.reading() as connection:
        return list((await connection.execute(chosen)).scalars())


class Judges:
    """One server's part in it."""

    def __init__(self, house: House) -> None:
        self.house, self.store, self.wire = house, house.store, house.wire
        self.turn = asyncio.Lock()
        """One review at a time: bots that play should not wait for it."""

    async def ask(self, id: str, match: Match) -> None:
        """Let a review be made; once, however often it is asked for."""
        total = len(await asyncio.to_thread(review.decisions, match))
        with suppress(IntegrityError):  # somebody was first
            async with self.store.writing() as connection:
                await connection.execute(sa.delete(judging).where(judging.c.table == id, judging.c.failed.is_(True)))
                row = {"table": id, "total": total, "done": 0, "failed": False, "asked": self.store.milliseconds}
                await connection.execute(sa.insert(judging).values(**row))
        self.house.later(self.take_up())

    async def watch(self) -> None:
        """Now and at intervals: take up what others have left."""
        while not self.house.stopping.is_set():
            await self.take_up()
            with suppress(TimeoutError):
                await asyncio.wait_for(self.house.stopping.wait(), self.house.settings.sweep)

    async def take_up(self) -> None:
        """Make one review after another, until there is none left that no other server makes."""
        if self.turn.locked():
            return
        async with self.turn:
            try:
                while not self.house.stopping.is_set() and (one := await self._claimed()):
                    try:
                        await self._make(one)
                    finally:
                        await self.wire.release(f"review {one}")
            except Away as error:
                log.warning("no review taken up", extra={"facts": {"error": str(error)}})

    async def _claimed(self) -> str | None:
        for one in await waiting(self.store):
            if await self.wire.claim(f"review {one}"):
                if (found := await job(self.store, one)) and not found.failed:  # else somebody has just made it
                    return one
                await self.wire.release(f"review {one}")
        return None

    async def _make(self, id: str) -> None:
        """Have every decision judged by the workers, a few at a time, and keep what they say."""
        try:
            match = (await self.house.table(id)).match
            found: list[Judgement] = []
            plies, noted = await asyncio.to_thread(review.decisions, match), 0.0
            for start in range(0, len(plies), TOGETHER):
                if time.monotonic() - noted >= OFTEN:
                    await self._note(id, done=len(found))
                    noted = time.monotonic()
                found += await asyncio.gather(*(self._judged(match, ply) for ply in plies[start : start + TOGETHER]))
            await keep(self.store, id, review.gathered(match, BOT, found))
        except Away:
            raise  # to be begun anew
        except Exception as error:  # whatever it is: the next review must not wait for it
            if not self.house.stopping.is_set():
                log.error("a review was given up", exc_info=error, extra={"facts": {"table": id}})
                await self._note(id, failed=True)

    async def _note(self, id: str, **values: int) -> None:
        async with self.store.writing() as connection:
            await connection.execute(sa.update(judging).where(judging.c.table == id).values(**values))

    async def _judged(self, match: Match, ply: int) -> Judgement:
        view = await asyncio.to_thread(review.view_at, match, ply)
        action = match.game.action(match.entries[ply].do)
        return await self.house.thinkers.judge(BOT, view, ply, action)
