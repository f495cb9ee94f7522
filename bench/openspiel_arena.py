"""OpenSpiel's searches and ours at one table, with the same time for a decision.

python -m bench.openspiel_arena [--game fantome] [--time 20ms] [--games 40] [--minutes 60] [--processes 2] [--seed 1]

Time is CPU time of one core: everybody's playouts a second are measured first, on decisions of whole matches, and then each
gets as many playouts as it makes in the time. So a busy machine changes nothing, and the tournament can be repeated.

OpenSpiel's ISMCTS plays through `resample_from_infostate`, once with its own random rollouts in Python and once with
compiled ones; its outcome-sampling MCCFR is begun at each decision, in worlds that the seat may think it is in, since no table
of regrets holds a whole game like this. All of them are as they come: nothing is tuned.
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from ridotto import bots
from ridotto.arena.ledger import Ledger
from ridotto.arena.schedule import TournamentSettings, pairings, parse_seconds
from ridotto.arena.standings import standings
from ridotto.arena.tournament import PairingProgress, run_tournament
from ridotto.bots.workers import WorkerPool
from ridotto.core.match import Match
from ridotto.core.view import View
from ridotto.games import GAMES

KINDS: Final = ("search", "openspiel:ismcts-compiled", "openspiel:ismcts", "openspiel:mccfr")
NAMES: Final = {
    "search": "`search`, ours",
    "openspiel:ismcts-compiled": "OpenSpiel's ISMCTS, compiled rollouts",
    "openspiel:ismcts": "OpenSpiel's ISMCTS",
    "openspiel:mccfr": "OpenSpiel's outcome-sampling MCCFR",
    "greedy": "`greedy`, no search",
}
PLAYOUTS: Final = {"search": 5000}
"""The number of playouts for measuring the speed of a bot."""
OTHER_PLAYOUTS: Final = 60
"""The same for all bots that are not in PLAYOUTS."""
RESULT: Final = Path(__file__).parent / "results" / "openspiel-arena.json"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.openspiel_arena", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--game", default="fantome", choices=GAMES)
    parser.add_argument("--time", default="20ms", help="CPU time that everybody gets for a decision")
    parser.add_argument("--games", type=int, default=40, help="matches of each pairing, at the most")
    parser.add_argument("--minutes", type=float, default=60, help="how long it may take")
    parser.add_argument("--processes", type=int, default=2, help="matches at a time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=RESULT, help="where the figures go")
    chosen = parser.parse_args()
    until = time.monotonic() + 60 * chosen.minutes
    figures = compare(chosen.game, chosen.time, chosen.games, chosen.seed, chosen.processes, until)
    chosen.out.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
    print(markdown(figures))


def compare(game: str, seconds: str, games: int, seed: int, processes: int, until: float | None = None) -> dict[str, Any]:
    """Measure the speed of all bots, and play the tournament, deal by deal until the time is up."""
    settings = TournamentSettings(game, GAMES[game].seats[0], GAMES[game].settle(), seed)
    views = sample(game)
    rates = {kind: rate(kind, views) for kind in KINDS}
    playouts = {kind: max(1, round(rates[kind] * parse_seconds(seconds))) for kind in KINDS}
    names = [f"{kind}:{playouts[kind]}" for kind in KINDS] + ["greedy"]
    played = [PairingProgress.of(pairing, games) for pairing in pairings(names, settings.players)]
    ledger = Ledger(settings)
    with WorkerPool(processes) as pool:
        run_tournament(ledger, played, pool, until)
    table = standings(ledger, played)
    return {
        "command": f"python -m bench.openspiel_arena --game {game} --time {seconds} --games {games} --seed {seed}",
        "game": game,
        "players": settings.players,
        "time": seconds,
        "machine": f"{platform.system()} {platform.machine()}",
        "versions": {name: version(name) for name in ("ridotto", "open_spiel", "numba")},
        "decisions_measured": len(views),
        "matches": table["matches"],
        "playouts": playouts,
        "bots": table["bots"],
        "pairings": table["pairings"],
    }


def sample(game: str) -> list[View]:
    """Every fifth decision of two matches, where there is a choice."""
    found = []
    for seed in range(2):
        match = Match(GAMES[game], seed=seed)
        while match.to_act:
            seat = match.to_act[0]
            view = match.view(seat)
            if match.ply % 5 == 0 and len(view.legal) > 1:
                found.append(view)
            match.play(bots.find("greedy").choose(view, bots.Budget(match.ply)), seat)
    return found


def rate(kind: str, views: Sequence[View]) -> float:
    """How many playouts a bot makes in a second of CPU time."""
    playouts = PLAYOUTS.get(kind, OTHER_PLAYOUTS)
    bot = bots.find(f"{kind}:{playouts}")
    bot.choose(views[0], bots.Budget(1))
    began = time.process_time()
    for view in views:
        bot.choose(view, bots.Budget(1))
    return playouts * len(views) / (time.process_time() - began)


def markdown(figures: Mapping[str, Any]) -> str:
    """The table as it stands in docs/research.md."""
    ours = f"search:{figures['playouts']['search']}"
    lines = [
        f"| {figures['time']} a decision | playouts in it | rating | 95 % | won | against `search` |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for bot in sorted(figures["bots"], key=lambda line: -line["rating"]):
        kind, _, playouts = bot["bot"].rpartition(":") if bot["bot"] != "greedy" else ("greedy", "", "")
        interval = "{:.0f} to {:.0f}".format(*bot["interval"]) if playouts else "the measure"
        meeting = [pair for pair in figures["pairings"] if {pair["one"], pair["rest"]} == {ours, bot["bot"]}]
        share = f"{meeting[0]['rest_share' if meeting[0]['one'] == ours else 'share']:.0%}" if meeting else ""
        lines.append(f"| {NAMES[kind]} | {playouts} | {bot['rating']:.0f} | {interval} | {bot['win_share']:.0%} | {share} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
