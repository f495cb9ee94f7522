"""systemd is told that the server is ready, that it stops, and again and again that its event loop turns (see sd_notify(3))."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import suppress


class Heartbeat:
    """Calls something at intervals, from a loop that turns more often; not at all if the interval is 0."""

    def __init__(self, interval: float, send: Callable[[], None]) -> None:
        self.interval, self._send, self._due = interval, send, 0.0

    def beat(self) -> None:
        """Called whenever the loop turns."""
        if self.interval and (now := time.monotonic()) >= self._due:
            self._due = now + self.interval
            self._send()


class ServiceManager:
    """systemd, if it has started this process with Type=notify; otherwise nobody hears of anything."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        is_for_us = environment.get("WATCHDOG_PID") in (None, str(os.getpid()))
        self.patience = int(environment.get("WATCHDOG_USEC", 0)) / 1e6 if self._address and is_for_us else 0.0
        """Seconds after which systemd takes us for dead; 0: never."""
        self.heartbeat = Heartbeat(self.patience / 3, lambda: self.send("WATCHDOG=1"))

    def send(self, state: str) -> None:
        if self._address:
            name = f"\0{self._address[1:]}" if self._address.startswith("@") else self._address
            with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
                line.setblocking(False)
                line.sendto(state.encode(), name)
