"""A suite with a protocol: an agent plays frozen deals against a frozen ladder of bots, and gets figures that can be compared.

Every deal is played once from each seat, with the opponent at all other seats. Opponents go by playouts and never by time, so
the figures depend on the agent and on nothing else, however many processes play. A result names the versions, the box and a
digest of what the ladder does: results with different digests are never put into one table. The ladder has no levels and no
networks, so that neither another tuning nor more training changes it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, Final

from ridotto import __version__
from ridotto.arena.ledger import Ledger
from ridotto.arena.schedule import BadTournament, Pairing, TournamentSettings
from ridotto.arena.standings import without_luck
from ridotto.arena.tournament import PairingProgress, run_tournament
from ridotto.bots import Budget, find
from ridotto.bots.setup import MatchSetup
from ridotto.bots.workers import WorkerPool
from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.engine.digest import digest

FORMAT: Final = "ridotto suite 2"
"""The protocol: another ladder, other deals or another way to count is another number."""
SEED: Final = 2009
"""The seed of the frozen deals."""
LADDER: Final = ("random", "greedy", "search:10", "search:50", "search:200")
"""The opponents."""
HEAD: Final = """# Leaderboard

Made by `ridotto leaderboard FILES` from reports that `ridotto bench-agents AGENT --out FILE` wrote: do not edit it by hand. A
figure is the share of the win in % with its 95 % margin, in brackets [without luck](luck.md) where that was worked out;
every deal is played from every seat, and the opponent has all other seats. *Mean* is that over the ladder, with an even share
against oneself. Those with another digest (rules, box, ladder, number of deals) have a table of their own: their figures
cannot be compared. How to send a row is in [research.md](research.md#a-suite-to-compare-agents-with).
"""
SURE: Final = 1.96
"""Standard errors on either side of a mean: 95 % intervals."""


@dataclass(frozen=True)
class Figure:
    """An agent's result against one opponent: its share of the win and its points above the mean, with 95 % margins."""

    game: str
    seats: int
    opponent: str
    matches: int
    share: float
    margin: float
    points: float
    points_margin: float
    adjusted: float | None = None
    """The share of the win without luck, if that was measured."""
    adjusted_margin: float | None = None


@dataclass(frozen=True)
class SuiteReport:
    """The results of the suite for one agent, as stored in a file."""

    agent: str
    """The agent's name: as a bot, or its author's name for it."""
    version: str
    deals: int
    facts: dict[str, dict[str, Any]]
    """For each game: the version of its rules, its box, and the digest of rules and ladder."""
    figures: tuple[Figure, ...]
    bots: Mapping[str, str] = field(default_factory=dict)
    """For each game: a digest of all our bots, networks included. It identifies the version of `level:5` or `net`."""

    @property
    def digest(self) -> str:
        """A digest of what the figures must have in common to be comparable."""
        return digest([FORMAT, self.deals, LADDER, self.facts])[:12]

    def digest_of(self, game: str) -> str:
        """The same for one game: reports that agree in it have rows in one table."""
        return digest([FORMAT, self.deals, LADDER, self.facts[game]])[:12]

    def row(self, game: str, seats: int) -> str:
        """The row of the agent in the table of a game and number of seats."""
        by_opponent = {one.opponent: one for one in self.figures if (one.game, one.seats) == (game, seats)}
        cells = (_cell(by_opponent.get(name)) for name in LADDER)
        return f"| `{self.agent}` | {' | '.join(cells)} | {100 * self.mean(game, seats):.1f} |"

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


NAMES: Final = ("agent", "version", "deals", "facts", "bots")


def run(
    agent: str,
    tables: Sequence[tuple[Game, int]],
    deals: int,
    pool: WorkerPool,
    on_progress: Callable[[int], None] = lambda done: None,
    *,
    called: str = "",
    is_adjusted: bool = False,
) -> SuiteReport:
    """Play the suite at these tables, each a game and its number of seats; with `is_adjusted`, take out the luck of draws."""
    figures: list[Figure] = []
    facts: dict[str, dict[str, Any]] = {}
    bots: dict[str, str] = {}
    finished = 0
    for game, seats in tables:
        settings = TournamentSettings(
            game.name, seats, game.settle(), SEED, game.box_file, faults="resign", is_adjusted=is_adjusted
        )
        if game.name not in facts:
            facts[game.name], bots[game.name] = _facts(settings), settings.facts()["code"]
        pairings = [Pairing(agent, opponent, tuple(range(seats))) for opponent in LADDER if opponent != agent]
        played = [PairingProgress(pairing, deals) for pairing in pairings]
        ledger = Ledger(settings)

        def say(played: Sequence[PairingProgress] = played, before: int = finished) -> None:
            on_progress(before + sum(one.counted for one in played))

        run_tournament(ledger, played, pool, on_progress=say)
        figures += [_figure(game, seats, one, ledger) for one in played]
        finished += deals * len(pairings)
    return SuiteReport(called or agent, __version__, deals, facts, tuple(figures), bots)


def _facts(setup: MatchSetup) -> dict[str, Any]:
    facts = {name: value for name, value in setup.facts().items() if name in ("rules", "box", "options", "seed")}
    return {**facts, "ladder": _ladder(setup.game)}


def _ladder(game: Game) -> str:
    """A digest of what the ladder does: all actions of a match of each opponent against itself, at the smallest table."""
    played = []
    for name in LADDER:
        match = Match(game, game.seats[0], seed=SEED)
        bots = [find(name).sit() for _ in range(match.seats)]
        while match.to_act:
            seat = match.to_act[0]
            match.play(bots[seat].choose(match.view(seat), Budget(match.ply)), seat)
        played.append([entry.do for entry in match.entries])
    return digest(played)[:16]


def _figure(game: Game, seats: int, one: PairingProgress, ledger: Ledger) -> Figure:
    """The figures of a pairing; a deal counts once, as the mean of its matches."""
    shares, points, every = [], [], []
    for deal in range(one.deals):
        results = [ledger[one.pairing.one, one.pairing.rest, deal, at] for at in one.pairing.seats]
        every += results
        shares.append(fmean(result.share(result.at) for result in results))
        points.append(fmean(result.scores[result.at] - fmean(result.scores) for result in results))
    measured: tuple[float, ...] = tuple(round(one, 6) for kind in (shares, points) for one in (fmean(kind), _margin(kind)))
    adjusted: dict[str, Any] = without_luck(every) if ledger.settings.is_adjusted else {}
    if adjusted.get("interval"):
        measured = (*measured, round(adjusted["share"], 6), round(adjusted["interval"][1] - adjusted["share"], 6))
    return Figure(game.name, seats, one.pairing.rest, one.deals * len(one.pairing.seats), *measured)


def _margin(values: Sequence[float]) -> float:
    return SURE * stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0


# Files, and the page made of them.


def read(path: Path) -> SuiteReport:
    """The report in a file. Raises BadTournament."""
    try:
        data = json.loads(path.read_text("utf-8"))
        if data.pop("format") != FORMAT:
            raise BadTournament(f"{str(path)!r} is not of {FORMAT}")
        claimed = data.pop("digest")
        report = SuiteReport(**{**data, "figures": tuple(Figure(**one) for one in data["figures"])})
    except OSError as error:
        raise BadTournament(f"cannot read {str(path)!r}: {error.strerror or error}") from error
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        if isinstance(error, BadTournament):
            raise
        raise BadTournament(f"{str(path)!r} is no report of the suite: {error}") from error
    if claimed != report.digest:
        raise BadTournament(f"{str(path)!r} has the digest {claimed}, but its contents have {report.digest}")
    return report


def write(report: SuiteReport, path: Path) -> None:
    """Write a report into a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(report.json(), indent=1, ensure_ascii=False) + "\n", "utf-8")


def leaderboard(reports: Sequence[SuiteReport]) -> str:
    """The page of reports: a table for each game, number of seats and digest, best agents first."""
    lines = [HEAD]
    tables: dict[tuple[str, int, str], list[SuiteReport]] = {}
    for report in reports:
        for game, seats in dict.fromkeys((one.game, one.seats) for one in report.figures):
            tables.setdefault((game, seats, report.digest_of(game)), []).append(report)
    for (game, seats, mark), group in sorted(tables.items()):
        rows = sorted((-one.mean(game, seats), one.agent, one.row(game, seats)) for one in group)
        lines += [f"## {game}, {seats} seats", "", f"{group[0].deals} deals; digest {mark}.", ""]
        lines += [f"| agent | {' | '.join(f'`{name}`' for name in LADDER)} | mean |", "| --- |" + " ---: |" * (len(LADDER) + 1)]
        lines += [line for *_, line in rows] + [""]
    return "\n".join(lines)


def _cell(one: Figure | None) -> str:
    if one is None:
        return ""
    plain = f"{100 * one.share:.1f} ± {100 * one.margin:.1f}"
    if one.adjusted is None or one.adjusted_margin is None:
        return plain
    return f"{plain} ({100 * one.adjusted:.1f} ± {100 * one.adjusted_margin:.1f})"
