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
from typing import Any, Final, TypeVar

from ridotto import record
from ridotto.core import Game, IllegalAction, Match, Refusal, View
from ridotto.games import GAMES
from ridotto.kernel import RidottoError, Seat
from ridotto.web import scene, store
from ridotto.web.journal import Figures
from ridotto.web.people import Ring, new_id
from ridotto.web.scene import Guest
from ridotto.web.settings import Settings
from ridotto.web.store import Collision, Draft, Facts, Place, Store
from ridotto.web.thinking import NoThought, Thinkers
from ridotto.words import language, say

TRIES: Final = 50
"""How often an action is tried again because another one was written first."""
LATEST: Final = 8
"""Moments that a slow reader is behind at the most; older ones are left out."""
WORLDS: Final = 6
"""Worlds in which a preview is worked out."""
LISTED: Final = 20
"""Tables in a list of the lobby."""

Thing = TypeVar("Thing")
log = logging.getLogger("ridotto.web")


class Stale(RidottoError):
    """An action chosen from a page that does not show the table as it is any more."""


class NoTable(RidottoError, LookupError):
    """A table that does not exist, or that the asker may not know of."""


class Taken(RidottoError):
    """A chair that is not free."""


# What a table was at one time.


@dataclass(frozen=True, eq=False)
class Moment:
    """A table as it stood at one time."""

    facts: Facts
    game: Game
    match: Match
    here: frozenset[str]
    """The people who have the page open."""
    logs: dict[tuple[Seat | None, str], tuple[int, tuple[scene.LogLine, ...]]]
    """The log by seat and language, up to a ply; shared by the moments of a table, since the past does not change."""
    drawn: dict[Hashable, asyncio.Future[Any]] = field(default_factory=dict)

    @property
    def ply(self) -> int:
        return self.match.ply

    def seat_of(self, person: str) -> Seat | None:
        return self.facts.keys.get(person)

    async def once(self, key: Hashable, make: Callable[[], Thing]) -> Thing:
        """What `make` gives, made in a thread once for all who ask with the same key."""
        if key not in self.drawn:
            context = contextvars.copy_context()
            loop = asyncio.get_running_loop()
            self.drawn[key] = asyncio.ensure_future(loop.run_in_executor(None, functools.partial(context.run, make)))
        found: Thing = await asyncio.shield(self.drawn[key])
        return found

    async def shown_to(self, guest: Guest, person: str, links: Links) -> scene.Table:
        """The table as one reader sees it."""
        seat = self.seat_of(person)
        view, lines, panels = await self.once(("seen", seat, guest.language), lambda: self._seen(seat, guest.language))
        facts, mine = self.facts, self.seat_of(person) is not None
        with language(guest.language):
            return scene.Table(
                guest=guest,
                id=facts.id,
                game=self.game,
                view=view,
                chairs=tuple(self._chair(place, person, links) for place in facts.places),
                state=facts.state,
                log=lines,
                options=dict(facts.options),
                private=facts.private,
                seat_link=links.me(facts, seat) if seat is not None else "",
                table_link=links.watch(facts) if mine or not facts.private or person == facts.host else "",
                reach=links.reach(),
                thinking=tuple(p.seat for p in facts.places if p.kind == "bot" and p.seat in view.to_act),
                rematch=f"/t/{facts.rematch}" if facts.rematch else "",
                pictures={"panels": panels},
                since=view.ply,
                seated=mine,
            )

    def _seen(self, seat: Seat | None, spoken: str) -> tuple[View, tuple[scene.LogLine, ...], list[Any]]:
        """What a seat may know, its log, and its picture."""
        view = self.match.view(seat)
        with language(spoken):
            ply, lines = self.logs.get((seat, spoken), (0, ()))
            if ply < view.ply:
                later = replace(view, seen=tuple(one for one in view.seen if one.ply >= ply))
                new = zip(later.seen, later.events, strict=True)
                lines += tuple(
                    scene.LogLine(one.ply, event["section"], event["text"], one.values.get("seat")) for one, event in new
                )
                self.logs[seat, spoken] = (view.ply, lines)
            else:
                lines = tuple(line for line in lines if line.ply < view.ply)
            return view, lines, self.game.panels(view)

    def _chair(self, place: Place, person: str, links: Links) -> scene.Chair:
        holders = [one for one, seat in self.facts.keys.items() if seat == place.seat]
        may_give = place.kind == "free" and (person == self.facts.host or self.seat_of(person) is not None)
        return scene.Chair(
            seat=place.seat,
            role=role(self.game, place.seat),
            kind=place.kind,
            name=place.name,
            you=self.seat_of(person) == place.seat,
            here=place.kind == "bot" or any(one in self.here for one in holders),
            owing=place.seat in self.match.to_act,
            link=links.sit(self.facts, place) if may_give else "",
            open=place.kind == "free" and place.open,
        )


def role(game: Game, seat: Seat) -> str:
    """What a seat is called, in the language spoken."""
    return say(game.roles[seat]) if seat < len(game.roles) else say("seat {seat}", seat=seat)


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
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._loading: dict[str, asyncio.Lock] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    # Starting and stopping.

    async def open(self) -> None:
        """Start the workers, and go on wherever a bot owes a decision."""
        self.thinkers.start()
        self._later(self._resume())
        self._later(asyncio.to_thread(self._draw_ahead))

    def _draw_ahead(self) -> None:
        """Draw every game once, so that nobody waits for what is loaded at the first time."""
        for game in self.games.values():
            if not self.stopping.is_set():
                game.panels(Match(game).view())

    async def _resume(self) -> None:
        for one in await self.store.waiting_for_bots():
            if self.stopping.is_set():
                return
            try:
                self.wake(await self.table(one))
            except RidottoError as error:
                log.error("a table cannot go on", extra={"facts": {"table": one, "error": str(error)}})

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
        for table in list(self._tables.values()):
            async with table.lock:
                pass

    def _later(self, work: Any) -> asyncio.Task[None]:
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
        match, head = await asyncio.to_thread(store.read, document, self.games)
        table = Table(facts, match, head, Moment(facts, match.game, match, frozenset(), {}))
        self._tables[id] = table
        self._forget()
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
            if later:
                table.match, table.head = await asyncio.to_thread(store.repeat, table.match, table.head, later)
            table.facts = facts
            self.publish(table)
            self.wake(table)

    def publish(self, table: Table) -> None:
        """A new moment, for everybody who looks."""
        here = frozenset(reader.person for reader in table.readers)
        table.moment = Moment(table.facts, table.moment.game, table.match, here, table.moment.logs)
        for reader in table.readers:
            reader.tell(table.moment)

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
        if is_new and table.moment.seat_of(person) is not None:
            self.publish(table)
        else:
            reader.tell(table.moment)
        return reader

    def leave(self, table: Table, reader: Reader) -> None:
        """A live connection ends; whoever does not come back soon is shown as away."""
        table.readers.discard(reader)
        if table.moment.seat_of(reader.person) is not None and not self.stopping.is_set():
            self._later(self._absent(table, reader.person))

    async def _absent(self, table: Table, person: str) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self.stopping.wait(), self.settings.absence)
            return
        if all(reader.person != person for reader in table.readers) and person in table.moment.here:
            self.publish(table)

    # Acting.

    async def act(self, table: Table, seat: Seat, do: str | int, ply: int | None) -> None:
        """Do an action, or a series of them, as chosen from a page that showed the table at `ply`."""
        by = "bot" if table.facts.places[seat].kind == "bot" else "person"
        await self._write(table, seat, ply, by, lambda match: match.play(do, seat))

    async def resign(self, table: Table, seat: Seat) -> None:
        await self._write(table, seat, None, "person", lambda match: match.resign(seat))

    async def _write(self, table: Table, seat: Seat, ply: int | None, by: str, do: Callable[[Match], None]) -> None:
        """Try on a copy, write, then show. Whoever was second tries again with what the first one wrote."""
        async with table.lock:
            for _ in range(TRIES):
                await self._refresh(table)
                match = table.match
                if ply is not None and has_moved_on(match, seat, ply):
                    raise Stale(say("the table has moved on meanwhile: look again"))
                later = await asyncio.to_thread(_done, match, do)
                began = time.perf_counter()
                try:
                    head = await self.store.append(table.id, later, match.ply, table.head)
                except Collision:
                    self.figures.collisions.inc()
                    continue
                self.figures.commit.observe(time.perf_counter() - began)
                self.figures.actions.labels(table.facts.game, by).inc(later.ply - match.ply)
                outcome = later.outcome
                table.match, table.head = later, head
                table.facts = replace(
                    table.facts,
                    version=table.facts.version + 1,
                    changed=self.store.now,
                    state="over" if outcome else table.facts.state,
                    result=outcome.json() if outcome else None,
                    owing=sum(1 << one for one in later.to_act),
                )
                self.publish(table)
                self.wake(table)
                return
        raise Stale(say("too much happens at this table at once: try again"))

    # Sitting down.

    async def found(
        self,
        match: Match,
        places: Sequence[Place],
        *,
        host: str | None,
        private: bool = False,
        spoken: str = "en",
    ) -> Table:
        """A new table around a match."""
        keys: dict[str, Seat | None] = {place.person: place.seat for place in places if place.person}
        if host is not None:
            keys.setdefault(host, None)
        draft = Draft(new_id(), match, private, host, spoken, secrets.token_hex(16), tuple(places), keys)
        await self.store.found(draft)
        self.figures.tables.labels(match.game.name).inc()
        table = await self.table(draft.id)
        self.wake(table)
        return table

    async def sit(self, table: Table, seat: Seat, person: str) -> None:
        """Take a free chair."""
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
            (replace(place, seat=moved[place.seat], salt=secrets.token_hex(16)) for place in facts.places),
            key=lambda place: place.seat,
        )
        keys = {person: None if seat is None else moved[seat] for person, seat in facts.keys.items()}
        salt = secrets.token_hex(16)
        draft = Draft(new_id(), match, facts.private, facts.host, facts.language, salt, tuple(places), keys)
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
            if place.kind == "bot" and place.bot and seat not in table.thinking and not self.stopping.is_set():
                task = self._later(self._think(table, seat, place.bot))
                table.thinking[seat] = task
                task.add_done_callback(functools.partial(self._thought, table, seat))

    def _thought(self, table: Table, seat: Seat, task: asyncio.Task[None]) -> None:
        table.thinking.pop(seat, None)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a bot gave up", exc_info=error, extra={"facts": {"table": table.id, "seat": seat}})

    async def _think(self, table: Table, seat: Seat, bot: str) -> None:
        """Decide as long as decisions are owed."""
        while seat in table.match.to_act and not self.stopping.is_set():
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
                await self.act(table, seat, action, match.ply)
            except Stale:
                continue


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


def why(match: Match, seat: Seat, do: str) -> Refusal | None:
    """Why a seat may not do something now; None if it may."""
    if match.game.series(do):
        try:
            _done(match, lambda later: later.play(do, seat))
        except IllegalAction as error:
            return error.refusal
        return None
    return match.why(do, seat)


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
        seen = (one.seen_by(seat) for one in match.told(events, view.ply))
        told.append([event["text"] for event in replace(view, seen=tuple(one for one in seen if one is not None)).events])
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


def arranging(view: View, text: str) -> dict[str, Any] | None:
    """The sheet on which a seat rearranges its halls, or what a programme on it would bring; None if there is no such thing."""
    picture = view.game.build().picture
    if view.seat is None or not hasattr(picture, "workshop"):
        return None
    found: dict[str, Any] = picture.trial(view, text) if text else picture.workshop(view)
    return found


def redacted(document: dict[str, Any], seat: Seat | None, names: Sequence[str]) -> str:
    """The record of a table as a seat may have it."""
    return record.dump(record.redact({**document, "names": list(names)}, seat))
