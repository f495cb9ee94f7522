"""Tables in the database: creating, loading, changing and listing them.

The append of an entry is the commit point: what was acknowledged is on disk. Entries are unique by table and ply, so of two
writers one loses, and loads the table again. Its `version` grows with every change and tells whether a copy in memory is old.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from ridotto.bots import review
from ridotto.bots.review import Review
from ridotto.core import record
from ridotto.core.fair import FairDeal
from ridotto.core.match import Entry, Match
from ridotto.engine.fields import Seat
from ridotto.games import GAMES
from ridotto.web.clocks import Clock
from ridotto.web.identity import ID
from ridotto.web.storage.changes import Change, insert
from ridotto.web.storage.chat import PAGE_LINES, ChatLine
from ridotto.web.storage.entries import entry_row, read_document, read_entries, stored_deal
from ridotto.web.storage.faults import Conflict
from ridotto.web.storage.offers import Offer
from ridotto.web.storage.schema import (
    JSON,
    chairs,
    chat,
    clocks,
    entries,
    keys,
    offers,
    people,
    ratings,
    results,
    review_jobs,
    reviews,
    tables,
)
from ridotto.web.storage.table_info import Chair, Extras, NewTable, Standing, TableInfo
from ridotto.web.storage.table_settings import TableSettings

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

    from ridotto.web.storage.database import Database

COLUMNS: Final = (
    *("id", "game", "seats", "options", "private", "host", "language", "salt", "created", "changed", "state"),
    *("to_act", "version", "result", "rematch", "origin", "deal", "rated", "scored"),
)
"""The columns that `TableInfo` has as they are."""


# Changes, to be written by `TableStorage.change` or with an entry.


UPDATE_PERSON_AT_SEAT: Final = sa.update(chairs).where(
    chairs.c.table == sa.bindparam("table"), chairs.c.seat == sa.bindparam("seat"), chairs.c.kind == "person"
)
ADD_STAND_IN: Final = UPDATE_PERSON_AT_SEAT.where(chairs.c.bot.is_(None)).values(bot=sa.bindparam("bot"))
REMOVE_STAND_IN: Final = UPDATE_PERSON_AT_SEAT.where(chairs.c.bot.is_not(None)).values(bot=None)
UPDATE_TABLE: Final = sa.update(tables).where(tables.c.id == sa.bindparam("table"))
FREEZE_NAMES: Final = (
    sa.update(chairs)
    .where(chairs.c.table == sa.bindparam("table"), chairs.c.kind == "person", chairs.c.name.is_(None))
    .values(name=sa.select(people.c.name).where(people.c.id == chairs.c.person).scalar_subquery())
)
SET_SETTINGS: Final = UPDATE_TABLE.values(settings=sa.bindparam("settings"))
SET_DEAL: Final = UPDATE_TABLE.values(deal=sa.bindparam("deal"))
ADD_ENTRY: Final = insert(entries)
UPDATE_MATCH: Final = UPDATE_TABLE.where(
    sa.or_(sa.bindparam("version", type_=sa.Integer).is_(None), tables.c.version == sa.bindparam("version"))
).values(version=tables.c.version + 1, changed=sa.bindparam("changed"), to_act=sa.bindparam("to_act"))
BEGIN_MATCH: Final = UPDATE_MATCH.values(state="playing", deal=sa.bindparam("deal"))
END_MATCH: Final = UPDATE_MATCH.values(
    state="over",
    result=sa.bindparam("result"),
    settings=sa.func.coalesce(sa.bindparam("settings", type_=JSON), tables.c.settings),
)


def set_stand_in(id: str, seat: Seat, bot: str | None) -> Change:
    """Let a bot play for somebody; None: they play themselves again. Changes nothing if it is so already."""
    if bot is None:
        return Change(REMOVE_STAND_IN, {"table": id, "seat": seat})
    return Change(ADD_STAND_IN, {"table": id, "seat": seat, "bot": bot})


def set_settings(id: str, settings: TableSettings) -> Change:
    """Replace the settings of a table."""
    return Change(SET_SETTINGS, {"table": id, "settings": settings.json()})


def set_deal(id: str, fair: FairDeal) -> Change:
    """Store what the draws of a match depend on, as far as everybody may know it."""
    return Change(SET_DEAL, {"table": id, "deal": fair.with_secret(None).json()})


class TableStorage:
    """The tables of the database."""

    def __init__(self, database: Database) -> None:
        self.database = database

    # Creating.

    async def create(self, new: NewTable) -> None:
        """Write a new table, its deal included."""
        document = await asyncio.to_thread(record.write, new.match)
        async with self.database.writing() as connection:
            await self._create(connection, new, document)

    async def create_rematch(self, old: str, new: NewTable, note: Change | None) -> str:
        """Write the rematch of a table, and a note on it; its id, or that of the one that somebody else was faster to write."""
        document = await asyncio.to_thread(record.write, new.match)
        async with self.database.writing() as connection:
            await self._create(connection, new, document)
            if await self.database.touch(connection, tables.c.id == old, tables.c.rematch.is_(None), rematch=new.id):
                if note is not None:
                    await self.database.execute(connection, note)
                return new.id
            await connection.rollback()
        async with self.database.reading() as connection:
            return str((await connection.execute(sa.select(tables.c.rematch).where(tables.c.id == old))).scalar_one())

    async def _create(self, connection: AsyncConnection, new: NewTable, document: Mapping[str, Any]) -> None:
        match, outcome, now = new.match, new.match.outcome, self.database.now
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
                settings=new.settings.json(),
                origin=None if new.origin is None else dict(new.origin),
                deal=stored_deal(match),
                rated=new.rated,
                salt=new.salt,
                created=now,
                changed=now,
                state=new.state,
                to_act=_bits(match.to_act),
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
                "name": chair.name or None if new.state == "over" and chair.kind == "person" else None,
            }
            for chair in new.chairs
        ]
        await connection.execute(sa.insert(chairs), rows)
        if new.keys:
            held = [{"table": new.id, "person": person, "seat": seat} for person, seat in new.keys.items()]
            await connection.execute(sa.insert(keys), held)
        stored = zip(match.entries, document["entries"], strict=True)
        rows = [entry_row(new.id, ply, entry, one["hash"]) for ply, (entry, one) in enumerate(stored)]
        if rows:
            await connection.execute(sa.insert(entries), rows)

    # Loading.

    async def version(self, id: str) -> int | None:
        """The version of a table; None if there is no such table."""
        async with self.database.reading() as connection:
            return (await connection.execute(sa.select(tables.c.version).where(tables.c.id == id))).scalar_one_or_none()

    async def versions(self, ids: Collection[str]) -> dict[str, int]:
        """The versions of some tables; those that are gone are left out."""
        async with self.database.reading() as connection:
            rows = await connection.execute(sa.select(tables.c.id, tables.c.version).where(tables.c.id.in_(ids)))
            return {row.id: row.version for row in rows}

    async def new_salt(self, id: str, seat: Seat, person: str) -> None:
        """Replace the links to a seat: old ones lead nowhere, and of those who may act for it only one person still may."""
        async with self.database.writing() as connection:
            await _lock(connection, id)
            at = sa.update(chairs).where(chairs.c.table == id, chairs.c.seat == seat)
            await connection.execute(at.values(salt=secrets.token_hex(16)))
            others = sa.delete(keys).where(keys.c.table == id, keys.c.seat == seat, keys.c.person != person)
            await connection.execute(others)
            await self.database.touch(connection, tables.c.id == id)

    async def load(self, id: str) -> tuple[TableInfo, Extras, dict[str, Any]] | None:
        """A table as it is at one time, with its match as `document` gives it; None if there is no such table."""
        if not ID.fullmatch(id):  # it may be something that a database cannot even compare
            return None
        return await self.database.read(partial(_load, id=id))

    async def load_since(self, id: str, ply: int) -> tuple[TableInfo, Extras, list[tuple[Entry, str]]] | None:
        """A table as it is at one time, with the entries of its match from a ply on, and their hashes."""
        async with self.database.reading() as connection:
            info = await connection.run_sync(_info, id)
            if info is None:
                return None
            extras = await connection.run_sync(_extras, id, info.state == "over")
            return info, extras, await connection.run_sync(read_entries, id, ply)

    async def info(self, id: str) -> TableInfo | None:
        """A table without its match; None if there is no such table."""
        async with self.database.reading() as connection:
            return await connection.run_sync(_info, id)

    async def extras(self, id: str) -> Extras:
        """The clocks, the offer and the latest chat of a table."""
        async with self.database.reading() as connection:
            return await connection.run_sync(_extras, id)

    async def document(self, id: str) -> dict[str, Any]:
        """The match of a table as a record: all that is needed to rebuild and verify it."""
        async with self.database.reading() as connection:
            return await connection.run_sync(read_document, id)

    # Changing.

    async def append(
        self,
        id: str,
        match: Match,
        ply: int,
        head: str,
        also: Sequence[Change] = (),
        *,
        version: int | None = None,
        settings: TableSettings | None = None,
        deal: FairDeal | None = None,
        added: Iterable[Mapping[Seat, int]] = (),
    ) -> str:
        """Write the entries of a match from `ply` on, all or none; the hash of the last.

        `head` is the hash of the entry before; `also` is what changes with it, worked out from the table at its `version`;
        `settings` are the table's from now on, if the match ends with changed ones; `deal` is what all draws depend on, if the
        first entry is among those written; `added` is what had been added to the clocks before each entry.
        Raises Conflict if another writer has written that ply already, or anything since.
        """
        changes, before = [], iter(added)
        for at, entry in enumerate(match.entries[ply:], ply):
            head = record.entry_hash(head, at, entry)
            changes.append(Change(ADD_ENTRY, entry_row(id, at, entry, head, next(before, {}))))
        outcome = match.outcome
        values = {"table": id, "changed": self.database.now, "to_act": _bits(match.to_act), "version": version}
        if outcome is not None:
            changes.append(Change(FREEZE_NAMES, {"table": id}))
            values["result"] = outcome.json()
            values["settings"] = None if settings is None else settings.json()
        if deal is not None:
            values["deal"] = deal.with_secret(None).json()
        moved = Change(BEGIN_MATCH if deal is not None else UPDATE_MATCH if outcome is None else END_MATCH, values)
        if not await self.database.commit(moved, [*changes, *also]):
            raise Conflict(f"ply {ply} of table {id} is written already, or something else since version {version}")
        return head

    async def change(
        self, id: str, changes: Sequence[Change], *, only_if: Change | None = None, version: int | None = None
    ) -> bool:
        """Write changes that leave the match as it is, all or none; the table has a new version by it.

        False if `only_if`, an update, finds nothing to change, or if the table is not at its `version` any more.
        """
        at = [tables.c.id == id] if version is None else [tables.c.id == id, tables.c.version == version]
        try:
            async with self.database.writing() as connection:
                # The table's row first, as whoever appends does: nobody waits for one another in a ring.
                touched = await self.database.touch(connection, *at)
                if not touched or (only_if is not None and not await self.database.execute(connection, only_if)):
                    await connection.rollback()
                    return False
                for change in changes:
                    await self.database.execute(connection, change)
        except IntegrityError:
            return False
        return True

    async def sit(self, id: str, seat: Seat, person: str, commitment: str | None = None) -> bool:
        """Give a free chair to a person; False if it is not free any more, or they sit there already.

        `commitment` is what their browser gives to the deal, if that is still to come.
        """
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
                is_dealt, changed = await self._beginning(connection, id)
                deal = (await connection.execute(sa.select(tables.c.deal).where(tables.c.id == id))).scalar_one()
                if commitment is not None and deal is not None and not is_dealt:
                    fair = FairDeal.read(deal, len(deal["shares"]))
                    changed["deal"] = fair.with_commitment(seat, commitment).json()
                await self.database.touch(connection, tables.c.id == id, **changed)
        except IntegrityError:
            return False
        return True

    async def _beginning(self, connection: AsyncConnection, id: str) -> tuple[bool, dict[str, Any]]:
        """Whether the match of a table is dealt, and what changes at the table since somebody sat down: perhaps it begins."""
        left = sa.select(sa.func.count()).where(chairs.c.table == id, chairs.c.kind == "free")
        full = not (await connection.execute(left)).scalar_one()
        begun = sa.select(sa.func.count()).where(entries.c.table == id)
        is_dealt = bool((await connection.execute(begun)).scalar_one())
        begins = sa.and_(tables.c.state == "open", sa.literal(full and is_dealt))
        return is_dealt, {"changed": self.database.now, "state": sa.case((begins, "playing"), else_=tables.c.state)}

    async def fill(self, id: str, bot: str) -> bool:
        """Give every free chair to a bot; False if none is free."""
        async with self.database.writing() as connection:
            await _lock(connection, id)
            free = sa.and_(chairs.c.table == id, chairs.c.kind == "free")
            seated = sa.update(chairs).where(free).values(kind="bot", person=None, bot=bot)
            if not (await connection.execute(seated)).rowcount:
                return False
            _, changed = await self._beginning(connection, id)
            await self.database.touch(connection, tables.c.id == id, **changed)
        return True

    async def release(self, id: str, seat: Seat) -> bool:
        """Leave a reserved chair to anybody; False if it is not free, or was not reserved."""
        async with self.database.writing() as connection:
            await _lock(connection, id)
            reserved = sa.and_(
                chairs.c.table == id, chairs.c.seat == seat, chairs.c.kind == "free", chairs.c.person.is_not(None)
            )
            if not (await connection.execute(sa.update(chairs).where(reserved).values(person=None))).rowcount:
                return False
            await self.database.touch(connection, tables.c.id == id)
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
                await self.database.touch(connection, tables.c.id == id)
        except IntegrityError:
            return False
        return True

    # Lists.

    async def ids(self) -> list[str]:
        """The ids of all tables, oldest first."""
        async with self.database.reading() as connection:
            return list((await connection.execute(sa.select(tables.c.id).order_by(tables.c.created, tables.c.id))).scalars())

    async def lobby(self, person: str | None, most: int) -> tuple[list[TableInfo], list[TableInfo], list[TableInfo]]:
        """Somebody's tables, those that are not over first; open tables to sit down at; tables that are over: the latest of
        each."""
        at = sa.union(
            sa.select(keys.c.table).where(keys.c.person == (person or ""), keys.c.seat.is_not(None)),
            sa.select(chairs.c.table).where(chairs.c.person == (person or ""), chairs.c.kind == "free"),
        )
        latest = sa.select(tables).order_by(tables.c.changed.desc(), tables.c.id).limit(most)
        async with self.database.reading() as connection:
            mine = sa.select(tables).where(tables.c.id.in_(at)).limit(most)
            is_over = sa.case((tables.c.state == "over", 1), else_=0)
            yours = await connection.run_sync(_infos, mine.order_by(is_over, tables.c.changed.desc(), tables.c.id))
            public = latest.where(tables.c.private.is_(False))
            free = sa.select(chairs.c.table).where(chairs.c.kind == "free", chairs.c.open.is_(True))
            open_ones = await connection.run_sync(_infos, public.where(tables.c.state == "open", tables.c.id.in_(free)))
            over = await connection.run_sync(_infos, public.where(tables.c.state == "over"))
        return yours, open_ones, over

    async def open_tables(self, game: str, seats: int, rated: bool, most: int) -> list[TableInfo]:
        """Public tables of a game with a free chair for anybody, the latest first."""
        free = sa.select(chairs.c.table).where(chairs.c.kind == "free", chairs.c.open.is_(True))
        where = (tables.c.state == "open", tables.c.private.is_(False), tables.c.game == game, tables.c.seats == seats)
        chosen = sa.select(tables).where(*where, tables.c.rated.is_(rated), tables.c.id.in_(free))
        async with self.database.reading() as connection:
            latest = chosen.order_by(tables.c.changed.desc(), tables.c.id).limit(most)
            return await connection.run_sync(_infos, latest)

    async def played_now(self, most: int) -> list[TableInfo]:
        """Public tables at which two people or more play, the one where something happened last first."""
        two = sa.select(chairs.c.table).where(chairs.c.kind == "person").group_by(chairs.c.table)
        two = two.having(sa.func.count() > 1)
        chosen = sa.select(tables).where(tables.c.state == "playing", tables.c.private.is_(False), tables.c.id.in_(two))
        async with self.database.reading() as connection:
            latest = chosen.order_by(tables.c.changed.desc(), tables.c.id).limit(most)
            return await connection.run_sync(_infos, latest)

    async def seeking(self) -> list[tuple[str, int]]:
        """Open tables at which somebody looks for an opponent, and when a bot is to sit down there."""
        chosen = sa.select(tables.c.id, tables.c.settings).where(tables.c.state == "open")
        async with self.database.reading() as connection:
            rows = (await connection.execute(chosen)).all()
        return [(row.id, row.settings["seeks_until"]) for row in rows if row.settings.get("seeks_until")]

    async def waiting_for_bots(self) -> list[str]:
        """The tables at which a bot owes a decision."""
        owes = tables.c.to_act.bitwise_rshift(chairs.c.seat).bitwise_and(1) == 1
        chosen = (
            sa.select(tables.c.id)
            .distinct()
            .join(chairs, chairs.c.table == tables.c.id)
            .where(tables.c.state != "over", chairs.c.bot.is_not(None), owes)
        )
        async with self.database.reading() as connection:
            return list((await connection.execute(chosen)).scalars())


# Statements.


def _load(connection: sa.Connection, id: str) -> tuple[TableInfo, Extras, dict[str, Any]] | None:
    """All about a table."""
    info = _info(connection, id)
    return None if info is None else (info, _extras(connection, id, info.state == "over"), read_document(connection, id))


def _info(connection: sa.Connection, id: str) -> TableInfo | None:
    infos = _infos(connection, sa.select(tables).where(tables.c.id == id))
    if not infos:
        return None
    rows = connection.execute(sa.select(keys).where(keys.c.table == id))
    return replace(infos[0], keys={row.person: row.seat for row in rows})


def _extras(connection: sa.Connection, id: str, is_over: bool = False) -> Extras:
    latest = (
        sa.select(chat, people.c.name)
        .outerjoin(people, people.c.id == chat.c.person)
        .where(chat.c.table == id)
        .order_by(chat.c.line.desc())
        .limit(PAGE_LINES)
    )
    times = connection.execute(sa.select(clocks).where(clocks.c.table == id)).all()
    offer = connection.execute(sa.select(offers).where(offers.c.table == id)).one_or_none()
    lines = connection.execute(latest).all()
    return Extras(
        {row.seat: Clock(row.left, row.until, row.added) for row in times},
        None if offer is None else Offer(offer.kind, offer.seat, offer.proposer, offer.ply, offer.redeal, offer.agreed),
        tuple(
            ChatLine(row.line, row.at, row.kind, row.person, row.name or "", row.seat, row.text, row.reports, row.removed)
            for row in reversed(lines)
        ),
        *(_review(connection, id) if is_over else ()),
    )


def _review(connection: sa.Connection, id: str) -> tuple[Review | None, bool]:
    """The review of a table with the judgement of its turning point alone, and whether it is still being made."""
    job = sa.select(review_jobs.c.table).where(review_jobs.c.table == id, review_jobs.c.failed.is_(False))
    document = connection.execute(sa.select(reviews.c.document).where(reviews.c.table == id)).scalar_one_or_none()
    if document is None:
        return None, connection.execute(job).one_or_none() is not None
    made = review.read(document)
    judgements = () if made.turning_point is None else (made.turning_point,)
    return replace(made, judgements=judgements, luck=None), False


def _infos(connection: sa.Connection, chosen: sa.Select[Any]) -> list[TableInfo]:
    """The tables that a query chooses, without their keys."""
    rows = connection.execute(chosen).all()
    query = (
        sa.select(chairs, people.c.name.label("present_name"))
        .outerjoin(people, people.c.id == chairs.c.person)
        .where(chairs.c.table.in_([row.id for row in rows]))
        .order_by(chairs.c.table, chairs.c.seat)
    )
    by_table: dict[str, list[Chair]] = {row.id: [] for row in rows}
    standings = _standings(connection, rows)
    for one in connection.execute(query):
        name = (one.bot if one.kind == "bot" else one.name if one.name is not None else one.present_name) or ""
        standing = standings.get((one.table, one.seat))
        by_table[one.table].append(Chair(one.seat, one.kind, one.open, one.person, name, one.bot, one.salt, standing))
    return [
        TableInfo(
            **{name: getattr(row, name) for name in COLUMNS},
            settings=TableSettings.read(row.settings),
            chairs=tuple(by_table[row.id]),
            keys={},
        )
        for row in rows
    ]


def _standings(connection: sa.Connection, rows: Sequence[Any]) -> dict[tuple[str, Seat], Standing]:
    """The ratings of those who sit at tables: as they are now, and as they came of a rated match that is over."""
    rated, open_ones = [row.id for row in rows if row.rated and row.scored], [row.id for row in rows if row.state != "over"]
    if not rated and not open_ones:
        return {}
    found = {}
    over = sa.select(results).where(results.c.table.in_(rated))
    for row in connection.execute(over.where(results.c.after.is_not(None))):
        found[row.table, row.seat] = Standing(round(row.after), round(row.error), round(row.after) - round(row.before))
    now = sa.select(chairs.c.table, chairs.c.seat, tables.c.game, ratings).join(tables, tables.c.id == chairs.c.table)
    now = now.join(ratings, sa.and_(ratings.c.person == chairs.c.person, ratings.c.game == tables.c.game))
    for row in connection.execute(now.where(chairs.c.table.in_(open_ones))):
        if row.role in ("", GAMES[row.game].roles[row.seat] if row.game in GAMES else ""):
            found[row.table, row.seat] = Standing(round(row.points), round(row.error))
    return found


async def _lock(connection: AsyncConnection, id: str) -> None:
    """Lock the chairs and keys of a table until this transaction ends."""
    await connection.execute(sa.select(tables.c.id).where(tables.c.id == id).with_for_update())


def _bits(seats: Iterable[Seat]) -> int:
    return sum(1 << seat for seat in seats)
