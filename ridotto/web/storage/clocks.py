"""Clocks in the database, and the heartbeat by which servers notice that none of them ran for a while."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Final

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from ridotto.engine.fields import Seat
from ridotto.web.clocks import Clock
from ridotto.web.storage.changes import Change, upsert
from ridotto.web.storage.schema import clocks, entries, heartbeat, tables

if TYPE_CHECKING:
    from ridotto.web.storage.database import Database

SILENCE: Final = 12_000
"""Milliseconds without a heartbeat after which a server counts as having been down."""


SET_CLOCK: Final = upsert(clocks)
BEAT: Final = sa.update(heartbeat).where(heartbeat.c.at < sa.bindparam("now")).values(at=sa.bindparam("now"))


def set_clocks(id: str, before: Mapping[Seat, Clock], after: Mapping[Seat, Clock], now: int) -> list[Change]:
    """The changes from one set of clocks to another."""
    changes = [
        Change(SET_CLOCK, {"table": id, "seat": seat, **vars(clock)})
        for seat, clock in after.items()
        if before.get(seat) != clock
    ]
    if any(clock.until is not None for clock in after.values()) and changes:
        changes.append(Change(BEAT, {"now": now}))
    return changes


class ClockStorage:
    """The clocks of all tables."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def expired(self, now: int) -> list[tuple[str, Seat]]:
        """The tables and seats whose clocks have run down."""
        chosen = sa.select(clocks.c.table, clocks.c.seat).where(clocks.c.until <= now).order_by(clocks.c.until)
        async with self.database.reading() as connection:
            return [(row.table, row.seat) for row in await connection.execute(chosen)]

    async def added_before(self, id: str, plies: Collection[int]) -> dict[int, dict[Seat, int]]:
        """For some entries of a table, what had been added to its clocks when each was made."""
        chosen = sa.select(entries.c.ply, entries.c.added).where(entries.c.table == id, entries.c.ply.in_(plies))
        async with self.database.reading() as connection:
            rows = (await connection.execute(chosen)).all()
        return {row.ply: {int(seat): added for seat, added in (row.added or {}).items()} for row in rows}

    async def beat(self, now: int, silence: int) -> int:
        """Write a heartbeat; the milliseconds without one while clocks ran, if they are more than `silence`.

        Those are charged to no player: the first server to notice moves the end of every running clock. A server that was
        killed had written its last heartbeat some seconds before, and the players are given these seconds.
        """
        async with self.database.reading() as connection:
            last = (await connection.execute(sa.select(heartbeat.c.at).where(heartbeat.c.id == 1))).scalar_one_or_none()
            is_running = (await connection.execute(sa.select(sa.exists().where(clocks.c.until.is_not(None))))).scalar_one()
        is_back = last is not None and now < last and silence == 0  # the one server starts, and the clock was set back
        if last is not None and (not is_running or (now <= last and not is_back)):  # or another one wrote a later heartbeat
            return 0
        lost = 0 if last is None else now - last
        try:
            async with self.database.writing() as connection:
                if last is None:
                    await connection.execute(sa.insert(heartbeat).values(id=1, at=now))
                    return 0
                moved = sa.update(heartbeat).where(heartbeat.c.id == 1, heartbeat.c.at == last).values(at=now)
                if not (await connection.execute(moved)).rowcount or (lost <= silence and not is_back):
                    return 0
                running = sa.select(clocks.c.table).where(clocks.c.until.is_not(None)).distinct()
                await self.database.touch(connection, tables.c.id.in_(running))
                later = sa.update(clocks).where(clocks.c.until.is_not(None)).values(until=clocks.c.until + lost)
                await connection.execute(later)
        except IntegrityError:
            return 0  # another server has just written the first heartbeat
        return lost
