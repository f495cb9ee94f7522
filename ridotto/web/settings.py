"""What a server is told when it starts."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from ridotto.games import GAMES

PORT: Final = 8765


def data_folder() -> Path:
    """Where tables are kept if nothing else is said."""
    home = os.environ.get("XDG_DATA_HOME")
    return (Path(home) if home else Path.home() / ".local" / "share") / "ridotto"


@dataclass(frozen=True)
class Rate:
    """So many at once, and so many a second after that."""

    burst: int
    each_second: float


@dataclass(frozen=True)
class Settings:
    """How a server runs. Everything has a default that suits one machine."""

    data: Path = field(default_factory=data_folder)
    database: str = ""
    """A URL of SQLAlchemy, such as postgresql://…; "" is a file in the data folder."""
    host: str = "127.0.0.1"
    port: int = PORT
    address: str = ""
    """How the world reaches the server if a proxy stands before it: https://table.example"""
    servers: int = 1
    """Processes that serve pages behind one port; more than one needs PostgreSQL."""
    number: int = 0
    """Which of several servers this one is, from 1 on."""
    workers: int = max(1, min(4, (os.cpu_count() or 2) - 1))
    """Processes in which bots think."""
    warm: tuple[str, ...] = field(default_factory=lambda: tuple(GAMES))
    """Games that the workers load at their start, in this order."""
    patience: float = 10.0
    """Seconds that a bot may take for a decision."""
    max_body: int = 64 * 1024
    """Bytes in the body of a request."""
    request_timeout: float = 10.0
    """Seconds in which the body of a request must arrive."""
    heartbeat: float = 15.0
    """Seconds between signs of life on a live connection."""
    sweep: float = 3.0
    """Seconds between looks for bots that nobody lets think, because a server died."""
    absence: float = 3.0
    """Seconds after which somebody who left the page is shown as away; a reload is shorter."""
    max_cached_tables: int = 500
    """Tables kept in memory; others are read again when somebody comes."""
    max_connections: int = 5000
    """Connections of all kinds; whoever comes then is sent away."""
    max_requests: int = 300
    """Requests that are worked on at a time, live connections not counted; whoever comes then is sent away."""
    max_streams: int = 2000
    """Live connections in all."""
    max_streams_each: int = 16
    """Live connections of one person."""
    by_person: Rate = Rate(80, 20)
    by_address: Rate = Rate(600, 150)
    new_tables: Rate = Rate(60, 0.5)
    """New tables, by address."""
    guesses: Rate = Rate(20, 0.5)
    """Links that lead nowhere, by address."""
    chat: Rate = Rate(6, 0.5)
    """Lines of chat, by person."""
    tick: float = 1.0
    """Seconds between looks at the clocks."""
    takeover: float = 60.0
    """Seconds after which the table may let a bot play for somebody who is away."""
    webhooks: bool = False
    """Whether players may give an address that is told of their turn: the server then sends requests to where they say."""
    webhooks_inside: bool = False
    """Whether such an address may be one of this machine or its network."""
    clock: Callable[[], float] = time.time
    """Seconds since 1970."""

    @property
    def url(self) -> str:
        """The database, with a driver that does not block."""
        if not self.database:
            return f"sqlite+aiosqlite:///{self.data / 'ridotto.db'}"
        scheme, _, rest = self.database.partition("://")
        driver = {"sqlite": "sqlite+aiosqlite", "postgres": "postgresql+asyncpg", "postgresql": "postgresql+asyncpg"}
        return f"{driver.get(scheme, scheme)}://{rest}"
