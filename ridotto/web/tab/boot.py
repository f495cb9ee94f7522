"""The start of a table in a tab: called by `static/worker.js` in the browser's Python."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

from ridotto.games import GAMES
from ridotto.web.pages import home
from ridotto.web.server.app import create_app
from ridotto.web.settings import Rate, Settings
from ridotto.web.storage import Storage
from ridotto.web.storage.memory import MemoryDatabase
from ridotto.web.tab.bots import Ask, TabBotWorkers
from ridotto.web.tab.exchange import Answer, Client, Exchange, as_bytes

DATA: Final = Path("/data")
"""The folder of what a server keeps beside its database, in the memory of the tab."""
SECRET: Final = DATA / "secret.key"
PLENTY: Final = Rate(1_000_000, 1_000_000.0)
"""The rate of whatever only strangers could do too often."""


log = logging.getLogger("ridotto.web")


class Host(Protocol):
    """The browser, as far as Python needs it."""

    @property
    def ask_bot(self) -> Ask:
        """Sends a question to a worker in which bots think."""

    def keep(self, name: str, value: bytes) -> None:
        """Keep something in this browser under a name."""

    def note_written(self) -> None:
        """Something was written: what the database holds is to be kept soon."""

    def file(self, text: str, kind: str) -> str:
        """The address of a file that this browser holds for as long as the tab is open."""


class Tab:
    """The web table of one tab."""

    def __init__(self, address: str, bots: int, host: Host, kept: dict[str, bytes], interpreted: Sequence[str]) -> None:
        DATA.mkdir(exist_ok=True)
        if secret := kept.get("secret"):
            SECRET.write_bytes(secret)
        self._database = MemoryDatabase(kept.get("database"))
        self._database.on_written.append(host.note_written)
        self._streams: set[asyncio.Task[None]] = set()
        settings = Settings(
            data=DATA,
            address=address,
            workers=bots,
            by_person=PLENTY,
            by_address=PLENTY,
            new_tables=PLENTY,
            new_tables_each=PLENTY,
            bot_tables=PLENTY,
            new_people=PLENTY,
            stored=PLENTY,
            guesses=PLENTY,
            names=PLENTY,
            share_wait=2.0,
            clock=time.time,
            watch_loop=False,  # a browser's loop takes no other tasks than its own
            draw_ahead=False,
            auto_review=False,
            club=False,
        )
        workers = TabBotWorkers(settings.workers, settings.patience, interpreted, host.ask_bot)
        self._app = create_app(settings, workers, Storage("", settings.clock, memory=self._database))
        if not secret:
            host.keep("secret", SECRET.read_bytes())
        cookies: dict[str, str] = json.loads(kept.get("cookies") or b"{}")
        self._client = Client(self._app, address, cookies, lambda now: host.keep("cookies", json.dumps(now).encode()))

    async def open(self) -> None:
        await self._app.state.services.open()

    async def close(self) -> None:
        """Stop; what was kept stays."""
        await self._app.state.services.close()

    async def request(self, method: str, address: str, headers: dict[str, str], body: bytes, follow: bool) -> Answer:
        """The answer to a request of a page; with `follow`, to the one that it leads to."""
        return await self._client.ask(method, address, headers, as_bytes(body), follow=follow)

    def subscribe(self, address: str, take: Callable[[str], None], end: Callable[[int], None]) -> Exchange:
        """Open a live connection: `take` is called with what comes, `end` with the status when nothing more does."""
        exchange = self._client.live(address)

        async def pass_on(text: str) -> None:
            take(text)

        async def run() -> None:
            status = 500
            try:
                status = await self._client.stream(exchange, pass_on)
            except Exception:
                log.exception("a live connection broke")
            end(status)

        task = asyncio.ensure_future(run())
        self._streams.add(task)
        task.add_done_callback(self._streams.discard)
        return exchange

    def saved(self) -> bytes:
        """What the database holds, to be kept by the browser."""
        return self._database.saved()


async def start(address: str, bots: int, host: Host, kept: dict[str, bytes], built: dict[str, Any]) -> Tab:
    """Open the table: `kept` is what this browser kept, `built` the addresses of the files beside it."""
    log.setLevel(logging.WARNING)
    home.use(home.Home(built["stylesheet"], tuple(built["scripts"]), built["main_script"], "static/mask.svg", host.file))
    interpreted = [name for name, game in GAMES.items() if game.package not in built["modules"]]
    tab = Tab(address, bots, host, {name: as_bytes(value) for name, value in kept.items()}, interpreted)
    await tab.open()
    return tab
