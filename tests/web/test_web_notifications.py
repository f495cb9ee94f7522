"""Notifications of a turn: that they are sent and tried again, that nobody holds them up, and where they never go."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Queue
from typing import Any

import pytest
import sqlalchemy as sa
from table_state import Time, turn, visiting
from visitors import Visitor, eventually, sat, services, serving, settings

from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.web.identity import Person, new_id
from ridotto.web.live import notifications
from ridotto.web.live.notifications import CALLS_EACH, BadAddress, Resolver, is_public, parse_address, post
from ridotto.web.settings import Settings
from ridotto.web.storage import Storage
from ridotto.web.storage.schema import webhooks
from ridotto.web.storage.table_info import Chair, NewTable
from ridotto.web.storage.webhooks import Webhook

Answer = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class Inbox:
    """Somebody who wants to be told; `answers` in turn, the last one again and again."""

    def __init__(self, *answers: str) -> None:
        self.answers, self.letters = list(answers or ("204 No Content",)), list[tuple[str, Any]]()

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = int(head.lower().partition("content-length: ")[2].split("\r\n")[0])
        self.letters.append((head.split(" ")[1], json.loads(await reader.readexactly(length))))
        writer.write(f"HTTP/1.1 {self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]}\r\n\r\n".encode())
        await writer.drain()


class Drip:
    """Begins to answer and does not come to an end: a byte now and then, so that no single wait is long."""

    def __init__(self) -> None:
        self.calls = threading.Semaphore(0)

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.calls.release()
        writer.write(b"HTTP/1.1 204 ")
        while True:
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(0.05)


async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Takes everything, and never answers: no request, and no TLS."""
    while await reader.read(1000):
        pass


@contextmanager
def answering(*answers: Answer) -> Iterator[list[int]]:
    """Servers of the test's own, in a thread; their ports."""
    ready: Queue[Callable[[], object]] = Queue()
    ports: list[int] = []

    def wrapped(answer: Answer) -> Answer:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            with suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
                await answer(reader, writer)
            writer.transport.abort()

        return serve

    async def run() -> None:
        stop, loop = asyncio.Event(), asyncio.get_running_loop()
        opened = [await asyncio.start_server(wrapped(answer), "127.0.0.1", 0) for answer in answers]
        ports.extend(one.sockets[0].getsockname()[1] for one in opened)
        ready.put(lambda: loop.call_soon_threadsafe(stop.set))
        await stop.wait()
        for one in opened:
            one.close()

    thread = threading.Thread(target=asyncio.run, args=(run(),), daemon=True)
    thread.start()
    stop = ready.get(timeout=60)
    try:
        yield ports
    finally:
        stop()
        thread.join()


def inside(*ports: int) -> dict[str, Any]:
    """Settings of a server that may call these ports of this machine."""
    return {"webhooks": True, "webhooks_inside": True, "webhook_ports": tuple(ports)}


async def become_due(storage: Storage) -> None:
    """Everybody who gave an address is to be told now."""
    async with storage.database.writing() as connection:
        await connection.execute(sa.update(webhooks).values(due=storage.milliseconds))


async def send(app: Any) -> None:
    """Send what is due, until it is known what became of it."""
    notifier = services(app).notifier
    await notifier.start_due()
    while notifier.calls:
        await asyncio.wait(list(notifier.calls.values()))


def test_a_notice_is_sent_and_tried_again(tmp_path: Path) -> None:
    """When it is somebody's turn and they are away, their address is told. One that fails, or that sends us elsewhere, is told
    again later, and nobody else is."""
    time, inbox = Time(), Inbox("302 Found\r\nlocation: /elsewhere", "500 Oops", "103 Early Hints\r\n\r\nHTTP/1.1 204 Done")

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        table = await sat(app, Match(GAMES["fantome"], 2, seed=7), one, two)
        address = f"http://127.0.0.1:{port}/turn?of=two"
        assert 303 == (await two.post(f"/t/{table.id}/notices", {"url": address})).status_code
        assert address in (await two.get(f"/t/{table.id}")).text
        while turn(table) == (0,):
            await one.act(table.id, table.match.legal(0)[0], table.match.ply)

        await send(app)
        assert 1 == len(inbox.letters)
        await send(app)
        assert 1 == len(inbox.letters)
        for seconds, letters in ((16, 2), (61, 3), (100_000, 3)):
            time.now += seconds
            await send(app)
            assert letters == len(inbox.letters)
        letter = {"table": table.id, "game": "fantome", "link": f"{two.base}/t/{table.id}", "seat": 1}
        assert [("/turn?of=two", letter)] * 3 == inbox.letters
        assert 303 == (await two.post(f"/t/{table.id}/notices", {"url": ""})).status_code
        assert "" == await services(app).storage.webhooks.url(table.id, two.id)

    with answering(inbox.take) as (port,):
        visiting(tmp_path, 2, visit, clock=time, **inside(port))


def test_whoever_lets_us_wait_holds_up_nobody(database: str, tmp_path: Path) -> None:
    """Of thirty notices seven are for somebody who answers by drips. All others arrive while these still go on; for one person
    no more than a few go on at a time, and a second turn at the same table waits for the first."""
    inbox, drip = Inbox(), Drip()

    async def visit(app: Any, slow: Visitor, *others: Visitor) -> None:
        storage, notifier = services(app).storage, services(app).notifier
        for number in range(30):
            who, port = (slow, ports[1]) if number < 7 else (others[number % len(others)], ports[0])
            table = await sat(app, Match(GAMES["fantome"], 2), who, "")
            await storage.webhooks.save(Webhook(table.id, who.id, f"http://127.0.0.1:{port}/", "link"))
        await become_due(storage)

        async def others_are_done() -> bool:
            await notifier.start_due()
            return {slow.id} == {person for _, person in notifier.calls}

        await eventually(others_are_done)
        assert (CALLS_EACH, 23) == (len(notifier.calls), len(inbox.letters))
        await become_due(storage)
        await notifier.start_due()
        assert CALLS_EACH == [person for _, person in notifier.calls].count(slow.id)

    with answering(inbox.take, drip.take) as ports:
        visiting(tmp_path, 7, visit, database=database, **inside(*ports))


def test_a_call_has_a_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is slow, the name, TLS, the answer or each byte of it: a call ends when its time is over."""
    monkeypatch.setattr(notifications, "DEADLINE", 0.3)
    answered = threading.Event()
    original = socket.getaddrinfo

    def look_up(host: str, *given: Any, **named: Any) -> Any:
        return answered.wait() if host == "slow.example" else original(host, *given, **named)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)

    async def call() -> None:
        resolver = Resolver(Settings(**inside(*ports)))
        slow = [f"http://slow.example:{ports[0]}/"] * (notifications.LOOKUPS + 1)
        ends = await asyncio.gather(*(post(address, {}, resolver) for address in slow), return_exceptions=True)
        assert {TimeoutError} == set(map(type, ends))
        with pytest.raises(BadAddress, match="nobody is known"):
            await resolver.check(f"http://slow.example:{ports[0]}/")
        threads = [one for one in threading.enumerate() if one.name == "name lookup"]
        assert notifications.LOOKUPS == len(threads) and all(one.daemon for one in threads)
        assert "here" == await asyncio.to_thread(lambda: "here"), "other work has its own threads"
        answered.set()
        slow = [f"http://127.0.0.1:{ports[0]}/", f"http://127.0.0.1:{ports[1]}/", f"https://127.0.0.1:{ports[1]}/"]
        ends = await asyncio.gather(*(post(address, {}, resolver) for address in slow), return_exceptions=True)
        assert [TimeoutError] * 3 == list(map(type, ends))

    with answering(Drip().take, say_nothing) as ports:
        asyncio.run(call())


SLOW_NAME = """
import socket, time
from pathlib import Path

original = socket.getaddrinfo


def look_up(host, *given, **named):
    if host == "slow.example":
        Path({file!r}).touch()
        time.sleep(3600)
    return original(host, *given, **named)


socket.getaddrinfo = look_up
"""


def test_the_server_ends_in_the_middle_of_a_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SIGTERM ends calls at once, be they at the answer or still at the name: before any deadline of theirs."""
    drip, looking, data = Drip(), tmp_path / "looking", tmp_path / "data"
    data.mkdir()
    (tmp_path / "sitecustomize.py").write_text(SLOW_NAME.format(file=str(looking)))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    async def lay(port: int) -> None:
        storage = Storage(settings(data).url)
        await storage.open()
        for host in ("127.0.0.1", "slow.example"):
            person = new_id()
            await storage.people.save(Person(person))
            chairs = (Chair(0, "person", False, person, "", None, "0" * 32), Chair(1, "free", True, None, "", None, "1" * 32))
            new = NewTable(new_id(), Match(GAMES["fantome"], 2), True, person, "en", "0" * 32, chairs, {person: 0})
            await storage.tables.create(new)
            await storage.webhooks.save(Webhook(new.id, person, f"http://{host}:{port}/", "link"))
        await become_due(storage)
        await storage.close()

    with answering(drip.take) as (port,):
        asyncio.run(lay(port))
        with serving(data, tick=0.1, **inside(port)) as server:
            assert drip.calls.acquire(timeout=60)
            asyncio.run(eventually(lambda: asyncio.sleep(0, looking.exists())))
            server.process.terminate()
            assert 0 == server.process.wait(4)


BAD = (
    "http://127.0.0.1/",
    "http://localhost/",
    "http://[::1]/",
    "http://169.254.169.254/latest/meta-data/",
    "http://10.0.0.1/",
    "http://0x7f000001/",
    "http://2130706433/",
    "http://0177.0.0.1/",
    "http://127.1/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:5db8:d822]/",
    "http://[::127.0.0.1]/",
    "http://[64:ff9b::a00:1]/",
    "http://[64:ff9b:1::a00:1]/",
    "http://[fe80::1%25eth0]/",
    "http://[fe80::1%eth0]/",
    "http://[2606:4700::1111%25eth0]/",
    "file:///etc/passwd",
    "gopher://example.org/",
    "http://user:word@93.184.216.34/",
    "http://@93.184.216.34/",
    "http://93.184.216.34:0/",
    "http://93.184.216.34:22/",
    "http://93.184.216.34:25/",
    "http://93.184.216.34:8080/",
    "http://93.184.216.34:99999/",
    "//93.184.216.34/",
    "http:///turn",
    "http://93.184.216.34/\r\nx: y",
    "http://93.184.216.34/\x7f",
    "http://" + "a" * 300 + "/",
)


def test_no_notice_goes_inside(tmp_path: Path) -> None:
    """Neither this machine nor its network nor a name that leads there can be given, nor another port than the usual ones or
    those that the host says; and nothing unless it is allowed."""

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        table = await sat(app, Match(GAMES["fantome"], 2), one, two)
        for wrong in BAD:
            answer = await one.post(f"/t/{table.id}/notices", {"url": wrong})
            assert 400 == answer.status_code, wrong
        for right in ("https://93.184.216.34/turn", "http://93.184.216.34:443/", "http://[2606:4700::1111]/"):
            assert 303 == (await one.post(f"/t/{table.id}/notices", {"url": right})).status_code

    async def off(app: Any, one: Visitor, two: Visitor) -> None:
        table = await sat(app, Match(GAMES["fantome"], 2), one, two)
        assert 403 == (await one.post(f"/t/{table.id}/notices", {"url": "https://93.184.216.34/"})).status_code
        assert "notices" not in (await one.get(f"/t/{table.id}")).text

    async def elsewhere(app: Any, one: Visitor, two: Visitor) -> None:
        table = await sat(app, Match(GAMES["fantome"], 2), one, two)
        for url, status in (("http://93.184.216.34:8080/", 303), ("http://93.184.216.34/", 400)):
            assert status == (await one.post(f"/t/{table.id}/notices", {"url": url})).status_code

    visiting(tmp_path / "on", 2, visit, webhooks=True)
    visiting(tmp_path / "off", 2, off)
    visiting(tmp_path / "elsewhere", 2, elsewhere, webhooks=True, webhook_ports=(8080,))


@pytest.mark.parametrize("number", [
    "0.0.0.1", "100.64.0.1", "127.255.255.254", "172.31.255.255", "192.0.0.8", "192.0.0.170", "192.0.2.1", "192.31.196.1",
    "192.52.193.1", "192.88.99.1", "192.168.0.1", "192.175.48.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1",
    "239.255.255.255", "240.0.0.1", "255.255.255.255",
    "::", "::1", "::8.8.8.8", "::ffff:8.8.8.8", "::ffff:0:8.8.8.8", "64:ff9b::8.8.8.8", "64:ff9b:1::8.8.8.8", "100::1",
    "100:0:0:1::1", "2001::1", "2001:2::1", "2001:10::1", "2001:20::1", "2001:1ff::1", "2001:db8::1", "2002:808:808::1",
    "2620:4f:8000::1", "3fff::1", "4000::1", "5f00::1", "fc00::1", "fd12::1", "fe80::1", "fec0::1", "ff02::1", "ff0e::1",
    "2606:4700::1111%2", "fe80::1%eth0",
])  # fmt: skip
def test_a_number_that_is_not_of_the_open_internet(number: str) -> None:
    """One of every kind that the registries of special addresses know."""
    assert not is_public(number)


@pytest.mark.parametrize("number", ["8.8.8.8", "1.1.1.1", "192.0.1.1", "192.88.100.1", "198.20.0.1", "223.255.255.254",
    "2001:200::1", "2001:4860:4860::8888", "2003::1", "2a00:1450::1", "3ffe::1"])  # fmt: skip
def test_a_number_of_the_open_internet(number: str) -> None:
    """The neighbours of the special ones, and well-known ones."""
    assert is_public(number)


def test_a_name_is_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that leads elsewhere at the second look is called by the number of the first, and refused if that is inside; of
    several numbers none may be inside; the first that can be reached is called."""
    looks = iter([["93.184.216.34"], ["127.0.0.1"], ["93.184.216.34", "10.0.0.1"], ["1.1.1.1", "8.8.8.8"]])

    def look_up(host: str, port: int, **_: object) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (number, port)) for number in next(looks)]

    called: list[Any] = []

    def connect(self: socket.socket, where: Any) -> None:
        called.append(where)
        raise ConnectionRefusedError

    async def call() -> None:
        resolver = Resolver(Settings())
        with pytest.raises(ConnectionRefusedError):
            await post("http://turn.example/", {}, resolver)
        assert [("93.184.216.34", 80)] == called
        for _ in range(2):
            with pytest.raises(BadAddress, match="not on the open internet"):
                await post("http://turn.example/", {}, resolver)
        assert 1 == len(called)
        with pytest.raises(ConnectionRefusedError):
            await post("https://turn.example/", {}, resolver)
        assert [("1.1.1.1", 443), ("8.8.8.8", 443)] == called[1:]

    with monkeypatch.context() as patch:
        patch.setattr(socket, "getaddrinfo", look_up)
        patch.setattr(socket.socket, "connect", connect)
        asyncio.run(call())


def test_the_port_of_a_notice() -> None:
    """Whoever gives another port is told which there are."""
    with pytest.raises(BadAddress, match="notices go to these ports alone: 80, 443; not to 22"):
        parse_address("http://turn.example:22/")
