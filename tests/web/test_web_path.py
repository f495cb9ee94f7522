"""The path of an action to the disk: groups, one statement, one server, and what is kept in memory."""

from __future__ import annotations

import asyncio
import os
import random
import re
import secrets
import signal
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from databases import Postgres
from table_state import TEN, Time, agreed
from visitors import Visitor, eventually, running, sat, services, serving, settings

from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.web.errors import Stale
from ridotto.web.identity import Person, new_id
from ridotto.web.settings import Settings
from ridotto.web.storage import Storage, people, schema
from ridotto.web.storage.changes import Change, insert
from ridotto.web.storage.clocks import SILENCE
from ridotto.web.storage.database import Database
from ridotto.web.storage.entries import read_match
from ridotto.web.storage.faults import BadDatabase, DatabaseUnavailable
from ridotto.web.storage.offers import Offer, set_offer
from ridotto.web.storage.table_settings import TableSettings
from ridotto.web.storage.tables import set_settings

PERSON = sa.update(schema.people).where(schema.people.c.id == sa.bindparam("id"))
ADD = insert(schema.people).values(
    name="", language="en", theme="auto", motion=True, created=0, seen=0, generation=0, hidden=False
)
COUNT = PERSON.values(seen=schema.people.c.seen + 1)
RENAME = PERSON.values(name=sa.bindparam("name"))


def add(id: str) -> Change:
    """Somebody new."""
    return Change(ADD, {"id": id})


def count(id: str) -> Change:
    """Somebody, who must be there, is counted."""
    return Change(COUNT, {"id": id})


async def counted(database: Database) -> dict[str, int]:
    """Everybody, and how often they were counted."""
    async with database.reading() as connection:
        rows = await connection.execute(sa.select(schema.people.c.id, schema.people.c.seen))
        return {row.id: row.seen for row in rows}


@asynccontextmanager
async def with_host(url: str) -> AsyncIterator[Database]:
    """A database that knows one person."""
    storage = Storage(Settings(database=url).url)
    await storage.open()
    try:
        async with storage.database.writing() as connection:
            await storage.database.execute(connection, add("host"))
        yield storage.database
    finally:
        await storage.close()


@contextmanager
def traced(database: Database, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[list[str], list[sqlite3.Connection]]]:
    """What the one writer of a SQLite is asked over connections that it makes from now on, and these."""
    connect, asked, connections = database._connect_sqlite, list[str](), list[sqlite3.Connection]()

    def new() -> sqlite3.Connection:
        connections.append(connect())
        connections[-1].set_trace_callback(asked.append)
        return connections[-1]

    with monkeypatch.context() as patch:
        patch.setattr(database._writer, "_connect", new)
        yield asked, connections


def test_all_or_nothing(database: str) -> None:
    """A condition that finds nothing, or a constraint that is broken: no change is made, and the next one is."""

    async def visit() -> None:
        async with with_host(database) as opened:
            assert not await opened.commit(count("nobody"), [add("stranger")])
            assert not await opened.commit(count("host"), [add("stranger"), add("host")])
            assert {"host": 0} == await counted(opened)
            assert await opened.commit(count("host"), [add("guest"), add("other")])
            assert {"host": 1, "guest": 0, "other": 0} == await counted(opened)

    asyncio.run(visit())


# Groups.


def test_whatever_waits_is_one_transaction(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of twenty changes that wait, one finds nothing, one breaks a constraint and one is nonsense: the others are written,
    with one wait for the disk, and nothing is left of those three."""

    async def visit() -> None:
        async with with_host(f"sqlite:///{tmp_path / 'ridotto.db'}") as database:
            with traced(database, monkeypatch) as (asked, _):
                async with database.writing():  # nobody else writes meanwhile
                    jobs = [database.commit(count("host"), [add(f"guest {one}")]) for one in range(17)]
                    jobs.insert(3, database.commit(count("nobody"), [add("stranger")]))
                    jobs.insert(8, database.commit(count("host"), [add("first"), add("guest 0")]))
                    jobs.insert(9, database.commit(count("host"), [add("second"), Change(sa.text("nonsense"), {})]))
                    waiting = [asyncio.ensure_future(one) for one in jobs]
                    await asyncio.sleep(0.05)
                    assert not any(one.done() for one in waiting)
                done = await asyncio.gather(*waiting, return_exceptions=True)
            assert isinstance(done.pop(9), DatabaseUnavailable)
            assert [one not in (3, 8) for one in range(19)] == done
            assert {"host": 17} | {f"guest {one}": 0 for one in range(17)} == await counted(database)
            assert (1, 1) == (asked.count("BEGIN IMMEDIATE"), asked.count("COMMIT"))

    asyncio.run(visit())


def test_what_cannot_be_committed_is_not_acknowledged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk fails at the very end of a group: nobody in it is told that it is written, and nothing is; then it goes on."""

    class Failing(sqlite3.Connection):
        failures = 1

        def execute(self, sql: str, *given: Any) -> sqlite3.Cursor:
            if sql == "COMMIT" and Failing.failures:
                Failing.failures -= 1
                raise sqlite3.OperationalError("disk I/O error")
            return super().execute(sql, *given)

    async def visit() -> None:
        async with with_host(f"sqlite:///{tmp_path / 'ridotto.db'}") as database:

            def connect() -> sqlite3.Connection:
                return sqlite3.connect(tmp_path / "ridotto.db", isolation_level=None, factory=Failing)

            monkeypatch.setattr(database._writer, "_connect", connect)
            async with database.writing():
                waiting = [asyncio.ensure_future(database.commit(count("host"), [add(f"guest {one}")])) for one in range(5)]
                await asyncio.sleep(0)
            done = await asyncio.gather(*waiting, return_exceptions=True)
            assert [DatabaseUnavailable] * 5 == [type(one) for one in done]
            assert {"host": 0} == await counted(database)
            assert await database.commit(count("host"), [])
            assert {"host": 1} == await counted(database)

    asyncio.run(visit())


def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever acts is told to try again, and nothing is half written; when there is room again, it goes on."""

    async def visit() -> None:
        async with running(settings(tmp_path)) as app, Visitor(app) as one, Visitor(app) as two:
            table, storage = await sat(app, Match(GAMES["opera"], 2), one, two), services(app).storage
            with traced(storage.database, monkeypatch) as (_, connections):
                # A name of some pages that does not fit any more.
                large = Change(RENAME, {"id": one.id, "name": "x" * 200_000})
                connect: Any = storage.database._writer._connect

                def small() -> sqlite3.Connection:
                    connection: sqlite3.Connection = connect()
                    pages = connection.execute("PRAGMA page_count").fetchone()[0]
                    connection.execute(f"PRAGMA max_page_count = {pages + 2}")
                    return connection

                monkeypatch.setattr(storage.database._writer, "_connect", small)
                async with storage.database.writing():
                    acting = asyncio.ensure_future(one.act(table.id, "bid 4", 1))
                    await asyncio.sleep(0.05)
                    filling = asyncio.ensure_future(storage.database.commit(large, []))
                    other = asyncio.ensure_future(two.act(table.id, "bid 5", 1))
                    await asyncio.sleep(0.05)
                with pytest.raises(DatabaseUnavailable):
                    await filling
                answers = [(await acting).status_code, (await other).status_code]
                # SQLite may give up the whole group, or the change that does not fit alone: either way what was said is so.
                assert set(answers) <= {204, 503}
                match, _ = read_match(await storage.tables.document(table.id))
                assert answers.count(204) == match.ply - 1
                for visitor, answer, bid in ((one, answers[0], "bid 4"), (two, answers[1], "bid 5")):
                    if answer == 503:
                        assert 204 == (await visitor.act(table.id, bid, 1)).status_code
                assert connections
            assert ["bid 4", "bid 5"] == sorted(entry.do for entry in table.match.entries[1:3])
            read_match(await storage.tables.document(table.id))

    asyncio.run(visit())


def test_somebody_else_holds_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another program has a write lock for too long: 503, and it goes on when the lock is gone."""

    async def visit() -> None:
        async with running(settings(tmp_path)) as app, Visitor(app) as one, Visitor(app) as two:
            table, database = await sat(app, Match(GAMES["fantome"], 2, seed=7), one, two), services(app).storage.database
            connect = database._connect_sqlite

            def impatient() -> sqlite3.Connection:
                connection = connect()
                connection.execute("PRAGMA busy_timeout=50")
                return connection

            monkeypatch.setattr(database._writer, "_connect", impatient)
            with closing(sqlite3.connect(tmp_path / "ridotto.db", isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                assert 503 == (await one.act(table.id, "pick meg", 1)).status_code
            assert 200 == (await one.get(f"/t/{table.id}")).status_code
            assert 204 == (await one.act(table.id, "pick meg", 1)).status_code
            assert [None, 0] == [entry.seat for entry in table.match.entries]

    asyncio.run(visit())


CRASH = """
import asyncio, sys
import sqlalchemy as sa
from ridotto.web.storage import Storage
from ridotto.web.storage.changes import Change, insert
from ridotto.web.storage.schema import chat, tables

ADD = insert(chat).values(at=0, kind="said", person=None, seat=None, text="", reports=0, removed=False)
MOVE = sa.update(tables).where(tables.c.id == sa.bindparam("id")).values(version=sa.bindparam("to"))

async def main():
    storage = Storage(sys.argv[1])
    await storage.open()

    async def write(name):
        for number in range(10_000):
            move, add = Change(MOVE, {"id": name, "to": number}), Change(ADD, {"table": name, "line": number})
            await storage.database.commit(move, [add])
            print(name, number, flush=True)

    await asyncio.gather(*(write(name) for name in sys.argv[2:]))

asyncio.run(main())
"""
"""Writes to several tables at once, and tells of each change when it is acknowledged."""


def test_a_crash_between_groups_loses_nothing_acknowledged(tmp_path: Path) -> None:
    """Killed in the middle of many groups: all that was acknowledged is there, and what is there is whole."""
    dice, url = random.Random(7), f"sqlite+aiosqlite:///{tmp_path / 'ridotto.db'}"

    async def prepare() -> list[str]:
        async with with_host(url) as database:
            storage, ids = Storage(url), [new_id() for _ in range(8)]
            async with database.writing() as connection:
                row = {"game": "fantome", "rules": 1, "box": "", "seats": 2, "options": {}, "private": False, "language": "en"}
                row |= {"settings": {}, "salt": "", "created": 0, "changed": 0, "state": "playing", "to_act": 0, "version": 0}
                await connection.execute(sa.insert(schema.tables), [{"id": one, **row} for one in ids])
            await storage.close()
            return ids

    ids = asyncio.run(prepare())
    command = [sys.executable, "-c", CRASH, url, *ids]
    for _ in range(3):
        with closing(sqlite3.connect(tmp_path / "ridotto.db")) as database:
            database.execute("DELETE FROM chat")
            database.commit()
        told: list[str] = []
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            wanted = dice.randrange(50, 400)
            for line in process.stdout:
                told.append(line)
                if len(told) == wanted:
                    process.kill()
        whole = [line.split() for line in told if line.endswith("\n")]
        with closing(sqlite3.connect(tmp_path / "ridotto.db")) as database:
            written = set(database.execute('SELECT "table", line FROM chat'))
            versions = dict(database.execute("SELECT id, version FROM tables"))
        assert len(whole) >= wanted
        assert {(name, int(number)) for name, number in whole} <= written
        last = {name: max(line for table, line in written if table == name) for name in ids}
        assert last == versions
        assert {(name, line) for name in ids for line in range(last[name] + 1)} == written


def test_an_action_that_is_given_up(database: str, tmp_path: Path) -> None:
    """Whoever leaves at any moment in the middle of an action and tries again: it is written once, and memory says the same."""

    async def visit() -> None:
        async with running(settings(tmp_path, database=database)) as app, Visitor(app) as one, Visitor(app) as two:
            storage, tables = services(app).storage, services(app).tables
            turns, was_written = 0, set[bool]()
            while True:
                table = await sat(app, Match(GAMES["fantome"], 2, seed=7), one, two)
                acting = asyncio.ensure_future(services(app).writer.act(table, 0, "pick meg", 1))
                for _ in range(turns):
                    await asyncio.sleep(0)
                if acting.done():
                    break
                while not acting.done():  # more than once, as a server does that stops
                    acting.cancel()
                    await asyncio.sleep(0)
                assert acting.cancelled()
                if not storage.database.is_shared:
                    # It is settled, and known here, without anybody asking for it.
                    version = (await tables.load(table.id)).info.version
                    async with storage.database.writing():
                        assert version == await storage.tables.version(table.id)
                try:
                    await services(app).writer.act(await tables.load(table.id), 0, "pick meg", 1)
                    was_written.add(False)
                except Stale:
                    was_written.add(True)
                now = await tables.load(table.id)
                match, _ = read_match(await storage.tables.document(table.id))
                assert (
                    ["deal", "pick meg"] == [entry.do for entry in match.entries] == [entry.do for entry in now.match.entries]
                )
                assert now.info.version == await storage.tables.version(table.id)
                turns += 1 + turns // 4
            assert True in was_written

    asyncio.run(visit())


# One server.


def test_a_second_server_is_refused(tmp_path: Path) -> None:
    """One line that says what to do; when the first was killed, the next one starts at once."""
    command = [sys.executable, "-m", "ridotto", "serve", "--data", str(tmp_path), "--workers", "1", "--port", "0"]
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    with serving(tmp_path) as first:
        second = subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment, check=False)
        what = f"another server uses the database {str(tmp_path / 'ridotto.db')!r}"
        said = f"ridotto: {what}: stop it, or choose another folder with --data\n"
        assert (2, said) == (second.returncode, second.stderr)
        os.kill(first.process.pid, signal.SIGKILL)
        first.process.wait()
        with serving(tmp_path):
            pass


def test_who_may_use_the_file_of_a_server(tmp_path: Path) -> None:
    """Not another server, by whatever way it comes to the file; others may look, and another folder is free."""
    (tmp_path / "link").symlink_to(tmp_path)

    async def visit() -> None:
        async with running(settings(tmp_path)) as app:
            for folder, given in ((tmp_path, {}), (tmp_path / "other", {"database": f"sqlite:///{tmp_path}/link/ridotto.db"})):
                with pytest.raises(BadDatabase, match="another server uses the database"):
                    async with running(settings(folder, **given)):
                        pass
            storage = Storage(settings(tmp_path).url)
            assert [] == await storage.tables.ids()
            await storage.close()
            async with running(settings(tmp_path / "other")):
                pass
            assert [] == await services(app).storage.tables.ids()
        async with running(settings(tmp_path)):  # it is free again
            pass

    asyncio.run(visit())


def test_a_file_that_cannot_be(tmp_path: Path) -> None:
    """In a folder that does not exist: one line with its name."""

    async def visit() -> None:
        with pytest.raises(
            BadDatabase, match=r"cannot use the database .*nowhere/x\.db': cannot write beside it: No such file"
        ):
            async with running(settings(tmp_path, database=f"sqlite:///{tmp_path}/nowhere/x.db")):
                pass

    asyncio.run(visit())


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:", "sqlite:///file:x?mode=memory&uri=true"])
def test_a_database_in_memory_is_refused(url: str, tmp_path: Path) -> None:
    """It would be gone with the server, and each of its connections would have another one."""

    async def visit() -> None:
        with pytest.raises(BadDatabase, match="cannot use a database in memory"):
            async with running(settings(tmp_path, database=url)):
                pass

    asyncio.run(visit())


# What is asked.


def test_what_an_action_asks_of_sqlite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing but its own transaction: no version, no person."""

    async def visit() -> None:
        async with running(settings(tmp_path, sweep=3600.0, tick=3600.0)) as app, Visitor(app) as one, Visitor(app) as two:
            table, database = await sat(app, Match(GAMES["fantome"], 2, seed=7), one, two), services(app).storage.database
            await one.get(f"/t/{table.id}")
            queries: list[str] = []
            sa.event.listen(database.engine.sync_engine, "before_cursor_execute", lambda *given: queries.append(given[2]))
            with traced(database, monkeypatch) as (asked, _):
                assert 204 == (await one.act(table.id, "pick meg", 1)).status_code
            assert [] == queries
            changes = [re.sub(r"[ (].*", "", text) for text in asked if not text.startswith("PRAGMA")]
            assert ["BEGIN", "SAVEPOINT", "UPDATE", "INSERT", "RELEASE", "COMMIT"] == changes

    asyncio.run(visit())


def test_what_an_action_asks_of_postgresql(postgres: Postgres, tmp_path: Path) -> None:
    """One statement, by PostgreSQL's own account, with everything in it: clocks, an offer that it ends, and notices."""
    database, mark = postgres.new(), secrets.token_hex(8)
    name = database.partition("?")[0].rpartition("/")[2]
    postgres.server.psql("ALTER SYSTEM SET log_line_prefix = '<%d> '; SELECT pg_reload_conf();")
    postgres.server.psql(f"ALTER DATABASE {name} SET log_statement = 'all';")

    def asked() -> list[str]:
        """The statements since the mark."""
        text = postgres.server.log.read_text("utf-8", "replace").rpartition(f"begin {mark}")[2].partition(f"end {mark}")[0]
        return re.findall(rf"^<{name}> LOG:  (?:statement|execute [^:]*): (.*)", text, re.M)

    async def visit() -> None:
        given: dict[str, Any] = {"database": database, "sweep": 3600.0, "tick": 3600.0, "webhooks": True}
        async with running(settings(tmp_path, **given)) as app, Visitor(app) as one, Visitor(app) as two:
            table = await agreed(app, Match(GAMES["fantome"], 2, seed=7), one, two, clock=TEN)
            meg = next(do for do in table.match.legal(0) if do == "pick meg")
            assert 204 == (await one.act(table.id, meg, 1)).status_code  # a connection is made, the statement prepared
            await one.get(f"/t/{table.id}")
            do, storage = table.match.legal(0)[0], services(app).storage
            assert await services(app).writer.change(table, set_offer(table.id, Offer("takeback", 0, 0, 2)))
            await eventually(lambda: asyncio.sleep(0, table.heard <= table.info.version))
            await say(f"begin {mark}")
            assert 204 == (await one.act(table.id, do, 2)).status_code
            await say(f"end {mark}")
            assert 3 == table.match.ply and table.state.extras.offer is None
            found = await storage.tables.load(table.id)
            assert found is not None and (found[0], found[1].clocks) == (table.info, table.state.extras.clocks)
            assert found[1].offer is None
            (statement,) = asked()
            for part in ("WITH", "UPDATE tables", "INSERT INTO entries", "INSERT INTO clocks", "DELETE FROM offers"):
                assert part in statement

    async def say(text: str) -> None:
        """Leave a mark in the log, from another database."""
        await asyncio.to_thread(postgres.server.psql, f"DO $$ BEGIN RAISE LOG '{text}'; END $$;")

    asyncio.run(visit())


def test_a_copy_in_memory_is_never_behind(tmp_path: Path) -> None:
    """SQLite is asked for no version, so whatever changes a table has to say so: people who sit down, their names and their
    end, links, chat, clocks, a rematch."""
    time = Time()

    async def visit() -> None:
        given: dict[str, Any] = {"clock": time, "tick": 3600.0, "sweep": 3600.0}
        async with running(settings(tmp_path, **given)) as app, Visitor(app) as one, Visitor(app) as two, Visitor(app) as three:
            storage, tables = services(app).storage, services(app).tables
            table = await sat(app, Match(GAMES["fantome"], 2, seed=7), one, "")
            await services(app).writer.change(table, [set_settings(table.id, TableSettings(clock=TEN))])
            versions = [table.info.version]

            async def check(what: str) -> None:
                now = await storage.tables.version(table.id)
                assert now is not None and now > versions[-1], what
                assert (table, now) == (await tables.load(table.id), table.info.version), what
                found = await storage.tables.load(table.id)
                assert found is not None and (found[0], found[1]) == (table.info, table.state.extras), what
                versions.append(now)

            assert 303 == (await two.post(f"/t/{table.id}/sit", {"seat": "1"})).status_code
            await check("sitting down")
            await storage.people.save(Person(three.id))
            await services(app).seating.give_key(table, three.id, None)
            await check("a key")
            await one.post("/me", {"name": "Nellie"})
            await check("a name")
            assert "Nellie" == table.info.chairs[0].name
            await two.post(f"/t/{table.id}/talk", {"text": "Good evening."})
            await check("chat")
            assert 204 == (await one.act(table.id, "pick meg", 1)).status_code
            await check("an action")
            time.now += 60
            assert await storage.clocks.beat(storage.milliseconds, SILENCE)
            await check("silence")
            assert 303 == (await two.post(f"/t/{table.id}/resign")).status_code
            await check("resigning")
            assert 303 == (await one.post(f"/t/{table.id}/rematch")).status_code
            await check("a rematch")
            assert 200 == (await two.post("/me/delete", {"sure": "1"})).status_code
            await check("being forgotten")

    asyncio.run(visit())


def test_a_server_that_has_heard_nothing(postgres: Postgres, tmp_path: Path) -> None:
    """Actions are tried on what a server knows. If that is old, nobody notices: not where it is written, nor where it would be
    refused, nor who has just sat down."""

    async def visit() -> None:
        chosen = settings(tmp_path, database=postgres.new())
        async with (
            running(chosen) as here,
            running(chosen) as there,
            Visitor(here) as one,
            Visitor(here) as two,
            elsewhere(there, one) as first,
            elsewhere(there, two) as second,
        ):
            table = await sat(here, Match(GAMES["opera"], 2), one, "")
            services(there).pubsub.on_table_changed.clear()
            old = await services(there).tables.load(table.id)
            assert 303 == (await two.post(f"/t/{table.id}/sit", {"seat": "1"})).status_code
            assert 204 == (await second.act(table.id, "bid 3", 1)).status_code
            assert old.info.is_player(two.id)
            assert 204 == (await one.act(table.id, "bid 5", 1)).status_code
            assert 2 == old.match.ply
            do = (await services(here).tables.load(table.id)).match.legal(0)[0]
            assert 204 == (await first.act(table.id, do, 3)).status_code
            assert [None, 1, 0, 0] == [entry.seat for entry in old.match.entries]
            # What is no good is refused all the same.
            assert 409 == (await first.act(table.id, "bid 5", 1)).status_code

    asyncio.run(visit())


@asynccontextmanager
async def elsewhere(app: Any, like: Visitor) -> AsyncIterator[Visitor]:
    """Somebody, at another server."""
    found = Visitor(app)
    found.http.cookies, found.nonce = like.http.cookies, like.nonce
    try:
        yield found
    finally:
        await found.http.aclose()


# Who is kept in memory.


@contextmanager
def looked_up() -> Iterator[list[str]]:
    """The queries for a person."""
    queries: list[str] = []

    def note(*given: Any) -> None:
        if re.search(r"FROM people\s+WHERE", given[2]):
            queries.append(given[2])

    sa.event.listen(sa.Engine, "before_cursor_execute", note)  # of the loop, and of threads
    try:
        yield queries
    finally:
        sa.event.remove(sa.Engine, "before_cursor_execute", note)


def test_people_are_kept_in_memory(database: str, tmp_path: Path) -> None:
    """Somebody is looked up once; a new name shows at once, and whoever is forgotten is nobody from then on."""

    async def visit() -> None:
        async with running(settings(tmp_path, database=database)) as app, Visitor(app) as one, Visitor(app) as two:
            table = await sat(app, Match(GAMES["fantome"], 2, seed=7), one, two)
            await one.post("/me", {"name": "Nellie"})
            assert 204 == (await one.act(table.id, "pick meg", 1)).status_code
            with looked_up() as queries:
                assert 409 == (await one.act(table.id, "pick meg", 1)).status_code
                assert [] == queries
                await one.post("/me", {"name": "Enrico"})
                assert queries
                assert 'value="Enrico"' in (await one.get("/")).text
                await one.post("/me", {"theme": "dark"})
                page = (await one.get("/")).text
                assert 'value="Enrico"' in page and 'data-theme="dark"' in page
            cookies = dict(one.http.cookies)
            assert 200 == (await one.post("/me/delete", {"sure": "1"})).status_code
            one.http.cookies.update(cookies)
            assert "Enrico" not in (await one.get("/")).text
            assert await services(app).storage.people.recent(one.id) is None

    asyncio.run(visit())


def test_people_who_change_at_another_server(postgres: Postgres, tmp_path: Path) -> None:
    """A page has their new name at once at every server, and soon nobody remembers the old one, or those who are forgotten."""

    async def visit() -> None:
        chosen = settings(tmp_path, database=postgres.new())
        async with running(chosen) as here, running(chosen) as there, Visitor(here) as one, elsewhere(there, one) as same:
            known = services(there).storage.people
            for name in ("Nellie", "Enrico", "Maria"):
                await one.post("/me", {"name": name})
                assert f'value="{name}"' in (await same.get("/")).text

                async def is_called(name: str = name) -> bool:
                    person = await known.recent(one.id)
                    return person is not None and person.name == name

                await eventually(is_called)
            # We hear nothing for a while: then nobody in memory counts.
            services(there).pubsub.on_person_changed.clear()
            await one.post("/me", {"name": "Jenny"})
            broken = services(there).pubsub._raw
            broken.terminate()
            await eventually(lambda: asyncio.sleep(0, services(there).pubsub._raw not in (None, broken)))
            await eventually(lambda: is_called("Jenny"))
            # What one server saves does not undo what another has saved just before.
            await one.post("/me", {"theme": "dark"})
            await same.post("/me", {"motion": "off"})
            person = await known.load(one.id)
            assert person is not None and ("Jenny", "dark", False) == (person.name, person.theme, person.motion)

    asyncio.run(visit())


def test_those_kept_in_memory_are_not_too_many(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those asked for last are kept; and what was read before somebody changed is not kept after it."""
    monkeypatch.setattr(people, "MOST_RECENT", 3)

    async def visit() -> None:
        storage = Storage(Settings(database=database).url)
        await storage.open()
        try:
            kept = storage.people
            for name in "abcd":
                await kept.save(Person(name, name))
            for name in "abcadb":
                assert await kept.recent(name) == Person(name, name, known=True)
            assert ["a", "d", "b"] == list(kept._recent)
            read = storage.database.read

            async def slow(work: Callable[[sa.Connection], Any]) -> Any:
                result = await read(work)
                monkeypatch.setattr(storage.database, "read", read)
                await kept.save(Person("c", "new"))
                return result

            monkeypatch.setattr(storage.database, "read", slow)
            assert await kept.recent("c") == Person("c", "c", known=True)  # as it was when it was asked for
            assert await kept.recent("c") == Person("c", "new", known=True)
        finally:
            await storage.close()

    asyncio.run(visit())


def test_tables_at_which_nobody_is_leave_memory(database: str, tmp_path: Path) -> None:
    """After a while, and sooner if there are too many; one with a live page stays, and all come back as they were."""
    time = Time()

    async def visit() -> None:
        given: dict[str, Any] = {
            "database": database,
            "clock": time,
            "tick": 3600.0,
            "keep_idle": 100.0,
            "max_cached_tables": 3,
        }
        async with running(settings(tmp_path, **given)) as app, Visitor(app) as one, Visitor(app) as two:
            tables = services(app).tables
            seen = [await sat(app, Match(GAMES["fantome"], 2), one, two) for _ in range(5)]
            assert [table.id for table in seen[2:]] == [table.id for table in tables.in_memory]
            async with one.live(seen[3].id) as stream:
                await stream.next()
                time.now += 99
                await tables.load(seen[4].id)
                time.now += 2
                tables.drop_idle()
                assert {seen[3].id, seen[4].id} == {table.id for table in tables.in_memory}
                time.now += 99
                tables.drop_idle()
                assert [seen[3]] == tables.in_memory
                assert 204 == (await one.act(seen[3].id, seen[3].match.legal(0)[0], 1)).status_code
                assert 2 == (await stream.until(2))["ply"]
            # Whoever still has an old copy and acts: the new one hears of it.
            old, new = seen[0], await tables.load(seen[0].id)
            assert old is not new and old.match.row == new.match.row
            await services(app).writer.act(old, 0, old.match.legal(0)[0], 1)
            assert old.match.row == (await tables.load(new.id)).match.row

    asyncio.run(visit())


def test_no_more_connections_than_files() -> None:
    """A system that allows 800 files leaves 300 for connections; one that allows enough, as many as are wanted."""
    for files, wanted, most in ((800, 20_000, 300), (800, 100, 100), (3000, 1000, 1000)):
        script = (
            f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (100, {files}))\n"
            f"from ridotto.web.server.run import _make_room\nprint(_make_room({wanted}))"
        )
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
        assert f"{most}\n" == done.stdout
