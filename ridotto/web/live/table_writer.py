"""Writes to tables: a table changes here alone, one change at a time, and only by what the database has taken."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from ridotto.core.match import Match
from ridotto.core.takeback import Takeback, take_back
from ridotto.core.turns import SEPARATOR
from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import Seat
from ridotto.present.narrator import mark
from ridotto.web.errors import NotNow, Stale
from ridotto.web.live.background import BackgroundTasks
from ridotto.web.live.drawing import in_thread
from ridotto.web.live.metrics import Metrics
from ridotto.web.live.publisher import Publisher
from ridotto.web.live.table import Table
from ridotto.web.live.table_cache import TableCache
from ridotto.web.live.table_clocks import Return, added_before_entries, clocks_after_takeback, clocks_for
from ridotto.web.settings import Settings
from ridotto.web.storage import Storage
from ridotto.web.storage.changes import Change
from ridotto.web.storage.chat import add_line
from ridotto.web.storage.clocks import set_clocks
from ridotto.web.storage.faults import Conflict
from ridotto.web.storage.offers import set_offer
from ridotto.web.storage.reviews import add_unasked
from ridotto.web.storage.table_info import TableInfo
from ridotto.web.storage.table_settings import Left
from ridotto.web.storage.tables import set_settings, set_stand_in
from ridotto.web.storage.webhooks import schedule_notifications

TRIES: Final = 50
"""Attempts to write an action while others are written first."""
LONGEST_MATCH: Final = 800
"""Entries from which on nothing is taken back: what a table costs grows with them, and only takebacks make so many."""
STAND_IN: Final = "level:3"
"""The bot that plays for somebody who is away."""

By = Literal["person", "bot", "table", "clock"]
"""The writer of an entry: the person on the seat, the bot that decides for them, the table by consent, or their clock."""
log = logging.getLogger("ridotto.web")


@dataclass(frozen=True)
class Write:
    """Something to do to a match: a decision, a resignation or a takeback."""

    seat: Seat
    by: By
    do: Callable[[Match], None]
    ply: int | None = None
    """The ply of the page from which it was chosen; None if that does not matter."""
    note: str = ""
    """The kind of the line that it adds to the chat; "" if none."""
    left: Left | None = None
    """The way in which the seat leaves the match by it, if it does."""
    is_long: bool = False
    """Whether trying it takes so long that it is done in a thread."""
    back: Return | None = None
    """The takeback, as the clocks see it."""


class TableWriter:
    """Writes actions and other changes, and publishes what was written."""

    def __init__(
        self,
        settings: Settings,
        storage: Storage,
        tables: TableCache,
        publisher: Publisher,
        metrics: Metrics,
        background: BackgroundTasks,
    ) -> None:
        self.settings, self.storage, self.tables, self.publisher = settings, storage, tables, publisher
        self.metrics, self.background = metrics, background

    async def change(self, table: Table, changes: Sequence[Change], *, only_if: Change | None = None) -> bool:
        """Change something besides the match, and publish it; False if `only_if` found nothing to change."""
        async with table.lock:
            done = await self.storage.tables.change(table.id, changes, only_if=only_if)
            await self.tables.refresh(table)
        return done

    # Acting.

    async def act(self, table: Table, seat: Seat, do: str | int, ply: int | None, by: By = "person") -> None:
        """Do an action, or a series of them, as chosen from a page that showed the table at `ply`."""
        is_long = isinstance(do, str) and (SEPARATOR in do or table.match.game.inputs.is_series(do))
        await self._write(table, Write(seat, by, lambda match: match.play(do, seat), ply, is_long=is_long))

    async def take_back(self, table: Table, takeback: Takeback, anew: bool) -> None:
        """Take a decision back, as it was worked out when the match stood where it stands."""
        if table.match.ply >= LONGEST_MATCH:
            raise NotNow(mark("this match has been taken back so often that it cannot be once more"))
        note = "takes-anew" if anew else "takes"
        back = Return.of(table.match, takeback, anew) if takeback.ply == table.match.ply else None
        write = Write(takeback.seat, "table", lambda match: take_back(match, takeback, anew=anew), note=note, back=back)
        await self._write(table, write)

    async def _write(self, table: Table, write: Write) -> None:
        """Try on a copy, write, then publish. Whoever was second tries again with what the first one wrote."""
        async with table.lock:
            for _ in range(TRIES):
                if table.is_behind:
                    await self.tables.refresh(table)
                now = self.storage.milliseconds
                try:
                    later = await self._tried(table, write, now)
                except RidottoError:
                    if self.tables.pubsub.is_shared and await self.tables.refresh(table):
                        continue  # perhaps it was refused because of what we had not heard of yet
                    raise
                if await self._append(table, write, later, now):
                    return
        raise Stale(mark("too much happens at this table at once: try again"))

    async def _tried(self, table: Table, write: Write, now: int) -> Match:
        """A copy of the match with what is to be written; raises what refuses it."""
        match = table.match
        if not match.is_dealt:
            raise NotNow(mark("it is dealt when everybody sits"))
        self._check_turn(table, write.seat, write.by, now)
        if write.ply is not None and has_moved_on(match, write.seat, write.ply):
            raise Stale(mark("the match has moved on: look again"))
        later = match.after(match.ply)
        if write.is_long:
            await in_thread(write.do, later)
        else:
            write.do(later)
        return later

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

    async def _append(self, table: Table, write: Write, later: Match, now: int) -> bool:
        """Write the new entries of `later` and all that goes with them, and publish it; False if somebody else wrote first."""
        match, before, outcome = table.match, table.state.extras, later.outcome
        info = replace(
            table.info,
            version=table.info.version + 1,
            changed=self.storage.now,
            state="over" if outcome else table.info.state,
            result=outcome.json() if outcome else None,
            to_act=sum(1 << one for one in later.to_act),
            settings=table.info.settings if write.left is None else table.info.settings.with_left(write.seat, write.left),
        )

        # The clocks.
        clocks, stored = before.clocks, {}
        if write.back is not None and info.settings.clock is not None:
            stored = await self.storage.clocks.added_before(table.id, write.back.plies)
            clocks = clocks_after_takeback(info, match, clocks, write.back, stored, now)
        added = added_before_entries(match, later, clocks, write.back, stored)
        clocks = clocks_for(info, later, clocks, now, write.seat if write.by in ("person", "bot") else None)

        # Whatever is written with the entries.
        also = set_clocks(table.id, before.clocks, clocks, now)
        also += [] if before.offer is None else set_offer(table.id, None)
        also += [add_line(table.id, info.changed, write.note, seat=write.seat)] if write.note else []
        also += schedule_notifications(table.id, _turns(info, match, later), now) if self.settings.webhooks else []
        is_reviewing = outcome is not None and self.settings.auto_review and info.has_people
        also += [add_unasked(table.id, now)] if is_reviewing else []

        began, version, settings = time.perf_counter(), table.info.version, None if write.left is None else info.settings
        try:
            head = await self.storage.tables.append(
                table.id, later, match.ply, table.head, also, version=version, settings=settings, added=added
            )
        except Conflict:
            self.metrics.collisions.inc()
            table.is_current = False
            return False
        except BaseException:
            table.is_current = False  # it may be written, or not
            raise
        self.metrics.commit.observe(time.perf_counter() - began)
        self.metrics.actions.labels(info.game, "bot" if write.by == "bot" else "person").inc(later.ply - match.ply)

        table.match, table.head, table.info = later, head, info
        self.tables.note_written(table)
        after = await self.storage.tables.extras(table.id) if write.note else replace(before, clocks=clocks, offer=None)
        self.publisher.publish(table, replace(after, is_reviewing=is_reviewing))
        self.publisher.notify(table)
        return True

    # Leaving.

    async def leave(self, table: Table, seat: Seat, how: Left = "resigned") -> None:
        """Let somebody leave the match, by resigning or because their time is up.

        The match is over, or a bot plays on: see `TableInfo.plays_on`.
        """
        by: By = "person" if how == "resigned" else "clock"
        for _ in range(TRIES):
            if not table.info.plays_on:
                note = "" if how == "resigned" else "flag"
                await self._write(table, Write(seat, by, lambda match: match.resign(seat), note=note, left=how))
                return
            if await self._replace_for_good(table, seat, how, by):
                return
        raise Stale(mark("too much happens at this table at once: try again"))

    async def _replace_for_good(self, table: Table, seat: Seat, how: Left, by: By) -> bool:
        """Let a bot play on for somebody who leaves; False if somebody else wrote first."""
        async with table.lock:
            if table.is_behind:
                await self.tables.refresh(table)
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
            await self.tables.refresh(table)
            return done

    async def expire(self, id: str, seat: Seat) -> None:
        """Let a player whose time is up leave the match, as was agreed on."""
        try:
            table, now = await self.tables.load(id), self.storage.milliseconds
            terms, clock = table.info.settings.clock, table.state.extras.clocks.get(seat)
            if terms is not None and clock is not None and clock.is_down(now):
                await self.leave(table, seat, "time")
        except Stale:
            return  # another server was faster, or whoever was late was not
        except (RidottoError, LookupError) as error:
            log.warning("a flag did not fall", extra={"facts": {"table": id, "error": str(error)}})


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
    """People whose turn has begun (True) or ended (False)."""
    was, now = set(before.to_act), set(after.to_act)
    return {one: seat in now for one, seat in info.keys.items() if seat is not None and (seat in was) != (seat in now)}
