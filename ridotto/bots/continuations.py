"""Continuations of two actions, played on in the same worlds by the same quick bot.

>>> from ridotto.core.match import Match
>>> from ridotto.games import GAMES
>>> view = Match(GAMES["fantome"], seed=1).view(0)
>>> one, same = paired(view, (view.legal[0], view.legal[0]), "greedy", 3, target="python")
>>> one == same
True
"""

from __future__ import annotations

from typing import Any, Final

from ridotto.bots.bot import Budget
from ridotto.bots.registry import find
from ridotto.bots.setup import derived_seed
from ridotto.core.state import State
from ridotto.core.view import View
from ridotto.engine.build import Build
from ridotto.engine.fields import Row, Target

MOST_DECISIONS: Final = 5_000
"""The most decisions in a continuation."""
QUICKEST: Final = "greedy"
"""The bot whose continuations are compiled as a whole."""


def paired(
    view: View, actions: tuple[int, int], bot: str, pairs: int, seed: int = 0, target: Target = "cpu"
) -> tuple[float, float]:
    """The mean share of the win of a view's seat after each of two actions, over worlds that fit the view.

    Each pair begins in the same world and has the same dice. The others' hidden choices at the same time are made again.
    """
    assert view.seat is not None
    build = view.game.build(target)
    masked = build.copy(view.row)
    build.bot.recall(masked, view.seat)
    belief = build.copy(build.bot.believe(build, view), "int64")
    sums = [0.0, 0.0]
    for number in range(pairs):
        world = build.row()
        build.search.draw_world(world, masked, view.seat, belief, build.generator(derived_seed(seed, number)))
        for at, action in enumerate(actions):
            sums[at] += _played_on(build, view, build.copy(world), action, bot, derived_seed(seed, number, "on"))
    return sums[0] / pairs, sums[1] / pairs


def _played_on(build: Build, view: View, row: Row, action: int, bot: str, seed: int) -> float:
    """The share of the win of a view's seat after an action and a continuation by one bot at all seats."""
    rules, seat = build.rules, view.seat
    assert seat is not None
    work = build.workspace(build.generator(seed))
    rules.apply(row, seat, action, work.dice, work.events)
    if bot == QUICKEST:
        search: Any = build.search
        search.finish_playout(row, MOST_DECISIONS, 0, build.array(8, "int16"), work)
    else:
        _think_on(build, view, row, bot, seed, work.dice)
    won = int(rules.winners(row))
    return (won >> seat & 1) / max(1, won.bit_count())


def _think_on(build: Build, view: View, row: Row, bot: str, seed: int, dice: list[int]) -> None:
    """Play a match to its end with a bot that thinks. It knows the masked row alone, and no earlier events."""
    rules, thinker, muted = build.rules, find(bot), build.events(muted=True)
    for number in range(MOST_DECISIONS):
        waiting = int(rules.to_act(row))
        if not waiting:
            return
        actor = int(build.dice.lowest(waiting))
        known = State(view.game, build, view.seats, row).view(actor, view.ply + number, ())
        rules.apply(row, actor, thinker.choose(known, Budget(derived_seed(seed, number), target=build.target)), dice, muted)
