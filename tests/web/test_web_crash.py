"""What a real process survives: SIGKILL of the server, of a worker; a restart while bots owe decisions; a polite stop."""

from __future__ import annotations

import asyncio
import os
import random
import re
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from html import unescape
from pathlib import Path
from typing import Any

import databases
import httpx
import pytest
import sqlalchemy as sa
from visitors import Process, Successors, Visitor, eventually, running, sat, servers, services, serving, settings

from ridotto.core import record
from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.web.clocks import Clock, Terms
from ridotto.web.identity import Person, new_id
from ridotto.web.live.clocks import HEARTBEAT
from ridotto.web.live.table_writer import STAND_IN
from ridotto.web.live.workers import BotWorkers
from ridotto.web.settings import Settings
from ridotto.web.storage import Storage, schema
from ridotto.web.storage.entries import read_match
from ridotto.web.storage.faults import DatabaseUnavailable
from ridotto.web.storage.table_info import Chair, NewTable
from ridotto.web.storage.table_settings import TableSettings


def url(data: Path) -> str:
    return f"sqlite+aiosqlite:///{data / 'ridotto.db'}"


async def documents(data: Path, tables: list[str]) -> list[Match]:
    """The matches in a database that no server uses now, verified."""
    storage = Storage(url(data))
    try:
        return [read_match(await storage.tables.document(table))[0] for table in tables]
    finally:
        await storage.close()


# Killed at random moments.


@dataclass
class Book:
    """What somebody who plays at many tables has seen, sent and been told."""

    visitor: Visitor
    tables: dict[str, int] = field(default_factory=dict)
    """The tables of all matches, rematches too, and the seat there."""
    first: dict[str, str] = field(default_factory=dict)
    """The table that a series of rematches began at."""
    shown: Counter[str] = field(default_factory=Counter)
    """The latest ply that a page has shown."""
    sent: list[tuple[str, int, str]] = field(default_factory=list)
    told: list[tuple[str, int, str]] = field(default_factory=list)
    """Actions that were acknowledged, as they were sent: the table, the ply of the page, the action."""
    broken: int = 0
    """Requests that got no answer."""


async def play(book: Book, table: str, dice: random.Random, pace: float, end: asyncio.Event) -> None:
    """Play at a table from its pages, and its rematches, whatever becomes of the server."""
    visitor = book.visitor
    while not end.is_set():
        await asyncio.sleep(dice.random() * pace)
        try:
            answer = await visitor.get(f"/t/{table}")
            if answer.status_code == 503:
                continue
            assert 200 == answer.status_code, answer.text
            ply, actions = offered(answer.text)
            assert ply >= book.shown[table], f"table {table} has gone back from ply {book.shown[table]} to {ply}"
            book.shown[table] = ply
            if actions:
                one = (table, ply, dice.choice(actions))
                book.sent.append(one)
                answer = await visitor.act(table, one[2], ply)
                assert answer.status_code in (204, 409, 503), answer.text
                if answer.status_code == 204:
                    book.told.append(one)
            elif f'action="/t/{table}/rematch"' in answer.text or 'rel="next"' in answer.text:
                again = await visitor.post(f"/t/{table}/rematch")
                assert again.status_code in (303, 503), again.text
                if again.status_code == 303:
                    before, table = table, again.headers["location"].removeprefix("/t/")
                    book.tables[table], book.first[table] = 1 - book.tables[before], book.first[before]
        except httpx.TransportError:
            book.broken += 1


def offered(page: str) -> tuple[int, list[str]]:
    """The ply that a page shows, and what can be done there."""
    ply = re.search(r'data-ply="([0-9]+)"', page)
    assert ply
    return int(ply[1]), sorted({unescape(do) for do in re.findall(r'data-do="([^"]+)"', page)})


async def dawdle(book: Book, table: str, end: asyncio.Event) -> None:
    """Look at a table again and again, and never decide anything."""
    while not end.is_set():
        with suppress(httpx.TransportError):
            await book.visitor.get(f"/t/{table}")
        await asyncio.sleep(0.2)


async def laid(storage: Storage, person: str, clocks: list[Terms], *names: str, bots: int = 0) -> dict[str, int]:
    """Tables with one person, a bot and a clock, of these games in turn or of all; and the person's seat at each.

    At the last `bots` of them a bot plays on when time is up.
    """
    tables, games = {}, [GAMES[name] for name in names or GAMES]
    for number, terms in enumerate(clocks):
        seat = number % 2
        own = Chair(seat, "person", False, person, "", None, f"{seat:032x}")
        bot = Chair(1 - seat, "bot", False, None, "random", "random", f"{1 - seat:032x}")
        places = tuple(sorted((own, bot), key=lambda place: place.seat))
        match = Match(games[number % len(games)], 2)
        agreed = TableSettings(clock=terms, leaving="bot" if number >= len(clocks) - bots else "resign")
        new = NewTable(new_id(), match, True, person, "en", "0" * 32, places, {person: seat}, agreed)
        await storage.tables.create(new)
        tables[new.id] = seat
    return tables


FULL = 3600
"""Seconds on a clock that will not run down."""
LITTLE = 2
"""Seconds on one that will."""

WRITTEN = 5000
"""Milliseconds that a clock may have gone before it is written down that it goes: a server that has too much to do is slow."""


@dataclass(frozen=True)
class Look:
    """What a database says of time."""

    now: int
    pulse: int
    """The last sign of life."""
    clocks: dict[tuple[str, int], Clock]
    plies: dict[str, int]


async def runs(storage: Storage, key: tuple[str, int]) -> bool:
    """Whether the clock of a seat runs."""
    clock = (await look(storage)).clocks.get(key)
    return clock is not None and clock.until is not None


async def look(storage: Storage) -> Look:
    last = sa.select(schema.entries.c.table, sa.func.max(schema.entries.c.ply).label("last")).group_by(schema.entries.c.table)
    async with storage.database.reading() as connection:
        pulse = (await connection.execute(sa.select(schema.heartbeat.c.at))).scalar_one_or_none()
        rows = (await connection.execute(sa.select(schema.clocks))).all()
        plies = {row.table: row.last for row in await connection.execute(last)}
    clocks = {(row.table, row.seat): Clock(row.left, row.until, row.added) for row in rows}
    return Look(storage.milliseconds, pulse or 0, clocks, plies)


def sane(before: Look, after: Look, started: int | None = None) -> int:
    """No clock runs backwards, or faster than time; how many went through both looks without a decision.

    If the only server was dead at the first look and a new one was `started` since, nobody was charged between the last sign
    of life and the first new one. Otherwise the clocks of those have gone on, unless all servers were silent for long.
    """
    through = 0
    for key, clock in after.clocks.items():
        assert clock.until is None or clock.until - after.now <= clock.left, f"{key} got time: {clock} at {after.now}"
        was = before.clocks.get(key)
        if was is None:
            continue
        assert clock.left <= was.left, f"{key} has run backwards: from {was} to {clock}"
        spent, passed = was.at(before.now) - clock.at(after.now), after.now - before.now
        if was.until is None:
            passed += WRITTEN
        assert spent <= passed, f"{key} was charged {spent} ms in {passed}: {was}, {clock}"
        if was.until is None or clock.until is None or before.plies[key[0]] != after.plies[key[0]]:
            continue
        through += 1
        given, silence = clock.until - was.until, after.now - before.pulse
        if started is not None:
            assert started - before.pulse <= given <= silence, f"{key} was given {given} ms after {silence} of silence"
        else:
            assert given == 0 or 2 * HEARTBEAT < given <= silence, f"{key} was given {given} ms for nothing"
    return through


KILLS, KILLS_OF_ONE = 100, 20
"""How often each part of the long run kills the only server there is, and one of two."""
PARTS = 10
"""The long run is in parts, each verified by itself: 1,000 kills with SQLite and 200 with PostgreSQL take about an hour."""


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.soak) for part in range(1, PARTS + 1))])
def test_kill_9_loses_nothing_acknowledged(part: int, database: str, tmp_path: Path) -> None:
    """Servers are killed at random moments while people and bots play: all that was said yes to or shown is there, once.

    So is time: clocks go on where they stood, and those that run down do so once, whoever is killed just then. With SQLite it
    is the one server there is, with PostgreSQL one of two, while the other goes on.
    """
    many = database.startswith("postgresql")
    kills, count = (KILLS_OF_ONE if many else KILLS, 50) if part else (3, 3)
    dice = random.Random(part)
    given: dict[str, Any] = {"database": database, "servers": 2 if many else 1, "port": free_port()}
    began, some = time.time(), 2 + count // 10
    clocks = [Terms("match", FULL)] * count + [Terms("match", LITTLE)] * some
    # Those who decide nothing: one clock runs all the time; the first flag falls soon, the last one near the end.
    idle = [Terms("match", FULL), *(Terms("match", LITTLE + kills * one // some) for one in range(some))]

    async def visit(server: ExitStack) -> tuple[Book, dict[str, int]]:
        process: Any = server.enter_context((serving if many else Successors)(tmp_path, **given))
        async with Visitor(base=process.base) as visitor, opened(given) as storage:
            book, end = Book(visitor), asyncio.Event()
            await storage.people.save(Person(visitor.id, "Nellie"))
            book.tables, late = await laid(storage, visitor.id, clocks), await laid(storage, visitor.id, idle)
            book.first = {table: table for table in book.tables}
            pace = 0.04 * count  # about fifty decisions a second in all, however many tables there are
            playing = [asyncio.create_task(play(book, table, random.Random(dice.random()), pace, end)) for table in book.first]
            playing += [asyncio.create_task(dawdle(book, table, end)) for table in late]
            always, through = next(iter(late.items())), 0
            await eventually(lambda: runs(storage, always))
            seen = await look(storage)

            async def until(test: Callable[[], object]) -> None:
                """Wait for something, or for somebody who noticed that something is wrong."""
                await eventually(lambda: asyncio.sleep(0, test() or any(one.done() for one in playing)), 600)

            for _ in range(kills):
                await until(partial(has, book, len(book.told) + 2))
                await asyncio.sleep(dice.random() * 0.3)
                if isinstance(process, Process):
                    parent = process.process.pid
                    await until(partial(servers, parent))
                    os.kill(dice.choice(servers(parent)), signal.SIGKILL)
                    last, seen = seen, await look(storage)
                    through += sane(last, seen)
                else:
                    await asyncio.to_thread(process.end)
                    last, seen = seen, await look(storage)
                    sane(last, seen)
                    last, started = seen, storage.milliseconds
                    await asyncio.to_thread(process.start)
                    seen = await look(storage)
                    through += sane(last, seen, started)
            # Every table goes on after the last one (but where there is hardly time to), and every flag falls that should.
            later, steady = len(book.told), set(list(book.first)[:count])
            await until(lambda: steady <= going(book, later))
            await eventually(lambda: fallen(storage, list(late)[1:]), 60 + kills)
            end.set()
            await asyncio.gather(*playing)
            sane(seen, await look(storage))
            assert through >= kills
        return book, late

    with ExitStack() as server:
        book, late = asyncio.run(visit(server))
    assert len(book.told) >= 2 * kills

    async def verify() -> None:
        async with opened(given) as storage:
            for table, seat in (book.tables | late).items():
                match = await nothing_is_lost(storage, book, table, seat)
                await timely(storage, table, seat, match, began)

    asyncio.run(verify())


async def nothing_is_lost(storage: Storage, book: Book, table: str, seat: int) -> Match:
    """The match at a table, which has what was acknowledged and shown there, once."""
    match, _ = read_match(await storage.tables.document(table))
    assert match.ply >= book.shown[table]
    own = [(ply, entry.do) for ply, entry in enumerate(match.entries) if entry.seat == seat and entry.do != "resign"]
    unsure = [one for one in book.sent if one[0] == table]
    for one in book.told:
        if one[0] == table:
            unsure.remove(one)
            own.remove(first(own, one))
    for one in unsure:
        # No answer came: it may have been written, or not.
        with suppress(StopIteration):
            own.remove(first(own, one))
    assert [] == own, "never sent, or written twice"
    return match


# What happens to the disk, the database or the clock.


class FullDisk:
    """The server's files cannot grow: what a disk that is full comes to."""

    def __init__(self, data: Path) -> None:
        self.database = ""

    def begin(self, server: Process) -> None:
        self.limits = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (1024, self.limits[1]))

    def end(self, server: Process) -> None:
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, self.limits)


class SetClock:
    """The clock of the machine is set an hour back, and then an hour forth."""

    def __init__(self, data: Path) -> None:
        self.database, self.file = "", data / "clock"

    def _set(self, seconds: str) -> None:
        new = self.file.with_suffix(".new")
        new.write_text(seconds)
        new.replace(self.file)

    def begin(self, server: Process) -> None:
        self._set("-3600")

    def end(self, server: Process) -> None:
        self._set("3600")


class OwnPostgres:
    """A PostgreSQL that no other test uses."""

    def __init__(self, data: Path) -> None:
        self.stack = ExitStack()
        folder = Path(self.stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        self.postgres = self.stack.enter_context(databases.postgres(folder / "postgres"))
        self.database = self.postgres.new()


class DatabaseAway(OwnPostgres):
    """The database is stopped, and started again."""

    def begin(self, server: Process) -> None:
        self.postgres.server.stop()

    def end(self, server: Process) -> None:
        self.postgres.server.ensure_postgres_running()


class ReadOnlyDatabase(OwnPostgres):
    """The database takes no changes any more, as after it was replaced by its copy; and then does."""

    def _set(self, how: str) -> None:
        self.postgres.server.psql(f"ALTER SYSTEM SET default_transaction_read_only = {how};")
        self.postgres.server.psql("SELECT pg_reload_conf();")

    def begin(self, server: Process) -> None:
        self._set("on")

    def end(self, server: Process) -> None:
        self._set("off")


@pytest.mark.parametrize(
    ("kind", "times"),
    [
        (FullDisk, 1),
        (SetClock, 1),
        *(pytest.param(kind, 5, marks=pytest.mark.soak) for kind in (FullDisk, SetClock, DatabaseAway, ReadOnlyDatabase)),
    ],
)
def test_trouble_loses_nothing_acknowledged(kind: Any, times: int, tmp_path: Path) -> None:
    """While people and bots play, the disk is full, the database gone or read-only, or the clock set by an hour: nobody is told
    anything that is not so, the server says that it is ill, and all goes on afterwards. No clock of a player jumps."""
    trouble = kind(tmp_path)
    given: dict[str, Any] = {"has_set_clock": True, "database": trouble.database or f"sqlite:///{tmp_path / 'ridotto.db'}"}

    async def visit(server: Process) -> Book:
        async with Visitor(base=server.base) as visitor, opened(given) as storage:
            book, end = Book(visitor), asyncio.Event()
            await storage.people.save(Person(visitor.id, "Nellie"))
            book.tables = await laid(storage, visitor.id, [Terms("match", FULL)] * 4)
            book.first = {table: table for table in book.tables}
            playing = [asyncio.create_task(play(book, table, random.Random(1), 0.1, end)) for table in book.first]

            async def until(test: Callable[[], object]) -> None:
                await eventually(lambda: asyncio.sleep(0, test() or any(one.done() for one in playing)), 120)

            async def is_ill() -> bool:
                with suppress(httpx.TransportError):
                    answer = await visitor.get("/health")
                    return answer.status_code == 503 and bool(answer.json()["why"])
                return False

            async def is_well() -> bool:
                with suppress(httpx.TransportError):
                    return (await visitor.get("/health")).status_code == 200
                return False

            for _ in range(times):
                await until(partial(goes_on, book, len(book.told)))
                before = await look(storage)
                await asyncio.to_thread(trouble.begin, server)
                if kind is SetClock:
                    await until(partial(has, book, len(book.told) + 10))
                else:
                    await eventually(is_ill)
                    await asyncio.sleep(0.5)  # those of its processes that write are told one by one
                    told = len(book.told)
                    await asyncio.sleep(1)
                    assert told == len(book.told), "what is acknowledged is on disk"
                await asyncio.to_thread(trouble.end, server)
                await until(partial(goes_on, book, len(book.told)))
                with suppress(DatabaseUnavailable):
                    await look(storage)  # our own connection may have been cut, too
                sane(before, await look(storage))
                await eventually(is_well)
            end.set()
            await asyncio.gather(*playing)
        return book

    with getattr(trouble, "stack", ExitStack()):
        with serving(tmp_path, **given) as server:
            book = asyncio.run(visit(server))

        async def verify() -> None:
            async with opened(given) as storage:
                for table, seat in book.tables.items():
                    await nothing_is_lost(storage, book, table, seat)

        asyncio.run(verify())


def test_a_flag_that_would_have_fallen_meanwhile(database: str, tmp_path: Path) -> None:
    """A server is killed and comes back an hour later: whoever had two seconds left has them still, and runs out of them once,
    though it is killed again in the very moment: one resigns by that, for the other a bot plays on."""
    given: dict[str, Any] = {"database": database}
    began, hour = time.time(), 3_600_000

    async def before(server: Process) -> tuple[dict[str, int], Look]:
        async with Visitor(base=server.base) as visitor, opened(given) as storage:
            await storage.people.save(Person(visitor.id))
            tables = await laid(storage, visitor.id, [Terms("match", LITTLE)] * 2, "opera", bots=1)
            assert {200} == {(await visitor.get(f"/t/{table}")).status_code for table in tables}
            kill(server)
            # To the database it is all the same whether we wait for an hour or it is an hour earlier there.
            async with storage.database.writing() as connection:
                await connection.execute(sa.update(schema.clocks).values(until=schema.clocks.c.until - hour))
                await connection.execute(sa.update(schema.heartbeat).values(at=schema.heartbeat.c.at - hour))
            return tables, await look(storage)

    async def after(dead: Look, started: int, server: Process) -> None:
        async with opened(given) as storage:
            assert 2 == sane(dead, await look(storage), started)
            await eventually(lambda: fallen(storage, list(tables)))
            kill(server)

    async def verify() -> None:
        async with opened(given) as storage:
            for table, seat in tables.items():
                match, _ = read_match(await storage.tables.document(table))
                assert await timely(storage, table, seat, match, began - hour / 1000)

    with serving(tmp_path, **given) as server:
        tables, dead = asyncio.run(before(server))
    started = int(1000 * time.time())
    with serving(tmp_path, **given) as server:
        asyncio.run(after(dead, started, server))
    with serving(tmp_path, **given):
        asyncio.run(verify())


async def fallen(storage: Storage, tables: list[str]) -> bool:
    """Whether time was up at all of these tables."""
    said = sa.select(schema.chat.c.table).where(schema.chat.c.kind.in_(("flag", "flag-bot"))).distinct()
    async with storage.database.reading() as connection:
        return set(tables) <= set((await connection.execute(said)).scalars())


async def timely(storage: Storage, table: str, seat: int, match: Match, began: float) -> bool:
    """Time at a table has come to what it should: no flag fell early, or twice. Whether one fell."""
    info = await storage.tables.info(table)
    assert info is not None
    terms = info.settings.clock
    assert terms is not None
    async with storage.database.reading() as connection:
        kinds = list((await connection.execute(sa.select(schema.chat.c.kind).where(schema.chat.c.table == table))).scalars())
        clock = (await connection.execute(sa.select(schema.clocks).where(schema.clocks.c.table == table))).one()
    now = 1000 * time.time()
    spent = terms.full - (clock.left if clock.until is None else clock.until - now)
    assert seat == clock.seat and 0 <= spent <= now - 1000 * began, clock
    resigned = [ply for ply, entry in enumerate(match.entries) if entry.do == "resign"]
    if not kinds:
        assert [] == resigned and (terms.seconds == FULL or clock.left or clock.until), "a flag hangs"
        return False
    assert terms.seconds < FULL and 0 == clock.left and clock.until is None
    assert time.time() - info.created >= terms.seconds - 1
    if info.plays_on:
        assert (["flag-bot"], [], STAND_IN) == (kinds, resigned, info.chairs[seat].bot)
        return True
    assert (["flag"], [match.ply - 1], seat) == (kinds, resigned, match.entries[-1].seat)
    assert "over" == info.state and stamped(match.entries[-1].time) >= info.created + terms.seconds - 1
    return True


def stamped(time: str) -> float:
    """The seconds of an entry's time."""
    return datetime.fromisoformat(time).timestamp()


def kill(server: Process) -> None:
    server.process.kill()
    server.process.wait()


def first(own: list[tuple[int, str]], sent: tuple[str, int, str]) -> tuple[int, str]:
    """What became of an action: it is written at the ply of its page or, where choices are simultaneous, soon after."""
    return next((ply, do) for ply, do in own if do == sent[2] and ply >= sent[1])


def has(book: Book, actions: int) -> bool:
    """Whether so many actions were acknowledged."""
    return len(book.told) >= actions


def goes_on(book: Book, later: int) -> bool:
    """Whether something was acknowledged at every table after the first so many actions."""
    return set(book.first.values()) <= going(book, later)


def going(book: Book, later: int) -> set[str]:
    """The tables at which, or at whose rematches, something was acknowledged after the first so many."""
    return {book.first[table] for table, _, _ in book.told[later:]}


@asynccontextmanager
async def opened(given: dict[str, Any]) -> AsyncIterator[Storage]:
    """The database of a server, beside it."""
    storage = Storage(Settings(database=given["database"]).url)
    try:
        yield storage
    finally:
        await storage.close()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_bots_go_on_after_a_restart(tmp_path: Path) -> None:
    """Tables at which bots owed a decision when the server stopped are played to their end by the next one, unasked."""

    async def prepare() -> list[str]:
        storage, tables = Storage(url(tmp_path)), []
        await storage.open()
        host = new_id()
        await storage.people.save(Person(host))
        for game, seats in (("fantome", 2), ("turandot", 2)):
            places = tuple(Chair(seat, "bot", False, None, "", "random", f"{seat:032x}") for seat in range(seats))
            new = NewTable(new_id(), Match(GAMES[game], seats), False, host, "en", "0" * 32, places, {})
            await storage.tables.create(new)
            tables.append(new.id)
        await storage.close()
        return tables

    tables = asyncio.run(prepare())

    async def wait(base: str) -> None:
        async with Visitor(base=base) as visitor:
            for table in tables:

                async def is_over(table: str = table) -> bool:
                    return record.parse((await visitor.get(f"/t/{table}/record")).text)["result"] is not None

                await eventually(is_over)

    with serving(tmp_path) as server:
        asyncio.run(wait(server.base))
    assert all(match.outcome for match in asyncio.run(documents(tmp_path, tables)))


def test_a_dead_worker_is_replaced(tmp_path: Path) -> None:
    """A worker that is killed in the middle of a thought: another one is started and asked again, and the match goes on."""

    async def visit() -> None:
        async with running(settings(tmp_path)) as app, Visitor(app) as one:
            workers = services(app).workers
            (worker,) = await workers.pids()
            os.kill(worker, signal.SIGSTOP)  # it is asked, and thinks for ever
            table = await sat(app, Match(GAMES["fantome"], 2), "random", one)
            await eventually(lambda: asyncio.sleep(0, bool(table.thinking)))
            await asyncio.sleep(0.1)
            assert 1 == table.match.ply
            os.kill(worker, signal.SIGKILL)
            await eventually(lambda: asyncio.sleep(0, table.match.ply > 1))
            assert 1 == workers.replaced
            assert {worker}.isdisjoint(await workers.pids())

    asyncio.run(visit())


def test_workers_leave_with_the_server() -> None:
    """A server that is killed leaves no process behind."""
    script = (
        "import asyncio, time\n"
        "from ridotto.web.live.workers import BotWorkers\n"
        "async def main():\n"
        "    workers = BotWorkers(2, 1.0, ())\n"
        "    workers.start()\n"
        "    print(*await workers.pids(), flush=True)\n"
        "    time.sleep(60)\n"
        "asyncio.run(main())\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    workers = [int(word) for word in process.stdout.readline().split()]
    assert workers
    process.kill()
    process.communicate()

    def is_running(worker: int) -> bool:
        try:
            os.kill(worker, 0)
        except ProcessLookupError:
            return False
        status = Path(f"/proc/{worker}/status")
        return not (status.exists() and "State:\tZ" in status.read_text())

    asyncio.run(eventually(lambda: asyncio.sleep(0, not any(map(is_running, workers))), 20))


def test_a_polite_stop(tmp_path: Path) -> None:
    """SIGTERM ends live connections and the process, soon and with status 0; what was written stays."""

    async def watch(base: str, process: subprocess.Popen[str]) -> float:
        async with Visitor(base=base) as visitor:
            table = await visitor.create("fantome", "me", "friend")
            async with visitor.http.stream("GET", f"/t/{table}/live") as stream:
                pieces = stream.aiter_text()
                text = ""
                while "event: table" not in text:
                    text += await anext(pieces)
                process.terminate()
                began = time.perf_counter()
                async for piece in pieces:
                    text += piece
                # Whoever looks is told to come back, and not all at the same time.
                assert re.search(r"retry: [0-9]+\nevent: back\n", text)
                return time.perf_counter() - began

    with serving(tmp_path) as server:
        assert asyncio.run(watch(server.base, server.process)) < 10
        assert 0 == server.process.wait(15)


def test_the_command(tmp_path: Path) -> None:
    """`ridotto serve` says where it is; a second one at the same port is told so in one line."""
    command = [sys.executable, "-m", "ridotto", "serve", "--data", str(tmp_path), "--workers", "1", "--port"]
    with subprocess.Popen([*command, "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            base = process.stdout.readline().split()[-1]
            port = base.rpartition(":")[2].strip("/")
            assert "ok" == httpx.get(f"{base}health").json()["status"]
            second = subprocess.run([*command, port], capture_output=True, text=True, timeout=60)
            assert 2 == second.returncode
            assert (
                f"ridotto: port {port} of 127.0.0.1 is in use: stop what uses it, or choose another with --port\n"
                == second.stderr
            )
            assert 0o600 == (tmp_path / "secret.key").stat().st_mode & 0o777
        finally:
            process.terminate()
            process.communicate(timeout=60)
    assert '"message": "ready"' in (tmp_path / "server.log").read_text("utf-8")


def test_what_keeps_a_server_from_starting(tmp_path: Path) -> None:
    """One line that says what is wrong and where; no traceback."""
    (tmp_path / "file").write_text("in the way")
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "ridotto.db").write_bytes(b"This is not a database." * 100)
    for folder, said in (("file/data", "cannot write to"), ("bad", "cannot use the database")):
        command = [sys.executable, "-m", "ridotto", "serve", "--port", "0", "--data", str(tmp_path / folder)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert 2 == done.returncode
        assert done.stderr.startswith(f"ridotto: {said}") and 1 == done.stderr.count("\n"), done.stderr


def test_a_thought_is_a_function_of_the_view() -> None:
    """What goes to a worker and comes out there is the very view, events included."""
    from ridotto.web.live.workers import BotRequest

    for name, game in GAMES.items():
        match = Match(game, seed=3)
        dice = random.Random(name)
        for _ in range(12):
            seat = dice.choice(match.to_act)
            match.play(dice.choice(match.legal(seat)), seat)
        seat = match.to_act[0]
        view = match.view(seat)
        assert view == BotRequest.of("random", view, 1, 1.0).view()


def test_workers_can_stop_in_the_middle() -> None:
    """Stopping does not wait for a thought."""

    async def visit() -> float:
        workers = BotWorkers(1, 60.0, ())
        workers.start()
        (worker,) = await workers.pids()
        os.kill(worker, signal.SIGSTOP)
        match = Match(GAMES["fantome"], seed=3)
        asking = asyncio.create_task(workers.choose("random", match.view(0)))
        await asyncio.sleep(0.05)
        os.kill(worker, signal.SIGCONT)
        began = time.perf_counter()
        await asyncio.to_thread(workers.stop)
        await asyncio.gather(asking, return_exceptions=True)
        return time.perf_counter() - began

    assert asyncio.run(visit()) < 10
