"""Opera in words: what its numbers are called, its actions, events and refusals as sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import ridotto.games.opera.ui.messages as messages
from ridotto.core.errors import BadSeries
from ridotto.engine.fields import Seat
from ridotto.games.opera import rules
from ridotto.games.opera.components import HALLS
from ridotto.games.opera.rules import A, F
from ridotto.games.opera.ui.reasons import Reasons
from ridotto.present.narrator import mark, opening
from ridotto.present.words import OptionText, Standing


class Words(Reasons):
    """The sentences of Opera."""

    def colour(self, seat: Seat) -> str:
        """The colour of a seat."""
        return self.say(messages.PLAYERS[seat])

    def player(self, seat: Seat) -> str:
        """A seat's player, by name or by colour."""
        return self.narrator.name(seat, self.colour(seat))

    def composer(self, number: int) -> str:
        """A composer's name."""
        return self.say(messages.COMPOSERS[number])

    def piece(self, number: int) -> str:
        """A piece by its composer's name."""
        return self.say("the house piece") if number == rules.HOUSE else self.composer(number)

    def cast(self, bits: int) -> str:
        """A set of pieces as a phrase."""
        return self.listed([self.piece(number) for number in range(7) if bits >> number & 1])

    def city(self, number: int) -> str:
        """A city's name."""
        return self.say(messages.CITIES[number])

    def role(self, number: int) -> str:
        """A role with its article; NONE for any with a figure."""
        return self.say("the figure") if number == rules.NONE else self.say(messages.ROLES[number])

    def part(self, site: int) -> str:
        """A building part with its city; where a city has several wings, the first is called so."""
        if site & 3 == 1 and HALLS[site + 1]:
            return self.say("the first wing in {city}", city=self.city(site >> 2))
        return self.say(messages.PARTS[site & 3], city=self.city(site >> 2))

    def hall(self, city_number: int, hall_number: int) -> str:
        """A hall of one's house in a city."""
        if hall_number == 0:
            return self.say("the great hall in {city}", city=self.city(city_number))
        return self.say("hall {number} in {city}", number=hall_number + 1, city=self.city(city_number))

    def ducats(self, number: int) -> str:
        """An amount of money."""
        return self.count("{number} ducat", "{number} ducats", number)

    def points(self, number: int) -> str:
        """An amount of points."""
        return self.count("{number} point", "{number} points", number)

    def pieces(self, number: int) -> str:
        """A number of pieces."""
        return self.count("{number} piece", "{number} pieces", number)

    def halls(self, number: int) -> str:
        """A number of halls."""
        return self.count("{number} hall", "{number} halls", number)

    def levels(self, number: int) -> str:
        """A number of budget levels."""
        return self.count("{number} level", "{number} levels", number)

    def fee(self, number: int) -> str:
        """The price of playing along: a number of levels, or nothing."""
        return self.levels(number) if number else self.say("nothing")

    def amount(self, payment: int, number: int) -> str:
        """A payment of the Palazzo: ducats, or points."""
        return self.points(number) if payment else self.ducats(number)

    def steps(self, number: int) -> str:
        """A number of steps on the fame ladder."""
        return self.count("{number} step", "{number} steps", number)

    gaps: ClassVar = {
        "amount": lambda words, amount: words.amount(*amount),
        "cast": cast,
        "city": city,
        "composer": composer,
        "count": lambda words, number: words.say(messages.COUNTS[number - 1]),
        "ducats": ducats,
        "figures": lambda words, roles: words.listed([words.role(role) for role in roles]),
        "great": piece,
        "hall": lambda words, place: words.hall(*place),
        "halls": halls,
        "levels": fee,
        "part": part,
        "piece": piece,
        "pieces": pieces,
        "points": points,
        "price": fee,
        "question": lambda words, asked: words.question(*asked).rstrip("."),
        "receiver": player,
        "role": role,
        "seats": Reasons.names,
        "side": cast,
        "steps": steps,
        "total": points,
        "what": lambda words, amount: words.amount(*amount),
    }

    def standings(self, row: Sequence[int]) -> list[Standing]:
        """Everybody's points."""
        points = [row[F.points + seat] for seat in range(row[F.seats])]
        return self.ranked([self.points(number) for number in points], points)

    # Actions and questions.

    def label(self, s: Sequence[int], seat: Seat, action: int) -> str:
        """The label of a button: in small letters, unless it begins with a thing that is named."""
        verb, n = rules.ACTIONS.family(action).verb, rules.ACTIONS.argument(action)
        label = self.line(messages.LABELS[verb], {}, s, seat, n)
        return opening(label) if verb == "move" or (verb == "place" and s[F.city] >= 0) else label

    def question(self, s: Sequence[int], seat: Seat) -> str:
        """The question to the seat to act."""
        return self.line(messages.QUESTIONS[rules.ASKED.names[s[F.asked]]], {"seat": seat}, s, seat)

    def guide(self, row: Sequence[int], seat: Seat) -> str:
        """Advice to a beginner about the question."""
        return self.say(messages.GUIDE[rules.ASKED.names[row[F.asked]]]) if row[F.asked] != rules.NOTHING else ""

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
        if event in messages.OFFERS:
            drawn = [self.fill(messages.OFFERS[event], seen)] if seen["pieces"] else []
            aside = [self.fill(messages.ASIDE, {**seen, "number": seen["aside"]})] if seen["aside"] else []
            return " ".join(drawn + aside)
        if event == "gives" and self.is_reader(seen["receiver"]):
            return self.fill(mark("{who} gives you {composer}."), seen)
        return self.line(messages.SENTENCES[event], seen, seen)

    # Refusals.

    def because(self, reason: str, s: Sequence[int], seat: Seat, action: int) -> str:
        """The reason of a refusal, as the end of a sentence."""
        if reason == "no_part":
            return self._because_of_purse(s, seat)
        return self.line(messages.REASONS[reason], {}, s, seat, rules.ACTIONS.argument(action))

    def _because_of_purse(self, s: Sequence[int], seat: Seat) -> str:
        """The ducats of a seat, and the price of the cheapest part."""
        parts = rules.sites(list(s), seat, rules.ENDLESS)
        cheapest = min((rules.A_HALL * HALLS[site] for site in range(24) if parts >> site & 1), default=0)
        return self.say(
            "the cheapest part costs {price}, and you have {purse}",
            price=self.ducats(cheapest),
            purse=s[F.ducats + seat],
        )

    # A whole arrangement.

    def usage(self) -> Mapping[str, str]:
        """Examples of such texts, and their effect."""
        return {text: self.say(meaning) for text, meaning in messages.USAGE.items()}

    def fault(self, s: Sequence[int], seat: Seat, fault: BadSeries) -> str:
        """A fault in the text of a whole arrangement."""
        if fault.reason in ("wait", "not_asked"):
            return self.say("cannot arrange: {reason}", reason=self.because(fault.reason, s, seat, A.keep))
        names = rules.CITY.names if fault.reason == "no_city" else (*rules.PIECE.names, "-")
        facts = {**fault.values, "hall": (fault.values.get("city"), fault.values.get("hall")), "names": ", ".join(names)}
        return self.say("cannot arrange: {reason}", reason=self.fill(messages.FAULTS[fault.reason], facts))
