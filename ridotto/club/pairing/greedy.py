"""A greedy pairing from the top down: the programme's starting point, and a comparison."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def greedy_groups(
    met: Sequence[Sequence[int]], sizes: Sequence[int], byes: int, eligible: Collection[int]
) -> tuple[list[tuple[int, ...]], list[int]]:
    """Tables and byes, as places in the line.

    The last ones who may have a bye have it. Then the first one without a table gets one, and is joined, one after the other,
    by the player who has met those at the table least often, the next in the line among equals.
    """
    without_table = sorted(eligible, reverse=True)[:byes]
    waiting = [place for place in range(len(met)) if place not in without_table]
    tables = []
    for size in sizes:
        table = [waiting.pop(0)]
        while len(table) < size:
            nearest = min(waiting, key=lambda place: sum(met[place][other] for other in table))
            waiting.remove(nearest)
            table.append(nearest)
        tables.append(tuple(sorted(table)))
    return tables, sorted(without_table)
