"""Looking back over the web: who may see what of the past, playing on, reviews, and records that are brought."""

from __future__ import annotations

import json
import random
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from visitors import Visitor, eventually, running, sat, services, settings

from ridotto.bots import review
from ridotto.bots.review import Judgement
from ridotto.core import record
from ridotto.core.match import Match
from ridotto.engine.fields import HIDDEN, Target
from ridotto.games import GAMES
from ridotto.web.live import review_queue
from ridotto.web.live.replays import past_view
from ridotto.web.live.workers import WorkerFailed
from ridotto.web.server.routes import records

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
            was, now = at.view(seat).json(at.game.english), past_view(match, ply, str(seat)).json(match.game.english)
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
        assert review.decisions(match) == [one.ply for one in made.judgements]
        # The terminal says the same.
        target: Target = "cpu" if made.luck is not None else "python"
        done = {ply: match.game.action(match.entries[ply].do) for ply in review.decisions(match)}
        again = [review.judge(review.view_at(match, ply), ply, action, made.bot, ply, target) for ply, action in done.items()]
        assert made.judgements == review.assemble_review(match, made.bot, again).judgements
        french = (await ada.get(path, headers={"accept-language": "fr"})).text
        assert "Win chances over time" not in french


async def test_a_review_goes_on_after_a_restart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was asked for is made by the next server, unasked."""
    for name in ("BOT", "SLOW_BOT"):
        monkeypatch.setattr(review_queue, name, "search:20")
    async with running(settings(tmp_path)) as app, Visitor(app) as ada:
        background = services(app).background

        async def judge(bot: str, view: object, ply: int, action: int, *_: object) -> Judgement:
            await background.stopping.wait()
            raise WorkerFailed("the workers have stopped")

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
