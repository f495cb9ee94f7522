"""Notifications of a turn: a small JSON message to an address that a player gave for a table. Off unless a server allows it.

Whoever lets strangers name an address that the server then calls must see to it that they cannot reach through it what only
the server can reach. So the name is looked up once, every number it has must be one of the open internet, and the very number
that was looked at is called. Redirects are not followed, nothing of the answer but its status is read, a whole call has a
deadline, and whoever lets it wait holds up nobody else.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import logging
import socket
import ssl
import threading
from collections.abc import Collection
from contextlib import suppress
from functools import cache
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

import h11

from ridotto import __version__
from ridotto.engine.errors import RidottoError
from ridotto.present.narrator import mark
from ridotto.web.errors import RequestError
from ridotto.web.live.background import BackgroundTasks
from ridotto.web.live.table_cache import TableCache
from ridotto.web.settings import WEB_PORTS, Settings
from ridotto.web.storage import Storage
from ridotto.web.storage.faults import DatabaseUnavailable
from ridotto.web.storage.webhooks import Webhook

LONGEST: Final = 500
DEADLINE: Final = 10.0
"""Seconds for a whole call: looking the name up, connecting, sending, and reading the status."""
CALLS: Final = 50
"""Calls that go on at a time."""
CALLS_EACH: Final = 4
"""Calls that go on at a time for one person."""
LOOKUPS: Final = 16
"""Names that are looked up at a time."""
CLAIM: Final = 60_000
"""Milliseconds in which a server that took up a notification has to be done with it."""
PAUSES: Final = (15, 60, 300, 1800, 7200)
"""Seconds until the next try; after the last one the notification is given up."""
GLOBAL_UNICAST: Final = ipaddress.ip_network("2000::/3")
"""All that is given out of IPv6. Outside it are loopback, private and local addresses, multicast, and those that have an IPv4
address in them: mapped (::ffff:0:0/96), compatible (::/96), translated (64:ff9b::/96, 64:ff9b:1::/48)."""
SPECIAL: Final = tuple(
    map(
        ipaddress.ip_network,
        (
            "0.0.0.0/8",  # this network
            "10.0.0.0/8",  # private
            "100.64.0.0/10",  # shared by the customers of a provider
            "127.0.0.0/8",  # loopback
            "169.254.0.0/16",  # link-local
            "172.16.0.0/12",  # private
            "192.0.0.0/24",  # protocol assignments
            "192.0.2.0/24",  # documentation
            "192.31.196.0/24",  # AS112
            "192.52.193.0/24",  # multicast tunnels
            "192.88.99.0/24",  # 6to4 relays
            "192.168.0.0/16",  # private
            "192.175.48.0/24",  # AS112
            "198.18.0.0/15",  # benchmarking
            "198.51.100.0/24",  # documentation
            "203.0.113.0/24",  # documentation
            "224.0.0.0/4",  # multicast
            "240.0.0.0/4",  # reserved, broadcast
            "2001::/23",  # protocol assignments: Teredo, benchmarking, ORCHID
            "2001:db8::/32",  # documentation
            "2002::/16",  # 6to4
            "2620:4f:8000::/48",  # AS112
            "3fff::/20",  # documentation
        ),
    )
)
"""The registries of special-purpose addresses (IANA; RFC 6890), whether or not one of them can be reached from everywhere."""

log = logging.getLogger("ridotto.web")


class BadAddress(RequestError, ValueError):
    """An address to which nothing is sent."""


def parse_address(url: str, ports: Collection[int] = WEB_PORTS) -> SplitResult:
    """An address as somebody typed it, taken apart; raises BadAddress if it cannot be one.

    >>> parse_address("https://table.example/turn?me=1").hostname
    'table.example'
    >>> parse_address("ftp://table.example/")
    Traceback (most recent call last):
    ridotto.web.live.notifications.BadAddress: a notice goes to an address with https or http, not 'ftp://table.example/'
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise BadAddress(mark("this is no address: {url}"), url=repr(url[:80])) from error
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadAddress(mark("a notice goes to an address with https or http, not {url}"), url=repr(url[:80]))
    is_text = url.isascii() and url.isprintable() and " " not in url
    if len(url) > LONGEST or not is_text or "@" in parts.netloc or "%" in parts.netloc:  # nobody's password, no scope of IPv6
        raise BadAddress(mark("this is no address: {url}"), url=repr(url[:80]))
    if port_of(parts) not in ports:
        allowed = ", ".join(map(str, sorted(ports)))
        raise BadAddress(mark("notices go to these ports alone: {ports}; not to {port}"), ports=allowed, port=port)
    return parts


def port_of(parts: SplitResult) -> int:
    return parts.port if parts.port is not None else 443 if parts.scheme == "https" else 80


def is_public(number: str) -> bool:
    """Whether a number is one of the open internet.

    >>> is_public("93.184.216.34"), is_public("2606:4700::1111")
    (True, True)
    >>> any(map(is_public, ("127.0.0.1", "10.1.2.3", "169.254.169.254", "192.0.0.8", "::1", "::127.0.0.1", "64:ff9b:1::1")))
    False
    """
    if "%" in number:
        return False
    address = ipaddress.ip_address(number)
    if address.version == 6 and address not in GLOBAL_UNICAST:
        return False
    return address.is_global and not address.is_multicast and not any(address in network for network in SPECIAL)


class Resolver:
    """Resolves addresses by the operating system, and refuses those that notices may not go to.

    The system's lookup cannot be given up. So it has threads of its own, of which a name that nobody answers for takes one,
    and which the end of the process does not wait for.
    """

    def __init__(self, settings: Settings) -> None:
        self._inside, self.ports = settings.webhooks_inside, settings.webhook_ports
        self._free = asyncio.Semaphore(LOOKUPS)

    async def check(self, url: str) -> None:
        """Look at an address that somebody gives; raises BadAddress if notices do not go there."""
        parts = parse_address(url, self.ports)
        try:
            async with asyncio.timeout(DEADLINE):
                await self.resolve(parts)
        except TimeoutError as error:
            raise BadAddress(mark("nobody is known by the name {host}"), host=repr(parts.hostname)) from error

    async def resolve(self, parts: SplitResult) -> list[tuple[Any, ...]]:
        """The numbers of an address, for `socket`; raises BadAddress if there are none, or if one is not for strangers."""
        try:
            numbers = await self._look_up(str(parts.hostname), port_of(parts))
        except (OSError, UnicodeError) as error:
            raise BadAddress(mark("nobody is known by the name {host}"), host=repr(parts.hostname)) from error
        if not self._inside and not all(is_public(str(number[4][0])) for number in numbers):
            raise BadAddress(mark("{host} is not on the open internet: notices do not go there"), host=repr(parts.hostname))
        return numbers

    async def _look_up(self, host: str, port: int) -> list[tuple[Any, ...]]:
        await self._free.acquire()
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[list[tuple[Any, ...]]] = loop.create_future()

        def finish(numbers: list[tuple[Any, ...]], error: Exception | None) -> None:
            self._free.release()
            if answer.done():  # nobody waits any more
                return
            if error is None:
                answer.set_result(numbers)
            else:
                answer.set_exception(error)

        def run() -> None:
            numbers: list[tuple[Any, ...]] = []
            failure = None
            try:
                numbers = list(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
            except Exception as error:
                failure = error
            with suppress(RuntimeError):  # the server has ended
                loop.call_soon_threadsafe(finish, numbers, failure)

        threading.Thread(target=run, name="name lookup", daemon=True).start()
        return await answer


@cache
def _certificates() -> ssl.SSLContext:
    return ssl.create_default_context()


async def post(url: str, message: dict[str, Any], resolver: Resolver) -> int:
    """Send a message; the status of the answer. Raises BadAddress, OSError, ProtocolError, or TimeoutError at the deadline."""
    parts = parse_address(url, resolver.ports)
    async with asyncio.timeout(DEADLINE):
        numbers = await resolver.resolve(parts)
        secured: dict[str, Any] = {}
        if parts.scheme == "https":  # reading all the certificates takes a moment
            secured = {"ssl": await asyncio.to_thread(_certificates), "server_hostname": parts.hostname}
        reader, writer = await asyncio.open_connection(sock=await _connect(numbers), limit=4096, **secured)
        try:
            return await _exchange(parts, json.dumps(message).encode(), reader, writer)
        finally:
            writer.transport.abort()


async def _connect(numbers: list[tuple[Any, ...]]) -> socket.socket:
    """A connection to the first of the numbers that can be reached."""
    failure = OSError("there is no number to call")
    for family, kind, protocol, _, where in numbers:
        line = socket.socket(family, kind, protocol)
        try:
            line.setblocking(False)
            await asyncio.get_running_loop().sock_connect(line, where)
            return line
        except OSError as error:
            line.close()
            failure = error
        except asyncio.CancelledError:
            line.close()
            raise
    raise failure


async def _exchange(parts: SplitResult, body: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> int:
    """Send a request, and read the status of the answer."""
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    headers = [
        ("host", parts.netloc),
        ("content-type", "application/json"),
        ("content-length", str(len(body))),
        ("user-agent", f"ridotto/{__version__}"),
        ("connection", "close"),
    ]
    client = h11.Connection(h11.CLIENT, max_incomplete_event_size=16 * 1024)
    for piece in (h11.Request(method="POST", target=path, headers=headers), h11.Data(data=body), h11.EndOfMessage()):
        writer.write(client.send(piece) or b"")
    await writer.drain()
    while True:
        event = client.next_event()
        if event is h11.NEED_DATA:
            client.receive_data(await reader.read(4096))
        elif isinstance(event, h11.Response):
            return event.status_code
        elif not isinstance(event, h11.InformationalResponse):
            raise OSError("the connection ended before an answer")


class Notifier:
    """Sends the notifications that are due, several at a time."""

    def __init__(self, settings: Settings, storage: Storage, tables: TableCache, background: BackgroundTasks) -> None:
        self.settings, self.storage, self.tables, self.background = settings, storage, tables, background
        self.calls: dict[tuple[str, str], asyncio.Task[None]] = {}
        """Those that go on, by table and person."""
        self._resolver = Resolver(settings)

    def open(self) -> None:
        if self.settings.webhooks:
            self.background.start(self._run())

    async def _run(self) -> None:
        while not self.background.stopping.is_set():
            with suppress(DatabaseUnavailable):
                await self.start_due()
            await self.background.pause(self.settings.tick)
        for call in self.calls.values():  # a server takes them up again when their claims have run out
            call.cancel()

    async def start_due(self) -> None:
        """Begin to send the notifications that are due."""
        now = self.storage.milliseconds
        until, free = now + CLAIM, CALLS - len(self.calls)
        for webhook in await self.storage.webhooks.claim_due(now, until, free, CALLS_EACH, self.calls):
            self.calls[webhook.table, webhook.person] = self.background.start(self._send(webhook, now, until))

    async def _send(self, webhook: Webhook, now: int, until: int) -> None:
        """Send a notification; one that does not arrive is tried again later."""
        due: int | None = None
        try:
            if (message := await self._message(webhook)) is not None:
                status = await self._post(webhook, message)
                if not 200 <= status < 300 and webhook.tries < len(PAUSES):
                    due = now + 1000 * PAUSES[webhook.tries]
            await self.storage.webhooks.finish(webhook, until, due)
        except DatabaseUnavailable:
            pass  # its claim runs out
        finally:
            del self.calls[webhook.table, webhook.person]

    async def _post(self, webhook: Webhook, message: dict[str, Any]) -> int:
        """The status of the answer; 0 if there was none."""
        try:
            return await post(webhook.url, message, self._resolver)
        except (RidottoError, OSError, h11.ProtocolError, ValueError) as error:
            log.info("a notice did not arrive", extra={"facts": {"table": webhook.table, "error": type(error).__name__}})
            return 0

    async def _message(self, webhook: Webhook) -> dict[str, Any] | None:
        """The notification of a turn; None if the person is at the table, or it is not their turn any more."""
        try:
            table = await self.tables.load(webhook.table)
        except DatabaseUnavailable:
            raise
        except (RidottoError, LookupError):
            return None
        seat = table.info.keys.get(webhook.person)
        if seat in table.match.to_act and webhook.person not in table.state.here:
            return {"table": table.id, "game": table.info.game, "link": webhook.link, "seat": seat}
        return None
