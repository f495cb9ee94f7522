"""The documentation: every page has its place in the site, and every link in it leads somewhere."""

from __future__ import annotations

import ast
import doctest
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from ridotto import __version__
from ridotto.cli import cli

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted([*DOCS.glob("*.md"), *ROOT.glob("*.md")])
LINK = re.compile(r"\]\((?!https?:|mailto:|figure:)([^)#\s]*)(#[^)\s]*)?\)")


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings, as GitHub and the site make them."""
    titles = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_every_page_has_a_place_in_the_site() -> None:
    """Each is named once in the contents."""
    contents = re.findall(r":::\{toctree\}\n(.*?):::", (DOCS / "index.md").read_text("utf-8"), re.DOTALL)
    named = [line for part in contents for line in part.splitlines() if line and not line.startswith(":")]
    assert sorted(named) == sorted(path.stem for path in DOCS.glob("*.md") if path.stem != "index")
    assert 3 == len(contents), "players, hosts, developers and researchers"


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    """Files are there, and headings too."""
    for file, anchor in LINK.findall(page.read_text("utf-8")):
        target = page.parent / file if file else page
        assert target.exists(), (page.name, file)
        if anchor and target.suffix == ".md":
            assert anchor[1:] in anchors(target.read_text("utf-8")), (page.name, file, anchor)


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_every_snippet_is_sound(page: Path) -> None:
    """Python compiles, what it imports is there, and what it shows to come out does; sections of pages with a test of their own
    (debugging, new-game, research, training) run there."""
    text = page.read_text("utf-8")
    snippets = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    if shown := [one for one in snippets if ">>>" in one]:
        examples = doctest.DocTestParser().get_doctest("\n".join(shown), {}, page.name, str(page), 0)
        result = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL).run(examples)
        assert 0 == result.failed and result.attempted
    for snippet in snippets:
        if snippet not in shown and page.name != "new-game.md":  # whose pieces are compared with the package that they stand in
            imports = [node for node in ast.walk(ast.parse(snippet)) if isinstance(node, ast.ImportFrom)]
            for node in imports:
                if (node.module or "").startswith("ridotto"):
                    exec(compile(ast.Module([node], []), page.name, "exec"), {})


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_every_command_that_is_shown_is_there(page: Path) -> None:
    """Each `ridotto …` in a block of code or between backticks is a command with these options."""
    text = page.read_text("utf-8")
    blocks = re.findall(r"^```(.*?)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    lines = [line.strip() for language, block in blocks if language in ("", "sh", "console") for line in block.splitlines()]
    lines += [line.strip() for line in re.findall(r"^ {4}(\S.*)$", text, re.MULTILINE)]
    lines += re.findall(r"(?<!`)`([^`\n]+)`(?!`)", text)
    for line in lines:
        found = re.match(r"(?:\$ |[A-Z_]+=\S+ )*(?:\S*/)?ridotto ((?:[a-z][a-z-]*)(?: .*)?)$", line)
        if found is None:
            continue
        command: Any = cli
        words = re.split(r"\s{2,}|  ?#", found[1])[0].split()
        while isinstance(command, click.Group) and words:
            assert words[0] in command.commands, (page.name, line)
            command = command.commands[words.pop(0)]
        known = {name for one in command.params for name in (*one.opts, *one.secondary_opts)} | {"--help"}
        given = {word.partition("=")[0].rstrip(",;.") for word in words if word.startswith("--")}
        assert given <= known, (page.name, line)


def test_the_workflows_name_what_there_is() -> None:
    """They are YAML, run targets of the Makefile and files of ours, and test every Python that the package claims."""
    make = (ROOT / "Makefile").read_text("utf-8")
    flows = {path.stem: path.read_text("utf-8") for path in (ROOT / ".github" / "workflows").glob("*.yml")}
    for text in flows.values():
        assert yaml.safe_load(text)["jobs"]
        for target in re.findall(r"run: make (\w+)", text):
            assert re.search(rf"^{target}:", make, re.MULTILINE), target
        for file in re.findall(r"(?:sh|python) ((?:deploy|docs)/\S+)", text):
            assert (ROOT / file).exists(), file
    assert "python docs/release.py --tagged\n" in flows["release"], "the checklist, at the tag"
    claimed = re.findall(r"Python :: (3\.\d+)", (ROOT / "pyproject.toml").read_text("utf-8"))
    assert claimed == yaml.safe_load(flows["test"])["jobs"]["test"]["strategy"]["matrix"]["python"]
    publish = yaml.safe_load(flows["release"])["jobs"]["publish"]
    assert {"id-token": "write"} == publish["permissions"], "no token is kept anywhere"


@pytest.mark.parametrize("given", [[], ["--tagged"]], ids=["before", "at the tag"])
def test_the_checklist_says_what_is_missing(given: list[str]) -> None:
    """`make release` ends with 1 while a point does not hold, and names what only a person can say."""
    done = subprocess.run([sys.executable, str(DOCS / "release.py"), *given], capture_output=True, text=True, timeout=60)
    assert ("the tag is that of this version" in done.stdout) is bool(given)
    assert f"Ridotto {__version__}" == done.stdout.splitlines()[0]
    assert "[?] a person has written to the authors and publishers of the games" in done.stdout
    assert done.returncode == int("[ ]" in done.stdout)
    assert "[x] the citation has the same version" in done.stdout
