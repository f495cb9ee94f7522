"""Dice, tapes, events and sets of bits, on every target, against straightforward second versions."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import pytest

from ridotto.engine.build import Build
from ridotto.engine.fields import EVENT_ROOM, EVENT_WIDTH, Target
from ridotto.games import GAMES

WORD = 1 << 32
EDGES = [1 << at for at in range(32)] + [(1 << at) - 1 for at in range(1, 33)] + [0x80000001, 0x55555555, 0xAAAAAAAA]


@pytest.fixture
def build(target: Target) -> Build:
    """Any game's build has the dice."""
    return next(iter(GAMES.values())).build(target)


def some_bits(count: int) -> list[int]:
    """Sets of up to 32 bits: the edges, and many by chance, thin and full."""
    chance = random.Random(32)
    thin = [chance.getrandbits(32) & chance.getrandbits(32) & chance.getrandbits(32) for _ in range(count)]
    return [bits for bits in EDGES + thin + [chance.getrandbits(32) for _ in range(count)] if bits]


def members(bits: int) -> list[int]:
    """The positions of the ones, read off the binary digits."""
    return [at for at, digit in enumerate(reversed(f"{bits:b}")) if digit == "1"]


# The generator.


def sfc32(a: int, b: int, c: int) -> Iterator[int]:
    """The published algorithm, word by word: counter from 1, and the first twelve numbers thrown away."""
    counter, thrown = 1, 12
    while True:
        total = (a + b + counter) % WORD
        counter = (counter + 1) % WORD
        rotated = int(f"{c:032b}"[21:] + f"{c:032b}"[:21], 2)
        a, b, c = b ^ b // 2**9, c * 9 % WORD, (rotated + total) % WORD
        if thrown:
            thrown -= 1
        else:
            yield total


def test_numbers_published_for_sfc32(build: Build) -> None:
    """Begun with the words 0, 12345, 0 the generator gives the numbers that others print for it."""
    dice = build.array(5, "int64")
    build.dice.start(dice, 0, 12345, 0, 0)
    assert [235160590, 2967261163, 116171463, 2882324903] == [int(build.dice.next_bits(dice)) for _ in range(4)]
    assert [235160590, 2967261163, 116171463, 2882324903] == list(islice(sfc32(0, 12345, 0), 4))


@pytest.mark.parametrize(
    ("seed", "stream", "words"),
    [
        (0, 0, (0, 0, 0)),
        (7, 0, (7, 0, 0)),
        (7, 3, (7, 0, 3)),
        (2**64 - 1, 2**32 - 1, (2**32 - 1, 2**32 - 1, 2**32 - 1)),
        (5 + 2**32 * 9, 2**32 * 2 + 6, (5, 9 ^ 2 * 0x9E3779B1 % WORD, 6)),
        (1, (2**32 - 1) * 2**32, (1, (2**32 - 1) * 0x9E3779B1 % WORD, 0)),
    ],
)
def test_generator_is_sfc32(build: Build, seed: int, stream: int, words: tuple[int, int, int]) -> None:
    """A seed and a stream begin sfc32 with three words, all 32 bits of each, and it goes on for ever."""
    dice = build.generator(seed, stream)
    assert list(islice(sfc32(*words), 2000)) == [int(build.dice.next_bits(dice)) for _ in range(2000)]


def test_targets_draw_the_same() -> None:
    """Interpreted and compiled dice agree over a hundred thousand draws out of small and large numbers."""
    game = next(iter(GAMES.values()))
    python, cpu = game.build("python"), game.build("cpu")
    one, other = python.generator(11, 5), cpu.generator(11, 5)
    chance = random.Random(4)
    for i in range(100_000):
        n = chance.choice((1, 2, 3, 6, 8, 52, 1000, 2**16, 2**31 - 1))
        assert int(python.dice.draw(one, n)) == int(cpu.dice.draw(other, n)), f"draw {i} out of {n}"
    assert one == [int(word) for word in other]


@pytest.mark.parametrize("n", [2, 3, 5, 8, 10, 52, 97])
def test_draws_are_uniform(build: Build, n: int, rare: Callable[[int], float]) -> None:
    """Every outcome comes as often as the others, within what chance does once in a million."""
    dice, draws = build.generator(2026, n), 40_000
    counts = [0] * n
    for _ in range(draws):
        counts[int(build.dice.draw(dice, n))] += 1
    expected = draws / n
    assert sum((count - expected) ** 2 / expected for count in counts) < rare(n - 1)


def test_draws_that_follow_each_other_are_independent(build: Build, rare: Callable[[int], float]) -> None:
    """Every pair of outcomes in a row comes as often as the others."""
    dice, draws = build.generator(1), 50_000
    counts = [0] * 36
    for _ in range(draws):
        first = int(build.dice.draw(dice, 6))
        counts[6 * first + int(build.dice.draw(dice, 6))] += 1
    expected = draws / 36
    assert sum((count - expected) ** 2 / expected for count in counts) < rare(35)


def test_rare_is_rare(rare: Callable[[int], float]) -> None:
    """The bound lies above the once-in-a-million values of chi-square, got by integration, and not far above."""
    exact = {1: 23.93, 2: 27.63, 7: 40.52, 9: 44.81, 35: 89.95, 167: 268.67}
    assert all(exact[freedom] < rare(freedom) < 1.3 * exact[freedom] for freedom in exact)


def test_streams_differ(build: Build) -> None:
    """Seeds and streams, also those that differ above the 32nd bit alone, give different numbers from the first on."""
    starts = [(seed, stream) for seed in (0, 1, 2, 2**32, 2**33, 2**63) for stream in (0, 1, 2, 3, 2**32, 2**40)]
    firsts = set()
    for seed, stream in starts:
        dice = build.generator(seed, stream)
        firsts.add(tuple(int(build.dice.next_bits(dice)) for _ in range(2)))
    assert len(starts) == len(firsts)


def test_streams_are_uniform_together(build: Build, rare: Callable[[int], float]) -> None:
    """The first draws of neighbouring streams are as good as the draws of one."""
    counts = [0] * 8
    for stream in range(20_000):
        counts[int(build.dice.draw(build.generator(3, stream), 8))] += 1
    assert sum((count - 2500) ** 2 / 2500 for count in counts) < rare(7)


# Tapes.


def test_tape_gives_its_outcomes(build: Build) -> None:
    """A tape gives what was recorded, in order, and notes nothing."""
    tape = build.tape([3, 0, 7])
    assert [3, 0, 7] == [int(build.dice.draw(tape, n)) for n in (4, 1, 8)]
    assert [1, 3, 3, 0] == [int(word) for word in tape[:4]]


def test_ended_tape_asks_for_the_missing_draw(build: Build) -> None:
    """A tape that has ended says how many outcomes the first missing draw has, and goes on with 0."""
    tape = build.tape([2])
    assert [2, 0, 0] == [int(build.dice.draw(tape, n)) for n in (3, 5, 9)]
    assert [1, 1, 1, 5] == [int(word) for word in tape[:4]]


@pytest.mark.parametrize("outcome", [6, -1, 2**40])
def test_impossible_draw_is_noted(build: Build, outcome: int) -> None:
    """An outcome the draw has not is noted as a negative number; the tape stands behind it, and 0 is all that follows."""
    tape = build.tape([1, outcome, 4])
    assert [1, 0, 0] == [int(build.dice.draw(tape, 6)) for _ in range(3)]
    assert [1, 2, 3, -6] == [int(word) for word in tape[:4]]


def test_first_fault_of_a_tape_stays(build: Build) -> None:
    """Of several faults the first one is noted."""
    tape = build.tape([9])
    assert [0, 0] == [int(build.dice.draw(tape, n)) for n in (4, 7)]
    assert -4 == int(tape[3])


def test_leftover_outcomes_can_be_told(build: Build) -> None:
    """A tape that was not played to its end stands before its end."""
    tape = build.tape([0, 1, 0])
    build.dice.draw(tape, 2)
    assert [1, 1, 3, 0] == [int(word) for word in tape[:4]]


# Events.


def told(build: Build, events: Any) -> list[tuple[int, ...]]:
    """The events in a list."""
    flat = [int(word) for word in events]
    return [tuple(flat[1 + i * EVENT_WIDTH :][:EVENT_WIDTH]) for i in range(flat[0])]


def test_events_are_listed_in_order(build: Build) -> None:
    """Events go into the list with their arguments, missing ones as 0; a muted list stays empty; a full one stays whole."""
    events = build.events()
    build.dice.emit(events, 3)
    build.dice.emit(events, 2, -1, 4)
    build.dice.emit(events, 1, 1, 2, 3, 4, 5)
    assert [(3, 0, 0, 0, 0, 0), (2, -1, 4, 0, 0, 0), (1, 1, 2, 3, 4, 5)] == told(build, events)
    for code in range(EVENT_ROOM):
        build.dice.emit(events, code)
    assert [3, 2, 1, *range(EVENT_ROOM - 3)] == [code for code, *_ in told(build, events)]
    muted = build.events(muted=True)
    build.dice.emit(muted, 3)
    assert [-1, *[0] * (EVENT_ROOM * EVENT_WIDTH)] == [int(word) for word in muted]


# Sets of bits.


def test_ones_and_lowest(build: Build) -> None:
    """The number of ones and the lowest one, as the binary digits show them."""
    assert 0 == int(build.dice.ones(0))
    for bits in some_bits(500):
        assert len(members(bits)) == int(build.dice.ones(bits))
        assert members(bits)[0] == int(build.dice.lowest(bits))


def test_nth(build: Build) -> None:
    """The n-th one, for every n there is."""
    for bits in some_bits(100):
        assert members(bits) == [int(build.dice.nth(bits, n)) for n in range(len(members(bits)))]


def test_draw_from(build: Build) -> None:
    """A tape of 0, 1, 2, … draws the members of a set one by one, lowest first; the draw has as many outcomes."""
    for bits in some_bits(60):
        count = len(members(bits))
        assert members(bits) == [int(build.dice.draw_from(build.tape([n]), bits)) for n in range(count)]
        ended = build.tape([])
        build.dice.draw_from(ended, bits)
        assert count == int(ended[3])


def test_allow(build: Build) -> None:
    """Up to 31 bits can be allowed anywhere in a mask, across words too, and nothing else in it changes."""
    chance = random.Random(5)
    for first in range(64):
        for bits in (0, 1, 3, 1 << 30, (1 << 31) - 1, chance.getrandbits(31), chance.getrandbits(31) & chance.getrandbits(31)):
            before = [chance.getrandbits(32) & chance.getrandbits(32) for _ in range(3)]
            whole = sum(word << 32 * at for at, word in enumerate(before)) | bits << first
            mask = build.copy(before, "uint32")
            build.dice.allow(mask, first, bits)
            assert [whole >> 32 * at & 0xFFFFFFFF for at in range(3)] == [int(word) for word in mask], (first, bits)


def test_allow_at_the_end_of_a_mask(build: Build) -> None:
    """The last action of the last word can be allowed without reaching for a word that is not there."""
    mask = build.copy([0, 0], "uint32")
    build.dice.allow(mask, 63, 1)
    build.dice.allow(mask, 32, (1 << 31) - 1)
    assert [0, 0xFFFFFFFF] == [int(word) for word in mask]


def test_masks(build: Build) -> None:
    """Counting, looking up and clearing agree with the list of ids; the n-th of too few is -1."""
    chance = random.Random(6)
    for words in (
        [0, 0, 0],
        [1, 0, 1 << 31],
        [0xFFFFFFFF] * 3,
        *([chance.getrandbits(32) for _ in range(3)] for _ in range(60)),
    ):
        mask = build.copy(words, "uint32")
        ids = [action for action in range(96) if words[action // 32] // 2 ** (action % 32) % 2]
        assert len(ids) == int(build.dice.count_legal(mask))
        assert [*ids, -1] == [int(build.dice.nth_legal(mask, n)) for n in range(len(ids) + 1)]
        assert ids == [action for action in range(96) if build.dice.is_legal(mask, action)]
        build.dice.clear(mask)
        assert [0, 0, 0] == [int(word) for word in mask]
