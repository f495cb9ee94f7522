"""The messages of Le Fantôme, as tables: the names of things, and a message for each action, question, event and refusal.

The gaps of a message are filled by `Words.gaps`: see `ridotto.present.words`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from ridotto.engine.fields import HIDDEN, Seat
from ridotto.games.fantome import rules
from ridotto.games.fantome.components import NEXT, ROOMS
from ridotto.games.fantome.rules import F
from ridotto.games.fantome.ui.facts import members
from ridotto.present.narrator import mark
from ridotto.present.words import Line, Message, Tell

Row: TypeAlias = Sequence[int]

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
ROOM_NAMES = (
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
    "use": mark("use the character's power"),
    "decline": mark("do not use the character's power"),
    "alone": mark("let the Persian go alone"),
    "dark": mark("move the blackout"),
    "send": mark("send somebody away with Moncharmin"),
    "leave": mark("leave the Persian's companion somewhere"),
    "swap": mark("swap places with Richard"),
    "take": mark("take somebody along with the Persian"),
}
"""The name of each family of actions."""
OPTIONS = {
    "handicap": (
        mark("Handicap"),
        mark("How many spaces La Carlotta starts nearer to the exit, against a strong inspector; below zero: farther from it."),
    ),
}
"""The title of each option in a form, and its explanation."""
POWERS = (
    mark("must draw an alibi after the move"),
    mark("may use the secret passages"),
    mark("must move the padlock, before or after the move"),
    mark("must move the blackout"),
    mark("may call in everybody next door after the move"),
    mark("may drive everybody out after the move"),
    mark("may swap places with anybody instead of the move"),
    mark("may take a companion along"),
)
"""The power of each character."""
SIDES = (mark("inspector"), mark("phantom"))


GUIDE = {
    "pick as inspector": mark(
        "Both of you may play anybody. You want the phantom's answer to clear many: aim at half of the suspects alone or in "
        "the dark, and half together in the light."
    ),
    "pick as phantom": mark(
        "You may play anybody, not only your own character. You want the answer to clear few: bring as many suspects as "
        "you can into the same situation as yours, alone or in the dark, or together in the light."
    ),
    "move": mark(
        "Alone, a character moves one room; in company, up to as many rooms as there are people in the room. The panel beside "
        "the board shows whom each answer would clear."
    ),
    "lock": mark("Nobody passes the padlock. Use it to keep people apart, or together."),
    "dark": mark("In the dark nobody is seen: whoever is there counts as if alone, however many they are."),
    "call": mark("If Christine calls, everybody next door comes to her: people who were alone are then together."),
    "drive": mark("If Moncharmin drives the others out, you say for each of them into which room next door."),
    "send": mark("Send them where it suits you: to somebody, or where they are alone."),
    "companion": mark("Somebody from the Persian's room may go along with him. Then you say where they end up."),
    "leave": mark("Leave them with somebody, or alone, as it suits you."),
}
"""Advice to a beginner about each question."""


# Actions: by verb, from a row, a seat and the argument of the action.


def _use(s: Row, seat: Seat, n: int) -> Line:
    if s[F.active] == rules.CHRISTINE:
        return mark("Christine calls in everybody next door"), {}
    return mark("Moncharmin drives everybody out"), {}


def _send(s: Row, seat: Seat, n: int) -> Line:
    if s[F.expelled]:
        return mark("{who} is sent {to}"), {"who": members(s[F.expelled])[0], "to": n}
    return mark("send {to}"), {"to": n}


def _leave(s: Row, seat: Seat, n: int) -> Line:
    if s[F.companion] == rules.NOBODY:
        return mark("leave the companion {where}"), {"where": n}
    return mark("leave {who} {where}"), {"who": s[F.companion], "where": n}


def _swap(s: Row, seat: Seat, n: int) -> Line:
    if s[F.place + n] == s[F.place + rules.RICHARD]:
        return mark("Richard stays where he is"), {}
    return mark("Richard swaps places with {who}"), {"who": n}


LABELS: Final[Mapping[str, Message | Callable[[Row, Seat, int], Line]]] = {
    "pick": lambda s, seat, n: (mark("play {who}"), {"who": n}),
    "move": lambda s, seat, n: (mark("{who} goes {to}"), {"who": s[F.active], "to": n}),
    "lock": lambda s, seat, n: (mark("padlock in corridor {corridor}"), {"corridor": n}),
    "use": _use,
    "decline": mark("do not use the power"),
    "alone": mark("The Persian goes alone"),
    "dark": lambda s, seat, n: (mark("blackout {where}"), {"where": n}),
    "send": _send,
    "leave": _leave,
    "swap": _swap,
    "take": lambda s, seat, n: (mark("The Persian takes {who} along"), {"who": n}),
}


# Questions: by what is asked, from a row.


def _move(s: Row) -> Line:
    if s[F.active] == rules.RICHARD:
        message = Tell("Move Richard, or swap him with somebody.", "{who} moves Richard, or swaps him with somebody.")
        return message, {}
    return Tell("Move {character}.", "{who} moves {character}."), {"character": s[F.active]}


def _power(s: Row) -> Line:
    if s[F.active] == rules.CHRISTINE:
        message = Tell(
            "Does Christine call in everybody next door?",
            "{who} decides whether Christine calls in everybody next door.",
        )
    else:
        message = Tell(
            "Does Moncharmin drive everybody out of his room?",
            "{who} decides whether Moncharmin drives everybody out of his room.",
        )
    return message, {}


def _where_to(s: Row) -> Line:
    message = Tell("Where does Moncharmin send {character}?", "{who} decides where Moncharmin sends {character}.")
    return message, {"character": members(s[F.expelled])[0]}


def _where_left(s: Row) -> Line:
    message = Tell("Where does the Persian leave {character}?", "{who} decides where the Persian leaves {character}.")
    return message, {"character": s[F.companion]}


QUESTIONS: Final[Mapping[str, Message | Callable[[Row], Line]]] = {
    "nothing": mark("The match is over."),
    "pick": Tell("Choose a character to play.", "{who} chooses a character."),
    "move": _move,
    "lock": Tell("Hang the padlock in another corridor.", "{who} hangs the padlock in another corridor."),
    "dark": Tell("Move the blackout to another room.", "{who} moves the blackout to another room."),
    "power": _power,
    "send": _where_to,
    "companion": Tell("Whom does the Persian take along?", "{who} decides whom the Persian takes along."),
    "leave": _where_left,
}


# Events: by name. A message has the numbers of the event as its facts; a function gives all the facts itself.

Seen: TypeAlias = Mapping[str, int]


def _masked(event: Seen) -> Line:
    if event["who"] == HIDDEN:
        return mark("The phantom secretly draws an identity."), {}
    return Tell("You are {who}.", "The phantom is {who}."), {**event, "seat": rules.PHANTOM}


def _picks(event: Seen) -> Line:
    return Tell("You play {character}.", "{who} plays {character}."), {"seat": event["seat"], "character": event["who"]}


def _shows(event: Seen) -> Line:
    if event["new"]:
        return mark("{who} has an alibi and is cleared."), event
    return mark("{who} has an alibi, but was cleared already."), event


def _keeps(event: Seen) -> Line:
    if event["who"] == HIDDEN:
        return mark("The phantom keeps an alibi."), {}
    return Tell("You keep the alibi of {who}.", "The phantom keeps the alibi of {who}."), {**event, "seat": rules.PHANTOM}


def _ghost(event: Seen) -> Line:
    if event["seat"] == rules.PHANTOM:
        return mark("A phantom card: La Carlotta flees to space {space}."), event
    return mark("A phantom card: La Carlotta calms down, to space {space}."), event


def _announces(event: Seen) -> Line:
    if event["can"]:
        return Tell("You can manifest.", "The phantom can manifest."), {"seat": rules.PHANTOM}
    return Tell("You cannot manifest.", "The phantom cannot manifest."), {"seat": rules.PHANTOM}


def unmasked(event: Seen) -> Mapping[str, int]:
    """The facts about the phantom at the end of a match."""
    return {"seat": rules.PHANTOM, "who": event["who"], "kept": event["alibis"]}


CAUGHT_BY_YOU: Final = mark("The phantom was {who}: an arrest, and you win. Alibis kept: {kept}.")
CAUGHT: Final = Tell(
    "You were {who}, and are arrested: the inspector wins. Alibis kept: {kept}.",
    "The phantom was {who}, and is arrested: the inspector wins. Alibis kept: {kept}.",
)
FLED: Final = Tell(
    "La Carlotta leaves Paris: you win. You were {who}. Alibis kept: {kept}.",
    "La Carlotta leaves Paris: the phantom wins. It was {who}. Alibis kept: {kept}.",
)

SENTENCES: Final[Mapping[str, Message | Callable[[Seen], Line]]] = {
    "placed": lambda event: (mark("{who} starts {where}."), {"who": event["who"], "where": event["room"]}),
    "darkened": lambda event: (mark("It is dark {where}."), {"where": event["room"]}),
    "locked": mark("The padlock hangs in corridor {corridor}."),
    "masked": _masked,
    "offers": mark("Round {round}: {cards}."),
    "picks": _picks,
    "moves": lambda event: (mark("{who} goes {start} {to}."), {**event, "to": event["room"]}),
    "pulled": lambda event: (mark("Christine calls {cast} {to}."), {"cast": event["who"], "to": event["room"]}),
    "sent": lambda event: (mark("Moncharmin sends {who} {to}."), {"who": event["who"], "to": event["room"]}),
    "swaps": mark("Richard swaps places with {who}."),
    "joins": mark("The Persian takes {who} along."),
    "left": lambda event: (mark("{who} is left {where}."), {"who": event["who"], "where": event["room"]}),
    "declines": mark("{who} does not use the power."),
    "shows": _shows,
    "keeps": _keeps,
    "ghost": _ghost,
    "announces": _announces,
    "clears": lambda event: (mark("Cleared: {cast}."), {"cast": event["who"]}),
    "steps": mark("La Carlotta moves on by {steps}, to space {space}."),
    "caught": lambda event: (CAUGHT, unmasked(event)),
    "fled": lambda event: (FLED, unmasked(event)),
}


# Victories.

VICTORIES: Final = (Tell("you win", "the inspector wins"), Tell("you win", "the phantom wins"))
"""The victory of each side."""
ESCAPE: Final = Tell("La Carlotta leaves, you win", "La Carlotta leaves, the phantom wins")
GAVE_UP: Final = Tell("You resigned.", "{who} resigned.")
OUT_OF_TIME: Final = Tell("You ran out of time.", "{who} ran out of time.")


# Refusals: by reason, from a row, the seat that tried it and the argument of the action.


def _not_beside(s: Row, seat: Seat, n: int) -> Line:
    message = mark("no open corridor leads from Moncharmin's room {to}; next door: {rooms}")
    return message, {"to": n, "rooms": NEXT[s[F.padlock] * ROOMS + s[F.place + rules.MONCHARMIN]]}


def _not_here(s: Row, seat: Seat, n: int) -> Line:
    if n == rules.PERSAN:
        return mark("the Persian cannot take himself along"), {}
    message = mark("{who} is {where}, and the Persian {here}")
    return message, {"who": n, "where": s[F.place + n], "here": s[F.place + rules.PERSAN]}


REASONS: Final[Mapping[str, Message | Callable[[Row, Seat, int], Line]]] = {
    "over": mark("the match is over"),
    "wait": lambda s, seat, n: (mark("it is not your turn: {question}"), {"question": (s, 1 - seat)}),
    "not_asked": lambda s, seat, n: (mark("something else comes first: “{question}”"), {"question": (s, seat)}),
    "not_offered": lambda s, seat, n: (
        mark("the card of {who} is not face up; face up: {cast}"),
        {"who": n, "cast": s[F.offered]},
    ),
    "stays": lambda s, seat, n: (mark("{who} is {where} already, and must leave"), {"who": s[F.active], "where": n}),
    "same_corridor": mark("the padlock hangs there already: it must go to another corridor"),
    "same_room": mark("it is dark there already: the blackout must go to another room"),
    "not_beside": _not_beside,
    "no_swap": mark("Richard cannot swap places with himself"),
    "swap_first": lambda s, seat, n: (
        mark("{who} is in his room: a swap would change nothing, Richard stays where he is"),
        {"who": n},
    ),
    "not_here": _not_here,
    "not_back": mark("the companion must leave the room with him"),
}
