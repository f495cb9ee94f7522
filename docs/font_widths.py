"""Writes ridotto/present/fonts.py, the widths of the characters of the fonts that we ship: python docs/font_widths.py"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from importlib.resources import as_file, files
from pathlib import Path
from unicodedata import category

from fontTools.ttLib import TTFont

TABLE = Path(__file__).parents[1] / "ridotto" / "core" / "font_widths.py"

FACES = {
    "sans": ("font_source_sans_pro", "SourceSansPro-Regular.otf"),
    "sans-bold": ("font_source_sans_pro", "SourceSansPro-Semibold.otf"),
    "serif": ("font_source_serif_pro", "SourceSerifPro-Regular.otf"),
    "serif-bold": ("font_source_serif_pro", "SourceSerifPro-Semibold.otf"),
}
"""The files that a page loads, see house.css: there, too, what is bold is shown in Semibold."""

UNKNOWN = 1000
"""For what a font does not have: as wide as it is high, as few characters are. A browser takes those from other fonts."""

HEAD = '''"""The widths of the characters of our fonts. Written by docs/font_widths.py."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

UNKNOWN: Final = {unknown}
"""For a character that is not in the fonts: as wide as it is high."""

_RUNS: Final = """
{runs}
"""
"""The first and the last character of each run of characters, as their code points."""

_WIDTHS: Final = {{
{widths}
}}
"""The widths of these characters in each font, in thousandths of the size of the text."""


def _characters() -> Iterator[str]:
    for run in _RUNS.split():
        first, _, last = run.partition("-")
        yield from map(chr, range(int(first, 16), int(last or first, 16) + 1))


WIDTHS: Final = {{font: dict(zip(_characters(), map(int, numbers.split()), strict=True)) for font, numbers in _WIDTHS.items()}}
"""For each font the width of each character, in thousandths of the size of the text."""
'''


def face_widths(package: str, name: str) -> dict[int, int]:
    """The advance widths of all characters of a font, in thousandths of an em. Characters that are not shown have none."""
    with as_file(files(package) / "files" / name) as path, TTFont(path) as font:
        em, advances = font["head"].unitsPerEm, font["hmtx"]
        found = {code: round(1000 * advances[glyph][0] / em) for code, glyph in font.getBestCmap().items()}
    return {code: 0 if category(chr(code)) == "Cf" else wide for code, wide in found.items() if category(chr(code)) != "Cc"}


def runs(codes: Iterable[int]) -> list[tuple[int, int]]:
    """Numbers as runs without a gap, each with its first and its last."""
    found: list[tuple[int, int]] = []
    for code in sorted(codes):
        if found and found[-1][1] == code - 1:
            found[-1] = (found[-1][0], code)
        else:
            found.append((code, code))
    return found


def table() -> str:
    """The text of the module."""
    faces = {font: face_widths(*face) for font, face in FACES.items()}
    codes = sorted(set().union(*faces.values()))
    named = " ".join(f"{first:04x}-{last:04x}" if last > first else f"{first:04x}" for first, last in runs(codes))
    widths = "\n".join(
        f'    "{font}": """\n{_lines(" ".join(str(found.get(code, UNKNOWN)) for code in codes))}\n""",'
        for font, found in faces.items()
    )
    return HEAD.format(unknown=UNKNOWN, runs=_lines(named), widths=widths)


def _lines(text: str) -> str:
    return "\n".join(textwrap.wrap(text, 128, break_on_hyphens=False))


if __name__ == "__main__":
    TABLE.write_text(table(), "utf-8")
