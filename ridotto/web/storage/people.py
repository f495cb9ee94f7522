"""People in the database: their choices, the export of their data, and their deletion."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from ridotto.club.names import skeleton
from ridotto.web.identity import Person
from ridotto.web.storage.schema import (
    CHANNEL,
    bans,
    chairs,
    chat,
    entries,
    friends,
    keys,
    marks,
    mutes,
    passkeys,
    people,
    rating_flags,
    ratings,
    recovery_codes,
    reports,
    results,
    tables,
    webhooks,
)
from ridotto.web.storage.table_settings import TableSettings

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

    from ridotto.web.storage.database import Database

DAY: Final = 86_400
CLAIM: Final = 30 * DAY
"""Seconds after which a guest's name is free for others, if they have neither changed anything nor been at a table since."""
TOGETHER: Final = 500
"""People who are asked for in one statement."""
MOST_RECENT: Final = 20_000
"""People in memory, some 500 bytes each."""
EXPORTED: Final = {
    people: (
        *("id", "name", "language", "theme", "motion", "created", "seen", "generation"),
        *("skeleton", "member", "hidden"),
    ),
    tables: ("id", "game", "state", "created", "changed", "result"),
    bans: ("kind", "at"),
    chairs: ("table", "seat", "kind", "open", "bot", "name"),
    chat: ("table", "line", "at", "kind", "seat", "text", "reports", "removed"),
    keys: ("table", "seat"),
    mutes: ("muted",),
    reports: ("table", "line", "at", "text"),
    webhooks: ("table", "url", "link", "due", "tries"),
    passkeys: ("id", "public_key", "sign_count", "label", "created", "used"),
    recovery_codes: ("created",),
    marks: ("kind", "at"),
    friends: ("friend",),
    results: (
        *("table", "seat", "game", "seats", "people", "role", "share", "stayed", "ended"),
        *("verdict", "weight", "before", "after", "error"),
    ),
    ratings: ("game", "role", "points", "error", "matches", "day"),
    rating_flags: ("game", "reason", "at"),
}
"""The columns that a person gets of the rows about them. A test holds every column to be here or in `WITHHELD`."""
WITHHELD: Final = {
    tables: (
        *("rules", "box", "seats", "options", "private", "host", "language", "settings", "salt", "to_act", "version"),
        *("rematch", "origin", "deal", "rated", "scored"),
    ),
    chairs: ("salt",),
    recovery_codes: ("hash",),
    marks: ("mark",),
    rating_flags: ("other",),
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

    async def save(self, person: Person, *, claims_name: bool = False) -> bool:
        """Keep what a person chose. Tables that are not over change by it: those who sit there will see a new name.

        With `claims_name` the name is theirs alone from now on; False, and nothing is changed, if it is somebody else's.
        """
        now = self.database.now
        values: dict[str, Any] = {"name": person.name, "language": person.language}
        values |= {"theme": person.theme, "motion": person.motion, "hidden": person.is_hidden}
        if claims_name:
            values["skeleton"] = skeleton(person.name) or None
        at = sa.select(keys.c.table).where(keys.c.person == person.id, keys.c.seat.is_not(None))
        at = at.join(tables, sa.and_(tables.c.id == keys.c.table, tables.c.state != "over"))
        try:
            async with self.database.writing() as connection:
                if claims_name:
                    await connection.execute(_release(person, now))
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
            if claims_name and await self.taken([person.name], person.id):
                return False
            # Another of their pages has just created them: there is somebody to update now.
            return await self.save(person, claims_name=claims_name)
        finally:
            self.drop(person.id)
        return True

    async def find_member(self, name: str) -> Person | None:
        """The member of that name, or of one that is taken for it."""
        chosen = sa.select(people.c.id).where(people.c.skeleton == skeleton(name), people.c.member.is_not(None))
        async with self.database.reading() as connection:
            found = (await connection.execute(chosen)).scalar_one_or_none()
        return None if found is None or not name else await self.load(found)

    async def is_name_own(self, person: str) -> bool:
        """Whether somebody's name is theirs alone."""
        async with self.database.reading() as connection:
            held = await connection.execute(sa.select(people.c.skeleton).where(people.c.id == person))
            return held.scalar_one_or_none() is not None

    async def taken(self, names: Sequence[str], person: str, *, members_only: bool = False) -> frozenset[str]:
        """Those names that are somebody else's than a person's, or taken for somebody else's."""
        folded = {name: skeleton(name) for name in names}
        chosen = sa.select(people.c.skeleton).where(people.c.skeleton.in_(set(folded.values())), people.c.id != person)
        holds = people.c.member.is_not(None) if members_only else sa.not_(_is_lapsed(self.database.now))
        async with self.database.reading() as connection:
            held = set((await connection.execute(chosen.where(holds))).scalars())
        return frozenset(name for name in names if folded[name] in held)

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
                    await connection.execute(chair.values(salt=secrets.token_hex(16), name=None))
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


def _is_lapsed(now: int) -> sa.ColumnElement[bool]:
    """Whether others may have somebody's name: a guest's who has not been here for long."""
    lately = sa.select(keys.c.person).join(tables, tables.c.id == keys.c.table).where(tables.c.changed >= now - CLAIM)
    return sa.and_(people.c.member.is_(None), people.c.seen < now - CLAIM, people.c.id.not_in(lately))


def _release(person: Person, now: int) -> sa.Update:
    """Take the name that somebody wants from a guest who has not been here for long."""
    theirs = sa.and_(people.c.skeleton == skeleton(person.name), people.c.id != person.id)
    return sa.update(people).where(theirs, _is_lapsed(now)).values(skeleton=None, name="")


def _people(connection: sa.Connection, ids: list[str]) -> dict[str, Person]:
    """People by their id; those whom nobody knows are left out."""
    rows = connection.execute(sa.select(people).where(people.c.id.in_(ids)))
    return {
        row.id: Person(
            row.id,
            row.name,
            row.language,
            row.theme,
            row.motion,
            known=True,
            generation=row.generation,
            is_member=row.member is not None,
            is_hidden=row.hidden,
        )
        for row in rows
    }
