"""Liar's Dice in words: its actions, events and refusals as sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from liars_dice.components import HANDS, SIDES
from liars_dice.rules import ACTIONS, MOST, F, on_table
from ridotto.core import protocols
from ridotto.core.narrator import distinct, mark
from ridotto.core.protocols import OptionText
from ridotto.engine.fields import HIDDEN, Seat

PLAYERS = (mark("Red"), mark("Blue"), mark("Yellow"), mark("Green"), mark("Violet"), mark("Turquoise"))
FACES = (mark("one"), mark("two"), mark("three"), mark("four"), mark("five"), mark("six"))
VERBS = {"bid": mark("bid"), "liar": mark("call a liar")}
OPTIONS = {
    "dice": (mark("Dice"), mark("How many dice everybody begins with.")),
    "sides": (mark("Sides of a die"), mark("The highest one is wild: it counts as any face.")),
    "single": (mark("One challenge"), mark("The first challenge decides the match: its loser loses, all others win.")),
}


class Words(protocols.Words):
    """The sentences of Liar's Dice."""

    # What they are made of.

    def player(self, seat: Seat) -> str:
        """Who sits there, by name or by colour."""
        return self.narrator.name(seat, self.say(PLAYERS[seat]))

    def letter(self, seat: Seat) -> str:
        """What stands on the mark of a seat."""
        colours = [self.say(colour) for colour in PLAYERS]
        return self.narrator.initial(seat, distinct(colours[seat], colours))

    def face(self, number: int) -> str:
        """A face of a die."""
        return self.say(FACES[number])

    def dice(self, quantity: int, face: int) -> str:
        """So many dice of a face."""
        return self.say("{quantity} × {face}", quantity=quantity, face=self.face(face))

    def hand(self, number: int) -> str:
        """What lies under a cup."""
        return self.listed(list(HANDS[number]))

    def tell(self, seat: Seat, you: str, they: str, **values: object) -> str:
        """Something that a seat does, said to its own player as "you"."""
        return self.narrator.tell(seat, you, they, who=self.player(seat), **values)

    # Actions.

    def label(self, row: Sequence[int], seat: Seat, action: int) -> str:
        """What a button for an action says."""
        if ACTIONS.family(action).verb == "liar":
            return (
                self.say("call {who} a liar", who=self.player(row[F.bidder])) if row[F.bidder] >= 0 else self.say("call a liar")
            )
        number = ACTIONS.argument(action)
        return self.say("bid {dice}", dice=self.dice(number // SIDES + 1, number % SIDES))

    def verb(self, verb: str) -> str:
        """A family of actions as a phrase."""
        return self.say(VERBS[verb])

    def question(self, row: Sequence[int], seat: Seat) -> str:
        """What is wanted of the seat to act."""
        if row[F.ending] != 0:
            return self.say("The match is over.")
        if row[F.quantity] == 0:
            return self.tell(seat, mark("You make the first bid."), mark("{who} makes the first bid."))
        return self.tell(
            seat,
            mark("{dice} was bid: you bid more, or call {bidder} a liar."),
            mark("{dice} was bid: {who} bids more, or calls {bidder} a liar."),
            dice=self.dice(row[F.quantity], row[F.face]),
            bidder=self.player(row[F.bidder]),
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
            return self.tell(seat, mark("You roll {hand}."), mark("{who} rolls {hand}."), hand=self.hand(values["hand"]))
        if event == "bids":
            dice = self.dice(values["quantity"], values["face"])
            return self.tell(seat, mark("You bid {dice}."), mark("{who} bids {dice}."), dice=dice)
        if event == "challenges":
            if self.narrator.is_reader(values["bidder"]):
                return self.say("{who} calls you a liar.", who=self.player(seat))
            bidder = self.player(values["bidder"])
            return self.tell(seat, mark("You call {bidder} a liar."), mark("{who} calls {bidder} a liar."), bidder=bidder)
        if event == "shows":
            return self.tell(seat, mark("You show {hand}."), mark("{who} shows {hand}."), hand=self.hand(values["hand"]))
        if event == "counts":
            found, bid = (self.dice(values[name], values["face"]) for name in ("found", "quantity"))
            return self.say("The bid was {bid}, and there are {found}.", bid=bid, found=found)
        if event == "loses" and values["left"] > 0:
            you, they = mark("You lose a die; left: {left}."), mark("{who} loses a die; left: {left}.")
            return self.tell(seat, you, they, left=values["left"])
        if event == "loses":
            return self.tell(seat, mark("You lose your last die."), mark("{who} loses the last die."))
        if event == "ends":
            winners = [seat for seat in range(MOST) if values["winners"] >> seat & 1]
            if len(winners) == 1:
                return self.tell(winners[0], mark("You win."), mark("{who} wins."))
            return self.say("Won by: {who}.", who=self.listed([self.player(seat) for seat in winners]))
        raise LookupError(f"no words for the event {event!r}")

    # Refusals.

    def because(self, reason: str, row: Sequence[int], seat: Seat, action: int) -> str:
        """Why an action is not allowed, as the end of a sentence."""
        if reason == "over":
            return self.say("the match is over")
        if reason == "wait":
            return self.say("it is the turn of {who}", who=self.player(row[F.turn]))
        if reason == "no_face":
            return self.say("the dice have only {sides} sides", sides=row[F.sides])
        if reason == "too_many":
            return self.say("there are only {dice} dice", dice=on_table(list(row)))
        if reason == "not_higher":
            return self.say("it must be higher than {dice}", dice=self.dice(row[F.quantity], row[F.face]))
        if reason == "no_bid":
            return self.say("nobody has made a bid that could be challenged")
        raise LookupError(f"no words for the reason {reason!r}")
