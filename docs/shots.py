"""Photographs the web table for the documentation: `python docs/shots.py [part of a name]`.

No server runs: the pages are drawn from prepared matches and handed to a real browser.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import segno
from PIL import Image
from playwright.sync_api import Page, Route, sync_playwright

from ridotto.bots import Budget, find
from ridotto.core import Match
from ridotto.games import GAMES
from ridotto.web import pages
from ridotto.web.rulebook import rulebook
from ridotto.web.scene import Chair, Guest, Lobby, LogLine, Table, TableLine
from ridotto.words import language, say

HERE = Path(__file__).with_name("pictures")
BASE = "http://ridotto.localhost"
CHROMIUM = shutil.which("chromium") or "chromium"
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
DESKTOP, PHONE = (1440, 900), (390, 844)
NAMES = ("Ada", "level:3", "Bruno", "level:2", "Chiara")

Moment = Callable[[Match], bool]


def played(name: str, seats: int, is_there: Moment, seed: int = 3, **options: int) -> Match:
    """A match of sensible play, at the first moment that is wanted."""
    match, bot = Match(GAMES[name], seats, options, seed=seed, clock=lambda: 0.0), find("greedy")
    while match.to_act and not is_there(match):
        seat = match.to_act[0]
        match.play(bot.choose(match.view(seat), Budget(match.ply)), seat)
    return match


def asked(question: str, first: int = 0) -> Moment:
    """The first time that a seat is asked something, from a round on."""

    def is_there(match: Match) -> bool:
        rules = match.game.rules
        return bool(match.row[rules.F.round] >= first and match.row[rules.F.asked] == getattr(rules, question))

    return is_there


def never(match: Match) -> bool:
    return False


def scene(match: Match, guest: Guest, seat: int | None = None) -> Table:
    """A table as whoever must decide sees it; after the end, the first seat."""
    seat = seat if seat is not None else match.to_act[0] if match.to_act else 0
    with language(guest.language):
        view = match.view(seat)
        log = tuple(
            LogLine(one.ply, told["section"], told["text"], one.values.get("seat"))
            for one, told in zip(view.seen, view.events, strict=True)
        )
        people = [NAMES[one] for one in range(match.seats)]
        if people[seat].startswith("level"):
            people[0], people[seat] = people[seat], people[0]
        chairs = tuple(
            Chair(
                one,
                "",
                "bot" if people[one].startswith("level") else "person",
                people[one],
                you=one == seat,
                here=True,
                owing=one in match.to_act,
            )
            for one in range(match.seats)
        )
        link = f"{BASE}/t/k3"
        reach = say("These links work for everybody in the same network as this machine.")
        state: Literal["playing", "over"] = "playing" if match.to_act else "over"
        return Table(guest, "k3", match.game, view, chairs, state, log, {}, False, f"{link}/me/…", link, reach, seated=True)


def lobby(guest: Guest) -> str:
    """The start page with a few tables."""
    fantome = scene(played("fantome", 2, asked("MOVE", 2)), guest)
    opera = scene(played("opera", 3, asked("HIRE", 2)), guest)
    turandot = scene(played("turandot", 3, never), guest)
    free = Chair(2, "", "free", "", open=True)
    yours = TableLine("a", fantome.game, fantome.chairs, "playing", True, True, age=40)
    waiting = TableLine("b", opera.game, (*opera.chairs[:2], free), "open", age=400)
    over = TableLine("c", turandot.game, turandot.chairs, "over", True, age=90_000, result="Ada")
    return pages.lobby(Lobby(guest, tuple(GAMES.values()), (yours,), (waiting,), (over,)))


@dataclass(frozen=True)
class Shot:
    """One photograph: what page, for whom, and what is done before it is taken."""

    name: str
    draw: Callable[[Guest], str]
    language: str = "en"
    theme: Any = "dark"
    size: tuple[int, int] = DESKTOP
    before: Callable[[Page], object] = lambda page: None
    whole: bool = False


def table(name: str, seats: int, is_there: Moment, seed: int = 3) -> Callable[[Guest], str]:
    return lambda guest: pages.table(scene(played(name, seats, is_there, seed), guest))


def sheet(page: Page) -> None:
    page.locator("[data-sheet]").click()


def shots() -> list[Shot]:
    """Every photograph there is."""
    moments: dict[str, tuple[int, dict[str, Moment]]] = {
        "fantome": (2, {"opening": asked("PICK"), "middle": asked("MOVE", 3), "end": never}),
        "opera": (4, {"opening": asked("BID"), "middle": asked("HIRE", 6), "end": never}),
        "turandot": (3, {"opening": asked("AUDITION"), "middle": asked("AUDITION", 6), "end": never}),
    }
    found = []
    for name, (seats, some) in moments.items():
        speech = {"opening": ("en", "dark", "fr"), "middle": ("fr", "light", "nl"), "end": ("nl", "dark", "en")}
        for moment, is_there in some.items():
            wide, theme, narrow = speech[moment]
            draw = table(name, seats, is_there)
            found.append(Shot(f"{name}-{moment}-desktop", draw, wide, theme))
            found.append(Shot(f"{name}-{moment}-phone", draw, narrow, theme, PHONE))
    arranging = table("opera", 3, asked("REARRANGE", 6))
    casting = table("turandot", 3, asked("CAST"))
    reveal = table("turandot", 4, _just_revealed)
    found += [
        Shot("start-desktop", lobby, "en", "dark", whole=True),
        Shot("start-light-desktop", lobby, "fr", "light"),
        Shot("start-phone", lobby, "nl", "dark", PHONE),
        Shot("start-form-phone", lobby, "fr", "light", PHONE, _open_form),
        Shot("opera-middle-dark-desktop", table("opera", 4, asked("HIRE", 6)), "nl", "dark"),
        Shot("turandot-middle-dark-desktop", table("turandot", 5, asked("AUDITION", 5)), "en", "dark"),
        Shot("fantome-middle-dark-desktop", table("fantome", 2, asked("MOVE", 3), 8), "en", "dark"),
        Shot("opera-workshop-desktop", arranging, "fr", "dark", before=sheet),
        Shot("opera-workshop-phone", arranging, "en", "light", PHONE, sheet),
        Shot("turandot-casting-desktop", casting, "nl", "light", before=lambda page: page.locator("[data-hinting]").click()),
        Shot("turandot-casting-phone", casting, "en", "dark", PHONE),
        Shot("turandot-reveal-desktop", reveal, "fr", "dark"),
        Shot("result-desktop", table("turandot", 3, never), "fr", "light", before=_result),
        Shot("result-phone", table("opera", 3, never), "nl", "dark", PHONE, _result),
        Shot("rules-desktop", lambda guest: pages.rules(guest, GAMES["fantome"], rulebook(guest.language, "fantome")), "en"),
        Shot("invitation-phone", _invitation, "fr", "dark", PHONE),
        Shot("fault-phone", lambda guest: pages.fault(guest, 404, "…"), "nl", "light", PHONE),
    ]
    return found


def _just_revealed(match: Match) -> bool:
    return any(one.event.name == "reveals" and one.ply == match.ply - 1 for one in match.view().seen) and match.ply > 30


def _open_form(page: Page) -> None:
    page.locator("#setup-opera summary").click()
    page.locator("#setup-opera").scroll_into_view_if_needed()
    page.locator("#setup-opera [name=seat1]").scroll_into_view_if_needed()


def _result(page: Page) -> None:
    page.locator("#result").scroll_into_view_if_needed()
    page.evaluate("() => document.querySelector('#result').scrollIntoView()")


def _invitation(guest: Guest) -> str:
    found = scene(played("opera", 3, asked("BID")), replace(guest, name="Ada"))
    free = Chair(2, "", "free", "")
    return pages.join(replace(found, guest=guest, chairs=(*found.chairs[:2], free)), free)


def serve(page: str, route: Route) -> None:
    """What the server would answer."""
    path = urlsplit(route.request.url).path
    static = path.removeprefix("/static/")
    if path == "/":
        route.fulfill(body=page, content_type="text/html; charset=utf-8")
    elif static == "boards.css":
        route.fulfill(body=pages.css(), content_type="text/css; charset=utf-8")
    elif path.startswith("/static/"):
        kind = "text/javascript" if static.endswith(".js") else "image/svg+xml"
        route.fulfill(body=(pages.STATIC / static).read_text("utf-8"), content_type=kind)
    elif path.startswith("/fonts/"):
        package = "font_source_serif_pro" if "Serif" in path else "font_source_sans_pro"
        route.fulfill(body=(files(package) / "files" / path.removeprefix("/fonts/")).read_bytes(), content_type="font/otf")
    elif path.endswith("/live"):
        route.fulfill(body="retry: 600000\n\n", content_type="text/event-stream")
    elif path.endswith("/qr.svg"):
        buffer = BytesIO()
        segno.make(BASE, micro=False).save(buffer, kind="svg", scale=4, border=1)
        route.fulfill(body=buffer.getvalue(), content_type="image/svg+xml")
    else:
        route.fulfill(json={})


def main(part: str = "") -> None:
    """Take every photograph whose name has this part."""
    HERE.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for shot in (one for one in shots() if part in one.name):
            guest = Guest("Ada", shot.language, shot.theme, False, "")
            html = shot.draw(guest)
            wide, tall = shot.size
            page = browser.new_page(viewport={"width": wide, "height": tall}, device_scale_factor=1)
            page.route("**/*", partial(serve, html))
            page.goto(f"{BASE}/")
            page.evaluate("() => document.fonts.ready")
            shot.before(page)
            if "table-page" in html:
                page.locator("#offline").evaluate("(one) => one.remove()")
            page.wait_for_timeout(200)
            sideways = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
            image = Image.open(BytesIO(page.screenshot(full_page=shot.whole)))
            image.convert("RGB").save(HERE / f"{shot.name}.png", optimize=True)
            print(f"{shot.name}.png", "" if sideways <= 0 else f"scrolls sideways by {sideways}")
            page.close()
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:2])
