"""The view models of a table's pages, made from its state for one reader."""

from __future__ import annotations

import json
from collections.abc import Hashable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

from ridotto.core.match import Match
from ridotto.core.takeback import Takeback, plan_takeback
from ridotto.core.view import Seen, View, seen_by
from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import Seat
from ridotto.present import takeback as takebacks
from ridotto.present.beats import Part, last_turn, latest_beat
from ridotto.present.narrator import mark, opening
from ridotto.present.scene import Scene
from ridotto.present.ui import ui
from ridotto.present.words import Words
from ridotto.web.live.links import Links
from ridotto.web.live.state import TableState
from ridotto.web.pages import models
from ridotto.web.pages.models import Reader
from ridotto.web.pages.replay import turning_point
from ridotto.web.pages.table_log import log_lines
from ridotto.web.storage.chat import ChatLine


class Audience(NamedTuple):
    """Readers who see the same: everything about a reader that what they see of a table depends on."""

    seat: Seat | None
    language: str
    is_player: bool
    is_host: bool
    handover: Seat | None
    """The seat that a shared device has to be handed to before anything is drawn."""
    kept: Seat | None
    """The seat that is kept for them: they are offered a rematch."""
    links: Links


def audience_of(state: TableState, person: str, language: str, links: Links) -> Audience:
    """The audience that somebody belongs to."""
    info, is_player = state.info, state.info.is_player(person)
    kept = None if is_player else info.reserved_for(person)
    return Audience(state.seat_of(person), language, is_player, person == info.host, state.handover(person), kept, links)


async def table_model(state: TableState, reader: Reader, audience: Audience, now: int = 0) -> models.TablePage:
    """A table as one reader sees it at a time, in milliseconds as the server counts them.

    What nobody has seen yet is drawn in a thread, when it is the turn of whoever asks.
    """
    offer = await offer_to(state, audience)
    perspective = await state.once(_perspective_key(audience), partial(_draw_perspective, state, audience))
    return table_page(state, reader, audience, offer, now, perspective)


async def offer_to(state: TableState, audience: Audience) -> models.OfferView | None:
    """The offer that there is at a table, as an audience sees it."""
    if state.extras.offer is None:
        return None
    return await _offer(state, audience.seat, state.words(audience.language, audience.seat))


def table_page(
    state: TableState,
    reader: Reader,
    audience: Audience,
    offer: models.OfferView | None,
    now: int,
    perspective: Perspective | None,
) -> models.TablePage:
    """The same, where it is known what is offered; without the log and the picture if there is no `perspective`."""
    info, seat, links = state.info, audience.seat, audience.links
    words = state.words(audience.language, seat)
    view, lines, scene = perspective or Perspective(_view(state, seat), (), None)
    return models.TablePage(
        reader=reader,
        id=info.id,
        game=state.game,
        view=view,
        seats=_seats(state, audience, words),
        state=info.state,
        log=lines,
        options=dict(info.options),
        links=models.TableLinks(
            own_seat=links.own_seat(info, seat) if seat is not None else "",
            table=links.watch(info) if audience.is_player or audience.is_host or not info.private else "",
            reach=links.describe_reach(words.narrator),
            is_private=info.private,
            card=links.card(info.game, audience.language),
        ),
        thinking=tuple(chair.seat for chair in info.chairs if chair.bot is not None and chair.seat in view.to_act),
        degraded=state.degraded if info.state != "over" else {},
        rematch=models.Rematch(
            f"/t/{info.rematch}" if info.rematch else "", _rematch_by(state, seat), audience.kept, _is_challenge(state)
        ),
        deal=_deal(state),
        turning=_turning(state, words),
        came_from=_came_from(state) if audience.is_player or audience.is_host else None,
        spoken=words,
        pictured=scene,
        since=view.ply,
        recent=latest_beat(state.game, view.seen) if seat is None else last_turn(view.seen, seat),
        now=now,
        agreement=models.Agreement(
            info.settings.clock, info.plays_on, info.takebacks, info.rated, info.settings.seeks_until is not None
        ),
        rights=_rights(state, audience),
        offer=offer,
        handover=audience.handover,
    )


def _rights(state: TableState, audience: Audience) -> models.Rights:
    """The rights of an audience at a table."""
    info, seat = state.info, audience.seat
    return models.Rights(
        is_seated=audience.is_player,
        is_host=audience.is_host,
        may_chat=audience.is_player or audience.is_host or not info.settings.only_players_chat,
        may_take_back=seat is not None
        and info.state != "over"
        and info.takebacks != "never"
        and info.chairs[seat].bot is None
        and any(entry.seat == seat for entry in reversed(state.match.entries)),
        has_hints=audience.is_player and info.has_hints,
        has_guide=audience.is_host and info.settings.guide,
    )


class Perspective(NamedTuple):
    """The view of a seat with its log and its picture: the costly part of a page."""

    view: View
    log: tuple[models.LogLine, ...]
    scene: Scene | None


def perspective_now(state: TableState, audience: Audience) -> Perspective:
    """The board of an audience, drawn at once if nobody has seen it yet: for the few lines that an action adds."""
    return state.cache.now(_perspective_key(audience), partial(_draw_perspective, state, audience))


def _perspective_key(audience: Audience) -> tuple[Hashable, ...]:
    return "perspective", audience.seat, audience.language


def _draw_perspective(state: TableState, audience: Audience) -> Perspective:
    seat, language = audience.seat, audience.language
    view, words = _view(state, seat), state.words(language, seat)
    shared = state.cache.now(("shared", language), lambda: ui(state.game).shared(state.match.view(), words))
    names, ply, lines = state.logs.get((seat, language), ((), 0, ()))
    if names != state.names:
        ply, lines = 0, _past_lines(state, seat, words)
    if ply < view.ply:
        lines += log_lines(_since(view.seen, ply), words, lines[-1] if lines else None)
        state.logs[seat, language] = (state.names, view.ply, lines)
    else:
        lines = tuple(line for line in lines if line.ply < view.ply)
    return Perspective(view, lines, ui(state.game).scene(view, words, shared))


def _view(state: TableState, seat: Seat | None) -> View:
    """The view of a seat; without actions while a bot plays for it."""
    view = state.match.view(seat)
    if seat is not None and state.info.chairs[seat].bot is not None:
        return replace(view, legal=())  # a bot decides
    return view


def _past_lines(state: TableState, seat: Seat | None, words: Words) -> tuple[models.LogLine, ...]:
    """The log of the match that this one goes on from, as far as it still holds.

    What the others had in secret was dealt again when it was left, and so was everything, if nobody in particular left it.
    """
    knows = ((state.info.origin or {}).get("record") or {}).get("seat")
    seen = seen_by(seat if seat == knows else None, state.history)
    return tuple(line._replace(ply=-1) for line in log_lines(seen, words))


def past_table(state: TableState, table: models.TablePage, ply: int, part: Part | None = None) -> models.TablePage:
    """The table as the same reader saw it after an entry, or after a part of it; nothing can be done there any more."""
    words, then, seat = table.words, state.match.after(ply + 1), table.view.seat
    view, is_within = replace(then.view(seat), legal=()), part is not None and part.at is not None
    key = "shared", words.narrator.language, ply, part.emitted if is_within and part is not None else None
    if is_within and part is not None:
        view = _view_within(state, then, seat, part)
        shared = state.cache.now(key, lambda: ui(state.game).shared(_view_within(state, then, None, part), words))
    else:
        shared = state.cache.now(key, lambda: ui(state.game).shared(then.view(), words))
    return replace(
        table,
        view=view,
        pictured=ui(state.game).scene(view, words, shared),
        state="playing" if view.outcome is None else table.state,
        log=table.log[: len(table.log) - len(table.view.seen) + len(view.seen)],
        seats=tuple(one._replace(owing=one.seat in view.to_act) for one in table.seats),
        thinking=tuple(chair.seat for chair in state.info.chairs if chair.bot is not None and chair.seat in view.to_act),
        offer=None,
    )


def _view_within(state: TableState, then: Match, seat: Seat | None, part: Part) -> View:
    """The view of a seat in the middle of the last entry of a match: whoever made it is still at it."""
    ply, at = then.ply - 1, part.at
    actor = then.entries[ply].seat
    assert at is not None
    unfolded = state.cache.now(("unfolded", ply), lambda: then.unfolded(ply))
    row, view = unfolded[at][1], then.view(seat)
    now = sum(event.seen_by(seat) is not None for event, _ in unfolded)
    seen = sum(event.seen_by(seat) is not None for event, _ in unfolded[: part.emitted])
    masked = state.game.rules.FIELDS.masked(row, seat)
    ui(state.game).stage.settle(masked)
    return replace(
        view,
        to_act=() if actor is None else (actor,),
        legal=(),
        row=tuple(masked),
        seen=view.seen[: len(view.seen) - now + seen],
        outcome=None,
    )


def _since(seen: Sequence[Seen], ply: int) -> Sequence[Seen]:
    """The events of the entries from a ply on."""
    start = len(seen)
    while start and seen[start - 1].ply >= ply:
        start -= 1
    return seen[start:]


def _seats(state: TableState, audience: Audience, words: Words) -> tuple[models.SeatView, ...]:
    """All seats as a reader sees them: as everybody does, but for their own."""
    may_invite = audience.is_host or audience.seat is not None
    links = audience.links if may_invite and not state.info.is_full else None
    found = state.messages.now(("seats", links, audience.language), lambda: _seat_views(state, links, words))
    if (own := audience.seat) is None:
        return found
    return (*found[:own], found[own]._replace(you=True), *found[own + 1 :])


def _seat_views(state: TableState, links: Links | None, words: Words) -> tuple[models.SeatView, ...]:
    """All seats in a spectator's view."""
    info, to_act, left = state.info, state.match.to_act, state.info.settings.left
    return tuple(
        models.SeatView(
            seat=chair.seat,
            role=ui(state.game).role(chair.seat, words),
            kind=chair.kind,
            name=chair.name,
            here=chair.kind == "bot" or any(holder in state.here for holder in info.holders(chair.seat)),
            owing=chair.seat in to_act,
            link=links.invitation(info, chair) if links is not None and chair.kind == "free" else "",
            kept=chair.kind == "free" and chair.person is not None,
            open=chair.kind == "free" and chair.open,
            clock=state.extras.clocks.get(chair.seat) if info.state != "open" else None,
            stand_in=chair.bot or "" if chair.kind == "person" else "",
            gone=chair.kind == "person" and state.is_gone(chair.seat),
            left="time" if chair.seat in state.late else left.get(chair.seat, ""),
            standing=chair.standing,
        )
        for chair in info.chairs
    )


def _deal(state: TableState) -> models.Deal | None:
    """The deal, where it can be verified: the same for everybody, and nothing in it that nobody may know yet."""
    fair = state.match.fair
    if fair is None:
        return None
    text = state.cache.now(("deal",), lambda: json.dumps(fair.with_secret(None).json()))
    is_dealt = state.match.is_dealt
    return models.Deal(text, state.info.is_full and not is_dealt, is_dealt)


def _turning(state: TableState, words: Words) -> models.Turning | None:
    """The turning point of the match, if it has been reviewed."""
    made = state.extras.review
    if made is None:
        return models.Turning("") if state.extras.is_reviewing else None
    key = "turning", words.narrator.language, words.narrator.reader
    return state.messages.now(key, lambda: turning_point(state.info.id, state.match, words, made))


def _came_from(state: TableState) -> models.CameFrom | None:
    """The table of which this one is the rematch, or on which it goes on."""
    origin = state.info.origin or {}
    if origin.get("kind") == "rematch":
        return models.CameFrom("rematch", f"/t/{origin['table']}")
    if origin.get("kind") == "onward":
        return models.CameFrom("onward", f"/t/{origin['table']}/replay?ply={origin['ply']}")
    return None


def _is_challenge(state: TableState) -> bool:
    """Whether somebody was challenged to this table, and not offered a rematch."""
    return (state.info.origin or {}).get("kind") == "challenge"


def _rematch_by(state: TableState, seat: Seat | None) -> Seat | None:
    """The seat that offers a rematch which the reader has not answered yet, as far as the latest notes go back."""
    notes = [line for line in state.extras.chat if line.kind in ("rematch", "declines")] if state.info.rematch else []
    offered = [line.seat for line in notes if line.kind == "rematch"]
    if seat is None or not offered or any(line.seat == seat for line in notes):
        return None
    return offered[-1]


async def _offer(state: TableState, seat: Seat | None, words: Words) -> models.OfferView | None:
    """The offer there is, as a seat sees it: what was learned is told to those who play alone."""
    offer, info = state.extras.offer, state.info
    if offer is None or (offer.kind == "takeback" and offer.ply != state.ply):
        return None
    missing = tuple(one for one in info.asked_for_consent(offer) if not offer.has_agreed(one))
    is_mine = seat == offer.proposer and not offer.has_agreed(offer.proposer)
    if not offer.has_agreed(offer.proposer) and not is_mine:
        return None
    shown = models.OfferView(
        offer.kind, offer.seat, offer.proposer, is_mine, seat in missing, anew=offer.redeal, missing=missing
    )
    if offer.kind == "takeback" and seat is not None:

        def work_out() -> Takeback | None:
            with suppress(RidottoError):
                return plan_takeback(state.match, offer.seat)
            return None

        takeback = await state.once(("takeback", offer.seat), work_out)
        if takeback is not None:
            shown = replace(
                shown,
                because=takebacks.because(takeback, state.match, words, seat),
                section=takeback.section(seat),
                may_anew=takeback.anew is not None,
                never=takebacks.why_not_anew(takeback, words),
            )
    return shown


# Chat.


def chat_model(state: TableState, person: str, muted: frozenset[str], language: str) -> tuple[models.ChatLine, ...]:
    """The chat of a table as one reader sees it."""
    words = state.words(language, state.seat_of(person))
    return tuple(_chat_line(state, line, person, line.person in muted, words) for line in state.extras.chat)


def _chat_line(state: TableState, line: ChatLine, person: str, is_muted: bool, words: Words) -> models.ChatLine:
    if line.kind != "said":
        return models.ChatLine(line.number, line.at, note_text(words, line.kind, line.seat), seat=line.seat)
    seat = state.info.keys.get(line.person or "")
    who = line.name or (_display_name(state, seat, words) if seat is not None else words.say("a spectator"))
    text = "" if is_muted or line.removed else line.text
    yours = line.person == person
    return models.ChatLine(line.number, line.at, text, who, seat, yours, line.reports, line.removed, is_muted)


def _display_name(state: TableState, seat: Seat | None, words: Words) -> str:
    """The name of a seat at the beginning of a sentence."""
    if seat is None:
        return ""
    return opening(state.names[seat] or ui(state.game).role(seat, words))


NOTES: Final = {
    "flag": (mark("You ran out of time and lose."), mark("{who} ran out of time and loses.")),
    "flag-bot": (mark("You ran out of time: a bot plays on for you."), mark("{who} ran out of time: a bot plays on.")),
    "resign-bot": (mark("You resigned: a bot plays on for you."), mark("{who} resigned: a bot plays on.")),
    "absent": (mark("You let a bot play."), mark("{who} lets a bot play.")),
    "given": (mark("You were away: a bot plays for you."), mark("{who} is away: a bot plays.")),
    "back": (mark("You are back."), mark("{who} is back.")),
    "asks": (mark("You ask to take back a move."), mark("{who} asks to take back a move.")),
    "refuses": (mark("You say no."), mark("{who} says no.")),
    "drops": (mark("You withdraw your request."), mark("{who} withdraws the request.")),
    "takes": (mark("You take back a move."), mark("{who} takes back a move.")),
    "takes-anew": (
        mark("You take back a move; what was revealed is dealt again."),
        mark("{who} takes back a move; what was revealed is dealt again."),
    ),
    "rematch": (mark("You offer a rematch."), mark("{who} offers a rematch.")),
    "declines": (mark("You decline the rematch."), mark("{who} declines the rematch.")),
}
"""Notes on events outside the match, by the kind of the chat line: for the person who acted, and for others."""


def note_text(words: Words, kind: str, seat: Seat | None) -> str:
    """A note on an event outside the match; "" for a kind that this version does not know."""
    if kind not in NOTES or seat is None:
        return ""
    return words.tell(seat, *NOTES[kind])
