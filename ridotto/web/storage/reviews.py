"""Reviews in the database: those that were made, and the jobs of those that are asked for."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from ridotto.bots import review
from ridotto.bots.review import Review
from ridotto.web.storage.database import Database
from ridotto.web.storage.schema import review_jobs, reviews


@dataclass(frozen=True)
class ReviewJob:
    """A review that was asked for, and how far it is."""

    total: int
    done: int = 0
    failed: bool = False


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
        new = {"table": id, "bot": made.bot, "ply": made.plies, "made": self.database.now, "document": made.json()}
        async with self.database.writing() as connection:
            await connection.execute(sa.delete(review_jobs).where(review_jobs.c.table == id))
            await connection.execute(sa.delete(reviews).where(reviews.c.table == id))
            await connection.execute(sa.insert(reviews).values(**new))

    # Jobs.

    async def job(self, id: str) -> ReviewJob | None:
        """The job of a table, if its review was asked for."""
        async with self.database.reading() as connection:
            row = (await connection.execute(sa.select(review_jobs).where(review_jobs.c.table == id))).one_or_none()
        return None if row is None else ReviewJob(row.total, row.done, row.failed)

    async def jobs(self) -> list[str]:
        """The tables whose reviews are being made or wait to be, in the order in which they were asked for."""
        ordered = sa.select(review_jobs.c.table).order_by(review_jobs.c.asked, review_jobs.c.table)
        async with self.database.reading() as connection:
            return list((await connection.execute(ordered.where(review_jobs.c.failed.is_(False)))).scalars())

    async def add_job(self, id: str, total: int) -> None:
        """Add the job of a table, in the place of one that failed; nothing if it has one."""
        with suppress(IntegrityError):
            async with self.database.writing() as connection:
                failed = sa.and_(review_jobs.c.table == id, review_jobs.c.failed.is_(True))
                await connection.execute(sa.delete(review_jobs).where(failed))
                row = {"table": id, "total": total, "done": 0, "failed": False, "asked": self.database.milliseconds}
                await connection.execute(sa.insert(review_jobs).values(**row))

    async def update_job(self, id: str, **values: int) -> None:
        """Note how far a job is (`done`), or that it `failed`."""
        async with self.database.writing() as connection:
            await connection.execute(sa.update(review_jobs).where(review_jobs.c.table == id).values(**values))
