"""Metrics of the server, for Prometheus; none where its package is not installed, as with `ridotto[web]` alone.

They never have a name, a cookie, a token, or anything of a match that is not public.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

try:
    import prometheus_client as prometheus
except ModuleNotFoundError:
    prometheus = None  # type: ignore[assignment]

FRESH: Final = 30.0
"""Seconds after which metrics are those of a server that is gone."""
NO_METRICS: Final = b"# there are no metrics: pip install 'ridotto[server]'\n"
QUICK: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """The metrics of one server."""

    def __init__(self) -> None:
        self.registry: Any = prometheus and prometheus.CollectorRegistry()
        given: dict[str, Any] = {"registry": self.registry}
        counter, gauge, histogram = (_kind(name) for name in ("Counter", "Gauge", "Histogram"))
        self.requests = counter("ridotto_requests", "Requests answered.", ["route", "method", "status"], **given)
        self.seconds = histogram("ridotto_request_seconds", "Time to answer.", ["route"], buckets=QUICK, **given)
        self.drawing = histogram("ridotto_drawing_seconds", "Time to draw a page.", ["game"], buckets=QUICK, **given)
        self.commit = histogram("ridotto_commit_seconds", "Time to write an action down.", buckets=QUICK, **given)
        self.lag = histogram(
            "ridotto_loop_lag_seconds", "How long the event loop kept everybody waiting.", buckets=QUICK, **given
        )
        self.loop_seconds = counter("ridotto_loop_seconds", "Time on the event loop, by route or task.", ["route"], **given)
        self.thread_seconds = counter("ridotto_thread_seconds", "CPU time in threads, by route.", ["route"], **given)
        self.thinking = histogram(
            "ridotto_thinking_seconds", "Time of a bot's decision.", ["game", "bot"], buckets=QUICK, **given
        )
        self.actions = counter("ridotto_actions", "Entries written.", ["game", "by"], **given)
        self.tables = counter("ridotto_tables_founded", "Tables founded.", ["game"], **given)
        self.collisions = counter("ridotto_collisions", "Entries that another writer was faster with.", **given)
        self.refused = counter("ridotto_limited", "Requests refused because there were too many.", ["by"], **given)
        self.live = gauge("ridotto_live_connections", "Live connections.", **given)
        self.cached = gauge("ridotto_tables_in_memory", "Tables in memory.", **given)
        self.memory = gauge("ridotto_memory_bytes", "Memory of the server itself, its workers not counted.", **given)
        self.replaced = gauge("ridotto_workers_replaced", "How often dead workers were replaced.", **given)

    def text(self) -> bytes:
        """All of them, as Prometheus reads them."""
        return bytes(prometheus.generate_latest(self.registry)) if prometheus else NO_METRICS


def _kind(name: str) -> Callable[..., Any]:
    """A kind of metric, or what takes its place."""
    return getattr(prometheus, name) if prometheus else lambda *_, **__: Nothing()


class Nothing:
    """A metric where none are kept."""

    def labels(self, *_: str) -> Nothing:
        return self

    def inc(self, _: float = 1) -> None: ...

    def observe(self, _: float) -> None: ...

    def set(self, _: float) -> None: ...


class SharedMetrics:
    """A folder in which several servers behind one port write their metrics, so that each can report all of them."""

    def __init__(self, data: Path, number: int) -> None:
        self.data, self.number = data, number

    def write(self, text: bytes) -> None:
        """Write our own."""
        file = self.data / f"metrics-{self.number}.prom"
        new = file.with_suffix(".part")
        new.write_bytes(text)
        new.replace(file)

    def read_all(self) -> bytes:
        """Everybody's, each with the number of its server; those that nobody has renewed for a while are left out."""
        found = {}
        for file in sorted(self.data.glob("metrics-*.prom")):
            if time.time() - file.stat().st_mtime < FRESH:
                found[file.stem.removeprefix("metrics-")] = file.read_text("utf-8")
        return merge(found).encode()


def merge(texts: Mapping[str, str]) -> str:
    """Metrics of several servers as one text: Prometheus wants all of one kind together.

    >>> one, two = '# TYPE a counter\\na{x="y"} 1.0\\n', '# TYPE a counter\\na{x="y"} 2.0\\n# TYPE b gauge\\nb 3.0\\n'
    >>> print(merge({"1": one, "2": two}))
    # TYPE a counter
    a{server="1",x="y"} 1.0
    a{server="2",x="y"} 2.0
    # TYPE b gauge
    b{server="2"} 3.0
    <BLANKLINE>
    """
    headings: dict[str, list[str]] = {}
    lines: dict[str, list[str]] = {}
    for server, text in texts.items():
        kind = ""
        for line in text.splitlines():
            if line.startswith("#"):
                kind = line.split(" ")[2]
                known = headings.setdefault(kind, [])
                if line not in known:
                    known.append(line)
            else:
                name, brace, rest = re.fullmatch(r"(\w+)({?)(.*)", line).groups()  # type: ignore[union-attr]
                labels = f'server="{server}"' + ("," if brace else "}")
                lines.setdefault(kind, []).append(f"{name}{{{labels}{rest}")
    return "".join(f"{line}\n" for kind in headings for line in [*headings[kind], *lines.get(kind, [])])
