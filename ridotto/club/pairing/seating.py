"""Who sits where at a table, as fairly as possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import permutations
from random import Random

from ridotto.club.pairing.tournament import Tournament


def fair_seating(players: Sequence[str], taken: Mapping[str, Sequence[int]], legs: int, dice: Random) -> tuple[str, ...]:
    """The players by seat in the first leg: the best of all their orders, 120 at five seats.

    The sum of the squared counts of seats grows least; then as few as possible sit where they sat last; then the lot decides.
    """
    counts = {name: Counter(taken[name]) for name in players}
    last = {name: taken[name][-1] if taken[name] else None for name in players}
    size = len(players)

    def unfairness(order: tuple[str, ...]) -> tuple[int, int]:
        grows = 0
        for first, name in enumerate(order):
            seats = [(first - leg) % size for leg in range(legs)]
            grows += sum(2 * counts[name][seat] + 1 for seat in seats)
        return grows, sum(last[name] == first for first, name in enumerate(order))

    orders = list(permutations(sorted(players)))
    dice.shuffle(orders)
    return min(orders, key=unfairness)


def seated(tournament: Tournament, groups: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """All tables of the next round with their players by seat."""
    taken = tournament.seats_taken()
    number = len(tournament.rounds)
    return [
        fair_seating(group, taken, tournament.settings.legs, Random(f"{tournament.settings.seed}:{number}:{at}"))
        for at, group in enumerate(groups)
    ]
