"""A match for bots alone, as fast as it can be: on compiled rows, and without a log."""

from __future__ import annotations

from collections.abc import Mapping

from ridotto.core.game import Game
from ridotto.core.view import MatchEvent, Outcome, Seen, View
from ridotto.engine.fields import EVENT_WIDTH, Seat


class Board:
    """A match for bots alone: on compiled rows, without a log. It is move for move what `Match` makes of that seed."""

    def __init__(self, game: Game, players: int, options: Mapping[str, int], seed: int) -> None:
        self.game, self.players, self.ply = game, players, 0
        self._build = build = game.build("cpu")
        self._row, self._mask = build.row(), build.mask()
        self._dice, self._events = build.generator(seed), build.events()
        self._resigned: Seat | None = None
        self._told: list[MatchEvent] = []
        self._seen: list[list[Seen]] = [[] for _ in range(players)]
        """What each seat has seen of the first `_shown` things told."""
        self._shown = [0] * players
        build.rules.deal(self._row, players, build.copy(list(options.values())), self._dice, self._events)
        self._listen()

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats that owe a decision; none when the match is over."""
        bits = 0 if self._resigned is not None else int(self._build.rules.to_act(self._row))
        return tuple(seat for seat in range(self.players) if bits >> seat & 1)

    def view(self, seat: Seat) -> View:
        """What a seat may know: the same as a match would show it."""
        to_act = self.to_act
        row = self._row.tolist()  # type: ignore[attr-defined]
        if to_act:
            row = self.game.rules.FIELDS.masked(row, seat)
        for happening in self._told[self._shown[seat] :]:
            if (seen := happening.seen_by(seat)) is not None:
                self._seen[seat].append(seen)
        self._shown[seat] = len(self._told)
        return View(
            self.game,
            self.players,
            seat,
            self.ply,
            to_act,
            tuple(row),
            self._legal(seat) if seat in to_act else (),
            tuple(self._seen[seat]),
            None if to_act else self.outcome,
        )

    def play(self, seat: Seat, action: int) -> None:
        """Do a legal action."""
        self._build.rules.apply(self._row, seat, action, self._dice, self._events)
        self._listen()

    def resign(self, seat: Seat) -> None:
        """A seat gives up: the others have won."""
        self._resigned = seat

    @property
    def outcome(self) -> Outcome:
        """How the match ended."""
        rules, game = self._build.rules, self.game
        scores, parts = [], []
        for seat in range(self.players):
            values = self._build.array(len(rules.PARTS), "int16")
            scores.append(int(rules.score(self._row, seat, values)))
            parts.append({line.name: int(value) for line, value in zip(rules.PARTS, values, strict=True)})
        if self._resigned is not None:
            won = tuple(seat for seat in range(self.players) if seat != self._resigned)
            return Outcome("resigned", game.resigning, won, tuple(scores), tuple(parts))
        line = rules.ENDINGS.line(rules.ending(self._row))
        bits = int(rules.winners(self._row))
        won = tuple(seat for seat in range(self.players) if bits >> seat & 1)
        return Outcome(line.name, line.section, won, tuple(scores), tuple(parts))

    def _legal(self, seat: Seat) -> tuple[int, ...]:
        self._build.rules.legal(self._row, seat, self._mask)
        found = []
        for at, word in enumerate(self._mask.tolist()):  # type: ignore[attr-defined]
            while word:
                found.append(32 * at + (word & -word).bit_length() - 1)
                word &= word - 1
        return tuple(found)

    def _listen(self) -> None:
        count = int(self._events[0])
        heard = self._events[1 : 1 + count * EVENT_WIDTH].tolist()  # type: ignore[attr-defined]
        for at in range(0, len(heard), EVENT_WIDTH):
            event = self.game.rules.EVENTS[heard[at]]
            self._told.append(MatchEvent(self.ply, event, tuple(heard[at + 1 : at + 1 + len(event.args)])))
        self._events[0] = 0
        self.ply += 1
