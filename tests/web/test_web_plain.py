"""A game that has nothing but rules and words, at the web table: its fields are listed, its answers are plain buttons."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from html import escape, unescape
from pathlib import Path
from typing import Any

import pytest
from bare_game import bare_game
from visitors import Visitor, running, sat, settings

from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.present import views
from ridotto.present.lesson import lesson
from ridotto.present.protocols import Page
from ridotto.present.ui import english, ui
from ridotto.web.pages import art


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return bare_game(tmp_path_factory.mktemp("bare"))


Visit = Callable[[Any, Visitor, Visitor], Awaitable[None]]


@pytest.fixture
def visiting(bare: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Visit], None]:
    """Lets two people visit a server that has the bare game."""
    # As if a package had registered it: the registry looks for packages once, when it is first asked.
    monkeypatch.setattr(GAMES, "_all", {**GAMES, bare.name: bare})

    def visit(what: Visit) -> None:
        async def there() -> None:
            async with running(settings(tmp_path)) as app, Visitor(app) as one, Visitor(app) as two:
                await what(app, one, two)

        asyncio.run(there())

    return visit


def test_what_is_missing_has_a_general_answer(bare: Game) -> None:
    """No lesson, no styles, the general page; the named fields as one panel, "?" where the reader may not look."""
    match = Match(bare, 2, seed=1)
    words = english(bare)
    assert lesson(bare) is None
    assert "" == ui(bare).css
    assert Page is type(ui(bare).page)
    (panel,) = ui(bare).panels(match.view(0), words)
    assert "1 ?, 2 ?" in panel.body
    assert all(name.replace("_", " ") in panel.body for name in match.view(0).position)
    assert not ui(bare).picture.preview(match.view(0), words, match.view(0).legal[0])
    assert ui(bare).page.compose(match.view(0), words, "") is None
    assert ui(bare).page.answers(match.view(0), words) is None and ui(bare).page.news(match.view(0), words) is None


def test_the_start_page_shows_it_without_a_lesson(bare: Game, visiting: Callable[[Visit], None]) -> None:
    """Its card is drawn and opens a table; there is no link to a lesson, and its address says that there is none."""

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        page = (await one.get("/")).text
        assert bare.title in unescape(page) and f'name="game" value="{bare.name}"' in page
        assert "/learn/opera" in page and f"/learn/{bare.name}" not in page
        gone = await one.get(f"/learn/{bare.name}")
        assert 404 == gone.status_code and f"There is no lesson for {bare.title} yet." in unescape(gone.text)
        assert f"/learn/{bare.name}" not in (await one.get("/learn/opera/1")).text

    visiting(visit)


def test_a_table_of_it(bare: Game, visiting: Callable[[Visit], None]) -> None:
    """The page has a panel and a button for every answer; what is chosen is done; why not and previews answer."""

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        match = Match(bare, 2, seed=1)
        table = await sat(app, match, one, two)
        here = f"/t/{table.id}"
        page = (await one.get(here)).text
        assert 'id="pane-fields"' in page and f'class="table-page {bare.name}"' in page
        for action in views.actions(match.view(0), english(bare)):
            assert f'data-do="{escape(action["notation"])}"' in page
        for visitor in (one, two):
            assert 204 == (await visitor.act(table.id, table.match.legal()[0], table.match.ply)).status_code
        seat = table.match.to_act[0]
        visitor = (one, two)[seat]
        refused = next(
            do for do in map(bare.rules.ACTIONS.notation, range(bare.rules.ACTIONS.size)) if table.match.why(do, seat)
        )
        assert (await visitor.get(f"{here}/why", params={"do": refused})).json()["message"]
        told = (await visitor.get(f"{here}/preview", params={"do": table.match.legal(seat)[0]})).json()
        assert {"lines"} == set(told)
        assert 404 == (await one.http.post(f"{here}/compose", json={"nonce": one.nonce})).status_code
        assert "refusals" in (await visitor.get(f"{here}/cannot")).json()["html"]

    visiting(visit)


def test_a_picture_without_panels(monkeypatch: pytest.MonkeyPatch, bare: Game) -> None:
    """The card of a game that draws nothing is empty, and the page comes nevertheless."""
    from ridotto.present import plain
    from ridotto.present.scene import Layer

    monkeypatch.setattr(plain, "shared", lambda view, words: Layer())
    art.vignette.cache_clear()
    assert 'class="drawing vignette"' in art.vignette(bare, "en")
    art.vignette.cache_clear()
