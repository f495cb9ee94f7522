"""What is around the match, without a browser: clocks by a clock of our own, stand-ins, takebacks, talk, notices, hot-seat."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import threading
from collections.abc import Awaitable, Callable
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
import visitors
from visitors import Visitor, eventually, running, sat, services, settings, tick

from ridotto.core import record
from ridotto.core.match import Match
from ridotto.core.view import Outcome
from ridotto.games import GAMES
from ridotto.web import clocks
from ridotto.web.clocks import BadTerms, Clock, Terms
from ridotto.web.identity import Person, new_id
from ridotto.web.live import notifications
from ridotto.web.live.table import Table
from ridotto.web.live.tables import STAND_IN
from ridotto.web.server.table_form import shared_seats
from ridotto.web.settings import Rate
from ridotto.web.storage.clocks import SILENCE
from ridotto.web.storage.offers import Offer
from ridotto.web.storage.tables import Chair, Extras, NewTable, set_settings


class Time:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


def visiting(folder: Path, count: int, visit: Callable[..., Awaitable[None]], **given: Any) -> None:
    """Run a visit of so many people to a fresh server, whose clocks nobody looks at but the test."""
    visitors.visiting(folder, count, visit, **{"tick": 3600.0, **given})


async def agreed(app: Any, match: Match, *who: Visitor | str, **chosen: Any) -> Table:
    """A table with something agreed on."""
    table = await sat(app, match, *who)
    await services(app).tables.change(table, [set_settings(table.id, chosen)])
    return table


def left(app: Any, table: Table) -> dict[int, int]:
    """Seconds on each clock now."""
    now = services(app).storage.milliseconds
    return {seat: clock.at(now) // 1000 for seat, clock in table.state.extras.clocks.items()}


def going(table: Table) -> set[int]:
    return {seat for seat, clock in table.state.extras.clocks.items() if clock.until is not None}


def turn(table: Table) -> tuple[int, ...]:
    return table.match.to_act


def outcome(table: Table) -> Outcome | None:
    return table.match.outcome


def bot(table: Table, seat: int) -> str | None:
    return table.info.chairs[seat].bot


def offer(table: Table) -> Offer | None:
    return table.state.extras.offer


def notes(table: Table) -> list[str]:
    return [line.kind for line in table.state.extras.chat]


TEN = Terms("match", 600, 5).json()


# Clocks.


def test_what_a_form_may_ask_for() -> None:
    """Minutes for a match or days for a move, within bounds; anything else is refused with what would do."""
    assert Terms("match", 1200, 10, "bot") == clocks.parse_terms("match:1200", "10", "bot")
    assert Terms("move", 86400) == clocks.parse_terms("move:86400", "10", "resign")
    assert clocks.parse_terms("") is None
    for wrong in (
        ("match:59",),
        ("match:-5",),
        ("move:60",),
        ("blitz:60",),
        ("match:١٢٠٠",),
        ("match:60", "999"),
        ("match:60", "", "x"),
    ):
        with pytest.raises(BadTerms):
            clocks.parse_terms(*wrong)


def test_a_clock_runs_for_whoever_owes_a_decision(database: str, tmp_path: Path) -> None:
    """It stops with the decision, a turn gives its seconds back, and simultaneous choices let all clocks run."""
    time = Time()

    async def visit(app: Any, one: Visitor, two: Visitor, three: Visitor) -> None:
        table = await agreed(app, Match(GAMES["opera"], 3), one, two, three, clock=TEN)
        assert {0, 1, 2} == going(table)
        time.now += 30
        assert 204 == (await two.act(table.id, "bid 4", 1)).status_code
        assert {0, 2} == going(table)
        assert {0: 570, 1: 575, 2: 570} == left(app, table)
        time.now += 60
        assert 204 == (await one.act(table.id, "bid 3", 2)).status_code
        assert 204 == (await three.act(table.id, "bid 2", 3)).status_code
        # Seat 1 bid most and goes first.
        assert {1} == going(table)
        assert {0: 515, 1: 575, 2: 515} == left(app, table)

    visiting(tmp_path, 3, visit, database=database, clock=time)


def test_the_clock_waits_until_all_are_there(tmp_path: Path) -> None:
    """Nobody is charged while a seat is free; then the first clock starts full."""
    time = Time()

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        here = await one.create("fantome", "me", "open", clock="match:600", flag="bot")
        table = await services(app).tables.load(here)
        time.now += 500
        assert set() == going(table)
        assert 303 == (await two.post(f"/t/{here}/sit", {"seat": "1"})).status_code
        assert {0} == going(table)
        assert {0: 600, 1: 600} == left(app, table)
        page = (await two.get(f"/t/{here}")).text
        assert 'role="timer"' in page and "10:00" in page
        assert "Whoever runs out of time is replaced by a bot." in page

    visiting(tmp_path, 2, visit, clock=time)


def test_a_fallen_flag_resigns(tmp_path: Path) -> None:
    """When the time is up the match is over, by an entry like any other; a note says why, and the record verifies."""
    time = Time()

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        table = await agreed(app, Match(GAMES["fantome"], 2), one, two, clock=TEN)
        for _ in range(200):
            time.now += 2.95
            await tick(app)
        assert outcome(table) is None
        time.now += 11
        await tick(app)
        assert ("resign", 0) == (table.match.entries[-1].do, table.match.entries[-1].seat)
        over = outcome(table)
        assert over is not None and (1,) == over.winners
        assert ["flag"] == notes(table)
        assert set() == going(table)
        record.read(await services(app).storage.tables.document(table.id), GAMES)
        assert "Time is up for" in (await two.get(f"/t/{table.id}")).text
        await tick(app)
        assert ["flag"] == notes(table)

    visiting(tmp_path, 2, visit, clock=time)


def test_an_action_after_the_flag_comes_too_late(tmp_path: Path) -> None:
    """Whoever acts after their time is up is refused, even before anybody has looked at the clock."""
    time = Time()

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        table = await agreed(app, Match(GAMES["fantome"], 2), one, two, clock=Terms("match", 10).json())
        time.now += 10.5
        refused = await one.act(table.id, table.match.legal(0)[0], 1)
        assert (409, "your time is up") == (refused.status_code, refused.json()["message"])

        async def is_over() -> bool:
            return outcome(table) is not None

        await eventually(is_over)
        assert "resign" == table.match.entries[-1].do

    visiting(tmp_path, 2, visit, clock=time)


def test_a_fallen_flag_lets_a_bot_play(tmp_path: Path) -> None:
    """Where that was agreed on, a bot plays on, and in a match with a clock there is no way back."""
    time = Time()

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        terms = Terms("match", 10, flag="bot").json()
        table = await agreed(app, Match(GAMES["fantome"], 2), one, two, clock=terms)
        time.now += 10.5
        await tick(app)
        assert STAND_IN == bot(table, 0)
        assert (0, "flag-bot") == (left(app, table)[0], notes(table)[0])
        assert 409 == (await one.post(f"/t/{table.id}/return")).status_code

        async def has_played() -> bool:
            return turn(table) == (1,)

        await eventually(has_played)
        assert {1} == going(table)
        page = (await one.get(f"/t/{table.id}")).text
        assert "a bot plays for you to the end" in page

    visiting(tmp_path, 2, visit, clock=time)


def test_days_for_a_move(tmp_path: Path) -> None:
    """Every decision starts the time anew, also where the same seat decides again."""
    time = Time()

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        table = await agreed(app, Match(GAMES["fantome"], 2, seed=7), one, two, clock=Terms("move", 86400).json())
        assert {0: 86400, 1: 86400} == left(app, table)
        for _ in range(10):
            time.now += 10
            await tick(app)
        assert {0: 86300, 1: 86400} == left(app, table)
        assert 204 == (await one.act(table.id, table.match.legal(0)[0], 1)).status_code
        assert (0,) == turn(table)
        assert 86400 == left(app, table)[0]

    visiting(tmp_path, 2, visit, clock=time)


def test_time_in_which_the_server_was_down_is_not_charged(database: str, tmp_path: Path) -> None:
    """A server that dies and comes back an hour later finds the clocks as they stood at its last sign of life."""
    time = Time()
    found: dict[str, Any] = {}

    async def before(app: Any, one: Visitor, two: Visitor) -> None:
        table = await agreed(app, Match(GAMES["fantome"], 2), one, two, clock=TEN)
        for _ in range(10):
            time.now += 3
            await tick(app)
        found["id"] = table.id
        assert {0: 570, 1: 600} == left(app, table)
        time.now += 2

    async def after(app: Any) -> None:
        table = await services(app).tables.load(found["id"])
        # The last sign of life was two seconds before the end: they are given to the player.
        assert {0: 570, 1: 600} == left(app, table)
        assert {0} == going(table)
        time.now += 5
        await tick(app)
        assert {0: 565, 1: 600} == left(app, table)

    visiting(tmp_path, 2, before, database=database, clock=time)
    time.now += 3600
    visiting(tmp_path, 0, after, database=database, clock=time)


def test_a_late_sign_of_life_takes_none_back(database: str, tmp_path: Path) -> None:
    """A server that is slow to say that it was up some seconds ago does not undo what another one has said since."""
    time = Time()

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        await agreed(app, Match(GAMES["fantome"], 2), one, two, clock=TEN)
        storage = services(app).storage
        began = storage.milliseconds
        for now, lost in ((5_000, 0), (3_000, 0), (25_000, 20_000)):
            assert lost == await storage.clocks.beat(began + now, SILENCE)

    visiting(tmp_path, 2, visit, database=database, clock=time)


def test_a_server_that_slept_charges_nobody(tmp_path: Path) -> None:
    """A machine that was suspended for an hour wakes up with the clocks as they were, and no flag falls."""
    time = Time()

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        table = await agreed(app, Match(GAMES["fantome"], 2), one, two, clock=TEN)
        time.now += 3
        await tick(app)
        time.now += 3600
        await tick(app)
        await services(app).tables.load(table.id)
        assert outcome(table) is None
        assert {0: 597, 1: 600} == left(app, table)

    visiting(tmp_path, 2, visit, clock=time)


def test_of_two_servers_one_lets_the_flag_fall(database: str, tmp_path: Path) -> None:
    """Both look at the clock in the same moment; the match is resigned once, and both show it."""
    time = Time()

    async def visit() -> None:
        given: dict[str, Any] = {"database": database, "clock": time, "tick": 3600.0}
        async with running(settings(tmp_path, **given)) as one, running(settings(tmp_path, **given)) as other:
            first, second = await Visitor(one).__aenter__(), await Visitor(one).__aenter__()
            table = await agreed(one, Match(GAMES["fantome"], 2), first, second, clock=Terms("match", 10).json())
            await services(other).tables.load(table.id)
            time.now += 10.5
            await asyncio.gather(tick(one), tick(other))
            seen = [(await services(app).tables.load(table.id)) for app in (one, other)]
            assert [["deal", "resign"]] * 2 == [[entry.do for entry in found.match.entries] for found in seen]
            assert [["flag"]] * 2 == [notes(found) for found in seen]
            for visitor in (first, second):
                await visitor.http.aclose()

    asyncio.run(visit())


def test_of_two_servers_one_lets_the_clock_run(database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second, which read that it stands before the first wrote that it runs, does not begin it anew."""
    time = Time()

    async def visit() -> None:
        given: dict[str, Any] = {"database": database, "clock": time, "tick": 3600.0}
        async with (
            running(settings(tmp_path, **given)) as one,
            running(settings(tmp_path, **given)) as other,
            Visitor(one) as first,
            Visitor(one) as second,
        ):
            storage, slow = services(one).storage, services(other).storage.tables
            load = slow.extras
            for visitor in (first, second):
                await storage.people.save(Person(visitor.id))
            chairs = tuple(Chair(at, "person", False, who.id, "", None, "0" * 32) for at, who in enumerate((first, second)))
            keys: dict[str, int | None] = {first.id: 0, second.id: 1}
            new = NewTable(new_id(), Match(GAMES["fantome"], 2), False, None, "en", "0" * 32, chairs, keys, {"clock": TEN})
            await storage.tables.create(new)

            async def late(id: str) -> Extras:
                found = await load(id)
                if not found.clocks:
                    await services(one).tables.load(id)
                    time.now += 5
                return found

            monkeypatch.setattr(slow, "extras", late)
            table = await services(other).tables.load(new.id)
            assert {0: 595, 1: 600} == left(other, table)

    asyncio.run(visit())


def test_time_that_is_given_meanwhile_is_not_lost(tmp_path: Path) -> None:
    """Between our look at the clocks and our entry a server has given back what was lost in silence: it stays given."""
    time = Time()

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        table = await agreed(app, Match(GAMES["opera"], 2), one, two, clock=TEN)
        storage, tries = services(app).storage, list[int]()
        append = storage.tables.append

        async def late(*given: Any, **more: Any) -> str:
            if not tries:
                assert 20_000 == await storage.clocks.beat(storage.milliseconds, SILENCE)
            tries.append(1)
            return await append(*given, **more)

        storage.tables.append = late  # type: ignore[method-assign]
        time.now += 20
        assert 204 == (await one.act(table.id, "bid 3", 1)).status_code
        assert 2 == len(tries)
        assert {0: 605, 1: 600} == left(app, table)  # a turn gives five seconds

    visiting(tmp_path, 2, visit, clock=time)


# Stand-ins.


def test_somebody_lets_a_bot_play_and_comes_back(tmp_path: Path) -> None:
    """The bot decides for the seat, the person cannot meanwhile; then it is the other way round."""

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        table = await sat(app, Match(GAMES["fantome"], 2), one, two)
        assert 303 == (await one.post(f"/t/{table.id}/standin")).status_code
        assert ("person", STAND_IN) == (table.info.chairs[0].kind, bot(table, 0))
        refused = await one.act(table.id, table.match.legal(turn(table)[0])[0], table.match.ply)
        assert 409 == refused.status_code

        async def has_played() -> bool:
            return turn(table) == (1,)

        await eventually(has_played)
        assert "a bot plays" in (await two.get(f"/t/{table.id}")).text
        assert 303 == (await one.post(f"/t/{table.id}/return")).status_code
        assert bot(table, 0) is None
        assert ["absent", "back"] == notes(table)
        while turn(table) == (1,):
            assert 204 == (await two.act(table.id, table.match.legal(1)[0], table.match.ply)).status_code
        ply = table.match.ply
        await asyncio.sleep(0)
        assert 204 == (await one.act(table.id, table.match.legal(0)[0], ply)).status_code
        document = await services(app).storage.tables.document(table.id)
        assert "absent" not in json.dumps(document)

    visiting(tmp_path, 2, visit)


def test_the_table_replaces_somebody_who_is_away(tmp_path: Path) -> None:
    """Not before a minute has passed, and only for somebody who is not there; the host alone, or all the others."""
    time = Time()

    async def visit(app: Any, one: Visitor, two: Visitor, three: Visitor, stranger: Visitor) -> None:
        table = await sat(app, Match(GAMES["opera"], 3), one, two, three)
        async with one.live(table.id) as first, two.live(table.id) as second:
            await first.next()
            await second.next()
            assert 409 == (await two.post(f"/t/{table.id}/standin", {"seat": "2"})).status_code
            time.now += 61
            await tick(app)
            assert 409 == (await two.post(f"/t/{table.id}/standin", {"seat": "0"})).status_code
            assert 403 == (await stranger.post(f"/t/{table.id}/standin", {"seat": "2"})).status_code
            assert "Let a bot play for" in (await two.get(f"/t/{table.id}")).text
            # Two asks; the third, who is away, is not asked; one agrees.
            assert 303 == (await two.post(f"/t/{table.id}/standin", {"seat": "2"})).status_code
            assert bot(table, 2) is None
            assert 403 == (await stranger.post(f"/t/{table.id}/agree")).status_code
            assert 303 == (await one.post(f"/t/{table.id}/agree")).status_code
            assert STAND_IN == bot(table, 2)
            assert ["given"] == notes(table)
            assert 303 == (await three.post(f"/t/{table.id}/return")).status_code
            # The host needs nobody.
            assert 303 == (await one.post(f"/t/{table.id}/standin", {"seat": "2"})).status_code
            assert STAND_IN == bot(table, 2)

    visiting(tmp_path, 4, visit, clock=time)


# Takebacks.


def test_a_takeback_at_once(tmp_path: Path) -> None:
    """A hidden bid goes back at once: nobody has learned anything."""

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        table = await sat(app, Match(GAMES["opera"], 2), one, two)
        assert 409 == (await one.post(f"/t/{table.id}/takeback")).status_code
        await one.act(table.id, "bid 3", 1)
        assert (1,) == turn(table)
        assert 303 == (await one.post(f"/t/{table.id}/takeback")).status_code
        assert (0, 1) == turn(table)
        assert "undo 0" == table.match.entries[-1].do
        assert ["takes"] == notes(table)
        record.read(await services(app).storage.tables.document(table.id), GAMES)

    visiting(tmp_path, 2, visit)


def bids(match: Match) -> Match:
    """Two bids: whoever bid first now knows the other's."""
    match.play("bid 3", 0)
    match.play("bid 5", 1)
    return match


def test_a_takeback_by_consent(database: str, tmp_path: Path) -> None:
    """The asker reads what was learned and asks; the other agrees or refuses; an offer ends when the match goes on."""

    async def visit(app: Any, one: Visitor, two: Visitor, stranger: Visitor) -> None:
        table = await sat(app, bids(Match(GAMES["opera"], 2)), one, two)
        ply = table.match.ply
        assert 303 == (await one.post(f"/t/{table.id}/takeback")).status_code
        assert ply == table.match.ply
        mine, other = (await one.get(f"/t/{table.id}")).text, (await two.get(f"/t/{table.id}")).text
        assert "Ask the others" in mine and "Since then:" in mine
        assert "would like to take" not in other
        assert 403 == (await two.post(f"/t/{table.id}/agree")).status_code
        assert 303 == (await one.post(f"/t/{table.id}/agree")).status_code
        other = (await two.get(f"/t/{table.id}")).text
        assert "would like to take the last decision back" in other and "Since then:" in other
        watched = (await stranger.get(f"/t/{table.id}")).text
        assert "Since then:" not in watched and "Agree" not in watched
        assert 403 == (await stranger.post(f"/t/{table.id}/refuse")).status_code
        assert 303 == (await two.post(f"/t/{table.id}/refuse")).status_code
        assert ["asks", "refuses"] == notes(table)
        assert 409 == (await two.post(f"/t/{table.id}/agree")).status_code
        # Once more, and this time it is agreed to.
        await one.post(f"/t/{table.id}/takeback")
        await one.post(f"/t/{table.id}/agree")
        assert 303 == (await two.post(f"/t/{table.id}/agree")).status_code
        assert "takes" == notes(table)[-1]
        assert "undo 0" == table.match.entries[ply].do
        record.read(await services(app).storage.tables.document(table.id), GAMES)

    visiting(tmp_path, 3, visit, database=database)


def test_an_offer_ends_when_the_match_goes_on(tmp_path: Path) -> None:
    """Whoever acts instead of answering has answered."""

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        table = await sat(app, bids(Match(GAMES["opera"], 2)), one, two)
        await one.post(f"/t/{table.id}/takeback")
        await one.post(f"/t/{table.id}/agree")
        assert offer(table) is not None
        seat = turn(table)[0]
        assert 204 == (await (one, two)[seat].act(table.id, table.match.legal(seat)[0], table.match.ply)).status_code
        assert offer(table) is None
        assert 409 == (await two.post(f"/t/{table.id}/agree")).status_code

    visiting(tmp_path, 2, visit)


def test_what_was_learned_is_dealt_anew(tmp_path: Path) -> None:
    """If the other wants it so, what was learned since is drawn again; the record tells it and verifies."""

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        match = drawn()
        table = await sat(app, match, one, two)
        seat = match.entries[-1].seat
        assert seat is not None
        asks, agrees = ((one, two), (two, one))[seat]
        told = match.takeback(seat)
        assert not told.at_once and told.anew is not None
        await asks.post(f"/t/{table.id}/takeback")
        await asks.post(f"/t/{table.id}/agree")
        assert 303 == (await agrees.post(f"/t/{table.id}/agree", {"anew": "1"})).status_code
        assert "takes-anew" == notes(table)[-1]
        assert f"undo {told.anew}" == table.match.entries[match.ply].do
        record.read(await services(app).storage.tables.document(table.id), GAMES)

    visiting(tmp_path, 2, visit)


def drawn() -> Match:
    """Le Fantôme, just after something was drawn that a takeback would have to draw again."""
    for seed in range(40):
        match = Match(GAMES["fantome"], 2, seed=seed)
        for _ in range(30):
            if not match.to_act:
                break
            seat = match.to_act[0]
            match.play(match.legal(seat)[-1], seat)
            if match.to_act and match.entries[-1].draws:
                found = match.takeback(seat)
                if not found.at_once and found.anew is not None:
                    return match
    raise AssertionError("no such moment")


def test_bots_always_agree(tmp_path: Path) -> None:
    """Against bots the asker alone decides, after having read what was learned."""

    async def visit(app: Any, one: Visitor) -> None:
        table = await sat(app, bids(Match(GAMES["opera"], 2)), one, "random")

        async def is_mine() -> bool:
            return 0 in turn(table)

        await eventually(is_mine)
        ply = table.match.ply
        await one.post(f"/t/{table.id}/takeback")
        assert "Take it back" in (await one.get(f"/t/{table.id}")).text
        assert 303 == (await one.post(f"/t/{table.id}/agree")).status_code
        assert table.match.entries[ply].do.startswith("undo ")

    visiting(tmp_path, 1, visit)


# Talk.


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
        assert "only those who play talk" in (await watcher.get(f"/t/{here}")).text

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


# One device for several.


def test_one_device_shows_one_seat_at_a_time(tmp_path: Path) -> None:
    """Between turns nothing is shown and nothing can be done; whoever taps sees their own seat and no other."""

    async def visit(app: Any, one: Visitor) -> None:
        here = await one.create("fantome", "me", "here", name="Ada", names="Bruno, Chiara")
        table = await services(app).tables.load(here)
        assert ["Ada", "Bruno"] == [chair.name for chair in table.info.chairs]
        page = (await one.get(f"/t/{here}")).text
        assert "Hand the device to Ada" in page
        assert "data-piece" not in page and "data-do" not in page and "pane-secret" not in page
        assert 403 == (await one.act(here, table.match.legal(0)[0], 1)).status_code
        assert 409 == (await one.post(f"/t/{here}/hand", {"seat": "1"})).status_code
        assert 303 == (await one.post(f"/t/{here}/hand", {"seat": "0"})).status_code
        page = (await one.get(f"/t/{here}")).text
        assert "data-do" in page and "pane-secret" not in page and "Hand the device" not in page
        async with one.live(here) as stream:
            await stream.next()
            while turn(table) == (0,):
                assert 204 == (await one.act(here, table.match.legal(0)[0], table.match.ply)).status_code
            message = await stream.until(table.match.ply)
        assert "Hand the device to Bruno" in message["parts"]["ask"]
        assert {""} == {text for name, text in message["parts"].items() if name != "ask"}
        assert not message["turn"] and "Bruno" in message["heading"]
        # The record that the device may have meanwhile is the one that anybody may have.
        assert (await one.get(f"/t/{here}/record")).text == record.dump(
            record.redact({**await services(app).storage.tables.document(here), "names": ["Ada", "Bruno"]}, None, GAMES)
        )
        await one.post(f"/t/{here}/hand", {"seat": "1"})
        page = (await one.get(f"/t/{here}")).text
        assert "pane-secret" in page and "data-do" in page

    visiting(tmp_path, 1, visit)


def test_secret_choices_on_one_device(tmp_path: Path) -> None:
    """Where all choose at once, the device goes round: each bids in turn, and nobody sees another's bid."""

    async def visit(app: Any, one: Visitor) -> None:
        here = await one.create("opera", "me", "here", "here", name="Ada", names="Bruno,Chiara")
        table = await services(app).tables.load(here)
        for seat, name in enumerate(("Ada", "Bruno", "Chiara")):
            page = (await one.get(f"/t/{here}")).text
            assert f"Hand the device to {name}" in page and "data-do" not in page
            assert 303 == (await one.post(f"/t/{here}/hand", {"seat": str(seat)})).status_code
            page = (await one.get(f"/t/{here}")).text
            assert 'data-do="bid 3"' in page
            bid = await one.act(here, f"bid {5 - seat}", table.match.ply)
            assert 204 == bid.status_code
        assert ["bid 5", "bid 4", "bid 3"] == [entry.do for entry in table.match.entries[1:]]
        assert (0,) == turn(table)
        assert "Hand the device to Ada" in (await one.get(f"/t/{here}")).text

    visiting(tmp_path, 1, visit)


def test_a_rematch_on_one_device(tmp_path: Path) -> None:
    """Everybody goes one seat further, still on the same device."""

    async def visit(app: Any, one: Visitor) -> None:
        here = await one.create("fantome", "me", "here", name="Ada", names="Bruno")
        await one.post(f"/t/{here}/hand", {"seat": "0"})
        assert 303 == (await one.post(f"/t/{here}/resign")).status_code
        again = (await one.post(f"/t/{here}/rematch")).headers["location"].removeprefix("/t/")
        table = await services(app).tables.load(again)
        assert ["Bruno", "Ada"] == [chair.name for chair in table.info.chairs]
        assert "Hand the device to Bruno" in (await one.get(f"/t/{again}")).text

    visiting(tmp_path, 1, visit)


def test_who_sits_beside() -> None:
    """One person alone shares nothing."""
    assert [] == shared_seats(["me", "open"])
    assert [0, 2] == shared_seats(["me", "friend", "here"])
    assert [1, 2] == shared_seats(["bot:level:1", "me", "me"])


# Notices.


class Inbox(HTTPServer):
    """Somebody who wants to be told; says no as often as told to."""

    def __init__(self, refusals: int) -> None:
        super().__init__(("127.0.0.1", 0), Letterbox)
        self.refusals, self.letters = refusals, list[tuple[str, Any]]()


class Letterbox(BaseHTTPRequestHandler):
    server: Inbox

    def do_POST(self) -> None:
        letter = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.letters.append((self.path, letter))
        self.send_response(500 if len(self.server.letters) <= self.server.refusals else 204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


def test_a_notice_is_sent_and_tried_again(tmp_path: Path) -> None:
    """When it is somebody's turn and they are away, their address is told; one that fails is told later."""
    time = Time()
    inbox = Inbox(refusals=1)
    thread = threading.Thread(target=inbox.serve_forever, daemon=True)
    thread.start()

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        storage, send = services(app).storage, services(app).notifier.send_due
        table = await sat(app, Match(GAMES["fantome"], 2, seed=7), one, two)
        address = f"http://127.0.0.1:{inbox.server_port}/turn?of=two"
        assert 303 == (await two.post(f"/t/{table.id}/notices", {"url": address})).status_code
        assert address in (await two.get(f"/t/{table.id}")).text
        while turn(table) == (0,):
            await one.act(table.id, table.match.legal(0)[0], table.match.ply)

        await send()
        assert 1 == len(inbox.letters)
        await send()
        assert 1 == len(inbox.letters)
        time.now += 16
        await send()
        assert 2 == len(inbox.letters)
        time.now += 100_000
        await send()
        letter = {"table": table.id, "game": "fantome", "link": f"{two.base}/t/{table.id}", "seat": 1}
        assert [("/turn?of=two", letter)] * 2 == inbox.letters
        assert 303 == (await two.post(f"/t/{table.id}/notices", {"url": ""})).status_code
        assert "" == await storage.webhooks.url(table.id, two.id)

    try:
        visiting(tmp_path, 2, visit, clock=time, webhooks=True, webhooks_inside=True)
    finally:
        inbox.shutdown()
        inbox.server_close()
        thread.join()


def test_no_notice_goes_inside(tmp_path: Path) -> None:
    """Neither this machine nor its network nor a name that leads there can be given; and nothing unless it is allowed."""

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        table = await sat(app, Match(GAMES["fantome"], 2), one, two)
        for wrong in (
            "http://127.0.0.1:9/",
            "http://localhost/",
            "http://[::1]/",
            "http://169.254.169.254/latest/meta-data/",
            "http://10.0.0.1/",
            "http://0x7f000001/",
            "http://2130706433/",
            "file:///etc/passwd",
            "gopher://example.org/",
            "http://user:word@93.184.216.34/",
            "http://93.184.216.34:0/",
            "//93.184.216.34/",
            "http://93.184.216.34/\r\nx: y",
        ):
            answer = await one.post(f"/t/{table.id}/notices", {"url": wrong})
            assert 400 == answer.status_code, wrong
        assert 303 == (await one.post(f"/t/{table.id}/notices", {"url": "https://93.184.216.34/turn"})).status_code

    async def off(app: Any, one: Visitor, two: Visitor) -> None:
        table = await sat(app, Match(GAMES["fantome"], 2), one, two)
        assert 403 == (await one.post(f"/t/{table.id}/notices", {"url": "https://93.184.216.34/"})).status_code
        assert "notices" not in (await one.get(f"/t/{table.id}")).text

    visiting(tmp_path / "on", 2, visit, webhooks=True)
    visiting(tmp_path / "off", 2, off)


def test_a_name_is_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that leads elsewhere at the second look is called by the number of the first, and refused if that is inside."""
    answers = iter(["93.184.216.34", "127.0.0.1"])

    def look_up(host: str, port: int, **_: object) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (next(answers), port))]

    called: list[Any] = []

    def connect(self: socket.socket, where: Any) -> None:
        called.append(where)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    monkeypatch.setattr(socket.socket, "connect", connect)
    with pytest.raises(ConnectionRefusedError):
        notifications.post("http://turn.example/", {}, False)
    assert [("93.184.216.34", 80)] == called
    with pytest.raises(notifications.BadAddress):
        notifications.post("http://turn.example/", {}, False)
    assert 1 == len(called)


def test_clocks_are_said_as_the_script_says_them() -> None:
    """Minutes and seconds, hours above an hour, days above a day; a begun second counts whole."""
    told = [clocks.short(ms) for ms in (0, 1, 59_999, 60_000, 3_600_000, 86_400_000)]
    assert ["0:00", "0:01", "1:00", "1:00", "1:00:00", "1 d 0 h"] == told
    assert Clock(5000, 10_000).at(12_000) == 0
    assert not re.search(r"\d", clocks.told(Terms("move", 86400)))
