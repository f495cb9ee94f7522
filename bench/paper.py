"""The page for whoever writes a paper, docs/benchmark.md: every figure in its tables is worked out here or read from results.

python -m bench.paper [--matches 100] [--out docs/benchmark.md]
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from math import log10
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

from bench.rl import table as speed_table
from bench.rows import REPORTS
from ridotto import Match, __version__
from ridotto.arena import suite
from ridotto.core.game import Game
from ridotto.games import GAMES, find
from ridotto.rl import Tensors, endgames
from ridotto.rl.solving import Tree, regret_matching, solve_exactly

OURS = [game for game in GAMES.values() if game.package.startswith("ridotto.")]
RESULTS = Path(__file__).parent / "results"
HEAD = """# The benchmark, on a page

Made by `{command}` with version {version}: do not edit it by hand. How to use the environments is in
[research.md](research.md), the small boxes and endgames are explained in [minis.md](minis.md), and `CITATION.cff` says how to
cite all this.

Three modern tabletop games with hidden information. Le Fantôme: two unlike seats, a hidden identity, deduction. Opera: two to
four seats, simultaneous bids, a long economy. Turandot: two to five seats, bids laid face down and in turn with a bluff card,
secret castings, shared wins, and for two a third party that can beat both. A state is one row of small integers; the same rules
run interpreted, compiled and on a GPU; every draw is a chance node for OpenSpiel.
"""
GAMES_TEXT = """
## The games

Played at random, {matches} matches of each. *Decisions* are those of all seats in a match; *choices* the legal actions at a
decision. *Sequences* estimates how many sequences of decisions there are, draws not counted (Knuth 1975: the mean of the
product of choices): the order of magnitude of what a table of information sets would have to hold.
"""
MINIS_TEXT = """
## Solved

*Information sets* are counted exactly (by OpenSpiel as well). *Value* is the share of the win of
seat 0 in an equilibrium, by linear programming and by {iterations} iterations of CFR+; *random* is what best replies gain
against random play. The boxes `small`, with 1.5 and 1.1 million information sets, are in [minis.md](minis.md).
"""
SPEED_TEXT = """
## Speed

Environment steps a second with observations and masks of legal actions, by `python bench/rl.py`; the newest results of each
part and machine.
"""
BASELINES_TEXT = """
## Baselines

`ridotto bench-agents AGENT` plays the suite, `python -m bench.rows` the rows of agents that everybody has, and
[leaderboard.md](leaderboard.md) has them in tables. The lines to paste:
"""


def main() -> None:
    parser = argparse.ArgumentParser(description="Write docs/benchmark.md.")
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--iterations", type=int, default=500)
    parser.add_argument("--out", type=Path, default=Path("docs/benchmark.md"))
    chosen = parser.parse_args()
    lines = [HEAD.format(command=f"python -m bench.paper --matches {chosen.matches}", version=__version__).rstrip()]
    lines += [GAMES_TEXT.format(matches=chosen.matches).rstrip(), "", *games_table(chosen.matches)]
    lines += [MINIS_TEXT.format(iterations=chosen.iterations).rstrip(), "", *minis_table(chosen.iterations)]
    lines += ["", *endgames_table(), SPEED_TEXT.rstrip(), "", *speeds(), BASELINES_TEXT.rstrip(), "", *baselines()]
    chosen.out.write_text("\n".join(lines) + "\n", "utf-8")


def games_table(matches: int) -> Iterator[str]:
    """What each game is like at each number of seats."""
    yield "| game | seats | rules, box | actions | elements | decisions | choices | most choices | sequences |"
    yield "|---|---:|---|---:|---:|---:|---:|---:|---:|"
    for game in OURS:
        for seats in game.seats:
            lengths, choices = played(game, seats, matches)
            products = [sum(log10(one) for one in match) for match in choices]
            largest = max(products)
            sequences = largest + log10(fmean(10 ** (one - largest) for one in products))
            every = [one for match in choices for one in match]
            box = f"v{game.version}, {game.build().box[:8]}"
            yield (
                f"| {game.title} | {seats} | {box} | {game.rules.ACTIONS.size} | {Tensors(game, seats).size:,} | "
                f"{fmean(lengths):.1f} | {fmean(every):.1f} | {max(every)} | 10^{sequences:.0f} |"
            )


def played(game: Game, seats: int, matches: int) -> tuple[list[int], list[list[int]]]:
    """How many decisions random matches have, and how many choices each decision."""
    chance = Random(f"{game.name} {seats}")
    lengths, choices = [], []
    for _ in range(matches):
        match = Match(game, seats, seed=chance.randrange(1 << 31))
        counts = []
        while match.to_act:
            seat = match.to_act[0]
            legal = match.legal(seat).ids
            counts.append(len(legal))
            match.play(chance.choice(legal), seat)
        lengths.append(len(counts))
        choices.append(counts)
    return lengths, choices


def minis_table(iterations: int) -> Iterator[str]:
    """The tiny boxes, solved."""
    yield "| box | nodes | information sets | value | by CFR+ | exploitability of CFR+ | random |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    for game in OURS:
        if "tiny" not in game.boxes:
            continue
        tree = Tree(find(game.name, "tiny"))
        value, *_ = solve_exactly(tree)
        near, *policies = regret_matching(tree, iterations)
        random = tree.exploitability(*(side.uniform for side in tree.sides))
        first, second = tree.information_sets
        yield (
            f"| {game.title}, tiny | {tree.nodes:,} | {first:,} + {second:,} | {value:.6f} | {near:.6f} | "
            f"{tree.exploitability(*policies):.6f} | {random:.4f} |"
        )


def endgames_table() -> Iterator[str]:
    """The endgames that come with the games."""
    yield "| endgames of | number | of hidden information | nodes | values strictly between 0 and 1 |"
    yield "|---|---:|---:|---:|---:|"
    for game in OURS:
        if (game.folder / "endgames.json").exists():
            found = endgames.load(game.name)
            nodes = f"{min(one.nodes for one in found):,} to {max(one.nodes for one in found):,}"
            hidden, mixed = sum(one.is_hidden for one in found), sum(1e-6 < one.value < 1 - 1e-6 for one in found)
            yield f"| {game.title} | {len(found)} | {hidden} | {nodes} | {mixed} |"


def speeds() -> Iterator[str]:
    """The newest speeds of each part on each kind of machine."""
    newest: dict[str, dict[str, Any]] = {}
    for path in sorted(RESULTS.glob("*-rl-*.json")):
        document = json.loads(path.read_text("utf-8"))
        own = [one for one in document["figures"] if "version" not in one]  # not those of other versions beside
        before = newest.get(path.stem.partition("-rl-")[2], {"figures": []})["figures"]
        kept = [one for one in before if one["part"] not in {new["part"] for new in own}]
        newest[path.stem.partition("-rl-")[2]] = {**document, "figures": kept + own}
    yield from speed_table(list(newest.values()))


def baselines() -> Iterator[str]:
    """What the suite found for each agent, a line each."""
    for path in sorted(REPORTS.glob("*.json")):
        yield f"- {suite.read(path).line()}"


if __name__ == "__main__":
    main()
