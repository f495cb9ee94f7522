"""`ridotto book`: the rulebooks to print, and their figures as files."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from ridotto.cli import cli
from ridotto.games import GAMES
from ridotto.present.figures import figures
from ridotto.present.narrator import LANGUAGES
from ridotto.web.pages import printed

OURS = ("fantome", "opera", "turandot")


def written(*arguments: str, **environment: str) -> Result:
    return CliRunner(env=environment).invoke(cli, ["book", *arguments])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", OURS)
def test_a_page_to_print_needs_nothing_besides_itself(name: str, language: str, tmp_path: Path) -> None:
    """Fonts and figures are in it, every link leads to a § of it, and nothing is fetched."""
    assert 0 == written(name, "--lang", language, "--html", "--out", str(tmp_path)).exit_code
    text = (tmp_path / f"{name}-{language}.html").read_text("utf-8")
    assert f'<html lang="{language}">' in text
    assert not re.search(r'(?:src|href)="(?!#)|url\((?!"data:font/ttf|#)', text)
    targets, anchors = re.findall(r'href="#([^"]+)"', text), re.findall(r' id="([^"]+)"', text)
    assert len(targets) > 30 and set(targets) <= set(anchors)
    assert len(printed.FACES) == text.count("@font-face")
    assert len(figures(GAMES[name])) == text.count("<figure ")
    assert text.index("<h1>") < text.index("<nav") < text.index("<h2")


@pytest.mark.parametrize(("name", "language"), [("fantome", "en"), ("turandot", "fr"), ("opera", "nl")])
def test_a_pdf(name: str, language: str, tmp_path: Path) -> None:
    """A real browser makes it: several pages with an outline, our fonts embedded, a link for each mention of a §."""
    made = written(name, "--lang", language, "--out", str(tmp_path))
    assert 0 == made.exit_code, made.output
    data = (tmp_path / f"{name}-{language}.pdf").read_bytes()
    assert data.startswith(b"%PDF-")
    assert 10 <= len(re.findall(rb"/Type /Page\b", data)) <= 30
    fonts = {found.decode() for found in re.findall(rb"/FontName /[A-Z]{6}\+([A-Za-z-]+)", data)}
    assert {"SourceSerifPro-Regular", "SourceSerifPro-Semibold", "SourceSansPro-Regular"} <= fonts
    assert len(re.findall(rb"/FontName /", data)) == len(re.findall(rb"/FontFile2 ", data))
    wanted = set(re.findall(r'href="#([^"]+)"', printed.page(GAMES[name], language)))
    assert wanted == {found.decode() for found in re.findall(rb"/Dest /(s-[0-9-]+)", data)}
    assert b"/Outlines" in data and b"/StructTreeRoot" in data


def test_figures_as_files(tmp_path: Path) -> None:
    """Every figure of a game, in each language, light and dark."""
    assert 0 == written("opera", "--figures", "--out", str(tmp_path / "new")).exit_code
    found = sorted(path.name for path in (tmp_path / "new").iterdir())
    every = product(figures(GAMES["opera"]), LANGUAGES, ("dark", "light"))
    assert sorted(f"opera-{name}-{language}-{theme}.svg" for name, language, theme in every) == found
    for path in (tmp_path / "new").iterdir():
        assert ElementTree.parse(path).getroot()[0].text


def test_a_game_without_a_translation(tmp_path: Path) -> None:
    """Every installed game is written, in the languages that it has."""
    made = written("--html", "--lang", "en", "--out", str(tmp_path))
    assert {f"{name}-en.html" for name in GAMES} == {path.name for path in tmp_path.iterdir()}, made.output


def test_without_a_browser(tmp_path: Path) -> None:
    """It is said what is needed, and what does without."""
    refused = written("fantome", "--out", str(tmp_path), RIDOTTO_BROWSER="no-such-browser")
    assert 2 == refused.exit_code and "--html" in refused.output


def test_a_browser_that_fails(tmp_path: Path) -> None:
    """A program that makes no PDF is named."""
    refused = written("fantome", "--lang", "en", "--out", str(tmp_path), RIDOTTO_BROWSER="false")
    assert 2 == refused.exit_code and "made no PDF" in refused.output and not list(tmp_path.iterdir())


@pytest.mark.parametrize(("given", "why"), [(["chess"], "unknown game"), (["opera", "--lang", "de"], "unknown language")])
def test_what_there_is_not(given: list[str], why: str, tmp_path: Path) -> None:
    """A game or a language that there is not is refused in one line."""
    refused = written(*given, "--out", str(tmp_path))
    assert 2 == refused.exit_code and why in refused.output


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    """It is one line, not a traceback."""
    (tmp_path / "file").write_text("")
    refused = written("opera", "--html", "--out", str(tmp_path / "file" / "inside"))
    assert 1 == refused.exit_code and "cannot write" in refused.output
