"""The standard picture and sketch, for a game without a `picture.py` or `sketch.py`: they list the named fields.

>>> from ridotto.core.match import Match
>>> from ridotto.games import GAMES
>>> [line for line in fields(Match(GAMES["fantome"], seed=1).view()) if line[0] in ("round", "dark", "identity")]
[('round', '1'), ('dark', '8'), ('identity', '?')]
"""

from __future__ import annotations

import textwrap
from typing import Any, Final

from ridotto.core.drawing import Panel, tag, wrap, write
from ridotto.core.lines import WIDTH, markup
from ridotto.core.protocols import Words
from ridotto.core.view import View

COLUMNS: Final[tuple[tuple[str, ...], ...]] = (("fields",),)
STYLE: Final = ""

PANEL_WIDTH: Final = 360
EDGE: Final = 14
LINE: Final = 20
TEXT: Final = 14


def fields(view: View) -> list[tuple[str, str]]:
    """The named fields of a position with their values: "?" for what the reader may not know."""
    return [(name.replace("_", " "), _text_of(value)) for name, value in view.position.items()]


def _text_of(value: Any) -> str:
    """A value as people read it.

    >>> _text_of({"meg": "3", "raoul": None}), _text_of([True, 2]), _text_of([])
    ('meg 3, raoul –', 'yes, 2', '–')
    """
    if isinstance(value, dict):
        return ", ".join(f"{name} {_text_of(inside)}" for name, inside in value.items()) or "–"
    if isinstance(value, list):
        return ", ".join(map(_text_of, value)) or "–"
    return "–" if value is None else "yes" if value is True else "no" if value is False else str(value)


def text(view: View, words: Words) -> str:
    """The named fields for a terminal, in Rich's markup."""
    lines = []
    for name, value in fields(view):
        first, *others = textwrap.wrap(f"{name}: {value}", WIDTH, subsequent_indent="  ")
        lines.append(markup([(name, "bold"), (first.removeprefix(name), "")]))
        lines += [markup([(other, "")]) for other in others]
    return "\n".join(lines)


def panels(view: View, words: Words) -> list[Panel]:
    """The named fields as one panel."""
    parts, y = [], EDGE
    for name, value in fields(view):
        lines = wrap(f"{name}: {value}", PANEL_WIDTH - 2 * EDGE, TEXT)
        for line in lines:
            y += LINE
            parts.append(write(line, EDGE, y, TEXT, anchor="start"))
    height = y + EDGE
    frame = tag("rect", cls="panel", x=1, y=1, width=PANEL_WIDTH - 2, height=height - 2, rx=10)
    return [Panel("fields", words.say("the table"), PANEL_WIDTH, height, tag("g", frame, *parts))]


def preview(view: View, words: Words, action: int) -> list[Panel]:
    """There are no previews."""
    return []


def vignette(words: Words) -> None:
    """The card of the game shows the table after the deal."""
    return None
