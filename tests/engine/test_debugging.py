"""docs/debugging.md: its snippets run, one after the other, and show what the page says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "debugging.md"


def test_snippets_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A snippet that begins with the name of a file is that file; other Python is run here, and commands in a shell."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    shown = ""
    for language, text in re.findall(r"^```(python|sh)\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.S):
        named = re.match(r"# (\w+\.py)\n", text)
        if named:
            Path(named[1]).write_text(text, "utf-8")
        elif language == "python":
            exec(compile(text, "docs/debugging.md", "exec"), names)
        else:
            shown += shell(text)
    shown += capsys.readouterr().out
    assert re.search(r"rules\.py\(\d+\)move\(\)", shown), "the debugger stops in the rule"
    assert re.search(r"^seat = 0$", shown, re.M), "and shows its arguments"
    assert "this position is not possible" in shown
    assert re.search(r"the next draw has \d+ outcomes", shown)
    assert "# --- LINE" in shown, "types are shown line by line"
    assert "caught: index is out of bounds" in shown


def shell(text: str) -> str:
    """What commands print; `python` is the one that runs the tests."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = os.environ | {"PATH": path, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
    done = subprocess.run(["bash", "-ec", text], env=environment, capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stdout + done.stderr
    return done.stdout
