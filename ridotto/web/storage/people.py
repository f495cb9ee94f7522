"""People in the database: what they chose, everything that is known of them, and how they are forgotten."""

from __future__ import annotations

import secrets
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from ridotto.web.identity import Person
from ridotto.web.storage.database import Database
from ridotto.web.storage.schema import SCHEMA, chairs, chat, entries, keys, people, tables


class PeopleStorage:
    """The people that the database knows."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def load(self, id: str) -> Person | None:
        async with self.database.reading() as connection:
            row = (await connection.execute(sa.select(people).where(people.c.id == id))).one_or_none()
        return None if row is None else Person(row.id, row.name, row.language, row.theme, row.motion, known=True)

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
                await connection.execute(sa.update(tables).where(tables.c.id.in_(at)).values(version=tables.c.version + 1))
        except IntegrityError:
            await self.save(person)  # another of their pages has just created them: there is somebody to update now

    async def export(self, person: str) -> dict[str, Any]:
        """Everything that is known of a person, as plain data. What others may not know of a table is not theirs either."""
        known: dict[str, Any] = {}
        async with self.database.reading() as connection:
            row = (await connection.execute(sa.select(people).where(people.c.id == person))).mappings().one_or_none()
            known["person"] = dict(row) if row else None
            for table in SCHEMA.sorted_tables:
                if "person" in table.c:
                    exported = [column for column in table.c if column.name not in ("person", "salt")]
                    rows = await connection.execute(sa.select(*exported).where(table.c.person == person))
                    known[table.name] = [dict(row) for row in rows.mappings()]
            at = sa.and_(chairs.c.table == entries.c.table, chairs.c.seat == entries.c.seat, chairs.c.person == person)
            done = sa.select(entries.c.table, entries.c.ply, entries.c.do, entries.c.time).join(chairs, at)
            ordered = await connection.execute(done.order_by(entries.c.table, entries.c.ply))
            known["actions"] = [dict(row) for row in ordered.mappings()]
            columns = (tables.c.id, tables.c.game, tables.c.state, tables.c.created, tables.c.changed, tables.c.result)
            sat = sa.select(*columns).where(tables.c.id.in_(sa.select(chairs.c.table).where(chairs.c.person == person)))
            known["tables"] = [dict(row) for row in (await connection.execute(sat)).mappings()]
        return known

    async def forget(self, person: str) -> list[str]:
        """Delete a person and everything that is theirs alone; the tables that changed by it.

        Their chairs stay, without them; links to these seats lead nowhere any more.
        """
        theirs = [sa.select(table.c.table).where(table.c.person == person) for table in (chairs, keys, chat)]
        async with self.database.writing() as connection:
            touched = sa.select(tables.c.id).where(sa.or_(tables.c.host == person, *(tables.c.id.in_(one) for one in theirs)))
            ids = list((await connection.execute(touched.order_by(tables.c.id).with_for_update())).scalars())
            sat = (await connection.execute(sa.select(chairs).where(chairs.c.person == person))).all()
            for one in sat:
                chair = sa.update(chairs).where(chairs.c.table == one.table, chairs.c.seat == one.seat)
                await connection.execute(chair.values(salt=secrets.token_hex(16)))
            await connection.execute(sa.delete(people).where(people.c.id == person))
            await connection.execute(sa.update(tables).where(tables.c.id.in_(ids)).values(version=tables.c.version + 1))
        return ids

    async def tables(self, person: str) -> list[str]:
        """The tables at which somebody has a seat."""
        chosen = sa.select(keys.c.table).where(keys.c.person == person, keys.c.seat.is_not(None))
        async with self.database.reading() as connection:
            return list((await connection.execute(chosen)).scalars())
