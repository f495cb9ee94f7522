"""The start page: a match with one click, against bots or with a friend, and one's own tables on top."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from table_state import visiting
from visitors import Visitor, sat, services

from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.web.pages.models import LobbyPage, Reader, SeatView, TableLine
from ridotto.web.pages.site import game_card


@pytest.mark.parametrize("name", GAMES)
def test_one_click(name: str, tmp_path: Path) -> None:
    """Every number of players and every level, against bots and with a friend, as the one form of each game asks for them."""
    game = GAMES[name]

    async def visit(app: Any, one: Visitor) -> None:
        page = (await one.get("/")).text
        card = page.partition(f"offer-{name}")[2].partition("</form>")[0]
        assert "Play with a friend" in card
        counts = re.findall(r'<option value="(\d+)"', card.partition('name="players"')[2].partition("</select>")[0])
        assert [str(seats) for seats in game.seats if len(game.seats) > 1] == counts
        levels = re.findall(r'<option value="(\d+)"', card.partition('name="level"')[2].partition("</select>")[0])
        assert ["1", "2", "3", "4", "5", "6"] == levels
        for seats in game.seats:
            for own in re.findall(r'name="bots" value="(\d+)"', card):
                answer = await one.post("/tables", {"game": name, "bots": own, "players": str(seats), "level": "1"})
                table = await services(app).tables.load(answer.headers["location"].removeprefix("/t/"))
                expected = ["level:1" if str(seat) != own else None for seat in range(seats)]
                assert expected == [chair.bot for chair in table.info.chairs]
            answer = await one.post("/tables", {"game": name, "friend": "0", "players": str(seats), "level": "3"})
            table = await services(app).tables.load(answer.headers["location"].removeprefix("/t/"))
            assert ["person", "free", *["bot"] * (seats - 2)] == [chair.kind for chair in table.info.chairs]
            assert "Send this link to a friend." in (await one.get(f"/t/{table.id}")).text
        for wrong in ({"bots": "9"}, {"bots": "0", "level": "7"}, {"friend": "x"}, {"bots": "0", "players": "99"}):
            assert 400 == (await one.post("/tables", {"game": name, **wrong})).status_code

    visiting(tmp_path, 1, visit)


def test_whose_turn_it_is_comes_first() -> None:
    """On top are the tables that wait for the reader, then those that wait for others; those that are over stand below."""

    def line(id: str, state: Any, **given: Any) -> TableLine:
        return TableLine(id, "Opera", (SeatView(0, "red", "person", "Ada", you=True),), state, **given)

    yours = (
        line("over", "over"),
        line("theirs", "playing"),
        line("open", "open"),
        line("mine", "playing", your_turn=True),
        line("offered", "open", offered=True),
    )
    page = LobbyPage(Reader("Ada", "en"), (game_card(GAMES["opera"], "en"),), yours)
    assert ["mine", "offered", "theirs", "open"] == [one.id for one in page.current]
    assert ["over"] == [one.id for one in page.past]
    assert 1 == page.turns


def test_ones_own_tables_stand_above_the_games(tmp_path: Path) -> None:
    """The title of the tab counts them, too, and a table that is over does not push one out that is not."""

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        table = await sat(app, Match(GAMES["fantome"], 2), one, two)
        over = Match(GAMES["fantome"], 2)
        over.resign(0)
        for _ in range(20):
            await sat(app, over, one, two)
        mine, other = (await one.get("/")).text, (await two.get("/")).text
        assert mine.index(f"/t/{table.id}") < mine.index('class="offers"')
        assert "<title>(1) Ridotto</title>" in mine and "<title>Ridotto</title>" in other
        assert "your turn" in mine and "your turn" not in other.partition('class="offers"')[0]

    visiting(tmp_path, 2, visit)
