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
    "fantome": {2: 10},
    "opera": {2: 10, 3: 4, 4: 2},
    "turandot": {2: 10, 3: 6, 4: 4, 5: 2},
}
"""For each game and number of seats how many deals there are: a deal at a larger table takes longer, and has more matches."""
AGENTS: Final = (
    "random",
    "greedy",
    "level:1",
    "level:3",
    "level:5",
    "search:200",
    "search:1000",
    "net",
    "openspiel:ismcts:20",
    "openspiel:ismcts-compiled:20",
    "openspiel:mccfr:20",
)
FOR_TWO: Final = ("search:200", "search:1000", "openspiel:ismcts:20", "openspiel:ismcts-compiled:20", "openspiel:mccfr:20")
"""Agents that take too long at larger tables."""
ONLY: Final = {
    "net": ("opera", "turandot"),
    "openspiel:ismcts:20": ("fantome",),
    "openspiel:ismcts-compiled:20": ("opera", "turandot"),
    "openspiel:mccfr:20": ("fantome",),
}
"""Agents that do not play every game: there is no network, or playouts in Python take too long."""


def main() -> None:
    parser = argparse.ArgumentParser(description="Play the reference rows of the leaderboard.")
    parser.add_argument("--game", nargs="+", choices=DEALS, default=list(DEALS))
    parser.add_argument("--players", nargs="+", type=int, choices=(2, 3, 4, 5), default=(2, 3, 4, 5))
    parser.add_argument("--agent", nargs="*", choices=AGENTS, default=AGENTS)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--adjusted", action="store_true", help="without the luck of draws as well, which takes longer")
    parser.add_argument("--policies", type=Path, nargs="+", metavar="FILE", help="of MaskablePPO, one for each seat")
    parser.add_argument("--results", type=Path, default=REPORTS, help="the folder of the reports")
    chosen = parser.parse_args()
    for agent in chosen.agent:
        for game in chosen.game:
            for seats in DEALS[game] if game in ONLY.get(agent, DEALS) else ():
                if seats in chosen.players and (seats == 2 or agent not in FOR_TWO):
                    play(game, seats, agent, "", chosen)
    if chosen.policies:
        bot = [sys.executable, str(ROOT / "examples" / "maskable_ppo_bot.py"), *(str(one.resolve()) for one in chosen.policies)]
        play("fantome", 2, f"cmd:{shlex.join(bot)}", "MaskablePPO", chosen)
    run("leaderboard", *map(str, sorted(chosen.results.glob("*.json"))), "--out", f"{chosen.results}.md")


def play(game: str, seats: int, agent: str, called: str, chosen: argparse.Namespace) -> None:
    """Let an agent play the suite at one table, unless there is a report of it."""
    out = chosen.results / f"{game}-{seats}-{(called or agent).replace(':', '-')}.json"
    if not out.exists():
        more = [*(["--name", called] if called else []), *(["--adjusted"] if chosen.adjusted else [])]
        numbers = ["--players", str(seats), "--deals", str(DEALS[game][seats]), "--processes", str(chosen.processes)]
        run("bench-agents", agent, "--game", game, *numbers, *more, "--out", str(out))


def run(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "ridotto", *arguments], check=True)


if __name__ == "__main__":
    main()
