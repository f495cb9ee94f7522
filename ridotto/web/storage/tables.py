"""Tables in the database: who sits there, what was agreed on, and the entries of the match.

The append of an entry is the commit point: what was acknowledged is on disk. Entries are unique by table and ply, so of two
writers one loses, and looks again. A table's `version` grows with every change, so that a copy in memory knows when it is old.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from ridotto.core import record
from ridotto.core.game import Game
from ridotto.core.match import Entry, Match
from ridotto.engine.fields import Seat
from ridotto.games import GAMES
from ridotto.web.clocks import Clock, Terms
from ridotto.web.identity import ID
from ridotto.web.storage.chat import SHOWN, ChatLine
from ridotto.web.storage.database import Change, Conflict, Database
from ridotto.web.storage.offers import Offer
from ridotto.web.storage.schema import chairs, chat, clocks, entries, keys, offers, people, tables

State = Literal["open", "playing", "over"]
COLUMNS: Final = (
    *("id", "game", "seats", "options", "private", "host", "language", "salt", "created", "changed", "state"),
    *("owing", "version", "result", "rematch", "settings", "origin"),
)
"""The columns that `TableInfo` has."""


@dataclass(frozen=True)
class Chair:
    """A chair of a table: who sits on a seat, and who decides there."""

    seat: Seat
    kind: Literal["person", "bot", "free"]
    open: bool
    """Whether anybody who comes by may sit down here, while it is free."""
    person: str | None
    name: str
    """The person's name, or the bot's."""
    bot: str | None
    """Who decides here, if it is a bot; at a person's chair, a stand-in."""
    salt: str


@dataclass(frozen=True)
class TableInfo:
    """What is known of a table besides its match, its clocks, offer and chat."""

    id: str
    game: str
    seats: int
    options: Mapping[str, int]
    private: bool
    host: str | None
    language: str
    salt: str
    created: int
    changed: int
    state: State
    owing: int
    """The seats that owe a decision, one bit each."""
    version: int
    result: Mapping[str, Any] | None
    rematch: str | None
    settings: Mapping[str, Any]
    """What was agreed on when the table was set up, besides the options of the game."""
    origin: Mapping[str, Any] | None
    """Where the match came from: a record, or a position of another table."""
    chairs: tuple[Chair, ...]
    keys: Mapping[str, Seat | None]
    """Who may act for which seat; None: may watch. Empty in lists."""

    def is_player(self, person: str) -> bool:
        """Whether somebody has a seat here."""
        return self.keys.get(person) is not None

    def may_see(self, person: str) -> bool:
        """Whether somebody may know of this table: strangers may not, if it is private."""
        return not self.private or person in self.keys

    @property
    def terms(self) -> Terms | None:
        """What was agreed on about time; None if time does not matter."""
        return Terms.of(self.settings)

    @property
    def has_hints(self) -> bool:
        """Whether those who play may ask for hints: against bots alone, unless the table was set up otherwise."""
        wish = self.settings.get("hints", "bots")
        return bool(wish == "all" or (wish == "bots" and sum(chair.kind != "bot" for chair in self.chairs) == 1))

    @property
    def is_chat_for_players(self) -> bool:
        """Whether only those who play may write in the chat."""
        return bool(self.settings.get("hushed"))

    # Several people at one device, the host's.

    @property
    def shared_seats(self) -> tuple[Seat, ...]:
        """The seats of those who share the host's device; none where everybody has their own."""
        return tuple(self.settings.get("shared", ()))

    @property
    def device_holder(self) -> Seat | None:
        """Which of those who share a device has it now."""
        holder: Seat | None = self.settings.get("held")
        return holder

    def holders(self, seat: Seat) -> list[str]:
        """The people who may act for a seat."""
        holders = [person for person, key in self.keys.items() if key == seat]
        return [self.host, *holders] if self.host and seat in self.shared_seats and self.host not in holders else holders

    def asked_for_consent(self, offer: Offer) -> list[Seat]:
        """Who has to agree to an offer besides the one who asks. Bots always do, and whoever sits beside needs no button."""
        beside = self.shared_seats if offer.by in self.shared_seats else ()
        players = (chair.seat for chair in self.chairs if chair.kind == "person" and chair.bot is None)
        return [seat for seat in players if seat not in (offer.by, offer.seat, *beside)]


@dataclass(frozen=True)
class Extras:
    """What belongs to a table besides its match: clocks, an offer, chat. Nothing of it enters a record."""

    clocks: Mapping[Seat, Clock] = field(default_factory=dict)
    offer: Offer | None = None
    chat: tuple[ChatLine, ...] = ()
    """The latest lines, oldest first."""


@dataclass(frozen=True)
class NewTable:
    """A table about to be created."""

    id: str
    match: Match
    private: bool
    host: str | None
    language: str
    salt: str
    chairs: tuple[Chair, ...]
    keys: Mapping[str, Seat | None]
    settings: Mapping[str, Any] = field(default_factory=dict)
    origin: Mapping[str, Any] | None = None

    @property
    def state(self) -> State:
        """Over, open (somebody is still expected), or playing."""
        if not self.match.to_act:
            return "over"
        return "open" if any(chair.kind == "free" for chair in self.chairs) else "playing"


# Changes, to be written by `TableStorage.change` or with an entry.


def set_stand_in(id: str, seat: Seat, bot: str | None) -> Change:
    """Let a bot play for somebody; None: they play themselves again. Changes nothing if it is so already."""
    at = sa.and_(chairs.c.table == id, chairs.c.seat == seat, chairs.c.kind == "person")
    now = chairs.c.bot.is_not(None) if bot is None else chairs.c.bot.is_(None)
    return sa.update(chairs).where(at, now).values(bot=bot)


def set_settings(id: str, settings: Mapping[str, Any]) -> Change:
    """Set what was agreed on at a table."""
    return sa.update(tables).where(tables.c.id == id).values(settings=dict(settings))


class TableStorage:
    """The tables of the database."""

    def __init__(self, database: Database) -> None:
        self.database = database

    # Creating.

    async def create(self, new: NewTable) -> None:
        """Write a new table, its deal included."""
        async with self.database.writing() as connection:
            await self._create(connection, new)

    async def create_rematch(self, old: str, new: NewTable) -> str:
        """Write the rematch of a table; the id of the one there is, if somebody was first."""
        async with self.database.writing() as connection:
            await self._create(connection, new)
            taken = sa.update(tables).where(tables.c.id == old, tables.c.rematch.is_(None))
            done = await connection.execute(taken.values(rematch=new.id, version=tables.c.version + 1))
            if done.rowcount:
                return new.id
            await connection.rollback()
        async with self.database.reading() as connection:
            return str((await connection.execute(sa.select(tables.c.rematch).where(tables.c.id == old))).scalar_one())

    async def _create(self, connection: AsyncConnection, new: NewTable) -> None:
        match, document = new.match, record.write(new.match)
        outcome, now = match.outcome, self.database.now
        await connection.execute(
            sa.insert(tables).values(
                id=new.id,
                game=match.game.name,
                rules=document["rules"],
                box=document["box"],
                seats=match.seats,
                options=dict(match.options),
                private=new.private,
                host=new.host,
                language=new.language,
                settings=dict(new.settings),
                origin=None if new.origin is None else dict(new.origin),
                salt=new.salt,
                created=now,
                changed=now,
                state=new.state,
                owing=_bits(match.to_act),
                version=1,
                result=outcome.json() if outcome else None,
            )
        )
        rows = [
            {
                "table": new.id,
                "seat": chair.seat,
                "kind": chair.kind,
                "open": chair.open,
                "person": chair.person,
                "bot": chair.bot,
                "salt": chair.salt,
            }
            for chair in new.chairs
        ]
        await connection.execute(sa.insert(chairs), rows)
        if new.keys:
            held = [{"table": new.id, "person": person, "seat": seat} for person, seat in new.keys.items()]
            await connection.execute(sa.insert(keys), held)
        hashes = [stored["hash"] for stored in document["entries"]]
        await connection.execute(sa.insert(entries), _entry_rows(new.id, 0, match.entries, hashes))

    # Loading.

    async def version(self, id: str) -> int | None:
        """How often a table has changed; None if there is no such table."""
        async with self.database.reading() as connection:
            return (await connection.execute(sa.select(tables.c.version).where(tables.c.id == id))).scalar_one_or_none()

    async def info(self, id: str) -> TableInfo | None:
        """What is known of a table; None if there is no such table."""
        if not ID.fullmatch(id):  # whatever it is, it may be something that a database cannot even compare
            return None
        async with self.database.reading() as connection:
            found = await _infos(connection, sa.select(tables).where(tables.c.id == id))
            if not found:
                return None
            rows = await connection.execute(sa.select(keys).where(keys.c.table == id))
            held = {row.person: row.seat for row in rows}
        return TableInfo(**{**vars(found[0]), "keys": held})

    async def extras(self, id: str) -> Extras:
        """The clocks, the offer and the latest chat of a table."""
        latest = (
            sa.select(chat, people.c.name)
            .outerjoin(people, people.c.id == chat.c.person)
            .where(chat.c.table == id)
            .order_by(chat.c.line.desc())
            .limit(SHOWN)
        )
        async with self.database.reading() as connection:
            times = (await connection.execute(sa.select(clocks).where(clocks.c.table == id))).all()
            offer = (await connection.execute(sa.select(offers).where(offers.c.table == id))).one_or_none()
            lines = (await connection.execute(latest)).all()
        return Extras(
            {row.seat: Clock(row.left, row.until) for row in times},
            None if offer is None else Offer(offer.kind, offer.seat, offer.by, offer.ply, offer.anew, offer.agreed),
            tuple(
                ChatLine(row.line, row.at, row.kind, row.person, row.name or "", row.seat, row.text, row.reports, row.removed)
                for row in reversed(lines)
            ),
        )

    async def document(self, id: str) -> dict[str, Any]:
        """The match of a table as a record: all that is needed to rebuild and verify it."""
        async with self.database.reading() as connection:
            row = (await connection.execute(sa.select(tables).where(tables.c.id == id))).one()
            lines = (await connection.execute(sa.select(entries).where(entries.c.table == id).order_by(entries.c.ply))).all()
        stored = [record.entry_json(one.ply, _entry(one), one.hash) for one in lines]
        return {
            "format": record.FORMAT,
            "version": record.FORMAT_VERSION,
            "game": row.game,
            "rules": row.rules,
            "box": row.box,
            "seats": row.seats,
            "options": row.options,
            "names": [f"seat {seat}" for seat in range(row.seats)],
            "entries": stored,
            "result": row.result,
            "head": stored[-1]["hash"] if stored else "",
        } | ({record.ORIGIN: origin} if (origin := (row.origin or {}).get("record")) else {})

    async def entries_since(self, id: str, ply: int) -> list[tuple[Entry, str]]:
        """The entries from a ply on, with their hashes."""
        chosen = sa.select(entries).where(entries.c.table == id, entries.c.ply >= ply).order_by(entries.c.ply)
        async with self.database.reading() as connection:
            rows = (await connection.execute(chosen)).all()
        return [(_entry(row), row.hash) for row in rows]

    # Changing.

    async def append(
        self, id: str, match: Match, ply: int, head: str, also: Sequence[Change] = (), *, version: int | None = None
    ) -> str:
        """Write the entries of a match from `ply` on, all or none; the hash of the last.

        `head` is the hash of the entry before; `also` is what changes with it, worked out from the table at its `version`.
        Raises Conflict if another writer has written that ply already, or anything since.
        """
        new = match.entries[ply:]
        hashes = []
        for at, entry in enumerate(new, ply):
            head = record.entry_hash(head, at, entry)
            hashes.append(head)
        outcome = match.outcome
        values: dict[str, Any] = {
            "changed": self.database.now,
            "owing": _bits(match.to_act),
            "version": tables.c.version + 1,
        }
        if outcome is not None:
            values |= {"state": "over", "result": outcome.json()}
        try:
            async with self.database.writing() as connection:
                await connection.execute(sa.insert(entries), _entry_rows(id, ply, new, hashes))
                if not (await connection.execute(_update(id, version).values(**values))).rowcount:
                    raise Conflict(f"table {id} is not at version {version} any more")
                for change in also:
                    await connection.execute(change)
        except IntegrityError as error:
            raise Conflict(f"ply {ply} of table {id} is written already") from error
        return head

    async def change(
        self, id: str, changes: Sequence[Change], *, only_if: Change | None = None, version: int | None = None
    ) -> bool:
        """Write changes that leave the match as it is, all or none; the table has a new version by it.

        False if `only_if`, an update, finds nothing to change, or if the table is not at its `version` any more.
        """
        try:
            async with self.database.writing() as connection:
                # The table's row first, as whoever appends does: nobody waits for one another in a ring.
                updated = await connection.execute(_update(id, version).values(version=tables.c.version + 1))
                if not updated.rowcount or (only_if is not None and not (await connection.execute(only_if)).rowcount):
                    await connection.rollback()
                    return False
                for change in changes:
                    await connection.execute(change)
        except IntegrityError:
            return False
        return True

    async def sit(self, id: str, seat: Seat, person: str) -> bool:
        """Give a free chair to a person; False if it is not free any more, or they sit there already."""
        free = sa.and_(chairs.c.table == id, chairs.c.seat == seat, chairs.c.kind == "free")
        try:
            async with self.database.writing() as connection:
                await _lock(connection, id)
                done = await connection.execute(sa.update(chairs).where(free).values(kind="person", person=person))
                if not done.rowcount:
                    return False
                await connection.execute(
                    sa.delete(keys).where(keys.c.table == id, keys.c.person == person, keys.c.seat.is_(None))
                )
                await connection.execute(sa.insert(keys).values(table=id, person=person, seat=seat))
                left = sa.select(sa.func.count()).where(chairs.c.table == id, chairs.c.kind == "free")
                full = not (await connection.execute(left)).scalar_one()
                state = sa.case((sa.and_(tables.c.state == "open", sa.literal(full)), "playing"), else_=tables.c.state)
                change = {"version": tables.c.version + 1, "changed": self.database.now, "state": state}
                await connection.execute(sa.update(tables).where(tables.c.id == id).values(**change))
        except IntegrityError:
            return False
        return True

    async def give_key(self, id: str, person: str, seat: Seat | None) -> bool:
        """Let a person act for a seat, or (None) watch; False if they may act for another seat."""
        try:
            async with self.database.writing() as connection:
                await _lock(connection, id)
                at = sa.and_(keys.c.table == id, keys.c.person == person)
                held = (await connection.execute(sa.select(keys.c.seat).where(at))).one_or_none()
                if held is not None and held.seat is not None:
                    return seat is None or bool(held.seat == seat)
                if held is None:
                    await connection.execute(sa.insert(keys).values(table=id, person=person, seat=seat))
                else:
                    await connection.execute(sa.update(keys).where(at).values(seat=seat))
                await connection.execute(sa.update(tables).where(tables.c.id == id).values(version=tables.c.version + 1))
        except IntegrityError:
            return False
        return True

    # Lists.

    async def ids(self) -> list[str]:
        """Every table there is, oldest first."""
        async with self.database.reading() as connection:
            return list((await connection.execute(sa.select(tables.c.id).order_by(tables.c.created, tables.c.id))).scalars())

    async def lobby(self, person: str | None, most: int) -> tuple[list[TableInfo], list[TableInfo], list[TableInfo]]:
        """Somebody's tables; open tables to sit down at; tables that are over: the latest of each."""
        at = sa.select(keys.c.table).where(keys.c.person == (person or ""), keys.c.seat.is_not(None))
        latest = sa.select(tables).order_by(tables.c.changed.desc(), tables.c.id).limit(most)
        async with self.database.reading() as connection:
            yours = await _infos(connection, latest.where(tables.c.id.in_(at)))
            public = latest.where(tables.c.private.is_(False))
            free = sa.select(chairs.c.table).where(chairs.c.kind == "free", chairs.c.open.is_(True))
            open_ones = await _infos(connection, public.where(tables.c.state == "open", tables.c.id.in_(free)))
            over = await _infos(connection, public.where(tables.c.state == "over"))
        return yours, open_ones, over

    async def waiting_for_bots(self) -> list[str]:
        """The tables at which a bot owes a decision."""
        owes = tables.c.owing.bitwise_rshift(chairs.c.seat).bitwise_and(1) == 1
        chosen = (
            sa.select(tables.c.id)
            .distinct()
            .join(chairs, chairs.c.table == tables.c.id)
            .where(tables.c.state != "over", chairs.c.bot.is_not(None), owes)
        )
        async with self.database.reading() as connection:
            return list((await connection.execute(chosen)).scalars())


# Matches.


def read_match(document: dict[str, Any], games: Mapping[str, Game] = GAMES) -> tuple[Match, str]:
    """The match of a stored record, verified, and the hash of its last entry."""
    return record.read(document, games)[0], document["head"]


def replay_entries(match: Match, head: str, stored: Sequence[tuple[Entry, str]]) -> tuple[Match, str]:
    """A match with entries that another writer has written, verified, and the hash of the last."""
    later = match.after(match.ply)
    for entry, expected in stored:
        head = record.entry_hash(head, later.ply, entry)
        if head != expected:
            raise record.BadRecord(f"entry at ply {later.ply} was changed: its hash does not fit")
        later.repeat(entry)
    return later, head


def _entry(row: sa.Row[Any]) -> Entry:
    return Entry(row.seat, row.do, tuple(row.draws), row.time, row.salt, row.position)


def _entry_rows(id: str, ply: int, new: Sequence[Entry], hashes: Sequence[str]) -> list[dict[str, Any]]:
    return [
        {
            "table": id,
            "ply": at,
            "seat": entry.seat,
            "do": entry.do,
            "draws": list(entry.draws),
            "time": entry.time,
            "salt": entry.salt,
            "position": entry.position,
            "hash": link,
        }
        for at, (entry, link) in enumerate(zip(new, hashes, strict=True), ply)
    ]


# Statements.


async def _infos(connection: AsyncConnection, chosen: sa.Select[Any]) -> list[TableInfo]:
    """What is known of the tables that a query chooses, their keys left out."""
    rows = (await connection.execute(chosen)).all()
    query = (
        sa.select(chairs, people.c.name)
        .outerjoin(people, people.c.id == chairs.c.person)
        .where(chairs.c.table.in_([row.id for row in rows]))
        .order_by(chairs.c.table, chairs.c.seat)
    )
    by_table: dict[str, list[Chair]] = {row.id: [] for row in rows}
    for one in await connection.execute(query):
        name = (one.bot if one.kind == "bot" else one.name) or ""
        by_table[one.table].append(Chair(one.seat, one.kind, one.open, one.person, name, one.bot, one.salt))
    return [
        TableInfo(**{name: getattr(row, name) for name in COLUMNS}, chairs=tuple(by_table[row.id]), keys={}) for row in rows
    ]


def _update(id: str, version: int | None = None) -> sa.Update:
    """An update of a table's row; one that finds nothing where the table is not at this version any more."""
    update = sa.update(tables).where(tables.c.id == id)
    return update if version is None else update.where(tables.c.version == version)


async def _lock(connection: AsyncConnection, id: str) -> None:
    """Let nobody else change the chairs and keys of a table until this transaction ends."""
    await connection.execute(sa.select(tables.c.id).where(tables.c.id == id).with_for_update())


def _bits(seats: Iterable[Seat]) -> int:
    return sum(1 << seat for seat in seats)
