"""Liar's Dice in words: its actions, events and refusals as sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from liars_dice.components import HANDS, SIDES
from liars_dice.rules import ACTIONS, MOST, F, on_table
from ridotto.engine.fields import HIDDEN, Seat
from ridotto.present import words
from ridotto.present.narrator import distinct, mark
from ridotto.present.words import OptionText, Standing

PLAYERS = (mark("Red"), mark("Blue"), mark("Yellow"), mark("Green"), mark("Violet"), mark("Turquoise"))
FACES = (mark("one"), mark("two"), mark("three"), mark("four"), mark("five"), mark("six"))
VERBS = {"bid": mark("bid"), "liar": mark("call a liar")}
OPTIONS = {
    "dice": (mark("Dice"), mark("How many dice everybody begins with.")),
    "sides": (mark("Sides of a die"), mark("The highest one is wild: it counts as any face.")),
    "single": (mark("One challenge"), mark("The first challenge decides the match: its loser loses, all others win.")),
}


class Words(words.Words):
    """The sentences of Liar's Dice."""

    # What they are made of.

    def player(self, seat: Seat) -> str:
        """Who sits there, by name or by colour."""
        return self.narrator.name(seat, self.say(PLAYERS[seat]))

    def letter(self, seat: Seat) -> str:
        """What stands on the mark of a seat."""
        colours = [self.say(colour) for colour in PLAYERS]
        return self.narrator.initial(seat, [distinct(colour, colours) for colour in colours])

    def face(self, number: int) -> str:
        """A face of a die."""
        return self.say(FACES[number])

    def dice(self, quantity: int, face: int) -> str:
        """So many dice of a face."""
        return self.say("{quantity} × {face}", quantity=quantity, face=self.face(face))

    def hand(self, number: int) -> str:
        """What lies under a cup."""
        return self.listed(list(HANDS[number]))

    def standings(self, row: Sequence[int]) -> list[Standing]:
        """How many dice everybody has left."""
        dice = [row[F.left + seat] for seat in range(row[F.seats])]
        return self.ranked([self.count("{number} die", "{number} dice", number) for number in dice], dice)

    # Actions.

    def label(self, row: Sequence[int], seat: Seat, action: int) -> str:
        """What a button for an action says."""
        if ACTIONS.family(action).verb == "liar":
            if row[F.bidder] < 0:
                return self.say("call a liar")
            return self.tell(row[F.bidder], "call you a liar", "call {who} a liar")
        number = ACTIONS.argument(action)
        return self.say("bid {dice}", dice=self.dice(number // SIDES + 1, number % SIDES))

    def verb(self, verb: str) -> str:
        """A family of actions as a phrase."""
        return self.say(VERBS[verb])

    def guide(self, row: Sequence[int], seat: Seat) -> str:
        """What a beginner should know about the decision that is wanted now."""
        return self.say(
            "A bid is about the dice under all cups, not only yours. Raise it while it could be true; if it could hardly be, "
            "call a liar. Whoever is wrong loses a die."
        )

    def question(self, row: Sequence[int], seat: Seat) -> str:
        """What is wanted of the seat to act."""
        if row[F.ending] != 0:
            return self.say("The match is over.")
        if row[F.quantity] == 0:
            return self.tell(seat, "Make the first bid.", "{who} makes the first bid.")
        dice, bidder = self.dice(row[F.quantity], row[F.face]), row[F.bidder]
        if self.is_reader(bidder):
            return self.say("You bid {dice}: {who} bids more, or calls you a liar.", dice=dice, who=self.player(seat))
        return self.tell(
            seat,
            "{bidder} bid {dice}: bid more, or call {bidder} a liar.",
            "{bidder} bid {dice}: {who} bids more, or calls {bidder} a liar.",
            dice=dice,
            bidder=self.player(bidder),
        )

    def option(self, name: str) -> OptionText:
        """An option as a form names and explains it."""
        title, explanation = OPTIONS[name]
        return OptionText(self.say(title), self.say(explanation))

    # Events.

    def sentence(self, event: str, values: Mapping[str, int]) -> str:
        """An event as a line of the log."""
        seat = values.get("seat", 0)
        if event == "opens":
            return self.say("Round {round}: there are {dice} dice.", round=values["round"], dice=values["dice"])
        if event == "rolls":
            if values["hand"] == HIDDEN:
                return self.say("{who} rolls.", who=self.player(seat))
            return self.tell(seat, "You roll {hand}.", "{who} rolls {hand}.", hand=self.hand(values["hand"]))
        if event == "bids":
            dice = self.dice(values["quantity"], values["face"])
            return self.tell(seat, "You bid {dice}.", "{who} bids {dice}.", dice=dice)
        if event == "challenges":
            if self.is_reader(values["bidder"]):
                return self.say("{who} calls you a liar.", who=self.player(seat))
            bidder = self.player(values["bidder"])
            return self.tell(seat, "You call {bidder} a liar.", "{who} calls {bidder} a liar.", bidder=bidder)
        if event == "shows":
            return self.tell(seat, "You show {hand}.", "{who} shows {hand}.", hand=self.hand(values["hand"]))
        if event == "counts":
            found, bid = (self.dice(values[name], values["face"]) for name in ("found", "quantity"))
            return self.say("The bid was {bid}, and there are {found}.", bid=bid, found=found)
        if event == "loses" and values["left"] > 0:
            return self.tell(seat, "You lose a die; left: {left}.", "{who} loses a die; left: {left}.", left=values["left"])
        if event == "loses":
            return self.tell(seat, "You lose your last die.", "{who} loses the last die.")
        if event == "ends":
            winners = [seat for seat in range(MOST) if values["winners"] >> seat & 1]
            if len(winners) == 1:
                return self.tell(winners[0], "You win.", "{who} wins.")
            return self.say("The winners: {who}.", who=self.names(winners))
        raise LookupError(f"no words for the event {event!r}")

    # Refusals.

    def because(self, reason: str, row: Sequence[int], seat: Seat, action: int) -> str:
        """Why an action is not allowed, as the end of a sentence."""
        if reason == "over":
            return self.say("the match is over")
        if reason == "wait":
            return self.say("it is not your turn: waiting for {who}", who=self.player(row[F.turn]))
        if reason == "no_face":
            return self.say("the dice have only {sides} sides", sides=row[F.sides])
        if reason == "too_many":
            return self.say("there are only {dice} dice on the table", dice=on_table(list(row)))
        if reason == "not_higher":
            return self.say("your bid must be higher than {dice}", dice=self.dice(row[F.quantity], row[F.face]))
        if reason == "no_bid":
            return self.say("nobody has bid yet, so there is nobody to call a liar")
        raise LookupError(f"no words for the reason {reason!r}")
