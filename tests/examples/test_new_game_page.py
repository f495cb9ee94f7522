"""docs/new-game.md: every piece of code that it quotes stands in the package, word for word."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "new-game.md").read_text("utf-8")
PACKAGE = ROOT / "examples" / "liars-dice"
QUOTED = re.findall(r"^`([^`\n]+)`\n\n```(python|toml|markdown)\n(.*?)\n```$", PAGE, re.MULTILINE | re.DOTALL)


def test_every_quote_is_verbatim() -> None:
    """A quote names its file, and the file has those very lines, one after another."""
    assert len(QUOTED) > 12
    assert [] == [(file, text) for file, _, text in QUOTED if f"\n{text}\n" not in f"\n{(PACKAGE / file).read_text('utf-8')}\n"]


def test_no_code_stands_without_its_file() -> None:
    """Every block is a quote or a list of commands."""
    assert len(QUOTED) == len(re.findall(r"^```(?:python|toml|markdown)$", PAGE, re.MULTILINE))
    assert {"python", "toml", "markdown", "console"} == set(re.findall(r"^```(\w+)$", PAGE, re.MULTILINE))


def test_every_file_of_rules_and_words_is_met() -> None:
    """The tutorial passes through what a game must have, and most of what it may have."""
    files = {Path(file).name for file, _, _ in QUOTED}
    assert {"pyproject.toml", "__init__.py", "components.py", "components.toml", "rules.py", "words.py", "bot.py"} <= files
    assert {"picture.py", "page.py", "en.md"} <= files
