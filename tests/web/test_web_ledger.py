"""The ledger: rounds and players, by what the reader saw; each cell leads to its moment."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from browsers import Guests, sit_down
from playwright.sync_api import expect
from visitors import House, Visitor, running, sat, serving, settings, visiting

from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.games.opera.rules import F
from ridotto.present.ledger import Chapter
from ridotto.present.ui import ui

LISTED = ("fantome", "opera", "turandot")


def played(name: str, seats: int, seed: int, most: int = 5000) -> Match:
    match, dice = Match(GAMES[name], seats, seed=seed), random.Random(seed)
    while match.to_act and match.ply < most:
        seat = dice.choice(match.to_act)
        match.play(dice.choice(match.legal(seat).ids), seat)
    return match


def chapters(match: Match, seat: int | None) -> list[Chapter]:
    found = ui(match.game)
    return [*found.ledger.chapters(match.view(seat), found.english)]


def cell(text: str) -> int:
    return int(text.replace("−", "-") or 0)


@pytest.mark.parametrize("seed", range(4))
def test_the_points_of_opera_add_up(seed: int) -> None:
    """All points of the ledger together are everybody's score; the most behind a screen is never less than what is there."""
    match = played("opera", 3, seed)
    *rounds, screens = chapters(match, None)
    scores, _ = match.scores()
    for seat in range(3):
        assert scores[seat] == sum(cell(one.lines[4].cells[seat].text) for one in rounds)
        assert match.row[F.ducats + seat] <= int(screens.lines[0].cells[seat].text.removeprefix("at most "))


def test_the_places_of_opera_are_those_of_the_table() -> None:
    """After the bids of each round, the order of the budget table is the one that the ledger gives."""
    match = played("opera", 4, 7)
    *rounds, _ = chapters(match, None)
    for one in rounds:
        bid, place = one.lines[0], one.lines[1]
        row = match.row_after(bid.cells[0].ply)
        expected = {row[F.order + at]: str(at + 1) for at in range(4)}
        assert [expected[seat] for seat in range(4)] == [mark.text for mark in place.cells]


def test_the_suspects_of_le_fantome() -> None:
    """At every answer as many suspects are left as the table has then."""
    match = played("fantome", 2, 5)
    for one in chapters(match, 0):
        for line in one.lines:
            if line.title == "suspects left":
                (left,) = line.cells
                suspects = match.row_after(left.ply)[match.rules.FIELDS.F.suspects]
                assert str(suspects.bit_count()) == left.text


@pytest.mark.parametrize("name", LISTED)
def test_what_was_taken_back_is_not_in_it(name: str) -> None:
    """After a takeback the ledger is the one that there was before."""
    match = played(name, GAMES[name].seats[0], 3, 30)
    before = chapters(match, 0)
    match.play(match.legal(match.to_act[0])[0], match.to_act[0])
    match.undo()
    assert before == chapters(match, 0)


@pytest.mark.parametrize("name", GAMES)
def test_every_game_that_has_one_offers_it(name: str, tmp_path: Path) -> None:
    """In the reader's language, with the reader's eyes; a game without one has no link to it, and no page."""

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        table = await sat(app, played(name, 2, 5, 25), one, two)
        page, answer = await two.get(f"/t/{table.id}"), await two.get(f"/t/{table.id}/ledger")
        assert (f'href="/t/{table.id}/ledger"' in page.text) == (name in LISTED)
        assert (200 if name in LISTED else 404) == answer.status_code
        if name in LISTED:
            plies = {int(ply) for ply in re.findall(r'data-moment="(\d+)"', answer.text)}
            assert plies and plies <= set(range(table.match.ply))
            other = await two.get(f"/t/{table.id}/ledger?eyes=0")
            assert 403 == other.status_code, "while the match goes on, everybody has their own eyes"

    visiting(tmp_path, 2, visit)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    data = tmp_path_factory.mktemp("house")

    async def lay() -> dict[str, str]:
        async with running(settings(data)) as app:
            return {"opera": (await sat(app, played("opera", 2, 5, 30), "", "")).id}

    with ThreadPoolExecutor(1) as apart:  # the browser has a loop of its own here
        tables = apart.submit(lambda: asyncio.run(lay())).result()
    with serving(data) as process:
        yield House(process.base, tables)


def test_a_cell_leads_to_its_moment(guests: Guests, house: House) -> None:
    """Beside the table, a click on a cell shows the board as it was then; Escape leads back."""
    page = guests(f"/t/{house.tables['opera']}")
    sit_down(page)
    page.locator("#log .to-ledger").click()
    expect(page.locator("#beside .ledger table")).to_be_visible()
    cell = page.locator("#beside [data-moment]").first
    cell.click()
    expect(page.locator("body.past")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(page.locator("body:not(.past)")).to_be_visible()
