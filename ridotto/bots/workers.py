"""Worker processes: many matches at a time, on the cores of this machine.

A task describes matches. Its results depend on the task alone, not on the worker that runs it. `ridotto.rl.cluster` has a
pool of the same kind whose workers are on several machines.
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
    """An error in a worker, with its message; or the death of a worker."""


class Task(Protocol):
    """Something for a worker to do. The task and its result must be picklable."""

    @property
    def setup(self) -> MatchSetup:
        """The setup that is compiled before the task is run."""

    def run(self, until: float | None) -> Any:
        """Run it, and return the results at the time `until` of `time.monotonic()`."""


AnyTask = TypeVar("AnyTask", bound=Task)


@dataclass(frozen=True)
class WarmUp:
    """A task that does nothing, so that only the setup is compiled."""

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
        """Compile and load everything in every worker, so that no match waits for it."""
        warm_setup(setup)
        for _ in self.run(iter([WarmUp(setup)] * self.size)):
            pass

    def run(self, tasks: Iterator[AnyTask], until: float | None = None) -> Generator[tuple[AnyTask, Any], None, None]:
        """The results of tasks as they are done. Closing the generator stops the workers that are still busy."""
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
    """The seconds until a time of the monotonic clock; these are sent to workers, since clocks differ between machines."""
    return None if until is None else until - time.monotonic()


def run_task(task: Task, seconds: float | None) -> Any:
    """Run a task in a worker; our own exceptions are returned as a result."""
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
        self.pipe, child_end = spawn.Pipe()
        self.process = spawn.Process(target=_worker_main, args=(child_end,), daemon=True)
        self.process.start()
        child_end.close()


def _stop(workers: Sequence[_Worker]) -> None:
    for worker in workers:
        worker.process.terminate()
    for worker in workers:
        worker.process.join(5)
        worker.process.kill()
        worker.process.join()
        worker.pipe.close()


def _worker_main(pipe: Any) -> None:
    """Run tasks until the pipe is closed. However the worker ends, no outside program is left running."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _exit)
    try:
        while True:
            pipe.send(run_task(*pipe.recv()))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return  # the pool is gone


def _exit(number: int, frame: Any) -> None:
    raise SystemExit(128 + number)
