"""Film strips of moments at the web table, a picture every 0.3 s: `python docs/films.py [part of a name [folder]]`.

No server runs: a real browser gets the page as it was before the moment, and then the live message that a server would send.
The clock of the page, and everything that moves on it, is turned by hand, so that a slow machine takes the same pictures.
"""

from __future__ import annotations

import asyncio
import random
import sys
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright
from shots import ARGUMENTS, BASE, CHROMIUM, HERE, serve

from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.web.identity import Keys
from ridotto.web.live.links import Links
from ridotto.web.live.messages import message, snapshot
from ridotto.web.live.state import TableState
from ridotto.web.live.view_models import audience_of
from ridotto.web.pages import site as pages
from ridotto.web.pages.models import Reader
from ridotto.web.storage.table_info import Chair, Extras, TableInfo
from ridotto.web.storage.table_settings import TableSettings

STEP = 300
"""Milliseconds between two pictures."""
SIZE, SMALL, ACROSS = (1280, 800), (400, 250), 4
READER = "ada"
READ = 4
"""Pictures after which somebody has read what is on a stage, and goes on."""

STREAM = """
window.EventSource = class extends EventTarget {
  constructor() { super(); window.stream = this; this.readyState = 1; }
  close() {}
};
localStorage.setItem("call", "off");
localStorage.setItem("single", "off");
addEventListener("staged", () => (window.staged = true), true);
"""
"""A stream that says what this program says, and a reader who answers nothing."""

TURN = """
(time) => {
  const starts = (window.starts ??= new Map());
  for (const one of document.getAnimations()) {
    if (!starts.has(one)) starts.set(one, time);
    one.pause();
    one.currentTime = time - starts.get(one);
  }
}
"""
"""Everything that moves is moved to where it is at a time."""


@dataclass(frozen=True)
class Film:
    """A moment that is filmed: in which match, after which event, and for how many pictures."""

    name: str
    game: str
    seats: int
    event: str
    pictures: int
    seed: int = 3

    def match(self) -> Match:
        """A match of random play whose last entry is the moment."""
        match, dice = Match(GAMES[self.game], self.seats, seed=self.seed, clock=lambda: 0.0), random.Random(self.seed)
        while match.to_act:
            seat = dice.choice(match.to_act)
            match.play(dice.choice(match.legal(seat).ids), seat)
            if any(one.event.name == self.event for one in match.events_of(match.ply - 1)):
                return match
        raise AssertionError(f"{self.event} never happens")


FILMS = (
    Film("manifestation", "fantome", 2, "announces", 20),
    Film("reveal", "turandot", 4, "reveals", 12),
    Film("count", "opera", 3, "counting", 32),
    Film("end", "turandot", 3, "counts", 36, seed=5),
)


def state(match: Match, serial: int) -> TableState:
    """A table with a person and bots."""
    chairs = [Chair(0, "person", False, READER, "Ada", None, "")]
    chairs += [Chair(seat, "bot", False, None, "level:3", "level:3", "") for seat in range(1, match.seats)]
    owing = sum(1 << seat for seat in match.to_act)
    stage: Literal["playing", "over"] = "playing" if match.to_act else "over"
    info = TableInfo(
        id="k3",
        game=match.game.name,
        seats=match.seats,
        options=match.options,
        private=False,
        host=READER,
        language="en",
        salt="",
        created=0,
        changed=0,
        state=stage,
        to_act=owing,
        version=serial,
        result=None,
        rematch=None,
        settings=TableSettings(),
        origin=None,
        deal=None,
        chairs=tuple(chairs),
        keys={READER: 0},
    )
    extras = Extras(is_reviewing=stage == "over")
    return TableState(info, match.game, match, frozenset((READER,)), {}, extras=extras, serial=serial)


async def told(film: Film, reader: Reader) -> tuple[str, str]:
    """The page before the moment, and the message that brings it."""
    match, links = film.match(), Links(Keys(b"film"), BASE, "world")
    before, after = state(match.after(match.ply - 1), 1), state(match, 2)
    audience = audience_of(before, READER, reader.language, links)
    shown = await snapshot(before, audience, 0)
    _, sent = await message(after, audience, shown, 0, match.ply - 1)
    page = pages.table(replace(shown.table, reader=reader, number=1, now=0))
    return page, sent.plain.decode().partition("data: ")[2].strip()


def taken(browser: Browser, film: Film, html: str, data: str) -> list[Image.Image]:
    """The pictures of a film: a page, and what it is told."""
    page = browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]})
    page.clock.install(time=0)
    page.add_init_script(STREAM)
    page.route("**/*", partial(serve, html))
    page.goto(f"{BASE}/")
    page.evaluate("() => document.fonts.ready")
    page.clock.pause_at(60_000)
    page.evaluate("data => stream.dispatchEvent(new MessageEvent('table', { data }))", data)
    pictures, read = [], 0
    for at in range(film.pictures):
        pictures.append(picture(page, STEP * at))
        read = read + 1 if page.locator("#stage[open].whole").count() else 0
        if read == READ:
            page.evaluate("stage.close()")
            read = 0
    assert page.evaluate("window.staged"), f"nothing came upon the stage in {film.name}"
    page.close()
    return pictures


def picture(page: Page, time: int) -> Image.Image:
    """The page at a time, and then on to the next one."""
    page.evaluate(TURN, time)
    shot = Image.open(BytesIO(page.screenshot())).convert("RGB").resize(SMALL, Image.Resampling.LANCZOS)
    page.clock.run_for(STEP)
    return shot


def strip(pictures: list[Image.Image]) -> Image.Image:
    """Pictures side by side, row by row."""
    rows = -(-len(pictures) // ACROSS)
    made = Image.new("RGB", (ACROSS * (SMALL[0] + 4) - 4, rows * (SMALL[1] + 4) - 4))
    for at, one in enumerate(pictures):
        made.paste(one, (at % ACROSS * (SMALL[0] + 4), at // ACROSS * (SMALL[1] + 4)))
    return made


def main(part: str = "", folder: str = "") -> None:
    """Take every film whose name has this part, in both themes."""
    where = Path(folder) if folder else HERE
    themes: tuple[Literal["dark", "light"], ...] = ("dark", "light")
    scripts = [(film, theme, f"film-{film.name}-{theme}.webp") for film in FILMS for theme in themes]
    wanted = [
        (film, name, *asyncio.run(told(film, Reader("Ada", "en", theme)))) for film, theme, name in scripts if part in name
    ]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for film, name, html, data in wanted:
            strip(taken(browser, film, html, data)).save(where / name, quality=72, method=6)
            print(name, (where / name).stat().st_size)
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:3])
