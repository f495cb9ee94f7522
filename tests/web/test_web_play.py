"""Whole matches over the web: every action sent as a page would send it, every change seen as a page would see it."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest
from databases import Postgres
from starlette.applications import Starlette
from visitors import Visitor, running, sat, services, settings

from ridotto.core import record
from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.web.live.table_writer import has_moved_on


async def play(app: Starlette, table: str, people: list[Visitor], dice: random.Random, most: int) -> int:
    """Random play by all seats over HTTP; the number of actions."""
    done = 0
    while done < most:
        match = (await services(app).tables.load(table)).match
        if not match.to_act:
            break
        seat = dice.choice(match.to_act)
        do = dice.choice(match.legal(seat))
        answer = await people[seat].act(table, do, match.ply)
        assert 204 == answer.status_code, answer.text
        done += 1
    return done


@pytest.mark.parametrize(("game", "seats"), [("fantome", 2), ("opera", 3), ("turandot", 4)])
def test_a_whole_match(game: str, seats: int, database: str, tmp_path: Path) -> None:
    """Every decision of a match is sent over HTTP, the longer games from a late position; at the end, a result and a record."""

    async def visit() -> None:
        async with running(settings(tmp_path, database=database)) as app:
            people = [await Visitor(app).__aenter__() for _ in range(seats)]
            match = Match(GAMES[game], seats, seed=5)
            dice = random.Random(11)
            while game != "fantome" and match.to_act:
                seat = dice.choice(match.to_act)
                match.play(dice.choice(match.legal(seat)), seat)
            match = match.after(max(1, match.ply - 40))
            table = (await sat(app, match, *people)).id
            async with people[0].live(table) as stream:
                first = await stream.next()
                assert match.ply == first["ply"]
                await play(app, table, people, dice, 400)
                over = (await services(app).tables.load(table)).match
                assert over.outcome is not None
                message = await stream.until(over.ply)
            assert message["turn"] is False
            info = await services(app).storage.tables.info(table)
            assert info is not None and ("over", over.outcome.json()) == (info.state, info.result)
            assert message["parts"]["result"] and message["parts"]["result"] != first["parts"]["result"]
            # The record is whole now, and replays to the same row.
            document = record.parse((await people[1].get(f"/t/{table}/record")).text)
            assert over.row == record.read(document, GAMES)[0].row
            # The rematch has everybody who accepts one seat further on.
            again = await people[0].post(f"/t/{table}/rematch")
            assert 303 == again.status_code
            new = await services(app).tables.load(again.headers["location"].removeprefix("/t/"))
            for one in people:
                assert again.headers["location"] == (await one.post(f"/t/{table}/rematch")).headers["location"]
            assert [(seat + 1) % seats for seat in range(seats)] == [new.info.keys[one.id] for one in people]
            for one in people:
                await one.http.aclose()

    asyncio.run(visit())


def test_simultaneous_bids_race(database: str, tmp_path: Path) -> None:
    """Four bids chosen from the same page arrive at once: all are taken, whatever the order, and nobody has to look again."""

    async def visit() -> None:
        async with running(settings(tmp_path, database=database)) as app:
            people = [await Visitor(app).__aenter__() for _ in range(4)]
            table = await sat(app, Match(GAMES["opera"], 4), *people)
            bids = [one.act(table.id, f"bid {seat + 2}", 1) for seat, one in enumerate(people)]
            assert [204] * 4 == [answer.status_code for answer in await asyncio.gather(*bids)]
            assert 5 == table.match.ply
            assert {0: "bid 2", 1: "bid 3", 2: "bid 4", 3: "bid 5"} == {e.seat: e.do for e in table.match.entries[1:]}
            # A second click on the same button comes too late: it is not taken for the next decision.
            assert 409 == (await people[0].act(table.id, "bid 2", 1)).status_code
            for one in people:
                await one.http.aclose()

    asyncio.run(visit())


def test_a_double_click_is_one_action(database: str, tmp_path: Path) -> None:
    """The same action twice from the same page: the second is refused, though the rules would allow it again."""

    def twice() -> tuple[Match, int, str]:
        """A position in which a seat may do the same thing again after having done it."""
        dice = random.Random(2)
        match = Match(GAMES["opera"], 2, seed=2)
        while True:
            seat = dice.choice(match.to_act)
            for do in match.legal(seat):
                later = match.after(match.ply)
                later.play(do, seat)
                if do in later.legal(seat):
                    return match, seat, do
            match.play(dice.choice(match.legal(seat)), seat)

    async def visit() -> None:
        async with running(settings(tmp_path, database=database)) as app, Visitor(app) as one, Visitor(app) as two:
            match, seat, do = twice()
            table = await sat(app, match, one, two)
            player, ply = (one, two)[seat], match.ply
            answers = await asyncio.gather(player.act(table.id, do, ply), player.act(table.id, do, ply))
            assert [204, 409] == sorted(answer.status_code for answer in answers)
            assert ply + 1 == table.match.ply

    asyncio.run(visit())


def test_when_a_page_is_too_old() -> None:
    """After an own action, or anything that was told; not while others choose in secret."""
    match = Match(GAMES["opera"], 3)
    assert not has_moved_on(match, 0, 1)
    match.play("bid 3", 1)
    assert not has_moved_on(match, 0, 1)
    assert has_moved_on(match, 1, 1)
    match.play("bid 4", 2)
    assert not has_moved_on(match, 0, 1)
    match.play("bid 5", 0)
    assert all(has_moved_on(match, seat, ply) for seat in range(3) for ply in (0, 1, 2, 3))
    assert not has_moved_on(match, 0, 4)
    assert has_moved_on(match, 0, 5)


def test_two_servers_over_one_database(postgres: Postgres, tmp_path: Path) -> None:
    """Two servers write to one table at once: unique plies decide, and the loser's bid is taken unseen after the winner's."""

    async def visit() -> None:
        chosen = settings(tmp_path, database=postgres.new())
        async with running(chosen) as one, running(chosen) as other:
            first, second = [await Visitor(one).__aenter__() for _ in range(4)], []
            for visitor in first:
                there = Visitor(other)
                there.http.cookies = visitor.http.cookies
                there.nonce = visitor.nonce
                second.append(there)
            table = await sat(one, Match(GAMES["opera"], 4), *first)
            assert 200 == (await second[2].get(f"/t/{table.id}")).status_code
            bids = [(first if seat % 2 else second)[seat].act(table.id, f"bid {seat}", 1) for seat in range(4)]
            answers = await asyncio.gather(*bids)
            assert [204] * 4 == [answer.status_code for answer in answers], [answer.text for answer in answers]
            seen = [(await services(app).tables.load(table.id)).match for app in (one, other)]
            assert seen[0].row == seen[1].row
            assert 5 == seen[0].ply
            record.read(await services(one).storage.tables.document(table.id), GAMES)
            for visitor in first + second:
                await visitor.http.aclose()

    asyncio.run(visit())


def test_an_arrangement_is_written_all_or_not_at_all(database: str, tmp_path: Path) -> None:
    """`arrange …` is one change of the table, however many entries it has; one that is refused leaves nothing."""

    async def visit() -> None:
        async with running(settings(tmp_path, database=database)) as app, Visitor(app) as one, Visitor(app) as two:
            match = Match(GAMES["opera"], 2, seed=1)
            match.play("bid 10", 0)
            match.play("bid 0", 1)
            match.play("hire impresario")
            for _ in range(2):
                match.play(next(do for do in match.legal() if do.startswith("buy")))
            behind = match.position()["screen"]["0"]
            piece = next(name for name, count in behind.items() if count and name != "house")
            table = await sat(app, match, one, two)
            version, ply = table.info.version, match.ply
            refused = await one.act(table.id, "arrange venezia tosca", ply)
            assert (409, "5.7") == (refused.status_code, refused.json()["section"])
            assert (version, ply) == (await services(app).storage.tables.version(table.id), table.match.ply)
            sheet = await one.http.post(f"/t/{table.id}/compose", json={"nonce": one.nonce})
            assert sheet.json()["asked"] is True
            trial = await one.http.post(f"/t/{table.id}/compose", json={"nonce": one.nonce, "text": f"venezia {piece}"})
            assert f"venezia {piece}" == trial.json()["text"]
            assert 204 == (await one.act(table.id, f"arrange venezia {piece}", ply)).status_code
            assert version + 1 == await services(app).storage.tables.version(table.id)
            assert piece == table.match.position()["great"]["0"]["venezia"]

    asyncio.run(visit())


def test_bots_play_on_their_own(database: str, tmp_path: Path) -> None:
    """Bots around a table play to the end, and whoever watches is told."""

    async def visit() -> None:
        async with running(settings(tmp_path, database=database)) as app, Visitor(app) as one:
            table = await sat(app, Match(GAMES["fantome"], 2), "random", "random")
            async with one.live(table.id) as stream:
                message = await stream.next()
                while (await services(app).storage.tables.info(table.id)).state != "over":  # type: ignore[union-attr]
                    message = await stream.next()
                last = await stream.until(table.match.ply) if message["ply"] < table.match.ply else message
            assert last["ply"] == table.match.ply
            assert table.match.outcome is not None

    asyncio.run(visit())


def test_resigning(database: str, tmp_path: Path) -> None:
    """Whoever resigns has lost, out of turn too; afterwards nothing can be done."""

    async def visit() -> None:
        async with running(settings(tmp_path, database=database)) as app, Visitor(app) as one, Visitor(app) as two:
            table = await sat(app, Match(GAMES["fantome"], 2), one, two)
            assert 303 == (await two.post(f"/t/{table.id}/resign")).status_code
            assert table.match.outcome is not None
            assert ("resigned", (0,)) == (table.match.outcome.ending, table.match.outcome.winners)
            assert 409 == (await one.act(table.id, "pick meg", 2)).status_code
            assert 409 == (await two.post(f"/t/{table.id}/resign")).status_code

    asyncio.run(visit())
