"""What the benchmarks report, from figures made by hand: no peer is needed here."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from rich.console import Console

from bench import __main__ as running
from bench.figures import EFFORT, Figure, Growth, Item, Missing, Startup, best_of, item, line
from bench.picture import bars
from bench.report import Run, format_rate, show

HOUSE = Path(__file__).parents[2]


@pytest.fixture
def run() -> Run:
    """A run on a machine that never was, with round figures."""
    made = Run(
        date="2026-02-03T04:05:06",
        command="python -m bench",
        machine={"kind": "test-machine-2-cores", "cpu": "Test Machine", "cores": 2, "memory_gib": 4.0, "gpu": ""},
        versions={"python": "3.11.0", "ridotto": "0.1.0"},
    )
    per_match = {"decisions_per_match": 40.0, "threads": 1}
    for name, seats, rate in (("fantome", 2, 10e6), ("turandot", 2, 6e6), ("turandot", 5, 7e6), ("opera", 4, 4e6)):
        made.add(Figure("ridotto", name, rate, rate / 2, seats, per_match))
        made.add(Figure("ridotto-cores", name, rate, rate * 0.9, seats, {"threads": 2, "times_one_thread": 1.7}))
        made.add(Figure("ridotto-python", name, rate / 80, rate / 80, seats, {"times_slower": 80.0}))
    both = {"decisions_per_second": 1e5, "way": "matches of its bots"}
    made.add(Figure("openspiel-python", "hearts", 0.5e6, 0.5e6, 4, both))
    made.add(Figure("openspiel-python", "leduc_poker", 1e6, 1e6, 2, both))
    made.add(Figure("openspiel-cpp", "hearts", 5e6, 5e6, 4, both))
    made.add(Figure("pgx", "hex", 0.25e6, 0.5e6, 2, {"batch": 256}))
    made.add(Figure("pettingzoo", "go_v5", 4e3, 4e3, 2))
    made.add(Missing("chess", "chess", "No module named 'chess'", "'chess[all]'"))
    made.add(Growth("rows", "opera", 4, 1_000_000, 2e6, {"bytes_per_row": 500.0, "decisions_a_call": 1}))
    made.add(Growth("rounds", "opera", 4, 7, 4e6, {"decisions_per_match": 140.0}))
    made.add(Startup("opera", "cold", 0.2, 20.0, 30.0, 18.0, 28.0))
    made.add(Startup("opera", "warm", 0.1, 0.5, 1.5, 0.4, 1.4))
    return made


def printed(run: Run) -> str:
    """All that is shown of a run, in one string."""
    out = StringIO()
    show(run, Console(file=out, width=200))
    return out.getvalue()


def test_table_has_every_figure_and_every_gap(run: Run) -> None:
    """Each group, each game and what is missing, with what to install, stand in the table."""
    text = printed(run)
    for expected in ("Le Fantôme de l'Opéra", "10 M", "500 k", "hearts", "go_v5", "4 k", "250 ns", "35.0 µs", "1,000,000"):
        assert expected in text
    gap = next(one for one in text.splitlines() if "No module named 'chess'" in one)
    assert "pip install 'chess[all]'" in gap
    assert "best of 5" in " ".join(text.split())


def test_ratios_are_against_fastest_and_slowest(run: Run) -> None:
    """Opera's 4 million is 4 times the fastest and 8 times the slowest game of OpenSpiel from Python."""
    ratio = next(one for one in run.ratios() if (one.game, one.group) == ("opera", "openspiel-python"))
    assert ("leduc_poker", 4.0, "hearts", 8.0) == (ratio.fastest, ratio.times_fastest, ratio.slowest, ratio.times_slowest)
    assert 4 * 4 == len(run.ratios())  # four of our figures, four groups of peers that were there


def test_ratios_keep_cpu_and_gpu_apart(run: Run) -> None:
    """A figure of a GPU is compared with a GPU's, by the clock."""
    run.add(Figure("ridotto-cuda", "opera", 9e9, 6e8, 4, {"rows": 1 << 20, "bytes_per_row": 500.0}))
    run.add(Figure("pgx-gpu", "hex", 9e9, 2e8, 2, {"batch": 1 << 18}))
    run.machine = {**run.machine, "gpu": "Test GPU"}
    gpu = [(one.game, one.group, one.times_fastest) for one in run.ratios() if one.group == "pgx-gpu"]
    assert [("opera", "pgx-gpu", 3.0)] == gpu
    targets = {one.what: one.shown for one in run.targets()}
    assert targets["Opera on one GPU"] is True
    assert targets["Turandot on one GPU"] is None


def test_targets_take_the_least_favourable_figure(run: Run) -> None:
    """Our slowest number of seats against the fastest of the games named, and a gap is no success."""
    targets = {one.what: one for one in run.targets()}
    assert 6e6 == targets["Turandot on one core, slowest number of seats"].measured
    assert 12.0 == targets["Turandot against OpenSpiel from Python: hearts"].measured
    assert 0.8 == targets["Opera against OpenSpiel, its C++ rollouts: hearts"].measured
    assert targets["Opera against OpenSpiel, its C++ rollouts: hearts"].shown is False
    assert targets["Opera, two threads against one, least over seats"].shown is False
    assert targets["Opera against pgx, JAX on the CPU"].shown is None  # neither mahjong nor bridge was measured
    assert targets["Opera, compiled from nothing"].shown is True
    assert targets["Opera, import and first decision, warm"].shown is True
    text = printed(run)
    assert "not measured" in text
    assert "0.8 times" in text


def test_file_is_read_back_as_it_was(run: Run, tmp_path: Path) -> None:
    """The document has the machine, the versions, the date and the command, and gives back the same run."""
    path = run.save(tmp_path)[0]
    assert "2026-02-03-test-machine-2-cores.json" == path.name
    document = json.loads(path.read_text("utf-8"))
    keys = {"format", "date", "command", "machine", "versions", "repeats", "seconds", "figures", "growth", "startup", "missing"}
    assert keys | {"mismatches", "unit", "ratios", "targets"} == set(document)
    assert len(run.figures) == len(document["figures"])
    first = {"group", "game", "seats", "per_second", "per_wall_second", "detail"}
    assert [first] * len(run.figures) == [set(one) for one in document["figures"]]
    assert run == Run.read(document)
    with pytest.raises(ValueError, match="format 99"):
        Run.read(document | {"format": 99})


def test_picture_is_written_twice(run: Run, tmp_path: Path) -> None:
    """A PNG wide enough to read and an SVG, drawn the same every time."""
    _, png, svg = run.save(tmp_path)
    head = png.read_bytes()[:24]
    assert b"\x89PNG" == head[:4]
    assert struct.unpack(">II", head[16:])[0] > 1200
    ElementTree.parse(svg)
    assert svg.read_bytes() == run.save(tmp_path / "again")[2].read_bytes()


def test_picture_has_a_bar_for_each_figure(run: Run) -> None:
    """One bar a figure: ours one core, longer by the threads where those are faster; one for each game interpreted."""
    drawn = bars(run)
    assert ["Ridotto, one core; paler: 2 threads", "Ridotto, interpreted"] == list(drawn)[:2]
    ours = drawn["Ridotto, one core; paler: 2 threads"]
    names = ["Le Fantôme de l'Opéra", "Turandot, 2 seats", "Turandot, 5 seats", "Opera"]
    assert names == [bar.label for bar in ours]
    assert (10e6, 9e6) == (ours[0].rate, ours[0].reach)
    assert 3 == len(drawn["Ridotto, interpreted"])
    assert ["leduc poker", "hearts"] == [bar.label for bar in drawn["OpenSpiel from Python"]]


def test_lines_give_back_what_they_told(run: Run) -> None:
    """What a part says on a line is what the run gets."""
    told: list[Item] = [*run.figures, *run.growth, *run.startup, *run.missing]
    for one in told:
        assert one == item(json.loads(line(one)))


@pytest.mark.parametrize(
    ("rate", "expected"),
    [(0, "0"), (950, "950"), (999.6, "1 k"), (4_321, "4.32 k"), (999_900, "1 M"), (11_768_588, "11.8 M"), (2.7e9, "2.7 G")],
)
def test_rates_are_said_in_three_figures(rate: float, expected: str) -> None:
    """Thousands, millions and thousands of millions have a letter."""
    assert expected == format_rate(rate)


def test_best_run_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each clock takes its own best run, and the first call is not timed."""
    monkeypatch.setattr(EFFORT, "repeats", 3)
    monkeypatch.setattr(EFFORT, "seconds", 1.0)
    spent = iter([(9.0, 9.0), (1.0, 1.0), (2.0, 8.0), (1.0, 4.0), (4.0, 2.0)])
    clocks = [0.0, 0.0]

    def play(units: int) -> int:
        cpu, wall = next(spent)
        clocks[0] += cpu
        clocks[1] += wall
        return 100 * units

    monkeypatch.setattr("bench.figures.time.process_time", lambda: clocks[0])
    monkeypatch.setattr("bench.figures.time.perf_counter", lambda: clocks[1])
    speed = best_of(play)
    assert (100.0, 50.0) == (speed.per_second, speed.per_wall_second)


def test_a_part_survives_what_is_missing() -> None:
    """A game that fails or is not installed is told as missing, and those after it are still taken."""
    program = """
from bench.__main__ import take
from bench.figures import Figure, Job
def absent(): import no_such_library
def leaves(): raise SystemExit(1)
print("noise")
take([Job("chess", "chess", absent), Job("pgx", "hex", leaves), Job("pgx", "go", lambda: [Figure("pgx", "go", 1.0, 2.0)])])
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=HOUSE, capture_output=True, text=True, check=True)
    told = [json.loads(text) for text in done.stdout.splitlines() if text != "noise"]
    found = [item(one) for one in told if one["kind"] not in ("jobs", "job")]
    assert Missing("chess", "chess", "No module named 'no_such_library'", "chess") == found[0]
    assert Missing("pgx", "hex", "SystemExit: 1") == found[1]
    assert Figure("pgx", "go", 1.0, 2.0) == found[2]
    assert 3 == len(found)


def test_a_part_that_breaks_down_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that ends badly becomes a gap in the table, with how it ended."""
    monkeypatch.setattr("bench.__main__.sys.executable", "/bin/false")
    told = list(running.run_part("pgx"))
    assert [("missing", "pgx")] == [(one["kind"], one["group"]) for one in told]
    assert "broke off with status 1: no reason given" == told[0]["reason"]
