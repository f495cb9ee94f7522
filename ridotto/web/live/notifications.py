"""Notices of a turn: a small JSON message to an address that a player gave for a table. Off unless a server allows it.

Whoever lets strangers name an address that the server then calls must see to it that they cannot reach through it what only
the server can reach. So the name is looked up once, every number it has must be one of the open internet, and the very number
that was looked at is called. Redirects are not followed, nothing of the answer but its status is read, and nothing waits long.
"""

from __future__ import annotations

import asyncio
import http.client
import ipaddress
import json
import logging
import socket
import ssl
from collections.abc import Awaitable, Callable
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

from ridotto import __version__
from ridotto.core.narrator import say
from ridotto.engine.errors import RidottoError
from ridotto.web.storage import around
from ridotto.web.storage.around import Hook
from ridotto.web.storage.store import Store

LONGEST: Final = 500
PATIENCE: Final = 5.0
"""Seconds for each step of a call."""
CLAIM: Final = 60_000
"""Milliseconds in which a server that took up a notice has to be done with it."""
PAUSES: Final = (15, 60, 300, 1800, 7200)
"""Seconds until the next try; after the last one the notice is given up."""

log = logging.getLogger("ridotto.web")


class BadAddress(RidottoError, ValueError):
    """An address to which nothing is sent."""


def check(url: str) -> SplitResult:
    """An address as somebody typed it, taken apart; raises BadAddress if it cannot be one.

    >>> check("https://table.example/turn?me=1").hostname
    'table.example'
    >>> check("ftp://table.example/")
    Traceback (most recent call last):
    ridotto.web.live.notifications.BadAddress: a notice goes to an address with https or http, not 'ftp://table.example/'
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise BadAddress(say("this is no address: {url}", url=repr(url[:80]))) from error
    if parts.scheme not in ("http", "https") or not parts.hostname:
        told = say("a notice goes to an address with https or http, not {url}", url=repr(url[:80]))
        raise BadAddress(told)
    if len(url) > LONGEST or not url.isascii() or any(c <= " " for c in url) or parts.username or parts.password or port == 0:
        raise BadAddress(say("this is no address: {url}", url=repr(url[:80])))
    return parts


def numbers(parts: SplitResult, inside: bool) -> list[tuple[Any, ...]]:
    """Where an address leads, as the operating system has it; raises BadAddress if that is nowhere, or not for strangers."""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        found = socket.getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise BadAddress(say("nobody is known by the name {host}", host=repr(parts.hostname))) from error
    if not inside and not all(is_open(str(one[4][0])) for one in found):
        raise BadAddress(say("{host} is not on the open internet: notices do not go there", host=repr(parts.hostname)))
    return list(found)


def is_open(number: str) -> bool:
    """Whether a number is one of the open internet.

    >>> is_open("93.184.216.34"), is_open("2606:4700::1111")
    (True, True)
    >>> any(map(is_open, ("127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "::ffff:10.0.0.1", "64:ff9b::a00:1")))
    False
    """
    found = ipaddress.ip_address(number.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped:
            found = found.ipv4_mapped
        elif found.sixtofour or found.teredo or found in ipaddress.ip_network("64:ff9b::/96"):
            return False
    return found.is_global and not found.is_multicast


def post(url: str, message: dict[str, Any], inside: bool) -> int:
    """Send a message; the status of the answer. Raises BadAddress, OSError or HTTPException."""
    parts = check(url)
    family, kind, protocol, _, where = numbers(parts, inside)[0]
    with socket.socket(family, kind, protocol) as line:
        line.settimeout(PATIENCE)
        line.connect(where)
        secured = line
        if parts.scheme == "https":
            secured = ssl.create_default_context().wrap_socket(line, server_hostname=parts.hostname)
        with secured:
            call = http.client.HTTPConnection(parts.hostname or "", parts.port or where[1], timeout=PATIENCE)
            call.sock = secured
            path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            headers = {"content-type": "application/json", "user-agent": f"ridotto/{__version__}", "connection": "close"}
            headers["host"] = parts.netloc
            call.request("POST", path, json.dumps(message).encode(), headers)
            return call.getresponse().status


async def send(keeper: Store, now: int, inside: bool, letter: Callable[[Hook], Awaitable[dict[str, Any] | None]]) -> None:
    """Send every notice that is due. `letter` gives what is in one, or None if it is not wanted any more."""
    for one in await around.called(keeper, now, now + CLAIM):
        message = await letter(one)
        due: int | None = None
        if message is not None:
            try:
                status = await asyncio.to_thread(post, one.url, message, inside)
            except (RidottoError, OSError, http.client.HTTPException, ValueError) as error:
                status = 0
                log.info("a notice did not arrive", extra={"facts": {"table": one.table, "error": type(error).__name__}})
            if not 200 <= status < 300 and one.tries < len(PAUSES):
                due = now + 1000 * PAUSES[one.tries]
        await around.told(keeper, one, now + CLAIM, due)
