"""Who may import whom, read off the source."""

from __future__ import annotations

import ast
import importlib
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import ridotto

PACKAGE = Path(ridotto.__file__).parent
GAMES = {path.parent.name for path in PACKAGE.glob("games/*/rules.py")}

ORDER: list[set[str]] = [
    {"engine"},
    {"core"},
    {f"games.{game}" for game in GAMES},
    {"games"},
    {"bots"},
    {"__init__"},
    {"arena", "rl", "terminal", "web"},
    {"cli"},
    {"__main__"},
]
"""A folder imports only from groups before its own; the folders of one group do not know each other."""

PACKAGES = {
    "numpy": {"engine", "core", "bots", "arena", "rl"},
    "numba": {"engine", "arena", "rl"},
    "choix": {"arena"},
    "pyarrow": {"rl"},
    "gymnasium": {"rl"},
    "pettingzoo": {"rl"},
    "PIL": {"rl"},
    "pyspiel": {"rl"},
    "open_spiel": {"rl"},
    "ray": {"rl"},
    "matplotlib": {"arena"},
    "rich": {"terminal", "cli", "rl"},
    "click": {"cli"},
    "babel": {"cli"},
    "jinja2": {"cli"},
    "resvg_py": {"cli", "rl"},
    **{name: {"web"} for name in ("starlette", "uvicorn", "sqlalchemy", "alembic", "itsdangerous")},
    **{name: {"web"} for name in ("markdown_it", "prometheus_client", "segno")},
}
"""Where a package that is not Python's own may be imported."""

HEAVY = {"numpy", "numba", "choix", "matplotlib", "pyarrow", "ray"}
"""What may be imported inside functions alone, so that starting up stays light."""
LOADED_LATE = {"engine/device.py"}
"""Modules that are themselves loaded only where heavy packages are needed; and all of `rl`."""

BUILT = ("components", "rules", "bot")
"""The modules of a game that are loaded anew for every build, as are `dice`, `driver` and `search`."""


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
    if rest:
        return rest[0]
    return one.name if (PACKAGE / one.name / "__init__.py").exists() else "__init__"


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
            if there != here and rank(there) >= rank(here):
                found.append(f"{where}: only from groups before its own")
        elif package in sys.stdlib_module_names:
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
        ("engine/fields.py", "if True:\n    import numba.cuda"),
        ("engine/dice.py", "def f():\n    import torch"),
        ("core/match.py", "def f():\n    from ridotto.games import GAMES"),
        ("core/match.py", "from ridotto import Match"),
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
        ("games/fantome/words.py", "from . import rules"),
        (
            "cli/__init__.py",
            "import click\nfrom ridotto.arena import audit\nfrom rich import table",
        ),
        ("bots/__init__.py", "if TYPE_CHECKING:\n    import numpy"),
    ],
)
def test_right_imports_are_let_through(file: str, source: str) -> None:
    """The test above does not fail for nothing."""
    assert [] == wrong(PACKAGE / file, source)


def test_built_modules_import_by_full_name() -> None:
    """What a build loads anew is imported as `from ridotto.x import name`, or the build would see another's copy."""
    files = [PACKAGE / "engine" / f"{name}.py" for name in ("dice", "driver", "search")]
    files += [PACKAGE / "games" / game / f"{name}.py" for game in sorted(GAMES) for name in BUILT]
    engine = {f"ridotto.engine.{name}" for name in ("build", "contract", "dice", "driver", "errors", "fields")}
    for path in files:
        own = {f"ridotto.{unit(path)}.{name}" for name in BUILT} if unit(path).startswith("games.") else set()
        for one in imports(path):
            if one.module.partition(".")[0] == "ridotto":
                where = f"{path.relative_to(PACKAGE)}:{one.line}: {one.module} {one.name}"
                assert one.module in engine | own and one.name, where


def test_the_games_folder_by_folder() -> None:
    """Every game has the same files, and GAMES names no other."""
    assert set(ridotto.GAMES) <= GAMES
    for game in ridotto.GAMES:
        for name in ("__init__", "components", "rules", "words", "bot", "sketch", "picture"):
            assert (PACKAGE / "games" / game / f"{name}.py").is_file(), f"{game} has no {name}.py"
        assert (PACKAGE / "games" / game / "components.toml").is_file()


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
