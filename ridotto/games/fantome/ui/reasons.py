"""The advantages of one table over another: how suspects stand, and how far La Carlotta has to go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from ridotto.engine.fields import Seat
from ridotto.games.fantome import rules
from ridotto.games.fantome.components import EXIT
from ridotto.games.fantome.rules import PHANTOM, F
from ridotto.games.fantome.ui.facts import announcement
from ridotto.present import words
from ridotto.present.narrator import mark


class Advantage(NamedTuple):
    """A sentence about a figure that is better, and its sign for either side: 1 if more is better, -1 if less is."""

    message: str
    signs: tuple[int, int]


SPLIT: Final = mark("Suspects split {one}–{other} instead of {before}–{after}: any answer clears at least {least}.")
ADVANTAGES: Final = {
    "left": Advantage(mark("Suspects left after the answer, as things stand: {number} instead of {before}."), (1, 1)),
    "steps": Advantage(mark("La Carlotta's steps after the answer, as things stand: {number} instead of {before}."), (1, 1)),
    "suspects": Advantage(mark("Suspects left: {number} instead of {before}."), (-1, 1)),
    "carlotta": Advantage(mark("La Carlotta's spaces to the exit: {number} instead of {before}."), (1, -1)),
    "won": Advantage(mark("It wins the match."), (1, 1)),
}


class Reasons(words.Words):
    """The figures of a table for each side, and how two tables differ."""

    def figures(self, row: Sequence[int], seat: Seat) -> Mapping[str, tuple[int, ...]]:
        s = list(row)
        if s[F.ending]:
            return {"won": (rules.winners(s) >> seat & 1,)}
        watched, suspects = rules.watched(s), s[F.suspects]
        hopes: dict[str, tuple[int, ...]]
        if seat == PHANTOM:
            can = 1 - (watched >> s[F.identity] & 1)
            left = announcement(s, can).left
            hopes = {"left": (left,), "steps": (0 if left == 1 else left + can,)}
        else:
            hopes = {"split": ((suspects & watched).bit_count(), (suspects & ~watched).bit_count())}
        return {**hopes, "suspects": (suspects.bit_count(),), "carlotta": (EXIT - s[F.carlotta],)}

    def reason(self, seat: Seat, name: str, better: Sequence[int], played: Sequence[int]) -> str:
        if name == "split":
            (other, one), (after, before) = sorted(better), sorted(played)
            return self.say(SPLIT, one=one, other=other, before=before, after=after, least=other) if one < before else ""
        message, signs = ADVANTAGES[name]
        number, before = better[0], played[0]
        return self.say(message, number=number, before=before) if (number - before) * signs[seat] > 0 else ""
