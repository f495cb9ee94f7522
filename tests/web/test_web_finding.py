"""Finding each other: who waits, who is near in strength, a bot if nobody comes, and who can be watched."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from members import Browser, clubbing
from visitors import eventually, sat, services

from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.web.storage.schema import ratings


async def strong(app: Any, who: Browser, name: str, points: float) -> None:
    """A member with a rating at Le Fantôme, in both roles."""
    await who.codes(name=name)
    await who.get("/")
    async with services(app).storage.database.writing() as connection:
        row = {"person": who.id, "game": "fantome", "points": points, "error": 60.0, "matches": 20.0, "day": 0.0}
        await connection.execute(ratings.insert(), [{**row, "role": role} for role in ("inspector", "phantom")])


async def find(who: Browser, **form: str) -> str:
    answer = await who.post("/find", {"game": "fantome", **form})
    assert 303 == answer.status_code, answer.text
    return str(answer.headers["location"]).removeprefix("/t/")


def test_two_who_look_for_an_opponent_find_each_other(tmp_path: Path) -> None:
    async def visit(app: Any, one: Browser, two: Browser) -> None:
        table = await find(one)
        async with one.live(table) as stream:
            await stream.next()
            page = (await two.get("/")).text
            assert "Waiting now" in page and f"/t/{table}" in page
            assert "An opponent is being looked for" in (await one.get(f"/t/{table}")).text
            assert table == await find(two)
            info = (await services(app).tables.load(table)).info
            assert {one.id, two.id} == {chair.person for chair in info.chairs}
        assert table != await find(two), "nobody waits there any more"

    clubbing(tmp_path, 2, visit)


def test_the_nearest_in_strength_is_found(tmp_path: Path) -> None:
    """Of two who wait; whoever is far away is left to somebody else, until they have waited for long; casual is not rated."""
    now = [1_800_000_000.0]

    async def visit(app: Any, weak: Browser, good: Browser, best: Browser, late: Browser) -> None:
        await strong(app, weak, "Anna", 900)
        await strong(app, good, "Bruno", 1400)
        await strong(app, best, "Carla", 1550)
        await strong(app, late, "Dora", 1500)
        theirs = [await find(who, rated="1") for who in (weak,)]
        async with weak.live(theirs[0]):
            theirs.append(await find(good, rated="1"))
            assert theirs[0] != theirs[1], "500 points are too many at once"
            async with good.live(theirs[1]):
                assert "Bruno (1400 ± " in (await late.get("/")).text
                theirs.append(await find(late))
                assert theirs[2] not in theirs[:2], "these are rated"
                async with late.live(theirs[2]):
                    assert theirs[1] == await find(best, rated="1")
            now[0] += 16
            await late.post(f"/t/{theirs[2]}/resign")
            assert theirs[0] == await find(late, rated="1"), "anybody will do after a while"

    clubbing(tmp_path, 4, visit, clock=lambda: now[0], seek_seconds=30.0)


def test_a_bot_of_ones_strength_comes_if_nobody_does(tmp_path: Path) -> None:
    """While one waits at the table; with one's own strength in that role."""

    async def visit(app: Any, one: Browser, away: Browser) -> None:
        measured = GAMES["fantome"].tuning.ratings[2]
        await strong(app, one, "Anna", measured[4] + 1)
        left = await find(away)
        table = await find(one, rated="1")

        async def is_full() -> bool:
            return bool((await services(app).tables.load(table)).info.is_full)

        async with one.live(table):
            await eventually(is_full)
        assert "level:5" in {chair.bot for chair in (await services(app).tables.load(table)).info.chairs}
        assert not (await services(app).tables.load(left)).info.is_full, "nobody is there"

    clubbing(tmp_path, 2, visit, seek_seconds=0.2)


def test_who_waited_when_a_server_ended_is_not_forgotten(tmp_path: Path) -> None:
    async def begin(app: Any, one: Browser) -> None:
        who.append((one.http.cookies, await find(one)))

    who: list[Any] = []
    clubbing(tmp_path, 1, begin, seek_seconds=0.2)

    async def go_on(app: Any, one: Browser) -> None:
        one.http.cookies, table = who[0]

        async def is_full() -> bool:
            return bool((await services(app).tables.load(table)).info.is_full)

        async with one.live(table):
            services(app).matchmaker.open()
            await eventually(is_full)

    clubbing(tmp_path, 1, go_on, seek_seconds=0.2)


def test_what_is_played_now_can_be_watched(tmp_path: Path) -> None:
    """Public matches of people, with how many watch; neither private ones nor practice against bots."""

    async def visit(app: Any, one: Browser, two: Browser, three: Browser) -> None:
        public = await sat(app, Match(GAMES["fantome"], 2, seed=7), one, two)
        private = await sat(app, Match(GAMES["fantome"], 2, seed=7), one, two, private=True)
        practice = await sat(app, Match(GAMES["fantome"], 2, seed=7), one, "level:1")
        async with three.live(public.id) as stream:
            await stream.next()
            page = (await Browser(app).get("/")).text
        assert "Playing now" in page and f"/t/{public.id}" in page and "1 watches" in page
        assert private.id not in page and practice.id not in page

    clubbing(tmp_path, 3, visit)


def test_friends_who_are_here_come_first(tmp_path: Path) -> None:
    async def visit(app: Any, one: Browser, two: Browser, three: Browser) -> None:
        for who, name in ((one, "Anna"), (two, "Bruno"), (three, "Carla")):
            await who.codes(name=name)
            await who.get("/")
        for name in ("Bruno", "Carla"):
            await one.post(f"/p/{name}/friend", {"on": "1"})
        table = await sat(app, Match(GAMES["fantome"], 2, seed=7), three, "level:1")
        async with three.live(table.id) as stream:
            await stream.next()
            page = (await one.get("/")).text
        assert re.search(r'href="/p/Carla" class="present">Carla \(at a table\).*href="/p/Bruno"', page)

    clubbing(tmp_path, 3, visit)
