"""The database of a table in a tab: SQLite in memory, on one connection, without threads.

It has the methods of `ridotto.web.storage.database.Database` that one server needs, so everything else in this folder is the
same on a server and in a browser. What it holds is handed out as bytes, and the browser keeps them.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

import sqlalchemy as sa

from ridotto.web.storage.changes import Change
from ridotto.web.storage.faults import BadDatabase
from ridotto.web.storage.schema import SCHEMA, tables

Result = TypeVar("Result")
VERSIONS: Final = Path(__file__).with_name("migrations") / "versions"
NEWER: Final = "what this browser has kept was written by a newer version of Ridotto"


def latest_schema() -> int:
    """The number of the schema that `SCHEMA` is."""
    return max(int(path.stem.removeprefix("v")) for path in VERSIONS.glob("v*.py*"))


class MemoryConnection:
    """A connection of SQLAlchemy, with the methods of an asynchronous one that the storage uses."""

    def __init__(self, connection: sa.Connection) -> None:
        self.sync_connection = connection
        self.info = connection.info

    async def execute(self, statement: Any, parameters: Any = None) -> sa.CursorResult[Any]:
        return self.sync_connection.execute(statement, parameters)

    async def exec_driver_sql(self, statement: str, parameters: Any = None) -> sa.CursorResult[Any]:
        return self.sync_connection.exec_driver_sql(statement, parameters)

    async def run_sync(self, work: Callable[..., Result], *given: Any) -> Result:
        return work(self.sync_connection, *given)

    async def rollback(self) -> None:
        self.sync_connection.rollback()


class MemoryDatabase:
    """A database that one tab uses."""

    is_shared: Final = False
    patience: Final = None

    def __init__(self, saved: bytes | None = None, clock: Callable[[], float] = time.time) -> None:
        """Go on with what was `saved`, if anything was."""
        self._clock, self._saved = clock, saved
        self._turn = asyncio.Lock()
        """Held while there is a transaction."""
        self._raw = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
        self._engine = sa.create_engine("sqlite://", creator=lambda: self._raw, poolclass=sa.pool.StaticPool)
        sa.event.listen(self._engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
        self.on_touched: list[Callable[[Collection[str]], None]] = []
        """Called with the tables that have new versions by `touch`."""
        self.on_written: list[Callable[[], None]] = []
        """Called when something was written."""

    async def open(self) -> None:
        """Read what was saved, and bring its schema up to date; raises BadDatabase."""
        latest = latest_schema()
        if self._saved:
            try:
                self._raw.deserialize(self._saved)
                (version,) = self._raw.execute("PRAGMA user_version").fetchone()
            except sqlite3.Error as error:
                raise BadDatabase(f"cannot read what this browser has kept: {error}") from error
            if version > latest:
                raise BadDatabase(NEWER)
            if version < latest:
                self._migrate()
        else:
            with self._engine.begin() as connection:
                SCHEMA.create_all(connection)
        self._saved = None
        self._raw.execute("PRAGMA foreign_keys=ON")
        self._raw.execute(f"PRAGMA user_version={latest}")

    def _migrate(self) -> None:
        """Bring an older schema up to date, by what servers bring theirs up to date with."""
        from ridotto.web.storage.database import migrate

        with self._engine.begin() as connection:
            migrate(connection)

    def become_server(self) -> None:
        """It is the only one: the tab sees to that."""

    async def close(self) -> None:
        self._engine.dispose()

    def disk_fault(self) -> str:
        return ""

    def saved(self) -> bytes:
        """Everything in it, to be kept."""
        return bytes(self._raw.serialize())

    @property
    def now(self) -> int:
        """Seconds since 1970."""
        return int(self._clock())

    @property
    def milliseconds(self) -> int:
        """Milliseconds since 1970."""
        return int(1000 * self._clock())

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[MemoryConnection]:
        """A connection that sees the database as it is at one time."""
        async with self._turn:
            with self._engine.begin() as connection:
                yield MemoryConnection(connection)

    async def read(self, work: Callable[[sa.Connection], Result]) -> Result:
        """The result of `work`, which reads the database as it is at one time."""
        async with self.reading() as connection:
            return await connection.run_sync(work)

    @asynccontextmanager
    async def writing(self, *, is_long: bool = False) -> AsyncIterator[MemoryConnection]:
        """A change, all or nothing."""
        touched: set[str] = set()
        try:
            async with self._turn:
                with self._engine.begin() as connection:
                    connection.info["touched"] = touched
                    yield MemoryConnection(connection)
        finally:
            if touched:
                for listener in self.on_touched:
                    listener(touched)
        self._note_written()

    async def touch(self, connection: MemoryConnection, *where: sa.ColumnElement[bool], **values: Any) -> list[str]:
        """Give tables a new version, and other values with it; the ids of those tables."""
        update = sa.update(tables).where(*where).values(version=tables.c.version + 1, **values)
        ids = list((await connection.execute(update.returning(tables.c.id))).scalars())
        connection.info["touched"].update(ids)
        return ids

    async def execute(self, connection: MemoryConnection, change: Change) -> int:
        """Make a change in a transaction of `writing`; how many rows it has changed."""
        return (await connection.exec_driver_sql(*change.compile("sqlite"))).rowcount

    async def commit(self, condition: Change, changes: Sequence[Change]) -> bool:
        """Write changes, all or none; False if `condition`, an update, finds nothing to change."""
        async with self._turn:
            self._raw.execute("BEGIN")
            try:
                is_done = self._raw.execute(*condition.compile("sqlite")).rowcount > 0
                for change in changes if is_done else ():
                    self._raw.execute(*change.compile("sqlite"))
            except sqlite3.IntegrityError:
                is_done = False
            except BaseException:
                self._raw.execute("ROLLBACK")
                raise
            self._raw.execute("COMMIT" if is_done else "ROLLBACK")
        if is_done:
            self._note_written()
        return is_done

    def _note_written(self) -> None:
        for listener in self.on_written:
            listener()
