"""The server's side of the load test. It runs in the checkout that is measured, which may be an older one, and knows only that.

python -P bench/load_server.py prepare FOLDER DATABASE     writes the tables that it reads, and prints what their players need
python -P bench/load_server.py serve FOLDER DATABASE N [PORT]
                                                           serves them with N servers, with limits that nobody reaches
"""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

from ridotto.games import GAMES
from ridotto.web.settings import Rate, Settings

try:
    from ridotto.core import record
    from ridotto.web.identity import Person, load_keys, new_id
    from ridotto.web.server.run import serve
    from ridotto.web.storage import Storage

    try:
        from ridotto.web.storage.table_info import Chair, NewTable
    except ImportError:  # until 19 November 2026
        from ridotto.web.storage.tables import Chair, NewTable
except ImportError:  # version 0.1.0 has other names for them
    from ridotto.web.people import Person, new_id  # type: ignore[import-not-found, no-redef]
    from ridotto.web.people import ring as load_keys  # type: ignore[no-redef]
    from ridotto.web.serving import serve  # type: ignore[import-not-found, no-redef]
    from ridotto.web.store import Draft as NewTable  # type: ignore[import-not-found, no-redef]
    from ridotto.web.store import Place as Chair  # type: ignore[no-redef]
    from ridotto.web.store import Store as Storage  # type: ignore[no-redef]

    from ridotto import record  # type: ignore[attr-defined, no-redef]

PLENTY = 20_000
OLD_LIMITS = ("tables", "connections", "busy", "live", "live_each")
"""What version 0.1.0 calls its limits."""


def settings(data: Path, database: str, servers: int, port: int = 0) -> Settings:
    """Settings without limits: all clients come from one address."""
    usual, raised = Settings(data=data), {}
    for one in fields(Settings):
        value = getattr(usual, one.name)
        if isinstance(value, Rate):
            raised[one.name] = Rate(10**6, 10**6)
        elif (one.name.startswith("max_") and one.name != "max_body") or one.name in OLD_LIMITS:
            raised[one.name] = max(value, PLENTY)
        elif one.name == "auto_review":
            raised[one.name] = False  # what an action costs is measured; workers may use what is left of the processor
    return Settings(data=data, database=database, servers=servers, port=port, workers=1, warm=(), **raised)


async def prepare(data: Path, database: str, matches: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Write a table for each record of a match, with a person on every seat."""
    keys, storage, made = load_keys(data), Storage(settings(data, database, 1).url), []
    await storage.open()
    is_old = not hasattr(storage, "people")
    save, create = (storage.keep, storage.found) if is_old else (storage.people.save, storage.tables.create)
    for document in matches:
        match, _ = record.read(document, GAMES)
        people = [new_id() for _ in range(match.seats)]
        for seat, person in enumerate(people):
            await save(Person(person, f"Player {seat + 1}", "en"))
        chairs = tuple(Chair(seat, "person", False, one, "", None, f"{seat:032x}") for seat, one in enumerate(people))
        new = NewTable(
            new_id(), match, False, people[0], "en", "0" * 32, chairs, {one: seat for seat, one in enumerate(people)}
        )
        await create(new)
        made.append({"id": new.id, "people": [[keys.cookie(person), keys.nonce(person)] for person in people]})
    await storage.close()
    return made


if __name__ == "__main__":
    folder, where = Path(sys.argv[2]), sys.argv[3]
    if sys.argv[1] == "prepare":
        print(json.dumps(asyncio.run(prepare(folder, where, json.load(sys.stdin)))))
    else:
        serve(settings(folder, where, *map(int, sys.argv[4:])), log=folder / "server.log")
