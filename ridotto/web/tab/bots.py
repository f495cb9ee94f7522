"""Bots in a tab: they think in browser workers of their own, each with a Python of its own, so that the page never waits.

What is asked and answered are the requests of `ridotto.web.live.workers`, as bytes.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import replace
from typing import Any, Final, cast

from ridotto import bots
from ridotto.bots.levels import Level
from ridotto.engine import wasm
from ridotto.engine.errors import RidottoError
from ridotto.engine.wasm.browser import BrowserInstance
from ridotto.games import GAMES
from ridotto.web.live.fair_queue import Asker
from ridotto.web.live.workers import LIGHT, BotRequest, BotWorkers, Shortage
from ridotto.web.tab.exchange import as_bytes

SECONDS: Final = 2.0
"""Seconds that a thought may take with interpreted rules."""
Ask = Callable[[bytes, str, Callable[[bytes | None, str], None]], None]
"""Sends a question about the game of a package to a worker of the browser, and calls back with the answer, or with None and an
error."""


class BrowserPool:
    """A pool of browser workers, with the method of an executor that is needed."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def submit(self, work: Callable[..., Any], *given: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()

        def take(answer: bytes | None, fault: str) -> None:
            if future.cancelled():
                return
            if answer is None:
                future.set_exception(RidottoError(fault))
                return
            result = pickle.loads(as_bytes(answer))
            if isinstance(result, BaseException):
                future.set_exception(result)
            else:
                future.set_result(result)

        package = next((GAMES[one.game].package for one in given if isinstance(one, BotRequest)), "")
        self._ask(pickle.dumps((work, given)), package, take)
        return future


def answer(question: bytes) -> bytes:
    """In the browser worker: the answer to a question, or the exception that it ended in."""
    try:
        work, given = pickle.loads(as_bytes(question))
        return pickle.dumps(work(*given))
    except Exception as error:
        return pickle.dumps(error if isinstance(error, RidottoError) else RidottoError(f"{type(error).__name__}: {error}"))


def install(package: str, instance: Any) -> None:
    """In the browser worker: play the game of a package with this instance of its module of WebAssembly."""
    wasm.install(package, BrowserInstance(instance))


class TabBotWorkers(BotWorkers):
    """The bot workers of a tab."""

    target = "wasm"

    def __init__(self, workers: int, patience: float, interpreted: Sequence[str], ask: Ask) -> None:
        """`interpreted` are the games for which there is no module."""
        super().__init__(workers, patience, ())
        self.to_compile = self.to_review = list(interpreted)
        self._ask_worker = ask

    def start(self) -> None:
        self._pool = cast(ProcessPoolExecutor, BrowserPool(self._ask_worker))

    def stop(self) -> None:
        self._pool = None

    def _shorten(self, question: BotRequest, asker: Asker) -> tuple[Shortage, BotRequest]:
        """As it is; but with interpreted rules a short time for those who would think long."""
        if question.game not in self.to_compile:
            return "", replace(question, target="wasm")
        bot = bots.find(question.bot)
        is_light = not isinstance(bot, Level) or bot.settings(GAMES[question.game], question.seats).playouts <= LIGHT
        return "" if is_light else "browser", replace(question, target="python", patience=min(question.patience, SECONDS))
