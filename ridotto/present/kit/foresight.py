"""Foresight: what a decision that nobody has confirmed would change, as far as its reader can know.

The rules themselves say it, on a copy of the row as the reader sees it: they run until they draw, or read what is hidden.

>>> from ridotto.core.match import Match
>>> from ridotto.games import GAMES
>>> from ridotto.present.ui import english
>>> match = Match(GAMES["fantome"], seed=4)
>>> match.play("pick giry")
>>> view = match.view(0)
>>> lock = foresee(view, match.game.action("lock 4-8"))
>>> F = match.rules.FIELDS.F
>>> match.rules.CORRIDOR.names[lock.row[F.padlock]], lock.is_whole
('4-8', True)
>>> lines(view, match.game.action("lock 4-8"), english(match.game))
['The padlock hangs in corridor 4–8.']
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import Any, Final, NamedTuple

from ridotto.core.state import State
from ridotto.core.view import Seen, View, read_events, seen_by
from ridotto.core.worlds import certain_step, forecast
from ridotto.engine.fields import EVENT_ROOM, EVENT_WIDTH, Events, Row
from ridotto.present.words import Words

MOST_WAYS: Final = 100
"""Ways in which an action can go that are looked at; of one that can go in more ways, the part that is certain is shown."""
MOST_ROWS: Final = 1000
"""Rows of a turn that are looked at to find the one at which the rules ask for a decision that was made early."""


class Foreseen(NamedTuple):
    """The certain results of an action."""

    row: tuple[int, ...]
    """The row after it, or before the first draw, or before something is read that the reader of the view may not know."""
    is_whole: bool
    """Whether nothing is drawn, and nothing hidden read."""


def foresee(view: View, action: int) -> Foreseen:
    """The changes by an action of the reader. What the row of the view hides is as unknown as a draw."""
    assert view.seat is not None
    step = certain_step(view.game.build(), list(view.row), view.seat, action)
    return Foreseen(tuple(step.row), step.is_whole)


def with_early(view: View, fields: Sequence[str]) -> View:
    """The view with these fields as the decisions that wait in a draft (`View.noted`) are going to leave them.

    The rules do not ask for such a decision yet. What it changes is read off where they would: at the nearest row to which
    other decisions of the same turn lead. All but these fields stays as it is, since the question is still the same.
    """
    assert view.seat is not None
    row = list(view.row)
    drawn = [range(at, at + field.size) for field, at in view.game.rules.FIELDS.slices() if field.name in fields]
    for text in view.noted:
        for before in islice(_rows_of_turn(view, row), MOST_ROWS):
            action = _meant(view, before, text)
            if action is not None:
                after = certain_step(view.game.build(), before, view.seat, action).row
                for word in chain(*drawn):
                    if after[word] != before[word]:
                        row[word] = after[word]
                break
    return replace(view, row=tuple(row))


def _meant(view: View, row: Row, text: str) -> int | None:
    """The action that a text means at a row; None if the rules do not allow it there."""
    game, seat = view.game, view.seat
    assert seat is not None
    meant = game.inputs.meaning(row, seat, text)
    action = game.rules.ACTIONS.parse(text) if meant is None else meant
    return None if action is None or game.rules.refuses(row, seat, action) else action


def _rows_of_turn(view: View, row: Row) -> Iterator[Row]:
    """A row, and those to which the reader can bring it in the same turn with nothing drawn, depth first."""
    game, build, seat = view.game, view.game.build(), view.seat
    assert seat is not None
    yield row
    for action in State(game, build, view.seats, row).legal(seat):
        step = certain_step(build, row, seat, action)
        if step.is_whole and not game.inputs.begins_turn(step.row, seat):
            yield from _rows_of_turn(view, step.row)


def lines(view: View, action: int, words: Words) -> list[str]:
    """The effects of an action of the reader, as lines of the log.

    What is not the same in every world that the reader holds possible, and for every draw, is "?".
    """
    if view.seat is None or action not in view.legal:
        return []
    certain, ways = forecast(view.game.build(), list(view.row), view.seat, action, MOST_WAYS)
    return blend([_lines(view, way, words) for way in ways]) if ways else [*_lines(view, certain, words), "?"]


def _lines(view: View, events: Events, words: Words) -> list[str]:
    return [words.event(one) for one in seen_by(view.seat, read_events(view.game.rules, events, view.ply))]


def events_of(rules: Any, part: Callable[[Row, Events], None], row: Row) -> list[Seen]:
    """The events that a part of the rules tells everybody when it is run on a row, which it changes."""
    events = [0] * (1 + EVENT_ROOM * EVENT_WIDTH)
    part(row, events)
    return list(seen_by(None, read_events(rules, events, 0)))


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
    """The number of words that all begin with."""
    count = 0
    for column in zip(*words, strict=False):
        if len(set(column)) > 1:
            break
        count += 1
    return count
