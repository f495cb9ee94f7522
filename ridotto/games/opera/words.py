"""Opera in words: what its numbers are called, its actions, events and refusals as sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ridotto.core.narrator import called, listed, mark, say
from ridotto.engine.fields import Seat
from ridotto.games.opera import rules
from ridotto.games.opera.components import FEE, HALLS
from ridotto.games.opera.rules import A, F

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


def colour(seat: Seat) -> str:
    """The colour of a seat."""
    return say(PLAYERS[seat])


def player(seat: Seat) -> str:
    """Who sits there, by name or by colour."""
    return called(seat, colour(seat))


def composer(number: int) -> str:
    """A composer's name."""
    return say(COMPOSERS[number])


def piece(number: int) -> str:
    """A piece by its composer's name."""
    return say("the house piece") if number == rules.HOUSE else composer(number)


def cast(bits: int) -> str:
    """A set of pieces as a phrase."""
    return listed([piece(number) for number in range(7) if bits >> number & 1])


def city(number: int) -> str:
    """A city's name."""
    return say(CITIES[number])


def role(number: int) -> str:
    """A role with its article."""
    return say(ROLES[number])


def part(site: int) -> str:
    """A building part with its city; where a city has several wings, the first is called so."""
    if site & 3 == 1 and HALLS[site + 1]:
        return say("the first wing in {city}", city=city(site >> 2))
    return say(PARTS[site & 3], city=city(site >> 2))


def hall(city_number: int, hall_number: int) -> str:
    """A hall of one's house in a city."""
    if hall_number == 0:
        return say("the great hall in {city}", city=city(city_number))
    return say("hall {number} in {city}", number=hall_number + 1, city=city(city_number))


def opening(text: str) -> str:
    """The text with a capital letter: for the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def ducats(number: int) -> str:
    """An amount of money."""
    if number == 0:
        return say("0 ducats")
    return say("1 ducat") if number == 1 else say("{number} ducats", number=number)


def points(number: int) -> str:
    """An amount of points."""
    if number == 0:
        return say("0 points")
    return say("1 point") if number == 1 else say("{number} points", number=number)


def pieces(number: int) -> str:
    """A number of pieces."""
    return say("1 piece") if number == 1 else say("{number} pieces", number=number)


def halls(number: int) -> str:
    """A number of halls."""
    return say("1 hall") if number == 1 else say("{number} halls", number=number)


def levels(number: int) -> str:
    """A number of budget levels."""
    if number == 0:
        return say("0 levels")
    return say("1 level") if number == 1 else say("{number} levels", number=number)


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
        return say("hire {role}, for {levels}", role=role(n), levels=levels(FEE[n]))
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
        return say("no more pieces in {city}", city=city(s[F.city]))
    if verb == "place":
        if s[F.city] < 0:
            return say("place {piece}", piece=piece(n))
        return say("{piece} in {hall}", piece=opening(piece(n)), hall=hall(s[F.city], s[F.hall]))
    if verb == "build":
        amount = rules.A_HALL * HALLS[n]
        return say("build {part}: {ducats}, {points}", part=part(n), ducats=ducats(amount), points=points(amount))
    if verb == "sell":
        name, source = composer(n // rules.SOURCES), n % rules.SOURCES
        if source == 0:
            return say("sell {composer} from behind the screen", composer=name)
        return say("sell {composer} out of the house in {city}", composer=name, city=city(source - 1))
    if verb == "take":
        return _label_of_pay(s, n)
    if verb == "move":
        return say("{role} goes to {city}", role=opening(_figure(s)), city=city(n))
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
    price = rules.price_of_rearranging(list(s))
    return say("play along to rearrange only, for {levels}", levels=levels(price))


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
    fee = levels(rules.fee_along(list(s)))
    if asked == rules.BID:
        return say("{who} makes a secret bid for budget levels.", who=who)
    if asked == rules.HIRE:
        return say("{who} has the initiative: hire a role, or end the performance.", who=who)
    if asked == rules.BUY:
        if s[F.first] >= 0:
            most = ducats(s[F.first])
            if along:
                return say("{who} may buy a second piece for {levels} and {ducats} at most.", who=who, levels=fee, ducats=most)
            return say("{who} may buy a second piece, for {ducats} at most.", who=who, ducats=most)
        if along:
            return say(
                "{who} may play along with the Impresario: buy a piece ({levels}), or rearrange only ({price}).",
                who=who,
                levels=fee,
                price=levels(rules.price_of_rearranging(list(s))),
            )
        return say("{who} may buy up to two pieces, the dearer one first.", who=who)
    if asked == rules.BUILD:
        if s[F.first] >= 0:
            if along:
                return say("{who} may build a second part for {levels}, at 2 ducats and 2 points a hall.", who=who, levels=fee)
            return say("{who} may build a second part, at 2 ducats and 2 points a hall.", who=who)
        if along:
            return say(
                "{who} may play along with the Architetto for {levels}, at 2 ducats and 2 points a hall.", who=who, levels=fee
            )
        return say("{who} builds one or two parts, at 2 ducats and 2 points a hall.", who=who)
    if asked == rules.SELL:
        if along:
            return say(
                "{who} may play along with the Signora for {levels} and sell a piece to the Palazzo.", who=who, levels=fee
            )
        return say("{who} sells a piece to the Palazzo.", who=who)
    if asked == rules.PAY:
        return say("{who} takes ducats or points for {composer}.", who=who, composer=composer(s[F.sold]))
    if asked == rules.MOVE:
        return say("{who} moves {role} to another city.", who=who, role=role(s[F.role]))
    if asked == rules.REVIEW:
        here = city(s[F.figure + rules.CRITICO - rules.MAESTRO])
        return say("{who} may raise or lower a composer performed in {city}.", who=who, city=here)
    if asked == rules.SCORE:
        here = city(s[F.figure + rules.ESPERTO - rules.MAESTRO])
        return say("{who} may score in {city} and give up the best piece there.", who=who, city=here)
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
    where = city(seen["city"]) if "city" in seen else ""
    if event == "stands":
        return say("{composer} starts with fame {fame}.", composer=name, fame=seen["fame"])
    if event in ("shifts", "climbs"):
        return say("{composer} now has fame {fame}.", composer=name, fame=seen["fame"])
    if event in ("lays_out", "offers", "adds"):
        return _of_the_offer(event, seen, name)
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
    if event in ("hires", "joins", "declines", "ends", "spent", "forced", "closes"):
        return _of_the_budget(event, seen, who)
    if event in ("scores", "gives", "discards", "abstains", "loses", "moves", "judges", "withholds"):
        return _of_a_figure(event, seen, who, name, where)
    if event in ("buys", "rearranges", "builds", "sells", "paid", "honoured", "keeps", "stages"):
        return _of_an_employee(event, seen, who, name, where)
    return _of_the_end(event, seen, who, name, where)


def _count(seen: Mapping[str, int]) -> str:
    return say(COUNTS[seen["count"] - 1])


def _of_the_offer(event: str, seen: Mapping[str, int], name: str) -> str:
    """What was drawn for an offer, and what of it was one too many."""
    told = []
    if number := seen["pieces"]:
        if event == "lays_out":
            told.append(say("First offer: {pieces} by {composer}.", pieces=pieces(number), composer=name))
        elif event == "offers":
            told.append(say("New offer: {pieces} by {composer}.", pieces=pieces(number), composer=name))
        else:
            told.append(say("Also on offer: {pieces} by {composer}.", pieces=pieces(number), composer=name))
    if seen["aside"] == 1:
        told.append(say("Set aside: 1 piece by {composer}.", composer=name))
    elif seen["aside"] > 1:
        told.append(say("Set aside: {number} pieces by {composer}.", number=seen["aside"], composer=name))
    return " ".join(told)


def _of_the_budget(event: str, seen: Mapping[str, int], who: str) -> str:
    """What is done with budget markers, and with performances."""
    if event == "hires":
        return say("{who} hires {role}, down to level {level}.", who=who, role=role(seen["role"]), level=seen["level"])
    if event == "joins":
        if seen["fee"] == 0:
            return say("{who} plays along with {role}, and pays no level.", who=who, role=role(seen["role"]))
        return say(
            "{who} plays along with {role} for {levels}, down to level {level}.",
            who=who,
            role=role(seen["role"]),
            levels=levels(seen["fee"]),
            level=seen["level"],
        )
    if event == "declines":
        return say("{who} does not play along with {role}.", who=who, role=role(seen["role"]))
    if event == "ends":
        return say("{who} ends the performance.", who=who)
    if event == "spent":
        return say(
            "{who} has hired {roles} roles, as many as allowed, and must end the performance.", who=who, roles=seen["roles"]
        )
    if event == "forced":
        return say("{who} can pay for no role that is of any use, and must end the performance.", who=who)
    return say(CLOSINGS[seen["why"]])


def _of_an_employee(event: str, seen: Mapping[str, int], who: str, name: str, where: str) -> str:
    """What happens while an employee is played."""
    if event == "buys":
        return say("{who} buys {composer} for {ducats}.", who=who, composer=name, ducats=ducats(seen["ducats"]))
    if event == "rearranges":
        return say("{who} buys nothing and only rearranges.", who=who)
    if event == "builds":
        amount = rules.A_HALL * seen["halls"]
        return say(
            "{who} builds {part}, {halls}: {ducats}, {points}.",
            who=who,
            part=part(seen["city"] * 4 + seen["part"]),
            halls=halls(seen["halls"]),
            ducats=ducats(amount),
            points=points(amount),
        )
    if event == "sells":
        if seen["source"] == 0:
            return say("{who} sells {composer} from behind the screen to the Palazzo.", who=who, composer=name)
        here = city(seen["source"] - 1)
        return say("{who} sells {composer} out of the house in {city} to the Palazzo.", who=who, composer=name, city=here)
    if event == "paid":
        return say("{who} gets {amount} for {composer}.", who=who, amount=ducats(seen["ducats"]), composer=name)
    if event == "honoured":
        return say("{who} gets {amount} for {composer}.", who=who, amount=points(seen["points"]), composer=name)
    if event == "keeps":
        return say("{who} keeps every piece where it is.", who=who)
    great, side = seen["great"], seen["side"]
    if great < 0:
        if side == 0:
            return say("{who} performs nothing in {city}.", who=who, city=where)
        return say("{who} performs in {city}: {side}, with nothing in the great hall.", who=who, city=where, side=cast(side))
    if side == 0:
        return say("{who} performs in {city}: {great} in the great hall.", who=who, city=where, great=piece(great))
    return say(
        "{who} performs in {city}: {great} in the great hall; besides: {side}.",
        who=who,
        city=where,
        great=piece(great),
        side=cast(side),
    )


def _of_a_figure(event: str, seen: Mapping[str, int], who: str, name: str, where: str) -> str:
    """What happens while a figure is played."""
    if event == "moves":
        return say("{who} moves {role} to {city}.", who=who, role=role(rules.MAESTRO + seen["figure"]), city=where)
    if event == "judges":
        return say("The Critico moves {composer} to fame {fame}.", composer=name, fame=seen["fame"])
    if event == "withholds":
        return say("The Critico leaves the fame ladder as it is.")
    if event == "scores":
        return say("{who} scores {points} in {city}.", who=who, points=points(seen["points"]), city=where)
    if event == "gives":
        return say("{who} gives {composer} to {receiver}.", who=who, composer=name, receiver=player(seen["receiver"]))
    if event == "discards":
        return say("{who} gives up {composer}, which goes to the discard pile.", who=who, composer=name)
    if event == "loses":
        return say("{who} gives up {composer}, which leaves the game.", who=who, composer=name)
    return say("{who} does not score with the Esperto.", who=who)


def _of_the_end(event: str, seen: Mapping[str, int], who: str, name: str, where: str) -> str:
    """What happens between the action phase and the next round."""
    if event == "earns":
        if seen["pieces"] == 0:
            return say("{who} performs no piece and earns nothing.", who=who)
        return say("{who} earns {ducats} with {pieces}.", who=who, ducats=ducats(seen["ducats"]), pieces=pieces(seen["pieces"]))
    if event == "doubles":
        return say(
            "{who} earns {ducats} more in the Maestro's city, {city}.", who=who, ducats=ducats(seen["ducats"]), city=where
        )
    if event == "most":
        if seen["times"] == 1:
            return say("Performed most, once: {cast}.", cast=cast(seen["composers"]))
        return say("Performed most, {times} times: {cast}.", times=seen["times"], cast=cast(seen["composers"]))
    if event == "unsold":
        if seen["pieces"] == 1:
            return say("Not sold: 1 piece by {composer}.", composer=name)
        return say("Not sold: {number} pieces by {composer}.", number=seen["pieces"], composer=name)
    if event == "reshuffles":
        return say("The discard pile is shuffled and becomes the new deck: {pieces}.", pieces=pieces(seen["pieces"]))
    if event == "empties":
        return say("The Palazzo is full, and emptied: {cast}.", cast=cast(seen["composers"]))
    if event == "clears":
        return say("After the count the Palazzo is emptied: {cast}.", cast=cast(seen["composers"]))
    if event == "bonus":
        return say("{who} gets 1 ducat for a marker on level 0.", who=who)
    if event == "counting":
        return say("The {count} count. Composer of the Century: {composer}.", count=_count(seen), composer=name)
    if event in ("counts", "celebrates", "forfeits"):
        return _of_a_count(event, who, points(seen["points"]), points(seen["total"]))
    if event == "reveals":
        return say("{city} opens.", city=where)
    return say("{who} wins with {points}.", who=who, points=points(seen["points"]))


def _of_a_count(event: str, who: str, change: str, total: str) -> str:
    """Points that come or go at a count."""
    if event == "counts":
        return say("{who} gets {points} for great halls: {total} now.", who=who, points=change, total=total)
    if event == "celebrates":
        return say("{who} gets {points} for the Composer of the Century: {total} now.", who=who, points=change, total=total)
    return say("{who} loses {points} for empty halls: {total} now.", who=who, points=change, total=total)


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
            "{role} costs {levels}, and the marker stands on level {level}",
            role=role(n),
            levels=levels(FEE[n]),
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
        return say("the Palazzo has a piece by {composer} already", composer=composer(n // rules.SOURCES))
    if reason == "not_there":
        name, source = composer(n // rules.SOURCES), n % rules.SOURCES
        if source == 0:
            return say("no piece by {composer} lies behind the screen", composer=name)
        return say("this seat does not perform {composer} in {city}", composer=name, city=city(source - 1))
    if reason == "not_performed":
        here = city(s[F.figure + rules.CRITICO - rules.MAESTRO])
        return say("nobody performs {composer} in {city}", composer=composer(n >> 1), city=here)
    if reason == "ladder_end":
        return say("the fame ladder ends before that")
    if reason == "begun_placing":
        return say("the pieces have been taken up: fill the halls")
    if reason in ("not_in_hand", "twice", "earlier_piece"):
        return _because_of_hall(reason, n, s[F.city], s[F.hall])
    if reason == "same_city":
        return say("{role} must go to another city", role=_figure(s))
    return say("there is no free place in {city}", city=city(n))


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
        return say("there is no main part in {city} to extend", city=city(site >> 2))
    if reason == "earlier_part":
        return say("of two parts the one that comes first in the order of the parts is built first")
    return say("{part} costs more than {ducats}", part=part(site), ducats=ducats(s[F.ducats + seat]))


def _because_of_hall(reason: str, number: int, city_number: int, hall_number: int) -> str:
    where = hall(city_number, hall_number)
    if reason == "not_in_hand":
        return say("{piece} is not at hand for {hall}", piece=piece(number), hall=where)
    if reason == "twice":
        return say("{piece} is in that house already and cannot be in {hall} too", piece=piece(number), hall=where)
    return say(
        "side halls are filled in the order of the composers, the house piece last: {piece} comes too late for {hall}",
        piece=piece(number),
        hall=where,
    )


# A whole arrangement.


def arrangement(s: Sequence[int], seat: Seat, text: str) -> list[int]:
    """The actions that lead to a whole arrangement, written as "venezia wagner; wien verdi house".

    A city is followed by the piece of its great hall ("-" for none) and then those of its other halls, in any order. A
    city that is not named keeps its pieces; what is left over goes behind the screen. Raises ValueError with the § and
    the hall at fault, before anything is done.

    >>> from ridotto.core.match import Match
    >>> from ridotto.games.opera import game
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
            raise ValueError(_complaint(say("this seat has no house in {city}", city=city(where))))
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
USAGE = {
    "arrange venezia verdi; wien - house": mark(
        "rearrange houses at once: the piece of the great hall first (- for none), then the others; "
        "a city that is not named keeps its pieces"
    )
}
"""How such a text looks, and what it does."""
