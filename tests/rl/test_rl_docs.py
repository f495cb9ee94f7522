"""The page for researchers: its snippets run, one after the other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "research.md"
SECTIONS = (
    *("Views as arrays", "PettingZoo", "Gymnasium", "Many matches at once", "Beginning with a position"),
    "A search with your own evaluator",
)


def snippets(section: str) -> list[str]:
    """The Python of one section of the page."""
    text = PAGE.read_text("utf-8")
    found = re.search(rf"^## {re.escape(section)}\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    assert found, f"docs/research.md has no section {section!r}"
    return re.findall(r"^```python\n(.*?)^```", found[1], re.M | re.S)


@pytest.mark.compiles
@pytest.mark.parametrize("section", SECTIONS)
def test_snippets_run(section: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Every snippet of a section runs as it stands, after those before it."""
    names: dict[str, object] = {}
    found = snippets(section)
    assert found
    for snippet in found:
        exec(compile(snippet, f"docs/research.md, {section}", "exec"), names)
    if section == "PettingZoo":
        assert "Budget" in capsys.readouterr().out, "the table of Opera is shown"
