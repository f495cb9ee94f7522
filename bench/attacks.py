"""Somebody who has nothing to do with it plays on while others try to stop the server: `python -m bench.attacks [ATTACK …]`.

Each attack (bench/attackers.py) runs for some seconds against a server with its usual limits, while somebody at another address
plays against a level-2 bot. What is reported: how long their clicks and the bot's answers took, and what the attackers got.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from bench.attackers import ATTACKS
from ridotto.web.settings import Settings
from ridotto.web.storage import Storage
from ridotto.web.storage.entries import read_match

CLICK, ANSWER = 0.3, 2.0
"""Seconds that a click may take, for 95 of 100, and an answer of the bot."""
THOUGHT = 0.1
"""Seconds that the player thinks: whoever decides faster than a person can is refused as a program would be."""
NEUTRAL = "127.0.0.77"
"""The address of the player: anything in 127.0.0.0/8 is this machine."""


@dataclass
class Played:
    """What became of a player while something went on."""

    clicks: list[float] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)
    """Seconds of each."""
    refused: list[str] = field(default_factory=list)
    """Clicks that were neither done nor out of date."""
    told: str = ""
    """What the attackers got."""

    @property
    def p95(self) -> float:
        return sorted(self.clicks)[int(0.95 * len(self.clicks))] if self.clicks else float("inf")

    @property
    def longest(self) -> float:
        return max(self.answers, default=float("inf"))

    @property
    def is_fine(self) -> bool:
        return not self.refused and self.p95 < CLICK and self.longest < ANSWER


async def play(base: str, data: Path, attacks: Sequence[str], seconds: float, clicks: float = float("inf")) -> Played:
    """Play against a level-2 bot while attacks go on in another process: for some seconds, or for so many clicks."""
    played, storage = Played(), Storage(Settings(data=data).url)
    transport = httpx.AsyncHTTPTransport(local_address=NEUTRAL)
    async with httpx.AsyncClient(transport=transport, base_url=base, headers={"origin": base}, timeout=60) as http:
        nonce = re.search(r'name="nonce" value="([0-9a-f]{32})"', (await http.get("/")).text)
        assert nonce

        async def new_table() -> str:
            form = {"nonce": nonce[1], "game": "turandot", "seat0": "me", "seat1": "bot:level:2"}
            made = await http.post("/tables", data=form)
            if made.status_code != 303:
                played.refused.append(f"a new table: {made.status_code} {made.text[:100]}")
                await asyncio.sleep(0.2)
            return str(made.headers.get("location", f"/t/{table}")).removeprefix("/t/")

        table = ""
        table = await new_table()
        command = [sys.executable, "-m", "bench.attackers", ",".join(attacks), base, table, str(seconds)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[1])
        try:
            await asyncio.sleep(1.5)
            while process.poll() is None and len(played.clicks) < clicks:
                match = read_match(await storage.tables.document(table))[0]
                began = time.perf_counter()
                if not match.to_act:
                    table = await new_table()
                elif 0 in match.to_act:
                    await asyncio.sleep(THOUGHT)
                    began = time.perf_counter()
                    action = {"do": str(match.legal(0)[0]), "ply": match.ply, "nonce": nonce[1]}
                    done = await http.post(f"/t/{table}/act", json=action)
                    played.clicks.append(time.perf_counter() - began)
                    if done.status_code not in (204, 409):
                        played.refused.append(f"{done.status_code} {done.text[:100]}")
                else:
                    while read_match(await storage.tables.document(table))[0].ply == match.ply:
                        if time.perf_counter() - began > 60:
                            break
                        await asyncio.sleep(0.02)
                    played.answers.append(time.perf_counter() - began)
        finally:
            process.terminate()
            played.told = process.communicate()[0].strip()
            await storage.close()
    return played


@contextmanager
def serving(data: Path) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """`ridotto serve`, with its usual limits; where it is, and its process."""
    command = [sys.executable, "-m", "ridotto", "serve", "--port", "0", "--data", str(data)]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RIDOTTO")}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=kept)
    try:
        assert process.stdout is not None
        found = re.search(r"http://[^/ ]+", process.stdout.readline())
        assert found, "the server did not start"
        yield found[0], process
    finally:
        process.terminate()
        process.communicate()


def memory(process: int) -> int:
    """MiB of memory that a process has had at the most."""
    found = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{process}/status").read_text())
    return int(found[1]) // 1024 if found else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("attacks", nargs="*", metavar="ATTACK", help=f"which ({', '.join(ATTACKS)}); all if none is named")
    parser.add_argument("--seconds", type=float, default=12.0, help="how long each goes on")
    given = parser.parse_args()
    if unknown := set(given.attacks) - set(ATTACKS):
        parser.error(f"there is no attack {', '.join(sorted(unknown))}; there are: {', '.join(ATTACKS)}")
    print(f"load of the machine before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(f"{'attack':12} {'clicks':>6} {'p95 ms':>7} {'answers':>7} {'longest s':>9} {'MiB':>5}  what the attackers got")
    wrong = 0
    for attack in given.attacks or ATTACKS:
        with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as (base, process):
            one = asyncio.run(play(base, Path(folder), [attack], given.seconds))
            wrong += not one.is_fine
            clicks, answers = f"{len(one.clicks):6} {1000 * one.p95:7.0f}", f"{len(one.answers):7} {one.longest:9.2f}"
            figures = f"{clicks} {answers} {memory(process.pid):5}"
            print(f"{attack:12} {figures}  {'; '.join([one.told, *one.refused[:3]])}", flush=True)
    print(f"over {1000 * CLICK:.0f} ms for a click (p95), over {ANSWER:.0f} s for an answer, or refused: {wrong}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
