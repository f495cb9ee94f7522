"""When a server looks for garbage: often for what is new, at everything only in a quiet hour or once a day."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from ridotto.web.pages.table_parts import READERS
from ridotto.web.server import garbage
from ridotto.web.server.garbage import CALM, DAILY, OLDER, SELDOM, Collector
from ridotto.web.settings import Settings


class Circle:
    """Something that refers to itself."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Which generations were looked at; 2 is everything."""
    found: list[int] = []
    original = gc.collect

    def collect(generation: int = 2) -> int:
        found.append(generation)
        return original(generation) if generation < 2 else 0

    monkeypatch.setattr(gc, "collect", collect)
    yield found


class Clock:
    """A clock that is set by hand; a look takes as long as it is told to."""

    def __init__(self) -> None:
        self.now, self.takes = 1000.0, 0.0

    def monotonic(self) -> float:
        self.now += self.takes / 2
        return self.now


def test_what_is_new_and_refers_to_itself_is_freed(looked: list[int]) -> None:
    gc.collect(1)
    gc.disable()
    try:
        gone = weakref.ref(Circle())
        assert gone() is not None
        Collector().collect()
        assert gone() is None
    finally:
        gc.enable()
    assert [0] == looked[-1:]


def test_what_was_in_use_at_the_first_look_is_freed_soon(looked: list[int]) -> None:
    """A page that was being drawn when we looked would else stay until a quiet hour."""
    gc.collect(1)
    gc.disable()
    try:
        collector, circle = Collector(), Circle()
        gone = weakref.ref(circle)
        collector.collect()
        del circle
        for _ in range(OLDER):
            collector.collect()
        assert gone() is None
    finally:
        gc.enable()
    assert 1 == looked[1:].count(1), "besides our own, which was the first"


@pytest.mark.parametrize("takes, after, is_looked_at", [
    (0.0, SELDOM / 2, False),  # quiet, but it was not long ago
    (0.0, SELDOM * 1.1, True),
    (0.1, SELDOM * 1.1, False),  # people are playing
    (0.1, DAILY * 1.1, True),
])  # fmt: skip
def test_everything_is_looked_at_in_a_quiet_hour_or_once_a_day(
    takes: float, after: float, is_looked_at: bool, looked: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    monkeypatch.setattr(garbage, "time", clock)
    collector = Collector(whole=clock.now)
    clock.takes = takes
    clock.now += after - 100 * takes * CALM / 100
    for _ in range(CALM + 1):
        collector.collect()
    assert is_looked_at == (2 in looked)
    assert 1 >= looked.count(2), "not again at once"


def test_parts_that_stay_are_kept_for_everybody() -> None:
    """A part that does not change during a match is not drawn again for as many tables as may be in memory, with five each."""
    assert READERS >= 5 * Settings().max_cached_tables
