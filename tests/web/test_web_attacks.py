"""While somebody tries to stop the server, a player who has nothing to do with it plays on.

How long clicks and answers take is reported by `python -m bench.attacks`; here it is only asked whether they come.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from visitors import Process, Visitor, eventually, serving

from bench.attackers import ATTACKS
from bench.attacks import play
from ridotto.web.settings import LIMITS, Settings

REFUSED = ("429", "413", "cut off")
"""What an attacker gets who asks for too much."""


TOGETHER = 500


def memory(process: int) -> int:
    """The bytes of memory that a process has now."""
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{process}/status").read_text())
    assert found
    return 1024 * int(found[1])


@pytest.mark.parametrize(("streams", "stays"), [(2000, 5 * 2**20), pytest.param(100_000, 20 * 2**20, marks=pytest.mark.soak)])
def test_closed_streams_leave_nothing(streams: int, stays: int, tmp_path: Path) -> None:
    """They left up to 20 KiB each, two gigabytes of a hundred thousand."""

    async def come(base: str, table: str) -> asyncio.StreamWriter:
        host, port = base.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(f"GET /t/{table}/live HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
        await reader.readuntil(b"event: table")
        return writer

    async def visit(server: Process) -> None:
        async def come_and_go(count: int) -> None:
            """So many at a time that they are open for some seconds: the garbage collector looks seldom at what is older."""
            for _ in range(0, count, TOGETHER):
                opened = [await come(server.base, table) for _ in range(TOGETHER)]
                for writer in opened:
                    writer.transport.abort()

        async with Visitor(base=server.base) as one:
            table = await one.create("fantome", "me", "open")
            await come_and_go(500)
            before = memory(server.process.pid)
            await come_and_go(streams)
            print(f"{(memory(server.process.pid) - before) / streams / 1024:.1f} KiB a stream")

            async def is_little() -> bool:
                await one.get("/health")
                return memory(server.process.pid) - before < stays

            await eventually(is_little, 10)

    with serving(tmp_path, max_streams_each=10**5, max_streams_address=10**5) as server:
        asyncio.run(visit(server))


@pytest.mark.parametrize(
    ("attacks", "clicks"),
    [
        (("streams", "senders", "records"), 6),
        (("turns", "plies", "flicker", "hosts"), 6),
        *(pytest.param((attack,), 50, marks=pytest.mark.soak) for attack in ATTACKS),
    ],
    ids=lambda value: "+".join(value) if isinstance(value, tuple) else str(value),
)
def test_a_neutral_player_plays_on(attacks: Sequence[str], clicks: int, tmp_path: Path) -> None:
    """With the usual limits none of their clicks is refused, and the bot answers; the attackers get less than they ask for."""
    usual = {name: Settings.__dataclass_fields__[name].default for name in LIMITS}
    with serving(tmp_path, **usual) as server:
        played = asyncio.run(asyncio.wait_for(play(server.base, tmp_path, attacks, 600, clicks), 500))
    print(f"p95 {1000 * played.p95:.0f} ms, longest answer {played.longest:.2f} s; {played.told}")
    assert [] == played.refused and clicks <= len(played.clicks) and clicks / 5 <= len(played.answers)
    assert "Error" not in played.told
    if clicks == 6 and "senders" in attacks:
        assert any(one in played.told for one in REFUSED)
