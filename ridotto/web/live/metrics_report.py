"""The metrics as they are read: those of this server, and of all that are behind one port."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from pathlib import Path

from ridotto.web.live.background import BackgroundTasks
from ridotto.web.live.metrics import Metrics, SharedMetrics
from ridotto.web.live.places import LivePlaces
from ridotto.web.live.table_cache import TableCache
from ridotto.web.live.workers import BotWorkers
from ridotto.web.settings import Settings


def resident_bytes() -> int:
    """Memory that this process has; 0 where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, AttributeError):
        return 0


class MetricsReport:
    """Collects the metrics of this server, and shares them with the others."""

    def __init__(
        self,
        settings: Settings,
        metrics: Metrics,
        tables: TableCache,
        workers: BotWorkers,
        places: LivePlaces,
        background: BackgroundTasks,
    ) -> None:
        self.settings, self.metrics, self.tables, self.workers = settings, metrics, tables, workers
        self.places, self.background = places, background
        self.shared = SharedMetrics(settings.data, settings.number)

    def open(self) -> None:
        """If this is one of several servers, share its metrics from now on."""
        if self.settings.number:
            self.background.start(self._run())

    async def _run(self) -> None:
        while not self.background.stopping.is_set():
            with suppress(OSError):
                await asyncio.to_thread(self.shared.write, self._own())
            await self.background.pause(self.settings.sweep)

    async def text(self) -> bytes:
        """The metrics as Prometheus reads them; of several servers, those of all."""
        own = await asyncio.to_thread(self._own)
        if not self.settings.number:
            return own
        with suppress(OSError):  # the disk may be full
            await asyncio.to_thread(self.shared.write, own)
        return await asyncio.to_thread(self.shared.read_all)

    def _own(self) -> bytes:
        self.metrics.live.set(len(self.places))
        self.metrics.cached.set(len(self.tables))
        self.metrics.replaced.set(self.workers.replaced)
        self.metrics.memory.set(resident_bytes())
        return self.metrics.text()
