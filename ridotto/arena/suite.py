"""A suite with a protocol: an agent plays frozen deals against a frozen ladder of bots, and gets figures that can be compared.

Every deal is played once from each seat, with the opponent at all other seats. Opponents go by playouts and never by time, so
the figures depend on the agent and on nothing else, however many processes play. A result names the versions, the box and a
digest of everything that decides what the ladder does: results with different digests are never put into one table.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, Final

from ridotto import __version__
from ridotto.arena.ledger import Ledger
from ridotto.arena.schedule import BadTournament, Pairing, TournamentSettings
from ridotto.arena.tournament import PairingProgress, run_tournament
from ridotto.bots.setup import MatchSetup
from ridotto.bots.workers import WorkerPool
from ridotto.core.game import Game
from ridotto.engine.digest import digest

FORMAT: Final = "ridotto suite 1"
"""The protocol: another ladder, other deals or another way to count is another number."""
SEED: Final = 2009
"""The seed of the frozen deals."""
LADDER: Final = ("random", "greedy", "level:1", "level:3", "search:200")
"""The opponents, from weak to strong."""
SURE: Final = 1.96
"""Standard errors on either side of a mean: 95 % intervals."""


@dataclass(frozen=True)
class Figure:
    """How an agent did against one opponent: its share of the win and its points above the mean, each with its 95 % margin."""

    game: str
    seats: int
    opponent: str
    matches: int
    share: float
    margin: float
    points: float
    points_margin: float


@dataclass(frozen=True)
class Report:
    """The results of the suite for one agent, as they are kept in a file."""

    agent: str
    version: str
    deals: int
    facts: dict[str, dict[str, Any]]
    """For each game: the version of its rules, its box, and the digest of rules and ladder."""
    figures: tuple[Figure, ...]

    @property
    def digest(self) -> str:
        """A digest of what the figures must have in common to be comparable."""
        return digest([FORMAT, self.deals, LADDER, self.facts])[:12]

    def line(self) -> str:
        """One line to paste into a paper."""
        means = ", ".join(
            f"{game}-{seats} {100 * self.mean(game, seats):.1f}"
            for game, seats in dict.fromkeys((one.game, one.seats) for one in self.figures)
        )
        return f"{self.agent}: {means} (mean share of the win in %, {FORMAT}, {self.deals} deals, digest {self.digest})"

    def mean(self, game: str, seats: int) -> float:
        """The mean share of the win over the whole ladder; against itself an agent has an even share."""
        shares = {one.opponent: one.share for one in self.figures if (one.game, one.seats) == (game, seats)}
        return fmean(shares.get(name, 1 / seats) for name in LADDER)

    def json(self) -> dict[str, Any]:
        figures = [asdict(one) for one in self.figures]
        return {"format": FORMAT, "digest": self.digest, **{name: getattr(self, name) for name in NAMES}, "figures": figures}


NAMES: Final = ("agent", "version", "deals", "facts")


def run(
    agent: str,
    tables: Sequence[tuple[Game, int]],
    deals: int,
    pool: WorkerPool,
    on_progress: Callable[[int], None] = lambda done: None,
) -> Report:
    """Play the suite at these tables, each a game and its number of seats."""
    figures: list[Figure] = []
    facts: dict[str, dict[str, Any]] = {}
    finished = 0
    for game, seats in tables:
        settings = TournamentSettings(game.name, seats, game.settle(), SEED, game.box_file, faults="resign")
        facts[game.name] = _facts(settings)
        pairings = [Pairing(agent, opponent, tuple(range(seats))) for opponent in LADDER if opponent != agent]
        played = [PairingProgress(pairing, deals) for pairing in pairings]
        ledger = Ledger(settings)

        def say(played: Sequence[PairingProgress] = played, before: int = finished) -> None:
            on_progress(before + sum(one.counted for one in played))

        run_tournament(ledger, played, pool, on_progress=say)
        figures += [_figure(game, seats, one, ledger) for one in played]
        finished += deals * len(pairings)
    return Report(agent, __version__, deals, facts, tuple(figures))


def _facts(setup: MatchSetup) -> dict[str, Any]:
    return {name: value for name, value in setup.facts().items() if name in ("rules", "box", "code", "options", "seed")}


def _figure(game: Game, seats: int, one: PairingProgress, ledger: Ledger) -> Figure:
    """The figures of a pairing; a deal counts once, as the mean of its matches."""
    shares, points = [], []
    for deal in range(one.deals):
        results = [ledger[one.pairing.one, one.pairing.rest, deal, at] for at in one.pairing.seats]
        shares.append(fmean(result.share(result.at) for result in results))
        points.append(fmean(result.scores[result.at] - fmean(result.scores) for result in results))
    found = (round(number, 6) for values in (shares, points) for number in (fmean(values), _margin(values)))
    return Figure(game.name, seats, one.pairing.rest, one.deals * len(one.pairing.seats), *found)


def _margin(values: Sequence[float]) -> float:
    return SURE * stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0


# Files, and the page made of them.


def read(path: Path) -> Report:
    """The report in a file. Raises BadTournament."""
    try:
        data = json.loads(path.read_text("utf-8"))
        if data.pop("format") != FORMAT:
            raise BadTournament(f"{str(path)!r} is not of {FORMAT}")
        claimed = data.pop("digest")
        report = Report(**{**data, "figures": tuple(Figure(**one) for one in data["figures"])})
    except OSError as error:
        raise BadTournament(f"cannot read {str(path)!r}: {error.strerror or error}") from error
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        if isinstance(error, BadTournament):
            raise
        raise BadTournament(f"{str(path)!r} is no report of the suite: {error}") from error
    if claimed != report.digest:
        raise BadTournament(f"{str(path)!r} has the digest {claimed}, but its contents have {report.digest}")
    return report


def write(report: Report, path: Path) -> None:
    """Write a report into a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(report.json(), indent=1, ensure_ascii=False) + "\n", "utf-8")


def leaderboard(reports: Sequence[Report], command: str) -> str:
    """The page of reports: a table for each digest and table of a game, best agents first."""
    lines = [
        "# Leaderboard",
        "",
        f"Made by `{command}` from reports that `ridotto bench-agents AGENT --out FILE` wrote: do not edit it by hand.",
        "A figure is the share of the win in per cent with its 95 % margin; every deal is played from every seat. Only reports",
        "with the same digest (rules, boxes, ladder, number of deals) are in one table.",
        "",
    ]
    for mark in sorted({report.digest for report in reports}):
        group = sorted((one for one in reports if one.digest == mark), key=lambda one: one.agent)
        lines += [f"## Digest {mark}: {group[0].deals} deals", ""]
        for game, seats in dict.fromkeys((one.game, one.seats) for report in group for one in report.figures):
            opponents = [name for name in LADDER if any(one.opponent == name for report in group for one in report.figures)]
            lines += [f"### {game}, {seats} seats", "", f"| agent | {' | '.join(opponents)} | mean |"]
            lines += ["| --- |" + " ---: |" * (len(opponents) + 1)]
            rows = []
            for report in group:
                found = {one.opponent: one for one in report.figures if (one.game, one.seats) == (game, seats)}
                if not found:
                    continue
                cells = [_cell(found.get(name)) for name in opponents]
                mean = report.mean(game, seats)
                rows.append((-mean, f"| `{report.agent}` | {' | '.join(cells)} | {100 * mean:.1f} |"))
            lines += [line for _, line in sorted(rows)] + [""]
    return "\n".join(lines)


def _cell(one: Figure | None) -> str:
    return "" if one is None else f"{100 * one.share:.1f} ± {100 * one.margin:.1f}"
