"""The address of each person's latest request, in memory alone, so that shares can be by address."""

from __future__ import annotations

import ipaddress
from collections import OrderedDict
from functools import lru_cache
from typing import Final

MOST: Final = 20_000
"""People whose address is remembered."""


class Addresses:
    """The addresses that people were last seen at."""

    def __init__(self) -> None:
        self._of: OrderedDict[str, str] = OrderedDict()

    def note(self, person: str, address: str) -> None:
        self._of[person] = address
        self._of.move_to_end(person)
        if len(self._of) > MOST:
            self._of.popitem(last=False)

    def of(self, person: str) -> str:
        """The address of somebody; "" if they were not here since the start."""
        return self._of.get(person, "")


@lru_cache(10_000)
def share_of(address: str) -> str:
    """The part of an address that counts: with IPv6 everybody has a network of 64 bits to choose from.

    >>> share_of("192.0.2.7"), share_of("2001:db8:1:2:3:4:5:6"), share_of("::ffff:192.0.2.7"), share_of("unknown")
    ('192.0.2.7', '2001:db8:1:2::/64', '192.0.2.7', 'unknown')
    """
    try:
        number = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(number, ipaddress.IPv4Address):
        return str(number)
    if number.ipv4_mapped is not None:
        return str(number.ipv4_mapped)
    return str(ipaddress.ip_network((number, 64), strict=False))
