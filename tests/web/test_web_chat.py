"""Chat at a table: who hears what, limits, muting, reports, removal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from table_state import visiting
from visitors import Visitor, sat, services

from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.web.settings import Rate


def test_talk(tmp_path: Path) -> None:
    """Everybody at the table hears it, as text; nothing of it is in the record."""

    async def visit(app: Any, one: Visitor, two: Visitor, watcher: Visitor) -> None:
        table = await sat(app, Match(GAMES["fantome"], 2), one, two)
        async with two.live(table.id) as stream:
            await stream.next()
            assert 303 == (await one.post(f"/t/{table.id}/talk", {"text": " <b>Brava</b>\n "})).status_code
            assert 303 == (await watcher.post(f"/t/{table.id}/talk", {"text": "Good evening"})).status_code
            heard = ""
            while "Good evening" not in heard:
                text = await stream.text()
                assert text is not None and "event: table" not in text
                heard = text
        assert "&lt;b&gt;Brava&lt;/b&gt;" in heard and "<b>Brava" not in heard
        assert "Brava" not in json.dumps(await services(app).storage.tables.document(table.id))
        for wrong, status in (("   ", 400), ("\u200b", 400)):
            assert status == (await one.post(f"/t/{table.id}/talk", {"text": wrong})).status_code
        await one.post(f"/t/{table.id}/talk", {"text": "x" * 1000})
        assert 300 == len(table.state.extras.chat[-1].text)

    visiting(tmp_path, 3, visit)


def test_what_was_said_before(tmp_path: Path) -> None:
    """A page that connects is sent what was said, which it may have missed; where nobody has said anything, nothing."""

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        table = await sat(app, Match(GAMES["fantome"], 2, seed=7), one, two)
        sent = []
        for ply in (1, 2):
            async with one.live(table.id) as stream:
                await stream.next()
                action = table.state.match.legal().ids[0]
                assert 204 == (await one.act(table.id, table.state.match.rules.ACTIONS.notation(action), ply)).status_code
                pieces = [""]
                while "event: table" not in pieces[-1]:
                    pieces.append(await stream.text() or "")
            sent.append(["Brava" in piece for piece in pieces[1:-1]])
            await two.post(f"/t/{table.id}/talk", {"text": "Brava"})
        assert [[], [True]] == sent

    visiting(tmp_path, 2, visit)


def test_talk_is_limited(tmp_path: Path) -> None:
    """So many lines at once, then not for a while."""

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        table = await sat(app, Match(GAMES["fantome"], 2), one, two)
        answers = [(await one.post(f"/t/{table.id}/talk", {"text": str(i)})).status_code for i in range(4)]
        assert [303, 303, 303, 429] == answers
        assert 303 == (await two.post(f"/t/{table.id}/talk", {"text": "still here"})).status_code

    visiting(tmp_path, 2, visit, chat=Rate(3, 0.001))


def test_mute_report_and_removal(tmp_path: Path) -> None:
    """A reader mutes for themselves alone; anybody reports; the host alone removes, and then the words are gone for good."""

    async def visit(app: Any, host: Visitor, two: Visitor, watcher: Visitor) -> None:
        table = await sat(app, Match(GAMES["fantome"], 2), host, two)
        await watcher.post(f"/t/{table.id}/talk", {"text": "rotten tomatoes"})
        line = {"line": str(table.state.extras.chat[-1].number)}
        assert 303 == (await two.post(f"/t/{table.id}/talk/mute", line)).status_code
        assert "tomatoes" not in (await two.get(f"/t/{table.id}")).text
        assert "tomatoes" in (await host.get(f"/t/{table.id}")).text
        assert 303 == (await two.post(f"/t/{table.id}/talk/mute", {**line, "off": "1"})).status_code
        assert "tomatoes" in (await two.get(f"/t/{table.id}")).text
        assert 303 == (await two.post(f"/t/{table.id}/talk/report", line)).status_code
        assert "reported" in (await host.get(f"/t/{table.id}")).text
        assert "reported" not in (await watcher.get(f"/t/{table.id}")).text
        assert 403 == (await two.post(f"/t/{table.id}/talk/remove", line)).status_code
        assert 303 == (await host.post(f"/t/{table.id}/talk/remove", line)).status_code
        assert "tomatoes" not in (await host.get(f"/t/{table.id}")).text
        assert "" == table.state.extras.chat[-1].text
        assert 404 == (await host.post(f"/t/{table.id}/talk/remove", {"line": "99"})).status_code
        assert watcher.id not in (await two.get(f"/t/{table.id}")).text

    visiting(tmp_path, 3, visit)


def test_those_who_watch_may_be_hushed(tmp_path: Path) -> None:
    """Where that was agreed on, only those who play may talk."""

    async def visit(app: Any, one: Visitor, watcher: Visitor) -> None:
        here = await one.create("fantome", "me", "bot:level:1", hushed="1")
        assert 403 == (await watcher.post(f"/t/{here}/talk", {"text": "psst"})).status_code
        assert 303 == (await one.post(f"/t/{here}/talk", {"text": "quiet here"})).status_code
        assert "Only players can chat at this table." in (await watcher.get(f"/t/{here}")).text

    visiting(tmp_path, 2, visit)


def test_a_private_table_is_silent_to_strangers(tmp_path: Path) -> None:
    """Whoever may not know of a table cannot talk there, agree to anything, or hear."""

    async def visit(app: Any, one: Visitor, stranger: Visitor) -> None:
        here = await one.create("fantome", "me", "bot:level:1", private="1")
        for path in ("talk", "takeback", "agree", "refuse", "standin", "return", "hand", "notices", "talk/mute", "talk/remove"):
            assert 404 == (await stranger.post(f"/t/{here}/{path}", {"text": "x", "line": "1"})).status_code, path
            forged = await one.http.post(
                f"/t/{here}/{path}", data={"nonce": one.nonce}, headers={"origin": "http://evil.example"}
            )
            assert 403 == forged.status_code, path

    visiting(tmp_path, 2, visit)
