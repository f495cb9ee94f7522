"""The pages: each a function of its scene, in the reader's language, drawn in Python like the boards.

There is no script and no style inside a page; everything is in ``static/table.js`` and in `css`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path
from string import Template
from typing import Final

from ridotto.bots import review
from ridotto.core import drawing
from ridotto.core.game import Game
from ridotto.core.lesson import lesson
from ridotto.core.markup import Html, el
from ridotto.core.markup import join as joined
from ridotto.core.narrator import LANGUAGES, language, listed, mark, say, spoken
from ridotto.engine.fields import Option
from ridotto.games import GAMES
from ridotto.web.pages import aids, art
from ridotto.web.pages import around as around_pages
from ridotto.web.pages import table as tabletop
from ridotto.web.pages.models import LobbyPage, Reader, SeatView, TableLine, TablePage
from ridotto.web.pages.table import called, introduced, seat_badge, speaking

STATIC: Final = Path(__file__).parents[1] / "static"
SCRIPTS: Final = ("around.js", "table.js", "learning.js", "lookback.js")
STYLES: Final = ("house.css", "learning.css", "around.css", "lookback.css")

SETTING: Final = {
    "fantome": ("me", "bot:level:2"),
    "opera": ("me", "bot:level:2", "bot:level:2"),
    "turandot": ("me", "bot:level:2", "bot:level:2"),
}
"""Who sits where, unless somebody says otherwise."""


# What every page has.


def page(reader: Reader, title: str, *body: str, cls: str, back: str, menu: Iterable[str] = (), **data: object) -> str:
    """A whole page: head, bar at the top, and what is in it."""
    head = [
        el("meta", charset="utf-8"),
        el("title", title),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="color-scheme", content={"auto": "dark light"}.get(reader.theme, reader.theme)),
        el("meta", name="description", content=say("Three games about opera, to play with friends or bots.")),
        el("link", rel="icon", href="/static/mask.svg", type="image/svg+xml"),
        el("link", rel="stylesheet", href=f"/static/boards.css?{_mark(css())}"),
        *(el("script", src=f"/static/{name}?{_mark(_script(name))}", defer=True) for name in SCRIPTS),
    ]
    whole = el(
        "html",
        el("head", *head),
        el(
            "body",
            el("a", say("To the content"), href="#main", cls="skip"),
            _bar(reader, back, *menu),
            *body,
            cls=cls,
            data_nonce=reader.nonce,
            **data,
        ),
        lang=reader.language,
        data_theme=reader.theme,
        data_motion="on" if reader.motion else "off",
    )
    return f"<!DOCTYPE html>\n{whole}\n"


def _bar(reader: Reader, back: str, *inside: str) -> Html:
    """The bar at the top: the way home, what the page puts there, and the reader's settings."""
    home = el("a", _brand(), el("span", "Ridotto"), href="/", cls="brand", aria_label=say("Ridotto, start page"))
    return el("header", home, *inside, _settings(reader, back), cls="bar")


def _brand() -> Html:
    mask = drawing.tag("path", d=art.MASK, fill_rule="evenodd")
    return Html(drawing.tag("svg", mask, viewBox="-22 -20 44 32", cls="brand-mask", aria_hidden="true"))


def _settings(reader: Reader, back: str) -> Html:
    """Language, theme, movement and name: small forms, so that they work without the script."""

    def switch(name: str, title: str, now: str, values: dict[str, str]) -> Html:
        keys = [
            el(
                "button",
                text,
                name=name,
                value=value,
                aria_pressed="true" if value == now else "false",
                lang=value if name == "language" else "",
            )
            for value, text in values.items()
        ]
        return _me(reader, back, el("fieldset", el("legend", title), el("div", *keys, cls="switch")))

    themes = {"auto": say("As the device"), "dark": say("Evening"), "light": say("Matinée")}
    inside = [
        switch("language", say("Language"), reader.language, dict(LANGUAGES)),
        switch("theme", say("Light"), reader.theme, themes),
        switch("motion", say("Movement"), "on" if reader.motion else "off", {"on": say("On"), "off": say("Off")}),
        el(
            "label",
            el("input", type="checkbox", data_setting="confirm"),
            say("Ask again before every action"),
            cls="tick",
        ),
        around_pages.signals(),
        _me(
            reader,
            back,
            el("label", say("Your name"), el("input", name="name", value=reader.name, maxlength=40, autocomplete="nickname")),
            el("button", say("Save"), cls="press"),
        ),
        el("p", el("a", say("About Ridotto"), href="/about"), cls="note"),
    ]
    gear = Html(
        '<svg viewBox="0 0 24 24" aria-hidden="true" class="gear"><path d="M4 7h9M17 7h3M4 17h3M11 17h9"/>'
        '<circle cx="15" cy="7" r="2.4"/><circle cx="9" cy="17" r="2.4"/></svg>'
    )
    quick = el(
        "nav",
        *(
            _me(
                reader,
                back,
                el(
                    "button",
                    code.upper(),
                    name="language",
                    value=code,
                    lang=code,
                    title=name,
                    aria_label=name,
                    aria_current="true" if code == reader.language else "",
                ),
            )
            for code, name in LANGUAGES.items()
        ),
        cls="tongues",
        aria_label=say("Language"),
    )
    menu = el(
        "details",
        el("summary", gear, el("span", say("Settings"), cls="unseen")),
        el("div", *inside, cls="drawer"),
        cls="settings",
        id="settings",
    )
    return joined(quick, menu)


def _me(reader: Reader, back: str, *inside: str) -> Html:
    """A form about the reader."""
    hidden = [el("input", type="hidden", name="nonce", value=reader.nonce), el("input", type="hidden", name="back", value=back)]
    return el("form", *hidden, *inside, method="post", action="/me")


@cache
def _mark(text: str) -> str:
    """A short digest, so that a changed file is fetched anew."""
    return sha256(text.encode()).hexdigest()[:10]


@cache
def _script(name: str) -> str:
    return (STATIC / name).read_text("utf-8")


# The start page.


def lobby(scene: LobbyPage) -> str:
    """The start page: the games, a form for each, and the tables there are."""
    reader = scene.reader
    with language(reader.language):
        welcome = say("Welcome, {name}.", name=reader.name) if reader.name else say("Welcome.")
        hero = el(
            "section",
            art.hero(),
            el(
                "div",
                el("p", welcome, cls="welcome"),
                el("h1", "Ridotto"),
                el("p", say("The gaming room of the opera. Three games, your friends, and bots that play fair."), cls="lead"),
                cls="hero-words",
            ),
            cls="hero",
            aria_label="Ridotto",
        )
        fault = el("p", scene.fault, cls="fault", role="alert") if scene.fault else ""
        tables = [
            _tables(say("Your tables"), scene.yours, reader),
            _tables(say("Open tables"), scene.open, reader),
            _tables(say("Recently finished"), scene.finished, reader),
        ]
        main = el(
            "main",
            fault,
            el("h2", say("Choose a game"), cls="unseen"),
            el("div", *(_offer(reader, game) for game in scene.games), cls="offers"),
            el("div", *tables, cls="lists"),
            el("p", el("a", say("Look at a record"), href="/records"), cls="note"),
            id="main",
        )
        return page(reader, "Ridotto", hero, main, cls="lobby", back="/")


def _offer(reader: Reader, game: Game) -> Html:
    """The card of a game: what it is, a match against bots at once, and a table set up with care."""
    seats = game.seats
    count = str(seats[0]) if len(seats) == 1 else f"{seats[0]}–{seats[-1]}"
    facts = [
        el("li", say("{count} players", count=count)),
        el("li", say("about {minutes} minutes", minutes=game.minutes)),
    ]
    return el(
        "article",
        el("div", art.vignette(game, spoken()), cls=f"frame {game.name}"),
        el(
            "div",
            el("h3", game.title),
            el("p", game.words_now().say(game.pitch), cls="pitch"),
            el("ul", *facts, cls="facts"),
            el("p", f"{game.authors}, {game.year}", cls="authors"),
            at_once(reader, game),
            el("details", el("summary", say("Set up a table")), _setup(reader, game), id=f"setup-{game.name}"),
            el(
                "p",
                el("a", say("First lesson: learn by playing"), href=f"/learn/{game.name}", cls="quiet-link")
                if lesson(game) is not None
                else "",
                el("a", say("The rules"), href=f"/rules/{spoken()}/{game.name}", cls="quiet-link"),
                cls="to-learn",
            ),
            cls="offer-words",
        ),
        cls=f"offer offer-{game.name}",
    )


def at_once(reader: Reader, game: Game) -> Html:
    """One click to a match against bots; where seats differ, one for each."""
    seats = SETTING.get(game.name, ("me", *["bot:level:2"] * (game.seats[0] - 1)))
    ways = [(say("Play against a bot") if len(seats) == 2 else say("Play against bots"), seats)]
    if game.roles and len(game.seats) == 1:
        texts = {"inspector": say("Play the inspector"), "phantom": say("Play the phantom")}
        ways = [
            (
                texts.get(role, say("Play: {role}", role=game.words_now().say(role))),
                (*seats[1 : at + 1], "me", *seats[at + 1 :]),
            )
            for at, role in enumerate(game.roles)
        ]
    forms = []
    for at, (text, chosen) in enumerate(ways):
        hidden = {"nonce": reader.nonce, "game": game.name, "language": reader.language, "name": reader.name}
        hidden |= {f"seat{seat}": who for seat, who in enumerate(chosen)}
        inputs = [el("input", type="hidden", name=name, value=value) for name, value in hidden.items()]
        button = el("button", text, cls="press main" if at == 0 else "press")
        forms.append(el("form", *inputs, button, method="post", action="/tables"))
    told = (
        say("Your opponent: a friendly bot, level 2 of 5")
        if len(seats) == 2
        else say("Your opponents: friendly bots, level 2 of 5")
    )
    note = el("p", told, cls="note")
    return el("div", *forms, note, cls="at-once")


def _setup(reader: Reader, game: Game) -> Html:
    """The form that sets up a table."""
    seats = []
    setting = SETTING.get(game.name, ("me",))
    for seat in range(game.seats[-1]):
        default = setting[seat] if seat < len(setting) else ""
        seats.append(
            el(
                "label",
                el("span", seat_badge(seat), tabletop.role(game, seat), cls="seat-name"),
                el("select", *_sitters(game, default, seat >= game.seats[0]), name=f"seat{seat}"),
                cls="seat",
            )
        )
    options = [_option(game, option) for option in game.rules.OPTIONS]
    languages = [el("option", name, value=code, selected=code == reader.language) for code, name in LANGUAGES.items()]
    return el(
        "form",
        el("input", type="hidden", name="nonce", value=reader.nonce),
        el("input", type="hidden", name="game", value=game.name),
        el("fieldset", el("legend", say("Who plays")), *seats, around_pages.guest_names(), cls="seats"),
        el("fieldset", el("legend", say("Options")), *options, cls="options") if options else "",
        el(
            "fieldset",
            el("legend", say("The table")),
            el(
                "label",
                el("span", say("Your name")),
                el("input", name="name", value=reader.name, maxlength=40, placeholder=say("as you like")),
            ),
            el("label", el("span", say("Language")), el("select", *languages, name="language")),
            aids.choice_of_hints(),
            el(
                "label",
                el("input", type="checkbox", name="private", value="1"),
                el("span", say("Private: only people with a link find it"), cls="told"),
                cls="tick",
            ),
            cls="about-table",
        ),
        around_pages.time_choice(),
        el("button", say("Open the table"), cls="press main"),
        method="post",
        action="/tables",
        cls="setup",
    )


def _sitters(game: Game, chosen: str, may_be_absent: bool) -> list[Html]:
    """Who may sit on a seat."""
    kinds = {"me": say("me"), "here": say("somebody at this device"), "friend": say("a friend, by link")}
    kinds |= {"open": say("anyone who comes")} | tabletop.opponents(game)
    absent = {"": say("no player")} if may_be_absent else {}
    return [el("option", text, value=value, selected=value == chosen) for value, text in (absent | kinds).items()]


def _option(game: Game, option: Option) -> Html:
    """A choice made before the deal, with its explanation and its §."""
    title, told = game.words_now().option(option.name) or (option.name, option.sentence)
    words = el("span", el("b", title), " ", told, " ", tabletop.paragraph(game.name, option.section), cls="told")
    name = f"option.{option.name}"
    if (option.low, option.high, option.default) == (0, 1, 0):
        return el("label", el("input", type="checkbox", name=name, value="1"), words, cls="tick")
    number = el("input", type="number", name=name, value=option.default, min=option.low, max=option.high, step=1)
    return el("label", number, words, cls="tick")


def _tables(title: str, lines: Iterable[TableLine], reader: Reader) -> Html:
    """Some tables, a line each."""
    rows = [_table_line(line, reader) for line in lines]
    empty = el("p", say("None yet."), cls="note")
    return el("section", el("h2", title), el("ul", *rows, cls="table-lines") if rows else empty, cls="list")


def _table_line(line: TableLine, reader: Reader) -> Html:
    who = []
    for place in line.seats:
        name = say("free") if place.kind == "free" else say("you") if place.you else introduced(place)
        who.append(el("span", seat_badge(place.seat), name, cls="sits" if place.kind != "free" else "sits free"))
    free = sum(place.kind == "free" for place in line.seats)
    if line.state == "over":
        state = line.result or say("over")
    elif line.state == "open":
        state = say("seats free: {count}", count=free)
    elif line.your_turn:
        state = say("your turn")
    else:
        owing = [say("you") if place.you else called(place) for place in line.seats if place.owing]
        state = say("to move: {who}", who=listed(owing)) if owing else ""
    go = say("Look") if line.state == "over" else say("Play on") if line.yours else say("Sit down") if free else say("Watch")
    return el(
        "li",
        el(
            "a",
            el("b", line.game.title),
            el("span", *who, cls="sitting"),
            el("span", state, cls="chip-state now" if line.your_turn else "chip-state"),
            el("small", age(line.age), el("span", say("private"), cls="private") if line.private else "", cls="age"),
            el("span", go, cls="go"),
            href=f"/t/{line.id}",
        ),
        cls="table-line",
    )


def age(seconds: int) -> str:
    """How long ago something was, in a few words."""
    if seconds < 60:
        return say("just now")
    if seconds < 3600:
        return say("{count} min ago", count=seconds // 60)
    if seconds < 86400:
        return say("{count} h ago", count=seconds // 3600)
    return say("{count} d ago", count=seconds // 86400)


# The table.


def table(scene: TablePage) -> str:
    """A whole table: what changes stands in elements that are named as `fragments` names it."""
    reader = scene.reader
    with speaking(scene):
        parts = fragments(scene)
        title = el("h1", scene.game.title, cls="game-title")
        place = {name: Html(text) for name, text in parts.items()}
        resign = el(
            "form",
            el("button", say("Resign"), cls="press", data_sure=say("Sure? Resign")),
            method="post",
            action=f"/t/{scene.id}/resign",
            id="resign",
        )
        extras = [
            el("section", place["links"], id="links", cls="extra"),
            el(
                "section",
                el("h2", say("This table")),
                el(
                    "p", el("a", say("The rules"), href=f"/rules/{spoken()}/{scene.game.name}", target="_blank", rel="noopener")
                ),
                *_chosen(scene),
                el("p", el("a", say("Look back at this match"), href=f"/t/{scene.id}/replay")),
                el("div", place["extras"], id="extras"),
                around_pages.hook(scene),
                el("p", aids.about_hints(scene), cls="note") if tabletop.is_seated(scene) else "",
                resign if tabletop.is_seated(scene) and scene.state != "over" else "",
                cls="extra",
            ),
        ]
        main = tabletop.hall(scene, place, el("div", *extras, cls="extras"))
        menu = [title, el("div", place["people"], id="people"), around_pages.talk(scene)]
        still = el("p", say("The connection is lost. Trying again …"), id="offline", role="alert", hidden=True)
        told = el("div", id="told", role="alert", hidden=True)
        tip = el("div", id="tip", role="tooltip", hidden=True)
        status = el("div", announcement(scene), id="announce", role="status", cls="unseen")
        dialog = el("dialog", id="sheet", aria_labelledby="sheet-title") if scene.game.name == "opera" else ""
        return page(
            reader,
            heading(scene),
            main,
            still,
            told,
            tip,
            status,
            dialog,
            aids.drawer(),
            cls=f"table-page {scene.game.name}",
            back=f"/t/{scene.id}",
            menu=menu,
            data_table=scene.id,
            data_game=scene.game.name,
            data_ply=scene.view.ply,
            data_now=scene.now,
            data_days=say("{days} d {hours} h", days="#", hours="#"),
            data_little=say("One minute left."),
            data_turn=say("It is your turn."),
            data_sure=say("Sure?"),
            data_failed=say("That did not reach the table. Please try again."),
        )


def _chosen(scene: TablePage) -> list[Html]:
    """The options of this table that are not as usual."""
    usual = {option.name: option for option in scene.game.rules.OPTIONS}
    lines = []
    for name, value in scene.options.items():
        if name in usual and value != usual[name].default:
            title, told = scene.game.words_now().option(name) or (name, usual[name].sentence)
            shown = title if usual[name].high == 1 else f"{title}: {value}"
            lines.append(el("li", el("b", shown), " ", told))
    return [el("ul", *lines, cls="chosen")] if lines else []


def fragments(scene: TablePage) -> dict[str, str]:
    """The parts of a table that change, by the id of their element: what is inside it."""
    with speaking(scene):
        if scene.handover is not None:
            hidden = dict.fromkeys(("people", "board", "log", "result", "links", "extras"), "")
            return {**hidden, "ask": around_pages.handover(scene)}
        return {
            "people": tabletop.people(scene),
            "ask": joined(around_pages.banner(scene), tabletop.ask(scene), aids.buttons(scene, around_pages.controls(scene))),
            "board": tabletop.board(scene),
            "log": tabletop.log(scene),
            "result": tabletop.result(scene),
            "links": tabletop.links(scene),
            "extras": joined(*around_pages.extras(scene)),
        }


def heading(scene: TablePage) -> str:
    """The title of the tab."""
    with speaking(scene):
        return around_pages.passing(scene) if scene.handover is not None else tabletop.heading(scene)


def announcement(scene: TablePage) -> str:
    """What changed, in words, for whoever listens to the page."""
    with speaking(scene):
        return around_pages.passing(scene) if scene.handover is not None else tabletop.announcement(scene)


def preview(scene: TablePage, notation: str) -> dict[str, str]:
    """The panels as they would stand after an action, by the id of their element, where the game draws such a thing."""
    with speaking(scene):
        action = scene.game.rules.ACTIONS.parse(notation)
        if action not in scene.view.legal:
            return {}
        drawn = scene.game.build().picture.preview(scene.view, scene.game.words_now(), action)
        return {f"pane-{panel.name}": tabletop.framed(panel) for panel in drawn}


def join(scene: TablePage, place: SeatView) -> str:
    """An invitation: who asks, to what, and a name to sit down with."""
    reader = scene.reader
    with language(reader.language):
        there = [introduced(one) for one in scene.seats if one.kind != "free"]
        body = el(
            "main",
            el("div", art.vignette(scene.game, spoken()), cls=f"frame {scene.game.name}"),
            el("h1", scene.game.title),
            el("p", say("You are invited to play. Your seat: {role}.", role=tabletop.role(scene.game, place.seat)), cls="lead"),
            el("p", say("At the table: {who}", who=listed(there)), cls="note") if there else "",
            el("p", scene.game.words_now().say(scene.game.pitch)),
            around_pages.terms(scene.terms),
            el(
                "form",
                el("input", type="hidden", name="nonce", value=reader.nonce),
                el(
                    "label",
                    say("Your name"),
                    el(
                        "input",
                        name="name",
                        value=reader.name,
                        maxlength=40,
                        autocomplete="nickname",
                        placeholder=say("as you like"),
                    ),
                ),
                el("button", say("Sit down"), cls="press main"),
                method="post",
                cls="join-form",
            ),
            el("p", el("a", say("The rules"), href=f"/rules/{spoken()}/{scene.game.name}"), cls="note"),
            id="main",
        )
        return page(reader, f"{scene.game.title} – Ridotto", body, cls="narrow", back="/")


# The rest.


def rules(reader: Reader, game: Game, text_html: str) -> str:
    """A rulebook with its contents beside it."""
    with language(reader.language):
        found = re.findall(r'<h2[^>]*id="([^"]+)"[^>]*>(.*?)</h2>', text_html, re.S)
        contents = [el("li", el("a", Html(re.sub(r"<[^>]+>", "", text)), href=f"#{anchor}")) for anchor, text in found]
        others = [
            el("a", one.title, href=f"/rules/{spoken()}/{one.name}", aria_current="page" if one.name == game.name else "")
            for one in GAMES.values()
        ]
        tongues = [
            el(
                "a",
                name,
                href=f"/rules/{code}/{game.name}",
                lang=code,
                hreflang=code,
                aria_current="page" if code == spoken() else "",
            )
            for code, name in LANGUAGES.items()
        ]
        side = el(
            "nav",
            el("p", *tongues, cls="others"),
            el("p", *others, cls="others"),
            el("ol", *contents, cls="contents"),
            aria_label=say("Contents"),
        )
        main = el("main", side, el("article", Html(text_html), cls="rulebook"), id="main")
        return page(
            reader, say("{title}: the rules", title=game.title), main, cls="reading", back=f"/rules/{spoken()}/{game.name}"
        )


HOME: Final = mark(
    "The Ridotto was the gaming room of the Venetian opera. Ours is the home of three games about opera, played exactly by "
    "their rulebooks."
)
OURS: Final = mark(
    "The rules are told in our own words, and everything you see is drawn by us. If you like a game, buy the box: it deserves "
    "a table."
)
MANNERS: Final = (
    (
        mark("What we keep"),
        mark("A name, if you give one, and a cookie that finds your seat again. No account, no advertising, no other host."),
    ),
    (
        mark("Fair play"),
        mark("Nobody is sent more than their seat may know, and a bot is given no more than you would be in its place."),
    ),
    (mark("Letters"), mark("Source Serif and Source Sans by Adobe, under the SIL Open Font Licence.")),
)


def about(reader: Reader) -> str:
    """What Ridotto is, and whom it owes thanks."""
    with language(reader.language):
        thanks = [
            el("li", el("b", game.title), f" – {game.authors} ({game.publisher}, {game.year})") for game in GAMES.values()
        ]
        body = el(
            "main",
            el("h1", say("About Ridotto")),
            el("p", say(HOME)),
            el("ul", *thanks),
            el("p", say(OURS)),
            *(part for title, text in MANNERS for part in (el("h2", say(title)), el("p", say(text)))),
            el("p", el("a", say("Your data"), href="/me/delete")),
            id="main",
        )
        return page(reader, say("About Ridotto"), body, cls="narrow", back="/about")


FAULTS: Final = {
    400: mark("That did not work"),
    403: mark("That is not for you"),
    404: mark("There is nothing here"),
    409: mark("That is not possible now"),
    413: mark("That is too much"),
    429: mark("That was too fast"),
    500: mark("Something went wrong"),
    503: mark("The house is closed for a moment"),
}


def fault(reader: Reader, status: int, message: str) -> str:
    """Something could not be done: what, and the way back."""
    with language(reader.language):
        known = FAULTS.get(status, FAULTS[500 if status >= 500 else 400])
        title = say(known)
        body = el(
            "main",
            el("p", str(status), cls="status"),
            el("h1", title),
            el("p", message, cls="lead"),
            el("p", el("a", say("To the start page"), href="/", cls="press main")),
            id="main",
        )
        return page(reader, title, body, cls="narrow", back="/")


# Style.


@cache
def css() -> str:
    """The style of everything: the house's own, both themes, and the drawings, each game's inside its own table alone."""
    themes = {
        name: "".join(f"--{colour}: {value}; " for colour, value in colours.items()) + f"color-scheme: {name};"
        for name, colours in drawing.THEMES.items()
    }
    parts = [
        f":root {{ {themes['dark']} }}",
        f"@media (prefers-color-scheme: light) {{ :root[data-theme=auto] {{ {themes['light']} }} }}",
        f":root[data-theme=light] {{ {themes['light']} }}",
        *((STATIC / name).read_text("utf-8") for name in STYLES),
        _scoped(drawing.STYLE + review.STYLE, ".drawing"),
        *(_scoped(game.build().picture.STYLE, f".{game.name} .drawing") for game in GAMES.values()),
        "".join(f".place-{number} {{ order: {number}; }}\n" for number in range(24)),
    ]
    return "\n".join(parts)


def _scoped(style: str, scope: str) -> str:
    """The classes of a drawing inside `scope` alone, with the colours of the theme that is on; as weighty as they were."""
    colours = {name: f"var(--{name})" for name in drawing.THEMES["dark"]}
    rules = []
    for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", Template(style).substitute(colours)):
        inside = ", ".join(f":where({scope}) {one.strip()}" for one in selectors.split(","))
        rules.append(f"{inside} {{{body.rstrip()} }}")
    return "\n".join(rules)
