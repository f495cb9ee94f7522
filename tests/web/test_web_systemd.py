"""What systemd hears of a server: that it is ready, that it stops, and nothing while its event loop stands still."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from databases import Postgres
from visitors import servers, serving

from ridotto.web.server.systemd import ServiceManager

STUCK = """
import asyncio, time
from pathlib import Path

from ridotto.web.server import services

opened = services.Services.open


async def stand_still():
    while not Path({stop!r}).exists():
        await asyncio.sleep(0.01)
    while Path({stop!r}).exists():
        time.sleep(0.01)


async def open(self):
    await opened(self)
    self.background.start(stand_still())


services.Services.open = open
"""


@pytest.fixture
def heard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """The socket of systemd, which wants a sign of life every three tenths of a second."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(str(tmp_path / "notify"))
        line.settimeout(60)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        monkeypatch.setenv("WATCHDOG_USEC", "300000")
        yield line


def until(line: socket.socket, word: bytes) -> None:
    while line.recv(100) != word:
        pass


def test_what_systemd_hears(heard: socket.socket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That a server is ready, and then, as long as its event loop turns, that it is alive; at the end that it stops."""
    stop = tmp_path / "stop"
    (tmp_path / "sitecustomize.py").write_text(
        f"import sys\nif sys.argv[0] == '-c' and len(sys.argv) > 1:\n    exec({STUCK.format(stop=str(stop))!r})\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with serving(tmp_path / "data") as server:
        assert b"READY=1" == heard.recv(100)
        until(heard, b"WATCHDOG=1")
        until(heard, b"WATCHDOG=1")
        stop.touch()
        heard.settimeout(1)  # ten times as long as between two of them
        with pytest.raises(TimeoutError):
            while True:
                assert b"WATCHDOG=1" == heard.recv(100)
        heard.settimeout(60)
        stop.unlink()
        until(heard, b"WATCHDOG=1")
        server.process.terminate()
        until(heard, b"STOPPING=1")
        assert 0 == server.process.wait(15)


@pytest.mark.soak
def test_one_of_several_servers_that_is_stuck(
    heard: socket.socket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, postgres: Postgres
) -> None:
    """The first process ends it, and starts another one; systemd hears of one process alone."""
    monkeypatch.setenv("WATCHDOG_USEC", "3000000")  # so that no other one is slow for as long
    with serving(tmp_path / "data", servers=2, database=postgres.new()) as server:
        until(heard, b"READY=1")
        before = servers(server.process.pid)
        os.kill(before[0], signal.SIGSTOP)  # its event loop does not turn any more
        while before[0] in servers(server.process.pid):
            assert b"WATCHDOG=1" == heard.recv(100)
        while len(servers(server.process.pid)) < 2:
            assert b"WATCHDOG=1" == heard.recv(100)
        assert before[1] in servers(server.process.pid)
        assert "a server is stuck" in (tmp_path / "data" / "server.log").read_text("utf-8")


def test_nobody_listens() -> None:
    """Without systemd nothing is sent, nor where nobody listens; an address may be abstract; a watchdog may be another's."""
    ServiceManager({}).send("READY=1")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(f"\0ridotto-{os.getpid()}")
        line.settimeout(60)
        given = {"NOTIFY_SOCKET": f"@ridotto-{os.getpid()}", "WATCHDOG_USEC": "3000000"}
        ServiceManager(given).send("READY=1")
        assert b"READY=1" == line.recv(100)
        assert 1.0 == ServiceManager(given).heartbeat.interval
        assert 0.0 == ServiceManager({**given, "WATCHDOG_PID": "1"}).heartbeat.interval
    ServiceManager(given).send("READY=1")
