"""A server is killed and started again while a thousand tables are being played at: `python -m bench.restart [--tables N]`.

Matches of all our games stand in their middle, with a page open for every seat. The server is killed (SIGKILL) and started
again at once; the pages look for it as browsers do, and each comes back with the ply and the number of the state that it shows.
What is reported: when the pages had their first message about their table, counted from when the new server listened and
from when the old one was killed; how long `/health` took meanwhile, asked four times a second; what was refused; CPU time.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from bench.load import SETUPS, cpu, databases, middles, share
from bench.load_clients import Clients
from ridotto.games import GAMES
from ridotto.web.settings import Settings

HERE: Final = Path(__file__).parents[1]
OURS: Final = ("fantome", "opera", "turandot")
SERVER: Final = Path(__file__).with_name("load_server.py")
PATIENCE: Final = 120.0
"""Seconds after which a page that has not come back is lost."""


@dataclass
class Health:
    """Asks for `/health` again and again, in a thread."""

    host: str
    port: int
    answers: list[tuple[float, float, int]] = field(default_factory=list)
    """For each answer when it was asked for, the seconds that it took, and its status."""
    is_over: bool = False

    def ask(self) -> None:
        while not self.is_over:
            began = time.perf_counter()
            try:
                connection = http.client.HTTPConnection(self.host, self.port, timeout=60)
                connection.request("GET", "/health")
                status = connection.getresponse().status
                connection.close()
            except ConnectionError:  # nobody is there
                status = 0
            except OSError:
                status = -1
            self.answers.append((began, time.perf_counter() - began, status))
            time.sleep(0.25)


def start(folder: Path, database: str, servers: int, port: int = 0) -> tuple[subprocess.Popen[str], str, int]:
    """A server; its process, host and port."""
    command = [sys.executable, "-uP", str(SERVER), "serve", str(folder), database, str(servers), str(port)]
    environment = os.environ | {"PYTHONPATH": str(HERE)}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdout is not None
    while line := process.stdout.readline():
        if at := re.search(r"http://([^/: ]+):([0-9]+)", line):
            return process, at[1], int(at[2])
    raise SystemExit("the server did not start")


def measure(tables: int, setup: str, folder: Path, database: str) -> dict[str, Any]:
    """The figures of one restart."""
    servers = SETUPS[setup][2]
    kinds = {name: middles(name) for name in OURS}
    chosen = [kinds[OURS[number % len(OURS)]][number // len(OURS) % len(kinds[OURS[0]])] for number in range(tables)]
    prepare = [sys.executable, "-uP", str(SERVER), "prepare", str(folder), database]
    environment = os.environ | {"PYTHONPATH": str(HERE)}
    made = subprocess.run(prepare, input=json.dumps(chosen), stdout=subprocess.PIPE, text=True, check=True, env=environment)
    process, host, port = start(folder, database, servers)
    clients = Clients(1, set(), host, port, Settings(database=database).url)
    health = Health(host, port)
    try:
        people = [(one["id"], document, one["people"]) for one, document in zip(json.loads(made.stdout), chosen, strict=True)]
        clients.ask("sit_down", [people])
        for name in OURS:
            clients.ask_all("open_seats", name, None)
        time.sleep(3)  # everybody has heard that the others are there
        thread = threading.Thread(target=health.ask)
        thread.start()
        clients.send_all("come_back", PATIENCE)
        killed = time.perf_counter()
        process.kill()
        process.wait()
        process, _, _ = start(folder, database, servers, port)
        up = time.perf_counter()
        pages = clients.receive()[0]
        spent = sum(cpu([process.pid]))
        time.sleep(2)
        health.is_over = True
        thread.join()
    finally:
        health.is_over = True
        clients.close()
        process.kill()
    at, asked = sorted(one[0] for one in pages), [one for one in health.answers if one[2] and one[0] + one[1] > up]
    return {
        "tables": tables,
        "setup": setup,
        "pages": len(pages),
        "start_s": round(up - killed, 2),
        "half_s": round(share(at, 0.5) - up, 2),
        "last_s": round(at[-1] - up, 2),
        "last_after_kill_s": round(at[-1] - killed, 2),
        "health_longest_s": round(max(took for _, took, _ in asked), 2),
        "health_not_200": sum(status != 200 for *_, status in asked),
        "refused": sorted({text for *_, refused in pages for text in refused}),
        "refusals": sum(len(refused) for *_, refused in pages),
        "behind": sum(behind > 0 for _, behind, _ in pages),
        "cpu_s": round(spent, 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=1000, help="how many tables are being played at")
    parser.add_argument("--setups", nargs="*", default=["sqlite", "postgresql"], choices=[*SETUPS], help="with which database")
    given = parser.parse_args()
    assert set(OURS) <= set(GAMES)
    for setup in given.setups:
        with tempfile.TemporaryDirectory() as folder, databases(SETUPS[setup][1], Path(folder)) as new:
            print(json.dumps(measure(given.tables, setup, Path(tempfile.mkdtemp(dir=folder)), new())), flush=True)


if __name__ == "__main__":
    main()
