"""The snippets of a section of docs/research.md, and how they are run."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parent.parent / "docs" / "research.md"


def section(title: str) -> str:
    """The text under a heading of the second level."""
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", PAGE.read_text("utf-8"), re.M | re.S)
    assert found, f"docs/research.md has no section {title!r}"
    return found[1]


def run(title: str) -> int:
    """Run the Python and shell snippets of a section in the current folder, one after the other; how many there were."""
    names: dict[str, Any] = {}
    snippets = re.findall(r"^```(python|sh)\n(.*?)^```$", section(title), re.M | re.S)
    for language, text in snippets:
        if language == "python":
            exec(compile(text, f"docs/research.md, {title}", "exec"), names)
            continue
        for line in text.splitlines():
            from click.testing import CliRunner

            from ridotto.cli import cli

            command, *arguments = shlex.split(line)
            assert "ridotto" == command
            done = CliRunner().invoke(cli, arguments, catch_exceptions=False)
            assert 0 == done.exit_code, done.output
    return len(snippets)
