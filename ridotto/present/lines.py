"""Lines of a terminal, as pieces of text with a style each: for the sketches of games.

>>> markup([("Wagner [late]", "bold"), (" 6", "")])
'[bold]Wagner \\\\[late][/] 6'
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Final, TypeAlias

Piece: TypeAlias = tuple[str, str]
"""Some text and its style."""
Line: TypeAlias = list[Piece]

WIDTH: Final = 77


def length(line: Sequence[Piece]) -> int:
    """The number of columns of a line."""
    return sum(len(text) for text, _ in line)


def markup(line: Sequence[Piece]) -> str:
    """A line in Rich's markup, with one tag for neighbours of the same style; its own text is escaped."""
    runs = [(style, "".join(text.replace("[", r"\[") for text, _ in run)) for style, run in groupby(line, key=itemgetter(1))]
    return "".join(f"[{style}]{text}[/]" if style else text for style, text in runs)


def flow(items: Iterable[Line], indent: int) -> list[Line]:
    """Items one after another, wrapped into lines of WIDTH; all lines but the first are indented."""
    lines: list[Line] = []
    used = WIDTH
    for item in items:
        size = length(item)
        if used + 2 + size > WIDTH:
            lines.append([(" " * indent, "")] if lines else [])
            used = indent if len(lines) > 1 else 0
        else:
            lines[-1].append(("  ", ""))
            used += 2
        lines[-1] += item
        used += size
    return lines
