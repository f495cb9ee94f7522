"""A page that was patched through a match equals one that is loaded afresh, element by element, in a real browser.

The messages come from the real application; the browser gets the page as it was at the beginning, then every message, and is
compared with the page as it is at the end.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from evenings import FAULTS, SHOWN, Evening, evening, opened
from playwright.sync_api import Browser

from ridotto.games import GAMES
from ridotto.present.narrator import LANGUAGES


def patched(browser: Browser, found: Evening, language: str) -> tuple[str, str]:
    """What the first page shows after all messages, and what the last one shows."""
    page = opened(browser, found.first, language)
    page.evaluate(
        "all => { for (const data of all) stream.dispatchEvent(new MessageEvent('table', { data })); }", found.messages
    )
    assert [] == FAULTS
    assert 1 == page.evaluate("opened.length"), "no gap was noticed"
    old = page.evaluate(SHOWN)
    page.context.close()
    page = opened(browser, found.last, language)
    new = page.evaluate(SHOWN)
    page.context.close()
    return old, new


def compare(browser: Browser, folder: Path, game: str, seats: int, reader: int | None, language: str, seed: int) -> None:
    found = evening(folder, game, seats, reader, language, seed)
    old, new = patched(browser, found, language)
    for was, should in zip(old.splitlines(), new.splitlines(), strict=False):
        assert was == should, f"{game}, {seats} seats, reader {reader}, {language}, seed {seed}"
    assert old == new


CHOSEN = [
    pytest.param(name, seats, reader, language, marks=pytest.mark.soak if (number + at) % 3 else ())
    for number, (name, game) in enumerate(GAMES.items())
    for at, ((seats, reader), language) in enumerate(
        zip(((game.seats[0], 0), (game.seats[-1], None), (game.seats[-1], game.seats[-1] - 1)), LANGUAGES, strict=False)
    )
]
"""A small table and large ones, for one who plays or watches; in `make test` one of the three, another for each game."""


@pytest.mark.parametrize(("game", "seats", "reader", "language"), CHOSEN)
def test_a_patched_page_equals_a_fresh_one(
    browser: Browser, tmp_path: Path, game: str, seats: int, reader: int | None, language: str
) -> None:
    """A whole random match with takebacks, for those who play and those who watch, in every language."""
    compare(browser, tmp_path, game, seats, reader, language, seed=7)


PIECES = 10
"""In how many pieces a thousand matches are played, so that each can be run alone: `-k "thousand and opera-3"`."""


@pytest.mark.soak
@pytest.mark.parametrize("piece", range(PIECES))
@pytest.mark.parametrize("game", GAMES)
def test_a_thousand_matches(browser: Browser, tmp_path: Path, game: str, piece: int) -> None:
    """The same for a thousand random matches, all games together."""
    dice, each = random.Random(f"{game} {piece}"), -(-1000 // (len(GAMES) * PIECES))
    for number in range(each):
        seats = dice.choice(GAMES[game].seats)
        reader = dice.choice((None, *range(seats)))
        compare(browser, tmp_path / str(number), game, seats, reader, dice.choice([*LANGUAGES]), each * piece + number)


def test_a_gap_is_noticed(browser: Browser, tmp_path: Path) -> None:
    """A message that does not follow the one before is not put in: the page asks for everything anew, and is mended by that."""
    game = next(iter(GAMES))
    found = evening(tmp_path, game, GAMES[game].seats[0], None, "en", 3)
    page = opened(browser, found.first, "en")
    send = "data => stream.dispatchEvent(new MessageEvent('table', { data }))"
    page.evaluate(send, found.messages[0])
    page.evaluate(send, found.messages[2])
    assert 2 == page.evaluate("opened.length") and page.evaluate("opened[1]").endswith("state=")
    assert json.loads(found.messages[0])["ply"] == int(page.evaluate("document.body.dataset.ply"))
