"""More than one machine: on a Ray the same is played, also if a worker is killed."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import snippets

from ridotto.arena.ledger import Ledger
from ridotto.arena.schedule import Pairing, TournamentSettings, pairings
from ridotto.arena.simulation import Simulation
from ridotto.arena.standings import standings
from ridotto.arena.tournament import DealTask, PairingProgress, run_tournament
from ridotto.bots.workers import WorkerFailed, WorkerPool, run_task, seconds_left
from ridotto.cli.options import worker_pool
from ridotto.games import GAMES
from ridotto.rl import dataset
from ridotto.rl.cluster import BadCluster, RayPool

FANTOME = TournamentSettings("fantome", 2, {"handicap": 0}, seed=5)


@pytest.fixture(scope="module")
def two() -> Iterator[RayPool]:
    """A Ray of two workers, begun here."""
    with RayPool("local:2") as pool:
        yield pool


def tournament(pool: WorkerPool, on_progress: Any = lambda: None) -> dict[str, Any]:
    """The table of a small tournament, without the times it took."""
    ledger = Ledger(FANTOME)
    played = [PairingProgress.of(pairing, 16) for pairing in pairings(["random", "greedy", "search:60"], 2)]
    run_tournament(ledger, played, pool, on_progress=on_progress)
    table = standings(ledger, played)
    for line in table["bots"]:
        for key in ("mean_ms", "p95_ms", "max_ms"):
            del line[key]
    return table


@pytest.fixture(scope="module")
def alone() -> dict[str, Any]:
    """The tournament on one process."""
    with WorkerPool(1) as pool:
        return tournament(pool)


def test_two_workers_give_the_same_table(two: RayPool, alone: dict[str, Any]) -> None:
    """The same tournament on a Ray of two workers gives the same table."""
    assert 48 == alone["matches"]
    assert alone == tournament(two)


def test_a_killed_worker_changes_nothing(two: RayPool, alone: dict[str, Any]) -> None:
    """A worker killed in the middle costs its share again and nothing else: the table is the same."""
    killed: list[int] = []

    def kill_one() -> None:
        if not killed:
            busy = _at_work()
            if busy:
                os.kill(busy[0], signal.SIGKILL)
                killed.append(busy[0])

    assert alone == tournament(two, kill_one)
    assert 1 == len(killed)
    assert killed[0] not in _at_work()


def _at_work() -> list[int]:
    """The processes of our own Ray that play something now."""
    parents, names = {}, {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
                names[int(folder.name)] = (folder / "cmdline").read_text()
            except OSError:
                continue  # it has just ended
    found = []
    for pid, name in names.items():
        above = pid
        while above in parents and above != os.getpid():
            above = parents[above]
        if name.startswith("ray::run_task") and above == os.getpid():
            found.append(pid)
    return found


def test_a_simulation_is_the_same(two: RayPool) -> None:
    """Random matches on a Ray come to what they come to here, but for the speed."""
    simulation = Simulation(GAMES["fantome"], 2, {"handicap": 0}, 5)
    here, there = simulation.run(1000, 1), simulation.run_on(two, 1000)
    same = [key for key in here if "second" not in key and key != "threads"]
    assert {key: here[key] for key in same} == {key: there[key] for key in same}
    assert 2 == there["threads"] and there["decisions_per_second"] > 0


def test_a_dataset_is_the_same(two: RayPool, tmp_path: Path) -> None:
    """A dataset written by way of a Ray has the same bytes as one written here."""
    plan = dataset.plan(FANTOME, "greedy,random", 4, 2)
    with WorkerPool(1) as one:
        dataset.make(plan, tmp_path / "here", one)
    dataset.make(plan, tmp_path / "there", two)
    written = sorted(path.relative_to(tmp_path / "here") for path in (tmp_path / "here").rglob("*.*"))
    assert 5 == len(written)
    for path in written:
        assert (tmp_path / "here" / path).read_bytes() == (tmp_path / "there" / path).read_bytes()


def test_what_a_worker_refuses_comes_back(two: RayPool) -> None:
    """A program at fault stops a tournament that is to stop then, wherever it was played."""
    settings = TournamentSettings("fantome", 2, {"handicap": 0}, faults="stop")
    task = DealTask(settings, Pairing("cmd:true", "random", (0, 1)), 0, (0,))
    with pytest.raises(WorkerFailed, match="'cmd:true' at seat 0, deal 0, ply 1"):
        list(two.run(iter([task])))


def test_the_time_left_goes_with_a_task() -> None:
    """What has no time left is not played, whatever the clock of the worker says."""
    task = DealTask(FANTOME, Pairing("random", "greedy", (0, 1)), 0, (0, 1))
    left = seconds_left(time.monotonic() + 600)
    assert left is not None and 500 < left <= 600
    assert seconds_left(None) is None
    assert 2 == len(run_task(task, left))
    assert [] == run_task(task, -1)


def test_no_task_is_run_after_its_time(two: RayPool) -> None:
    """Workers of a Ray are sent how long they have."""
    task = DealTask(FANTOME, Pairing("random", "greedy", (0, 1)), 0, (0, 1))
    assert [[], []] == [results for _, results in two.run(iter([task, task]), time.monotonic() - 1)]


@pytest.mark.parametrize("where", ["local", "local:0", "local:x", "ray://", "ray://host", "http://host:1", "somewhere", ""])
def test_places_that_are_none(where: str) -> None:
    """What names no place to play is refused, with what would do."""
    with pytest.raises(BadCluster, match="is no place to play: say local:2"):
        RayPool(where)


def test_workers_are_processes_unless_a_place_is_named() -> None:
    """Without a place, processes play here."""
    assert type(worker_pool(None, 3)) is WorkerPool
    assert 4 == worker_pool("local:4", 1).size


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever lacks the package is told which extra brings it."""
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(BadCluster, match=r"pip install 'ridotto\[cluster\]'"), RayPool("local:2"):
        pass


@pytest.mark.soak
def test_the_snippets_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything that the page shows can be typed."""
    monkeypatch.chdir(tmp_path)
    assert 1 == snippets.run("More than one machine")
