"""The settings of a server."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from ridotto.club import passkeys
from ridotto.engine.errors import RidottoError
from ridotto.games import GAMES
from ridotto.web.steady_clock import SteadyClock

PORT: Final = 8765
WEB_PORTS: Final = (80, 443)


def data_folder() -> Path:
    """The folder of the tables if none is given."""
    home = os.environ.get("XDG_DATA_HOME")
    return (Path(home) if home else Path.home() / ".local" / "share") / "ridotto"


class BadLimit(RidottoError, ValueError):
    """A limit that cannot be set."""


@dataclass(frozen=True)
class Rate:
    """So many at once, and so many a second after that."""

    burst: int
    each_second: float

    def __str__(self) -> str:
        return f"{self.burst}+{self.each_second:g}/s"

    @classmethod
    def parse(cls, text: str) -> Rate:
        """The rate that a text says.

        >>> Rate.parse("80+20/s"), str(Rate(20, 0.1))
        (Rate(burst=80, each_second=20.0), '20+0.1/s')
        """
        found = re.fullmatch(r"([1-9][0-9]{0,11})\+([0-9]{1,9}(?:\.[0-9]{1,9})?)/s", text)
        if found is None or not float(found[2]):
            raise BadLimit(f"a rate is how many at once and how many a second after that, such as 80+20/s, not {text!r}")
        return cls(int(found[1]), float(found[2]))


@dataclass(frozen=True)
class Settings:
    """The settings of a server. Everything has a default that suits one machine."""

    data: Path = field(default_factory=data_folder)
    database: str = ""
    """A URL of SQLAlchemy, such as postgresql://…; "" is a file in the data folder."""
    host: str = "127.0.0.1"
    port: int = PORT
    address: str = ""
    """The public address of a server behind a proxy: https://table.example"""
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
    keep_idle: float = 300.0
    """Seconds that a table at which nobody is stays in memory after it was last used; it is read again when somebody comes."""
    max_cached_tables: int = 2000
    """Tables kept in memory, up to some MiB each; more only if people are at all of them."""
    max_connections: int = 20_000
    """Connections of all kinds, a file each, or as many as the system allows; whoever comes then is sent away."""
    max_requests: int = 1000
    """Requests that are worked on at a time, live connections not counted; whoever comes then is sent away."""
    max_requests_address: int = 150
    """Requests of one address that are worked on at a time, or still being sent, or taken."""
    max_streams: int = 10_000
    """Live connections in all: five at each of a thousand tables and as many who look on. Each takes about 40 KiB, and
    another 150 where what it is sent is compressed."""
    max_streams_each: int = 16
    """Live connections of one person."""
    max_streams_address: int = 500
    """Live connections of one address."""
    max_connections_address: int = 1000
    """Connections of all kinds of one address; those of a proxy are not counted."""
    new_connections: Rate = Rate(1000, 50)
    """New connections, by address; those of a proxy are not counted."""
    max_drawings_address: int = 100
    """Pages that wait to be drawn for one address."""
    proxies: tuple[str, ...] = ()
    """Networks of proxies: what they say of where a request comes from is believed."""
    by_person: Rate = Rate(80, 20)
    by_address: Rate = Rate(600, 150)
    new_tables: Rate = Rate(60, 0.5)
    """New tables, by address; here and below all servers count together, in the database."""
    new_tables_each: Rate = Rate(20, 0.1)
    """New tables, by person."""
    bot_tables: Rate = Rate(3, 0.01)
    """New tables at which only bots play, by person and by address."""
    new_people: Rate = Rate(500, 0.5)
    """People who are kept because they did something for the first time, by address."""
    stored: Rate = Rate(8_000_000, 100)
    """Bytes of records that are brought, as they are sent, by person and by address."""
    guesses: Rate = Rate(20, 0.5)
    """Links that lead nowhere, by address."""
    names: Rate = Rate(10, 0.2)
    """New names, by person: everybody at their tables is shown each."""
    chat: Rate = Rate(6, 0.5)
    """Lines of chat, by person."""
    club: bool = field(default_factory=passkeys.is_installed)
    """Whether people may become members."""
    sign_ins: Rate = Rate(30, 0.2)
    """Attempts to sign in or to become a member, by address."""
    exports: Rate = Rate(10, 0.05)
    """Files with the records of many matches, by person."""
    new_members: Rate = Rate(30, 0.01)
    """Guests who become members, by address."""
    metrics_for: tuple[str, ...] = ("127.0.0.0/8", "::1/128")
    """Networks that may read /metrics."""
    log_addresses: bool = True
    """Whether the log has the addresses that requests come from."""
    keep_over: float = 0.0
    keep_open: float = 0.0
    keep_people: float = 0.0
    """Days after which tables that are over, tables that are not, and people without a table are deleted; 0: never."""
    seek_seconds: float = 30.0
    """Seconds after which a bot sits down with somebody who looks for an opponent, if nobody has come."""
    share_wait: float = 10.0
    """Seconds in which the browsers of those who sit down must show their shares of the deal; then it is dealt without them."""
    tick: float = 1.0
    """Seconds between looks at the clocks."""
    takeover: float = 60.0
    """Seconds after which the table may let a bot play for somebody who is away."""
    watch_loop: bool = True
    """Whether the tasks of the event loop are timed."""
    draw_ahead: bool = True
    """Whether every game is drawn once at the start, in a thread."""
    auto_review: bool = True
    """Whether matches of people are reviewed when they end, so that the table can tell where they turned."""
    webhooks: bool = False
    """Whether players may give an address that is told of their turn: the server then sends requests to where they say."""
    webhooks_inside: bool = False
    """Whether such an address may be one of this machine or its network."""
    webhook_ports: tuple[int, ...] = WEB_PORTS
    """The ports that such an address may have."""
    clock: Callable[[], float] = field(default_factory=SteadyClock)
    """Seconds since 1970."""

    @property
    def url(self) -> str:
        """The database, with a driver that does not block."""
        if not self.database:
            return f"sqlite+aiosqlite:///{self.data / 'ridotto.db'}"
        scheme, _, rest = self.database.partition("://")
        driver = {"sqlite": "sqlite+aiosqlite", "postgres": "postgresql+asyncpg", "postgresql": "postgresql+asyncpg"}
        return f"{driver.get(scheme, scheme)}://{rest}"


LIMITS: Final[Mapping[str, str]] = {
    "max_streams": "live connections in all",
    "max_streams_address": "live connections of one address",
    "max_streams_each": "live connections of one person",
    "max_connections": "connections of all kinds",
    "max_connections_address": "connections of all kinds of one address; a proxy's are not counted",
    "new_connections": "new connections, by address; a proxy's are not counted",
    "max_requests": "requests that are worked on at a time",
    "max_requests_address": "requests of one address that are worked on at a time",
    "max_drawings_address": "pages that wait to be drawn for one address",
    "by_person": "requests that change something, by person",
    "by_address": "requests, by address",
    "guesses": "links that lead nowhere, by address",
    "names": "new names, by person",
    "chat": "lines of chat, by person",
    "sign_ins": "attempts to sign in or to become a member, by address",
    "exports": "files with the records of many matches, by person",
    "new_members": "guests who become members, by address",
    "new_tables": "new tables, by address",
    "new_tables_each": "new tables, by person",
    "bot_tables": "new tables of bots alone, by person and by address",
    "new_people": "new people who are remembered, by address",
    "stored": "bytes of records that are brought, by person and by address",
    "max_cached_tables": "tables in memory",
    "keep_idle": "seconds that a table at which nobody is stays in memory",
    "keep_over": "days after which tables that are over are deleted; 0: never",
    "keep_open": "days without a change after which other tables are deleted; 0: never",
    "keep_people": "days after which people without a table are deleted; 0: never",
    "patience": "seconds that a bot may take for a decision",
    "request_timeout": "seconds to send a request, or to take an answer",
}
"""The limits that whoever runs a server can set, with what each is a limit of."""


def flag_of(limit: str) -> str:
    """The option that sets a limit on the command line.

    >>> flag_of("max_streams"), variable_of("max_streams")
    ('--limit max-streams', 'RIDOTTO_MAX_STREAMS')
    """
    return f"--limit {limit.replace('_', '-')}"


def variable_of(limit: str) -> str:
    """The variable that sets a limit in the environment."""
    return f"RIDOTTO_{limit.upper()}"


def parse_limit(name: str, text: str) -> Rate | int | float:
    """The value of a limit; raises BadLimit.

    >>> parse_limit("chat", "6+0.5/s"), parse_limit("patience", "2.5"), parse_limit("max_streams", "100")
    (Rate(burst=6, each_second=0.5), 2.5, 100)
    """
    default = Settings.__dataclass_fields__[name].default
    if isinstance(default, Rate):
        return Rate.parse(text)
    kind = float if isinstance(default, float) else int
    try:
        value = kind(text)
    except ValueError:
        value = kind(-1)
    least = 0 if name.startswith("keep_") else 1e-9
    if not least <= value < 10**9:
        raise BadLimit(f"{flag_of(name)} takes a number greater than 0, not {text!r}")
    return value


def describe_limits() -> str:
    """The limits as a table of Markdown; `docs/server.md` has it."""
    lines = ["| flag | variable | a limit of | usually |", "|---|---|---|---|"]
    for name, meaning in LIMITS.items():
        default = Settings.__dataclass_fields__[name].default
        usual = str(default) if isinstance(default, Rate) else f"{default:,.0f}"
        lines.append(f"| `{flag_of(name)}=…` | `{variable_of(name)}` | {meaning} | {usual} |")
    return "\n".join(lines)
