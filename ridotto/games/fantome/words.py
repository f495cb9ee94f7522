"""Le Fantôme in words: what its numbers are called, its actions, events and refusals as sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ridotto.core import protocols
from ridotto.core.narrator import mark, opening
from ridotto.core.protocols import OptionText
from ridotto.engine.fields import HIDDEN, Seat
from ridotto.games.fantome import rules
from ridotto.games.fantome.rules import F

CHARACTERS = (
    mark("Raoul"),
    mark("Meg Giry"),
    mark("Madame Giry"),
    mark("Buquet"),
    mark("Christine"),
    mark("Moncharmin"),
    mark("Richard"),
    mark("the Persian"),
)
ROOMS = (
    mark("workshop"),
    mark("under-stage"),
    mark("lake"),
    mark("catacombs"),
    mark("right wing"),
    mark("stage"),
    mark("auditorium"),
    mark("left wing"),
    mark("fly tower"),
    mark("dome"),
)
IN = (
    mark("in the workshop"),
    mark("under the stage"),
    mark("at the lake"),
    mark("in the catacombs"),
    mark("in the right wing"),
    mark("on the stage"),
    mark("in the auditorium"),
    mark("in the left wing"),
    mark("in the fly tower"),
    mark("in the dome"),
)
TO = (
    mark("to the workshop"),
    mark("to the room under the stage"),
    mark("to the lake"),
    mark("to the catacombs"),
    mark("to the right wing"),
    mark("to the stage"),
    mark("to the auditorium"),
    mark("to the left wing"),
    mark("to the fly tower"),
    mark("to the dome"),
)
FROM = (
    mark("from the workshop"),
    mark("from under the stage"),
    mark("from the lake"),
    mark("from the catacombs"),
    mark("from the right wing"),
    mark("from the stage"),
    mark("from the auditorium"),
    mark("from the left wing"),
    mark("from the fly tower"),
    mark("from the dome"),
)
ROLES = (mark("The inspector"), mark("The phantom"))
VERBS = {
    "pick": mark("play a character"),
    "move": mark("move the character"),
    "lock": mark("move the padlock"),
    "use": mark("use a power that is optional"),
    "decline": mark("do without a power that is optional"),
    "alone": mark("let the Persian go alone"),
    "dark": mark("move the blackout"),
    "send": mark("send somebody away with Moncharmin"),
    "leave": mark("leave the Persian's companion somewhere"),
    "swap": mark("swap places with Richard"),
    "take": mark("take somebody along with the Persian"),
}
"""What each family of actions is called."""
OPTIONS = {
    "handicap": (
        mark("Handicap"),
        mark("La Carlotta starts so many spaces nearer to the exit, for a stronger inspector; below zero, farther from it."),
    ),
}
"""What each option is called in a form, and what it does."""


def corridor(number: int) -> str:
    """A corridor as the two rooms it joins."""
    return rules.CORRIDOR.names[number].replace("-", "–")


_ONE = frozenset({"placed", "moves", "left", "declines", "shows"})
"""Events whose sentence begins with one character."""


class Words(protocols.Words):
    """The sentences of Le Fantôme."""

    def player(self, seat: Seat) -> str:
        """Who sits there, by name or by what the seat is."""
        return self.narrator.name(seat, self.say(ROLES[seat]))

    def who(self, character: int) -> str:
        """A character's name."""
        return self.say(CHARACTERS[character])

    def room(self, number: int) -> str:
        """A room's name and number, as on the board."""
        return f"{self.say(ROOMS[number])} ({number})"

    def inside(self, number: int) -> str:
        """In that room."""
        return f"{self.say(IN[number])} ({number})"

    def towards(self, number: int) -> str:
        """To that room."""
        return f"{self.say(TO[number])} ({number})"

    def away(self, number: int) -> str:
        """From that room."""
        return f"{self.say(FROM[number])} ({number})"

    def cast(self, bits: int) -> str:
        """A set of characters as a phrase."""
        return self.listed([self.who(c) for c in range(8) if bits >> c & 1]) or self.say("nobody")

    # Actions.

    def label(self, s: Sequence[int], seat: Seat, action: int) -> str:
        """What a button for an action says."""
        family = rules.ACTIONS.family(action)
        n = rules.ACTIONS.argument(action)
        if family.verb == "pick":
            return self.say("play {who}", who=self.who(n))
        if family.verb == "move":
            return self.say("{who} goes {to}", who=opening(self.who(s[F.active])), to=self.towards(n))
        if family.verb == "lock":
            return self.say("padlock on corridor {corridor}", corridor=corridor(n))
        if family.verb == "use":
            if s[F.active] == rules.CHRISTINE:
                return self.say("Christine calls in everybody next door")
            return self.say("Moncharmin drives everybody out")
        if family.verb == "decline":
            return self.say("leave the power unused")
        if family.verb == "alone":
            return self.say("The Persian goes alone")
        if family.verb == "dark":
            return self.say("blackout {where}", where=self.inside(n))
        if family.verb == "send":
            expelled = s[F.expelled]
            first = (expelled & -expelled).bit_length() - 1
            if first < 0:
                return self.say("send {to}", to=self.towards(n))
            return self.say("{who} is sent {to}", who=opening(self.who(first)), to=self.towards(n))
        if family.verb == "leave":
            if s[F.companion] < 0:
                return self.say("leave the companion {where}", where=self.inside(n))
            return self.say("leave {who} {where}", who=self.who(s[F.companion]), where=self.inside(n))
        if family.verb == "swap":
            return self.say("Richard swaps places with {who}", who=self.who(n))
        return self.say("The Persian takes {who} along", who=self.who(n))

    def question(self, s: Sequence[int], seat: Seat) -> str:
        """What is wanted of the seat to act."""
        role = self.say(ROLES[seat])
        asked = s[F.asked]
        if asked == rules.PICK:
            return self.tell(seat, "Choose a character to play.", "{role} chooses a character to play.", role=role)
        if asked == rules.MOVE and s[F.active] == rules.RICHARD:
            return self.tell(
                seat,
                "Move Richard, or let him swap places with someone.",
                "{role} moves Richard, or lets him swap places with someone.",
                role=role,
            )
        if asked == rules.MOVE:
            return self.tell(seat, "Move {who}.", "{role} moves {who}.", role=role, who=self.who(s[F.active]))
        if asked == rules.LOCK:
            return self.tell(
                seat, "Move the padlock to another corridor.", "{role} moves the padlock to another corridor.", role=role
            )
        if asked == rules.DARK:
            return self.tell(
                seat, "Move the blackout to another room.", "{role} moves the blackout to another room.", role=role
            )
        if asked == rules.POWER and s[F.active] == rules.CHRISTINE:
            return self.tell(
                seat,
                "Decide whether Christine calls in everybody next door.",
                "{role} decides whether Christine calls in everybody next door.",
                role=role,
            )
        if asked == rules.POWER:
            return self.tell(
                seat,
                "Decide whether Moncharmin drives everybody out.",
                "{role} decides whether Moncharmin drives everybody out.",
                role=role,
            )
        if asked == rules.SEND:
            first = (s[F.expelled] & -s[F.expelled]).bit_length() - 1
            return self.tell(
                seat, "Choose where {who} is sent.", "{role} chooses where {who} is sent.", role=role, who=self.who(first)
            )
        if asked == rules.COMPANION:
            return self.tell(
                seat,
                "Choose whom the Persian takes along, if anybody.",
                "{role} chooses whom the Persian takes along, if anybody.",
                role=role,
            )
        if asked == rules.LEAVE:
            return self.tell(
                seat,
                "Choose where the Persian leaves {who}.",
                "{role} chooses where the Persian leaves {who}.",
                role=role,
                who=self.who(s[F.companion]),
            )
        return self.say("The match is over.")

    def verb(self, verb: str) -> str:
        """A family of actions as a phrase."""
        return self.say(VERBS[verb])

    def option(self, name: str) -> OptionText | None:
        """An option as a form names and explains it."""
        title, explanation = OPTIONS[name]
        return OptionText(self.say(title), self.say(explanation))

    # Events.

    def sentence(self, event: str, seen: Mapping[str, int]) -> str:
        """An event as a line of the log."""
        name = opening(self.who(seen["who"])) if "who" in seen and event in _ONE and seen["who"] != HIDDEN else ""
        if event == "placed":
            return self.say("{who} starts {where}.", who=name, where=self.inside(seen["room"]))
        if event == "darkened":
            return self.say("It is dark {where}.", where=self.inside(seen["room"]))
        if event == "locked":
            return self.say("The padlock hangs on corridor {corridor}.", corridor=corridor(seen["corridor"]))
        if event == "masked":
            if seen["who"] == HIDDEN:
                return self.say("The phantom learns who they are.")
            return self.say("The phantom is {who}.", who=self.who(seen["who"]))
        if event == "offers":
            return self.say("Round {round}: {cards}.", round=seen["round"], cards=self.cast(seen["cards"]))
        if event == "picks":
            return self.say("{role} plays {who}.", role=self.say(ROLES[seen["seat"]]), who=self.who(seen["who"]))
        if event == "moves":
            return self.say("{who} goes {start} {to}.", who=name, start=self.away(seen["start"]), to=self.towards(seen["room"]))
        if event == "pulled":
            return self.say("Christine calls {cast} {to}.", cast=self.cast(seen["who"]), to=self.towards(seen["room"]))
        if event == "sent":
            return self.say("Moncharmin sends {who} {to}.", who=self.who(seen["who"]), to=self.towards(seen["room"]))
        if event == "swaps":
            return self.say("Richard swaps places with {who}.", who=self.who(seen["who"]))
        if event == "joins":
            return self.say("The Persian takes {who} along.", who=self.who(seen["who"]))
        if event == "left":
            return self.say("{who} is left {where}.", who=name, where=self.inside(seen["room"]))
        if event == "declines":
            return self.say("{who} does not use the power.", who=name)
        if event == "shows":
            if seen["new"]:
                return self.say("{who} has an alibi and is cleared.", who=name)
            return self.say("{who} has an alibi, but was cleared already.", who=name)
        if event == "keeps":
            if seen["who"] == HIDDEN:
                return self.say("The phantom keeps an alibi.")
            return self.say("The phantom keeps the alibi of {who}.", who=self.who(seen["who"]))
        if event == "ghost":
            if seen["seat"] == rules.PHANTOM:
                return self.say("A phantom card: La Carlotta flees to space {space}.", space=seen["space"])
            return self.say("A phantom card: La Carlotta calms down, to space {space}.", space=seen["space"])
        if event == "announces":
            if seen["can"]:
                return self.say("The phantom can manifest.")
            return self.say("The phantom cannot manifest.")
        if event == "clears":
            return self.say("Cleared: {cast}.", cast=self.cast(seen["who"]))
        if event == "steps":
            return self.say("La Carlotta moves on by {steps}, to space {space}.", steps=seen["steps"], space=seen["space"])
        kept = self.cast(seen["alibis"]) if seen["alibis"] else self.say("none")
        if event == "caught":
            return self.say(
                "The phantom was {who}, and is arrested: the inspector wins. Alibis kept: {kept}.",
                who=self.who(seen["who"]),
                kept=kept,
            )
        return self.say(
            "La Carlotta leaves Paris: the phantom wins, and was {who}. Alibis kept: {kept}.",
            who=self.who(seen["who"]),
            kept=kept,
        )

    # Refusals.

    def because(self, reason: str, s: Sequence[int], seat: Seat, action: int) -> str:
        """Why an action is not allowed, as the end of a sentence."""
        n = rules.ACTIONS.argument(action)
        if reason == "over":
            return self.say("the match is over")
        if reason == "wait":
            return self.say("it is the other player's turn")
        if reason == "not_asked":
            return self.say("something else is asked now: {question}", question=self.question(s, seat).rstrip("."))
        if reason == "not_offered":
            return self.say("the card of {who} is not face up", who=self.who(n))
        if reason == "stays":
            return self.say("{who} must leave the room", who=self.who(s[F.active]))
        if reason == "too_far":
            return self.say("{who} cannot get {to}", who=self.who(s[F.active]), to=self.towards(n))
        if reason == "same_corridor":
            return self.say("the padlock must go to another corridor")
        if reason == "same_room":
            return self.say("the blackout must go to another room")
        if reason == "not_beside":
            return self.say("no open corridor leads from Moncharmin's room {to}", to=self.towards(n))
        if reason == "no_swap":
            return self.say("Richard cannot swap places with himself")
        if reason == "swap_first":
            return self.say("a swap within one room is done with the first character there, in the fixed order")
        if reason == "not_here" and n == rules.PERSAN:
            return self.say("the Persian cannot take himself along")
        if reason == "not_here":
            return self.say("{who} is not in the Persian's room", who=self.who(n))
        return self.say("the companion must be led out of the room")
