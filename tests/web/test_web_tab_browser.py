"""The table in a tab, in a real browser: built, served as static files, and played."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from browsers import PATIENCE, Guests, touch
from playwright.sync_api import Browser, Frame, Page, expect
from robot import NOTES, Check, Robot, nothing_is_cut, nothing_sticks_out, the_question_is_seen

from ridotto.bots import Budget, find
from ridotto.core import record
from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.web.tab.build import build
from ridotto.web.tab.serving import server

QUICK = "turandot"
"""The game with a module in `make test`, which makes no other."""


@pytest.fixture(scope="module")
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("tab") / "some" / "where"
    is_soak = any(item.get_closest_marker("soak") for item in request.session.items)
    build(made, GAMES.values() if is_soak else [GAMES[QUICK]])
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


MISSED = """() => {
  const found = self.python?.runPython(`
from ridotto.engine import build
[(package, sorted(one.linked.missed)) for (package, target, _), one in build._builds.items() if target == "wasm"]`);
  return found?.toJs() ?? [];
}"""
"""In a worker: the packages of games that it has played in a module, each with the calls that the module lacked."""
OPINION = """(game) => self.python.runPython(`
from ridotto import GAMES, Match
from ridotto.bots import Budget, find
match = Match(GAMES["${game}"], 2, seed=1)
find("level:6").opinion(match.view(match.to_act[0]), Budget(7, 10.0, target="wasm")).playouts`)"""
"""In a bot's worker: the playouts of the highest level for a decision, in the time that a bot has."""


def test_a_strong_bot_plays_at_its_level(tabs: Guests, host: Host) -> None:
    """With the host gone: a bot of the highest level thinks in the module of its game, which lacks nothing that it calls, and
    is not said to play below its level."""
    page = unplugged(tabs(), host)
    begin(page, QUICK, 6)
    robot = TabRobot(page, 1)
    robot.play(2)
    (worker,) = [one for one in page.workers if one.evaluate(MISSED)]
    assert [[GAMES[QUICK].package, []]] == worker.evaluate(MISSED)
    match = Match(GAMES[QUICK], 2, seed=1)
    opinion = find("level:6").opinion(match.view(match.to_act[0]), Budget(7))
    assert opinion is not None and opinion.playouts == worker.evaluate(OPINION, QUICK)
    expect(robot.page.locator(".person .state", has_text="short of time")).to_have_count(0)


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


def send(frame: Frame, **form: str) -> None:
    """Make a new table as the lobby's form does, with sitters that the form offers."""
    name = form.pop("game")
    card = frame.locator(f".offer-{name}")
    card.locator("details summary").click()
    setup = card.locator("form.setup")
    for field, value in form.items():
        setup.locator(f"select[name={field}]").select_option(value)
    setup.locator("button.main").click()


def table_at(seats: int, who: Sequence[str]) -> dict[str, str]:
    """The choices of a form for so many seats."""
    return {f"seat{seat}": who[seat] if seat < len(who) else "" for seat in range(seats)}


COMPANIES = [(name, seats) for name, game in GAMES.items() for seats in game.seats]


@pytest.mark.soak
@pytest.mark.parametrize(("name", "seats"), COMPANIES)
def test_every_game_is_played_without_a_network(tabs: Guests, host: Host, name: str, seats: int) -> None:
    """Whole matches at every number of seats, against every level in turn, on a wide screen and on a phone."""
    level, is_phone = 1 + COMPANIES.index((name, seats)) % 6, bool(seats % 2)
    language = ("en", "fr", "nl")[COMPANIES.index((name, seats)) % 3]
    size: dict[str, Any] = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True} if is_phone else {}
    page = unplugged(tabs(language=language, **size), host)
    lobby = shown(page, "/")
    expect(lobby.locator("html")).to_have_attribute("lang", language)
    most = GAMES[name].seats[-1]
    send(lobby, game=name, **table_at(most, ["me", *[f"bot:level:{level}"] * (seats - 1)]))
    checks = (nothing_is_cut, nothing_sticks_out, the_question_is_seen)
    robot = TabRobot(page, seats, checks)
    robot.play()
    assert robot.questions and [] == robot.faults
    expect(robot.page.locator("#result table")).to_be_visible()


@pytest.mark.soak
def test_two_people_share_a_device(tabs: Guests, host: Host) -> None:
    """Hot seat: the device is handed on, and each sees their own seat alone."""
    page = unplugged(tabs(), host)
    shown(page, "/").locator(".offer-fantome .at-once button[name=friend]").click()
    frame = shown(page, "/t/")
    for _ in range(4):
        frame.locator("#handed").click()
        frame.wait_for_selector("#ask .asking [data-do]")
        before = ply_of(frame)
        while not frame.locator("#handed").count():
            touch(frame.locator("#ask button[data-do]").first)
            frame.wait_for_selector(f'body:not(.busy):not([data-ply="{before}"])')
            before = ply_of(frame)
            frame.wait_for_selector("#handed, #ask .asking [data-do], #result table")
            if frame.locator("#result table").count():
                return


def ply_of(frame: Frame) -> str:
    return frame.locator("body").get_attribute("data-ply") or ""


@pytest.mark.soak
def test_records_go_both_ways(tabs: Guests, host: Host, tmp_path: Path) -> None:
    """A record that is downloaded in a tab verifies here; one that was played here is opened in a tab, and replayed there."""
    page = unplugged(tabs(), host)
    begin(page, "fantome", 1)
    robot = TabRobot(page, 3)
    robot.play()
    with page.expect_download() as told:
        robot.page.locator("#result a[href$='/record']").click()
    file = tmp_path / "record.json"
    told.value.save_as(file)
    done = subprocess.run([sys.executable, "-m", "ridotto", "verify", str(file)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr

    match, dice = Match(GAMES["turandot"], 2, seed=4), random.Random(4)
    while match.to_act:
        seat = match.to_act[0]
        match.play(dice.choice(match.legal(seat)), seat)
    frame = shown(page, "/t/")
    frame.locator(".brand").click()
    shown(page, "/").locator("a[href='/records']").click()
    records = shown(page, "/records")
    records.locator("#record-text").fill(json.dumps(record.write(match)))
    records.locator(".record-form button").click()
    opened = shown(page, "/t/")
    expect(opened.locator("#result, #scrubber").first).to_be_attached()


@pytest.mark.soak
def test_everything_beside_a_table(tabs: Guests, host: Host) -> None:
    """A lesson, a puzzle, a rulebook with its figures, the page about Ridotto and verifying, each without a network."""
    page = unplugged(tabs(), host)
    for link, where, seen in (
        (".offer-fantome a.quiet-link[href^='/learn/']", "/learn/", "#question"),
        (".offer-opera a.quiet-link[href^='/puzzles/']", "/puzzles/", ".puzzle-answers"),
        (".offer-turandot a.quiet-link[href^='/rules/']", "/rules/", "#main svg"),
    ):
        shown(page, "/").locator(link).click()
        frame = shown(page, where)
        expect(frame.locator(seen).first).to_be_visible()
        frame.locator(".brand").click()
    puzzles = shown(page, "/")
    puzzles.locator(".offer-opera a.quiet-link[href^='/puzzles/']").click()
    puzzle = shown(page, "/puzzles/")
    puzzle.locator(".puzzle-answers button").first.click()
    page.wait_for_selector('body[data-shown*="answer="]')
    expect(shown(page, "/puzzles/").locator(".puzzle-values")).to_be_visible()
    page.go_back()
    expect(shown(page, "/puzzles/").locator(".puzzle-answers button").first).to_be_visible()
