"""Messages between the servers at one database: a table has changed, who is here, whose bots think where.

With SQLite there is one server, and no message. With PostgreSQL the database itself sends one for every change of a table (a
trigger, in the very transaction), whoever changes a person sends one with it, and servers send the rest over the connection on
which they listen. That connection also holds their claims: when a server dies, however it dies, the database lets go of them
and others take them up.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any, Final

from ridotto.web.storage.schema import CHANNEL
from ridotto.web.storage.turns import answered_within

if TYPE_CHECKING:
    from ridotto.web.storage.database import Database

RETRY: Final = 1.0
"""Seconds until a lost connection is tried again."""
CLAIM: Final = "pg_try_advisory_lock(hashtextextended(id, 7))"
"""Whether this server, and no other, has an id now."""

log = logging.getLogger("ridotto.web")


class PubSub:
    """One server's connection to the others."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.on_table_changed: list[Callable[[str, int], None]] = []
        """Called with a table and its version when it has changed, here or elsewhere."""
        self.on_person_changed: list[Callable[[str], None]] = []
        """Called with a person who has another name, or is forgotten, here or elsewhere."""
        self.on_signed_out: list[Callable[[str, int], None]] = []
        """Called with a person who has signed out everywhere, here or elsewhere, and the generation of cookies that begins."""
        self.on_people_moved: list[Callable[[str], None]] = []
        """Called with a table when people came or went at another server."""
        self.on_reconnected: list[Callable[[], None]] = []
        """Called when we heard nothing for a while, and do again."""
        self._raw: Any = None
        """The driver's own connection, while there is one: what listens, sends and holds claims."""
        self._lock, self._claim_lock = asyncio.Lock(), asyncio.Lock()
        self._claims: Counter[str] = Counter()
        self._mine: dict[str, frozenset[str]] = {}
        self._others: dict[str, dict[int, frozenset[str]]] = {}
        """The people at a table, by server."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    @property
    def is_shared(self) -> bool:
        """Whether there may be other servers."""
        return self.database.is_shared

    @property
    def is_listening(self) -> bool:
        """Whether we hear of what other servers do, if there may be any."""
        return not self.is_shared or self._raw is not None

    async def open(self) -> None:
        """Listen, and ask who is where."""
        if not self.is_shared:
            return
        raw = None
        try:
            async with answered_within(self.database.patience):
                raw = await self.database.new_connection()
                await raw.add_listener(CHANNEL, self._receive)
        except BaseException:
            if raw is not None:
                raw.terminate()
            raise
        raw.add_termination_listener(self._lost)
        self._raw = raw
        await self._send("hello")
        await self._send_all()

    async def close(self) -> None:
        """Listen no more; claims end."""
        self._closed = True
        going_on = list(self._tasks)
        for task in going_on:
            task.cancel()
        await asyncio.gather(*going_on, return_exceptions=True)
        self._disconnect()

    def _disconnect(self) -> None:
        raw, self._raw = self._raw, None
        if raw is not None:
            raw.terminate()

    # Claims.

    async def claim(self, id: str) -> bool:
        """Whether the bots of a table are ours to think for. Claims are counted: each is released."""
        return bool(await self.claim_many([id]))

    async def claim_many(self, ids: Sequence[str]) -> list[str]:
        """Those of the tables whose bots are ours to think for now."""
        if not self.is_shared:
            return list(ids)
        async with self._claim_lock:
            got = [one for one in ids if self._claims[one]]
            if len(got) < len(ids):
                wanted = [one for one in ids if not self._claims[one]]
                rows = await self._query(f"SELECT id FROM unnest($1::text[]) AS id WHERE {CLAIM}", wanted)
                got += [row["id"] for row in rows]
            self._claims.update(got)
        return got

    async def release(self, id: str) -> None:
        """Let another server think for the bots of a table."""
        if not self.is_shared:
            return
        async with self._claim_lock:
            self._claims[id] -= 1
            if self._claims[id] <= 0:
                held = self._claims.pop(id) == 0  # less than none: it was lost with a connection
                if held:
                    await self._query("SELECT pg_advisory_unlock(hashtextextended($1, 7))", id)

    # Who is here.

    def announce(self, id: str, people: Collection[str]) -> None:
        """Tell the other servers who of those who play at a table have its page open here."""
        here = frozenset(people)
        if not self.is_shared or here == self._mine.get(id, frozenset()):
            return
        if here:
            self._mine[id] = here
        else:
            self._mine.pop(id, None)
        self._start(self._send(f"here {id} {' '.join(here)}"))

    def elsewhere(self, id: str) -> frozenset[str]:
        """The people who have the page of a table open at another server."""
        return frozenset().union(*self._others.get(id, {}).values())

    async def forget_dead_servers(self) -> None:
        """Forget who was at servers that are gone. Asking shows as well whether we would hear anything."""
        if not self.is_shared:
            return
        known = {pid for servers in self._others.values() for pid in servers}
        rows = await self._query("SELECT pid FROM pg_stat_activity WHERE pid = ANY($1::int[])", list(known))
        if not self.is_listening:
            return
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
        for moved in self.on_people_moved:
            moved(id)

    # The connection.

    def _receive(self, _: object, pid: int, channel: str, text: str) -> None:
        word, *rest = text.split(" ")
        ours = self._raw is not None and pid == self._raw.get_server_pid()
        if word == "changed":
            for listener in self.on_table_changed:
                listener(rest[0], int(rest[1]))
        elif word == "person":
            for told in self.on_person_changed:
                told(rest[0])
        elif word == "signed-out":
            for signed_out in self.on_signed_out:
                signed_out(rest[0], int(rest[1]))
        elif word == "here" and not ours:
            self._note(rest[0], pid, frozenset(filter(None, rest[1:])))
        elif word == "hello" and not ours:
            self._start(self._send_all())

    async def _send_all(self) -> None:
        for table, people in list(self._mine.items()):
            await self._send(f"here {table} {' '.join(people)}")

    async def _send(self, text: str) -> None:
        await self._query("SELECT pg_notify($1, $2)", CHANNEL, text)

    async def _query(self, query: str, *given: object) -> list[Any]:
        """A query over the connection that listens; nothing if it is lost just now."""
        async with self._lock:
            if self._raw is None:
                return []
            try:
                async with answered_within(self.database.patience):
                    return list(await self._raw.fetch(query, *given))
            except Exception as error:  # whatever the driver raises: the connection is of no use
                log.warning("the connection to the other servers broke", extra={"facts": {"error": str(error)}})
                self._lost(self._raw)
                return []

    def _lost(self, raw: object) -> None:
        if raw is self._raw and not self._closed:
            self._disconnect()
            self._claims.clear()
            self._start(self._reconnect())

    async def _reconnect(self) -> None:
        """Connect again, until it works; then look at everything, since we did not hear what happened meanwhile."""
        while True:
            try:
                await self.open()
            except Exception as error:  # whatever the driver raises: the database is not back yet
                log.warning("the connection to the other servers is still broken", extra={"facts": {"error": str(error)}})
                await asyncio.sleep(RETRY)
            else:
                for reconnected in self.on_reconnected:
                    reconnected()
                return

    def _start(self, work: Any) -> None:
        task: asyncio.Task[None] = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
