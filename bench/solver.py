"""How strong the solver is, and how much it can be exploited: the figures of docs/solver.md.

python -m bench.solver arena --one solver:900ms --rest search-0.1:10000 --matches 300 --out FILE
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Sequence
from pathlib import Path

from ridotto import bots
from ridotto.arena.ledger import Ledger, Result
from ridotto.arena.schedule import Pairing, TournamentSettings
from ridotto.arena.tournament import PairingProgress, run_tournament
from ridotto.bots.bot import Budget
from ridotto.bots.workers import WorkerPool
from ridotto.core.match import Match
from ridotto.games import find

GAME = "fantome"


def warm() -> None:
    """Compile everything once, so that workers find it in the cache."""
    match = Match(find(GAME), seed=1)
    for name in ("search:10", "solver:2"):
        bots.find(name).choose(match.view(match.to_act[0]), Budget(1))


def shares(results: Sequence[Result], seat: int | None = None) -> tuple[float, float, int]:
    """The share of the wins of `one`, half the width of its 95 % interval, and the matches; in one role or in both."""
    won = [one.share(one.at) for one in results if seat is None or one.at == seat]
    mean = sum(won) / max(1, len(won))
    return mean, 1.96 * (mean * (1 - mean) / max(1, len(won))) ** 0.5, len(won)


def arena(one: str, rest: str, matches: int, minutes: float | None, workers: int, out: Path | None, seed: int) -> None:
    """Play matches, each deal in both roles, and print the shares of the wins."""
    game = find(GAME)
    settings = TournamentSettings(GAME, 2, game.settle(None), seed)
    progress = PairingProgress.of(Pairing(one, rest, (0, 1)), matches)
    ledger = Ledger(settings, out)
    until = None if minutes is None else time.monotonic() + 60 * minutes
    warm()
    with WorkerPool(workers) as pool:
        run_tournament(ledger, [progress], pool, until)
    results = [*ledger.results.values()]
    for seat, role in ((None, "both roles"), (0, "inspector"), (1, "phantom")):
        mean, width, count = shares(results, seat)
        print(f"{one} against {rest}, {role}: {100 * mean:.1f} % ± {100 * width:.1f} of {count}")
    for name, at in ((one, lambda r: r.at), (rest, lambda r: 1 - r.at)):
        times = sorted(micros for r in results for micros in r.micros[at(r)])
        if times:
            print(f"{name}: median {times[len(times) // 2] / 1e6:.3f} s a decision, most {times[-1] / 1e6:.3f} s")
    ledger.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("warm")
    command = commands.add_parser("arena")
    command.add_argument("--one", default="solver:900ms")
    command.add_argument("--rest", default="search-0.1:10000")
    command.add_argument("--matches", type=int, default=300)
    command.add_argument("--minutes", type=float)
    command.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    command.add_argument("--seed", type=int, default=20)
    command.add_argument("--out", type=Path)
    asked = parser.parse_args()
    if asked.command == "warm":
        warm()
    elif asked.command == "arena":
        arena(asked.one, asked.rest, asked.matches, asked.minutes, asked.workers, asked.out, asked.seed)


if __name__ == "__main__":
    main()
