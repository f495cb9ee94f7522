"""Every control that is seen is under the pointer where it is drawn: in a real browser, on every page, at four widths."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from browsers import AT_ONCE, LAID_OUT, PATIENCE, led_on
from playwright.sync_api import Browser, BrowserContext, Page, expect
from starlette.routing import compile_path
from visitors import Visitor, running, sat, services, serving, settings

from ridotto.bots import review
from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.web.clocks import Terms
from ridotto.web.identity import COOKIE, load_host_key
from ridotto.web.server.app import create_app, endpoints
from ridotto.web.storage.offers import Offer, set_offer
from ridotto.web.storage.table_settings import TableSettings
from ridotto.web.storage.tables import set_settings, set_stand_in

WIDTHS = {1440: 900, 1366: 768, 1024: 768, 390: 844}
PRESSED = 4
"""Controls of a page at each width on which the mouse is pressed as well."""

COVERED = """() => {
  const CONTROLS = "a[href], button, select, input, textarea, summary, [role=button], [data-do], [data-part], [data-ahead]";
  const OPENED = ".handover, .drawer, .line-menu, #beside"; // what a reader opens, and closes again, lies over the rest
  const AWAY = "[inert], .unseen, .skip, .slot:has(.chip) .void"; // a place on which a piece lies is no place to click
  const SHAPE = [.1, .26, .42, .5, .58, .74, .9];
  const FIVE = [[.5, .5], [.3, .3], [.7, .3], [.3, .7], [.7, .7]];
  const name = (one) => {
    const words = one.getAttribute("aria-label") || one.textContent.trim() || one.getAttribute("name") || "";
    const kind = [one.tagName.toLowerCase(), ...one.classList].join(".") + (one.id && `#${one.id}`);
    return `${kind} “${words.replace(/\\s+/g, " ").slice(0, 40)}”`;
  };
  const dialog = [...document.querySelectorAll("dialog:modal")].at(-1);
  const isDrawn = (one) => {
    const { width, height } = one.getBoundingClientRect();
    if (width < 3 || height < 3 || one.disabled || one.type === "hidden" || one.closest(AWAY)) return false;
    if (getComputedStyle(one).clipPath.startsWith("inset(50%")) return false;
    return one.checkVisibility({ visibilityProperty: true }) && (!dialog || dialog.contains(one));
  };
  const isIt = (one, hit) => Boolean(hit) && (one.contains(hit)
    || hit.contains(one) && hit.matches("a[href], button, label, summary")
    || [...(one.labels ?? [])].some((label) => label.contains(hit)));
  const isUnderOpened = (one, hit) => hit?.closest(OPENED) && !hit.closest(OPENED).contains(one);
  const found = [];
  const reached = [];
  let count = 0;
  for (const one of document.querySelectorAll(CONTROLS)) {
    // A box that is not drawn itself is reached by its label.
    const drawn = isDrawn(one) ? one : [...(one.labels ?? [])].find((label) => !one.disabled && isDrawn(label));
    if (!drawn) continue;
    count++;
    drawn.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    // What is drawn on a board has a shape of its own, and pieces stand on it: one place of many will do there.
    const isShape = drawn instanceof SVGElement;
    const boxes = isShape ? [drawn.getBoundingClientRect()] : [...drawn.getClientRects()];
    const box = boxes.sort((a, b) => b.width * b.height - a.width * a.height)[0];
    const places = isShape ? SHAPE.flatMap((x) => SHAPE.map((y) => [x, y])) : FIVE;
    const hits = places.map(([x, y]) => document.elementFromPoint(box.left + box.width * x, box.top + box.height * y));
    const missed = hits.filter((hit) => !isIt(one, hit) && !isUnderOpened(one, hit));
    const place = places.find((_, at) => isIt(one, hits[at]));
    if (place) reached.push({ one, drawn, place });
    if (isShape ? missed.length < hits.length : !missed.length) continue;
    const what = missed.map((hit) => (hit ? name(hit) : "outside the window"));
    found.push(`${name(one)} is under ${[...new Set(what)].slice(0, 2).join(" and ")}`);
  }
  scrollTo(0, 0);
  window.controls = { reached, isIt, name };
  return [count, found, reached.length];
}"""
"""How many controls are seen, which of them the pointer does not reach at their middle and at four places inside, and how many
it reaches somewhere."""

LISTEN = """() => {
  for (const kind of ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "auxclick"]) {
    addEventListener(kind, (event) => {
      if (!window.controls) return;
      if (kind === "click") window.controls.pressed = event.target;
      event.preventDefault();
      event.stopImmediatePropagation();
    }, true);
  }
}"""
"""Notes on what a press of the mouse falls; nothing comes of it once the controls are counted."""

AIM = """(at) => {
  const { drawn, place: [x, y] } = window.controls.reached[at];
  drawn.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  const boxes = drawn instanceof SVGElement ? [drawn.getBoundingClientRect()] : [...drawn.getClientRects()];
  const box = boxes.sort((a, b) => b.width * b.height - a.width * a.height)[0];
  window.controls.pressed = null;
  return [box.left + box.width * x, box.top + box.height * y];
}"""
"""Where the mouse is to be pressed to reach a control."""

MISSED = """(at) => {
  const { reached, isIt, name, pressed } = window.controls;
  const hit = pressed ? name(pressed) : "nothing";
  return isIt(reached[at].one, pressed) ? "" : `${name(reached[at].one)} was pressed, and ${hit} was hit`;
}"""
"""What a press has hit instead of a control; "" if it was that."""

STILL = """() => new Promise((done) => {
  const parts = () => [...document.querySelectorAll("#news, #ask, .pane, main > *")];
  const all = () => parts().map((one) => JSON.stringify(one.getBoundingClientRect())).join();
  const later = (look) => requestAnimationFrame(() => requestAnimationFrame(look));
  let before = all();
  const look = () => (before === (before = all()) ? done(true) : later(look));
  later(look);
})"""
"""Whether nothing moves any more."""


class House(NamedTuple):
    base: str
    tables: dict[str, str]
    cookie: str
    key: str
    """The host's key."""
    links: dict[str, str]
    """The addresses of pages that open with a token."""


def asked(name: str, seats: int, question: str, least: int = 1) -> Match:
    """A match of random play in which the first seat is asked something, from a round on."""
    rules: Any = GAMES[name].rules
    for seed in range(80):
        match, dice = Match(GAMES[name], seats, seed=seed), random.Random(seed)
        while match.to_act:
            is_it = match.row[rules.F.asked] == getattr(rules, question) and match.row[rules.F.round] >= least
            if is_it and 0 in match.to_act and len(match.legal(0)) > 1:
                return match
            seat = dice.choice(match.to_act)
            match.play(dice.choice(match.legal(seat)), seat)
    raise AssertionError("no such moment")


def over(name: str, seats: int) -> Match:
    match, dice = Match(GAMES[name], seats, seed=5), random.Random(5)
    while match.to_act:
        seat = dice.choice(match.to_act)
        match.play(dice.choice(match.legal(seat)), seat)
    return match


def bids() -> Match:
    match = Match(GAMES["opera"], 2, seed=1)
    match.play("bid 3", 0)
    match.play("bid 5", 1)
    return match


def prepared() -> dict[str, Match]:
    """Tables at which the reader has the first seat."""
    return {
        "fantome pick": asked("fantome", 2, "PICK", 2),
        "fantome move": asked("fantome", 2, "MOVE", 2),
        "opera bid": asked("opera", 4, "BID", 3),
        "opera hire": asked("opera", 4, "HIRE", 5),
        "opera build": asked("opera", 3, "BUILD", 3),
        "opera arrange": asked("opera", 3, "REARRANGE", 4),
        "turandot audition": asked("turandot", 3, "AUDITION", 3),
        "turandot cast": asked("turandot", 5, "CAST"),
        "fantome over": over("fantome", 2),
        "opera over": over("opera", 4),
        "turandot over": over("turandot", 3),
    }


AGREED: dict[str, TableSettings] = {
    "opera bid": TableSettings(clock=Terms("match", 3600, 60), takebacks="consent"),
    "turandot audition": TableSettings(hints="all", guide=True),
    "fantome move": TableSettings(hints="all"),
}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    data = tmp_path_factory.mktemp("clicks")

    async def lay() -> tuple[dict[str, str], str, dict[str, str]]:
        tables = {}
        async with running(settings(data)) as app, Visitor(app) as me, Visitor(app) as other:
            writer, storage = services(app).writer, services(app).storage
            for name, match in prepared().items():
                table = await sat(app, match, me, *[other] * (match.seats - 1))
                await writer.change(table, [set_settings(table.id, AGREED.get(name, TableSettings()))])
                tables[name] = table.id
            await storage.reviews.save(tables["fantome over"], review.assemble_review(over("fantome", 2), "search:20", []))
            for name in ("asking", "asked", "stand-in"):
                table = await sat(app, bids(), me, other)
                tables[name] = table.id
                given = (
                    Offer("takeback", 0, 0, table.match.ply)
                    if name == "asking"
                    else Offer("takeback", 1, 1, table.match.ply, agreed=2)
                )
                if name == "stand-in":
                    await writer.change(table, [], only_if=set_stand_in(table.id, 0, "level:1"))
                else:
                    await writer.change(table, set_offer(table.id, given))
            tables["watched"] = (await sat(app, asked("opera", 2, "HIRE", 2), other, other)).id
            tables["open"] = await me.create("turandot", "me", "friend", "open", commitment="0" * 64)
            tables["one device"] = await me.create("fantome", "me", "here", names="Bruno")
            for text in (
                "Toi, toi, toi!",
                "A rather long line of which nobody knows whether it stays within the drawer of the chat",
            ):
                await other.post(f"/t/{tables['fantome pick']}/talk", {"text": text})
            page = (await me.get(f"/t/{tables['open']}")).text
            invitation = next(part.split('"')[0] for part in page.split('value="')[1:] if "/sit/" in part.split('"')[0])
            links = {"invitation": invitation[invitation.index("/t/") :]}
            private = await sat(app, bids(), other, other, private=True)
            token, salt = services(app).keys.token, private.info.chairs[0].salt
            links["seat on another device"] = f"/t/{private.id}/me/{token('me', private.id, 0, salt)}"
            links["watching"] = f"/t/{private.id}/watch/{token('watch', private.id, -1, private.info.salt)}"
            async with Visitor(app) as member:
                assert 200 == (await member.post("/me/codes", {"name": "Rosamunde"})).status_code
            return tables, me.cookie, links

    with ThreadPoolExecutor(1) as thread:  # Playwright has a loop of its own in this thread
        tables, cookie, links = thread.submit(lambda: asyncio.run(lay())).result()
    with serving(data) as process:
        yield House(process.base, tables, cookie, load_host_key(data), links)


@pytest.fixture(scope="module")
def reader(browser: Browser, house: House) -> Iterator[BrowserContext]:
    """Whoever has the first seat at all tables."""
    context = browser.new_context(locale="en", reduced_motion="reduce", color_scheme="dark")
    context.set_default_timeout(PATIENCE)
    context.add_cookies([{"name": COOKIE, "value": house.cookie, "url": house.base}])
    context.add_init_script("try { localStorage.getItem('single') ?? localStorage.setItem('single', 'off') } catch {}")
    context.add_init_script(AT_ONCE)
    context.add_init_script(f"({LISTEN})()")
    yield context
    context.close()


def faults(page: Page) -> list[str]:
    """The controls that the pointer does not reach, at all widths of the window."""
    found = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": WIDTHS[width]})
        page.wait_for_function(STILL)
        count, covered, reached = page.evaluate(COVERED)
        assert count, "nothing to click"
        found += [f"{width}: {one}" for one in covered]
        some = random.Random(f"{page.url} {width}").sample(range(reached), min(reached, PRESSED))
        found += [f"{width}: {missed}" for at in some if (missed := press(page, at))]
        page.evaluate("() => { delete window.controls; scrollTo(0, 0) }")
    return found


def press(page: Page, at: int) -> str:
    """Press the mouse over one of the controls that were counted; what was hit instead, "" if it was that."""
    page.mouse.click(*page.evaluate(AIM, at))
    missed: str = page.evaluate(MISSED, at)
    return missed


def opened(reader: BrowserContext, address: str, width: int = 1440) -> Page:
    page = reader.new_page()
    page.set_viewport_size({"width": width, "height": WIDTHS[width]})
    page.goto(address)
    return page


# Tables.


def nothing(page: Page) -> None:
    pass


def open_chat(page: Page) -> None:
    page.locator(".talk > summary").click()
    expect(page.locator(".talk-form")).to_be_visible()


def open_settings(page: Page) -> None:
    page.locator("#settings > summary").click()


def draft(page: Page) -> None:
    """Decide something that waits to be confirmed."""
    page.evaluate("() => localStorage.setItem('confirm', 'every')")
    page.locator("#ask button[data-do]").first.click()
    expect(page.locator("body[data-draft]:not(.busy)")).to_have_count(1)


def open_sheet(page: Page) -> None:
    page.locator("[data-sheet]").first.click()
    expect(page.locator("#sheet")).to_be_visible()


def look_back(page: Page) -> None:
    page.locator("[data-reel=back]").click()
    expect(page.locator("body.past")).to_have_count(1)


def open_rules(page: Page) -> None:
    page.locator("#aid-rules").click()
    expect(page.locator("#beside .here")).to_be_visible()


STATES: list[tuple[str, Callable[[Page], None]]] = [
    *((name, nothing) for name in prepared()),
    *((name, nothing) for name in ("asking", "asked", "stand-in", "watched", "open", "one device")),
    ("fantome pick", open_chat),
    ("opera hire", open_settings),
    ("fantome pick", draft),
    ("opera arrange", open_sheet),
    ("turandot audition", look_back),
    ("fantome move", open_rules),
]


@pytest.mark.parametrize(("name", "act"), STATES, ids=[f"{name}, {act.__name__}" for name, act in STATES])
def test_tables(name: str, act: Callable[[Page], None], reader: BrowserContext, house: House) -> None:
    """At a table, in whatever state, nothing lies over anything that can be clicked."""
    page = opened(reader, f"{house.base}/t/{house.tables[name]}")
    page.wait_for_function(f"() => document.querySelector('.handover') || ({LAID_OUT})()")
    act(page)
    found = faults(page)
    page.evaluate("() => localStorage.removeItem('confirm')")
    page.close()
    assert [] == found


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["fantome pick", "opera hire"])
def test_the_mouse_goes_through_the_match(name: str, width: int, reader: BrowserContext, house: House) -> None:
    """Back, on, and, where it is offered, Watch again do what they say when a mouse is pressed over them."""
    page = opened(reader, f"{house.base}/t/{house.tables[name]}", width)
    page.wait_for_function(STILL)

    def press(what: str) -> None:
        button = page.locator(f"[data-reel={what}]")
        expect(button).to_be_enabled()
        box = button.bounding_box()
        assert box
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    before = page.locator("#since").inner_text()
    press("back")
    expect(page.locator("body.past")).to_have_count(1)
    expect(page.locator("#then")).to_be_visible()
    press("back")
    press("on")
    expect(page.locator("body.past")).to_have_count(1)
    press("now")
    expect(page.locator("body.past")).to_have_count(0)
    assert before == page.locator("#since").inner_text()
    if page.locator("[data-reel=watch]").is_visible():
        page.evaluate("() => (window.beats = 0, document.addEventListener('beat', () => window.beats++))")
        press("watch")
        page.wait_for_function("() => window.beats || document.querySelector('#stage[open], body.behind, body.past')")
    elif width != 390:
        raise AssertionError("there is nothing to watch again")
    page.close()


# Everything else.

OFTEN = {"lobby": "/", "replay": "/t/{fantome over}/replay?ply=7&eyes=1"}
RARELY = {
    "review": "/t/{fantome over}/review",
    "no review yet": "/t/{opera over}/review",
    "replay of another game": "/t/{turandot over}/replay",
    "rules": "/rules/en/fantome",
    "lesson": "/learn/fantome/3",
    "lesson of another game": "/learn/opera/4",
    "puzzle": "/puzzles/turandot/1",
    "box": "/box/turandot",
    "verify": "/verify",
    "records": "/records",
    "about": "/about",
    "privacy": "/privacy",
    "account": "/me",
    "sign in": "/signin",
    "one's matches": "/matches",
    "ratings": "/ratings",
    "a player": "/p/Rosamunde",
    "one's own data": "/me/delete",
    "no such page": "/nowhere",
}


NO_PAGES = {
    "/card/{lang}/{game}.png",
    "/learn/{game}",
    "/learn/{game}/{step:int}/cannot",
    "/learn/{game}/{step:int}/preview",
    "/learn/{game}/{step:int}/why",
    "/matches/records.zip",
    "/me/export",
    "/puzzles/{game}",
    "/t/{id}/cannot",
    "/t/{id}/deal",
    "/t/{id}/glance",
    "/t/{id}/hint",
    "/t/{id}/ledger",
    "/t/{id}/live",
    "/t/{id}/picture.svg",
    "/t/{id}/preview",
    "/t/{id}/qr.svg",
    "/t/{id}/record",
    "/t/{id}/replay/moment",
    "/t/{id}/replay/scene",
    "/t/{id}/review/progress",
    "/t/{id}/why",
}
"""Addresses where there is nothing to click: data, pictures, ways to another page."""


def test_every_page_is_pointed_at(house: House, tmp_path: Path) -> None:
    """Each address that gives a page is among those that are looked at here."""
    tables = [f"/t/{table}" for table in house.tables.values()]
    others = [path.format_map(house.tables).partition("?")[0] for path in (OFTEN | RARELY).values()]
    looked_at = [*tables, *others, *house.links.values(), "/host"]
    given = {one.path for one in endpoints(services(create_app(settings(tmp_path)))) if one.method == "GET"}
    patterns = {path: compile_path(path)[0] for path in given}
    assert given >= NO_PAGES
    assert NO_PAGES == {path for path, pattern in patterns.items() if not any(map(pattern.match, looked_at))}


COVER = "document.body.append(Object.assign(document.createElement('div'), { style: 'position: fixed; inset: 0' }))"


@pytest.mark.parametrize("when", ["always", "under the pointer"])
def test_what_lies_over_a_page_is_found(when: str, reader: BrowserContext, house: House) -> None:
    """Whether it is there from the first, or comes when the mouse does."""
    page = opened(reader, f"{house.base}/about")
    page.evaluate(f"() => {COVER}" if when == "always" else f"() => addEventListener('mousemove', () => {COVER})")
    assert faults(page)
    page.close()


def test_the_start_page_and_a_replay(reader: BrowserContext, house: House) -> None:
    """What everybody sees, at all widths."""
    found = {}
    for name, path in OFTEN.items():
        page = opened(reader, house.base + path.format_map(house.tables))
        found[name] = faults(page)
        page.close()
    assert {} == {name: lines for name, lines in found.items() if lines}


@pytest.mark.parametrize("game", ["fantome", "opera", "turandot"])
def test_the_form_of_a_new_table(game: str, reader: BrowserContext, house: House) -> None:
    """The form with everything open in it."""
    page = opened(reader, house.base)
    page.locator(f"#setup-{game} summary").click()
    page.locator(f"#setup-{game} [name=clock]").select_option("match:600")
    page.locator(f"#setup-{game} [name=seat1]").select_option("here")
    found = faults(page)
    page.close()
    assert [] == found


def test_other_pages(reader: BrowserContext, house: House) -> None:
    """Every other page."""
    found = {}
    paths = {name: path.format_map(house.tables) for name, path in RARELY.items()} | house.links
    for name, path in paths.items():
        page = opened(reader, house.base + path)
        found[name] = faults(page)
        page.close()
    page = opened(reader, f"{house.base}/host")
    if page.locator("input[name=key]").count():
        page.locator("input[name=key]").fill(house.key)
        with led_on(page):
            page.locator("input[name=key]").press("Enter")
    else:
        page.goto(f"{house.base}/host/{house.key}")
    expect(page.locator("button[name=do], [name=do]").first).to_be_attached()
    found["host"] = faults(page)
    page.close()
    assert {} == {name: lines for name, lines in found.items() if lines}
