"""Several people at one device."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from table_state import turn, visiting
from visitors import Visitor, services

from ridotto.core import record
from ridotto.games import GAMES
from ridotto.web.server.table_form import shared_seats


def test_one_device_shows_one_seat_at_a_time(tmp_path: Path) -> None:
    """Between turns nothing is shown and nothing can be done; whoever taps sees their own seat and no other."""

    async def visit(app: Any, one: Visitor) -> None:
        here = await one.create("fantome", "me", "here", name="Ada", names="Bruno, Chiara")
        table = await services(app).tables.load(here)
        assert ["Ada", "Bruno"] == [chair.name for chair in table.info.chairs]
        page = (await one.get(f"/t/{here}")).text
        assert "Hand the device to Ada" in page
        assert "data-key" not in page and "data-do" not in page and "pane-secret" not in page
        assert 403 == (await one.act(here, table.match.legal(0)[0], 1)).status_code
        assert 409 == (await one.post(f"/t/{here}/hand", {"seat": "1"})).status_code
        assert 303 == (await one.post(f"/t/{here}/hand", {"seat": "0"})).status_code
        page = (await one.get(f"/t/{here}")).text
        assert "data-do" in page and "pane-secret" not in page and "Hand the device" not in page
        async with one.live(here) as stream:
            await stream.next()
            while turn(table) == (0,):
                assert 204 == (await one.act(here, table.match.legal(0)[0], table.match.ply)).status_code
            message = await stream.until(table.match.ply)
        assert "Hand the device to Bruno" in message["parts"]["ask"]
        assert {""} == {text for name, text in message["parts"].items() if name != "ask"}
        assert not message["turn"] and "Bruno" in message["heading"]
        # The record that the device may have meanwhile is the one that anybody may have.
        assert (await one.get(f"/t/{here}/record")).text == record.dump(
            record.redact({**await services(app).storage.tables.document(here), "names": ["Ada", "Bruno"]}, None, GAMES)
        )
        await one.post(f"/t/{here}/hand", {"seat": "1"})
        page = (await one.get(f"/t/{here}")).text
        assert "pane-secret" in page and "data-do" in page

    visiting(tmp_path, 1, visit)


def test_secret_choices_on_one_device(tmp_path: Path) -> None:
    """Where all choose at once, the device goes round: each bids in turn, and nobody sees another's bid."""

    async def visit(app: Any, one: Visitor) -> None:
        here = await one.create("opera", "me", "here", "here", name="Ada", names="Bruno,Chiara")
        table = await services(app).tables.load(here)
        for seat, name in enumerate(("Ada", "Bruno", "Chiara")):
            page = (await one.get(f"/t/{here}")).text
            assert f"Hand the device to {name}" in page and "data-do" not in page
            assert 303 == (await one.post(f"/t/{here}/hand", {"seat": str(seat)})).status_code
            page = (await one.get(f"/t/{here}")).text
            assert 'data-do="bid 3"' in page
            bid = await one.act(here, f"bid {5 - seat}", table.match.ply)
            assert 204 == bid.status_code
        assert ["bid 5", "bid 4", "bid 3"] == [entry.do for entry in table.match.entries[1:]]
        assert (0,) == turn(table)
        assert "Hand the device to Ada" in (await one.get(f"/t/{here}")).text

    visiting(tmp_path, 1, visit)


def test_a_rematch_on_one_device(tmp_path: Path) -> None:
    """Everybody goes one seat further, still on the same device."""

    async def visit(app: Any, one: Visitor) -> None:
        here = await one.create("fantome", "me", "here", name="Ada", names="Bruno")
        await one.post(f"/t/{here}/hand", {"seat": "0"})
        assert 303 == (await one.post(f"/t/{here}/resign")).status_code
        again = (await one.post(f"/t/{here}/rematch")).headers["location"].removeprefix("/t/")
        table = await services(app).tables.load(again)
        assert ["Bruno", "Ada"] == [chair.name for chair in table.info.chairs]
        assert "Hand the device to Bruno" in (await one.get(f"/t/{again}")).text

    visiting(tmp_path, 1, visit)


def test_who_sits_beside() -> None:
    """One person alone shares nothing."""
    assert () == shared_seats(["me", "open"])
    assert (0, 2) == shared_seats(["me", "friend", "here"])
    assert (1, 2) == shared_seats(["bot:level:1", "me", "me"])
