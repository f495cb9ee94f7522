"""A match for bots alone, as fast as it can be: on compiled rows, and without a log."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ridotto.core.game import Game
from ridotto.core.state import State
from ridotto.core.view import Outcome, Seen, View, read_events, seen_by
from ridotto.engine.fields import EVENT_WIDTH, Seat


class Board:
    """A match for bots alone: on compiled rows, without a log. Move for move it is the same as a `Match` with that seed."""

    def __init__(self, game: Game, players: int, options: Mapping[str, int], seed: int) -> None:
        self.game, self.players, self.ply = game, players, 0
        self._build = build = game.build("cpu")
        self._row, self._dice = build.row(), build.generator(seed)
        self._resigned: Seat | None = None
        self._seen: list[list[Seen]] = [[] for _ in range(players)]
        """The events that each seat has seen."""
        events = build.events()
        build.rules.deal(self._row, players, build.copy(list(options.values())), self._dice, events)
        self._add_events(events)

    @property
    def state(self) -> State:
        """The current state of the match."""
        return State(self.game, self._build, self.players, self._row, self._resigned)

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats that owe a decision; none when the match is over."""
        return self.state.to_act

    def view(self, seat: Seat) -> View:
        """What a seat may know: the same as a match would show it."""
        return self.state.view(seat, self.ply, self._seen[seat])

    def play(self, seat: Seat, action: int) -> None:
        """Do a legal action."""
        events = self._build.events()
        self._build.rules.apply(self._row, seat, action, self._dice, events)
        self._add_events(events)

    def resign(self, seat: Seat) -> None:
        """Let a seat resign: the others have won."""
        self._resigned = seat

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended, or None while it goes on."""
        return self.state.outcome

    def _add_events(self, numbers: Any) -> None:
        """Add the events of a step to what every seat has seen."""
        events = read_events(self.game.rules, numbers[: 1 + int(numbers[0]) * EVENT_WIDTH].tolist(), self.ply)
        for seat, seen in enumerate(self._seen):
            seen += seen_by(seat, events)
        self.ply += 1
