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
        solution = solver.Solution(build, row, belief, solver.Values(table), room)
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


# Where the pieces stand.

NUDGES = (-2, -1, 0, 0, 1, 2)
"""How far La Carlotta is moved from where she stood in a match."""
SMALL = ((20_000, 1 << 14), (20_000, 12), (40_000, 6), (1 << 19, 4))
"""The sizes of the trees that are solved for the network."""
TESTED = 0.1
"""The share of positions that the network is tested with and does not learn from."""


def looked_up(table: Any, odd: int, way: int, cards: int, suspects: list[int], prior: Any) -> Any:
    """What the table says of each suspect when a round begins."""
    n = len(suspects)
    spread = max(0.0, (float((prior**2).sum()) - 1 / n) / (1 - 1 / n)) ** 0.5 * (SPREADS - 1)
    low = min(int(spread), SPREADS - 2)
    count = sum(cards >> who & 1 for who in suspects)
    found = []
    for who, share in zip(suspects, prior, strict=True):
        curve = table[odd, n, way, cards >> who & 1, count, :, low : low + 2] @ [1 - spread + low, spread - low]
        found.append(numpy.interp(share**0.5 * (CHANCES - 1), numpy.arange(CHANCES), curve))
    return numpy.array(found)


def _solve_boards(task: tuple[int, int, float, str]) -> Any:
    """Solve beginnings of rounds as they occur, until the time is up: rows of board, suspects, cards, parity, way; then for
    each character its share of the belief, what the table says, and what the solution says."""
    seed, iterations, seconds, file = task
    build, solver, room, pool = (_worker[name] for name in ("build", "solver", "room", "pool"))
    values, _ = solver.read_values(Path(file))
    generator = numpy.random.default_rng(seed)
    every = [row for kind in sorted(pool) for row in pool[kind]]
    boards: list[list[int]] = []
    numbers: list[Any] = []
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        row = build.copy(every[int(generator.integers(len(every)))])
        row[F.carlotta] = min(EXIT - 1, max(0, int(row[F.carlotta]) + NUDGES[int(generator.integers(len(NUDGES)))]))
        suspects = [who for who in range(PEOPLE) if row[F.suspects] >> who & 1]
        belief = numpy.zeros(PEOPLE)
        belief[suspects] = belief_for(generator, len(suspects))
        solution = solver.Solution(build, row, belief, values, room, sizes=SMALL)
        solution.run(iterations)
        odd, way = int(row[F.round]) & 1, EXIT - int(row[F.carlotta])
        cards = 0 if odd else int(row[F.offered]) & EVERYBODY
        boards.append([int(build.bot.board_of(row)) & int(solver.PIECES), int(row[F.suspects]) & EVERYBODY, cards, odd, way])
        some = numpy.zeros((3, PEOPLE), numpy.float32)
        plain = looked_up(values.table, odd, way, cards, suspects, solution.prior)
        some[:, suspects] = solution.prior, plain, solution.values
        numbers.append(some)
    return numpy.array(boards, numpy.int64).reshape(-1, 5), numpy.array(numbers, numpy.float32).reshape(-1, 3, PEOPLE)


def sample_boards(values: Path, minutes: float, workers: int, iterations: int, seed: int, out: Path) -> None:
    """Solve rounds with the values of a file, and write down positions, beliefs and solutions."""
    _start(seed, 1)  # compiles, so that workers find it in the cache
    _solve_boards((0, 2, 0.1, str(values)))
    found: list[Any] = []
    with multiprocessing.get_context("spawn").Pool(workers, _start, (seed, 2000)) as pool:
        pool.map(_solve_boards, [(i, 2, 0.1, str(values)) for i in range(workers)], chunksize=1)  # all are ready
        part, until = 0, time.monotonic() + 60 * minutes
        while (left := until - time.monotonic()) > 5 or not found:
            tasks = [(seed * 1_000_003 + part * 1009 + i, iterations, min(30.0, left - 2), str(values)) for i in range(workers)]
            found += pool.map(_solve_boards, tasks, chunksize=1)
            boards, numbers = (numpy.concatenate(arrays) for arrays in zip(*found, strict=True))
            numpy.savez_compressed(out, boards=boards, numbers=numbers.astype(numpy.float16))
            part += 1


def fit_boards(boards: Any, numbers: Any, steps: int, seed: int, decay: float = 3e-3, report: Any = print) -> dict[str, Any]:
    """Fit the network of boards: by what the odds of the solution differ from those of the table."""
    solver: Any = load(PACKAGE, "cpu").extend(f"{PACKAGE}.solver_tree")
    generator = numpy.random.default_rng(seed)
    people, rows, count = numpy.zeros(solver.ROOMS, numpy.int64), numpy.zeros(solver.ACTIVE, numpy.int64), len(boards)
    active = numpy.zeros((count, solver.ACTIVE), numpy.int64)
    personal = numpy.zeros((count, PEOPLE, 2), numpy.int64)
    suspected = numpy.zeros((count, PEOPLE), numpy.float32)
    for i, (board, group, cards, odd, way) in enumerate(boards.tolist()):
        solver.describe_board(board, group, cards, odd, way, people, rows)
        active[i] = rows
        for who in range(PEOPLE):
            if group >> who & 1:
                solver.describe_suspect(board, group, cards, odd, who, people, rows)
                personal[i, who], suspected[i, who] = rows[:2], 1
    base, wanted = _logit(numbers[:, 1]).astype(numpy.float32), numbers[:, 2]
    # A suspect who is hardly believed to be the phantom matters little.
    weights = suspected * (0.1 + numbers[:, 0])
    shapes = {
        "board": (solver.INPUTS, solver.HIDDEN),
        "first": (1, solver.HIDDEN),
        "mix": (solver.HIDDEN, solver.PERSONAL),
        "person": (solver.PERSONAL_INPUTS, solver.PERSONAL),
        "last": (solver.PERSONAL, 1),
    }
    scales = {"board": 0.15, "first": 0.0, "mix": 0.2, "person": 0.15, "last": 0.2}
    net = {name: (generator.normal(size=shape) * scales[name]).astype(numpy.float32) for name, shape in shapes.items()}
    moments = {name: (numpy.zeros_like(one), numpy.zeros_like(one)) for name, one in net.items()}

    def layers(some: Any) -> Any:
        x = numpy.zeros((len(some), solver.INPUTS), numpy.float32)
        x[numpy.arange(len(some))[:, None], active[some]] = 1
        hidden = numpy.maximum(0, x @ net["board"] + net["first"])
        who = numpy.zeros((len(some) * PEOPLE, solver.PERSONAL_INPUTS), numpy.float32)
        who[numpy.arange(len(who))[:, None], personal[some].reshape(-1, 2)] = 1
        mixed = (hidden @ net["mix"]).repeat(PEOPLE, axis=0) + who @ net["person"]
        mixed = numpy.maximum(0, mixed)
        delta = (mixed @ net["last"]).reshape(len(some), PEOPLE)
        return x, hidden, who, mixed, 1 / (1 + numpy.exp(-(base[some] + delta)))

    def errors(some: Any) -> tuple[float, float]:
        """The mean errors, weighted: with the network, and of the table alone."""
        weight = weights[some]
        found = numpy.concatenate([layers(part)[-1] for part in numpy.array_split(some, len(some) // 2000 + 1)])
        return tuple(float((weight * numpy.abs(one - wanted[some])).sum() / weight.sum()) for one in (found, numbers[some, 1]))  # type: ignore[return-value]

    order = generator.permutation(count)
    tested, learnt = order[: int(TESTED * count)], order[int(TESTED * count) :]
    for step in range(1, steps + 1):
        some = learnt[generator.integers(len(learnt), size=512)]
        x, hidden, who, mixed, found = layers(some)
        slope = (weights[some] * (found - wanted[some]) / weights[some].sum()).reshape(-1, 1)
        slopes = {"last": mixed.T @ slope}
        slope = slope @ net["last"].T * (mixed > 0)
        slopes["person"] = who.T @ slope
        slope = slope.reshape(len(some), PEOPLE, -1).sum(axis=1)
        slopes["mix"] = hidden.T @ slope
        slope = slope @ net["mix"].T * (hidden > 0)
        slopes["first"], slopes["board"] = slope.sum(axis=0, keepdims=True), x.T @ slope
        pace = 3e-3 * (0.02 + 0.98 * (1 - step / steps))
        for name, (mean, square) in moments.items():
            mean += 0.1 * (slopes[name] - mean)
            square += 0.001 * (slopes[name] ** 2 - square)
            size = numpy.sqrt(square / (1 - 0.999**step)) + 1e-8
            net[name] -= pace * (mean / (1 - 0.9**step) / size + decay * net[name])
        if step % (steps // 5) == 0:
            seen, unseen = errors(learnt[:4000]), errors(tested)
            report(
                f"step {step}: error {seen[0]:.4f}, of positions not learnt from {unseen[0]:.4f} (the table {unseen[1]:.4f})"
            )
    net["first"], net["last"] = net["first"][0], net["last"][:, 0]
    return net


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


def save(table: Any, net: dict[str, Any], facts: dict[str, Any], path: Path) -> None:
    """Write the table, in bytes, the network, and what was used to make them."""
    with path.open("wb") as file:
        numpy.savez_compressed(
            file,
            table=numpy.round(table * 65535).astype(numpy.uint16),
            **{name: one.astype(numpy.float16) for name, one in net.items()},
            facts=numpy.frombuffer(json.dumps(facts).encode(), numpy.uint8),
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=7.0, help="for the table")
    parser.add_argument("--boards", type=float, default=7.0, metavar="MINUTES", help="for what the network learns from")
    parser.add_argument("--passes", type=int, default=2, help="how often that is done, each time with what was learnt before")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--iterations", type=int, default=40)
    parser.add_argument("--steps", type=int, default=6000, help="of fitting the network")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, required=True, help="where samples are kept, to go on with later")
    parser.add_argument("--keep-table", action="store_true", help="take the table from the file that there is")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / VALUES)
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    if asked.keep_table:
        with numpy.load(Path(__file__).parent / VALUES, allow_pickle=False) as file:
            table, facts = file["table"].astype(numpy.float32) / 65535, json.loads(file["facts"].tobytes())
    else:
        found, notes = train(asked.minutes, asked.workers, asked.iterations, asked.seed, asked.folder)
        table = smoothed(found)
        facts = {"game": "fantome", "box": load(PACKAGE).box, "seed": asked.seed, "iterations": asked.iterations, "ways": notes}
    save(table, {}, facts, asked.out)
    for number in range(1, asked.passes + 1):
        # The first pass knows only the table; later ones also what the network of the last pass says.
        samples = asked.folder / f"boards-{number}.npz"
        if not samples.exists():
            minutes = asked.boards / asked.passes
            sample_boards(asked.out, minutes, asked.workers, asked.iterations, asked.seed + number, samples)
        with numpy.load(samples, allow_pickle=False) as file:
            boards, numbers = file["boards"], file["numbers"].astype(numpy.float32)
        print(f"pass {number}: {len(boards)} rounds are solved")
        net = fit_boards(boards, numbers, asked.steps, asked.seed)
        save(table, net, {**facts, "boards": len(boards), "passes": number, "steps": asked.steps}, asked.out)
    print(f"{asked.out}: {asked.out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
