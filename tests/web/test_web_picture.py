"""`ridotto picture`: the table of a record as a standing picture."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ridotto.core import record
from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.present.ui import ui


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match of Le Fantôme of three entries in a file."""
    match = Match(GAMES["fantome"], seed=7)
    match.play("pick meg")
    match.play("move 9")
    path = tmp_path_factory.mktemp("records") / "match.json"
    record.save(match, path)
    return path


def ridotto(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "ridotto", *arguments], capture_output=True, text=True, check=False)


def test_an_svg_is_what_the_page_draws(saved: Path, tmp_path: Path) -> None:
    """The picture at a ply, for a seat, in a theme and a language: the panels of the page in one file."""
    out = tmp_path / "table.svg"
    done = ridotto(*f"picture {saved} --at 1 --seat 1 --theme light --lang fr --out {out}".split())
    assert (0, f"written: {out}\n") == (done.returncode, done.stdout), done.stderr
    match = record.load(saved, GAMES)[0].after(2)
    words = ui(match.game).words(ui(match.game).narrator("fr"))
    expected = ui(match.game).file(match.view(1), words, "light")
    assert expected + "\n" == out.read_text("utf-8")
    assert ElementTree.fromstring(expected).tag.endswith("svg")


def test_a_png_is_the_same_in_points(saved: Path, tmp_path: Path) -> None:
    """Twice as many points each way as the drawing has units."""
    svg, png = tmp_path / "table.svg", tmp_path / "table.png"
    for out in (svg, png):
        assert 0 == ridotto("picture", str(saved), "--out", str(out)).returncode
    data = png.read_bytes()
    assert b"\x89PNG\r\n\x1a\n" == data[:8]
    size = [int.from_bytes(data[at : at + 4], "big") for at in (16, 20)]
    root = ElementTree.fromstring(svg.read_text("utf-8"))
    assert [2 * int(root.attrib["width"]), 2 * int(root.attrib["height"])] == size


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("--out table.gif", "ends in neither .svg nor .png"),
        ("--at 3 --out table.svg", "the match has plies 0 to 2"),
        ("--seat 2 --out table.svg", "there are seats 0 to 1, not 2"),
        ("--out nowhere/table.svg", "cannot write nowhere/table.svg"),
    ],
)
def test_what_cannot_be_drawn(saved: Path, arguments: str, said: str) -> None:
    """One line that says why; no file, no traceback."""
    done = ridotto("picture", str(saved), *arguments.split())
    assert done.returncode
    assert said in done.stderr and "Traceback" not in done.stderr
