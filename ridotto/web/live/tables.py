"""The table service: loads tables, keeps them in memory, and changes them.

A table changes here alone, one change at a time, and only by what the database has taken. Each change gives a new `TableState`,
which is sent to everybody who is connected. What reacts to a change, such as bots, adds itself to `on_change`.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final, Literal

from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.core.narrator import mark
from ridotto.core.takeback import Takeback
from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import Seat
from ridotto.games import GAMES
from ridotto.web.clocks import Clock, update_clocks
from ridotto.web.errors import RequestError
from ridotto.web.identity import new_id
from ridotto.web.live.background import BackgroundTasks
from ridotto.web.live.cache import AsyncCache
from ridotto.web.live.metrics import Metrics
from ridotto.web.live.pubsub import PubSub
from ridotto.web.live.state import TableState
from ridotto.web.live.table import Table
from ridotto.web.settings import Settings
from ridotto.web.storage import Storage
from ridotto.web.storage.chat import add_line
from ridotto.web.storage.clocks import set_clocks
from ridotto.web.storage.database import Change, Conflict, DatabaseUnavailable
from ridotto.web.storage.offers import set_offer
from ridotto.web.storage.tables import Chair, Extras, NewTable, TableInfo, read_match, replay_entries, set_stand_in
from ridotto.web.storage.webhooks import schedule_notifications

TRIES: Final = 50
"""How often an action is tried again because another one was written first."""
STAND_IN: Final = "level:3"
"""The bot that plays for somebody who is away."""

By = Literal["person", "bot", "table", "clock"]
"""Who writes an entry: whoever sits there, the bot that decides for them, the table by consent, or their clock."""
log = logging.getLogger("ridotto.web")


class Stale(RequestError):
    """An action chosen from a page that does not show the table as it is any more."""

    status = 409


class SeatTaken(RequestError):
    """A chair that is not free."""

    status = 409


class NoTable(RidottoError, LookupError):
    """A table that does not exist."""


class TableService:
    """All tables."""

    def __init__(
        self,
        settings: Settings,
        storage: Storage,
        pubsub: PubSub,
        metrics: Metrics,
        background: BackgroundTasks,
        games: Mapping[str, Game] = GAMES,
    ) -> None:
        self.settings, self.storage, self.pubsub, self.metrics, self.background = settings, storage, pubsub, metrics, background
        self.games = games
        self.on_change: list[Callable[[Table], None]] = []
        """Called with a table after each change of it, and once when it is created."""
        self._tables: OrderedDict[str, Table] = OrderedDict()
        """Those in memory, the ones used last at the end."""
        self._loading: dict[str, asyncio.Lock] = {}
        pubsub.on_table_changed.append(self._changed_elsewhere)
        pubsub.on_reconnected.append(self._reconnected)

    def __len__(self) -> int:
        return len(self._tables)

    @property
    def in_memory(self) -> list[Table]:
        return list(self._tables.values())

    def stop(self) -> None:
        """Let live connections end; nothing new is begun."""
        self.background.stopping.set()
        for table in self._tables.values():
            for subscriber in table.subscribers:
                subscriber.bell.set()

    async def finish_writing(self) -> None:
        """Wait until nothing is being written any more."""
        for table in self.in_memory:
            async with table.lock:
                pass

    # Loading.

    async def load(self, id: str) -> Table:
        """The table of that id, as the database has it now; raises NoTable."""
        table = self._tables.get(id)
        if table is not None:
            self._tables.move_to_end(id)
            async with table.lock:
                await self._refresh(table)
            return table
        async with self._loading.setdefault(id, asyncio.Lock()):
            try:
                return self._tables.get(id) or await self._load(id)
            finally:
                self._loading.pop(id, None)

    def cached(self, id: str) -> Table | None:
        """The table of that id if it is in memory, as it was when it was last looked at."""
        return self._tables.get(id)

    async def _load(self, id: str) -> Table:
        info = await self.storage.tables.info(id)
        if info is None:
            raise NoTable(f"there is no table {id[:30]!r}")
        document = await self.storage.tables.document(id)
        extras = await self.storage.tables.extras(id)
        match, head = await asyncio.to_thread(read_match, document, self.games)
        here = self.pubsub.elsewhere(id)
        table = Table(info, match, head, TableState(info, match.game, match, here, {}, extras=extras))
        table.note_absences(here, self.storage.milliseconds)
        self._tables[id] = table
        self._drop_idle()
        async with table.lock:
            await self._start_clocks(table)
        return table

    def _drop_idle(self) -> None:
        """Let go of tables at which nobody is, those unused for longest first."""
        for table in self.in_memory:
            if len(self._tables) <= self.settings.max_cached_tables:
                return
            if table.is_idle:
                del self._tables[table.id]

    async def _refresh(self, table: Table) -> None:
        """Take over what another writer has written. The table is locked."""
        version = await self.storage.tables.version(table.id)
        if version is None:
            raise NoTable(f"there is no table {table.id!r} any more")
        if version != table.info.version:
            info = await self.storage.tables.info(table.id)
            assert info is not None
            later = await self.storage.tables.entries_since(table.id, table.match.ply)
            extras = await self.storage.tables.extras(table.id)
            if later:
                table.match, table.head = await asyncio.to_thread(replay_entries, table.match, table.head, later)
            before, table.info = table.info, info
            is_chat = not later and before == replace(info, version=before.version)
            self.publish(table, extras, is_chat=is_chat)
            await self._start_clocks(table)
            self._notify(table)

    async def refresh_tables_of(self, person: str) -> None:
        """Look again at the tables in memory at which somebody sits: they have another name."""
        for table in await self.storage.people.tables(person):
            if table in self._tables:
                await self.load(table)

    # What other servers do.

    def _changed_elsewhere(self, id: str, version: int) -> None:
        """A table has changed, here or at another server."""
        table = self._tables.get(id)
        if table is not None and table.info.version < version and not table.is_idle:
            self.background.start(self._catch_up(table, version))

    async def _catch_up(self, table: Table, version: int) -> None:
        async with table.lock:
            if table.info.version < version:
                with suppress(DatabaseUnavailable, NoTable):  # whoever asks next sees that too
                    await self._refresh(table)

    def _reconnected(self) -> None:
        """For a while we did not hear what other servers did."""
        for table in self._tables.values():
            if not table.is_idle:
                self.background.start(self._catch_up(table, table.info.version + 1))

    # Publishing.

    def publish(self, table: Table, extras: Extras | None = None, *, is_chat: bool = False) -> None:
        """Send a new state to everybody who is connected. Where only the chat has changed (`is_chat`), pages still stand."""
        here = table.connected() | self.pubsub.elsewhere(table.id)
        table.note_absences(here, self.storage.milliseconds)
        old, now = table.state, extras or table.state.extras
        is_same = old.match is table.match and old.info.chairs == table.info.chairs
        is_chat = is_chat and is_same and (old.here, old.extras.clocks, old.extras.offer) == (here, now.clocks, now.offer)
        table.state = TableState(
            table.info,
            old.game,
            table.match,
            here,
            old.logs,
            old.cache if is_same else AsyncCache(),
            now,
            self.gone(table),
            old.serial if is_chat else old.serial + 1,
        )
        for subscriber in table.subscribers:
            subscriber.send(table.state)

    def gone(self, table: Table) -> frozenset[str]:
        """Those who have been away for so long that the table may let a bot play for them."""
        return table.away_longer_than(1000 * self.settings.takeover, self.storage.milliseconds)

    def _notify(self, table: Table) -> None:
        for listener in self.on_change:
            listener(table)

    # Acting.

    async def act(self, table: Table, seat: Seat, do: str | int, ply: int | None, by: By = "person") -> None:
        """Do an action, or a series of them, as chosen from a page that showed the table at `ply`."""
        await self._write(table, seat, ply, by, lambda match: match.play(do, seat))

    async def resign(self, table: Table, seat: Seat) -> None:
        await self._write(table, seat, None, "person", lambda match: match.resign(seat))

    async def take_back(self, table: Table, takeback: Takeback, anew: bool) -> None:
        """Take a decision back, as it was worked out when the match stood where it stands."""
        note = "takes-anew" if anew else "takes"
        await self._write(table, takeback.seat, None, "table", lambda match: match.take_back(takeback, anew=anew), note)

    async def _write(
        self, table: Table, seat: Seat, ply: int | None, by: By, do: Callable[[Match], None], note: str = ""
    ) -> None:
        """Try on a copy, write, then publish. Whoever was second tries again with what the first one wrote."""
        async with table.lock:
            for _ in range(TRIES):
                await self._refresh(table)
                match, before, now = table.match, table.state.extras, self.storage.milliseconds
                self._check_turn(table, seat, by, now)
                if ply is not None and has_moved_on(match, seat, ply):
                    raise Stale(mark("the table has moved on meanwhile: look again"))
                later = await asyncio.to_thread(_done, match, do)
                outcome = later.outcome
                info = replace(
                    table.info,
                    version=table.info.version + 1,
                    changed=self.storage.now,
                    state="over" if outcome else table.info.state,
                    result=outcome.json() if outcome else None,
                    owing=sum(1 << one for one in later.to_act),
                )
                clocks = _clocks_for(info, later, before.clocks, now, seat if by == "person" else None)
                also = set_clocks(table.id, before.clocks, clocks, now)
                also += [] if before.offer is None else set_offer(table.id, None)
                also += [add_line(table.id, info.changed, note, seat=seat)] if note else []
                also += schedule_notifications(table.id, _turns(info, match, later), now) if self.settings.webhooks else []
                began = time.perf_counter()
                try:
                    version = table.info.version
                    head = await self.storage.tables.append(table.id, later, match.ply, table.head, also, version=version)
                except Conflict:
                    self.metrics.collisions.inc()
                    continue
                self.metrics.commit.observe(time.perf_counter() - began)
                self.metrics.actions.labels(table.info.game, "bot" if by == "bot" else "person").inc(later.ply - match.ply)
                table.match, table.head, table.info = later, head, info
                after = replace(before, clocks=clocks, offer=None)
                self.publish(table, await self.storage.tables.extras(table.id) if note else after)
                self._notify(table)
                return
        raise Stale(mark("too much happens at this table at once: try again"))

    def _check_turn(self, table: Table, seat: Seat, by: By, now: int) -> None:
        """Refuse what comes from somebody who does not decide here now."""
        chair, clock = table.info.chairs[seat], table.state.extras.clocks.get(seat)
        is_down = clock is not None and clock.is_down(now)
        if by == "bot" and chair.bot is None:
            raise Stale(mark("{who} plays again"), who=chair.name)
        if by == "person" and chair.bot is not None:
            raise Stale(mark("a bot plays for you: take your seat back first"))
        if by == "person" and is_down:
            self.background.start(self.expire(table.id, seat))
            raise Stale(mark("your time is up"))
        if by == "clock" and not is_down:
            raise Stale(mark("the table has moved on meanwhile: look again"))

    async def change(self, table: Table, changes: Sequence[Change], *, only_if: Change | None = None) -> bool:
        """Change something besides the match, and publish it; False if `only_if` found nothing to change."""
        async with table.lock:
            done = await self.storage.tables.change(table.id, changes, only_if=only_if)
            await self._refresh(table)
        return done

    # Time.

    async def _start_clocks(self, table: Table) -> None:
        """Let the clocks run that should, and no others. The table is locked."""
        now, before = self.storage.milliseconds, table.state.extras
        clocks = _clocks_for(table.info, table.match, before.clocks, now)
        if changes := set_clocks(table.id, before.clocks, clocks, now):
            if await self.storage.tables.change(table.id, changes, version=table.info.version):
                table.info = replace(table.info, version=table.info.version + 1)
                self.publish(table, replace(before, clocks=clocks))
            else:  # somebody has written meanwhile: perhaps they run already, or should not any more
                await self._refresh(table)

    async def expire(self, id: str, seat: Seat) -> None:
        """Do what was agreed on for a player whose time is up: resign, or let a bot play on."""
        try:
            table, now = await self.load(id), self.storage.milliseconds
            terms, clock = table.info.terms, table.state.extras.clocks.get(seat)
            if terms is None or clock is None or not clock.is_down(now):
                return
            if terms.flag == "resign":
                await self._write(table, seat, None, "clock", lambda match: match.resign(seat), "flag")
                return
            note = add_line(id, self.storage.now, "flag-bot", seat=seat)
            stopped = set_clocks(id, {}, {seat: Clock(0 if terms.kind == "match" else terms.full)}, now)
            await self.change(table, [*stopped, note], only_if=set_stand_in(id, seat, STAND_IN))
        except Stale:
            return  # another server was faster, or whoever was late was not
        except (RidottoError, LookupError) as error:
            log.warning("a flag did not fall", extra={"facts": {"table": id, "error": str(error)}})

    # Creating, and sitting down.

    async def create(
        self,
        match: Match,
        chairs: Sequence[Chair],
        *,
        host: str | None,
        private: bool = False,
        language: str = "en",
        settings: Mapping[str, Any] | None = None,
        origin: Mapping[str, Any] | None = None,
    ) -> Table:
        """A new table around a match."""
        beside = (settings or {}).get("shared", ())
        keys: dict[str, Seat | None] = {
            chair.person: chair.seat for chair in chairs if chair.person and chair.seat not in beside[1:]
        }
        if host is not None:
            keys.setdefault(host, None)
        salt = secrets.token_hex(16)
        new = NewTable(new_id(), match, private, host, language, salt, tuple(chairs), keys, dict(settings or {}), origin)
        await self.storage.tables.create(new)
        self.metrics.tables.labels(match.game.name).inc()
        table = await self.load(new.id)
        self._notify(table)
        return table

    async def sit(self, table: Table, seat: Seat, person: str) -> None:
        """Take a free chair."""
        if table.info.is_player(person):
            raise SeatTaken(mark("you sit at this table already"))
        if not await self.storage.tables.sit(table.id, seat, person):
            raise SeatTaken(mark("this seat is taken"))
        await self.load(table.id)

    async def give_key(self, table: Table, person: str, seat: Seat | None) -> None:
        """Let somebody who came by a private link act for a seat, or watch."""
        if not await self.storage.tables.give_key(table.id, person, seat):
            raise SeatTaken(mark("you sit at this table already"))
        await self.load(table.id)

    async def rematch(self, table: Table) -> str:
        """The table of the rematch: the same people and bots, each one seat further on."""
        info = table.info
        if info.rematch:
            return info.rematch
        match = Match(table.match.game, info.seats, dict(info.options))
        moved = {chair.seat: (chair.seat + 1) % info.seats for chair in info.chairs}
        chairs = [
            replace(
                chair,
                seat=moved[chair.seat],
                salt=secrets.token_hex(16),
                bot=chair.bot if chair.kind == "bot" else None,
            )
            for chair in info.chairs
        ]
        chairs.sort(key=lambda chair: chair.seat)
        keys = {person: None if seat is None else moved[seat] for person, seat in info.keys.items()}
        settings = {name: value for name, value in info.settings.items() if name != "held"}
        if info.shared_seats:
            settings["shared"] = [moved[seat] for seat in info.shared_seats]
        salt = secrets.token_hex(16)
        new = NewTable(new_id(), match, info.private, info.host, info.language, salt, tuple(chairs), keys, settings)
        again = await self.storage.tables.create_rematch(info.id, new)
        await self.load(info.id)
        self._notify(await self.load(again))
        return again


def has_moved_on(match: Match, seat: Seat, ply: int) -> bool:
    """Whether a seat that saw the table at `ply` would have to look again before it decides.

    It need not while others make choices that tell it nothing: then its own is as good as before.
    """
    if not 0 < ply <= match.ply:
        return True
    if any(entry.seat == seat or entry.seat is None for entry in match.entries[ply:]):
        return True
    return bool(match.view(seat, since=ply).seen) if ply < match.ply else False


def _done(match: Match, do: Callable[[Match], None]) -> Match:
    """A copy of a match after something was done."""
    later = match.after(match.ply)
    do(later)
    return later


def _turns(info: TableInfo, before: Match, after: Match) -> dict[str, bool]:
    """Whose turn it has become (True), or is no more (False)."""
    was, now = set(before.to_act), set(after.to_act)
    return {one: seat in now for one, seat in info.keys.items() if seat is not None and (seat in was) != (seat in now)}


def _clocks_for(
    info: TableInfo, match: Match, clocks: Mapping[Seat, Clock], now: int, acted: Seat | None = None
) -> Mapping[Seat, Clock]:
    """The clocks as they should be: running for everybody who owes a decision and decides it themselves."""
    terms = info.terms
    if terms is None:
        return clocks
    people = [chair.seat for chair in info.chairs if chair.kind == "person"]
    running = [seat for seat in match.to_act if info.state == "playing" and info.chairs[seat].bot is None]
    return update_clocks(terms, clocks, people, running, now, acted)
