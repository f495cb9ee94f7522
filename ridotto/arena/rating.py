"""Ratings: how strong each bot is by its results, with confidence intervals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import log, sqrt
from typing import Any, Final

from ridotto.engine.errors import RidottoError

NORMAL: Final = 1.96
"""Standard errors either side of a 95 % interval."""


class NoRatings(RidottoError):
    """The package that computes the ratings is not installed."""


def require_choix() -> Any:
    """The package that computes the ratings. Call this before a long tournament, so that a missing package is noticed early."""
    try:
        import choix
    except ModuleNotFoundError as error:
        raise NoRatings("a tournament's ratings need choix, which is not installed: pip install 'ridotto[arena]'") from error
    return choix


def wilson(share: float, matches: int) -> tuple[float, float]:
    """The 95 % interval of a share of wins (E. B. Wilson, 1927): sensible near 0 and 1, and with few matches."""
    if not matches:
        return 0.0, 1.0
    trace = NORMAL**2 / matches
    middle = (share + trace / 2) / (1 + trace)
    half = NORMAL * sqrt(share * (1 - share) / matches + trace / (4 * matches)) / (1 + trace)
    return max(middle - half, 0.0), min(middle + half, 1.0)


@dataclass
class Score:
    """The result of one bot against another at all other seats: matches, and the sum of the shares won by each side."""

    matches: int = 0
    one: float = 0.0
    rest: float = 0.0


@dataclass(frozen=True)
class Rating:
    """A strength in Elo points, with its 95 % interval: ten times the odds are 400 points."""

    points: float
    low: float
    high: float


def ratings(scores: Mapping[tuple[str, str], Score], players: int, anchor: str, points: float = 1000.0) -> dict[str, Rating]:
    """The strength of every bot that is connected to the anchor by matches; the anchor's own is given.

    The model is Luce's choice (at two seats Bradley and Terry's): a seat wins in proportion to its strength, whoever else
    sits there. So each win counts as one over every other seat; a match that nobody wins is shared by all. Each pairing
    gets one match more, shared by all, so that even a bot that always wins has a strength. choix finds the likeliest
    strengths; the intervals, of the difference to the anchor, come from the curvature of the likelihood there. That the
    same deals are played by both sides makes them a little wider than they need be.
    """
    choix = require_choix()
    import numpy

    names = _connected(scores, anchor)
    at = {name: i for i, name in enumerate(names)}
    known = {pair: score for pair, score in scores.items() if score.matches and pair[0] in at}
    if len(names) == 1:
        return {anchor: Rating(points, points, points)}
    wins = numpy.zeros((len(names), len(names)))
    for (one, rest), score in known.items():
        shared = (1 + score.matches - score.one - score.rest) / players
        wins[at[one], at[rest]] += (score.one + shared) * (players - 1)
        wins[at[rest], at[one]] += score.rest + shared * (players - 1)
    strengths = choix.ilsr_pairwise_dense(wins, max_iter=100_000, tol=1e-9)
    curvature = numpy.zeros_like(wins)
    for (one, rest), score in known.items():
        i, j = at[one], at[rest]
        odds = numpy.exp(strengths[i] - strengths[j]) / (players - 1)
        information = (1 + score.matches) * odds / (1 + odds) ** 2
        curvature[[i, j, i, j], [i, j, j, i]] += [information, information, -information, -information]
    spread = numpy.linalg.inv(curvature[1:, 1:])
    elo = 400 / log(10)
    ratings = {anchor: Rating(points, points, points)}
    for name in names[1:]:
        i = at[name]
        middle = points + elo * float(strengths[i] - strengths[0])
        half = NORMAL * elo * sqrt(float(spread[i - 1, i - 1]))
        ratings[name] = Rating(middle, middle - half, middle + half)
    return ratings


def _connected(scores: Mapping[tuple[str, str], Score], anchor: str) -> list[str]:
    """The anchor, and every bot that is connected to it by matches, directly or not."""
    names = [anchor]
    for name in names:
        for pair, score in scores.items():
            if name in pair and score.matches:
                names += [other for other in pair if other not in names]
    return names
