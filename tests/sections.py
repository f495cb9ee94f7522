"""Which paragraphs of the rules a test reaches: a plugin of pytest that `test_rulebooks` measures with.

`SECTIONS=FILE pytest -p sections …` writes, as JSON, the functions of a game's interpreted rules that each test called.
"""

from __future__ import annotations

import ast
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

from ridotto.core.game import Game
from ridotto.engine.build import folder
from ridotto.games import GAMES

BANNER = re.compile(r"\s*# §(\d+\.\d+) [^.]+\.(?: |$)")
reached: dict[str, list[str]] = {}


def functions_of(game: Game) -> dict[str, set[str]]:
    """The functions under the banner of each paragraph; none where the banner is all there is.

    A banner inside a function is about the lines below it there.
    """
    source = (folder(game.package) / "rules.py").read_text("utf-8")
    lines = source.splitlines()
    functions = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    found: dict[str, set[str]] = {}
    for at, line in enumerate(lines):
        if banner := BANNER.match(line):
            around = next((one for one in functions if one.lineno <= at < (one.end_lineno or 0)), None)
            end = at + 1
            while end < len(lines) and not BANNER.match(lines[end]) and not _is_heading(lines, end):
                end += 1
            if around is not None:
                below = lines[at + 1 : min(end, around.end_lineno or 0)]
                found[banner[1]] = {around.name} if any(re.match(r"\s*[^#\s]", one) for one in below) else set()
            else:
                found[banner[1]] = {one.name for one in functions if at < one.lineno <= end}
    return found


def _is_heading(lines: list[str], at: int) -> bool:
    """Whether a line opens another part of the file, by a comment that stands on its own."""
    return lines[at].startswith("# ") and not lines[at - 1].strip()


@pytest.fixture(autouse=True)
def reaching(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Note which functions of the rules are called while a test runs."""
    game = GAMES[request.path.parent.name]
    rules, source = game.rules, str(folder(game.package) / "rules.py")
    called: set[str] = set()

    def noting(name: str, function: FunctionType) -> Any:
        def noted(*given: Any) -> Any:
            called.add(name)
            return function(*given)

        return noted

    for name, function in list(vars(rules).items()):
        if isinstance(function, FunctionType) and function.__code__.co_filename == source:
            monkeypatch.setattr(rules, name, noting(name, function))
    yield
    node = request.node.nodeid.partition("[")[0]
    reached[node] = sorted({*reached.get(node, []), *called})


def pytest_sessionfinish() -> None:
    """Write down what was measured."""
    Path(os.environ["SECTIONS"]).write_text(json.dumps(reached), "utf-8")
