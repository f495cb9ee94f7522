"""The table in a terminal: driven by lines of input, and at a pseudo-terminal; the board of Le Fantôme as text."""

from __future__ import annotations

import codecs
import fcntl
import io
import os
import pty
import random
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from owners import box_of_an_owner
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from ridotto import bots
from ridotto.bots import Bot, Budget, Opinion, Ranked
from ridotto.core import record
from ridotto.core.match import Match
from ridotto.core.view import View
from ridotto.engine.fields import HIDDEN, Seat
from ridotto.games import GAMES
from ridotto.games.fantome.rules import CHARACTER, CORRIDOR
from ridotto.present import views
from ridotto.present.narrator import stage_name
from ridotto.present.ui import english, ui
from ridotto.terminal import session as terminal
from ridotto.terminal.screen import show

FANTOME = GAMES["fantome"]
F = FANTOME.rules.FIELDS.F
NAMES = CHARACTER.names
PASS = "Pass the keyboard. Next to play: "
PROMPT = "a number, an action, or help >"
MANY = 500
"""More answers than any match needs."""


def dealt(seed: int = 5) -> Match:
    return Match(FANTOME, seed=seed)


@dataclass
class Seen:
    """What came of a sitting."""

    status: int
    text: str
    match: Match

    @property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    def after(self, typed: str, prompt: str = PROMPT) -> str:
        """What was printed between this answer and the next question."""
        return self.text.split(f"{prompt} {typed}\n", 1)[1].split(" > ", 1)[0]


Sit = Callable[..., Seen]


@pytest.fixture
def sit(monkeypatch: pytest.MonkeyPatch) -> Sit:
    """Play a match in this process, with prepared lines of input."""

    def sitting(
        *answers: str,
        seats: str = "you,random",
        width: int = 300,
        match: Match | None = None,
        stdin: Any = None,
        programs: dict[Seat, Bot] | None = None,
        **options: Any,
    ) -> Seen:
        match = match or dealt()
        monkeypatch.setattr(sys, "stdin", stdin or io.StringIO("".join(f"{answer}\n" for answer in answers)))
        console = Console(file=io.StringIO(), width=width, color_system=None)
        who = seats.split(",")
        programs = programs or {seat: bots.find(name) for seat, name in enumerate(who) if name != "you"}
        status = terminal.play(match, who, bots=programs, bot_seed=1, console=console, **options)
        assert isinstance(console.file, io.StringIO)
        return Seen(status, console.file.getvalue(), match)

    return sitting


def too_wide(text: str, width: int) -> list[str]:
    return [line for line in text.split("\n") if cell_len(line) > width]


# A whole match.


@pytest.mark.parametrize("seats", ["you,random", "random,you", "you,you", "random,random"])
def test_plays_to_the_end(sit: Sit, seats: str) -> None:
    """Whoever always answers 1 reaches the end, and is told who won, why, and how the score is made up."""
    seen = sit(*["1"] * MANY, seats=seats)
    outcome = seen.match.outcome
    assert outcome is not None
    assert 0 == seen.status
    (winner,) = outcome.winners
    name, role = ("Figaro", "Rosina")[winner], ("inspector", "phantom")[winner]
    is_reader = seats.split(",")[winner] == "you" and seats.count("you") == 1
    who = f"{role}." if seats.split(",")[winner] == "you" else f"{name} ({role})."
    end = seen.text.split("You have won." if is_reader else f"Won by: {who}")[1]
    assert f"§{outcome.section}" in end
    assert "1 for the winner §7" in end
    assert [str(score) for score in outcome.scores] == end.split("score ")[1].split("\n")[0].split()
    assert ("you win" if is_reader else f"the {role} wins") in end


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("spoken", ["en", "fr", "nl"])
def test_fits_80_columns(sit: Sit, spoken: str, seed: int) -> None:
    """Nothing that is printed in a match is wider than 80 columns, in any language."""
    typed = ("help", "rules", "rules 2.2", "rules 5", "log", "why move 9", *["1"] * MANY)
    seen = sit(*typed, width=80, match=dealt(seed), language=spoken)
    assert seen.match.outcome is not None
    assert [] == too_wide(seen.text, 80)


@pytest.mark.parametrize(("width", "columns"), [(80, 1), (100, 1), (200, 3)])
def test_actions_stand_in_columns(sit: Sit, width: int, columns: int) -> None:
    """The actions stand in as many columns of 60 as fit, each once and with its number."""
    match = placed({"meg": "6", "raoul": "6", "christine": "6", "moncharmin": "6"})
    seen = sit("pick meg", width=width, match=match)
    listed = seen.text.split("Move Meg Giry.")[1].split(" > ")[0]
    assert [f"move {room}" for room in (0, 1, 2, 3, 4, 5, 7, 8, 9)] == list(seen.match.legal())
    assert list(range(1, 10)) == sorted(int(number) for number in re.findall(r"(\d) Meg Giry goes", listed))
    assert columns == listed.strip().split("\n")[0].count("Meg Giry goes")
    assert [] == too_wide(seen.text, width)


def test_single_action_is_confirmed(sit: Sit) -> None:
    """A decision with one legal action is shown, and done with Enter."""
    match = dealt()
    while len(match.legal()) > 1 or match.to_act != (0,):
        match.play(match.legal()[0])
    ply, only = match.ply, match.legal()[0]
    seen = sit("", match=match)
    assert "Enter to do it, or help > \n" in seen.text
    assert only == seen.match.entries[ply].do


def test_news_since_the_last_look(sit: Sit) -> None:
    """Between two decisions a person reads what has happened since the first, once, with its §."""
    seen = sit("pick meg", "move 9")
    third = seen.text.split(f"{PROMPT} move 9\n")[1]
    words = ui(FANTOME).words(ui(FANTOME).narrator(names=("", stage_name(1)), reader=0))
    told = views.events(seen.match.view(0, 2), words)
    assert told and all(1 == third.count(f"{event['text']} §{event['section']}") for event in told)
    assert "You play Meg Giry." not in third


def test_typing(sit: Sit) -> None:
    """A number and a notation, in any case and with any spaces, do the same."""
    assert sit("2").match.entries[1].do == sit("  PICK   Meg ").match.entries[1].do == "pick meg"


def test_bots_alone_are_watched_by_a_spectator(sit: Sit) -> None:
    """With nobody at the keyboard nothing is asked, and the phantom stays unknown to the end."""
    seen = sit(seats="random,random")
    before = seen.text.split("Won by: ")[0]
    assert " > " not in seen.text
    assert "Le Fantôme de l'Opéra · spectator" in before
    assert "The phantom secretly draws an identity." in before
    assert "The phantom is " not in before and "You are " not in seen.text
    assert "The phantom was " in before.rsplit("Le Fantôme de l'Opéra", 1)[1]
    assert "alibi of" not in before
    words = ui(FANTOME).words(ui(FANTOME).narrator(names=[stage_name(seat) for seat in range(2)]))
    told = [event["text"] for event in views.events(seen.match.view(None, 1), words)]
    assert told and [] == [text for text in told if text not in before]


def test_the_same_seed_gives_the_same_match(sit: Sit) -> None:
    """The bots' choices follow from their seed and the ply."""
    matches = [sit(seats="random,random", match=dealt(3)).match for _ in range(2)]
    assert [entry.do for entry in matches[0].entries] == [entry.do for entry in matches[1].entries]


# Commands.


def test_why(sit: Sit) -> None:
    """`why` says whether an action is allowed, and if not, why and by which §."""
    seen = sit("why pick meg", "why 1", "why pick persan", "why move 3", "why sing", "why", "why 77")
    assert 1 == seen.match.ply
    assert "you can do this now: pick meg" in seen.after("why pick meg")
    assert "you can do this now: pick raoul" in seen.after("why 1")
    refusal = "the card of the Persian is not face up; face up: Raoul, Meg Giry, Christine and Moncharmin (§3.1)"
    assert refusal in seen.after("why pick persan")
    assert "(§3.3)" in seen.after("why move 3")
    assert "'sing' is neither an action nor a command" in seen.after("why sing")
    assert "type a number from the list" in seen.after("why")
    assert "there is no number 77 in the list: it goes from 1 to 4" in seen.after("why 77")


def test_hint(sit: Sit) -> None:
    """`hint` names three legal actions with their chance and how often they were tried, and changes nothing."""
    seen = sit("hint")
    told = seen.after("hint").strip().split("\n")[:3]
    assert ["1.", "2.", "3."] == [line.split()[0] for line in told]
    assert all("wins about" in line and "\N{NO-BREAK SPACE}%, tried" in line for line in told)
    assert 3 == len({line.split("(")[1].split(")")[0] for line in told} & set(seen.match.legal(0)))
    assert 1 == seen.match.ply


def test_hint_knows_what_the_seat_knows(sit: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot that gives hints is handed the asking seat's view."""
    asked: list[View] = []

    class Adviser:
        name = "adviser"
        is_repeatable = True

        def choose(self, view: View, budget: Budget) -> int:
            raise NotImplementedError

        def opinion(self, view: View, budget: Budget) -> Opinion:
            asked.append(view)
            return Opinion((0.256, 0.744), (Ranked(view.legal[0], 7, 0.256, 1.0),), 7)

        def sit(self) -> Bot:
            return self

    monkeypatch.setattr(bots, "find", lambda name: Adviser())
    seen = sit("hint", programs={1: bots.Random()})
    assert [0] == [view.seat for view in asked]
    assert HIDDEN == asked[0].row[F.identity] == asked[0].row[F.held]
    assert "1. play Raoul (pick raoul) wins about 26\N{NO-BREAK SPACE}%, tried 7 times" in seen.text


def test_undo_against_a_bot(sit: Sit) -> None:
    """`undo` goes back to the person's last decision, over the bot's moves, as often as there is one."""
    seen = sit("pick meg", "move 9", "undo", "n", "undo", "undo", "pick christine")
    done = [entry.do for entry in seen.match.entries]
    assert ["deal", "pick meg", "move 9"] == done[:3]
    assert ["undo 1", "undo 0", "pick christine"] == done[-3:]
    assert 2 == seen.text.count("Move taken back.")
    assert 1 == seen.text.count("you have no move to take back yet")


def test_undo_at_once(sit: Sit) -> None:
    """What told nobody anything is taken back without a question, and the keyboard stays where it is."""
    seen = sit("", "pick meg", "undo", "pick christine", seats="you,you")
    assert ["pick meg", "undo 0", "pick christine"] == [entry.do for entry in seen.match.entries[1:]]
    assert "would like to take back a move" not in seen.text


@pytest.mark.parametrize(
    ("answers", "done"), [(("perhaps", "y", "y", ""), "undo 0"), (("y", "n", ""), "undo 1"), (("n", ""), "bid 4")]
)
def test_undo_needs_the_other_person(sit: Sit, answers: tuple[str, ...], done: str) -> None:
    """Where something was learned `undo` waits for the other person's yes, and asks whether all shall choose anew."""
    match = Match(GAMES["opera"], 2, seed=1)
    match.play("bid 1", 0)
    match.play("bid 4", 1)
    assert (1,) == match.to_act
    seen = sit("", "undo", *answers, seats="you,you", match=match)
    assert done == seen.match.entries[-1].do
    asked = "Blue would like to take back a move. Red, do you agree? (y/n) >"
    assert 1 + ("perhaps" in answers) == seen.text.count(asked)
    assert ("please answer y or n" in seen.text) == ("perhaps" in answers)
    assert "Since then: Blue saw “You have bid 1 ducat" in seen.text
    assert PASS in seen.text.split(asked)[-1]


def test_save(sit: Sit, tmp_path: Path) -> None:
    """`save` writes a record that replays to the same position, and does not overwrite a file unasked."""
    path, other = tmp_path / "a match.json", tmp_path / "other"
    other.write_text("mine", "utf-8")
    seen = sit(
        "pick meg", f"save {path}", f"save {other}", "n", "save", f"save {tmp_path}", f"save {tmp_path}/no/where", "quit"
    )
    loaded, names = record.load(path, GAMES)
    assert seen.match.position() == loaded.position()
    assert ["you", "random"] == names
    assert "mine" == other.read_text("utf-8")
    assert "save where?" in seen.text
    assert f"cannot save in {tmp_path}: it is a folder" in seen.text
    assert "No such file or directory" in seen.text
    assert {"a match.json", "other"} == {file.name for file in tmp_path.iterdir()}
    assert f"to go on: ridotto play fantome --seats you,random --record '{path}'" in seen.text
    assert 0 == seen.status


def test_save_overwrites_when_told(sit: Sit, tmp_path: Path) -> None:
    """A yes lets `save` overwrite a file."""
    path = tmp_path / "old"
    path.write_text("mine", "utf-8")
    sit(f"save {path}", "y")
    assert 1 == record.load(path, GAMES)[0].ply


def test_rules(sit: Sit) -> None:
    """`rules` lists the paragraphs, or prints the one asked for with those below it."""
    seen = sit("rules", "rules 4.1", "rules §4", "rules 9.9")
    contents = seen.after("rules")
    assert all(f"§{number} " in contents for number in ("1", "2.7", "5.8", "7.3"))
    one, chapter = seen.after("rules 4.1"), seen.after("rules §4")
    assert "How far" in one and "Open ways" not in one
    assert all(title in chapter for title in ("How far", "Open ways", "Moved by another"))
    assert "Raoul de Chagny" not in chapter
    assert "the rulebook has no §9.9" in seen.after("rules 9.9")


def test_rules_in_the_language_spoken(sit: Sit) -> None:
    """The rulebook is the one of the language that is spoken."""
    seen = sit("rules 4.1", language="fr")
    assert "Jusqu'où" in seen.text


def test_log(sit: Sit) -> None:
    """`log` prints everything this seat has seen, in order."""
    seen = sit("pick meg", "log")
    told = [line.strip() for line in seen.after("log").split("\n")]
    words = ui(FANTOME).words(ui(FANTOME).narrator(names=("", stage_name(1)), reader=0))
    expected = [f"{event['text']} §{event['section']}" for event in views.events(seen.match.view(0), words)]
    assert expected == told[: len(expected)]


def test_help_names_every_command(sit: Sit) -> None:
    """`help` and `?` list the commands."""
    seen = sit("help", "?")
    assert seen.after("help") == seen.after("?")
    commands = {"why", "hint", "undo", "save", "rules", "log", "resign", "help", "quit"}
    assert commands == commands & set(seen.after("help").split())


def test_resign(sit: Sit) -> None:
    """Resigning is asked again; then the other seat has won."""
    kept = sit("resign", "n")
    assert 1 == kept.match.ply and kept.match.outcome is None
    seen = sit("resign", "y")
    assert seen.match.outcome is not None
    assert (1,) == seen.match.outcome.winners
    assert "Won by: Rosina (phantom). You have lost." in seen.text
    assert "§7.3" in seen.text


def test_quit(sit: Sit) -> None:
    """`quit` leaves at once, and says that the match was not saved."""
    seen = sit("pick meg", "quit", "1")
    assert 0 == seen.status
    assert 2 == seen.match.ply
    assert "this match was not saved" in seen.lines[-2]


def test_a_finished_match_can_still_be_saved(sit: Sit, tmp_path: Path) -> None:
    """After the end the match can be saved and looked at; then it is said how to replay it."""
    path = tmp_path / "end"
    seen = sit("resign", "y", "log", f"save {path}", "")
    assert seen.match.position() == record.load(path, GAMES)[0].position()
    assert f"ridotto replay {path}" in seen.text
    assert 0 == seen.status


NONSENSE = [
    "foo",
    "99",
    "0",
    "-1",
    "1.5",
    "9" * 5000,
    "x" * 10_000,
    "move",
    "pick",
    "pick nobody",
    "[red]oops[/red]",
    "[/]",
    "{who}",
    "%s",
    ":smile:",
    "\x1b[2J",
    "\x00",
    "٣٣",
    "drop table",
]


@pytest.mark.parametrize("typed", NONSENSE)
def test_nonsense_loses_nothing(sit: Sit, typed: str) -> None:
    """What cannot be understood is answered with one line, and the match goes on."""
    seen = sit(typed, "pick meg")
    assert ["deal", "pick meg"] == [entry.do for entry in seen.match.entries]
    answer = seen.text.split(PROMPT)[1].split("\n", 1)[1]
    assert 1 == answer.count("\n")
    assert any(words in answer for words in ("is neither an action nor a command; try '", "too long", "it goes from 1 to 4"))


def test_an_illegal_action_is_refused_with_its_section(sit: Sit) -> None:
    """An action that exists but is not allowed is refused with reason and §, on one line."""
    seen = sit("pick persan", "pick meg")
    refusal = "the card of the Persian is not face up; face up: Raoul, Meg Giry, Christine and Moncharmin (§3.1)"
    assert f"not now: {refusal}" == seen.after("pick persan").split("\n")[0]
    assert 2 == seen.match.ply


def test_bytes_that_are_no_text(sit: Sit) -> None:
    """Bytes that are not UTF-8 are nonsense like any other."""
    stdin = io.TextIOWrapper(io.BytesIO(b"\xff\xfe\npick meg\n"), "utf-8")
    assert "pick meg" == sit(stdin=stdin).match.entries[-1].do


# Leaving, and coming back.


class Interrupted(io.StringIO):
    """Input in which somebody presses Ctrl-C at the end."""

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        line = super().readline(-1 if size is None else size)
        if not line:
            raise KeyboardInterrupt
        return line


@pytest.mark.parametrize(("stdin", "status"), [(io.StringIO, 0), (Interrupted, 130)])
def test_leaving_in_the_middle(sit: Sit, tmp_path: Path, stdin: Callable[[str], io.StringIO], status: int) -> None:
    """Ctrl-D and Ctrl-C leave politely; with a path everything is saved already."""
    path = tmp_path / "match"
    seen = sit(stdin=stdin("pick meg\nmove 9\n"), path=path)
    assert status == seen.status
    loaded = record.load(path, GAMES)[0]
    assert seen.match.entries == loaded.entries
    assert seen.match.position() == loaded.position()
    assert f"to go on: ridotto play fantome --seats you,random --record {path}" in seen.text


def test_every_action_is_saved_at_once(sit: Sit, tmp_path: Path) -> None:
    """At each question the record on disk goes up to this very ply."""
    path = tmp_path / "match"
    found: list[tuple[int, int]] = []
    match = dealt()

    class Watching(io.StringIO):
        def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
            found.append((match.ply, record.load(path, GAMES)[0].ply))
            return "1\n" if len(found) < 12 else ""

    sit(stdin=Watching(), path=path, match=match)
    assert 12 == len(found)
    assert [ply for ply, _ in found] == [ply for _, ply in found]


def test_save_and_resume(sit: Sit, tmp_path: Path) -> None:
    """A match left in the middle goes on from its record, to an end that verifies."""
    path = tmp_path / "match"
    first = sit("1", "1", path=path).match
    resumed, names = record.load(path, GAMES)
    assert first.position() == resumed.position()
    seen = sit(*["1"] * MANY, match=resumed, names=names, path=path)
    assert first.entries == seen.match.entries[: first.ply]
    assert record.load(path, GAMES)[0].outcome == seen.match.outcome is not None
    assert f"ridotto replay {path}" in seen.text


@pytest.mark.parametrize(
    ("spoken", "told"),
    [
        ("en", "Played with another box: Ann's copy"),
        ("fr", "Joué avec une autre boîte\u00a0: Ann's copy"),
        ("nl", "Gespeeld met een andere doos: Ann's copy"),
    ],
)
def test_another_box_is_named(sit: Sit, tmp_path: Path, spoken: str, told: str) -> None:
    """The screen names it while the match is played and at its end; what goes on or replays the match is told its file."""
    box, path = box_of_an_owner("opera", tmp_path), tmp_path / "match"
    game = GAMES["opera"].with_box(box)
    left = sit("1", "quit", match=Match(game, 2, seed=1), path=path, language=spoken)
    assert told in left.text
    assert f"ridotto play opera --seats you,random --record {path} --box {box}" in left.text
    again, names = record.load(path, {"opera": game})
    ended = sit("resign", "y", match=again, names=names, path=path, language=spoken)
    assert 2 == ended.text.count(told)
    assert f"ridotto replay {path} --box {box}" in ended.text
    assert told not in sit("quit", match=Match(GAMES["opera"], 2, seed=1), language=spoken).text


def test_a_record_that_cannot_be_written_does_not_stop_the_match(sit: Sit, tmp_path: Path) -> None:
    """If saving fails it is said, and said again at the end; the match goes on."""
    seen = sit("pick meg", "quit", path=tmp_path / "no" / "where")
    assert 2 == seen.match.ply
    assert "cannot save in" in seen.text
    assert "this match was not saved" in seen.lines[-2]


# Two people at one screen.


def told_to(text: str, role: str) -> list[str]:
    """What was printed for a role: from each hand-over to it to the next hand-over, or to the last look at the end."""
    parts = text.split("Le Fantôme de l'Opéra · spectator")[0].split(PASS)[1:]
    return [part for part in parts if part.startswith(f"The {role}")]


@pytest.mark.parametrize("seed", range(4))
def test_hand_over_keeps_the_secret(sit: Sit, seed: int) -> None:
    """What the inspector sees of a whole match never says who the phantom is or which alibis are kept."""
    rnd = random.Random(seed)
    match = dealt(seed)
    answers, holder = [], None
    while match.to_act:
        answers += [""] if match.to_act[0] != holder else []
        holder = match.to_act[0]
        answers.append(rnd.choice(match.legal()))
        match.play(answers[-1])
    seen = sit(*answers, seats="you,you", match=dealt(seed))
    assert match.entries[-1].do == seen.match.entries[-1].do
    phantom = told_to(seen.text, "phantom")
    assert all("You are " in part for part in phantom)
    for part in told_to(seen.text, "inspector"):
        assert not any(words in part for words in ("The phantom is ", "You are ", "alibis kept:", "the alibi of"))


def test_the_inspector_sees_the_same_whoever_the_phantom_is(sit: Sit) -> None:
    """In two worlds that differ in the phantom and in the alibi kept, the inspector's screens are equal letter by letter."""
    deal = list(dealt(5).entries[0].draws)
    texts, kept = [], []
    for identity in (NAMES.index("meg"), NAMES.index("persan")):
        deal[8] = identity
        match = Match(FANTOME, draws=deal, seed=2)
        assert identity == match.row[F.identity]
        answers = ["", "pick meg", "move 9", "", "pick raoul", "move 7", "pick christine", "move 3", "decline", "", "log"]
        texts.append(sit(*answers, seats="you,you", match=match).text)
        kept.append(match.row[F.held])
    assert 0 not in kept and kept[0] != kept[1]
    assert told_to(texts[0], "inspector") == told_to(texts[1], "inspector")
    assert told_to(texts[0], "phantom") != told_to(texts[1], "phantom")
    assert all("You keep the alibi of" in told_to(text, "phantom")[0] for text in texts)
    assert "The phantom keeps an alibi." in told_to(texts[0], "inspector")[1]


@pytest.mark.parametrize("name", ["opera", "turandot"])
def test_names_in_the_log_and_on_the_table(sit: Sit, name: str) -> None:
    """People and bots are called by name, not by colour or number; a name is never taken for markup or escape codes."""
    match = Match(GAMES[name], 2, seed=1)
    seen = sit("log", "quit", match=match, names=["[bold]Ada[/] \x1b[31m", "random"])
    assert "[bold]Ada[/] [31m" in seen.text and "Rosina" in seen.text
    assert "\x1b[31m" not in seen.text
    assert [] == [word for word in ("Blue", "Seat 1", "seat 1") if word in seen.text]


def test_the_fictitious_troupe_has_its_column(sit: Sit) -> None:
    """§9.3: in a match of Turandot for two, every part of its score stands beside the players'."""
    match = Match(GAMES["turandot"], 2, seed=4)
    seen = sit(seats="random,random", match=match)
    told = next(one.values for one in match.view().seen if one.event.name == "fictitious")
    end = seen.text.split("Won by: ")[-1] if "Won by: " in seen.text else seen.text.split("Nobody wins.")[-1]
    lines = end.split("\n")
    heads = next(line for line in lines if "Fictitious" in line)
    assert ["Figaro (red)", "Rosina (blue)", "Fictitious troupe"] == re.split(" {2,}", heads.strip())
    for section, part in (("8.1", "stars"), ("8.2", "favourites"), ("8.3", "wrong"), ("8.5", "director")):
        assert str(told[part]) == next(line for line in lines if f"§{section} " in line).split()[-1]
    score = next(line for line in lines if line.startswith("score")).split()
    assert str(told["total"]) == score[-1] and 4 == len(score)


def test_names_at_the_hand_over(sit: Sit) -> None:
    """People with names are called by them."""
    seen = sit("", "pick meg", "move 9", "", seats="you,you", names=["Ada", "Ben"])
    assert ["Ada", "Ben"] == [part.split("\n")[0] for part in seen.text.split(PASS)[1:]]


def test_one_person_needs_no_hand_over(sit: Sit) -> None:
    """Against a bot the keyboard stays where it is."""
    assert PASS not in sit(*["1"] * MANY).text


# A real terminal.

CHILD = """
import fcntl, sys, termios
from pathlib import Path
from ridotto import bots
from ridotto.terminal import session as terminal
from ridotto.core.match import Match
from ridotto.games import GAMES

fcntl.ioctl(0, termios.TIOCSCTTY, 0)
seats = sys.argv[1].split(",")
path = Path(sys.argv[2]) if len(sys.argv) > 2 else None
programs = {seat: bots.find(name) for seat, name in enumerate(seats) if name != "you"}
sys.exit(terminal.play(Match(GAMES["fantome"], seed=5), seats, bots=programs, bot_seed=1, path=path))
"""


class Screen:
    """A pseudo-terminal with the table on it."""

    def __init__(self, *arguments: str, columns: int = 80, rows: int = 50) -> None:
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        environment = {**os.environ, "TERM": "xterm-256color", "PYTHONUTF8": "1"}
        environment.pop("COLUMNS", None)
        self.child = subprocess.Popen(
            [sys.executable, "-c", CHILD, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment,
            start_new_session=True,
        )
        os.close(slave)
        self.decoder = codecs.getincrementaldecoder("utf-8")()
        self.text = ""
        self.read_up_to = 0

    def read(self) -> bool:
        """Read what there is; false at the end."""
        ready, _, _ = select.select([self.master], [], [], 60)
        assert ready, f"nothing came for a minute after: {self.text[-500:]}"
        try:
            data = os.read(self.master, 65536)
        except OSError:
            return False
        self.text += self.decoder.decode(data)
        return bool(data)

    def wait_for(self, text: str) -> str:
        """Read until a text comes; what came before it."""
        while (at := self.text.find(text, self.read_up_to)) < 0:
            assert self.read(), f"the end came before {text!r}: {self.text[-500:]}"
        before = self.text[self.read_up_to : at]
        self.read_up_to = at + len(text)
        return before

    def wait_for_quiet(self) -> None:
        """Wait until the child sleeps, waiting for what will be typed: a signal just before that would be held back."""
        deadline = time.monotonic() + 60
        while Path(f"/proc/{self.child.pid}/stat").read_text().rpartition(")")[2].split()[0] != "S":
            assert time.monotonic() < deadline
            time.sleep(0.01)

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def end(self) -> int:
        """Read to the end; the exit status."""
        while self.read():
            pass
        return self.child.wait(60)

    def close(self) -> None:
        os.close(self.master)
        self.child.kill()
        self.child.wait()


@pytest.fixture
def screens() -> Iterator[Callable[..., Screen]]:
    """Open pseudo-terminals, and close them."""
    opened: list[Screen] = []

    def start(*arguments: str, **size: int) -> Screen:
        opened.append(Screen(*arguments, **size))
        return opened[-1]

    yield start
    for screen in opened:
        screen.close()


def test_a_whole_match_at_a_terminal(screens: Callable[..., Screen], tmp_path: Path) -> None:
    """At a real terminal of 80 columns a match is played to its end by answering 1."""
    screen = screens("you,random", str(tmp_path / "match"))
    while not any(end in screen.text for end in ("Won by: ", "You have won.")):
        if screen.text.endswith(" > \x1b[0m") or screen.text.rstrip().endswith(">"):
            screen.type("1\n")
        if not screen.read():
            break
    assert 0 == screen.end()
    assert any(end in screen.text for end in ("Won by: ", "You have won."))
    assert "\x1b[2J" in screen.text
    plain = Text.from_ansi(screen.text.replace("\r", "")).plain
    assert [] == too_wide(plain, 80)
    assert record.load(tmp_path / "match", GAMES)[0].outcome is not None


@pytest.mark.parametrize(("key", "status"), [("\x03", 130), ("\x04", 0)])
def test_ctrl_c_and_ctrl_d_at_a_terminal(screens: Callable[..., Screen], tmp_path: Path, key: str, status: int) -> None:
    """Ctrl-C and Ctrl-D leave without a traceback, with everything saved."""
    screen = screens("you,random", str(tmp_path / "match"))
    screen.wait_for(PROMPT)
    screen.type("pick meg\n")
    screen.wait_for(f"{PROMPT} ")
    screen.wait_for_quiet()
    screen.type(key)
    assert status == screen.end()
    assert "Traceback" not in screen.text
    assert "to go on: ridotto play" in screen.text
    assert ["deal", "pick meg"] == [entry.do for entry in record.load(tmp_path / "match", GAMES)[0].entries]


def test_the_screen_is_wiped_between_people(screens: Callable[..., Screen]) -> None:
    """Before the keyboard passes on, the screen and what can be scrolled back to are cleared."""
    screen = screens("you,you")
    screen.wait_for(f"{PASS}The inspector")
    screen.type("\n")
    screen.wait_for(PROMPT)
    screen.type("pick meg\n")
    screen.wait_for(PROMPT)
    screen.type("move 9\n")
    between = screen.wait_for(f"{PASS}The phantom")
    assert "╭" not in between
    assert between.index("\x1b[2J") < between.index("\x1b[3J")
    screen.type("\n")
    assert "You are " in screen.wait_for(PROMPT)
    screen.type("quit\n")
    assert 0 == screen.end()
    goodbye = screen.text[screen.read_up_to :]
    assert goodbye.index("\x1b[3J") < goodbye.index("you have left the table")


def test_a_bot_that_thinks_long_shows_that_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """A spinner turns while a bot thinks longer than the time of patience, and is gone afterwards."""
    monkeypatch.setattr(terminal, "SPINNER_DELAY", 0.01)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    file = io.StringIO()
    console = Console(file=file, force_terminal=True, width=80)

    class Slow:
        name = "slow"
        is_repeatable = True

        def choose(self, view: View, budget: Budget) -> int:
            deadline = time.monotonic() + 30
            while "Rosina (slow) is thinking" not in file.getvalue() and time.monotonic() < deadline:
                time.sleep(0.01)
            return view.legal[0]

        def opinion(self, view: View, budget: Budget) -> Opinion | None:
            return None

        def sit(self) -> Bot:
            return self

    match = dealt()
    while match.to_act != (1,):
        match.play(match.legal()[0])
    ply = match.ply
    status = terminal.play(match, ["you", "slow"], bots={1: Slow()}, bot_seed=1, names=["you", "slow"], console=console)
    assert 0 == status
    assert match.ply > ply
    assert "Rosina (slow) is thinking" in file.getvalue()
    assert "Rosina (slow) is thinking" not in file.getvalue().rsplit("\x1b[2K", 1)[1]


def test_plain_signs_where_the_encoding_has_no_others() -> None:
    """A terminal of ASCII gets the same drawing, column by column, in signs it has."""
    drawings = []
    for encoding in ("utf-8", "ascii"):
        raw = io.BytesIO()
        console = Console(file=io.TextIOWrapper(raw, encoding), width=80, color_system=None)
        show(dealt().view(0), ui(FANTOME).words(ui(FANTOME).narrator("fr")), console)
        console.file.flush()
        drawings.append(raw.getvalue().decode(encoding))
    unicode, ascii_ = drawings
    assert unicode != ascii_ and ascii_.isascii()
    assert [len(line) for line in unicode.split("\n")] == [len(line) for line in ascii_.split("\n")]
    assert "?" not in ascii_
    assert " X " in ascii_ and "Le Fantome de l'Opera" in ascii_


# The board of Le Fantôme.


def drawn(match: Match, seat: Seat | None = None, language: str = "en") -> list[str]:
    return Text.from_markup(
        ui(FANTOME).drawing(match.view(seat), ui(FANTOME).words(ui(FANTOME).narrator(language)))
    ).plain.split("\n")


def placed(rooms: dict[str, str], **fields: Any) -> Match:
    """A table with the characters in these rooms, everybody else where they are."""
    position = dealt().position()
    position |= {"place": position["place"] | rooms}
    return Match(FANTOME, position=position | fields)


TOKENS = {"raoul": "Ra", "meg": "Me", "giry": "Gi", "buquet": "Bu"} | {
    "christine": "Ch",
    "moncharmin": "Mo",
    "richard": "Ri",
    "persan": "Pe",
}
FLOORS = ((None, 9, 8, None), (7, 6, 5, 4), (3, 2, 1, 0))


def inside(lines: list[str], room: int) -> str:
    """What stands between the walls of a room: four rooms to a floor, three lines each."""
    floor = next(i for i, rooms in enumerate(FLOORS) if room in rooms)
    column = FLOORS[floor].index(room)
    return "\n".join(lines[floor * 4 + row][column * 19 + 1 : column * 19 + 19] for row in (1, 2, 3))


@pytest.mark.parametrize("seed", range(20))
def test_everybody_stands_where_they_are(seed: int) -> None:
    """Each room has its number, its name and exactly the people in it; the dark one alone is shaded."""
    rnd = random.Random(seed)
    match = dealt(seed)
    for _ in range(rnd.randrange(40)):
        if match.to_act:
            match.play(rnd.choice(match.legal()))
    lines, position = drawn(match, rnd.choice([0, 1, None])), match.position()
    names = (
        "workshop",
        "under-stage",
        "lake",
        "catacombs",
        "right wing",
        "stage",
        "auditorium",
        "left wing",
        "fly tower",
        "dome",
    )
    for room in range(10):
        box = inside(lines, room)
        assert str(room) in box.split("\n")[0] and names[room] in box
        here = {name for name, token in TOKENS.items() if token in box.split("\n", 1)[1]}
        assert {name for name, at in position["place"].items() if int(at) == room} == here
        assert (position["dark"] == str(room)) == ("░" in box)
        for name in here:
            assert (name not in position["suspects"]) == (f"✓{TOKENS[name]}" in box) or position["active"] == name


@pytest.mark.parametrize("spoken", ["en", "fr", "nl"])
def test_the_board_fits_80_columns(spoken: str) -> None:
    """No line of the drawing is wider than 80 columns, in any language, for any seat, in the middle of anything."""
    rnd = random.Random(7)
    for seed in range(3):
        match = dealt(seed)
        while match.to_act:
            match.play(rnd.choice(match.legal()))
            assert [] == too_wide("\n".join(drawn(match, rnd.choice([0, 1, None]), spoken)), 80)


def test_a_crowded_room() -> None:
    """All eight fit into one room, beside its secret passages."""
    match = placed(dict.fromkeys(NAMES, "1"))
    box = inside(drawn(match), 1)
    assert all(token in box for token in TOKENS.values())
    assert box.rstrip().endswith(("~5 ~7", "~5 ~7 ═"))


@pytest.mark.parametrize("corridor", CORRIDOR.names)
def test_the_padlock_is_on_its_corridor(corridor: str) -> None:
    """One corridor is marked as locked, between or beside the two rooms it joins, and named below."""
    lines = drawn(placed({}, padlock=corridor))
    marks = [(x, y) for y, line in enumerate(lines[:13]) for x, char in enumerate(line) if char == "╳"]
    assert 1 == len(marks)
    x, y = marks[0]
    centres = {
        room: (column * 19 + 10, floor * 4 + 2) for floor, rooms in enumerate(FLOORS) for column, room in enumerate(rooms)
    }
    near = sorted(
        (room for room in centres if room is not None), key=lambda r: abs(centres[r][0] - x) + 3 * abs(centres[r][1] - y)
    )
    assert set(map(int, corridor.split("-"))) == set(near[:2])
    assert f"padlock {corridor}" in lines[13]


def test_secret_passages_are_signed_at_both_ends() -> None:
    """Every room shows the rooms its secret passages lead to."""
    lines = drawn(dealt())
    signs = {
        room: [int(word[1]) for word in inside(lines, room).replace("░", " ").split() if word[0] == "~"] for room in range(10)
    }
    assert {0: [], 1: [5, 7], 2: [6], 3: [], 4: [9], 5: [1, 8], 6: [2, 9], 7: [1], 8: [5], 9: [4, 6]} == signs


def test_a_house_with_other_ways(tmp_path: Path) -> None:
    """Of another box the ways are drawn that it has; a corridor that the drawing has no place for is named below."""
    box = tmp_path / "box.toml"
    own = Path(FANTOME.build().components.__file__ or "").with_name("components.toml").read_text("utf-8")
    box.write_text(own.replace('"8-9"]', '"8-9", "2-5"]').replace('"2-6", ', ""), "utf-8")
    match = Match(FANTOME.with_box(box), seed=4)
    match.play("pick raoul")
    lines = Text.from_markup(ui(match.game).drawing(match.view(0), english(match.game))).plain.split("\n")
    assert "corridor, 2-5" in lines[13]
    assert "~" not in inside(lines, 2) and "~9" in inside(lines, 6)
    lit = {room for room in range(10) if inside(lines, room).startswith("‹")}
    assert {int(action.split()[1]) for action in match.legal()} == lit


EXAMPLE = {"christine": "9", "raoul": "9", "richard": "8", "giry": "8"} | {
    "meg": "7",
    "buquet": "6",
    "persan": "6",
    "moncharmin": "5",
}


def test_the_deduction_panel_agrees_with_the_rulebook() -> None:
    """The worked example of §6.2 and §6.3: who would be cleared, and where La Carlotta would go."""
    match = placed(EXAMPLE, dark="8", padlock="0-1", carlotta=8)
    for seat in (0, 1, None):
        lines = drawn(match, seat)
        can = next(line for line in lines if line.startswith("● can manifest"))
        cannot = next(line for line in lines if line.startswith("○ cannot manifest"))
        assert "La Carlotta → 13" in can and "suspects: 4" in can
        assert {"Ra", "Ch", "Bu", "Pe"} == set(can.split("cleared:")[1].split())
        assert "La Carlotta → 12" in cannot and "suspects: 4" in cannot
        assert {"Me", "Mo", "Gi", "Ri"} == set(cannot.split("cleared:")[1].split())


def test_the_deduction_panel_knows_the_ends() -> None:
    """It says when an announcement would end the match, and when it cannot come."""
    together = dict.fromkeys(NAMES, "6")
    lines = drawn(placed(together | {"meg": "7"}, dark="0", identity="raoul", carlotta=15))
    can, cannot = (next(line for line in lines if line.startswith(sign)) for sign in "●○")
    assert "the inspector wins" in can and "suspects: 1" in can
    assert "La Carlotta leaves, the phantom wins" in cannot and "suspects: 7" in cannot
    lines = drawn(placed(together, dark="0"))
    assert any(line.startswith("● can manifest") and "impossible" in line for line in lines)


def test_only_the_phantom_sees_the_phantom() -> None:
    """Identity and kept alibis are drawn for the phantom's seat alone, and for everybody after the end."""
    match = placed({}, identity="giry", held=["meg", "raoul"], kept=2)
    mine = [line for line in drawn(match, 1) if "You are" in line]
    assert ["Madame Giry"] == [line.split("You are ")[1].split(".")[0] for line in mine]
    assert ["Ra", "Me"] == mine[0].split("alibis kept:")[1].split()
    for seat in (0, None):
        assert not any("You are" in line or "alibis kept" in line for line in drawn(match, seat))
        assert any("kept by the phantom: 2" in line for line in drawn(match, seat))
    said = ui(FANTOME).drawing(match.view(1), ui(FANTOME).words(ui(FANTOME).narrator(reader=1)))
    assert "kept by you: 2" in said and "kept by the phantom" not in said
    match.resign(0)
    for seat in (0, 1, None):
        assert any("The phantom was Madame Giry." in line for line in drawn(match, seat))


def test_the_cards_and_their_order() -> None:
    """The four cards, who plays when with the turn marked, and the four to come."""
    match = dealt()
    lines = drawn(match, 0)
    order = next(line for line in lines if line.startswith("Round 1"))
    assert ["▸inspector", "phantom", "phantom", "inspector"] == order.split()[2:]
    listed = {line.split()[0] for line in lines if "§5." in line}
    assert {TOKENS[name] for name in match.position()["offered"]} == listed
    coming = next(line for line in lines if line.startswith("next round:"))
    assert {TOKENS[name] for name in match.position()["pile"]} == set(coming.split(":")[1].split())
    while match.position()["round"] == 1:
        match.play(match.legal()[0])
    order = next(line for line in drawn(match) if line.startswith("Round 2"))
    assert ["▸phantom", "inspector", "inspector", "phantom"] == order.split()[2:]


def test_the_track_marks_where_she_is() -> None:
    """La Carlotta's sign stands on her space of the track."""
    for space in (0, 9, 10, 20):
        lines = drawn(placed({}, carlotta=space, handicap=-3))
        at = next(i for i, line in enumerate(lines) if line.startswith("La Carlotta"))
        assert f"La Carlotta on space {space}, steps to the exit: {21 - space}" == lines[at]
        assert [*map(str, range(space)), "♪", *map(str, range(space + 1, 21)), "exit"] == lines[at + 1].split()
