"""Turandot in words: its cards, the directors' terms, its actions, events and refusals as sentences.

The names of cards and categories come with the box; all else comes from the catalogues.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import ridotto.games.turandot.ui.messages as messages
from ridotto.engine.fields import Seat
from ridotto.games.turandot import rules
from ridotto.games.turandot.components import (
    AT_LEAST,
    CATEGORY,
    CATEGORY_IDS,
    CATEGORY_NAMES,
    DIRECTOR_NAMES,
    DIRECTOR_ROUND,
    FAVOURITE,
    PER,
    SEX,
    SINGER_NAMES,
    SINGERS,
    STARS,
    STATISTICS,
    TERMS,
    TROUPE,
    Filter,
    Term,
)
from ridotto.games.turandot.components import ROLES as ROLE_IDS
from ridotto.games.turandot.rules import NONE, F
from ridotto.games.turandot.ui.reasons import Reasons
from ridotto.present.narrator import distinct
from ridotto.present.words import OptionText, Rival, Standing


def runs(term: Term) -> list[list[int]]:
    """The numbers of a director's table, those of equal points together, without what six singers cannot give."""
    runs: list[list[int]] = []
    for number in range(0 if STATISTICS[term.statistic] == "women" else 1, TROUPE + 1):
        if runs and term.values[runs[-1][-1]] == term.values[number]:
            runs[-1].append(number)
        else:
            runs.append([number])
    return runs


def _form(term: Term) -> str:
    """The form of a term that counts singers, as in `messages.TERM_FORMS`."""
    if term.kind == PER:
        return "per"
    if term.kind == AT_LEAST:
        return "at_least_one" if term.n == 1 else "at_least"
    return "none" if term.n == 1 else "fewer_than"


def span(run: Sequence[int]) -> str:
    """Numbers in a row, from the first to the last."""
    return str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}"


class Words(Reasons):
    """The sentences of Turandot."""

    # Cards.

    def named(self, name: Any) -> str:
        """A name out of the box, in the language being spoken."""
        return str(name if isinstance(name, str) else name[self.narrator.language])

    def singer(self, number: int) -> str:
        """A singer's name."""
        return self.named(SINGER_NAMES[number])

    def director(self, number: int) -> str:
        """A director's name."""
        return self.named(DIRECTOR_NAMES[number])

    def card(self, number: int) -> str:
        """The name of a singer or a director."""
        return self.singer(number) if number < SINGERS else self.director(number - SINGERS)

    def category(self, number: int) -> str:
        """A category's name."""
        return self.named(CATEGORY_NAMES[number])

    def traits(self, number: int) -> str:
        """The text on a singer's card besides the name."""
        words = ["★" * STARS[number], self.category(CATEGORY[number]), self.say(messages.SEX_WORDS[SEX[number]])]
        if FAVOURITE[number] >= 0:
            words.append(self.say("likes to sing {role}", role=messages.ROLES[FAVOURITE[number]]))
        return ", ".join(words)

    def standings(self, row: Sequence[int]) -> Sequence[Standing]:
        """The stars of everybody's singers."""
        numbers = [rules.stars(list(row), F.troupe + seat * TROUPE) for seat in range(row[F.seats])]
        return self.ranked([self.count("{number} star", "{number} stars", number) for number in numbers], numbers)

    # The directors' terms.

    def terms(self, number: int) -> list[str]:
        """The points that a director gives and takes, a phrase for each term."""
        return [self.term(one) for one in TERMS[number]]

    def term(self, one: Term) -> str:
        """A term of a director as a phrase."""
        if one.which is None:
            return self.say(messages.TABLES[STATISTICS[one.statistic]], table=", ".join(self._table(one)))
        which, worth = self._which(one.which), messages.points(one.points)
        return self.say(messages.TERM_FORMS[_form(one)], points=worth, n=one.n, which=which)

    def _which(self, which: Filter) -> str:
        """The singers that a term counts, as a phrase behind "singer" or "singers"."""
        if which.trait == "category":
            names = [self.category(CATEGORY_IDS.index(one)) for one in which.values]
            return self.say("of category {names}", names=self._either(names))
        if which.trait == "sex":
            return self._either([self.say(messages.OF_SEX[one]) for one in which.values])
        if which.trait == "stars":
            return self.say("with {stars}", stars=self._either(["★" * int(one) for one in which.values]))
        if which.values == ("any",):
            return self.say("with a favourite role")
        if which.values == ("none",):
            return self.say("without a favourite role")
        roles = [messages.ROLES[ROLE_IDS.index(one)] for one in which.values]
        return self.say("whose favourite role is {roles}", roles=self._either(roles))

    def _either(self, items: Sequence[str]) -> str:
        """Items as a phrase: "a, b or c"."""
        if len(items) < 2:
            return "".join(items)
        return self.say("{first} or {last}", first=", ".join(items[:-1]), last=items[-1])

    def _table(self, one: Term) -> list[str]:
        """The lines of a table, runs of equal points in one, without the numbers that six singers cannot give."""
        return [self.say("{points} for {n}", points=messages.points(one.values[run[0]]), n=span(run)) for run in runs(one)]

    def briefly(self, one: Term) -> list[str]:
        """A term in signs, for a drawing with little room; a table in several pieces."""
        if one.which is None:
            first, *rest = self._table(one)
            return [self.say(messages.BRIEF_TABLES[STATISTICS[one.statistic]], table=first), *rest]
        signs = {**messages.SEX_SIGNS, "1": "★", "2": "★★", "3": "★★★", "any": "♥", "none": self.say("no {sign}", sign="♥")}
        signs |= {role: f"♥{name}" for role, name in zip(ROLE_IDS, messages.ROLES, strict=True)}
        signs |= {key: self.category(i) for i, key in enumerate(CATEGORY_IDS) if one.which.trait == "category"}
        which = "/".join(signs[value] for value in one.which.values)
        return [self.say(messages.BRIEF_TERMS[_form(one)], points=messages.points(one.points), n=one.n, which=which)]

    # Seats and what they lay.

    def colour(self, seat: Seat) -> str:
        """The colour of a seat."""
        return self.say(messages.PLAYERS[seat])

    def player(self, seat: Seat) -> str:
        """The name of a seat: of the person, or of its colour."""
        return self.narrator.name(seat, self.colour(seat))

    def letter(self, seat: Seat) -> str:
        """The letter on the mark of a seat: the first of a name, or one that tells its colour from the others."""
        colours = [self.colour(one) for one in range(rules.MOST)]
        return self.narrator.initial(seat, [distinct(colour, colours) for colour in colours])

    def seats(self, bits: int) -> str:
        """A set of seats as a phrase."""
        return self.names(seat for seat in range(rules.MOST) if bits >> seat & 1)

    def laid(self, choice: int) -> str:
        """The cards of an audition as a phrase."""
        money = rules.money_in(choice)
        number = rules.position_of(choice) + 1
        if not rules.is_bid(choice):
            cards = self.say("one money card alone")
        elif money == 0:
            cards = self.say("number {number}", number=number)
        else:
            cards = self.say("number {number} with {money}", number=number, money=self.money(money))
        return self.say("{cards} and the bluff card", cards=cards) if rules.bluff_in(choice) else cards

    def laid_for(self, card: int, choice: int) -> str:
        """A choice, after the card that it is for; NONE if it is for none."""
        if card == NONE:
            return self.laid(choice)
        return self.say("{card}: {cards}", card=self.card(card), cards=self.laid(choice))

    def money(self, number: int) -> str:
        """A number of money cards."""
        return self.count("{number} money card", "{number} money cards", number)

    gaps: ClassVar = {
        "calaf": singer,
        "card": card,
        "cards": laid,
        "director": lambda words, one: one if isinstance(one, str) else words.director(one),  # or what one brings
        "helper": lambda words, number: words.say(messages.HELPERS[number]),
        "liu": singer,
        "money": money,
        "other": player,
        "pang": singer,
        "ping": singer,
        "pong": singer,
        "position": lambda words, number: str(number + 1),
        "question": lambda words, asked: words.question(*asked).rstrip("."),
        "role": lambda words, role: messages.ROLES[role],
        "seats": seats,
        "singer": singer,
        "traits": traits,
        "turandot": singer,
        "who": colour,
        "winners": seats,
        **dict.fromkeys(("elements", "favourites", "puccini", "wrong"), lambda words, number: messages.points(number)),
    }

    # Actions and questions.

    def label(self, s: Sequence[int], seat: Seat, action: int) -> str:
        """The text of a button for an action."""
        verb = rules.ACTIONS.family(action).verb
        if verb in ("bid", "money"):
            return self.laid_for(s[F.offer + rules.position_of(action)] if rules.is_bid(action) else NONE, action)
        return self.line(messages.LABELS[verb], {}, s, seat, rules.ACTIONS.argument(action))

    def early(self, s: Sequence[int], seat: Seat, text: str) -> str:
        """A card that somebody is given, or a role that a singer is."""
        verb, what, which = text.split()
        if verb == "give":
            return self.line(messages.gift, {}, seat, int(what), s[F.offer + int(which) - 1])
        return self.fill(messages.SINGS, {"singer": rules.SINGER.names.index(which), "role": rules.ROLE.names.index(what)})

    def question(self, s: Sequence[int], seat: Seat) -> str:
        """The question to the seat to act."""
        if s[F.asked] == rules.UNDERSTUDY:
            other = rules.next_lacking(list(s))
            if other != seat and self.is_reader(other):
                return self.fill(messages.for_you(s), {"seat": seat})
        return self.line(messages.QUESTIONS[rules.ASKED.names[s[F.asked]]], {"seat": seat}, s, seat)

    def guide(self, row: Sequence[int], seat: Seat) -> str:
        """A beginner's note on the decision that is wanted now."""
        asked = rules.ASKED.names[row[F.asked]]
        if asked == "audition" and row[F.round] == DIRECTOR_ROUND:
            asked = "director"
        return self.say(messages.GUIDE[asked]) if asked in messages.GUIDE else ""

    def verb(self, verb: str) -> str:
        """A family of actions as a phrase."""
        return self.say(messages.VERBS[verb])

    def option(self, name: str) -> OptionText | None:
        """An option as a form names and explains it."""
        title, explanation = messages.OPTIONS[name]
        return OptionText(self.say(title), self.say(explanation))

    # Events and refusals.

    def sentence(self, event: str, seen: Mapping[str, int]) -> str:
        """An event as a line of the log."""
        if event == "names" and self.is_reader(seen["other"]):
            return self.fill(messages.NAMES_YOU, seen)
        return self.line(messages.SENTENCES[event], seen, seen)

    def because(self, reason: str, s: Sequence[int], seat: Seat, action: int) -> str:
        """The reason why an action is not allowed, as the end of a sentence."""
        return self.line(messages.REASONS[reason], {}, s, seat, action)

    def rivals(self, s: Sequence[int]) -> list[Rival]:
        """At the end of a match for two, the fictitious troupe (§9.3)."""
        if s[F.seats] != 2 or s[F.ending] == 0:
            return []
        row, at = list(s), F.fictitious
        parts = {
            "stars": rules.stars(row, at),
            "favourites": rules.favourites(row, at),
            "wrong": rules.wrong_sexes(row, at),
            "director": rules.director_points(row, at, s[F.fictitious_director]),
        }
        return [Rival(self.say("Fictitious troupe"), parts, rules.fictitious_total(row))]
