"""Worlds that are possible for a seat, and the words of a row that a step of the rules reads.

A step that draws nothing, and reads no word that is hidden from a seat, leads to the same in every world that the seat holds
possible: it can be done ahead, shown and taken back without revealing anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ridotto.engine.build import Build
from ridotto.engine.fields import HIDDEN, Events, Row, Seat


class Step(NamedTuple):
    """An action, done on a copy of a row."""

    action: int
    row: Row
    """The row after it; if `has_drawn` and no draws were given, as it is when the first draw is missing."""
    events: Events
    read: frozenset[int]
    """The words that it read before it wrote them."""
    has_drawn: bool

    def reveals(self, hidden: frozenset[int]) -> bool:
        """Whether it reveals a draw, or one of these words."""
        return self.has_drawn or not self.read.isdisjoint(hidden)


def watched_step(build: Build, row: Row, seat: Seat, action: int, draws: Sequence[int] = ()) -> Step:
    """An action of a seat, done on a copy of a row with these draws."""
    watched, tape, events = _WatchedRow(row), build.tape(draws), build.events()
    build.rules.apply(watched, seat, action, tape, events)
    return Step(action, list(watched), events, frozenset(watched.read), bool(draws) or tape[3] > 0)


def random_worlds(build: Build, masked: Row, seat: Seat | None, worlds: int) -> Iterator[Row]:
    """Random worlds that a seat cannot tell from each other."""
    for number in range(worlds):
        world = masked[:]
        build.rules.redeal(world, -1 if seat is None else seat, build.generator(number))
        yield world


def all_worlds(build: Build, masked: Row, seat: Seat | None) -> Iterator[Row]:
    """All worlds that a seat cannot tell from each other, one by one."""
    unfinished: list[tuple[int, ...]] = [()]
    while unfinished:
        draws = unfinished.pop()
        world, tape = masked[:], build.tape(draws)
        build.rules.redeal(world, -1 if seat is None else seat, tape)
        if tape[3] > 0:
            unfinished += [(*draws, outcome) for outcome in range(tape[3])]
        else:
            yield world


class CertainStep(NamedTuple):
    """The part of a step that a seat can foresee: until something is drawn, or something hidden is read."""

    row: Row
    events: Events
    is_whole: bool
    """Whether that is the whole step: nothing was drawn, and nothing hidden from the seat was read."""


def certain_step(build: Build, masked: Row, seat: Seat, action: int) -> CertainStep:
    """The certain result of a seat's action, by its masked row."""
    row, events = _MaskedRow(masked), build.events()
    try:
        build.rules.apply(row, seat, action, _NoDraws(build.tape(())), events)
    except _Unforeseen:
        return CertainStep(list(row), events, False)
    return CertainStep(list(row), events, True)


class Forecast(NamedTuple):
    """The possible results of an action, as far as a seat can know."""

    certain: Events
    """The events before anything is drawn, or anything hidden from the seat is read."""
    ways: tuple[Events, ...]
    """The events of each possible result; none if there are too many."""


def forecast(build: Build, masked: Row, seat: Seat, action: int, most: int) -> Forecast:
    """The possible results of a seat's action, by its masked row; at most `most` of them.

    Only the words that the action reads are dealt in every possible way: the others make no difference.
    """
    certain = certain_step(build, masked, seat, action)
    if certain.is_whole:
        return Forecast(certain.events, (certain.events,))
    ways: list[Events] = []
    unfinished: list[tuple[tuple[int, ...], tuple[int, ...]]] = [((), ())]
    while unfinished:
        dealt, drawn = unfinished.pop()
        world, tape = _DealtRow(masked, build.tape(dealt)), build.tape(drawn)
        build.rules.redeal(world, seat, world.tape)
        step, events = _WatchedRow(world), build.events()
        build.rules.apply(step, seat, action, tape, events)
        if not step.read.isdisjoint(world.unsettled):
            unfinished += [((*dealt, outcome), drawn) for outcome in range(world.tape[3])]
        elif (outcomes := tape[3]) > 0:
            unfinished += [(dealt, (*drawn, outcome)) for outcome in range(outcomes)]
        else:
            ways.append(events)
        if len(ways) + len(unfinished) > most:
            return Forecast(certain.events, ())
    return Forecast(certain.events, tuple(ways))


class _WatchedRow(list[int]):
    """A row that records which of its words were read before they were written."""

    def __init__(self, row: Row) -> None:
        super().__init__(row)
        self.read: set[int] = set()
        self.written: set[int] = set()

    def __getitem__(self, index: Any) -> Any:
        if index not in self.written:
            self.read.add(index)
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        self.written.add(index)
        super().__setitem__(index, value)


class _DealtRow(_WatchedRow):
    """A row that is dealt, and records which words depend on draws that the tape did not have."""

    def __init__(self, row: Row, tape: list[int]) -> None:
        super().__init__(row)
        self.tape = tape
        self.unsettled: set[int] = set()

    def __setitem__(self, index: Any, value: Any) -> None:
        super().__setitem__(index, value)
        if self.tape[3] != 0:
            self.unsettled.add(index)
        else:
            self.unsettled.discard(index)


class _Unforeseen(Exception):
    """Something is drawn, or something hidden is read."""


class _MaskedRow(list[int]):
    """A masked row whose hidden words cannot be read."""

    def __getitem__(self, index: Any) -> Any:
        value = super().__getitem__(index)
        if value == HIDDEN:
            raise _Unforeseen
        return value


class _NoDraws(list[int]):
    """Dice that cannot be rolled."""

    def __getitem__(self, index: Any) -> Any:
        raise _Unforeseen
