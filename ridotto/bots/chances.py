"""How likely a bot was to choose what it chose: known of those that draw among actions, and of those that never draw."""

from __future__ import annotations

from functools import cache

from ridotto.bots.bot import Bot
from ridotto.bots.levels import Level
from ridotto.bots.networks import Net, network_of
from ridotto.bots.simple import Random
from ridotto.core.game import Game
from ridotto.core.view import View
from ridotto.engine.arrays import Network


@cache
def _network(game: Game, seats: int) -> Network:
    found = network_of(game)
    assert found is not None
    return found.for_seats(game, seats)


def chances_of(bot: Bot, view: View) -> dict[int, float] | None:
    """The chance of every action that a bot may choose; None where it is not known.

    >>> from ridotto.bots import find
    >>> from ridotto.core.match import Match
    >>> from ridotto.games import GAMES
    >>> view = Match(GAMES["fantome"], seed=1).view(0)
    >>> chances = chances_of(find("random"), view)
    >>> list(chances) == list(view.legal), round(sum(chances.values()), 6), chances_of(find("search:10"), view)
    (True, 1.0, None)
    """
    if isinstance(bot, Level):
        bot = bot.bot(view)
    if isinstance(bot, Random):
        return dict.fromkeys(view.legal, 1 / len(view.legal))
    if not isinstance(bot, Net) or bot.network is not None or not bot.temperature:
        return None
    assert view.seat is not None
    build, network = view.game.build("cpu"), _network(view.game, view.seats)
    row, mask = build.copy(view.row), build.mask()
    build.rules.legal(row, view.seat, mask)
    build.network.evaluate(row, view.seat, network)
    build.network.likelihoods(mask, network, bot.temperature)
    return dict(zip(view.legal, map(float, network.chances), strict=False))
