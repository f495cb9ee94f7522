"""A rulebook to print: one page of HTML that needs nothing besides itself, and a PDF that a browser makes of it."""

from __future__ import annotations

import base64
import os
import re
import shutil
import subprocess
import tempfile
from importlib.resources import files
from pathlib import Path
from typing import Final

from ridotto.core.game import Game
from ridotto.engine.errors import RidottoError
from ridotto.present.html import Html
from ridotto.present.svg import STYLE, THEMES, sheet
from ridotto.present.ui import ui
from ridotto.web.pages.render import render
from ridotto.web.pages.rulebook import rulebook

THEME: Final = "light"
BROWSER: Final = "RIDOTTO_BROWSER"
"""The environment variable with the browser that makes PDFs."""
BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
PATIENCE: Final = 120
"""Seconds that a browser may take for a rulebook."""
FACES: Final = (
    ("Source Serif Pro", "font_source_serif_pro", "SourceSerifPro", "Regular", 400, "normal"),
    ("Source Serif Pro", "font_source_serif_pro", "SourceSerifPro", "Semibold", 700, "normal"),
    ("Source Serif Pro", "font_source_serif_pro", "SourceSerifPro", "It", 400, "italic"),
    ("Source Sans Pro", "font_source_sans_pro", "SourceSansPro", "Regular", 400, "normal"),
    ("Source Sans Pro", "font_source_sans_pro", "SourceSansPro", "Semibold", 700, "normal"),
)


class NoBrowser(RidottoError, RuntimeError):
    """There is no browser that could make a PDF."""


def page(game: Game, language: str) -> str:
    """The rulebook of a game as one page of HTML, with its fonts and figures in it."""
    book = rulebook(game, language)
    if book is None:
        raise RidottoError(f"{game.name} has no rulebook")
    style = Html("\n".join([_fonts(), _variables(), sheet(STYLE + ui(game).picture.STYLE, THEME)]))
    narrator = ui(game).narrator(book.language)
    title, chapter, rest = book.html.partition("<h2")
    parts = {"beginning": Html(title), "rest": Html(chapter + rest), "footer": Html(_css_text(game.title))}
    return render("printed.html", narrator, game=game, book=book, style=style, **parts)


def pdf(game: Game, language: str, path: Path) -> None:
    """Write the rulebook of a game as a PDF. Raises NoBrowser if there is none to make it."""
    browser = _browser()
    # A browser that runs as root, as in a container, refuses to start inside its own sandbox.
    alone = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with tempfile.TemporaryDirectory() as folder:
        source, made = Path(folder, "book.html"), Path(folder, "book.pdf")
        source.write_text(page(game, language), "utf-8")
        command = [browser, "--headless", "--disable-gpu", *alone, f"--user-data-dir={folder}/profile", "--no-first-run"]
        command += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
        command += ["--no-pdf-header-footer", "--generate-pdf-document-outline", f"--print-to-pdf={made}", source.as_uri()]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise NoBrowser(f"{browser} made no PDF: {error}") from error
        if not made.exists():
            last = done.stderr.strip().splitlines()[-1:] or ["no reason given"]
            raise NoBrowser(f"{browser} made no PDF: {last[0]}")
        shutil.copyfile(made, path)


def _browser() -> str:
    named = os.environ.get(BROWSER)
    for name in (named,) if named else BROWSERS:
        if found := shutil.which(name):
            return found
    raise NoBrowser(f"a PDF needs Chromium or Chrome, or {BROWSER} with the way to one; --html writes a page to print yourself")


def _fonts() -> str:
    """The fonts, inside the page."""
    rules = []
    for family, package, name, cut, weight, style in FACES:
        data = base64.b64encode(files(package).joinpath("files", f"{name}-{cut}.ttf").read_bytes()).decode()
        source = f'url("data:font/ttf;base64,{data}") format("truetype")'
        rules.append(f'@font-face {{ font-family: "{family}"; font-weight: {weight}; font-style: {style}; src: {source}; }}')
    return "\n".join(rules)


def _css_text(text: str) -> str:
    """A text as it stands in a style sheet.

    >>> _css_text('Il "Ridotto" & <co>')
    '"Il \\\\22 Ridotto\\\\22  & \\\\3c co>"'
    """
    return '"' + re.sub(r'["\\\\<\n]', lambda found: f"\\{ord(found[0]):x} ", text) + '"'


def _variables() -> str:
    colours = " ".join(f"--{name}: {value};" for name, value in THEMES[THEME].items())
    return re.sub(r"\s+", " ", f":root {{ {colours} }}")
