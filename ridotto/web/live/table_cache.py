"""The tables in memory: loaded when somebody asks for them, brought up to date, and dropped when nobody is there any more.

A copy in memory is `is_behind` from when we hear that its table was changed by anything but an action of this server until we
have looked. With SQLite we hear of everything before whoever changed it does. With PostgreSQL it takes a moment to hear of
other servers: whoever wants to look asks the database first; whoever acts does without, since the write itself finds out.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Final

from ridotto.core import record
from ridotto.core.fair import FairDeal, commit_to_secret
from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.core.view import MatchEvent
from ridotto.web.errors import NoTable
from ridotto.web.identity import Keys
from ridotto.web.live.background import BackgroundTasks
from ridotto.web.live.loading import LoadedTable, TableLoader, asker
from ridotto.web.live.publisher import Publisher
from ridotto.web.live.pubsub import PubSub
from ridotto.web.live.state import TableState
from ridotto.web.live.table import Table
from ridotto.web.live.table_clocks import clocks_for
from ridotto.web.settings import Settings
from ridotto.web.storage import Storage
from ridotto.web.storage.clocks import set_clocks
from ridotto.web.storage.entries import replay_entries
from ridotto.web.storage.faults import DatabaseUnavailable
from ridotto.web.storage.table_info import TableInfo

FEW: Final = 8
"""Entries that are replayed at once; for more it takes a thread, so that others need not wait."""


class TableCache:
    """The tables of this server, as the database has them."""

    def __init__(
        self,
        settings: Settings,
        storage: Storage,
        pubsub: PubSub,
        publisher: Publisher,
        background: BackgroundTasks,
        keys: Keys,
        games: Mapping[str, Game],
    ) -> None:
        self.settings, self.storage, self.pubsub, self.publisher = settings, storage, pubsub, publisher
        self.background, self.keys = background, keys
        self._tables: OrderedDict[str, Table] = OrderedDict()
        """Those in memory, the ones used last at the end."""
        self._loader = TableLoader(storage.tables, games)
        self._loading: dict[tuple[str, int], asyncio.Lock] = {}
        """Held while a table is loaded; by rank, so that whoever waits for it need not wait behind those who do not."""
        storage.database.on_touched.append(self._touched)
        pubsub.on_table_changed.append(self._changed_elsewhere)
        pubsub.on_reconnected.append(self._reconnected)

    def __len__(self) -> int:
        return len(self._tables)

    @property
    def in_memory(self) -> list[Table]:
        return list(self._tables.values())

    def cached(self, id: str) -> Table | None:
        """The table of that id if it is in memory, however old the copy is."""
        return self._tables.get(id)

    def wake_subscribers(self) -> None:
        """Let live connections notice that the server stops."""
        for table in self._tables.values():
            for subscriber in table.subscribers:
                subscriber.wake()

    async def finish_writing(self) -> None:
        """Wait until nothing is being written any more."""
        for table in self.in_memory:
            async with table.lock:
                pass

    # Loading.

    async def load(self, id: str, *, recent: bool = False) -> Table:
        """The table of that id, as the database has it now; raises NoTable.

        With `recent`, as this server knows it, if it would have heard of something else.
        """
        table = self._tables.get(id)
        if table is not None:
            self._tables.move_to_end(id)
            table.used = self.storage.milliseconds
            if table.is_behind or (self.pubsub.is_shared and not (recent and self.pubsub.is_listening)):
                async with table.lock:
                    await self.refresh(table)
            return table
        key = id, asker().rank
        async with self._loading.setdefault(key, asyncio.Lock()):
            try:
                return self._tables.get(id) or await self._load(id, self._loader.load)
            finally:
                self._loading.pop(key, None)

    async def _load(self, id: str, load: Callable[[str], Awaitable[LoadedTable | None]]) -> Table:
        if (loaded := await load(id)) is None:
            raise NoTable(f"there is no table {id[:30]!r}")
        info, extras, match, head, is_current = loaded
        self._add_secret(info, match)
        history = await self._history(info)
        if (table := self._tables.get(id)) is not None:  # somebody else was faster
            return table
        here = self.pubsub.elsewhere(id)
        state = TableState(info, match.game, match, here, {}, extras=extras, history=history, head=head)
        table = Table(info, match, head, state)
        table.used = self.storage.milliseconds
        table.note_absences(here, table.used)
        self._tables[id] = table
        async with table.lock:
            table.is_current = is_current and not history and self.pubsub.is_listening
            await self._start_clocks(table)
            if not table.is_current:
                await self.refresh(table)  # while we read it, somebody may have changed it
        self.drop_idle()
        if not table.match.is_dealt:
            self.publisher.notify(table)
        return table

    def _add_secret(self, info: TableInfo, match: Match) -> None:
        """Let a match draw from the secret of this server and the shares of those who play, if it is dealt like that."""
        if info.deal is None:
            return
        fair, secret = FairDeal.read(info.deal, info.seats), self.keys.deal_secret(info.id, info.salt)
        if fair.secret is None and commit_to_secret(fair.match, secret) == fair.commitment:
            fair = fair.with_secret(secret)
            match.chance = fair.chance()
        match.fair = fair

    async def _history(self, info: TableInfo) -> tuple[MatchEvent, ...]:
        """The events of the match that a table goes on from, if that one is still there."""
        origin = info.origin or {}
        if origin.get("kind") != "onward":
            return ()
        with suppress(NoTable, record.BadRecord):
            before = self._tables.get(origin["table"]) or await self._load(origin["table"], self._loader.load_at_once)
            return tuple(one for one in before.match.events if one.ply <= origin["ply"])
        return ()

    # Bringing up to date.

    async def refresh(self, table: Table) -> bool:
        """Take over what another writer has written; whether there was anything. The table is locked."""
        table.is_current = True  # until somebody writes from here on
        try:
            if await self.storage.tables.version(table.id) == table.info.version:
                return False
            changed = await self.storage.tables.load_since(table.id, table.match.ply)
            if changed is None:
                raise NoTable(f"there is no table {table.id!r} any more")
            info, extras, later = changed
            if len(later) > FEW:
                table.match, table.head = await asyncio.to_thread(replay_entries, table.match, table.head, later)
            elif later:
                table.match, table.head = replay_entries(table.match, table.head, later)
            if not table.match.is_dealt or (later and table.match.fair is None):
                self._add_secret(info, table.match)
        except BaseException:
            table.is_current = False
            raise
        before, table.info = table.info, info
        is_chat = not later and before == replace(info, version=before.version)
        self.publisher.publish(table, extras, is_chat=is_chat)
        await self._start_clocks(table)
        self.publisher.notify(table)
        return True

    async def _start_clocks(self, table: Table) -> None:
        """Let the clocks run that should, and no others. The table is locked."""
        now, before = self.storage.milliseconds, table.state.extras
        clocks = clocks_for(table.info, table.match, before.clocks, now)
        if changes := set_clocks(table.id, before.clocks, clocks, now):
            if await self.storage.tables.change(table.id, changes, version=table.info.version):
                table.info = replace(table.info, version=table.info.version + 1)
                self.publisher.publish(table, replace(before, clocks=clocks))
            else:  # somebody has written meanwhile: perhaps they run already, or should not any more
                await self.refresh(table)

    async def refresh_tables_of(self, person: str) -> None:
        """Refresh the tables in memory at which somebody sits: they have another name."""
        for table in await self.storage.people.tables(person):
            if table in self._tables:
                await self.load(table)

    def note_written(self, table: Table) -> None:
        """A copy was written to. If it was dropped meanwhile, there may be another one, which is behind now."""
        if self._tables.get(table.id) is not table:
            self._touched([table.id])

    # Dropping.

    def drop_idle(self) -> None:
        """Let go of tables at which nobody is: of all that were not used for a while, and of others if there are too many,
        those unused for longest first."""
        long_ago = self.storage.milliseconds - 1000 * self.settings.keep_idle
        for table in self.in_memory:
            if table.used > long_ago and len(self._tables) <= self.settings.max_cached_tables:
                return
            if table.is_idle:
                del self._tables[table.id]

    async def check_versions(self) -> None:
        """Compare with the database: somebody may have changed or deleted a table without a server, by `ridotto admin`."""
        known = {table.id: table for table in self.in_memory}
        versions = await self.storage.tables.versions(list(known))
        for table in known.values():
            if table.id not in versions:
                self._tables.pop(table.id, None)
                for task in table.thinking.values():
                    task.cancel()
                for subscriber in table.subscribers:
                    subscriber.end()
            elif versions[table.id] > table.info.version:
                self._changed_elsewhere(table.id, versions[table.id])

    # Other writers.

    def _changed_elsewhere(self, id: str, version: int) -> None:
        """A table has changed, here or at another server."""
        self._loader.note_changes([id])
        table = self._tables.get(id)
        if table is not None and table.info.version < version:
            table.heard = max(table.heard, version)
            if not table.is_idle:
                self.background.start(self._catch_up(table, version))

    def _touched(self, ids: Collection[str]) -> None:
        """Tables have changed at this server by something else than an action."""
        self._loader.note_changes(ids)
        for table in map(self._tables.get, ids):
            if table is not None:
                table.is_current = False

    async def _catch_up(self, table: Table, version: int) -> None:
        async with table.lock:
            if table.info.version < version:
                with suppress(DatabaseUnavailable, NoTable):  # whoever asks next sees that too
                    await self.refresh(table)

    def _reconnected(self) -> None:
        """For a while we did not hear what other servers did."""
        for table in self._tables.values():
            table.is_current = False
            if not table.is_idle:
                self.background.start(self._catch_up(table, table.info.version + 1))
