"""The server as a process: its socket, its start, its end; and several of them behind one port.

Several servers share the listening socket, which the first process holds: whoever is free takes the next connection. That
process serves nobody itself. It starts the others, starts a new one where one died, and ends them when it is told to stop.
"""

from __future__ import annotations

import asyncio
import errno
import ipaddress
import logging
import os
import signal
import socket
import sys
import threading
import time
import webbrowser
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from multiprocessing import connection, get_context, parent_process
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from types import FrameType
from typing import Any, Final

import segno
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from ridotto.engine.build import cache_home
from ridotto.engine.errors import RidottoError
from ridotto.web.identity import load_keys
from ridotto.web.live.addresses import share_of
from ridotto.web.live.workers import can_keep_compiled
from ridotto.web.private_files import keep_private, open_data_folder
from ridotto.web.server.app import create_app
from ridotto.web.server.garbage import Collector
from ridotto.web.server.hosts import local_addresses, reach_of
from ridotto.web.server.logs import set_up_log
from ridotto.web.server.rate_limits import RateLimit
from ridotto.web.server.services import Services
from ridotto.web.server.systemd import Heartbeat, ServiceManager
from ridotto.web.settings import Settings
from ridotto.web.storage import Storage

TRIES: Final = 3
"""Failed starts that are allowed before the first server has started."""
OTHER_FILES: Final = 500
"""Files that a server may have open besides its connections."""
PATIENCE: Final = 20.0
"""Seconds that servers have to end."""

log = logging.getLogger("ridotto.web")


class NoPort(RidottoError, OSError):
    """An address that cannot be listened at."""


class TimedConnection(H11Protocol):
    """A connection that must not take for ever: to say what it wants, or to take what it gets."""

    timeout = 10.0
    """Seconds for either."""
    most = 1000
    """Connections of one address."""
    proxies: tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...] = ()
    """Addresses whose connections are not counted."""
    count: Counter[str]
    """The number of connections, by address."""
    new: RateLimit
    """The rate of new connections, by address: a client that is cut off comes again at once."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._timers: dict[str, asyncio.TimerHandle] = {}
        peer = transport.get_extra_info("peername")
        self._address = "" if not peer or self._is_proxy(str(peer[0])) else share_of(str(peer[0]))
        if self._address:
            self.count[self._address] += 1
            if self.count[self._address] > self.most or self.new.take(self._address):
                transport.abort()
        self._start_timer("ask")

    def _is_proxy(self, address: str) -> bool:
        number = ipaddress.ip_address(address.partition("%")[0])
        return any(number in network for network in self.proxies)

    def _start_timer(self, what: str) -> None:
        if what not in self._timers:
            # Not `close`, which would wait until everything is sent.
            self._timers[what] = self.loop.call_later(self.timeout, self.transport.abort)

    def _stop_timer(self, what: str) -> None:
        if timer := self._timers.pop(what, None):
            timer.cancel()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle is None or self.cycle.response_complete:  # the head of a request has begun, and has not ended
            self._start_timer("ask")
        else:
            self._stop_timer("ask")

    def pause_writing(self) -> None:
        super().pause_writing()
        self._start_timer("take")

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop_timer("take")

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        vars(self.transport).pop("_read_ready_cb", None)  # its own method: a circle that asyncio leaves behind
        self._stop_timer("ask")
        self._stop_timer("take")
        if self._address:
            self.count[self._address] -= 1
            if not self.count[self._address]:
                del self.count[self._address]


class Server(uvicorn.Server):
    """uvicorn, with live connections ended when it is told to stop: they would never end by themselves."""

    def __init__(
        self,
        config: uvicorn.Config,
        services: Services,
        ready: Callable[[], None],
        heartbeat: Heartbeat,
        stopping: Callable[[], None],
    ) -> None:
        super().__init__(config)
        self.services, self.ready, self.heartbeat, self.stopping = services, ready, heartbeat, stopping
        self.loop: asyncio.AbstractEventLoop | None = None
        self.collector = Collector()

    async def on_tick(self, counter: int) -> bool:
        """Called ten times a second."""
        self.heartbeat.beat()
        self.collector.collect()
        return await super().on_tick(counter)

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
        self.stopping()
        if self.loop is not None and self.started:
            self.loop.call_soon_threadsafe(self.services.stop)


def serve(settings: Settings, *, browse: bool = False, log: Path | None = None, tell: Callable[[str], None] = print) -> None:
    """Serve until told to stop. `log` is where the log goes (None: the standard error)."""
    if settings.servers > 1 and not settings.url.startswith("postgresql"):
        raise RidottoError(
            f"{settings.servers} servers need a database that they can share: name a PostgreSQL in DATABASE_URL, or start one"
        )
    settings = replace(settings, max_connections=_make_room(settings.max_connections))
    with listen(settings.host, settings.port) as listening:
        settings = replace(settings, port=listening.getsockname()[1])
        handler = _open_files(settings.data, log)
        manager = ServiceManager()

        def ready() -> None:
            manager.send("READY=1")
            here = address_of(settings.host, settings.port)
            announce(settings, here, tell)
            if settings.warm and not can_keep_compiled():
                tell(f"Bots think slowly, since {cache_home()} cannot be written: name another folder in XDG_CACHE_HOME.")
            if browse:
                threading.Thread(target=_browse, args=(here, tell), daemon=True).start()

        try:
            if settings.servers > 1:
                Supervisor(settings, listening, log, manager).run(ready)
            else:
                _run(settings, listening, ready, log, manager.heartbeat, partial(manager.send, "STOPPING=1"))
        finally:
            with suppress(OSError):  # the disk is full: what is left of the log cannot be written
                handler.close()


def _open_files(data: Path, log: Path | None) -> logging.Handler:
    """Open the data folder and the log, for our own eyes; an error says which option to change."""
    keep_private()
    try:
        open_data_folder(data)
    except OSError as error:
        raise RidottoError(f"cannot write to {error.filename}: {error.strerror}; choose a folder with --data") from error
    try:
        return set_up_log(log)
    except OSError as error:
        better = "a folder with --data" if log and log.parent == data else "another file with --log"
        raise RidottoError(f"cannot write to {error.filename}: {error.strerror}; choose {better}") from error


def _browse(here: str, tell: Callable[[str], None]) -> None:
    if not webbrowser.open(here):
        tell(f"No browser was found to open: go to {here} yourself.")


def _make_room(connections: int) -> int:
    """Let this process have as many connections as it may have by its settings, or as the system allows; how many those are."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = max(soft, connections + OTHER_FILES)
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted if hard < 0 else min(hard, wanted), hard))
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        return connections if soft < 0 else max(1, min(connections, soft - OTHER_FILES))
    return connections


def _run(
    settings: Settings,
    listening: socket.socket,
    ready: Callable[[], None],
    log: Path | None,
    heartbeat: Heartbeat,
    stopping: Callable[[], None],
) -> None:
    """One server, until it is told to stop."""
    app = create_app(settings)
    services: Services = app.state.services
    proxies = settings.proxies or (("127.0.0.1", "::1") if settings.address else ())
    limits = {
        "timeout": settings.request_timeout,
        "most": settings.max_connections_address,
        "proxies": tuple(ipaddress.ip_network(one) for one in proxies),
        "count": Counter(),
        "new": RateLimit(settings.new_connections),
    }
    config = uvicorn.Config(
        app,
        http=type("TimedConnection", (TimedConnection,), limits),
        log_config=None,
        access_log=False,
        lifespan="on",
        server_header=False,
        limit_concurrency=settings.max_connections,
        timeout_keep_alive=20,
        timeout_graceful_shutdown=5,
        h11_max_incomplete_event_size=32 * 1024,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
    )
    server = Server(config, services, ready, heartbeat, stopping)
    server.collector.start()
    with suppress(SystemExit):  # what went wrong is said below
        server.run([listening])
    if not server.started:
        raise services.failure or RidottoError(f"the server did not start: see {log or 'above'}")


# Several servers.


class Supervisor:
    """Runs several servers behind one port."""

    def __init__(self, settings: Settings, listening: socket.socket, where: Path | None, manager: ServiceManager) -> None:
        self.settings = replace(settings, workers=max(1, settings.workers // settings.servers))
        self.listening, self.where = listening, where
        self.manager = manager
        self._servers: dict[SpawnProcess, tuple[int, Connection]] = {}
        self._heard: dict[SpawnProcess, float] = {}
        """The time when a server that is ready last said so, if systemd wants to know: none is thought to be stuck before."""
        self._failed = 0
        self._stop = False

    def run(self, ready: Callable[[], None]) -> None:
        """Keep them running until told to stop."""
        # What all of them need is made by one.
        load_keys(self.settings.data)
        asyncio.run(_prepare_database(self.settings))
        woken, waker = os.pipe()
        before = {one: signal.signal(one, partial(self._stop_later, waker)) for one in (signal.SIGINT, signal.SIGTERM)}
        try:
            waiting = set(range(1, self.settings.servers + 1))
            for number in waiting:
                self._start(number)
            while not self._stop:
                links: list[Connection | int] = [*(link for _, link in self._servers.values()), woken]
                ready_links = connection.wait(links, self.manager.heartbeat.interval or None)
                self.manager.heartbeat.beat()
                for process, (number, link) in list(self._servers.items()):
                    if link in ready_links and not self._receive(process, number, link):
                        waiting.discard(number)
                        if not waiting:
                            waiting.add(0)  # said once
                            ready()
                self._kill_stuck()
        finally:
            self.manager.send("STOPPING=1")
            self._end()
            for one, handler in before.items():
                signal.signal(one, handler)
            os.close(woken)
            os.close(waker)

    def _stop_later(self, waker: int, *_: object) -> None:
        self._stop = True
        os.write(waker, b"!")

    def _start(self, number: int) -> None:
        context = get_context("spawn")
        ours, theirs = context.Pipe()
        where = self.where and self.where.with_stem(f"{self.where.stem}-{number}")
        settings = replace(self.settings, number=number)
        given = settings, self.listening, where, theirs, self.manager.heartbeat.interval
        process = context.Process(target=_work, args=given, name=f"server {number}")
        process.start()
        theirs.close()
        self._servers[process] = (number, ours)

    def _receive(self, process: SpawnProcess, number: int, link: Connection) -> bool:
        """Whether a server said anything but that it is ready, or still there: it died, and another one takes its place."""
        try:
            said = link.recv()
        except (EOFError, OSError):
            said = None
        if said in ("ready", "there"):
            self._failed = 0
            self._heard[process] = time.monotonic()
            return False
        process.join()
        link.close()
        del self._servers[process]
        self._heard.pop(process, None)
        if said or (process.exitcode or 0) > 0:  # not killed: it could not start, or gave up
            self._failed += 1
            if self._failed >= TRIES:
                raise RidottoError(said or f"the servers do not stay up: see {self.where or 'above'}")
            time.sleep(1)
        if not self._stop:
            log.warning("a server died: another one is started", extra={"facts": {"server": number, "code": process.exitcode}})
            self._start(number)
        return True

    def _kill_stuck(self) -> None:
        """End servers whose event loop does not turn any more, where systemd would end a single one."""
        for process, heard in self._heard.items() if self.manager.patience else ():
            if time.monotonic() - heard > self.manager.patience:
                log.error("a server is stuck", extra={"facts": {"server": self._servers[process][0]}})
                process.kill()

    def _end(self) -> None:
        for process in self._servers:
            process.terminate()
        end = time.monotonic() + PATIENCE
        for process, (_, link) in self._servers.items():
            process.join(max(0.0, end - time.monotonic()))
            if process.is_alive():
                process.kill()
                process.join()
            link.close()


async def _prepare_database(settings: Settings) -> None:
    storage = Storage(settings.url)
    await storage.open()
    await storage.close()


def _work(settings: Settings, listening: socket.socket, where: Path | None, link: Connection, interval: float) -> None:
    """In a process of its own: one of several servers."""
    set_up_log(where)
    threading.Thread(target=_leave_with_first, daemon=True).start()

    def say(word: str) -> None:
        with suppress(OSError):
            link.send(word)

    try:
        with listening:
            _run(settings, listening, partial(say, "ready"), where, Heartbeat(interval, partial(say, "there")), lambda: None)
    except RidottoError as error:
        with suppress(OSError):
            link.send(str(error))


def _leave_with_first() -> None:
    """Stop when the process is gone that would stop us."""
    parent: Any = parent_process()
    connection.wait([parent.sentinel])
    os.kill(os.getpid(), signal.SIGTERM)


# Where.


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
    """The address of the server for a browser on this machine."""
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
