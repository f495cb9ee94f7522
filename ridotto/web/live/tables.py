"""Tables: matches with people and bots around them, kept in memory and rebuilt from the store.

A table changes in one place, `House.act` and its like, one at a time, and only by what the store has taken. Each change
gives a new `Moment`, in which nothing changes any more: pages and live messages are drawn from moments, so that drawing
needs no lock and is done once for all who see the same.
"""

from __future__ import annotations

import asyncio
import contextvars
import functools
import logging
import secrets
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, TypeVar

import sqlalchemy as sa

from ridotto.core import record
from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.core.narrator import Narrator, language, say, seated
from ridotto.core.takeback import Takeback
from ridotto.core.view import View, read_events, seen_by
from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import Seat
from ridotto.games import GAMES
from ridotto.web.clocks import Clock, Terms, settled
from ridotto.web.identity import Ring, new_id
from ridotto.web.live import notifications as notices
from ridotto.web.live.bot_runner import NoThought, Thinkers
from ridotto.web.live.metrics import Figures
from ridotto.web.live.pubsub import Wire
from ridotto.web.pages import models
from ridotto.web.settings import Settings
from ridotto.web.storage import around, store
from ridotto.web.storage.around import Around, Hook, Line, Offer
from ridotto.web.storage.store import Away, Collision, Draft, Facts, Place, Store

TRIES: Final = 50
"""How often an action is tried again because another one was written first."""
LATEST: Final = 8
"""Moments that a slow reader is behind at the most; older ones are left out."""
WORLDS: Final = 6
"""Worlds in which a preview is worked out."""
TOGETHER: Final = 8
"""Tables that a server takes up at a time: another one may be about to take up the next."""
LISTED: Final = 20
"""Tables in a list of the lobby."""
BEAT: Final = 3_000
"""Milliseconds between signs of life while clocks run."""
STAND_IN: Final = "level:3"
"""The bot that plays for somebody who is away."""

By = Literal["person", "bot", "table", "clock"]
"""Who writes an entry: whoever sits there, the bot that decides for them, the table by consent, or their clock."""
Thing = TypeVar("Thing")
log = logging.getLogger("ridotto.web")


class Stale(RidottoError):
    """An action chosen from a page that does not show the table as it is any more."""


class NoTable(RidottoError, LookupError):
    """A table that does not exist, or that the asker may not know of."""


class Taken(RidottoError):
    """A seat that is not free."""


# What a table was at one time.


@dataclass(frozen=True, eq=False)
class Moment:
    """A table as it stood at one time."""

    facts: Facts
    game: Game
    match: Match
    here: frozenset[str]
    """The people who have the page open."""
    logs: dict[tuple[Seat | None, str], tuple[tuple[str, ...], int, tuple[models.LogLine, ...]]]
    """The log by seat and language, with the names in it, up to a ply; shared by the moments of a table, since the past
    does not change."""
    drawn: dict[tuple[Hashable, ...], asyncio.Future[Any]] = field(default_factory=dict)
    around: Around = field(default_factory=Around)
    gone: frozenset[str] = frozenset()
    """The people who have been away for long."""
    serial: int = 0
    """Grows with every moment that differs in more than what was said."""

    @property
    def ply(self) -> int:
        return self.match.ply

    @property
    def names(self) -> tuple[str, ...]:
        """What everybody is called."""
        return models.display_names(self.facts.places)

    def seat_of(self, person: str) -> Seat | None:
        """The seat that somebody may see and act for now."""
        if person != self.facts.host or not shared(self.facts):
            return self.facts.keys.get(person)
        return None if self.handover(person) is not None else held(self.facts)

    def handover(self, person: str) -> Seat | None:
        """Where several share a device: the seat of whoever should have it next, if that is somebody else."""
        if person != self.facts.host:
            return None
        facts, last = self.facts, held(self.facts)
        due = [seat for seat in shared(facts) if seat in self.match.to_act and facts.places[seat].bot is None]
        if not due or last in due:
            return None
        return min(due, key=lambda seat: (seat - (-1 if last is None else last) - 1) % facts.seats)

    async def once(self, key: tuple[Hashable, ...], make: Callable[[], Thing]) -> Thing:
        """What `make` gives, made in a thread once for all who ask with the same key."""
        if key not in self.drawn:
            context = contextvars.copy_context()
            loop = asyncio.get_running_loop()
            self.drawn[key] = asyncio.ensure_future(loop.run_in_executor(None, functools.partial(context.run, make)))
        found: Thing = await asyncio.shield(self.drawn[key])
        return found

    async def shown_to(self, reader: models.Reader, person: str, links: Links) -> models.TablePage:
        """The table as one reader sees it."""
        seat = self.seat_of(person)
        view, lines, panels = await self.once(("seen", seat, reader.language), lambda: self._seen(seat, reader.language))
        facts = self.facts
        mine = facts.keys.get(person) is not None
        asked = await self._asked(seat, reader.language)
        with language(reader.language):
            return models.TablePage(
                reader=reader,
                id=facts.id,
                game=self.game,
                view=view,
                seats=tuple(self._seat_view(place, person, links) for place in facts.places),
                state=facts.state,
                log=lines,
                options=dict(facts.options),
                private=facts.private,
                seat_link=links.me(facts, seat) if seat is not None else "",
                table_link=links.watch(facts) if mine or not facts.private or person == facts.host else "",
                reach=links.reach(),
                thinking=tuple(p.seat for p in facts.places if p.bot is not None and p.seat in view.to_act),
                rematch=f"/t/{facts.rematch}" if facts.rematch else "",
                panels=tuple(panels),
                since=view.ply,
                is_seated=mine,
                hints=mine and has_hints(facts),
                terms=Terms.of(facts.settings),
                late=self._late(),
                offer=asked,
                handover=self.handover(person),
                may_chat=mine or person == facts.host or not facts.settings.get("hushed"),
                is_host=person == facts.host,
                may_take_back=seat is not None
                and facts.state != "over"
                and facts.places[seat].bot is None
                and has_acted(self.match, seat),
            )

    def _late(self) -> str:
        """Whose time was up, if the match ended by that."""
        fallen = [line for line in self.around.lines if line.kind == "flag"] if self.facts.state == "over" else []
        return noted("flag", self._called(fallen[-1].seat)) if fallen else ""

    async def _asked(self, seat: Seat | None, spoken: str) -> models.OfferView | None:
        """The offer there is, as a seat sees it: what was learned is told to those who play alone."""
        offer, facts = self.around.offer, self.facts
        if offer is None or (offer.kind == "takeback" and offer.ply != self.ply):
            return None
        missing = tuple(one for one in needed(facts, offer) if not offer.has_agreed(one))
        is_mine = seat == offer.by and not offer.has_agreed(offer.by)
        if not offer.has_agreed(offer.by) and not is_mine:
            return None
        found = models.OfferView(offer.kind, offer.seat, offer.by, is_mine, seat in missing, anew=offer.anew, missing=missing)
        if offer.kind == "takeback" and seat is not None:

            def work_out() -> Takeback | None:
                with suppress(RidottoError):
                    return self.match.takeback(offer.seat)
                return None

            told = await self.once(("takeback", offer.seat), work_out)
            if told is not None:
                words = self.game.words(Narrator(spoken, self.names, seat))
                because, section = told.because(self.match, words, seat), told.section(seat)
                may_anew, never = told.anew is not None, told.never(words)
                found = replace(found, because=because, section=section, may_anew=may_anew, never=never)
        return found

    def _seen(self, seat: Seat | None, spoken: str) -> tuple[View, tuple[models.LogLine, ...], list[Any]]:
        """What a seat may know, its log, and its picture."""
        view = self.match.view(seat)
        if seat is not None and self.facts.places[seat].bot is not None:
            view = replace(view, legal=())  # a bot decides
        with language(spoken), seated(self.names):
            names, ply, lines = self.logs.get((seat, spoken), (self.names, 0, ()))
            if names != self.names:
                ply, lines = 0, ()
            if ply < view.ply:
                later = replace(view, seen=tuple(one for one in view.seen if one.ply >= ply))
                new = zip(later.seen, later.events(self.game.words_now()), strict=True)
                lines += tuple(
                    models.LogLine(one.ply, event["section"], event["text"], one.values.get("seat")) for one, event in new
                )
                self.logs[seat, spoken] = (self.names, view.ply, lines)
            else:
                lines = tuple(line for line in lines if line.ply < view.ply)
            return view, lines, self.game.panels(view, self.game.words_now())

    def _seat_view(self, place: Place, person: str, links: Links) -> models.SeatView:
        holders = holders_of(self.facts, place.seat)
        may_give = place.kind == "free" and (person == self.facts.host or self.seat_of(person) is not None)
        return models.SeatView(
            seat=place.seat,
            role=self.game.role(place.seat, self.game.words_now()),
            kind=place.kind,
            name=place.name,
            you=self.seat_of(person) == place.seat,
            here=place.kind == "bot" or any(one in self.here for one in holders),
            owing=place.seat in self.match.to_act,
            link=links.sit(self.facts, place) if may_give else "",
            open=place.kind == "free" and place.open,
            clock=self.around.clocks.get(place.seat) if self.facts.state != "open" else None,
            stand_in=place.bot or "" if place.kind == "person" else "",
            gone=place.kind == "person" and all(one in self.gone for one in holders),
        )

    def talk_for(self, person: str, muted: frozenset[str], spoken: str) -> tuple[models.ChatLine, ...]:
        """What was said, as one reader hears it."""
        with language(spoken):
            return tuple(self._line(line, person, line.person in muted) for line in self.around.lines)

    def _line(self, line: Line, person: str, is_muted: bool) -> models.ChatLine:
        if line.kind != "said":
            return models.ChatLine(line.number, line.at, noted(line.kind, self._called(line.seat)), seat=line.seat)
        seat = self.facts.keys.get(line.person or "")
        who = line.name or (self._called(seat) if seat is not None else say("somebody who watches"))
        text = "" if is_muted or line.removed else line.text
        yours = line.person == person
        return models.ChatLine(line.number, line.at, text, who, seat, yours, line.reports, line.removed, is_muted)

    def _called(self, seat: Seat | None) -> str:
        if seat is None:
            return ""
        named = self.names[seat] or self.game.role(seat, self.game.words_now())
        return named[:1].upper() + named[1:]


def shared(facts: Facts) -> tuple[Seat, ...]:
    """The seats of those who share the host's device; none where everybody has their own."""
    return tuple(facts.settings.get("shared", ()))


def held(facts: Facts) -> Seat | None:
    """Which of those who share a device has it now."""
    found: Seat | None = facts.settings.get("held")
    return found


def holders_of(facts: Facts, seat: Seat) -> list[str]:
    """The people who may act for a seat."""
    holders = [one for one, key in facts.keys.items() if key == seat]
    return [facts.host, *holders] if facts.host and seat in shared(facts) and facts.host not in holders else holders


def needed(facts: Facts, offer: Offer) -> list[Seat]:
    """Who has to agree to an offer besides the one who asks. Bots always do, and whoever sits beside needs no button for it."""
    beside = shared(facts) if offer.by in shared(facts) else ()
    people = (place.seat for place in facts.places if place.kind == "person" and place.bot is None)
    return [seat for seat in people if seat not in (offer.by, offer.seat, *beside)]


def has_acted(match: Match, seat: Seat) -> bool:
    return any(entry.seat == seat for entry in match.entries)


def noted(kind: str, who: str) -> str:
    """What happened around the match, as a sentence."""
    sentences = {
        "flag": say("Time is up for {who}, who resigns by that.", who=who),
        "flag-bot": say("Time is up for {who}: a bot plays on.", who=who),
        "absent": say("{who} lets a bot play.", who=who),
        "given": say("{who} is away: the table lets a bot play.", who=who),
        "back": say("{who} is back and plays again.", who=who),
        "asks": say("{who} asks to take the last decision back.", who=who),
        "refuses": say("{who} refuses.", who=who),
        "drops": say("{who} leaves it as it is.", who=who),
        "takes": say("{who} takes the last decision back.", who=who),
        "takes-anew": say("{who} takes the last decision back; what was learned is dealt anew.", who=who),
    }
    return sentences.get(kind, "")


def has_hints(facts: Facts) -> bool:
    """Whether those who play may ask for hints: against bots alone, unless the table was set up otherwise."""
    wish = facts.settings.get("hints", "bots")
    return bool(wish == "all" or (wish == "bots" and sum(place.kind != "bot" for place in facts.places) == 1))


@dataclass(frozen=True)
class Links:
    """Links as one reader gets them: by the address through which they reach the server."""

    ring: Ring
    base: str
    """Such as http://192.168.1.7:8765"""
    wide: str
    """How far it reaches: "machine", "network" or "world"."""

    def sit(self, facts: Facts, place: Place) -> str:
        return f"{self.base}/t/{facts.id}/sit/{self.ring.token('sit', facts.id, place.seat, place.salt)}"

    def me(self, facts: Facts, seat: Seat) -> str:
        return f"{self.base}/t/{facts.id}/me/{self.ring.token('me', facts.id, seat, facts.places[seat].salt)}"

    def watch(self, facts: Facts) -> str:
        here = f"{self.base}/t/{facts.id}"
        return f"{here}/watch/{self.ring.token('watch', facts.id, -1, facts.salt)}" if facts.private else here

    def reach(self) -> str:
        if self.wide == "machine":
            return say("These links work on this machine only. To play across your network, start with HOST=0.0.0.0.")
        if self.wide == "network":
            return say("These links work for everybody in the same network as this machine.")
        return say("These links work everywhere.")


# A table, and those who look at it.


@dataclass(eq=False)
class Reader:
    """A live connection: it is told every moment, unless it is too slow."""

    person: str
    waiting: deque[Moment] = field(default_factory=lambda: deque(maxlen=LATEST))
    bell: asyncio.Event = field(default_factory=asyncio.Event)

    def tell(self, moment: Moment) -> None:
        self.waiting.append(moment)
        self.bell.set()

    async def next(self, seconds: float) -> Moment | None:
        """The next moment, or None if there is none within so many seconds."""
        if not self.waiting:
            self.bell.clear()
            try:
                await asyncio.wait_for(self.bell.wait(), seconds)
            except TimeoutError:
                return None
        return self.waiting.popleft() if self.waiting else None


@dataclass(eq=False)
class Table:
    """A match with people and bots around it."""

    facts: Facts
    match: Match
    head: str
    """The hash of the last entry."""
    moment: Moment
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    readers: set[Reader] = field(default_factory=set)
    left: dict[str, int] = field(default_factory=dict)
    """Since when those who play are away, in milliseconds."""
    thinking: dict[Seat, asyncio.Task[None]] = field(default_factory=dict)

    @property
    def id(self) -> str:
        return self.facts.id

    @property
    def is_idle(self) -> bool:
        return not (self.readers or self.thinking or self.lock.locked())


class House:
    """All tables."""

    def __init__(self, settings: Settings, keeper: Store, ring: Ring, thinkers: Thinkers, figures: Figures) -> None:
        self.settings, self.store, self.ring, self.thinkers, self.figures = settings, keeper, ring, thinkers, figures
        self.games: Mapping[str, Game] = GAMES
        self.stopping = asyncio.Event()
        self.wire = Wire(keeper, self._heard, self._moved, self._cut_off)
        self._beaten = 0
        """When we last gave a sign of life."""
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._loading: dict[str, asyncio.Lock] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    # Starting and stopping.

    async def open(self) -> None:
        """Start the workers, and go on wherever a bot owes a decision or a clock runs."""
        self.thinkers.start()
        await self.wire.open()
        await self._catch_up_time()
        self.later(self._keep_time())
        if self.settings.webhooks:
            self.later(self._keep_telling())
        self.later(self._sweep())
        self.later(asyncio.to_thread(self._draw_ahead))

    def _draw_ahead(self) -> None:
        """Draw every game once, so that nobody waits for what is loaded at the first time."""
        for game in self.games.values():
            if not self.stopping.is_set():
                game.panels(Match(game).view(), game.words_now())

    async def _sweep(self) -> None:
        """Now and at intervals: let the bots think for whom nobody does, and notice servers that are gone."""
        while not self.stopping.is_set():
            try:
                await self._take_up()
                await self.wire.look_around()
            except Away as error:
                log.warning("nothing taken up", extra={"facts": {"error": str(error)}})
            with suppress(TimeoutError):
                await asyncio.wait_for(self.stopping.wait(), self.settings.sweep)

    async def _take_up(self) -> None:
        """Go on wherever a bot owes a decision and no server lets it think."""
        waiting = [
            one for one in await self.store.waiting_for_bots() if one not in self._tables or not self._tables[one].thinking
        ]
        for start in range(0, len(waiting), TOGETHER):
            for one in await self.wire.claimed(waiting[start : start + TOGETHER]):
                try:
                    if not self.stopping.is_set():
                        self.wake(await self.table(one))
                except (RidottoError, LookupError) as error:
                    log.error("a table cannot go on", extra={"facts": {"table": one, "error": str(error)}})
                finally:
                    self.later(self.wire.release(one))

    def stop(self) -> None:
        """Let live connections end; nothing new is begun."""
        self.stopping.set()
        for table in self._tables.values():
            for reader in table.readers:
                reader.bell.set()

    async def close(self) -> None:
        """Stop thinking, and finish what is being written."""
        self.stop()
        await asyncio.to_thread(self.thinkers.stop)
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=5)
            for task in late:
                task.cancel()
        await self.wire.close()
        for table in list(self._tables.values()):
            async with table.lock:
                pass

    def later(self, work: Any) -> asyncio.Task[None]:
        """Let something go on beside, until it or the server ends."""
        task: asyncio.Task[None] = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    # Finding a table.

    async def table(self, id: str) -> Table:
        """The table of that id, as the store has it now."""
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

    async def _load(self, id: str) -> Table:
        facts = await self.store.facts(id)
        if facts is None:
            raise NoTable(f"there is no table {id[:30]!r}")
        document = await self.store.document(id)
        surroundings = await around.read(self.store, id)
        match, head = await asyncio.to_thread(store.read, document, self.games)
        here = self.wire.elsewhere(id)
        table = Table(facts, match, head, Moment(facts, match.game, match, here, {}, around=surroundings))
        self._note_absence(table, here)
        self._tables[id] = table
        self._forget()
        async with table.lock:
            await self._settle(table)
        return table

    def _forget(self) -> None:
        """Let go of tables at which nobody is, those unused for longest first."""
        for one in list(self._tables):
            if len(self._tables) <= self.settings.tables:
                return
            if self._tables[one].is_idle:
                del self._tables[one]

    async def _refresh(self, table: Table) -> None:
        """Take over what another writer has written. The table is locked."""
        version = await self.store.version(table.id)
        if version is None:
            raise NoTable(f"there is no table {table.id!r} any more")
        if version != table.facts.version:
            facts = await self.store.facts(table.id)
            assert facts is not None
            later = await self.store.since(table.id, table.match.ply)
            surroundings = await around.read(self.store, table.id)
            if later:
                table.match, table.head = await asyncio.to_thread(store.repeat, table.match, table.head, later)
            before, table.facts = table.facts, facts
            is_talk = not later and before == replace(facts, version=before.version)
            self.publish(table, surroundings, is_talk=is_talk)
            await self._settle(table)
            self.wake(table)

    # What other servers do.

    def _heard(self, id: str, version: int) -> None:
        """A table has changed, here or elsewhere."""
        table = self._tables.get(id)
        if table is not None and table.facts.version < version and not table.is_idle:
            self.later(self._catch_up(table, version))

    async def _catch_up(self, table: Table, version: int) -> None:
        async with table.lock:
            if table.facts.version < version:
                with suppress(Away, NoTable):  # whoever asks next sees that too
                    await self._refresh(table)

    def _moved(self, id: str) -> None:
        """People came or went at another server."""
        table = self._tables.get(id)
        if table is not None and table.readers:
            self.publish(table)

    def _cut_off(self) -> None:
        """For a while we were not told what others did."""
        for table in self._tables.values():
            if not table.is_idle:
                self.later(self._catch_up(table, table.facts.version + 1))

    def _tell_here(self, table: Table) -> None:
        seated = {reader.person for reader in table.readers if table.facts.keys.get(reader.person) is not None}
        self.wire.here(table.id, seated)

    def publish(self, table: Table, surroundings: Around | None = None, *, is_talk: bool = False) -> None:
        """A new moment, for everybody who looks. Where only something was said (`is_talk`), what was drawn still stands."""
        here = frozenset(reader.person for reader in table.readers) | self.wire.elsewhere(table.id)
        self._note_absence(table, here)
        old, now = table.moment, surroundings or table.moment.around
        is_same = old.match is table.match and old.facts.places == table.facts.places
        is_talk = is_talk and is_same and (old.here, old.around.clocks, old.around.offer) == (here, now.clocks, now.offer)
        table.moment = Moment(
            table.facts,
            old.game,
            table.match,
            here,
            old.logs,
            # Messages are of one moment alone; what a seat sees stands as long as the match does.
            old.drawn if is_talk else {key: made for key, made in old.drawn.items() if is_same and key[0] != "message"},
            now,
            self._gone(table),
            old.serial if is_talk else old.serial + 1,
        )
        for reader in table.readers:
            reader.tell(table.moment)

    def _note_absence(self, table: Table, here: frozenset[str]) -> None:
        now, playing = self.store.milliseconds, {one for one, seat in table.facts.keys.items() if seat is not None}
        table.left = {one: table.left.get(one, now) for one in playing - here}

    def _gone(self, table: Table) -> frozenset[str]:
        """Those who have been away for so long that the table may let a bot play for them."""
        since = self.store.milliseconds - 1000 * self.settings.takeover
        return frozenset(one for one, left in table.left.items() if left <= since)

    def __len__(self) -> int:
        return len(self._tables)

    @property
    def readers(self) -> int:
        return sum(len(table.readers) for table in self._tables.values())

    # Looking.

    def look(self, table: Table, person: str) -> Reader:
        """A live connection begins."""
        reader = Reader(person)
        is_new = person not in table.moment.here
        table.readers.add(reader)
        self._tell_here(table)
        if is_new and table.facts.keys.get(person) is not None:
            self.publish(table)
        else:
            reader.tell(table.moment)
        return reader

    def leave(self, table: Table, reader: Reader) -> None:
        """A live connection ends; whoever does not come back soon is shown as away."""
        table.readers.discard(reader)
        if table.facts.keys.get(reader.person) is not None and not self.stopping.is_set():
            self.later(self._absent(table, reader.person))

    async def _absent(self, table: Table, person: str) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self.stopping.wait(), self.settings.absence)
            return
        if all(reader.person != person for reader in table.readers) and person in table.moment.here:
            self._tell_here(table)
            self.publish(table)

    # Acting.

    async def act(self, table: Table, seat: Seat, do: str | int, ply: int | None, by: By = "person") -> None:
        """Do an action, or a series of them, as chosen from a page that showed the table at `ply`."""
        await self._write(table, seat, ply, by, lambda match: match.play(do, seat))

    async def resign(self, table: Table, seat: Seat) -> None:
        await self._write(table, seat, None, "person", lambda match: match.resign(seat))

    async def take_back(self, table: Table, asked: Takeback, anew: bool) -> None:
        """Take a decision back, as it was worked out when the match stood where it stands."""
        note = "takes-anew" if anew else "takes"
        await self._write(table, asked.seat, None, "table", lambda match: match.take_back(asked, anew=anew), note)

    async def _write(
        self, table: Table, seat: Seat, ply: int | None, by: By, do: Callable[[Match], None], note: str = ""
    ) -> None:
        """Try on a copy, write, then show. Whoever was second tries again with what the first one wrote."""
        async with table.lock:
            for _ in range(TRIES):
                await self._refresh(table)
                match, before, now = table.match, table.moment.around, self.store.milliseconds
                self._check(table, seat, by, now)
                if ply is not None and has_moved_on(match, seat, ply):
                    raise Stale(say("the table has moved on meanwhile: look again"))
                later = await asyncio.to_thread(_done, match, do)
                outcome = later.outcome
                facts = replace(
                    table.facts,
                    version=table.facts.version + 1,
                    changed=self.store.now,
                    state="over" if outcome else table.facts.state,
                    result=outcome.json() if outcome else None,
                    owing=sum(1 << one for one in later.to_act),
                )
                clocks = timed(facts, later, before.clocks, now, seat if by == "person" else None)
                also = around.timing(table.id, before.clocks, clocks, now)
                also += [] if before.offer is None else around.offering(table.id, None)
                also += [around.saying(table.id, facts.changed, note, seat=seat)] if note else []
                also += around.calling(table.id, self._turned(facts, match, later), now) if self.settings.webhooks else []
                began = time.perf_counter()
                try:
                    version = table.facts.version
                    head = await self.store.append(table.id, later, match.ply, table.head, also, version=version)
                except Collision:
                    self.figures.collisions.inc()
                    continue
                self.figures.commit.observe(time.perf_counter() - began)
                self.figures.actions.labels(table.facts.game, "bot" if by == "bot" else "person").inc(later.ply - match.ply)
                table.match, table.head, table.facts = later, head, facts
                after = replace(before, clocks=clocks, offer=None)
                self.publish(table, await around.read(self.store, table.id) if note else after)
                self.wake(table)
                return
        raise Stale(say("too much happens at this table at once: try again"))

    def _check(self, table: Table, seat: Seat, by: By, now: int) -> None:
        """Refuse what comes from somebody who does not decide here now."""
        place, clock = table.facts.places[seat], table.moment.around.clocks.get(seat)
        is_down = clock is not None and clock.is_down(now)
        if by == "bot" and place.bot is None:
            raise Stale(say("{who} plays again", who=place.name))
        if by == "person" and place.bot is not None:
            raise Stale(say("a bot plays for you: take your seat back first"))
        if by == "person" and is_down:
            self.later(self._fall(table.id, seat))
            raise Stale(say("your time is up"))
        if by == "clock" and not is_down:
            raise Stale(say("the table has moved on meanwhile: look again"))

    def _turned(self, facts: Facts, before: Match, after: Match) -> dict[str, bool]:
        """Whose turn it has become, or is no more."""
        was, now = set(before.to_act), set(after.to_act)
        return {one: seat in now for one, seat in facts.keys.items() if seat is not None and (seat in was) != (seat in now)}

    async def alter(self, table: Table, changes: Sequence[sa.Executable], *, only_if: sa.Executable | None = None) -> bool:
        """Change something around the match, and show it; False if `only_if` found nothing to change."""
        async with table.lock:
            done = await around.write(self.store, table.id, changes, only_if=only_if)
            await self._refresh(table)
        return done

    # Time.

    async def _settle(self, table: Table) -> None:
        """Let the clocks run that should, and no others. The table is locked."""
        now, before = self.store.milliseconds, table.moment.around
        clocks = timed(table.facts, table.match, before.clocks, now)
        if changes := around.timing(table.id, before.clocks, clocks, now):
            if await around.write(self.store, table.id, changes, version=table.facts.version):
                table.facts = replace(table.facts, version=table.facts.version + 1)
                self.publish(table, replace(before, clocks=clocks))
            else:  # somebody has written meanwhile: perhaps they run already, or should not any more
                await self._refresh(table)

    async def _catch_up_time(self) -> None:
        """Charge nobody for the time in which no server was up."""
        self._beaten = self.store.milliseconds
        await around.beat(self.store, self._beaten, 2 * BEAT if self.store.is_shared else 0)

    async def _keep_time(self) -> None:
        """At intervals: a sign of life while clocks run, flags that fall, those who have been away for long, notices."""
        while not self.stopping.is_set():
            try:
                await self.tick()
            except Away as error:
                log.warning("nobody looked at the clocks", extra={"facts": {"error": str(error)}})
            with suppress(TimeoutError):
                await asyncio.wait_for(self.stopping.wait(), self.settings.tick)

    async def tick(self) -> None:
        """What is done every second."""
        now = self.store.milliseconds
        if now - self._beaten >= BEAT:
            self._beaten = now
            if lost := await around.beat(self.store, now, around.LAPSE):
                log.warning("no clock ran for a while", extra={"facts": {"seconds": lost // 1000}})
                for table in [one for one in self._tables.values() if one.moment.around.clocks]:
                    await self.table(table.id)
        for one, seat in await around.fallen(self.store, now):
            await self._fall(one, seat)
        for table in list(self._tables.values()):
            if table.readers and self._gone(table) != table.moment.gone:
                self.publish(table)

    async def _keep_telling(self) -> None:
        """At intervals: send the notices that are due."""
        while not self.stopping.is_set():
            with suppress(Away):
                await notices.send(self.store, self.store.milliseconds, self.settings.webhooks_inside, self._letter)
            with suppress(TimeoutError):
                await asyncio.wait_for(self.stopping.wait(), self.settings.tick)

    async def _letter(self, hook: Hook) -> dict[str, Any] | None:
        """What somebody is told of their turn; None if they know, or it is not theirs any more."""
        with suppress(RidottoError, LookupError):
            table = await self.table(hook.table)
            seat = table.facts.keys.get(hook.person)
            if seat in table.match.to_act and hook.person not in table.moment.here:
                return {"table": table.id, "game": table.facts.game, "link": hook.link, "seat": seat}
        return None

    async def _fall(self, id: str, seat: Seat) -> None:
        """A player's time is up."""
        try:
            table = await self.table(id)
            terms, clock = Terms.of(table.facts.settings), table.moment.around.clocks.get(seat)
            if terms is None or clock is None or not clock.is_down(self.store.milliseconds):
                return
            if terms.flag == "resign":
                await self._write(table, seat, None, "clock", lambda match: match.resign(seat), "flag")
                return
            note = around.saying(id, self.store.now, "flag-bot", seat=seat)
            stopped = around.timing(id, {}, {seat: Clock(0 if terms.kind == "match" else terms.full)}, self.store.milliseconds)
            await self.alter(table, [*stopped, note], only_if=around.replacing(id, seat, STAND_IN))
        except Stale:
            return  # another server was faster, or whoever was late was not
        except (RidottoError, LookupError) as error:
            log.warning("a flag did not fall", extra={"facts": {"table": id, "error": str(error)}})

    # Sitting down.

    async def found(
        self,
        match: Match,
        places: Sequence[Place],
        *,
        host: str | None,
        private: bool = False,
        spoken: str = "en",
        settings: Mapping[str, Any] | None = None,
        origin: Mapping[str, Any] | None = None,
    ) -> Table:
        """A new table around a match."""
        beside = (settings or {}).get("shared", ())
        keys: dict[str, Seat | None] = {p.person: p.seat for p in places if p.person and p.seat not in beside[1:]}
        if host is not None:
            keys.setdefault(host, None)
        salt = secrets.token_hex(16)
        draft = Draft(new_id(), match, private, host, spoken, salt, tuple(places), keys, dict(settings or {}), origin)
        await self.store.found(draft)
        self.figures.tables.labels(match.game.name).inc()
        table = await self.table(draft.id)
        self.wake(table)
        return table

    async def sit(self, table: Table, seat: Seat, person: str) -> None:
        """Take a free seat."""
        if table.facts.keys.get(person) is not None:
            raise Taken(say("you sit at this table already"))
        if not await self.store.sit(table.id, seat, person):
            raise Taken(say("this seat is taken"))
        await self.table(table.id)

    async def let_in(self, table: Table, person: str, seat: Seat | None) -> None:
        """Give somebody who came by a private link the key to a seat, or leave to watch."""
        if not await self.store.let_in(table.id, person, seat):
            raise Taken(say("you sit at this table already"))
        await self.table(table.id)

    async def rematch(self, table: Table) -> str:
        """The table of the rematch: the same people and bots, each one seat further on."""
        facts = table.facts
        if facts.rematch:
            return facts.rematch
        match = Match(table.match.game, facts.seats, dict(facts.options))
        moved = {place.seat: (place.seat + 1) % facts.seats for place in facts.places}
        places = sorted(
            (
                replace(
                    place, seat=moved[place.seat], salt=secrets.token_hex(16), bot=place.bot if place.kind == "bot" else None
                )
                for place in facts.places
            ),
            key=lambda place: place.seat,
        )
        keys = {person: None if seat is None else moved[seat] for person, seat in facts.keys.items()}
        salt = secrets.token_hex(16)
        settings = {name: value for name, value in facts.settings.items() if name != "held"}
        if shared(facts):
            settings["shared"] = [moved[seat] for seat in shared(facts)]
        draft = Draft(new_id(), match, facts.private, facts.host, facts.language, salt, tuple(places), keys, settings)
        again = await self.store.found_again(facts.id, draft)
        await self.table(facts.id)
        self.wake(await self.table(again))
        return again

    async def renamed(self, person: str) -> None:
        """Show somebody's new name wherever they sit."""
        for one in await self.store.tables_of(person):
            if one in self._tables:
                await self.table(one)

    # Bots.

    def wake(self, table: Table) -> None:
        """Let every bot that owes a decision think about it."""
        for seat in table.match.to_act:
            place = table.facts.places[seat]
            if place.bot and seat not in table.thinking and not self.stopping.is_set():
                task = self.later(self._think(table, seat, place.bot))
                table.thinking[seat] = task
                task.add_done_callback(functools.partial(self._thought, table, seat))

    def _thought(self, table: Table, seat: Seat, task: asyncio.Task[None]) -> None:
        if table.thinking.get(seat) is task:
            del table.thinking[seat]
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a bot gave up", exc_info=error, extra={"facts": {"table": table.id, "seat": seat}})

    async def _think(self, table: Table, seat: Seat, bot: str) -> None:
        """Decide as long as decisions are owed, if no other server does so."""
        if not await self.wire.claim(table.id):
            return
        try:
            if self.wire.is_shared:  # whoever had the claim before us may just have decided
                await self.table(table.id)
            await self._decide(table, seat, bot)
        finally:
            table.thinking.pop(seat, None)  # whoever wakes this seat from here on wakes it anew
            await self.wire.release(table.id)
        if self.wire.is_shared and not self.stopping.is_set():
            # Somebody may have written elsewhere while our claim kept that server from thinking.
            with suppress(Away, NoTable):
                await self.table(table.id)

    async def _decide(self, table: Table, seat: Seat, bot: str) -> None:
        while seat in table.match.to_act and table.facts.places[seat].bot == bot and not self.stopping.is_set():
            match = table.match
            view = await asyncio.to_thread(match.view, seat)
            began = time.perf_counter()
            try:
                action = await self.thinkers.choose(bot, view)
            except (NoThought, RidottoError, ValueError, ArithmeticError, LookupError) as error:
                if self.stopping.is_set():
                    return
                # People should not have to wait for ever for a bot that is at fault.
                log.error("a bot is at fault", exc_info=error, extra={"facts": {"bot": bot, "table": table.id}})
                action = await self.thinkers.choose("random", view)
            self.figures.thinking.labels(table.facts.game, bot).observe(time.perf_counter() - began)
            try:
                await self.act(table, seat, action, match.ply, "bot")
            except Stale:
                continue


def timed(
    facts: Facts, match: Match, clocks: Mapping[Seat, Clock], now: int, acted: Seat | None = None
) -> Mapping[Seat, Clock]:
    """The clocks as they should be: going for everybody who owes a decision and decides it themselves."""
    terms = Terms.of(facts.settings)
    if terms is None:
        return clocks
    people = [place.seat for place in facts.places if place.kind == "person"]
    running = [seat for seat in match.to_act if facts.state == "playing" and facts.places[seat].bot is None]
    return settled(terms, clocks, people, running, now, acted)


def _done(match: Match, do: Callable[[Match], None]) -> Match:
    later = match.after(match.ply)
    do(later)
    return later


def has_moved_on(match: Match, seat: Seat, ply: int) -> bool:
    """Whether a seat that saw the table at `ply` would have to look again before it decides.

    It need not while others make choices that tell it nothing: then its own is as good as before.
    """
    if not 0 < ply <= match.ply:
        return True
    if any(entry.seat == seat or entry.seat is None for entry in match.entries[ply:]):
        return True
    return bool(match.view(seat, since=ply).seen) if ply < match.ply else False


# What a table can be asked.


def preview(match: Match, seat: Seat, do: str) -> list[str]:
    """What an action would do, as lines of the log: worked out in several worlds that the seat's view allows.

    What differs between the worlds, because it hangs on a draw or a secret, is "?".
    """
    build, view = match.build, match.view(seat, since=match.ply)
    action = match.game.action(do)
    if action not in view.legal:
        return []
    told = []
    for world in range(WORLDS):
        row, dice, events = list(view.row), build.generator(world, view.ply), build.events()
        build.rules.redeal(row, seat, dice)
        build.rules.apply(row, seat, action, dice, events)
        seen = seen_by(seat, read_events(match.rules, events, view.ply))
        told.append([one.text(match.game.words_now()) for one in seen])
    return blend(told)


def blend(worlds: Sequence[Sequence[str]]) -> list[str]:
    """Lines that several worlds have in common, with "?" for what they have not.

    >>> blend([["Verdi rises by 2.", "End."], ["Verdi rises by 3."]])
    ['Verdi rises by ?', '?']
    >>> blend([["He draws a card of Meg."], ["He draws a card of Raoul de Chagny."]])
    ['He draws a card of ?']
    """
    lines = []
    for texts in zip(*worlds, strict=False):
        if len(set(texts)) == 1:
            lines.append(texts[0])
            continue
        words = [text.split() for text in texts]
        first = _common(words)
        last = _common([list(reversed(one[first:])) for one in words])
        ends = words[0][len(words[0]) - last :]
        lines.append(" ".join([*words[0][:first], "?", *ends]))
    if len({len(one) for one in worlds}) > 1:
        lines.append("?")
    return lines


def _common(words: Sequence[Sequence[str]]) -> int:
    """How many words all begin with."""
    count = 0
    for column in zip(*words, strict=False):
        if len(set(column)) > 1:
            break
        count += 1
    return count


def redacted(document: dict[str, Any], seat: Seat | None, names: Sequence[str]) -> str:
    """The record of a table as a seat may have it."""
    return record.dump(record.redact({**document, "names": list(names)}, seat, GAMES))
