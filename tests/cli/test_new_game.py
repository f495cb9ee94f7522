"""`ridotto new` writes a game that can be installed, checked and played at once; `ridotto check` finds what is broken."""

from __future__ import annotations

import importlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from bare_game import bare_game
from click.testing import CliRunner

from ridotto import games
from ridotto.arena import audit as auditing
from ridotto.arena import checks
from ridotto.arena.checks import random_play, secrecy, structure
from ridotto.arena.checks import words as word_checks
from ridotto.cli import cli
from ridotto.core.game import Game
from ridotto.games import GAMES, Registry
from ridotto.present import protocols

ROOT = Path(games.__file__).parents[2]


# A package of its own.


def ridotto(site: Path, *arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command where the packages of a folder are installed."""
    return run(site, "-m", "ridotto", *arguments, typed=typed)


def run(site: Path, *arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Run Python where the packages of a folder are installed."""
    path = os.pathsep.join([str(ROOT), str(site), str(ROOT / "tests")])
    environment = {**os.environ, "PYTHONPATH": path, "LANG": "en"}
    return subprocess.run([sys.executable, *arguments], env=environment, input=typed, capture_output=True, text=True)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the game that `ridotto new` writes is installed, by pip."""
    folder = tmp_path_factory.mktemp("new")
    written = CliRunner().invoke(cli, ["new", "racing", "--out", str(folder), "--title", "The Race"])
    assert 0 == written.exit_code, written.output
    assert f"pip install -e {folder / 'racing'}" in written.output
    pip = ["-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    done = run(folder, *pip, "--target", str(folder / "site"), str(folder / "racing"))
    assert 0 == done.returncode, done.stderr
    return folder / "site"


def test_it_is_sound(site: Path) -> None:
    """Nothing is wrong with it, compiled or not; what it does without is told with what happens then."""
    done = ridotto(site, "check", "racing")
    assert 0 == done.returncode, done.stdout + done.stderr
    assert "FAULT" not in done.stdout
    assert "note  ui/picture.py: missing: a page shows the named fields as one panel" in done.stdout
    assert "ok    compiled" in done.stdout
    assert re.search("^racing can be played, notes: 17$", done.stdout, re.MULTILINE)


def test_it_is_listed(site: Path) -> None:
    """Without a name, the command says which games there are."""
    done = ridotto(site, "check")
    assert "racing: The Race, for 2 players\n" in done.stdout
    assert "opera: Opera, for 2 to 4 players\n" in done.stdout
    assert 0 == done.returncode, done.stdout


def test_it_is_played_in_a_terminal(site: Path) -> None:
    """A whole match against a bot, by the numbers of the list."""
    done = ridotto(site, "play", "racing", "--seats", "you,random", "--seed", "1", typed="1\n" * 30)
    assert 0 == done.returncode, done.stderr
    assert "21 / 21" in done.stdout
    assert "the goal was reached" in done.stdout


LOBBY = """
import asyncio, sys
from pathlib import Path
from visitors import Visitor, running, settings

async def visit():
    async with running(settings(Path(sys.argv[1]))) as app, Visitor(app) as one:
        lobby = await one.get("/")
        assert "The Race" in lobby.text and "Count up in turn" in lobby.text
        assert 200 == (await one.get("/rules/en/racing")).status_code
        print("there")

asyncio.run(visit())
"""


def test_it_is_in_the_lobby(site: Path, tmp_path: Path) -> None:
    """The start page shows it, and its rulebook can be read."""
    done = run(site, "-c", LOBBY, str(tmp_path))
    assert 0 == done.returncode, done.stderr
    assert "there\n" == done.stdout


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("Tic-Tac", "is not lower-case letters"),
        ("class", "is not lower-case letters"),
        ("json", "there is a module 'json' already"),
        ("opera", "there is a game 'opera' already"),
    ],
)
def test_names_that_cannot_be(name: str, fault: str, tmp_path: Path) -> None:
    """A name must be a new module's, and a new game's."""
    refused = CliRunner().invoke(cli, ["new", name, "--out", str(tmp_path)])
    assert 2 == refused.exit_code and fault in refused.output
    assert [] == list(tmp_path.iterdir())


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    """A folder that is there already is left alone."""
    (tmp_path / "racing").mkdir()
    refused = CliRunner().invoke(cli, ["new", "racing", "--out", str(tmp_path)])
    assert 2 == refused.exit_code and "is there already" in refused.output
    assert [] == list((tmp_path / "racing").iterdir())


# What is broken is found.

BROKEN = {
    "a function is missing": ("rules.py", "def score(", "def scores(", "rules.py: score is missing"),
    "other arguments": ("rules.py", "def check(s: Row)", "def check(s: Row, x: int)", "rules.py: check must take (s)"),
    "legal too wide": (
        "rules.py",
        "min(STEP, s[F.goal] - s[F.total])",
        "STEP",
        "`legal` and `refuses` disagree about 'add': legal, but refuses says 'too_far'",
    ),
    "a dead end": (
        "rules.py",
        "        s[F.ending] = END.reached\n",
        "        pass\n",
        "a seat that is to act has nothing to do",
    ),
    "no end": (
        "rules.py",
        "    s[F.total] = s[F.total] + number\n",
        "    s[F.total] = 0\n",
        "a match does not end within 5000 decisions (2 seats, seed 0)",
    ),
    "an invariant": (
        "rules.py",
        "    if s[F.total] == s[F.goal]:",
        "    if s[F.total] == 7:",
        "check finds 'total' broken (§3.1)",
    ),
    "a range": (
        "rules.py",
        '"the number counted to", high=100',
        '"the number counted to", high=9',
        "field 'total' leaves its range",
    ),
    "winners too early": (
        "rules.py",
        "    if s[F.ending] == 0:\n        return 0\n    return 1 <<",
        "    return 1 <<",
        "there are winners before the match is over",
    ),
    "a question that changes something": (
        "rules.py",
        '    """The ending, or 0 while the match goes on."""\n',
        '    """The ending, or 0 while the match goes on."""\n    s[F.total] = s[F.total] + 1\n',
        "asking a question changes the row",
    ),
    "a paragraph": (
        "rulebook/en.md",
        "### §4.2 Giving up",
        "### Giving up",
        "'resigning' rests on §4.2, which the rulebook has not",
    ),
    "no words": ("ui/words.py", "def because(", "def reasons(", "ui/words.py: Words has no because()"),
    "a gap without a value": (
        "ui/words.py",
        "it is not your turn: waiting for {who}",
        "it is not your turn: waiting for {whom}",
        "ui/words.py: reason 'wait': KeyError: 'whom' (words.py, line ",
    ),
    "a gap in a label": (
        "ui/words.py",
        ", to {total}",
        ", to {totals}",
        "ui/words.py: label of 'add 1': KeyError: 'totals' (words.py, ",
    ),
    "an event without words": ("ui/words.py", 'event == "adds"', 'event == "add"', "event 'adds': LookupError: no words for"),
    "an empty sentence": ("ui/words.py", '"You begin."', '" "', "event 'begins': no words"),
    "a sketch that fails": ("ui/sketch.py", "view.row[F.goal]", "view.row[F.gaol]", "ui/sketch.py: AttributeError"),
    "an audience": (
        "rules.py",
        '"the number counted to", high=100',
        '"the number counted to", high=100, audience="everyone"',
        "files: field 'total': there is no audience 'everyone'; there are: all, owner, nobody, remembered",
    ),
    "an event one argument short": (
        "rules.py",
        "emit(events, E.adds, seat, number, s[F.total])",
        "emit(events, E.adds, seat, number)",
        "emit gives the event 'adds' 2 arguments instead of 3 (seat, number, total)",
    ),
    "a bot that is not whole": (
        "ai/bot.py",
        "",
        "from ridotto.engine.plain_bot import policy, recall, plausible, believe\n",
        "ai/bot.py: value is missing; to do without one of your own: `from ridotto.engine.plain_bot import value`",
    ),
    "a gap left open": ("ui/words.py", "nobody may go beyond {goal}", "nobody may go beyond {{goal}}", "a gap is left open"),
    "a sketch": ("ui/sketch.py", "[dim]", "[/dim]", "ui/sketch.py: no markup that Rich can read"),
    "a tuning": ("tuning.toml", "", "[search]\nc_punt = 1", "has no 'c_punt'"),
    "roles": ("__init__.py", '(mark("red"), mark("blue"))', '(mark("red"),)', "1 roles for up to 2 seats"),
}


@pytest.fixture
def skeleton(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Path]:
    """The folder of a new game's modules, about to be imported for the first time."""
    name = "broken" + re.sub("[^a-z]", "", request.node.name)[-40:]
    assert 0 == CliRunner().invoke(cli, ["new", name, "--out", str(tmp_path)]).exit_code
    monkeypatch.syspath_prepend(tmp_path / name / "src")
    yield tmp_path / name / "src" / name


def found(package: Path) -> list[str]:
    """What the check finds in the game of a package."""
    game: Game = importlib.import_module(package.name).game
    return [f"{line.part}: {line.text}" for line in checks.check(game, quick=True) if line.kind == "fault"]


@pytest.mark.parametrize("what", BROKEN)
def test_what_is_broken_is_found(what: str, skeleton: Path) -> None:
    """A new game with one thing changed has a fault, told in plain words."""
    file, before, after, expected = BROKEN[what]
    path = skeleton / file
    text = path.read_text("utf-8") if path.exists() else ""
    assert 1 == text.count(before) or not text
    path.write_text(text.replace(before, after) if text else after, "utf-8")
    assert any(expected in line for line in found(skeleton)), found(skeleton)


def test_what_is_declared_and_never_met_is_noted(skeleton: Path) -> None:
    """An action, an event, a reason and an ending that no random match has shown."""
    path = skeleton / "rules.py"
    text = path.read_text("utf-8")
    for before, after in (
        ("(NUMBERS,)))\n", '(NUMBERS,)), Action("peek", "3.1", "look"))\n'),
        ("EventCodes.of(\n", 'EventCodes.of(\n    Event("sleeps", "3.1", "nobody moves"),\n'),
        ('Named("too_far", "3.1"))', 'Named("too_far", "3.1"), Named("tired", "3.1"))'),
        ('"the goal was reached"))', '"the goal was reached"), Named("flood", "4.1"))'),
        ("    return may_add(", "    if action >= A.peek:\n        return R.wait\n    return may_add("),
    ):
        assert 1 == text.count(before)
        text = text.replace(before, after)
    path.write_text(text, "utf-8")
    game: Game = importlib.import_module(skeleton.name).game
    assert [
        "actions that were never legal in 9 random matches: peek",
        "events that were never told in 9 random matches: sleeps",
        "reasons that were never given in 9 random matches: tired",
        "endings that were never met in 9 random matches: flood",
    ] == [line.text for line in random_play.play(game) if line.kind == "note"]


PICTURE = """
from ridotto.present.svg import Panel, write
from ridotto.present.scene import Item, Layer

COLUMNS, STYLE = (("count",),), ""


def board(view, words):
    return {"count": write("small", 9, 40, 10)}


def shared(view, words):
    return Layer([Panel("count", "The count", 360, 100)], [Item("big", "count", write("big", 9, 20, 12))])


def own(view, words):
    return Layer()


def moves(view, seen):
    return []


def preview(view, words, action):
    return {}


def vignette(words):
    return None
"""


def test_small_text_in_a_drawing_is_noted(skeleton: Path) -> None:
    """Text that nobody could read on a phone."""
    (skeleton / "ui/picture.py").write_text(PICTURE, "utf-8")
    game: Game = importlib.import_module(skeleton.name).game
    (note,) = (line.text for line in word_checks.sentences(game) if line.kind == "note")
    assert note.startswith("ui/picture.py: text in panel 'count' is 10 units high if the panel is 360 wide: a phone needs 12")


@pytest.mark.parametrize(
    ("before", "after", "fault"),
    [
        ('[Item("big"', '[Item("big", "count"), Item("big"', "`shared` gives 2 items with the key 'big'"),
        ('Item("big", "count"', 'Item("big", "cuont"', "item 'big' is inside 'cuont', which is neither a panel nor an item"),
        ('(("count",),)', '(("cuont",),)', "panel 'count' has no place, so that a page does not show it: see COLUMNS"),
        ('write("small", 9', "write(str(view.ply), 9", "`board` changes during a match: what changes must be an item"),
    ],
)
def test_a_picture_that_no_page_can_show(skeleton: Path, before: str, after: str, fault: str) -> None:
    """Keys twice, parents that are not there, panels without a place, and boards that change."""
    (skeleton / "ui/picture.py").write_text(PICTURE.replace(before, after), "utf-8")
    game: Game = importlib.import_module(skeleton.name).game
    assert any(line.text.startswith(f"ui/picture.py: {fault}") for line in word_checks.sentences(game) if line.kind == "fault")


PLAIN_BOT = """
from ridotto.engine.build import compiled
from ridotto.engine.plain_bot import believe, plausible, recall, value


def first(mask):
    return 0 if mask[0] & 1 else 1


@compiled
def policy(s, seat, mask, dice, events, scratch):
    return first(mask)
"""


def test_a_bot_may_take_the_rest_from_the_plain_one(skeleton: Path) -> None:
    """What it takes from there works with this game's rules, interpreted as well."""
    (skeleton / "ai/bot.py").write_text(PLAIN_BOT, "utf-8")
    assert [] == found(skeleton)
    game: Game = importlib.import_module(skeleton.name).game
    build, values = game.build(), [0, 0]
    row = build.row()
    build.rules.deal(row, 2, [4], build.generator(1), build.events())
    build.rules.apply(row, row[build.rules.FIELDS.F.turn], 2, build.generator(1), build.events())
    assert not build.bot.value(row, values, build.row())
    winner = row[build.rules.FIELDS.F.turn]
    build.rules.apply(row, winner, 0, build.generator(1), build.events())
    assert build.bot.value(row, values, build.row())
    assert 10_000 == values[winner] == sum(values)


def test_what_cannot_be_compiled_is_one_sentence(skeleton: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cause and its line, in the check and where the game is played; never a traceback."""
    (skeleton / "ai/bot.py").write_text(PLAIN_BOT, "utf-8")
    game: Game = importlib.import_module(skeleton.name).game
    line = 1 + PLAIN_BOT.splitlines().index("    return first(mask)")
    why = (
        "cannot be compiled: Untyped global name 'first': Cannot determine Numba type of <class 'function'> "
        f"(bot.py, line {line}, in policy); is `@compiled` missing?"
    )
    monkeypatch.setattr(games, "GAMES", Registry(game))
    played = CliRunner().invoke(cli, ["play", game.name, "--seats", "greedy,greedy", "--seed", "1"])
    assert 2 == played.exit_code
    assert f"ridotto: the game {why}; `ridotto check` says more\n" == played.output[played.output.index("ridotto: ") :]
    assert why in [one.text for one in checks.check(game) if one.part == "compiled"]


def test_the_skeleton_itself_has_no_fault(skeleton: Path) -> None:
    """So that what is found above is what was broken."""
    assert [] == found(skeleton)


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.soak) for name in GAMES])
def test_our_own_games_are_sound(name: str) -> None:
    """Nothing is wrong with any game there is, compiled too."""
    assert [] == [line for line in checks.check(GAMES[name]) if line.kind == "fault"]


def test_secrets_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """A redeal that forgets a cup, and rules by which what is legal depends on it, are found in a game with secrets."""
    game = GAMES["liars_dice"]
    rules = game.rules
    monkeypatch.setattr(rules, "redeal", lambda s, seat, dice: None)
    monkeypatch.setattr(random_play, "MATCHES", 1)
    assert any("redeal leaves 'cup' hidden" in line.text for line in random_play.play(game))
    legal = rules.legal

    def peeping(s: list[int], seat: int, mask: list[int]) -> None:
        legal(s, seat, mask)
        if s[game.rules.FIELDS.F.cup + 6 * (1 - seat)] == 0:
            mask[0] &= ~2

    monkeypatch.setattr(rules, "legal", peeping)
    text = "what is legal for a seat depends on something that it may not know"
    assert any(text in line.text for line in random_play.play(game))


# Choices at the same time.

BROKEN_CHOICES = {
    "a public action": (
        "rules.py",
        '(COIN,), audience="owner"',
        "(COIN,)",
        "rules.py: the action 'choose' is public, but writes 'coin', which others may not know, while they have to choose",
    ),
    "an event before the last choice": (
        "rules.py",
        "    s[F.coin + seat] = action\n",
        "    s[F.coin + seat] = action\n    emit(events, E.shows, seat, action)\n",
        "rules.py: 'choose' is a secret choice, but while others have to make theirs, the event 'shows' tells everybody coin",
    ),
    "nothing recalled": (
        "ai/bot.py",
        "if other != seat and",
        "if False and",
        "ai/bot.py: recall leaves in place what another seat has chosen at the same time",
    ),
    "half recalled": (
        "ai/bot.py",
        "            s[F.owes] = s[F.owes] | 1 << other\n",
        "",
        "ai/bot.py: recall, and redeal after it, makes an impossible position: coins",
    ),
    "a bot that peeps": (
        "ai/bot.py",
        "return nth_legal(mask, draw(dice, count_legal(mask)))",
        "return max(0, s[F.coin + 1 - seat])",
        "ai/bot.py: policy: the bot looks at what its seat may not know",
    ),
}


@pytest.fixture
def choosing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Path:
    """A copy of matching pennies, about to be imported for the first time."""
    package = tmp_path / ("pennies" + re.sub("[^a-z]", "", request.node.name)[-40:])
    shutil.copytree(ROOT / "tests" / "pennies", package, ignore=shutil.ignore_patterns("__pycache__"))
    for path in package.rglob("*.*"):
        text = path.read_text("utf-8").replace("pennies.", f"{package.name}.").replace('"pennies"', f'"{package.name}"')
        path.write_text(text, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    return package


def secret(package: Path) -> list[str]:
    """What is found about choices and secrets in the game of a package."""
    game: Game = importlib.import_module(package.name).game
    return [f"{line.part}: {line.text}" for part in (secrecy.choices, secrecy.secrets) for line in part(game)]


def test_choices_at_the_same_time_are_looked_at(choosing: Path) -> None:
    """Matching pennies as they are; so that what is found below is what was broken."""
    first, second = secret(choosing)
    assert "choices: 3 choices were made while others had to make theirs, and told nothing" == first
    assert second.startswith("secrets: no leak")


@pytest.mark.parametrize("what", BROKEN_CHOICES)
def test_what_is_broken_in_choices_is_found(what: str, choosing: Path) -> None:
    """Matching pennies with one thing changed have a fault."""
    file, before, after, expected = BROKEN_CHOICES[what]
    text = (choosing / file).read_text("utf-8")
    assert 1 == text.count(before)
    (choosing / file).write_text(text.replace(before, after), "utf-8")
    lines = secret(choosing)
    assert any(line.startswith(expected) for line in lines), lines
    assert not any(line.startswith("choices: ") for line in lines)


def test_who_has_chosen_may_be_told(choosing: Path) -> None:
    """An event in which everybody may see the seat alone tells nothing that `to_act` does not."""
    path = choosing / "rules.py"
    text = path.read_text("utf-8")
    event = 'EventCodes.of(Event("ready", "1", "a seat has chosen", (Arg("seat", SEAT), Arg("coin", COIN, "owner"))), '
    text = text.replace("EventCodes.of(", event)
    text = text.replace(
        "    if s[F.owes] == 0:\n        emit", "    emit(events, E.ready, seat, action)\n    if s[F.owes] == 0:\n        emit"
    )
    path.write_text(text, "utf-8")
    words = (choosing / "ui/words.py").read_text("utf-8").replace("COIN.names[values['coin']]", "values['coin']")
    (choosing / "ui/words.py").write_text(words, "utf-8")
    assert "choices: 3 choices" in secret(choosing)[0]


@pytest.fixture
def told_dice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    """Liar's Dice in which everybody is told what everybody rolls."""
    game = bare_game(tmp_path)
    rolls = game.rules.EVENTS[game.rules.EVENTS.E.rolls]
    open_to_all = replace(rolls, args=tuple(replace(arg, audience="all") for arg in rolls.args))
    monkeypatch.setattr(game.rules, "EVENTS", tuple(open_to_all if one is rolls else one for one in game.rules.EVENTS))
    return game


def test_a_secret_that_an_event_tells_is_a_fault(told_dice: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """What never differs between worlds that a seat cannot tell apart is no secret; that is not called no leak."""
    monkeypatch.setattr(secrecy, "AUDITED_MATCHES", 2)
    monkeypatch.setattr(secrecy, "AUDITED_MORE", 2)
    (line,) = secrecy.secrets(told_dice)
    assert "fault" == line.kind
    text = (
        "'cup' is hidden, but never differed between worlds that a seat cannot tell apart: an event or a public action tells it"
    )
    assert f"{text} (4 random matches)" == line.text


def test_an_audit_without_pairs_ends(told_dice: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """After some matches without a pair it says so, and exits with 1."""
    monkeypatch.setattr(games, "GAMES", Registry(told_dice))
    monkeypatch.setattr(auditing, "BARREN", 2)
    monkeypatch.setattr(auditing, "MATCHES_A_TASK", 1)
    command = ["audit", told_dice.name, "--processes", "1", "--bots", "random"]
    done = CliRunner().invoke(cli, [*command, "--option", "dice=1"])
    assert 1 == done.exit_code, done.output
    assert "'cup' is hidden, but never differed between worlds" in done.output


def test_an_audit_of_a_game_without_secrets_ends(skeleton: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is nothing to compare, and nothing leaks."""
    game: Game = importlib.import_module(skeleton.name).game
    monkeypatch.setattr(games, "GAMES", Registry(game))
    done = CliRunner().invoke(cli, ["audit", game.name, "--processes", "1"])
    assert 0 == done.exit_code, done.output
    assert "nothing is hidden in this game" in done.output


def test_a_game_that_cannot_be_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is one fault, with what went wrong; the list names it too, and exits with 1."""
    about = tmp_path / "sunk-1.dist-info"
    about.mkdir()
    about.joinpath("METADATA").write_text("Metadata-Version: 2.1\nName: sunk\nVersion: 1\n")
    about.joinpath("entry_points.txt").write_text("[ridotto.games]\nsunk = sunk:game\n")
    tmp_path.joinpath("sunk.py").write_text("\nraise RuntimeError('no anchor')\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(games, "GAMES", Registry(GAMES["fantome"]))
    alone, listed = (CliRunner().invoke(cli, arguments) for arguments in (["check", "sunk"], ["check"]))
    assert (1, 1) == (alone.exit_code, listed.exit_code)
    assert "FAULT sunk cannot be loaded: RuntimeError: no anchor" in alone.output
    assert "sunk: cannot be loaded: RuntimeError: no anchor" in listed.output
    assert 2 == CliRunner().invoke(cli, ["check", "sink"]).exit_code


def test_what_may_be_missing_is_what_the_protocols_say() -> None:
    """The notes of the check are the lines of the table in `ridotto.present.protocols`."""
    table = protocols.__doc__ or ""
    for name, without in structure.OPTIONAL_FILES.items():
        file = "rulebook/LANG.md" if name.startswith("rulebook") else "locale/" if name == "locale" else name
        (line,) = (line for line in table.splitlines() if line.startswith(f"{file} "))
        assert without in line
    optional = re.findall(r"^\S+ +may be ", table, re.MULTILINE)
    files = {re.sub("rulebook/.*", "rulebook", name) for name in structure.OPTIONAL_FILES}
    assert "never" in table and len(optional) == len(files)
