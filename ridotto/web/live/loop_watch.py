"""The lag of the event loop: everybody waits while one piece of work is on it, so the server measures each.

Every task of the loop is timed, step by step: what it does between two moments at which it waits for something. So it is known
which route has kept the loop busy. What is no task, such as the garbage collector, is seen by a heartbeat that comes late.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Coroutine, Generator
from contextvars import Context
from typing import Any, Final

from ridotto.web.live.background import BackgroundTasks
from ridotto.web.live.metrics import Metrics
from ridotto.web.live.usage import USAGE, Usage

BEAT: Final = 0.1
"""Seconds between two heartbeats."""
RECENT: Final = 100
"""Heartbeats of which the longest lag is told: ten seconds."""
SLOW: Final = 0.2
"""Seconds of lag from which on the log says who has caused it."""

log = logging.getLogger("ridotto.web")


class LoopWatch:
    """Times the tasks of an event loop by a clock, and measures its lag."""

    def __init__(self, metrics: Metrics, background: BackgroundTasks, clock: Callable[[], float] = time.perf_counter) -> None:
        self.metrics, self.background, self.clock = metrics, background, clock
        self._step_began: float | None = None
        """The time when the step began that is being done; None between two steps."""
        self._by_route: dict[str, float] = {}
        """Seconds on the loop since the last heartbeat."""
        self._longest = 0.0
        """The longest step since then."""
        self._lags: deque[float] = deque(maxlen=RECENT)
        self._due = 0.0

    def open(self) -> None:
        """Time what is started on this loop from now on."""
        asyncio.get_running_loop().set_task_factory(self._new_task)
        self.background.start(self._run())

    def close(self) -> None:
        asyncio.get_running_loop().set_task_factory(None)

    @property
    def lag(self) -> float:
        """The longest that the loop has kept anybody waiting in the last ten seconds."""
        late = asyncio.get_running_loop().time() - self._due if self._due else 0.0
        return max(late, *self._lags, 0.0)

    def on_loop(self, usage: Usage) -> float:
        """Seconds for which a request has had the loop, with the step that is being done."""
        return usage.on_loop + (0.0 if self._step_began is None else self.clock() - self._step_began)

    def _new_task(self, loop: asyncio.AbstractEventLoop, coroutine: Any, context: Context | None = None) -> asyncio.Task[Any]:
        return asyncio.Task(TimedCoroutine(coroutine, self), loop=loop, context=context)

    def begin_step(self) -> None:
        self._step_began = self.clock()

    def end_step(self, name: str) -> None:
        """Note how long a step took, and whose it was: a request's, or that of a task with this name."""
        assert self._step_began is not None
        took, self._step_began = self.clock() - self._step_began, None
        usage = USAGE.get()
        if usage is not None:
            usage.on_loop += took
            name = usage.route
        self._by_route[name] = self._by_route.get(name, 0.0) + took
        if took > self._longest:
            self._longest = took

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while not self.background.stopping.is_set():
            self._due = loop.time() + BEAT
            await asyncio.sleep(BEAT)
            self._beat(loop.time() - self._due)
        self._due = 0.0

    def _beat(self, late: float) -> None:
        """Note the lag since the last heartbeat, and who has caused it."""
        lag = max(late, self._longest, 0.0)
        self._lags.append(lag)
        self.metrics.lag.observe(lag)
        if lag > SLOW:
            route = max(self._by_route, key=self._by_route.__getitem__, default="-")
            spent = self._by_route.get(route, 0.0)
            # Nothing that is timed here can be the cause: the garbage collector, or a machine that has too much to do.
            route = route if spent > lag / 2 else "-"
            facts = {"route": route, "ms": round(1000 * lag), "route_ms": round(1000 * spent)}
            log.warning("the event loop stood still", extra={"facts": facts})
        for route, seconds in self._by_route.items():
            self.metrics.loop_seconds.labels(route).inc(seconds)
        self._by_route, self._longest = {}, 0.0


class TimedCoroutine(Coroutine[Any, Any, Any]):
    """A coroutine whose steps are timed; in all else it is the coroutine itself."""

    __slots__ = ("_coroutine", "_name", "_watch")

    def __init__(self, coroutine: Coroutine[Any, Any, Any], watch: LoopWatch) -> None:
        self._coroutine, self._watch = coroutine, watch
        self._name: str = getattr(coroutine, "__qualname__", type(coroutine).__name__)

    def send(self, value: Any) -> Any:
        self._watch.begin_step()
        try:
            return self._coroutine.send(value)
        finally:
            self._watch.end_step(self._name)

    def throw(self, *error: Any) -> Any:
        self._watch.begin_step()
        try:
            return self._coroutine.throw(*error)
        finally:
            del error  # its traceback refers to this frame: that would be a circle
            self._watch.end_step(self._name)

    def close(self) -> None:
        self._coroutine.close()

    def __await__(self) -> Generator[Any, Any, Any]:
        return self._coroutine.__await__()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._coroutine, name)
