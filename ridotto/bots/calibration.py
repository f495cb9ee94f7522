"""Calibration: a comparison of the chances that a search predicts with the results of matches between quick bots.

Chances are calibrated if about 30 in 100 of the seats win whose predicted chance is 30 in 100. Where the predictions are
wrong, a monotone curve is fitted to one half of the matches and validated on the other half.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from pathlib import Path
from typing import Final

from ridotto.bots import Budget, Search, find, judging, review
from ridotto.bots.setup import MatchSetup, warm_setup
from ridotto.bots.workers import WorkerPool
from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.present import svg as drawing
from ridotto.present.composition import one_column
from ridotto.present.svg import Panel, tag, write

PLAYER: Final = "greedy"
TIMES: Final = 4
"""The number of predictions in a match, about."""
POINTS: Final = 20
"""The number of steps of the curve."""
BINS: Final = 10


@dataclass(frozen=True)
class Prediction:
    """The predicted chance of a seat, and the result: its share of the win."""

    match: int
    chance: float
    result: float


@dataclass(frozen=True)
class ForecastTask:
    """One match between quick bots, in which another bot predicts the chances of all seats from time to time."""

    setup: MatchSetup
    number: int
    bot: str

    def __str__(self) -> str:
        return f"match {self.number}"

    def run(self, until: float | None) -> list[Prediction]:
        thinker, player = _thinker(self.bot), find(PLAYER)
        game, seats = self.setup.game, self.setup.players
        frequency = TIMES / game.tuning.calibration.decisions
        dice = random.Random(f"{game.name} {self.setup.seed} {self.number}")
        match = Match(game, seats, seed=dice.getrandbits(62))
        given: list[tuple[float, ...]] = []
        while match.to_act:
            seat = dice.choice(match.to_act)
            if dice.random() < frequency:
                given.append(thinker.opinion(match.view(seat), Budget(dice.getrandbits(32))).values)
            match.play(player.choose(match.view(seat, match.ply), Budget(dice.getrandbits(32))), seat)
        result = review.shares(match)
        assert result is not None
        return [Prediction(self.number, chance, result[seat]) for values in given for seat, chance in enumerate(values)]


def _thinker(bot: str) -> Search:
    thinker = find(bot)
    if not isinstance(thinker, Search):
        raise judging.NoReview(f"{bot} gives no chances; use one that searches, such as search:200")
    return thinker


def forecasts(
    game: Game, matches: int, bot: str, seed: int, processes: int = 1, on_progress: Callable[[int], None] = lambda done: None
) -> list[Prediction]:
    """Play matches at every number of seats in turn, several at a time; returns the bot's forecasts in the order of matches."""
    _thinker(bot)
    seats, options = game.seats, game.settle()
    tasks = (ForecastTask(MatchSetup(game.name, seats[i % len(seats)], options, seed), i, bot) for i in range(matches))
    by_match: dict[int, list[Prediction]] = {}
    with WorkerPool(processes) as pool:
        warm_setup(MatchSetup(game.name, seats[0], options, seed))
        for task, given in pool.run(tasks):
            by_match[task.number] = given
            on_progress(len(by_match))
    return [one for number in sorted(by_match) for one in by_match[number]]


# The curve.


def fit(given: Iterable[Prediction]) -> tuple[float, ...]:
    """The monotone curve with the least square error (isotonic regression, by the pool adjacent violators algorithm).

    >>> fit([Prediction(0, 0.2, 0.0), Prediction(0, 0.8, 1.0)])[::5]
    (0.0, 0.083, 0.5, 0.917, 1.0)
    """
    blocks: list[list[float]] = []
    """Sums of chances, sums of results, and counts."""
    for one in sorted(given, key=lambda one: one.chance):
        blocks.append([one.chance, one.result, 1])
        while len(blocks) > 1 and blocks[-2][1] * blocks[-1][2] >= blocks[-1][1] * blocks[-2][2]:
            last = blocks.pop()
            blocks[-1] = [a + b for a, b in zip(blocks[-1], last, strict=True)]
    points = [(chances / count, result / count) for chances, result, count in blocks]
    return tuple(round(_between(points, i / POINTS), 3) for i in range(POINTS + 1))


def _between(points: Sequence[tuple[float, float]], at: float) -> float:
    """Linear interpolation between points, constant beyond the ends."""
    if at <= points[0][0]:
        return points[0][1]
    for (left, low), (right, high) in pairwise(points):
        if at <= right:
            return low + (high - low) * (at - left) / (right - left)
    return points[-1][1]


# The error.


@dataclass(frozen=True)
class Bin:
    """Forecasts with similar chances: the mean chance, the mean result, the count, and a 95 % interval."""

    chance: float
    result: float
    count: int

    @property
    def error(self) -> float:
        return 1.96 * sqrt(max(self.result * (1 - self.result), 0.25 / self.count) / self.count)


def bins(given: Iterable[Prediction]) -> list[Bin]:
    """The forecasts in ten bins of equal width; empty ones are left out."""
    by_bin: dict[int, list[Prediction]] = {}
    for one in given:
        by_bin.setdefault(min(BINS - 1, int(BINS * one.chance)), []).append(one)
    return [
        Bin(sum(one.chance for one in some) / len(some), sum(one.result for one in some) / len(some), len(some))
        for _, some in sorted(by_bin.items())
    ]


def mean_error(given: Sequence[Prediction]) -> float:
    """The expected calibration error: the mean distance between chances and results, bin by bin."""
    return sum(one.count * abs(one.chance - one.result) for one in bins(given)) / max(1, len(given))


def brier(given: Sequence[Prediction]) -> float:
    """The Brier score: the mean square error of the chances."""
    return sum((one.chance - one.result) ** 2 for one in given) / max(1, len(given))


@dataclass(frozen=True)
class Finding:
    """The forecasts for one game, and their evaluation."""

    game: Game
    matches: int
    bot: str
    seed: int
    raw: list[Prediction]

    @property
    def halves(self) -> tuple[list[Prediction], list[Prediction]]:
        """One half of the matches to fit a curve to, the other to validate it; every number of seats is in both."""
        step = len(self.game.seats)
        first = [one for one in self.raw if one.match // step % 2 == 0]
        return first, [one for one in self.raw if one.match // step % 2]

    @property
    def curve(self) -> tuple[float, ...]:
        return fit(self.raw)

    @property
    def validation(self) -> tuple[list[Prediction], list[Prediction]]:
        """The forecasts of the second half, as the search made them and corrected by the curve of the first half."""
        first, second = self.halves
        curve = fit(first)
        return second, [Prediction(one.match, judging.interpolate(curve, one.chance), one.result) for one in second]

    @property
    def helps(self) -> bool:
        """Whether the curve of one half brings the forecasts of the other half nearer to the results."""
        before, after = self.validation
        return mean_error(after) < mean_error(before)


def as_toml(finding: Finding) -> str:
    """The curve as lines of the game's `tuning.toml`."""
    return f"# {finding.game.name}/tuning.toml\n[calibration]\ncurve = [{', '.join(f'{point:g}' for point in finding.curve)}]"


# The page.

SIZE: Final = 360
STYLE: Final = """
.grid { stroke: $brass; stroke-width: 0.6; stroke-opacity: 0.6; }
.true { stroke: $ash; stroke-width: 1.4; stroke-dasharray: 5 4; }
.before { fill: none; stroke: $rose; stroke-width: 2; stroke-dasharray: 7 4; }
.after { fill: none; stroke: $good; stroke-width: 2.6; }
.dot-before { fill: $plush; stroke: $rose; stroke-width: 2; }
.dot-after { fill: $good; }
"""


def picture(finding: Finding) -> Panel:
    """A reliability diagram: chances against results, as searched (hollow) and calibrated (full), with 95 % intervals."""
    left, top, side = 46, 40, SIZE - 46 - 16

    def x(share: float) -> float:
        return left + side * share

    def y(share: float) -> float:
        return top + side * (1 - share)

    parts = [tag("rect", width=SIZE, height=top + side + 58, rx=10, cls="panel")]
    parts.append(write(finding.game.title, SIZE / 2, 26, 17, cls="title", within=SIZE - 20))
    for percent in (0, 25, 50, 75, 100):
        share = percent / 100
        parts.append(tag("line", x1=x(share), x2=x(share), y1=y(0), y2=y(1), cls="grid"))
        parts.append(tag("line", x1=x(0), x2=x(1), y1=y(share), y2=y(share), cls="grid"))
        parts.append(write(str(percent), x(share), y(0) + 18, 13, cls="quiet"))
        parts.append(write(str(percent), left - 8, y(share) + 5, 13, cls="quiet", anchor="end"))
    parts.append(tag("line", x1=x(0), y1=y(0), x2=x(1), y2=y(1), cls="true"))
    for name, given in zip(("before", "after"), finding.validation, strict=True):
        binned = bins(given)
        path = "M" + " L".join(f"{x(one.chance):.1f} {y(one.result):.1f}" for one in binned)
        parts.append(tag("path", d=path, cls=name))
        for one in binned:
            low, high = max(0.0, one.result - one.error), min(1.0, one.result + one.error)
            parts.append(tag("line", x1=x(one.chance), x2=x(one.chance), y1=y(low), y2=y(high), cls=name))
            shape = 0 if name == "after" else 4
            parts.append(drawing.shape(shape, x(one.chance), y(one.result), 8, cls=f"dot-{name}"))
    parts.append(write("across: predicted, in 100; up: came true", x(0.5), y(0) + 36, 13, cls="quiet"))
    parts.append(write("squares: as searched; discs: calibrated", x(0.5), y(0) + 52, 13, cls="quiet"))
    return Panel(finding.game.name, finding.game.title, SIZE, top + side + 58, "".join(parts))


def draw(findings: Sequence[Finding], path: Path, theme: str = "dark") -> None:
    """Draw the reliability diagrams of all games side by side."""
    panels = [picture(one) for one in findings]
    path.write_text(drawing.compose(panels, one_column(panels), STYLE, theme) + "\n", "utf-8")


def report(findings: Sequence[Finding], command: str, picture_path: str) -> str:
    """The page as Markdown."""
    lines = [
        "# Do the chances of a review come true?",
        "",
        f"Made by `{command}`.",
        "",
        f"Matches between quick bots ({PLAYER} in every seat, every number of seats in turn). About {TIMES} times in a match",
        f"{findings[0].bot} was asked for everybody's chances, from the view of a seat that had to decide; each chance is "
        "compared",
        "with that seat's share of the win in the end. A curve was fitted to one half of the matches and tried on the other "
        "half,",
        "which is what the picture and the table show. Where that helps, a review uses the curve fitted to all of them, from",
        "the game's `tuning.toml`; where the search is as good by itself, it uses none.",
        "",
        f"![Chances against results]({picture_path})",
        "",
        "| game | matches | chances | off by, as searched | off by, calibrated | Brier, as searched | Brier, calibrated "
        "| used |",
        "|---|---:|---:|---:|---:|---:|---:|---|",
    ]
    for one in findings:
        before, after = one.validation
        errors = [f"{100 * mean_error(some):.1f}" for some in (before, after)]
        figures = (*errors, f"{brier(before):.4f}", f"{brier(after):.4f}")
        cells = (f"{one.matches:,}", f"{len(one.raw):,}", *figures, "curve" if one.helps else "search")
        lines.append(f"| {one.game.title} | {' | '.join(cells)} |")
    lines += [
        "",
        "“Off by” is how far a chance is from what it came to, in points of 100, averaged over bins of ten points. Chances",
        "in one match hang together, so the intervals in the picture are a little too narrow. These are the habits of quick",
        "bots: between two masters, or two beginners, a lead may be worth more or less.",
        "",
    ]
    for one in findings:
        lines += [f"## {one.game.title}", "", "| chances | predicted | came true | 95 % | calibrated | came true |"]
        lines += ["|---:|---:|---:|---:|---:|---:|"]
        before, after = one.validation
        for old, new in zip(bins(before), [*bins(after), *[None] * BINS], strict=False):
            fair = f"{100 * new.chance:.1f} | {100 * new.result:.1f}" if new else " | "
            lines.append(
                f"| {old.count:,} | {100 * old.chance:.1f} | {100 * old.result:.1f} | ± {100 * old.error:.1f} | {fair} |"
            )
        lines += ["", f"The curve, from 0 to 100 in steps of {100 // POINTS}: {', '.join(f'{v:g}' for v in one.curve)}.", ""]
    return "\n".join(lines)
