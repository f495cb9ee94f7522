"""What a bot is: a player that is handed one seat's view and a budget, never a match."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from ridotto.core.view import View
from ridotto.engine.fields import Seat


@dataclass(frozen=True)
class Budget:
    """What a bot has for one decision: a number to draw from, seconds at the most (None: as long as it likes), threads."""

    seed: int = 0
    seconds: float | None = None
    threads: int = 1


@dataclass(frozen=True)
class Ranked:
    """What a bot thinks of one action: how often it tried it, its share of the win after it, how likely it would play it."""

    action: int
    visits: int
    value: float
    share: float


@dataclass(frozen=True)
class Reply:
    """What is likely to come next: who does what, and the row as the one who asked would see it then."""

    seat: Seat
    action: int
    row: tuple[int, ...] = field(repr=False)


@dataclass(frozen=True)
class Opinion:
    """What a bot thinks of a position: each seat's share of the win, and the legal actions, best first."""

    values: tuple[float, ...]
    ranked: tuple[Ranked, ...]
    playouts: int
    hidden: bool = False
    """Whether others do not see the choice, so that it is best mixed."""
    reply: Reply | None = None
    """What the first of the actions leads to, if that is likely enough to say."""


class Bot(Protocol):
    """A player that sees a view and names an action; the same view and budget give the same choice."""

    @property
    def name(self) -> str:
        """What it is called: the text that `find` takes."""

    @property
    def is_repeatable(self) -> bool:
        """Whether it decides by its seed alone, not by a clock or by something outside."""

    def choose(self, view: View, budget: Budget) -> int:
        """The action to play."""

    def opinion(self, view: View, budget: Budget) -> Opinion | None:
        """What it thinks of the position; None if it has no opinion."""

    def sit(self) -> Bot:
        """The same bot for one seat of one match: it may remember what it thought there. Bots as found remember nothing."""
