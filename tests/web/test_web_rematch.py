"""A rematch is offered by one and accepted, or declined, by the others; no clock runs before everybody sits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from table_state import TEN, Time, agreed, going, left, notes, visiting
from visitors import Visitor, sat, services

from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.web.live.table import Table


def resigned(name: str, seats: int) -> Match:
    """A match that is over."""
    match = Match(GAMES[name], seats)
    match.resign(0)
    return match


async def offered(app: Any, table: Table, by: Visitor) -> Table:
    """The table of the rematch that somebody offers."""
    answer = await by.post(f"/t/{table.id}/rematch")
    assert 303 == answer.status_code
    return await services(app).tables.load(answer.headers["location"].removeprefix("/t/"))


def test_a_rematch_is_accepted(database: str, tmp_path: Path) -> None:
    """The other is asked on the page of the old table, in the lobby and at the new one; then the clock runs, sides changed."""
    time = Time()

    async def visit(app: Any, one: Visitor, two: Visitor, three: Visitor) -> None:
        await one.post("/me", {"name": "Ada"})
        await two.post("/me", {"name": "Bruno"})
        table = await agreed(app, resigned("fantome", 2), one, two, clock=TEN)
        assert "Accept the rematch" not in (await two.get(f"/t/{table.id}")).text
        new = await offered(app, table, one)
        assert ("open", {one.id: 1, two.id: None}, set()) == (new.info.state, new.info.keys, going(new))
        assert ["person", "free"] == [new.info.chairs[seat].kind for seat in (1, 0)]
        assert ["rematch"] == notes(table)
        waiting = (await one.get(f"/t/{new.id}")).text
        assert "Waiting for Bruno" in waiting and "Accept the rematch" not in waiting
        assert "Accept the rematch" not in (await one.get(f"/t/{table.id}")).text
        asked = (await two.get(f"/t/{table.id}")).text
        assert "Ada offers a rematch." in asked and f'action="/t/{table.id}/rematch"' in asked
        assert "You are offered a rematch." in (await two.get(f"/t/{new.id}")).text
        assert f"/t/{new.id}" in (await two.get("/")).text.partition("</main>")[0]
        assert 403 == (await three.post(f"/t/{new.id}/sit", {"seat": "0"})).status_code
        assert 403 == (await three.post(f"/t/{table.id}/rematch")).status_code
        time.now += 5000
        assert f"/t/{new.id}" == (await two.post(f"/t/{table.id}/rematch")).headers["location"]
        assert ("playing", {one.id: 1, two.id: 0}) == (new.info.state, new.info.keys)
        assert ({0}, {0: 600, 1: 600}) == (going(new), left(app, new))
        assert f"/t/{new.id}" == (await two.post(f"/t/{table.id}/rematch")).headers["location"]

    visiting(tmp_path, 3, visit, database=database, clock=time)


def test_a_rematch_is_declined(tmp_path: Path) -> None:
    """Then the chair is free for anybody with its link, both tables note it, and it cannot be declined twice."""

    async def visit(app: Any, one: Visitor, two: Visitor, three: Visitor) -> None:
        table = await sat(app, resigned("fantome", 2), one, two, private=True)
        new = await offered(app, table, one)
        assert 404 == (await three.post(f"/t/{new.id}/decline")).status_code
        assert 409 == (await one.post(f"/t/{new.id}/decline")).status_code
        assert 303 == (await two.post(f"/t/{new.id}/decline")).status_code
        assert (["declines"], ["rematch", "declines"]) == (notes(new), notes(table))
        assert None is new.info.chairs[0].person and "open" == new.info.state
        assert "Accept the rematch" not in (await two.get(f"/t/{table.id}")).text
        assert 409 == (await two.post(f"/t/{new.id}/decline")).status_code
        page = (await one.get(f"/t/{new.id}")).text
        assert "Waiting for players." in page
        link = page.partition(f"/t/{new.id}/sit/")[2][:32]
        assert 303 == (await three.post(f"/t/{new.id}/sit/{link}")).status_code
        assert ("playing", 0) == (new.info.state, new.info.keys[three.id])

    visiting(tmp_path, 3, visit)


def test_against_bots_it_begins_at_once(tmp_path: Path) -> None:
    """Nobody has to be asked."""

    async def visit(app: Any, one: Visitor) -> None:
        new = await offered(app, await sat(app, resigned("opera", 3), one, "random", "random"), one)
        assert ("playing", {one.id: 1}) == (new.info.state, new.info.keys)

    visiting(tmp_path, 1, visit)


def test_from_another_device(tmp_path: Path) -> None:
    """Whoever opened their seat by its own link on another device offers and accepts there too."""

    async def visit(app: Any, one: Visitor, two: Visitor, phone: Visitor, tablet: Visitor) -> None:
        table = await sat(app, resigned("fantome", 2), one, two)
        for visitor, device in ((one, phone), (two, tablet)):
            link = (await visitor.get(f"/t/{table.id}")).text.partition(f"/t/{table.id}/me/")[2][:32]
            assert 303 == (await device.post(f"/t/{table.id}/me/{link}")).status_code
        new = await offered(app, table, phone)
        assert {one.id: 1, phone.id: 1, two.id: None, tablet.id: None} == new.info.keys
        await offered(app, table, tablet)
        assert ("playing", 0) == (new.info.state, new.info.keys[tablet.id])

    visiting(tmp_path, 4, visit)


def test_several_at_one_device_and_one_elsewhere(tmp_path: Path) -> None:
    """Those who share a device need no button of their own: its holder accepts for them."""

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        here = await one.create("opera", "me", "here", "open", name="Ada", names="Chiara", leaving="resign")
        await two.post(f"/t/{here}/sit", {"seat": "2"})
        await two.post(f"/t/{here}/resign")
        table = await services(app).tables.load(here)
        new = await offered(app, table, two)
        assert ["person", "free", "person"] == [chair.kind for chair in new.info.chairs]
        await offered(app, table, one)
        assert ("playing", (1, 2)) == (new.info.state, new.info.settings.shared_seats)

    visiting(tmp_path, 2, visit)
