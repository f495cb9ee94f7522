"""The compiled tree search: what it finds, checked against enumeration and against reasons from outside."""

from __future__ import annotations

import random
from typing import Any

import pennies
import pytest
from conftest import Setup

from ridotto.core.game import Game
from ridotto.engine.arrays import SearchRequest
from ridotto.engine.build import Build
from ridotto.engine.fields import HIDDEN, Row, Seat
from ridotto.games import GAMES

SETTINGS = {"c_puct": 1000, "random": 0, "fpu_reduction": 100, "opponent_update_rate": 500, "ahead": 0}


def hide(build: Build, row: Row, seat: Seat | None) -> Row:
    """A row with everything blanked that a seat may not know."""
    words = [int(word) for word in row]
    for index in build.rules.FIELDS.hidden(seat):
        words[index] = HIDDEN
    return build.copy(words)


class Look:
    """A search from one position: the visits, prior and mean value of each root action, and the arrays it left."""

    def __init__(self, build: Build, row: Row, seat: Seat, playouts: int, seed: int = 1, **settings: int) -> None:
        search = self.search = build.search
        slots = 64
        while slots < 2 * playouts:
            slots *= 2
        tree = build.tree(slots, slots * 24)
        self.nodes, self.edges, self.counters = tree.nodes, tree.edges, tree.counters
        request = SearchRequest(
            masked=hide(build, row, seat),
            public=hide(build, row, None),
            seat=seat,
            belief=build.copy(build.bot.believe(build, None), "int64"),
            settings=build.copy([(SETTINGS | settings)[name] for name in SETTINGS], "int64"),
        )
        self.root = search.search(request, playouts, tree, build.workspace(build.generator(seed)))
        self.visits, self.value = {}, {}
        for edge in self.edges_of(self.root):
            action, tried = int(edge[search.ACTION]), int(edge[search.VISITS])
            self.visits[action] = tried
            self.value[action] = edge[search.SUM] / tried if tried else 0.0

    def edges_of(self, node: int) -> list[list[float]]:
        """The edges of a node."""
        search, first = self.search, int(self.nodes[node + self.search.FIRST])
        return [
            [float(word) for word in self.edges[edge * search.EDGE : (edge + 1) * search.EDGE]]
            for edge in range(first, first + int(self.nodes[node + search.COUNT]))
        ]

    @property
    def best(self) -> int:
        """The action that was tried most."""
        return max(self.visits, key=lambda action: self.visits[action])


def deal(build: Build, seats: int, seed: int, **options: int) -> Row:
    """A fresh table."""
    row, chosen = build.row(), [options.get(option.name, option.default) for option in build.rules.OPTIONS]
    build.rules.deal(row, seats, build.copy(chosen), build.generator(seed), build.events(muted=True))
    return row


def legal(build: Build, row: Row, seat: Seat) -> list[int]:
    """What a seat may do."""
    mask = build.mask()
    build.rules.legal(row, seat, mask)
    words = [int(word) for word in mask]
    return [32 * at + bit for at, word in enumerate(words) if word for bit in range(32) if word >> bit & 1]


def after(build: Build, row: Row, seat: Seat, action: int, draws: list[int]) -> tuple[Row, int]:
    """The row after an action with these draws, and how many outcomes a missing draw has."""
    copy, tape = build.copy(row), build.tape(draws)
    build.rules.apply(copy, seat, action, tape, build.events(muted=True))
    return copy, int(tape[3])


def outcomes(build: Build, row: Row, seat: Seat, action: int) -> list[tuple[float, Row]]:
    """Everything that chance can make of an action, each with its probability."""
    found, waiting = [], [(1.0, list[int]())]
    while waiting:
        share, draws = waiting.pop()
        then, missing = after(build, row, seat, action, draws)
        if missing:
            waiting += [(share / missing, [*draws, outcome]) for outcome in range(missing)]
        else:
            found.append((share, then))
    return found


def matches(build: Build, seats: int, seeds: range, **options: int) -> Any:
    """Every decision of matches played by the game's own bot: the row and the seat that owes it."""
    mask, muted, spare = build.mask(), build.events(muted=True), build.row()
    for seed in seeds:
        row, dice = deal(build, seats, seed, **options), build.generator(seed, 1)
        while waiting := int(build.rules.to_act(row)):
            seat = int(build.dice.lowest(waiting))
            yield row, seat
            build.rules.legal(row, seat, mask)
            action = build.bot.policy(row, seat, mask, dice, muted, spare)
            build.rules.apply(row, seat, action, dice, muted)


# The tree.


def test_root_has_the_legal_actions(setup: Setup) -> None:
    """Wherever a seat is to act, the root's edges are its legal actions, and every playout that began there is counted."""
    walk = setup.walk("python", 3)
    for i, (_, _) in enumerate(walk):
        if i % 9 == 0:
            seat = walk.owing()[-1]
            found = Look(walk.build, walk.row, seat, 6)
            assert walk.legal(seat) == list(found.visits)
            counters, search = found.counters, found.search
            assert counters[search.ROOT_PLAYOUTS] == sum(found.visits.values()) <= counters[search.PLAYOUTS] == 6


def test_a_full_tree_is_searched_on() -> None:
    """When there is no room for more nodes, playouts go on and are counted at the root."""
    build = GAMES["fantome"].build("python")
    search, row = build.search, deal(build, 2, 1)
    tree = build.tree(16, 64)
    request = SearchRequest(hide(build, row, 0), hide(build, row, None), 0, [256] * 8, list(SETTINGS.values()))
    search.search(request, 60, tree, build.workspace(build.generator(1)))
    counters = tree.counters
    assert 60 == counters[search.PLAYOUTS]
    assert counters[search.NODES] <= 12 and counters[search.EDGES] <= 64


def test_own_worlds_teach_the_rivals_nothing() -> None:
    """With the phantom's secret known in every playout no node of the inspector learns; with every world open they do."""
    build = GAMES["fantome"].build("python")
    search, rules = build.search, build.rules

    def replies(row: Row) -> list[Row]:
        """The rows in which the inspector answers at once."""
        rows = (after(build, row, 1, action, []) for action in legal(build, row, 1))
        return [then for then, missing in rows if not missing and rules.to_act(then) == 1]

    row = next(list(row) for row, seat in matches(build, 2, range(9)) if seat == 1 and len(replies(row)) > 3)
    for rate, learns in ((0, False), (1000, True)):
        found = Look(build, row, 1, 80, opponent_update_rate=rate)
        tried = 0.0
        for then in replies(row):
            keys = (
                search.hash_infostate(then, 0, multipliers)
                for multipliers in (search.FIRST_MULTIPLIERS, search.SECOND_MULTIPLIERS)
            )
            tried += sum(edge[search.VISITS] for edge in found.edges_of(search.slot_of(found.nodes, *keys)))
        assert learns == (tried > 0)


def test_knowledge_is_the_key() -> None:
    """Two rows have one key for a seat exactly if it sees the same in both."""
    build = GAMES["fantome"].build("python")
    rules: Any = build.rules
    search, row = build.search, deal(build, 2, 5)
    other = list(row)
    other[rules.F.identity] = (row[rules.F.identity] + 1) % 8
    assert search.hash_infostate(row, 0, search.FIRST_MULTIPLIERS) == search.hash_infostate(other, 0, search.FIRST_MULTIPLIERS)
    assert search.hash_infostate(row, 1, search.FIRST_MULTIPLIERS) != search.hash_infostate(other, 1, search.FIRST_MULTIPLIERS)
    keys = {
        search.hash_infostate(hide(build, row, 0), 0, multipliers)
        for row, _ in matches(build, 2, range(3))
        for multipliers in (search.FIRST_MULTIPLIERS,)
    }
    seen = {tuple(hide(build, row, 0)) for row, _ in matches(build, 2, range(3))}
    assert len(seen) == len(keys)


# Forced wins and exact values.


def test_inspector_takes_a_sure_win() -> None:
    """Where some action catches the phantom whoever it is, and another does not, the search chooses one that does.

    By enumeration: a round's last decision, both suspects tried as the phantom.
    """
    build = GAMES["fantome"].build("cpu")
    rules: Any = build.rules
    F, tried = rules.F, 0
    for row, seat in matches(build, 2, range(400)):
        if seat != 0 or row[F.played] != 3 or bin(row[F.suspects]).count("1") != 2 or row[F.active] == rules.RAOUL:
            continue
        sure = {}
        for action in legal(build, row, 0):
            ends = []
            for who in range(8):
                if row[F.suspects] >> who & 1:
                    world = build.copy([int(word) for word in row])
                    world[F.identity] = who
                    ends.append(after(build, world, 0, action, [0] * 8)[0])
            if all(then[F.played] != 3 or then[F.ending] for then in ends):
                sure[action] = all(rules.winners(then) == 1 for then in ends)
        # Only where the round is over whatever is done.
        if len(sure) == len(legal(build, row, 0)) and len(set(sure.values())) == 2:
            tried += 1
            assert sure[Look(build, row, 0, 400).best]
        if tried == 5:
            break
    assert 5 == tried


def best_end(build: Build, row: Row, seat: Seat, room: list[int]) -> float | None:
    """What a seat of two can force: win shares at the end, every action tried; None if that takes too long or needs chance."""
    rules: Any = build.rules
    waiting = int(rules.to_act(row))
    if not waiting:
        won = int(rules.winners(row))
        return (won >> seat & 1) / max(1, bin(won).count("1"))
    mover, values = int(build.dice.lowest(waiting)), []
    for action in legal(build, row, mover):
        room[0] -= 1
        then, missing = after(build, row, mover, action, [])
        value = None if missing or room[0] < 0 else best_end(build, then, seat, room)
        if value is None:
            return None
        values.append(value)
    return max(values) if mover == seat else min(values)


def test_opera_is_played_out_without_a_slip() -> None:
    """Late in a match of two, where everything can be tried, the search plays what wins, and is sure of it."""
    build = GAMES["opera"].build("cpu")
    rules: Any = build.rules
    tried = 0
    for row, seat in matches(build, 2, range(60)):
        choices = legal(build, row, seat)
        if row[rules.F.round] < rules.ROUNDS or row[rules.F.asked] == rules.BID or len(choices) < 2:
            continue
        room, values = [300], {}
        for action in choices:
            then, missing = after(build, row, seat, action, [])
            value = None if missing else best_end(build, then, seat, room)
            if value is None:
                break
            values[action] = value
        if len(values) < len(choices) or len(set(values.values())) == 1:
            continue
        tried += 1
        found = Look(build, row, seat, 1500)
        assert max(values.values()) == values[found.best]
        assert abs(values[found.best] - found.value[found.best]) < 0.12
        if tried == 10:
            break
    assert 10 == tried


def test_turandot_is_cast_to_win() -> None:
    """Where the last roles decide a match of two, they are cast so that it is won, by trying out all castings."""
    build = GAMES["turandot"].build("cpu")
    rules: Any = build.rules
    tried = 0
    F = rules.F
    for row, seat in matches(build, 2, range(1500)):
        if row[F.asked] != rules.CAST or seat != 1 or row[F.assigned + 1] != 4:
            continue
        values = {action: best_end(build, after(build, row, 1, action, [])[0], 1, [50]) for action in legal(build, row, 1)}
        if len(set(values.values())) == 1:
            continue
        tried += 1
        found = Look(build, row, 1, 300)
        assert max(value for value in values.values() if value is not None) == values[found.best]
        if tried == 4:
            break
    assert 4 == tried


def test_value_is_that_of_full_enumeration() -> None:
    """Whether to call a liar with one die each: the mean over all that the rival may have rolled."""
    build = GAMES["liars_dice"].build("python")
    rules: Any = build.rules
    F, A, sides = rules.F, rules.A, rules.SIDES
    for seed, number in enumerate((2, 8, 10, 0)):
        row = deal(build, 2, seed, dice=1)
        row, _ = after(build, row, 0, A.bid + number, [])
        exact = 0.0
        for theirs in range(sides):
            world = list(row)
            world[F.cup : F.cup + sides] = [int(face == theirs) for face in range(sides)]
            exact += (rules.winners(after(build, world, 1, A.liar, [])[0]) >> 1 & 1) / sides
        found = Look(build, row, 1, 2500, seed, c_puct=2000)
        # The mean of n draws from [0, 1] is rarely off by more than two over the root of n.
        assert abs(exact - found.value[A.liar]) <= 2 / max(1, found.visits[A.liar]) ** 0.5
        assert exact < 1 or A.liar == found.best


def test_simultaneous_choices_are_mixed() -> None:
    """Where two seats play matching pennies, each tries either choice about as often."""
    build = pennies.game.build("python")
    row = deal(build, 2, 1)
    for seat in range(2):
        found = Look(build, row, seat, 4000, opponent_update_rate=1000)
        assert 4000 == sum(found.visits.values())
        assert all(0.42 < times / 4000 < 0.58 for times in found.visits.values())


def test_order_of_arrival_tells_nothing(games: dict[str, Game]) -> None:
    """A bid that is in already is one that a search lets the rival make anew: it finds the same either way."""
    for game, seats in ((pennies.game, 2), (games["opera"], 3)):
        build = game.build("python")
        row = deal(build, seats, 4)
        waiting = after(build, row, 1, legal(build, row, 1)[-1], [])[0]
        one, other = Look(build, row, 0, 40), Look(build, waiting, 0, 40)
        assert one.visits == other.visits and one.value == other.value


@pytest.mark.parametrize("name", GAMES)
def test_judgements_add_up(games: dict[str, Game], name: str) -> None:
    """Wherever a match is judged the hopes of all seats make one win, and a match that is over is always judged."""
    build = games[name].build("python")
    rules: Any = build.rules
    for seats in games[name].seats:
        for seed in range(2):
            row, dice, mask = deal(build, seats, seed), build.generator(seed, 1), build.mask()
            judged = 0
            while True:
                values, spare = build.array(8, "int64"), build.row()
                waiting = rules.to_act(row)
                if build.bot.value(row, values, spare):
                    judged += 1
                    assert all(0 <= value <= 10_000 for value in values)
                    if waiting:
                        assert 9_900 <= sum(values) <= 10_000
                else:
                    assert waiting
                if not waiting:
                    break
                seat = random.Random(f"{seed} {judged}").choice([one for one in range(seats) if waiting >> one & 1])
                rules.legal(row, seat, mask)
                action = build.driver.random_action(mask, dice)
                rules.apply(row, seat, action, dice, build.events(muted=True))
            assert judged >= 1
