"""What must not be lost: people, tables, and the entries of their matches, in a database.

The append of an entry is the commit point: what was acknowledged is on disk. Entries are unique by table and ply, so of two
writers one loses, and looks again. A table's `version` grows with every change, so that a copy in memory knows when it is old.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Integer, MetaData, String
from sqlalchemy.exc import DBAPIError, IntegrityError, InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from ridotto.core import record
from ridotto.core.game import Game
from ridotto.core.match import Entry, Match
from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import Seat
from ridotto.games import GAMES
from ridotto.web.identity import PERSON as ID
from ridotto.web.identity import Person

NAME: Final = "ridotto"
"""What a server calls itself to its database."""
MIGRATING: Final = 0x5269646F74746F
"""The number of the lock that a server holds while it changes the schema."""
SCHEMA: Final = MetaData()
JSON: Final = sa.JSON(none_as_null=True)
SECONDS: Final = BigInteger().with_variant(Integer, "sqlite")
"""Since 1970: more than 32 bits from 2038 on. SQLite's integers have 64 anyway."""

people = sa.Table(
    "people",
    SCHEMA,
    Column("id", String(22), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("language", String(2), nullable=False),
    Column("theme", String(5), nullable=False),
    Column("motion", Boolean, nullable=False),
    Column("created", SECONDS, nullable=False),
    Column("seen", SECONDS, nullable=False),
)
tables = sa.Table(
    "tables",
    SCHEMA,
    Column("id", String(22), primary_key=True),
    Column("game", String(20), nullable=False),
    Column("rules", Integer, nullable=False),
    Column("box", String(64), nullable=False),
    Column("seats", Integer, nullable=False),
    Column("options", JSON, nullable=False),
    Column("private", Boolean, nullable=False),
    Column("host", String(22), ForeignKey("people.id", ondelete="SET NULL")),
    Column("language", String(2), nullable=False),
    Column("settings", JSON, nullable=False),
    Column("salt", String(32), nullable=False),
    Column("created", SECONDS, nullable=False),
    Column("changed", SECONDS, nullable=False),
    Column("state", String(8), nullable=False),
    Column("owing", Integer, nullable=False),  # the seats that owe a decision, one bit each
    Column("version", Integer, nullable=False),
    Column("result", JSON),
    Column("rematch", String(22), ForeignKey("tables.id", ondelete="SET NULL")),
    Column("origin", JSON),  # where its match came from: a record, or a moment of another table
    Index("tables_by_state", "state", "changed"),
)
chairs = sa.Table(
    "chairs",
    SCHEMA,
    Column("table", String(22), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("kind", String(8), nullable=False),
    Column("open", Boolean, nullable=False),
    Column("person", String(22), ForeignKey("people.id", ondelete="SET NULL")),
    Column("bot", String(40)),  # at a person's chair: who plays for them while they are away
    Column("salt", String(32), nullable=False),
)
keys = sa.Table(
    "keys",
    SCHEMA,
    Column("table", String(22), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("person", String(22), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer),  # none: may watch a private table
    Index("keys_by_person", "person"),
)
entries = sa.Table(
    "entries",
    SCHEMA,
    Column("table", String(22), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("ply", Integer, primary_key=True),
    Column("seat", Integer),
    Column("do", String(2000), nullable=False),
    Column("draws", JSON, nullable=False),
    Column("time", String(20), nullable=False),
    Column("salt", String(32), nullable=False),
    Column("position", JSON),
    Column("hash", String(64), nullable=False),
)
clocks = sa.Table(
    "clocks",
    SCHEMA,
    Column("table", String(22), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("left", BigInteger, nullable=False),  # milliseconds, while it stands
    Column("until", BigInteger),  # while it runs: when it will have run down
    Index("clocks_by_until", "until"),
)
pulse = sa.Table(
    "pulse",
    SCHEMA,
    Column("id", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),  # when a server last said that it is up, while clocks run
)
offers = sa.Table(
    "offers",
    SCHEMA,
    Column("table", String(22), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("kind", String(8), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("by", Integer, nullable=False),
    Column("ply", Integer, nullable=False),
    Column("anew", Boolean, nullable=False),
    Column("agreed", Integer, nullable=False),  # the seats that have agreed, one bit each
)
talk = sa.Table(
    "talk",
    SCHEMA,
    Column("table", String(22), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("line", Integer, primary_key=True),
    Column("at", SECONDS, nullable=False),
    Column("kind", String(10), nullable=False),
    Column("person", String(22), ForeignKey("people.id", ondelete="CASCADE")),
    Column("seat", Integer),
    Column("text", String(400), nullable=False),
    Column("reports", Integer, nullable=False),
    Column("removed", Boolean, nullable=False),
)
mutes = sa.Table(
    "mutes",
    SCHEMA,
    Column("person", String(22), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("muted", String(22), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
)
hooks = sa.Table(
    "hooks",
    SCHEMA,
    Column("table", String(22), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("person", String(22), ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("url", String(500), nullable=False),
    Column("link", String(300), nullable=False),
    Column("due", BigInteger),  # when the next notice is to be sent
    Column("tries", Integer, nullable=False),
    Index("hooks_by_due", "due"),
)
reviews = sa.Table(
    "reviews",
    SCHEMA,
    Column("table", String(22), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("bot", String(40), nullable=False),
    Column("ply", Integer, nullable=False),
    Column("made", SECONDS, nullable=False),
    Column("document", JSON, nullable=False),
)
judging = sa.Table(
    "judging",
    SCHEMA,
    Column("table", String(22), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("total", Integer, nullable=False),
    Column("done", Integer, nullable=False),
    Column("failed", Boolean, nullable=False),
    Column("asked", BigInteger, nullable=False),  # when, in milliseconds
)

State = Literal["open", "playing", "over"]
LISTED: Final = (
    *("id", "game", "seats", "options", "private", "host", "language", "salt", "created", "changed", "state"),
    *("owing", "version", "result", "rematch", "settings", "origin"),
)
"""The columns of a table that `Facts` has."""


class Collision(Exception):
    """Another writer was first."""


class BadStore(RidottoError, OSError):
    """A database that cannot be used."""


class Away(RidottoError, OSError):
    """A database that does not answer just now."""


@dataclass(frozen=True)
class Place:
    """A chair of a table."""

    seat: Seat
    kind: Literal["person", "bot", "free"]
    open: bool
    person: str | None
    name: str
    """The person's name, or the bot's."""
    bot: str | None
    """Who decides here, if it is a bot; at a person's chair, a stand-in."""
    salt: str


@dataclass(frozen=True)
class Facts:
    """What is known of a table besides its match."""

    id: str
    game: str
    seats: int
    options: Mapping[str, int]
    private: bool
    host: str | None
    language: str
    salt: str
    created: int
    changed: int
    state: State
    owing: int
    version: int
    result: Mapping[str, Any] | None
    rematch: str | None
    settings: Mapping[str, Any]
    """What was agreed on when the table was set up, besides the options of the game."""
    origin: Mapping[str, Any] | None
    """Where the match came from: a record, or a moment of another table."""
    places: tuple[Place, ...]
    keys: Mapping[str, Seat | None]
    """Who may act for which seat; None: may watch. Empty in lists."""


@dataclass(frozen=True)
class Draft:
    """A table about to be founded."""

    id: str
    match: Match
    private: bool
    host: str | None
    language: str
    salt: str
    places: tuple[Place, ...]
    keys: Mapping[str, Seat | None]
    settings: Mapping[str, Any] = field(default_factory=dict)
    origin: Mapping[str, Any] | None = None

    @property
    def state(self) -> State:
        return state_of(self.match, self.places)


def state_of(match: Match, places: Iterable[Place]) -> State:
    """Over, open (somebody is still expected), or playing."""
    if not match.to_act:
        return "over"
    return "open" if any(place.kind == "free" for place in places) else "playing"


class Store:
    """The database."""

    def __init__(self, url: str, clock: Callable[[], float] = time.time) -> None:
        self.url = url
        self._clock = clock
        self.engine = _engine(url)
        self._writers = self.engine.execution_options(writing=True)
        # A look takes several queries, which must not see different moments: with SQLite they never do.
        self._readers = self.engine.execution_options(isolation_level="REPEATABLE READ") if self.is_shared else self.engine
        self._leaving: set[asyncio.Task[None]] = set()
        if not self.is_shared:
            setattr(self.engine.dialect, "do_terminate", self._let_go)  # noqa: B010 for whoever gives a question up
        # SQLite has one writer at a time: better to queue here, in order, than to ask again and again.
        self._turn = asyncio.Lock() if self.engine.dialect.name == "sqlite" else None

    async def open(self) -> None:
        """Bring the schema up to date."""
        try:
            async with self.engine.execution_options(writing=True).begin() as connection:
                if self.is_shared:  # one server at a time
                    await connection.execute(sa.select(sa.func.pg_advisory_xact_lock(MIGRATING)))
                await connection.run_sync(migrate)
        except (SQLAlchemyError, OSError) as error:
            await self.close()
            raise BadStore(f"cannot use the database {self.engine.url!r}: {error.__cause__ or error}") from error

    async def close(self) -> None:
        await self.engine.dispose()
        if self._leaving:
            await asyncio.wait(self._leaving)

    def _let_go(self, connection: Any) -> None:
        """End a connection in its own time: aiosqlite waits for ever for one that is ended twice."""
        task = asyncio.ensure_future(connection.driver_connection.close())
        self._leaving.add(task)
        task.add_done_callback(self._leaving.discard)

    @property
    def is_shared(self) -> bool:
        """Whether other servers may use it too."""
        return self.engine.dialect.name == "postgresql"

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A look at the database as it is at one moment."""
        with _answering():
            async with self._readers.connect() as connection:
                yield connection

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A change, all or nothing: it is on disk when this ends."""
        with _answering():
            async with self._turn or nullcontext(), self._writers.begin() as connection:
                yield connection

    @property
    def now(self) -> int:
        return int(self._clock())

    @property
    def milliseconds(self) -> int:
        return int(1000 * self._clock())

    async def line(self) -> Any:
        """The driver's own connection, a new one, to listen on: it is the caller's, who ends it."""
        borrowed = await _engine(self.url, poolclass=sa.NullPool).raw_connection()
        raw = borrowed.driver_connection
        borrowed.detach()
        return raw

    async def ping(self) -> None:
        """Raise if the database does not answer."""
        async with self.reading() as connection:
            await connection.execute(sa.select(1))

    # People.

    async def person(self, id: str) -> Person | None:
        async with self.reading() as connection:
            row = (await connection.execute(sa.select(people).where(people.c.id == id))).one_or_none()
        return None if row is None else Person(row.id, row.name, row.language, row.theme, row.motion, known=True)

    async def keep(self, person: Person) -> None:
        """Write down what a person chose; whoever shares a table with them will see a new name."""
        values = {"name": person.name, "language": person.language, "theme": person.theme, "motion": person.motion}
        at = sa.select(keys.c.table).where(keys.c.person == person.id, keys.c.seat.is_not(None))
        try:
            async with self.writing() as connection:
                # In one order for all: two who share two tables would wait for each other.
                await connection.execute(
                    sa.select(tables.c.id).where(tables.c.id.in_(at)).order_by(tables.c.id).with_for_update()
                )
                old = sa.update(people).where(people.c.id == person.id)
                if not (await connection.execute(old.values(**values, seen=self.now))).rowcount:
                    new = sa.insert(people).values(id=person.id, **values, created=self.now, seen=self.now)
                    await connection.execute(new)
                await connection.execute(sa.update(tables).where(tables.c.id.in_(at)).values(version=tables.c.version + 1))
        except IntegrityError:
            await self.keep(person)  # another of their pages has just written them down: there is one to update now

    async def export(self, person: str) -> dict[str, Any]:
        """Everything that is known of a person, as plain data. What others may not know of a table is not theirs either."""
        known: dict[str, Any] = {}
        async with self.reading() as connection:
            row = (await connection.execute(sa.select(people).where(people.c.id == person))).mappings().one_or_none()
            known["person"] = dict(row) if row else None
            for table in SCHEMA.sorted_tables:
                if "person" in table.c:
                    told = [column for column in table.c if column.name not in ("person", "salt")]
                    rows = await connection.execute(sa.select(*told).where(table.c.person == person))
                    known[table.name] = [dict(row) for row in rows.mappings()]
            at = sa.and_(chairs.c.table == entries.c.table, chairs.c.seat == entries.c.seat, chairs.c.person == person)
            done = sa.select(entries.c.table, entries.c.ply, entries.c.do, entries.c.time).join(chairs, at)
            ordered = await connection.execute(done.order_by(entries.c.table, entries.c.ply))
            known["actions"] = [dict(row) for row in ordered.mappings()]
            facts = (tables.c.id, tables.c.game, tables.c.state, tables.c.created, tables.c.changed, tables.c.result)
            sat = sa.select(*facts).where(tables.c.id.in_(sa.select(chairs.c.table).where(chairs.c.person == person)))
            known["tables"] = [dict(row) for row in (await connection.execute(sat)).mappings()]
        return known

    async def forget(self, person: str) -> list[str]:
        """Delete a person, and with them all that is theirs alone; the tables that changed by it.

        Their chairs stay, without them; links to these seats lead nowhere any more.
        """
        theirs = [sa.select(table.c.table).where(table.c.person == person) for table in (chairs, keys, talk)]
        async with self.writing() as connection:
            touched = sa.select(tables.c.id).where(sa.or_(tables.c.host == person, *(tables.c.id.in_(one) for one in theirs)))
            ids = list((await connection.execute(touched.order_by(tables.c.id).with_for_update())).scalars())
            sat = (await connection.execute(sa.select(chairs).where(chairs.c.person == person))).all()
            for one in sat:
                chair = sa.update(chairs).where(chairs.c.table == one.table, chairs.c.seat == one.seat)
                await connection.execute(chair.values(salt=secrets.token_hex(16)))
            await connection.execute(sa.delete(people).where(people.c.id == person))
            await connection.execute(sa.update(tables).where(tables.c.id.in_(ids)).values(version=tables.c.version + 1))
        return ids

    async def tables_of(self, person: str) -> list[str]:
        """The tables at which somebody has a seat."""
        chosen = sa.select(keys.c.table).where(keys.c.person == person, keys.c.seat.is_not(None))
        async with self.reading() as connection:
            return list((await connection.execute(chosen)).scalars())

    # Tables.

    async def found(self, draft: Draft) -> None:
        """Write a new table down, its deal included."""
        async with self.writing() as connection:
            await self._found(connection, draft)

    async def found_again(self, old: str, draft: Draft) -> str:
        """Write the rematch of a table down; the id of the one there is, if somebody was first."""
        async with self.writing() as connection:
            await self._found(connection, draft)
            taken = sa.update(tables).where(tables.c.id == old, tables.c.rematch.is_(None))
            done = await connection.execute(taken.values(rematch=draft.id, version=tables.c.version + 1))
            if done.rowcount:
                return draft.id
            await connection.rollback()
        async with self.reading() as connection:
            return str((await connection.execute(sa.select(tables.c.rematch).where(tables.c.id == old))).scalar_one())

    async def _found(self, connection: AsyncConnection, draft: Draft) -> None:
        match, document = draft.match, record.write(draft.match)
        outcome = match.outcome
        await connection.execute(
            sa.insert(tables).values(
                id=draft.id,
                game=match.game.name,
                rules=document["rules"],
                box=document["box"],
                seats=match.seats,
                options=dict(match.options),
                private=draft.private,
                host=draft.host,
                language=draft.language,
                settings=dict(draft.settings),
                origin=None if draft.origin is None else dict(draft.origin),
                salt=draft.salt,
                created=self.now,
                changed=self.now,
                state=draft.state,
                owing=_bits(match.to_act),
                version=1,
                result=outcome.json() if outcome else None,
            )
        )
        rows = [
            {
                "table": draft.id,
                "seat": p.seat,
                "kind": p.kind,
                "open": p.open,
                "person": p.person,
                "bot": p.bot,
                "salt": p.salt,
            }
            for p in draft.places
        ]
        await connection.execute(sa.insert(chairs), rows)
        if draft.keys:
            held = [{"table": draft.id, "person": person, "seat": seat} for person, seat in draft.keys.items()]
            await connection.execute(sa.insert(keys), held)
        hashes = [stored["hash"] for stored in document["entries"]]
        await connection.execute(sa.insert(entries), _rows(draft.id, 0, match.entries, hashes))

    async def version(self, id: str) -> int | None:
        """How often a table has changed; None if there is no such table."""
        async with self.reading() as connection:
            return (await connection.execute(sa.select(tables.c.version).where(tables.c.id == id))).scalar_one_or_none()

    async def facts(self, id: str) -> Facts | None:
        """What is known of a table; None if there is no such table."""
        if not ID.fullmatch(id):  # whatever it is, it may be something that a database cannot even compare
            return None
        async with self.reading() as connection:
            found = await self._listed(connection, sa.select(tables).where(tables.c.id == id))
            if not found:
                return None
            rows = await connection.execute(sa.select(keys).where(keys.c.table == id))
            held = {row.person: row.seat for row in rows}
        return Facts(**{**vars(found[0]), "keys": held})

    async def document(self, id: str) -> dict[str, Any]:
        """The match of a table as a record: all that is needed to rebuild and verify it."""
        async with self.reading() as connection:
            row = (await connection.execute(sa.select(tables).where(tables.c.id == id))).one()
            lines = (await connection.execute(sa.select(entries).where(entries.c.table == id).order_by(entries.c.ply))).all()
        stored = [record.entry_json(one.ply, _entry(one), one.hash) for one in lines]
        return {
            "format": record.FORMAT,
            "version": record.FORMAT_VERSION,
            "game": row.game,
            "rules": row.rules,
            "box": row.box,
            "seats": row.seats,
            "options": row.options,
            "names": [f"seat {seat}" for seat in range(row.seats)],
            "entries": stored,
            "result": row.result,
            "head": stored[-1]["hash"] if stored else "",
        } | ({record.ORIGIN: origin} if (origin := (row.origin or {}).get("record")) else {})

    async def since(self, id: str, ply: int) -> list[tuple[Entry, str]]:
        """The entries from a ply on, with their hashes."""
        chosen = sa.select(entries).where(entries.c.table == id, entries.c.ply >= ply).order_by(entries.c.ply)
        async with self.reading() as connection:
            rows = (await connection.execute(chosen)).all()
        return [(_entry(row), row.hash) for row in rows]

    async def append(
        self, id: str, match: Match, ply: int, head: str, also: Sequence[sa.Executable] = (), *, version: int | None = None
    ) -> str:
        """Write the entries of a match from `ply` on, all or none; the hash of the last.

        `head` is the hash of the entry before; `also` is what changes with it, worked out from the table at its `version`.
        Raises Collision if another writer has written that ply already, or anything since.
        """
        new = match.entries[ply:]
        hashes = []
        for at, entry in enumerate(new, ply):
            head = record.entry_hash(head, at, entry)
            hashes.append(head)
        outcome = match.outcome
        values: dict[str, Any] = {
            "changed": self.now,
            "owing": _bits(match.to_act),
            "version": tables.c.version + 1,
        }
        if outcome is not None:
            values |= {"state": "over", "result": outcome.json()}
        try:
            async with self.writing() as connection:
                await connection.execute(sa.insert(entries), _rows(id, ply, new, hashes))
                if not (await connection.execute(changing(id, version).values(**values))).rowcount:
                    raise Collision(f"table {id} is not at version {version} any more")
                for statement in also:
                    await connection.execute(statement)
        except IntegrityError as error:
            raise Collision(f"ply {ply} of table {id} is written already") from error
        return head

    async def sit(self, id: str, seat: Seat, person: str) -> bool:
        """Give a free chair to a person; False if it is not free any more, or they sit there already."""
        free = sa.and_(chairs.c.table == id, chairs.c.seat == seat, chairs.c.kind == "free")
        try:
            async with self.writing() as connection:
                await _locked(connection, id)
                done = await connection.execute(sa.update(chairs).where(free).values(kind="person", person=person))
                if not done.rowcount:
                    return False
                await connection.execute(
                    sa.delete(keys).where(keys.c.table == id, keys.c.person == person, keys.c.seat.is_(None))
                )
                await connection.execute(sa.insert(keys).values(table=id, person=person, seat=seat))
                left = sa.select(sa.func.count()).where(chairs.c.table == id, chairs.c.kind == "free")
                full = not (await connection.execute(left)).scalar_one()
                state = sa.case((sa.and_(tables.c.state == "open", sa.literal(full)), "playing"), else_=tables.c.state)
                change = {"version": tables.c.version + 1, "changed": self.now, "state": state}
                await connection.execute(sa.update(tables).where(tables.c.id == id).values(**change))
        except IntegrityError:
            return False
        return True

    async def let_in(self, id: str, person: str, seat: Seat | None) -> bool:
        """Give a person the key to a seat, or (None) leave to watch; False if they have the key to another seat."""
        try:
            async with self.writing() as connection:
                await _locked(connection, id)
                at = sa.and_(keys.c.table == id, keys.c.person == person)
                held = (await connection.execute(sa.select(keys.c.seat).where(at))).one_or_none()
                if held is not None and held.seat is not None:
                    return seat is None or bool(held.seat == seat)
                if held is None:
                    await connection.execute(sa.insert(keys).values(table=id, person=person, seat=seat))
                else:
                    await connection.execute(sa.update(keys).where(at).values(seat=seat))
                await connection.execute(sa.update(tables).where(tables.c.id == id).values(version=tables.c.version + 1))
        except IntegrityError:
            return False
        return True

    # Lists.

    async def all_tables(self) -> list[str]:
        """Every table there is, oldest first."""
        async with self.reading() as connection:
            return list((await connection.execute(sa.select(tables.c.id).order_by(tables.c.created, tables.c.id))).scalars())

    async def lobby(self, person: str | None, most: int) -> tuple[list[Facts], list[Facts], list[Facts]]:
        """Somebody's tables; open tables to sit down at; tables that are over: the latest of each."""
        at = sa.select(keys.c.table).where(keys.c.person == (person or ""), keys.c.seat.is_not(None))
        latest = sa.select(tables).order_by(tables.c.changed.desc(), tables.c.id).limit(most)
        async with self.reading() as connection:
            yours = await self._listed(connection, latest.where(tables.c.id.in_(at)))
            public = latest.where(tables.c.private.is_(False))
            free = sa.select(chairs.c.table).where(chairs.c.kind == "free", chairs.c.open.is_(True))
            inviting = await self._listed(connection, public.where(tables.c.state == "open", tables.c.id.in_(free)))
            over = await self._listed(connection, public.where(tables.c.state == "over"))
        return yours, inviting, over

    async def waiting_for_bots(self) -> list[str]:
        """The tables at which a bot owes a decision."""
        owes = tables.c.owing.bitwise_rshift(chairs.c.seat).bitwise_and(1) == 1
        chosen = (
            sa.select(tables.c.id)
            .distinct()
            .join(chairs, chairs.c.table == tables.c.id)
            .where(tables.c.state != "over", chairs.c.bot.is_not(None), owes)
        )
        async with self.reading() as connection:
            return list((await connection.execute(chosen)).scalars())

    async def _listed(self, connection: AsyncConnection, chosen: sa.Select[Any]) -> list[Facts]:
        rows = (await connection.execute(chosen)).all()
        query = (
            sa.select(chairs, people.c.name)
            .outerjoin(people, people.c.id == chairs.c.person)
            .where(chairs.c.table.in_([row.id for row in rows]))
            .order_by(chairs.c.table, chairs.c.seat)
        )
        places: dict[str, list[Place]] = {row.id: [] for row in rows}
        for one in await connection.execute(query):
            name = (one.bot if one.kind == "bot" else one.name) or ""
            places[one.table].append(Place(one.seat, one.kind, one.open, one.person, name, one.bot, one.salt))
        return [Facts(**{name: getattr(row, name) for name in LISTED}, places=tuple(places[row.id]), keys={}) for row in rows]


def read(document: dict[str, Any], games: Mapping[str, Game] = GAMES) -> tuple[Match, str]:
    """The match of a stored record, verified, and the hash of its last entry."""
    return record.read(document, games)[0], document["head"]


def repeat(match: Match, head: str, stored: Sequence[tuple[Entry, str]]) -> tuple[Match, str]:
    """A match with entries that another writer has written, verified."""
    later = match.after(match.ply)
    for entry, expected in stored:
        head = record.entry_hash(head, later.ply, entry)
        if head != expected:
            raise record.BadRecord(f"entry at ply {later.ply} was changed: its hash does not fit")
        later.repeat(entry)
    return later, head


def changing(id: str, version: int | None = None) -> sa.Update:
    """An update of a table's row; one that finds nothing where the table is not at this version any more."""
    found = sa.update(tables).where(tables.c.id == id)
    return found if version is None else found.where(tables.c.version == version)


def _entry(row: sa.Row[Any]) -> Entry:
    return Entry(row.seat, row.do, tuple(row.draws), row.time, row.salt, row.position)


def _rows(id: str, ply: int, new: Sequence[Entry], hashes: Sequence[str]) -> list[dict[str, Any]]:
    return [
        {
            "table": id,
            "ply": at,
            "seat": entry.seat,
            "do": entry.do,
            "draws": list(entry.draws),
            "time": entry.time,
            "salt": entry.salt,
            "position": entry.position,
            "hash": link,
        }
        for at, (entry, link) in enumerate(zip(new, hashes, strict=True), ply)
    ]


async def _locked(connection: AsyncConnection, id: str) -> None:
    """Let nobody else change the chairs and keys of a table until this transaction ends."""
    await connection.execute(sa.select(tables.c.id).where(tables.c.id == id).with_for_update())


def _bits(seats: Iterable[Seat]) -> int:
    return sum(1 << seat for seat in seats)


# The database itself.


@contextmanager
def _answering() -> Iterator[None]:
    """What a database that is gone, or has too much to do, makes of a question."""
    try:
        yield
    except IntegrityError:
        raise
    except DBAPIError as error:
        if error.connection_invalidated or isinstance(error, OperationalError | InterfaceError):
            raise Away("the database does not answer") from error
        raise
    except (ConnectionError, TimeoutError, PoolTimeout) as error:
        raise Away("the database does not answer") from error


def migrate(connection: sa.Connection, to: str = "head") -> None:
    """Bring the schema up to a version of it; "base" takes it all away."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    if to == "base":
        command.downgrade(config, to)
    else:
        command.upgrade(config, to)


def _engine(url: str, **options: Any) -> AsyncEngine:
    shared = url.startswith("postgresql")
    engine = create_async_engine(url, connect_args={"server_settings": {"application_name": NAME}} if shared else {}, **options)
    if engine.dialect.name == "sqlite":
        sa.event.listen(engine.sync_engine, "connect", _prepare_sqlite)
        sa.event.listen(engine.sync_engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _: object) -> None:
    """A commit is on disk before it is acknowledged; readers do not wait for the writer."""
    connection.isolation_level = None  # transactions are begun below, not guessed by the driver
    cursor = connection.cursor()
    for pragma in ("busy_timeout=5000", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_sqlite(connection: sa.Connection) -> None:
    """Whoever will write says so at once: a reader that turns writer later may find itself behind."""
    writing = connection.get_execution_options().get("writing")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")
