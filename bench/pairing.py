"""Pairing by the integer programme beside a greedy pairing: `python -m bench.pairing [--seeds N]`.

Both pair a tournament of their own, with the same players; results are drawn by strength. The greedy one goes down the line,
prefers who has met those at the table least often, and draws seats by lot.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import combinations
from random import Random
from statistics import mean
from time import process_time
from typing import Any, Final, Literal

from ridotto.club.pairing import Player, Settings, Tournament
from ridotto.club.pairing.draw import draw_round

EVENINGS: Final[tuple[tuple[int, int, int, int], ...]] = (
    (64, 4, 4, 8),
    (13, 3, 3, 8),
    (13, 3, 2, 8),
    (32, 2, 2, 8),
    (30, 4, 3, 8),
    (40, 5, 5, 6),
)
"""Players, seats, the smallest table, rounds."""


@dataclass
class Figures:
    """What one way of pairing came to."""

    repeats: list[float] = field(default_factory=list)
    """Meetings again in a tournament."""
    scores: list[float] = field(default_factory=list)
    """The spread of scores at a table: the mean difference of two players, in points."""
    strengths: list[float] = field(default_factory=list)
    """The same of strengths."""
    seats: list[float] = field(default_factory=list)
    """How much more often a player had the seat of most matches than that of the fewest."""
    seconds: list[float] = field(default_factory=list)
    """CPU time of a round."""
    proven: list[bool] = field(default_factory=list)


def play(tournament: Tournament, dice: Random) -> None:
    """One winner at each table, in proportion to strength."""
    for number, table in enumerate(tournament.rounds[-1].tables):
        weights = [10 ** (tournament.player(name).strength / 400) for name in table.players]
        tournament.record(number, {dice.choices(table.players, weights)[0]: 1.0})


def measure(way: Literal["programme", "greedy"], evening: tuple[int, int, int, int], seeds: int) -> Figures:
    """Pair and play an evening with each seed."""
    players, seats, least, rounds = evening
    figures = Figures()
    for seed in range(seeds):
        dice = Random(seed)
        entries = [Player(f"P{number}", dice.gauss(1000, 200)) for number in range(players)]
        tournament = Tournament(Settings(seats=seats, rounds=rounds, least=least, seed=seed), entries)
        repeats = 0
        for _ in range(rounds):
            scores = tournament.scores()
            begun = process_time()
            drawn = draw_round(tournament, way)
            figures.seconds.append(process_time() - begun)
            figures.proven.append(drawn.certificate.status == "optimal")
            tournament.rounds.append(drawn)
            repeats += drawn.certificate.repeats
            for table in drawn.tables:
                pairs = list(combinations(table.players, 2))
                figures.scores.append(mean(abs(scores[a] - scores[b]) for a, b in pairs))
                strength = {name: tournament.player(name).strength for name in table.players}
                figures.strengths.append(mean(abs(strength[a] - strength[b]) for a, b in pairs))
            play(tournament, dice)
        figures.repeats.append(repeats)
        for taken in tournament.seats_taken().values():
            counts = [taken.count(seat) for seat in range(seats)]
            figures.seats.append(max(counts) - min(counts))
    return figures


COLUMNS: Final[dict[str, Callable[[Figures], Any]]] = {
    "repeats": lambda one: f"{mean(one.repeats):.1f}",
    "score spread": lambda one: f"{mean(one.scores):.2f}",
    "strength spread": lambda one: f"{mean(one.strengths):.0f}",
    "seats, mean": lambda one: f"{mean(one.seats):.2f}",
    "seats, worst": lambda one: f"{max(one.seats):.0f}",
    "CPU s, mean": lambda one: f"{mean(one.seconds):.3f}",
    "CPU s, worst": lambda one: f"{max(one.seconds):.3f}",
    "proven": lambda one: f"{sum(one.proven)} of {len(one.proven)}",
}


def main() -> None:
    """Print the table of docs/pairing.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=5, help="tournaments of each kind")
    seeds = parser.parse_args().seeds
    draw_round(Tournament(Settings(seats=2, rounds=1), [Player("A"), Player("B")]))  # loads the solver
    print("| evening | pairing |", " | ".join(COLUMNS), "|")
    print("|---" * (2 + len(COLUMNS)) + "|")
    for evening in EVENINGS:
        players, seats, least, rounds = evening
        tables = f"{least} to {seats}" if least < seats else f"{seats}"
        for way in ("programme", "greedy"):
            figures = measure(way, evening, seeds)
            name = f"{players} at tables of {tables}, {rounds} rounds"
            print(f"| {name} | {way} |", " | ".join(column(figures) for column in COLUMNS.values()), "|", flush=True)


if __name__ == "__main__":
    main()
