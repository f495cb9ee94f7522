"""From a finished table to ratings: which roles are rated apart, which bots are anchors, whose accounts are one person's."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from ridotto.core.game import Game
from ridotto.engine.fields import Seat
from ridotto.present.ui import ui


def rated_role(game: Game, seat: Seat) -> str:
    """The role that is rated apart, "" in a game in which all seats are alike.

    >>> from ridotto.games import GAMES
    >>> rated_role(GAMES["fantome"], 1), rated_role(GAMES["opera"], 1)
    ('phantom', '')
    """
    return game.roles[seat] if has_roles(game) else ""


def has_roles(game: Game) -> bool:
    """Whether the seats of a game differ, so that each has a rating of its own."""
    return bool(ui(game).page.play_as(ui(game).english, 0))


def anchors(game: Game, seats: int) -> dict[str, dict[str, dict[str, float]]]:
    """The bots whose strength was measured at a table of so many, as `Ladder` takes them.

    >>> from ridotto.games import GAMES
    >>> sorted(anchors(GAMES["fantome"], 2)) == [f"level:{level}" for level in range(1, 7)]
    True
    """
    measured = game.tuning.ratings.get(seats, ())
    return {f"level:{level}": {game.name: {"": float(points)}} for level, points in enumerate(measured, 1)}


def owners(people: Iterable[str], marks: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Whose account each is, where accounts have a mark in common.

    >>> owners(["ada", "bo", "cleo"], [("ada", "browser 1"), ("bo", "browser 2"), ("cleo", "browser 1")])
    {'ada': 'ada', 'bo': 'bo', 'cleo': 'ada'}
    """
    owner = {person: person for person in people}
    first: dict[str, str] = {}
    for person, mark in sorted(marks):
        one, other = owner[person], owner[first.setdefault(mark, person)]
        owner = {each: min(one, other) if of in (one, other) else of for each, of in owner.items()}
    return owner


def alike(marks: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """All pairs of people who have a mark in common.

    >>> alike([("bo", "home"), ("ada", "home"), ("cleo", "away")])
    [('ada', 'bo')]
    """
    people: dict[str, set[str]] = {}
    for person, mark in marks:
        people.setdefault(mark, set()).add(person)
    return sorted({pair for group in people.values() for pair in combinations(sorted(group), 2)})


def shares(seats: int, winners: Iterable[Seat]) -> list[float]:
    """The share of the win of each seat.

    >>> shares(3, [0, 2]), shares(2, [])
    ([0.5, 0.0, 0.5], [0.0, 0.0])
    """
    won = set(winners)
    return [1 / len(won) if seat in won else 0.0 for seat in range(seats)]


def nearest_level(game: Game, seats: int, points: float) -> int:
    """The level of bots that is nearest to a strength; in the middle, where none was measured.

    >>> from ridotto.games import GAMES
    >>> nearest_level(GAMES["fantome"], 2, 0.0), nearest_level(GAMES["fantome"], 2, 9999.0)
    (1, 6)
    """
    measured = game.tuning.ratings.get(seats, ())
    if not measured:
        return 3
    return min(range(1, len(measured) + 1), key=lambda level: abs(measured[level - 1] - points))
