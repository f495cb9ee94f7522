"""Makes the table of values of the solver: `python -m ridotto.games.fantome.ai.solving.values --folder DIR`.

A round always takes La Carlotta nearer to the exit. So rounds are solved from her last space backwards, each with what is known
by then of the spaces after it: with two suspects exactly, with more by CFR+. For each space, parity and number of suspects some
positions are solved with an even belief, and some with uneven ones, which tell what a suspect's own share is worth.

With two suspects it matters most where the pieces stand, and the players of the round before have chosen that. So there
the positions are ends of rounds that were chosen, by solving the next round, as the best of a few.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import time
from pathlib import Path
from typing import Any

import numpy

from ridotto.engine.build import Build, load
from ridotto.games.fantome.ai.board import unwatched
from ridotto.games.fantome.ai.solving.ends import CHANCES, SHAPE
from ridotto.games.fantome.ai.solving.solution import VALUES
from ridotto.games.fantome.ai.solving.tree import MOST_FINALS
from ridotto.games.fantome.components import EXIT
from ridotto.games.fantome.rules import EVERYBODY, PEOPLE, PICK, F

PACKAGE = "ridotto.games.fantome"
RANDOM = 0.25
"""The share of random choices in the matches whose positions are used."""
MATCHES = 600
OFTEN, SELDOM, FEW = 18, 6, 4
"""Positions that are solved for each space, parity and number of suspects: where that occurs often, and elsewhere. Twice as
many with few suspects, where they differ most."""
PAIRS, BOARDS, SETS = 80, 8, 3
"""With two suspects: positions, boards that a player chose from, and sets of cards that they thought of."""
ITERATIONS = 24


# Positions and beliefs.


def positions(build: Build, matches: int, seed: int) -> list[Any]:
    """The beginnings of rounds in matches of the game's policy against itself, with some random choices."""
    rows: list[Any] = []
    dice, muted, mask, scratch = build.generator(seed), build.events(muted=True), build.mask(), build.row()
    rules, row = build.rules, build.row()
    for _ in range(matches):
        row[:] = build.row()
        rules.deal(row, 2, build.copy([0]), dice, muted)
        while waiting := rules.to_act(row):
            if row[F.asked] == PICK and row[F.played] == 0:
                rows.append(build.copy(row))
            seat = build.dice.lowest(waiting)
            rules.legal(row, seat, mask)
            if build.dice.draw(dice, 1000) < RANDOM * 1000:
                action = build.driver.random_action(mask, dice)
            else:
                action = build.bot.policy(row, seat, mask, dice, muted, scratch)
            rules.apply(row, seat, action, dice, muted)
    return rows


def belief_for(generator: Any, n: int) -> Any:
    """An uneven belief."""
    return generator.dirichlet(numpy.full(n, (0.4, 1.0, 4.0)[int(generator.integers(3))]))


class Samples:
    """The data of a worker: the positions by parity and number of suspects, and the room to solve them."""

    def __init__(self, seed: int) -> None:
        self.build = load(PACKAGE, "cpu")
        self.by_rules: Any = self.build.extend(f"{PACKAGE}.ai.solving.boards")
        self.solving: Any = self.build.extend(f"{PACKAGE}.ai.solving.solution")
        self.duels: Any = self.build.extend(f"{PACKAGE}.ai.solving.duel")
        self.room = self.solving.Room(self.build)
        self.duel = self.duels.Duel(self.build)
        self.rows: dict[tuple[int, int], list[Any]] = {}
        for row in positions(self.build, MATCHES, seed):
            self.rows.setdefault((int(row[F.round]) & 1, int(row[F.suspects]).bit_count()), []).append(row)

    def solve(self, odd: int, n: int, way: int, table: Any, generator: Any) -> list[list[float]]:
        """Rows of how unequal the belief was (0 or 1), the share of a suspect, and what that suspect may expect."""
        known = self.rows.get((odd, n), [])
        if not known:
            return []
        near = sum(abs(EXIT - int(row[F.carlotta]) - way) < 3 for row in known)
        samples: list[list[float]] = []
        count = OFTEN if near > MATCHES / 50 else SELDOM
        for number in range(count * 2 if n <= FEW else count):
            row = self.build.copy(known[int(generator.integers(len(known)))])
            row[F.carlotta] = EXIT - way
            belief = numpy.zeros(PEOPLE)
            suspects = [who for who in range(PEOPLE) if row[F.suspects] >> who & 1]
            is_even = number % 3 < 2
            belief[suspects] = 1 / n if is_even else belief_for(generator, n)
            solution = self.solving.Solution(self.build, row, belief, table, self.room, sizes=self.solving.MEDIUM)
            solution.run(ITERATIONS)
            if is_even:
                samples.append([0, 1 / n, float(solution.values.mean())])
            else:
                samples += [[1, float(p), float(v)] for p, v in zip(solution.prior, solution.values, strict=True)]
        return samples

    def play_to(self, card: int, row: Any, generator: Any) -> Any:
        """A row before a card of its round; None if the match ended."""
        build, rules = self.build, self.build.rules
        dice, muted = build.generator(int(generator.integers(1 << 30))), build.events(muted=True)
        mask, scratch, row = build.mask(), build.row(), build.copy(row)
        while not (row[F.asked] == PICK and row[F.played] == card):
            seat = build.dice.lowest(rules.to_act(row))
            rules.legal(row, seat, mask)
            rules.apply(row, seat, build.bot.policy(row, seat, mask, dice, muted, scratch), dice, muted)
            if row[F.ending]:
                return None
        return row

    def boards(self, row: Any, most: int, generator: Any) -> list[int]:
        """Some of the boards that the next card can lead to."""
        out = numpy.empty(MOST_FINALS, numpy.int64)
        count = self.by_rules.finish_card(row, self.room.stack, *self.room.rest, out)
        finals: list[int] = sorted(set(out[:count].tolist()))
        generator.shuffle(finals)
        return finals[:most]

    def closed(self, last: Any, way: int, table: Any, generator: Any) -> tuple[float, Any] | None:
        """The board that the player of the last card chooses among some that leave two suspects, and what it is worth.

        None if the two are not alike on any; in an odd round, if they need not be: then the phantom is caught.
        """
        suspects, odd = int(last[F.suspects]) & EVERYBODY, int(last[F.round]) & 1
        pair = [who for who in range(PEOPLE) if suspects >> who & 1]
        every = self.boards(last, MOST_FINALS, generator)
        ends = [final for final in every if int(unwatched(final)) & suspects in (0, suspects)]
        if not ends or (odd and len(ends) < len(every)):
            return None
        results = []
        for final in ends[:BOARDS]:
            after = self.solving.next_row(self.build, last, final, pair, 0, 0)
            after[F.carlotta] = EXIT - way
            # After an even round the cards are drawn anew; whoever closes it knows nothing of them.
            worth = sum(self.dealt(after, 1 - odd, table, generator) for _ in range(1 if odd else SETS))
            results.append((worth, final, after))
            if odd and worth == 0:
                break
        worth, _, after = (min if odd else max)(results, key=lambda one: one[:2])
        return worth, after

    def pair(self, odd: int, way: int, table: Any, generator: Any) -> list[float]:
        """The worth of rounds with two suspects, from boards that the players of the round before have brought about.

        Before an odd round the phantom chose the board; before an even one the inspector did, after a card of the phantom's,
        who has tried to leave no good one.
        """
        build, known = self.build, self.rows[1 - odd, 2]
        worths: list[float] = []
        for _ in range(PAIRS):
            start = build.copy(known[int(generator.integers(len(known)))])
            start[F.carlotta] = min(int(start[F.carlotta]), EXIT - 4)
            row = self.play_to(3 if odd else 2, start, generator)
            if row is None or int(row[F.suspects]).bit_count() != 2:
                continue
            lasts = [row]
            if not odd:
                lasts = []
                for final in self.boards(row, BOARDS, generator):
                    last = build.copy(row)
                    self.by_rules.place_board(last, final)
                    last[F.played] += 1
                    lasts.append(last)
            closed = [one for one in (self.closed(last, way, table, generator) for last in lasts) if one is not None]
            if closed:
                worths.append(self.dealt(max(closed, key=lambda one: one[0])[1], odd, table, generator))
        return worths

    def dealt(self, after: Any, odd: int, table: Any, generator: Any) -> float:
        """The worth of the beginning of a round, with the cards that it has, or with others if it is odd."""
        if odd:
            after[F.offered] = sum(1 << int(who) for who in generator.permutation(PEOPLE)[:4])
            after[F.pile] = EVERYBODY & ~int(after[F.offered])
        return float(self.duel.value(after, table))


_worker: list[Samples] = []


def _start(seed: int) -> None:
    _worker.append(Samples(seed))


def _run(task: tuple[int, int, int, int, str]) -> Any:
    seed, odd, n, way, file = task
    generator = numpy.random.default_rng([seed, odd, n, way])
    table = numpy.load(file)
    if n == 2:
        return [[0.0, 0.5, one] for one in _worker[0].pair(odd, way, table, generator)]
    return _worker[0].solve(odd, n, way, table, generator)


# From samples to the table.


def _logit(chance: Any) -> Any:
    bounded = numpy.clip(chance, 0.004, 0.996)
    return numpy.log(bounded / (1 - bounded))


def falling(values: Any, weights: Any) -> Any:
    """The nearest values that never rise: neighbours that do are averaged (isotonic regression)."""
    blocks: list[list[float]] = []
    for value, weight in zip(values, weights, strict=True):
        blocks.append([value, weight, 1])
        while len(blocks) > 1 and blocks[-2][0] < blocks[-1][0]:
            (one, first, many), (other, second, more) = blocks[-2:]
            blocks[-2:] = [[(one * first + other * second) / (first + second), first + second, many + more]]
    return numpy.concatenate([numpy.full(int(count), value) for value, _, count in blocks])


def smooth(cells: Any, counts: Any) -> Any:
    """Values that fall with the way and rise with the suspects, each with a part of its neighbours."""
    smoothed = cells.copy()
    for odd in range(2):
        for n in range(2, PEOPLE + 1):
            weights = numpy.maximum(counts[odd, n, 1:], 0.1)
            level = falling(cells[odd, n, 1:], weights)
            wide = numpy.pad(weights, 1), numpy.pad(weights * level, 1)
            total, part = (0.25 * one[:-2] + one[1:-1] + 0.25 * one[2:] for one in (wide[1], wide[0]))
            smoothed[odd, n, 1:] = level if n == 2 else total / part
    smoothed[:, 2:] = numpy.maximum.accumulate(smoothed[:, 2:], axis=1)
    return smoothed


def effect_of(samples: Any) -> Any:
    """The effect of a suspect's own share of the belief on their odds, beside an even one: by steps of its root.

    A straight line between the steps, the smoother the fewer samples there are."""
    steps = numpy.arange(CHANCES)
    if len(samples) < 50:
        return numpy.zeros(CHANCES)
    at = numpy.clip(samples[:, 0] ** 0.5 * (CHANCES - 1), 0, CHANCES - 1 - 1e-9)
    low = at.astype(int)
    basis = numpy.zeros((len(at), CHANCES))
    basis[numpy.arange(len(at)), low] = 1 - (at - low)
    basis[numpy.arange(len(at)), low + 1] = at - low
    bends = numpy.diff(numpy.eye(CHANCES), 2, axis=0) * 20
    curve = numpy.linalg.lstsq(
        numpy.concatenate([basis, bends, 1e-3 * numpy.eye(CHANCES)]),
        numpy.concatenate([samples[:, 1], numpy.zeros(len(bends) + CHANCES)]),
        rcond=None,
    )[0]
    return curve - numpy.interp(samples[0, 2] ** -0.5 * (CHANCES - 1), steps, curve)


def tabulate(cells: Any, effect: Any) -> Any:
    """The table of values: by parity, suspects, way to the exit, and the steps of a suspect's share."""
    table = numpy.zeros(SHAPE, numpy.float32)
    chances = 1 / (1 + numpy.exp(-(cells[:, :, :, None] + effect[:, :, None, :])))
    table[:, 2:] = chances[:, 2:, :, None, None, :, None]
    return table


# All of it.


def train(workers: int, seed: int, folder: Path, report: Any = print) -> tuple[Any, list[dict[str, Any]]]:
    """Work backwards from the last space; the table, and how it was made."""
    folder.mkdir(parents=True, exist_ok=True)
    current = folder / "current.npy"
    cells = numpy.full((2, PEOPLE + 1, EXIT + 1), _logit(0.0))
    cells[:, 2:] = _logit(0.5)
    counts = numpy.zeros(cells.shape)
    effect = numpy.zeros((2, PEOPLE + 1, CHANCES))
    uneven: dict[tuple[int, int], list[list[float]]] = {}
    notes: list[dict[str, Any]] = []
    began = time.monotonic()
    numpy.save(current, tabulate(cells, effect))
    _start(seed)  # compiles, so that workers find it in the cache
    for n in (2, 3):
        _run((seed, 0, n, 1, str(current)))
    with multiprocessing.get_context("spawn").Pool(workers, _start, (seed,)) as pool:
        for way in range(1, EXIT + 1):
            kinds = [(odd, n) for n in range(PEOPLE, 1, -1) for odd in (0, 1)]
            results = pool.map(_run, [(seed, odd, n, way, str(current)) for odd, n in kinds], chunksize=1)
            for (odd, n), samples in zip(kinds, results, strict=True):
                even = [value for kind, _, value in samples if kind == 0]
                if even:
                    cells[odd, n, way] = _logit(numpy.mean(even))
                    counts[odd, n, way] = len(even)
                elif way > 1:
                    cells[odd, n, way] = cells[odd, n, way - 1]
                level = cells[odd, n, way]
                if abs(level) < 3:
                    known = uneven.setdefault((odd, n), [])
                    known += [[share, float(_logit(value)) - level, n] for kind, share, value in samples if kind == 1]
                    effect[odd, n] = effect_of(numpy.array(known).reshape(-1, 3))
            cells[:, :, way + 1 :] = cells[:, :, way : way + 1]
            numpy.save(current, tabulate(smooth(cells, counts), effect))
            chances = " ".join(f"{1 / (1 + numpy.exp(-cells[odd, n, way])):.2f}" for n in (2, 3, 4, 6) for odd in (0, 1))
            notes.append({"way": way, "samples": sum(len(samples) for samples in results)})
            report(f"way {way}: 2, 3, 4, 6 suspects, even and odd rounds: {chances}; {time.monotonic() - began:.0f} s")
    numpy.savez(folder / "cells.npz", cells=cells, counts=counts, effect=effect)
    return tabulate(smooth(cells, counts), effect), notes


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
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, required=True, help="where the table is kept while it is made")
    parser.add_argument("--out", type=Path, default=Path(__file__).parents[1] / VALUES)
    asked = parser.parse_args()
    table, notes = train(asked.workers, asked.seed, asked.folder)
    facts = {"game": "fantome", "box": load(PACKAGE).box, "seed": asked.seed, "iterations": ITERATIONS, "ways": notes}
    save(table, facts, asked.out)
    print(f"{asked.out}: {asked.out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
