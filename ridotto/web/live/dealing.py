"""Deals tables: when everybody sits there and has given their share, or has had the time to. See docs/fair-deal.md."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from ridotto.core.fair import FairDeal
from ridotto.core.game import Game
from ridotto.core.laid_out import LaidOut
from ridotto.core.match import Match
from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import Seat
from ridotto.present.narrator import mark
from ridotto.web.errors import NotNow, Stale
from ridotto.web.identity import Keys
from ridotto.web.live.background import BackgroundTasks
from ridotto.web.live.publisher import Publisher
from ridotto.web.live.table import Table
from ridotto.web.live.table_cache import TableCache
from ridotto.web.live.table_writer import TRIES
from ridotto.web.settings import Settings
from ridotto.web.storage import Storage
from ridotto.web.storage.faults import Conflict
from ridotto.web.storage.tables import set_deal

log = logging.getLogger("ridotto.web")


class NewMatch(NamedTuple):
    """A match that is still to be dealt."""

    game: Game
    options: Mapping[str, int]


class Dealing:
    """Deals new tables with the secret of this server and the shares of those who play."""

    def __init__(
        self,
        settings: Settings,
        storage: Storage,
        tables: TableCache,
        publisher: Publisher,
        background: BackgroundTasks,
        keys: Keys,
    ) -> None:
        self.settings, self.storage, self.tables, self.background, self.keys = settings, storage, tables, background, keys
        self._waiting: set[str] = set()
        """Tables at which everybody sits and shares are still to come."""
        publisher.on_change.append(self.wait_for_shares)

    def begin(self, id: str, salt: str, match: Match | NewMatch, seats: int, commitments: Mapping[Seat, str | None]) -> Match:
        """The match of a new table: laid out until it can be dealt, where a browser has committed to a share."""
        given = [commitments.get(seat) for seat in range(seats)]
        fair = FairDeal.new(id, self.keys.deal_secret(id, salt), given)
        if isinstance(match, NewMatch) and fair.missing:
            begun: Match = LaidOut(match.game, seats, match.options)
        elif isinstance(match, NewMatch):
            begun = Match(match.game, seats, match.options, fair=fair)
        elif match.origin is not None and match.to_act:
            begun = match.after(match.ply)
            begun.chance = fair.chance()  # of what comes after the moment that it goes on from
        else:
            return match
        begun.fair = fair
        return begun

    def wait_for_shares(self, table: Table) -> None:
        """Deal a table at which everybody sits, when all shares have come or there was time enough for them."""
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
                    await self.deal(await self.tables.load(table.id))
        except RidottoError as error:
            log.error("a table was not dealt", extra={"facts": {"table": table.id, "error": str(error)}})
        finally:
            self._waiting.discard(table.id)

    async def add_share(self, table: Table, seat: Seat, share: str) -> None:
        """Take the share that the browser at a seat has committed to; whoever is the last to give theirs begins the match."""
        async with table.lock:
            for _ in range(TRIES):
                if table.is_behind:
                    await self.tables.refresh(table)
                fair = table.match.fair
                if fair is not None and fair.shares[seat] == share:
                    return  # it was given before, and has come twice
                if table.match.is_dealt or fair is None:
                    raise Stale(mark("it is dealt already"))
                if not table.info.is_full:
                    raise NotNow(mark("it is dealt when everybody sits"))
                fair = fair.with_share(seat, share)
                if not fair.missing:
                    if await self._write(table, fair):
                        return
                elif await self.storage.tables.change(table.id, [set_deal(table.id, fair)], version=table.info.version):
                    await self.tables.refresh(table)
                    return
                await self.tables.refresh(table)
        raise Stale(mark("too much happens at this table at once: try again"))

    async def deal(self, table: Table) -> None:
        """Deal a table at which everybody sits, with the shares that were given."""
        async with table.lock:
            for _ in range(TRIES):
                if table.is_behind:
                    await self.tables.refresh(table)
                if table.match.is_dealt or not table.info.is_full or table.match.fair is None:
                    return
                if await self._write(table, table.match.fair):
                    return
                await self.tables.refresh(table)

    async def _write(self, table: Table, fair: FairDeal) -> bool:
        """Write the deal; False if somebody else wrote first. The table is locked."""
        old = table.match
        match = await asyncio.to_thread(partial(Match, old.game, old.seats, old.options, fair=fair, version=old.version))
        try:
            await self.storage.tables.append(table.id, match, 0, table.head, version=table.info.version, deal=fair)
        except Conflict:
            return False
        finally:
            table.is_current = False  # it may be written, or not
        await self.tables.refresh(table)
        return True
