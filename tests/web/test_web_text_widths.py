"""How wide a text is: what Python reckons, what the fonts say, and what a browser shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from importlib.util import module_from_spec, spec_from_file_location
from itertools import pairwise
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from playwright.sync_api import Browser, Route

import ridotto
from ridotto.present.fonts import WIDTHS
from ridotto.present.narrator import LANGUAGES
from ridotto.present.svg import STYLE, font_of, measure, sheet, wrap, write
from ridotto.web.server.routing import FONTS

PACKAGE = Path(ridotto.__file__).parent

SHOWN = """async ([texts, classes]) => {
  await Promise.all([...document.fonts].map((face) => face.load()));
  const line = document.querySelector("text");
  return classes.map((found) => {
    line.setAttribute("class", found);
    return texts.map((text) => { line.textContent = text; return line.getComputedTextLength(); });
  });
}"""


def sentences(language: str) -> Iterator[str]:
    """What the catalogues hold in a language: sentences of one line that need nothing to be filled in."""
    for path in sorted(PACKAGE.rglob(f"locale/{'fr' if language == 'en' else language}/**/*.po")):
        with path.open("rb") as file:
            for message in read_po(file):
                found = message.id if language == "en" else message.string
                for text in (found,) if isinstance(found, str) else found or ():
                    if len(text) >= 20 and not re.search(r"[{\n]", text):
                        yield text


def serve_font(route: Route) -> None:
    name = route.request.url.rpartition("/")[2]
    found = [files(package) / "files" / name for package in FONTS]
    route.fulfill(body=next(one.read_bytes() for one in found if one.is_file()), content_type="font/otf")


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_as_wide_as_a_browser_shows_them(browser: Browser, language: str) -> None:
    """Within 2 % and a twentieth of an em, for every sentence, in the style and the fonts of a page.

    The twentieth is for a pair of letters that the font moves together: the table has single letters. Of those that are moved
    most, "Yo" and "y.", a short sentence may have both.
    """
    texts, classes = sorted(set(sentences(language))), ["quiet", "quiet bold", "title", "name bold"]
    assert len(texts) > 300
    faces = "".join(re.findall("@font-face.*", (PACKAGE / "web/static/house.css").read_text("utf-8")))
    page = browser.new_page()
    page.route("http://house.test/", lambda route: route.fulfill(body="", content_type="text/html"))
    page.route("http://house.test/fonts/*", serve_font)
    page.goto("http://house.test/")
    page.set_content(f'<style>{faces} {sheet(STYLE, "dark")}</style><svg><text font-size="20"/></svg>')
    shown = page.evaluate(SHOWN, [texts, classes])
    page.close()
    assert list(WIDTHS) == [font_of(one) for one in classes]
    for one, widths in zip(classes, shown, strict=True):
        far = [
            text
            for text, wide in zip(texts, widths, strict=True)
            if abs(measure(text, 20, font_of(one)) - wide) > 0.02 * wide + max(1, len(re.findall(r"Yo|y\.", text)))
        ]
        assert [] == far, one


def test_the_table_of_widths_is_that_of_the_fonts() -> None:
    """Nobody has changed it by hand, nor the fonts without it."""
    spec = spec_from_file_location("font_widths", Path(__file__).parents[2] / "docs" / "font_widths.py")
    assert spec is not None and spec.loader is not None
    script = module_from_spec(spec)
    spec.loader.exec_module(script)
    assert script.table() == (PACKAGE / "present/fonts.py").read_text("utf-8")


@pytest.mark.parametrize(
    ("cls", "font"), [("", "sans"), ("bold", "sans-bold"), ("name", "serif"), ("title bold", "serif-bold")]
)
def test_a_text_is_made_smaller_and_cut_no_more_than_it_must(cls: str, font: str) -> None:
    """It fits, if need be narrowed to 72 %; one character more, or half a unit of size more, would not."""
    text = "Éléonore Fontbrune, mezzo"
    for within in range(60, 400, 7):
        found = re.fullmatch(
            r'<text .*font-size="([\d.]+)"(.*)>(.*)</text>', write(text, 0, 0, 24, cls=cls, within=within, anchor="start")
        )
        assert found
        size, is_narrowed, shown = float(found[1]), f'textLength="{within}"' in found[2], found[3]
        assert (measure(shown, size, font) > within) == is_narrowed
        assert 0.72 * measure(shown, size, font) <= within
        if shown == text:
            assert 24 * 0.9 <= size or 0.72 * measure(text, size + 0.5, font) > within
            assert size == 24 or is_narrowed or measure(text, size + 0.5, font) > within
        else:
            kept = len(shown) - 1
            assert 12 == size and text.startswith(shown[:-1])
            assert 0.72 * measure(text[: kept + 2].rstrip() + "…", size, font) > within or text[kept] == " "


def test_lines_of_another_font_are_wrapped_by_its_widths() -> None:
    """No line is wider than it may be, and the first word of the next would not have gone onto it."""
    text = "Le fantôme ne peut plus être pris, et l'enquêteur perd la partie."
    assert wrap(text, 140, 16) != wrap(text, 140, 16, "serif-bold")
    for font in WIDTHS:
        lines = wrap(text, 140, 16, font)
        assert text == " ".join(lines)
        for line, following in pairwise(lines):
            assert measure(line, 16, font) <= 140 < measure(f"{line} {following.split()[0]}", 16, font)
