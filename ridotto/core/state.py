"""The state of a match: a row, and everything that the rules say about it.

A match of people, a match of bots in the arena and a state of OpenSpiel each store their rows in their own way. A seat's view
of a row, its legal actions and the outcome are computed here for all of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from ridotto.core.game import Game
from ridotto.core.view import Outcome, Seen, View
from ridotto.engine.build import Build
from ridotto.engine.fields import Row, Seat


@cache
def seats_in(bits: int) -> tuple[Seat, ...]:
    """The seats of a set of bits.

    >>> seats_in(0b101)
    (0, 2)
    """
    return tuple(seat for seat in range(bits.bit_length()) if bits >> seat & 1)


@dataclass(frozen=True)
class State:
    """A row of one build of a game, interpreted or compiled, and the seat that has resigned, if any."""

    game: Game
    build: Build
    seats: int
    row: Row
    resigned: Seat | None = None

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats that owe a decision; none when the match is over."""
        return () if self.resigned is not None else seats_in(int(self.build.rules.to_act(self.row)))

    def legal(self, seat: Seat) -> tuple[int, ...]:
        """The legal actions of a seat as ascending ids; none if it owes no decision."""
        if seat not in self.to_act:
            return ()
        mask = self.build.mask()
        self.build.rules.legal(self.row, seat, mask)
        ids = []
        for at, word in enumerate(self._plain(mask)):
            while word:
                ids.append(32 * at + (word & -word).bit_length() - 1)
                word &= word - 1
        return tuple(ids)

    def masked(self, seat: Seat | None) -> Row:
        """The row with everything blanked that `seat` (None: a spectator) may not know. A finished match hides nothing."""
        row = self._plain(self.row)
        masked: Row = self.game.rules.FIELDS.masked(row, seat) if self.to_act else row[:]
        return masked

    def scores(self) -> tuple[tuple[int, ...], tuple[dict[str, int], ...]]:
        """The scores as they stand, and the parts of each."""
        rules, scores, parts = self.build.rules, [], []
        for seat in range(self.seats):
            values = self.build.array(len(rules.PARTS), "int16")
            scores.append(int(rules.score(self.row, seat, values)))
            parts.append({line.name: int(value) for line, value in zip(rules.PARTS, values, strict=True)})
        return tuple(scores), tuple(parts)

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, or None while the match goes on."""
        rules = self.build.rules
        if self.resigned is not None:
            winners = tuple(seat for seat in range(self.seats) if seat != self.resigned)
            return Outcome("resigned", self.game.resigning, winners, *self.scores())
        code = int(rules.ending(self.row))
        if code == 0:
            return None
        line = rules.ENDINGS.line(code)
        return Outcome(line.name, line.section, seats_in(int(rules.winners(self.row))), *self.scores())

    def view(self, seat: Seat | None, ply: int, seen: Iterable[Seen]) -> View:
        """The knowledge of a seat, or of a spectator, with the events that it has seen."""
        to_act = self.to_act
        return View(
            self.game,
            self.seats,
            seat,
            ply,
            to_act,
            tuple(self.masked(seat)),
            self.legal(seat) if seat is not None else (),
            tuple(seen),
            None if to_act else self.outcome,
        )

    def _plain(self, array: list[int]) -> list[int]:
        """An array of the build as a list of Python integers."""
        return array if self.build.target == "python" else array.tolist()  # type: ignore[attr-defined]
