"""Chat in the database: what was said at a table, notes on what happened there, and who mutes whom."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import sqlalchemy as sa

from ridotto.engine.fields import Seat
from ridotto.web.storage.changes import Change
from ridotto.web.storage.schema import chat, mutes

if TYPE_CHECKING:
    from ridotto.web.storage.database import Database

LONGEST: Final = 300
MARKS: Final = 4
"""Signs that may stand over one letter: some names need several, a tower of them is a prank."""
PAGE_LINES: Final = 60
"""Lines on a page."""
MAX_LINES: Final = 400
"""Lines of a table in the database."""


def clean(text: str) -> str:
    """A text as it may be shown: one line, nothing invisible, no towers of accents, not too long.

    >>> clean("  Brava,\\n \\u202e Tosca! ")
    'Brava, Tosca!'
    >>> len(clean("e" + "\\u0301" * 50))
    5
    """
    cleaned: list[str] = []
    marks = 0
    for c in unicodedata.normalize("NFC", text[: 10 * LONGEST]):
        kind = unicodedata.category(c)
        marks = marks + 1 if kind[0] == "M" else 0
        if marks <= MARKS:
            # Emoji are joined by what is invisible otherwise.
            cleaned.append(c if kind[0] not in "CZ" or c == "\u200d" else " " if c.isspace() else "")
    return " ".join("".join(cleaned).split())[:LONGEST].rstrip()


@dataclass(frozen=True)
class ChatLine:
    """Something said at a table, or a note on what happened there."""

    number: int
    at: int
    """Seconds since 1970."""
    kind: str
    """"said", or what happened."""
    person: str | None
    name: str
    seat: Seat | None
    text: str
    reports: int = 0
    removed: bool = False


IS_OF_TABLE: Final = chat.c.table == sa.bindparam("table")
IS_SAID: Final = sa.and_(IS_OF_TABLE, chat.c.line == sa.bindparam("line"), chat.c.kind == "said", chat.c.removed.is_(False))
ADD_LINE: Final = sa.insert(chat).from_select(
    (*(given := ("table", "at", "kind", "person", "seat", "text")), "line", "reports", "removed"),
    sa.select(
        *(sa.bindparam(name, type_=chat.c[name].type) for name in given),
        sa.func.coalesce(sa.func.max(chat.c.line), 0) + 1,
        sa.literal(0),
        sa.false(),
    ).where(IS_OF_TABLE),
)
OTHER: Final = chat.alias()
LAST_LINE: Final = sa.select(sa.func.max(OTHER.c.line)).where(OTHER.c.table == sa.bindparam("table")).scalar_subquery()
DELETE_OLD_LINES: Final = sa.delete(chat).where(
    IS_OF_TABLE, chat.c.line <= LAST_LINE - sa.bindparam("latest", type_=sa.Integer)
)
REMOVE_LINE: Final = sa.update(chat).where(IS_SAID).values(text="", removed=True)
REPORT_LINE: Final = sa.update(chat).where(IS_SAID).values(reports=chat.c.reports + 1)


def add_line(id: str, at: int, kind: str, *, person: str | None = None, seat: Seat | None = None, text: str = "") -> Change:
    """Add a line after all others."""
    return Change(ADD_LINE, {"table": id, "at": at, "kind": kind, "person": person, "seat": seat, "text": text})


def delete_old_lines(id: str) -> Change:
    """Delete all but the latest lines."""
    return Change(DELETE_OLD_LINES, {"table": id, "latest": MAX_LINES})


def remove_line(id: str, line: int) -> Change:
    """Delete the words of a line for good."""
    return Change(REMOVE_LINE, {"table": id, "line": line})


def report_line(id: str, line: int) -> Change:
    """Count a report of a line."""
    return Change(REPORT_LINE, {"table": id, "line": line})


class ChatStorage:
    """The people whose chat somebody does not want to see."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def muted(self, person: str) -> frozenset[str]:
        """The people that somebody has muted."""
        async with self.database.reading() as connection:
            rows = await connection.execute(sa.select(mutes.c.muted).where(mutes.c.person == person))
            return frozenset(rows.scalars())

    async def mute(self, person: str, other: str, is_muted: bool) -> None:
        """Mute somebody, or unmute them."""
        async with self.database.writing() as connection:
            await connection.execute(sa.delete(mutes).where(mutes.c.person == person, mutes.c.muted == other))
            if is_muted:
                await connection.execute(sa.insert(mutes).values(person=person, muted=other))
