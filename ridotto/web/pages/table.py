"""The table as HTML: the parts that change with every action, each drawn from one reader's scene.

The parts carry no nonce and nothing of the reader but the seat and the language, so that all who see the same are sent
the same bytes; the script adds the nonce to whatever is sent back.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import Any, Final, NamedTuple

from ridotto.bots.ratings import RATINGS
from ridotto.core import drawing
from ridotto.core.drawing import Svg
from ridotto.core.game import Game
from ridotto.core.markup import Html, el, join
from ridotto.core.narrator import LEVELS, clean_name, current, language, listed, rank, say, seated, spoken, stage_name
from ridotto.core.view import Outcome, View
from ridotto.engine.fields import Seat
from ridotto.web.clocks import short
from ridotto.web.pages.models import LogLine, SeatView, TablePage, display_names

NEWS: Final = 3
"""Lines of the log beside the question."""
MANY: Final = 8
"""From so many answers on, Turandot's are chosen in steps."""


# Small parts.


def seat_badge(seat: Seat, letter: str = "") -> Html:
    """The mark of a seat, as beside its name."""
    return Html(drawing.tag("svg", drawing.seat_mark(seat, 12, 12, 18, letter), viewBox="0 0 24 24", cls="drawing badge"))


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
    return f"{called(place)} ({rank(place.name, current())})" if place.kind == "bot" else called(place)


def standing(game: Game, place: SeatView) -> list[str]:
    """What somebody is besides the name: the role, where the game has one, and how strong a bot is."""
    found = [role(game, place.seat)] if game.roles or not (place.name or place.kind == "bot") else []
    return [*found, rank(place.name, current())] if place.kind == "bot" else found


def named(scene: TablePage, seats: Collection[Seat]) -> str:
    """Some of those at the table as a phrase; where two have the same name, with what they are."""
    calls = {place.seat: called(place) for place in scene.seats}
    told = list(calls.values())
    return listed(
        [f"{calls[seat]} ({role(scene.game, seat)})" if told.count(calls[seat]) > 1 else calls[seat] for seat in sorted(seats)]
    )


def opponents(game: Game) -> dict[str, str]:
    """The bots that people may play, weakest first: what a form calls each, and what people read, with its strength."""
    rated = RATINGS.get(game.name)
    return {
        f"bot:level:{level}": say("bot {level}: {name} ({rating} Elo)", level=level, name=say(name), rating=rated[level - 1])
        if rated
        else say("bot {level}: {name}", level=level, name=say(name))
        for level, name in enumerate(LEVELS, 1)
    }


def role(game: Game, seat: Seat) -> str:
    """What a seat is called, as a line of its own begins."""
    return opening(game.role(seat, game.words_now()))


def opening(text: str) -> str:
    """The text with a capital letter."""
    return text[:1].upper() + text[1:]


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
        el("span", short(left), cls="rest"),
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
        parts += [reveal(view), el("h2", view.question(view.game.words_now()), id="question"), _answers(view)]
    elif scene.state == "open":
        parts.append(el("h2", say("Waiting for people to sit down."), id="question"))
    else:
        who = named(scene, view.to_act)
        told = say("{who} is thinking …", who=who) if scene.thinking else say("Waiting for {who}", who=who)
        parts.append(el("div", el("p", told, cls="turn-flag waits"), _latest(scene), cls="ask-head"))
        parts += [reveal(view), el("h2", view.question(view.game.words_now()), id="question")]
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


def _answers(view: View) -> Html:
    """A button for every legal action, gathered where there are many."""
    actions = view.actions(view.game.words_now())
    verbs = view.game.rules.ACTIONS
    groups = [(verb, list(some)) for verb, some in groupby(actions, key=lambda one: verbs.family(one["id"]).verb)]
    if view.game.name == "turandot" and len(actions) >= MANY and groups[0][0] == "bid":
        return _picker(view, actions)
    shown: list[str] = []
    folded: list[str] = []
    sheet = workshop(view) if view.game.name == "opera" else ""
    if sheet:
        shown.append(sheet)
    singles: list[Html] = []
    for verb, some in groups:
        stem, rests = shared([one["label"] for one in some])
        if view.game.name == "opera" and verb == "bid":
            stem, rests = say("Ducats to bid:"), [one["notation"].split()[1] for one in some]
        elif view.game.name == "opera" and verb == "hire":
            stem, rests = say("Hire, for so many levels:"), [_role_and_fee(view, one["id"]) for one in some]
        if not stem or (len(some) == 1 and verb not in ("bid", "hire")):
            singles += [press(one["notation"], opening(one["label"])) for one in some]
            continue
        chips = [press(one["notation"], rest, label=one["label"]) for one, rest in zip(some, rests, strict=True)]
        gathered = el("div", el("span", stem, cls="stem"), *chips, cls=f"gathered {verb}", role="group", aria_label=stem)
        (folded if sheet and verb == "place" else shown).append(gathered)
    if view.game.name == "turandot" and groups[0][0] == "cast":
        singles.append(
            el("button", say("The best casting"), type="button", cls="press", data_hinting=True, aria_pressed="false")
        )
    if singles:
        shown.append(el("div", *singles, cls="gathered plain"))
    if folded:
        shown.append(el("details", el("summary", say("Piece by piece")), *folded, id="one-by-one", cls="folded"))
    return el("div", *shown, cls="answers")


def _role_and_fee(view: View, action: int) -> str:
    """Opera: a role and its fee, as short as can be."""
    words: Any = view.game.words_now()
    build, number = view.game.build(), view.game.rules.ACTIONS.argument(action)
    return f"{opening(words.role(number))} · {build.components.FEE[number]}"


def press(notation: str, text: str, *, label: str = "", **more: object) -> Html:
    """A button that does an action."""
    return el("button", text, type="button", cls="press", data_do=notation, aria_label=label if label != text else "", **more)


def shared(labels: Sequence[str]) -> tuple[str, list[str]]:
    """The words that some labels have in common at either end, and what each says besides.

    >>> shared(["Meg goes to the lake", "Meg goes to the stage"])
    ('Meg goes …', ['to the lake', 'to the stage'])
    >>> shared(["Opale sings Liù", "Zia Kromatik sings Liù"])
    ('… sings Liù', ['Opale', 'Zia Kromatik'])
    >>> shared(["keep", "leave it"])
    ('', ['keep', 'leave it'])
    """
    words = [label.split(" ") for label in labels]
    room = min(map(len, words)) - 1
    first = 0
    while first < room and len({some[first] for some in words}) == 1:
        first += 1
    # An article stays with its noun.
    while first and words[0][first - 1].lower() in ARTICLES:
        first -= 1
    last = 0
    while first + last < room and len({some[-1 - last] for some in words}) == 1:
        last += 1
    # One word alone says too little away from its sentence.
    last = last if last > 1 else 0
    if not first + last:
        return "", list(labels)
    start, end = " ".join(words[0][:first]), " ".join(words[0][len(words[0]) - last :])
    return opening(f"{start} … {end}".strip()), [" ".join(some[first : len(some) - last]) for some in words]


ARTICLES: Final = frozenset(
    ("the", "to", "in", "on", "at", "le", "la", "les", "à", "au", "aux", "en", "dans", "de", "het", "een", "naar", "op")
)


# Turandot: what is laid, and the moment it is turned up.


def _picker(view: View, actions: Sequence[dict[str, Any]]) -> Html:
    """A number, some money and the bluff card, chosen one by one; then one button lays them.

    Every combination is a button; the script shows the one that is chosen.
    """
    words: Any = view.game.words_now()
    rules = view.game.rules
    numbers: dict[str, str] = {}
    money: list[str] = []
    buttons: list[Html] = []
    for one in actions:
        verb, *rest = one["notation"].split()
        number, sum_, bluff = rest if verb == "bid" else ("0", "1", rest[0])
        if number == "0":
            numbers[number] = say("money alone")
        else:
            card = view.row[rules.F.offer + int(number) - 1]
            named = words.director(card - rules.SINGERS) if card >= rules.SINGERS else words.singer(card)
            numbers[number] = f"{number} · {named}"
        if verb == "bid" and sum_ not in money:
            money.append(sum_)
        text = say("Lay: {cards}", cards=one["label"])
        buttons.append(press(one["notation"], text, data_pick=f"{number} {sum_ if verb == 'bid' else '*'} {bluff}"))
    has_bluff = any(one["notation"].endswith("bluff") for one in actions)
    picker = el(
        "form",
        _radios("number", say("Number"), numbers),
        el(
            "div",
            _radios("money", say("Money cards"), {one: one for one in money}) if len(money) > 1 else "",
            el("label", el("input", type="checkbox", name="bluff"), say("the bluff card"), cls="tick") if has_bluff else "",
            cls="pick-row",
        ),
        el("div", *buttons, cls="picks"),
        cls="picker",
    )
    return el("details", el("summary", say("Number, money and bluff one by one")), picker, id="one-by-one", cls="folded")


def _radios(name: str, title: str, values: dict[str, str]) -> Html:
    """One choice out of a few, as a row of keys."""
    first = next(iter(values))
    keys = [
        el("label", el("input", type="radio", name=name, value=value, checked=value == first), el("span", text))
        for value, text in sorted(values.items(), key=lambda one: (one[0] == "0" and name == "number", one[0]))
    ]
    return el("fieldset", el("legend", title), *keys, cls="keys")


def reveal(view: View) -> str:
    """Turandot's cards as they are turned up: who laid what, and what came of it."""
    if view.game.name != "turandot":
        return ""
    turned = [one for one in view.seen if one.ply == view.ply - 1 and one.event.name == "reveals"]
    if not turned:
        return ""
    picture, rules = view.game.build().picture, view.game.rules
    words: Any = view.game.words_now()
    choices = {one.values["seat"]: one.values["choice"] for one in turned}
    opened = [one for one in view.seen if one.event.name == "opens" and one.ply < view.ply - 1]
    directing = bool(opened) and opened[-1].values["round"] == rules.DIRECTOR_ROUND
    results = picture.audition_results(view.row, choices, turned[0].values["seat"], directing)
    cards = []
    for seat, choice in choices.items():
        face = drawing.tag("svg", Svg(picture.laid_cards(choice, 40, 26)), viewBox="0 0 80 52", cls="drawing laid-cards")
        word, tone = picture.result_text(words, results[seat])
        what = el("span", word, cls=f"came {tone.split()[0]}")
        classes = "turned clashing" if results[seat] == picture.TIED else "turned"
        cards.append(
            el(
                "li",
                seat_badge(seat),
                Html(face),
                el("span", words.laid(choice), cls="unseen"),
                what,
                cls=classes,
            )
        )
    return el("ol", *cards, cls="reveal", tabindex=0, aria_label=say("The cards are turned up"))


# Opera: the workshop.


def workshop(view: View) -> Html:
    """A button that opens the sheet on which halls are rearranged, and the sheet; nothing where it is not asked for."""
    picture, rules = view.game.build().picture, view.game.rules
    if view.row[rules.F.asked] != rules.REARRANGE or view.seat not in view.to_act:
        return Html("")
    data = picture.workshop(view, view.game.words_now())
    if not data.get("asked") or not data["houses"]:
        return Html("")

    def chip(name: str) -> Html:
        number = rules.PIECE.names.index(name)
        token = Svg(picture.token(number, 40, data["seat"]))
        face = drawing.tag("svg", token, viewBox="-21 -21 42 42", cls="drawing token")
        return el(
            "button",
            Html(face),
            type="button",
            cls="chip",
            draggable="true",
            data_chip=name,
            aria_pressed="false",
            aria_label=data["pieces"][name]["name"],
        )

    houses = []
    for house in data["houses"]:
        halls = []
        for at, hall in enumerate(house["halls"]):
            kind = say("great hall") if hall["great"] else say("hall {number}", number=at + 1)
            where = f"{house['name']}, {kind}"
            empty = el("button", type="button", cls="void", aria_label=say("{hall}: empty", hall=where))
            inside = chip(hall["piece"]) if hall["piece"] else ""
            halls.append(el("li", empty, inside, cls="slot great" if hall["great"] else "slot", data_hall=where))
        title = el("h3", house["name"], el("small", say("the Maestro doubles it")) if house["maestro"] else "")
        houses.append(el("section", title, el("ul", *halls, cls="halls"), cls="wing", data_city=house["city"]))
    screen = [el("li", chip(name), cls="spare") for name in data["screen"]]
    suggestions = [
        el("button", text, type="button", cls="press", data_programme=data["suggestions"][wish]["text"])
        for wish, text in (("income", say("Best for income")), ("points", say("Best for points")))
    ]
    now = data["now"]
    sheet = el(
        "div",
        el("h2", say("The workshop"), id="sheet-title"),
        el("p", say("Drag a piece, or choose one and then its place. Two pieces change places."), cls="note"),
        el(
            "div",
            *suggestions,
            el("button", say("As it was"), type="button", cls="press", data_programme=now["text"]),
            cls="starts",
        ),
        el("div", *houses, cls="houses"),
        el(
            "section",
            el("h3", say("Behind your screen")),
            el(
                "ul",
                el("li", el("button", say("put behind the screen"), type="button", cls="void aside")),
                *screen,
                cls="screen-tray",
            ),
            cls="tray",
        ),
        el(
            "div",
            el("output", _worth(now), id="worth", cls="worth"),
            el(
                "div",
                el("button", say("Cancel"), type="button", cls="press", data_close=True),
                el("button", say("Arrange it so"), type="button", cls="press main", data_arrange=True),
            ),
            cls="sheet-foot",
        ),
        cls="sheet-body",
    )
    words = el(
        "span",
        hidden=True,
        data_words=True,
        data_income=say("income"),
        data_points=say("next count"),
        data_empty=say("empty halls"),
    )
    return join(
        el("button", say("Rearrange on one sheet"), type="button", cls="press main", data_sheet=True),
        el("template", words, sheet, id="workshop"),
    )


def _worth(trial: dict[str, Any]) -> Html:
    """What a programme brings, as it stands first; the script writes it anew."""
    return join(
        el("span", el("b", f"+{trial['income']}"), f" {say('income')}"),
        el("span", el("b", f"{trial['points']:+}"), f" {say('next count')}"),
        el("span", el("b", str(trial["empty"])), f" {say('empty halls')}"),
    )


# The board.


def drawn(scene: TablePage) -> list[drawing.Panel]:
    """The panels of a table, drawn once."""
    found: list[drawing.Panel] = list(scene.panels) or scene.game.panels(scene.view, scene.game.words_now())
    return found


def board(scene: TablePage) -> Html:
    """The panels, in the columns that the game asks for; on a phone in the order of their weight."""
    picture = scene.game.build().picture
    panels = {panel.name: panel for panel in drawn(scene)}
    order = {name: at for at, name in enumerate(panels)}
    columns = []
    for number, column in enumerate(picture.COLUMNS, 1):
        inside = [_pane(panels[name], order[name]) for name in column if name in panels]
        if inside:
            columns.append(el("div", *inside, cls=f"column column-{number}"))
    return join(*columns)


def _pane(panel: drawing.Panel, place: int) -> Html:
    title = el("h3", panel.title, cls="unseen")
    picture = framed(panel)
    if panel.name == "secret":
        # The phantom may draw the curtain over it.
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
    """The log by rounds, oldest first."""
    starts = [(at, one.ply, one.values["round"]) for at, one in enumerate(scene.view.seen) if "round" in one.values]
    exact = len(scene.view.seen) == len(scene.log)
    found = [Chapter(say("Before the first round"), [])]
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
        parts.append(scene.view.question(scene.game.words_now()))
    elif scene.state == "open":
        parts.append(say("Waiting for people to sit down."))
    return " ".join(part for part in parts if part)
