"""Pairing: every stated rule in random tournaments, optimal beside brute force, resumed after a crash, quick enough."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from pathlib import Path
from random import Random
from time import process_time

import pytest
from random_tournaments import disturb, play, random_tournament

import ridotto.club
from ridotto.club.pairing import BadTournament, Player, Settings, Tournament, rules, standings
from ridotto.club.pairing.draw import draw_round
from ridotto.club.pairing.programme import Problem
from ridotto.club.pairing.rules import bye_rule, line, table_sizes
from ridotto.club.pairing.seating import fair_seating
from ridotto.club.pairing.standings import encounters


def by_hand(tournament: Tournament) -> tuple[int, int, int]:
    """Repeats, bye places and distance of the last round, counted from the names."""
    last = tournament.rounds[-1]
    before = Tournament(tournament.settings, tournament.players, set(tournament.away), tournament.rounds[:-1])
    certain = bye_rule(before, len(last.byes)).certain
    standing = line(before, [name for name in before.present if name not in certain])
    at = dict(zip(standing.names, standing.positions, strict=True))
    pairs = [tuple(sorted(pair)) for table in last.tables for pair in combinations(table.players, 2)]
    repeats = sum(before.meetings()[pair[0], pair[1]] for pair in pairs)
    places = sum(len(at) - 1 - standing.names.index(name) for name in last.byes if name not in certain)
    return repeats, places, sum((at[one] - at[other]) ** 2 for one, other in pairs)


def check_round(tournament: Tournament) -> None:
    """The last round keeps every rule that can be seen from it."""
    settings, last = tournament.settings, tournament.rounds[-1]
    everybody = [name for table in last.tables for name in table.players] + list(last.byes)
    assert sorted(everybody) == sorted(tournament.present), "everybody present once, nobody else"
    is_circle = settings.system == "round robin" and settings.seats == 2
    sizes = Counter(len(table.players) for table in last.tables)
    if not is_circle:
        stated = table_sizes(len(tournament.present), settings.seats, settings.smallest)
        assert (Counter(stated.tables), stated.byes) == (sizes, len(last.byes))
        byes = tournament.byes()
        for name in last.byes:
            assert all(byes[other] >= byes[name] - 1 for other in tournament.present), "a bye before everybody had one"
        assert "optimal" == last.certificate.status and 0 == last.certificate.gap
        assert by_hand(tournament) == (last.certificate.repeats, last.certificate.bye_places, last.certificate.distance)

    # Seats: no other order of a table has a smaller sum of squared counts.
    taken = Tournament(settings, tournament.players, set(), tournament.rounds[:-1]).seats_taken()
    for table in last.tables:
        orders = permutations(table.players)
        assert seat_sum(table.players, taken, settings.legs) == min(seat_sum(order, taken, settings.legs) for order in orders)


def seat_sum(order: Sequence[str], taken: dict[str, list[int]], legs: int) -> int:
    """The sum of the squared counts of seats of these players after a match in this order."""
    total = 0
    for at, name in enumerate(order):
        seats = Counter([*taken[name], *((at - leg) % len(order) for leg in range(legs))])
        total += sum(count * count for count in seats.values())
    return total


def check_standings(tournament: Tournament) -> None:
    """Points add up, places follow the values shown, and every player has played, had a bye or missed each round."""
    lines = standings(tournament)
    assert sorted(tournament.names) == sorted(one.name for one in lines)
    assert list(range(1, len(lines) + 1)) == [one.place for one in lines]
    keys = [
        (-one.score, *(-one.tie_breaks[name] for name in tournament.settings.tie_breaks), one.tie_breaks["lot"])
        for one in lines
    ]
    assert keys == sorted(keys)
    for one in lines:
        assert len(tournament.rounds) == one.tables + one.byes + one.missed
    paired = sum(one.tables + one.byes for one in lines)
    assert sum(one.score for one in lines) == pytest.approx(paired), "an even share is one point, and so is a bye"


def run(seed: int, is_resumed: bool = False) -> Tournament:
    """A whole random tournament, every rule checked after every round."""
    tournament, dice = random_tournament(seed)
    while not tournament.is_finished:
        tournament.next_round()
        if is_resumed:
            tournament = Tournament.from_json(tournament.to_json())
        check_round(tournament)
        play(tournament, dice)
        if is_resumed:
            tournament = Tournament.from_json(tournament.to_json())
        check_standings(tournament)
        disturb(tournament, dice)
    return tournament


@pytest.mark.parametrize("seed", range(40))
def test_rules_hold_in_random_tournaments(seed: int) -> None:
    """Every stated rule, in every round, with late entries and withdrawals."""
    run(seed)


@pytest.mark.soak
@pytest.mark.parametrize("block", range(20))
def test_rules_hold_in_a_thousand_tournaments(block: int) -> None:
    """The same in 1,000 of them."""
    for seed in range(1000 + 50 * block, 1050 + 50 * block):
        run(seed)


@pytest.mark.parametrize("seed", range(8))
def test_resumed_after_a_crash_it_ends_the_same(seed: int) -> None:
    """Written as JSON and read again after each pairing and each round: the same rounds and standings."""
    whole, resumed = run(seed), run(seed, is_resumed=True)
    assert [(one.tables, one.byes) for one in whole.rounds] == [(one.tables, one.byes) for one in resumed.rounds]
    assert standings(whole) == standings(resumed)


def test_byes_go_around() -> None:
    """Three of seven have a bye each round: after the second one somebody without a bye is left, who has one in the third."""
    tournament, dice = Tournament(Settings(seats=4, rounds=5), [Player(f"P{number}", number) for number in range(7)]), Random(1)
    while not tournament.is_finished:
        tournament.next_round()
        check_round(tournament)
        byes = [tournament.byes()[name] for name in tournament.names]
        assert max(byes) - min(byes) <= 1 and sum(byes) == 3 * len(tournament.rounds)
        play(tournament, dice)


def partitions(places: tuple[int, ...], sizes: tuple[int, ...]) -> Iterator[list[tuple[int, ...]]]:
    """Every way to seat these players at tables whose sizes are some of these."""
    if not places:
        yield []
        return
    for size in sorted(set(sizes)):
        left = list(sizes)
        left.remove(size)
        for rest in combinations(places[1:], size - 1):
            table = (places[0], *rest)
            for others in partitions(tuple(place for place in places if place not in table), tuple(left)):
                yield [table, *others]


def best_by_force(tournament: Tournament) -> tuple[int, int, int]:
    """The best (repeats, bye places, distance) in lexicographic order, by looking at every pairing."""
    settings = tournament.settings
    sizes = table_sizes(len(tournament.present), settings.seats, settings.smallest)
    byes = bye_rule(tournament, sizes.byes)
    standing = line(tournament, [name for name in tournament.present if name not in byes.certain])
    met = tournament.meetings()
    count, best = len(standing.names), None
    for free in combinations([at for at, name in enumerate(standing.names) if name in byes.eligible], byes.open):
        for tables in partitions(tuple(at for at in range(count) if at not in free), sizes.tables):
            pairs = [pair for table in tables for pair in combinations(table, 2)]
            names = [tuple(sorted((standing.names[a], standing.names[b]))) for a, b in pairs]
            repeats = sum(met[one, other] for one, other in names)
            distance = sum((standing.positions[a] - standing.positions[b]) ** 2 for a, b in pairs)
            value = (repeats, sum(count - 1 - at for at in free), distance)
            best = value if best is None else min(best, value)
    assert best is not None
    return best


@pytest.mark.parametrize(
    ("players", "seats", "least"),
    [(8, 2, 2), (9, 2, 2), (9, 3, 3), (8, 3, 2), (7, 3, 3), (8, 4, 4), (9, 4, 3), (9, 5, 4), (10, 5, 5)],
)
def test_the_pairing_is_optimal(players: int, seats: int, least: int) -> None:
    """No pairing is better by the rules in their order: in six rounds, so that repeats cannot be avoided."""
    dice = Random(players * seats)
    entries = [Player(f"P{number}", float(dice.randint(800, 1600))) for number in range(players)]
    tournament = Tournament(Settings(seats=seats, rounds=6, least=least, seed=3), entries)
    while not tournament.is_finished:
        expected = best_by_force(tournament)
        certificate = tournament.next_round().certificate
        assert expected == (certificate.repeats, certificate.bye_places, certificate.distance)
        play(tournament, dice)


def test_weights_keep_the_order_of_the_rules() -> None:
    """One repeat costs more than the worst byes and distances together, a bye one place higher more than those."""
    import numpy as np

    positions = np.array([0, 1, 6, 11, 12, 13, 20], dtype=np.int64)
    problem = Problem(positions, np.zeros((7, 7), dtype=np.int64), (3, 3), 1, np.ones(7, dtype=bool), 1.0)
    repeat, bye = problem.weights()
    worst = max(
        problem.certificate([table, [at for at in range(7) if at not in (*table, free)]], [free], "greedy").distance
        for free in range(7)
        for table in combinations([at for at in range(7) if at != free], 3)
    )
    assert bye > worst and repeat > 6 * bye + worst


def test_greedy_is_never_better() -> None:
    """Beside the programme, round by round of the same tournament, and worse somewhere."""
    tournament, dice = Tournament(Settings(seats=4, rounds=6), [Player(f"P{i}", 1000.0 + 7 * i) for i in range(16)]), Random(5)
    is_worse = False
    while not tournament.is_finished:
        greedy = draw_round(tournament, "greedy").certificate
        programme = tournament.next_round().certificate
        assert programme.objective <= greedy.objective
        is_worse |= programme.repeats < greedy.repeats
        play(tournament, dice)
    assert is_worse


@pytest.mark.parametrize("size", [(64, 4, 3), (13, 3, 6)])
def test_a_round_is_paired_in_time(size: tuple[int, int, int]) -> None:
    """64 at tables of four, 13 at tables of three: each round proven optimal, within 2 s of CPU time."""
    players, seats, rounds = size
    dice = Random(1)
    entries = [Player(f"P{number}", dice.gauss(1000, 200)) for number in range(players)]
    tournament = Tournament(Settings(seats=seats, rounds=rounds), entries)
    import ridotto.club.pairing.programme  # noqa: F401

    while not tournament.is_finished:
        begun = process_time()
        assert "optimal" == tournament.next_round().certificate.status
        assert process_time() - begun < 2
        play(tournament, dice)


def test_no_time_is_said() -> None:
    """Where the time limit ends the search, the certificate says so, its bound holds, and the pairing keeps the rules."""
    entries = [Player(f"P{number}", float(number * number % 101)) for number in range(30)]
    hurried = Tournament(Settings(seats=3, rounds=6, limit_s=0.0), entries)
    dice = Random(2)
    statuses = set()
    for _ in range(5):
        patient = Tournament(Settings(seats=3, rounds=6), entries, set(), list(hurried.rounds))
        best = patient.next_round().certificate
        got = hurried.next_round().certificate
        statuses.add(got.status)
        assert got.bound <= best.objective <= got.objective
        if got.status == "optimal":
            assert got.objective == best.objective
        play(hurried, dice)
    assert "time limit" in statuses


@pytest.mark.parametrize("players", [2, 5, 6, 9, 12])
@pytest.mark.parametrize("legs", [1, 2])
def test_round_robin_for_two(players: int, legs: int) -> None:
    """Everybody plays everybody once, byes are shared, and of two legs everybody has each role once."""
    tournament = Tournament(Settings(2, "round robin", legs=legs), [Player(f"P{number}") for number in range(players)])
    while not tournament.is_finished:
        assert len(tournament.rounds) < players + 1
        tournament.next_round()
        play(tournament, Random(1))
    assert {1} == {tournament.meetings()[pair] for pair in combinations(sorted(tournament.names), 2)}
    assert players - 1 + players % 2 == len(tournament.rounds)
    assert {players % 2} == {tournament.byes()[name] for name in tournament.names}
    for seats in tournament.seats_taken().values():
        assert abs(seats.count(0) - seats.count(1)) <= (0 if legs == 2 else 2)


@pytest.mark.parametrize(("players", "seats"), [(7, 3), (9, 3), (8, 4), (10, 5)])
def test_round_robin_for_many(players: int, seats: int) -> None:
    """It goes on until everybody has met everybody, and ends."""
    tournament = Tournament(Settings(seats, "round robin"), [Player(f"P{number}") for number in range(players)])
    while not tournament.is_finished:
        assert len(tournament.rounds) < 4 * players
        tournament.next_round()
        play(tournament, Random(1))
    assert all(tournament.meetings()[pair] for pair in combinations(sorted(tournament.names), 2))


def test_seats_stay_fair() -> None:
    """Over eight rounds of four seats nobody has had one seat three times more often than another."""
    tournament, dice = Tournament(Settings(seats=4, rounds=8), [Player(f"P{i}", 10.0 * i) for i in range(16)]), Random(1)
    while not tournament.is_finished:
        tournament.next_round()
        play(tournament, dice)
    for seats in tournament.seats_taken().values():
        counts = [seats.count(seat) for seat in range(4)]
        assert max(counts) - min(counts) <= 2
    assert ("B", "A") == fair_seating(["A", "B"], {"A": [0], "B": [1]}, 1, Random(1))


def test_tie_breaks_in_their_order() -> None:
    """Opposition, then encounters, then wins, then luck, then the lot: a case for each, made by hand."""

    def evening(results: Sequence[str], luck: bool = False) -> Tournament:
        tournament = Tournament(Settings(seats=2, rounds=9), [Player(name, -at) for at, name in enumerate("ABCD")])
        from ridotto.club.pairing import Certificate, Round, Table

        for one in results:
            tables = []
            for pair in one.split():
                shares = ((0.5, 0.5),) if pair[0] == "=" else ((1.0, 0.0),)
                names = pair.lstrip("=")
                tables.append(
                    Table(tuple(names), shares, (0.9, 0.1) if luck and names[0] == "B" else (0.5, 0.5) if luck else None)
                )
            tournament.rounds.append(Round(tuple(tables), (), Certificate("schedule", 0, 0, 0)))
        return tournament

    def places(tournament: Tournament) -> list[str]:
        return [one.name for one in standings(tournament)]

    # A and B have won once each; A's opponent is the one who has won as well.
    order = standings(evening(["AC BD", "CD =AB"]))
    assert ["A", "B"] == [one.name for one in order][:2] and [5.0, 3.0] == [one.tie_breaks["opposition"] for one in order][:2]
    # All have met each other once and have two points but D: opposition is equal, and so is what they won off each other.
    ring = {one.name: one for one in standings(evening(["AB CD", "BC AD", "CA BD"]))}
    assert {0.0} == {ring[name].tie_breaks["encounters"] for name in "ABC"}
    # B beat A when they met: two points at tables where the mean of both is one.
    met = evening(["BA CD", "AC DB"])
    tables = [one.table_of("B") for one in met.rounds]
    assert 1.0 == encounters("B", [table for table in tables if table], ["A", "B"])
    assert 0.0 == encounters("B", [table for table in tables if table], ["B", "C"]), "they never met"
    assert {1.0} == {one.tie_breaks["wins"] for one in standings(met)}
    # Nothing but the lot.
    met = evening(["=AB =CD"])
    lots = sorted("ABCD", key=met.lot)
    assert lots == places(evening(["=AB =CD"])), "all equal: the lot"
    lucky = standings(evening(["BA CD"], luck=True))
    assert (
        ["B", "C"] == [one.name for one in lucky][:2]
        and 1.8 == lucky[0].tie_breaks["luck"]
        and 1.0 == lucky[1].tie_breaks["luck"]
    )


def test_what_cannot_be_is_refused() -> None:
    """Settings, entries and results that make no sense, each with its reason."""
    for wrong in (
        lambda: Settings(seats=6, rounds=3),
        lambda: Settings(seats=3, rounds=3, least=4),
        lambda: Settings(seats=3),
        lambda: Settings(seats=3, rounds=0),
        lambda: Settings(seats=2, rounds=3, legs=3),
        lambda: Settings(seats=2, rounds=3, tie_breaks=("beauty",)),
        lambda: Tournament(Settings(seats=2, rounds=1), [Player("A"), Player("A")]),
        lambda: Tournament(Settings(seats=3, rounds=1), [Player("A"), Player("B")]).next_round(),
        lambda: Tournament(Settings(seats=2, rounds=1)).withdraw("A"),
        lambda: Tournament.from_json("{}"),
    ):
        with pytest.raises(BadTournament):
            wrong()
    tournament = Tournament(Settings(2, "round robin"), [Player("A"), Player("B"), Player("C")])
    table = tournament.next_round().tables[0]
    for shares in ({"X": 1.0}, {table.players[0]: 0.5}, {table.players[0]: 2.0, table.players[1]: -1.0}):
        with pytest.raises(BadTournament):
            tournament.record(0, shares)
    with pytest.raises(BadTournament, match="not over"):
        tournament.next_round()
    with pytest.raises(BadTournament, match="too late"):
        tournament.join(Player("D"))
    tournament.record(0, {table.players[0]: 1.0})
    with pytest.raises(BadTournament, match="all its results"):
        tournament.record(0, {table.players[0]: 1.0})


def test_the_rules_are_printed() -> None:
    """In plain English, numbered, with what the settings change."""
    text = rules(Settings(seats=2, rounds=5, legs=2, bye_points=2))
    assert "Each table plays 2 matches" in text and "a bye brings 2" in text
    assert [f"{number}." for number in range(1, 10)] == [one.split()[0] for one in text.splitlines()]
    assert "circle method" in rules(Settings(2, "round robin")) and "circle method" not in rules(Settings(3, "round robin"))


def test_nothing_of_ridotto_is_needed() -> None:
    """Pairing and ratings load no other part of the package but its own; the solver is loaded for the first round."""
    program = (
        "import sys, ridotto; before = set(sys.modules); import ridotto.club.pairing, ridotto.club.ratings\n"
        "print([one for one in set(sys.modules) - before if one.startswith('ridotto') and not one.startswith('ridotto.club')],"
        " 'scipy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "[] False" == done.stdout.strip()
    folder = Path(ridotto.club.__file__).parent
    for path in (*folder.glob("pairing/*.py"), folder / "ratings.py"):
        for row in path.read_text("utf-8").splitlines():
            if row.strip().startswith(("from ridotto", "import ridotto")):
                assert "ridotto.club" in row, path
