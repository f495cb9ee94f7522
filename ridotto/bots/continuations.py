"""Continuations: what two actions lead to, played on in the same worlds by the same quick bot.

>>> from ridotto.core.match import Match
>>> from ridotto.games import GAMES
>>> view = Match(GAMES["fantome"], seed=1).view(0)
>>> one, same = paired(view, (view.legal[0], view.legal[0]), "greedy", 3, target="python")
>>> one == same
True
"""

from __future__ import annotations

from ridotto.bots.bot import Budget
from ridotto.bots.registry import find
from ridotto.bots.setup import derived_seed
from ridotto.core.state import State
from ridotto.core.view import View
from ridotto.engine.build import Build
from ridotto.engine.fields import Row, Target

MOST_DECISIONS = 5_000
"""Of a continuation."""


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
    dice, mask, scratch, muted = build.generator(seed), build.mask(), build.row(), build.events(muted=True)
    rules.apply(row, seat, action, dice, muted)
    thinker = find(bot)
    for number in range(MOST_DECISIONS):
        waiting = int(rules.to_act(row))
        if not waiting:
            break
        actor = int(build.dice.lowest(waiting))
        if bot == "greedy":
            rules.legal(row, actor, mask)
            chosen = int(build.bot.policy(row, actor, mask, dice, muted, scratch))
        else:
            # It has seen nothing of what happened before: what it knows is the row.
            known = State(view.game, build, view.seats, row).view(actor, view.ply + number, ())
            chosen = thinker.choose(known, Budget(derived_seed(seed, number), target=build.target))
        rules.apply(row, actor, chosen, dice, muted)
    won = int(rules.winners(row))
    return (won >> seat & 1) / max(1, won.bit_count())
