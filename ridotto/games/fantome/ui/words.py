"""Le Fantôme in words: what its numbers are called, its actions, events and refusals as sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from ridotto.core.view import Outcome
from ridotto.engine.fields import Seat
from ridotto.games.fantome import rules
from ridotto.games.fantome.components import CROWD, EXIT, REACH, REACH_OF_MEG
from ridotto.games.fantome.components import ROOMS as ROOM_COUNT
from ridotto.games.fantome.rules import F
from ridotto.games.fantome.ui import messages
from ridotto.games.fantome.ui.facts import members
from ridotto.games.fantome.ui.reasons import Reasons
from ridotto.present.narrator import opening
from ridotto.present.words import OptionText, Standing


def corridor(number: int) -> str:
    """A corridor as the two rooms it joins."""
    return rules.CORRIDOR.names[number].replace("-", "–")


class Words(Reasons):
    """The sentences of Le Fantôme."""

    def player(self, seat: Seat) -> str:
        """The player of a seat, by name or as the inspector or the phantom."""
        return self.narrator.name(seat, self.say(messages.ROLES[seat]))

    def who(self, character: int) -> str:
        """A character's name."""
        return self.say(messages.CHARACTERS[character])

    def room(self, number: int) -> str:
        """A room's name and number, as on the board."""
        return f"{self.say(messages.ROOM_NAMES[number])} ({number})"

    def inside(self, number: int) -> str:
        """In that room."""
        return f"{self.say(messages.IN[number])} ({number})"

    def towards(self, number: int) -> str:
        """To that room."""
        return f"{self.say(messages.TO[number])} ({number})"

    def away(self, number: int) -> str:
        """From that room."""
        return f"{self.say(messages.FROM[number])} ({number})"

    def rooms(self, number: int) -> str:
        """A number of rooms."""
        return self.count("{number} room", "{number} rooms", number)

    def cast(self, bits: int) -> str:
        """A set of characters as a phrase."""
        return self.listed([self.who(who) for who in members(bits)]) or self.say("nobody")

    gaps: ClassVar = {
        "cards": cast,
        "cast": cast,
        "character": who,
        "corridor": lambda words, number: corridor(number),
        "here": inside,
        "kept": lambda words, bits: words.cast(bits) if bits else words.say("none"),
        "question": lambda words, asked: words.question(*asked).rstrip("."),
        "rooms": lambda words, bits: words.listed([words.room(room) for room in range(ROOM_COUNT) if bits >> room & 1]),
        "start": away,
        "to": towards,
        "where": inside,
        "who": who,
    }

    def standings(self, row: Sequence[int]) -> list[Standing]:
        """The aims of both sides: the suspects that are left, and La Carlotta's way to the exit."""
        suspects, steps = row[F.suspects].bit_count(), EXIT - row[F.carlotta]
        return [
            Standing(self.count("{number} suspect", "{number} suspects", suspects)),
            Standing(self.count("{number} space to go", "{number} spaces to go", steps)),
        ]

    # Actions.

    def label(self, s: Sequence[int], seat: Seat, action: int) -> str:
        """The label of an action: in small letters, unless it begins with a person who goes somewhere."""
        verb, n = rules.ACTIONS.family(action).verb, rules.ACTIONS.argument(action)
        label = self.line(messages.LABELS[verb], {}, s, seat, n)
        return opening(label) if verb == "move" or (verb == "send" and s[F.expelled]) else label

    def early(self, s: Sequence[int], seat: Seat, text: str) -> str:
        """An action, or who is sent where."""
        action = rules.ACTIONS.parse(text)
        if action is not None:
            return self.label(s, seat, action)
        _, who, room = text.split()
        name = opening(self.who(rules.CHARACTER.names.index(who)))
        return self.say("{who} is sent {to}", who=name, to=self.towards(rules.ROOM.names.index(room)))

    def question(self, s: Sequence[int], seat: Seat) -> str:
        """The decision that is wanted of a seat."""
        return self.line(messages.QUESTIONS[rules.ASKED.names[s[F.asked]]], {"seat": seat}, s)

    def guide(self, row: Sequence[int], seat: Seat) -> str:
        """Advice to a beginner about the decision that is wanted now."""
        asked = rules.ASKED.names[row[F.asked]]
        if asked == "power":
            asked = "call" if row[F.active] == rules.CHRISTINE else "drive"
        if asked == "pick":
            asked = "pick as phantom" if seat == rules.PHANTOM else "pick as inspector"
        return self.say(messages.GUIDE[asked]) if asked in messages.GUIDE else ""

    def verb(self, verb: str) -> str:
        """A family of actions as a phrase."""
        return self.say(messages.VERBS[verb])

    def option(self, name: str) -> OptionText | None:
        """An option as a form names and explains it."""
        title, explanation = messages.OPTIONS[name]
        return OptionText(self.say(title), self.say(explanation))

    # Events.

    def sentence(self, event: str, seen: Mapping[str, int]) -> str:
        """An event as a line of the log."""
        if event == "caught" and self.is_reader(rules.INSPECTOR):
            return self.fill(messages.CAUGHT_BY_YOU, messages.unmasked(seen))
        entry = messages.SENTENCES[event]
        return opening(self.line(entry, {} if callable(entry) else seen, seen))

    # The end.

    def victory(self, winner: Seat) -> str:
        """The victory of a seat, as the end of a sentence."""
        return self.fill(messages.VICTORIES[winner], {"seat": winner})

    def escape(self) -> str:
        """The victory of the phantom by La Carlotta's escape, as a sentence without its full stop."""
        return self.fill(messages.ESCAPE, {"seat": rules.PHANTOM})

    def ending(self, outcome: Outcome) -> str:
        """The end of a match, as a sentence."""
        for ending in rules.ENDINGS:
            if ending.name == outcome.ending:
                return self.say(ending.meaning)
        loser = 1 - outcome.winners[0]
        return self.fill(messages.OUT_OF_TIME if loser in self.narrator.late else messages.GAVE_UP, {"seat": loser})

    # Refusals.

    def because(self, reason: str, s: Sequence[int], seat: Seat, action: int) -> str:
        """The reason for a refusal, as the end of a sentence."""
        n = rules.ACTIONS.argument(action)
        return self._too_far(s, n) if reason == "too_far" else self.line(messages.REASONS[reason], {}, s, seat, n)

    def _too_far(self, s: Sequence[int], room: int) -> str:
        """The distance that the character being played may go, and the one to the room."""
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
    """The number of rooms from one room to another, with the padlock on the most favourable of some corridors."""
    return min(
        next((n for n in range(CROWD) if reach[(lock * ROOM_COUNT + start) * CROWD + n] >> room & 1), CROWD) for lock in locks
    )
