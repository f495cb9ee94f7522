"""A turn is put together on the board in a real browser, in any order that the rulebook leaves free: the same table."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable, Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import pytest
from browsers import AT_ONCE, PATIENCE
from browsers import touch as press
from playwright.sync_api import Browser, Page, expect
from turn_orders import COMPOUND, entered, giry, some_turns
from visitors import Visitor, running, sat, services, serving, settings

from ridotto.core.match import Match
from ridotto.engine.fields import Row, Seat
from ridotto.web.identity import COOKIE

BY_TURNS = "localStorage.setItem('confirm', 'turns'); localStorage.setItem('single', 'off');"
"""Whoever plays here confirms turns of several steps, and answers every question."""


Found = TypeVar("Found")


class Laid(NamedTuple):
    """A table around a match, and the cookie of whoever sits on each seat."""

    id: str
    cookies: tuple[str, ...]


def lay(data: Path, matches: Sequence[Match]) -> list[Laid]:
    """Tables around matches, with people on all seats."""

    async def work() -> list[Laid]:
        found = []
        async with running(settings(data)) as app:
            for match in matches:
                people = [await Visitor(app).__aenter__() for _ in range(match.seats)]
                table = await sat(app, match.after(match.ply), *people)
                found.append(Laid(table.id, tuple(one.cookie for one in people)))
                for one in people:
                    await one.http.aclose()
        return found

    return apart(work)


def rows(data: Path, tables: Sequence[Laid]) -> list[Row]:
    """How the matches at tables stand."""

    async def work() -> list[Row]:
        async with running(settings(data)) as app:
            return [(await services(app).tables.load(one.id)).match.row for one in tables]

    return apart(work)


def apart(work: Callable[[], Coroutine[Any, Any, Found]]) -> Found:
    """Playwright has a loop of its own in this thread."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(work())).result()


@contextmanager
def seated(browser: Browser, base: str, table: Laid, seat: Seat, **given: Any) -> Iterator[Page]:
    """The page of somebody on a seat."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, locale="en", reduced_motion="reduce", **given)
    context.set_default_timeout(PATIENCE)
    context.add_cookies([{"name": COOKIE, "value": table.cookies[seat], "url": base}])
    context.add_init_script(BY_TURNS)
    context.add_init_script(AT_ONCE)
    page, faults = context.new_page(), list[str]()
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    page.goto(f"{base}/t/{table.id}")
    yield page
    context.close()
    assert [] == faults


SETTLED = """
(before) => {
  const now = `${document.body.dataset.ply} ${document.body.dataset.draft ?? ""}`;
  return !document.body.matches(".busy") && now !== before;
}
"""


def state(page: Page) -> str:
    found: str = page.evaluate("() => `${document.body.dataset.ply} ${document.body.dataset.draft ?? ''}`")
    return found


def touch(page: Page, decision: str) -> None:
    """Decide something by touching it on the board; what is not on the board, beside the question."""
    before, (verb, *what) = state(page), decision.split()
    if verb == "arrange":
        arrange(page, decision.removeprefix("arrange "))
        return
    names = [f'[data-do="{decision}"]', f'[data-ahead="{decision}"]']
    if verb == "swap":  # with somebody in his own room Richard stays, whoever it is
        names.append('[data-key="swap-stay"]')
    on_board = [f"#board {one}" for one in names]
    if len(what) == 2 and page.locator(f'#board [data-part="about={what[0]}"]').count():
        press(page.locator(f'#board [data-part="about={what[0]}"]').first)
        names, on_board = [], [f'#board [data-part="choice={what[1]}"]']
    short = f'[data-do="{" ".join((verb, *what[-1:]))}"]'
    for place in (*on_board, f"#board {short}", *(f"#ask {one}" for one in names), f"#ask {short}"):
        if page.locator(place).count():
            press(page.locator(place).first)
            page.wait_for_function(SETTLED, arg=before)
            return
    raise AssertionError(f"nothing on the page stands for {decision!r} after {before!r}")


def arrange(page: Page, programme: str) -> None:
    """Put all pieces behind the screen, then each into its hall, by two clicks each; and hand the sheet in."""
    before = state(page)
    page.locator("[data-sheet]").click()
    sheet = page.locator("#sheet")
    while sheet.locator("[data-slot] [data-chip]").count():
        sheet.locator("[data-slot] [data-chip]").first.click()
        sheet.locator(".void.aside").click()
    for clause in programme.split("; "):
        city, *pieces = clause.split()
        for slot, piece in enumerate(pieces):
            if piece != "-":
                sheet.locator(f'.spare [data-chip="{piece}"]').first.click()
                sheet.locator(f'[data-group="{city}"] [data-slot]').nth(slot).locator("[data-void]").click()
    sheet.locator("[data-send]").click()
    page.wait_for_function(SETTLED, arg=before)


def compose(page: Page, order: Sequence[str]) -> None:
    """Put a turn together and confirm it; a turn of one step needs no confirmation."""
    first = page.locator("body").get_attribute("data-ply")
    for decision in order:
        touch(page, decision)
        if decision != order[-1]:
            assert first == page.locator("body").get_attribute("data-ply"), "nothing has happened at the table"
    if page.locator("body").get_attribute("data-ply") == first:
        page.locator("[data-confirm]").click()
        page.wait_for_selector(f'body:not(.busy):not([data-ply="{first}"])')


@pytest.mark.parametrize("each", [1, pytest.param(20, marks=pytest.mark.soak)])
@pytest.mark.parametrize("game", COMPOUND)
def test_every_order_leads_to_the_same_table(browser: Browser, tmp_path: Path, game: str, each: int) -> None:
    """Decisions touched one by one, those that come early included, and confirmed as one turn."""
    chooser = random.Random(f"{game} touched")
    turns = some_turns(game, each, 81)
    tables = lay(tmp_path, [turn.match for turn in turns])
    early = 0
    with serving(tmp_path) as process:
        for turn, table in zip(turns, tables, strict=True):
            order = entered(turn, chooser)
            early += order != turn.decisions
            with seated(browser, process.base, table, turn.seat) as page:
                compose(page, order)
    assert early, "some order was not that of the rules"
    for turn, row in zip(turns, rows(tmp_path, tables), strict=True):
        assert turn.row == row, turn.decisions


@pytest.fixture(scope="module")
def her_tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Iterator[tuple[str, Laid]]]:
    """A table for each test below: Madame Giry is being played, and the rules ask for her padlock first."""
    data = tmp_path_factory.mktemp("giry")
    tables = lay(data, [giry()] * 3)
    with serving(data) as process:
        yield iter([(process.base, table) for table in tables])


@pytest.fixture
def her_page(browser: Browser, her_tables: Iterator[tuple[str, Laid]]) -> Iterator[Page]:
    base, table = next(her_tables)
    with seated(browser, base, table, 0) as page:
        yield page


def looks(page: Page) -> tuple[str, str]:
    """The board and the question, without what is pointed at or focused."""
    return page.locator("#board").inner_html(), page.locator("#ask").inner_html()


def test_what_came_early_is_drafted_and_taken_back(her_page: Page) -> None:
    """She is drawn where she is going before her padlock is; touched again, or undone, everything is as it was."""
    before, room = looks(her_page), her_page.locator("[data-key=room-1]")
    figure = her_page.locator("[data-key=figure-giry]")
    for back in ("touch", "undo"):
        expect(room).to_have_attribute("aria-pressed", "false")
        touch(her_page, "move 1")
        expect(room).to_have_attribute("aria-pressed", "true")
        expect(room.locator("[data-key=figure-giry]")).to_have_class("active drafted")
        expect(her_page.locator("#question")).to_have_text("Hang the padlock in another corridor.")
        expect(her_page.locator(".draft")).to_contain_text("Madame Giry goes to the room under the stage (1)")
        if back == "touch":
            touch(her_page, "move 1")
        else:
            her_page.locator("[data-undraft]").click()
            her_page.wait_for_selector("body:not(.busy):not([data-draft])")
        expect(her_page.locator("[data-key=room-2] [data-key=figure-giry]")).to_have_count(1)
        assert before == looks(her_page)
    expect(figure).to_have_class("active")


def test_a_turn_is_put_together_by_the_keyboard(her_page: Page) -> None:
    """What is lit ahead is a button, on the board and in the list; Enter decides, and Enter confirms."""
    first = her_page.locator("body").get_attribute("data-ply") or ""
    her_page.locator("[data-key=room-1]").focus()
    her_page.keyboard.press("Enter")
    her_page.wait_for_selector('body:not(.busy)[data-draft="move 1"]')
    her_page.locator('#ask [data-do="lock 4-8"]').focus()
    her_page.keyboard.press("Enter")
    expect(her_page.locator("[data-confirm]")).to_be_focused()
    expect(her_page.locator("#announce")).to_have_text(re.compile(r"Madame Giry goes from .* Your turn is ready[.]$"))
    assert first == her_page.locator("body").get_attribute("data-ply")
    her_page.keyboard.press("Enter")
    her_page.wait_for_selector(f'body:not(.busy):not([data-draft])[data-ply="{int(first) + 2}"]')


def test_the_list_has_what_may_be_decided_ahead(her_page: Page) -> None:
    """Whoever does not see the board finds the same under the answers."""
    her_page.locator("#ahead summary").click()
    her_page.get_by_role("button", name="Madame Giry goes to the room under the stage (1)").last.click()
    her_page.wait_for_selector('body:not(.busy)[data-draft="move 1"]')
