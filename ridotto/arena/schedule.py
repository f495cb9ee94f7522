"""The schedule of a tournament: its settings and its pairings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from ridotto import bots
from ridotto.bots.programs import MOVE_SECONDS, split_names
from ridotto.bots.setup import MatchSetup
from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import Seat

FORMAT: Final = "ridotto arena"
FORMAT_VERSION: Final = 1
Faults: TypeAlias = Literal["resign", "random", "stop"]


class BadTournament(RidottoError, ValueError):
    """A tournament that cannot be played."""


@dataclass(frozen=True)
class TournamentSettings(MatchSetup):
    """The settings of all matches of a tournament; together with pairing, deal and seat they determine each match."""

    move_seconds: float = MOVE_SECONDS
    """The time limit of an outside program for a move."""
    match_seconds: float | None = None
    """The time limit of an outside program for all its moves of a match."""
    faults: Faults = "resign"
    """After a fault of an outside program: it loses the match, plays on at random, or the tournament stops."""
    is_adjusted: bool = False
    """Whether the luck of draws, and of bots' random choices, is measured and subtracted from the results."""

    def header(self) -> dict[str, Any]:
        """The first line of a file of results: the settings that must be the same to continue it."""
        return {
            "format": FORMAT,
            "version": FORMAT_VERSION,
            **self.facts(),
            "move_seconds": self.move_seconds,
            "match_seconds": self.match_seconds,
            "faults": self.faults,
            **({"adjusted": True} if self.is_adjusted else {}),
        }


@dataclass(frozen=True)
class Pairing:
    """One bot against another at all other seats; each deal is played once with `one` at each of `seats`."""

    one: str
    rest: str
    seats: tuple[Seat, ...]

    def __str__(self) -> str:
        return f"{self.one} against {self.rest}"

    def seating(self, at: Seat, players: int) -> list[str]:
        """The names of the bots by seat, with `one` at the seat `at`."""
        return [self.one if seat == at else self.rest for seat in range(players)]


def bot_names(text: str) -> list[str]:
    """The names in a comma-separated list of bots. Raises UnknownBot if there is no such bot."""
    names = split_names(text)
    for name in names:
        bots.find(name)
    return names


def pairings(names: Sequence[str], players: int, gauntlet: str | None = None) -> list[Pairing]:
    """A round robin, or a gauntlet: one bot against all others.

    With two seats there is one pairing for each pair of bots; with more seats there are two, since either bot can be `one`.
    """
    seats = tuple(range(players))
    if len(set(names)) < len(names):
        raise BadTournament(f"a bot is named twice in {', '.join(names)}")
    if gauntlet is not None:
        others = [name for name in names if name != gauntlet]
        if not others:
            raise BadTournament(f"{gauntlet!r} has nobody to run the gauntlet of: name other bots")
        return [Pairing(gauntlet, other, seats) for other in others]
    if len(names) < 2:
        raise BadTournament("a tournament needs two bots at least")
    return [Pairing(a, b, seats) for i, a in enumerate(names) for j, b in enumerate(names) if i < j or (i > j and players > 2)]


def parse_seconds(text: str) -> float:
    """A time such as 250ms, 2s or 1.5m.

    >>> parse_seconds("250ms")
    0.25
    """
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)(ms|s|m)", text)
    seconds = float(found[1]) * {"ms": 0.001, "s": 1, "m": 60}[found[2]] if found else 0.0
    if seconds <= 0:
        raise BadTournament(f"{text!r} is not a time such as 250ms, 2s or 5m")
    return seconds
