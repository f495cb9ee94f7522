"""The assets of every page: styles, scripts, and the names of the games."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Final

from ridotto.bots import account, review_page
from ridotto.core.game import Game
from ridotto.games import GAMES
from ridotto.present import svg as drawing
from ridotto.present.ui import ui
from ridotto.web.pages import art, home

STATIC: Final = Path(__file__).parents[1] / "static"
SCRIPTS: Final = tuple(sorted(path.name for path in STATIC.glob("*.js")))
"""The modules of the script. A page starts `main.js`, which imports the others."""
STYLES: Final = ("house.css",)
"""The styles of every page and of the table; those of the games follow them."""
LATER_STYLES: Final = ("learning.css", "around.css", "lookback.css", "beats.css", "layout.css", "club.css")
"""The styles of what stands beside and around a table, in whatever game."""


@dataclass(frozen=True)
class Site:
    """The site, as the layout of a page needs it."""

    titles: tuple[str, ...]
    """Of the games."""
    stylesheet: str
    scripts: tuple[str, ...]
    """The addresses of all modules, to be fetched at once; a changed script has others."""
    main_script: str
    icon: str = "/static/mask.svg"
    mask: str = art.MASK


def font_files() -> list[Path]:
    """The fonts of the pages as files, for pictures that are drawn as points."""
    faces = (("font_source_serif_pro", "SourceSerifPro-Semibold.otf"), ("font_source_sans_pro", "SourceSansPro-Regular.otf"))
    bold = (("font_source_sans_pro", "SourceSansPro-Bold.otf"), ("font_source_serif_pro", "SourceSerifPro-Regular.otf"))
    return [Path(str(files(package))) / "files" / name for package, name in (*faces, *bold)]


@cache
def site() -> Site:
    """The site as it is while this process runs."""
    titles = tuple(game.title for game in GAMES.values())
    if tab := home.tab():
        return Site(titles, tab.stylesheet, tab.scripts, tab.main_script, tab.icon)
    stylesheet = f"/static/boards.css?{_digest(css())}"
    return Site(titles, stylesheet, tuple(map(script_address, SCRIPTS)), script_address("main.js"))


def script_address(name: str) -> str:
    """The address of a module: in a folder named by what is in all of them, so that imports stay within a version."""
    return f"/static/{script_version()}/{name}"


@cache
def script_version() -> str:
    """A digest of all modules."""
    return _digest("".join(map(script, SCRIPTS)))


@cache
def script(name: str) -> str:
    """The source of a module."""
    return (STATIC / name).read_text("utf-8")


def classic_script(*names: str) -> str:
    """Modules as one script that imports nothing, for a file that is opened without a server."""
    return re.sub(r"^import [^;]*;\n|^export ", "", "".join(map(script, names)), flags=re.MULTILINE)


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:10]


@cache
def css() -> str:
    """The style of everything: the house's own, both themes, and the drawings, each game's inside its own table alone."""
    themes = {
        name: "".join(f"--{colour}: {value}; " for colour, value in colours.items()) + f"color-scheme: {name};"
        for name, colours in drawing.THEMES.items()
    }
    parts = [
        f":root {{ {themes['dark']} }}",
        f"@media (prefers-color-scheme: light) {{ :root[data-theme=auto] {{ {themes['light']} }} }}",
        f":root[data-theme=light] {{ {themes['light']} }}",
        *((STATIC / name).read_text("utf-8") for name in STYLES),
        *(ui(game).css for game in GAMES.values()),
        *((STATIC / name).read_text("utf-8") for name in LATER_STYLES),
        _scoped(drawing.STYLE + review_page.STYLE + account.STYLE, ".drawing"),
        *(_scoped(ui(game).picture.STYLE, f".{game.name} .drawing") for game in GAMES.values()),
    ]
    return "\n".join(parts)


def drawing_css(game: Game) -> str:
    """The style of a game's drawings, with the colours of the page that they stand in."""
    return re.sub(r"\s+", " ", Template(drawing.STYLE + ui(game).picture.STYLE).substitute(_variables())).strip()


def _variables() -> dict[str, str]:
    """The colours of whichever theme is on."""
    return {name: f"var(--{name})" for name in drawing.THEMES["dark"]}


def _scoped(style: str, scope: str) -> str:
    """The classes of a drawing inside `scope` alone, with the colours of the theme that is on; as weighty as they were."""
    rules = []
    for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", Template(style).substitute(_variables())):
        inside = ", ".join(f":where({scope}) {one.strip()}" for one in selectors.split(","))
        rules.append(f"{inside} {{{body.rstrip()} }}")
    return "\n".join(rules)
