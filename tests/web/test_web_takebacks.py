"""Takebacks and time: the clocks go back with the decision, and nobody gains by it; and what a table agrees on about them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st
from table_state import Time, agreed, going, left, notes, offer, turn, visiting
from visitors import Visitor, services

from ridotto.core.errors import Unavailable
from ridotto.core.match import Match
from ridotto.core.takeback import plan_takeback, take_back
from ridotto.games import GAMES
from ridotto.web.clocks import Clock, Terms, restore_clocks
from ridotto.web.errors import NotNow
from ridotto.web.live.table_clocks import Return, added_before_entries, clocks_after_takeback, clocks_for
from ridotto.web.storage.table_info import Chair, TableInfo
from ridotto.web.storage.table_settings import TableSettings

FIVE = Terms("match", 300, 60)
"""Five minutes, and a minute for each turn: what the attack farmed."""
PLAIN = Terms("match", 300)
DAY = Terms("move", 86400)


def passing(game: str, seats: int) -> tuple[Match, int, str]:
    """A match, a seat, and a decision of it after which only others are asked and that it may take back at once."""
    for seed in range(80):
        match, dice = Match(GAMES[game], seats, seed=seed), random.Random(seed)
        while match.to_act:
            seat = match.to_act[0]
            do = dice.choice(match.legal(seat))
            later = match.after(match.ply)
            later.play(do, seat)
            if match.to_act == (seat,) and later.to_act and seat not in later.to_act and plan_takeback(later, seat).at_once:
                return match, seat, do
            match = later
    raise AssertionError("no such moment")


# Nobody gains time.


@pytest.mark.parametrize(("game", "seats"), [("fantome", 2), ("turandot", 3)])
@pytest.mark.parametrize("clock", [FIVE, PLAIN, DAY], ids=["increment", "plain", "days"])
def test_ten_times_there_and_back_gain_nothing(game: str, seats: int, clock: Terms, tmp_path: Path) -> None:
    """Move, take back, ten times: all the time that passed is off the clock of whoever does it, and off nobody else's."""
    time = Time()
    match, seat, do = passing(game, seats)

    async def visit(app: Any, *people: Visitor) -> None:
        table = await agreed(app, match, *people, clock=clock)
        before = left(app, table)
        assert {seat} == going(table)
        for count in range(1, 11):
            time.now += 1
            assert 204 == (await people[seat].act(table.id, do, table.match.ply)).status_code
            time.now += 2
            assert seat not in going(table)
            assert 303 == (await people[seat].post(f"/t/{table.id}/takeback")).status_code
            assert {**before, seat: before[seat] - 3 * count} == left(app, table)
            assert {seat} == going(table)

    visiting(tmp_path, seats, visit, clock=time)


def test_a_takeback_after_a_restart(database: str, tmp_path: Path) -> None:
    """How the clocks stood at a decision is known to a server that has only read of it; while it was down nobody is charged."""
    time = Time()
    match, seat, do = passing("fantome", 2)
    table_id: list[str] = []

    async def before(app: Any, *people: Visitor) -> None:
        table = await agreed(app, match, *people, clock=FIVE)
        time.now += 10
        assert 204 == (await people[seat].act(table.id, do, table.match.ply)).status_code
        assert {seat: 350, 1 - seat: 300} == left(app, table)
        time.now += 5
        await services(app).clocks.tick()
        table_id.append(table.id)

    async def after(app: Any) -> None:
        table = await services(app).tables.load(table_id[0])
        assert {seat: 350, 1 - seat: 295} == left(app, table)
        await services(app).writer.take_back(table, plan_takeback(table.match, seat), False)
        assert {seat: 285, 1 - seat: 300} == left(app, table)
        assert {seat} == going(table)

    visiting(tmp_path, 2, before, database=database, clock=time)
    time.now += 3600
    visiting(tmp_path, 0, after, database=database, clock=time)


def test_hidden_choices_of_others_keep_their_time(tmp_path: Path) -> None:
    """Three bid at once: whoever takes a bid back loses the minute that it gave, the other bid stays with its minute, and the
    third thinks on. Then the other takes theirs back as well: no clock has more than it had."""
    time = Time()

    async def visit(app: Any, one: Visitor, two: Visitor, three: Visitor) -> None:
        table = await agreed(app, Match(GAMES["opera"], 3), one, two, three, clock=FIVE)
        time.now += 10
        assert 204 == (await one.act(table.id, "bid 3", 1)).status_code
        time.now += 10
        assert 204 == (await two.act(table.id, "bid 4", 2)).status_code
        assert {0: 350, 1: 340, 2: 280} == left(app, table)
        assert 303 == (await one.post(f"/t/{table.id}/takeback")).status_code
        assert {0: 290, 1: 340, 2: 280} == left(app, table)
        assert {0, 2} == going(table) == set(turn(table))
        time.now += 5
        assert 303 == (await two.post(f"/t/{table.id}/takeback")).status_code
        assert {0: 285, 1: 280, 2: 275} == left(app, table)
        assert {0, 1, 2} == going(table)

    visiting(tmp_path, 3, visit, clock=time)


def test_by_consent_everybody_loses_what_was_added(tmp_path: Path) -> None:
    """Both have bid and somebody goes on; the bid goes back by consent: each clock has what it had less what ran on it."""
    time = Time()

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        table = await agreed(app, Match(GAMES["opera"], 2), one, two, clock=FIVE)
        time.now += 10
        assert 204 == (await one.act(table.id, "bid 3", 1)).status_code
        time.now += 20
        assert 204 == (await two.act(table.id, "bid 5", 2)).status_code
        assert (1,) == turn(table)
        time.now += 30
        assert {0: 350, 1: 240} == left(app, table)
        await one.post(f"/t/{table.id}/takeback")
        await one.post(f"/t/{table.id}/agree")
        assert 303 == (await two.post(f"/t/{table.id}/agree")).status_code
        assert {0: 290, 1: 240} == left(app, table)
        assert {0, 1} == going(table)

    visiting(tmp_path, 2, visit, clock=time)


def test_no_takeback_without_time_for_it(tmp_path: Path) -> None:
    """Where nothing would be left on the clock the decision stays, and it is said why."""
    time = Time()
    match, seat, do = passing("fantome", 2)

    async def visit(app: Any, *people: Visitor) -> None:
        table = await agreed(app, match, *people, clock=Terms("match", 60, 60))
        time.now += 50
        assert 204 == (await people[seat].act(table.id, do, table.match.ply)).status_code
        time.now += 20
        refused = await people[seat].post(f"/t/{table.id}/takeback")
        assert 409 == refused.status_code and "no time would be left" in refused.text
        assert {seat: 70, 1 - seat: 40} == left(app, table)

    visiting(tmp_path, 2, visit, clock=time)


def test_a_bot_that_stands_in_gives_no_time(tmp_path: Path) -> None:
    """To let a bot play and to come back adds nothing, however often; nor does it give a whole new day."""
    for at, terms in enumerate((FIVE, DAY)):
        time = Time()

        async def visit(app: Any, one: Visitor, two: Visitor, terms: Terms = terms, time: Time = time) -> None:
            match, seat, _ = passing("fantome", 2)
            people = (one, two)
            table = await agreed(app, match, *people, clock=terms)
            services(app).publisher.on_change.clear()  # the bot thinks for ever
            for count in range(1, 6):
                time.now += 10
                assert 303 == (await people[seat].post(f"/t/{table.id}/standin")).status_code
                assert set() == going(table)
                assert 303 == (await people[seat].post(f"/t/{table.id}/return")).status_code
                assert terms.seconds - 10 * count == left(app, table)[seat]

        visiting(tmp_path / str(at), 2, visit, clock=time)


# The same by chance, without a server.


@dataclass
class Desk:
    """A match with clocks, kept as the table service keeps them; by minutes for the match or hours for a move."""

    terms: Terms
    seats: int
    seed: int
    game: str = "opera"
    now: int = 0
    clocks: Mapping[int, Clock] = field(default_factory=dict)
    added: dict[int, Mapping[int, int]] = field(default_factory=dict)
    left: dict[int, int] = field(default_factory=dict)
    """What whoever made an entry had left then."""

    def __post_init__(self) -> None:
        self.match = Match(GAMES[self.game], self.seats, seed=self.seed)
        chairs = tuple(Chair(seat, "person", False, str(seat), "", None, "") for seat in range(self.seats))
        settings = TableSettings(clock=self.terms)
        self.info = TableInfo(
            *("", self.game, self.seats, {}, False, None, "en", "", 0, 0, "playing", 0, 1, None, None),
            *(settings, None, None, chairs, {}),
        )
        self.clocks = clocks_for(self.info, self.match, {}, 0)

    def take_over(self, later: Match, clocks: Mapping[int, Clock], acted: int | None, back: Return | None = None) -> None:
        self.added |= dict(enumerate(added_before_entries(self.match, later, clocks, back, self.added), self.match.ply))
        self.clocks, self.match = clocks_for(self.info, later, clocks, self.now, acted), later

    def act(self, seat: int, do: str) -> None:
        self.left[self.match.ply] = self.clocks[seat].at(self.now)
        later = self.match.after(self.match.ply)
        later.play(do, seat)
        self.take_over(later, self.clocks, seat)

    def take_back(self, seat: int, anew: bool) -> int:
        """Take a decision back; what there was on the clock when it was made."""
        takeback = plan_takeback(self.match, seat)
        anew = anew and takeback.anew is not None
        back, later = Return.of(self.match, takeback, anew), self.match.after(self.match.ply)
        clocks = clocks_after_takeback(self.info, self.match, self.clocks, back, self.added, self.now)
        take_back(later, takeback, anew=anew)
        again = {later.ply - len(back.kept) + at: self.left[ply] for at, ply in enumerate(back.kept)}
        own = self.match.line[self.match.line.index(takeback.to) + 1]
        self.take_over(later, clocks, None, back)
        self.left |= again
        return self.left[own]

    @property
    def is_down(self) -> bool:
        return any(clock.is_down(self.now) for clock in self.clocks.values())

    def ended(self) -> Counter[int]:
        """How many turns of each seat have ended, in what is still in effect: what it should have been given time for."""
        counted: Counter[int] = Counter()
        for ply in self.match.line[1:]:
            seat, after = self.match.entries[ply].seat, self.match.after(ply + 1)
            if seat is not None and seat not in after.to_act:
                counted[seat] += 1
        return counted


STEPS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 20_000), st.integers(0, 999)), min_size=1, max_size=25)
"""What happens one after another: which kind of step, after how many milliseconds, and which of those possible."""


def wander(desk: Desk, steps: list[tuple[int, int, int]]) -> Any:
    """Actions and takebacks by chance; after a takeback, what is left to whoever took back, and what was when they decided."""
    for kind, milliseconds, pick in steps:
        desk.now += milliseconds
        if desk.is_down or not desk.match.to_act:
            return
        if kind < 5:
            seat = desk.match.to_act[pick % len(desk.match.to_act)]
            legal = list(desk.match.legal(seat))
            desk.act(seat, legal[pick % len(legal)])
            yield None
            continue
        seat = pick % desk.seats
        try:
            before = desk.take_back(seat, kind == 9)
        except (Unavailable, NotNow):
            continue
        yield desk.clocks[seat].at(desk.now), before


@pytest.mark.parametrize(("game", "seats"), [("opera", 2), ("opera", 3), ("fantome", 2)])
@examples(max_examples=40, deadline=None)
@given(steps=STEPS, seed=st.integers(0, 30))
def test_the_sum_of_time_never_grows(game: str, seats: int, steps: list[tuple[int, int, int]], seed: int) -> None:
    """All clocks together have no more than they began with, and what was given for turns that still stand, less the time
    that has passed: whatever is decided and taken back, in whatever order."""
    desk = Desk(Terms("match", 300, 60), seats, seed, game)
    for _ in wander(desk, steps):
        ended = desk.ended()
        for seat, clock in desk.clocks.items():
            assert clock.at(desk.now) <= 300_000 + 60_000 * ended[seat]
        total = sum(clock.at(desk.now) for clock in desk.clocks.values())
        assert total <= seats * 300_000 + 60_000 * ended.total() - desk.now


@examples(max_examples=40, deadline=None)
@given(steps=STEPS, seed=st.integers(0, 30))
def test_no_move_has_more_than_its_time(steps: list[tuple[int, int, int]], seed: int) -> None:
    """With an hour for a move: no clock has more, and to take back and decide again does not begin the hour anew."""
    desk = Desk(Terms("move", 3600), 3, seed)
    for takeback in wander(desk, steps):
        assert all(clock.at(desk.now) <= 3_600_000 for clock in desk.clocks.values())
        if takeback is not None:
            now, before = takeback
            assert now <= before


def test_time_that_ran_for_nothing_is_given_back_by_whoever_took_it() -> None:
    """Two others were asked because of a decision that goes back: they lose nothing, and it is charged once."""
    now = {0: Clock(130, None, 30), 1: Clock(50, 60), 2: Clock(70, 80)}
    restored = restore_clocks(Terms("match", 100, 30), now, {}, 0, [1, 2], True, 50)
    assert {0: Clock(60), 1: Clock(50), 2: Clock(70)} == restored


# What a table agrees on.


def test_never(tmp_path: Path) -> None:
    """No button, and the server refuses with a sentence; it stands on the invitation and at the table; a rematch keeps it."""

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        here = await one.create("fantome", "me", "open", takebacks="never")
        assert "Takebacks: never." in (await two.get(f"/t/{here}")).text
        assert 303 == (await two.post(f"/t/{here}/sit", {"seat": "1"})).status_code
        table = await services(app).tables.load(here)
        await services(app).dealing.deal(table)
        assert 204 == (await one.act(here, table.match.legal(0)[0], table.match.ply)).status_code
        page = (await one.get(f"/t/{here}")).text
        assert "Takebacks: never." in page and "takeback" not in page
        refused = await one.post(f"/t/{here}/takeback")
        assert 403 == refused.status_code and "Nothing is taken back at this table" in refused.text
        assert 303 == (await one.post(f"/t/{here}/resign")).status_code
        again = await services(app).seating.rematch(table, one.id)
        assert "never" == (await services(app).tables.load(again)).info.takebacks

    visiting(tmp_path, 2, visit)


def test_only_by_consent(tmp_path: Path) -> None:
    """Even what nobody has learned from needs the others; against bots alone there is nobody to ask."""

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        match, seat, do = passing("fantome", 2)
        people = (one, two)
        table = await agreed(app, match, *people, takebacks="consent")
        ply = match.ply + 1
        await people[seat].act(table.id, do, match.ply)
        assert "Takebacks: only by consent." in (await one.get(f"/t/{table.id}")).text
        assert 303 == (await people[seat].post(f"/t/{table.id}/takeback")).status_code
        assert "Ask the others" in (await people[seat].get(f"/t/{table.id}")).text
        assert ply == table.match.ply
        await people[seat].post(f"/t/{table.id}/agree")
        assert 303 == (await people[1 - seat].post(f"/t/{table.id}/agree")).status_code
        assert "takes" == notes(table)[-1] and table.match.entries[-1].do.startswith("undo")

        sitters: list[Visitor | str] = ["random", "random"]
        sitters[seat] = one
        alone = await agreed(app, passing("fantome", 2)[0], *sitters, takebacks="consent")
        assert "free" == alone.info.takebacks

    visiting(tmp_path, 2, visit)


def test_a_form_may_ask_for_nothing_else(tmp_path: Path) -> None:
    """A wish that there is not is refused with those that there are, and no table is made."""

    async def visit(app: Any, one: Visitor) -> None:
        sitters = {"seat0": "me", "seat1": "open"}
        refused = await one.post("/tables", {"game": "fantome", **sitters, "takebacks": "always"})
        assert 400 == refused.status_code and "takebacks are free, by consent, or never" in refused.text.lower()
        assert "free" == (await services(app).tables.load(await one.create("fantome", "me", "open"))).info.takebacks

    visiting(tmp_path, 1, visit)


# What others have begun.


def test_a_turn_that_somebody_has_begun_is_not_swept_away(tmp_path: Path) -> None:
    """Whoever was asked because of a decision and has begun to answer on their page is asked before it goes back."""

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        match, seat, do = passing("fantome", 2)
        people = (one, two)
        table = await agreed(app, match, *people)
        await people[seat].act(table.id, do, match.ply)
        other = people[1 - seat]
        assert 200 == (await other.draft(table.id, table.match.legal(1 - seat)[0])).status_code
        ply = table.match.ply
        assert 303 == (await people[seat].post(f"/t/{table.id}/takeback")).status_code
        assert ply == table.match.ply
        asked = offer(table)
        assert asked is not None and asked.proposer == seat

    visiting(tmp_path, 2, visit)


def test_a_hidden_choice_that_is_being_made_is_not_in_the_way(tmp_path: Path) -> None:
    """Where the other's question stays as it is, what they have begun stays good, and nobody is asked."""

    async def visit(app: Any, one: Visitor, two: Visitor) -> None:
        table = await agreed(app, Match(GAMES["opera"], 2), one, two)
        await one.act(table.id, "bid 3", 1)
        assert 200 == (await two.draft(table.id, "bid 4")).status_code
        assert 303 == (await one.post(f"/t/{table.id}/takeback")).status_code
        assert "undo 0" == table.match.entries[-1].do and (0, 1) == turn(table)
        assert 200 == (await two.draft(table.id, "bid 4")).status_code

    visiting(tmp_path, 2, visit)


def test_a_turn_confirmed_as_one_goes_back_as_one(database: str, tmp_path: Path) -> None:
    """Three decisions in one request go back with one takeback, also at a server that was started since."""
    table_id: list[str] = []

    async def before(app: Any, one: Visitor, two: Visitor) -> None:
        table = await agreed(app, Match(GAMES["fantome"], seed=4), one, two, clock=FIVE)
        assert 204 == (await one.act(table.id, "pick giry, move 1, lock 4-8", 1)).status_code
        assert 4 == table.match.ply
        table_id.append(table.id)

    async def after(app: Any) -> None:
        table = await services(app).tables.load(table_id[0])
        takeback = plan_takeback(table.match, 0)
        assert 0 == takeback.to
        await services(app).writer.take_back(table, takeback, False)
        assert (0,) == table.match.line

    visiting(tmp_path, 2, before, database=database)
    visiting(tmp_path, 0, after, database=database)
