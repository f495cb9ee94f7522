"""The rulebooks as pages: Markdown to HTML, with an anchor at every §."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from html import unescape
from typing import Final, NamedTuple

from markdown_it import MarkdownIt

from ridotto.core.game import Game
from ridotto.present.figures import SCHEME, drawn, figures
from ridotto.present.html import Html, el

HEADING: Final = re.compile(r"<h([1-6])>§([0-9.]+) ")
CHAPTER: Final = re.compile(r'<h2[^>]*id="([^"]+)"[^>]*>(.*?)</h2>', re.S)
REFERENCE: Final = re.compile(r"§([0-9]+(?:\.[0-9]+)*)(?![^<]*</h[1-6]>)")
FIGURE: Final = re.compile(rf'<p><img src="{SCHEME}([^"]+)" alt="([^"]*)"(?: title="([^"]*)")? ?/?></p>')
ALIGNED: Final = re.compile(r' style="text-align:(left|right|center)"')
FALLBACK: Final = "en"


class Chapter(NamedTuple):
    """A chapter of a rulebook."""

    anchor: str
    title: Html


@dataclass(frozen=True)
class Rulebook:
    """A rulebook in the language it is written in; §3.2 has the anchor s-3-2, and every mention of it leads there."""

    language: str
    html: Html

    @property
    def chapters(self) -> list[Chapter]:
        return [Chapter(anchor, Html(re.sub(r"<[^>]+>", "", title))) for anchor, title in CHAPTER.findall(self.html)]


@cache
def rulebook(game: Game, language: str) -> Rulebook | None:
    """The rulebook of a game in a language; the English one if there is none; None if there is none at all."""
    for one in (language, FALLBACK):
        path = game.rulebook(one)
        if path.exists():
            return Rulebook(one, with_figures(to_html(path.read_text("utf-8")), game, one))
    return None


def to_html(markdown: str) -> Html:
    """The Markdown of a rulebook as HTML.

    >>> to_html("## §3.2 Bids\\n\\nSee §3.1.")
    '<h2 id="s-3-2">§3.2 Bids</h2>\\n<p>See <a href="#s-3-1">§3.1</a>.</p>\\n'
    """
    html = MarkdownIt("commonmark", {"html": False}).enable("table").render(markdown)
    html = ALIGNED.sub(r' class="\1"', html)
    html = REFERENCE.sub(lambda found: f'<a href="#{anchor(found[1])}">§{found[1]}</a>', html)
    return Html(HEADING.sub(lambda found: f'<h{found[1]} id="{anchor(found[2])}">§{found[2]} ', html))


def with_figures(html: str, game: Game, language: str) -> Html:
    """A rulebook with its figures drawn; what has no figure of that name stays as it is."""
    known = figures(game)

    def figure(found: re.Match[str]) -> str:
        name, alt, caption = found[1], unescape(found[2]), unescape(found[3] or "")
        if name not in known:
            return found[0]
        return el("figure", drawn(game, name, language, alt), el("figcaption", caption), cls=f"figure {game.name}")

    return Html(FIGURE.sub(figure, html))


def anchor(section: str) -> str:
    """The anchor of a §.

    >>> anchor("3.2")
    's-3-2'
    """
    return "s-" + section.strip(".").replace(".", "-")
