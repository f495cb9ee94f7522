"""Turns that somebody puts together: what their page shows until they confirm. Nothing of it is stored."""

from __future__ import annotations

from dataclasses import replace

from ridotto.core import drafts, turns
from ridotto.core.drafts import Draft
from ridotto.core.match import Match
from ridotto.engine.fields import Seat
from ridotto.present.ui import ui
from ridotto.present.words import Words
from ridotto.web.pages.models import DraftView, TablePage


def drafted_match(match: Match, seat: Seat, text: str) -> Match:
    """A match as somebody plans it, with the decisions of a draft ("": as it is). Raises IllegalAction or BadNotation."""
    return drafts.drafted(match, seat, turns.decisions(text)).match if text else match


def drafted_table(match: Match, table: TablePage, text: str) -> tuple[Match, TablePage]:
    """A match and its table as a reader plans them, with the decisions of a draft. Raises IllegalAction or BadNotation."""
    seat, words = table.view.seat, table.words
    assert seat is not None
    draft = drafts.drafted(match, seat, turns.decisions(text))
    view = draft.view(seat)
    told = tuple(words.event(one) for one in draft.match.view(seat, match.ply).seen)
    noted = _noted(draft, seat, words)
    shown = DraftView(draft.decisions, told, noted, f"{turns.SEPARATOR} ".join(draft.done), draft.is_whole(seat))
    return draft.match, replace(table, view=view, pictured=ui(table.game).scene(view, words), draft=shown)


def _noted(draft: Draft, seat: Seat, words: Words) -> tuple[str, ...]:
    """The decisions that are not seen to be done yet, in words."""
    view, actions = draft.match.view(seat), draft.match.rules.ACTIONS
    labels = dict(words.all_early(view))
    found = []
    for text in (*(draft.done[-1:] if draft.sealed else ()), *draft.waiting):
        meant = view.game.inputs.meaning(view.row, seat, text)
        action = actions.parse(text) if meant is None else meant
        found.append(labels.get(text) or (words.label(view.row, seat, action) if action is not None else text))
    return tuple(found)
