"""A whole turn handed in at once: several decisions of one seat, in any order that the rulebook leaves free.

The rules ask for one small decision after another, in an order of their own where the rulebook sets none: for Madame Giry's
padlock before her move, for instance. People need not follow it. `move 3, lock 0-1` is the same turn as `lock 0-1, move 3`: it
is done in the first order that the rules allow, all of it or nothing. A decision that has to wait for a draw, or for what
others have hidden, cannot be part of it: otherwise somebody could try turns until chance is kind.

A turn may also be put together one decision after another (see `drafted`): what comes early waits until the rules ask for it.

>>> from ridotto.core.match import Match
>>> from ridotto.games import GAMES
>>> match = Match(GAMES["fantome"], seed=4)
>>> match.play("pick giry, move 1, lock 4-8")
>>> [entry.do for entry in match.entries[1:]]
['pick giry', 'lock 4-8', 'move 1']
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ridotto.core import takeback
from ridotto.core.errors import BadNotation, BadSeries, IllegalAction
from ridotto.core.state import State
from ridotto.core.view import CLASH, LATER, Refusal
from ridotto.core.worlds import watched_step
from ridotto.engine.fields import Row, Seat

if TYPE_CHECKING:
    from ridotto.core.game import Game
    from ridotto.core.match import Match
    from ridotto.core.view import View

SEPARATOR: Final = ","
MOST: Final = 24
"""Decisions of a turn at most."""
MOST_TRIES: Final = 1000
"""Decisions that are tried at most to find an order of a turn. Shuffled turns of eight decisions needed up to 685."""


def decisions(text: str) -> list[str]:
    """The decisions that a text lists."""
    found = [part.strip() for part in text.split(SEPARATOR)]
    if not all(found) or len(found) > MOST:
        raise BadNotation(
            f"a turn is up to {MOST} actions with commas between them, such as 'move 3, lock 0-1', not {text[:60]!r}"
        )
    return found


def in_order(match: Match, seat: Seat, wanted: Sequence[str]) -> tuple[int, ...]:
    """The actions of a turn, in the first order that the rules allow. Nothing is done.

    Raises IllegalAction or BadNotation if there is none: what was wrong where most of the turn had been tried. At most
    MOST_TRIES decisions are tried, whatever the text.
    """
    for decision in wanted:
        _check_names(match.game, decision)
    search = _Search(match, seat, wanted)
    actions = search.go_on(match.row, tuple(range(len(wanted))), None)
    if actions is None:
        raise search.error()
    return actions


def _check_names(game: Game, decision: str) -> None:
    """Raise BadNotation for a text that cannot name an action of the game, whatever is asked."""
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

    def error(self, match: Match, seat: Seat) -> IllegalAction | BadNotation:
        """The error for whoever handed the turn in, who is told what is legal now, not what would be later."""
        if self.action is None:
            return match.game.unknown_action(self.decision)
        text = match.rules.ACTIONS.notation(self.action) if isinstance(self.action, int) else self.action
        masked = State(match.game, match.build, match.seats, self.row).masked(seat)
        return match.refused(text, Refusal(self.reason, self.section, seat, self.action, tuple(masked), self.fault))


class _Tried(NamedTuple):
    """A decision that the rules allow."""

    actions: tuple[int, ...]
    row: Row
    shows: bool
    """Whether it shows a draw, or something that was hidden from whoever decides."""


class _Search:
    """The search for an order of the decisions of a turn, depth first, in the order in which they were written.

    Decisions with which turns begin keep their order: what is written between two of them belongs to the first.
    """

    def __init__(self, match: Match, seat: Seat, wanted: Sequence[str]) -> None:
        self.match, self.seat, self.wanted = match, seat, wanted
        self.hidden = frozenset(match.rules.FIELDS.hidden(seat))
        self.left = MOST_TRIES
        self._dead_ends: set[tuple[Any, ...]] = set()
        self._best: tuple[int, _Refused] | None = None
        """What was refused where fewest decisions were left, and how many those were."""

    def error(self) -> IllegalAction | BadNotation:
        assert self._best is not None
        return self._best[1].error(self.match, self.seat)

    def go_on(self, row: Row, left: tuple[int, ...], next_turn: int | None) -> tuple[int, ...] | None:
        """The actions from a row on, with the decisions that are left, by their places in the text; None if there are none.

        `next_turn` is the place of the decision with which another turn of the same seat begins.
        """
        if not left:
            return ()
        known = (left, next_turn, tuple(row))
        if known in self._dead_ends:
            return None
        begins = self._begins_turn(row)
        here = left if begins or next_turn is None else tuple(at for at in left if at < next_turn) or left[:1]
        tried: dict[int, _Tried] = {}
        for at in here:
            if (now := self._try(row, at, left)) is not None:
                tried[at] = now
                if not begins and (actions := self._after(at, now, left, next_turn)) is not None:
                    return actions
        if begins and tried:
            first, *later = tried
            if (actions := self._after(first, tried[first], left, later[0] if later else None)) is not None:
                return actions
        self._dead_ends.add(known)
        return None

    def _after(self, at: int, now: _Tried, left: tuple[int, ...], next_turn: int | None) -> tuple[int, ...] | None:
        later = self.go_on(now.row, tuple(other for other in left if other != at), next_turn)
        return None if later is None else now.actions + later

    def _try(self, row: Row, at: int, left: tuple[int, ...]) -> _Tried | None:
        """A decision, done on a copy of a row; None if the rules do not allow it there, or the tries are used up."""
        if self.left == 0:
            return None
        self.left -= 1
        result = self._done(row, self.wanted[at])
        if isinstance(result, _Tried) and result.shows and len(left) > 1:
            action = result.actions[0] if len(result.actions) == 1 else self.wanted[at]
            result = self._refused(row, self.wanted[at], action, LATER)
        if isinstance(result, _Tried):
            return result
        if self._best is None or len(left) < self._best[0]:
            self._best = len(left), result
        return None

    def _done(self, row: Row, decision: str) -> _Tried | _Refused:
        game, seat, rules = self.match.game, self.seat, self.match.rules
        masked = State(game, self.match.build, self.match.seats, row).masked(seat)
        if game.inputs.is_series(decision):
            try:
                actions = game.inputs.read_series(masked, seat, decision)
            except BadSeries as error:
                return _Refused(decision, decision, "series", error.section, row, error)
        else:
            meant = game.inputs.meaning(masked, seat, decision)
            action = rules.ACTIONS.parse(decision) if meant is None else meant
            if action is None:
                return _Refused(decision, None, "", "", row)
            actions = [action]
        shows = False
        for action in actions:
            if shows:
                return self._refused(row, decision, action, LATER)
            if code := rules.refuses(row, seat, action):
                line = rules.REASONS.line(code)
                return _Refused(decision, action, line.name, line.section, row)
            step = watched_step(self.match.build, row, seat, action)
            row, shows = step.row, step.shows(self.hidden)
        return _Tried(tuple(actions), row, shows)

    def _refused(self, row: Row, decision: str, action: int | str, reason: str) -> _Refused:
        """A refusal for a reason that all games have."""
        return _Refused(decision, action, reason, self.match.section_of(action), row)

    def _begins_turn(self, row: Row) -> bool:
        """Whether a turn of the seat begins at a row."""
        state = State(self.match.game, self.match.build, self.match.seats, row)
        return self.seat in state.to_act and self.match.game.inputs.begins_turn(state.masked(self.seat), self.seat)


class Draft(NamedTuple):
    """A turn as far as somebody has put it together. Nothing of it is done."""

    match: Match
    """A copy of the match, after the decisions that can be done already and show nothing new."""
    done: tuple[str, ...]
    """Those decisions, in an order in which the rules take them; if the turn is `sealed`, the one that ends it is the last."""
    waiting: tuple[str, ...]
    """The decisions that the rules will ask for later."""
    sealed: bool
    """Whether it ends with a draw, or with something hidden that is shown: what comes of that is not in the draft."""

    @property
    def decisions(self) -> tuple[str, ...]:
        return self.done + self.waiting

    def is_whole(self, seat: Seat) -> bool:
        """Whether nothing more belongs to the turn: it can only be confirmed."""
        if self.waiting or not self.done:
            return False
        if self.sealed or seat not in self.match.to_act:
            return True
        return self.match.game.inputs.begins_turn(self.match.masked(seat), seat)

    def view(self, seat: Seat) -> View:
        """What the seat would see with this draft: it may do what goes with the decisions that wait."""
        view = self.match.view(seat)
        if self.is_whole(seat):
            return replace(view, legal=(), noted=self.done[-1:] if self.sealed else ())
        if not self.waiting:
            return view
        notation = self.match.rules.ACTIONS.notation
        fitting = tuple(action for action in view.legal if _goes_with(self, seat, notation(action)))
        return replace(view, legal=fitting, noted=self.waiting)


def drafted(match: Match, seat: Seat, wanted: Sequence[str]) -> Draft:
    """A turn out of decisions in the order in which somebody made them.

    What is asked for is done, on a copy; what may be decided ahead waits for its time, and replaces what waited as an answer to
    the same: a decision of which all words but the last are equal. Raises IllegalAction or BadNotation.
    """
    draft = Draft(match.after(match.ply), (), (), False)
    for one in wanted:
        draft = _with(draft, seat, one)
    return draft


def _with(draft: Draft, seat: Seat, decision: str) -> Draft:
    """The draft with one more decision, and with those that waited for it."""
    now, done, waiting = draft.match, draft.done, draft.waiting
    if draft.sealed:
        raise now.illegal(LATER, decision, seat)
    try:
        return _settled(_done(draft, seat, decision), seat)
    except (IllegalAction, BadNotation):
        about = decision.split()[:-1]
        waiting = tuple(one for one in waiting if one.split()[:-1] != about)
        if not _is_early(now, seat, decision, waiting):
            raise
    return Draft(now, done, (*waiting, decision), False)


def _done(draft: Draft, seat: Seat, decision: str) -> Draft:
    """The draft with a decision that is asked for, or with several at once."""
    later = draft.match.after(draft.match.ply)
    later.play(decision, seat)
    is_sealed = any(takeback.has_taught(later, ply) for ply in range(draft.match.ply, later.ply))
    if is_sealed and draft.waiting:
        raise draft.match.illegal(LATER, decision, seat)
    return Draft(draft.match if is_sealed else later, (*draft.done, decision), draft.waiting, is_sealed)


def _settled(draft: Draft, seat: Seat) -> Draft:
    """The draft with what has waited long enough; all that waits on must be possible still."""
    for one in draft.waiting:
        others = tuple(other for other in draft.waiting if other != one)
        try:
            return _settled(_done(draft._replace(waiting=others), seat, one), seat)
        except (IllegalAction, BadNotation):
            if not _is_early(draft.match, seat, one, others):
                raise draft.match.illegal(CLASH, one, seat) from None
    return draft


def _is_early(match: Match, seat: Seat, decision: str, noted: tuple[str, ...]) -> bool:
    """Whether a decision may be made before the one that is asked for."""
    view = replace(match.view(seat, match.ply), noted=noted)
    return any(one.text == decision for one in view.early)


def _goes_with(draft: Draft, seat: Seat, decision: str) -> bool:
    """Whether a decision that is asked for leaves those possible that wait."""
    try:
        _settled(_done(draft, seat, decision), seat)
    except IllegalAction:
        return False
    return True
