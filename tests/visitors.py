"""People who visit the web table in tests: over the application itself, or over a real server process."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple, Self

import httpx
from starlette.applications import Starlette

from ridotto.core.match import Match
from ridotto.web.identity import COOKIE, Person
from ridotto.web.live.table import Table
from ridotto.web.live.workers import BotWorkers
from ridotto.web.server.app import create_app
from ridotto.web.server.services import Services
from ridotto.web.settings import Rate, Settings
from ridotto.web.storage.table_info import Chair

BASE = "http://127.0.0.1:8765"
GENEROUS = Rate(100_000, 100_000)


def settings(data: Path, **given: Any) -> Settings:
    """A server for tests: one worker that compiles nothing, no limits but those asked for, no reviews but those asked for."""
    usual: dict[str, Any] = {"workers": 1, "warm": (), "absence": 0.05, "metrics_for": ("0.0.0.0/0",), "auto_review": False}
    limits = (
        *("by_person", "by_address", "new_tables", "new_tables_each", "new_people", "bot_tables", "guesses", "names"),
        *("sign_ins", "new_members"),
    )
    usual |= dict.fromkeys(limits, GENEROUS)
    return Settings(data=data, **(usual | given))


class ReusedWorkers(BotWorkers):
    """Workers that go from one server to the next: a test would wait longer for new ones than for anything else."""

    idle: ClassVar[dict[tuple[int, Any], ProcessPoolExecutor]] = {}

    def start(self) -> None:
        self._pool = self.idle.pop((self.workers, self.games), None)
        if self._pool is None or self._pool._broken:
            super().start()

    def stop(self) -> None:
        if self._pool is None or self._pool._pending_work_items:
            super().stop()  # as a server would, in the middle of a thought
        else:
            self.idle[self.workers, self.games], self._pool = self._pool, None


@asynccontextmanager
async def running(chosen: Settings) -> AsyncIterator[Starlette]:
    """The application, started and stopped as a server would."""
    app = create_app(chosen, ReusedWorkers(chosen.workers, chosen.patience, chosen.warm))
    async with app.router.lifespan_context(app):
        yield app


def services(app: Starlette) -> Services:
    found: Services = app.state.services
    return found


async def tick(app: Starlette) -> None:
    """What a server does every second."""
    await services(app).clocks.tick()
    services(app).presence.check_absences()


class Visitor:
    """A browser, as far as the server can tell."""

    def __init__(self, app: Starlette | None = None, base: str = BASE, language: str = "en") -> None:
        self.app, self.base = app, base
        transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=("10.0.0.7", 1)) if app else None
        headers = {"accept-language": language, "origin": base, "accept": "text/html,*/*"}
        self.http = httpx.AsyncClient(transport=transport, base_url=base, headers=headers, timeout=60)
        self.nonce = ""

    async def __aenter__(self) -> Visitor:
        await self.get("/")
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.http.aclose()

    async def get(self, path: str, **given: Any) -> httpx.Response:
        answer = await self.http.get(path, **given)
        found = re.search(r'name="nonce" value="([0-9a-f]{32})"|data-nonce="([0-9a-f]{32})"', answer.text)
        if found:
            self.nonce = found[1] or found[2]
        return answer

    async def post(self, path: str, form: dict[str, str] | None = None, **given: Any) -> httpx.Response:
        return await self.http.post(path, data={"nonce": self.nonce, **(form or {})}, **given)

    async def act(self, table: str, do: str, ply: int, **given: Any) -> httpx.Response:
        return await self.http.post(f"/t/{table}/act", json={"do": do, "ply": ply, "nonce": self.nonce}, **given)

    async def draft(self, table: str, do: str) -> httpx.Response:
        return await self.http.post(f"/t/{table}/draft", json={"do": do, "nonce": self.nonce})

    async def create(self, game: str, *seats: str, **form: str) -> str:
        """A new table; its id."""
        sitters = {f"seat{seat}": who for seat, who in enumerate(seats)}
        answer = await self.post("/tables", {"game": game, **sitters, **form})
        assert 303 == answer.status_code, answer.text
        return answer.headers["location"].removeprefix("/t/")

    @property
    def cookie(self) -> str:
        return self.http.cookies[COOKIE]

    @property
    def id(self) -> str:
        return self.cookie.partition(".")[0]

    @asynccontextmanager
    async def live(self, table: str, *, query: str = "", client: str = "10.0.0.7", **headers: str) -> AsyncIterator[Live]:
        """A live connection to the application, piece by piece as it sends."""
        assert self.app is not None
        stream = Live()
        given = {"host": self.base.removeprefix("http://"), "cookie": f"{COOKIE}={self.cookie}", **headers}
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": f"/t/{table}/live",
            "raw_path": f"/t/{table}/live".encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in given.items()],
            "client": (client, 1),
            "server": ("127.0.0.1", 8765),
        }
        task = asyncio.create_task(self.app(scope, stream.receive, stream.send))
        try:
            yield stream
        finally:
            stream.gone.set()
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(task, 10)


PERSON: Final = re.compile(r"<li.*?</li>", re.S)


class Live:
    """The other end of a live connection."""

    def __init__(self) -> None:
        self.gone = asyncio.Event()
        self.status = 0
        self._asked = False
        self._parts: dict[str, str] = {}
        self._sent: asyncio.Queue[bytes | None] = asyncio.Queue()

    async def receive(self) -> dict[str, Any]:
        if not self._asked:
            self._asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
        elif not message.get("more_body"):
            self._sent.put_nowait(None)
        elif message["body"]:
            self._sent.put_nowait(message["body"])

    async def piece(self) -> bytes:
        """The next piece, as it was sent."""
        found = await asyncio.wait_for(self._sent.get(), 30)
        assert found is not None, "the connection has ended"
        return found

    async def text(self) -> str | None:
        """The next piece; None at the end."""
        found = await asyncio.wait_for(self._sent.get(), 30)
        return None if found is None else found.decode()

    async def next(self) -> dict[str, Any]:
        """The next message, with the small parts of the page as they are then: those that did not change are not sent."""
        while True:
            text = await self.text()
            assert text is not None, "the connection has ended"
            if "event: table\n" in text:
                found: dict[str, Any] = json.loads(text.partition("data: ")[2])
                self._parts |= found.get("parts", {})
                people = self._parts.get("people", "")
                for seat, html in found.get("people", {}).items() if people else ():
                    people = people.replace(PERSON.findall(people)[int(seat)], html)
                self._parts["people"] = people
                return {**found, "parts": dict(self._parts)}

    async def until(self, ply: int) -> dict[str, Any]:
        """The first message that shows the table at a ply or later."""
        async with asyncio.timeout(120):  # a table that stands still has a heartbeat
            while True:
                message = await self.next()
                if message["ply"] >= ply:
                    return message


async def sat(app: Starlette, match: Match, *who: Visitor | str, private: bool = False, rated: bool = False) -> Table:
    """A table around a match as it stands: visitors, bots by name, and "" for a free chair."""
    storage, chairs = services(app).storage, []
    for seat, one in enumerate(who):
        salt = f"{seat:032x}"
        if isinstance(one, Visitor):
            if await storage.people.load(one.id) is None:
                await storage.people.save(Person(one.id))
            chairs.append(Chair(seat, "person", False, one.id, "", None, salt))
        elif one:
            chairs.append(Chair(seat, "bot", False, None, one, one, salt))
        else:
            chairs.append(Chair(seat, "free", True, None, "", None, salt))
    host = next((one.id for one in who if isinstance(one, Visitor)), None)
    return await services(app).seating.create(match, chairs, host=host, private=private, rated=rated)


# A real process.


def visiting(folder: Path, count: int, visit: Callable[..., Awaitable[None]], **given: Any) -> None:
    """Run a visit of so many people to a fresh server."""

    @asynccontextmanager
    async def visitors(app: Any) -> AsyncIterator[list[Visitor]]:
        people = [await Visitor(app).__aenter__() for _ in range(count)]
        try:
            yield people
        finally:
            for one in people:
                await one.http.aclose()

    async def run() -> None:
        async with running(settings(folder, **given)) as app, visitors(app) as people:
            await visit(app, *people)

    asyncio.run(run())


class House(NamedTuple):
    """A server with some tables under way; the first seat of each is free, the others are bots'."""

    base: str
    tables: dict[str, str]


class Process:
    """A server process and where it is."""

    def __init__(self, process: subprocess.Popen[str], base: str) -> None:
        self.process, self.base = process, base


SCRIPT = """
import json, sys, time
from pathlib import Path

data, given = Path(sys.argv[1]), json.loads(sys.argv[2])
if given.pop("has_set_clock", False):  # whoever writes seconds to the file sets the clock of the machine, for this process
    real, offset = time.time, data / "clock"
    time.time = lambda: real() + float(offset.read_text() if offset.exists() else 0)

from ridotto.web.server.run import serve
from ridotto.web.settings import LIMITS, Rate, Settings, parse_limit

given |= {name: parse_limit(name, str(value)) for name, value in given.items() if name in LIMITS}
limits = "by_person by_address new_tables new_tables_each new_people bot_tables guesses names new_connections"
limits += " sign_ins new_members"
often = dict.fromkeys(limits.split(), Rate(100_000, 100_000))
usual = {"data": data, "port": 0, "workers": 1, "warm": (), "sweep": 0.5, "share_wait": 60.0, "auto_review": False}
serve(Settings(**usual | often | given), log=data / "server.log")
"""
"""A server like those of the other tests, as a process of its own."""

SUCCESSORS = f"""
import os, sys
import ridotto.web.server.app, ridotto.web.server.run

while sys.stdin.readline():
    if (server := os.fork()) == 0:
        exec({SCRIPT!r})
        os._exit(0)
    print(server, flush=True)
    os.waitpid(server, 0)
    print("gone", flush=True)
"""
"""Starts one server after another, each as a process in which everything is imported already."""


@contextmanager
def serving(data: Path, **given: Any) -> Iterator[Process]:
    """A real server process, ended at the end if nobody did so before."""
    command = [sys.executable, "-u", "-c", SCRIPT, str(data), json.dumps(given, default=str)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stderr is not None
    try:
        line = process.stdout.readline()
        found = re.search(r"http://[^/ ]+", line)
        assert found, (line, process.stderr.read())
        yield Process(process, found[0])
    finally:
        if process.poll() is None:
            process.terminate()
        try:
            process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise


class Successors:
    """Servers of which one starts when the one before was killed, in a fraction of the time that a new interpreter takes."""

    def __init__(self, data: Path, **given: Any) -> None:
        command = [sys.executable, "-u", "-c", SUCCESSORS, str(data), json.dumps(given, default=str)]
        self._parent = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._server = 0
        self.base = ""

    def start(self) -> None:
        """Start the next server, and wait until it is ready."""
        assert self._parent.stdin is not None and self._parent.stdout is not None
        self._parent.stdin.write("\n")
        self._parent.stdin.flush()
        self._server = int(self._parent.stdout.readline())
        line = self._parent.stdout.readline()
        address = re.search(r"http://[^/ ]+", line)
        assert address, line
        self.base = address[0]

    def end(self, how: signal.Signals = signal.SIGKILL) -> None:
        """End the server that runs now, and wait until it is gone."""
        assert self._parent.stdout is not None
        os.kill(self._server, how)
        while self._parent.stdout.readline() not in ("gone\n", ""):
            pass

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *failure: object) -> None:
        self.end(signal.SIGTERM)
        self._parent.communicate(timeout=60)


def servers(process: int) -> list[int]:
    """Of several servers, those that the first process has started."""
    found = []
    for one in Path(f"/proc/{process}/task/{process}/children").read_text().split():
        with suppress(OSError):  # it may be gone by now
            if b"spawn_main" in Path(f"/proc/{one}/cmdline").read_bytes():
                found.append(int(one))
    return found


async def eventually(test: Any, seconds: float = 60) -> Any:
    """What an asynchronous test gives as soon as that is true."""
    end = time.monotonic() + seconds
    while not (found := await test()):
        assert time.monotonic() < end, "it did not happen"
        await asyncio.sleep(0.02)
    return found
