"""A match for bots alone, as fast as it can be: on compiled rows, and without a log."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ridotto.core.game import Game
from ridotto.core.luck import LuckJudge
from ridotto.core.state import State
from ridotto.core.view import Outcome, Seen, View, read_events, seen_by
from ridotto.engine.arrays import Step
from ridotto.engine.fields import EVENT_WIDTH, Dice, Events, Row, Seat


class Board:
    """A match for bots alone: on compiled rows, without a log. Move for move it is the same as a `Match` with that seed."""

    def __init__(self, game: Game, players: int, options: Mapping[str, int], seed: int, judge: LuckJudge | None = None) -> None:
        """Deal a match. With a judge, it counts what chance brings each seat, which takes a while."""
        self.game, self.players, self.ply = game, players, 0
        self.luck = [0.0] * players
        """The luck of each seat so far."""
        self.choices = [0.0] * players
        """The same of what bots have drawn to choose, by chances that they state."""
        self._judge = judge
        self._build = build = game.build("cpu")
        self._row, self._dice = build.row(), build.generator(seed)
        self._resigned: Seat | None = None
        self._seen: list[list[Seen]] = [[] for _ in range(players)]
        """The events that each seat has seen."""
        chosen = build.copy(list(options.values()))
        step = None if judge is None else judge.deal(self._row)
        self._run(step, lambda row, dice, events: build.rules.deal(row, players, chosen, dice, events))

    @property
    def state(self) -> State:
        """The current state of the match."""
        return State(self.game, self._build, self.players, self._row, self._resigned)

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats that owe a decision; none when the match is over."""
        return self.state.to_act

    def view(self, seat: Seat) -> View:
        """The view of a seat, as of a match."""
        return self.state.view(seat, self.ply, self._seen[seat])

    def play(self, seat: Seat, action: int, chances: Mapping[int, float] | None = None) -> None:
        """Do a legal action. With a judge and the chances by which it was drawn, it counts what that brought each seat."""
        step = None if self._judge is None else self._judge.action(self._row, seat, action)
        if self._judge is not None and step is not None and chances is not None and len(chances) > 1:
            brought = self._judge.luck_of_choice(step, chances)
            self.choices = [before + one for before, one in zip(self.choices, brought, strict=True)]
        self._run(step, lambda row, dice, events: self._build.rules.apply(row, seat, action, dice, events))

    def resign(self, seat: Seat) -> None:
        """Let a seat resign: the others have won."""
        self._resigned = seat

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, or None while the match goes on."""
        return self.state.outcome

    def _run(self, step: Step | None, do: Callable[[Row, Dice, Events], None]) -> None:
        """Do a step. With a judge, the luck of every draw is measured; the draws are the same."""
        build, judge = self._build, self._judge
        events = build.events()
        if judge is None or step is None:
            do(self._row, self._dice, events)
        else:
            drawn: list[int] = []
            while True:
                row, tape, events = build.copy(self._row), build.tape(drawn), build.events()
                do(row, tape, events)
                if not tape[3]:
                    break
                drawn.append(int(build.dice.draw(self._dice, int(tape[3]))))
            self._row = row
            for _, brought in judge.luck(step, drawn):
                self.luck = [before + one for before, one in zip(self.luck, brought, strict=True)]
        self._add_events(events)

    def _add_events(self, numbers: Any) -> None:
        """Add the events of a step to what every seat has seen."""
        events = read_events(self.game.rules, numbers[: 1 + int(numbers[0]) * EVENT_WIDTH].tolist(), self.ply)
        for seat, seen in enumerate(self._seen):
            seen += seen_by(seat, events)
        self.ply += 1
