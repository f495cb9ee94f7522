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
from typing import TYPE_CHECKING, Final, NamedTuple

from ridotto.core import takeback
from ridotto.core.errors import BadNotation, IllegalAction
from ridotto.core.view import CLASH, LATER
from ridotto.engine.fields import Seat

if TYPE_CHECKING:
    from ridotto.core.match import Match
    from ridotto.core.protocols import Words
    from ridotto.core.view import View

SEPARATOR: Final = ","
MOST: Final = 24
"""Decisions of a turn at most."""


def decisions(text: str) -> list[str]:
    """The decisions that a text lists."""
    found = [part.strip() for part in text.split(SEPARATOR)]
    if not all(found) or len(found) > MOST:
        raise BadNotation(
            f"a turn is up to {MOST} actions with commas between them, such as 'move 3, lock 0-1', not {text[:60]!r}"
        )
    return found


def done(match: Match, seat: Seat, wanted: Sequence[str]) -> Match:
    """A copy of a match after these decisions of a seat, in the first order that the rules allow.

    Raises IllegalAction or BadNotation if there is none: what was wrong where most of them had been done.
    """
    best: tuple[int, IllegalAction | BadNotation] | None = None

    def go_on(now: Match, left: tuple[str, ...]) -> Match | None:
        nonlocal best
        if not left:
            return now
        for one in dict.fromkeys(left):
            later = now.after(now.ply)
            at = left.index(one)
            others = left[:at] + left[at + 1 :]
            try:
                later.do(one, seat)
                if others and any(takeback.has_taught(later, ply) for ply in range(now.ply, later.ply)):
                    raise later.illegal(LATER, one, seat)
            except (IllegalAction, BadNotation) as error:
                if best is None or len(left) < best[0]:
                    best = len(left), error
                continue
            if (found := go_on(later, others)) is not None:
                return found
        return None

    found = go_on(match, tuple(wanted))
    if found is None:
        assert best is not None
        raise best[1]
    return found


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
        return self.match.game.page.begins_turn(self.match.view(seat, self.match.ply))

    def view(self, seat: Seat, words: Words) -> View:
        """What the seat would see with this draft: it may do what goes with the decisions that wait."""
        view = self.match.view(seat)
        if self.is_whole(seat):
            return replace(view, legal=(), noted=self.done[-1:] if self.sealed else ())
        if not self.waiting:
            return view
        notation = self.match.rules.ACTIONS.notation
        fitting = tuple(action for action in view.legal if _goes_with(self, seat, notation(action), words))
        return replace(view, legal=fitting, noted=self.waiting)


def drafted(match: Match, seat: Seat, wanted: Sequence[str], words: Words) -> Draft:
    """A turn out of decisions in the order in which somebody made them.

    What is asked for is done, on a copy; what may be decided ahead waits for its time, and replaces what waited as an answer to
    the same: a decision of which all words but the last are equal. Raises IllegalAction or BadNotation.
    """
    draft = Draft(match.after(match.ply), (), (), False)
    for one in wanted:
        draft = _with(draft, seat, one, words)
    return draft


def _with(draft: Draft, seat: Seat, decision: str, words: Words) -> Draft:
    """The draft with one more decision, and with those that waited for it."""
    now, done, waiting = draft.match, draft.done, draft.waiting
    if draft.sealed:
        raise now.illegal(LATER, decision, seat)
    try:
        return _settled(_done(draft, seat, decision), seat, words)
    except (IllegalAction, BadNotation):
        about = decision.split()[:-1]
        waiting = tuple(one for one in waiting if one.split()[:-1] != about)
        if not _is_ahead(now, seat, decision, waiting, words):
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


def _settled(draft: Draft, seat: Seat, words: Words) -> Draft:
    """The draft with what has waited long enough; all that waits on must be possible still."""
    for one in draft.waiting:
        others = tuple(other for other in draft.waiting if other != one)
        try:
            return _settled(_done(draft._replace(waiting=others), seat, one), seat, words)
        except (IllegalAction, BadNotation):
            if not _is_ahead(draft.match, seat, one, others, words):
                raise draft.match.illegal(CLASH, one, seat) from None
    return draft


def _is_ahead(match: Match, seat: Seat, decision: str, noted: tuple[str, ...], words: Words) -> bool:
    """Whether a decision may be made before the one that is asked for."""
    view = replace(match.view(seat, match.ply), noted=noted)
    return any(one.text == decision for one in view.ahead(words))


def _goes_with(draft: Draft, seat: Seat, decision: str, words: Words) -> bool:
    """Whether a decision that is asked for leaves those possible that wait."""
    try:
        _settled(_done(draft, seat, decision), seat, words)
    except IllegalAction:
        return False
    return True
