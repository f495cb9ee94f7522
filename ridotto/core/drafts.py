"""Drafts: turns that are put together one decision after another. Nothing of a draft is done in the match itself.

A decision that is asked for is done on a copy; one that comes early waits until the rules ask for it.
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
    """A turn as far as it is put together."""

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
        """The seat's view with this draft: legal is what goes with the decisions that wait."""
        view = self.match.view(seat)
        if self.is_whole(seat):
            return replace(view, legal=(), noted=self.done[-1:] if self.sealed else ())
        if not self.waiting:
            return view
        notation = self.match.rules.ACTIONS.notation
        fitting = tuple(action for action in view.legal if _goes_with(self, seat, notation(action)))
        return replace(view, legal=fitting, noted=self.waiting)


def drafted(match: Match, seat: Seat, decisions: Sequence[str]) -> Draft:
    """The draft with these decisions, in the order in which they were made. Raises IllegalAction or BadNotation.

    A decision ahead replaces the waiting one that answers the same: of which all words but the last are equal.
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
        return _settled(_done(draft, seat, decision), seat)
    except (IllegalAction, BadNotation):
        about = decision.split()[:-1]
        waiting = tuple(other for other in draft.waiting if other.split()[:-1] != about)
        if not _is_early(draft.match, seat, decision, waiting):
            raise
    return draft._replace(waiting=(*waiting, decision))


def _done(draft: Draft, seat: Seat, decision: str) -> Draft:
    """The draft with a decision that is asked for, or with several at once."""
    steps = draft.match.try_out(decision, seat)
    hidden = frozenset(draft.match.rules.FIELDS.hidden(seat))
    done = (*draft.done, decision)
    if any(step.shows(hidden) for step in steps):
        if draft.waiting:
            raise draft.match.illegal(LATER, decision, seat)
        return draft._replace(done=done, sealed=True)
    later = draft.match.after(draft.match.ply)
    later.do(seat, steps)
    return draft._replace(match=later, done=done)


def _settled(draft: Draft, seat: Seat) -> Draft:
    """The draft with the waiting decisions done that are asked for now; the others must still be possible later."""
    for decision in draft.waiting:
        others = tuple(other for other in draft.waiting if other != decision)
        try:
            return _settled(_done(draft._replace(waiting=others), seat, decision), seat)
        except (IllegalAction, BadNotation):
            if not _is_early(draft.match, seat, decision, others):
                raise draft.match.illegal(CLASH, decision, seat) from None
    return draft


def _is_early(match: Match, seat: Seat, decision: str, noted: tuple[str, ...]) -> bool:
    """Whether a decision may be made before the one that is asked for."""
    view = replace(match.view(seat, match.ply), noted=noted)
    return any(early.text == decision for early in view.early)


def _goes_with(draft: Draft, seat: Seat, decision: str) -> bool:
    """Whether the waiting decisions are still possible after a decision that is asked for."""
    try:
        _settled(_done(draft, seat, decision), seat)
    except IllegalAction:
        return False
    return True
