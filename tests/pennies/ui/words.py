"""Matching pennies in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pennies.rules import ACTIONS, COIN
from ridotto.engine.fields import Seat
from ridotto.present import words


class Words(words.Words):
    """The sentences of matching pennies."""

    def player(self, seat: Seat) -> str:
        """Who sits there."""
        return self.narrator.name(seat, ("Even", "Odd")[seat])

    def label(self, row: Sequence[int], seat: Seat, action: int) -> str:
        """What a button says."""
        return ACTIONS.notation(action)

    def question(self, row: Sequence[int], seat: Seat) -> str:
        """What is wanted."""
        return f"{self.player(seat)} chooses."

    def sentence(self, event: str, values: Mapping[str, int]) -> str:
        """A coin is shown."""
        return f"{self.player(values['seat'])} shows {COIN.names[values['coin']]}."

    def because(self, reason: str, row: Sequence[int], seat: Seat, action: int) -> str:
        """Why not."""
        return reason
