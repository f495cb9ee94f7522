"""The sentences of Opera as tables: the names of things, and a message for each action, question, event and refusal.

The gaps of a message are filled by `Words.gaps`: see `ridotto.present.words`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from ridotto.engine.fields import Seat
from ridotto.games.opera import rules
from ridotto.games.opera.components import FEE, HALLS, OPENS_AFTER, STANDING
from ridotto.games.opera.rules import F
from ridotto.present.narrator import mark
from ridotto.present.words import Line, Message, Plural, Tell

Row: TypeAlias = Sequence[int]

PLAYERS = (mark("Red"), mark("Blue"), mark("Yellow"), mark("Green"))
COMPOSERS = (
    mark("Monteverdi"),
    mark("Handel"),
    mark("Beethoven"),
    mark("Mozart"),
    mark("Wagner"),
    mark("Verdi"),
)
CITIES = (mark("Venezia"), mark("Wien"), mark("Berlin"), mark("London"), mark("Paris"), mark("Milano"))
PARTS = (
    mark("the main part in {city}"),
    mark("the wing in {city}"),
    mark("the second wing in {city}"),
    mark("the third wing in {city}"),
)
ROLES = (
    mark("the Impresario"),
    mark("the Architetto"),
    mark("the Signora"),
    mark("the Maestro"),
    mark("the Critico"),
    mark("the Esperto"),
)
CLOSINGS = (
    mark("Everybody has ended the performance: the action phase is over."),
    mark("All six roles are taken: the action phase is over."),
    mark("Nobody can pay for a role that is left: the action phase is over."),
)
COUNTS = (mark("first"), mark("second"), mark("third"))


def _counted(seven_rounds: int) -> tuple[int, ...]:
    row = [0] * rules.FIELDS.width
    row[F.seven_rounds] = seven_rounds

    def is_counted(number: int) -> bool:
        row[F.round] = number
        return rules.is_counted(row)

    return tuple(filter(is_counted, range(1, rules.last_round(row) + 1)))


COUNTED = (_counted(0), _counted(1))
"""The rounds that end with a count: usually, and in the game of seven rounds."""
VERBS = {
    "bid": mark("bid ducats"),
    "hire": mark("hire a role"),
    "end": mark("end your performance"),
    "decline": mark("not play along, or not score"),
    "stop": mark("buy or build no more"),
    "buy": mark("buy a piece"),
    "keep": mark("keep every piece where it is"),
    "empty": mark("leave a hall empty"),
    "place": mark("put a piece into a hall"),
    "build": mark("build a part"),
    "sell": mark("sell a piece"),
    "take": mark("choose how the Palazzo pays"),
    "move": mark("move a figure to a city"),
    "withhold": mark("leave the fame ladder as it is"),
    "praise": mark("raise a composer"),
    "scorn": mark("lower a composer"),
    "score": mark("score with another's Esperto"),
}
"""The name of each family of actions."""
OPTIONS = {
    "screens": (mark("Open screens"), mark("Everybody sees everybody's ducats and pieces behind the screens.")),
    "seven_rounds": (
        mark("Seven rounds"),
        mark("A shorter match: seven rounds instead of nine, with counts after rounds 3, 5 and 7."),
    ),
    "dutch_esperto": (mark("The Dutch Esperto"), mark("When the last in points hires the Esperto, the piece leaves the game.")),
    "literal_rearranging": (
        mark("Rearranging to the letter"),
        mark("With two players, playing along to rearrange only costs a level."),
    ),
}
"""The name of each option in a form, and its effect."""
USAGE = {
    "arrange venezia verdi; wien - house": mark(
        "rearrange houses at once: the piece of the great hall first (- for none), then the others; "
        "a city that is not named keeps its pieces"
    )
}
"""An example of each text that stands for a series of actions, and its effect."""


GUIDE = {
    "bid": mark(
        "Every ducat you bid is a budget level, and levels hire roles. The highest goes first. The ducats are gone, so keep "
        "some to build and to buy."
    ),
    "hire": mark(
        "Each role is hired once a round, for its number of levels. The Architetto builds, the Impresario buys, the Signora "
        "sells. The Maestro doubles income in a city, the Critico changes fame, the Esperto scores."
    ),
    "buy": mark(
        "A piece costs its composer's fame. Pieces in any hall earn ducats every round; at a count, those in great halls "
        "bring points."
    ),
    "build": mark("Every hall costs 2 ducats and brings 2 points at once. But at each count an empty hall costs a point."),
    "sell": mark("Sell a piece that you cannot perform well: it brings ducats or points, as you like."),
    "pay": mark("Ducats help in the rounds to come, points count at the end: early take ducats, late take points."),
    "move": mark("Send the figure where it helps your own pieces most. You may look at what would happen before you click."),
    "review": mark("Raise a composer whom you perform more than the others do, or lower one whom they perform."),
    "score": mark("You score at once for your pieces in this city, but you lose the best of them."),
    "rearrange": mark("Before a count, put your most famous composers into the great halls, those with the red columns."),
    "stage": mark("The great hall, with the red columns, brings points at a count; the other halls bring ducats only."),
}
"""Advice to beginners about each question."""


# Actions: by verb, from a row, a seat and the argument of the action.


def _decline(s: Row, seat: Seat, n: int) -> Line:
    return mark("do not score") if s[F.asked] == rules.SCORE else mark("do not play along"), {}


def _stop(s: Row, seat: Seat, n: int) -> Line:
    if s[F.asked] == rules.BUILD:
        return mark("build no more"), {}
    if s[F.first] >= 0:
        return mark("buy no more"), {}
    if s[F.hirer] in (seat, rules.NONE):
        return mark("buy nothing, only rearrange"), {}
    return mark("play along to rearrange only, for {levels}"), {"levels": rules.price_of_rearranging(list(s))}


def _empty(s: Row, seat: Seat, n: int) -> Line:
    if s[F.city] < 0:
        return mark("leave the hall empty"), {}
    if s[F.hall] == 0:
        return mark("leave {hall} empty"), {"hall": (s[F.city], 0)}
    return mark("no more pieces in {city}"), {"city": s[F.city]}


def _place(s: Row, seat: Seat, n: int) -> Line:
    if s[F.city] < 0:
        return mark("place {piece}"), {"piece": n}
    return mark("{piece} in {hall}"), {"piece": n, "hall": (s[F.city], s[F.hall])}


def _build(s: Row, seat: Seat, n: int) -> Line:
    price = rules.A_HALL * HALLS[n]
    return mark("build {part}: {ducats}, {points}"), {"part": n, "ducats": price, "points": price}


def _sell(s: Row, seat: Seat, n: int) -> Line:
    composer, source = divmod(n, rules.SOURCES)
    fame = s[F.fame + composer]
    facts = {"composer": composer, "city": source - 1, "ducats": 2 * fame, "points": fame}
    if source == 0:
        return mark("sell {composer} from behind the screen, for {ducats} or {points}"), facts
    return mark("sell {composer} out of the house in {city}, for {ducats} or {points}"), facts


def _take(s: Row, seat: Seat, n: int) -> Line:
    if s[F.sold] < 0:
        return mark("be paid in ducats") if n == 0 else mark("be paid in points"), {}
    fame = s[F.fame + s[F.sold]]
    return mark("take {what}"), {"what": (n, fame if n else 2 * fame)}


def _figure(s: Row) -> int:
    """The role whose figure is being moved; NONE for any of the three."""
    return s[F.role] if s[F.role] >= rules.MAESTRO else rules.NONE


LABELS: Final[Mapping[str, Message | Callable[[Row, Seat, int], Line]]] = {
    "bid": lambda s, seat, n: (mark("bid {ducats}, to level {level}"), {"ducats": n, "level": s[F.level + seat] + n}),
    "hire": lambda s, seat, n: (mark("hire {role}, for {levels}"), {"role": n, "levels": FEE[n]}),
    "end": mark("end the performance"),
    "decline": _decline,
    "stop": _stop,
    "buy": lambda s, seat, n: (mark("buy {composer} for {ducats}"), {"composer": n, "ducats": s[F.fame + n]}),
    "keep": mark("keep every piece where it is"),
    "empty": _empty,
    "place": _place,
    "build": _build,
    "sell": _sell,
    "take": _take,
    "move": lambda s, seat, n: (mark("{role} goes to {city}"), {"role": _figure(s), "city": n}),
    "withhold": mark("leave the fame ladder as it is"),
    "praise": lambda s, seat, n: (mark("raise {composer} by {steps}"), {"composer": n >> 1, "steps": (n & 1) + 1}),
    "scorn": lambda s, seat, n: (mark("lower {composer} by {steps}"), {"composer": n >> 1, "steps": (n & 1) + 1}),
    "score": mark("score, and give up the best piece there"),
}


# Questions: by what is asked, from a row and the seat that decides.


def _buy(s: Row, seat: Seat) -> Line:
    levels, is_along = rules.fee_along(list(s)), s[F.hirer] != seat
    if s[F.first] >= 0 and is_along:
        return Tell("Buy a second piece for {levels}?", "{who} may buy a second piece for {levels}."), {"levels": levels}
    if s[F.first] >= 0:
        return Tell("Buy a second piece?", "{who} may buy a second piece."), {}
    if is_along:
        message = Tell(
            "Play along with the Impresario: buy a piece ({levels}), or only rearrange ({price})?",
            "{who} may play along with the Impresario: buy a piece ({levels}), or only rearrange ({price}).",
        )
        return message, {"levels": levels, "price": rules.price_of_rearranging(list(s))}
    return Tell("Buy up to two pieces.", "{who} may buy up to two pieces."), {}


def _build_parts(s: Row, seat: Seat) -> Line:
    facts, is_along = {"levels": rules.fee_along(list(s))}, s[F.hirer] != seat
    if s[F.first] >= 0 and is_along:
        message = Tell(
            "Build a second part for {levels}, at 2 ducats and 2 points a hall?",
            "{who} may build a second part for {levels}, at 2 ducats and 2 points a hall.",
        )
    elif s[F.first] >= 0:
        message = Tell(
            "Build a second part, at 2 ducats and 2 points a hall?",
            "{who} may build a second part, at 2 ducats and 2 points a hall.",
        )
    elif is_along:
        message = Tell(
            "Play along with the Architetto for {levels} and build, at 2 ducats and 2 points a hall?",
            "{who} may play along with the Architetto for {levels} and build, at 2 ducats and 2 points a hall.",
        )
    else:
        message = Tell(
            "Build one or two parts, at 2 ducats and 2 points a hall.",
            "{who} builds one or two parts, at 2 ducats and 2 points a hall.",
        )
    return message, facts


def _sell_piece(s: Row, seat: Seat) -> Line:
    if s[F.hirer] == seat:
        return Tell("Sell a piece to the Palazzo.", "{who} sells a piece to the Palazzo."), {}
    message = Tell(
        "Play along with the Signora for {levels} and sell a piece to the Palazzo?",
        "{who} may play along with the Signora for {levels} and sell a piece to the Palazzo.",
    )
    return message, {"levels": rules.fee_along(list(s))}


def _city_of(s: Row, role: int) -> int:
    """The city where the figure of a role stands."""
    return int(s[F.figure + role - rules.MAESTRO])


QUESTIONS: Final[Mapping[str, Message | Callable[[Row, Seat], Line]]] = {
    "nothing": mark("The match is over."),
    "bid": Tell("Your secret bid: how many ducats for budget levels?", "{who} makes a secret bid."),
    "hire": Tell("Hire a role, or end your performance.", "{who} hires a role, or ends the performance."),
    "buy": _buy,
    "build": _build_parts,
    "sell": _sell_piece,
    "pay": lambda s, seat: (
        Tell("Do you want ducats or points for {composer}?", "{who} takes ducats or points for {composer}."),
        {"composer": s[F.sold]},
    ),
    "move": lambda s, seat: (
        Tell("Move {role} to another city.", "{who} moves {role} to another city."),
        {"role": s[F.role]},
    ),
    "review": lambda s, seat: (
        Tell(
            "You may raise or lower a composer performed in {city}.",
            "{who} may raise or lower a composer performed in {city}.",
        ),
        {"city": _city_of(s, rules.CRITICO)},
    ),
    "score": lambda s, seat: (
        Tell(
            "Score in {city}, and give up your best piece there?",
            "{who} may score in {city} and give up the best piece there.",
        ),
        {"city": _city_of(s, rules.ESPERTO)},
    ),
    "rearrange": Tell("Keep your pieces where they are, or rearrange them.", "{who} may rearrange the pieces."),
    "stage": lambda s, seat: (
        Tell("Which piece goes into {hall}?", "{who} fills {hall}."),
        {"hall": (s[F.city], s[F.hall])},
    ),
}


# Events: by name, from the numbers of the event.

Seen: TypeAlias = Mapping[str, int]


def _builds(event: Seen) -> Line:
    price = rules.A_HALL * event["halls"]
    message = Tell("You build {part}, {halls}: {ducats}, {points}.", "{who} builds {part}, {halls}: {ducats}, {points}.")
    return message, {"part": event["city"] * 4 + event["part"], "ducats": price, "points": price}


def _joins(event: Seen) -> Line:
    if event["fee"] == 0:
        return Tell("You play along with {role}, and pay no level.", "{who} plays along with {role}, and pays no level."), {}
    message = Tell(
        "You play along with {role} for {levels}, down to level {level}.",
        "{who} plays along with {role} for {levels}, down to level {level}.",
    )
    return message, {"levels": event["fee"]}


def _sells(event: Seen) -> Line:
    if event["source"] == 0:
        message = Tell(
            "You sell {composer} from behind your screen to the Palazzo.",
            "{who} sells {composer} from behind the screen to the Palazzo.",
        )
        return message, {}
    message = Tell(
        "You sell {composer} out of your house in {city} to the Palazzo.",
        "{who} sells {composer} out of the house in {city} to the Palazzo.",
    )
    return message, {"city": event["source"] - 1}


def _stages(event: Seen) -> Line:
    if event["great"] < 0 and event["side"] == 0:
        return Tell("You perform nothing in {city}.", "{who} performs nothing in {city}."), {}
    if event["great"] < 0:
        message = Tell(
            "You perform in {city}: {side}, with nothing in the great hall.",
            "{who} performs in {city}: {side}, with nothing in the great hall.",
        )
    elif event["side"] == 0:
        message = Tell(
            "You perform in {city}: {great} in the great hall.",
            "{who} performs in {city}: {great} in the great hall.",
        )
    else:
        message = Tell(
            "You perform in {city}: {great} in the great hall; besides: {side}.",
            "{who} performs in {city}: {great} in the great hall; besides: {side}.",
        )
    return message, {}


def _earns(event: Seen) -> Line:
    if event["pieces"] == 0:
        return Tell("You perform no piece and earn nothing.", "{who} performs no piece and earns nothing."), {}
    return Tell("You earn {ducats} with {pieces}.", "{who} earns {ducats} with {pieces}."), {}


def _most(event: Seen) -> Line:
    message = mark("Performed most, once: {cast}.") if event["times"] == 1 else mark("Performed most, {times} times: {cast}.")
    return message, {"cast": event["composers"]}


FAME: Final = mark("{composer} now has fame {fame}.")
PAID: Final = Tell("You get {amount} for {composer}.", "{who} gets {amount} for {composer}.")

SENTENCES: Final[Mapping[str, Message | Callable[[Seen], Line]]] = {
    "stands": mark("{composer} starts with fame {fame}."),
    "century": mark("Composer of the Century for the {count} count: {composer}."),
    "repeats": mark("{composer} was drawn before, and goes to the discard pile."),
    "starts": Tell("You are the start player.", "{who} is the start player."),
    "funded": Tell("You begin with {ducats}.", "{who} begins with {ducats}."),
    "opens": mark("Round {round} begins."),
    "bids": Tell(
        "You have bid {ducats}, and stand on level {level}.",
        "{who} has bid {ducats}, and stands on level {level}.",
    ),
    "hires": Tell("You hire {role}, down to level {level}.", "{who} hires {role}, down to level {level}."),
    "joins": _joins,
    "declines": Tell("You do not play along with {role}.", "{who} does not play along with {role}."),
    "ends": Tell("You end your performance.", "{who} ends the performance."),
    "spent": Tell(
        "You have hired {roles} roles, as many as allowed, and must end your performance.",
        "{who} has hired {roles} roles, as many as allowed, and must end the performance.",
    ),
    "forced": Tell(
        "You can pay for no role that is of any use, and must end your performance.",
        "{who} can pay for no role that is of any use, and must end the performance.",
    ),
    "closes": lambda event: (CLOSINGS[event["why"]], {}),
    "buys": Tell("You buy {composer} for {ducats}.", "{who} buys {composer} for {ducats}."),
    "rearranges": Tell("You buy nothing and only rearrange.", "{who} buys nothing and only rearranges."),
    "builds": _builds,
    "sells": _sells,
    "paid": lambda event: (PAID, {"amount": (0, event["ducats"])}),
    "honoured": lambda event: (PAID, {"amount": (1, event["points"])}),
    "judges": mark("The Critico moves {composer} to fame {fame}."),
    "shifts": FAME,
    "withholds": mark("The Critico leaves the fame ladder as it is."),
    "scores": Tell("You score {points} in {city}.", "{who} scores {points} in {city}."),
    "gives": Tell("You give {composer} to {receiver}.", "{who} gives {composer} to {receiver}."),
    "discards": Tell(
        "You give up {composer}, which goes to the discard pile.",
        "{who} gives up {composer}, which goes to the discard pile.",
    ),
    "abstains": Tell("You do not score with the Esperto.", "{who} does not score with the Esperto."),
    "loses": Tell("You give up {composer}, which leaves the game.", "{who} gives up {composer}, which leaves the game."),
    "keeps": Tell("You keep every piece where it is.", "{who} keeps every piece where it is."),
    "stages": _stages,
    "moves": lambda event: (
        Tell("You move {role} to {city}.", "{who} moves {role} to {city}."),
        {"role": rules.MAESTRO + event["figure"]},
    ),
    "earns": _earns,
    "doubles": Tell(
        "You earn {ducats} more in the Maestro's city, {city}.",
        "{who} earns {ducats} more in the Maestro's city, {city}.",
    ),
    "most": _most,
    "climbs": FAME,
    "unsold": lambda event: (
        Plural("Not sold: {number} piece by {composer}.", "Not sold: {number} pieces by {composer}."),
        {"number": event["pieces"]},
    ),
    "reshuffles": mark("The discard pile is shuffled and becomes the new deck: {pieces}."),
    "empties": lambda event: (mark("The Palazzo is full, and emptied: {cast}."), {"cast": event["composers"]}),
    "clears": lambda event: (mark("After the count the Palazzo is emptied: {cast}."), {"cast": event["composers"]}),
    "bonus": Tell("You get 1 ducat for a marker on level 0.", "{who} gets 1 ducat for a marker on level 0."),
    "counting": mark("The {count} count. Composer of the Century: {composer}."),
    "counts": Tell(
        "You get {points} for your great halls: {total} now.",
        "{who} gets {points} for great halls: {total} now.",
    ),
    "celebrates": Tell(
        "You get {points} for the Composer of the Century: {total} now.",
        "{who} gets {points} for the Composer of the Century: {total} now.",
    ),
    "forfeits": Tell(
        "You lose {points} for your empty halls: {total} now.",
        "{who} loses {points} for empty halls: {total} now.",
    ),
    "reveals": mark("{city} opens."),
    "wins": Tell("You win with {points}.", "{who} wins with {points}."),
}
OFFERS: Final = {
    "lays_out": mark("First offer: {pieces} by {composer}."),
    "offers": mark("New offer: {pieces} by {composer}."),
    "adds": mark("Also on offer: {pieces} by {composer}."),
}
"""The pieces drawn for an offer; those that were one too many are a sentence of their own."""
ASIDE: Final = Plural("Set aside: {number} piece by {composer}.", "Set aside: {number} pieces by {composer}.")


# Refusals: by reason, from a row, the seat that tried it and the argument of the action, as the ends of sentences.


def _wait(s: Row, seat: Seat, n: int) -> Line:
    if s[F.asked] == rules.BID:
        late = [one for one in range(s[F.seats]) if not s[F.has_bid] >> one & 1]
        return mark("your bid is in: waiting for {seats}"), {"seats": late}
    return mark("it is not your turn: {question}"), {"question": (s, s[F.turn])}


def _nothing_to_sell(s: Row, seat: Seat, n: int) -> Line:
    if s[F.palazzo] == 0:
        return mark("you have no piece to sell"), {}
    return mark("you have no piece that the Palazzo would take: it has {cast}"), {"cast": s[F.palazzo]}


def _city_closed(s: Row, seat: Seat, n: int) -> Line:
    count = OPENS_AFTER[n >> 2]
    message = mark("{city} opens after the {count} count, at the end of round {last}; this is round {round}")
    return message, {"city": n >> 2, "count": count, "last": COUNTED[s[F.seven_rounds]][count - 1], "round": s[F.round]}


def _not_there(s: Row, seat: Seat, n: int) -> Line:
    composer, source = divmod(n, rules.SOURCES)
    if source == 0:
        return mark("you have no piece by {composer} behind your screen"), {"composer": composer}
    return mark("you do not perform {composer} in {city}"), {"composer": composer, "city": source - 1}


def _no_place(s: Row, seat: Seat, n: int) -> Line:
    there = [rules.MAESTRO + figure for figure in range(3) if s[F.figure + figure] == n] or [_figure(s)]
    message = Plural(
        "{city} has {number} place for a figure, taken by {figures}",
        "{city} has {number} places for figures, taken by {figures}",
    )
    return message, {"city": n, "number": STANDING[n], "figures": there}


NOT_IN_HAND: Final = mark("{piece} is not at hand for {hall}")
TWICE: Final = mark("{piece} is in that house already and cannot be in {hall} too")
EARLIER_PIECE: Final = mark("to put {piece} into {hall}, begin this house again with it")

REASONS: Final[Mapping[str, Message | Callable[[Row, Seat, int], Line]]] = {
    "over": mark("the match is over"),
    "wait": _wait,
    "not_asked": lambda s, seat, n: (mark("something else comes first: “{question}”"), {"question": (s, seat)}),
    "too_much": lambda s, seat, n: (mark("you have only {ducats}"), {"ducats": s[F.ducats + seat]}),
    "too_high": lambda s, seat, n: (
        mark("level {top} is the highest: from level {level} you can bid {ducats} at most"),
        {"top": rules.TOP_LEVEL, "level": s[F.level + seat], "ducats": rules.TOP_LEVEL - s[F.level + seat]},
    ),
    "role_taken": lambda s, seat, n: (mark("{role} was hired already in this round"), {"role": n}),
    "no_budget": lambda s, seat, n: (
        mark("{role} costs {levels}, and you are on level {level}"),
        {"role": n, "levels": FEE[n], "level": s[F.level + seat]},
    ),
    "no_site": mark("there is nothing left for you to build"),
    "palazzo_full": lambda s, seat, n: (
        mark("the Palazzo is full: all its {number} places are taken"),
        {"number": s[F.palazzo].bit_count()},
    ),
    "nothing_to_sell": _nothing_to_sell,
    "no_level": lambda s, seat, n: (
        mark("that costs {levels}, and you are on level {level}"),
        {"levels": rules.price_of_rearranging(list(s)), "level": s[F.level + seat]},
    ),
    "hirer": mark("you have hired this role and must play it"),
    "begun": mark("you play along already: buy or build no more instead"),
    "not_offered": lambda s, seat, n: (mark("no piece by {composer} is on offer"), {"composer": n}),
    "dearer_first": lambda s, seat, n: (
        mark("{composer} costs {ducats}, more than your first piece: to buy both, take that back and begin with {composer}"),
        {"composer": n, "ducats": s[F.fame + n]},
    ),
    "too_dear": lambda s, seat, n: (
        mark("{composer} costs {ducats}, and you have {purse}"),
        {"composer": n, "ducats": s[F.fame + n], "purse": s[F.ducats + seat]},
    ),
    "must_build": mark("you must build at least one part"),
    "city_closed": _city_closed,
    "no_copy": lambda s, seat, n: (mark("{part} is not in the supply any more"), {"part": n}),
    "built_already": lambda s, seat, n: (mark("you have {part} already"), {"part": n}),
    "no_main": lambda s, seat, n: (mark("you have no main part in {city} to extend"), {"city": n >> 2}),
    "earlier_part": lambda s, seat, n: (mark("to build both parts, take the first back and begin with {part}"), {"part": n}),
    "part_dear": lambda s, seat, n: (
        mark("{part} costs {ducats}, and you have {purse}"),
        {"part": n, "ducats": rules.A_HALL * HALLS[n], "purse": s[F.ducats + seat]},
    ),
    "at_palazzo": lambda s, seat, n: (
        mark("the Palazzo has a piece by {composer} already"),
        {"composer": n // rules.SOURCES},
    ),
    "not_there": _not_there,
    "not_performed": lambda s, seat, n: (
        mark("nobody performs {composer} in {city}"),
        {"composer": n >> 1, "city": _city_of(s, rules.CRITICO)},
    ),
    "ladder_end": lambda s, seat, n: (
        mark("{composer} has fame {fame}, and the ladder goes from 1 to {last}"),
        {"composer": n >> 1, "fame": s[F.fame + (n >> 1)], "last": rules.TOP_FAME},
    ),
    "begun_placing": mark("you have taken your pieces up: fill the halls"),
    "not_in_hand": lambda s, seat, n: (NOT_IN_HAND, {"piece": n, "hall": (s[F.city], s[F.hall])}),
    "twice": lambda s, seat, n: (TWICE, {"piece": n, "hall": (s[F.city], s[F.hall])}),
    "earlier_piece": lambda s, seat, n: (EARLIER_PIECE, {"piece": n, "hall": (s[F.city], s[F.hall])}),
    "same_city": lambda s, seat, n: (
        mark("{role} is in {city} already, and must go to another city"),
        {"role": _figure(s), "city": n},
    ),
    "no_place": _no_place,
}
FAULTS: Final = {
    "no_city": mark("{word!r} is not a city: {names}"),
    "city_twice": mark("{city} is named twice"),
    "no_house": mark("you have no house in {city}"),
    "no_piece": mark("{word!r} in {hall} is not a piece: {names}"),
    "no_hall": mark("there is no {hall}: the house has {halls}"),
    "not_in_hand": NOT_IN_HAND,
    "twice": TWICE,
    "earlier_piece": EARLIER_PIECE,
}
"""Faults in the text of a whole arrangement."""
