"""What the pages of a table are drawn from, made from its state for one reader."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from ridotto.core.narrator import mark, opening
from ridotto.core.protocols import Words
from ridotto.core.takeback import Takeback
from ridotto.core.view import Seen, View
from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import Seat
from ridotto.web.live.links import Links
from ridotto.web.live.state import TableState
from ridotto.web.pages import models
from ridotto.web.pages.models import Reader
from ridotto.web.storage.chat import ChatLine
from ridotto.web.storage.tables import Chair


async def table_model(state: TableState, reader: Reader, person: str, links: Links) -> models.TablePage:
    """A table as one reader sees it."""
    seat = state.seat_of(person)
    view, lines, panels = await state.once(("seen", seat, reader.language), lambda: _seen(state, seat, reader.language))
    info, words = state.info, state.words(reader.language, seat)
    is_player = info.is_player(person)
    offer = await _offer(state, seat, words)
    return models.TablePage(
        reader=reader,
        id=info.id,
        game=state.game,
        view=view,
        seats=tuple(_seat_view(state, chair, person, links, words) for chair in info.chairs),
        state=info.state,
        log=lines,
        options=dict(info.options),
        private=info.private,
        seat_link=links.own_seat(info, seat) if seat is not None else "",
        table_link=links.watch(info) if is_player or not info.private or person == info.host else "",
        reach=links.describe_reach(words.narrator),
        thinking=tuple(chair.seat for chair in info.chairs if chair.bot is not None and chair.seat in view.to_act),
        rematch=f"/t/{info.rematch}" if info.rematch else "",
        panels=tuple(panels),
        since=view.ply,
        is_seated=is_player,
        hints=is_player and info.has_hints,
        terms=info.terms,
        late=_late(state, words),
        offer=offer,
        handover=state.handover(person),
        may_chat=is_player or person == info.host or not info.is_chat_for_players,
        is_host=person == info.host,
        may_take_back=seat is not None
        and info.state != "over"
        and info.chairs[seat].bot is None
        and any(entry.seat == seat for entry in state.match.entries),
    )


def _seen(state: TableState, seat: Seat | None, language: str) -> tuple[View, tuple[models.LogLine, ...], list[Any]]:
    """What a seat may know, its log, and its picture."""
    view = state.match.view(seat)
    if seat is not None and state.info.chairs[seat].bot is not None:
        view = replace(view, legal=())  # a bot decides
    words = state.words(language, seat)
    names, ply, lines = state.logs.get((seat, language), (state.names, 0, ()))
    if names != state.names:
        ply, lines = 0, ()
    if ply < view.ply:
        lines += log_lines((one for one in view.seen if one.ply >= ply), words)
        state.logs[seat, language] = (state.names, view.ply, lines)
    else:
        lines = tuple(line for line in lines if line.ply < view.ply)
    return view, lines, state.game.panels(view, words)


def log_lines(seen: Iterable[Seen], words: Words) -> tuple[models.LogLine, ...]:
    """Events as lines of a log."""
    return tuple(models.LogLine(one.ply, one.event.section, one.text(words), one.values.get("seat")) for one in seen)


def _seat_view(state: TableState, chair: Chair, person: str, links: Links, words: Words) -> models.SeatView:
    info, seat = state.info, chair.seat
    may_invite = chair.kind == "free" and (person == info.host or state.seat_of(person) is not None)
    return models.SeatView(
        seat=seat,
        role=state.game.role(seat, words),
        kind=chair.kind,
        name=chair.name,
        you=state.seat_of(person) == seat,
        here=chair.kind == "bot" or any(holder in state.here for holder in info.holders(seat)),
        owing=seat in state.match.to_act,
        link=links.invitation(info, chair) if may_invite else "",
        open=chair.kind == "free" and chair.open,
        clock=state.extras.clocks.get(seat) if info.state != "open" else None,
        stand_in=chair.bot or "" if chair.kind == "person" else "",
        gone=chair.kind == "person" and state.is_gone(seat),
    )


async def _offer(state: TableState, seat: Seat | None, words: Words) -> models.OfferView | None:
    """The offer there is, as a seat sees it: what was learned is told to those who play alone."""
    offer, info = state.extras.offer, state.info
    if offer is None or (offer.kind == "takeback" and offer.ply != state.ply):
        return None
    missing = tuple(one for one in info.asked_for_consent(offer) if not offer.has_agreed(one))
    is_mine = seat == offer.by and not offer.has_agreed(offer.by)
    if not offer.has_agreed(offer.by) and not is_mine:
        return None
    shown = models.OfferView(offer.kind, offer.seat, offer.by, is_mine, seat in missing, anew=offer.anew, missing=missing)
    if offer.kind == "takeback" and seat is not None:

        def work_out() -> Takeback | None:
            with suppress(RidottoError):
                return state.match.takeback(offer.seat)
            return None

        takeback = await state.once(("takeback", offer.seat), work_out)
        if takeback is not None:
            shown = replace(
                shown,
                because=takeback.because(state.match, words, seat),
                section=takeback.section(seat),
                may_anew=takeback.anew is not None,
                never=takeback.why_not_anew(words),
            )
    return shown


# Chat.


def chat_model(state: TableState, person: str, muted: frozenset[str], language: str) -> tuple[models.ChatLine, ...]:
    """The chat of a table as one reader sees it."""
    words = state.words(language, state.seat_of(person))
    return tuple(_chat_line(state, line, person, line.person in muted, words) for line in state.extras.chat)


def _chat_line(state: TableState, line: ChatLine, person: str, is_muted: bool, words: Words) -> models.ChatLine:
    if line.kind != "said":
        note = words.say(NOTES[line.kind], who=_display_name(state, line.seat, words)) if line.kind in NOTES else ""
        return models.ChatLine(line.number, line.at, note, seat=line.seat)
    seat = state.info.keys.get(line.person or "")
    who = line.name or (_display_name(state, seat, words) if seat is not None else words.say("somebody who watches"))
    text = "" if is_muted or line.removed else line.text
    yours = line.person == person
    return models.ChatLine(line.number, line.at, text, who, seat, yours, line.reports, line.removed, is_muted)


def _late(state: TableState, words: Words) -> str:
    """Whose time was up, if the match ended by that."""
    flags = [line for line in state.extras.chat if line.kind == "flag"] if state.info.state == "over" else []
    return words.say(NOTES["flag"], who=_display_name(state, flags[-1].seat, words)) if flags else ""


def _display_name(state: TableState, seat: Seat | None, words: Words) -> str:
    """What somebody is called where a sentence begins with them."""
    if seat is None:
        return ""
    return opening(state.names[seat] or state.game.role(seat, words))


NOTES: Final = {
    "flag": mark("Time is up for {who}, who resigns by that."),
    "flag-bot": mark("Time is up for {who}: a bot plays on."),
    "absent": mark("{who} lets a bot play."),
    "given": mark("{who} is away: the table lets a bot play."),
    "back": mark("{who} is back and plays again."),
    "asks": mark("{who} asks to take the last decision back."),
    "refuses": mark("{who} refuses."),
    "drops": mark("{who} leaves it as it is."),
    "takes": mark("{who} takes the last decision back."),
    "takes-anew": mark("{who} takes the last decision back; what was learned is dealt anew."),
}
"""What happened at a table besides the match, by the kind of the line in the chat."""
