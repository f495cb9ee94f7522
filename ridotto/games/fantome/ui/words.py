"""Le Fantôme in words: what its numbers are called, its actions, events and refusals as sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ridotto.core.view import Outcome
from ridotto.engine.fields import HIDDEN, Seat
from ridotto.games.fantome import rules
from ridotto.games.fantome.components import CROWD, EXIT, NEXT, REACH, REACH_OF_MEG
from ridotto.games.fantome.components import ROOMS as ROOM_COUNT
from ridotto.games.fantome.rules import F
from ridotto.games.fantome.ui.reasons import Reasons
from ridotto.present.narrator import mark, opening
from ridotto.present.words import OptionText, Standing, Tell

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
    "use": mark("use the character's power"),
    "decline": mark("do not use the character's power"),
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
        mark("How many spaces La Carlotta starts nearer to the exit, against a strong inspector; below zero: farther from it."),
    ),
}
"""What each option is called in a form, and what it does."""


def corridor(number: int) -> str:
    """A corridor as the two rooms it joins."""
    return rules.CORRIDOR.names[number].replace("-", "–")


_ONE = frozenset({"placed", "moves", "left", "declines", "shows"})
"""Events whose sentence begins with one character."""


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
"""What a beginner should know about each question."""


VICTORIES = (Tell(mark("you win"), mark("the inspector wins")), Tell(mark("you win"), mark("the phantom wins")))
"""The victory of each side."""
ESCAPE = Tell(mark("La Carlotta leaves, you win"), mark("La Carlotta leaves, the phantom wins"))
GAVE_UP = Tell(mark("You resigned."), mark("{who} resigned."))
OUT_OF_TIME = Tell(mark("You ran out of time."), mark("{who} ran out of time."))


class Words(Reasons):
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

    def rooms(self, number: int) -> str:
        """A number of rooms."""
        return self.count("{number} room", "{number} rooms", number)

    def cast(self, bits: int) -> str:
        """A set of characters as a phrase."""
        return self.listed([self.who(c) for c in range(8) if bits >> c & 1]) or self.say("nobody")

    def standings(self, row: Sequence[int]) -> list[Standing]:
        """What each side is after: how many suspects are left, and how far La Carlotta has to go."""
        suspects, steps = row[F.suspects].bit_count(), EXIT - row[F.carlotta]
        return [
            Standing(self.count("{number} suspect", "{number} suspects", suspects)),
            Standing(self.count("{number} space to go", "{number} spaces to go", steps)),
        ]

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
            return self.say("padlock in corridor {corridor}", corridor=corridor(n))
        if family.verb == "use":
            if s[F.active] == rules.CHRISTINE:
                return self.say("Christine calls in everybody next door")
            return self.say("Moncharmin drives everybody out")
        if family.verb == "decline":
            return self.say("do not use the power")
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
            if s[F.place + n] == s[F.place + rules.RICHARD]:
                return self.say("Richard stays where he is")
            return self.say("Richard swaps places with {who}", who=self.who(n))
        return self.say("The Persian takes {who} along", who=self.who(n))

    def early(self, s: Sequence[int], seat: Seat, text: str) -> str:
        """An action, or who is sent where."""
        action = rules.ACTIONS.parse(text)
        if action is not None:
            return self.label(s, seat, action)
        _, who, room = text.split()
        name = opening(self.who(rules.CHARACTER.names.index(who)))
        return self.say("{who} is sent {to}", who=name, to=self.towards(rules.ROOM.names.index(room)))

    def question(self, s: Sequence[int], seat: Seat) -> str:
        """What is wanted of the seat to act."""
        asked = s[F.asked]
        if asked == rules.PICK:
            return self.tell(seat, "Choose a character to play.", "{who} chooses a character.")
        if asked == rules.MOVE and s[F.active] == rules.RICHARD:
            return self.tell(
                seat,
                "Move Richard, or swap him with somebody.",
                "{who} moves Richard, or swaps him with somebody.",
            )
        if asked == rules.MOVE:
            return self.tell(seat, "Move {character}.", "{who} moves {character}.", character=self.who(s[F.active]))
        if asked == rules.LOCK:
            return self.tell(seat, "Hang the padlock in another corridor.", "{who} hangs the padlock in another corridor.")
        if asked == rules.DARK:
            return self.tell(seat, "Move the blackout to another room.", "{who} moves the blackout to another room.")
        if asked == rules.POWER and s[F.active] == rules.CHRISTINE:
            return self.tell(
                seat,
                "Does Christine call in everybody next door?",
                "{who} decides whether Christine calls in everybody next door.",
            )
        if asked == rules.POWER:
            return self.tell(
                seat,
                "Does Moncharmin drive everybody out of his room?",
                "{who} decides whether Moncharmin drives everybody out of his room.",
            )
        if asked == rules.SEND:
            sent = self.who((s[F.expelled] & -s[F.expelled]).bit_length() - 1)
            return self.tell(
                seat,
                "Where does Moncharmin send {character}?",
                "{who} decides where Moncharmin sends {character}.",
                character=sent,
            )
        if asked == rules.COMPANION:
            return self.tell(
                seat,
                "Whom does the Persian take along?",
                "{who} decides whom the Persian takes along.",
            )
        if asked == rules.LEAVE:
            return self.tell(
                seat,
                "Where does the Persian leave {character}?",
                "{who} decides where the Persian leaves {character}.",
                character=self.who(s[F.companion]),
            )
        return self.say("The match is over.")

    def guide(self, row: Sequence[int], seat: Seat) -> str:
        """What a beginner should know about the decision that is wanted now."""
        asked = rules.ASKED.names[row[F.asked]]
        if asked == "power":
            asked = "call" if row[F.active] == rules.CHRISTINE else "drive"
        if asked == "pick":
            asked = "pick as phantom" if seat == rules.PHANTOM else "pick as inspector"
        return self.say(GUIDE[asked]) if asked in GUIDE else ""

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
            return self.say("The padlock hangs in corridor {corridor}.", corridor=corridor(seen["corridor"]))
        if event == "masked":
            if seen["who"] == HIDDEN:
                return self.say("The phantom secretly draws an identity.")
            return self.tell(rules.PHANTOM, "You are {who}.", "The phantom is {who}.", who=self.who(seen["who"]))
        if event == "offers":
            return self.say("Round {round}: {cards}.", round=seen["round"], cards=self.cast(seen["cards"]))
        if event == "picks":
            return self.tell(seen["seat"], "You play {character}.", "{who} plays {character}.", character=self.who(seen["who"]))
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
            return self.tell(
                rules.PHANTOM,
                "You keep the alibi of {who}.",
                "The phantom keeps the alibi of {who}.",
                who=self.who(seen["who"]),
            )
        if event == "ghost":
            if seen["seat"] == rules.PHANTOM:
                return self.say("A phantom card: La Carlotta flees to space {space}.", space=seen["space"])
            return self.say("A phantom card: La Carlotta calms down, to space {space}.", space=seen["space"])
        if event == "announces":
            if seen["can"]:
                return self.tell(rules.PHANTOM, "You can manifest.", "The phantom can manifest.")
            return self.tell(rules.PHANTOM, "You cannot manifest.", "The phantom cannot manifest.")
        if event == "clears":
            return self.say("Cleared: {cast}.", cast=self.cast(seen["who"]))
        if event == "steps":
            return self.say("La Carlotta moves on by {steps}, to space {space}.", steps=seen["steps"], space=seen["space"])
        return self._end(event, self.who(seen["who"]), seen["alibis"])

    def _end(self, event: str, identity: str, alibis: int) -> str:
        """How the match ended, who the phantom was, and which alibis the phantom kept."""
        kept = self.cast(alibis) if alibis else self.say("none")
        if event == "caught":
            if self.is_reader(rules.INSPECTOR):
                return self.say("The phantom was {who}: an arrest, and you win. Alibis kept: {kept}.", who=identity, kept=kept)
            return self.tell(
                rules.PHANTOM,
                "You were {who}, and are arrested: the inspector wins. Alibis kept: {kept}.",
                "The phantom was {who}, and is arrested: the inspector wins. Alibis kept: {kept}.",
                who=identity,
                kept=kept,
            )
        return self.tell(
            rules.PHANTOM,
            "La Carlotta leaves Paris: you win. You were {who}. Alibis kept: {kept}.",
            "La Carlotta leaves Paris: the phantom wins. It was {who}. Alibis kept: {kept}.",
            who=identity,
            kept=kept,
        )

    # The end.

    def victory(self, winner: Seat) -> str:
        """Who wins."""
        return self.fill(VICTORIES[winner], {"seat": winner})

    def escape(self) -> str:
        """How the phantom wins."""
        return self.fill(ESCAPE, {"seat": rules.PHANTOM})

    def ending(self, outcome: Outcome) -> str:
        """How a match ended."""
        for ending in rules.ENDINGS:
            if ending.name == outcome.ending:
                return self.say(ending.meaning)
        loser = 1 - outcome.winners[0]
        return self.fill(OUT_OF_TIME if loser in self.narrator.late else GAVE_UP, {"seat": loser})

    # Refusals.

    def because(self, reason: str, s: Sequence[int], seat: Seat, action: int) -> str:
        """Why an action is not allowed, as the end of a sentence."""
        n = rules.ACTIONS.argument(action)
        if reason == "over":
            return self.say("the match is over")
        if reason == "wait":
            return self.say("it is not your turn: {question}", question=self.question(s, 1 - seat).rstrip("."))
        if reason == "not_asked":
            return self.say("something else comes first: “{question}”", question=self.question(s, seat).rstrip("."))
        if reason == "not_offered":
            return self.say("the card of {who} is not face up; face up: {cast}", who=self.who(n), cast=self.cast(s[F.offered]))
        if reason == "stays":
            return self.say("{who} is {where} already, and must leave", who=self.who(s[F.active]), where=self.inside(n))
        if reason == "too_far":
            return self._too_far(s, n)
        if reason == "same_corridor":
            return self.say("the padlock hangs there already: it must go to another corridor")
        if reason == "same_room":
            return self.say("it is dark there already: the blackout must go to another room")
        if reason == "not_beside":
            beside = NEXT[s[F.padlock] * ROOM_COUNT + s[F.place + rules.MONCHARMIN]]
            return self.say(
                "no open corridor leads from Moncharmin's room {to}; next door: {rooms}",
                to=self.towards(n),
                rooms=self.listed([self.room(room) for room in range(ROOM_COUNT) if beside >> room & 1]),
            )
        if reason == "no_swap":
            return self.say("Richard cannot swap places with himself")
        if reason == "swap_first":
            return self.say("{who} is in his room: a swap would change nothing, Richard stays where he is", who=self.who(n))
        if reason == "not_here" and n == rules.PERSAN:
            return self.say("the Persian cannot take himself along")
        if reason == "not_here":
            return self.say(
                "{who} is {where}, and the Persian {here}",
                who=self.who(n),
                where=self.inside(s[F.place + n]),
                here=self.inside(s[F.place + rules.PERSAN]),
            )
        return self.say("the companion must leave the room with him")

    def _too_far(self, s: Sequence[int], room: int) -> str:
        """How far the character being played may go, and how far it would be."""
        who, row = s[F.active], list(s)
        start, crowd = s[F.place + who], rules.company(row, who).bit_count() + 1
        reach, locks = (REACH_OF_MEG if who == rules.MEG else REACH), [s[F.padlock]]
        if who == rules.GIRY and s[F.unlocked] >= 0:
            locks.append(s[F.unlocked])
        if s[F.asked] == rules.MOVE and s[F.companion] >= 0:
            left = s[F.place + s[F.companion]]
            steps = crowd + 1 - _rooms_between(REACH, locks, start, left)
            return self.say(
                "too far: {who} can go on by {steps}; it is {far} {to}",
                who=self.who(who),
                steps=self.rooms(steps),
                far=self.rooms(_rooms_between(REACH, locks, left, room)),
                to=self.towards(room),
            )
        far = self.rooms(_rooms_between(reach, locks, start, room))
        if crowd == 1:
            return self.say(
                "too far: {who} is alone and moves one room; it is {far} {to}",
                who=self.who(who),
                far=far,
                to=self.towards(room),
            )
        return self.say(
            "too far: {who} moves up to {most}, one for each person in the room; it is {far} {to}",
            who=self.who(who),
            most=self.rooms(crowd),
            far=far,
            to=self.towards(room),
        )


def _rooms_between(reach: Sequence[int], locks: Sequence[int], start: int, room: int) -> int:
    """How many rooms one has to go from one room to another, with the padlock on the most favourable of some corridors."""
    return min(
        next((n for n in range(CROWD) if reach[(lock * ROOM_COUNT + start) * CROWD + n] >> room & 1), CROWD) for lock in locks
    )
