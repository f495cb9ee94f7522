"""The deal of a table: everybody commits, then the shares are shown, then it is dealt; the secret is shown at the end alone."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner
from visitors import Visitor, eventually, running, services, settings, visiting

from ridotto.cli import cli
from ridotto.core.fair import commit_to_share
from ridotto.core.verify import Receipt, verify
from ridotto.games import GAMES
from ridotto.web.storage import backup

SHARES = {seat: f"{seat + 11:064x}" for seat in range(5)}
HOST, GUEST = commit_to_share(SHARES[0]), commit_to_share(SHARES[1])


async def told(one: Visitor, table: str) -> dict[str, Any]:
    found: dict[str, Any] = (await one.http.get(f"/t/{table}/deal")).json()
    return found


async def shows(one: Visitor, table: str, share: str) -> httpx.Response:
    return await one.http.post(f"/t/{table}/share", json={"share": share, "nonce": one.nonce})


def receipt_of(deal: dict[str, Any], seat: int) -> Receipt:
    """What the browser at a seat keeps when shares are wanted."""
    return Receipt(deal["match"], seat, deal["commitment"], tuple(deal["commitments"]), SHARES[seat])


async def document(one: Visitor, table: str) -> dict[str, Any]:
    found: dict[str, Any] = (await one.http.get(f"/t/{table}/record")).json()
    return found


def test_two_browsers_deal(database: str, tmp_path: Path) -> None:
    """Nothing is dealt before both have shown what they committed to; afterwards the record stands by both receipts."""

    async def visit(app: Any, one: Visitor, two: Visitor, three: Visitor) -> None:
        table = await one.create("fantome", "me", "open", commitment=HOST)
        state = await told(one, table)
        assert (state["wanted"], state["head"], state["deal"]["commitments"]) == (False, None, [HOST, None])
        page = (await one.get(f"/t/{table}")).text
        assert "It is dealt when everybody sits." in page and "data-deal" not in page
        assert 409 == (await shows(one, table, SHARES[0])).status_code
        assert 409 == (await one.act(table, "pick meg", 1)).status_code
        assert 409 == (await one.post(f"/t/{table}/resign")).status_code
        for what in ("record", "replay", "picture.svg"):
            assert 409 == (await one.get(f"/t/{table}/{what}")).status_code, what
        async with one.live(table) as stream:
            await stream.next()
            await two.get(f"/t/{table}")
            assert 303 == (await two.post(f"/t/{table}/sit", {"seat": "1", "commitment": GUEST})).status_code
            while "data-deal" not in (message := await stream.next())["parts"]["ask"]:
                pass
            assert message["ply"] == 0
            state = await told(two, table)
            assert state["wanted"] and state["deal"]["commitments"] == [HOST, GUEST] and state["deal"]["shares"] == [None, None]
            assert 400 == (await shows(one, table, SHARES[1])).status_code
            assert 403 == (await shows(three, table, SHARES[0])).status_code
            assert 204 == (await shows(two, table, SHARES[1])).status_code
            state_now = await told(one, table)
            assert (state_now["deal"]["shares"], state_now["head"]) == ([None, SHARES[1]], None)
            assert 204 == (await shows(one, table, SHARES[0])).status_code
            message = await stream.until(1)
            assert message["scene"] and message["head"] == (await told(one, table))["head"]["hash"]
        loaded = await services(app).tables.load(table)
        assert ("playing", 1) == (loaded.info.state, loaded.match.ply)
        assert 204 == (await shows(one, table, SHARES[0])).status_code, "the same once more: it is in the deal"
        assert 409 == (await shows(one, table, SHARES[1])).status_code
        assert 204 == (await one.act(table, loaded.match.legal(0)[0], 1)).status_code
        assert 303 == (await two.post(f"/t/{table}/resign")).status_code
        found = await document(three, table)
        for seat in (0, 1):
            checked = verify(found, GAMES, receipt_of(state["deal"], seat))
            assert checked.is_right and checked.draws > 8 and checked.server_shares == ()
        assert f"/verify#{table}" in (await one.get(f"/t/{table}")).text

    visiting(tmp_path, 3, visit, database=database, share_wait=60)


def test_a_share_that_never_comes(tmp_path: Path) -> None:
    """After a while it is dealt without it; a bot has the server's anyway."""

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        table = await one.create("turandot", "me", "open", "level:1", commitment=HOST, leaving="resign")
        await two.get(f"/t/{table}")
        await two.post(f"/t/{table}/sit", {"seat": "1", "commitment": GUEST})
        seen = (await told(one, table))["deal"]
        assert 204 == (await shows(one, table, SHARES[0])).status_code

        async def is_dealt() -> bool:
            return (await told(one, table))["head"] is not None

        await eventually(is_dealt)
        assert 409 == (await shows(two, table, SHARES[1])).status_code, "too late"
        assert (await told(one, table))["deal"]["shares"] == [SHARES[0], None, None]
        await one.post(f"/t/{table}/resign")
        over = await document(one, table)
        found = verify(over, GAMES, receipt_of(seen, 0))
        assert found.is_right and found.server_shares == (1, 2)
        wrong = verify(over, GAMES, receipt_of(seen, 1))
        (finding,) = wrong.discrepancies
        assert "share_left_out" == finding.reason

    visiting(tmp_path, 2, visit, share_wait=0.3)


def test_whoever_commits_to_nothing_is_dealt_to_at_once(tmp_path: Path) -> None:
    """Without a script everything is as it would be; the draws follow from the secret that the server has committed to."""

    async def visit(app: Any, one: Visitor) -> None:
        table = await one.create("opera", "me", "open")
        state = await told(one, table)
        assert not state["wanted"] and state["deal"]["commitments"] == [None, None] and state["head"]["ply"] == 0
        answer = await one.post("/tables", {"game": "fantome", "seat0": "me", "seat1": "level:1", "commitment": "x"})
        assert 400 == answer.status_code and "64 hexadecimal digits" in answer.text
        script = {"accept": "application/json"}
        answer = await one.post("/tables", {"game": "fantome", "bots": "0", "commitment": HOST}, headers=script)
        table = answer.json()["to"].removeprefix("/t/")
        assert (await told(one, table))["wanted"]
        assert 204 == (await shows(one, table, SHARES[0])).status_code
        await one.post(f"/t/{table}/resign")
        found = await document(one, table)
        assert verify(found, GAMES).server_shares == (1,)
        answer = await one.post(f"/t/{table}/rematch", {"commitment": HOST})
        again = answer.headers["location"].removeprefix("/t/")
        state = await told(one, again)
        assert state["wanted"] and state["deal"]["commitments"] == [None, HOST]
        assert state["deal"]["commitment"] != found["deal"]["commitment"]
        answer = await one.post("/records", {"record": json.dumps(found)})
        brought = answer.headers["location"].removeprefix("/t/").removesuffix("/replay")
        assert (await document(one, brought))["deal"] == found["deal"]
        seats = {"seat0": "me", "seat1": "bot:level:1", "ply": "0"}
        branch = (await one.post(f"/t/{table}/onward", seats)).headers["location"].removeprefix("/t/")
        await one.post(f"/t/{branch}/resign")
        checked = verify(await document(one, branch), GAMES)
        assert checked.is_right and checked.is_from_position

    visiting(tmp_path, 1, visit)


def test_the_secret_is_nowhere_before_the_end(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """No page, live message, record, backup, export or log has the secret or the key while a match goes on; a restart has them.

    Nor are the two in what a command of its own writes meanwhile. The logs are read at their fullest.
    """
    caplog.set_level(logging.DEBUG)
    data, kept, by_hand = tmp_path / "data", tmp_path / "backup.gz", tmp_path / "by-hand.gz"
    data.mkdir()
    seen: list[str] = []

    async def look(one: Visitor, table: str) -> None:
        for path in ("", "/deal", "/record", "/replay", "/live?ply=0", "/glance", "/picture.svg"):
            if not path.startswith("/live"):
                seen.append((await one.http.get(f"/t/{table}{path}")).text)

    async def first() -> tuple[str, str, str, dict[str, Any], str]:
        async with running(settings(data)) as app, Visitor(app) as one:
            table = await one.create("turandot", "me", "level:1", commitment=HOST)
            deal = (await told(one, table))["deal"]
            await shows(one, table, SHARES[0])
            async with one.live(table) as stream:
                for _ in range(3):
                    loaded = await services(app).tables.load(table)
                    mine = await eventually(lambda: waits(app, table))
                    await one.act(table, mine.legal(0)[0], mine.ply)
                    seen.append(json.dumps(await stream.next()))
                    await look(one, table)
            loaded = await services(app).tables.load(table)
            fair = loaded.match.fair
            assert fair is not None and fair.secret is not None
            await backup.write(services(app).storage.database, kept)
            seen.append((await one.get("/me/export")).text)
            seen.append((await one.get("/metrics")).text)
            by_command = await asyncio.to_thread(CliRunner().invoke, cli, ["backup", str(by_hand), "--data", str(data)])
            assert 0 == by_command.exit_code, by_command.output
            seen.append(by_command.output)
            return table, fair.secret, fair.key, deal, one.cookie

    async def waits(app: Any, table: str) -> Any:
        match = (await services(app).tables.load(table)).match
        return match if match.to_act == (0,) else None

    async def second(table: str, deal: dict[str, Any], cookie: str) -> None:
        async with running(settings(data)) as app, Visitor(app) as one:
            one.http.cookies.set("ridotto", cookie)
            await one.get("/")
            mine = await eventually(lambda: waits(app, table))
            await one.act(table, mine.legal(0)[0], mine.ply)
            assert 303 == (await one.post(f"/t/{table}/resign")).status_code
            assert verify(await document(one, table), GAMES, receipt_of(deal, 0)).is_right

    table, secret, key, deal, cookie = asyncio.run(first())
    backups = [gzip.decompress(path.read_bytes()).decode() for path in (kept, by_hand)]
    assert all(table in text for text in backups) and table in caplog.text
    seen += [*backups, caplog.text, *(repr(vars(line)) for line in caplog.records)]
    seen += [path.read_text("latin-1") for path in data.glob("*") if path.is_file() and path.name != "secret.key"]
    assert len(seen) > 20 and any(deal["commitment"] in text for text in seen)
    for text in seen:
        assert secret not in text and key not in text
    asyncio.run(second(table, deal, cookie))
