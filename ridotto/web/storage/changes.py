"""Changes: statements with their values, that can be put together and written in one transaction.

Every statement is a constant of its module and is compiled once for each dialect: building and compiling one takes longer than
all the rest of an action.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import Insert
from sqlalchemy.dialects.postgresql.asyncpg import PGDialect_asyncpg
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite

DIALECTS: Final[Mapping[str, sa.Dialect]] = {
    "sqlite": SQLiteDialect_pysqlite(paramstyle="named"),
    "postgresql": PGDialect_asyncpg(paramstyle="named"),  # type: ignore[no-untyped-call]
}


class Compiled(NamedTuple):
    """A statement as the driver of a database takes it."""

    sql: str
    """Text with its parameters as `:name`."""
    constants: Mapping[str, Any]
    """The values that the statement has itself; None for those that a change has."""
    processors: Mapping[str, Callable[[Any], Any]]
    """Make of a value what the driver takes, JSON for example."""

    def bind(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The values of all parameters."""
        bound = {**self.constants, **values}
        for name, process in self.processors.items():
            bound[name] = process(bound[name])
        return bound


class Change(NamedTuple):
    """A statement that changes something, and the values of its parameters by name."""

    statement: sa.ClauseElement
    values: Mapping[str, Any]

    def compile(self, dialect: Literal["sqlite", "postgresql"]) -> tuple[str, dict[str, Any]]:
        """The text of the statement, and the values of its parameters."""
        compiled = compile_statement(self.statement, dialect)
        return compiled.sql, compiled.bind(self.values)


@lru_cache(maxsize=256)
def compile_statement(statement: sa.ClauseElement, name: Literal["sqlite", "postgresql"]) -> Compiled:
    """Compile a statement.

    >>> import sqlalchemy as sa
    >>> people = sa.table("people", sa.column("id", sa.String), sa.column("name", sa.String))
    >>> rename = sa.update(people).where(people.c.id == sa.bindparam("person")).values(name=sa.bindparam("name"))
    >>> compile_statement(rename, "postgresql").sql
    'UPDATE people SET name=:name::VARCHAR WHERE people.id = :person::VARCHAR'
    """
    dialect = DIALECTS[name]
    compiled = statement.compile(dialect=dialect)
    assert isinstance(compiled, sa.sql.compiler.SQLCompiler)
    processors = {
        parameter: process
        for parameter in compiled.params
        if (process := compiled.binds[parameter].type.dialect_impl(dialect).bind_processor(dialect)) is not None
    }
    return Compiled(compiled.string.replace("\n", ""), compiled.params, processors)


def insert(table: sa.Table) -> Insert:
    """Insert a row that has a parameter for each column. What follows ON CONFLICT is compiled for SQLite as well."""
    return Insert(table).values({column.name: sa.bindparam(column.name) for column in table.c})


def upsert(table: sa.Table) -> Insert:
    """Insert a row, or give the row with the same primary key these values."""
    statement, key = insert(table), [column.name for column in table.primary_key]
    others = {column.name: statement.excluded[column.name] for column in table.c if column.name not in key}
    return statement.on_conflict_do_update(index_elements=key, set_=others)
