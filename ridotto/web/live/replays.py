"""Replays: a table as it was, as somebody saw it then.

While a match goes on, everybody looks back with their own eyes: at what they saw then. When it is over there are no secrets,
and any eyes will do, open ones included.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from ridotto.core.match import Match
from ridotto.core.view import Seen, View
from ridotto.web.live.state import TableState
from ridotto.web.pages import models
from ridotto.web.pages.replay import OPEN, WATCH
from ridotto.web.pages.table_log import log_lines


def allowed_eyes(state: TableState, person: str) -> list[str]:
    """With whose eyes somebody may look back; the first if they do not say."""
    own = state.seat_of(person)
    if state.match.to_act:
        return [WATCH if own is None else str(own)]
    seats = [str(seat) for seat in range(state.match.seats)]
    first = [OPEN] if own is None else [str(own)]
    return [*first, *(eyes for eyes in (*seats, WATCH, OPEN) if eyes not in first)]


def past_view(match: Match, ply: int, eyes: str) -> View:
    """The match as it was after an entry, as these eyes saw it; nothing can be done there any more."""
    past = match.after(ply + 1)
    if eyes == OPEN:
        seen = tuple(
            Seen(one.ply, one.event, {arg.name: value for arg, value in zip(one.event.args, one.values, strict=True)})
            for one in past.events
        )
        return replace(past.view(None), row=tuple(past.row), seen=seen)
    return replace(past.view(None if eyes == WATCH else int(eyes)), legal=())


def past_model(state: TableState, model: models.TablePage, ply: int, eyes: str) -> models.TablePage:
    """The view model of a past moment, made from that of the table as it is."""
    view = past_view(state.match, ply, eyes)
    lines = log_lines(view.seen, state.words(model.reader.language, view.seat))
    seats = tuple(
        one._replace(owing=one.seat in view.to_act, clock=None, link="", you=str(one.seat) == eyes) for one in model.seats
    )
    over: Literal["playing", "over"] = "over" if view.outcome else "playing"
    return replace(
        model,
        view=view,
        log=lines,
        seats=seats,
        state=over,
        spoken=None,
        pictured=None,
        thinking=(),
        offer=None,
        handover=None,
        since=ply,
    )


def round_starts(match: Match) -> list[int]:
    """The entries with which rounds begin; the deal alone where the game has no rounds."""
    at = match.rules.ROUND
    if at < 0:
        return [0]
    numbers = [match.row_after(ply)[at] for ply in range(match.ply)]
    return [ply for ply, number in enumerate(numbers) if ply == 0 or number != numbers[ply - 1]]
