"""The documentation: every page has its place in the site, and every link in it leads somewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from ridotto import __version__

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
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


@pytest.mark.parametrize("page", sorted([*DOCS.glob("*.md"), *ROOT.glob("*.md")]), ids=lambda path: path.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    """Files are there, and headings too."""
    for file, anchor in LINK.findall(page.read_text("utf-8")):
        target = page.parent / file if file else page
        assert target.exists(), (page.name, file)
        if anchor and target.suffix == ".md":
            assert anchor[1:] in anchors(target.read_text("utf-8")), (page.name, file, anchor)


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
    claimed = re.findall(r"Python :: (3\.\d+)", (ROOT / "pyproject.toml").read_text("utf-8"))
    assert claimed == yaml.safe_load(flows["test"])["jobs"]["test"]["strategy"]["matrix"]["python"]
    publish = yaml.safe_load(flows["release"])["jobs"]["publish"]
    assert {"id-token": "write"} == publish["permissions"], "no token is kept anywhere"


def test_the_checklist_says_what_is_missing() -> None:
    """`make release` ends with 1 while a point does not hold, and names what only a person can say."""
    done = subprocess.run([sys.executable, str(DOCS / "release.py")], capture_output=True, text=True, timeout=60)
    assert f"Ridotto {__version__}" == done.stdout.splitlines()[0]
    assert "[?] a person has written to the authors and publishers of the games" in done.stdout
    assert done.returncode == int("[ ]" in done.stdout)
    assert "[x] the citation has the same version" in done.stdout
