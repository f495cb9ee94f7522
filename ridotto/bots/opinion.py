"""Opinions of bots in words: the same in the terminal, at the web table and in a review.

>>> from ridotto.core.match import Match
>>> from ridotto.games import GAMES
>>> game = GAMES["fantome"]
>>> view = Match(game, seed=1).view(0)
>>> ranked = Ranked(view.legal[1], 90, 0.7, 1.0), Ranked(view.legal[0], 10, 0.3, 0.0)
>>> reasons(view, game.english, Opinion((0.66, 0.34), ranked, playouts=100))
['The best one is clearly ahead.', 'Chances in 100: inspector 66, phantom 34.']
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ridotto.bots import Opinion, Ranked
from ridotto.core.narrator import mark
from ridotto.core.protocols import Words
from ridotto.core.view import View
from ridotto.engine.fields import Seat


class Choice(NamedTuple):
    """An action as an opinion ranks it: its notation and label, and how good the bot thinks it is."""

    action: int
    notation: str
    label: str
    text: str
    """How often the bot thinks it wins, and how often the bot tried it."""
    value: float
    share: float


def choices(view: View, words: Words, opinion: Opinion, most: int | None = None) -> list[Choice]:
    """The actions of an opinion, best first, `most` of them at most."""
    actions = {action["id"]: action for action in view.actions(words)}
    return [
        Choice(
            one.action, actions[one.action]["notation"], actions[one.action]["label"], worth(words, one), one.value, one.share
        )
        for one in opinion.ranked[:most]
    ]


def worth(words: Words, one: Ranked) -> str:
    """How good the bot thinks an action is, in words."""
    wins = words.say("wins about {percent} times in 100", percent=round(100 * one.value))
    return f"{wins}, {words.count('tried {number} time', 'tried {number} times', one.visits)}"


def reasons(view: View, words: Words, opinion: Opinion, name: Callable[[Seat], str] | None = None) -> list[str]:
    """How sure an opinion is and what it expects, as sentences. `name` gives the name of a seat; None: the game's words do."""
    named = name or (lambda seat: view.game.player(seat, words))
    return [*how_sure(words, opinion), *what_next(view, words, opinion, named), chances(words, opinion, named)]


def how_sure(words: Words, opinion: Opinion) -> list[str]:
    """How much better the first action is than the others."""
    first, *others = opinion.ranked
    if opinion.hidden and first.share < 0.9:
        percent = round(100 * first.share)
        return [
            words.say("Nobody sees this choice: it is best mixed, the best one about {percent} times in 100.", percent=percent)
        ]
    if not others:
        return []
    # The error of a mean of n results falls with the square root of n.
    lead = first.value - max(one.value for one in others if one.visits or one is others[0])
    doubt = (1 / max(1, first.visits) + 1 / max(1, others[0].visits)) ** 0.5 / 2
    if lead > 2 * doubt:
        return [words.say("The best one is clearly ahead.")]
    if lead > doubt:
        return [words.say("The best one seems to be ahead.")]
    return [words.say("The best ones are nearly equal.")]


def what_next(view: View, words: Words, opinion: Opinion, name: Callable[[Seat], str]) -> list[str]:
    """What the first action is likely to lead to."""
    reply = opinion.reply
    if reply is None:
        return []
    label = words.label(reply.row, reply.seat, reply.action)
    if reply.seat == view.seat:
        you, they = mark("After it you would go on: {label}."), mark("After it {who} would go on: {label}.")
        return [words.narrator.tell(reply.seat, you, they, who=name(reply.seat), label=label)]
    return [words.say("The likely answer of {who}: {label}.", who=name(reply.seat), label=label)]


def chances(words: Words, opinion: Opinion, name: Callable[[Seat], str]) -> str:
    """The share of the win of every seat."""
    shares = [f"{name(seat)} {round(100 * share)}" for seat, share in enumerate(opinion.values)]
    return words.say("Chances in 100: {list}.", list=", ".join(shares))
