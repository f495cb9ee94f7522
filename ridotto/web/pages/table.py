"""The table as HTML: the parts that change with every action, each drawn from one reader's scene.

The parts carry no nonce and nothing of the reader but the seat and the language, so that all who see the same are sent
the same bytes; the script adds the nonce to whatever is sent back.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Final, NamedTuple

from ridotto.core import drawing
from ridotto.core.answers import answers
from ridotto.core.drawing import Svg
from ridotto.core.game import Game
from ridotto.core.markup import Html, el, join, seat_badge
from ridotto.core.narrator import LEVELS, clean_name, current, language, listed, opening, rank, say, seated, spoken, stage_name
from ridotto.core.view import Outcome, View
from ridotto.engine.fields import Seat
from ridotto.web.clocks import short
from ridotto.web.pages.models import LogLine, SeatView, TablePage, display_names

NEWS: Final = 3
"""Lines of the log beside the question."""


# Small parts.


def paragraph(game: str, section: str) -> Html:
    """A link to a § of the rulebook."""
    if not section:
        return Html("")
    where = f"/rules/{spoken()}/{game}#s-{section.replace('.', '-')}"
    return el("a", f"§{section}", cls="para", href=where, target="_blank", rel="noopener")


@contextmanager
def speaking(scene: TablePage) -> Iterator[None]:
    """Speak to a reader of a table: in their language, with the names of those who sit there."""
    with language(scene.reader.language), seated(display_names(scene.seats)):
        yield


def called(place: SeatView) -> str:
    """Somebody at the table, by name; where there is none, by what the seat is called."""
    return stage_name(place.seat) if place.kind == "bot" else clean_name(place.name) or opening(place.role)


def introduced(place: SeatView) -> str:
    """Somebody by name, a bot with its level."""
    return f"{called(place)} ({rank(place.name)})" if place.kind == "bot" else called(place)


def standing(game: Game, place: SeatView) -> list[str]:
    """What somebody is besides the name: the role, where the game has one, and how strong a bot is."""
    found = [role(game, place.seat)] if game.roles or not (place.name or place.kind == "bot") else []
    return [*found, rank(place.name)] if place.kind == "bot" else found


def named(scene: TablePage, seats: Collection[Seat]) -> str:
    """Some of those at the table as a phrase; where two have the same name, with what they are."""
    calls = {place.seat: called(place) for place in scene.seats}
    told = list(calls.values())
    return listed(
        [f"{calls[seat]} ({role(scene.game, seat)})" if told.count(calls[seat]) > 1 else calls[seat] for seat in sorted(seats)]
    )


def opponents(game: Game) -> dict[str, str]:
    """The bots that people may play, weakest first: what a form calls each, and what people read, with its strength."""
    rated = game.tuning.ratings.get(2)
    return {
        f"bot:level:{level}": say("bot {level}: {name} ({rating} Elo)", level=level, name=say(name), rating=rated[level - 1])
        if rated
        else say("bot {level}: {name}", level=level, name=say(name))
        for level, name in enumerate(LEVELS, 1)
    }


def role(game: Game, seat: Seat) -> str:
    """What a seat is called, as a line of its own begins."""
    return opening(game.role(seat, game.words_now()))


# Who is there.


def people(scene: TablePage) -> Html:
    """Everybody at the table: mark, name, what they are, whether they are here, and whether they owe a decision."""
    return el("ul", *(_person(scene, place) for place in scene.seats), cls="people", tabindex=0, aria_label=say("At the table"))


def _person(scene: TablePage, place: SeatView) -> Html:
    thinking = place.seat in scene.thinking
    if place.stand_in:
        state = say("a bot plays")
    elif thinking:
        state = say("thinking")
    elif place.kind == "person" and not place.here and not place.you:
        state = say("away")
    else:
        state = ""
    name = say("you") if place.you and not place.name else say("free seat") if place.kind == "free" else called(place)
    note = standing(scene.game, place) + ([say("you")] if place.you and place.name else [])
    classes: list[str] = ["person", place.kind]
    if place.owing and scene.state != "over":
        classes.append("owing")
    if thinking:
        classes.append("thinks")
    if place.you:
        classes.append("you")
    if state == say("away"):
        classes.append("away")
    dots = el("span", *(el("i") for _ in range(3)), cls="dots", aria_hidden="true") if thinking else ""
    return el(
        "li",
        seat_badge(place.seat),
        el("span", el("b", name), el("small", " · ".join(note)), cls="who"),
        dots,
        clock(scene, place),
        el("span", state, cls="unseen" if thinking and not place.stand_in else "state") if state else "",
        cls=" ".join(classes),
    )


def clock(scene: TablePage, place: SeatView) -> Html:
    """What is left on a player's clock. The script counts on from here."""
    if place.clock is None or place.kind != "person":
        return Html("")
    is_running = place.clock.until is not None
    left = place.clock.at(scene.now)
    label = say("time of {who}", who=called(place))
    return el(
        "time",
        el("span", "▸" if is_running else "", cls="going", aria_hidden="true"),
        el("span", short(left, current()), cls="rest"),
        cls="clock running" if is_running else "clock",
        role="timer",
        aria_label=label,
        data_until=place.clock.until if is_running else None,
    )


# What is wanted.


def ask(scene: TablePage) -> Html:
    """One sentence that says what is wanted, and the buttons that answer it; or whom the table is waiting for."""
    view = scene.view
    asked = view.seat in view.to_act and not any(place.you and place.stand_in for place in scene.seats)
    parts: list[str] = []
    if scene.state == "open":
        parts.append(el("div", *_invitations(scene), cls="invites"))
    if view.outcome is not None:
        parts += [el("h2", verdict(scene), id="question"), el("div", *_afterwards(scene), cls="answers")]
    elif asked:
        parts.append(el("div", _fold(), el("p", say("Your turn"), cls="turn-flag"), _latest(scene), cls="ask-head"))
        parts += [_news(view), el("h2", view.question(scene.words), id="question"), _answers(view)]
    elif scene.state == "open":
        parts.append(el("h2", say("Waiting for people to sit down."), id="question"))
    else:
        who = named(scene, view.to_act)
        told = say("{who} is thinking …", who=who) if scene.thinking else say("Waiting for {who}", who=who)
        parts.append(el("div", el("p", told, cls="turn-flag waits"), _latest(scene), cls="ask-head"))
        parts += [_news(view), el("h2", view.question(scene.words), id="question")]
    return el("div", *parts, cls="asking" if asked else "waiting")


def _fold() -> Html:
    """On a phone: what folds the question to one sentence, so that the board is in reach."""
    return el("button", type="button", cls="fold", data_fold=True, aria_label=say("Fold the answers"), aria_expanded="true")


def _latest(scene: TablePage) -> str:
    """What the last action has told, beside the question."""
    last = [line for line in scene.log if line.ply == scene.log[-1].ply] if scene.log else []
    if not last or scene.view.outcome is not None:
        return ""
    lines = [el("li", line.text) for line in last[-NEWS:]]
    return el("ul", *lines, cls="latest", aria_label=say("What has just happened"))


def _news(view: View) -> Html:
    """What the game shows of what has just happened."""
    found = view.game.page.news(view, view.game.words_now())
    return el("div", found, cls="news") if found else Html("")


def _answers(view: View) -> Html:
    """The answers as the game gives them, else a button for every legal action."""
    found = view.game.page.answers(view, view.game.words_now())
    return found if found is not None else answers(view, view.game.words_now())


def _invitations(scene: TablePage) -> Iterator[Html]:
    """The links to the seats that are free, or a button to sit down on one."""
    for place in scene.seats:
        if place.kind != "free":
            continue
        if place.link:
            text = say("Send this link to a friend. Their seat: {role}.", role=role(scene.game, place.seat))
            yield el("p", text, cls="note")
            yield link_box(place.link, say("Link to a free seat: {role}", role=role(scene.game, place.seat)))
        elif place.open and not is_seated(scene):
            yield el(
                "form",
                el("input", type="hidden", name="seat", value=place.seat),
                el("button", say("Sit down: {role}", role=role(scene.game, place.seat)), cls="press main"),
                method="post",
                action=f"/t/{scene.id}/sit",
            )


def is_seated(scene: TablePage) -> bool:
    """Whether the reader plays."""
    return scene.is_seated or any(place.you for place in scene.seats)


def link_box(link: str, label: str) -> Html:
    """A link with what can be done with it."""
    return el(
        "div",
        el("input", type="text", readonly=True, value=link, aria_label=label),
        el("button", say("Copy"), type="button", cls="press", data_copy=link, data_done=say("Copied")),
        el("button", say("Share"), type="button", cls="press", data_share=link, hidden=True),
        cls="link-box",
    )


def _afterwards(scene: TablePage) -> Iterator[Html]:
    """What can be done when the match is over."""
    if scene.rematch:
        yield el("a", say("To the rematch"), cls="press main", href=scene.rematch, rel="next")
    elif is_seated(scene):
        yield el(
            "form",
            el("button", say("Play again, seats changed"), cls="press main"),
            method="post",
            action=f"/t/{scene.id}/rematch",
        )
    yield el("a", say("The whole score"), cls="press", href="#result")
    yield el("a", say("Look back"), cls="press", href=f"/t/{scene.id}/replay")
    yield el("a", say("Review"), cls="press", href=f"/t/{scene.id}/review")
    yield el("a", say("Start page"), cls="press", href="/")


# The board.


def drawn(scene: TablePage) -> list[drawing.Panel]:
    """The panels of a table, drawn once."""
    found: list[drawing.Panel] = list(scene.panels) or scene.game.panels(scene.view, scene.game.words_now())
    return found


def board(scene: TablePage) -> Html:
    """The panels, in the columns that the game asks for; on a phone in the order of their weight."""
    panels = {panel.name: panel for panel in drawn(scene)}
    order = {name: at for at, name in enumerate(panels)}
    columns = []
    for number, column in enumerate(scene.game.picture.COLUMNS, 1):
        inside = [_pane(panels[name], order[name]) for name in column if name in panels]
        if inside:
            columns.append(el("div", *inside, cls=f"column column-{number}"))
    return join(*columns)


def _pane(panel: drawing.Panel, place: int) -> Html:
    title = el("h3", panel.title, cls="unseen")
    picture = framed(panel)
    if panel.private:
        # Its reader may fold it away from other people's eyes.
        return el(
            "details", el("summary", panel.title), title, picture, cls=f"pane place-{place}", id=f"pane-{panel.name}", open=True
        )
    return el("section", title, picture, cls=f"pane place-{place}", id=f"pane-{panel.name}")


def framed(panel: drawing.Panel) -> Html:
    """A panel as it stands in a page: named for whoever listens, without a tip over all of it."""
    size = f"0 0 {panel.width} {panel.height}"
    cls = f"drawing {panel.name}"
    return Html(drawing.tag("svg", Svg(panel.body), viewBox=size, cls=cls, role="group", aria_label=panel.title))


def hall(scene: TablePage, parts: Mapping[str, Html], last: Html) -> Html:
    """The table with all its places: what is asked, the board, the log, the result, and something below."""
    return el(
        "main",
        el("nav", jumps(scene), cls="jumps", aria_label=say("Parts of the table")),
        el(
            "div",
            el("section", parts["ask"], id="ask", aria_labelledby="question", tabindex=-1),
            el("h2", say("The table"), cls="unseen"),
            el("div", parts["board"], id="board"),
            el("section", parts["log"], id="log", aria_label=say("Log"), tabindex=0),
            cls="hall-floor",
        ),
        el("section", parts["result"], id="result", cls="result", aria_label=say("Result")),
        last,
        id="main",
    )


def jumps(scene: TablePage) -> Html:
    """On a phone: a row of links to the panels."""
    links = [el("a", panel.title, href=f"#pane-{panel.name}") for panel in drawn(scene)]
    return join(*links, el("a", say("Log"), href="#log"))


# The log.


class Chapter(NamedTuple):
    """The lines of one round."""

    title: str
    lines: list[LogLine]


def chapters(scene: TablePage) -> list[Chapter]:
    """The log by rounds, oldest first; in one piece where the game has none."""
    starts = [(at, one.ply, one.values["round"]) for at, one in enumerate(scene.view.seen) if one.event.begins_round]
    exact = len(scene.view.seen) == len(scene.log)
    has_rounds = any(event.begins_round for event in scene.game.rules.EVENTS)
    found = [Chapter(say("Before the first round") if has_rounds else say("The whole match"), [])]
    for at, line in enumerate(scene.log):
        while starts and (at >= starts[0][0] if exact else line.ply >= starts[0][1]):
            found.append(Chapter(say("Round {round}", round=starts.pop(0)[2]), []))
        found[-1].lines.append(line)
    return [one for one in found if one.lines]


def log(scene: TablePage) -> Html:
    """Everything that happened, in sentences, the newest first, foldable by round."""
    parts = [el("h2", say("Log"))]
    told = chapters(scene)
    for at, chapter in enumerate(reversed(told)):
        lines = [
            el("li", _seat_dot(line.seat), line.text, " ", paragraph(scene.game.name, line.section), data_line=line.ply)
            for line in reversed(chapter.lines)
        ]
        name = f"round-{len(told) - at}"
        parts.append(el("details", el("summary", chapter.title), el("ol", *lines), id=name, open=at == 0))
    if not told:
        parts.append(el("p", say("Nothing has happened yet."), cls="note"))
    return join(*parts)


def _seat_dot(seat: Seat | None) -> Html:
    return Html("") if seat is None else seat_badge(seat)


# The result.


def verdict(scene: TablePage) -> str:
    """Who has won, as one sentence."""
    outcome, view = scene.view.outcome, scene.view
    if outcome is None:
        return ""
    if not outcome.winners:
        return say("Nobody wins.")
    if view.seat is not None:
        return say("You have won.") if view.seat in outcome.winners else say("You have lost.")
    return say("Won by: {who}.", who=named(scene, outcome.winners))


def result(scene: TablePage) -> Html:
    """Who won and why, and every part of every score."""
    outcome = scene.view.outcome
    if outcome is None:
        return Html("")
    others = scene.game.words_now().rivals(scene.view.row)
    rows = [
        el(
            "tr",
            el(
                "th",
                opening(scene.game.words_now().say(part.meaning)),
                " ",
                paragraph(scene.game.name, part.section),
                scope="row",
            ),
            *cells,
        )
        for part in scene.game.rules.PARTS
        if part.seats in (0, scene.view.seats)
        for cells in [[_cell(parts.get(part.name)) for parts in (*outcome.parts, *(one.parts for one in others))]]
    ]
    head = [
        el(
            "th",
            seat_badge(place.seat),
            el("b", called(place)),
            el("small", " · ".join(standing(scene.game, place))),
            scope="col",
            cls="winner" if place.seat in outcome.winners else "",
        )
        for place in scene.seats
    ]
    head += [el("th", el("b", one.name), scope="col") for one in others]
    scores = [*outcome.scores, *(one.score for one in others)]
    total = el("tr", el("th", opening(say("score")), scope="row"), *(_cell(score) for score in scores))
    return join(
        el("h2", verdict(scene)),
        el("p", say("Won by: {who}.", who=named(scene, outcome.winners)) if outcome.winners else "", cls="won-by"),
        el("p", _ending(scene, outcome), " ", paragraph(scene.game.name, outcome.section)),
        el(
            "div",
            el("table", el("thead", el("tr", el("td"), *head)), el("tbody", *rows), el("tfoot", total)),
            cls="scroll",
            tabindex=0,
            role="region",
            aria_label=say("The score in its parts"),
        ),
        el("p", el("a", say("The record of this match"), href=f"/t/{scene.id}/record"), cls="note"),
    )


def _cell(number: int | None) -> Html:
    return el("td", "" if number is None else str(number).replace("-", "−"))


def _ending(scene: TablePage, outcome: Outcome) -> str:
    """How it ended, in the words of the log where there are some."""
    told = [line.text for line in scene.log if line.section == outcome.section]
    meanings = [
        opening(scene.game.words_now().say(line.meaning)) + "."
        for line in scene.game.rules.ENDINGS
        if line.name == outcome.ending
    ]
    return (told or meanings or [""])[-1]


# Links.


def links(scene: TablePage) -> Html:
    """Who can be asked to the table and how far the links reach, and one's own way back to the seat."""
    parts: list[str] = [el("h2", say("Invite and share"))]
    for place in scene.seats:
        if place.link and place.kind == "free":
            parts.append(el("h3", say("Link to a free seat: {role}", role=role(scene.game, place.seat))))
            parts.append(link_box(place.link, say("Link to a free seat: {role}", role=role(scene.game, place.seat))))
            parts.append(_qr(scene, f"?seat={place.seat}", say("The link to this seat as a QR code")))
    if scene.table_link:
        told = say("Only people with a link find this table.") if scene.private else say("Anybody with this link can watch.")
        parts += [el("h3", say("To watch")), link_box(scene.table_link, say("Link to watch")), el("p", told, cls="note")]
        parts.append(_qr(scene, "", say("The link to this table as a QR code")))
    if scene.seat_link:
        parts += [el("h3", say("Your seat on another device")), link_box(scene.seat_link, say("Link to your seat"))]
        parts.append(el("p", say("Keep this one to yourself: whoever opens it plays for you."), cls="note"))
    if scene.reach:
        parts.append(el("p", scene.reach, cls="note"))
    return join(*parts)


def _qr(scene: TablePage, which: str, told: str) -> Html:
    return el("img", src=f"/t/{scene.id}/qr.svg{which}", alt=told, cls="qr", width=132, height=132, loading="lazy")


# What is told besides.


def heading(scene: TablePage) -> str:
    """The title of the tab."""
    title = scene.game.title
    if scene.state == "over":
        return f"{verdict(scene)} – {title}"
    if scene.view.seat in scene.view.to_act:
        return say("It is your turn – {title}", title=title)
    return f"{title} – Ridotto"


def announcement(scene: TablePage) -> str:
    """What changed, as one sentence or two for whoever listens to the page."""
    first = scene.since or (scene.log[-1].ply if scene.log else 0)
    parts = [line.text for line in scene.log if line.ply >= first][-2 * NEWS :]
    if scene.state == "over":
        parts.append(verdict(scene))
    elif scene.view.seat in scene.view.to_act:
        parts.append(say("It is your turn."))
        parts.append(scene.view.question(scene.words))
    elif scene.state == "open":
        parts.append(say("Waiting for people to sit down."))
    return " ".join(part for part in parts if part)
