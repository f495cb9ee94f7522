"""Games as modules of WebAssembly, under Node."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from ridotto.bots.modules import module_of
from ridotto.core.game import Game
from ridotto.engine import build as builds
from ridotto.engine import wasm
from ridotto.engine.build import Build
from ridotto.engine.wasm.node import NodeInstance


@cache
def module_build(game: Game) -> Build:
    """The build of a game whose functions are called in its module."""
    wasm.install(game.package, NodeInstance(module_of(game)))
    return game.build("wasm")


@contextmanager
def build_from(game: Game, file: Path) -> Iterator[Build]:
    """A build with another module in the place of the game's own, which comes back afterwards."""
    own = module_build(game)
    tag = f"@{game.package.replace('.', '_')}-wasm"
    before = {name: module for name, module in sys.modules.items() if name.endswith(tag)}
    assert own.linked is not None
    try:
        wasm.install(game.package, NodeInstance(file))
        yield game.build("wasm")
    finally:
        wasm.install(game.package, own.linked.instance)
        sys.modules.update(before)
        builds._builds[game.package, "wasm", None] = own
