"""The words of the game: the numbers of the rules in sentences.

Sentences stand here in English; `self.say` looks them up in the reader's language, if there is a translation in `locale/`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ridotto.engine.fields import Seat
from ridotto.present import words
from ridotto.present.narrator import mark

from ..rules import ACTIONS, F

PLAYERS = (mark("Red"), mark("Blue"))


class Words(words.Words):
    """The sentences of the game."""

    def player(self, seat: Seat) -> str:
        """The player at a seat, at the beginning of a sentence."""
        return self.narrator.name(seat, self.say(PLAYERS[seat]))

    def label(self, row: Sequence[int], seat: Seat, action: int) -> str:
        """The button of an action."""
        number = ACTIONS.argument(action) + 1
        return self.say("add {number}, to {total}", number=number, total=row[F.total] + number)

    def question(self, row: Sequence[int], seat: Seat) -> str:
        """The question to a seat."""
        return self.tell(seat, "Add a number to {total}.", "{who} adds a number to {total}.", total=row[F.total])

    def sentence(self, event: str, values: Mapping[str, int]) -> str:
        """An event as a line of the log."""
        seat = values["seat"]
        if event == "begins":
            return self.tell(seat, "You begin.", "{who} begins.")
        if event == "adds":
            numbers = {"number": values["number"], "total": values["total"]}
            return self.tell(seat, "You add {number}: {total}.", "{who} adds {number}: {total}.", **numbers)
        raise LookupError(f"no words for the event {event!r}")

    def because(self, reason: str, row: Sequence[int], seat: Seat, action: int) -> str:
        """The reason of a refusal, to the player who tried the action, as the end of a sentence."""
        if reason == "over":
            return self.say("the match is over")
        if reason == "wait":
            return self.say("it is not your turn: waiting for {who}", who=self.player(row[F.turn]))
        if reason == "too_far":
            return self.say("nobody may go beyond {goal}", goal=row[F.goal])
        raise LookupError(f"no words for the reason {reason!r}")
