"""Administration: tables, people, reports, and the rules by which old rows are deleted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import Insert

from ridotto.engine.errors import RidottoError
from ridotto.web.storage.changes import Change
from ridotto.web.storage.entries import read_match
from ridotto.web.storage.people import PeopleStorage
from ridotto.web.storage.schema import SECONDS, bans, chairs, chat, entries, keys, people, reports, tables, token_buckets
from ridotto.web.storage.tables import TableStorage

if TYPE_CHECKING:
    from ridotto.web.storage.database import Database

BanKind = Literal["ban", "mute"]
DAY: Final = 86_400
ADD_REPORT: Final = (
    Insert(reports)
    .from_select(
        ["table", "line", "person", "text", "at"],
        sa.select(chat.c.table, chat.c.line, chat.c.person, chat.c.text, sa.bindparam("at", type_=SECONDS)).where(
            chat.c.table == sa.bindparam("table"), chat.c.line == sa.bindparam("line")
        ),
    )
    .on_conflict_do_nothing(index_elements=["table", "line"])
)


class UnknownEntry(RidottoError, LookupError):
    """Unknown table, person or report."""


def add_report(id: str, line: int, at: int) -> Change:
    """Copy a line of chat that somebody has reported, as it stands now."""
    return Change(ADD_REPORT, {"table": id, "line": line, "at": at})


@dataclass(frozen=True)
class RetentionRules:
    """The number of days after which something is deleted; 0: never."""

    over: float = 0
    """Tables whose match is over, since the last change."""
    open: float = 0
    """Tables whose match is not over, since the last change."""
    people: float = 0
    """People who have no seat at any table, since they last changed anything."""


class AdminStorage:
    """The queries and changes of `ridotto admin` and of the host's page."""

    def __init__(self, database: Database, tables: TableStorage, people: PeopleStorage) -> None:
        self.database, self._tables, self._people = database, tables, people

    # Reading.

    async def tables(self, most: int = 50) -> list[dict[str, Any]]:
        """The tables that changed last."""
        plies = sa.select(sa.func.count()).where(entries.c.table == tables.c.id).scalar_subquery()
        columns = (
            tables.c.id,
            tables.c.game,
            tables.c.state,
            tables.c.seats,
            tables.c.private,
            tables.c.created,
            tables.c.changed,
        )
        chosen = sa.select(*columns, tables.c.host, people.c.name.label("host_name"), plies.label("plies"))
        return await self._rows(
            chosen.outerjoin(people, people.c.id == tables.c.host).order_by(tables.c.changed.desc(), tables.c.id).limit(most)
        )

    async def table(self, id: str) -> dict[str, Any]:
        """One table with its players and its chat."""
        rows = await self._rows(sa.select(tables).where(tables.c.id == id))
        if not rows:
            raise UnknownEntry(f"there is no table {id[:30]!r}")
        sitting = sa.select(chairs.c.seat, chairs.c.kind, chairs.c.person, people.c.name, chairs.c.bot)
        said = sa.select(chat.c.line, chat.c.at, chat.c.person, people.c.name, chat.c.text, chat.c.reports)
        return {
            **{name: value for name, value in rows[0].items() if name != "salt"},
            "chairs": await self._rows(
                sitting.outerjoin(people, people.c.id == chairs.c.person).where(chairs.c.table == id).order_by(chairs.c.seat)
            ),
            "chat": await self._rows(
                said.outerjoin(people, people.c.id == chat.c.person)
                .where(chat.c.table == id, chat.c.kind == "said")
                .order_by(chat.c.line)
            ),
        }

    async def people(self, most: int = 50) -> list[dict[str, Any]]:
        """The people who were here last, and whether they are banned or muted."""
        seats = sa.select(sa.func.count()).where(keys.c.person == people.c.id, keys.c.seat.is_not(None)).scalar_subquery()
        chosen = sa.select(people.c.id, people.c.name, people.c.created, people.c.seen, seats.label("seats"))
        rows = await self._rows(chosen.order_by(people.c.seen.desc(), people.c.id).limit(most))
        decided = await self.bans()
        return [{**one, "banned": one["id"] in decided["ban"], "muted": one["id"] in decided["mute"]} for one in rows]

    async def reports(self) -> list[dict[str, Any]]:
        """The open reports, oldest first."""
        chosen = sa.select(reports, people.c.name).outerjoin(people, people.c.id == reports.c.person)
        return await self._rows(chosen.order_by(reports.c.at, reports.c.table, reports.c.line))

    async def bans(self) -> Mapping[BanKind, frozenset[str]]:
        """The people who are banned, and those who are muted."""
        rows = await self._rows(sa.select(bans.c.person, bans.c.kind))
        return {
            "ban": frozenset(one["person"] for one in rows if one["kind"] == "ban"),
            "mute": frozenset(one["person"] for one in rows if one["kind"] == "mute"),
        }

    async def _rows(self, chosen: sa.Select[Any]) -> list[dict[str, Any]]:
        async with self.database.reading() as connection:
            return [dict(row) for row in (await connection.execute(chosen)).mappings()]

    # Deciding.

    async def end(self, id: str) -> None:
        """End a match: its first player resigns it, or its first seat if only bots play."""
        loaded = await self._tables.load(id)
        if loaded is None:
            raise UnknownEntry(f"there is no table {id[:30]!r}")
        info, _, document = loaded
        match, head = read_match(document)
        if not match.is_dealt:
            raise RidottoError(f"nothing is dealt at table {id} yet: delete it, if it is to go")
        if not match.to_act:
            raise RidottoError(f"the match at table {id} is over")
        later = match.after(match.ply)
        later.resign(next((chair.seat for chair in info.chairs if chair.kind == "person"), 0))
        await self._tables.append(id, later, match.ply, head, version=info.version)

    async def delete_table(self, id: str) -> None:
        """Delete a table and everything that belongs to it."""
        if not await self._delete(sa.delete(tables).where(tables.c.id == id)):
            raise UnknownEntry(f"there is no table {id[:30]!r}")

    async def delete_person(self, id: str) -> None:
        """Delete somebody, as they could themselves."""
        await self._check_person(id)
        await self._people.forget(id)

    async def ban(self, id: str, kind: BanKind, is_on: bool = True) -> None:
        """Ban or mute somebody, or lift that."""
        await self._check_person(id)
        async with self.database.writing() as connection:
            await connection.execute(sa.delete(bans).where(bans.c.person == id, bans.c.kind == kind))
            if is_on:
                await connection.execute(sa.insert(bans).values(person=id, kind=kind, at=self.database.now))

    async def close_report(self, id: str, line: int) -> None:
        """Delete a report that was dealt with."""
        if not await self._delete(sa.delete(reports).where(reports.c.table == id, reports.c.line == line)):
            raise UnknownEntry(f"there is no report of line {line} at table {id[:30]!r}")

    async def _check_person(self, id: str) -> None:
        if await self._people.load(id) is None:
            raise UnknownEntry(f"there is nobody {id[:30]!r}")

    async def _delete(self, statement: sa.Delete, *, is_long: bool = False) -> int:
        async with self.database.writing(is_long=is_long) as connection:
            return (await connection.execute(statement)).rowcount

    # Retention.

    async def clear(self, rules: RetentionRules, *, is_dry: bool = False) -> dict[str, int]:
        """Delete what is older than the rules say, or only count it: tables that are over, tables that are not, people."""
        now = self.database.now
        sat = sa.select(chairs.c.person).where(chairs.c.person.is_not(None))
        hosts = sa.select(tables.c.host).where(tables.c.host.is_not(None))
        chosen: dict[str, tuple[sa.Table, float, list[sa.ColumnElement[bool]]]] = {
            "over": (tables, rules.over, [tables.c.state == "over", tables.c.changed < now - DAY * rules.over]),
            "open": (tables, rules.open, [tables.c.state != "over", tables.c.changed < now - DAY * rules.open]),
            "people": (
                people,
                rules.people,
                [people.c.seen < now - DAY * rules.people, people.c.id.not_in(sat), people.c.id.not_in(hosts)],
            ),
        }
        cleared = {}
        for name, (table, days, where) in chosen.items():
            if not days:
                cleared[name] = 0
            elif is_dry:
                async with self.database.reading() as connection:
                    counted = await connection.execute(sa.select(sa.func.count()).select_from(table).where(*where))
                    cleared[name] = int(counted.scalar_one())
            else:
                cleared[name] = await self._delete(sa.delete(table).where(*where), is_long=True)
        if not is_dry:
            await self._delete(sa.delete(token_buckets).where(token_buckets.c.at < 1000 * (now - DAY)))
        return cleared
