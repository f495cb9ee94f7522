"""Our own figures: the three games on one core, on all cores, interpreted; how cost grows; how long a start takes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from bench.figures import EFFORT, Figure, Growth, Item, Job, Startup, best_of
from ridotto.arena.simulation import Simulation
from ridotto.games import GAMES

SHOWN: Final = {"fantome": 2, "turandot": 4, "opera": 4}
"""The number of seats at which a game stands for itself where one figure must do."""
ROWS: Final = (1, 10, 100, 1_000, 10_000, 100_000, 1_000_000)
SPREAD: Final = 20
"""Decisions made in every row before the clock starts, so that the rows are not all at the same moment of a match."""
SEED: Final = 1


def games() -> list[Job]:
    """Every game with every number of seats."""
    return [
        Job("ridotto", f"{name}, {seats} seats", partial(_game, name, seats))
        for name, game in GAMES.items()
        for seats in game.seats
    ]


def _game(name: str, seats: int) -> Iterator[Item]:
    simulation = _simulation(name, seats)
    length = simulation.run(1000, 1)["mean_length"]
    one = best_of(partial(_play, simulation, 1))
    detail = {"threads": 1, "decisions_per_match": length}
    yield Figure("ridotto", name, one.per_second, one.per_wall_second, seats, detail)
    if len(simulation.game.seats) > 1:
        yield Growth("seats", name, seats, seats, one.per_second, {"decisions_per_match": length})
    cores = os.cpu_count() or 1
    for threads in sorted({2, cores} if cores > 1 else set()):
        many = best_of(partial(_play, simulation, threads))
        detail = {
            "threads": threads,
            "times_one_thread": many.per_wall_second / one.per_wall_second,
            "cpu_time_of_one": many.per_second / one.per_second,
        }
        yield Figure("ridotto-cores", name, many.per_second, many.per_wall_second, seats, detail)
    slow = simulation.compared(one.per_second, EFFORT.repeats)["python_decisions_per_second"]
    yield Figure("ridotto-python", name, slow, slow, seats, {"times_slower": one.per_second / slow})


def _play(simulation: Simulation, threads: int, matches: int) -> int:
    """Play so many matches on each thread; how many decisions they were."""
    return int(simulation.run(matches * threads, threads)["decisions"])


def rounds() -> list[Job]:
    """Opera with seven rounds instead of nine."""
    return [Job("ridotto", "opera, rounds", _rounds)]


def _rounds() -> Iterator[Item]:
    for option, count in ((1, 7), (0, 9)):
        simulation = _simulation("opera", SHOWN["opera"], seven_rounds=option)
        length = simulation.run(1000, 1)["mean_length"]
        speed = best_of(partial(_play, simulation, 1))
        yield Growth("rounds", "opera", SHOWN["opera"], count, speed.per_second, {"decisions_per_match": length})


def growth() -> list[Job]:
    """Rows at once, from one to a million, on one core."""
    return [Job("ridotto", f"{name}, rows", partial(_growth, name, seats)) for name, seats in SHOWN.items()]


def _growth(name: str, seats: int) -> Iterator[Item]:
    """One decision in every row a call, as a learner needs it."""
    from ridotto.core.batch import Batch

    for rows in ROWS:
        batch = Batch(GAMES[name], rows, seats, seed=SEED)
        batch.play(SPREAD)
        speed = best_of(partial(_step, batch))
        detail = {"bytes_per_row": bytes_per_row(batch), "decisions_a_call": 1}
        yield Growth("rows", name, seats, rows, speed.per_second, detail)


def _step(batch: Any, calls: int) -> int:
    for _ in range(calls):
        batch.play(1)
    return calls * int(batch.size)


def bytes_per_row(batch: Any) -> float:
    """The memory that a batch keeps for each row."""
    arrays = (batch.rows, batch.dice, batch.matches, batch.acting, batch.masks, batch.rewards, batch.ended)
    return sum(int(array.size) * int(array.dtype.itemsize) for array in arrays) / float(batch.size)


STARTING: Final = """
import time; began = time.perf_counter(), time.process_time()
def spent(): return [time.perf_counter() - began[0], time.process_time() - began[1]]
import json, sys
import ridotto
imported = spent()
from ridotto.arena.simulation import Simulation
from ridotto.bots.setup import warm
game = ridotto.GAMES[sys.argv[1]]
simulation = Simulation(game, game.seats[0], game.settle(), 1)
simulation.run(1, 1)
decided = spent()
warm(game)
complete = spent()
print(json.dumps([imported[0], decided[0], complete[0], decided[1], complete[1]]))
"""


def startup() -> list[Job]:
    """A fresh Python up to the first compiled match: with an empty cache of machine code, then with a full one."""
    return [Job("ridotto", f"{name}, start", partial(_startup, name)) for name in GAMES]


def _startup(name: str) -> Iterator[Item]:
    with tempfile.TemporaryDirectory() as empty:
        yield Startup(name, "cold", *_started(name, empty))
        again = [_started(name, empty) for _ in range(EFFORT.repeats)]
        yield Startup(name, "warm", *(min(spent) for spent in zip(*again, strict=True)))


def _started(name: str, cache: str) -> list[float]:
    command = [sys.executable, "-c", STARTING, name]
    environment = os.environ | {"XDG_CACHE_HOME": cache}
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment)
    spent: list[float] = json.loads(done.stdout)
    return spent


def _simulation(name: str, seats: int, **options: int) -> Simulation:
    game = GAMES[name]
    simulation = Simulation(game, seats, game.settle(options), SEED)
    simulation.run(1, 1)
    return simulation
