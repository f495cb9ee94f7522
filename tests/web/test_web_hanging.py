"""A database that hangs: everybody is told so within seconds, and all goes on by itself when it answers again."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import databases
import httpx
import pytest
from visitors import Visitor, eventually, serving

from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.web.identity import Person, new_id
from ridotto.web.settings import Settings
from ridotto.web.storage import Storage
from ridotto.web.storage.entries import read_match
from ridotto.web.storage.faults import DatabaseUnavailable
from ridotto.web.storage.table_info import Chair, NewTable
from ridotto.web.storage.turns import PATIENCE, REST, Turns

PROMISED = 3.0
"""Seconds within which everybody is answered, whatever the database does."""
MARGIN = 3.0
"""Seconds more, for a machine that has other things to do."""


class Hanging:
    """A PostgreSQL that no other test uses, and that is stopped in the middle (SIGSTOP)."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @contextmanager
    def database(self) -> Iterator[str]:
        with (
            tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
            databases.postgres(Path(folder) / "postgres") as self.postgres,
        ):
            yield self.postgres.new()

    def begin(self) -> None:
        self.postgres.hang()

    def end(self) -> None:
        self.postgres.go_on()


class Locked:
    """An SQLite that another process has locked, so that nobody else can even read it."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "ridotto.db"

    @contextmanager
    def database(self) -> Iterator[str]:
        yield f"sqlite:///{self.file}"

    def begin(self) -> None:
        self.other = sqlite3.connect(self.file, isolation_level=None, check_same_thread=False)
        self.other.execute("PRAGMA busy_timeout=20000")
        self.other.execute("BEGIN IMMEDIATE")

    def end(self) -> None:
        self.other.execute("ROLLBACK")
        self.other.close()


@pytest.mark.parametrize("kind", [Hanging, Locked])
def test_a_database_that_hangs(kind: Any, tmp_path: Path) -> None:
    """Whatever needs the database is refused with a reason, however many ask at once, and says nothing else; live pages stay or
    are told; afterwards all goes on without anybody's doing, and what was acknowledged before is there."""
    trouble = kind(tmp_path)

    async def visit(base: str, storage: Storage) -> None:
        async with Visitor(base=base) as one, Visitor(base=base) as other:
            tables = [await laid(storage, one.id, other.id) for _ in range(3)]
            people = (one, other)
            before = [await due(storage, table) for table in tables]
            assert {204} == {(await people[seat].act(table, do, ply)).status_code for table, seat, do, ply in before}
            later = [(people[seat], table, do, ply) for table, seat, do, ply in [await due(storage, table) for table in tables]]
            async with one.http.stream("GET", f"/t/{tables[0]}/live") as stream:
                pieces = stream.aiter_text()
                text = ""
                while "event: table" not in text:
                    text += await anext(pieces)
                await asyncio.to_thread(trouble.begin)
                try:
                    await refused(one, other, later)
                finally:
                    await asyncio.to_thread(trouble.end)
                await eventually(lambda: is_well(one), 30)
                for table, _, do, ply in before:
                    assert do == read_match(await storage.tables.document(table))[0].entries[ply].do
                    assert 200 == (await one.get(f"/t/{table}")).status_code
                    _, seat, do, ply = await due(storage, table)  # what was refused may be written all the same
                    assert 204 == (await people[seat].act(table, do, ply)).status_code

    async def laid(storage: Storage, *people: str) -> str:
        """A table at which two people play."""
        chairs = [Chair(seat, "person", False, one, "", None, f"{seat:032x}") for seat, one in enumerate(people)]
        for one in people:
            await storage.people.save(Person(one))
        keys = {one: seat for seat, one in enumerate(people)}
        new = NewTable(new_id(), Match(GAMES["fantome"], 2), False, people[0], "en", "0" * 32, tuple(chairs), keys)
        await storage.tables.create(new)
        return new.id

    async def refused(one: Visitor, other: Visitor, later: list[tuple[Visitor, str, str, int]]) -> None:
        """Nobody is told that anything was done, and everybody within the time."""

        async def ask(who: Visitor, path: str, do: str = "", ply: int = 0) -> tuple[str, httpx.Response, float]:
            began = time.monotonic()
            answer = await (who.act(path, do, ply) if do else who.http.get(path))
            return path, answer, time.monotonic() - began

        for _ in range(2):  # at once, and when it is known already
            asked = [ask(*action) for action in later]
            asked += [ask(one, path) for path in ("/health", "/health")]
            if kind is Hanging:  # SQLite lets readers read while somebody else writes
                pages = (
                    "/",
                    "/me/export",
                    "/nowhere",
                    *(f"/t/{table}{page}" for _, table, *_ in later for page in ("", "/replay", "/live", "/glance")),
                )
                asked += [ask(who, path) for path in pages for who in (one, other, one)]
            for path, answer, took in await asyncio.gather(*asked):
                assert 503 == answer.status_code, (path, answer.text)
                assert took < PROMISED + MARGIN, path
                if path == "/health":
                    assert answer.json()["why"]
                else:
                    assert "the database does not answer" in answer.text and answer.headers["retry-after"]

    async def is_well(who: Visitor) -> bool:
        with suppress(httpx.TransportError):
            return {200} == {(await who.get(path)).status_code for path in ("/health", "/")}
        return False

    async def due(storage: Storage, table: str) -> tuple[str, int, str, int]:
        """What somebody at a table may do now: the table, the seat, an action, the ply."""
        match, _ = read_match(await storage.tables.document(table))
        return table, match.to_act[0], str(match.legal(match.to_act[0])[0]), match.ply

    async def run(base: str, database: str) -> None:
        storage = Storage(Settings(database=database).url)
        try:
            await visit(base, storage)
        finally:
            await storage.close()

    with trouble.database() as database, serving(tmp_path, database=database) as server:
        asyncio.run(run(server.base, database))


def test_turns_wait_as_long_as_somebody_is_answered() -> None:
    """Those who wait at a slow database wait on; at one that hangs they are refused, at once when somebody was just before."""

    class Clock:
        now = 0.0

        def __call__(self) -> float:
            return self.now

    clock = Clock()

    async def run() -> None:
        turns, answers = Turns(1, clock), list[str]()

        async def ask(answer: asyncio.Future[None]) -> None:
            try:
                async with turns.turn():
                    try:
                        await answer
                    except OSError as error:
                        raise DatabaseUnavailable("no answer") from error
                answers.append("yes")
            except DatabaseUnavailable:
                answers.append("no")

        loop = asyncio.get_running_loop()
        replies = [loop.create_future() for _ in range(4)]
        tasks = [asyncio.create_task(ask(reply)) for reply in replies]
        for reply in replies[:2]:
            await asyncio.sleep(0)
            clock.now += 0.9 * PATIENCE  # slow, but it answers
            reply.set_result(None)
            await asyncio.sleep(0.01)
        assert ["yes", "yes"] == answers
        replies[2].set_exception(OSError())
        await asyncio.wait_for(asyncio.gather(*tasks), 30)
        assert ["yes", "yes", "no", "no"] == answers, "the last is not tried any more"
        late = loop.create_future()
        late.set_result(None)
        await ask(late)
        assert "no" == answers.pop()
        clock.now += 1.1 * REST
        await ask(late)
        assert "yes" == answers.pop()

    asyncio.run(run())
