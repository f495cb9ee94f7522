"""Clocks of players, by a clock of our own: when they run, when a flag falls, what is not charged."""

from __future__ import annotations

import asyncio
import html
import json
import re
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from databases import Postgres
from table_state import TEN, Time, agreed, bot, going, left, notes, outcome, turn, visiting
from visitors import Visitor, eventually, running, services, settings, tick

from ridotto.core import record
from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.present.narrator import LANGUAGES, Narrator
from ridotto.present.ui import ui
from ridotto.web import clocks
from ridotto.web.clocks import BadTerms, Clock, Terms
from ridotto.web.identity import Person, new_id
from ridotto.web.live.table_writer import STAND_IN
from ridotto.web.pages.around import clock_text
from ridotto.web.storage.clocks import SILENCE
from ridotto.web.storage.table_info import Chair, NewTable
from ridotto.web.storage.table_settings import TableSettings


def test_what_a_form_may_ask_for() -> None:
    """Minutes for a match or days for a move, within bounds; anything else is refused with what would do."""
    assert Terms("match", 1200, 10) == clocks.parse_terms("match:1200", "10")
    assert Terms("move", 86400) == clocks.parse_terms("move:86400", "10")
    assert clocks.parse_terms("") is None
    for wrong in (
        ("match:59",),
        ("match:-5",),
        ("move:60",),
        ("blitz:60",),
        ("match:١٢٠٠",),
        ("match:60", "999"),
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
        here = await one.create("fantome", "me", "open", clock="match:600", leaving="bot")
        table = await services(app).tables.load(here)
        time.now += 500
        assert set() == going(table)
        assert 303 == (await two.post(f"/t/{here}/sit", {"seat": "1"})).status_code
        assert {0} == going(table)
        assert {0: 600, 1: 600} == left(app, table)
        page = (await two.get(f"/t/{here}")).text
        assert 'role="timer"' in page and "10:00" in page
        assert "If you run out of time, a bot plays on for you." in page

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
        assert "Inspector ran out of time." in (await two.get(f"/t/{table.id}")).text
        assert "You ran out of time." in (await one.get(f"/t/{table.id}")).text
        await tick(app)
        assert ["flag"] == notes(table)

    visiting(tmp_path, 2, visit, clock=time)


def plain(data: object) -> str:
    """What is said in a page, a message or a picture, without its markup."""
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    return html.unescape(re.sub(r"<[^>]*>|\\[nu\"][0-9a-f]{0,4}", " ", text))


@pytest.mark.parametrize("name", ["fantome", "opera", "turandot"])
def test_a_time_out_is_told_as_one_everywhere(name: str, tmp_path: Path) -> None:
    """To whoever was late, to the other and to a spectator, in three languages, live and afterwards: nobody has resigned."""
    time, game = Time(), GAMES[name]

    def resigning(language: str) -> set[str]:
        """How the sentences end that say that somebody has resigned."""
        narrator = ui(game).narrator(language)
        messages = ("You resign.", "You resigned.", "{who} resigns.", "{who} resigned.")
        return {narrator.say(message, who="").strip() for message in messages}

    async def visit(app: Any, late: Visitor, other: Visitor, fan: Visitor) -> None:
        await late.post("/me", {"name": "Zoé"})
        table = await agreed(app, Match(game, 2), late, other, clock=Terms("match", 10), leaving="resign")
        while turn(table) != (0,):
            await services(app).writer.act(table, turn(table)[-1], table.match.legal(turn(table)[-1])[0], None)
        readers = [(one, language) for one in (late, other, fan) for language in LANGUAGES]
        async with AsyncExitStack() as stack:
            streams = [await stack.enter_async_context(one.live(table.id, accept_language=spoken)) for one, spoken in readers]
            for stream in streams:
                await stream.next()
            time.now += 10.5
            await tick(app)
            messages = [await stream.until(table.match.ply) for stream in streams]
        assert ("resign", 0) == (table.match.entries[-1].do, table.match.entries[-1].seat)
        for (one, language), message in zip(readers, messages, strict=True):
            narrator = Narrator(language)
            you, they = narrator.say("You ran out of time."), narrator.say("{who} ran out of time.", who="Zoé")
            expected = you if one is late else they
            parts = message["parts"]
            for part in (message["announcement"], *(parts[one] for one in ("result", "ask") if one in parts)):
                assert expected in plain(part), (language, part)
            assert expected in plain(message["log"]) and expected in plain(message["beat"]["lines"])
            assert expected in plain(message["beat"]["moments"])
            said, last, headers = (
                [plain(message)],
                table.match.ply - 1,
                {"accept-language": language},
            )
            here = f"/t/{table.id}"
            pages = [here, f"{here}/replay", *(f"{here}/replay?eyes={eyes}&ply={last}" for eyes in ("0", "1", "watch", "open"))]
            pages += [f"{here}/replay/moment?eyes=watch&ply={last}", f"{here}/replay/scene?eyes=1&ply={last}"]
            for path in pages:
                said.append(plain((await one.get(path, headers=headers)).text))
                assert {you, they} & {sentence for sentence in (you, they) if sentence in said[-1]}, path
            for path in ("/", f"{here}/picture.svg", f"{here}/review"):
                said.append(plain((await one.get(path, headers=headers)).text))
            if name == "fantome" and one is not late:
                assert narrator.say("{who} ran out of time.", who="").strip() in said[-2], (
                    "the picture of the end tells it, too"
                )
            for text in said:
                assert not [ending for ending in resigning(language) if ending in text], text
        refused = await late.post(f"/t/{table.id}/return")
        assert 409 == refused.status_code and "resigned" not in refused.text

    visiting(tmp_path, 3, visit, clock=time)


def test_whoever_resigns_has_resigned(tmp_path: Path) -> None:
    """At the same kind of table, with time left."""

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        table = await agreed(app, Match(GAMES["fantome"], 2), one, two, clock=TEN)
        assert 303 == (await one.post(f"/t/{table.id}/resign")).status_code
        page = plain((await two.get(f"/t/{table.id}")).text)
        assert "Inspector resigned." in page and "ran out of time" not in page

    visiting(tmp_path, 2, visit, clock=Time())


def test_an_action_after_the_flag_comes_too_late(tmp_path: Path) -> None:
    """Whoever acts after their time is up is refused, even before anybody has looked at the clock."""
    time = Time()

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        table = await agreed(app, Match(GAMES["fantome"], 2), one, two, clock=Terms("match", 10))
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
        terms = Terms("match", 10)
        table = await agreed(app, Match(GAMES["fantome"], 2), one, two, clock=terms, leaving="bot")
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
        assert "You ran out of time: a bot plays on for you." in page

    visiting(tmp_path, 2, visit, clock=time)


def test_days_for_a_move(tmp_path: Path) -> None:
    """Every decision starts the time anew, also where the same seat decides again."""
    time = Time()

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        table = await agreed(app, Match(GAMES["fantome"], 2, seed=7), one, two, clock=Terms("move", 86400))
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


def test_of_two_servers_one_lets_the_flag_fall(postgres: Postgres, tmp_path: Path) -> None:
    """Both look at the clock in the same moment; the match is resigned once, and both show it."""
    time = Time()

    async def visit() -> None:
        given: dict[str, Any] = {"database": postgres.new(), "clock": time, "tick": 3600.0}
        async with running(settings(tmp_path, **given)) as one, running(settings(tmp_path, **given)) as other:
            first, second = await Visitor(one).__aenter__(), await Visitor(one).__aenter__()
            table = await agreed(one, Match(GAMES["fantome"], 2), first, second, clock=Terms("match", 10))
            await services(other).tables.load(table.id)
            time.now += 10.5
            await asyncio.gather(tick(one), tick(other))
            seen = [(await services(app).tables.load(table.id)) for app in (one, other)]
            assert [["deal", "resign"]] * 2 == [[entry.do for entry in found.match.entries] for found in seen]
            assert [["flag"]] * 2 == [notes(found) for found in seen]
            for visitor in (first, second):
                await visitor.http.aclose()

    asyncio.run(visit())


def test_of_two_servers_one_lets_the_clock_run(postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second, which read that it stands before the first wrote that it runs, does not begin it anew."""
    time = Time()

    async def visit() -> None:
        given: dict[str, Any] = {"database": postgres.new(), "clock": time, "tick": 3600.0}
        async with (
            running(settings(tmp_path, **given)) as one,
            running(settings(tmp_path, **given)) as other,
            Visitor(one) as first,
            Visitor(one) as second,
        ):
            storage, slow = services(one).storage, services(other).storage.tables
            load = slow.load
            for visitor in (first, second):
                await storage.people.save(Person(visitor.id))
            chairs = tuple(Chair(at, "person", False, who.id, "", None, "0" * 32) for at, who in enumerate((first, second)))
            keys: dict[str, int | None] = {first.id: 0, second.id: 1}
            match, agreed_on = Match(GAMES["fantome"], 2), TableSettings(clock=TEN)
            new = NewTable(new_id(), match, False, None, "en", "0" * 32, chairs, keys, agreed_on)
            await storage.tables.create(new)

            async def late(id: str) -> Any:
                found = await load(id)
                assert found is not None
                if not found[1].clocks:
                    await services(one).tables.load(id)
                    time.now += 5
                return found

            monkeypatch.setattr(slow, "load", late)
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


def test_clocks_are_said_as_the_script_says_them() -> None:
    """Minutes and seconds, hours above an hour, days above a day; a begun second counts whole."""
    told = [clocks.short(ms, Narrator()) for ms in (0, 1, 59_999, 60_000, 3_600_000, 86_400_000)]
    assert ["0:00", "0:01", "1:00", "1:00", "1:00:00", "1 d 0 h"] == told
    assert Clock(5000, 10_000).at(12_000) == 0
    assert not re.search(r"\d", clock_text(Terms("move", 86400), Narrator()))
