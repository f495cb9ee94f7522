"""Notifications of a turn: a small JSON message to an address that a player gave for a table. Off unless a server allows it.

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
from contextlib import suppress
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

from ridotto import __version__
from ridotto.core.narrator import mark
from ridotto.engine.errors import RidottoError
from ridotto.web.errors import RequestError
from ridotto.web.live.background import BackgroundTasks
from ridotto.web.live.tables import TableService
from ridotto.web.settings import Settings
from ridotto.web.storage import Storage
from ridotto.web.storage.database import DatabaseUnavailable
from ridotto.web.storage.webhooks import Webhook

LONGEST: Final = 500
PATIENCE: Final = 5.0
"""Seconds for each step of a call."""
CLAIM: Final = 60_000
"""Milliseconds in which a server that took up a notification has to be done with it."""
PAUSES: Final = (15, 60, 300, 1800, 7200)
"""Seconds until the next try; after the last one the notification is given up."""

log = logging.getLogger("ridotto.web")


class BadAddress(RequestError, ValueError):
    """An address to which nothing is sent."""


def parse_address(url: str) -> SplitResult:
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
    if len(url) > LONGEST or not url.isascii() or any(c <= " " for c in url) or parts.username or parts.password or port == 0:
        raise BadAddress(mark("this is no address: {url}"), url=repr(url[:80]))
    return parts


def resolve(parts: SplitResult, inside: bool) -> list[tuple[Any, ...]]:
    """Where an address leads, as the operating system has it; raises BadAddress if that is nowhere, or not for strangers."""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        found = socket.getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise BadAddress(mark("nobody is known by the name {host}"), host=repr(parts.hostname)) from error
    if not inside and not all(is_public(str(one[4][0])) for one in found):
        raise BadAddress(mark("{host} is not on the open internet: notices do not go there"), host=repr(parts.hostname))
    return list(found)


def is_public(number: str) -> bool:
    """Whether a number is one of the open internet.

    >>> is_public("93.184.216.34"), is_public("2606:4700::1111")
    (True, True)
    >>> any(map(is_public, ("127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "::ffff:10.0.0.1", "64:ff9b::a00:1")))
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
    parts = parse_address(url)
    family, kind, protocol, _, where = resolve(parts, inside)[0]
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


class Notifier:
    """Sends the notifications that are due."""

    def __init__(self, settings: Settings, storage: Storage, tables: TableService, background: BackgroundTasks) -> None:
        self.settings, self.storage, self.tables, self.background = settings, storage, tables, background

    def open(self) -> None:
        if self.settings.webhooks:
            self.background.start(self._run())

    async def _run(self) -> None:
        while not self.background.stopping.is_set():
            with suppress(DatabaseUnavailable):
                await self.send_due()
            await self.background.pause(self.settings.tick)

    async def send_due(self) -> None:
        """Send every notification that is due; one that does not arrive is tried again later."""
        now = self.storage.milliseconds
        for webhook in await self.storage.webhooks.claim_due(now, now + CLAIM):
            message = await self._message(webhook)
            due: int | None = None
            if message is not None:
                try:
                    status = await asyncio.to_thread(post, webhook.url, message, self.settings.webhooks_inside)
                except (RidottoError, OSError, http.client.HTTPException, ValueError) as error:
                    status = 0
                    facts = {"table": webhook.table, "error": type(error).__name__}
                    log.info("a notice did not arrive", extra={"facts": facts})
                if not 200 <= status < 300 and webhook.tries < len(PAUSES):
                    due = now + 1000 * PAUSES[webhook.tries]
            await self.storage.webhooks.finish(webhook, now + CLAIM, due)

    async def _message(self, webhook: Webhook) -> dict[str, Any] | None:
        """What somebody is told of their turn; None if they know, or it is not theirs any more."""
        with suppress(RidottoError, LookupError):
            table = await self.tables.load(webhook.table)
            seat = table.info.keys.get(webhook.person)
            if seat in table.match.to_act and webhook.person not in table.state.here:
                return {"table": table.id, "game": table.info.game, "link": webhook.link, "seat": seat}
        return None
