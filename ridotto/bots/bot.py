"""The protocol of a bot: a player that gets one seat's view and a budget, never a match."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from ridotto.core.view import View
from ridotto.engine.fields import Seat, Target


@dataclass(frozen=True)
class Budget:
    """The means of a bot for one decision: a seed, a time limit in seconds (None: no limit), threads, and the build's target.

    All targets give the same decision, if there is time enough."""

    seed: int = 0
    seconds: float | None = None
    threads: int = 1
    target: Target = "cpu"


@dataclass(frozen=True)
class Ranked:
    """A bot's statistics of one action: its visits, the expected share of the win, and the probability of playing it."""

    action: int
    visits: int
    value: float
    share: float


@dataclass(frozen=True)
class Reply:
    """The likely next action after the best one: the seat, its action, and the row before it as the deciding seat knows it."""

    seat: Seat
    action: int
    row: tuple[int, ...] = field(repr=False)


@dataclass(frozen=True)
class Opinion:
    """A bot's evaluation of a position: each seat's share of the win, and the legal actions, best first."""

    values: tuple[float, ...]
    ranked: tuple[Ranked, ...]
    playouts: int
    hidden: bool = False
    """Whether others do not see the choice, so that it is best mixed."""
    reply: Reply | None = None
    """The reply to the first action, if one reply is likely enough."""


class Bot(Protocol):
    """A player that chooses an action by a view; the same view and budget give the same choice."""

    @property
    def name(self) -> str:
        """Its name, for `find`."""

    @property
    def is_repeatable(self) -> bool:
        """Whether its choices depend on the view and the seed alone, not on time or on an outside program."""

    def choose(self, view: View, budget: Budget) -> int:
        """The action to play."""

    def opinion(self, view: View, budget: Budget) -> Opinion | None:
        """Its evaluation of the position; None if it has none."""

    def sit(self) -> Bot:
        """A new bot of this kind for one seat of one match, which may remember earlier decisions."""


@runtime_checkable
class StatesChances(Protocol):
    """A bot with known probabilities of its choices, so that the luck in its own draws can be measured."""

    def chances(self, view: View) -> dict[int, float] | None:
        """The probability of every possible choice, over all seeds; None if it is unknown."""


def chances_of(bot: Bot, view: View) -> dict[int, float] | None:
    """The probability of every possible choice of a bot; None if it is unknown.

    >>> from ridotto.bots import find
    >>> from ridotto.core.match import Match
    >>> from ridotto.games import GAMES
    >>> view = Match(GAMES["fantome"], seed=1).view(0)
    >>> chances = chances_of(find("random"), view)
    >>> list(chances) == list(view.legal), round(sum(chances.values()), 6), chances_of(find("search:10"), view)
    (True, 1.0, None)
    """
    return bot.chances(view) if isinstance(bot, StatesChances) else None
