"""The target `wasm`: modules of WebAssembly under Node do what compiled and interpreted code do, to the last bit.

`make test` goes through one game and little of it; `make soak` through all of them, with 100,000 matches and 1,000 searches.
"""

from __future__ import annotations

import math
import os
import random
import shutil
import subprocess
import sys
import zlib
from array import array
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from wasm_modules import build_from, module_build

import ridotto
from ridotto.bots import Budget, find, modules
from ridotto.bots.networks import file_of, load_packed, network_of
from ridotto.bots.solver import reason_against
from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.core.view import View
from ridotto.engine.arrays import Deal
from ridotto.engine.build import Build
from ridotto.engine.errors import BadBox, NoModule
from ridotto.engine.exponential import exp
from ridotto.games import GAMES

QUICK = "turandot"
"""The game in `make test`: it has a network, and up to five seats."""
EVERY = [pytest.param(name, marks=() if name == QUICK else pytest.mark.soak) for name in GAMES]
LIARS_DICE = GAMES["liars_dice"]


# The exponential function, which all targets share.


def test_exp_is_within_two_units_of_the_true_value() -> None:
    """Beside the C library's, which is within one unit of it."""
    numbers = [random.Random(1).uniform(-700, 700) for _ in range(20_000)] + [0.0, -0.0, 1.0, -1e-9, 1e-300, 20.0, -20.0]
    for x in numbers:
        assert abs(exp(x) - math.exp(x)) <= 2 * math.ulp(math.exp(x)), x
    assert (0.0, math.inf, 0.0) == (exp(-1e9), exp(1e9), exp(-math.inf))
    assert math.isnan(exp(math.nan))
    assert math.exp(-720) == pytest.approx(exp(-720), rel=1e-6)


def test_exp_is_the_same_compiled() -> None:
    """Bit for bit."""
    compiled: Any = GAMES["fantome"].build("cpu").copies.load("ridotto.engine.exponential")
    for x in [random.Random(2).uniform(-60, 60) for _ in range(20_000)]:
        assert exp(x) == compiled.exp(x), x


# Networks, unpacked without NumPy.


@pytest.mark.parametrize("name", [name for name, game in GAMES.items() if network_of(game) is not None])
def test_a_network_unpacks_without_numpy(name: str) -> None:
    """Every weight is what NumPy makes of the file, to the last bit."""
    game = GAMES[name]
    build, known = game.build("cpu"), network_of(game)
    assert known is not None
    packed = load_packed(file_of(game))
    for one, other in zip(known.weights_on(build), packed.weights_on(build), strict=True):
        assert (one.shape, str(one.dtype)) == (other.shape, str(other.dtype))
        assert (one == other).all()
    assert known.facts.items() <= packed.facts.items()


# Rows.


def traced(build: Build, seats: int, first: int, matches: int) -> list[int]:
    """A hash of all rows of each match of a run of random matches."""
    options = build.copy([option.default for option in build.rules.OPTIONS])
    hashes = build.array(matches, "int64")
    build.driver.trace(build.workspace(), Deal(options, seats, 77), first, hashes)
    return [int(one) for one in hashes]


def played(game: Game, seats: int, number: int) -> int:
    """The same of one match, interpreted, and hashed by zlib."""
    build = game.build()
    rules, dice, muted = build.rules, build.generator(77, number), build.events(muted=True)
    row, mask, random_action = build.row(), build.mask(), build.driver.random_action
    rules.deal(row, seats, [option.default for option in rules.OPTIONS], dice, muted)
    total = 1
    while True:
        words = array("h", row)
        if sys.byteorder == "big":
            words.byteswap()
        total = zlib.adler32(words, total)
        waiting = rules.to_act(row)
        if not waiting:
            return total
        seat = (waiting & -waiting).bit_length() - 1
        rules.legal(row, seat, mask)
        rules.apply(row, seat, random_action(mask, dice), dice, muted)


@pytest.mark.parametrize("name", EVERY)
def test_every_row_of_random_matches_is_equal(name: str) -> None:
    """Interpreted, compiled, and in the module."""
    game = GAMES[name]
    for seats in game.seats:
        expected = [played(game, seats, number) for number in range(4)]
        assert expected == traced(game.build("cpu"), seats, 0, 4) == traced(module_build(game), seats, 0, 4)
        assert traced(game.build("cpu"), seats, 4, 300) == traced(module_build(game), seats, 4, 300)


@pytest.mark.soak
@pytest.mark.parametrize("name", list(GAMES))
def test_every_row_of_very_many_matches_is_equal(name: str) -> None:
    """100,000 matches a game."""
    game = GAMES[name]
    matches = int(os.environ.get("RIDOTTO_MATCHES", "100000")) // len(game.seats)
    for seats in game.seats:
        compiled = traced(game.build("cpu"), seats, 0, matches)
        assert compiled == traced(module_build(game), seats, 0, matches)
        assert compiled == [played(game, seats, number) for number in range(matches)]


@pytest.fixture
def spoiled(tmp_path: Path) -> Iterator[Build]:
    """A build whose module has other constants than its game."""
    game = GAMES[QUICK]
    module = bytearray(modules.module_of(game).read_bytes())
    at = 8
    while at < len(module):
        kind, (size, begin) = module[at], number_at(module, at + 1)
        if kind == 11:  # the section of data
            for byte in range(begin + 16, begin + size, 4):
                module[byte] ^= 1
        at = begin + size
    file = tmp_path / "spoiled.wasm"
    file.write_bytes(module)
    with build_from(game, file) as build:
        yield build


def number_at(module: bytes | bytearray, at: int) -> tuple[int, int]:
    """A number as WebAssembly writes it, and where the next thing begins."""
    number = shift = 0
    while True:
        number |= (module[at] & 127) << shift
        shift += 7
        at += 1
        if module[at - 1] < 128:
            return number, at


def test_another_constant_is_noticed(spoiled: Build) -> None:
    """A planted difference: rows come out other, or the module fails."""
    game = GAMES[QUICK]
    with suppress(NoModule, MemoryError):
        assert traced(game.build("cpu"), 3, 0, 20) != traced(spoiled, 3, 0, 20)


# Bots.


def positions(game: Game, number: int) -> Iterator[View]:
    """Views of those who have a choice, at every number of seats."""
    chance = random.Random(5)
    seed = 0
    while number > 0:
        seed += 1
        match = Match(game, chance.choice(list(game.seats)), seed=seed, clock=lambda: 0.0)
        while match.to_act and number > 0:
            seat = chance.choice(match.to_act)
            view = match.view(seat)
            if len(view.legal) > 1 and chance.random() < 0.15:
                number -= 1
                yield view
            match.play(chance.choice(view.legal), seat)


def check_bots(game: Game, number: int, bots: list[str], opinions: list[str]) -> None:
    """Bots choose the same in a module; what searches have counted is equal."""
    module_build(game)
    for seed, view in enumerate(positions(game, number)):
        for name in bots:
            choices = [find(name).choose(view, Budget(seed, target=target)) for target in ("cpu", "wasm")]
            assert choices[0] == choices[1], f"{name} at ply {view.ply}, seed {seed}"
        for name in opinions:
            one, other = (find(name).opinion(view, Budget(seed, target=target)) for target in ("cpu", "wasm"))
            assert one == other, f"{name} at ply {view.ply}, seed {seed}"


@pytest.mark.parametrize("name", EVERY)
def test_bots_choose_the_same(name: str) -> None:
    """All six levels, and the visits and values of a search and of one with a network."""
    levels = [f"level:{level}" for level in range(1, 6)]
    check_bots(GAMES[name], 6, ["greedy", *levels], ["search:60", "net:20"])


@pytest.mark.soak
@pytest.mark.parametrize("name", list(GAMES))
def test_very_many_searches_are_the_same(name: str) -> None:
    """1,000 searches a game; with the network, if it has one; and the strongest level."""
    game = GAMES[name]
    searches = int(os.environ.get("RIDOTTO_SEARCHES", "1000"))
    check_bots(game, searches, [], ["search:100", *(["net:30"] if network_of(game) is not None else [])])
    check_bots(game, 5, ["level:6"], [])


@pytest.mark.parametrize("name", EVERY)
def test_bots_are_not_interpreted(name: str) -> None:
    """A module has every compiled function that the levels call, with these kinds of arguments."""
    game = GAMES[name]
    build = module_build(game)
    assert build.linked is not None
    build.linked.missed.clear()
    check_bots(game, 3, [f"level:{level}" for level in range(1, 5)], ["search:20"])
    assert not build.linked.missed


@pytest.mark.soak
def test_the_solver_values_the_same() -> None:
    """The chances of each action and the value, where a game has a solver."""
    for game in GAMES.values():
        if reason_against(game) is not None:
            continue
        module_build(game)
        for seed, view in enumerate(positions(game, 4)):
            one, other = (find("solver:8").opinion(view, Budget(seed, target=target)) for target in ("cpu", "wasm"))
            assert one == other, f"ply {view.ply}"


# Modules.


@pytest.mark.parametrize("name", EVERY)
def test_a_module_imports_nothing(name: str) -> None:
    """It needs no more than a browser's `WebAssembly.instantiate`."""
    module = modules.module_of(GAMES[name]).read_bytes()
    at, kinds = 8, []
    while at < len(module):
        kinds.append(module[at])
        size, begin = number_at(module, at + 1)
        at = begin + size
    assert 2 not in kinds


@pytest.mark.soak
def test_our_modules_are_small() -> None:
    """500 KB for our three games."""
    sizes = {name: modules.module_of(GAMES[name]).stat().st_size for name in ("opera", "fantome", "turandot")}
    print(sizes)
    assert sum(sizes.values()) <= 500_000


@pytest.mark.soak
def test_a_module_is_the_same_made_again_elsewhere(tmp_path: Path) -> None:
    """Byte for byte, from the same sources in another folder."""
    first, second = tmp_path / "first.wasm", tmp_path / "second.wasm"
    modules.make(LIARS_DICE, first)
    elsewhere = tmp_path / "a" / "longer" / "path"
    for source in (Path(ridotto.__file__).parent, LIARS_DICE.folder):
        shutil.copytree(source, elsewhere / source.name, ignore=shutil.ignore_patterns("__pycache__"))
    code = "import sys; from pathlib import Path; from ridotto.bots import modules; from ridotto.games import find; "
    code += "modules.make(find('liars_dice'), Path(sys.argv[1]))"
    environment = os.environ | {"PYTHONPATH": str(elsewhere)}
    done = subprocess.run(
        [sys.executable, "-c", code, str(second)], env=environment, cwd=elsewhere, capture_output=True, text=True, check=False
    )
    assert 0 == done.returncode, done.stderr
    assert first.read_bytes() == second.read_bytes()


def test_a_module_has_the_own_box(tmp_path: Path) -> None:
    """Another box needs another target, and without a module there is no build."""
    box = tmp_path / "box.toml"
    box.write_text((LIARS_DICE.folder / "components.toml").read_text("utf-8"), "utf-8")
    with pytest.raises(BadBox, match="the game's own box"):
        LIARS_DICE.with_box(box).build("wasm")
    with pytest.raises(NoModule, match="no module of WebAssembly is installed for nothing"):
        from ridotto.engine.wasm import Linked

        Linked("nothing")
