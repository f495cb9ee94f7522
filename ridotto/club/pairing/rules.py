"""The rules by which rounds are paired: sizes of tables, byes, the line, and all of them in plain English."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ridotto.club.pairing.tournament import BadTournament, Settings, Tournament, in_line


class Sizes(NamedTuple):
    """How many people sit at each table of a round, larger tables first, and how many have a bye."""

    tables: tuple[int, ...]
    byes: int


def table_sizes(players: int, seats: int, least: int) -> Sizes:
    """As few byes as possible, then as few tables as possible, of sizes as even as possible.

    >>> table_sizes(13, 3, 3)
    Sizes(tables=(3, 3, 3, 3), byes=1)
    >>> table_sizes(13, 4, 3)
    Sizes(tables=(4, 3, 3, 3), byes=0)
    """
    for byes in range(players):
        tables = -(-(players - byes) // seats)
        if tables * least <= players - byes:
            small, large = divmod(players - byes, tables)
            return Sizes((small + 1,) * large + (small,) * (tables - large), byes)
    raise BadTournament(f"a table needs {least} players, and {players} are there")


class ByeRule(NamedTuple):
    """Who has a bye in a round."""

    certain: list[str]
    """Everybody with so few byes that there is one for each of them."""
    eligible: list[str]
    """The remaining byes go to some of these: equal numbers of byes so far."""
    open: int
    """How many byes remain."""


def bye_rule(tournament: Tournament, byes: int) -> ByeRule:
    """Nobody has one bye more than somebody else who is there, unless they have one too."""
    so_far = tournament.byes()
    certain: list[str] = []
    for count in sorted({so_far[name] for name in tournament.present}):
        level = [name for name in tournament.present if so_far[name] == count]
        if len(certain) + len(level) > byes:
            return ByeRule(certain, level, byes - len(certain))
        certain += level
    return ByeRule(certain, [], byes - len(certain))


class Line(NamedTuple):
    """The players whom the programme seats or gives a bye, from the top down."""

    names: list[str]
    positions: list[int]
    """Places in the line, with a gap of as many places as a table has seats wherever the score changes."""


def line(tournament: Tournament, names: Sequence[str]) -> Line:
    """The line of these players."""
    scores = tournament.scores()
    order = in_line(tournament, names)
    positions = [0] * len(order)
    for at in range(1, len(order)):
        gap = tournament.settings.seats if scores[order[at]] < scores[order[at - 1]] else 0
        positions[at] = positions[at - 1] + 1 + gap
    return Line(order, positions)


def rules(settings: Settings) -> str:
    """The rules of a tournament in plain English.

    >>> print(rules(Settings(seats=3, rounds=4)).splitlines()[0])
    1. Tables have 3 seats. As few players as possible have a bye.
    """
    seats, least, legs = settings.seats, settings.smallest, settings.legs
    sizes = f"{least} to {seats}" if least < seats else f"{seats}"
    even = " Then there are as few tables as possible, of sizes as even as possible." if least < seats else ""
    lines = [f"Tables have {sizes} seats. As few players as possible have a bye.{even}"]
    if settings.system == "round robin" and seats == 2:
        lines += [
            "Everybody plays everybody, by the circle method; with an odd number one player a round has a bye.",
            "The opponent of somebody who has withdrawn has a bye.",
        ]
    else:
        lines += [
            "Nobody has a second bye before everybody present has had one, a third before everybody has had two, and so on.",
            "Among all pairings that remain, those are taken with the fewest repeats: "
            "for every pair at the same table, the number of times they have met before.",
            "Among these, byes go as far down the line as possible. The line is everybody by score, then strength, then lot.",
            "Among these, the players at a table are as close in the line as possible: "
            "the sum, over all pairs at the same table, of their squared distance in the line is the smallest. "
            f"Where the score changes, the line has a gap of {seats} places.",
        ]
    lines += [
        "Once the tables are fixed, seats (and with them roles) are as fair as possible at each: "
        "first, everybody has had each seat as equally often as possible (the sum of the squared counts is the smallest); "
        "then as few as possible sit where they sat last; then the lot decides."
    ]
    if legs > 1:
        lines.append(f"Each table plays {legs} matches a round. After each, everybody moves on by one seat.")
    lines += [
        "A match brings everybody the share of the win times the seats of the table, so that an even share is one point; "
        f"{'of several legs the mean counts; ' if legs > 1 else ''}a bye brings {settings.bye_points:g}, "
        f"a round missed (before a late entry, after a withdrawal) {settings.missed_points:g}.",
        f"Ties are broken by {', then '.join([*(SENTENCES[name] for name in settings.tie_breaks), 'the lot'])}.",
    ]
    return "\n".join(f"{number}. {sentence}" for number, sentence in enumerate(lines, 1))


SENTENCES = {
    "opposition": "opposition (the final scores of one's opponents, as a mean for each table; "
    "one's own score for a round without one; from three rounds on without the best and the worst round)",
    "encounters": "encounters (what one won more than the mean of those still tied, at all tables where two of them met)",
    "wins": "wins (matches won alone)",
    "luck": "luck (the sum of the points without luck; left out unless it is known for every table)",
}
