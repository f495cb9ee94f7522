"""Everything that a database has, as lines of JSON: written while servers run, read back into either kind of database.

The first line says what it is and which schema it has, then comes a line for each row, and the last line has the counts and a
digest of all before, so that half a file is not taken for a whole one. A backup of an older schema is read into that schema
and brought up to date. The secret of the server is not in it: keep `secret.key` apart, links and cookies depend on it.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any, Final, Literal, cast

import sqlalchemy as sa
from alembic.migration import MigrationContext
from alembic.util.exc import CommandError
from sqlalchemy.exc import SQLAlchemyError

from ridotto.engine.errors import RidottoError
from ridotto.web.private_files import sync_folder
from ridotto.web.storage import Storage
from ridotto.web.storage.check import Findings, check
from ridotto.web.storage.database import APPLICATION, Database, migrate
from ridotto.web.storage.faults import BadDatabase
from ridotto.web.storage.schema import JSON

FORMAT: Final = "ridotto backup"
VERSION: Final = 1
EXCLUDED: Final = ("alembic_version", "token_buckets", "shares")
"""Tables that a backup leaves out: its first line has the version of the schema, and token buckets (once `shares`)
are of no use later."""
MANY: Final = 500
"""Rows that are written at a time."""


class BadBackup(RidottoError, ValueError):
    """A backup that cannot be read, or must not be read here."""


@contextmanager
def _packed(file: IO[bytes], path: Path, mode: Literal["rb", "wb"]) -> Iterator[IO[bytes]]:
    if path.suffix == ".gz":
        with gzip.GzipFile("", mode, fileobj=file) as inside:
            yield cast(IO[bytes], inside)
    else:
        yield file


@contextmanager
def _replacing(path: Path) -> Iterator[IO[bytes]]:
    """A file for our own eyes beside another one, whose place it takes when it is whole and on disk; if not, it is removed."""
    new = path.with_name(f".{path.name}.part")
    try:
        new.unlink(missing_ok=True)
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            with _packed(file, path, "wb") as inside:
                yield inside
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
        sync_folder(path.parent)
    except BaseException:
        with suppress(OSError):
            new.unlink(missing_ok=True)
        raise


def _reflect(connection: sa.Connection) -> sa.MetaData:
    """The tables that a database has, whatever its schema."""
    tables = sa.MetaData()
    tables.reflect(connection)
    for table in tables.tables.values():
        for column in table.c:
            if isinstance(column.type, sa.JSON):
                column.type = JSON
    return tables


# Writing.


async def write(database: Database, path: Path) -> Counter[str]:
    """Write everything to a file, as it is at one time; the number of rows of each table."""
    if not path.parent.is_dir():
        raise BadBackup(f"cannot write {str(path)!r}: there is no folder {str(path.parent)!r}")
    try:
        async with database.reading() as connection:
            return await connection.run_sync(_write, path)
    except SQLAlchemyError as error:
        raise BadDatabase(f"cannot read the database {database.url!r}: {error.__cause__ or error}") from error


def _write(connection: sa.Connection, path: Path) -> Counter[str]:
    schema = MigrationContext.configure(connection).get_current_revision()
    if schema is None:
        raise BadBackup("there is nothing to keep: the database has no tables of ours")
    counts: Counter[str] = Counter()
    digest = hashlib.sha256()

    def lines() -> Iterator[dict[str, Any]]:
        yield {"format": FORMAT, "version": VERSION, "schema": schema}
        for table in _reflect(connection).sorted_tables:
            if table.name in EXCLUDED:
                continue
            chosen = sa.select(table).order_by(*table.primary_key)
            for row in connection.execution_options(yield_per=MANY).execute(chosen).mappings():
                counts[table.name] += 1
                yield {"table": table.name, "row": dict(row)}
        yield {"end": dict(counts), "sha256": digest.hexdigest()}

    try:
        with _replacing(path) as file:
            for content in lines():
                line = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
                digest.update(line)
                file.write(line)
    except OSError as error:
        if isinstance(error, ConnectionError | TimeoutError):  # the database's
            raise
        raise BadBackup(f"cannot write {str(path)!r}: {error.strerror or error}") from error
    return counts


# Reading.


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of a backup that is whole, the last one left out; raises BadBackup."""
    digest = hashlib.sha256()
    counts: Counter[str] = Counter()
    try:
        with path.open("rb") as packed, _packed(packed, path, "rb") as file:
            for number, line in enumerate(file):
                content = json.loads(line)
                if not isinstance(content, dict) or (number == 0 and content.get("format") != FORMAT):
                    raise BadBackup(f"{str(path)!r} is no backup of ours")
                if number == 0 and content["version"] != VERSION:
                    raise BadBackup(f"{str(path)!r} has version {content['version']} of the format; known: {VERSION}")
                if "end" in content:
                    if content != {"end": dict(counts), "sha256": digest.hexdigest()}:
                        raise BadBackup(f"{str(path)!r} was changed: its digest does not fit")
                    return
                digest.update(line)
                counts.update([content["table"]] if "table" in content else [])
                yield content
    except (EOFError, UnicodeDecodeError, json.JSONDecodeError, gzip.BadGzipFile, KeyError) as error:
        raise BadBackup(f"{str(path)!r} is no backup of ours, or was changed: {error}") from error
    except OSError as error:
        raise BadBackup(f"cannot read {str(path)!r}: {error.strerror or error}") from error
    raise BadBackup(f"{str(path)!r} is not whole: its end is missing")


async def restore(database: Database, path: Path, *, force: bool = False) -> Counter[str]:
    """Put a backup into a database, in one transaction; `force` replaces what is there."""
    for _ in read_lines(path):  # all of it is fine, before anything is touched
        pass
    await database.engine.dispose()  # our own connections are not in the way
    _check_unused_file(database)
    try:
        async with database.writing() as connection:
            if database.is_shared:
                await connection.run_sync(_check_unused)
            counts = await connection.run_sync(_restore, path, force)
    except SQLAlchemyError as error:
        raise BadDatabase(f"cannot use the database {database.url!r}: {error.__cause__ or error}") from error
    return counts


def _check_unused_file(database: Database) -> None:
    """Refuse to work under a server that uses the same file: it would not notice."""
    file = database.url.database
    if database.is_shared or not file or not Path(file).exists():
        return
    try:
        with closing(sqlite3.connect(file, timeout=1)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")  # needs the file for itself
    except sqlite3.Error as error:
        raise BadDatabase(f"cannot use the database {file!r}: {error}; if a server uses it, stop it first") from error


def _check_unused(connection: sa.Connection) -> None:
    others = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    if (count := connection.exec_driver_sql(f"{others} AND application_name = '{APPLICATION}'").scalar_one()) > 0:
        raise BadDatabase(f"cannot replace the database: {count} connections of servers use it; stop them first")


def _restore(connection: sa.Connection, path: Path, force: bool) -> Counter[str]:
    old = _reflect(connection).sorted_tables
    there = {table.name: connection.scalar(sa.select(sa.func.count()).select_from(table)) for table in old}
    for name in EXCLUDED:
        there.pop(name, None)
    if any(there.values()) and not force:
        counted = ", ".join(f"{name} {count}" for name, count in there.items() if count)
        raise BadBackup(f"the database is not empty ({counted}): --force replaces what is there")
    backup = read_lines(path)
    schema = next(backup)["schema"]
    try:
        if there:
            migrate(connection, "base")
        migrate(connection, schema)
    except CommandError as error:
        raise BadBackup(f"the backup has the schema {schema!r}, which this version does not know: {error}") from error
    tables = _reflect(connection).tables
    counts: Counter[str] = Counter()
    later: list[sa.Update] = []
    waiting: list[dict[str, Any]] = []
    last = ""

    def flush() -> None:
        if waiting:
            connection.execute(sa.insert(tables[last]), waiting)
            waiting.clear()

    for line in backup:
        name, row = line["table"], line["row"]
        if name != last or len(waiting) >= MANY:
            flush()
            last = name
        table = tables[name]
        for key in table.foreign_keys:
            # A row that names another one of the same table, perhaps a later one.
            own = key.parent
            if key.column.table is table and row[own.name] is not None:
                same = sa.and_(*(column == row[column.name] for column in table.primary_key))
                later.append(sa.update(table).where(same).values({own.name: row[own.name]}))
                row = {**row, own.name: None}
        waiting.append(row)
        counts[name] += 1
    flush()
    for change in later:
        connection.execute(change)
    migrate(connection)
    return counts


async def drill(path: Path) -> tuple[Counter[str], Findings]:
    """Restore a backup into a database of its own beside it, check that, and remove it: its rows, and how it is."""
    try:
        with TemporaryDirectory(prefix=".drill-", dir=path.parent) as folder:
            storage = Storage(f"sqlite+aiosqlite:///{Path(folder) / 'ridotto.db'}")
            try:
                return await restore(storage.database, path), await check(storage)
            finally:
                await storage.close()
    except OSError as error:
        if isinstance(error, RidottoError):
            raise
        raise BadBackup(f"cannot try {str(path)!r} in a folder beside it: {error.strerror or error}") from error


# Several of them.


def dated(path: Path, now: datetime) -> Path:
    """The name of a backup with its time.

    >>> dated(Path("copies/table.jsonl.gz"), datetime(2026, 11, 18, 4, 0)).name
    'table-20261118-040000.jsonl.gz'
    """
    name, dot, ending = path.name.partition(".")
    return path.with_name(f"{name}-{now:%Y%m%d-%H%M%S}{dot}{ending}")


def remove_older(path: Path, keep: int) -> None:
    """Remove the backups with this name and a time, but for the last so many."""
    name, dot, ending = path.name.partition(".")
    pattern = re.compile(f"{re.escape(name)}-[0-9]{{8}}-[0-9]{{6}}{re.escape(dot + ending)}")
    for old in sorted(one for one in path.parent.iterdir() if pattern.fullmatch(one.name))[:-keep]:
        old.unlink()
