"""Beats in a real browser, with messages of the test's own: how long they are held, what skips them, and the way back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from evenings import SHOWN, STREAM, Evening, evening, opened
from playwright.sync_api import Browser, Page, Route, expect

from ridotto.games import GAMES
from ridotto.web.pages.assets import script

SEND = "data => stream.dispatchEvent(new MessageEvent('table', { data }))"
CLOSE = """() => new Promise((done) => {
    const stage = document.querySelector("#stage");
    stage.addEventListener("close", () => done(), { once: true });
    stage.close();
})"""
"""Leave the stage, and wait until the page has heard that: a browser tells it a while later."""
PACE = "pace => localStorage.setItem('pace', pace)"


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    """A match of Le Fantôme as the inspector is sent it."""
    return evening(tmp_path_factory.mktemp("match"), "fantome", 2, 0, "en", 3)


@pytest.fixture
def table(browser: Browser, match: Evening) -> Iterator[Callable[..., Page]]:
    """A page at the beginning of it, at a pace, with a clock that the test turns."""
    contexts = []

    def sit(pace: str, **given: Any) -> Page:
        chosen: dict[str, Any] = {"reduced_motion": "reduce", "viewport": {"width": 1440, "height": 900}} | given
        context = browser.new_context(**chosen)
        contexts.append(context)
        page = context.new_page()
        page.clock.install(time=1_000_000)
        page.add_init_script(STREAM)
        page.add_init_script(f"localStorage.setItem('pace', '{pace}'); localStorage.setItem('call', 'off')")
        page.add_init_script(
            "window.shown = []; document.addEventListener('beat', ({ detail }) => shown.push([detail.first, detail.ply]))"
        )

        def answer(route: Route) -> None:
            path = route.request.url.partition("://")[2].partition("/")[2].partition("?")[0]
            if path == "t/x":
                route.fulfill(body=match.first, content_type="text/html")
            elif path.endswith(".js"):
                route.fulfill(body=script(path.rpartition("/")[2]), content_type="text/javascript")
            elif path.endswith("/replay/scene"):
                ply = int(route.request.url.partition("ply=")[2])
                scene = {"whole": True, "panels": [], "items": []}
                told = {
                    "ply": ply,
                    "scene": scene,
                    "lines": [f"Then: {ply}."],
                    "before": ply - 1 if ply else None,
                    "after": ply + 1,
                }
                route.fulfill(body=json.dumps(told), content_type="application/json")
            else:
                route.fulfill(status=404)

        page.route("**/*", answer)
        page.goto("http://table.test/t/x")
        page.clock.pause_at(2_000_000)
        return page

    yield sit
    for context in contexts:
        context.close()


def ply(page: Page) -> int:
    return int(page.locator("body").get_attribute("data-ply") or 0)


def plies(match: Evening, count: int) -> list[int]:
    return [json.loads(one)["ply"] for one in match.messages[:count]]


def beginning(match: Evening, count: int) -> tuple[list[str], list[int]]:
    """The first messages, up to so many that tell a beat, and the plies of these. Who is there may be told on its own."""
    ends = [at for at, one in enumerate(match.messages) if json.loads(one).get("beat")][:count]
    assert count == len(ends)
    return match.messages[: ends[-1] + 1], [json.loads(match.messages[at])["ply"] for at in ends]


def test_a_beat_is_held(table: Callable[..., Page], match: Evening) -> None:
    """Of messages that come at once the first is shown; the next beat follows after its time, and none is left out."""
    page = table("normal")
    messages, told = beginning(match, 6)
    assert 1 < told[0], "the first beat tells the first decision"
    for one in messages:
        page.evaluate(SEND, one)
    assert told[0] == ply(page), "the first is shown at once"
    expect(page.locator("#reel .lag b")).to_have_text(str(told[5] - told[0]))
    page.clock.run_for(400)
    assert told[0] == ply(page), "it can still be read"
    page.clock.run_for(20_000)
    if page.locator("#stage[open]").count():
        page.keyboard.press("Escape")
        page.clock.run_for(20_000)
    assert told[5] == ply(page)
    assert [one for first, stop in page.evaluate("shown") for one in range(first, stop)] == list(range(1, told[5]))
    expect(page.locator("#reel .lag")).to_be_hidden()


@pytest.mark.parametrize("way", ["space", "click", "button"])
def test_what_is_held_can_be_skipped(way: str, table: Callable[..., Page], match: Evening) -> None:
    """The space bar or a click beside everything else shows the next beat; the button shows all."""
    page = table("slow")
    messages, told = beginning(match, 5)
    for one in messages:
        page.evaluate(SEND, one)
    assert told[0] == ply(page)
    if way == "space":
        page.keyboard.press(" ")
    elif way == "click":
        page.locator("#board").dispatch_event("click")
    else:
        page.locator("[data-reel=now]").click()
    assert (told[4] if way == "button" else told[1]) == ply(page)


def test_a_space_that_comes_too_late_scrolls_nothing(table: Callable[..., Page], match: Evening) -> None:
    """Just after the last beat the space bar does nothing; a while later it scrolls the page, as everywhere."""
    page = table("normal", viewport={"width": 390, "height": 500})
    scrolled = "() => new Promise((done) => setTimeout(() => done(scrollY), 0))"
    page.clock.resume()
    messages, told = beginning(match, 1)
    for one in messages:
        page.evaluate(SEND, one)
    assert told[0] == ply(page)
    page.evaluate("scrollTo(0, 0); window.late = 0; addEventListener('keydown', (event) => (late += event.defaultPrevented))")
    page.keyboard.press(" ")
    assert (1, 0) == (page.evaluate("late"), page.evaluate(scrolled))
    page.clock.fast_forward(3_000)
    page.keyboard.press(" ")
    assert 1 == page.evaluate("late"), "by then it is the browser's again"


def test_the_page_waits_for_what_was_sent(table: Callable[..., Page]) -> None:
    """What somebody else does at the same time is not what was sent: until that is shown, nothing else can be done."""
    page = table("now")
    before, state = ply(page), int(page.locator("body").get_attribute("data-state") or 0)
    page.evaluate("localStorage.setItem('confirm', 'never')")
    page.route("**/act", lambda route: route.fulfill(status=204, headers={"ply": str(before + 2)}))
    with page.expect_response("**/act"):
        page.locator("#ask button[data-do]").first.dispatch_event("click")
    page.evaluate("() => fetch('/t/x').then((answer) => answer.text())")  # by now the script has the answer before
    for step in (1, 2):
        told = {"ply": before + step, "number": state + step, "since": state + step - 1, "announcement": "", "heading": "Test"}
        page.evaluate(SEND, json.dumps(told))
        assert before + step == ply(page)
        assert (step == 1) == bool(page.locator("body.busy").count())


def test_at_once_nothing_is_held(table: Callable[..., Page], match: Evening) -> None:
    """Whoever wants everything at once gets it in the list of what happened; without stages, nothing stops it."""
    page = table("now")
    page.evaluate("localStorage.setItem('stages', 'none')")
    for one in match.messages:
        page.evaluate(SEND, one)
    assert json.loads(match.messages[-1])["ply"] == ply(page)
    assert 0 == page.locator("#stage[open]").count()
    assert page.locator("#since li").count() > 0


def test_at_once_counts_and_results_are_shown(table: Callable[..., Page], match: Evening) -> None:
    """Without any rhythm every answer of the phantom still gets the stage, and so does the end; alibis do not."""
    page = table("now")
    page.evaluate(
        "window.stages = []; document.addEventListener('staged', () => stages.push($title()))".replace(
            "$title()", "document.querySelector('#stage h2').textContent"
        )
    )
    for one in match.messages:
        page.evaluate(SEND, one)
    answers = sum(one.count("The phantom answers") for one in match.messages)
    for _ in range(answers + 2):
        page.clock.run_for(1_000)
        assert page.locator("#stage[open]").count()
        page.evaluate(CLOSE)
        page.clock.run_for(1_000)
    assert ["The phantom answers"] * answers == page.evaluate("stages")[:-2]
    assert 2 <= answers and "The mask falls" == page.evaluate("stages")[-2]
    assert json.loads(match.messages[-1])["ply"] == ply(page)


def test_moments_wait_for_their_reader(table: Callable[..., Page], match: Evening) -> None:
    """The phantom's answer stays until a click shows all of it and another one goes on; meanwhile the table waits."""
    page = table("normal", reduced_motion="no-preference")
    answer = next(at for at, one in enumerate(match.messages) if "The phantom answers" in one)
    for one in match.messages[:answer]:
        page.evaluate(SEND, one)
    page.locator("[data-reel=now]").click()
    for one in match.messages[answer : answer + 2]:
        page.evaluate(SEND, one)
    page.clock.run_for(60_000)
    while "The phantom answers" not in page.locator("#stage").inner_text():
        page.keyboard.press("Escape")  # an alibi before it
        page.clock.run_for(60_000)
    assert plies(match, answer + 1)[-1] == ply(page) + 1, "nobody is asked before the answer was read"
    page.locator("#stage").click()
    expect(page.locator("#stage")).not_to_be_visible()
    page.clock.run_for(5_000)
    assert plies(match, answer + 2)[-1] == ply(page)


def test_a_look_back(table: Callable[..., Page], match: Evening) -> None:
    """Arrows go back and on without leaving the table; nothing can be done there; afterwards the page is as it was."""
    page = table("now")
    for one in match.messages[:8]:
        page.evaluate(SEND, one)
    before, here = page.evaluate(SHOWN), ply(page)
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#then")).to_have_text(f"Then: {here - 2}.")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#then")).to_have_text(f"Then: {here - 3}.")
    assert 0 == page.locator("#board [data-do]").count() and page.locator("#ask[inert]").count()
    expect(page.locator("#reel .lag b")).to_have_text("2")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#then")).to_have_text(f"Then: {here - 2}.")
    page.evaluate(SEND, match.messages[8])
    assert here == ply(page), "the table waits meanwhile"
    page.keyboard.press("Escape")
    expect(page.locator("#then")).to_be_hidden()
    assert plies(match, 9)[-1] == ply(page)
    assert 0 == page.locator("#ask[inert]").count()
    assert before != page.evaluate(SHOWN)


def test_what_is_new_is_read_from_the_top(table: Callable[..., Page], match: Evening) -> None:
    """The list of what is new follows what is being shown; once its reader is asked, it begins at the beginning."""
    page = table("now")
    page.add_style_tag(content="#since { display: block; max-height: 20px; overflow: auto; margin: 0; }")
    places = {True: set[bool](), False: set[bool]()}
    for one in beginning(match, 10)[0]:
        page.evaluate(SEND, one)
        asked, is_long, at = page.evaluate(
            """() => { const list = document.querySelector("#since");
                return [Boolean(document.querySelector("#ask .asking")), list.scrollHeight > 60, list.scrollTop]; }"""
        )
        if is_long and json.loads(one).get("beat"):
            places[asked].add(at == 0)
    assert {True: {True}, False: {False}} == places


def test_a_number_that_has_landed_is_gone(table: Callable[..., Page]) -> None:
    """It does not lie in the corner of the window until a late timer takes it away: here no timer comes at all."""
    page = table("normal")
    page.evaluate(
        """async () => {
            const { fly } = await import("http://table.test/flights.js");
            window.flown = 0;
            const count = () => (flown += document.querySelectorAll(".flight").length ? 1 : 0);
            new MutationObserver(count).observe(document.body, { childList: true });
            const from = [...document.querySelectorAll("#board [data-key]")].find((one) => one.getBoundingClientRect().width);
            fly(from.dataset.key, "+1", 0, 1, { open: true, classList: { contains: () => false } });
        }"""
    )
    page.clock.run_for(2)
    page.wait_for_function("flown === 1")
    expect(page.locator(".flight")).to_have_count(0, timeout=15_000)


def test_the_past_leaves_no_trace(browser: Browser, tmp_path: Path) -> None:
    """A page that looked back and went on equals one that did not."""
    name = next(iter(GAMES))
    found = evening(tmp_path, name, GAMES[name].seats[0], 0, "en", 5)
    pages = [opened(browser, found.first, "en") for _ in range(2)]
    for page in pages:
        for one in found.messages[:5]:
            page.evaluate(SEND, one)
    nothing = json.dumps({"scene": {"whole": True, "panels": [], "items": []}, "lines": ["Nothing."]})
    pages[0].route("**/replay/scene*", lambda route: route.fulfill(body=nothing, content_type="application/json"))
    pages[0].locator("#log [data-line]").last.dispatch_event("click")
    pages[0].wait_for_selector("body.past")
    assert 0 == pages[0].locator("#board [data-key]").count()
    pages[0].keyboard.press("Escape")
    for page in pages:
        for one in found.messages[5:]:
            page.evaluate(SEND, one)
    assert pages[1].evaluate(SHOWN) == pages[0].evaluate(SHOWN)
    for page in pages:
        page.context.close()
