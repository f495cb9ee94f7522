"""Those who would stop a server for everybody, each in a process: `python attackers.py ATTACK BASE TABLE SECONDS`."""

from __future__ import annotations

import asyncio
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable

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
        return httpx.AsyncClient(base_url=self.base, headers=headers, timeout=30, limits=limits)

    async def nonce(self, http: httpx.AsyncClient) -> str:
        found = re.search(r'name="nonce" value="([0-9a-f]{32})"', (await http.get("/")).text)
        return found[1] if found else ""

    async def ask(self, asked: Awaitable[httpx.Response]) -> httpx.Response | None:
        try:
            answer = await asked
        except httpx.HTTPError as error:
            self.seen[type(error).__name__] += 1
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
        await self._open(2000, f"GET /t/{self.table}/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", "127.0.0.1")

    async def connections(self) -> None:
        """Ten thousand connections that say nothing much, from twenty addresses; they send a head letter by letter."""
        await asyncio.gather(*(self._open(500, "GET / HTTP/1.1\r\nHost: 127.0.", f"127.0.1.{i + 1}") for i in range(20)))

    async def _open(self, count: int, said: str, source: str) -> None:
        host, port = self.base.removeprefix("http://").split(":")
        held = []
        for _ in range(count):
            try:
                reader, writer = await asyncio.open_connection(host, int(port), local_addr=(source, 0))
                writer.write(said.encode())
                held.append((reader, writer))
                self.seen["opened"] += 1
            except OSError as error:
                self.seen[type(error).__name__] += 1
        while self.goes_on:
            for _, writer in held:
                if "\r\n\r\n" not in said and not writer.is_closing():
                    writer.write(b"0")
            await asyncio.sleep(1)
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
        """Records of more than a megabyte, without end."""
        async with self.browser() as http:
            form = {"nonce": await self.nonce(http), "record": '{"entries": [' + '"",' * 300_000 + '""]}'}
            while self.goes_on:
                await asyncio.gather(*(self.ask(http.post("/records", data=form)) for _ in range(4)))


ATTACKS = ("tables", "games", "streams", "connections", "replays", "records")


def main() -> None:
    name, base, table, seconds = sys.argv[1:]
    attack = Attack(base, table, float(seconds))
    work: Callable[[], Awaitable[None]] = getattr(attack, name)
    asyncio.run(work())  # type: ignore[arg-type]
    print(dict(attack.seen))


if __name__ == "__main__":
    main()
