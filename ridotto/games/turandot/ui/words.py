"""Turandot in words: its cards, the directors' terms, its actions, events and refusals as sentences.

The names of cards and categories come with the box; all else comes from the catalogues.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from ridotto.engine.fields import HIDDEN, Seat
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
from ridotto.games.turandot.rules import (
    ACTIONS,
    ASKED,
    AUDITION,
    BY_PUCCINI,
    CARPENTER,
    CAST,
    DRESSMAKER,
    MOST,
    NAME,
    NONE,
    ROLE,
    SINGER,
    STRIKE,
    UNDERSTUDY,
    F,
    bluff_in,
    director_points,
    favourites,
    fictitious_total,
    is_bid,
    money_in,
    next_lacking,
    position_of,
    stars,
    wrong_sexes,
)
from ridotto.games.turandot.ui.reasons import Reasons
from ridotto.present.narrator import distinct, mark
from ridotto.present.words import OptionText, Rival, Standing

PLAYERS = (mark("Red"), mark("Blue"), mark("Yellow"), mark("Green"), mark("Violet"))
ROLES = ("Turandot", "Calaf", "Liù", "Ping", "Pong", "Pang")
HELPERS = {DRESSMAKER: mark("the dressmaker"), CARPENTER: mark("the carpenter")}
SEX_WORDS = (mark("woman"), mark("man"), mark("undetermined sex"))
SEX_SIGNS = {"F": "♀", "M": "♂", "U": "⚥"}
VERBS = {
    "bid": mark("bid for a number"),
    "money": mark("lay a money card alone"),
    "give": mark("give an understudy"),
    "name": mark("pick an opponent"),
    "strike": mark("strike a director"),
    "cast": mark("cast a role"),
}
"""What each family of actions is called."""
OPTIONS = {
    "blind": (mark("Blind auditions"), mark("All bid at once, and nobody sees how many cards the others lay.")),
}
"""What each option is called in a form, and what it does."""


def points(number: int) -> str:
    """Points with their sign."""
    return f"+{number}" if number > 0 else f"−{-number}" if number < 0 else "0"


def runs(term: Term) -> list[list[int]]:
    """The numbers of a director's table, those of equal points together, without what six singers cannot give."""
    runs: list[list[int]] = []
    for number in range(0 if STATISTICS[term.statistic] == "women" else 1, TROUPE + 1):
        if runs and term.values[runs[-1][-1]] == term.values[number]:
            runs[-1].append(number)
        else:
            runs.append([number])
    return runs


def span(run: Sequence[int]) -> str:
    """Numbers in a row, from the first to the last."""
    return str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}"


GUIDE = {
    "audition": mark(
        "Most money on a number wins its singer, but a tie wins nothing. Nobody sees your cards before all have bid. Stars "
        "are points; look also for singers whose favourite role is still free."
    ),
    "director": mark("A director pays for certain singers at the end. Bid for one whose terms fit the singers you have."),
    "understudy": mark("Whoever won nothing gets one of the cards left. Give the others what helps them least."),
    "name": mark("Whoever you pick must strike a director: pick somebody who would strike one that you do not want anyway."),
    "strike": mark("A struck director is out of the match. Strike one whose terms suit the others better than you."),
    "cast": mark("A singer in the favourite role brings points; one of the wrong sex for a role costs some."),
}
"""What a beginner should know about each question."""


@lru_cache(4096)
def _standings(words: Words, singers: tuple[int, ...]) -> Sequence[Standing]:
    """Standings by the singers of all troupes, one after another."""
    troupes = [singers[at : at + TROUPE] for at in range(0, len(singers), TROUPE)]
    stars = [sum(STARS[singer] for singer in troupe if singer >= 0) for troupe in troupes]
    return tuple(words.ranked([words.count("{number} star", "{number} stars", number) for number in stars], stars))


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
        """What a singer's card says besides the name."""
        words = ["★" * STARS[number], self.category(CATEGORY[number]), self.say(SEX_WORDS[SEX[number]])]
        if FAVOURITE[number] >= 0:
            words.append(self.say("likes to sing {role}", role=ROLES[FAVOURITE[number]]))
        return ", ".join(words)

    def standings(self, row: Sequence[int]) -> Sequence[Standing]:
        """The stars of everybody's singers."""
        return _standings(self.nameless(), tuple(row[F.troupe : F.troupe + row[F.seats] * TROUPE]))

    # The directors' terms.

    def terms(self, number: int) -> list[str]:
        """What a director gives and takes, a phrase for each term."""
        return [self.term(one) for one in TERMS[number]]

    def term(self, one: Term) -> str:
        """A term of a director as a phrase."""
        if one.which is None:
            return self._by_number(one)
        which, sum_ = self._which(one.which), points(one.points)
        if one.kind == PER:
            return self.say("{points} for each singer {which}", points=sum_, which=which)
        if one.kind == AT_LEAST:
            if one.n == 1:
                return self.say("{points} with at least one singer {which}", points=sum_, which=which)
            return self.say("{points} with at least {n} singers {which}", points=sum_, n=one.n, which=which)
        if one.n == 1:
            return self.say("{points} without any singer {which}", points=sum_, which=which)
        return self.say("{points} with fewer than {n} singers {which}", points=sum_, n=one.n, which=which)

    def _which(self, which: Filter) -> str:
        """The singers that a term counts, as a phrase behind "singer" or "singers"."""
        if which.trait == "category":
            return self.say(
                "of category {names}", names=self._either([self.category(CATEGORY_IDS.index(one)) for one in which.values])
            )
        if which.trait == "sex":
            of = {"F": self.say("of female sex"), "M": self.say("of male sex"), "U": self.say("of undetermined sex")}
            return self._either([of[one] for one in which.values])
        if which.trait == "stars":
            return self.say("with {stars}", stars=self._either(["★" * int(one) for one in which.values]))
        if which.values == ("any",):
            return self.say("with a favourite role")
        if which.values == ("none",):
            return self.say("without a favourite role")
        return self.say(
            "whose favourite role is {roles}", roles=self._either([ROLES[ROLE_IDS.index(one)] for one in which.values])
        )

    def _either(self, items: Sequence[str]) -> str:
        """Items as a phrase: "a, b or c"."""
        if len(items) < 2:
            return "".join(items)
        return self.say("{first} or {last}", first=", ".join(items[:-1]), last=items[-1])

    def _by_number(self, one: Term) -> str:
        """A table as a phrase."""
        shown = ", ".join(self._table(one))
        if STATISTICS[one.statistic] == "distinct_categories":
            return self.say("by the number of different categories: {table}", table=shown)
        if STATISTICS[one.statistic] == "max_same_category":
            return self.say("by the largest number of singers of one category: {table}", table=shown)
        return self.say("by the number of women: {table}", table=shown)

    def _table(self, one: Term) -> list[str]:
        """The lines of a table, runs of equal points in one, without the numbers that six singers cannot give."""
        return [self.say("{points} for {n}", points=points(one.values[run[0]]), n=span(run)) for run in runs(one)]

    def briefly(self, one: Term) -> list[str]:
        """A term in signs, for a drawing with little room; a table in several pieces."""
        if one.which is None:
            first, *rest = self._table(one)
            by = {
                "distinct_categories": self.say("by the number of categories: {table}", table=first),
                "max_same_category": self.say("by the most of one category: {table}", table=first),
                "women": self.say("by the number of women: {table}", table=first),
            }
            return [by[STATISTICS[one.statistic]], *rest]
        signs = {**SEX_SIGNS, "1": "★", "2": "★★", "3": "★★★", "any": "♥", "none": self.say("no {sign}", sign="♥")}
        signs |= {role: f"♥{name}" for role, name in zip(ROLE_IDS, ROLES, strict=True)}
        signs |= {key: self.category(i) for i, key in enumerate(CATEGORY_IDS) if one.which.trait == "category"}
        which = "/".join(signs[value] for value in one.which.values)
        if one.kind == PER:
            return [self.say("{points} for each {which}", points=points(one.points), which=which)]
        if one.kind == AT_LEAST:
            return [self.say("{points} with at least {n} {which}", points=points(one.points), n=one.n, which=which)]
        if one.n == 1:
            return [self.say("{points} without any {which}", points=points(one.points), which=which)]
        return [self.say("{points} with fewer than {n} {which}", points=points(one.points), n=one.n, which=which)]

    # Seats and what they lay.

    def colour(self, seat: Seat) -> str:
        """The colour of a seat."""
        return self.say(PLAYERS[seat])

    def player(self, seat: Seat) -> str:
        """Who sits there, by name or by colour."""
        return self.narrator.name(seat, self.colour(seat))

    def letter(self, seat: Seat) -> str:
        """What stands on the mark of a seat: the first letter of a name, or what tells its colour from the others."""
        return self.narrator.initial(seat, distinct(self.colour(seat), [self.colour(one) for one in range(MOST)]))

    def seats(self, bits: int) -> str:
        """A set of seats as a phrase."""
        return self.names(seat for seat in range(MOST) if bits >> seat & 1)

    def laid(self, choice: int) -> str:
        """The cards of an audition as a phrase."""
        money = money_in(choice)
        number = position_of(choice) + 1
        if not is_bid(choice):
            cards = self.say("one money card alone")
        elif money == 0:
            cards = self.say("number {number}", number=number)
        else:
            cards = self.say("number {number} with {money}", number=number, money=self.money(money))
        return self.say("{cards} and the bluff card", cards=cards) if bluff_in(choice) else cards

    def laid_for(self, card: int, choice: int) -> str:
        """A choice, after the card that it is for; NONE if it is for none."""
        if card == NONE:
            return self.laid(choice)
        return self.say("{card}: {cards}", card=self.card(card), cards=self.laid(choice))

    def money(self, number: int) -> str:
        """A number of money cards."""
        return self.count("{number} money card", "{number} money cards", number)

    # Actions.

    def label(self, s: Sequence[int], seat: Seat, action: int) -> str:
        """What a button for an action says."""
        verb = ACTIONS.family(action).verb
        n = ACTIONS.argument(action)
        if verb in ("bid", "money"):
            return self.laid_for(s[F.offer + position_of(action)] if is_bid(action) else NONE, action)
        if verb == "give":
            there = s[F.offer + n]
            if there == NONE or s[F.lacking] == 0:
                return self.say("give the card under number {number}", number=n + 1)
            return self._label_of_gift(seat, next_lacking(list(s)), there)
        if verb == "name":
            return self.tell(n, "pick you", "pick {who}")
        if verb == "strike":
            return self.say("strike {director}", director=self.director(n))
        role = s[F.assigned + seat]
        if role == TROUPE:
            return self.say("cast {singer}", singer=self.singer(n))
        return self.say("{singer} sings {role}", singer=self.singer(n), role=ROLES[role])

    def _label_of_gift(self, seat: Seat, other: Seat, card: int) -> str:
        """A card that a seat gives to somebody, or takes."""
        if other == seat:
            return self.say("take {card}", card=self.card(card))
        return self.tell(other, "give you {card}", "give {card} to {who}", card=self.card(card))

    def early(self, s: Sequence[int], seat: Seat, text: str) -> str:
        """A card that somebody is given, or a role that a singer is."""
        verb, what, which = text.split()
        if verb == "give":
            return self._label_of_gift(seat, int(what), s[F.offer + int(which) - 1])
        role, singer = ROLES[ROLE.names.index(what)], self.singer(SINGER.names.index(which))
        return self.say("{singer} sings {role}", singer=singer, role=role)

    def question(self, s: Sequence[int], seat: Seat) -> str:
        """What is wanted of the seat to act."""
        asked = s[F.asked]
        directing = s[F.round] == DIRECTOR_ROUND
        if asked == AUDITION and directing:
            return self.tell(seat, "Your bid: which director, how much money?", "{who} bids for a director.")
        if asked == AUDITION:
            return self.tell(seat, "Your bid: which singer, how much money?", "{who} bids for a singer.")
        if asked == UNDERSTUDY:
            return self._understudy(seat, next_lacking(list(s)), directing)
        if asked == NAME:
            return self.tell(
                seat,
                "You have Puccini: pick an opponent, who must strike a director.",
                "{who} has Puccini and picks an opponent, who must strike a director.",
            )
        if asked == STRIKE:
            return self.tell(seat, "Strike a director.", "{who} strikes a director.")
        if asked == CAST and s[F.assigned + seat] < TROUPE:
            role = ROLES[s[F.assigned + seat]]
            return self.tell(seat, "Who sings {role}?", "{who} chooses who sings {role}.", role=role)
        if asked == CAST:
            return self.tell(
                seat,
                "You have cast all your roles. Still casting: {seats}.",
                "{who} has cast all roles. Still casting: {seats}.",
                seats=self.seats(s[F.owing]),
            )
        return self.say("The match is over.")

    def guide(self, row: Sequence[int], seat: Seat) -> str:
        """What a beginner should know about the decision that is wanted now."""
        asked = ASKED.names[row[F.asked]]
        if asked == "audition" and row[F.round] == DIRECTOR_ROUND:
            asked = "director"
        return self.say(GUIDE[asked]) if asked in GUIDE else ""

    def _understudy(self, seat: Seat, other: Seat, directing: bool) -> str:
        """What is wanted of Puccini's holder, who gives away the cards that nobody has won."""
        if other == seat and directing:
            return self.tell(
                seat,
                "You have Puccini: take one of the directors left.",
                "{who} has Puccini and takes one of the directors left.",
            )
        if other == seat:
            return self.tell(seat, "You have Puccini: take an understudy.", "{who} has Puccini and takes an understudy.")
        if directing and self.is_reader(other):
            return self.say("{who} has Puccini and chooses a director for you.", who=self.player(seat))
        if directing:
            return self.tell(
                seat,
                "You have Puccini: which director does {other} get?",
                "{who} has Puccini and chooses a director for {other}.",
                other=self.player(other),
            )
        if self.is_reader(other):
            return self.say("{who} has Puccini and chooses an understudy for you.", who=self.player(seat))
        return self.tell(
            seat,
            "You have Puccini: which understudy does {other} get?",
            "{who} has Puccini and chooses an understudy for {other}.",
            other=self.player(other),
        )

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
        seat = seen.get("seat", NONE)
        number = seen.get("position", NONE) + 1
        name = self.card(seen["card"]) if "card" in seen else ""
        if event == "blind":
            return self.say("The auditions are blind: all bid at once, and nobody sees how many cards the others lay.")
        if event == "starts":
            return self.tell(seat, "You are the first to have Puccini.", "{who} is the first to have Puccini.")
        if event == "opens" and seen["round"] == DIRECTOR_ROUND:
            return self.tell(
                seat,
                "Round {round}, the directors: you have Puccini.",
                "Round {round}, the directors: {who} has Puccini.",
                round=seen["round"],
            )
        if event == "opens":
            return self.tell(seat, "Round {round}: you have Puccini.", "Round {round}: {who} has Puccini.", round=seen["round"])
        if event == "presents":
            return self.say("Number {number}: {card}, {traits}.", number=number, card=name, traits=self.traits(seen["card"]))
        if event == "offers":
            return self.say("Number {number}: {card}.", number=number, card=name)
        if event == "removed":
            return self.say("{director} leaves the game.", director=self.director(seen["director"]))
        if event == "lays":
            return self._lays(seen)
        if event == "reveals":
            return self.tell(seat, "You show {cards}.", "{who} shows {cards}.", cards=self.laid(seen["choice"]))
        if event == "recruits" and seen["paid"] == 0:
            return self.tell(
                seat, "You win number {number}: {card}.", "{who} wins number {number}: {card}.", number=number, card=name
            )
        if event == "recruits":
            return self.tell(
                seat,
                "You win number {number} for {money}: {card}.",
                "{who} wins number {number} for {money}: {card}.",
                number=number,
                money=self.money(seen["paid"]),
                card=name,
            )
        if event == "overbids":
            return self.tell(
                seat,
                "You bid most for number {number} and win it for {money}: {card}.",
                "{who} bids most for number {number} and wins it for {money}: {card}.",
                number=number,
                money=self.money(seen["paid"]),
                card=name,
            )
        if event == "outbid" and seen["back"] == 0:
            return self.tell(seat, "You are outbid on number {number}.", "{who} is outbid on number {number}.", number=number)
        if event == "outbid":
            return self.tell(
                seat,
                "You are outbid on number {number} and take {money} back.",
                "{who} is outbid on number {number} and takes {money} back.",
                number=number,
                money=self.money(seen["back"]),
            )
        if event == "tied":
            return self._tied(seen, number)
        if event == "hires":
            return self.tell(
                seat,
                "You hire {helper}: your money card becomes a stage element.",
                "{who} hires {helper}: the money card becomes a stage element.",
                helper=self.say(HELPERS[seen["helper"]]),
            )
        if event == "refused" and seen["why"] == BY_PUCCINI:
            return self.tell(
                seat,
                "You have Puccini and may not hire anybody: your money card goes back.",
                "{who} has Puccini and may not hire anybody: the money card goes back.",
            )
        if event == "refused":
            return self.tell(
                seat,
                "You take your money card back: nobody is left for hire.",
                "{who} takes the money card back: nobody is left for hire.",
            )
        if event == "retrieves":
            return self.tell(
                seat,
                "You take your money card back: nobody is for hire in this round.",
                "{who} takes the money card back: nobody is for hire in this round.",
            )
        if event == "gives" and seen["card"] < SINGERS:
            return self.tell(seat, "You get {card} as understudy.", "{who} gets {card} as understudy.", card=name)
        if event == "gives":
            return self.tell(
                seat,
                "You get {card}, one of the directors left.",
                "{who} gets {card}, one of the directors left.",
                card=name,
            )
        if event == "names" and self.is_reader(seen["other"]):
            return self.say("{who} picks you to strike a director.", who=self.player(seat))
        if event == "names":
            return self.tell(
                seat,
                "You pick {other} to strike a director.",
                "{who} picks {other} to strike a director.",
                other=self.player(seen["other"]),
            )
        if event == "strikes":
            return self.tell(
                seat, "You strike {director}.", "{who} strikes {director}.", director=self.director(seen["director"])
            )
        if event == "leaves":
            return self.say("{card} is left over and leaves the game.", card=name)
        if event == "joins":
            return self.say("{card} is left over and joins the fictitious troupe.", card=name)
        return self._end(event, seen)

    def _lays(self, seen: Mapping[str, int]) -> str:
        """Cards laid face down: their owner knows them, the others count them."""
        seat = seen["seat"]
        if seen["choice"] != HIDDEN:
            return self.tell(seat, "You lay {cards}.", "{who} lays {cards}.", cards=self.laid(seen["choice"]))
        return self.count(
            "{who} lays {number} card face down.",
            "{who} lays {number} cards face down.",
            seen["cards"],
            who=self.player(seat),
        )

    def _tied(self, seen: Mapping[str, int], number: int) -> str:
        equal = self.seats(seen["seats"])
        if seen["money"] == 0:
            return self.say("Number {number}: a tie between {seats}. Nobody wins it.", number=number, seats=equal)
        return self.say(
            "Number {number}: a tie between {seats}. Nobody wins it, and all money goes back.", number=number, seats=equal
        )

    def _end(self, event: str, seen: Mapping[str, int]) -> str:
        """The castings, the scores and the end."""
        seat = seen.get("seat", NONE)
        if event == "leads":
            return self.tell(
                seat,
                "Your cast: {turandot} sings Turandot, {calaf} Calaf, {liu} Liù.",
                "{who}: {turandot} sings Turandot, {calaf} Calaf, {liu} Liù.",
                turandot=self.singer(seen["turandot"]),
                calaf=self.singer(seen["calaf"]),
                liu=self.singer(seen["liu"]),
            )
        if event == "trio":
            return self.tell(
                seat,
                "Your cast: {ping} sings Ping, {pong} Pong, {pang} Pang.",
                "{who}: {ping} sings Ping, {pong} Pong, {pang} Pang.",
                ping=self.singer(seen["ping"]),
                pong=self.singer(seen["pong"]),
                pang=self.singer(seen["pang"]),
            )
        worth = {key: points(seen[key]) for key in ("favourites", "wrong", "elements", "director", "puccini") if key in seen}
        if event == "sings":
            return self.tell(
                seat,
                "Your points: stars {stars}, favourite roles {favourites}, wrong sexes {wrong}.",
                "{who}: stars {stars}, favourite roles {favourites}, wrong sexes {wrong}.",
                stars=seen["stars"],
                favourites=worth["favourites"],
                wrong=worth["wrong"],
            )
        if event == "counts" and seen["puccini"] == 0:
            return self.tell(
                seat,
                "Your points: stage elements {elements}, director {director}. Total: {total}.",
                "{who}: stage elements {elements}, director {director}. Total: {total}.",
                elements=worth["elements"],
                director=worth["director"],
                total=seen["total"],
            )
        if event == "counts":
            return self.tell(
                seat,
                "Your points: stage elements {elements}, director {director}, Puccini {puccini}. Total: {total}.",
                "{who}: stage elements {elements}, director {director}, Puccini {puccini}. Total: {total}.",
                elements=worth["elements"],
                director=worth["director"],
                puccini=worth["puccini"],
                total=seen["total"],
            )
        if event == "fictitious":
            return self.say(
                "The fictitious troupe: stars {stars}, favourite roles {favourites}, wrong sexes {wrong}, director {director}. "
                "Total: {total}.",
                stars=seen["stars"],
                favourites=worth["favourites"],
                wrong=worth["wrong"],
                director=worth["director"],
                total=seen["total"],
            )
        if event == "lost":
            return self.say("The fictitious troupe beats both players: nobody wins.")
        if event == "wins":
            return self.tell(seat, "You have the highest total and win.", "{who} has the highest total and wins.")
        return self._broken_tie(event, seen)

    def _broken_tie(self, event: str, seen: Mapping[str, int]) -> str:
        """Who wins of those with the highest total, and by what."""
        total, equal, stars = seen["total"], self.seats(seen["seats"]), seen["stars"]
        if event == "settles":
            return self.tell(
                seen["seat"],
                "Equal totals ({total}): {seats}. You have the most stars ({stars}) and win.",
                "Equal totals ({total}): {seats}. {who} has the most stars ({stars}) and wins.",
                total=total,
                seats=equal,
                stars=stars,
            )
        if seen["winners"] == seen["seats"]:
            return self.say(
                "Equal totals ({total}) and equal stars ({stars}). A shared victory: {seats}.",
                total=total,
                stars=stars,
                seats=equal,
            )
        return self.say(
            "Equal totals ({total}): {seats}. The most stars ({stars}) and a shared victory: {winners}.",
            total=total,
            seats=equal,
            stars=stars,
            winners=self.seats(seen["winners"]),
        )

    def rivals(self, s: Sequence[int]) -> list[Rival]:
        """At the end of a match for two, the fictitious troupe (§9.3)."""
        if s[F.seats] != 2 or s[F.ending] == 0:
            return []
        row, at = list(s), F.fictitious
        parts = {
            "stars": stars(row, at),
            "favourites": favourites(row, at),
            "wrong": wrong_sexes(row, at),
            "director": director_points(row, at, s[F.fictitious_director]),
        }
        return [Rival(self.say("Fictitious troupe"), parts, fictitious_total(row))]

    # Refusals.

    def because(self, reason: str, s: Sequence[int], seat: Seat, action: int) -> str:
        """Why an action is not allowed, as the end of a sentence."""
        n = ACTIONS.argument(action)
        if reason == "over":
            return self.say("the match is over")
        if reason == "wait":
            return self.say("it is not your turn: waiting for {seats}", seats=self.seats(s[F.owing]))
        if reason == "not_asked":
            return self.say("something else comes first: “{question}”", question=self.question(s, seat).rstrip("."))
        if reason == "no_number":
            return self.say("with {n} players there is no number {number}", n=s[F.seats], number=position_of(action) + 1)
        if reason == "no_money":
            if s[F.money + seat] == 0:
                return self.say("you have no money card left")
            left, bid = s[F.money + seat], money_in(action)
            return self.count(
                "you have only {number} money card left, not {bid}",
                "you have only {number} money cards left, not {bid}",
                left,
                bid=bid,
            )
        if reason == "no_card":
            return self.say("no card lies under number {number}", number=n + 1)
        if reason == "yourself":
            return self.say("you must pick somebody else")
        if reason == "nobody_there":
            return self.say("{who} does not play in this match", who=self.colour(n))
        if reason == "struck":
            return self.say("{director} has been struck already", director=self.director(n))
        if reason == "not_yours":
            return self.say("{singer} is not in your troupe", singer=self.singer(n))
        cast = s[F.casting + seat * TROUPE : F.casting + (seat + 1) * TROUPE]
        role = next((role for role, singer in zip(ROLES, cast, strict=True) if singer == n), ROLES[0])
        return self.say("{singer} sings {role} already", singer=self.singer(n), role=role)
