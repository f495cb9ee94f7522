"""Boxes on the web: the page that asks an owner, and tables that are played with another box."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from visitors import Visitor, sat, visiting

from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.present.owner import box_of, to_toml

FIELD = re.compile(r'<input name="(\d+\.\d+)" value="([^"]*)"')


@pytest.mark.parametrize("spoken", ["en", "fr", "nl"])
def test_the_page_asks_and_writes_the_file(spoken: str, tmp_path: Path) -> None:
    """Every question with what the box says; what is sent back as it was is the standard box."""

    async def visit(app: Any, one: Visitor) -> None:
        await one.post("/me", {"language": spoken})
        for name in ("opera", "turandot"):
            page = (await one.get(f"/box/{name}")).text
            fields = {key: unescape(value) for key, value in FIELD.findall(page)}
            assert {"opera": 16, "turandot": 51}[name] == len(fields)
            answer = await one.post(f"/box/{name}", {**fields, "box_name": "Ann's"})
            assert 200 == answer.status_code, answer.text
            assert f'attachment; filename="{name}-box.toml"' == answer.headers["content-disposition"]
            assert {"box_name": "Ann's", **box_of(GAMES[name])} == tomllib.loads(answer.text)

    visiting(tmp_path, 1, visit)


def test_what_is_wrong_is_told_on_the_page(tmp_path: Path) -> None:
    """An answer that cannot be read, and one that cannot be played; what was typed is still there."""

    async def visit(app: Any, one: Visitor) -> None:
        await one.get("/box/opera")
        unread = await one.post("/box/opera", {"0.1": "<two>"})
        assert 400 == unread.status_code and "1 answer cannot be read" in unread.text
        assert re.search(r'<input name="0.1" value="&lt;two&gt;"[^>]*aria-invalid="true"', unread.text)
        faulty = await one.post("/box/opera", {"0.1": "3: 2 2 3; 1: 1 2 3", "0.4": "4: 2 2 3; 1: 1 2 3"})
        assert 400 == faulty.status_code
        assert "wien main: halls must be 2, not 3" in faulty.text and "paris main: halls must be 1 to 3" in faulty.text
        assert 404 == (await one.get("/box/fantome")).status_code == (await one.get("/box/chess")).status_code
        assert 413 == (await one.post("/box/opera", {"0.1": "x" * 300_000})).status_code

    visiting(tmp_path, 1, visit)


@pytest.fixture
def boxed(tmp_path: Path) -> Iterator[None]:
    """Opera with another box, for this process."""
    box = box_of(GAMES["opera"])
    box["cities"][0]["standing"] = 2
    path = tmp_path / "box.toml"
    path.write_text(to_toml(box, "Copy of Ann"), "utf-8")
    GAMES.use_box("opera", path)
    yield
    GAMES.use_box("opera", None)


@pytest.mark.usefixtures("boxed")
def test_another_box_is_named(tmp_path: Path) -> None:
    """In the lobby, at the table, in its result, replay and record, and beside the rules; nowhere with the standard box."""

    async def visit(app: Any, one: Visitor) -> None:
        told = "Played with another box: Copy of Ann"
        lobby = (await one.get("/")).text
        assert 1 == lobby.count(told)
        assert told in lobby.partition("offer-opera")[2].partition("</article>")[0]
        match = Match(GAMES["opera"], 2, seed=1)
        match.resign(0)
        table = await sat(app, match, one, "random")
        page = (await one.get(f"/t/{table.id}")).text
        assert told in page.partition('id="result"')[2].partition("</section>")[0] and 2 == page.count(told)
        assert 1 == (await one.get(f"/t/{table.id}/replay?ply=0")).text.count(told)
        assert "another box, Copy of Ann." in (await one.get("/rules/en/opera")).text
        assert "Copy of Ann" == (await one.get(f"/t/{table.id}/record")).json()["box_name"]
        assert 200 == (await one.get("/learn/opera/1")).status_code
        other = await sat(app, Match(GAMES["turandot"], 2, seed=1), one, "random")
        for address in (f"/t/{other.id}", f"/t/{other.id}/replay", "/rules/en/turandot"):
            assert "another box" not in (await one.get(address)).text

    visiting(tmp_path, 1, visit)
