"""The games there are: our three, and every game that an installed package registers.

A package registers a game by an entry point of the group `ridotto.games`, whose name is the game's and whose value is its
`Game`. In the package's pyproject.toml:

    [project.entry-points."ridotto.games"]
    liars_dice = "liars_dice:game"
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from threading import RLock
from typing import Final

from ridotto.core.errors import UnknownGame
from ridotto.core.game import Game
from ridotto.games import fantome, opera, turandot
from ridotto.present.ui import ui

GROUP: Final = "ridotto.games"
"""The entry point group of games from other packages."""
BOXES: Final = "RIDOTTO_BOXES"
"""The environment variable with other boxes for all processes: GAME=FILE, or several, as in PATH."""

log = logging.getLogger(__name__)


def boxes_in_environment() -> dict[str, Path]:
    """The boxes that the environment names, by game."""
    named = (one.partition("=") for one in os.environ.get(BOXES, "").split(os.pathsep))
    return {name: Path(file) for name, equals, file in named if equals}


class Registry(Mapping[str, Game]):
    """Games by name: our own, then those of other packages, which are looked for when they are first wanted.

    A game that cannot be loaded is left out, so that it takes no other down with it; `broken` says why.
    """

    def __init__(self, *own: Game) -> None:
        self._boxes: dict[str, Path | None] = dict(boxes_in_environment())
        self._own = {game.name: self._in_its_box(game) for game in own}
        self._all: dict[str, Game] | None = None
        self._broken: dict[str, str] = {}
        self._loading = RLock()

    def __getitem__(self, name: str) -> Game:
        return self._own[name] if name in self._own else self._load()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._load())

    def __len__(self) -> int:
        return len(self._load())

    def __repr__(self) -> str:
        return f"<Registry: {', '.join(self)}>"

    @property
    def broken(self) -> Mapping[str, str]:
        """The games of other packages that cannot be played, each with the reason."""
        self._load()
        return self._broken

    def _load(self) -> dict[str, Game]:
        with self._loading:
            if self._all is None:
                # Kept at once: a package that asks for games while it is loaded is shown those before it.
                found = self._all = dict(self._own)
                for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
                    try:
                        found[point.name] = self._in_its_box(_loaded(point, found))
                    except (Exception, SystemExit) as error:  # A stranger may fail in any way.
                        self._broken[point.name] = f"{type(error).__name__}: {error}"
                        log.warning("the game %r cannot be loaded: %s", point.name, self._broken[point.name])
            return self._all

    def use_box(self, name: str, file: Path | None) -> None:
        """Play a game with another box from now on; None: with its own."""
        self._boxes[name] = file
        for games in (self._own, self._load()):
            if name in games:
                games[name] = self._in_its_box(games[name])

    def _in_its_box(self, game: Game) -> Game:
        """A game with the box that the environment names for it."""
        return replace(game, box_file=self._boxes[game.name]) if game.name in self._boxes else game


def _loaded(point: EntryPoint, taken: Mapping[str, Game]) -> Game:
    """The game of an entry point, with rules that can be run."""
    if point.name in taken:
        raise ValueError(f"there is a game {point.name!r} already: {taken[point.name].title}")
    game = point.load()
    if not isinstance(game, Game):
        raise TypeError(f"{point.value} is no Game but {type(game).__name__}")
    if game.name != point.name:
        raise ValueError(f"the entry point is called {point.name!r}, the game {game.name!r}")
    game.build()
    ui(game).load()
    return game


GAMES: Final = Registry(fantome.game, opera.game, turandot.game)


def find(name: str, box: Path | str | None = None) -> Game:
    """The game of that name, with another box if one is given: a file, or the name of one in the game's folder `boxes`."""
    if name not in GAMES:
        if name in GAMES.broken:
            raise UnknownGame(f"the game {name!r} cannot be loaded: {GAMES.broken[name]}")
        near = get_close_matches(name.lower(), GAMES, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(GAMES)}"
        raise UnknownGame(f"unknown game {name!r}; {hint}")
    return GAMES[name].with_box(_box_file(GAMES[name], box)) if box else GAMES[name]


def _box_file(game: Game, box: Path | str) -> Path:
    """The file of a box that is given by its path, or by its name if it came with the game."""
    own = game.boxes.get(str(box))
    return Path(box) if own is None else own
