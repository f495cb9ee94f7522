"""Reviews in the database: those that were made, and the jobs of those that are to be made.

Somebody has asked for a review, or nobody has yet: those of matches that have just ended are made unasked, after all others.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from ridotto.bots import review
from ridotto.bots.review import Review
from ridotto.web.storage.changes import Change, insert
from ridotto.web.storage.schema import review_jobs, reviews, tables

if TYPE_CHECKING:
    from ridotto.web.storage.database import Database

UNASKED: Final = 0
"""The number of decisions of a job that nobody has asked for: they are counted when somebody does."""
MOST_UNASKED: Final = 200
"""Jobs that nobody has asked for, of all that wait: the oldest are given up."""
ADD_JOB: Final = insert(review_jobs)


@dataclass(frozen=True)
class ReviewJob:
    """A review that is to be made, and how far it is."""

    total: int
    done: int = 0
    failed: bool = False

    @property
    def is_asked(self) -> bool:
        """Whether somebody has asked for it."""
        return self.total != UNASKED


class WaitingReview(NamedTuple):
    """A review that is being made or waits to be."""

    table: str
    game: str


def add_unasked(id: str, now: int) -> Change:
    """Have a match reviewed that has just ended. The table has no job yet."""
    return Change(ADD_JOB, {"table": id, "total": UNASKED, "done": 0, "failed": False, "requested": now})


class ReviewStorage:
    """The reviews of all tables."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def load(self, id: str) -> Review | None:
        """The review of a table, if there is one."""
        chosen = sa.select(reviews.c.document).where(reviews.c.table == id)
        async with self.database.reading() as connection:
            document = (await connection.execute(chosen)).scalar_one_or_none()
        return None if document is None else review.read(document)

    async def save(self, id: str, made: Review) -> None:
        """Keep a review in the place of the one there was, and end its job."""
        new = {"table": id, "bot": made.bot, "ply": made.plies, "created": self.database.now, "document": made.json()}
        async with self.database.writing() as connection:
            await self.database.touch(connection, tables.c.id == id)
            await connection.execute(sa.delete(review_jobs).where(review_jobs.c.table == id))
            await connection.execute(sa.delete(reviews).where(reviews.c.table == id))
            await connection.execute(sa.insert(reviews).values(**new))

    # Jobs.

    async def job(self, id: str) -> ReviewJob | None:
        """The job of a table, if its review is to be made."""
        async with self.database.reading() as connection:
            row = (await connection.execute(sa.select(review_jobs).where(review_jobs.c.table == id))).one_or_none()
        return None if row is None else ReviewJob(row.total, row.done, row.failed)

    async def asked(self) -> list[WaitingReview]:
        """The reviews that somebody has asked for, in that order."""
        return await self._jobs(review_jobs.c.total != UNASKED, review_jobs.c.requested)

    async def unasked(self) -> list[WaitingReview]:
        """Those that nobody has asked for, the latest match first: its players are still there."""
        waiting = await self._jobs(review_jobs.c.total == UNASKED, review_jobs.c.requested.desc())
        if late := [one.table for one in waiting[MOST_UNASKED:]]:
            async with self.database.writing() as connection:
                await self.database.touch(connection, tables.c.id.in_(late))
                given_up = sa.and_(review_jobs.c.table.in_(late), review_jobs.c.total == UNASKED)
                await connection.execute(sa.delete(review_jobs).where(given_up))
        return waiting[:MOST_UNASKED]

    async def _jobs(self, which: sa.ColumnElement[bool], order: sa.ColumnElement[int]) -> list[WaitingReview]:
        chosen = sa.select(review_jobs.c.table, tables.c.game).join(tables, tables.c.id == review_jobs.c.table)
        ordered = chosen.where(which, review_jobs.c.failed.is_(False)).order_by(order, review_jobs.c.table)
        async with self.database.reading() as connection:
            return [WaitingReview(*row) for row in await connection.execute(ordered)]

    async def add_job(self, id: str, total: int) -> None:
        """Note that somebody asks for the review of a table, which has so many decisions; nothing if somebody has."""
        asked = {"total": max(1, total), "requested": self.database.milliseconds}
        with suppress(IntegrityError):
            async with self.database.writing() as connection:
                await self.database.touch(connection, tables.c.id == id)
                own = review_jobs.c.table == id
                waiting = sa.and_(own, review_jobs.c.total == UNASKED, review_jobs.c.failed.is_(False))
                if (await connection.execute(sa.update(review_jobs).where(waiting).values(**asked))).rowcount:
                    return
                await connection.execute(sa.delete(review_jobs).where(own, review_jobs.c.failed.is_(True)))
                await connection.execute(sa.insert(review_jobs).values(table=id, done=0, failed=False, **asked))

    async def update_job(self, id: str, done: int) -> None:
        """Note how far a job is."""
        async with self.database.writing() as connection:
            await connection.execute(sa.update(review_jobs).where(review_jobs.c.table == id).values(done=done))

    async def give_up(self, id: str) -> None:
        """Note that a job has failed."""
        async with self.database.writing() as connection:
            await self.database.touch(connection, tables.c.id == id)
            await connection.execute(sa.update(review_jobs).where(review_jobs.c.table == id).values(failed=True))
