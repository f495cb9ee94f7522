"""The games there are."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import Final

from ridotto.core.errors import UnknownGame
from ridotto.core.game import Game
from ridotto.games import fantome, opera, turandot

GAMES: Final[dict[str, Game]] = {
    "fantome": fantome.game,
    "opera": opera.game,
    "turandot": turandot.game,
}


def find(name: str, box: Path | None = None) -> Game:
    """The game of that name, with another box if one is given."""
    if name not in GAMES:
        near = get_close_matches(name.lower(), GAMES, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(GAMES)}"
        raise UnknownGame(f"unknown game {name!r}; {hint}")
    return GAMES[name].with_box(box) if box else GAMES[name]
