"""The rows of docs/masters.md: what is played, what counts, and the page."""

from __future__ import annotations

import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest

from bench import masters
from bench.masters import LEVELS, ROWS, SEARCH, TABLE, Contest, Played, Row
from ridotto.arena.schedule import Pairing, TournamentSettings
from ridotto.arena.tournament import play_match
from ridotto.bots.workers import WorkerPool
from ridotto.games import GAMES

HOUSE = Path(__file__).parents[2]
ROW = Row("turandot", 2, "net", "greedy", 5)
DIGEST = masters.digest_of("turandot", 2, "net", "greedy")


def line(deal: int, at: int, winners: tuple[int, ...] = (0,), digest: str = DIGEST) -> Played:
    return Played("turandot", 2, "net", "greedy", deal, at, list(winners), 0.25, digest, 0.5)


def play(row: Row, there: list[Played], until: float) -> tuple[Contest, list[Played]]:
    """Play a row in this process; what is there in the end, and what was played."""
    contest, new = Contest(row, there), list[Played]()
    with WorkerPool(1) as pool:
        masters.play([contest], pool, until, new.append)
    return contest, new


def test_the_page_is_made_of_the_ledger() -> None:
    """docs/masters.md is what the command writes, and every level has a neighbour there."""
    played = masters.read(masters.LEDGER)
    assert masters.PAGE.read_text("utf-8") == masters.page(played)
    found = masters.counted(played)
    for game in ("opera", "turandot"):
        for seats in GAMES[game].seats:
            assert {(b, a) for a, b in pairwise(LEVELS)} <= set(found[game, seats]), (game, seats)


def test_rows_have_names_of_their_own() -> None:
    """A name tells one row, and those of the networks are short."""
    names = [row.name for row in ROWS]
    assert len(set(names)) == len(names)
    assert "opera-4-net" in names
    assert "turandot-5-level:6-level:5" in names
    assert all(row.rest == SEARCH and row.matches >= 400 for row in TABLE)


def test_only_whole_deals_before_the_first_gap_count() -> None:
    """Deals that happen to be finished after one that is not are the short ones; other networks' matches count nowhere."""
    played = [line(0, 0), line(0, 1), line(1, 1), line(2, 0), line(2, 1), line(1, 0, digest="another")]
    assert [(0, 0), (0, 1)] == [(one.deal, one.at) for one in masters.counted(played)["turandot", 2]["net", "greedy"]]
    whole = masters.counted([*played, line(1, 0)])["turandot", 2]["net", "greedy"]
    assert 6 == len(whole)
    assert not masters.counted(one._replace(digest="another") for one in played)


def test_a_level_that_was_set_anew_counts_anew() -> None:
    """The digest of a pairing is of the network, and of the levels in it."""
    digests = {masters.digest_of("turandot", 2, *pair) for pair in pairwise(LEVELS)}
    assert 5 == len(digests)
    assert DIGEST == masters.digest_of("turandot", 3, "net", SEARCH) not in digests


def test_maestro_plays_deals_of_its_own() -> None:
    """Matches on the deals by which its setting was found do not count, and the page tells its slowest decision."""
    pair = ("level:6", "level:5")
    usual = [
        Played("turandot", 2, *pair, 0, at, [0], 5.0, masters.digest_of("turandot", 2, *pair), 6.0, 700.0 + at) for at in (0, 1)
    ]
    assert not masters.counted(usual)
    own = [one._replace(seed=2) for one in usual]
    assert own == masters.counted([*usual, *own])["turandot", 2][pair]
    rows = [
        ("opera", 2, *pair),
        ("opera", 2, "level:2", "level:1"),
        ("turandot", 2, "level:5", "level:4"),
        ("turandot", 2, "net", SEARCH),
    ]
    assert [2, 1, 6, 1] == [masters.seed_of(*row) for row in rows]
    contest = Contest(Row("turandot", 2, *pair, 2), [*usual, *own])
    assert not contest.waiting
    assert 2 == contest.settings.seed
    assert "The slowest decision of `level:6` in 2 matches took 701 ms of CPU time." in masters.page(own)


def test_what_is_missing_is_played_deal_by_deal() -> None:
    """The matches that are there are not played again, and the new ones are those of a tournament."""
    there = [line(0, 0), line(1, 1)]
    contest, new = play(ROW, there, time.monotonic() + 600)
    assert [(0, 1), (1, 0), (2, 0), (2, 1)] == [(one.deal, one.at) for one in new]
    assert not contest.waiting
    assert 1 == contest.begun
    assert " 6 of 6; won " in str(contest)
    settings = TournamentSettings("turandot", 2, GAMES["turandot"].settle(), masters.SEED)
    for one in new:
        result = play_match(settings, Pairing("net", "greedy", (0, 1)), one.deal, one.at)
        assert one.winners == result.winners
        assert one.counts
        assert one.slow is not None
        assert 0 < one.mean < 1000
        assert 0 < one.slow < 1000
        assert one.slowest is not None and one.slow <= one.slowest


def test_rows_go_on_in_step() -> None:
    """The row of which the smallest part is begun is next; without time nothing is."""
    contests = [Contest(Row("turandot", 2, "net", "greedy", 8), []), Contest(Row("turandot", 4, "net", "greedy", 4), [])]
    order = [task.setup.players for task in masters._tasks(contests, time.monotonic() + 60)]
    assert [2, 4, 2, 2, 4, 2, 2, 4, 2, 2, 4, 2] == order
    contest, new = play(ROW, [], time.monotonic() - 1)
    assert not new
    assert 6 == len(contest.waiting)


def test_ledgers_of_other_machines_are_merged(tmp_path: Path) -> None:
    """Each match once, in order; what another network has played is left out."""
    ledger, other = tmp_path / "ledger.jsonl.gz", tmp_path / "other.jsonl"
    masters.write([line(1, 0), line(0, 0)], ledger)
    other.write_text("".join(map(masters.line_of, [line(0, 1), line(1, 0), line(0, 0, digest="another")])), "utf-8")
    masters.write(masters.read(ledger, other), ledger)
    assert [line(0, 0), line(0, 1), line(1, 0)] == masters.read(ledger)


def test_the_command_appends_to_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two processes play a tiny row into a file; called again, there is nothing left to do."""
    out = tmp_path / "out.jsonl"
    monkeypatch.setattr(masters, "ROWS", [ROW])
    monkeypatch.setattr(masters, "LEDGER", tmp_path / "none.jsonl.gz")
    arguments = ["--rows", "turandot-*", "--minutes", "5", "--processes", "2", "--out", str(out)]
    monkeypatch.setattr(sys, "argv", ["masters", *arguments])
    for _ in range(2):
        masters.main()
        assert " 6 of 6; won " in capsys.readouterr().out
        assert 6 == len(out.read_text("utf-8").splitlines())
    assert 6 == len(masters.counted(masters.read(out))["turandot", 2]["net", "greedy"])


def test_a_name_that_fits_no_row_is_refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Also beside one that does: otherwise a long run would leave it out silently."""
    monkeypatch.setattr(sys, "argv", ["masters", "--list", "--rows", "opera-2-*", "opera-2-net:9ms"])
    with pytest.raises(SystemExit):
        masters.main()
    assert "no row is called opera-2-net:9ms;" in capsys.readouterr().err


def test_it_plays_without_optional_packages() -> None:
    """A machine that has NumPy and Numba alone can play."""
    program = """
import sys
for name in ("click", "rich", "babel", "jinja2", "choix", "matplotlib", "torch", "gymnasium"):
    sys.modules[name] = None
sys.argv = ["masters", "--list", "--rows", "opera-4-*"]
from bench.masters import main
main()
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=HOUSE, capture_output=True, text=True, check=True)
    assert "opera-4-net:20ms" in done.stdout
