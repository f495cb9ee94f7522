"""First lessons: a few minutes that teach a game by playing it on prepared positions.

A lesson is a series of steps. Each step shows the learner a position, says something about it and asks for one decision; then
it explains what the decision has led to. A step without a position of its own continues where the step before it ended. Only
the number of the step is kept between requests, so that a learner can leave a lesson and come back to it by its address.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.engine.fields import Seat


@dataclass(frozen=True)
class Start:
    """A prepared position: a deal from a seed, with some of its fields changed, and what was played since."""

    seed: int
    seats: int
    seat: Seat = 0
    """The learner's seat."""
    fields: Mapping[str, Any] = field(default_factory=dict)
    """Fields that differ from the deal; where the value is a mapping, only the keys given here change."""
    played: tuple[str, ...] = ()
    options: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Step:
    """One decision for the learner to make, and the texts around it."""

    instruction: str
    """The text before the decision."""
    do: tuple[str, ...]
    """The actions that are accepted; a verb alone stands for all of its actions."""
    feedback: str
    """The text after an accepted action."""
    hint: str
    """The text after any other action."""
    start: Start | None = None
    """The position of this step; None: the one in which the step before it ended."""
    then: tuple[str, ...] = ()
    """The actions that follow it, as a rule those of the other seats."""
    part: str = ""
    """The title of the part of the lesson that begins with it; "" if none does."""


@dataclass(frozen=True, eq=False)
class Lesson:
    """The steps of a game's first lesson."""

    game: Game
    steps: tuple[Step, ...]

    def __len__(self) -> int:
        return len(self.steps)

    def seat(self, number: int) -> Seat:
        """The learner's seat at a step."""
        return self._start(number).seat

    def before(self, number: int) -> Match:
        """The match as the learner sees it at the beginning of a step; steps are counted from 1."""
        match = _prepared(self, number)
        return match.after(match.ply)

    def after(self, number: int, do: str) -> Match:
        """The match after a decision of the learner and the actions that follow it."""
        match = self.before(number)
        match.play(do, self.seat(number))
        for reply in self.steps[number - 1].then:
            _play(match, reply)
        return match

    def accepts(self, number: int, do: str) -> bool:
        """Whether a step accepts an action, going by its notation alone."""
        action = " ".join(do.lower().split())
        return any(action == one or action.split(" ")[0] == one for one in self.steps[number - 1].do)

    def _start(self, number: int) -> Start:
        starts = [step.start for step in self.steps[:number] if step.start is not None]
        return starts[-1]


@cache
def lesson(game: Game) -> Lesson | None:
    """The first lesson of a game: the steps in its `ui/lesson.py`, with the standard box; None if it has none."""
    module = game.standard.build().module("ui.lesson")
    return Lesson(game.standard, module.STEPS) if module is not None else None


@cache
def _prepared(lesson: Lesson, number: int) -> Match:
    """The match at the beginning of a step. It is shared: play on a copy of it."""
    start = lesson.steps[number - 1].start
    if start is None:
        return lesson.after(number - 1, lesson.steps[number - 2].do[0])
    return prepared(lesson.game, start)


def prepared(game: Game, start: Start) -> Match:
    """A match at a prepared position."""
    match = Match(game, start.seats, start.options, seed=start.seed, clock=lambda: 0.0)
    if start.fields:
        position = _changed(match.position(), start.fields)
        match = Match(game, position=position, seed=start.seed, clock=lambda: 0.0)
    for do in start.played:
        _play(match, do)
    return match


def _play(match: Match, do: str) -> None:
    """Play an action of a lesson: by the seat to act, or by the seat named before it, as in "2: bid 3"."""
    seat, colon, action = do.rpartition(": ")
    match.play(action, int(seat) if colon else match.to_act[0])


def _changed(position: Mapping[str, Any], fields: Mapping[str, Any]) -> dict[str, Any]:
    """A position with some of its fields changed.

    >>> _changed({"place": {"meg": "3", "raoul": "1"}, "dark": "2"}, {"place": {"meg": "5"}})
    {'place': {'meg': '5', 'raoul': '1'}, 'dark': '2'}
    """
    return {
        name: _changed(value, fields[name]) if isinstance(value, Mapping) and name in fields else fields.get(name, value)
        for name, value in position.items()
    }
