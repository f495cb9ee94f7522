"""Notifications of a turn: that they are sent and tried again, and where they never go."""

from __future__ import annotations

import json
import socket
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from table_state import Time, turn, visiting
from visitors import Visitor, sat, services

from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.web.live import notifications


class Inbox(HTTPServer):
    """Somebody who wants to be told; says no as often as told to."""

    def __init__(self, refusals: int) -> None:
        super().__init__(("127.0.0.1", 0), Letterbox)
        self.refusals, self.letters = refusals, list[tuple[str, Any]]()


class Letterbox(BaseHTTPRequestHandler):
    server: Inbox

    def do_POST(self) -> None:
        letter = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.letters.append((self.path, letter))
        self.send_response(500 if len(self.server.letters) <= self.server.refusals else 204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


def test_a_notice_is_sent_and_tried_again(tmp_path: Path) -> None:
    """When it is somebody's turn and they are away, their address is told; one that fails is told later."""
    time = Time()
    inbox = Inbox(refusals=1)
    thread = threading.Thread(target=inbox.serve_forever, daemon=True)
    thread.start()

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        storage, send = services(app).storage, services(app).notifier.send_due
        table = await sat(app, Match(GAMES["fantome"], 2, seed=7), one, two)
        address = f"http://127.0.0.1:{inbox.server_port}/turn?of=two"
        assert 303 == (await two.post(f"/t/{table.id}/notices", {"url": address})).status_code
        assert address in (await two.get(f"/t/{table.id}")).text
        while turn(table) == (0,):
            await one.act(table.id, table.match.legal(0)[0], table.match.ply)

        await send()
        assert 1 == len(inbox.letters)
        await send()
        assert 1 == len(inbox.letters)
        time.now += 16
        await send()
        assert 2 == len(inbox.letters)
        time.now += 100_000
        await send()
        letter = {"table": table.id, "game": "fantome", "link": f"{two.base}/t/{table.id}", "seat": 1}
        assert [("/turn?of=two", letter)] * 2 == inbox.letters
        assert 303 == (await two.post(f"/t/{table.id}/notices", {"url": ""})).status_code
        assert "" == await storage.webhooks.url(table.id, two.id)

    try:
        visiting(tmp_path, 2, visit, clock=time, webhooks=True, webhooks_inside=True)
    finally:
        inbox.shutdown()
        inbox.server_close()
        thread.join()


def test_no_notice_goes_inside(tmp_path: Path) -> None:
    """Neither this machine nor its network nor a name that leads there can be given; and nothing unless it is allowed."""

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        table = await sat(app, Match(GAMES["fantome"], 2), one, two)
        for wrong in (
            "http://127.0.0.1:9/",
            "http://localhost/",
            "http://[::1]/",
            "http://169.254.169.254/latest/meta-data/",
            "http://10.0.0.1/",
            "http://0x7f000001/",
            "http://2130706433/",
            "file:///etc/passwd",
            "gopher://example.org/",
            "http://user:word@93.184.216.34/",
            "http://93.184.216.34:0/",
            "//93.184.216.34/",
            "http://93.184.216.34/\r\nx: y",
        ):
            answer = await one.post(f"/t/{table.id}/notices", {"url": wrong})
            assert 400 == answer.status_code, wrong
        assert 303 == (await one.post(f"/t/{table.id}/notices", {"url": "https://93.184.216.34/turn"})).status_code

    async def off(app: Any, one: Visitor, two: Visitor) -> None:
        table = await sat(app, Match(GAMES["fantome"], 2), one, two)
        assert 403 == (await one.post(f"/t/{table.id}/notices", {"url": "https://93.184.216.34/"})).status_code
        assert "notices" not in (await one.get(f"/t/{table.id}")).text

    visiting(tmp_path / "on", 2, visit, webhooks=True)
    visiting(tmp_path / "off", 2, off)


def test_a_name_is_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that leads elsewhere at the second look is called by the number of the first, and refused if that is inside."""
    answers = iter(["93.184.216.34", "127.0.0.1"])

    def look_up(host: str, port: int, **_: object) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (next(answers), port))]

    called: list[Any] = []

    def connect(self: socket.socket, where: Any) -> None:
        called.append(where)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    monkeypatch.setattr(socket.socket, "connect", connect)
    with pytest.raises(ConnectionRefusedError):
        notifications.post("http://turn.example/", {}, False)
    assert [("93.184.216.34", 80)] == called
    with pytest.raises(notifications.BadAddress):
        notifications.post("http://turn.example/", {}, False)
    assert 1 == len(called)
