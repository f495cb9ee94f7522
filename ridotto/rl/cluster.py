"""More than one machine: a crew whose hands are the workers of a Ray, here or on a cluster.

What is played depends on the seed alone, so the results are the same as on one machine. A worker that dies costs what it was
at, which another plays again, and nothing else.
"""

from __future__ import annotations

import logging
import os
import re
import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from ridotto.arena.simulation import Simulation
from ridotto.arena.tournament import AnyWork, BadArena, Crew, Setting, Stopped, Task, warm
from ridotto.engine.errors import RidottoError

AGAIN: Final = 5
"""How often something is played again because a worker died at it. What kills every worker must end."""
MEMORY: Final = 100 << 20
"""Bytes that a Ray begun here gets for what workers share: hardly anything."""
STRETCHES: Final = 4
"""Parts that a simulation is divided into for each worker."""


class BadCluster(RidottoError, ValueError):
    """A cluster that cannot be used."""


def crew(on: str | None, processes: int) -> Crew:
    """Who plays: processes here, or the workers of `local:N`, `ray://HOST:PORT` or `auto`."""
    return Crew(processes) if on is None else Cluster(on)


class Cluster(Crew):
    """The workers of a Ray: of one begun here (`local:2`), one elsewhere (`ray://host:10001`), or one it finds (`auto`)."""

    def __init__(self, where: str) -> None:
        local = re.fullmatch("local:([1-9][0-9]{0,3})", where)
        if local is None and where != "auto" and re.fullmatch(r"ray://[^\s/:]+:[0-9]{1,5}", where) is None:
            raise BadCluster(f"{where!r} is no place to play: say local:2 (workers), ray://host:10001, or auto")
        super().__init__(int(local[1]) if local else 0)
        self.where, self._is_local = where, local is not None
        self._ray: Any = None

    def __enter__(self) -> Cluster:
        # Whoever runs a Ray of their own has said what it may tell its makers; ours tells them nothing.
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        try:
            import ray
        except ModuleNotFoundError as error:
            raise BadCluster(f"{self.where!r} needs Ray: pip install 'ridotto[cluster]'") from error
        how: dict[str, Any] = {"address": self.where}
        if self._is_local:
            how = {"num_cpus": self.processes, "include_dashboard": False, "object_store_memory": MEMORY}
        self._ray = ray
        try:
            self._ray.init(**how, log_to_driver=False, logging_level=logging.ERROR)
        except (ConnectionError, RuntimeError, ValueError, TimeoutError) as error:
            hint = "" if self._is_local else " (one that asks for a token needs RAY_AUTH_MODE=token)"
            raise BadCluster(f"cannot use the Ray at {self.where!r}: {_first_line(error)}{hint}") from error
        if not self._is_local:
            self.processes = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        return self

    def __exit__(self, *_: object) -> None:
        self._ray.shutdown()

    def play(self, tasks: Iterator[AnyWork]) -> Generator[tuple[AnyWork, Any], None, None]:
        """The results of tasks as they come."""
        ray = self._ray
        there = ray.remote(num_cpus=1, max_retries=AGAIN)(_play)
        busy: dict[Any, AnyWork] = {}
        try:
            while True:
                while len(busy) < self.processes and (task := next(tasks, None)) is not None:
                    busy[there.remote(*_packed(task))] = task
                if not busy:
                    return
                ready, _ = ray.wait(list(busy))
                for one in ready:
                    task = busy.pop(one)
                    try:
                        answer = ray.get(one)
                    except ray.exceptions.RayError as error:
                        raise BadCluster(f"the Ray at {self.where!r} failed at {task}: {_first_line(error)}") from error
                    if isinstance(answer, RidottoError):
                        raise answer
                    yield task, answer
        finally:
            for one in busy:
                ray.cancel(one, force=True)


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def _packed(task: Any) -> tuple[Any, float | None]:
    """A task as it is sent: clocks differ from machine to machine, so that the time left goes with it."""
    if isinstance(task, Task) and task.until is not None:
        return replace(task, until=None), task.until - time.monotonic()
    return task, None


def _play(task: Any, left: float | None) -> Any:
    """Play something at a worker; what it refuses comes back as an answer."""
    if left is not None:
        task = replace(task, until=time.monotonic() + left)
    warm(task.setting)
    try:
        return task.play()
    except RidottoError as error:
        return Stopped(str(error)) if isinstance(error, Stopped) else BadArena(str(error))


# Simulation.


@dataclass(frozen=True)
class Stretch:
    """Some of the matches of a simulation."""

    setting: Setting
    first: int
    games: int

    def __str__(self) -> str:
        return f"matches {self.first} to {self.first + self.games - 1}"

    def play(self) -> tuple[list[int], float]:
        """Their tally, and the seconds of CPU time it took."""
        began = time.process_time()
        tally = [int(word) for word in _simulation(self.setting).tally(self.first, self.games)]
        return tally, time.process_time() - began


def _simulation(setting: Setting) -> Simulation:
    return Simulation(setting.title, setting.players, setting.options, setting.seed)


def simulate(setting: Setting, games: int, crew: Crew) -> dict[str, Any]:
    """Play that many random matches and say what came of it: the same matches as `Simulation.run` plays."""
    crew.warm(setting)
    began = time.perf_counter()
    each = -(-games // (STRETCHES * crew.processes))
    parts = (Stretch(setting, first, min(each, games - first)) for first in range(0, games, each))
    found = [answer for _, answer in crew.play(parts)]
    wall = time.perf_counter() - began
    cpu = sum(seconds for _, seconds in found)
    return _simulation(setting).figures([tally for tally, _ in found], games, crew.processes, wall, cpu)
