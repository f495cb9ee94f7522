"""The home of the pages: a server, or a tab whose worker answers them.

In a tab the files of a page lie beside it in a folder, wherever that is, and what is drawn for it is held by the browser.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Home:
    """A tab: the addresses of its files."""

    stylesheet: str
    scripts: tuple[str, ...]
    main_script: str
    icon: str
    hold: Callable[[str, str], str]
    """Holds a file, given its text and media type; the address under which the browser has it."""


_home: Home | None = None


def use(home: Home | None) -> None:
    """Let pages be at home in a tab; None: at a server."""
    global _home
    _home = home


def in_tab() -> bool:
    """Whether this program answers in a tab."""
    return _home is not None


def tab() -> Home | None:
    """The tab that this program answers in; None on a server."""
    return _home
