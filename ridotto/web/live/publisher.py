"""Publishes tables: a new state to everybody who is connected, and a call to each service that reacts to changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ridotto.web.live.cache import AsyncCache
from ridotto.web.live.pubsub import PubSub
from ridotto.web.live.state import TableState
from ridotto.web.live.table import Table
from ridotto.web.settings import Settings
from ridotto.web.storage import Storage
from ridotto.web.storage.table_info import Extras


class Publisher:
    """Sends the states of tables."""

    def __init__(self, settings: Settings, storage: Storage, pubsub: PubSub) -> None:
        self.settings, self.storage, self.pubsub = settings, storage, pubsub
        self.on_change: list[Callable[[Table], None]] = []
        """Called with a table after each change of it, and once when it is created."""

    def publish(self, table: Table, extras: Extras | None = None, *, is_chat: bool = False) -> None:
        """Send a new state to everybody who is connected. Where only the chat has changed (`is_chat`), pages still stand."""
        here = table.connected() | self.pubsub.elsewhere(table.id)
        table.note_absences(here, self.storage.milliseconds)
        old, now = table.state, extras or table.state.extras
        is_same = old.match is table.match and old.info.chairs == table.info.chairs
        is_chat = (
            is_chat
            and is_same
            and old.degraded == table.degraded
            and (old.here, replace(old.extras, chat=())) == (here, replace(now, chat=()))
        )
        table.state = TableState(
            table.info,
            old.game,
            table.match,
            here,
            old.logs,
            old.cache if is_same else AsyncCache(),
            now,
            self.gone(table),
            degraded=table.degraded,
            history=old.history,
            head=table.head,
            drawn=old.drawn if is_chat else table.info.version,
        )
        for subscriber in table.subscribers:
            subscriber.send(table.state)

    def gone(self, table: Table) -> frozenset[str]:
        """Those who have been away for so long that the table may let a bot play for them."""
        return table.away_longer_than(1000 * self.settings.takeover, self.storage.milliseconds)

    def notify(self, table: Table) -> None:
        """Call whatever reacts to a change of a table."""
        for listener in self.on_change:
            listener(table)
