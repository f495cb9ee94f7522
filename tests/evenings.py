"""Whole matches as a page is sent them, and pages that are told what the test says."""

from __future__ import annotations

import asyncio
import json
import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from browsers import AT_ONCE
from playwright.sync_api import Browser, Page, Route
from visitors import Visitor, running, sat, settings

from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.web.pages.assets import script
from ridotto.web.pages.boards import find_board

MOST = 400
"""Decisions after which somebody resigns."""

STREAM = """
window.EventSource = class extends EventTarget {
  static CLOSED = 2;
  static CONNECTING = 0;
  readyState = 1;
  constructor(address) {
    super();
    window.opened = [...(window.opened ?? []), address];
    window.stream = this;
  }
  close() { this.readyState = 2; }
};
"""
"""A stream that says what the test says."""

SHOWN = """
() => {
  const PASSING = new Set(["data-kept", "aria-describedby"]);
  const CLASSES = new Set(["gliding", "moved", "just"]);
  const write = (node) => {
    if (node.nodeType === 3) return node.data;
    if (node.nodeType !== 1) return "";
    if (node.matches(".clock .rest")) return "<time>";
    const given = [...node.attributes].filter((one) => !PASSING.has(one.name))
      .map((one) => one.name === "class" ? `class=${[...node.classList].filter((c) => !CLASSES.has(c)).sort().join(" ")}`
                                        : `${one.name}=${one.value}`).filter((one) => one !== "class=").sort();
    return `<${node.localName} ${given.join(" | ")}>\\n${[...node.childNodes].map(write).join("")}</>\\n`;
  };
  const places = document.adoptedStyleSheets.flatMap((sheet) => [...sheet.cssRules].map((rule) => rule.cssText)).join("\\n");
  return ["people", "jumps", "ask", "turning", "board", "since", "log", "result", "links", "extras"]
    .map((id) => `== ${id}\\n${write(document.getElementById(id))}`).join("\\n")
    + places + document.title + document.body.dataset.ply;
}
"""
"""What a page shows, as text: every element with its attributes, in order."""


FAULTS: list[str] = []
"""Whatever went wrong in a browser."""


class Evening(NamedTuple):
    """The page of a table at the beginning, everything that the stream said, and the page at the end."""

    first: str
    messages: list[str]
    last: str


def evening(folder: Path, game: str, seats: int, reader: int | None, language: str, seed: int) -> Evening:
    """A random match, as one of those at the table, or a spectator, is sent it."""

    async def play() -> Evening:
        async with running(settings(folder)) as app:
            people = [Visitor(app, language="en") for _ in range(seats)] + [Visitor(app, language=language)]
            if reader is not None:
                people[reader] = people[-1]
            for one in {*people}:
                await one.__aenter__()
            table = await sat(app, Match(GAMES[game], seats, seed=seed), *people[:seats])
            watching, dice = people[-1], random.Random(seed)
            messages: list[str] = []
            first = await watching.get(f"/t/{table.id}")
            number = first.text.partition('data-state="')[2].partition('"')[0]
            async with watching.live(table.id, query=f"state={number}", accept_language=language) as stream:
                decisions = 0
                while table.match.to_act:
                    seat = dice.choice(table.match.to_act)
                    legal = [*table.match.legal(seat)]
                    if decisions == MOST:
                        await people[seat].post(f"/t/{table.id}/resign")
                    elif dice.random() < 0.03 and any(entry.seat == seat for entry in table.match.entries):
                        await people[seat].post(f"/t/{table.id}/takeback")
                        await people[seat].post(f"/t/{table.id}/agree")
                    else:
                        done = await people[seat].act(table.id, dice.choice(legal), table.match.ply)
                        assert 204 == done.status_code, done.text
                    decisions += 1
                while not messages or json.loads(messages[-1])["number"] != table.state.serial:
                    text = await stream.text()
                    assert text is not None
                    messages += [one.partition("data: ")[2] for one in text.split("\n\n") if "event: table\n" in one]
            last = await watching.get(f"/t/{table.id}")
            for one in {*people}:
                await one.http.aclose()
            return Evening(first.text, messages, last.text)

    with ThreadPoolExecutor(1) as apart:  # the browser has a loop of its own here
        return apart.submit(lambda: asyncio.run(play())).result()


def opened(browser: Browser, html: str, language: str) -> Page:
    """A page as the server sent it, with a stream of the test's own."""
    context = browser.new_context(reduced_motion="reduce", locale=language)
    page = context.new_page()
    page.on("pageerror", lambda error: FAULTS.append(f"{error}\n{error.stack}"))
    page.add_init_script(STREAM)
    page.add_init_script(AT_ONCE)

    def answer(route: Route) -> None:
        path = route.request.url.partition("://")[2].partition("/")[2].partition("?")[0]
        if path == "t/x":
            route.fulfill(body=html, content_type="text/html")
        elif path.startswith("static/") and path.endswith(".js"):
            route.fulfill(body=script(path.rpartition("/")[2]), content_type="text/javascript")
        elif path.startswith("boards/"):
            _, game, spoken, setup = path.removesuffix(".svg").split("/")
            board = find_board(GAMES[game], spoken, setup)
            assert board is not None
            route.fulfill(body=board.text, content_type="image/svg+xml")
        else:
            route.fulfill(status=404)

    page.route("**/*", answer)
    page.goto("http://table.test/t/x")
    page.wait_for_function("window.stream")
    return page
