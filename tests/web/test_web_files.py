"""Files: for whom they are, what a full or read-only disk does, backups that are whole, checks and drills."""

from __future__ import annotations

import asyncio
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import click
import pytest
import sqlalchemy as sa
from click.testing import CliRunner
from databases import Postgres
from visitors import Visitor, eventually, serving

from ridotto.cli import cli
from ridotto.engine.errors import RidottoError
from ridotto.web import private_files
from ridotto.web.private_files import open_data_folder
from ridotto.web.server.run import _open_files
from ridotto.web.settings import Settings
from ridotto.web.storage import Storage, backup, check, schema
from ridotto.web.storage.backup import BadBackup
from ridotto.web.storage.faults import BadDatabase

EARLIER = max((Path(__file__).parents[1] / "golden").glob("web-backup-*.jsonl"))


def mode(path: Path) -> str:
    return oct(path.stat().st_mode & 0o7777)


@contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def using(database: str, work: Callable[[Storage], Awaitable[Any]]) -> Any:
    """Do something with a database that no server has."""

    async def run() -> Any:
        storage = Storage(Settings(database=database).url)
        try:
            return await work(storage)
        finally:
            await storage.close()

    return asyncio.run(run())


async def restored(storage: Storage) -> None:
    """An earlier match, in the schema of today."""
    await backup.restore(storage.database, EARLIER)


async def change(storage: Storage) -> None:
    """Somebody changes what was played."""
    async with storage.database.writing() as connection:
        last = sa.select(sa.func.max(schema.entries.c.ply)).scalar_subquery()
        await connection.execute(sa.update(schema.entries).where(schema.entries.c.ply == last).values(do="pick meg, pick meg"))


class Done(NamedTuple):
    code: int
    out: str
    err: str


def ridotto(*words: str) -> Done:
    """Run the command."""
    with umask(0o022):
        result = CliRunner().invoke(cli, words, catch_exceptions=False)
    return Done(result.exit_code, result.stdout, result.stderr)


def short_of_space(*words: str, blocks: int) -> Done:
    """Run the command where no file that it writes may be larger than so many blocks of 1 KiB, as on a disk that is full."""
    command = ["bash", "-c", f'ulimit -f {blocks}; exec "$@"', "bash", sys.executable, "-m", "ridotto", *words]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return Done(result.returncode, result.stdout, result.stderr)


# For whom they are.


def test_a_server_keeps_its_files_to_itself(tmp_path: Path) -> None:
    """Whatever the umask: its folder, the database with everything beside it, the log and the keys."""

    async def play(base: str) -> None:
        async with Visitor(base=base) as one:
            await one.create("fantome", "me", "friend")

    data = tmp_path / "data"
    with umask(0), serving(data) as server:
        asyncio.run(play(server.base))
        names = {one.name for one in data.iterdir()}
        assert {"ridotto.db", "ridotto.db-wal", "ridotto.db-shm", "ridotto.db.lock", "server.log", "secret.key"} <= names
        assert {"0o600"} == set(map(mode, data.iterdir()))
        assert "0o700" == mode(data)
        assert 0 == ridotto("backup", str(tmp_path / "copy.gz"), "--data", str(data)).code
        assert "0o600" == mode(tmp_path / "copy.gz")
        assert all(private_files.OURS.fullmatch(name) for name in names), "or a folder would stay open to others"


def test_a_folder_of_an_earlier_version_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its files as well; but not what is not ours: files that lie there too, a folder that has such, a home, one for all."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))

    def made(name: str, *files: str, folder: int = 0o755) -> tuple[str, list[str]]:
        path = tmp_path / name
        path.mkdir()
        for file in files:
            (path / file).write_text("")
            (path / file).chmod(0o644)
        path.chmod(folder)
        open_data_folder(path)
        return mode(path), [mode(path / file) for file in files]

    assert ("0o700", ["0o600"] * 3) == made("ours", "ridotto.db", "server-2.log.1", "metrics-1.prom")
    assert ("0o700", []) == made("empty")
    assert ("0o755", ["0o600", "0o644"]) == made("mixed", "ridotto.db", "letter.txt")
    assert ("0o755", ["0o600"]) == made("home", "ridotto.db")
    assert ("0o1777", ["0o600"]) == made("common", "ridotto.db", folder=0o1777)
    (tmp_path / "link").mkdir()
    (tmp_path / "letter").write_text("")
    (tmp_path / "letter").chmod(0o644)
    (tmp_path / "link" / "ridotto.db").symlink_to(tmp_path / "letter")
    open_data_folder(tmp_path / "link")
    assert "0o644" == mode(tmp_path / "letter"), "a link leads elsewhere"


# Disks.


def test_starting_on_a_full_disk(tmp_path: Path) -> None:
    """One sentence, whether there is no room at all or not enough; and when there is room again, the server starts."""
    for blocks in (0, 8):
        done = short_of_space("serve", "--port", "0", "--data", str(tmp_path), blocks=blocks)
        assert (2, 1) == (done.code, done.err.count("\n")), done.err
        assert done.err.startswith("ridotto: cannot use the ") and "File too large" in done.err
    with serving(tmp_path):
        pass


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    """The sentence names the option that is to be changed."""
    (tmp_path / "file").write_text("in the way")
    with umask(0o022):
        with pytest.raises(RidottoError, match=r"cannot write to \S+/no/log: .*; choose another file with --log"):
            _open_files(tmp_path, tmp_path / "no" / "log")
        with pytest.raises(RidottoError, match=r"cannot write to \S+/file/x: .*; choose a folder with --data"):
            _open_files(tmp_path / "file" / "x", None)


@pytest.mark.parametrize("option, wrong", [
    *(("--address", wrong) for wrong in ("table.example", "ftp://table.example", "https://", "https:/x", "https://x:99999",
        "https://x/y", "https://x?y", "https://somebody@x", "https://x y", "//x")),
    *((option, wrong) for option in ("--proxy", "--metrics") for wrong in ("10.0.0", "localhost", "10.0.0.0/33", "")),
])  # fmt: skip
def test_an_option_that_is_wrong_is_named(option: str, wrong: str) -> None:
    with pytest.raises(click.BadParameter) as caught:
        cli.commands["serve"].make_context("serve", [option, wrong])
    assert option in caught.value.format_message() and repr(wrong) in caught.value.format_message()


@pytest.mark.parametrize("right", ["https://table.example", "http://table.example:8080/", "https://[::1]:8765", ""])
def test_an_address_that_is_right(right: str) -> None:
    assert right == cli.commands["serve"].make_context("serve", ["--address", right]).params["address"]


@pytest.mark.soak
@pytest.mark.skipif(os.geteuid() != 0, reason="mounts a disk: run `make soak` as root")
def test_a_disk_that_is_full_and_then_read_only(tmp_path: Path) -> None:
    """A real file system: full at the start and later, then made read-only by the kernel under the running server."""
    image, folder = tmp_path / "image", tmp_path / "disk"
    folder.mkdir()
    fill = folder / "fill"

    def sh(*command: str) -> None:
        subprocess.run(command, check=True, capture_output=True)

    sh("truncate", "-s", "16M", str(image))
    sh("mkfs.ext4", "-q", "-m", "0", str(image))
    device = subprocess.run(["losetup", "-f", "--show", str(image)], check=True, capture_output=True, text=True).stdout.strip()
    try:
        sh("mount", "-o", "errors=remount-ro", device, str(folder))
        subprocess.run(["dd", "if=/dev/zero", f"of={fill}", "bs=4k"], capture_output=True, check=False)
        done = short_of_space("serve", "--port", "0", "--data", str(folder / "data"), blocks=10**6)
        assert (2, 1) == (done.code, done.err.count("\n")) and "No space left on device" in done.err
        fill.unlink()

        async def visit(base: str) -> None:
            async with Visitor(base=base) as one:
                table = await one.create("fantome", "me", "friend")

                async def health(word: str) -> bool:
                    answer = await one.get("/health")
                    return (answer.status_code == 503 and word in answer.json()["why"]) if word else answer.status_code == 200

                async def refused() -> bool:
                    return (await one.post(f"/t/{table}/resign")).status_code == 503

                subprocess.run(["dd", "if=/dev/zero", f"of={fill}", "bs=4k"], capture_output=True, check=False)
                await eventually(lambda: health("No space left on device"))
                fill.unlink()
                await eventually(lambda: health(""))
                Path(f"/sys/fs/ext4/{Path(device).name}/trigger_fs_error").write_text("1")
                await eventually(lambda: health("Read-only file system"))
                assert await refused()
                assert 200 == (await one.get(f"/t/{table}")).status_code, "what was written can be read"

        with serving(folder / "data") as server:
            asyncio.run(visit(server.base))
            server.process.terminate()
            assert 0 == server.process.wait(15)
    finally:
        subprocess.run(["umount", str(folder)], check=False)
        sh("losetup", "-d", device)


# Backups.


def test_a_backup_takes_its_name_when_it_is_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is written out before it has the name, the folder after that; and nobody else may read it, ever."""
    done: list[str] = []
    file = tmp_path / "copy.gz"
    file.write_text("the one before")
    file.chmod(0o644)
    original, rename = os.fsync, Path.replace

    def fsync(descriptor: int) -> None:
        path = Path(f"/proc/self/fd/{descriptor}").resolve()
        if tmp_path in (path, path.parent) and "db" not in path.name:
            done.append(f"fsync {path.name} {mode(path)}" if path != tmp_path else "fsync the folder")
        original(descriptor)

    def replace(self: Path, target: Path) -> Path:
        done.append(f"{self.name} becomes {target.name}")
        return rename(self, target)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(Path, "replace", replace)

    async def work(storage: Storage) -> None:
        await restored(storage)
        done.clear()
        with umask(0):
            await backup.write(storage.database, file)

    using(f"sqlite:///{tmp_path / 'ridotto.db'}", work)
    assert ["fsync .copy.gz.part 0o600", ".copy.gz.part becomes copy.gz", "fsync the folder"] == done
    assert "0o600" == mode(file)


def test_a_backup_that_cannot_be_written(database: str, tmp_path: Path) -> None:
    """A folder that is not there, one that is a file: the sentence says so, and does not blame the database."""
    (tmp_path / "file").write_text("")

    async def work(storage: Storage) -> None:
        await restored(storage)
        for wrong in (tmp_path / "no" / "copy.gz", tmp_path / "file" / "copy.gz"):
            with pytest.raises(BadBackup, match=f"cannot write '{wrong}': there is no folder '{wrong.parent}'"):
                await backup.write(storage.database, wrong)
        (tmp_path / "copy").mkdir()
        with pytest.raises(BadBackup, match=f"cannot write '{tmp_path / 'copy'}': Is a directory"):
            await backup.write(storage.database, tmp_path / "copy")
        assert [] == list(tmp_path.glob(".*"))

    using(database, work)


def test_a_backup_on_a_full_disk_leaves_the_one_before(tmp_path: Path) -> None:
    """What was written of it is removed, so that it does not fill the disk for good."""
    file = tmp_path / "copy"
    file.write_text("the one before")

    async def work(storage: Storage) -> None:
        await restored(storage)
        usual = {"name": "Nellie", "language": "en", "theme": "auto", "motion": True, "created": 1, "seen": 1}
        people = [usual | {"id": f"{one:022}"} for one in range(3000)]
        async with storage.database.writing() as connection:
            await connection.execute(sa.insert(schema.people), people)

    using(f"sqlite:///{tmp_path / 'ridotto.db'}", work)
    done = short_of_space("backup", str(file), "--data", str(tmp_path), blocks=128)
    assert (2, f"ridotto: cannot write {str(file)!r}: File too large\n") == (done.code, done.err)
    assert "the one before" == file.read_text() and not list(tmp_path.glob(".*"))


def test_several_backups(tmp_path: Path) -> None:
    """The last ones are kept, by their names; whatever else lies there stays."""
    using(f"sqlite:///{tmp_path / 'ridotto.db'}", restored)
    copies = tmp_path / "copies"
    copies.mkdir()
    old = ["table-20260101-040000.gz", "table-20260102-040000.gz", "table-20260103-040000.gz"]
    others = [
        "table.gz",
        "table-20260101-040000.gz.old",
        "tables-20260101-040000.gz",
        "table-20260101.gz",
        "table-20260101-040000",
    ]
    for name in old + others:
        (copies / name).write_text("")
    done = ridotto("backup", str(copies / "table.gz"), "--keep", "2", "--data", str(tmp_path))
    found = re.fullmatch(r"written: (\S+/(table-20\d{6}-\d{6}\.gz)) \(.*\)\n", done.out)
    assert found, done.err
    assert {old[2], found[2], *others} == {one.name for one in copies.iterdir()}
    drill = ridotto("restore", found[1], "--drill")
    assert (0, "could be restored:") == (drill.code, drill.out[:18]) and drill.out.endswith("records verified: 1\n")
    assert {old[2], found[2], *others} == {one.name for one in copies.iterdir()}, "nothing is left of it"


def test_a_drill_finds_what_is_wrong(tmp_path: Path) -> None:
    """A backup of a match that was changed is whole, and yet no good; half of one, or one that is not there, is refused."""

    async def work(storage: Storage) -> None:
        await restored(storage)
        await change(storage)
        await backup.write(storage.database, tmp_path / "changed.gz")

    using(f"sqlite:///{tmp_path / 'ridotto.db'}", work)
    done = ridotto("restore", str(tmp_path / "changed.gz"), "--drill")
    assert 1 == done.code and done.out.endswith("records verified: 0\n")
    assert re.fullmatch(r"ridotto: the record of table \S+ does not verify: .*\n", done.err)
    (tmp_path / "half.gz").write_bytes((tmp_path / "changed.gz").read_bytes()[:-100])
    for name, said in (("half.gz", "was changed"), ("none.gz", "No such file"), ("no/none.gz", "in a folder beside it")):
        done = ridotto("restore", str(tmp_path / name), "--drill")
        assert 2 == done.code and said in done.err and 1 == done.err.count("\n")
    assert not list(tmp_path.glob(".drill-*"))


# Checks.


def test_a_database_in_order_and_not(database: str) -> None:
    """All matches are verified; a changed one is named, and so is another schema."""

    async def work(storage: Storage) -> None:
        with pytest.raises(BadDatabase, match="nothing to check"):
            await check.check(storage)
        await restored(storage)
        assert check.Findings(1, {}, []) == await check.check(storage)
        await change(storage)
        (table,) = await storage.tables.ids()
        findings = await check.check(storage)
        assert (0, [table], []) == (findings.verified, list(findings.wrong), findings.faults) and not findings.is_fine
        async with storage.database.writing() as connection:
            await connection.execute(sa.text("UPDATE alembic_version SET version_num = '0001'"))
        with pytest.raises(BadDatabase, match="schema '0001' of another version"):
            await check.check(storage)

    using(database, work)


def test_the_check_of_sqlite(tmp_path: Path) -> None:
    """The command says what SQLite finds: a reference that leads nowhere, an index that lacks a row, a page that is damaged."""
    file = tmp_path / "ridotto.db"
    using(f"sqlite:///{file}", restored)
    done = ridotto("admin", "check", "--data", str(tmp_path))
    assert (0, "records verified: 1\n", "") == (done.code, done.out, done.err)
    whole = file.read_bytes()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("INSERT INTO webhooks VALUES ('nowhere', 'nobody', 'url', 'link', NULL, 0)")
        connection.commit()
        root = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'entries'").fetchone()[0]
        size = connection.execute("PRAGMA page_size").fetchone()[0]
    done = ridotto("admin", "check", "--data", str(tmp_path))
    assert 1 == done.code and re.search("the database is damaged: foreign_key_check: webhooks, ", done.err)
    file.write_bytes(whole[: (root - 1) * size] + b"\xff" * size + whole[root * size :])
    done = ridotto("admin", "check", "--data", str(tmp_path))
    assert 1 == done.code and "the database is damaged: integrity_check" in done.err, done.err


def test_the_check_of_postgres(postgres: Postgres) -> None:
    """It reads every row of every table: one that cannot be read is named."""

    async def work(storage: Storage) -> None:
        await restored(storage)
        async with storage.database.writing() as connection:
            await connection.execute(sa.text("DROP TABLE webhooks"))
        findings = await check.check(storage)
        assert (1, {}, 1) == (findings.verified, findings.wrong, len(findings.faults))
        assert "webhooks" in findings.faults[0] and "does not exist" in findings.faults[0]

    using(postgres.new(), work)
