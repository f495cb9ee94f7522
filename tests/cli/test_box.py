"""`ridotto box`: an owner of the printed game goes through its box."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from owners import box_of_an_owner

from ridotto.cli import cli, web
from ridotto.games import BOXES, GAMES, boxes_in_environment
from ridotto.present.owner import box_of, to_toml


def asked(*arguments: str, fed: str = "") -> Result:
    """Run `ridotto box` with answers."""
    return CliRunner(env={"LANG": "C"}).invoke(cli, ["box", *arguments], input=fed)


@pytest.mark.parametrize(("game", "sections"), [("opera", 3), ("turandot", 8)])
def test_everything_is_as_shown(game: str, sections: int, tmp_path: Path) -> None:
    """Whoever finds nothing to correct gets the standard box."""
    path = tmp_path / "box.toml"
    shown = asked(game, "--out", str(path), "--name", "mine", fed="y\n" * sections)
    assert 0 == shown.exit_code, shown.output
    assert f"ridotto play {game} --box {path}" in shown.output
    assert GAMES[game].build().box == GAMES[game].with_box(path).build().box


def test_one_thing_is_corrected(tmp_path: Path) -> None:
    """The answers of one section are asked for; what cannot be read is asked for again."""
    path = tmp_path / "box.toml"
    places = ["n", "", "1", "9", "2", "", "", ""]
    shown = asked("opera", "--out", str(path), fed="\n".join(["y", *places, "y", "Ann's copy"]) + "\n")
    assert 0 == shown.exit_code, shown.output
    assert "'9' cannot be read: a whole number" in shown.output
    game = GAMES["opera"].with_box(path)
    assert "Ann's copy" == game.box_name and [1, 1, 2, 1, 2, 2] == list(game.build().components.STANDING)


def test_what_cannot_be_played_is_gone_through_again(tmp_path: Path) -> None:
    """Every fault is told; nothing is written before there is none."""
    path = tmp_path / "box.toml"
    wrong = ["n", "", "3: 2 2 3; 1: 1 2 3", "", "", "", "", "y", "y"]
    right = ["n", "", "2: 2 2 3; 2: 1 2 3", "", "", "", "", "y", "y"]
    given_up = asked("opera", "--out", str(path), fed="\n".join([*wrong, "n"]) + "\n")
    assert 1 == given_up.exit_code and not path.exists()
    assert "wien main: halls must be 2, not 3" in given_up.output
    mended = asked("opera", "--out", str(path), fed="\n".join([*wrong, "y", *right, "mine"]) + "\n")
    assert 0 == mended.exit_code and path.exists()


def test_a_file_is_checked(tmp_path: Path) -> None:
    """`--check` says that a file will do, or everything that is wrong with it."""
    path = tmp_path / "box.toml"
    asked("opera", "--out", str(path), "--name", "mine", fed="y\n" * 3)
    assert "can be played" in asked("opera", "--check", str(path)).output
    early = tmp_path / "early.toml"
    early.write_text(path.read_text("utf-8").replace("after = 1", "after = 0"), "utf-8")
    refused = asked("opera", "--check", str(early))
    assert 2 == refused.exit_code
    assert "london: after must be 1" in refused.output and "paris: after must be 1" in refused.output


FAULTS = {
    "en": (
        "This box cannot be played yet:",
        "venezia main: halls must be 1, not 2",
        "venezia: a whole house must have 3 halls, not 4",
        "wien main: halls must be 2, not 3",
        "berlin: after must be 0, the counts before it opens, not 2",
        "london: after must be 1, the counts before it opens, not 0",
        "paris main: halls must be 1 to 3, not 4",
        "paris: one of the wings must have 2 halls",
    ),
    "fr": (
        "On ne peut pas encore jouer avec cette boîte\u00a0:",
        "venezia main\u00a0: halls doit être 1, pas 2",
        "venezia\u00a0: un opéra complet doit avoir 3 salles, pas 4",
        "wien main\u00a0: halls doit être 2, pas 3",
        "berlin\u00a0: after doit être 0, le nombre de décomptes avant son ouverture, pas 2",
        "london\u00a0: after doit être 1, le nombre de décomptes avant son ouverture, pas 0",
        "paris main\u00a0: halls doit être 1 à 3, pas 4",
        "paris\u00a0: une des ailes doit avoir 2 salles",
    ),
    "nl": (
        "Met deze doos kan nog niet gespeeld worden:",
        "venezia main: halls moet 1 zijn, niet 2",
        "venezia: een heel huis moet 3 zalen hebben, niet 4",
        "wien main: halls moet 2 zijn, niet 3",
        "berlin: after moet 0 zijn, het aantal telrondes voordat de stad opengaat, niet 2",
        "london: after moet 1 zijn, het aantal telrondes voordat de stad opengaat, niet 0",
        "paris main: halls moet 1 tot en met 3 zijn, niet 4",
        "paris: een van de vleugels moet 2 zalen hebben",
    ),
}
"""What is wrong with a box in which London is open from the start, Berlin opens after the second count, and the mains of
Venezia, Wien and Paris have a hall too many."""


@pytest.mark.parametrize("language", FAULTS)
def test_everything_that_is_wrong_is_told_at_once(language: str, tmp_path: Path) -> None:
    """Each fault has a line, in the owner's language; and whoever plays with such a box is told all of them, too."""
    box = box_of(GAMES["opera"])
    venezia, wien, berlin, london, paris, _ = box["cities"]
    london["after"], berlin["after"] = 0, 2
    venezia["parts"][0]["halls"] = 2
    wien["parts"][0]["halls"], wien["parts"][1]["halls"] = 3, 1
    paris["parts"][0]["halls"], paris["parts"][1]["halls"] = 4, 1
    path = tmp_path / "box.toml"
    path.write_text(to_toml(box), "utf-8")
    refused = asked("opera", "--check", str(path), "--language", language)
    assert (2, list(FAULTS[language])) == (refused.exit_code, [line.strip() for line in refused.output.splitlines()])
    played = CliRunner().invoke(cli, ["play", "opera", "--box", str(path)])
    assert 2 == played.exit_code and all(fault in played.output for fault in FAULTS["en"][1:])


def test_a_game_without_guesses() -> None:
    """Where nothing was reconstructed there is nothing to ask."""
    assert "there is nothing to ask" in asked("fantome").output


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    """It is one line, not a traceback."""
    shown = asked("opera", "--out", str(tmp_path / "nowhere" / "box.toml"), "--name", "mine", fed="y\n" * 3)
    assert 1 == shown.exit_code and "cannot write" in shown.output


def test_boxes_of_all_processes(tmp_path: Path) -> None:
    """The environment names boxes for a server and for every process that it starts."""
    path = tmp_path / "box.toml"
    text = asked("opera", "--out", str(path), "--name", "mine", fed="y\nn\n2\n\n\n\n\n\ny\n")
    assert 0 == text.exit_code, text.output
    script = "from ridotto.games import GAMES; print(*(GAMES[name].box_name for name in ('opera', 'fantome')))"
    command = [sys.executable, "-c", script]
    run = subprocess.run(command, env={**os.environ, BOXES: f"opera={path}"}, capture_output=True, text=True, check=True)
    assert "mine " == run.stdout.rstrip("\n")


def test_a_server_keeps_the_boxes_of_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What `--box` names comes to what the environment names, for the processes that the server starts."""
    opera, turandot = (box_of_an_owner(game, tmp_path) for game in ("opera", "turandot"))
    monkeypatch.setenv(BOXES, f"turandot={turandot}{os.pathsep}opera=elsewhere.toml")
    try:
        web._use_boxes((f"opera={opera}",))
        assert {"opera": opera, "turandot": turandot} == boxes_in_environment()
        assert opera == GAMES["opera"].box_file
    finally:
        GAMES.use_box("opera", None)


@pytest.mark.parametrize(
    ("given", "why"), [("opera", "GAME=FILE"), ("chess=x.toml", "unknown game"), ("opera=x.toml", "cannot read")]
)
def test_a_server_refuses_a_box_that_it_cannot_use(given: str, why: str, tmp_path: Path) -> None:
    """`ridotto serve --box` says what is wrong before anything is started."""
    shown = CliRunner().invoke(cli, ["serve", "--data", str(tmp_path), "--box", given])
    assert 2 == shown.exit_code and why in shown.output
