"""The rulebooks in three languages, the §-banners of the rules and the tests name the same paragraphs."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import pytest
import sections

from ridotto.engine.build import folder
from ridotto.games import GAMES

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
MEASURED = 3
"""Tests of a § that are measured at the most."""

RULING = {"en": "Ruling", "fr": "Décision", "nl": "Uitspraak"}


class Paragraph(NamedTuple):
    """A § of a rulebook, or its banner in the rules: its number, its title and the rulings in it."""

    number: str
    title: str
    rulings: list[str]


def rulebook(game: str, language: str) -> Path:
    """The file of a rulebook."""
    return GAMES[game].rulebook(language)


def rules(game: str) -> Path:
    """The file of the rules."""
    return folder(GAMES[game].package) / "rules.py"


@cache
def book(game: str, language: str) -> list[Paragraph]:
    """The paragraphs of a rulebook in order."""
    found: list[Paragraph] = []
    for line in rulebook(game, language).read_text("utf-8").splitlines():
        if heading := re.fullmatch(r"(##+) §([\d.]+) (.+)", line):
            level, number, title = heading.groups()
            assert len(level) == 2 + number.count("."), line
            found.append(Paragraph(number, title, []))
        else:
            assert not line.startswith("##"), f"a heading without §: {line}"
            if ruling := re.match(rf"\*{RULING[language]}\s?:\*\s(.+)", line):
                found[-1].rulings.append(ruling[1])
    return found


@cache
def banners(game: str) -> list[Paragraph]:
    """The banners `# §x.y Title.` of a game's rules in order."""
    found: list[Paragraph] = []
    for line in rules(game).read_text("utf-8").splitlines():
        if banner := re.match(r"\s*# §(\d+(?:\.\d+)?) ([^.]+)\.(?: |$)", line):
            found.append(Paragraph(banner[1], banner[2], []))
        elif ruling := re.search(r"# Ruling: (.+)", line):
            found[-1].rulings.append(ruling[1])
    return found


def is_paragraph(number: str) -> bool:
    """Whether a number is of a paragraph like 2.1, and from chapter 2 on, where the rules begin."""
    return "." in number and int(number.split(".")[0]) >= 2


@pytest.mark.parametrize("game", GAMES)
def test_headings_are_counted_without_gaps(game: str) -> None:
    """Chapters count from 1, and the paragraphs of each from 1."""
    numbers = [one.number for one in book(game, "en")]
    chapters = [(chapter, list(parts)) for chapter, parts in groupby(numbers, key=lambda number: int(number.split(".")[0]))]
    assert list(range(1, len(chapters) + 1)) == [chapter for chapter, _ in chapters]
    for chapter, parts in chapters:
        assert [str(chapter), *(f"{chapter}.{n}" for n in range(1, len(parts)))] == parts


@pytest.mark.parametrize("language", ["fr", "nl"])
@pytest.mark.parametrize("game", GAMES)
def test_headings_are_the_same_in_every_language(game: str, language: str) -> None:
    """Every language has the same §-numbers in the same order, each with a title and as many rulings."""
    ours, theirs = book(game, "en"), book(game, language)
    assert [one.number for one in ours] == [one.number for one in theirs]
    assert {one.number: len(one.rulings) for one in ours} == {one.number: len(one.rulings) for one in theirs}
    assert all(one.title.strip() for one in theirs)


@pytest.mark.parametrize("game", GAMES)
def test_banners_are_the_headings(game: str) -> None:
    """Every paragraph from §2.1 on opens one place of the rules, in the order and with the title of the English book."""
    headings = [(one.number, one.title) for one in book(game, "en") if is_paragraph(one.number)]
    assert headings == [(one.number, one.title) for one in banners(game) if is_paragraph(one.number)]


@pytest.mark.parametrize("game", GAMES)
def test_banners_of_chapters(game: str) -> None:
    """Where the rules have a banner for a whole chapter, it has the chapter's title and stands before its paragraphs."""
    titles = {one.number: one.title for one in book(game, "en")}
    numbers = [one.number for one in banners(game)]
    for one in banners(game):
        if "." not in one.number:
            assert titles[one.number] == one.title
            assert f"{one.number}.1" == numbers[numbers.index(one.number) + 1]


@pytest.mark.parametrize("game", GAMES)
def test_sections_named_by_the_rules_exist(game: str) -> None:
    """Each § that an action, event, reason, ending, score part, fault or option rests on is a heading of the rulebook."""
    rules = GAMES[game].rules
    numbers = {one.number for one in book(game, "en")}
    named = {GAMES[game].resigning: "resigning"}
    for table in ("ACTIONS", "EVENTS", "REASONS", "ENDINGS", "PARTS", "FAULTS", "OPTIONS"):
        named |= {one.section: f"{table}: {getattr(one, 'verb', None) or one.name}" for one in getattr(rules, table)}
    assert len(named) > 5
    assert {} == {section: name for section, name in named.items() if section not in numbers}


@pytest.mark.parametrize("game", GAMES)
def test_sections_named_in_sentences_exist(game: str) -> None:
    """Each § named in the rules' comments and docstrings, or in the text of a rulebook, is a heading."""
    numbers = {one.number for one in book(game, "en")}
    texts = [rules(game), *(rulebook(game, language) for language in RULING)]
    for path in texts:
        assert set() == set(re.findall(r"§(\d+(?:\.\d+)*)", path.read_text("utf-8"))) - numbers, path


def leading(game: str) -> dict[str, list[str]]:
    """The tests of a game's rules by the §§ that their docstrings begin with, as in "§3.3: a bid must be higher"."""
    path = HERE / game / f"test_{game}.py"
    found: dict[str, list[str]] = defaultdict(list)
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_") and "soak" not in ast.dump(node):
            begins = re.match(r"(?:§\d+\.\d+(?:, | and )?)*", ast.get_docstring(node) or "")
            for number in re.findall(r"\d+\.\d+", begins[0] if begins else ""):
                found[number].append(f"{path.relative_to(ROOT).as_posix()}::{node.name}")
    return found


def reached_by(tests: Sequence[str], folder: Path, report: Path) -> dict[str, set[str]]:
    """The functions of the rules that each of some tests calls, measured."""
    path = os.pathsep.join([str(HERE.parent), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "SECTIONS": str(report), "PYTHONPATH": path}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "sections", "-p", "no:cacheprovider", "-m", "not soak", *tests]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert 0 == done.returncode, done.stdout[-3000:]
    return {test: set(names) for test, names in json.loads(report.read_text("utf-8")).items()}


def test_every_paragraph_is_tested(tmp_path: Path) -> None:
    """Each § that the rules have a banner for leads a test, and where there is code, one of these tests calls some of it."""
    wanted: list[tuple[str, set[str], list[str]]] = []
    for name, game in GAMES.items():
        leads, functions = leading(name), sections.functions_of(game)
        assert [] == [number for number in functions if is_paragraph(number) and not leads[number]], name
        wanted += [
            (f"{name} §{number}", some, leads[number]) for number, some in functions.items() if is_paragraph(number) and some
        ]
    assert len(wanted) > 100
    left = wanted
    for turn in range(MEASURED):
        # The first test of each § will do for most; only where it does not is the next one measured.
        tests = sorted({some[turn] for _, _, some in left if turn < len(some)})
        found = reached_by(tests, ROOT, tmp_path / f"sections-{turn}.json") if tests else {}
        left = [one for one in left if not any(one[1] & found.get(test, set()) for test in one[2])]
    assert [] == [(paragraph, sorted(names)) for paragraph, names, _ in left], "named, but never called"


def test_a_paragraph_that_is_only_named_is_found(tmp_path: Path) -> None:
    """The measuring sees what a test calls: two that call nothing of the rules, and one that deals."""
    folder = tmp_path / "liars_dice"
    folder.mkdir()
    text = "from ridotto import Match, find\n"
    text += "def test_idle():\n    assert 1\n"
    text += "def test_bare():\n    find('liars_dice').rules.NONE\n"
    text += "def test_deals():\n    Match(find('liars_dice'), 2)\n"
    (folder / "test_it.py").write_text(text)
    idle, bare, deals = reached_by([str(folder)], tmp_path, tmp_path / "sections.json").values()
    assert set() == idle == bare
    assert {"deal", "roll", "open_round"} <= deals


def words(text: str) -> set[str]:
    """The words of four letters and more."""
    return set(re.findall(r"[^\W\d_]{4,}", text.lower()))


@pytest.mark.parametrize("game", GAMES)
def test_rulings_in_the_rules_are_in_the_books(game: str) -> None:
    """Each `# Ruling:` of the rules is a ruling in the same § of the English book, by its words, and so of the others."""
    lost = []
    rulings = {one.number: one.rulings for one in book(game, "en")}
    for banner in banners(game):
        for text in banner.rulings:
            shared = max((len(words(text) & words(ruling)) for ruling in rulings[banner.number]), default=0)
            if shared < 3:
                lost.append(f"§{banner.number}: {text}")
    assert [] == lost
