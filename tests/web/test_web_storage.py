"""The database: its schema, what a crash or a race may do to it, and what it finds out when something was changed."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy.ext.asyncio import AsyncConnection
from visitors import Visitor, running, sat, services, settings

from ridotto.bots import Ranked, review
from ridotto.bots.judging import Judgement
from ridotto.core import record
from ridotto.core.match import Match
from ridotto.core.record import BadRecord
from ridotto.games import GAMES
from ridotto.web.clocks import Clock, Terms
from ridotto.web.identity import Person, new_id
from ridotto.web.settings import Settings
from ridotto.web.storage import Storage, backup, check, schema
from ridotto.web.storage.changes import Change
from ridotto.web.storage.chat import add_line
from ridotto.web.storage.database import migrate
from ridotto.web.storage.entries import read_match, replay_entries
from ridotto.web.storage.faults import BadDatabase, Conflict
from ridotto.web.storage.reviews import add_unasked
from ridotto.web.storage.schema import SCHEMA
from ridotto.web.storage.table_info import Chair, NewTable
from ridotto.web.storage.table_settings import TableSettings

EARLIER = sorted((Path(__file__).parents[1] / "golden").glob("web-schema-*.sql"))
"""Databases of earlier schemas, as `sqlite3 .dump` writes them: a match of Le Fantôme in which a bot owes a decision."""


def using(database: str, work: Callable[[Storage], Awaitable[None]]) -> None:
    """Do something with the store in a database."""

    async def run() -> None:
        storage = Storage(Settings(database=database).url)
        await storage.open()
        try:
            await work(storage)
        finally:
            await storage.close()

    asyncio.run(run())


async def laid(storage: Storage, match: Match, kinds: str = "pp") -> str:
    """A table with people (p), free chairs (f) and bots (b)."""
    places, keys = [], {}
    for seat, kind in enumerate(kinds):
        person = new_id() if kind == "p" else None
        if person:
            await storage.people.save(Person(person, f"Person {seat}"))
            keys[person] = seat
        bot = "random" if kind == "b" else None
        named = {"p": "person", "f": "free", "b": "bot"}[kind]
        places.append(Chair(seat, named, True, person, "", bot, "0" * 32))  # type: ignore[arg-type]
    new = NewTable(new_id(), match, False, None, "en", "0" * 32, tuple(places), keys)
    await storage.tables.create(new)
    return new.id


def test_the_migrations_give_the_schema(database: str) -> None:
    """What the changes add up to is what the code expects, column by column."""

    async def work(storage: Storage) -> None:
        def differences(connection: sa.Connection) -> list[object]:
            return list(compare_metadata(MigrationContext.configure(connection), SCHEMA))

        async with storage.database.engine.connect() as connection:
            assert [] == await connection.run_sync(differences)

    using(database, work)


def test_no_earlier_schema_is_forgotten() -> None:
    """For every schema but the latest there is a database to try."""
    scripts = sorted(Path(schema.__file__).parent.glob("migrations/versions/v*.py"))
    assert [one.stem[1:] for one in scripts[:-1]] == [one.stem.rpartition("-")[2] for one in EARLIER]


@pytest.mark.parametrize("earlier", EARLIER, ids=lambda path: str(path.stem))
def test_a_database_of_an_earlier_schema_goes_on(earlier: Path, tmp_path: Path) -> None:
    """It is brought up to date at the start, its match verifies, and play goes on; what is around the match is there, too."""
    with closing(sqlite3.connect(tmp_path / "ridotto.db")) as database:
        database.executescript(earlier.read_text("utf-8"))

    async def work(storage: Storage) -> None:
        (table,) = await storage.tables.waiting_for_bots()
        match, head = read_match(await storage.tables.document(table))
        assert {None, 0} == {entry.seat for entry in match.entries}
        assert (1,) == match.to_act
        later = match.after(match.ply)
        later.play(match.legal(1)[0], 1)
        await storage.tables.append(table, later, match.ply, head)
        info = await storage.tables.info(table)
        assert info is not None
        assert ("Nellie Melba", "level:2") == (info.chairs[0].name, info.chairs[1].bot)
        assert later.row == read_match(await storage.tables.document(table))[0].row
        if not earlier.stem.endswith("0001"):
            extras = await storage.tables.extras(table)
            assert ({0: Clock(1_190_000)}, "Toi, toi, toi!") == (extras.clocks, extras.chat[0].text)
            assert TableSettings(clock=Terms("match", 1200, 5), leaving="bot") == info.settings
            assert await storage.reviews.load(table) is not None

    using(f"sqlite:///{tmp_path / 'ridotto.db'}", work)


FIRST_RELEASE = {
    ("fantome", 2): (60, "cleared"),
    ("opera", 2): (89, "last_count"),
    ("opera", 4): (124, "short_count"),
    ("turandot", 3): (58, "finished"),
    ("turandot", 5): (86, "tied"),
}
"""What version 0.1.0 said of the finished matches when it wrote web-database-v0.1.0.sql: entries and ending."""


def test_a_database_of_the_first_release_opens(tmp_path: Path) -> None:
    """Every match in a database written by version 0.1.0 replays, verifies and ends as it ended then; the others go on."""
    written = Path(__file__).parents[1] / "golden" / "web-database-v0.1.0.sql"
    with closing(sqlite3.connect(tmp_path / "ridotto.db")) as database:
        database.executescript(written.read_text("utf-8"))

    async def work(storage: Storage) -> None:
        finished, going_on = {}, 0
        for table in await storage.tables.ids():
            match, head = read_match(await storage.tables.document(table))
            if match.outcome:
                finished[match.game.name, match.seats] = (match.ply, match.outcome.ending)
            else:
                later = match.after(match.ply)
                later.play(later.legal(later.to_act[0])[0], later.to_act[0])
                await storage.tables.append(table, later, match.ply, head)
                going_on += 1
        assert (FIRST_RELEASE, 5) == (finished, going_on)

    using(f"sqlite:///{tmp_path / 'ridotto.db'}", work)


@pytest.mark.soak
def test_a_thousand_matches_of_the_first_release(tmp_path: Path) -> None:
    """A database of version 0.1.0 with a thousand matches is brought up to date, copied and put back; every record verifies."""
    written = Path(__file__).parents[1] / "golden" / "web-database-v0.1.0.sql"
    with closing(sqlite3.connect(tmp_path / "ridotto.db")) as database:
        database.executescript(written.read_text("utf-8"))
        ids = [row[0] for row in database.execute("SELECT id FROM tables")]
        for number in range(1000 // len(ids) - 1):
            for old in ids:
                new = f"{number:04}{old[4:]}"
                for table, key in (("tables", "id"), ("chairs", "table"), ("keys", "table"), ("entries", "table")):
                    columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
                    chosen = ", ".join("?" if column == key else f'"{column}"' for column in columns)
                    database.execute(f'INSERT INTO {table} SELECT {chosen} FROM {table} WHERE "{key}" = ?', (new, old))
        database.commit()

    async def copy(storage: Storage) -> None:
        assert (1000, {}) == await check.verify(storage)
        await backup.write(storage.database, tmp_path / "copy.gz")

    async def put_back(storage: Storage) -> None:
        await backup.restore(storage.database, tmp_path / "copy.gz")
        assert (1000, {}) == await check.verify(storage)

    using(f"sqlite:///{tmp_path / 'ridotto.db'}", copy)
    using(f"sqlite:///{tmp_path / 'other.db'}", put_back)


RENAMED = {
    "pulse": "heartbeat",
    "talk": "chat",
    "hooks": "webhooks",
    "judging": "review_jobs",
    "shares": "token_buckets",
    "tables.owing": "to_act",
    "offers.by": "proposer",
    "offers.anew": "redeal",
    "judging.asked": "requested",
    "reviews.made": "created",
    "shares.left": "tokens",
}
"""Tables and columns that have other names from schema 0007 on."""
SETTINGS = (
    {"clock": {"kind": "match", "seconds": 600, "added": 5, "flag": "resign"}, "hushed": True, "guide": True},
    {"leaving": "bot", "takebacks": "never", "hints": "all", "shared": [0, 1], "held": 1, "left": {"1": "time"}},
)
READ = [
    TableSettings(Terms("match", 600, 5), "resign", only_players_chat=True, guide=True),
    TableSettings(None, "bot", "never", "all", shared_seats=(0, 1), device_holder=1, left={1: "time"}),
]


def filling(table: sa.Table, number: int) -> dict[str, Any]:
    """A row with something in every column; it refers to the row of the same number of other tables."""
    row: dict[str, Any] = {}
    for at, column in enumerate(table.c):
        kind, key = column.type, next(iter(column.foreign_keys), None)
        if key is not None:
            row[column.name] = f"{key.column.table.name} {number}"
        elif isinstance(kind, sa.JSON):
            row[column.name] = SETTINGS[number] if column.name == "settings" else {"value": [number, at]}
        elif isinstance(kind, sa.Boolean):
            row[column.name] = bool((number + at) % 2)
        elif isinstance(kind, sa.String):
            row[column.name] = f"{table.name} {number}" if column.name == "id" else f"{at} {number}"[-(kind.length or 99) :]
        else:
            row[column.name] = 100 * number + at
    return row


async def every_row(connection: AsyncConnection) -> dict[str, list[dict[str, Any]]]:
    """Every row of every table there is, in order."""
    every = sa.MetaData()
    await connection.run_sync(every.reflect)
    rows = {}
    for table in every.sorted_tables:
        if table.name != "alembic_version":
            read = await connection.execute(sa.select(table).order_by(*table.primary_key))
            rows[table.name] = [dict(row) for row in read.mappings()]
    return rows


def test_plain_names_keep_all_data(database: str, tmp_path: Path) -> None:
    """Rows of every table that are there before tables and columns are renamed are there afterwards, in a backup as well."""

    async def run() -> None:
        storage, other = (Storage(Settings(database=url).url) for url in (database, f"sqlite:///{tmp_path / 'other.db'}"))
        async with storage.database.writing() as connection:
            await connection.run_sync(migrate, "0006")
            every = sa.MetaData()
            await connection.run_sync(every.reflect)
            for table in every.sorted_tables:
                if table.name != "alembic_version":
                    await connection.execute(sa.insert(table), [filling(table, 0), filling(table, 1)])
            before = await every_row(connection)
        assert {2} == set(map(len, before.values()))
        expected = {
            RENAMED.get(name, name): [
                {RENAMED.get(f"{name}.{column}", column): value for column, value in row.items()} for row in rows
            ]
            for name, rows in before.items()
        }
        new = set(SCHEMA.tables) - set(expected)
        for row in expected["tables"]:
            del row["settings"]
        await backup.write(storage.database, tmp_path / "copy")
        await storage.open()
        await backup.restore(other.database, tmp_path / "copy")
        try:
            for one in (storage, other):
                async with one.database.reading() as connection:
                    after = await every_row(connection)
                assert READ == [TableSettings.read(row.pop("settings")) for row in after["tables"]]
                if one is other:
                    assert [] == after.pop("token_buckets") and expected.pop("token_buckets")  # which no backup has
                assert all([] == after.pop(table) for table in new)
                assert expected == {
                    table: [{name: row[name] for name in old} for row, old in zip(rows, expected[table], strict=True)]
                    for table, rows in after.items()
                }
            async with storage.database.reading() as connection:
                names = await connection.run_sync(names_in)
            assert not [name for name in names if name.startswith(tuple(f"{old}_" for old in RENAMED))]
        finally:
            await storage.close()
            await other.close()

    asyncio.run(run())


def names_in(connection: sa.Connection) -> set[str]:
    """The names of constraints, indexes and sequences."""
    inspector = sa.inspect(connection)
    names: set[str | None] = set(inspector.get_sequence_names() if connection.dialect.name == "postgresql" else ())
    for table in inspector.get_table_names():
        constraints = (inspector.get_pk_constraint(table), *inspector.get_foreign_keys(table), *inspector.get_indexes(table))
        names |= {one["name"] for one in constraints}
    return {name for name in names if name is not None}


def test_after_2038(database: str) -> None:
    """Seconds that do not fit into 32 bits are kept, also where a database of an earlier schema had no room for them."""

    async def run() -> None:
        storage = Storage(Settings(database=database).url, lambda: 2.0**33)
        async with storage.database.writing() as connection:
            await connection.run_sync(migrate, "0002")
        await storage.open()
        try:
            table = await laid(storage, Match(GAMES["fantome"], 2, seed=7))
            assert await storage.tables.change(table, [add_line(table, storage.now, "said", text="Good evening.")])
            made = review.assemble_review(Match(GAMES["fantome"], 2, seed=7), "search:20", [])
            await storage.reviews.save(table, made)
            times = [schema.people.c.created, schema.people.c.seen, schema.tables.c.created, schema.tables.c.changed]
            async with storage.database.reading() as connection:
                for column in (*times, schema.chat.c.at, schema.reviews.c.created):
                    assert {2**33} == set((await connection.execute(sa.select(column))).scalars()), column
        finally:
            await storage.close()

    asyncio.run(run())


def test_how_sqlite_is_set(tmp_path: Path) -> None:
    """Written ahead, synchronised in full, with foreign keys: for every connection."""

    async def work(storage: Storage) -> None:
        async with storage.database.engine.connect() as one, storage.database.engine.connect() as other:
            for connection in (one, other):
                found = [
                    (await connection.exec_driver_sql(f"PRAGMA {name}")).scalar_one()
                    for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
                ]
                assert ["wal", 2, 1, 5000] == found

    using(f"sqlite:///{tmp_path / 'ridotto.db'}", work)


def test_of_two_writers_one_loses(database: str) -> None:
    """The same ply is written once; the loser leaves nothing, not even the entries after it."""

    async def work(storage: Storage) -> None:
        table = await laid(storage, Match(GAMES["opera"], 2))
        match, head = read_match(await storage.tables.document(table))
        first, second = match.after(1), match.after(1)
        first.play("bid 4", 0)
        second.play("bid 5", 1)
        second.play("bid 6", 0)
        await storage.tables.append(table, first, 1, head)
        before = await storage.tables.document(table)
        with pytest.raises(Conflict):
            await storage.tables.append(table, second, 1, head)
        assert before == await storage.tables.document(table)
        assert 2 == await storage.tables.version(table)

    using(database, work)


def test_a_review_is_wanted_with_the_last_entry(database: str) -> None:
    """It is written with the end of a match, or neither is; a copy then has what tells where the match turned, and no more."""

    async def work(storage: Storage) -> None:
        table = await laid(storage, Match(GAMES["fantome"], 2, seed=7))
        match, head = read_match(await storage.tables.document(table))
        later = match.after(1)
        later.resign(0)
        with pytest.raises(Conflict):
            await storage.tables.append(table, later, 1, head, [add_unasked(table, 5)], version=9)
        assert [] == await storage.reviews.unasked()
        await storage.tables.append(table, later, 1, head, [add_unasked(table, 5)], version=1)
        assert [(table, "fantome")] == await storage.reviews.unasked()
        found = await storage.tables.load(table)
        assert found is not None and found[1].is_reviewing
        costs = [
            Judgement(1, 0, 0, (0.5, 0.5), (Ranked(1, 99, 0.5 + cost, 1.0), Ranked(0, 99, 0.1, 0.0)), 9) for cost in (0.2, 0.4)
        ]
        await storage.reviews.save(table, review.assemble_review(later, "search:20", costs))
        later_on = await storage.tables.load_since(table, 2)
        assert later_on is not None and later_on[1].review is not None
        assert (later_on[0].version, later_on[1].is_reviewing, later_on[1].review.judgements) == (3, False, (costs[1],))

    using(database, work)


def test_a_copy_catches_up(database: str) -> None:
    """Entries of another writer are taken over one by one, verified by their hashes."""

    async def work(storage: Storage) -> None:
        table = await laid(storage, Match(GAMES["opera"], 2))
        match, head = read_match(await storage.tables.document(table))
        later = match.after(1)
        later.play("bid 4", 0)
        later.play("bid 6", 1)
        last = await storage.tables.append(table, later, 1, head)
        found = await storage.tables.load_since(table, 1)
        assert found is not None
        entries = found[2]
        assert (later.row, last) == (replay_entries(match, head, entries)[0].row, replay_entries(match, head, entries)[1])
        entry, link = entries[0]
        with pytest.raises(BadRecord, match="ply 1 was changed"):
            replay_entries(match, head, [(type(entry)(entry.seat, "bid 5", entry.draws, entry.time, entry.salt), link)])

    using(database, work)


def test_a_changed_entry_is_found_out(database: str) -> None:
    """Whoever edits the database does not get a match out of it."""

    async def work(storage: Storage) -> None:
        table = await laid(storage, Match(GAMES["fantome"], 2, seed=7))
        match, head = read_match(await storage.tables.document(table))
        later = match.after(1)
        later.play("pick meg", 0)
        await storage.tables.append(table, later, 1, head)
        async with storage.database.engine.execution_options(writing=True).begin() as connection:
            await connection.execute(sa.update(schema.entries).where(schema.entries.c.ply == 1).values(do="pick giry"))
        with pytest.raises(BadRecord, match="ply 1 was changed"):
            read_match(await storage.tables.document(table))

    using(database, work)


def test_the_chain_is_that_of_a_record(database: str) -> None:
    """The stored hashes are those of record.py, positions included."""

    async def work(storage: Storage) -> None:
        played = Match(GAMES["opera"], 2, seed=3)
        for match in (Match(GAMES["opera"], position=played.position()), played):
            table = await laid(storage, match)
            stored, head = read_match(await storage.tables.document(table))
            later = stored.after(stored.ply)
            later.play("bid 1", 0)
            later.play("bid 2", 1)
            assert record.write(later)["head"] == await storage.tables.append(table, later, stored.ply, head)
            assert record.write(later)["entries"] == (await storage.tables.document(table))["entries"]

    using(database, work)


def test_a_chair_is_given_once(database: str) -> None:
    """Twenty people want the last chair at once: one gets it, and the table is no longer open."""

    async def work(storage: Storage) -> None:
        table = await laid(storage, Match(GAMES["fantome"], 2), "pf")
        people = [new_id() for _ in range(20)]
        for person in people:
            await storage.people.save(Person(person))
        given = await asyncio.gather(*(storage.tables.sit(table, 1, person) for person in people))
        assert 1 == sum(given)
        info = await storage.tables.info(table)
        assert info is not None
        assert ("playing", people[given.index(True)]) == (info.state, info.chairs[1].person)
        assert 1 == info.keys[people[given.index(True)]]
        # Somebody who has a seat gets no key to another, but may always watch.
        assert not await storage.tables.give_key(table, people[given.index(True)], 0)
        assert await storage.tables.give_key(table, people[given.index(True)], None)

    using(database, work)


def test_the_last_two_chairs_at_once(database: str) -> None:
    """Two people take the last two chairs at the same time: whoever is second sees that the table is full, every time."""

    async def work(storage: Storage) -> None:
        for _ in range(5):
            table = await laid(storage, Match(GAMES["opera"], 4), "ppff")
            people = [new_id(), new_id()]
            for person in people:
                await storage.people.save(Person(person))
            assert [True, True] == list(
                await asyncio.gather(storage.tables.sit(table, 2, people[0]), storage.tables.sit(table, 3, people[1]))
            )
            info = await storage.tables.info(table)
            assert info is not None and "playing" == info.state

    using(database, work)


def test_names_that_change_at_once(database: str) -> None:
    """People who share several tables change their names at the same time: nobody waits for the other for ever."""

    async def work(storage: Storage) -> None:
        people = [new_id() for _ in range(4)]
        for person in people:
            await storage.people.save(Person(person))
        for _ in range(4):
            match = Match(GAMES["opera"], 4)
            places = tuple(Chair(seat, "person", True, one, "", None, "0" * 32) for seat, one in enumerate(people))
            keys: dict[str, int | None] = {one: seat for seat, one in enumerate(people)}
            await storage.tables.create(NewTable(new_id(), match, False, None, "en", "0" * 32, places, keys))
        await asyncio.gather(*(storage.people.save(Person(person, f"Name {n}")) for n in range(5) for person in people))
        assert [21] * 4 == [await storage.tables.version(table) for table in await storage.tables.ids()]

    using(database, work)


def test_bots_that_owe_a_decision_are_found(database: str) -> None:
    """By one query: not where a person owes it, and not when the match is over."""

    async def work(storage: Storage) -> None:
        await laid(storage, Match(GAMES["fantome"], 2), "pb")
        wanted = await laid(storage, Match(GAMES["fantome"], 2), "bp")
        both = await laid(storage, Match(GAMES["opera"], 2), "bb")
        over = Match(GAMES["fantome"], 2)
        over.resign(0)
        await laid(storage, over, "bb")
        assert {wanted, both} == set(await storage.tables.waiting_for_bots())

    using(database, work)


def test_a_lost_race_is_tried_again_unseen(database: str, tmp_path: Path) -> None:
    """Another server writes a bid between our look and our write: ours is written after it, and the caller does not notice."""

    async def visit() -> None:
        async with running(settings(tmp_path, database=database)) as app, Visitor(app) as one, Visitor(app) as two:
            table = await sat(app, Match(GAMES["opera"], 2), one, two)
            storage = services(app).storage
            append = storage.tables.append
            tries: list[int] = []

            async def late(id: str, match: Match, ply: int, head: str, also: Sequence[Change] = (), **given: Any) -> str:
                if not tries:
                    other = table.match.after(table.match.ply)
                    other.play("bid 8", 1)
                    await append(id, other, ply, head)
                tries.append(ply)
                return await append(id, match, ply, head, also, **given)

            storage.tables.append = late  # type: ignore[method-assign]
            assert 204 == (await one.act(table.id, "bid 7", 1)).status_code
            assert [1, 2] == tries
            assert [None, 1, 0] == [entry.seat for entry in table.match.entries]
            assert 1.0 == services(app).metrics.registry.get_sample_value("ridotto_collisions_total")
            record.read(await storage.tables.document(table.id), GAMES)

    asyncio.run(visit())


def test_what_is_no_database(tmp_path: Path) -> None:
    """A file that is none is refused with its name, not with a traceback."""
    (tmp_path / "ridotto.db").write_bytes(b"This is not a database." * 100)
    with pytest.raises(BadDatabase, match=r"cannot use the database .*ridotto\.db"):
        using(f"sqlite:///{tmp_path / 'ridotto.db'}", lambda storage: asyncio.sleep(0))


def test_whoever_leaves_in_the_middle_leaves_nothing(database: str, tmp_path: Path) -> None:
    """A question that is given up at any moment, more than once, ends, and so does all that it had begun."""

    async def ask(storage: Storage) -> None:
        async with storage.database.reading() as connection:
            await connection.execute(sa.text("SELECT 1"))

    async def visit(turns: int) -> bool:
        storage = Storage(settings(tmp_path, database=database).url)
        await ask(storage)
        asking = asyncio.create_task(ask(storage))
        for _ in range(turns):
            await asyncio.sleep(0)
        was_done = asking.done()
        while not asking.done():  # as a server does when a browser is gone
            asking.cancel()
            await asyncio.sleep(0)
        await asyncio.gather(asking, return_exceptions=True)
        await storage.close()
        rest = asyncio.all_tasks() - {asyncio.current_task()}
        assert not rest or not (await asyncio.wait(rest, timeout=10))[1]
        return was_done

    turns = 0
    while not asyncio.run(visit(turns)):
        turns += 1 + turns // 4
