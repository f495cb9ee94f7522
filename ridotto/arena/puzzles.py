"""The search for puzzles among the decisions of matches between bots."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, takewhile
from typing import Final

from ridotto import bots
from ridotto.arena.board import Board
from ridotto.bots.puzzles import Puzzle, find
from ridotto.bots.setup import MatchSetup, derived_seed
from ridotto.bots.workers import WorkerPool

PLAYERS: Final = ("greedy", "level:2", "level:3")
"""The bots of the matches, one after another, each at all seats: neither perfect nor slow."""
MOST_OF_A_MATCH: Final = 1
"""Puzzles that are taken from one match, so that they differ."""


@dataclass(frozen=True)
class PuzzleTask:
    """A match in which puzzles are looked for."""

    setup: MatchSetup
    number: int

    def __str__(self) -> str:
        return f"match {self.number}"

    def run(self, until: float | None) -> list[Puzzle]:
        seed = derived_seed("puzzles", self.setup.seed, self.number)
        board = Board(self.setup.game, self.setup.players, self.setup.options, seed)
        seated = [bots.find(PLAYERS[self.number % len(PLAYERS)]).sit() for _ in range(self.setup.players)]
        puzzles: list[Puzzle] = []
        while (waiting := board.to_act) and len(puzzles) < MOST_OF_A_MATCH and (until is None or time.monotonic() < until):
            view = board.view(waiting[0])
            # Where to begin to look depends on the match, or all puzzles would be about beginnings.
            if board.ply >= 1 + seed % (2 * self.setup.game.tuning.calibration.decisions // 3):
                puzzle = find(view, derived_seed(seed, board.ply))
                puzzles += [puzzle] if puzzle is not None else []
            board.play(waiting[0], seated[waiting[0]].choose(view, bots.Budget(derived_seed(seed, waiting[0], board.ply))))
        return puzzles


def search(setup: MatchSetup, wanted: int, pool: WorkerPool, until: float | None = None) -> Iterator[Puzzle]:
    """Puzzles as they are found, until there are enough or the time is up; each of another position."""
    pool.warm(setup)
    seen: set[str] = set()
    numbers = takewhile(lambda _: until is None or time.monotonic() < until, count())
    tasks = (PuzzleTask(setup, number) for number in numbers)
    for _, batch in pool.run(iter(tasks), until):
        for puzzle in batch:
            key = repr(sorted(puzzle.position.items()))
            if key not in seen:
                seen.add(key)
                yield puzzle
        if len(seen) >= wanted or (until is not None and time.monotonic() > until):
            return
