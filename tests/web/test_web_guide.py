"""A first match with a guide, a table that goes on from another one, and how everybody stands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from table_state import visiting
from visitors import Visitor, sat

from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.present import views
from ridotto.present.ui import ui


@pytest.mark.parametrize("name", GAMES)
def test_a_guide_until_it_is_switched_off(name: str, tmp_path: Path) -> None:
    """Whoever set up the table with a guide reads what a question is about; nobody else does, and one click ends it."""

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        game = GAMES[name]
        match = Match(game, game.seats[0])
        first = match.to_act[0]
        table = await sat(app, match, *(one if seat == first else "" for seat in range(match.seats)))
        assert 303 == (await one.post(f"/t/{table.id}/guide", {"on": "1"})).status_code
        view = table.match.view(first)
        told = ui(game).words(ui(game).narrator("en", (), first)).guide(view.row, first)
        assert told and first in table.match.to_act
        page = (await one.get(f"/t/{table.id}")).text
        assert 'class="guide"' in page
        assert 403 == (await two.post(f"/t/{table.id}/guide", {"on": "1"})).status_code
        assert 'class="guide"' not in (await two.get(f"/t/{table.id}")).text
        assert 303 == (await one.post(f"/t/{table.id}/guide")).status_code
        page = (await one.get(f"/t/{table.id}")).text
        assert 'class="guide"' not in page and "Explain each question to me" in page
        await one.post(f"/t/{table.id}/guide", {"on": "1"})
        assert 'class="guide"' in (await one.get(f"/t/{table.id}")).text

    visiting(tmp_path, 2, visit)


def test_a_table_that_goes_on_from_another(tmp_path: Path) -> None:
    """It has the log of what had happened, offers the same bots, and leads back."""

    async def visit(app: Any, one: Visitor) -> None:
        match = Match(GAMES["fantome"], 2, seed=5)
        match.play(match.legal()[0])
        told = views.events(match.view(0), ui(GAMES["fantome"]).words(ui(GAMES["fantome"]).narrator("en", ("", "Rosina"), 0)))[
            -1
        ]["text"]
        table = await sat(app, match, one, "level:4")
        replay = (await one.get(f"/t/{table.id}/replay?ply=1")).text
        assert '<option value="bot:level:4" selected>' in replay
        form = {"ply": "1", "seat0": "me", "seat1": "bot:level:4"}
        answer = await one.post(f"/t/{table.id}/onward", form)
        page = (await one.get(answer.headers["location"])).text
        assert told in page
        assert f'href="/t/{table.id}/replay?ply=1"' in page
        assert "Nothing has happened yet." not in page

    visiting(tmp_path, 1, visit)


def test_how_everybody_stands() -> None:
    """Points where the game has them, and whoever has most leads; nobody does where all have the same."""
    game = GAMES["opera"]
    match = Match(game, 3, seed=1)
    assert [("0 points", False)] * 3 == [tuple(one) for one in ui(game).english.standings(match.row)]
    row, at = match.row, game.rules.FIELDS.F.points
    row[at : at + 3] = [4, 9, 9]
    assert [("4 points", False), ("9 points", True), ("9 points", True)] == [
        tuple(one) for one in ui(game).english.standings(row)
    ]
    fantome = GAMES["fantome"]
    first = [one.text for one in ui(fantome).english.standings(Match(fantome, seed=1).row)]
    assert "8 suspects" == first[0] and first[1].endswith(" spaces to go")
