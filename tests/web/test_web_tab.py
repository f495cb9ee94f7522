"""The table in a tab, without a browser: the program that its worker runs, asked as its pages ask."""

from __future__ import annotations

import asyncio
import html
import importlib.metadata
import json
import re
import subprocess
import sys
import urllib.parse
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from wasm_modules import module_build

from ridotto.bots import Budget, find, modules
from ridotto.core import record
from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.engine.errors import NoModule
from ridotto.games import GAMES
from ridotto.web.pages import assets, home, site, table_question
from ridotto.web.pages.boards import board
from ridotto.web.storage.faults import BadDatabase
from ridotto.web.storage.memory import MemoryDatabase
from ridotto.web.tab import boot, bots, build
from ridotto.web.tab.exchange import Answer

BUILT: dict[str, Any] = {
    "modules": {},
    "stylesheet": "static/boards.css",
    "scripts": ["static/x/main.js"],
    "main_script": "static/x/main.js",
}
ADDRESS = "https://games.example/ridotto/#"
PAGE = {"accept": "text/html", "accept-language": "en"}
FORM = PAGE | {"content-type": "application/x-www-form-urlencoded"}
BARE = """
import sys
for name in ("numpy", "numba", "orjson", "greenlet", "aiosqlite", "asyncpg", "alembic", "uvicorn", "prometheus_client"):
    sys.modules[name] = None
import ridotto.web.tab.boot
from ridotto import GAMES, Match, bots
for game in GAMES.values():
    match = Match(game, seed=1)
    for _ in range(3):
        view = match.view(match.to_act[0])
        match.play(bots.find("level:1").choose(view, bots.Budget(1, 1.0, target="python")), match.to_act[0])
"""


class Browser:
    """What a browser does for the program, and what it keeps."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    def keep(self, name: str, value: bytes) -> None:
        self.kept[name] = value

    def note_written(self) -> None:
        """It is kept when the tab is left."""

    def file(self, text: str, kind: str) -> str:
        return f"blob:{kind}:{len(text)}"

    def ask_bot(self, question: bytes, game: str, take: Callable[[bytes | None, str], None]) -> None:
        asyncio.get_running_loop().call_soon(lambda: take(bots.answer(question), ""))


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Pages are at home in a tab, and afterwards at a server again."""
    monkeypatch.setattr(boot, "DATA", tmp_path / "data")
    monkeypatch.setattr(boot, "SECRET", tmp_path / "data" / "secret.key")
    kept = (assets.site, board, site.game_card, table_question._links)
    for cached in kept:
        cached.cache_clear()
    yield
    home.use(None)
    for cached in kept:
        cached.cache_clear()


class Visit:
    """A tab that somebody has opened."""

    def __init__(self, tab: boot.Tab, browser: Browser) -> None:
        self.tab, self.browser, self.nonce = tab, browser, ""

    async def go(self, address: str) -> Answer:
        answer = await self.tab.request("GET", address, PAGE, b"", True)
        self.nonce = (re.findall(r'data-nonce="(\w+)"', answer.body.decode("utf-8", "replace")) or [self.nonce])[0]
        return answer

    async def send(self, address: str, **form: str) -> Answer:
        body = urllib.parse.urlencode({"nonce": self.nonce, **form}).encode()
        return await self.tab.request("POST", address, FORM, body, True)

    async def play(self, table: str) -> None:
        """Do the first of what can be done, as long as anything can."""
        last = -1
        for _ in range(3000):
            page = (await self.go(table)).body.decode()
            ply = int(re.findall(r'data-ply="(\d+)"', page)[0])
            if 'id="result"' in page and "<table" in page.partition('id="result"')[2]:
                return
            answers = re.findall(r'data-do="([^"]+)"', page.partition('id="ask"')[2].partition('id="board"')[0])
            if answers and ply != last:
                last = ply
                sent = {"do": html.unescape(answers[0]), "ply": ply, "nonce": self.nonce}
                kind = {"content-type": "application/json"}
                answer = await self.tab.request("POST", f"{table}/act", kind, json.dumps(sent).encode(), False)
                assert answer.status == 204, answer.body.decode()
            await asyncio.sleep(0.02)
        raise AssertionError("the match does not end")


@asynccontextmanager
async def visiting(browser: Browser) -> AsyncIterator[Visit]:
    tab = await boot.start(ADDRESS, 1, browser, dict(browser.kept), BUILT)
    visit = Visit(tab, browser)
    await visit.go("/")
    yield visit
    browser.keep("database", tab.saved())
    await tab.close()


def test_a_whole_match_is_played_and_kept() -> None:
    """A match against a bot is played to its end; the next visit finds it, its record is sound, and the deal is verified."""
    browser = Browser()

    async def first() -> str:
        async with visiting(browser) as visit:
            table = (await visit.send("/tables", game="fantome", bots="0", level="1", language="en", name="Ada")).address
            await visit.play(table)
            return table

    async def again(table: str) -> dict[str, object]:
        async with visiting(browser) as visit:
            assert b"Welcome, Ada." in (await visit.go("/")).body
            told: dict[str, object] = json.loads((await visit.tab.request("GET", f"{table}/record", {}, b"", True)).body)
            assert (await visit.go(f"{table}/replay?ply=4")).status == 200
            return told

    table = asyncio.run(first())
    assert {"secret", "cookies", "database"} == browser.kept.keys()
    match, _ = record.read(asyncio.run(again(table)), GAMES)
    assert match.outcome is not None


def test_friends_far_away_need_a_server() -> None:
    """The pages of a tab offer no link to anybody, and say why; at a server they do."""

    async def look() -> tuple[str, str, str]:
        async with visiting(Browser()) as visit:
            lobby = (await visit.go("/")).body.decode()
            shared = await visit.send("/tables", game="fantome", friend="0", level="1", language="en", name="")
            table = await visit.send("/tables", game="fantome", bots="0", level="1", language="en", name="")
            return lobby, shared.body.decode(), table.body.decode()

    lobby, shared, table = asyncio.run(look())
    assert "a friend, by link" not in lobby and "Play with a friend here" in lobby
    assert "somebody has to run a server" in table and "qr.svg" not in table
    assert 'id="handed"' in shared, "two people share this device"


def test_addresses_of_files_are_those_of_the_folder() -> None:
    """A page in a tab asks for files beside it, wherever that is, and links lead back into the tab."""

    async def look() -> str:
        async with visiting(Browser()) as visit:
            table = await visit.send("/tables", game="turandot", bots="0", level="1", language="en", name="")
            return table.body.decode()

    page = asyncio.run(look())
    files = re.findall(r'<(?:link|script|img|use)[^>]* (?:href|src)="([^"#]+)', page)
    assert files and not [one for one in files if not one.startswith(("static/", "blob:", "data:"))]


def test_a_live_connection_brings_what_happens() -> None:
    """What is done at a table comes over its live connection, and ending it ends it."""

    async def watch() -> tuple[list[str], list[int]]:
        async with visiting(Browser()) as visit:
            opened = await visit.send("/tables", game="fantome", bots="0", level="1", language="en", name="")
            page = opened.body.decode()
            state = re.findall(r'data-state="(\d+)"', page)[0]
            heard: list[str] = []
            ended: list[int] = []
            stream = visit.tab.subscribe(f"{opened.address}/live?ply=1&state={state}", heard.append, ended.append)
            await visit.play(opened.address)
            stream.end()
            async with asyncio.timeout(5):
                while not ended:
                    await asyncio.sleep(0.01)
            return heard, ended

    heard, ended = asyncio.run(watch())
    assert [200] == ended
    assert [one for one in heard if one.startswith("id: ") and "event: table" in one]


def test_a_strong_bot_plays_at_its_level_in_a_module(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the module of its game it chooses as on a server, in the module; without one it thinks less, and says so."""
    game, calls = GAMES["turandot"], list[str]()
    linked = module_build(game).linked
    assert linked is not None
    invoke = linked.instance.invoke

    def note(name: str, *given: Any) -> tuple[int, bytes]:
        calls.append(name)
        return invoke(name, *given)

    monkeypatch.setattr(linked.instance, "invoke", note)
    monkeypatch.setattr("secrets.randbits", lambda _: 7)
    match = Match(game, 2, seed=1)
    view = match.view(match.to_act[0])

    async def choose(interpreted: list[str]) -> tuple[int, list[str], bool]:
        asked, told = list[str](), list[str]()

        def ask(question: bytes, package: str, take: Callable[[bytes | None, str], None]) -> None:
            asked.append(package)
            take(bots.answer(question), "")

        calls.clear()
        workers = bots.TabBotWorkers(1, 60.0, interpreted, ask)
        workers.start()
        action = await workers.choose("level:6", view, told=told.append)
        assert asked == [game.package]
        return action, told, bool(calls)

    monkeypatch.setattr(bots, "SECONDS", 0.1)
    assert (find("level:6").choose(view, Budget(7)), [""], True) == asyncio.run(choose([]))
    assert (["browser"], False) == asyncio.run(choose(["turandot"]))[1:]
    assert linked.missed == set()


def test_without_what_makes_modules_bots_are_interpreted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module that cannot be made is left out of the folder, with a line about its game."""
    missing = importlib.metadata.PackageNotFoundError("ziglang")
    answers = {"turandot": NoModule("no memory is left"), "fantome": missing}

    def write(games: Sequence[Game], folder: Path) -> list[Path]:
        (game,) = games
        if game.name in answers:
            raise answers[game.name]
        return [folder / modules.file_name(game)]

    monkeypatch.setattr(modules, "write", write)
    said: list[str] = []
    games = [GAMES[name] for name in ("turandot", "fantome", "opera")]
    made = dict(build._modules(tmp_path, games, said.append))
    assert made == {"ridotto.games.opera": "modules/ridotto.games.opera.wasm"}
    assert ["no memory is left" in said[0], "ridotto[tab]" in said[1], len(said)] == [True, True, 2]


def test_it_runs_without_compiled_packages() -> None:
    """The program is imported, and bots play every game, with nothing that a browser's Python does not have."""
    done = subprocess.run([sys.executable, "-c", BARE], capture_output=True, text=True)
    assert (0, "") == (done.returncode, done.stderr)


def test_what_a_newer_version_kept_is_left_alone() -> None:
    """A database of a later schema, or one that is none, is refused in a sentence, not overwritten."""

    async def use(saved: bytes | None) -> bytes:
        database = MemoryDatabase(saved)
        await database.open()
        return database.saved()

    async def newer() -> bytes:
        database = MemoryDatabase()
        await database.open()
        database._raw.execute("PRAGMA user_version=9999")
        return database.saved()

    assert asyncio.run(use(asyncio.run(use(None))))
    with pytest.raises(BadDatabase, match="a newer version"):
        asyncio.run(use(asyncio.run(newer())))
    with pytest.raises(BadDatabase, match="cannot read"):
        asyncio.run(use(b"nothing of ours" * 1000))
