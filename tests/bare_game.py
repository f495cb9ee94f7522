"""A game that has nothing but rules, components and words: no bot, sketch, picture, page, lesson, tuning or rulebook."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

import liars_dice
from ridotto.core.game import Game

MODULES = ("__init__.py", "rules.py", "components.py", "components.toml", "ui/__init__.py", "ui/words.py")


def bare_game(folder: Path) -> Game:
    """Liar's Dice without anything that a game may do without, as a package in a folder."""
    package = folder / "baredice"
    (package / "ui").mkdir(parents=True)
    for name in MODULES:
        text = (Path(liars_dice.__file__).parent / name).read_text("utf-8")
        (package / name).write_text(text.replace("liars_dice", package.name), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        game: Game = importlib.import_module(package.name).game
        game.build()
    return game
