"""What a visitor sends does not stay: every cache has a bound, and a key that they cannot invent."""

from __future__ import annotations

import gc
import re
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from visitors import Visitor, sat, services, visiting

from ridotto.core import record
from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.present.narrator import LONGEST_NAME, clean_name
from ridotto.web.identity import Keys
from ridotto.web.live.cache import AsyncCache
from ridotto.web.live.state import FIRST_MESSAGES
from ridotto.web.live.table_writer import LONGEST_MATCH
from ridotto.web.server.hosts import FORGOTTEN, STRANGE, Hosts
from ridotto.web.settings import Settings
from ridotto.web.storage.table_settings import TableSettings
from ridotto.web.storage.tables import set_settings


def test_a_cache_forgets_what_was_not_asked_for_longest() -> None:
    cache = AsyncCache(2)
    made: list[str] = []

    def ask(key: str) -> str:
        return cache.now(key, lambda: made.append(key) or key)  # type: ignore[func-returns-value]

    assert ["a", "b", "a", "c", "a", "b"] == [ask(key) for key in "abacab"]
    assert ["a", "b", "c", "b"] == made, "b went, since a was asked for later"
    assert 2 == len(cache)


def test_results_that_were_waited_for_are_bounded_as_well(tmp_path: Path) -> None:
    async def visit(app: Any) -> None:
        cache = AsyncCache(3)

        async def work() -> int:
            return 1

        for key in range(10):
            await cache.get(key, work)
        assert 3 == len(cache)

    visiting(tmp_path, 0, visit)


def test_an_invented_ply_is_nothing_new(tmp_path: Path) -> None:
    """A page may come with any ply: those past the end are the end, and of earlier ones a few messages are kept."""

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        match = Match(GAMES["fantome"], 2, seed=7)
        for _ in range(3 * FIRST_MESSAGES):
            match.play(match.legal()[0])
        table = await sat(app, match, one, two)

        async def start(ply: int) -> str:
            async with two.live(table.id, query=f"ply={ply}") as stream:
                await stream.piece()
                return re.sub(r'"now":\d+', "", (await stream.piece()).decode())

        await start(match.ply)
        # A player who comes and goes makes states of their own; a spectator does not.
        async with one.live(table.id) as mine, two.live(table.id) as theirs:
            await mine.until(match.ply)
            await theirs.until(match.ply)
            state = table.state
            first = await start(match.ply)
            kept = len(state.messages)
            for ply in (10**6, 10**9, 10**18):
                assert first == await start(ply)
            for ply in range(1, match.ply):
                await start(ply)
            assert state is table.state, "nothing has happened at the table"
            assert kept == len(state.messages) and FIRST_MESSAGES == len(state.first_messages)

    visiting(tmp_path, 2, visit)


def base(hosts: Hosts, host: str, scheme: str = "http") -> str:
    """The address that links have for somebody who comes by a host."""
    scope = {"type": "http", "scheme": scheme, "path": "/", "headers": [(b"host", host.encode())], "server": ("127.0.0.1", 1)}
    return hosts.links(Request(scope), Keys(b"secret")).base


def test_links_have_one_of_few_addresses() -> None:
    """Names and numbers of this server with its port; a few that we do not know; for the rest, one of our own."""
    now = [0.0]
    hosts = Hosts(Settings(host="0.0.0.0", port=8765), clock=lambda: now[0])
    hosts.network = ["192.168.1.7"]
    assert "http://192.168.1.7:8765" == base(hosts, "192.168.1.7:8765")
    assert "http://192.168.1.7:8765" == base(hosts, "127.0.0.1:8765"), "others can use that one"
    strange = [f"203.0.113.{number}:80" for number in range(100)]
    assert all(hosts.is_ours(one) for one in strange)
    assert {f"http://{one}" for one in strange[:STRANGE]} | {"http://192.168.1.7:8765"} == {base(hosts, one) for one in strange}
    assert f"http://{strange[0]}" == base(hosts, strange[0]), "those who play by one that was taken in go on with it"
    assert "http://192.168.1.7:8765" == base(hosts, "192.168.1.7:9999"), "nor is a port invented"
    now[0] = FORGOTTEN + 1
    assert f"http://{strange[-1]}" == base(hosts, strange[-1])


def test_links_have_the_configured_address_when_numbers_run_out() -> None:
    hosts = Hosts(Settings(address="https://table.example"))
    for number in range(STRANGE):
        base(hosts, f"203.0.113.{number}")
    assert "https://table.example" == base(hosts, "198.51.100.1") == base(hosts, "table.example")


@pytest.mark.parametrize(
    "host", ["127.0.0.1:x", "127.0.0.1/evil", "a@127.0.0.1", "127.0.0.1:99999", "127.0.0.1?", "127.0.0.1#a"]
)
def test_what_is_no_host_is_not_ours(host: str) -> None:
    assert not Hosts(Settings()).is_ours(host)


def test_a_long_name_is_not_remembered() -> None:
    """Somebody may send a name of 60 KB ten thousand times: a name is cut before it is kept."""
    clean_name("warm")
    gc.collect()
    tracemalloc.start()
    try:
        for number in range(100):
            assert LONGEST_NAME >= len(clean_name(f"{number} " + "x" * 60_000))
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert 500_000 > kept, "6 MB were sent"


def long_match(entries: int) -> Match:
    """A match in which a decision was taken back again and again."""
    match = Match(GAMES["fantome"], 2, seed=7)
    while match.ply < entries - 1:
        match.play(match.legal()[0])
        match.undo()
    match.play(match.legal()[0])
    return match


@pytest.mark.parametrize("entries, status", [(LONGEST_MATCH - 3, 303), (LONGEST_MATCH + 2, 409)])
def test_a_match_is_not_taken_back_for_ever(entries: int, status: int, tmp_path: Path) -> None:
    """What a table costs grows with its entries, and only takebacks make many of them."""

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        match = long_match(entries)
        table, before = await sat(app, match, one, two), match.ply
        await services(app).writer.change(table, [set_settings(table.id, TableSettings(takebacks="free"))])
        answer = await (one, two)[match.entries[-1].seat or 0].post(f"/t/{table.id}/takeback")
        assert status == answer.status_code, answer.text
        assert ("taken back so often" in answer.text) == (status == 409)
        assert (table.match.ply > before) == (status == 303)

    visiting(tmp_path, 2, visit)


def test_a_record_that_is_brought_has_so_many_entries(tmp_path: Path) -> None:
    async def visit(app: Any, one: Visitor) -> None:
        answer = await one.post("/records", {"record": record.dump(record.write(long_match(LONGEST_MATCH + 2)))})
        assert 400 == answer.status_code and f"has {LONGEST_MATCH} entries at most" in answer.text

    visiting(tmp_path, 1, visit)


def test_a_closed_stream_leaves_no_circle_of_objects(tmp_path: Path) -> None:
    """Nothing of ours waits for the garbage collector when a browser has gone, whether or not the server was sending."""

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        table = await sat(app, Match(GAMES["fantome"], 2, seed=7), one, two)

        async def come_and_go() -> None:
            async with two.live(table.id) as stream:
                await stream.next()
            async with two.live(table.id):
                pass

        await come_and_go()
        gc.collect()
        gc.disable()
        try:
            for _ in range(5):
                await come_and_go()
            gc.set_debug(gc.DEBUG_SAVEALL)
            gc.collect()
            assert [] == [type(one).__name__ for one in gc.garbage if type(one).__module__.startswith("ridotto.web")]
        finally:
            gc.set_debug(0)
            gc.garbage.clear()
            gc.enable()

    visiting(tmp_path, 2, visit)
