"""The table as HTML: the parts that change with every action, each made from what one reader sees of it.

The parts carry no nonce and nothing of the reader but the seat and the language, so that all who see the same are sent
the same bytes; the script adds the nonce to whatever is sent back.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence, Set
from dataclasses import replace
from functools import lru_cache, partial
from itertools import groupby, islice, takewhile
from sys import intern
from typing import Any, Final, NamedTuple

from ridotto.core.view import Outcome, Seen
from ridotto.engine.fields import Seat
from ridotto.present import svg as drawing
from ridotto.present import views
from ridotto.present.answers import answers
from ridotto.present.html import Html, el, seat_badge
from ridotto.present.narrator import Narrator, opening
from ridotto.present.scene import Scene, difference, drawn, whole
from ridotto.present.svg import Svg
from ridotto.present.ui import ui
from ridotto.present.words import Standing, Words
from ridotto.web.clocks import short
from ridotto.web.pages.boards import board_of
from ridotto.web.pages.models import Deal, DraftView, LogLine, SeatView, TablePage
from ridotto.web.pages.render import render

READERS: Final = 20_000
"""For how many readers a part that does not change during a match is kept: four or five at each of thousands of tables."""
NEWS: Final = 3
"""Lines of the log beside the question."""
NOTHING: Final = Html("")


# Small parts.


@lru_cache(10_000)
def rule_link(language: str, game: str, section: str) -> Html:
    """A link to a § of the rulebook."""
    if not section:
        return NOTHING
    where = f"/rules/{language}/{game}#s-{section.replace('.', '-')}"
    return el("a", f"§{section}", cls="para", href=where, target="_blank", rel="noopener")


def paragraph(table: TablePage, section: str) -> Html:
    """A link to a § of the rulebook of this game."""
    return rule_link(table.reader.language, table.game.name, section)


def rank(narrator: Narrator, place: SeatView) -> list[str]:
    """What somebody is besides the name: what the seat is called, and how strong a bot is."""
    found = opening(place.role)
    return [found, narrator.rank(place.name)] if place.kind == "bot" else [found]


def role(table: TablePage, seat: Seat) -> str:
    """What a seat is called, as a line of its own begins."""
    return opening(ui(table.game).role(seat, table.words))


# Who is there.


class Sitter(NamedTuple):
    """Somebody at the table, in words."""

    badge: Html
    classes: str
    name: str
    note: str
    is_thinking: bool
    state: str
    is_state_seen: bool
    why: str
    """What the state means, where that is not plain."""
    clock: ClockText | None
    score: str
    leads: bool


class ClockText(NamedTuple):
    """What is left on a player's clock. The script counts on from here."""

    left: str
    label: str
    until: int | None
    """When it will have run down, in milliseconds, while it runs."""


def people(table: TablePage) -> Html:
    """Everybody at the table."""
    return render("people.html", table.narrator, people=each_person(table))


def each_person(table: TablePage) -> list[Html]:
    """Everybody, one by one: mark, name, what they are, whether they are here, and whether they owe a decision."""
    language, is_over, standings = table.narrator.language, table.state == "over", _standings(table)
    return [
        _person(
            language,
            place,
            standings[place.seat],
            place.seat in table.thinking,
            table.short.get(place.seat, ""),
            is_over,
            table.now if place.clock is not None else 0,
        )
        for place in table.seats
    ]


def _standings(table: TablePage) -> Sequence[Standing]:
    """How everybody stands: the score at the end, and before it what everybody knows."""
    outcome, nothing = table.view.outcome, [Standing("")] * table.view.seats
    if outcome is None:
        return table.words.standings(table.view.row) or nothing
    if not _has_points(outcome) or outcome.is_resigned:
        return [Standing("", seat in outcome.winners) for seat in range(table.view.seats)]
    return [Standing(_cell(score), seat in outcome.winners) for seat, score in enumerate(outcome.scores)]


@lru_cache(8192)
def _person(language: str, place: SeatView, standing: Standing, is_thinking: bool, short: str, is_over: bool, now: int) -> Html:
    """Somebody at the table: the same for most who look at it."""
    narrator = Narrator(language)
    return render("person.html", narrator, one=_sitter(narrator, place, standing, is_thinking, short, is_over, now))


def _sitter(
    narrator: Narrator, place: SeatView, standing: Standing, is_thinking: bool, short: str, is_over: bool, now: int
) -> Sitter:
    say = narrator.say
    is_away = place.kind == "person" and not place.here and not place.you and not place.stand_in and not is_thinking
    state = ""
    if place.left and not is_over:
        state = say("resigned, a bot plays") if place.left == "resigned" else say("out of time, a bot plays")
    elif place.stand_in:
        state = say("a bot plays")
    elif short:
        state = say("warming up") if short == "warming" else say("short of time")
    elif is_thinking:
        state = say("thinking")
    elif is_away:
        state = say("away")
    elif place.kept:
        state = say("invited")
    is_free = place.kind == "free" and not place.kept
    name = say("you") if place.you and not place.name else say("free seat") if is_free else place.display_name
    note = rank(narrator, place) + ([say("you")] if place.you and place.name else [])
    classes = [
        "person",
        place.kind,
        "owing" if place.owing and not is_over else "",
        "thinks" if is_thinking else "",
        "you" if place.you else "",
        "away" if is_away else "",
    ]
    return Sitter(
        seat_badge(place.seat),
        " ".join(filter(None, classes)),
        name,
        " · ".join(note),
        is_thinking,
        state,
        not is_thinking or bool(short or place.stand_in),
        say("It plays below its level for now: the game is still being prepared.")
        if short == "warming"
        else say("It plays below its level for now: the server has much to do.")
        if short
        else "",
        _clock(narrator, place, now),
        standing.text,
        standing.leads,
    )


def _clock(narrator: Narrator, place: SeatView, now: int) -> ClockText | None:
    if place.clock is None or place.kind != "person":
        return None
    label = narrator.say("your time") if place.you else narrator.say("time of {who}", who=place.display_name)
    return ClockText(short(place.clock.at(now), narrator), label, place.clock.until)


# What is wanted.


class Question(NamedTuple):
    """All that the part with the question is drawn from, but for the answers."""

    id: str
    state: str
    is_asked: bool
    is_over: bool
    is_seated: bool
    is_thinking: bool
    who: str
    """Whom the table waits for."""
    question: str
    news: Html | None
    purse: str
    single: str
    needs: str
    guide: str
    verdict: str
    ending: str
    rematch: str
    rematch_by: str
    kept: Seat | None
    free: tuple[FreeSeat, ...]
    deal: Deal | None
    draft: DraftView | None
    has_turning: bool
    """Whether the page tells elsewhere where the match turned, or will."""


ANSWERS: Final = Html("<answers>")
"""Where the answers come."""


def ask(table: TablePage) -> Html:
    """One sentence that says what is wanted, and the buttons that answer it; or whom the table is waiting for."""
    view = table.view
    is_over = view.outcome is not None
    is_whole = table.draft is not None and table.draft.is_whole
    is_asked = is_whole or (view.seat in view.to_act and not any(place.you and place.stand_in for place in table.seats))
    is_choosing = is_asked and not is_whole
    asked = Question(
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
        " ".join(ui(table.game).page.needs(view)) if is_choosing or is_over else "",
        _guide(table) if is_choosing else "",
        verdict(table),
        how_it_ended(table),
        table.rematch,
        table.named([table.rematch_by]) if table.rematch_by is not None else "",
        table.kept,
        _free_seats(table) if table.state == "open" else (),
        table.deal,
        table.draft,
        table.turning is not None,
    )
    drawn = _question(table.narrator.language, asked)
    return Html(drawn.replace(ANSWERS, _answers(table), 1)) if is_choosing and not is_over else drawn


@lru_cache(4096)
def _question(language: str, asked: Question) -> Html:
    """The same for most who look at it."""
    answers = ANSWERS if asked.is_asked and not asked.is_over and not (asked.draft and asked.draft.is_whole) else NOTHING
    return render("ask.html", Narrator(language), **asked._asdict(), answers=answers)


def _guide(table: TablePage) -> str:
    """What somebody should know about the question who plays for the first time."""
    return table.words.guide(table.view.row, table.view.seat) if table.guide and table.view.seat is not None else ""


def question(table: TablePage) -> str:
    """What is wanted; of whoever has put a turn together, that they confirm it."""
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
    """Whom it is kept for, by name; "" if for nobody."""


def _free_seats(table: TablePage) -> tuple[FreeSeat, ...]:
    """The seats that are free: with the link for a friend, or for the reader to sit down."""
    may_sit = not is_seated(table)
    free = (place for place in table.seats if place.kind == "free")
    return tuple(
        FreeSeat(one.seat, role(table, one.seat), one.link, one.open and may_sit, one.display_name if one.kept else "")
        for one in free
    )


def is_seated(table: TablePage) -> bool:
    """Whether the reader plays."""
    return table.is_seated or any(place.you for place in table.seats)


# The board.


class Pane(NamedTuple):
    """A panel in its frame."""

    name: str
    title: str
    place: int
    """Where it stands on a phone."""
    column: int
    is_private: bool
    picture: Html


def panes(table: TablePage) -> list[Pane]:
    """The panels in the order of a phone, each with its column on a wide page."""
    columns = {name: number for number, column in enumerate(ui(table.game).picture.COLUMNS, 1) for name in column}
    address = board_of(table.game, table.view, table.words).address
    found = []
    for at, panel in enumerate(table.scene.panels.values()):
        if panel.name in columns:
            picture = _picture(table, panel, address)
            found.append(Pane(panel.name, panel.title, at, columns[panel.name], panel.private, picture))
    return found


def board(table: TablePage) -> Html:
    """The panels, in the columns that the game asks for; on a phone in the order of their weight."""
    return render("panes.html", table.narrator, columns=_columns(table))


def _columns(table: TablePage) -> list[tuple[int, list[Pane]]]:
    """The panels by columns, from left to right and from top to bottom."""
    order = {name: at for column in ui(table.game).picture.COLUMNS for at, name in enumerate(column)}
    found = sorted(panes(table), key=lambda pane: (pane.column, order[pane.name]))
    return [(number, list(inside)) for number, inside in groupby(found, key=lambda pane: pane.column)]


def shells(table: TablePage, names: Collection[str]) -> dict[str, object]:
    """The frames of some panels without their items, and the columns in which all panels stand."""
    empty = replace(table, pictured=Scene(table.scene.panels, {}))
    return {
        "panes": [{"html": render("pane.html", table.narrator, pane=pane)} for pane in panes(empty) if pane.name in names],
        "columns": [[number, [pane.name for pane in inside]] for number, inside in _columns(empty)],
    }


def changes(shown: Scene, table: TablePage, kept: Set[str] = frozenset()) -> dict[str, Any]:
    """What changes on a board that shows something else, with the frames of panels that it does not have yet.

    Looks that the page has `kept` are left out, by their names.
    """
    found = difference(shown, table.scene, kept)
    if shown.panels.keys() == table.scene.panels.keys():
        return found
    fresh = {name for name in table.scene.panels if name not in shown.panels}
    return {**found, **shells(table, fresh)}


def whole_scene(table: TablePage) -> dict[str, object]:
    """The whole picture as data, for a page that shows another one."""
    return {"whole": True, **whole(table.scene), **shells(table, table.scene.panels)}


def jumps(table: TablePage) -> Html:
    """Links to the panels."""
    return _jumps(table.narrator.language, tuple((panel.name, panel.title) for panel in table.scene.panels.values()))


@lru_cache(2000)
def _jumps(language: str, panels: tuple[tuple[str, str], ...]) -> Html:
    return render("jumps.html", Narrator(language), panels=panels)


def _picture(table: TablePage, panel: drawing.Panel, address: str) -> Html:
    """A panel as it stands in a page: named for whoever listens, without a tip over all of it."""
    parts = drawn(table.scene, panel.name)
    if panel.name in ui(table.game).board(table.view, table.words):
        parts = drawing.tag("use", href=f"{address}#{panel.name}", cls="board") + parts
    return framed(replace(panel, body=parts))


def framed(panel: drawing.Panel) -> Html:
    """A panel that is drawn already, as an element of a page."""
    size = f"0 0 {panel.width} {panel.height}"
    cls = f"drawing {panel.name}"
    return Html(drawing.tag("svg", Svg(panel.body), viewBox=size, cls=cls, role="group", aria_label=panel.title))


# What happened: the latest, and the log.


def since(table: TablePage, first: int | None = None, last: int | None = None) -> Html:
    """What is news to the reader, or what a few entries told, as items of a list, the oldest first."""
    start, stop = table.recent if first is None else first, table.view.ply - 1 if last is None else last
    told = takewhile(lambda line: line.ply >= start, reversed(table.log))
    return Html("".join([_news_line(line) for line in told if line.ply <= stop][::-1]))


@lru_cache(2000)
def _news_line(line: LogLine) -> Html:
    return el("li", NOTHING if line.seat is None else seat_badge(line.seat), line.text, data_ply=line.ply)


class Chapter(NamedTuple):
    """The lines of one round, the newest first."""

    number: int
    title: str
    lines: list[LogLine]


def log_lines(seen: Iterable[Seen], words: Words, before: LogLine | None = None) -> tuple[LogLine, ...]:
    """Events as lines of a log that goes on after the line `before`."""
    found, number, chapter = [], before.round if before else None, before.chapter if before else 0
    for one in seen:
        if one.event.begins_round:
            number, chapter = one.values["round"], chapter + 1
        text = intern(words.event(one))
        found.append(_log_line(one.ply, one.event.section, text, one.values.get("seat"), number, chapter))
    return tuple(found)


_log_line: Final = lru_cache(8192)(LogLine)
"""Most lines are the same for everybody."""


def chapters(table: TablePage, lines: Sequence[LogLine]) -> list[Chapter]:
    """Lines of the log by rounds, the newest round first; in one piece where the game has none."""
    found: list[Chapter] = []
    for line in reversed(lines):
        if not found or found[-1].number != line.chapter:
            found.append(Chapter(line.chapter, _chapter_title(table, line), []))
        found[-1].lines.append(line)
    return found


def _chapter_title(table: TablePage, line: LogLine) -> str:
    say = table.narrator.say
    if line.round is not None:
        return say("Round {round}", round=line.round)
    has_rounds = any(event.begins_round for event in table.game.rules.EVENTS)
    at = table.game.rules.ROUND
    if at >= 0 and table.log[-1].chapter == 0 and table.view.row[at] > 1:  # it began in the middle, from a position
        return say("Round {round}", round=table.view.row[at])
    return say("Before the first round") if has_rounds else say("The whole match")


def log(table: TablePage) -> Html:
    """Everything that happened, in sentences, the newest first, foldable by round."""
    return render("log.html", table.narrator, chapters=chapters(table, table.log), lines_of=partial(_lines, table))


def log_since(table: TablePage, count: int) -> list[dict[str, str]]:
    """The lines of the log after the first `count`, by chapter, the oldest chapter first: lines to add, or a new chapter."""
    last = table.log[count - 1].chapter
    found = []
    for chapter in reversed(chapters(table, table.log[count:])):
        name = f"round-{chapter.number}"
        if chapter.number == last:
            found.append({"id": name, "lines": _lines(table, chapter)})
        else:
            html = render("log_chapter.html", table.narrator, is_open=True, chapter=chapter, lines_of=partial(_lines, table))
            found.append({"id": name, "chapter": html})
    return found


def _lines(table: TablePage, chapter: Chapter) -> Html:
    """The lines of one round, the newest first."""
    language, game = table.narrator.language, table.game.name
    return Html("".join(_line(language, game, line) for line in chapter.lines))


@lru_cache(8192)
def _line(language: str, game: str, line: LogLine) -> Html:
    """A line of the log: most are the same for all who read the same language."""
    badge = seat_badge(line.seat) if line.seat is not None else NOTHING
    return el("li", badge, line.text, " ", rule_link(language, game, line.section), data_line=line.ply)


# The result.


def verdict(table: TablePage) -> str:
    """Who has won, as one sentence."""
    say = table.narrator.say
    outcome, me = table.view.outcome, table.view.seat
    if outcome is None:
        return ""
    if not outcome.winners:
        return say("Nobody wins.")
    if me is None:
        return _won(table, outcome.winners)
    if me not in outcome.winners:
        return say("You have lost.")
    if table.seats[me].left:
        return say("The bot in your seat has won.")
    others = [seat for seat in outcome.winners if seat != me]
    if not others or outcome.is_resigned:
        return say("You have won.")
    return say("You have won, together with {who}.", who=table.named(others))


def _won(table: TablePage, winners: Sequence[Seat]) -> str:
    """Who has won, for whoever did not play."""
    return table.narrator.count("{who} wins.", "{who} share the win.", len(winners), who=table.named(winners))


def how_it_ended(table: TablePage) -> str:
    """By what the match was won, as a sentence or two: who left it, or the end that the game tells of, and the score."""
    outcome = table.view.outcome
    if outcome is None:
        return ""
    if outcome.is_resigned:
        return _leaving(table, next(seat for seat in range(table.view.seats) if seat not in outcome.winners))
    return " ".join(filter(None, (_ending(table, outcome), _bots_who_won(table, outcome), _final_score(table, outcome))))


def _leaving(table: TablePage, seat: Seat) -> str:
    """Who has left the match, which ended by that."""
    say, place = table.narrator.say, table.seats[seat]
    if seat == table.view.seat:
        return say("You ran out of time.") if place.left == "time" else say("You resigned.")
    who = table.named([seat])
    return say("{who} ran out of time.", who=who) if place.left == "time" else say("{who} resigned.", who=who)


def _bots_who_won(table: TablePage, outcome: Outcome) -> str:
    """That a bot has won in the seat of somebody else who had left, if one has."""
    seats = [seat for seat in outcome.winners if table.seats[seat].left and seat != table.view.seat]
    return table.narrator.say("A bot played on for {who}.", who=table.named(seats)) if seats else ""


def _has_points(outcome: Outcome) -> bool:
    """Whether there is more to the score than who has won."""
    return not {0, 1} >= set(outcome.scores)


def _final_score(table: TablePage, outcome: Outcome) -> str:
    """Everybody's points, the most first; nothing where the game only tells winners from losers."""
    if not _has_points(outcome):
        return ""
    order = sorted(range(table.view.seats), key=lambda seat: -outcome.scores[seat])
    names = {seat: table.narrator.say("you") if seat == table.view.seat else table.named([seat]) for seat in order}
    return opening(" · ".join(f"{names[seat]} {_cell(outcome.scores[seat])}" for seat in order))


class ScoreLine(NamedTuple):
    """A part of the score, for everybody."""

    title: str
    section: str
    cells: list[str]


class ScoreColumn(NamedTuple):
    """Whose score it is."""

    name: str
    note: str
    badge: Html
    is_winner: bool


def turning(table: TablePage) -> Html:
    """Where the match turned, or that this is being looked for."""
    return NOTHING if table.turning is None else render("turning.html", table.narrator, turning=table.turning)


def result(table: TablePage) -> Html:
    """Who won and why, and every part of every score."""
    outcome = table.view.outcome
    if outcome is None:
        return NOTHING
    others = table.words.rivals(table.view.row)
    parts = (*outcome.parts, *(one.parts for one in others))
    is_resigned, is_mine = outcome.is_resigned, table.view.seat in outcome.winners
    lines = [
        ScoreLine(opening(table.words.say(part.meaning)), part.section, [_cell(one.get(part.name)) for one in parts])
        for part in table.game.rules.PARTS
        if part.seats in (0, table.view.seats)
    ]
    columns = [
        ScoreColumn(
            place.display_name, " · ".join(rank(table.narrator, place)), seat_badge(place.seat), place.seat in outcome.winners
        )
        for place in table.seats
    ]
    columns += [ScoreColumn(one.name, "", NOTHING, False) for one in others]
    return render(
        "result.html",
        table.narrator,
        table=table,
        verdict=verdict(table),
        winners=_won(table, outcome.winners) if outcome.winners and not is_resigned and not is_mine else "",
        ending=how_it_ended(table) if is_resigned else _ending(table, outcome),
        section=outcome.section,
        is_resigned=is_resigned,
        has_score=not is_resigned or any(outcome.scores),
        columns=columns,
        lines=lines,
        totals=[_cell(score) for score in (*outcome.scores, *(one.score for one in others))],
        para=rule_link,
    )


class Applause(NamedTuple):
    """Somebody at the end, before the curtain."""

    name: str
    badge: Html
    score: str
    is_winner: bool


def curtain(table: TablePage) -> Html:
    """The end on the stage: who has won, and the scores, the best last."""
    outcome = table.view.outcome
    assert outcome is not None
    has_points = len({*outcome.scores}) > 1 and max(outcome.scores) > 1
    order = sorted(table.seats, key=lambda place: (place.seat in outcome.winners, outcome.scores[place.seat]))
    rows = [
        Applause(
            table.narrator.say("you") if place.you else place.display_name,
            seat_badge(place.seat),
            _cell(outcome.scores[place.seat]) if has_points else "",
            place.seat in outcome.winners,
        )
        for place in order
    ]
    return render("curtain.html", table.narrator, verdict=verdict(table), ending=_ending(table, outcome), rows=rows)


def _cell(number: int | None) -> str:
    return "" if number is None else str(number).replace("-", "−")


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
    free = tuple(one for one in _free_seats(table) if one.link)
    return _links(table.narrator.language, table.id, free, table.table_link, table.private, table.seat_link, table.reach)


@lru_cache(READERS)
def _links(
    language: str, id: str, free: tuple[FreeSeat, ...], table_link: str, private: bool, seat_link: str, reach: str
) -> Html:
    """The same for every action of a match, for one reader."""
    given = {"table_link": table_link, "private": private, "seat_link": seat_link, "reach": reach}
    return render("links.html", Narrator(language), id=id, free=free, **given)


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


def announcement(table: TablePage, since: int) -> str:
    """What changed since a ply, as one sentence or two for whoever listens to the page."""
    say = table.narrator.say
    first = since or (table.log[-1].ply if table.log else 0)
    latest = takewhile(lambda line: line.ply >= first, reversed(table.log))
    parts = [line.text for line in islice(latest, 2 * NEWS)][::-1]
    if table.state == "over":
        parts.append(verdict(table))
    elif table.view.seat in table.view.to_act:
        parts.append(say("It is your turn."))
        parts.append(views.question(table.view, table.words))
    elif table.state == "open":
        parts.append(say("Waiting for players."))
    return " ".join(part for part in parts if part)
