"""Standings, with the value of every tie-break."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

from ridotto.club.pairing.tournament import TOLERANCE, Table, Tournament


@dataclass(frozen=True)
class Standing:
    """One line of the standings."""

    place: int
    name: str
    score: float
    tie_breaks: dict[str, float]
    """In the order in which they count, the lot last; a larger value is better, but for the lot."""
    tables: int
    """Rounds played at a table."""
    byes: int
    missed: int


def standings(tournament: Tournament) -> list[Standing]:
    """Everybody, best first, by all rounds so far."""
    scores, byes = tournament.scores(), tournament.byes()
    by_name: dict[str, list[tuple[Table | None, float]]] = {name: [] for name in tournament.names}
    for name, table, points in tournament.points_by_round():
        by_name[name].append((table, points))
    breaks: dict[str, Callable[[str, Sequence[str]], float]] = {
        "opposition": lambda name, tied: opposition(name, [table for table, _ in by_name[name]], scores),
        "encounters": lambda name, tied: encounters(name, [table for table, _ in by_name[name] if table], tied),
        "wins": lambda name, tied: float(wins(name, [table for table, _ in by_name[name] if table])),
        "luck": lambda name, tied: without_luck(tournament, name),
    }
    values: dict[str, dict[str, float]] = {name: {} for name in tournament.names}

    def ordered(names: Sequence[str], left: Sequence[str]) -> list[str]:
        """The tied in order, by the tie-breaks that are left."""
        if not left:
            return sorted(names, key=tournament.lot)
        for name in names:
            values[name][left[0]] = round(breaks[left[0]](name, names), 6)
        return [
            one
            for tied in tied_groups(names, {name: values[name][left[0]] for name in names})
            for one in ordered(tied, left[1:])
        ]

    order = [name for tied in tied_groups(tournament.names, scores) for name in ordered(tied, tournament.settings.tie_breaks)]
    lines = []
    for place, name in enumerate(order, 1):
        played = sum(table is not None for table, _ in by_name[name])
        missed = len(by_name[name]) - played - byes[name]
        lines.append(
            Standing(place, name, scores[name], {**values[name], "lot": tournament.lot(name)}, played, byes[name], missed)
        )
    return lines


def tied_groups(names: Sequence[str], values: dict[str, float]) -> list[list[str]]:
    """The names by value, the largest first; equal ones together."""
    order = sorted(names, key=lambda name: -round(values[name] / TOLERANCE))
    return [list(group) for _, group in groupby(order, key=lambda name: round(values[name] / TOLERANCE))]


def opposition(name: str, tables: Sequence[Table | None], scores: dict[str, float]) -> float:
    """The scores of one's opponents, as a mean for each table; from three rounds on without the best and the worst round."""
    met = []
    for table in tables:
        opponents = [other for other in table.players if other != name] if table else [name]
        met.append(sum(scores[other] for other in opponents) / len(opponents))
    met.sort()
    return sum(met[1:-1] if len(met) >= 3 else met)


def encounters(name: str, tables: Sequence[Table], tied: Sequence[str]) -> float:
    """How much more somebody won than the mean of the tied, at the tables where at least two of them met."""
    total = 0.0
    for table in tables:
        there = [other for other in table.players if other in tied]
        if len(there) > 1:
            total += table.points(name) - sum(table.points(other) for other in there) / len(there)
    return total


def wins(name: str, tables: Sequence[Table]) -> int:
    """The matches that somebody won alone."""
    return sum(leg[table.players.index(name)] > 1 - TOLERANCE for table in tables for leg in table.shares)


def without_luck(tournament: Tournament, name: str) -> float:
    """Somebody's points at tables without luck; zero for everybody unless it is known for every table."""
    tables = [table for one in tournament.rounds for table in one.tables]
    if any(table.luck_adjusted is None for table in tables):
        return 0.0
    return sum(
        len(table.players) * table.luck_adjusted[table.players.index(name)]
        for table in tables
        if table.luck_adjusted is not None and name in table.players
    )
