"""`redeal` of Le Fantôme against every chance history that would have looked the same.

A match is replayed with all other draws it could have had, step by step; histories that would have shown the seat
something else are dropped. What is left, weighted by the draws, is what the seat must believe.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from ridotto.core.match import Match
from ridotto.core.view import MatchEvent
from ridotto.engine.fields import EVENT_WIDTH, Row, Seat
from ridotto.games import GAMES

GAME = GAMES["fantome"]
REDEALS = 20_000
F = GAME.rules.FIELDS.F
INSPECTOR = 0

Step = Callable[[Row, list[int], list[int]], None]
Belief = dict[tuple[int, int], Fraction]


class ChanceNode(Exception):
    """A tape has ended where a draw has so many outcomes."""


class Tape(list[int]):
    """A tape that stops the rules at the first missing draw, so that nothing is told that depends on it."""

    def __setitem__(self, at: Any, value: Any) -> None:
        if at == 3:
            raise ChanceNode(value)
        super().__setitem__(at, value)


def histories(row: Row, do: Step, looks_right: Callable[[list[int], bool], bool]) -> Iterator[tuple[Row, Fraction]]:
    """The rows a step may lead to, with the chance of each way there, as far as what it tells looks right."""
    open_tapes: list[tuple[list[int], Fraction]] = [([], Fraction(1))]
    while open_tapes:
        drawn, chance = open_tapes.pop()
        after, events = row[:], GAME.build().events()
        try:
            do(after, Tape(GAME.build().tape(drawn)), events)
        except ChanceNode as node:
            if looks_right(events, False):
                n = node.args[0]
                open_tapes += [([*drawn, outcome], chance / n) for outcome in range(n)]
            continue
        if looks_right(events, True):
            yield after, chance


@cache
def heard(ply: int, numbers: tuple[int, ...], seat: Seat | None) -> Any:
    """An event, given as numbers, as a seat sees it."""
    event = GAME.rules.EVENTS[numbers[0]]
    return MatchEvent(ply, event, numbers[1 : 1 + len(event.args)]).seen_by(seat)


@cache
def belief(match: Match, seat: Seat | None) -> Belief:
    """Phantom and alibis they keep, with their chances, given what a seat has seen of a match."""
    rules = match.rules
    worlds: dict[tuple[int, ...], Fraction] = {tuple(match.build.row()): Fraction(1)}
    for ply, entry in enumerate(match.entries):
        shown = [one.seen_by(seat) for one in match.events if one.ply == ply]

        def looks_right(events: list[int], whole: bool, ply: int = ply, shown: list[Any] = shown) -> bool:
            if events[0] > len(shown) or (whole and events[0] < len(shown)):
                return False
            for at, expected in zip(range(1, 1 + events[0] * EVENT_WIDTH, EVENT_WIDTH), shown, strict=False):
                if expected != heard(ply, tuple(events[at : at + EVENT_WIDTH]), seat):
                    return False
            return True

        def do(row: Row, dice: list[int], events: list[int], entry: Any = entry) -> None:
            if entry.seat is None:
                rules.deal(row, match.seats, list(match.options.values()), dice, events)
            else:
                rules.apply(row, entry.seat, match.game.action(entry.do), dice, events)

        reached: dict[tuple[int, ...], Fraction] = defaultdict(Fraction)
        for row, weight in worlds.items():
            for after, chance in histories(list(row), do, looks_right):
                reached[tuple(after)] += weight * chance
        worlds = reached
    assert tuple(match.row) in worlds, "what happened must be among what could have happened"
    assert 1 == len({public(row) for row in worlds}), "worlds that look the same differ in public"
    found: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    for row, weight in worlds.items():
        found[row[F.identity], row[F.held]] += weight / sum(worlds.values())
    return found


def public(row: tuple[int, ...]) -> tuple[int, ...]:
    """A row without what only the phantom knows."""
    return tuple(word for at, word in enumerate(row) if at not in (F.identity, F.held))


@cache
def played(kept: int, shown: int, suspects: int) -> Match:
    """The first match by seed with so many alibis kept and shown, and at least so many suspects; at its first such ply."""
    for seed in range(2000):
        match = Match(GAME, seed=seed)
        while match.to_act and match.row[F.round] <= 3 and match.row[F.suspects].bit_count() >= suspects:
            if (match.row[F.kept], match.row[F.shown].bit_count()) == (kept, shown):
                return match
            legal = match.legal()
            match.play(legal[match.build.dice.draw(match.build.generator(seed, match.ply), len(legal))])
    raise AssertionError("no match gets there")


def redealt(match: Match, seat: Seat | None) -> Counter[tuple[int, int]]:
    """Phantom and alibis as `redeal` gives them, many times over: the compiled one, which the interpreted one is equal to."""
    build = GAME.build("cpu")
    masked, dice = build.copy(match.masked(seat)), build.generator(17)
    found: Counter[tuple[int, int]] = Counter()
    for _ in range(REDEALS):
        row: Any = masked.copy()
        build.rules.redeal(row, -1 if seat is None else seat, dice)
        found[int(row[F.identity]), int(row[F.held])] += 1
    return found


@pytest.mark.parametrize(
    ("seat", "kept", "shown", "suspects"),
    [
        (INSPECTOR, 0, 0, 8),
        (INSPECTOR, 1, 0, 8),
        (INSPECTOR, 0, 1, 7),
        (INSPECTOR, 1, 1, 4),
        (INSPECTOR, 2, 0, 4),
        (None, 1, 0, 8),
        (None, 1, 1, 4),
    ],
)
def test_redeal_draws_what_chance_would(
    seat: Seat | None, kept: int, shown: int, suspects: int, rare: Callable[[int], float]
) -> None:
    """Phantom and kept alibis are redealt as often as all the histories that looked the same say, and no others are."""
    match = played(kept, shown, suspects)
    expected, actual = belief(match, seat), redealt(match, seat)
    print(f"ply {match.ply}, round {match.row[F.round]}: {len(expected)} worlds")
    assert set(actual) <= set(expected)
    distance = sum(
        (actual[world] - float(chance) * REDEALS) ** 2 / float(chance) / REDEALS for world, chance in expected.items()
    )
    assert distance < rare(len(expected) - 1)


def test_histories_count_the_phantoms_by_hand() -> None:
    """After the deal any of eight is the phantom; after one kept alibi, any of eight with any of seven others."""
    assert {(who, 0): Fraction(1, 8) for who in range(8)} == belief(played(0, 0, 8), INSPECTOR)
    pairs = {(who, 1 << other): Fraction(1, 56) for who in range(8) for other in range(8) if who != other}
    assert pairs == belief(played(1, 0, 8), INSPECTOR)


def test_the_phantom_has_nothing_to_guess() -> None:
    """The phantom's own row is not changed."""
    match = played(2, 0, 4)
    row = match.masked(1)
    match.rules.redeal(row, 1, match.build.generator(1))
    assert match.row == row
    assert {(row[F.identity], row[F.held]): 1} == belief(match, 1)
