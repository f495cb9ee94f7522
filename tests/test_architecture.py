"""docs/architecture.md: the files and functions that it names exist; its flows go one way, drawn and listed as they are."""

from __future__ import annotations

import ast
import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

import ridotto

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "architecture.md"
PACKAGE = Path(ridotto.__file__).parent
GAMES = sorted(path.parent for path in PACKAGE.glob("games/*/rules.py"))


def flows() -> dict[str, Any]:
    """The flows, as docs/flows.py has them."""
    spec = spec_from_file_location("flows", ROOT / "docs" / "flows.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return vars(module)


FLOWS = flows()["FLOWS"]


def defined(path: Path) -> set[str]:
    """The functions, classes and methods of a source file; of a script, the functions."""
    text = path.read_text("utf-8")
    if path.suffix == ".js":
        return set(re.findall(r"function (\w+)", text)) | set(re.findall(r"const (\w+) = (?:async )?\(?[\w, ]*\)? =>", text))
    found = set()
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            inside = [one for one in node.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)]
            found |= {f"{node.name}.{one.name}" for one in inside}
    return found


@pytest.mark.parametrize("flow", FLOWS)
def test_every_station_is_where_it_is_said_to_be(flow: str) -> None:
    """Each file exists and defines what the flow names; where it says <game>, in every game."""
    for station in FLOWS[flow][1]:
        folders = [game.name for game in GAMES] if "<game>" in station.file else [""]
        for folder in folders:
            path = PACKAGE / station.file.replace("<game>", folder)
            path = path / "__init__.py" if path.is_dir() else path.with_suffix(path.suffix or ".py")
            assert path.is_file(), station
            assert station.name in defined(path), station


@pytest.mark.parametrize("flow", FLOWS)
def test_no_flow_goes_back(flow: str) -> None:
    """No flow passes a file twice."""
    files = [station.file for station in FLOWS[flow][1]]
    assert len(files) == len(set(files))


@pytest.mark.parametrize("flow", FLOWS)
def test_the_pictures_are_drawn_from_the_flows(flow: str) -> None:
    """What stands in docs/pictures is what docs/flows.py draws, and the page shows it."""
    title, stations = FLOWS[flow]
    assert flows()["draw"](title, stations) == (ROOT / "docs" / "pictures" / f"flow-{flow}.svg").read_text("utf-8")
    assert f"pictures/flow-{flow}.svg" in PAGE.read_text("utf-8")


def test_the_page_lists_the_stations_of_each_flow() -> None:
    """The text below each picture is what docs/flows.py writes there."""
    page = PAGE.read_text("utf-8")
    assert flows()["with_lists"](page) == page
    for _, stations in FLOWS.values():
        assert flows()["listed"](stations) in page


def paths(named: str) -> list[Path]:
    """The files or folders that a path on the page means: below the package, the project, or a game's folder."""
    folders = [PACKAGE, ROOT, *GAMES]
    found = [folder / named.replace("<game>", game.name) for folder in folders for game in GAMES]
    return [path for path in dict.fromkeys(found) if path.exists()]


def test_files_that_the_page_names_exist() -> None:
    """Every path in docs/architecture.md that looks like a file of the project is one."""
    named = set(re.findall(r"`((?:[\w.<>-]+/)+[\w.-]*)`", PAGE.read_text("utf-8")))
    assert len(named) > 50
    assert [] == sorted(one for one in named if not paths(one))


def test_functions_that_the_page_names_are_in_their_files() -> None:
    """Where docs/architecture.md says `file` · `function`, `function`, that file defines them, in one of the games at least."""
    named = re.findall(r"`([\w.<>-]+/[\w./<>-]+)` · ((?:`[\w.]+`(?:, (?=`[\w.]+`))?)+)", PAGE.read_text("utf-8"))
    assert len(named) > 50
    for file, names in named:
        known = {name for path in paths(file) for name in defined(path / "__init__.py" if path.is_dir() else path)}
        assert [] == [name for name in re.findall(r"`([\w.]+)`", names) if name not in known], file
