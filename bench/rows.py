"""The reference rows of the leaderboard: what `ridotto bench-agents` finds for the agents that everybody has.

python -m bench.rows [--game fantome ...] [--players 2 ...] [--agent greedy ...] [--policies inspector.npz phantom.npz]

Writes a report for each agent and table into docs/leaderboard, unless it is there, and docs/leaderboard.md from all of them.
The policies are those of `examples/maskable_ppo.py`; without them MaskablePPO is left out.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
REPORTS: Final = ROOT / "docs" / "leaderboard"
DEALS: Final[dict[str, dict[int, int]]] = {
    "fantome": {2: 50},
    "turandot": {2: 50, 3: 50, 4: 30, 5: 20},
    "opera": {2: 50, 3: 20, 4: 10},
}
"""For each game and number of seats how many deals there are: a deal at a larger table takes longer, and has more matches."""
AGENTS: Final = ("random", "greedy", "level:1", "level:3", "level:5", "net", "search:200", "search:1000")
ONLY: Final = {"net": ("opera", "turandot"), "search:1000": ("fantome", "turandot")}
"""Agents that do not play every game: there is no network, or it takes too long."""
FOR_TWO: Final = ("search:200", "search:1000")
"""Agents that take too long at larger tables."""
SLOW: Final = {
    "openspiel:ismcts:20": ("fantome",),
    "openspiel:ismcts-compiled:20": ("opera", "turandot"),
    "openspiel:mccfr:20": ("fantome",),
}
"""The algorithms of OpenSpiel, and the games that they play: in others, playouts in Python take too long."""
FEW: Final = 10
"""How many deals these play, two at a table; some others play as many, for comparison."""
COMPARED: Final = ("random", "greedy", "search:200")


def main() -> None:
    parser = argparse.ArgumentParser(description="Play the reference rows of the leaderboard.")
    parser.add_argument("--game", nargs="+", choices=DEALS, default=list(DEALS))
    parser.add_argument("--players", nargs="+", type=int, choices=(2, 3, 4, 5), default=(2, 3, 4, 5))
    parser.add_argument("--agent", nargs="*", choices=(*AGENTS, *SLOW), default=(*AGENTS, *SLOW))
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--adjusted", action="store_true", help="without the luck of draws as well, which takes longer")
    parser.add_argument("--policies", type=Path, nargs="+", metavar="FILE", help="of MaskablePPO, one for each seat")
    parser.add_argument("--results", type=Path, default=REPORTS, help="the folder of the reports")
    chosen = parser.parse_args()
    for game in chosen.game:
        for seats in sorted(set(chosen.players) & set(DEALS[game])):
            for agent in chosen.agent:
                if agent in AGENTS and game in ONLY.get(agent, DEALS) and (seats == 2 or agent not in FOR_TWO):
                    play(game, seats, agent, "", DEALS[game][seats], chosen)
                if seats == 2 and (agent in COMPARED or game in SLOW.get(agent, ())):
                    play(game, seats, agent, "", FEW, chosen)
    if chosen.policies:
        bot = [sys.executable, str(ROOT / "examples" / "maskable_ppo_bot.py"), *(str(one.resolve()) for one in chosen.policies)]
        play("fantome", 2, f"cmd:{shlex.join(bot)}", "MaskablePPO", DEALS["fantome"][2], chosen)
    run("leaderboard", *map(str, sorted(chosen.results.glob("*.json"))), "--out", f"{chosen.results}.md")


def play(game: str, seats: int, agent: str, called: str, deals: int, chosen: argparse.Namespace) -> None:
    """Let an agent play the suite at one table, unless there is a report of it."""
    out = chosen.results / f"{game}-{seats}-{deals}-{(called or agent).replace(':', '-')}.json"
    if not out.exists():
        more = [*(["--name", called] if called else []), *(["--adjusted"] if chosen.adjusted else [])]
        numbers = ["--players", str(seats), "--deals", str(deals), "--processes", str(chosen.processes)]
        run("bench-agents", agent, "--game", game, *numbers, *more, "--out", str(out))


def run(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "ridotto", *arguments], check=True)


if __name__ == "__main__":
    main()
