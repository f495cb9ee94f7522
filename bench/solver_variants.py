"""Plays variants of Le Fantôme's solver against one opponent, on the same deals in both roles: python -m bench.solver_variants.

A variant is a name and settings of the module `solver`, such as `plain:JUDGED_CARDS=()`.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import time
from ast import literal_eval
from pathlib import Path
from typing import Any

from ridotto import bots
from ridotto.bots.bot import Budget
from ridotto.bots.setup import derived_seed
from ridotto.core.match import Match
from ridotto.games import find
from ridotto.games.fantome.rules import F

GAME = "fantome"
FIRST_DEAL = 5000


def settings_of(variant: str) -> tuple[str, dict[str, Any]]:
    """The name of a variant, and what it sets."""
    name, _, rest = variant.partition(":")
    pairs = (one.split("=") for one in rest.split(";") if one)
    return name, {key: literal_eval(value) for key, value in pairs}


def play(task: tuple[str, str, str, int, int]) -> dict[str, Any]:
    """One match of a variant at a seat: who won, and how long each bot thought."""
    variant, bot, rest, deal, at = task
    game = find(GAME)
    solver: Any = game.build("cpu").extend("ridotto.games.fantome.solver")
    name, settings = settings_of(variant)
    before = {key: getattr(solver, key) for key in settings}
    vars(solver).update(settings)
    match = Match(game, seed=derived_seed("deal", deal))
    players = [bots.find(rest).sit(), bots.find(rest).sit()]
    players[at] = bots.find(bot).sit()
    spent, most = [0.0, 0.0], 0.0
    while match.to_act:
        seat = match.to_act[0]
        view = match.view(seat)
        began = time.process_time()
        action = players[seat].choose(view, Budget(derived_seed("choice", deal, at, match.ply)))
        took = time.process_time() - began
        spent[seat != at] += took
        most = max(most, took if seat == at else 0.0)
        match.play(action, seat)
    vars(solver).update(before)
    outcome = match.outcome
    assert outcome is not None
    won = int(at in outcome.winners)
    result = {"one": name, "rest": rest, "deal": deal, "at": at, "won": won, "rounds": int(match.row[F.round])}
    return result | {"seconds": [round(one, 2) for one in spent], "most": round(most, 2)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("variants", nargs="+")
    parser.add_argument("--bot", default="solver:900ms")
    parser.add_argument("--rest", default="search-0.1:10000")
    parser.add_argument("--deals", type=int, default=80)
    parser.add_argument("--first", type=int, default=FIRST_DEAL)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()
    until = time.monotonic() + 60 * asked.minutes
    play((asked.variants[0], "solver:4", asked.rest, 1, 1))  # compiles, so that workers find it in the cache
    print(f"compiled, {(until - time.monotonic()) / 60:.1f} minutes left", flush=True)
    tasks = [
        (variant, asked.bot, asked.rest, deal, at)
        for deal in range(asked.first, asked.first + asked.deals)
        for at in range(2)
        for variant in asked.variants
    ]
    done: list[dict[str, Any]] = []
    with multiprocessing.get_context("spawn").Pool(asked.workers) as pool, asked.out.open("a") as file:
        for one in pool.imap_unordered(play, tasks):
            done.append(one)
            file.write(json.dumps(one) + "\n")
            file.flush()
            if time.monotonic() > until:
                pool.terminate()
                break
    for variant in asked.variants:
        name = settings_of(variant)[0]
        mine = [one for one in done if one["one"] == name]
        parts = []
        for at in (None, 0, 1):
            some = [one["won"] for one in mine if at is None or one["at"] == at]
            mean = sum(some) / max(1, len(some))
            parts.append(f"{100 * mean:.1f} ± {196 * (mean * (1 - mean) / max(1, len(some))) ** 0.5:.1f} of {len(some)}")
        seconds = [sum(one["seconds"][i] for one in mine) / max(1, len(mine)) for i in range(2)]
        late = sum(one["most"] > 1 for one in mine)
        print(f"{name}: both {parts[0]}, inspector {parts[1]}, phantom {parts[2]}; {seconds} s a match, over 1 s in {late}")


if __name__ == "__main__":
    main()
