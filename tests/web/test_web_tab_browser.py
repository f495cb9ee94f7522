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


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    """The address of the folder, which is not the root of its host."""
    with server(folder.parents[1], 0) as listening:
        thread = threading.Thread(target=listening.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{listening.server_port}/some/where/"
        listening.shutdown()
        thread.join()


@pytest.fixture
def tabs(browser: Browser, address: str) -> Iterator[Guests]:
    """People with a browser each; nothing may be asked of anybody but the host, and nothing may go wrong."""
    guests = Guests(browser, address.rstrip("/"))
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


def test_a_match_is_played(tabs: Guests) -> None:
    """A whole match against a bot; after a reload the result is still there, and so is the table in the lobby."""
    page = tabs()
    begin(page, "fantome", 1)
    robot = TabRobot(page, 1)
    robot.play()
    assert robot.questions
    page.wait_for_selector('body[data-kept="true"]')
    page.reload()
    expect(shown(page, "/t/").locator("#result table")).to_be_visible()
    shown(page, "/t/").locator(".brand").click()
    expect(shown(page, "/").locator(".table-line").first).to_be_visible()
