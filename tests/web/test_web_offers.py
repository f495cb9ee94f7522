"""What needs consent: bots that play for people who are away, and decisions taken back."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from table_state import Time, bot, notes, offer, turn, visiting
from visitors import Visitor, eventually, sat, services, tick

from ridotto.core import record
from ridotto.core.match import Match
from ridotto.core.takeback import plan_takeback
from ridotto.games import GAMES
from ridotto.web.live.table_writer import STAND_IN

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
        assert "would like to take back a move" in other and "Since then:" in other
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
        told = plan_takeback(match, seat)
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
                found = plan_takeback(match, seat)
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
        assert "Take back" in (await one.get(f"/t/{table.id}")).text
        assert 303 == (await one.post(f"/t/{table.id}/agree")).status_code
        assert table.match.entries[ply].do.startswith("undo ")

    visiting(tmp_path, 1, visit)
