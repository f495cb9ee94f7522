"""Chat in the database: what was said at a table, notes on what happened there, and who mutes whom."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Final

import sqlalchemy as sa

from ridotto.engine.fields import Seat
from ridotto.web.storage.changes import Change
from ridotto.web.storage.database import Database
from ridotto.web.storage.schema import mutes

LONGEST: Final = 300
MARKS: Final = 4
"""Signs that may stand over one letter: some names need several, a tower of them is a prank."""
SHOWN: Final = 60
"""Lines on a page."""
KEPT: Final = 400
"""Lines that are kept."""


def clean(text: str) -> str:
    """A text as it may be shown: one line, nothing invisible, no towers of accents, not too long.

    >>> clean("  Brava,\\n \\u202e Tosca! ")
    'Brava, Tosca!'
    >>> len(clean("e" + "\\u0301" * 50))
    5
    """
    kept: list[str] = []
    marks = 0
    for c in unicodedata.normalize("NFC", text[: 10 * LONGEST]):
        kind = unicodedata.category(c)
        marks = marks + 1 if kind[0] == "M" else 0
        if marks <= MARKS:
            # Emoji are joined by what is invisible otherwise.
            kept.append(c if kind[0] not in "CZ" or c == "\u200d" else " " if c.isspace() else "")
    return " ".join("".join(kept).split())[:LONGEST].rstrip()


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


ADD_LINE: Final = (
    'INSERT INTO talk ("table", line, at, kind, person, seat, "text", reports, removed) '
    "SELECT :table, coalesce(max(line), 0) + 1, :at, :kind, :person, :seat, :text, 0, :removed "
    'FROM talk WHERE "table" = :table'
)
DELETE_OLD_LINES: Final = (
    'DELETE FROM talk WHERE "table" = :table AND line <= (SELECT max(line) FROM talk WHERE "table" = :table) - :kept'
)
IS_SAID: Final = """WHERE "table" = :table AND line = :line AND kind = 'said' AND NOT removed"""
REMOVE_LINE: Final = f"UPDATE talk SET \"text\" = '', removed = :removed {IS_SAID}"
REPORT_LINE: Final = f"UPDATE talk SET reports = reports + 1 {IS_SAID}"


def add_line(id: str, at: int, kind: str, *, person: str | None = None, seat: Seat | None = None, text: str = "") -> Change:
    """Add a line after all others."""
    line = {"table": id, "at": at, "kind": kind, "person": person, "seat": seat, "text": text, "removed": False}
    return Change(ADD_LINE, line)


def delete_old_lines(id: str) -> Change:
    """Keep the latest lines alone."""
    return Change(DELETE_OLD_LINES, {"table": id, "kept": KEPT})


def remove_line(id: str, line: int) -> Change:
    """Delete the words of a line for good."""
    return Change(REMOVE_LINE, {"table": id, "line": line, "removed": True})


def report_line(id: str, line: int) -> Change:
    """Count that somebody finds a line should not stand there."""
    return Change(REPORT_LINE, {"table": id, "line": line})


class ChatStorage:
    """Who does not want to hear whom."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def muted(self, person: str) -> frozenset[str]:
        """Whom somebody has muted."""
        async with self.database.reading() as connection:
            rows = await connection.execute(sa.select(mutes.c.muted).where(mutes.c.person == person))
            return frozenset(rows.scalars())

    async def mute(self, person: str, other: str, is_muted: bool) -> None:
        """Mute somebody, or hear them again."""
        async with self.database.writing() as connection:
            await connection.execute(sa.delete(mutes).where(mutes.c.person == person, mutes.c.muted == other))
            if is_muted:
                await connection.execute(sa.insert(mutes).values(person=person, muted=other))
