"""Programmes: the pieces in the halls of a seat, what they yield, and the best programme there is.

`best` is a branch and bound over the numbers of pieces in each house, on which the income depends alone. The theorem of Gale
and Ryser says which numbers can be had without two pieces of a kind in a house. The pieces for them are a flow of minimum
cost, found by successive shortest paths (R. K. Ahuja, T. L. Magnanti and J. B. Orlin, Network Flows, 1993, §9.7).

Nothing here is compiled: the bot plans by itself, and this is for people who rearrange.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final, NamedTuple, TypeAlias

from ridotto.engine.fields import Row, Seat
from ridotto.games.opera import rules
from ridotto.games.opera.components import INCOME
from ridotto.games.opera.rules import F

Programme: TypeAlias = dict[int, list[int]]
"""The pieces in each city, the one of the great hall first (NONE for none)."""


# The yield of halls.


class Forecast(NamedTuple):
    """The yield of a seat's halls as everything stands: this round's income, and the parts of the next count."""

    income: int
    great: int
    century: int
    empty: int

    @property
    def points(self) -> int:
        """All points of the next count."""
        return self.great + self.century - self.empty


def forecast(row: Sequence[int], seat: Seat) -> Forecast:
    """The yield of a seat's halls at the end of this round, and at the next count, as everything stands."""
    s = list(row)
    count = _next_count(s)
    income = great = century = empty = 0
    for city in range(6):
        income += income_of_house(s, city, rules.house(s, seat, city).bit_count())
        piece = s[F.great + seat * 6 + city]
        great += rules.value_of_great_hall(s, piece)
        century += rules.bonus_of_century(piece, s[F.century + count], count)
        empty += rules.empty_halls(s, seat, city)
    return Forecast(income, great, century, empty)


def income_of_house(s: Row, city: int, pieces: int) -> int:
    """The ducats that a house with so many pieces earns in a round."""
    ducats: int = INCOME[pieces] + rules.doubled(s, city, INCOME[pieces])
    return ducats


def values_in_great_halls(row: Sequence[int]) -> list[int]:
    """The points of each piece in a great hall at the next count, as everything stands."""
    s = list(row)
    count = _next_count(s)
    century = s[F.century + count]
    return [rules.value_of_great_hall(s, piece) + rules.bonus_of_century(piece, century, count) for piece in range(7)]


def _next_count(s: Row) -> int:
    """The count to come; after the last one still that."""
    counts: int = s[F.counts]
    return min(counts, 2)


def programme_of(row: Sequence[int], seat: Seat) -> Programme:
    """The programme of a seat as it stands."""
    programme = {}
    for city in range(6):
        at = seat * 6 + city
        if row[F.halls + at]:
            programme[city] = [row[F.great + at], *(piece for piece in range(7) if row[F.side + at] >> piece & 1)]
    return programme


# The best programme.


def best(row: Sequence[int], seat: Seat, by_points: bool) -> Programme:
    """The programme with the most income, or the most points at the next count; of equal ones the best by the other."""
    s = list(row)
    now = programme_of(row, seat)
    halls = [s[F.halls + seat * 6 + city] for city in now]
    stock = [rules.copies_of(s, seat, piece) for piece in range(7)]
    values = values_in_great_halls(row)
    incomes = [[income_of_house(s, city, n) for n in range(most + 1)] for city, most in zip(now, halls, strict=True)]

    # The points of the great halls are no better than if the dearest pieces stood there.
    dearest = sorted((values[piece] for piece in range(7) for _ in range(min(stock[piece], len(now)))), reverse=True)
    bounds = [sum(dearest[:great]) - sum(halls) for great in range(len(now) + 1)]
    candidates = []
    for sizes in product(*(range(most + 1) for most in halls)):
        if _can_be_filled(stock, sizes):
            income = sum(of_house[size] for of_house, size in zip(incomes, sizes, strict=True))
            bound = bounds[len(sizes) - sizes.count(0)] + sum(sizes)
            candidates.append(((bound, income) if by_points else (income, bound), sizes))
    candidates.sort(reverse=True)

    programme, most = Programme(), (-1000, -1000)
    for bound_of_both, sizes in candidates:
        if bound_of_both <= most:
            break
        filled = _filled(now, sizes, stock, values)
        points = sum(values[great] for great, *_ in filled.values() if great != rules.NONE) + sum(sizes) - sum(halls)
        both = (points, bound_of_both[1]) if by_points else (bound_of_both[0], points)
        if both > most:
            programme, most = filled, both
    return programme


def _can_be_filled(stock: Sequence[int], sizes: Sequence[int]) -> bool:
    """Whether houses can have so many pieces without two of a kind in one (Gale and Ryser)."""
    needed = 0
    for houses, size in enumerate(sorted(sizes, reverse=True), 1):
        needed += size
        if needed > sum(min(copies, houses) for copies in stock):
            return False
    return True


STAYING: Final = 1
"""The gain of a piece that stays where it is, in the costs of the flow."""
POINT: Final = 64
"""The gain of a point, which is more than that of all pieces that stay."""


def _filled(now: Programme, sizes: Sequence[int], stock: Sequence[int], values: Sequence[int]) -> Programme:
    """The pieces of houses of these sizes for the most points; of equal ways, that in which most pieces stay.

    A flow of minimum cost: from each kind of piece through each house it may be in to the great hall, or the other halls.
    """
    network, source, sink = FlowNetwork(), FlowNode("source"), FlowNode("sink")
    greats, sides = ({city: FlowNode(kind, city=city) for city in now} for kind in ("great", "side"))
    for piece in range(7):
        network.link(source, FlowNode("piece", piece), stock[piece], 0)
        for city, (great, *side) in now.items():
            inside = FlowNode("inside", piece, city)
            network.link(FlowNode("piece", piece), inside, 1, 0)
            network.link(inside, greats[city], 1, -POINT * values[piece] - STAYING * (great == piece))
            network.link(inside, sides[city], 1, -STAYING * (piece in side))
    for city, size in zip(now, sizes, strict=True):
        network.link(greats[city], sink, min(size, 1), 0)
        network.link(sides[city], sink, max(size - 1, 0), 0)
    for _ in range(sum(sizes)):
        network.send_one(source, sink)

    filled = {}
    for city in now:
        great_hall, side_halls = ([node.piece for node in network.sources_of(halls[city])] for halls in (greats, sides))
        filled[city] = [great_hall[0] if great_hall else rules.NONE, *side_halls]
    return filled


class FlowNode(NamedTuple):
    """A node of a network: a piece, a piece inside a house, or halls of a house."""

    kind: str
    piece: int = rules.NONE
    city: int = rules.NONE


@dataclass(slots=True)
class Link:
    """A link of a network: where it leads, what may still flow through it, and what a unit costs."""

    start: FlowNode
    end: FlowNode
    free: int
    cost: int


class FlowNetwork:
    """A network through which units flow at the least cost, sent one by one.

    >>> network, left, right, sink = FlowNetwork(), FlowNode("left"), FlowNode("right"), FlowNode("sink")
    >>> for start, cost in ((left, 3), (right, 2)):
    ...     network.link(FlowNode("source"), start, 1, 0)
    ...     network.link(start, sink, 1, cost)
    >>> network.send_one(FlowNode("source"), sink)
    >>> [node.kind for node in network.sources_of(sink)]
    ['right']
    """

    def __init__(self) -> None:
        self._links: list[Link] = []
        """Each link is followed by the one that leads back."""
        self._leaving: dict[FlowNode, list[int]] = {}

    def link(self, start: FlowNode, end: FlowNode, capacity: int, cost: int) -> None:
        """Add a link."""
        for link in (Link(start, end, capacity, cost), Link(end, start, 0, -cost)):
            self._leaving.setdefault(link.start, []).append(len(self._links))
            self._links.append(link)

    def send_one(self, source: FlowNode, sink: FlowNode) -> None:
        """Send a unit along the cheapest path, which is found as by Bellman and Ford, with a queue."""
        cost, came_by = {source: 0}, {source: -1}
        waiting = [source]
        while waiting:
            node = waiting.pop(0)
            for number in self._leaving[node]:
                link = self._links[number]
                if link.free and cost[node] + link.cost < cost.get(link.end, 1 << 30):
                    cost[link.end], came_by[link.end] = cost[node] + link.cost, number
                    waiting.append(link.end)
        number = came_by[sink]
        while number >= 0:
            self._links[number].free -= 1
            self._links[number ^ 1].free += 1
            number = came_by[self._links[number].start]

    def sources_of(self, node: FlowNode) -> list[FlowNode]:
        """The nodes from which something flows to a node."""
        backwards = (self._links[number] for number in self._leaving[node] if number % 2)
        return [link.end for link in backwards if link.free]
