"""Connections to PostgreSQL over which changes are written: each in one statement, and so in one round trip."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import lru_cache
from itertools import count
from typing import Any, Final

from ridotto.web.storage.changes import Change
from ridotto.web.storage.faults import DatabaseUnavailable
from ridotto.web.storage.turns import Turns, answered_within

MOST: Final = 4
"""Connections of a server: as many changes are on their way to the disk at the same time."""
PARAMETER: Final = re.compile(r"(?<!:):(\w+)")
"""A parameter in the text of a statement."""


class PostgresWriter:
    """The connections. They are made when they are needed."""

    def __init__(self, connect: Callable[[], Awaitable[Any]], patience: float | None = None) -> None:
        self._connect, self._patience = connect, patience
        self._idle: list[Any] = []
        self._turns = Turns(MOST)

    async def commit(self, condition: Change, changes: Sequence[Change]) -> bool:
        """Write changes; False, and nothing is changed, if `condition` finds nothing to change or a constraint is broken."""
        import asyncpg  # with SQLite it need not be installed

        # What is raised when a connection is of no use any more, or cannot be made; and when the database cannot do it now.
        lost = (OSError, TimeoutError, asyncpg.InterfaceError, asyncpg.PostgresConnectionError, asyncpg.InternalClientError)
        not_now = (
            *(asyncpg.InsufficientResourcesError, asyncpg.OperatorInterventionError, asyncpg.TransactionRollbackError),
            *(asyncpg.ReadOnlySQLTransactionError, asyncpg.PostgresSystemError),
        )
        statements = [change.compile("postgresql") for change in (condition, *changes)]
        sql, names = _in_one(tuple(statement for statement, _ in statements))
        async with self._turns.turn():
            connection = None
            try:
                async with answered_within(self._patience):
                    connection = self._take_idle() or await self._connect()
                    await connection.fetchval(sql, *(statements[at][1][name] for at, name in names))
            except (asyncpg.IntegrityConstraintViolationError, asyncpg.DivisionByZeroError):
                self._idle.append(connection)
                return False
            except BaseException as error:
                if connection is not None:
                    connection.terminate()
                if isinstance(error, (*lost, *not_now)):
                    raise DatabaseUnavailable("the database does not answer") from error
                raise
            self._idle.append(connection)
            return True

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Write over another connection: nobody has to wait for that."""
        yield

    async def close(self) -> None:
        """End the connections."""
        while connection := self._take_idle():
            connection.terminate()

    def _take_idle(self) -> Any:
        """A connection that is not in use; None if there is none."""
        while self._idle:
            if not (connection := self._idle.pop()).is_closed():
                return connection
        return None


@lru_cache(maxsize=256)
def numbered(statement: str, first: int = 1) -> tuple[str, tuple[str, ...]]:
    """A statement with its parameters numbered as PostgreSQL wants them, and their names in that order.

    A name that stands twice has two numbers, since PostgreSQL may find that it has another type there.

    >>> numbered("UPDATE a SET b = :b WHERE b < :b")
    ('UPDATE a SET b = $1 WHERE b < $2', ('b', 'b'))
    """
    numbers = count(first)
    return PARAMETER.sub(lambda _: f"${next(numbers)}", statement), tuple(PARAMETER.findall(statement))


@lru_cache(maxsize=256)
def _in_one(statements: tuple[str, ...]) -> tuple[str, tuple[tuple[int, str], ...]]:
    """Statements as one for PostgreSQL, and its parameters: by the place of the statement, and the name there.

    The first one is the condition: if it changes nothing, the division fails, and with it everything.

    >>> sql, names = _in_one(("UPDATE a SET b = :b WHERE c = :c", "DELETE FROM d WHERE e = :c"))
    >>> print(sql)
    WITH s0 AS (UPDATE a SET b = $1 WHERE c = $2 RETURNING 1), s1 AS (DELETE FROM d WHERE e = $3) SELECT 1 / count(*) FROM s0
    >>> names
    ((0, 'b'), (0, 'c'), (1, 'c'))
    """
    parts: list[str] = []
    names: list[tuple[int, str]] = []
    for at, statement in enumerate(statements):
        sql, own = numbered(statement, len(names) + 1)
        parts.append(f"s{at} AS ({sql}{'' if at else ' RETURNING 1'})")
        names += [(at, name) for name in own]
    return f"WITH {', '.join(parts)} SELECT 1 / count(*) FROM s0", tuple(names)
