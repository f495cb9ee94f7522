"""How fast the rules run: compiled beside interpreted, in one run, CPU time, best of five.

python bench/speed.py [--games N]        prints a table, writes bench/results/speed.json
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

from ridotto.games import GAMES
from ridotto.simulation import Simulation

RESULTS = Path(__file__).with_name("results") / "speed.json"


def started(code: str) -> float:
    """Seconds that a fresh Python takes for `code`; the best of five."""
    best = float("inf")
    for _ in range(5):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
        best = min(best, time.perf_counter() - began)
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=100_000, help="matches in each run")
    games = parser.parse_args().games
    lines: list[dict[str, Any]] = []
    for name, seats in track([(name, seats) for name, game in GAMES.items() for seats in game.seats], "measuring"):
        game = GAMES[name]
        simulation = Simulation(game, seats, game.settle(), 1)
        simulation.warm()
        best = max((simulation.run(games, 1) for _ in range(5)), key=lambda run: run["decisions_per_second"])
        lines.append(best | simulation.compared(best["decisions_per_second"], 5))
    result: dict[str, Any] = {
        "date": time.strftime("%Y-%m-%d"),
        "machine": {"cpu": _cpu(), "python": platform.python_version()},
        "versions": {name: version(name) for name in ("ridotto", "numba", "numpy")},
        "seconds": {
            "import ridotto": started("import ridotto"),
            "ridotto --help": started("import sys; sys.argv = ['ridotto', '--help']; from ridotto.cli import main; main()"),
            "warm compiled decision": started(
                "from ridotto import GAMES, bots, Match; bots.find('search:1').opinions("
                "Match(GAMES['fantome'], seed=1).view(0), 1)"
            ),
        },
        "games": lines,
    }
    RESULTS.write_text(json.dumps(result, indent=2, ensure_ascii=False) + "\n", "utf-8")

    table = Table(title="random decisions a second of CPU time, one core, best of five")
    for column in ("game", "seats", "compiled", "interpreted", "times", "decisions in a match"):
        table.add_column(column, justify="right" if column != "game" else "left")
    for line in lines:
        table.add_row(
            line["game"],
            str(line["players"]),
            f"{line['decisions_per_second']:,.0f}",
            f"{line['python_decisions_per_second']:,.0f}",
            f"{line['times_python']:.0f}",
            f"{line['mean_length']:.1f}",
        )
    screen = Console()
    screen.print(table)
    for what, seconds in result["seconds"].items():
        screen.print(f"{what}: {seconds:.2f} s")


def _cpu() -> str:
    info = Path("/proc/cpuinfo")
    names = [line for line in info.read_text().splitlines() if line.startswith("model name")] if info.exists() else []
    return names[0].partition(":")[2].strip() if names else platform.processor()


if __name__ == "__main__":
    main()
