"""Tournaments: the same deals for both sides, ratings and tests as by hand, results that survive anything."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import log
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from ridotto.arena import certificate
from ridotto.arena.board import Board
from ridotto.arena.certificate import Certificate, StrengthQuestion
from ridotto.arena.ledger import Ledger, Result
from ridotto.arena.rating import Rating, Score, ratings, wilson
from ridotto.arena.schedule import BadTournament, Pairing, TournamentSettings, pairings
from ridotto.arena.sprt import SPRT
from ridotto.arena.standings import standings
from ridotto.arena.tournament import DealTask, PairingProgress, play_match, run_tournament
from ridotto.bots.workers import WorkerFailed, WorkerPool
from ridotto.cli import cli
from ridotto.core.match import Match
from ridotto.games import GAMES
from ridotto.present import views
from ridotto.present.ui import ui

FANTOME = TournamentSettings("fantome", 2, {"handicap": 0})
Z = 1.959963984540054
"""The normal quantile at 97.5 %."""


def result(one: str, rest: str, deal: int, at: int, winners: Sequence[int], **given: Any) -> Result:
    """A match made by hand, of two seats unless scores for more are given."""
    facts: dict[str, Any] = {"scores": [0, 0], "micros": [[1000], [1000]], "faults": []} | given
    return Result(one, rest, deal, at, 0, "cleared", list(winners), facts["scores"], 9, "", facts["micros"], facts["faults"])


def played(ledger: Ledger) -> dict[Any, tuple[Any, ...]]:
    """What was played, without the times it took."""
    return {key: (one.winners, one.scores, one.plies, one.moves, one.seed) for key, one in ledger.results.items()}


# The board is the match.


@pytest.mark.parametrize("seats", range(2, 6))
@pytest.mark.parametrize("name", GAMES)
def test_a_board_is_move_for_move_a_match(name: str, seats: int) -> None:
    """On compiled rows, without a log, every seat is shown what a match of the same seed shows it; the end is the same."""
    game = GAMES[name]
    if seats not in game.seats:
        with pytest.raises(Exception, match="seats"):
            game.seat_count(seats)
        return
    match, board = Match(game, seats, seed=seats), Board(game, seats, game.settle(), seats)
    dice = random.Random(seats)
    while match.to_act:
        assert match.to_act == board.to_act
        for eyes in range(seats) if match.ply % 5 == 0 else match.to_act:
            assert match.view(eyes) == board.view(eyes)
        seat = dice.choice(match.to_act)
        action = dice.choice(match.legal(seat).ids)
        match.play(action, seat)
        board.play(seat, action)
    assert [match.view(seat) for seat in range(seats)] == [board.view(seat) for seat in range(seats)]
    assert json.dumps(views.as_json(match.view(0), ui(match.game).english)) == json.dumps(
        views.as_json(board.view(0), ui(board.game).english)
    )


def test_a_board_can_be_resigned() -> None:
    """The others have won, as in a match."""
    match, board = Match(GAMES["opera"], 3, seed=4), Board(GAMES["opera"], 3, GAMES["opera"].settle(), 4)
    match.resign(1)
    board.resign(1)
    assert () == board.to_act
    assert match.outcome == board.outcome


# Who plays whom, and where.


def test_everybody_meets_everybody() -> None:
    """With two seats each pair once; with more, each of a pair in turn alone; in a gauntlet, one against each other."""
    four = ["a", "b", "c", "d"]
    assert 6 == len({frozenset((p.one, p.rest)) for p in pairings(four, 2)}) == len(pairings(four, 2))
    assert 12 == len({(p.one, p.rest) for p in pairings(four, 3)}) == len(pairings(four, 3))
    assert [("c", "a"), ("c", "b"), ("c", "d")] == [(p.one, p.rest) for p in pairings(four, 2, "c")]
    assert [("e", "a"), ("e", "b"), ("e", "c"), ("e", "d")] == [(p.one, p.rest) for p in pairings(four, 4, "e")]
    for names, gauntlet in ((["a"], None), (["a", "a"], None), (["a"], "a")):
        with pytest.raises(BadTournament):
            pairings(names, 2, gauntlet)


@pytest.mark.parametrize(("name", "players"), [("fantome", 2), ("turandot", 3), ("opera", 4)])
def test_seats_are_balanced_and_deals_shared(name: str, players: int) -> None:
    """By count: each bot sits everywhere equally often against the other, and each deal is played from every seat."""
    settings = TournamentSettings(name, players, GAMES[name].settle(), seed=9)
    ledger = Ledger(settings)
    pairs = [PairingProgress.of(pairing, 3 * players - 1) for pairing in pairings(["random", "greedy"], players)]
    with WorkerPool(1) as pool:
        run_tournament(ledger, pairs, pool)
    seats: Counter[tuple[str, str, int]] = Counter()
    deals: dict[int, set[tuple[str, int]]] = {}
    for one in ledger.results.values():
        sitting = Pairing(one.one, one.rest, ()).seating(one.at, players)
        for seat, bot in enumerate(sitting):
            seats[one.one, bot, seat] += 1
        deals.setdefault(one.seed, set()).add((one.one, one.at))
    assert {3} == {count for (one, bot, _), count in seats.items() if one == bot}
    assert {3 * (players - 1)} == {count for (one, bot, _), count in seats.items() if one != bot}
    everywhere = {(progress.pairing.one, at) for progress in pairs for at in range(players)}
    assert [everywhere] * 3 == list(deals.values())


def test_the_deal_is_the_same_for_both_sides() -> None:
    """The seed of a result is the one that a match is dealt with: whoever sits there, the table is laid the same."""
    one = play_match(FANTOME, Pairing("random", "greedy", (0, 1)), 5, 0)
    other = play_match(FANTOME, Pairing("random", "greedy", (0, 1)), 5, 1)
    assert one.seed == other.seed != play_match(FANTOME, Pairing("random", "greedy", (0, 1)), 6, 0).seed
    assert one.moves != other.moves
    again = play_match(FANTOME, Pairing("random", "greedy", (0, 1)), 5, 0)
    assert (one.moves, one.winners) == (again.moves, again.winners)


# Sure, and how sure.


def test_intervals_of_shares() -> None:
    """Wilson's: none of ten can still be z²/(10+z²); half of many is the normal interval; nothing tells nothing."""
    assert pytest.approx((0.0, Z**2 / (10 + Z**2)), abs=1e-4) == wilson(0, 10)
    assert pytest.approx((0.5 - Z * 0.005, 0.5 + Z * 0.005), abs=1e-5) == wilson(0.5, 10_000)
    assert (0.0, 1.0) == wilson(0.0, 0)


@pytest.mark.parametrize(("won", "lost"), [(0, 12), (7, 5), (30, 10), (25, 0)])
def test_the_test_is_walds_where_a_deal_is_won_or_lost(won: int, lost: int) -> None:
    """The logarithm of the ratio is that of two binomials, and the bounds are Wald's."""
    test = SPRT(0.5, 0.6)
    by_hand = won * log(0.6 / 0.5) + lost * log(0.4 / 0.5)
    assert by_hand == pytest.approx(test.ratio({1.0: won, 0.0: lost}), abs=0.01)
    assert log(19) == pytest.approx(test.bound)
    expected = None if abs(by_hand) < log(19) else "high" if by_hand > 0 else "low"
    assert expected == test.verdict({1.0: won, 0.0: lost})


def test_the_test_takes_the_likeliest_distributions() -> None:
    """With deals that can be halved, the ratio is that of two constrained maxima, found here by searching for them."""
    counts = {0.0: 11, 0.5: 30, 1.0: 19}

    def most(mean: float) -> float:
        """The greatest log-likelihood of a distribution over 0, ½, 1 with that mean: one free number, the share of halves."""

        def likelihood(half: float) -> float:
            return counts[0.0] * log(1 - mean - half / 2) + counts[0.5] * log(half) + counts[1.0] * log(mean - half / 2)

        low, high = 0.0, 2 * min(mean, 1 - mean)
        for _ in range(300):
            one, two = low + (high - low) / 3, high - (high - low) / 3
            low, high = (one, high) if likelihood(one) < likelihood(two) else (low, two)
        return likelihood((low + high) / 2)

    assert most(0.6) - most(0.45) == pytest.approx(SPRT(0.45, 0.6).ratio(counts), abs=0.01)


@pytest.mark.parametrize(("truth", "verdict"), [(0.4, "low"), (0.6, "high")])
def test_the_test_is_seldom_wrong(truth: float, verdict: str) -> None:
    """Of sixty sequences with the share at either end, at most seven are misjudged (5 % are meant; 7 is one in two hundred)."""
    test, dice = SPRT(0.4, 0.6), random.Random(f"{truth}")
    wrong = 0
    for _ in range(60):
        shares: Counter[float] = Counter()
        found = None
        while found is None:
            shares[float(dice.random() < truth)] += 1
            found = test.verdict(shares)
        wrong += found != verdict
    assert wrong <= 7


def test_the_test_reads_its_bounds() -> None:
    """LOW:HIGH, two shares in order; anything else is refused."""
    assert SPRT(0.5, 0.55) == SPRT.parse("0.5:0.55")
    for text in ("", "0.5", "0.6:0.5", "0:0.5", "0.5:1", "a:b", "0.1:0.2:0.3", "nan:0.5"):
        with pytest.raises(BadTournament):
            SPRT.parse(text)


def test_a_pairing_is_settled_in_order_of_its_deals() -> None:
    """Results that arrive early decide nothing: the verdict falls at the same deal whatever the order, and ends it there."""
    pairing = Pairing("a", "b", (0, 1))
    outcomes = [1, 1, 0, 1] + [1] * 36
    lines = [[result("a", "b", deal, at, [at if won else 1 - at]) for at in (0, 1)] for deal, won in enumerate(outcomes)]
    ends = set()
    for order in (range(40), reversed(range(40)), random.Random(3).sample(range(40), 40)):
        ledger, progress = Ledger(FANTOME), PairingProgress.of(pairing, 80, SPRT(0.5, 0.7))
        for deal in order:
            ledger.add(lines[deal])
            progress.update(ledger)
        ends.add((progress.counted, progress.verdict, len(progress.results(ledger))))
    # Eleven deals won and one lost are the first to pass log 19: each won one is worth log(0.7/0.5), the lost one log(0.3/0.5).
    assert 11 * log(7 / 5) + log(3 / 5) > log(19) > 10 * log(7 / 5) + log(3 / 5)
    assert {(12, "high", 24)} == ends


# Ratings.


def test_the_rating_of_two_bots_by_hand() -> None:
    """Seventy of a hundred, and one match shared: the log-odds of 70½ to 30½; its error from the binomial's curvature."""
    found = ratings({("a", "b"): Score(100, 70, 30)}, 2, "b")
    elo = 400 / log(10)
    share = 70.5 / 101
    assert 1000 + elo * log(70.5 / 30.5) == pytest.approx(found["a"].points, abs=1e-3)
    half = Z * elo / (101 * share * (1 - share)) ** 0.5
    assert (half, half) == pytest.approx((found["a"].high - found["a"].points, found["a"].points - found["a"].low), rel=1e-3)
    assert Rating(1000, 1000, 1000) == found["b"]


def test_the_rating_of_one_against_three() -> None:
    """At four seats parity is a quarter: who wins that is no stronger than the rest, and odds are by seat."""
    even = ratings({("a", "b"): Score(400, 100, 300)}, 4, "b")
    assert 1000 == pytest.approx(even["a"].points, abs=1e-3)
    # Half the wins against three are three times the strength of each.
    strong = ratings({("a", "b"): Score(4000, 2000, 2000)}, 4, "b")
    assert 1000 + 400 / log(10) * log(3) == pytest.approx(strong["a"].points, abs=1)


def test_ratings_expect_what_happened() -> None:
    """The likeliest strengths of a pool are those at which every bot's expected wins are its wins."""
    scores = {
        ("a", "b"): Score(100, 60, 40),
        ("b", "c"): Score(50, 35, 15),
        ("a", "c"): Score(80, 60, 15),
        ("d", "c"): Score(9, 9, 0),
    }
    found = ratings(scores, 2, "c")
    for name in "abd":
        expected = won = 0.0
        for (one, rest), score in scores.items():
            if name in (one, rest):
                chance = 1 / (1 + 10 ** ((found[rest].points - found[one].points) / 400))
                shared = (1 + score.matches - score.one - score.rest) / 2
                expected += (1 + score.matches) * (chance if name == one else 1 - chance)
                won += shared + (score.one if name == one else score.rest)
        assert won == pytest.approx(expected, rel=1e-6)
    assert found["d"].low < found["d"].points - 300, "nine wins out of nine say little about how much stronger"


def test_who_never_met_the_anchor_has_no_rating() -> None:
    """Two groups that never met cannot be compared."""
    found = ratings({("a", "b"): Score(10, 5, 5), ("c", "d"): Score(10, 5, 5), ("d", "a"): Score(0, 0, 0)}, 2, "a")
    assert {"a", "b"} == set(found)
    assert {"x"} == set(ratings({}, 2, "x"))


def test_the_table_by_hand() -> None:
    """Shares, scores, times and faults of results made by hand; a deal that is not complete does not count."""
    ledger = Ledger(FANTOME)
    fault = {"seat": 1, "ply": 4, "code": "late", "message": ""}
    ledger.add(
        [
            result("a", "b", 0, 0, [0], scores=[5, 1], micros=[[1000] * 19 + [9000], [2000]]),
            result("a", "b", 0, 1, [0, 1], scores=[4, 4], micros=[[2000], [1000]]),
            result("a", "b", 1, 0, [], scores=[0, 0], micros=[[], []], faults=[fault]),
            result("a", "b", 1, 1, [1], scores=[1, 7], micros=[[4000], [1000]], faults=[fault]),
            result("a", "b", 2, 0, [1]),
        ]
    )
    table = standings(ledger, [PairingProgress.of(Pairing("a", "b", (0, 1)), 6)])
    one, two = table["bots"]
    assert ("a", 4, 2.5 / 4, 16 / 4, 1) == tuple(one[key] for key in ("bot", "matches", "win_share", "mean_score", "faults"))
    assert ("b", 4, 0.5 / 4, 6 / 4, 1) == tuple(two[key] for key in ("bot", "matches", "win_share", "mean_score", "faults"))
    times = tuple(one[key] for key in ("decisions", "mean_ms", "p95_ms", "max_ms"))
    assert pytest.approx((22, 30 / 22, 1.0, 9.0)) == times
    (pair,) = table["pairings"]
    assert (4, 2.5 / 4, 0.5 / 4) == (pair["matches"], pair["share"], pair["rest_share"])
    assert [("inspector", 2, 0.5), ("phantom", 2, 0.75)] == [(s["role"], s["matches"], s["share"]) for s in pair["by_seat"]]
    assert ("a", 1000.0) == (table["anchor"], one["rating"])


def test_without_choix_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything is played."""
    monkeypatch.setitem(sys.modules, "choix", None)
    for words in (["arena", "fantome", "--bots", "random,greedy"], ["certify", "fantome", "--results", "nowhere"]):
        done = CliRunner().invoke(cli, words)
        assert (2, "") == (done.exit_code, done.stdout)
        assert "choix, which is not installed: pip install 'ridotto[arena]'" in done.stderr
    assert not Path("nowhere").exists()


# Playing one.


def test_the_same_matches_for_any_number_of_processes() -> None:
    """Bots with budgets in playouts play the same matches in one process and in two, and end a test at the same deal."""
    names = ["random", "greedy", "search:30"]
    found = []
    for processes in (1, 2):
        ledger = Ledger(FANTOME)
        pairs = [PairingProgress.of(pairing, 8, SPRT(0.5, 0.95)) for pairing in pairings(names, 2)]
        with WorkerPool(processes) as pool:
            run_tournament(ledger, pairs, pool)
        found.append((played(ledger), [(c.counted, c.verdict) for c in pairs], standings(ledger, pairs)))
    (one, ends, table), (two, other_ends, other_table) = found
    shared = one.keys() & two.keys()
    assert one == {key: two[key] for key in shared} and len(shared) == len(one)
    assert ends == other_ends
    for line in ("rating", "interval", "win_share", "mean_score"):
        assert [bot[line] for bot in table["bots"]] == [bot[line] for bot in other_table["bots"]]


def test_no_time_no_matches() -> None:
    """When the time is up nothing is begun, and a match that is not over by then is dropped."""
    ledger, pairs = Ledger(FANTOME), [PairingProgress.of(Pairing("random", "greedy", (0, 1)), 8)]
    with WorkerPool(1) as pool:
        run_tournament(ledger, pairs, pool, until=time.monotonic() - 1)
    assert {} == ledger.results
    task = DealTask(FANTOME, Pairing("random", "greedy", (0, 1)), 0, (0, 1))
    assert [] == task.run(time.monotonic() - 1)


@dataclass(frozen=True)
class Fatal:
    """A task that ends its process, or has it killed."""

    setup: TournamentSettings
    is_killed: bool = False

    def run(self, until: float | None) -> None:
        if self.is_killed:
            os.kill(os.getpid(), signal.SIGKILL)
        os._exit(3)


@pytest.mark.parametrize("is_killed", [False, True])
def test_a_worker_that_dies_is_told_of(is_killed: bool) -> None:
    """Nothing waits for it for ever, and the others are stopped."""
    with WorkerPool(2) as pool, pytest.raises(WorkerFailed, match=r"a worker process died while it played Fatal\("):
        list(pool.run(iter([Fatal(FANTOME, is_killed)])))


def test_a_worker_that_died_idle_is_told_of() -> None:
    """It is found out when it is sent a task."""
    with WorkerPool(2) as pool:
        pool.warm(FANTOME)
        for worker in pool._idle:
            worker.process.kill()
            worker.process.join()
        with pytest.raises(WorkerFailed, match=r"a worker process died before it played Fatal\("):
            list(pool.run(iter([Fatal(FANTOME)])))


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "ridotto", *arguments]


def run(*arguments: str, status: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(command(*arguments), capture_output=True, text=True, check=False)
    assert status == done.returncode, done.stderr
    assert "Traceback" not in done.stderr
    return done


def invoked(*arguments: str) -> str:
    """What a command prints, in this process."""
    done = CliRunner().invoke(cli, arguments, catch_exceptions=False)
    assert 0 == done.exit_code, done.output
    return done.stdout


def table_of(text: str) -> Any:
    """A table without the times."""
    table = json.loads(text)
    for line in table["bots"]:
        for key in ("mean_ms", "p95_ms", "max_ms"):
            del line[key]
    return table


def left(session: int, until: float) -> list[str]:
    """What is left of a session when it had time to end."""
    while living(session) and time.monotonic() < until:
        time.sleep(0.01)
    return living(session)


def living(session: int) -> list[str]:
    """The living processes of a session."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, _, _, its = path.read_text("utf-8").rpartition(")")[2].split()[:4]
            found += [path.parent.name] if int(its) == session and state != "Z" else []
    return found


def test_a_killed_tournament_is_gone_on_with(tmp_path: Path) -> None:
    """SIGKILL in the middle, half a line at the end of the file: resumed, it gives the table of a run that was let alone."""
    given = ("arena", "fantome", "--bots", "greedy,search:80,random", "--games", "30", "--seed", "3", "--json")
    whole = table_of(invoked(*given, "--processes", "1"))
    path = tmp_path / "results.jsonl"
    words = command(*given, "--processes", "2", "--out", str(path))
    victim = subprocess.Popen(words, stdout=subprocess.DEVNULL, start_new_session=True)
    until = time.monotonic() + 240
    while not (path.exists() and path.read_bytes().count(b"\n") > 8) and time.monotonic() < until:
        assert victim.poll() is None, "it ended before it could be killed"
        time.sleep(0.002)
    assert len(living(victim.pid)) > 2, "itself, and two that play"
    victim.send_signal(signal.SIGKILL)
    assert -signal.SIGKILL == victim.wait()
    assert [] == left(victim.pid, until)
    kept = path.read_bytes()
    assert 8 < kept.count(b"\n") < 91
    path.write_bytes(kept + b'{"one":"greedy","rest":"sea')
    assert whole == table_of(invoked(*given, "--processes", "2", "--out", str(path)))
    assert path.read_bytes().startswith(kept)
    # Once more: everything is there, nothing is played, nothing is written.
    before = path.read_bytes()
    assert whole == table_of(invoked(*given, "--processes", "1", "--out", str(path)))
    assert before == path.read_bytes()


def test_an_interrupted_tournament_says_how_to_go_on(tmp_path: Path) -> None:
    """Control-C: one line, exit status 130, and nobody goes on playing."""
    path = tmp_path / "results.jsonl"
    words = command("arena", "fantome", "--bots", "greedy,search:500", "--games", "900", "--processes", "2", "--out", str(path))
    victim = subprocess.Popen(words, stderr=subprocess.PIPE, text=True, start_new_session=True)
    until = time.monotonic() + 240
    while not (path.exists() and path.read_bytes().count(b"\n") > 2) and time.monotonic() < until:
        assert victim.poll() is None, "it ended before it could be interrupted"
        time.sleep(0.002)
    victim.send_signal(signal.SIGINT)
    _, told = victim.communicate()
    assert (130, f"interrupted: what was played is in {path}, and the same command goes on\n") == (victim.returncode, told)
    assert [] == left(victim.pid, until)


def test_a_file_of_something_else_is_left_alone(tmp_path: Path) -> None:
    """Another tournament's file, or no tournament's, is refused and not changed; a broken line is named."""
    path = tmp_path / "results.jsonl"
    for text in ("# A diary", "# A diary\n", "{}\n", '{"format":"ridotto record"}\n[]\n'):
        path.write_text(text, "utf-8")
        with pytest.raises(BadTournament, match="is not a file of results of a tournament"):
            Ledger(FANTOME, path)
        assert text == path.read_text("utf-8")
    path.unlink()
    ledger = Ledger(FANTOME, path)
    with pytest.raises(BadTournament, match="another tournament is writing to"):
        Ledger(FANTOME, path)
    ledger.add([result("a", "b", 0, 0, [0])])
    ledger.close()
    other = TournamentSettings("fantome", 2, {"handicap": 1})
    with pytest.raises(BadTournament, match=r"with options \{'handicap': 0\}, not \{'handicap': 1\}"):
        Ledger(other, path)
    again = Ledger(FANTOME, path)
    assert ("a", "b", 0, 0) in again
    again.close()
    with path.open("a", encoding="utf-8") as file:
        file.write('{"one":"a"}\n{"one":"b"')
    with pytest.raises(BadTournament, match=r"line 3 of .* is no result"):
        Ledger(FANTOME, path)


def test_a_torn_first_line_is_begun_anew(tmp_path: Path) -> None:
    """A tournament that was killed while it wrote its first line has nothing to lose."""
    path = tmp_path / "results.jsonl"
    path.write_bytes(json.dumps(FANTOME.header()).encode()[:40])
    Ledger(FANTOME, path).close()
    assert [FANTOME.header()] == [json.loads(line) for line in path.read_text("utf-8").splitlines()]


# The command.


def test_the_command_prints_and_draws(tmp_path: Path) -> None:
    """A gauntlet at three seats with an outside program: a table for people, figures for programs, a picture."""
    given = ("arena", "turandot", "--players", "3", "--bots", "random,cmd:perl docs/bots/last.pl", "--gauntlet", "greedy")
    picture = tmp_path / "table.svg"
    shown = invoked(*given, "--games", "3", "--processes", "1", "--time", "20s/5m", "--picture", str(picture))
    for text in ("greedy", "random", "last: cmd:perl docs/bots/last.pl", "rating", "2 times"):
        assert text in shown
    assert ElementTree.parse(picture).getroot().tag.endswith("svg")
    table = json.loads(invoked(*given, "--games", "3", "--processes", "1", "--json"))
    assert [("greedy", "random", 3), ("greedy", "cmd:perl docs/bots/last.pl", 3)] == [
        (pair["one"], pair["rest"], pair["matches"]) for pair in table["pairings"]
    ]
    assert ["greedy", "random", "last"] == [line["display_name"] for line in table["bots"]]
    for line in table["bots"]:
        assert {"bot", "win_share", "rating", "interval", "mean_score", "mean_ms", "p95_ms", "max_ms"} <= set(line)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--bots", "greedy"], "a tournament needs two bots at least"),
        (["--bots", "greedy,greedy"], "a bot is named twice"),
        (["--bots", "greedy,deepblue"], "unknown bot 'deepblue'"),
        (["--bots", "greedy,,random"], "unknown bot ''"),
        (["--bots", "greedy", "--gauntlet", "greedy"], "has nobody to run the gauntlet of"),
        (["--bots", "greedy,cmd:"], "the command of 'cmd:' is empty"),
        (["--bots", "greedy,cmd:nowhere-at-all"], "there is no program 'nowhere-at-all'"),
        (["--bots", "greedy,random", "--players", "3"], "fantome has 2 seats, not 3"),
        (["--bots", "greedy,random", "--time", "5"], "'5' is not a time such as 250ms, 2s or 5m"),
        (["--bots", "greedy,random", "--time", "0s"], "'0s' is not a time"),
        (["--bots", "greedy,random", "--sprt", "0.5"], "'0.5' is not LOW:HIGH"),
        (["--bots", "greedy,random", "--out", "nowhere/at/all"], "cannot write to 'nowhere/at/all'"),
        (["--bots", "greedy,random", "--out", "README.md"], "'README.md' is not a file of results of a tournament"),
        (["--bots", "greedy,random", "--faults", "forgive"], "'forgive' is not one of"),
    ],
)
def test_bad_input_is_told_in_one_line(arguments: list[str], message: str) -> None:
    """What was wrong and what would do, exit status 2, nothing on standard output."""
    done = CliRunner().invoke(cli, ["arena", "fantome", *arguments])
    assert isinstance(done.exception, SystemExit) and 2 == done.exit_code, done.output
    assert message in done.stderr
    assert "" == done.stdout


# The certificate.


def test_the_certificate_asks_everything() -> None:
    """Every share that is to be shown, where it is to be; and at the ends of a game's range the curve and the levels."""
    ours = ("fantome", "opera", "turandot")
    asked = certificate.questions(ours)
    wanted = {(q.game, q.players, q.one, q.rest, q.seat): q.wanted for q in asked if q.wanted is not None}
    for name in ours:
        assert (0.8 if name == "turandot" else 0.9) == wanted[name, 2, "greedy", "random", None]
        assert 0.7 == wanted[name, 2, "search:1000", "greedy", None]
        assert 0.58 == wanted[name, 2, "search:10000", "search:1000", None]
    assert {"opera": 0.75, "turandot": 0.6} == {n: wanted[n, 4, "greedy", "random", None] for n in ("opera", "turandot")}
    assert {0.45} == {wanted[n, 4, "search:1000", "greedy", None] for n in ("opera", "turandot")}
    assert [0.95, 0.95] == [wanted["fantome", 2, "search:1s", "random", seat] for seat in (0, 1)]
    assert 3 * 3 + 2 * 2 + 2 == len(wanted)
    for name, players in (("fantome", 2), ("opera", 2), ("opera", 4), ("turandot", 2), ("turandot", 5)):
        here = {(q.one, q.rest): Score(1, 1, 0) for q in asked if (q.game, q.players) == (name, players)}
        rated = set(ratings(here, players, "greedy"))
        assert {"random", "search:100", "search:1000", "search:10000", *certificate.LEVELS} <= rated
        assert name != "fantome" or {"search:10ms", "search:100ms", "search:1s"} <= rated
    assert sorted(q.cost for q in asked) == [q.cost for q in asked]
    assert [("search:300", 0), ("trusting:300", 0)] == [(q.one, q.seat) for q in asked if q.most]


def test_a_certificate_is_written_and_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tiny one: the page answers every question, shows every rating with its interval, and a second run plays nothing new."""
    weighing = replace(GAMES["fantome"].tuning.certificate.comparisons[0], rest="random", matches=6)
    few = [
        StrengthQuestion("fantome", 2, "greedy", "random", 0.5),
        StrengthQuestion("fantome", 2, "search:100", "greedy"),
        StrengthQuestion("fantome", 2, "greedy", "random", 0.95, seat=1),
        StrengthQuestion("fantome", 2, "search:1000", "level:1"),
        *(StrengthQuestion("fantome", 2, bot, "random", seat=0, comparison=weighing) for bot in weighing.bots),
    ]
    monkeypatch.setattr(certificate, "questions", lambda names: few)
    pages = []
    for minutes in (60, 0):
        made = Certificate(["fantome"], 4, 1, tmp_path / "results")
        made.run(minutes if minutes else 60, 1)
        written = certificate.write(made, tmp_path / "strength.md", "ridotto certify fantome --games 4")
        made.close()
        pages.append((tmp_path / "strength.md").read_text("utf-8"))
    assert pages[0] == pages[1]
    assert [tmp_path / "strength.md", tmp_path / "pictures" / "strength-fantome-2.svg"] == written
    assert ElementTree.parse(written[1]).getroot().tag.endswith("svg")
    for text in (
        "`greedy` against `random` | ≥ 50% |",
        "`greedy` as phantom against `random` | ≥ 95% |",
        "| `search:100` | `greedy` | 4 |",
        "| `greedy` | 1000 |  |",
        "## Weighing worlds",
        "| inspector | phantom | won | matches |",
        "| `trusting:300` | `random` | 100.0% (61% to 100%) | 6 |",
        "Over the 6 deals that both played, the margin is +0.0 points (+0.0 to +0.0)",
        "choix ",
    ):
        assert text in pages[0]
    assert "level:1" not in pages[0].partition("| bot |")[2].partition("| one |")[0], "it never met greedy, so it has no rating"


def test_a_certificate_without_time_says_so(tmp_path: Path) -> None:
    """Nothing played is nothing claimed."""
    run("certify", "fantome", "--minutes", "0", "--processes", "1", "--out", str(tmp_path / "strength.md"))
    page = (tmp_path / "strength.md").read_text("utf-8")
    assert 5 == page.count("not played yet")
    assert ["fantome-2.jsonl"] == [path.name for path in (tmp_path / "strength").iterdir()]
    assert "Nothing was played yet." in page


def test_the_ratings_that_people_see_are_the_measured_ones() -> None:
    """What the forms say of the levels is what the page of the tournaments says, and each level is stronger than the last."""
    page = (Path(__file__).parents[2] / "docs" / "masters.md").read_text("utf-8")
    for name in ("fantome", "opera", "turandot"):
        game, rated = GAMES[name], {}
        for seats in game.seats:
            here = page.partition(f"## {game.title}, {seats} seats")[2].partition("\n## ")[0]
            lines = dict(re.findall(r"^\| `(level:[1-6])` \| (-?[0-9]+) \|", here, re.MULTILINE))
            if lines:
                rated[seats] = tuple(int(lines[level]) for level in certificate.LEVELS)
        assert set(rated) == set(game.seats)
        assert rated == game.tuning.ratings
        assert all(tuple(sorted(points)) == points for points in rated.values())
