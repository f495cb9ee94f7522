"""Beats: the units in which a page shows what happened. A player's turn is often several actions; people see it as one thing.

Every entry of a match belongs to exactly one beat. Whether an action belongs to the beat before it, the game says
(`ridotto.present.protocols.Stage`), from the events that the reader may know. An action that shows nothing is shown with the
next one that does: so a beat always ends where something was seen, and nobody learns in which order people decided in secret.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from ridotto.core.view import REDEALT, RESIGNED, UNDONE, MatchEvent, Seen
from ridotto.engine.fields import Seat
from ridotto.present.protocols import actor
from ridotto.present.ui import ui

if TYPE_CHECKING:
    from ridotto.core.game import Game

APART = frozenset(event.name for event in (REDEALT, RESIGNED, UNDONE))
"""Events that are a beat of their own in every game."""


@dataclass(frozen=True)
class Beat:
    """Entries that a page shows together."""

    first: int
    last: int
    seen: tuple[Seen, ...]
    """Their events as the reader sees them."""
    goes_on: bool = False
    """Whether it is the rest of a beat that began before the first entry that was asked for, or shows nothing yet."""


class Part(NamedTuple):
    """A part of a beat that is shown on its own."""

    stop: int
    """How many of the events of the beat have been seen then."""
    emitted: int
    """How many events of its last entry there have been then, those that the reader does not see too."""
    at: int | None
    """The event of that entry at which the board is as it is shown then; None: as after all of it."""


def beats(game: Game, seen: Sequence[Seen], first: int, stop: int) -> list[Beat]:
    """The entries from `first` on, before `stop`, as beats. `seen` is all that the reader has seen of the match.

    >>> from ridotto.core.match import Match
    >>> from ridotto.games import GAMES
    >>> match = Match(GAMES["fantome"], seed=7)
    >>> while match.ply < 6:
    ...     match.play(match.legal()[0])
    >>> [(beat.first, beat.last) for beat in beats(match.game, match.view().seen, 0, match.ply)]
    [(0, 0), (1, 2), (3, 5)]
    """
    start = len(seen)
    while start and seen[start - 1].ply >= first:
        start -= 1
    by_ply = {ply: tuple(some) for ply, some in groupby(seen[start:], key=lambda one: one.ply)}
    before, done = _last_action(seen, start), list[Beat]()
    for ply, now in by_ply.items():
        joins = _goes_on(game, before, now)
        if done and joins:
            done[-1] = Beat(done[-1].first, ply, done[-1].seen + now, done[-1].goes_on)
        else:
            done.append(Beat(first, ply, now, joins))
        before, first = now, ply + 1
    return [*done, Beat(first, stop - 1, (), True)] if first < stop else done


def parts(game: Game, beat: Beat, emitted: Sequence[MatchEvent], seat: Seat | None) -> list[Part]:
    """The parts of a beat, given all events of its last entry: where the game cuts that, then the rest.

    >>> from ridotto.core.match import Match
    >>> from ridotto.games import GAMES
    >>> match = Match(GAMES["fantome"], seed=7)
    >>> while not any(one.event.name == "announces" for one in match.events):
    ...     match.play(match.legal()[0])
    >>> *_, beat = beats(match.game, match.view().seen, 0, match.ply)
    >>> [one.event.name for one in beat.seen]
    ['picks', 'moves', 'announces', 'clears', 'steps', 'offers']
    >>> [part.stop for part in parts(match.game, beat, match.events_of(match.ply - 1), None)]
    [2, 5, 6]
    """
    seen = [(one, at) for at, event in enumerate(emitted) if (one := event.seen_by(seat)) is not None]
    before = len(beat.seen) - len(seen)
    cuts = ui(game).stage.cuts([one for one, _ in seen]) if seen else ()
    found = [Part(before + cut.stop, seen[cut.stop - 1][1] + 1, seen[cut.at][1]) for cut in cuts]
    return [*found, Part(len(beat.seen), len(emitted), None)]


LINE, MOST = 0.2, 2.0
"""How long a further line is read, and how long at most, if a beat of one line is 1."""


def hold(game: Game, seen: Iterable[Seen]) -> float:
    """How long these events are held, where a beat of one line is 1; 0 where nobody waits for them."""
    lines = sum(one.event.name not in ui(game).stage.quick for one in seen)
    return round(min(MOST, 1 + LINE * (lines - 1)), 2) if lines else 0


def latest_beat(game: Game, seen: Sequence[Seen]) -> int:
    """The entry with which the latest beat begins that showed anything."""
    now = _last_action(seen, len(seen))
    at = len(seen) - len(now)
    while at and _goes_on(game, before := _last_action(seen, at), now):
        now, at = before, at - len(before)
    return now[0].ply if now else 0


def last_turn(seen: Sequence[Seen], seat: Seat) -> int:
    """The entry with which a seat's last turn ended; while it is in the middle of one, the turn before.

    Whose turn an entry belongs to, its events say, or else those before it.
    """
    others, stop, end = False, len(seen), 0
    while stop and (ply := seen[stop - 1].ply):
        now = _last_action(seen, stop)
        end = end or ply
        whose = actor(now)
        if whose == seat and others:
            return end
        if whose is not None:
            others, end = others or whose != seat, 0
        stop -= len(now)
    return 1


def _last_action(seen: Sequence[Seen], stop: int) -> tuple[Seen, ...]:
    """The events of the last action that showed anything, among the first `stop` events."""
    start = stop
    while start and seen[start - 1].ply == seen[stop - 1].ply:
        start -= 1
    return tuple(seen[start:stop])


def _goes_on(game: Game, before: Sequence[Seen], now: Sequence[Seen]) -> bool:
    if not before or before[0].ply == 0:
        return False
    if any(one.event.begins_round or one.event.name in APART for one in before) or any(one.event.name in APART for one in now):
        return False
    stage = ui(game).stage
    return all(one.event.name in stage.quick for one in now) or stage.goes_on(before, now)
