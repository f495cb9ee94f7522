"""What a real process survives: SIGKILL of the server, of a worker; a restart while bots owe decisions; a polite stop."""

from __future__ import annotations

import asyncio
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from html import unescape
from pathlib import Path

import httpx
import pytest
from visitors import Visitor, eventually, office, running, sat, serving, settings

from ridotto import record
from ridotto.core import Match
from ridotto.games import GAMES
from ridotto.web import store
from ridotto.web.people import Person, new_id
from ridotto.web.store import Draft, Place, Store
from ridotto.web.thinking import Thinkers


def url(data: Path) -> str:
    return f"sqlite+aiosqlite:///{data / 'ridotto.db'}"


async def documents(data: Path, tables: list[str]) -> list[Match]:
    """The matches in a database that no server uses now, verified."""
    keeper = Store(url(data))
    try:
        return [store.read(await keeper.document(table))[0] for table in tables]
    finally:
        await keeper.close()


async def choices(visitor: Visitor, table: str) -> tuple[int, list[str]]:
    """The ply that a page shows, and what can be done there."""
    page = (await visitor.get(f"/t/{table}")).text
    ply = re.search(r'data-ply="([0-9]+)"', page)
    assert ply
    return int(ply[1]), sorted({unescape(do) for do in re.findall(r'data-do="([^"]+)"', page)})


async def play(people: list[Visitor], table: str, told: list[tuple[str, int, str]], dice: random.Random) -> None:
    """Play all seats from their pages as long as the server is there; note what was acknowledged."""
    while True:
        for visitor in people:
            ply, actions = await choices(visitor, table)
            if actions:
                do = dice.choice(actions)
                answer = await visitor.act(table, do, ply)
                assert 204 == answer.status_code, answer.text
                told.append((table, ply, do))


@pytest.mark.parametrize("kills", [2, pytest.param(20, marks=pytest.mark.soak)])
def test_kill_9_loses_nothing_acknowledged(kills: int, tmp_path: Path) -> None:
    """The server is killed at random moments while tables are played, again and again: all that it said yes to is there."""
    dice = random.Random(kills)
    told: list[tuple[str, int, str]] = []
    tables: list[str] = []
    kept: list[tuple[httpx.Cookies, str]] = []

    async def begin(base: str) -> None:
        people = [await Visitor(base=base).__aenter__() for _ in range(2)]
        for _ in range(2 + kills // 5):
            table = await people[0].found("opera", "me", "open")
            assert 303 == (await people[1].post(f"/t/{table}/sit", {"seat": "1"})).status_code
            tables.append(table)
        for one in people:
            kept.append((httpx.Cookies(one.http.cookies), one.nonce))
            await one.http.aclose()

    @asynccontextmanager
    async def back(base: str) -> AsyncIterator[list[Visitor]]:
        people = [Visitor(base=base) for _ in kept]
        for one, (cookies, nonce) in zip(people, kept, strict=True):
            one.http.cookies, one.nonce = cookies, nonce
        try:
            yield people
        finally:
            for one in people:
                await one.http.aclose()

    async def until_killed(base: str, process: subprocess.Popen[str]) -> None:
        async with back(base) as people:
            playing = [asyncio.create_task(play(people, table, told, random.Random(dice.random()))) for table in tables]
            before = len(told)
            while len(told) < before + 4 and not any(task.done() for task in playing):
                await asyncio.sleep(0.005)
            await asyncio.sleep(dice.random() * 0.3)
            process.kill()
            ends = await asyncio.gather(*playing, return_exceptions=True)
            assert all(isinstance(end, httpx.TransportError) for end in ends), ends

    for _ in range(kills):
        with serving(tmp_path) as server:
            if not tables:
                asyncio.run(begin(server.base))
            asyncio.run(until_killed(server.base, server.process))
            assert -signal.SIGKILL == server.process.wait(10)
        matches = dict(zip(tables, asyncio.run(documents(tmp_path, tables)), strict=True))
        for table, ply, do in told:
            assert do == matches[table].entries[ply].do, f"acknowledged, and lost: {do} at ply {ply}"
    assert len(told) >= 4 * kills

    # And the tables resume: what the pages of a new process offer is taken.
    async def resume(base: str) -> None:
        async with back(base) as people:
            for table in tables:
                offers = [await choices(one, table) for one in people]
                seat = next(seat for seat, (_, actions) in enumerate(offers) if actions)
                ply, actions = offers[seat]
                assert matches[table].ply == ply
                assert 204 == (await people[seat].act(table, actions[0], ply)).status_code

    with serving(tmp_path) as server:
        asyncio.run(resume(server.base))


def test_bots_go_on_after_a_restart(tmp_path: Path) -> None:
    """Tables at which bots owed a decision when the server stopped are played to their end by the next one, unasked."""

    async def prepare() -> list[str]:
        keeper, tables = Store(url(tmp_path)), []
        await keeper.open()
        host = new_id()
        await keeper.keep(Person(host))
        for game, seats in (("fantome", 2), ("turandot", 2)):
            places = tuple(Place(seat, "bot", False, None, "", "random", f"{seat:032x}") for seat in range(seats))
            draft = Draft(new_id(), Match(GAMES[game], seats), False, host, "en", "0" * 32, places, {})
            await keeper.found(draft)
            tables.append(draft.id)
        await keeper.close()
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
            house = office(app).house
            (worker,) = await house.thinkers.pids()
            os.kill(worker, signal.SIGSTOP)  # it is asked, and thinks for ever
            table = await sat(app, Match(GAMES["fantome"], 2), "random", one)
            await eventually(lambda: asyncio.sleep(0, bool(table.thinking)))
            await asyncio.sleep(0.1)
            assert 1 == table.match.ply
            os.kill(worker, signal.SIGKILL)
            await eventually(lambda: asyncio.sleep(0, table.match.ply > 1))
            assert 1 == house.thinkers.replaced
            assert {worker}.isdisjoint(await house.thinkers.pids())

    asyncio.run(visit())


def test_workers_leave_with_the_server() -> None:
    """A server that is killed leaves no process behind."""
    script = (
        "import asyncio, time\n"
        "from ridotto.web.thinking import Thinkers\n"
        "async def main():\n"
        "    thinkers = Thinkers(2, 1.0, ())\n"
        "    thinkers.start()\n"
        "    print(*await thinkers.pids(), flush=True)\n"
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
            table = await visitor.found("fantome", "me", "friend")
            async with visitor.http.stream("GET", f"/t/{table}/live") as stream:
                pieces = stream.aiter_text()
                text = ""
                while "event: table" not in text:
                    text += await anext(pieces)
                process.terminate()
                began = time.perf_counter()
                async for _ in pieces:
                    pass
                return time.perf_counter() - began

    with serving(tmp_path) as server:
        asyncio.run(watch(server.base, server.process))
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
            process.communicate(timeout=20)
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
    from ridotto.web.thinking import Question

    for name, game in GAMES.items():
        match = Match(game, seed=3)
        dice = random.Random(name)
        for _ in range(12):
            seat = dice.choice(match.to_act)
            match.play(dice.choice(match.legal(seat)), seat)
        seat = match.to_act[0]
        view = match.view(seat)
        assert view == Question.of("random", view, 1, 1.0).view()


def test_thinkers_can_stop_in_the_middle() -> None:
    """Stopping does not wait for a thought."""

    async def visit() -> float:
        thinkers = Thinkers(1, 60.0, ())
        thinkers.start()
        (worker,) = await thinkers.pids()
        os.kill(worker, signal.SIGSTOP)
        match = Match(GAMES["fantome"], seed=3)
        asking = asyncio.create_task(thinkers.choose("random", match.view(0)))
        await asyncio.sleep(0.05)
        os.kill(worker, signal.SIGCONT)
        began = time.perf_counter()
        await asyncio.to_thread(thinkers.stop)
        await asyncio.gather(asking, return_exceptions=True)
        return time.perf_counter() - began

    assert asyncio.run(visit()) < 10
