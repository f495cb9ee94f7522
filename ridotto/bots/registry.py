"""Finds bots by their names."""

from __future__ import annotations

import re
from dataclasses import replace
from importlib import import_module
from typing import Final

from ridotto.bots.bot import Bot
from ridotto.bots.levels import Level
from ridotto.bots.networks import Net, NetSearch
from ridotto.bots.programs import Program
from ridotto.bots.search import Search
from ridotto.bots.simple import Greedy, Random
from ridotto.bots.solver import Solver
from ridotto.engine.errors import RidottoError


class UnknownBot(RidottoError, LookupError):
    """A bot that Ridotto does not have."""


OPTIONAL_BOTS: Final = {"openspiel": "ridotto.rl.openspiel_bots"}
"""Bots of optional packages: the beginning of their names, and the module whose `find` knows them."""

SEARCHES: Final = {
    "search": Search(),
    "search-0.1": Search(),
    "trusting": Search(trusting=True),
    "net": NetSearch(),
}
"""The bots that search, by the beginning of their names. `search-0.1` is the search of version 0.1, to compare others with."""

BOT_NAMES: Final = (
    "random, greedy, search, search:PLAYOUTS, search:TIME (such as 100ms or 2s), net, net:PLAYOUTS, net:TIME, "
    "search-0.1:PLAYOUTS or TIME, solver, solver:ITERATIONS, solver:TIME (where a game has a solver), "
    "level:1 to level:6, cmd:COMMAND (a program), "
    "openspiel:ismcts:PLAYOUTS or TIME, openspiel:mccfr:PLAYOUTS or TIME (with ridotto[rl])"
)


def _number(text: str) -> int | None:
    """A number of playouts or iterations; None for any other text."""
    return int(text) if re.fullmatch("[1-9][0-9]{0,8}", text) else None


def _seconds(text: str) -> float | None:
    """A time such as 100ms or 2s, up to an hour, in seconds; None for any other text."""
    timed = re.fullmatch("([0-9]{1,6}(?:[.][0-9]{1,3})?)(ms|s)", text)
    seconds = float(timed[1]) * (0.001 if timed[2] == "ms" else 1) if timed else 0
    return seconds if 0 < seconds <= 3600 else None


def find(name: str) -> Bot:
    """The bot of that name: "random", "greedy", "search:500", "search:100ms", "level:3"; see BOT_NAMES."""
    kind, colon, setting = name.partition(":")
    if name == "random":
        return Random()
    if name == "greedy":
        return Greedy()
    if name == "net":
        return Net()
    if kind in SEARCHES:
        search = SEARCHES[kind]
        if not colon:
            return replace(search, name=f"{kind}:{search.playouts}")
        if number := _number(setting):
            return replace(search, playouts=number, name=name)
        if seconds := _seconds(setting):
            return replace(search, playouts=None, seconds=seconds, name=name)
    if kind == "solver":
        if not colon:
            return Solver()
        if number := _number(setting):
            return Solver(number, name=name)
        if seconds := _seconds(setting):
            return Solver(None, seconds, name)
    if kind == "cmd":
        return Program(name)
    if kind == "level" and re.fullmatch("[1-6]", setting):
        return Level(int(setting))
    if kind in OPTIONAL_BOTS:
        bot: Bot = import_module(OPTIONAL_BOTS[kind]).find(name)
        return bot
    raise UnknownBot(f"unknown bot {name!r}; there are: {BOT_NAMES}")
