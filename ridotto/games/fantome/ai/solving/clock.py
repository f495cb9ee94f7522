"""The time for thinking, and how it is shared out."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from ridotto.games.fantome.ai.solving.solution import MEDIUM, SIZES, Solution

GROWING = 0.2
"""The least number of seconds for a solution with a large tree."""
FIRST_BATCH = 4
ENOUGH, ENOUGH_AT_LAST = 400, 100
"""The most iterations that are made however long it may take: of a solution, and of one of the last card."""
LOOK = 0.1
"""The seconds that a look is thought to take, before the first has shown it."""


@dataclass
class Clock:
    """The time for thinking: a number of iterations for each solution, or until a deadline for all that are still missing."""

    iterations: int | None
    deadline: float | None
    missing: int = 1
    now: Callable[[], float] = time.perf_counter
    look: float = 0.0
    """The longest that a look into the next round has taken; 0 before the first."""

    def can_look(self, looks: float = 1, more: float = 0.0) -> bool:
        """Whether there is time for so many looks into the next round, and for so many seconds more."""
        return self.deadline is None or self.now() + looks * (self.look or LOOK) + more < self.deadline

    @property
    def sizes(self) -> tuple[tuple[int, int], ...]:
        """The sizes of trees that there is time for."""
        is_short = self.deadline is not None and self.deadline - self.now() < GROWING * max(1, self.missing)
        return MEDIUM if is_short else SIZES

    def part(self, share: float) -> Clock:
        """A clock for a share of the time that is left."""
        until = None if self.deadline is None else self.now() + share * (self.deadline - self.now())
        return Clock(self.iterations, until, now=self.now, look=self.look)

    def looked(self, began: float, looks: int = 1) -> None:
        """Note that so many looks have been taken since then."""
        self.look = max(self.look, (self.now() - began) / looks)

    def run(self, solution: Solution) -> None:
        if self.deadline is None:
            assert self.iterations is not None
            solution.run(self.iterations)
            return
        until = self.now() + (self.deadline - self.now()) / max(1, self.missing)
        enough = self.iterations or (ENOUGH if len(solution.tree.keys) > 1 else ENOUGH_AT_LAST)
        batch = FIRST_BATCH
        while True:
            began = self.now()
            solution.run(min(batch, enough - solution.iterations))
            now = self.now()
            if solution.iterations == enough:
                break
            # As many as take a quarter of what is left, so that the time is kept.
            batch = int((until - now) / max(1e-6, now - began) * batch / 4)
            if batch < 1:
                if now + (now - began) / FIRST_BATCH > until:
                    break
                batch = 1
            batch = min(batch, 64)
        self.missing -= 1
