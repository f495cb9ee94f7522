"""A match before its deal, for instance while a share of a verifiable deal is missing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Self

from ridotto.core.game import Game
from ridotto.core.match import Match
from ridotto.core.view import Outcome, View
from ridotto.engine.fields import Row, Seat


class LaidOut(Match):
    """A match without entries: everybody sees the same, and nobody can act.

    It shows the deal in which every draw has its first outcome.
    """

    def __init__(
        self, game: Game, seats: int | None = None, options: Mapping[str, int] | None = None, *, version: int | None = None
    ) -> None:
        super().__init__(game, seats, options, chance=_FirstOutcome(), version=version)
        self.entries, self.events = [], []

    @property
    def to_act(self) -> tuple[Seat, ...]:
        return ()

    @property
    def outcome(self) -> Outcome | None:
        return None

    def masked(self, seat: Seat | None) -> Row:
        return self.state.masked(None)

    def view(self, seat: Seat | None = None, since: int = 0) -> View:
        return replace(self.state.view(None, 0, ()), to_act=())


class _FirstOutcome:
    """Always the first outcome."""

    def draw(self, ply: int, number: int, outcomes: int) -> int:
        return 0

    def copy(self) -> Self:
        return self
