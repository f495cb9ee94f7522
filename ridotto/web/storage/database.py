"""The database: its engine, connections and transactions, and its schema brought up to date.

With SQLite there is one server, with PostgreSQL there may be several. Either way a change is on disk when `writing` ends.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, nullcontext
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.aiosqlite import SQLiteDialect_aiosqlite
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from ridotto.engine.errors import RidottoError

APPLICATION: Final = "ridotto"
"""What a server calls itself to PostgreSQL."""
MIGRATION_LOCK: Final = 0x5269646F74746F
"""The number of the lock that a server holds while it changes the schema."""

Change = sa.Executable
"""A statement that changes something: several can be written in one transaction."""


class Conflict(Exception):
    """Another writer was first."""


class BadDatabase(RidottoError, OSError):
    """A database that cannot be used."""


class DatabaseUnavailable(RidottoError, OSError):
    """A database that does not answer just now."""


class Database:
    """A database that servers use."""

    def __init__(self, url: str, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        try:
            self.url = sa.make_url(url)
            self.engine = _engine(self.url)
        except ArgumentError as error:
            raise BadDatabase(f"cannot use the database: {error}") from error
        self._writers = self.engine.execution_options(writing=True)
        # A look takes several queries, which must not see different states: with SQLite they never do.
        self._readers = self.engine.execution_options(isolation_level="REPEATABLE READ") if self.is_shared else self.engine
        # SQLite has one writer at a time: better to queue here, in order, than to ask again and again.
        self._write_lock = asyncio.Lock() if self.engine.dialect.name == "sqlite" else None

    async def open(self) -> None:
        """Bring the schema up to date."""
        try:
            async with self._writers.begin() as connection:
                if self.is_shared:  # one server at a time
                    await connection.execute(sa.select(sa.func.pg_advisory_xact_lock(MIGRATION_LOCK)))
                await connection.run_sync(migrate)
        except (SQLAlchemyError, OSError) as error:
            await self.close()
            raise BadDatabase(f"cannot use the database {self.url!r}: {error.__cause__ or error}") from error

    async def close(self) -> None:
        await self.engine.dispose()
        if isinstance(self.engine.dialect, SqliteDialect) and self.engine.dialect.closing:
            await asyncio.wait(self.engine.dialect.closing)

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
        """A look at the database as it is at one time."""
        with _checking_availability():
            async with self._readers.connect() as connection:
                yield connection

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A change, all or nothing: it is on disk when this ends."""
        with _checking_availability():
            async with self._write_lock or nullcontext(), self._writers.begin() as connection:
                yield connection

    async def ping(self) -> None:
        """Raise if the database does not answer."""
        async with self.reading() as connection:
            await connection.execute(sa.select(1))

    async def new_connection(self) -> Any:
        """A new connection of the driver's own, outside the pool, to listen on. The caller ends it."""
        borrowed = await _engine(self.url, poolclass=sa.NullPool).raw_connection()
        raw = borrowed.driver_connection
        borrowed.detach()
        return raw


@contextmanager
def _checking_availability() -> Iterator[None]:
    """Turn what SQLAlchemy raises for a database that is gone, or has too much to do, into DatabaseUnavailable."""
    try:
        yield
    except IntegrityError:
        raise
    except DBAPIError as error:
        if error.connection_invalidated or isinstance(error, OperationalError | InterfaceError):
            raise DatabaseUnavailable("the database does not answer") from error
        raise
    except (ConnectionError, TimeoutError, PoolTimeout) as error:
        raise DatabaseUnavailable("the database does not answer") from error


def migrate(connection: sa.Connection, to: str = "head") -> None:
    """Bring the schema to a version; "base" removes all of it."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    if to == "base":
        command.downgrade(config, to)
    else:
        command.upgrade(config, to)


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


registry.register("sqlite.ridotto", __name__, SqliteDialect.__name__)


def _engine(url: sa.URL, **options: Any) -> AsyncEngine:
    if url.get_backend_name() == "sqlite":
        engine = create_async_engine(url.set(drivername="sqlite+ridotto"), **options)
        sa.event.listen(engine.sync_engine, "connect", _prepare_sqlite)
        sa.event.listen(engine.sync_engine, "begin", _begin_sqlite)
        return engine
    name = {"server_settings": {"application_name": APPLICATION}} if url.get_backend_name() == "postgresql" else {}
    return create_async_engine(url, connect_args=name, **options)


def _prepare_sqlite(connection: Any, _: object) -> None:
    """Set a connection up: a commit is on disk before it is acknowledged, and readers do not wait for the writer."""
    connection.isolation_level = None  # transactions are begun below, not guessed by the driver
    cursor = connection.cursor()
    for pragma in ("busy_timeout=5000", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_sqlite(connection: sa.Connection) -> None:
    """Begin a transaction. One that will write says so at once: a reader that turns writer later may find itself behind."""
    writing = connection.get_execution_options().get("writing")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")
