"""What the servers at one database tell each other: that a table has changed, who is here, whose bots think where.

With SQLite there is one server, and nothing to tell. With PostgreSQL every change of a table is told by the database itself
(a trigger, in the very transaction), and servers tell the rest over the connection on which they listen. That connection also
holds their claims: when a server dies, however it dies, the database lets go of them and others take them up.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import Any, Final

from ridotto.web.storage.store import Store

CHANNEL: Final = "ridotto"
AGAIN: Final = 1.0
"""Seconds until a lost connection is tried again."""
CLAIM: Final = "pg_try_advisory_lock(hashtextextended(id, 7))"
"""Whether this server, and no other, has an id now."""

log = logging.getLogger("ridotto.web")


class Wire:
    """One server's end of it."""

    def __init__(
        self, keeper: Store, changed: Callable[[str, int], None], moved: Callable[[str], None], again: Callable[[], None]
    ) -> None:
        self.store = keeper
        self._changed, self._moved, self._again = changed, moved, again
        """What to do when a table has a new version, when people came or went elsewhere, when we were cut off for a while."""
        self._raw: Any = None
        """The driver's own connection, while there is one: what listens, tells and holds claims."""
        self._turn, self._claiming = asyncio.Lock(), asyncio.Lock()
        self._claims: Counter[str] = Counter()
        self._mine: dict[str, frozenset[str]] = {}
        self._others: dict[str, dict[int, frozenset[str]]] = {}
        """Who is at a table, by server."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    @property
    def is_shared(self) -> bool:
        """Whether there may be other servers."""
        return self.store.is_shared

    async def open(self) -> None:
        """Listen, and ask who is where."""
        if not self.is_shared:
            return
        raw = await self.store.line()
        try:
            await raw.add_listener(CHANNEL, self._heard)
        except BaseException:
            raw.terminate()
            raise
        raw.add_termination_listener(self._lost)
        self._raw = raw
        await self._tell("hello")
        await self._tell_all()

    async def close(self) -> None:
        """Listen no more; claims end."""
        self._closed = True
        going_on = list(self._tasks)
        for task in going_on:
            task.cancel()
        await asyncio.gather(*going_on, return_exceptions=True)
        self._drop()

    def _drop(self) -> None:
        raw, self._raw = self._raw, None
        if raw is not None:
            raw.terminate()

    # Claims.

    async def claim(self, id: str) -> bool:
        """Whether the bots of a table are ours to think for. Claims are counted: each is released."""
        return bool(await self.claimed([id]))

    async def claimed(self, ids: Sequence[str]) -> list[str]:
        """Those of the tables whose bots are ours to think for now."""
        if not self.is_shared:
            return list(ids)
        async with self._claiming:
            got = [one for one in ids if self._claims[one]]
            if len(got) < len(ids):
                wanted = [one for one in ids if not self._claims[one]]
                rows = await self._ask(f"SELECT id FROM unnest($1::text[]) AS id WHERE {CLAIM}", wanted)
                got += [row["id"] for row in rows]
            self._claims.update(got)
        return got

    async def release(self, id: str) -> None:
        """Let another server think for the bots of a table."""
        if not self.is_shared:
            return
        async with self._claiming:
            self._claims[id] -= 1
            if self._claims[id] <= 0:
                held = self._claims.pop(id) == 0  # less than none: it was lost with a connection
                if held:
                    await self._ask("SELECT pg_advisory_unlock(hashtextextended($1, 7))", id)

    # Who is here.

    def here(self, id: str, people: Collection[str]) -> None:
        """Tell the others who of those who play at a table have its page open here."""
        told = frozenset(people)
        if not self.is_shared or told == self._mine.get(id, frozenset()):
            return
        if told:
            self._mine[id] = told
        else:
            self._mine.pop(id, None)
        self._later(self._tell(f"here {id} {' '.join(told)}"))

    def elsewhere(self, id: str) -> frozenset[str]:
        """Who has the page of a table open at another server."""
        return frozenset().union(*self._others.get(id, {}).values())

    async def look_around(self) -> None:
        """Forget who was at servers that are gone."""
        known = {pid for servers in self._others.values() for pid in servers}
        if known:
            rows = await self._ask("SELECT pid FROM pg_stat_activity WHERE pid = ANY($1::int[])", list(known))
            gone = known - {row["pid"] for row in rows}
            for table in [table for table, servers in self._others.items() if gone & servers.keys()]:
                for pid in gone:
                    self._note(table, pid, frozenset())

    def _note(self, id: str, pid: int, people: frozenset[str]) -> None:
        servers = self._others.setdefault(id, {})
        if people:
            servers[pid] = people
        else:
            servers.pop(pid, None)
        if not servers:
            del self._others[id]
        self._moved(id)

    # The connection.

    def _heard(self, _: object, pid: int, channel: str, text: str) -> None:
        word, *rest = text.split(" ")
        ours = self._raw is not None and pid == self._raw.get_server_pid()
        if word == "changed":
            self._changed(rest[0], int(rest[1]))
        elif word == "here" and not ours:
            self._note(rest[0], pid, frozenset(filter(None, rest[1:])))
        elif word == "hello" and not ours:
            self._later(self._tell_all())

    async def _tell_all(self) -> None:
        for table, people in list(self._mine.items()):
            await self._tell(f"here {table} {' '.join(people)}")

    async def _tell(self, text: str) -> None:
        await self._ask("SELECT pg_notify($1, $2)", CHANNEL, text)

    async def _ask(self, query: str, *given: object) -> list[Any]:
        """A query over the connection that listens; nothing if it is lost just now."""
        async with self._turn:
            if self._raw is None:
                return []
            try:
                return list(await self._raw.fetch(query, *given))
            except Exception as error:  # whatever the driver raises: the connection is of no use
                log.warning("the wire to the other servers broke", extra={"facts": {"error": str(error)}})
                self._lost(self._raw)
                return []

    def _lost(self, raw: object) -> None:
        if raw is self._raw and not self._closed:
            self._drop()
            self._claims.clear()
            self._later(self._mend())

    async def _mend(self) -> None:
        """Connect again, until it works; then look at everything, since nobody told us what happened meanwhile."""
        while True:
            try:
                await self.open()
            except Exception as error:  # whatever the driver raises: the database is not back yet
                log.warning("the wire to the other servers is still broken", extra={"facts": {"error": str(error)}})
                await asyncio.sleep(AGAIN)
            else:
                self._again()
                return

    def _later(self, work: Any) -> None:
        task: asyncio.Task[None] = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
