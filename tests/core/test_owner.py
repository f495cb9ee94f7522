"""What an owner of a printed game is asked, and the box that comes out."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from owners import box_of_an_owner

from ridotto.arena import checks
from ridotto.arena.checks import random_play
from ridotto.core import record
from ridotto.core.errors import BadAnswer
from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.engine.digest import digest
from ridotto.engine.errors import BadBox
from ridotto.games import BOXES, GAMES
from ridotto.present.narrator import LANGUAGES
from ridotto.present.owner import Owner, Question, box_of, owner, to_toml
from ridotto.present.ui import ui

ASKED = [name for name in GAMES if owner(GAMES[name]) is not None]
OTHER_OPERA = {"Parts of Wien": "2: 1 2 3; 2: 1 2 3", "Places in London": "2", "House composer of red": "Anonymo"}
OTHER_TURANDOT = {
    "Singer 2": "Tatiana Mirova; pro; 2; F; liu",
    "Singer 8": "Poussin (a child's voice); ama; 2; U; -",
    "Director 4": "The Baker; +2 per stars:1; -3 fewer_than 2 category:ama; table women 0 0 1 2 3 4 5",
}
OTHER = {"opera": OTHER_OPERA, "turandot": OTHER_TURANDOT}
"""Answers of an imagined owner that make a box which can be played."""


def asked(game: Game) -> Owner:
    questions = owner(game)
    assert questions is not None
    return questions


def questions(game: Game) -> Iterator[Question]:
    """Every question about a game."""
    for section in asked(game).SECTIONS:
        yield from section.questions


def answered(name: str, answers: dict[str, str]) -> dict[str, Any]:
    """The box of a game with some questions answered, by their English texts."""
    game, left = GAMES[name], dict(answers)
    box = box_of(game)
    for question in questions(game):
        said = question.said(ui(game).narrator())
        if said in left:
            question.answer(box, left.pop(said))
    assert not left, "no such question"
    return box


def other_box(name: str, folder: Path) -> Path:
    """A box of an imagined owner, as a file."""
    path = folder / f"{name}.toml"
    path.write_text(to_toml(answered(name, OTHER[name]), "Ann's copy"), "utf-8")
    return path


def test_who_is_asked() -> None:
    """There are questions where something was reconstructed, and no others."""
    assert ["opera", "turandot"] == ASKED


@pytest.mark.parametrize("name", ASKED)
def test_every_answer_is_read_as_it_is_shown(name: str) -> None:
    """What a question shows is read back as the same value; to leave everything as it is changes nothing."""
    game = GAMES[name]
    box = box_of(game)
    for question in questions(game):
        inner: Any = box
        for key in question.path:
            inner = inner[key]
        assert inner == question.form.read(question.shown(box), inner), question.said(ui(game).narrator())
        question.answer(box, f"  {question.shown(box)}")
    assert digest(box_of(game)) == digest(box) == game.build().box
    assert [] == asked(game).faults_of(box)


@pytest.mark.parametrize("name", ASKED)
def test_a_box_is_written_as_toml(name: str) -> None:
    """The file holds the box and its name, and nothing else."""
    box = box_of(GAMES[name])
    assert {"box_name": 'Anna\'s "old" box', **box} == tomllib.loads(to_toml(box, 'Anna\'s "old" box'))
    assert box == tomllib.loads(to_toml(box))


@pytest.mark.parametrize(
    ("name", "question", "answer"),
    [
        ("opera", "Parts of Wien", "two"),
        ("opera", "Parts of Wien", "2: 1 2"),
        ("opera", "Parts of Wien", "1: 0 0 0; 1: 0 0 0; 1: 0 0 0; 1: 0 0 0; 1: 0 0 0"),
        ("opera", "Places in Wien", "3"),
        ("opera", "Places in Wien", ""),
        ("opera", "House composer of red", "x" * 1001),
        ("opera", "House composer of red", "a\x00b"),
        ("turandot", "Singer 1", "Ann; pro; 2; F"),
        ("turandot", "Singer 1", "Ann; pro; many; F; -"),
        ("turandot", "Singer 1", "; pro; 2; F; -"),
        ("turandot", "Director 1", "Ann; +1 each category:pro"),
        ("turandot", "Director 1", "Ann; +1 per 2 category:pro"),
        ("turandot", "Director 1", "Ann;"),
    ],
)
def test_answers_that_cannot_be_read(name: str, question: str, answer: str) -> None:
    """They are refused with what would do, and the box stays as it is."""
    with pytest.raises(BadAnswer, match="cannot be read: "):
        answered(name, {question: answer})


def test_answers_that_cannot_be_played() -> None:
    """An answer may be read and still not fit the rules: the whole box is checked."""
    box = answered("opera", {"Parts of Wien": "3: 2 2 3; 1: 1 2 3", "Parts of Paris": "4: 2 2 3; 1: 1 2 4"})
    assert [
        "wien main: halls must be 2, not 3",
        "paris main: halls must be 1 to 3, not 4",
        "paris: one of the wings must have 2 halls",
        "there must be 38 parts with 4 players, not 39",
    ] == asked(GAMES["opera"]).faults_of(box)


def test_faults_are_said_in_the_language_of_the_reader() -> None:
    """Everything that is wrong is said in the owner's language, with the numbers and names as they stand in the box."""
    box = answered("opera", {"Parts of Wien": "3: 2 2 3; 1: 1 2 3", "Parts of Paris": "4: 2 2 3; 1: 1 2 4"})
    game = GAMES["opera"]
    faults = asked(game).faults_of(box)
    assert list(faults) == [fault.translated(ui(game).narrator("en").say) for fault in faults]
    assert "wien main: halls moet 2 zijn, niet 3" == faults[0].translated(ui(game).narrator("nl").say)
    assert "paris main\u00a0: halls doit être 1 à 3, pas 4" == faults[1].translated(ui(game).narrator("fr").say)
    game = GAMES["turandot"]
    singer = box_of(game)
    singer["singers"][0]["stars"] = 4
    (fault,) = asked(game).faults_of(singer)
    assert "zanger 'clairvent': stars moet 1, 2 of 3 zijn, niet 4" == fault.translated(ui(game).narrator("nl").say)


@pytest.mark.compiles
@pytest.mark.parametrize("matches", [1, pytest.param(random_play.MATCHES, marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", ASKED)
def test_a_box_of_an_owner_holds_in_every_check(
    name: str, matches: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game with a box that differs wherever it may is played, spoken, taught, drawn and audited without a fault."""
    game = GAMES[name].with_box(box_of_an_owner(name, tmp_path))
    standard, other = box_of(GAMES[name]), box_of(game)
    assert [] == [one.said(ui(game).narrator()) for one in questions(game) if one.shown(standard) == one.shown(other)]
    monkeypatch.setattr(random_play, "MATCHES", matches)
    assert [] == [line for line in checks.check(game, quick=True) if line.kind == "fault"]


@pytest.mark.parametrize("name", ASKED)
def test_what_was_answered_is_in_the_game(name: str, tmp_path: Path) -> None:
    """The new cards and parts are those of the built game; names that were kept stay translated."""
    build = GAMES[name].with_box(other_box(name, tmp_path)).build()
    box = build.components.BOX
    if name == "opera":
        assert [1, 2, 3] == box["cities"][1]["parts"][0]["copies"]
        assert 2 == build.components.STANDING[3] and "Anonymo" == build.components.HOUSE_COMPOSERS[0]
    else:
        assert "tatianamirova" == build.components.SINGER_IDS[1] and build.rules.ACTIONS.parse("cast tatianamirova")
        assert "poussin" == box["singers"][7]["id"] and set(LANGUAGES) == set(box["singers"][7]["name"])
        assert "favourite" not in box["singers"][7]
        assert [0, 0, 1, 2, 3, 4, 5] == box["directors"][3]["terms"][2]["values"]


BATTERIES = (
    "arena/test_audit.py",
    "engine/test_bounds.py",
    "engine/test_builds.py",
    "games/test_contract.py",
    "games/test_figures.py",
    "games/test_orders.py",
    "games/test_said_to_you.py",
)
"""What every game goes through, whatever is in its box. Golden matches and counts belong to the standard boxes."""


@pytest.mark.soak
def test_the_batteries_hold_with_the_boxes_of_an_owner(tmp_path: Path) -> None:
    """All of them run once more on the games with these boxes, in a process that has no others."""
    boxes = os.pathsep.join(f"{name}={box_of_an_owner(name, tmp_path)}" for name in ASKED)
    tests = Path(__file__).parents[1]
    command = [sys.executable, "-m", "pytest", "-q", "-m", "not soak", "-k", " or ".join(ASKED)]
    command += [str(tests / one) for one in BATTERIES]
    run = subprocess.run(command, env={**os.environ, BOXES: boxes}, cwd=tests.parent, capture_output=True, text=True)
    assert 0 == run.returncode, run.stdout[-5000:]


# What a box is called.


def test_the_name_of_a_box(tmp_path: Path) -> None:
    """It is what the file says, or what the file is called; the standard box has none, whatever its file."""
    assert "" == GAMES["opera"].box_name
    assert "Ann's copy" == GAMES["opera"].with_box(other_box("opera", tmp_path)).box_name
    unnamed = tmp_path / "from-the-attic.toml"
    unnamed.write_text(to_toml(answered("opera", OTHER_OPERA)), "utf-8")
    assert "from-the-attic" == GAMES["opera"].with_box(unnamed).box_name
    same = tmp_path / "same.toml"
    same.write_text(to_toml(box_of(GAMES["opera"]), "quite another"), "utf-8")
    assert "" == GAMES["opera"].with_box(same).box_name


@pytest.mark.parametrize("bad", ["7", '""', f'"{"x" * 61}"', '"a\\u0007"'])
def test_a_name_that_is_none(bad: str, tmp_path: Path) -> None:
    """A box is called by a short text."""
    path = tmp_path / "box.toml"
    path.write_text(f"box_name = {bad}\n" + to_toml(box_of(GAMES["opera"])), "utf-8")
    with pytest.raises(BadBox, match="box_name must be a text of 1 to 60 characters"):
        GAMES["opera"].with_box(path)


def test_the_name_of_a_box_changes_nothing_else(tmp_path: Path) -> None:
    """The same components under two names are the same box."""
    boxes = [tmp_path / f"{number}.toml" for number in (1, 2)]
    for path in boxes:
        path.write_text(to_toml(answered("opera", OTHER_OPERA), f"copy {path.stem}"), "utf-8")
    assert 1 == len({GAMES["opera"].with_box(path).build().box for path in boxes})


def test_a_record_names_its_box(tmp_path: Path) -> None:
    """Where it is not the standard one; so does the refusal of a record without that box."""
    game = GAMES["opera"].with_box(other_box("opera", tmp_path))
    document = record.write(Match(game, seed=1))
    assert "Ann's copy" == document["box_name"]
    assert record.is_chain_intact(record.redact(document, 0, {"opera": game}))
    record.read(document, {"opera": game})
    with pytest.raises(record.BadRecord, match=r"another box \(\"Ann's copy\", '[0-9a-f]{64}'\): give that file with --box"):
        record.read(document, GAMES)
    with pytest.raises(record.BadRecord, match="box_name must be a text"):
        record.read({**document, "box_name": 7}, {"opera": game})
    assert "box_name" not in record.write(Match(GAMES["opera"], seed=1))
