"""Worker processes in which bots think, so that no table waits for another.

A worker is handed one seat's view and nothing else of the match. One that dies takes no decision with it: the workers are
replaced, and what they were asked is asked again.

Games are compiled by one more process, the one that is being played first. Until a game is ready, bots think about it with the
interpreted rules, which takes longer; where there is more to think about than time for it, each thought is cut short. Either
way a strong bot is weaker than its level says, and whoever asks is told so (`Shortage`).
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import connection, get_context, parent_process
from pathlib import Path
from typing import Any, Final, Literal, TypeVar

from ridotto import bots
from ridotto.bots import Budget, Opinion, judging, review
from ridotto.bots.judging import Judgement
from ridotto.bots.levels import Level
from ridotto.bots.setup import warm
from ridotto.core.luck import START_PLAYOUTS, Draw, LuckJudge, MatchLuck, measured_start, plies_of
from ridotto.core.match import Match
from ridotto.core.view import REDEALT, RESIGNED, UNDONE, Outcome, Seen, View
from ridotto.engine.build import cache_home
from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import Seat, Target
from ridotto.games import GAMES
from ridotto.web.live.fair_queue import ALONE, NOBODY, Asker, FairQueue

TRIES: Final = 5
"""Attempts for a request whose worker died."""
SHORT: Final = {"": 0.0, "warming": 2.0, "loading": 0.5, "busy": 0.25, "alone": 0.1}
"""Seconds that a thought may take where there is a shortage; for bots alone at a table, where the server is busy, less."""
PARTS: Final = 20
"""In which it is worked out what could be expected at the start of a match."""
LOADING: Final = 0.1
"""Seconds until a worker that is loading a game is asked again."""
LIGHT: Final = 100
"""Playouts that a bot makes in time whatever the shortage."""
HEAD_START: Final = 8.0
"""Seconds after the start in which nothing is compiled but what somebody plays."""
Answer = TypeVar("Answer")
Shortage = Literal["", "warming", "busy", "browser"]
"""The reason why a bot thinks less than its level would: its game is still being compiled, others wait, or a browser has the
rules interpreted."""
log = logging.getLogger("ridotto.web")


class BotWorkerFailed(RidottoError):
    """A bot that did not come to a decision."""


@dataclass(frozen=True)
class BotRequest:
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
    target: Target = "cpu"

    @classmethod
    def of(cls, bot: str, view: View, seed: int, patience: float) -> BotRequest:
        assert view.seat is not None
        seen = tuple((one.ply, one.event.name, one.event.section, tuple(one.values.items())) for one in view.seen)
        facts = (view.seats, view.seat, view.ply, view.to_act, view.row, view.legal)
        return cls(bot, view.game.name, *facts, seen, view.outcome, seed, patience)

    @property
    def budget(self) -> Budget:
        return Budget(self.seed, self.patience, target=self.target)

    def view(self) -> View:
        """The view again, in the worker."""
        game = GAMES[self.game]
        known = {event.name: event for event in (RESIGNED, UNDONE, REDEALT, *game.rules.EVENTS)}
        seen = tuple(Seen(ply, known[name], dict(values)) for ply, name, _, values in self.seen)
        return View(game, self.seats, self.seat, self.ply, self.to_act, self.row, self.legal, seen, self.outcome)


# In a worker.


def choose(question: BotRequest) -> int:
    """The bot's action."""
    return int(bots.find(question.bot).choose(question.view(), _budget(question)))


def give_opinion(question: BotRequest) -> Opinion | None:
    """The bot's opinion of each action."""
    return bots.find(question.bot).opinion(question.view(), _budget(question))


class StillLoading(Exception):
    """A worker that is still loading a compiled game: whoever is in no hurry asks again."""


def look_back(question: BotRequest, piece: judging.Piece) -> Any:
    """A piece of a judgement."""
    _check_loaded(question)
    return piece(question.view(), question.target)


def luck_of_draw(question: BotRequest, match: Match, ply: int, number: int) -> Draw | None:
    """The luck of one draw of a match; None while the game is not compiled: interpreted, it would take too long."""
    if question.target == "python":
        return None
    _check_loaded(question)
    return _luck_judge(question, match).draw_of(match, ply, number)


def expect(question: BotRequest, match: Match, part: int) -> tuple[float, ...] | None:
    """The expectation of each seat at the start of a match, by one part of the playouts; None as above."""
    if question.target == "python":
        return None
    _check_loaded(question)
    judge = _luck_judge(question, match, part)
    return judge.start(START_PLAYOUTS // PARTS) if match.entries[0].do == "deal" else judge.worth(match.row_after(0))


def _luck_judge(question: BotRequest, match: Match, seed: int = 0) -> LuckJudge:
    playouts, target = review.LUCK_PLAYOUTS, question.target
    return LuckJudge(match.game, match.seats, match.options, playouts=playouts, seed=seed, target=target)


_loading: dict[str, threading.Thread] = {}
"""The games that this worker has loaded, compiled, or is loading."""


def _budget(question: BotRequest) -> Budget:
    """The budget of the bot.

    The first time that a game is asked about, it takes a second or more to load what was compiled. That is done beside, and
    meanwhile the bot thinks interpreted.
    """
    if question.target == "cpu" and is_loading(question.game):
        question = replace(question, target="python", patience=min(question.patience, SHORT["loading"]))
    return question.budget


def _check_loaded(question: BotRequest) -> None:
    """Refuse to work with a compiled game that this worker is still loading: bots can be asked meanwhile."""
    if question.target == "cpu" and is_loading(question.game):
        raise StillLoading


def is_loading(game: str) -> bool:
    """Whether a compiled game is still being loaded into this process; begins to, if nobody has yet."""
    if game not in _loading:
        _loading[game] = threading.Thread(target=warm, args=(GAMES[game],), daemon=True)
        _loading[game].start()
    return _loading[game].is_alive()


def timed(work: Callable[[BotRequest], Answer], question: BotRequest) -> tuple[Answer, float]:
    """The result of a request, and the seconds of CPU time that it took."""
    began = time.thread_time()
    return work(question), time.thread_time() - began


def compile_game(name: str) -> float:
    """Compile a game, or load what was compiled; how many seconds it took. Where several servers start, one does it for all."""
    if hasattr(os, "nice"):
        os.nice(max(0, 10 - os.nice(0)))
    with _only_one(cache_home()):
        return warm(GAMES[name])


def compile_reviews(name: str) -> None:
    """Compile what reviews of a game need besides what its bots do."""
    with _only_one(cache_home()):
        judging.warm(GAMES[name])


@contextmanager
def _only_one(folder: Path) -> Iterator[None]:
    """Let other processes that would do the same wait."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "compiling.lock").open("w") as lock:
        with suppress(ImportError):
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def pid() -> int:
    """Which process the worker is."""
    return os.getpid()


def begin() -> None:
    """At the start: leave when the server is gone, however it went."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    assert parent is not None
    threading.Thread(target=_leave_with, args=(parent.sentinel,), daemon=True).start()


def _leave_with(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(0)


# In the server.


class BotWorkers:
    """The workers of a server, and the process that compiles `games` for them."""

    target: Target = "cpu"
    """The target for which games are compiled here."""

    def __init__(self, workers: int, patience: float, games: Sequence[str]) -> None:
        self.workers, self.patience, self.games = workers, patience, tuple(games)
        self.replaced = 0
        """The number of workers that were replaced."""
        self.queue = FairQueue(workers)
        self.to_compile = list(games)
        """The games that are not ready yet, in the order in which they are compiled."""
        self.to_review = list(games)
        """The games whose reviews need something that is not compiled yet: a worker would compile it while people wait."""
        self.on_compiled: list[Callable[[str], None]] = []
        """Called with a game when it is ready."""
        self._pool: ProcessPoolExecutor | None = None
        self._compiler: ProcessPoolExecutor | None = None
        self._wanted = asyncio.Event()
        self._compiling: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start the workers, and begin to compile."""
        self._start_workers()
        if self.to_compile:
            self._compiler = ProcessPoolExecutor(1, get_context("spawn"), begin)
            self._compiling = asyncio.create_task(self._compile_all(self._compiler))

    def _start_workers(self) -> None:
        self._pool = self._new_pool()
        for _ in range(self.workers):
            self._pool.submit(pid)

    def _new_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self.workers, get_context("spawn"), begin)

    def stop(self) -> None:
        """End the workers, whatever they think about."""
        compiler, self._compiler = self._compiler, None
        pool, self._pool = self._pool, None
        for one in (compiler, pool):
            if one is not None:
                # A private attribute: before Python 3.14, which has `terminate_workers`, there is no other way to end a worker
                # in the middle of a thought.
                workers: dict[int, Any] = dict(one._processes or {})
                for process in workers.values():
                    process.terminate()
                one.shutdown(wait=True, cancel_futures=True)

    async def pids(self) -> set[int]:
        """The processes at work; waits until there is one."""
        assert self._pool is not None
        await asyncio.get_running_loop().run_in_executor(self._pool, pid)
        return set(self._pool._processes or {})  # private: see above

    # Compiling.

    def want(self, game: str) -> None:
        """Somebody plays a game: it is the next to be compiled, if it is not ready."""
        if game in self.to_compile:
            self.to_compile.remove(game)
            self.to_compile.insert(0, game)
            self._wanted.set()

    async def _compile_all(self, compiler: ProcessPoolExecutor) -> None:
        """Compile one game after another. Whoever has just started the server will soon say which one they play."""
        if not can_keep_compiled():
            log.warning("games are not compiled", extra={"facts": {"folder": str(cache_home())}})
            return
        with suppress(TimeoutError):
            await asyncio.wait_for(self._wanted.wait(), HEAD_START)
        left = list(self.to_compile)
        while left:
            left.sort(key=self.to_compile.index)
            game = left.pop(0)
            try:
                seconds = await asyncio.get_running_loop().run_in_executor(compiler, compile_game, game)
            except (BrokenProcessPool, RuntimeError) as error:
                if self._compiler is not compiler:
                    return  # told to stop
                log.error("a game was not compiled", exc_info=error, extra={"facts": {"game": game}})
                return
            except Exception as error:  # whatever the compiler says: its bots think on with the interpreted rules
                log.error("a game was not compiled", exc_info=error, extra={"facts": {"game": game}})
                continue
            self.to_compile.remove(game)
            log.info("a game is compiled", extra={"facts": {"game": game, "seconds": round(seconds, 1)}})
            for listener in self.on_compiled:
                listener(game)
        await self._compile_reviews(compiler)
        await asyncio.to_thread(compiler.shutdown)

    async def _compile_reviews(self, compiler: ProcessPoolExecutor) -> None:
        """Compile what looking back at games needs, once all of them can be played."""
        for game in [game for game in self.to_review if game not in self.to_compile]:
            try:
                await asyncio.get_running_loop().run_in_executor(compiler, compile_reviews, game)
            except Exception as error:  # as above; matches of this game are not reviewed unasked then
                if self._compiler is compiler:
                    log.error("the reviews of a game were not compiled", exc_info=error, extra={"facts": {"game": game}})
                continue
            self.to_review.remove(game)

    # Asking.

    async def choose(self, bot: str, view: View, asker: Asker = NOBODY, told: Callable[[Shortage], None] | None = None) -> int:
        """A bot's action for a view. `told` is called when it begins to think, with the shortage under which it does."""
        return await self._ask(choose, BotRequest.of(bot, view, secrets.randbits(62), self.patience), asker, told)

    async def opinion(self, bot: str, view: View, asker: Asker = NOBODY) -> Opinion | None:
        """A bot's opinion of a view; None if it has none."""
        return await self._ask(give_opinion, BotRequest.of(bot, view, secrets.randbits(62), self.patience), asker)

    async def judge(self, bot: str, view: View, ply: int, action: int, asker: Asker = NOBODY) -> Judgement:
        """A bot's judgement of an action, by the view of the seat that took it.

        It is asked piece by piece, so that nobody waits long for it.
        """
        question = BotRequest.of(bot, view, ply, self.patience)
        pieces = judging.judge_in_pieces(
            view, ply, action, bot, ply, "python" if question.game in self.to_compile else self.target
        )
        piece = next(pieces)
        while True:
            try:
                piece = pieces.send(await self._ask_loaded(partial(look_back, piece=piece), question, asker))
            except StopIteration as end:
                judgement: Judgement = end.value
                return judgement

    async def _ask_loaded(self, work: Callable[[BotRequest], Answer], question: BotRequest, asker: Asker) -> Answer:
        """The result of a request, once the worker has loaded the game."""
        while True:
            with suppress(StillLoading):
                return await self._ask(work, question, asker)
            await asyncio.sleep(LOADING)

    async def luck(self, match: Match, asker: Asker = NOBODY) -> MatchLuck | None:
        """The luck of each seat in a match that is over; None if it is not computed now.

        It is asked draw by draw, so that nobody waits long for it.
        """
        if match.game.name in self.to_review:
            return None
        question, draws = BotRequest.of("greedy", match.view(0), 0, self.patience), list[Draw]()
        start = measured_start(match)
        if start is None:
            parts = [await self._ask_loaded(partial(expect, match=match, part=part), question, asker) for part in range(PARTS)]
            if None in parts:
                return None
            start = tuple(sum(shares) / PARTS for shares in zip(*filter(None, parts), strict=True))
        for ply in plies_of(match):
            for number in range(len(match.entries[ply].draws)):
                piece = partial(luck_of_draw, match=match, ply=ply, number=number)
                drawn = await self._ask_loaded(piece, question, asker)
                if drawn is None:
                    return None
                draws.append(drawn)
        return MatchLuck(start, tuple(draws))

    async def _ask(
        self,
        work: Callable[[BotRequest], Answer],
        question: BotRequest,
        asker: Asker,
        told: Callable[[Shortage], None] | None = None,
    ) -> Answer:
        """The result of a request, from another worker if one dies over it."""
        self.want(question.game)
        for _ in range(TRIES):
            async with self.queue.turn(asker) as turn:
                pool = self._pool
                if pool is None:
                    raise BotWorkerFailed("the workers have stopped")
                shortage, asked = self._shorten(question, asker)
                if told is not None:
                    told(shortage)
                try:
                    answer, turn.used = await asyncio.wrap_future(pool.submit(timed, work, asked))
                    return answer
                except BrokenProcessPool:
                    self._replace(pool)
                except RuntimeError:
                    if self._pool is pool:  # else the pool was closed before it could be asked
                        raise
        raise BotWorkerFailed(f"{question.bot} was asked {TRIES} times, and each time its worker died")

    def _shorten(self, question: BotRequest, asker: Asker) -> tuple[Shortage, BotRequest]:
        """The shortage that there is, and a question that takes it into account."""
        shortage: Shortage = ""
        if question.game in self.to_compile:
            shortage = "warming"
            most = SHORT["busy" if asker.rank == ALONE else "warming"]  # somebody may wait behind bots alone
            question = replace(question, target="python", patience=min(question.patience, most))
        if self.queue.is_late:
            shortage = shortage or "busy"
            most = SHORT["alone" if asker.rank == ALONE else "busy"]
            question = replace(question, patience=min(question.patience, most))
        bot = bots.find(question.bot)
        is_light = not isinstance(bot, Level) or bot.settings(GAMES[question.game], question.seats).playouts <= LIGHT
        return "" if is_light else shortage, question

    def _replace(self, broken: ProcessPoolExecutor) -> None:
        """New workers for broken ones; the first who notices does it."""
        if self._pool is broken:
            self.replaced += 1
            log.warning("a worker died: workers are replaced", extra={"facts": {"replaced": self.replaced}})
            broken.shutdown(wait=False, cancel_futures=True)
            self._start_workers()


def can_keep_compiled() -> bool:
    """Whether there is a folder for what is compiled: without it every worker would compile for itself, at every start."""
    folder = cache_home()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)
