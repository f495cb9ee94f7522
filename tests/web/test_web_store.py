"""The store: its schema, what a crash or a race may do to it, and what it finds out when something was changed."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from visitors import Visitor, office, running, sat, settings

from ridotto.bots import review
from ridotto.core import record
from ridotto.core.match import Match
from ridotto.core.record import BadRecord
from ridotto.games import GAMES
from ridotto.web.clocks import Clock
from ridotto.web.identity import Person, new_id
from ridotto.web.live import review_queue as judging
from ridotto.web.settings import Settings
from ridotto.web.storage import around, store
from ridotto.web.storage.store import SCHEMA, BadStore, Collision, Draft, Place, Store

EARLIER = sorted((Path(__file__).parents[1] / "golden").glob("web-schema-*.sql"))
"""Databases of earlier schemas, as `sqlite3 .dump` writes them: a match of Le Fantôme in which a bot owes a decision."""


def using(database: str, work: Callable[[Store], Awaitable[None]]) -> None:
    """Do something with the store in a database."""

    async def run() -> None:
        keeper = Store(Settings(database=database).url)
        await keeper.open()
        try:
            await work(keeper)
        finally:
            await keeper.close()

    asyncio.run(run())


async def laid(keeper: Store, match: Match, kinds: str = "pp") -> str:
    """A table with people (p), free chairs (f) and bots (b)."""
    places, keys = [], {}
    for seat, kind in enumerate(kinds):
        person = new_id() if kind == "p" else None
        if person:
            await keeper.keep(Person(person, f"Person {seat}"))
            keys[person] = seat
        bot = "random" if kind == "b" else None
        named = {"p": "person", "f": "free", "b": "bot"}[kind]
        places.append(Place(seat, named, True, person, "", bot, "0" * 32))  # type: ignore[arg-type]
    draft = Draft(new_id(), match, False, None, "en", "0" * 32, tuple(places), keys)
    await keeper.found(draft)
    return draft.id


def test_the_migrations_give_the_schema(database: str) -> None:
    """What the changes add up to is what the code expects, column by column."""

    async def work(keeper: Store) -> None:
        def differences(connection: sa.Connection) -> list[object]:
            return list(compare_metadata(MigrationContext.configure(connection), SCHEMA))

        async with keeper.engine.connect() as connection:
            assert [] == await connection.run_sync(differences)

    using(database, work)


def test_no_earlier_schema_is_forgotten() -> None:
    """For every schema but the latest there is a database to try."""
    scripts = sorted(Path(store.__file__).parent.glob("migrations/versions/v*.py"))
    assert [one.stem[1:] for one in scripts[:-1]] == [one.stem.rpartition("-")[2] for one in EARLIER]


@pytest.mark.parametrize("earlier", EARLIER, ids=lambda path: str(path.stem))
def test_a_database_of_an_earlier_schema_goes_on(earlier: Path, tmp_path: Path) -> None:
    """It is brought up to date at the start, its match verifies, and play goes on; what is around the match is there, too."""
    with closing(sqlite3.connect(tmp_path / "ridotto.db")) as database:
        database.executescript(earlier.read_text("utf-8"))

    async def work(keeper: Store) -> None:
        (table,) = await keeper.waiting_for_bots()
        match, head = store.read(await keeper.document(table))
        assert {None, 0} == {entry.seat for entry in match.entries}
        assert (1,) == match.to_act
        later = match.after(match.ply)
        later.play(match.legal(1)[0], 1)
        await keeper.append(table, later, match.ply, head)
        facts = await keeper.facts(table)
        assert facts is not None
        assert ("Nellie Melba", "level:2") == (facts.places[0].name, facts.places[1].bot)
        assert later.row == store.read(await keeper.document(table))[0].row
        if not earlier.stem.endswith("0001"):
            surroundings = await around.read(keeper, table)
            assert ({0: Clock(1_190_000)}, "Toi, toi, toi!") == (surroundings.clocks, surroundings.lines[0].text)
            assert await judging.kept(keeper, table) is not None

    using(f"sqlite:///{tmp_path / 'ridotto.db'}", work)


def test_after_2038(database: str) -> None:
    """Seconds that do not fit into 32 bits are kept, also where a database of an earlier schema had no room for them."""

    async def run() -> None:
        keeper = Store(Settings(database=database).url, lambda: 2.0**33)
        async with keeper.writing() as connection:
            await connection.run_sync(store.migrate, "0002")
        await keeper.open()
        try:
            table = await laid(keeper, Match(GAMES["fantome"], 2, seed=7))
            assert await around.write(keeper, table, [around.saying(table, keeper.now, "said", text="Good evening.")])
            made = review.gathered(Match(GAMES["fantome"], 2, seed=7), "search:20", [])
            await judging.keep(keeper, table, made)
            times = [store.people.c.created, store.people.c.seen, store.tables.c.created, store.tables.c.changed]
            async with keeper.reading() as connection:
                for column in (*times, store.talk.c.at, store.reviews.c.made):
                    assert {2**33} == set((await connection.execute(sa.select(column))).scalars()), column
        finally:
            await keeper.close()

    asyncio.run(run())


def test_how_sqlite_is_set(tmp_path: Path) -> None:
    """Written ahead, synchronised in full, with foreign keys: for every connection."""

    async def work(keeper: Store) -> None:
        async with keeper.engine.connect() as one, keeper.engine.connect() as other:
            for connection in (one, other):
                found = [
                    (await connection.exec_driver_sql(f"PRAGMA {name}")).scalar_one()
                    for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
                ]
                assert ["wal", 2, 1, 5000] == found

    using(f"sqlite:///{tmp_path / 'ridotto.db'}", work)


def test_of_two_writers_one_loses(database: str) -> None:
    """The same ply is written once; the loser leaves nothing, not even the entries after it."""

    async def work(keeper: Store) -> None:
        table = await laid(keeper, Match(GAMES["opera"], 2))
        match, head = store.read(await keeper.document(table))
        first, second = match.after(1), match.after(1)
        first.play("bid 4", 0)
        second.play("bid 5", 1)
        second.play("bid 6", 0)
        await keeper.append(table, first, 1, head)
        before = await keeper.document(table)
        with pytest.raises(Collision):
            await keeper.append(table, second, 1, head)
        assert before == await keeper.document(table)
        assert 2 == await keeper.version(table)

    using(database, work)


def test_a_copy_catches_up(database: str) -> None:
    """Entries of another writer are taken over one by one, verified by their hashes."""

    async def work(keeper: Store) -> None:
        table = await laid(keeper, Match(GAMES["opera"], 2))
        match, head = store.read(await keeper.document(table))
        later = match.after(1)
        later.play("bid 4", 0)
        later.play("bid 6", 1)
        last = await keeper.append(table, later, 1, head)
        entries = await keeper.since(table, 1)
        assert (later.row, last) == (store.repeat(match, head, entries)[0].row, store.repeat(match, head, entries)[1])
        entry, link = entries[0]
        with pytest.raises(BadRecord, match="ply 1 was changed"):
            store.repeat(match, head, [(type(entry)(entry.seat, "bid 5", entry.draws, entry.time, entry.salt), link)])

    using(database, work)


def test_a_changed_entry_is_found_out(database: str) -> None:
    """Whoever edits the database does not get a match out of it."""

    async def work(keeper: Store) -> None:
        table = await laid(keeper, Match(GAMES["fantome"], 2, seed=7))
        match, head = store.read(await keeper.document(table))
        later = match.after(1)
        later.play("pick meg", 0)
        await keeper.append(table, later, 1, head)
        async with keeper.engine.execution_options(writing=True).begin() as connection:
            await connection.execute(sa.update(store.entries).where(store.entries.c.ply == 1).values(do="pick giry"))
        with pytest.raises(BadRecord, match="ply 1 was changed"):
            store.read(await keeper.document(table))

    using(database, work)


def test_the_chain_is_that_of_a_record(database: str) -> None:
    """The stored hashes are those of record.py, positions included."""

    async def work(keeper: Store) -> None:
        played = Match(GAMES["opera"], 2, seed=3)
        for match in (Match(GAMES["opera"], position=played.position()), played):
            table = await laid(keeper, match)
            stored, head = store.read(await keeper.document(table))
            later = stored.after(stored.ply)
            later.play("bid 1", 0)
            later.play("bid 2", 1)
            assert record.write(later)["head"] == await keeper.append(table, later, stored.ply, head)
            assert record.write(later)["entries"] == (await keeper.document(table))["entries"]

    using(database, work)


def test_a_chair_is_given_once(database: str) -> None:
    """Twenty people want the last chair at once: one gets it, and the table is no longer open."""

    async def work(keeper: Store) -> None:
        table = await laid(keeper, Match(GAMES["fantome"], 2), "pf")
        people = [new_id() for _ in range(20)]
        for person in people:
            await keeper.keep(Person(person))
        given = await asyncio.gather(*(keeper.sit(table, 1, person) for person in people))
        assert 1 == sum(given)
        facts = await keeper.facts(table)
        assert facts is not None
        assert ("playing", people[given.index(True)]) == (facts.state, facts.places[1].person)
        assert 1 == facts.keys[people[given.index(True)]]
        # Somebody who has a seat gets no key to another, but may always watch.
        assert not await keeper.let_in(table, people[given.index(True)], 0)
        assert await keeper.let_in(table, people[given.index(True)], None)

    using(database, work)


def test_the_last_two_chairs_at_once(database: str) -> None:
    """Two people take the last two chairs at the same time: whoever is second sees that the table is full, every time."""

    async def work(keeper: Store) -> None:
        for _ in range(5):
            table = await laid(keeper, Match(GAMES["opera"], 4), "ppff")
            people = [new_id(), new_id()]
            for person in people:
                await keeper.keep(Person(person))
            assert [True, True] == list(await asyncio.gather(keeper.sit(table, 2, people[0]), keeper.sit(table, 3, people[1])))
            facts = await keeper.facts(table)
            assert facts is not None and "playing" == facts.state

    using(database, work)


def test_names_that_change_at_once(database: str) -> None:
    """People who share several tables change their names at the same time: nobody waits for the other for ever."""

    async def work(keeper: Store) -> None:
        people = [new_id() for _ in range(4)]
        for person in people:
            await keeper.keep(Person(person))
        for _ in range(4):
            match = Match(GAMES["opera"], 4)
            places = tuple(Place(seat, "person", True, one, "", None, "0" * 32) for seat, one in enumerate(people))
            keys: dict[str, int | None] = {one: seat for seat, one in enumerate(people)}
            await keeper.found(Draft(new_id(), match, False, None, "en", "0" * 32, places, keys))
        await asyncio.gather(*(keeper.keep(Person(person, f"Name {n}")) for n in range(5) for person in people))
        assert [21] * 4 == [await keeper.version(table) for table in await keeper.all_tables()]

    using(database, work)


def test_bots_that_owe_a_decision_are_found(database: str) -> None:
    """By one query: not where a person owes it, and not when the match is over."""

    async def work(keeper: Store) -> None:
        await laid(keeper, Match(GAMES["fantome"], 2), "pb")
        wanted = await laid(keeper, Match(GAMES["fantome"], 2), "bp")
        both = await laid(keeper, Match(GAMES["opera"], 2), "bb")
        over = Match(GAMES["fantome"], 2)
        over.resign(0)
        await laid(keeper, over, "bb")
        assert {wanted, both} == set(await keeper.waiting_for_bots())

    using(database, work)


def test_a_lost_race_is_tried_again_unseen(database: str, tmp_path: Path) -> None:
    """Another server writes a bid between our look and our write: ours is written after it, and the caller does not notice."""

    async def visit() -> None:
        async with running(settings(tmp_path, database=database)) as app, Visitor(app) as one, Visitor(app) as two:
            table = await sat(app, Match(GAMES["opera"], 2), one, two)
            house, keeper = office(app).house, office(app).store
            append = keeper.append
            tries: list[int] = []

            async def late(
                id: str, match: Match, ply: int, head: str, also: Sequence[sa.Executable] = (), *, version: int | None = None
            ) -> str:
                if not tries:
                    other = table.match.after(table.match.ply)
                    other.play("bid 8", 1)
                    await append(id, other, ply, head)
                tries.append(ply)
                return await append(id, match, ply, head, also, version=version)

            keeper.append = late  # type: ignore[method-assign]
            assert 204 == (await one.act(table.id, "bid 7", 1)).status_code
            assert [1, 2] == tries
            assert [None, 1, 0] == [entry.seat for entry in table.match.entries]
            assert 1.0 == house.figures.registry.get_sample_value("ridotto_collisions_total")
            record.read(await keeper.document(table.id), GAMES)

    asyncio.run(visit())


def test_what_is_no_database(tmp_path: Path) -> None:
    """A file that is none is refused with its name, not with a traceback."""
    (tmp_path / "ridotto.db").write_bytes(b"This is not a database." * 100)
    with pytest.raises(BadStore, match=r"cannot use the database .*ridotto\.db"):
        using(f"sqlite:///{tmp_path / 'ridotto.db'}", lambda keeper: asyncio.sleep(0))


def test_whoever_leaves_in_the_middle_leaves_nothing(database: str, tmp_path: Path) -> None:
    """A question that is given up at any moment, more than once, ends, and so does all that it had begun."""

    async def ask(keeper: Store) -> None:
        async with keeper.reading() as connection:
            await connection.execute(sa.text("SELECT 1"))

    async def visit(turns: int) -> bool:
        keeper = Store(settings(tmp_path, database=database).url)
        await ask(keeper)
        asking = asyncio.create_task(ask(keeper))
        for _ in range(turns):
            await asyncio.sleep(0)
        was_done = asking.done()
        while not asking.done():  # as a server does when a browser is gone
            asking.cancel()
            await asyncio.sleep(0)
        await asyncio.gather(asking, return_exceptions=True)
        await keeper.close()
        rest = asyncio.all_tasks() - {asyncio.current_task()}
        assert not rest or not (await asyncio.wait(rest, timeout=10))[1]
        return was_done

    turns = 0
    while not asyncio.run(visit(turns)):
        turns += 1 + turns // 4
