"""Figures of the web table: the time from a click to another person's screen, the time bots think, the size of pages.

python -m bench.web [--moves 12] [--positions 5]

It needs what the tests need, above all a Chromium, and a machine that does little else. Two browsers are at one table of a real
server; all times are by this machine's clock. They are medians in milliseconds, with the slowest of ten in brackets.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, Page, sync_playwright
from rich.console import Console
from rich.table import Table

from bench.figures import machine
from ridotto.bots import Budget, find
from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.present.scene import difference
from ridotto.present.ui import ui
from ridotto.web.pages import assets, models, table_log
from ridotto.web.pages import site as pages
from ridotto.web.pages.models import Reader, SeatView

SEATS: Final = {"fantome": 2, "opera": 4, "turandot": 3}
"""The number of seats of the tables whose pages are measured."""
LEVELS: Final = range(1, 7)
CHROMIUM: Final = shutil.which("chromium") or "chromium"
ARGUMENTS: Final = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update")
FONTS: Final = ("font_source_sans_pro/SourceSansPro", "font_source_serif_pro/SourceSerifPro")
SERVER: Final = """
import sys
from pathlib import Path
from ridotto.web.server.run import serve
from ridotto.web.settings import Rate, Settings

often = dict.fromkeys(("by_person", "by_address", "new_tables", "guesses"), Rate(100_000, 100_000))
often["auto_review"] = False
serve(Settings(data=Path(sys.argv[1]), port=0, workers=1, warm=(), **often), log=Path(sys.argv[1]) / "server.log")
"""


# Measuring and formatting.


def positions(name: str, seats: int, count: int) -> list[Match]:
    """A match of greedy play, as it stood at some moments between the opening and the end."""
    match, bot = Match(GAMES[name], seats, seed=3), find("greedy")
    while match.to_act:
        seat = match.to_act[0]
        match.play(bot.choose(match.view(seat), Budget(match.ply)), seat)
    return [match.after(max(1, match.ply * (at + 1) // (count + 1))) for at in range(count)]


def timed(run: Callable[[], object]) -> float:
    """Milliseconds that something takes."""
    began = time.perf_counter()
    run()
    return 1000 * (time.perf_counter() - began)


def format_times(times: Sequence[float]) -> str:
    """The median, and the slowest of ten.

    >>> format_times([9, 10, 11])
    '10 (11)'
    """
    slow = statistics.quantiles(times, n=10, method="inclusive")[-1] if len(times) > 1 else times[0]
    digits = 0 if slow >= 9.5 else 1
    return f"{statistics.median(times):.{digits}f} ({slow:.{digits}f})"


def kilobytes(sizes: Sequence[int]) -> str:
    """The median of sizes in kilobytes.

    >>> kilobytes([900, 12345, 99999])
    '12'
    """
    return f"{statistics.median(sizes) / 1000:.0f}"


# Pages.


def page_figures(count: int) -> Iterator[tuple[str, ...]]:
    """For each game: the time to draw a page anew, log and all; its bytes, plain and as sent; those of a live message."""
    for name, seats in SEATS.items():
        found = positions(name, seats, count)
        times = [min(timed(partial(page, match)) for _ in range(3)) for match in found]
        both = [page(match) for match in found]
        plain = [len(whole.encode()) for whole, _ in both]
        packed = [[len(gzip.compress(one[at].encode(), 6)) for one in both] for at in range(2)]
        yield GAMES[name].title, format_times(times), kilobytes(plain), kilobytes(packed[0]), kilobytes(packed[1])


def page(match: Match) -> tuple[str, str]:
    """The page of the seat to act, and the content of a live message."""
    seat = match.to_act[0]
    seats = tuple(SeatView(one, "", "person", f"Player {one}", you=one == seat, here=True) for one in range(match.seats))
    words = ui(match.game).words(ui(match.game).narrator("en", models.display_names(seats), seat))
    view = match.view(seat)
    log = table_log.log_lines(view.seen, words)
    table = models.TablePage(Reader("Ada", "en"), "x" * 22, match.game, view, seats, "playing", log)
    earlier = match.after(match.ply - 1)
    before = replace(table, view=earlier.view(seat))
    parts = pages.small_parts(table)
    changed = {name: text for name, text in parts.items() if text != pages.small_parts(before)[name]}
    change = {
        "parts": changed,
        "scene": difference(before.scene, table.scene),
        "log": table_log.log_since(table, len(log) - 1),
    }
    return pages.table(table), json.dumps(change, ensure_ascii=False)


def asset_figures() -> Iterator[tuple[str, str, str]]:
    """The files that a first visit fetches and caches: their sizes, plain and compressed."""
    static = Path(assets.STATIC)
    texts = {"boards.css": assets.css(), **{path.name: path.read_text("utf-8") for path in sorted(static.glob("*.js"))}}
    for name, text in texts.items():
        yield name, kilobytes([len(text.encode())]), kilobytes([len(gzip.compress(text.encode(), 6))])
    named = [re.findall(rf"/fonts/({font.partition('/')[2]}-[A-Za-z]+\.\w+)", assets.css()) for font in FONTS]
    fonts = [
        (files(font.partition("/")[0]) / "files" / name).read_bytes()
        for font, found in zip(FONTS, named, strict=True)
        for name in dict.fromkeys(found)
    ]
    packed = sum(len(gzip.compress(font, 6)) for font in fonts)
    yield f"fonts ({len(fonts)})", kilobytes([sum(map(len, fonts))]), kilobytes([packed])


# Bots.


def bot_figures(count: int) -> Iterator[tuple[str, ...]]:
    """For each game: the time that a bot of each level takes for a decision."""
    for name, seats in SEATS.items():
        found = [match.view(match.to_act[0]) for match in positions(name, seats, count)]
        cells = []
        for level in LEVELS:
            bot = find(f"level:{level}").sit()
            bot.choose(found[0], Budget(0))  # compiled, or fetched from the cache
            cells.append(format_times([timed(partial(bot.choose, view, Budget(1))) for view in found]))
        yield GAMES[name].title, *cells


# Two browsers.


@contextmanager
def server() -> Iterator[str]:
    """Start a server with an empty database; yields its address."""
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen([sys.executable, "-u", "-c", SERVER, folder], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        try:
            found = re.search(r"http://[^/ ]+", process.stdout.readline())
            assert found, "the server did not start"
            yield found[0]
        finally:
            process.terminate()
            process.communicate(timeout=30)


WATCH: Final = """() => { window.seen = new Promise((done) => new MutationObserver((_, watch) => {
    watch.disconnect();
    requestAnimationFrame(() => setTimeout(() => done(performance.timeOrigin + performance.now())));
}).observe(document.body, { attributeFilter: ["data-ply"] })); }"""
CLICK: Final = """(do_) => {
    performance.clearResourceTimings();
    window.clicked = performance.timeOrigin + performance.now();
    document.querySelector(`#ask [data-do="${CSS.escape(do_)}"]`).click();
}"""
ANSWER: Final = """() => performance.getEntriesByType("resource").filter((one) => one.name.endsWith("/act")).at(-1)?.duration"""


def click_figures(browser: Browser, base: str, moves: int) -> Iterator[tuple[str, ...]]:
    """For each game: the time from a click to the server's answer, and to the new view on the other person's screen."""
    for name in SEATS:
        dice = random.Random(4)
        host, friend = _seated(browser, base, name)
        kept, seen = [], []
        for _ in range(moves + 1):
            action_buttons = "body:not(.busy) #ask .asking button[data-do]"
            acting, other = (host, friend) if host.locator(action_buttons).count() else (friend, host)
            acting.wait_for_selector(action_buttons, state="attached")
            actions = acting.locator(action_buttons).evaluate_all("all => all.map((one) => one.dataset.do)")
            at = host.locator("body").get_attribute("data-ply")
            other.evaluate(WATCH)
            acting.evaluate(CLICK, dice.choice(actions))
            seen.append(other.evaluate("() => window.seen") - acting.evaluate("() => window.clicked"))
            for page in (host, friend):
                page.wait_for_selector(f'body:not([data-ply="{at}"]):not(.busy)')
            kept.append(acting.evaluate(ANSWER))
        yield GAMES[name].title, format_times(kept[1:]), format_times(seen[1:])
        for page in (host, friend):
            page.context.close()


def _seated(browser: Browser, base: str, name: str) -> tuple[Page, Page]:
    """Two people at a table, each with a browser."""
    found: list[Page] = []
    for _ in range(2):
        context = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce", locale="en")
        context.set_default_timeout(60_000)
        context.add_init_script("localStorage.setItem('confirm', 'never')")  # every answer is sent
        found.append(context.new_page())
    host, friend = found
    host.goto(base)
    host.locator(f"#setup-{name} summary").first.click()
    form: Any = host.locator(f"#setup-{name} form")
    form.locator("[name=seat1]").select_option("open")
    for seat in range(2, GAMES[name].seats[-1]):
        form.locator(f"[name=seat{seat}]").select_option("")
    form.locator("button.main").last.click()
    host.wait_for_selector("#ask")
    friend.goto(host.url)
    friend.locator("#ask form button").first.click()
    friend.wait_for_selector(".person.you")
    host.wait_for_selector("#ask:not(:has(.invites))")
    return host, friend


# All of it.


def table(title: str, heads: Sequence[str], rows: Iterator[tuple[str, ...]]) -> Table:
    """Rows under a title."""
    made = Table(title=title, title_justify="left")
    made.add_column(heads[0])
    for head in heads[1:]:
        made.add_column(head, justify="right")
    for row in rows:
        made.add_row(*row)
    return made


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.web", description="Measure the web table.")
    parser.add_argument("--moves", type=int, default=12, help="clicks that are timed in each game")
    parser.add_argument("--positions", type=int, default=5, help="positions that are drawn and thought about in each game")
    chosen = parser.parse_args()
    screen = Console(width=None if sys.stdout.isatty() else 110)
    here = machine()
    screen.print(f"{here['cpu']}, {here['cores']} cores; load before: {here['load_before'][0]}")
    screen.print("times in ms: the median (the slowest of ten)\n")
    screen.print(table("Pages", ("a page", "draw anew", "kB", "kB as sent", "kB live message"), page_figures(chosen.positions)))
    screen.print(table("Fetched once", ("file", "kB", "kB as sent"), asset_figures()))
    levels = [f"level {level}" for level in LEVELS]
    screen.print(table("Bots", ("a decision of a bot", *levels), bot_figures(chosen.positions)))
    with server() as base, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        screen.print(
            table("Clicks", ("from a click to", "kept on disk", "seen by another"), click_figures(browser, base, chosen.moves))
        )
        browser.close()


if __name__ == "__main__":
    main()
