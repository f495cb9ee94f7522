"""How strong the networks and the levels are, and how long they think: plays the rows of docs/masters.md.

python -m bench.masters [--rows 'opera-4-*' …] [--matches 40] [--minutes 8] [--processes 16] [--out FILE]
python -m bench.masters --list          every row, and how many matches of it are there
python -m bench.masters --merge FILE…   adds what was played elsewhere to docs/masters.jsonl.gz
python -m bench.masters --page          writes docs/masters.md

A row is one bot at a table full of another. Each deal is played from every seat, deals in ascending order, all rows at once
and in step: each has about the same part of its matches at any time. What the ledger has already is not played again. A run
that is stopped leaves deals unfinished, rather the long ones; so only deals before the first unfinished one count. Without
`--out` the matches are written into the ledger at the end; with it they are appended to that file as they come.

It needs NumPy and Numba alone; the page also needs choix.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, fields, replace
from fnmatch import fnmatch
from functools import cache
from itertools import pairwise
from math import ceil
from pathlib import Path
from statistics import fmean
from typing import Any, Final, NamedTuple, TypeAlias

from ridotto.arena.ledger import Result
from ridotto.arena.rating import Rating, Score, ratings, wilson
from ridotto.arena.schedule import Pairing, TournamentSettings
from ridotto.arena.tournament import DealTask
from ridotto.bots.networks import network_of
from ridotto.bots.setup import warm_setup
from ridotto.bots.workers import WarmUp, WorkerPool
from ridotto.core.tuning import FORMER_NAMES, LevelSettings, NetworkLevel
from ridotto.engine.digest import digest
from ridotto.engine.fields import Seat
from ridotto.games import GAMES

DOCS: Final = Path(__file__).resolve().parent.parent / "docs"
LEDGER: Final = DOCS / "masters.jsonl.gz"
PAGE: Final = DOCS / "masters.md"
SEED: Final = 1
LEVEL_SEEDS: Final = {
    "fantome": {2: (1, 1, 1, 1, 3, 3)},
    "opera": {2: (1, 1, 1, 1, 1, 2)},
    "turandot": {2: (6, 6, 6, 6, 2, 2), 3: (2,) * 6, 4: (3, 2, 2, 2, 2, 2), 5: (2, 2, 3, 3, 2, 2)},
}
"""By number of seats, the seed of the deals that each level plays: other deals than those by which it was set last."""
SEARCH: Final = "search-0.1:1000"
LEVELS: Final = tuple(f"level:{level}" for level in range(1, 7))
RANGES: Final = {2: "60 to 80", 3: "40 to 65", 4: "36 to 60", 5: "30 to 55"}
"""What a level should win against a table of the one below it, in hundredths, by number of seats."""
PAUSE: Final = 30.0
"""Seconds between two lines of progress."""


# The rows.


@dataclass(frozen=True)
class Row:
    """One bot at a table full of another, and how many matches of it are wanted at least."""

    game: str
    seats: int
    one: str
    rest: str
    matches: int
    floor: float | None = None
    """The share of the win that it should have."""
    aim: float | None = None
    """The share of the win that would be better still."""

    @property
    def name(self) -> str:
        table = f"{self.game}-{self.seats}-{self.one}"
        return table if self.rest == SEARCH else f"{table}-{self.rest}"

    @property
    def pairing(self) -> Pairing:
        return Pairing(self.one, self.rest, tuple(range(self.seats)))

    @property
    def deals(self) -> int:
        return ceil(self.matches / self.seats)


def seed_of(game: str, seats: int, *bots: str) -> int:
    """The seed of the deals that two bots play."""
    seeds = LEVEL_SEEDS.get(game, {}).get(seats, (SEED,) * len(LEVELS))
    return max([SEED, *(seeds[LEVELS.index(bot)] for bot in bots if bot in LEVELS)])


TABLE: Final = (
    Row("opera", 4, "net", SEARCH, 400, 0.60, 0.75),
    Row("opera", 4, "net:20ms", SEARCH, 400, 0.70, 0.85),
    Row("opera", 3, "net:20ms", SEARCH, 400, 0.70, 0.85),
    Row("opera", 2, "net:20ms", SEARCH, 400, 0.75, 0.88),
    Row("turandot", 4, "net", SEARCH, 400, 0.30, 0.45),
    Row("turandot", 4, "net:100ms", SEARCH, 400, 0.40, 0.55),
    Row("turandot", 2, "net:100ms", SEARCH, 400, 0.62, 0.75),
)
"""The networks against the search of version 0.1; these are played if no others are asked for."""


def _level_rows(game: str, seats: int) -> Iterator[Row]:
    """Neighbouring levels, and what their ratings are measured by: some of them against `greedy`."""
    for lower, higher in pairwise(LEVELS):
        yield Row(game, seats, higher, lower, 200 if higher == LEVELS[-1] else 400)
    for level in ("level:1", "level:3"):
        yield Row(game, seats, level, "greedy", 100)
        yield Row(game, seats, "greedy", level, 100)
    yield Row(game, seats, "level:1", "random", 40)


ROWS: Final = (
    *TABLE,
    *(row for game in ("fantome", "opera", "turandot") for seats in GAMES[game].seats for row in _level_rows(game, seats)),
)


# The ledger.


class Played(NamedTuple):
    """One match: a line of the ledger."""

    game: str
    seats: int
    one: str
    rest: str
    deal: int
    at: Seat
    """The seat of `one`."""
    winners: list[Seat]
    mean: float
    """The mean CPU time of its decisions that had a choice, in milliseconds."""
    digest: str
    """What its network and its levels were, see `digest_of`."""
    slow: float | None = None
    """The time that 95 in 100 of these decisions kept within, in milliseconds."""
    slowest: float | None = None
    """The time of the slowest of these decisions, in milliseconds."""
    seed: int = SEED
    """The seed of its deal."""

    @property
    def key(self) -> tuple[str | int, ...]:
        """What identifies it, in the order of the ledger."""
        return self.game, self.seats, self.one, self.rest, self.digest, self.seed, self.deal, self.at

    @property
    def counts(self) -> bool:
        """Whether it was played by the network in the box, by the levels as they are, and on the deals of its row."""
        bots = self.one, self.rest
        return (self.digest, self.seed) == (digest_of(self.game, self.seats, *bots), seed_of(self.game, self.seats, *bots))

    @property
    def share(self) -> float:
        return 1 / len(self.winners) if self.at in self.winners else 0.0


@cache
def digest_of(game: str, seats: int, *bots: str) -> str:
    """A digest of a game's network, and of the settings of those bots that are levels."""
    network = network_of(GAMES[game])
    own = "" if network is None else network.digest
    numbers = [int(name.removeprefix("level:")) for name in bots if name in LEVELS]
    levels = [GAMES[game].tuning.levels_for(seats)[number - 1] for number in numbers]
    played = [_unusual(level if level.network is None or level.bot else level.network) for level in levels]
    return digest([own, played])[:16] if levels else own


def _unusual(settings: LevelSettings | NetworkLevel) -> dict[str, Any]:
    """The settings that are not at their default: what plays the same keeps its digest when there are more of them.

    Settings of the search have the names of version 0.1, by which matches in the ledger were played.
    """
    usual = {one.name: one.default for one in fields(settings)}
    unusual = {name: value for name, value in asdict(settings).items() if getattr(settings, name) != usual[name]}
    former = {name: old for old, name in FORMER_NAMES.items()}
    return unusual | {
        part: {former.get(name, name): value for name, value in values.items()}
        for part, values in unusual.items()
        if isinstance(values, dict)
    }


def read(*paths: Path) -> list[Played]:
    """The matches in files, each once."""
    found: dict[tuple[str | int, ...], Played] = {}
    for path in paths:
        text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        for line in text.splitlines():
            one = Played(*json.loads(line))
            found.setdefault(one.key, one)
    return list(found.values())


def line_of(played: Played) -> str:
    """A match as a line of the ledger."""
    return json.dumps(played, separators=(",", ":")) + "\n"


def write(played: Iterable[Played], path: Path) -> None:
    """Write a ledger, sorted; matches of other networks and levels than today's are left out."""
    kept = sorted((one for one in played if one.counts), key=lambda one: one.key)
    path.write_bytes(gzip.compress("".join(map(line_of, kept)).encode(), mtime=0))


Table: TypeAlias = tuple[str, int]
"""A game, and its number of seats."""
Pairs: TypeAlias = dict[tuple[str, str], list[Played]]


def counted(played: Iterable[Played]) -> dict[Table, Pairs]:
    """By table, for each pairing the matches that count: those of whole deals, up to the first that is not finished."""
    deals: dict[tuple[str, int, str, str], dict[int, list[Played]]] = defaultdict(lambda: defaultdict(list))
    for one in played:
        if one.counts:
            deals[one.game, one.seats, one.one, one.rest][one.deal].append(one)
    found: dict[Table, Pairs] = defaultdict(dict)
    for (game, seats, one_bot, rest), by_deal in deals.items():
        whole: list[Played] = []
        while len(by_deal[deal := len(whole) // seats]) == seats:
            whole += by_deal[deal]
        if whole:
            found[game, seats][one_bot, rest] = whole
    return found


# Playing.


class Contest:
    """A row that is played: what there is of it, and what is still to be begun."""

    def __init__(self, row: Row, played: Iterable[Played]) -> None:
        self.row = row
        self.settings = TournamentSettings(
            row.game, row.seats, GAMES[row.game].settle(), seed_of(row.game, row.seats, row.one, row.rest)
        )
        self.digest = digest_of(row.game, row.seats, row.one, row.rest)
        mine = (row.game, row.seats, row.one, row.rest, self.digest, self.settings.seed)
        self.played = [one for one in played if one.key[:6] == mine]
        self.cost: list[float] = []
        """The CPU seconds of each match of this run."""
        there = {(one.deal, one.at) for one in self.played}
        self.waiting = deque(
            DealTask(self.settings, row.pairing, deal, (at,))
            for deal in range(row.deals)
            for at in range(row.seats)
            if (deal, at) not in there
        )

    @property
    def begun(self) -> float:
        """Which part of its matches is begun."""
        return 1 - len(self.waiting) / (self.row.deals * self.row.seats)

    def add(self, result: Result) -> Played:
        """Count a match that was played; its line of the ledger."""
        row, times = self.row, sorted(micros for micros in result.micros[result.at] if micros) or [0]
        mean, slow = fmean(times) / 1000, times[ceil(0.95 * len(times)) - 1] / 1000
        facts = row.game, row.seats, row.one, row.rest, result.deal, result.at, result.winners
        self.played.append(Played(*facts, round(mean, 3), self.digest, round(slow, 3), times[-1] / 1000, self.settings.seed))
        self.cost.append(sum(map(sum, result.micros)) / 1e6)
        return self.played[-1]

    def __str__(self) -> str:
        (whole,) = [pairs[self.row.one, self.row.rest] for pairs in counted(self.played).values()] or [[]]
        text = f"{self.row.name:28} {len(self.played):4} of {self.row.deals * self.row.seats}"
        if whole:
            text += f"; won {won(whole)}, {times(whole, ' to ')} ms"
        return f"{text}; {fmean(self.cost):.1f} s of CPU a match" if self.cost else text


def play(contests: Sequence[Contest], pool: WorkerPool, until: float, on_match: Callable[[Played], None]) -> None:
    """Play what is missing until it is there or the time is up."""
    setups = {contest.row.game: contest.settings for contest in contests if contest.waiting}
    if pool.size == 1:
        for setup in setups.values():
            warm_setup(setup)
    else:
        # Each game is compiled by one worker; the others then find its machine code.
        for _ in pool.run(iter([WarmUp(setup) for setup in setups.values()])):
            pass
    with closing(pool.run(_tasks(contests, until), until)) as playing:
        for task, results in playing:
            contest = next(one for one in contests if one.settings is task.setup)
            for result in results:
                on_match(contest.add(result))


def _tasks(contests: Sequence[Contest], until: float) -> Iterator[DealTask]:
    """The next match of the row of which the smallest part is begun."""
    while (waiting := [one for one in contests if one.waiting]) and time.monotonic() < until:
        yield min(waiting, key=lambda one: one.begun).waiting.popleft()


# The page.


def won(matches: Sequence[Played]) -> str:
    """A share of wins with its 95 % interval."""
    share = fmean(one.share for one in matches)
    low, high = wilson(share, len(matches))
    return f"{share:.0%} ({low:.0%} to {high:.0%})"


def times(matches: Sequence[Played], between: str) -> str:
    """The mean time of decisions, and the mean over matches of the time that 95 in 100 of them kept within."""
    slow = [one.slow for one in matches if one.slow is not None]
    return f"{fmean(one.mean for one in matches):.2f}{between}{f'{fmean(slow):.2f}' if slow else ''}"


def level_ratings(pairs: Mapping[tuple[str, str], Sequence[Played]], seats: int) -> dict[str, Rating]:
    """The ratings of the levels; `greedy` has 1000."""
    shares = {pair: (len(matches), sum(one.share for one in matches)) for pair, matches in pairs.items() if pair[1] != SEARCH}
    return ratings({pair: Score(many, share, many - share) for pair, (many, share) in shares.items()}, seats, "greedy")


def page(played: Iterable[Played]) -> str:
    """The page."""
    found = counted(played)
    lines = [
        "# Networks and levels",
        "",
        "Made by `python -m bench.masters --page` out of `docs/masters.jsonl.gz`, a line for each match; nothing here is",
        "typed. One bot sits at a table full of the other; each deal is played from every seat. Intervals are 95 %. A time is",
        "CPU time on one core for a decision that has a choice: the mean, and what 95 in 100 decisions of a match keep",
        "within (the mean over matches).",
        "",
        f"Deals are those of seed {SEED}; levels that were set by these play others (`LEVEL_SEEDS`). Some machines are half as",
        "fast as others, and time limits allow less there.",
        "",
        "## Against the search of version 0.1 with 1,000 playouts",
        "",
        "| game, seats | bot | won | matches | even | wanted | ms a decision | 95 in 100 |",
        "|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    wanted = {(row.game, row.seats, row.one, row.rest): f"{row.floor:.0%}, aim {row.aim:.0%}" for row in TABLE}
    for (game, seats), pairs in sorted(found.items()):
        for (one, rest), matches in sorted(pairs.items()):
            if rest == SEARCH:
                cells = f"{won(matches)} | {len(matches)} | {1 / seats:.0%} | {wanted.get((game, seats, one, rest), '')}"
                lines.append(f"| {GAMES[game].title}, {seats} | `{one}` | {cells} | {times(matches, ' | ')} |")
    for (game, seats), pairs in sorted(found.items()):
        if not any(one in LEVELS for one, _ in pairs):
            continue
        here = level_ratings(pairs, seats) if any("greedy" in pair for pair in pairs) else {}
        lines += ["", f"## {GAMES[game].title}, {seats} seats", "", "| level | rating | 95 % |", "|---|---:|---:|"]
        lines += [
            f"| `{name}` | {here[name].points:.0f} | {here[name].low:.0f} to {here[name].high:.0f} |"
            for name in reversed(LEVELS)
            if name in here
        ]
        lines += ["", f"A level should win {RANGES[seats]} % against a table of the one below it.", ""]
        lines += ["| one | against | won | matches |", "|---|---|---:|---:|"]
        lines += [
            f"| `{one}` | `{rest}` | {won(matches)} | {len(matches)} |"
            for (one, rest), matches in sorted(pairs.items(), reverse=True)
            if one in LEVELS or rest in LEVELS
        ]
        slowest = [one.slowest for one in pairs.get((LEVELS[-1], LEVELS[-2]), []) if one.slowest is not None]
        if slowest:
            lines += [
                "",
                f"The slowest decision of `{LEVELS[-1]}` in {len(slowest)} matches took {max(slowest):.0f} ms of CPU time.",
            ]
    return "\n".join(lines) + "\n"


# The command.


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.masters", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", nargs="+", metavar="NAME", help="patterns of names; without it, the networks' rows")
    parser.add_argument("--matches", type=int, help="so many of each row, instead of what it wants")
    parser.add_argument("--minutes", type=float, default=8, help="how long it may take, compiling included")
    parser.add_argument("--processes", type=int, default=2, help="matches at a time")
    parser.add_argument("--out", type=Path, help="append the matches to this file, not to the ledger")
    parser.add_argument("--list", action="store_true", help="say what there is")
    parser.add_argument("--merge", nargs="+", type=Path, metavar="FILE", help="add the matches in these files to the ledger")
    parser.add_argument("--page", action="store_true", help="write docs/masters.md")
    chosen = parser.parse_args()
    until = time.monotonic() + 60 * chosen.minutes
    if chosen.merge:
        write(read(LEDGER, *chosen.merge), LEDGER)
    if chosen.page:
        PAGE.write_text(page(read(LEDGER)), "utf-8")
    if chosen.merge or chosen.page:
        return
    patterns = chosen.rows or ["*" if chosen.list else row.name for row in TABLE]
    rows = [row for row in ROWS if any(fnmatch(row.name, pattern) for pattern in patterns)]
    rows = [replace(row, matches=chosen.matches or row.matches) for row in rows]
    if unknown := [pattern for pattern in patterns if not any(fnmatch(row.name, pattern) for row in ROWS)]:
        parser.error(f"no row is called {' or '.join(unknown)}; see --list")
    there = read(*(path for path in (LEDGER, chosen.out) if path is not None and path.exists()))
    contests = [Contest(row, there) for row in rows]
    if not chosen.list:
        run(contests, chosen.processes, until, chosen.out)
    print(*contests, sep="\n")


def run(contests: Sequence[Contest], processes: int, until: float, out: Path | None) -> None:
    """Play, say now and then how far it is, and keep what was played whatever happens."""
    new: list[Played] = []
    said = time.monotonic()

    def keep(one: Played) -> None:
        nonlocal said
        new.append(one)
        if out is not None:
            with out.open("a", encoding="utf-8") as file:
                file.write(line_of(one))
        if time.monotonic() > said + PAUSE:
            said = time.monotonic()
            print(
                f"{until - said:.0f} s left; " + ", ".join(f"{one.row.name} {len(one.played)}" for one in contests), flush=True
            )

    try:
        with WorkerPool(processes) as pool:
            play(contests, pool, until, keep)
    finally:
        if out is None:
            write([*read(LEDGER), *new], LEDGER)


if __name__ == "__main__":
    main()
