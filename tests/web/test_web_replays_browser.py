"""Looking back in a real browser: the scrubber, playing on, a review, a record brought along."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pytest
from browsers import AT_ONCE, PATIENCE, led_on, touch
from playwright.sync_api import Browser, BrowserContext, Page, expect
from visitors import running, sat, serving, settings

from ridotto.core import record
from ridotto.core.match import Match
from ridotto.games import GAMES


def played(name: str, seats: int, seed: int, left: int = 0) -> Match:
    """A match of random play, so many decisions before its end."""
    match, dice = Match(GAMES[name], seats, seed=seed), random.Random(seed)
    while match.to_act:
        seat = dice.choice(match.to_act)
        match.play(dice.choice(match.legal(seat).ids), seat)
    return match.after(match.ply - left)


MATCH = played("fantome", 2, 5)


class House(NamedTuple):
    base: str
    over: str
    """A table whose match is over."""
    ending: str
    """A table a few decisions before the end of its match, which began not long before. The first seat is free."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    data = tmp_path_factory.mktemp("house")

    async def lay() -> tuple[str, str]:
        async with running(settings(data)) as app:
            late = MATCH.onward(MATCH.ply - 6, None, seed=3)
            return (await sat(app, MATCH, "level:1", "level:1")).id, (await sat(app, late, "", "level:1")).id

    # Playwright has a loop of its own in this thread.
    with ThreadPoolExecutor(1) as thread:
        tables = thread.submit(lambda: asyncio.run(lay())).result()
    with serving(data, auto_review=True) as process:
        yield House(process.base, *tables)


@pytest.fixture
def page(browser: Browser, house: House) -> Iterator[Page]:
    """A browser with nothing but our own pages in it; whatever goes wrong there fails the test."""
    context: BrowserContext = browser.new_context(viewport={"width": 1440, "height": 900}, locale="en", reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    page, faults = context.new_page(), list[str]()
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    yield page
    context.close()
    assert [] == [fault for fault in faults if "status of 400" not in fault]  # a browser complains of what is refused, too


def stands_at(page: Page, ply: int, eyes: str) -> None:
    expect(page.locator("#caption .where")).to_contain_text(f"moment {ply} of {MATCH.ply - 1}.")
    assert page.url.endswith(f"?ply={ply}&eyes={eyes}")


def test_replay(page: Page, house: House) -> None:
    """Arrow keys go by entry, Page Down and Shift by round, the slider anywhere; eyes change; the link is the moment."""
    page.goto(f"{house.base}/t/{house.over}")
    with led_on(page):
        page.locator("#ask a", has_text="Replay").click()
    expect(page.locator("#caption .where")).to_contain_text(f"moment {MATCH.ply - 1} of")
    page.goto(f"{house.base}/t/{house.over}/replay?ply=3&eyes=0")
    before = page.locator("#board").inner_html()
    page.keyboard.press("ArrowRight")
    stands_at(page, 4, "0")
    page.keyboard.press("ArrowLeft")
    stands_at(page, 3, "0")
    assert before == page.locator("#board").inner_html()
    numbers = [MATCH.row_after(ply)[MATCH.rules.FIELDS.F.round] for ply in range(MATCH.ply)]
    second, third = numbers.index(2), numbers.index(3)
    page.keyboard.press("PageDown")
    stands_at(page, second, "0")
    page.keyboard.press("Shift+ArrowRight")
    stands_at(page, third, "0")
    page.keyboard.press("PageUp")
    stands_at(page, second, "0")
    page.keyboard.press("End")
    expect(page.locator("#result table")).to_be_visible()
    page.locator("#scrubber input[type=range]").fill("10")
    stands_at(page, 10, "0")
    # The inspector does not see what the phantom sees, at the same moment.
    expect(page.locator("#pane-secret")).to_have_count(0)
    page.locator("#scrubber [data-eyes='1']").click()
    expect(page.locator("#pane-secret")).to_be_visible()
    stands_at(page, 10, "1")
    # The link to the moment leads there.
    link = page.locator(".extras input[readonly]").first.input_value()
    assert link.endswith(f"/t/{house.over}/replay?ply=10&eyes=1")
    page.goto(link)
    stands_at(page, 10, "1")


def test_playing_on(page: Page, house: House) -> None:
    """A moment becomes a table against a bot, and the next decision is asked there; also one that was stepped to."""
    page.goto(f"{house.base}/t/{house.over}/replay?ply=10&eyes=1")
    page.locator("#scrubber input[type=range]").fill("12")
    stands_at(page, 12, "1")
    owing = MATCH.after(13).to_act[0]
    form = page.locator("#onward form")
    form.locator(f"select[name=seat{owing}]").select_option("me")
    form.locator(f"select[name=seat{1 - owing}]").select_option("bot:level:1")
    form.locator("button").click()
    page.wait_for_url(re.compile(r"/t/[^/]+$"))
    assert house.over not in page.url
    expect(page.locator("#ask .asking")).to_be_visible()
    legal = set(MATCH.after(13).legal(owing))
    assert legal == {one.get_attribute("data-do") for one in page.locator("#ask [data-do]").all()}


def test_review(page: Page, house: House) -> None:
    """A review is asked for, made while one watches, and leads from its picture to the moment."""
    page.goto(f"{house.base}/t/{house.over}/review")
    with led_on(page):
        page.get_by_role("button", name="Review this match").click()
    expect(page.locator(".chances-pane svg.wide-chances")).to_be_visible()
    expect(page.locator(".summary li")).to_have_count(2)
    slip = page.locator(".chances-pane svg.wide-chances a").first
    number = int(re.search(r"ply=(\d+)", slip.get_attribute("href") or "")[1])  # type: ignore[index]
    page.locator(".lesson-learned a").first.click()
    expect(page.locator("#caption .where")).to_contain_text(f"moment {number} of")
    # The picture stands beside the replay from now on.
    expect(page.locator(".chances-pane svg.wide-chances .here")).to_have_count(1)


LONG = "The turning point, in round 7: Rosina (yellow) – sell Mozart out of the house in Venezia, for 12 ducats or 6 points. \
Better: sell Beethoven from behind the screen, for 6 ducats or 3 points (17 % more). <a href='/'>Show this moment</a>"
"""As long as such a sentence becomes."""
ASKED_OR_OVER = """() => document.querySelector("#result h2") ? "over"
  : document.querySelector("body:not(.busy) #ask .asking [data-do]") ? "asked" : ""
"""
PLACES = """(html) => new Promise((done) => {
  document.getElementById("turning").innerHTML = `<p>${html}</p>`;
  const measure = () => done([...document.querySelectorAll("#turning, #ask, #log, #news, .pane")].map((one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    return [one.id, left, top, width, height].join(" ");
  }));
  requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(measure)));
})"""
"""Where everything stands once a page tells where its match turned."""


def test_where_a_match_turned_is_told_without_a_click(page: Page, house: House) -> None:
    """Whoever plays a match to its end sees where it turned as soon as that is known, as its review tells it."""
    page.add_init_script(AT_ONCE)
    page.goto(f"{house.base}/t/{house.ending}")
    assert "" == page.locator("#turning").inner_html()
    with led_on(page):
        page.locator("#ask form button").first.click()
    while "over" != page.wait_for_function(ASKED_OR_OVER).json_value():
        before = page.locator("body").get_attribute("data-ply")
        touch(page.locator("#ask [data-do]").first)
        page.wait_for_selector(f'body:not(.busy):not([data-ply="{before}"])', state="attached")
    expect(page.locator("#turning")).to_contain_text(re.compile("^The turning point|^No single move"))
    told = page.locator("#turning p").inner_text()
    with led_on(page):
        page.locator("#ask button", has_text="Review").click()
    expect(page.locator(".lead").first).to_have_text(told)


def test_nothing_moves_when_it_is_told_where_a_match_turned(page: Page, house: House) -> None:
    """There is room for the longest sentence from the first, on every screen."""
    page.goto(f"{house.base}/t/{house.over}")
    for width, height in ((1920, 1080), (1440, 900), (1280, 720), (1024, 768), (820, 1180), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        before = page.evaluate(PLACES, "Looking for the turning point …")
        assert before == page.evaluate(PLACES, LONG), width


def test_a_record_is_brought(page: Page, house: House, tmp_path: Path) -> None:
    """A file becomes a table to look at; one that was changed is refused in words."""
    path = tmp_path / "match.json"
    record.save(played("turandot", 2, 4), path, ["Ada", "Bo"])
    page.goto(f"{house.base}/")
    with led_on(page):
        page.get_by_role("link", name="Open a record").click()
    page.locator("#record-file").set_input_files(path)
    expect(page.locator("#record-text")).not_to_have_value("")
    page.get_by_role("button", name="Open").click()
    page.wait_for_url(re.compile("/replay$"))
    expect(page.locator("#people")).to_contain_text("Ada")
    text = path.read_text("utf-8").replace('"bid', '"bld', 1)
    page.goto(f"{house.base}/records")
    page.locator("#record-text").fill(text)
    with page.expect_response(re.compile("/records$")) as answer:
        page.evaluate("document.querySelector('.record-form').requestSubmit()")
    assert 400 == answer.value.status
    expect(page.locator(".fault")).to_contain_text("was changed")
