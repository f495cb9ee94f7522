"""More than one machine: a pool of workers on Ray, here or on a cluster.

What is played depends on the seed alone, so the results are the same as on one machine. If a worker dies, another one repeats
its task.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Generator, Iterator
from typing import Any, Final

from ridotto.bots.workers import AnyTask, WorkerFailed, WorkerPool, run_task, seconds_left
from ridotto.engine.errors import RidottoError

RETRIES: Final = 5
"""The repetitions of a task after its worker has died; a task that kills every worker must fail in the end."""
SHARED_MEMORY: Final = 100 << 20
"""Bytes of the object store of a local Ray: workers share hardly anything."""


class BadCluster(RidottoError, ValueError):
    """A cluster that cannot be used."""


class RayPool(WorkerPool):
    """Workers of a Ray cluster: a new local one (`local:2`), a remote one (`ray://host:10001`), or a running one (`auto`)."""

    def __init__(self, where: str) -> None:
        local = re.fullmatch("local:([1-9][0-9]{0,3})", where)
        if local is None and where != "auto" and re.fullmatch(r"ray://[^\s/:]+:[0-9]{1,5}", where) is None:
            raise BadCluster(f"{where!r} is no place to play: say local:2 (workers), ray://host:10001, or auto")
        super().__init__(int(local[1]) if local else 0)
        self.where, self._is_local = where, local is not None
        self._ray: Any = None

    def __enter__(self) -> RayPool:
        # A local Ray sends no usage statistics; other clusters keep the setting of those who run them.
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        try:
            import ray
        except ModuleNotFoundError as error:
            raise BadCluster(f"{self.where!r} needs Ray: pip install 'ridotto[cluster]'") from error
        arguments: dict[str, Any] = {"address": self.where}
        if self._is_local:
            arguments = {"num_cpus": self.size, "include_dashboard": False, "object_store_memory": SHARED_MEMORY}
        self._ray = ray
        try:
            self._ray.init(**arguments, log_to_driver=False, logging_level=logging.ERROR)
        except (ConnectionError, RuntimeError, ValueError, TimeoutError) as error:
            hint = "" if self._is_local else " (one that asks for a token needs RAY_AUTH_MODE=token)"
            raise BadCluster(f"cannot use the Ray at {self.where!r}: {_first_line(error)}{hint}") from error
        if not self._is_local:
            self.size = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        return self

    def __exit__(self, *_: object) -> None:
        self._ray.shutdown()

    def run(self, tasks: Iterator[AnyTask], until: float | None = None) -> Generator[tuple[AnyTask, Any], None, None]:
        """The results of tasks as they are done."""
        ray = self._ray
        remote_run_task = ray.remote(num_cpus=1, max_retries=RETRIES)(run_task)
        busy: dict[Any, AnyTask] = {}
        try:
            while True:
                while len(busy) < self.size and (task := next(tasks, None)) is not None:
                    busy[remote_run_task.remote(task, seconds_left(until))] = task
                if not busy:
                    return
                ready, _ = ray.wait(list(busy))
                for one in ready:
                    task = busy.pop(one)
                    try:
                        result = ray.get(one)
                    except ray.exceptions.RayError as error:
                        raise BadCluster(f"the Ray at {self.where!r} failed at {task}: {_first_line(error)}") from error
                    if isinstance(result, WorkerFailed):
                        raise result
                    yield task, result
        finally:
            for one in busy:
                ray.cancel(one, force=True)


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
