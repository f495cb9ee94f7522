"""Fair shares: nobody waits for somebody who asks for much."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from visitors import ReusedWorkers, Visitor, eventually, running, sat, services, serving, settings

from ridotto.bots import judging
from ridotto.bots.setup import warm
from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.web.errors import TooMany
from ridotto.web.identity import Person
from ridotto.web.live import fair_queue, workers
from ridotto.web.live.drawing import DRAWING, SLOTS, Drawing, in_thread
from ridotto.web.live.fair_queue import ALONE, BESIDE, PLAYING, UNASKED, Asker, FairQueue, Turn
from ridotto.web.live.workers import BotWorkers
from ridotto.web.settings import LIMITS, BadLimit, Rate, Settings, describe_limits, parse_limit
from ridotto.web.storage.table_info import Chair


class Time:
    """A clock that is set by hand."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


async def served(queue: FairQueue, asked: list[tuple[str, Asker]], cost: dict[str, float], time: Time) -> list[str]:
    """The order in which askers have their turns, if all ask while the queue is full, and each uses what its name costs."""
    order: list[str] = []

    async def work(name: str, asker: Asker) -> None:
        async with queue.turn(asker) as turn:
            order.append(name)
            turn.used = cost[name[0]]
            time.now += turn.used

    async with AsyncExitStack() as stack:
        first = [await stack.enter_async_context(queue.turn(Asker("first", "0"))) for _ in range(queue.slots)]
        tasks = [asyncio.create_task(work(*one)) for one in asked]
        await asyncio.sleep(0)
        assert len(first) == len(queue.busy) and len(asked) == queue.waiting
    await asyncio.gather(*tasks)
    return order


def test_a_turn_goes_to_whoever_has_used_least() -> None:
    """Sixty costly questions of one person do not delay the one question of another by more than what is being done."""
    time = Time()
    queue = FairQueue(1, time)
    greedy = [(f"g{i}", Asker("greedy", "1")) for i in range(60)]
    order = asyncio.run(served(queue, [*greedy, ("n", Asker("neutral", "2"))], {"g": 1.0, "n": 0.01}, time))
    assert order.index("n") <= 1
    assert [f"g{i}" for i in range(60)] == [name for name in order if name != "n"], "one's own questions keep their order"


def test_many_people_of_one_address_are_one_address() -> None:
    """New cookies bring nothing: before anybody else of an address has a second turn, the other address has had one."""
    time = Time()
    swarm = [(f"s{i}", Asker(f"cookie {i}", "1")) for i in range(20)]
    asked = [*swarm, ("n0", Asker("neutral", "2")), ("n1", Asker("neutral", "2"))]
    order = asyncio.run(served(FairQueue(1, time), asked, {"s": 1.0, "n": 0.01}, time))
    assert order.index("n0") <= 1 and order.index("n1") <= 2


def test_tables_of_bots_alone_come_last_and_never_have_every_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """People come first, reviews next; bots alone have what is left, then what nobody has asked for, and not all of it."""
    monkeypatch.setattr(fair_queue, "CALM", 0.0)
    time = Time()
    asked = [(name, Asker(name, "1", rank)) for rank, name in reversed([*enumerate("pbau")])]
    assert (PLAYING, BESIDE, ALONE, UNASKED) == tuple(asker.rank for _, asker in reversed(asked))
    assert ["p", "b", "a", "u"] == asyncio.run(served(FairQueue(1, time), asked, dict.fromkeys("pbau", 0), time))

    async def fill() -> None:
        queue = FairQueue(3)
        async with AsyncExitStack() as stack:
            for rank in (ALONE, UNASKED):
                await stack.enter_async_context(queue.turn(Asker("a", "1", rank)))
            third = asyncio.create_task(queue.turn(Asker("a", "1", ALONE)).__aenter__())
            await asyncio.sleep(0)
            assert (2, 1) == (len(queue.busy), queue.waiting)
            async with queue.turn(Asker("p", "2")):
                assert 3 == len(queue.busy)
            third.cancel()
            await asyncio.gather(third, return_exceptions=True)
            assert 0 == queue.waiting, "whoever goes away is not waited for"

    asyncio.run(fill())


def test_reviews_never_have_every_worker() -> None:
    """Also those that somebody has asked for: one worker is left for whoever plays."""

    async def fill() -> None:
        queue = FairQueue(2)
        async with queue.turn(Asker(rank=BESIDE)):
            second = asyncio.create_task(queue.turn(Asker("b", "1", BESIDE)).__aenter__())
            await asyncio.sleep(0)
            assert (1, 1) == (len(queue.busy), queue.waiting)
            async with queue.turn(Asker("p", "2")):
                assert 2 == len(queue.busy)
            second.cancel()
            await asyncio.gather(second, return_exceptions=True)

    asyncio.run(fill())


def test_what_nobody_asked_for_waits_until_it_is_calm(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not while somebody waits for a bot, nor for a while after that; then it begins by itself, with any number of workers."""
    monkeypatch.setattr(fair_queue, "CALM", 0.05)

    async def wait(slots: int) -> None:
        queue = FairQueue(slots)
        async with queue.turn(Asker("p", "1")):
            unasked = asyncio.create_task(queue.turn(Asker(rank=UNASKED)).__aenter__())
            await asyncio.sleep(0.1)
            assert 1 == len(queue.busy), "somebody waits for a bot"
        ended = queue.clock()
        async with queue.turn(Asker("a", "1", ALONE)):
            pass
        assert queue.waiting, "somebody did a moment ago"
        await asyncio.wait_for(unasked, 10)
        assert 0.05 <= queue.clock() - ended

    for slots in (1, 3):
        asyncio.run(wait(slots))


def test_a_bot_is_asked_while_a_match_is_reviewed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With one worker: at most one piece of the review is done between the question and its turn, and every piece is short."""
    monkeypatch.setattr(fair_queue, "CALM", 0.3)
    for compiled in (warm, judging.warm):  # else the worker would be busy with that for minutes
        compiled(GAMES["fantome"])
    granted: list[Turn] = []

    class Noted(set[Turn]):
        """The turns that are had, noted as they are given."""

        def add(self, turn: Turn) -> None:
            granted.append(turn)
            super().add(turn)

    async def visit() -> None:
        async with running(settings(tmp_path, auto_review=True, workers=1)) as app, Visitor(app) as ada:
            workers, storage = services(app).workers, services(app).storage
            workers.queue.busy = Noted()
            match = Match(GAMES["fantome"], 2, {"handicap": 1}, seed=7)  # not as usual: the start is worked out as well
            while match.ply < 20:
                seat = match.to_act[0]
                match.play(match.legal(seat)[0], seat)
            over = await sat(app, match, ada, "random")
            assert 303 == (await ada.post(f"/t/{over.id}/resign")).status_code
            view = Match(GAMES["fantome"], 2, seed=8).view(0)
            between: list[int] = []
            for _ in range(3):
                pieces = len(granted)
                await eventually(lambda pieces=pieces: asyncio.sleep(0, len(granted) > pieces))
                before, at_work = len(granted), len(workers.queue.busy)
                await workers.choose("level:2", view, Asker("bo", "10.0.0.8"))
                first = next(number for number, turn in enumerate(granted[before:]) if turn.asker.rank == PLAYING)
                between.append(at_work + first)
            await eventually(lambda: storage.reviews.load(over.id), 300)
            assert between and max(between) <= 1, between
            used = [turn.used for turn in granted if turn.asker.rank == UNASKED]
            assert len(used) > 20 and max(used) < 1.0, used  # measured: 0.1

    asyncio.run(visit())


def test_nobody_is_late_because_of_themselves() -> None:
    """Somebody whose own strong bots wait for each other plays them at full strength; somebody else who waits is late."""

    async def wait() -> None:
        time = Time()
        queue = FairQueue(1, time)
        async with queue.turn(Asker("ada", "1")):
            own = asyncio.create_task(queue.turn(Asker("ada", "1")).__aenter__())
            await asyncio.sleep(0)
            time.now += 5
            seen = [queue.is_late]
            other = asyncio.create_task(queue.turn(Asker("bob", "2")).__aenter__())
            await asyncio.sleep(0)
            time.now += 1
            seen.append(queue.is_late)
            for task in (own, other):
                task.cancel()
            await asyncio.gather(own, other, return_exceptions=True)
        time.now += 3
        assert [False, True, False] == [*seen, queue.is_late]

    asyncio.run(wait())


def test_thoughts_are_cut_short_while_others_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Level 5 says that it plays below its level while people wait too long; level 1 has no reason to."""

    async def visit() -> None:
        async with running(settings(tmp_path)) as app, Visitor(app) as ada:
            queue = services(app).workers.queue
            told: list[str] = []
            view = Match(GAMES["fantome"], 2, seed=7).view(0)
            for bot in ("level:5", "level:1"):
                queue._late_until = queue.clock() + 60
                await services(app).workers.choose(bot, view, Asker("x"), told.append)
            queue._late_until = 0.0
            await services(app).workers.choose("level:5", view, Asker("x"), told.append)
            assert ["busy", "", ""] == told
            queue._late_until = queue.clock() + 60
            table = await sat(app, Match(GAMES["fantome"], 2, seed=7), "level:5", ada)
            async with ada.live(table.id) as stream:
                await stream.until(1)
                page = (await ada.get(f"/t/{table.id}")).text
            assert ">short of time</span>" in page and 1 == page.count("It plays below its level for now")
            queue._late_until = 0.0
            services(app).bots._note_shortage(table, 0, "")
            assert "below its level" not in (await ada.get(f"/t/{table.id}")).text

    asyncio.run(visit())


def test_bots_answer_while_their_game_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until a game is compiled, bots think interpreted, and the strong ones say so; the game that is played is first."""
    compiled: list[str] = []
    go_on = asyncio.Event()
    asked: list[Any] = []

    class Slow(ReusedWorkers):
        """Workers whose compiler waits until it is told to go on."""

        def start(self) -> None:
            super().start()  # with nothing to compile: else the real compiler would race this one
            self.to_compile = list(GAMES)
            self._compiling = asyncio.create_task(self._wait())

        async def _wait(self) -> None:
            await self._wanted.wait()
            await go_on.wait()
            compiled.append(self.to_compile.pop(0))
            for listener in self.on_compiled:
                listener(compiled[0])

        def _shorten(self, question: Any, asker: Asker) -> Any:
            asked.append(super()._shorten(question, asker)[1])
            return super()._shorten(question, asker)

    async def visit() -> None:
        names = tuple(GAMES)
        pool = Slow(1, 10.0, ())
        monkeypatch.setattr("visitors.ReusedWorkers", lambda *_: pool)
        async with running(settings(tmp_path)) as app, Visitor(app) as ada:
            last = names[-1]
            table = await ada.create(last, "bot:level:5", "me")
            state = await services(app).tables.load(table)
            while state.match.ply < 2:
                await asyncio.sleep(0.01)
            assert ("python", 2.0) == (asked[0].target, asked[0].patience)
            assert ">warming up</span>" in (await ada.get(f"/t/{table}")).text
            await services(app).workers.choose("level:5", state.match.view(1), Asker("x", rank=ALONE))
            assert 0.25 == asked[-1].patience, "somebody may wait behind bots that nobody plays with"
            go_on.set()
            while last not in compiled:
                await asyncio.sleep(0.01)
            assert ">warming up<" not in (await ada.get(f"/t/{table}")).text
            asked.clear()
            await services(app).workers.choose("level:1", state.match.view(1))
            assert "cpu" == asked[0].target

    asyncio.run(visit())


def test_a_game_is_compiled_in_another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiler takes what is wanted first, and says when each game is ready."""

    async def compile_two() -> list[str]:
        pool = BotWorkers(1, 1.0, ("fantome", "turandot"))
        ready: list[str] = []
        pool.on_compiled.append(ready.append)
        pool.start()
        pool.want("turandot")
        assert pool._compiling is not None
        await asyncio.wait_for(pool._compiling, 300)
        await asyncio.to_thread(pool.stop)
        assert [] == pool.to_compile == pool.to_review
        return ready

    assert ["turandot", "fantome"] == asyncio.run(compile_two())


def test_without_a_cache_nothing_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where what is compiled cannot be kept, bots think interpreted, and it is said."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert not workers.can_keep_compiled()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "new"))
    assert workers.can_keep_compiled()


# What one visitor, or one address, may have.


BOTS = ["bot:level:5"] * 5


async def refusals(one: Visitor, times: int, *seats: str) -> list[int]:
    form = {"game": "turandot", **{f"seat{seat}": who for seat, who in enumerate(seats)}}
    return [(await one.post("/tables", form)).status_code for _ in range(times)]


def test_tables_of_bots_alone_are_few(tmp_path: Path) -> None:
    """One visitor cannot set up sixty tables of five strong bots; nor can the same address with a new cookie."""
    chosen = settings(tmp_path, bot_tables=Rate(3, 0.001))

    async def visit() -> None:
        async with running(chosen) as app, Visitor(app) as one, Visitor(app) as same:
            assert [303, 303, 303, 429, 429] == await refusals(one, 5, *BOTS)
            assert [429] == await refusals(same, 1, *BOTS)
            assert [303] == await refusals(same, 1, "me", "bot:level:2"), "whoever plays is not concerned"
        async with running(chosen) as app, Visitor(app) as late:
            assert [429] == await refusals(late, 1, *["bot:level:1"] * 2), "a restart does not fill the bucket"

    asyncio.run(visit())


def test_new_tables_have_a_share_by_person(tmp_path: Path) -> None:
    """Somebody who has had their share waits; somebody else of the same address does not."""

    async def visit() -> None:
        async with running(settings(tmp_path, new_tables_each=Rate(2, 0.001))) as app, Visitor(app) as one, Visitor(app) as two:
            assert [303, 303, 429] == await refusals(one, 3, "me", "friend")
            assert [303] == await refusals(two, 1, "me", "friend")

    asyncio.run(visit())


def test_what_is_brought_to_be_stored_has_an_end(tmp_path: Path) -> None:
    """Records are counted by their size before they are read; where nobody says how large one is, as the largest."""

    async def parts() -> AsyncIterator[bytes]:
        yield b"record=x"

    async def visit() -> None:
        async with running(settings(tmp_path, stored=Rate(1000, 1))) as app, Visitor(app) as one, Visitor(app) as two:
            first = await one.post("/records", {"record": "x" * 600})
            second = await one.http.post("/records", content=b"x" * 700)  # which would not even be a form
            assert (400, 429) == (first.status_code, second.status_code)
            assert int(second.headers["retry-after"]) in range(330, 350)  # a nonce and two names took 47 bytes
            unsaid = await two.http.post("/records", content=parts())
            assert 429 == unsaid.status_code and int(unsaid.headers["retry-after"]) > 2_000_000
            two.http.cookies.clear()
            assert 403 == (await two.http.post("/records", content=b"x")).status_code, "nobody has a share of their own"

    asyncio.run(visit())


def test_new_people_have_a_share_by_address(tmp_path: Path) -> None:
    """Only so many newcomers of one address are remembered; those who are known are not concerned, nor is another address."""

    async def visit() -> None:
        async with running(settings(tmp_path, new_people=Rate(2, 0.001))) as app:
            answers = []
            for names in (("Ada", "Bob"), ("Cleo", "Dan"), ("Fay", "Gus")):
                async with Visitor(app) as one:
                    answers += [(await one.post("/me", {"name": name})).status_code for name in names]
            assert [303, 303, 303, 303, 429, 429] == answers
            assert 2 == len(await services(app).storage.admin.people())
            transport = httpx.ASGITransport(app, client=("10.0.0.8", 1))
            async with Visitor(app) as elsewhere:
                await elsewhere.http.aclose()
                elsewhere.http = httpx.AsyncClient(
                    transport=transport, base_url=elsewhere.base, headers={"origin": elsewhere.base}
                )
                await elsewhere.get("/")
                assert 303 == (await elsewhere.post("/me", {"name": "Eve"})).status_code

    asyncio.run(visit())


def test_new_names_have_a_share_by_person(tmp_path: Path) -> None:
    """Each is shown to everybody at one's tables; the same again, or another theme, costs nothing."""

    async def visit() -> None:
        async with running(settings(tmp_path, names=Rate(2, 0.001))) as app, Visitor(app) as one, Visitor(app) as two:
            given = [{"name": "Ada"}, {"name": "Ada"}, {"name": "Bea"}, {"name": "Cleo"}, {"theme": "dark"}]
            assert [303, 303, 303, 429, 303] == [(await one.post("/me", form)).status_code for form in given]
            assert 303 == (await two.post("/me", {"name": "Cleo"})).status_code

    asyncio.run(visit())


def test_a_rematch_of_bots_alone_counts_as_one(tmp_path: Path) -> None:
    """Whoever lets bots alone play again has had their share of such tables."""

    async def visit() -> None:
        async with running(settings(tmp_path, bot_tables=Rate(1, 0.001))) as app, Visitor(app) as one:
            await services(app).storage.people.save(Person(one.id))
            match = Match(GAMES["turandot"], 2, seed=7)
            match.resign(0)
            chairs = [Chair(seat, "bot", False, None, "level:5", "level:5", f"{seat:032x}") for seat in range(2)]
            table = await services(app).seating.create(match, chairs, host=one.id)
            assert [303, 429] == [(await one.post(f"/t/{table.id}/rematch")).status_code, *await refusals(one, 1, *BOTS)]

    asyncio.run(visit())


def test_live_places_have_a_share_by_address(tmp_path: Path) -> None:
    """Streams from one address leave places for another address."""

    async def visit() -> None:
        chosen = settings(tmp_path, max_streams_address=2)
        async with running(chosen) as app, Visitor(app) as ada, Visitor(app) as other, Visitor(app) as third:
            table = await sat(app, Match(GAMES["fantome"], 2, seed=7), ada, "")
            async with ada.live(table.id) as one, other.live(table.id) as two:
                await asyncio.gather(one.piece(), two.piece())
                assert (200, 200, 2) == (one.status, two.status, len(services(app).places))
                async with third.live(table.id) as three:
                    await three.text()
                    assert 429 == three.status
                async with third.live(table.id, client="10.0.0.8") as elsewhere:
                    await elsewhere.piece()
                    assert 200 == elsewhere.status
            assert 0 == len(services(app).places)

    asyncio.run(visit())


def test_pages_wait_for_their_turn() -> None:
    """Of many costly pages for one address, those that would wait too long are refused; another address is served."""

    async def visit() -> None:
        queue, go_on = FairQueue(SLOTS), threading.Event()
        drawn: list[str] = []

        async def page(name: str, address: str) -> str:
            DRAWING.set(Drawing(queue, Asker(name, address), 3))

            def draw() -> str:
                go_on.wait()
                drawn.append(name)
                return name

            return await in_thread(draw)

        pages = [asyncio.create_task(page(f"p{i}", "1")) for i in range(9)]
        await asyncio.sleep(0)
        other = asyncio.create_task(page("other", "2"))
        await asyncio.sleep(0)
        refused = [one.exception() for one in pages if one.done()]
        assert [TooMany] * (9 - SLOTS - 3) == [type(error) for error in refused]
        go_on.set()
        assert "other" == await other
        await asyncio.gather(*pages, return_exceptions=True)
        assert drawn.index("other") <= SLOTS + 1, "nobody of another address waits for those who wait"

    asyncio.run(visit())


def test_a_page_that_cannot_be_drawn_is_refused_in_plain_words(tmp_path: Path) -> None:
    """Where too much waits to be drawn for an address, an error has no page of its own: it was a 500 in the place of a 404."""

    async def visit() -> None:
        async with running(settings(tmp_path, max_drawings_address=1)) as app, Visitor(app) as one:
            answers = await asyncio.gather(*(one.http.get(f"/nowhere/{number}") for number in range(20)))
            assert {404, 429} == {answer.status_code for answer in answers}
            refused = next(answer for answer in answers if answer.status_code == 429)
            assert "too many requests" in refused.text and int(refused.headers["retry-after"]) > 0

    asyncio.run(visit())


# Limits that can be set.


def test_every_limit_is_documented_as_it_is() -> None:
    """The table in the documentation is the one that the program prints."""
    text = (Path(__file__).parents[2] / "docs" / "server.md").read_text("utf-8")
    assert describe_limits() in text


def test_limits_are_flags_and_variables() -> None:
    """Every limit is a field of the settings; a value that it cannot have is refused in one sentence."""
    assert set(LIMITS) <= set(Settings.__dataclass_fields__)
    assert Rate(5, 0.5) == parse_limit("by_person", "5+0.5/s")
    for name, text in (("by_person", "5"), ("by_person", "0+1/s"), ("max_streams", "many"), ("patience", "-1")):
        with pytest.raises(BadLimit):
            parse_limit(name, text)


def test_a_proxy_says_where_requests_come_from(tmp_path: Path) -> None:
    """Only what comes from a network of proxies is believed."""

    async def statuses(base: str) -> list[int]:
        async with httpx.AsyncClient(base_url=base, timeout=60) as http:
            asked = [await http.get("/health", headers={"x-forwarded-for": f"192.0.2.{i}"}) for i in range(3)]
        return [answer.status_code for answer in asked]

    with serving(tmp_path / "alone", by_address=Rate(1, 0.001)) as server:
        assert [200, 429, 429] == asyncio.run(statuses(server.base)), "anybody could say that"
    with serving(tmp_path / "behind", by_address=Rate(1, 0.001), proxies=["127.0.0.0/8"]) as server:
        assert [200, 200, 200] == asyncio.run(statuses(server.base))


def test_requests_at_a_time_have_a_share_by_address(tmp_path: Path) -> None:
    """Slow senders of one address leave room for others; one who asks for too much is told so, and cut off."""

    async def visit() -> None:
        async with running(settings(tmp_path, max_requests_address=2)) as app, Visitor(app) as one, Visitor(app) as two:
            begun, sending = asyncio.Semaphore(0), asyncio.Event()

            async def slowly() -> AsyncIterator[bytes]:
                begun.release()
                yield b"name="
                await sending.wait()

            def from_elsewhere() -> httpx.AsyncClient:
                return httpx.AsyncClient(transport=httpx.ASGITransport(app, client=("10.0.0.8", 1)), base_url=one.base)

            slow = [asyncio.ensure_future(who.http.post("/me", content=slowly())) for who in (one, two)]
            for _ in slow:
                await begun.acquire()
            refused = await one.get("/health")
            assert (429, "close") == (refused.status_code, refused.headers["connection"])
            async with from_elsewhere() as other:
                assert 200 == (await other.get("/health")).status_code
            sending.set()
            assert [403, 403] == [answer.status_code for answer in await asyncio.gather(*slow)]
            assert 200 == (await one.get("/health")).status_code

    asyncio.run(visit())


def test_new_connections_have_a_share_by_address(tmp_path: Path) -> None:
    """Whoever opens one after the other is cut off; somebody of another address is not."""
    with serving(tmp_path, new_connections=Rate(2, 0.001)) as server:

        async def ask(source: str) -> bool:
            transport = httpx.AsyncHTTPTransport(local_address=source)
            async with httpx.AsyncClient(transport=transport, base_url=server.base) as http:
                try:
                    return (await http.get("/health")).is_success
                except httpx.TransportError:
                    return False

        asked = [asyncio.run(ask(source)) for source in ("127.0.0.1", "127.0.0.1", "127.0.0.1", "127.0.0.2")]
        assert [True, True, False, True] == asked


def test_connections_have_a_share_by_address(tmp_path: Path) -> None:
    """Whoever opens one more than their share is cut off, and has it again when another one ends."""
    with serving(tmp_path, max_connections_address=3) as server:
        host, port = server.base.removeprefix("http://").split(":")

        opened: list[socket.socket] = []

        def is_open() -> bool:
            one = socket.create_connection((host, int(port)), 10)
            opened.append(one)
            with suppress(OSError):
                one.sendall(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                return one.recv(12) == b"HTTP/1.1 200"
            return False

        try:
            assert [True, True, True, False] == [is_open() for _ in range(4)]
            for one in opened:
                one.close()
            assert any(is_open() for _ in range(20))
        finally:
            for one in opened:
                one.close()
