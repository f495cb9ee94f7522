"""The command `ridotto`, run as a person or a script would."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from ridotto.cli import SECTIONS, cli
from ridotto.core import record
from ridotto.core.match import Match
from ridotto.games import GAMES

COMMANDS = [str(one.name) for commands in SECTIONS.values() for one in commands]


def ridotto(*arguments: str, status: int = 0) -> Result:
    """Run the command in this process, and hold it to its exit status; nothing is raised that a person would see."""
    run = CliRunner().invoke(cli, arguments, prog_name="ridotto")
    assert run.exception is None or isinstance(run.exception, SystemExit), run.exception
    assert status == run.exit_code, run.stderr
    return run


def started(*arguments: str, status: int = 0) -> subprocess.CompletedProcess[str]:
    """The same in a process of its own, as a person or a script starts it: no traceback ever shows."""
    run = subprocess.run([sys.executable, "-m", "ridotto", *arguments], capture_output=True, text=True, check=False)
    assert status == run.returncode, run.stderr
    assert "Traceback" not in run.stderr + run.stdout
    return run


def figures(*arguments: str) -> Any:
    return json.loads(ridotto(*arguments, "--json").stdout)


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished match in a file."""
    match = Match(GAMES["fantome"], seed=11)
    while match.to_act:
        match.play(match.legal()[0])
    path = tmp_path_factory.mktemp("records") / "match.json"
    record.save(match, path, ["Ann", "Bo"])
    return path


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str) -> None:
    """`--help` says what a command is for, and what each of its options is."""
    shown = CliRunner().invoke(cli, [command, "--help"], prog_name="ridotto", terminal_width=200)
    assert 0 == shown.exit_code and f"Usage: ridotto {command}" in shown.output
    for option in cli.commands[command].params:
        assert not isinstance(option, click.Option) or option.help, option.name


def test_the_help_lists_every_command_with_its_whole_sentence() -> None:
    """In sections, each command once, nothing cut off; what starts the command shows the same."""
    shown = started("--help").stdout
    assert "..." not in shown.partition("Options:")[2] and "…" not in shown
    assert [f"{title}:" for title in ("Options", *SECTIONS)] == [
        line for line in shown.splitlines() if line and line[0] != " "
    ][1:]
    assert sorted(cli.commands) == sorted(COMMANDS)
    words = " ".join(shown.split())
    for name, command in cli.commands.items():
        first = " ".join(str(command.help).split("\n\n")[0].split())
        sentence = first.partition(". ")[0].rstrip(".")
        assert f" {name} {sentence}." in words, name


def test_help_needs_no_compiler() -> None:
    """`ridotto --help` and `import ridotto` load neither NumPy nor Numba, nor any game."""
    heavy = ("numpy", "numba", "rich", "ridotto.core.match", "ridotto.games")
    code = f"import sys, ridotto.cli; print([name for name in {heavy} if name in sys.modules])"
    assert "[]\n" == subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("name", GAMES)
def test_simulate_is_the_same_for_any_number_of_threads(name: str) -> None:
    """Matches depend on the seed alone; shares add up."""
    given = ("simulate", name, "--games", "300", "--repeat", "1")
    one, two = figures(*given), figures(*given, "--threads", "3")
    for key in ("decisions", "win_share", "endings", "forced_share", "shortest", "longest"):
        assert one[key] == two[key]
    assert 1 == pytest.approx(sum(one["endings"].values()))
    assert one["decisions_per_second"] > 0
    assert one["times_python"] > 1
    assert one["decisions"] != figures(*given, "--seed", "2")["decisions"]


def test_simulate_takes_options() -> None:
    """§2.6: La Carlotta three spaces nearer to the exit helps the phantom."""
    near = figures("simulate", "fantome", "--games", "2000", "--repeat", "1", "--option", "handicap=3")
    far = figures("simulate", "fantome", "--games", "2000", "--repeat", "1", "--option", "handicap=-3")
    assert near["win_share"][1] > far["win_share"][1] + 0.05


@pytest.mark.parametrize("name", GAMES)
def test_layout_shows_every_field_and_action(name: str) -> None:
    """The layout is the declaration: offsets without gaps, every family of actions, every event."""
    rules = GAMES[name].rules
    layout = figures("layout", name)
    at = 0
    for line in layout["fields"]:
        assert at == line["at"]
        at += line["size"]
    assert layout["width"] == at
    assert [one.verb for one in rules.ACTIONS] == [line["notation"].split()[0] for line in layout["actions"]]
    assert [one.name for one in rules.EVENTS] == [line["event"] for line in layout["events"]]
    assert rules.FIELDS[-1].name in ridotto("layout", name).stdout


def test_counts_add_up() -> None:
    """By first action and in total; depth 1 counts the legal actions."""
    found = figures("counts", "fantome", "--seed", "3", "--depth", "1")
    assert dict.fromkeys(Match(GAMES["fantome"], seed=3).legal(), 1) == found["by_action"]
    assert 4 == found["nodes"]
    assert "total" in ridotto("counts", "fantome", "--depth", "2").stdout


def test_replay_verifies_and_shows(saved: Path) -> None:
    """A record is verified, replayed, shown from a seat's eyes and up to a ply."""
    for lang, word in (("en", "verified: "), ("fr", "vérifié\N{NO-BREAK SPACE}: "), ("nl", "gecontroleerd: ")):
        assert ridotto("replay", str(saved), "--lang", lang).stdout.splitlines()[-1].startswith(word)
    whole = figures("replay", str(saved))
    assert ["Ann", "Bo"] == whole["names"]
    assert whole["view"]["outcome"] is not None
    early = figures("replay", str(saved), "--at", "3", "--seat", "0")
    assert 4 == early["view"]["ply"]
    assert "?" == early["view"]["position"]["identity"]
    assert "?" != figures("replay", str(saved), "--at", "3", "--seat", "1")["view"]["position"]["identity"]


def test_replay_speaks_three_languages(saved: Path) -> None:
    """The log follows the language."""
    texts = {ridotto("replay", str(saved), "--lang", lang).stdout for lang in ("en", "fr", "nl")}
    assert 3 == len(texts)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["simulate", "fantom"], "did you mean 'fantome'?"),
        (["simulate", "chess"], "there are: fantome"),
        (["simulate", "fantome", "--players", "3"], "fantome has 2 seats, not 3"),
        (["simulate", "fantome", "--option", "handicap=9"], "option 'handicap' takes -3 to 3 (§2.6), not 9"),
        (["simulate", "fantome", "--option", "colour=1"], "no option 'colour'; it has: handicap"),
        (["simulate", "fantome", "--option", "handicap"], "'handicap' is not NAME=NUMBER"),
        (["simulate", "fantome", "--games", "0"], "0 is not in the range"),
        (["play", "fantome", "--seats", "you,deepblue"], "unknown bot 'deepblue'; there are: random, greedy, search"),
        (["play", "fantome", "--seats", "you,random,random"], "fantome has 2 seats, not 3"),
        (["play", "fantome", "--lang", "de"], "unknown language 'de'; there are: en, fr, nl"),
        (["replay", "nowhere.json"], "cannot read 'nowhere.json': No such file or directory"),
        (["audit", "fantome", "--bots", "search:x"], "unknown bot 'search:x'"),
        (["layout", "fantome", "--box", "nowhere.toml"], "cannot read the box 'nowhere.toml'"),
        (["warm", "fantom"], "did you mean 'fantome'?"),
    ],
)
def test_bad_input_is_told_in_one_line(arguments: list[str], message: str) -> None:
    """What was wrong and what would do, exit status 2, nothing on standard output."""
    run = ridotto(*arguments, status=2)
    assert message in run.stderr
    assert "" == run.stdout


def test_a_process_says_the_same(saved: Path) -> None:
    """Started on its own, the command says in the same words what is wrong, and what there is."""
    for arguments, status in ((["simulate", "fantom"], 2), (["replay", str(saved), "--lang", "nl"], 0)):
        run, here = started(*arguments, status=status), ridotto(*arguments, status=status)
        said, again = (re.sub(r"\d+ ms", "", one.stdout) + "".join(one.stderr.splitlines()[-1:]) for one in (run, here))
        assert said == again


def test_a_changed_record_is_refused_with_its_ply(saved: Path, tmp_path: Path) -> None:
    """The message says which entry."""
    document = json.loads(saved.read_text("utf-8"))
    document["entries"][7]["do"] = "use"
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(document), "utf-8")
    assert "entry at ply 7" in ridotto("replay", str(changed), status=2).stderr
    assert "plies 0 to" in ridotto("replay", str(saved), "--at", "999", status=2).stderr


@pytest.mark.compiles
def test_another_box_is_another_build(tmp_path: Path) -> None:
    """A box that cannot be played is refused with all its faults; one that can be is played, under its own digest."""
    own = Path(GAMES["fantome"].build().components.__file__ or "").with_name("components.toml").read_text("utf-8")
    longer = tmp_path / "longer.toml"
    longer.write_text(own.replace("spaces = 22", "spaces = 30"), "utf-8")
    assert figures("layout", "fantome", "--box", str(longer))["box"] != figures("layout", "fantome")["box"]
    given = ("simulate", "fantome", "--games", "400", "--repeat", "1")
    assert figures(*given, "--box", str(longer))["win_share"][1] < figures(*given)["win_share"][1]
    broken = tmp_path / "broken.toml"
    broken.write_text(own.replace('"0-1", ', "").replace("spaces = 22", "spaces = 5"), "utf-8")
    message = ridotto("layout", "fantome", "--box", str(broken), status=2).stderr
    assert "no corridor joins 0 and 1" in message
    assert "every start must be a space before the exit" in message


def test_warm_says_how_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game is compiled, or found in the cache; without a name it is every game."""
    assert started("warm", "liars_dice").stdout.startswith("liars_dice: ready in ")
    compiled: list[str] = []

    def compile_game(name: str, everything: bool) -> float:
        compiled.append(name)
        return 0.0

    monkeypatch.setattr("ridotto.arena.simulation.compile_game", compile_game)
    monkeypatch.setattr("concurrent.futures.ProcessPoolExecutor", lambda count, context: ThreadPoolExecutor(1))
    assert [f"{name}: ready in 0.0 s" for name in GAMES] == ridotto("warm").stdout.splitlines()
    assert list(GAMES) == compiled


def test_a_record_is_replayed_with_the_box_it_was_played_with(tmp_path: Path) -> None:
    """With the box named it verifies; without it, or with another game's, it does not."""
    own = Path(GAMES["fantome"].build().components.__file__ or "").with_name("components.toml").read_text("utf-8")
    longer, path = tmp_path / "longer.toml", tmp_path / "match.json"
    longer.write_text(own.replace("spaces = 22", "spaces = 30"), "utf-8")
    match = Match(GAMES["fantome"].with_box(longer), seed=1)
    match.play(match.legal()[0])
    record.save(match, path, ["Ann", "Bo"])
    replayed = figures("replay", str(path), "--box", str(longer))
    assert replayed["verified"] and "longer" == replayed["box_name"]
    assert "Played with another box: longer\n" in ridotto("replay", str(path), "--box", str(longer), "--lang", "en").stdout
    assert "box" in ridotto("replay", str(path), status=2).stderr
