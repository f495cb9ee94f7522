"""The server measures how long its event loop keeps everybody waiting, and says who has caused it."""

from __future__ import annotations

import asyncio
import gc
import logging
import re
import threading
import time
from collections.abc import Awaitable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from starlette.requests import Request
from starlette.responses import Response
from visitors import Visitor, eventually, sat, services, visiting

from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.present.ui import Ui
from ridotto.web.live.loop_watch import SLOW
from ridotto.web.server.routing import LoggedRoute

Result = TypeVar("Result")


class Facts(logging.Handler):
    """The facts of the lines that the server logs."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[dict[str, Any]] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append({"message": record.getMessage(), **getattr(record, "facts", {})})

    def of(self, message: str) -> list[dict[str, Any]]:
        return [line for line in self.lines if line["message"] == message]


@pytest.fixture
def facts() -> Iterator[Facts]:
    handler, logger = Facts(), logging.getLogger("ridotto.web")
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    yield handler
    logger.removeHandler(handler)
    logger.setLevel(level)


async def as_task(work: Awaitable[Result]) -> Result:
    """Do something in a task of its own, as a server does what is asked of it."""

    async def run() -> Result:
        return await work

    return await asyncio.create_task(run())


async def seconds_of(one: Visitor, route: str) -> float:
    """How long a route has had the loop, by the metrics."""
    text = (await one.get("/metrics")).text
    found = re.search(rf'^ridotto_loop_seconds_total{{route="{re.escape(route)}"}} ([-+.e0-9]+)$', text, re.M)
    return float(found[1]) if found else 0.0


async def stand_still(_: Request) -> Response:
    """What no route should do: half a second of work while everybody waits."""
    time.sleep(0.5)
    return Response("done")


@pytest.mark.parametrize("seat", [0, None])
def test_a_first_paint_is_drawn_off_the_loop(seat: int | None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """For whoever has a seat and for a spectator: the picture is worked out in a thread, and the loop goes on."""
    drawn = {"scene": set[int](), "shared": set[int]()}
    for name, threads in drawn.items():
        draw = getattr(Ui, name)

        def noted(*given: Any, threads: set[int] = threads, draw: Any = draw) -> Any:
            threads.add(threading.get_ident())
            return draw(*given)

        monkeypatch.setattr(Ui, name, noted)

    async def visit(app: Any, one: Visitor, two: Visitor, watcher: Visitor) -> None:
        table = await sat(app, Match(GAMES["fantome"], 2, seed=7), one, two)
        for threads in drawn.values():
            threads.clear()
        assert 200 == (await (watcher if seat is None else one).get(f"/t/{table.id}")).status_code
        assert all(drawn.values())
        assert threading.get_ident() not in set.union(*drawn.values())

    visiting(tmp_path, 3, visit)


def test_a_route_that_keeps_the_loop_is_named(facts: Facts, tmp_path: Path) -> None:
    """In the log, in the metrics, and the health has the lag; whoever waited on the loop is not blamed."""

    async def visit(app: Any, one: Visitor) -> None:
        app.router.routes.insert(0, LoggedRoute("/slow/{secret}", stand_still))
        await as_task(one.get("/slow/token"))

        async def is_noted() -> bool:
            return any(line["route"] == "/slow/{secret}" for line in facts.of("the event loop stood still"))

        await eventually(is_noted)
        [line] = [line for line in facts.of("the event loop stood still") if line["route"] == "/slow/{secret}"]
        assert 500 <= line["ms"] and 500 <= line["route_ms"]
        assert 0.5 <= await seconds_of(one, "/slow/{secret}")
        assert 500 <= (await one.get("/health")).json()["lag_ms"]
        text = (await one.get("/metrics")).text
        counts = dict(re.findall(r'^ridotto_loop_lag_seconds_bucket{le="([^"]+)"} ([0-9.]+)$', text, re.M))
        assert float(counts["0.25"]) < float(counts["+Inf"])
        [request] = [line for line in facts.of("request") if line["route"] == "/slow/{secret}"]
        assert 500 <= request["loop_ms"] <= request["ms"] + 1
        assert not any("token" in str(line) for line in facts.lines)

    visiting(tmp_path, 1, visit)


def test_what_is_no_task_is_seen_as_well(facts: Facts, tmp_path: Path) -> None:
    """The heartbeat comes late when a callback, or the garbage collector, has kept the loop; nobody is blamed for it."""

    async def visit(app: Any, one: Visitor) -> None:
        asyncio.get_running_loop().call_soon(time.sleep, 3 * SLOW)

        async def is_noted() -> bool:
            return any(line["ms"] >= 2000 * SLOW for line in facts.of("the event loop stood still"))

        await eventually(is_noted)
        assert ["-"] == [line["route"] for line in facts.of("the event loop stood still") if line["ms"] >= 2000 * SLOW]

    visiting(tmp_path, 1, visit)


def test_streams_are_timed_as_well(tmp_path: Path) -> None:
    """What a live connection costs counts for its route while it is open."""

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        table = await sat(app, Match(GAMES["fantome"], 2, seed=7), one, two)
        async with one.live(table.id) as stream:
            await stream.next()

            async def is_counted() -> bool:
                return await seconds_of(one, "/t/{id}/live") > 0

            await eventually(is_counted)

    visiting(tmp_path, 2, visit)


def test_work_in_the_background_is_not_the_request_that_began_it(tmp_path: Path) -> None:
    """A task that outlives its request counts by its own name."""

    async def later() -> None:
        await asyncio.sleep(0)
        time.sleep(0.05)

    async def visit(app: Any, one: Visitor) -> None:
        async def begin(_: Request) -> Response:
            services(app).background.start(later())
            return Response("begun")

        app.router.routes.insert(0, LoggedRoute("/begin", begin))
        await as_task(one.get("/begin"))

        async def is_counted() -> bool:
            return await seconds_of(one, later.__qualname__) >= 0.05

        await eventually(is_counted)
        assert 0.05 > await seconds_of(one, "/begin")

    visiting(tmp_path, 1, visit)


def test_a_timed_task_is_a_task_like_any_other(tmp_path: Path) -> None:
    """Results, errors, cancelling and time-outs go through, and a cancelled task leaves no circle of objects."""

    async def fail() -> None:
        await asyncio.sleep(0)
        raise KeyError("x")

    async def visit(app: Any, one: Visitor) -> None:
        assert [1, 2] == await asyncio.gather(*(asyncio.create_task(asyncio.sleep(0, number)) for number in (1, 2)))
        with pytest.raises(KeyError):
            await asyncio.create_task(fail())
        with pytest.raises(TimeoutError):
            await asyncio.create_task(asyncio.wait_for(asyncio.Event().wait(), 0.01))
        gc.collect()
        gc.disable()
        try:
            task = asyncio.create_task(asyncio.sleep(60))
            await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            del task
            gc.set_debug(gc.DEBUG_SAVEALL)
            gc.collect()
            assert [] == [one for one in gc.garbage if isinstance(one, asyncio.CancelledError)]
        finally:
            gc.set_debug(0)
            gc.garbage.clear()
            gc.enable()

    visiting(tmp_path, 1, visit)
