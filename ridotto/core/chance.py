"""Sources of the draws of a match: the system's entropy, a generator with a seed, or a key (`ridotto.core.fair`).

A match asks its chance for every draw, by the number of the log entry that it belongs to and its own number within that entry.
"""

from __future__ import annotations

import secrets
from typing import Protocol, Self

from ridotto.engine.build import Build
from ridotto.engine.fields import Dice


class Chance(Protocol):
    """The source of the draws of a match."""

    def draw(self, ply: int, number: int, outcomes: int) -> int:
        """One of `outcomes`, each with the same probability: draw `number` of the entry at `ply`, both counted from 0."""
        ...

    def copy(self) -> Self:
        """An independent chance that continues from here, for a copy of the match."""
        ...


class Entropy:
    """Draws that cannot be predicted or repeated."""

    def draw(self, ply: int, number: int, outcomes: int) -> int:
        return secrets.randbelow(outcomes)

    def copy(self) -> Self:
        return self


class Seeded:
    """Draws from dice with a seed, one after another: for tests, simulation and learners.

    >>> from ridotto.games import GAMES
    >>> build = GAMES["fantome"].build()
    >>> one, other = (Seeded(build, build.generator(7)) for _ in range(2))
    >>> [one.draw(0, number, 6) for number in range(5)] == [other.draw(0, number, 6) for number in range(5)]
    True
    """

    def __init__(self, build: Build, dice: Dice) -> None:
        self.build, self.dice = build, dice

    def draw(self, ply: int, number: int, outcomes: int) -> int:
        return int(self.build.dice.draw(self.dice, outcomes))

    def copy(self) -> Self:
        return type(self)(self.build, self.build.copy(self.dice, "int64"))
