"""The database: people, tables and everything that belongs to them.

One module for each subject, each with the statements about it; `schema` has the tables, `database` the connections.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from ridotto.web.storage.admin import AdminStorage
from ridotto.web.storage.chat import ChatStorage
from ridotto.web.storage.clocks import ClockStorage
from ridotto.web.storage.members import MemberStorage
from ridotto.web.storage.people import PeopleStorage
from ridotto.web.storage.results import ResultStorage
from ridotto.web.storage.reviews import ReviewStorage
from ridotto.web.storage.tables import TableStorage
from ridotto.web.storage.token_buckets import TokenBucketStorage
from ridotto.web.storage.webhooks import WebhookStorage

if TYPE_CHECKING:
    from ridotto.web.storage.database import Database
    from ridotto.web.storage.memory import MemoryDatabase


class Storage:
    """Everything that servers keep in one database."""

    def __init__(
        self,
        url: str,
        clock: Callable[[], float] = time.time,
        patience: float | None = None,
        memory: MemoryDatabase | None = None,
    ) -> None:
        """With `memory`, in that database, and in none with a URL."""
        if memory is None:
            from ridotto.web.storage.database import Database

            self.database = Database(url, clock, patience)
        else:
            self.database = cast("Database", memory)
        self.tables = TableStorage(self.database)
        self.people = PeopleStorage(self.database)
        self.members = MemberStorage(self.database, self.people)
        self.results = ResultStorage(self.database)
        self.chat = ChatStorage(self.database)
        self.clocks = ClockStorage(self.database)
        self.webhooks = WebhookStorage(self.database)
        self.reviews = ReviewStorage(self.database)
        self.token_buckets = TokenBucketStorage(self.database)
        self.admin = AdminStorage(self.database, self.tables, self.people)

    async def open(self) -> None:
        """Connect, and bring the schema up to date."""
        await self.database.open()

    async def close(self) -> None:
        await self.database.close()

    @property
    def now(self) -> int:
        """Seconds since 1970, as the server counts them."""
        return self.database.now

    @property
    def milliseconds(self) -> int:
        """Milliseconds since 1970, as the server counts them."""
        return self.database.milliseconds
