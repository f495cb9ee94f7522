"""Leaving a match: by resigning or because time is up, with two at the table and with more, and what the result says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from table_state import TEN, Time, agreed, bot, notes, outcome, visiting
from visitors import Visitor, sat, services, tick

from ridotto.core import record
from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.web.live.table_writer import STAND_IN
from ridotto.web.storage.chat import add_line


def question(page: str) -> str:
    """What stands where the question is."""
    found = re.search(r'<h2 id="question">(.*?)</h2>', page)
    assert found
    return found[1]


def ending(page: str) -> str:
    found = re.search(r'<p class="ending">(.*?)</p>', page)
    assert found
    return found[1]


async def shown(table: str, *people: Visitor) -> list[tuple[str, str]]:
    """The verdict and how it came about, as everybody reads them."""
    pages = [(await one.get(f"/t/{table}")).text for one in people]
    return [(question(page), ending(page)) for page in pages]


def test_of_two_the_other_wins(database: str, tmp_path: Path) -> None:
    """Both are told who resigned, whoever watches too, and nobody is shown a score of nothing to nothing."""

    async def visit(app: Any, one: Visitor, two: Visitor, three: Visitor) -> None:
        await two.post("/me", {"name": "Bruno"})
        table = await sat(app, Match(GAMES["fantome"], 2), one, two)
        assert 303 == (await two.post(f"/t/{table.id}/resign")).status_code
        assert [
            ("You have won.", "Bruno resigned."),
            ("You have lost.", "You resigned."),
            ("Inspector wins.", "Bruno resigned."),
        ] == await shown(table.id, one, two, three)
        page = (await one.get(f"/t/{table.id}")).text
        assert "<tfoot>" not in page and "won-by" not in page
        assert {1: "resigned"} == table.info.settings.left
        record.read(await services(app).storage.tables.document(table.id), GAMES)
        assert "Inspector wins." in (await three.get("/")).text

    visiting(tmp_path, 3, visit, database=database)


def test_with_more_a_bot_plays_on(database: str, tmp_path: Path) -> None:
    """Whoever resigns is replaced for good, and the others play on until nobody but bots would be left."""

    async def visit(app: Any, one: Visitor, two: Visitor, three: Visitor) -> None:
        for person, name in ((one, "Ada"), (two, "Bruno")):
            await person.post("/me", {"name": name})
        table = await sat(app, Match(GAMES["opera"], 3), one, two, three)
        assert 303 == (await two.post(f"/t/{table.id}/resign")).status_code
        assert outcome(table) is None and "resign" not in [entry.do for entry in table.match.entries]
        assert (STAND_IN, {1: "resigned"}, ["resign-bot"]) == (bot(table, 1), table.info.settings.left, notes(table))
        assert "You resigned: a bot plays on for you." in (await two.get(f"/t/{table.id}")).text
        assert "resigned, a bot plays" in (await one.get(f"/t/{table.id}")).text
        assert 409 == (await two.post(f"/t/{table.id}/return")).status_code
        assert 409 == (await two.post(f"/t/{table.id}/resign")).status_code
        assert 204 == (await one.act(table.id, "bid 3", 1)).status_code
        # The next one to go leaves one person with two bots; when the last one goes, it is over.
        await three.post(f"/t/{table.id}/resign")
        assert outcome(table) is None and STAND_IN == bot(table, 2)
        await one.post(f"/t/{table.id}/resign")
        over = outcome(table)
        assert over is not None and ("resigned", (1, 2)) == (over.ending, over.winners)
        assert ("You have lost.", "You resigned.") == (await shown(table.id, one))[0]
        record.read(await services(app).storage.tables.document(table.id), GAMES)

    visiting(tmp_path, 3, visit, database=database)


def test_a_table_may_be_set_otherwise(tmp_path: Path) -> None:
    """With more than two it may be over at once; with two a bot may play on; alone against bots it is over as a rule."""

    async def visit(app: Any, one: Visitor, two: Visitor, three: Visitor) -> None:
        ends = await agreed(app, Match(GAMES["opera"], 3), one, two, three, leaving="resign")
        await two.post(f"/t/{ends.id}/resign")
        over = outcome(ends)
        assert over is not None and (0, 2) == over.winners
        assert ("You have won.", "Blue resigned.") == (await shown(ends.id, one))[0]
        on = await agreed(app, Match(GAMES["fantome"], 2), one, two, leaving="bot")
        await two.post(f"/t/{on.id}/resign")
        assert outcome(on) is None and STAND_IN == bot(on, 1)
        alone = await sat(app, Match(GAMES["opera"], 3), one, "random", "random")
        await one.post(f"/t/{alone.id}/resign")
        over = outcome(alone)
        assert over is not None and (1, 2) == over.winners
        form = await one.create("opera", "me", "open", "open", leaving="resign")
        assert "resign" == (await services(app).tables.load(form)).info.settings.leaving

    visiting(tmp_path, 3, visit)


def test_time_is_up_for_one_of_three(tmp_path: Path) -> None:
    """With three at the table a bot plays on for whoever runs out of time, without anybody having asked for it."""
    time = Time()

    async def visit(app: Any, one: Visitor, two: Visitor, three: Visitor) -> None:
        table = await agreed(app, Match(GAMES["opera"], 3), one, two, three, clock=TEN)
        await one.act(table.id, "bid 3", 1)
        await two.act(table.id, "bid 2", 2)
        for _ in range(210):
            time.now += 2.95
            await tick(app)
        assert outcome(table) is None and STAND_IN == bot(table, 2)
        assert ({2: "time"}, "flag-bot") == (table.info.settings.left, notes(table)[0])

    visiting(tmp_path, 3, visit, clock=time)


def test_tables_of_earlier_versions(tmp_path: Path) -> None:
    """A match that ended by its clock says so: only a note told it then."""

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        match = Match(GAMES["fantome"], 2)
        match.resign(0)
        old = await sat(app, match, one, two)
        assert ("You have won.", "Inspector resigned.") == (await shown(old.id, two))[0]
        await services(app).writer.change(old, [add_line(old.id, services(app).storage.now, "flag", seat=0)])
        assert ("You have won.", "Inspector ran out of time.") == (await shown(old.id, two))[0]

    visiting(tmp_path, 2, visit)
