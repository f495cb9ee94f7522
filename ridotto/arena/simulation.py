"""Random play in bulk: how fast a game runs, how long it is, who wins; and counts of action sequences."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from ridotto.bots import judging
from ridotto.bots.setup import MatchSetup, warm
from ridotto.bots.workers import WorkerPool
from ridotto.core.batch import Batch
from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.engine.arrays import ContestArrays, Deal
from ridotto.engine.build import Build
from ridotto.engine.fields import Row
from ridotto.games import GAMES

PYTHON_GAMES = 100
"""The number of matches with the interpreted rules, for comparison."""
PARTS_A_WORKER = 4
"""Tasks that a simulation is divided into for each worker."""


@dataclass(frozen=True)
class Simulation:
    """Random matches of one game; which ones they are depends on the seed alone, however many threads there are."""

    game: Game
    seats: int
    options: Mapping[str, int]
    seed: int

    @property
    def setup(self) -> MatchSetup:
        """The setup of the simulation, as it is sent to a worker."""
        return MatchSetup(self.game.name, self.seats, self.options, self.seed, self.game.box_file)

    def run(self, games: int, threads: int) -> dict[str, Any]:
        """Play that many matches in threads of this process; returns the figures."""
        each = -(-games // threads)
        parts = [(first, min(each, games - first)) for first in range(0, games, each)]
        wall, cpu = time.perf_counter(), time.process_time()
        with ThreadPoolExecutor(threads) as pool:
            tallies = list(pool.map(lambda part: self.tally(*part), parts))
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        return self.figures(tallies, games, threads, wall, cpu)

    def run_on(self, pool: WorkerPool, games: int) -> dict[str, Any]:
        """Play the same matches with the workers of a pool."""
        pool.warm(self.setup)
        wall = time.perf_counter()
        each = -(-games // (PARTS_A_WORKER * pool.size))
        parts = (SimulationTask(self.setup, first, min(each, games - first)) for first in range(0, games, each))
        results = [result for _, result in pool.run(parts)]
        wall = time.perf_counter() - wall
        cpu = sum(seconds for _, seconds in results)
        return self.figures([tally for tally, _ in results], games, pool.size, wall, cpu)

    def tally(self, first: int, games: int) -> Row:
        """The tally of the matches number `first` onwards; see `ridotto.engine.driver` for its words."""
        return self._play(self.game.build("cpu"), first, games)

    def compared(self, rate: float, repeat: int) -> dict[str, float]:
        """The speed of the same rules interpreted, in the same run: the fastest of `repeat`."""
        build = self.game.build("python")
        best = 0.0
        for _ in range(repeat):
            cpu = time.process_time()
            tally = self._play(build, 0, PYTHON_GAMES)
            best = max(best, tally[build.driver.DECISIONS] / (time.process_time() - cpu))
        return {"python_decisions_per_second": best, "times_python": rate / best}

    def _play(self, build: Build, first: int, games: int) -> Row:
        driver = build.driver
        tally = build.array(driver.TALLY_SIZE, "int64")
        tally[driver.SHORTEST] = 1 << 30
        deal = Deal(build.copy(list(self.options.values())), self.seats, self.seed)
        driver.simulate(build.workspace(), deal, first, games, tally)
        return tally

    def figures(self, tallies: Sequence[Row], games: int, threads: int, wall: float, cpu: float) -> dict[str, Any]:
        """The figures of all tallies together."""
        driver = self.game.build("cpu").driver
        total = [sum(int(tally[i]) for tally in tallies) for i in range(driver.TALLY_SIZE)]
        decisions = total[driver.DECISIONS]
        return {
            "game": self.game.name,
            "players": self.seats,
            "options": dict(self.options),
            "games": games,
            "seed": self.seed,
            "threads": threads,
            "decisions": decisions,
            "decisions_per_second": decisions / cpu,
            "decisions_per_wall_second": decisions / wall,
            "games_per_second": games / cpu,
            "forced_share": total[driver.FORCED] / decisions,
            "mean_length": decisions / games,
            "shortest": min(int(tally[driver.SHORTEST]) for tally in tallies),
            "longest": max(int(tally[driver.LONGEST]) for tally in tallies),
            "roles": list(self.game.roles[: self.seats]),
            "win_share": [total[driver.WINS + seat] / (driver.SHARE * games) for seat in range(self.seats)],
            "endings": {line.name: total[driver.ENDS + code] / games for code, line in enumerate(self.game.rules.ENDINGS, 1)},
        }


@dataclass(frozen=True)
class SimulationTask:
    """Some of the matches of a simulation."""

    setup: MatchSetup
    first: int
    games: int

    def __str__(self) -> str:
        return f"matches {self.first} to {self.first + self.games - 1}"

    def run(self, until: float | None) -> tuple[list[int], float]:
        """Their tally, and the seconds of CPU time it took."""
        began = time.process_time()
        simulation = Simulation(self.setup.game, self.setup.players, self.setup.options, self.setup.seed)
        tally = [int(word) for word in simulation.tally(self.first, self.games)]
        return tally, time.process_time() - began


def compile_game(name: str, everything: bool = False) -> float:
    """Compile a game: what playing needs, or everything that can be compiled; returns how many seconds it took."""
    game = GAMES[name]
    seats, options = game.seats[0], game.settle()
    took = warm(game)
    if not everything:
        return took
    began = time.perf_counter()
    Simulation(game, seats, options, 1).tally(0, 1)
    next(count(Match(game, seats, options, seed=1), 1))
    batch = Batch(game, 1, seats, options)
    batch.play(1)
    batch.play(1, bot_seats=1)
    batch.step(batch.legal()[0][:, 0])
    batch.observations()
    judging.warm(game)
    return took + time.perf_counter() - began


@dataclass(frozen=True)
class Contest:
    """Whole matches between the game's own bot and random play, as arrays with one line a match."""

    game: Game
    seats: int
    rows: Any
    """The last row."""
    lows: Any
    highs: Any
    """The lowest and highest value that each word of the row had."""
    chosen: Any
    """The number of times each seat chose each action: matches, seats, actions."""
    won: Any
    """Each seat's share of the win: matches, seats."""
    scores: Any

    @classmethod
    def play(
        cls, game: Game, seats: int, games: int, seed: int, options: Mapping[str, int] | None = None, bot_seats: int = -1
    ) -> Contest:
        """Play `games` matches; the seats in the set `bot_seats` (all of them by default) use the game's bot."""
        import numpy

        build = game.build("cpu")
        rules = build.rules
        width, actions = rules.FIELDS.width, rules.ACTIONS.size
        rows, lows, highs = (numpy.zeros((games, width), "int16") for _ in range(3))
        chosen = numpy.zeros((games, seats * actions), "int16")
        results = numpy.zeros((games, 1 + seats), "int16")
        arrays: list[Any] = [rows, lows, highs, chosen, results]
        deal = Deal(build.copy(list(game.settle(options).values())), seats, seed)
        playing_bots = bot_seats & (1 << seats) - 1
        build.driver.contest(build.workspace(), deal, playing_bots, 0, games, ContestArrays(*arrays))
        bits = results[:, :1] >> numpy.arange(seats) & 1
        won = bits / numpy.maximum(bits.sum(axis=1, keepdims=True), 1)
        return cls(game, seats, rows, lows, highs, chosen.reshape(games, seats, actions), won, results[:, 1:])


def count(match: Match, depth: int) -> Iterator[tuple[str, int]]:
    """For each first action: how many sequences of `depth` actions begin with it. Draws are those of one fixed seed."""
    build = match.game.build("cpu")
    seat = match.to_act[0]
    import numpy

    width, words = build.rules.FIELDS.width, build.rules.ACTIONS.words
    for action in match.legal(seat).ids:
        rows: Any = numpy.zeros((depth + 1, width), "int16")
        masks: Any = numpy.zeros((depth + 1, words), "uint32")
        rows[0] = match.row
        dice, events = build.generator(0), build.events(muted=True)
        build.rules.apply(rows[0], seat, action, dice, events)
        nodes = build.driver.count(rows, masks, build.array(depth + 1, "int64"), dice, events, depth - 1)
        yield match.rules.ACTIONS.notation(action), int(nodes)
