"""Worlds that a seat holds possible, and the words of a row that a step of the rules reads.

A step that draws nothing, and reads no word that is hidden from a seat, leads to the same in every world that the seat holds
possible: it can be done ahead, shown and taken back without telling anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ridotto.engine.build import Build
from ridotto.engine.fields import Events, Row, Seat


class Step(NamedTuple):
    """A step of the rules, done on a copy of a row."""

    row: Row
    """The row after it; if `has_drawn` and no draws were given, as it is when the first draw is missing."""
    read: frozenset[int]
    """The words that it read before it wrote them."""
    has_drawn: bool

    def shows(self, hidden: frozenset[int]) -> bool:
        """Whether it shows a draw, or something of these words."""
        return self.has_drawn or not self.read.isdisjoint(hidden)


def watched_step(build: Build, row: Row, seat: Seat, action: int, draws: Sequence[int] = ()) -> Step:
    """An action of a seat, done on a copy of a row with these draws."""
    watched, tape = _WatchedRow(row), build.tape(draws)
    build.rules.apply(watched, seat, action, tape, build.events(muted=True))
    return Step(list(watched), frozenset(watched.read), bool(draws) or tape[3] > 0)


def random_worlds(build: Build, masked: Row, seat: Seat | None, worlds: int) -> Iterator[Row]:
    """Worlds that a seat cannot tell from each other, by chance."""
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


class Forecast(NamedTuple):
    """What an action may lead to, as far as a seat can know."""

    certain: Events
    """The events that come before anything is drawn, or read that is hidden from the seat."""
    ways: tuple[Events, ...]
    """The events of every way in which it can go; none if there are too many ways to look at."""


def forecast(build: Build, masked: Row, seat: Seat, action: int, most: int) -> Forecast:
    """Every way in which an action of a seat can go, by its masked row: at most so many are looked at.

    Only what the action reads is dealt in every possible way: words that it does not look at make no difference.
    """
    certain: Events | None = None
    ways: list[Events] = []
    unfinished: list[tuple[tuple[int, ...], tuple[int, ...]]] = [((), ())]
    while unfinished:
        dealt, drawn = unfinished.pop()
        world, tape = _DealtRow(masked, build.tape(dealt)), build.tape(drawn)
        build.rules.redeal(world, seat, world.tape)
        events = build.events()
        step = _Foreseen(world, frozenset(build.rules.FIELDS.hidden(seat)), events, tape)
        build.rules.apply(step, seat, action, step.tape, events)
        if certain is None:
            certain = _cut(events, step.certain)
        if not step.read.isdisjoint(world.unsettled):
            unfinished += [((*dealt, outcome), drawn) for outcome in range(world.tape[3])]
        elif (outcomes := step.tape[3]) > 0:
            unfinished += [(dealt, (*drawn, outcome)) for outcome in range(outcomes)]
        else:
            ways.append(events)
        if len(ways) + len(unfinished) > most:
            return Forecast(certain, ())
    assert certain is not None
    return Forecast(certain, tuple(ways))


def _cut(events: Events, count: int) -> Events:
    """The first events of a list."""
    cut = events[:]
    cut[0] = count
    return cut


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


class _Foreseen(_WatchedRow):
    """A row that records how many events came before the first hidden word was read, or the first draw was made."""

    def __init__(self, row: Row, hidden: frozenset[int], events: Events, tape: list[int]) -> None:
        super().__init__(row)
        self.hidden, self.events = hidden, events
        self.tape = _Tape(tape, self)
        self._certain: int | None = None

    @property
    def certain(self) -> int:
        return self.events[0] if self._certain is None else self._certain

    def surprise(self) -> None:
        """Something happens that the seat does not foresee."""
        if self._certain is None:
            self._certain = self.events[0]

    def __getitem__(self, index: Any) -> Any:
        if index in self.hidden and index not in self.written:
            self.surprise()
        return super().__getitem__(index)


class _Tape(list[int]):
    """A tape that says so when it is asked for an outcome."""

    def __init__(self, tape: list[int], row: _Foreseen) -> None:
        super().__init__(tape)
        self._row = row

    def __getitem__(self, index: Any) -> Any:
        self._row.surprise()
        return super().__getitem__(index)
