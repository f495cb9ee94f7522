"""What must not be lost: people, tables, and the entries of their matches, in a database.

The append of an entry is the commit point: what was acknowledged is on disk. Entries are unique by table and ply, so of two
writers one loses, and looks again. A table's `version` grows with every change, so that a copy in memory knows when it is old.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from sqlalchemy import Boolean, Column, ForeignKey, Index, Integer, MetaData, String
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from ridotto import record
from ridotto.core import Entry, Game, Match
from ridotto.games import GAMES
from ridotto.kernel import RidottoError, Seat
from ridotto.web.people import Person

SCHEMA: Final = MetaData()
JSON: Final = sa.JSON(none_as_null=True)

people = sa.Table(
    "people",
    SCHEMA,
    Column("id", String(22), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("language", String(2), nullable=False),
    Column("theme", String(5), nullable=False),
    Column("motion", Boolean, nullable=False),
    Column("created", Integer, nullable=False),
    Column("seen", Integer, nullable=False),
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
    Column("created", Integer, nullable=False),
    Column("changed", Integer, nullable=False),
    Column("state", String(8), nullable=False),
    Column("owing", Integer, nullable=False),  # the seats that owe a decision, one bit each
    Column("version", Integer, nullable=False),
    Column("result", JSON),
    Column("rematch", String(22), ForeignKey("tables.id", ondelete="SET NULL")),
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
    Column("bot", String(40)),
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

State = Literal["open", "playing", "over"]
LISTED: Final = (
    *("id", "game", "seats", "options", "private", "host", "language", "salt", "created", "changed", "state"),
    *("owing", "version", "result", "rematch"),
)
"""The columns of a table that `Facts` has."""


class Collision(Exception):
    """Another writer was first."""


class BadStore(RidottoError, OSError):
    """A database that cannot be used."""


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
        # SQLite has one writer at a time: better to queue here, in order, than to ask again and again.
        self._turn = asyncio.Lock() if self.engine.dialect.name == "sqlite" else None

    async def open(self) -> None:
        """Bring the schema up to date."""
        try:
            async with self.engine.execution_options(writing=True).begin() as connection:
                await connection.run_sync(migrate)
        except SQLAlchemyError as error:
            await self.close()
            raise BadStore(f"cannot use the database {self.engine.url!r}: {error.__cause__ or error}") from error

    async def close(self) -> None:
        await self.engine.dispose()

    @asynccontextmanager
    async def _reading(self) -> AsyncIterator[AsyncConnection]:
        async with self.engine.connect() as connection:
            yield connection

    @asynccontextmanager
    async def _writing(self) -> AsyncIterator[AsyncConnection]:
        async with self._turn or nullcontext(), self.engine.execution_options(writing=True).begin() as connection:
            yield connection

    @property
    def now(self) -> int:
        return int(self._clock())

    async def ping(self) -> None:
        """Raise if the database does not answer."""
        async with self._reading() as connection:
            await connection.execute(sa.select(1))

    # People.

    async def person(self, id: str) -> Person | None:
        async with self._reading() as connection:
            row = (await connection.execute(sa.select(people).where(people.c.id == id))).one_or_none()
        return None if row is None else Person(row.id, row.name, row.language, row.theme, row.motion, known=True)

    async def keep(self, person: Person) -> None:
        """Write down what a person chose; whoever shares a table with them will see a new name."""
        values = {"name": person.name, "language": person.language, "theme": person.theme, "motion": person.motion}
        at = sa.select(keys.c.table).where(keys.c.person == person.id, keys.c.seat.is_not(None))
        try:
            async with self._writing() as connection:
                old = sa.update(people).where(people.c.id == person.id)
                if not (await connection.execute(old.values(**values, seen=self.now))).rowcount:
                    new = sa.insert(people).values(id=person.id, **values, created=self.now, seen=self.now)
                    await connection.execute(new)
                await connection.execute(sa.update(tables).where(tables.c.id.in_(at)).values(version=tables.c.version + 1))
        except IntegrityError:
            await self.keep(person)  # another of their pages has just written them down: there is one to update now

    async def tables_of(self, person: str) -> list[str]:
        """The tables at which somebody has a seat."""
        chosen = sa.select(keys.c.table).where(keys.c.person == person, keys.c.seat.is_not(None))
        async with self._reading() as connection:
            return list((await connection.execute(chosen)).scalars())

    # Tables.

    async def found(self, draft: Draft) -> None:
        """Write a new table down, its deal included."""
        async with self._writing() as connection:
            await self._found(connection, draft)

    async def found_again(self, old: str, draft: Draft) -> str:
        """Write the rematch of a table down; the id of the one there is, if somebody was first."""
        async with self._writing() as connection:
            await self._found(connection, draft)
            taken = sa.update(tables).where(tables.c.id == old, tables.c.rematch.is_(None))
            done = await connection.execute(taken.values(rematch=draft.id, version=tables.c.version + 1))
            if done.rowcount:
                return draft.id
            await connection.rollback()
        async with self._reading() as connection:
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
                settings={},
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
        async with self._reading() as connection:
            return (await connection.execute(sa.select(tables.c.version).where(tables.c.id == id))).scalar_one_or_none()

    async def facts(self, id: str) -> Facts | None:
        """What is known of a table; None if there is no such table."""
        async with self._reading() as connection:
            found = await self._listed(connection, sa.select(tables).where(tables.c.id == id))
            if not found:
                return None
            rows = await connection.execute(sa.select(keys).where(keys.c.table == id))
            held = {row.person: row.seat for row in rows}
        return Facts(**{**vars(found[0]), "keys": held})

    async def document(self, id: str) -> dict[str, Any]:
        """The match of a table as a record: all that is needed to rebuild and verify it."""
        async with self._reading() as connection:
            row = (await connection.execute(sa.select(tables).where(tables.c.id == id))).one()
            lines = (await connection.execute(sa.select(entries).where(entries.c.table == id).order_by(entries.c.ply))).all()
        stored = [
            {"ply": one.ply, "seat": one.seat, "do": one.do, "draws": one.draws, "time": one.time, "salt": one.salt}
            | ({} if one.position is None else {"position": one.position})
            | {"hash": one.hash}
            for one in lines
        ]
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
        }

    async def since(self, id: str, ply: int) -> list[tuple[Entry, str]]:
        """The entries from a ply on, with their hashes."""
        chosen = sa.select(entries).where(entries.c.table == id, entries.c.ply >= ply).order_by(entries.c.ply)
        async with self._reading() as connection:
            rows = (await connection.execute(chosen)).all()
        return [(Entry(r.seat, r.do, tuple(r.draws), r.time, r.salt, r.position), r.hash) for r in rows]

    async def append(self, id: str, match: Match, ply: int, head: str) -> str:
        """Write the entries of a match from `ply` on, all or none; the hash of the last.

        `head` is the hash of the entry before. Raises Collision if another writer has written that ply already.
        """
        new = match.entries[ply:]
        hashes = []
        for at, entry in enumerate(new, ply):
            head = record.link(head, _content(at, entry))
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
            async with self._writing() as connection:
                await connection.execute(sa.insert(entries), _rows(id, ply, new, hashes))
                await connection.execute(sa.update(tables).where(tables.c.id == id).values(**values))
        except IntegrityError as error:
            raise Collision(f"ply {ply} of table {id} is written already") from error
        return head

    async def sit(self, id: str, seat: Seat, person: str) -> bool:
        """Give a free chair to a person; False if it is not free any more, or they sit there already."""
        free = sa.and_(chairs.c.table == id, chairs.c.seat == seat, chairs.c.kind == "free")
        try:
            async with self._writing() as connection:
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
            async with self._writing() as connection:
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

    async def lobby(self, person: str | None, most: int) -> tuple[list[Facts], list[Facts], list[Facts]]:
        """Somebody's tables; open tables to sit down at; tables that are over: the latest of each."""
        at = sa.select(keys.c.table).where(keys.c.person == (person or ""), keys.c.seat.is_not(None))
        latest = sa.select(tables).order_by(tables.c.changed.desc(), tables.c.id).limit(most)
        async with self._reading() as connection:
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
            .where(tables.c.state != "over", chairs.c.kind == "bot", owes)
        )
        async with self._reading() as connection:
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
            name = one.bot or one.name or ""
            places[one.table].append(Place(one.seat, one.kind, one.open, one.person, name, one.bot, one.salt))
        return [Facts(**{name: getattr(row, name) for name in LISTED}, places=tuple(places[row.id]), keys={}) for row in rows]


def read(document: dict[str, Any], games: Mapping[str, Game] = GAMES) -> tuple[Match, str]:
    """The match of a stored record, verified, and the hash of its last entry."""
    return record.read(document, games)[0], document["head"]


def repeat(match: Match, head: str, stored: Sequence[tuple[Entry, str]]) -> tuple[Match, str]:
    """A match with entries that another writer has written, verified."""
    later = match.after(match.ply)
    for entry, expected in stored:
        head = record.link(head, _content(later.ply, entry))
        if head != expected:
            raise record.BadRecord(f"entry at ply {later.ply} was changed: its hash does not fit")
        later.repeat(entry)
    return later, head


def _content(ply: int, entry: Entry) -> dict[str, Any]:
    """What is hashed of an entry after the deal, as in a record."""
    content = {"ply": ply, "seat": entry.seat, "do": entry.do, "draws": list(entry.draws)}
    return {**content, "time": entry.time, "salt": entry.salt}


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


def _bits(seats: Iterable[Seat]) -> int:
    return sum(1 << seat for seat in seats)


# The database itself.


def migrate(connection: sa.Connection, to: str = "head") -> None:
    """Bring the schema to a version of it."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, to)


def _engine(url: str) -> AsyncEngine:
    engine = create_async_engine(url)
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
