"""Le Fantôme in words: what its numbers are called, its actions, events and refusals as sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ridotto.core.narrator import listed, mark, say
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


def who(character: int) -> str:
    """A character's name."""
    return say(CHARACTERS[character])


def opening(text: str) -> str:
    """The text with a capital letter: for the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def room(number: int) -> str:
    """A room's name and number, as on the board."""
    return f"{say(ROOMS[number])} ({number})"


def inside(number: int) -> str:
    """In that room."""
    return f"{say(IN[number])} ({number})"


def towards(number: int) -> str:
    """To that room."""
    return f"{say(TO[number])} ({number})"


def away(number: int) -> str:
    """From that room."""
    return f"{say(FROM[number])} ({number})"


def corridor(number: int) -> str:
    """A corridor as the two rooms it joins."""
    return rules.CORRIDOR.names[number].replace("-", "–")


def cast(bits: int) -> str:
    """A set of characters as a phrase."""
    return listed([who(c) for c in range(8) if bits >> c & 1]) or say("nobody")


# Actions.


def label(s: Sequence[int], seat: Seat, action: int) -> str:
    """What a button for an action says."""
    family = rules.ACTIONS.family(action)
    n = rules.ACTIONS.argument(action)
    if family.verb == "pick":
        return say("play {who}", who=who(n))
    if family.verb == "move":
        return say("{who} goes {to}", who=opening(who(s[F.active])), to=towards(n))
    if family.verb == "lock":
        return say("padlock on corridor {corridor}", corridor=corridor(n))
    if family.verb == "use":
        if s[F.active] == rules.CHRISTINE:
            return say("Christine calls in everybody next door")
        return say("Moncharmin drives everybody out")
    if family.verb == "decline":
        return say("leave the power unused")
    if family.verb == "alone":
        return say("The Persian goes alone")
    if family.verb == "dark":
        return say("blackout {where}", where=inside(n))
    if family.verb == "send":
        expelled = s[F.expelled]
        first = (expelled & -expelled).bit_length() - 1
        if first < 0:
            return say("send {to}", to=towards(n))
        return say("{who} is sent {to}", who=opening(who(first)), to=towards(n))
    if family.verb == "leave":
        if s[F.companion] < 0:
            return say("leave the companion {where}", where=inside(n))
        return say("leave {who} {where}", who=who(s[F.companion]), where=inside(n))
    if family.verb == "swap":
        return say("Richard swaps places with {who}", who=who(n))
    return say("The Persian takes {who} along", who=who(n))


def question(s: Sequence[int], seat: Seat) -> str:
    """What is wanted of the seat to act."""
    role = say(ROLES[seat])
    asked = s[F.asked]
    if asked == rules.PICK:
        return say("{role} chooses a character to play.", role=role)
    if asked == rules.MOVE and s[F.active] == rules.RICHARD:
        return say("{role} moves Richard, or lets him swap places with someone.", role=role)
    if asked == rules.MOVE:
        return say("{role} moves {who}.", role=role, who=who(s[F.active]))
    if asked == rules.LOCK:
        return say("{role} moves the padlock to another corridor.", role=role)
    if asked == rules.DARK:
        return say("{role} moves the blackout to another room.", role=role)
    if asked == rules.POWER and s[F.active] == rules.CHRISTINE:
        return say("{role} decides whether Christine calls in everybody next door.", role=role)
    if asked == rules.POWER:
        return say("{role} decides whether Moncharmin drives everybody out.", role=role)
    if asked == rules.SEND:
        first = (s[F.expelled] & -s[F.expelled]).bit_length() - 1
        return say("{role} chooses where {who} is sent.", role=role, who=who(first))
    if asked == rules.COMPANION:
        return say("{role} chooses whom the Persian takes along, if anybody.", role=role)
    if asked == rules.LEAVE:
        return say("{role} chooses where the Persian leaves {who}.", role=role, who=who(s[F.companion]))
    return say("The match is over.")


# Events.


def sentence(event: str, seen: Mapping[str, int]) -> str:
    """An event as a line of the log."""
    name = opening(who(seen["who"])) if "who" in seen and event in _ONE and seen["who"] != HIDDEN else ""
    if event == "placed":
        return say("{who} starts {where}.", who=name, where=inside(seen["room"]))
    if event == "darkened":
        return say("It is dark {where}.", where=inside(seen["room"]))
    if event == "locked":
        return say("The padlock hangs on corridor {corridor}.", corridor=corridor(seen["corridor"]))
    if event == "masked":
        if seen["who"] == HIDDEN:
            return say("The phantom learns who they are.")
        return say("The phantom is {who}.", who=who(seen["who"]))
    if event == "offers":
        return say("Round {round}: {cards}.", round=seen["round"], cards=cast(seen["cards"]))
    if event == "picks":
        return say("{role} plays {who}.", role=say(ROLES[seen["seat"]]), who=who(seen["who"]))
    if event == "moves":
        return say("{who} goes {start} {to}.", who=name, start=away(seen["start"]), to=towards(seen["room"]))
    if event == "pulled":
        return say("Christine calls {cast} {to}.", cast=cast(seen["who"]), to=towards(seen["room"]))
    if event == "sent":
        return say("Moncharmin sends {who} {to}.", who=who(seen["who"]), to=towards(seen["room"]))
    if event == "swaps":
        return say("Richard swaps places with {who}.", who=who(seen["who"]))
    if event == "joins":
        return say("The Persian takes {who} along.", who=who(seen["who"]))
    if event == "left":
        return say("{who} is left {where}.", who=name, where=inside(seen["room"]))
    if event == "declines":
        return say("{who} does not use the power.", who=name)
    if event == "shows":
        if seen["new"]:
            return say("{who} has an alibi and is cleared.", who=name)
        return say("{who} has an alibi, but was cleared already.", who=name)
    if event == "keeps":
        if seen["who"] == HIDDEN:
            return say("The phantom keeps an alibi.")
        return say("The phantom keeps the alibi of {who}.", who=who(seen["who"]))
    if event == "ghost":
        if seen["seat"] == rules.PHANTOM:
            return say("A phantom card: La Carlotta flees to space {space}.", space=seen["space"])
        return say("A phantom card: La Carlotta calms down, to space {space}.", space=seen["space"])
    if event == "announces":
        if seen["can"]:
            return say("The phantom can manifest.")
        return say("The phantom cannot manifest.")
    if event == "clears":
        return say("Cleared: {cast}.", cast=cast(seen["who"]))
    if event == "steps":
        return say("La Carlotta moves on by {steps}, to space {space}.", steps=seen["steps"], space=seen["space"])
    kept = cast(seen["alibis"]) if seen["alibis"] else say("none")
    if event == "caught":
        return say(
            "The phantom was {who}, and is arrested: the inspector wins. Alibis kept: {kept}.", who=who(seen["who"]), kept=kept
        )
    return say(
        "La Carlotta leaves Paris: the phantom wins, and was {who}. Alibis kept: {kept}.", who=who(seen["who"]), kept=kept
    )


_ONE = frozenset({"placed", "moves", "left", "declines", "shows"})
"""Events whose sentence begins with one character."""


# Refusals.


def because(reason: str, s: Sequence[int], seat: Seat, action: int) -> str:
    """Why an action is not allowed, as the end of a sentence."""
    n = rules.ACTIONS.argument(action)
    if reason == "over":
        return say("the match is over")
    if reason == "wait":
        return say("it is the other player's turn")
    if reason == "not_asked":
        return say("something else is asked now: {question}", question=question(s, seat).rstrip("."))
    if reason == "not_offered":
        return say("the card of {who} is not face up", who=who(n))
    if reason == "stays":
        return say("{who} must leave the room", who=who(s[F.active]))
    if reason == "too_far":
        return say("{who} cannot get {to}", who=who(s[F.active]), to=towards(n))
    if reason == "same_corridor":
        return say("the padlock must go to another corridor")
    if reason == "same_room":
        return say("the blackout must go to another room")
    if reason == "not_beside":
        return say("no open corridor leads from Moncharmin's room {to}", to=towards(n))
    if reason == "no_swap":
        return say("Richard cannot swap places with himself")
    if reason == "swap_first":
        return say("a swap within one room is done with the first character there, in the fixed order")
    if reason == "not_here" and n == rules.PERSAN:
        return say("the Persian cannot take himself along")
    if reason == "not_here":
        return say("{who} is not in the Persian's room", who=who(n))
    return say("the companion must be led out of the room")
