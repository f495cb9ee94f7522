"""The table service: loads tables, keeps them in memory, and changes them.

A table changes here alone, one change at a time, and only by what the database has taken. Each change gives a new `TableState`,
which is sent to everybody who is connected. What reacts to a change, such as bots, adds itself to `on_change`.

A copy in memory is `is_behind` from when we hear that its table was changed by anything but an action of this server until we
have looked. With SQLite we hear of everything before whoever changed it does. With PostgreSQL it takes a moment to hear of
other servers: whoever wants to look asks the database first; whoever acts does without, since the write itself finds out.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, Final, Literal, NamedTuple

from ridotto.core import record
from ridotto.core.fair import FairDeal, commit_to_secret
from ridotto.core.game import Game
from ridotto.core.laid_out import LaidOut
from ridotto.core.match import Match
from ridotto.core.takeback import Takeback, take_back
from ridotto.core.turns import SEPARATOR
from ridotto.core.view import MatchEvent
from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import Seat
from ridotto.games import GAMES
from ridotto.present.narrator import mark
from ridotto.web.errors import NotNow, RequestError
from ridotto.web.identity import Keys, new_id
from ridotto.web.live.background import BackgroundTasks
from ridotto.web.live.cache import AsyncCache
from ridotto.web.live.drawing import in_thread
from ridotto.web.live.loading import LoadedTable, TableLoader, asker
from ridotto.web.live.metrics import Metrics
from ridotto.web.live.pubsub import PubSub
from ridotto.web.live.state import TableState
from ridotto.web.live.table import Table
from ridotto.web.live.table_clocks import Return, added_before_entries, clocks_after_takeback, clocks_for
from ridotto.web.settings import Settings
from ridotto.web.storage import Storage
from ridotto.web.storage.changes import Change
from ridotto.web.storage.chat import add_line
from ridotto.web.storage.clocks import set_clocks
from ridotto.web.storage.database import Conflict, DatabaseUnavailable
from ridotto.web.storage.entries import replay_entries
from ridotto.web.storage.offers import set_offer
from ridotto.web.storage.reviews import add_unasked
from ridotto.web.storage.table_info import Chair, Extras, NewTable, TableInfo
from ridotto.web.storage.table_settings import Left, TableSettings
from ridotto.web.storage.tables import set_deal, set_settings, set_stand_in
from ridotto.web.storage.webhooks import schedule_notifications

FEW: Final = 8
"""Entries that are replayed at once; for more it takes a thread, so that others need not wait."""
TRIES: Final = 50
"""How often an action is tried again because another one was written first."""
LONGEST_MATCH: Final = 800
"""Entries from which on nothing is taken back: what a table costs grows with them, and only takebacks make so many."""
STAND_IN: Final = "level:3"
"""The bot that plays for somebody who is away."""
DEFAULTS: Final = TableSettings()

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


class NewMatch(NamedTuple):
    """A match that is still to be dealt."""

    game: Game
    options: Mapping[str, int]


class TableService:
    """All tables."""

    def __init__(
        self,
        settings: Settings,
        storage: Storage,
        pubsub: PubSub,
        metrics: Metrics,
        background: BackgroundTasks,
        keys: Keys,
        games: Mapping[str, Game] = GAMES,
    ) -> None:
        self.settings, self.storage, self.pubsub, self.metrics, self.background = settings, storage, pubsub, metrics, background
        self.keys, self.games = keys, games
        self.on_change: list[Callable[[Table], None]] = []
        """Called with a table after each change of it, and once when it is created."""
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

    def stop(self) -> None:
        """Let live connections end; nothing new is begun."""
        self.background.stopping.set()
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
                    await self._refresh(table)
            return table
        key = id, asker().rank
        async with self._loading.setdefault(key, asyncio.Lock()):
            try:
                return self._tables.get(id) or await self._load(id, self._loader.load)
            finally:
                self._loading.pop(key, None)

    def cached(self, id: str) -> Table | None:
        """The table of that id if it is in memory, as it was when it was last looked at."""
        return self._tables.get(id)

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
            table.is_sure = is_current and not history and self.pubsub.is_listening
            await self._start_clocks(table)
            if not table.is_sure:
                await self._refresh(table)  # while we read it, somebody may have changed it
        self.drop_idle()
        if not table.match.is_dealt:
            self._notify(table)
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
        """What had happened in the match that a table goes on from, if that one is still there."""
        origin = info.origin or {}
        if origin.get("kind") != "onward":
            return ()
        with suppress(NoTable, record.BadRecord):
            before = self._tables.get(origin["table"]) or await self._load(origin["table"], self._loader.load_at_once)
            return tuple(one for one in before.match.events if one.ply <= origin["ply"])
        return ()

    def drop_idle(self) -> None:
        """Let go of tables at which nobody is: of all that were not used for a while, and of others if there are too many,
        those unused for longest first."""
        long_ago = self.storage.milliseconds - 1000 * self.settings.keep_idle
        for table in self.in_memory:
            if table.used > long_ago and len(self._tables) <= self.settings.max_cached_tables:
                return
            if table.is_idle:
                del self._tables[table.id]

    async def _refresh(self, table: Table) -> bool:
        """Take over what another writer has written; whether there was anything. The table is locked."""
        table.is_sure = True  # until somebody writes from here on
        try:
            if await self.storage.tables.version(table.id) == table.info.version:
                return False
            found = await self.storage.tables.load_since(table.id, table.match.ply)
            if found is None:
                raise NoTable(f"there is no table {table.id!r} any more")
            info, extras, later = found
            if len(later) > FEW:
                table.match, table.head = await asyncio.to_thread(replay_entries, table.match, table.head, later)
            elif later:
                table.match, table.head = replay_entries(table.match, table.head, later)
            if not table.match.is_dealt or (later and table.match.fair is None):
                self._add_secret(info, table.match)
        except BaseException:
            table.is_sure = False
            raise
        before, table.info = table.info, info
        is_chat = not later and before == replace(info, version=before.version)
        self.publish(table, extras, is_chat=is_chat)
        await self._start_clocks(table)
        self._notify(table)
        return True

    async def refresh_tables_of(self, person: str) -> None:
        """Look again at the tables in memory at which somebody sits: they have another name."""
        for table in await self.storage.people.tables(person):
            if table in self._tables:
                await self.load(table)

    async def look_for_changes(self) -> None:
        """Look at what is in memory: somebody may have changed or deleted a table without a server, by `ridotto admin`."""
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

    async def new_links(self, table: Table, seat: Seat, person: str) -> None:
        """Make the links to a seat anew."""
        await self.storage.tables.new_salt(table.id, seat, person)
        await self.load(table.id)

    # What other servers do.

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
                table.is_sure = False

    async def _catch_up(self, table: Table, version: int) -> None:
        async with table.lock:
            if table.info.version < version:
                with suppress(DatabaseUnavailable, NoTable):  # whoever asks next sees that too
                    await self._refresh(table)

    def _reconnected(self) -> None:
        """For a while we did not hear what other servers did."""
        for table in self._tables.values():
            table.is_sure = False
            if not table.is_idle:
                self.background.start(self._catch_up(table, table.info.version + 1))

    # Publishing.

    def publish(self, table: Table, extras: Extras | None = None, *, is_chat: bool = False) -> None:
        """Send a new state to everybody who is connected. Where only the chat has changed (`is_chat`), pages still stand."""
        here = table.connected() | self.pubsub.elsewhere(table.id)
        table.note_absences(here, self.storage.milliseconds)
        old, now = table.state, extras or table.state.extras
        is_same = old.match is table.match and old.info.chairs == table.info.chairs
        is_chat = (
            is_chat
            and is_same
            and old.short == table.short
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
            short=table.short,
            history=old.history,
            head=table.head,
            drawn=old.drawn if is_chat else table.info.version,
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
        is_long = isinstance(do, str) and (SEPARATOR in do or table.match.game.inputs.is_series(do))
        await self._write(table, seat, ply, by, lambda match: match.play(do, seat), is_long=is_long)

    async def leave(self, table: Table, seat: Seat, how: Left = "resigned") -> None:
        """Let somebody leave the match, by resigning or because their time is up.

        The match is over, or a bot plays on: see `TableInfo.plays_on`.
        """
        by: By = "person" if how == "resigned" else "clock"
        for _ in range(TRIES):
            if not table.info.plays_on:
                note = "" if how == "resigned" else "flag"
                await self._write(table, seat, None, by, lambda match: match.resign(seat), note, left=how)
                return
            if await self._replace_for_good(table, seat, how, by):
                return
        raise Stale(mark("too much happens at this table at once: try again"))

    async def _replace_for_good(self, table: Table, seat: Seat, how: Left, by: By) -> bool:
        """Let a bot play on for somebody who leaves; False if somebody else wrote first."""
        async with table.lock:
            if table.is_behind:
                await self._refresh(table)
            info, now = table.info, self.storage.milliseconds
            self._check_turn(table, seat, by, now)
            if not table.match.to_act:
                table.match.after(table.match.ply).resign(seat)  # which says that it is over
            terms = info.settings.clock
            is_over = terms is None or terms.kind == "match" or how == "resigned"
            """Whether there is no way back: who was late with one move only may return for the next."""
            changes = [*set_offer(info.id, None), set_settings(info.id, info.settings.with_left(seat, how))] if is_over else []
            if how == "time" and terms is not None:
                clock = table.state.extras.clocks[seat].standing(now)
                changes += set_clocks(info.id, {}, {seat: clock if is_over else clock.with_added(terms.full)}, now)
            changes.append(add_line(info.id, self.storage.now, "resign-bot" if how == "resigned" else "flag-bot", seat=seat))
            stand_in = set_stand_in(info.id, seat, STAND_IN)
            done = await self.storage.tables.change(info.id, changes, only_if=stand_in, version=info.version)
            await self._refresh(table)
            return done

    async def take_back(self, table: Table, takeback: Takeback, anew: bool) -> None:
        """Take a decision back, as it was worked out when the match stood where it stands."""
        if table.match.ply >= LONGEST_MATCH:
            raise NotNow(mark("this match has been taken back so often that it cannot be once more"))
        note = "takes-anew" if anew else "takes"
        back = Return.of(table.match, takeback, anew) if takeback.ply == table.match.ply else None
        await self._write(
            table, takeback.seat, None, "table", lambda match: take_back(match, takeback, anew=anew), note, back=back
        )

    async def _write(
        self,
        table: Table,
        seat: Seat,
        ply: int | None,
        by: By,
        do: Callable[[Match], None],
        note: str = "",
        left: Left | None = None,
        is_long: bool = False,
        back: Return | None = None,
    ) -> None:
        """Try on a copy, in a thread if it `is_long`; write, then publish. Whoever was second tries again with what the first
        one wrote."""
        async with table.lock:
            for _ in range(TRIES):
                if table.is_behind:
                    await self._refresh(table)
                match, before, now = table.match, table.state.extras, self.storage.milliseconds
                try:
                    if not match.is_dealt:
                        raise NotNow(mark("it is dealt when everybody sits"))
                    self._check_turn(table, seat, by, now)
                    if ply is not None and has_moved_on(match, seat, ply):
                        raise Stale(mark("the match has moved on: look again"))
                    later = match.after(match.ply)
                    await in_thread(do, later) if is_long else do(later)
                except RidottoError:
                    if self.pubsub.is_shared and await self._refresh(table):
                        continue  # perhaps it was refused because of what we had not heard of yet
                    raise
                outcome = later.outcome
                info = replace(
                    table.info,
                    version=table.info.version + 1,
                    changed=self.storage.now,
                    state="over" if outcome else table.info.state,
                    result=outcome.json() if outcome else None,
                    to_act=sum(1 << one for one in later.to_act),
                    settings=table.info.settings if left is None else table.info.settings.with_left(seat, left),
                )
                clocks, stored = before.clocks, {}
                if back is not None and info.settings.clock is not None:
                    stored = await self.storage.clocks.added_before(table.id, back.plies)
                    clocks = clocks_after_takeback(info, match, clocks, back, stored, now)
                added = added_before_entries(match, later, clocks, back, stored)
                clocks = clocks_for(info, later, clocks, now, seat if by in ("person", "bot") else None)
                also = set_clocks(table.id, before.clocks, clocks, now)
                also += [] if before.offer is None else set_offer(table.id, None)
                also += [add_line(table.id, info.changed, note, seat=seat)] if note else []
                also += schedule_notifications(table.id, _turns(info, match, later), now) if self.settings.webhooks else []
                is_reviewing = outcome is not None and self.settings.auto_review and info.has_people
                also += [add_unasked(table.id, now)] if is_reviewing else []
                began = time.perf_counter()
                try:
                    version = table.info.version
                    changed = None if left is None else info.settings
                    head = await self.storage.tables.append(
                        table.id, later, match.ply, table.head, also, version=version, settings=changed, added=added
                    )
                except Conflict:
                    self.metrics.collisions.inc()
                    table.is_sure = False
                    continue
                except BaseException:
                    table.is_sure = False  # it may be written, or not
                    raise
                self.metrics.commit.observe(time.perf_counter() - began)
                self.metrics.actions.labels(table.info.game, "bot" if by == "bot" else "person").inc(later.ply - match.ply)
                table.match, table.head, table.info = later, head, info
                if self._tables.get(table.id) is not table:  # it was dropped meanwhile: there may be another copy
                    self._touched([table.id])
                after = await self.storage.tables.extras(table.id) if note else replace(before, clocks=clocks, offer=None)
                self.publish(table, replace(after, is_reviewing=is_reviewing))
                self._notify(table)
                return
        raise Stale(mark("too much happens at this table at once: try again"))

    def _check_turn(self, table: Table, seat: Seat, by: By, now: int) -> None:
        """Refuse what comes from somebody who does not decide here now."""
        chair, clock = table.info.chairs[seat], table.state.extras.clocks.get(seat)
        is_down = clock is not None and clock.is_down(now)
        if by == "bot" and chair.bot is None:
            raise Stale(mark("{who} is playing again"), who=chair.name)
        if by == "person" and chair.bot is not None:
            raise Stale(mark("a bot plays for you: take your seat back first"))
        if by == "person" and is_down:
            self.background.start(self.expire(table.id, seat))
            raise Stale(mark("your time is up"))
        if by == "clock" and not is_down:
            raise Stale(mark("the match has moved on: look again"))

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
        clocks = clocks_for(table.info, table.match, before.clocks, now)
        if changes := set_clocks(table.id, before.clocks, clocks, now):
            if await self.storage.tables.change(table.id, changes, version=table.info.version):
                table.info = replace(table.info, version=table.info.version + 1)
                self.publish(table, replace(before, clocks=clocks))
            else:  # somebody has written meanwhile: perhaps they run already, or should not any more
                await self._refresh(table)

    async def expire(self, id: str, seat: Seat) -> None:
        """Let a player whose time is up leave the match, as was agreed on."""
        try:
            table, now = await self.load(id), self.storage.milliseconds
            terms, clock = table.info.settings.clock, table.state.extras.clocks.get(seat)
            if terms is not None and clock is not None and clock.is_down(now):
                await self.leave(table, seat, "time")
        except Stale:
            return  # another server was faster, or whoever was late was not
        except (RidottoError, LookupError) as error:
            log.warning("a flag did not fall", extra={"facts": {"table": id, "error": str(error)}})

    # The deal.

    async def show_share(self, table: Table, seat: Seat, share: str) -> None:
        """Take the share that the browser at a seat has committed to; whoever is the last to show theirs begins the match."""
        async with table.lock:
            for _ in range(TRIES):
                if table.is_behind:
                    await self._refresh(table)
                fair = table.match.fair
                if fair is not None and fair.shares[seat] == share:
                    return  # it was shown before, and has come twice
                if table.match.is_dealt or fair is None:
                    raise Stale(mark("it is dealt already"))
                if not table.info.is_full:
                    raise NotNow(mark("it is dealt when everybody sits"))
                fair = fair.with_share(seat, share)
                if not fair.missing:
                    if await self._deal(table, fair):
                        return
                elif await self.storage.tables.change(table.id, [set_deal(table.id, fair)], version=table.info.version):
                    await self._refresh(table)
                    return
                await self._refresh(table)
        raise Stale(mark("too much happens at this table at once: try again"))

    async def deal(self, table: Table) -> None:
        """Deal a table at which everybody sits, with the shares that were shown."""
        async with table.lock:
            for _ in range(TRIES):
                if table.is_behind:
                    await self._refresh(table)
                if table.match.is_dealt or not table.info.is_full or table.match.fair is None:
                    return
                if await self._deal(table, table.match.fair):
                    return
                await self._refresh(table)

    async def _deal(self, table: Table, fair: FairDeal) -> bool:
        """Write the deal; False if somebody else wrote first. The table is locked."""
        old = table.match
        match = await asyncio.to_thread(partial(Match, old.game, old.seats, old.options, fair=fair, version=old.version))
        try:
            await self.storage.tables.append(table.id, match, 0, table.head, version=table.info.version, deal=fair)
        except Conflict:
            return False
        finally:
            table.is_sure = False  # it may be written, or not
        await self._refresh(table)
        return True

    # Creating, and sitting down.

    async def create(
        self,
        match: Match | NewMatch,
        chairs: Sequence[Chair],
        *,
        commitment: str | None = None,
        host: str | None,
        private: bool = False,
        language: str = "en",
        settings: TableSettings = DEFAULTS,
        origin: Mapping[str, Any] | None = None,
    ) -> Table:
        """A new table around a match.

        A new match is dealt when everybody sits, if the browser of whoever sets it up has committed to a share; else at once.
        """
        keys: dict[str, Seat | None] = {
            chair.person: chair.seat for chair in chairs if chair.person and chair.seat not in settings.shared_seats[1:]
        }
        if host is not None:
            keys.setdefault(host, None)
        table_id, salt = new_id(), secrets.token_hex(16)
        own = keys.get(host or "")
        given = {} if own is None else {own: commitment}
        match = await in_thread(self._begin, table_id, salt, match, len(chairs), given)
        new = NewTable(table_id, match, private, host, language, salt, tuple(chairs), keys, settings, origin)
        await self.storage.tables.create(new)
        self.metrics.tables.labels(match.game.name).inc()
        table = await self.load(new.id)
        self._notify(table)
        return table

    def _begin(self, id: str, salt: str, match: Match | NewMatch, seats: int, commitments: Mapping[Seat, str | None]) -> Match:
        """The match of a new table: laid out until it can be dealt, where a browser has committed to a share."""
        given = [commitments.get(seat) for seat in range(seats)]
        fair = FairDeal.new(id, self.keys.deal_secret(id, salt), given)
        if isinstance(match, NewMatch) and fair.missing:
            begun: Match = LaidOut(match.game, seats, match.options)
        elif isinstance(match, NewMatch):
            begun = Match(match.game, seats, match.options, fair=fair)
        elif match.origin is not None and match.to_act:
            begun = match.after(match.ply)
            begun.chance = fair.chance()  # of what comes after the moment that it goes on from
        else:
            return match
        begun.fair = fair
        return begun

    async def sit(self, table: Table, seat: Seat, person: str, commitment: str | None = None) -> None:
        """Take a free chair; `commitment` is what the browser gives to the deal."""
        if table.info.is_player(person):
            raise SeatTaken(mark("you sit at this table already"))
        if not await self.storage.tables.sit(table.id, seat, person, commitment):
            raise SeatTaken(mark("somebody sits there already"))
        await self.load(table.id)

    async def give_key(self, table: Table, person: str, seat: Seat | None) -> None:
        """Let somebody who came by a private link act for a seat, or watch."""
        if not await self.storage.tables.give_key(table.id, person, seat):
            raise SeatTaken(mark("you sit at this table already"))
        await self.load(table.id)

    async def rematch(self, table: Table, person: str, commitment: str | None = None) -> str:
        """The table of the rematch: whoever asks first offers it, whoever asks then accepts it, and sits down there."""
        own, again = table.info.keys.get(person), table.info.rematch or await self._offer_rematch(table, person, commitment)
        new = await self.load(again)
        if own is not None and not new.info.is_player(person):
            chair = new.info.chairs[(own + 1) % new.info.seats]
            if chair.kind == "free" and chair.person is not None:
                with suppress(SeatTaken):  # whoever clicks twice sits there already
                    await self.sit(new, chair.seat, person, commitment)
        return again

    async def decline_rematch(self, table: Table, person: str) -> None:
        """Leave the chair that is kept for somebody at a rematch to others."""
        seat, old = table.info.reserved_for(person), (table.info.origin or {}).get("table")
        if seat is None or not await self.storage.tables.release(table.id, seat):
            raise NotNow(mark("nobody offers you a rematch"))
        now = self.storage.now
        await self.change(table, [add_line(table.id, now, "declines", seat=seat)])
        if old is not None:
            before = await self.load(old)
            await self.change(before, [add_line(old, now, "declines", seat=(seat - 1) % table.info.seats)])

    async def _offer_rematch(self, table: Table, person: str, commitment: str | None) -> str:
        """A new table with the same people and bots, each one seat further on.

        Whoever offers it, the bots, and those who share a device with its holder sit there already. A free chair is kept for
        everybody else until they accept, so that no clock runs for somebody who does not know of it.
        """
        info = table.info
        moved = {chair.seat: (chair.seat + 1) % info.seats for chair in info.chairs}
        guests = info.settings.shared_seats[1:]

        by = info.keys.get(person)

        def is_kept(chair: Chair) -> bool:
            return chair.kind == "person" and chair.seat != by and chair.seat not in guests

        chairs = [
            replace(
                chair,
                seat=moved[chair.seat],
                kind="free" if is_kept(chair) else chair.kind,
                salt=secrets.token_hex(16),
                bot=chair.bot if chair.kind == "bot" else None,
            )
            for chair in info.chairs
        ]
        chairs.sort(key=lambda chair: chair.seat)
        sits = {moved[chair.seat] for chair in info.chairs if not is_kept(chair)}
        keys = {one: moved[seat] if seat is not None and moved[seat] in sits else None for one, seat in info.keys.items()}
        shared = tuple(moved[seat] for seat in info.settings.shared_seats)
        settings = replace(info.settings, shared_seats=shared, device_holder=None, left={})
        table_id, salt = new_id(), secrets.token_hex(16)
        origin = {"kind": "rematch", "table": info.id}
        given = {} if by is None else {moved[by]: commitment}
        match = await in_thread(self._begin, table_id, salt, NewMatch(table.match.game, info.options), info.seats, given)
        new = NewTable(table_id, match, info.private, info.host, info.language, salt, tuple(chairs), keys, settings, origin)
        note = add_line(info.id, self.storage.now, "rematch", seat=by) if by is not None and new.state == "open" else None
        again = await self.storage.tables.create_rematch(info.id, new, note)
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


def _turns(info: TableInfo, before: Match, after: Match) -> dict[str, bool]:
    """Whose turn it has become (True), or is no more (False)."""
    was, now = set(before.to_act), set(after.to_act)
    return {one: seat in now for one, seat in info.keys.items() if seat is not None and (seat in was) != (seat in now)}
