"""The solver of Le Fantôme: against exact solutions and the rules, for what it sees, and for what it does elsewhere."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any, cast

import numpy
import pytest

from ridotto import bots
from ridotto.arena.audit import audit
from ridotto.arena.schedule import TournamentSettings
from ridotto.arena.tournament import _seated_bot
from ridotto.bots import solver as solver_bot
from ridotto.core import position
from ridotto.core.match import Match
from ridotto.engine.fields import HIDDEN, Row
from ridotto.games import find
from ridotto.games.fantome.ai.solving import values as VALUES
from ridotto.games.fantome.components import EXIT
from ridotto.games.fantome.rules import END, INSPECTOR, PHANTOM, PICK, RAOUL, F
from ridotto.rl.solving import TooLarge, Tree, solve_exactly

GAME = find("fantome")
BUILD = GAME.build("cpu")
BOARDS, TREES, ENDS, SOLUTIONS, HISTORY = (
    cast(Any, BUILD.extend(f"ridotto.games.fantome.ai.solving.{name}"))
    for name in ("boards", "tree", "ends", "solution", "history")
)
DUELS: Any = BUILD.extend("ridotto.games.fantome.ai.solving.duel")
SOLVER: Any = BUILD.extend("ridotto.games.fantome.ai.solver")
NO_TABLE = numpy.full(ENDS.SHAPE, numpy.nan, numpy.float32)
"""A table of values for rounds that are sure to end the match: it must not be asked."""


def rows_before(played: int, odd: int, seed: int = 1) -> Iterator[Any]:
    """Rows of greedy matches before a card of a round with three or four suspects, without Raoul's card."""
    dice, muted, mask, scratch = BUILD.generator(seed), BUILD.events(muted=True), BUILD.mask(), BUILD.row()
    while True:
        row = BUILD.row()
        BUILD.rules.deal(row, 2, BUILD.copy([0]), dice, muted)
        while waiting := BUILD.rules.to_act(row):
            fits = row[F.asked] == PICK and row[F.played] == played and row[F.round] & 1 == odd
            if fits and int(row[F.suspects]).bit_count() in (3, 4) and not row[F.offered] >> RAOUL & 1:
                yield BUILD.copy(row)
            seat = BUILD.dice.lowest(waiting)
            BUILD.rules.legal(row, seat, mask)
            BUILD.rules.apply(row, seat, BUILD.bot.policy(row, seat, mask, dice, muted, scratch), dice, muted)


def last_round(row: Any) -> Any:
    """The row with La Carlotta one space before the exit, so that this round ends the match."""
    late = BUILD.copy(row)
    late[F.carlotta] = EXIT - 1
    return late


# What it works out.


@pytest.mark.compiles
@pytest.mark.parametrize(("odd", "played"), [(1, 2), (0, 2), (1, 3), (0, 3)])
def test_the_end_of_a_match_has_its_exact_value(odd: int, played: int) -> None:
    """Where the round ends the match, the value is that of the sequence form, solved by linear programming."""
    rows, compared = rows_before(played, odd), 0
    while compared < 2:
        row = last_round(next(rows))
        masked = GAME.rules.FIELDS.masked(row.tolist(), None)
        assert masked[F.identity] == HIDDEN
        try:
            exact, _, _ = solve_exactly(Tree(GAME, position=position.write(GAME, masked), most_nodes=5_000))
        except TooLarge:
            continue
        solution = SOLUTIONS.Solution(BUILD, row, numpy.ones(8), NO_TABLE)
        solution.run(300)
        assert abs(float(solution.values @ solution.prior) - (1 - exact)) < 0.003
        compared += 1


def test_best_replies_gain_less_and_less() -> None:
    """Within a round, the exploitability of the average strategies falls towards 0."""
    found = []
    rows = rows_before(1, 1, 5)
    for _ in range(4):
        solution = SOLUTIONS.Solution(BUILD, last_round(next(rows)), numpy.ones(8), NO_TABLE)
        solution.run(4)
        early = solution.exploitability
        solution.run(196)
        found.append((early, solution.exploitability))
    assert all(-1e-6 < late < 0.01 for _, late in found), found
    assert sum(late for _, late in found) < sum(early for early, _ in found) / 4, found


def _walk(row: Row, played: int) -> set[int]:
    """The boards after this card, by the rules alone, one action after the other."""
    if row[F.played] != played:
        return {int(SOLVER.board_of(row)) & BOARDS.PIECES | int(row[F.offered]) << BOARDS.CARDS_AT}
    seat, mask, found = int(BUILD.dice.lowest(BUILD.rules.to_act(row))), BUILD.mask(), set()
    BUILD.rules.legal(row, seat, mask)
    for i in range(BUILD.dice.count_legal(mask)):
        after = BUILD.copy(row)
        BUILD.rules.apply(after, seat, BUILD.dice.nth_legal(mask, i), BUILD.generator(i), BUILD.events(muted=True))
        found |= _walk(after, played)
    return found


def test_an_activation_leads_where_the_rules_lead() -> None:
    """The boards of the first cards are those that the rules reach action by action, each once."""
    rows = rows_before(0, 0, 3)
    for _ in range(3):
        row = next(rows)
        solution = SOLUTIONS.Solution(BUILD, row, numpy.ones(8), numpy.zeros(ENDS.SHAPE, numpy.float32))
        first = solution.tree.finals[: solution.tree.first[1]].tolist()
        assert len(set(first)) == len(first)
        assert set(first) == _walk(row, 0)


def test_the_last_card_leads_where_the_next_round_is_best(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of all boards that are looked into, the inspector ends an odd round on the one that is best for them."""
    asked: dict[int, float] = {}

    def next_value(plan: Any, final: int, rounds: Any) -> float:
        return asked.setdefault(final, (final * 7919 >> 3) % 101 / 101)

    monkeypatch.setattr(SOLVER, "_next_value", next_value)
    monkeypatch.setattr(SOLVER, "NEAR", 1.0)
    match = match_at(1)
    while match.row[F.played] != 3 or not match.row[F.round] & 1 or match.row[F.asked] == PICK or len(match.legal()) < 4:
        match.play(bots.find("greedy").choose(match.view(match.to_act[0]), bots.Budget(match.ply)), match.to_act[0])
    memory: dict[bytes, Any] = {}
    mixture = SOLVER.mixture(BUILD, match.view(INSPECTOR), memory, 4, None)[0]
    (chosen,) = [one for one in memory.values() if type(one) is tuple]
    assert len(set(asked.values())) > 2
    assert asked[chosen[1]] == min(asked.values())
    assert abs(sum(mixture.values()) - 1) < 1e-9


# Two suspects.


def pairs(seed: int) -> Iterator[Any]:
    """Beginnings of rounds with two suspects, after the first."""
    for row in VALUES.positions(BUILD, 60, seed):
        if row[F.round] > 1 and int(row[F.suspects]).bit_count() == 2:
            yield row


def some_table() -> Any:
    """A table in which a round with two suspects is worth the more the nearer La Carlotta is to the exit."""
    table = numpy.zeros(ENDS.SHAPE, numpy.float32)
    table[:, 2] = numpy.linspace(0.9, 0.1, ENDS.SHAPE[2])[:, None, None, None, None]
    return table


def test_a_round_with_two_suspects_has_its_exact_value() -> None:
    """The same as CFR+ comes to, which knows nothing of both being alike, on trees that are not thinned out."""
    table, duel, found = some_table(), DUELS.Duel(BUILD), set[float]()
    rows = [row for row in pairs(5) if row[F.carlotta] < EXIT - 5]
    for row in rows[:12]:
        solution = SOLUTIONS.Solution(BUILD, row, numpy.ones(8), table, sizes=((TREES.MOST_NODES, TREES.MOST_FINALS),))
        solution.run(150)
        worth = duel.value(row, table)
        assert solution.values == pytest.approx(worth, abs=0.01)
        found.add(worth)
    assert len(found) > 3 and 0.0 in found


def test_in_the_middle_of_a_round_two_suspects_have_their_value_too() -> None:
    """From each card on, until one is left, the phantom can force what the best of all actions leads to: by the rules."""
    table, duel = some_table(), DUELS.Duel(BUILD)
    row = next(row for row in pairs(6) if row[F.carlotta] < EXIT - 5 and not row[F.offered] >> RAOUL & 1)
    leaves = numpy.empty(ENDS.LEAF_SHAPE, numpy.float32)
    ENDS.prepare_leaves(row, table, leaves)
    same = leaves[TREES.NO_DRAW, :, 2, 0, 0, 0, 0]
    suspects = int(row[F.suspects])

    def best(row: Any) -> float:
        """By trying everything, down to the end of the round."""
        if row[F.played] == 4:
            alone = int(SOLVER.unwatched(SOLVER.board_of(row))) & suspects
            return float(same[int(alone == suspects)]) if alone in (0, suspects) else 0.0
        afters = []
        for final in {final for final, _ in _ends(row)} if row[F.played] == 3 else _walk(row, int(row[F.played])):
            after = BUILD.copy(row)
            BOARDS.place_board(after, final)
            after[F.played] = row[F.played] + 1
            afters.append(after)
        return float((max if BOARDS.player_of(row, 0) == PHANTOM else min)(map(best, afters)))

    row[F.played] = 2
    cards = [who for who in range(8) if row[F.offered] >> who & 1]
    for some in combinations(cards, 2):
        row[F.offered] = sum(1 << who for who in some)
        assert duel.value(row, table) == pytest.approx(best(row))


def odd_pairs(seed: int) -> Iterator[Any]:
    """Beginnings of odd rounds with two suspects, with and without Raoul's card, some way before the exit."""
    for row in pairs(seed):
        if row[F.round] & 1 and row[F.carlotta] < EXIT - 6:
            yield row


def after_card(row: Row, final: int) -> Any:
    """The row after a card that led to a board."""
    after = BUILD.copy(row)
    BOARDS.place_board(after, final)
    after[F.played] += 1
    return after


def two_rounds(row: Row, table: Any) -> Any:
    """The rest of an odd round and the next one, worked out to the end."""
    rounds = DUELS.TwoRounds(BUILD, row, table, DUELS.EvenRounds(BUILD, row, table))
    while not rounds.is_done:
        rounds.run(1000)
    return rounds


def test_two_rounds_are_worth_what_the_best_choices_lead_to() -> None:
    """One card before the last, the phantom has the board whose worst end is best, by solving each next round by itself."""
    table, duel, found = some_table(), DUELS.Duel(BUILD), set[float]()
    for start in odd_pairs(6):
        row = BUILD.copy(start)
        row[F.played], suspects = 2, int(start[F.suspects]) & 255
        cards = [who for who in range(1, 8) if row[F.offered] >> who & 1][:2]
        row[F.offered] = sum(1 << who for who in cards)
        pair = [who for who in range(8) if suspects >> who & 1]
        worths = []
        for final in _walk(row, 2):
            ends = []
            for end, _ in set(_ends(after_card(row, final))):
                alone = int(SOLVER.unwatched(end)) & suspects
                after = SOLUTIONS.next_row(BUILD, row, end, pair, int(alone != 0), 0)
                ends.append(duel.value(after, table) if alone in (0, suspects) else 0.0)
            worths.append(min(ends))
        assert float(two_rounds(row, table).best[0]) == pytest.approx(max(worths))
        found.add(max(worths))
        if len(found) > 2:
            break
    assert len(found) > 2 and 0.0 in found


def test_the_inspector_opens_with_what_leaves_the_phantom_least() -> None:
    """After each opening card the phantom has what the rounds are worth from there; the inspector takes the least of these."""
    table, compared = some_table(), 0
    for row in odd_pairs(7):
        if row[F.offered] >> RAOUL & 1:
            continue
        rounds = two_rounds(row, table)
        plan = rounds.plan()
        finals = rounds.tree.finals[: rounds.tree.first[1]].tolist()
        chosen = int(plan.nodes[0].shares[:, 0].argmax())
        worths = [float(two_rounds(after_card(row, final), table).best[0]) for final in [*finals[:6], finals[chosen]]]
        assert worths[-1] == pytest.approx(float(plan.values[0])) and min(worths) >= worths[-1] - 1e-9
        compared += 1
        if compared == 3:
            break
    assert compared == 3


def test_what_was_worked_out_of_the_next_round_is_not_worked_out_again() -> None:
    """The same two rounds, looked at again with what was remembered, have the same value and ask for no new round."""
    table, row = some_table(), next(odd_pairs(6))
    even = DUELS.EvenRounds(BUILD, row, table)
    values = []
    for _ in range(2):
        rounds = DUELS.TwoRounds(BUILD, row, table, even)
        while not rounds.is_done:
            rounds.run(1000)
        values.append((float(rounds.best.min()), int(even.space.count[DUELS.SEARCHES])))
    assert values[0] == values[1]


# The table of values.


def test_values_that_rise_are_averaged_with_those_before_them() -> None:
    """Each with its weight: 1 and 4 of weights 2 and 1 are both 2; and what falls stays as it is."""
    assert VALUES.falling([5.0, 1.0, 4.0, 0.0], [1.0, 2.0, 1.0, 1.0]).tolist() == [5.0, 2.0, 2.0, 0.0]
    assert VALUES.falling([3.0, 2.0, 1.0], [1.0, 1.0, 1.0]).tolist() == [3.0, 2.0, 1.0]


def test_the_table_rises_with_the_suspects_and_falls_with_the_way() -> None:
    """For an even belief; and with two suspects it makes no difference whom one believes to be the phantom."""
    table = SOLVER._values()[0][:, :, :, 0, 0, :, 0]
    even = numpy.stack([table[:, n, :, round(n**-0.5 * 8)] for n in range(2, 9)], axis=1)
    assert (numpy.diff(even[:, :, 1:], axis=2) < 0.02).all()
    assert (table[:, 2] == table[:, 2, :, :1]).all()


# Looking into the next round.


def _ends(row: Row) -> Iterator[tuple[int, int]]:
    """All boards after the last card, by the rules alone, and how the match has ended there: 0 if it goes on."""
    if row[F.played] != 3 or not BUILD.rules.to_act(row):
        yield int(SOLVER.board_of(row)) & BOARDS.PIECES, int(row[F.ending])
        return
    seat, mask = int(BUILD.dice.lowest(BUILD.rules.to_act(row))), BUILD.mask()
    BUILD.rules.legal(row, seat, mask)
    for i in range(BUILD.dice.count_legal(mask)):
        after = BUILD.copy(row)
        BUILD.rules.apply(after, seat, BUILD.dice.nth_legal(mask, i), BUILD.generator(i), BUILD.events(muted=True))
        yield from _ends(after)


def test_an_end_of_the_match_is_worth_what_the_rules_say() -> None:
    """Where the rules end the match after the last card, a look is worth 0 if the phantom is caught, and 1 if not."""
    rows, found = rows_before(3, 1), set[float]()
    while len(found) < 2:
        row = BUILD.copy(next(rows))
        row[F.carlotta] = EXIT - 2
        suspects = [who for who in range(8) if row[F.suspects] >> who & 1]
        rounds = SOLVER.NextRounds(BUILD, row, NO_TABLE, {})
        for me, who in enumerate(suspects):
            plan = SOLUTIONS.Plan(suspects, numpy.eye(len(suspects))[me], None, 0, {})
            world = BUILD.copy(row)
            world[F.identity], world[F.held] = who, -1
            BUILD.rules.redeal(world, -1, BUILD.generator(1))
            for final, ending in set(_ends(world)):
                if ending:
                    value = SOLVER._next_value(plan, final, rounds)
                    assert value == pytest.approx(float(ending in (END.exit, END.fright)), abs=1e-6)
                    found.add(round(value))


def test_nothing_is_looked_into_where_the_round_ends_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then the judged solution is the plain one, whose value is exact."""
    for name in ("values", "by_table"):
        monkeypatch.setattr(SOLVER.NextRounds, name, None)
    monkeypatch.setattr(SOLVER.EvenRounds, "worst", None)
    row = last_round(next(rows_before(2, 1)))
    judged = SOLVER._judged(BUILD, row, numpy.ones(8), NO_TABLE, {}, SOLVER.Clock(30, None))
    solution = SOLUTIONS.Solution(BUILD, row, numpy.ones(8), NO_TABLE)
    solution.run(30)
    assert judged.values.tolist() == solution.values.tolist()
    assert judged.nodes[0].shares.tolist() == solution.choices().shares.tolist()


@pytest.mark.parametrize("played", [0, 2])
def test_what_is_found_in_the_next_round_counts(played: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The better the next round is found to be for the phantom, the more is this one worth to them: for the inspector's opening
    card, and later."""
    table, judge = SOLVER._values()[0], SOLVER._judged if played else SOLVER._opening
    row = next(rows_before(played, 1, 4))
    row[F.carlotta] = EXIT - 7
    found = []
    for chance in (0.03, None, 0.97):

        def values(rounds: Any, final: int, can: int, belief: Any, chance: float | None = chance) -> Any:
            return numpy.full(int((belief > 0).sum()), chance)

        def worst(even: Any, *what: Any, chance: float | None = chance) -> Any:
            return chance

        monkeypatch.setattr(SOLVER.NextRounds, "values", values)
        monkeypatch.setattr(SOLVER.EvenRounds, "worst", worst)
        for name in ("JUDGED", "JUDGED_FIRST"):
            monkeypatch.setattr(SOLVER, name, 3 if chance else 0)
        plan = judge(BUILD, row, numpy.ones(8), table, {}, SOLVER.Clock(40, None))
        found.append(float(plan.values @ plan.prior))
    assert found[0] < found[1] - 0.02 and found[1] + 0.02 < found[2], found


def judged_matches(seat: int) -> Iterator[Match]:
    """Greedy matches, each time that a seat with a secret at the table chooses a card and looks into the next round."""
    for seed in range(3, 9):
        match = match_at(8, seed)
        while match.to_act:
            is_choice = match.to_act == (seat,) and match.row[F.asked] == PICK and int(match.row[F.suspects]).bit_count() > 2
            if is_choice and SOLVER._judge_for(match.row) is not None:
                yield match
            match.play(bots.find("greedy").choose(match.view(match.to_act[0]), bots.Budget(match.ply)), match.to_act[0])


@pytest.mark.parametrize("seat", [INSPECTOR, PHANTOM])
def test_looking_ahead_needs_no_memory_and_changes_no_belief(seat: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a seat believes follows from what was seen, by the plain solutions, whatever it has looked into meanwhile."""
    monkeypatch.setattr(SOLVER, "JUDGED", 2)
    memory: dict[bytes, Any] = {}
    matches, differs = judged_matches(seat), False
    for _ in range(3):
        view = next(matches).view(seat)
        judged = SOLVER.mixture(BUILD, view, memory, 2, None)
        assert judged == SOLVER.mixture(BUILD, view, {}, 2, None)
        thought = SOLVER.think(BUILD, view, memory, SOLVER.Clock(2, None))
        with monkeypatch.context() as plainly:
            plainly.setattr(SOLVER, "_judge_for", lambda row: None)
            plain = SOLVER.think(BUILD, view, {}, SOLVER.Clock(2, None))
        assert plain.belief.tolist() == thought.belief.tolist()
        differs |= plain.plan.values.tolist() != thought.plan.values.tolist()
    assert differs


@pytest.mark.parametrize("seat", [INSPECTOR, PHANTOM])
def test_what_is_hidden_does_not_enter_what_is_looked_into(seat: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever the phantom is, the strategies for all suspects are the same: they are everybody's, and the belief's."""
    monkeypatch.setattr(SOLVER, "JUDGED", 2)
    view = next(judged_matches(seat)).view(seat)
    plans = []
    for who in (who for who in range(8) if view.row[F.suspects] >> who & 1):
        row = list(view.row)
        row[F.identity], row[F.held] = who, 1 << who
        plan = SOLVER.think(BUILD, replace(view, row=tuple(row)), {}, SOLVER.Clock(2, None)).plan
        plans.append([plan.values.tolist(), plan.nodes[0].shares.tolist(), plan.nodes[0].gains.tolist()])
    assert len(plans) > 1 and all(plan == plans[0] for plan in plans)


def test_there_is_no_look_without_the_time_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A look is taken only if one as long as the longest so far would end in time; without any, the table decides."""
    clock = SOLVER.Clock(None, 10.0, now=lambda: 9.7)
    assert clock.can_look(2) and not clock.can_look(4) and not clock.can_look(2, 0.2)
    clock.looked(9.5)
    assert clock.can_look() and not clock.can_look(2)
    for name in ("values", "by_table"):
        monkeypatch.setattr(SOLVER.NextRounds, name, None)
    monkeypatch.setattr(SOLVER.EvenRounds, "worst", None)
    match, asked = match_at(8), set[int]()
    while asked != {1, 2, 3}:
        seat, card = match.to_act[0], int(match.row[F.played])
        if len(match.legal()) > 1 and card not in (0, *asked):
            mixture = SOLVER.mixture(BUILD, match.view(seat), {}, None, 0.0, lambda: 1.0)[0]
            assert abs(sum(mixture.values()) - 1) < 1e-9
            asked.add(card)
        match.play(bots.find("greedy").choose(match.view(seat), bots.Budget(match.ply)), seat)


def test_the_arena_gives_it_processor_time() -> None:
    """As to searches: a busy machine takes nothing from it."""
    bot = _seated_bot("solver:900ms", TournamentSettings("fantome", 2, GAME.settle(None), 1))
    assert isinstance(bot, solver_bot.Solver) and bot.clock is time.thread_time
    assert bot._substitute().clock is time.thread_time


# What it sees.


def match_at(ply: int, seed: int = 3) -> Match:
    """A greedy match at some ply."""
    match = Match(GAME, seed=seed)
    while match.ply < ply:
        seat = match.to_act[0]
        match.play(bots.find("greedy").choose(match.view(seat), bots.Budget(match.ply)), seat)
    return match


def test_memory_changes_nothing() -> None:
    """A seat that remembers earlier solutions of the match answers as one that works them out again."""
    remembering = bots.find("solver:2").sit()
    assert isinstance(remembering, solver_bot.Solver)
    match, asked = match_at(8), 0
    while match.to_act and asked < 5:
        seat = match.to_act[0]
        if seat == INSPECTOR:
            view, asked = match.view(seat), asked + 1
            assert remembering.opinion(view, bots.Budget(1)) == bots.find("solver:2").opinion(view, bots.Budget(1))
        match.play(bots.find("greedy").choose(match.view(seat), bots.Budget(match.ply)), seat)
    assert asked == 5


def test_what_has_been_worked_out_is_found_again() -> None:
    """Asked twice in a match, it solves nothing twice, although fewer are suspected by then."""
    bot = bots.find("solver:2").sit()
    assert isinstance(bot, solver_bot.Solver) and bot.memory is not None
    match, cards, suspects = match_at(1), 1, set[int]()
    while match.to_act and match.row[F.round] < 4:
        seat = match.to_act[0]
        if seat == INSPECTOR:
            bot.opinion(match.view(seat), bots.Budget(1))
            assert sum(isinstance(one, SOLUTIONS.Plan) for one in bot.memory.values()) <= cards
            suspects.add(match.row[F.suspects])
        cards += match.row[F.asked] == PICK
        match.play(bots.find("greedy").choose(match.view(seat), bots.Budget(match.ply)), seat)
    assert len(suspects) > 1


def test_the_solver_leaks_nothing() -> None:
    """In worlds that a seat cannot tell apart it chooses the same."""
    report = audit(GAME, 2, 3, 1, bots=(bots.find("solver:2"),))
    assert {} == dict(report.leaks), report.examples


def test_a_small_search_tells_who_a_searching_phantom_is() -> None:
    """Over the choices of a phantom who searches, the true suspect is likelier than by chance; by what everybody knows."""
    gains: list[float] = []
    seed, match = 11, Match(GAME, seed=11)
    while len(gains) < 25:
        seat = match.to_act[0]
        action = bots.find("search:300").choose(match.view(seat), bots.Budget(match.ply))
        suspects = [who for who in range(8) if match.row[F.suspects] >> who & 1]
        if seat == PHANTOM and len(match.legal()) > 1 and len(suspects) > 2:
            row = HISTORY.public_row(BUILD, BUILD.copy(match.row))
            assert row[F.identity] == row[F.held] == 0
            likely = HISTORY.searched(BUILD, row, action, numpy.ones(8))
            assert likely.tolist() == HISTORY.searched(BUILD, row, action, numpy.ones(8)).tolist()
            gains.append(numpy.log(likely[match.row[F.identity]] / likely[suspects].mean()))
        match.play(action, seat)
        if not match.to_act:
            seed += 1
            match = Match(GAME, seed=seed)
    assert sum(gains) > 1, gains


def test_an_inspector_who_knew_would_be_seen() -> None:
    """The comparison of the audit can fail: with the phantom's identity in the belief, the inspector's mixture differs."""
    match = next(one for ply in range(12, 40) if (one := match_at(ply)).to_act == (INSPECTOR,) and len(one.legal()) > 1)
    view = match.view(INSPECTOR)
    suspects = [who for who in range(8) if view.row[F.suspects] >> who & 1]

    def planted(who: int) -> Any:
        row = list(view.row)
        row[F.identity] = who
        belief = numpy.full(8, 0.001)
        belief[row[F.identity]] = 1
        solution = SOLUTIONS.Solution(BUILD, BUILD.copy(row), belief, numpy.full(ENDS.SHAPE, 0.5, numpy.float32))
        solution.run(5)
        return solution.plan().nodes[0].shares.tolist()

    assert len({str(planted(who)) for who in suspects}) > 1
    honest = [SOLVER.mixture(BUILD, replace(view, row=view.row), {}, 2, None)[0] for _ in suspects]
    assert all(one == honest[0] for one in honest)


def test_the_phantom_mixes_and_the_inspector_believes_it() -> None:
    """The belief is the posterior of the strategy that the phantom draws from: a choice of one suspect alone tells on them."""
    row = next(rows_before(0, 0, 9))
    solution = SOLUTIONS.Solution(BUILD, row, numpy.ones(8), numpy.full(ENDS.SHAPE, 0.5, numpy.float32))
    solution.run(20)
    plan = solution.plan()
    one = SOLVER.Activation(row, PHANTOM)
    for final, choice in list(plan.nodes[0].keys.items())[:10]:
        likely, node = SOLVER.likelihood(plan, 0, replace(one, final=final))
        assert node == plan.nodes[0].children[choice]
        expected = (1 - SOLVER.DOUBT) * plan.nodes[0].shares[choice]
        assert (likely >= expected - 1e-9).all() and (likely <= expected + SOLVER.DOUBT + 1e-9).all()


# Where it does not play.


def test_with_another_box_the_search_plays_and_says_so(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table of values is of one box: with another the search decides, and a warning says why."""
    solver_bot._say_once.cache_clear()
    monkeypatch.setattr(solver_bot, "SUBSTITUTE", 30)
    match = Match(find("fantome", "tiny"), seed=1)
    seat = match.to_act[0]
    view, budget = match.view(seat), bots.Budget(1, target="python")
    with caplog.at_level(logging.WARNING):
        opinion = bots.find("solver:20").opinion(view, budget)
    assert opinion == bots.find("search:30").opinion(view, budget)
    assert "another box: the search plays instead" in caplog.text


def test_not_every_game_has_a_solver() -> None:
    """A game without one says so."""
    assert solver_bot.reason_against(find("opera")) == "opera has no solver"
    assert solver_bot.reason_against(GAME) is None


def test_names() -> None:
    """It is found with a number of iterations or a time."""
    assert bots.find("solver:50") == solver_bot.Solver(50, name="solver:50")
    assert bots.find("solver:250ms") == solver_bot.Solver(None, 0.25, "solver:250ms")
    assert bots.find("solver").is_repeatable and not bots.find("solver:1s").is_repeatable
    with pytest.raises(bots.UnknownBot):
        bots.find("solver:0")
