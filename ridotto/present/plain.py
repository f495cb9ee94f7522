"""The standard picture and sketch, for a game without a `ui/picture.py` or `ui/sketch.py`: they list the named fields.

>>> from ridotto.core.match import Match
>>> from ridotto.games import GAMES
>>> [line for line in fields(Match(GAMES["fantome"], seed=1).view()) if line[0] in ("round", "dark", "identity")]
[('round', '1'), ('dark', '8'), ('identity', '?')]
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any, Final

from ridotto.core.view import Seen, View
from ridotto.present.lines import WIDTH, markup
from ridotto.present.scene import Item, Layer, Move
from ridotto.present.svg import Panel, tag, wrap, write
from ridotto.present.words import Words

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


def board(view: View, words: Words) -> dict[str, str]:
    """Everything may change."""
    return {}


def shared(view: View, words: Words) -> Layer:
    """The named fields as one panel."""
    lines = [
        (f"{name}-{at}", line)
        for name, value in fields(view)
        for at, line in enumerate(wrap(f"{name}: {value}", PANEL_WIDTH - 2 * EDGE, TEXT))
    ]
    height = EDGE * 2 + LINE * len(lines)
    frame = tag("rect", cls="panel", x=1, y=1, width=PANEL_WIDTH - 2, height=height - 2, rx=10)
    items = [Item("frame", "fields", frame)]
    for at, (key, line) in enumerate(lines, 1):
        items.append(Item(key, "fields", write(line, 0, 0, TEXT, anchor="start"), EDGE, EDGE + LINE * at))
    return Layer([Panel("fields", words.say("the table"), PANEL_WIDTH, height)], items)


def own(view: View, words: Words) -> Layer:
    """The named fields as the seat sees them."""
    return shared(view, words)


def moves(view: View, seen: Sequence[Seen]) -> list[Move]:
    """Nothing is seen to move."""
    return []


def preview(view: View, words: Words, action: int) -> dict[str, Sequence[Item]]:
    """There are no previews."""
    return {}


def vignette(words: Words) -> None:
    """The card of the game shows the table after the deal."""
    return None
