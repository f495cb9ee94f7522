"""Worker processes in which bots think, so that no table waits for another.

A worker is handed one seat's view and nothing else of the match. One that dies takes no decision with it: the workers are
replaced, and what they were asked is asked again.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import signal
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from multiprocessing import connection, get_context, parent_process
from typing import Any, Final, TypeVar

from ridotto import bots
from ridotto.bots import Budget, Opinion, review
from ridotto.bots.review import Judgement
from ridotto.core.match import Match
from ridotto.core.view import REDEALT, RESIGNED, UNDONE, Outcome, Seen, View
from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import Seat
from ridotto.games import GAMES

TRIES: Final = 5
"""How often a question is asked again because its worker died."""
Answer = TypeVar("Answer")
log = logging.getLogger("ridotto.web")


class WorkerFailed(RidottoError):
    """A bot that did not come to a decision."""


@dataclass(frozen=True)
class Question:
    """A view in a form that goes through a pipe."""

    bot: str
    game: str
    seats: int
    seat: Seat
    ply: int
    to_act: tuple[Seat, ...]
    row: tuple[int, ...]
    legal: tuple[int, ...]
    seen: tuple[tuple[int, str, str, tuple[tuple[str, int], ...]], ...]
    outcome: Outcome | None
    seed: int
    patience: float

    @classmethod
    def of(cls, bot: str, view: View, seed: int, patience: float) -> Question:
        assert view.seat is not None
        seen = tuple((one.ply, one.event.name, one.event.section, tuple(one.values.items())) for one in view.seen)
        facts = (view.seats, view.seat, view.ply, view.to_act, view.row, view.legal)
        return cls(bot, view.game.name, *facts, seen, view.outcome, seed, patience)

    def view(self) -> View:
        """The view again, in the worker."""
        game = GAMES[self.game]
        known = {event.name: event for event in (RESIGNED, UNDONE, REDEALT, *game.rules.EVENTS)}
        seen = tuple(Seen(ply, known[name], dict(values)) for ply, name, _, values in self.seen)
        return View(game, self.seats, self.seat, self.ply, self.to_act, self.row, self.legal, seen, self.outcome)


# In a worker.


def choose(question: Question) -> int:
    """What the bot does."""
    budget = Budget(question.seed, question.patience)
    return int(bots.find(question.bot).choose(question.view(), budget))


def give_opinion(question: Question) -> Opinion | None:
    """What the bot thinks."""
    budget = Budget(question.seed, question.patience)
    return bots.find(question.bot).opinion(question.view(), budget)


def judge(question: Question, ply: int, action: int) -> Judgement:
    """What the bot thinks of something that was done."""
    return review.judge(question.view(), ply, action, question.bot, question.seed)


def pid() -> int:
    """Which process the worker is."""
    return os.getpid()


def begin(games: Sequence[str]) -> None:
    """At the start: begin to load what was compiled; leave when the server is gone, however it went."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    assert parent is not None
    threading.Thread(target=_leave_with, args=(parent.sentinel,), daemon=True).start()
    threading.Thread(target=_warm, args=(games,), daemon=True).start()


def _leave_with(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(0)


def _warm(games: Sequence[str]) -> None:
    """Load the games one after another. A question about one of them meanwhile waits for that one alone."""
    for name in games:
        match = Match(GAMES[name], seed=1)
        bots.find("search:1").choose(match.view(match.to_act[0]), Budget(1))


# In the server.


class WorkerPool:
    """The workers of a server."""

    def __init__(self, workers: int, patience: float, games: Sequence[str]) -> None:
        self.workers, self.patience, self.games = workers, patience, tuple(games)
        self.replaced = 0
        """How often workers had to be replaced."""
        self._pool: ProcessPoolExecutor | None = None

    def start(self) -> None:
        """Start the workers; they load what was compiled while the server goes on."""
        self._pool = ProcessPoolExecutor(self.workers, get_context("spawn"), begin, (self.games,))
        for _ in range(self.workers):
            self._pool.submit(pid)

    def stop(self) -> None:
        """End the workers, whatever they think about."""
        pool, self._pool = self._pool, None
        if pool is None:
            return
        # A private attribute: before Python 3.14, which has `terminate_workers`, there is no other way to end a worker in the
        # middle of a thought.
        workers: dict[int, Any] = dict(pool._processes or {})
        for process in workers.values():
            process.terminate()
        pool.shutdown(wait=True, cancel_futures=True)

    async def pids(self) -> set[int]:
        """The processes at work; waits until there is one."""
        assert self._pool is not None
        await asyncio.get_running_loop().run_in_executor(self._pool, pid)
        return set(self._pool._processes or {})  # private: see above

    async def choose(self, bot: str, view: View) -> int:
        """What a bot does with a view."""
        return await self._ask(choose, Question.of(bot, view, secrets.randbits(62), self.patience))

    async def opinion(self, bot: str, view: View) -> Opinion | None:
        """What a bot thinks of a view; None if it has no opinion."""
        return await self._ask(give_opinion, Question.of(bot, view, secrets.randbits(62), self.patience))

    async def judge(self, bot: str, view: View, ply: int, action: int) -> Judgement:
        """What a bot thinks of something that was done, by the view of the seat that did it."""
        return await self._ask(partial(judge, ply=ply, action=action), Question.of(bot, view, ply, self.patience))

    async def _ask(self, work: Callable[[Question], Answer], question: Question) -> Answer:
        """What a worker makes of a question; of another one if it dies over it."""
        loop = asyncio.get_running_loop()
        for _ in range(TRIES):
            pool = self._pool
            if pool is None:
                raise WorkerFailed("the workers have stopped")
            try:
                return await loop.run_in_executor(pool, work, question)
            except BrokenProcessPool:
                self._replace(pool)
            except RuntimeError:
                if self._pool is pool:  # else the pool was closed before it could be asked
                    raise
        raise WorkerFailed(f"{question.bot} was asked {TRIES} times, and each time its worker died")

    def _replace(self, broken: ProcessPoolExecutor) -> None:
        """New workers for broken ones; the first who notices does it."""
        if self._pool is broken:
            self.replaced += 1
            log.warning("a worker died: workers are replaced", extra={"facts": {"replaced": self.replaced}})
            broken.shutdown(wait=False, cancel_futures=True)
            self.start()
