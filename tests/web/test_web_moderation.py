"""Whoever runs a server: what they see, what they decide, what is cleared, and what is said about what is kept."""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner
from visitors import Visitor, running, sat, services, settings, visiting

from ridotto.cli import cli
from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.web.clocks import Clock
from ridotto.web.identity import load_host_key
from ridotto.web.settings import Rate
from ridotto.web.steady_clock import SteadyClock
from ridotto.web.storage.admin import DAY, RetentionRules
from ridotto.web.storage.clocks import set_clocks


def admin(data: Path, *arguments: str) -> str:
    done = CliRunner().invoke(cli, ["admin", arguments[0], "--data", str(data), *arguments[1:]])
    assert 0 == done.exit_code, done.output
    return done.output


def match() -> Match:
    return Match(GAMES["fantome"], 2, seed=7)


def test_reports_reach_the_host_who_decides(tmp_path: Path) -> None:
    """What is reported stands on the host's page, with its words; whoever said it can be muted and excluded there."""

    async def visit(app: object, ada: Visitor, bob: Visitor, host: Visitor) -> None:
        table = await sat(app, match(), ada, bob)  # type: ignore[arg-type]
        assert 204 == (await bob.post(f"/t/{table.id}/talk", {"text": "Buuh!"}, headers={"accept": "*/*"})).status_code
        await ada.post(f"/t/{table.id}/talk/report", {"line": "1"})
        page = "/host"
        assert 403 == (await host.post(page, {"do": "ban", "person": bob.id})).status_code
        assert 303 == (await host.post("/host/enter", {"key": load_host_key(tmp_path)})).status_code
        shown = (await host.get(page)).text
        assert "Buuh!" in shown and table.id in shown and bob.id in shown
        for what, path, form in (("mute", "talk", {"text": "Again!"}), ("ban", "resign", {})):
            assert 303 == (await host.post(page, {"do": what, "person": bob.id})).status_code
            assert 403 == (await bob.post(f"/t/{table.id}/{path}", form)).status_code
        assert 303 == (await host.post(page, {"do": "unban", "person": bob.id})).status_code
        assert 303 == (await host.post(page, {"do": "unmute", "person": bob.id})).status_code
        assert 303 == (await bob.post(f"/t/{table.id}/talk", {"text": "Brava!"})).status_code
        assert 303 == (await host.post(page, {"do": "close", "table": table.id, "line": "1"})).status_code
        assert "Nothing was reported." in (await host.get(page)).text
        assert 303 == (await host.post(page, {"do": "end", "table": table.id})).status_code
        assert "over" == (await services(app).tables.load(table.id)).info.state  # type: ignore[arg-type]
        again = await host.post(page, {"do": "end", "table": table.id})
        assert 409 == again.status_code and "is over" in again.text
        assert 409 == (await host.post(page, {"do": "ban", "person": "nobody"})).status_code
        waiting = await ada.create("fantome", "me", "open", commitment="0" * 64)
        assert f'value="{waiting}"' in (shown := (await host.get(page)).text) and 'value="end"' not in shown
        undealt = await host.post(page, {"do": "end", "table": waiting})
        assert 409 == undealt.status_code and "Nothing is dealt" in undealt.text
        assert 303 == (await host.post(page, {"do": "delete", "table": waiting})).status_code

    visiting(tmp_path, 3, visit)


def test_the_key_of_the_host_is_in_no_address(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """It is given in a form of our own, and opens the page in this browser alone, for some hours, until one signs out."""
    now = [1_800_000_000.0]

    async def visit() -> None:
        chosen = settings(tmp_path, clock=lambda: now[0], address="https://table.example")
        async with running(chosen) as app, Visitor(app, "https://table.example") as host, Visitor(app, host.base) as other:
            key = load_host_key(tmp_path)

            async def is_in(visitor: Visitor) -> bool:
                text = (await visitor.get("/host")).text
                assert ("Nothing was reported." in text) != ('name="key"' in text)
                return "Nothing was reported." in text

            assert not await is_in(host)
            for path in (f"/host/{key}", f"/host/{key}/", f"/host?key={key}"):
                text = (await host.get(path)).text
                assert "Nothing was reported." not in text and key not in text
            wrong = await host.post("/host/enter", {"key": "0" * 64})
            assert (403, True) == (wrong.status_code, "not the key of this server" in wrong.text)
            for given in ({"nonce": other.nonce}, {"nonce": ""}):
                assert 403 == (await host.post("/host/enter", {"key": key, **given})).status_code
            assert 403 == (await host.post("/host/enter", {"key": key}, headers={"origin": "https://evil.example"})).status_code
            assert not await is_in(host)
            answer = await host.post("/host/enter", {"key": f" {key}\n"})
            assert (303, "/host") == (answer.status_code, answer.headers["location"])
            given_cookie = answer.headers["set-cookie"]
            for part in ("HttpOnly", "Path=/host", "SameSite=strict", "Secure", "Max-Age=43200"):
                assert part in given_cookie
            assert key not in given_cookie and key not in (await host.get("/host")).text
            assert await is_in(host) and not await is_in(other)
            # The cookie alone is worth nothing, and it cannot be made to last.
            cookie = host.http.cookies["ridotto-host"]
            other.http.cookies.set("ridotto-host", cookie, domain="table.example")
            assert not await is_in(other)
            until, _, signature = cookie.partition(".")
            for forged in (f"{int(until) + 1}.{signature}", f"0{until}.{signature}", signature, f".{signature}", "1" * 5000):
                answer = await host.http.get("/host", headers={"cookie": f"ridotto={host.cookie}; ridotto-host={forged}"})
                assert 'name="key"' in answer.text, forged
            now[0] += 12 * 3600 - 5
            assert await is_in(host)
            now[0] += 10
            assert not await is_in(host)
            assert 403 == (await host.post("/host", {"do": "ban", "person": other.id})).status_code
            # Signing out there, signing out everywhere, and a new key.
            for end in ("/host/leave", "/me/signout", "key"):
                await host.get("/host")
                assert 303 == (await host.post("/host/enter", {"key": load_host_key(tmp_path)})).status_code
                assert await is_in(host)
                if end == "key":
                    (tmp_path / "host.key").unlink()
                else:
                    await host.post(end)
                assert not await is_in(host)

    with caplog.at_level(logging.INFO, "ridotto.web"):
        logging.getLogger("ridotto.web").propagate = True
        asyncio.run(visit())
    assert {"a wrong key for the host's page", "the host has come in"} <= set(caplog.messages)
    assert load_host_key(tmp_path) not in str([line.__dict__ for line in caplog.records])


def test_guessing_the_key_of_the_host(tmp_path: Path) -> None:
    """After some wrong ones even the right one has to wait, for this address."""

    async def visit(app: object, host: Visitor, guesser: Visitor) -> None:
        key = load_host_key(tmp_path)
        codes = [(await guesser.post("/host/enter", {"key": f"{i:064x}"})).status_code for i in range(4)]
        assert [403, 403, 403, 429] == codes
        assert 429 == (await guesser.post("/host/enter", {"key": key})).status_code
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app, client=("10.0.0.99", 1)), base_url=host.base) as home:  # type: ignore[arg-type]
            given = {"origin": host.base, "cookie": f"ridotto={host.cookie}"}
            answer = await home.post("/host/enter", data={"key": key, "nonce": host.nonce}, headers=given)
            assert 303 == answer.status_code

    visiting(tmp_path, 2, visit, guesses=Rate(3, 0.001))


def test_the_command_decides_for_a_running_server(tmp_path: Path) -> None:
    """`ridotto admin` works while a server runs: a deleted table ends its live connections, a banned person is refused."""

    async def visit() -> None:
        async with running(settings(tmp_path, sweep=0.05)) as app, Visitor(app) as ada:
            table = await sat(app, match(), ada, "")
            other = await sat(app, match(), ada, "")
            rows = json.loads(await asyncio.to_thread(admin, tmp_path, "tables", "--json"))
            assert {table.id, other.id} == {row["id"] for row in rows}
            shown = json.loads(await asyncio.to_thread(admin, tmp_path, "show", table.id))
            assert ["person", "free"] == [chair["kind"] for chair in shown["chairs"]] and "salt" not in shown
            async with ada.live(table.id) as stream:
                await stream.next()
                await asyncio.to_thread(admin, tmp_path, "delete", table.id, "--yes")
                while await stream.text() is not None:
                    pass
            assert 404 == (await ada.get(f"/t/{table.id}")).status_code
            await asyncio.to_thread(admin, tmp_path, "end", other.id)
            async with asyncio.timeout(30):
                while "over" != (await services(app).tables.load(other.id)).info.state:
                    await asyncio.sleep(0.02)
            await asyncio.to_thread(admin, tmp_path, "ban", ada.id)
            async with asyncio.timeout(30):
                while 403 != (await ada.post("/me", {"theme": "dark"})).status_code:
                    await asyncio.sleep(0.02)
            assert "banned" in await asyncio.to_thread(admin, tmp_path, "people")
            await asyncio.to_thread(admin, tmp_path, "delete", ada.id, "--person", "--yes")
            assert "nobody was here" in await asyncio.to_thread(admin, tmp_path, "people")

    asyncio.run(visit())


def test_what_there_is_not_is_one_sentence(tmp_path: Path) -> None:
    """No traceback for a table or a person that there is not."""
    asyncio.run(_empty(tmp_path))
    for arguments in (("show", "nothing"), ("end", "nothing"), ("ban", "--", "-nobody"), ("close", "nothing", "1")):
        done = CliRunner().invoke(cli, ["admin", arguments[0], "--data", str(tmp_path), *arguments[1:]])
        assert 2 == done.exit_code and 1 == len(done.output.splitlines()) and done.output.startswith("ridotto: there is n")


async def _empty(folder: Path) -> None:
    async with running(settings(folder)):
        pass


def test_old_things_are_cleared_by_rules(tmp_path: Path) -> None:
    """A dry run says how many; then just these are gone, and nobody who has a seat."""
    now = [1_800_000_000.0]

    async def visit() -> None:
        async with running(settings(tmp_path, clock=lambda: now[0])) as app, Visitor(app) as ada, Visitor(app) as bob:
            storage = services(app).storage
            over, open_one = await sat(app, match(), ada, ""), await sat(app, match(), ada, "")
            await storage.admin.end(over.id)
            await bob.post("/me", {"name": "Bob"})
            now[0] += 10 * DAY
            new = await sat(app, match(), ada, "")
            rules = RetentionRules(over=9, open=9, people=9)
            assert {"over": 1, "open": 1, "people": 1} == await storage.admin.clear(rules, is_dry=True)
            assert {"over": 0, "open": 0, "people": 0} == await storage.admin.clear(replace(rules, over=11, open=0, people=11))
            assert {"over": 1, "open": 1, "people": 1} == await storage.admin.clear(rules)
            assert [new.id] == await storage.tables.ids() and open_one.id != new.id
            assert await storage.people.load(ada.id) and not await storage.people.load(bob.id)
        async with running(settings(tmp_path, clock=lambda: now[0] + 20 * DAY, keep_open=15.0)) as app:
            async with asyncio.timeout(30):
                while await services(app).storage.tables.ids():
                    await asyncio.sleep(0.02)

    asyncio.run(visit())


def test_the_health_is_ill_when_nothing_can_be_written(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A database that answers and cannot be written is ill, says why, and is in the log."""

    async def visit() -> None:
        async with running(settings(tmp_path)) as app, Visitor(app) as one:
            assert "ok" == (await one.get("/health")).json()["status"]
            other = sqlite3.connect(tmp_path / "ridotto.db", isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            await asyncio.sleep(1.1)
            ill = await one.get("/health")
            assert (503, "ill") == (ill.status_code, ill.json()["status"]) and "locked" in ill.json()["why"]
            other.execute("ROLLBACK")
            other.close()
            await asyncio.sleep(1.1)
            assert 200 == (await one.get("/health")).status_code

    with caplog.at_level(logging.ERROR, "ridotto.web"):
        logging.getLogger("ridotto.web").propagate = True
        asyncio.run(visit())
    assert "the database cannot be written" in caplog.messages


def test_metrics_are_for_whom_they_are_meant(tmp_path: Path) -> None:
    """Usually for the machine itself alone."""

    async def visit() -> None:
        async with running(settings(tmp_path, metrics_for=("127.0.0.0/8",))) as app:
            for client, expected in (("127.0.0.1", 200), ("10.0.0.7", 404)):
                transport = httpx.ASGITransport(app, client=(client, 1))
                async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8765") as http:
                    assert expected == (await http.get("/metrics")).status_code

    asyncio.run(visit())


def test_behind_tls_browsers_stay_there(tmp_path: Path) -> None:
    """HSTS where the address is https, and only there."""

    async def header(address: str) -> str | None:
        async with running(settings(tmp_path / address[:5], address=address)) as app, Visitor(app) as one:
            return dict((await one.get("/about")).headers).get("strict-transport-security")

    assert "max-age=31536000" == asyncio.run(header("https://table.example"))
    assert None is asyncio.run(header("http://table.example"))


def test_addresses_can_be_kept_out_of_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The log has them or not, and the page on what is kept says so."""

    async def page(has: bool) -> str:
        async with running(settings(tmp_path / str(has), log_addresses=has, keep_over=30.0)) as app, Visitor(app) as one:
            return (await one.get("/privacy")).text

    for has in (True, False):
        caplog.clear()
        with caplog.at_level(logging.INFO, "ridotto.web"):
            logging.getLogger("ridotto.web").propagate = True
            text = asyncio.run(page(has))
        requests = [line.facts for line in caplog.records if line.message == "request"]  # type: ignore[attr-defined]
        assert requests and has is any("10.0.0.7" in str(facts) for facts in requests)
        assert ("has no network addresses" in text) is not has
        assert "deleted after 30 days" in text


def test_links_to_a_seat_can_be_made_anew(tmp_path: Path) -> None:
    """The old link leads nowhere, the device that came by it is shut out, and whoever asked keeps the seat."""

    async def visit(app: object, ada: Visitor, phone: Visitor, bob: Visitor) -> None:
        table = await sat(app, match(), ada, bob)  # type: ignore[arg-type]
        chair = table.info.chairs[0]
        old = f"/t/{table.id}/me/{services(app).keys.token('me', table.id, 0, chair.salt)}"  # type: ignore[arg-type]
        assert 303 == (await phone.post(old)).status_code
        assert table.state.seat_of(phone.id) == 0
        assert 303 == (await ada.post(f"/t/{table.id}/links")).status_code
        assert (0, None, 1) == tuple(table.state.seat_of(one.id) for one in (ada, phone, bob))
        assert 404 == (await phone.get(old)).status_code
        assert 403 == (await phone.post(f"/t/{table.id}/links")).status_code

    visiting(tmp_path, 3, visit)


def test_a_clock_that_is_set_changes_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server's time goes on by what passes, whatever is done to the clock of the machine."""
    clock = SteadyClock()
    before = clock()
    monkeypatch.setattr("time.time", lambda: 0.0)
    assert 0 <= clock() - before < 60


def test_a_clock_set_back_between_two_starts_gives_nobody_an_hour(tmp_path: Path) -> None:
    """What was left on a running clock is left when the server comes up again, an hour earlier."""

    async def visit() -> None:
        start = 1_800_000_000
        async with running(settings(tmp_path, clock=lambda: float(start))) as app, Visitor(app) as ada:
            table = await sat(app, match(), ada, "")
            running_clock = {0: Clock(60_000, 1000 * start + 60_000)}
            await services(app).storage.tables.change(table.id, set_clocks(table.id, {}, running_clock, 1000 * start))
        async with running(settings(tmp_path, clock=lambda: float(start - 3600))) as app:
            clocks = (await services(app).storage.tables.extras(table.id)).clocks
            assert 60_000 == clocks[0].at(1000 * (start - 3600))

    asyncio.run(visit())
