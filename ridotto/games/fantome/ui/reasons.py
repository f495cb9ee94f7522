"""Why one table is better than another, in the terms of Le Fantôme: how suspects stand, and how far La Carlotta has to go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ridotto.engine.fields import Seat
from ridotto.games.fantome import rules
from ridotto.games.fantome.components import EXIT
from ridotto.games.fantome.rules import INSPECTOR, PHANTOM, F
from ridotto.present import words


class Reasons(words.Words):
    """What a table comes to for each side, and how two tables differ."""

    def figures(self, row: Sequence[int], seat: Seat) -> Mapping[str, tuple[int, ...]]:
        s = list(row)
        suspects = s[F.suspects]
        found: dict[str, tuple[int, ...]] = {}
        if s[F.ending]:
            return {"won": (rules.winners(s) >> seat & 1,)}
        watched = suspects & rules.watched(s)
        if seat == PHANTOM:
            can = 1 - (rules.watched(s) >> s[F.identity] & 1)
            left = (suspects & ~watched if can else watched).bit_count()
            found["left"] = (left,)
            found["steps"] = (0 if left == 1 else left + can,)
        else:
            found["split"] = watched.bit_count(), (suspects & ~watched).bit_count()
        found["suspects"] = (suspects.bit_count(),)
        found["carlotta"] = (EXIT - s[F.carlotta],)
        return found

    def reason(self, seat: Seat, name: str, better: Sequence[int], played: Sequence[int]) -> str:
        n, m = better[0], played[0]
        if name == "split" and max(better) < max(played):
            return self.say(
                "Suspects split {one}–{other} instead of {before}–{after}: any answer clears at least {least}.",
                one=max(better),
                other=min(better),
                before=max(played),
                after=min(played),
                least=min(better),
            )
        if name == "left" and n > m:
            return self.say(
                "Suspects left after the answer, as things stand: {number} instead of {before}.", number=n, before=m
            )
        if name == "steps" and n > m:
            return self.say(
                "La Carlotta's steps after the answer, as things stand: {number} instead of {before}.", number=n, before=m
            )
        if name == "suspects" and (n < m) == (seat == INSPECTOR) and n != m:
            return self.say("Suspects left: {number} instead of {before}.", number=n, before=m)
        if name == "carlotta" and (n < m) == (seat == PHANTOM) and n != m:
            return self.say("La Carlotta's spaces to the exit: {number} instead of {before}.", number=n, before=m)
        if name == "won" and n > m:
            return self.say("It wins the match.")
        return ""
