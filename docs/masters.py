"""Writes docs/masters.md, how strong the networks and the levels are, from the results beside it: `python docs/masters.py`.

Each line of the results is a match: the game, the number of seats, the bot at one seat, the bots at all others, the deal, that
seat, the winners, how long the one thought for a decision with a choice, in milliseconds, and the digest of the game's network.
Matches of other networks than those in the box are not counted.
"""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from ridotto.arena.rating import Score, ratings, wilson
from ridotto.bots.networks import network_of
from ridotto.games import GAMES

DOCS: Final = Path(__file__).parent
RESULTS: Final = DOCS / "masters.jsonl.gz"
PAGE: Final = DOCS / "masters.md"
LEVELS: Final = tuple(f"level:{level}" for level in range(1, 7))
RANGES: Final = {2: "60 to 80", 3: "40 to 65", 4: "36 to 60", 5: "30 to 55"}
"""What a level should win against a table of the one below it, in hundredths, by number of seats."""
SEARCH: Final = "search-0.1:1000"

Pairs = dict[tuple[str, str], list[tuple[float, float]]]


@cache
def digest_of(game: str) -> str:
    """The digest of the network in a game's box."""
    network = network_of(GAMES[game])
    return "" if network is None else network.digest


def results() -> dict[tuple[str, int], Pairs]:
    """By game and number of seats, for each pairing the share of the win and the time of each match."""
    found: dict[tuple[str, int], Pairs] = defaultdict(lambda: defaultdict(list))
    with gzip.open(RESULTS, "rt", encoding="utf-8") as file:
        for line in file:
            game, seats, one, rest, _, at, winners, milliseconds, digest = json.loads(line)
            if digest != digest_of(game):
                continue
            found[game, seats][one, rest].append((1 / len(winners) if at in winners else 0.0, milliseconds))
    return found


def won(matches: list[tuple[float, float]]) -> str:
    """A share of wins with its 95 % interval, and the number of matches."""
    share = fmean(one for one, _ in matches)
    low, high = wilson(share, len(matches))
    return f"{share:.0%} ({low:.0%} to {high:.0%}) | {len(matches)}"


def level_ratings(pairs: Pairs, seats: int) -> dict[str, Any]:
    """The ratings of the levels; `greedy` has 1000."""
    scores = {
        pair: Score(len(matches), sum(one for one, _ in matches), len(matches) - sum(one for one, _ in matches))
        for pair, matches in pairs.items()
        if not pair[1].startswith("search")
    }
    return ratings(scores, seats, "greedy")


def page() -> str:
    """The page."""
    found = results()
    lines = [
        "# Networks and levels",
        "",
        "Made by `python docs/masters.py` out of `docs/masters.jsonl.gz`, a line for each match; nothing here is typed.",
        "",
        "One bot sits at a table full of the other; each deal is played from every seat. Intervals are 95 %.",
        "",
        "## Against the search of version 0.1 with 1,000 playouts",
        "",
        "| game, seats | bot | won | matches | even | ms a decision |",
        "|---|---|---:|---:|---:|---:|",
    ]
    for (game, seats), pairs in sorted(found.items()):
        for (one, rest), matches in sorted(pairs.items()):
            if rest == SEARCH:
                milliseconds = fmean(time for _, time in matches)
                cells = f"`{one}` | {won(matches)} | {1 / seats:.0%} | {milliseconds:.2f}"
                lines.append(f"| {GAMES[game].title}, {seats} | {cells} |")
    for (game, seats), pairs in sorted(found.items()):
        here = level_ratings(pairs, seats) if any("greedy" in pair for pair in pairs) else {}
        if not any(one in LEVELS for one, _ in pairs):
            continue
        lines += ["", f"## {GAMES[game].title}, {seats} seats", "", "| level | rating | 95 % |", "|---|---:|---:|"]
        lines += [
            f"| `{name}` | {here[name].points:.0f} | {here[name].low:.0f} to {here[name].high:.0f} |"
            for name in reversed(LEVELS)
            if name in here
        ]
        lines += ["", f"A level should win {RANGES[seats]} % against a table of the one below it.", ""]
        lines += ["| one | against | won | matches |", "|---|---|---:|---:|"]
        lines += [
            f"| `{one}` | `{rest}` | {won(matches)} |"
            for (one, rest), matches in sorted(pairs.items(), reverse=True)
            if one in LEVELS or rest in LEVELS
        ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
