"""Pages for looking back: the replay with its scrubber, the review, and the door for records that somebody brings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from ridotto.bots import review as looking
from ridotto.bots.review import Judgement, Review
from ridotto.core.game import Game
from ridotto.core.markup import Html, el, join
from ridotto.core.match import Match
from ridotto.core.narrator import language, say
from ridotto.engine.fields import Seat
from ridotto.web.pages import site as pages
from ridotto.web.pages import table as tabletop
from ridotto.web.pages.models import Reader, TablePage

WATCH: Final = "watch"
OPEN: Final = "open"
"""Eyes that are nobody's: those of whoever watches, and those that see everything."""


@dataclass(frozen=True)
class Replay:
    """Which moment is shown, and with whose eyes."""

    ply: int
    last: int
    eyes: str
    allowed: tuple[str, ...]
    rounds: tuple[int, ...]
    """The entries with which rounds begin."""
    may_play_on: bool
    own: Seat | None
    """The reader's own seat."""

    def address(self, id: str, ply: int | None = None, eyes: str | None = None) -> str:
        return f"/t/{id}/replay?ply={self.ply if ply is None else ply}&eyes={eyes or self.eyes}"

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


def replay(scene: TablePage, told: Replay, link: str, made: Review | None, match: Match) -> str:
    """A moment of a match, with everything to go to another one."""
    with tabletop.speaking(scene):
        drawn = {name: Html(text) for name, text in _parts(scene, told).items()}
        main = el(
            "main",
            el("nav", tabletop.jumps(scene), cls="jumps", aria_label=say("Parts of the table")),
            el(
                "div",
                el("section", drawn["caption"], scrubber(scene, told), id="ask", aria_labelledby="question", tabindex=-1),
                el("h2", say("The table"), cls="unseen"),
                el("div", drawn["board"], id="board"),
                el("section", drawn["log"], id="log", aria_label=say("Log"), tabindex=0),
                cls="hall-floor",
            ),
            el("section", drawn["result"], id="result", cls="result", aria_label=say("Result")),
            chances(scene, told, made, match),
            el(
                "div",
                el("section", el("h2", say("This moment")), tabletop.link_box(link, say("Link to this moment")), cls="extra"),
                el("section", drawn["onward"], id="onward", cls="extra"),
                el("section", *_ways(scene), cls="extra"),
                cls="extras",
            ),
            id="main",
        )
        title = say("{title}: looking back", title=scene.game.title)
        return pages.page(
            scene.reader,
            title,
            main,
            el("div", id="announce", role="status", cls="unseen"),
            el("div", id="tip", role="tooltip", hidden=True),
            cls=f"table-page replay {scene.game.name}",
            back=told.address(scene.id),
            menu=[el("h1", title, cls="game-title"), el("div", drawn["people"], id="people")],
            data_game=scene.game.name,
        )


def parts(scene: TablePage, told: Replay) -> dict[str, object]:
    """What changes from one moment to another, by the id of its element."""
    with tabletop.speaking(scene):
        return {
            "ply": told.ply,
            "parts": _parts(scene, told),
            "announcement": " ".join([_where(scene, told), *_news(scene, told)]),
        }


def _parts(scene: TablePage, told: Replay) -> dict[str, str]:
    return {
        "caption": caption(scene, told),
        "board": tabletop.board(scene),
        "log": tabletop.log(scene),
        "result": tabletop.result(scene) if scene.view.outcome else Html(""),
        "people": tabletop.people(scene),
        "onward": onward(scene, told),
    }


def _where(scene: TablePage, told: Replay) -> str:
    number = scene.view.row[scene.game.rules.FIELDS.F.round]
    return say("Round {round}, moment {ply} of {last}.", round=number, ply=told.ply, last=told.last)


def _news(scene: TablePage, told: Replay) -> list[str]:
    return [line.text for line in scene.log if line.ply == told.ply]


def caption(scene: TablePage, told: Replay) -> Html:
    """Which moment it is, what had just happened, and who was to act."""
    news = _news(scene, told)
    shown = news[:4] + (["…"] if len(news) > 4 else [])
    acting = ""
    if scene.view.to_act:
        acting = say("To act: {who}", who=tabletop.named(scene, scene.view.to_act))
    return el(
        "div",
        el("p", _where(scene, told), cls="where"),
        el("h2", " ".join(shown) or say("Nothing that these eyes could see."), id="question", cls="question"),
        el("p", acting, cls="note"),
        id="caption",
    )


def scrubber(scene: TablePage, told: Replay) -> Html:
    """The way through the match: by entry, by round, anywhere; and whose eyes to use."""

    def step(name: str, ply: int, sign: str, text: str, keys: str) -> Html:
        return el(
            "a",
            sign,
            href=told.address(scene.id, ply),
            cls="press step",
            data_step=name,
            aria_label=text,
            title=f"{text} ({keys})",
        )

    steps = [
        step("round-before", told.round_before, "«", say("Round back"), "Page Up"),
        step("before", max(0, told.ply - 1), "‹", say("One back"), "←"),
        step("after", min(told.last, told.ply + 1), "›", say("One on"), "→"),
        step("round-after", told.round_after, "»", say("Round on"), "Page Down"),
    ]
    slider = el(
        "input",
        type="range",
        name="ply",
        min=0,
        max=told.last,
        value=told.ply,
        aria_label=say("Moment of the match"),
        aria_valuetext=_where(scene, told),
    )
    go = el("button", say("Go"), cls="press go")
    form = el(
        "form",
        el("input", type="hidden", name="eyes", value=told.eyes),
        *steps[:2],
        slider,
        *steps[2:],
        go,
        method="get",
        action=f"/t/{scene.id}/replay",
        cls="scrub",
    )
    eyes = ""
    if len(told.allowed) > 1:
        order = [*(str(place.seat) for place in scene.seats), WATCH, OPEN]
        links = [
            el(
                "a",
                _eyes(scene, one),
                href=told.address(scene.id, eyes=one),
                cls="press",
                data_eyes=one,
                aria_current="true" if one == told.eyes else "",
            )
            for one in order
            if one in told.allowed
        ]
        eyes = el(
            "nav", el("span", say("With the eyes of"), cls="note"), *links, cls="eyes", aria_label=say("With the eyes of")
        )
    rounds = ",".join(map(str, told.rounds))
    return el("div", form, eyes, id="scrubber", data_at=f"/t/{scene.id}/replay", data_eyes=told.eyes, data_rounds=rounds)


def _eyes(scene: TablePage, eyes: str) -> str:
    if eyes == WATCH:
        return say("whoever watches")
    if eyes == OPEN:
        return say("everybody")
    return tabletop.called(scene.seats[int(eyes)])


def onward(scene: TablePage, told: Replay) -> Html:
    """The form that makes a table of its own out of this moment."""
    title = el("h2", say("Play on from here"))
    if not told.may_play_on:
        return join(title, el("p", say("There is nothing to play on from here."), cls="note"))
    mine = int(told.eyes) if told.eyes.isdecimal() else told.own
    me = mine if mine is not None else scene.view.to_act[0]
    seats = [
        el(
            "label",
            el(
                "span",
                tabletop.seat_badge(place.seat),
                tabletop.role(scene.game, place.seat),
                cls="seat-name",
            ),
            el("select", *_sitters(scene.game, "me" if place.seat == me else "bot:level:3"), name=f"seat{place.seat}"),
        )
        for place in scene.seats
    ]
    return join(
        title,
        el("p", say("A new table from this moment on. What you could not know then is dealt anew."), cls="note"),
        el(
            "form",
            el("input", type="hidden", name="nonce", value=scene.reader.nonce),
            el("input", type="hidden", name="ply", value=told.ply),
            el("div", *seats, cls="seats"),
            el("button", say("Play on from here"), cls="press main"),
            method="post",
            action=f"/t/{scene.id}/onward",
            cls="setup",
        ),
    )


def _sitters(game: Game, chosen: str) -> list[Html]:
    kinds = {"me": say("me"), "friend": say("a friend, by link"), "open": say("anyone who comes")} | tabletop.opponents(game)
    return [el("option", text, value=value, selected=value == chosen) for value, text in kinds.items()]


def _ways(scene: TablePage) -> list[Html]:
    """Where to go from here."""
    links = [el("li", el("a", say("Back to the table"), href=f"/t/{scene.id}"))]
    links.append(el("li", el("a", say("Review of this match"), href=f"/t/{scene.id}/review")))
    links.append(el("li", el("a", say("The record of this match"), href=f"/t/{scene.id}/record")))
    return [el("h2", say("This match")), el("ul", *links, cls="ways")]


def chances(scene: TablePage, told: Replay, made: Review | None, match: Match) -> Html:
    """The win chances over time, with this moment in them, where there is a review."""
    if made is None:
        return Html("")
    return _chances(match, made, lambda ply: _moment(scene, ply, match), told.ply)


def _chances(match: Match, made: Review, link: Callable[[int], str], here: int | None = None) -> Html:
    """The picture, broad for a screen and narrow for a phone."""
    panels = [looking.picture(match, match.game.words_now(), made, link, here, narrow) for narrow in (False, True)]
    return el("section", *(tabletop.framed(panel) for panel in panels), cls="chances-pane")


# The review.


def review(scene: TablePage, told: Reviewed, match: Match) -> str:
    """What a bot thinks of a match; or how far it is with thinking; or the offer to think about it."""
    with tabletop.speaking(scene):
        title = say("{title}: review", title=scene.game.title)
        if told.made is not None:
            inside = _reviewed(scene, told.made, match)
        elif told.total and not told.failed:
            inside = [_progress(scene, told)]
        else:
            inside = [_offer(scene, told)]
        main = el(
            "main",
            el("h1", title),
            *inside,
            el("p", el("a", say("Back to the table"), href=f"/t/{scene.id}"), cls="note"),
            id="main",
        )
        cls = f"review-page {scene.game.name}"
        return pages.page(scene.reader, title, main, cls=cls, back=f"/t/{scene.id}/review", data_game=scene.game.name)


def _offer(scene: TablePage, told: Reviewed) -> Html:
    failed = (
        el("p", say("The review could not be finished. Please try again."), cls="fault", role="alert") if told.failed else ""
    )
    return el(
        "section",
        failed,
        el(
            "p",
            say(
                "A strong bot looks at every decision of the match, each with the eyes of whoever made it: what did it think "
                "of it, what would have been better, and where did the match turn?"
            ),
            cls="lead",
        ),
        el(
            "form",
            el("input", type="hidden", name="nonce", value=scene.reader.nonce),
            el("button", say("Review this match"), cls="press main"),
            method="post",
            action=f"/t/{scene.id}/review",
        ),
    )


def _progress(scene: TablePage, told: Reviewed) -> Html:
    """How far it is; the script keeps it up to date."""
    return el(
        "section",
        el("p", say("The match is being reviewed."), cls="lead"),
        el("progress", max=told.total, value=told.done, aria_label=say("Decisions judged")),
        el("p", f"{told.done} / {told.total}", id="reviewed", cls="note"),
        el("p", el("a", say("Look again"), href=f"/t/{scene.id}/review"), cls="note"),
        id="reviewing",
        data_at=f"/t/{scene.id}/review/progress",
        role="status",
    )


def _reviewed(scene: TablePage, made: Review, match: Match) -> list[Html]:
    return [
        el("p", looking.note(match.game.words_now(), made), cls="note"),
        _chances(match, made, lambda ply: _moment(scene, ply, match)),
        el("p", say("Each line shows what a seat could think of its own chances when it had to decide."), cls="note"),
        el("ul", *(el("li", line) for line in looking.summary(match, match.game.words_now(), made)), cls="summary"),
        el("h2", looking.heading(match.game.words_now(), made)),
        *(_lesson(scene, match, number, one) for number, one in enumerate(made.costliest, 1)),
        el("details", el("summary", say("Every decision")), _decisions(scene, made, match), cls="decisions", id="decisions"),
    ]


def _moment(scene: TablePage, ply: int, match: Match) -> str:
    """The moment at which a decision was made, with the eyes of whoever made it."""
    return f"/t/{scene.id}/replay?ply={max(0, ply - 1)}&eyes={match.entries[ply].seat}"


def _lesson(scene: TablePage, match: Match, number: int, one: Judgement) -> Html:
    told = looking.lesson(match, match.game.words_now(), one)
    return el(
        "article",
        el(
            "h3",
            el("span", str(number), cls="slip-number"),
            tabletop.seat_badge(one.seat),
            looking.title_of(match.game.words_now(), told),
        ),
        el(
            "dl",
            el("dt", say("Played")),
            el("dd", told.did),
            *((el("dt", say("Better")), el("dd", told.better)) if told.better else ()),
        ),
        el("ul", *(el("li", reason) for reason in told.reasons), cls="reasons"),
        el("p", el("a", say("See this moment"), href=_moment(scene, one.ply, match), cls="press")),
        cls="lesson-learned",
    )


def _decisions(scene: TablePage, made: Review, match: Match) -> Html:
    titles = (say("round"), say("who"), say("played"), say("better"), say("chance before"), say("cost"))
    rows = []
    for one in made.judgements:
        told = looking.lesson(match, match.game.words_now(), one)
        lost = round(100 * one.loss)
        rows.append(
            el(
                "tr",
                el(
                    "td",
                    el(
                        "a",
                        f"{told.round} · {one.ply}" if told.round is not None else str(one.ply),
                        href=_moment(scene, one.ply, match),
                    ),
                ),
                el("td", told.who),
                el("td", told.did),
                el("td", told.better if lost else ""),
                el("td", str(round(100 * one.values[one.seat])), cls="number"),
                el("td", str(lost) if lost else "", cls="number costly" if one.sure >= looking.COSTLY else "number"),
            )
        )
    head = el("thead", el("tr", *(el("th", title, scope="col") for title in titles)))
    table = el("table", head, el("tbody", *rows))
    return el("div", table, cls="scroll", tabindex=0, role="region", aria_label=say("Every decision"))


# Records.


def records(reader: Reader, fault: str = "") -> str:
    """Where somebody brings a record."""
    with language(reader.language):
        title = say("Look at a record")
        main = el(
            "main",
            el("h1", title),
            el("p", fault, cls="fault", role="alert") if fault else "",
            el(
                "p",
                say(
                    "A match that was downloaded here, or played in a terminal, can be looked at again: with the replay, the "
                    "review, and every moment to play on from. Everything in it is checked first."
                ),
            ),
            el(
                "form",
                el("input", type="hidden", name="nonce", value=reader.nonce),
                el(
                    "label",
                    say("The file"),
                    el("input", type="file", id="record-file", accept=".json,application/json"),
                    cls="file",
                ),
                el(
                    "label",
                    say("or its text"),
                    el("textarea", name="record", id="record-text", rows=8, spellcheck="false", required=True),
                    cls="file",
                ),
                el("button", say("Look at it"), cls="press main"),
                method="post",
                action="/records",
                cls="record-form",
            ),
            id="main",
        )
        return pages.page(reader, title, main, cls="narrow records", back="/records")
