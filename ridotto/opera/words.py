"""Opera in words: what its numbers are called, its actions, events and refusals as sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ridotto.kernel import Seat
from ridotto.opera import rules
from ridotto.opera.components import FEE
from ridotto.opera.rules import A, F
from ridotto.words import listed, mark, say

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
IN = (mark("in Venezia"), mark("in Wien"), mark("in Berlin"), mark("in London"), mark("in Paris"), mark("in Milano"))
TO = (mark("to Venezia"), mark("to Wien"), mark("to Berlin"), mark("to London"), mark("to Paris"), mark("to Milano"))
FROM = (
    mark("from Venezia"),
    mark("from Wien"),
    mark("from Berlin"),
    mark("from London"),
    mark("from Paris"),
    mark("from Milano"),
)
PARTS = (mark("the main building"), mark("the wing"), mark("the second wing"), mark("the third wing"))
ROLES = (
    mark("the Impresario"),
    mark("the Architetto"),
    mark("the Signora"),
    mark("the Maestro"),
    mark("the Critico"),
    mark("the Esperto"),
)
COUNTS = (mark("first"), mark("second"), mark("third"))


def player(seat: Seat) -> str:
    """Who sits there, by colour."""
    return say(PLAYERS[seat])


def composer(number: int) -> str:
    """A composer's name."""
    return say(COMPOSERS[number])


def piece(number: int) -> str:
    """A piece by its composer's name; none is an empty hall."""
    if number < 0:
        return say("nothing")
    return say("house piece") if number == rules.HOUSE else composer(number)


def cast(bits: int) -> str:
    """A set of pieces as a phrase."""
    return listed([piece(number) for number in range(7) if bits >> number & 1]) or say("nothing")


def city(number: int) -> str:
    """A city's name."""
    return say(CITIES[number])


def inside(number: int) -> str:
    """In that city."""
    return say(IN[number])


def role(number: int) -> str:
    """A role with its article."""
    return say(ROLES[number])


def part(site: int) -> str:
    """A building part with its city."""
    return say("{part} {where}", part=say(PARTS[site & 3]), where=inside(site >> 2))


def source(number: int) -> str:
    """Where a piece for the Palazzo comes from."""
    return say("from behind the screen") if number == 0 else say(FROM[number - 1])


def hall(city_number: int, hall_number: int) -> str:
    """A hall of one's house in a city."""
    if hall_number == 0:
        return say("the great hall {where}", where=inside(city_number))
    return say("hall {number} {where}", number=hall_number + 1, where=inside(city_number))


def opening(text: str) -> str:
    """The text with a capital letter: for the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def ducats(number: int) -> str:
    """An amount of money."""
    if number == 0:
        return say("no ducats")
    return say("1 ducat") if number == 1 else say("{number} ducats", number=number)


def points(number: int) -> str:
    """An amount of points."""
    if number == 0:
        return say("no points")
    return say("1 point") if number == 1 else say("{number} points", number=number)


def pieces(number: int) -> str:
    """A number of pieces."""
    return say("1 piece") if number == 1 else say("{number} pieces", number=number)


def halls(number: int) -> str:
    """A number of halls."""
    return say("1 hall") if number == 1 else say("{number} halls", number=number)


def steps(number: int) -> str:
    """A number of steps on the fame ladder."""
    return say("1 step") if number == 1 else say("{number} steps", number=number)


# Actions.


def label(s: Sequence[int], seat: Seat, action: int) -> str:
    """What a button for an action says."""
    verb = rules.ACTIONS.family(action).verb
    n = rules.ACTIONS.argument(action)
    if verb == "bid":
        return say("bid {ducats}, to level {level}", ducats=ducats(n), level=s[F.level + seat] + n)
    if verb == "hire":
        return say("hire {role}, for {fee} levels", role=role(n), fee=FEE[n])
    if verb == "end":
        return say("end the performance")
    if verb == "decline":
        return say("do not score") if s[F.asked] == rules.SCORE else say("intermezzo: do not play along")
    if verb == "stop":
        return _label_of_stop(s, seat)
    if verb == "buy":
        return say("buy {composer} for {ducats}", composer=composer(n), ducats=ducats(s[F.fame + n]))
    if verb == "keep":
        return say("keep every piece where it is")
    if verb == "empty":
        if s[F.city] < 0:
            return say("leave the hall empty")
        if s[F.hall] == 0:
            return say("leave {hall} empty", hall=hall(s[F.city], 0))
        return say("no more pieces {where}", where=inside(s[F.city]))
    if verb == "place":
        if s[F.city] < 0:
            return say("place {piece}", piece=piece(n))
        return say("{piece} in {hall}", piece=opening(piece(n)), hall=hall(s[F.city], s[F.hall]))
    if verb == "build":
        return say("build {part}", part=part(n))
    if verb == "sell":
        return say("sell {composer} {source}", composer=composer(n // rules.SOURCES), source=source(n % rules.SOURCES))
    if verb == "take":
        return _label_of_pay(s, n)
    if verb == "move":
        return say("{role} goes {to}", role=opening(_figure(s)), to=say(TO[n]))
    if verb == "withhold":
        return say("leave the fame ladder as it is")
    if verb == "praise":
        return say("raise {composer} by {steps}", composer=composer(n >> 1), steps=steps((n & 1) + 1))
    if verb == "scorn":
        return say("lower {composer} by {steps}", composer=composer(n >> 1), steps=steps((n & 1) + 1))
    return say("score, and give up the best piece there")


def _label_of_stop(s: Sequence[int], seat: Seat) -> str:
    if s[F.asked] == rules.BUILD:
        return say("build no more")
    if s[F.first] >= 0:
        return say("buy no more")
    if s[F.hirer] in (seat, rules.NONE):
        return say("buy nothing, only rearrange")
    if rules.price_of_rearranging(list(s)) == 0:
        return say("play along to rearrange only, at no cost")
    return say("play along to rearrange only, for 1 level")


def _label_of_pay(s: Sequence[int], payment: int) -> str:
    if s[F.sold] < 0:
        return say("be paid in ducats") if payment == 0 else say("be paid in points")
    fame = s[F.fame + s[F.sold]]
    return say("take {what}", what=ducats(2 * fame) if payment == 0 else points(fame))


def _figure(s: Sequence[int]) -> str:
    """The figure being moved."""
    return role(s[F.role]) if s[F.role] >= rules.MAESTRO else say("the figure")


def question(s: Sequence[int], seat: Seat) -> str:
    """What is wanted of the seat to act."""
    who = player(seat)
    asked = s[F.asked]
    along = s[F.hirer] != seat
    if asked == rules.BID:
        return say("{who} makes a secret bid for budget levels.", who=who)
    if asked == rules.HIRE:
        return say("{who} has the initiative: hire a role, or end the performance.", who=who)
    if asked == rules.BUY:
        if s[F.first] >= 0:
            return say("{who} may buy a second piece, for {ducats} at most.", who=who, ducats=ducats(s[F.first]))
        if along:
            return say("{who} may play along with the Impresario: buy a piece, or rearrange only.", who=who)
        return say("{who} may buy up to two pieces, the dearer one first.", who=who)
    if asked == rules.BUILD:
        if s[F.first] >= 0:
            return say("{who} may build a second part, at 2 ducats and 2 points a hall.", who=who)
        if along:
            return say("{who} may play along with the Architetto, at 2 ducats and 2 points a hall.", who=who)
        return say("{who} builds one or two parts, at 2 ducats and 2 points a hall.", who=who)
    if asked == rules.SELL:
        if along:
            return say("{who} may play along with the Signora and sell a piece to the Palazzo.", who=who)
        return say("{who} sells a piece to the Palazzo.", who=who)
    if asked == rules.PAY:
        return say("{who} takes ducats or points for {composer}.", who=who, composer=composer(s[F.sold]))
    if asked == rules.MOVE:
        return say("{who} moves {role} to another city.", who=who, role=role(s[F.role]))
    if asked == rules.REVIEW:
        here = inside(s[F.figure + rules.CRITICO - rules.MAESTRO])
        return say("{who} may raise or lower a composer performed {where}.", who=who, where=here)
    if asked == rules.SCORE:
        here = inside(s[F.figure + rules.ESPERTO - rules.MAESTRO])
        return say("{who} may score {where} and give up the best piece there.", who=who, where=here)
    if asked == rules.REARRANGE:
        return say("{who} keeps every piece, or takes all up and fills {hall}.", who=who, hall=hall(s[F.city], s[F.hall]))
    if asked == rules.STAGE:
        return say("{who} fills {hall}.", who=who, hall=hall(s[F.city], s[F.hall]))
    return say("The match is over.")


# Events.


def sentence(event: str, seen: Mapping[str, int]) -> str:
    """An event as a line of the log."""
    who = player(seen["seat"]) if "seat" in seen else ""
    name = composer(seen["composer"]) if "composer" in seen else ""
    if event in ("stands", "shifts", "climbs"):
        if event == "stands":
            return say("{composer} starts with fame {fame}.", composer=name, fame=seen["fame"])
        return say("{composer} now has fame {fame}.", composer=name, fame=seen["fame"])
    if event == "offers":
        if seen["aside"] == 0:
            return say("On offer: {pieces} by {composer}.", pieces=pieces(seen["pieces"]), composer=name)
        return say(
            "On offer: {pieces} by {composer}; set aside: {aside}.",
            pieces=pieces(seen["pieces"]),
            composer=name,
            aside=seen["aside"],
        )
    if event == "century":
        return say("Composer of the Century for the {count} count: {composer}.", count=_count(seen), composer=name)
    if event == "repeats":
        return say("{composer} was drawn before, and goes to the discard pile.", composer=name)
    if event == "starts":
        return say("{who} is the start player.", who=who)
    if event == "funded":
        return say("{who} begins with {ducats}.", who=who, ducats=ducats(seen["ducats"]))
    if event == "opens":
        return say("Round {round} begins.", round=seen["round"])
    if event == "bids":
        return say(
            "{who} has bid {ducats}, and stands on level {level}.", who=who, ducats=ducats(seen["ducats"]), level=seen["level"]
        )
    if event == "hires":
        return say("{who} hires {role}, down to level {level}.", who=who, role=role(seen["role"]), level=seen["level"])
    if event == "declines":
        if seen["role"] == rules.ESPERTO:
            return say("{who} does not score.", who=who)
        return say("{who} does not play along.", who=who)
    if event == "ends":
        return say("{who} ends the performance.", who=who)
    if event == "forced":
        return say("{who} has no role left to hire and must end the performance.", who=who)
    if event == "closes":
        return say("The action phase is over.")
    if event in ("earns", "most", "unsold", "reshuffles", "empties", "bonus", "counting", "counts", "reveals", "wins"):
        return _of_the_end(event, seen, who, name)
    return _of_a_role(event, seen, who, name)


def _count(seen: Mapping[str, int]) -> str:
    return say(COUNTS[seen["count"] - 1])


def _of_a_role(event: str, seen: Mapping[str, int], who: str, name: str) -> str:
    """What happens while a role is played."""
    if event == "buys":
        return say("{who} buys {composer} for {ducats}.", who=who, composer=name, ducats=ducats(seen["ducats"]))
    if event == "rearranges":
        return say("{who} plays along to rearrange only.", who=who)
    if event == "builds":
        site = seen["city"] * 4 + seen["part"]
        return say(
            "{who} builds {part}, {halls}: {ducats}, {points}.",
            who=who,
            part=part(site),
            halls=halls(seen["halls"]),
            ducats=ducats(rules.A_HALL * seen["halls"]),
            points=points(rules.A_HALL * seen["halls"]),
        )
    if event == "sells":
        return say("{who} sells {composer} {source} to the Palazzo.", who=who, composer=name, source=source(seen["source"]))
    if event == "paid":
        return say("{who} gets {amount} for {composer}.", who=who, amount=ducats(seen["ducats"]), composer=name)
    if event == "honoured":
        return say("{who} gets {amount} for {composer}.", who=who, amount=points(seen["points"]), composer=name)
    if event == "judges":
        return say("The Critico moves {composer} to fame {fame}.", composer=name, fame=seen["fame"])
    if event == "withholds":
        return say("The Critico leaves the fame ladder as it is.")
    if event == "scores":
        return say("{who} scores {points} {where}.", who=who, points=points(seen["points"]), where=inside(seen["city"]))
    if event == "gives":
        return say("{who} gives {composer} to {receiver}.", who=who, composer=name, receiver=player(seen["receiver"]))
    if event == "discards":
        return say("{who} gives up {composer}, which goes to the discard pile.", who=who, composer=name)
    if event == "loses":
        return say("{who} gives up {composer}, which leaves the game.", who=who, composer=name)
    if event == "keeps":
        return say("{who} keeps every piece where it is.", who=who)
    if event == "stages":
        return say(
            "{who} performs {where}: {great} in the great hall; besides: {side}.",
            who=who,
            where=inside(seen["city"]),
            great=piece(seen["great"]),
            side=cast(seen["side"]),
        )
    return say("{who} moves {role} {to}.", who=who, role=role(rules.MAESTRO + seen["figure"]), to=say(TO[seen["city"]]))


def _of_the_end(event: str, seen: Mapping[str, int], who: str, name: str) -> str:
    """What happens between the action phase and the next round."""
    if event == "earns":
        if seen["extra"] == 0:
            return say("{who} earns {ducats}.", who=who, ducats=ducats(seen["ducats"]))
        return say(
            "{who} earns {ducats}, {extra} of them through the Maestro.",
            who=who,
            ducats=ducats(seen["ducats"]),
            extra=seen["extra"],
        )
    if event == "most":
        return say("Performed most, {times} times: {cast}.", times=seen["times"], cast=cast(seen["composers"]))
    if event == "unsold":
        return say("Not sold: {pieces} by {composer}.", pieces=pieces(seen["pieces"]), composer=name)
    if event == "reshuffles":
        return say("The discard pile becomes the new deck: {pieces}.", pieces=pieces(seen["pieces"]))
    if event == "empties":
        return say("The Palazzo is emptied: {cast}.", cast=cast(seen["composers"]))
    if event == "bonus":
        return say("{who} gets 1 ducat for a marker on level 0.", who=who)
    if event == "counting":
        return say("The {count} count. Composer of the Century: {composer}.", count=_count(seen), composer=name)
    if event == "counts":
        return say(
            "{who}: great halls {great}, century {century}, empty halls {empty}; now {points}.",
            who=who,
            great=seen["great"],
            century=seen["century"],
            empty=-seen["empty"],
            points=points(seen["points"]),
        )
    if event == "reveals":
        return say("{city} opens.", city=city(seen["city"]))
    return say("{who} wins with {points}.", who=who, points=points(seen["points"]))


# Refusals.


def because(reason: str, s: Sequence[int], seat: Seat, action: int) -> str:
    """Why an action is not allowed, as the end of a sentence."""
    n = rules.ACTIONS.argument(action)
    if reason == "over":
        return say("the match is over")
    if reason == "wait":
        if s[F.asked] == rules.BID:
            return say("this seat's bid is in, and the others' are awaited")
        return say("it is another seat's turn: {question}", question=question(s, s[F.turn]).rstrip("."))
    if reason == "not_asked":
        return say("something else must be decided now: {question}", question=question(s, seat).rstrip("."))
    if reason == "too_much":
        return say("there are only {ducats} behind the screen", ducats=ducats(s[F.ducats + seat]))
    if reason == "too_high":
        return say("from level {level} that is above level 10", level=s[F.level + seat])
    if reason == "role_taken":
        return say("{role} was hired already in this round", role=role(n))
    if reason == "no_budget":
        return say(
            "{role} costs {fee} levels, and the marker stands on {level}",
            role=role(n),
            fee=FEE[n],
            level=s[F.level + seat],
        )
    if reason == "no_site":
        return say("there is nothing left for this seat to build")
    if reason == "no_part":
        return say("{ducats} will not pay for any part", ducats=ducats(s[F.ducats + seat]))
    if reason == "palazzo_full":
        return say("the Palazzo is full")
    if reason == "nothing_to_sell":
        return say("no piece the Palazzo would take")
    if reason == "no_level":
        return say("that costs a level, and the marker stands on level 0")
    if reason == "hirer":
        return say("whoever hires a role must play it")
    if reason == "begun":
        return say("this seat plays along already: stop instead")
    if reason == "must_build":
        return say("one part must be built")
    if reason in ("not_offered", "dearer_first", "too_dear"):
        return _because_of_price(reason, s, n)
    if reason in ("city_closed", "no_copy", "built_already", "no_main", "earlier_part", "part_dear"):
        return _because_of_site(reason, s, seat, n)
    if reason == "at_palazzo":
        return say("{composer} is performed at the Palazzo already", composer=composer(n // rules.SOURCES))
    if reason == "not_there":
        where = source(n % rules.SOURCES)
        return say("no piece by {composer} can come {source}", composer=composer(n // rules.SOURCES), source=where)
    if reason == "not_performed":
        here = inside(s[F.figure + rules.CRITICO - rules.MAESTRO])
        return say("nobody performs {composer} {where}", composer=composer(n >> 1), where=here)
    if reason == "ladder_end":
        return say("the fame ladder ends before that")
    if reason == "begun_placing":
        return say("the pieces have been taken up: fill the halls")
    if reason in ("not_in_hand", "twice", "earlier_piece"):
        return _because_of_hall(reason, n, s[F.city], s[F.hall])
    if reason == "same_city":
        return say("{role} must go to another city", role=_figure(s))
    return say("there is no free place {where}", where=inside(n))


def _because_of_price(reason: str, s: Sequence[int], number: int) -> str:
    if reason == "not_offered":
        return say("no piece by {composer} is on offer", composer=composer(number))
    price = ducats(s[F.fame + number])
    if reason == "dearer_first":
        return say(
            "{composer} costs {ducats}: of two pieces the dearer is bought first", composer=composer(number), ducats=price
        )
    return say("{composer} costs {ducats}", composer=composer(number), ducats=price)


def _because_of_site(reason: str, s: Sequence[int], seat: Seat, site: int) -> str:
    if reason == "city_closed":
        return say("{city} is not open yet", city=city(site >> 2))
    if reason == "no_copy":
        return say("{part} is not in the supply any more", part=part(site))
    if reason == "built_already":
        return say("{part} stands already", part=part(site))
    if reason == "no_main":
        return say("there is no main building {where} to extend", where=inside(site >> 2))
    if reason == "earlier_part":
        return say("of two parts the one that comes first in the order of the cities is built first")
    return say("{part} costs more than {ducats}", part=part(site), ducats=ducats(s[F.ducats + seat]))


def _because_of_hall(reason: str, number: int, city_number: int, hall_number: int) -> str:
    where = hall(city_number, hall_number)
    if reason == "not_in_hand":
        return say("there is no piece {piece} left for {hall}", piece=piece(number), hall=where)
    if reason == "twice":
        return say("{piece} is in that house already and cannot be in {hall} too", piece=piece(number), hall=where)
    return say(
        "side halls are filled in the order of the composers, the house piece last: no {piece} in {hall}",
        piece=piece(number),
        hall=where,
    )


# A whole arrangement.


def arrangement(s: Sequence[int], seat: Seat, text: str) -> list[int]:
    """The actions that lead to a whole arrangement, written as "venezia wagner; wien verdi house".

    A city is followed by the piece of its great hall ("-" for none) and then those of its other halls, in any order. A
    city that is not named keeps its pieces; what is left over goes behind the screen. Raises ValueError with the § and
    the hall at fault, before anything is done.

    >>> from ridotto.core import Match
    >>> from ridotto.opera import game
    >>> match = Match(game, seats=2, seed=1)
    >>> arrangement(match.row, 0, "venezia house")
    Traceback (most recent call last):
        ...
    ValueError: cannot arrange: something else must be decided now: Red makes a secret bid for budget levels (§5.7)
    """
    if s[F.asked] != rules.REARRANGE or s[F.turn] != seat:
        reason = because("wait" if s[F.turn] not in (seat, rules.NONE) else "not_asked", s, seat, A.keep)
        raise ValueError(_complaint(reason))
    left = [s[F.screen + seat * 7 + number] for number in range(7)]
    for where in range(6):
        great, side = s[F.great + seat * 6 + where], s[F.side + seat * 6 + where]
        for number in range(7):
            left[number] += side >> number & 1 or number == great
    programme = _programme(s, seat, text)
    for where in range(6):
        if where not in programme:
            great, side = s[F.great + seat * 6 + where], s[F.side + seat * 6 + where]
            programme[where] = [great, *(number for number in range(7) if side >> number & 1)]
    for where in sorted(programme):
        for at, number in enumerate(programme[where]):
            if number >= 0:
                left[number] -= 1
                if left[number] < 0:
                    raise ValueError(_complaint(_because_of_hall("not_in_hand", number, where, at)))

    actions = []
    for where in range(6):
        room = s[F.halls + seat * 6 + where]
        if room == 0:
            continue
        great, *side = programme[where]
        actions.append(A.empty if great < 0 else A.place + great)
        actions += [A.place + number for number in sorted(side)]
        if len(side) < room - 1:
            actions.append(A.empty)
    return [int(action) for action in actions]


def _complaint(reason: str) -> str:
    return say("cannot arrange: {reason} (§5.7)", reason=reason)


def _programme(s: Sequence[int], seat: Seat, text: str) -> dict[int, list[int]]:
    """What a text wants in each city it names: the piece of the great hall first, -1 for none."""
    programme: dict[int, list[int]] = {}
    text = text.strip().lower().removeprefix("arrange ")
    for clause in text.split(";"):
        words = clause.split()
        if not words:
            continue
        where = rules.CITY.parse(words[0])
        if where is None:
            raise ValueError(
                _complaint(say("{word!r} is not a city: {names}", word=words[0], names=", ".join(rules.CITY.names)))
            )
        if where in programme:
            raise ValueError(_complaint(say("{city} is named twice", city=city(where))))
        room = s[F.halls + seat * 6 + where]
        if room == 0:
            raise ValueError(_complaint(say("this seat has no house {where}", where=inside(where))))
        wanted: list[int] = []
        for at, word in enumerate(words[1:]):
            number = -1 if word == "-" else rules.PIECE.parse(word)
            if number is None:
                names = ", ".join((*rules.PIECE.names, "-"))
                raise ValueError(
                    _complaint(say("{word!r} in {hall} is not a piece: {names}", word=word, hall=hall(where, at), names=names))
                )
            if at >= room:
                raise ValueError(
                    _complaint(say("there is no {hall}: the house has {halls}", hall=hall(where, at), halls=halls(room)))
                )
            if number >= 0 and number in wanted:
                raise ValueError(_complaint(_because_of_hall("twice", number, where, at)))
            wanted.append(number)
        great = wanted[0] if wanted else -1
        programme[where] = [great, *(number for number in wanted[1:] if number >= 0)]
    return programme


SERIES = {"arrange": arrangement}
"""Texts that stand for a series of actions, done all or not at all."""
