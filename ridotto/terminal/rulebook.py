"""Paragraphs of a rulebook, for a terminal."""

from __future__ import annotations

import re
from typing import Final

from ridotto.core.game import Game
from ridotto.present.figures import SCHEME

HEADING: Final = re.compile(r"^(#{2,3}) §([0-9.]+) (.+)$")
FALLBACK: Final = "en"


def text_of(game: Game, language: str) -> str | None:
    """The rulebook of a game in a language, or the English one; None if it has no rulebook at all."""
    for one in (language, FALLBACK):
        path = game.rulebook(one)
        if path.exists():
            return without_figures(path.read_text("utf-8"))
    return None


def without_figures(text: str) -> str:
    """A rulebook without its figures, which a terminal cannot show.

    >>> without_figures('One.\\n\\n![Two.](figure:two "2")\\n\\nThree.')
    'One.\\n\\nThree.'
    """
    return re.sub(rf"^!\[[^\]]*\]\({SCHEME}.*\)\n\n?", "", text, flags=re.MULTILINE)


def contents(text: str) -> str:
    """The headings of a rulebook.

    >>> print(contents("## §1 Round\\n\\nWords.\\n\\n### §1.1 Turn\\n\\nMore."))
      §1 Round
        §1.1 Turn
    """
    headings = [heading for line in text.split("\n") if (heading := HEADING.match(line))]
    return "\n".join(f"{'  ' * (len(one[1]) - 1)}§{one[2]} {one[3]}" for one in headings)


def paragraph(text: str, section: str) -> str:
    """A § of a rulebook with those below it; "" if there is no such §.

    >>> paragraph("## §1 Round\\n\\nWords.\\n\\n### §1.1 Turn\\n\\nMore.", "1.1")
    '### §1.1 Turn\\n\\nMore.'
    """
    lines: list[str] = []
    is_inside = False
    for line in text.split("\n"):
        heading = HEADING.match(line)
        if heading:
            number = heading[2]
            is_inside = number == section or number.startswith(f"{section}.")
        if is_inside:
            lines.append(line)
    return "\n".join(lines)
