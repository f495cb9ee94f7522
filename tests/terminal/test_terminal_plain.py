"""A game without a sketch and without a rulebook at the terminal."""

from __future__ import annotations

import io
import sys

import pytest
from bare_game import bare_game
from rich.console import Console
from rich.text import Text

from ridotto import bots
from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.present.ui import english, ui
from ridotto.terminal import session


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return bare_game(tmp_path_factory.mktemp("bare"))


def test_the_fields_are_listed(bare: Game) -> None:
    """Every field by its name, "?" where the seat may not look, and no line wider than a terminal."""
    view = Match(bare, 2, seed=1).view(0)
    lines = Text.from_markup(ui(bare).drawing(view, english(bare))).plain.split("\n")
    assert any("?" in line for line in lines)
    for name in view.position:
        assert 1 == sum(line.startswith(f"{name.replace('_', ' ')}: ") for line in lines)
    assert max(map(len, lines)) <= 77


def test_it_is_played_to_its_end(bare: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """A whole match against a bot; asking for the rulebook says that there is none."""
    match = Match(bare, 2, seed=1)
    monkeypatch.setattr(sys, "stdin", io.StringIO("rules\nrules 1\n" + "1\n" * 500))
    console = Console(file=io.StringIO(), width=100, color_system=None)
    assert 0 == session.play(match, ["you", "random"], bots={1: bots.find("random")}, bot_seed=1, console=console)
    assert isinstance(console.file, io.StringIO)
    shown = console.file.getvalue()
    assert match.outcome is not None
    assert 2 == shown.count("this game has no rulebook here")
    assert "Won by: " in shown or "Nobody wins." in shown
