"""Many set-ups of `bench.luck` in one run: `python -m bench.luck_runs PLAN --processes N --minutes 8 --out FILE`.

A plan is a JSON list. Each item names what is run, the game, and how many matches are wanted:

    {"name": "zero opera 3", "what": "zero", "game": "opera", "seats": 3, "matches": 10000, "playouts": 1}

Set-ups with the same `order` go on side by side, so that at any time the same part of each is done; those with a higher one
come later. A line of JSON is written for each task as soon as it is done; what is in the files of `--done` is not run again.
`--warm GAME` compiles what a game needs: on a machine with many cores once for each game, before the run itself.
`python -m bench.luck_runs --report FILE …` has what `bench.luck` says of each set-up. Matches are counted in the order of
their numbers up to the first that is missing: whoever counts those that happen to be finished gets the short ones.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from bench import luck
from bench.luck_parts import Parts, parts_report
from ridotto.bots import setup as setups
from ridotto.bots.setup import MatchSetup
from ridotto.bots.workers import WorkerPool
from ridotto.core.luck import LuckJudge
from ridotto.games import GAMES

TASK: Final = {"zero": 10, "account": 1, "turns": 1, "adjusted": 2, "parts": 2}
"""Matches of a task."""
USUAL: Final = {
    "order": 0,
    "seats": None,
    "seed": 1,
    "playouts": None,
    "bot": "level:3",
    "judge": "search:200",
    "checks": 200,
    "quick": "greedy",
    "least": 0.15,
    "pairs": 100,
    "look": [[8, 1]],
    "choices": True,
    "looked": [1.0, 0.1],
}
"""The settings of an item of a plan that does not say otherwise."""

WARM_SECONDS: Final = 1.0
"""How long the first match of a set-up goes on, at least a decision, when things are compiled."""

Line = dict[str, Any]


def setup_of(item: Line) -> MatchSetup:
    game = GAMES[item["game"]]
    return MatchSetup(item["game"], game.seat_count(item["seats"]), game.settle(), item["seed"])


def task_of(item: Line, first: int) -> Any:
    """The task that begins with a match."""
    setup, count = setup_of(item), min(TASK[item["what"]], item["matches"] - first)
    if item["what"] == "zero":
        return luck.Zero(setup, first, count, item["playouts"])
    if item["what"] == "account":
        return luck.Accounts(setup, first, count, item["bot"], item["judge"], item["checks"], item["playouts"])
    if item["what"] == "adjusted":
        looks = tuple((playouts, ahead) for playouts, ahead in item["look"])
        return luck.Adjusted(setup, first, count, ("greedy", "level:3"), looks, item["choices"])
    if item["what"] == "parts":
        return Parts(setup, first, count, *item["looked"])
    return luck.Turns(setup, first, item["bot"], item["judge"], item["quick"], item["least"], item["pairs"])


def read(files: Sequence[Path]) -> list[Line]:
    """The lines of some files, compressed or not; the last line of a file may be cut off."""
    found = []
    for file in files:
        whole = gzip.decompress(file.read_bytes()).decode() if file.suffix == ".gz" else file.read_text()
        for text in whole.splitlines():
            try:
                found.append(json.loads(text))
            except ValueError:
                print(f"{file}: a line is cut off", file=sys.stderr)
    return found


def run(plan: Sequence[Line], processes: int, until: float, out: Any, done: Sequence[Line]) -> None:
    """Run what is not done yet, side by side, and write a line for each task."""
    known = {(line["item"]["name"], line["first"]) for line in done}
    waiting = [
        (item["order"], first / item["matches"], number, first)
        for number, item in enumerate(plan)
        for first in range(0, item["matches"], TASK[item["what"]])
        if (item["name"], first) not in known
    ]
    tasks = [(task_of(plan[number], first), plan[number], first) for _, _, number, first in sorted(waiting)]
    items = {id(task): (item, first) for task, item, first in tasks}
    with WorkerPool(processes) as pool:
        began = time.monotonic()
        for task, result in pool.run(task for task, _, _ in tasks):
            item, first = items[id(task)]
            line = {"item": item, "first": first, "at": round(time.monotonic() - began, 1), "result": result}
            print(json.dumps(line), file=out, flush=True)
            if time.monotonic() > until:
                break


def report(lines: Sequence[Line]) -> list[Line]:
    """What each set-up comes to, over its matches in their order up to the first that is missing."""
    items = {line["item"]["name"]: line["item"] for line in lines}
    found = []
    for name, item in items.items():
        results = {line["first"]: line["result"] for line in lines if line["item"]["name"] == name}
        complete: list[Any] = []
        first = 0
        while first in results:
            complete += results[first]
            first += TASK[item["what"]]
        matches = min(first, item["matches"])
        setup = setup_of(item)
        if item["what"] == "turns":
            said = luck.turns_report(complete, matches)
            said.pop("list")
        elif len(complete) < 4:
            said = {"matches": len(complete)}
        elif item["what"] == "zero":
            said = luck.zero_report(complete)
        elif item["what"] == "parts":
            said = parts_report(complete)
        elif item["what"] == "adjusted":
            said = luck.adjusted_report(complete, item["look"])
        else:
            game = setup.game
            judged = game.tuning.luck.start.get(setup.players) or LuckJudge(game, setup.players, setup.options).start()
            said = luck.account_report(complete, judged)
        found.append({"name": name, **{key: item[key] for key in ("judge", "checks", "seed")}, **said})
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.luck_runs", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("plan", type=Path, nargs="?", help="a JSON list of set-ups")
    parser.add_argument("--minutes", type=float, default=8)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("luck.jsonl"))
    parser.add_argument("--done", type=Path, nargs="*", default=[], help="files of earlier runs")
    parser.add_argument("--warm", choices=sorted(GAMES))
    parser.add_argument("--report", type=Path, nargs="+", help="files to report on")
    options = parser.parse_args()
    if options.report:
        for line in report(read(options.report)):
            print(json.dumps(line))
        return
    until = time.monotonic() + 60 * options.minutes
    plan = [USUAL | item for item in json.loads(options.plan.read_text())]
    if options.warm:
        for item in plan:
            if item["game"] == options.warm:
                setups.warm_setup(setup_of(item))
                task_of(item | {"matches": 1}, 0).run(time.monotonic() + WARM_SECONDS)
        return
    with options.out.open("a") as out:
        run(plan, options.processes, until, out, read(options.done))


if __name__ == "__main__":
    main()
