"""The server as a process: its socket, its start, its end."""

from __future__ import annotations

import asyncio
import errno
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import FrameType

import segno
import uvicorn

from ridotto.kernel import RidottoError
from ridotto.web import journal
from ridotto.web.app import Office, app, local_addresses, reach_of
from ridotto.web.settings import Settings


class NoPort(RidottoError, OSError):
    """An address that cannot be listened at."""


class Server(uvicorn.Server):
    """uvicorn, with live connections ended when it is told to stop: they would never end by themselves."""

    def __init__(self, config: uvicorn.Config, office: Office, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self.office, self.ready = office, ready
        self.loop: asyncio.AbstractEventLoop | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.loop = asyncio.get_running_loop()
        if self.started:
            self.ready()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop politely when asked to; unlike uvicorn, without dying of the signal afterwards."""
        before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        if self.loop is not None and self.started:
            self.loop.call_soon_threadsafe(self.office.house.stop)


def serve(settings: Settings, *, browse: bool = False, log: Path | None = None, tell: Callable[[str], None] = print) -> None:
    """Serve until told to stop. `log` is where the log goes (None: the standard error)."""
    listening = listen(settings.host, settings.port)
    settings = replace(settings, port=listening.getsockname()[1])
    try:
        settings.data.mkdir(parents=True, exist_ok=True)
        handler = journal.keep(log)
    except OSError as error:
        listening.close()
        raise RidottoError(f"cannot write to {error.filename}: {error.strerror}; choose a folder with --data") from error
    application = app(settings)
    office: Office = application.state.office
    config = uvicorn.Config(
        application,
        log_config=None,
        access_log=False,
        lifespan="on",
        server_header=False,
        timeout_keep_alive=20,
        timeout_graceful_shutdown=10,
        h11_max_incomplete_event_size=32 * 1024,
        proxy_headers=bool(settings.address),
    )

    def ready() -> None:
        here = address_of(settings.host, settings.port)
        announce(settings, here, tell)
        if browse:
            threading.Thread(target=webbrowser.open, args=(here,), daemon=True).start()

    server = Server(config, office, ready)
    try:
        with listening, suppress(SystemExit):  # what went wrong is said below
            server.run([listening])
    finally:
        handler.close()
    if not server.started:
        raise office.failed or RidottoError(f"the server did not start: see {log or 'above'}")


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens, or an error that says what to do."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listening = socket.socket(family)
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind((host, port))
            listening.listen(1024)
        except BaseException:
            listening.close()
            raise
    except OverflowError as error:
        raise NoPort(f"there are ports 1 to 65535, not {port}") from error
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise NoPort(f"port {port} of {host} is in use: stop what uses it, or choose another with --port") from error
        raise NoPort(f"cannot listen at {host}, port {port}: {error.strerror or error}") from error
    return listening


def address_of(host: str, port: int) -> str:
    """How somebody at this machine reaches the server."""
    name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{name}:{port}/"


def announce(settings: Settings, here: str, tell: Callable[[str], None]) -> None:
    """Say where the server is; where others can reach it, with a code to point a phone at."""
    tell(f"Ridotto is at {here}")
    if settings.address:
        tell(f"and for everybody at {settings.address}")
    elif settings.host in ("0.0.0.0", "::"):
        others = [f"http://{one}:{settings.port}/" for one in local_addresses()]
        for other in others:
            tell(f"and for others in the same network at {other}")
        with suppress(UnicodeEncodeError):  # a terminal without blocks goes without the code
            for other in others[:1]:
                segno.make(other, micro=False).terminal(sys.stdout, compact=True)
    elif reach_of(settings.host) == "machine":
        tell("It can be reached from this machine alone; HOST=0.0.0.0 (or --host 0.0.0.0) lets others in the same network in.")
    tell("Ctrl-C stops it; tables are kept.")
