"""The question of a table as HTML, with the buttons that answer it, the free seats, and the links to them."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from ridotto.engine.fields import Seat
from ridotto.present import views
from ridotto.present.answers import answers
from ridotto.present.html import Html
from ridotto.present.narrator import Narrator, opening
from ridotto.present.ui import ui
from ridotto.web.pages.models import Deal, DraftView, TableLinks, TablePage
from ridotto.web.pages.render import render
from ridotto.web.pages.table_parts import NOTHING, READERS, is_seated
from ridotto.web.pages.table_result import how_it_ended, verdict


class QuestionView(NamedTuple):
    """All that the part with the question is drawn from, but for the answers."""

    id: str
    state: str
    is_asked: bool
    is_over: bool
    is_seated: bool
    is_thinking: bool
    who: str
    """The players that the table waits for."""
    question: str
    news: Html | None
    purse: str
    single: str
    guide: str
    may_guide: bool
    """Whether an explanation of each question is offered: with the first one."""
    verdict: str
    ending: str
    rematch: str
    rematch_by: str
    kept: Seat | None
    is_challenge: bool
    seeks: bool
    free: tuple[FreeSeat, ...]
    deal: Deal | None
    draft: DraftView | None
    has_turning: bool
    """Whether the page tells elsewhere where the match turned, or will."""


ANSWERS: Final = Html("<answers>")
"""A placeholder for the answers."""


def ask(table: TablePage) -> Html:
    """One sentence that says what is wanted, and the buttons that answer it; or whom the table is waiting for."""
    view = table.view
    is_over = view.outcome is not None
    is_whole = table.draft is not None and table.draft.is_whole
    is_asked = is_whole or (view.seat in view.to_act and not any(place.you and place.stand_in for place in table.seats))
    is_choosing = is_asked and not is_whole
    asked = QuestionView(
        table.id,
        table.state,
        is_asked,
        is_over,
        is_seated(table),
        bool(table.thinking),
        "" if is_asked or is_over else table.named(view.to_act),
        question(table),
        ui(table.game).page.news(view, table.words) if not is_over else None,
        ui(table.game).page.purse(view, table.words) if is_asked else "",
        _single(table) if is_choosing else "",
        _guide(table) if is_choosing else "",
        is_choosing and _may_guide(table),
        verdict(table),
        how_it_ended(table),
        table.rematch.address,
        table.named([table.rematch.offered_by]) if table.rematch.offered_by is not None else "",
        table.rematch.reserved_seat,
        table.rematch.is_challenge,
        table.agreement.seeks,
        _free_seats(table) if table.state == "open" else (),
        table.deal,
        table.draft,
        table.turning is not None,
    )
    drawn = _question(table.narrator.language, asked)
    return Html(drawn.replace(ANSWERS, _answers(table), 1)) if is_choosing and not is_over else drawn


@lru_cache(4096)
def _question(language: str, asked: QuestionView) -> Html:
    """The same for most who look at it."""
    answers = ANSWERS if asked.is_asked and not asked.is_over and not (asked.draft and asked.draft.is_whole) else NOTHING
    return render("ask.html", Narrator(language), **asked._asdict(), answers=answers)


def _guide(table: TablePage) -> str:
    """An explanation of the question for a first match."""
    return table.words.guide(table.view.row, table.view.seat) if table.rights.has_guide and table.view.seat is not None else ""


def _may_guide(table: TablePage) -> bool:
    """Whether this is the reader's first question at a table of theirs, and there is something to explain."""
    if table.rights.has_guide or not table.rights.is_host or table.recent or table.view.seat is None:
        return False
    return bool(table.words.guide(table.view.row, table.view.seat))


def question(table: TablePage) -> str:
    """The question; for a finished draft, the request to confirm it."""
    if table.draft is not None and table.draft.is_whole:
        return table.narrator.say("Your turn is ready.")
    return views.question(table.view, table.words) if table.view.outcome is None else ""


def _single(table: TablePage) -> str:
    """The only answer that there is, where nobody else decides at the same time and everybody can tell; else ""."""
    view = table.view
    if len(view.legal) != 1 or len(view.to_act) != 1 or not ui(table.game).page.is_forced_known:
        return ""
    return table.game.rules.ACTIONS.notation(view.legal[0])


def _answers(table: TablePage) -> Html:
    """The answers as the game gives them, else a button for every legal action."""
    found = ui(table.game).page.answers(table.view, table.words)
    return found if found is not None else answers(table.view, table.words)


class FreeSeat(NamedTuple):
    """A seat that somebody may take, or may be asked to."""

    seat: Seat
    role: str
    link: str
    may_sit: bool
    kept_for: str
    """The name of the person that it is reserved for; "" if there is none."""


def _free_seats(table: TablePage) -> tuple[FreeSeat, ...]:
    """The seats that are free: with the link for a friend, or for the reader to sit down."""
    may_sit = not is_seated(table)
    free = (place for place in table.seats if place.kind == "free")
    return tuple(
        FreeSeat(one.seat, role(table, one.seat), one.link, one.open and may_sit, one.display_name if one.kept else "")
        for one in free
    )


def role(table: TablePage, seat: Seat) -> str:
    """The role of a seat, at the beginning of a line."""
    return opening(ui(table.game).role(seat, table.words))


def links(table: TablePage) -> Html:
    """The links to free seats, for spectators and to the reader's own seat, with their reach."""
    free = tuple(one for one in _free_seats(table) if one.link)
    return _links(table.narrator.language, table.id, free, table.links)


@lru_cache(READERS)
def _links(language: str, id: str, free: tuple[FreeSeat, ...], links: TableLinks) -> Html:
    """The same for every action of a match, for one reader."""
    return render("links.html", Narrator(language), id=id, free=free, links=links)
