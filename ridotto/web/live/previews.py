"""Previews: what an action would do, as far as the seat can know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ridotto.core.match import Match
from ridotto.core.protocols import Words
from ridotto.core.view import read_events, seen_by
from ridotto.engine.fields import Seat

WORLDS: Final = 6
"""Worlds in which a preview is worked out."""


def preview(match: Match, seat: Seat, do: str, words: Words) -> list[str]:
    """What an action would do, as lines of the log: worked out in several worlds that the seat's view allows.

    What differs between the worlds, because it hangs on a draw or a secret, is "?".
    """
    build, view = match.build, match.view(seat, since=match.ply)
    action = match.game.action(do)
    if action not in view.legal:
        return []
    outcomes = []
    for world in range(WORLDS):
        row, dice, events = list(view.row), build.generator(world, view.ply), build.events()
        build.rules.redeal(row, seat, dice)
        build.rules.apply(row, seat, action, dice, events)
        outcomes.append([one.text(words) for one in seen_by(seat, read_events(match.rules, events, view.ply))])
    return blend(outcomes)


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
