"""Drafts: turns that are put together one decision after another. A draft does not change its match.

A decision that is due is done on a copy; an early one waits until the rules ask for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from ridotto.core.errors import CLASH, LATER, BadNotation, IllegalAction
from ridotto.core.match import Match
from ridotto.core.view import View
from ridotto.engine.fields import Seat


class Draft(NamedTuple):
    """An unfinished turn."""

    match: Match
    """A copy of the match, after the decisions that can be done already and reveal nothing."""
    done: tuple[str, ...]
    """Those decisions, in an order in which the rules take them; if the turn is `sealed`, the one that ends it is the last."""
    waiting: tuple[str, ...]
    """The decisions that the rules will ask for later."""
    sealed: bool
    """Whether it ends with a draw, or reveals something hidden: the result of that is not in the draft."""

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
        """The seat's view with this draft; legal are the actions compatible with the waiting decisions."""
        view = self.match.view(seat)
        if self.is_whole(seat):
            return replace(view, legal=(), noted=self.done[-1:] if self.sealed else ())
        if not self.waiting:
            return view
        notation = self.match.rules.ACTIONS.notation
        fitting = tuple(action for action in view.legal if _is_compatible(self, seat, notation(action)))
        return replace(view, legal=fitting, noted=self.waiting)


def drafted(match: Match, seat: Seat, decisions: Sequence[str]) -> Draft:
    """The draft with these decisions, in the order in which they were made. Raises IllegalAction or BadNotation.

    An early decision replaces the waiting one about the same thing: all words but the last are equal.
    """
    draft = Draft(match.after(match.ply), (), (), False)
    for decision in decisions:
        draft = _with(draft, seat, decision)
    return draft


def _with(draft: Draft, seat: Seat, decision: str) -> Draft:
    """The draft with one more decision, and with those that waited for it."""
    if draft.sealed:
        raise draft.match.illegal(LATER, decision, seat)
    try:
        return _apply_waiting(_done(draft, seat, decision), seat)
    except (IllegalAction, BadNotation):
        about = decision.split()[:-1]
        waiting = tuple(other for other in draft.waiting if other.split()[:-1] != about)
        if not _is_early(draft.match, seat, decision, waiting):
            raise
    return draft._replace(waiting=(*waiting, decision))


def _done(draft: Draft, seat: Seat, decision: str) -> Draft:
    """The draft after a decision that is due, or after a series of them."""
    steps = draft.match.try_out(decision, seat)
    hidden = frozenset(draft.match.rules.FIELDS.hidden(seat))
    done = (*draft.done, decision)
    if any(step.reveals(hidden) for step in steps):
        if draft.waiting:
            raise draft.match.illegal(LATER, decision, seat)
        return draft._replace(done=done, sealed=True)
    later = draft.match.after(draft.match.ply)
    later.do(seat, steps)
    return draft._replace(match=later, done=done)


def _apply_waiting(draft: Draft, seat: Seat) -> Draft:
    """Apply waiting decisions that became legal; the others must still be possible later."""
    for decision in draft.waiting:
        others = tuple(other for other in draft.waiting if other != decision)
        try:
            return _apply_waiting(_done(draft._replace(waiting=others), seat, decision), seat)
        except (IllegalAction, BadNotation):
            if not _is_early(draft.match, seat, decision, others):
                raise draft.match.illegal(CLASH, decision, seat) from None
    return draft


def _is_early(match: Match, seat: Seat, decision: str, noted: tuple[str, ...]) -> bool:
    """Whether a decision may be made before the one that is due."""
    view = replace(match.view(seat, match.ply), noted=noted)
    return any(early.text == decision for early in view.early)


def _is_compatible(draft: Draft, seat: Seat, decision: str) -> bool:
    """Whether a decision that is due keeps the waiting decisions possible."""
    try:
        _apply_waiting(_done(draft, seat, decision), seat)
    except IllegalAction:
        return False
    return True
