"""While somebody tries to stop the server, a player who has nothing to do with it plays on."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from pathlib import Path

import attackers
import httpx
import pytest
from visitors import Visitor, serving

from ridotto.web.settings import LIMITS, Settings
from ridotto.web.storage import Storage
from ridotto.web.storage.tables import read_match

SECONDS = 12.0
"""How long an attack goes on."""


async def play(base: str, data: Path, attack: str) -> tuple[list[float], list[float], str]:
    """Play against a level-2 bot while an attack goes on: seconds of each click, and of each answer of the bot."""
    clicks: list[float] = []
    answers: list[float] = []
    async with Visitor(base=base) as one:
        await one.http.aclose()
        transport = httpx.AsyncHTTPTransport(local_address="127.0.0.77")
        headers = {"accept-language": "en", "origin": base, "accept": "text/html,*/*"}
        one.http = httpx.AsyncClient(transport=transport, base_url=base, headers=headers, timeout=60)
        await one.get("/")
        table = await one.create("turandot", "me", "bot:level:2")
        storage = Storage(Settings(data=data).url)
        command = [sys.executable, str(Path(attackers.__file__)), attack, base, table, str(SECONDS)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            await asyncio.sleep(1.5)
            while process.poll() is None:
                match = read_match(await storage.tables.document(table))[0]
                if not match.to_act:
                    table = await one.create("turandot", "me", "bot:level:2")
                elif 0 in match.to_act:
                    began = time.perf_counter()
                    done = await one.act(table, str(match.legal(0)[0]), match.ply)
                    clicks.append(time.perf_counter() - began)
                    assert done.status_code in (204, 409), done.text
                else:
                    began = time.perf_counter()
                    while read_match(await storage.tables.document(table))[0].ply == match.ply and process.poll() is None:
                        await asyncio.sleep(0.02)
                    answers.append(time.perf_counter() - began)
        finally:
            process.kill()
            await storage.close()
        return clicks, answers, process.communicate()[0].strip()


@pytest.mark.soak
@pytest.mark.parametrize("attack", attackers.ATTACKS)
def test_a_neutral_player_plays_on(attack: str, tmp_path: Path) -> None:
    """A click stays under 300 ms for 95 of 100, and a level-2 bot answers within two seconds."""
    usual = {name: Settings.__dataclass_fields__[name].default for name in LIMITS}
    with serving(tmp_path, **usual) as server:
        clicks, answers, seen = asyncio.run(play(server.base, tmp_path, attack))
    clicks.sort()
    p95 = clicks[int(0.95 * len(clicks))]
    print(f"{attack}: {len(clicks)} clicks, p95 {1000 * p95:.0f} ms; {len(answers)} answers, longest {max(answers):.2f} s")
    print(f"{attack}: {seen}")
    assert len(clicks) >= 20 and len(answers) >= 5
    assert p95 < 0.3
    assert max(answers) < 2
