"""Whether a database is in order: the pages and references of the database itself, and the match of every table."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.exc import NoResultFound, SQLAlchemyError

from ridotto.core import record
from ridotto.web.storage import Storage
from ridotto.web.storage.database import MIGRATIONS, Database
from ridotto.web.storage.entries import read_match
from ridotto.web.storage.faults import BadDatabase
from ridotto.web.storage.schema import SCHEMA

SQLITE: Final = (("PRAGMA integrity_check", "ok"), ("PRAGMA foreign_key_check", ""))
"""Pragmas of SQLite, and the row that each gives if nothing is wrong."""
INDEXES: Final = (
    "SELECT bt_index_check(index.oid, true) FROM pg_class index JOIN pg_am am ON am.oid = index.relam AND am.amname = 'btree' "
    "WHERE index.relkind = 'i' AND index.relnamespace = current_schema()::regnamespace"
)
HEAPS: Final = (
    "SELECT heap.relname, bad.blkno, bad.offnum, bad.msg FROM pg_class heap, LATERAL verify_heapam(heap.oid) bad "
    "WHERE heap.relkind = 'r' AND heap.relnamespace = current_schema()::regnamespace"
)


@dataclass(frozen=True)
class Findings:
    """The result of a check."""

    verified: int
    """Matches that verify."""
    wrong: dict[str, str]
    """Reasons why matches do not verify, by table."""
    faults: Sequence[str]
    """Faults of the database itself."""

    @property
    def is_fine(self) -> bool:
        return not self.wrong and not self.faults


async def check(storage: Storage) -> Findings:
    """Check the schema, the database and every match, while servers go on; nothing is changed."""
    try:
        async with storage.database.reading() as connection:
            await connection.run_sync(_check_schema)
    except SQLAlchemyError as error:
        raise BadDatabase(f"cannot read the database {storage.database.url!r}: {error.__cause__ or error}") from error
    faults = await (_postgres_faults if storage.database.is_shared else _sqlite_faults)(storage.database)
    try:
        verified, wrong = await verify(storage)
    except SQLAlchemyError as error:
        verified, wrong, faults = 0, {}, [*faults, str(error.__cause__ or error)]
    return Findings(verified, wrong, faults)


async def verify(storage: Storage) -> tuple[int, dict[str, str]]:
    """Replay the match of every table: how many are right, and what is wrong with the others."""
    right, wrong = 0, {}
    for table in await storage.tables.ids():
        try:
            document = await storage.tables.document(table)
            await asyncio.sleep(0)
            read_match(document)
            right += 1
        except NoResultFound:
            pass  # it was deleted meanwhile
        except (record.BadRecord, SQLAlchemyError, ValueError) as error:
            wrong[table] = str(error.__cause__ if isinstance(error, SQLAlchemyError) else error)
    return right, wrong


def _check_schema(connection: sa.Connection) -> None:
    """Refuse a database that this version cannot read."""
    there = MigrationContext.configure(connection).get_current_revision()
    if there is None:
        raise BadDatabase("there is nothing to check: the database has no tables of ours")
    if there != ScriptDirectory(MIGRATIONS).get_current_head():
        raise BadDatabase(f"the database has the schema {there!r} of another version: start the server of this version once")


async def _sqlite_faults(database: Database) -> list[str]:
    faults = []
    for question, fine in SQLITE:
        faults += [f"{question.split()[1]}: {row}" for row in await _ask(database, question) if row != fine]
    return faults


async def _postgres_faults(database: Database) -> list[str]:
    faults = []
    for table in SCHEMA.sorted_tables:  # all that is stored of a row, long values that lie apart as well
        rows = await _ask(database, f'SELECT coalesce(sum(length(one::text)), 0) FROM "{table.name}" one')
        faults += [f"{table.name}: {row}" for row in rows if not row.isdecimal()]
    if await _ask(database, "SELECT extname FROM pg_extension WHERE extname = 'amcheck'"):
        faults += [f"amcheck: {row}" for question in (INDEXES, HEAPS) for row in await _ask(database, question) if row]
    return faults


async def _ask(database: Database, question: str) -> list[str]:
    """The rows of an answer as text; if there is none, why."""
    try:
        async with database.reading() as connection:
            rows: Sequence[Any] = (await connection.execute(sa.text(question))).all()
    except SQLAlchemyError as error:
        return [str(error.__cause__ or error)]
    return [", ".join(str(value) for value in row if value not in (None, "")) for row in rows]
