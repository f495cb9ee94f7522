"""Makes the solver's table of values: `python -m ridotto.games.fantome.solver_values --minutes 7`.

What a round's end is worth is the value of the next round's beginning, and La Carlotta only ever gets nearer to the exit (but
for a phantom card). So rounds are solved from her last space backwards: some hundred positions and beliefs for each space,
each with what is known by then of the spaces after it. A small network with two layers is fitted to the values of all suspects,
and written down as a table for the solver to look up.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import time
from itertools import product
from math import comb
from pathlib import Path
from typing import Any

import numpy

from ridotto.engine.build import Build, load
from ridotto.games.fantome.components import EXIT
from ridotto.games.fantome.rules import EVERYBODY, PEOPLE, PICK, F
from ridotto.games.fantome.solver_tree import CHANCES, SHAPE, SPREADS, VALUES

PACKAGE = "ridotto.games.fantome"
HIDDEN = 48
RANDOM = 0.25
"""The share of random choices in the matches whose positions are used."""


# Positions and beliefs.


def positions(build: Build, matches: int, seed: int) -> list[Any]:
    """The beginnings of rounds in matches of the game's policy against itself, with some random choices."""
    found: list[Any] = []
    dice, muted, mask, scratch = build.generator(seed), build.events(muted=True), build.mask(), build.row()
    rules, row = build.rules, build.row()
    for _ in range(matches):
        row[:] = build.row()
        rules.deal(row, 2, build.copy([0]), dice, muted)
        while waiting := rules.to_act(row):
            if row[F.asked] == PICK and row[F.played] == 0:
                found.append(build.copy(row))
            seat = build.dice.lowest(waiting)
            rules.legal(row, seat, mask)
            if build.dice.draw(dice, 1000) < RANDOM * 1000:
                action = build.driver.random_action(mask, dice)
            else:
                action = build.bot.policy(row, seat, mask, dice, muted, scratch)
            rules.apply(row, seat, action, dice, muted)
    return found


def belief_for(generator: Any, n: int) -> Any:
    """A belief: even, or more or less uneven."""
    kind = generator.random()
    if kind < 0.2:
        return numpy.full(n, 1 / n)
    return generator.dirichlet(numpy.full(n, 0.4 if kind < 0.45 else 1.0 if kind < 0.75 else 4.0))


_worker: dict[str, Any] = {}


def _start(seed: int, matches: int) -> None:
    build = load(PACKAGE, "cpu")
    solver: Any = build.extend(f"{PACKAGE}.solver_tree")
    pool: dict[tuple[int, int], list[Any]] = {}
    for row in positions(build, matches, seed):
        pool.setdefault((int(row[F.round]) & 1, int(row[F.suspects]).bit_count()), []).append(row)
    _worker.update(build=build, solver=solver, room=solver.Room(build), pool=pool)


def _solve(task: tuple[int, int, int, float, str]) -> Any:
    """Solve rounds that begin with La Carlotta so far from the exit, until the time is up; rows of samples."""
    seed, way, iterations, seconds, file = task
    build, solver, room, pool = (_worker[name] for name in ("build", "solver", "room", "pool"))
    table = numpy.load(file)
    generator = numpy.random.default_rng(seed)
    kinds = sorted(pool)
    samples: list[list[float]] = []
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        # Positions that occur with about so many suspects, and now and then any.
        kind = kinds[int(generator.integers(len(kinds)))]
        rows = pool[kind]
        row = build.copy(rows[int(generator.integers(len(rows)))])
        if generator.random() < 0.8 and abs(EXIT - int(row[F.carlotta]) - way) > 4:
            continue
        row[F.carlotta] = EXIT - way
        suspects = [who for who in range(PEOPLE) if row[F.suspects] >> who & 1]
        n = len(suspects)
        belief = numpy.zeros(PEOPLE)
        belief[suspects] = belief_for(generator, n)
        solution = solver.Solution(build, row, belief, table, room)
        if not len(solution.tree.keys) or len(solution.tree.keys) > 60_000:
            continue
        solution.run(iterations)
        cards = 0 if kind[0] else int(row[F.offered]) & int(row[F.suspects]) & EVERYBODY
        spread = max(0.0, (float((solution.prior**2).sum()) - 1 / n) / (1 - 1 / n)) ** 0.5
        for i, who in enumerate(suspects):
            share = float(solution.prior[i]) ** 0.5
            value = float(solution.values[i])
            samples.append([kind[0], n, way, cards >> who & 1, cards.bit_count(), share, spread, value])
    return numpy.array(samples, numpy.float32).reshape(-1, 8)


# The network.


def features(columns: Any) -> Any:
    """The inputs of the network for rows of round, suspects, way, card, cards, share, spread."""
    odd, n, way, card, cards, share, spread = (columns[:, i] for i in range(7))
    part = cards / n
    found = [numpy.ones_like(odd), odd, card, part, share, share**2, spread, spread**2, n / 8, way / 21, (way - n) / 8]
    found += [share * spread, share * n / 8, card * share, card * part, odd * share, odd * spread, odd * n / 8]
    found += [n == k for k in range(2, PEOPLE + 1)]
    found += [odd * (n == k) for k in range(2, PEOPLE + 1)]
    found += [way == k for k in range(1, EXIT + 1)]
    found += [odd * (way == k) for k in range(1, EXIT + 1)]
    return numpy.stack([one.astype(numpy.float32) for one in found], axis=1)


class Net:
    """Two layers and a logistic answer, fitted by Adam."""

    def __init__(self, inputs: int, seed: int) -> None:
        generator = numpy.random.default_rng(seed)
        self.weights = [
            (generator.normal(size=shape) * (1.0 / shape[0]) ** 0.5).astype(numpy.float32)
            for shape in ((inputs, HIDDEN), (HIDDEN + 1, HIDDEN), (HIDDEN + 1, 1))
        ]
        self.moments = [(numpy.zeros_like(one), numpy.zeros_like(one)) for one in self.weights]
        self.steps = 0

    def layers(self, x: Any) -> list[Any]:
        ones = numpy.ones((len(x), 1), numpy.float32)
        first = numpy.concatenate([numpy.tanh(x @ self.weights[0]), ones], axis=1)
        second = numpy.concatenate([numpy.tanh(first @ self.weights[1]), ones], axis=1)
        return [x, first, second, 1 / (1 + numpy.exp(-(second @ self.weights[2])))]

    def answer(self, x: Any) -> Any:
        return self.layers(x)[-1][:, 0]

    def fit(self, x: Any, y: Any, steps: int, generator: Any, rate: float = 3e-3) -> None:
        for step in range(steps):
            some = generator.integers(len(x), size=1024)
            layers = self.layers(x[some])
            slope = (layers[3] - y[some, None]) / len(some)
            slopes = [None, None, layers[2].T @ slope]
            slope = (slope @ self.weights[2].T)[:, :-1] * (1 - layers[2][:, :-1] ** 2)
            slopes[1] = layers[1].T @ slope
            slope = (slope @ self.weights[1].T)[:, :-1] * (1 - layers[1][:, :-1] ** 2)
            slopes[0] = layers[0].T @ slope
            self.steps += 1
            pace = rate * (0.05 + 0.95 * (1 - step / steps))
            for weight, (mean, square), gradient in zip(self.weights, self.moments, slopes, strict=True):
                mean += 0.1 * (gradient - mean)
                square += 0.001 * (gradient**2 - square)
                size = numpy.sqrt(square / (1 - 0.999**self.steps)) + 1e-8
                weight -= pace * (mean / (1 - 0.9**self.steps) / size + 1e-5 * weight)


def tabulate(net: Net, ways: int) -> Any:
    """The network as a table, up to so far from the exit; beyond that as at the last."""
    table = numpy.zeros(SHAPE, numpy.float32)
    grid = numpy.meshgrid(
        *(numpy.arange(2), numpy.arange(2, PEOPLE + 1), numpy.arange(1, ways + 1), numpy.arange(2), numpy.arange(PEOPLE + 1)),
        *(numpy.arange(CHANCES) / (CHANCES - 1), numpy.arange(SPREADS) / (SPREADS - 1)),
        indexing="ij",
    )
    flat = numpy.stack([one.reshape(-1) for one in grid], axis=1).astype(numpy.float32)
    flat[:, 4] = numpy.minimum(flat[:, 4], flat[:, 1])
    parts = [net.answer(features(flat[at : at + 65536])) for at in range(0, len(flat), 65536)]
    table[:, 2:, 1 : ways + 1] = numpy.concatenate(parts).reshape(grid[0].shape)
    table[:, 2:, ways + 1 :] = table[:, 2:, ways : ways + 1]
    return table


# Smoothing. A table made of some thousand solutions is noisy from cell to cell, and a solver finds whatever is overrated.

STAYING = (0.55, 0.65)
"""How likely another suspect is to end a round on the phantom's side, by parity: what fits the solved rounds best."""
WIDTHS = (0.7, 2.5)
"""How far neighbours count: by suspects, and by spaces."""


def _chances() -> Any:
    """The phantom's chance when a round begins, if suspects stay by chance: by parity, suspects, way to the exit."""
    chance = numpy.zeros((2, PEOPLE + 1, EXIT + 1))
    for way in range(1, EXIT + 1):
        for n in range(2, PEOPLE + 1):
            for odd in range(2):
                for k in range(2, n + 1):
                    likely = comb(n - 1, k - 1) * STAYING[odd] ** (k - 1) * (1 - STAYING[odd]) ** (n - k)
                    for can in range(2):
                        left = way - k - can
                        chance[odd, n, way] += likely / 2 * (1.0 if left <= 0 else chance[1 - odd, k, left])
    return chance


def _logit(chance: Any) -> Any:
    bounded = numpy.clip(chance, 0.004, 0.996)
    return numpy.log(bounded / (1 - bounded))


def smoothed(table: Any) -> Any:
    """A smooth table near a noisy one: a simple model, moved towards the solved values of each cell and its neighbours.

    It falls with the way and rises with the suspects. What a suspect's share of the belief does is averaged over all spaces.
    """
    model = _logit(_chances())
    steps = numpy.arange(CHANCES)
    plain = numpy.zeros((2, PEOPLE + 1, EXIT + 1))
    effect = numpy.zeros((2, PEOPLE + 1, CHANCES))
    for odd, n in product(range(2), range(2, PEOPLE + 1)):
        even = n**-0.5 * (CHANCES - 1)
        cells = table[odd, n, :, 0, 0, :, 0] if odd else table[odd, n, :, :, n // 2, :, 0].mean(axis=1)
        plain[odd, n] = [numpy.interp(even, steps, cells[way]) for way in range(EXIT + 1)]
        curve = _logit(table[odd, n, 3:16, :, :, :, 1]).mean(axis=(0, 1, 2))
        effect[odd, n] = curve - numpy.interp(even, steps, curve)
    distance = _logit(plain) - model
    found = numpy.zeros((2, PEOPLE + 1, EXIT + 1))
    for odd, n, way in product(range(2), range(2, PEOPLE + 1), range(1, EXIT + 1)):
        total = weights = 0.0
        for other, there in product(
            range(max(2, n - 1), min(PEOPLE, n + 1) + 1), range(max(1, way - 2), min(EXIT, way + 2) + 1)
        ):
            weight = numpy.exp(-((other - n) ** 2) / WIDTHS[0] - (there - way) ** 2 / WIDTHS[1])
            total, weights = total + weight * distance[odd, other, there], weights + weight
        found[odd, n, way] = model[odd, n, way] + 0.8 * total / weights
    found[:, :, 1:] = numpy.minimum.accumulate(found[:, :, 1:], axis=2)
    found[:, 2:] = numpy.maximum.accumulate(found[:, 2:], axis=1)
    smooth = numpy.zeros(SHAPE, numpy.float32)
    logits = found[:, 2:, :, None] + effect[:, 2:, None, :]
    smooth[:, 2:] = (1 / (1 + numpy.exp(-logits)))[:, :, :, None, None, :, None]
    return smooth


# All of it.


def train(minutes: float, workers: int, iterations: int, seed: int, folder: Path, report: Any = print) -> Any:
    """Work backwards from the last space, or go on where the folder's files end; the table, and how it was made."""
    folder.mkdir(parents=True, exist_ok=True)
    generator = numpy.random.default_rng(seed)
    current = folder / "current.npy"
    numpy.save(current, numpy.full(SHAPE, 0.5, numpy.float32))
    _start(seed, 1)  # compiles, so that workers find it in the cache
    _solve((0, 1, 2, 0.1, str(current)))
    seconds = minutes * 60
    began = time.monotonic()
    net = Net(features(numpy.ones((1, 7), numpy.float32)).shape[1], seed)
    table, data, notes = None, [], []
    with multiprocessing.get_context("spawn").Pool(workers, _start, (seed, 600)) as pool:
        pool.map(_solve, [(i, 1, 2, 0.1, str(current)) for i in range(workers)], chunksize=1)  # compile
        report(f"ready after {time.monotonic() - began:.0f} s")
        for way in range(1, EXIT + 1):
            file = folder / f"way-{way}.npy"
            if file.exists():
                samples = numpy.load(file)
            else:
                left = (seconds - (time.monotonic() - began)) / (EXIT + 1 - way)
                # Few suspects are far from the exit and early rounds are long: give all the same time.
                share = max(0.5, 0.75 * left)
                tasks = [(seed * 1_000_003 + way * 1009 + i, way, iterations, share, str(current)) for i in range(workers)]
                samples = numpy.concatenate(pool.map(_solve, tasks, chunksize=1))
                numpy.save(file, samples)
            data.append(samples)
            every = numpy.concatenate(data)
            x, y = features(every[:, :7]), every[:, 7]
            recent = numpy.concatenate([numpy.arange(len(x) - len(samples), len(x))] * 3 + [numpy.arange(len(x))])
            # What is new is met more often.
            net.fit(x[recent], y[recent], 300, generator)
            if way == EXIT:
                net.fit(x, y, 5000, generator)
            table = tabulate(net, way)
            numpy.save(current, table)
            error = float(numpy.abs(net.answer(features(samples[:, :7])) - samples[:, 7]).mean())
            notes.append({"way": way, "samples": len(samples), "error": round(error, 4)})
            mean, spent = samples[:, 7].mean(), time.monotonic() - began
            report(f"way {way}: {len(samples)} samples, mean {mean:.3f}, error {error:.4f}, {spent:.0f} s")
    return table, notes


def save(table: Any, facts: dict[str, Any], path: Path) -> None:
    """Write the table, in bytes, and what was used to make it."""
    with path.open("wb") as file:
        numpy.savez_compressed(
            file,
            table=numpy.round(table * 65535).astype(numpy.uint16),
            facts=numpy.frombuffer(json.dumps(facts).encode(), numpy.uint8),
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=7.0)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--iterations", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, required=True, help="where samples are kept, to go on with later")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / VALUES)
    asked = parser.parse_args()
    table, notes = train(asked.minutes, asked.workers, asked.iterations, asked.seed, asked.folder)
    facts = {"game": "fantome", "box": load(PACKAGE).box, "seed": asked.seed, "iterations": asked.iterations, "ways": notes}
    save(smoothed(table), facts, asked.out)
    print(f"{asked.out}: {asked.out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
