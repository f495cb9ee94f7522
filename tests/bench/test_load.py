"""The load test: what its clients understand, how figures are summed up, and one small run."""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import pytest

from bench import load
from bench.load import Report, Round, crossing, draw, seconds_of, share, summary
from bench.load_clients import Board, Broken, Played, Screen, ply_of
from ridotto.core.match import Match
from ridotto.games import GAMES

HOUSE = Path(__file__).parents[2]

OLD = 'id: 7\nevent: table\ndata: {"now": 1800000000000, "ply": %d, "parts": {"ask": "<p data-ply=\\"3\\">Ça\\u00a0?"}}\n\n'
NEW = 'event: table\ndata: {"ply":%d,"items":[{"key":"meg","do":"move 3"}]}\n\n'


def board() -> Board:
    return Board("t", Match(next(iter(GAMES.values())), seed=1), [("cookie", "nonce")] * 2)


def packed_in_one(messages: list[bytes]) -> list[bytes]:
    packer = zlib.compressobj(3, zlib.DEFLATED, 31)
    return [packer.compress(one) + packer.flush(zlib.Z_SYNC_FLUSH) for one in messages]


def packed_alone(messages: list[bytes]) -> list[bytes]:
    found = []
    for one in messages:
        packer = zlib.compressobj(3, zlib.DEFLATED, 31)
        found.append(packer.compress(one) + packer.flush())
    return found


@pytest.mark.parametrize("form", [OLD, NEW], ids=["whole", "differences"])
@pytest.mark.parametrize("pack", [None, packed_in_one, packed_alone], ids=["plain", "one stream", "each alone"])
def test_screen_reads_every_form_of_live_messages(form: str, pack: Any) -> None:
    """However a stream is packed and wherever it is parted, each ply is seen once, and each byte of the body counted once."""
    messages = [b"retry: 1000\n\n", *((form % ply).encode() for ply in (11, 12, 12, 14)), b'event: talk\ndata: {"ply": 99}\n\n']
    pieces = pack(messages) if pack else messages
    chunks = [b"%x\r\n%s\r\n" % (len(one), one) for one in pieces]
    head = b"HTTP/1.1 200 OK\r\n%stransfer-encoding: chunked\r\n\r\n" % (b"Content-Encoding: gzip\r\n" if pack else b"")

    async def show(seed: int) -> tuple[list[tuple[int, int]], int]:
        table, seen = board(), []
        screen = Screen(table, b"")
        table.on_screen = lambda screen, before, received: seen.append((screen.ply, received))  # type: ignore[method-assign]
        sent, dice = head + b"".join(chunks), random.Random(seed)
        while sent:
            cut = dice.randint(1, 90)
            screen.data_received(sent[:cut])
            sent = sent[cut:]
        assert screen.opened.done()
        return seen, screen.ply

    for seed in range(20):
        seen, ply = asyncio.run(show(seed))
        assert [(12, len(chunks[2])), (14, len(chunks[3]) + len(chunks[4]))] == seen
        assert 14 == ply


def test_screen_that_is_refused_says_why() -> None:
    """The first line of the answer is in the error."""

    async def show() -> None:
        screen = Screen(board(), b"")
        screen.data_received(b"HTTP/1.1 429 Too Many Requests\r\ncontent-length: 0\r\n\r\n")
        await screen.opened

    with pytest.raises(Broken, match="429 Too Many"):
        asyncio.run(show())


def test_only_messages_about_the_table_have_a_ply() -> None:
    """A chat that speaks of a ply, or a sign of life, leads nowhere."""
    assert 12 == ply_of(b'id: 7\nevent: table\ndata: {"now": 3, "ply": 12, "parts": {}}')
    assert 0 == ply_of(b": here")
    assert 0 == ply_of(b'event: talk\ndata: {"html": "event: table", "ply": 5}')


def test_latency_ends_at_the_last_other_screen() -> None:
    """The one who acts does not count; but without their screen, the action has not reached everybody."""

    async def play() -> Board:
        table = board()
        actor, other, spectator = (Screen(table, b"") for _ in range(3))
        table.seats, table.spectators = [actor, other], [spectator]
        ply = table.match.ply
        table.expect(100.0, actor)
        for screen, at in ((other, 100.25), (spectator, 100.5), (actor, 103.0)):
            assert not table.times
            screen.ply, screen.at = ply + 1, at
            table.on_screen(screen, ply, 10)
        return table

    table = asyncio.run(play())
    assert [0.5] == table.times
    assert [10, 10, 10] == table.sizes
    assert 0 == table.wanted


def rounds() -> list[Round]:
    """Three rounds of four actions, which took 40, 80 and 400 ms of CPU time in all."""
    return [
        Round(Played(due=4, times=[0.01, 0.02, 0.03, 0.2], sizes=[100] * 18 + [5000, 9000]), 2.0, spent, {"commit": 0.008})
        for spent in (0.4, 0.04, 0.08)
    ]


def test_figures_are_medians_of_rounds_and_of_actions() -> None:
    """One disturbed round does not spoil the CPU time; the slowest action is in p99."""
    found = summary(rounds())
    assert 20.0 == found["cpu_ms_per_action"]
    assert (100, 9000) == (found["bytes_per_viewer"], found["bytes_p95"])
    assert (25.0, 200.0) == (found["p50_ms"], found["p99_ms"])
    assert {"commit": 2.0} == found["stages_ms"]
    assert (12, 2.0, 0) == (found["actions"], found["actions_per_second"], found["lost"])
    assert (3, 5) == (share([5, 1, 4, 2, 3], 0.5), share([5, 1, 4, 2, 3], 0.99))


def test_seconds_of_the_server_are_found_by_stage() -> None:
    """Sums of histograms and totals of counters, of all servers together; no counts."""
    text = (
        "# TYPE ridotto_commit_seconds histogram\n"
        'ridotto_commit_seconds_bucket{le="0.1"} 3.0\nridotto_commit_seconds_count 3.0\nridotto_commit_seconds_sum 0.5\n'
        'ridotto_request_seconds_sum{server="1",route="/t/{id}/act"} 1.5\n'
        'ridotto_request_seconds_sum{server="2",route="/t/{id}/act"} 2.0\n'
        'ridotto_stage_seconds_total{stage="scene"} 2e-05\nridotto_actions_total 9.0\n'
    )
    assert {"commit": 0.5, "request /t/{id}/act": 3.5, "stage scene": 2e-05} == seconds_of(text)


def test_crossing_is_interpolated_as_in_the_picture() -> None:
    """From 10 ms at 100 tables to 1,000 ms at 400, a straight line on two logarithmic axes passes 100 ms at 200."""
    few, many = {"tables": 100, "p99_ms": 10.0}, {"tables": 400, "p99_ms": 1000.0}
    assert crossing([few, many]) == pytest.approx(200)
    assert crossing([few]) is None
    assert 400 == crossing([many])


def test_each_game_has_one_line(tmp_path: Path) -> None:
    """With what was asked for at its top, the other database and the version before inside; and the picture is drawn."""
    report = Report()
    for setup in ("sqlite", "postgresql"):
        for version in ("before", "now"):
            for game in ("one", "other"):
                head = {"game": game, "seats": 2, "tables": 6, "setup": setup, "version": version}
                report.games.append(head | summary(rounds()))
            head = {"tables": 30, "setup": setup, "version": version}
            report.tables.append(head | summary(rounds()[:1]) | {"cpu": 0.2})
    lines = list(report.lines())
    assert ["one", "other"] == [line["game"] for line in lines]
    for line in lines:
        assert {"game", "seats", "tables", "cpu_ms_per_action", "bytes_per_viewer", "p99_ms"} <= line.keys()
        assert ("sqlite", "now") == (line["setup"], line["version"])
        assert ("postgresql", "now") == (line["postgresql"]["setup"], line["postgresql"]["version"])
        assert {"sqlite", "postgresql"} == line["before"].keys()
    draw(report, "somewhere", tmp_path / "load.json")
    assert {"load.svg", "load.png"} == {path.name for path in tmp_path.iterdir()}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--beside", "/nowhere"], "there is no checkout of Ridotto in '/nowhere'"),
        (["--each", "0"], "--each must be more than 0, not 0"),
        (["--seconds", "-1"], "--seconds must be more than 0, not -1"),
        (["--games", "whist"], "invalid choice: 'whist'"),
    ],
)
def test_bad_arguments_are_refused(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        load.parse(arguments)
    assert said in capsys.readouterr().err


def test_quick_run_measures_all_our_games_less() -> None:
    """What is not said is as in a quick run, or in a full one."""
    full, quick = load.parse([]), load.parse(["--quick", "--each", "3"])
    assert {name for name, game in GAMES.items() if game.package.startswith("ridotto.")} == set(full.games) == set(quick.games)
    assert (3, load.QUICK.rounds, load.FULL.rounds) == (quick.each, quick.rounds, full.rounds)
    assert 1000 == full.tables[-1] and 5000 == full.spectators and 5 == full.rounds


@pytest.mark.parametrize("stages", [("games",), pytest.param(load.STAGES, marks=pytest.mark.soak)], ids=len)
def test_small_run_measures_a_real_server(stages: tuple[str, ...], tmp_path: Path) -> None:
    """Tables of one game, this checkout beside itself: nothing is lost, and every figure is there."""
    few = {"each": 6, "rounds": 1, "seconds": 1.5, "guests": 1, "tables": 2, "playing": 1.5, "spectators": 6, "actions": 2}
    chosen = few | {"setups": "sqlite", "games": "fantome", "beside": HOUSE, "results": tmp_path}
    command = [sys.executable, "-m", "bench.load", "--json", *(f"--{name}={value}" for name, value in chosen.items())]
    command += ["--stages", *stages]
    done = subprocess.run(command, cwd=HOUSE, capture_output=True, text=True, timeout=300)
    assert 0 == done.returncode, done.stderr
    (line,) = map(json.loads, done.stdout.splitlines())
    (path,) = tmp_path.glob("*.json")
    document = json.loads(path.read_text("utf-8"))
    assert ("fantome", 2, 6) == (line["game"], line["seats"], line["tables"])
    for found in (line, line["spectators"], line["before"]["sqlite"], *document["tables"]):
        assert found["cpu_ms_per_action"] > 0 < found["bytes_per_viewer"] <= found["bytes_p95"]
        assert 0 < found["p50_ms"] <= found["p99_ms"]
        assert 0 == found["lost"] < found["actions"]
        assert found["stages_ms"]["commit"] > 0
    assert 2 * ("tables" in stages) == len(document["tables"])
    assert ["before", "now"] * ("spectators" in stages) == [one["version"] for one in document["spectators"]]
    for one in document["spectators"]:
        assert 0 == one["lost"] < one["last_after_s"] <= one["slowest_s"]
