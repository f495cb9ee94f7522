"""Finds bots by their names."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Final

from ridotto.bots.bot import Bot
from ridotto.bots.levels import Level
from ridotto.bots.programs import Program
from ridotto.bots.search import Search
from ridotto.bots.simple import Greedy, Random
from ridotto.engine.errors import RidottoError


class UnknownBot(RidottoError, LookupError):
    """A bot that Ridotto does not have."""


OPTIONAL_BOTS: Final = {"openspiel": "ridotto.rl.openspiel"}
"""Bots of optional packages: the beginning of their names, and the module whose `find` knows them."""

BOT_NAMES: Final = (
    "random, greedy, search, search:PLAYOUTS, search:TIME (such as 100ms or 2s), level:1 to level:5, cmd:COMMAND (a program), "
    "openspiel:ismcts:PLAYOUTS or TIME, openspiel:mccfr:PLAYOUTS or TIME (with ridotto[rl])"
)


def find(name: str) -> Bot:
    """The bot of that name: "random", "greedy", "search:500", "search:100ms", "level:3"; see BOT_NAMES."""
    kind, colon, setting = name.partition(":")
    if name == "random":
        return Random()
    if name == "greedy":
        return Greedy()
    if kind in ("search", "trusting"):
        trusting = kind == "trusting"
        if not colon:
            return Search(name=f"{kind}:{Search.playouts}", trusting=trusting)
        if re.fullmatch("[1-9][0-9]{0,8}", setting):
            return Search(int(setting), name=name, trusting=trusting)
        if timed := re.fullmatch("([0-9]{1,6}(?:[.][0-9]{1,3})?)(ms|s)", setting):
            seconds = float(timed[1]) * (0.001 if timed[2] == "ms" else 1)
            if 0 < seconds <= 3600:
                return Search(None, seconds, name, trusting=trusting)
    if kind == "cmd":
        return Program(name)
    if kind == "level" and re.fullmatch("[1-5]", setting):
        return Level(int(setting))
    if kind in OPTIONAL_BOTS:
        found: Bot = import_module(OPTIONAL_BOTS[kind]).find(name)
        return found
    raise UnknownBot(f"unknown bot {name!r}; there are: {BOT_NAMES}")
