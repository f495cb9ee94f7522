"""The names of the server, and the reach of an address."""

from __future__ import annotations

import ipaddress
import socket
import time
import urllib.parse
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from starlette.requests import Request

from ridotto.web.identity import Keys
from ridotto.web.live.links import Links, Reach
from ridotto.web.settings import Settings

STRANGE: Final = 8
"""Addresses by which visitors may reach us at a time although we do not know them as ours: those of a router, or of the machine
around a container. Whatever has links in it is kept by their address, so nobody may invent as many as they like."""
FORGOTTEN: Final = 3600.0
"""Seconds after which such an address that nobody has used gives way to another."""
LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")


class Hosts:
    """The addresses of this server."""

    def __init__(self, settings: Settings, clock: Callable[[], float] = time.monotonic) -> None:
        self.settings, self._clock = settings, clock
        self._strange: OrderedDict[str, float] = OrderedDict()
        """The time when each was last used, the latest at the end."""
        machine = socket.gethostname().lower()
        public = urllib.parse.urlsplit(settings.address).hostname
        self.names = {"localhost", machine, f"{machine}.local"} | ({public} if public else set())
        self.network = local_addresses()

    def is_ours(self, host: str) -> bool:
        """Whether we go by that name: any number, this machine's own names, and the one in our settings.

        So no other site can borrow our address.
        """
        try:
            at = urllib.parse.urlsplit(f"//{host}")
            name, _ = at.hostname or "", at.port
        except ValueError:
            return False
        if at.netloc != host or "@" in host:
            return False
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return name in self.names or name.endswith(".localhost")
        return True

    def origin(self, request: Request) -> str:
        """Our own address, as the sender's browser knows it."""
        if self.settings.address and request.url.hostname == urllib.parse.urlsplit(self.settings.address).hostname:
            return self.settings.address.rstrip("/")
        return f"{request.url.scheme}://{request.headers.get('host', '')}"

    def links(self, request: Request, keys: Keys) -> Links:
        """Links for this reader. If nobody else can use the address they came by, the links have one that others can."""
        base = self._base(request)
        at = urllib.parse.urlsplit(base)
        reach: Reach = "world" if self.settings.address else reach_of(at.hostname or "")
        if reach == "machine" and self.settings.host not in LOOPBACK and self.network:
            base, reach = f"{at.scheme}://{self.network[0]}:{at.port or 80}", "network"
        return Links(keys, base, reach)

    def _base(self, request: Request) -> str:
        """Our own address as the sender's browser knows it, if it is one of those that we believe; else one of our own."""
        origin = self.origin(request)
        at = urllib.parse.urlsplit(origin)
        if origin == self.settings.address.rstrip("/"):
            return origin
        name, port, now = at.hostname or "", at.port, self._clock()
        where = f"[{name}]" if ":" in name else name
        base = f"{at.scheme}://{where}" + (f":{port}" if port is not None else "")
        if port in (None, self.settings.port) and (name in self.names or name in self.network or name in LOOPBACK):
            return base
        while self._strange and now - next(iter(self._strange.values())) > FORGOTTEN:
            self._strange.popitem(last=False)
        if base in self._strange or len(self._strange) < STRANGE:
            self._strange[base] = now
            self._strange.move_to_end(base)
            return base
        own = self.network[0] if self.network and self.settings.host not in LOOPBACK else "127.0.0.1"
        return self.settings.address.rstrip("/") or f"http://{own}:{self.settings.port}"


def reach_of(host: str) -> Reach:
    """The reach of an address.

    >>> reach_of("127.0.0.1"), reach_of("192.168.1.7"), reach_of("table.example")
    ('machine', 'network', 'world')
    """
    if host == "localhost" or host.endswith(".localhost"):
        return "machine"
    try:
        number = ipaddress.ip_address(host)
    except ValueError:
        return "network" if "." not in host or host.endswith(".local") else "world"
    return "machine" if number.is_loopback else "network" if number.is_private or number.is_link_local else "world"


def local_addresses() -> list[str]:
    """The numbers by which others in the same network reach this machine, the likeliest first."""
    addresses: list[str] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # nothing is sent: it only asks which way it would go
        addresses.append(probe.getsockname()[0])
    with suppress(OSError):
        addresses += [str(one[4][0]) for one in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return [one for one in dict.fromkeys(addresses) if not ipaddress.ip_address(one).is_loopback]
