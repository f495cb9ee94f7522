"""What a bot thinks, in words: the same in the terminal, at the web table and in a review.

>>> from ridotto.core.match import Match
>>> from ridotto.games import GAMES
>>> view = Match(GAMES["fantome"], seed=1).view(0)
>>> ranked = Ranked(view.legal[1], 90, 0.7, 1.0), Ranked(view.legal[0], 10, 0.3, 0.0)
>>> reasons(view, Opinion((0.66, 0.34), ranked, playouts=100))
['The best one is clearly ahead.', 'Chances in 100: inspector 66, phantom 34.']
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ridotto.bots import Opinion, Ranked
from ridotto.core.narrator import called as by_name
from ridotto.core.narrator import say
from ridotto.core.view import View
from ridotto.engine.fields import Seat


class Choice(NamedTuple):
    """An action as an opinion ranks it: what it is called, and how good it is thought to be."""

    action: int
    notation: str
    label: str
    told: str
    """How often it is thought to win, and how often it was tried."""
    value: float
    share: float


def choices(view: View, opinion: Opinion, most: int | None = None) -> list[Choice]:
    """The actions of an opinion, best first, as many as are asked for."""
    names = {action["id"]: action for action in view.actions}
    return [
        Choice(one.action, names[one.action]["notation"], names[one.action]["label"], worth(one), one.value, one.share)
        for one in opinion.ranked[:most]
    ]


def worth(one: Ranked) -> str:
    """How good an action is thought to be, in words."""
    wins = say("wins about {percent} times in 100", percent=round(100 * one.value))
    return f"{wins}, {say('tried {count} times', count=one.visits)}"


def reasons(view: View, opinion: Opinion, called: Callable[[Seat], str] | None = None, you: bool = True) -> list[str]:
    """How sure an opinion is, and what it expects, as sentences.

    `called` names the seats where people have names; `you`: whoever reads it is the one who decides.
    """
    name = called or (lambda seat: role(view, seat))
    return [*how_sure(opinion), *what_next(view, opinion, name, you), chances(opinion, name)]


def how_sure(opinion: Opinion) -> list[str]:
    """How much better the first action is than the others."""
    first, *others = opinion.ranked
    if opinion.hidden and first.share < 0.9:
        percent = round(100 * first.share)
        return [say("Nobody sees this choice: it is best mixed, the best one about {percent} times in 100.", percent=percent)]
    if not others:
        return []
    # The mean of n results is rarely off by more than the root of n allows.
    lead = first.value - max(one.value for one in others if one.visits or one is others[0])
    doubt = (1 / max(1, first.visits) + 1 / max(1, others[0].visits)) ** 0.5 / 2
    if lead > 2 * doubt:
        return [say("The best one is clearly ahead.")]
    if lead > doubt:
        return [say("The best one seems to be ahead.")]
    return [say("The best ones are nearly equal.")]


def what_next(view: View, opinion: Opinion, called: Callable[[Seat], str], you: bool = True) -> list[str]:
    """What the first action is likely to lead to."""
    reply = opinion.reply
    if reply is None:
        return []
    label = view.game.words_now().label(reply.row, reply.seat, reply.action)
    if reply.seat == view.seat and you:
        return [say("After it you would go on: {label}.", label=label)]
    if reply.seat == view.seat:
        return [say("After it {who} would go on: {label}.", who=called(reply.seat), label=label)]
    return [say("The likely answer of {who}: {label}.", who=called(reply.seat), label=label)]


def chances(opinion: Opinion, called: Callable[[Seat], str]) -> str:
    """Everybody's share of the win."""
    hopes = [f"{called(seat)} {round(100 * share)}" for seat, share in enumerate(opinion.values)]
    return say("Chances in 100: {list}.", list=", ".join(hopes))


def role(view: View, seat: Seat) -> str:
    """Whoever sits there: by name, if a table has said so, else by what the game calls the seat."""
    return by_name(seat, view.game.role(seat, view.game.words_now()))
