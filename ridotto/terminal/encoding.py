"""Replacements for characters that the encoding of a terminal lacks."""

from __future__ import annotations

import codecs
import io
import sys
import unicodedata
from typing import Final

from rich.console import Console

SIMPLER: Final = dict(zip("§✓▸→♪●○░╳…–—·‹›’«»×★♀♂⚥♥−≥■▣◂⌂", '#v>>*@o:X.---<>\'""x*FMU~->##<^', strict=True))
"""The replacement of each special character."""
HANDLER: Final = "ridotto.simpler"


def make_legible(console: Console) -> None:
    """Let a terminal show simpler characters for those that its encoding lacks, and accept any input."""
    if isinstance(sys.stdin, io.TextIOWrapper) and sys.stdin.errors == "strict":
        sys.stdin.reconfigure(errors="replace")
    if isinstance(console.file, io.TextIOWrapper) and console.file.errors != HANDLER:
        console.file.reconfigure(errors=HANDLER)


def _simpler_text(error: UnicodeError) -> tuple[str, int]:
    """The codec error handler: replaces characters one by one, so that drawings keep their shape."""
    assert isinstance(error, UnicodeEncodeError)
    return "".join(map(_simpler, error.object[error.start : error.end])), error.end


def _simpler(char: str) -> str:
    if char in SIMPLER:
        return SIMPLER[char]
    name = set(unicodedata.name(char, "").split())
    if "BOX" in name:
        if "HORIZONTAL" in name and not name & {"VERTICAL", "UP", "DOWN"}:
            return "=" if "DOUBLE" in name else "-"
        return "+" if name & {"HORIZONTAL", "LEFT", "RIGHT"} else "|"
    ascii_only = unicodedata.normalize("NFKD", char).encode("ascii", "ignore").decode()
    return ascii_only[:1] or "?"


codecs.register_error(HANDLER, _simpler_text)
