"""Looking back over the web: who may see what of the past, playing on, reviews, and records that are brought."""

from __future__ import annotations

import asyncio
import json
import random
import re
from asyncio import FIRST_COMPLETED as FIRST
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from visitors import Visitor, eventually, running, sat, services, settings

from ridotto.bots import Ranked, judging, review
from ridotto.bots.judging import Judgement
from ridotto.core import record
from ridotto.core.luck import MatchLuck
from ridotto.core.match import Match
from ridotto.core.view import View
from ridotto.engine.fields import HIDDEN, Target
from ridotto.games import GAMES
from ridotto.present import views
from ridotto.present.ui import english
from ridotto.web.live import review_queue
from ridotto.web.live.fair_queue import BESIDE, UNASKED, Asker
from ridotto.web.live.replays import past_view
from ridotto.web.live.workers import BotWorkerFailed
from ridotto.web.server.routes import records
from ridotto.web.storage import reviews as review_storage
from ridotto.web.storage.reviews import ReviewStorage, WaitingReview, add_unasked

pytestmark = pytest.mark.anyio
FANTOME = GAMES["fantome"]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[Starlette]:
    async with running(settings(tmp_path)) as started:
        yield started


def played(name: str = "fantome", seats: int = 2, seed: int = 5, left: int = 0) -> Match:
    """A match of random play, so many decisions before its end."""
    match, dice = Match(GAMES[name], seats, seed=seed), random.Random(seed)
    while match.to_act:
        seat = dice.choice(match.to_act)
        match.play(dice.choice(match.legal(seat).ids), seat)
    return match.after(match.ply - left)


# Replay.


async def test_own_eyes_while_the_match_goes_on(app: Starlette) -> None:
    """Whoever plays sees the past as they saw it then; other people's eyes and open ones are refused until the end."""
    async with Visitor(app) as ada, Visitor(app) as bo, Visitor(app) as stranger:
        table = await sat(app, played(left=12), ada, bo)
        path = f"/t/{table.id}/replay"
        assert 200 == (await ada.get(path)).status_code
        for eyes in ("1", "open", "watch"):
            answer = await ada.get(f"{path}?eyes={eyes}")
            assert 403 == answer.status_code
            assert "you can only replay what you could see" in answer.text
        assert 200 == (await stranger.get(f"{path}?eyes=watch")).status_code
        assert 403 == (await stranger.get(f"{path}?eyes=1")).status_code
        assert 404 == (await ada.get(f"{path}?eyes=7")).status_code


@pytest.mark.parametrize("number", ["-1", "x", "999", "9999999", "1.5"])
async def test_moments_that_are_not_there(app: Starlette, number: str) -> None:
    """A moment that the match does not have is named as such."""
    async with Visitor(app) as ada:
        match = played()
        table = await sat(app, match, ada, "level:1")
        answer = await ada.get(f"/t/{table.id}/replay?ply={number}")
        assert (404, True) == (answer.status_code, f"moments 0 to {match.ply - 1}" in answer.text)


async def test_what_the_page_is_drawn_from() -> None:
    """A past view is what the seat was given then, byte for byte but for what it could do; open eyes see the true row."""
    match = played()
    hidden = FANTOME.rules.FIELDS.F.identity
    for ply in range(0, match.ply - 1, 5):
        at = match.after(ply + 1)
        for seat in (0, 1):
            was, now = (
                views.as_json(at.view(seat), english(at.game)),
                views.as_json(past_view(match, ply, str(seat)), english(match.game)),
            )
            assert was | {"actions": []} == now
        assert HIDDEN == past_view(match, ply, "watch").row[hidden]
        assert tuple(at.row) == past_view(match, ply, "open").row
        assert () == past_view(match, ply, "0").legal


async def test_any_eyes_after_the_end(app: Starlette) -> None:
    """When it is over everybody may look with any eyes, by a link to the very moment, also without the script."""
    async with Visitor(app) as ada, Visitor(app) as stranger:
        match = played()
        table = await sat(app, match, ada, "level:1")
        for eyes in ("0", "1", "watch", "open"):
            answer = await stranger.get(f"/t/{table.id}/replay?ply=7&eyes={eyes}")
            assert 200 == answer.status_code
            assert f"moment 7 of {match.ply - 1}." in answer.text
            assert f'href="/t/{table.id}/replay?ply=8&amp;eyes={eyes}"' in answer.text
            part = (await stranger.get(f"/t/{table.id}/replay/moment?ply=7&eyes={eyes}")).json()
            assert 7 == part["ply"]
            keys = re.findall(r'data-key="([^"]+)"', answer.text)
            assert sorted(one["key"] for one in part["scene"]["items"]) == sorted(keys)
            alone = (await stranger.get(f"/t/{table.id}/replay/scene?ply=7&eyes={eyes}")).json()
            assert (7, part["scene"]) == (alone["ply"], alone["scene"])
        assert "For your eyes only" in (await stranger.get(f"/t/{table.id}/replay?ply=7&eyes=1")).text
        assert "For your eyes only" not in (await stranger.get(f"/t/{table.id}/replay?ply=7&eyes=0")).text


async def test_private_tables_are_not_there_for_strangers(app: Starlette) -> None:
    """Replay, review and playing on are behind the same door as the table itself."""
    async with Visitor(app) as ada, Visitor(app) as stranger:
        table = await sat(app, played(), ada, "level:1", private=True)
        for path in ("replay", "replay/moment", "replay/scene", "review", "review/progress"):
            assert 404 == (await stranger.get(f"/t/{table.id}/{path}")).status_code
            assert 200 == (await ada.get(f"/t/{table.id}/{path}")).status_code
        for path in ("onward", "review"):
            assert 404 == (await stranger.post(f"/t/{table.id}/{path}", {"ply": "3"})).status_code


# Playing on.


async def test_playing_on_from_a_moment(app: Starlette) -> None:
    """A moment becomes a table of its own: the reader's seat looks as it did then, the record says where it comes from."""
    async with Visitor(app) as ada:
        match = played()
        table = await sat(app, match, ada, "level:1")
        answer = await ada.post(f"/t/{table.id}/onward", {"ply": "9", "seat0": "me", "seat1": "bot:level:1"})
        assert 303 == answer.status_code, answer.text
        place = answer.headers["location"].removeprefix("/t/")
        new = await services(app).tables.load(place)
        then = match.after(10)
        assert then.masked(0) == new.match.after(1).masked(0)
        assert {"ply": 9, "seat": 0, "head": record.write(match)["entries"][9]["hash"]} == new.match.origin
        assert ("onward", table.id) == (new.info.origin["kind"], new.info.origin["table"])  # type: ignore[index]
        document = await services(app).storage.tables.document(place)
        assert 9 == record.read(document, GAMES)[0].origin["ply"]  # type: ignore[index]


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({"ply": "x"}, 400),
        ({"ply": "9999"}, 400),
        ({"ply": "5"}, 400),
        ({"ply": "5", "seat0": "me", "seat1": "me"}, 400),
        ({"ply": "5", "seat0": "me", "seat1": "bot:cmd:rm"}, 400),
        ({"ply": "last", "seat0": "me", "seat1": "friend"}, 409),
    ],
)
async def test_playing_on_refuses(app: Starlette, form: dict[str, str], status: int) -> None:
    """What is no moment, no company, or the very end, is refused with the reason."""
    async with Visitor(app) as ada:
        match = played()
        table = await sat(app, match, ada, "level:1")
        sent = {key: str(match.ply - 1) if value == "last" else value for key, value in form.items()}
        assert status == (await ada.post(f"/t/{table.id}/onward", sent)).status_code


async def test_no_playing_on_in_the_middle_of_a_match_between_people(app: Starlette) -> None:
    """Against bots one may try out a moment while the match goes on, with one's own eyes; against people not."""
    async with Visitor(app) as ada, Visitor(app) as bo:
        form = {"ply": "5", "seat0": "me", "seat1": "bot:level:1"}
        between = await sat(app, played(left=12), ada, bo)
        assert 409 == (await ada.post(f"/t/{between.id}/onward", form)).status_code
        alone = await sat(app, played(left=12), ada, "level:1")
        assert 303 == (await ada.post(f"/t/{alone.id}/onward", form)).status_code
        other = {"ply": "5", "seat0": "bot:level:1", "seat1": "me"}
        assert 403 == (await ada.post(f"/t/{alone.id}/onward", other)).status_code
        assert 409 == (await bo.post(f"/t/{alone.id}/onward", form)).status_code


# Reviews.


async def test_a_review_is_made_once_and_kept(app: Starlette, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is made in the background, with progress, and is there for everybody afterwards, also after a restart."""
    for name in ("BOT", "SLOW_BOT"):
        monkeypatch.setattr(review_queue, name, "search:20")
    async with Visitor(app) as ada, Visitor(app) as stranger:
        match = played()
        table = await sat(app, match, ada, "level:1")
        path = f"/t/{table.id}/review"
        assert "Review this match" in (await ada.get(path)).text
        assert 303 == (await ada.post(path)).status_code
        assert 303 == (await stranger.post(path)).status_code
        total = len(review.decisions(match))
        assert {"done", "total", "ready", "failed"} == set((await ada.get(f"{path}/progress")).json())

        async def is_ready() -> bool:
            told = (await ada.get(f"{path}/progress")).json()
            assert told["total"] in (0, total)
            return bool(told["ready"])

        await eventually(is_ready)
        page = (await stranger.get(path)).text
        assert "Win chances over time" in page
        assert total == page.partition('id="decisions"')[2].count("<tr>") - 1
        made = await services(app).storage.reviews.load(table.id)
        assert made is not None
        assert ("Luck and decisions" in page) == (made.luck is not None)
        assert made.luck == MatchLuck.read(review.luck_of(match).json()), "asked in pieces, it is the same"
        assert review.decisions(match) == [one.ply for one in made.judgements]
        # The terminal says the same.
        target: Target = "cpu" if made.luck is not None else "python"
        done = {ply: match.game.action(match.entries[ply].do) for ply in review.decisions(match)}
        again = [judging.judge(review.view_at(match, ply), ply, action, made.bot, ply, target) for ply, action in done.items()]
        assert made.judgements == review.assemble_review(match, made.bot, again).judgements
        french = (await ada.get(path, headers={"accept-language": "fr"})).text
        assert "Win chances over time" not in french


def costly(bot: str, view: View, ply: int, action: int, *_: object) -> Judgement:
    """The judgement that every decision gave much away."""
    best = next(one for one in view.legal if one != action)
    return Judgement(ply, view.seat or 0, action, (0.5, 0.5), (Ranked(best, 400, 0.9, 1.0), Ranked(action, 400, 0.1, 0.0)), 800)


def judged_by(app: Starlette, when: asyncio.Event, asked: list[tuple[int, int]] | None = None) -> None:
    """Let a server judge decisions from a moment on, without thinking; `asked` gets the rank and the ply of each."""
    server = services(app)

    async def judge(bot: str, view: View, ply: int, action: int, asker: Asker) -> Judgement:
        await asyncio.wait({asyncio.ensure_future(one.wait()) for one in (when, server.background.stopping)}, return_when=FIRST)
        if asked is not None:
            asked.append((asker.rank, ply))
        if not when.is_set():
            raise BotWorkerFailed("the workers have stopped")
        return costly(bot, view, ply, action)

    async def luck(*_: object) -> None:
        return None

    server.workers.judge = judge  # type: ignore[method-assign, assignment]
    server.workers.luck = luck  # type: ignore[method-assign, assignment]


def turning(page: str) -> str:
    """What the page of a table tells of where its match turned."""
    found = re.search(r'<section id="turning"[^>]*>(.*?)</section>', page, re.S)
    assert found is not None
    return found[1].strip()


LOOKING = "Looking for the turning point …"


async def test_where_a_match_turned_is_told_unasked(tmp_path: Path) -> None:
    """When a match ends, it is reviewed at the lowest rank, and the table tells everybody what the review does."""
    async with (
        running(settings(tmp_path, auto_review=True)) as app,
        Visitor(app) as ada,
        Visitor(app) as bo,
        Visitor(app) as stranger,
    ):
        ready, asked = asyncio.Event(), list[tuple[int, int]]()
        judged_by(app, ready, asked)
        match = played().after(12)
        table = await sat(app, match, ada, bo)
        people, path = (ada, bo, stranger), f"/t/{table.id}"
        for one in people:
            assert "" == turning((await one.get(path)).text)
        async with stranger.live(table.id) as live:
            first = await live.next()
            assert "" == first["parts"]["turning"]
            assert 303 == (await ada.post(f"{path}/resign")).status_code
            assert LOOKING in (await live.until(match.ply + 1))["parts"]["turning"]
            for one in people:
                page = (await one.get(path)).text
                assert LOOKING in turning(page)
                assert "The review shows where the match turned." not in page
                assert "Review this match" in (await one.get(f"{path}/review")).text, "nobody has asked for it"
            ready.set()
            told = LOOKING
            while LOOKING in told:  # other messages may come before
                told = (await live.next())["parts"]["turning"]
        assert [(UNASKED, ply) for ply in review.decisions(match)] == sorted(asked)
        sentences = []
        for one in people:
            found = turning((await one.get(path)).text)
            assert found.startswith("<p>The turning point") and "Show this moment" in found
            assert found.removeprefix("<p>") in (await one.get(f"{path}/review")).text
            sentences.append(found)
        assert 2 == len(set(sentences)) and told.strip() == sentences[2], "whoever it was about is told so"


async def test_no_review_without_people_or_against_the_settings(tmp_path: Path) -> None:
    """Bots alone are not reviewed unasked, and nobody is where the server is set so: then a review is offered."""
    for is_on, count in ((True, 0), (False, 2)):
        async with running(settings(tmp_path / str(is_on), auto_review=is_on)) as app, AsyncExitStack() as stack:
            people = [await stack.enter_async_context(Visitor(app)) for _ in range(2)]
            table = await sat(app, played(left=3), *(people[:count] or ("random", "random")))
            if count:
                await services(app).writer.leave(table, 0)
            await eventually(lambda table=table: asyncio.sleep(0, table.info.state == "over"))
            assert None is await services(app).storage.reviews.job(table.id)
            page = (await people[0].get(f"/t/{table.id}")).text
            assert "" == turning(page) and "The review shows where the match turned." in page


async def test_a_review_that_nobody_asked_for(tmp_path: Path) -> None:
    """It outlives a restart, waits until its game is compiled, and whoever asks for it, or for another one, goes first."""
    chosen = settings(tmp_path, auto_review=True)
    async with running(chosen) as app, Visitor(app) as ada:
        judged_by(app, asyncio.Event())
        tables = [await sat(app, played().after(12), ada, "random") for _ in range(3)]
        for table in tables[:2]:
            await services(app).writer.leave(table, 0)
    async with running(chosen) as app, Visitor(app) as bo:
        storage, queue, ready, asked = services(app).storage, services(app).reviews, asyncio.Event(), list[tuple[int, int]]()
        judged_by(app, ready, asked)
        services(app).workers.to_compile.append("fantome")
        await queue.work(is_asked=False)
        assert [] == asked and 2 == len(await storage.reviews.unasked())
        services(app).workers.to_compile.clear()
        assert 303 == (await bo.post(f"/t/{tables[0].id}/review")).status_code
        job = await storage.reviews.job(tables[0].id)
        total = len(review.decisions((await services(app).tables.load(tables[0].id)).match))
        assert job is not None and (True, total) == (job.is_asked, job.total)
        assert "The review is being made." in (await bo.get(f"/t/{tables[0].id}/review")).text
        assert [[tables[0].id], [tables[1].id]] == [[one.table for one in some] for some in await both(storage.reviews)]
        ready.set()

        async def are_ready() -> bool:
            return all([await storage.reviews.load(table.id) for table in tables[:2]])

        async def is_told() -> bool:
            return LOOKING not in (await bo.get(f"/t/{tables[1].id}")).text

        await eventually(are_ready)
        assert {BESIDE, UNASKED} == {rank for rank, _ in asked}
        await eventually(is_told)


async def test_of_many_unasked_reviews_the_latest_are_kept(app: Starlette, monkeypatch: pytest.MonkeyPatch) -> None:
    """The latest match comes first; those that wait for longest are given up when there are too many."""
    storage = services(app).storage
    monkeypatch.setattr(review_storage, "MOST_UNASKED", 2)
    async with Visitor(app) as ada:
        tables = [(await sat(app, played(), ada, "random")).id for _ in range(4)]
        await storage.reviews.add_job(tables[0], 5)
        for now, table in enumerate(tables[1:]):
            assert await storage.tables.change(table, [add_unasked(table, now)])
        assert [tables[3], tables[2]] == [one.table for one in await storage.reviews.unasked()]
        assert LOOKING not in (await ada.get(f"/t/{tables[1]}")).text
        assert None is await storage.reviews.job(tables[1])
        assert [tables[0]] == [one.table for one in await storage.reviews.asked()]


async def both(reviews: ReviewStorage) -> tuple[list[WaitingReview], list[WaitingReview]]:
    return await reviews.asked(), await reviews.unasked()


async def test_a_review_that_fails_is_not_waited_for(tmp_path: Path) -> None:
    """Then the table says that a review shows where the match turned, and offers one."""
    async with running(settings(tmp_path, auto_review=True)) as app, Visitor(app) as ada:

        async def judge(*_: object) -> Judgement:
            raise BotWorkerFailed("its workers died")

        services(app).workers.judge = judge  # type: ignore[method-assign, assignment]
        table = await sat(app, played().after(12), ada, "random")
        await services(app).writer.leave(table, 0)

        async def is_given_up() -> bool:
            return "The review shows where the match turned." in (await ada.get(f"/t/{table.id}")).text

        await eventually(is_given_up)
        assert "" == turning((await ada.get(f"/t/{table.id}")).text)
        job = await services(app).storage.reviews.job(table.id)
        assert job is not None and job.failed


async def test_a_review_goes_on_after_a_restart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was asked for is made by the next server, unasked."""
    for name in ("BOT", "SLOW_BOT"):
        monkeypatch.setattr(review_queue, name, "search:20")
    async with running(settings(tmp_path)) as app, Visitor(app) as ada:
        background = services(app).background

        async def judge(bot: str, view: object, ply: int, action: int, *_: object) -> Judgement:
            await background.stopping.wait()
            raise BotWorkerFailed("the workers have stopped")

        services(app).workers.judge = judge  # type: ignore[method-assign, assignment]
        table = await sat(app, played(), ada, "level:1")
        assert 303 == (await ada.post(f"/t/{table.id}/review")).status_code
    async with running(settings(tmp_path)) as app, Visitor(app) as other:

        async def is_ready() -> bool:
            return bool((await other.get(f"/t/{table.id}/review/progress")).json()["ready"])

        await eventually(is_ready)


async def test_no_review_before_the_end(app: Starlette) -> None:
    """While a match goes on there is no review, for anybody."""
    async with Visitor(app) as ada:
        table = await sat(app, played(left=12), ada, "level:1")
        assert 409 == (await ada.get(f"/t/{table.id}/review")).status_code
        assert 409 == (await ada.post(f"/t/{table.id}/review")).status_code


async def test_a_review_that_fails_can_be_asked_for_again(app: Starlette, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the bot gives up, the page says so and offers to try again."""
    for name in ("BOT", "SLOW_BOT"):
        monkeypatch.setattr(review_queue, name, "greedy")
    async with Visitor(app) as ada:
        table = await sat(app, played(), ada, "level:1")
        path = f"/t/{table.id}/review"
        await ada.post(path)

        async def has_failed() -> bool:
            return bool((await ada.get(f"{path}/progress")).json()["failed"])

        await eventually(has_failed)
        assert "could not be finished" in (await ada.get(path)).text


# Records.


async def bring(visitor: Visitor, document: Any) -> Any:
    text = document if isinstance(document, str) else json.dumps(document)
    return await visitor.post("/records", {"record": text})


async def test_a_record_becomes_a_table_to_look_at(app: Starlette) -> None:
    """A finished match comes back with its people's names, private, and with the same record to download."""
    async with Visitor(app) as ada, Visitor(app) as stranger:
        match = played("turandot", 3, 2)
        document = record.write(match, ["Ada", "level:2", "<b>Bo</b>"])
        assert "Open a record" in (await ada.get("/records")).text
        answer = await bring(ada, document)
        assert 303 == answer.status_code, answer.text
        path = answer.headers["location"]
        page = (await ada.get(path)).text
        assert "Ada" in page and "<b>Bo</b>" not in page
        place = path.split("/")[2]
        assert 404 == (await stranger.get(path)).status_code
        back = (await ada.get(f"/t/{place}/record")).json()
        assert (document["head"], document["entries"]) == (back["head"], back["entries"])
        assert match.row == record.read(back, GAMES)[0].row


def changed(document: dict[str, Any]) -> Any:
    document["entries"][5]["time"] = "yesterday"
    return document


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (lambda document: "", "there is no record: choose a file"),
        (lambda document: "{", "not a record"),
        (lambda document: {"format": "something"}, "not a record"),
        (changed, "entry at ply 5 was changed"),
        (lambda document: document | {"game": "aida"}, "unknown game"),
        (lambda document: record.write(played(left=3)), "this match is not over"),
        (lambda document: "[" * 60000, "not a record"),
    ],
)
async def test_bad_records_are_refused(app: Starlette, spoil: Any, complaint: str) -> None:
    """What is no record, was changed, or is not over, is refused in words, and nothing is kept of it."""
    async with Visitor(app) as ada:
        before = len(services(app).tables)
        answer = await bring(ada, spoil(record.write(played())))
        assert 400 == answer.status_code
        assert complaint in answer.text
        assert before == len(services(app).tables)


async def test_records_that_are_too_large(app: Starlette) -> None:
    """There is an end to what is read, and no way around the nonce."""
    async with Visitor(app) as ada:
        assert 413 == (await bring(ada, "x" * records.LARGEST)).status_code
        ada.nonce = "0" * 32
        assert 403 == (await bring(ada, record.write(played()))).status_code
