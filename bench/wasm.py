"""The speed of modules of WebAssembly beside native code: `python -m bench.wasm [--json FILE] [--without-browser]`.

Playouts of the search, and evaluations of the network, a second of CPU time: compiled for this machine, under Node, and in
Chromium, one after the other again and again; the best of five. They do the same, to the last bit.
"""

from __future__ import annotations

import argparse
import base64
import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.table import Table

from bench.figures import machine, versions
from ridotto.bots.modules import module_of
from ridotto.bots.networks import network_of
from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.core.view import View
from ridotto.engine import wasm
from ridotto.engine.arrays import SearchRequest
from ridotto.engine.build import Build
from ridotto.engine.wasm.node import NodeInstance
from ridotto.games import GAMES

REPEATS: Final = 5
PLAYOUTS: Final = 10_000
WITH_NETWORK: Final = 400
CHROMIUM: Final = "/usr/bin/chromium"
HOST: Final = """
async (code) => {
    const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const { instance } = await WebAssembly.instantiate(bytes(code));
    const view = (at, size) => new Uint8Array(instance.exports.memory.buffer, at, size);
    window.invoke = (name, at, data, size) => {
        if (data) view(at, atob(data).length).set(bytes(data));
        const status = name ? instance.exports[name](at) : 0;
        return [status, size ? btoa(String.fromCharCode(...view(at, size))) : ""];
    };
    return Object.keys(instance.exports).filter((name) => name !== "memory");
}
"""


class ChromiumInstance:
    """A module in a page of Chromium."""

    def __init__(self, browser: Any, file: Path) -> None:
        self._page, self._session = browser.new_page(), browser.new_browser_cdp_session()
        self.exports: Sequence[str] = self._page.evaluate(HOST, base64.b64encode(file.read_bytes()).decode())

    @property
    def seconds(self) -> float:
        """The CPU time of the pages."""
        processes = self._session.send("SystemInfo.getProcessInfo")["processInfo"]
        return float(sum(one["cpuTime"] for one in processes if one["type"] == "renderer"))

    def invoke(self, name: str, number: int, data: bytes = b"", size: int = 0) -> tuple[int, bytes]:
        call = "([name, at, data, size]) => invoke(name, at, data, size)"
        status, out = self._page.evaluate(call, [name, number, base64.b64encode(data).decode(), size])
        return status, base64.b64decode(out)

    def read(self, address: int, size: int) -> bytes:
        parts = (self.invoke("", at, b"", min(4096, address + size - at))[1] for at in range(address, address + size, 4096))
        return b"".join(parts)

    def write(self, address: int, data: bytes) -> None:
        self.invoke("", address, data)


@contextmanager
def chromium() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        try:
            yield browser
        finally:
            browser.close()


def thinking(game: Game, build: Build, view: View, with_network: bool) -> Callable[[], tuple[int, list[int]]]:
    """Searches one position; how many playouts that was, and the counters of the tree."""
    assert view.seat is not None
    settings = build.copy(game.tuning.search.numbers, "int64")
    belief = build.copy(build.bot.believe(build, view), "int64")
    rows = build.copy(view.row), build.copy(build.rules.FIELDS.masked(view.row, None))
    request = SearchRequest(*rows, view.seat, belief, settings)
    trained = network_of(game)
    network = (trained.for_seats(game, view.seats, build.target),) if with_network and trained is not None else ()
    playouts = WITH_NETWORK if with_network else PLAYOUTS

    def think() -> tuple[int, list[int]]:
        tree, work = build.tree(1 << 14, 1 << 18), build.workspace(build.generator(1))
        build.search.search(request, playouts, tree, work, *network)
        return playouts, [int(one) for one in tree.counters]

    return think


def module_build(game: Game, instance: Any) -> Build:
    """A build of its own for an instance."""
    wasm.install(game.package, instance)
    return game.build("wasm")


def measure(game: Game, browser: Any) -> Iterator[dict[str, Any]]:
    """The figures of one game, with and without its network."""
    seats = min(4, game.seats[-1])
    match = Match(game, seats, seed=5)
    view = match.view(match.to_act[0])
    for with_network in (False, True) if network_of(game) is not None else (False,):
        runs: dict[str, tuple[Callable[[], Any], Callable[[], float]]] = {
            "native": (thinking(game, game.build("cpu"), view, with_network), time.process_time)
        }
        instances: dict[str, Any] = {"node": NodeInstance(module_of(game))}
        if browser is not None:
            instances["chromium"] = ChromiumInstance(browser, module_of(game))
        for name, instance in instances.items():
            build = module_build(game, instance)
            runs[name] = thinking(game, build, view, with_network), partial(getattr, instance, "seconds")
        best = dict.fromkeys(runs, 0.0)
        results = [run() for run, _ in runs.values()]
        assert all(one == results[0] for one in results), "the targets do not agree"
        for _ in range(REPEATS):
            for name, (run, clock) in runs.items():
                begun = clock()
                done, _counters = run()
                best[name] = max(best[name], done / (clock() - begun))
        yield {"game": game.name, "seats": seats, "network": with_network, **best}


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure modules of WebAssembly.")
    parser.add_argument("--json", type=Path, help="write the figures here too")
    parser.add_argument("--without-browser", action="store_true", help="native and Node alone")
    parser.add_argument("--games", nargs="+", default=["fantome", "turandot", "opera"])
    chosen = parser.parse_args()
    found = []
    table = Table("game", "seats", "network", "native, a second", "Node", "Chromium")
    with chromium() if not chosen.without_browser else _nothing() as browser:
        for name in chosen.games:
            for line in measure(GAMES[name], browser):
                found.append(line)
                beside = [f"{line[one] / line['native']:.2f}" if one in line else "" for one in ("node", "chromium")]
                table.add_row(name, str(line["seats"]), "yes" if line["network"] else "", f"{line['native']:,.0f}", *beside)
    Console().print(table)
    if chosen.json:
        run = {"date": time.strftime("%Y-%m-%dT%H:%M:%S"), "machine": machine(), "versions": versions(), "figures": found}
        chosen.json.write_text(json.dumps(run, indent=2) + "\n", "utf-8")


@contextmanager
def _nothing() -> Iterator[None]:
    yield None


if __name__ == "__main__":
    main()
