"""The table in a tab, in a real browser: built, served as static files, and played."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from browsers import PATIENCE, Guests
from playwright.sync_api import Browser, Frame, Page, expect
from robot import NOTES, Check, Robot

from ridotto.web.tab.build import build
from ridotto.web.tab.serving import server


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("tab") / "some" / "where"
    build(made)
    return made


class Host:
    """A web host with the folder of a tab, which is not the root of it."""

    def __init__(self, folder: Path) -> None:
        self._listening = server(folder.parents[1], 0)
        self._thread = threading.Thread(target=self._listening.serve_forever)
        self._thread.start()
        self.address = f"http://127.0.0.1:{self._listening.server_port}/some/where"

    def close(self) -> None:
        """From here on there is no host, and nobody is answered."""
        if self._thread.is_alive():
            self._listening.shutdown()
            self._thread.join()
            self._listening.server_close()


@pytest.fixture
def host(folder: Path) -> Iterator[Host]:
    one = Host(folder)
    yield one
    one.close()


@pytest.fixture
def tabs(browser: Browser, host: Host) -> Iterator[Guests]:
    """People with a browser each; nothing may be asked of anybody but the host, and nothing may go wrong."""
    guests = Guests(browser, host.address)
    yield guests
    for context in guests.contexts:
        context.close()
    assert [] == guests.faults


def shown(page: Page, where: str) -> Frame:
    """The page in the frame, once one is shown whose address begins like this, or is the start page's."""
    page.wait_for_selector(f'body[data-shown{"" if where == "/" else "^"}="{where}"]', timeout=PATIENCE)
    frame = page.locator("iframe.shown").element_handle().content_frame()
    assert frame is not None
    return frame


class TabRobot(Robot):
    """The robot, in the frame of a tab."""

    def __init__(self, page: Page, seed: int, checks: Sequence[Check] = ()) -> None:
        self.frame = shown(page, "/t/")
        super().__init__(page, seed, checks)

    def _begin(self, pace: str) -> None:
        page: Any = self.frame
        page.keyboard = self.page.keyboard
        self.page = page
        page.evaluate(NOTES)


def begin(page: Page, game: str, level: int) -> None:
    """A match against bots of a level."""
    lobby = shown(page, "/")
    lobby.locator(f".offer-{game} select[name=level]").first.select_option(str(level))
    lobby.locator(f".offer-{game} .at-once button").first.click()


def unplugged(page: Page, host: Host) -> Page:
    """The page, with everything kept, and no host any more."""
    shown(page, "/")
    page.wait_for_selector("body[data-offline=ready]", timeout=PATIENCE)
    host.close()
    return page


def test_a_match_is_played_without_a_network(tabs: Guests, host: Host) -> None:
    """With the host gone after the first load: a whole match against a bot; after a reload, which finds no host either, its
    result is still there, and so is the table in the lobby."""
    page = unplugged(tabs(), host)
    begin(page, "fantome", 1)
    robot = TabRobot(page, 1)
    robot.play()
    assert robot.questions
    page.wait_for_selector('body[data-kept="true"]')
    page.reload()
    expect(shown(page, "/t/").locator("#result table")).to_be_visible()
    shown(page, "/t/").locator(".brand").click()
    expect(shown(page, "/").locator(".table-line").first).to_be_visible()


def test_one_tab_has_the_table(tabs: Guests) -> None:
    """A second tab of the same browser says that there is another one; it takes over when it is asked to."""
    first = tabs()
    shown(first, "/")
    second = first.context.new_page()
    second.goto(first.url)
    expect(second.locator("#waiting p")).to_have_text("Ridotto is open in another tab of this browser.")
    second.locator("#waiting button").click()
    shown(second, "/")
    expect(first.locator("#waiting p")).to_have_text("Ridotto is open in another tab of this browser.")
    expect(first.locator("iframe")).to_have_count(0)
