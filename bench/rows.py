"""The reference rows of the leaderboard: what `ridotto bench-agents` finds for the agents that everybody has.

python -m bench.rows [--game fantome ...] [--agent greedy ...] [--deals 10] [--policies inspector.npz phantom.npz]

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
TABLES: Final = ("fantome", "opera", "turandot")
"""The games; of each the table for two, on which all algorithms can be compared."""
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
    "openspiel:mccfr:20",
)
WITHOUT_A_NETWORK: Final = ("fantome",)


def main() -> None:
    parser = argparse.ArgumentParser(description="Play the reference rows of the leaderboard.")
    parser.add_argument("--game", nargs="+", choices=TABLES, default=TABLES)
    parser.add_argument("--agent", nargs="*", choices=AGENTS, default=AGENTS)
    parser.add_argument("--deals", type=int, default=10)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--policies", type=Path, nargs="+", metavar="FILE", help="of MaskablePPO, one for each seat")
    chosen = parser.parse_args()
    for game in chosen.game:
        for agent in chosen.agent:
            if not (agent == "net" and game in WITHOUT_A_NETWORK):
                play(game, agent, "", chosen)
    if chosen.policies:
        bot = [sys.executable, str(ROOT / "examples" / "maskable_ppo_bot.py"), *(str(one.resolve()) for one in chosen.policies)]
        play("fantome", f"cmd:{shlex.join(bot)}", "MaskablePPO", chosen)
    run("leaderboard", *map(str, sorted(REPORTS.glob("*.json"))), "--out", str(ROOT / "docs" / "leaderboard.md"))


def play(game: str, agent: str, called: str, chosen: argparse.Namespace) -> None:
    """Let an agent play the suite at one table, unless there is a report of it."""
    out = REPORTS / f"{game}-2-{(called or agent).replace(':', '-')}.json"
    if not out.exists():
        more = ["--name", called] if called else []
        numbers = ["--players", "2", "--deals", str(chosen.deals), "--processes", str(chosen.processes)]
        run("bench-agents", agent, "--game", game, *numbers, *more, "--out", str(out))


def run(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "ridotto", *arguments], check=True)


if __name__ == "__main__":
    main()
