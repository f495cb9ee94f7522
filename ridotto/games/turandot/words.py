"""Turandot in words: its cards, the directors' terms, its actions, events and refusals as sentences.

The names of cards and categories come with the box; all else comes from the catalogues.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ridotto.core.narrator import Rival, called, initial, listed, mark, say, spoken
from ridotto.engine.fields import HIDDEN, Seat
from ridotto.games.turandot.components import (
    AT_LEAST,
    CATEGORY,
    CATEGORY_IDS,
    CATEGORY_NAMES,
    DIRECTOR_NAMES,
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
    AUDITION,
    BY_PUCCINI,
    CARPENTER,
    CAST,
    DIRECTOR_ROUND,
    DRESSMAKER,
    MOST,
    NAME,
    NONE,
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

ROLES = ("Turandot", "Calaf", "Liù", "Ping", "Pong", "Pang")
HELPERS = {DRESSMAKER: mark("the dressmaker"), CARPENTER: mark("the carpenter")}
SEX_WORDS = (mark("woman"), mark("man"), mark("undetermined sex"))
SEX_SIGNS = {"F": "♀", "M": "♂", "U": "⚥"}


# Cards.


def named(name: Any) -> str:
    """A name out of the box, in the language being spoken."""
    return str(name if isinstance(name, str) else name[spoken()])


def singer(number: int) -> str:
    """A singer's name."""
    return named(SINGER_NAMES[number])


def director(number: int) -> str:
    """A director's name."""
    return named(DIRECTOR_NAMES[number])


def card(number: int) -> str:
    """The name of a singer or a director."""
    return singer(number) if number < SINGERS else director(number - SINGERS)


def category(number: int) -> str:
    """A category's name."""
    return named(CATEGORY_NAMES[number])


def traits(number: int) -> str:
    """What a singer's card says besides the name."""
    words = ["★" * STARS[number], category(CATEGORY[number]), say(SEX_WORDS[SEX[number]])]
    if FAVOURITE[number] >= 0:
        words.append(say("likes to sing {role}", role=ROLES[FAVOURITE[number]]))
    return ", ".join(words)


# The directors' terms.


def points(number: int) -> str:
    """Points with their sign."""
    return f"+{number}" if number > 0 else f"−{-number}" if number < 0 else "0"


def terms(number: int) -> list[str]:
    """What a director gives and takes, a phrase for each term."""
    return [term(one) for one in TERMS[number]]


def term(one: Term) -> str:
    """A term of a director as a phrase."""
    if one.which is None:
        return _by_number(one)
    which, sum_ = _which(one.which), points(one.points)
    if one.kind == PER:
        return say("{points} for each singer {which}", points=sum_, which=which)
    if one.kind == AT_LEAST:
        if one.n == 1:
            return say("{points} with at least one singer {which}", points=sum_, which=which)
        return say("{points} with at least {n} singers {which}", points=sum_, n=one.n, which=which)
    if one.n == 1:
        return say("{points} without any singer {which}", points=sum_, which=which)
    return say("{points} with fewer than {n} singers {which}", points=sum_, n=one.n, which=which)


def _which(which: Filter) -> str:
    """The singers that a term counts, as a phrase behind "singer" or "singers"."""
    if which.trait == "category":
        return say("of category {names}", names=_either([category(CATEGORY_IDS.index(one)) for one in which.values]))
    if which.trait == "sex":
        of = {"F": say("of female sex"), "M": say("of male sex"), "U": say("of undetermined sex")}
        return _either([of[one] for one in which.values])
    if which.trait == "stars":
        return say("with {stars}", stars=_either(["★" * int(one) for one in which.values]))
    if which.values == ("any",):
        return say("with a favourite role")
    if which.values == ("none",):
        return say("without a favourite role")
    return say("whose favourite role is {roles}", roles=_either([ROLES[ROLE_IDS.index(one)] for one in which.values]))


def _either(items: Sequence[str]) -> str:
    """Items as a phrase: "a, b or c"."""
    if len(items) < 2:
        return "".join(items)
    return say("{first} or {last}", first=", ".join(items[:-1]), last=items[-1])


def _by_number(one: Term) -> str:
    """A table as a phrase."""
    shown = ", ".join(_table(one))
    if STATISTICS[one.statistic] == "distinct_categories":
        return say("by the number of different categories: {table}", table=shown)
    if STATISTICS[one.statistic] == "max_same_category":
        return say("by the largest number of singers of one category: {table}", table=shown)
    return say("by the number of women: {table}", table=shown)


def _table(one: Term) -> list[str]:
    """The lines of a table, runs of equal points in one, without the numbers that six singers cannot give."""
    runs: list[list[int]] = []
    for number in range(0 if STATISTICS[one.statistic] == "women" else 1, TROUPE + 1):
        if runs and one.values[runs[-1][-1]] == one.values[number]:
            runs[-1].append(number)
        else:
            runs.append([number])
    return [say("{points} for {n}", points=points(one.values[run[0]]), n=_span(run)) for run in runs]


def _span(run: Sequence[int]) -> str:
    return str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}"


def briefly(one: Term) -> list[str]:
    """A term in signs, for a drawing with little room; a table in several pieces."""
    if one.which is None:
        first, *rest = _table(one)
        by = {
            "distinct_categories": say("by the number of categories: {table}", table=first),
            "max_same_category": say("by the most of one category: {table}", table=first),
            "women": say("by the number of women: {table}", table=first),
        }
        return [by[STATISTICS[one.statistic]], *rest]
    signs = {**SEX_SIGNS, "1": "★", "2": "★★", "3": "★★★", "any": "♥", "none": say("no {sign}", sign="♥")}
    signs |= {role: f"♥{name}" for role, name in zip(ROLE_IDS, ROLES, strict=True)}
    signs |= {key: category(i) for i, key in enumerate(CATEGORY_IDS) if one.which.trait == "category"}
    which = "/".join(signs[value] for value in one.which.values)
    if one.kind == PER:
        return [say("{points} for each {which}", points=points(one.points), which=which)]
    if one.kind == AT_LEAST:
        return [say("{points} with at least {n} {which}", points=points(one.points), n=one.n, which=which)]
    if one.n == 1:
        return [say("{points} without any {which}", points=points(one.points), which=which)]
    return [say("{points} with fewer than {n} {which}", points=points(one.points), n=one.n, which=which)]


# Seats and what they lay.


def one_seat(seat: Seat) -> str:
    """Whoever sits there, in the middle of a sentence."""
    return called(seat, say("seat {seat}", seat=seat))


def first_seat(seat: Seat) -> str:
    """Whoever sits there, at the beginning of a sentence."""
    name = say("seat {seat}", seat=seat)
    return called(seat, name[:1].upper() + name[1:])


def place(seat: Seat) -> str:
    """Whoever sits there, beside their cards."""
    return called(seat, say("Seat {seat}", seat=seat))


def letter(seat: Seat) -> str:
    """What stands on the mark of a seat."""
    return initial(seat, str(seat))


def seats(bits: int) -> str:
    """A set of seats as a phrase."""
    return listed([one_seat(seat) for seat in range(MOST) if bits >> seat & 1])


def laid(choice: int) -> str:
    """The cards of an audition as a phrase."""
    money = money_in(choice)
    number = position_of(choice) + 1
    if not is_bid(choice):
        cards = say("one money card alone")
    elif money == 0:
        cards = say("number {number}", number=number)
    elif money == 1:
        cards = say("number {number} with one money card", number=number)
    else:
        cards = say("number {number} with {n} money cards", number=number, n=money)
    return say("{cards} and the bluff card", cards=cards) if bluff_in(choice) else cards


# Actions.


def label(s: Sequence[int], seat: Seat, action: int) -> str:
    """What a button for an action says."""
    verb = ACTIONS.family(action).verb
    n = ACTIONS.argument(action)
    if verb in ("bid", "money"):
        there = s[F.offer + position_of(action)] if is_bid(action) else NONE
        return laid(action) if there == NONE else say("{card}: {cards}", card=card(there), cards=laid(action))
    if verb == "give":
        there = s[F.offer + n]
        if there == NONE or s[F.lacking] == 0:
            return say("give the card under number {number}", number=n + 1)
        return say("give {card} to {who}", card=card(there), who=one_seat(next_lacking(list(s))))
    if verb == "name":
        return say("name {who}", who=one_seat(n))
    if verb == "strike":
        return say("strike {director}", director=director(n))
    role = s[F.assigned + seat]
    if role == TROUPE:
        return say("cast {singer}", singer=singer(n))
    return say("{singer} sings {role}", singer=singer(n), role=ROLES[role])


def question(s: Sequence[int], seat: Seat) -> str:
    """What is wanted of the seat to act."""
    asked = s[F.asked]
    directing = s[F.round] == DIRECTOR_ROUND
    if asked == AUDITION and directing:
        return say("{who} lays cards for a director.", who=first_seat(seat))
    if asked == AUDITION:
        return say("{who} lays cards for a singer.", who=first_seat(seat))
    if asked == UNDERSTUDY:
        other = next_lacking(list(s))
        if other == s[F.puccini] and directing:
            return say("{who} has Puccini and takes one of the directors left.", who=first_seat(seat))
        if other == s[F.puccini]:
            return say("{who} has Puccini and takes an understudy.", who=first_seat(seat))
        if directing:
            return say(
                "{who} has Puccini and chooses which director {other} gets.", who=first_seat(seat), other=one_seat(other)
            )
        return say("{who} has Puccini and chooses the understudy of {other}.", who=first_seat(seat), other=one_seat(other))
    if asked == NAME:
        return say("{who} has Puccini and names an opponent, who will strike a director.", who=first_seat(seat))
    if asked == STRIKE:
        return say("{who} strikes a director.", who=first_seat(seat))
    if asked == CAST and s[F.assigned + seat] < TROUPE:
        return say("{who} chooses who sings {role}.", who=first_seat(seat), role=ROLES[s[F.assigned + seat]])
    if asked == CAST:
        return say("{who} has cast all roles and waits for {seats}.", who=first_seat(seat), seats=seats(s[F.owing]))
    return say("The match is over.")


# Events.


def sentence(event: str, seen: Mapping[str, int]) -> str:
    """An event as a line of the log."""
    seat = seen.get("seat", NONE)
    number = seen.get("position", NONE) + 1
    name = card(seen["card"]) if "card" in seen else ""
    if event == "blind":
        return say("The auditions are blind: all lay at once, and nobody sees how many cards the others lay.")
    if event == "starts":
        return say("{who} is the first to have Puccini.", who=first_seat(seat))
    if event == "opens":
        if seen["round"] == DIRECTOR_ROUND:
            return say("Round {round}, the directors: {who} has Puccini.", round=seen["round"], who=one_seat(seat))
        return say("Round {round}: {who} has Puccini.", round=seen["round"], who=one_seat(seat))
    if event == "presents":
        return say("Number {number}: {card}, {traits}.", number=number, card=name, traits=traits(seen["card"]))
    if event == "offers":
        return say("Number {number}: {card}.", number=number, card=name)
    if event == "removed":
        return say("{director} leaves the game.", director=director(seen["director"]))
    if event == "lays":
        return _lays(seen)
    if event == "reveals":
        return say("{who} shows {cards}.", who=first_seat(seat), cards=laid(seen["choice"]))
    if event == "recruits":
        return _recruits(seen, name, number)
    if event == "overbids":
        return _overbids(seen, name, number)
    if event == "outbid":
        return _outbid(seen, number)
    if event == "tied":
        return _tied(seen, number)
    if event == "hires":
        return say(
            "{who} hires {helper}: the money card becomes a stage element.",
            who=first_seat(seat),
            helper=say(HELPERS[seen["helper"]]),
        )
    if event == "refused":
        return _refused(seen)
    if event == "retrieves":
        return say("{who} takes the money card back: nobody is for hire in this round.", who=first_seat(seat))
    if event == "gives":
        if seen["card"] < SINGERS:
            return say("{who} gets {card} as understudy.", who=first_seat(seat), card=name)
        return say("{who} gets {card}, one of the directors left.", who=first_seat(seat), card=name)
    if event == "names":
        return say("{who} names {other}.", who=first_seat(seat), other=one_seat(seen["other"]))
    if event == "strikes":
        return say("{who} strikes {director}.", who=first_seat(seat), director=director(seen["director"]))
    if event == "leaves":
        return say("{card} is left over and leaves the game.", card=name)
    if event == "joins":
        return say("{card} is left over and joins the fictitious troupe.", card=name)
    return _end(event, seen)


def _lays(seen: Mapping[str, int]) -> str:
    """Cards laid face down: their owner knows them, the others count them."""
    seat = seen["seat"]
    if seen["choice"] != HIDDEN:
        return say("{who} lays {cards}.", who=first_seat(seat), cards=laid(seen["choice"]))
    if seen["cards"] == 1:
        return say("{who} lays one card face down.", who=first_seat(seat))
    return say("{who} lays {n} cards face down.", who=first_seat(seat), n=seen["cards"])


def _recruits(seen: Mapping[str, int], name: str, number: int) -> str:
    seat, paid = seen["seat"], seen["paid"]
    if paid == 0:
        return say("{who} wins number {number}: {card}.", who=first_seat(seat), number=number, card=name)
    if paid == 1:
        return say("{who} wins number {number} for one money card: {card}.", who=first_seat(seat), number=number, card=name)
    return say(
        "{who} wins number {number} for {n} money cards: {card}.", who=first_seat(seat), number=number, n=paid, card=name
    )


def _overbids(seen: Mapping[str, int], name: str, number: int) -> str:
    seat, paid = seen["seat"], seen["paid"]
    if paid == 1:
        return say(
            "{who} bids most for number {number} and gets it for one money card: {card}.",
            who=first_seat(seat),
            number=number,
            card=name,
        )
    return say(
        "{who} bids most for number {number} and gets it for {n} money cards: {card}.",
        who=first_seat(seat),
        number=number,
        n=paid,
        card=name,
    )


def _outbid(seen: Mapping[str, int], number: int) -> str:
    seat, back = seen["seat"], seen["back"]
    if back == 0:
        return say("{who} is outbid on number {number}.", who=first_seat(seat), number=number)
    if back == 1:
        return say("{who} is outbid on number {number} and takes the money card back.", who=first_seat(seat), number=number)
    return say(
        "{who} is outbid on number {number} and takes {n} money cards back.", who=first_seat(seat), number=number, n=back
    )


def _tied(seen: Mapping[str, int], number: int) -> str:
    equal = seats(seen["seats"])
    if seen["money"] == 0:
        return say("Number {number}: a tie between {seats}. Nobody wins it.", number=number, seats=equal)
    return say("Number {number}: a tie between {seats}. Nobody wins it, and all money goes back.", number=number, seats=equal)


def _refused(seen: Mapping[str, int]) -> str:
    seat = seen["seat"]
    if seen["why"] == BY_PUCCINI:
        return say("{who} has Puccini and may not hire anybody: the money card goes back.", who=first_seat(seat))
    return say("{who} takes the money card back: nobody is left for hire.", who=first_seat(seat))


def _end(event: str, seen: Mapping[str, int]) -> str:
    """The castings, the scores and the end."""
    seat = seen.get("seat", NONE)
    if event == "leads":
        return say(
            "{who}: {turandot} sings Turandot, {calaf} Calaf, {liu} Liù.",
            who=first_seat(seat),
            turandot=singer(seen["turandot"]),
            calaf=singer(seen["calaf"]),
            liu=singer(seen["liu"]),
        )
    if event == "trio":
        return say(
            "{who}: {ping} sings Ping, {pong} Pong, {pang} Pang.",
            who=first_seat(seat),
            ping=singer(seen["ping"]),
            pong=singer(seen["pong"]),
            pang=singer(seen["pang"]),
        )
    worth = {key: points(seen[key]) for key in ("favourites", "wrong", "elements", "director", "puccini") if key in seen}
    if event == "sings":
        return say(
            "{who}: stars {stars}, favourite roles {favourites}, wrong sexes {wrong}.",
            who=first_seat(seat),
            stars=seen["stars"],
            favourites=worth["favourites"],
            wrong=worth["wrong"],
        )
    if event == "counts" and seen["puccini"] == 0:
        return say(
            "{who}: stage elements {elements}, director {director}. Total: {total}.",
            who=first_seat(seat),
            elements=worth["elements"],
            director=worth["director"],
            total=seen["total"],
        )
    if event == "counts":
        return say(
            "{who}: stage elements {elements}, director {director}, Puccini {puccini}. Total: {total}.",
            who=first_seat(seat),
            elements=worth["elements"],
            director=worth["director"],
            puccini=worth["puccini"],
            total=seen["total"],
        )
    if event == "fictitious":
        return say(
            "The fictitious troupe: stars {stars}, favourite roles {favourites}, wrong sexes {wrong}, director {director}. "
            "Total: {total}.",
            stars=seen["stars"],
            favourites=worth["favourites"],
            wrong=worth["wrong"],
            director=worth["director"],
            total=seen["total"],
        )
    if event == "lost":
        return say("The fictitious troupe beats both players: nobody wins.")
    if event == "wins":
        return say("{who} has the highest total and wins.", who=first_seat(seat))
    return _broken_tie(event, seen)


def _broken_tie(event: str, seen: Mapping[str, int]) -> str:
    """Who wins of those with the highest total, and by what."""
    total, equal, stars = seen["total"], seats(seen["seats"]), seen["stars"]
    if event == "settles":
        return say(
            "Equal totals ({total}): {seats}. {who} has the most stars ({stars}) and wins.",
            total=total,
            seats=equal,
            who=first_seat(seen["seat"]),
            stars=stars,
        )
    if seen["winners"] == seen["seats"]:
        return say(
            "Equal totals ({total}) and equal stars ({stars}). A shared victory: {seats}.",
            total=total,
            stars=stars,
            seats=equal,
        )
    return say(
        "Equal totals ({total}): {seats}. The most stars ({stars}) and a shared victory: {winners}.",
        total=total,
        seats=equal,
        stars=stars,
        winners=seats(seen["winners"]),
    )


def rivals(s: Sequence[int]) -> list[Rival]:
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
    return [Rival(say("Fictitious troupe"), parts, fictitious_total(row))]


# Refusals.


def because(reason: str, s: Sequence[int], seat: Seat, action: int) -> str:
    """Why an action is not allowed, as the end of a sentence."""
    n = ACTIONS.argument(action)
    if reason == "over":
        return say("the match is over")
    if reason == "wait":
        return say("the decision lies with {seats}", seats=seats(s[F.owing]))
    if reason == "not_asked":
        return say("something else must be decided now: {question}", question=question(s, seat).rstrip("."))
    if reason == "no_number":
        return say("with {n} players there is no number {number}", n=s[F.seats], number=position_of(action) + 1)
    if reason == "no_money":
        if s[F.money + seat] == 0:
            return say("{who} has no money card left", who=one_seat(seat))
        if s[F.money + seat] == 1:
            return say("{who} has only one money card left", who=one_seat(seat))
        return say("{who} has only {n} money cards left", who=one_seat(seat), n=s[F.money + seat])
    if reason == "no_card":
        return say("no card lies under number {number}", number=n + 1)
    if reason == "yourself":
        return say("{who} must name somebody else", who=one_seat(seat))
    if reason == "nobody_there":
        return say("nobody sits in seat {seat} in this match", seat=n)
    if reason == "struck":
        return say("{director} has been struck already", director=director(n))
    if reason == "not_yours":
        return say("{singer} is not in the troupe of {who}", singer=singer(n), who=one_seat(seat))
    return say("{singer} has a role already", singer=singer(n))
