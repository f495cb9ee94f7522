"""The draws of an entry of a match: their numbers of outcomes, and the events of other draws."""

from __future__ import annotations

from collections.abc import Callable

from ridotto.core.match import Match
from ridotto.core.view import MatchEvent, read_events
from ridotto.engine.fields import Dice, Events


def outcome_counts(match: Match, ply: int) -> tuple[int, ...]:
    """The number of outcomes of each draw of the entry at `ply`, by the rules."""
    draws, counts = match.entries[ply].draws, []
    step = _step_at(match, ply) if draws else None
    for number in range(len(draws)):
        assert step is not None
        tape = match.build.tape(draws[:number])
        step(tape, match.build.events(muted=True))
        counts.append(tape[3])
    return tuple(counts)


def other_events(match: Match, ply: int, seed: int) -> list[MatchEvent]:
    """The events that the entry at `ply` might have had, with other draws."""
    events = match.build.events()
    _step_at(match, ply)(match.build.generator(seed), events)
    return read_events(match.rules, events, ply)


def _step_at(match: Match, ply: int) -> Callable[[Dice, Events], None]:
    """The step of the entry at `ply`, as a function of dice and events, on copies of the row before it."""
    entry, rules = match.entries[ply], match.rules
    if entry.do == "deal":
        before = match.build.row()
        before[rules.FIELDS.F.version] = match.version
    else:
        before = match.after(ply).row
        if entry.do == "redeal":
            before = rules.FIELDS.masked(before, None)

    def step(dice: Dice, events: Events) -> None:
        row = before[:]
        if entry.do == "deal":
            rules.deal(row, match.seats, list(match.options.values()), dice, events)
        elif entry.do == "redeal":
            rules.redeal(row, -1, dice)
        elif entry.seat is not None and entry.do != "resign":
            rules.apply(row, entry.seat, match.game.action(entry.do), dice, events)

    return step
