"""Modules of WebAssembly for games: the functions that they have to have, and a folder where made ones are kept.

Bots choose, judge and measure luck once in a build that notes what they call; the module has just these functions. Making one
takes a minute, in a process of its own; it is kept for as long as no source and no version changes.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from ridotto.bots import judging
from ridotto.bots.bot import Budget
from ridotto.bots.networks import HIDDEN_TEMPERATURE, KnownNetwork, Net, NetSearch, file_of, load_packed
from ridotto.bots.registry import find
from ridotto.bots.search import Search
from ridotto.bots.solver import reason_against
from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.core.view import View
from ridotto.engine.arrays import Deal
from ridotto.engine.build import Build, cache_home
from ridotto.engine.digest import digest
from ridotto.engine.errors import NoModule
from ridotto.games import find as find_game

PLIES: Final = 40
"""The decisions of a match that bots are asked about while it is recorded what they call."""
MOST_TURNS: Final = 3
"""The decisions for which slow bots are asked."""


def file_name(game: Game) -> str:
    """The name of the file of a game's module."""
    return f"{game.package}.wasm"


def write(games: Iterable[Game], folder: Path) -> list[Path]:
    """Write the modules of games into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    return [Path(shutil.copyfile(module_of(game), folder / file_name(game))) for game in games]


def module_of(game: Game) -> Path:
    """The file with the module of a game, made if there is none yet for these sources and versions."""
    kept = cache_home() / "modules" / f"{game.name}-{_digest(game)}.wasm"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        part = kept.with_suffix(f".{os.getpid()}")
        make(game, part)
        part.replace(kept)
    return kept


def make(game: Game, path: Path) -> None:
    """Make the module of a game, in another process."""
    from ridotto.engine.wasm.compile import SETTINGS

    environment = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")} | SETTINGS
    environment["PYTHONPATH"] = os.pathsep.join(one for one in sys.path if one)
    command = [sys.executable, "-m", "ridotto.bots.modules", game.name, str(path)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        reason = done.stderr.strip().splitlines() or ["without a word"]
        raise NoModule(f"the module of {game.name} could not be made: {reason[-1]}")


def _digest(game: Game) -> str:
    """A digest of everything that a module is made of."""
    own = Path(__file__).parents[1]
    files = {*game.build().sources, *game.folder.glob("*.toml"), *file_of(game).parent.rglob("*.npz")}
    for folder in ("engine", "core", "bots"):
        files |= {*(own / folder).glob("*.py")}
    files |= {own / "engine" / "wasm" / name for name in ("compile.py", "runtime.ll")}
    parts = sorted(hashlib.sha256(path.read_bytes()).hexdigest() for path in files)
    tools = [version(name) for name in ("numba", "llvmlite", "ziglang")]
    return digest([*parts, *tools, platform.python_version()])[:20]


# What a module has.


def call_everything(game: Game) -> None:
    """Call, from Python, every compiled function that bots and measurements call, with their kinds of arguments."""
    for seats in sorted({game.seats[0], game.seats[-1]}):
        match = Match(game, seats, seed=1)
        turns: dict[int, int] = {}
        while match.to_act and match.ply < PLIES:
            seat = match.to_act[0]
            view = match.view(seat)
            if len(view.legal) > 1:
                turns[seat] = turns.get(seat, 0) + 1
                for bot in _bots(game, turns[seat] <= MOST_TURNS):
                    bot.sit().choose(view, Budget(match.ply))
            match.play(find("greedy").choose(view, Budget(match.ply)), seat)
        _judge(match)
        if (network := _packed(game)) is not None:
            network.for_seats(game, seats)
        _drive(game.build("cpu"), seats)


def _bots(game: Game, with_slow: bool) -> Iterator[Any]:
    yield find("greedy")
    if with_slow:
        yield Search(8)
        yield Search(8, trusting=True)
        if _packed(game) is not None:
            yield NetSearch(4)
            yield Net()
            yield Net(temperature=HIDDEN_TEMPERATURE, overlook=0.5)
        if reason_against(game) is None:
            yield find("solver:2")


def _packed(game: Game) -> KnownNetwork | None:
    return load_packed(file_of(game)) if file_of(game).exists() else None


def _judge(match: Match) -> None:
    """What reviews and accounts of luck call."""
    judging.warm(match.game)
    view: View = match.view(match.to_act[0]) if match.to_act else match.view(0)
    for bot in ("search:8", "net:4"):
        if match.to_act:
            find(bot).opinion(view, Budget(1))


def _drive(build: Build, seats: int) -> None:
    """Random play, and every function of the contract of rules and bots."""
    options = build.copy([option.default for option in build.rules.OPTIONS])
    work, deal = build.workspace(), Deal(options, seats, 1)
    rules, driver, dice = build.rules, build.driver, build.dice
    rules.deal(work.row, seats, options, work.dice, work.events)
    driver.play_on(work.row, work.mask, work.dice, work.events, 3)
    values = build.array(8, "int64")
    belief = build.copy(build.bot.believe(build, None), "int64")
    for seat in range(seats):
        rules.legal(work.row, seat, work.mask)
        rules.refuses(work.row, seat, 0)
        rules.score(work.row, seat, work.parts)
    for ask in (rules.to_act, rules.ending, rules.winners, rules.check):
        ask(work.row)
    build.bot.value(work.row, values, work.scratch)
    build.bot.plausible(work.row, belief)
    seat = int(dice.lowest(rules.to_act(work.row)))
    rules.legal(work.row, seat, work.mask)
    action = build.bot.policy(work.row, seat, work.mask, work.dice, work.events, work.scratch)
    rules.apply(work.row, seat, action, work.dice, work.events)
    masked = build.row()
    driver.mask_row(work.row, 0, masked)
    build.bot.recall(masked, 0)
    rules.redeal(masked, 0, work.dice)
    driver.simulate(work, deal, 0, 1, build.array(driver.TALLY_SIZE, "int64"))
    driver.trace(work, deal, 0, build.array(1, "int64"))
    mask, number = build.mask(), build.generator(0)
    dice.clear(mask)
    dice.allow(mask, 0, 1)
    dice.is_legal(mask, 0)
    dice.count_legal(mask)
    dice.nth_legal(mask, 0)
    dice.draw(number, 2)
    dice.emit(work.events, 0)


if __name__ == "__main__":
    from ridotto.engine.wasm.compile import Recording

    wanted = find_game(sys.argv[1])
    recording = Recording(wanted.package)
    call_everything(wanted)
    Path(sys.argv[2]).write_bytes(recording.module())
