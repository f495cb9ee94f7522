"""An older checkout and this one, measured in turn: `python -m bench.versus PATH-OF-THE-OLDER-ONE [--json FILE]`.

Each checkout works in a process of its own, in its own environment (`.venv` inside it, or ours). For every figure both are
made ready, then each is measured once, one after the other, five times over: what disturbs the machine disturbs both. A
figure is the best of the five, by CPU time. Both checkouts need `bench.ours` and `bench.playouts`, nothing else.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.table import Table

from bench.figures import EFFORT, machine, versions
from bench.ours import SHOWN

HERE: Final = Path(__file__).parents[1]
WORK: Final = ("decisions", "interpreted", "batch", "playouts")
"""What is measured: decisions of random play, compiled; interpreted; in a batch of a thousand rows; playouts of the search."""

WORKER: Final = """
import json, sys, time
from bench import ours, playouts
from ridotto.games import GAMES
try:
    from ridotto.core.batch import Batch
except ModuleNotFoundError:
    from ridotto.batch import Batch  # as it was called in 0.1.0

def prepare(work, name, seats):
    game = GAMES[name]
    if work == "playouts":
        views = playouts.middles(game, seats)
        return lambda times: playouts.think(views, 1, times)
    if work == "batch":
        batch = Batch(game, 1000, seats, seed=ours.SEED)
        batch.play(ours.SPREAD)
        return lambda times: batch.play(times) or times * 1000
    if work == "decisions":
        simulation = ours.Simulation(game, seats, game.settle(), ours.SEED)
        return lambda times: simulation.run(times, 1)["decisions"]
    build, options = game.build(), list(game.settle().values())
    mask, muted = build.mask(), build.events(muted=True)
    def interpreted(times):
        done = 0
        for number in range(times):
            row, dice = build.row(), build.generator(ours.SEED, number)
            build.rules.deal(row, seats, options, dice, muted)
            done += build.driver.play_on(row, mask, dice, muted, 1 << 30)
        return done
    return interpreted

def timed(times):
    began = time.process_time()
    done = play(times)
    return done, time.process_time() - began

for line in sys.stdin:
    request = json.loads(line)
    if request:
        play, times = prepare(*request["work"]), 1
        play(1)
        while (spent := timed(times)[1]) < request["seconds"] / 4:
            times *= 2
        times = max(1, round(times * request["seconds"] / spent))
        print("{}", flush=True)
    else:
        done, spent = timed(times)
        print(json.dumps(done / spent), flush=True)
"""


class Checkout:
    """A process that runs the benchmarks of one checkout on request."""

    def __init__(self, path: Path) -> None:
        own = path / ".venv" / "bin" / "python"
        environment = os.environ | {"PYTHONPATH": str(path)}
        self._process = subprocess.Popen(
            [own if own.exists() else sys.executable, "-W", "ignore", "-c", WORKER],
            cwd=path,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def prepare(self, work: str, game: str, seats: int) -> None:
        """Prepare a measurement, which compiles what is not compiled yet."""
        self._ask({"work": [work, game, seats], "seconds": EFFORT.seconds})

    def measure(self) -> float:
        """Measure once; returns how much was done in a second of CPU time."""
        return float(self._ask({}))

    def close(self) -> None:
        self._process.communicate()

    def _ask(self, question: dict[str, Any]) -> Any:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise SystemExit(f"the checkout broke down while it was asked {question}")
        return json.loads(answer)


def compare(older: Path, works: list[str]) -> Iterator[dict[str, Any]]:
    """Every figure of both checkouts, with the ratio of the newer to the older."""
    both = Checkout(older), Checkout(HERE)
    for work in works:
        for game, seats in SHOWN.items():
            for one in both:
                one.prepare(work, game, seats)
            runs = [[one.measure() for one in both] for _ in range(EFFORT.repeats)]
            before, after = (max(speeds) for speeds in zip(*runs, strict=True))
            yield {"work": work, "game": game, "seats": seats, "before": before, "after": after, "ratio": after / before}
    for one in both:
        one.close()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.versus", description="Measure an older checkout beside this one.")
    parser.add_argument("older", type=Path, help="the folder of the older checkout")
    parser.add_argument("--only", nargs="+", choices=WORK, default=list(WORK), help="what to measure")
    parser.add_argument("--repeats", type=int, default=EFFORT.repeats, help="the best of how many runs")
    parser.add_argument("--seconds", type=float, default=EFFORT.seconds, help="how long a run should take")
    parser.add_argument("--json", type=Path, help="write the figures here too")
    chosen = parser.parse_args()
    EFFORT.repeats, EFFORT.seconds = chosen.repeats, chosen.seconds
    table = Table("a second of CPU time", "game", "seats", "before", "after", "ratio")
    found = []
    for line in compare(chosen.older.resolve(), chosen.only):
        found.append(line)
        speeds = f"{line['before']:,.0f}", f"{line['after']:,.0f}", f"{line['ratio']:.3f}"
        table.add_row(line["work"], line["game"], str(line["seats"]), *speeds)
    Console().print(table)
    if chosen.json:
        run = {"date": time.strftime("%Y-%m-%dT%H:%M:%S"), "machine": machine(), "versions": versions(), "figures": found}
        chosen.json.write_text(json.dumps(run, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
