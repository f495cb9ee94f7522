"""What is around the match, as HTML: clocks, offers, stand-ins, talk, the hand-over, and what a form asks about them."""

from __future__ import annotations

import time
from collections.abc import Iterable

from ridotto.core import drawing
from ridotto.core.markup import Html, el, join
from ridotto.core.narrator import say
from ridotto.web import clocks
from ridotto.web.clocks import Terms
from ridotto.web.pages.models import ChatLine, TablePage
from ridotto.web.pages.table import called, is_seated, named, paragraph, seat_badge
from ridotto.web.storage.chat import LONGEST


def post(where: str, *inside: str, cls: str = "", **hidden: object) -> Html:
    """A small form that the script sends without leaving the page."""
    fields = [el("input", type="hidden", name=name, value=value) for name, value in hidden.items()]
    return el("form", *fields, *inside, method="post", action=where, data_quiet=True, cls=cls)


# Clocks.


def terms(found: Terms | None) -> Html:
    """What was agreed on about time, and what happens when it is up."""
    if found is None:
        return Html("")
    told = clocks.told(found)
    return el("p", el("b", say("Clock: {terms}.", terms=told)), " ", clocks.consequence(found), cls="terms")


# Above the question.


def banner(scene: TablePage) -> Html:
    """Whatever has to be answered before, or instead of, the question."""
    late = el("section", el("p", el("b", scene.late)), cls="offer-box") if scene.late else Html("")
    parts = [late, _offer(scene), _standing(scene), *_absent(scene)]
    found = [part for part in parts if part]
    return el("div", *found, cls="banner") if found else Html("")


def _offer(scene: TablePage) -> Html:
    asked = scene.offer
    if asked is None:
        return Html("")
    here, who = f"/t/{scene.id}", named(scene, (asked.by,))
    others = [seat for seat in asked.missing if seat != scene.view.seat]
    missing = say("Still to agree: {who}", who=named(scene, others)) if others else ""
    if asked.kind == "standin":
        text = say("{who} would let a bot play for {away}, who is away.", who=who, away=named(scene, (asked.seat,)))
    elif asked.is_mine:
        text = say("You would take your last decision back.")
    elif asked.by == scene.view.seat:
        text = say("You have asked to take your last decision back.")
    else:
        text = say("{who} would like to take the last decision back.", who=who)
    buttons: list[Html] = []
    if asked.is_mine or asked.is_owed:
        if asked.is_mine:
            yes = say("Ask the others") if asked.missing else say("Take it back")
            anew = say("Ask, and deal it anew") if asked.missing else say("Take it back and deal it anew")
            no = say("Leave it")
        else:
            yes, anew, no = say("Agree"), say("Agree, if it is dealt anew"), say("Refuse")
        buttons.append(post(f"{here}/agree", el("button", yes, cls="press main")))
        if asked.may_anew and not asked.anew:
            buttons.append(post(f"{here}/agree", el("button", anew, cls="press"), anew=1))
        buttons.append(post(f"{here}/refuse", el("button", no, cls="press")))
    elif asked.by == scene.view.seat:
        buttons.append(post(f"{here}/refuse", el("button", say("Leave it"), cls="press")))
    because = ""
    if asked.because and (asked.is_mine or asked.is_owed):
        why = say("Since then: {what}", what=asked.because)
        end = "" if asked.because[-1:] in ".!?…”»" else "."
        because = el("p", why, end, " ", paragraph(scene.game.name, asked.section))
    anew_note = say("What was learned will be dealt anew.") if asked.anew else asked.never if asked.is_mine else ""
    return el(
        "section",
        el("p", el("b", text)),
        because,
        el("p", anew_note, cls="note") if anew_note else "",
        el("p", missing, cls="note") if missing and not asked.is_mine else "",
        el("div", *buttons, cls="answers") if buttons else "",
        cls="offer-box",
        role="group",
        aria_label=text,
    )


def _standing(scene: TablePage) -> Html:
    """For somebody for whom a bot plays: the way back."""
    mine = [place for place in scene.seats if place.you and place.stand_in]
    if not mine or scene.state == "over":
        return Html("")
    is_late = scene.terms is not None and scene.terms.kind == "match" and mine[0].clock is not None and mine[0].clock.left <= 0
    if is_late:
        return el("section", el("p", el("b", say("Your time is up: a bot plays for you to the end."))), cls="offer-box")
    back = post(f"/t/{scene.id}/return", el("button", say("Take my seat back"), cls="press main"))
    return el("section", el("p", el("b", say("A bot plays for you."))), el("div", back, cls="answers"), cls="offer-box")


def _absent(scene: TablePage) -> Iterable[Html]:
    """Those whom the table waits for and who have been away for long."""
    if scene.offer is not None or not (is_seated(scene) or scene.is_host) or scene.state != "playing":
        return
    for place in scene.seats:
        if place.gone and place.owing and not place.stand_in and not place.you:
            text = say("{who} has been away for a while.", who=called(place))
            button = el("button", say("Let a bot play for {who}", who=called(place)), cls="press")
            form = post(f"/t/{scene.id}/standin", button, seat=place.seat)
            yield el("section", el("p", text), el("div", form, cls="answers"), cls="offer-box")


def controls(scene: TablePage) -> Html:
    """With the question: the way back."""
    if not scene.may_take_back or scene.offer is not None:
        return Html("")
    sign = Html('<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M9 5 4 10l5 5M4 10h10a6 6 0 0 1 0 12h-3"/></svg>')
    return post(
        f"/t/{scene.id}/takeback", el("button", sign, el("span", say("Take back")), cls="aid", id="take-back"), cls="take-back"
    )


# One device for several.


def passing(scene: TablePage) -> str:
    """What the title of the tab, and whoever reads the page aloud, says meanwhile."""
    assert scene.handover is not None
    return say("Hand the device to {who}", who=called(scene.seats[scene.handover]))


def handover(scene: TablePage) -> Html:
    """All that is to be seen until the next player has the device."""
    assert scene.handover is not None
    place = scene.seats[scene.handover]
    return el(
        "div",
        el(
            "div",
            Html(drawing.tag("svg", drawing.seat_mark(place.seat, 32, 32, 48), viewBox="0 0 64 64", cls="drawing")),
            el("h2", passing(scene), id="question"),
            el("p", say("Nothing is shown until {who} has it.", who=called(place)), cls="note"),
            post(
                f"/t/{scene.id}/hand",
                el("button", say("I am {who}", who=called(place)), cls="press main", id="handed"),
                seat=place.seat,
            ),
            cls="handover-card",
        ),
        cls="handover",
    )


# Talk.


def talk(scene: TablePage) -> Html:
    """The panel in which people at the table talk, and in which what happened around the match is noted."""
    if not (scene.may_chat or scene.chat) or not scene.now:
        return Html("")
    sign = Html('<svg viewBox="0 0 24 24" aria-hidden="true" class="bubble"><path d="M4 5h16v11H11l-5 4v-4H4z"/></svg>')
    write = post(
        f"/t/{scene.id}/talk",
        el("input", name="text", maxlength=LONGEST, autocomplete="off", required=True, aria_label=say("Say something")),
        el("button", say("Say it"), cls="press"),
        cls="talk-form",
    )
    hushed = el("p", say("At this table only those who play talk."), cls="note")
    return el(
        "details",
        el(
            "summary",
            sign,
            el("span", say("Talk"), cls="unseen"),
            el("span", cls="unread", hidden=True, data_words=say("new lines")),
        ),
        el(
            "div",
            el("h2", say("Talk")),
            el(
                "div",
                el(
                    "ol",
                    lines(scene.id, scene.chat, scene.is_host),
                    id="talk-lines",
                    cls="talk-lines",
                    data_last=scene.chat[-1].number if scene.chat else 0,
                ),
                cls="talk-scroll",
                role="log",
                aria_label=say("What was said"),
                tabindex=0,
            ),
            write if scene.may_chat else hushed,
            el("p", say("Nothing of it enters the record of the match."), cls="note"),
            cls="drawer talk-drawer",
        ),
        id="talk",
        cls="settings talk",
    )


def lines(id: str, said: Iterable[ChatLine], is_host: bool) -> Html:
    """What was said, oldest first."""
    found = [_line(id, line, is_host) for line in said]
    return join(*found) if found else el("li", say("Nobody has said anything yet."), cls="note quiet")


def _line(id: str, line: ChatLine, is_host: bool) -> Html:
    stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(line.at))
    when = el("time", time.strftime("%H:%M", time.gmtime(line.at)), datetime=stamp)
    mark = "" if line.seat is None else seat_badge(line.seat)
    if not line.who:
        return el("li", el("span", line.text, cls="words"), when, cls="noted", data_line_number=line.number)
    text = line.text
    if line.removed:
        text = say("removed by the host")
    elif line.muted:
        text = say("muted")
    more: list[Html] = []
    if not line.yours and not line.removed:
        label = say("Hear {who} again", who=line.who) if line.muted else say("Mute {who}", who=line.who)
        more.append(post(f"/t/{id}/talk/mute", el("button", label), line=line.number, off=int(line.muted)))
        if not line.muted:
            more.append(post(f"/t/{id}/talk/report", el("button", say("Report")), line=line.number))
    if is_host and not line.removed:
        more.append(post(f"/t/{id}/talk/remove", el("button", say("Remove")), line=line.number))
    menu = el("summary", "⋯", aria_label=say("More about this line"))
    reported = el("em", say("reported"), cls="reported") if is_host and line.reports and not line.removed else ""
    return el(
        "li",
        mark,
        el(
            "span",
            el("b", line.who),
            " ",
            el("span", text, cls="words gone" if line.removed or line.muted else "words"),
            " ",
            reported,
        ),
        when,
        el("details", menu, el("div", *more, cls="line-menu"), cls="more") if more else "",
        cls="said yours" if line.yours else "said",
        data_line_number=line.number,
    )


# With the other things of a table.


def extras(scene: TablePage) -> list[Html]:
    """What was agreed on about time; and the way to let a bot play."""
    found = [terms(scene.terms)]
    mine = [place for place in scene.seats if place.you]
    if not mine or scene.state == "over":
        return [one for one in found if one]
    if scene.state == "playing" and not mine[0].stand_in:
        button = el("button", say("Let a bot play for me"), cls="press")
        note = el("p", say("You can take your seat back at any time."), cls="note")
        found.append(el("div", post(f"/t/{scene.id}/standin", button), note, cls="for-me"))
    return [one for one in found if one]


def hook(scene: TablePage) -> Html:
    """Where somebody can be told of their turn; nothing where the server tells nobody."""
    if scene.webhook is None or not is_seated(scene) or scene.state == "over":
        return Html("")
    field = el(
        "label",
        say("Tell this address when it is my turn"),
        el("input", name="url", type="url", value=scene.webhook, maxlength=500, placeholder="https://"),
    )
    note = el("p", say("It gets a small JSON message: table, game, link, seat. Leave it empty to be told no more."), cls="note")
    save = el("button", say("Save"), cls="press")
    return el("form", field, save, note, method="post", action=f"/t/{scene.id}/notices", cls="hook")


# The form of a new table.


def time_choice() -> Html:
    """The part of the form of a new table that is about time and about who may talk."""
    offered = {"": say("no clock")}
    offered |= {f"match:{60 * one}": say("{minutes} minutes each", minutes=one) for one in clocks.MINUTES}
    days = {one: say("one day per move") if one == 1 else say("{days} days per move", days=one) for one in clocks.DAYS}
    offered |= {f"move:{86400 * one}": text for one, text in days.items()}
    flags = {"resign": say("the player resigns"), "bot": say("a bot plays on")}
    number = el("input", type="number", name="added", value=0, min=0, max=clocks.MOST_ADDED, step=1)
    return el(
        "fieldset",
        el("legend", say("Time and talk")),
        el("label", el("span", say("Clock")), el("select", *_options(offered), name="clock")),
        el("label", el("span", say("Seconds more for each turn")), number),
        el("label", el("span", say("When time is up")), el("select", *_options(flags), name="flag")),
        el(
            "label",
            el("input", type="checkbox", name="hushed", value="1"),
            el("span", say("Only those who play may talk, not those who watch"), cls="told"),
            cls="tick",
        ),
        cls="about-table about-time",
    )


def _options(values: dict[str, str]) -> list[Html]:
    return [el("option", text, value=value) for value, text in values.items()]


def guest_names() -> Html:
    """Where the names of those who share the device are asked for."""
    field = el("input", name="names", maxlength=200, autocomplete="off", placeholder="Bruno, Chiara")
    return el("label", el("span", say("Others at this device")), field, cls="reader-names")


def signals() -> Html:
    """The setting that lets the page call when it is one's turn."""
    return el(
        "label",
        el("input", type="checkbox", data_setting="call"),
        say("Call me when it is my turn: a sound, and a notification if the browser allows it"),
        cls="tick",
    )
