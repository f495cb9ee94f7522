"""A turn by touching the thing, in a real browser: composed on the table, taken once, seen without scrolling."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import permutations
from typing import Any

import pytest
from browsers import ASKED, LAID_OUT, Guests, changed, ply, sit_down, touch
from playwright.sync_api import Page, expect
from visitors import House, running, sat, serving, settings

from ridotto.core.match import Match
from ridotto.games import GAMES


def asked(name: str, seats: int, question: str, least: int = 1) -> Match:
    """A match of random play in which the first seat is asked something for the first time from a round on."""
    rules: Any = GAMES[name].rules
    for seed in range(50):
        match, dice = Match(GAMES[name], seats, seed=seed), random.Random(seed)
        while match.to_act:
            here = match.row[rules.F.asked] == getattr(rules, question) and match.row[rules.F.round] >= least
            if here and 0 in match.to_act and len(match.legal(0)) > 1:
                return match
            seat = dice.choice(match.to_act)
            match.play(dice.choice(match.legal(seat)), seat)
    raise AssertionError("no such moment")


def prepared() -> dict[str, Match]:
    return {
        "bid": Match(GAMES["turandot"], 3, {"blind": 1}, seed=3),
        "bid again": Match(GAMES["turandot"], 3, {"blind": 1}, seed=4),
        "bid purse": Match(GAMES["turandot"], 2, {"blind": 1}, seed=5),
        "hire purse": asked("opera", 2, "HIRE", 5),
        "build": asked("opera", 3, "BUILD", 2),
        "move": asked("fantome", 2, "MOVE", 2),
        "pick": asked("fantome", 2, "PICK", 2),
        "hire": asked("opera", 4, "HIRE", 5),
        "cast": asked("turandot", 3, "CAST"),
    }


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    data = tmp_path_factory.mktemp("house")

    async def lay() -> dict[str, str]:
        async with running(settings(data)) as app:
            return {name: (await sat(app, one, *[""] * one.seats)).id for name, one in prepared().items()}

    with ThreadPoolExecutor(1) as thread:  # Playwright has a loop of its own in this thread
        tables = thread.submit(lambda: asyncio.run(lay())).result()
    with serving(data) as process:
        yield House(process.base, tables)


def seated(guests: Guests, house: House, name: str, width: int = 1280, height: int = 720) -> Page:
    """Somebody on the first seat, who is asked."""
    page = guests(f"/t/{house.tables[name]}", width=width, height=height)
    sit_down(page)
    if page.locator(ASKED).count() == 0:  # the table waits for the others
        for _ in range(GAMES[page.locator("body").get_attribute("data-game") or ""].seats[-1]):
            other = guests(f"/t/{house.tables[name]}", width=width, height=height)
            if other.locator("#ask form button").count():
                sit_down(other)
    expect(page.locator(ASKED)).to_be_visible()
    return page


PARTS = ("number=2", "money=1", "bluff=bluff")


@pytest.mark.parametrize("table", ["bid", "bid again"])
def test_a_bid_is_composed_on_the_table_in_any_order(table: str, guests: Guests, house: House) -> None:
    """§4.2: a singer, a money card and the bluff card, touched in whatever order, are the same bid; and there is a way back."""
    page = seated(guests, house, table)
    ready = page.locator(".picks .button:visible")
    expect(ready).to_have_count(0)
    for order in permutations(PARTS):
        for part in order:
            touch(page.locator(f'#pane-hand [data-part="{part}"]'))
        expect(ready).to_have_attribute("data-do", "bid 2 1 bluff")
        for part in ("money=1", "bluff=bluff"):
            touch(page.locator(f'#pane-hand [data-part="{part}"]'))
        expect(ready).to_have_attribute("data-do", "bid 2 0 plain")
    page.locator('#pane-singers-1 [data-part="number=3"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator('#pane-singers-1 [data-part="number=3"]')).to_have_attribute("aria-pressed", "true")
    expect(ready).to_have_attribute("data-do", "bid 3 0 plain")
    before = ply(page)
    ready.click()
    changed(page, before)


def test_a_fresh_question_takes_no_click_where_the_last_one_fell(guests: Guests, house: House) -> None:
    """Two quick clicks at the same place are one action; somewhere else, or a moment later, the next one counts."""
    page = seated(guests, house, "pick")
    # The same button would stand for another action after the first click.
    page.evaluate("""() => {
        window.taken = [];
        const ask = document.getElementById("ask");
        const button = (does) => `<button class="button" data-do="${does}">x</button>`;
        const put = (does) => (ask.innerHTML = `<div class="asking"><h2>?</h2>${button(does)}</div>`);
        put("one");
        document.addEventListener("click", (event) => {
            const does = event.target.closest("[data-do]")?.dataset.do;
            if (!does) return;
            event.stopImmediatePropagation();
            window.taken.push(does);
            put(does + " more");
        });
    }""")
    page.route("**/preview*", lambda route: route.fulfill(json={}))
    page.route("**/act", lambda route: route.fulfill(status=204))
    box = page.locator("#ask .button").bounding_box()
    assert box
    x, y = box["x"] + 5, box["y"] + 5
    page.wait_for_timeout(700)  # the guard is off after 600 milliseconds
    page.mouse.click(x, y)
    page.mouse.click(x, y)
    assert ["one"] == page.evaluate("() => window.taken")
    page.wait_for_timeout(700)
    page.mouse.click(x, y)
    assert ["one", "one more"] == page.evaluate("() => window.taken")


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1024, 768)])
@pytest.mark.parametrize("table", ["build", "move", "hire", "cast"])
def test_the_question_and_its_targets_are_seen_without_scrolling(
    table: str, width: int, height: int, guests: Guests, house: House
) -> None:
    """Everything that can be chosen lies within the window, and can be read: its texts are at least 12 pixels high."""
    page = guests(f"/t/{house.tables[table]}", width=width, height=height)
    if page.locator("#ask form button").count():
        sit_down(page)
    targets = "#board [data-do], #board [data-part]"
    page.wait_for_function(LAID_OUT)
    outside = page.locator(f"{targets}, #ask, .pane").evaluate_all(
        """(all) => all.filter((one) => {
            const at = one.getBoundingClientRect();
            return at.width > 1 && (at.top < -1 || at.left < -1 || at.right > innerWidth + 1 || at.bottom > innerHeight + 1);
        }).map((one) => one.id || one.dataset.do)"""
    )
    assert [] == outside


@pytest.mark.parametrize("table", ["bid purse", "hire purse"])
def test_the_purse_stands_clear_of_the_aids(table: str, guests: Guests, house: House) -> None:
    """On a phone, ducats, points and money cards are read beside the buttons for help, not under them."""
    page = seated(guests, house, table, 390, 844)
    for width in (390, 360):
        page.set_viewport_size({"width": width, "height": 844})
        purse = page.locator(".purse").bounding_box()
        assert purse and purse["width"] > 40
        for aid in page.locator(".aid").all():
            box = aid.bounding_box()
            assert box
            is_beside = box["x"] >= purse["x"] + purse["width"] or box["x"] + box["width"] <= purse["x"]
            assert is_beside or box["y"] >= purse["y"] + purse["height"], (width, box, purse)


@pytest.mark.parametrize("table", ["hire", "bid"])
def test_everybody_stands_in_one_row_on_a_tablet(table: str, guests: Guests, house: House) -> None:
    """At 1024 pixels three or four names, with their scores, are one row above the board."""
    page = guests(f"/t/{house.tables[table]}", width=1024, height=768)
    assert 1 == len(set(page.locator(".person").evaluate_all("all => all.map((one) => one.getBoundingClientRect().top)")))
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_a_picture_of_the_table_is_downloaded(guests: Guests, house: House) -> None:
    """A file that shows the table as the reader may see it, from the table and from a moment of the replay."""
    page = guests(f"/t/{house.tables['move']}")
    for path in ("", "/replay?ply=3"):
        page.goto(f"{guests.base}/t/{house.tables['move']}{path}")
        with page.expect_download() as told:
            page.get_by_role("link", name="Download picture").click()
        text = told.value.path().read_text("utf-8")
        assert text.startswith("<svg") and "data-do" not in text
