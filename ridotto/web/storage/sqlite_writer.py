"""One thread that writes to SQLite: whatever is waiting when it begins is one transaction, and so one wait for the disk."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Any, Final, TypeVar

from ridotto.web.storage.changes import Change

Result = TypeVar("Result")
Statement = tuple[str, dict[str, Any]]
"""SQL, and the values of its parameters."""
STOP: Final = object()
"""Ends the thread."""


@dataclass(eq=False)
class Job:
    """Changes to be written, all or none."""

    condition: Statement
    changes: Sequence[Statement]
    done: asyncio.Future[bool]


@dataclass(eq=False)
class Pause:
    """A pause of the thread, in which something is written over another connection."""

    begun: asyncio.Future[None]
    ended: threading.Event = field(default_factory=threading.Event)


class SqliteWriter:
    """The thread, and those who wait for it. It begins with the first job."""

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        self._connect = connect
        self._waiting: SimpleQueue[Job | Pause | object] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._connection: sqlite3.Connection | None = None
        """The thread's own."""

    async def commit(self, condition: Change, changes: Sequence[Change]) -> bool:
        """Write changes; False, and nothing is changed, if `condition` finds nothing to change or a constraint is broken."""
        statements = [change.compile("sqlite") for change in changes]
        job = Job(condition.compile("sqlite"), statements, asyncio.get_running_loop().create_future())
        self._put(job)
        return await _settled(job.done)

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Write over another connection: the thread does nothing meanwhile."""
        pause = Pause(asyncio.get_running_loop().create_future())
        self._put(pause)
        try:
            await _settled(pause.begun)
            yield
        finally:
            pause.ended.set()

    async def close(self) -> None:
        """End the thread when it has written what is waiting."""
        if self._thread is not None:
            thread, self._thread = self._thread, None
            self._waiting.put(STOP)
            await asyncio.to_thread(thread.join)

    def _put(self, one: Job | Pause) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="sqlite writer", daemon=True)
            self._thread.start()
        self._waiting.put(one)

    # In the thread.

    def _run(self) -> None:
        while True:
            group, other = self._take()
            if group:
                self._write(group)
            if isinstance(other, Pause):
                _resolve([(other.begun, None)])
                other.ended.wait()
            elif other is STOP:
                self._disconnect()
                return

    def _take(self) -> tuple[list[Job], Pause | object | None]:
        """All jobs that are waiting, as far as something else comes in between; and that."""
        group: list[Job] = []
        one = self._waiting.get()
        while isinstance(one, Job):
            group.append(one)
            try:
                one = self._waiting.get_nowait()
            except Empty:
                return group, None
        return group, one

    def _write(self, group: list[Job]) -> None:
        """Write a group in one transaction, and say so when it is on disk."""
        results: Sequence[bool | Exception]
        try:
            if self._connection is None:
                self._connection = self._connect()
            connection = self._connection
            connection.execute("BEGIN IMMEDIATE")
            results = [self._apply(connection, job) for job in group]
            connection.execute("COMMIT")
        except Exception as error:  # whatever it is, nothing was written, and whoever waits must hear of it
            self._disconnect()
            results = [error] * len(group)
        _resolve([(job.done, result) for job, result in zip(group, results, strict=True)])

    def _apply(self, connection: sqlite3.Connection, job: Job) -> bool | Exception:
        """Make the changes of a job, or none of them: then its neighbours do not notice."""
        result: bool | Exception
        connection.execute("SAVEPOINT job")
        try:
            result = connection.execute(*job.condition).rowcount > 0
            if result:
                for change in job.changes:
                    connection.execute(*change)
        except sqlite3.IntegrityError:
            result = False
        except Exception as error:
            if not connection.in_transaction:
                raise  # SQLite has rolled everything back: its neighbours failed as well
            result = error
        if result is not True:
            connection.execute("ROLLBACK TO job")
        connection.execute("RELEASE job")
        return result

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(sqlite3.Error):
                connection.close()  # rolls back what was not committed


def _resolve(results: Sequence[tuple[asyncio.Future[Any], object]]) -> None:
    """Tell those who wait what became of it, in their own thread; all of a group at once."""

    def resolve() -> None:
        for future, result in results:
            if isinstance(result, Exception):
                future.set_exception(result)
            else:
                future.set_result(result)

    with suppress(RuntimeError):  # nobody is there any more
        results[0][0].get_loop().call_soon_threadsafe(resolve)


async def _settled(future: asyncio.Future[Result]) -> Result:
    """The result of a future. Whoever is cancelled meanwhile waits for it all the same: it is done, or not, when this ends."""
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        while not future.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait([future])
        raise
