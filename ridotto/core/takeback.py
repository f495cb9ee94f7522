"""Takebacks: whether anybody has learned anything since, and after which entry the match continues.

A takeback is granted at once if nobody else has acted and nobody, not even a spectator, has seen a draw or anything that
depends on secrets. To find that out, the step is run again in other worlds that the seat could not tell from the true one: if
it would have seen something else in one of them, it has learned something.

>>> from ridotto.games import GAMES
>>> match = Match(GAMES["fantome"], seed=4)
>>> match.play("pick giry")
>>> plan = plan_takeback(match, 0)
>>> plan.at_once
True
>>> take_back(match, plan)
>>> [entry.do for entry in match.entries]
['deal', 'pick giry', 'undo 0']
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from ridotto.core.errors import Unavailable
from ridotto.core.match import Match
from ridotto.core.view import MatchEvent, Seen, read_events, seen_by
from ridotto.core.worlds import all_worlds, random_worlds, watched_step
from ridotto.engine.fields import Row, Seat

WORLDS: Final = 24
"""Random worlds in which a step is run again to see whether a seat learns anything from it."""
MOST_WORLDS: Final = 4000
"""The most worlds in which a step is run again: with more of them, every secret that it read counts as learned."""

CANNOT_BE_DEALT_ANEW: Final = "cannot_be_dealt_anew"
NOTHING_TO_DEAL_ANEW: Final = "nothing_to_deal_anew"


@dataclass(frozen=True)
class Learned:
    """Something that was learned from an entry."""

    who: tuple[Seat | None, ...]
    """The seats that learned it; None for spectators."""
    event: MatchEvent | None
    """The event that revealed it; None: only the row does."""


@dataclass(frozen=True)
class Takeback:
    """The plan to take back the last decision of a seat, or the whole turn that was confirmed with it: at once if nobody has
    learned anything since, else by consent."""

    seat: Seat
    ply: int
    """The number of entries of the match when the plan was made."""
    to: int
    """The entry to go back to."""
    acted: tuple[Seat, ...] = ()
    """Other seats whose actions everybody has seen since."""
    is_redealt: bool = False
    """Whether secrets were dealt again since."""
    is_drawn: bool = False
    """Whether anything was drawn since."""
    learned: tuple[Learned, ...] = ()
    """Everything that anybody has learned since, in order."""
    secret_choices: tuple[int, ...] = ()
    """Plies of hidden choices that others have made since: they stand, and need not be made again."""
    anew: int | None = None
    """The entry to go back to if the learned secrets are to be dealt or chosen again; None if there are none, or if that is
    impossible. (Public draws are made again in any case.)"""
    is_fixed: bool = False
    """Whether a new deal is impossible because the learned secrets have only one possible value."""

    @property
    def at_once(self) -> bool:
        """Whether it needs nobody's consent."""
        return not (self.acted or self.is_redealt or self.is_drawn or self.learned)

    def section(self, reader: Seat) -> str:
        """The § of the first thing learned that a seat may know of; "" if there is none."""
        return next((seen.event.section for _, seen in self.shown_to(reader)), "")

    def shown_to(self, reader: Seat) -> Iterator[tuple[tuple[Seat | None, ...], Seen]]:
        """The seats that learned something, and the event that revealed it, as far as a seat may know."""
        for one in self.learned:
            if one.event is not None and (seen := one.event.seen_by(reader)) is not None:
                yield one.who, seen


def plan_takeback(match: Match, seat: Seat) -> Takeback:
    """The takeback of the last decision of a seat, or of the whole turn. Raises Unavailable if there is none."""
    seat = match.check_seat(seat)
    line = match.line
    mine = [at for at, ply in enumerate(line) if match.entries[ply].seat == seat]
    if not match.to_act:
        raise Unavailable("match_is_over_and_nothing_is_taken_back")
    if not mine:
        raise Unavailable("no_move_to_take_back")
    at = first_joined(match, mine[-1])
    to, own, later = line[at - 1], line[at : mine[-1] + 1], line[mine[-1] + 1 :]
    secret_choices = tuple(ply for ply in later if _is_secret_choice(match, ply))
    others = [ply for ply in later if ply not in secret_choices]
    acted = tuple(dict.fromkeys(other for ply in others if (other := match.entries[ply].seat) is not None))
    plan = Takeback(
        seat,
        match.ply,
        to,
        acted=acted,
        is_redealt=bool(others) and not acted,
        is_drawn=any(match.entries[ply].draws for ply in (*own, *others)),
        learned=tuple(one for ply in (*own, *others) for one in _learned(match, ply)),
    )
    if plan.at_once:
        return replace(plan, secret_choices=secret_choices)
    if any(_hidden_words_read(match, ply) for ply in (*own, *others)):
        anew = dealt_anew_from(match, to)
        return replace(plan, anew=anew, is_fixed=anew is None)
    return plan


def take_back(match: Match, plan: Takeback, *, anew: bool = False) -> None:
    """Take a decision back as planned; with `anew`, the learned secrets are dealt or chosen again."""
    if plan.ply != match.ply:
        raise Unavailable("match_has_gone_on")
    if anew:
        if plan.anew is None:
            raise Unavailable(CANNOT_BE_DEALT_ANEW if plan.is_fixed else NOTHING_TO_DEAL_ANEW)
        match.undo(plan.anew)
        if _has_secrets(match, match.row):
            match.redeal()
        return
    choices = [match.entries[ply] for ply in plan.secret_choices]
    match.undo(plan.to)
    for choice in choices:
        assert choice.seat is not None
        match.play(choice.do, choice.seat)


def first_joined(match: Match, at: int) -> int:
    """The place in the line at which the turn begins to which the decision at place `at` belongs."""
    line = match.line
    while match.entries[line[at]].joined and at > 1 and match.entries[line[at - 1]].seat == match.entries[line[at]].seat:
        at -= 1
    return at


def dealt_anew_from(match: Match, to: int) -> int | None:
    """The entry to go back to so that nothing learned is of use any more; None if that is impossible.

    Draws come out differently when they are made again. Secret choices must be made again: the match goes back to before
    the first of them. Dealt secrets are dealt again, which is impossible if they have only one possible value.
    """
    while _is_hidden(match, to) and _has_secrets(match, match.row_after(to)):
        to = match.before(to)
    row = match.row_after(to)
    if _has_secrets(match, row):
        worlds = islice(_possible_worlds(match, row, None), WORLDS + 2)
        if len({tuple(world) for world in worlds}) == 1:
            return None
    return to


# Learning from an entry.


def _learned(match: Match, ply: int) -> list[Learned]:
    """Everything that anybody learned from the entry at `ply` besides the choice itself."""
    entry, events = match.entries[ply], match.events_of(ply)
    if entry.seat is None:
        return []
    read = _hidden_words_read(match, ply)
    learners: dict[int, list[Seat | None]] = {}
    for one in (*range(match.seats), None):
        if entry.draws or read.intersection(match.rules.FIELDS.hidden(one)):
            for at in _surprising_events(match, ply, one):
                learners.setdefault(at, []).append(one)
    return [Learned(tuple(who), events[at] if at < len(events) else None) for at, who in sorted(learners.items())]


def _surprising_events(match: Match, ply: int, seat: Seat | None) -> list[int]:
    """The numbers of those events of the entry at `ply` that a seat could not have foreseen.

    The number after the last event stands for a surprise that only the row shows.
    """
    entry, before, rules = match.entries[ply], match.row_after(match.before(ply)), match.rules
    assert entry.seat is not None
    action = match.game.action(entry.do)
    events = match.events_of(ply)
    after = rules.FIELDS.masked(match.row_after(ply), seat)
    seen_events = [(at, seen) for at, one in enumerate(events) if (seen := one.seen_by(seat)) is not None]
    is_known = seat == entry.seat or not _is_hidden(match, ply)
    surprises: set[int] = set()
    for number, world in enumerate(_possible_worlds(match, before, seat)):
        if number > WORLDS and (surprises or entry.draws):
            break
        if number > MOST_WORLDS:
            surprises.update(range(len(events) + 1))
            break
        if rules.refuses(world, entry.seat, action):
            # In this world the choice was not legal. The seat learns that only if it sees the choice.
            surprises.update([len(events)] if is_known else [])
            continue
        numbers = match.build.events()
        rules.apply(world, entry.seat, action, match.build.generator(number, ply), numbers)
        other = list(seen_by(seat, read_events(rules, numbers, ply)))
        surprises.update(at for at, seen in seen_events if seen not in other)
        if len(other) != len(seen_events) or rules.FIELDS.masked(world, seat) != after:
            surprises.add(len(events))
    # A surprise in the row counts only where no event shows it.
    return sorted(surprises - {len(events)}) or sorted(surprises)


def _possible_worlds(match: Match, row: Row, seat: Seat | None) -> Iterator[Row]:
    """The worlds that a seat cannot tell from the true one: first some random ones, then all of them one by one."""
    masked = match.rules.FIELDS.masked(row, seat)
    yield from random_worlds(match.build, masked, seat, WORLDS)
    yield from all_worlds(match.build, masked, seat)


# Secrets.


def _is_secret_choice(match: Match, ply: int) -> bool:
    """Whether an entry is a hidden choice without draws and events, from which nobody has learned anything."""
    entry = match.entries[ply]
    if entry.seat is None or entry.draws or match.events_of(ply):
        return False
    return _is_hidden(match, ply)


def _is_hidden(match: Match, ply: int) -> bool:
    """Whether an entry is an action that others do not see."""
    action = match.rules.ACTIONS.parse(match.entries[ply].do)
    return action is not None and match.rules.ACTIONS.family(action).audience not in ("all", "remembered")


def _has_secrets(match: Match, row: Row) -> bool:
    """Whether a row has secrets, so that a new deal of them would draw something."""
    tape = match.build.tape(())
    match.rules.redeal(match.rules.FIELDS.masked(row, None), -1, tape)
    return bool(tape[3])


def _hidden_words_read(match: Match, ply: int) -> set[int]:
    """The words of the row that are hidden from a spectator and that the entry at `ply` read."""
    entry = match.entries[ply]
    if entry.seat is None:
        return set()
    row, action = match.row_after(match.before(ply)), match.game.action(entry.do)
    step = watched_step(match.build, row, entry.seat, action, entry.draws)
    return set(step.read.intersection(match.rules.FIELDS.hidden(None)))
