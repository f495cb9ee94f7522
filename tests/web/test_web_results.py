"""Results and ratings of tables, the pages of players, and one's own matches."""

from __future__ import annotations

import asyncio
import io
import json
import random
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from members import Browser, clubbing
from visitors import eventually, sat, services, visiting

from ridotto.club.ratings import Rating, update
from ridotto.core import record
from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.web.live.table import Table
from ridotto.web.storage.results import ResultLine

FANTOME, OPERA = GAMES["fantome"], GAMES["opera"]


async def play(app: Any, match: Match, *who: Any, rated: bool = True, private: bool = False, winner: int = 1) -> Table:
    """A table at which everybody decides something and somebody resigns, with its results."""
    dice = random.Random(1)
    while {entry.seat for entry in match.entries} < {None, *range(match.seats)}:
        seat = match.to_act[0]
        match.play(dice.choice(list(match.legal(seat))), seat)
    table = await sat(app, match, *who, private=private, rated=rated)
    loser = next(seat for seat, one in enumerate(who) if seat != winner and isinstance(one, Browser))
    await services(app).writer.leave(table, loser)
    await services(app).scorer.catch_up()
    return await services(app).tables.load(table.id)


async def lines(app: Any, who: Browser) -> list[ResultLine]:
    return await services(app).storage.results.lines(who.id, with_private=True)


async def rating(app: Any, who: Browser, role: str = "") -> float | None:
    found = [one.points for one in await services(app).storage.results.ratings(who.id) if one.role == role]
    return found[0] if found else None


def fantome(seed: int = 7) -> Match:
    return Match(FANTOME, 2, seed=seed)


def test_a_rated_match_counts_once(tmp_path: Path) -> None:
    """By the formula of the library; the table says so; nothing counts twice, and roles are apart."""

    async def visit(app: Any, one: Browser, two: Browser) -> None:
        await one.codes(name="Anna")
        await two.codes(name="Bruno")
        table = await play(app, fantome(), one, two)
        new = Rating(1000.0, 350.0)
        expected = update([new, new], [0.0, 1.0])
        assert [expected[0].points, expected[1].points] == pytest.approx(
            [await rating(app, one, "inspector"), await rating(app, two, "phantom")]
        )
        assert None is await rating(app, one, "phantom")
        change = round(expected[1].points) - 1000
        page = (await one.get(f"/t/{table.id}")).text
        assert f"Bruno {1000 + change} (+{change})" in page and f"Anna {1000 - change} (−{change})" in page
        assert not await services(app).storage.results.score(table.id, FANTOME), "it is done"
        (line,) = await lines(app, two)
        assert ("counted", 1.0, 1) == (line.verdict, line.share, line.seat)

    clubbing(tmp_path, 2, visit)


@pytest.mark.parametrize("how", ["casual", "guest", "same browser", "not begun", "same address"])
def test_what_does_not_count(how: str, tmp_path: Path) -> None:
    """A casual match, one with a guest, with one's own second account, one in which somebody has decided nothing; two of one
    household are counted, and shown to the host."""

    async def visit(app: Any, one: Browser, two: Browser) -> None:
        await one.codes(name="Anna")
        if how == "guest":
            await two.post("/me", {"name": "Bruno"})
        else:
            if how == "same browser":
                two.http.cookies.set("ridotto-browser", one.http.cookies["ridotto-browser"], domain="localhost.local")
            await two.codes(name="Bruno")
        match = fantome()
        if how == "not begun":
            table = await sat(app, match, one, two, rated=True)
            await services(app).writer.leave(table, 0)
            await services(app).scorer.catch_up()
        else:
            await play(app, match, one, two, rated=how != "casual")
        (line,) = await lines(app, one)
        expected = {"same browser": "same owner", "not begun": "not begun", "same address": "counted"}.get(how, "casual")
        assert expected == line.verdict
        assert (line.after is not None) == (expected == "counted")
        flags = {one["reason"] for one in await services(app).storage.results.flags()}
        assert {"same browser": {"browser", "address"}, "casual": set(), "guest": set()}.get(how, {"address"}) == flags

    clubbing(tmp_path, 2, visit)


def test_bots_are_anchors_and_leaving_is_losing(tmp_path: Path) -> None:
    """Against a bot of known strength; whoever leaves a table where a bot plays on has lost, whatever the bot wins."""

    async def visit(app: Any, one: Browser) -> None:
        await one.codes(name="Anna")
        await play(app, fantome(), one, "level:6")
        measured = FANTOME.tuning.ratings[2][5]
        expected = update([Rating(1000.0, 350.0), Rating(measured, 0.0)], [0.0, 1.0])[0].points
        assert expected == pytest.approx(await rating(app, one, "inspector"))
        (line,) = await lines(app, one)
        assert not line.stayed

    clubbing(tmp_path, 1, visit)


def test_results_follow_a_crash(tmp_path: Path) -> None:
    """What ended while nobody scored is scored at the next look, in the order in which it ended, once."""

    async def visit(app: Any, one: Browser, two: Browser) -> None:
        await one.codes(name="Anna")
        await two.codes(name="Bruno")
        scorer = services(app).scorer
        async with scorer._lock:  # as if the server died before it could
            ended = []
            for seed in (1, 2):
                table = await sat(app, fantome(seed), one, two)
                await services(app).writer.leave(table, 0)
                ended.append(table.id)
            await asyncio.sleep(0)
            assert [] == await lines(app, one)
        await scorer.catch_up()
        assert set(ended) == {line.table for line in await lines(app, one)}
        assert [] == await services(app).storage.results.unscored(9)

    clubbing(tmp_path, 2, visit)


def test_the_rule_against_giving_wins_away(tmp_path: Path) -> None:
    """The fourth one-sided win against somebody new counts half, and the host sees the pair: as the library itself has it."""

    now = [1_800_000_000.0]

    async def visit(app: Any, one: Browser, two: Browser) -> None:
        await one.codes(name="Anna")
        await two.codes(name="Bruno")
        weights = []
        for seed in range(5):
            now[0] += 60
            await play(app, fantome(seed), one, two)
        for line in reversed(await lines(app, two)):
            weights.append(line.verdict)
        assert ["counted"] * 3 + ["one-sided"] * 2 == weights
        assert "one-sided" in {one["reason"] for one in await services(app).storage.results.flags()}

    clubbing(tmp_path, 2, visit, clock=lambda: now[0])


def test_who_sits_at_a_rated_table(tmp_path: Path) -> None:
    """Members alone; no takebacks, no hints; a rematch is rated as well."""

    async def visit(app: Any, one: Browser, guest: Browser) -> None:
        form = {"game": "fantome", "seat0": "me", "seat1": "open", "rated": "1"}
        assert 400 == (await guest.post("/tables", form)).status_code
        await one.codes(name="Anna")
        await one.get("/")
        for bad in ({"seat1": "here"}, {"seat0": "bot:level:1", "seat1": "bot:level:1"}):
            assert 400 == (await one.post("/tables", {**form, **bad})).status_code, bad
        table = (await one.post("/tables", {**form, "takebacks": "free", "hints": "all"})).headers["location"]
        info = (await services(app).tables.load(table.removeprefix("/t/"))).info
        assert (True, "never", "none") == (info.rated, info.settings.takebacks, info.settings.hints)
        refused = await guest.post(f"{table}/sit", {"seat": "1"})
        assert 403 == refused.status_code and "sign in" in refused.text
        await guest.codes(name="Bruno")
        await guest.get("/")
        assert 303 == (await guest.post(f"{table}/sit", {"seat": "1"})).status_code
        await one.post(f"{table}/resign")
        again = (await guest.post(f"{table}/rematch")).headers["location"]
        assert (await services(app).tables.load(again.removeprefix("/t/"))).info.rated

    clubbing(tmp_path, 2, visit)


# Pages.


def test_the_page_of_a_player(tmp_path: Path) -> None:
    """Matches, head to head, ratings over time; private tables for oneself alone; nothing for others if it is hidden."""

    async def visit(app: Any, one: Browser, two: Browser) -> None:
        await one.codes(name="Anna Ahle")
        await two.codes(name="Bruno")
        await two.get("/")
        public = await play(app, fantome(1), one, two)
        await play(app, fantome(2), one, two)
        hidden = await play(app, Match(OPERA, 2, seed=1), one, two, rated=False, private=True)
        for who, sees in ((one, True), (two, False)):
            page = (await who.get("/p/Anna%20Ahle")).text
            assert f"/t/{public.id}/replay" in page and (f"/t/{hidden.id}" in page) == sees
            assert 'href="/p/Bruno"' in page and "curve-line" in page
        assert "/p/Anna%20Ahle" == (await two.get("/p/ANNA ahle")).headers["location"]
        page = (await one.get("/p/Anna%20Ahle?game=opera&outcome=lost")).text
        assert f"/t/{hidden.id}" in page and f"/t/{public.id}" not in page
        assert f"/t/{public.id}" not in (await one.get("/p/Anna%20Ahle?who=carla")).text
        assert f"/t/{public.id}" in (await one.get("/p/Anna%20Ahle?who=brun&kind=rated&page=99")).text
        await one.post("/me", {"hidden": "1"})
        assert 404 == (await two.get("/p/Anna%20Ahle")).status_code
        assert 200 == (await one.get("/p/Anna%20Ahle")).status_code
        assert 'href="/p/Anna' not in (await two.get("/p/Bruno")).text
        assert 404 == (await two.get("/p/Nobody")).status_code

    clubbing(tmp_path, 2, visit)


def test_guests_have_their_matches_and_take_them_along(tmp_path: Path) -> None:
    """One file with the records; each verifies, with the names of then."""

    async def visit(app: Any, one: Browser, two: Browser) -> None:
        await one.post("/me", {"name": "Anna"})
        over = [await play(app, fantome(seed), one, "level:1", rated=False) for seed in (1, 2)]
        await one.post("/me", {"name": "Carla"})
        page = (await one.get("/matches")).text
        assert all(f"/t/{table.id}" in page for table in over)
        answer = await one.get("/matches/records.zip")
        with zipfile.ZipFile(io.BytesIO(answer.content)) as file:
            assert {f"fantome-{table.id}.json" for table in over} == set(file.namelist())
            for name in file.namelist():
                document = json.loads(file.read(name))
                assert "Anna" == document["names"][0]
                match, _ = record.read(document, GAMES)
                assert not match.to_act
        assert "0 matches" in (await two.get("/matches")).text

    visiting(tmp_path / "guests", 0, lambda app: _with(app, visit), club=False)


async def _with(app: Any, visit: Any) -> None:
    browsers = [Browser(app), Browser(app)]
    for one in browsers:
        await one.get("/")
    await visit(app, *browsers)
    for one in browsers:
        await one.http.aclose()


def test_a_challenge_waits_for_whoever_is_away(tmp_path: Path) -> None:
    """They find it on their start page, and accept or decline it; others cannot take the chair."""

    async def visit(app: Any, one: Browser, two: Browser, three: Browser) -> None:
        await one.codes(name="Anna")
        await two.codes(name="Bruno")
        await one.get("/"), await two.get("/")
        table = (await one.post("/p/Bruno/challenge", {"game": "fantome"})).headers["location"]
        assert "you are challenged" in (await two.get("/")).text
        assert table not in (await three.get("/")).text and 404 == (await three.get(table)).status_code
        assert "Accept the challenge" in (await two.get(table)).text
        assert 303 == (await two.post(f"{table}/sit", {"seat": "1"})).status_code
        assert two.id == (await services(app).tables.load(table.removeprefix("/t/"))).info.chairs[1].person
        refused = (await one.post("/p/Bruno/challenge", {"game": "opera", "rated": "1"})).headers["location"]
        assert (await two.post(f"{refused}/decline")).status_code in (204, 303)
        for _ in range(12):
            last = await one.post("/p/Bruno/challenge", {"game": "fantome"})
        assert 409 == last.status_code
        assert 409 == (await one.post("/p/Anna/challenge", {"game": "fantome"})).status_code

    clubbing(tmp_path, 3, visit)


def test_friends(tmp_path: Path) -> None:
    async def visit(app: Any, one: Browser, two: Browser) -> None:
        await one.codes(name="Anna")
        await two.codes(name="Bruno")
        await one.get("/")
        assert 303 == (await one.post("/p/Bruno/friend", {"on": "1"})).status_code
        assert [(two.id, "Bruno")] == await services(app).storage.members.friends(one.id)
        assert "No friend any more" in (await one.get("/p/Bruno")).text
        await one.post("/p/Bruno/friend", {"on": "0"})
        assert [] == await services(app).storage.members.friends(one.id)

    clubbing(tmp_path, 2, visit)


def test_a_match_is_scored_without_anybody_asking(tmp_path: Path) -> None:
    """A moment after its end the page has it, over the live connection as well."""

    async def visit(app: Any, one: Browser, two: Browser) -> None:
        await one.codes(name="Anna")
        await two.codes(name="Bruno")
        await one.get("/"), await two.get("/")
        table = await sat(app, fantome(), one, two)
        await one.post(f"/t/{table.id}/resign")

        async def found() -> bool:
            return re.search(rf"/t/{table.id}", (await two.get("/p/Bruno")).text) is not None

        await eventually(found)

    clubbing(tmp_path, 2, visit)
