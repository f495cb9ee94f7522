"""What the solver proves about the pairing of a round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Status: TypeAlias = Literal["optimal", "time limit", "window", "schedule", "greedy"]

SENTENCES: dict[str, str] = {
    "optimal": "no pairing is better by the rules",
    "time limit": "the limit of time or size came before the proof",
    "window": "the tables left out, of players far apart, could not be ruled out",
    "schedule": "the round robin's fixed schedule",
    "greedy": "paired from the top down, nothing proven",
}


@dataclass(frozen=True)
class Certificate:
    """How good the pairing of a round is, and how well that is proven."""

    status: Status
    repeats: int
    """Meetings again: a pair at the same table counts as often as it has met before."""
    bye_places: int
    """How far above the end of the line the byes went, in places."""
    distance: int
    """The sum of squared distances in the line over all pairs at the same table."""
    objective: int = 0
    """The three in one weighted sum, as the solver minimised it."""
    bound: float = 0.0
    """No pairing has a smaller weighted sum than this."""
    columns: int = 0
    """How many possible tables were looked at."""
    seconds: float = 0.0

    @property
    def gap(self) -> float:
        """How much better a pairing could be at most, as a part of the weighted sum: zero if it is optimal."""
        return max(self.objective - self.bound, 0.0) / max(self.objective, 1)

    def __str__(self) -> str:
        figures = f"{self.repeats} repeats, distance {self.distance}, gap {self.gap:.2%}"
        return f"{self.status}: {SENTENCES[self.status]} ({figures}; {self.columns} tables, {self.seconds:.2f} s)"
