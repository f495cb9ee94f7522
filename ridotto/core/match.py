"""One playing of a game. Every change to a match goes through `Match`, which checks it.

A match takes actions and turns (`ridotto.core.turns`). Decisions are taken back (`ridotto.core.takeback`) and turns are drafted
(`ridotto.core.drafts`) by modules that know `Match`, and that it does not know.
"""

from __future__ import annotations

import random
import secrets
import time
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from itertools import islice, takewhile
from typing import Any, Final

from ridotto.core import errors, turns
from ridotto.core import position as positions
from ridotto.core.chance import Chance, Entropy, Seeded
from ridotto.core.errors import OVER, BadDraws, BadNotation, BadSetup, IllegalAction, Refusal, Unavailable
from ridotto.core.fair import FairDeal
from ridotto.core.game import Game
from ridotto.core.state import State
from ridotto.core.view import (
    REDEALT,
    RESIGNED,
    UNDONE,
    Legal,
    MatchEvent,
    Outcome,
    Seen,
    View,
    read_events,
    seen_by,
)
from ridotto.core.worlds import Step, watched_step
from ridotto.engine.fields import Dice, Events, Row, Seat

MOST_DRAWS: Final = 10_000
"""The most draws of one entry."""


@dataclass(frozen=True)
class Entry:
    """A line of the log: a decision, and the draws that it made.

    `do` is notation, "deal", "position", "undo N", "redeal" or "resign".
    """

    seat: Seat | None
    do: str
    draws: tuple[int, ...] = ()
    time: str = ""
    salt: str = ""
    position: dict[str, Any] | None = None
    joined: bool = False
    """Whether it belongs to the same turn as the entry before: they are taken back together."""


class _EventRecorder(list[int]):
    """A list of events that records the row at each of them."""

    def __init__(self, events: Events) -> None:
        super().__init__(events)
        self.row: Row = []
        self.rows: list[Row] = []

    def __setitem__(self, index: Any, value: Any) -> None:
        super().__setitem__(index, value)
        if index == 0:  # the number of events, which `emit` writes last
            self.rows.append(self.row[:])


class Match:
    """One playing of a game. Its methods check their arguments.

    >>> from ridotto.games import GAMES
    >>> match = Match(GAMES["fantome"], seed=7)
    >>> match.to_act
    (0,)
    >>> match.play(match.legal()[0])
    >>> match.ply
    2
    """

    def __init__(
        self,
        game: Game,
        seats: int | None = None,
        options: Mapping[str, int] | None = None,
        *,
        seed: int | None = None,
        fair: FairDeal | None = None,
        chance: Chance | None = None,
        draws: Sequence[int] | None = None,
        position: Mapping[str, Any] | None = None,
        deals_hidden: bool = False,
        clock: Callable[[], float] = time.time,
        deal: Entry | None = None,
        version: int | None = None,
    ) -> None:
        """Deal a match: by chance, from a seed, from recorded draws (`draws`, `deal`), or from a position.

        It draws from the system's entropy, unless it has a `seed`, a `fair` deal whose secret is known, or another `chance`.
        A position hides nothing; with `deals_hidden` it may be a view's, and what that hides ("?") is dealt by chance.
        `version` is the version of the rules that it is played by, by default the latest; a position has its own.
        """
        self.game = game
        self.rules = game.rules
        self.build = game.build()
        self._clock = clock
        self.fair = fair
        """The verifiable deal, if this is one: part of the record, outside the hash chain."""
        if chance is None and fair is not None and fair.secret is not None:
            chance = fair.chance()
        elif chance is None and seed is not None:
            chance = Seeded(self.build, self.build.generator(seed))
        self.chance: Chance = chance or Entropy()
        self._salts = None if seed is None else random.Random(f"salt {seed}")
        self.entries: list[Entry] = []
        self._rows: list[array[int]] = []
        """The row after each entry, packed."""
        self._unpacked: tuple[int, Row] = (-1, [])
        """A ply, and the row after it, unpacked."""
        self._line: list[int] = []
        """Plies of the entries in effect: those not undone."""
        self._resigned: dict[int, Seat] = {}
        """The seats that have resigned, by ply."""
        self.events: list[MatchEvent] = []
        """All events, in order, those of undone entries too."""
        self._seen: dict[Seat | None, tuple[int, tuple[Seen, ...]]] = {}
        """By seat: a number of events, and those of them that the seat has seen."""
        self.origin: dict[str, Any] | None = None
        """The match that this one was continued from: part of the record, outside the hash chain."""
        if deal is not None:
            position, draws = deal.position, deal.draws if deal.position is None else None
        if position is not None:
            if deal is not None and deal.draws:
                raise BadDraws(f"nothing is drawn for a position, but {len(deal.draws)} draws are given")
            row, reader = positions.read_masked(game, position) if deals_hidden else (positions.read(game, position), None)
            if reader is not None and reader != positions.EVERYTHING:

                def deal_hidden(row: Row, dice: Dice, events: Events) -> None:
                    self.rules.redeal(row, reader, dice)

                row, _, _ = self._step(row, deal_hidden, None)
                positions.check(game, row)
            self.seats, self.options = positions.seats_of(game, row), positions.options_of(game, row)
            entry = deal or self._entry(None, "position", position=positions.write(game, row))
            self._append(entry, row, [])
            return
        self.seats = game.seat_count(seats)
        self.options = game.settle(options)
        chosen = list(self.options.values())

        def deal_to(row: Row, dice: Dice, events: Events) -> None:
            self.rules.deal(row, self.seats, chosen, dice, events)

        empty = self.build.row()
        if version is not None:
            empty[self.rules.FIELDS.F.version] = version
        row, events, drawn = self._step(empty, deal_to, draws)
        self._append(deal or self._entry(None, "deal", drawn), row, events)

    def __repr__(self) -> str:
        return f"<Match of {self.game.name}, {self.seats} seats, ply {self.ply}{', over' if self.outcome else ''}>"

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "rules"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, rules=state["game"].rules)

    # The state of the match.

    @property
    def ply(self) -> int:
        """The number of entries in the log."""
        return len(self.entries)

    @property
    def is_dealt(self) -> bool:
        """Whether the match has begun."""
        return bool(self.entries)

    @property
    def version(self) -> int:
        """The version of its rules."""
        return int(self._rows[0][self.rules.FIELDS.F.version])

    @property
    def line(self) -> tuple[int, ...]:
        """The plies of the entries in effect: those not undone."""
        return tuple(self._line)

    @property
    def row(self) -> Row:
        """The current row, secrets included: for the referee only."""
        return list(self._current_row)

    def row_after(self, ply: int) -> Row:
        """The row after the entry at `ply`, secrets included: for the referee only."""
        return list(self._rows[ply])

    def before(self, ply: int) -> int:
        """The entry in effect before the one at `ply`."""
        return self._line[self._line.index(ply) - 1]

    def events_of(self, ply: int) -> list[MatchEvent]:
        """The events of the entry at `ply`."""
        return list(takewhile(lambda one: one.ply == ply, self._events_since(ply)))

    def unfolded(self, ply: int) -> list[tuple[MatchEvent, Row]]:
        """The events of the entry in effect at `ply`, each with the row as the rules had it when they emitted it.

        The entry is done once more, with its draws. What the rules did not do, such as a resignation, has the row after it.
        """
        entry, after = self.entries[ply], self.row_after(ply)
        events = self.events_of(ply)
        at = self._line.index(ply)
        if entry.seat is None or not at or ply in self._resigned:
            return [(event, after) for event in events]
        row, recorder = self.row_after(self._line[at - 1]), _EventRecorder(self.build.events())
        recorder.row = row
        self.rules.apply(row, entry.seat, self.game.action(entry.do), self.build.tape(list(entry.draws)), recorder)
        return list(zip(events, recorder.rows, strict=True))

    def check_seat(self, seat: Seat | None) -> Seat:
        """`seat` if this match has it; for None, the only seat that owes a decision. Raises BadSetup otherwise."""
        if seat is None:
            waiting = self.to_act
            if len(waiting) == 1:
                return waiting[0]
            reason = f"seats {', '.join(map(str, waiting))} all owe a decision" if waiting else "the match is over"
            raise BadSetup(f"say which seat: {reason}")
        if type(seat) is not int or not 0 <= seat < self.seats:
            raise BadSetup(f"there are seats 0 to {self.seats - 1}, not {seat!r}")
        return seat

    @property
    def state(self) -> State:
        """The current state, secrets included: for the referee only."""
        last = self._line[-1]
        return State(self.game, self.build, self.seats, self._current_row, self._resigned.get(last))

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats that owe a decision; none when the match is over."""
        return self.state.to_act

    def legal(self, seat: Seat | None = None) -> Legal:
        """The legal actions of a seat (by default the one to act)."""
        if seat is None and not self.to_act:
            return Legal(self.game, ())
        return Legal(self.game, self.state.legal(self.check_seat(seat)))

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, or None while the match goes on."""
        return self.state.outcome

    def scores(self) -> tuple[tuple[int, ...], tuple[dict[str, int], ...]]:
        """The scores as they stand, and the parts of each."""
        return self.state.scores()

    def masked(self, seat: Seat | None) -> Row:
        """The row with everything blanked that `seat` (None: a spectator) may not know. A finished match hides nothing."""
        return self.state.masked(seat)

    def view(self, seat: Seat | None = None, since: int = 0) -> View:
        """The knowledge of one seat, or of a spectator, with the events of the entries from ply `since` on."""
        if seat is not None:
            seat = self.check_seat(seat)
        seen = seen_by(seat, self._events_since(since)) if since else self._seen_by(seat)
        return self.state.view(seat, self.ply, seen)

    def position(self) -> dict[str, Any]:
        """The whole position as named fields, secrets included: for the referee only."""
        return positions.write(self.game, self._current_row)

    def why(self, action: int | str, seat: Seat | None = None) -> Refusal | None:
        """The reason why a seat may not do an action or a turn now; None if it may."""
        seat = self.check_seat(seat)
        if turns.is_turn(action, self.game):
            steps = self._in_order(action, seat)
            return steps if isinstance(steps, Refusal) else None
        return self._why(self._action_id(action, seat), seat)

    def try_out(self, action: int | str, seat: Seat) -> tuple[Step, ...]:
        """The steps of an action or a turn, done on copies of the row. Raises as `play` does."""
        if turns.is_turn(action, self.game):
            steps = self._in_order(action, seat)
            if isinstance(steps, Refusal):
                raise self.refused(steps)
            return steps
        action_id = self._action_id(action, seat)
        self._check(action_id, seat)
        return (watched_step(self.build, self._current_row, seat, action_id),)

    # Changes.

    def play(self, action: int | str, seat: Seat | None = None, *, entry: Entry | None = None) -> None:
        """Do an action, or raise IllegalAction and change nothing. `entry` replays a recorded one, with its draws.

        A text may list several actions, in any order that the rulebook leaves free (see `ridotto.core.turns`), or stand for a
        series of them (see `ridotto.core.inputs`). All of it is done, or nothing.
        """
        seat = self.check_seat(seat)
        if entry is None and turns.is_turn(action, self.game):
            self.do(seat, self.try_out(action, seat))
            return
        action_id = self._action_id(action, seat) if entry is None else self.game.action(action)
        self._check(action_id, seat)
        row, events, drawn = self._step(self.row, self._apply(seat, action_id), entry.draws if entry else None)
        self._append(entry or self._entry(seat, self.rules.ACTIONS.notation(action_id), drawn), row, events)

    def do(self, seat: Seat, steps: Sequence[Step]) -> None:
        """Do steps that were just tried out, as one turn. Only the last may draw: it is done again, with the match's chance."""
        entries = []
        for at, step in enumerate(steps):
            ply = self.ply + at
            if step.has_drawn:
                before = steps[at - 1].row if at else self._current_row
                row, events, drawn = self._step(before, self._apply(seat, step.action), None, ply)
            else:
                row, events, drawn = step.row, read_events(self.rules, step.events, ply), ()
            entry = self._entry(seat, self.rules.ACTIONS.notation(step.action), drawn)
            entries.append((replace(entry, joined=at > 0), row, events))
        for entry, row, events in entries:
            self._append(entry, row, events)

    def resign(self, seat: Seat, *, entry: Entry | None = None) -> None:
        """Let a seat resign: the match is over and the others have won."""
        seat = self.check_seat(seat)
        if not self.to_act:
            raise self.illegal(OVER, "resign", seat)
        ply = self.ply
        self._append(entry or self._entry(seat, "resign"), self.row, [])
        self._resigned[ply] = seat
        self.events.append(MatchEvent(ply, replace(RESIGNED, section=self.game.resigning), (seat,)))

    def undo(self, to: int | None = None, *, entry: Entry | None = None) -> None:
        """Go back to the state after entry `to` (by default, to before the last action). This adds an entry to the log."""
        if len(self._line) == 1:
            raise BadSetup("there is nothing to undo")
        if to is None:
            to = self._line[-2]
        if to not in self._line[:-1]:
            raise BadSetup(f"cannot undo to entry {to!r}; in effect are: {', '.join(map(str, self._line[:-1]))}")
        ply = self.ply
        line = self._line[: self._line.index(to) + 1]
        self._append(entry or self._entry(None, f"undo {to}"), self._rows[to].tolist(), [])
        self._line = line
        self.events.append(MatchEvent(ply, UNDONE, (to,)))

    def after(self, plies: int) -> Match:
        """An independent copy of this match as it was after its first `plies` entries."""
        earlier = copy(self)
        earlier.entries = self.entries[:plies]
        earlier._rows = self._rows[:plies]
        earlier._resigned = {ply: seat for ply, seat in self._resigned.items() if ply < plies}
        earlier.events = self.events[: bisect_left(self.events, plies, key=lambda one: one.ply)]
        earlier._seen = dict(self._seen) if len(earlier.events) == len(self.events) else {}
        earlier.chance = self.chance.copy()
        if plies >= self.ply:
            earlier._line = self._line[:]
            return earlier
        earlier._line = []
        for ply, entry in enumerate(earlier.entries):
            if entry.do.startswith("undo "):
                earlier._line = earlier._line[: earlier._line.index(int(entry.do[5:])) + 1]
            else:
                earlier._line.append(ply)
        return earlier

    def repeat(self, entry: Entry) -> None:
        """Replay a recorded entry, with its draws."""
        verb, _, argument = entry.do.partition(" ")
        if verb in ("undo", "resign") and entry.draws:
            raise BadDraws(f"nothing is drawn for {entry.do!r}, but {len(entry.draws)} draws are given")
        if verb == "undo" and argument.isdecimal() and len(argument) < 10:
            if entry.seat is not None:
                raise BadSetup(f"{entry.do!r} is nobody's action, not seat {entry.seat}'s")
            self.undo(int(argument), entry=entry)
        elif entry.do == "redeal":
            if entry.seat is not None:
                raise BadSetup(f"{entry.do!r} is nobody's action, not seat {entry.seat}'s")
            self.redeal(entry=entry)
        elif entry.seat is None:
            raise BadNotation(f"{entry.do!r} needs a seat")
        elif entry.do == "resign":
            self.resign(entry.seat, entry=entry)
        else:
            self.play(entry.do, entry.seat, entry=entry)

    def redeal(self, *, entry: Entry | None = None) -> None:
        """Deal again everything that a spectator cannot know. This adds an entry to the log, with its draws."""
        if not self.to_act:
            raise Unavailable("match_is_over_and_all_is_shown")

        def do(row: Row, dice: Dice, events: Events) -> None:
            self.rules.redeal(row, -1, dice)

        row, _, drawn = self._step(self.rules.FIELDS.masked(self._current_row, None), do, entry.draws if entry else None)
        ply = self.ply
        self._append(entry or self._entry(None, "redeal", drawn), row, [])
        self.events.append(MatchEvent(ply, REDEALT, ()))

    def onward(self, ply: int, seat: Seat | None, *, seed: int | None = None) -> Match:
        """A new match from the entry at `ply` on, in which the secrets from `seat` (None: a spectator) are dealt again."""
        if type(ply) is not int or not 0 <= ply < self.ply:
            raise BadSetup(f"the match has plies 0 to {self.ply - 1}, not {ply!r}")
        then = self.after(ply + 1)
        if not then.to_act:
            raise Unavailable("match_is_over_at_this_moment")
        dice = self.build.generator(secrets.randbits(62) if seed is None else seed)
        row = then.masked(None if seat is None else self.check_seat(seat))
        self.rules.redeal(row, -1 if seat is None else seat, dice)
        onward = Match(self.game, position=positions.write(self.game, row), seed=seed, clock=self._clock)
        onward.origin = {"ply": ply, "seat": seat}
        return onward

    # Inside.

    @property
    def _current_row(self) -> Row:
        last = self._line[-1]
        if self._unpacked[0] != last:
            self._unpacked = last, self._rows[last].tolist()
        return self._unpacked[1]

    def _action_id(self, action: int | str, seat: Seat) -> int:
        """The action that an id, a notation or another text means for a seat now."""
        meant = self.game.inputs.meaning(self.masked(seat), seat, action) if isinstance(action, str) else None
        return self.game.action(action) if meant is None else meant

    def _in_order(self, text: str, seat: Seat) -> tuple[Step, ...] | Refusal:
        """The steps of a turn in an order that the rules allow, or their refusal. Raises BadNotation."""
        if self._line[-1] in self._resigned:
            return self._refusal(OVER, self.game.resigning, seat, text)
        return turns.in_order(self.state, seat, text)

    def _why(self, action: int, seat: Seat) -> Refusal | None:
        """The reason why a seat may not do an action now; None if it may."""
        if self._line[-1] in self._resigned:
            return self._refusal(OVER, self.game.resigning, seat, action)
        code = self.rules.refuses(self._current_row, seat, action)
        if code == 0:
            return None
        line = self.rules.REASONS.line(code)
        return self._refusal(line.name, line.section, seat, action)

    def _check(self, action: int, seat: Seat) -> None:
        """Raise IllegalAction if the rules refuse an action."""
        refusal = self._why(action, seat)
        if refusal is not None:
            raise self.refused(refusal)

    def _events_since(self, ply: int) -> Iterator[MatchEvent]:
        first = bisect_left(self.events, ply, key=lambda one: one.ply)
        return islice(self.events, first, None)

    def _seen_by(self, seat: Seat | None) -> tuple[Seen, ...]:
        """All events that a seat has seen; each event is checked once."""
        count, seen = self._seen.get(seat, (0, ()))
        if count < len(self.events):
            seen += tuple(seen_by(seat, islice(self.events, count, None)))
            self._seen[seat] = len(self.events), seen
        return seen

    def _refusal(self, reason: str, section: str, seat: Seat, action: int | str) -> Refusal:
        return Refusal(reason, section, seat, action, tuple(self.masked(seat)))

    def illegal(self, reason: str, action: int | str, seat: Seat) -> IllegalAction:
        """The error for a decision that is refused for a reason that all games have."""
        return self.refused(self._refusal(reason, self.game.section_of(action), seat, action))

    def refused(self, refusal: Refusal) -> IllegalAction:
        """The error for developers: the action, the seat, the ply, the reason, and the seat's legal actions."""
        action = refusal.action if isinstance(refusal.action, str) else self.rules.ACTIONS.notation(refusal.action)
        legal = [repr(text) for text in self.legal(refusal.seat)]
        some = ", ".join(legal[:12]) + (f" and {len(legal) - 12} more" if len(legal) > 12 else "")
        where = f"illegal action {action!r} by seat {refusal.seat} at ply {self.ply}"
        why = f"{errors.explain(self.game, refusal)} (§{refusal.section})"
        return IllegalAction(f"{where}: {why}; legal: {some or 'nothing'}", refusal)

    def _apply(self, seat: Seat, action: int) -> Callable[[Row, Dice, Events], None]:
        """An action of a seat, as a step of the rules."""

        def apply(row: Row, dice: Dice, events: Events) -> None:
            self.rules.apply(row, seat, action, dice, events)

        return apply

    def _step(
        self, start: Row, do: Callable[[Row, Dice, Events], None], draws: Sequence[int] | None, ply: int | None = None
    ) -> tuple[Row, list[MatchEvent], tuple[int, ...]]:
        """Run a step on a copy of a row; where a draw is missing, make it and run the step again from the start.

        `ply` is that of its entry, by default the next one.
        """
        ply, drawn = self.ply if ply is None else ply, list(draws or ())
        while True:
            row, dice, events = start[:], self.build.tape(drawn), self.build.events()
            do(row, dice, events)
            missing = dice[3]
            if missing > 0 and draws is None and len(drawn) < MOST_DRAWS:
                drawn.append(self.chance.draw(ply, len(drawn), missing))
                continue
            if missing > 0:
                raise BadDraws(f"draw {len(drawn) + 1} is missing: one of 0 to {missing - 1}")
            if missing < 0:
                raise BadDraws(f"draw {dice[1]} is {drawn[dice[1] - 1]}, not one of 0 to {-missing - 1}")
            if dice[1] < len(drawn):
                raise BadDraws(f"{len(drawn)} draws are given but {dice[1]} are made")
            return row, read_events(self.rules, events, ply), tuple(drawn)

    def _entry(self, seat: Seat | None, do: str, draws: tuple[int, ...] = (), position: dict[str, Any] | None = None) -> Entry:
        stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self._clock()))
        salt = secrets.token_hex(16) if self._salts is None else f"{self._salts.getrandbits(128):032x}"
        return Entry(seat, do, draws, stamp, salt, position)

    def _append(self, entry: Entry, row: Row, events: Sequence[MatchEvent]) -> None:
        self._line.append(self.ply)
        self.entries.append(entry)
        self._rows.append(array("h", row))
        self._unpacked = len(self._rows) - 1, row
        self.events += events
