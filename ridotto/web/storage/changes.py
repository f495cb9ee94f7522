"""Changes: statements with their values, that can be put together and written in one transaction."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Change(NamedTuple):
    """A statement that changes something, in the SQL that SQLite and PostgreSQL have in common, and its values by name.

    It is text, not built of SQLAlchemy's parts, since building and compiling those would take longer than all the rest of an
    action. A value of JSON is given as text.
    """

    statement: str
    values: Mapping[str, Any]
