"""Datasets: matches of bots as files to learn from, as whole records and with every decision as a line of a table.

A folder holds `dataset.json` (what was played, and what the columns mean), and for each shard of matches two files:
`records/00000.jsonl.gz`, a record a line as `ridotto replay` reads it, and `decisions/00000.parquet`. Which matches they are
depends on the seed alone, so that the same command makes the same bytes, however many processes there are. A file is there
whole or not at all; a command that was interrupted goes on where it stopped.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, Final

from ridotto import bots
from ridotto.bots.programs import MOVE_SECONDS, Fault, Program, split_names
from ridotto.bots.setup import MatchSetup, derived_seed
from ridotto.bots.workers import WorkerPool
from ridotto.core import record
from ridotto.core.match import Match
from ridotto.core.view import Seen
from ridotto.engine.errors import RidottoError
from ridotto.engine.fields import HIDDEN

FORMAT: Final = "ridotto dataset"
FORMAT_VERSION: Final = 1
MANIFEST: Final = "dataset.json"
MATCHES_A_FILE: Final = 500
"""Matches in a file."""

COLUMNS: Final = {
    "match": "the number of the match, from 0",
    "ply": "how many entries the log had: the deal is entry 0",
    "seat": "the seat that decided",
    "bot": "who sat there",
    "waiting": "the seats that owed a decision, one bit each; several where choices are simultaneous",
    "view": f"the row as that seat may know it; {HIDDEN} where it may not look",
    "row": "the row as it was, secrets included",
    "legal": "for each action whether it was legal",
    "action": "the action chosen",
    "share": "the seat's share of the win at the end",
    "score": "the seat's score at the end",
    "winners": "who won in the end, one bit a seat",
    "ending": "how the match ended",
}
"""The columns of the table, which has one line for each decision. `ridotto layout GAME` explains the words of a row."""


class BadDataset(RidottoError, ValueError):
    """A dataset that cannot be made."""


@dataclass(frozen=True)
class DatasetPlan:
    """The plan of a dataset."""

    setup: MatchSetup
    bots: tuple[str, ...]
    games: int
    each: int = MATCHES_A_FILE

    @property
    def shards(self) -> list[Shard]:
        """Its parts, a pair of files each."""
        firsts = range(0, self.games, self.each)
        return [Shard(self, i, first, min(self.each, self.games - first)) for i, first in enumerate(firsts)]

    def seating(self, number: int) -> list[str]:
        """The names of the bots by seat: they move on by one seat from match to match."""
        return [self.bots[(seat + number) % len(self.bots)] for seat in range(self.setup.players)]

    @property
    def is_repeatable(self) -> bool:
        """Whether the choices of every bot depend on its seed alone, not on time or on an outside program."""
        return all(bots.find(name).is_repeatable for name in self.bots)

    def manifest(self) -> dict[str, Any]:
        """The contents of the folder, as plain data."""
        game = self.setup.game
        return {
            "format": FORMAT,
            "version": FORMAT_VERSION,
            **self.setup.facts(),
            "bots": list(self.bots),
            "games": self.games,
            "each": self.each,
            "repeatable": self.is_repeatable,
            "columns": COLUMNS,
            "fields": [{"name": one.name, "at": at, "words": one.size} for one, at in game.rules.FIELDS.slices()],
            "actions": [game.rules.ACTIONS.notation(action) for action in range(game.rules.ACTIONS.size)],
        }


@dataclass(frozen=True)
class Shard:
    """A shard of a dataset: some of its matches, in one pair of files."""

    plan: DatasetPlan
    number: int
    first: int
    games: int

    @property
    def setup(self) -> MatchSetup:
        return self.plan.setup

    @property
    def names(self) -> tuple[str, str]:
        """The names of its two files."""
        return f"records/{self.number:05}.jsonl.gz", f"decisions/{self.number:05}.parquet"

    def __str__(self) -> str:
        return f"matches {self.first} to {self.first + self.games - 1}"

    def run(self, until: float | None) -> tuple[bytes, bytes]:
        """Play its matches; returns the contents of its two files."""
        records, lines = [], _DecisionTable(self.plan)
        for number in range(self.first, self.first + self.games):
            match = _play_match(self.plan, number, lines)
            document = record.write(match, self.plan.seating(number))
            records.append(json.dumps(document, ensure_ascii=False, separators=(",", ":")) + "\n")
        return gzip.compress("".join(records).encode(), mtime=0), lines.parquet()


class _DecisionTable:
    """The decisions of some matches, column by column."""

    def __init__(self, plan: DatasetPlan) -> None:
        self.plan = plan
        self.columns: dict[str, list[Any]] = {name: [] for name in COLUMNS}

    def add(self, **values: Any) -> None:
        """Add one decision; `end` adds the columns about the end of its match."""
        for name, value in values.items():
            self.columns[name].append(value)

    def end(self, match: Match) -> None:
        """Add how the match ended to all of its lines."""
        outcome = match.outcome
        assert outcome is not None
        seats = self.columns["seat"][len(self.columns["ending"]) :]
        shares = [1 / len(outcome.winners) if seat in outcome.winners else 0.0 for seat in seats]
        self.columns["share"] += shares
        self.columns["score"] += [outcome.scores[seat] for seat in seats]
        self.columns["winners"] += [sum(1 << seat for seat in outcome.winners)] * len(seats)
        self.columns["ending"] += [outcome.ending] * len(seats)

    def parquet(self) -> bytes:
        """The table as the contents of a Parquet file."""
        pa, pq = _pyarrow()
        import numpy

        rules = self.plan.setup.game.rules
        width, actions = rules.FIELDS.width, rules.ACTIONS.size
        names = pa.dictionary(pa.int8(), pa.string())
        plain = {
            "match": pa.int64(),
            "ply": pa.int32(),
            "seat": pa.int8(),
            "waiting": pa.uint8(),
            "action": pa.int16(),
            "share": pa.float32(),
            "score": pa.int32(),
            "winners": pa.uint8(),
        }
        arrays = {}
        for name, values in self.columns.items():
            if name in ("view", "row"):
                flat = numpy.fromiter(chain.from_iterable(values), "int16", len(values) * width)
                arrays[name] = pa.FixedSizeListArray.from_arrays(pa.array(flat), width)
            elif name == "legal":
                allowed = numpy.zeros((len(values), actions), bool)
                for line, ids in zip(allowed, values, strict=True):
                    line[list(ids)] = True
                arrays[name] = pa.FixedSizeListArray.from_arrays(pa.array(allowed.ravel()), actions)
            else:
                arrays[name] = pa.array(values, plain.get(name, pa.string()))
        table = pa.table(arrays)
        for at, name in enumerate(table.column_names):
            if name in ("bot", "ending"):
                table = table.set_column(at, name, table[name].cast(names))
        metadata = {"ridotto": json.dumps(self.plan.manifest(), ensure_ascii=False)}
        sink = pa.BufferOutputStream()
        pq.write_table(table.replace_schema_metadata(metadata), sink, compression="zstd")
        return bytes(sink.getvalue())


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ModuleNotFoundError as error:
        raise BadDataset("a dataset needs pyarrow: pip install 'ridotto[dataset]'") from error
    return pyarrow, pyarrow.parquet


def _play_match(plan: DatasetPlan, number: int, lines: _DecisionTable) -> Match:
    """Play a match, and add its decisions to a table."""
    setup, names = plan.setup, plan.seating(number)
    seed = derived_seed("dataset", setup.seed, number)
    match = Match(setup.game, setup.players, setup.options, seed=seed, clock=lambda: 0.0)
    seated = [bots.find(name).sit() for name in names]
    seen: list[list[Seen]] = [[] for _ in names]
    """The events that each seat has seen, up to its last decision."""
    seen_until = [0] * len(names)
    try:
        for bot in seated:
            if isinstance(bot, Program):
                bot.allow(MOVE_SECONDS, None)
        while waiting := match.to_act:
            seat = waiting[0]
            view = match.view(seat, since=seen_until[seat])
            seen[seat] += view.seen
            seen_until[seat] = match.ply
            view = replace(view, seen=tuple(seen[seat]))
            try:
                action = seated[seat].choose(view, bots.Budget(derived_seed(seed, seat, match.ply)))
            except Fault as fault:
                raise BadDataset(f"{names[seat]!r} at seat {seat}, match {number}, ply {match.ply}: {fault}") from fault
            lines.add(
                match=number,
                ply=match.ply,
                seat=seat,
                bot=names[seat],
                waiting=sum(1 << one for one in waiting),
                view=view.row,
                row=match.row,
                legal=view.legal,
                action=action,
            )
            match.play(action, seat)
    finally:
        for bot in seated:
            if isinstance(bot, Program):
                bot.close()
    lines.end(match)
    return match


# The folder.


def plan(setup: MatchSetup, text: str, games: int, each: int = MATCHES_A_FILE) -> DatasetPlan:
    """The plan of a dataset with a comma-separated list of bots."""
    names = split_names(text)
    for name in names:
        bots.find(name)
    _pyarrow()
    return DatasetPlan(setup, tuple(names), games, each)


def make(plan: DatasetPlan, folder: Path, pool: WorkerPool, on_progress: Callable[[int], None] = lambda done: None) -> None:
    """Write the missing files of a folder; `on_progress` gets how many matches are in it."""
    with _locked(folder):
        _check(plan, folder)
        missing = [one for one in plan.shards if not all((folder / name).exists() for name in one.names)]
        done = plan.games - sum(one.games for one in missing)
        on_progress(done)
        if not missing:
            return
        pool.warm(plan.setup)
        for shard, files in pool.run(iter(missing)):
            for name, content in zip(shard.names, files, strict=True):
                _write(folder / name, content)
            done += shard.games
            on_progress(done)


def _write(path: Path, content: bytes) -> None:
    """Write a file atomically."""
    partial = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(exist_ok=True)
        with partial.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError as error:
        with suppress(OSError):
            partial.unlink()
        raise BadDataset(f"cannot write {str(path)!r}: {error.strerror or error}; the files there already are whole") from error


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Lock a folder against other commands."""
    import fcntl

    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise BadDataset(f"cannot use the folder {str(folder)!r}: {error.strerror or error}") from error
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise BadDataset(f"another command is writing to {str(folder)!r}") from error
        yield
    finally:
        os.close(handle)


def _check(plan: DatasetPlan, folder: Path) -> None:
    """Check that a folder is new, or contains a part of this dataset."""
    path, manifest = folder / MANIFEST, plan.manifest()
    if not path.exists():
        others = [one.name for one in folder.iterdir() if not one.name.startswith(MANIFEST)]
        if others:
            raise BadDataset(f"{str(folder)!r} is not empty and holds no dataset: name another folder")
        _write(path, (json.dumps(manifest, ensure_ascii=False, indent=1) + "\n").encode())
        return
    try:
        document = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise BadDataset(f"cannot read {str(path)!r}: {error}") from error
    for key, value in manifest.items():
        if not isinstance(document, dict) or document.get(key) != value:
            other = _short(document.get(key)) if isinstance(document, dict) else "nothing"
            raise BadDataset(f"{str(folder)!r} is a dataset with {key} {other}, not {_short(value)}: name another folder")


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
