"""Opera in words: what its numbers are called, its actions, events and refusals as sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ridotto.core.errors import BadSeries
from ridotto.engine.fields import Seat
from ridotto.games.opera import rules
from ridotto.games.opera.components import FEE, HALLS, OPENS_AFTER, STANDING
from ridotto.games.opera.rules import A, F
from ridotto.games.opera.ui.reasons import Reasons
from ridotto.present.narrator import mark, opening
from ridotto.present.protocols import OptionText, Standing

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
COUNTED = ((3, 6, 9), (3, 5, 7))
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
"""What a beginner should know about each question."""


class Words(Reasons):
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

    def fee(self, number: int) -> str:
        """What playing along costs: a number of levels, or nothing."""
        return self.levels(number) if number else self.say("nothing")

    def steps(self, number: int) -> str:
        """A number of steps on the fame ladder."""
        return self.count("{number} step", "{number} steps", number)

    def standings(self, row: Sequence[int]) -> list[Standing]:
        """Everybody's points."""
        points = [row[F.points + seat] for seat in range(row[F.seats])]
        return self.ranked([self.points(number) for number in points], points)

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
            return self.say("do not score") if s[F.asked] == rules.SCORE else self.say("do not play along")
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
            return self._label_of_sale(s, n // rules.SOURCES, n % rules.SOURCES)
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

    def _label_of_sale(self, s: Sequence[int], composer: int, source: int) -> str:
        fame = s[F.fame + composer]
        if source == 0:
            return self.say(
                "sell {composer} from behind the screen, for {ducats} or {points}",
                composer=self.composer(composer),
                ducats=self.ducats(2 * fame),
                points=self.points(fame),
            )
        return self.say(
            "sell {composer} out of the house in {city}, for {ducats} or {points}",
            composer=self.composer(composer),
            city=self.city(source - 1),
            ducats=self.ducats(2 * fame),
            points=self.points(fame),
        )

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
        asked = s[F.asked]
        if asked == rules.BID:
            return self.tell(seat, "Your secret bid: how many ducats for budget levels?", "{who} makes a secret bid.")
        if asked == rules.HIRE:
            return self.tell(seat, "Hire a role, or end your performance.", "{who} hires a role, or ends the performance.")
        if asked == rules.BUY:
            return self._question_of_purchase(s, seat)
        if asked == rules.BUILD:
            return self._question_of_building(s, seat)
        if asked == rules.SELL and s[F.hirer] != seat:
            return self.tell(
                seat,
                "Play along with the Signora for {levels} and sell a piece to the Palazzo?",
                "{who} may play along with the Signora for {levels} and sell a piece to the Palazzo.",
                levels=self.fee(rules.fee_along(list(s))),
            )
        if asked == rules.SELL:
            return self.tell(seat, "Sell a piece to the Palazzo.", "{who} sells a piece to the Palazzo.")
        if asked == rules.PAY:
            return self.tell(
                seat,
                "Do you want ducats or points for {composer}?",
                "{who} takes ducats or points for {composer}.",
                composer=self.composer(s[F.sold]),
            )
        if asked == rules.MOVE:
            return self.tell(
                seat, "Move {role} to another city.", "{who} moves {role} to another city.", role=self.role(s[F.role])
            )
        if asked == rules.REVIEW:
            return self.tell(
                seat,
                "You may raise or lower a composer performed in {city}.",
                "{who} may raise or lower a composer performed in {city}.",
                city=self.city(s[F.figure + rules.CRITICO - rules.MAESTRO]),
            )
        if asked == rules.SCORE:
            return self.tell(
                seat,
                "Score in {city}, and give up your best piece there?",
                "{who} may score in {city} and give up the best piece there.",
                city=self.city(s[F.figure + rules.ESPERTO - rules.MAESTRO]),
            )
        if asked == rules.REARRANGE:
            return self.tell(seat, "Keep your pieces where they are, or rearrange them.", "{who} may rearrange the pieces.")
        if asked == rules.STAGE:
            return self.tell(seat, "Which piece goes into {hall}?", "{who} fills {hall}.", hall=self.hall(s[F.city], s[F.hall]))
        return self.say("The match is over.")

    def guide(self, row: Sequence[int], seat: Seat) -> str:
        """What a beginner should know about the decision that is wanted now."""
        return self.say(GUIDE[rules.ASKED.names[row[F.asked]]]) if row[F.asked] != rules.NOTHING else ""

    def _question_of_purchase(self, s: Sequence[int], seat: Seat) -> str:
        levels, along = self.fee(rules.fee_along(list(s))), s[F.hirer] != seat
        if s[F.first] >= 0 and along:
            return self.tell(
                seat,
                "Buy a second piece for {levels}?",
                "{who} may buy a second piece for {levels}.",
                levels=levels,
            )
        if s[F.first] >= 0:
            return self.tell(seat, "Buy a second piece?", "{who} may buy a second piece.")
        if along:
            return self.tell(
                seat,
                "Play along with the Impresario: buy a piece ({levels}), or only rearrange ({price})?",
                "{who} may play along with the Impresario: buy a piece ({levels}), or only rearrange ({price}).",
                levels=levels,
                price=self.fee(rules.price_of_rearranging(list(s))),
            )
        return self.tell(seat, "Buy up to two pieces.", "{who} may buy up to two pieces.")

    def _question_of_building(self, s: Sequence[int], seat: Seat) -> str:
        levels, along = self.fee(rules.fee_along(list(s))), s[F.hirer] != seat
        if s[F.first] >= 0 and along:
            return self.tell(
                seat,
                "Build a second part for {levels}, at 2 ducats and 2 points a hall?",
                "{who} may build a second part for {levels}, at 2 ducats and 2 points a hall.",
                levels=levels,
            )
        if s[F.first] >= 0:
            return self.tell(
                seat,
                "Build a second part, at 2 ducats and 2 points a hall?",
                "{who} may build a second part, at 2 ducats and 2 points a hall.",
            )
        if along:
            return self.tell(
                seat,
                "Play along with the Architetto for {levels} and build, at 2 ducats and 2 points a hall?",
                "{who} may play along with the Architetto for {levels} and build, at 2 ducats and 2 points a hall.",
                levels=levels,
            )
        return self.tell(
            seat,
            "Build one or two parts, at 2 ducats and 2 points a hall.",
            "{who} builds one or two parts, at 2 ducats and 2 points a hall.",
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
        seat = seen.get("seat", rules.NONE)
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
            return self.tell(seat, "You are the start player.", "{who} is the start player.")
        if event == "funded":
            return self.tell(
                seat, "You begin with {ducats}.", "{who} begins with {ducats}.", ducats=self.ducats(seen["ducats"])
            )
        if event == "opens":
            return self.say("Round {round} begins.", round=seen["round"])
        if event == "bids":
            return self.tell(
                seat,
                "You have bid {ducats}, and stand on level {level}.",
                "{who} has bid {ducats}, and stands on level {level}.",
                ducats=self.ducats(seen["ducats"]),
                level=seen["level"],
            )
        if event in ("hires", "joins", "declines", "ends", "spent", "forced", "closes"):
            return self._of_the_budget(event, seen, seat)
        if event in ("scores", "gives", "discards", "abstains", "loses", "moves", "judges", "withholds"):
            return self._of_a_figure(event, seen, seat, name, where)
        if event in ("buys", "rearranges", "builds", "sells", "paid", "honoured", "keeps", "stages"):
            return self._of_an_employee(event, seen, seat, name, where)
        return self._of_the_end(event, seen, seat, name, where)

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

    def _of_the_budget(self, event: str, seen: Mapping[str, int], seat: Seat) -> str:
        """What is done with budget markers, and with performances."""
        role = self.role(seen["role"]) if "role" in seen else ""
        if event == "hires":
            return self.tell(
                seat,
                "You hire {role}, down to level {level}.",
                "{who} hires {role}, down to level {level}.",
                role=role,
                level=seen["level"],
            )
        if event == "joins" and seen["fee"] == 0:
            return self.tell(
                seat,
                "You play along with {role}, and pay no level.",
                "{who} plays along with {role}, and pays no level.",
                role=role,
            )
        if event == "joins":
            return self.tell(
                seat,
                "You play along with {role} for {levels}, down to level {level}.",
                "{who} plays along with {role} for {levels}, down to level {level}.",
                role=role,
                levels=self.levels(seen["fee"]),
                level=seen["level"],
            )
        if event == "declines":
            return self.tell(seat, "You do not play along with {role}.", "{who} does not play along with {role}.", role=role)
        if event == "ends":
            return self.tell(seat, "You end your performance.", "{who} ends the performance.")
        if event == "spent":
            return self.tell(
                seat,
                "You have hired {roles} roles, as many as allowed, and must end your performance.",
                "{who} has hired {roles} roles, as many as allowed, and must end the performance.",
                roles=seen["roles"],
            )
        if event == "forced":
            return self.tell(
                seat,
                "You can pay for no role that is of any use, and must end your performance.",
                "{who} can pay for no role that is of any use, and must end the performance.",
            )
        return self.say(CLOSINGS[seen["why"]])

    def _of_an_employee(self, event: str, seen: Mapping[str, int], seat: Seat, name: str, where: str) -> str:
        """What happens while an employee is played."""
        if event == "buys":
            return self.tell(
                seat,
                "You buy {composer} for {ducats}.",
                "{who} buys {composer} for {ducats}.",
                composer=name,
                ducats=self.ducats(seen["ducats"]),
            )
        if event == "rearranges":
            return self.tell(seat, "You buy nothing and only rearrange.", "{who} buys nothing and only rearranges.")
        if event == "builds":
            amount = rules.A_HALL * seen["halls"]
            return self.tell(
                seat,
                "You build {part}, {halls}: {ducats}, {points}.",
                "{who} builds {part}, {halls}: {ducats}, {points}.",
                part=self.part(seen["city"] * 4 + seen["part"]),
                halls=self.halls(seen["halls"]),
                ducats=self.ducats(amount),
                points=self.points(amount),
            )
        if event == "sells" and seen["source"] == 0:
            return self.tell(
                seat,
                "You sell {composer} from behind your screen to the Palazzo.",
                "{who} sells {composer} from behind the screen to the Palazzo.",
                composer=name,
            )
        if event == "sells":
            return self.tell(
                seat,
                "You sell {composer} out of your house in {city} to the Palazzo.",
                "{who} sells {composer} out of the house in {city} to the Palazzo.",
                composer=name,
                city=self.city(seen["source"] - 1),
            )
        if event in ("paid", "honoured"):
            worth = self.ducats(seen["ducats"]) if event == "paid" else self.points(seen["points"])
            return self.tell(
                seat,
                "You get {amount} for {composer}.",
                "{who} gets {amount} for {composer}.",
                amount=worth,
                composer=name,
            )
        if event == "keeps":
            return self.tell(seat, "You keep every piece where it is.", "{who} keeps every piece where it is.")
        great, side = seen["great"], seen["side"]
        if great < 0 and side == 0:
            return self.tell(seat, "You perform nothing in {city}.", "{who} performs nothing in {city}.", city=where)
        if great < 0:
            return self.tell(
                seat,
                "You perform in {city}: {side}, with nothing in the great hall.",
                "{who} performs in {city}: {side}, with nothing in the great hall.",
                city=where,
                side=self.cast(side),
            )
        if side == 0:
            return self.tell(
                seat,
                "You perform in {city}: {great} in the great hall.",
                "{who} performs in {city}: {great} in the great hall.",
                city=where,
                great=self.piece(great),
            )
        return self.tell(
            seat,
            "You perform in {city}: {great} in the great hall; besides: {side}.",
            "{who} performs in {city}: {great} in the great hall; besides: {side}.",
            city=where,
            great=self.piece(great),
            side=self.cast(side),
        )

    def _of_a_figure(self, event: str, seen: Mapping[str, int], seat: Seat, name: str, where: str) -> str:
        """What happens while a figure is played."""
        if event == "moves":
            return self.tell(
                seat,
                "You move {role} to {city}.",
                "{who} moves {role} to {city}.",
                role=self.role(rules.MAESTRO + seen["figure"]),
                city=where,
            )
        if event == "judges":
            return self.say("The Critico moves {composer} to fame {fame}.", composer=name, fame=seen["fame"])
        if event == "withholds":
            return self.say("The Critico leaves the fame ladder as it is.")
        if event == "scores":
            return self.tell(
                seat,
                "You score {points} in {city}.",
                "{who} scores {points} in {city}.",
                points=self.points(seen["points"]),
                city=where,
            )
        if event == "gives" and self.is_reader(seen["receiver"]):
            return self.say("{who} gives you {composer}.", who=self.player(seat), composer=name)
        if event == "gives":
            return self.tell(
                seat,
                "You give {composer} to {receiver}.",
                "{who} gives {composer} to {receiver}.",
                composer=name,
                receiver=self.player(seen["receiver"]),
            )
        if event == "discards":
            return self.tell(
                seat,
                "You give up {composer}, which goes to the discard pile.",
                "{who} gives up {composer}, which goes to the discard pile.",
                composer=name,
            )
        if event == "loses":
            return self.tell(
                seat,
                "You give up {composer}, which leaves the game.",
                "{who} gives up {composer}, which leaves the game.",
                composer=name,
            )
        return self.tell(seat, "You do not score with the Esperto.", "{who} does not score with the Esperto.")

    def _of_the_end(self, event: str, seen: Mapping[str, int], seat: Seat, name: str, where: str) -> str:
        """What happens between the action phase and the next round."""
        if event == "earns" and seen["pieces"] == 0:
            return self.tell(seat, "You perform no piece and earn nothing.", "{who} performs no piece and earns nothing.")
        if event == "earns":
            return self.tell(
                seat,
                "You earn {ducats} with {pieces}.",
                "{who} earns {ducats} with {pieces}.",
                ducats=self.ducats(seen["ducats"]),
                pieces=self.pieces(seen["pieces"]),
            )
        if event == "doubles":
            return self.tell(
                seat,
                "You earn {ducats} more in the Maestro's city, {city}.",
                "{who} earns {ducats} more in the Maestro's city, {city}.",
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
            return self.tell(seat, "You get 1 ducat for a marker on level 0.", "{who} gets 1 ducat for a marker on level 0.")
        if event == "counting":
            return self.say("The {count} count. Composer of the Century: {composer}.", count=self._count(seen), composer=name)
        if event in ("counts", "celebrates", "forfeits"):
            return self._of_a_count(event, seat, self.points(seen["points"]), self.points(seen["total"]))
        if event == "reveals":
            return self.say("{city} opens.", city=where)
        return self.tell(seat, "You win with {points}.", "{who} wins with {points}.", points=self.points(seen["points"]))

    def _of_a_count(self, event: str, seat: Seat, change: str, total: str) -> str:
        """Points that come or go at a count."""
        if event == "counts":
            return self.tell(
                seat,
                "You get {points} for your great halls: {total} now.",
                "{who} gets {points} for great halls: {total} now.",
                points=change,
                total=total,
            )
        if event == "celebrates":
            return self.tell(
                seat,
                "You get {points} for the Composer of the Century: {total} now.",
                "{who} gets {points} for the Composer of the Century: {total} now.",
                points=change,
                total=total,
            )
        return self.tell(
            seat,
            "You lose {points} for your empty halls: {total} now.",
            "{who} loses {points} for empty halls: {total} now.",
            points=change,
            total=total,
        )

    # Refusals.

    def because(self, reason: str, s: Sequence[int], seat: Seat, action: int) -> str:
        """Why an action is not allowed, as the end of a sentence."""
        n = rules.ACTIONS.argument(action)
        if reason == "over":
            return self.say("the match is over")
        if reason == "wait":
            if s[F.asked] == rules.BID:
                late = self.names(one for one in range(s[F.seats]) if not s[F.has_bid] >> one & 1)
                return self.say("your bid is in: waiting for {seats}", seats=late)
            return self.say("it is not your turn: {question}", question=self.question(s, s[F.turn]).rstrip("."))
        if reason == "not_asked":
            return self.say("something else comes first: “{question}”", question=self.question(s, seat).rstrip("."))
        if reason == "too_much":
            return self.say("you have only {ducats}", ducats=self.ducats(s[F.ducats + seat]))
        if reason == "too_high":
            level = s[F.level + seat]
            return self.say(
                "level {top} is the highest: from level {level} you can bid {ducats} at most",
                top=rules.TOP_LEVEL,
                level=level,
                ducats=self.ducats(rules.TOP_LEVEL - level),
            )
        if reason == "role_taken":
            return self.say("{role} was hired already in this round", role=self.role(n))
        if reason == "no_budget":
            return self.say(
                "{role} costs {levels}, and you are on level {level}",
                role=self.role(n),
                levels=self.levels(FEE[n]),
                level=s[F.level + seat],
            )
        if reason == "no_site":
            return self.say("there is nothing left for you to build")
        if reason == "no_part":
            return self._because_of_purse(s, seat)
        if reason == "palazzo_full":
            return self.say("the Palazzo is full: all its {number} places are taken", number=s[F.palazzo].bit_count())
        if reason == "nothing_to_sell":
            if s[F.palazzo] == 0:
                return self.say("you have no piece to sell")
            return self.say("you have no piece that the Palazzo would take: it has {cast}", cast=self.cast(s[F.palazzo]))
        if reason == "no_level":
            price, level = self.levels(rules.price_of_rearranging(list(s))), s[F.level + seat]
            return self.say("that costs {levels}, and you are on level {level}", levels=price, level=level)
        if reason == "hirer":
            return self.say("you have hired this role and must play it")
        if reason == "begun":
            return self.say("you play along already: buy or build no more instead")
        if reason == "must_build":
            return self.say("you must build at least one part")
        if reason in ("not_offered", "dearer_first", "too_dear"):
            return self._because_of_price(reason, s, seat, n)
        if reason in ("city_closed", "no_copy", "built_already", "no_main", "earlier_part", "part_dear"):
            return self._because_of_site(reason, s, seat, n)
        if reason == "at_palazzo":
            return self.say("the Palazzo has a piece by {composer} already", composer=self.composer(n // rules.SOURCES))
        if reason == "not_there":
            name, source = self.composer(n // rules.SOURCES), n % rules.SOURCES
            if source == 0:
                return self.say("you have no piece by {composer} behind your screen", composer=name)
            return self.say("you do not perform {composer} in {city}", composer=name, city=self.city(source - 1))
        if reason == "not_performed":
            here = self.city(s[F.figure + rules.CRITICO - rules.MAESTRO])
            return self.say("nobody performs {composer} in {city}", composer=self.composer(n >> 1), city=here)
        if reason == "ladder_end":
            name = self.composer(n >> 1)
            return self.say(
                "{composer} has fame {fame}, and the ladder goes from 1 to {last}",
                composer=name,
                fame=s[F.fame + (n >> 1)],
                last=rules.TOP_FAME,
            )
        if reason == "begun_placing":
            return self.say("you have taken your pieces up: fill the halls")
        if reason in ("not_in_hand", "twice", "earlier_piece"):
            return self._because_of_hall(reason, n, s[F.city], s[F.hall])
        if reason == "same_city":
            return self.say("{role} is in {city} already, and must go to another city", role=self._figure(s), city=self.city(n))
        there = [self.role(rules.MAESTRO + figure) for figure in range(3) if s[F.figure + figure] == n] or [self._figure(s)]
        return self.count(
            "{city} has {number} place for a figure, taken by {figures}",
            "{city} has {number} places for figures, taken by {figures}",
            STANDING[n],
            city=self.city(n),
            figures=self.listed(there),
        )

    def _because_of_purse(self, s: Sequence[int], seat: Seat) -> str:
        """What a seat has, and what the cheapest part would cost."""
        parts = rules.sites(list(s), seat, rules.ENDLESS)
        cheapest = min((rules.A_HALL * HALLS[site] for site in range(24) if parts >> site & 1), default=0)
        return self.say(
            "the cheapest part costs {price}, and you have {purse}",
            price=self.ducats(cheapest),
            purse=s[F.ducats + seat],
        )

    def _because_of_price(self, reason: str, s: Sequence[int], seat: Seat, number: int) -> str:
        name = self.composer(number)
        if reason == "not_offered":
            return self.say("no piece by {composer} is on offer", composer=name)
        price = self.ducats(s[F.fame + number])
        if reason == "dearer_first":
            return self.say(
                "{composer} costs {ducats}, more than your first piece: to buy both, take that back and begin with {composer}",
                composer=name,
                ducats=price,
            )
        return self.say(
            "{composer} costs {ducats}, and you have {purse}", composer=name, ducats=price, purse=s[F.ducats + seat]
        )

    def _because_of_site(self, reason: str, s: Sequence[int], seat: Seat, site: int) -> str:
        city, part = self.city(site >> 2), self.part(site)
        if reason == "city_closed":
            number = OPENS_AFTER[site >> 2]
            return self.say(
                "{city} opens after the {count} count, at the end of round {last}; this is round {round}",
                city=city,
                count=self.say(COUNTS[number - 1]),
                last=COUNTED[s[F.seven_rounds]][number - 1],
                round=s[F.round],
            )
        if reason == "no_copy":
            return self.say("{part} is not in the supply any more", part=part)
        if reason == "built_already":
            return self.say("you have {part} already", part=part)
        if reason == "no_main":
            return self.say("you have no main part in {city} to extend", city=city)
        if reason == "earlier_part":
            return self.say("to build both parts, take the first back and begin with {part}", part=part)
        return self.say(
            "{part} costs {ducats}, and you have {purse}",
            part=part,
            ducats=self.ducats(rules.A_HALL * HALLS[site]),
            purse=s[F.ducats + seat],
        )

    def _because_of_hall(self, reason: str, number: int, city_number: int, hall_number: int) -> str:
        piece, where = self.piece(number), self.hall(city_number, hall_number)
        if reason == "not_in_hand":
            return self.say("{piece} is not at hand for {hall}", piece=piece, hall=where)
        if reason == "twice":
            return self.say("{piece} is in that house already and cannot be in {hall} too", piece=piece, hall=where)
        return self.say("to put {piece} into {hall}, begin this house again with it", piece=piece, hall=where)

    # A whole arrangement.

    def usage(self) -> Mapping[str, str]:
        """How such a text looks, and what it does."""
        return {text: self.say(meaning) for text, meaning in USAGE.items()}

    def fault(self, s: Sequence[int], seat: Seat, fault: BadSeries) -> str:
        """A fault in the text of a whole arrangement."""
        return self.say("cannot arrange: {reason}", reason=self._because_of_text(s, seat, fault))

    def _because_of_text(self, s: Sequence[int], seat: Seat, fault: BadSeries) -> str:
        reason, values = fault.reason, fault.values
        if reason in ("wait", "not_asked"):
            return self.because(reason, s, seat, A.keep)
        if reason == "no_city":
            return self.say("{word!r} is not a city: {names}", word=values["word"], names=", ".join(rules.CITY.names))
        where = int(values["city"])
        if reason == "city_twice":
            return self.say("{city} is named twice", city=self.city(where))
        if reason == "no_house":
            return self.say("you have no house in {city}", city=self.city(where))
        hall = int(values["hall"])
        if reason == "no_piece":
            names = ", ".join((*rules.PIECE.names, "-"))
            text = self.hall(where, hall)
            return self.say("{word!r} in {hall} is not a piece: {names}", word=values["word"], hall=text, names=names)
        if reason == "no_hall":
            halls = self.halls(int(values["halls"]))
            return self.say("there is no {hall}: the house has {halls}", hall=self.hall(where, hall), halls=halls)
        return self._because_of_hall(reason, int(values["piece"]), where, hall)
