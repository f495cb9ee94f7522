"""The people of the load test, in processes of their own: pages that are open at tables, and actions that are sent.

A page is a live connection. All that is read of a message is which ply it leads to, so that older servers are understood too.
What may be done at a table is worked out from its entries in the database, which costs the server nothing.
"""

from __future__ import annotations

import asyncio
import gc
import json
import math
import os
import random
import re
import sqlite3
import time
import zlib
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from traceback import format_exception
from typing import Any, Final

from sqlalchemy import make_url

from ridotto.core import record
from ridotto.core.match import Entry, Match
from ridotto.games import GAMES
from ridotto.web.identity import COOKIE

PATIENCE: Final = 60.0
"""Seconds after which something that has not arrived is lost."""
OPENING: Final = 900.0
"""Seconds in which all pages must be open."""
IDLE: Final = 5.0
"""Seconds after which a connection for actions is not used again: the server may be about to end it."""
TOGETHER: Final = 50
"""How many pages are opened at the same time."""


class Broken(Exception):
    """The server did something that makes the rest worthless."""


@dataclass
class Played:
    """What clients have measured while they played."""

    due: int = 0
    """Actions that should have been made."""
    times: list[float] = field(default_factory=list)
    """For each action that was seen everywhere: the seconds from when it was due until the last other screen had it."""
    sizes: list[int] = field(default_factory=list)
    """For each action and each screen: the bytes that were received, packed."""
    refused: list[str] = field(default_factory=list)
    """Answers to actions that were not accepted."""
    lost: int = 0
    """Actions that were accepted, but did not reach every screen."""
    waiting: int = 0
    """Actions that were not made, since all tables that were looked at still waited for the one before."""
    over: int = 0
    """Tables whose match is over."""

    def add(self, other: Played) -> None:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


# Live connections.


class Screen(asyncio.Protocol):
    """A page that is open at a table."""

    def __init__(self, board: Board, request: bytes, ply: int = 0, number: str = "") -> None:
        self.board, self.request = board, request
        self.ply, self.number = ply, number
        """What it shows already: the ply, and the number of the state."""
        self.at = 0.0
        """When the latest ply arrived."""
        self.trouble = ""
        self.opened = asyncio.get_running_loop().create_future()
        """Done when the page has received its first message."""
        self._transport: asyncio.Transport | None = None
        self._raw = self._text = b""
        self._in_body = False
        self._unpacker: Any = None
        self._received = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self.request)

    def data_received(self, data: bytes) -> None:
        raw = self._raw + data
        if not self._in_body:
            head, end, raw = raw.partition(b"\r\n\r\n")
            if not end:
                self._raw = head
                return
            self._in_body = True
            if b" 200 " not in head[:20]:
                self._fail(head.split(b"\r\n")[0].decode())
            if b"content-encoding: gzip" in head.lower():
                self._unpacker = zlib.decompressobj(wbits=31)
        while True:  # chunks: a size, as many bytes, an empty line
            size, end, rest = raw.partition(b"\r\n")
            if not end or len(rest) < (length := int(size, 16)) + 2:
                break
            self._received += len(size) + length + 4
            self._unpack(rest[:length])
            raw = rest[length + 2 :]
        self._raw = raw

    def _unpack(self, piece: bytes) -> None:
        if self._unpacker is None:
            self._text += piece
        else:
            self._text += self._unpacker.decompress(piece)
            while self._unpacker.eof and self._unpacker.unused_data:  # each message may be packed on its own
                piece = self._unpacker.unused_data
                self._unpacker = zlib.decompressobj(wbits=31)
                self._text += self._unpacker.decompress(piece)
            if self._unpacker.eof:
                self._unpacker = zlib.decompressobj(wbits=31)
        *messages, self._text = self._text.split(b"\n\n")
        for message in messages:
            if self.number and message == b": here":  # it shows the table as it is
                self._show(self.ply)
            if ply := ply_of(message):
                numbered = re.search(rb"^id: ?([0-9]+)$", message[:300], re.M)
                self.number = numbered[1].decode() if numbered else ""
                self._show(ply)

    def _show(self, ply: int) -> None:
        if not self.opened.done():
            self.ply, self.at = ply, time.perf_counter()
            self.opened.set_result(None)
        elif ply > self.ply:
            before, self.ply, self.at = self.ply, ply, time.perf_counter()
            self.board.on_screen(self, before, self._received)
        else:
            return
        self._received = 0

    def forget_received(self) -> None:
        """Count bytes from here on: what came before was no action's."""
        self._received = 0

    def connection_lost(self, error: Exception | None) -> None:
        self._fail(f"the connection ended: {error}" if error else "the server ended the connection")

    def _fail(self, trouble: str) -> None:
        self.trouble = self.trouble or trouble
        if not self.opened.done():
            self.opened.set_exception(Broken(f"a page was not opened: {trouble}"))

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()


def ply_of(message: bytes) -> int:
    """The ply that a message about a table leads to; 0 for other messages."""
    if not re.search(rb"^event: ?table$", message[:300], re.M):
        return 0
    found = re.search(rb'"ply": ?([0-9]+)', message)
    return int(found[1]) if found else 0


@dataclass(eq=False)
class Board:
    """A table: its match as we know it, the pages that are open there, and the action that is on its way."""

    id: str
    match: Match
    people: Sequence[tuple[str, str]]
    """The cookie and the nonce of each seat."""
    seats: list[Screen] = field(default_factory=list)
    spectators: list[Screen] = field(default_factory=list)
    is_busy: bool = False
    due: float = 0.0
    wanted: int = 0
    """The ply that the action leads to; 0 if there is none."""
    actor: Screen | None = None
    missing: int = 0
    """Screens that have not shown it."""
    latest: float = 0.0
    """When the last other screen so far showed it."""
    times: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)

    @property
    def game(self) -> str:
        return self.match.game.name

    @property
    def screens(self) -> list[Screen]:
        return self.seats + self.spectators

    def expect(self, due: float, actor: Screen) -> None:
        self.due, self.actor, self.latest = due, actor, 0.0
        self.wanted, self.missing = self.match.ply + 1, len(self.screens)

    def on_screen(self, screen: Screen, before: int, received: int) -> None:
        self.sizes.append(received)
        if self.wanted and before < self.wanted <= screen.ply:
            self.missing -= 1
            if screen is not self.actor:
                self.latest = screen.at
            if not self.missing:
                self.times.append(self.latest - self.due)
                self.wanted = 0


# Actions.


class Sender:
    """A connection on which actions are sent, one after another."""

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port = host, port
        self.connection: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self.used = 0.0

    async def act(self, table: str, person: tuple[str, str], do: str, ply: int) -> str:
        """Send an action; what is wrong, or "" if it was accepted."""
        cookie, nonce = person
        body = json.dumps({"do": do, "ply": ply, "nonce": nonce})
        head = (
            f"POST /t/{table}/act HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nOrigin: http://{self.host}:{self.port}\r\n"
            f"Cookie: {COOKIE}={cookie}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        try:
            if time.perf_counter() - self.used > IDLE:
                self.close()
                self.connection = await asyncio.open_connection(self.host, self.port)
            assert self.connection is not None
            reader, writer = self.connection
            writer.write((head + body).encode())
            answer = await reader.readuntil(b"\r\n\r\n")
            length = re.search(rb"content-length: ([0-9]+)", answer, re.I)
            rest = await reader.readexactly(int(length[1])) if length else b""
        except (asyncio.IncompleteReadError, OSError) as error:
            self.used = 0.0
            return f"no answer: {error}"
        self.used = time.perf_counter()
        return "" if answer[9:10] == b"2" else f"{answer[9:12].decode()} to {do!r}: {rest[:200].decode('utf-8', 'replace')}"

    def close(self) -> None:
        if self.connection:
            self.connection[1].close()


class Entries:
    """Reads what was written of matches, with as little work as can be: it must not slow down those who play."""

    COLUMNS: Final = 'SELECT seat, "do", draws, "time", salt, position FROM entries WHERE "table" ='

    def __init__(self, database: str) -> None:
        self.url = make_url(database)
        self._file: sqlite3.Connection | None = None
        self._pool: Any = None

    async def since(self, table: str, ply: int) -> list[Entry]:
        """The entries of a table from a ply on."""
        if self.url.get_backend_name() == "sqlite":
            self._file = self._file or sqlite3.connect(self.url.database or "", isolation_level=None)
            rows = self._file.execute(f"{self.COLUMNS} ? AND ply >= ? ORDER BY ply", (table, ply)).fetchall()
        else:
            if self._pool is None:
                import asyncpg  # with SQLite it need not be installed

                url = self.url.set(drivername="postgresql").render_as_string(hide_password=False)
                self._pool = await asyncpg.create_pool(url, min_size=1, max_size=4)
            rows = await self._pool.fetch(f"{self.COLUMNS} $1 AND ply >= $2 ORDER BY ply", table, ply)
        return [
            Entry(seat, do, tuple(json.loads(draws)), at, salt, json.loads(position) if position else None)
            for seat, do, draws, at, salt, position in rows
        ]

    async def close(self) -> None:
        if self._file is not None:
            self._file.close()
        if self._pool is not None:
            await self._pool.close()


class Crowd:
    """The people of one process."""

    def __init__(self, host: str, port: int, database: str, seed: int) -> None:
        self.host, self.port = host, port
        self.entries = Entries(database)
        self.dice = random.Random(seed)
        self.boards: dict[str, Board] = {}
        self.free: list[Sender] = []

    async def sit_down(self, tables: Sequence[tuple[str, dict[str, Any], Sequence[tuple[str, str]]]]) -> None:
        """Take tables, each with its id, its match as a record, and the cookies and nonces of its players."""
        known: dict[str, Match] = {}
        for table, document, people in tables:
            head = document["head"]
            if head not in known:
                known[head] = record.read(document, GAMES)[0]
            self.boards[table] = Board(table, known[head].after(known[head].ply), people)

    async def open_seats(self, game: str, most: int | None) -> int:
        """Open a page for each seat at so many tables of a game where none is open, or at all; returns at how many."""
        boards = [board for board in self._of([game]) if not board.seats][:most]
        await self._open((board, cookie) for board in boards for cookie, _ in board.people)
        return len(boards)

    async def open_spectators(self, tables: Sequence[str] | None, count: int) -> None:
        """Open pages of spectators, so many at each of these tables, or at each."""
        boards = self.boards.values() if tables is None else [self.boards[one] for one in tables]
        await self._open((board, "") for board in boards for _ in range(count))

    async def _open(self, pages: Iterable[tuple[Board, str]]) -> None:
        loop, waiting = asyncio.get_running_loop(), list(pages)
        async with asyncio.timeout(OPENING):
            for first in range(0, len(waiting), TOGETHER):
                opened = []
                for board, cookie in waiting[first : first + TOGETHER]:
                    screen = Screen(board, self._request(board, cookie))
                    await loop.create_connection(lambda screen=screen: screen, self.host, self.port)  # type: ignore[misc]
                    (board.seats if cookie else board.spectators).append(screen)
                    opened.append(screen.opened)
                await asyncio.gather(*opened)

    def _request(self, board: Board, cookie: str, query: str = "") -> bytes:
        """What a page sends to be connected; without a cookie, a spectator's."""
        head = f"GET /t/{board.id}/live{query} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nAccept-Encoding: gzip\r\n"
        return f"{head}Sec-Fetch-Site: same-origin\r\n{f'Cookie: {COOKIE}={cookie}' if cookie else 'DNT: 1'}\r\n\r\n".encode()

    async def come_back(self, seconds: float) -> list[tuple[float, int, list[str]]]:
        """Let every page look for a server that is being killed and started again, as a browser does; for each page when it
        showed its table, the plies that it is behind then, and what it was refused. None shows it after so many seconds."""
        pages = [
            self._come_back(board, cookie, screen, seconds)
            for board in self.boards.values()
            for (cookie, _), screen in zip(board.people, board.seats, strict=True)
        ]
        return await asyncio.gather(*pages)

    async def _come_back(self, board: Board, cookie: str, before: Screen, seconds: float) -> tuple[float, int, list[str]]:
        loop, end, refused = asyncio.get_running_loop(), time.perf_counter() + seconds, list[str]()
        while not before.trouble and time.perf_counter() < end:
            await asyncio.sleep(0.05)
        query = f"?ply={before.ply}&state={before.number}"
        while time.perf_counter() < end:
            await asyncio.sleep(0.5 + self.dice.random())
            screen = Screen(board, self._request(board, cookie, query), before.ply, before.number)
            try:
                await loop.create_connection(lambda screen=screen: screen, self.host, self.port)  # type: ignore[misc]
                async with asyncio.timeout_at(loop.time() + end - time.perf_counter()):
                    await screen.opened
                return screen.at, before.ply - screen.ply, refused
            except ConnectionRefusedError:
                pass
            except (OSError, Broken) as error:
                refused.append(str(error))
                await asyncio.sleep(2)
            except TimeoutError:
                break
        return math.inf, before.ply, refused

    async def close_spectators(self) -> None:
        for board in self.boards.values():
            for screen in board.spectators:
                screen.close()
            board.spectators = []

    async def play(self, games: Sequence[str], seconds: float, rate: float) -> Played:
        """Act at random times, whether or not earlier actions have arrived, until the time is over; then wait for the last."""
        boards, found = self._of(games), Played()
        for board in boards:
            board.times, board.sizes, board.wanted = [], [], 0
            for screen in board.screens:
                screen.forget_received()
        begun: list[asyncio.Task[None]] = []
        at = time.perf_counter()
        end = at + seconds
        while (at := at + self.dice.expovariate(rate)) < end:
            await asyncio.sleep(max(0.0, at - time.perf_counter()))
            found.due += 1
            looked_at = self.dice.sample(boards, min(20, len(boards)))
            free = next((one for one in looked_at if not (one.is_busy or one.wanted) and one.match.to_act), None)
            if free is None:
                found.waiting += 1
                continue
            free.is_busy = True
            begun.append(asyncio.create_task(self._act(free, at, found)))
        patience = time.perf_counter() + PATIENCE
        await asyncio.gather(*begun)
        while any(one.wanted for one in boards) and time.perf_counter() < patience:
            await asyncio.sleep(0.02)
        found.lost = sum(bool(one.wanted) for one in boards)
        found.over = sum(not one.match.to_act for one in boards)
        found.times = [one for board in boards for one in board.times]
        found.sizes = [one for board in boards for one in board.sizes]
        self._check(boards)
        return found

    async def act_once(self, id: str) -> float:
        """Act once at a table; when."""
        board, found, at = self.boards[id], Played(), time.perf_counter()
        if board.match.to_act:
            await self._act(board, at, found)
        if found.refused:
            raise Broken(f"an action was refused: {found.refused[0]}")
        return at

    async def wait_for(self, id: str, ply: int) -> tuple[float, int]:
        """When the last page at a table showed a ply, and how many have not shown it."""
        board, patience = self.boards[id], time.perf_counter() + PATIENCE
        while (missing := sum(one.ply < ply for one in board.screens)) and time.perf_counter() < patience:
            await asyncio.sleep(0.01)
        return max((one.at for one in board.screens if one.ply >= ply), default=0.0), missing

    async def _act(self, board: Board, due: float, found: Played) -> None:
        """Do something that is legal at a table, and read what came of it."""
        match = board.match
        seat = self.dice.choice(match.to_act)
        do = self.dice.choice(list(match.legal(seat)))
        board.expect(due, board.seats[seat])
        sender = self.free.pop() if self.free else Sender(self.host, self.port)
        if trouble := await sender.act(board.id, board.people[seat], do, match.ply):
            found.refused.append(trouble)
            board.wanted = 0
        self.free.append(sender)
        for entry in await self.entries.since(board.id, match.ply):
            match.repeat(entry)
        board.is_busy = False

    async def close(self) -> None:
        for board in self.boards.values():
            for screen in board.screens:
                screen.close()
        for sender in self.free:
            sender.close()
        await asyncio.sleep(0)
        await self.entries.close()

    def _of(self, games: Sequence[str]) -> list[Board]:
        return [board for board in self.boards.values() if board.game in games]

    def _check(self, boards: Iterable[Board]) -> None:
        trouble = {screen.trouble for board in boards for screen in board.screens if screen.trouble}
        if trouble:
            raise Broken(f"pages were closed: {'; '.join(sorted(trouble))}")


# Processes.


class Clients:
    """Crowds in several processes, among which tables are shared out."""

    def __init__(self, processes: int, cores: set[int], host: str, port: int, database: str) -> None:
        context = get_context("spawn")
        self._pipes: list[Connection] = []
        self._processes = []
        for number in range(processes):
            ours, theirs = context.Pipe()
            process = context.Process(target=_work, args=(theirs, cores, host, port, database, number + 1), daemon=True)
            process.start()
            theirs.close()
            self._pipes.append(ours)
            self._processes.append(process)

    def __len__(self) -> int:
        return len(self._pipes)

    def ask(self, name: str, *arguments: Sequence[Any]) -> list[Any]:
        """Let every process do something at the same time, each with its own arguments."""
        for pipe, given in zip(self._pipes, zip(*arguments, strict=True) if arguments else [()] * len(self), strict=True):
            pipe.send((name, given))
        return self.receive()

    def send_all(self, name: str, *arguments: Any) -> None:
        """Let every process begin something; `receive` has the answers."""
        for pipe in self._pipes:
            pipe.send((name, arguments))

    def receive(self) -> list[Any]:
        """The answers of all processes to what they were asked last."""
        answers = [pipe.recv() for pipe in self._pipes]
        for answer in answers:
            if isinstance(answer, Exception):
                raise answer
        return answers

    def ask_all(self, name: str, *arguments: Any) -> list[Any]:
        """The same, with the same arguments for all."""
        return self.ask(name, *([one] * len(self) for one in arguments))

    def ask_one(self, number: int, name: str, *arguments: Any) -> Any:
        """Let one process do something."""
        self._pipes[number].send((name, arguments))
        answer = self._pipes[number].recv()
        if isinstance(answer, Exception):
            raise answer
        return answer

    def close(self) -> None:
        with suppress(Exception):
            self.ask_all("close")
        for pipe, process in zip(self._pipes, self._processes, strict=True):
            pipe.close()
            process.join(10)
            if process.is_alive():
                process.terminate()


def _work(pipe: Connection, cores: set[int], host: str, port: int, database: str, seed: int) -> None:
    """In a process of its own: do what is asked, until nobody asks any more."""
    import resource

    gc.disable()  # nobody on a screen waits for that
    if cores:
        os.sched_setaffinity(0, cores)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with suppress(EOFError, KeyboardInterrupt):
        asyncio.run(_answer(pipe, Crowd(host, port, database, seed)))


async def _answer(pipe: Connection, crowd: Crowd) -> None:
    loop = asyncio.get_running_loop()
    while True:
        name, arguments = await loop.run_in_executor(None, pipe.recv)
        try:
            answer = await getattr(crowd, name)(*arguments)
        except Exception as error:
            answer = error if isinstance(error, Broken) else Broken("".join(format_exception(error)))
        pipe.send(answer)
