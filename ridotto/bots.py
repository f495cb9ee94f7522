"""Players that are programs. A bot is handed one seat's view and a number to draw from, never a match.

>>> from ridotto.games import GAMES
>>> from ridotto.core import Match
>>> match = Match(GAMES["fantome"], seed=1)
>>> find("random").choose(match.view(0), 5) in match.legal()
True
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from ridotto.core import View
from ridotto.kernel import RidottoError


class UnknownBot(RidottoError, LookupError):
    """A bot that Ridotto does not have."""


@dataclass(frozen=True)
class Opinion:
    """What a bot thinks of one action: how often it tried it, and its chance to win after it."""

    action: int
    visits: int
    chance: float


class Bot(Protocol):
    """A player that sees a view and names an action; the same view and seed give the same choice."""

    @property
    def name(self) -> str:
        """What it is called: the text that `find` takes."""

    def choose(self, view: View, seed: int) -> int:
        """The action to play."""

    def opinions(self, view: View, seed: int) -> list[Opinion]:
        """What it thinks of the legal actions, best first; empty if it has no opinion."""


@dataclass(frozen=True)
class Random:
    """Any legal action, each as likely."""

    name: str = "random"

    def choose(self, view: View, seed: int) -> int:
        build = view.game.build()
        return int(view.legal[build.dice.draw(build.generator(seed), len(view.legal))])

    def opinions(self, view: View, seed: int) -> list[Opinion]:
        return []


@dataclass(frozen=True)
class Greedy:
    """What the game's own `bot.py` would do at a glance."""

    name: str = "greedy"

    def choose(self, view: View, seed: int) -> int:
        build = view.game.build("cpu")
        row, mask = build.copy(view.row), build.mask()
        build.rules.legal(row, view.seat, mask)
        return int(build.bot.policy(row, view.seat, mask, build.generator(seed), build.events(muted=True), build.row()))

    def opinions(self, view: View, seed: int) -> list[Opinion]:
        return []


@dataclass(frozen=True)
class Search:
    """Plays every action out in many worlds that the seat cannot tell from the true one."""

    playouts: int
    name: str = "search"

    def choose(self, view: View, seed: int) -> int:
        if len(view.legal) == 1:
            return view.legal[0]
        return self.opinions(view, seed)[0].action

    def opinions(self, view: View, seed: int) -> list[Opinion]:
        build = view.game.build("cpu")
        share = build.driver.SHARE
        most = build.rules.ACTIONS.size
        actions, visits, gains = (build.array(most, "int64") for _ in range(3))
        count = build.search.halve(
            build.copy(view.row),
            view.seat,
            self.playouts,
            build.row(),
            build.mask(),
            build.generator(seed),
            build.events(muted=True),
            actions,
            visits,
            gains,
        )
        return [Opinion(int(actions[i]), int(visits[i]), int(gains[i]) / (share * int(visits[i]))) for i in range(count)]


BOTS: Final[dict[str, Callable[[int], Bot]]] = {
    "random": lambda _: Random(),
    "greedy": lambda _: Greedy(),
    "search": lambda playouts: Search(playouts or 2000, f"search:{playouts or 2000}"),
}


def find(name: str) -> Bot:
    """The bot of that name: "random", "greedy", "search", or "search:500" for another number of playouts."""
    kind, colon, budget = name.partition(":")
    if kind not in BOTS or (colon and not (kind == "search" and budget.isdecimal() and 0 < int(budget) <= 10**9)):
        raise UnknownBot(f"unknown bot {name!r}; there are: random, greedy, search, search:PLAYOUTS")
    return BOTS[kind](int(budget or 0))
