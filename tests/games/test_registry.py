"""The registry: our games, and those that other packages bring by an entry point."""

from __future__ import annotations

import logging
import subprocess
import sys
from pathlib import Path

import pytest

from ridotto import games
from ridotto.core.errors import UnknownGame
from ridotto.games import GAMES, GROUP, Registry, find


def install(site: Path, name: str, value: str, source: str = "") -> None:
    """Put a distribution with one entry point into a folder of packages, as pip would."""
    about = site / f"{name}-1.0.dist-info"
    about.mkdir(parents=True)
    about.joinpath("METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    about.joinpath("entry_points.txt").write_text(f"[{GROUP}]\n{name} = {value}\n")
    site.joinpath(f"{name}.py").write_text(source)


BROKEN = {
    "missing_module": ("no_such_module_at_all:game", "", "No module named 'no_such_module_at_all'"),
    "missing_name": ("missing_name:game", "", "has no attribute 'game'"),
    "raises": ("raises:game", "raise RuntimeError('out of dice')", "RuntimeError: out of dice"),
    "exits": ("exits:game", "raise SystemExit(3)", "SystemExit: 3"),
    "no_game": ("no_game:game", "game = 7", "TypeError: no_game:game is no Game but int"),
    "other_name": ("ridotto.games.opera:game", "", "the entry point is called 'other_name', the game 'opera'"),
    "opera": ("ridotto.games.opera:game", "", "there is a game 'opera' already: Opera"),
    "no_rules": (
        "no_rules:game",
        "import dataclasses, ridotto.games.opera\n"
        "game = dataclasses.replace(ridotto.games.opera.game, name='no_rules', package='no_rules')",
        "no_rules.components",
    ),
}


@pytest.fixture
def strangers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Registry:
    """A registry where every package from outside is broken, each in its own way."""
    for name, (value, source, _) in BROKEN.items():
        install(tmp_path, name, value, source)
    monkeypatch.syspath_prepend(str(tmp_path))
    return Registry(GAMES["fantome"], GAMES["opera"])


def test_broken_games_are_left_out(strangers: Registry, caplog: pytest.LogCaptureFixture) -> None:
    """Each is reported once, with what is wrong with it, and takes no other down."""
    with caplog.at_level(logging.WARNING):
        assert ["fantome", "opera"] == list(strangers)[:2]
        assert set(BROKEN) <= set(strangers.broken)
        assert set() == set(BROKEN) - {"opera"} & set(strangers)
    for name, (_, _, why) in BROKEN.items():
        assert why in strangers.broken[name]
        assert 1 == caplog.text.count(f"the game {name!r} cannot be loaded")
    assert GAMES["opera"] is strangers["opera"]


def test_lookups_say_why(strangers: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody who asks for a broken game is told what is wrong with it, for an unknown one what there is."""
    monkeypatch.setattr(games, "GAMES", strangers)
    with pytest.raises(UnknownGame, match="the game 'raises' cannot be loaded: RuntimeError: out of dice"):
        find("raises")
    with pytest.raises(UnknownGame, match="unknown game 'oprea'; did you mean 'opera'"):
        find("oprea")


def test_an_installed_game_is_one_of_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that registers a game adds it after our own, and it can be looked up, counted and copied."""
    source = "import dataclasses, ridotto.games.fantome\n"
    source += "game = dataclasses.replace(ridotto.games.fantome.game, name='guest')"
    install(tmp_path, "guest", "guest:game", source)
    monkeypatch.syspath_prepend(str(tmp_path))
    registry = Registry(GAMES["opera"])
    assert "opera" == next(iter(registry))
    assert "guest" == registry["guest"].name
    assert "guest" in registry and len(registry) == len(dict(registry))
    assert "guest" not in registry.broken


def test_our_games_are_found_without_looking_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that wants one of ours does not pay for the search."""

    def never(**_: str) -> None:
        raise AssertionError("the entry points were read")

    monkeypatch.setattr(games, "entry_points", never)
    registry = Registry(GAMES["opera"])
    assert GAMES["opera"] is registry["opera"]
    assert "opera" in registry
    with pytest.raises(AssertionError, match="were read"):
        list(registry)


def test_a_game_may_look_at_the_games_while_it_is_loaded(tmp_path: Path) -> None:
    """It is shown those before it, instead of being loaded for ever."""
    source = "import dataclasses\nfrom ridotto.games import GAMES\nseen = sorted(GAMES)\n"
    source += "game = dataclasses.replace(GAMES['fantome'], name='curious')"
    install(tmp_path, "curious", "curious:game", source)
    program = "import ridotto.games as g; assert 'curious' in g.GAMES, g.GAMES.broken; import curious; print(curious.seen)"
    environment = {"PYTHONPATH": f"{tmp_path}:{Path(games.__file__).parents[2]}"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert 0 == done.returncode, done.stderr
    assert "'opera'" in done.stdout
