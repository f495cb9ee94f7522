"""Said to you: nothing that a page or a terminal says gives a seat's number or speaks of its reader in the third person.

Whole tables with everything around the match, what happens there beat by beat, moments, ends, replays, reviews, hints,
why-nots, previews, lessons, the legend and the terminal are read as every seat reads them, in three languages, with names and
without. What only names people is no sentence: the strip with everybody at the table, the heads of the score, the seats of a
form, titles of games, pictures and the links to them.
"""

from __future__ import annotations

import io
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, TypeAlias

import pytest
from page_samples import Node, read
from rich.console import Console
from speech import NAMES, NUMBERED, fault

from ridotto.bots import Opinion, Ranked, review
from ridotto.bots.judging import Judgement
from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.present.beats import beats
from ridotto.present.kit import foresight
from ridotto.present.lesson import lesson
from ridotto.present.narrator import LANGUAGES, Narrator
from ridotto.present.ui import Ui, ui
from ridotto.present.words import Facts, Message, Tell, Words
from ridotto.terminal import session
from ridotto.web.clocks import Terms
from ridotto.web.live.view_models import NOTES, note_text
from ridotto.web.pages import aids, replay, site, table_log, table_result, why_not
from ridotto.web.pages import lesson as lesson_pages
from ridotto.web.pages.legend import legend
from ridotto.web.pages.models import Agreement, OfferView, Reader, Rematch, Rights, SeatView, TableLinks, TablePage, Turning
from ridotto.web.pages.replay import Replay, Reviewed
from ridotto.web.pages.table_log import log_lines

NO_SENTENCES = {"people", "jumps", "pane", "seat-name", "eyes", "at-once"}
"""Classes of what only names people; what is drawn is looked at by `pictures`."""

games = pytest.mark.parametrize("name", GAMES)
languages = pytest.mark.parametrize("language", LANGUAGES)

Said: TypeAlias = Iterator[tuple[Words, str]]
"""Sentences, each with the words of whoever reads it."""


def sentences(node: Node) -> Iterator[str]:
    """What a page says: what stands in a block of it, and what is read aloud instead."""
    classes = set(node.attributes.get("class", "").split())
    if node.tag in ("svg", "h1", "thead", "title", "script", "select", "option") or classes & NO_SENTENCES:
        return
    yield from (text for name, text in node.attributes.items() if name in ("aria-label", "title", "alt", "data-sure"))
    if node.tag in ("p", "h1", "h2", "h3", "li", "button", "a", "summary", "td", "th", "dd", "legend"):
        yield "".join(one.own for one in node if one.tag not in ("svg", "time"))
    else:
        yield node.own
    for one in node.below:
        yield from sentences(one)


def said(words: Words, html: str) -> Said:
    """What a part of a page says."""
    yield from ((words, text.strip()) for text in sentences(read(html)) if any(c.isalpha() for c in text))


def played(name: str, seats: int, decisions: int) -> Match:
    """A match of random play."""
    match, dice = Match(GAMES[name], seats, seed=decisions, clock=lambda: 0.0), random.Random(decisions)
    while match.to_act and decisions:
        seat = dice.choice(match.to_act)
        match.play(dice.choice(match.legal(seat).ids), seat)
        decisions -= 1
    return match


def page(match: Match, seat: int, language: str, names: tuple[str, ...], **more: Any) -> TablePage:
    """A table of people as one of them sees it."""
    view = match.view(seat)
    words = ui(match.game).words(ui(match.game).narrator(language))
    seats = tuple(
        SeatView(
            one,
            ui(match.game).role(one, words),
            "person",
            names[one] if names else "",
            you=one == seat,
            here=True,
            owing=one in view.to_act,
        )
        for one in range(match.seats)
    )
    found = TablePage(
        Reader(names[seat] if names else "", language), "t1", match.game, view, seats, "over" if view.outcome else "playing"
    )
    return replace(found, log=log_lines(view.seen, found.words), rights=Rights(is_seated=True), **more)


def around_it(table: TablePage) -> Iterator[TablePage]:
    """The same table with everything around the match that there can be."""
    seat, other = table.view.seat, (table.view.seat or 0) + 1 if table.view.seat == 0 else 0
    assert seat is not None
    host = Rights(is_seated=True, is_host=True, may_take_back=True, has_hints=True, has_guide=True)
    yield replace(table, rights=host, agreement=Agreement(Terms("match", 600, 5)))
    yield replace(table, agreement=Agreement(Terms("move", 86400), plays_on=True))
    for by in (seat, other):
        for whose in (seat, other):
            for mine in (True, False):
                yield replace(
                    table,
                    offer=OfferView("takeback", whose, by, is_mine=mine and by == seat, is_owed=by != seat, missing=(whose,)),
                )
                yield replace(table, offer=OfferView("standin", whose, by, is_owed=by != seat, missing=(other,)))
    for left in ("resigned", "time", ""):
        seats = tuple(place._replace(left=left, stand_in="level:3", gone=True) for place in table.seats)
        yield replace(table, seats=seats)
    free = tuple(
        place._replace(kind="free", kept=place.seat != seat, link="/x") if place.seat != seat else place
        for place in table.seats
    )
    yield replace(table, seats=free, state="open", links=TableLinks("/z", "/y"))
    yield replace(table, rematch=Rematch("/t/t2", other))
    yield replace(table, rematch=Rematch("/t/t2"))


# What is read.


def tables(name: str, language: str) -> Said:
    """In the middle and at the end, also by resigning; with everything around the match, and the title of the tab."""
    seats = GAMES[name].seats[0]
    resigned = played(name, seats, 3)
    resigned.resign(1)
    for match in (played(name, seats, 9), played(name, seats, 5000), resigned):
        for seat, names in ((0, NAMES[:seats]), (1, ()), (1, NAMES[:seats])):
            table = page(match, seat, language, names)
            for shown in (table,) if match.outcome else around_it(table):
                for key, html in site.small_parts(shown).items():
                    if key not in ("people", "jumps"):
                        yield from said(shown.words, html)
                yield shown.words, site.announcement(shown, 0) or "–"
                yield shown.words, site.heading(shown).replace(shown.game.title, "–")
            yield from said(table.words, table_log.log(table))
            yield from said(table.words, table_log.since(table))


def happenings(name: str, language: str) -> Said:
    """Beat by beat: the lines of each kind of beat, what it puts on the stage, and the end before the curtain."""
    game = GAMES[name]
    match = played(name, game.seats[0], 5000)
    for seat, names in ((0, NAMES[: match.seats]), (1, ())):
        known: set[frozenset[str]] = set()
        for beat in beats(game, match.view(seat).seen, 0, match.ply):
            kind = frozenset(one.event.name for one in beat.seen)
            if kind in known:
                continue
            known.add(kind)
            table = page(match.after(beat.last + 1), seat, language, names)
            yield from said(table.words, f"<ol>{table_log.since(table, beat.first, beat.last)}</ol>")
            for moment in site.moments(table, beat.seen):
                yield from said(table.words, moment["html"])


def looking_back(name: str, language: str) -> Said:
    """Replays with one's own eyes, and reviews."""
    game = GAMES[name]
    match = played(name, game.seats[0], 5000)
    plies = review.decisions(match)[:4]
    judged = []
    for ply in plies:
        view = review.view_at(match, ply)
        action = game.action(match.entries[ply].do)
        best = next(one for one in view.legal if one != action)
        assert view.seat is not None
        values = tuple(1 / match.seats for _ in range(match.seats))
        judged.append(
            Judgement(ply, view.seat, action, values, (Ranked(best, 400, 0.9, 1.0), Ranked(action, 400, 0.1, 0.0)), 800)
        )
    made = review.assemble_review(match, "search:400", judged)
    for names in ((), NAMES[: match.seats]):
        for seat in range(match.seats):
            table = page(match, seat, language, names)
            eyes = tuple(map(str, range(match.seats)))
            past = Replay(3, match.ply - 1, str(seat), eyes, (0,), False, seat)
            pages = [replay.replay(table, past, "/x", made, match), replay.review(table, Reviewed(made), match)]
            pages += [replay.review(table, Reviewed(None), match)]
            turned = replay.turning_point(table.id, match, table.words, made)
            pages += [table_result.turning(replace(table, turning=one)) for one in (turned, Turning(""))]
            for html in pages:
                body = html.partition("<main")[2].partition("</main>")[0]
                yield from said(table.words, f"<main{body}</main>" if body else html)


def help_given(name: str, language: str) -> Said:
    """Hints, what cannot be done and why, what is nearest, and what would happen."""
    game = GAMES[name]
    match, dice = played(name, game.seats[0], 8), random.Random(name)
    for names in ((), NAMES[: match.seats]):
        for seat in range(match.seats):
            view, words = match.view(seat), ui(game).words(ui(game).narrator(language, names, seat))
            for action in dice.sample(range(game.rules.ACTIONS.size), 12):
                told = why_not.answer(match, seat, game.rules.ACTIONS.notation(action), words)
                yield from ((words, told[key]) for key in ("what", "message") if told[key])
                if told["nearest"]:
                    yield words, told["nearest"]["label"]
            if seat not in match.to_act:
                continue
            ranked = tuple(Ranked(action, 9, 0.5, 0.5) for action in view.legal[:3])
            values = tuple(1 / match.seats for _ in range(match.seats))
            hint = aids.hint(view, Opinion(values, ranked, 9), 3, words.narrator)
            yield from said(words, hint["html"])
            yield words, hint["announcement"]
            yield from said(words, aids.cannot(match, seat, words.narrator)["html"])
            for action in view.legal[:4]:
                for line in foresight.lines(match.view(seat), action, words):
                    yield words, line


def lessons(name: str, language: str) -> Said:
    """Before a step, after a wrong answer, and after the right one."""
    found = lesson(GAMES[name])
    assert found is not None
    for number in range(1, len(found) + 1):
        match, words = found.before(number), ui(found.game).words(ui(found.game).narrator(language, reader=found.seat(number)))
        for state in ("asked", "wrong", "done"):
            table = lesson_pages.setting(Reader("", language), found, number, match, state)
            for key, html in lesson_pages.parts(table, found, number, state).items():
                if key not in ("people", "jumps"):
                    yield from said(words, html)


def notes(name: str, language: str) -> Said:
    """What is noted in the chat."""
    game = GAMES[name]
    for names in ((), NAMES[:2]):
        words = ui(game).words(ui(game).narrator(language, names, 0))
        for kind in NOTES:
            for seat in (0, 1):
                yield words, note_text(words, kind, seat)


def marks(name: str, language: str) -> Said:
    """The legend."""
    game = GAMES[name]
    words = ui(game).words(ui(game).narrator(language, NAMES[:2], 0))
    yield from ((words, line.text) for lines in legend(game, language) for line in lines)


def pictures(name: str, language: str) -> Said:
    """What can be chosen on the board, as it is read aloud."""
    for decisions in (0, 5, 9, 20, 5000):
        match = played(name, GAMES[name].seats[0], decisions)
        for seat in range(match.seats):
            table = page(match, seat, language, NAMES[: match.seats])
            yield from ((table.words, item.label) for item in table.scene.items.values() if item.label)
            # A thing may be called by its owner's name; a seat's number is nobody's.
            titles = (item.title for item in table.scene.items.values())
            yield from ((table.words, title) for title in titles if NUMBERED.search(title))


COMMANDS = ("log", "help", "why {illegal}", "hint", "undo", "n", "resign", "n", "nonsense", "99999", "{legal}")
"""What somebody types at a terminal, over and over; an answer to a question that was not asked is an error like others."""


def terminal(name: str, language: str) -> Said:
    """Everything that a terminal prints, but for the board: to one person, against somebody who is not at the keyboard."""
    game = GAMES[name]
    for names in (("you", "Boris"), ("Ada", "Boris")):
        match = played(name, game.seats[0], 6)
        seats = [names[0], *names[1:] * (match.seats - 1)][: match.seats]
        words = ui(game).words(ui(game).narrator(language, ("" if names[0] == "you" else "Ada", *NAMES[1 : match.seats]), 0))
        yield from ((words, line) for line in typed(match, seats, language))


def typed(match: Match, seats: list[str], language: str) -> list[str]:
    """The sentences that are printed while somebody plays a match to its end and tries every command on the way."""
    dice, waiting, output = random.Random(3), list[str](), io.StringIO()

    def line() -> str:
        if not match.to_act:
            raise EOFError
        if not waiting:
            actions, mine = match.rules.ACTIONS, match.legal(0).ids if 0 in match.to_act else [0]
            illegal = next(one for one in dice.sample(range(actions.size), actions.size) if one not in mine)
            texts = {"legal": actions.notation(dice.choice(mine)), "illegal": actions.notation(illegal)}
            every = COMMANDS if dice.random() < 0.1 else COMMANDS[-1:]
            waiting.extend(one.format(**texts) for one in every)
        return waiting.pop(0)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("builtins.input", line)
        patch.setattr(Ui, "drawing", lambda *_: "")
        patch.setattr("ridotto.bots.find", lambda _: Thinker())
        others: dict[int, Any] = {seat: Thinker() for seat in range(1, match.seats)}
        console = Console(file=output, width=1000, color_system=None)
        session.play(match, seats, bots=others, bot_seed=1, names=seats, console=console, language=language)
    heads = re.compile(r"─|^\s*$|^ {10,}")  # the head of a view, and the heads of the columns of a score
    return [text.strip() for text in output.getvalue().splitlines() if not heads.search(text)]


class Thinker:
    """A bot that takes the first action and has an opinion."""

    def sit(self) -> Thinker:
        return self

    def choose(self, view: Any, budget: Any) -> int:
        return int(view.legal[0])

    def opinion(self, view: Any, budget: Any) -> Opinion:
        ranked = tuple(Ranked(action, 9, 0.5, 0.5) for action in view.legal[:3])
        return Opinion(tuple(1 / view.seats for _ in range(view.seats)), ranked, 9)


SURFACES: tuple[Callable[[str, str], Said], ...] = (
    tables,
    happenings,
    looking_back,
    help_given,
    lessons,
    notes,
    marks,
    pictures,
    terminal,
)
FEWEST: dict[Callable[[str, str], Said], int] = {marks: 8, pictures: 8}
"""How many sentences there are at least, where that is not twenty."""
surfaces = pytest.mark.parametrize("surface", SURFACES, ids=lambda surface: str(surface.__name__))


@languages
@games
@surfaces
def test_nobody_is_spoken_of(surface: Callable[[str, str], Said], name: str, language: str) -> None:
    """Nothing that is read there gives a seat's number or speaks of whoever reads it."""
    found = list(surface(name, language))
    assert [] == [wrong for words, text in found if (wrong := fault(words, text))]
    assert len(found) >= FEWEST.get(surface, 20)


# That it would be found.

NOT_TOLD = (marks, pictures)
"""Where nothing is told of anybody."""


@games
@surfaces
def test_a_number_would_be_found(surface: Callable[[str, str], Said], name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever a sentence is made for a reader, a seat's number in it is noticed."""
    plain = Narrator.gettext

    def numbered(narrator: Narrator, message: str) -> str:
        # What is made for no reader in particular is kept for others.
        return plain(narrator, message) + (" Seat 0" if narrator.reader is not None or surface is marks else "")

    monkeypatch.setattr(Narrator, "gettext", numbered)
    assert any(fault(words, text) for words, text in surface(name, "en"))


@games
@pytest.mark.parametrize("surface", [one for one in SURFACES if one not in NOT_TOLD], ids=lambda one: str(one.__name__))
def test_a_third_person_would_be_found(surface: Callable[[str, str], Said], name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever something is told of its reader, as of somebody else, it is noticed."""

    plain = Words.fill

    def tell(narrator: Narrator, seat: int, you: str, they: str, **values: object) -> str:
        return narrator.say(they, **values)

    def fill(words: Words, message: Message, facts: Facts) -> str:
        return plain(words, message.they if isinstance(message, Tell) else message, facts)

    monkeypatch.setattr(Narrator, "tell", tell)
    monkeypatch.setattr(Words, "fill", fill)
    assert any(fault(words, text) for words, text in surface(name, "en"))


def test_notes_tell_people_apart() -> None:
    """A note says to whoever did it something else than to others."""
    for game in GAMES.values():
        words = ui(game).words(ui(game).narrator("en", NAMES[:2], 0))
        for kind in NOTES:
            assert note_text(words, kind, 0) != note_text(words, kind, 1)


def test_a_planted_sentence_is_found() -> None:
    """In a paragraph, in a label, and spread over several elements."""
    game = GAMES["opera"]
    words = ui(game).words(ui(game).narrator("en", NAMES, 0))
    for html in ("<p>Ada resigns.</p>", '<div aria-label="Seat 2 is away"></div>', "<p>Now <b>Ada</b> bids.</p>"):
        assert any(fault(words, text) for _, text in said(words, html))
    assert [(words, "Boris resigns.")] == list(said(words, "<p>Boris resigns.</p>"))
    assert not fault(words, "Boris resigns.")
