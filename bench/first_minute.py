"""From an empty clone with empty caches to a page, and to the first answer of a bot: `python -m bench.first_minute`.

`make play` runs in a temporary folder that has nothing but the last commit; its home, its caches and its data are there too.
Packages come from wherever pip gets them. Then once more, with all of that in place. It says what the time is spent on.
"""

from __future__ import annotations

import http.cookiejar
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

PORT = 8931
PAGE = f"http://127.0.0.1:{PORT}"
LONGEST = 600.0


def start(clone: Path, home: Path) -> subprocess.Popen[bytes]:
    """`make play`, with nothing that this machine has kept from before."""
    folders = {"HOME": home, "XDG_CACHE_HOME": home / "cache", "XDG_DATA_HOME": home / "data", "PIP_CACHE_DIR": home / "pip"}
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "NUMBA", "VIRTUAL", "RIDOTTO"))}
    given = {**kept, **{name: str(path) for name, path in folders.items()}, "BROWSER": "true"}
    return subprocess.Popen(
        ["make", "play", f"PORT={PORT}", f"PYTHON={sys.executable}"], cwd=clone, env=given, start_new_session=True
    )


def wait(began: float, is_so: object, log: str) -> float:
    """The seconds until something is so."""
    assert callable(is_so)
    while not is_so():
        if time.monotonic() - began > LONGEST:
            raise SystemExit(f"{log}: not within {LONGEST:.0f} s")
        time.sleep(0.05)
    return time.monotonic() - began


def is_there(path: Path) -> bool:
    return path.exists()


class Browser:
    """Asks as a browser would."""

    def __init__(self) -> None:
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
        self.table = ""

    def get(self, path: str) -> str:
        with self.opener.open(f"{PAGE}{path}", timeout=30) as answer:
            return str(answer.read().decode())

    def answers(self) -> bool:
        try:
            self.page = self.get("/")
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return False
        return True

    def sit_down(self) -> None:
        """A table with a bot that begins."""
        found = re.search(r'name="nonce" value="([0-9a-f]{32})"', self.page)
        assert found
        form = {"nonce": found[1], "game": "fantome", "seat0": "bot:level:2", "seat1": "me"}
        asked = urllib.request.Request(f"{PAGE}/tables", urllib.parse.urlencode(form).encode(), {"origin": PAGE})
        with self.opener.open(asked, timeout=30) as answer:
            self.table = urllib.parse.urlsplit(answer.url).path

    def bot_has_answered(self) -> bool:
        found = re.search(r'data-ply="(\d+)"', self.get(self.table))
        return found is not None and int(found[1]) > 1


def cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(clone: Path, home: Path, title: str) -> None:
    before, began = cpu(), time.monotonic()
    process = start(clone, home)
    try:
        browser = Browser()
        environment = wait(began, lambda: is_there(clone / ".venv-play" / "bin" / "pip"), "an environment")
        installed = wait(began, lambda: is_there(clone / ".venv-play" / "ready"), "installing")
        page = wait(began, browser.answers, "the page")
        browser.sit_down()
        bot = wait(began, browser.bot_has_answered, "the bot")
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()
    print(f"{title}: page after {page:.1f} s, first answer of a level-2 bot after {bot:.1f} s")
    spent = f"environment {environment:.1f} s, packages {installed - environment:.1f} s, start {page - installed:.1f} s"
    print(f"{title}: spent on {spent}, table and thought {bot - page:.1f} s; CPU of all processes {cpu() - before:.1f} s")


def main() -> None:
    here = Path(__file__).parents[1]
    with tempfile.TemporaryDirectory() as folder:
        clone, home = Path(folder) / "ridotto", Path(folder) / "home"
        home.mkdir()
        subprocess.run(["git", "clone", "--quiet", "--depth", "1", f"file://{here}", str(clone)], check=True)
        print(f"load of the machine before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
        run(clone, home, "cold")
        run(clone, home, "again")


if __name__ == "__main__":
    main()
