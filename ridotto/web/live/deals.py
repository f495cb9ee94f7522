"""Deals a table when everybody sits there and has shown their share, or has had the time to. See docs/fair-deal.md."""

from __future__ import annotations

import logging
from contextlib import suppress

from ridotto.engine.errors import RidottoError
from ridotto.web.live.background import BackgroundTasks
from ridotto.web.live.table import Table
from ridotto.web.live.tables import TableService
from ridotto.web.settings import Settings

log = logging.getLogger("ridotto.web")


class DealService:
    """Looks at tables that are still to be dealt."""

    def __init__(self, settings: Settings, tables: TableService, background: BackgroundTasks) -> None:
        self.settings, self.tables, self.background = settings, tables, background
        self._waiting: set[str] = set()
        """Tables at which everybody sits and shares are still to come."""
        tables.on_change.append(self.look)

    def look(self, table: Table) -> None:
        """Wait for the shares of a table at which everybody sits, for a while."""
        if not table.match.is_dealt and table.info.is_full and table.id not in self._waiting:
            self._waiting.add(table.id)
            self.background.start(self._deal_after_a_while(table))

    async def _deal_after_a_while(self, table: Table) -> None:
        fair = table.match.fair
        try:
            if fair is not None and fair.missing:
                await self.background.pause(self.settings.share_wait)
            if not self.background.stopping.is_set():
                with suppress(LookupError):  # it is gone
                    await self.tables.deal(await self.tables.load(table.id))
        except RidottoError as error:
            log.error("a table was not dealt", extra={"facts": {"table": table.id, "error": str(error)}})
        finally:
            self._waiting.discard(table.id)
