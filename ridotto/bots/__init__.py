"""Bots: players that are programs. A bot gets one seat's view and a budget, never a match.

>>> from ridotto.games import GAMES
>>> from ridotto.core.match import Match
>>> match = Match(GAMES["fantome"], seed=1)
>>> find("random").choose(match.view(0), Budget(seed=5)) in match.legal()
True
"""

from ridotto.bots.bot import Bot, Budget, Opinion, Ranked, Reply
from ridotto.bots.levels import Level
from ridotto.bots.registry import BOT_NAMES, OPTIONAL_BOTS, UnknownBot, find
from ridotto.bots.search import Search
from ridotto.bots.simple import Greedy, Random

__all__ = [
    "BOT_NAMES",
    "OPTIONAL_BOTS",
    "Bot",
    "Budget",
    "Greedy",
    "Level",
    "Opinion",
    "Random",
    "Ranked",
    "Reply",
    "Search",
    "UnknownBot",
    "find",
]
