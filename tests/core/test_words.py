"""The words: catalogues that are whole and true to the sources, and every sentence of every game in three languages."""

from __future__ import annotations

import ast
import gettext
import random
import re
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache, partial
from io import StringIO
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

import ridotto
from ridotto.cli import catalogues
from ridotto.cli.catalogues import (
    KEYWORDS,
    TRANSLATED,
    as_mo,
    as_po,
    collected,
    faults,
    forms,
    function_name,
    gaps,
    read,
)
from ridotto.core import record
from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.core.view import View
from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import Seat
from ridotto.games import GAMES
from ridotto.present import narrator, views
from ridotto.present.narrator import LANGUAGES, Narrator, UnknownLanguage
from ridotto.present.ui import english, ui
from ridotto.present.words import Words
from ridotto.terminal.screen import show

PACKAGE = Path(ridotto.__file__).parent
STALE = "a sentence of the program has changed: run `make words`, translate what it names, run it again"
OVER = {"en": "The match is over.", "fr": "La partie est finie.", "nl": "De partij is uit."}
CITIES = ("Venezia", "Wien", "Berlin", "London", "Paris", "Milano")
SAME = frozenset(
    {
        *("Raoul", "Meg Giry", "Madame Giry", "Buquet", "Christine", "Moncharmin", "Richard", "n"),
        *("Ducats", "La Carlotta", "place", "points", "Rating", "Ratings", "Ratings: {changes}", "Passkeys", "later", "Later"),
        *("Monteverdi", "Handel", "Beethoven", "Mozart", "Wagner", "Verdi", *CITIES, *(f"in {city}" for city in CITIES)),
        *("{number} ducat", "{number} ducats", "{number} point", "{number} points", "total {n}", "man", "Palazzo", "Budget"),
        *("Options", "Handicap", "Hint", "Hints", "Hint: {label}.", "Letters", "Diva", "Maestro", "bot", "violet", "Violet"),
        *(
            "Mozart is in Wien.",
            "Tables",
            "Normal",
            "Notifications",
            "{number} suspect",
            "{number} suspects",
            "Score",
            "Chat",
            "Animations",
            "Message",
            "Messages",
        ),
        *("bot {level}: {name}", "bot {level}: {name} ({rating} Elo)"),
    }
)
"""Names, the key for "no", and words that English shares with French or with Dutch."""
NUMBERS = frozenset({"last", "steps", "ducats", "n", "low", "high", "number", "most", "before", "chance"})
"""Gaps that are filled with numbers, or begin with one."""
BARE = frozenset({"composer", "receiver", "city"})
"""Gaps that are filled with names that bring no article and begin with a consonant."""
GLOSSARY = PACKAGE.parent / "docs" / "glossary.md"
NO_BREAK = "\N{NO-BREAK SPACE}"

ROOTS = catalogues.roots(PACKAGE)
"""The folders with catalogues of their own: the package, and each game."""

languages = pytest.mark.parametrize("name", TRANSLATED)
folders = pytest.mark.parametrize("root", ROOTS, ids=lambda root: str(root.name))
games = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: str(game.name))


def po(root: Path, name: str) -> Path:
    """The catalogue of a language, as people edit it."""
    return catalogues.catalogue_file(root, name)


sentences_of = cache(partial(collected, package=PACKAGE))
"""The sentences in the sources of a folder; whoever reads them changes nothing."""


@cache
def translations(root: Path, name: str) -> dict[str, str]:
    """The messages of a catalogue with their translations, each form of a plural by itself."""
    found: dict[str, str] = {}
    for message in read(po(root, name), name):
        if message.id:
            found.update(zip(forms(message.id), forms(message.string), strict=True))
    return found


def everywhere(name: str) -> Iterator[tuple[str, str]]:
    """The messages of all catalogues of a language with their translations."""
    for root in ROOTS:
        yield from translations(root, name).items()


# The catalogues.


@languages
@folders
def test_whole(root: Path, name: str) -> None:
    """Every message is translated, looked at, and has the gaps of the English."""
    assert [] == faults(read(po(root, name), name))


@languages
@folders
def test_true_to_the_sources(root: Path, name: str) -> None:
    """The catalogue is what collecting the sentences anew would make it."""
    catalogue = read(po(root, name), name)
    catalogue.update(sentences_of(root))
    assert as_po(catalogue).decode() == po(root, name).read_text("utf-8"), STALE


@languages
@folders
def test_compiled(root: Path, name: str) -> None:
    """The compiled catalogue is the edited one."""
    assert as_mo(read(po(root, name), name)) == po(root, name).with_suffix(".mo").read_bytes(), STALE


@languages
@folders
def test_plain_gettext(root: Path, name: str) -> None:
    """Python's own gettext reads every translation out of the compiled catalogue."""
    with po(root, name).with_suffix(".mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    for message in read(po(root, name), name):
        one, *many = forms(message.id)
        if many:
            assert forms(message.string) == tuple(compiled.ngettext(one, many[0], number) for number in (1, 2))
        elif one:
            assert message.string == compiled.gettext(one)


@languages
@folders
def test_nothing_that_changes_by_itself(root: Path, name: str) -> None:
    """No dates, people, machines, line numbers or dead messages stand in a catalogue, and its messages are sorted."""
    text = po(root, name).read_text("utf-8")
    assert [] == re.findall(r"^#~.*|^#:.*:\d.*|^.*(?:Date|Translator|Team|Generated|PROJECT|@).*", text, re.MULTILINE)
    first = [forms(message.id)[0] for message in read(po(root, name), name) if message.id]
    assert sorted(first) == first


@languages
def test_one_translation_of_a_message(name: str) -> None:
    """A message that stands in several catalogues has the same translation in each."""
    found: dict[str, set[str]] = {}
    for message, translation in everywhere(name):
        found.setdefault(message, set()).add(translation)
    assert {} == {message: told for message, told in found.items() if len(told) > 1}


@languages
def test_translated_indeed(name: str) -> None:
    """No message was left in English, but for names and bare punctuation."""
    same = {message for message, translation in everywhere(name) if message == translation}
    assert set() == {message for message in same - SAME if re.search("[A-Za-z]", re.sub(r"\{.*?\}|\[.*?\]", "", message))}


@languages
def test_no_stray_spaces(name: str) -> None:
    """Spaces stand where the English has them: not doubled, not at an end."""
    for message, translation in everywhere(name):
        assert translation.count("  ") <= message.count("  "), message
        assert message.startswith(" ") == translation.startswith(" "), message
        assert message.endswith(" ") == translation.endswith(" "), message


def test_french_signs() -> None:
    """In French a no-break space stands before : ; ! ? and inside « », and the apostrophe is straight as in the rulebook."""
    for message, translation in everywhere("fr"):
        bare = re.sub(r"\{.*?\}", "x", translation)
        assert [] == re.findall(rf"[^{NO_BREAK}][:;!?»]|«[^{NO_BREAK}]|’", bare), message


def test_french_joints() -> None:
    """In French only numbers and bare names follow "de" or "à": an article would have to melt into them, a vowel to elide."""
    for message, translation in everywhere("fr"):
        assert set(re.findall(r"\b(?:de|à|que|si) \{(\w+)", translation)) <= NUMBERS | BARE, message


def test_dutch_signs() -> None:
    """In Dutch no space of any kind stands before : ; ! ? and the apostrophe is straight as in the rulebook."""
    for message, translation in everywhere("nl"):
        assert [] == re.findall(r"\s[:;!?]|’", translation), message


@languages
def test_glossary(name: str) -> None:
    """Where a message is a word of the glossary, its translation is the glossary's."""
    found = dict(everywhere(name))
    column = {"fr": 3, "nl": 4}[name]
    checked = 0
    for line in GLOSSARY.read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 5 and (word := cells[2].removeprefix("the ")) in found:
            assert found[word] in cells[column], line
            checked += 1
    assert checked >= 12  # ten rooms and two players


@cache
def calls() -> list[tuple[str, str, ast.Call]]:
    """The calls in our sources that are given sentences: where, of what, and the call. The base class only hands them on."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        if path == PACKAGE / "present" / "words.py" or "skeleton" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and function_name(node) in KEYWORDS:
                ours = ast.unparse(node.func).split(".")[-2:-1] in (["self"], ["words"], ["narrator"])
                if function_name(node) in ("say", "mark", "Tell", "Plural") or (ours and len(node.args) == 3):
                    found.append((f"{path.relative_to(PACKAGE)}:{node.lineno}", function_name(node), node))
    return found


def test_sentences_stand_whole() -> None:
    """A sentence is one text: not put together, not chosen inside the call, so that it can be collected and translated."""
    for where, name, call in calls():
        kinds = (ast.Constant, ast.Name, ast.Subscript, ast.Attribute) if name in ("say", "tell") else (ast.Constant,)
        assert call.args and all(isinstance(call.args[at], kinds) for at in KEYWORDS[name]), where


def test_gaps_are_filled() -> None:
    """Where a sentence is said, exactly its gaps are filled."""
    for where, name, call in calls():
        filled = {one.arg for one in call.keywords}
        if name == "count":
            assert isinstance(call.args[1], ast.Constant) and gaps(str(call.args[1].value)) - {"number"} == filled, where
        elif name == "tell" and isinstance(call.args[1], ast.Constant):
            you, they = (gaps(str(ast.literal_eval(text))) for text in call.args[1:])
            # A game's words fill in who it is about by themselves.
            given = {"who"} if "narrator" not in ast.unparse(call.func) else set()
            assert you - given <= they - given == filled - given, where
        elif name == "Tell":
            you, they = (gaps(str(ast.literal_eval(text))) for text in call.args)
            assert you - {"who"} <= they - {"who"}, where
        elif name == "say" and isinstance(call.args[0], ast.Constant):
            assert gaps(str(call.args[0].value)) == filled, where


def chosen(source: str) -> Iterator[tuple[int, set[str]]]:
    """The gaps of messages that stand before their facts, such as `(mark("level {level}"), {})`, that none of these fills."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Tuple(elts=[ast.Call() as call, ast.Dict() as facts]) if function_name(call) in ("mark", "Tell", "Plural"):
                keys = {str(ast.literal_eval(key)) for key in facts.keys if key is not None}
                texts = [str(text.value) for text in call.args if isinstance(text, ast.Constant)]
                yield node.lineno, set().union(*map(gaps, texts)) - keys - {"who"}


@games
def test_gaps_of_tables_are_filled(game: Game) -> None:
    """A message in a table is filled by the facts beside it, or by the numbers of an event."""
    numbers = {arg.name for event in game.rules.EVENTS for arg in event.args}
    for path in ui(game).locales[0].parent.glob("ui/**/*.py"):
        for line, empty in chosen(path.read_text("utf-8")):
            assert empty <= numbers, f"{path.name}:{line}"


def test_a_gap_without_a_fact_is_seen() -> None:
    """A message that asks for what nobody gives is noticed."""
    assert [(1, {"level"})] == list(chosen('(Tell("You are on {level}.", "{who} is on {level}."), {"ducats": 1})'))


# Every game, every language.

UNTIDY = re.compile(r"[{}]|  |^\s|\s$|\bNone\b|-32768")
ENGLISH = re.compile(r"\b(the|and|from|with|room|your|their)\b", re.IGNORECASE)
UNJOINED = re.compile(r"\b(de|à) (le|les)\b|\bsi ils?\b", re.IGNORECASE)


def remarks(match: Match, seat: Seat | None, since: int, refused: list[int], words: Words) -> Iterator[tuple[str, str]]:
    """Everything that is said to a seat or a spectator now, each with what it is about."""
    view = match.view(seat, since)
    yield "question", views.question(view, words)
    for event in views.events(view, words):
        yield f"event {event['event']}", event["text"]
    for action in views.actions(view, words):
        yield f"action {action['notation'].split()[0]}", action["label"]
    if seat is not None:
        for number in refused:
            refusal = match.why(number, seat)
            if refusal is not None:
                yield f"reason {refusal.reason}", words.refusal(refusal)


def played(game: Game, seed: int) -> Iterator[tuple[Match, int]]:
    """A random match of random seats and options: how it stands before each decision and at the end, and what ply was new."""
    chance = random.Random(f"{game.name} {seed}")
    options = {option.name: chance.randint(option.low, option.high) for option in game.rules.OPTIONS}
    match = Match(game, chance.choice(game.seats), options, seed=seed, clock=lambda: 0.0)
    since = 0
    while match.to_act:
        yield match, since
        since = match.ply
        seat = chance.choice(match.to_act)
        match.play(chance.choice(match.legal(seat).ids), seat)
    yield match, since


def declared(game: Game) -> set[str]:
    """Everything that a game must have words for."""
    rules = game.rules
    return {
        "question",
        *(f"event {event.name}" for event in rules.EVENTS),
        *(f"action {action.verb}" for action in rules.ACTIONS),
        *(f"reason {reason.name}" for reason in rules.REASONS),
    }


def seldom(game: Game, match: Match, about: str, words: Words) -> str:
    """An event or a reason that did not come up, said all the same."""
    kind, name = about.split()
    if kind == "event":
        return words.sentence(name, {arg.name: 1 for event in game.rules.EVENTS if event.name == name for arg in event.args})
    return words.because(name, match.masked(0), 0, 1)


def compare(said: dict[str, list[tuple[str, str]]]) -> set[str]:
    """See that languages say the same things, tidily and each in its own words; what they were about."""
    for (about, plain), *others in zip(*said.values(), strict=True):
        assert plain and not UNTIDY.search(plain), (about, plain)
        for name, (other_about, text) in zip(TRANSLATED, others, strict=True):
            assert about == other_about
            assert text and not UNTIDY.search(text), (name, about, text)
            assert text != plain and not ENGLISH.search(text), (name, about, text)
            assert name != "fr" or not UNJOINED.search(text), (about, text)
    return {about for about, _ in said["en"]}


@pytest.mark.parametrize("least", [3, pytest.param(60, marks=pytest.mark.soak)])
@games
def test_everything_has_words(game: Game, least: int) -> None:
    """Random matches are told to every seat and to a spectator in three languages, and then whatever did not come up."""
    told: set[str] = set()
    said: dict[str, list[tuple[str, str]]] = {}
    words = {name: ui(game).words(ui(game).narrator(name)) for name in LANGUAGES}
    for seed in range(60):
        chance = random.Random(seed)
        for match, since in played(game, seed):
            refused = chance.sample(range(game.rules.ACTIONS.size), 12)
            for seat in (*range(match.seats), None):
                for name in LANGUAGES:
                    said[name] = list(remarks(match, seat, since, refused, words[name]))
                told |= compare(said)
        left = sorted(declared(game) - told)
        can_be_said = {about.split()[0] for about in left} <= {"event", "reason"}
        if seed + 1 >= least and can_be_said:
            break
    assert can_be_said
    for name in LANGUAGES:
        said[name] = [(about, seldom(game, match, about, words[name])) for about in left]
    compare(said)


@games
def test_drawings(game: Game) -> None:
    """The table is drawn in three languages, within 80 columns, and nothing of it stays in English."""
    for match, _ in played(game, 6):
        for seat in (*range(match.seats), None):
            view = match.view(seat)
            for name in LANGUAGES:
                drawn = Text.from_markup(ui(game).drawing(view, ui(game).words(ui(game).narrator(name))), emoji=False).plain
                assert [] == [line for line in drawn.splitlines() if cell_len(line) > 80], name
                assert "{" not in drawn and (name == "en" or not ENGLISH.search(drawn)), (name, drawn)
                assert name != "fr" or not UNJOINED.search(drawn), drawn


@games
def test_terminal(game: Game) -> None:
    """At the beginning and at the end of a match the terminal speaks one language throughout."""
    *_, (over, _) = played(game, 7)
    for match in (Match(game, seed=7), over):
        for seat in (0, None):
            for name in TRANSLATED:
                screen = StringIO()
                words = ui(game).words(ui(game).narrator(name, reader=seat))
                show(match.view(seat), words, Console(file=screen, width=100))
                shown = screen.getvalue()
                assert "{" not in shown and not ENGLISH.search(shown), (name, shown)
                assert name != "fr" or not UNJOINED.search(shown), shown


@games
def test_every_label(game: Game) -> None:
    """Any action has a label in any language, legal or not: a page may have to name what cannot be done."""
    for match, _ in played(game, 1):
        for seat in range(match.seats):
            row = match.view(seat).row
            for name in LANGUAGES:
                words = ui(game).words(ui(game).narrator(name))
                for action in range(game.rules.ACTIONS.size):
                    assert not UNTIDY.search(words.label(row, seat, action))


@games
def test_title_page(game: Game) -> None:
    """The pitch, the roles, the endings and the parts of the score of a game are in the catalogues."""
    lines = [line.meaning for line in (*game.rules.ENDINGS, *game.rules.PARTS)]
    for name in TRANSLATED:
        assert {game.pitch, *game.roles, *lines} <= translations(ui(game).locales[0].parent, name).keys()


@games
def test_nothing_is_said_uncollected(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever `say` is asked for while a match is played stands in the collected sentences."""
    asked: set[str] = set()

    class Ear(gettext.NullTranslations):
        def gettext(self, message: str) -> str:
            asked.add(message)
            return message

    monkeypatch.setattr(narrator, "_catalogue", lambda name, locales: Ear())
    words = ui(game).words(ui(game).narrator())
    for match, since in played(game, 2):
        for seat in (*range(match.seats), None):
            view = match.view(seat, since)
            ui(game).drawing(view, words)
            for _ in remarks(match, seat, since, list(range(game.rules.ACTIONS.size)), words):
                pass
    sentences = [sentences_of(root) for root in (ui(game).locales[0].parent, PACKAGE)]
    assert len(asked) > 30
    assert set() == {message for message in asked if not any(message in one for one in sentences)}


@games
def test_the_reader_is_asked(game: Game) -> None:
    """Whoever is to decide is asked in the second person, everybody else is told who it is, in three languages."""
    asked: dict[str, set[str]] = {name: set() for name in LANGUAGES}
    for match, _ in played(game, 4):
        names = ("Ada", "Ben", "Cleo", "Dirk", "Eva")[: match.seats]
        for seat in match.to_act:
            row = match.view(seat).row
            for name in LANGUAGES:
                told, mine, other = (
                    ui(game).words(ui(game).narrator(name, names, reader)).question(row, seat)
                    for reader in (None, seat, (seat + 1) % match.seats)
                )
                # A question about the other one, such as what they are given, speaks to them as well.
                assert told == other or names[(seat + 1) % match.seats] in told, (name, told)
                assert mine not in (told, other) and not UNTIDY.search(mine), (name, mine)
                assert names[seat] not in mine and ui(game).words(ui(game).narrator(name)).player(seat) not in mine
                asked[name].add(mine)
    assert len(asked["en"]) == len(asked["fr"]) == len(asked["nl"]) > 1
    assert not asked["en"] & asked["fr"] and not asked["en"] & asked["nl"]


@games
def test_notation_is_one(game: Game) -> None:
    """What is written down is the same whatever language is spoken: notation, §, positions, the record of a match."""
    written = []
    for name in LANGUAGES:
        lines: list[object] = []
        words = ui(game).words(ui(game).narrator(name))
        for match, since in played(game, 3):
            for seat in (*range(match.seats), None):
                view = match.view(seat, since)
                lines.append([(one["id"], one["notation"], one["section"]) for one in views.actions(view, words)])
                lines.append([(one["event"], one["section"], one["args"]) for one in views.events(view, words)])
                lines.append(view.position)
        lines.append(record.dump(record.write(match)))
        written.append(lines)
    assert written[0] == written[1] == written[2]


@games
def test_giving_up_and_going_back(game: Game) -> None:
    """What every match has is told in every language: undoing, resigning, and that it is over."""
    match = Match(game, seed=4)
    match.play(match.legal(match.to_act[0])[0], match.to_act[0])
    match.undo()
    match.resign(0)
    log = {}
    for name in LANGUAGES:
        words = ui(game).words(ui(game).narrator(name))
        log[name] = [event["text"] for event in views.events(match.view(None, since=2), words)]
        assert OVER[name] == views.question(match.view(0), words)
        refusal = match.why(0, 0)
        assert refusal is not None and OVER[name][:-1].lower() == words.refusal(refusal).lower()
    player = ui(game).words(ui(game).narrator()).player(0)
    assert ["Move taken back.", f"{player} resigns."] == log["en"]
    assert "abandonne." in log["fr"][1] and "geeft op." in log["nl"][1]
    assert 6 == len({line for lines in log.values() for line in lines})


@games
def test_the_log_follows_the_language(game: Game) -> None:
    """One and the same view is read in whatever language the words are that it is given, mid-match as well."""
    match = Match(game, seed=5)
    match.play(match.legal(match.to_act[0])[0], match.to_act[0])
    view: View = match.view(0)
    french, dutch = (
        [event["text"] for event in views.events(view, ui(view.game).words(ui(view.game).narrator(name)))]
        for name in ("fr", "nl")
    )
    plain = [event["text"] for event in views.events(view, english(view.game))]
    assert len(plain) == len(french) == len(dutch) > 0
    assert all(3 == len(set(lines)) for lines in zip(plain, french, dutch, strict=True))


# Some sentences by hand.

FANTOME = GAMES["fantome"]
LINES = [
    (
        ("moves", {"who": 7, "start": 2, "room": 5}),
        "The Persian goes from the lake (2) to the stage (5).",
        "Le Persan passe du lac (2) sur la scène (5).",
        "De Pers loopt van het meer (2) naar het toneel (5).",
    ),
    (
        ("keeps", {"seat": 1, "who": 7}),
        "The phantom keeps the alibi of the Persian.",
        f"Le fantôme garde un alibi{NO_BREAK}: le Persan.",
        "Het spook houdt het alibi van de Pers achter.",
    ),
    (
        ("offers", {"round": 3, "cards": 0b10010011}),
        "Round 3: Raoul, Meg Giry, Christine and the Persian.",
        f"Tour 3{NO_BREAK}: Raoul, Meg Giry, Christine et le Persan.",
        "Ronde 3: Raoul, Meg Giry, Christine en de Pers.",
    ),
    (
        ("left", {"who": 1, "room": 6}),
        "Meg Giry is left in the auditorium (6).",
        "Meg Giry reste au parterre (6).",
        "Meg Giry blijft achter op de parterre (6).",
    ),
]


@pytest.mark.parametrize(("event", "en", "fr", "nl"), LINES, ids=[event[0] for event, *_ in LINES])
def test_lines_of_fantome(event: tuple[str, dict[str, int]], en: str, fr: str, nl: str) -> None:
    """Articles and prepositions fall into place around names and rooms."""
    assert [en, fr, nl] == [ui(FANTOME).words(ui(FANTOME).narrator(name)).sentence(*event) for name in LANGUAGES]


# The language of a narrator.


def test_languages() -> None:
    """English, French and Dutch, English unless told otherwise."""
    assert ["en", "fr", "nl"] == list(LANGUAGES)
    assert "en" == Narrator().language == ui(FANTOME).narrator().language == english(FANTOME).narrator.language
    assert OVER["en"] == Narrator().say("The match is over.")


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_narrator_keeps_to_its_language(name: str) -> None:
    """Sentences are in the language that the narrator was made with, the general ones and those of a game."""
    speaker = Narrator(name)
    assert OVER[name] == speaker.say("The match is over.") == speaker.gettext("The match is over.")
    words = ui(FANTOME).words(speaker)
    assert name == words.narrator.language and OVER[name] == words.say("The match is over.")
    event, *lines = LINES[0]
    assert dict(zip(LANGUAGES, lines, strict=True))[name] == words.sentence(*event)


@pytest.mark.parametrize("name", ["it", "", "FR", "fr_BE", "../fr"])
def test_unknown_language(name: str) -> None:
    """A language we do not speak is refused with the ones we do, however a narrator is made, and nothing changes."""
    dutch = Narrator("nl")
    ways: list[Callable[[], Narrator]] = [
        partial(Narrator, name),
        partial(ui(FANTOME).narrator, name),
        partial(replace, dutch, language=name),
    ]
    for make in ways:
        with pytest.raises(UnknownLanguage) as caught:
            make()
        assert f"unknown language {name!r}; there are: en, fr, nl" == str(caught.value)
        assert isinstance(caught.value, RidottoError)
    assert OVER["nl"] == dutch.say("The match is over.")


def test_listed() -> None:
    """Lists of none, one and several, in each language."""
    wanted = {"en": "a, b and c", "fr": "a, b et c", "nl": "a, b en c"}
    for name, phrase in wanted.items():
        speaker = Narrator(name)
        assert ["", "a", phrase] == [speaker.listed([]), speaker.listed(["a"]), speaker.listed(["a", "b", "c"])]


def test_values_are_not_read_as_gaps() -> None:
    """Braces in a value, such as a person's name, are said as they are."""
    assert "{a} et {0}" == Narrator("fr").listed(["{a}", "{0}"])


def test_narrators_do_not_disturb_each_other() -> None:
    """One that is made while another is in use, or from it, changes nothing about the other."""
    french = Narrator("fr", ("Ada", "Ben"))
    dutch = replace(french, language="nl", names=("Cy",))
    assert OVER["en"] == Narrator().say("The match is over.")
    assert [OVER["fr"], "Ben"] == [french.say("The match is over."), french.name(1, "1")]
    assert [OVER["nl"], "Cy", "1"] == [dutch.say("The match is over."), dutch.name(0, "0"), dutch.name(1, "1")]


def test_threads() -> None:
    """Narrators that speak at the same moment in several threads each keep their own language and names."""
    together = threading.Barrier(3, timeout=120)

    def speak(name: str) -> list[str]:
        words = ui(FANTOME).words(ui(FANTOME).narrator(name, [f"Ada {name}", "Ben"]))
        together.wait()
        sentence = words.say("The match is over.")
        together.wait()
        return [sentence, ui(FANTOME).player(0, words), words.say("The match is over."), words.narrator.language]

    with ThreadPoolExecutor(3) as pool:
        said = list(pool.map(speak, LANGUAGES))
    assert [[OVER[name], f"Ada {name}", OVER[name], name] for name in LANGUAGES] == said


def test_nameless_words_are_one_object_for_each_reader() -> None:
    """So that a drawing is cached once for all players of a language, and said to nobody but its reader."""
    first, other = (ui(GAMES["fantome"]).words(Narrator("fr", names, 0)) for names in (("Ada", "Bo"), ("Cleo", "")))
    assert first.nameless() is other.nameless() and first.nameless(1) is other.nameless(1)
    assert (None, 1) == (first.nameless().narrator.reader, first.nameless(1).narrator.reader)
    assert () == first.nameless(1).narrator.names
