"""Members in the database: their passkeys and recovery codes, the challenges that browsers answer, marks of accounts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from ridotto.club.passkeys import Passkey
from ridotto.club.recovery import code_hash
from ridotto.web.storage.people import PeopleStorage
from ridotto.web.storage.schema import (
    chairs,
    challenges,
    chat,
    friends,
    keys,
    marks,
    passkeys,
    people,
    recovery_codes,
    reports,
    results,
    tables,
)

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

    from ridotto.web.storage.database import Database

Purpose = Literal["register", "signin"]
CHALLENGE_SECONDS: Final = 300
"""For how long a challenge may be answered."""
MARK_SECONDS: Final = 90 * 86_400
"""For how long a mark is kept after it was last made."""
MOST_FRIENDS: Final = 200
"""Friends of one person."""
MOST_PASSKEYS: Final = 20
"""Passkeys of one member."""


class PasskeyLine(NamedTuple):
    """A passkey as its owner is shown it."""

    id: str
    label: str
    created: int
    used: int


class MemberStorage:
    """The members that the database knows."""

    def __init__(self, database: Database, people: PeopleStorage) -> None:
        self.database, self.people = database, people

    # Challenges.

    async def add_challenge(self, visitor: str, purpose: Purpose, challenge: str) -> None:
        """Keep a challenge for a visitor: the one before is void."""
        now = self.database.now
        async with self.database.writing() as connection:
            old = sa.or_(sa.and_(challenges.c.visitor == visitor, challenges.c.purpose == purpose), challenges.c.until < now)
            await connection.execute(sa.delete(challenges).where(old))
            values = {"visitor": visitor, "purpose": purpose, "challenge": challenge, "until": now + CHALLENGE_SECONDS}
            await connection.execute(sa.insert(challenges).values(**values))

    async def take_challenge(self, visitor: str, purpose: Purpose) -> str | None:
        """The challenge of a visitor, for one answer: nobody gets it again. None if there is none, or it was too long ago."""
        own = sa.and_(challenges.c.visitor == visitor, challenges.c.purpose == purpose)
        async with self.database.writing() as connection:
            taken = sa.delete(challenges).where(own).returning(challenges.c.challenge, challenges.c.until)
            row = (await connection.execute(taken)).one_or_none()
        return str(row.challenge) if row is not None and row.until >= self.database.now else None

    # Passkeys.

    async def passkeys(self, person: str) -> list[PasskeyLine]:
        """The passkeys of somebody, oldest first."""
        columns = (passkeys.c.id, passkeys.c.label, passkeys.c.created, passkeys.c.used)
        chosen = sa.select(*columns).where(passkeys.c.person == person).order_by(passkeys.c.created, passkeys.c.id)
        async with self.database.reading() as connection:
            return [PasskeyLine(*row) for row in await connection.execute(chosen)]

    async def passkey(self, id: str) -> tuple[str, Passkey] | None:
        """A passkey with the person whose it is."""
        async with self.database.reading() as connection:
            row = (await connection.execute(sa.select(passkeys).where(passkeys.c.id == id))).one_or_none()
        return None if row is None else (row.person, Passkey(row.id, row.public_key, row.sign_count))

    async def add_passkey(self, person: str, passkey: Passkey, label: str) -> bool:
        """Give somebody a passkey, by which they are a member; False if it is somebody's already."""
        now = self.database.now
        row = {"id": passkey.id, "person": person, "public_key": passkey.public_key, "sign_count": passkey.sign_count}
        try:
            async with self.database.writing() as connection:
                await self._make_member(connection, person)
                await connection.execute(sa.insert(passkeys).values(**row, label=label, created=now, used=now))
        except IntegrityError:
            return False
        finally:
            self.people.drop(person)
        return True

    async def use_passkey(self, passkey: Passkey, sign_count: int) -> bool:
        """Note that a passkey was used; False if it was used or removed since it was loaded."""
        same = sa.and_(passkeys.c.id == passkey.id, passkeys.c.sign_count == passkey.sign_count)
        async with self.database.writing() as connection:
            used = sa.update(passkeys).where(same).values(sign_count=sign_count, used=self.database.now)
            return bool((await connection.execute(used)).rowcount)

    async def remove_passkey(self, person: str, id: str) -> bool:
        """Take away a passkey; False if it is not theirs, or would leave them without a way back."""
        async with self.database.writing() as connection:
            await connection.execute(sa.select(people.c.id).where(people.c.id == person).with_for_update())
            ways = [sa.select(sa.func.count()).where(table.c.person == person) for table in (passkeys, recovery_codes)]
            left = sum([int((await connection.execute(one)).scalar_one()) for one in ways])
            if left < 2:
                return False
            gone = sa.delete(passkeys).where(passkeys.c.id == id, passkeys.c.person == person)
            return bool((await connection.execute(gone)).rowcount)

    # Recovery codes.

    async def codes_left(self, person: str) -> int:
        """The recovery codes that somebody has left."""
        counted = sa.select(sa.func.count()).where(recovery_codes.c.person == person)
        async with self.database.reading() as connection:
            return int((await connection.execute(counted)).scalar_one())

    async def replace_codes(self, person: str, codes: Sequence[str]) -> None:
        """Give somebody new recovery codes, by which they are a member; the old ones are void."""
        rows = [{"hash": code_hash(code), "person": person, "created": self.database.now} for code in codes]
        try:
            async with self.database.writing() as connection:
                await self._make_member(connection, person)
                await connection.execute(sa.delete(recovery_codes).where(recovery_codes.c.person == person))
                await connection.execute(sa.insert(recovery_codes), rows)
        finally:
            self.people.drop(person)

    async def use_code(self, code: str) -> str | None:
        """The person of a recovery code, which is void from then on; None if there is none."""
        async with self.database.writing() as connection:
            used = sa.delete(recovery_codes).where(recovery_codes.c.hash == code_hash(code))
            found = (await connection.execute(used.returning(recovery_codes.c.person))).scalar_one_or_none()
            return None if found is None else str(found)

    async def _make_member(self, connection: AsyncConnection, person: str) -> None:
        became = sa.update(people).where(people.c.id == person, people.c.member.is_(None))
        await connection.execute(became.values(member=self.database.now))

    # Marks.

    async def add_marks(self, person: str, given: dict[str, str]) -> None:
        """Note the browser and the address of a member, as keyed hashes; those of long ago are forgotten."""
        now = self.database.now
        async with self.database.writing() as connection:
            old = sa.and_(marks.c.person == person, sa.or_(marks.c.mark.in_(given.values()), marks.c.at < now - MARK_SECONDS))
            await connection.execute(sa.delete(marks).where(old))
            rows = [{"person": person, "kind": kind, "mark": mark, "at": now} for kind, mark in given.items()]
            await connection.execute(sa.insert(marks), rows)

    # Friends and challenges.

    async def friend_ids(self, person: str) -> frozenset[str]:
        """The friends of somebody."""
        chosen = sa.select(friends.c.friend).where(friends.c.person == person)
        async with self.database.reading() as connection:
            return frozenset((await connection.execute(chosen)).scalars())

    async def friends(self, person: str) -> list[tuple[str, str]]:
        """The friends of somebody who still are members and show themselves: who they are, and their names."""
        chosen = sa.select(people.c.id, people.c.name).join(friends, friends.c.friend == people.c.id)
        shown = chosen.where(friends.c.person == person, people.c.member.is_not(None), people.c.hidden.is_(False))
        async with self.database.reading() as connection:
            return [(row.id, row.name) for row in await connection.execute(shown.order_by(people.c.name))]

    async def set_friend(self, person: str, friend: str, is_friend: bool) -> bool:
        """Make somebody a friend, or no friend any more; False if there are too many."""
        async with self.database.writing() as connection:
            same = sa.and_(friends.c.person == person, friends.c.friend == friend)
            await connection.execute(sa.delete(friends).where(same))
            counted = sa.select(sa.func.count()).where(friends.c.person == person)
            if is_friend and (await connection.execute(counted)).scalar_one() >= MOST_FRIENDS:
                return False
            if is_friend:
                await connection.execute(sa.insert(friends).values(person=person, friend=friend))
        return True

    async def open_challenges(self, person: str) -> int:
        """How many chairs at tables of somebody are kept for others who have not answered."""
        kept = sa.select(sa.func.count()).select_from(chairs).join(tables, tables.c.id == chairs.c.table)
        kept = kept.where(tables.c.host == person, chairs.c.kind == "free", chairs.c.person.is_not(None))
        async with self.database.reading() as connection:
            return int((await connection.execute(kept)).scalar_one())

    # A guest who signs in.

    async def guest_tables(self, person: str) -> int:
        """At how many tables somebody sits who is a guest; 0 for a member."""
        counted = sa.select(sa.func.count()).select_from(keys).join(people, people.c.id == keys.c.person)
        own = counted.where(keys.c.person == person, keys.c.seat.is_not(None), people.c.member.is_(None))
        async with self.database.reading() as connection:
            return int((await connection.execute(own)).scalar_one())

    async def adopt(self, guest: str, member: str) -> list[str]:
        """Give a member the seats of a guest, and what the guest wrote; the tables that changed by it.

        At a table at which both sit, each keeps their seat.
        """
        held, own = (sa.select(keys.c.table).where(keys.c.person == one) for one in (guest, member))
        try:
            async with self.database.writing() as connection:
                who = sa.select(people.c.member).where(people.c.id == guest)
                row = (await connection.execute(who)).one_or_none()
                if guest == member or row is None or row.member is not None:
                    return []
                at = sa.or_(tables.c.id.in_(held), tables.c.host == guest)
                ids = list((await connection.execute(sa.select(tables.c.id).where(at).with_for_update())).scalars())
                seated = own.where(keys.c.seat.is_not(None))
                both = set((await connection.execute(seated.where(keys.c.table.in_(ids)))).scalars())
                free = [one for one in ids if one not in both]
                await connection.execute(
                    sa.delete(keys).where(keys.c.person == member, keys.c.table.in_(free), keys.c.seat.is_(None))
                )
                for table, column, at_table in _ADOPTED:
                    moved = sa.update(table).where(column == guest, at_table.in_(free))
                    await connection.execute(moved.values({column.name: member}))
                await self.database.touch(connection, tables.c.id.in_(free))
                if not both:
                    await connection.execute(sa.delete(people).where(people.c.id == guest))
        finally:
            self.people.drop(guest)
        return free


_ADOPTED: Final = (
    *((table, table.c.person, table.c.table) for table in (keys, chairs, chat, reports, results)),
    (tables, tables.c.host, tables.c.id),
)
"""What a guest brings along: the column that names them, and the one that names the table."""
