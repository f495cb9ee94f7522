"""The table in a tab: its size, the seconds until one can play, how fast a scene follows a click, its memory.

python -m bench.tab [--runs 3] [--game fantome] [--clicks 30]

The folder is built, served by this machine and opened in Chromium. *Cold* is a browser that has nothing of it; *kept* is the
next visit, with everything kept by the service worker. The time runs from asking for the page until the board of a new match
against a bot of level 1 has a question. A scene follows a click when the page shows another ply; whoever plays does not wait
for beats. Memory is what the processes of that page's browser have for themselves (private, and their share of what is
shared), less what the same browser has with an empty page.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, BrowserContext, Frame, Page, sync_playwright

from ridotto.web.tab.build import build, packed_sizes
from ridotto.web.tab.serving import server

CHROMIUM: Final = "/usr/bin/chromium"
ARGUMENTS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE: Final = 120_000
SETTINGS: Final = "try { localStorage.pace = 'now'; localStorage.call = 'off'; localStorage.confirm = 'never'; } catch {}"
READY: Final = """() => document.querySelector("#result table")
    || !document.body.matches(".busy, .behind") && document.querySelector("#ask .asking [data-do]")"""


def frame_of(page: Page, where: str) -> Frame:
    page.wait_for_selector(f'body[data-shown^="{where}"]', timeout=PATIENCE)
    frame = page.locator("iframe.shown").element_handle().content_frame()
    assert frame is not None
    return frame


def open_board(page: Page, address: str, game: str) -> tuple[Frame, dict[str, float]]:
    """A board with a question, and the seconds until the lobby was there, and the board."""
    began = time.perf_counter()
    page.goto(address)
    lobby = frame_of(page, "/")
    at_lobby = time.perf_counter() - began
    lobby.locator(f".offer-{game} select[name=level]").first.select_option("1")
    lobby.locator(f".offer-{game} .at-once button").first.click()
    frame = frame_of(page, "/t/")
    frame.wait_for_function(READY, timeout=PATIENCE)
    return frame, {"lobby": at_lobby, "board": time.perf_counter() - began}


def click_through(frame: Frame, clicks: int) -> list[float]:
    """Milliseconds from a click to the changed page, for clicks at random."""
    dice, took = random.Random(1), list[float]()
    for _ in range(clicks):
        frame.wait_for_function(READY, timeout=PATIENCE)
        if frame.locator("#result table").count():
            break
        choices = frame.locator("#ask button[data-do]").evaluate_all("all => all.map(one => one.dataset.do)")
        if not choices:
            break
        took.append(
            frame.evaluate(
                """(what) => new Promise((done) => {
                    const began = performance.now(), ply = document.body.dataset.ply;
                    const watch = new MutationObserver(() => {
                        if (document.body.dataset.ply === ply) return;
                        watch.disconnect();
                        done(performance.now() - began);
                    });
                    watch.observe(document.body, { attributes: true, attributeFilter: ["data-ply"] });
                    document.querySelector(`#ask button[data-do="${CSS.escape(what)}"]`).click();
                })""",
                dice.choice(choices),
            )
        )
    return took


def memory() -> int:
    """Bytes of all processes below this one that are Chromium's."""
    parents, pss = dict[int, int](), dict[int, int]()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            lines = (folder / "smaps_rollup").read_text().splitlines()
            pss[int(folder.name)] = next(1024 * int(line.split()[1]) for line in lines if line.startswith("Pss:"))
        except (OSError, StopIteration, IndexError):
            continue

    def is_ours(pid: int) -> bool:
        while pid > 1:
            if pid == os.getpid():
                return True
            pid = parents.get(pid, 0)
        return False

    return sum(size for pid, size in pss.items() if pid != os.getpid() and is_ours(pid))


def measure(browser: Browser, address: str, game: str, clicks: int) -> dict[str, Any]:
    """One browser that has nothing of the tab: cold, then kept."""
    context: BrowserContext = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    context.add_init_script(SETTINGS)
    page = context.new_page()
    page.goto("about:blank")
    before = memory()
    _, cold = open_board(page, address, game)
    page.wait_for_selector("body[data-offline=ready]", timeout=PATIENCE)
    page.close()
    page = context.new_page()
    frame, kept = open_board(page, address, game)
    clicked = click_through(frame, clicks)
    used = memory() - before
    context.close()
    return {"cold": cold, "kept": kept, "clicks": clicked, "memory": used}


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("--runs", type=int, default=3)
    given.add_argument("--game", default="fantome")
    given.add_argument("--clicks", type=int, default=30)
    asked = given.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "tab")
        build(out)
        sizes = packed_sizes(out)
        with server(out, 0) as listening, sync_playwright() as playwright:
            threading.Thread(target=listening.serve_forever, daemon=True).start()
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
            address = f"http://127.0.0.1:{listening.server_port}/"
            runs = [measure(browser, address, asked.game, asked.clicks) for _ in range(asked.runs)]
            browser.close()
            listening.shutdown()
    clicks = sorted(one for run in runs for one in run["clicks"])
    result = {
        "load": os.getloadavg()[0],
        "megabytes packed": {name: round(size / 1e6, 2) for name, size in sizes.items()},
        "seconds": {
            f"{kind}, {until}": round(statistics.median(run[kind][until] for run in runs), 2)
            for kind in ("cold", "kept")
            for until in ("lobby", "board")
        },
        "milliseconds to a scene": {
            "clicks": len(clicks),
            "median": round(statistics.median(clicks)),
            "95 %": round(clicks[int(0.95 * (len(clicks) - 1))]),
        },
        "megabytes of memory": round(max(run["memory"] for run in runs) / 1e6),
    }
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
