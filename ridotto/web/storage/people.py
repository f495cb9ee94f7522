"""People in the database: their choices, the export of their data, and their deletion."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from ridotto.web.identity import Person
from ridotto.web.storage.database import CHANNEL, Database
from ridotto.web.storage.schema import bans, chairs, chat, entries, keys, mutes, people, reports, tables, webhooks
from ridotto.web.storage.table_settings import TableSettings

TOGETHER: Final = 500
"""People who are asked for in one statement."""
MOST_RECENT: Final = 20_000
"""People in memory, some 500 bytes each."""
EXPORTED: Final = {
    people: ("id", "name", "language", "theme", "motion", "created", "seen", "generation"),
    tables: ("id", "game", "state", "created", "changed", "result"),
    bans: ("kind", "at"),
    chairs: ("table", "seat", "kind", "open", "bot"),
    chat: ("table", "line", "at", "kind", "seat", "text", "reports", "removed"),
    keys: ("table", "seat"),
    mutes: ("muted",),
    reports: ("table", "line", "at", "text"),
    webhooks: ("table", "url", "link", "due", "tries"),
}
"""The columns that a person gets of the rows about them. A test holds every column to be here or in `WITHHELD`."""
WITHHELD: Final = {
    tables: (
        *("rules", "box", "seats", "options", "private", "host", "language", "settings", "salt", "to_act", "version"),
        *("rematch", "origin", "deal"),
    ),
    chairs: ("salt",),
}
"""The columns of those tables that nobody gets, besides `person`."""


class PeopleStorage:
    """The people that the database knows."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._recent: OrderedDict[str, Person] = OrderedDict()
        """Those in memory, the ones asked for last at the end."""
        self._next: set[str] | None = None
        """The people that the next query will ask for, if it has not begun."""
        self._query: asyncio.Future[dict[str, Person]]
        self._query_lock = asyncio.Lock()
        self._drops = 0
        """The number of drops so far: what was read before one may be old."""
        self.on_signed_out: list[Callable[[str, int], None]] = []
        """Called with somebody who has signed out everywhere at this server, and the generation of cookies that begins."""

    async def load(self, id: str) -> Person | None:
        """Somebody, as the database has them now."""
        if self._next is None:  # one query for all that are asked for before it begins: after a restart all come at once
            self._next = set()
            self._query = asyncio.ensure_future(self._load_next())
        self._next.add(id)
        return (await asyncio.shield(self._query)).get(id)

    async def _load_next(self) -> dict[str, Person]:
        """Everybody who was asked for meanwhile."""
        await asyncio.sleep(0)
        async with self._query_lock:
            ids, self._next = sorted(self._next or ()), None
            drops = self._drops
            known: dict[str, Person] = {}
            for start in range(0, len(ids), TOGETHER):
                known |= await self.database.read(partial(_people, ids=ids[start : start + TOGETHER]))
            if drops == self._drops:
                self._recent.update(known)
                while len(self._recent) > MOST_RECENT:
                    self._recent.popitem(last=False)
            return known

    async def recent(self, id: str) -> Person | None:
        """Somebody as they are in memory, if they are: where there are other servers, perhaps as they were just now."""
        person = self._recent.get(id)
        if person is None:
            return await self.load(id)
        self._recent.move_to_end(id)
        return person

    def drop(self, id: str | None) -> None:
        """Read somebody again (None: everybody) when they are asked for next: they have changed, here or at another server."""
        self._drops += 1
        if id is None:
            self._recent.clear()
        else:
            self._recent.pop(id, None)

    async def _tell(self, connection: AsyncConnection, id: str) -> None:
        """Tell the other servers, if there are any, that somebody has changed: when it is on disk."""
        if self.database.is_shared:
            await connection.execute(sa.select(sa.func.pg_notify(CHANNEL, f"person {id}")))

    async def save(self, person: Person) -> None:
        """Keep what a person chose. Their tables change by it: those who sit there will see a new name."""
        now = self.database.now
        values = {"name": person.name, "language": person.language, "theme": person.theme, "motion": person.motion}
        at = sa.select(keys.c.table).where(keys.c.person == person.id, keys.c.seat.is_not(None))
        try:
            async with self.database.writing() as connection:
                # In one order for all: two who share two tables would wait for each other.
                await connection.execute(
                    sa.select(tables.c.id).where(tables.c.id.in_(at)).order_by(tables.c.id).with_for_update()
                )
                old = sa.update(people).where(people.c.id == person.id)
                if not (await connection.execute(old.values(**values, seen=now))).rowcount:
                    await connection.execute(sa.insert(people).values(id=person.id, **values, created=now, seen=now))
                await self.database.touch(connection, tables.c.id.in_(at))
                await self._tell(connection, person.id)
        except IntegrityError:
            await self.save(person)  # another of their pages has just created them: there is somebody to update now
        finally:
            self.drop(person.id)

    async def sign_out(self, person: str) -> int:
        """Make void every cookie and nonce that somebody has, the private links to their seats, and the keys of devices that
        came by those. The generation of cookies that begins."""
        at = sa.select(chairs.c.table).where(chairs.c.person == person, chairs.c.kind == "person")
        theirs = sa.select(tables.c.id, tables.c.host, tables.c.settings)
        theirs = theirs.where(sa.or_(tables.c.id.in_(at), tables.c.host == person)).order_by(tables.c.id).with_for_update()
        try:
            async with self.database.writing() as connection:
                shared_seats = {
                    row.id: TableSettings.read(row.settings).shared_seats if row.host == person else ()
                    for row in (await connection.execute(theirs)).all()
                }
                sat = sa.select(chairs.c.table, chairs.c.seat, chairs.c.person)
                sat = sat.where(chairs.c.table.in_(list(shared_seats)), chairs.c.kind == "person")
                seats = [
                    {"at": row.table, "number": row.seat, "new": secrets.token_hex(16)}
                    for row in (await connection.execute(sat)).all()
                    if row.person == person or row.seat in shared_seats[row.table]
                ]
                if seats:
                    one = (chairs.c.table == sa.bindparam("at"), chairs.c.seat == sa.bindparam("number"))
                    await connection.execute(sa.update(chairs).where(*one).values(salt=sa.bindparam("new")), seats)
                    other = (keys.c.table == sa.bindparam("at"), keys.c.seat == sa.bindparam("number"), keys.c.person != person)
                    await connection.execute(sa.delete(keys).where(*other), seats)
                    await self.database.touch(connection, tables.c.id.in_({seat["at"] for seat in seats}))
                later = sa.update(people).where(people.c.id == person).values(generation=people.c.generation + 1)
                generation = int((await connection.execute(later.returning(people.c.generation))).scalar() or 0)
                await self._tell(connection, person)
                if self.database.is_shared:
                    await connection.execute(sa.select(sa.func.pg_notify(CHANNEL, f"signed-out {person} {generation}")))
        finally:
            self.drop(person)
        for listener in self.on_signed_out:
            listener(person, generation)
        return generation

    async def generations(self) -> dict[str, int]:
        """Those who have ever signed out everywhere, with the generation of their cookies."""
        chosen = sa.select(people.c.id, people.c.generation).where(people.c.generation > 0)
        async with self.database.reading() as connection:
            return {row.id: row.generation for row in (await connection.execute(chosen)).all()}

    async def export(self, person: str) -> dict[str, Any]:
        """The rows about a person, as plain data: the columns in `EXPORTED`, and their actions."""
        known: dict[str, Any] = {}
        async with self.database.reading() as connection:
            sat = sa.select(chairs.c.table).where(chairs.c.person == person)
            about = {table: table.c.person == person for table in EXPORTED if "person" in table.c}
            about |= {people: people.c.id == person, tables: tables.c.id.in_(sat)}
            for table, columns in EXPORTED.items():
                rows = await connection.execute(sa.select(*(table.c[name] for name in columns)).where(about[table]))
                known[table.name] = [dict(row) for row in rows.mappings()]
            known["person"] = next(iter(known.pop("people")), None)
            at = sa.and_(chairs.c.table == entries.c.table, chairs.c.seat == entries.c.seat, chairs.c.person == person)
            done = sa.select(entries.c.table, entries.c.ply, entries.c.do, entries.c.time).join(chairs, at)
            ordered = await connection.execute(done.order_by(entries.c.table, entries.c.ply))
            known["actions"] = [dict(row) for row in ordered.mappings()]
        return known

    async def forget(self, person: str) -> list[str]:
        """Delete a person and everything that is theirs alone; the tables that changed by it.

        Their chairs stay, without them; links to these seats lead nowhere any more.
        """
        theirs = [sa.select(table.c.table).where(table.c.person == person) for table in (chairs, keys, chat)]
        try:
            async with self.database.writing() as connection:
                touched = sa.select(tables.c.id).where(
                    sa.or_(tables.c.host == person, *(tables.c.id.in_(one) for one in theirs))
                )
                ids = list((await connection.execute(touched.order_by(tables.c.id).with_for_update())).scalars())
                sat = (await connection.execute(sa.select(chairs).where(chairs.c.person == person))).all()
                for one in sat:
                    chair = sa.update(chairs).where(chairs.c.table == one.table, chairs.c.seat == one.seat)
                    await connection.execute(chair.values(salt=secrets.token_hex(16)))
                await connection.execute(sa.delete(people).where(people.c.id == person))
                await self.database.touch(connection, tables.c.id.in_(ids))
                await self._tell(connection, person)
        finally:
            self.drop(person)
        return ids

    async def tables(self, person: str) -> list[str]:
        """The tables at which somebody has a seat."""
        chosen = sa.select(keys.c.table).where(keys.c.person == person, keys.c.seat.is_not(None))
        async with self.database.reading() as connection:
            return list((await connection.execute(chosen)).scalars())


def _people(connection: sa.Connection, ids: list[str]) -> dict[str, Person]:
    """People by their id; those whom nobody knows are left out."""
    rows = connection.execute(sa.select(people).where(people.c.id.in_(ids)))
    return {row.id: Person(row.id, row.name, row.language, row.theme, row.motion, True, row.generation) for row in rows}
