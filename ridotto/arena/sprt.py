"""The sequential test that ends a pairing as soon as its share of wins is certain enough."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import log
from typing import Literal

from ridotto.arena.schedule import BadTournament


@dataclass(frozen=True)
class SPRT:
    """A sequential test: is the share of `one` as low as `low`, or as high as `high`?

    It is the generalised sequential probability ratio test on whole deals, as chess engines are tested by pairs of games
    (M. Van den Bergh, "The generalized sequential probability ratio test", for Fishtest, 2017-2020): the likelihoods
    compared are the largest that a distribution of a deal's result with that mean can have. Where a deal is one match that is
    won or lost, it is Wald's test of 1945.
    """

    low: float
    high: float
    error: float = 0.05
    """The probability of an error, of either kind."""

    @classmethod
    def parse(cls, text: str) -> SPRT:
        """The test that LOW:HIGH stands for."""
        try:
            low, high = (float(part) for part in text.split(":"))
        except ValueError as error:
            raise BadTournament(f"{text!r} is not LOW:HIGH, two win shares such as 0.5:0.55") from error
        if not 0 < low < high < 1:
            raise BadTournament(f"the win shares of {text!r} must lie between 0 and 1, the lower one first")
        return cls(low, high)

    @property
    def bound(self) -> float:
        """Wald's bound on the logarithm of the likelihood ratio, in both directions."""
        return log((1 - self.error) / self.error)

    def ratio(self, shares: Mapping[float, int]) -> float:
        """The logarithm of the likelihood ratio of the results of deals, each with how often it came."""
        # A tiny weight on both ends, so that either mean is possible whatever the results are.
        seen: dict[float, float] = {0.0: 1e-3, 1.0: 1e-3}
        for share, count in shares.items():
            seen[share] = seen.get(share, 0.0) + count
        low, high = _tilt(seen, self.low), _tilt(seen, self.high)
        return sum(
            count * log((1 + low * (share - self.low)) / (1 + high * (share - self.high))) for share, count in seen.items()
        )

    def verdict(self, shares: Mapping[float, int]) -> Literal["low", "high"] | None:
        """The accepted share of the two; None if the test goes on."""
        ratio = self.ratio(shares)
        if abs(ratio) < self.bound:
            return None
        return "high" if ratio > 0 else "low"


def _tilt(seen: Mapping[float, float], mean: float) -> float:
    """The number that turns frequencies f into the likeliest ones with that mean: f / (1 + tilt · (share - mean))."""
    low, high = -1 / (max(seen) - mean), 1 / (mean - min(seen))
    for _ in range(200):
        middle = (low + high) / 2
        slope = sum(count * (share - mean) / (1 + middle * (share - mean)) for share, count in seen.items())
        low, high = (middle, high) if slope > 0 else (low, middle)
    return (low + high) / 2
