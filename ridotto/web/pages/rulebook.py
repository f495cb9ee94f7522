"""The rulebooks as pages: Markdown to HTML, with an anchor at every §."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from markdown_it import MarkdownIt

from ridotto.games import find

HEADING: Final = re.compile(r"<h([1-6])>§([0-9.]+) ")
REFERENCE: Final = re.compile(r"§([0-9]+(?:\.[0-9]+)*)(?![^<]*</h[1-6]>)")
ALIGNED: Final = re.compile(r' style="text-align:(left|right|center)"')


@cache
def rulebook(spoken: str, game: str) -> str:
    """The rulebook of a game in a language; §3.2 has the anchor s-3-2, and every mention of it leads there."""
    text = find(game).rulebook(spoken).read_text("utf-8")
    html = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    html = ALIGNED.sub(r' class="\1"', html)
    html = REFERENCE.sub(lambda found: f'<a href="#{anchor(found[1])}">§{found[1]}</a>', html)
    return HEADING.sub(lambda found: f'<h{found[1]} id="{anchor(found[2])}">§{found[2]} ', html)


def anchor(section: str) -> str:
    """The anchor of a §.

    >>> anchor("3.2")
    's-3-2'
    """
    return "s-" + section.strip(".").replace(".", "-")
