"""Worker processes: many matches at a time, on the cores of this machine.

A task says what is played; which results there are depends on the task alone, not on who runs it. `ridotto.rl.cluster` has
a pool of the same kind whose workers are on several machines.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import connection, get_context
from typing import Any, Protocol, TypeVar

from ridotto.bots.setup import MatchSetup, warm_setup
from ridotto.engine.errors import RidottoError


class WorkerFailed(RidottoError):
    """What went wrong in a worker, in its own words; or that it died."""


class Task(Protocol):
    """Something that a worker can do. The task and its result must be fit to be sent to another process."""

    @property
    def setup(self) -> MatchSetup:
        """What is compiled before the task is run."""

    def run(self, until: float | None) -> Any:
        """Do it; by `until` on `time.monotonic()` it should have ended, with whatever it has."""


AnyTask = TypeVar("AnyTask", bound=Task)


@dataclass(frozen=True)
class _WarmUp:
    """Nothing but what comes before every task."""

    setup: MatchSetup

    def run(self, until: float | None) -> None:
        return None


class WorkerPool:
    """Processes that run tasks, one at a time each. A pool of one is this process itself."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._idle: list[_Worker] = []

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(self, *_: object) -> None:
        _stop(self._idle)
        self._idle = []

    def warm(self, setup: MatchSetup) -> None:
        """Have everything compiled and loaded in every worker, so that no match waits for it."""
        warm_setup(setup)
        for _ in self.run(iter([_WarmUp(setup)] * self.size)):
            pass

    def run(self, tasks: Iterator[AnyTask], until: float | None = None) -> Generator[tuple[AnyTask, Any], None, None]:
        """The results of tasks as they come. When nobody wants more of them, workers that are still busy are stopped."""
        if self.size == 1:
            for task in tasks:
                yield task, task.run(until)
            return
        while len(self._idle) < self.size:
            self._idle.append(_Worker())
        busy: dict[Any, tuple[_Worker, AnyTask]] = {}
        try:
            while True:
                while self._idle and (next_task := next(tasks, None)) is not None:
                    worker = self._idle.pop()
                    busy[worker.pipe] = worker, next_task
                    try:
                        worker.pipe.send((next_task, seconds_left(until)))
                    except OSError as error:
                        raise WorkerFailed(f"a worker process died before it played {next_task}") from error
                if not busy:
                    return
                for pipe in connection.wait(list(busy)):
                    worker, task = busy[pipe]
                    try:
                        result = worker.pipe.recv()
                    except (EOFError, OSError) as error:  # it closed its end, or was killed while it wrote
                        raise WorkerFailed(f"a worker process died while it played {task}") from error
                    if isinstance(result, WorkerFailed):
                        raise result
                    del busy[pipe]
                    self._idle.append(worker)
                    yield task, result
        finally:
            _stop([worker for worker, _ in busy.values()])


def seconds_left(until: float | None) -> float | None:
    """How long it is until then: clocks differ from machine to machine, so that this is what is sent."""
    return None if until is None else until - time.monotonic()


def run_task(task: Task, seconds: float | None) -> Any:
    """Run a task in a worker; what it refuses comes back as a result."""
    until = None if seconds is None else time.monotonic() + seconds
    warm_setup(task.setup)
    try:
        return task.run(until)
    except RidottoError as error:
        return WorkerFailed(str(error))


# One process.


class _Worker:
    """One process of a pool, and the pipe to it."""

    def __init__(self) -> None:
        spawn = get_context("spawn")
        self.pipe, there = spawn.Pipe()
        self.process = spawn.Process(target=_worker_main, args=(there,), daemon=True)
        self.process.start()
        there.close()


def _stop(workers: Sequence[_Worker]) -> None:
    for worker in workers:
        worker.process.terminate()
    for worker in workers:
        worker.process.join(5)
        worker.process.kill()
        worker.process.join()
        worker.pipe.close()


def _worker_main(pipe: Any) -> None:
    """Run what is asked for until nobody asks. However it ends, no outside program is left behind."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _exit)
    try:
        while True:
            pipe.send(run_task(*pipe.recv()))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return  # whoever asked is gone


def _exit(number: int, frame: Any) -> None:
    raise SystemExit(128 + number)
