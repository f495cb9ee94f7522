"""The setup of a series of matches between bots: the game, its seats and options, and the seed."""

from __future__ import annotations

import hashlib
import signal
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ridotto.bots import levels, networks, search, simple, solver
from ridotto.bots.bot import Budget
from ridotto.bots.registry import find as find_bot
from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.engine.digest import digest
from ridotto.games import find as find_game


@dataclass(frozen=True)
class MatchSetup:
    """A game with seats, options, seed and box, as plain data for other processes, which find the game by its name."""

    game_name: str
    players: int
    options: Mapping[str, int]
    seed: int = 1
    box: Path | None = None

    @property
    def game(self) -> Game:
        """The game itself."""
        return _game(self.game_name, self.box)

    def facts(self) -> dict[str, Any]:
        """The facts that comparable results have in common, as plain data."""
        return {
            "game": self.game_name,
            "rules": self.game.version,
            "box": self.game.build().box,
            "code": _code(self.game_name, self.box),
            "players": self.players,
            "options": dict(self.options),
            "seed": self.seed,
        }


@cache
def _game(name: str, box: Path | None) -> Game:
    return find_game(name, box)


@cache
def _code(name: str, box: Path | None) -> str:
    """A digest of the rules, of our own bots, their settings and networks: results of different versions are not mixed."""
    game = _game(name, box)
    files = [*game.build().sources, *(Path(str(module.__file__)) for module in (search, simple, levels, networks, solver))]
    files += sorted(networks.file_of(game).parent.glob("*.npz"))
    sources = [hashlib.sha256(path.read_bytes()).hexdigest() for path in files]
    return digest([*sources, game.tuning.digest])[:16]


def derived_seed(*parts: int | str) -> int:
    """A seed derived from numbers and texts; other parts give another seed.

    >>> derived_seed("deal", 1, 5) == derived_seed("deal", 1, 5) != derived_seed("deal", 1, 6)
    True
    """
    return int.from_bytes(hashlib.blake2b(repr(parts).encode(), digest_size=8).digest()) >> 2


# Compiling ahead.


def warm(game: Game, seats: int | None = None) -> float:
    """Compile and load everything for bots in a game, at a table of this size; returns the seconds it took."""
    began = time.perf_counter()
    match = Match(game, seats or game.seats[0], seed=1)
    # Play a few decisions first, so that the bots have actions of others to draw conclusions from.
    while match.ply < 12 and match.to_act:
        seat = match.to_act[0]
        match.play(find_bot("greedy").choose(match.view(seat), Budget(match.ply)), seat)
    for seat in match.to_act:
        find_bot("search:1").opinion(match.view(seat), Budget(1))
        if networks.network_of(game) is not None:
            find_bot("net:1").opinion(match.view(seat), Budget(1))
            for temperature in (0.0, 1.0):
                networks.Net(temperature=temperature).choose(match.view(seat), Budget(1))
    return time.perf_counter() - began


def warm_setup(setup: MatchSetup) -> None:
    """Compile everything that bots need for a setup, once in this process, so that no decision waits for it."""
    _warm_once(setup.game_name, setup.box, setup.players)


@cache
def _warm_once(name: str, box: Path | None, seats: int) -> None:
    with _without_interrupts():
        warm(_game(name, box), seats)


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Delay an interrupt until the end of the block: the compiler cannot be stopped halfway."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    interrupts: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: interrupts.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if interrupts:
        raise KeyboardInterrupt
