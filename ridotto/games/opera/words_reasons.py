"""Why one table is better than another, in the terms of Opera: points, income, the next count, empty halls, ducats saved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ridotto.core import protocols
from ridotto.engine.fields import Seat
from ridotto.games.opera import rules
from ridotto.games.opera.components import INCOME
from ridotto.games.opera.rules import F


class Reasons(protocols.Words):
    """What a table comes to for a seat, and how two tables differ."""

    def figures(self, row: Sequence[int], seat: Seat) -> Mapping[str, tuple[int, ...]]:
        s = list(row)
        if s[F.ending]:
            return {"won": (rules.winners(s) >> seat & 1,), "points": (s[F.points + seat],)}
        count = min(s[F.counts], 2)
        income = great = empty = 0
        for city in range(6):
            earned = INCOME[rules.house(s, seat, city).bit_count()]
            on_stage = s[F.great + seat * 6 + city]
            income += earned + rules.doubled(s, city, earned)
            great += rules.value_of_great_hall(s, on_stage)
            great += rules.bonus_of_century(on_stage, s[F.century + count], count)
            empty += rules.empty_halls(s, seat, city)
        return {
            "points": (s[F.points + seat],),
            "count": (great - empty,),
            "empty": (empty,),
            "income": (income,),
            "pieces": (sum(rules.copies_of(s, seat, piece) for piece in range(6)),),
            "bid": (s[F.bid + seat],),
            "ducats": (s[F.ducats + seat],),
        }

    def reason(self, seat: Seat, name: str, better: Sequence[int], played: Sequence[int]) -> str:
        numbers = {"number": better[0], "other": played[0]}
        if name == "empty" and better[0] < played[0]:
            return self.count(
                "{number} hall would be empty at the count instead of {other}.",
                "{number} halls would be empty at the count instead of {other}.",
                better[0],
                other=played[0],
            )
        if name == "bid" and 0 <= better[0] < played[0]:
            return self.say("A bid of {number} instead of {other} saves ducats.", **numbers)
        if better[0] <= played[0]:
            return ""
        if name == "bid" and played[0] >= 0:
            return self.say("A bid of {number} instead of {other} comes earlier.", **numbers)
        if name == "points":
            return self.say("{number} points instead of {other}.", **numbers)
        if name == "count":
            return self.say("As things stand, the next count would bring {number} points instead of {other}.", **numbers)
        if name == "income":
            return self.say("As things stand, the income would be {number} ducats instead of {other}.", **numbers)
        if name == "pieces":
            return self.say("{number} pieces instead of {other}.", **numbers)
        if name == "ducats":
            return self.say("{number} ducats left instead of {other}.", **numbers)
        if name == "won":
            return self.say("It wins the match.")
        return ""
