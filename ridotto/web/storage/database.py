"""The database: its engine, connections and transactions, and its schema brought up to date.

With SQLite there is one server, with PostgreSQL there may be several. Either way a change is on disk when `writing` ends, or
`commit` returns. `writing` is for whatever takes several steps; `commit` is the short path of an action.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.postgresql.asyncpg import PGDialect_asyncpg
from sqlalchemy.dialects.sqlite.aiosqlite import SQLiteDialect_aiosqlite
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from ridotto.engine.errors import RidottoError
from ridotto.web.steady_clock import SteadyClock
from ridotto.web.storage.changes import Change, upsert
from ridotto.web.storage.faults import BadDatabase, DatabaseUnavailable
from ridotto.web.storage.postgres_writer import PostgresWriter, numbered
from ridotto.web.storage.schema import tables, token_buckets
from ridotto.web.storage.sqlite_writer import SqliteWriter
from ridotto.web.storage.turns import Turns, answered_within

Result = TypeVar("Result")
APPLICATION: Final = "ridotto"
"""The name of a server's connections in PostgreSQL."""
MIGRATION_LOCK: Final = 0x5269646F74746F
"""The number of the lock that a server holds while it changes the schema."""
PASSING: Final = ("08", "25006", "53", "57", "58")
"""Prefixes of PostgreSQL's codes of passing errors: no connection, read-only, no room, stopped, no disk."""
MIGRATIONS: Final = str(Path(__file__).with_name("migrations"))
ROOM: Final = 256 * 1024
"""Bytes that a disk must have left for SQLite to begin."""
CONNECTING: Final = 10.0
"""Seconds that it may take a server to be connected, when it starts."""
READERS: Final = 8
"""Pooled connections of a server that read."""
WRITERS: Final = 4
"""Pooled connections over which changes of several steps are made; with SQLite one. Actions have others: `PostgresWriter`."""
ABANDONED: Final = {
    "statement_timeout": "5s",
    "idle_in_transaction_session_timeout": "10s",
    "tcp_keepalives_idle": "15",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
}
"""Settings by which PostgreSQL gives up what a server has begun that waits no longer, or that is gone."""
BUSY: Final = {True: 900, False: 5000}
"""Milliseconds for which SQLite waits for another process that has locked it, in a server and elsewhere. In a server two others
may have to give up before somebody's turn comes."""
CHECK: Final = upsert(token_buckets)
TOUCHED: Final = "touched"
"""The key of the touched tables in the `info` of a connection."""


class Database:
    """A database that servers use."""

    def __init__(self, url: str, clock: Callable[[], float] = time.time, patience: float | None = None) -> None:
        """With `patience`, a server's: after so many seconds without an answer the database counts as unavailable."""
        self._clock, self.patience = clock, patience
        try:
            self.url = sa.make_url(url)
            if self.url.get_backend_name() == "sqlite":
                _check_on_disk(self.url)
            self.engine = _engine(self.url, patience, pool_size=READERS + WRITERS, max_overflow=0)
        except ArgumentError as error:
            raise BadDatabase(f"cannot use the database: {error}") from error
        except ModuleNotFoundError as error:
            raise BadDatabase(f"this database needs {error.name}: pip install 'ridotto[server]'") from error
        self._writers = self.engine.execution_options(writing=True)
        # Reading takes several queries, which must not see different states: with SQLite they never do.
        self._readers = self.engine.execution_options(isolation_level="REPEATABLE READ") if self.is_shared else self.engine
        self._writer: SqliteWriter | PostgresWriter
        if self.is_shared:
            self._writer = PostgresWriter(self.new_connection, patience)
        else:
            self._writer = SqliteWriter(self._connect_sqlite)
            self._threads = _thread_engine(self.url, patience)
            """Connections to SQLite for threads that read."""
        # SQLite has one writer at a time: better to wait for a turn than to ask again and again.
        self._read_turns, self._write_turns = Turns(READERS), Turns(WRITERS if self.is_shared else 1)
        self._server_lock: int | None = None
        """The file that we hold locked as the one server."""
        self.on_touched: list[Callable[[Collection[str]], None]] = []
        """Called with the tables that have new versions by `touch`, when that is on disk; or may have, if it failed."""

    async def open(self) -> None:
        """Bring the schema up to date."""
        try:
            async with self._writers.begin() as connection:
                if self.is_shared:  # one server at a time, however long it takes
                    await connection.execute(sa.text("SET LOCAL statement_timeout = 0"))
                    await connection.execute(sa.select(sa.func.pg_advisory_xact_lock(MIGRATION_LOCK)))
                await connection.run_sync(migrate)
                if self.is_shared and isinstance(self._clock, SteadyClock):  # one time for all servers: the database's
                    now = (await connection.execute(sa.text("SELECT extract(epoch FROM clock_timestamp())"))).scalar_one()
                    self._clock = SteadyClock(float(now))
        except (SQLAlchemyError, OSError) as error:
            await self.close()
            why = self.disk_fault() or error.__cause__ or error
            raise BadDatabase(f"cannot use the database {self.url!r}: {why}") from error

    def become_server(self) -> None:
        """Be the only server that uses a file of SQLite, until `close` or the end of the process; raises BadDatabase.

        Such a server need not ask whether somebody else has changed a table. PostgreSQL may have many.
        """
        if self.is_shared or self._server_lock is not None:
            return
        file = str(self.url.database)
        try:
            lock = os.open(f"{Path(file).resolve()}.lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise BadDatabase(f"cannot use the database {file!r}: cannot write beside it: {error.strerror}") from error
        try:
            _lock_file(lock)
        except OSError as error:
            os.close(lock)
            what = f"another server uses the database {file!r}: stop it, or choose another folder with --data"
            raise BadDatabase(what) from error
        self._server_lock = lock

    async def close(self) -> None:
        await self._writer.close()
        with suppress(TimeoutError):
            async with answered_within(self.patience):
                await self.engine.dispose()
        if not self.is_shared:
            self._threads.dispose()
        if isinstance(self.engine.dialect, SqliteDialect) and self.engine.dialect.closing:
            await asyncio.wait(self.engine.dialect.closing)
        if self._server_lock is not None:
            os.close(self._server_lock)
            self._server_lock = None

    def disk_fault(self) -> str:
        """The reason that the system gives if nothing can be written where a file of SQLite is: SQLite itself says "disk I/O
        error" to much. "" if something can be written, or if the database is elsewhere."""
        if self.is_shared:
            return ""
        try:
            with tempfile.TemporaryFile(dir=Path(str(self.url.database)).parent) as probe:
                probe.write(bytes(ROOM))
                probe.flush()
        except OSError as error:
            return f"nothing can be written to the folder of the database: {error.strerror}"
        return ""

    @property
    def is_shared(self) -> bool:
        """Whether other servers may use it too."""
        return self.engine.dialect.name == "postgresql"

    @property
    def now(self) -> int:
        """Seconds since 1970."""
        return int(self._clock())

    @property
    def milliseconds(self) -> int:
        """Milliseconds since 1970."""
        return int(1000 * self._clock())

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A connection that sees the database as it is at one time."""
        async with self._read_turns.turn():
            with _checking_availability():
                async with answered_within(self.patience), self._readers.connect() as connection:
                    yield connection

    async def read(self, work: Callable[[sa.Connection], Result]) -> Result:
        """The result of `work`, which reads the database as it is at one time, in as few steps of the event loop as can be."""
        if self.is_shared:
            async with self.reading() as connection:
                return await connection.run_sync(work)
        async with self._read_turns.turn():
            with _checking_availability():
                async with answered_within(self.patience):
                    return await asyncio.to_thread(self._read_in_thread, work)

    def _read_in_thread(self, work: Callable[[sa.Connection], Result]) -> Result:
        with self._threads.connect() as connection:
            return work(connection)

    @asynccontextmanager
    async def writing(self, *, is_long: bool = False) -> AsyncIterator[AsyncConnection]:
        """A change, all or nothing: it is on disk when this ends. One that is long may take as long as it takes."""
        touched: set[str] = set()
        patience = None if is_long else self.patience
        try:
            async with self._write_turns.turn():
                with _checking_availability():
                    async with answered_within(patience), self._writer.turn(), self._writers.begin() as connection:
                        if is_long and self.is_shared:
                            await connection.execute(sa.text("SET LOCAL statement_timeout = 0"))
                        connection.info[TOUCHED] = touched
                        yield connection
        finally:
            if touched:
                for listener in self.on_touched:
                    listener(touched)

    async def touch(self, connection: AsyncConnection, *where: sa.ColumnElement[bool], **values: Any) -> list[str]:
        """Give tables a new version, and other values with it; the ids of those tables. Nothing else gives a table a new
        version but an action, so every copy in memory is marked as old."""
        update = sa.update(tables).where(*where).values(version=tables.c.version + 1, **values)
        ids = list((await connection.execute(update.returning(tables.c.id))).scalars())
        connection.info[TOUCHED].update(ids)
        return ids

    async def execute(self, connection: AsyncConnection, change: Change) -> int:
        """Make a change in a transaction of `writing`; how many rows it has changed."""
        if not self.is_shared:
            return (await connection.exec_driver_sql(*change.compile("sqlite"))).rowcount
        statement, values = change.compile("postgresql")
        sql, names = numbered(statement)
        return (await connection.exec_driver_sql(sql, tuple(values[name] for name in names))).rowcount

    async def commit(self, condition: Change, changes: Sequence[Change]) -> bool:
        """Write changes, all or none: they are on disk when this returns True.

        False, and nothing is changed, if `condition`, an update, finds nothing to change, or if another writer was first. No
        change may depend on another one of them. If this is cancelled, it is written or not when this ends.
        """
        with _checking_availability():
            return await self._writer.commit(condition, changes)

    async def check(self) -> None:
        """Write something, past the pool; raises DatabaseUnavailable."""
        await self.commit(Change(CHECK, {"key": "health", "tokens": 0.0, "at": self.milliseconds}), ())

    def _connect_sqlite(self) -> sqlite3.Connection:
        """A new connection to SQLite of the driver's own, for the thread that asks."""
        given: Any = self.engine.dialect.create_connect_args(self.url)
        connection: sqlite3.Connection = sqlite3.connect(*given[0], **{**given[1], "check_same_thread": True})
        _prepare_sqlite(connection, BUSY[self.patience is not None])
        return connection

    async def new_connection(self) -> Any:
        """A new connection of the driver's own, outside the pool, to listen on. The caller ends it."""
        borrowed = await _engine(self.url, self.patience, poolclass=sa.NullPool).raw_connection()
        raw = borrowed.driver_connection
        borrowed.detach()
        return raw


@contextmanager
def _checking_availability() -> Iterator[None]:
    """Turn what SQLAlchemy raises for a database that is gone, or has too much to do, into DatabaseUnavailable."""
    try:
        yield
    except (IntegrityError, RidottoError):
        raise
    except DBAPIError as error:
        code = str(getattr(error.orig, "sqlstate", None) or "")
        if error.connection_invalidated or isinstance(error, OperationalError | InterfaceError) or code.startswith(PASSING):
            raise DatabaseUnavailable("the database does not answer") from error
        raise
    except (OSError, PoolTimeout, sqlite3.OperationalError) as error:  # its host or its socket may be gone, or it hangs
        raise DatabaseUnavailable("the database does not answer") from error


def migrate(connection: sa.Connection, to: str = "head") -> None:
    """Bring the schema to a version; "base" removes all of it."""
    config = Config()
    config.set_main_option("script_location", MIGRATIONS)
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    if to == "base":
        command.downgrade(config, to)
    else:
        command.upgrade(config, to)


def _check_on_disk(url: sa.URL) -> None:
    """Refuse a SQLite that is in memory: it would end with the server, and each connection would have one of its own."""
    if url.database in (None, "", ":memory:") or url.query.get("mode") == "memory":
        raise BadDatabase("cannot use a database in memory: what was played must be on disk; name a file, or none at all")


def _lock_file(descriptor: int) -> None:
    """Lock a file until it is closed, at the latest when this process ends, however it ends; raises OSError."""
    try:
        import fcntl
    except ImportError:
        import msvcrt

        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined, unused-ignore]
    else:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


# Engines.


class SqliteDialect(SQLiteDialect_aiosqlite):
    """SQLAlchemy's dialect for aiosqlite, with connections that end in their own time.

    aiosqlite waits for ever for a connection that is ended twice, which happens where a query is cancelled more than once.
    """

    supports_statement_cache = True

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.closing: set[asyncio.Task[None]] = set()
        """Connections that are being ended."""

    def do_terminate(self, dbapi_connection: Any) -> None:
        task = asyncio.ensure_future(dbapi_connection.driver_connection.close())
        self.closing.add(task)
        task.add_done_callback(self.closing.discard)


class PostgresDialect(PGDialect_asyncpg):
    """SQLAlchemy's dialect for asyncpg, without a polite end for a connection on which something went wrong.

    That would wait for the very database that does not answer.
    """

    supports_statement_cache = True

    def do_terminate(self, dbapi_connection: Any) -> None:
        dbapi_connection.driver_connection.terminate()


registry.register("sqlite.ridotto", __name__, SqliteDialect.__name__)
registry.register("postgresql.ridotto", __name__, PostgresDialect.__name__)


def _engine(url: sa.URL, patience: float | None, **options: Any) -> AsyncEngine:
    if url.get_backend_name() == "sqlite":
        engine = create_async_engine(url.set(drivername="sqlite+ridotto"), **options)
        sa.event.listen(engine.sync_engine, "connect", partial(_prepare_pooled_sqlite, BUSY[patience is not None]))
        sa.event.listen(engine.sync_engine, "begin", _begin_sqlite)
        return engine
    if url.get_driver_name() != "asyncpg":
        return create_async_engine(url, **options)
    settings = {"application_name": APPLICATION, **({} if patience is None else ABANDONED)}
    given = {"server_settings": settings, **({} if patience is None else {"timeout": CONNECTING})}
    return create_async_engine(url.set(drivername="postgresql+ridotto"), connect_args=given, **options)


def _thread_engine(url: sa.URL, patience: float | None) -> sa.Engine:
    engine = sa.create_engine(url.set(drivername="sqlite"), pool_size=READERS, max_overflow=0)
    sa.event.listen(engine, "connect", partial(_prepare_pooled_sqlite, BUSY[patience is not None]))
    sa.event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: Any, busy: int) -> None:
    """Set a connection up: a commit is on disk before it is acknowledged, and readers do not wait for the writer."""
    connection.isolation_level = None  # transactions are begun below, not guessed by the driver
    cursor = connection.cursor()
    for pragma in (f"busy_timeout={busy}", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _prepare_pooled_sqlite(busy: int, connection: Any, _: object) -> None:
    """The same for one of many: each would keep 2 MiB of the file, which the system keeps as well."""
    _prepare_sqlite(connection, busy)
    connection.cursor().execute("PRAGMA cache_size=-256")


def _begin_sqlite(connection: sa.Connection) -> None:
    """Begin a transaction. One that will write says so at once: a reader that turns writer later may find itself behind."""
    writing = connection.get_execution_options().get("writing")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")
