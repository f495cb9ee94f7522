"""How people may say what they decide, besides the notation of single actions: without a reader, and without a sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from ridotto.engine.fields import Seat


class Early(NamedTuple):
    """A decision that a seat may make before the one that the rules ask for, since the rulebook leaves the order free."""

    text: str
    """Notation, or what `Inputs.meaning` reads. The last word is the choice, the others say what it is about."""
    section: str


Series = Callable[[Sequence[int], Seat, str], list[int]]
"""Turns a masked row, a seat and the rest of a text such as `arrange venezia verdi` into a list of actions.

Raises BadSeries if the text is wrong."""


class Inputs:
    """`inputs.py`: what texts of a game mean, as a subclass called `Inputs`. Every method has a default."""

    def series(self) -> Mapping[str, Series]:
        """Texts that stand for a series of actions: for their first word ("arrange"), the function that reads the rest."""
        return {}

    def early(self, row: Sequence[int], seat: Seat, noted: Sequence[str] = ()) -> Sequence[Early]:
        """The decisions that the seat to act may make before the question that it is asked; see `ridotto.core.turns`.

        `noted` are those that it has made early already: what does not go with them is left out.
        """
        return ()

    def meaning(self, row: Sequence[int], seat: Seat, text: str) -> int | None:
        """The action that a text means now, where that is not the action of this notation; None: it means no other."""
        return None

    def begins_turn(self, row: Sequence[int], seat: Seat) -> bool:
        """Whether a turn begins with what a seat is asked now, where a seat may have several turns in a row.

        A turn that somebody puts together ends there. It ends anyway where somebody else has to decide, and where something is
        drawn or shown.
        """
        return False

    # For all games.

    def is_series(self, text: str) -> bool:
        """Whether a text stands for a series of actions, such as `arrange venezia verdi`."""
        return text.partition(" ")[0].lower() in self.series()

    def read_series(self, row: Sequence[int], seat: Seat, text: str) -> list[int]:
        """The actions that such a text stands for. Raises BadSeries if it cannot be followed."""
        verb, _, rest = text.partition(" ")
        return self.series()[verb.lower()](row, seat, rest)
