"""Walks through the checklist of a release (docs/releasing.md): what holds, what does not, what only a person can say."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def read(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def version() -> str:
    found = re.search(r'__version__ = "(.+)"', read("ridotto/__init__.py"))
    assert found
    return found[1]


def checks(is_tagged: bool = False) -> dict[str, str]:
    """Every point that can be looked up, with what is wrong; "" if it holds. `is_tagged`: the tag is to be there, here."""
    now = version()
    heading = re.search(rf"^## {re.escape(now)} \((\d{{4}}-\d{{2}}-\d{{2}})\)$", read("CHANGELOG.md"), re.MULTILINE)
    cited = re.search(r"^version: (.+)$", read("CITATION.cff"), re.MULTILINE)
    day = re.search(r"^date-released: (.+)$", read("CITATION.cff"), re.MULTILINE)
    return {
        "the version is a release": "" if re.fullmatch(r"\d+\.\d+\.\d+", now) else f"it is {now}",
        "the changelog has a section of this version, with a date": "" if heading else f"no line '## {now} (YYYY-MM-DD)'",
        "the citation has the same version": "" if cited and cited[1] == now else f"CITATION.cff says {cited and cited[1]}",
        "the citation has the same date": "" if heading and day and day[1] == heading[1] else "the dates differ",
        "nothing is left uncommitted": "" if not git("status", "--porcelain") else "see git status",
        **_tag(f"v{now}", is_tagged),
    }


def _tag(name: str, is_tagged: bool) -> dict[str, str]:
    if is_tagged:
        return {
            "the tag is that of this version": "" if name in git("tag", "--points-at", "HEAD").split() else f"no {name} here"
        }
    return {"the tag is free": "" if name not in git("tag").split() else f"there is a tag {name}"}


BY_HAND = (
    "make test, make soak and make docs pass",
    "the workflow passes on every Python that it names",
    "a person has written to the authors and publishers of the games",
)


def main() -> int:
    print(f"Ridotto {version()}")
    wrong = 0
    for point, why in checks("--tagged" in sys.argv[1:]).items():
        wrong += bool(why)
        print(f"[{' ' if why else 'x'}] {point}{f': {why}' if why else ''}")
    for point in BY_HAND:
        print(f"[?] {point}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
