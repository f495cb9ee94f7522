"""How many playouts a second the search makes: `python -m bench.playouts [--json FILE]`.

Positions from the middle of matches that `greedy` plays against itself; a decision with all that belongs to it (fresh trees,
redealt worlds, policy, evaluation). One thread by CPU time, two threads by the clock beside one by the clock; best of five.
"""

from __future__ import annotations

import argparse
import json
import time
from functools import partial
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.table import Table

from bench.figures import best_of, machine, versions
from ridotto import bots
from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.core.view import View
from ridotto.games import GAMES

POSITIONS: Final = 6
PLAYOUTS: Final = 4000


def middles(game: Game, seats: int) -> list[View]:
    """What the seat to act sees in the middle of some matches, where it has more than one thing to do."""
    views = []
    for seed in range(1, POSITIONS + 1):
        match = Match(game, seats, seed=seed)
        seen: list[View] = []
        while match.to_act:
            view = match.view(match.to_act[0])
            if len(view.legal) > 1:
                seen.append(view)
            match.play(bots.Greedy().choose(view, bots.Budget(seed=match.ply)), view.seat)
        views.append(seen[len(seen) // 2])
    return views


def think(views: list[View], threads: int, times: int) -> int:
    """Think so many times about each position; how many playouts that was."""
    bot = bots.Search(PLAYOUTS)
    for turn in range(times):
        for view in views:
            bot.choose(view, bots.Budget(seed=turn, threads=threads))
    return times * len(views) * PLAYOUTS


def figures() -> list[dict[str, Any]]:
    found = []
    for name, game in GAMES.items():
        for seats in sorted({game.seats[0], min(4, game.seats[-1]), game.seats[-1]}):
            views = middles(game, seats)
            one, two = best_of(partial(think, views, 1)), best_of(partial(think, views, 2), "wall")
            found.append(
                {
                    "game": name,
                    "seats": seats,
                    "playouts_per_cpu_second": one.per_second,
                    "playouts_per_second": one.per_wall_second,
                    "two_threads": two.per_wall_second / one.per_wall_second,
                    "two_threads_cpu": two.per_second / one.per_second,
                }
            )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the search.")
    parser.add_argument("--json", type=Path, help="write the figures here too")
    chosen = parser.parse_args()
    table = Table("game", "seats", "playouts a second of CPU time", "two threads, by the clock", "two threads, by CPU time")
    found = figures()
    for line in found:
        table.add_row(
            line["game"],
            str(line["seats"]),
            f"{line['playouts_per_cpu_second']:,.0f}",
            f"{line['two_threads']:.2f} times",
            f"{line['two_threads_cpu']:.2f} of one",
        )
    Console().print(table)
    if chosen.json:
        run = {"date": time.strftime("%Y-%m-%dT%H:%M:%S"), "machine": machine(), "versions": versions(), "figures": found}
        chosen.json.write_text(json.dumps(run, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
