"""Presence: who has the page of a table open, at this server or another, and who has been away for long."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from ridotto.web.live.background import BackgroundTasks
from ridotto.web.live.publisher import Publisher
from ridotto.web.live.pubsub import PubSub
from ridotto.web.live.table import Subscriber, Table
from ridotto.web.live.table_cache import TableCache
from ridotto.web.settings import Settings
from ridotto.web.storage.faults import DatabaseUnavailable
from ridotto.web.storage.people import PeopleStorage
from ridotto.web.storage.table_info import TableInfo

STATUS_SECONDS: Final = 90.0
"""Seconds that somebody counts as here after a hidden tab has asked: browsers let such a tab act once a minute."""

log = logging.getLogger("ridotto.web")


class Presence:
    """Tracks the people at each table."""

    def __init__(
        self,
        settings: Settings,
        people: PeopleStorage,
        tables: TableCache,
        publisher: Publisher,
        pubsub: PubSub,
        background: BackgroundTasks,
    ) -> None:
        self.settings, self.people, self.tables, self.publisher = settings, people, tables, publisher
        self.pubsub, self.background = pubsub, background
        self._hidden: dict[tuple[str, str], tuple[Subscriber, asyncio.TimerHandle]] = {}
        """Those whose tab is hidden and asks now and then, by table and person."""
        pubsub.on_people_moved.append(self._moved_elsewhere)
        for source in (pubsub, people):
            source.on_signed_out.append(self.sign_out)
        pubsub.on_reconnected.append(self._reconnected)

    def open(self) -> None:
        self.background.start(self._watch_absences())
        self.background.start(self._watch_servers())

    # Live connections.

    def connect(self, table: Table, person: str, generation: int = 0) -> Subscriber:
        """A live connection begins."""
        subscriber = Subscriber(person, generation)
        is_new = person not in table.state.here
        table.subscribers.add(subscriber)
        if self.tables.cached(table.id) is not table:  # it left memory meanwhile: nothing would be heard of it
            subscriber.end()
        self._announce(table)
        if is_new and table.info.is_player(person):
            self.publisher.publish(table)
        else:
            subscriber.send(table.state)
        return subscriber

    def disconnect(self, table: Table, subscriber: Subscriber) -> None:
        """A live connection ends; whoever does not come back soon is shown as away."""
        table.subscribers.discard(subscriber)
        if table.info.is_player(subscriber.person) and not self.background.stopping.is_set():
            self.background.start(self._leave(table, subscriber.person))

    async def _leave(self, table: Table, person: str) -> None:
        await self.background.pause(self.settings.absence)
        if self.background.stopping.is_set():
            return
        if person not in table.connected() and person in table.state.here:
            self._announce(table)
            self.publisher.publish(table)

    def sign_out(self, person: str, generation: int) -> None:
        """Somebody has signed out everywhere."""
        self._end_earlier({person: generation})

    def _end_earlier(self, generations: Mapping[str, int]) -> None:
        """End the live connections of some people that were opened by cookies of earlier generations."""
        for table in self.tables.in_memory:
            for subscriber in table.subscribers:
                if subscriber.generation < generations.get(subscriber.person, 0):
                    subscriber.end()

    def _reconnected(self) -> None:
        """For a while we did not hear who signed out at other servers."""
        self.background.start(self._look_for_sign_outs())

    async def _look_for_sign_outs(self) -> None:
        while not self.background.stopping.is_set():
            with suppress(DatabaseUnavailable):
                return self._end_earlier(await self.people.generations())
            await self.background.pause(self.settings.sweep)

    def here(self, id: str) -> frozenset[str]:
        """Those who are at a table now, to play or to watch; of other servers, those who play."""
        table = self.tables.cached(id)
        return (table.connected() if table is not None else frozenset()) | self.pubsub.elsewhere(id)

    def is_anybody_here(self, info: TableInfo) -> bool:
        """Whether one of those who sit at a table has its page open."""
        here = self.here(info.id)
        return any(chair.person in here for chair in info.chairs if chair.kind == "person")

    def at_tables(self) -> frozenset[str]:
        """Everybody who has the page of some table open at this server."""
        return frozenset(one.person for table in self.tables.in_memory for one in table.subscribers)

    # Hidden tabs.

    def keep_for_a_while(self, table: Table, person: str) -> None:
        """Count somebody as here whose tab is hidden and has no live connection, but asks now and then."""
        key = table.id, person
        if key in self._hidden:
            subscriber, timer = self._hidden[key]
            timer.cancel()
        else:
            subscriber = self.connect(table, person)
        timer = asyncio.get_running_loop().call_later(STATUS_SECONDS, self._forget_hidden, table, person)
        self._hidden[key] = subscriber, timer

    def _forget_hidden(self, table: Table, person: str) -> None:
        subscriber, _ = self._hidden.pop((table.id, person))
        self.disconnect(table, subscriber)

    # Other servers.

    def _announce(self, table: Table) -> None:
        """Tell the other servers who of those who play are connected here."""
        self.pubsub.announce(table.id, {person for person in table.connected() if table.info.is_player(person)})

    def _moved_elsewhere(self, id: str) -> None:
        """People came or went at another server."""
        table = self.tables.cached(id)
        if table is not None and table.subscribers:
            self.publisher.publish(table)

    async def _watch_servers(self) -> None:
        """Now and at intervals: forget who was at servers that are gone."""
        while not self.background.stopping.is_set():
            await self.pubsub.forget_dead_servers()
            await self.background.pause(self.settings.sweep)

    # Those who have been away for long.

    def check_absences(self) -> None:
        """Publish the tables at which somebody has now been away for long."""
        for table in self.tables.in_memory:
            if table.subscribers and self.publisher.gone(table) != table.state.gone:
                self.publisher.publish(table)

    async def _watch_absences(self) -> None:
        while not self.background.stopping.is_set():
            self.check_absences()
            self.tables.drop_idle()
            await self.background.pause(self.settings.tick)
