"""The next round of a tournament: by the integer programme, by the circle method, or greedily for comparison."""

from __future__ import annotations

from random import Random
from typing import Literal

from ridotto.club.pairing.certificate import Certificate
from ridotto.club.pairing.greedy import greedy_groups
from ridotto.club.pairing.rules import Line, bye_rule, line, table_sizes
from ridotto.club.pairing.seating import seated
from ridotto.club.pairing.tournament import Round, Table, Tournament


def draw_round(tournament: Tournament, way: Literal["programme", "greedy"] = "programme") -> Round:
    """The next round by the rules, not yet added to the tournament."""
    settings = tournament.settings
    if settings.system == "round robin" and settings.seats == 2:
        return circle_round(tournament)
    sizes = table_sizes(len(tournament.present), settings.seats, settings.smallest)
    byes = bye_rule(tournament, sizes.byes)
    standing = line(tournament, [name for name in tournament.present if name not in byes.certain])
    groups, free, certificate = _groups(tournament, standing, sizes.tables, byes.open, set(byes.eligible), way)
    tables = [[standing.names[place] for place in group] for group in groups]
    if way == "greedy":
        number = len(tournament.rounds)
        for table in tables:
            Random(f"{settings.seed}:{number}:{table[0]}").shuffle(table)
        seats = [tuple(table) for table in tables]
    else:
        seats = seated(tournament, tables)
    without_table = [*byes.certain, *(standing.names[place] for place in free)]
    return Round(tuple(Table(players) for players in seats), tuple(sorted(without_table)), certificate)


def _groups(
    tournament: Tournament, standing: Line, sizes: tuple[int, ...], byes: int, eligible: set[str], way: str
) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...], Certificate]:
    """Tables, byes and the certificate; the solver is loaded here, not with the rest."""
    import numpy as np

    from ridotto.club.pairing import programme

    names, meetings = standing.names, tournament.meetings()
    met = [[meetings[(min(one, other), max(one, other))] for other in names] for one in names]
    places = [place for place, name in enumerate(names) if name in eligible]
    problem = programme.Problem(
        np.array(standing.positions, dtype=np.int64),
        np.array(met, dtype=np.int64),
        sizes,
        byes,
        np.array([name in eligible for name in names]),
        tournament.settings.limit_s,
    )
    tables, free = greedy_groups(met, sizes, byes, places)
    pairing = programme.Pairing(tuple(tables), tuple(free), problem.certificate(tables, free, "greedy"))
    if way == "programme":
        pairing = programme.solve(problem, pairing)
    return pairing.tables, pairing.byes, pairing.certificate


def circle_round(tournament: Tournament) -> Round:
    """The next round of a round robin for two: one player stays, the others move on around a circle by one place."""
    order: list[str | None] = [*sorted(tournament.names, key=tournament.lot)]
    if len(order) % 2:
        order.append(None)
    turn = len(tournament.rounds) % (len(order) - 1)
    circle = [order[0], *order[1 + turn :], *order[1 : 1 + turn]]
    pairs = [(circle[at], circle[-1 - at]) for at in range(len(circle) // 2)]
    present = set(tournament.present)
    groups = [[name for name in pair if name is not None and name in present] for pair in pairs]
    full = [group for group in groups if len(group) == 2]
    meetings = tournament.meetings()
    repeats = sum(meetings[(min(group), max(group))] for group in full)
    return Round(
        tuple(Table(players) for players in seated(tournament, full)),
        tuple(sorted(group[0] for group in groups if len(group) == 1)),
        Certificate("schedule", repeats, 0, 0),
    )
