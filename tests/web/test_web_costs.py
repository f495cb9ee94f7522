"""The cost of every request is bounded: each route is sent the worst we can think of, and the server measures what it took.

A route without a worst case makes the tests fail. Times are CPU times, by the server's own instruments.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import json
import logging
import random
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from typing import Any, ClassVar, Final
from urllib.parse import quote, urlencode

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount, Route
from turn_orders import some_turns
from visitors import ReusedWorkers, Visitor, sat, services, settings

from ridotto.core import record
from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.present.ui import ui
from ridotto.web.identity import Person, load_host_key
from ridotto.web.live.page_cache import PageCache
from ridotto.web.live.table_writer import LONGEST_MATCH
from ridotto.web.pages.assets import script_address
from ridotto.web.pages.boards import board_of
from ridotto.web.server.app import create_app, endpoints
from ridotto.web.server.requests import LONGEST_ACTION
from ridotto.web.settings import Rate
from ridotto.web.storage.table_settings import TableSettings
from ridotto.web.storage.tables import set_settings

ON_LOOP: Final = 50.0
"""Milliseconds of CPU time that a request may have the event loop."""
IN_THREADS: Final = 1000.0
"""Milliseconds of CPU time that it may take in threads."""
STAYS: Final = 4000
"""Bytes that may stay after a request with values that were never sent before, on the average: tables in memory, and texts in
caches that have a bound. Of some requests it was 20 and 28 KiB, for good."""
TRIES: Final = 3
ODD: Final = ("1e999", "-1", "١٢", "9" * 18, "9" * 4000, "0x10", "NaN", "\0", "%00", "½", "1_0", "")
"""What is no number, or hardly one."""
LONG: Final = "x" * 20_000


@dataclass
class Asked:
    """A request."""

    path: str
    form: dict[str, str] | None = None
    json: Any = None
    content: bytes | None = None
    headers: dict[str, str] = field(default_factory=dict)


class Requests(logging.Handler):
    """The lines of the log about requests."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[dict[str, Any]] = []

    def emit(self, line: logging.LogRecord) -> None:
        if line.getMessage() == "request":
            self.lines.append(getattr(line, "facts", {}))


class Costs:
    """A server with tables of all kinds, and what each request costs it."""

    def __init__(self, app: Starlette, one: Visitor, other: Visitor) -> None:
        self.app, self.one, self.other = app, one, other
        self.log, self._number = Requests(), count()
        self.dice = random.Random(7)

    def new(self) -> int:
        """A number that was never sent before."""
        return next(self._number)

    async def prepare(self) -> None:
        """Tables: one in the middle of a long turn, one that waits for a player, one that two share, and one that is over."""
        turn = next(turn for turn in some_turns("turandot", 1, 3) if turn.kind == "cast")
        sitters: list[Visitor | str] = [self.other] * turn.match.seats
        sitters[turn.seat] = self.one
        self.turn, self.match = turn, turn.match
        self.playing = (await sat(self.app, turn.match, *sitters)).id
        self.open = (await sat(self.app, Match(GAMES["fantome"], 2, seed=1), self.one, "")).id
        over = long_match(LONGEST_MATCH)
        self.over_match = over
        self.over = (await sat(self.app, over, self.one, self.other, "level:1", "level:1")).id
        table = await services(self.app).tables.load(self.playing)
        await services(self.app).writer.change(table, [set_settings(table.id, TableSettings(hints="all"))])
        self.text, self.long_text = (record.dump(record.write(one)) for one in (over, long_match(4000)))
        self.member = "Bruno"
        await services(self.app).storage.people.save(Person(self.other.id, self.member), claims_name=True)
        await services(self.app).storage.members.replace_codes(self.other.id, ["code"])
        await services(self.app).scorer.catch_up()
        self.host = load_host_key(services(self.app).settings.data)
        await services(self.app).storage.people.save(Person(self.one.id, "Somebody"))
        assert 303 == (await self.one.post("/host/enter", {"key": self.host})).status_code

    # What is sent.

    def turns(self) -> list[str]:
        """Turns of as many decisions as there may be: of what can be done, of what cannot, of both, and of what is nothing."""
        legal = [str(one) for one in self.match.legal(self.turn.seat)]
        actions = self.match.rules.ACTIONS
        every = [actions.notation(number) for number in range(actions.size)]
        some = self.dice.choices
        kinds = (
            [*self.turn.decisions, *some(every, k=24)][:24],
            [*some(legal, k=23), f"cast {self.new()}"],
            some(every, k=24),
            some([*legal, *every], k=24),
            [f"nothing {self.new()}"] * 24,
            [*legal[:6], "pick nobody"],  # half a second, when all orders were tried
            [*legal, *legal, "pick nobody"],
            [*legal[:6], every[-1]],
        )
        texts = [", ".join(one) for one in kinds]
        texts = [text if len(text) <= LONGEST_ACTION else text[:LONGEST_ACTION].rpartition(",")[0] for text in texts]
        return [*texts, "," * 999, "a," * 499 + "a", "arrange " + "x " * 490]

    def credentials(self) -> list[str]:
        """What a browser may send for a passkey: deep, large, odd."""
        response = {"clientDataJSON": "A" * 7000, "attestationObject": "gYGBgYGB" * 900, "authenticatorData": "A" * 400}
        whole = {"id": "AAAA", "rawId": "AAAA", "type": "public-key", "response": {**response, "signature": "AAAA"}}
        return [json.dumps(whole), "[" * 9000, '{"id": ' * 2000, '{"id": "' + "x" * 16_000 + '"}', LONG]

    def bodies(self, path: str) -> list[Asked]:
        """What may be sent anywhere: deep, many, large, odd."""
        nonce = self.one.nonce
        deep = b'{"nonce": "%s", "do": %b%b}' % (nonce.encode(), b"[" * 8000, b"]" * 8000)
        many = b'{"nonce": "%s", "do": [%b1]}' % (nonce.encode(), b'"x%d",' % self.new() * 5000)
        return [
            Asked(path, content=deep, headers={"content-type": "application/json"}),
            Asked(path, content=many, headers={"content-type": "application/json"}),
            Asked(
                path, content=b'{"nonce": "%s", "ply": 1e999}' % nonce.encode(), headers={"content-type": "application/json"}
            ),
            Asked(
                path,
                content=b'{"nonce": "%s", "ply": %b}' % (nonce.encode(), b"9" * 15_000),
                headers={"content-type": "application/json"},
            ),
            Asked(path, form={f"field{number}": "é" * 80 for number in range(98)}),
            Asked(path, content=b"nonce=" + nonce.encode() + b"&a" * 20_000),
            Asked(path, form={"name": f"{self.new()} " + "y" * 60_000}),
            Asked(path, form=dict(zip(("seat", "ply", "line", "clock", "added"), ODD, strict=False))),
        ]

    def addresses(self, path: str) -> list[Asked]:
        """What may be asked for anywhere: long queries, many of them, odd heads."""
        here = path + ("&" if "?" in path else "?")
        return [
            Asked(path),
            Asked(f"{here}q={LONG}{self.new()}"),
            Asked(here + "&".join(f"a{number}={self.new()}" for number in range(1500))),
            Asked(path, headers={"accept-language": ",".join(f"x{self.new()}-{number}" for number in range(1500))}),
            Asked(path, headers={"if-none-match": LONG, "cookie": f"ridotto={LONG[:8000]}{self.new()}"}),
            Asked(path, headers={"host": f"203.0.113.{self.new() % 250}:{1 + self.new() % 60000}"}),
        ]

    def worst(self) -> dict[str, list[Asked]]:
        """What is worst for each route, besides what may be sent anywhere; the first is the path that those go to."""
        playing, over, waiting = f"/t/{self.playing}", f"/t/{self.over}", f"/t/{self.open}"
        turns, ply = self.turns(), self.match.ply
        plies = [str(self.dice.randrange(self.over_match.ply)) for _ in range(3)] + list(ODD)

        def asks(path: str, *queries: dict[str, str]) -> list[Asked]:
            return [Asked(f"{path}?{urlencode(query)}" if query else path) for query in ({}, *queries)]

        def sends(path: str, *forms: dict[str, Any]) -> list[Asked]:
            return [Asked(path, form={}), *(Asked(path, json={"nonce": self.one.nonce, **form}) for form in forms)]

        def fills(path: str, *forms: dict[str, str]) -> list[Asked]:
            return [Asked(path, form=form) for form in ({}, *forms)]

        replays = [{"ply": number, "eyes": eyes} for number in plies[:3] for eyes in ("0", "3", "watch", "open")]
        replays += [{"ply": number} for number in plies[3:]] + [{"eyes": odd} for odd in ODD]
        doing = (
            [{"do": turn} for turn in turns[:3]] + [{"do": odd} for odd in ODD[:5]] + [{"do": "cast opale", "draft": turns[0]}]
        )
        learn = "/learn/opera/3"
        return {
            "GET /": asks("/"),
            "POST /tables": fills(
                "/tables",
                {"game": "turandot", **{f"seat{seat}": "bot:level:6" for seat in range(5)}, "name": f"{self.new()} " * 20},
                {
                    "game": "opera",
                    "seat0": "me",
                    **{f"seat{seat}": "here" for seat in (1, 2, 3)},
                    "names": f"{self.new()}," * 3000,
                },
                {"game": "opera", "players": "9" * 4000, "bots": "1"},
                *({"game": "opera", "seat0": "me", "seat1": "open", "option.x": odd, "clock": odd} for odd in ODD),
            ),
            "POST /find": fills("/find", {"game": LONG}, *({"game": one, "rated": odd} for one in GAMES for odd in ODD[:3])),
            "GET /t/{id}": asks(over),
            "POST /t/{id}/act": sends(
                f"{playing}/act", *({"do": turn, "ply": ply} for turn in turns), *({"do": odd, "ply": 0} for odd in ODD)
            ),
            "POST /t/{id}/draft": sends(f"{playing}/draft", *({"do": turn} for turn in turns)),
            "GET /t/{id}/preview": asks(f"{playing}/preview", *doing),
            "POST /t/{id}/compose": sends(f"{playing}/compose", *({"text": turn, "draft": turn} for turn in turns)),
            "POST /t/{id}/resign": fills(f"{over}/resign"),
            "POST /t/{id}/rematch": fills(f"{playing}/rematch", {"commitment": "z" * 60_000}),
            "POST /t/{id}/decline": fills(f"{over}/decline"),
            "POST /t/{id}/guide": fills(f"{playing}/guide", {"on": "1"}),
            "GET /t/{id}/qr.svg": asks(f"{playing}/qr.svg", {"me": ""}, *({"seat": odd} for odd in ODD)),
            "GET /t/{id}/sit/{token}": asks(f"{waiting}/sit/{self.new():032x}"),
            "POST /t/{id}/sit/{token}": fills(f"{waiting}/sit/{self.new():032x}", {"commitment": LONG}),
            "POST /t/{id}/sit": fills(f"{playing}/sit", *({"seat": odd} for odd in ODD)),
            "GET /t/{id}/me/{token}": asks(f"{waiting}/me/{self.new():032x}"),
            "POST /t/{id}/me/{token}": fills(f"{waiting}/me/{self.new():032x}"),
            "GET /t/{id}/watch/{token}": asks(f"{waiting}/watch/{self.new():032x}"),
            "POST /t/{id}/watch/{token}": fills(f"{waiting}/watch/{self.new():032x}"),
            "POST /t/{id}/links": fills(f"{over}/links"),
            "GET /t/{id}/deal": asks(f"{over}/deal"),
            "POST /t/{id}/share": fills(f"{playing}/share", {"share": LONG}),
            "GET /verify": asks("/verify"),
            "GET /t/{id}/live": asks(
                f"{over}/live", *({"ply": number, "state": odd} for number, odd in zip(plies, ODD, strict=False))
            ),
            "GET /t/{id}/glance": asks(f"{playing}/glance"),
            "POST /t/{id}/takeback": fills(f"{over}/takeback"),
            "POST /t/{id}/agree": fills(f"{playing}/agree", {"anew": "1"}),
            "POST /t/{id}/refuse": fills(f"{playing}/refuse"),
            "POST /t/{id}/standin": fills(f"{over}/standin", *({"seat": odd} for odd in ODD)),
            "POST /t/{id}/return": fills(f"{playing}/return"),
            "POST /t/{id}/hand": fills(f"{playing}/hand", {"seat": "1"}),
            "POST /t/{id}/talk": fills(f"{over}/talk", {"text": f"{self.new()} " * 400}, {"text": "\u202e" * 9000}),
            "POST /t/{id}/talk/remove": fills(f"{playing}/talk/remove", *({"line": odd} for odd in ODD)),
            "POST /t/{id}/talk/report": fills(f"{playing}/talk/report", *({"line": odd} for odd in ODD)),
            "POST /t/{id}/talk/mute": fills(f"{playing}/talk/mute", *({"line": odd} for odd in ODD)),
            "POST /t/{id}/notices": fills(f"{playing}/notices", {"url": f"http://{LONG}"}, {"url": "//" * 9000}),
            "GET /t/{id}/why": asks(f"{playing}/why", *doing),
            "GET /t/{id}/cannot": asks(f"{playing}/cannot", {"draft": turns[0]}, {"draft": turns[3]}),
            "GET /t/{id}/hint": asks(f"{playing}/hint", {"look": "9" * 4000}, {"look": "1", "draft": turns[2]}),
            "GET /t/{id}/replay": asks(f"{over}/replay", *replays),
            "GET /t/{id}/replay/moment": asks(f"{over}/replay/moment", *replays),
            "GET /t/{id}/replay/scene": asks(f"{over}/replay/scene", *replays),
            "GET /t/{id}/ledger": asks(f"{over}/ledger", *replays),
            "GET /t/{id}/picture.svg": asks(f"{over}/picture.svg", *replays),
            "POST /t/{id}/onward": fills(
                f"{over}/onward", *({"ply": odd, **{f"seat{seat}": "bot:level:1" for seat in range(4)}} for odd in plies)
            ),
            "GET /t/{id}/review": asks(f"{over}/review"),
            "POST /t/{id}/review": fills(f"{playing}/review"),
            "GET /t/{id}/review/progress": asks(f"{over}/review/progress"),
            "GET /t/{id}/record": asks(f"{over}/record"),
            "GET /records": asks("/records"),
            "POST /records": fills(
                "/records",
                {"record": self.text},
                {"record": self.long_text},
                {"record": self.text.replace('"ply": 1,', '"ply": 2,')},
                {"record": '{"entries": [' + f'"{self.new()}",' * 100_000 + "1]}"},
                {"record": "[" * 900_000},
                {"record": '{"a":' * 100_000},
                {"record": "9" * 1_000_000},
                {"record": '{"names": ["' + f"{self.new()}" + "x" * 900_000 + '"]}'},
            ),
            "GET /learn/{game}": asks("/learn/opera"),
            "GET /learn/{game}/{step:int}": [*asks(learn), Asked(f"/learn/opera/{'9' * 4000}")],
            "POST /learn/{game}/{step:int}/act": sends(f"{learn}/act", *({"do": turn} for turn in turns)),
            "GET /learn/{game}/{step:int}/why": asks(f"{learn}/why", *doing),
            "GET /learn/{game}/{step:int}/cannot": asks(f"{learn}/cannot"),
            "GET /learn/{game}/{step:int}/preview": asks(f"{learn}/preview", *doing, {"do": "bid 5"}),
            "POST /learn/{game}/{step:int}/compose": sends(f"{learn}/compose", *({"text": turn} for turn in turns)),
            "GET /puzzles/{game}": asks("/puzzles/fantome"),
            "GET /puzzles/{game}/{number:int}": [*asks("/puzzles/fantome/1"), Asked(f"/puzzles/fantome/{'9' * 4000}")],
            "GET /rules/{lang}/{game}": [*asks("/rules/fr/turandot"), Asked(f"/rules/{self.new()}/turandot")],
            "GET /about": asks("/about"),
            "GET /privacy": asks("/privacy"),
            "GET /card/{lang}/{game}.png": [*asks("/card/fr/opera.png"), Asked(f"/card/{LONG}/opera.png")],
            "GET /box/{game}": asks("/box/turandot"),
            "POST /box/{game}": fills(
                "/box/turandot",
                {f"{section}.{question}": "9" * 400 for section in range(10) for question in range(9)},
                {f"{section}.{question}": f"{self.new()}, " * 60 for section in range(10) for question in range(9)},
                {"box_name": LONG},
            ),
            "POST /me": fills(
                "/me",
                {"name": f"{self.new()} " + "z" * 50_000},
                {"name": "\u202e" * 16_000, "language": LONG},
                {"name": "a", "back": LONG},
            ),
            "GET /me/export": asks("/me/export"),
            "GET /me/delete": asks("/me/delete"),
            "POST /me/delete": fills("/me/delete", {"name": LONG}),
            "GET /matches": asks("/matches", *({"who": LONG, "game": odd, "page": odd} for odd in ODD)),
            "GET /matches/records.zip": asks("/matches/records.zip", *({"page": odd} for odd in ODD[:4])),
            "GET /p/{name}": asks(f"/p/{self.member}", *({"who": odd, "page": odd} for odd in ODD), {"who": LONG}),
            "POST /p/{name}/friend": fills(f"/p/{self.member}/friend", {"on": "1"}, {"on": LONG}),
            "POST /p/{name}/challenge": fills(
                f"/p/{self.member}/challenge",
                {"game": LONG},
                *({"game": one, "rated": odd} for one in GAMES for odd in ODD[:3]),
            ),
            "GET /ratings": asks("/ratings"),
            "GET /me": asks("/me"),
            "POST /me/passkeys/challenge": fills("/me/passkeys/challenge", {"name": f"{self.new()} " + "z" * 50_000}),
            "POST /me/passkeys": sends("/me/passkeys", *({"credential": one, "label": LONG} for one in self.credentials())),
            "POST /me/passkeys/remove": fills("/me/passkeys/remove", {"id": LONG}),
            "POST /me/codes": fills("/me/codes", {"name": f"Somebody {self.new()}"}),
            "POST /me/leave": fills("/me/leave"),
            "GET /signin": asks("/signin"),
            "POST /signin/challenge": fills("/signin/challenge"),
            "POST /signin/passkey": sends("/signin/passkey", *({"credential": one} for one in self.credentials())),
            "POST /signin/code": fills("/signin/code", {"code": LONG}, {"code": f"{self.new()}"}),
            "GET /host": asks("/host"),
            "POST /host": fills("/host", {"do": LONG}, *({"do": "close", "line": odd} for odd in ODD)),
            "POST /host/enter": fills("/host/enter", {"key": LONG}, {"key": self.host}),
            "POST /host/leave": fills("/host/leave"),
            "GET /health": asks("/health"),
            "GET /metrics": asks("/metrics"),
            "GET /static/boards.css": asks("/static/boards.css"),
            "GET /boards/{game}/{language}/{setup}.svg": [
                *asks(board_of(self.match.game, self.match.view(), ui(self.match.game).english).address.partition("?")[0]),
                *(Asked(f"/boards/turandot/en/{quote(odd)}-{odd[:20] or 0}.svg") for odd in map(quote, ODD[:9])),
                Asked(f"/boards/opera/en/{'-'.join('1' * 900)}.svg"),
            ],
            "GET /static/{version}/{name}": [
                *asks(script_address("main.js")),
                Asked("/static/x/table.js"),
                Asked(f"/static/{LONG}/x"),
            ],
            "MOUNT /static": [Asked("/static/mask.svg"), Asked("/static/" + "../" * 2000), Asked(f"/static/{LONG}")],
            "POST /me/signout": fills("/me/signout"),
            "MOUNT /fonts": [Asked("/fonts/x"), Asked("/fonts/" + "%2e%2e/" * 1000)],
        }

    # What it costs.

    async def ask(self, route: str, asked: Asked, whose: Visitor) -> str:
        """Send a request, as a task of its own; what was wrong if it cost too much, or was no answer."""
        method = "POST" if route.startswith("POST") else "GET"
        given: dict[str, Any] = {"headers": asked.headers}
        if asked.json is not None:
            given["json"] = asked.json
        elif asked.content is not None:
            given["content"] = asked.content
            given["headers"] = {"content-type": "application/x-www-form-urlencoded", **asked.headers}
        elif method == "POST":
            given["data"] = {"nonce": whose.nonce, **(asked.form or {})}
        request = whose.http.build_request(method, whose.base + asked.path, **given)
        if route.endswith("/live"):
            await self._stream(asked, whose)
        else:
            jar = whose.http.cookies.jar
            cookies = list(jar)
            await asyncio.create_task(whose.http.send(request))
            if "cookie" in asked.headers or route == "POST /me/leave":  # who sends what is no cookie is given a new one
                jar.clear()
                for cookie in cookies:
                    jar.set_cookie(cookie)
        line = self.log.lines[-1]
        if route == "POST /me/signout":
            await whose.get("/")
        about = f"{line['status']}, {line['loop_ms']} ms on the loop, {line['thread_ms']} ms in threads"
        is_fine = line["status"] < 500 and line["loop_ms"] <= ON_LOOP and line["thread_ms"] <= IN_THREADS
        return "" if is_fine else f"{route}: {about}: {str(asked)[:150]}"

    async def _stream(self, asked: Asked, whose: Visitor) -> None:
        """Open a live connection, wait for its first messages, and close it."""
        table, _, query = asked.path.removeprefix("/t/").partition("/live")
        count = len(self.log.lines)
        headers = {name.replace("-", "_"): value for name, value in asked.headers.items()}
        async with whose.live(table, query=query.removeprefix("?"), **headers) as stream:
            while stream.status == 0:
                await asyncio.sleep(0)
            while stream.status == 200:
                text = await stream.text()  # a table that has just left memory again has none: the page is to come back
                if text is None or "event: table" in text:
                    break
        assert count < len(self.log.lines)

    async def stays(self, requests: Iterable[tuple[str, Asked]]) -> float:
        """The bytes that stay after each request, on the average."""
        before, number = held(), 0
        for number, (route, asked) in enumerate(requests, 1):  # noqa: B007
            await self.ask(route, asked, self.one)
            self.log.lines.clear()
        return (held() - before) / number

    async def warm_up(self) -> None:
        """Have everything loaded that is loaded once, and what Python keeps of addresses filled."""
        for route, own in self.worst().items():
            for asked in own:
                await self.ask(route, asked, self.one)
        for _ in range(40):
            for asked in self.addresses("/about")[1:3]:
                await self.ask("GET /about", asked, self.one)

    def every(self, only: str = "") -> Iterator[tuple[str, Asked]]:
        """Every request with its route, or those of one route."""
        for route, own in self.worst().items():
            if only in ("", route):
                path, is_post = own[0].path, route.startswith("POST")
                yield from ((route, one) for one in own)
                yield from ((route, one) for one in (self.bodies(path) if is_post else self.addresses(path)))


class MallInfo(ctypes.Structure):
    """What the C library says of the memory that is allocated by it."""

    _fields_: ClassVar = [
        (name, ctypes.c_size_t)
        for name in ["arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "x", "y"]
    ]


def held() -> int:
    """Bytes that are in use: small objects, which are of 64 bytes on the average, and what is larger."""
    gc.collect()
    asks = ctypes.CDLL(None).mallinfo2
    asks.restype = MallInfo
    large = asks()
    return 64 * sys.getallocatedblocks() + int(large.uordblks) + int(large.hblkhd)


def long_match(entries: int) -> Match:
    """A match that is over after nearly so many entries, most of which were taken back."""
    match, dice = Match(GAMES["opera"], 4, seed=1), random.Random(1)
    while match.to_act:
        seat = match.to_act[0]
        match.play(dice.choice(list(match.legal(seat))), seat)
        if match.ply < entries - 250:
            match.undo()
    assert entries - 250 < match.ply <= entries
    return match


@asynccontextmanager
async def measured(folder: Path) -> Any:
    """A server whose loop is timed by CPU time, with two who know it."""
    much = Rate(10**9, 1e9)
    chosen = settings(folder, stored=much, chat=much, names=much, max_cached_tables=5, webhooks=True)
    app = create_app(chosen, ReusedWorkers(chosen.workers, chosen.patience, chosen.warm))
    services(app).watch.clock = time.thread_time
    logger = logging.getLogger("ridotto.web")
    level = logger.level
    async with app.router.lifespan_context(app), Visitor(app) as one, Visitor(app) as other:
        costs = Costs(app, one, other)
        logger.addHandler(costs.log)
        logger.setLevel(logging.INFO)
        logger.propagate = False  # pytest would keep every line
        gc.collect()
        gc.disable()  # as in a server, which chooses the moment
        try:
            await costs.prepare()
            yield costs
        finally:
            gc.enable()
            logger.removeHandler(costs.log)
            logger.propagate = True
            logger.setLevel(level)


def routes(app: Starlette) -> set[str]:
    """Every route of the application, with its method."""
    named = {f"{one.method} {one.path}" for one in endpoints(services(app))}
    for route in app.routes:
        if isinstance(route, Mount):
            named.add(f"MOUNT {route.path}")
        elif isinstance(route, Route) and not any(one.endswith(f" {route.path}") for one in named):
            named.add(f"GET {route.path}")
    return named


def test_every_route_has_a_worst_case(tmp_path: Path) -> None:
    """And there is none for what is no route."""

    async def visit() -> None:
        async with measured(tmp_path) as costs:
            assert routes(costs.app) == set(costs.worst())

    asyncio.run(visit())


def cost_of_requests(folder: Path) -> tuple[list[str], float]:
    """What cost too much when the worst of each route was sent with new values, and the bytes that stayed after each request.

    Before that it was sent once for what is loaded for good.
    """
    PageCache.__init__.__defaults__ = (200_000,)  # else it is filled only by thousands of pages

    async def visit() -> tuple[list[str], float]:
        async with measured(folder) as costs:
            await costs.warm_up()
            faults, stays = list[str](), 0.0
            for _ in range(TRIES):  # caches and connections with a bound may fill late: what is not bounded grows each time
                before, number = held(), 0
                for number, (route, asked) in enumerate(costs.every(), 1):  # noqa: B007
                    tries = [await costs.ask(route, asked, costs.one)]
                    while tries[-1] and len(tries) < TRIES:  # on a busy machine the same work takes longer now and then
                        tries.append(await costs.ask(route, asked, costs.one))
                    faults += tries if all(tries) else []
                    costs.log.lines.clear()
                stays = (held() - before) / number
                if stays < STAYS:
                    break
            return faults, stays

    try:
        return asyncio.run(visit())
    finally:
        while ReusedWorkers.idle:  # this process would wait for them before it ends
            ReusedWorkers.idle.popitem()[1].shutdown()


def test_what_requests_cost_and_what_stays(tmp_path: Path) -> None:
    """Measured in a process of its own, in which nothing else comes and goes."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        faults, stays = pool.submit(cost_of_requests, tmp_path).result()
    assert [] == faults
    assert stays < STAYS


@pytest.mark.soak
def test_nothing_stays_of_any_route(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same, route by route and often: what one request leaves is lost in what comes and goes in caches."""
    monkeypatch.setattr(PageCache.__init__, "__defaults__", (200_000,))

    async def visit() -> None:
        async with measured(tmp_path) as costs:
            await costs.warm_up()
            means = {}
            for route in costs.worst():
                here = [one for _ in range(20) for one in costs.every(route)]
                await costs.stays(here)
                means[route] = await costs.stays([one for _ in range(40) for one in costs.every(route)])
            assert {} == {route: mean for route, mean in means.items() if mean > STAYS}

    asyncio.run(visit())
