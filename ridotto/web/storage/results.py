"""Results and ratings in the database: each finished table is scored once, in one transaction, at whatever server.

The rules are those of `ridotto.club.ratings`; what a ladder needs to know of the people at one table is read for it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import sqlalchemy as sa

from ridotto.club.ratings import MEMORY_DAYS, BadMatch, Ladder, Match, Participant, Rating, Verdict
from ridotto.club.scoring import alike, anchors, owners, rated_role, shares
from ridotto.core.game import Game
from ridotto.engine.fields import Seat
from ridotto.web.storage.schema import (
    chairs,
    entries,
    marks,
    people,
    rating_flags,
    ratings,
    results,
    tables,
)
from ridotto.web.storage.table_settings import TableSettings

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

    from ridotto.web.storage.database import Database


DAY: Final = 86_400
MOST_LINES: Final = 1000
"""Matches of one person that are looked at: the latest."""


@dataclass(frozen=True)
class Rated:
    """A rating of somebody, as it is shown."""

    game: str
    role: str
    points: float
    error: float
    matches: float


@dataclass(frozen=True)
class Opponent:
    """Somebody else at a table, by the name that stood there."""

    seat: Seat
    name: str
    bot: str | None
    person: str | None
    is_member: bool
    member_name: str
    """The name that a member has now."""


@dataclass(frozen=True)
class ResultLine:
    """A finished match of somebody."""

    table: str
    game: str
    seats: int
    people: int
    seat: Seat
    role: str
    share: float
    stayed: bool
    ended: int
    verdict: str
    before: float | None
    after: float | None
    error: float | None
    is_private: bool
    others: tuple[Opponent, ...]


class ResultStorage:
    """The results and ratings that the database knows."""

    def __init__(self, database: Database) -> None:
        self.database = database

    # Scoring.

    async def unscored(self, most: int) -> list[tuple[str, str]]:
        """Finished tables that have no results yet, with their games; those that ended first come first."""
        chosen = sa.select(tables.c.id, tables.c.game).where(tables.c.scored.is_(False), tables.c.state == "over")
        async with self.database.reading() as connection:
            rows = await connection.execute(chosen.order_by(tables.c.changed, tables.c.id).limit(most))
            return [(row.id, row.game) for row in rows]

    async def score(self, id: str, game: Game | None) -> bool:
        """Write the results of a finished table, and rate it if it is a rated one; False if that is done already.

        Without `game`, which is not installed any more, it is only noted as done.
        """
        async with self.database.writing() as connection:
            open_ = sa.select(tables).where(tables.c.id == id, tables.c.state == "over", tables.c.scored.is_(False))
            table = (await connection.execute(open_.with_for_update())).one_or_none()
            if table is None:
                return False
            if game is not None and (table.origin or {}).get("kind") not in ("record", "onward"):
                await self._score(connection, table, game)
            await self.database.touch(connection, tables.c.id == id, scored=True)
        return True

    async def _score(self, connection: AsyncConnection, table: Any, game: Game) -> None:
        chosen = sa.select(chairs).where(chairs.c.table == table.id).order_by(chairs.c.seat)
        sat = (await connection.execute(chosen)).all()
        persons = sorted({chair.person for chair in sat if chair.kind == "person" and chair.person})
        # In one order for all: two tables at which the same people sat wait for each other in no ring.
        locked = sa.select(people.c.id, people.c.member).where(people.c.id.in_(persons)).order_by(people.c.id)
        members = {row.id for row in await connection.execute(locked.with_for_update()) if row.member is not None}
        settings, won = TableSettings.read(table.settings), shares(table.seats, (table.result or {}).get("winners", ()))
        match, ladder = None, Ladder(anchors(game, table.seats))
        verdict = Verdict(0.0, "casual")
        if table.rated and len(persons) == sum(chair.kind == "person" for chair in sat) and set(persons) <= members:
            given = sa.select(marks.c.kind, marks.c.person, marks.c.mark).where(marks.c.person.in_(persons))
            known = (await connection.execute(given)).all()
            owner = owners(persons, [(one.person, one.mark) for one in known if one.kind == "browser"])
            decided = sa.select(entries.c.seat).where(
                entries.c.table == table.id, entries.c.seat.is_not(None), entries.c.do != "resign"
            )
            seats = set((await connection.execute(decided.distinct())).scalars())
            match = Match(
                game.name,
                table.changed / DAY,
                tuple(
                    Participant(
                        chair.person or chair.bot,
                        won[chair.seat],
                        rated_role(game, chair.seat),
                        owner.get(chair.person, ""),
                        chair.seat not in settings.left,
                    )
                    for chair in sat
                ),
                is_begun=len(seats) == table.seats,
            )
            await self._load(connection, ladder, match, {owner[person]: person for person in persons})
            before = {seat.name: ladder.rating(seat.name, game.name, seat.role, match.day) for seat in match.seats}
            try:
                verdict = ladder.add(match)
            except BadMatch:  # a bot that nobody has measured
                verdict = Verdict(0.0, "casual")
            pairs = {("address", pair) for pair in alike((one.person, one.mark) for one in known if one.kind == "address")}
            pairs |= {("one-sided", flag.people) for flag in ladder.flags}
            if verdict.reason == "same owner":
                pairs |= {("browser", pair) for pair in alike((one.person, one.mark) for one in known if one.kind == "browser")}
            await self._flag(connection, game.name, pairs, table.changed)
        rows = []
        for chair in sat:
            if chair.kind != "person":
                continue
            role, counts = rated_role(game, chair.seat), match is not None and verdict.weight > 0
            row: dict[str, Any] = {
                "table": table.id,
                "seat": chair.seat,
                "person": chair.person,
                "game": game.name,
                "seats": table.seats,
                "people": len(persons),
                "role": role,
                "share": won[chair.seat],
                "ended": table.changed,
                "stayed": chair.seat not in settings.left,
                "verdict": verdict.reason,
                "weight": verdict.weight,
                "before": None,
                "after": None,
                "error": None,
            }
            if counts:
                after = ladder.ratings[chair.person, game.name, role]
                row |= {"before": before[chair.person].points, "after": after.points, "error": after.error}
                await self._save(connection, chair.person, game.name, role, after)
            rows.append(row)
        if rows:
            await connection.execute(sa.insert(results), rows)

    async def _load(self, connection: AsyncConnection, ladder: Ladder, match: Match, names: Mapping[str, str]) -> None:
        """Let a ladder know what its rules need of those who have played a match: ratings, and earlier results."""
        persons, game = list(names.values()), match.game
        held = sa.select(ratings).where(ratings.c.person.in_(persons), ratings.c.game == game)
        for row in await connection.execute(held):
            ladder.ratings[row.person, game, row.role] = Rating(row.points, row.error, row.matches, row.day)
        owner = {seat.name: seat.person for seat in match.seats}
        own, their = results.alias(), results.alias()
        met = (
            sa.select(own.c.person, their.c.person.label("other"), own.c.share, their.c.share.label("theirs"), own.c.ended)
            .add_columns(own.c.weight)
            .join(their, sa.and_(their.c.table == own.c.table, their.c.seat != own.c.seat))
            .where(own.c.person.in_(persons), their.c.person.in_(persons), own.c.game == game, own.c.weight > 0)
        )
        between: dict[str, float] = {}
        for row in await connection.execute(met):
            one, other = owner[row.person], owner[row.other]
            between[one] = between.get(one, 0.0) + row.weight
            if one < other:
                pair = (game, one, other)
                ladder.met[pair] = ladder.met.get(pair, 0.0) + row.weight
                if row.ended / DAY >= match.day - MEMORY_DAYS:
                    ladder.results.setdefault(pair, []).append((row.ended / DAY, row.share, row.theirs))
        total = sa.select(own.c.person, sa.func.sum(own.c.weight * (own.c.people - 1)).label("met"))
        total = total.where(own.c.person.in_(persons), own.c.game == game, own.c.weight > 0).group_by(own.c.person)
        for row in await connection.execute(total):  # all others together are one to a ladder
            ladder.met[game, owner[row.person], ""] = float(row.met) - between.get(owner[row.person], 0.0)

    async def _save(self, connection: AsyncConnection, person: str, game: str, role: str, rating: Rating) -> None:
        key = sa.and_(ratings.c.person == person, ratings.c.game == game, ratings.c.role == role)
        values = {"points": rating.points, "error": rating.error, "matches": rating.matches, "day": rating.day}
        if not (await connection.execute(sa.update(ratings).where(key).values(**values))).rowcount:
            await connection.execute(sa.insert(ratings).values(person=person, game=game, role=role, **values))

    async def _flag(
        self, connection: AsyncConnection, game: str, pairs: Collection[tuple[str, tuple[str, str]]], at: int
    ) -> None:
        for reason, (one, other) in sorted(pairs):
            row = {"game": game, "person": one, "other": other, "reason": reason}
            same = sa.and_(*(rating_flags.c[name] == value for name, value in row.items()))
            await connection.execute(sa.delete(rating_flags).where(same))
            await connection.execute(sa.insert(rating_flags).values(**row, at=at))

    # Reading.

    async def ratings(self, person: str) -> list[Rated]:
        """The ratings of somebody, by game and role, with the errors that time has widened."""
        chosen = sa.select(ratings).where(ratings.c.person == person).order_by(ratings.c.game, ratings.c.role)
        async with self.database.reading() as connection:
            return [self._rated(row) for row in await connection.execute(chosen)]

    def _rated(self, row: Any) -> Rated:
        ladder = Ladder(ratings={("", row.game, row.role): Rating(row.points, row.error, row.matches, row.day)})
        today = ladder.rating("", row.game, row.role, self.database.now / DAY)
        return Rated(row.game, row.role, today.points, today.error, today.matches)

    async def lines(self, person: str, *, with_private: bool) -> list[ResultLine]:
        """The latest matches of somebody, the last first."""

        def read(connection: sa.Connection) -> list[ResultLine]:
            chosen = (
                sa.select(results, tables.c.private)
                .join(tables, tables.c.id == results.c.table)
                .where(results.c.person == person)
                .order_by(results.c.ended.desc(), results.c.table)
                .limit(MOST_LINES)
            )
            if not with_private:
                chosen = chosen.where(tables.c.private.is_(False))
            rows = connection.execute(chosen).all()
            others = _sat(connection, [row.table for row in rows])
            return [_line(row, others[row.table]) for row in rows]

        return await self.database.read(read)

    async def flags(self) -> list[dict[str, Any]]:
        """The pairs of people that a host should look at, the latest first, by their names."""
        one, other = people.alias(), people.alias()
        chosen = (
            sa.select(rating_flags, one.c.name.label("name"), other.c.name.label("other_name"))
            .join(one, one.c.id == rating_flags.c.person)
            .join(other, other.c.id == rating_flags.c.other)
            .order_by(rating_flags.c.at.desc(), rating_flags.c.game, rating_flags.c.person)
            .limit(50)
        )
        async with self.database.reading() as connection:
            return [dict(row) for row in (await connection.execute(chosen)).mappings()]


def _sat(connection: sa.Connection, ids: Sequence[str]) -> dict[str, list[Opponent]]:
    """Everybody at some tables."""
    found: dict[str, list[Opponent]] = {one: [] for one in ids}
    for start in range(0, len(ids), 500):
        chosen = (
            sa.select(chairs, people.c.name.label("member_name"), people.c.member, people.c.hidden)
            .outerjoin(people, people.c.id == chairs.c.person)
            .where(chairs.c.table.in_(ids[start : start + 500]))
            .order_by(chairs.c.table, chairs.c.seat)
        )
        for row in connection.execute(chosen):
            bot = row.bot if row.kind == "bot" else None
            shown = row.member is not None and not row.hidden
            member_name = (row.member_name or "") if shown else ""
            found[row.table].append(Opponent(row.seat, row.name or "", bot, row.person, shown, member_name))
    return found


def _line(row: Any, sat: Sequence[Opponent]) -> ResultLine:
    return ResultLine(
        table=row.table,
        game=row.game,
        seats=row.seats,
        people=row.people,
        seat=row.seat,
        role=row.role,
        share=row.share,
        stayed=row.stayed,
        ended=row.ended,
        verdict=row.verdict,
        before=row.before,
        after=row.after,
        error=row.error,
        is_private=row.private,
        others=tuple(one for one in sat if one.seat != row.seat),
    )
