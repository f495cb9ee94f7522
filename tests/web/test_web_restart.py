"""After a restart all pages come at once: tables are loaded once each, and a page is sent what it misses and no more."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from visitors import Visitor, eventually, running, sat, services, settings

from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.web.live import loading, state
from ridotto.web.live.drawing import DRAWING, Drawing
from ridotto.web.live.fair_queue import Asker, FairQueue
from ridotto.web.live.table import Subscriber
from ridotto.web.storage.tables import TableStorage


@asynccontextmanager
async def come_back(app: Any, *before: Visitor) -> AsyncIterator[list[Visitor]]:
    """The browsers of visitors at a server that was started again."""
    people = []
    for one in before:
        found = Visitor(app)
        found.http.cookies, found.nonce = one.http.cookies, one.nonce
        people.append(found)
    try:
        yield people
    finally:
        for one in people:
            await one.http.aclose()


def number(page: str) -> str:
    found = re.search(r'data-state="(\d+)"', page)
    assert found
    return found[1]


@pytest.mark.parametrize("change", ["none", "an action", "other sources"])
def test_a_page_that_was_open_keeps_what_it_shows(change: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that shows the very state of the table is told who is there; its picture and its log are neither drawn nor sent.
    One that shows anything else, or was drawn by another version, is sent everything. Either is sent what comes next."""
    given = settings(tmp_path)

    async def visit() -> None:
        async with running(given) as app, Visitor(app) as one, Visitor(app) as two:
            which = (await sat(app, Match(GAMES["fantome"], 2, seed=7), one, two)).id
            async with one.live(which) as mine, two.live(which) as theirs:
                await mine.next()
                shown = (await theirs.next())["number"]
            if change == "an action":
                assert 204 == (await one.act(which, "pick meg", 1)).status_code
        if change == "other sources":
            monkeypatch.setattr(state, "pages_version", lambda game: "later")
        async with running(given) as app, come_back(app, one, two) as (one, two):
            ply = 1
            async with two.live(which, query=f"ply=1&state={shown}") as stream:
                message = await stream.next()
                table = services(app).tables.cached(which)
                assert table is not None
                if change == "none":
                    assert (shown, 1) == (message["since"], message["ply"])
                    assert not {"scene", "log", "heading", "steps"} & set(message) and not {"log", "since"} & set(
                        message["parts"]
                    )
                    assert {"0", "1"} == set(message["people"]) and "away" in message["people"]["0"]
                    assert not table.state.logs, "the log was put into words for nobody"
                    async with one.live(which, query=f"ply=1&state={shown}") as other:
                        # The last to come finds the table as it was: there is nothing to be told.
                        assert "event: table" not in "".join([str(await other.text()), str(await other.text())])
                        assert "away" not in (await stream.next())["people"]["0"]
                else:
                    assert "since" not in message and message["scene"]["whole"]
                    assert {"log", "people", "ask"} <= set(message["parts"])
                if change == "an action":
                    ply = 2
                else:
                    assert 204 == (await one.act(which, "pick meg", 1)).status_code
                    message = await stream.until(2)
                    assert "whole" not in message["scene"] and 1 == len(message["log"]), "only what was done"
                assert 2 == table.match.ply and ply <= 2

    asyncio.run(visit())


def test_the_number_of_a_state_is_that_of_what_it_shows(tmp_path: Path) -> None:
    """The same is shown by the same number, before and after a restart; a line of chat changes it not, everything else does."""
    given, numbers = settings(tmp_path), list[int]()

    async def visit() -> None:
        async with running(given) as app, Visitor(app) as one, Visitor(app) as two:
            table = await sat(app, Match(GAMES["fantome"], 2, seed=7), one, two)
            numbers.append(int(number((await one.get(f"/t/{table.id}")).text)))
            said = await one.post(f"/t/{table.id}/talk", {"text": "Good evening"}, headers={"accept": "*/*"})
            assert 204 == said.status_code, said.text
            numbers.append(int(number((await one.get(f"/t/{table.id}")).text)))
            assert numbers[0] == numbers[1]
            assert 204 == (await one.act(table.id, "pick meg", 1)).status_code
            numbers.append(int(number((await one.get(f"/t/{table.id}")).text)))
            await two.post("/me", {"name": "Nellie"})
            numbers.append(int(number((await one.get(f"/t/{table.id}")).text)))
            async with two.live(table.id) as stream:
                numbers.append((await stream.next())["number"])
                assert table.state.shows_same(numbers[3])
            assert 4 == len(set(numbers)) and max(numbers) < 2**53, "a browser reads it exactly"
        async with running(given) as app, come_back(app, one) as (one,):
            assert numbers[3] == int(number((await one.get(f"/t/{table.id}")).text))

    asyncio.run(visit())


def test_a_table_is_one_object_whoever_gives_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many who wait for a table to be loaded some go away: the others are connected to one and the same, or they would not
    hear of what happens at it. Whoever has waited while it left memory is told to come again."""
    reads, go_on = [], asyncio.Event()
    original = TableStorage.load

    async def slow(self: TableStorage, id: str) -> Any:
        reads.append(id)
        await go_on.wait()
        return await original(self, id)

    async def visit() -> None:
        async with running(settings(tmp_path)) as app, Visitor(app) as one:
            tables = services(app).tables
            first = await sat(app, Match(GAMES["fantome"], 2, seed=7), one, "")
            tables._tables.clear()
            with monkeypatch.context() as patched:
                patched.setattr(TableStorage, "load", slow)
                waiting = [asyncio.create_task(tables.load(first.id)) for _ in range(3)]
                await eventually(lambda: asyncio.sleep(0, bool(reads)))
                waiting[0].cancel()  # the one for whom it is read
                await asyncio.sleep(0.01)
                waiting.append(asyncio.create_task(tables.load(first.id)))
                await eventually(lambda: asyncio.sleep(0, len(reads) > 1))
                await asyncio.sleep(0.01)
                go_on.set()
                found = await asyncio.gather(*waiting[1:])
            assert 1 == len({id(table) for table in found}) and found[0] is tables.cached(first.id)
            assert services(app).presence.connect(first, one.id).is_over, "nobody publishes this one any more"
            assert not services(app).presence.connect(found[0], one.id).is_over

    asyncio.run(visit())


def test_tables_that_somebody_waits_for_are_loaded_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots that owe decisions at many tables stand behind whoever comes, though that one's table is among them; and who waits
    for many stands behind who waits for one."""
    order = list[str]()
    original = TableStorage.load

    async def noted(self: TableStorage, id: str) -> Any:
        order.append(id)
        return await original(self, id)

    async def visit() -> None:
        async with running(settings(tmp_path)) as app, Visitor(app) as one:
            tables, queue = services(app).tables, FairQueue(2)
            ids = [(await sat(app, Match(GAMES["fantome"], 2, seed=7), one, "")).id for _ in range(8)]
            tables._tables.clear()
            monkeypatch.setattr(TableStorage, "load", noted)

            async def load(which: str, asker: Asker | None) -> None:
                DRAWING.set(None if asker is None else Drawing(queue, asker, 100))
                await tables.load(which)

            nobody = [asyncio.create_task(load(which, None)) for which in ids]
            await asyncio.sleep(0)
            many = [asyncio.create_task(load(which, Asker("many", "a"))) for which in ids[5:2:-1]]
            few = asyncio.create_task(load(ids[7], Asker("few", "b")))
            await asyncio.gather(*nobody, *many, few)
            assert sorted(ids) == sorted(set(order))
            begun = loading.SLOTS - 1  # those for whom nobody waits never have all the turns
            assert ids[:begun] == order[:begun]
            assert {ids[7], ids[5]} == set(order[begun : begun + 2]), order
            assert set(ids[3:6]) < set(order[begun : begun + 4])

    asyncio.run(visit())


def test_a_slow_page_is_told_the_latest_of_those_who_come() -> None:
    """States that differ in nothing but who is there are left out where a later one waits; others are not."""

    class State:
        def __init__(self, serial: int) -> None:
            self.serial = serial

        shows_same = state.TableState.shows_same

    states: list[Any] = [
        State(content << state.THERE_BITS | there) for content, there in ((1, 1), (1, 2), (1, 3), (2, 3), (2, 4))
    ]
    subscriber = Subscriber("somebody")
    for one in states:
        subscriber.send(one)

    async def read() -> list[Any]:
        return [await subscriber.next(1.0) for _ in range(2)]

    assert [states[2], states[4]] == asyncio.run(read())
    assert not subscriber.waiting
