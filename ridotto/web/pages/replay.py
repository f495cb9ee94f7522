"""Pages for looking back: the replay with its scrubber, the review, and the form for records that somebody brings."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Final, NamedTuple

from ridotto.bots import account as accounts
from ridotto.bots import judging, review_page, review_words
from ridotto.bots import review as reviews
from ridotto.bots.judging import Judgement
from ridotto.bots.reasons import boards as small_boards
from ridotto.bots.review import Review
from ridotto.core.match import Match
from ridotto.engine.fields import Seat
from ridotto.present.html import Html, el
from ridotto.present.narrator import opening
from ridotto.present.ui import ui
from ridotto.present.words import Words
from ridotto.web.pages import home, table_log, table_panels, table_people, table_result
from ridotto.web.pages.models import Reader, SeatChoice, TablePage, Turning
from ridotto.web.pages.render import render
from ridotto.web.pages.site import choices, opponents, page

WATCH: Final = "watch"
OPEN: Final = "open"
"""Eyes that are nobody's: those of whoever watches, and those that see everything."""
AGAIN: Final = "level:4"
"""The bot on the other seats of a table that goes on from a moment."""
NEWS: Final = 4
"""Sentences of what had just happened."""


@dataclass(frozen=True)
class Replay:
    """Which moment is shown, and with whose eyes."""

    ply: int
    last: int
    eyes: str
    allowed: tuple[str, ...]
    rounds: tuple[int, ...]
    """The entries with which rounds begin; none where the game has no rounds."""
    may_play_on: bool
    own: Seat | None
    """The reader's own seat."""

    def address(self, id: str, ply: int | None = None, eyes: str | None = None) -> str:
        return f"/t/{id}/replay?ply={self.ply if ply is None else ply}&eyes={eyes or self.eyes}"

    @property
    def before(self) -> int:
        return max(0, self.ply - 1)

    @property
    def after(self) -> int:
        return min(self.last, self.ply + 1)

    @property
    def round_before(self) -> int:
        """The beginning of this round, or of the one before if it is here."""
        return max((one for one in self.rounds if one < self.ply), default=0)

    @property
    def round_after(self) -> int:
        return min((one for one in self.rounds if one > self.ply), default=self.last)


@dataclass(frozen=True)
class Reviewed:
    """A review, or how far it is."""

    made: Review | None
    done: int = 0
    total: int = 0
    failed: bool = False


# The replay.


def replay(table: TablePage, replay: Replay, link: str, made: Review | None, match: Match) -> str:
    """A moment of a match, with everything to go to another one."""
    return page(
        "replay.html",
        table.reader,
        table.narrator,
        table=table,
        replay=replay,
        live=_parts(table, replay),
        where=_where(table, replay),
        eyes=_eyes(table, replay),
        link=link,
        chances=Html("") if made is None else _chances(table, match, made, replay.ply),
    )


def change(table: TablePage, replay: Replay) -> dict[str, Any]:
    """The message that shows another moment, as a live message of a table."""
    announcement = " ".join([_where(table, replay), *news(table, replay)])
    return {
        "ply": replay.ply,
        "parts": {**_small_parts(table, replay), "log": table_log.log(table)},
        "scene": table_panels.whole_scene(table),
        "announcement": announcement,
    }


def _parts(table: TablePage, replay: Replay) -> dict[str, Html]:
    return {**_small_parts(table, replay), "board": table_panels.board(table), "log": table_log.log(table)}


def _small_parts(table: TablePage, replay: Replay) -> dict[str, Html]:
    return {
        "caption": _caption(table, replay),
        "jumps": table_panels.jumps(table),
        "result": table_result.result(table) if table.view.outcome else Html(""),
        "people": table_people.people(table),
        "onward": _onward(table, replay),
    }


def _where(table: TablePage, replay: Replay) -> str:
    """Which moment it is, in words; with the round, where the game has rounds."""
    at, say = table.game.rules.ROUND, table.narrator.say
    if at < 0:
        return say("Moment {ply} of {last}.", ply=replay.ply, last=replay.last)
    return say("Round {round}, moment {ply} of {last}.", round=table.view.row[at], ply=replay.ply, last=replay.last)


def news(table: TablePage, replay: Replay) -> list[str]:
    """The latest events, in sentences."""
    return [line.text for line in table.log if line.ply == replay.ply]


def _caption(table: TablePage, replay: Replay) -> Html:
    """Which moment it is, what had just happened, and who was to act."""
    lines = news(table, replay)
    text = " ".join(lines[:NEWS] + (["…"] if len(lines) > NEWS else []))
    to_act = table.named(table.view.to_act)
    return render("caption.html", table.narrator, where=_where(table, replay), news=text, to_act=to_act)


def _eyes(table: TablePage, replay: Replay) -> dict[str, str]:
    """The eyes that the reader may choose, by their names in addresses; none without a choice."""
    everybody = {str(place.seat): place.display_name for place in table.seats}
    everybody |= {WATCH: table.narrator.say("spectator"), OPEN: table.narrator.say("everything open")}
    return {one: text for one, text in everybody.items() if one in replay.allowed} if len(replay.allowed) > 1 else {}


def _onward(table: TablePage, replay: Replay) -> Html:
    """The form that makes a table of its own out of this moment."""
    seats = []
    if replay.may_play_on:
        mine = int(replay.eyes) if replay.eyes.isdecimal() else replay.own
        me = mine if mine is not None else table.view.to_act[0]
        say = table.narrator.say
        kinds = {"me": say("me")}
        if not home.in_tab():
            kinds |= {"friend": say("a friend, by link"), "open": say("open to anyone")}
        kinds |= opponents(table.game, table.narrator, len(table.seats))
        for place in table.seats:
            role = opening(ui(table.game).role(place.seat, table.words))
            bot = f"bot:{place.name}" if f"bot:{place.name}" in kinds else "bot:level:3"
            seats.append(SeatChoice(place.seat, role, choices(kinds, "me" if place.seat == me else bot)))
    return render("onward.html", table.narrator, reader=table.reader, id=table.id, ply=replay.ply, seats=seats)


def _chances(table: TablePage, match: Match, made: Review, here: int | None = None) -> Html:
    """The win chances over time, broad for a screen and narrow for a phone."""
    link = partial(_moment, table.id, match)
    panels = [review_page.picture(match, table.words, made, link, here, narrow) for narrow in (False, True)]
    return el("section", *(table_panels.framed(panel) for panel in panels), cls="chances-pane")


def _moment(id: str, match: Match, ply: int) -> str:
    """The moment at which a decision was made, with the eyes of whoever made it."""
    return f"/t/{id}/replay?ply={max(0, ply - 1)}&eyes={match.entries[ply].seat}"


# The review.


@dataclass(frozen=True)
class Decision:
    """A decision in the words of a review."""

    seat: Seat
    ply: int
    address: str
    round: int | None
    """None where the game has no rounds."""
    who: str
    title: str
    played: str
    better: str
    """"" if nothing was."""
    reasons: tuple[str, ...]
    chance: int
    """Before it, in 100."""
    cost: int
    """In 100."""
    is_costly: bool


class SmallBoard(NamedTuple):
    """The table before a decision, or after one: a title, and the parts of the picture that tell."""

    title: str
    parts: list[Html]


class CostlyDecision(NamedTuple):
    """One of the decisions that cost most, with small boards side by side."""

    told: Decision
    boards: list[SmallBoard]
    again: dict[str, str]
    """The fields of the form that plays on from there."""


class AccountLine(NamedTuple):
    """A seat's account: what it had at the start, what made the difference, and what it had in the end."""

    seat: Seat
    who: str
    numbers: list[str]


@dataclass(frozen=True)
class ReviewText:
    """A review in words."""

    note: str
    turning_point: Turning
    heading: str
    chances: Html
    summary: list[str]
    decisions: list[Decision]
    costliest: list[CostlyDecision]
    second_line: str
    """The decisive reason for the winner; "" if it is not known."""
    account_titles: list[str]
    account: list[AccountLine]
    """Nothing where luck was not looked at."""
    luck: Html
    """Luck and decisions over time."""
    lucky: list[tuple[str, str]]
    """The luckiest draws, each with its address."""


def review(table: TablePage, progress: Reviewed, match: Match) -> str:
    """The review of a match, or its progress, or the offer to make one."""
    text = _review_text(table, progress.made, match) if progress.made is not None else None
    return page("review.html", table.reader, table.narrator, table=table, progress=progress, review=text)


def turning_point(id: str, match: Match, words: Words, made: Review) -> Turning:
    """The turning point of a match."""
    address = _moment(id, match, made.turning_point.ply) if made.turning_point else ""
    return Turning(review_words.turning_point(match, words, made), address)


def _review_text(table: TablePage, made: Review, match: Match) -> ReviewText:
    return ReviewText(
        review_words.note(table.words, made),
        turning_point(table.id, match, table.words, made),
        review_words.heading(table.words, made),
        _chances(table, match, made),
        review_words.summary(match, table.words, made),
        [_decision(table, match, one) for one in made.judgements],
        [_costly(table, match, one) for one in made.costliest],
        accounts.sum_sentence(match, table.words, made),
        accounts.titles(table.words),
        [
            AccountLine(seat, review_words.name_of(match, table.words, seat), accounts.numbers(one))
            for seat, one in enumerate(accounts.account(made))
        ],
        _luck(table, match, made),
        [(f"/t/{table.id}/replay?ply={ply}&eyes={OPEN}", line) for ply, line in accounts.lucky_lines(match, table.words, made)],
    )


def _luck(table: TablePage, match: Match, made: Review) -> Html:
    """Luck and decisions over time, broad for a screen and narrow for a phone."""
    if made.luck is None:
        return Html("")
    panels = [accounts.picture(match, table.words, made, narrow) for narrow in (False, True)]
    return el("section", *(table_panels.framed(panel) for panel in panels), cls="chances-pane")


def _costly(table: TablePage, match: Match, one: Judgement) -> CostlyDecision:
    decision, say = _decision(table, match, one), table.narrator.say
    rows = small_boards(reviews.view_at(match, one.ply), table.words, one.compared)
    titles = [say("Before"), say("Played: {action}", action=decision.played), say("Better: {action}", action=decision.better)]
    boards = [
        SmallBoard(title, [table_panels.framed(panel) for panel in panels]) for title, panels in zip(titles, rows, strict=False)
    ]
    again = {"ply": str(max(0, one.ply - 1))}
    again |= {f"seat{seat}": "me" if seat == one.seat else f"bot:{AGAIN}" for seat in range(match.seats)}
    return CostlyDecision(decision, boards, again)


def _decision(table: TablePage, match: Match, one: Judgement) -> Decision:
    explained = review_words.explain(match, table.words, one)
    return Decision(
        seat=one.seat,
        ply=one.ply,
        address=_moment(table.id, match, one.ply),
        round=explained.round,
        who=explained.who,
        title=review_words.title_of(table.words, explained),
        played=explained.did,
        better=explained.better,
        reasons=explained.reasons,
        chance=round(100 * one.values[one.seat]),
        cost=round(100 * one.loss),
        is_costly=one.least_loss >= judging.COSTLY,
    )


# Records.


def records(reader: Reader, fault: str = "") -> str:
    """The page that takes a record."""
    return page("records.html", reader, reader.narrator, fault=fault)
