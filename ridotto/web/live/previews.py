"""Previews: what an action would do, as far as the seat can know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ridotto.core.match import Match
from ridotto.core.view import read_events, seen_by
from ridotto.core.worlds import forecast
from ridotto.engine.fields import Events, Seat
from ridotto.present.protocols import Words

MOST_WAYS: Final = 100
"""Ways in which an action can go that are looked at; of one that can go in more ways, the part that is certain is shown."""


def preview(match: Match, seat: Seat, do: str, words: Words) -> list[str]:
    """What an action would do, as lines of the log, by what the seat can know.

    What is not the same in every world that the seat holds possible, and for every draw, is "?".
    """
    view = match.view(seat, since=match.ply)
    action = match.game.action(do)
    if action not in view.legal:
        return []

    def lines(events: Events) -> list[str]:
        return [words.event(one) for one in seen_by(seat, read_events(match.rules, events, view.ply))]

    certain, ways = forecast(match.build, list(view.row), seat, action, MOST_WAYS)
    return blend([lines(way) for way in ways]) if ways else [*lines(certain), "?"]


def blend(worlds: Sequence[Sequence[str]]) -> list[str]:
    """Lines that several worlds have in common, with "?" for what they have not.

    >>> blend([["Verdi rises by 2.", "End."], ["Verdi rises by 3."]])
    ['Verdi rises by ?', '?']
    >>> blend([["He draws a card of Meg."], ["He draws a card of Raoul de Chagny."]])
    ['He draws a card of ?']
    """
    lines = []
    for texts in zip(*worlds, strict=False):
        if len(set(texts)) == 1:
            lines.append(texts[0])
            continue
        words = [text.split() for text in texts]
        first = _common_start(words)
        last = _common_start([list(reversed(one[first:])) for one in words])
        ends = words[0][len(words[0]) - last :]
        lines.append(" ".join([*words[0][:first], "?", *ends]))
    if len({len(one) for one in worlds}) > 1:
        lines.append("?")
    return lines


def _common_start(words: Sequence[Sequence[str]]) -> int:
    """How many words all begin with."""
    count = 0
    for column in zip(*words, strict=False):
        if len(set(column)) > 1:
            break
        count += 1
    return count
