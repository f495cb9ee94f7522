"""The parts around the match: clocks, offers, stand-ins, chat, and the hand-over of a shared device."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, Literal

from ridotto.present import svg as drawing
from ridotto.present.html import Html
from ridotto.present.narrator import Narrator, mark
from ridotto.web.clocks import DAYS, MINUTES, Terms
from ridotto.web.pages.models import Agreement, ChatLine, ClockTerms, SeatView, TablePage
from ridotto.web.pages.render import render
from ridotto.web.pages.table_parts import READERS, is_seated

# Clocks.


def clock_terms(terms: Terms | None, plays_on: bool, narrator: Narrator) -> ClockTerms | None:
    """The terms of the clock, and the consequence of running out of time."""
    if terms is None:
        return None
    if plays_on:
        consequence = narrator.say("If you run out of time, a bot plays on for you.")
    else:
        consequence = narrator.say("If you run out of time, you lose.")
    return ClockTerms(terms.kind, terms.seconds, clock_text(terms, narrator), consequence)


def clock_text(terms: Terms, narrator: Narrator) -> str:
    """The terms of the clock in a few words."""
    if terms.kind == "move":
        days = terms.seconds // 86400
        if days * 86400 == terms.seconds:
            return narrator.say("one day per move") if days == 1 else narrator.say("{days} days per move", days=days)
        return narrator.say("{hours} hours per move", hours=round(terms.seconds / 3600, 1))
    minutes = terms.seconds // 60
    if terms.added:
        return narrator.count(
            "{number} minute each, and {added} s more for each turn",
            "{number} minutes each, and {added} s more for each turn",
            minutes,
            added=terms.added,
        )
    return narrator.count("{number} minute each", "{number} minutes each", minutes)


def clocks_offered(narrator: Narrator) -> list[ClockTerms]:
    """The clocks that the form of a new table offers."""
    offered = [*(Terms("match", 60 * one) for one in MINUTES), *(Terms("move", 86400 * one) for one in DAYS)]
    return [found for one in offered if (found := clock_terms(one, False, narrator)) is not None]


# Takebacks.

TAKEBACKS: Final = {
    "free": mark("at once, or by consent"),
    "consent": mark("only by consent"),
    "never": mark("never"),
}
"""The rules about taking a decision back, the usual first."""


def takeback_terms(takebacks: str, narrator: Narrator) -> str:
    """The terms of takebacks; "" for the usual ones."""
    return "" if takebacks == "free" else narrator.say(TAKEBACKS[takebacks])


# Above and beside the question.


def banner(table: TablePage) -> Html:
    """Whatever has to be answered before, or instead of, the question."""
    stand_in, absent = _stand_in(table), _absent(table)
    if not (table.offer or stand_in or absent):
        return Html("")
    return render("banner.html", table.narrator, table=table, stand_in=stand_in, absent=absent, named=table.named)


def _stand_in(table: TablePage) -> Literal["", "playing", "resigned", "time"]:
    """Whether a bot plays for the reader, and whether there is no way back: they have resigned, or their time is up."""
    mine = [place for place in table.seats if place.you and place.stand_in]
    if not mine or table.state == "over":
        return ""
    clock = mine[0].clock
    is_late = (
        table.agreement.clock is not None and table.agreement.clock.kind == "match" and clock is not None and clock.left <= 0
    )
    return mine[0].left or ("time" if is_late else "playing")


def _absent(table: TablePage) -> list[SeatView]:
    """Those whom the table waits for and who have been away for long."""
    if table.offer is not None or not (is_seated(table) or table.rights.is_host) or table.state != "playing":
        return []
    return [place for place in table.seats if place.gone and place.owing and not place.stand_in and not place.you]


def take_back(table: TablePage) -> Html:
    """The button that asks to take a decision back; while a turn is put together, the one that undoes the last step of it."""
    if table.draft is not None:
        return _undo(table.narrator.language)
    if not table.rights.may_take_back or table.offer is not None:
        return Html("")
    return _take_back(table.narrator.language, table.id)


@lru_cache(20)
def _undo(language: str) -> Html:
    return render("undo.html", Narrator(language))


@lru_cache(READERS)
def _take_back(language: str, id: str) -> Html:
    return render("take_back.html", Narrator(language), id=id)


def extras(table: TablePage) -> Html:
    """With the other things of a table: what was agreed on about time and takebacks, and the way to let a bot play."""
    mine = [place for place in table.seats if place.you]
    may_leave = bool(mine) and table.state == "playing" and not mine[0].stand_in
    is_fair = table.deal is not None and table.deal.is_done
    if not may_leave and not is_fair and table.agreement.clock is None and table.agreement.takebacks == "free":
        return Html("")
    return _extras(table.narrator.language, table.id, table.agreement, may_leave, is_fair)


@lru_cache(READERS)
def _extras(language: str, id: str, agreement: Agreement, may_leave: bool, is_fair: bool) -> Html:
    narrator = Narrator(language)
    terms = clock_terms(agreement.clock, agreement.plays_on, narrator)
    takebacks = takeback_terms(agreement.takebacks, narrator)
    return render("extras.html", narrator, id=id, terms=terms, takebacks=takebacks, may_leave=may_leave, is_fair=is_fair)


# One device for several.


def passing(table: TablePage) -> str:
    """The title of the tab and the announcement meanwhile."""
    assert table.handover is not None
    return table.narrator.say("Hand the device to {who}", who=table.seats[table.handover].display_name)


def handover(table: TablePage) -> Html:
    """All that is to be seen until the next player has the device."""
    assert table.handover is not None
    place = table.seats[table.handover]
    mark = Html(drawing.tag("svg", drawing.seat_mark(place.seat, 32, 32, 48), viewBox="0 0 64 64", cls="drawing"))
    return render("handover.html", table.narrator, id=table.id, place=place, mark=mark, heading=passing(table))


# Chat.


def chat_lines(id: str, lines: Iterable[ChatLine], is_host: bool, narrator: Narrator) -> Html:
    """The lines of the chat, oldest first."""
    return render("chat_lines.html", narrator, id=id, lines=lines, is_host=is_host)
