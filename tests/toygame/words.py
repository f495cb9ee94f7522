"""The raffle in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ridotto.core import protocols
from ridotto.engine.fields import HIDDEN, Seat
from toygame import rules


class Words(protocols.Words):
    """The sentences of the raffle."""

    def label(self, row: Sequence[int], seat: Seat, action: int) -> str:
        """An action as a button would name it."""
        return str(rules.ACTIONS.notation(action))

    def player(self, seat: Seat) -> str:
        """Who sits there."""
        return self.narrator.name(seat, ("First", "Second", "Third")[seat])

    def sentence(self, event: str, values: Mapping[str, int]) -> str:
        """An event as a line of the log."""
        return " ".join([event, *("?" if value == HIDDEN else str(value) for value in values.values())])

    def because(self, reason: str, row: Sequence[int], seat: Seat, action: int) -> str:
        """A reason as a sentence."""
        sentences = {
            "over": "the match is over",
            "wait": "another seat is to act",
            "not_asked": "something else is asked",
            "spent": "the token was played before",
        }
        return sentences[reason]

    def question(self, row: Sequence[int], seat: Seat) -> str:
        """What is wanted of a seat."""
        return "Bid a token." if row[rules.F.winner] == rules.NONE else "Take the prize or leave it."
