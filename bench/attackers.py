"""Those who would stop a server for everybody: `python -m bench.attackers ATTACK,… BASE TABLE SECONDS`."""

from __future__ import annotations

import asyncio
import itertools
import random
import re
import signal
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence

import httpx

from ridotto.core import record
from ridotto.core.match import Match
from ridotto.games import GAMES


class Attack:
    """A server, a table at which somebody plays, and until when to go on."""

    def __init__(self, base: str, table: str, seconds: float) -> None:
        self.base, self.table = base, table
        self.until = time.monotonic() + seconds
        self.seen: Counter[str] = Counter()

    @property
    def goes_on(self) -> bool:
        return time.monotonic() < self.until

    def browser(self) -> httpx.AsyncClient:
        headers, limits = {"origin": self.base, "accept": "text/html"}, httpx.Limits(max_connections=200)
        return httpx.AsyncClient(base_url=self.base, headers=headers, timeout=30, limits=limits, verify=False)

    async def nonce(self, http: httpx.AsyncClient) -> str:
        page = await self.ask(http.get("/"))
        found = re.search(r'name="nonce" value="([0-9a-f]{32})"', page.text if page is not None else "")
        return found[1] if found else ""

    async def ask(self, asked: Awaitable[httpx.Response]) -> httpx.Response | None:
        try:
            answer = await asked
        except httpx.TimeoutException:
            self.seen["no answer"] += 1
            return None
        except httpx.TransportError:  # the server closed the connection: one address has only so many
            self.seen["cut off"] += 1
            return None
        self.seen[str(answer.status_code)] += 1
        return answer

    async def tables(self) -> None:
        """Tables of five strong bots, sixty in four seconds, with one cookie and then with new ones."""
        form = {"game": "turandot", **{f"seat{seat}": "bot:level:5" for seat in range(5)}}
        while self.goes_on:
            async with self.browser() as http:
                form["nonce"] = await self.nonce(http)
                await asyncio.gather(*(self.ask(http.post("/tables", data=form)) for _ in range(30)))
            await asyncio.sleep(1)

    async def games(self) -> None:
        """The same with oneself at each table, which are allowed, and one's own decisions at random."""
        form = {"game": "turandot", "seat0": "me", **{f"seat{seat}": "bot:level:5" for seat in range(1, 5)}}
        while self.goes_on:
            async with self.browser() as http:
                form["nonce"] = await self.nonce(http)
                await asyncio.gather(*(self.ask(http.post("/tables", data=form)) for _ in range(30)))
            await asyncio.sleep(1)

    async def streams(self) -> None:
        """Two thousand live connections without a cookie."""
        await self._hold(2000, self._head(f"GET /t/{self.table}/live"))

    async def connections(self) -> None:
        """Ten thousand connections from twenty addresses, each of which sends a head letter by letter."""
        await asyncio.gather(*(self._hold(500, b"GET / HTTP/1.1\r\nHost: 127.0.", f"127.0.1.{i + 1}", b"0") for i in range(20)))

    async def senders(self) -> None:
        """Bodies of which a letter comes each second, from a thousand connections."""
        head = self._head("POST /tables", "Content-Length: 60000", f"Origin: {self.base}")
        await self._hold(1000, head, drop=b"0")

    async def readers(self) -> None:
        """Pages and pictures asked for by the dozen, from a thousand connections that read nothing."""
        pages = ("/", "/rules/en/opera", f"/t/{self.table}", f"/t/{self.table}/picture.svg")
        await self._hold(1000, b"".join(self._head(f"GET {page}") for page in 5 * pages), slow=True)

    def _head(self, what: str, *lines: str) -> bytes:
        return "\r\n".join((f"{what} HTTP/1.1", "Host: 127.0.0.1", *lines, "", "")).encode()

    async def _hold(self, count: int, said: bytes, source: str = "127.0.0.1", drop: bytes = b"", *, slow: bool = False) -> None:
        """Open connections, say something in each, then a letter a second; again in place of those that were cut off."""
        host, port = self.base.removeprefix("http://").split(":")
        held: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []
        while self.goes_on:
            left = [one for one in held if not one[1].is_closing() and not one[0].at_eof()]
            self.seen["cut off"] += len(held) - len(left)
            held = left
            for _ in range(min(count - len(held), 400)):
                try:
                    room = 1 if slow else 2**16
                    reader, writer = await asyncio.open_connection(host, int(port), local_addr=(source, 0), limit=room)
                    writer.write(said)
                    held.append((reader, writer))
                    self.seen["opened"] += 1
                except OSError as error:
                    self.seen[type(error).__name__] += 1
            for _, writer in held:
                writer.write(drop)
            await asyncio.sleep(1 if len(held) == count else 0.1)
        for _, writer in held:
            writer.transport.abort()

    async def replays(self) -> None:
        """Moments of a long match, each drawn anew, as fast as they come."""
        match, dice = Match(GAMES["opera"], 4, seed=1), random.Random(1)
        while match.to_act:
            seat = match.to_act[0]
            match.play(dice.choice(list(match.legal(seat))), seat)
        async with self.browser() as http:
            form = {"nonce": await self.nonce(http), "record": record.dump(record.write(match))}
            kept = await self.ask(http.post("/records", data=form))
            where = kept.headers["location"] if kept is not None else ""
            while self.goes_on:
                plies = [dice.randrange(match.ply) for _ in range(30)]
                languages = ("en", "fr", "nl")
                await asyncio.gather(
                    *(
                        self.ask(http.get(f"{where}?ply={ply}", headers={"accept-language": languages[ply % 3]}))
                        for ply in plies
                    )
                )

    async def records(self) -> None:
        """Records of more than a megabyte, without end: one that verifies, with a new name each time, and one that is none."""
        match, dice = Match(GAMES["opera"], 4, seed=1), random.Random(1)
        while match.to_act:
            seat = match.to_act[0]
            match.play(dice.choice(list(match.legal(seat))), seat)
        whole = {**record.write(match), "names": ["x" * 900_000]}
        for number in itertools.count():
            if not self.goes_on:
                return
            async with self.browser() as http:
                nonce = await self.nonce(http)
                texts = (record.dump(whole), '{"entries": [' + '"",' * 150_000 + f'"{number}"]}}')
                await asyncio.gather(
                    *(self.ask(http.post("/records", data={"nonce": nonce, "record": text})) for text in texts for _ in "ab")
                )

    async def people(self) -> None:
        """Somebody new with every request, each with a name to be kept."""
        while self.goes_on:
            await asyncio.gather(*(self._come() for _ in range(20)))

    async def _come(self) -> None:
        async with self.browser() as http:
            await self.ask(http.post("/me", data={"nonce": await self.nonce(http), "name": "Nobody"}))

    async def names(self) -> None:
        """Somebody who sits at many tables, with their pages open, and has a new name twenty times a second."""
        form = {"game": "opera", "seat0": "me", **{f"seat{seat}": "open" for seat in range(1, 4)}}
        async with self.browser() as http, asyncio.TaskGroup() as group:
            form["nonce"] = await self.nonce(http)
            made = [await self.ask(http.post("/tables", data=form)) for _ in range(20)]
            tables = [one.headers["location"] for one in made if one is not None and one.status_code == 303]
            looking = [group.create_task(self._look(http, table)) for table in tables[:16]]
            while self.goes_on:
                changes = [{"nonce": form["nonce"], "name": f"Somebody {random.random()}"} for _ in range(5)]
                await asyncio.gather(*(self.ask(http.post("/me", data=change)) for change in changes))
            for task in looking:
                task.cancel()

    async def turns(self) -> None:
        """Turns of six castings and a card that nobody has, sixty at a time, at a table of one's own, at the casting."""
        form = {"game": "turandot", "seat0": "me", "seat1": "bot:level:1", "seat2": "bot:level:1"}
        async with self.browser() as http:
            nonce = form["nonce"] = await self.nonce(http)
            made = await self.ask(http.post("/tables", data=form))
            table, match = made.headers["location"] if made is not None else "", Match(GAMES["turandot"], 3, seed=1)
            every = [match.rules.ACTIONS.notation(number) for number in range(match.rules.ACTIONS.size)]
            casts = [one for one in every if one.startswith("cast ")]
            while self.goes_on:
                page = await self.ask(http.get(table))
                decision = re.search(r'data-do="([^"]+)"', page.text if page is not None else "")
                ply = re.search(r'data-ply="([0-9]+)"', page.text if page is not None else "")
                if ply is None:
                    await asyncio.sleep(0.1)
                    continue
                turns = [", ".join([*random.sample(casts, 6), "pick nobody"]) for _ in range(60)]
                turns += [", ".join(random.choices(every, k=24)) for _ in range(10)]
                bodies = [{"do": turn, "ply": int(ply[1]), "nonce": nonce} for turn in turns]
                if decision is not None and "cast" not in decision[1]:  # on to the casting
                    bodies.append({"do": decision[1], "ply": int(ply[1]), "nonce": nonce})
                await asyncio.gather(*(self.ask(http.post(f"{table}/act", json=body)) for body in bodies))
                await asyncio.sleep(1)

    async def plies(self) -> None:
        """Live connections that begin at a ply that was never asked for, each closed at its first message."""
        numbers = itertools.count(10**9)
        await self._come_and_go(lambda: f"/t/{self.table}/live?ply={next(numbers)}", {})

    async def flicker(self) -> None:
        """Live connections, opened and closed again as fast as they come."""
        await self._come_and_go(lambda: f"/t/{self.table}/live", {})

    async def hosts(self) -> None:
        """The same, each by another number and port as the name of the host."""
        numbers = itertools.count()
        await self._come_and_go(
            lambda: f"/t/{self.table}/live", {"host": lambda: f"203.0.113.{next(numbers) % 250}:{1 + next(numbers) % 60000}"}
        )

    async def _come_and_go(self, path: Callable[[], str], headers: dict[str, Callable[[], str]]) -> None:
        async with self.browser() as http:

            async def come() -> None:
                try:
                    given = {name: value() for name, value in headers.items()}
                    async with http.stream("GET", path(), headers=given) as stream:
                        self.seen[str(stream.status_code)] += 1
                        async for part in stream.aiter_raw():
                            if b"event: table" in part or not part.startswith(b"retry"):
                                break
                except httpx.TransportError:
                    self.seen["cut off"] += 1

            while self.goes_on:
                await asyncio.gather(*(come() for _ in range(30)))

    async def _look(self, http: httpx.AsyncClient, table: str) -> None:
        try:
            async with http.stream("GET", f"{table}/live") as stream:
                async for part in stream.aiter_raw():
                    self.seen["bytes"] += len(part)
        except httpx.TransportError:
            self.seen["cut off"] += 1

    async def pages(self) -> None:
        """Every page that takes some work, as fast as they come."""
        steps = [f"/learn/{game}/{step}{more}" for game in GAMES for step in (1, 3) for more in ("", "/cannot", "/why?do=x")]
        books = [f"/{what}" for game in GAMES for what in (f"rules/fr/{game}", f"box/{game}")]
        table = [f"/t/{self.table}{more}" for more in ("", "/replay", "/picture.svg", "/record", "/deal", "/qr.svg")]
        async with self.browser() as http:
            await self.nonce(http)
            while self.goes_on:
                addresses = random.sample([*steps, *books, *table, "/", "/me/export", "/privacy", "/verify"], 20)
                await asyncio.gather(*(self.ask(http.get(one)) for one in addresses))


ATTACKS = (
    *("tables", "games", "streams", "connections", "senders", "readers"),
    *("replays", "records", "people", "names", "pages"),
    *("turns", "plies", "flicker", "hosts"),
)


async def attack(names: Sequence[str], base: str, table: str, seconds: float) -> Counter[str]:
    """All of these at once, until the time is over or the process is told to stop; what came of it."""
    one = Attack(base, table, seconds)
    work = [asyncio.ensure_future(getattr(one, name)()) for name in names]
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, lambda: [task.cancel() for task in work])
    for end in await asyncio.gather(*work, return_exceptions=True):
        if isinstance(end, Exception):
            one.seen[repr(end)] += 1
    return one.seen


def main() -> None:
    names, base, table, seconds = sys.argv[1:]
    seen = asyncio.run(attack(names.split(","), base, table, float(seconds)))
    print(", ".join(f"{what} {count}" for what, count in sorted(seen.items())))


if __name__ == "__main__":
    main()
