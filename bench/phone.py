"""How soon a page answers on a slow phone: `python -m bench.phone [--slower 4] [--clicks 12] [--games ...]`.

A real Chromium in the size of a phone, its processor made slower by the browser itself, sits at one seat of a match from its
middle; the other seats act as in `bench.load`. Whoever sits there touches an answer, a key of one that is put together, or
something on the board. Shown are, for each game:

touch      milliseconds from a touch to the next picture on the screen, as the browser counts them (its Event Timing)
message    milliseconds of work for the browser when others act: to read a live message and to draw what changed
first      milliseconds of work until the table is drawn for the first time

Times are the machine's: run it on one that does nothing else. Figures are reported, never asserted by a test.
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import shutil
import sqlite3
import statistics
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Locator, Page, sync_playwright

from bench.load import HERE, House, databases, middles
from ridotto.core import record
from ridotto.core.match import Entry, Match
from ridotto.games import GAMES
from ridotto.web.identity import COOKIE

SIZE: Final = {"width": 390, "height": 844}
SCRIPT: Final = """
  try {
    Object.assign(localStorage, { pace: 'now', call: 'off', confirm: 'never', single: 'off' });
  } catch { /* no page yet */ }
  window.touches = new Map();
  window.tasks = [];
  new PerformanceObserver((list) => {
    for (const one of list.getEntries())
      if (one.interactionId) touches.set(one.interactionId, Math.max(touches.get(one.interactionId) ?? 0, one.duration));
  }).observe({ type: "event", durationThreshold: 16, buffered: true });
  const note = (list) => tasks.push(...list.getEntries().map((one) => one.duration));
  new PerformanceObserver(note).observe({ type: "longtask", buffered: true });
"""
"""Notes how long each touch took, and each piece of work of more than 50 milliseconds."""
GUARD: Final = 800
"""Milliseconds for which a fresh question takes no touch where the last one fell, and some more."""
ANSWERS: Final = "#ask .asking [data-do], #ask .asking .picker label, #board [data-do], #board [data-part]"


class OtherSeats:
    """Those at the table who have no browser, and what they know of the match: its entries in the database."""

    def __init__(self, house: House, file: str, mine: int) -> None:
        self.table, document, self.people = house.tables[0]
        self.match: Match = record.read(document, GAMES)[0]
        self.host, self.mine, self.dice = house.base.removeprefix("http://"), mine, random.Random(1)
        self.file = sqlite3.connect(file, isolation_level=None)

    def catch_up(self) -> None:
        columns = 'SELECT seat, "do", draws, "time", salt, position FROM entries WHERE "table" = ? AND ply >= ? ORDER BY ply'
        for seat, do, draws, at, salt, position in self.file.execute(columns, (self.table, self.match.ply)).fetchall():
            where = json.loads(position) if position else None
            self.match.repeat(Entry(seat, do, tuple(json.loads(draws)), at, salt, where))

    def act(self, seat: int) -> None:
        cookie, nonce = self.people[seat]
        do = self.dice.choice(list(self.match.legal(seat)))
        connection = http.client.HTTPConnection(self.host, timeout=60)
        body = json.dumps({"do": do, "ply": self.match.ply, "nonce": nonce})
        headers = {"Origin": f"http://{self.host}", "Cookie": f"{COOKIE}={cookie}", "Content-Type": "application/json"}
        connection.request("POST", f"/t/{self.table}/act", body, headers)
        status = connection.getresponse().status
        connection.close()
        if status != 204:
            raise SystemExit(f"{do!r} was refused: {status}")
        self.catch_up()

    def until_asked(self) -> int:
        """Let the others act until the page is asked something; how many have."""
        count = 0
        while self.match.to_act and self.mine not in self.match.to_act:
            self.act(self.match.to_act[0])
            count += 1
        return count


def touch(page: Page, dice: random.Random) -> bool:
    """Touch one of the answers that can be seen; whether there was one."""
    found: list[Locator] = [one for one in page.locator(ANSWERS).all()[:60] if one.is_visible()]
    for one in dice.sample(found, min(3, len(found))):
        box = one.bounding_box()
        if box is None or not 0 <= box["y"] <= SIZE["height"] - box["height"]:
            one.scroll_into_view_if_needed()
            box = one.bounding_box()
        if box is not None:
            page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            return True
    return False


def measure(game: str, slower: float, clicks: int) -> dict[str, Any]:
    """The figures of one game."""
    dice = random.Random(game)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        url = stack.enter_context(databases("sqlite", folder))()
        house = House(stack, HERE, url, 1, folder, {game: middles(game)[:1]}, 0)
        others = OtherSeats(house, url.removeprefix("sqlite:///"), mine=0)
        stack.callback(others.file.close)
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"])
        stack.callback(browser.close)
        context = browser.new_context(viewport=SIZE, has_touch=True, is_mobile=True, device_scale_factor=2)  # type: ignore[arg-type]
        context.set_default_timeout(60_000)
        context.add_cookies([{"name": COOKIE, "value": others.people[0][0], "url": house.base}])
        context.add_init_script(SCRIPT)
        page = context.new_page()
        context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
        page.goto(f"{house.base}/t/{others.table}")
        page.wait_for_selector("#ask #question")
        page.wait_for_timeout(2000)
        first = page.evaluate("tasks.splice(0).reduce((sum, one) => sum + one, 0)")
        messages: list[float] = []
        while others.match.to_act and page.evaluate("touches.size") < clicks:
            others.catch_up()
            seen = others.until_asked()
            page.wait_for_timeout(GUARD)
            work = page.evaluate("tasks.splice(0)")
            messages += [sum(work) / seen] if seen else []
            if others.mine in others.match.to_act and not touch(page, dice):
                others.act(others.mine)
            page.wait_for_timeout(GUARD)
            others.catch_up()
        touches = page.evaluate("[...touches.values()]")
    return {"game": game, "first": first, "touches": touches, "messages": messages}


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print a line for each game."""
    parser = argparse.ArgumentParser(prog="python -m bench.phone", description="How soon a page answers on a slow phone.")
    ours = [name for name, game in GAMES.items() if game.package.startswith("ridotto.")]
    parser.add_argument("--games", nargs="+", choices=list(GAMES), default=ours)
    parser.add_argument("--slower", type=float, default=4.0, help="how many times slower the processor is made")
    parser.add_argument("--clicks", type=int, default=12, help="touches that are measured")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    for game in given.games:
        found = measure(game, given.slower, given.clicks)
        if given.json:
            print(json.dumps({"slower": given.slower, **found}), flush=True)
            continue
        touches, messages = found["touches"] or [0], found["messages"] or [0]
        print(
            f"{game:10} {given.slower:g} times slower: touch {statistics.median(touches):.0f} ms (median of {len(touches)}, "
            f"most {max(touches):.0f}), message {statistics.median(messages):.0f} ms (most {max(messages):.0f}), "
            f"first {found['first']:.0f} ms",
            flush=True,
        )


if __name__ == "__main__":
    main()
