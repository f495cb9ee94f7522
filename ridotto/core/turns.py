"""Turns: several decisions of one seat in one text, in any order that the rulebook leaves free.

The rules ask for one small decision after another, in an order of their own where the rulebook sets none: for Madame Giry's
padlock before her move, for instance. People need not follow it. `move 3, lock 0-1` is the same turn as `lock 0-1, move 3`: it
is done in the first order that the rules allow, all of it or nothing. A decision that has to wait for a draw, or for what
others have hidden, cannot be part of it: otherwise a player could try turns until chance is kind.

This module searches for that order, on copies of the row. `Match.play` takes a turn like any action:

>>> from ridotto.core.match import Match
>>> from ridotto.games import GAMES
>>> match = Match(GAMES["fantome"], seed=4)
>>> match.play("pick giry, move 1, lock 4-8")
>>> [entry.do for entry in match.entries[1:]]
['pick giry', 'lock 4-8', 'move 1']
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, TypeGuard

from ridotto.core.errors import LATER, BadNotation, BadSeries, Refusal
from ridotto.core.game import Game
from ridotto.core.state import State
from ridotto.core.worlds import Step, watched_step
from ridotto.engine.fields import Row, Seat

SEPARATOR: Final = ","
MOST_DECISIONS: Final = 24
"""The most decisions in a turn."""
MOST_TRIES: Final = 1000
"""The most decisions that are tried to find an order of a turn. Shuffled turns of eight decisions needed up to 685."""


def is_turn(action: int | str, game: Game) -> TypeGuard[str]:
    """Whether an action is a text of several decisions, or of a series of actions."""
    return isinstance(action, str) and (SEPARATOR in action or game.inputs.is_series(action))


def decisions(text: str) -> list[str]:
    """The decisions that a text lists."""
    listed = [part.strip() for part in text.split(SEPARATOR)]
    if not all(listed) or len(listed) > MOST_DECISIONS:
        raise BadNotation(
            f"a turn is up to {MOST_DECISIONS} actions with commas between them, such as 'move 3, lock 0-1', not {text[:60]!r}"
        )
    return listed


def in_order(state: State, seat: Seat, text: str) -> tuple[Step, ...] | Refusal:
    """The steps of a turn, in the first order that the rules allow, or the refusal if they allow none.

    The refusal is the one where most of the turn had been tried. Only the last step may draw, or show what was hidden from the
    seat. At most MOST_TRIES decisions are tried, whatever the text. Raises BadNotation.
    """
    listed = decisions(text)
    for decision in listed:
        _check_names(state.game, decision)
    search = _OrderSearch(state, seat, listed)
    steps = search.steps_from(state.row, tuple(range(len(listed))), None)
    return search.refusal() if steps is None else steps


def _check_names(game: Game, decision: str) -> None:
    """Raise BadNotation for a text that cannot name an action of the game at any moment."""
    if game.rules.ACTIONS.parse(decision) is not None or game.inputs.is_series(decision):
        return
    verb, *what = decision.lower().split()
    # Some games let people say more than the notation has: whom they send, which role they cast.
    if any(family.verb == verb for family in game.rules.ACTIONS) and game.names.issuperset(what):
        return
    game.action(decision)


class _Refused(NamedTuple):
    """A decision that the rules do not allow at some moment of a turn."""

    decision: str
    action: int | str | None
    """None: it names no action at that moment."""
    reason: str
    section: str
    row: Row
    """The row at that moment."""
    fault: BadSeries | None = None
    """The fault in the text of a series of actions."""


class _Tried(NamedTuple):
    """A decision that the rules allow."""

    steps: tuple[Step, ...]
    row: Row
    reveals: bool
    """Whether it reveals a draw, or something that was hidden from the seat."""


class _OrderSearch:
    """The search for an order of the decisions of a turn, depth first, in the order in which they were written.

    Decisions with which turns begin, such as the cards of Le Fantôme, keep their order: what is written between two of them
    belongs to the first.
    """

    def __init__(self, state: State, seat: Seat, decisions: Sequence[str]) -> None:
        self.state, self.seat, self.decisions = state, seat, decisions
        self.game, self.rules = state.game, state.game.rules
        self.hidden = frozenset(self.rules.FIELDS.hidden(seat))
        self.tries_left = MOST_TRIES
        self._dead_ends: set[tuple[Any, ...]] = set()
        self._furthest: tuple[int, _Refused] | None = None
        """The fewest decisions left so far, and the refused one there."""

    def refusal(self) -> Refusal:
        """The refusal where fewest decisions were left. Raises BadNotation if the text names no action there."""
        assert self._furthest is not None
        _, refused = self._furthest
        if refused.action is None:
            raise self.game.unknown_action(refused.decision)
        masked = self._state_at(refused.row).masked(self.seat)
        return Refusal(refused.reason, refused.section, self.seat, refused.action, tuple(masked), refused.fault)

    def steps_from(self, row: Row, left: tuple[int, ...], next_turn: int | None) -> tuple[Step, ...] | None:
        """The steps from a row on, with the decisions that are left, by their places in the text; None if there are none.

        `next_turn` is the place of the decision with which another turn of the same seat begins.
        """
        if not left:
            return ()
        position = (left, next_turn, tuple(row))
        if position in self._dead_ends:
            return None
        begins = self._begins_turn(row)
        here = left if begins or next_turn is None else tuple(at for at in left if at < next_turn) or left[:1]
        possible: dict[int, _Tried] = {}
        for at in here:
            if (tried := self._try(row, at, left)) is not None:
                possible[at] = tried
                if not begins and (steps := self._steps_after(at, tried, left, next_turn)) is not None:
                    return steps
        if begins and possible:
            first, *later = possible
            if (steps := self._steps_after(first, possible[first], left, later[0] if later else None)) is not None:
                return steps
        self._dead_ends.add(position)
        return None

    def _steps_after(self, at: int, tried: _Tried, left: tuple[int, ...], next_turn: int | None) -> tuple[Step, ...] | None:
        later = self.steps_from(tried.row, tuple(other for other in left if other != at), next_turn)
        return None if later is None else tried.steps + later

    def _try(self, row: Row, at: int, left: tuple[int, ...]) -> _Tried | None:
        """A decision, done on a copy of a row; None if the rules do not allow it there, or the tries are used up."""
        if self.tries_left == 0:
            return None
        self.tries_left -= 1
        result = self._done(row, self.decisions[at])
        if isinstance(result, _Tried) and result.reveals and len(left) > 1:
            action = result.steps[0].action if len(result.steps) == 1 else self.decisions[at]
            result = self._refused(row, self.decisions[at], action, LATER)
        if isinstance(result, _Tried):
            return result
        if self._furthest is None or len(left) < self._furthest[0]:
            self._furthest = len(left), result
        return None

    def _done(self, row: Row, decision: str) -> _Tried | _Refused:
        game, seat = self.game, self.seat
        masked = self._state_at(row).masked(seat)
        if game.inputs.is_series(decision):
            try:
                actions = game.inputs.read_series(masked, seat, decision)
            except BadSeries as error:
                return _Refused(decision, decision, "series", error.section, row, error)
        else:
            meant = game.inputs.meaning(masked, seat, decision)
            action = self.rules.ACTIONS.parse(decision) if meant is None else meant
            if action is None:
                return _Refused(decision, None, "", "", row)
            actions = [action]
        steps: list[Step] = []
        reveals = False
        for action in actions:
            if reveals:
                return self._refused(row, decision, action, LATER)
            if code := self.rules.refuses(row, seat, action):
                line = self.rules.REASONS.line(code)
                return _Refused(decision, action, line.name, line.section, row)
            steps.append(watched_step(self.state.build, row, seat, action))
            row, reveals = steps[-1].row, steps[-1].reveals(self.hidden)
        return _Tried(tuple(steps), row, reveals)

    def _refused(self, row: Row, decision: str, action: int | str, reason: str) -> _Refused:
        """A refusal for a reason that all games have."""
        return _Refused(decision, action, reason, self.game.section_of(action), row)

    def _begins_turn(self, row: Row) -> bool:
        """Whether a turn of the seat begins at a row."""
        state = self._state_at(row)
        return self.seat in state.to_act and self.game.inputs.begins_turn(state.masked(self.seat), self.seat)

    def _state_at(self, row: Row) -> State:
        return State(self.game, self.state.build, self.state.seats, row)
