"""A real browser, and how somebody in a test goes about with it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, expect, sync_playwright

CHROMIUM = shutil.which("chromium") or "chromium"
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync")
PATIENCE = 60_000
"""Milliseconds that a bot, or a machine with much to do, may take."""
ASKED = "body:not(.busy) #ask .asking"
"""The question to whoever sits at the page."""

AT_ONCE = """
try {
  localStorage.pace ??= 'now'; localStorage.stages ??= 'none'; localStorage.call ??= 'off'; localStorage.confirm ??= 'never';
} catch { /* no page yet */ }
"""
"""Whoever plays in a test does not wait for beats, wants no notifications and confirms nothing, unless the test says so."""

expect.set_options(timeout=PATIENCE)


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        yield browser
        browser.close()


class Guests:
    """People with a browser each. Whatever goes wrong in one of them is noted."""

    def __init__(self, browser: Browser, base: str) -> None:
        self.browser, self.base = browser, base
        self.faults: list[str] = []
        self.contexts: list[BrowserContext] = []

    def __call__(self, path: str = "/", *, width: int = 1440, height: int = 900, language: str = "en", **more: Any) -> Page:
        chosen: dict[str, Any] = {"reduced_motion": "reduce", "color_scheme": "dark"} | more
        context = self.browser.new_context(viewport={"width": width, "height": height}, locale=language, **chosen)
        context.set_default_timeout(PATIENCE)
        # Whoever plays in a test answers every question, also one with a single answer.
        context.add_init_script("try { localStorage.getItem('single') ?? localStorage.setItem('single', 'off') } catch {}")
        context.add_init_script(AT_ONCE)
        self.contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: self.faults.append(said(message)) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("request", lambda request: None if self.is_ours(request.url) else self.faults.append(request.url))
        page.goto(self.base + path)
        return page

    def is_ours(self, url: str) -> bool:
        return url.startswith((self.base, "data:", "blob:"))


def said(message: ConsoleMessage) -> str:
    """An error that the browser tells, and of what: a refused request is told without its address."""
    return f"{message.text} {message.location['url']}"


@contextmanager
def led_on(page: Page) -> Iterator[None]:
    """What is done inside leads to another page. Afterwards it is there with its scripts: before, nobody hears a key."""
    with page.expect_event("load", timeout=PATIENCE):
        yield


def begin(page: Page, game: str) -> None:
    """The second click: a match against bots."""
    with led_on(page):
        page.locator(f".offer-{game} .at-once button").first.click()
    expect(page.locator("#ask")).to_be_visible()


LAID_OUT = "() => getComputedStyle(document.querySelector('#board')).visibility === 'visible'"
"""Whether the panels of a board are in their places."""

REACHED = """(one) => {
  const isSeen = () => one.checkVisibility({ visibilityProperty: true }) && one.getBoundingClientRect().width > 3;
  if (!isSeen()) return true; // what is chosen otherwise, such as part by part, or stands in a panel that is folded
  one.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  const { left, top, width, height } = one.getBoundingClientRect();
  const parts = one instanceof SVGElement ? [.1, .26, .42, .5, .58, .74, .9] : [.5]; // a shape may have a hole in its middle
  return parts.some((x) => parts.some((y) => one.contains(document.elementFromPoint(left + width * x, top + height * y))));
}"""


def touch(seen: Locator) -> None:
    """Click what a pointer reaches, without the frames that it waits for: with many pages open each takes long to draw."""
    one = seen.element_handle()
    if not one.evaluate(REACHED):  # something moves, or is in the way for a moment
        seen.page.wait_for_function(REACHED, arg=one, timeout=PATIENCE, polling=50)
    seen.dispatch_event("click")


def sit_down(page: Page) -> None:
    with led_on(page):
        page.locator("#ask form button").first.click()
    expect(page.locator(".person.you")).to_be_visible()


def speak(page: Page, language: str) -> None:
    with led_on(page):
        page.locator(f".languages button[value={language}]").click()
    expect(page.locator("html")).to_have_attribute("lang", language)


def ply(page: Page) -> str:
    return page.locator("body").get_attribute("data-ply") or ""


def changed(page: Page, before: str) -> None:
    """Wait until the table has gone on, and what was sent from here is answered."""
    page.wait_for_selector(f'body:not(.busy):not([data-ply="{before}"])')


def show_log(page: Page) -> None:
    """Have the log in sight."""
    log = page.locator("#log")
    log.scroll_into_view_if_needed()
    expect(log).to_be_visible()
