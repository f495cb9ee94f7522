"""Why one table is better than another, in the terms of Turandot: singers, directors, roles, money and stage elements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ridotto.engine.fields import Seat
from ridotto.games.turandot import rules
from ridotto.games.turandot.components import DIRECTORS, SINGERS, STARS, TROUPE
from ridotto.games.turandot.rules import NONE, F
from ridotto.present import words


class Reasons(words.Words):
    """What a table comes to for a seat, and how two tables differ."""

    def figures(self, row: Sequence[int], seat: Seat) -> Mapping[str, tuple[int, ...]]:
        s = list(row)
        if s[F.ending]:
            return {"won": (rules.winners(s) >> seat & 1,), "score": (rules.total(s, seat),)}
        troupe = s[F.troupe + seat * TROUPE : F.troupe + (seat + 1) * TROUPE]
        found: dict[str, tuple[int, ...]] = {}
        laid = s[F.pending + seat]
        if laid >= 0:
            if rules.is_bid(laid):
                card = s[F.offer + rules.position_of(laid)]
                if card >= SINGERS:
                    found["director"] = (rules.director_points(troupe, 0, card - SINGERS),)
                elif card >= 0 and NONE in troupe:
                    found["stars"] = (STARS[card],)
                    troupe[troupe.index(NONE)] = card
            found["laid"] = (rules.money_in(laid),)
        in_play = [director for director in range(DIRECTORS) if s[F.pool] >> director & 1]
        if in_play and s[F.director + seat] == NONE:
            found["fit"] = (max(rules.director_points(troupe, 0, director) for director in in_play),)
        found["roles"] = (rules.favourites(s, F.casting + seat * TROUPE) + rules.wrong_sexes(s, F.casting + seat * TROUPE),)
        found["points"] = (rules.total(s, seat),)
        found["elements"] = (s[F.elements + seat],)
        found["money"] = (s[F.money + seat],)
        offered = [s[F.offer + place] for place in range(TROUPE)]
        if s[F.lacking] >> seat & 1:
            found["left"] = (max((STARS[card] for card in offered if 0 <= card < SINGERS), default=0),)
        others = [other for other in range(s[F.seats]) if other != seat]
        found["rival"] = (max(rules.total(s, other) for other in others),)
        without = [F.troupe + other * TROUPE for other in others if s[F.director + other] == NONE]
        if in_play and without:
            found["rival_fit"] = (max(rules.director_points(s, at, director) for at in without for director in in_play),)
        return found

    def reason(self, seat: Seat, name: str, better: Sequence[int], played: Sequence[int]) -> str:
        n, m = better[0], played[0]
        more, less = (f"{one:+d}".replace("-", "−") for one in (n, m))
        if name == "laid":
            return self.say("Money cards laid: {number} instead of {before}.", number=n, before=m)
        if name == "rival":
            said = self.say("Most points of another, roles not counted: {number} instead of {before}.", number=n, before=m)
            return said if n < m else ""
        if name == "rival_fit":
            said = self.say(
                "To the others the best director still to come would be worth {number} instead of {before}.",
                number=more,
                before=less,
            )
            return said if n < m else ""
        if n <= m:
            return ""
        if name == "director":
            return self.say(
                "The director it goes for is worth {number} to the troupe instead of {before}.", number=more, before=less
            )
        if name == "fit":
            return self.say(
                "The best director still to come would be worth {number} instead of {before}.", number=more, before=less
            )
        if name == "stars":
            return self.say("Stars of the singer it goes for: {number} instead of {before}.", number=n, before=m)
        if name == "roles":
            return self.say("Points for the roles cast: {number} instead of {before}.", number=n, before=m)
        if name == "points":
            return self.say("Points, roles not counted: {number} instead of {before}.", number=n, before=m)
        if name == "score":
            return self.say("Points at the end: {number} instead of {before}.", number=n, before=m)
        if name == "left":
            return self.say("Stars of the best singer left to take: {number} instead of {before}.", number=n, before=m)
        if name == "elements":
            return self.say("Stage elements: {number} instead of {before}.", number=n, before=m)
        if name == "money":
            return self.say("Money cards in hand: {number} instead of {before}.", number=n, before=m)
        return self.say("It wins the match.")
