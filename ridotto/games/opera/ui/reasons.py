"""Reasons why one table is better than another: points, income, the next count, empty halls, ducats saved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ridotto.engine.fields import Seat
from ridotto.games.opera import rules
from ridotto.games.opera.ai.programme import forecast
from ridotto.games.opera.rules import F
from ridotto.present import words


class Reasons(words.Words):
    """The figures of a table for a seat, and the difference between two tables in words."""

    def figures(self, row: Sequence[int], seat: Seat) -> Mapping[str, tuple[int, ...]]:
        s = list(row)
        if s[F.ending]:
            return {"won": (rules.winners(s) >> seat & 1,), "points": (s[F.points + seat],)}
        coming = forecast(row, seat)
        return {
            "points": (s[F.points + seat],),
            "count": (coming.points,),
            "empty": (coming.empty,),
            "income": (coming.income,),
            "pieces": (sum(rules.copies_of(s, seat, piece) for piece in range(6)),),
            "bid": (s[F.bid + seat],),
            "ducats": (s[F.ducats + seat],),
        }

    def reason(self, seat: Seat, name: str, better: Sequence[int], played: Sequence[int]) -> str:
        n, m = better[0], played[0]
        if name == "empty" and n < m:
            return self.say("Empty halls at the count: {number} instead of {before}.", number=n, before=m)
        if name == "bid" and 0 <= n < m:
            return self.say("A bid of {number} instead of {before}: ducats saved.", number=n, before=m)
        if name == "bid" and 0 <= m < n:
            return self.say("A bid of {number} instead of {before}: a better budget.", number=n, before=m)
        if name in ("empty", "bid") or n <= m:
            return ""
        if name == "points":
            return self.say("Points: {number} instead of {before}.", number=n, before=m)
        if name == "count":
            return self.say("Points at the next count, as things stand: {number} instead of {before}.", number=n, before=m)
        if name == "income":
            return self.say("Income, as things stand: {number} ducats instead of {before}.", number=n, before=m)
        if name == "pieces":
            return self.say("Pieces: {number} instead of {before}.", number=n, before=m)
        if name == "ducats":
            return self.say("Ducats left: {number} instead of {before}.", number=n, before=m)
        return self.say("It wins the match.")
