"""Keeping and forgetting: a backup of a running server, its way back, a person's data and their end."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from databases import Postgres
from visitors import Visitor, running, sat, services, serving, settings

from ridotto.core import record
from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.web.identity import COOKIE
from ridotto.web.settings import Settings
from ridotto.web.storage import Storage, backup, check, schema
from ridotto.web.storage.backup import BadBackup
from ridotto.web.storage.entries import read_match
from ridotto.web.storage.faults import BadDatabase
from ridotto.web.storage.people import EXPORTED, WITHHELD

EARLIER = sorted((Path(__file__).parents[1] / "golden").glob("web-backup-*.jsonl"))
"""Backups of earlier schemas: a match of Le Fantôme in which a bot owes a decision."""


async def using(database: str, work: Callable[[Storage], Awaitable[Any]]) -> Any:
    """Do something with a database that no server has."""
    storage = Storage(Settings(database=database).url)
    try:
        return await work(storage)
    finally:
        await storage.close()


async def contents(storage: Storage) -> dict[str, list[dict[str, Any]]]:
    """Every row of every table that a backup has, in order."""
    async with storage.database.reading() as connection:
        found = {}
        for table in schema.SCHEMA.sorted_tables:
            if table.name in backup.EXCLUDED:
                continue
            rows = (await connection.execute(sa.select(table).order_by(*table.primary_key))).mappings()
            found[table.name] = [dict(row) for row in rows]
        return found


def test_there_and_back(database: str, postgres: Postgres, tmp_path: Path) -> None:
    """A backup made in the middle of play goes into the other kind of database and back, row by row the same."""

    async def visit() -> dict[str, Any]:
        async with running(settings(tmp_path, database=database)) as app, Visitor(app) as one, Visitor(app) as two:
            await one.post("/me", {"name": "Müller & “Söhne” 😀"})
            over = await sat(app, Match(GAMES["fantome"], 2, seed=7), one, two)
            await one.post(f"/t/{over.id}/resign")
            await two.post(f"/t/{over.id}/rematch")  # one table names another
            table = await sat(app, Match(GAMES["opera"], 3, seed=7), one, two, "random", private=True)
            await asyncio.gather(
                one.act(table.id, "bid 4", 1),
                two.act(table.id, "bid 6", 1),
                backup.write(services(app).storage.database, tmp_path / "during.jsonl"),
            )
            await services(app).close()  # no bot writes any more
            await backup.write(services(app).storage.database, tmp_path / "whole.jsonl.gz")
            return await contents(services(app).storage)

    expected = asyncio.run(visit())
    other = postgres.new() if database.startswith("sqlite") else f"sqlite:///{tmp_path / 'other.db'}"

    async def back(storage: Storage) -> None:
        counts = await backup.restore(storage.database, tmp_path / "whole.jsonl.gz")
        assert {name: len(rows) for name, rows in expected.items() if rows} == counts
        assert expected == await contents(storage)
        assert (3, {}) == await check.verify(storage)
        assert [] == [one for one in expected["tables"] if one["rematch"] and one["rematch"] not in await storage.tables.ids()]
        await backup.write(storage.database, tmp_path / "again.jsonl.gz")

    asyncio.run(using(other, back))
    assert gzip.decompress((tmp_path / "whole.jsonl.gz").read_bytes()) == gzip.decompress(
        (tmp_path / "again.jsonl.gz").read_bytes()
    )

    # What was written in the middle of play is one moment of it.
    async def force(storage: Storage) -> None:
        await backup.restore(storage.database, tmp_path / "during.jsonl", force=True)
        assert (3, {}) == await check.verify(storage)

    asyncio.run(using(other, force))


@pytest.mark.parametrize("earlier", EARLIER, ids=lambda path: str(path.stem))
def test_a_backup_of_an_earlier_schema(earlier: Path, database: str) -> None:
    """It is read into the schema it was made of, brought up to date, and the match goes on."""

    async def work(storage: Storage) -> None:
        await backup.restore(storage.database, earlier)
        assert (1, {}) == await check.verify(storage)
        await storage.open()
        (table,) = await storage.tables.waiting_for_bots()
        match, head = read_match(await storage.tables.document(table))
        later = match.after(match.ply)
        later.play(match.legal(1)[0], 1)
        await storage.tables.append(table, later, match.ply, head)
        info = await storage.tables.info(table)
        assert info is not None and "Nellie Melba" == info.chairs[0].name

    asyncio.run(using(database, work))


def test_what_is_not_restored(database: str, tmp_path: Path) -> None:
    """A database that is not empty, half a file, a changed one, one of a newer schema: refused, and nothing is changed."""
    whole = EARLIER[0].read_bytes()
    newer = [json.loads(line) for line in whole.splitlines()]
    bad = {
        "half": (whole[: len(whole) // 2], "no backup of ours, or was changed|not whole"),
        "cut": (b"".join(whole.splitlines(keepends=True)[:-1]), "its end is missing"),
        "changed": (whole.replace(b"Nellie", b"Mellie"), "its digest does not fit"),
        "other": (b'{"format": "something"}\n', "is no backup of ours"),
        "empty": (b"", "its end is missing"),
        "binary": (b"\xff\xfe\x00", "no backup of ours, or was changed"),
        "newer": (json.dumps({**newer[0], "version": 99}).encode() + b"\n", "has version 99 of the format; known: 1"),
    }

    async def work(storage: Storage) -> None:
        await backup.restore(storage.database, EARLIER[0])
        before = await contents(storage)
        with pytest.raises(BadBackup, match=r"not empty \(.*tables 1.*--force"):
            await backup.restore(storage.database, EARLIER[0])
        for name, (text, said) in bad.items():
            (tmp_path / name).write_bytes(text)
            with pytest.raises(BadBackup, match=said):
                await backup.restore(storage.database, tmp_path / name, force=True)
        with pytest.raises(BadBackup, match="cannot read"):
            await backup.restore(storage.database, tmp_path / "nowhere", force=True)
        # A schema that we do not know, in a file that is otherwise fine.
        import hashlib

        lines = [json.dumps({**newer[0], "schema": "9999"}).encode() + b"\n", *whole.splitlines(keepends=True)[1:-1]]
        digest = hashlib.sha256(b"".join(lines)).hexdigest()
        lines.append(json.dumps({"end": newer[-1]["end"], "sha256": digest}).encode() + b"\n")
        (tmp_path / "future").write_bytes(b"".join(lines))
        with pytest.raises(BadBackup, match="'9999', which this version does not know"):
            await backup.restore(storage.database, tmp_path / "future", force=True)
        assert before == await contents(storage)

    asyncio.run(using(database, work))


def test_not_under_a_running_server(database: str, tmp_path: Path) -> None:
    """A server would not notice that its database was replaced: it must be stopped first."""

    async def visit() -> None:
        async with running(settings(tmp_path, database=database)) as app, Visitor(app) as one:
            await one.create("fantome", "me", "friend")
            with pytest.raises(BadDatabase, match="stop"):
                await using(database, lambda storage: backup.restore(storage.database, EARLIER[0], force=True))
            assert 1 == len(await services(app).storage.tables.ids())

    asyncio.run(visit())


def ridotto(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "ridotto", *words], capture_output=True, text=True, timeout=60, check=False)


def unclocked(text: str) -> str:
    """Without the row by which a server says that it is up."""
    return text.replace("heartbeat 1, ", "")


def test_every_column_about_people_is_exported_or_withheld() -> None:
    """A new column of a table that refers to people is decided upon: neither a secret leaks, nor is something forgotten."""
    for table in schema.SCHEMA.sorted_tables:
        if table is schema.people or any(key.column.table is schema.people for key in table.foreign_keys):
            decided = [*EXPORTED[table], *WITHHELD.get(table, ()), *(["person"] if "person" in table.c else [])]
            assert sorted(table.c.keys()) == sorted(decided), table.name
    assert not any("salt" in columns for columns in EXPORTED.values())


def test_the_commands(tmp_path: Path) -> None:
    """`ridotto backup` while a server runs, `ridotto restore` elsewhere; with the secret, people are still who they were."""
    here, there, file = tmp_path / "here", tmp_path / "there", tmp_path / "kept.jsonl"
    here.mkdir()
    cookies: list[Any] = []

    async def play(base: str) -> str:
        async with Visitor(base=base) as one:
            table = await one.create("fantome", "me", "friend", name="Nellie")
            cookies.append((one.http.cookies, one.nonce))
            return table

    with serving(here) as server:
        table = asyncio.run(play(server.base))
        done = ridotto("backup", str(file), "--data", str(here))
        assert (0, "") == (done.returncode, done.stderr)
        assert f"written: {file} (chairs 2, entries 1, keys 1, people 1, tables 1)\n" == unclocked(done.stdout)
        refused = ridotto("restore", str(file), "--data", str(here), "--force")
        assert 2 == refused.returncode and "stop it first" in refused.stderr and 1 == refused.stderr.count("\n")
    done = ridotto("restore", str(file), "--data", str(there))
    said = "restored: chairs 2, entries 1, keys 1, people 1, tables 1; records verified: 1\n"
    assert said == unclocked(done.stdout), done.stderr
    refused = ridotto("restore", str(file), "--data", str(there))
    assert 2 == refused.returncode and "--force" in refused.stderr
    assert 2 == ridotto("backup", str(file), "--data", str(tmp_path / "nowhere")).returncode
    shutil.copy(here / "secret.key", there / "secret.key")

    async def back(base: str) -> None:
        async with Visitor(base=base) as one:
            one.http.cookies, one.nonce = cookies[0]
            match = re.search(r'data-do="(pick [a-z]+)"', (await one.get(f"/t/{table}")).text)
            assert match
            assert 204 == (await one.act(table, match[1], 1)).status_code

    with serving(there) as server:
        asyncio.run(back(server.base))


# Somebody's own.


def test_what_somebody_takes_along(database: str, tmp_path: Path) -> None:
    """Their name, their tables, what they did: and nothing of anybody else, and no secret."""

    async def visit() -> None:
        async with running(settings(tmp_path, database=database)) as app, Visitor(app) as one, Visitor(app) as two:
            await one.post("/me", {"name": "Nellie", "language": "fr"})
            await two.post("/me", {"name": "Enrico"})
            table = await sat(app, Match(GAMES["opera"], 2), one, two)
            await one.act(table.id, "bid 4", 1)
            await two.act(table.id, "bid 6", 1)
            answer = await one.get("/me/export")
            known = answer.json()
            assert ("Nellie", "fr") == (known["person"]["name"], known["person"]["language"])
            assert [(table.id, "bid 4")] == [(one["table"], one["do"]) for one in known["actions"]]
            assert [(table.id, 0)] == [(one["table"], one["seat"]) for one in known["chairs"]]
            assert [("opera", "playing")] == [(one["game"], one["state"]) for one in known["tables"]]
            for secret in ("Enrico", two.id, "bid 6", "salt", *(place.salt for place in table.info.chairs)):
                assert secret not in answer.text
            stranger = Visitor(app)
            assert None is (await stranger.get("/me/export")).json()["person"]
            await stranger.http.aclose()

    asyncio.run(visit())


def test_those_who_share_a_device_are_forgotten_with_it(tmp_path: Path) -> None:
    """They have no cookie of their own: whoever set up the table gave their names, and takes them along."""

    async def visit() -> None:
        async with running(settings(tmp_path)) as app, Visitor(app) as one:
            table = await one.create("fantome", "me", "here", name="Nellie", names="Enrico")
            rows = json.dumps(await contents(services(app).storage))
            assert "Nellie" in rows and "Enrico" in rows
            assert 200 == (await one.post("/me/delete", {"sure": "1"})).status_code
            rows = json.dumps(await contents(services(app).storage))
            assert "Nellie" not in rows and "Enrico" not in rows
            assert (1, {}) == await check.verify(services(app).storage)
            assert (await services(app).tables.load(table)).match.outcome is not None

    asyncio.run(visit())


def test_being_forgotten(database: str, tmp_path: Path) -> None:
    """Asked twice; then the name is gone everywhere, links lead nowhere, the match is resigned, and its record verifies."""

    async def visit() -> None:
        async with running(settings(tmp_path, database=database)) as app, Visitor(app) as one, Visitor(app) as two:
            storage, who = services(app).storage, one.id
            await one.post("/me", {"name": "Nellie Melba"})
            table = await sat(app, Match(GAMES["opera"], 2), one, two)
            played = await sat(app, Match(GAMES["fantome"], 2, seed=7), two, one)
            await two.post(f"/t/{played.id}/resign")
            await one.act(table.id, "bid 4", 1)
            link = re.search(rf"/t/{table.id}/me/[0-9a-f]{{32}}", (await one.get(f"/t/{table.id}")).text)
            assert link
            assert "Nellie Melba" in (await one.get("/me/delete")).text
            for form in ({}, {"sure": "0"}):
                assert 400 == (await one.post("/me/delete", form)).status_code
            assert 403 == (await one.post("/me/delete", {"sure": "1", "nonce": two.nonce})).status_code
            async with two.live(table.id) as stream:
                assert "Nellie" in (await stream.next())["parts"]["people"]
                done = await one.post("/me/delete", {"sure": "1"})
                assert 200 == done.status_code and f'{COOKIE}=""' in done.headers["set-cookie"]
                while "Nellie" in (await stream.next())["parts"]["people"]:
                    pass
            rows = json.dumps(await contents(storage))
            assert "Nellie" not in rows and who not in rows
            for at in (table.id, played.id):
                match, _ = read_match(await storage.tables.document(at))
                assert match.outcome is not None
                assert "Nellie" not in (await two.get(f"/t/{at}")).text
                record.read(record.parse((await two.get(f"/t/{at}/record")).text), GAMES)
            assert "resign" == (await services(app).tables.load(table.id)).match.entries[-1].do
            stranger = Visitor(app)
            assert 404 == (await stranger.get(link[0])).status_code
            assert None is await storage.people.load(who)
            await stranger.http.aclose()

    asyncio.run(visit())
