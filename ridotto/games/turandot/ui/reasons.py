"""Reasons why one table is better than another: singers, directors, roles, money and stage elements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ridotto.engine.fields import Seat
from ridotto.games.turandot import rules
from ridotto.games.turandot.components import DIRECTORS, SINGERS, STARS, TROUPE
from ridotto.games.turandot.rules import NONE, F
from ridotto.present import words
from ridotto.present.narrator import mark

REASONS: Final = {
    "laid": mark("Money cards laid: {number} instead of {before}."),
    "rival": mark("Most points of another, roles not counted: {number} instead of {before}."),
    "rival_fit": mark("To the others the best director still to come would be worth {number} instead of {before}."),
    "director": mark("The director it goes for is worth {number} to the troupe instead of {before}."),
    "fit": mark("The best director still to come would be worth {number} instead of {before}."),
    "stars": mark("Stars of the singer it goes for: {number} instead of {before}."),
    "roles": mark("Points for the roles cast: {number} instead of {before}."),
    "points": mark("Points, roles not counted: {number} instead of {before}."),
    "score": mark("Points at the end: {number} instead of {before}."),
    "left": mark("Stars of the best singer left to take: {number} instead of {before}."),
    "elements": mark("Stage elements: {number} instead of {before}."),
    "money": mark("Money cards in hand: {number} instead of {before}."),
    "won": mark("It wins the match."),
}
"""The reason why a table is better, by the figure that differs."""
LESS_IS_BETTER: Final = ("rival", "rival_fit")
SIGNED: Final = ("director", "fit", "rival_fit")


class Reasons(words.Words):
    """The figures of a table for a seat, and how two tables differ."""

    def figures(self, row: Sequence[int], seat: Seat) -> Mapping[str, tuple[int, ...]]:
        s = list(row)
        if s[F.ending]:
            return {"won": (rules.winners(s) >> seat & 1,), "score": (rules.total(s, seat),)}
        troupe = s[F.troupe + seat * TROUPE : F.troupe + (seat + 1) * TROUPE]
        figures: dict[str, tuple[int, ...]] = {}
        laid = s[F.pending + seat]
        if laid >= 0:
            if rules.is_bid(laid):
                card = s[F.offer + rules.position_of(laid)]
                if card >= SINGERS:
                    figures["director"] = (rules.director_points(troupe, 0, card - SINGERS),)
                elif card >= 0 and NONE in troupe:
                    figures["stars"] = (STARS[card],)
                    troupe[troupe.index(NONE)] = card
            figures["laid"] = (rules.money_in(laid),)
        in_play = [director for director in range(DIRECTORS) if s[F.pool] >> director & 1]
        if in_play and s[F.director + seat] == NONE:
            figures["fit"] = (max(rules.director_points(troupe, 0, director) for director in in_play),)
        figures["roles"] = (rules.favourites(s, F.casting + seat * TROUPE) + rules.wrong_sexes(s, F.casting + seat * TROUPE),)
        figures["points"] = (rules.total(s, seat),)
        figures["elements"] = (s[F.elements + seat],)
        figures["money"] = (s[F.money + seat],)
        offered = [s[F.offer + place] for place in range(TROUPE)]
        if s[F.lacking] >> seat & 1:
            figures["left"] = (max((STARS[card] for card in offered if 0 <= card < SINGERS), default=0),)
        others = [other for other in range(s[F.seats]) if other != seat]
        figures["rival"] = (max(rules.total(s, other) for other in others),)
        without = [F.troupe + other * TROUPE for other in others if s[F.director + other] == NONE]
        if in_play and without:
            figures["rival_fit"] = (max(rules.director_points(s, at, director) for at in without for director in in_play),)
        return figures

    def reason(self, seat: Seat, name: str, better: Sequence[int], played: Sequence[int]) -> str:
        n, m = better[0], played[0]
        if name != "laid" and (n >= m if name in LESS_IS_BETTER else n <= m):
            return ""
        more, less = (f"{one:+d}".replace("-", "−") if name in SIGNED else one for one in (n, m))
        return self.say(REASONS[name], number=more, before=less)
