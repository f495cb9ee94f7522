"""A robot plays in a real browser on screens of several sizes: everything is shown, and nothing is cut or too small."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from browsers import Guests, sit_down
from place_checks import nothing_lies_over_a_control, the_board_fills_its_room, the_panels_are_in_sight
from playwright.sync_api import expect
from robot import (
    Check,
    Robot,
    nothing_is_cut,
    nothing_sticks_out,
    the_question_is_legible,
    the_question_is_seen,
    the_targets_are_seen,
)
from visitors import House, running, sat, serving, settings

from ridotto.core.match import Match
from ridotto.games import GAMES

SIZES = ((1920, 1080), (1440, 900), (1366, 768), (1280, 720), (1024, 768), (390, 844))
NARROWEST = (360, 740)
"""Here a table still works."""
CROWDED = 1024
"""On the smallest screen without scrolling, as many as can sit down to a whole match."""
CHECKS: tuple[Check, ...] = (
    nothing_is_cut,
    nothing_sticks_out,
    the_question_is_seen,
    the_targets_are_seen,
    nothing_lies_over_a_control,
)
WIDE_CHECKS: tuple[Check, ...] = (*CHECKS, the_question_is_legible, the_panels_are_in_sight, the_board_fills_its_room)
"""From a tablet on, all panels are in sight without scrolling, and what the question needs can be read without a glass."""
SHORT = {"fantome": (1440, 390), "opera": (1280, 360), "turandot": (1024, 390), "liars_dice": (1280, 360)}
"""The widths at which `make test` plays each game: a wide one and a phone, each width once at least. `make soak` has all."""


def is_short(name: str, size: tuple[int, int]) -> bool:
    return name not in SHORT or size[0] in SHORT[name]


LATE = 12
"""Entries that a late position is before the end of its match."""


def late(name: str, seats: int, left: int) -> Match:
    """A match of random play about so many entries before its end, with the first seat to decide."""
    match, dice = Match(GAMES[name], seats, seed=5), random.Random(11)
    while match.to_act:
        seat = dice.choice(match.to_act)
        match.play(dice.choice(match.legal(seat)), seat)
    return next(before for ply in range(match.ply - left, 0, -1) if 0 in (before := match.after(ply)).to_act)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    data = tmp_path_factory.mktemp("house")

    async def lay() -> dict[str, str]:
        async with running(settings(data)) as app:
            tables = {}
            for name, game in GAMES.items():
                seats = min(3, game.seats[-1])
                ending = late(name, seats, LATE)
                for width, _ in (*SIZES, NARROWEST):
                    most = game.seats[-1] if width == CROWDED else seats
                    for kind, match in (("late", ending.after(ending.ply)), ("whole", Match(game, most, seed=width))):
                        sitters = ["", *["level:1"] * (match.seats - 1)]
                        tables[f"{name} {width} {kind}"] = (await sat(app, match, *sitters)).id
            name = "opera"
            tables["checked"] = (await sat(app, late(name, GAMES[name].seats[0], LATE), "", "level:1")).id
            return tables

    with ThreadPoolExecutor(1) as thread:  # Playwright has a loop of its own in this thread
        tables = thread.submit(lambda: asyncio.run(lay())).result()
    with serving(data) as process:
        yield House(process.base, tables)


def play(guests: Guests, house: House, name: str, size: tuple[int, int], kind: str) -> Robot:
    """A match is played to its end, on a screen of a size."""
    width, height = size
    phone: dict[str, Any] = {"has_touch": True, "is_mobile": True} if width < 700 else {}
    page = guests(f"/t/{house.tables[f'{name} {width} {kind}']}", width=width, height=height, **phone)
    sit_down(page)
    robot = Robot(page, width, WIDE_CHECKS if width >= 1024 else CHECKS)
    robot.play()
    robot.check_beats()
    assert [] == robot.faults
    robot.check_places()
    assert page.evaluate("notes.staged"), "the end is on the stage, at least"
    expect(page.locator("#result table")).to_be_visible()
    return robot


@pytest.mark.parametrize(
    ("name", "size"),
    [
        pytest.param(name, size, id=f"{name}-{size[0]}x{size[1]}", marks=() if is_short(name, size) else pytest.mark.soak)
        for name in GAMES
        for size in (*SIZES, NARROWEST)
    ],
)
def test_everything_is_shown(guests: Guests, house: House, name: str, size: tuple[int, int]) -> None:
    """From a late position to the end: every entry that was received belongs to exactly one beat that was shown, and at
    each question its sentence and what answers it are on the screen.
    """
    play(guests, house, name, size, "late")


FAULTS: dict[Check, str] = {
    nothing_is_cut: "#question { overflow: hidden; white-space: nowrap; text-overflow: ellipsis; width: 20px; }",
    nothing_sticks_out: "#board { width: 3000px !important; }",
    the_question_is_seen: "#question { position: fixed; top: 5000px; }",
    the_targets_are_seen: ".pane, #ask :is(.answers, .picker) { transform: translateY(3000px); }",
    nothing_lies_over_a_control: "#board { z-index: 99; } #board::after { content: ''; position: fixed; inset: 0; }",
    the_panels_are_in_sight: "#board { width: 150% !important; }",
    the_board_fills_its_room: "#board { width: 50% !important; }",
    the_question_is_legible: ".pane > svg { height: 40% !important; }",
}
"""What each check would find, planted."""


def test_the_checks_find_faults(guests: Guests, house: House) -> None:
    """A page as it is has no fault; with each of them planted, its check finds it."""
    page = guests(f"/t/{house.tables['checked']}", width=1440, height=900)
    sit_down(page)
    assert set(WIDE_CHECKS) == FAULTS.keys()
    page.evaluate("window.planted = new CSSStyleSheet(); document.adoptedStyleSheets.push(planted)")
    for check, css in FAULTS.items():
        assert [] == check(page)
        page.evaluate("css => planted.replaceSync(css)", css)
        assert check(page), check
        page.evaluate("planted.replaceSync('')")


@pytest.mark.soak
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", GAMES)
def test_everything_is_shown_in_a_whole_match(guests: Guests, house: House, name: str, size: tuple[int, int]) -> None:
    """The same from the deal on."""
    assert play(guests, house, name, size, "whole").questions > 5
