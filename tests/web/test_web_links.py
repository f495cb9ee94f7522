"""Links: looking at one changes nothing, whoever looks; pressing its button does what it is for."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
from visitors import BASE, Visitor, sat, services, visiting

from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.present.narrator import LANGUAGES
from ridotto.web.server.routing import LoggedRoute


def contents(data: Path) -> list[str]:
    """Everything in the database but the buckets of tokens, in which a check of the health leaves a mark."""
    with closing(sqlite3.connect(data / "ridotto.db")) as database:
        return [line for line in database.iterdump() if '"token_buckets"' not in line]


async def private_links(app: Any, host: Visitor, friend: Visitor) -> tuple[str, dict[str, str]]:
    """A private table at which two sit and one chair is free, and its links."""
    await host.post("/me", {"name": "Ada"})
    table = await sat(app, Match(GAMES["opera"], 3), host, friend, "", private=True)
    keys, chairs = services(app).keys, table.info.chairs
    here = f"/t/{table.id}"
    return table.id, {
        "me": f"{here}/me/{keys.token('me', table.id, 0, chairs[0].salt)}",
        "sit": f"{here}/sit/{keys.token('sit', table.id, 2, chairs[2].salt)}",
        "watch": f"{here}/watch/{keys.token('watch', table.id, -1, table.info.salt)}",
    }


def test_looking_changes_nothing(tmp_path: Path) -> None:
    """GET and HEAD of every address, with the links that are right, by a robot without a cookie and by those who sit there."""

    async def visit(app: Any, host: Visitor, friend: Visitor) -> None:
        table, links = await private_links(app, host, friend)
        over = await sat(app, Match(GAMES["fantome"], 2, seed=7), host, friend)
        await host.post(f"/t/{over.id}/resign")
        patterns = [route.path for route in app.routes if isinstance(route, LoggedRoute) and "GET" in (route.methods or ())]
        given = {"{game}": "opera", "{lang}": "en", "{language}": "en", "{setup}": "2", "{step:int}": "2", "{number:int}": "2"}
        paths = {*links.values()}
        for pattern in patterns:
            if "{token}" in pattern or pattern.endswith("/live"):
                continue
            path = re.sub(r"\{[a-z:]+\}", lambda gap: given.get(gap[0], gap[0]), pattern)
            paths |= {path.replace("{id}", one) for one in (table, over.id)}
        assert len(paths) > 40
        robot = httpx.AsyncClient(transport=httpx.ASGITransport(app, client=("10.0.0.9", 1)), base_url=BASE)
        await services(app).scorer.catch_up()
        before = contents(tmp_path)
        for path in sorted(paths):
            for look in (robot, host.http, friend.http):
                for method in ("HEAD", "GET"):
                    answer = await look.request(method, path, headers={"accept": "text/html"})
                    assert answer.status_code < 500, (path, answer.text)
                robot.cookies.clear()
            assert before == contents(tmp_path), path
        assert any(host.id in line for line in before)
        await robot.aclose()
        state = (await services(app).tables.load(table)).info
        assert {host.id: 0, friend.id: 1} == state.keys and "free" == state.chairs[2].kind

    visiting(tmp_path, 2, visit)


def test_each_private_link_says_what_it_is_for(tmp_path: Path) -> None:
    """One button, in three languages; what it gives is only given where it is pressed, on a page of ours."""

    async def visit(app: Any, host: Visitor, friend: Visitor, phone: Visitor, fan: Visitor) -> None:
        table, links = await private_links(app, host, friend)
        for which, seat, visitor in (("me", 0, phone), ("watch", None, fan)):
            pages = set()
            for language in LANGUAGES:
                answer = await visitor.get(links[which], headers={"accept-language": language})
                assert 200 == answer.status_code
                forms = re.findall(r'<form method="post" class="join-form">.*?</form>', answer.text, re.S)
                assert 1 == len(forms) and 1 == forms[0].count("<button")
                assert host.id not in answer.text and "Ada" not in forms[0]
                pages.add(re.sub(r"<[^>]+>", "", forms[0]).strip())
            assert len(LANGUAGES) == len(pages)
            assert 403 == (await visitor.post(links[which], {"nonce": friend.nonce})).status_code
            assert 403 == (await visitor.post(links[which], headers={"origin": "http://evil.example"})).status_code
            assert 404 == (await visitor.post(links[which][:-32] + "0" * 32)).status_code
            assert 404 == (await visitor.get(f"/t/{table}")).status_code
            answer = await visitor.post(links[which])
            assert (303, f"/t/{table}") == (answer.status_code, answer.headers["location"])
            keys = (await services(app).tables.load(table)).info.keys
            assert seat is keys[visitor.id]
            answer = await visitor.get(links[which])
            assert (303, f"/t/{table}") == (answer.status_code, answer.headers["location"])

    visiting(tmp_path, 4, visit)


def test_at_the_very_first_visit(tmp_path: Path) -> None:
    """Somebody without a cookie can press the button of the first page that they are shown."""

    async def visit(app: Any, host: Visitor, friend: Visitor) -> None:
        table, links = await private_links(app, host, friend)
        for which in ("me", "watch"):
            new = Visitor(app)
            assert 403 == (await new.post(links[which])).status_code, "not without having seen it"
            new.http.cookies.clear()
            assert 200 == (await new.get(links[which])).status_code
            assert 303 == (await new.post(links[which])).status_code
            assert 200 == (await new.get(f"/t/{table}")).status_code
            await new.http.aclose()

    visiting(tmp_path, 2, visit)
