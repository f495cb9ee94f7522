"""The door and the routes: who gets in, who may act, what is refused and how."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import zlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from markupsafe import escape
from visitors import BASE, Visitor, sat, services, visiting

from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.present import views
from ridotto.present.ui import english, ui
from ridotto.web.identity import COOKIE
from ridotto.web.pages.assets import script_address
from ridotto.web.server.logs import LogFile
from ridotto.web.settings import Rate

# Pages.


def test_every_page_has_its_headers(tmp_path: Path) -> None:
    """No page may load, run or be framed by anything from elsewhere, and no cache gives it to anybody else."""

    async def visit(app: Any, one: Visitor) -> None:
        table = await one.create("fantome", "me", "friend")
        for path in ("/", f"/t/{table}", "/about", "/rules/nl/fantome", "/nowhere"):
            answer = await one.get(path)
            policy = answer.headers["content-security-policy"]
            assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
            assert "frame-ancestors 'none'" in policy
            assert ("private, no-cache" if "/t/" in path else "no-store") == answer.headers["cache-control"]
            assert "nosniff" == answer.headers["x-content-type-options"]
            assert "same-origin" == answer.headers["referrer-policy"]
            assert not re.search(r"<script(?![^>]* src=)| on[a-z]+=\"| style=\"|<style", answer.text), path

    visiting(tmp_path, 1, visit)


def test_what_is_served(tmp_path: Path) -> None:
    """Styles, the script, fonts, health, figures; and nothing beside the folders."""

    async def visit(app: Any, one: Visitor) -> None:
        for path, kind in (
            ("/static/boards.css", "text/css"),
            (script_address("main.js"), "text/javascript"),
            ("/fonts/SourceSansPro-Regular.ttf", "font/ttf"),
            ("/fonts/SourceSerifPro-Regular.ttf", "font/ttf"),
            ("/health", "application/json"),
            ("/metrics", "text/plain"),
        ):
            answer = await one.get(path)
            assert (200, kind) == (answer.status_code, answer.headers["content-type"].partition(";")[0]), path
        for path in ("/static/../app.py", "/static/..%2fapp.py", "/fonts/..%2f__init__.py", "/static/"):
            assert 404 == (await one.get(path)).status_code, path
        assert 'ridotto_requests_total{method="GET",route="/health",status="200"} 1.0' in (await one.get("/metrics")).text

    visiting(tmp_path, 1, visit)


def test_the_memory_of_the_server_is_a_metric(tmp_path: Path) -> None:
    """It grows by what is held."""

    async def visit(app: Any, one: Visitor) -> None:
        async def held() -> float:
            await one.get("/metrics")
            return float(services(app).metrics.registry.get_sample_value("ridotto_memory_bytes"))

        before = await held()
        block = b"x" * 2**27
        assert 2**26 < await held() - before < 2**28, len(block)

    visiting(tmp_path, 1, visit)


def test_the_rulebook_has_an_anchor_for_each_section(tmp_path: Path) -> None:
    """§3.2 is at #s-3-2 in every language, and the text leads there."""

    async def visit(app: Any, one: Visitor) -> None:
        for spoken in ("en", "fr", "nl"):
            text = (await one.get(f"/rules/{spoken}/fantome")).text
            assert 1 == text.count('id="s-3-2"')
            assert 'href="#s-2-2"' in text
            anchors = set(re.findall(r'href="#(s-[0-9-]+)"', text))
            assert anchors <= set(re.findall(r'id="(s-[0-9-]+)"', text))
        assert 404 == (await one.get("/rules/de/fantome")).status_code
        assert 404 == (await one.get("/rules/en/chess")).status_code

    visiting(tmp_path, 1, visit)


def test_the_language_follows_the_browser_and_can_be_switched(tmp_path: Path) -> None:
    """French by Accept-Language; Dutch after a switch in the middle of a match, the log too."""

    async def visit(app: Any) -> None:
        async with Visitor(app, language="fr-CH, en;q=0.5") as one, Visitor(app) as two:
            assert '<html lang="fr"' in (await one.get("/")).text
            table = await sat(app, Match(GAMES["fantome"], 2, seed=7), one, two)
            assert 204 == (await one.act(table.id, "pick meg", 1)).status_code
            french = (await one.get(f"/t/{table.id}")).text
            back = await one.post("/me", {"language": "nl", "theme": "light", "motion": "off", "back": f"/t/{table.id}"})
            assert (303, f"/t/{table.id}") == (back.status_code, back.headers["location"])
            dutch = (await one.get(f"/t/{table.id}")).text
            assert '<html lang="nl" data-theme="light" data-motion="off"' in dutch
            sentences = {}
            for spoken in ("fr", "nl"):
                words = ui(table.match.game).words(ui(table.match.game).narrator(spoken, reader=0))
                sentences[spoken] = str(escape(views.events(table.match.view(0), words)[-1]["text"]))
            assert sentences["fr"] in french and sentences["nl"] not in french
            async with one.live(table.id) as stream:
                told = (await stream.next())["parts"]["log"]
            assert sentences["nl"] in told and sentences["fr"] not in told

    visiting(tmp_path, 0, visit)


def test_a_refusal_speaks_the_readers_language(tmp_path: Path) -> None:
    """Why not, with its §, in English and in French."""

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        table = await sat(app, Match(GAMES["fantome"], 2, seed=7), one, two)
        refused = await one.act(table.id, "pick raoul", 1)
        told = "the card of Raoul is not face up; face up: Meg Giry, Madame Giry, Buquet and the Persian"
        assert (409, {"message": told, "section": "3.1"}) == (refused.status_code, refused.json())
        asked = (await one.get(f"/t/{table.id}/why?do=pick+raoul")).json()
        assert refused.json() == {name: asked[name] for name in ("message", "section")}
        allowed = (await one.get(f"/t/{table.id}/why?do=pick+meg")).json()
        assert {"message": "", "section": "", "nearest": None, "what": ""} == allowed
        await one.post("/me", {"language": "fr"})
        assert "n'est pas" in (await one.act(table.id, "pick raoul", 1)).json()["message"]
        assert "cette page n'existe pas" in (await one.get("/t/nowhere", headers={"accept": "*/*"})).json()["message"]
        late = await one.act(table.id, "pick meg", 7)
        assert "ply" not in late.headers and "2" == (await one.act(table.id, "pick meg", 1)).headers["ply"]
        assert "la partie a avancé\N{NO-BREAK SPACE}: regardez de nouveau" == late.json()["message"]

    visiting(tmp_path, 2, visit)


def test_a_preview_says_what_would_happen(tmp_path: Path) -> None:
    """The lines that the log would have; for what may not be done there are none."""

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        match = Match(GAMES["fantome"], 2, seed=7)
        match.play("pick meg")
        table = await sat(app, match, one, two)
        told = (await one.get(f"/t/{table.id}/preview?do=move+9")).json()
        match.play("move 9")
        sentence = views.events(match.view(0, since=2), english(match.game))[0]["text"]
        assert sentence == told["lines"][0]
        assert [] == (await one.get(f"/t/{table.id}/preview?do=move+0")).json()["lines"]
        assert 400 == (await one.get(f"/t/{table.id}/preview?do=fly")).status_code
        assert 403 == (await (Visitor(app)).get(f"/t/{table.id}/preview?do=move+9")).status_code

    visiting(tmp_path, 2, visit)


# Founding tables.


@pytest.mark.parametrize(
    "form",
    [
        {"game": "chess", "seat0": "me", "seat1": "friend"},
        {"game": "fantome", "seat0": "me"},
        {"game": "fantome", "seat0": "me", "seat1": "friend", "seat2": "friend"},
        {"game": "fantome", "seat0": "me", "seat1": "friend", "clock": "match:7"},
        {"game": "fantome", "seat0": "me", "seat1": "friend", "leaving": "dance"},
        {"game": "fantome", "seat0": "me", "seat1": "bot:search:999999999"},
        {"game": "fantome", "seat0": "me", "seat1": "cmd:sh"},
        {"game": "fantome", "seat0": "me", "seat1": "friend", "option.handicap": "99"},
        {"game": "fantome", "seat0": "me", "seat1": "friend", "option.handicap": "1e9"},
        {"game": "fantome", "seat0": "me", "seat1": "friend", "option.nonsense": "1"},
    ],
)
def test_a_wrong_form_comes_back_with_a_reason(form: dict[str, str], tmp_path: Path) -> None:
    """400, the lobby again, and what was wrong; no table is made."""

    async def visit(app: Any, one: Visitor) -> None:
        answer = await one.post("/tables", form)
        assert 400 == answer.status_code
        assert 'role="alert"' in answer.text
        assert ([], [], []) == await services(app).storage.tables.lobby(one.id, 5)

    visiting(tmp_path, 1, visit)


def test_a_table_against_a_bot(tmp_path: Path) -> None:
    """The form of the lobby gives a table with options and a bot of a level, which answers."""

    async def visit(app: Any, one: Visitor) -> None:
        extra = {"option.handicap": "1", "name": "  Ann\u202e ", "language": "nl"}
        table = await services(app).tables.load(await one.create("fantome", "bot:level:1", "me", **extra))
        assert (1, "nl", "Ann") == (table.match.options["handicap"], table.info.language, table.info.chairs[1].name)
        assert "level:1" == table.info.chairs[0].bot
        async with one.live(table.id) as stream:
            assert (await stream.until(2))["ply"] >= 2

    visiting(tmp_path, 1, visit)


def test_the_lobby_lists_tables(tmp_path: Path) -> None:
    """My tables with whose turn it is, open tables, finished ones; private tables are in nobody else's list."""

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        mine = await one.create("fantome", "me", "open")
        hidden = await one.create("fantome", "me", "open", private="1")
        kept = await one.create("fantome", "me", "friend")
        yours, free, over = await services(app).storage.tables.lobby(two.id, 10)
        assert ([], [mine], []) == ([t.id for t in yours], [t.id for t in free], over)
        yours, _, _ = await services(app).storage.tables.lobby(one.id, 10)
        assert {mine, hidden, kept} == {t.id for t in yours}
        assert mine not in (await two.get("/")).text, "nobody is there to play with"
        async with one.live(mine), one.live(hidden):
            page = (await two.get("/")).text
            assert mine in page and hidden not in page
        await one.post(f"/t/{mine}/resign")
        assert [mine] == [t.id for t in (await services(app).storage.tables.lobby(two.id, 10))[2]]
        assert mine in (await two.get("/")).text

    visiting(tmp_path, 2, visit)


# Sitting down.


def test_an_invitation(tmp_path: Path) -> None:
    """The host's page has the link; the friend sits down with a name; the link is then used up."""

    async def visit(app: Any, host: Visitor, friend: Visitor, late: Visitor) -> None:
        table = await host.create("fantome", "me", "friend")
        links = re.findall(rf"/t/{table}/sit/[0-9a-f]{{32}}", (await host.get(f"/t/{table}")).text)
        assert links and 1 == len(set(links))
        assert not re.search(r"/sit/[0-9a-f]{32}", (await friend.get(f"/t/{table}")).text)
        assert 200 == (await friend.get(links[0])).status_code
        assert 303 == (await friend.post(links[0], {"name": "<script>alert(1)</script>"})).status_code
        page = (await host.get(f"/t/{table}")).text
        assert "&lt;script&gt;alert(1)" in page and "<script>alert" not in page
        assert 303 == (await friend.get(links[0])).status_code
        assert 410 == (await late.get(links[0])).status_code
        assert 410 == (await late.post(links[0])).status_code
        assert "playing" == (await services(app).tables.load(table)).info.state
        assert 404 == (await late.get(f"/t/{table}/sit/{'0' * 32}")).status_code

    visiting(tmp_path, 3, visit)


def test_one_open_seat_two_people(tmp_path: Path) -> None:
    """Both press at once: one sits, the other is told."""

    async def visit(app: Any, host: Visitor, *others: Visitor) -> None:
        table = await host.create("fantome", "me", "open")
        answers = await asyncio.gather(*(one.post(f"/t/{table}/sit", {"seat": "1"}) for one in others))
        assert [303, 409] == sorted(answer.status_code for answer in answers)
        assert 409 == (await host.post(f"/t/{table}/sit", {"seat": "1"})).status_code
        assert 400 == (await others[0].post(f"/t/{table}/sit", {"seat": "7"})).status_code
        kept = await host.create("fantome", "me", "friend")
        assert 403 == (await others[0].post(f"/t/{kept}/sit", {"seat": "1"})).status_code

    visiting(tmp_path, 3, visit)


def test_a_seat_on_another_device(tmp_path: Path) -> None:
    """The private link gives another browser that one seat, and no other table of its owner."""

    async def visit(app: Any, one: Visitor, phone: Visitor, stranger: Visitor) -> None:
        table = await one.create("fantome", "me", "friend", private="1")
        other = await one.create("fantome", "me", "friend", private="1")
        link = re.search(rf"/t/{table}/me/[0-9a-f]{{32}}", (await one.get(f"/t/{table}")).text)
        assert link
        assert 404 == (await phone.get(f"/t/{table}")).status_code
        assert 200 == (await phone.get(link[0])).status_code
        assert 404 == (await phone.get(f"/t/{table}")).status_code, "a look at the link gives nothing"
        assert 303 == (await phone.post(link[0])).status_code
        assert 303 == (await phone.get(link[0])).status_code, "a device that has the key goes straight to the table"
        assert 200 == (await phone.get(f"/t/{table}")).status_code
        match = (await services(app).tables.load(table)).match
        assert 204 == (await phone.act(table, match.legal(0)[0], 1)).status_code
        assert 404 == (await phone.get(f"/t/{other}")).status_code
        assert 404 == (await stranger.get(f"/t/{table}/me/{'f' * 32}")).status_code

    visiting(tmp_path, 3, visit)


# Strangers.


def test_a_private_table_is_not_there_for_strangers(tmp_path: Path) -> None:
    """Every way to it answers 404, as for a table that does not exist; the link to watch opens it, without a seat."""

    async def visit(app: Any, host: Visitor, stranger: Visitor) -> None:
        table = await host.create("opera", "me", "friend", private="1")
        for path in ("", "/live", "/record", "/qr.svg", "/why?do=x", "/preview?do=x", f"/watch/{'0' * 32}", f"/me/{'0' * 32}"):
            answers = [await stranger.get(f"/t/{one}{path}") for one in (table, "A" * 22)]
            assert [404, 404] == [answer.status_code for answer in answers], path
            assert answers[0].text == answers[1].text, path
        assert 404 == (await stranger.act(table, "bid 1", 1)).status_code
        for path in ("resign", "rematch", "sit"):
            assert 404 == (await stranger.post(f"/t/{table}/{path}", {"seat": "1"})).status_code
        link = re.search(rf"/t/{table}/watch/[0-9a-f]{{32}}", (await host.get(f"/t/{table}")).text)
        assert link
        assert 200 == (await stranger.get(link[0])).status_code
        assert 404 == (await stranger.get(f"/t/{table}")).status_code, "a look at the link gives nothing"
        assert 303 == (await stranger.post(link[0])).status_code
        assert 303 == (await stranger.get(link[0])).status_code
        assert 200 == (await stranger.get(f"/t/{table}")).status_code
        assert 403 == (await stranger.act(table, "bid 1", 1)).status_code

    visiting(tmp_path, 2, visit)


def test_nobody_acts_for_another_seat(tmp_path: Path) -> None:
    """A spectator, the other seat, a forged cookie and somebody else's nonce are all refused, and nothing changes."""

    async def visit(app: Any, one: Visitor, two: Visitor, stranger: Visitor) -> None:
        table = await sat(app, Match(GAMES["fantome"], 2, seed=7), one, two)
        assert 403 == (await stranger.act(table.id, "pick meg", 1)).status_code
        assert 409 == (await two.act(table.id, "pick meg", 1)).status_code
        assert 403 == (await stranger.post(f"/t/{table.id}/resign")).status_code
        # Another person's id under a signature that is not ours.
        forger = Visitor(app)
        for cookie in (f"{one.id}.{'A' * 43}", one.id, f"{stranger.id}.{one.cookie.partition('.')[2]}", "x" * 5000):
            forger.http.cookies.set(COOKIE, cookie, domain="127.0.0.1")
            forger.nonce = one.nonce
            assert 403 == (await forger.act(table.id, "pick meg", 1)).status_code
        # The right cookie, but a nonce of somebody else, or none.
        for nonce in (stranger.nonce, "", "0" * 32, 7, None):
            answer = await one.http.post(f"/t/{table.id}/act", json={"do": "pick meg", "ply": 1, "nonce": nonce})
            assert 403 == answer.status_code
        assert 1 == table.match.ply
        assert 204 == (await one.act(table.id, "pick meg", 1)).status_code
        await forger.http.aclose()

    visiting(tmp_path, 3, visit)


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://elsewhere.example"},
        {"origin": "http://127.0.0.1:9999"},
        {"origin": "https://127.0.0.1:8765"},
        {"origin": "null"},
        {"origin": BASE, "sec-fetch-site": "cross-site"},
    ],
)
def test_other_sites_can_send_nothing(headers: dict[str, str], tmp_path: Path) -> None:
    """A request from another origin is refused, whatever cookie and nonce it has; the live stream too."""

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        table = await sat(app, Match(GAMES["fantome"], 2, seed=7), one, two)
        assert 403 == (await one.act(table.id, "pick meg", 1, headers=headers)).status_code
        assert 403 == (await one.post("/me", {"name": "Eve"}, headers=headers)).status_code
        async with one.live(table.id, **headers) as stream:
            await stream.text()
            assert 403 == stream.status
        del one.http.headers["origin"]
        assert 403 == (await one.act(table.id, "pick meg", 1)).status_code
        assert 1 == table.match.ply

    visiting(tmp_path, 2, visit)


def test_names_that_others_gave_us_are_refused(tmp_path: Path) -> None:
    """A site that lets its own name lead here reaches nothing; numbers and this machine's names do."""

    async def visit(app: Any, one: Visitor) -> None:
        for host, status in (
            ("evil.example", 421),
            ("evil.example:8765", 421),
            ("", 421),
            ("192.168.1.9:8765", 200),
            ("localhost:8765", 200),
            ("[::1]:8765", 200),
            ("table.example", 200),
        ):
            assert status == (await one.get("/about", headers={"host": host})).status_code, host

    visiting(tmp_path, 1, visit, address="https://table.example")


def test_a_way_back_stays_here(tmp_path: Path) -> None:
    """Where somebody is sent back to is a page of ours."""

    async def visit(app: Any, one: Visitor) -> None:
        for back in ("https://elsewhere.example/", "//elsewhere.example", "/\\elsewhere.example", "javascript:alert(1)"):
            assert "/" == (await one.post("/me", {"back": back})).headers["location"]

    visiting(tmp_path, 1, visit)


# Too much.


def test_bodies_that_are_too_large_or_wrong(tmp_path: Path) -> None:
    """More than 64 KiB is 413, said or not; what is no form or no JSON is 400; and the server goes on."""

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        table = await sat(app, Match(GAMES["fantome"], 2, seed=7), one, two)
        path, js = f"/t/{table.id}/act", {"content-type": "application/json"}

        async def endless() -> AsyncIterator[bytes]:
            for _ in range(100):
                yield b" " * 1024

        assert 413 == (await one.http.post(path, content=b"x" * 65537, headers=js)).status_code
        assert 413 == (await one.http.post(path, content=endless(), headers=js)).status_code
        for body in (b"", b"[]", b"{", b'{"do":1}', b"\xff\xfe", b'{"a":1,"a":2}', b"[" * 5000, b"NaN"):
            assert (await one.http.post(path, content=body, headers=js)).status_code in (400, 403), body
        for data in ({"do": "x" * 5000, "ply": 1}, {"do": "pick meg", "ply": "1"}, {"do": "pick meg", "ply": True}, {"ply": 1}):
            assert 400 == (await one.http.post(path, json={**data, "nonce": one.nonce})).status_code
        assert 400 == (await one.act(table.id, "fly to the moon", 1)).status_code
        for ply in (0, -1, 99, 10**30):
            assert 409 == (await one.act(table.id, "pick meg", ply)).status_code
        for name in ("language", "theme", "name", "back"):
            for value in ({}, [], ["fr"], {"fr": 1}):
                assert 400 == (await one.http.post("/me", json={name: value, "nonce": one.nonce})).status_code, (name, value)
        many = "&".join(f"a{i}=1" for i in range(200))
        form = {"content-type": "application/x-www-form-urlencoded"}
        assert 400 == (await one.http.post("/me", content=many, headers=form)).status_code
        assert 405 == (await one.http.put("/me")).status_code
        assert 204 == (await one.act(table.id, "pick meg", 1)).status_code

    visiting(tmp_path, 2, visit)


def test_rates(tmp_path: Path) -> None:
    """A person who sends too much waits, with a Retry-After; others do not."""

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        answers = [await one.post("/me", {"theme": "dark"}) for _ in range(5)]
        assert [303, 303, 303, 429, 429] == [answer.status_code for answer in answers]
        assert int(answers[-1].headers["retry-after"]) >= 1
        assert 303 == (await two.post("/me", {"theme": "dark"})).status_code
        assert 'ridotto_limited_total{by="person"} 2.0' in (await two.get("/metrics")).text

    visiting(tmp_path, 2, visit, by_person=Rate(3, 0.01))


def test_rates_by_address(tmp_path: Path) -> None:
    """Whoever asks too often from one address gets 429 before anything is looked up."""

    async def visit(app: Any) -> None:
        one = Visitor(app)
        answers = [await one.get("/about") for _ in range(6)]
        assert [200] * 4 + [429] * 2 == [answer.status_code for answer in answers]
        await one.http.aclose()

    visiting(tmp_path, 0, visit, by_address=Rate(4, 0.01))


def test_tables_and_guesses_are_limited(tmp_path: Path) -> None:
    """New tables and wrong links are each counted by address."""

    async def visit(app: Any, one: Visitor) -> None:
        for _ in range(2):
            await one.create("fantome", "me", "friend")
        form = {"game": "fantome", "seat0": "me", "seat1": "friend"}
        assert 429 == (await one.post("/tables", form)).status_code
        assert [404, 404, 404, 429] == [(await one.get(f"/t/{'B' * 22}/me/{i:032x}")).status_code for i in range(4)]

    visiting(tmp_path, 1, visit, new_tables=Rate(2, 0.01), guesses=Rate(3, 0.01))


def test_more_than_can_be_done(tmp_path: Path) -> None:
    """Whoever comes when too many are being served is sent away with 503 and a time; those who are connected stay."""

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        table = await sat(app, Match(GAMES["fantome"], 2, seed=7), one, two)
        waiting, go_on = asyncio.Event(), asyncio.Event()

        async def slow() -> None:
            waiting.set()
            await go_on.wait()

        services(app).storage.database.check = slow  # type: ignore[method-assign]
        async with two.live(table.id) as stream:
            await stream.next()
            asked = asyncio.create_task(one.get("/health"))
            await waiting.wait()
            answer = await two.get("/about")
            assert (503, "2") == (answer.status_code, answer.headers["retry-after"])
            async with one.live(table.id) as another:
                await another.next()
            go_on.set()
            assert 200 == (await asked).status_code
            assert 200 == (await two.get("/about")).status_code
            assert 'ridotto_limited_total{by="busy"} 1.0' in (await two.get("/metrics")).text

    visiting(tmp_path, 2, visit, max_requests=1)


def test_live_connections_are_limited(tmp_path: Path) -> None:
    """One person may have so many pages open; the next gets 429, until one is closed."""

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        table = await sat(app, Match(GAMES["fantome"], 2, seed=7), one, two)
        async with one.live(table.id) as first, one.live(table.id) as second:
            await first.next()
            await second.next()
            async with one.live(table.id) as third:
                await third.text()
                assert 429 == third.status
        async with one.live(table.id) as again:
            assert 1 == (await again.next())["ply"]

    visiting(tmp_path, 2, visit, max_streams_each=2)


# Live.


def test_who_is_here(tmp_path: Path) -> None:
    """Another person's page shows when somebody comes and when they have gone; a reload does not show."""

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        table = await sat(app, Match(GAMES["fantome"], 2, seed=7), one, two)
        async with one.live(table.id) as stream:
            alone = await stream.next()
            async with two.live(table.id) as other:
                await other.next()
                both = await stream.next()
                assert both["parts"]["people"] != alone["parts"]["people"]
                assert "" == both["announcement"]
            gone = await stream.next()
            assert gone["parts"]["people"] == alone["parts"]["people"]
            assert {one.id} == table.connected()

    visiting(tmp_path, 2, visit)


def test_a_gap_heals(tmp_path: Path) -> None:
    """Whoever comes back gets everything whole, and is told in words what happened meanwhile."""

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        table = await sat(app, Match(GAMES["fantome"], 2, seed=7), one, two)
        await one.act(table.id, "pick meg", 1)
        await one.act(table.id, "move 9", 2)
        async with two.live(table.id, query="ply=1&state=12345") as stream:
            message = await stream.next()
        assert 3 == message["ply"] and "since" not in message
        assert {"people", "ask", "jumps", "turning", "since", "log", "result", "links", "extras"} == set(message["parts"])
        scene = message["scene"]
        assert scene["whole"] and {one["look"] for one in scene["items"] if "look" in one} == set(scene["looks"])
        assert "Meg Giry" in message["announcement"] and "dome" in message["announcement"]

    visiting(tmp_path, 2, visit)


def test_live_messages_are_compressed_one_by_one(tmp_path: Path) -> None:
    """Each message can be read as soon as it is there, and is what an uncompressed connection gets."""

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        table = await sat(app, Match(GAMES["opera"], 2, seed=7), one, two)
        async with one.live(table.id) as plain, one.live(table.id, accept_encoding="gzip, br") as packed:
            first = await plain.next()
            text, size, unpacker = "", 0, zlib.decompressobj(wbits=31)
            while "event: table" not in text:
                piece = await packed.piece()
                size += len(piece)
                text += unpacker.decompress(piece).decode()
            assert {**first, "now": 0} == {**json.loads(text.partition("data: ")[2]), "now": 0}
            assert size < len(text.encode()) / 4

    visiting(tmp_path, 2, visit)


# What the log has.


def test_the_log_has_no_secrets(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """One line a request, with the pattern of the route: no token, cookie, nonce, name or action."""

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        table = await one.create("opera", "me", "friend", name="Nellie Melba")
        page = (await one.get(f"/t/{table}")).text
        tokens = re.findall(r"/(?:sit|me)/([0-9a-f]{32})", page)
        await two.get(f"/t/{table}/sit/{tokens[0]}")
        await one.act(table, "bid 9", 1)
        lines = [json.dumps(getattr(line, "facts", {})) + line.getMessage() for line in caplog.records]
        asked = [getattr(line, "facts", {}).get("route") for line in caplog.records]
        assert {"/", "/tables", "/t/{id}", "/t/{id}/sit/{token}", "/t/{id}/act"} <= set(asked)
        for secret in (*tokens, one.cookie, one.id, one.nonce, "Nellie", "bid 9"):
            assert not any(secret in line for line in lines), secret

    with caplog.at_level(logging.INFO, "ridotto.web"):
        visiting(tmp_path, 2, visit)


def test_our_own_mistake_is_noted_and_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """500 without a word of what it was; the log has it."""

    async def visit(app: Any, one: Visitor) -> None:
        monkeypatch.setattr("ridotto.web.pages.site.about", lambda guest: 1 // 0)
        answer = await one.get("/about")
        assert 500 == answer.status_code
        assert "division" not in answer.text and "Traceback" not in answer.text
        assert any(line.exc_info for line in caplog.records)
        assert 200 == (await one.get("/")).status_code

    visiting(tmp_path, 1, visit)


def test_a_log_that_grows_too_large_is_replaced(tmp_path: Path) -> None:
    """Lines go on in a new file when the old one is full, also after a restart; a log that is no file has no end."""
    where = tmp_path / "server.log"

    def write(text: str, where: Path = where) -> None:
        handler = LogFile(where, maxBytes=100, backupCount=1, encoding="utf-8")
        handler.handle(logging.LogRecord("log", logging.INFO, "", 0, text, (), None))
        handler.close()

    write("é" * 60)
    write("second")
    write("third")
    assert ["second", "third"] == where.read_text("utf-8").split()
    assert ["é" * 60] == (tmp_path / "server.log.1").read_text("utf-8").split()
    write("nothing", Path("/dev/null"))
