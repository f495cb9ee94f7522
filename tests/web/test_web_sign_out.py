"""Signing out everywhere: every cookie, nonce, private link and live connection of before is void, at every server."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from databases import Postgres
from visitors import Live, Visitor, eventually, running, sat, services, settings, visiting

from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.web.identity import COOKIE
from ridotto.web.live.table import Table


@asynccontextmanager
async def same(app: Any, one: Visitor) -> AsyncIterator[Visitor]:
    """Another browser that has somebody's cookie and nonce."""
    copy = Visitor(app)
    copy.http.cookies.set(COOKIE, one.cookie, domain="127.0.0.1")
    copy.nonce = one.nonce
    try:
        yield copy
    finally:
        await copy.http.aclose()


def own_link(app: Any, table: Table, seat: int) -> str:
    salt = table.info.chairs[seat].salt
    return f"/t/{table.id}/me/{services(app).keys.token('me', table.id, seat, salt)}"


async def sign_out(one: Visitor) -> str:
    """The page that says so; with the new nonce."""
    answer = await one.post("/me/signout")
    assert 200 == answer.status_code, answer.text
    found = re.search(r'name="nonce" value="([0-9a-f]{32})"', answer.text)
    assert found
    one.nonce = found[1]
    return answer.text


async def ended(stream: Live) -> bool:
    """Whether a live connection has ended; whatever else was sent is read."""
    async with asyncio.timeout(10):  # less than a heartbeat
        while await stream.text() is not None:
            pass
    return True


def test_everybody_else_is_shut_out(tmp_path: Path) -> None:
    """Whoever has the cookie, or came by the link to the seat; not whoever pressed, who plays on, nor others at the table."""

    async def visit(app: Any, one: Visitor, two: Visitor, phone: Visitor) -> None:
        table = await sat(app, Match(GAMES["fantome"], 2, seed=7), one, two, private=True)
        other = await sat(app, Match(GAMES["fantome"], 2, seed=7), two, one)
        links, theirs = [own_link(app, table, 0), own_link(app, other, 1)], own_link(app, table, 1)
        assert 303 == (await phone.post(links[0])).status_code
        before = one.cookie
        async with same(app, one) as thief, same(app, one) as reader:
            assert 200 == (await thief.get(f"/t/{table.id}")).status_code
            async with thief.live(table.id) as stolen, one.live(table.id) as own, two.live(table.id) as third:
                await stolen.next()
                await own.next()
                assert "signed out everywhere else" in await sign_out(one)
                assert await ended(stolen) and await ended(own)
                assert {two.id} == {subscriber.person for subscriber in table.subscribers}
                await third.next()
            for path in (f"/t/{table.id}/act", "/me", "/me/signout", "/me/delete"):
                answer = await thief.http.post(path, json={"do": "pick meg", "ply": 1, "nonce": thief.nonce, "sure": "1"})
                assert answer.status_code == 403, path
            assert 404 == (await thief.get(f"/t/{table.id}")).status_code
            assert thief.id != one.id, "a stranger from now on"
            assert (await reader.get("/me/export")).json()["person"] is None
        assert one.cookie != before and 2 == one.cookie.count(".")
        for link in links:
            assert 404 == (await phone.get(link)).status_code
        assert 404 == (await phone.get(f"/t/{table.id}")).status_code
        assert {one.id: 0, two.id: 1} == table.info.keys
        assert 200 == (await phone.get(theirs)).status_code, "the links of others are as they were"
        assert 204 == (await one.act(table.id, "pick meg", 1)).status_code
        async with one.live(table.id) as own:
            assert 2 == (await own.next())["ply"]
        # Once more, and everything else that one does with an account.
        await sign_out(one)
        assert 2 == (await one.get("/me/export")).json()["person"]["generation"]
        assert 303 == (await one.post("/me", {"name": "Ada"})).status_code
        assert "Ada" in (await one.get("/")).text
        gone = one.id
        assert 200 == (await one.post("/me/delete", {"sure": "1"})).status_code
        assert None is await services(app).storage.people.load(gone)

    visiting(tmp_path, 3, visit)


def test_a_device_that_came_by_a_link_signs_out_only_itself(tmp_path: Path) -> None:
    """Whoever plays at somebody else's seat has cookies of their own, and no say in that seat's links."""

    async def visit(app: Any, one: Visitor, phone: Visitor) -> None:
        table = await sat(app, Match(GAMES["fantome"], 2, seed=7), one, "random")
        link = own_link(app, table, 0)
        assert 303 == (await phone.post(link)).status_code
        await sign_out(phone)
        assert {one.id: 0, phone.id: 0} == (await services(app).tables.load(table.id)).info.keys
        assert 303 == (await one.get(link)).status_code

    visiting(tmp_path, 2, visit)


def test_the_seats_of_those_who_share_a_device(tmp_path: Path) -> None:
    """Their links are the host's, too."""

    async def visit(app: Any, one: Visitor, phone: Visitor) -> None:
        here = await one.create("fantome", "me", "here", name="Ada", names="Bruno")
        table = await services(app).tables.load(here)
        links = [own_link(app, table, seat) for seat in (0, 1)]
        assert 303 == (await phone.post(links[1])).status_code
        await sign_out(one)
        assert [404, 404] == [(await phone.get(link)).status_code for link in links]
        assert phone.id not in (await services(app).tables.load(here)).info.keys

    visiting(tmp_path, 2, visit)


def test_somebody_who_has_done_nothing_yet(tmp_path: Path) -> None:
    """Their cookie is void as well, before it is worth anything."""

    async def visit(app: Any, one: Visitor) -> None:
        async with same(app, one) as thief:
            await sign_out(one)
            assert 403 == (await thief.post("/me", {"name": "Thief"})).status_code
            assert 303 == (await one.post("/me", {"name": "Ada"})).status_code

    visiting(tmp_path, 1, visit)


def test_at_every_server(postgres: Postgres, tmp_path: Path) -> None:
    """What was kept of somebody elsewhere is dropped: the old cookie is refused there, the new one taken at once."""

    async def visit() -> None:
        chosen = settings(tmp_path, database=postgres.new())
        async with running(chosen) as here, running(chosen) as there, Visitor(here) as one, Visitor(here) as two:
            table = await sat(here, Match(GAMES["fantome"], 2, seed=7), one, two)
            async with same(there, one) as thief:
                assert 303 == (await thief.post("/me", {"theme": "dark"})).status_code, "kept in memory there"
                async with thief.live(table.id) as stolen:
                    await stolen.next()
                    await sign_out(one)
                    async with same(there, one) as elsewhere:
                        assert 303 == (await elsewhere.post("/me", {"theme": "light"})).status_code
                    assert await ended(stolen)

                async def is_refused() -> bool:
                    return (await thief.http.post("/me", data={"nonce": thief.nonce})).status_code == 403

                await eventually(is_refused, 5)

    asyncio.run(visit())


def test_at_a_server_that_did_not_hear_of_it(postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While its connection to the others is cut it asks the database; when it hears again, it ends what is to be ended."""

    async def visit() -> None:
        chosen = settings(tmp_path, database=postgres.new())
        async with running(chosen) as here, running(chosen) as there, Visitor(here) as one, Visitor(here) as two:
            table = await sat(here, Match(GAMES["fantome"], 2, seed=7), one, two)
            messages, database = services(there).pubsub, services(there).storage.database
            mended, new = asyncio.Event(), database.new_connection

            async def wait_and_connect() -> Any:
                await mended.wait()
                return await new()

            monkeypatch.setattr(database, "new_connection", wait_and_connect)
            async with same(there, one) as thief:
                assert 303 == (await thief.post("/me", {"theme": "dark"})).status_code
                async with thief.live(table.id) as stolen:
                    await stolen.next()
                    messages._raw.terminate()
                    await eventually(lambda: asyncio.sleep(0, messages._raw is None))
                    await sign_out(one)
                    assert 403 == (await thief.http.post("/me", data={"nonce": thief.nonce})).status_code
                    mended.set()
                    assert await ended(stolen)

    asyncio.run(visit())
