"""Token buckets in the database: the rate limits that all servers share, and that a restart does not refill."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from ridotto.web.settings import Rate
from ridotto.web.storage.schema import token_buckets

if TYPE_CHECKING:
    from ridotto.web.storage.database import Database


class TokenBucketStorage:
    """The buckets."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def take(self, keys: dict[str, Rate], amount: float = 1) -> float:
        """Take so much from every bucket: 0, or nothing is taken, and the seconds until there is enough in all of them."""
        now = self.database.milliseconds
        try:
            async with self.database.writing() as connection:
                chosen = (
                    sa.select(token_buckets)
                    .where(token_buckets.c.key.in_(keys))
                    .order_by(token_buckets.c.key)
                    .with_for_update()
                )
                rows = {row.key: row for row in await connection.execute(chosen)}
                wait, left = 0.0, {}
                for key, rate in keys.items():
                    row = rows.get(key)
                    full = float(rate.burst)
                    has = full if row is None else min(full, row.tokens + max(0, now - row.at) * rate.each_second / 1000)
                    left[key] = has - amount
                    wait = max(wait, -left[key] / rate.each_second)
                if wait > 0:
                    return wait
                for key, rest in left.items():
                    values = {"tokens": rest, "at": now}
                    if key in rows:
                        await connection.execute(sa.update(token_buckets).where(token_buckets.c.key == key).values(**values))
                    else:
                        await connection.execute(sa.insert(token_buckets).values(key=key, **values))
        except IntegrityError:
            return await self.take(keys, amount)  # another server has just made one of them
        return 0.0
