"""The standings of a tournament: shares of wins, ratings, times and faults, as plain data."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, sqrt
from statistics import covariance, mean, stdev, variance
from typing import Any, Final

from ridotto.arena.ledger import Ledger, Result
from ridotto.arena.rating import NORMAL, Rating, Score, ratings, wilson
from ridotto.arena.schedule import TournamentSettings
from ridotto.arena.tournament import PairingProgress
from ridotto.engine.fields import Seat

LEAST_ADJUSTED: Final = 8
"""Matches of a pairing from which on luck can be taken out of its results."""
LEAST_AREA: Final = 1e-9
"""Above this correlation, the luck of draws and that of choices cannot be separated."""


def standings(ledger: Ledger, pairings: Sequence[PairingProgress], anchor: str | None = None) -> dict[str, Any]:
    """The standings of a tournament. Ratings are relative to the anchor: `greedy` if it plays, otherwise the first bot."""
    settings, players = ledger.settings, ledger.settings.players
    names = list(dict.fromkeys(name for one in pairings for name in (one.pairing.one, one.pairing.rest)))
    anchor = anchor or ("greedy" if "greedy" in names else names[0])
    scores: dict[tuple[str, str], Score] = defaultdict(Score)
    totals = {name: _BotTotals() for name in names}
    announced: dict[str, str] = {}
    pairs = []
    for one in pairings:
        results = one.results(ledger)
        for result in results:
            score = scores[result.one, result.rest]
            score.matches += 1
            score.one += result.share(result.at)
            score.rest += result.rest_share()
            announced = result.announced | announced
            for seat, name in enumerate(one.pairing.seating(result.at, players)):
                totals[name].add(result, seat)
        pairs.append(_pair(settings, one, results))
    rated = ratings(scores, players, anchor)
    return {
        **settings.header(),
        "anchor": anchor,
        "matches": sum(pair["matches"] for pair in pairs),
        "bots": [totals[name].json(name, _display_name(name, announced), rated.get(name)) for name in names],
        "pairings": pairs,
    }


def _display_name(name: str, announced: Mapping[str, str]) -> str:
    """The display name of a bot: the name that an outside program gives itself, with its command if two have the same name.

    >>> _display_name("cmd:a", {"cmd:a": "Ada"}), _display_name("greedy", {"cmd:a": "Ada"})
    ('Ada', 'greedy')
    >>> _display_name("cmd:a", {"cmd:a": "Ada", "cmd:b": "Ada"})
    'Ada (cmd:a)'
    """
    own = announced.get(name)
    if own is None:
        return name
    return own if list(announced.values()).count(own) == 1 else f"{own} ({name})"


@dataclass
class _BotTotals:
    """The totals of one bot over all matches and seats."""

    seats: int = 0
    won: float = 0.0
    points: int = 0
    micros: list[int] = field(default_factory=list)
    faults: int = 0

    def add(self, result: Result, seat: Seat) -> None:
        self.seats += 1
        self.won += result.share(seat)
        self.points += result.scores[seat]
        self.micros += result.micros[seat]
        self.faults += sum(fault["seat"] == seat for fault in result.faults)

    def json(self, name: str, display_name: str, rating: Rating | None) -> dict[str, Any]:
        micros = sorted(self.micros)
        return {
            "bot": name,
            "display_name": display_name,
            "matches": self.seats,
            "win_share": self.won / self.seats if self.seats else None,
            "rating": rating and round(rating.points, 1),
            "interval": rating and [round(rating.low, 1), round(rating.high, 1)],
            "mean_score": self.points / self.seats if self.seats else None,
            "decisions": len(micros),
            "mean_ms": sum(micros) / len(micros) / 1000 if micros else None,
            "p95_ms": micros[ceil(0.95 * len(micros)) - 1] / 1000 if micros else None,
            "max_ms": micros[-1] / 1000 if micros else None,
            "faults": self.faults,
        }


def _pair(settings: TournamentSettings, progress: PairingProgress, results: Sequence[Result]) -> dict[str, Any]:
    """One line of the table of pairings."""
    pairing, test = progress.pairing, progress.sprt
    shares = [result.share(result.at) for result in results]
    roles = settings.game.roles
    by_seat = []
    for at in pairing.seats:
        here = [share for share, result in zip(shares, results, strict=True) if result.at == at]
        by_seat.append({"seat": at, "role": roles[at], **_share(here)})
    return {
        "one": pairing.one,
        "rest": pairing.rest,
        **_share(shares),
        **({"adjusted": without_luck(results)} if settings.is_adjusted else {}),
        "rest_share": sum(map(Result.rest_share, results)) / len(results) if results else None,
        "mean_plies": sum(result.plies for result in results) / len(results) if results else None,
        "by_seat": by_seat,
        "sprt": test
        and {
            "low": test.low,
            "high": test.high,
            "ratio": test.ratio(progress.shares),
            "bound": test.bound,
            "deals": progress.counted,
            "verdict": progress.verdict,
        },
    }


def without_luck(results: Sequence[Result]) -> dict[str, Any]:
    """The results of a pairing without the luck of draws and of choices that bots draw: on average the same, and surer.

    How much of either is taken out is found by the other half of the deals, so that it does not depend on the match itself.
    """
    keys = "share", "interval", "luck", "luck_error", "choices", "choices_error", "coefficients", "variance_ratio"
    if len(results) < LEAST_ADJUSTED:
        return dict.fromkeys(keys)
    plain = [result.share(result.at) for result in results]
    luck, choices = ([of(result, result.at) for result in results] for of in (Result.luck_of, Result.choices_of))
    halves = [[at for at, result in enumerate(results) if result.deal % 2 == half] for half in (0, 1)]
    fitted = [_coefficients(*([column[at] for at in half] for column in (luck, choices, plain))) for half in halves]
    adjusted = []
    for share, draw, choice, result in zip(plain, luck, choices, results, strict=True):
        of_draws, of_choices = fitted[1 - result.deal % 2]
        adjusted.append(share - of_draws * draw - of_choices * choice)
    half = NORMAL * stdev(adjusted) / sqrt(len(adjusted))
    spread = variance(plain)
    coefficients = {"draws": [one for one, _ in fitted], "choices": [one for _, one in fitted]}
    values = [mean(adjusted), [mean(adjusted) - half, mean(adjusted) + half], mean(luck), stdev(luck) / sqrt(len(luck))]
    values += [
        mean(choices),
        stdev(choices) / sqrt(len(choices)),
        coefficients,
        variance(adjusted) / spread if spread else None,
    ]
    return dict(zip(keys, values, strict=True))


def _coefficients(luck: Sequence[float], choices: Sequence[float], shares: Sequence[float]) -> tuple[float, float]:
    """The growth of a share of the win with the luck of draws and of choices: the slopes of a plane; 0 without luck.

    >>> _coefficients([0, 0, 1, 1], [0, 1, 0, 1], [0, 2, 3, 5])
    (3.0, 2.0)
    >>> _coefficients([0, 1, 2], [0, 0, 0], [0, 2, 4])
    (2.0, 0.0)
    """
    if len(shares) < 2:
        return 0.0, 0.0
    of_luck, of_choices, both = variance(luck), variance(choices), covariance(luck, choices)
    by_luck, by_choices = covariance(luck, shares), covariance(choices, shares)
    area = of_luck * of_choices - both * both
    if area > LEAST_AREA * of_luck * of_choices:
        return (by_luck * of_choices - by_choices * both) / area, (by_choices * of_luck - by_luck * both) / area
    return (by_luck / of_luck, 0.0) if of_luck else (0.0, by_choices / of_choices if of_choices else 0.0)


def _share(shares: Sequence[float]) -> dict[str, Any]:
    average = sum(shares) / len(shares) if shares else 0.0
    return {"matches": len(shares), "share": average if shares else None, "interval": list(wilson(average, len(shares)))}
