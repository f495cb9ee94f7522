"""Metrics of the server, for Prometheus.

They never have a name, a cookie, a token, or anything of a match that is not public.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

FRESH: Final = 30.0
"""Seconds after which metrics are those of a server that is gone."""
QUICK: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """The metrics of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        given: dict[str, Any] = {"registry": self.registry}
        self.requests = Counter("ridotto_requests", "Requests answered.", ["route", "method", "status"], **given)
        self.seconds = Histogram("ridotto_request_seconds", "Time to answer.", ["route"], buckets=QUICK, **given)
        self.drawing = Histogram("ridotto_drawing_seconds", "Time to draw a page.", ["game"], buckets=QUICK, **given)
        self.commit = Histogram("ridotto_commit_seconds", "Time to write an action down.", buckets=QUICK, **given)
        self.thinking = Histogram(
            "ridotto_thinking_seconds", "Time of a bot's decision.", ["game", "bot"], buckets=QUICK, **given
        )
        self.actions = Counter("ridotto_actions", "Entries written.", ["game", "by"], **given)
        self.tables = Counter("ridotto_tables_founded", "Tables founded.", ["game"], **given)
        self.collisions = Counter("ridotto_collisions", "Entries that another writer was faster with.", **given)
        self.refused = Counter("ridotto_limited", "Requests refused because there were too many.", ["by"], **given)
        self.live = Gauge("ridotto_live_connections", "Live connections.", **given)
        self.cached = Gauge("ridotto_tables_in_memory", "Tables in memory.", **given)
        self.replaced = Gauge("ridotto_workers_replaced", "How often dead workers were replaced.", **given)

    def text(self) -> bytes:
        """All of them, as Prometheus reads them."""
        return generate_latest(self.registry)


class SharedMetrics:
    """Where several servers behind one port write their metrics, so that whichever is asked can show those of all."""

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
