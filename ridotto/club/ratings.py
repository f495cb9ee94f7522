"""Ratings for people, with their uncertainty: two and more seats, by game and role, bots as fixed anchors of the scale.

The model is that of the arena: Luce's choice (at two seats that of Bradley and Terry). A seat wins in proportion to its
strength, whoever else sits there, and ten times the odds are 400 points. What is known of a strength is a mean and a standard
error. A match multiplies that by its likelihood; the new mean is where the product is largest, and the new error follows from
its curvature there (Laplace's approximation; C. Weng and C.-J. Lin, 2011, take one gradient step of the same).

>>> ladder = Ladder({"level:3": {"opera": {"": 1200.0}}})
>>> match = Match("opera", 1.0, (Participant("Rosina", 1.0), Participant("level:3", 0.0), Participant("Figaro", 0.0)))
>>> ladder.add(match)
Verdict(weight=1.0, reason='counted')
>>> ladder.rating("Rosina", "opera").points > ladder.rating("Figaro", "opera").points
True
>>> ladder.rating("level:3", "opera")
Rating(points=1200.0, error=0.0, matches=0.0, day=0.0)
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations
from math import exp, log, sqrt
from typing import Final, Literal, TypeAlias

ELO: Final = 400 / log(10)
"""The points by which strength grows e-fold."""
NORMAL: Final = 1.96
"""Standard errors either side of a 95 % interval."""
PRIOR_POINTS: Final = 1000.0
PRIOR_ERROR: Final = 350.0
DRIFT: Final = 5.0
"""The standard deviation, in points, of what a strength changes in a day: a year away widens an error of 60 points to 113."""

MOST_STEPS: Final = 60
"""Steps of Newton's method; three are usual."""
LONGEST_STEP: Final = 2.0
"""Newton's steps are no longer than this, in e-folds of strength."""
INFORMATION: Final = 0.65
"""The part of a match's information by which errors shrink. The errors of people who often meet are correlated, and only each
one's own is stored: with all of the information, 95 % intervals would contain 89 to 92 % of true strengths, not 94 to 97."""

FRESH_MATCHES: Final = 10.0
"""Somebody is fresh to a person before this many counted matches against other people."""
FULL_WINS: Final = 3.0
"""One-sided results against a fresh person count in full up to this many wins."""
ONE_SIDED: Final = 0.9
"""Results are one-sided if one of two people has this part of what both have won."""
MEMORY_DAYS: Final = 90.0
"""For so many days the results of two people count for the rule against one-sided ones."""

Reason: TypeAlias = Literal["counted", "one-sided", "casual", "same owner", "not begun", "nobody stayed", "nobody to rate"]

RULES: Final = """\
1. Only rated matches count. A match that ends before everybody has decided something does not.
2. A table with two seats of the same owner never counts.
3. Who leaves, or runs out of time, has lost. What the others won is scaled to a whole win. If they won nothing, the match says
   of them only that one of them won: each is given the part of the win that was expected. If nobody stayed, nothing counts.
4. Bots of the house are anchors: their ratings are given and never change.
5. Each game has ratings of its own, and each role of a game that has roles.
6. Results of two people are one-sided if one of them has 90 % or more of what both have won against each other in 90 days. If
   one of them is fresh (fewer than 10 counted matches against other people in this game), the first three such wins count in
   full; each later one counts half as much as the one before: together never more than four. The pair is flagged for the host.
7. Every day without a match widens the error: 5 points in a day, 5 · √days in all, until it is that of a new player.
"""


class BadMatch(ValueError):
    """A match that cannot be rated at all."""


@dataclass(frozen=True)
class Rating:
    """What is known of a strength, in points."""

    points: float
    error: float
    """The standard error."""
    matches: float = 0.0
    """The counted matches, damped ones as parts."""
    day: float = 0.0
    """When the last one was."""

    @property
    def low(self) -> float:
        """The lower end of the 95 % interval."""
        return self.points - NORMAL * self.error

    @property
    def high(self) -> float:
        """The upper end of the 95 % interval."""
        return self.points + NORMAL * self.error


@dataclass(frozen=True)
class Participant:
    """Somebody's seat in a match."""

    name: str
    share: float
    """The share of the win."""
    role: str = ""
    owner: str = ""
    """Whose account it is, where it has another name than the account."""
    has_stayed: bool = True
    """False: they left or ran out of time."""

    @property
    def person(self) -> str:
        """Who sits there."""
        return self.owner or self.name


@dataclass(frozen=True)
class Match:
    """A finished match."""

    game: str
    day: float
    """When it ended, in days from any beginning."""
    seats: tuple[Participant, ...]
    is_rated: bool = True
    is_begun: bool = True
    """Whether everybody has decided something."""


@dataclass(frozen=True)
class Verdict:
    """Whether a match counts: in full, in part (`one-sided`), or not at all."""

    weight: float
    reason: Reason


@dataclass(frozen=True)
class Flag:
    """Two people whose results a host should look at."""

    game: str
    people: tuple[str, str]
    wins: float
    """What both have won against each other."""
    part: float
    """The part of it that one of them has won."""


Pair: TypeAlias = tuple[str, str, str]
"""A game and two people, in alphabetical order."""


@dataclass
class Ladder:
    """The ratings of everybody in all games, and what the rules need to remember."""

    anchors: Mapping[str, Mapping[str, Mapping[str, float]]] = field(default_factory=dict)
    """The points of each bot of the house, by game and role; "" stands for any role."""
    prior: Rating = Rating(PRIOR_POINTS, PRIOR_ERROR)
    """What is known of a new player."""
    ratings: dict[tuple[str, str, str], Rating] = field(default_factory=dict)
    """By name, game and role."""
    results: dict[Pair, list[tuple[float, float, float]]] = field(default_factory=dict)
    """The recent results of two people: the day, and what each has won."""
    met: dict[Pair, float] = field(default_factory=dict)
    """How many counted matches two people have had."""
    flags: list[Flag] = field(default_factory=list)
    day: float = 0.0

    def rating(self, name: str, game: str, role: str = "", day: float | None = None) -> Rating:
        """Somebody's rating on a day; by default, on the day of the last match of all."""
        if name in self.anchors:
            points = self.anchors[name].get(game, {})
            if role not in points and "" not in points:
                raise BadMatch(f"{name!r} has no rating in {game!r} as {role!r}")
            return Rating(points.get(role, points.get("", 0.0)), 0.0)
        rating = self.ratings.get((name, game, role))
        if rating is None:
            return self.prior
        days = max((self.day if day is None else day) - rating.day, 0.0)
        return replace(rating, error=min(sqrt(rating.error**2 + DRIFT**2 * days), max(self.prior.error, rating.error)))

    def overall(self, name: str, game: str, roles: Sequence[str], day: float | None = None) -> Rating:
        """The mean over the roles of a game."""
        each = [self.rating(name, game, role, day) for role in roles]
        error = sqrt(sum(one.error**2 for one in each)) / len(each)
        return Rating(
            sum(one.points for one in each) / len(each), error, sum(one.matches for one in each), max(one.day for one in each)
        )

    def add(self, match: Match) -> Verdict:
        """Rate a match, by the rules. Matches come in the order of their days."""
        self._check(match)
        verdict = self._verdict(match)
        if not verdict.weight:
            return verdict
        self.day = match.day
        before = [self.rating(seat.name, match.game, seat.role) for seat in match.seats]
        after = update(before, credited(match, before), verdict.weight)
        for seat, rating in zip(match.seats, after, strict=True):
            if seat.name not in self.anchors:
                matches = rating.matches + verdict.weight
                self.ratings[seat.name, match.game, seat.role] = replace(rating, matches=matches, day=match.day)
        for one, other in self._pairs(match):
            pair = (match.game, one.person, other.person)
            self.met[pair] = self.met.get(pair, 0.0) + verdict.weight
            self.results[pair] = [*self._recent(pair, match.day), (match.day, one.share, other.share)]
        return verdict

    def _check(self, match: Match) -> None:
        if match.day < self.day:
            raise BadMatch(f"a match of day {match.day:g} after one of day {self.day:g}")
        if len(match.seats) < 2:
            raise BadMatch("a match has two seats at least")
        people = [seat.name for seat in match.seats if seat.name not in self.anchors]
        if len(set(people)) < len(people):
            raise BadMatch(f"somebody has two seats in a match of {', '.join(sorted(people))}")
        shares = [seat.share for seat in match.seats]
        if min(shares) < 0 or sum(shares) > 1 + 1e-6:
            raise BadMatch(f"shares of the win are at least 0 and sum to 1 at most, which {shares} do not")

    def _verdict(self, match: Match) -> Verdict:
        """Whether a match counts, and how much."""
        people = [seat.person for seat in match.seats if seat.name not in self.anchors]
        if not match.is_rated:
            return Verdict(0.0, "casual")
        if not match.is_begun:
            return Verdict(0.0, "not begun")
        if not people:
            return Verdict(0.0, "nobody to rate")
        if len(set(people)) < len(people):
            return Verdict(0.0, "same owner")
        if not any(seat.has_stayed for seat in match.seats):
            return Verdict(0.0, "nobody stayed")
        weight = min((self._pair_weight(match, one, other) for one, other in self._pairs(match)), default=1.0)
        return Verdict(weight, "counted" if weight == 1.0 else "one-sided")

    def _pairs(self, match: Match) -> list[tuple[Participant, Participant]]:
        """All pairs of people in a match."""
        people = sorted((seat for seat in match.seats if seat.name not in self.anchors), key=lambda seat: seat.person)
        return list(combinations(people, 2))

    def _recent(self, pair: Pair, day: float) -> list[tuple[float, float, float]]:
        return [result for result in self.results.get(pair, []) if result[0] >= day - MEMORY_DAYS]

    def _pair_weight(self, match: Match, one: Participant, other: Participant) -> float:
        """How much a match counts because of two of its people, by the rule against one-sided results."""
        pair = (match.game, one.person, other.person)
        between = self.met.get(pair, 0.0)
        if min(self._met_people(match.game, person) for person in pair[1:]) - between >= FRESH_MATCHES:
            return 1.0
        results = [*self._recent(pair, match.day), (match.day, one.share, other.share)]
        won = [sum(result[at] for result in results) for at in (1, 2)]
        wins = sum(won)
        if wins <= FULL_WINS or max(won) < ONE_SIDED * wins:
            return 1.0
        flag = Flag(match.game, pair[1:], wins, max(won) / wins)
        self.flags = [*(old for old in self.flags if (old.game, old.people) != (flag.game, flag.people)), flag]
        return float(0.5 ** (wins - FULL_WINS))

    def _met_people(self, game: str, person: str) -> float:
        """How many counted matches somebody has had against people, one for each of them at the table."""
        return sum(weight for pair, weight in self.met.items() if pair[0] == game and person in pair[1:])

    def to_json(self) -> str:
        """All of it but the anchors as JSON; `from_json` gives an equal ladder."""
        data = {
            "prior": asdict(self.prior),
            "ratings": [[*key, asdict(rating)] for key, rating in self.ratings.items()],
            "results": [[*pair, results] for pair, results in self.results.items()],
            "met": [[*pair, weight] for pair, weight in self.met.items()],
            "flags": [asdict(flag) for flag in self.flags],
            "day": self.day,
        }
        return json.dumps(data, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str, anchors: Mapping[str, Mapping[str, Mapping[str, float]]]) -> Ladder:
        """The ladder that `to_json` has written, with the same anchors."""
        data = json.loads(text)
        return cls(
            anchors,
            Rating(**data["prior"]),
            {(name, game, role): Rating(**rating) for name, game, role, rating in data["ratings"]},
            {(game, one, other): [(day, a, b) for day, a, b in results] for game, one, other, results in data["results"]},
            {(game, one, other): weight for game, one, other, weight in data["met"]},
            [Flag(**{**flag, "people": tuple(flag["people"])}) for flag in data["flags"]],
            data["day"],
        )


def expected_shares(points: Sequence[float]) -> list[float]:
    """The part of the win that each seat may expect, by Luce's choice.

    >>> [round(share, 2) for share in expected_shares([1400, 1000])]
    [0.91, 0.09]
    """
    most = max(points)
    strengths = [exp((one - most) / ELO) for one in points]
    return [strength / sum(strengths) for strength in strengths]


def credited(match: Match, ratings: Sequence[Rating]) -> list[float]:
    """The shares of the win that count, after the rule about leaving."""
    stayed = [seat.has_stayed for seat in match.seats]
    shares = [seat.share if seat.has_stayed else 0.0 for seat in match.seats]
    if all(stayed) and sum(shares) <= 0:  # nobody has won: all share
        return [1 / len(shares)] * len(shares)
    if sum(shares) <= 0:
        expected = expected_shares([rating.points for rating in ratings])
        shares = [part if has_stayed else 0.0 for part, has_stayed in zip(expected, stayed, strict=True)]
    return [share / sum(shares) for share in shares]


def update(ratings: Sequence[Rating], shares: Sequence[float], weight: float = 1.0) -> list[Rating]:
    """The ratings after a match in which the seats won these shares; an error of zero stays fixed.

    Newton's method finds the most likely strengths. The curvature is a diagonal matrix less the product of a vector with
    itself, so that its inverse has a formula (Sherman and Morrison).
    """
    means = [rating.points / ELO for rating in ratings]
    variances = [(rating.error / ELO) ** 2 for rating in ratings]
    x = list(means)
    for _ in range(MOST_STEPS):
        p = expected_shares([ELO * one for one in x])
        slack = [m + v * weight * (s - q) - one for m, v, s, q, one in zip(means, variances, shares, p, x, strict=True)]
        if max(map(abs, slack)) < 1e-10:
            break
        # The step solves (1/v + w p) d - w p (p · d) = slack / v.
        shrunk = [1 / (1 + weight * v * q) for v, q in zip(variances, p, strict=True)]
        along = [v * c * q * weight for v, c, q in zip(variances, shrunk, p, strict=True)]
        plain = [c * one for c, one in zip(shrunk, slack, strict=True)]
        common = sum(q * d for q, d in zip(p, plain, strict=True)) / (1 - sum(q * a for q, a in zip(p, along, strict=True)))
        step = [d + a * common for d, a in zip(plain, along, strict=True)]
        length = min(1.0, LONGEST_STEP / max(max(map(abs, step)), 1e-12))
        x = [one + length * d for one, d in zip(x, step, strict=True)]
    p = expected_shares([ELO * one for one in x])
    weight *= INFORMATION
    held = [v / (1 + weight * v * q) for v, q in zip(variances, p, strict=True)]
    rest = 1 - weight * sum(h * q * q for h, q in zip(held, p, strict=True))
    spread = [h + weight * (h * q) ** 2 / rest for h, q in zip(held, p, strict=True)]
    return [
        replace(rating, points=ELO * one, error=ELO * sqrt(variance)) if rating.error else rating
        for rating, one, variance in zip(ratings, x, spread, strict=True)
    ]
