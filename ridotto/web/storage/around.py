"""What the store keeps around a match: clocks, talk, an offer, notices. Nothing of it enters a record.

Changes are statements, so that they can be written in one transaction with an entry of the log, or by themselves. Whatever a
page shows changes the table's `version` with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from ridotto.engine.fields import Seat
from ridotto.web.clocks import Clock
from ridotto.web.storage.store import Store, chairs, changing, clocks, hooks, mutes, offers, people, pulse, tables, talk

SHOWN: Final = 60
"""Lines of talk on a page."""
KEPT: Final = 400
"""Lines of talk that are kept."""
LAPSE: Final = 12_000
"""Milliseconds without a sign of life after which a server counts as having been down."""


@dataclass(frozen=True)
class Line:
    """Something said at a table, or a note on what happened around it."""

    number: int
    at: int
    kind: str
    """"said", or what happened."""
    person: str | None
    name: str
    seat: Seat | None
    text: str
    reports: int = 0
    removed: bool = False


@dataclass(frozen=True)
class Offer:
    """Something that needs the others' consent."""

    kind: Literal["takeback", "standin"]
    seat: Seat
    """Whose decision would be taken back, or for whom a bot would play."""
    by: Seat
    """Who asks."""
    ply: int
    """Where the match stood."""
    anew: bool = False
    """Whether somebody wants what was learned dealt anew."""
    agreed: int = 0
    """The seats that have agreed, one bit each; the one that asks has when it has seen what the others will be told."""

    def has_agreed(self, seat: Seat) -> bool:
        return bool(self.agreed >> seat & 1)


@dataclass(frozen=True)
class Around:
    """All of it, at one time."""

    clocks: Mapping[Seat, Clock] = field(default_factory=dict)
    offer: Offer | None = None
    lines: tuple[Line, ...] = ()


async def read(keeper: Store, id: str) -> Around:
    """What is around a table now."""
    spoken = (
        sa.select(talk, people.c.name)
        .outerjoin(people, people.c.id == talk.c.person)
        .where(talk.c.table == id)
        .order_by(talk.c.line.desc())
        .limit(SHOWN)
    )
    async with keeper.reading() as connection:
        times = (await connection.execute(sa.select(clocks).where(clocks.c.table == id))).all()
        offered = (await connection.execute(sa.select(offers).where(offers.c.table == id))).one_or_none()
        said = (await connection.execute(spoken)).all()
    return Around(
        {one.seat: Clock(one.left, one.until) for one in times},
        None if offered is None else Offer(offered.kind, offered.seat, offered.by, offered.ply, offered.anew, offered.agreed),
        tuple(
            Line(one.line, one.at, one.kind, one.person, one.name or "", one.seat, one.text, one.reports, one.removed)
            for one in reversed(said)
        ),
    )


async def write(
    keeper: Store,
    id: str,
    changes: Sequence[sa.Executable],
    *,
    only_if: sa.Executable | None = None,
    version: int | None = None,
) -> bool:
    """Write changes around a table and tell everybody.

    False if `only_if`, an update, finds nothing to change, or if the table is not at its `version` any more.
    """
    try:
        async with keeper.writing() as connection:
            # The table's row first, as whoever appends does: nobody waits for one another in a ring.
            found = await connection.execute(changing(id, version).values(version=tables.c.version + 1))
            if not found.rowcount or (only_if is not None and not (await connection.execute(only_if)).rowcount):
                await connection.rollback()
                return False
            for change in changes:
                await connection.execute(change)
    except IntegrityError:
        return False
    return True


# Clocks.


def timing(id: str, before: Mapping[Seat, Clock], after: Mapping[Seat, Clock], now: int) -> list[sa.Executable]:
    """What makes one set of clocks another."""
    found: list[sa.Executable] = []
    for seat, clock in after.items():
        if before.get(seat) != clock:
            found.append(sa.delete(clocks).where(clocks.c.table == id, clocks.c.seat == seat))
            found.append(sa.insert(clocks).values(table=id, seat=seat, left=clock.left, until=clock.until))
    if any(clock.until is not None for clock in after.values()) and found:
        found.append(sa.update(pulse).values(at=sa.case((pulse.c.at < now, now), else_=pulse.c.at)))
    return found


async def fallen(keeper: Store, now: int) -> list[tuple[str, Seat]]:
    """The clocks that have run down."""
    chosen = sa.select(clocks.c.table, clocks.c.seat).where(clocks.c.until <= now).order_by(clocks.c.until)
    async with keeper.reading() as connection:
        return [(row.table, row.seat) for row in await connection.execute(chosen)]


async def beat(keeper: Store, now: int, lapse: int) -> int:
    """A sign of life; the milliseconds that nobody gave one while clocks ran, if they are more than `lapse`.

    Those are charged to no player: the first server to notice moves the end of every running clock. A server that was
    killed had given its last sign some seconds before, which are given to the players.
    """
    async with keeper.reading() as connection:
        last = (await connection.execute(sa.select(pulse.c.at).where(pulse.c.id == 1))).scalar_one_or_none()
        is_running = (await connection.execute(sa.select(sa.exists().where(clocks.c.until.is_not(None))))).scalar_one()
    if last is not None and (not is_running or now <= last):  # nothing to keep time for, or another server gave a later sign
        return 0
    lost = 0 if last is None else now - last
    try:
        async with keeper.writing() as connection:
            if last is None:
                await connection.execute(sa.insert(pulse).values(id=1, at=now))
                return 0
            moved = sa.update(pulse).where(pulse.c.id == 1, pulse.c.at == last).values(at=now)
            if not (await connection.execute(moved)).rowcount or lost <= lapse:
                return 0
            running = sa.select(clocks.c.table).where(clocks.c.until.is_not(None)).distinct()
            await connection.execute(sa.update(tables).where(tables.c.id.in_(running)).values(version=tables.c.version + 1))
            later = sa.update(clocks).where(clocks.c.until.is_not(None)).values(until=clocks.c.until + lost)
            await connection.execute(later)
    except IntegrityError:
        return 0  # another server has just given the first sign
    return lost


# Offers and stand-ins.


def offering(id: str, offer: Offer | None) -> list[sa.Executable]:
    """What makes an offer the one there is; None: there is none."""
    found: list[sa.Executable] = [sa.delete(offers).where(offers.c.table == id)]
    if offer is not None:
        found.append(sa.insert(offers).values(table=id, **vars(offer)))
    return found


def agreeing(id: str, offer: Offer, seats: int, anew: bool) -> sa.Executable:
    """Seats, one bit each, agree to the offer, if that is still the one there is."""
    same = sa.and_(offers.c.table == id, offers.c.ply == offer.ply, offers.c.kind == offer.kind, offers.c.seat == offer.seat)
    wanted = sa.or_(offers.c.anew, sa.literal(anew))
    return sa.update(offers).where(same).values(agreed=offers.c.agreed.bitwise_or(seats), anew=wanted)


def replacing(id: str, seat: Seat, bot: str | None) -> sa.Executable:
    """A bot plays for somebody; None: they play themselves again. Changes nothing if it is so already."""
    at = sa.and_(chairs.c.table == id, chairs.c.seat == seat, chairs.c.kind == "person")
    now = chairs.c.bot.is_not(None) if bot is None else chairs.c.bot.is_(None)
    return sa.update(chairs).where(at, now).values(bot=bot)


# Talk.


def saying(
    id: str, at: int, kind: str, *, person: str | None = None, seat: Seat | None = None, text: str = ""
) -> sa.Executable:
    """A line of talk, after all others."""
    last = sa.select(sa.func.coalesce(sa.func.max(talk.c.line), 0) + 1).where(talk.c.table == id).scalar_subquery()
    return sa.insert(talk).values(
        table=id, line=last, at=at, kind=kind, person=person, seat=seat, text=text, reports=0, removed=False
    )


def shortening(id: str) -> sa.Executable:
    """Old lines go."""
    last = sa.select(sa.func.max(talk.c.line)).where(talk.c.table == id).scalar_subquery()
    return sa.delete(talk).where(talk.c.table == id, talk.c.line <= last - KEPT)


def removing(id: str, line: int) -> sa.Executable:
    """The words of a line go for good."""
    at = sa.and_(talk.c.table == id, talk.c.line == line, talk.c.kind == "said", talk.c.removed.is_(False))
    return sa.update(talk).where(at).values(text="", removed=True)


def reporting(id: str, line: int) -> sa.Executable:
    """Somebody finds that a line should not stand there."""
    at = sa.and_(talk.c.table == id, talk.c.line == line, talk.c.kind == "said", talk.c.removed.is_(False))
    return sa.update(talk).where(at).values(reports=talk.c.reports + 1)


async def muted(keeper: Store, person: str) -> frozenset[str]:
    """Whom somebody does not want to hear."""
    async with keeper.reading() as connection:
        rows = await connection.execute(sa.select(mutes.c.muted).where(mutes.c.person == person))
        return frozenset(rows.scalars())


async def mute(keeper: Store, person: str, other: str, is_muted: bool) -> None:
    """Hear somebody no more, or again."""
    async with keeper.writing() as connection:
        await connection.execute(sa.delete(mutes).where(mutes.c.person == person, mutes.c.muted == other))
        if is_muted:
            await connection.execute(sa.insert(mutes).values(person=person, muted=other))


# Notices.


@dataclass(frozen=True)
class Hook:
    """Where somebody wants to be told of their turn."""

    table: str
    person: str
    url: str
    link: str
    tries: int = 0


def calling(id: str, owing: Mapping[str, bool], now: int) -> list[sa.Executable]:
    """Notices to people whose turn it has become; none to those whose turn it is no more."""
    called = [person for person, is_owing in owing.items() if is_owing]
    spared = [person for person, is_owing in owing.items() if not is_owing]
    found: list[sa.Executable] = []
    if called:
        at = sa.and_(hooks.c.table == id, hooks.c.person.in_(called))
        found.append(sa.update(hooks).where(at).values(due=now, tries=0))
    if spared:
        at = sa.and_(hooks.c.table == id, hooks.c.person.in_(spared), hooks.c.due.is_not(None))
        found.append(sa.update(hooks).where(at).values(due=None))
    return found


async def hook(keeper: Store, id: str, person: str) -> str:
    """The address that somebody gave for a table, or ""."""
    async with keeper.reading() as connection:
        chosen = sa.select(hooks.c.url).where(hooks.c.table == id, hooks.c.person == person)
        return str((await connection.execute(chosen)).scalar_one_or_none() or "")


async def hang(keeper: Store, new: Hook | None, id: str, person: str) -> None:
    """Keep an address, or (None) forget it."""
    async with keeper.writing() as connection:
        await connection.execute(sa.delete(hooks).where(hooks.c.table == id, hooks.c.person == person))
        if new is not None:
            await connection.execute(sa.insert(hooks).values(table=id, person=person, url=new.url, link=new.link, tries=0))


async def called(keeper: Store, now: int, again: int) -> list[Hook]:
    """The notices that are due; each is claimed until `again`, so that no other server sends it meanwhile."""
    chosen = sa.select(hooks).where(hooks.c.due <= now).order_by(hooks.c.due).limit(4)
    async with keeper.reading() as connection:
        rows = (await connection.execute(chosen)).all()
    found = []
    for one in rows:
        at = sa.and_(hooks.c.table == one.table, hooks.c.person == one.person, hooks.c.due == one.due)
        async with keeper.writing() as connection:
            if (await connection.execute(sa.update(hooks).where(at).values(due=again))).rowcount:
                found.append(Hook(one.table, one.person, one.url, one.link, one.tries))
    return found


async def told(keeper: Store, one: Hook, again: int, due: int | None) -> None:
    """A notice was sent (`due` None), or is to be tried again at `due`, unless the turn has passed meanwhile."""
    at = sa.and_(hooks.c.table == one.table, hooks.c.person == one.person, hooks.c.due == again)
    async with keeper.writing() as connection:
        await connection.execute(sa.update(hooks).where(at).values(due=due, tries=one.tries + 1))
