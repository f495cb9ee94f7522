"""The texts of Turandot, as tables: the names of things, and a message for each action, question, event and refusal.

The gaps of a message are filled by `Words.gaps`: see `ridotto.present.words`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from ridotto.engine.fields import HIDDEN, Seat
from ridotto.games.turandot import rules
from ridotto.games.turandot.components import DIRECTOR_ROUND, SINGERS, TROUPE
from ridotto.games.turandot.rules import NONE, F
from ridotto.present.narrator import mark
from ridotto.present.words import Line, Message, Plural, Tell

Row: TypeAlias = Sequence[int]

PLAYERS = (mark("Red"), mark("Blue"), mark("Yellow"), mark("Green"), mark("Violet"))
ROLES = ("Turandot", "Calaf", "Liù", "Ping", "Pong", "Pang")
HELPERS = {rules.DRESSMAKER: mark("the dressmaker"), rules.CARPENTER: mark("the carpenter")}
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
"""The name of each family of actions."""
OPTIONS = {
    "blind": (mark("Blind auditions"), mark("All bid at once, and nobody sees how many cards the others lay.")),
}
"""The name of each option in a form, and its effect."""
GUIDE = {
    "audition": mark(
        "Most money on a number wins its singer, but a tie wins nothing. Nobody sees your cards before all have bid. Stars "
        "are points; look also for singers whose favourite role is still free."
    ),
    "director": mark("A director pays for certain singers at the end. Bid for one whose terms fit the singers you have."),
    "understudy": mark("Whoever won nothing gets one of the cards left. Give the others what helps them least."),
    "name": mark("Whoever you pick must strike a director: pick somebody who would strike one that you do not want anyway."),
    "strike": mark("A struck director is out of the match. Strike one whose terms suit the others better than you."),
    "cast": mark("A singer in the favourite role brings a point; one of the wrong sex for a role costs one."),
}
"""A beginner's note on each question."""


def points(number: int) -> str:
    """Points with their sign."""
    return f"+{number}" if number > 0 else f"−{-number}" if number < 0 else "0"


def _is_directing(s: Row) -> bool:
    """Whether directors are on offer in this round."""
    return bool(s[F.round] == DIRECTOR_ROUND)


# The directors' terms: for each singer they count, for at least one or several, for fewer than several, or for none.

TERM_FORMS: Final = {
    "per": mark("{points} for each singer {which}"),
    "at_least_one": mark("{points} with at least one singer {which}"),
    "at_least": mark("{points} with at least {n} singers {which}"),
    "none": mark("{points} without any singer {which}"),
    "fewer_than": mark("{points} with fewer than {n} singers {which}"),
}
BRIEF_TERMS: Final = {
    "per": mark("{points} for each {which}"),
    "at_least_one": mark("{points} with at least {n} {which}"),
    "at_least": mark("{points} with at least {n} {which}"),
    "none": mark("{points} without any {which}"),
    "fewer_than": mark("{points} with fewer than {n} {which}"),
}
"""The same in signs, for a drawing with little room."""
OF_SEX: Final = {"F": mark("of female sex"), "M": mark("of male sex"), "U": mark("of undetermined sex")}
TABLES: Final = {
    "distinct_categories": mark("by the number of different categories: {table}"),
    "max_same_category": mark("by the largest number of singers of one category: {table}"),
    "women": mark("by the number of women: {table}"),
}
BRIEF_TABLES: Final = {
    "distinct_categories": mark("by the number of categories: {table}"),
    "max_same_category": mark("by the most of one category: {table}"),
    "women": mark("by the number of women: {table}"),
}


# Actions: by verb, from a row, a seat and the argument of the action. A bid is its cards: see `Words.laid_for`.


def gift(seat: Seat, other: Seat, card: int) -> Line:
    """A card that a seat gives to somebody, or takes."""
    message = mark("take {card}") if other == seat else Tell("give you {card}", "give {card} to {who}")
    return message, {"seat": other, "card": card}


def _give(s: Row, seat: Seat, n: int) -> Line:
    if s[F.offer + n] == NONE or s[F.lacking] == 0:
        return mark("give the card under number {number}"), {"number": n + 1}
    return gift(seat, rules.next_lacking(list(s)), s[F.offer + n])


SINGS: Final = mark("{singer} sings {role}")


def _cast(s: Row, seat: Seat, n: int) -> Line:
    role = s[F.assigned + seat]
    return mark("cast {singer}") if role == TROUPE else SINGS, {"singer": n, "role": role}


LABELS: Final[Mapping[str, Callable[[Row, Seat, int], Line]]] = {
    "give": _give,
    "name": lambda s, seat, n: (Tell("pick you", "pick {who}"), {"seat": n}),
    "strike": lambda s, seat, n: (mark("strike {director}"), {"director": n}),
    "cast": _cast,
}


# Questions: by what is asked, from a row and the seat that decides.


def _audition(s: Row, seat: Seat) -> Line:
    if _is_directing(s):
        return Tell("Your bid: which director, how much money?", "{who} bids for a director."), {}
    return Tell("Your bid: which singer, how much money?", "{who} bids for a singer."), {}


def _understudy(s: Row, seat: Seat) -> Line:
    other = rules.next_lacking(list(s))
    if other == seat and _is_directing(s):
        message = Tell(
            "You have Puccini: take one of the directors left.",
            "{who} has Puccini and takes one of the directors left.",
        )
    elif other == seat:
        message = Tell("You have Puccini: take an understudy.", "{who} has Puccini and takes an understudy.")
    elif _is_directing(s):
        message = Tell(
            "You have Puccini: which director does {other} get?",
            "{who} has Puccini and chooses a director for {other}.",
        )
    else:
        message = Tell(
            "You have Puccini: which understudy does {other} get?",
            "{who} has Puccini and chooses an understudy for {other}.",
        )
    return message, {"other": other}


def for_you(s: Row) -> Message:
    """The question to Puccini's holder, as whoever is given the card reads it."""
    if _is_directing(s):
        return mark("{who} has Puccini and chooses a director for you.")
    return mark("{who} has Puccini and chooses an understudy for you.")


def _cast_next(s: Row, seat: Seat) -> Line:
    role = s[F.assigned + seat]
    if role < TROUPE:
        return Tell("Who sings {role}?", "{who} chooses who sings {role}."), {"role": role}
    message = Tell(
        "You have cast all your roles. Still casting: {seats}.",
        "{who} has cast all roles. Still casting: {seats}.",
    )
    return message, {"seats": s[F.owing]}


QUESTIONS: Final[Mapping[str, Message | Callable[[Row, Seat], Line]]] = {
    "audition": _audition,
    "understudy": _understudy,
    "name": Tell(
        "You have Puccini: pick an opponent, who must strike a director.",
        "{who} has Puccini and picks an opponent, who must strike a director.",
    ),
    "strike": Tell("Strike a director.", "{who} strikes a director."),
    "cast": _cast_next,
    "nothing": mark("The match is over."),
}


# Events: by name, from the numbers of the event.

Seen: TypeAlias = Mapping[str, int]


def _opens(event: Seen) -> Line:
    if event["round"] == DIRECTOR_ROUND:
        return Tell(
            "Round {round}, the directors: you have Puccini.",
            "Round {round}, the directors: {who} has Puccini.",
        ), {}
    return Tell("Round {round}: you have Puccini.", "Round {round}: {who} has Puccini."), {}


def _lays(event: Seen) -> Line:
    """Cards laid face down: their owner knows them, the others count them."""
    if event["choice"] != HIDDEN:
        return Tell("You lay {cards}.", "{who} lays {cards}."), {"cards": event["choice"]}
    message = Plural("{who} lays {number} card face down.", "{who} lays {number} cards face down.")
    return message, {"number": event["cards"]}


def _recruits(event: Seen) -> Line:
    if event["paid"] == 0:
        return Tell("You win number {position}: {card}.", "{who} wins number {position}: {card}."), {}
    message = Tell(
        "You win number {position} for {money}: {card}.",
        "{who} wins number {position} for {money}: {card}.",
    )
    return message, {"money": event["paid"]}


def _outbid(event: Seen) -> Line:
    if event["back"] == 0:
        return Tell("You are outbid on number {position}.", "{who} is outbid on number {position}."), {}
    message = Tell(
        "You are outbid on number {position} and take {money} back.",
        "{who} is outbid on number {position} and takes {money} back.",
    )
    return message, {"money": event["back"]}


def _tied(event: Seen) -> Line:
    if event["money"] == 0:
        return mark("Number {position}: a tie between {seats}. Nobody wins it."), {}
    return mark("Number {position}: a tie between {seats}. Nobody wins it, and all money goes back."), {}


def _refused(event: Seen) -> Line:
    if event["why"] == rules.BY_PUCCINI:
        return Tell(
            "You have Puccini and may not hire anybody: your money card goes back.",
            "{who} has Puccini and may not hire anybody: the money card goes back.",
        ), {}
    return Tell(
        "You take your money card back: nobody is left for hire.",
        "{who} takes the money card back: nobody is left for hire.",
    ), {}


def _gives(event: Seen) -> Line:
    if event["card"] < SINGERS:
        return Tell("You get {card} as understudy.", "{who} gets {card} as understudy."), {}
    return Tell("You get {card}, one of the directors left.", "{who} gets {card}, one of the directors left."), {}


def _counts(event: Seen) -> Line:
    if event["puccini"] == 0:
        message = Tell(
            "Your points: stage elements {elements}, director {director}. Total: {total}.",
            "{who}: stage elements {elements}, director {director}. Total: {total}.",
        )
    else:
        message = Tell(
            "Your points: stage elements {elements}, director {director}, Puccini {puccini}. Total: {total}.",
            "{who}: stage elements {elements}, director {director}, Puccini {puccini}. Total: {total}.",
        )
    return message, {"director": points(event["director"])}


def _shares(event: Seen) -> Line:
    if event["winners"] == event["seats"]:
        return mark("Equal totals ({total}) and equal stars ({stars}). A shared victory: {seats}."), {}
    return mark("Equal totals ({total}): {seats}. The most stars ({stars}) and a shared victory: {winners}."), {}


NAMES_YOU: Final = mark("{who} picks you to strike a director.")
SENTENCES: Final[Mapping[str, Message | Callable[[Seen], Line]]] = {
    "blind": mark("The auditions are blind: all bid at once, and nobody sees how many cards the others lay."),
    "starts": Tell("You are the first to have Puccini.", "{who} is the first to have Puccini."),
    "opens": _opens,
    "presents": lambda event: (mark("Number {position}: {card}, {traits}."), {"traits": event["card"]}),
    "offers": mark("Number {position}: {card}."),
    "removed": mark("{director} leaves the game."),
    "lays": _lays,
    "reveals": lambda event: (Tell("You show {cards}.", "{who} shows {cards}."), {"cards": event["choice"]}),
    "recruits": _recruits,
    "overbids": lambda event: (
        Tell(
            "You bid most for number {position} and win it for {money}: {card}.",
            "{who} bids most for number {position} and wins it for {money}: {card}.",
        ),
        {"money": event["paid"]},
    ),
    "outbid": _outbid,
    "tied": _tied,
    "hires": Tell(
        "You hire {helper}: your money card becomes a stage element.",
        "{who} hires {helper}: the money card becomes a stage element.",
    ),
    "refused": _refused,
    "retrieves": Tell(
        "You take your money card back: nobody is for hire in this round.",
        "{who} takes the money card back: nobody is for hire in this round.",
    ),
    "gives": _gives,
    "names": Tell("You pick {other} to strike a director.", "{who} picks {other} to strike a director."),
    "strikes": Tell("You strike {director}.", "{who} strikes {director}."),
    "leaves": mark("{card} is left over and leaves the game."),
    "joins": mark("{card} is left over and joins the fictitious troupe."),
    "leads": Tell(
        "Your cast: {turandot} sings Turandot, {calaf} Calaf, {liu} Liù.",
        "{who}: {turandot} sings Turandot, {calaf} Calaf, {liu} Liù.",
    ),
    "trio": Tell(
        "Your cast: {ping} sings Ping, {pong} Pong, {pang} Pang.",
        "{who}: {ping} sings Ping, {pong} Pong, {pang} Pang.",
    ),
    "sings": Tell(
        "Your points: stars {stars}, favourite roles {favourites}, wrong sexes {wrong}.",
        "{who}: stars {stars}, favourite roles {favourites}, wrong sexes {wrong}.",
    ),
    "counts": _counts,
    "fictitious": lambda event: (
        mark(
            "The fictitious troupe: stars {stars}, favourite roles {favourites}, wrong sexes {wrong}, director {director}. "
            "Total: {total}."
        ),
        {"director": points(event["director"])},
    ),
    "wins": Tell("You have the highest total and win.", "{who} has the highest total and wins."),
    "settles": Tell(
        "Equal totals ({total}): {seats}. You have the most stars ({stars}) and win.",
        "Equal totals ({total}): {seats}. {who} has the most stars ({stars}) and wins.",
    ),
    "shares": _shares,
    "lost": mark("The fictitious troupe beats both players: nobody wins."),
}


# Refusals: by reason, from a row, the seat that tried it and the action, as the ends of sentences.

_argument = rules.ACTIONS.argument


def _no_money(s: Row, seat: Seat, action: int) -> Line:
    if s[F.money + seat] == 0:
        return mark("you have no money card left"), {}
    message = Plural(
        "you have only {number} money card left, not {bid}",
        "you have only {number} money cards left, not {bid}",
    )
    return message, {"number": s[F.money + seat], "bid": rules.money_in(action)}


def _cast_already(s: Row, seat: Seat, action: int) -> Line:
    singer, first = _argument(action), F.casting + seat * TROUPE
    role = next((role for role in range(TROUPE) if s[first + role] == singer), 0)
    return mark("{singer} sings {role} already"), {"singer": singer, "role": role}


REASONS: Final[Mapping[str, Message | Callable[[Row, Seat, int], Line]]] = {
    "over": mark("the match is over"),
    "wait": lambda s, seat, action: (mark("it is not your turn: waiting for {seats}"), {"seats": s[F.owing]}),
    "not_asked": lambda s, seat, action: (mark("something else comes first: “{question}”"), {"question": (s, seat)}),
    "no_number": lambda s, seat, action: (
        mark("with {n} players there is no number {number}"),
        {"n": s[F.seats], "number": rules.position_of(action) + 1},
    ),
    "no_money": _no_money,
    "no_card": lambda s, seat, action: (mark("no card lies under number {number}"), {"number": _argument(action) + 1}),
    "yourself": mark("you must pick somebody else"),
    "nobody_there": lambda s, seat, action: (mark("{who} does not play in this match"), {"who": _argument(action)}),
    "struck": lambda s, seat, action: (mark("{director} has been struck already"), {"director": _argument(action)}),
    "not_yours": lambda s, seat, action: (mark("{singer} is not in your troupe"), {"singer": _argument(action)}),
    "cast_already": _cast_already,
}
