"""Datasets: the same bytes each time, records that replay, a table that says what the records say, no half files."""

from __future__ import annotations

import gzip
import json
import resource
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest
import snippets
from click.testing import CliRunner

from ridotto.bots.setup import MatchSetup
from ridotto.bots.workers import WorkerPool
from ridotto.cli import cli
from ridotto.core import record
from ridotto.core.match import Match
from ridotto.engine.fields import HIDDEN
from ridotto.games import GAMES
from ridotto.rl import dataset
from ridotto.rl.dataset import BadDataset, DatasetPlan


def planned(name: str = "fantome", players: int = 2, who: str = "greedy,random", games: int = 6, each: int = 4) -> DatasetPlan:
    """A small dataset."""
    return dataset.plan(MatchSetup(name, players, GAMES[name].settle(), 3), who, games, each)


def made(plan: DatasetPlan, folder: Path, pool: WorkerPool | None = None, **given: Any) -> dict[str, bytes]:
    """What is in a folder once a dataset is written to it."""
    with pool or WorkerPool(1) as workers:
        dataset.make(plan, folder, workers, **given)
    return files(folder)


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.fixture(scope="module")
def fantome(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six matches of Le Fantôme in two pairs of files."""
    folder = tmp_path_factory.mktemp("data") / "fantome"
    made(planned(), folder)
    return folder


def records(folder: Path) -> Iterator[Match]:
    """The matches of a dataset, verified and replayed."""
    for path in sorted((folder / "records").iterdir()):
        for line in gzip.decompress(path.read_bytes()).decode().splitlines():
            yield record.read(record.parse(line), GAMES)[0]


def test_the_same_command_makes_the_same_bytes(fantome: Path, tmp_path: Path) -> None:
    """Played again by `ridotto dataset`, in two processes instead of one, every file is the same."""
    pairs = ["decisions/00000.parquet", "decisions/00001.parquet", "records/00000.jsonl.gz", "records/00001.jsonl.gz"]
    assert ["dataset.json", *pairs] == sorted(files(fantome))
    command = ["dataset", "fantome", "--bots", "greedy,random", "--games", "6", "--each", "4"]
    command += ["--seed", "3", "--processes", "2", "--out", str(tmp_path / "again")]
    run = CliRunner().invoke(cli, command, catch_exceptions=False)
    assert 0 == run.exit_code and "6 matches in 2 pairs of files" in run.output
    assert files(fantome) == files(tmp_path / "again")


def test_another_seed_makes_other_matches(fantome: Path, tmp_path: Path) -> None:
    """The seed decides which matches they are."""
    setting = MatchSetup("fantome", 2, GAMES["fantome"].settle(), 4)
    other = made(dataset.plan(setting, "greedy,random", 6, 4), tmp_path / "other")
    assert set(files(fantome)) == set(other)
    assert not set(files(fantome).values()) & set(other.values())


@pytest.mark.parametrize(("name", "players", "who"), [("opera", 3, "random"), ("turandot", 4, "greedy,random,search:5")])
def test_the_table_says_what_the_records_say(name: str, players: int, who: str, tmp_path: Path) -> None:
    """Every record replays, and each decision of it is a line: who, what they knew, what was legal, how it ended."""
    plan = planned(name, players, who, games=2)
    made(plan, tmp_path / "data")
    table = pyarrow.parquet.read_table(tmp_path / "data" / "decisions")
    assert list(dataset.COLUMNS) == table.column_names
    lines = iter(table.to_pylist())
    hidden = 0
    for number, match in enumerate(records(tmp_path / "data")):
        outcome = match.outcome
        assert outcome is not None
        sitting = plan.seating(number)
        for ply in range(1, match.ply):
            before, entry, line = match.after(ply), match.entries[ply], next(lines)
            assert entry.seat is not None
            view = before.view(entry.seat)
            assert (number, ply, entry.seat, sitting[entry.seat]) == (line["match"], line["ply"], line["seat"], line["bot"])
            assert list(view.row) == line["view"]
            assert before.row == line["row"]
            assert view.legal == tuple(action for action, allowed in enumerate(line["legal"]) if allowed)
            assert entry.do == match.rules.ACTIONS.notation(line["action"])
            assert view.to_act == tuple(seat for seat in range(players) if line["waiting"] >> seat & 1)
            assert outcome.scores[entry.seat] == line["score"]
            assert (entry.seat in outcome.winners) == (line["share"] > 0)
            assert outcome.winners == tuple(seat for seat in range(players) if line["winners"] >> seat & 1)
            assert outcome.ending == line["ending"]
            hidden += view.row.count(HIDDEN)
        shares = {one["seat"]: one["share"] for one in table.to_pylist() if one["match"] == number}
        assert pytest.approx(1.0) == sum(shares.values())
    assert next(lines, None) is None
    assert 0 < hidden


def test_bots_move_on_by_a_seat() -> None:
    """Each bot sits everywhere: two at three seats come round after two matches."""
    plan = planned("turandot", 3, "greedy,random")
    assert [["greedy", "random", "greedy"], ["random", "greedy", "random"]] == [plan.seating(0), plan.seating(1)]
    assert plan.seating(0) == plan.seating(2)


def test_the_folder_explains_itself(fantome: Path) -> None:
    """`dataset.json` and every table say what was played and what the columns, words and actions are."""
    told = json.loads((fantome / "dataset.json").read_bytes())
    assert dataset.COLUMNS == told["columns"]
    assert ("fantome", ["greedy", "random"], 3, 6) == (told["game"], told["bots"], told["seed"], told["games"])
    rules = GAMES["fantome"].rules
    assert rules.ACTIONS.size == len(told["actions"])
    assert rules.FIELDS.width == sum(one["words"] for one in told["fields"])
    schema = pyarrow.parquet.read_schema(fantome / "decisions" / "00001.parquet")
    assert told == json.loads(schema.metadata[b"ridotto"])


class Interrupted(WorkerPool):
    """A pool that is stopped after its first task."""

    def run(self, tasks: Iterator[Any], until: float | None = None) -> Generator[tuple[Any, Any], None, None]:
        for number, answer in enumerate(super().run(tasks, until)):
            if number == 1:
                raise KeyboardInterrupt
            yield answer


def test_an_interrupted_dataset_goes_on(fantome: Path, tmp_path: Path) -> None:
    """What was written before an interrupt is whole and is kept; the rest comes, and all is as if nothing had happened."""
    folder = tmp_path / "data"
    with pytest.raises(KeyboardInterrupt):
        made(planned(), folder, Interrupted(1))
    kept = files(folder)
    assert ["dataset.json", "decisions/00000.parquet", "records/00000.jsonl.gz"] == sorted(kept)
    before = (folder / "records/00000.jsonl.gz").stat().st_mtime_ns
    told: list[int] = []
    assert files(fantome) == made(planned(), folder, on_progress=told.append)
    assert [4, 6] == told
    assert before == (folder / "records/00000.jsonl.gz").stat().st_mtime_ns


def test_a_full_disk_is_said_and_leaves_no_half_file(tmp_path: Path) -> None:
    """Where no more can be written the command says so, and nothing is left that is not whole."""
    command = [sys.executable, "-m", "ridotto", "dataset", "fantome", "--games", "3", "--bots", "random"]
    limit: Callable[[], None] = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))  # noqa: E731
    run = subprocess.run(
        [*command, "--out", str(tmp_path / "data"), "--processes", "1"],
        preexec_fn=limit,
        capture_output=True,
        text=True,
        check=False,
    )
    assert 2 == run.returncode
    assert "records/00000.jsonl.gz': File too large; the files there already are whole" in run.stderr
    assert "Traceback" not in run.stderr
    assert ["dataset.json"] == sorted(files(tmp_path / "data"))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"games": 7}, "a dataset with games 6, not 7: name another folder"),
        ({"who": "random"}, r"a dataset with bots \['greedy', 'random'\], not \['random'\]"),
        ({"each": 5}, "a dataset with each 4, not 5"),
        ({"name": "turandot"}, "a dataset with game 'fantome', not 'turandot'"),
    ],
)
def test_another_dataset_is_not_mixed_in(change: dict[str, Any], message: str, fantome: Path) -> None:
    """A folder of another dataset is refused, and stays as it is."""
    before = files(fantome)
    with pytest.raises(BadDataset, match=message):
        made(planned(**change), fantome)
    assert before == files(fantome)


def test_folders_that_will_not_do(fantome: Path, tmp_path: Path) -> None:
    """A folder with other things in it, a torn manifest, a file, and a folder that somebody writes to: each is said."""
    (tmp_path / "holiday.jpg").write_bytes(b"")
    with pytest.raises(BadDataset, match="is not empty and holds no dataset: name another folder"):
        made(planned(), tmp_path)
    with pytest.raises(BadDataset, match=r"cannot use the folder '.*holiday.jpg': File exists"):
        made(planned(), tmp_path / "holiday.jpg")
    (tmp_path / "dataset.json").write_bytes(b"{")
    with pytest.raises(BadDataset, match="cannot read"):
        made(planned(), tmp_path)
    with dataset._locked(fantome), pytest.raises(BadDataset, match="another command is writing to"):
        made(planned(), fantome)


def test_bots_by_the_clock_are_not_repeatable() -> None:
    """Only playouts can be repeated."""
    assert planned(who="search:20,level:1").is_repeatable
    assert not planned(who="search:20ms").is_repeatable
    assert not planned(who="openspiel:mccfr:20ms").is_repeatable
    assert not planned(who="cmd:true").is_repeatable


def test_a_program_at_fault_is_named(tmp_path: Path) -> None:
    """An outside program that leaves ends the command, with its name and the match."""
    with pytest.raises(BadDataset, match=r"'cmd:true' at seat 0, match 0, ply 1: "):
        made(planned(who="cmd:true"), tmp_path / "data")


def test_without_pyarrow_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever lacks the package is told which extra brings it."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(BadDataset, match=r"pip install 'ridotto\[dataset\]'"):
        planned()


def test_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The snippets of the page run, and its table of columns is the one there is."""
    monkeypatch.chdir(tmp_path)
    assert 3 == snippets.run("Datasets")
    columns = [f"| `{name}` | {meaning} |" for name, meaning in dataset.COLUMNS.items()]
    assert "\n".join(columns) in snippets.section("Datasets")
