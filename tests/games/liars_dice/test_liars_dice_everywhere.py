"""An outside game on every surface: a whole match in the browser with hint, replay and review, and every command."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsers import ASKED, Guests, begin, changed, led_on, ply, touch
from click.testing import CliRunner
from playwright.sync_api import Browser, Page, expect
from visitors import serving

from ridotto.cli import cli
from ridotto.core import record
from ridotto.core.match import Match
from ridotto.games import GAMES

GAME = GAMES["liars_dice"]


@pytest.fixture
def page(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """A stranger's browser on the start page of a server of its own; whatever goes wrong in it is noted."""
    with serving(tmp_path) as process:
        guests = Guests(browser, process.base)
        yield guests()
        for context in guests.contexts:
            context.close()
        assert [] == guests.faults


def test_a_whole_match_in_the_browser(page: Page) -> None:
    """From the start page to the result, with a hint and a refusal on the way; then the replay and a review."""
    begin(page, GAME.name)
    expect(page).to_have_title(f"It is your turn – {GAME.title}")

    page.locator("#aid-hint").click()
    expect(page.locator("#beside-status")).to_contain_text("Winning chances")
    assert page.locator("#beside .advice [data-do]").count() > 1
    page.keyboard.press("Escape")

    dice, decisions = random.Random(4), 0
    while True:
        page.wait_for_selector(f"{ASKED} [data-do], #result table", state="attached")
        if page.locator("#result table").count():
            break
        if decisions == 1:
            ask_why_not(page)
        actions = page.locator(f"{ASKED} button[data-do]").evaluate_all("all => all.map((one) => one.dataset.do)")
        # Low bids and calls: with high ones a match is over before anything has happened.
        before = ply(page)
        touch(page.locator(f'#ask button[data-do="{dice.choice(actions[:3])}"]').first)
        changed(page, before)
        decisions += 1
    assert decisions > 4
    expect(page).to_have_title(re.compile("^You have (won|lost)[.]"))

    table = page.url
    page.goto(f"{table}/replay?ply=1")
    expect(page.locator("#caption .where")).to_contain_text("moment 1 of")
    for moment in (2, 3):
        page.keyboard.press("ArrowRight")
        expect(page.locator("#caption .where")).to_contain_text(f"moment {moment} of")

    page.goto(f"{table}/review")
    with led_on(page):
        page.get_by_role("button", name="Review this match").click()
    expect(page.locator(".chances-pane svg.wide-chances")).to_be_visible()
    expect(page.locator(".summary li")).not_to_have_count(0)


def ask_why_not(page: Page) -> None:
    """Bids that are too low are told why."""
    page.locator("#aid-why").click()
    page.wait_for_selector("#asked-why", state="attached")
    touch(page.locator("#board [data-ask]").first)
    expect(page.locator("#asked-why")).to_contain_text("§3.3")
    page.keyboard.press("Escape")
    expect(page.locator("#beside")).to_be_hidden()


def test_every_command(tmp_path: Path) -> None:
    """What the tutorial ends with, and what else there is for a game: arena with levels, dataset, audit, review, picture."""
    dataset, saved = tmp_path / "matches", tmp_path / "match.json"
    outputs = {
        line: run(line)
        for line in (
            f"arena {GAME.name} --bots random,greedy,level:1,search:20 --games 4 --processes 1",
            f"audit {GAME.name} --pairs 200 --processes 1",
            f"dataset {GAME.name} --games 4 --bots greedy,greedy --processes 1 --out {dataset}",
            f"simulate {GAME.name} --games 200 --repeat 1",
        )
    }
    arena = next(iter(outputs.values()))
    assert all(bot in arena for bot in ("random", "greedy", "level:1", "search:20"))
    assert [] != list(dataset.rglob("*.parquet"))

    match = Match(GAME, 2, seed=3)
    while match.to_act:
        match.play(match.legal()[0])
    record.save(match, saved, ["Ada", "Bo"])
    assert "Ada: " in run(f"review {saved} --bot search:20 --lang en")
    picture = tmp_path / "match.svg"
    run(f"picture {saved} --out {picture}")
    assert "<svg" in picture.read_text("utf-8")


def run(line: str) -> str:
    """What a command prints."""
    done = CliRunner().invoke(cli, line.split(), catch_exceptions=False)
    assert 0 == done.exit_code, done.output
    return done.output
