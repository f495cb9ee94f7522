"""What an action costs a server besides drawing: CPU time from the request to its answer, by database and number of tables.

python -m bench.action [--actions 400] [--rounds 5] [--tables 1 50] [--profile]

The application is called in this process, without sockets, and nobody looks at the tables, so that nothing is drawn. Tables are
of Opera with four people, some way into the match; with more than one table, an action at each is sent at the same time.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import json
import logging
import pstats
import random
import statistics
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from starlette.applications import Starlette

from bench.load import databases as database
from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.web.identity import COOKIE, Person, new_id
from ridotto.web.live.table import Table
from ridotto.web.live.workers import BotWorkers
from ridotto.web.server.app import create_app
from ridotto.web.server.logs import set_up_log
from ridotto.web.server.services import Services
from ridotto.web.settings import Rate, Settings
from ridotto.web.storage.table_info import Chair

GAME, SEATS, PLIES = "opera", 4, 60
OFTEN: Final = dict.fromkeys(("by_person", "by_address", "new_tables", "guesses"), Rate(10**6, 10**6))


def match_under_way(dice: random.Random) -> Match:
    """A match that people play, some way from its beginning, of which much is left."""
    match = Match(GAMES[GAME], SEATS)
    for _ in range(PLIES):
        seat = match.to_act[0]
        match.play(dice.choice(list(match.legal(seat))), seat)
    return match if match.to_act else match_under_way(dice)


async def seat_people(services: Services, dice: random.Random) -> Table:
    """A table with four people."""
    people = [Person(new_id(), f"Person {seat}", "en") for seat in range(SEATS)]
    for person in people:
        await services.storage.people.save(person)
    chairs = [Chair(seat, "person", False, one.id, "", None, f"{seat:032x}") for seat, one in enumerate(people)]
    return await services.seating.create(match_under_way(dice), chairs, host=people[0].id)


def request_for(services: Services, table: Table, dice: random.Random) -> tuple[dict[str, Any], bytes]:
    """The request by which whoever owes a decision makes one."""
    seat = table.match.to_act[0]
    person = table.info.chairs[seat].person
    assert person is not None
    do = dice.choice(list(table.match.legal(seat)))
    body = json.dumps({"do": do, "ply": table.match.ply, "nonce": services.keys.nonce(person)}).encode()
    headers = {
        "host": "127.0.0.1:8765",
        "origin": "http://127.0.0.1:8765",
        "cookie": f"{COOKIE}={services.keys.cookie(person)}",
        "content-type": "application/json",
        "content-length": str(len(body)),
        "sec-fetch-site": "same-origin",
        "accept": "*/*",
        "accept-language": "en-GB,en;q=0.9",
        "accept-encoding": "gzip, deflate, br",
        "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    }
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": f"/t/{table.id}/act",
        "raw_path": f"/t/{table.id}/act".encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8765),
    }
    return scope, body


async def send(app: Starlette, scope: dict[str, Any], body: bytes) -> None:
    """Send a request to the application."""

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def check(message: Any) -> None:
        assert message.get("status", 204) == 204, message

    await app(scope, receive, check)


async def measure(url: str, tables: int, actions: int, rounds: int, profile: cProfile.Profile | None) -> list[float]:
    """CPU milliseconds of an action, a figure for each round."""
    dice = random.Random(tables)
    with tempfile.TemporaryDirectory() as folder:
        handler = set_up_log(Path(folder) / "server.log")
        settings = Settings(
            data=Path(folder), database=url, workers=1, warm=(), sweep=3600, tick=3600, auto_review=False, **OFTEN
        )
        app = create_app(settings, BotWorkers(1, 10.0, ()))
        async with app.router.lifespan_context(app):
            services: Services = app.state.services
            await asyncio.sleep(3)  # what is drawn ahead is none of it
            there = [await seat_people(services, dice) for _ in range(tables)]
            results = []
            for turn in range(rounds + 1):
                spent = 0.0
                for _ in range(max(1, actions // tables)):
                    for at, table in enumerate(there):
                        if not table.match.to_act:
                            there[at] = await seat_people(services, dice)
                    requests = [request_for(services, table, dice) for table in there]
                    if profile and turn:
                        profile.enable()
                    began = time.process_time()
                    if tables == 1:
                        await send(app, *requests[0])
                    else:
                        await asyncio.gather(*(send(app, *one) for one in requests))
                    spent += time.process_time() - began
                    if profile and turn:
                        profile.disable()
                results.append(1000 * spent / (tables * max(1, actions // tables)))
        for name in ("ridotto.web", "uvicorn.error"):
            logging.getLogger(name).removeHandler(handler)
        handler.close()
        return results[1:]  # the first round is to get warm


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--actions", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--tables", type=int, nargs="+", default=[1, 50])
    parser.add_argument("--databases", nargs="+", default=["sqlite", "postgresql"])
    parser.add_argument("--profile", action="store_true")
    given = parser.parse_args(arguments)
    print(f"{'database':12} {'tables':>6} {'ms an action':>13}   (median, least and most of {given.rounds})", flush=True)
    for kind in given.databases:
        with tempfile.TemporaryDirectory() as folder, database(kind, Path(folder)) as new:
            for tables in given.tables:
                profile = cProfile.Profile() if given.profile else None
                found = asyncio.run(measure(new(), tables, given.actions, given.rounds, profile))
                print(
                    f"{kind:12} {tables:6} {statistics.median(found):13.2f}   ({min(found):.2f} to {max(found):.2f})",
                    flush=True,
                )
                if profile:
                    with suppress(BrokenPipeError):
                        pstats.Stats(profile).sort_stats("tottime").print_stats(60)


if __name__ == "__main__":
    main()
