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

HOUSE = Path(ridotto.__file__).parent
GAMES = {path.parent.name for path in HOUSE.glob("*/rules.py")}

ORDER: list[set[str]] = [
    {"kernel"},
    {"dice"},
    {"contract"},
    {"driver"},
    {"search", "device"},
    {"words", "ratings"},
    {"core"},
    {"drawing", "lines"},
    GAMES,
    {"games"},
    {"record"},
    {"programs"},
    {"bots"},
    {"opinion"},
    {"review"},
    {"__init__"},
    {"batch"},
    {"simulation"},
    {"balance", "audit", "arena", "rl", "terminal", "referee", "web"},
    {"certificate", "calibration", "cluster", "dataset"},
    {"cli"},
    {"__main__"},
]
"""A module imports only from groups before its own; the modules of one group do not know each other."""

PACKAGES = {
    "numpy": {"kernel", "batch", "bots", "simulation", "audit", "arena", "dataset", "rl"},
    "numba": {"kernel", "device", "simulation", "arena", "rl"},
    "choix": {"arena"},
    "pyarrow": {"dataset"},
    "gymnasium": {"rl"},
    "pettingzoo": {"rl"},
    "PIL": {"rl"},
    "pyspiel": {"rl"},
    "open_spiel": {"rl"},
    "ray": {"cluster"},
    "matplotlib": {"balance", "arena"},
    "rich": {"terminal", "cli", "rl"},
    "click": {"cli"},
    "resvg_py": {"cli", "rl"},
    **{name: {"web"} for name in ("starlette", "uvicorn", "sqlalchemy", "alembic", "itsdangerous")},
    **{name: {"web"} for name in ("markdown_it", "prometheus_client", "segno")},
}
"""Where a package that is not Python's own may be imported."""

HEAVY = {"numpy", "numba", "choix", "matplotlib", "pyarrow", "ray"}
"""What may be imported inside functions alone, so that starting up stays light (`device` is loaded for a GPU alone, `rl` by
learners)."""

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
    return sorted(HOUSE.rglob("*.py"))


def unit(path: Path) -> str:
    """What a file belongs to: a module, or the folder of a game or of a larger part."""
    inside = path.relative_to(HOUSE).parts
    return inside[0].removesuffix(".py")


def imports(path: Path, source: str | None = None) -> Iterator[Import]:
    """Every import of a file, with relative ones made absolute."""
    package = ["ridotto", *path.relative_to(HOUSE).parent.parts]

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
    """The part of the house that an import leads to, or None if it leads outside."""
    first, *rest = one.module.split(".")
    if first != "ridotto":
        return None
    if rest:
        return rest[0]
    is_module = (HOUSE / f"{one.name}.py").exists() or (HOUSE / one.name / "__init__.py").exists()
    return one.name if one.name and is_module else "__init__"


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
        where = f"{path.relative_to(HOUSE)}:{one.line} imports {one.module} {one.name}".rstrip()
        if there is not None:
            if there != here and rank(there) >= rank(here):
                found.append(f"{where}: only from groups before its own")
        elif package in sys.stdlib_module_names:
            continue
        elif here not in PACKAGES.get(package, set()):
            found.append(f"{where}: {package} is for {sorted(PACKAGES.get(package, set())) or 'nobody'}")
        elif package in HEAVY and one.at_once and here not in ("device", "rl"):
            found.append(f"{where}: {package} is imported inside functions alone")
    return found


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(HOUSE)))
def test_imports_go_backwards(path: Path) -> None:
    """Every module imports only from before its place, and outside packages only where they belong."""
    assert [] == wrong(path)


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("kernel.py", "from ridotto import dice"),
        ("kernel.py", "from ridotto.core import Match"),
        ("kernel.py", "import numpy"),
        ("kernel.py", "if True:\n    import numba.cuda"),
        ("dice.py", "def f():\n    import numpy"),
        ("core.py", "def f():\n    from ridotto.games import GAMES"),
        ("core.py", "from ridotto import Match"),
        ("core.py", "import requests"),
        ("fantome/rules.py", "from ridotto.games import GAMES"),
        ("fantome/rules.py", "from .. import bots"),
        ("terminal.py", "from ridotto.cli import main"),
        ("terminal.py", "from ridotto import audit"),
        ("terminal.py", "import click"),
        ("record.py", "if TYPE_CHECKING:\n    from ridotto.bots import Bot"),
        ("bots.py", "from rich.console import Console"),
    ],
)
def test_wrong_imports_are_found(file: str, source: str) -> None:
    """The test above can fail: each of these is one import too many."""
    assert 1 == len(wrong(HOUSE / file, source))


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("kernel.py", "def f():\n    import numpy"),
        ("core.py", "from ridotto import kernel"),
        ("fantome/rules.py", "from ridotto.fantome.components import ROOMS"),
        ("fantome/words.py", "from . import rules"),
        ("cli.py", "import click\nfrom ridotto import __version__, audit, record\nfrom rich import table"),
        ("bots.py", "if TYPE_CHECKING:\n    import numpy"),
    ],
)
def test_right_imports_are_let_through(file: str, source: str) -> None:
    """The test above does not fail for nothing."""
    assert [] == wrong(HOUSE / file, source)


def test_games_do_not_know_each_other() -> None:
    """The source of a game does not name another game's package."""
    for path in modules():
        if unit(path) in GAMES:
            others = GAMES - {unit(path)}
            assert set() == {target(one) for one in imports(path)} & others, path


def test_built_modules_import_by_full_name() -> None:
    """What a build loads anew is imported as `from ridotto.x import name`, or the build would see another's copy."""
    files = [HOUSE / f"{name}.py" for name in ("dice", "driver", "search")]
    files += [HOUSE / game / f"{name}.py" for game in sorted(GAMES) for name in BUILT]
    for path in files:
        own = f"ridotto.{unit(path)}."
        allowed = {"ridotto.kernel", "ridotto.dice", "ridotto.contract", "ridotto.driver"}
        allowed |= {own + name for name in BUILT} if unit(path) in GAMES else set()
        for one in imports(path):
            if one.module.partition(".")[0] == "ridotto":
                assert one.module in allowed and one.name, f"{path.relative_to(HOUSE)}:{one.line}: {one.module} {one.name}"


def test_the_games_folder_by_folder() -> None:
    """Every game has the same files, and GAMES names no other."""
    assert set(ridotto.GAMES) <= GAMES
    for game in ridotto.GAMES:
        for name in ("__init__", "components", "rules", "words", "bot", "sketch", "picture"):
            assert (HOUSE / game / f"{name}.py").is_file(), f"{game} has no {name}.py"
        assert (HOUSE / game / "components.toml").is_file()


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
        assert not tree.body or ast.get_docstring(tree), f"{path.relative_to(HOUSE)} has no docstring"
