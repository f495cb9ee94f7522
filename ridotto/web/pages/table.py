"""The table as HTML: the parts that change with every action, each drawn from what one reader sees of it.

The parts carry no nonce and nothing of the reader but the seat and the language, so that all who see the same are sent
the same bytes; the script adds the nonce to whatever is sent back.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from ridotto.core import drawing
from ridotto.core.answers import answers
from ridotto.core.drawing import Svg
from ridotto.core.markup import Html, el, join, seat_badge
from ridotto.core.narrator import opening
from ridotto.core.view import Outcome
from ridotto.engine.fields import Seat
from ridotto.web.clocks import short
from ridotto.web.pages.models import LogLine, SeatView, TablePage

NEWS: Final = 3
"""Lines of the log beside the question."""


# Small parts.


def paragraph(table: TablePage, section: str) -> Html:
    """A link to a § of the rulebook."""
    if not section:
        return Html("")
    where = f"/rules/{table.reader.language}/{table.game.name}#s-{section.replace('.', '-')}"
    return el("a", f"§{section}", cls="para", href=where, target="_blank", rel="noopener")


def standing(table: TablePage, place: SeatView) -> list[str]:
    """What somebody is besides the name: what the seat is called, and how strong a bot is."""
    found = role(table, place.seat)
    return [found, table.narrator.rank(place.name)] if place.kind == "bot" else [found]


def role(table: TablePage, seat: Seat) -> str:
    """What a seat is called, as a line of its own begins."""
    return opening(table.game.role(seat, table.words))


# Who is there.


def people(table: TablePage) -> Html:
    """Everybody at the table: mark, name, what they are, whether they are here, and whether they owe a decision."""
    say = table.narrator.say
    return el("ul", *(_person(table, place) for place in table.seats), cls="people", tabindex=0, aria_label=say("At the table"))


def _person(table: TablePage, place: SeatView) -> Html:
    say = table.narrator.say
    thinking = place.seat in table.thinking
    if place.stand_in:
        state = say("a bot plays")
    elif thinking:
        state = say("thinking")
    elif place.kind == "person" and not place.here and not place.you:
        state = say("away")
    else:
        state = ""
    name = say("you") if place.you and not place.name else say("free seat") if place.kind == "free" else place.display_name
    note = standing(table, place) + ([say("you")] if place.you and place.name else [])
    classes: list[str] = ["person", place.kind]
    if place.owing and table.state != "over":
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
        clock(table, place),
        el("span", state, cls="unseen" if thinking and not place.stand_in else "state") if state else "",
        cls=" ".join(classes),
    )


def clock(table: TablePage, place: SeatView) -> Html:
    """What is left on a player's clock. The script counts on from here."""
    say = table.narrator.say
    if place.clock is None or place.kind != "person":
        return Html("")
    is_running = place.clock.until is not None
    left = place.clock.at(table.now)
    label = say("time of {who}", who=place.display_name)
    return el(
        "time",
        el("span", "▸" if is_running else "", cls="going", aria_hidden="true"),
        el("span", short(left, table.narrator), cls="rest"),
        cls="clock running" if is_running else "clock",
        role="timer",
        aria_label=label,
        data_until=place.clock.until if is_running else None,
    )


# What is wanted.


def ask(table: TablePage) -> Html:
    """One sentence that says what is wanted, and the buttons that answer it; or whom the table is waiting for."""
    say = table.narrator.say
    view = table.view
    asked = view.seat in view.to_act and not any(place.you and place.stand_in for place in table.seats)
    parts: list[str] = []
    if table.state == "open":
        parts.append(el("div", *_invitations(table), cls="invites"))
    if view.outcome is not None:
        parts += [el("h2", verdict(table), id="question"), el("div", *_afterwards(table), cls="answers")]
    elif asked:
        parts.append(el("div", _fold(table), el("p", say("Your turn"), cls="turn-flag"), _latest(table), cls="ask-head"))
        parts += [_news(table), el("h2", view.question(table.words), id="question"), _answers(table)]
    elif table.state == "open":
        parts.append(el("h2", say("Waiting for people to sit down."), id="question"))
    else:
        who = table.named(view.to_act)
        told = say("{who} is thinking …", who=who) if table.thinking else say("Waiting for {who}", who=who)
        parts.append(el("div", el("p", told, cls="turn-flag waits"), _latest(table), cls="ask-head"))
        parts += [_news(table), el("h2", view.question(table.words), id="question")]
    return el("div", *parts, cls="asking" if asked else "waiting")


def _fold(table: TablePage) -> Html:
    """On a phone: what folds the question to one sentence, so that the board is in reach."""
    label = table.narrator.say("Fold the answers")
    return el("button", type="button", cls="fold", data_fold=True, aria_label=label, aria_expanded="true")


def _latest(table: TablePage) -> str:
    """What the last action has told, beside the question."""
    say = table.narrator.say
    last = [line for line in table.log if line.ply == table.log[-1].ply] if table.log else []
    if not last or table.view.outcome is not None:
        return ""
    lines = [el("li", line.text) for line in last[-NEWS:]]
    return el("ul", *lines, cls="latest", aria_label=say("What has just happened"))


def _news(table: TablePage) -> Html:
    """What the game shows of what has just happened."""
    found = table.game.page.news(table.view, table.words)
    return el("div", found, cls="news") if found else Html("")


def _answers(table: TablePage) -> Html:
    """The answers as the game gives them, else a button for every legal action."""
    found = table.game.page.answers(table.view, table.words)
    return found if found is not None else answers(table.view, table.words)


def _invitations(table: TablePage) -> Iterator[Html]:
    """The links to the seats that are free, or a button to sit down on one."""
    say = table.narrator.say
    for place in table.seats:
        if place.kind != "free":
            continue
        if place.link:
            text = say("Send this link to a friend. Their seat: {role}.", role=role(table, place.seat))
            yield el("p", text, cls="note")
            yield link_box(table, place.link, say("Link to a free seat: {role}", role=role(table, place.seat)))
        elif place.open and not is_seated(table):
            yield el(
                "form",
                el("input", type="hidden", name="seat", value=place.seat),
                el("button", say("Sit down: {role}", role=role(table, place.seat)), cls="press main"),
                method="post",
                action=f"/t/{table.id}/sit",
            )


def is_seated(table: TablePage) -> bool:
    """Whether the reader plays."""
    return table.is_seated or any(place.you for place in table.seats)


def link_box(table: TablePage, link: str, label: str) -> Html:
    """A link with what can be done with it."""
    say = table.narrator.say
    return el(
        "div",
        el("input", type="text", readonly=True, value=link, aria_label=label),
        el("button", say("Copy"), type="button", cls="press", data_copy=link, data_done=say("Copied")),
        el("button", say("Share"), type="button", cls="press", data_share=link, hidden=True),
        cls="link-box",
    )


def _afterwards(table: TablePage) -> Iterator[Html]:
    """What can be done when the match is over."""
    say = table.narrator.say
    if table.rematch:
        yield el("a", say("To the rematch"), cls="press main", href=table.rematch, rel="next")
    elif is_seated(table):
        yield el(
            "form",
            el("button", say("Play again, seats changed"), cls="press main"),
            method="post",
            action=f"/t/{table.id}/rematch",
        )
    yield el("a", say("The whole score"), cls="press", href="#result")
    yield el("a", say("Look back"), cls="press", href=f"/t/{table.id}/replay")
    yield el("a", say("Review"), cls="press", href=f"/t/{table.id}/review")
    yield el("a", say("Start page"), cls="press", href="/")


# The board.


def drawn(table: TablePage) -> list[drawing.Panel]:
    """The panels of a table, drawn once."""
    found: list[drawing.Panel] = list(table.panels) or table.game.panels(table.view, table.words)
    return found


def board(table: TablePage) -> Html:
    """The panels, in the columns that the game asks for; on a phone in the order of their weight."""
    panels = {panel.name: panel for panel in drawn(table)}
    order = {name: at for at, name in enumerate(panels)}
    columns = []
    for number, column in enumerate(table.game.picture.COLUMNS, 1):
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


# The log.


class Chapter(NamedTuple):
    """The lines of one round."""

    title: str
    lines: list[LogLine]


def chapters(table: TablePage) -> list[Chapter]:
    """The log by rounds, oldest first; in one piece where the game has none."""
    say = table.narrator.say
    starts = [(at, one.ply, one.values["round"]) for at, one in enumerate(table.view.seen) if one.event.begins_round]
    exact = len(table.view.seen) == len(table.log)
    has_rounds = any(event.begins_round for event in table.game.rules.EVENTS)
    found = [Chapter(say("Before the first round") if has_rounds else say("The whole match"), [])]
    for at, line in enumerate(table.log):
        while starts and (at >= starts[0][0] if exact else line.ply >= starts[0][1]):
            found.append(Chapter(say("Round {round}", round=starts.pop(0)[2]), []))
        found[-1].lines.append(line)
    return [one for one in found if one.lines]


def log(table: TablePage) -> Html:
    """Everything that happened, in sentences, the newest first, foldable by round."""
    say = table.narrator.say
    parts = [el("h2", say("Log"))]
    told = chapters(table)
    for at, chapter in enumerate(reversed(told)):
        lines = [
            el("li", _seat_dot(line.seat), line.text, " ", paragraph(table, line.section), data_line=line.ply)
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


def verdict(table: TablePage) -> str:
    """Who has won, as one sentence."""
    say = table.narrator.say
    outcome, view = table.view.outcome, table.view
    if outcome is None:
        return ""
    if not outcome.winners:
        return say("Nobody wins.")
    if view.seat is not None:
        return say("You have won.") if view.seat in outcome.winners else say("You have lost.")
    return say("Won by: {who}.", who=table.named(outcome.winners))


def result(table: TablePage) -> Html:
    """Who won and why, and every part of every score."""
    say = table.narrator.say
    outcome = table.view.outcome
    if outcome is None:
        return Html("")
    others = table.words.rivals(table.view.row)
    rows = [
        el(
            "tr",
            el(
                "th",
                opening(table.words.say(part.meaning)),
                " ",
                paragraph(table, part.section),
                scope="row",
            ),
            *cells,
        )
        for part in table.game.rules.PARTS
        if part.seats in (0, table.view.seats)
        for cells in [[_cell(parts.get(part.name)) for parts in (*outcome.parts, *(one.parts for one in others))]]
    ]
    head = [
        el(
            "th",
            seat_badge(place.seat),
            el("b", place.display_name),
            el("small", " · ".join(standing(table, place))),
            scope="col",
            cls="winner" if place.seat in outcome.winners else "",
        )
        for place in table.seats
    ]
    head += [el("th", el("b", one.name), scope="col") for one in others]
    scores = [*outcome.scores, *(one.score for one in others)]
    total = el("tr", el("th", opening(say("score")), scope="row"), *(_cell(score) for score in scores))
    return join(
        el("h2", verdict(table)),
        el("p", say("Won by: {who}.", who=table.named(outcome.winners)) if outcome.winners else "", cls="won-by"),
        el("p", _ending(table, outcome), " ", paragraph(table, outcome.section)),
        el(
            "div",
            el("table", el("thead", el("tr", el("td"), *head)), el("tbody", *rows), el("tfoot", total)),
            cls="scroll",
            tabindex=0,
            role="region",
            aria_label=say("The score in its parts"),
        ),
        el("p", el("a", say("The record of this match"), href=f"/t/{table.id}/record"), cls="note"),
    )


def _cell(number: int | None) -> Html:
    return el("td", "" if number is None else str(number).replace("-", "−"))


def _ending(table: TablePage, outcome: Outcome) -> str:
    """How it ended, in the words of the log where there are some."""
    told = [line.text for line in table.log if line.section == outcome.section]
    meanings = [
        opening(table.words.say(line.meaning)) + "." for line in table.game.rules.ENDINGS if line.name == outcome.ending
    ]
    return (told or meanings or [""])[-1]


# Links.


def links(table: TablePage) -> Html:
    """Who can be asked to the table and how far the links reach, and one's own way back to the seat."""
    say = table.narrator.say
    parts: list[str] = [el("h2", say("Invite and share"))]
    for place in table.seats:
        if place.link and place.kind == "free":
            parts.append(el("h3", say("Link to a free seat: {role}", role=role(table, place.seat))))
            parts.append(link_box(table, place.link, say("Link to a free seat: {role}", role=role(table, place.seat))))
            parts.append(_qr(table, f"?seat={place.seat}", say("The link to this seat as a QR code")))
    if table.table_link:
        told = say("Only people with a link find this table.") if table.private else say("Anybody with this link can watch.")
        parts += [el("h3", say("To watch")), link_box(table, table.table_link, say("Link to watch")), el("p", told, cls="note")]
        parts.append(_qr(table, "", say("The link to this table as a QR code")))
    if table.seat_link:
        parts += [el("h3", say("Your seat on another device")), link_box(table, table.seat_link, say("Link to your seat"))]
        parts.append(el("p", say("Keep this one to yourself: whoever opens it plays for you."), cls="note"))
    if table.reach:
        parts.append(el("p", table.reach, cls="note"))
    return join(*parts)


def _qr(table: TablePage, which: str, told: str) -> Html:
    return el("img", src=f"/t/{table.id}/qr.svg{which}", alt=told, cls="qr", width=132, height=132, loading="lazy")


# What is told besides.


def heading(table: TablePage) -> str:
    """The title of the tab."""
    say = table.narrator.say
    title = table.game.title
    if table.state == "over":
        return f"{verdict(table)} – {title}"
    if table.view.seat in table.view.to_act:
        return say("It is your turn – {title}", title=title)
    return f"{title} – Ridotto"


def announcement(table: TablePage) -> str:
    """What changed, as one sentence or two for whoever listens to the page."""
    say = table.narrator.say
    first = table.since or (table.log[-1].ply if table.log else 0)
    parts = [line.text for line in table.log if line.ply >= first][-2 * NEWS :]
    if table.state == "over":
        parts.append(verdict(table))
    elif table.view.seat in table.view.to_act:
        parts.append(say("It is your turn."))
        parts.append(table.view.question(table.words))
    elif table.state == "open":
        parts.append(say("Waiting for people to sit down."))
    return " ".join(part for part in parts if part)
