"""Several servers at one database: whatever happens at one is seen at the others, and bots think once."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from databases import Postgres
from visitors import Live, Visitor, eventually, running, sat, servers, services, serving, settings

from ridotto.bots import Ranked, review
from ridotto.bots.judging import Judgement
from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.web.live import pubsub
from ridotto.web.live.pubsub import PubSub
from ridotto.web.live.workers import BotWorkerFailed
from ridotto.web.storage import Storage
from ridotto.web.storage.entries import read_match
from ridotto.web.storage.faults import DatabaseUnavailable


@asynccontextmanager
async def two(postgres: Postgres, data: Path, **given: Any) -> AsyncIterator[tuple[Any, Any]]:
    """Two servers over one empty database."""
    chosen = settings(data, database=postgres.new(), **given)
    async with running(chosen) as one, running(chosen) as other:
        yield one, other


@asynccontextmanager
async def visitor(app: Any, like: Visitor | None = None) -> AsyncIterator[Visitor]:
    """A visitor of one server, or somebody known to another one."""
    if like is None:
        async with Visitor(app) as found:
            yield found
        return
    found = Visitor(app)
    found.http.cookies, found.nonce = like.http.cookies, like.nonce
    try:
        yield found
    finally:
        await found.http.aclose()


async def until(stream: Live, test: Callable[[dict[str, str]], bool]) -> None:
    """Read messages until one shows something."""
    while not test((await stream.next())["parts"]):
        pass


def test_a_change_is_seen_at_the_other_server(postgres: Postgres, tmp_path: Path) -> None:
    """One plays here, the other looks there: the live page shows the action, and who is here, and a new name."""

    async def visit() -> None:
        async with (
            two(postgres, tmp_path) as (here, there),
            visitor(here) as one,
            visitor(here) as guest,
            visitor(there, guest) as other,
        ):
            table = await sat(here, Match(GAMES["fantome"], 2, seed=7), one, guest)
            async with other.live(table.id) as stream:
                await until(stream, lambda parts: "owing away" in parts["people"])
                async with one.live(table.id) as own:
                    await own.next()
                    await until(stream, lambda parts: "owing away" not in parts["people"])
                    assert 204 == (await one.act(table.id, "pick meg", 1)).status_code
                    assert "Meg" in (await stream.until(2))["announcement"]
                    await one.post("/me", {"name": "Nellie"})
                    await until(stream, lambda parts: "Nellie" in parts["people"])
                # Gone there, and so away here.
                await until(stream, lambda parts: "owing away" in parts["people"])
            seen = (await services(there).tables.load(table.id)).match
            assert table.match.row == seen.row

    asyncio.run(visit())


def test_whoever_comes_later_is_told_who_is_here(postgres: Postgres, tmp_path: Path) -> None:
    """A server that starts asks the others; one that goes is forgotten, with its people."""

    async def visit() -> None:
        chosen = settings(tmp_path, database=postgres.new(), sweep=0.1)
        async with running(chosen) as here, visitor(here) as one, visitor(here) as guest:
            table = await sat(here, Match(GAMES["fantome"], 2, seed=7), one, guest)
            async with one.live(table.id) as own:
                await own.next()
                async with running(chosen) as there:
                    messages = services(there).pubsub
                    await eventually(lambda: asyncio.sleep(0, messages.elsewhere(table.id) == {one.id}))
                    async with visitor(there, guest) as other, other.live(table.id) as stream:
                        await stream.next()
                        mine = services(here).pubsub
                        await eventually(lambda: asyncio.sleep(0, mine.elsewhere(table.id) == {guest.id}))
                        # The other server's connection is gone, as if it had been killed.
                        await messages.close()
                        await eventually(lambda: asyncio.sleep(0, not mine.elsewhere(table.id)))

    asyncio.run(visit())


def test_bots_think_at_one_server(postgres: Postgres, tmp_path: Path) -> None:
    """Both have the table open; each decision is asked for once, and the match goes on to its end."""

    async def visit() -> None:
        asked: list[tuple[int, int]] = []
        async with two(postgres, tmp_path) as (here, there), visitor(here) as one, visitor(there) as other:
            for app in (here, there):
                workers = services(app).workers

                async def choose(bot: str, view: Any, *more: Any, choose: Any = workers.choose) -> int:
                    asked.append((view.seat, view.ply))
                    await asyncio.sleep(0.01)  # long enough for the other server to hear of the last one
                    return int(await choose(bot, view, *more))

                workers.choose = choose  # type: ignore[method-assign, assignment]
            table = await sat(here, Match(GAMES["fantome"], 2, seed=7), "random", "random")
            async with one.live(table.id) as stream, other.live(table.id) as elsewhere:
                await asyncio.gather(stream.until(8), elsewhere.until(8))  # no match is shorter

            async def is_over() -> bool:
                return (await services(there).tables.load(table.id)).match.outcome is not None

            await eventually(is_over)
        assert len(asked) == len(set(asked))

    asyncio.run(visit())


def test_a_bot_is_woken_while_its_last_claim_ends(tmp_path: Path) -> None:
    """Its next turn may come before the database has let go of the claim under which it thought: nobody waits for a sweep."""

    async def visit() -> None:
        async with running(settings(tmp_path, sweep=3600)) as app:
            messages = services(app).pubsub
            ended = asyncio.Event()

            async def release(id: str) -> None:
                await ended.wait()

            messages.release = release  # type: ignore[method-assign]
            table = await sat(app, Match(GAMES["fantome"], 2, seed=7), "random", "random")
            await eventually(lambda: asyncio.sleep(0, table.match.outcome is not None))
            ended.set()

    asyncio.run(visit())


def test_a_review_is_followed_at_the_other_server(postgres: Postgres, tmp_path: Path) -> None:
    """One server makes it, the other tells how far it is and begins no second one; when the first stops, the other makes it."""
    match = Match(GAMES["fantome"], 2, seed=7)
    while match.to_act:
        match.play(match.legal()[0])
    plies = review.decisions(match)

    async def visit() -> None:
        # They take nothing up by themselves but what they are asked for.
        chosen, judged = settings(tmp_path, database=postgres.new(), sweep=3600), dict[str, list[int]](here=[], there=[])

        def watch(app: Any, name: str, most: int) -> None:
            """Note what a server judges; after so many decisions it thinks until it stops."""
            server = services(app)

            async def judge(bot: str, view: Any, ply: int, action: int, *_: Any) -> Judgement:
                if len(judged[name]) >= most:
                    await server.background.stopping.wait()
                    raise BotWorkerFailed("the workers have stopped")
                judged[name].append(ply)
                return Judgement(ply, view.seat, action, (0.5, 0.5), (Ranked(action, 1, 0.5, 1.0),), 1)

            server.workers.judge = judge  # type: ignore[method-assign, assignment]

        async with running(chosen) as there:
            async with running(chosen) as here, visitor(here) as one, visitor(there, one) as same:
                watch(here, "here", 10)
                watch(there, "there", len(plies))
                table = await sat(here, match, one, "random")
                path = f"/t/{table.id}/review"
                assert 303 == (await one.post(path)).status_code
                await eventually(lambda: asyncio.sleep(0, len(judged["here"]) == 10))
                told = (await same.get(f"{path}/progress")).json()
                assert (len(plies), False, False) == (told["total"], told["ready"], told["failed"]) and told["done"] <= 10
                assert 303 == (await same.post(path)).status_code
                assert "The review is being made." in (await same.get(path)).text
                await services(there).reviews.work()
                assert [] == judged["there"]
            async with visitor(there) as other:

                async def is_ready() -> bool:
                    await services(there).reviews.work()
                    return bool((await other.get(f"{path}/progress")).json()["ready"])

                await eventually(is_ready)
                assert "The review is being made." not in (await other.get(path)).text
            assert plies == judged["there"]

    asyncio.run(visit())


def test_claims(postgres: Postgres, tmp_path: Path) -> None:
    """A table is claimed by one server; counted there; free again when all are released, or when the server is gone."""

    async def visit() -> None:
        url = settings(tmp_path, database=postgres.new()).url
        storages = [Storage(url), Storage(url)]
        one, other = (PubSub(storage.database) for storage in storages)
        await one.open()
        await other.open()
        assert ["a", "b"] == sorted(await one.claim_many(["a", "b"]))
        assert ["c"] == await other.claim_many(["a", "b", "c"])
        assert (True, True) == tuple(await asyncio.gather(one.claim("a"), one.claim("a")))
        for free in (False, False, True):
            await one.release("a")
            assert free == await other.claim("a")
        assert not await other.claim("b")
        await one.close()
        await eventually(lambda: other.claim("b"))
        # A connection that breaks is made again.
        broken = other._raw
        broken.terminate()
        await eventually(lambda: asyncio.sleep(0, other._raw not in (None, broken)))
        await eventually(lambda: other.claim("b"))
        await other.close()
        for storage in storages:
            await storage.close()

    asyncio.run(visit())


def test_a_connection_that_is_hard_to_mend(postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the driver raises on the way, it is tried again, and nothing is left behind."""
    monkeypatch.setattr(pubsub, "RETRY", 0)

    async def visit() -> None:
        storage = Storage(settings(tmp_path, database=postgres.new()).url)
        lines: list[Any] = []
        mended = asyncio.Event()
        new = storage.database.new_connection

        async def line() -> Any:
            if len(lines) == 1:
                lines.append(None)
                raise ConnectionRefusedError("not now")
            lines.append(await new())
            if len(lines) == 3:
                lines[-1].terminate()  # gone before anybody listens
            return lines[-1]

        monkeypatch.setattr(storage.database, "new_connection", line)
        messages = PubSub(storage.database)
        messages.on_reconnected.append(mended.set)
        await messages.open()
        assert await messages.claim("a")
        lines[0].terminate()
        await asyncio.wait_for(mended.wait(), 30)
        assert 4 == len(lines) and messages._raw is lines[3]
        assert await messages.claim("a")
        await messages.close()
        assert all(one is None or one.is_closed() for one in lines)
        await storage.close()

    asyncio.run(visit())


def test_a_database_that_comes_back(postgres: Postgres, tmp_path: Path) -> None:
    """All connections to it are cut: whoever asks then is told to ask again, and everything goes on by itself."""

    async def visit() -> None:
        database = postgres.new()
        async with running(settings(tmp_path, database=database)) as app, visitor(app) as one, visitor(app) as other:
            table = await sat(app, Match(GAMES["fantome"], 2, seed=7), one, other)
            messages = services(app).pubsub
            async with other.live(table.id) as stream:
                await stream.next()
                cut = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{database_name(database)}';"
                await asyncio.to_thread(postgres.server.psql, cut)

                async def is_taken() -> bool:
                    answer = await one.act(table.id, "pick meg", 1)
                    assert answer.status_code in (204, 503), answer.text
                    return answer.status_code == 204

                await eventually(is_taken)
                await eventually(lambda: asyncio.sleep(0, messages._raw is not None))
                assert (await stream.until(2))["ply"] == 2

    asyncio.run(visit())


def test_a_database_that_is_gone_while_somebody_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The stream ends as it does when a server stops: the page comes back by itself, not at the same time as all others."""

    async def visit() -> None:
        async with running(settings(tmp_path)) as app, visitor(app) as one:
            table = await sat(app, Match(GAMES["fantome"], 2, seed=7), one, "random")
            assert 303 == (await one.post(f"/t/{table.id}/talk", {"text": "Brava"})).status_code

            async def muted(*_: object) -> frozenset[str]:
                raise DatabaseUnavailable("the database does not answer")

            monkeypatch.setattr(services(app).storage.chat, "muted", muted)
            async with one.live(table.id) as stream:
                last = ""
                while (piece := await stream.text()) is not None:
                    last = piece
                assert re.fullmatch(r"retry: \d+\nevent: back\ndata: {}\n\n", last)

    asyncio.run(visit())


def database_name(url: str) -> str:
    return url.partition("?")[0].rpartition("/")[2]


def test_a_dead_server_is_replaced(postgres: Postgres, tmp_path: Path) -> None:
    """Two servers behind one port; one is killed: the other answers meanwhile, a new one comes, and a polite stop ends all."""
    database = postgres.new()
    with serving(tmp_path, database=database, servers=2) as server:
        first = servers(server.process.pid)
        assert 2 == len(first)

        async def visit() -> str:
            async with Visitor(base=server.base) as one:
                table = await one.create("fantome", "me", "bot:level:1")
                os.kill(first[0], signal.SIGKILL)
                for _ in range(20):
                    try:
                        assert 200 == (await one.get(f"/t/{table}")).status_code
                    except httpx.TransportError:
                        continue  # a connection to the one that was killed
                await eventually(lambda: asyncio.sleep(0, len(servers(server.process.pid)) == 2))

                async def both_told() -> bool:
                    # Whichever is asked, it has the figures of both.
                    figures = (await one.get("/metrics")).text
                    return all(f'ridotto_live_connections{{server="{number}"}} 0.0' in figures for number in (1, 2))

                await eventually(both_told)
                return table

        table = asyncio.run(visit())
        assert first[1] in servers(server.process.pid)
        server.process.terminate()
        assert 0 == server.process.wait(20)

    async def verify() -> None:
        storage = Storage(settings(tmp_path, database=database).url)
        read_match(await storage.tables.document(table))
        await storage.close()

    asyncio.run(verify())


def test_several_servers_need_postgresql(tmp_path: Path) -> None:
    """SQLite is for one: said in one line, with what would do."""
    command = [sys.executable, "-m", "ridotto", "serve", "--port", "0", "--data", str(tmp_path), "--servers", "2"]
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=environment)
    assert (
        2,
        "ridotto: 2 servers need a database that they can share: name a PostgreSQL in DATABASE_URL, or start one\n",
    ) == (done.returncode, done.stderr)


def test_a_database_that_is_not_there(tmp_path: Path) -> None:
    """One line, with the address and without the password; for one server and for several."""
    environment = {**os.environ, "DATABASE_URL": "postgresql://caruso:secret@127.0.0.1:1/ridotto"}
    for count in ("1", "2"):
        command = [sys.executable, "-m", "ridotto", "serve", "--port", "0", "--data", str(tmp_path), "--servers", count]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=environment)
        assert 2 == done.returncode
        assert done.stderr.startswith("ridotto: cannot use the database postgresql+asyncpg://caruso:***@127.0.0.1:1/ridotto: ")
        assert 1 == done.stderr.count("\n") and "secret" not in done.stderr
