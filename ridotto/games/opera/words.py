"""Opera in words: what its numbers are called, its actions, events and refusals as sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ridotto.core import protocols
from ridotto.core.errors import BadSeries
from ridotto.core.narrator import mark, opening
from ridotto.core.protocols import OptionText, Series
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
"""What each family of actions is called."""
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
"""What each option is called in a form, and what it does."""
USAGE = {
    "arrange venezia verdi; wien - house": mark(
        "rearrange houses at once: the piece of the great hall first (- for none), then the others; "
        "a city that is not named keeps its pieces"
    )
}
"""How a text looks that stands for a series of actions, and what it does."""


class Words(protocols.Words):
    """The sentences of Opera."""

    def colour(self, seat: Seat) -> str:
        """The colour of a seat."""
        return self.say(PLAYERS[seat])

    def player(self, seat: Seat) -> str:
        """Who sits there, by name or by colour."""
        return self.narrator.name(seat, self.colour(seat))

    def composer(self, number: int) -> str:
        """A composer's name."""
        return self.say(COMPOSERS[number])

    def piece(self, number: int) -> str:
        """A piece by its composer's name."""
        return self.say("the house piece") if number == rules.HOUSE else self.composer(number)

    def cast(self, bits: int) -> str:
        """A set of pieces as a phrase."""
        return self.listed([self.piece(number) for number in range(7) if bits >> number & 1])

    def city(self, number: int) -> str:
        """A city's name."""
        return self.say(CITIES[number])

    def role(self, number: int) -> str:
        """A role with its article."""
        return self.say(ROLES[number])

    def part(self, site: int) -> str:
        """A building part with its city; where a city has several wings, the first is called so."""
        if site & 3 == 1 and HALLS[site + 1]:
            return self.say("the first wing in {city}", city=self.city(site >> 2))
        return self.say(PARTS[site & 3], city=self.city(site >> 2))

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

    def steps(self, number: int) -> str:
        """A number of steps on the fame ladder."""
        return self.count("{number} step", "{number} steps", number)

    # Actions.

    def label(self, s: Sequence[int], seat: Seat, action: int) -> str:
        """What a button for an action says."""
        verb = rules.ACTIONS.family(action).verb
        n = rules.ACTIONS.argument(action)
        if verb == "bid":
            return self.say("bid {ducats}, to level {level}", ducats=self.ducats(n), level=s[F.level + seat] + n)
        if verb == "hire":
            return self.say("hire {role}, for {levels}", role=self.role(n), levels=self.levels(FEE[n]))
        if verb == "end":
            return self.say("end the performance")
        if verb == "decline":
            return self.say("do not score") if s[F.asked] == rules.SCORE else self.say("intermezzo: do not play along")
        if verb == "stop":
            return self._label_of_stop(s, seat)
        if verb == "buy":
            return self.say("buy {composer} for {ducats}", composer=self.composer(n), ducats=self.ducats(s[F.fame + n]))
        if verb == "keep":
            return self.say("keep every piece where it is")
        if verb == "empty":
            if s[F.city] < 0:
                return self.say("leave the hall empty")
            if s[F.hall] == 0:
                return self.say("leave {hall} empty", hall=self.hall(s[F.city], 0))
            return self.say("no more pieces in {city}", city=self.city(s[F.city]))
        if verb == "place":
            if s[F.city] < 0:
                return self.say("place {piece}", piece=self.piece(n))
            return self.say("{piece} in {hall}", piece=opening(self.piece(n)), hall=self.hall(s[F.city], s[F.hall]))
        if verb == "build":
            amount = rules.A_HALL * HALLS[n]
            return self.say(
                "build {part}: {ducats}, {points}", part=self.part(n), ducats=self.ducats(amount), points=self.points(amount)
            )
        if verb == "sell":
            name, source = self.composer(n // rules.SOURCES), n % rules.SOURCES
            if source == 0:
                return self.say("sell {composer} from behind the screen", composer=name)
            return self.say("sell {composer} out of the house in {city}", composer=name, city=self.city(source - 1))
        if verb == "take":
            return self._label_of_pay(s, n)
        if verb == "move":
            return self.say("{role} goes to {city}", role=opening(self._figure(s)), city=self.city(n))
        if verb == "withhold":
            return self.say("leave the fame ladder as it is")
        if verb == "praise":
            return self.say("raise {composer} by {steps}", composer=self.composer(n >> 1), steps=self.steps((n & 1) + 1))
        if verb == "scorn":
            return self.say("lower {composer} by {steps}", composer=self.composer(n >> 1), steps=self.steps((n & 1) + 1))
        return self.say("score, and give up the best piece there")

    def _label_of_stop(self, s: Sequence[int], seat: Seat) -> str:
        if s[F.asked] == rules.BUILD:
            return self.say("build no more")
        if s[F.first] >= 0:
            return self.say("buy no more")
        if s[F.hirer] in (seat, rules.NONE):
            return self.say("buy nothing, only rearrange")
        price = rules.price_of_rearranging(list(s))
        return self.say("play along to rearrange only, for {levels}", levels=self.levels(price))

    def _label_of_pay(self, s: Sequence[int], payment: int) -> str:
        if s[F.sold] < 0:
            return self.say("be paid in ducats") if payment == 0 else self.say("be paid in points")
        fame = s[F.fame + s[F.sold]]
        return self.say("take {what}", what=self.ducats(2 * fame) if payment == 0 else self.points(fame))

    def _figure(self, s: Sequence[int]) -> str:
        """The figure being moved."""
        return self.role(s[F.role]) if s[F.role] >= rules.MAESTRO else self.say("the figure")

    def question(self, s: Sequence[int], seat: Seat) -> str:
        """What is wanted of the seat to act."""
        who = self.player(seat)
        asked = s[F.asked]
        along = s[F.hirer] != seat
        fee = self.levels(rules.fee_along(list(s)))
        if asked == rules.BID:
            return self.tell(
                seat, "Make a secret bid for budget levels.", "{who} makes a secret bid for budget levels.", who=who
            )
        if asked == rules.HIRE:
            return self.tell(
                seat,
                "You have the initiative: hire a role, or end the performance.",
                "{who} has the initiative: hire a role, or end the performance.",
                who=who,
            )
        if asked == rules.BUY:
            if s[F.first] >= 0:
                most = self.ducats(s[F.first])
                if along:
                    return self.tell(
                        seat,
                        "You may buy a second piece for {levels} and {ducats} at most.",
                        "{who} may buy a second piece for {levels} and {ducats} at most.",
                        who=who,
                        levels=fee,
                        ducats=most,
                    )
                return self.tell(
                    seat,
                    "You may buy a second piece, for {ducats} at most.",
                    "{who} may buy a second piece, for {ducats} at most.",
                    who=who,
                    ducats=most,
                )
            if along:
                return self.tell(
                    seat,
                    "You may play along with the Impresario: buy a piece ({levels}), or rearrange only ({price}).",
                    "{who} may play along with the Impresario: buy a piece ({levels}), or rearrange only ({price}).",
                    who=who,
                    levels=fee,
                    price=self.levels(rules.price_of_rearranging(list(s))),
                )
            return self.tell(
                seat,
                "You may buy up to two pieces, the dearer one first.",
                "{who} may buy up to two pieces, the dearer one first.",
                who=who,
            )
        if asked == rules.BUILD:
            if s[F.first] >= 0:
                if along:
                    return self.tell(
                        seat,
                        "You may build a second part for {levels}, at 2 ducats and 2 points a hall.",
                        "{who} may build a second part for {levels}, at 2 ducats and 2 points a hall.",
                        who=who,
                        levels=fee,
                    )
                return self.tell(
                    seat,
                    "You may build a second part, at 2 ducats and 2 points a hall.",
                    "{who} may build a second part, at 2 ducats and 2 points a hall.",
                    who=who,
                )
            if along:
                return self.tell(
                    seat,
                    "You may play along with the Architetto for {levels}, at 2 ducats and 2 points a hall.",
                    "{who} may play along with the Architetto for {levels}, at 2 ducats and 2 points a hall.",
                    who=who,
                    levels=fee,
                )
            return self.tell(
                seat,
                "Build one or two parts, at 2 ducats and 2 points a hall.",
                "{who} builds one or two parts, at 2 ducats and 2 points a hall.",
                who=who,
            )
        if asked == rules.SELL:
            if along:
                return self.tell(
                    seat,
                    "You may play along with the Signora for {levels} and sell a piece to the Palazzo.",
                    "{who} may play along with the Signora for {levels} and sell a piece to the Palazzo.",
                    who=who,
                    levels=fee,
                )
            return self.tell(seat, "Sell a piece to the Palazzo.", "{who} sells a piece to the Palazzo.", who=who)
        if asked == rules.PAY:
            return self.tell(
                seat,
                "Take ducats or points for {composer}.",
                "{who} takes ducats or points for {composer}.",
                who=who,
                composer=self.composer(s[F.sold]),
            )
        if asked == rules.MOVE:
            return self.tell(
                seat, "Move {role} to another city.", "{who} moves {role} to another city.", who=who, role=self.role(s[F.role])
            )
        if asked == rules.REVIEW:
            here = self.city(s[F.figure + rules.CRITICO - rules.MAESTRO])
            return self.tell(
                seat,
                "You may raise or lower a composer performed in {city}.",
                "{who} may raise or lower a composer performed in {city}.",
                who=who,
                city=here,
            )
        if asked == rules.SCORE:
            here = self.city(s[F.figure + rules.ESPERTO - rules.MAESTRO])
            return self.tell(
                seat,
                "You may score in {city} and give up the best piece there.",
                "{who} may score in {city} and give up the best piece there.",
                who=who,
                city=here,
            )
        if asked == rules.REARRANGE:
            return self.tell(
                seat,
                "Keep every piece, or take all up and fill {hall}.",
                "{who} keeps every piece, or takes all up and fills {hall}.",
                who=who,
                hall=self.hall(s[F.city], s[F.hall]),
            )
        if asked == rules.STAGE:
            return self.tell(seat, "Fill {hall}.", "{who} fills {hall}.", who=who, hall=self.hall(s[F.city], s[F.hall]))
        return self.say("The match is over.")

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
        who = self.player(seen["seat"]) if "seat" in seen else ""
        name = self.composer(seen["composer"]) if "composer" in seen else ""
        where = self.city(seen["city"]) if "city" in seen else ""
        if event == "stands":
            return self.say("{composer} starts with fame {fame}.", composer=name, fame=seen["fame"])
        if event in ("shifts", "climbs"):
            return self.say("{composer} now has fame {fame}.", composer=name, fame=seen["fame"])
        if event in ("lays_out", "offers", "adds"):
            return self._of_the_offer(event, seen, name)
        if event == "century":
            return self.say(
                "Composer of the Century for the {count} count: {composer}.", count=self._count(seen), composer=name
            )
        if event == "repeats":
            return self.say("{composer} was drawn before, and goes to the discard pile.", composer=name)
        if event == "starts":
            return self.say("{who} is the start player.", who=who)
        if event == "funded":
            return self.say("{who} begins with {ducats}.", who=who, ducats=self.ducats(seen["ducats"]))
        if event == "opens":
            return self.say("Round {round} begins.", round=seen["round"])
        if event == "bids":
            return self.say(
                "{who} has bid {ducats}, and stands on level {level}.",
                who=who,
                ducats=self.ducats(seen["ducats"]),
                level=seen["level"],
            )
        if event in ("hires", "joins", "declines", "ends", "spent", "forced", "closes"):
            return self._of_the_budget(event, seen, who)
        if event in ("scores", "gives", "discards", "abstains", "loses", "moves", "judges", "withholds"):
            return self._of_a_figure(event, seen, who, name, where)
        if event in ("buys", "rearranges", "builds", "sells", "paid", "honoured", "keeps", "stages"):
            return self._of_an_employee(event, seen, who, name, where)
        return self._of_the_end(event, seen, who, name, where)

    def _count(self, seen: Mapping[str, int]) -> str:
        return self.say(COUNTS[seen["count"] - 1])

    def _of_the_offer(self, event: str, seen: Mapping[str, int], name: str) -> str:
        """What was drawn for an offer, and what of it was one too many."""
        told = []
        if number := seen["pieces"]:
            if event == "lays_out":
                told.append(self.say("First offer: {pieces} by {composer}.", pieces=self.pieces(number), composer=name))
            elif event == "offers":
                told.append(self.say("New offer: {pieces} by {composer}.", pieces=self.pieces(number), composer=name))
            else:
                told.append(self.say("Also on offer: {pieces} by {composer}.", pieces=self.pieces(number), composer=name))
        if aside := seen["aside"]:
            told.append(
                self.count(
                    "Set aside: {number} piece by {composer}.",
                    "Set aside: {number} pieces by {composer}.",
                    aside,
                    composer=name,
                )
            )
        return " ".join(told)

    def _of_the_budget(self, event: str, seen: Mapping[str, int], who: str) -> str:
        """What is done with budget markers, and with performances."""
        if event == "hires":
            return self.say(
                "{who} hires {role}, down to level {level}.", who=who, role=self.role(seen["role"]), level=seen["level"]
            )
        if event == "joins":
            if seen["fee"] == 0:
                return self.say("{who} plays along with {role}, and pays no level.", who=who, role=self.role(seen["role"]))
            return self.say(
                "{who} plays along with {role} for {levels}, down to level {level}.",
                who=who,
                role=self.role(seen["role"]),
                levels=self.levels(seen["fee"]),
                level=seen["level"],
            )
        if event == "declines":
            return self.say("{who} does not play along with {role}.", who=who, role=self.role(seen["role"]))
        if event == "ends":
            return self.say("{who} ends the performance.", who=who)
        if event == "spent":
            return self.say(
                "{who} has hired {roles} roles, as many as allowed, and must end the performance.", who=who, roles=seen["roles"]
            )
        if event == "forced":
            return self.say("{who} can pay for no role that is of any use, and must end the performance.", who=who)
        return self.say(CLOSINGS[seen["why"]])

    def _of_an_employee(self, event: str, seen: Mapping[str, int], who: str, name: str, where: str) -> str:
        """What happens while an employee is played."""
        if event == "buys":
            return self.say("{who} buys {composer} for {ducats}.", who=who, composer=name, ducats=self.ducats(seen["ducats"]))
        if event == "rearranges":
            return self.say("{who} buys nothing and only rearranges.", who=who)
        if event == "builds":
            amount = rules.A_HALL * seen["halls"]
            return self.say(
                "{who} builds {part}, {halls}: {ducats}, {points}.",
                who=who,
                part=self.part(seen["city"] * 4 + seen["part"]),
                halls=self.halls(seen["halls"]),
                ducats=self.ducats(amount),
                points=self.points(amount),
            )
        if event == "sells":
            if seen["source"] == 0:
                return self.say("{who} sells {composer} from behind the screen to the Palazzo.", who=who, composer=name)
            here = self.city(seen["source"] - 1)
            return self.say(
                "{who} sells {composer} out of the house in {city} to the Palazzo.", who=who, composer=name, city=here
            )
        if event == "paid":
            return self.say("{who} gets {amount} for {composer}.", who=who, amount=self.ducats(seen["ducats"]), composer=name)
        if event == "honoured":
            return self.say("{who} gets {amount} for {composer}.", who=who, amount=self.points(seen["points"]), composer=name)
        if event == "keeps":
            return self.say("{who} keeps every piece where it is.", who=who)
        great, side = seen["great"], seen["side"]
        if great < 0:
            if side == 0:
                return self.say("{who} performs nothing in {city}.", who=who, city=where)
            return self.say(
                "{who} performs in {city}: {side}, with nothing in the great hall.", who=who, city=where, side=self.cast(side)
            )
        if side == 0:
            return self.say(
                "{who} performs in {city}: {great} in the great hall.", who=who, city=where, great=self.piece(great)
            )
        return self.say(
            "{who} performs in {city}: {great} in the great hall; besides: {side}.",
            who=who,
            city=where,
            great=self.piece(great),
            side=self.cast(side),
        )

    def _of_a_figure(self, event: str, seen: Mapping[str, int], who: str, name: str, where: str) -> str:
        """What happens while a figure is played."""
        if event == "moves":
            return self.say(
                "{who} moves {role} to {city}.", who=who, role=self.role(rules.MAESTRO + seen["figure"]), city=where
            )
        if event == "judges":
            return self.say("The Critico moves {composer} to fame {fame}.", composer=name, fame=seen["fame"])
        if event == "withholds":
            return self.say("The Critico leaves the fame ladder as it is.")
        if event == "scores":
            return self.say("{who} scores {points} in {city}.", who=who, points=self.points(seen["points"]), city=where)
        if event == "gives":
            return self.say(
                "{who} gives {composer} to {receiver}.", who=who, composer=name, receiver=self.player(seen["receiver"])
            )
        if event == "discards":
            return self.say("{who} gives up {composer}, which goes to the discard pile.", who=who, composer=name)
        if event == "loses":
            return self.say("{who} gives up {composer}, which leaves the game.", who=who, composer=name)
        return self.say("{who} does not score with the Esperto.", who=who)

    def _of_the_end(self, event: str, seen: Mapping[str, int], who: str, name: str, where: str) -> str:
        """What happens between the action phase and the next round."""
        if event == "earns":
            if seen["pieces"] == 0:
                return self.say("{who} performs no piece and earns nothing.", who=who)
            return self.say(
                "{who} earns {ducats} with {pieces}.",
                who=who,
                ducats=self.ducats(seen["ducats"]),
                pieces=self.pieces(seen["pieces"]),
            )
        if event == "doubles":
            return self.say(
                "{who} earns {ducats} more in the Maestro's city, {city}.",
                who=who,
                ducats=self.ducats(seen["ducats"]),
                city=where,
            )
        if event == "most":
            if seen["times"] == 1:
                return self.say("Performed most, once: {cast}.", cast=self.cast(seen["composers"]))
            return self.say("Performed most, {times} times: {cast}.", times=seen["times"], cast=self.cast(seen["composers"]))
        if event == "unsold":
            return self.count(
                "Not sold: {number} piece by {composer}.",
                "Not sold: {number} pieces by {composer}.",
                seen["pieces"],
                composer=name,
            )
        if event == "reshuffles":
            return self.say(
                "The discard pile is shuffled and becomes the new deck: {pieces}.", pieces=self.pieces(seen["pieces"])
            )
        if event == "empties":
            return self.say("The Palazzo is full, and emptied: {cast}.", cast=self.cast(seen["composers"]))
        if event == "clears":
            return self.say("After the count the Palazzo is emptied: {cast}.", cast=self.cast(seen["composers"]))
        if event == "bonus":
            return self.say("{who} gets 1 ducat for a marker on level 0.", who=who)
        if event == "counting":
            return self.say("The {count} count. Composer of the Century: {composer}.", count=self._count(seen), composer=name)
        if event in ("counts", "celebrates", "forfeits"):
            return self._of_a_count(event, who, self.points(seen["points"]), self.points(seen["total"]))
        if event == "reveals":
            return self.say("{city} opens.", city=where)
        return self.say("{who} wins with {points}.", who=who, points=self.points(seen["points"]))

    def _of_a_count(self, event: str, who: str, change: str, total: str) -> str:
        """Points that come or go at a count."""
        if event == "counts":
            return self.say("{who} gets {points} for great halls: {total} now.", who=who, points=change, total=total)
        if event == "celebrates":
            return self.say(
                "{who} gets {points} for the Composer of the Century: {total} now.", who=who, points=change, total=total
            )
        return self.say("{who} loses {points} for empty halls: {total} now.", who=who, points=change, total=total)

    # Refusals.

    def because(self, reason: str, s: Sequence[int], seat: Seat, action: int) -> str:
        """Why an action is not allowed, as the end of a sentence."""
        n = rules.ACTIONS.argument(action)
        if reason == "over":
            return self.say("the match is over")
        if reason == "wait":
            if s[F.asked] == rules.BID:
                return self.say("this seat's bid is in, and the others' are awaited")
            return self.say("it is another seat's turn: {question}", question=self.question(s, s[F.turn]).rstrip("."))
        if reason == "not_asked":
            return self.say("something else must be decided now: {question}", question=self.question(s, seat).rstrip("."))
        if reason == "too_much":
            return self.say("there are only {ducats} behind the screen", ducats=self.ducats(s[F.ducats + seat]))
        if reason == "too_high":
            return self.say("from level {level} that is above level 10", level=s[F.level + seat])
        if reason == "role_taken":
            return self.say("{role} was hired already in this round", role=self.role(n))
        if reason == "no_budget":
            return self.say(
                "{role} costs {levels}, and the marker stands on level {level}",
                role=self.role(n),
                levels=self.levels(FEE[n]),
                level=s[F.level + seat],
            )
        if reason == "no_site":
            return self.say("there is nothing left for this seat to build")
        if reason == "no_part":
            return self.say("{ducats} will not pay for any part", ducats=self.ducats(s[F.ducats + seat]))
        if reason == "palazzo_full":
            return self.say("the Palazzo is full")
        if reason == "nothing_to_sell":
            return self.say("no piece the Palazzo would take")
        if reason == "no_level":
            return self.say("that costs a level, and the marker stands on level 0")
        if reason == "hirer":
            return self.say("whoever hires a role must play it")
        if reason == "begun":
            return self.say("this seat plays along already: stop instead")
        if reason == "must_build":
            return self.say("one part must be built")
        if reason in ("not_offered", "dearer_first", "too_dear"):
            return self._because_of_price(reason, s, n)
        if reason in ("city_closed", "no_copy", "built_already", "no_main", "earlier_part", "part_dear"):
            return self._because_of_site(reason, s, seat, n)
        if reason == "at_palazzo":
            return self.say("the Palazzo has a piece by {composer} already", composer=self.composer(n // rules.SOURCES))
        if reason == "not_there":
            name, source = self.composer(n // rules.SOURCES), n % rules.SOURCES
            if source == 0:
                return self.say("no piece by {composer} lies behind the screen", composer=name)
            return self.say("this seat does not perform {composer} in {city}", composer=name, city=self.city(source - 1))
        if reason == "not_performed":
            here = self.city(s[F.figure + rules.CRITICO - rules.MAESTRO])
            return self.say("nobody performs {composer} in {city}", composer=self.composer(n >> 1), city=here)
        if reason == "ladder_end":
            return self.say("the fame ladder ends before that")
        if reason == "begun_placing":
            return self.say("the pieces have been taken up: fill the halls")
        if reason in ("not_in_hand", "twice", "earlier_piece"):
            return self._because_of_hall(reason, n, s[F.city], s[F.hall])
        if reason == "same_city":
            return self.say("{role} must go to another city", role=self._figure(s))
        return self.say("there is no free place in {city}", city=self.city(n))

    def _because_of_price(self, reason: str, s: Sequence[int], number: int) -> str:
        if reason == "not_offered":
            return self.say("no piece by {composer} is on offer", composer=self.composer(number))
        price = self.ducats(s[F.fame + number])
        if reason == "dearer_first":
            return self.say(
                "{composer} costs {ducats}: of two pieces the dearer is bought first",
                composer=self.composer(number),
                ducats=price,
            )
        return self.say("{composer} costs {ducats}", composer=self.composer(number), ducats=price)

    def _because_of_site(self, reason: str, s: Sequence[int], seat: Seat, site: int) -> str:
        if reason == "city_closed":
            return self.say("{city} is not open yet", city=self.city(site >> 2))
        if reason == "no_copy":
            return self.say("{part} is not in the supply any more", part=self.part(site))
        if reason == "built_already":
            return self.say("{part} stands already", part=self.part(site))
        if reason == "no_main":
            return self.say("there is no main part in {city} to extend", city=self.city(site >> 2))
        if reason == "earlier_part":
            return self.say("of two parts the one that comes first in the order of the parts is built first")
        return self.say("{part} costs more than {ducats}", part=self.part(site), ducats=self.ducats(s[F.ducats + seat]))

    def _because_of_hall(self, reason: str, number: int, city_number: int, hall_number: int) -> str:
        where = self.hall(city_number, hall_number)
        if reason == "not_in_hand":
            return self.say("{piece} is not at hand for {hall}", piece=self.piece(number), hall=where)
        if reason == "twice":
            return self.say(
                "{piece} is in that house already and cannot be in {hall} too", piece=self.piece(number), hall=where
            )
        return self.say(
            "side halls are filled in the order of the composers, the house piece last: {piece} comes too late for {hall}",
            piece=self.piece(number),
            hall=where,
        )

    # A whole arrangement.

    def series(self) -> Mapping[str, Series]:
        """Texts that stand for a series of actions, done all or not at all."""
        return {"arrange": self.arrangement}

    def usage(self) -> Mapping[str, str]:
        """How such a text looks, and what it does."""
        return {text: self.say(meaning) for text, meaning in USAGE.items()}

    def arrangement(self, s: Sequence[int], seat: Seat, text: str) -> list[int]:
        """The actions that lead to a whole arrangement, written as "venezia wagner; wien verdi house".

        A city is followed by the piece of its great hall ("-" for none) and then those of its other halls, in any order. A
        city that is not named keeps its pieces; what is left over goes behind the screen. Raises BadSeries with the § and
        the hall at fault, before anything is done.

        >>> from ridotto.core.match import Match
        >>> from ridotto.games.opera import game
        >>> match = Match(game, seats=2, seed=1)
        >>> game.words(game.narrator()).arrangement(match.row, 0, "venezia house")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
            ...
        ridotto.core.errors.BadSeries: cannot arrange: something else must be decided now: ... (§5.7)
        """
        if s[F.asked] != rules.REARRANGE or s[F.turn] != seat:
            reason = self.because("wait" if s[F.turn] not in (seat, rules.NONE) else "not_asked", s, seat, A.keep)
            raise self._complaint(reason)
        left = [s[F.screen + seat * 7 + number] for number in range(7)]
        for where in range(6):
            great, side = s[F.great + seat * 6 + where], s[F.side + seat * 6 + where]
            for number in range(7):
                left[number] += side >> number & 1 or number == great
        programme = self._programme(s, seat, text)
        for where in range(6):
            if where not in programme:
                great, side = s[F.great + seat * 6 + where], s[F.side + seat * 6 + where]
                programme[where] = [great, *(number for number in range(7) if side >> number & 1)]
        for where in sorted(programme):
            for at, number in enumerate(programme[where]):
                if number >= 0:
                    left[number] -= 1
                    if left[number] < 0:
                        raise self._complaint(self._because_of_hall("not_in_hand", number, where, at))

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

    def _complaint(self, reason: str) -> BadSeries:
        return BadSeries(self.say("cannot arrange: {reason}", reason=reason), "5.7")

    def _programme(self, s: Sequence[int], seat: Seat, text: str) -> dict[int, list[int]]:
        """What a text wants in each city it names: the piece of the great hall first, -1 for none."""
        programme: dict[int, list[int]] = {}
        text = text.strip().lower().removeprefix("arrange ")
        for clause in text.split(";"):
            words = clause.split()
            if not words:
                continue
            where = rules.CITY.parse(words[0])
            if where is None:
                names = ", ".join(rules.CITY.names)
                raise self._complaint(self.say("{word!r} is not a city: {names}", word=words[0], names=names))
            if where in programme:
                raise self._complaint(self.say("{city} is named twice", city=self.city(where)))
            room = s[F.halls + seat * 6 + where]
            if room == 0:
                raise self._complaint(self.say("this seat has no house in {city}", city=self.city(where)))
            wanted: list[int] = []
            for at, word in enumerate(words[1:]):
                number = -1 if word == "-" else rules.PIECE.parse(word)
                if number is None:
                    names = ", ".join((*rules.PIECE.names, "-"))
                    hall = self.hall(where, at)
                    raise self._complaint(
                        self.say("{word!r} in {hall} is not a piece: {names}", word=word, hall=hall, names=names)
                    )
                if at >= room:
                    hall, halls = self.hall(where, at), self.halls(room)
                    raise self._complaint(self.say("there is no {hall}: the house has {halls}", hall=hall, halls=halls))
                if number >= 0 and number in wanted:
                    raise self._complaint(self._because_of_hall("twice", number, where, at))
                wanted.append(number)
            great = wanted[0] if wanted else -1
            programme[where] = [great, *(number for number in wanted[1:] if number >= 0)]
        return programme
