"""The pages of puzzles: the one of the day, every answer, and what is no answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from visitors import Visitor, visiting

from ridotto.bots import puzzles
from ridotto.games import GAMES


def test_puzzles_are_solved(tmp_path: Path) -> None:
    """The best decision is right, the glance is not, and both pages say why; nothing else is an answer."""

    async def visit(app: Any, ada: Visitor) -> None:
        for game in GAMES.values():
            if not puzzles.load(game):
                assert 404 == (await ada.get(f"/puzzles/{game.name}")).status_code
                continue
            today = await ada.get(f"/puzzles/{game.name}")
            assert 303 == today.status_code
            address = today.headers["location"]
            one = puzzles.load(game)[int(address.rpartition("/")[2]) - 1]
            page = (await ada.get(address)).text
            assert all(f'value="{action}"' in page for action in one.values)
            assert "Right:" in (await ada.get(address, params={"answer": one.best})).text
            assert "Not the best" in (await ada.get(address, params={"answer": one.glance})).text
            assert 404 == (await ada.get(address, params={"answer": "nonsense"})).status_code
            assert 404 == (await ada.get(f"/puzzles/{game.name}/9999")).status_code
        assert 404 == (await ada.get("/puzzles/chess")).status_code

    visiting(tmp_path, 1, visit)
