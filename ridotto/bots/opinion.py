"""Opinions of bots in words: the same in the terminal, at the web table and in a review.

>>> from ridotto.core.match import Match
>>> from ridotto.games import GAMES
>>> from ridotto.present.ui import english
>>> game = GAMES["fantome"]
>>> view = Match(game, seed=1).view(0)
>>> ranked = Ranked(view.legal[1], 90, 0.7, 1.0), Ranked(view.legal[0], 10, 0.3, 0.0)
>>> reasons(view, english(game), Opinion((0.66, 0.34), ranked, playouts=100))
['The best move is clearly better than the rest.', 'Winning chances: inspector 66\\xa0%, phantom 34\\xa0%.']
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, NamedTuple

from ridotto.bots import Opinion, Ranked
from ridotto.core.view import View
from ridotto.engine.fields import Seat
from ridotto.present import views
from ridotto.present.narrator import percent
from ridotto.present.ui import ui
from ridotto.present.words import Words

RARE: Final = 10
"""An action with so many times fewer visits than the first one is rare."""


class Choice(NamedTuple):
    """An action in an opinion: its notation and label, and the bot's evaluation."""

    action: int
    notation: str
    label: str
    text: str
    """Its winning chance and its visits, in words."""
    value: float
    share: float


def choices(view: View, words: Words, opinion: Opinion, most: int | None = None) -> list[Choice]:
    """The actions of an opinion, best first, `most` of them at most."""
    actions = {action["id"]: action for action in views.actions(view, words)}
    return [
        Choice(
            one.action, actions[one.action]["notation"], actions[one.action]["label"], worth(words, one), one.value, one.share
        )
        for one in opinion.ranked[:most]
    ]


def by_chance(opinion: Opinion, most: int) -> Opinion:
    """An opinion cut to its first `most` actions, in the order of their winning chances.

    One that was tried too seldom to be sure is left out, if it would stand above the bot's first choice by that. Where nobody
    sees the choice, the order stays: the bot would play the first one most often.

    >>> seen = Ranked(1, 90, 0.59, 0.9), Ranked(2, 60, 0.65, 0.1), Ranked(3, 2, 0.9, 0.0), Ranked(4, 8, 0.1, 0.0)
    >>> [one.action for one in by_chance(Opinion((0.6, 0.4), seen, 160), 4).ranked]
    [2, 1, 4]
    """
    if opinion.hidden:
        return replace(opinion, ranked=opinion.ranked[:most])
    first = opinion.ranked[0]
    common = [one for one in opinion.ranked if one.value <= first.value or one.visits * RARE >= first.visits][:most]
    ranked = tuple(sorted(common, key=lambda one: -one.value))
    return replace(opinion, ranked=ranked, reply=opinion.reply if ranked[0] == first else None)


def worth(words: Words, one: Ranked) -> str:
    """An action's winning chance and visits, in words."""
    wins = words.say("wins about {percent}", percent=percent(round(100 * one.value)))
    return f"{wins}, {words.count('tried {number} time', 'tried {number} times', one.visits)}"


def reasons(
    view: View,
    words: Words,
    opinion: Opinion,
    name: Callable[[Seat], str] | None = None,
    played: int | None = None,
) -> list[str]:
    """The certainty and the expectations of an opinion, as sentences.

    `name` gives the name of a seat that is not the reader's; None: the game's words do. `played` is the action that was played,
    where the opinion is about a match that was played.
    """

    def called(seat: Seat) -> str:
        if words.is_reader(seat):
            return words.say("you")
        return name(seat) if name else ui(view.game).player(seat, words)

    return [*how_sure(words, opinion, played), *what_next(view, words, opinion, called), chances(words, opinion, called)]


def how_sure(words: Words, opinion: Opinion, played: int | None = None) -> list[str]:
    """A sentence about the lead of the first action over the others."""
    first, *others = opinion.ranked
    if opinion.hidden and first.share < 0.9:
        share = percent(round(100 * first.share))
        return [words.say("Nobody sees this choice, so vary it: the best move about {percent} of the time.", percent=share)]
    if not others:
        return []
    second = max((one for one in others if one.visits or one is others[0]), key=lambda one: one.value)
    lead, doubt = first.value - second.value, margin(first, second)
    slip = next((one for one in others if one.action == played), None)
    if slip is not None:
        loss, unsure = first.value - slip.value, margin(first, slip)
        if loss <= unsure:
            return [words.say("As far as the bot can tell, this move is about as good.")]
        if lead <= doubt and second is not slip:
            return [words.say("Several moves are better than this one, about equally.")]
        if loss > 2 * unsure:
            return [words.say("The better move is clearly better than this one.")]
        return [words.say("The better move looks better than this one.")]
    if lead > 2 * doubt:
        return [words.say("The best move is clearly better than the rest.")]
    if lead > doubt:
        return [words.say("The best move looks better than the rest.")]
    return [words.say("Several moves are about equally good.")]


def margin(one: Ranked, other: Ranked) -> float:
    """The standard error of the difference between the values of two actions, at the most.

    Results are between 0 and 1, so one has a standard deviation of a half at the most; that of the mean of n falls with the
    square root of n.

    >>> margin(Ranked(1, 100, 0.5, 0.5), Ranked(2, 100, 0.4, 0.5))
    0.07071067811865475
    """
    return float((1 / max(1, one.visits) + 1 / max(1, other.visits)) ** 0.5 / 2)


def what_next(view: View, words: Words, opinion: Opinion, name: Callable[[Seat], str]) -> list[str]:
    """A sentence about the likely reply to the first action."""
    reply = opinion.reply
    if reply is None:
        return []
    label = words.label(reply.row, reply.seat, reply.action)
    if reply.seat == view.seat:
        return [words.say("Then: {label}.", label=label)]
    return [words.say("Likely answer ({who}): {label}.", who=name(reply.seat), label=label)]


def chances(words: Words, opinion: Opinion, name: Callable[[Seat], str]) -> str:
    """The share of the win of every seat."""
    shares = [f"{name(seat)} {percent(round(100 * share))}" for seat, share in enumerate(opinion.values)]
    return words.say("Winning chances: {list}.", list=", ".join(shares))
