"""Webhooks in the database: addresses to notify when it is somebody's turn, and the notifications that are due."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import sqlalchemy as sa

from ridotto.web.storage.changes import Change
from ridotto.web.storage.schema import webhooks

if TYPE_CHECKING:
    from ridotto.web.storage.database import Database


@dataclass(frozen=True)
class Webhook:
    """An address to notify when it is a person's turn at a table."""

    table: str
    person: str
    url: str
    link: str
    tries: int = 0


UPDATE_WEBHOOK: Final = sa.update(webhooks).where(*(webhooks.c[name] == sa.bindparam(name) for name in ("table", "person")))
SCHEDULE: Final = UPDATE_WEBHOOK.values(due=sa.bindparam("now"), tries=0)
CANCEL: Final = UPDATE_WEBHOOK.values(due=None)


def schedule_notifications(id: str, turns: Mapping[str, bool], now: int) -> list[Change]:
    """Notify people whose turn it has become (True), and cancel the notification of those whose turn has passed (False)."""
    return [
        Change(SCHEDULE, {"table": id, "person": person, "now": now})
        if is_turn
        else Change(CANCEL, {"table": id, "person": person})
        for person, is_turn in turns.items()
    ]


class WebhookStorage:
    """The webhooks of all tables."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def url(self, id: str, person: str) -> str:
        """The address that somebody gave for a table, or ""."""
        async with self.database.reading() as connection:
            chosen = sa.select(webhooks.c.url).where(webhooks.c.table == id, webhooks.c.person == person)
            return str((await connection.execute(chosen)).scalar_one_or_none() or "")

    async def save(self, webhook: Webhook) -> None:
        """Keep an address, in the place of the one there was."""
        await self._replace(webhook.table, webhook.person, webhook)

    async def delete(self, id: str, person: str) -> None:
        await self._replace(id, person, None)

    async def _replace(self, id: str, person: str, new: Webhook | None) -> None:
        async with self.database.writing() as connection:
            await connection.execute(sa.delete(webhooks).where(webhooks.c.table == id, webhooks.c.person == person))
            if new is not None:
                row = {"table": id, "person": person, "url": new.url, "link": new.link, "tries": 0}
                await connection.execute(sa.insert(webhooks).values(**row))

    async def claim_due(self, now: int, until: int, most: int, each: int, busy: Collection[tuple[str, str]]) -> list[Webhook]:
        """So many notifications that are due, `each` of one person at most together with those that go on already (`busy`, by
        table and person). Each is claimed `until` then, so that no other server sends it meanwhile.
        """
        calls = Counter(person for _, person in busy)
        full = [person for person, count in calls.items() if count >= each]
        turn = sa.func.row_number().over(partition_by=webhooks.c.person, order_by=(webhooks.c.due, webhooks.c.table))
        due = sa.select(webhooks, turn.label("turn")).where(webhooks.c.due <= now, webhooks.c.person.not_in(full)).subquery()
        chosen = sa.select(due).where(due.c.turn <= each).order_by(due.c.due, due.c.table, due.c.person).limit(most)
        async with self.database.reading() as connection:
            rows = (await connection.execute(chosen)).all()
        rows = [row for row in rows if row.turn <= each - calls[row.person] and (row.table, row.person) not in busy]
        claimed: list[Webhook] = []
        if rows:
            async with self.database.writing() as connection:
                for row in rows:
                    at = sa.and_(webhooks.c.table == row.table, webhooks.c.person == row.person, webhooks.c.due == row.due)
                    if (await connection.execute(sa.update(webhooks).where(at).values(due=until))).rowcount:
                        claimed.append(Webhook(row.table, row.person, row.url, row.link, row.tries))
        return claimed

    async def finish(self, webhook: Webhook, until: int, due: int | None) -> None:
        """Note that a claimed notification was sent (`due` None), or is to be tried again, unless the turn has passed."""
        at = sa.and_(webhooks.c.table == webhook.table, webhooks.c.person == webhook.person, webhooks.c.due == until)
        async with self.database.writing() as connection:
            await connection.execute(sa.update(webhooks).where(at).values(due=due, tries=webhook.tries + 1))
